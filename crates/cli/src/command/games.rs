//! `tesuji games`: the list of games.

use crate::output;
use clap::Args as ClapArgs;
use comfy_table::Table;
use serde::Serialize;
use std::process::ExitCode;
use tesuji_catalog::GameEntry;

/// Arguments of `tesuji games`.
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  tesuji games\n  tesuji games hex\n  tesuji games --markdown\n  tesuji games --json"
)]
pub struct Args {
    /// Show only this game, with a description of its options
    game: Option<String>,
    /// Print a Markdown table
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    games: Vec<GameEntry>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut games = tesuji_catalog::games();
    if let Some(name) = &args.game {
        tesuji_catalog::open(name, "start")?;
        let name = name.split(':').next().unwrap_or("").to_string();
        games.retain(|entry| entry.info.name == name);
    }
    if args.json {
        output::json(&Report { games })?;
    } else if args.game.is_some() {
        for entry in &games {
            output::text(describe(entry))?;
        }
    } else {
        output::text(format!("{}\n", table(&games, args.markdown)))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn table(games: &[GameEntry], markdown: bool) -> Table {
    let mut table = output::lined(markdown);
    table.set_header(["name", "game", "default and options", "players", "solved"]);
    for entry in games {
        let options: Vec<String> = entry
            .options
            .iter()
            .map(|option| match (option.key, option.default.as_str()) {
                ("size", default) => format!("{default} ({})", option.accepted),
                (key, "off") => key.to_string(),
                (key, default) => format!("{key}={default}"),
            })
            .collect();
        let options = options.join(", ");
        let players = entry.facts.players.to_string();
        table.add_row([entry.info.name, entry.info.title, &options, &players, entry.info.solved]);
    }
    table
}

fn describe(entry: &GameEntry) -> String {
    let facts = &entry.facts;
    let mut text = format!("{} ({})\n", entry.info.title, entry.info.name);
    text += &format!("players: {} ({})\n", facts.players, entry.info.players[..usize::from(facts.players)].join(", "));
    text += &format!(
        "longest game: {} plies; scores from {} to {}\n",
        facts.length.plies(),
        facts.points(facts.scores.0),
        facts.points(facts.scores.1)
    );
    if !entry.info.solved.is_empty() {
        text += &format!("solved: {}\n", entry.info.solved);
    }
    for option in &entry.options {
        text +=
            &format!("  {}: {}; takes {}; default {}\n", option.key, option.meaning, option.accepted, option.default);
    }
    text
}
