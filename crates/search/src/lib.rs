//! The searches of Tesuji, written against one game interface.
//!
//! [`build`] creates a search for a game from a spec such as `mcts:c=0.7,solver` or `alphabeta`. To
//! add a search, implement [`SearchKind`] in a new module and add one line to the list below.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use tesuji_core::{Control, History, Limits};
//! use tesuji_games::{rules, tictactoe::TicTacToe};
//!
//! let rules = rules::<TicTacToe>("tictactoe").unwrap();
//! let mut search = tesuji_search::build::<TicTacToe>(&"random".parse().unwrap(), &rules).unwrap();
//! let stop = AtomicBool::new(false);
//! let report = search.search(&History::new(rules), &Control::new(Limits::default(), 1, &stop));
//! assert!(report.best.is_some());
//! ```

use tesuji_core::{
    Capabilities, Knowledge, OptionInfo, Options, Prover, Rules, Search, SearchInfo, SearchKind, Spec, SpecError,
};

/// The atomics used by the protocols that are tested with loom.
mod atomics {
    pub use std::sync::atomic::{AtomicU64, Ordering, fence};
}

mod best_line;
pub mod erased;
mod functions;
mod informed;
mod memory;
mod proving;
pub mod shallow;
#[cfg(test)]
mod stopper_tests;
mod variation;

pub use proving::asking::{Questioner, Slice, pursue};
pub use proving::goal::{GOALS, Goal};
pub use proving::zone::{ProofSource, ZoneWalk};

/// Declares one module per search and the functions that dispatch on a spec.
macro_rules! searches {
    ($($module:ident :: $kind:ident,)*) => {
        $(pub mod $module;)*

        /// Name and summary of every search.
        pub const INFOS: &[SearchInfo] = &[$(<$module::$kind as SearchKind>::INFO,)*];

        /// The parameters of a parsed spec. `mcts` has many more options than the other searches; a
        /// spec is parsed once per search, so the size does not matter.
        #[allow(clippy::large_enum_variant)]
        enum ParsedSpec {
            $($kind(<$module::$kind as SearchKind>::Params),)*
        }

        /// Parses a spec and lists the options of the search it names.
        fn read(spec: &Spec) -> Result<(ParsedSpec, Vec<OptionInfo>), SpecError> {
            let mut options = Options::new(spec);
            $(
                if spec.name() == <$module::$kind as SearchKind>::INFO.name {
                    let parsed = ParsedSpec::$kind(<$module::$kind as SearchKind>::read(&mut options)?);
                    return Ok((parsed, options.finish()?));
                }
            )*
            Err(unknown_search(spec.name()))
        }

        /// Builds the search that a spec names, for a game under given rules.
        pub fn build<G: Knowledge>(spec: &Spec, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
            let players = rules.facts().players;
            match read(spec)?.0 {
                $(ParsedSpec::$kind(params) => {
                    check_players(<$module::$kind as SearchKind>::INFO.name, <$module::$kind as SearchKind>::PLAYERS, players)?;
                    // A constant, so that the branch that cannot be taken is not compiled.
                    if const { serves::<$module::$kind, G>() } {
                        <$module::$kind as SearchKind>::build::<G>(params, rules)
                    } else {
                        unreachable!("{} has at most {} players", G::INFO.name, G::INFO.players.len())
                    }
                })*
            }
        }

        /// Builds the solver that a spec names, for a game under given rules.
        pub fn prover<G: Knowledge>(spec: &Spec, rules: &G::Rules) -> Result<Box<dyn Prover<G>>, SpecError> {
            match read(spec)?.0 {
                $(ParsedSpec::$kind(params) if <$module::$kind as SearchKind>::capabilities(&params).solves => {
                    <$module::$kind as SearchKind>::prover::<G>(params, rules)
                })*
                _ => Err(not_a_solver(spec.name())),
            }
        }

        /// Returns what the search that a spec names does differently in a game under given rules.
        pub fn note<G: Knowledge>(spec: &Spec, rules: &G::Rules) -> Option<&'static str> {
            match read(spec).ok()?.0 {
                $(ParsedSpec::$kind(params) => <$module::$kind as SearchKind>::note::<G>(&params, rules),)*
            }
        }

        /// Returns the capabilities of the search that a spec names.
        pub fn capabilities(spec: &Spec) -> Result<Capabilities, SpecError> {
            Ok(match read(spec)?.0 {
                $(ParsedSpec::$kind(params) => <$module::$kind as SearchKind>::capabilities(&params),)*
            })
        }

        /// Lists the options of a search.
        pub fn options(name: &str) -> Result<Vec<OptionInfo>, SpecError> {
            Ok(read(&name.parse()?)?.1)
        }
    };
}

searches! {
    mcts::Mcts,
    root::RootParallel,
    prove::ProveFirst,
    random::Random,
    minimax::Minimax,
    flat::Flat,
    nmcs::Nmcs,
    nrpa::Nrpa,
    nmcts::Nmcts,
    beam::Beam,
    restart::Restart,
    stepwise::Stepwise,
    alphabeta::AlphaBeta,
    pns::Pns,
    pn2::Pn2,
    rppns::RpPns,
    rppn2::RpPn2,
    dfpn::DfPn,
    lambda::Lambda,
    pds::Pds,
    pdspn::PdsPn,
    pnstar::PnStar,
}

/// Whether a game can have a number of players that a search supports. A game with several players
/// has two at least.
const fn serves<K: SearchKind, G: Knowledge>() -> bool {
    let names = G::INFO.players.len();
    K::PLAYERS.0 as usize <= names && (K::PLAYERS.1 > 1 || names == 1)
}

/// Refuses a number of players that a search does not support.
fn check_players(name: &str, (fewest, most): (u8, u8), players: u8) -> Result<(), SpecError> {
    if (fewest..=most).contains(&players) {
        return Ok(());
    }
    let accepted = match (fewest, most) {
        (1, 1) => "one-player games only".to_string(),
        (2, 2) => "two-player games only".to_string(),
        _ => format!("games for {fewest} to {most} players"),
    };
    let key = "players".to_string();
    Err(SpecError::BadValue { name: name.to_string(), key, value: players.to_string(), accepted })
}

/// The error for a name that is not a search.
pub fn unknown_search(name: &str) -> SpecError {
    let known = INFOS.iter().map(|info| info.name).collect::<Vec<_>>().join(", ");
    SpecError::UnknownName { kind: "search", name: name.to_string(), known }
}

/// The error for a search that is not a solver.
fn not_a_solver(name: &str) -> SpecError {
    let solves = |name: &&str| capabilities(&name.parse().expect("names are specs")).is_ok_and(|can| can.solves);
    let known = INFOS.iter().map(|info| info.name).filter(solves).collect::<Vec<_>>().join(", ");
    SpecError::UnknownName { kind: "solver", name: name.to_string(), known }
}
