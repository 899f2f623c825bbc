//! `tesuji worker`: a worker of a cluster.

use clap::Args as ClapArgs;
use std::io::{BufReader, stdin, stdout};
use std::process::ExitCode;

/// Arguments of `tesuji worker`.
#[derive(ClapArgs)]
#[command(
    after_help = "A master starts its workers itself: tesuji solve hex:5 --by \"cluster:[dfpn]\" --workers 2, or --workers \"ssh HOST \
                  tesuji worker\". A worker ends with its input. See docs/cluster.md for the messages."
)]
pub struct Args {}

pub fn run(_: &Args) -> anyhow::Result<ExitCode> {
    tesuji_cluster::serve(BufReader::new(stdin()), stdout())?;
    Ok(ExitCode::SUCCESS)
}
