//! The result of a search.

use crate::{Bounds, Facts, PointBounds, PointScore};
use serde::Serialize;

/// The reason why a search stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum StopReason {
    /// The search ran to completion.
    Finished = 1,
    /// The position is solved.
    Solved = 2,
    /// The time limit was reached.
    Time = 3,
    /// The playout limit was reached.
    Playouts = 4,
    /// The node limit was reached.
    Nodes = 5,
    /// The memory was full and nothing could be evicted.
    Memory = 6,
    /// The stop flag was set.
    Interrupted = 7,
    /// A stopper ended the search early: more time would hardly change the move.
    Settled = 8,
}

impl StopReason {
    pub(crate) fn from_code(code: u8) -> Option<StopReason> {
        use StopReason::{Finished, Interrupted, Memory, Nodes, Playouts, Settled, Solved, Time};
        let all = [Finished, Solved, Time, Playouts, Nodes, Memory, Interrupted, Settled];
        all.into_iter().find(|&reason| reason as u8 == code)
    }
}

/// The work done by a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counters {
    /// Playouts (simulations).
    pub playouts: u64,
    /// Positions created and tested for the end of the game.
    pub nodes: u64,
    /// Nodes whose children were generated and stored.
    pub expansions: u64,
    /// The length of the longest line from the root.
    pub depth: u32,
    /// Positions found in a transposition table.
    pub hits: u64,
    /// Nodes evicted to free memory.
    pub recycled: u64,
    /// The size of trees and tables in bytes.
    pub bytes: u64,
}

impl Counters {
    /// Adds the work of another worker.
    pub fn merge(&mut self, other: &Counters) {
        self.playouts += other.playouts;
        self.nodes += other.nodes;
        self.expansions += other.expansions;
        self.depth = self.depth.max(other.depth);
        self.hits += other.hits;
        self.recycled += other.recycled;
        self.bytes += other.bytes;
    }
}

/// A proof number and a disproof number; [`INFINITE`] is infinity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofNumbers {
    /// A lower bound on the leaves still to be proven for a proof.
    pub proof: u32,
    /// A lower bound on the leaves still to be disproven for a disproof.
    pub disproof: u32,
}

/// The infinite proof number. Sums of finite numbers stay below it.
pub const INFINITE: u32 = u32::MAX;

impl Serialize for ProofNumbers {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut fields = serializer.serialize_struct("ProofNumbers", 2)?;
        for (name, number) in [("proof", self.proof), ("disproof", self.disproof)] {
            if number == INFINITE {
                fields.serialize_field(name, "inf")?;
            } else {
                fields.serialize_field(name, &number)?;
            }
        }
        fields.end()
    }
}

/// The statistics of a root move. `B` is [`Bounds`], or [`PointBounds`] for output.
#[derive(Clone, PartialEq, Debug)]
pub struct RootMove<M, B = Bounds> {
    /// The move.
    pub mv: M,
    /// The number of visits; 1 for a move that was searched, if the search does not count them.
    pub visits: u64,
    /// The depth of the last search of the move, if it is searched to a depth.
    pub depth: Option<u32>,
    /// The value in [-1, 1] for the player to move.
    pub value: Option<f64>,
    /// Whether the value is only an upper bound, as for moves that are worse than the best.
    pub at_most: bool,
    /// The standard error of the value, if it is a mean.
    pub spread: Option<f64>,
    /// The proof and disproof numbers for "the player to move wins".
    pub proof_numbers: Option<ProofNumbers>,
    /// The proven bounds.
    pub bounds: B,
}

/// Moves that are searched to a depth have no visits, and `bound` is `"upper"` or null.
impl<M: Serialize, B: Serialize> Serialize for RootMove<M, B> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut fields = serializer.serialize_struct("RootMove", 8)?;
        fields.serialize_field("move", &self.mv)?;
        fields.serialize_field("visits", &self.depth.is_none().then_some(self.visits))?;
        fields.serialize_field("depth", &self.depth)?;
        fields.serialize_field("value", &self.value)?;
        fields.serialize_field("bound", &self.at_most.then_some("upper"))?;
        fields.serialize_field("spread", &self.spread)?;
        fields.serialize_field("proof_numbers", &self.proof_numbers)?;
        fields.serialize_field("bounds", &self.bounds)?;
        fields.end()
    }
}

/// A complete line of play in a game for one player, which proves that its score can be reached.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SolutionLine<M> {
    /// The score at the end.
    pub score: PointScore,
    /// The playouts made when it was found; 0 if it was kept from an earlier search.
    pub found_at_playout: u64,
    /// The moves to the end of the game.
    pub moves: Vec<M>,
}

/// The result of a search. `B` is [`Bounds`], or [`PointBounds`] for output.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report<M, B = Bounds> {
    /// The best move; `None` if the game is over.
    pub best: Option<M>,
    /// The value in [-1, 1] for the player to move; exact if the position is solved.
    pub value: f64,
    /// The proven bounds of the position.
    pub bounds: B,
    /// The proof and disproof numbers of the position.
    pub proof_numbers: Option<ProofNumbers>,
    /// The principal variation, starting with the best move.
    pub variation: Vec<M>,
    /// The root moves, the best first.
    pub moves: Vec<RootMove<M, B>>,
    /// The best complete line found, in a game for one player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<SolutionLine<M>>,
    /// The work done.
    pub counters: Counters,
    /// The reason why the search stopped.
    pub stopped: StopReason,
}

impl<M, B> Report<M, B> {
    /// A report of bounds and a value and nothing else, as of a search that had nothing to do.
    pub fn without_search(bounds: B, value: f64) -> Report<M, B> {
        Report {
            best: None,
            value,
            bounds,
            proof_numbers: None,
            variation: Vec::new(),
            moves: Vec::new(),
            solution: None,
            counters: Counters::default(),
            stopped: StopReason::Finished,
        }
    }

    /// Converts the moves and bounds: `root` maps a root move, `variation` the whole variation.
    pub fn map<N, C>(
        self,
        root: impl Fn(M) -> N,
        variation: impl Fn(Vec<M>) -> Vec<N>,
        bounds: impl Fn(B) -> C,
    ) -> Report<N, C> {
        Report {
            best: self.best.map(&root),
            value: self.value,
            bounds: bounds(self.bounds),
            proof_numbers: self.proof_numbers,
            variation: variation(self.variation),
            moves: self.moves.into_iter().map(|entry| entry.map(&root, &bounds)).collect(),
            solution: self.solution.map(|SolutionLine { score, found_at_playout, moves }| SolutionLine {
                score,
                found_at_playout,
                moves: variation(moves),
            }),
            counters: self.counters,
            stopped: self.stopped,
        }
    }
}

impl<M: Clone> Report<M> {
    /// Returns the report for output, with scores in points.
    pub fn in_points(&self, facts: &Facts) -> Report<M, PointBounds> {
        self.clone().map(|mv| mv, |line| line, |bounds| bounds.in_points(facts))
    }
}

impl<M> RootMove<M> {
    /// Returns a move of which nothing is known but bounds.
    pub fn new(mv: M, bounds: Bounds) -> RootMove<M> {
        RootMove { mv, visits: 0, depth: None, value: None, at_most: false, spread: None, proof_numbers: None, bounds }
    }

    /// Returns the move for output, with scores in points.
    pub fn in_points(self, facts: &Facts) -> RootMove<M, PointBounds> {
        self.map(|mv| mv, |bounds| bounds.in_points(facts))
    }
}

impl<M, B> RootMove<M, B> {
    /// Converts the move and its bounds.
    pub fn map<N, C>(self, convert: impl Fn(M) -> N, bounds: impl Fn(B) -> C) -> RootMove<N, C> {
        RootMove {
            mv: convert(self.mv),
            visits: self.visits,
            depth: self.depth,
            value: self.value,
            at_most: self.at_most,
            spread: self.spread,
            proof_numbers: self.proof_numbers,
            bounds: bounds(self.bounds),
        }
    }
}
