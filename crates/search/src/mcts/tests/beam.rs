//! Beam MCTS.

use super::{empty_tree, params, search};
use crate::mcts::context::SearchContext;
use crate::mcts::tree::{ROOT, Tree};
use crate::mcts::worker::Worker;
use rustc_hash::FxHashSet;
use std::sync::atomic::AtomicBool;
use tesuji_core::{Control, History, Limits, Player, Report, Rng, StopReason};
use tesuji_games::{Clickomania, SameGame, rules};

const BOARD: &str = "samegame:8x8,colours=4";

/// The lines of moves to all visited nodes, by depth.
fn lines<M: Copy + Send + Sync>(tree: &Tree<M>) -> Vec<Vec<Vec<M>>> {
    let mut levels = vec![vec![(ROOT, Vec::new())]];
    loop {
        let mut next = Vec::new();
        for (id, line) in levels.last().unwrap() {
            let Some(block) = tree.children(*id) else { continue };
            for child in (0..block.opened).filter(|&child| block.visits(child) > 0) {
                let mut line: Vec<M> = line.clone();
                line.push(block.mv(child));
                next.push((block.first + child as u32, line));
            }
        }
        if next.is_empty() {
            break;
        }
        levels.push(next);
    }
    levels.into_iter().map(|level| level.into_iter().map(|(_, line)| line).collect()).collect()
}

/// Simulates with a beam and calls `check` after every simulation with the depth pruned so far and
/// the lines of the tree.
fn watch(player: &str, simulations: u32, mut check: impl FnMut(usize, &[Vec<Vec<u16>>])) {
    let history = History::<SameGame>::new(rules::<SameGame>(BOARD).unwrap());
    let params = params(player);
    let kept = empty_tree(&history, &params);
    let search = SearchContext::new(&params, &kept.tree, &history, None, None);
    let mut worker = Worker::new(&search, Rng::new(7), None);
    for _ in 0..simulations {
        worker.simulate();
        check(worker.beam().unwrap().pruned_depth(), &lines(&kept.tree));
    }
}

#[test]
fn a_beam_that_is_never_pruned_is_plain_mcts() {
    for options in ["c=0.5", "select=ucb1tuned,c=0.3", "select=sp,playout=bandit", "rave"] {
        let plain = search::<SameGame>(BOARD, "start", &format!("mcts:{options}"), 4000);
        for beam in ["beam=1,beam-limit=1000000", "beam=1000000,beam-limit=2", "beam=9,beam-limit=4001,beam-narrow"] {
            let wide = search::<SameGame>(BOARD, "start", &format!("mcts:{options},{beam}"), 4000);
            assert_eq!(format!("{wide:?}"), format!("{plain:?}"), "{options},{beam}");
        }
    }
}

/// After a depth is pruned it has at most W nodes; no line to a node there or above appears that
/// was not there before; and every node above has a descendant at that depth.
#[test]
fn pruned_depths_are_narrow_and_stay_as_they_are() {
    for player in [
        "mcts:beam=3,beam-limit=20",
        "mcts:beam=1,beam-limit=10,select=ucb1tuned,c=0",
        "mcts:beam=4,beam-limit=30,beam-counters=reset,beam-new",
        "mcts:beam=2,beam-limit=15,rave,even=1",
        "mcts:beam=5,beam-limit=10,expand-visits=3,expand=all",
        "mcts:beam=6,beam-limit=10,beam-narrow,beam-root",
    ] {
        let width = params(player).beam.unwrap().width;
        let mut before: Option<(usize, Vec<FxHashSet<Vec<u16>>>)> = None;
        let mut deepest = 0;
        watch(player, 3000, |pruned, lines| {
            let depths: Vec<FxHashSet<Vec<u16>>> =
                lines.iter().take(pruned + 1).map(|level| level.iter().cloned().collect()).collect();
            assert_eq!(depths.len(), pruned + 1, "{player} lost its beam");
            if pruned > 0 {
                assert!(depths[pruned].len() <= width, "{player}: {} nodes", depths[pruned].len());
                for depth in 0..pruned {
                    let is_ancestor = |line: &Vec<u16>| depths[pruned].iter().any(|deep| deep.starts_with(line));
                    assert!(depths[depth].iter().all(is_ancestor), "{player} at depth {depth} of {pruned}");
                }
            }
            if let Some((pruned_before, depths_before)) = &before {
                assert!(pruned >= *pruned_before);
                for depth in 0..=*pruned_before {
                    assert!(depths[depth].is_subset(&depths_before[depth]), "{player}: new node at depth {depth}");
                }
            }
            deepest = deepest.max(pruned);
            before = Some((pruned, depths));
        });
        assert!(deepest >= 5, "{player} pruned down to depth {deepest}");
    }
}

/// With W = 1 the search commits to one move after another, and the line of the only nodes above
/// the pruned depth is never revised.
#[test]
fn a_beam_of_width_one_is_move_by_move_search() {
    let mut committed: Vec<u16> = Vec::new();
    watch("mcts:beam=1,beam-limit=25,beam-counters=reset", 4000, |pruned, lines| {
        let line = &lines[pruned][0];
        assert!(lines[pruned].len() == 1 && line.starts_with(&committed));
        committed.clone_from(line);
    });
    assert!(committed.len() > 5, "{committed:?}");
}

/// A depth is pruned by the simulation that makes L of them pass through it. Above L = 1 that of
/// depth 1 is the first simulation that does not open a child of the root, plus L - 1.
#[test]
fn a_depth_is_pruned_when_its_counter_reaches_the_limit() {
    let moves = search::<SameGame>(BOARD, "start", "mcts", 1).moves.len() as u32;
    for (options, extra) in [("", moves), (",beam-new", 0)] {
        for limit in [1, 7, 100] {
            let player = format!("mcts:beam=2,beam-limit={limit}{options}");
            let mut pruned_at = None;
            let mut simulation = 0;
            watch(&player, moves + 120, |pruned, _| {
                simulation += 1;
                if pruned == 1 {
                    pruned_at = pruned_at.or(Some(simulation));
                }
            });
            // With fewer nodes than W + 1 nothing is pruned.
            assert_eq!(pruned_at, Some((limit + extra).max(3)), "{player}");
        }
    }
}

#[test]
fn the_most_visited_nodes_stay() {
    let tree: Tree<u16> = Tree::new(crate::mcts::tree::Columns::default(), 1 << 20, 0);
    let expand = |id: u32, visits: &[u32]| {
        let first = tree.allocate(visits.len()).unwrap();
        for (id, &visits) in (first..).zip(visits) {
            let (chunk, at) = tree.at(id);
            chunk.add(at, i64::from(visits), 0, false);
            chunk.moves[at].store(visits as u16);
        }
        tree.link(id).store(crate::mcts::link::Link::new(first, visits.len(), visits.len()));
        first
    };
    let first = expand(ROOT, &[50, 9, 30, 20]);
    let below = expand(first, &[5, 31, 3]);
    expand(below + 1, &[8]);
    expand(first + 2, &[1, 14, 15, 0]);
    expand(first + 3, &[6, 4]);
    let mut ids = Vec::new();
    tree.visited_at(ROOT, 2, &mut ids);
    assert_eq!(ids.len(), 8);
    let kept = ids.into_iter().filter(|&id| tree.visits(id) >= 14).collect();
    assert!(tree.keep_only(ROOT, 2, &kept));
    assert_eq!(
        lines(&tree),
        vec![vec![vec![]], vec![vec![50], vec![30]], vec![vec![50, 31], vec![30, 14], vec![30, 15]]]
    );
    assert!(tree.children(ROOT).unwrap().count == 2);
}

fn run(game: &History<SameGame>, player: &str, limits: Limits) -> Report<u16> {
    let stop = AtomicBool::new(false);
    let mut search = crate::build::<SameGame>(&player.parse().unwrap(), game.rules()).unwrap();
    search.search(game, &Control::new(limits, 1, &stop).with_threads(2))
}

#[test]
fn a_beam_keeps_its_memory_and_its_best_line() {
    let history = History::<SameGame>::new(rules::<SameGame>("samegame:12x12").unwrap());
    for player in
        ["mcts:beam=20,beam-limit=2000", "mcts:beam=2,beam-limit=10,beam-end=restart", "mcts:beam,beam-narrow"]
    {
        let limits = Limits { playouts: Some(20_000), memory: Some(1 << 19), ..Limits::default() };
        let [one, other] = [0, 1].map(|_| run(&history, player, limits));
        assert_eq!(format!("{one:?}"), format!("{other:?}"), "{player}");
        assert!(one.counters.recycled > 0 || player.contains("restart") || player.contains("narrow"), "{player}");
        assert!(one.counters.bytes <= 1 << 19, "{player}: {} bytes", one.counters.bytes);
        let mut line = history.clone();
        one.variation.iter().for_each(|&mv| line.play(mv));
        assert_eq!(line.outcome().map(|end| end.score(Player::FIRST)), Some(one.bounds.at_least), "{player}");
        let mut legal = Vec::new();
        history.legal_moves(&mut legal);
        let mut listed: Vec<u16> = one.moves.iter().map(|entry| entry.mv).collect();
        legal.sort_unstable();
        listed.sort_unstable();
        assert_eq!(listed, legal, "{player}");
        assert_eq!(one.best, one.moves.first().map(|entry| entry.mv), "{player}");
    }
}

/// A beam that has reached the end of the game ends the search, or starts it again.
#[test]
fn an_exhausted_beam_stops_or_starts_again() {
    let history = History::<SameGame>::new(rules::<SameGame>(BOARD).unwrap());
    let limits = Limits { playouts: Some(20_000), ..Limits::default() };
    let stopped = run(&history, "mcts:beam=2,beam-limit=10", limits);
    assert_eq!(stopped.stopped, StopReason::Finished);
    assert!(stopped.counters.playouts < 5000, "{:?}", stopped.counters);
    let restarted = run(&history, "mcts:beam=2,beam-limit=10,beam-end=restart", limits);
    assert_eq!((restarted.stopped, restarted.counters.playouts), (StopReason::Playouts, 20_000));
    assert!(restarted.bounds.at_least >= stopped.bounds.at_least);
}

/// In Clickomania a narrow beam finds better lines than plain MCTS with few playouts (Baier 2015,
/// section 5.3.2).
#[test]
fn a_beam_is_better_than_plain_mcts_in_clickomania() {
    let total = |player: &str| -> i32 {
        let score = |seed: u32| {
            search::<Clickomania>(&format!("clickomania:seed={seed}"), "start", player, 8200).bounds.at_least
        };
        (1..=6).map(score).sum()
    };
    let [beam, plain] = ["mcts:c=0,beam=3,beam-limit=10,beam-end=restart", "mcts:c=0"].map(total);
    assert!(beam > plain, "{beam} against {plain}");
}
