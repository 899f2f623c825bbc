//! The games and searches of Tesuji by name, with moves and positions as text.
//!
//! Below this crate everything is generic over the game; above it nothing is. [`open`] returns a
//! [`Session`], the handle of a game in progress. An [`Engine`] searches it, and [`solve`] solves
//! it.
//!
//! ```
//! let mut session = tesuji_catalog::open("connect4", "start moves 4 4").unwrap();
//! session.play("3").unwrap();
//! assert_eq!(session.moves(), ["4", "4", "3"]);
//! assert!(tesuji_catalog::open("connect4:7x77", "start").is_err());
//! ```

mod agent;
mod auto;
mod bench;
mod certify;
mod checkpoint;
mod compare;
mod crew;
mod ending;
mod endings;
mod engine;
mod file;
mod learn;
mod log;
mod packed_log;
mod player_text;
mod sampling;
mod selfplay;
mod session;
mod solve;
mod solver;
mod text;
mod traps;
mod untrusted;

pub use agent::{Action, Agent, Choice, Fault, SearchPlayer, Turn};
pub use auto::{AUTO, capabilities, search};
pub use bench::{BenchResult, BenchSettings, Rate, SolverRate, bench};
pub use certify::{
    ProofOutcome, ProofStep, ProvenClaim, Verification, VerificationFailure, Walker, Zone, certify_solution, verify,
    walk,
};
pub use compare::{
    Attempt, AttemptSettings, CompareError, Comparison, ComparisonProgress, ComparisonResult, Disagreement,
    PositionSet, Ratio, SolverSpec, SolverSummary, SolverTiming, compare,
};
pub use crew::{Crew, CrewPlan, CrewTask, Crews, register_crews};
pub use ending::Ending;
pub use endings::{EndingsError, EndingsPlan, EndingsProgress, Selection, endings};
pub use engine::{Engine, SearchResult, SearchSettings, SearchTiming, analysis_spec};
pub use file::{can_replace_file, replace_file, replace_file_with};
pub use learn::{learn, learn_patterns, learn_time_tables};
pub use log::{Log, LogError};
pub use packed_log::{MAX_PACKED_LOG, log_exists, pack_log, unpack_log};
pub use player_text::split_manager;
pub use selfplay::{SelfPlay, SelfPlayError};
pub use session::Session;
pub use solve::{
    CheckpointSettings, Side, Sides, Solution, SolveError, SolveObserver, SolvePlan, SolveStage, SolveTiming,
    SolvedMove, solve,
};
pub use solver::{Solver, SolverSettings};
pub use tesuji_core::{QuantityError, parse_bytes, parse_time};
pub use tesuji_pairs::prover;
pub use tesuji_proof::ProofError;
pub use tesuji_search::root::{Vote, seed_of, share_of};
pub use tesuji_search::{GOALS, Goal};
pub use text::{bounds_text, grouped};
pub use traps::{LevelTraps, TrapLevel, TrapsError, TrapsPlan, TrapsReport, TurnTraps, traps};
pub use untrusted::{check_untrusted, open_if_readable, open_untrusted};

use serde::Serialize;
use session::SessionOf;
use tesuji_core::{
    Capabilities, Dialects, Facts, History, HistoryError, Info, Knowledge, OptionInfo, Options, Rules, SearchInfo,
    Spec, SpecError, Visitor,
};
use tesuji_games::{INFOS, rules, unknown_game, visit};
use thiserror::Error;

/// The version of the JSON output of front ends; raised when a field is removed or changes its
/// meaning.
pub const SCHEMA: u32 = 2;

/// Why a game could not be opened.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OpenError {
    /// The spec is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The position or a move is invalid.
    #[error(transparent)]
    History(#[from] HistoryError),
}

/// A game of the list.
#[derive(Clone, Debug, Serialize)]
pub struct GameEntry {
    /// Its name, title, players and known results.
    #[serde(flatten)]
    pub info: Info,
    /// Its options.
    pub options: Vec<OptionInfo>,
    /// Its properties under the default rules.
    pub facts: Facts,
    /// How protocols and file formats write it under its default rules.
    #[serde(skip)]
    pub dialects: Dialects,
}

/// Returns all games.
pub fn games() -> Vec<GameEntry> {
    struct Describe(Info);
    impl Visitor for Describe {
        type Output = GameEntry;

        fn visit<G: Knowledge>(self) -> GameEntry {
            let (rules, options) = default_rules::<G>(self.0.name);
            GameEntry { info: self.0, options, facts: rules.facts(), dialects: rules.dialects() }
        }
    }
    INFOS.iter().map(|info| visit(info.name, Describe(*info)).expect("it is in the list")).collect()
}

/// Returns the default rules of the game with this name, and its options.
fn default_rules<G: Knowledge>(name: &str) -> (G::Rules, Vec<OptionInfo>) {
    let spec: Spec = name.parse().expect("names are specs");
    let mut options = Options::new(&spec);
    let rules = G::Rules::read(&mut options).expect("defaults are accepted");
    (rules, options.finish().expect("no options were given"))
}

/// Returns the value of an option in the spec of a game, or its default; `None` if the game has no
/// such option.
pub fn option(game: &Spec, key: &str) -> Option<String> {
    if let Some(value) = game.option(key) {
        return Some(value.to_string());
    }
    let entry = games().into_iter().find(|entry| entry.info.name == game.name())?;
    entry.options.into_iter().find(|option| option.key == key).map(|option| option.default)
}

/// A search of the list.
#[derive(Clone, Debug, Serialize)]
pub struct SearchEntry {
    /// Its name and summary.
    #[serde(flatten)]
    pub info: SearchInfo,
    /// Whether it is also a solver.
    pub solves: bool,
    /// Its options.
    pub options: Vec<OptionInfo>,
}

/// Returns all searches.
pub fn searches() -> Vec<SearchEntry> {
    let entry = |info: &SearchInfo| SearchEntry {
        info: *info,
        solves: default_capabilities(info.name).solves,
        options: tesuji_search::options(info.name).expect("it is in the list"),
    };
    tesuji_search::INFOS.iter().map(entry).collect()
}

/// Returns the capabilities of a search with its default options.
fn default_capabilities(name: &str) -> Capabilities {
    tesuji_search::capabilities(&name.parse().expect("names are specs")).expect("defaults are accepted")
}

/// What `auto` stands for in a game under its default rules.
#[derive(Clone, Debug, Serialize)]
pub struct AutoEntry {
    /// The game.
    pub game: &'static str,
    /// The search that plays.
    pub search: &'static str,
    /// The solver.
    pub solver: &'static str,
}

/// Returns what `auto` stands for, for all games.
pub fn auto_searches() -> Vec<AutoEntry> {
    struct Resolve(&'static str);
    impl Visitor for Resolve {
        type Output = AutoEntry;

        fn visit<G: Knowledge>(self) -> AutoEntry {
            let rules = default_rules::<G>(self.0).0;
            AutoEntry { game: self.0, search: G::auto_player(&rules), solver: G::auto_solver(&rules).0 }
        }
    }
    INFOS.iter().map(|info| visit(info.name, Resolve(info.name)).expect("it is in the list")).collect()
}

/// Opens a game by its spec at a position (`start`, a position text, either with
/// ` moves M1 M2 ...`).
pub fn open(spec: &str, position: &str) -> Result<Box<dyn Session>, OpenError> {
    struct Open<'a>(&'a Spec, &'a str);
    impl Visitor for Open<'_> {
        type Output = Result<Box<dyn Session>, OpenError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let rules = rules::<G>(&self.0.to_string())?;
            let history = History::<G>::parse(rules, self.1)?;
            Ok(Box::new(SessionOf::new(self.0.clone(), history)))
        }
    }
    let spec: Spec = spec.parse()?;
    visit(spec.name(), Open(&spec, position)).unwrap_or_else(|| Err(unknown_game(spec.name()).into()))
}
