//! `cargo xtask strength`: plays matches against `open_spiel`'s tree search at equal time, on the
//! games that both have.
//!
//! Their `MCTSBot` plays through `xtask/peers/bot.py`, a GTP engine, and `tesuji match` is the
//! referee. Every match has a log in `target/strength`, so the same command resumes an interrupted
//! run.

use crate::peers::{build, grouped, table};
use crate::python::Python;
use crate::shell;
use anyhow::{Context, ensure};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Arguments of `cargo xtask strength`.
#[derive(clap::Args)]
#[command(
    after_help = "Plain mcts plays their search without its solver: both are UCT with C = sqrt 2, uniform playouts and one thread \
                  (xtask/peers/README.md lists the differences). Every other player plays it with its solver. Each opening is \
                  played twice with colours swapped.\n\n\
                  `tesuji report` reads the logs in target/strength; the same command resumes them, more --games \
                  extend them.\n\n\
                  Needs Python 3.9 or later with venv, and a package index for the first run.\n\n\
                  Examples:\n  cargo xtask strength\n  cargo xtask strength --game connect4 --game go:9 --time 1s --games 100\n  \
                  cargo xtask strength --player mcts:rave --player alphabeta --game hex:7 --concurrency 2"
)]
pub struct Args {
    /// A game; may be repeated [default: all shared games]
    #[arg(long = "game", value_name = "SPEC")]
    games: Vec<String>,
    /// A Tesuji player; may be repeated
    #[arg(long = "player", value_name = "SPEC", default_values = [LIKE_THEIRS, "auto"])]
    players: Vec<String>,
    /// Time per move
    #[arg(long, default_value = "100ms")]
    time: String,
    /// Games per match
    #[arg(long = "games", value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Number of games played concurrently
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
}

/// The games that `xtask/peers/peers.py` finds in open_spiel with our rules. In Lines of Action a
/// move that connects both sides wins there.
const GAMES: [&str; 10] = [
    "tictactoe",
    "connect4",
    "breakthrough:8x8",
    "othello",
    "hex:7",
    "hex:11",
    "gomoku:15,free",
    "loa:both=mover",
    "awari:rules=oware",
    "go:9",
];

/// Our search that does what theirs does.
const LIKE_THEIRS: &str = "mcts";

const LOGS: &str = "strength";

pub fn run(args: &Args) -> anyhow::Result<()> {
    let python = Python::prepare()?;
    let games: Vec<&str> =
        if args.games.is_empty() { GAMES.to_vec() } else { args.games.iter().map(String::as_str).collect() };
    for game in &games {
        // It reads its input to the end at once, and says if it does not have the game.
        shell::output(python.script("bot.py").args(["--game", game]).stdin(Stdio::null()))
            .with_context(|| format!("open_spiel cannot play {game:?}; the games are: {}", GAMES.join(" ")))?;
    }
    let ours = build("Cargo.toml", "tesuji")?;
    let logs = shell::target_directory("Cargo.toml")?.join(LOGS);
    std::fs::create_dir_all(&logs)?;
    let mut rows = Vec::new();
    for player in &args.players {
        for game in &games {
            eprintln!("{game}: {player}");
            rows.push(row(&play(&ours, &python, game, player, &logs, args)?)?);
        }
    }
    println!("Score against open_spiel's MCTSBot at {} per move, {} games each:", args.time, args.count);
    let head = ["game", "player", "score", "95 % CI", "Elo", "simulations/s", "s/move", "theirs", "faults"];
    println!("{}", table(head, rows.into_iter()));
    println!("The logs are in {}; tesuji report LOG shows details.", logs.display());
    Ok(())
}

/// Plays a match, or the rest of it, and returns the JSON of `tesuji match`.
fn play(ours: &Path, python: &Python, game: &str, player: &str, logs: &Path, args: &Args) -> anyhow::Result<Value> {
    let mut bot = python.script("bot.py");
    let solve = if player == LIKE_THEIRS { "--no-solve" } else { "--solve" };
    // GTP sends whole seconds only, so the time is also given here.
    bot.args(["--game", game, "--time", &args.time, solve]);
    let mut command = Command::new(ours);
    command.args(["match", game, player, &format!("gtp:{}", command_line(&bot))]);
    command.args(["--time", &args.time, "--games", &args.count.to_string(), "--json"]);
    command.args(["--concurrency", &args.concurrency.to_string()]);
    command.arg("--log").arg(log_file(logs, game, player, &args.time));
    let output = command.stderr(Stdio::inherit()).output().context("cannot start tesuji")?;
    // Exit code 1: a player failed in a game, which the table shows.
    ensure!(matches!(output.status.code(), Some(0 | 1)), "tesuji match failed: {}", output.status);
    let standings: Value = serde_json::from_slice(&output.stdout)?;
    ensure!(standings["games"] == standings["planned"], "the match was stopped; run the same command to resume");
    Ok(standings)
}

/// Returns the log of a match: each game, player and time has its own.
fn log_file(logs: &Path, game: &str, player: &str, time: &str) -> PathBuf {
    let name = format!("{game} {player} {time}");
    let name = name.replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.', "-");
    logs.join(format!("{name}.jsonl"))
}

/// Formats a command as one line that splits like a shell command.
fn command_line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| format!("'{}'", word.to_string_lossy().replace('\'', r"'\''"))).collect::<Vec<_>>().join(" ")
}

fn row(standings: &Value) -> anyhow::Result<[String; 9]> {
    let (ours, theirs) = (&standings["players"][0], &standings["players"][1]);
    let text = |value: &Value| value.as_str().map(str::to_string).with_context(|| format!("{value} is not a string"));
    let number = |value: &Value| value.as_f64().with_context(|| format!("{value} is not a number"));
    let percent = |value: &Value| number(value).map(|share| format!("{:.1}", share * 100.0));
    // Adding 0 turns -0 into 0. Infinite values are strings.
    let elo =
        |value: &Value| value.as_f64().map_or_else(|| text(value), |elo| Ok(format!("{:+.0}", elo.round() + 0.0)));
    let per_move = |player: &Value| number(&player["timing"]["per_move"]).map(|seconds| format!("{seconds:.3}"));
    let faults = |player: &Value| player["faults"].as_u64().with_context(|| format!("{player} is not a player"));
    Ok([
        text(&standings["match"]["game"])?,
        text(&ours["player"])?,
        format!("{} %", percent(&ours["rate"])?),
        format!("{} .. {}", percent(&ours["low"])?, percent(&ours["high"])?),
        format!("{} ({} .. {})", elo(&ours["elo"])?, elo(&ours["elo_low"])?, elo(&ours["elo_high"])?),
        // A search without playouts has no such rate.
        Some(number(&ours["timing"]["playouts_per_second"])?).filter(|rate| *rate > 0.0).map_or(String::new(), grouped),
        per_move(ours)?,
        per_move(theirs)?,
        match (faults(ours)?, faults(theirs)?) {
            (0, 0) => "0".to_string(),
            (ours, theirs) => format!("{ours} ours, {theirs} theirs"),
        },
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_row_shows_a_match_from_our_side() {
        let standing = |player: &str, rate: f64, elo: Value, faults: u64| {
            json!({
                "player": player, "rate": rate, "low": 0.839, "high": 1.0, "elo": elo, "elo_low": -0.2, "elo_high": elo,
                "faults": faults, "timing": { "per_move": 0.0504, "playouts_per_second": 1_234_567.8 },
            })
        };
        let standings = |theirs: u64| {
            let players = [standing("mcts", 1.0, json!("inf"), 0), standing("gtp:x", 0.0, json!(-3.0), theirs)];
            json!({ "match": { "game": "connect4" }, "players": players })
        };
        let expected =
            ["connect4", "mcts", "100.0 %", "83.9 .. 100.0", "inf (+0 .. inf)", "1,234,568", "0.050", "0.050", "0"];
        assert_eq!(row(&standings(0)).unwrap(), expected);
        assert_eq!(row(&standings(2)).unwrap()[8], "0 ours, 2 theirs");
        assert!(row(&json!({})).is_err());
    }

    #[test]
    fn every_match_has_its_own_log() {
        let name = |game, player| log_file(Path::new("logs"), game, player, "0.1s");
        assert_eq!(name("gomoku:15,free", "mcts"), Path::new("logs/gomoku-15-free-mcts-0.1s.jsonl"));
        assert_ne!(name("go:9", "mcts"), name("go:9", "mcts:rave"));
    }

    #[test]
    fn a_command_line_quotes_its_words() {
        let mut command = Command::new("a folder/python");
        command.args(["it's", "--game", "go:9"]);
        assert_eq!(command_line(&command), r"'a folder/python' 'it'\''s' '--game' 'go:9'");
    }
}
