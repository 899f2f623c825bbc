//! The recursive search: principal variation search with transposition and null-move cutoffs.

use super::bounds::NodeResult;
use super::order::OrderedMove;
use super::table::{Entry, NO_MOVE, ValueKind};
use super::{HistoryMode, Run, Window};
use tesuji_core::{History, Knowledge, Player};

/// The depth reduction of a null move. Raising it makes null moves cheaper and less reliable.
const NULL_REDUCTION: i32 = 2;
/// The remaining depth above which enhanced transposition cutoffs are tried. Nearer to the leaves
/// they cost more than they save.
const ETC_DEPTH: i32 = 2;

impl<G: Knowledge> Run<'_, '_, '_, G> {
    /// Returns the result of a move for `mover`, or `None` if the search was stopped.
    ///
    /// `window` is that of the current node. With `scout`, a null window first tests whether the
    /// move is better than alpha at all.
    pub(super) fn search_move(
        &mut self,
        mv: G::Move,
        mover: Player,
        window: Window,
        scout: bool,
    ) -> Option<NodeResult> {
        if !self.ticker.node() {
            return None;
        }
        self.counters.nodes += 1;
        if self.ticker.is_due() {
            self.root.counters = self.counters;
            self.control.show(&self.root);
        }
        self.history.play(mv);
        let result = self.search_child(mover, window.child(), scout);
        self.history.undo();
        result.map(NodeResult::one_ply_earlier)
    }

    /// Searches the current position for the player who moved to it.
    fn search_child(&mut self, mover: Player, window: Window, scout: bool) -> Option<NodeResult> {
        self.enter(window.ply);
        if let Some(outcome) = self.history.outcome() {
            let value = self.scale.score(outcome.score(self.scale.player), mover);
            let is_proven = self.mode.is_by_path() || !self.history.ended_by_history();
            let range = self.scale.range(mover);
            return Some(if is_proven { NodeResult::exact(value) } else { NodeResult::unproven(value, range) });
        }
        let Window { alpha, beta, .. } = window;
        if !scout || self.params.plain || beta - alpha <= 1 {
            return self.search_for(mover, window);
        }
        let scouted = self.search_for(mover, Window { beta: alpha + 1, ..window })?;
        if scouted.value <= alpha || scouted.value >= beta || scouted.is_exact() {
            return Some(scouted);
        }
        Some(self.search_for(mover, window)?.within(&scouted))
    }

    /// Searches a non-terminal position for `player`, who need not be to move.
    fn search_for(&mut self, player: Player, window: Window) -> Option<NodeResult> {
        let mover = self.history.position().to_move();
        if mover == player {
            self.search_node(mover, window, true)
        } else {
            self.search_node(mover, window.negated(), true).map(NodeResult::negated)
        }
    }

    /// Searches a non-terminal position for the player to move.
    fn search_node(&mut self, mover: Player, window: Window, allows_null: bool) -> Option<NodeResult> {
        if window.depth <= 0 {
            return self.quiescence(mover, window);
        }
        let range = self.scale.range(mover);
        let mut known = NodeResult::unproven(0, range);
        let key = self.history.position().key();
        let stored = self.probe(key);
        if let Some(entry) = &stored {
            self.counters.hits += 1;
            if !self.mode.is_by_path() {
                known = entry.result;
                if known.at_least >= window.beta || known.is_exact() {
                    return Some(NodeResult { value: known.at_least, ..known });
                }
                if known.at_most <= window.alpha {
                    return Some(NodeResult { value: known.at_most, ..known });
                }
            }
            if self.table_cuts() && i32::from(entry.depth) >= window.depth && entry.cuts(&window) {
                self.horizons += u64::from(!entry.complete);
                return Some(NodeResult { value: entry.result.value, ..known }.within(&known));
            }
        }
        let horizons = self.horizons;
        if allows_null && let Some(value) = self.null_move_cutoff(mover, window)? {
            return Some(NodeResult::unproven(value, range).within(&known));
        }
        let mut list = self.generate_moves();
        let tries_etc = self.params.etc && self.table_cuts() && window.depth > ETC_DEPTH;
        let cutoff = if tries_etc { self.transposition_cutoff(&list, mover, window) } else { None };
        let (result, best) = match cutoff {
            Some(found) => found,
            None => self.search_list(&mut list, stored.map_or(NO_MOVE, |entry| entry.best), mover, window)?,
        };
        self.spare_lists.push(list);
        let result = result.within(&known);
        if let Some(table) = &mut self.table {
            let entry = Entry {
                result: if self.mode.is_by_path() { NodeResult::unproven(result.value, range) } else { result },
                kind: ValueKind::of(result.value, &window),
                depth: window.depth.min(255) as u8,
                complete: self.horizons == horizons,
                best: u16::try_from(best).unwrap_or(NO_MOVE),
            };
            self.counters.recycled += u64::from(table.store(key, entry));
        }
        Some(result)
    }

    /// Searches the moves of a node, best first, until one causes a cutoff.
    ///
    /// Returns the result and the index of the best move. `table_move` is the index of the move to
    /// search first, or [`NO_MOVE`].
    fn search_list(
        &mut self,
        list: &mut [OrderedMove<G::Move>],
        table_move: u16,
        mover: Player,
        mut window: Window,
    ) -> Option<(NodeResult, u32)> {
        // The table move is searched before priorities are assigned to the others.
        let found = list.iter().position(|ordered| table_move != NO_MOVE && ordered.index == u32::from(table_move));
        if let Some(at) = found {
            list[..=at].rotate_right(1);
        }
        let unordered = usize::from(found.is_some());
        let mut best: Option<(NodeResult, u32)> = None;
        let mut searched = 0;
        for number in 0..self.width(list.len()) {
            if number >= unordered && !self.params.plain {
                let rest = &mut list[number..];
                self.ordering.select(self.history.position(), rest, number - unordered, mover, window.ply);
            }
            let OrderedMove { mv, index, .. } = list[number];
            let result = self.search_move(mv, mover, window, number > 0)?;
            searched += 1;
            best = match best {
                None => Some((result, index)),
                Some((other, best_index)) => {
                    Some((other.max(&result), if result.value > other.value { index } else { best_index }))
                }
            };
            self.ordering.record_search(index, mover);
            if result.value > window.alpha {
                window.alpha = result.value;
                // Also at a cutoff: the move that cuts is the one to report.
                self.update_variation(mv, window.ply);
                if window.alpha >= window.beta {
                    self.ordering.record_cutoff(mv, index, mover, window.ply);
                    break;
                }
            }
        }
        let (result, index) = best.expect("a position that is not terminal has a legal move");
        let is_partial = searched < list.len();
        Some((if is_partial { result.without_upper_bound(self.scale.range(mover).1) } else { result }, index))
    }

    /// Looks for a child in the table whose value causes a cutoff (Schaeffer and Plaat 1996).
    fn transposition_cutoff(
        &mut self,
        list: &[OrderedMove<G::Move>],
        mover: Player,
        window: Window,
    ) -> Option<(NodeResult, u32)> {
        let range = self.scale.range(mover);
        for ordered in list {
            self.history.play(ordered.mv);
            let next = self.history.position();
            let (key, same_mover) = (next.key(), next.to_move() == mover);
            let is_over = self.history.is_over();
            self.history.undo();
            let stored = if is_over { None } else { self.probe(key) };
            let Some(entry) = stored else { continue };
            let child = if same_mover { entry.result } else { entry.result.negated() }.one_ply_earlier();
            // Other moves may be better, so the upper bound stays open.
            if !self.mode.is_by_path() && child.at_least >= window.beta {
                let result = NodeResult { value: child.at_least, ..child };
                return Some((result.without_upper_bound(range.1), ordered.index));
            }
            let lower_bound = if same_mover { ValueKind::LowerBound } else { ValueKind::UpperBound };
            let is_lower_bound = entry.kind == ValueKind::Exact || entry.kind == lower_bound;
            if i32::from(entry.depth) + 1 >= window.depth && is_lower_bound && child.value >= window.beta {
                self.horizons += u64::from(!entry.complete);
                return Some((NodeResult::unproven(child.value, range), ordered.index));
            }
        }
        None
    }

    /// Searches the position after a null move with reduced depth (Donninger 1993).
    ///
    /// Returns the value if it causes a cutoff. The outer `None` means that the search was stopped.
    fn null_move_cutoff(&mut self, mover: Player, window: Window) -> Option<Option<i32>> {
        let (low, high) = self.scale.range(mover);
        let Window { beta, depth, ply, .. } = window;
        let is_verifying = self.mode == HistoryMode::Verify;
        if !G::NULL_MOVE_PRUNING
            || !self.params.nullmove
            || is_verifying
            || depth <= NULL_REDUCTION
            || beta <= low
            || beta >= high
        {
            return Some(None);
        }
        let passed = self.history.position().null_move();
        let passed = passed.filter(|passed| !passed.is_over() && passed.to_move() != mover);
        let Some(passed) = passed.filter(|_| self.evaluate(mover) >= beta) else { return Some(None) };
        if !self.ticker.node() {
            return None;
        }
        self.counters.nodes += 1;
        let horizons = self.horizons;
        // No move leads to this position, so it starts a new history. Only its value is used. Where
        // the history matters, the table must not store bounds found without the actual one.
        let new_history = History::from_position(self.history.rules().clone(), passed);
        let history = std::mem::replace(&mut self.history, new_history);
        let mode = self.mode;
        self.mode = mode.below_null_move();
        self.enter(ply + 1);
        let null_window = Window { alpha: -beta, beta: 1 - beta, depth: depth - 1 - NULL_REDUCTION, ply: ply + 1 };
        let result = self.search_node(mover.opponent(), null_window, false);
        (self.history, self.mode) = (history, mode);
        let value = -result?.value;
        self.horizons = horizons + u64::from(value >= beta);
        Some((value >= beta).then_some(value.min(high - 1)))
    }

    /// Whether stored values may cause cutoffs.
    pub(super) fn table_cuts(&self) -> bool {
        self.table.is_some() && self.mode != HistoryMode::Verify
    }

    pub(super) fn probe(&mut self, key: u64) -> Option<Entry> {
        self.table.as_mut().and_then(|table| table.find(key))
    }

    /// The number of moves to search in a position with `moves` moves.
    pub(super) fn width(&self, moves: usize) -> usize {
        if self.params.k == 0 { moves } else { moves.min(self.params.k) }
    }

    pub(super) fn generate_moves(&mut self) -> Vec<OrderedMove<G::Move>> {
        let mut list = self.spare_lists.pop().unwrap_or_default();
        list.clear();
        self.generated.clear();
        self.history.legal_moves(&mut self.generated);
        let position = self.history.position();
        let ordered = |&mv| OrderedMove { mv, index: position.move_index(mv) as u32, priority: 0 };
        list.extend(self.generated.iter().map(ordered));
        list
    }

    /// Makes room for a ply and clears its variation.
    fn enter(&mut self, ply: usize) {
        self.counters.depth = self.counters.depth.max(ply as u32);
        if self.variations.len() < ply + 2 {
            self.variations.resize(ply + 2, Vec::new());
            self.ordering.grow(ply + 2);
        }
        self.variations[ply].clear();
    }

    /// Sets the variation of a ply to a move followed by the variation of the next ply.
    fn update_variation(&mut self, mv: G::Move, ply: usize) {
        let (before, after) = self.variations.split_at_mut(ply + 1);
        before[ply].clear();
        before[ply].push(mv);
        before[ply].extend_from_slice(&after[0]);
    }
}
