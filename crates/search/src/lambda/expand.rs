//! The expansion of a node: its pseudo-nodes, and what settles it at once.

use super::entry::{LambdaEntry, MAX_ORDER};
use super::settings::{DisproofOrders, PassStrategy};
use super::shared::Known;
use super::walker::{ExpandedNode, PseudoNode, Settled, Walker};
use crate::proving::depth::Tally;
use crate::proving::numbers::{DISPROVEN, answer, phi_delta};
use crate::proving::path::{Dependency, PathEnd, Successor};
use crate::proving::table::{MAX_LENGTH, NO_MOVE};
use tesuji_core::{ImmediateWin, Knowledge};

/// What a pass at a defender's node shows.
enum PassTest<M> {
    /// The pass loses at a lower order: the attacker's last move was a threat. At order 0, by the
    /// move with this index.
    Loses(Dependency, Option<usize>),
    /// It does not, at any order up to this one of the node.
    Holds(Dependency, usize),
    /// It has to be searched.
    Open(PseudoNode<M>),
}

impl<G: Knowledge> Walker<'_, '_, '_, G> {
    /// Lists the children of the current node for a search of an order.
    pub fn expand(&mut self, order: usize) -> ExpandedNode {
        let key = self.current_key();
        let ply = self.path.ply() as u16;
        let attacks = self.path.prover_moves();
        let entry = self.shared.usable_entry(key, &self.path).unwrap_or_else(|| {
            let position = self.path.position().clone();
            LambdaEntry::new(self.initial(&position), ply)
        });
        let mut node = ExpandedNode {
            begin: self.children.len(),
            key,
            order,
            entry: LambdaEntry { distance: entry.distance.min(ply), ..entry },
            nodes_before: self.counters.nodes,
            attacks,
            stage: if self.shared.settings.classic { order.min(1) } else { order },
            settled: None,
            is_complete: true,
            pass_loses: false,
            threat: None,
            solved_depends_on: Dependency::PATH_INDEPENDENT,
            solved_rank: 0,
            solved_best: NO_MOVE,
        };
        self.count_expansion();
        self.ask_game(&mut node);
        if node.settled.is_none() {
            self.list_children(&mut node);
        }
        node
    }

    /// Lists the children, and moves on to the next stage while the present one has none.
    fn list_children(&mut self, node: &mut ExpandedNode) {
        loop {
            self.children.truncate(node.begin);
            if node.attacks {
                self.list_attacks(node);
            } else {
                self.list_defences(node);
            }
            node.is_complete = !self.stopped;
            let is_empty = self.children.len() == node.begin && node.settled.is_none() && !self.stopped;
            if !is_empty {
                return;
            }
            if node.attacks && node.stage < node.order {
                node.stage += 1;
                continue;
            }
            // All attacks are refuted, or all defences.
            node.settled = Some(Settled {
                holds: !node.attacks,
                order: node.order,
                depends_on: node.solved_depends_on,
                rank: (node.solved_rank + 1).min(MAX_LENGTH),
                best: node.solved_best,
            });
            return;
        }
    }

    /// With `classic`: begins the next stage of a node whose present one is settled. Returns
    /// whether the children are others now.
    pub fn next_stage(&mut self, node: &mut ExpandedNode, tally: &Tally) -> bool {
        if !self.shared.settings.classic || tally.phi == 0 || tally.delta > 0 || node.stage >= node.order {
            return false;
        }
        // The order of the stage has failed, or the pass has. The table has what was found.
        node.stage = if node.attacks { node.stage + 1 } else { node.order };
        node.pass_loses |= !node.attacks;
        for child in &self.children[node.begin..] {
            node.solved_depends_on = node.solved_depends_on.min(child.depends_on);
        }
        self.list_children(node);
        true
    }

    /// Asks the game for the answer at order 1. At the root the children are needed for the move.
    fn ask_game(&mut self, node: &mut ExpandedNode) {
        let is_open = node.order > 0 && node.entry.numbers.answer(1).is_none();
        if !is_open || self.path.ply() == 0 {
            return;
        }
        let position = self.path.position().clone();
        let Some(holds) = self.order_one(&position) else { return };
        let depends_on = Dependency::PATH_INDEPENDENT;
        let settled = Settled { holds, order: 1, depends_on, rank: 1, best: NO_MOVE };
        if holds || node.order == 1 {
            node.settled = Some(settled);
        } else {
            node.entry = LambdaEntry { numbers: self.store(node.key, node.entry, 1, settled).numbers, ..node.entry };
        }
    }

    /// The answer at order 1, if the game has a search of its own for that. None if the search has
    /// to end.
    fn order_one(&mut self, position: &G) -> Option<bool> {
        if !self.shared.settings.uses_game_search || !self.is_about_winning {
            return None;
        }
        let mut nodes = 0;
        let holds = position.order_one(self.shared.question.prover(), &mut nodes)?;
        self.counters.nodes += nodes;
        if !self.ticker.nodes(nodes as usize) {
            self.stopped = true;
            return None;
        }
        Some(holds)
    }

    fn list_attacks(&mut self, node: &mut ExpandedNode) {
        if !self.play_moves(node) {
            return;
        }
        let orders = if self.shared.settings.classic { node.stage.max(1)..=node.stage } else { 1..=node.order };
        let successors = std::mem::take(&mut self.successors);
        let mut solving: Option<PseudoNode<G::Move>> = None;
        for (move_index, (successor, key)) in successors.iter().enumerate() {
            if successor.end.is_some() {
                continue;
            }
            let (known, is_non_increasing) = self.look_up(node, successor, *key, node.order);
            for order in orders.clone() {
                let (numbers, depends_on) = known.at(order);
                let failed_before = order < node.order && node.entry.numbers.answer(order) == Some(false);
                if numbers.disproof == 0 || failed_before {
                    node.solved_depends_on = node.solved_depends_on.min(depends_on);
                    continue;
                }
                let is_summed = self.shared.settings.disproofs == DisproofOrders::All || order == node.stage;
                let child = PseudoNode {
                    mv: Some(self.moves[move_index]),
                    numbers,
                    order: order as u8,
                    key: *key,
                    depends_on,
                    rank: known.rank,
                    move_index: move_index as u16,
                    is_non_increasing,
                    is_summed,
                    is_widened: order > self.shared.settings.top_order,
                };
                if numbers.proof == 0 && solving.is_none_or(|other| child.rank < other.rank) {
                    solving = Some(child);
                }
                self.children.push(child);
            }
        }
        self.successors = successors;
        self.keep_solving(node, solving);
    }

    fn list_defences(&mut self, node: &mut ExpandedNode) {
        if self.path.ply() > 0 && !node.pass_loses {
            match self.test_pass(node) {
                PassTest::Holds(depends_on, order) => {
                    node.settled = Some(Settled { holds: false, order, depends_on, rank: 1, best: NO_MOVE });
                    return;
                }
                PassTest::Loses(depends_on, threat) => {
                    node.pass_loses = true;
                    node.threat = threat;
                    node.solved_depends_on = node.solved_depends_on.min(depends_on);
                }
                PassTest::Open(child) => {
                    self.children.push(child);
                    if self.shared.settings.classic {
                        return;
                    }
                }
            }
        }
        node.stage = node.order;
        if self.stopped || !self.play_moves(node) {
            return;
        }
        let successors = std::mem::take(&mut self.successors);
        let mut solving: Option<PseudoNode<G::Move>> = None;
        for (move_index, (successor, key)) in successors.iter().enumerate() {
            if successor.end.is_some() {
                continue;
            }
            let Some(child) = self.defence(node, move_index, successor, *key) else { continue };
            if child.numbers.disproof == 0 {
                solving = Some(child);
                break;
            }
            self.children.push(child);
        }
        self.successors = successors;
        self.keep_solving(node, solving);
    }

    /// A reply of the defender; `None` if it is known to lose.
    fn defence(
        &mut self,
        node: &mut ExpandedNode,
        move_index: usize,
        successor: &Successor<G>,
        key: u64,
    ) -> Option<PseudoNode<G::Move>> {
        let loses = |node: &mut ExpandedNode, depends_on: Dependency, rank: u16| {
            node.solved_depends_on = node.solved_depends_on.min(depends_on);
            (node.solved_rank, node.solved_best) = (node.solved_rank, node.solved_best).max((rank, move_index as u16));
        };
        let is_unanswered = match self.immediate_win(&successor.position) {
            Some(wins) => wins.is_some(),
            None => node.threat.is_some_and(|threat| self.wins_by(successor, threat)),
        };
        if is_unanswered {
            loses(node, Dependency::PATH_INDEPENDENT, 1);
            return None;
        }
        let (known, is_non_increasing) = self.look_up(node, successor, key, node.order);
        if node.order == 0 {
            // Only a root has order 0 here.
            let wins = self.wins_at_once(successor).is_some();
            loses(node, Dependency::PATH_INDEPENDENT, 1);
            let refuted = Settled {
                holds: false,
                order: 0,
                depends_on: Dependency::PATH_INDEPENDENT,
                rank: 1,
                best: move_index as u16,
            };
            node.settled = node.settled.or((!wins).then_some(refuted));
            return None;
        }
        let (numbers, depends_on) = known.at(node.order);
        if numbers.proof == 0 {
            loses(node, depends_on, known.rank);
            return None;
        }
        Some(PseudoNode {
            mv: Some(self.moves[move_index]),
            numbers,
            order: node.order as u8,
            key,
            depends_on,
            rank: known.rank,
            move_index: move_index as u16,
            is_non_increasing,
            is_summed: true,
            is_widened: node.order > self.shared.settings.top_order,
        })
    }

    /// What is known of a successor for a search of at most an order, and whether it is a child of
    /// non-increasing distance.
    #[inline]
    fn look_up(&mut self, node: &ExpandedNode, successor: &Successor<G>, key: u64, order: usize) -> (Known, bool) {
        let failing = self.failing_order(&successor.position);
        if failing > 0 && failing >= order {
            return (Known::failing(failing), false);
        }
        let (mut known, is_non_increasing) = match self.shared.look_up(&self.path, successor, key) {
            Some(known) => {
                self.counters.hits += 1;
                let distance = known.distance.unwrap_or(u16::MAX);
                (known, self.can_repeat() && distance <= node.entry.distance)
            }
            None => (Known::unvisited(self.initial(&successor.position)), false),
        };
        if failing > 0 {
            known.numbers.set(failing, DISPROVEN);
        }
        (known, is_non_increasing)
    }

    /// An order up to which the game knows that the attacker fails.
    #[inline]
    fn failing_order(&self, position: &G) -> usize {
        // The game knows about wins, and the question may be about another score.
        if !self.shared.settings.uses_order_limits || !self.is_about_winning {
            return 0;
        }
        position.failing_order(self.shared.question.prover()).min(MAX_ORDER)
    }

    /// Plays all moves and prefetches their entries. Returns false if a move settles the node, or
    /// the search has to end.
    #[inline]
    fn play_moves(&mut self, node: &mut ExpandedNode) -> bool {
        let (mut moves, mut successors) = (std::mem::take(&mut self.moves), std::mem::take(&mut self.successors));
        moves.clear();
        successors.clear();
        self.path.position().legal_moves(&mut moves);
        let mut goes_on = true;
        for (move_index, &mv) in moves.iter().enumerate() {
            if !self.count_node() {
                goes_on = false;
                break;
            }
            let successor = self.path.successor(mv);
            let mut key = 0;
            match successor.end {
                None => {
                    key = self.shared.key(&successor.position);
                    self.shared.table.prefetch(key);
                }
                Some(PathEnd { holds, depends_on }) if holds == node.attacks => {
                    let order = if holds { 0 } else { MAX_ORDER };
                    node.settled = Some(Settled { holds, order, depends_on, rank: 1, best: move_index as u16 });
                    goes_on = false;
                    break;
                }
                Some(PathEnd { depends_on, .. }) => {
                    node.solved_depends_on = node.solved_depends_on.min(depends_on);
                    node.solved_best = node.solved_best.min(move_index as u16);
                }
            }
            successors.push((successor, key));
        }
        (self.moves, self.successors) = (moves, successors);
        goes_on
    }

    /// Leaves only a child that solves the node.
    fn keep_solving(&mut self, node: &ExpandedNode, solving: Option<PseudoNode<G::Move>>) {
        if let Some(child) = solving {
            debug_assert_eq!(phi_delta(child.numbers, node.attacks).0, 0);
            self.children.truncate(node.begin);
            self.children.push(child);
        }
    }

    /// Passes at a defender's node, to see whether the attacker's last move threatened anything.
    fn test_pass(&mut self, node: &ExpandedNode) -> PassTest<G::Move> {
        let free = Dependency::PATH_INDEPENDENT;
        let Some(position) = self.path.position().null_move() else { return PassTest::Holds(free, MAX_ORDER) };
        if !self.count_node() {
            return PassTest::Holds(free, 0);
        }
        let successor = self.path.after_null_move(position);
        if let Some(PathEnd { holds, depends_on }) = successor.end {
            return if holds { PassTest::Loses(depends_on, None) } else { PassTest::Holds(depends_on, MAX_ORDER) };
        }
        if node.order == 1 {
            let threat = self.wins_at_once(&successor);
            return if threat.is_some() { PassTest::Loses(free, threat) } else { PassTest::Holds(free, 1) };
        }
        let order = node.order - 1;
        let key = self.shared.key(&successor.position);
        let (known, is_non_increasing) = self.look_up(node, &successor, key, order);
        let (numbers, depends_on) = known.at(order);
        // A move that threatens nothing is refuted before any reply is listed.
        let of_game = (order == 1 && answer(numbers).is_none()).then(|| self.order_one(&successor.position)).flatten();
        if let Some(holds) = of_game {
            let settled = Settled { holds, order, depends_on: free, rank: 1, best: NO_MOVE };
            let stored = self.shared.usable_entry(key, &self.path);
            let entry = stored.unwrap_or_else(|| LambdaEntry::new(known.numbers, self.path.ply() as u16 + 1));
            self.store(key, entry, order, settled);
        }
        match of_game.or(answer(numbers)) {
            Some(true) => PassTest::Loses(depends_on, None),
            Some(false) => PassTest::Holds(depends_on, node.order),
            None => PassTest::Open(PseudoNode {
                mv: None,
                numbers,
                order: order as u8,
                key,
                depends_on,
                rank: known.rank,
                move_index: NO_MOVE,
                is_non_increasing,
                is_summed: self.shared.settings.passes == PassStrategy::Summation,
                is_widened: false,
            }),
        }
    }

    /// The index of a move by which the attacker, who is to move, reaches the goal at once, if the
    /// game sees one; `None` if the moves must be tried.
    #[inline]
    pub(super) fn immediate_win(&self, position: &G) -> Option<Option<usize>> {
        // The game knows wins, and the question may be about another score.
        if !self.is_about_winning || position.to_move() != self.shared.question.prover() {
            return None;
        }
        match position.immediate_win() {
            ImmediateWin::Yes(mv) => Some(Some(position.move_index(mv))),
            ImmediateWin::No if !self.shared.settings.static_bounds => Some(None),
            ImmediateWin::No | ImmediateWin::Unknown => None,
        }
    }

    /// Order 0: the index of a move by which the attacker reaches the goal after a successor of the
    /// current position.
    pub(super) fn wins_at_once(&mut self, successor: &Successor<G>) -> Option<usize> {
        if successor.position.to_move() != self.shared.question.prover() {
            return None;
        }
        if let Some(known) = self.immediate_win(&successor.position) {
            return known;
        }
        self.push(successor.position.clone(), self.shared.key(&successor.position), 0);
        let mut moves = std::mem::take(&mut self.context.moves);
        moves.clear();
        self.path.position().legal_moves(&mut moves);
        let reaches = |walker: &mut Self, mv: G::Move| {
            walker.count_node() && walker.path.successor(mv).end.is_some_and(|end| end.holds)
        };
        let winning = moves.iter().find(|&&mv| reaches(self, mv));
        let index = winning.map(|&mv| self.path.position().move_index(mv));
        self.context.moves = moves;
        self.pop();
        index
    }

    /// Whether the move with an index reaches the attacker's goal after a successor of the current
    /// position.
    pub(super) fn wins_by(&mut self, successor: &Successor<G>, index: usize) -> bool {
        let position = &successor.position;
        if position.to_move() != self.shared.question.prover() {
            return false;
        }
        let mut moves = std::mem::take(&mut self.context.moves);
        moves.clear();
        position.legal_moves(&mut moves);
        let found = moves.iter().copied().find(|&mv| position.move_index(mv) == index);
        self.context.moves = moves;
        let Some(mv) = found.filter(|_| self.count_node()) else { return false };
        self.push(position.clone(), self.shared.key(position), 0);
        let end = self.path.successor(mv).end;
        self.pop();
        end.is_some_and(|end| end.holds && end.depends_on == Dependency::PATH_INDEPENDENT)
    }
}
