//! `tesuji`: the command line.

mod board;
mod command;
mod output;
mod progress;
mod prompt;
mod stop;
mod table;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::process::ExitCode;

/// Plays and solves board games with Monte-Carlo tree search and proof-number search.
#[derive(Parser)]
#[command(
    name = "tesuji",
    version,
    after_help = "Games are named by specs: NAME[:SIZE][,key=value][,switch], for example go:9,komi=6.5 or \
                  breakthrough:6x6.\n`tesuji games` lists them. Searches have specs of the same form, for example mcts:solver; `tesuji searches` \
                  lists them.\n\nExamples:\n  tesuji                  open the studio in a browser\n  tesuji play connect4 --opponent auto\n  tesuji think hex:7 --time 10s\n  \
                  tesuji solve hex:4 --proof p && tesuji verify p\n  tesuji show go:9 --position \"start moves D4 F6\"\n  tesuji perft loa 4\n  tesuji check hex:7"
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Start the studio, a web page to play, analyse and walk through proofs (the default command).
    Serve(command::serve::Args),
    /// List the games with their options, players and known results.
    Games(command::games::Args),
    /// List the searches with their options.
    Searches(command::searches::Args),
    /// List the time managers with their options.
    TimeManagers(command::time_managers::Args),
    /// Play in the terminal against a human, a search or a program, or watch a search play.
    Play(command::play::Args),
    /// Search a position and print the best move, the main line and a table of moves.
    Think(command::think::Args),
    /// Solve a position: the winner or the exact score, with a line of play.
    Solve(command::solve::Args),
    /// Solve Go problems: kill, live, capture, race or connect, with ko verdicts.
    Tsumego(command::tsumego::Args),
    /// Show which moves of the losing side change the result of a Go problem if ignored.
    Inversions(command::inversions::Args),
    /// Verify a proof with nothing but the rules of its game.
    Verify(command::verify::Args),
    /// Step through a proof: enter moves and see its replies.
    Walk(command::walk::Args),
    /// Play a match between searches, GTP and USI programs, and report Elo with confidence
    /// intervals; or compare searches for one player on the same boards.
    Match(command::matches::Args),
    /// Summarise a match from its log.
    Report(command::report::Args),
    /// Run an experiment from its plan and write its report.
    Experiment(command::experiment::Args),
    /// Run as a GTP engine (Go Text Protocol), for GoGui, Sabaki or HexGui.
    Gtp(command::gtp::Args),
    /// Run as a USI engine (Universal Shogi Interface).
    Usi(command::usi::Args),
    /// Show a position and its legal moves.
    Show(command::show::Args),
    /// Count the leaves of the game tree at a given depth.
    Perft(command::perft::Args),
    /// Check a game against the laws of the game interface and print a random game.
    Check(command::check::Args),
    /// Measure the speed of playouts, simulations, perft and solvers.
    Bench(command::bench::Args),
    /// Generate a set of positions with a forced win.
    Endings(command::endings::Args),
    /// Compare solvers on a set of positions.
    Compare(command::compare::Args),
    /// Learn transition probabilities, or tables of the expected moves, from self-play.
    Learn(command::learn::Args),
    /// Measure how dense and how difficult the shallow traps of a game are.
    Traps(command::traps::Args),
    /// Run as a worker: take searches and jobs on standard input, answer on standard output.
    Worker(command::worker::Args),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// The limits of a search if none is given, by command and option. They are not clap's defaults:
/// any other limit replaces them.
const DEFAULT_LIMITS: [(&str, &str, &str); 6] = [
    ("think", "time", "5s"),
    ("tsumego", "time", "10s"),
    ("play", "time", "2s"),
    ("match", "time", "1s"),
    ("gtp", "time", "5s"),
    ("compare", "nodes", "5000000"),
];

/// Returns the command line, with the default limits in the help of each command.
fn command_line() -> clap::Command {
    DEFAULT_LIMITS.iter().fold(Cli::command(), |cli, (command, option, default)| {
        cli.mut_subcommand(command, |command| {
            command.mut_arg(option, |arg| {
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                arg.help(format!("{help} [default: {default}, if there is no other limit]"))
            })
        })
    })
}

fn run() -> anyhow::Result<ExitCode> {
    let matches = command_line().get_matches();
    match Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()).command {
        None => command::serve::run(&command::serve::Args::default()),
        Some(Command::Serve(args)) => command::serve::run(&args),
        Some(Command::Games(args)) => command::games::run(&args),
        Some(Command::Searches(args)) => command::searches::run(&args),
        Some(Command::TimeManagers(args)) => command::time_managers::run(&args),
        Some(Command::Match(args)) => command::matches::run(&args),
        Some(Command::Report(args)) => command::report::run(&args),
        Some(Command::Experiment(args)) => command::experiment::run(&args),
        Some(Command::Gtp(args)) => command::gtp::run(&args),
        Some(Command::Usi(args)) => command::usi::run(&args),
        Some(Command::Show(args)) => command::show::run(&args),
        Some(Command::Perft(args)) => command::perft::run(&args),
        Some(Command::Check(args)) => command::check::run(&args),
        Some(Command::Bench(args)) => command::bench::run(&args),
        Some(Command::Endings(args)) => command::endings::run(&args),
        Some(Command::Compare(args)) => command::compare::run(&args),
        Some(Command::Learn(args)) => command::learn::run(&args),
        Some(Command::Traps(args)) => command::traps::run(&args),
        Some(Command::Think(args)) => command::think::run(&args),
        Some(Command::Solve(args)) => command::solve::run(&args),
        Some(Command::Tsumego(args)) => command::tsumego::run(&args),
        Some(Command::Inversions(args)) => command::inversions::run(&args),
        Some(Command::Verify(args)) => command::verify::run(&args),
        Some(Command::Walk(args)) => command::walk::run(&args),
        Some(Command::Worker(args)) => command::worker::run(&args),
        Some(Command::Play(args)) => command::play::run(&args),
        Some(Command::Completions { shell }) => {
            clap_complete::generate(shell, &mut command_line(), "tesuji", &mut std::io::stdout());
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Exit codes: 0 success or yes, 1 no, 2 error. A closed pipe is not an error.
fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_limits_are_in_the_help() {
        let mut cli = command_line();
        cli.build();
        for (command, option, default) in DEFAULT_LIMITS {
            let found = cli.find_subcommand(command).expect("the command exists");
            let help = found.get_arguments().find(|arg| arg.get_id() == option).and_then(|arg| arg.get_help());
            assert!(help.is_some_and(|help| help.to_string().contains(default)), "{command} --{option}");
        }
    }
}
