//! `tesuji searches`: the list of searches.

use crate::output;
use crate::table::{Column, Fields, Table, paragraph};
use clap::Args as ClapArgs;
use serde::Serialize;
use std::process::ExitCode;
use tesuji_catalog::{AUTO, AutoEntry, SearchEntry, auto_searches};
use tesuji_core::{OptionInfo, SpecError};

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
        if !known.contains(&name.as_str()) {
            return Err(SpecError::UnknownName { kind: "search", name: name.clone(), known: known.join(", ") }.into());
        }
        searches.retain(|entry| entry.info.name == name);
        if name != AUTO {
            entries.clear();
        }
    }
    if args.json {
        output::json(&Report { searches, auto: entries })?;
    } else if args.search.is_none() {
        let list = list(&searches);
        output::text(if args.markdown { list.markdown() } else { list.to_string() })?;
    } else if let [entry] = searches.as_slice() {
        output::text(describe(entry))?;
    } else {
        let mut table = Table::new([Column::left("game"), Column::left("auto")]);
        for entry in &entries {
            table.row([entry.game, entry.search]);
        }
        output::text(table.to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn list(searches: &[SearchEntry]) -> Table {
    let mut table = Table::new([Column::left("name"), Column::left("search"), Column::right("options")]);
    for entry in searches {
        let options = if entry.options.is_empty() { String::new() } else { entry.options.len().to_string() };
        table.row([entry.info.name, entry.info.summary, &options]);
    }
    table.row([AUTO, "the strongest known search of the game", ""]);
    table
}

fn describe(entry: &SearchEntry) -> String {
    describe_options(entry.info.name, entry.info.summary, &entry.options)
}

/// Formats a name with its summary and its options.
pub fn describe_options(name: &str, summary: &str, options: &[OptionInfo]) -> String {
    let text = paragraph(&format!("{name}: {summary}"));
    if options.is_empty() {
        return text + "No options.\n";
    }
    let mut fields = Fields::default();
    for option in options {
        let text = format!("{}\n  takes {}; default {}", option.meaning, option.accepted, option.default);
        fields.add(option.key, text);
    }
    text + &format!("\n{fields}")
}
