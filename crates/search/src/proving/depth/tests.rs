//! What the depth-first searches share, by itself: checkpoints, limits, and how children make the numbers of a node.

use super::*;
use crate::{dfpn::DfPn, pds::Pds, pdspn::PdsPn, pnstar::PnStar};
use std::time::Duration;
use tesuji_core::{Game, SearchKind, Spec};
use tesuji_games::{Synthetic, rules};

fn solver(spec: &str) -> DepthFirst<Synthetic> {
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
    let mut solver = solver("dfpn");
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
    let params = solver("dfpn");
    let file = |bytes: u64, entries: u64, is_sealed: bool| {
        let mut file = Vec::new();
        let mut sealer = Sealer::new(&mut file, &heading(params.strategy.as_ref())).unwrap();
        [0, 0, bytes, entries].into_iter().for_each(|number| sealer.number(number).unwrap());
        sealer.seal().unwrap();
        let last = file.len() - 1;
        file[last] ^= u8::from(!is_sealed);
        file
    };
    let mut solver = solver("dfpn");
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
    let mut solver = solver("dfpn");
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
        assert_eq!((report.counters.playouts, report.stopped), (2000, Stopped::Playouts), "{spec}");
        // They are those of the whole search, not of a question.
        let report = one.ask(&root, Question { at_least: 0, ..win(&root) }, &control);
        assert_eq!(report.counters.playouts, 0, "{spec}");
        // Of several workers, the first that has none left ends the others.
        let control = Control::new(limits, 1, &stop).with_threads(2);
        let report = solver(spec).ask(&root, win(&root), &control);
        assert!((1000..=2000).contains(&report.counters.playouts), "{spec}");
        assert_eq!(report.stopped, Stopped::Playouts, "{spec}");
        assert!(solver(spec).asking(Goal::Win).makes_playouts());
    }
}

#[test]
fn a_limit_on_playouts_counts_nodes_where_there_are_none() {
    let root = large_tree();
    for spec in ["dfpn", "pds", "pdspn", "pnstar"] {
        let limits = Limits { playouts: Some(3000), memory: Some(1 << 22), time: Some(PATIENCE), nodes: None };
        let Report { counters, stopped, .. } = ask(&mut solver(spec), &root, limits);
        assert_eq!((counters.nodes, counters.playouts, stopped), (3000, 3000, Stopped::Playouts), "{spec}");
        // Who says how many nodes there may be means them.
        let Report { counters, stopped, .. } = ask(&mut solver(spec), &root, Limits { nodes: Some(5000), ..limits });
        assert_eq!((counters.nodes, counters.playouts, stopped), (5000, 0, Stopped::Nodes), "{spec}");
        assert!(!solver(spec).asking(Goal::Win).makes_playouts());
    }
}
