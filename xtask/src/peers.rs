//! `cargo xtask peers`: measures the playouts and simulations of other programs next to ours.
//!
//! Tesuji and a peer take turns, round by round, so that other load on the machine affects both.
//! The report has the median of the rounds' ratios with the lowest and the highest.

use crate::python::Python;
use crate::shell;
use anyhow::{Context, ensure};
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

/// Arguments of `cargo xtask peers`.
#[derive(clap::Args)]
#[command(after_help = "Needs Python 3.9 or later with venv, and a package index for the first run.\n\n\
                        Examples:\n  cargo xtask peers\n  cargo xtask peers connect4 hex:7 --rounds 9 --seconds 0.5\n  \
                        cargo xtask peers --only simulations --rounds 3\n  cargo xtask peers --json")]
pub struct Args {
    /// Games [default: all with a peer]
    games: Vec<String>,
    /// Measure only playouts or only simulations of a tree search [default: both]
    #[arg(long, value_enum)]
    only: Option<Kind>,
    /// Rounds per game and peer
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Length of a round of playouts for each side, in seconds
    #[arg(long, default_value = "1", value_parser = seconds)]
    seconds: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> anyhow::Result<f64> {
    let seconds: f64 = text.parse()?;
    ensure!((0.001..=3600.0).contains(&seconds), "a round takes 0.001 to 3600 seconds");
    Ok(seconds)
}

/// The kind of work compared.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Kind {
    /// Bare random playouts
    Playouts,
    /// Simulations of plain UCT on one thread, C = sqrt 2, one playout each
    Simulations,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Playouts => "playouts",
            Kind::Simulations => "simulations",
        }
    }
}

/// A program measured next to ours.
#[derive(Clone, Copy)]
enum Peer {
    /// `xtask/peers/speed.py`, for either kind; with a note on how its work differs.
    OpenSpiel(&'static str),
    /// The playouts of a program in `peers/`, by name.
    Board(&'static str),
    /// The simulations of a program in `peers/`, by name, on our own board.
    Search(&'static str),
}

impl Peer {
    fn does(self, kind: Kind) -> bool {
        match self {
            Peer::OpenSpiel(_) => true,
            Peer::Board(_) => kind == Kind::Playouts,
            Peer::Search(_) => kind == Kind::Simulations,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Peer::OpenSpiel(_) => "open_spiel",
            Peer::Board(name) | Peer::Search(name) => name,
        }
    }
}

/// The games, with the number of simulations of a search: the same for us and a peer, because
/// larger trees are slower. Enough for open_spiel to take about a second; where only published
/// figures are compared, enough for a reliable measurement of ours.
const GAMES: [(&str, u32); 15] = [
    ("tictactoe", 100_000),
    ("connect4", 100_000),
    ("breakthrough:8x8", 20_000),
    ("knightthrough:8x8", 20_000),
    ("othello", 5_000),
    ("hex:7", 50_000),
    ("hex:11", 20_000),
    ("gomoku:15,free", 10_000),
    ("gomoku:15", 10_000),
    ("loa", 2_000),
    ("awari:rules=oware", 20_000),
    ("awari", 20_000),
    ("minishogi:rules=ludii", 2_000),
    ("go:9", 10_000),
    ("go:19", 2_000),
];

fn simulations(game: &str) -> u32 {
    GAMES.iter().find(|(name, _)| *name == game).expect("a game of the list").1
}

const HEX: &str = "our playouts are untraced here: they fill the whole board and test the connection once";
const LOA: &str = "the second occurrence of a position draws; our playouts ignore repetition";
const AWARI: &str = "the second occurrence of a position ends a game; our playouts ignore repetition";
const GO: &str = "checks superko; fills its own eyes, may pass at any time, stops after 162 plies";

const PEERS: [(&str, Peer); 18] = [
    ("tictactoe", Peer::OpenSpiel("")),
    ("connect4", Peer::OpenSpiel("")),
    ("connect4", Peer::Board("bare loop, by rank")),
    ("connect4", Peer::Board("bare loop, draw again")),
    ("connect4", Peer::Board("board-game 0.8.2")),
    ("connect4", Peer::Search("mcts 0.3.0")),
    ("connect4", Peer::Search("treant 0.4.0")),
    ("connect4", Peer::Search("minimax 0.6.0")),
    ("breakthrough:8x8", Peer::OpenSpiel("")),
    ("othello", Peer::OpenSpiel("")),
    ("hex:7", Peer::OpenSpiel(HEX)),
    ("hex:11", Peer::OpenSpiel(HEX)),
    ("gomoku:15,free", Peer::OpenSpiel("")),
    ("loa", Peer::OpenSpiel(LOA)),
    ("awari:rules=oware", Peer::OpenSpiel(AWARI)),
    ("awari:rules=oware", Peer::Board("board-game 0.8.2")),
    ("go:9", Peer::OpenSpiel(GO)),
    ("go:9", Peer::Board("board-game 0.8.2")),
];

/// A published figure that is not measured again.
struct Yardstick {
    kind: Kind,
    /// The game as a Tesuji spec.
    game: &'static str,
    program: &'static str,
    per_second: f64,
    /// The mean length of its random games, where known.
    plies: Option<f64>,
}

/// Ludii: the fork acatai/PNMCTSLudii of March 2025 on one core with the serial garbage collector,
/// 2.5 s after a warm-up: uniform random playouts, and iterations of its UCT; LOA, MiniShogi,
/// Knightthrough and Awari by the rules files of acatai/pn-mcts.
const fn ludii(kind: Kind, game: &'static str, per_second: u32, plies: Option<f64>) -> Yardstick {
    Yardstick { kind, game, program: "Ludii", per_second: per_second as f64, plies }
}

/// thomasmarsh/mcts (GitHub) of August 2026: iterations of its UCB1 search on one thread, one
/// playout each.
const fn marsh(game: &'static str, per_second: u32) -> Yardstick {
    let program = "thomasmarsh/mcts";
    Yardstick { kind: Kind::Simulations, game, program, per_second: per_second as f64, plies: None }
}

const PUBLISHED: [Yardstick; 21] = [
    ludii(Kind::Playouts, "connect4", 26_900, Some(21.3)),
    ludii(Kind::Playouts, "knightthrough:8x8", 1_610, Some(66.0)),
    ludii(Kind::Playouts, "othello", 1_020, None),
    ludii(Kind::Playouts, "hex:11", 8_320, Some(107.5)),
    ludii(Kind::Playouts, "gomoku:15", 8_900, Some(113.0)),
    ludii(Kind::Playouts, "loa", 190, Some(246.0)),
    ludii(Kind::Playouts, "awari", 610, Some(119.0)),
    ludii(Kind::Playouts, "minishogi:rules=ludii", 37, Some(163.0)),
    ludii(Kind::Playouts, "go:19", 57, Some(621.0)),
    ludii(Kind::Simulations, "connect4", 17_100, Some(21.3)),
    ludii(Kind::Simulations, "knightthrough:8x8", 1_610, Some(66.0)),
    ludii(Kind::Simulations, "othello", 980, None),
    ludii(Kind::Simulations, "hex:11", 3_840, Some(107.5)),
    ludii(Kind::Simulations, "gomoku:15", 3_750, Some(113.0)),
    ludii(Kind::Simulations, "loa", 270, Some(246.0)),
    ludii(Kind::Simulations, "awari", 730, Some(119.0)),
    ludii(Kind::Simulations, "minishogi:rules=ludii", 110, Some(163.0)),
    marsh("connect4", 90_000),
    marsh("breakthrough:8x8", 44_000),
    marsh("knightthrough:8x8", 27_000),
    marsh("othello", 70_000),
];

/// Random games whose mean lengths differ by more than this fraction are not the same work.
const SAME_LENGTH: f64 = 0.03;

fn same_length(ours: f64, theirs: f64) -> bool {
    (ours / theirs - 1.0).abs() <= SAME_LENGTH
}

/// The report of `tesuji bench` on a game.
struct Speed {
    playouts_per_second: f64,
    simulations_per_second: f64,
    /// The mean length of its random games.
    plies: f64,
}

/// The mean lengths of our random games.
type Lengths = BTreeMap<&'static str, f64>;

/// The programs, built and installed.
struct Programs {
    ours: PathBuf,
    rust: PathBuf,
    python: Python,
}

impl Programs {
    fn prepare() -> anyhow::Result<Programs> {
        let python = Python::prepare()?;
        Ok(Programs { ours: build("Cargo.toml", "tesuji")?, rust: build("peers/Cargo.toml", "tesuji-peers")?, python })
    }

    fn bench(
        &self,
        games: &[&str],
        rounds: u32,
        seconds: f64,
        simulations: u32,
        seed: u32,
    ) -> anyhow::Result<Vec<Speed>> {
        let mut command = Command::new(&self.ours);
        command.arg("bench").args(games).arg("--json");
        command.args(["--rounds", &rounds.to_string(), "--time", &format!("{seconds}s"), "--seed", &seed.to_string()]);
        command.args(["--simulations", &simulations.to_string()]);
        let report: Value = serde_json::from_str(&shell::output(&mut command)?)?;
        let games = report["games"].as_array().context("tesuji bench reported no games")?;
        games
            .iter()
            .map(|game| {
                Ok(Speed {
                    playouts_per_second: number(&game["timing"]["playouts_per_second"]["median"])?,
                    simulations_per_second: number(&game["timing"]["simulations_per_second"]["median"])?,
                    plies: number(&game["plies_per_playout"])?,
                })
            })
            .collect()
    }

    /// Returns our rate per second: the median of the rounds.
    fn ours(&self, kind: Kind, game: &str, rounds: u32, seconds: f64, seed: u32) -> anyhow::Result<f64> {
        // As little as possible of the other kind.
        let (seconds, simulations) = match kind {
            Kind::Playouts => (seconds, 1),
            Kind::Simulations => (0.001, simulations(game)),
        };
        let speeds = self.bench(&[game], rounds, seconds, simulations, seed)?;
        let speed = speeds.first().context("tesuji bench reported no game")?;
        Ok(match kind {
            Kind::Playouts => speed.playouts_per_second,
            Kind::Simulations => speed.simulations_per_second,
        })
    }

    /// Returns the mean lengths of our games.
    fn lengths(&self, games: &[&'static str]) -> anyhow::Result<Lengths> {
        let speeds = self.bench(games, 1, 0.001, 1, 1)?;
        Ok(games.iter().zip(speeds).map(|(game, speed)| (*game, speed.plies)).collect())
    }

    /// Runs one round of a peer and returns its JSON line.
    fn theirs(&self, kind: Kind, game: &str, peer: Peer, seconds: f64, round: u32) -> anyhow::Result<Value> {
        let mut command = match peer {
            Peer::OpenSpiel(_) => {
                let mut command = self.python.script("speed.py");
                // The mean length is slow to compute and does not change, so compute it once.
                command.args(["--games", if round == 0 { "4000" } else { "1" }]);
                command
            }
            Peer::Board(name) | Peer::Search(name) => {
                let mut command = Command::new(&self.rust);
                command.args(["--peer", name, "--seed", &round.to_string()]);
                command
            }
        };
        command.args([game, "--rounds", "1"]);
        match kind {
            Kind::Playouts => command.args(["--seconds", &seconds.to_string()]),
            Kind::Simulations => command.args(["--simulations", &simulations(game).to_string()]),
        };
        Ok(serde_json::from_str(&shell::output(&mut command)?)?)
    }
}

/// Builds a program of a workspace and returns its path.
pub fn build(manifest: &str, program: &str) -> anyhow::Result<PathBuf> {
    shell::run(&mut shell::cargo(&[
        "build",
        "--quiet",
        "--release",
        "--locked",
        "--manifest-path",
        manifest,
        "--package",
        program,
    ]))?;
    Ok(shell::target_directory(manifest)?.join("release").join(program))
}

fn number(value: &Value) -> anyhow::Result<f64> {
    value.as_f64().with_context(|| format!("{value} is not a number"))
}

/// The measurements of Tesuji and a peer on a game.
struct Comparison {
    kind: Kind,
    game: &'static str,
    peer: String,
    note: String,
    /// Rates per second, round by round.
    ours: Vec<f64>,
    theirs: Vec<f64>,
    our_plies: f64,
    their_plies: f64,
}

impl Comparison {
    fn measure(
        programs: &Programs,
        kind: Kind,
        (game, peer): (&'static str, Peer),
        our_plies: f64,
        args: &Args,
    ) -> anyhow::Result<Comparison> {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let mut first = Value::Null;
        for round in 0..args.rounds {
            ours.push(programs.ours(kind, game, 1, args.seconds, round)?);
            let line = programs.theirs(kind, game, peer, args.seconds, round)?;
            theirs.push(number(&line["per_second"])?);
            if round == 0 {
                first = line;
            }
        }
        let note = match peer {
            Peer::OpenSpiel(note) => note,
            Peer::Board(_) | Peer::Search(_) => first["note"].as_str().unwrap_or(""),
        };
        Ok(Comparison {
            kind,
            game,
            peer: first["peer"].as_str().context("a peer has no name")?.to_string(),
            note: note.to_string(),
            ours,
            theirs,
            our_plies,
            // On our own board the games are our own.
            their_plies: if let Peer::Search(_) = peer { our_plies } else { number(&first["plies"])? },
        })
    }

    /// Returns our speed-up, round by round.
    fn ratios(&self) -> Vec<f64> {
        self.ours.iter().zip(&self.theirs).map(|(ours, theirs)| ours / theirs).collect()
    }

    fn same_work(&self) -> bool {
        same_length(self.our_plies, self.their_plies)
    }

    /// Returns our speed-up per ply.
    fn ratio_per_ply(&self) -> f64 {
        median(&self.ratios()) * self.our_plies / self.their_plies
    }

    fn row(&self) -> [String; 9] {
        let (low, high) = extremes(&self.ratios());
        [
            self.game.to_string(),
            self.peer.clone(),
            grouped(median(&self.ours)),
            grouped(median(&self.theirs)),
            times(median(&self.ratios())),
            format!("{} .. {}", times(low), times(high)),
            format!("{:.1}", self.our_plies),
            format!("{:.1}{}", self.their_plies, if self.same_work() { "" } else { " *" }),
            if self.same_work() { String::new() } else { times(self.ratio_per_ply()) },
        ]
    }

    fn json(&self) -> Value {
        let (low, high) = extremes(&self.ratios());
        json!({
            "kind": self.kind.name(),
            "game": self.game,
            "simulations": (self.kind == Kind::Simulations).then(|| simulations(self.game)),
            "peer": self.peer,
            "note": self.note,
            "per_second": self.ours,
            "peer_per_second": self.theirs,
            "ratio": { "median": median(&self.ratios()), "low": low, "high": high },
            "plies": self.our_plies,
            "peer_plies": self.their_plies,
            "same_work": self.same_work(),
            "ratio_per_ply": self.ratio_per_ply(),
        })
    }
}

impl Yardstick {
    fn row(&self, ours: f64, our_plies: f64) -> [String; 8] {
        let ratio = ours / self.per_second;
        let (plies, per_ply) = match self.plies {
            None => ("?".to_string(), String::new()),
            Some(plies) if same_length(our_plies, plies) => (format!("{plies:.1}"), String::new()),
            Some(plies) => (format!("{plies:.1} *"), times(ratio * our_plies / plies)),
        };
        [
            self.game.to_string(),
            self.program.to_string(),
            grouped(ours),
            grouped(self.per_second),
            times(ratio),
            format!("{our_plies:.1}"),
            plies,
            per_ply,
        ]
    }

    fn json(&self, ours: f64, our_plies: f64) -> Value {
        json!({
            "kind": self.kind.name(),
            "game": self.game,
            "program": self.program,
            "per_second": ours,
            "published_per_second": self.per_second,
            "ratio": ours / self.per_second,
            "plies": our_plies,
            "published_plies": self.plies,
        })
    }
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let kinds = args.only.map_or(vec![Kind::Playouts, Kind::Simulations], |kind| vec![kind]);
    let compared = |kind: Kind, game: &str| {
        PEERS.iter().any(|(name, peer)| *name == game && peer.does(kind))
            || PUBLISHED.iter().any(|yardstick| yardstick.game == game && yardstick.kind == kind)
    };
    let known = GAMES.map(|(game, _)| game).into_iter().filter(|game| kinds.iter().any(|kind| compared(*kind, game)));
    let known: Vec<&str> = known.collect();
    for game in &args.games {
        ensure!(known.contains(&game.as_str()), "no peer for {game:?}; available: {}", known.join(" "));
    }
    let wanted = |game: &str| args.games.is_empty() || args.games.iter().any(|named| named == game);
    let programs = Programs::prepare()?;
    let games: Vec<&str> = known.into_iter().filter(|game| wanted(game)).collect();
    let lengths = programs.lengths(&games)?;
    let (mut comparisons, mut published) = (Vec::new(), Vec::new());
    for &kind in &kinds {
        for (game, peer) in PEERS.into_iter().filter(|(game, peer)| wanted(game) && peer.does(kind)) {
            eprintln!("{}, {game}: {}", kind.name(), peer.name());
            comparisons.push(Comparison::measure(&programs, kind, (game, peer), lengths[game], args)?);
        }
        for yardstick in PUBLISHED.iter().filter(|yardstick| wanted(yardstick.game) && yardstick.kind == kind) {
            eprintln!("{}, {}: {}", kind.name(), yardstick.game, yardstick.program);
            let ours = programs.ours(kind, yardstick.game, args.rounds, args.seconds, 0)?;
            published.push((yardstick, ours, lengths[yardstick.game]));
        }
    }
    if args.json {
        let report = json!({
            "schema": 2,
            "rounds": args.rounds,
            "seconds": args.seconds,
            "peers": comparisons.iter().map(Comparison::json).collect::<Vec<_>>(),
            "published": published.iter().map(|(yardstick, ours, plies)| yardstick.json(*ours, *plies)).collect::<Vec<_>>(),
        });
        println!("{report:#}");
        return Ok(());
    }
    for kind in kinds {
        print_comparisons(kind, &comparisons, args.rounds);
        print_published(kind, &published);
    }
    println!("* The mean lengths of the games differ by more than {:.0} %: not the same work.", SAME_LENGTH * 100.0);
    Ok(())
}

fn print_comparisons(kind: Kind, comparisons: &[Comparison], rounds: u32) {
    let comparisons: Vec<&Comparison> = comparisons.iter().filter(|comparison| comparison.kind == kind).collect();
    if comparisons.is_empty() {
        return;
    }
    let what = match kind {
        Kind::Playouts => "Random playouts per second from the start position",
        Kind::Simulations => {
            "Simulations per second of plain UCT from the start position and an empty tree, one thread"
        }
    };
    println!("{what}, {rounds} alternating rounds:");
    let head = ["game", "peer", "ours", "peer's", "ratio", "low .. high", "plies", "peer's", "ratio per ply"];
    println!("{}", table(head, comparisons.iter().map(|comparison| comparison.row())));
    for comparison in comparisons.iter().filter(|comparison| !comparison.note.is_empty()) {
        println!("{}, {}: {}", comparison.game, comparison.peer, comparison.note);
    }
    println!();
}

/// Prints published figures next to our rate and mean number of plies.
fn print_published(kind: Kind, published: &[(&Yardstick, f64, f64)]) {
    let published: Vec<_> = published.iter().filter(|(yardstick, ..)| yardstick.kind == kind).collect();
    if published.is_empty() {
        return;
    }
    let what = match kind {
        Kind::Playouts => "Random playouts",
        Kind::Simulations => "Iterations of a tree search, one playout each",
    };
    println!("{what}, published figures not measured again here: an order of magnitude only.");
    let head = ["game", "program", "ours", "published", "ratio", "plies", "published", "ratio per ply"];
    println!("{}", table(head, published.iter().map(|(yardstick, ours, plies)| yardstick.row(*ours, *plies))));
    println!();
}

/// Formats a table whose columns after the second are numbers.
pub fn table<const N: usize>(head: [&str; N], rows: impl Iterator<Item = [String; N]>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header(head);
    table.add_rows(rows);
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Returns the median; for an even count the upper of the two middle values.
fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn extremes(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)))
}

fn times(ratio: f64) -> String {
    format!("{ratio:.*}", if ratio < 10.0 { 2 } else { 0 })
}

/// Formats a rate with thousands separators.
pub fn grouped(rate: f64) -> String {
    let digits = format!("{rate:.0}");
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(grouped(0.0), "0");
        assert_eq!(grouped(999.6), "1,000");
        assert_eq!(grouped(1_234_567.0), "1,234,567");
        assert_eq!(times(1.046), "1.05");
        assert_eq!(times(123.4), "123");
    }

    #[test]
    fn a_comparison_is_the_median_of_its_rounds() {
        let comparison = Comparison {
            kind: Kind::Playouts,
            game: "go:9",
            peer: "a peer".to_string(),
            note: String::new(),
            ours: vec![20.0, 90.0, 40.0],
            theirs: vec![10.0, 30.0, 10.0],
            our_plies: 100.0,
            their_plies: 110.0,
        };
        let row = ["go:9", "a peer", "40", "10", "3.00", "2.00 .. 4.00", "100.0", "110.0 *", "2.73"];
        assert_eq!(comparison.row(), row);
        assert!(same_length(100.0, 102.0) && !same_length(100.0, 104.0));
    }

    /// Otherwise a name in one list is unknown in the other.
    #[test]
    fn the_games_with_peers_are_the_games_of_the_list() {
        let peers = PEERS.iter().map(|(game, _)| *game).chain(PUBLISHED.iter().map(|yardstick| yardstick.game));
        assert_eq!(peers.collect::<BTreeSet<_>>(), GAMES.iter().map(|(game, _)| *game).collect());
    }
}
