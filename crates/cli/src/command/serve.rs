//! `tesuji serve`: the studio, a page to play, watch and prove.

use crate::{output, stop};
use clap::Args as ClapArgs;
use std::net::{IpAddr, Ipv4Addr};
use std::process::{Command, ExitCode, Stdio};
use tesuji_web::{Server, Settings};

/// Arguments of `tesuji serve`.
#[derive(ClapArgs)]
#[command(
    after_help = "It prints one line with the address to open in a browser, and serves until Ctrl-C. `tesuji` alone does the \
                        same. Other front ends can use its protocol, which docs/web-protocol.md tells.\n\nExamples:\n  tesuji serve --open\n  \
                        tesuji serve --port 8000 --programs\n  tesuji serve --host 0.0.0.0"
)]
pub struct Args {
    /// The port; 0 for any that is free [default: 7878, or any if that is taken]
    #[arg(long, value_name = "P")]
    port: Option<u16>,
    /// The address to listen at; with any other than loopback a token is needed to come in
    #[arg(long, value_name = "H", default_value_t = LOOPBACK)]
    host: IpAddr,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
    /// What everybody must know who comes in [default: none on loopback, else one that is drawn]
    #[arg(long, value_name = "T")]
    token: Option<String>,
    /// Let players be programs ("gtp:COMMAND LINE"), which anybody who comes in can then start on this machine
    #[arg(long)]
    programs: bool,
}

const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

impl Default for Args {
    fn default() -> Args {
        Args { port: None, host: LOOPBACK, open: false, token: None, programs: false }
    }
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let Args { port, host, token, programs, .. } = args;
    let settings =
        Settings { host: *host, port: *port, token: token.clone(), programs: *programs, ..Settings::default() };
    let server = Server::bind(settings)?;
    let stop = stop::flag()?;
    output::text(format!("Tesuji is at {} (Ctrl-C ends it)\n", server.url()))?;
    if args.open {
        open(&server.url());
    }
    server.run(stop)?;
    Ok(ExitCode::SUCCESS)
}

/// Shows an address in a browser; where that cannot be done the printed line must do.
fn open(url: &str) {
    let (program, words): (_, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let opened = Command::new(program).args(words).arg(url).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Err(error) = opened {
        eprintln!("no browser can be opened ({program}: {error})");
    }
}
