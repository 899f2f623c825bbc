//! `tesuji serve`: the studio.

use crate::{output, stop};
use clap::Args as ClapArgs;
use std::net::{IpAddr, Ipv4Addr};
use std::process::{Command, ExitCode, Stdio};
use tesuji_web::{Server, Settings};

/// Arguments of `tesuji serve`.
#[derive(ClapArgs)]
#[command(
    after_help = "Prints the address to open in a browser, with the access token if one is required, and serves until \
                  Ctrl-C. `tesuji` without a command does the same. The protocol for other front ends is documented in \
                  docs/web-protocol.md.\n\nExamples:\n  tesuji serve --open\n  tesuji serve --port 8000 --programs\n  \
                  tesuji serve --host 0.0.0.0"
)]
pub struct Args {
    /// Port, 0 for any free one [default: 7878, or any free one if it is in use]
    #[arg(long, value_name = "P")]
    port: Option<u16>,
    /// Address to listen on; any other than loopback requires an access token
    #[arg(long, value_name = "H", default_value_t = LOOPBACK)]
    host: IpAddr,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
    /// Access token required to connect [default: random; none on loopback without --programs]
    #[arg(long, value_name = "T")]
    token: Option<String>,
    /// Allow external programs ("gtp:COMMAND LINE") as players; anyone with the access token can
    /// then run programs on this machine
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
    let stop = stop::flag_for(server.children())?;
    output::text(format!("Tesuji is at {} (press Ctrl-C to stop)\n", server.url()))?;
    if args.open {
        open(&server.url());
    }
    server.run(stop)?;
    Ok(ExitCode::SUCCESS)
}

/// Opens an address in a browser, if there is one.
fn open(url: &str) {
    let (program, words): (_, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let opened = Command::new(program).args(words).arg(url).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Err(error) = opened {
        eprintln!("cannot open a browser ({program}: {error})");
    }
}
