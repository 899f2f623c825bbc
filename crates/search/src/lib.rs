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

use tesuji_core::{Knowledge, OptionInfo, Options, Prover, Search, SearchInfo, SearchKind, Spec, SpecError};

/// The atomics of the protocols that are checked with loom.
mod atomics {
    pub use std::sync::atomic::{AtomicU64, Ordering, fence};
}

mod proving;

pub use proving::goal::{GOALS, Goal};

/// Declares the modules of the searches and makes the list of them.
macro_rules! searches {
    ($($module:ident :: $kind:ident,)*) => {
        $(pub mod $module;)*

        /// All searches.
        pub const INFOS: &[SearchInfo] = &[$(<$module::$kind as SearchKind>::INFO,)*];

        /// The search that a spec names, for a game under given rules.
        pub fn build<G: Knowledge>(spec: &Spec, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
            $(
                if spec.name() == <$module::$kind as SearchKind>::INFO.name {
                    let mut options = Options::new(spec);
                    let params = <$module::$kind as SearchKind>::read(&mut options)?;
                    options.finish()?;
                    return <$module::$kind as SearchKind>::build::<G>(params, rules);
                }
            )*
            Err(unknown_search(spec.name()))
        }

        /// The solver that a spec names, for a game under given rules.
        pub fn prover<G: Knowledge>(spec: &Spec, rules: &G::Rules) -> Result<Box<dyn Prover<G>>, SpecError> {
            let mut solvers = Vec::new();
            $(
                let name = <$module::$kind as SearchKind>::INFO.name;
                if spec.name() == name {
                    let mut options = Options::new(spec);
                    let params = <$module::$kind as SearchKind>::read(&mut options)?;
                    options.finish()?;
                    if let Some(made) = <$module::$kind as SearchKind>::prover::<G>(params, rules) {
                        return made;
                    }
                } else {
                    let usual: Spec = name.parse()?;
                    let params = <$module::$kind as SearchKind>::read(&mut Options::new(&usual))?;
                    if <$module::$kind as SearchKind>::prover::<G>(params, rules).is_some() {
                        solvers.push(name);
                    }
                }
            )*
            let name = spec.name().to_string();
            Err(SpecError::UnknownName { kind: "solver", name, known: solvers.join(", ") })
        }

        /// The options of a search.
        pub fn options(name: &str) -> Result<Vec<OptionInfo>, SpecError> {
            let spec: Spec = name.parse()?;
            $(
                if spec.name() == <$module::$kind as SearchKind>::INFO.name {
                    let mut options = Options::new(&spec);
                    <$module::$kind as SearchKind>::read(&mut options)?;
                    return options.finish();
                }
            )*
            Err(unknown_search(name))
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
