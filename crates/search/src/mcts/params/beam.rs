//! Beam MCTS: when the tree is pruned, and to how many nodes (Baier 2015, chapter 5).

use tesuji_core::{Options, SpecError};

/// What becomes of the counters of the depths below one that is pruned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BeamCounters {
    /// They go on, as in the source: the next depths are pruned soon.
    Kept,
    /// They start again from 0: every depth gets the same number of simulations.
    Reset,
}

/// What happens when the beam has reached the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BeamEnd {
    /// The search ends.
    Stop,
    /// It starts again with an empty tree, and keeps the best line.
    Restart,
}

/// The options of the beam.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BeamParams {
    /// The beam width W: the number of nodes that pruning leaves at a depth. Raising it searches
    /// more alternatives, and reaches less deep.
    pub width: usize,
    /// The simulation limit L: a depth is pruned when this many simulations have passed through it.
    /// Raising it prunes later; the search is plain MCTS if it is never reached.
    pub limit: u64,
    /// What becomes of the counters below.
    pub counters: BeamCounters,
    /// Whether the simulation that creates a node counts as one that passes through it.
    pub counts_new: bool,
    /// Whether depths with at most W nodes are pruned, too, which removes all nodes below them.
    pub prunes_narrow: bool,
    /// Whether depth 0 is pruned like any other, which removes all nodes but the root once.
    pub prunes_root: bool,
    /// What happens when the beam has reached the end of the game.
    pub end: BeamEnd,
}

impl BeamParams {
    pub(super) fn read(options: &mut Options<'_>) -> Result<Option<BeamParams>, SpecError> {
        let width = options.dial("beam", 5.0, 1.0..=1e6, "Beam MCTS for one player: nodes kept at a depth")?;
        let limit = options.integer(
            "beam-limit",
            250,
            1..=1_000_000_000_000,
            "Beam MCTS: simulations through a depth before it is pruned",
        )?;
        let counters = options.choice(
            "beam-counters",
            &[("kept", BeamCounters::Kept), ("reset", BeamCounters::Reset)],
            "Beam MCTS: counters of the depths below a pruned one",
        )?;
        let counts_new = options.switch("beam-new", "Beam MCTS: count the simulation that creates a node")?;
        let prunes_narrow = options.switch("beam-narrow", "Beam MCTS: prune depths that fit into the beam, too")?;
        let prunes_root = options.switch("beam-root", "Beam MCTS: prune depth 0, too")?;
        let end = options.choice(
            "beam-end",
            &[("stop", BeamEnd::Stop), ("restart", BeamEnd::Restart)],
            "Beam MCTS: at the end of the game, stop or start again",
        )?;
        let dependent = ["beam-limit", "beam-counters", "beam-new", "beam-narrow", "beam-root", "beam-end"];
        options.only_if(width.is_some(), &dependent, "only with beam")?;
        options.only_if(prunes_narrow, &["beam-root"], "only with beam-narrow: depth 0 has one node")?;
        let read = |width: f64| BeamParams {
            width: width as usize,
            limit,
            counters,
            counts_new,
            prunes_narrow,
            prunes_root,
            end,
        };
        Ok(width.map(read))
    }
}
