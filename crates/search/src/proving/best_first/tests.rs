//! Tests of the best-first searches: common functions, and the tests of numbers and answers.

mod checkpoints;
mod memory;
mod parallel;
mod reuse;

use super::reuse::find;
use super::save::text_of;
use super::*;
use crate::minimax;
use crate::proving::asking;
use crate::proving::goal::Goal;
use crate::proving::numbers::{answer, phi_delta};
use crate::proving::path::SearchPath;
use crate::proving::tree::LEAF;
use std::time::Duration;
use tesuji_core::{Bounds, Game, INFINITE, Limits, Options, Player, Rng, SearchKind, Spec};
use tesuji_games::{
    Breakthrough, Connect4, Go, Hex, Lion, Loa, MiniShogi, Othello, Rolit, Synthetic, TicTacToe, rules,
};

fn game<G: Game>(spec: &str, text: &str) -> History<G> {
    History::parse(rules::<G>(spec).unwrap(), text).unwrap()
}

fn tree(text: &str) -> History<Synthetic> {
    game(&format!("synthetic:tree='{text}'"), "start")
}

fn settings(spec: &str) -> Settings {
    let spec: Spec = spec.parse().unwrap();
    let mut options = Options::new(&spec);
    let params = match spec.name() {
        "pns" => crate::pns::Pns::read(&mut options),
        "pn2" => crate::pn2::Pn2::read(&mut options),
        "rppns" => crate::rppns::RpPns::read(&mut options),
        _ => crate::rppn2::RpPn2::read(&mut options),
    };
    options.finish().unwrap();
    params.unwrap().settings()
}

fn solver<G: Knowledge>(spec: &str, root: &History<G>) -> BestFirst<G> {
    BestFirst::new(settings(spec), root.rules())
}

fn question<G: Game>(root: &History<G>, player: Player, at_least: i32) -> Question {
    Question { known: Bounds::unknown(player, root.facts()), at_least }
}

fn limited(nodes: u64, memory: usize) -> Limits {
    Limits { nodes: Some(nodes), memory: Some(memory), ..Limits::default() }
}

/// A memory limit that suffices for every position here.
const ROOM: usize = 64 << 20;

fn ask<G: Knowledge>(
    solver: &mut BestFirst<G>,
    root: &History<G>,
    question: Question,
    limits: Limits,
    threads: usize,
) -> Report<G::Move> {
    let stop = AtomicBool::new(false);
    let report = solver.ask(root, question, &Control::new(limits, 11, &stop).with_threads(threads));
    check_after(solver, threads);
    report
}

/// Checks that every number follows from those of the children, that solved nodes keep what their
/// proof needs and no more, and that the counted nodes are those in the tree.
fn check<G: Knowledge>(solver: &BestFirst<G>) {
    check_after(solver, 1);
}

/// The same after several workers. A worker that stops may leave a solved node as it is, because
/// another was still below it; and two workers that changed two children at the same instant may
/// have missed each other's change. That is rare, and solved nodes are right.
fn check_after<G: Knowledge>(solver: &BestFirst<G>, workers: usize) {
    let Some(kept) = &solver.kept else { return };
    let question = question(&kept.root, kept.player, kept.at_least);
    let cycles = RepetitionModel::all(&kept.root, &question)[kept.model].cycles;
    let mut path = SearchPath::new(&kept.root, question, cycles, solver.settings.initial.static_bounds);
    let mut outdated = 0;
    let nodes = 2 + check_node(&kept.tree, ROOT, &mut path, workers == 1, &mut outdated);
    assert_eq!(nodes, kept.tree.used(), "nodes in use");
    assert!(outdated <= if workers == 1 { 0 } else { 1 + nodes / 1000 }, "{outdated} numbers are outdated");
}

fn check_node<G: Knowledge>(
    tree: &Tree<G::Move>,
    index: u32,
    path: &mut SearchPath<'_, G>,
    is_trimmed: bool,
    outdated: &mut u32,
) -> u32 {
    let Some(block) = tree.children(index) else { return 0 };
    let numbers = tree.at(index).numbers();
    let prover_moves = path.prover_moves();
    let follows = block.parent_numbers(prover_moves);
    assert!(answer(numbers).is_none() || numbers == follows, "{numbers:?} instead of {follows:?}");
    *outdated += u32::from(numbers != follows);
    if is_trimmed && phi_delta(numbers, prover_moves).0 == 0 && index != ROOT {
        assert_eq!(block.nodes.len(), 1, "one child solves the node, and all are kept");
    }
    let mut legal = Vec::new();
    if index == ROOT {
        let root = path.positions()[0].clone();
        root.legal_moves(&mut legal);
    } else {
        path.position().legal_moves(&mut legal);
    }
    let moves: Vec<G::Move> = block.nodes.iter().map(|node| node.mv()).collect();
    let listed = &legal[usize::from(block.move_index())..][..moves.len()];
    assert!(index == ROOT || moves == listed, "children are in the order of the moves");
    assert_eq!(block.is_complete(), moves.len() == legal.len() || index == ROOT);
    let mut nodes = 1 + moves.len() as u32;
    for (child, &mv) in (block.first..).zip(&moves) {
        let successor = path.successor(mv);
        if let Some(end) = successor.end {
            assert_eq!((tree.at(child).numbers(), tree.at(child).children()), (of_answer(end.holds), LEAF));
            continue;
        }
        if tree.at(child).children() == LEAF {
            continue;
        }
        path.push(successor.position);
        nodes += check_node(tree, child, path, is_trimmed, outdated);
        path.pop();
    }
    nodes
}

fn numbers(report: &Report<impl Copy>) -> (u32, u32) {
    let numbers = report.proof_numbers.unwrap();
    (numbers.proof, numbers.disproof)
}

#[test]
fn a_small_tree_has_the_numbers_computed_by_hand_after_every_step() {
    let root = tree("((-1 (1 -1)) (1 (1 -1) (1 1)) ((-1 -1) -1))");
    let question = question(&root, Player::FIRST, 1);
    let mut solver = solver("pns:init=unit", &root);
    // Step by step: the root; its first child, which -1 disproves at once; the second, where 1 is
    // proven and two are left.
    let steps = [(3, (1, 3)), (1, (1, 2)), (3, (1, 2))];
    for (nodes, expected) in steps {
        let report = ask(&mut solver, &root, question, limited(nodes, ROOM), 1);
        assert_eq!((numbers(&report), report.counters.nodes), (expected, nodes));
    }
    // Now the third child has the smallest proof number, 1: the opponent refutes it with the second
    // move.
    let report = ask(&mut solver, &root, question, limited(2, ROOM), 1);
    assert_eq!(numbers(&report), (2, 1));
    // Back to the second child: one of the two left is proven by its first move, then the other.
    let report = ask(&mut solver, &root, question, limited(1, ROOM), 1);
    assert_eq!(numbers(&report), (1, 1));
    let report = ask(&mut solver, &root, question, limited(9, ROOM), 1);
    assert_eq!((numbers(&report), report.best, report.stopped), ((0, INFINITE), Some(1), StopReason::Solved));
    assert_eq!(report.bounds.at_least, 1);
    assert_eq!(report.variation[0], 1);
}

#[test]
fn numbers_follow_from_the_children_after_every_step() {
    for spec in [
        "pns",
        "pns:init=unit",
        "pns:init=mc",
        "pns:init=pattern",
        "pns:init=mc,strategy=1,above=mobility",
        "pn2",
        "pn2:cap=power",
        "pn2:cap=logistic,a=100,b=10",
    ] {
        for seed in 0..6 {
            let root = game::<Synthetic>(&format!("synthetic:depth=6,turns=random,seed={seed}"), "start");
            for player in [Player::FIRST, Player::SECOND] {
                let mut solver = solver(spec, &root);
                let question = question(&root, player, 1);
                let mut patience = 2000;
                while ask(&mut solver, &root, question, limited(7, ROOM), 1).stopped != StopReason::Solved {
                    patience -= 1;
                    assert!(patience > 0, "{spec} does not end");
                }
            }
        }
    }
}

/// Random games, each undone as far as minimax finds the value of the first player.
fn late_positions<G: Knowledge>(spec: &str, count: usize, nodes: u64) -> Vec<History<G>> {
    let rules = rules::<G>(spec).unwrap();
    let mut rng = Rng::new(5);
    let mut found = Vec::new();
    while found.len() < count {
        let mut history = History::<G>::new(rules.clone());
        let mut moves = Vec::new();
        while !history.is_over() {
            moves.clear();
            history.legal_moves(&mut moves);
            history.play(moves[rng.below(moves.len())]);
        }
        let mut last = None;
        while history.undo().is_some() && minimax::value(&mut history, Player::FIRST, nodes).is_some() {
            last = Some(history.clone());
        }
        found.extend(last);
    }
    found
}

/// Checks the answers of solvers to questions about every player against minimax.
fn agrees<G: Knowledge>(spec: &str, count: usize, nodes: u64, solvers: &[&str]) {
    for root in late_positions::<G>(spec, count, nodes) {
        let (low, high) = root.facts().scores;
        for player in (0..root.facts().players).map(Player) {
            let Some(value) = minimax::value(&mut root.clone(), player, 50 * nodes) else { continue };
            for at_least in [value, value + 1, value - 1] {
                if at_least <= low || at_least > high {
                    continue;
                }
                for solver_spec in solvers {
                    let mut solver = solver(solver_spec, &root);
                    let question = question(&root, player, at_least);
                    let report = ask(&mut solver, &root, question, limited(3_000_000, ROOM), 1);
                    let line = || format!("{spec} {solver_spec}: {} for {player:?} >= {at_least}", text_of(&root));
                    assert_eq!(question.answer(&report.bounds), Some(value >= at_least), "{}", line());
                    assert_eq!(report.stopped, StopReason::Solved, "{}", line());
                    check_best_move(&root, &report, question, nodes, &line);
                }
            }
        }
    }
}

/// Checks that the best move proves a proven position if the prover is to move, and refutes a
/// disproven one if another player is.
fn check_best_move<G: Knowledge>(
    root: &History<G>,
    report: &Report<G::Move>,
    question: Question,
    nodes: u64,
    line: &dyn Fn() -> String,
) {
    let holds = question.answer(&report.bounds) == Some(true);
    if holds == (root.position().to_move() == question.prover()) {
        let mut after = root.clone();
        after.play(report.best.unwrap());
        if let Some(value) = minimax::value(&mut after, question.prover(), 50 * nodes) {
            assert_eq!(value >= question.at_least, holds, "{} by {:?}", line(), report.best);
        }
    }
    assert_eq!(report.moves.first().map(|entry| entry.mv), report.best);
}

const ALL: [&str; 6] = ["pns", "pns:init=unit", "pns:init=game", "pns:init=mc,playouts=2", "pn2", "pn2:cap=power"];

#[test]
fn answers_agree_with_minimax_where_positions_cannot_repeat() {
    agrees::<TicTacToe>("tictactoe", 6, 2000, &ALL);
    agrees::<Connect4>("connect4:5x4", 6, 5000, &ALL);
    agrees::<Hex>("hex:3", 5, 5000, &ALL);
    agrees::<Othello>("othello:4", 5, 3000, &ALL);
    agrees::<Breakthrough>("breakthrough:4x5", 5, 5000, &ALL);
}

#[test]
fn answers_agree_with_minimax_for_several_players() {
    agrees::<Rolit>("rolit:4,players=3", 5, 3000, &ALL);
    agrees::<Rolit>("rolit:4,players=4", 5, 3000, &ALL);
    agrees::<Rolit>("rolit:4,players=2", 3, 3000, &ALL);
}

#[test]
fn answers_agree_with_minimax_where_positions_repeat() {
    let solvers = ["pns", "pn2", "pns:init=unit"];
    agrees::<Lion>("lion", 6, 20_000, &solvers);
    agrees::<Loa>("loa:5", 6, 20_000, &solvers);
    agrees::<Loa>("loa:6", 4, 20_000, &solvers);
    agrees::<MiniShogi>("minishogi", 3, 20_000, &solvers);
}

#[test]
fn random_trees_have_their_known_value_for_both_players() {
    for seed in 0..40 {
        for options in
            ["scores=3,turns=random", "scores=1,branching=4,depth=5", "scores=9,branching=2,depth=8,turns=random"]
        {
            let root = game::<Synthetic>(&format!("synthetic:{options},seed={seed}"), "start");
            let value = root.position().known_value().unwrap();
            for (player, value) in [(Player::FIRST, value), (Player::SECOND, -value)] {
                for at_least in [value, value + 1] {
                    for spec in ["pns", "pn2:init=unit"] {
                        let question = question(&root, player, at_least);
                        let report = ask(&mut solver(spec, &root), &root, question, limited(1_000_000, ROOM), 1);
                        let answer = question.answer(&report.bounds);
                        assert_eq!(answer, Some(value >= at_least), "{options} {seed} {spec} {at_least}");
                    }
                }
            }
        }
    }
}

/// Graphs with transpositions and cycles.
const CYCLIC: [&str; 7] = [
    "x=((@x 1) -1)",
    "x=((@x -1) -2)",
    "x=(y=(@x 1 (@y 2)) (-1 @y))",
    "(a: x=(b: y=(a: @x -1) z=(a: @y 1)) (b: @z @x))",
    "(x=(y=(@x z=(@y 1)) -1) (@z @y))",
    "x=(a: y=(a: @x (b: @y 2)) w=(b: @x -2 (a: @w 1)))",
    "(p=(q=(r=(@p @q 1) -1) (0 @r)) (@q (@r -1)))",
];

#[test]
fn cycles_have_the_outcome_of_minimax() {
    for text in CYCLIC {
        for repetition in [2, 3] {
            let root = game::<Synthetic>(&format!("synthetic:tree='{text}',repetition={repetition}"), "start");
            for player in [Player::FIRST, Player::SECOND] {
                let value = minimax::value(&mut root.clone(), player, 50_000_000).unwrap();
                for at_least in -2..=2 {
                    for spec in ["pns", "pn2", "pns:init=unit"] {
                        let question = question(&root, player, at_least);
                        let report = ask(&mut solver(spec, &root), &root, question, limited(1_000_000, ROOM), 1);
                        let answer = question.answer(&report.bounds);
                        assert_eq!(answer, Some(value >= at_least), "{text} {repetition} {player:?} {at_least} {spec}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_game_that_is_over_is_answered_at_once() {
    let root = game::<TicTacToe>("tictactoe", "start moves a1 b1 a2 b2 a3");
    for (player, holds) in [(Player::FIRST, true), (Player::SECOND, false)] {
        let question = question(&root, player, 1);
        let report = ask(&mut solver("pns", &root), &root, question, limited(10, ROOM), 1);
        assert_eq!((question.answer(&report.bounds), report.best), (Some(holds), None));
    }
}

/// A position that takes thousands of nodes: Connect-4 on a small board is a draw.
fn hard() -> (History<Connect4>, Question) {
    let root = game::<Connect4>("connect4:5x4", "start moves 1 2");
    let question = question(&root, Player::FIRST, 1);
    (root, question)
}

/// The number of times that an observer sees a search, and the longest line it can follow.
fn observe(spec: &str, threads: usize) -> (u32, usize) {
    let (root, question) = hard();
    let stop = AtomicBool::new(false);
    let (mut seen, mut deepest) = (0, 0);
    let control = Control::new(limited(30_000, ROOM), 1, &stop).with_threads(threads).watched(
        Duration::ZERO,
        Box::new(|inspector| {
            let report = inspector.report();
            seen += 1;
            for length in 0..report.variation.len() {
                let Some(moves) = inspector.look(&report.variation[..length]) else { break };
                assert!(!moves.is_empty());
                deepest = deepest.max(length);
            }
            assert!(inspector.look(&[report.best.unwrap(); 40]).is_none());
        }),
    );
    solver(spec, &root).ask(&root, question, &control);
    drop(control);
    (seen, deepest)
}

#[test]
fn observers_see_the_moves_and_the_subtrees() {
    for (spec, threads) in [("pns", 1), ("pn2", 1), ("rppns", 2)] {
        // The worker that reports may get no turn before another has finished.
        let attempts = if threads == 1 { 1 } else { 50 };
        let is_seen = |(seen, deepest)| seen > 0 && deepest > 1;
        assert!((0..attempts).any(|_| is_seen(observe(spec, threads))), "{spec}");
    }
}

#[test]
fn a_sequence_of_questions_finds_the_scores_of_saito_2010() {
    for (players, scores) in [(2, &[7, 9][..]), (3, &[3, 3, 4]), (4, &[2, 2, 1, 1])] {
        let root = game::<Rolit>(&format!("rolit:4,players={players}"), "start");
        for (seat, &score) in scores.iter().enumerate() {
            let stop = AtomicBool::new(false);
            let control = Control::new(Limits::default(), 1, &stop);
            let known = Bounds::unknown(Player(seat as u8), root.facts());
            let goal = Goal::Score;
            let report = asking::search(&mut solver("pns", &root), &root, goal, known, &control);
            assert_eq!(report.bounds, Bounds::exact(Player(seat as u8), score), "{players}, {seat}");
        }
    }
}
