//! Expansion: creates the children of a node, and tests new nodes for the end of the game.

use super::super::context::Values;
use super::super::interval::Interval;
use super::super::link::Link;
use super::super::params::NewChildren;
use super::super::proof_numbers::{self, UNKNOWN};
use super::super::tree::{MAX_CHILDREN, UNIT};
use super::{Step, Worker};
use crate::shallow::{Horizon, Settings, Shallow, Terminal, WIN};
use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::{Knowledge, Outcome, Player};

/// The result of an expansion.
pub(super) enum Expanded {
    /// The node has children.
    Done(Link),
    /// Another worker is creating the children.
    Busy,
    /// The tree has no room for the children.
    TreeFull,
}

impl<'s, G: Knowledge> Worker<'s, G> {
    /// Creates the children of the last node of the path.
    // Not inlined: most simulations expand at most one node, and the descent needs the registers.
    #[inline(never)]
    pub(super) fn expand(&mut self, step: Step<'s>) -> Expanded {
        let search = self.search;
        let params = search.params;
        let cell = &step.node.link;
        if !cell.begin_expansion(self.shared) {
            return Expanded::Busy;
        }
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.position.legal_moves(&mut moves);
        assert!(
            (1..=MAX_CHILDREN).contains(&moves.len()),
            "a position that is not terminal has 1 to {MAX_CHILDREN} moves, not {}",
            moves.len()
        );
        let link = self.shared_children(&moves).or_else(|| self.create_children(&mut moves));
        self.moves = moves;
        let Some(link) = link else {
            cell.store(Link::LEAF);
            return Expanded::TreeFull;
        };
        cell.store(link);
        // A node whose children were recycled has kept its proven interval.
        if params.backup.solver && search.interval_of(step.id) != search.range {
            cell.note_proofs(self.shared);
        }
        self.counters.expansions += 1;
        let last = self.path.len() - 1;
        // New children are tested here only if all are; shared ones may be solved by another path.
        let is_tested = params.expansion.new_children == NewChildren::All || self.transpositions;
        if params.backup.solver && is_tested {
            self.path[last].narrowed |= search.narrow(step.id, step.mover, link);
        }
        if params.selection.pn.is_some() {
            self.path[last].renumbered |= self.renumber(step.id, step.mover, link);
        }
        Expanded::Done(link)
    }

    /// The children of an equal position, if the index has one.
    fn shared_children(&mut self, moves: &[G::Move]) -> Option<Link> {
        let (first, count) = self.search.index?.find(self.position.position().key())?;
        let block = self.search.tree.block(Link::new(first, count, count));
        // Keys may collide, and the history may forbid different moves: the moves must be the same.
        if count != moves.len() || !(0..count).all(|child| moves.contains(&block.mv(child))) {
            return None;
        }
        self.counters.hits += 1;
        Some(self.link_to(first, count))
    }

    /// Allocates and fills a block for the children; `None` if the tree is full.
    fn create_children(&mut self, moves: &mut [G::Move]) -> Option<Link> {
        let search = self.search;
        self.order(moves);
        let first = self.region.allocate(search.tree, moves.len())?;
        self.fill_columns(first, moves);
        if search.params.expansion.new_children == NewChildren::All {
            self.counters.nodes += moves.len() as u64;
            self.test_children(first, moves);
        }
        if let Some(index) = search.index {
            index.insert(self.position.position().key(), first, moves.len());
        }
        Some(self.link_to(first, moves.len()))
    }

    /// The link to new children.
    fn link_to(&self, first: u32, count: usize) -> Link {
        Link::new(first, count, if self.scores_unvisited { count } else { 0 })
    }

    /// Puts the moves into the order in which they will be opened, unless that is drawn later.
    fn order(&mut self, moves: &mut [G::Move]) {
        if self.draws_children {
            return;
        }
        for at in (1..moves.len()).rev() {
            moves.swap(at, self.playout.rng.below(at + 1));
        }
        if self.search.params.expansion.widening.is_some() {
            let position = self.position.position();
            moves.sort_by_cached_key(|&mv| Reverse(position.move_order(mv).unwrap_or(0)));
        }
    }

    /// Writes the moves of new children and the initial values of their columns.
    fn fill_columns(&self, first: u32, moves: &[G::Move]) {
        let search = self.search;
        let columns = search.tree.columns();
        let (chunk, begin) = search.tree.at(first);
        let position = self.position.position();
        let end = begin + moves.len();
        for (cell, &mv) in chunk.moves[begin..end].iter().zip(moves) {
            cell.store(mv);
        }
        if columns.indices {
            for (cell, &mv) in chunk.indices[begin..end].iter().zip(moves) {
                cell.store(position.move_index(mv) as u32, Relaxed);
            }
        }
        if let Some(transitions) = search.transitions.filter(|_| columns.probabilities) {
            for (cell, &mv) in chunk.probabilities[begin..end].iter().zip(moves) {
                let probability = transitions.probability(position, mv, search.facts.move_indices);
                cell.store(probability.to_bits(), Relaxed);
            }
        }
        if columns.bounds {
            chunk.bounds[begin..end].iter().for_each(|cell| cell.store(search.range));
        }
        for column in [&chunk.proof, &chunk.second_proof] {
            if !column.is_empty() {
                column[begin..end].iter().for_each(|cell| cell.store(proof_numbers::pack(UNKNOWN), Relaxed));
            }
        }
    }

    /// Tests all new children for the end of the game.
    fn test_children(&mut self, first: u32, moves: &[G::Move]) {
        let search = self.search;
        let columns = search.tree.columns();
        if !columns.bounds && !columns.proof {
            return;
        }
        for (id, &mv) in (first..).zip(moves) {
            let Some(outcome) = self.position.outcome_after(mv) else { continue };
            if columns.bounds {
                let (chunk, at) = search.tree.at(id);
                chunk.bounds[at].store(search.interval(&outcome));
            }
            if columns.proof {
                self.number_terminal(id, &outcome);
            }
        }
    }

    /// Tests the last node of the path, which is new, for the end of the game, evaluates it as the
    /// options require, and plays it out.
    #[inline]
    pub(super) fn open<const PLAIN: bool>(&mut self) -> Values {
        let params = self.search.params;
        if PLAIN || params.expansion.new_children == NewChildren::One {
            self.counters.nodes += 1;
        }
        if let Some(outcome) = self.position.outcome() {
            return self.open_terminal(&outcome);
        }
        if !PLAIN && params.selection.implicit.is_some() {
            self.store_implicit_evaluation();
        }
        if !PLAIN {
            self.evaluate_if_due(self.path[self.path.len() - 1]);
        }
        if params.backup.lookahead
            && let Some(values) = self.solve_by_lookahead()
        {
            return values;
        }
        if !PLAIN
            && self.proves_unvisited
            && params.hybrids.selection_minimax.is_some_and(|minimax| minimax.visits == 0)
            && let Some(values) = self.search_new_node()
        {
            return values;
        }
        self.play_out()
    }

    /// Records that the last node of the path is terminal.
    #[inline(never)]
    fn open_terminal(&mut self, outcome: &Outcome) -> Values {
        let search = self.search;
        let values = self.end_in_tree(outcome);
        let last = self.path.len() - 1;
        let step = self.path[last];
        if search.params.backup.solver {
            self.path[last].narrowed = self.narrow_to(step, search.interval(outcome));
        }
        if search.params.selection.pn.is_some() {
            self.path[last].renumbered = self.number_terminal(step.id, outcome);
        }
        let (chunk, at) = search.tree.at(step.id);
        let value = values[step.chooser.index()] as f32 / UNIT;
        if !chunk.priors.is_empty() {
            chunk.set_prior(at, value);
        }
        if let Some(cell) = chunk.implicit.get(at) {
            cell.store(value.to_bits(), Relaxed);
        }
        values
    }

    /// Narrows the interval of the last node of the path by a one-ply search, and returns its
    /// values if it is solved.
    #[inline(never)]
    fn solve_by_lookahead(&mut self) -> Option<Values> {
        let last = self.path.len() - 1;
        let step = self.path[last];
        let interval = self.look_ahead(step.mover)?;
        self.path[last].narrowed = self.narrow_to(step, interval);
        self.solved_values(step)
    }

    fn narrow_to(&self, step: Step<'s>, interval: Interval) -> bool {
        let (chunk, at) = self.search.tree.at(step.id);
        chunk.bounds[at].narrow(interval)
    }

    /// Stores the evaluation of the last node of the path for the player who chose it, which
    /// implicit minimax backs up.
    fn store_implicit_evaluation(&self) {
        let step = self.path[self.path.len() - 1];
        let value = self.search.evaluation(self.position.position(), step.chooser);
        let (chunk, at) = self.search.tree.at(step.id);
        chunk.implicit[at].store(value.to_bits(), Relaxed);
    }

    /// The interval proven by the terminal positions one move ahead: a move that wins, or that all
    /// moves lose.
    ///
    /// The shallow search has one value for open positions. Counted as the worst, they show what
    /// the player to move secures; counted as the best, what it can still hope for.
    fn look_ahead(&mut self, mover: Player) -> Option<Interval> {
        let Worker { search, position, playout, tools, .. } = self;
        let (maximises, range) = (search.maximises(mover), search.range);
        let counts_results = search.params.counts_results(&search.facts);
        let (terminal, unit) =
            if counts_results { (Terminal::Result, WIN) } else { (Terminal::Score(range.low, range.high), 1) };
        let mut value = |open: i32| {
            let horizon = Horizon::Fixed(open * unit);
            let settings = Settings { terminal, horizon, ..Settings::results(search.bounded_player) };
            let mut shallow = Shallow::new(settings, &mut playout.rng, &mut tools.buffers);
            (shallow.value(position, 1) / unit, shallow.nodes)
        };
        let (worst, best) = if maximises { (range.low, range.high) } else { (range.high, range.low) };
        let (secured, nodes) = value(worst);
        // The best possible result cannot be improved.
        let hoped = if secured == best { best } else { value(best).0 };
        self.counters.nodes += nodes;
        let interval =
            if maximises { Interval { low: secured, high: hoped } } else { Interval { low: hoped, high: secured } };
        (interval != range).then_some(interval)
    }
}
