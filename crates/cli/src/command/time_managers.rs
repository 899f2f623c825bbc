//! `tesuji time-managers`: the list of time managers.

use crate::command::searches::describe_options;
use crate::output;
use crate::table::{Column, Table};
use clap::Args as ClapArgs;
use std::process::ExitCode;
use tesuji_core::time::{TimeManager, managers};

/// Arguments of `tesuji time-managers`.
#[derive(ClapArgs)]
#[command(
    after_help = "A time manager shares a clock among the moves of a game. It belongs to a player: SEARCH@time=MANAGER. Rules are \
                  combined by base=MANAGER, in brackets if it has several options. Without one, \"auto\" players have the \
                  manager auto and others have fixed. See docs/time-management.md.\n\nExamples:\n  tesuji time-managers\n  \
                  tesuji time-managers stop\n  \
                  tesuji match connect4 mcts@time=stop:f=5,p=0.9 mcts@time=exp-moves --clock 5s --games 100\n  \
                  tesuji match lion \"mcts@time=stop:f=5,p=0.2,base=[unst:f=0.5]\" mcts --clock 3s\n  \
                  tesuji gtp go:9 --player mcts:rave,reuse@time=stop"
)]
pub struct Args {
    /// Show only this manager, with a description of its options
    manager: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut entries = managers();
    if let Some(name) = &args.manager {
        TimeManager::check_name(name)?;
        entries.retain(|entry| entry.name == name);
    }
    match (entries.as_slice(), &args.manager) {
        _ if args.json => output::json(&entries)?,
        ([entry], Some(_)) => output::text(describe_options(entry.name, entry.summary, &entry.options))?,
        _ => {
            let mut table = Table::new([Column::left("name"), Column::left("manager"), Column::left("options")]);
            for entry in &entries {
                let options: Vec<&str> = entry.options.iter().map(|option| option.key).collect();
                table.row([entry.name, entry.summary, &options.join(", ")]);
            }
            output::text(table.to_string())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
