//! A worker of a depth-first search.

use super::passes::Pass;
use super::replay::replayable;
use super::report::RunningSearch;
use super::shared::{SharedState, UNKNOWN, UNKNOWN_NUMBERS};
use super::tally::{Child, Preference, Tally, TallyRule};
use crate::proving::initial::{Initial, NewNode, initial_numbers};
use crate::proving::numbers::{LARGEST, of_answer, phi_delta};
use crate::proving::path::{CycleRule, Dependency, PathEnd, SearchPath, Successor};
use crate::proving::table::{Entry, Length, MAX_LENGTH, MAX_WORK};
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::{Control, Counters, Knowledge, PlayoutContext, ProofNumbers, Rng, Ticker};

/// Workers avoid each other below nodes on which at least this many nodes were spent. Raising it
/// duplicates more work; below it, publishing where a worker is costs more than it saves.
pub const MIN_SHARED_WORK: u64 = 64;
/// The number of expansions between checks for endless repetition of the same positions.
pub const CYCLING_CHECK: u64 = 1 << 16;
/// A search that expands every position this often on average is cycling. Raising it makes the
/// search notice later; a table that is far too small causes many expansions as well.
pub const CYCLING_EXPANSIONS: f64 = 256.0;
/// The number of expansions after which one of several workers checks the path for nodes that
/// another one has solved. Raising it makes it notice later; checking eight times as often gained
/// nothing.
pub const ANCESTOR_CHECK: u64 = 256;

/// The result of the search at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeResult {
    /// The numbers of the node.
    pub numbers: ProofNumbers,
    /// If it is solved: the highest position on the path that the result depends on.
    pub(super) depends_on: Dependency,
    /// If it is solved: an upper bound on the length of the rest of the game.
    pub(super) rank: u16,
}

impl NodeResult {
    /// The result of a node that is not solved.
    fn unsolved(numbers: ProofNumbers) -> NodeResult {
        NodeResult { numbers, depends_on: Dependency::PATH_INDEPENDENT, rank: 0 }
    }

    /// Whether the node is solved.
    pub fn is_solved(&self) -> bool {
        self.numbers.proof == 0 || self.numbers.disproof == 0
    }
}

/// An expanded node on the path. Its children are at the end of the walker's list.
pub struct ExpandedNode {
    /// The index of the first child.
    begin: usize,
    key: u64,
    /// The entry of the table at the time of the expansion.
    entry: Entry,
    nodes_before: u64,
    /// Whether the prover is to move.
    pub prover_moves: bool,
}

/// A worker, which walks down one path at a time.
pub struct Walker<'w, 'c, 'a, G: Knowledge> {
    pub(super) shared: &'w SharedState<'w, G>,
    pub(super) control: &'c Control<'a, G::Move>,
    pub(super) ticker: Ticker<'c, 'a, G::Move>,
    pub(super) path: SearchPath<'w, G>,
    /// The table keys of the positions on the path.
    keys: Vec<u64>,
    children: Vec<Child<G::Move>>,
    /// Scratch buffers.
    moves: Vec<G::Move>,
    successors: Vec<Successor<G>>,
    order: Vec<Preference>,
    context: PlayoutContext<G::Move>,
    /// The initial numbers, for this root.
    initial: Initial,
    pub(super) counters: Counters,
    /// The number of nodes that the shared counter includes.
    published: u64,
    pub(super) stopped: bool,
    /// For each position on the path, whether the worker counter of the position includes this
    /// worker.
    is_published: Vec<bool>,
    /// Whether the numbers increase without new positions.
    is_cycling: bool,
    /// The ply up to which the path is to be left, because another worker has solved the node
    /// there.
    solved_ply: Option<usize>,
}

impl<'w, 'c, 'a, G: Knowledge> Walker<'w, 'c, 'a, G> {
    pub(super) fn new(
        shared: &'w SharedState<'w, G>,
        control: &'c Control<'a, G::Move>,
        worker: usize,
    ) -> Walker<'w, 'c, 'a, G> {
        let rng = Rng::stream(control.seed(), worker as u64);
        Walker {
            shared,
            control,
            ticker: control.ticker(worker),
            path: shared.root_path(),
            keys: vec![shared.root_key()],
            children: Vec::new(),
            initial: shared.settings.initial.at_root(shared.root.position()),
            moves: Vec::new(),
            successors: Vec::new(),
            order: Vec::new(),
            is_published: Vec::new(),
            context: PlayoutContext::new(rng, shared.root.facts().length.plies()),
            counters: Counters::default(),
            published: 0,
            stopped: false,
            is_cycling: false,
            solved_ply: None,
        }
    }

    /// What the worker has done.
    pub(super) fn counters(&self) -> Counters {
        self.counters
    }

    /// Whether the search has to end: a limit is reached, or another worker has finished.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether this pass cannot solve a node: its numbers are saturated, or the search is cycling.
    pub fn is_hopeless(&self, numbers: ProofNumbers) -> bool {
        self.is_cycling || numbers.proof >= LARGEST || numbers.disproof >= LARGEST
    }

    /// Whether the current node is to be left: the search ends, or a node above is solved.
    pub fn must_leave(&self) -> bool {
        self.stopped || self.is_cycling || self.solved_ply.is_some()
    }

    /// Whether the prover is to move after a move.
    pub fn prover_moves_after(&self, mv: G::Move) -> bool {
        self.path.successor(mv).position.to_move() == self.shared.question.prover()
    }

    /// The current position.
    #[cfg(test)]
    pub fn position(&self) -> &G {
        self.path.position()
    }

    /// The next random number of the worker.
    #[cfg(test)]
    pub(super) fn first_random_bits(&mut self) -> u64 {
        self.context.rng.bits()
    }

    #[inline]
    pub(super) fn current_key(&self) -> u64 {
        *self.keys.last().expect("a path contains the root")
    }

    /// A child of a node.
    pub fn child(&self, node: &ExpandedNode, number: usize) -> &Child<G::Move> {
        &self.children[node.begin + number]
    }

    /// The children of the current node.
    pub fn children(&self, node: &ExpandedNode) -> &[Child<G::Move>] {
        &self.children[node.begin..]
    }

    /// Counts a node; returns false if the search has to end.
    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
        if !self.ticker.node() || self.shared.done.load(Relaxed) {
            self.stopped = true;
            return false;
        }
        self.counters.nodes += 1;
        if self.ticker.is_due() {
            self.publish_nodes();
            let counters = Counters { nodes: self.shared.nodes.load(Relaxed), ..self.counters };
            self.control.show(&RunningSearch { shared: self.shared, counters });
        }
        true
    }

    /// Counts a playout; returns false if the search has to end.
    fn count_playout(&mut self) -> bool {
        if !self.ticker.playout() {
            self.stopped = true;
            return false;
        }
        self.counters.playouts += 1;
        true
    }

    #[cold]
    fn publish_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.counters.nodes - self.published, Relaxed);
        self.published = self.counters.nodes;
    }

    /// Lists the children of the current position.
    pub fn expand(&mut self) -> ExpandedNode {
        let key = self.current_key();
        let ply = self.path.ply();
        let entry = self.shared.table.get(key).unwrap_or(UNKNOWN);
        let distance = match entry.length {
            _ if entry.work == 0 => ply as u16,
            // A solved position that is searched again has lost its distance; the rank stands in
            // for it.
            Length::Distance(plies) | Length::Rank(plies) | Length::Dependency(plies) => plies.min(ply as u16),
        };
        let prover_moves = self.path.prover_moves();
        let node = ExpandedNode {
            begin: self.children.len(),
            key,
            entry: Entry { length: Length::Distance(distance), ..entry },
            nodes_before: self.counters.nodes,
            prover_moves,
        };
        self.count_expansion(ply);
        let mut moves = std::mem::take(&mut self.moves);
        let mut successors = std::mem::take(&mut self.successors);
        moves.clear();
        successors.clear();
        self.path.position().legal_moves(&mut moves);
        self.play_moves(&moves, &mut successors, prover_moves);
        self.add_children(&moves, &successors, distance, &node);
        (self.moves, self.successors) = (moves, successors);
        node
    }

    #[inline]
    fn count_expansion(&mut self, ply: u32) {
        self.counters.expansions += 1;
        self.counters.depth = self.counters.depth.max(ply + 1);
        if ply >= self.shared.deepest.load(Relaxed) {
            self.shared.deepest.fetch_max(ply + 1, Relaxed);
        }
        if self.counters.expansions.is_multiple_of(CYCLING_CHECK) && !self.shared.pass.is_last_resort() {
            let most = (CYCLING_CHECK as f64).max(CYCLING_EXPANSIONS * self.table_entries());
            self.is_cycling = self.counters.expansions as f64 > most;
        }
        if self.shared.is_parallel() && self.counters.expansions.is_multiple_of(ANCESTOR_CHECK) {
            self.publish_nodes();
            self.check_ancestors();
        }
    }

    /// Plays all moves and prefetches their table entries. A move that ends the path with the goal
    /// of the player to move becomes the only child.
    #[inline]
    fn play_moves(&mut self, moves: &[G::Move], successors: &mut Vec<Successor<G>>, prover_moves: bool) {
        for (move_index, &mv) in moves.iter().enumerate() {
            if !self.count_node() {
                break;
            }
            let successor = self.path.successor(mv);
            if let Some(end) = successor.end
                && phi_delta(of_answer(end.holds), prover_moves).0 == 0
            {
                successors.clear();
                self.children.push(self.ended_child(mv, end, move_index));
                break;
            }
            // The table is far larger than any cache: the entry arrives while the other moves are
            // played.
            if successor.end.is_none() {
                self.shared.table.prefetch(self.shared.key(&successor));
            }
            successors.push(successor);
        }
    }

    /// Adds the successors to the list of children. A child that solves the node remains the only
    /// one.
    #[inline]
    fn add_children(&mut self, moves: &[G::Move], successors: &[Successor<G>], distance: u16, node: &ExpandedNode) {
        let mut solving: Option<Child<G::Move>> = None;
        for (move_index, (&mv, successor)) in moves.iter().zip(successors).enumerate() {
            if self.stopped {
                break;
            }
            let child = match successor.end {
                Some(end) => self.ended_child(mv, end, move_index),
                None => self.open_child(mv, successor, move_index, distance),
            };
            if phi_delta(child.numbers, node.prover_moves).0 > 0 {
                self.children.push(child);
                continue;
            }
            if solving.is_none_or(|other| child.rank < other.rank) {
                solving = Some(child);
            }
            // Any solving child is enough. But where positions repeat, proofs are extracted by
            // decreasing ranks, and the child of the lowest rank leads closest to the end.
            if self.shared.pass.model.cycles == CycleRule::Impossible {
                break;
            }
        }
        if let Some(child) = solving {
            self.children.truncate(node.begin);
            self.children.push(child);
        }
    }

    /// A child at which the path ends.
    fn ended_child(&self, mv: G::Move, end: PathEnd, move_index: usize) -> Child<G::Move> {
        let PathEnd { holds, mut depends_on } = end;
        let mut numbers = of_answer(holds);
        if self.shared.pass.cycles_are_open && depends_on != Dependency::PATH_INDEPENDENT {
            let finite = |number: u32| number.clamp(1, LARGEST);
            numbers = ProofNumbers { proof: finite(numbers.proof), disproof: finite(numbers.disproof) };
            depends_on = Dependency::PATH_INDEPENDENT;
        }
        let move_index = move_index as u16;
        Child { mv, numbers, depends_on, rank: 0, key: 0, move_index, is_non_increasing: false, replayable: None }
    }

    /// A child whose numbers come from the table, or are initial numbers.
    #[inline]
    fn open_child(
        &mut self,
        mv: G::Move,
        successor: &Successor<G>,
        move_index: usize,
        distance: u16,
    ) -> Child<G::Move> {
        let (key, entry, depends_on) = self.shared.look_up(&self.path, successor);
        let mut child = Child {
            mv,
            numbers: UNKNOWN_NUMBERS,
            depends_on,
            rank: 0,
            key,
            move_index: move_index as u16,
            is_non_increasing: false,
            replayable: None,
        };
        match entry {
            Some(entry) => {
                self.counters.hits += 1;
                child.numbers = entry.numbers;
                child.rank = entry.rank();
                if let Length::Distance(child_distance) = entry.length {
                    let can_repeat = self.shared.pass.model.cycles != CycleRule::Impossible;
                    child.is_non_increasing = can_repeat && child_distance <= distance;
                    child.replayable = replayable(&entry);
                }
            }
            None => (child.numbers, child.rank) = self.initial(mv, successor),
        }
        child
    }

    /// The numbers of a position that is not in the table, and its rank if an earlier question
    /// solves it.
    fn initial(&mut self, mv: G::Move, successor: &Successor<G>) -> (ProofNumbers, u16) {
        if let Some((holds, entry)) = self.shared.implied(&self.path, successor) {
            return (of_answer(holds), entry.rank());
        }
        let depth = self.path.ply() + 1;
        let initial = self.initial;
        if !(0..initial.playouts_at(depth)).all(|_| self.count_playout()) {
            return (UNKNOWN_NUMBERS, 0);
        }
        let node = NewNode { position: &successor.position, reached: Some((self.path.position(), mv)), depth };
        (initial_numbers(&initial, node, &self.shared.question, &mut self.context), 0)
    }

    /// Computes the numbers of the current node from its children.
    pub fn tally(&mut self, node: &ExpandedNode) -> Tally {
        let Pass { sums, ties, .. } = self.shared.pass;
        let rule = TallyRule { sums, widening: self.shared.settings.widening, ties };
        let mut order = std::mem::take(&mut self.order);
        let is_shared = self.is_shared(node);
        let workers = |key| if is_shared { self.workers_below(key) } else { 0 };
        let tally = rule.tally(&self.children[node.begin..], node.prover_moves, workers, &mut order);
        self.order = order;
        tally
    }

    /// Whether the subtree of a node is large enough for workers to avoid each other there.
    #[inline]
    fn is_shared(&self, node: &ExpandedNode) -> bool {
        let spent = self.counters.nodes - node.nodes_before;
        self.shared.is_parallel() && u64::from(node.entry.work) + spent >= MIN_SHARED_WORK
    }

    #[inline]
    fn workers_below(&self, key: u64) -> u32 {
        match self.shared.worker_counter(key) {
            Some(count) if key != 0 => u32::from(count.load(Relaxed)),
            _ => 0,
        }
    }

    /// Whether the thresholds of a node are to be raised above its numbers (TCA, Kishimoto 2010).
    /// With a child of non-increasing distance, numbers may increase around a cycle forever, and no
    /// threshold would ever be large enough for a visit.
    pub fn controls_thresholds(&self, node: &ExpandedNode) -> bool {
        let is_open = |numbers: ProofNumbers| numbers.proof != 0 && numbers.disproof != 0;
        let mut children = self.children[node.begin..].iter();
        self.shared.settings.controls_thresholds
            && children.any(|child| child.is_non_increasing && is_open(child.numbers))
    }

    /// Looks a child up in the table again; returns whether its numbers have changed.
    pub fn refresh(&mut self, node: &ExpandedNode, number: usize) -> bool {
        let at = node.begin + number;
        let Child { mv, numbers, key, replayable: untried, .. } = self.children[at];
        let path_key = || self.path.successor_path_key(key, &self.path.position_after(mv));
        let (entry, depends_on) = self.shared.look_up_key(&self.path, key, path_key);
        // Lower numbers come from another path, or the entry was evicted meanwhile; to accept them
        // would be to repeat the same search forever.
        let is_news = |found: ProofNumbers| {
            found != numbers && found.proof >= numbers.proof && found.disproof >= numbers.disproof
                || found.proof == 0
                || found.disproof == 0
        };
        if let Some(entry) = entry
            && is_news(entry.numbers)
        {
            let child = &mut self.children[at];
            (child.numbers, child.depends_on, child.rank) = (entry.numbers, depends_on, entry.rank());
            if entry.answer().is_none() {
                child.replayable = replayable(&entry);
            }
            return true;
        }
        if let Some(holds) = untried {
            self.children[at].replayable = None;
            if let Some((depends_on, rank)) = self.replay_successor(mv, key, holds, entry) {
                let child = &mut self.children[at];
                (child.numbers, child.depends_on, child.rank) = (of_answer(holds), depends_on, rank);
                return true;
            }
        }
        false
    }

    /// Walks down to a child of the current node.
    pub fn descend(&mut self, node: &ExpandedNode, number: usize) {
        let Child { mv, key, .. } = self.children[node.begin + number];
        debug_assert!(key != 0, "the path ends at this child");
        self.push(self.path.position_after(mv), key);
        if self.shared.is_parallel() {
            let is_published = self.is_shared(node);
            self.is_published.push(is_published);
            if is_published && let Some(counter) = self.shared.worker_counter(key) {
                counter.fetch_add(1, Relaxed);
            }
        }
    }

    /// Returns from a child to the current node.
    pub fn ascend(&mut self, node: &ExpandedNode, number: usize, result: NodeResult) {
        let child = &mut self.children[node.begin + number];
        (child.numbers, child.depends_on, child.rank) = (result.numbers, result.depends_on, result.rank);
        let key = child.key;
        if self.is_published.pop() == Some(true)
            && let Some(counter) = self.shared.worker_counter(key)
        {
            counter.fetch_sub(1, Relaxed);
        }
        self.pop();
        if self.solved_ply.is_some_and(|ply| ply >= self.path.ply() as usize) {
            self.solved_ply = None;
        }
    }

    pub(super) fn push(&mut self, position: G, key: u64) {
        self.keys.push(key);
        self.path.push(position);
    }

    pub(super) fn pop(&mut self) {
        self.keys.pop();
        self.path.pop();
    }

    /// Checks whether another worker has solved a node on the path.
    fn check_ancestors(&mut self) {
        let plies_left = self.path.plies_left() + self.path.ply();
        let is_solved = |(ply, key): (u32, &u64)| {
            let counts = |entry: Entry| entry.answer().is_some() && !self.shared.is_near_cap(plies_left - ply, &entry);
            self.shared.table.get(*key).is_some_and(counts)
        };
        let ancestors = &self.keys[..self.keys.len() - 1];
        if let Some(ply) = (0..).zip(ancestors).position(is_solved) {
            self.solved_ply = Some(ply.saturating_sub(1));
        }
    }

    /// Ends the search at a node: stores its result and returns it.
    pub fn finish(&mut self, node: ExpandedNode, tally: Tally) -> NodeResult {
        let spent = u32::try_from(self.counters.nodes - node.nodes_before).unwrap_or(MAX_WORK);
        let work = node.entry.work.saturating_add(spent).max(1);
        let children = &self.children[node.begin..];
        let best = children[tally.best].move_index;
        debug_assert!(
            tally.phi > 0 || phi_delta(children[tally.best].numbers, node.prover_moves).0 == 0,
            "the child that solves a node is its best"
        );
        let result = if tally.is_solved() {
            // One child proves the goal of the player to move; its refutation needs all of them.
            let needed = if tally.phi == 0 { &children[tally.best..=tally.best] } else { children };
            let depends_on = needed.iter().map(|child| child.depends_on).min();
            let depends_on = self.path.dependency_of_node(depends_on.unwrap_or(Dependency::PATH_INDEPENDENT));
            let rank = needed.iter().map(|child| child.rank).max().map_or(1, |rank| (rank + 1).min(MAX_LENGTH));
            let result = NodeResult { numbers: tally.numbers, depends_on, rank };
            self.store_result(node.key, &node.entry, result, best, work);
            result
        } else {
            let entry = Entry { numbers: tally.numbers, work, best, ..node.entry };
            // Another worker may have solved it meanwhile.
            let is_solved = |entry: Entry| entry.answer().is_some();
            if !self.shared.is_parallel() || !self.shared.table.get(node.key).is_some_and(is_solved) {
                self.shared.table.put(node.key, entry);
            }
            NodeResult::unsolved(tally.numbers)
        };
        self.children.truncate(node.begin);
        result
    }

    /// Leaves a node whose expansion was interrupted.
    pub fn abandon(&mut self, node: ExpandedNode) -> NodeResult {
        self.children.truncate(node.begin);
        NodeResult::unsolved(if node.entry.answer().is_some() { UNKNOWN_NUMBERS } else { node.entry.numbers })
    }

    /// Whether the table has no entry for the current position.
    pub fn is_new_position(&self) -> bool {
        self.shared.table.get(self.current_key()).is_none()
    }

    /// The number of entries in the table.
    pub fn table_entries(&self) -> f64 {
        self.shared.table.load_factor() * self.shared.table.capacity() as f64
    }

    /// The smallest threshold that lets a child grow beyond a number.
    pub fn threshold_above(&self, number: u32) -> u32 {
        self.shared.settings.threshold_above(number)
    }
}
