//! A search with one tree, which may be kept between calls.

use super::beam::Beam;
use super::context::{SearchContext, SharedLine};
use super::params::{MultiplayerRule, Params};
use super::proof_numbers;
use super::report::TreeInspector;
use super::run::{RoundEnd, Run};
use super::transitions::Transitions;
use super::transposition_index::TranspositionIndex;
use super::tree::{ROOT, Tree};
use super::worker::Worker;
use crate::best_line::KeptLine;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::{
    Bounds, Control, Counters, History, Inspector, Knowledge, Report, Rng, RootMove, Search, StopReason,
};

/// One part in this many of the memory goes to the transposition index. Raising it leaves more for
/// nodes, until positions are missing from the index.
const INDEX_SHARE: usize = 5;

/// The search ends growth when recycling frees less than one part in this many of the tree.
const MIN_FREED: u32 = 16;

/// A tree kept from the last search.
pub(super) struct KeptTree<G: Knowledge> {
    pub(super) tree: Tree<G::Move>,
    index: Option<TranspositionIndex>,
    memory: usize,
    /// The game up to the root of the tree.
    root: History<G>,
}

/// A search with one tree.
pub struct TreeSearch<G: Knowledge> {
    params: Params,
    transitions: Option<Transitions>,
    pub(super) kept: Option<KeptTree<G>>,
    /// The best complete line of the last search, in a game for one player.
    line: Option<KeptLine<G>>,
    /// Whether the kept tree is of no use but for its memory.
    is_stale: bool,
}

impl<G: Knowledge> TreeSearch<G> {
    /// Creates a search without a tree.
    pub(super) fn new(params: Params, transitions: Option<Transitions>) -> TreeSearch<G> {
        TreeSearch { params, transitions, kept: None, line: None, is_stale: false }
    }

    /// Prepares a tree for this root: the kept subtree of the moves played since, or an empty tree
    /// in the same memory.
    pub(super) fn prepare(&mut self, root: &History<G>, memory: usize, placeholder: G::Move, stop: &dyn Fn() -> bool) {
        let reusable = self.kept.take().filter(|kept| kept.memory == memory);
        let Some(mut kept) = reusable else {
            let transpositions = self.params.expansion.transpositions;
            let index_memory = if transpositions { memory / INDEX_SHARE } else { 0 };
            let tree = Tree::new(self.params.columns(root.facts()), memory - index_memory, placeholder);
            let index = transpositions.then(|| TranspositionIndex::new(index_memory));
            self.kept = Some(KeptTree { tree, index, memory, root: root.clone() });
            return self.reset_root(root);
        };
        let is_kept = self.params.expansion.reuse && !std::mem::take(&mut self.is_stale);
        let since = is_kept.then(|| root.moves_since(&kept.root)).flatten();
        let id = since.and_then(|moves| kept.tree.find(moves));
        let same_prover = kept.root.position().to_move() == root.position().to_move();
        kept.root = root.clone();
        if let Some(id) = id {
            kept.tree.set_root(id);
            if self.adapt(&kept.tree, root, same_prover, stop) {
                self.kept = Some(kept);
                return;
            }
        }
        kept.tree.clear();
        kept.index.iter_mut().for_each(TranspositionIndex::clear);
        self.kept = Some(kept);
        self.reset_root(root);
    }

    /// Initialises the columns of a new root.
    fn reset_root(&mut self, root: &History<G>) {
        let kept = self.kept.as_ref().expect("the tree was just created");
        let search = SearchContext::new(&self.params, &kept.tree, root, None, None);
        let (chunk, at) = kept.tree.at(ROOT);
        if let Some(cell) = chunk.bounds.get(at) {
            cell.store(search.range);
        }
        for column in [&chunk.proof, &chunk.second_proof] {
            if let Some(cell) = column.get(at) {
                cell.store(proof_numbers::pack(proof_numbers::UNKNOWN), Relaxed);
            }
        }
    }

    /// Adapts a kept tree to its new root; false if it is unusable or there is no time.
    fn adapt(&self, tree: &Tree<G::Move>, root: &History<G>, same_prover: bool, stop: &dyn Fn() -> bool) -> bool {
        let search = SearchContext::new(&self.params, tree, root, self.transitions.as_ref(), None);
        let mut worker = Worker::new(&search, Rng::new(0), None);
        if !same_prover && !search.zero_sum {
            // The values of a paranoid search are about the old prover, and shared children would
            // be rebuilt once per path.
            let is_paranoid = self.params.backup.multiplayer == MultiplayerRule::Paranoid;
            if is_paranoid || (self.params.expansion.transpositions && self.params.backup.solver) {
                return false;
            }
        }
        let columns = tree.columns();
        let needs_rebuild = columns.proof || (columns.bounds && !search.zero_sum);
        if !same_prover && needs_rebuild && !worker.rebuild(ROOT, &mut root.clone(), stop) {
            return false;
        }
        worker.reprove_root();
        true
    }
}

impl<G: Knowledge> Search<G> for TreeSearch<G> {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        let Some(&placeholder) = moves.first().filter(|_| !root.is_over()) else {
            return terminal_report(root);
        };
        let mut ticker = control.ticker(1);
        let ticker = std::cell::RefCell::new(&mut ticker);
        let stop = || !ticker.borrow_mut().tick();
        self.prepare(root, control.memory(), placeholder, &stop);
        let line = SharedLine::new(self.line.take().and_then(|line| line.rest(root)));
        let TreeSearch { params, transitions, kept, .. } = self;
        let kept = kept.as_mut().expect("the tree was just prepared");
        let shared = control.threads() > 1 && params.shares_nodes();
        kept.tree.set_shared(shared);
        let mut counters = Counters::default();
        let (mut has_room, mut beam) = (true, None);
        // Each recycling or restart begins a new round with its own streams of random numbers.
        for round in 0.. {
            let search = SearchContext::new(params, &kept.tree, root, transitions.as_ref(), kept.index.as_ref());
            let search = search.with_line(&line).after(counters.playouts, control.threads()).counting(control.owners());
            let run = Run::new(&search, control, has_room, counters, round, beam.take());
            let end;
            (end, beam) = run.run(&mut counters);
            let continues = matches!(control.ended(), None | Some(StopReason::Playouts | StopReason::Nodes));
            if end == RoundEnd::Ended || !continues {
                break;
            }
            if end == RoundEnd::BeamExhausted {
                kept.tree.clear();
                (has_room, beam) = (true, None);
                continue;
            }
            let depth = beam.as_ref().map_or(0, Beam::pruned_depth);
            let freed = kept.tree.recycle(depth, kept.index.as_mut(), &stop);
            counters.recycled += u64::from(freed);
            // If even the most visited nodes fill the memory, the search continues without new
            // nodes.
            has_room = freed > kept.tree.len() / MIN_FREED;
        }
        kept.tree.set_shared(false);
        let search = SearchContext::new(params, &kept.tree, root, transitions.as_ref(), kept.index.as_ref());
        let search = search.with_line(&line);
        if kept.tree.children(ROOT).is_none() {
            // Stopped before the first simulation: the report should at least list the moves.
            Worker::new(&search, Rng::new(control.seed()), None).simulate();
        }
        // The results of the last jobs may solve the root after a limit was reached.
        let stopped = match control.ended() {
            Some(StopReason::Playouts | StopReason::Nodes)
                if params.backup.solver && search.interval_of(ROOT).is_solved() =>
            {
                StopReason::Solved
            }
            ended => ended.unwrap_or(StopReason::Finished),
        };
        let report = TreeInspector { search: &search, counters, stopped }.report();
        self.line = search.best_line().map(|line| KeptLine::new(root, line));
        report
    }

    fn forget(&mut self) {
        self.kept = None;
        self.line = None;
    }

    fn restart(&mut self) {
        self.line = None;
        self.is_stale = true;
    }

    fn look(&self, game: &History<G>) -> Option<Vec<RootMove<G::Move>>> {
        let kept = self.kept.as_ref()?;
        let moves = game.moves_since(&kept.root)?;
        let (transitions, index) = (self.transitions.as_ref(), kept.index.as_ref());
        let search = SearchContext::new(&self.params, &kept.tree, &kept.root, transitions, index);
        let counters = Counters::default();
        TreeInspector { search: &search, counters, stopped: StopReason::Finished }.look(moves)
    }
}

/// The report on a game that is over.
fn terminal_report<G: Knowledge>(root: &History<G>) -> Report<G::Move> {
    let player = root.position().to_move();
    let outcome = root.outcome();
    let bounds = match &outcome {
        Some(outcome) => Bounds::exact(player, outcome.score(player)),
        None => Bounds::unknown(player, root.facts()),
    };
    let value = outcome.map_or(0.0, |outcome| f64::from(outcome.value(player, root.facts())));
    Report::without_search(bounds, value)
}
