//! Tests of the common part of the depth-first searches: checkpoints, limits, and the numbers of a
//! node.

use super::settings::{Sums, Ties, Widening};
use super::tally::{TallyRule, VIRTUAL_SHARE};
use super::*;
use crate::proving::numbers::{LARGEST, from_phi_delta, phi_delta};
use crate::proving::path::Dependency;
use crate::{dfpn::DfPn, pds::Pds, pdspn::PdsPn, pnstar::PnStar};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tesuji_core::{Bounds, Game, INFINITE, Limits, Options, Player, Rng, SearchKind, Spec};
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
fn a_solver_works_with_less_memory_than_its_limit() {
    let mut solver = solver::<Synthetic>("dfpn");
    let root = random_tree(3, 1);
    let limits = Limits { nodes: Some(20), memory: Some(1 << 60), ..Limits::default() };
    let before = ask(&mut solver, &root, limits).counters.bytes;
    assert!(before > 0 && solver.table.as_ref().unwrap().bytes() < 1 << 60);
    // The table is far smaller than the limit, but made for it: the next question uses it, too.
    let entries = solver.table.as_ref().unwrap().load_factor();
    ask(&mut solver, &root, limits);
    assert!(solver.table.as_ref().unwrap().load_factor() > entries);
}

#[test]
fn a_checkpoint_is_not_used_before_its_checksum_is_verified() {
    let params = solver::<Synthetic>("dfpn");
    let file = |bytes: u64, entries: u64, is_valid: bool| {
        let mut file = Vec::new();
        let mut writer = CheckpointWriter::new(&mut file, &params.heading()).unwrap();
        [0, 0, bytes, entries].into_iter().for_each(|number| writer.number(number).unwrap());
        writer.finish().unwrap();
        let last = file.len() - 1;
        file[last] ^= u8::from(!is_valid);
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

/// The time limit of searches that would not end.
const PATIENCE: Duration = Duration::from_secs(10);

/// A tree that is too large for all searches here.
fn large_tree() -> History<Synthetic> {
    History::new(rules::<Synthetic>("synthetic:depth=16,branching=5,seed=4,value=0").unwrap())
}

#[test]
fn playouts_for_initial_numbers_are_counted_and_limited() {
    let stop = AtomicBool::new(false);
    let root = large_tree();
    for spec in [
        "dfpn:init=mc",
        "dfpn:init=mc,strategy=2,playout=pattern",
        "pds:init=mc,playouts=7",
        "pdspn:init=mc",
        "pnstar:init=mc,launch=2",
    ] {
        let mut one = solver(spec);
        let limits = Limits { playouts: Some(2000), memory: Some(1 << 22), time: Some(PATIENCE), nodes: None };
        let control = Control::new(limits, 1, &stop);
        let report = one.ask(&root, win(&root), &control);
        assert_eq!((report.counters.playouts, report.stopped), (2000, StopReason::Playouts), "{spec}");
        // The limit is that of the whole search, not of a question.
        let report = one.ask(&root, Question { at_least: 0, ..win(&root) }, &control);
        assert_eq!(report.counters.playouts, 0, "{spec}");
        // The first of several workers that has none left stops the others.
        let control = Control::new(limits, 1, &stop).with_threads(2);
        let report = solver(spec).ask(&root, win(&root), &control);
        assert!((1000..=2000).contains(&report.counters.playouts), "{spec}");
        assert_eq!(report.stopped, StopReason::Playouts, "{spec}");
    }
}

/// Children with these phi and delta.
fn children(seen: &[(u32, u32)], prover_moves: bool) -> Vec<Child<()>> {
    let child = |(number, &(phi, delta)): (usize, &(u32, u32))| Child {
        mv: (),
        numbers: from_phi_delta(phi, delta, prover_moves),
        depends_on: Dependency::PATH_INDEPENDENT,
        rank: 0,
        key: number as u64 + 1,
        move_index: number as u16,
        is_non_increasing: false,
        replayable: None,
    };
    seen.iter().enumerate().map(child).collect()
}

/// Best child, phi, delta, and delta without the best child, which are the same for both kinds of
/// nodes.
fn tallied(rule: TallyRule, seen: &[(u32, u32)]) -> (usize, u32, u32, u32) {
    let [as_prover, as_other] = [true, false].map(|prover_moves| {
        let Tally { best, phi, delta, delta_of_rest, numbers, .. } =
            rule.tally(&children(seen, prover_moves), prover_moves, |_| 0, &mut Vec::new());
        assert_eq!(phi_delta(numbers, prover_moves), (phi, delta));
        (best, phi, delta, delta_of_rest)
    });
    assert_eq!(as_prover, as_other);
    as_prover
}

const TIES: [Ties; 3] = [Ties::Greater, Ties::Less, Ties::Listed];

#[test]
fn every_summing_rule_on_a_small_node() {
    // The last one is refuted, and does not count.
    let seen = [(2, 5), (1, 3), (4, 9), (INFINITE, 0)];
    let tallied = |sums| tallied(TallyRule { sums, widening: Widening::All, ties: Ties::Greater }, &seen);
    assert_eq!(tallied(Sums::Plain), (1, 1, 5 + 3 + 9, 5 + 9));
    // The largest, and 1 for each of the others.
    assert_eq!(tallied(Sums::Weak), (1, 1, 9 + 2, 2));
    // The best child, and 1 for each of the others.
    assert_eq!(tallied(Sums::Branch), (1, 1, 3 + 2, 2));
    assert_eq!(tallied(Sums::DfpnR), (1, 1, 5 + 3 + 9, 5 + 9));
}

#[test]
fn df_pn_r_leaves_out_children_of_non_increasing_distance() {
    let rule = TallyRule { sums: Sums::DfpnR, widening: Widening::All, ties: Ties::Greater };
    let with_non_increasing = |numbers: &[usize]| {
        let mut children = children(&[(2, 5), (1, 3), (4, 9)], true);
        numbers.iter().for_each(|&number| children[number].is_non_increasing = true);
        let tally = rule.tally(&children, true, |_| 0, &mut Vec::new());
        (tally.delta, tally.delta_of_rest)
    };
    assert_eq!(with_non_increasing(&[2]), (5 + 3, 5));
    assert_eq!(with_non_increasing(&[1]), (5 + 9, 5 + 9));
    assert_eq!(with_non_increasing(&[0, 1, 2]), (9, 0));
}

#[test]
fn ties_decide_which_children_count() {
    let seen = [(9, 7), (2, 5), (2, 1), (2, 3), (INFINITE, 0)];
    let with = |widening, ties| tallied(TallyRule { sums: Sums::Plain, widening, ties }, &seen);
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
fn the_best_child_counts_for_any_number_of_workers_below_it() {
    let mut rng = Rng::new(9);
    for _ in 0..2000 {
        let seen: Vec<(u32, u32)> =
            (0..1 + rng.below(8)).map(|_| (1 + rng.below(4) as u32, 1 + rng.below(5) as u32)).collect();
        let workers: Vec<u32> = seen.iter().map(|_| rng.below(3) as u32).collect();
        for (ties, top) in TIES.into_iter().flat_map(|ties| (1..=4).map(move |top| (ties, top))) {
            let rule = TallyRule { sums: Sums::Plain, widening: Widening::Top(top), ties };
            let workers_below = |key: u64| workers[key as usize - 1];
            let tally = rule.tally(&children(&seen, true), true, workers_below, &mut Vec::new());
            // By definition: sort all children and take the first ones.
            let mut order: Vec<usize> = (0..seen.len()).collect();
            order.sort_by_key(|&number| {
                let (phi, delta) = seen[number];
                let tie = match ties {
                    Ties::Greater => -i64::from(delta),
                    Ties::Less => i64::from(delta),
                    Ties::Listed => 0,
                };
                (phi + workers[number] * (1 + phi / VIRTUAL_SHARE), tie)
            });
            let sum: u32 = order.iter().take(top).map(|&number| seen[number].1).sum();
            assert_eq!((tally.best, tally.delta), (order[0], sum), "{seen:?} {workers:?} {ties:?} {top}");
            assert_eq!(tally.delta_of_rest, sum - seen[order[0]].1);
        }
    }
}

#[test]
fn thresholds_exceed_a_number_by_epsilon_and_by_at_least_one() {
    let above = |epsilon: f64, number: u32| {
        let spec: Spec = "dfpn".parse().unwrap();
        Settings::read(&mut Options::new(&spec), epsilon).unwrap().threshold_above(number)
    };
    assert_eq!([1, 2, 1000].map(|number| above(0.0, number)), [2, 3, 1001]);
    // Pawlewicz and Lew (2007): a quarter for df-pn, a sixteenth for PDS, rounded up.
    assert_eq!([1, 4, 8, 9, 100].map(|number| above(0.25, number)), [2, 5, 10, 12, 125]);
    assert_eq!([1, 16, 17, 32].map(|number| above(0.0625, number)), [2, 17, 19, 34]);
    assert_eq!([LARGEST - 1, LARGEST, INFINITE].map(|number| above(0.25, number)), [LARGEST, LARGEST, INFINITE]);
}

#[test]
fn a_position_solved_by_a_second_level_search_has_a_best_move() {
    let mut solver = solver::<Hex>("pdspn");
    let mut ask = |moves: &str, at_least| {
        let root = History::<Hex>::parse(rules::<Hex>("hex:3").unwrap(), &format!("start moves {moves}")).unwrap();
        let question = Question { known: Bounds::unknown(Player::FIRST, root.facts()), at_least };
        let limits = Limits { memory: Some(4 << 20), ..Limits::default() };
        let report = solver.ask(&root, question, &Control::new(limits, 1, &AtomicBool::new(false)));
        (question.answer(&report.bounds), report.best.map(|mv| root.position().move_text(mv)))
    };
    assert_eq!(ask("b1", 0).0, Some(false));
    assert_eq!(ask("b1 a2", 1), (Some(true), Some("b2".to_string())));
    assert_eq!(ask("b1 a2", 0), (Some(true), Some("b2".to_string())));
}

#[test]
fn the_heading_of_a_checkpoint_never_changes() {
    let heading = |spec: &str| solver::<Synthetic>(spec).heading();
    assert_eq!(
        heading("dfpn"),
        "dfpn synthetic Settings { initial: Initial { guess: Mobility, patterns: true }, epsilon: 0.25, sums: Plain, \
         controls_thresholds: true, widening: All, ties: Greater, ghi: Replay }"
    );
    assert_eq!(
        heading("pds:sums=dfpn-r,tca=off,ghi=nagai,ties=less,init=mc,static=off"),
        "pds synthetic Settings { initial: Initial { guess: MonteCarlo(MonteCarlo { playouts: 3, lookahead: 10, \
         launch: 0, above: Unit, eps: 0.05 }), patterns: false }, epsilon: 0.0625, sums: Old, \
         controls_thresholds: false, widening: All, ties: Less, ghi: Nagai }"
    );
    assert!(heading("pnstar:top=3,init=unit").contains("guess: Unit, patterns: true }, epsilon: 0.0, sums: Plain"));
    assert!(
        heading("dfpn:init=mc,launch=2,playout=pattern")
            .contains("launch: 2, above: Unit, eps: 0.05, moves: Pattern }")
    );
    assert!(heading("dfpn:init=mc,strategy=3").contains("launch: Quarters(3)"));
    assert!(heading("dfpn:init=mc,strategy=3,launch-side=above").contains("eps: 0.05, is_last: true }"));
    assert!(heading("dfpn:init=pattern").contains("guess: Pattern(PatternNumbers { for_mover: true, eps: 0.05 })"));
    assert!(heading("dfpn:top=3").contains("widening: Top(3)"));
    assert!(heading("dfpn:rate=2,ties=listed").contains("widening: Rate(2), ties: Listed"));
}

#[test]
fn the_old_name_of_df_pn_r_sums_is_refused() {
    let spec: Spec = "dfpn:sums=old".parse().unwrap();
    let error = DfPn::read(&mut Options::new(&spec)).unwrap_err().to_string();
    assert_eq!(error, "dfpn: sums=old is now called sums=dfpn-r");
}

/// Every worker has its own random numbers, and not those of worker 0 under another seed.
#[test]
fn workers_of_neighbouring_seeds_have_different_random_numbers() {
    let root = random_tree(3, 1);
    let stop = AtomicBool::new(false);
    let table = TranspositionTable::new(1 << 16);
    let solver = solver::<Synthetic>("dfpn:init=mc");
    let question = win(&root);
    let model = RepetitionModel::all(&root, &question)[0];
    let pass = Pass::all(model, solver.strategy.settings())[0];
    let deepest = AtomicU32::new(0);
    let shared = SharedState {
        table: &table,
        settings: solver.strategy.settings(),
        root: &root,
        question,
        pass,
        salt: 0,
        earlier: Vec::new(),
        deepest: &deepest,
        done: AtomicBool::new(false),
        nodes: CachePadded::new(AtomicU64::new(0)),
        workers_below: worker_counters(4),
    };
    let first_bits = |seed: u64, worker: usize| {
        let control = Control::new(Limits::default(), seed, &stop).with_threads(4);
        Walker::new(&shared, &control, worker).first_random_bits()
    };
    assert_eq!(first_bits(7, 0), Rng::new(7).bits(), "a single thread has the stream of the seed");
    let mut all: Vec<u64> =
        (5..9).flat_map(|seed| (0..4).map(move |worker| (seed, worker))).map(|(s, w)| first_bits(s, w)).collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 16);
}
