//! An engine: one search by spec, for one game.

use crate::auto::{self, AUTO};
use crate::crew;
use crate::player_text::split_manager;
use crate::sampling;
use crate::session::{Session, history};
use crate::text::{TextInspector, report_text, root_moves_text};
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tesuji_core::time::{Clock, MovePlan, TimeManager, Turn};
use tesuji_core::{
    Bounds, Capabilities, Control, Counters, Facts, Game, Improvement, Inspector, Knowledge, Limits, MULTIPV, Observer,
    OwnerCounts, PointBounds, Report, RootMove, Rules, Search, Spec, SpecError, StopChain, Visitor,
};
use tesuji_games::{unknown_game, visit};

/// What a search may use, and how it is watched.
pub struct SearchSettings<'a> {
    /// The limits.
    pub limits: Limits,
    /// The clock of the player to move, if it plays on one. The time manager of the engine makes a
    /// plan for the move, which ends no later than the time limit.
    pub clock: Option<Clock>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads, for searches that can use them.
    pub threads: usize,
    /// Set to end the search early.
    pub stop: &'a AtomicBool,
    /// Called with the running search, about once per interval.
    pub observer: Option<(Duration, Observer<'a, String>)>,
    /// Whether the result has the ownership of the cells. The search counts it if it can.
    pub owners: bool,
}

/// The result of a search, with moves as text. `B` is [`Bounds`], or [`PointBounds`] for output.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SearchResult<B = Bounds> {
    /// The spec of the engine.
    pub player: String,
    /// The search that ran: the same spec, unless it was `auto`.
    pub search: String,
    /// What the search does differently in this game, if its name promises something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
    /// The report; values are from the viewpoint of the player to move.
    #[serde(flatten)]
    pub report: Report<String, B>,
    /// How much each cell of the view belongs to the player to move at the end of playouts, from -1
    /// to 1, if it was asked for and the game is about owning cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ownership: Option<Vec<f64>>,
    /// Everything that depends on the clock.
    pub timing: SearchTiming,
}

impl SearchResult {
    /// Returns the result for output, with scores in points.
    pub fn in_points(&self, facts: &Facts) -> SearchResult<PointBounds> {
        let SearchResult { player, search, note, report, ownership, timing } = self;
        let (player, search, ownership) = (player.clone(), search.clone(), ownership.clone());
        SearchResult { player, search, note: *note, report: report.in_points(facts), ownership, timing: timing.clone() }
    }
}

/// The duration and speed of a search.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SearchTiming {
    /// The total time in seconds.
    pub seconds: f64,
    /// Playouts per second.
    pub playouts_per_second: f64,
    /// Nodes per second.
    pub nodes_per_second: f64,
    /// The regular time of the plan for the move in seconds, on a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned_seconds: Option<f64>,
    /// The best score over the course of the search, in a game for one player.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<Improvement>,
}

impl SearchTiming {
    /// Computes the rates of a search from its counters.
    pub fn new(counters: &Counters, elapsed: Duration) -> SearchTiming {
        let seconds = elapsed.as_secs_f64();
        let rate = |count: u64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
        let (playouts_per_second, nodes_per_second) = (rate(counters.playouts), rate(counters.nodes));
        SearchTiming { seconds, playouts_per_second, nodes_per_second, planned_seconds: None, curve: Vec::new() }
    }
}

/// The number of moves with exact values in an analysis. Raising it shows more and searches less
/// deep.
const ANALYSED_MOVES: &str = "3";

/// The time manager of a search that names none.
const DEFAULT_MANAGER: &str = "fixed";

/// A search built from a spec for one game under fixed rules.
///
/// An engine follows a game: each call takes the game as it stands, and the search reuses whatever
/// part of its tree is still valid. Dropping the engine frees its memory.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use tesuji_catalog::{Engine, SearchSettings, open};
/// use tesuji_core::Limits;
///
/// let mut game = open("connect4", "start").unwrap();
/// let mut engine = Engine::new("mcts:reuse", game.as_ref()).unwrap();
/// let stop = AtomicBool::new(false);
/// let limits = Limits { playouts: Some(100), ..Limits::default() };
/// let settings = SearchSettings { limits, clock: None, seed: 1, threads: 1, stop: &stop, observer: None, owners: false };
/// let result = engine.think(game.as_ref(), settings);
/// game.play(&result.report.best.unwrap()).unwrap();
/// ```
pub struct Engine {
    name: String,
    spec: Spec,
    note: Option<&'static str>,
    can: Capabilities,
    manager: Box<TimeManager>,
    search: Box<dyn TextSearch>,
}

impl Engine {
    /// Builds the search named by a spec, which may be `auto`, and may have a time manager:
    /// `mcts:solver@time=stop:f=5,p=0.9`. Without one `auto` has the manager `auto`, and any other
    /// search the manager `fixed`.
    pub fn new(spec: &str, game: &dyn Session) -> Result<Engine, SpecError> {
        struct Build<'a>(&'a str, &'a dyn Session);
        impl Visitor for Build<'_> {
            type Output = Result<Engine, SpecError>;

            fn visit<G: Knowledge>(self) -> Self::Output {
                let Build(name, game) = self;
                let (search, manager) = split_manager(name);
                let manager = manager.unwrap_or(if search == AUTO { AUTO } else { DEFAULT_MANAGER });
                let rules = history::<G>(game).expect("the names of games are unique").rules();
                let manager = Box::new(TimeManager::new(&manager.parse()?, &rules.time_facts())?);
                let spec = search.parse()?;
                let (spec, search, can) = match crew::search::<G>(&spec, game.spec(), rules)? {
                    Some((search, can)) => (spec, search, can),
                    None => {
                        let (spec, search) = auto::build::<G>(&spec, rules)?;
                        let can = tesuji_search::capabilities(&spec)?;
                        (spec, search, can)
                    }
                };
                let note = tesuji_search::note::<G>(&spec, rules);
                let search = Box::new(SearchOf::<G> { rules: rules.clone(), makes_playouts: can.playouts, search });
                Ok(Engine { name: name.to_string(), spec, note, can, manager, search })
            }
        }
        let name = game.info().name;
        visit(name, Build(spec, game)).unwrap_or_else(|| Err(unknown_game(name)))
    }

    /// As [`new`](Self::new), for analysis; see [`analysis_spec`].
    pub fn for_analysis(spec: &str, game: &dyn Session) -> Result<Engine, SpecError> {
        let engine = Engine::new(&analysis_spec(spec, game)?, game)?;
        Ok(Engine { name: spec.to_string(), ..engine })
    }

    /// Returns the spec that the engine was built from.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the spec of the search: the one the engine was built from, or the one that `auto`
    /// stands for.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Returns what the search can do.
    pub fn capabilities(&self) -> Capabilities {
        self.can
    }

    /// Returns whether the engine was built for a game and its rules.
    pub fn is_for(&self, game: &dyn Session) -> bool {
        self.search.is_for(game)
    }

    /// Searches the current position of a game.
    ///
    /// # Panics
    ///
    /// If the engine was built for another game or other rules.
    pub fn think(&mut self, game: &dyn Session, settings: SearchSettings<'_>) -> SearchResult {
        let start = Instant::now();
        let plan = settings.clock.map(|clock| self.plan(game, &clock));
        // One count serves the time manager and the caller.
        let counts = plan.as_ref().and_then(|plan| plan.owners.clone());
        let planned_seconds = plan.as_ref().map(|plan| plan.budget.as_secs_f64());
        let owners = counts.or_else(|| settings.owners.then(Arc::default));
        let chain = plan.map(|plan| plan.chain(settings.limits.time));
        let time = chain.as_ref().map_or(settings.limits.time, |chain| Some(chain.deadline()));
        let settings = SearchSettings { limits: Limits { time, ..settings.limits }, ..settings };
        let (report, ownership, curve) = self.search.think(game, settings, chain.as_ref(), owners.as_deref());
        let timing = SearchTiming { curve, planned_seconds, ..SearchTiming::new(&report.counters, start.elapsed()) };
        let (player, search) = (self.name.clone(), self.spec.to_string());
        SearchResult { player, search, note: self.note, report, ownership, timing }
    }

    /// Makes the plan of the engine's time manager for a move on a clock.
    pub fn plan(&mut self, game: &dyn Session, clock: &Clock) -> MovePlan {
        let turn = self.search.turn(game, self.manager.needs_length());
        self.manager.plan(clock, &turn)
    }

    /// Returns the moves at the end of a line from the current position, with their statistics from
    /// the last search.
    ///
    /// Returns `None` if the search did not reach that position, or if a move of the line is
    /// illegal. A running search is inspected through the observer in [`SearchSettings`].
    pub fn look(&self, game: &dyn Session, line: &[String]) -> Option<Vec<RootMove<String>>> {
        self.search.look(game, line)
    }
}

/// Returns the spec with which a player analyses a game: a search that has an option for it gives
/// several moves exact values, unless the spec says how many. The same holds for nested searches.
pub fn analysis_spec(spec: &str, game: &dyn Session) -> Result<String, SpecError> {
    let engine = Engine::new(spec, game)?;
    let analysing = with_analysed_moves(&engine.spec);
    Ok(if analysing == engine.spec { spec.to_string() } else { analysing.to_string() })
}

fn with_analysed_moves(spec: &Spec) -> Spec {
    let has_multipv = tesuji_search::options(spec.name())
        .is_ok_and(|options| options.iter().any(|option| option.key == MULTIPV) && spec.option(MULTIPV).is_none());
    if has_multipv {
        return spec.with(MULTIPV, ANALYSED_MOVES);
    }
    spec.map_nested(|nested| match nested.parse() {
        Ok(nested) => with_analysed_moves(&nested).to_string(),
        Err(_) => nested.to_string(),
    })
}

/// A search whose game type is erased.
trait TextSearch: Send {
    fn is_for(&self, game: &dyn Session) -> bool;
    fn turn(&self, game: &dyn Session, needs_length: bool) -> Turn;
    /// Searches, and returns the report and the ownership, if that was asked for.
    fn think(
        &mut self,
        game: &dyn Session,
        settings: SearchSettings<'_>,
        stoppers: Option<&StopChain>,
        owners: Option<&OwnerCounts>,
    ) -> (Report<String>, Option<Vec<f64>>, Vec<Improvement>);
    fn look(&self, game: &dyn Session, line: &[String]) -> Option<Vec<RootMove<String>>>;
}

struct SearchOf<G: Game> {
    rules: G::Rules,
    makes_playouts: bool,
    search: Box<dyn Search<G>>,
}

impl<G: Knowledge> TextSearch for SearchOf<G> {
    fn is_for(&self, game: &dyn Session) -> bool {
        history::<G>(game).is_some_and(|history| *history.rules() == self.rules)
    }

    fn turn(&self, game: &dyn Session, needs_length: bool) -> Turn {
        let history = history::<G>(game).expect("the engine was built for this game");
        sampling::turn(history, needs_length)
    }

    fn think(
        &mut self,
        game: &dyn Session,
        settings: SearchSettings<'_>,
        stoppers: Option<&StopChain>,
        owners: Option<&OwnerCounts>,
    ) -> (Report<String>, Option<Vec<f64>>, Vec<Improvement>) {
        assert!(self.is_for(game), "the engine was built for another game");
        let history = history::<G>(game).expect("it was just checked");
        let limits = settings.limits.in_nodes_for(self.makes_playouts);
        // A search that counts nothing leaves the ownership to playouts of its own.
        let estimate = OnceLock::new();
        let ownership = || match owners.and_then(OwnerCounts::get) {
            Some(counts) => Some(counts.shares(history.position().to_move())),
            None => estimate.get_or_init(|| sampling::ownership(history)).clone(),
        };
        let mut control = Control::new(limits, settings.seed, settings.stop).with_threads(settings.threads);
        control = control.stopped_by(stoppers).counting(owners);
        if let Some((interval, mut observer)) = settings.observer {
            let ownership = &ownership;
            let show = move |inspector: &dyn Inspector<G::Move>| {
                observer(&TextInspector { inspector, history, ownership });
            };
            control = control.watched(interval, Box::new(show));
        }
        let report = report_text(self.search.search(history, &control), history);
        (report, settings.owners.then(&ownership).flatten(), control.improvements())
    }

    fn look(&self, game: &dyn Session, line: &[String]) -> Option<Vec<RootMove<String>>> {
        let mut game = history::<G>(game).filter(|_| self.is_for(game))?.clone();
        for mv in line {
            game.play_text(mv).ok()?;
        }
        Some(root_moves_text(self.search.look(&game)?, game.position()))
    }
}
