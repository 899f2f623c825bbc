//! `tesuji report`: the summary of a match.

use crate::command::board_report;
use crate::output;
use crate::table::{Column, FIXED_SPACE, Table, paragraph};
use anyhow::Context;
use clap::Args as ClapArgs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tesuji_arena::{
    Dispute, Match, Openings, PlayedGame, Standing, Standings, Tested, Verdict, check_log, read_log, time_profile,
};
use tesuji_catalog::replace_file;
use tesuji_core::Wdl;

/// Arguments of `tesuji report`.
#[derive(ClapArgs)]
#[command(
    after_help = "The log is that of `tesuji match --log`. A match on boards has mean scores and paired t-tests, any other \
                  match points and Elo.\n\nExamples:\n  tesuji report m.jsonl\n  tesuji report m.jsonl --check\n  tesuji report m.jsonl --json\n  \
                  tesuji report m.jsonl --sgf games/\n  tesuji report m.jsonl --time-profile 1 --out stop.profile"
)]
pub struct Args {
    /// Log of a match
    log: PathBuf,
    /// Replay every game with the rules and compare the results; an illegal move or a wrong result
    /// is an error that names its line
    #[arg(long)]
    check: bool,
    /// Write the games to this folder as SGF files (Go and Hex)
    #[arg(long, value_name = "FOLDER")]
    sgf: Option<PathBuf>,
    /// Write the mean milliseconds of each turn of a player, numbered from 1 in the order of the
    /// match, for the time manager distribution
    #[arg(long, value_name = "PLAYER", requires = "out", conflicts_with = "json")]
    time_profile: Option<usize>,
    /// Output file of --time-profile
    #[arg(long, value_name = "FILE", requires = "time_profile")]
    out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (head, games) = if args.check { check_log(&args.log)? } else { read_log(&args.log)? };
    let standings = Standings::of(&head, head.seats()?, &games);
    if let (Some(player), Some(path)) = (args.time_profile, &args.out) {
        write_time_profile(&head, &games, player, path)?;
    }
    if let Some(folder) = &args.sgf {
        write_sgf(&games, folder)?;
    }
    if args.json {
        output::json(&standings)?;
    } else {
        output::text(describe(&standings))?;
        if args.check {
            output::text(format!("checked: {} replayed\n", output::count(games.len() as u64, "game")))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the times of a player, numbered from 1, for the time manager `distribution`.
fn write_time_profile(head: &Match, games: &[PlayedGame], player: usize, path: &Path) -> anyhow::Result<()> {
    let spec = player.checked_sub(1).and_then(|player| head.players.get(player));
    let spec = spec.with_context(|| format!("there is no player {player}; it takes 1 to {}", head.players.len()))?;
    let profile = time_profile(games, player - 1).map_err(anyhow::Error::msg)?;
    anyhow::ensure!(!profile.is_empty(), "{spec} has made no move");
    let times: String = profile.iter().map(|time| format!("{time:.1}\n")).collect();
    let text = format!("# {}: milliseconds of each turn of {spec}, {} games\n{times}", head.game, games.len());
    replace_file(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes games to a folder as `NUMBER.sgf`.
pub fn write_sgf(games: &[PlayedGame], folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    for game in games {
        let path = folder.join(format!("{}.sgf", game.number));
        replace_file(&path, game.sgf()?).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Formats the summary of a match.
pub fn describe(standings: &Standings) -> String {
    if standings.head.openings == Openings::Boards {
        return board_report::describe(standings);
    }
    let Standings { head, games, planned, players, pairs, sprt, moves, faults, .. } = standings;
    let played = match planned.filter(|planned| planned != games) {
        Some(planned) => format!("{games} of {}", output::count(planned, "game")),
        None => output::count(*games, "game"),
    };
    let heading = format!("{}: {played}, {moves:.1} moves on average, {}", head.game, under(standings));
    let mut text = format!("{}\n{}\n", paragraph(&heading), standings_table(players));
    if players.len() > 2 && !standings.table.is_empty() {
        text += &format!("{}\n", cross_table(standings));
    }
    if standings.seats.len() > 2 {
        text += &format!("equal players would score {:.1} % each\n", 100.0 / standings.seats.len() as f64);
    }
    if let [first, second] = standings.seats.as_slice() {
        let share = first.share() * 100.0;
        let seats = format!("first seat {} ({share:.1} %), second seat {}", counts(first), counts(second));
        text += &paragraph(&seats);
    }
    if let Some(pairs) = pairs {
        let [none, half, one, more, all] = pairs.0;
        text += &format!("game pairs by points (0, ½, 1, 1½, 2): {none} {half} {one} {more} {all}\n");
    }
    if let Some(tested) = sprt {
        text += &test_text(tested);
    }
    for dispute in &standings.disputes {
        let Dispute { number, player, says, referee } = dispute;
        text += &paragraph(&format!(
            "game {number}: {player} reports {says}, the referee {referee}; check that both use the same rules"
        ));
    }
    for fault in faults {
        text += &paragraph(&format!("game {}: {} lost: it {}", fault.number, fault.player, fault.reason));
    }
    text
}

/// Formats the conditions of a match.
fn under(standings: &Standings) -> String {
    let head = &standings.head;
    let clock = head.clock.map(|clock| format!("clock={clock}"));
    let terms = Some(head.terms.to_string()).filter(|terms| !terms.is_empty());
    let parts: Vec<String> = [terms, clock].into_iter().flatten().collect();
    format!("{}, openings {}, seed {}", parts.join(","), String::from(head.openings.clone()), head.seed)
}

fn test_text(tested: &Tested) -> String {
    let Tested { test, pairs, ratio, bounds: (low, high), decision } = tested;
    let says = match decision {
        Verdict::One => format!("accepts {} Elo over {}", test.elo1, test.elo0),
        Verdict::Zero => format!("accepts {} Elo over {}", test.elo0, test.elo1),
        Verdict::Open => "undecided".to_string(),
    };
    let pairs = output::count(pairs.count(), "game pair");
    paragraph(&format!("SPRT after {pairs}: LLR {ratio:.2} ({low:.2}, {high:.2}): {says}"))
}

fn counts(record: &Wdl) -> String {
    format!("+{} ={} -{}", record.wins, record.draws, record.losses)
}

/// Formats the score of a player: `64.0 % (54.2-72.7), Elo +100 (+30..+170)`.
pub fn points(player: &Standing) -> String {
    let elo = elo(player).map_or(String::new(), |elo| format!(", Elo {elo}"));
    format!("{:.1} % ({:.1}-{:.1}){elo}", player.rate * 100.0, player.low * 100.0, player.high * 100.0)
}

fn elo(player: &Standing) -> Option<String> {
    let signed = |elo: f64| if elo.is_finite() { format!("{elo:+.0}") } else { format!("{elo:+}") };
    Some(format!("{} ({}..{})", signed(player.elo?), signed(player.elo_low?), signed(player.elo_high?)))
}

/// Returns the table of players, best first. Only a two-player game has Elo.
fn standings_table(players: &[Standing]) -> Table {
    let is_duel = players.iter().all(|player| player.elo.is_some());
    let mut ranked: Vec<&Standing> = players.iter().collect();
    ranked.sort_by(|one, other| other.rate.total_cmp(&one.rate));
    let results = ["won", "drawn", "lost", "score\u{a0}% (95\u{a0}%\u{a0}CI)"];
    let strength = [Column::right("Elo (95\u{a0}%\u{a0}CI)"), Column::right("P(stronger)").optional()];
    let rest = ["points", "s/move", "time used", "playouts/s"].map(|title| Column::right(title).optional());
    let names_and_results = [Column::left("player")].into_iter().chain(results.map(Column::right));
    let mut table = Table::new(names_and_results.chain(strength.into_iter().filter(|_| is_duel)).chain(rest));
    for player in ranked {
        let Standing { record, rate, low, high, spent, timing, .. } = player;
        let is_known = player.name == player.player;
        let name = if is_known { player.player.clone() } else { format!("{} ({})", player.player, player.name) };
        let results = [
            record.wins.to_string(),
            record.draws.to_string(),
            record.losses.to_string(),
            format!("{:.1}{FIXED_SPACE}% ({:.1}-{:.1})", rate * 100.0, low * 100.0, high * 100.0),
        ];
        let strength = [
            elo(player).unwrap_or_default(),
            player.superiority.map_or(String::new(), |likely| format!("{:.1}{FIXED_SPACE}%", likely * 100.0)),
        ];
        // A single game has no error.
        let error = player.score_error.map_or(String::new(), |error| format!("{FIXED_SPACE}±{FIXED_SPACE}{error:.2}"));
        let rest = [
            player.score.map_or(String::new(), |mean| format!("{mean:.2}{error}")),
            format!("{:.3}", timing.per_move),
            timing.used.map_or(String::new(), |used| format!("{:.0}{FIXED_SPACE}%", used * 100.0)),
            if spent.playouts == 0 { String::new() } else { output::grouped(timing.playouts_per_second as u64) },
        ];
        table.row([name].into_iter().chain(results).chain(strength.into_iter().filter(|_| is_duel)).chain(rest));
    }
    table
}

/// Returns the cross table.
fn cross_table(standings: &Standings) -> Table {
    let names = || standings.players.iter().map(|player| player.player.clone());
    let mut table = Table::new([Column::left("against")].into_iter().chain(names().map(Column::right)));
    for (name, row) in names().zip(&standings.table) {
        let cells = row.iter().map(|record| if record.games() == 0 { String::new() } else { counts(record) });
        table.row([name].into_iter().chain(cells));
    }
    table
}
