//! A worker of a best-first search.

use super::Run;
use super::second_level::SecondLevel;
use crate::proving::initial::{NewNode, initial_numbers};
use crate::proving::numbers::{LARGEST, answer, from_phi_delta, of_answer, phi_delta};
use crate::proving::path::SearchPath;
use crate::proving::tree::{BUSY, Block, Choice, LEAF, NewChildren, ROOT, Tree};
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::{Counters, INFINITE, Knowledge, PlayoutContext, ProofNumbers, Rng, Ticker};

/// The maximal number of expansions after which one of several workers starts again at the root.
/// Raising it delays the news from other workers; that a descent need not start at the root makes
/// two workers a fifth faster in Lines of Action.
const MAX_EXPANSIONS: u32 = 256;
/// The same if each expansion is a search, so that a descent costs nothing in comparison.
const MAX_SECOND_LEVEL_EXPANSIONS: u32 = 1;
/// The number of expansions after which a worker checks whether another has solved a node higher on
/// its path. Raising it makes expansions cheaper, and more of them useless.
const ANCESTOR_CHECK: u32 = 8;
/// The number of expansions after which a worker publishes its counters.
const PUBLISHED_EVERY: u64 = 64;

/// A node on the path of a worker.
#[derive(Clone, Copy)]
pub(super) struct PathNode {
    pub index: u32,
    pub prover_moves: bool,
    /// While its numbers are below these, the path from the root leads through the node.
    limits: ProofNumbers,
}

impl PathNode {
    /// The root, which stays on the path until it is solved.
    pub fn root(prover_moves: bool) -> PathNode {
        PathNode { index: ROOT, prover_moves, limits: ProofNumbers { proof: INFINITE, disproof: INFINITE } }
    }

    #[inline]
    fn is_within(&self, numbers: ProofNumbers) -> bool {
        numbers.proof < self.limits.proof && numbers.disproof < self.limits.disproof
    }
}

/// The node at which a descent ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DescentEnd {
    /// A leaf.
    Leaf,
    /// A leaf that another worker is expanding.
    Busy,
    /// A node that its children solve, which no worker has noticed yet.
    Solved,
}

/// The result of an expansion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expansion {
    Done,
    /// Another worker expands the leaf.
    Busy,
    /// There is no memory for the children.
    Full,
    /// The search has to stop.
    Stopped,
}

/// A worker.
pub(super) struct Worker<'r, 's, 'c, 'a, G: Knowledge> {
    pub run: &'r Run<'s, 'c, 'a, G>,
    number: usize,
    pub path: SearchPath<'r, G>,
    pub ticker: Ticker<'c, 'a, G::Move>,
    rng: Rng,
    context: PlayoutContext<G::Move>,
    moves: Vec<G::Move>,
    /// A scratch buffer for the phi of the children at a random choice.
    phis: Vec<u32>,
    pub new_children: NewChildren<G::Move>,
    second_level: Option<SecondLevel<G::Move>>,
    pub counters: Counters,
}

/// Where a worker is between two iterations.
struct Position {
    nodes: Vec<PathNode>,
    /// The index on the path at which the next descent starts.
    from: usize,
    /// The number of iterations since the last descent from the root.
    iterations: u32,
    /// Whether there was no memory for the last expansion.
    is_tight: bool,
}

impl<'r, 's, 'c, 'a, G: Knowledge> Worker<'r, 's, 'c, 'a, G> {
    pub fn new(run: &'r Run<'s, 'c, 'a, G>, number: usize) -> Worker<'r, 's, 'c, 'a, G> {
        let facts = run.root.facts();
        let seed = run.control.seed();
        Worker {
            run,
            number,
            path: SearchPath::new(run.root, run.question, run.model.cycles, run.settings.initial.static_bounds),
            ticker: run.control.ticker(number),
            // Playouts and choices use separate streams, so that one does not change the other.
            rng: Rng::stream(!seed, number as u64),
            context: PlayoutContext::new(Rng::stream(seed, number as u64), facts.length.plies()),
            moves: Vec::new(),
            phis: Vec::new(),
            new_children: NewChildren::new(),
            second_level: run.second_level.map(|nodes| SecondLevel::new(nodes, facts.move_indices, run.filler)),
            counters: Counters::default(),
        }
    }

    /// Searches until the root is solved, the memory is exhausted, or a limit is reached.
    pub fn work(mut self) {
        let tree = self.run.tree;
        let nodes = vec![PathNode::root(self.path.prover_moves())];
        let mut at = Position { nodes, from: 0, iterations: 0, is_tight: false };
        while tree.answer().is_none() && !self.run.is_full.load(Relaxed) && self.iterate(tree, &mut at) {
            if tree.is_shared() {
                if !self.ticker.tick() {
                    break;
                }
                if self.counters.expansions.is_multiple_of(PUBLISHED_EVERY) {
                    self.publish_counters();
                }
            }
            if self.ticker.is_due() {
                update_all(tree, self.number, &at.nodes[..at.from]);
                self.show();
            }
        }
        update_all(tree, self.number, &at.nodes[..at.from]);
        tree.leave(self.number);
        self.publish_counters();
    }

    /// Descends to a leaf and expands it; returns false if the search is to end.
    #[inline]
    fn iterate(&mut self, tree: &Tree<G::Move>, at: &mut Position) -> bool {
        self.return_to_root_if_due(tree, at);
        let mut end = self.descend(tree, &mut at.nodes, 0, at.from, self.number > 0);
        let mut strays = false;
        if self.number == 0 {
            self.run.variation_length.store(at.nodes.len() as u32 - 1, Relaxed);
            strays = end == DescentEnd::Busy;
            if strays {
                self.return_to_root(tree, at);
                end = self.descend(tree, &mut at.nodes, 0, 0, true);
            }
        }
        let memory_was_due = !at.is_tight || tree.has_detached();
        let expansion = match end {
            DescentEnd::Leaf => self.expand(tree, &at.nodes),
            DescentEnd::Busy => Expansion::Busy,
            DescentEnd::Solved => {
                update_all(tree, self.number, &at.nodes[at.nodes.len() - 1..]);
                Expansion::Done
            }
        };
        match expansion {
            Expansion::Done => {
                at.from = update(tree, self.number, &at.nodes);
                // The first worker left its own path only because another is at the end of it.
                if strays {
                    self.return_to_root(tree, at);
                }
                at.is_tight = false;
                true
            }
            // Memory may have been freed while this worker searched elsewhere: there is none only
            // if none was about to be freed before, either.
            Expansion::Full if !(tree.has_detached() || memory_was_due && tree.is_shared()) => {
                self.run.is_full.store(true, Relaxed);
                false
            }
            // Another worker is at the leaf; or all workers have to start a new descent, this one
            // too, before detached memory can be reused.
            Expansion::Busy | Expansion::Full => {
                at.is_tight |= expansion == Expansion::Full;
                self.return_to_root(tree, at);
                std::thread::yield_now();
                true
            }
            Expansion::Stopped => false,
        }
    }

    /// Lets the next descent start at the root if it has to, and announces it.
    #[inline]
    fn return_to_root_if_due(&self, tree: &Tree<G::Move>, at: &mut Position) {
        let is_solved = |node: &PathNode| answer(tree.at(node.index).numbers()).is_some();
        at.iterations += 1;
        let Position { nodes, from, iterations, .. } = &*at;
        // Nodes higher up are often in the caches of other workers, and expensive to look at.
        let is_void =
            || is_solved(&nodes[*from]) || iterations % ANCESTOR_CHECK == 0 && nodes[..*from].iter().any(is_solved);
        let max = if self.second_level.is_some() { MAX_SECOND_LEVEL_EXPANSIONS } else { MAX_EXPANSIONS };
        if *from == 0 || tree.is_shared() && (*iterations >= max || is_void()) {
            self.return_to_root(tree, at);
            at.iterations = 0;
            tree.start_descent(self.number);
        }
    }

    /// Updates the path above the current node, and lets the next descent start at the root.
    fn return_to_root(&self, tree: &Tree<G::Move>, at: &mut Position) {
        update_all(tree, self.number, &at.nodes[..at.from]);
        at.from = 0;
    }

    fn publish_counters(&self) {
        let mut counters = self.counters;
        counters.bytes = self.second_level.as_ref().map_or(0, SecondLevel::bytes);
        *self.run.published[self.number].lock().unwrap_or_else(PoisonError::into_inner) = counters;
    }

    /// Shows the search to the observer.
    pub fn show(&mut self) {
        self.publish_counters();
        self.run.control.show(&self.run.report());
    }

    /// Descends from a node on the path to a leaf. The path may reach further down than the node:
    /// it is followed as long as it is right. The root of the tree is at ply `base` of the search
    /// path.
    pub fn descend(
        &mut self,
        tree: &Tree<G::Move>,
        nodes: &mut Vec<PathNode>,
        base: usize,
        from: usize,
        is_random: bool,
    ) -> DescentEnd {
        let mut at = from;
        // A worker that starts below the root has left the principal variation.
        let mut on_variation = from == 0;
        loop {
            let PathNode { index, prover_moves, limits } = nodes[at];
            let end = match tree.at(index).children() {
                LEAF => DescentEnd::Leaf,
                BUSY => DescentEnd::Busy,
                block => {
                    let block = tree.block(block);
                    let choice = if is_random {
                        self.choose_at_random(&block, prover_moves, &mut on_variation)
                    } else {
                        block.best(prover_moves)
                    };
                    let node = &block.nodes[choice.child];
                    if answer(node.numbers()).is_none() {
                        let index = block.first + choice.child as u32;
                        let limits = limits_below(&choice, limits, prover_moves);
                        at += 1;
                        if nodes.get(at).is_none_or(|node| node.index != index) {
                            self.truncate(nodes, base, at - 1);
                            self.path.push(self.path.position_after(node.mv()));
                            nodes.push(PathNode { index, prover_moves: self.path.prover_moves(), limits });
                        }
                        nodes[at].limits = limits;
                        continue;
                    }
                    DescentEnd::Solved
                }
            };
            self.truncate(nodes, base, at);
            return end;
        }
    }

    /// Shortens the path so that it ends at a node.
    pub fn truncate(&mut self, nodes: &mut Vec<PathNode>, base: usize, at: usize) {
        nodes.truncate(at + 1);
        while self.path.ply() as usize > base + at {
            self.path.pop();
        }
    }

    /// The choice of a worker that anticipates where worker 0 will go.
    fn choose_at_random(&mut self, block: &Block<'_, G::Move>, prover_moves: bool, on_variation: &mut bool) -> Choice {
        // Other workers may change the numbers: everything below uses one reading of them.
        self.phis.clear();
        let mut sum = 0;
        self.phis.extend(block.nodes.iter().map(|node| {
            let (phi, delta) = phi_delta(node.numbers(), prover_moves);
            sum += u64::from(delta);
            phi
        }));
        let choice = |child: usize, phi_limit: u32| {
            let (_, delta) = phi_delta(block.nodes[child].numbers(), prover_moves);
            Choice { child, phi_limit, delta_of_rest: sum.saturating_sub(u64::from(delta)) }
        };
        let least = self.phis.iter().copied().min().unwrap_or(0);
        let length = self.run.variation_length.load(Relaxed);
        if *on_variation
            && length > 2
            && self.rng.below(length as usize) < 2
            && let [Some(second), third] = self.second_and_third()
        {
            *on_variation = false;
            let child = third.filter(|_| self.rng.below(2) == 1).unwrap_or(second);
            return choice(child, self.phis[child].saturating_add(1));
        }
        let window = self.run.settings.window.unwrap_or(0).saturating_mul(self.run.settings.initial.unit());
        // At a solved node there is nothing to choose from.
        let most = if least == 0 { 0 } else { least.saturating_add(window).min(LARGEST) };
        let count = self.phis.iter().filter(|&&phi| phi <= most).count();
        let drawn = if count > 1 { self.rng.below(count) } else { 0 };
        let candidates = self.phis.iter().enumerate().filter(|&(_, &phi)| phi <= most);
        let (child, phi) = candidates.map(|(number, &phi)| (number, phi)).nth(drawn).unwrap_or((0, least));
        *on_variation &= phi == least && !self.phis[..child].contains(&least);
        choice(child, most.saturating_add(1))
    }

    /// The second and the third best of the children that are not refuted.
    fn second_and_third(&self) -> [Option<usize>; 2] {
        let (mut best, mut next) = (None, [None; 2]);
        for (number, &phi) in self.phis.iter().enumerate().filter(|&(_, &phi)| phi < INFINITE) {
            let is_better = |than: Option<usize>| than.is_none_or(|than| phi < self.phis[than]);
            if is_better(best) {
                (best, next) = (Some(number), [best, next[0]]);
            } else if is_better(next[0]) {
                next = [Some(number), next[0]];
            } else if is_better(next[1]) {
                next[1] = Some(number);
            }
        }
        next
    }

    /// Expands the leaf at the end of the path.
    fn expand(&mut self, tree: &Tree<G::Move>, nodes: &[PathNode]) -> Expansion {
        let PathNode { index, prover_moves, .. } = nodes[nodes.len() - 1];
        if !tree.claim(index) {
            return Expansion::Busy;
        }
        let keeps_all = tree.keeps_all_children(index);
        let is_complete = match self.second_level.take() {
            None => self.generate_children(keeps_all, prover_moves),
            Some(mut second_level) => {
                let is_complete = self.search_second_level(&mut second_level, keeps_all, prover_moves, tree.used());
                self.second_level = Some(second_level);
                is_complete
            }
        };
        if is_complete && tree.expand(self.number, index, &self.new_children, prover_moves) {
            return Expansion::Done;
        }
        tree.release(index);
        if is_complete { Expansion::Full } else { Expansion::Stopped }
    }

    /// Generates the children of the current position; returns false if the search has to stop.
    pub fn generate_children(&mut self, keeps_all: bool, prover_moves: bool) -> bool {
        let run = self.run;
        self.moves.clear();
        let depth = self.path.ply() + 1;
        if depth == 1 {
            run.root.legal_moves(&mut self.moves);
        } else {
            self.path.position().legal_moves(&mut self.moves);
        }
        let new = &mut self.new_children;
        new.children.clear();
        (new.move_index, new.is_complete) = (0, true);
        let initial = &run.settings.initial;
        for (move_index, &mv) in self.moves.iter().enumerate() {
            if !self.ticker.node() {
                return false;
            }
            self.counters.nodes += 1;
            let successor = self.path.successor(mv);
            let numbers = match successor.end {
                Some(end) => of_answer(end.holds),
                None => {
                    for _ in 0..initial.playouts_at(depth) {
                        if !self.ticker.playout() {
                            return false;
                        }
                        self.counters.playouts += 1;
                    }
                    let reached = Some((self.path.position(), mv));
                    let node = NewNode { position: &successor.position, reached, depth };
                    initial_numbers(initial, node, &run.question, &mut self.context)
                }
            };
            if phi_delta(numbers, prover_moves).0 == 0 && !keeps_all {
                new.children.clear();
                (new.move_index, new.is_complete) = (move_index as u16, self.moves.len() == 1);
                new.children.push((mv, numbers));
                break;
            }
            new.children.push((mv, numbers));
        }
        self.counters.expansions += 1;
        self.counters.depth = self.counters.depth.max(depth);
        true
    }
}

/// Updates the numbers on a path from its end upwards, as far as they matter, and returns the index
/// at which the next descent starts. The numbers at the end are up to date.
pub(super) fn update<M: Copy + Send + Sync>(tree: &Tree<M>, worker: usize, nodes: &[PathNode]) -> usize {
    let mut at = nodes.len() - 1;
    while at > 0 && !nodes[at].is_within(tree.at(nodes[at].index).numbers()) {
        at -= 1;
        update_all(tree, worker, &nodes[at..=at]);
    }
    at
}

/// Updates the numbers of all nodes on a path.
pub(super) fn update_all<M: Copy + Send + Sync>(tree: &Tree<M>, worker: usize, nodes: &[PathNode]) {
    for node in nodes.iter().rev() {
        tree.update(worker, node.index, node.prover_moves);
    }
}

/// The limits of the chosen child: it may grow until another child would be chosen, and until the
/// sum reaches the limit of its parent.
#[inline]
fn limits_below(choice: &Choice, limits: ProofNumbers, prover_moves: bool) -> ProofNumbers {
    let (phi_limit, delta_limit) = phi_delta(limits, prover_moves);
    let phi = phi_limit.min(choice.phi_limit);
    let delta = u64::from(delta_limit).saturating_sub(choice.delta_of_rest) as u32;
    from_phi_delta(phi, delta, prover_moves)
}
