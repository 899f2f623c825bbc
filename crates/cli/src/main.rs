//! `tesuji`: the command line.

mod command;
mod output;
mod stop;

use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

/// Plays and proves games.
#[derive(Parser)]
#[command(
    name = "tesuji",
    version,
    after_help = "Games are named by specs: NAME[:SIZE][,key=value][,switch], for example go:9,komi=6.5 or \
                  breakthrough:6x6.\n`tesuji games` lists them. Searches are named alike, for example mcts:solver; `tesuji searches` \
                  lists them.\n\nExamples:\n  tesuji                  the studio, in a browser\n  tesuji play connect4 --opponent auto\n  tesuji think hex:7 --time 10s\n  \
                  tesuji solve hex:4 --proof p && tesuji verify p\n  tesuji show go:9 --position \"start moves D4 F6\"\n  tesuji perft loa 4\n  tesuji check hex:7"
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Open the studio: a page to play, watch engines think and walk through proofs. The same as no command at all.
    Serve(command::serve::Args),
    /// List the games: names, options, players, what is solved.
    Games(command::games::Args),
    /// List the searches: names, what they are, their options.
    Searches(command::searches::Args),
    /// Play in the terminal, against a person or a search; or look on.
    Play(command::play::Args),
    /// Search a position: the best move, the line it expects, and what is known of each move.
    Think(command::think::Args),
    /// Solve a position: who wins, or the exact score, and how.
    Solve(command::solve::Args),
    /// Check a proof with nothing but the rules of its game.
    Verify(command::verify::Args),
    /// Step through a proof: your moves, and its answers.
    Walk(command::walk::Args),
    /// Let players meet many times: searches, GTP and USI programs; who is stronger, and how sure that is.
    Match(command::matches::Args),
    /// Tell a match from its log.
    Report(command::report::Args),
    /// Run an experiment from its plan, and write its report.
    Experiment(command::experiment::Args),
    /// Be an engine for programs that speak GTP, the Go Text Protocol: GoGui, Sabaki, HexGui.
    Gtp(command::gtp::Args),
    /// Be an engine for programs that speak USI, the Universal Shogi Interface.
    Usi(command::usi::Args),
    /// Draw a position and list its moves.
    Show(command::show::Args),
    /// Count the games of a given length: the check of rules that all programs share.
    Perft(command::perft::Args),
    /// Check a game against the laws of the game interface, and write out a random game.
    Check(command::check::Args),
    /// Measure playouts, simulations, perft positions and nodes of solvers per second.
    Bench(command::bench::Args),
    /// Make a set of positions that are won by a forced line.
    Endings(command::endings::Args),
    /// Compare solvers on a set of positions: how many they solve, at what cost, and whether they agree.
    Compare(command::compare::Args),
    /// Learn transition probabilities from games of a player against itself.
    Learn(command::learn::Args),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

fn run() -> anyhow::Result<ExitCode> {
    match Cli::parse().command {
        None => command::serve::run(&command::serve::Args::default()),
        Some(Command::Serve(args)) => command::serve::run(&args),
        Some(Command::Games(args)) => command::games::run(&args),
        Some(Command::Searches(args)) => command::searches::run(&args),
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
        Some(Command::Think(args)) => command::think::run(&args),
        Some(Command::Solve(args)) => command::solve::run(&args),
        Some(Command::Verify(args)) => command::verify::run(&args),
        Some(Command::Walk(args)) => command::walk::run(&args),
        Some(Command::Play(args)) => command::play::run(&args),
        Some(Command::Completions { shell }) => {
            clap_complete::generate(shell, &mut Cli::command(), "tesuji", &mut std::io::stdout());
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// 0 is done or yes, 1 is no, 2 is an error; a reader that has seen enough is no error.
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
