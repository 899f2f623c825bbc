//! `tesuji match`: a match between players.

use crate::command::board_report;
use crate::command::limits::Limits;
use crate::command::ranges::{count, whole};
use crate::command::report;
use crate::command::workers::Workers;
use crate::progress::counting_bar;
use crate::{output, stop};
use anyhow::Context;
use clap::Args as ClapArgs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use tesuji_arena::{ClockTerms, Match, Openings, Sprt, Standing, Standings, Verdict};
use tesuji_core::quoted;
use tesuji_gtp::{Children, PlayerSpec, Terms};

/// Arguments of `tesuji match`.
#[derive(ClapArgs)]
#[command(
    after_help = "Players are searches (`tesuji searches`), \"gtp:COMMAND LINE\" or \"usi:COMMAND LINE\". Limits of a single player \
                  follow it after @: mcts@time=2s, mcts@playouts=5000,threads=2.\n\nGames are played in pairs with the same \
                  opening and swapped seats. More than two players play a round robin; in games for more than two they take \
                  the seats in every order. A player that crashes, does not answer, violates the protocol, plays an illegal \
                  move or exceeds its clock loses the game, and the match continues; a time limit per move has a tolerance of \
                  5 s. With a log, the same command resumes after Ctrl-C or a kill, and a larger --games extends the match. A \
                  second Ctrl-C exits at once.\n\nPlayers of a game for one player are compared on the same boards (--boards N). \
                  The limits are those of a whole board: one search from the start position, whose best complete line is \
                  the result. A search that reports no complete line (random, flat) is asked for every move, with an equal \
                  share of the limits. Board k is the game with seed=k, from the seed of the spec on, or board number=k \
                  of board=FILE; a game without boards is repeated from its start position with other random numbers. The \
                  report has the mean score, and the paired differences with their t-test.\n\nExit code 0: finished (with --sprt: the second hypothesis is accepted); 1: the \
                  first hypothesis is accepted or the test is undecided, a player failed, or the match was stopped; 2: an \
                  error.\n\nExamples:\n  tesuji match loa mcts:pn=1 mcts --playouts 1000 --games 100\n  \
                  tesuji match go:9 mcts:rave \"gtp:gnugo --mode gtp --level 10 --chinese-rules --capture-all-dead\" --time 1s --games 20\n  \
                  tesuji match connect4 mcts:select=ucb1tuned mcts --playouts 1000 --sprt 0,50 --log m.jsonl && tesuji report m.jsonl\n  \
                  tesuji match rolit:6,players=3 mcts mcts:select=ucb1tuned --playouts 500 --games 30\n  \
                  tesuji match samegame:15,colours=5 mcts nmcs nrpa --boards 100 --time 1s --log b.jsonl"
)]
pub struct Args {
    /// Game
    game: String,
    /// Players
    #[arg(required = true, value_name = "PLAYER")]
    players: Vec<PlayerSpec>,
    /// Games per pairing [default: 100]
    #[arg(long, value_parser = count, allow_hyphen_values = true)]
    games: Option<u64>,
    /// Boards on which the players of a game for one player are compared; limits are per board
    #[arg(long, value_parser = count, allow_hyphen_values = true, conflicts_with_all = ["games", "openings", "sprt", "clock"])]
    boards: Option<u64>,
    /// Stop by a sequential probability ratio test on game pairs between two Elo differences, for
    /// example 0,20 (alpha = beta = 5 %)
    #[arg(long, value_name = "ELO0,ELO1", value_parser = read_sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Clock per player and game, for example 30s or 30s+1s; with 30s,searches programs have none
    #[arg(long, conflicts_with = "time")]
    clock: Option<ClockTerms>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    workers: Workers,
    /// Openings: random:N for N random moves, or a file with one position per line
    #[arg(long, value_name = "random:N|FILE", default_value = "random:2")]
    openings: String,
    /// Games played in parallel
    #[arg(long, default_value_t = 1, value_parser = whole::<u16>(1..=1024), allow_hyphen_values = true)]
    concurrency: u16,
    /// Log of games, one JSON object per line; resumes a stopped match
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The default number of games per pairing.
const GAMES: u64 = 100;

/// The default time per move, in seconds.
const TIME: f64 = 1.0;

/// The error probabilities of the sequential test, alpha and beta.
const ERRORS: f64 = 0.05;

fn read_sprt(text: &str) -> anyhow::Result<Sprt> {
    let (elo0, elo1) = text
        .split_once(',')
        .with_context(|| format!("invalid hypotheses {text}; expected ELO0,ELO1", text = quoted(text)))?;
    let number = |text: &str| {
        text.trim().parse::<f64>().with_context(|| format!("invalid Elo difference {text}", text = quoted(text)))
    };
    Ok(Sprt { elo0: number(elo0)?, elo1: number(elo1)?, alpha: ERRORS, beta: ERRORS })
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let plan = plan(args);
    let bar = counting_bar(plan.games, "games")?;
    bar.set_message("starting the players");
    let children = Children::default();
    args.workers.register(&children)?;
    let stop = stop::flag_for(&children)?;
    let begun = std::sync::Once::new();
    let standings = plan.play(args.log.as_deref(), usize::from(args.concurrency), &children, stop, &|standings| {
        bar.set_position(standings.games);
        begun.call_once(|| {
            // Games from the log took no time and must not count for the estimate.
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
                Some(_) => "run the same command to resume",
                None => "add --log FILE to be able to resume",
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
        openings: args.boards.map_or_else(|| Openings::from(args.openings.clone()), |_| Openings::Boards),
        seed,
        games: args.boards.or(args.games).or(args.sprt.is_none().then_some(GAMES)),
        sprt: args.sprt,
    }
}

/// Formats the current standings: the first of two players, or the leader of more; on boards the
/// leader.
fn live(standings: &Standings) -> String {
    let players = &standings.players;
    if standings.head.openings == Openings::Boards {
        let mean = |player: &Standing| player.score.unwrap_or(f64::NEG_INFINITY);
        let leader = players.iter().max_by(|one, other| mean(one).total_cmp(&mean(other)));
        return leader.map_or(String::new(), |player| format!("{} {}", player.player, board_report::score(player)));
    }
    let shown = if players.len() == 2 {
        players.first()
    } else {
        players.iter().max_by(|one, other| one.rate.total_cmp(&other.rate))
    };
    let tested = standings.sprt.map_or(String::new(), |tested| {
        format!(", LLR {:.2} ({:.2}, {:.2})", tested.ratio, tested.bounds.0, tested.bounds.1)
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
