//! Hybrids with minimax in the tree: in selection (MCTS-MS), in backup (MCTS-MB), and informed
//! priors (MCTS-IP).
//!
//! # Proofs and the history
//!
//! A shallow search on bare positions knows no history. What it proves holds in the game if nothing
//! within its depth can depend on the history: positions cannot repeat, or may do so without
//! consequences, and the length cap is further away than the search is deep. Elsewhere a forced win
//! may run into a position that ends the game by repetition. There a proof on bare positions is
//! only a suspicion, and the same search through the history confirms or rejects it. As few
//! searches find a proof, this costs little. A proof is stored at a node of the tree, whose path is
//! its history, as are those of the solver.
//!
//! The positions of shallow searches are not nodes, as those of playouts are not: they are neither
//! counted nor limited.

use super::super::context::Values;
use super::super::interval::Interval;
use super::super::tree::{ROOT, UNIT};
use super::expand::Expanded;
use super::{Step, Worker};
use crate::shallow::{Bare, Settings, Shallow, WIN, Walk};
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::Knowledge;

/// The bit of a node whose moves were searched in selection.
const IN_SELECTION: u32 = 1;
/// The bit of a node whose moves were searched in backup.
const IN_BACKUP: u32 = 2;

/// What a shallow search looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    /// Moves that lose.
    Losses,
    /// Moves that lose, and moves that win.
    Both,
}

impl<'s, G: Knowledge> Worker<'s, G> {
    /// MCTS-IP (Baier 2015, section 8.2.3): evaluates a node of the path, at which the position is,
    /// once it has enough visits.
    #[inline]
    pub(super) fn evaluate_if_due(&mut self, step: Step<'s>) {
        if !self.evaluates {
            return;
        }
        let Some(prior) = self.search.params.hybrids.prior else { return };
        let (chunk, at) = self.search.tree.at(step.id);
        if step.id == ROOT || step.node.visits() < prior.visits || chunk.prior(at).is_some() {
            return;
        }
        let Worker { search, position, playout, tools, .. } = self;
        let position = position.position();
        if position.is_over() {
            return;
        }
        let value = if prior.search.depth == 0 {
            search.evaluation(position, step.chooser)
        } else {
            let settings = search.informed(prior.search, step.chooser);
            let mut shallow = Shallow::new(settings, &mut playout.rng, &mut tools.buffers);
            shallow.value(&mut Bare(position.clone()), prior.search.depth) as f32 / UNIT
        };
        chunk.set_prior(at, value);
    }

    /// Whether the moves of a node are to be searched before one is selected (MCTS-MS).
    #[inline]
    pub(super) fn is_minimax_due(&self, step: Step<'s>) -> bool {
        if !self.proves_unvisited {
            return false;
        }
        let Some(minimax) = self.search.params.hybrids.selection_minimax else { return false };
        let (chunk, at) = self.search.tree.at(step.id);
        step.node.visits() >= minimax.visits && chunk.searched[at].load(Relaxed) & IN_SELECTION == 0
    }

    /// MCTS-MS (Baier 2015, section 7.3.2): marks the moves of the last node of the path that lose
    /// by force, and returns the values of the node if it is solved.
    ///
    /// As in the source, moves that win are not looked for: selection finds them soon.
    #[inline(never)]
    pub(super) fn search_moves(&mut self, step: Step<'s>) -> Option<Values> {
        let depth = self.search.params.hybrids.selection_minimax?.depth;
        let last = self.path.len() - 1;
        self.path[last].narrowed |= self.prove_moves(step, depth, (Wanted::Losses, IN_SELECTION));
        self.solved_values(step)
    }

    /// The same for a node that is new, which is expanded first.
    #[inline(never)]
    pub(super) fn search_new_node(&mut self) -> Option<Values> {
        let last = self.path.len() - 1;
        let Expanded::Done(link) = self.expand(self.path[last]) else { return None };
        self.path[last].link = link;
        self.search_moves(self.path[last])
    }

    /// MCTS-MB (Baier 2015, section 7.3.3): from the node number `to` of the path up to number
    /// `from`, at which the position is after a reset, passes on what has been proven. Where a loss
    /// arrives and does not solve the node, searches its other moves, once per node.
    ///
    /// A node that is solved this way is a proof that arrives one level higher.
    pub(super) fn prove_path(&mut self, from: usize, to: usize) {
        let search = self.search;
        let Some(depth) = search.params.hybrids.backup_minimax else { return };
        for at in (from..to).rev() {
            if !self.path[at + 1].narrowed {
                return;
            }
            let step = self.path[at];
            self.path[at].narrowed |= search.narrow(step.id, step.mover, step.link);
            if !self.is_lost(self.path[at + 1].id, step) || search.interval_of(step.id).is_solved() {
                continue;
            }
            self.go_to(from, at);
            self.path[at].narrowed |= self.prove_moves(step, depth, (Wanted::Both, IN_BACKUP));
        }
    }

    /// Whether the player to move at a node loses by the move to one of its children.
    fn is_lost(&self, child: u32, step: Step<'s>) -> bool {
        let interval = self.search.interval_of(child);
        if self.search.maximises(step.mover) { interval.high < 0 } else { interval.low > 0 }
    }

    /// Brings the position to a node of the path. After a reset it is at number `from`.
    fn go_to(&mut self, from: usize, at: usize) {
        self.position.reset();
        for step in &self.path[from + 1..=at] {
            let (chunk, at) = self.search.tree.at(step.id);
            self.position.play(chunk.moves[at].load());
        }
    }

    /// Searches the unproven moves of an expanded node, at which the position is, and stores what
    /// is proven about them; once per node and `bit`. Returns whether the interval of the node is
    /// narrower.
    fn prove_moves(&mut self, step: Step<'s>, depth: u32, (wanted, bit): (Wanted, u32)) -> bool {
        let search = self.search;
        let cell = &step.node.link;
        let link = cell.load();
        // Another worker may be opening a child, which swaps moves.
        let held = if self.shared && !link.is_open() { cell.begin_opening(true) } else { None };
        if self.shared && !link.is_open() && held.is_none() {
            return false;
        }
        let (chunk, at) = search.tree.at(step.id);
        let mut proven = false;
        if chunk.searched[at].fetch_or(bit, Relaxed) & bit == 0 {
            let block = search.tree.block(link);
            for child in 0..block.count {
                let bounds = &block.chunk.bounds[block.begin + child];
                if !bounds.load().matters(search.maximises(step.mover), search.interval_of(step.id)) {
                    continue;
                }
                if let Some(interval) = self.prove_move(step, block.mv(child), depth, wanted) {
                    proven |= bounds.narrow(interval);
                }
            }
        }
        if let Some(held) = held {
            cell.end_opening(held, held.opened(), true);
        }
        if proven {
            cell.note_proofs(self.shared);
        }
        proven && search.narrow(step.id, step.mover, link)
    }

    /// What a search of `depth` plies, the move itself included, proves about a move.
    fn prove_move(&mut self, step: Step<'s>, mv: G::Move, depth: u32, wanted: Wanted) -> Option<Interval> {
        let maximises = self.search.maximises(step.mover);
        let Worker { position, playout, tools, .. } = self;
        let settings = Settings::results(step.mover);
        let mut shallow = Shallow::new(settings, &mut playout.rng, &mut tools.buffers);
        let mut next = Bare(position.position().clone());
        next.0.play(mv);
        let mut value = value_of(&mut shallow, &mut next, depth - 1, wanted);
        if value != 0 && !position.is_bare(depth) {
            let on_bare_positions = value;
            value = position.after(mv, |next| value_of(&mut shallow, next, depth - 1, wanted));
            value = if value == on_bare_positions { value } else { 0 };
        }
        // The sign of the value as the player sees it whose results intervals bound.
        match if maximises { value } else { -value } {
            0 => None,
            1.. => Some(Interval { low: 1, high: i32::MAX }),
            _ => Some(Interval { low: i32::MIN, high: -1 }),
        }
    }
}

/// The value of a position: minus [`WIN`] if the player who maximises loses, [`WIN`] if it wins and
/// that is wanted, otherwise 0.
fn value_of<G: Knowledge, W: Walk<G>>(shallow: &mut Shallow<'_, G>, walk: &mut W, depth: u32, wanted: Wanted) -> i32 {
    match wanted {
        Wanted::Losses if shallow.reaches(walk, depth, 1 - WIN) => 0,
        Wanted::Losses => -WIN,
        Wanted::Both => shallow.value(walk, depth),
    }
}
