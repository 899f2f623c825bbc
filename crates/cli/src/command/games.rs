//! `tesuji games`: the list of games, and a page for each.

use crate::output;
use crate::table::{Column, Fields, Table, prose};
use clap::Args as ClapArgs;
use serde::Serialize;
use std::process::ExitCode;
use tesuji_catalog::{AUTO, GameEntry, Session, auto_searches};
use tesuji_core::{Length, Player};

/// Arguments of `tesuji games`.
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  tesuji games\n  tesuji games hex\n  tesuji games rolit:6,players=2\n  tesuji games --markdown\n  \
                  tesuji games --json"
)]
pub struct Args {
    /// Show only this game: its goal, its rules and its options
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

/// The number of moves that the page of a game lists as examples.
const EXAMPLES: usize = 4;

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut games = tesuji_catalog::games();
    let session = args.game.as_ref().map(|spec| tesuji_catalog::open(spec, "start")).transpose()?;
    if let Some(session) = &session {
        games.retain(|entry| entry.info.name == session.info().name);
    }
    if args.json {
        output::json(&Report { games })?;
    } else if let Some(session) = session {
        for entry in &games {
            output::text(page(entry, session.as_ref()))?;
        }
    } else {
        let table = table(&games);
        output::text(if args.markdown { table.markdown() } else { table.to_string() })?;
    }
    Ok(ExitCode::SUCCESS)
}

fn table(games: &[GameEntry]) -> Table {
    let mut table = Table::new([
        Column::left("name"),
        Column::left("game"),
        Column::left("default and options"),
        Column::right("players"),
        Column::left("solved"),
    ]);
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
        table.row([entry.info.name, entry.info.title, &options, &players, entry.info.solved]);
    }
    table
}

/// Formats the page of a game: goal, rules, properties and options.
fn page(entry: &GameEntry, session: &dyn Session) -> String {
    let info = &entry.info;
    let mut text = format!("{} ({})\n\n", info.title, info.name);
    text += &prose(info.goal);
    text += &format!("\nRULES\n\n{}", prose(info.rules));
    text += &format!("\nGAME\n\n{}", properties(entry, session).as_prose());
    if !entry.options.is_empty() {
        text += &format!("\nOPTIONS\n\n{}", options(entry).as_prose());
    }
    let opponent = if session.facts().players > 1 { format!(" --opponent {AUTO}") } else { String::new() };
    text + &format!("\nPlay it with: tesuji play {}{opponent}\n", session.spec())
}

/// Returns the properties of a game under the rules of the session.
fn properties(entry: &GameEntry, session: &dyn Session) -> Fields {
    let facts = session.facts();
    let names: Vec<&str> = (0..facts.players).map(|seat| session.player_name(Player(seat))).collect();
    let length = match facts.length {
        Length::Bounded(plies) => format!("at most {}", output::plies(u64::from(plies))),
        Length::Capped(plies) => format!("stopped after {}", output::plies(u64::from(plies))),
    };
    let moves = session.legal_moves();
    let more = if moves.len() > EXAMPLES { ", ..." } else { "" };
    let moves = format!("{} at the start: {}{more}", moves.len(), moves[..moves.len().min(EXAMPLES)].join(", "));
    let mut fields = Fields::default();
    fields.add("players", format!("{}: {}", names.len(), names.join(", ")));
    fields.add("length", length);
    fields.add("scores", format!("from {} to {}", facts.points(facts.scores.0), facts.points(facts.scores.1)));
    fields.add("moves", moves);
    if let Some(auto) = auto_searches().into_iter().find(|auto| auto.game == entry.info.name) {
        fields.add(AUTO, format!("{} plays, {} solves", auto.search, auto.solver));
    }
    if !entry.info.solved.is_empty() {
        fields.add("solved", entry.info.solved);
    }
    fields
}

fn options(entry: &GameEntry) -> Fields {
    let mut fields = Fields::default();
    for option in &entry.options {
        let text = format!("{}\n  takes {}; default {}", option.meaning, option.accepted, option.default);
        fields.add(option.key, text);
    }
    fields
}
