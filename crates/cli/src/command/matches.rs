//! `tesuji match`: players against each other, many times.

use crate::command::limits::{Limits, counting_bar};
use crate::command::report;
use crate::{output, stop};
use anyhow::Context;
use clap::Args as ClapArgs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use tesuji_arena::{ClockTerms, Entrant, Match, Openings, Sprt, Standings, Terms, Verdict};

/// Arguments of `tesuji match`.
#[derive(ClapArgs)]
#[command(
    after_help = "Players are searches (`tesuji searches`), \"gtp:COMMAND LINE\" or \"usi:COMMAND LINE\". Terms of its own follow a player behind @: mcts@time=2s, \
                  mcts@playouts=5000,threads=2.\n\nTwo games in a row begin with the same opening, the players having changed seats. More than two players meet in all \
                  pairings; in games for more than two they take the seats in every order. Who crashes, falls silent, breaks the protocol, plays what is not \
                  allowed or overruns its clock has lost that game, and the match goes on; a limit of time for each move may be exceeded by 5 s. A log makes the \
                  same command go on where it was stopped, by Ctrl-C or a kill; more --games continue it. A second Ctrl-C \
                  ends it at once.\n\nExit code 0: played (and with --sprt the second hypothesis is accepted); 1: the first hypothesis is accepted or the test not \
                  decided, a player failed, or it was stopped; 2: an error.\n\nExamples:\n  \
                  tesuji match loa mcts:pn=1 mcts --playouts 1000 --games 100\n  \
                  tesuji match go:9 mcts:rave \"gtp:gnugo --mode gtp --level 10 --chinese-rules --capture-all-dead\" --time 1s --games 20\n  \
                  tesuji match connect4 mcts:select=ucb1tuned mcts --playouts 1000 --sprt 0,50 --log m.jsonl && tesuji report m.jsonl\n  \
                  tesuji match rolit:6,players=3 mcts mcts:select=ucb1tuned --playouts 500 --games 30"
)]
pub struct Args {
    /// The game
    game: String,
    /// The players
    #[arg(required = true, value_name = "PLAYER")]
    players: Vec<Entrant>,
    /// The games of every pairing
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Play until a sequential test of pairs of games decides between two differences in Elo, such as 0,20 (errors of 5 % each)
    #[arg(long, value_name = "ELO0,ELO1", value_parser = read_sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// The clock of each player for a whole game, such as 30s or 30s+1s
    #[arg(long, conflicts_with = "time")]
    clock: Option<ClockTerms>,
    /// What each player may use for each move.
    #[command(flatten)]
    limits: Limits,
    /// How games begin: random:N, or a file with a position in each line
    #[arg(long, value_name = "random:N|FILE", default_value = "random:2")]
    openings: String,
    /// Games played at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Where every game is kept, one JSON object in a line
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The games of every pairing when nothing is said.
const GAMES: u64 = 100;

/// The time for a move when nothing is said.
const TIME: f64 = 1.0;

/// How often a test may err, on either side.
const ERRORS: f64 = 0.05;

fn read_sprt(text: &str) -> anyhow::Result<Sprt> {
    let (elo0, elo1) = text.split_once(',').with_context(|| format!("{text:?} is not of the form ELO0,ELO1"))?;
    let number = |text: &str| text.trim().parse::<f64>().with_context(|| format!("{text:?} is no difference in Elo"));
    Ok(Sprt { elo0: number(elo0)?, elo1: number(elo1)?, alpha: ERRORS, beta: ERRORS })
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let plan = plan(args);
    let shown = match plan.games {
        Some(_) => "{bar:30} {pos} of {len}, {msg}, {left}",
        None => "{spinner} {pos} games, {msg}, {elapsed}",
    };
    let bar = counting_bar(plan.games.unwrap_or(0), shown)?;
    bar.set_message("the players come in");
    let stop = stop::flag()?;
    let begun = std::sync::Once::new();
    let standings = plan.play(args.log.as_deref(), usize::from(args.concurrency), stop, &|standings| {
        bar.set_position(standings.games);
        begun.call_once(|| {
            // What the log knows took no time, and must not look as if.
            bar.set_length(standings.planned.unwrap_or(0));
            bar.reset_eta();
        });
        bar.set_message(live(standings));
        ControlFlow::Continue(())
    })?;
    bar.finish_and_clear();
    if args.json {
        output::json(&standings)?;
    } else {
        output::text(report::describe(&standings))?;
        if is_stopped(&standings) {
            let how = match &args.log {
                Some(_) => "the same command goes on with it",
                None => "with --log FILE it could go on",
            };
            output::text(format!("stopped; {how}\n"))?;
        }
    }
    Ok(code(&standings))
}

fn plan(args: &Args) -> Match {
    let (seed, threads, limits) = args.limits.endless();
    let is_limited =
        limits.time.is_some() || limits.playouts.is_some() || limits.nodes.is_some() || args.clock.is_some();
    Match {
        game: args.game.clone(),
        players: args.players.clone(),
        terms: Terms {
            time_seconds: limits.time.map(|time| time.as_secs_f64()).or((!is_limited).then_some(TIME)),
            playouts: limits.playouts,
            nodes: limits.nodes,
            memory_bytes: limits.memory,
            threads: (threads > 1).then_some(threads),
        },
        clock: args.clock,
        openings: Openings::from(args.openings.clone()),
        seed,
        games: args.games.or(args.sprt.is_none().then_some(GAMES)),
        sprt: args.sprt,
    }
}

/// The standings while the match goes on: of two players the first, of more the one that leads.
fn live(standings: &Standings) -> String {
    let players = &standings.players;
    let shown = if players.len() == 2 {
        players.first()
    } else {
        players.iter().max_by(|one, other| one.rate.total_cmp(&other.rate))
    };
    let tested = standings.sprt.map_or(String::new(), |tested| {
        format!(", test {:.2} of {:.2} .. {:.2}", tested.ratio, tested.bounds.0, tested.bounds.1)
    });
    shown.map_or(String::new(), |player| format!("{} {}{tested}", player.player, report::points(player)))
}

fn is_stopped(standings: &Standings) -> bool {
    let is_decided = standings.sprt.is_some_and(|tested| tested.decision != Verdict::Open);
    !is_decided && standings.planned.is_none_or(|planned| standings.games < planned)
}

fn code(standings: &Standings) -> ExitCode {
    let refused = standings.sprt.is_some_and(|tested| tested.decision != Verdict::One);
    let failed = refused || is_stopped(standings) || !standings.faults.is_empty();
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
