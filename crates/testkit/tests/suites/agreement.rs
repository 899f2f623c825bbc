//! Differential testing inside: whatever any search claims of thousands of small positions is what minimax says, the lines of decided ones lead to what
//! is claimed, and solvers decide most of them.

use libtest_mimic::{Failed, Trial};
use tesuji_core::{Capabilities, Limits};
use tesuji_testkit::agreement::{Contender, Sample, Tally, on_late_positions, random_graph};
use tesuji_testkit::data;

/// A search other than a solver that proves results, and the least share of positions it solves: a little less than
/// was measured in the hardest game, small Connect-4 or Rolit for two players.
struct Prover {
    player: &'static str,
    /// In zero-sum games and games for one player.
    share: f64,
    /// Where each player has points of its own.
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
    prover("mcts:pn=1,pn-skip,pn-final,pn-draws,rank=dense,reuse", 0.1, 0.0),
];

/// Late positions of each game.
const POSITIONS: u32 = 50;
/// Random graphs.
const GRAPHS: u32 = 600;
/// The other searches get every fourth of these.
const LESS: u32 = 4;
/// Minimax solves the positions with so many nodes; more make for earlier positions.
const NODES: u64 = 8_000;
/// The memory of a search: enough for what it may do here.
const MEMORY: usize = 16 << 20;

/// The searches that must solve: every solver, and the provers with a known share. Parallel ones also run on four threads.
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

/// Whether a spec has no options: enough for what does not depend on them.
fn is_default(player: &str) -> bool {
    !player.contains(':')
}

fn can(player: &str) -> Capabilities {
    tesuji_search::capabilities(&player.parse().expect("a spec")).expect("a search of the list")
}

/// All other searches: they must claim nothing wrong.
fn others() -> Vec<Contender> {
    let limits = Limits { playouts: Some(200), nodes: Some(1_000), memory: Some(MEMORY), time: None };
    let solvers = solvers();
    let must_solve = |player: &String| solvers.iter().any(|solver| solver.player == *player);
    let players = data::searches().into_iter().filter(|player| !must_solve(player));
    players.map(|player| Contender { player, limits, threads: 1 }).collect()
}

/// Fails for a wrong claim, for a solver that leaves a position open, and for a prover below its share.
fn judge(tallies: &[Tally], must_solve: bool, own_points: bool) -> Result<(), Failed> {
    let fails = |tally: &&Tally| {
        let prover = PROVERS.iter().find(|prover| prover.player == tally.player);
        let known = prover.map_or(1.0, |prover| if own_points { prover.own_points } else { prover.share });
        let share = if must_solve { known } else { 0.0 };
        let few = f64::from(tally.decided) < share * f64::from(tally.positions);
        tally.error.is_some() || few
    };
    let failures: Vec<String> = tallies.iter().filter(fails).map(Tally::to_string).collect();
    if failures.is_empty() { Ok(()) } else { Err(Failed::from(failures.join("\n"))) }
}

/// Whether each player has points of its own, so that a proof about one says little about another.
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

/// The tests of this suite.
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
                    return Err(Failed::from(format!("{found:?} of {positions} positions that minimax solves")));
                }
                judge(&tallies, must_solve, has_own_points(&game))?;
            }
            Ok(())
        }));
    }
    trials
}
