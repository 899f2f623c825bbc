//! Every search against minimax on thousands of small positions: claims are true, variations of
//! solved positions lead to the claimed result, and solvers solve most positions.

use libtest_mimic::{Failed, Trial};
use tesuji_core::{Capabilities, Limits};
use tesuji_suites::agreement::{Contender, Sample, Tally, on_late_positions, random_graph};
use tesuji_suites::data;

/// A search other than a solver that proves results, and the smallest share of positions it must
/// solve: slightly less than measured on the hardest game, small Connect-4 or two-player Rolit.
struct Prover {
    player: &'static str,
    /// The share in zero-sum and one-player games.
    share: f64,
    /// The share in games where each player has points of its own.
    own_points: f64,
}

const fn prover(player: &'static str, share: f64, own_points: f64) -> Prover {
    Prover { player, share, own_points }
}

const PROVERS: [Prover; 8] = [
    prover("minimax", 1.0, 1.0),
    prover("minimax:result", 1.0, 1.0),
    prover("alphabeta", 1.0, 1.0),
    prover("mcts:solver", 0.6, 0.2),
    prover("mcts:solver,lookahead,threshold=5", 0.6, 0.2),
    prover("mcts:backup=paranoid,solver,reward=score,final=value", 0.6, 1.0),
    prover("mcts:pn=1,solver", 0.7, 0.2),
    // Proof numbers for a win alone do not distinguish draws from losses.
    prover("mcts:pn=1,pn-skip,pn-final,pn-draws,pn-form=dense,reuse", 0.1, 0.0),
];

/// The number of late positions of each game.
const POSITIONS: u32 = 50;
/// The number of random graphs.
const GRAPHS: u32 = 600;
/// The other searches run on one of this many positions.
const LESS: u32 = 4;
/// The node limit of minimax. Raising it gives earlier positions.
const NODES: u64 = 8_000;
/// The memory limit of a search, enough for these limits.
const MEMORY: usize = 16 << 20;

/// Returns the searches that must solve positions: every solver and every prover. Parallel solvers
/// also run with four threads.
fn solvers() -> Vec<Contender> {
    let limits = Limits { playouts: Some(20_000), nodes: Some(200_000), memory: Some(MEMORY), time: None };
    // A solver is limited by its nodes, whether or not it makes playouts.
    let contender = |player: String, threads: usize| {
        let playouts = limits.playouts.filter(|_| !can(&player).solves);
        Contender { player, limits: Limits { playouts, ..limits }, threads }
    };
    let provers = PROVERS.iter().map(|prover| prover.player.to_string());
    let alone = data::solvers().into_iter().chain(provers).map(|player| contender(player, 1));
    let parallel = data::solvers().into_iter().filter(|player| is_default(player) && can(player).parallel);
    alone.chain(parallel.map(|player| contender(player, 4))).collect()
}

/// Returns whether a spec has no options.
fn is_default(player: &str) -> bool {
    !player.contains(':')
}

fn can(player: &str) -> Capabilities {
    tesuji_search::capabilities(&player.parse().expect("a spec")).expect("a search of the list")
}

/// Returns all other searches, whose claims must be true.
fn others() -> Vec<Contender> {
    let limits = Limits { playouts: Some(200), nodes: Some(1_000), memory: Some(MEMORY), time: None };
    let solvers = solvers();
    let must_solve = |player: &String| solvers.iter().any(|solver| solver.player == *player);
    let players = data::searches().into_iter().filter(|player| !must_solve(player));
    players.map(|player| Contender { player, limits, threads: 1 }).collect()
}

/// Fails on a wrong claim, a solver that leaves a position unsolved, or a prover below its share.
fn judge(tallies: &[Tally], must_solve: bool, own_points: bool) -> Result<(), Failed> {
    let fails = |tally: &&Tally| {
        let prover = PROVERS.iter().find(|prover| prover.player == tally.player);
        let required = prover.map_or(1.0, |prover| if own_points { prover.own_points } else { prover.share });
        let share = if must_solve { required } else { 0.0 };
        let few = f64::from(tally.solved) < share * f64::from(tally.positions);
        tally.error.is_some() || few
    };
    let failures: Vec<String> = tallies.iter().filter(fails).map(Tally::to_string).collect();
    if failures.is_empty() { Ok(()) } else { Err(Failed::from(failures.join("\n"))) }
}

/// Returns whether each player has points of its own, so that a proof about one player says little
/// about the others.
fn has_own_points(game: &str) -> bool {
    let facts = tesuji_catalog::open(game, "start").expect("a game of the list").facts();
    facts.players > 1 && !facts.sign_is_result()
}

fn on_graphs(graphs: u32, contenders: &[Contender], must_solve: bool) -> Result<(), Failed> {
    let mut sums: Vec<Tally> = Vec::new();
    for seed in 0..u64::from(graphs) {
        let sample = Sample { positions: 2, nodes: 10 * NODES, seed };
        let tallies = on_late_positions(&random_graph(seed), &sample, contenders, &mut |_| ())?;
        if sums.is_empty() {
            sums = tallies;
        } else {
            sums.iter_mut().zip(tallies).for_each(|(sum, tally)| sum.add(tally));
        }
    }
    judge(&sums, must_solve, false)
}

/// Returns the tests of this suite.
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("solvers on random graphs", || on_graphs(GRAPHS, &solvers(), true)),
        Trial::test("others on random graphs", || on_graphs(GRAPHS / LESS, &others(), false)),
    ];
    for game in data::late_games() {
        let name = format!("late positions of {game}");
        trials.push(Trial::test(name, move || {
            for (positions, contenders, must_solve) in
                [(POSITIONS, solvers(), true), (POSITIONS / LESS, others(), false)]
            {
                let sample = Sample { positions, nodes: NODES, seed: 1 };
                let tallies = on_late_positions(&game, &sample, &contenders, &mut |_| ())?;
                let found = tallies.iter().map(|tally| tally.positions).max();
                if found != Some(positions) {
                    return Err(Failed::from(format!("{found:?} of {positions} positions are solved by minimax")));
                }
                judge(&tallies, must_solve, has_own_points(&game))?;
            }
            Ok(())
        }));
    }
    trials
}
