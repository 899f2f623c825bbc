//! `cargo xtask peers`: how fast other programs play at random, next to us.
//!
//! Ours and a peer take turns, round by round, so that whatever else the machine does hits both; what is reported is the
//! median of the rounds' ratios, with the lowest and the highest.

use crate::python::Python;
use crate::shell;
use anyhow::{Context, ensure};
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

/// Arguments of `cargo xtask peers`.
#[derive(clap::Args)]
#[command(after_help = "Needs Python 3.9 or later with venv, and a package index for the first run.\n\n\
                        Examples:\n  cargo xtask peers\n  cargo xtask peers connect4 hex:7 --rounds 9 --seconds 0.5\n  \
                        cargo xtask peers --json")]
pub struct Args {
    /// The games; all that peers play too if none is named
    games: Vec<String>,
    /// Rounds per game and peer
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// The length of a round for each side
    #[arg(long, default_value = "1", value_parser = seconds)]
    seconds: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> anyhow::Result<f64> {
    let seconds: f64 = text.parse()?;
    ensure!((0.001..=3600.0).contains(&seconds), "a round lasts from 0.001 to 3600 seconds");
    Ok(seconds)
}

/// A program that is run next to us.
#[derive(Clone, Copy, PartialEq)]
enum Peer {
    /// `xtask/peers/rollouts.py`; with what it does otherwise.
    OpenSpiel(&'static str),
    /// One of the programs in `peers/`, by its name there.
    Rust(&'static str),
}

const HEX: &str = "ours need not say their moves here, and fill the whole board at once to see who is connected";

const PEERS: [(&str, Peer); 15] = [
    ("tictactoe", Peer::OpenSpiel("")),
    ("connect4", Peer::OpenSpiel("")),
    ("connect4", Peer::Rust("bare loop, by rank")),
    ("connect4", Peer::Rust("bare loop, draw again")),
    ("connect4", Peer::Rust("board-game 0.8.2")),
    ("breakthrough:8x8", Peer::OpenSpiel("")),
    ("othello", Peer::OpenSpiel("")),
    ("hex:7", Peer::OpenSpiel(HEX)),
    ("hex:11", Peer::OpenSpiel(HEX)),
    ("gomoku:15,free", Peer::OpenSpiel("")),
    ("loa", Peer::OpenSpiel("the second occurrence of a position draws; ours do not look back")),
    ("awari:rules=oware", Peer::OpenSpiel("the second occurrence of a position ends a game; ours do not look back")),
    ("awari:rules=oware", Peer::Rust("board-game 0.8.2")),
    ("go:9", Peer::OpenSpiel("looks for superko; fills its own eyes, may pass at any time, stops after 162 plies")),
    ("go:9", Peer::Rust("board-game 0.8.2")),
];

/// A figure from elsewhere: not measured here and now.
struct Yardstick {
    /// The game as we write it.
    game: &'static str,
    program: &'static str,
    per_second: f64,
    /// The length of its random games, where it is known.
    plies: Option<f64>,
}

const fn yardstick(game: &'static str, program: &'static str, per_second: u32, plies: Option<f64>) -> Yardstick {
    Yardstick { game, program, per_second: per_second as f64, plies }
}

const LUDII: &str = "Ludii, playouts";
const MCTS: &str = "thomasmarsh/mcts, iterations";

/// Ludii: the fork acatai/PNMCTSLudii of March 2025, uniform random playouts on one core with the serial garbage collector,
/// 2.5 s after a warm-up; LOA, MiniShogi, Knightthrough and Awari by the rules files of acatai/pn-mcts.
/// thomasmarsh/mcts (GitHub) of August 2026: iterations of its UCB1 search on one thread, one playout each.
const PUBLISHED: [Yardstick; 13] = [
    yardstick("connect4", LUDII, 26_900, Some(21.3)),
    yardstick("knightthrough:8x8", LUDII, 1_610, Some(66.0)),
    yardstick("othello", LUDII, 1_020, None),
    yardstick("hex:11", LUDII, 8_320, Some(107.5)),
    yardstick("gomoku:15", LUDII, 8_900, Some(113.0)),
    yardstick("loa", LUDII, 190, Some(246.0)),
    yardstick("awari", LUDII, 610, Some(119.0)),
    yardstick("minishogi:rules=ludii", LUDII, 37, Some(163.0)),
    yardstick("go:19", LUDII, 57, Some(621.0)),
    yardstick("connect4", MCTS, 90_000, None),
    yardstick("breakthrough:8x8", MCTS, 44_000, None),
    yardstick("knightthrough:8x8", MCTS, 27_000, None),
    yardstick("othello", MCTS, 70_000, None),
];

/// Random games whose mean lengths differ by more than this part are not the same work.
const SAME_LENGTH: f64 = 0.03;

fn same_length(ours: f64, theirs: f64) -> bool {
    (ours / theirs - 1.0).abs() <= SAME_LENGTH
}

/// What `tesuji bench` tells of a game.
struct Speed {
    playouts_per_second: f64,
    /// The mean of 200 random games.
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

    fn ours(&self, games: &[&str], rounds: u32, seconds: f64, seed: u32) -> anyhow::Result<Vec<Speed>> {
        let mut command = Command::new(&self.ours);
        command.arg("bench").args(games).arg("--json");
        command.args(["--rounds", &rounds.to_string(), "--time", &format!("{seconds}s"), "--seed", &seed.to_string()]);
        let report: Value = serde_json::from_str(&shell::output(&mut command)?)?;
        let games = report["games"].as_array().context("tesuji bench tells of no games")?;
        games
            .iter()
            .map(|game| {
                Ok(Speed {
                    playouts_per_second: number(&game["timing"]["playouts_per_second"]["median"])?,
                    plies: number(&game["plies_per_playout"])?,
                })
            })
            .collect()
    }

    /// The mean lengths of our games.
    fn lengths(&self, games: &[&'static str]) -> anyhow::Result<Lengths> {
        let speeds = self.ours(games, 1, 0.001, 1)?;
        Ok(games.iter().zip(speeds).map(|(game, speed)| (*game, speed.plies)).collect())
    }

    /// One round of a peer: what it says of itself.
    fn theirs(&self, game: &str, peer: Peer, seconds: f64, round: u32) -> anyhow::Result<Value> {
        let mut command = match peer {
            Peer::OpenSpiel(_) => {
                let mut command = self.python.script("rollouts.py");
                // The games for the mean length, slow and always the same, are wanted once only.
                command.args(["--games", if round == 0 { "4000" } else { "1" }]);
                command
            }
            Peer::Rust(name) => {
                let mut command = Command::new(&self.rust);
                command.args(["--peer", name, "--seed", &round.to_string()]);
                command
            }
        };
        let line = shell::output(command.args([game, "--rounds", "1", "--seconds", &seconds.to_string()]))?;
        Ok(serde_json::from_str(&line)?)
    }
}

/// Builds a program of a workspace; where it is then.
fn build(manifest: &str, program: &str) -> anyhow::Result<PathBuf> {
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
    value.as_f64().with_context(|| format!("{value} is no number"))
}

/// We and a peer on a game.
struct Comparison {
    game: &'static str,
    peer: String,
    note: String,
    /// Playouts a second, round by round.
    ours: Vec<f64>,
    theirs: Vec<f64>,
    our_plies: f64,
    their_plies: f64,
}

impl Comparison {
    fn measure(
        programs: &Programs,
        game: &'static str,
        our_plies: f64,
        peer: Peer,
        args: &Args,
    ) -> anyhow::Result<Comparison> {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let mut first = Value::Null;
        for round in 0..args.rounds {
            ours.extend(programs.ours(&[game], 1, args.seconds, round)?.iter().map(|speed| speed.playouts_per_second));
            let told = programs.theirs(game, peer, args.seconds, round)?;
            theirs.push(number(&told["rollouts_per_second"])?);
            if round == 0 {
                first = told;
            }
        }
        let note = match peer {
            Peer::OpenSpiel(note) => note,
            Peer::Rust(_) => first["note"].as_str().unwrap_or(""),
        };
        Ok(Comparison {
            game,
            peer: first["peer"].as_str().context("a peer has no name")?.to_string(),
            note: note.to_string(),
            ours,
            theirs,
            our_plies,
            their_plies: number(&first["plies"])?,
        })
    }

    /// How many times faster we are, round by round.
    fn ratios(&self) -> Vec<f64> {
        self.ours.iter().zip(&self.theirs).map(|(ours, theirs)| ours / theirs).collect()
    }

    fn same_work(&self) -> bool {
        same_length(self.our_plies, self.their_plies)
    }

    /// How many times faster we play a move.
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
            "game": self.game,
            "peer": self.peer,
            "note": self.note,
            "playouts_per_second": self.ours,
            "peer_playouts_per_second": self.theirs,
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
            "game": self.game,
            "program": self.program,
            "playouts_per_second": ours,
            "published_per_second": self.per_second,
            "ratio": ours / self.per_second,
            "plies": our_plies,
            "published_plies": self.plies,
        })
    }
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let known: BTreeSet<&'static str> =
        PEERS.iter().map(|(game, _)| *game).chain(PUBLISHED.iter().map(|yardstick| yardstick.game)).collect();
    for game in &args.games {
        let all = known.iter().copied().collect::<Vec<_>>().join(" ");
        ensure!(known.contains(game.as_str()), "no peer for {game:?}; there are: {all}");
    }
    let wanted = |game: &str| args.games.is_empty() || args.games.iter().any(|named| named == game);
    let programs = Programs::prepare()?;
    let games: Vec<&str> = known.into_iter().filter(|game| wanted(game)).collect();
    let lengths = programs.lengths(&games)?;
    let mut comparisons = Vec::new();
    for (game, peer) in PEERS.into_iter().filter(|(game, _)| wanted(game)) {
        eprintln!("{game}: {}", if let Peer::Rust(name) = peer { name } else { "open_spiel" });
        comparisons.push(Comparison::measure(&programs, game, lengths[game], peer, args)?);
    }
    let mut published = Vec::new();
    for yardstick in PUBLISHED.iter().filter(|yardstick| wanted(yardstick.game)) {
        eprintln!("{}: {}", yardstick.game, yardstick.program);
        for speed in programs.ours(&[yardstick.game], args.rounds, args.seconds, 0)? {
            published.push((yardstick, speed.playouts_per_second, lengths[yardstick.game]));
        }
    }
    if args.json {
        let report = json!({
            "schema": 1,
            "rounds": args.rounds,
            "seconds": args.seconds,
            "peers": comparisons.iter().map(Comparison::json).collect::<Vec<_>>(),
            "published": published.iter().map(|(yardstick, ours, plies)| yardstick.json(*ours, *plies)).collect::<Vec<_>>(),
        });
        println!("{report:#}");
        return Ok(());
    }
    if !comparisons.is_empty() {
        println!("Random playouts a second from the start position, {} rounds in turns:", args.rounds);
        let head = ["game", "peer", "ours", "peer's", "ratio", "low .. high", "plies", "peer's", "ratio per ply"];
        println!("{}", table(head, comparisons.iter().map(Comparison::row)));
        for comparison in comparisons.iter().filter(|comparison| !comparison.note.is_empty()) {
            println!("{}, {}: {}", comparison.game, comparison.peer, comparison.note);
        }
        println!();
    }
    if !published.is_empty() {
        println!("Figures measured elsewhere and at another time, not re-run here: an order of magnitude, no more.");
        println!("Iterations are those of a tree search, a playout each; ours are playouts without a tree.");
        let head = ["game", "program, what", "ours now", "its, then", "ratio", "plies", "its", "ratio per ply"];
        println!("{}", table(head, published.iter().map(|(yardstick, ours, plies)| yardstick.row(*ours, *plies))));
        println!();
    }
    println!("* The mean lengths of games differ by more than {:.0} %: not the same work.", SAME_LENGTH * 100.0);
    Ok(())
}

/// A table whose columns after the second are numbers.
fn table<const N: usize>(head: [&str; N], rows: impl Iterator<Item = [String; N]>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header(head);
    table.add_rows(rows);
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// The middle one; of an even number the upper of the two in the middle.
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

/// A rate with its thousands apart.
fn grouped(rate: f64) -> String {
    let digits = format!("{rate:.0}");
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(grouped(0.0), "0");
        assert_eq!(grouped(999.6), "1,000");
        assert_eq!(grouped(1_234_567.0), "1,234,567");
        assert_eq!(times(1.046), "1.05");
        assert_eq!(times(123.4), "123");
    }

    #[test]
    fn a_comparison_is_the_median_of_its_rounds() {
        let comparison = Comparison {
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
}
