//! Model checks of the protocol by which workers share nodes, over every interleaving that the
//! memory model allows.
//!
//! The source files are included here with loom's atomics in the place of the standard ones.

mod atomics {
    pub use loom::sync::atomic::{AtomicU64, Ordering, fence};
}

#[path = "../src/mcts/interval.rs"]
#[allow(dead_code)]
mod interval;
#[path = "../src/mcts/link.rs"]
#[allow(dead_code)]
mod link;

use interval::{Interval, IntervalCell};
use link::{Link, LinkCell};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};
use loom::thread;

/// A node with three children, in the place of an arena.
struct Tiny {
    link: LinkCell,
    moves: [AtomicU64; 3],
    expansions: AtomicU64,
    opened: [AtomicU64; 3],
}

/// What a worker does at a node: it expands the node if it can claim it, and opens a child if it
/// can claim that; unopened moves are permuted.
fn visit(tiny: &Tiny, draw: usize) {
    if !tiny.link.load().is_expanded() {
        if !tiny.link.begin_expansion(true) {
            return;
        }
        tiny.expansions.fetch_add(1, Relaxed);
        for (number, mv) in tiny.moves.iter().enumerate() {
            mv.store(10 + number as u64, Relaxed);
        }
        tiny.link.store(Link::new(7, 3, 0));
    }
    if let Some(link) = tiny.link.begin_opening(true) {
        let next = link.opened();
        let drawn = next + draw % (3 - next);
        let mv = tiny.moves[drawn].load(Relaxed);
        tiny.moves[drawn].store(tiny.moves[next].load(Relaxed), Relaxed);
        tiny.moves[next].store(mv, Relaxed);
        tiny.link.end_opening(link, next + 1, true);
        tiny.opened[mv as usize - 10].fetch_add(1, Relaxed);
    }
    // A worker that sees a link sees the moves of all children that it declares open.
    let link = tiny.link.load();
    if link.is_expanded() {
        assert_eq!((link.first(), link.count()), (7, 3));
        for mv in &tiny.moves[..link.opened()] {
            assert!((10..13).contains(&mv.load(Relaxed)), "an unwritten move");
        }
    }
}

#[test]
fn a_node_is_expanded_once_and_every_child_opened_once() {
    loom::model(|| {
        let tiny = Arc::new(Tiny {
            link: LinkCell::new(Link::LEAF),
            moves: std::array::from_fn(|_| AtomicU64::new(0)),
            expansions: AtomicU64::new(0),
            opened: std::array::from_fn(|_| AtomicU64::new(0)),
        });
        let other = {
            let tiny = tiny.clone();
            thread::spawn(move || visit(&tiny, 2))
        };
        visit(&tiny, 1);
        other.join().unwrap();
        assert_eq!(tiny.expansions.load(Relaxed), 1);
        let opened: u64 = tiny.opened.iter().map(|count| count.load(Relaxed)).sum();
        assert_eq!(opened, tiny.link.load().opened() as u64);
        assert!(tiny.opened.iter().all(|count| count.load(Relaxed) <= 1), "a child was opened twice");
        let mut moves: Vec<u64> = tiny.moves.iter().map(|mv| mv.load(Relaxed)).collect();
        moves.sort_unstable();
        assert_eq!(moves, [10, 11, 12], "a move was lost");
    });
}

/// Two workers prove the two children of a node at the same time. The later one must notice that
/// the node is solved.
#[test]
fn proofs_of_two_workers_are_not_lost() {
    loom::model(|| {
        let unknown = Interval { low: -1, high: 1 };
        let node: Arc<[IntervalCell; 3]> = Arc::new(std::array::from_fn(|_| IntervalCell::new(unknown)));
        let prove = |cells: &[IntervalCell; 3], child: usize| {
            cells[child].narrow(Interval::exact(-1));
            let children = cells[1..].iter().map(IntervalCell::load);
            cells[0].narrow(Interval::of_children(true, children));
        };
        let other = {
            let node = node.clone();
            thread::spawn(move || prove(&node, 1))
        };
        prove(&node, 2);
        other.join().unwrap();
        assert_eq!(node[0].load(), Interval::exact(-1));
    });
}

#[test]
fn a_mark_is_not_lost_while_a_child_is_opened() {
    loom::model(|| {
        let link = Arc::new(LinkCell::new(Link::new(7, 3, 1)));
        let other = {
            let link = link.clone();
            thread::spawn(move || link.note_proofs(true))
        };
        let opens = link.begin_opening(true);
        if let Some(before) = opens {
            link.end_opening(before, 2, true);
        }
        other.join().unwrap();
        let now = link.load();
        assert!(now.knows_proofs(), "the mark was lost");
        assert_eq!((now.first(), now.count(), now.opened()), (7, 3, if opens.is_some() { 2 } else { 1 }));
        assert!(link.begin_opening(true).is_some(), "the right to open was not given back");
    });
}
