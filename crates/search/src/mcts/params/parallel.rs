//! Parallel search: how threads work together.

use crate::root::Vote;
use tesuji_core::{Options, SpecError};

/// What threads share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParallelMode {
    /// All threads search one tree, each in a part of its own at a time.
    Subtrees,
    /// All threads search one tree, and update the same nodes.
    Tree,
    /// Each thread searches its own tree, and the trees vote.
    Root,
    /// One thread searches the tree, and all threads play out from its leaf.
    Leaf,
}

/// How the threads of one tree are kept from searching the same line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Diversify {
    /// A virtual loss for every worker below a node (Chaslot et al. 2008).
    VirtualLoss,
    /// A random number in [0, k] added to every score (Saito 2010, formula 4.5).
    Random,
    /// Not at all.
    Nothing,
}

/// The options of parallel search.
#[derive(Clone, PartialEq, Debug)]
pub struct Parallel {
    /// What threads share.
    pub mode: ParallelMode,
    /// How the threads of one tree are kept apart.
    pub diversify: Diversify,
    /// The size of a virtual loss, in lost simulations.
    pub virtual_loss: u32,
    /// How independent trees vote.
    pub vote: Vote,
}

impl Parallel {
    pub(super) fn read(options: &mut Options<'_>) -> Result<Parallel, SpecError> {
        let mode = options.choice(
            "parallel",
            &[
                ("subtrees", ParallelMode::Subtrees),
                ("tree", ParallelMode::Tree),
                ("root", ParallelMode::Root),
                ("leaf", ParallelMode::Leaf),
            ],
            "what threads share: one tree, in parts or node by node, nothing (root), or the leaf",
        )?;
        options.renamed("apart", "diversify");
        let diversify = options.choice(
            "diversify",
            &[("loss", Diversify::VirtualLoss), ("random", Diversify::Random), ("nothing", Diversify::Nothing)],
            "how threads of one tree are kept from searching the same line",
        )?;
        let virtual_loss =
            options.integer("virtual-loss", 1, 1..=1000, "size of a virtual loss, in lost simulations")? as u32;
        let vote = Vote::read(options)?;
        Ok(Parallel { mode, diversify, virtual_loss, vote })
    }
}
