//! The interface that searches implement.

use crate::{Control, Game, History, Knowledge, MAX_PLAYERS, Options, Prover, Report, RootMove, SpecError};
use serde::Serialize;

/// A search of the game `G`. It may keep data for the next call, but must look it up by position
/// and history, so that the result is correct whatever was searched before.
pub trait Search<G: Game>: Send {
    /// Searches the current position of a game.
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move>;

    /// Clears everything the search has learned.
    fn forget(&mut self) {}

    /// As [`forget`](Self::forget), but keeps the memory for the next search, which follows at
    /// once.
    fn restart(&mut self) {
        self.forget();
    }

    /// Returns the moves of the current position of a game with their statistics from the last
    /// search; `None` if that search did not reach the position or kept nothing. A running search
    /// is inspected through its [`Inspector`](crate::Inspector).
    fn look(&self, _game: &History<G>) -> Option<Vec<RootMove<G::Move>>> {
        None
    }
}

/// The description of a kind of search.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SearchInfo {
    /// The name in specs.
    pub name: &'static str,
    /// One phrase that says what it does.
    pub summary: &'static str,
}

/// What a search can do, given its options. Callers ask for a capability; they never look a search
/// up by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Capabilities {
    /// Answers yes/no questions: [`SearchKind::prover`] returns a [`Prover`].
    pub solves: bool,
    /// Keeps every reply of a proof after the answer, as far as memory allows, so that a
    /// certificate can be read from it.
    pub keeps_proof: bool,
    /// The fewest and the most players.
    pub players: (u8, u8),
    /// Uses several threads.
    pub parallel: bool,
    /// Makes playouts, so that a limit on playouts ends it. See
    /// [`Limits::in_nodes_for`](crate::Limits::in_nodes_for).
    pub playouts: bool,
    /// Counts who owns the cells at the end of its playouts, if asked to by
    /// [`Control::counting`](crate::Control::counting), in a game for two that is about owning
    /// cells.
    pub owners: bool,
    /// Proves results: its [`Bounds`](crate::Bounds) can become exact before the game is over.
    pub proves: bool,
    /// Plays a move that it has proven best, whatever else it believes.
    pub plays_proven: bool,
    /// Ends in games whose positions repeat, given enough nodes.
    pub cycle_safe: bool,
    /// Splits its limits among independent searches, each of which ends for a reason of its own.
    pub splits_limits: bool,
    /// Reports the best complete line it has found, in games for one player.
    pub finds_solutions: bool,
    /// Ends after a number of runs with limits of their own, whatever its limits.
    pub ends_by_itself: bool,
}

impl Capabilities {
    /// A search that only chooses moves, on one thread, for any number of players.
    pub const PLAYER: Capabilities = Capabilities {
        solves: false,
        keeps_proof: false,
        players: (1, MAX_PLAYERS as u8),
        parallel: false,
        playouts: false,
        owners: false,
        proves: false,
        plays_proven: true,
        cycle_safe: true,
        splits_limits: false,
        finds_solutions: false,
        ends_by_itself: false,
    };

    /// A search on one thread for complete lines of games for one player.
    pub const LINES: Capabilities =
        Capabilities { players: (1, 1), playouts: true, finds_solutions: true, ..Capabilities::PLAYER };

    /// A solver on one thread that keeps its proof.
    pub const SOLVER: Capabilities =
        Capabilities { solves: true, keeps_proof: true, proves: true, ..Capabilities::PLAYER };
}

/// The option for the number of root moves with exact values, of searches that have it. Analysis
/// raises it, so that moves other than the best can be compared.
pub const MULTIPV: &str = "multipv";

/// A kind of search, which can be built for any game.
pub trait SearchKind {
    /// Name and summary.
    const INFO: SearchInfo;
    /// The fewest and the most players of the games it can search. It is not compiled for games
    /// that never have such a number of players.
    const PLAYERS: (u8, u8) = (1, MAX_PLAYERS as u8);
    /// The options.
    type Params: Clone + Send;

    /// Reads the options of a spec; the readers it calls define which options exist.
    fn read(options: &mut Options<'_>) -> Result<Self::Params, SpecError>;

    /// What the search can do with these options.
    fn capabilities(params: &Self::Params) -> Capabilities;

    /// Builds the search for a game under given rules, or refuses the game with a sentence. Called
    /// only if the number of players is in [`PLAYERS`](SearchKind::PLAYERS).
    fn build<G: Knowledge>(params: Self::Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError>;

    /// Returns what the search does differently in a game under given rules, if its name promises
    /// something else. Front ends show it with the result.
    fn note<G: Knowledge>(_params: &Self::Params, _rules: &G::Rules) -> Option<&'static str> {
        None
    }

    /// Builds the solver. Called only if [`Capabilities::solves`] holds.
    fn prover<G: Knowledge>(_params: Self::Params, _rules: &G::Rules) -> Result<Box<dyn Prover<G>>, SpecError> {
        unreachable!("{} is not a solver", Self::INFO.name)
    }
}
