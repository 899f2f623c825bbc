//! What the depth-first searches share, by itself: checkpoints, limits, and how children make the numbers of a node.

use super::*;
use crate::{dfpn::DfPn, pds::Pds, pdspn::PdsPn, pnstar::PnStar};
use std::time::Duration;
use tesuji_core::{Game, SearchKind, Spec};
use tesuji_games::{Hex, Synthetic, rules};

fn solver<G: Knowledge>(spec: &str) -> DepthFirst<G> {
    fn read<K: SearchKind>(spec: &Spec) -> K::Params {
        let mut options = Options::new(spec);
        let params = K::read(&mut options).unwrap();
        options.finish().unwrap();
        params
    }
    let spec: Spec = spec.parse().unwrap();
    match spec.name() {
        "dfpn" => DepthFirst::new(read::<DfPn>(&spec)),
        "pds" => DepthFirst::new(read::<Pds>(&spec)),
        "pdspn" => DepthFirst::new(read::<PdsPn>(&spec)),
        _ => DepthFirst::new(read::<PnStar>(&spec)),
    }
}

fn random_tree(seed: u64, value: i32) -> History<Synthetic> {
    History::new(rules::<Synthetic>(&format!("synthetic:depth=6,branching=4,seed={seed},value={value}")).unwrap())
}

fn ask(solver: &mut DepthFirst<Synthetic>, root: &History<Synthetic>, limits: Limits) -> Report<u16> {
    let stop = AtomicBool::new(false);
    solver.ask(root, win(root), &Control::new(limits, 1, &stop))
}

/// Can the mover win?
fn win(root: &History<Synthetic>) -> Question {
    Question { known: Bounds::unknown(root.position().to_move(), root.facts()), at_least: 1 }
}

#[test]
fn a_solver_goes_on_with_what_the_system_gives() {
    let mut solver = solver::<Synthetic>("dfpn");
    let root = random_tree(3, 1);
    let limits = Limits { nodes: Some(20), memory: Some(1 << 60), ..Limits::default() };
    let before = ask(&mut solver, &root, limits).counters.bytes;
    assert!(before > 0 && solver.table.as_ref().unwrap().bytes() < 1 << 60);
    // The table is smaller than the limit by far, and yet the one for it: the next question goes on with it.
    let entries = solver.table.as_ref().unwrap().fill();
    ask(&mut solver, &root, limits);
    assert!(solver.table.as_ref().unwrap().fill() > entries);
}

#[test]
fn a_checkpoint_is_not_believed_before_its_checksum() {
    let params = solver::<Synthetic>("dfpn");
    let file = |bytes: u64, entries: u64, is_sealed: bool| {
        let mut file = Vec::new();
        let mut sealer = Sealer::new(&mut file, &heading(params.strategy.as_ref())).unwrap();
        [0, 0, bytes, entries].into_iter().for_each(|number| sealer.number(number).unwrap());
        sealer.seal().unwrap();
        let last = file.len() - 1;
        file[last] ^= u8::from(!is_sealed);
        file
    };
    let mut solver = solver::<Synthetic>("dfpn");
    for bytes in [1 << 20, 1 << 43, u64::MAX] {
        assert!(solver.restore(&mut file(bytes, 0, false).as_slice()).is_err());
        assert!(solver.restore(&mut file(bytes, u64::MAX, true).as_slice()).is_err());
        assert!(solver.table.is_none());
        solver.restore(&mut file(bytes, 0, true).as_slice()).unwrap();
        solver.forget();
    }
}

#[test]
fn a_changed_bit_of_a_checkpoint_is_an_error() {
    let mut solver = solver::<Synthetic>("dfpn");
    ask(&mut solver, &random_tree(5, 1), Limits { nodes: Some(40), memory: Some(1 << 20), ..Limits::default() });
    let mut file = Vec::new();
    solver.save(&mut file).unwrap();
    solver.restore(&mut file.as_slice()).unwrap();
    for bit in 0..file.len() * 8 {
        let mut changed = file.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(solver.restore(&mut changed.as_slice()).is_err(), "bit {bit}");
    }
}

/// A search that does not end by itself is ended after this time.
const PATIENCE: Duration = Duration::from_secs(10);

/// One that no search here comes to the end of.
fn large_tree() -> History<Synthetic> {
    History::new(rules::<Synthetic>("synthetic:depth=16,branching=5,seed=4,value=0").unwrap())
}

#[test]
fn playouts_for_first_numbers_are_counted_and_limited() {
    let stop = AtomicBool::new(false);
    let root = large_tree();
    for spec in ["dfpn:init=mc", "pds:init=mc,playouts=7", "pdspn:init=mc", "pnstar:init=mc,launch=2"] {
        let mut one = solver(spec);
        let limits = Limits { playouts: Some(2000), memory: Some(1 << 22), time: Some(PATIENCE), nodes: None };
        let control = Control::new(limits, 1, &stop);
        let report = one.ask(&root, win(&root), &control);
        assert_eq!((report.counters.playouts, report.stopped), (2000, StopReason::Playouts), "{spec}");
        // They are those of the whole search, not of a question.
        let report = one.ask(&root, Question { at_least: 0, ..win(&root) }, &control);
        assert_eq!(report.counters.playouts, 0, "{spec}");
        // Of several workers, the first that has none left ends the others.
        let control = Control::new(limits, 1, &stop).with_threads(2);
        let report = solver(spec).ask(&root, win(&root), &control);
        assert!((1000..=2000).contains(&report.counters.playouts), "{spec}");
        assert_eq!(report.stopped, StopReason::Playouts, "{spec}");
    }
}

/// Children with these numbers as the mover sees them, own and other.
fn children(seen: &[(u32, u32)], prover_moves: bool) -> Vec<Child<()>> {
    let child = |(place, &(own, other)): (usize, &(u32, u32))| Child {
        mv: (),
        numbers: absolute(own, other, prover_moves),
        rests_on: FREE,
        rank: 0,
        key: place as u64 + 1,
        place: place as u16,
        is_old: false,
        hint: None,
    };
    seen.iter().enumerate().map(child).collect()
}

/// Best child, own and other number, and the other number without the best, whoever moves.
fn tallied(rule: Rule, seen: &[(u32, u32)]) -> (usize, u32, u32, u32) {
    let [as_prover, as_other] = [true, false].map(|prover_moves| {
        let Tally { best, own, other, beside, numbers, .. } =
            rule.tally(&children(seen, prover_moves), prover_moves, |_| 0, &mut Vec::new());
        assert_eq!(own_and_other(numbers, prover_moves), (own, other));
        (best, own, other, beside)
    });
    assert_eq!(as_prover, as_other);
    as_prover
}

const TIES: [Ties; 3] = [Ties::Greater, Ties::Less, Ties::Listed];

#[test]
fn sums_of_all_kinds_on_a_small_node() {
    // The last one is refuted, and is not counted.
    let seen = [(2, 5), (1, 3), (4, 9), (INFINITE, 0)];
    let tallied = |sums| tallied(Rule { sums, widening: Widening::All, ties: Ties::Greater }, &seen);
    assert_eq!(tallied(Sums::Plain), (1, 1, 5 + 3 + 9, 5 + 9));
    // The largest and one for each of the others.
    assert_eq!(tallied(Sums::Weak), (1, 1, 9 + 2, 2));
    // The best child's and one for each of the others.
    assert_eq!(tallied(Sums::Branch), (1, 1, 3 + 2, 2));
    assert_eq!(tallied(Sums::Old), (1, 1, 5 + 3 + 9, 5 + 9));
}

#[test]
fn children_that_are_nearer_by_another_way_are_left_out_of_old_sums() {
    let rule = Rule { sums: Sums::Old, widening: Widening::All, ties: Ties::Greater };
    let with_old = |old: &[usize]| {
        let mut children = children(&[(2, 5), (1, 3), (4, 9)], true);
        old.iter().for_each(|&number| children[number].is_old = true);
        let tally = rule.tally(&children, true, |_| 0, &mut Vec::new());
        (tally.other, tally.beside)
    };
    assert_eq!(with_old(&[2]), (5 + 3, 5));
    assert_eq!(with_old(&[1]), (5 + 9, 5 + 9));
    assert_eq!(with_old(&[0, 1, 2]), (9, 0));
}

#[test]
fn the_best_few_are_those_of_the_order_of_equals() {
    let seen = [(9, 7), (2, 5), (2, 1), (2, 3), (INFINITE, 0)];
    let with = |widening, ties| tallied(Rule { sums: Sums::Plain, widening, ties }, &seen);
    // Two of five, or the best third of five.
    for widening in [Widening::Top(2), Widening::Rate(3)] {
        assert_eq!(with(widening, Ties::Greater), (1, 2, 5 + 3, 3));
        assert_eq!(with(widening, Ties::Less), (2, 2, 1 + 3, 3));
        assert_eq!(with(widening, Ties::Listed), (1, 2, 5 + 1, 1));
    }
    for ties in TIES {
        assert_eq!(with(Widening::Top(4), ties).2, 5 + 1 + 3 + 7);
        assert_eq!(with(Widening::Top(1), ties).3, 0);
    }
}

#[test]
fn the_best_child_is_one_of_the_best_few_whoever_else_is_below_it() {
    let mut rng = tesuji_core::Rng::new(9);
    for _ in 0..2000 {
        let seen: Vec<(u32, u32)> =
            (0..1 + rng.below(8)).map(|_| (1 + rng.below(4) as u32, 1 + rng.below(5) as u32)).collect();
        let workers: Vec<u32> = seen.iter().map(|_| rng.below(3) as u32).collect();
        for (ties, top) in TIES.into_iter().flat_map(|ties| (1..=4).map(move |top| (ties, top))) {
            let rule = Rule { sums: Sums::Plain, widening: Widening::Top(top), ties };
            let busy = |key: u64| workers[key as usize - 1];
            let tally = rule.tally(&children(&seen, true), true, busy, &mut Vec::new());
            // The same by its definition: sort all, take the first.
            let mut order: Vec<usize> = (0..seen.len()).collect();
            order.sort_by_key(|&number| {
                let (own, other) = seen[number];
                let tie = match ties {
                    Ties::Greater => -i64::from(other),
                    Ties::Less => i64::from(other),
                    Ties::Listed => 0,
                };
                (own + workers[number] * (1 + own / BUSY_SHARE), tie)
            });
            let sum: u32 = order.iter().take(top).map(|&number| seen[number].1).sum();
            assert_eq!((tally.best, tally.other), (order[0], sum), "{seen:?} {workers:?} {ties:?} {top}");
            assert_eq!(tally.beside, sum - seen[order[0]].1);
        }
    }
}

#[test]
fn thresholds_go_beyond_a_number_by_epsilon_and_by_one_at_least() {
    let beyond = |epsilon: f64, number: u32| {
        let spec: Spec = "dfpn".parse().unwrap();
        Settings::read(&mut Options::new(&spec), epsilon).unwrap().beyond(number)
    };
    assert_eq!([1, 2, 1000].map(|number| beyond(0.0, number)), [2, 3, 1001]);
    // Pawlewicz and Lew (2007): a quarter for df-pn, a sixteenth for PDS, rounded up.
    assert_eq!([1, 4, 8, 9, 100].map(|number| beyond(0.25, number)), [2, 5, 10, 12, 125]);
    assert_eq!([1, 16, 17, 32].map(|number| beyond(0.0625, number)), [2, 17, 19, 34]);
    assert_eq!([LARGEST - 1, LARGEST, INFINITE].map(|number| beyond(0.25, number)), [LARGEST, LARGEST, INFINITE]);
}

#[test]
fn a_position_that_a_second_search_solved_knows_its_move() {
    let mut solver = solver::<Hex>("pdspn");
    let mut ask = |moves: &str, at_least| {
        let root = History::<Hex>::parse(rules::<Hex>("hex:3").unwrap(), &format!("start moves {moves}")).unwrap();
        let question = Question { known: Bounds::unknown(tesuji_core::Player::FIRST, root.facts()), at_least };
        let limits = Limits { memory: Some(4 << 20), ..Limits::default() };
        let report = solver.ask(&root, question, &Control::new(limits, 1, &AtomicBool::new(false)));
        (question.answer(&report.bounds), report.best.map(|mv| root.position().move_text(mv)))
    };
    assert_eq!(ask("b1", 0).0, Some(false));
    assert_eq!(ask("b1 a2", 1), (Some(true), Some("b2".to_string())));
    assert_eq!(ask("b1 a2", 0), (Some(true), Some("b2".to_string())));
}
