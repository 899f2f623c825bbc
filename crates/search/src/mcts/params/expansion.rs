//! Expansion: when nodes get children, and which of them may be visited.

use super::{GameTraits, refuse};
use crate::mcts::tree::Columns;
use tesuji_core::{Options, SpecError};

/// How the children of a new node are tested for the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NewChildren {
    /// One by one, at their first visit.
    One,
    /// All at once, when they are created.
    All,
}

/// Progressive unpruning (Chaslot et al. 2008).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Widening {
    /// The number of children that may be visited from the start, by move order.
    pub children: u32,
    /// The factor by which visits grow from one further child to the next. Raising it keeps the
    /// tree narrow for longer.
    pub growth: f32,
}

/// The options of expansion.
#[derive(Clone, PartialEq, Debug)]
pub struct Expansion {
    /// How new children are tested.
    pub new_children: NewChildren,
    /// The number of visits after which a node is expanded.
    pub expand_visits: u32,
    /// Progressive unpruning.
    pub widening: Option<Widening>,
    /// Whether equal positions share their children.
    pub transpositions: bool,
    /// Whether the subtree of the moves played is kept for the next search.
    pub reuse: bool,
}

impl Expansion {
    pub(super) fn read(options: &mut Options<'_>, has_proof_numbers: bool) -> Result<Expansion, SpecError> {
        let default = if has_proof_numbers { NewChildren::All } else { NewChildren::One };
        let new_children = options.choice(
            "expand",
            &[("auto", default), ("one", NewChildren::One), ("all", NewChildren::All)],
            "children created per simulation; auto is all with pn, otherwise one",
        )?;
        options.renamed("after", "expand-visits");
        let expand_visits =
            options.integer("expand-visits", 1, 1..=1_000_000, "visits after which a node is expanded")? as u32;
        let children = options.dial("widen", 5.0, 1.0..=1e4, "progressive unpruning: children available at first")?;
        let growth = options.number(
            "widen-growth",
            1.3,
            1.01..=10.0,
            "progressive unpruning: growth of visits per further child",
        )? as f32;
        let widening = children.map(|children| Widening { children: children as u32, growth });
        let transpositions = options.switch("table", "equal positions share their children")?;
        let reuse = options.switch("reuse", "keep the subtree of the moves played for the next search")?;
        Ok(Expansion { new_children, expand_visits, widening, transpositions, reuse })
    }

    pub(super) fn check(&self, game: &GameTraits) -> Result<(), SpecError> {
        if self.widening.is_some() && !game.orders_moves {
            return refuse("widen", "games with a move order");
        }
        Ok(())
    }

    pub(super) fn require(&self, columns: &mut Columns) {
        columns.shares_blocks |= self.transpositions;
    }

    pub(super) fn is_plain(&self) -> bool {
        self.new_children == NewChildren::One && self.widening.is_none() && !self.transpositions
    }
}
