//! Tests of the engine from inside: trees inspected after every simulation.

mod beam;
mod hybrids;
mod one_player;
mod owners;

use super::context::SearchContext;
use super::interval::{Interval, IntervalCell};
use super::params::{Amaf, BiasForm, Exploration, NewChildren, Params};
use super::proof_numbers::{self, DISPROVED, PROVED, UNKNOWN};
use super::search::{KeptTree, TreeSearch};
use super::select::{self, Formula, ParentState, terms::tuned_bonus};
use super::tree::{Block, Columns, ROOT, SQUARE_UNIT, Tree, UNIT};
use super::worker::Worker;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use tesuji_core::{
    Control, Facts, Game, History, INFINITE, Knowledge, Limits, Options, ProofNumbers, Report, Rng, Rules, Search,
    Spec, Verdict,
};
use tesuji_games::breakthrough::Breakthrough;
use tesuji_games::connect4::Connect4;
use tesuji_games::hex::Hex;
use tesuji_games::lion::Lion;
use tesuji_games::loa::Loa;
use tesuji_games::minishogi::MiniShogi;
use tesuji_games::othello::Othello;
use tesuji_games::rolit::Rolit;
use tesuji_games::rules;
use tesuji_games::synthetic::Synthetic;
use tesuji_games::tictactoe::TicTacToe;
use wide::f32x8;

fn params(spec: &str) -> Params {
    let spec: Spec = spec.parse().unwrap();
    let mut options = Options::new(&spec);
    let params = Params::read(&mut options).unwrap();
    options.finish().unwrap();
    params
}

fn synthetic_facts() -> Facts {
    rules::<Synthetic>("synthetic").unwrap().facts()
}

fn search<G: Knowledge>(game: &str, position: &str, player: &str, playouts: u64) -> Report<G::Move> {
    let history = History::<G>::parse(rules::<G>(game).unwrap(), position).unwrap();
    let stop = AtomicBool::new(false);
    let limits = Limits { playouts: Some(playouts), ..Limits::default() };
    let mut search = crate::build::<G>(&player.parse().unwrap(), history.rules()).unwrap();
    search.search(&history, &Control::new(limits, 1, &stop))
}

/// A tree with nothing but a root.
fn empty_tree<G: Knowledge>(history: &History<G>, params: &Params) -> KeptTree<G> {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let mut search = TreeSearch::<G>::new(params.clone(), None);
    search.prepare(history, 1 << 24, moves[0], &|| false);
    search.kept.unwrap()
}

/// The proof numbers and the interval of a node, recomputed from the rules; checks all nodes below.
fn recompute<G: Knowledge>(
    search: &SearchContext<'_, G>,
    id: u32,
    line: &mut History<G>,
) -> (ProofNumbers, ProofNumbers, Interval) {
    if let Some(outcome) = line.outcome() {
        let verdict = outcome.verdict(search.prover);
        let number = |holds: bool| if holds { PROVED } else { DISPROVED };
        return (
            number(verdict == Some(Verdict::Win)),
            number(verdict != Some(Verdict::Loss)),
            search.interval(&outcome),
        );
    }
    let Some(block) = search.tree.children(id) else { return (UNKNOWN, UNKNOWN, search.range) };
    let tested = if search.params.expansion.new_children == NewChildren::All { block.count } else { block.opened };
    let mover = line.position().to_move();
    let mut all = vec![(UNKNOWN, UNKNOWN, search.range); block.count - tested];
    for child in 0..tested {
        line.play(block.mv(child));
        let found = recompute(search, block.first + child as u32, line);
        check(search, block.first + child as u32, found);
        all.push(found);
        line.undo();
    }
    let add = |a: u32, b: u32| if a == INFINITE || b == INFINITE { INFINITE } else { a + b };
    let combine = |pick: &dyn Fn(&(ProofNumbers, ProofNumbers, Interval)) -> ProofNumbers| {
        let (mut least, mut sum) = (INFINITE, 0);
        for numbers in all.iter().map(pick) {
            let (own, other) = if mover == search.prover {
                (numbers.proof, numbers.disproof)
            } else {
                (numbers.disproof, numbers.proof)
            };
            least = least.min(own);
            sum = add(sum, other);
        }
        if mover == search.prover {
            ProofNumbers { proof: least, disproof: sum }
        } else {
            ProofNumbers { proof: sum, disproof: least }
        }
    };
    let lows = all.iter().map(|(_, _, interval)| interval.low);
    let highs = all.iter().map(|(_, _, interval)| interval.high);
    let interval = if mover == search.bounded_player {
        Interval { low: lows.max().unwrap(), high: highs.max().unwrap() }
    } else {
        Interval { low: lows.min().unwrap(), high: highs.min().unwrap() }
    };
    (combine(&|entry| entry.0), combine(&|entry| entry.1), interval)
}

fn check<G: Knowledge>(search: &SearchContext<'_, G>, id: u32, found: (ProofNumbers, ProofNumbers, Interval)) {
    let (chunk, at) = search.tree.at(id);
    assert_eq!(proof_numbers::unpack(chunk.proof[at].load(Relaxed)), found.0, "numbers of id {id}");
    if let Some(cell) = chunk.second_proof.get(at) {
        assert_eq!(proof_numbers::unpack(cell.load(Relaxed)), found.1, "numbers for a draw of id {id}");
    }
    if let Some(cell) = chunk.bounds.get(at) {
        assert_eq!(cell.load(), found.2, "interval of id {id}");
    }
    // Every visit is the node's own first one or continued to a child, unless the node is solved.
    if let Some(block) = search.tree.children(id).filter(|_| !found.2.is_solved()) {
        let below: u32 = (0..block.count).map(|child| block.visits(child)).sum();
        let own = u32::from(id != ROOT);
        assert_eq!(search.tree.visits(id), below + own, "visits of id {id}");
    }
}

fn numbers_hold<G: Knowledge>(game: &str, player: &str, simulations: u32) {
    let history = History::<G>::new(rules::<G>(game).unwrap());
    let params = params(player);
    let kept = empty_tree(&history, &params);
    let search = SearchContext::new(&params, &kept.tree, &history, None, None);
    let mut worker = Worker::new(&search, Rng::new(5), None);
    for simulation in 0..simulations {
        worker.simulate();
        if simulation < 50 || simulation % 37 == 0 {
            let found = recompute(&search, ROOT, &mut history.clone());
            check(&search, ROOT, found);
        }
    }
    assert_eq!(kept.tree.visits(ROOT), simulations);
}

#[test]
fn after_every_backup_proof_numbers_equal_a_recomputation() {
    for player in [
        "mcts:pn,solver,pn-draws",
        "mcts:pn,expand=one,solver,pn-draws",
        "mcts:pn=0.5,solver,pn-form=dense,threshold=5",
    ] {
        numbers_hold::<TicTacToe>("tictactoe", player, 3000);
        numbers_hold::<Lion>("lion", player, 1500);
        numbers_hold::<Othello>("othello:4", player, 2000);
        numbers_hold::<Loa>("loa:5", player, 800);
        numbers_hold::<MiniShogi>("minishogi:rules=ludii", player, 400);
        numbers_hold::<Rolit>("rolit:4,players=3", player, 2000);
        for seed in 0..20 {
            let game = format!("synthetic:depth=6,branching=3,turns=random,seed={seed}");
            numbers_hold::<Synthetic>(&game, player, 300);
        }
    }
}

/// Workers that claim subtrees leave the tree that one worker could have made: every visit, number
/// and interval agrees with a recomputation.
#[test]
fn after_jobs_of_several_workers_the_tree_equals_a_recomputation() {
    fn check_tree<G: Knowledge>(game: &str, player: &str, threads: usize, playouts: u64) {
        let history = History::<G>::new(rules::<G>(game).unwrap());
        let mut search = TreeSearch::<G>::new(params(player), None);
        let stop = AtomicBool::new(false);
        let limits = Limits { playouts: Some(playouts), ..Limits::default() };
        search.search(&history, &Control::new(limits, 1, &stop).with_threads(threads));
        let params = params(player);
        let kept = search.kept.unwrap();
        let context = SearchContext::new(&params, &kept.tree, &history, None, None);
        let found = recompute(&context, ROOT, &mut history.clone());
        check(&context, ROOT, found);
    }
    for threads in [2, 3, 8] {
        for player in ["mcts:pn,solver,pn-draws", "mcts:pn,solver,rave,c=0", "mcts:pn,solver,threshold=5"] {
            check_tree::<Lion>("lion", player, threads, 5_000);
            check_tree::<Othello>("othello:4", player, threads, 3_000);
            check_tree::<Loa>("loa:5", player, threads, 2_000);
            check_tree::<Rolit>("rolit:4,players=3", player, threads, 3_000);
            check_tree::<TicTacToe>("tictactoe", player, threads, 20_000);
        }
    }
}

#[test]
fn a_draw_proves_no_win_of_either_player() {
    let report = search::<TicTacToe>("tictactoe", "start", "mcts:pn,pn-goal=players", 60_000);
    assert_eq!(report.proof_numbers, Some(ProofNumbers { proof: INFINITE, disproof: INFINITE }));
    // A win in one is found by either form of the bonus.
    for form in ["sum", "max", "count"] {
        let player = format!("mcts:pn=1,pn-goal=players,pn-form={form},pn-final");
        let report = search::<TicTacToe>("tictactoe", "start moves a1 b1 a2 b2", &player, 200);
        assert_eq!(report.proof_numbers.map(|numbers| numbers.proof), Some(0), "{player}");
    }
}

#[test]
fn a_proof_number_weight_of_zero_equals_full_expansion() {
    for seed in 0..4 {
        let game = format!("synthetic:depth=9,branching=4,seed={seed}");
        let plain = search::<Synthetic>(&game, "start", "mcts:expand=all", 1000);
        let weightless = search::<Synthetic>(&game, "start", "mcts:pn=0", 1000);
        let visits =
            |report: &Report<u16>| report.moves.iter().map(|entry| (entry.mv, entry.visits)).collect::<Vec<_>>();
        assert_eq!(visits(&plain), visits(&weightless));
    }
}

#[test]
fn tic_tac_toe_is_disproven_by_numbers_and_drawn_by_the_solver() {
    let numbers = search::<TicTacToe>("tictactoe", "start", "mcts:pn", 60_000);
    assert_eq!(numbers.proof_numbers, Some(DISPROVED));
    assert_eq!((numbers.bounds.at_least, numbers.bounds.at_most), (-1, 0));
    let drawn = search::<TicTacToe>("tictactoe", "start", "mcts:solver", 200_000);
    assert_eq!(drawn.bounds.verdict(), Some(Verdict::Draw));
    assert_eq!(drawn.value, 0.0);
}

#[test]
fn proof_numbers_alone_solve_small_games() {
    let won = search::<Connect4>("connect4:4x4", "start", "mcts:pn=1000000,pn-skip,pn-draws,solver", 400_000);
    assert_eq!(won.bounds.verdict(), Some(Verdict::Draw));
    let race = search::<Breakthrough>("breakthrough:4x4", "start", "mcts:pn,solver", 400_000);
    assert!(race.bounds.verdict().is_some());
}

/// Saito 2010, 4.1: one winning child proves the node; it is lost only if all children are lost.
#[test]
fn wins_need_one_child_and_losses_all() {
    let won = search::<Synthetic>("synthetic:tree='((-1 1) (1 1))'", "start", "mcts:solver", 1000);
    assert_eq!(won.bounds.verdict(), Some(Verdict::Win));
    assert_eq!(won.best, Some(1));
    let lost = search::<Synthetic>("synthetic:tree='((-1 1) (1 -1))'", "start", "mcts:solver", 1000);
    assert_eq!(lost.bounds.verdict(), Some(Verdict::Loss));
    let drawn = search::<Synthetic>("synthetic:tree='((-1 1) (0 1) -1)'", "start", "mcts:solver", 1000);
    assert_eq!(drawn.bounds.verdict(), Some(Verdict::Draw));
    assert_eq!(drawn.best, Some(1));
}

/// The look-ahead finds the win without a simulation of the winning move.
#[test]
fn a_win_in_one_is_found_at_the_first_visit() {
    let tree = "synthetic:tree='((1 1 1 1 1 1 1 -1) (1 (1 1)))'";
    let report = search::<Synthetic>(tree, "start", "mcts:solver,lookahead", 2);
    let refuted = report.moves.iter().find(|entry| entry.mv == 0).unwrap();
    assert_eq!(refuted.bounds.verdict(), Some(Verdict::Loss), "{report:?}");
}

#[test]
fn scores_are_proven_with_reward_score() {
    let game = "synthetic:tree='((3 -7) (5 2) (9 1))'";
    let report = search::<Synthetic>(game, "start", "mcts:solver,reward=score", 1000);
    assert_eq!((report.bounds.at_least, report.bounds.at_most), (2, 2));
    assert_eq!(report.best, Some(1));
}

/// Under max^n each of three players maximises its own score; paranoid opponents minimise the first
/// player's.
#[test]
fn three_players_follow_maxn_or_the_paranoid_rule() {
    let game = "synthetic:tree='((1,9,2 6,1,3) (3,2,5 4,4,4))'";
    let selfish = search::<Synthetic>(game, "start", "mcts", 3000);
    // The second player takes 9 rather than 1, and 4 rather than 2: the first player gets 1 or 4.
    assert_eq!(selfish.best, Some(1));
    let paranoid = search::<Synthetic>(game, "start", "mcts:backup=paranoid,solver,reward=score", 3000);
    assert_eq!((paranoid.bounds.at_least, paranoid.bounds.at_most), (3, 3));
}

fn parent(visits: u32) -> ParentState<'static> {
    let interval = Interval { low: -1, high: 1 };
    ParentState { visits, maximises: true, interval, unsolved: false, reference: None }
}

fn block<'t>(tree: &'t Tree<u16>, stats: &[(u32, f32)]) -> Block<'t, u16> {
    let first = tree.allocate(stats.len()).unwrap();
    let (chunk, begin) = tree.at(first);
    for (at, &(visits, value)) in (begin..).zip(stats) {
        let sum = f64::from(value) * f64::from(visits) * f64::from(UNIT);
        chunk.add(at, i64::from(visits), sum as i64, false);
    }
    Block { chunk, begin, count: stats.len(), opened: stats.len(), first }
}

/// The score of a child by the formulas of `select`, in double precision.
fn naive_score(params: &Params, block: &Block<'_, u16>, child: usize, parent_visits: u32) -> f64 {
    let selection = &params.selection;
    let at = block.begin + child;
    let chunk = block.chunk;
    let float = |bits: u32| f64::from(f32::from_bits(bits));
    let unit = f64::from(UNIT);
    let mut n = f64::from(block.visits(child));
    let mut sum = chunk.sum(at) as f64 / unit;
    let weight = params.hybrids.prior.map(|prior| f64::from(prior.weight));
    if let Some(weight) = weight {
        sum += weight * float(chunk.priors[at].load(Relaxed));
        n += weight;
    }
    let mean = sum / n;
    let mut v = mean;
    if selection.best > 0.0 {
        let highest = chunk.maxima[at].load(Relaxed) as f64 / unit - 1.0 - 1.0 / unit;
        v = (1.0 - f64::from(selection.best)) * v + f64::from(selection.best) * highest;
    }
    if let Some(share) = selection.implicit {
        v = (1.0 - f64::from(share)) * v + f64::from(share) * float(chunk.implicit[at].load(Relaxed));
    }
    let amaf_visits = chunk.amaf_visits.get(at).map_or(0.0, |cell| f64::from(cell.load(Relaxed)));
    if amaf_visits > 0.0 {
        let amaf = chunk.amaf_sums[at].load(Relaxed) as f64 / unit / amaf_visits;
        let share = match selection.amaf {
            Amaf::Off => 0.0,
            Amaf::Share(share) => f64::from(share),
            Amaf::Equivalence(k) => (f64::from(k) / (3.0 * n + f64::from(k))).sqrt(),
            Amaf::Linear(until) => ((f64::from(until) - n) / f64::from(until)).max(0.0),
            Amaf::Bias(bias) => amaf_visits / (n + amaf_visits + f64::from(bias) * n * amaf_visits),
        };
        v = (1.0 - share) * v + share * amaf;
    }
    let log = f64::from(parent_visits).ln();
    let c = f64::from(selection.c);
    let losses = chunk.losses.get(at).map_or(0.0, |cell| f64::from(cell.load(Relaxed)));
    let twice = selection.bias.is_some_and(|bias| bias.form == BiasForm::LossesTwice);
    let below = if twice { losses.max(1.0) } else { n };
    v += match (selection.exploration, selection.inside) {
        (Exploration::Uct, false) => c * (log / below).sqrt(),
        (Exploration::Uct, true) => (c * log / below).sqrt(),
        (Exploration::Ucb1, _) => 2.0 * (2.0 * log / below).sqrt(),
        (Exploration::Ucb1Tuned, _) => {
            // On [0, 1]: q = (v + 1) / 2, so q^2 = (v^2 + 2 v + 1) / 4.
            let squares = chunk.squares[at].load(Relaxed) as f64 / SQUARE_UNIT;
            // The prior stands for wins and losses, whose squares are 1.
            let mean_square = ((squares + weight.unwrap_or(0.0)) / n + 2.0 * mean + 1.0) / 4.0;
            let q = (mean + 1.0) / 2.0;
            let variance = mean_square - q * q + (2.0 * log / n).sqrt();
            2.0 * c * (log / n * variance.min(0.25)).sqrt()
        }
        (Exploration::SinglePlayer, _) => {
            // The scores of `synthetic` are -1 and 1: a point is a value of 1.
            let squares = chunk.squares[at].load(Relaxed) as f64 / SQUARE_UNIT;
            let deviations = squares - n * mean * mean;
            c * (log / n).sqrt() + ((deviations + f64::from(selection.deviation)).abs() / n).sqrt()
        }
    };
    if let Some(bias) = selection.bias {
        let probability = float(chunk.probabilities[at].load(Relaxed));
        let below = if bias.form == BiasForm::Visits { n } else { losses };
        v += f64::from(bias.weight) * probability / (below + 1.0);
    }
    if let Some(pn) = selection.pn {
        v += f64::from(pn.weight) * float(chunk.bonus[at].load(Relaxed));
    }
    v
}

/// Writes random statistics into the columns of a node.
fn fill_columns(block: &Block<'_, u16>, at: usize, rng: &mut Rng) {
    let mut unit = || (2.0 * rng.unit() - 1.0) as f32;
    let chunk = block.chunk;
    let visits = chunk.nodes[at].visits();
    let store = |column: &[AtomicU32], bits: u32| {
        column.get(at).iter().for_each(|cell| cell.store(bits, Relaxed));
    };
    store(&chunk.priors, unit().to_bits());
    store(&chunk.implicit, unit().to_bits());
    store(&chunk.probabilities, unit().abs().to_bits());
    store(&chunk.bonus, unit().abs().to_bits());
    store(&chunk.maxima, 1 + ((unit() + 1.0) * UNIT) as u32);
    store(&chunk.losses, (unit().abs() * visits as f32) as u32);
    let amaf = (unit().abs() * 500.0) as u32;
    store(&chunk.amaf_visits, amaf);
    let amaf_sum = f64::from(unit()) * f64::from(amaf) * f64::from(UNIT);
    chunk.amaf_sums.get(at).iter().for_each(|cell| cell.store(amaf_sum as i64, Relaxed));
    let squares = f64::from(visits) * SQUARE_UNIT;
    chunk.squares.get(at).iter().for_each(|cell| cell.store(squares as i64, Relaxed));
}

#[test]
fn every_formula_agrees_with_its_double_precision_form() {
    let specs = [
        "mcts",
        "mcts:c=0.4,inside",
        "mcts:select=ucb1",
        "mcts:c=0.8,select=ucb1tuned",
        "mcts:select=ucb1tuned,ip=0,ip-weight=30",
        "mcts:select=sp,c=0.7,d=0.3",
        "mcts:select=sp,c=4,d=0,best=0.2",
        "mcts:best=0.5",
        "mcts:rave-sqrt=300",
        "mcts:rave-linear=80",
        "mcts:amaf=0.3",
        "mcts:grave=50,amaf-bias=0.001",
        "mcts:bias=20,transitions=x",
        "mcts:bias=20,bias-form=pbl1,transitions=x",
        "mcts:bias=20,bias-form=pbl2,transitions=x",
        "mcts:ip=0,ip-weight=12",
        "mcts:implicit=0.3",
        "mcts:pn=0.7",
    ];
    let mut rng = Rng::new(3);
    for spec in specs {
        let params = params(spec);
        for round in 0..200 {
            let facts = synthetic_facts();
            let columns = Columns { fractions: true, ..params.columns(&facts) };
            let tree: Tree<u16> = Tree::new(columns, 1 << 22, 0);
            let count = 1 + rng.below(if round % 2 == 0 { 8 } else { 60 });
            let stats: Vec<(u32, f32)> =
                (0..count).map(|_| (1 + rng.below(200) as u32, 2.0 * rng.unit() as f32 - 1.0)).collect();
            let block = block(&tree, &stats);
            (block.begin..block.begin + count).for_each(|at| fill_columns(&block, at, &mut rng));
            let visits = stats.iter().map(|(visits, _)| visits).sum();
            let node = parent(visits);
            let formula = Formula::new(&params, &facts, false, true);
            let (best, score) = select::best(&formula, &block, &node, &[], &mut rng, &mut Vec::new()).unwrap();
            let scores: Vec<f64> = (0..count).map(|child| naive_score(&params, &block, child, visits)).collect();
            let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            assert!(
                (f64::from(score) - highest).abs() < 2e-3 * (1.0 + highest.abs()),
                "{spec}: {score} is not {highest}"
            );
            assert!(
                (scores[best] - highest).abs() < 2e-3 * (1.0 + highest.abs()),
                "{spec}: child {best} of {scores:?}"
            );
        }
    }
}

/// UCB1-TUNED at hand-worked numbers: 4 wins of 10 at 100 visits of the node. q = 0.4, the variance
/// 0.24 plus sqrt(2 * 0.4605) = 0.9597 is cut at 1/4, and the term is sqrt(0.4605 / 4) = 0.3393.
#[test]
fn ucb1_tuned_at_hand_worked_numbers() {
    let log_over_visits = 100f32.ln() / 10.0;
    let tuned_bonus = |variance: f32, log_over_visits: f32| {
        let bonus = tuned_bonus(f32x8::splat(variance), f32x8::splat(log_over_visits)).to_array()[0];
        // The bandit of informed playouts has the same formula, for rewards in [0, 1].
        let scalar = crate::informed::tuned_bonus(f64::from(variance) / 4.0, f64::from(log_over_visits));
        assert!((f64::from(bonus) - scalar).abs() < 1e-6, "{bonus} is not {scalar}");
        bonus
    };
    assert!((tuned_bonus(1.0 - 0.2 * 0.2, log_over_visits) - 0.3393).abs() < 1e-4);
    // At 10,000 visits of 4,000,000 wins in 0.4 of them: 0.24 + sqrt(2 * 0.00152) > 1/4 still; a
    // sure thing has less.
    let few = tuned_bonus(0.0, 0.001);
    assert!((few - (0.001f32 * 0.002f32.sqrt()).sqrt()).abs() < 1e-6);
}

/// Checks that every choice stored during backup is the one that the next descent would make.
fn choices_hold<G: Knowledge>(game: &str, player: &str, simulations: u32) {
    let history = History::<G>::new(rules::<G>(game).unwrap());
    let params = params(player);
    let kept = empty_tree(&history, &params);
    let search = SearchContext::new(&params, &kept.tree, &history, None, None);
    let mut worker = Worker::new(&search, Rng::new(5), None);
    let mut seen = 0;
    for simulation in 0..simulations {
        worker.simulate();
        if simulation % 97 != 0 && simulation + 1 < simulations {
            continue;
        }
        let mut stack = vec![(ROOT, history.clone())];
        while let Some((id, line)) = stack.pop() {
            let Some(block) = kept.tree.children(id) else { continue };
            let maximises = search.maximises(line.position().to_move());
            let matters = |child: usize| {
                !params.backup.solver
                    || search.interval_of(block.first + child as u32).matters(maximises, search.interval_of(id))
            };
            if let Some(choice) = kept.tree.link(id).load().choice() {
                assert_eq!(block.opened, block.count);
                let score = |child: usize| {
                    let visits = f64::from(block.visits(child));
                    block.mean(child)
                        + f64::from(params.selection.c) * (f64::from(kept.tree.visits(id)).ln() / visits).sqrt()
                };
                let best = (0..block.count).filter(|&child| matters(child)).map(score).fold(f64::MIN, f64::max);
                assert!(matters(choice) && score(choice) > best - 1e-3, "{game} {player}: {choice} of id {id}");
                seen += 1;
            }
            for child in 0..block.opened {
                let mut line = line.clone();
                line.play(block.mv(child));
                stack.push((block.first + child as u32, line));
            }
        }
    }
    assert!(seen > 100, "{game} {player}: {seen} choices");
}

#[test]
fn choices_stored_during_backup_are_up_to_date() {
    for player in ["mcts", "mcts:solver", "mcts:solver,lookahead,c=0.5"] {
        choices_hold::<Connect4>("connect4:5x4", player, 3000);
        choices_hold::<TicTacToe>("tictactoe", player, 2000);
        choices_hold::<Loa>("loa:5", player, 2500);
        for seed in 0..5 {
            choices_hold::<Synthetic>(&format!("synthetic:depth=9,branching=4,seed={seed}"), player, 1000);
        }
    }
}

#[test]
fn a_kept_tree_serves_one_worker_and_several_in_turn() {
    let stop = AtomicBool::new(false);
    let limits = Limits { playouts: Some(4000), ..Limits::default() };
    for player in ["mcts:reuse", "mcts:reuse,solver"] {
        let mut history = History::<Connect4>::new(rules::<Connect4>("connect4").unwrap());
        let mut search = crate::build::<Connect4>(&player.parse().unwrap(), history.rules()).unwrap();
        for (threads, column) in [(1, 3), (2, 3), (1, 0), (2, 6), (1, 0)] {
            let report = search.search(&history, &Control::new(limits, 1, &stop).with_threads(threads));
            let visits: u64 = report.moves.iter().map(|entry| entry.visits).sum();
            assert!(visits + 100 >= 4000 && report.counters.playouts == 4000, "{player}: {visits}");
            let best = report.moves.iter().max_by_key(|entry| entry.visits).unwrap();
            assert_eq!(report.best, Some(best.mv));
            history.play(column);
            history.play(column);
        }
    }
}

#[test]
fn ties_are_broken_at_random() {
    let tree: Tree<u16> = Tree::new(Columns { fractions: true, ..Columns::default() }, 1 << 22, 0);
    let block = block(&tree, &[(5, 0.2); 20]);
    let formula = Formula::new(&params("mcts"), &synthetic_facts(), false, true);
    let node = parent(100);
    let mut counts = [0; 20];
    let mut rng = Rng::new(1);
    for _ in 0..20_000 {
        counts[select::best(&formula, &block, &node, &[], &mut rng, &mut Vec::new()).unwrap().0] += 1;
    }
    assert!(counts.iter().all(|&count| (850..1150).contains(&count)), "{counts:?}");
    let mut counts = [0; 20];
    for _ in 0..20_000 {
        counts[select::best_plain(&formula, block, 100, &mut rng, &mut Vec::new()).unwrap().0] += 1;
    }
    assert!(counts.iter().all(|&count| (850..1150).contains(&count)), "{counts:?}");
    let few = Block { opened: 5, ..block };
    let mut counts = [0; 5];
    for _ in 0..5_000 {
        counts[select::best_plain(&formula, few, 100, &mut rng, &mut Vec::new()).unwrap().0] += 1;
    }
    assert!(counts.iter().all(|&count| (850..1150).contains(&count)), "{counts:?}");
}

/// For integer sums, plain selection agrees with general selection.
#[test]
fn plain_selection_agrees_with_general_selection() {
    let formula = Formula::new(&params("mcts:c=0.9"), &synthetic_facts(), false, true);
    assert!(params("mcts:c=0.9").is_plain(&rules::<Synthetic>("synthetic").unwrap().facts()));
    let mut rng = Rng::new(8);
    for round in 0..2000 {
        let tree: Tree<u16> = Tree::new(Columns::default(), 1 << 20, 0);
        let count = 1 + rng.below(if round % 2 == 0 { 8 } else { 60 });
        let first = tree.allocate(count).unwrap();
        let (chunk, begin) = tree.at(first);
        let mut all = 1;
        for at in begin..begin + count {
            let visits = 1 + rng.below(500) as i64;
            chunk.add(at, visits, (rng.below(2 * visits as usize + 1) as i64 - visits) * UNIT as i64, false);
            all += visits as u32;
        }
        let block = Block { chunk, begin, count, opened: count, first };
        let node = parent(all);
        let general = select::best(&formula, &block, &node, &[], &mut rng, &mut Vec::new()).unwrap().0;
        let plain = select::best_plain(&formula, block, all, &mut rng, &mut Vec::new()).unwrap().0;
        let score = |child: usize| naive_score(&params("mcts:c=0.9"), &block, child, all);
        assert!((score(plain) - score(general)).abs() < 1e-4, "{plain} and {general} of {count}");
    }
}

#[test]
fn only_the_subtree_of_the_moves_played_is_kept() {
    let mut history = History::<Connect4>::new(rules::<Connect4>("connect4").unwrap());
    let stop = AtomicBool::new(false);
    let limits = Limits { playouts: Some(5000), ..Limits::default() };
    let mut search = crate::build::<Connect4>(&"mcts:reuse,pn,solver".parse().unwrap(), history.rules()).unwrap();
    let first = search.search(&history, &Control::new(limits, 1, &stop));
    let (best, reply) = (first.variation[0], first.variation[1]);
    history.play(best);
    history.play(reply);
    let second = search.search(&history, &Control::new(limits, 2, &stop));
    let kept: u64 = second.moves.iter().map(|entry| entry.visits).sum();
    assert!(kept > 5000, "{kept} visits: the subtree was lost");
    // Another line, which was not searched from here: no tree is kept.
    history.undo();
    history.undo();
    let other = if best == 0 { 1 } else { 0 };
    history.play(other);
    history.play(reply);
    let third = search.search(&history, &Control::new(limits, 3, &stop));
    assert_eq!(third.moves.iter().map(|entry| entry.visits).sum::<u64>(), 5000);
}

#[test]
fn a_search_stays_within_its_memory() {
    let history = History::<Connect4>::new(rules::<Connect4>("connect4").unwrap());
    let stop = AtomicBool::new(false);
    for player in ["mcts", "mcts:table", "mcts:solver,pn"] {
        let limits = Limits { playouts: Some(60_000), memory: Some(1 << 20), ..Limits::default() };
        let mut search = crate::build::<Connect4>(&player.parse().unwrap(), history.rules()).unwrap();
        let report = search.search(&history, &Control::new(limits, 1, &stop));
        assert!(report.counters.recycled > 0, "{player} recycled no nodes");
        assert!(report.counters.bytes <= 1 << 20, "{player} takes {} bytes", report.counters.bytes);
        assert_eq!(report.counters.playouts, 60_000);
        assert_eq!(report.moves.iter().map(|entry| entry.visits).sum::<u64>(), 60_000);
    }
}

#[test]
fn threads_lose_no_visits_and_leave_no_virtual_losses() {
    let history = History::<Breakthrough>::new(rules::<Breakthrough>("breakthrough:6x6").unwrap());
    let stop = AtomicBool::new(false);
    for player in [
        "mcts",
        "mcts:solver",
        "mcts:rave,solver",
        "mcts:select=ucb1tuned,ip,implicit",
        "mcts:solver,ms=2,ms-visits=1,mb=2,ip=1,ip-visits=2,ip-k=5",
        "mcts:parallel=tree,solver,mr=1,ms=2,ms-visits=0,mb=3",
        "mcts:table",
        "mcts:parallel=tree,diversify=random",
        "mcts:parallel=tree,diversify=nothing",
        "mcts:parallel=tree,virtual-loss=3,solver",
        "mcts:parallel=tree,rave,solver",
    ] {
        let limits = Limits { playouts: Some(20_000), ..Limits::default() };
        let mut search = crate::build::<Breakthrough>(&player.parse().unwrap(), history.rules()).unwrap();
        let report = search.search(&history, &Control::new(limits, 1, &stop).with_threads(3));
        assert_eq!(report.counters.playouts, 20_000, "{player}");
        assert_eq!(report.moves.iter().map(|entry| entry.visits).sum::<u64>(), 20_000, "{player}");
        assert!(report.moves.iter().all(|entry| entry.value.is_none_or(|value| value.abs() <= 1.0)));
    }
}

#[test]
fn the_first_simulations_of_all_threads_visit_root_moves() {
    let history = History::<Breakthrough>::new(rules::<Breakthrough>("breakthrough:6x6").unwrap());
    let stop = AtomicBool::new(false);
    for player in ["mcts:parallel=tree", "mcts:parallel=tree,solver", "mcts:parallel=tree,rave", "mcts:table"] {
        let mut search = crate::build::<Breakthrough>(&player.parse().unwrap(), history.rules()).unwrap();
        for seed in 0..1_000 {
            let limits = Limits { playouts: Some(12), memory: Some(1 << 20), ..Limits::default() };
            let report = search.search(&history, &Control::new(limits, seed, &stop).with_threads(4));
            assert_eq!(report.moves.iter().map(|entry| entry.visits).sum::<u64>(), 12, "{player}, seed {seed}");
        }
    }
}

/// The visits and the AMAF visits of the children of the root after a small search, by move index.
fn amaf_counts<G: Knowledge>(game: &str, player: &str, simulations: u32) -> Vec<(u32, u32)> {
    let history = History::<G>::new(rules::<G>(game).unwrap());
    let params = params(player);
    let kept = empty_tree(&history, &params);
    let search = SearchContext::new(&params, &kept.tree, &history, None, None);
    let mut worker = Worker::new(&search, Rng::new(5), None);
    for _ in 0..simulations {
        worker.simulate();
    }
    let block = kept.tree.children(ROOT).unwrap();
    let count = |child: usize| block.chunk.amaf_visits[block.begin + child].load(Relaxed);
    let mut children: Vec<usize> = (0..block.count).collect();
    children.sort_by_key(|child| block.chunk.indices[block.begin + child].load(Relaxed));
    children.into_iter().map(|child| (block.visits(child), count(child))).collect()
}

#[test]
fn amaf_counts_a_move_once_per_simulation() {
    // Both players have only the move 0, several times in a game.
    assert_eq!(amaf_counts::<Synthetic>("synthetic:tree='(((((1)))))'", "mcts:rave", 50), [(50, 50)]);
    // Moves of the second player do not count for the first.
    let counts = amaf_counts::<Synthetic>("synthetic:tree='((1 1) (1 1))'", "mcts:rave", 50);
    assert!(counts.iter().all(|&(visits, amaf)| visits == amaf), "{counts:?}");
}

#[test]
fn amaf_counts_moves_played_later() {
    // In tic-tac-toe the first player makes three to five moves, in the tree or in the playout.
    let counts = amaf_counts::<TicTacToe>("tictactoe", "mcts:rave", 2_000);
    let (visits, amaf) = counts.iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    assert_eq!(visits, 2_000);
    assert!((6_000..=10_000).contains(&amaf), "{amaf}");
    assert!(counts.iter().all(|&(visits, amaf)| visits <= amaf && amaf <= 2_000), "{counts:?}");
}

#[test]
fn amaf_orders_unvisited_children() {
    // With one visit per child the old rule would have visited everything once.
    let visits = |player: &str| {
        let counts = amaf_counts::<Hex>("hex:7", player, 49);
        counts.iter().filter(|count| count.0 == 0).count()
    };
    assert_eq!(visits("mcts:rave,c=0,unvisited=urgency"), 0);
    assert!(visits("mcts:rave,c=0") > 20, "{}", visits("mcts:rave,c=0"));
}

#[test]
fn only_the_first_player_to_make_a_move_gets_credit() {
    // After the move 1, the second player makes the move 0, and then the first player does.
    let counts = |credit: &str| {
        let player = format!("mcts:rave,amaf-credit={credit},unvisited=urgency");
        amaf_counts::<Synthetic>("synthetic:tree='(1 ((1)))'", &player, 200)
    };
    let [first, any] = [counts("first"), counts("any")];
    assert_eq!(first[0].0, first[0].1, "{first:?}");
    assert_eq!(any[0].1, 200, "{any:?}");
    assert!(first[0].0 < 200 && any[0].0 < 200, "{first:?} {any:?}");
}

#[test]
fn moves_made_sooner_weigh_more_in_amaf_values() {
    // Of two moves in a game, the first counts 1 + 3 times and the second 1 + floor(3 / 2) times.
    let counts = amaf_counts::<Synthetic>("synthetic:tree='((1))'", "mcts:rave,amaf-distance=3", 50);
    assert_eq!(counts, [(50, 200)]);
}

/// Greedy playouts without random moves take only the moves with the best evaluation, and so do the
/// children of a node below the threshold.
#[test]
fn children_are_drawn_by_the_playout_policy_below_the_threshold() {
    let history = History::<Othello>::new(rules::<Othello>("othello").unwrap());
    let params = params("mcts:solver,threshold=1000000,ir=0,ir-epsilon=0");
    let kept = empty_tree(&history, &params);
    let search = SearchContext::new(&params, &kept.tree, &history, None, None);
    let mut worker = Worker::new(&search, Rng::new(5), None);
    (0..200).for_each(|_| {
        worker.simulate();
    });
    let root = kept.tree.children(ROOT).unwrap();
    for child in 0..root.count {
        let mut position = *history.position();
        position.play(root.mv(child));
        let score = |mv| {
            let mut next = position;
            next.play(mv);
            next.evaluation(position.to_move()).unwrap()
        };
        let block = kept.tree.children(root.first + child as u32).unwrap();
        let best = (0..block.count).map(|child| score(block.mv(child))).fold(f32::NEG_INFINITY, f32::max);
        for reply in (0..block.count).filter(|&reply| block.visits(reply) > 0) {
            assert_eq!(score(block.mv(reply)), best);
        }
    }
}

#[test]
fn intervals_only_become_narrower() {
    let cell = IntervalCell::new(Interval { low: -5, high: 5 });
    assert!(cell.narrow(Interval { low: -7, high: 3 }));
    assert!(!cell.narrow(Interval { low: -7, high: 4 }));
    assert_eq!(cell.load(), Interval { low: -5, high: 3 });
}

/// Everything that selection reads of a tree, breadth first.
fn dump(tree: &Tree<u8>) -> Vec<(u8, u32, f64)> {
    let mut nodes = Vec::new();
    let mut queue = std::collections::VecDeque::from([ROOT]);
    while let Some(block) = queue.pop_front().map(|id| tree.children(id)) {
        let Some(block) = block else { continue };
        nodes.extend((0..block.count).map(|child| (block.mv(child), block.visits(child), block.mean(child))));
        queue.extend((0..block.count as u32).map(|child| block.first + child));
    }
    nodes
}

#[test]
fn simulations_compiled_for_plain_search_equal_general_ones() {
    let history = History::<Connect4>::new(rules::<Connect4>("connect4").unwrap());
    for player in ["mcts", "mcts:solver", "mcts:solver,lookahead,c=0.5", "mcts:expand-visits=3,select=ucb1"] {
        let params = params(player);
        assert!(params.is_plain(history.facts()), "{player}");
        let [plain, general] = [true, false].map(|plain| {
            let kept = empty_tree(&history, &params);
            let search = SearchContext::new(&params, &kept.tree, &history, None, None);
            let mut worker = Worker::new(&search, Rng::new(5), None);
            for _ in 0..5_000 {
                if plain {
                    worker.simulate_as::<true>()
                } else {
                    worker.simulate_as::<false>()
                };
            }
            (dump(&kept.tree), worker.counters)
        });
        assert_eq!(plain, general, "{player}");
    }
}
