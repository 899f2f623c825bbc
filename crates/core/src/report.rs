//! What a search answers.

use crate::Bounds;
use serde::Serialize;

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum StopReason {
    /// There was nothing left to do.
    Finished = 1,
    /// The value of the position is decided.
    Decided = 2,
    /// The time was up.
    Time = 3,
    /// All playouts were made.
    Playouts = 4,
    /// All nodes were made.
    Nodes = 5,
    /// The memory was full, and nothing could be thrown away.
    Memory = 6,
    /// Somebody asked it to stop.
    Asked = 7,
}

impl StopReason {
    pub(crate) fn from_code(code: u8) -> Option<StopReason> {
        use StopReason::{Asked, Decided, Finished, Memory, Nodes, Playouts, Time};
        [Finished, Decided, Time, Playouts, Nodes, Memory, Asked].into_iter().find(|&reason| reason as u8 == code)
    }
}

/// How much was done. Counters of several workers add up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counters {
    /// Playouts (simulations).
    pub playouts: u64,
    /// Positions made and tested for their end.
    pub nodes: u64,
    /// Positions whose moves were listed and kept.
    pub expansions: u64,
    /// The longest line from the root.
    pub depth: u32,
    /// Positions found in a table.
    pub hits: u64,
    /// Nodes thrown away to make room.
    pub recycled: u64,
    /// The bytes that trees and tables took.
    pub bytes: u64,
}

impl Counters {
    /// Adds what another worker did.
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

/// A proof and a disproof number; `u32::MAX` is infinite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofNumbers {
    /// Leaves still to be proved for a proof, at least.
    pub proof: u32,
    /// Leaves still to be disproved for a disproof, at least.
    pub disproof: u32,
}

/// The infinite proof number: never reached by adding.
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

/// What is known of one move at the root.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RootMove<M> {
    /// The move.
    #[serde(rename = "move")]
    pub mv: M,
    /// How often it was tried.
    pub visits: u64,
    /// Its value in [-1, 1] for the player to move.
    pub value: Option<f64>,
    /// The standard error of the value, where it is a mean.
    pub spread: Option<f64>,
    /// Its proof and disproof number for "the player to move wins".
    pub proof_numbers: Option<ProofNumbers>,
    /// What is proved of it.
    pub bounds: Bounds,
}

/// What a search answers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report<M> {
    /// The move to play; `None` if the game is over.
    pub best: Option<M>,
    /// The value in [-1, 1] for the player to move: the exact one if it is decided.
    pub value: f64,
    /// What is proved of the position.
    pub bounds: Bounds,
    /// Proof and disproof number of the position.
    pub proof_numbers: Option<ProofNumbers>,
    /// How the search thinks the game goes on, from the best move.
    pub variation: Vec<M>,
    /// The moves, the best first.
    pub moves: Vec<RootMove<M>>,
    /// How much was done.
    pub counters: Counters,
    /// Why it ended.
    pub stopped: StopReason,
}

impl<M> Report<M> {
    /// The report with its moves in other words: `root` turns a move at the root, `line` all of the variation.
    pub fn map<N>(self, root: impl Fn(M) -> N, line: impl Fn(Vec<M>) -> Vec<N>) -> Report<N> {
        Report {
            best: self.best.map(&root),
            value: self.value,
            bounds: self.bounds,
            proof_numbers: self.proof_numbers,
            variation: line(self.variation),
            moves: self.moves.into_iter().map(|entry| entry.map(&root)).collect(),
            counters: self.counters,
            stopped: self.stopped,
        }
    }
}

impl<M> RootMove<M> {
    /// The same with the move in other words.
    pub fn map<N>(self, word: impl Fn(M) -> N) -> RootMove<N> {
        RootMove {
            mv: word(self.mv),
            visits: self.visits,
            value: self.value,
            spread: self.spread,
            proof_numbers: self.proof_numbers,
            bounds: self.bounds,
        }
    }
}
