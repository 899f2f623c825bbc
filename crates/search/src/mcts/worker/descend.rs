//! The descent from the root to a leaf.

use super::super::context::Values;
use super::super::link::Link;
use super::super::tree::{self, ROOT, Tally};
use super::expand::Expanded;
use super::{SimulationEnd, Step, Worker};
use tesuji_core::{Knowledge, Player};

impl<'s, G: Knowledge> Worker<'s, G> {
    /// Descends from the root to a leaf and returns the values of the simulation. See
    /// [`Worker::simulate_as`] for `PLAIN`.
    pub(super) fn descend<const PLAIN: bool>(&mut self) -> (Values, SimulationEnd) {
        let mover = self.position.position().to_move();
        self.descend_from::<PLAIN>(self.arrive(self.search.tree.node(ROOT), ROOT, mover, mover))
    }

    /// Descends from a node, which is not yet on the path.
    #[inline]
    pub(super) fn descend_from<const PLAIN: bool>(&mut self, mut step: Step<'s>) -> (Values, SimulationEnd) {
        let tree = self.search.tree;
        loop {
            step.link = step.node.link.load();
            self.path.push(step);
            if !PLAIN {
                self.evaluate_if_due(step);
            }
            let (id, is_new) = match step.link.choice().filter(|_| self.chooses_ahead) {
                Some(child) => (step.link.first() + child as u32, false),
                None => match self.next_node::<PLAIN>(step) {
                    Ok(next) => next,
                    Err(end) => return end,
                },
            };
            let (chunk, at) = tree.at(id);
            let mv = chunk.moves[at].load();
            if !PLAIN && self.transpositions && self.position.forbids(mv) {
                return (self.play_out(), SimulationEnd::Normal);
            }
            let mover = self.position.play(mv);
            step = self.arrive(&chunk.nodes[at], id, step.mover, mover);
            if is_new {
                self.path.push(step);
                return (self.open::<PLAIN>(), SimulationEnd::Normal);
            }
        }
    }

    /// The id of the node after the last one of the path, if it was not chosen ahead, and whether
    /// it is visited for the first time; as an error, the values of a simulation that ends here.
    fn next_node<const PLAIN: bool>(&mut self, mut step: Step<'s>) -> Result<(u32, bool), (Values, SimulationEnd)> {
        let is_leaf = !step.link.is_expanded();
        if step.id != ROOT
            && (is_leaf || (!PLAIN && self.may_enter_solved()))
            && let Some(values) = self.final_values(step)
        {
            return Err((values, SimulationEnd::Normal));
        }
        if is_leaf {
            step.link = self.expand_leaf::<PLAIN>(step)?;
        }
        if !PLAIN
            && self.is_minimax_due(step)
            && let Some(values) = self.search_moves(step)
        {
            return Err((values, SimulationEnd::Normal));
        }
        loop {
            match self.choose_child::<PLAIN>(step) {
                Some((child, is_new)) => return Ok((step.link.first() + child as u32, is_new)),
                None if self.is_first_child_contended(step) => {
                    std::thread::yield_now();
                    step.link = step.node.link.load();
                }
                None => return Err((self.play_out(), SimulationEnd::Normal)),
            }
        }
    }

    /// Whether other workers are opening the first child of the root.
    ///
    /// Below the root, workers do not wait for each other: they play out from where they are. At
    /// the root they wait, for its children and for the first of them, so that every simulation
    /// visits a root move.
    #[inline]
    fn is_first_child_contended(&self, step: Step<'s>) -> bool {
        self.shared && step.id == ROOT && step.link.opened() == 0
    }

    /// Whether a descent may enter an expanded node that is terminal or solved.
    ///
    /// An expanded node is not terminal, and selection skips solved children. But shared children
    /// may be terminal on one path alone, and children drawn at random may be solved.
    #[inline]
    fn may_enter_solved(&self) -> bool {
        self.transpositions || self.search.params.selection.threshold > 0
    }

    /// Expands a leaf with enough visits; as an error, the values of a simulation that ends there.
    #[inline]
    pub(super) fn expand_leaf<const PLAIN: bool>(&mut self, step: Step<'s>) -> Result<Link, (Values, SimulationEnd)> {
        let min_visits = self.search.params.expansion.expand_visits + self.virtual_loss;
        if step.id != ROOT && step.node.visits() < min_visits {
            return Err((self.play_out(), SimulationEnd::Normal));
        }
        match self.expand(step) {
            Expanded::Done(link) => {
                // Expansion alone solves a node only if its children are tested or shared.
                if !PLAIN && let Some(values) = self.solved_values(step) {
                    return Err((values, SimulationEnd::Normal));
                }
                Ok(self.set_link(link))
            }
            Expanded::Busy if step.id == ROOT => match step.node.link.wait_while_busy() {
                link if link.is_expanded() => Ok(self.set_link(link)),
                _ => Err((self.play_out(), SimulationEnd::TreeFull)),
            },
            Expanded::Busy => Err((self.play_out(), SimulationEnd::Normal)),
            Expanded::TreeFull => Err((self.play_out(), SimulationEnd::TreeFull)),
        }
    }

    /// Records the link to the new children of the last node of the path.
    #[inline]
    fn set_link(&mut self, link: Link) -> Link {
        self.path.last_mut().expect("a path contains the root").link = link;
        link
    }

    /// Adds the virtual loss to a node and returns the step to it.
    #[inline]
    pub(super) fn arrive(&self, node: &'s tree::Node, id: u32, chooser: Player, mover: Player) -> Step<'s> {
        if self.virtual_loss > 0 {
            let lost = i64::from(self.virtual_loss);
            node.add(Tally::new(lost, -lost), true);
        }
        Step { node, id, chooser, mover, link: Link::LEAF, narrowed: false, renumbered: false }
    }

    /// The values of a node that needs no further search because it is terminal or solved.
    #[inline]
    fn final_values(&mut self, step: Step<'s>) -> Option<Values> {
        if let Some(outcome) = self.position.outcome() {
            return Some(self.end_in_tree(&outcome));
        }
        self.solved_values(step)
    }

    /// The values of a solved node.
    #[inline]
    pub(super) fn solved_values(&self, step: Step<'s>) -> Option<Values> {
        if !self.search.params.backup.solver {
            return None;
        }
        let interval = self.search.interval_of(step.id);
        if interval.is_solved() { self.search.solved_values(interval) } else { None }
    }
}
