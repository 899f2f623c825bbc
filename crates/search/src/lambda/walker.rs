//! A worker of lambda search: the path, the children of its nodes, and their results.
//!
//! The children of a node are *pseudo-nodes*: a move together with an order. An attacker's node of
//! order l has one for every move and every order up to l; a defender's node of order l has one of
//! order l for every move, and the pass of order l - 1.

use super::entry::{LambdaEntry, MAX_ORDER, Numbers};
use super::report::RunningSearch;
use super::shared::Shared;
use crate::proving::depth::{
    ANCESTOR_CHECK, CYCLING_CHECK, CYCLING_EXPANSIONS, MIN_SHARED_WORK, Numbered, Preference, Tally, TallyRule,
    threshold_above, worker_counter,
};
use crate::proving::initial::{NewNode, initial_numbers};
use crate::proving::numbers::{LARGEST, answer, of_answer};
use crate::proving::path::{CycleRule, Dependency, SearchPath, Successor};
use crate::proving::table::{MAX_LENGTH, MAX_WORK, NO_MOVE};
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::{Control, Counters, Knowledge, PlayoutContext, ProofNumbers, Rng, Ticker};

/// A move of an expanded node at an order.
#[derive(Clone, Copy, Debug)]
pub struct PseudoNode<M> {
    /// The move; `None` for the pass of a defender.
    pub mv: Option<M>,
    /// The numbers at this order.
    pub numbers: ProofNumbers,
    /// The order.
    pub order: u8,
    pub(super) key: u64,
    pub(super) depends_on: Dependency,
    pub(super) rank: u16,
    /// The index of the move among the legal moves.
    pub(super) move_index: u16,
    pub(super) is_non_increasing: bool,
    pub(super) is_summed: bool,
    pub(super) is_widened: bool,
}

impl<M> Numbered for PseudoNode<M> {
    #[inline]
    fn numbers(&self) -> ProofNumbers {
        self.numbers
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn is_non_increasing(&self) -> bool {
        self.is_non_increasing
    }

    #[inline]
    fn is_summed(&self) -> bool {
        self.is_summed
    }

    #[inline]
    fn is_widened(&self) -> bool {
        self.is_widened
    }
}

/// The result of the search at a node.
#[derive(Clone, Copy, Debug)]
pub struct NodeResult {
    /// The numbers of all orders.
    pub numbers: Numbers,
    /// The answer at the order that was searched.
    pub answer: Option<bool>,
    pub(super) depends_on: Dependency,
    pub(super) rank: u16,
}

impl NodeResult {
    /// The numbers of an order.
    pub fn numbers_at(&self, order: usize) -> ProofNumbers {
        self.numbers.at(order.max(1))
    }
}

/// The answer at a node that follows from its expansion alone.
#[derive(Clone, Copy, Debug)]
pub struct Settled {
    pub holds: bool,
    /// The highest order at which the attacker fails, or the lowest at which it succeeds.
    pub order: usize,
    pub depends_on: Dependency,
    pub rank: u16,
    pub best: u16,
}

/// An expanded node on the path. Its children are at the end of the walker's list.
pub struct ExpandedNode {
    pub(super) begin: usize,
    pub(super) key: u64,
    pub(super) order: usize,
    /// The entry of the table at the time of the expansion.
    pub(super) entry: LambdaEntry,
    pub(super) nodes_before: u64,
    /// Whether the attacker is to move.
    pub attacks: bool,
    /// With `classic`: the order that is searched at an attacker's node, and whether the moves of a
    /// defender's node wait for the pass.
    pub(super) stage: usize,
    pub settled: Option<Settled>,
    /// Whether all children are listed; a search that ends may have been interrupted before.
    pub is_complete: bool,
    /// Whether a defender's pass is already known to lose.
    pub(super) pass_loses: bool,
    /// The index of a move that reaches the goal at once if the defender passes.
    pub(super) threat: Option<usize>,
    /// What the results of solved children outside the list depend on, their largest rank, and the
    /// move that has it.
    pub(super) solved_depends_on: Dependency,
    pub(super) solved_rank: u16,
    pub(super) solved_best: u16,
}

/// A worker, which walks down one path at a time.
pub struct Walker<'w, 'c, 'a, G: Knowledge> {
    pub(super) shared: &'w Shared<'w, G>,
    pub(super) control: &'c Control<'a, G::Move>,
    pub(super) ticker: Ticker<'c, 'a, G::Move>,
    pub(super) path: SearchPath<'w, G>,
    rule: TallyRule,
    /// Whether a win answers the question with yes, and only a win does.
    pub(super) is_about_winning: bool,
    /// The table keys of the positions on the path, and the orders that are searched there.
    keys: Vec<u64>,
    orders: Vec<u8>,
    pub(super) children: Vec<PseudoNode<G::Move>>,
    /// Scratch buffers.
    pub(super) moves: Vec<G::Move>,
    pub(super) successors: Vec<(Successor<G>, u64)>,
    order: Vec<Preference>,
    pub(super) context: PlayoutContext<G::Move>,
    /// Lists of moves that are not in use.
    pub(super) spare_lists: Vec<Vec<G::Move>>,
    pub(super) counters: Counters,
    published: u64,
    pub(super) stopped: bool,
    is_published: Vec<bool>,
    is_cycling: bool,
    solved_ply: Option<usize>,
}

impl<'w, 'c, 'a, G: Knowledge> Walker<'w, 'c, 'a, G> {
    pub(super) fn new(
        shared: &'w Shared<'w, G>,
        rule: TallyRule,
        control: &'c Control<'a, G::Move>,
        worker: usize,
    ) -> Walker<'w, 'c, 'a, G> {
        let rng = Rng::stream(control.seed(), worker as u64);
        Walker {
            shared,
            control,
            ticker: control.ticker(worker),
            path: shared.root_path(),
            rule,
            is_about_winning: shared.question.at_least == 1 && shared.root.facts().sign_is_result(),
            keys: vec![shared.root_key()],
            orders: vec![shared.settings.order as u8],
            children: Vec::new(),
            moves: Vec::new(),
            successors: Vec::new(),
            order: Vec::new(),
            context: PlayoutContext::new(rng, shared.root.facts().length.plies()),
            spare_lists: Vec::new(),
            counters: Counters::default(),
            published: 0,
            stopped: false,
            is_published: Vec::new(),
            is_cycling: false,
            solved_ply: None,
        }
    }

    /// What the worker has done.
    pub(super) fn counters(&self) -> Counters {
        self.counters
    }

    /// The order of the search at the root.
    pub fn max_order(&self) -> usize {
        self.shared.settings.order
    }

    /// Whether the table has the failure of the maximal order at the root, as it does when a
    /// question is asked again while df-pn works on it.
    pub fn has_failed_before(&self) -> bool {
        let order = self.max_order();
        let root = self.shared.usable_entry(self.current_key(), &self.path);
        order > 0 && root.is_some_and(|entry| entry.numbers.answer(order) == Some(false))
    }

    /// Whether the search has to end.
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

    #[inline]
    pub(super) fn current_key(&self) -> u64 {
        *self.keys.last().expect("a path contains the root")
    }

    /// A child of a node.
    pub fn child(&self, node: &ExpandedNode, number: usize) -> &PseudoNode<G::Move> {
        &self.children[node.begin + number]
    }

    /// Counts a node; returns false if the search has to end.
    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
        let is_over = self.counters.nodes >= self.shared.granted || self.shared.done.load(Relaxed);
        if is_over || !self.ticker.node() {
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

    #[cold]
    fn publish_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.counters.nodes - self.published, Relaxed);
        self.published = self.counters.nodes;
    }

    #[inline]
    pub(super) fn count_expansion(&mut self) {
        let ply = self.path.ply();
        self.counters.expansions += 1;
        self.counters.depth = self.counters.depth.max(ply + 1);
        if ply >= self.shared.deepest.load(Relaxed) {
            self.shared.deepest.fetch_max(ply + 1, Relaxed);
        }
        if self.counters.expansions.is_multiple_of(CYCLING_CHECK) {
            let entries = self.shared.table.load_factor() * self.shared.table.capacity() as f64;
            let most = (CYCLING_CHECK as f64).max(CYCLING_EXPANSIONS * entries);
            self.is_cycling = self.counters.expansions as f64 > most;
        }
        if self.shared.is_parallel() && self.counters.expansions.is_multiple_of(ANCESTOR_CHECK) {
            self.publish_nodes();
            self.check_ancestors();
        }
    }

    /// The numbers of a position that is not in the table.
    #[inline]
    pub(super) fn initial(&mut self, position: &G) -> Numbers {
        let initial = &self.shared.settings.initial;
        let depth = self.path.ply() + 1;
        let node = NewNode { position, reached: None, depth };
        Numbers::initial(initial_numbers(initial, node, &self.shared.question, &mut self.context))
    }

    /// Computes the numbers of the current node from its children, moving on to the next stage of a
    /// `classic` search where one has ended; that may settle the node.
    pub fn tally(&mut self, node: &mut ExpandedNode) -> Tally {
        loop {
            let tally = self.tally_children(node);
            if self.must_leave() || !self.next_stage(node, &tally) || node.settled.is_some() {
                return tally;
            }
        }
    }

    fn tally_children(&mut self, node: &ExpandedNode) -> Tally {
        let mut order = std::mem::take(&mut self.order);
        let is_shared = self.is_shared(node);
        let workers = |key| if is_shared { self.workers_below(key) } else { 0 };
        let tally = self.rule.tally(&self.children[node.begin..], node.attacks, workers, &mut order);
        self.order = order;
        #[cfg(test)]
        let tally = super::tests::damaged(tally, &self.children[node.begin..], node.attacks);
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
        worker_counter(&self.shared.workers_below, key).map_or(0, |count| u32::from(count.load(Relaxed)))
    }

    /// Whether the thresholds of a node are to be raised above its numbers (TCA, Kishimoto 2010).
    pub fn controls_thresholds(&self, node: &ExpandedNode) -> bool {
        let mut children = self.children[node.begin..].iter();
        self.shared.settings.controls_thresholds
            && children.any(|child| child.is_non_increasing && answer(child.numbers).is_none())
    }

    /// The smallest threshold that lets a child grow beyond a number.
    pub fn threshold_above(&self, number: u32) -> u32 {
        threshold_above(number, self.shared.settings.epsilon)
    }

    /// The position after the move of a child.
    pub(super) fn position_after(&self, mv: Option<G::Move>) -> G {
        match mv {
            Some(mv) => self.path.position_after(mv),
            None => self.path.position().null_move().expect("a child exists only if a pass does"),
        }
    }

    /// Looks a child up in the table again; returns whether its numbers have changed.
    pub fn refresh(&mut self, node: &ExpandedNode, number: usize) -> bool {
        let at = node.begin + number;
        let PseudoNode { mv, numbers, key, order, .. } = self.children[at];
        let path_key = || self.path.successor_path_key(key, &self.position_after(mv));
        let Some(known) = self.shared.look_up_key(&self.path, key, path_key) else { return false };
        let (found, depends_on) = known.at(usize::from(order));
        // Lower numbers come from another path, or the entry was evicted meanwhile.
        let is_news = found != numbers && found.proof >= numbers.proof && found.disproof >= numbers.disproof
            || answer(found).is_some();
        if is_news {
            let child = &mut self.children[at];
            (child.numbers, child.depends_on, child.rank) = (found, depends_on, known.rank);
        }
        is_news
    }

    /// Walks down to a child of the current node.
    pub fn descend(&mut self, node: &ExpandedNode, number: usize) {
        let PseudoNode { mv, key, order, .. } = self.children[node.begin + number];
        self.push(self.position_after(mv), key, order);
        if self.shared.is_parallel() {
            let is_published = self.is_shared(node);
            self.is_published.push(is_published);
            if is_published && let Some(counter) = worker_counter(&self.shared.workers_below, key) {
                counter.fetch_add(1, Relaxed);
            }
        }
    }

    /// Returns from a child to the current node. What the search of one order has solved at others
    /// is news for the same move at those orders.
    pub fn ascend(&mut self, node: &ExpandedNode, number: usize, result: NodeResult) {
        let PseudoNode { key, mv, order: searched, .. } = self.children[node.begin + number];
        for child in &mut self.children[node.begin..] {
            if child.key != key || child.mv != mv {
                continue;
            }
            let numbers = result.numbers.at(usize::from(child.order));
            if child.order == searched || answer(numbers).is_some() && answer(child.numbers).is_none() {
                (child.numbers, child.depends_on, child.rank) = (numbers, result.depends_on, result.rank);
            }
        }
        if self.is_published.pop() == Some(true)
            && let Some(counter) = worker_counter(&self.shared.workers_below, key)
        {
            counter.fetch_sub(1, Relaxed);
        }
        self.pop();
        if self.solved_ply.is_some_and(|ply| ply >= self.path.ply() as usize) {
            self.solved_ply = None;
        }
    }

    pub(super) fn push(&mut self, position: G, key: u64, order: u8) {
        self.keys.push(key);
        self.orders.push(order);
        self.path.push(position);
    }

    pub(super) fn pop(&mut self) {
        self.keys.pop();
        self.orders.pop();
        self.path.pop();
    }

    /// Checks whether another worker has solved a node on the path.
    fn check_ancestors(&mut self) {
        let plies_left = self.path.plies_left() + self.path.ply();
        let is_solved = |(ply, (key, &order)): (u32, (&u64, &u8))| {
            let counts = |entry: LambdaEntry| {
                order > 0
                    && entry.numbers.answer(usize::from(order)).is_some()
                    && !self.shared.is_near_cap(plies_left - ply, entry.rank)
            };
            self.shared.table.get(*key).is_some_and(counts)
        };
        let ancestors = self.keys[..self.keys.len() - 1].iter().zip(&self.orders);
        if let Some(ply) = (0..).zip(ancestors).position(is_solved) {
            self.solved_ply = Some(ply.saturating_sub(1));
        }
    }

    /// Ends the search at a node: stores its result and returns it.
    pub fn finish(&mut self, node: ExpandedNode, tally: &Tally) -> NodeResult {
        let children = &self.children[node.begin..];
        let best = children.get(tally.best).map_or(NO_MOVE, |child| child.move_index);
        let settled = tally.is_solved().then(|| {
            let holds = tally.numbers.proof == 0;
            let needed = if tally.phi == 0 { &children[tally.best..=tally.best] } else { children };
            let of_list = needed.iter().map(|child| child.depends_on).min();
            let of_list = of_list.unwrap_or(Dependency::PATH_INDEPENDENT);
            let depends_on = if tally.phi == 0 { of_list } else { of_list.min(node.solved_depends_on) };
            // The pass is not a move of the proof.
            let moves = needed.iter().filter(|child| child.mv.is_some());
            let longest =
                moves.max_by_key(|child| child.rank).map_or((0, best), |child| (child.rank, child.move_index));
            let (rank, best) = match tally.phi {
                0 => longest,
                _ => longest.max((node.solved_rank, node.solved_best)),
            };
            Settled { holds, order: node.order, depends_on, rank: (rank + 1).min(MAX_LENGTH), best }
        });
        self.leave(node, tally.numbers, settled, best)
    }

    /// Stores the result of a node that its expansion has settled.
    pub fn finish_settled(&mut self, node: ExpandedNode) -> NodeResult {
        let settled = node.settled.expect("the node is settled");
        self.leave(node, of_answer(settled.holds), Some(settled), settled.best)
    }

    fn leave(&mut self, node: ExpandedNode, numbers: ProofNumbers, settled: Option<Settled>, best: u16) -> NodeResult {
        self.children.truncate(node.begin);
        let spent = u32::try_from(self.counters.nodes - node.nodes_before).unwrap_or(MAX_WORK);
        let work = node.entry.work.saturating_add(spent).max(1);
        // Searches below, and other workers, may have found results of other orders meanwhile.
        let now = self.shared.usable_entry(node.key, &self.path).unwrap_or(node.entry);
        let mut entry = LambdaEntry { work, distance: node.entry.distance.min(now.distance), ..now };
        let Some(settled) = settled else {
            if node.order > 0 {
                entry.numbers.set(node.order, numbers);
            }
            if !entry.numbers.is_proven() {
                entry.best = best;
            }
            self.shared.table.put(node.key, entry);
            return NodeResult {
                numbers: entry.numbers,
                answer: (node.order > 0).then(|| entry.numbers.answer(node.order)).flatten(),
                depends_on: Dependency::PATH_INDEPENDENT,
                rank: entry.rank,
            };
        };
        self.store(node.key, entry, node.order, settled)
    }

    /// Stores the answer at an order: for every path, or, if it depends on the path, for this one.
    pub(super) fn store(&self, key: u64, mut entry: LambdaEntry, searched: usize, settled: Settled) -> NodeResult {
        let table = self.shared.table;
        let Settled { holds, order, best, rank, .. } = settled;
        let depends_on = self.path.dependency_of_node(settled.depends_on);
        let learn = |into: &mut LambdaEntry| {
            let is_better = holds && (!into.numbers.is_proven() || rank < into.rank);
            if is_better || !into.numbers.is_proven() {
                (into.best, into.rank) = (best, if holds { rank } else { 0 });
            }
            match order {
                // Only a proof has order 0: a failure there is no news.
                0 if holds => into.numbers.set(1, of_answer(true)),
                0 => {}
                _ => into.numbers.set(order, of_answer(holds)),
            }
        };
        if depends_on == Dependency::PATH_INDEPENDENT {
            learn(&mut entry);
            table.put(key, entry);
        } else {
            let path_key = self.path.path_key(key);
            let of_path = table.get(path_key).filter(|_| entry.solved_on_a_path);
            table.put(key, LambdaEntry { solved_on_a_path: true, ..entry });
            let ply = (depends_on.ply() + 1) as u16;
            let mut result = of_path.unwrap_or(LambdaEntry { solved_on_a_path: false, ..entry });
            let distance = of_path.map_or(ply, |earlier| earlier.distance.min(ply));
            learn(&mut result);
            table.put(path_key, LambdaEntry { distance, work: entry.work, ..result });
            entry.numbers = result.numbers;
        }
        let answer = if searched == 0 { Some(holds) } else { entry.numbers.answer(searched) };
        NodeResult { numbers: entry.numbers, answer, depends_on, rank }
    }

    /// Leaves a node whose expansion was interrupted.
    pub fn abandon(&mut self, node: ExpandedNode) -> NodeResult {
        self.children.truncate(node.begin);
        let depends_on = Dependency::PATH_INDEPENDENT;
        let mut numbers = node.entry.numbers;
        if node.order > 0 && numbers.answer(node.order).is_some() {
            numbers = Numbers::initial(crate::proving::depth::UNKNOWN_NUMBERS);
        }
        NodeResult { numbers, answer: None, depends_on, rank: 0 }
    }

    /// Whether positions can repeat.
    pub(super) fn can_repeat(&self) -> bool {
        self.shared.pass.model.cycles != CycleRule::Impossible
    }
}

const _: () = assert!(MAX_ORDER < 8, "the orders of a path are a bit set");
