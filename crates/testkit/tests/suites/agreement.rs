//! Differential testing inside: whatever any search claims of thousands of small positions is what minimax says, the lines of decided ones lead to what
//! is claimed, and solvers decide most of them.

use libtest_mimic::{Failed, Trial};
use tesuji_core::Limits;
use tesuji_testkit::agreement::{Contender, Sample, Tally, on_late_positions, random_graph};
use tesuji_testkit::data;

/// A search that proves things, and the part of the positions of any game that it decides at least: a little less than was found in
/// the hardest game, small Connect-4 or Rolit for two; in most games the solvers decide all.
struct Solver {
    player: &'static str,
    /// In games that are zero-sum, or for one player.
    floor: f64,
    /// Where players have points of their own.
    own_points: f64,
}

const fn solver(player: &'static str, floor: f64, own_points: f64) -> Solver {
    Solver { player, floor, own_points }
}

const SOLVERS: [Solver; 16] = [
    solver("minimax", 1.0, 1.0),
    solver("minimax:result", 1.0, 1.0),
    solver("alphabeta", 1.0, 1.0),
    solver("dfpn", 1.0, 1.0),
    solver("dfpn:sums=dfpn-r,epsilon=0,init=unit", 1.0, 1.0),
    solver("dfpn:ghi=nagai,top=4", 1.0, 1.0),
    solver("pds", 1.0, 1.0),
    solver("pdspn", 1.0, 1.0),
    solver("pns", 1.0, 1.0),
    solver("pn2:cap=power", 1.0, 1.0),
    solver("rppns", 1.0, 1.0),
    solver("mcts:solver", 0.6, 0.2),
    solver("mcts:solver,lookahead,threshold=5", 0.6, 0.2),
    solver("mcts:backup=paranoid,solver,reward=score,final=value", 0.6, 1.0),
    solver("mcts:pn=1,solver", 0.7, 0.2),
    // Proof numbers for a win alone do not tell draws from losses.
    solver("mcts:pn=1,pn-skip,pn-final,pn-draws,rank=dense,reuse", 0.1, 0.0),
];

/// Late positions of each game.
const POSITIONS: u32 = 50;
/// Random graphs.
const GRAPHS: u32 = 600;
/// The searches that are no solvers get every fourth of these.
const LESS: u32 = 4;
/// Minimax solves the positions with so many nodes; more make for earlier positions.
const NODES: u64 = 8_000;
/// The memory of a search: enough for what it may do here.
const MEMORY: usize = 16 << 20;

/// The solvers, with what they need; two of them by several workers, too.
fn solvers() -> Vec<Contender> {
    let limits = Limits { playouts: Some(20_000), nodes: Some(200_000), memory: Some(MEMORY), time: None };
    let alone = SOLVERS.iter().map(|solver| (solver.player, 1));
    let together = ["dfpn", "rppns"].map(|player| (player, 4));
    let contender = |(player, threads): (&str, usize)| Contender { player: player.to_string(), limits, threads };
    alone.chain(together).map(contender).collect()
}

/// All other searches: they only have to say nothing wrong.
fn others() -> Vec<Contender> {
    let limits = Limits { playouts: Some(200), nodes: Some(1_000), memory: Some(MEMORY), time: None };
    let is_solver = |player: &String| SOLVERS.iter().any(|solver| solver.player == player);
    let players = data::searches().into_iter().filter(|player| !is_solver(player));
    players.map(|player| Contender { player, limits, threads: 1 }).collect()
}

fn judge(tallies: &[Tally], own_points: bool) -> Result<(), Failed> {
    let fails = |tally: &&Tally| {
        let solver = SOLVERS.iter().find(|solver| solver.player == tally.player);
        let floor = solver.map_or(0.0, |solver| if own_points { solver.own_points } else { solver.floor });
        let few = f64::from(tally.decided) < floor * f64::from(tally.positions);
        tally.error.is_some() || few
    };
    let failures: Vec<String> = tallies.iter().filter(fails).map(Tally::to_string).collect();
    if failures.is_empty() { Ok(()) } else { Err(Failed::from(failures.join("\n"))) }
}

fn on_graphs(graphs: u32, contenders: &[Contender]) -> Result<(), Failed> {
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
    judge(&sums, false)
}

/// The tests of this suite.
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("solvers on random graphs", || on_graphs(GRAPHS, &solvers())),
        Trial::test("others on random graphs", || on_graphs(GRAPHS / LESS, &others())),
    ];
    for game in data::late_games() {
        let name = format!("late positions of {game}");
        trials.push(Trial::test(name, move || {
            for (positions, contenders) in [(POSITIONS, solvers()), (POSITIONS / LESS, others())] {
                let sample = Sample { positions, nodes: NODES, seed: 1 };
                let tallies = on_late_positions(&game, &sample, &contenders, &mut |_| ())?;
                let found = tallies.iter().map(|tally| tally.positions).max();
                if found != Some(positions) {
                    return Err(Failed::from(format!("{found:?} of {positions} positions that minimax solves")));
                }
                judge(&tallies, game.starts_with("rolit"))?;
            }
            Ok(())
        }));
    }
    trials
}
