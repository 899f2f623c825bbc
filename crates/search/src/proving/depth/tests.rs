//! What the depth-first searches share, by itself: checkpoints, limits, and how children make the numbers of a node.

use super::*;
use tesuji_core::{Game, SearchKind, Spec};
use tesuji_games::{Synthetic, rules};

fn solver(spec: &str) -> DepthFirst<Synthetic> {
    let spec: Spec = spec.parse().unwrap();
    let mut options = Options::new(&spec);
    let params = crate::dfpn::DfPn::read(&mut options).unwrap();
    options.finish().unwrap();
    DepthFirst::new(params)
}

fn random_tree(seed: u64, value: i32) -> History<Synthetic> {
    History::new(rules::<Synthetic>(&format!("synthetic:depth=6,branching=4,seed={seed},value={value}")).unwrap())
}

fn ask(solver: &mut DepthFirst<Synthetic>, root: &History<Synthetic>, limits: Limits) -> Report<u16> {
    let stop = AtomicBool::new(false);
    let known = Bounds::unknown(root.position().to_move(), root.facts());
    solver.ask(root, Question { known, at_least: 1 }, &Control::new(limits, 1, &stop))
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
