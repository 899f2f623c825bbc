//! `tesuji searches`: the list of searches.

use crate::output;
use clap::Args as ClapArgs;
use comfy_table::{Table, presets};
use serde::Serialize;
use std::process::ExitCode;
use tesuji_catalog::{AUTO, AutoEntry, SearchEntry, auto_searches};

/// Arguments of `tesuji searches`.
#[derive(ClapArgs)]
#[command(
    after_help = "A search is named by a spec: NAME[:key=value][,switch]. \"auto\" stands for the strongest known search of a \
                  game.\n\nExamples:\n  tesuji searches\n  tesuji searches alphabeta\n  tesuji searches auto\n  \
                  tesuji searches --json"
)]
pub struct Args {
    /// Show only this search, with a description of its options
    search: Option<String>,
    /// Print a Markdown table
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    searches: Vec<SearchEntry>,
    auto: Vec<AutoEntry>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut searches = tesuji_catalog::searches();
    let mut entries = auto_searches();
    if let Some(name) = &args.search {
        let known: Vec<&str> = searches.iter().map(|entry| entry.info.name).chain([AUTO]).collect();
        anyhow::ensure!(
            known.contains(&name.as_str()),
            "unknown search {name:?}; expected one of {}",
            known.join(", ")
        );
        searches.retain(|entry| entry.info.name == name);
        if name != AUTO {
            entries.clear();
        }
    }
    if args.json {
        output::json(&Report { searches, auto: entries })?;
    } else if args.search.is_none() {
        output::text(format!("{}\n", list(&searches, args.markdown)))?;
    } else if let [entry] = searches.as_slice() {
        output::text(describe(entry))?;
    } else {
        let mut table = output::lined(false);
        table.set_header(["game", "auto"]);
        for entry in &entries {
            table.add_row([entry.game, entry.search]);
        }
        output::text(format!("{table}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn list(searches: &[SearchEntry], markdown: bool) -> Table {
    let mut table = output::lined(markdown);
    table.set_header(["name", "search", "options"]);
    for entry in searches {
        let options = if entry.options.is_empty() { String::new() } else { entry.options.len().to_string() };
        table.add_row([entry.info.name, entry.info.summary, &options]);
    }
    table.add_row([AUTO, "the strongest known search of the game", ""]);
    table
}

fn describe(entry: &SearchEntry) -> String {
    let mut text = format!("{}: {}\n", entry.info.name, entry.info.summary);
    if entry.options.is_empty() {
        return text + "No options.\n";
    }
    let mut table = output::fitted(presets::NOTHING);
    for option in &entry.options {
        let text = format!("{}\n  takes {}; default {}", option.meaning, option.accepted, option.default);
        table.add_row([option.key, &text]);
    }
    text += &format!("{}\n", table.trim_fmt());
    text
}
