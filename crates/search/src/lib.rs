//! The searches of Tesuji, all over one game interface.
//!
//! [`build`] makes a search for a game from a spec such as `mcts:c=0.7,solver` or `alphabeta`. To add a search, write one
//! file with a [`SearchKind`] in it and add one line to the list below.
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
    Capabilities, Knowledge, OptionInfo, Options, Prover, Search, SearchInfo, SearchKind, Spec, SpecError,
};

/// The atomics of the protocols that are checked with loom.
mod atomics {
    pub use std::sync::atomic::{AtomicU64, Ordering, fence};
}

pub mod erased;
mod memory;
mod proving;

pub use proving::asking::{Questioner, Slice, pursue};
pub use proving::goal::{GOALS, Goal};

/// Declares the modules of the searches and makes the list of them.
macro_rules! searches {
    ($($module:ident :: $kind:ident,)*) => {
        $(pub mod $module;)*

        /// All searches.
        pub const INFOS: &[SearchInfo] = &[$(<$module::$kind as SearchKind>::INFO,)*];

        /// A spec that was read.
        enum Wanted {
            $($kind(<$module::$kind as SearchKind>::Params),)*
        }

        fn read(spec: &Spec) -> Result<(Wanted, Vec<OptionInfo>), SpecError> {
            let mut options = Options::new(spec);
            $(
                if spec.name() == <$module::$kind as SearchKind>::INFO.name {
                    let wanted = Wanted::$kind(<$module::$kind as SearchKind>::read(&mut options)?);
                    return Ok((wanted, options.finish()?));
                }
            )*
            Err(unknown_search(spec.name()))
        }

        /// Builds the search that a spec names, for a game under given rules.
        pub fn build<G: Knowledge>(spec: &Spec, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
            match read(spec)?.0 {
                $(Wanted::$kind(params) => <$module::$kind as SearchKind>::build::<G>(params, rules),)*
            }
        }

        /// Builds the solver that a spec names, for a game under given rules.
        pub fn prover<G: Knowledge>(spec: &Spec, rules: &G::Rules) -> Result<Box<dyn Prover<G>>, SpecError> {
            match read(spec)?.0 {
                $(Wanted::$kind(params) if <$module::$kind as SearchKind>::capabilities(&params).solves => {
                    <$module::$kind as SearchKind>::prover::<G>(params, rules)
                })*
                _ => Err(not_a_solver(spec.name())),
            }
        }

        /// What the search that a spec names can do.
        pub fn capabilities(spec: &Spec) -> Result<Capabilities, SpecError> {
            Ok(match read(spec)?.0 {
                $(Wanted::$kind(params) => <$module::$kind as SearchKind>::capabilities(&params),)*
            })
        }

        /// The options of a search.
        pub fn options(name: &str) -> Result<Vec<OptionInfo>, SpecError> {
            Ok(read(&name.parse()?)?.1)
        }
    };
}

searches! {
    mcts::Mcts,
    root::Root,
    random::Random,
    minimax::Minimax,
    flat::Flat,
    alphabeta::AlphaBeta,
    pns::Pns,
    pn2::Pn2,
    rppns::RpPns,
    rppn2::RpPn2,
    dfpn::DfPn,
    pds::Pds,
    pdspn::PdsPn,
    pnstar::PnStar,
}

/// The error for a name that is no search.
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
