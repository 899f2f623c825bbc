//! The battery for searches: runs a search on positions of random games and checks its reports
//! against the laws of the search interface and against [`minimax`](tesuji_search::minimax).

mod checks;
mod sample;
#[cfg(test)]
mod tests;

pub use checks::{is_solved, report_text, truth, truth_error};
pub use sample::random_game;

use crate::law::Laws;
use checks::{
    bounds_error, choice_error, is_permutation, legal_moves, line_error, moves_error, value_error, variation_error,
};
use sample::special_positions;
use serde::Serialize;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tesuji_core::{
    Capabilities, Control, Game, History, Inspector, Knowledge, Limits, OwnerCounts, Report as SearchReport, Rng,
    RootMove, Search, Spec, SpecError, StopReason, Visitor,
};
use tesuji_games::{rules, unknown_game, visit};

/// The amount of work.
#[derive(Clone, Debug)]
pub struct Effort {
    /// The number of random games from which positions are taken.
    pub games: u32,
    /// The playout limit of each search.
    pub playouts: u64,
    /// The playout limit of a search with little memory: enough to fill it if the game is large
    /// enough.
    pub memory_playouts: u64,
    /// The node limit of each search, which ends searches without playouts.
    pub nodes: u64,
    /// The node limit of minimax, with which reports are compared. A position that it does not
    /// solve is compared as far as its bounds go.
    pub oracle_nodes: u64,
    /// The seed of the random games.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { games: 4, playouts: 500, memory_playouts: 50_000, nodes: 5_000, oracle_nodes: 20_000, seed: 1 }
    }
}

/// The result of the battery.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The spec of the search.
    pub player: String,
    /// The spec of the game.
    pub game: String,
    /// The error with which the search rejects the game, if it does.
    pub refused: Option<String>,
    /// The laws with their results.
    pub laws: Laws,
    /// The number of positions searched.
    pub positions: u64,
    /// The number of reports on positions that minimax solved.
    pub compared: u64,
    /// The number of reports that solve the position.
    pub solved: u64,
}

impl Report {
    /// Whether every law held.
    pub fn passed(&self) -> bool {
        self.laws.hold()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { player, game, positions, compared, solved, .. } = self;
        match &self.refused {
            Some(error) => writeln!(f, "{player} does not support {game}: {error}")?,
            None => writeln!(
                f,
                "{player} on {game}: {positions} positions, {compared} reports compared with minimax, {solved} solved"
            )?,
        }
        self.laws.fmt(f)
    }
}

/// Runs the battery with a search on a game, both given by specs. Fails on an invalid spec; that a
/// search does not support the game is part of the report.
pub fn run(player: &str, game: &str, effort: &Effort) -> Result<Report, SpecError> {
    struct Run<'a>(&'a Spec, &'a str, &'a Effort);
    impl Visitor for Run<'_> {
        type Output = Result<Report, SpecError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let rules = rules::<G>(self.1)?;
            let build = || tesuji_catalog::search::<G>(self.0, &rules);
            let can = tesuji_catalog::capabilities::<G>(self.0, &rules)?;
            Ok(run_game(&self.0.to_string(), &build, can, self.1, &rules, self.2))
        }
    }
    let spec: Spec = player.parse()?;
    check_spec(&spec)?;
    let name = game.split(':').next().unwrap_or("");
    visit(name, Run(&spec, game, effort)).unwrap_or_else(|| Err(unknown_game(name)))
}

/// Fails if a spec is invalid for every game. Searches support tic-tac-toe or reject it with
/// [`SpecError::BadValue`].
fn check_spec(spec: &Spec) -> Result<(), SpecError> {
    use tesuji_games::TicTacToe;
    let rules = rules::<TicTacToe>("tictactoe")?;
    match tesuji_catalog::search::<TicTacToe>(spec, &rules) {
        Ok(_) | Err(SpecError::BadValue { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Creates a search, or returns why the game is not supported.
pub type Build<'a, G> = &'a dyn Fn() -> Result<Box<dyn Search<G>>, SpecError>;

/// Runs the battery with any search on any game, including those that are not in the lists.
pub fn run_game<G: Game>(
    player: &str,
    build: Build<'_, G>,
    can: Capabilities,
    game: &str,
    rules: &G::Rules,
    effort: &Effort,
) -> Report {
    let mut battery = Battery {
        player,
        build,
        can,
        game,
        rules,
        effort,
        laws: Laws::new(&LAWS),
        positions: 0,
        compared: 0,
        solved: 0,
    };
    let refused = match build() {
        Ok(_) => {
            battery.all();
            None
        }
        Err(error) => {
            let explains = matches!(&error, SpecError::BadValue { accepted, .. } if !accepted.trim().is_empty());
            battery.laws.demand(REJECTS, explains, || format!("the error is {error}"));
            Some(error.to_string())
        }
    };
    Report {
        player: player.to_string(),
        game: game.to_string(),
        refused,
        laws: battery.laws,
        positions: battery.positions,
        compared: battery.compared,
        solved: battery.solved,
    }
}

const REJECTS: &str = "a game that is not supported is rejected with an error that says what is accepted";
const MOVES: &str = "a report lists every legal move once, the best one first";
const VARIATION: &str = "the variation starts with the best move and is legal";
const TERMINAL: &str = "the report of a finished game has no moves";
const VALUES: &str = "values lie in [-1, 1] and have the sign of a proven result";
const BOUNDS: &str =
    "bounds are ordered, in the range of scores, for the player to move, and consistent with each other";
const CHOICE: &str = "the best move is not proven worse than another and keeps the proven result";
const TRUTH: &str = "minimax refutes no claim";
const LIMITS: &str = "limits on playouts, nodes and memory are respected, and the stop reason is correct";
const STOP: &str = "a search that is stopped before it starts, or has no time, returns at once";
const SAME: &str = "the same seed gives the same report, from a new search and after forget";
const WATCHED: &str = "an observer sees valid reports, does not change the result, and can stop the search";
const REUSE: &str = "a search that is used again gives valid reports after moves and undone moves";
const THREADS: &str = "a search with two threads obeys the same laws";
const NODES: &str = "the node limit ends a search even if its tree has stopped growing";
const SINGLE: &str = "an only legal move is the best move";
const LINE: &str =
    "a search with complete lines reports one that ends a game for one player, and its score as lower bound";
const OWNERS: &str = "a search that counts owners declares it, counts playouts once, and gives the same report";

const LAWS: [&str; 18] = [
    REJECTS, MOVES, VARIATION, TERMINAL, VALUES, BOUNDS, CHOICE, TRUTH, LIMITS, STOP, SAME, WATCHED, REUSE, THREADS,
    NODES, SINGLE, LINE, OWNERS,
];

/// The memory limit of most searches, much less than [`tesuji_core::DEFAULT_MEMORY`], which takes
/// long to clear.
const MEMORY: usize = 16 << 20;
/// The memory limit of a search that runs out of memory: about fifty thousand nodes of a tree.
const LITTLE_MEMORY: usize = 2 << 20;
/// A node limit that ends all but the shortest searches.
const FEW_NODES: u64 = 60;

/// The number of nodes and playouts after which a search must have called its observer.
const WATCHED_WORK: u64 = 100;

struct Battery<'a, G: Game> {
    player: &'a str,
    build: Build<'a, G>,
    can: Capabilities,
    game: &'a str,
    rules: &'a G::Rules,
    effort: &'a Effort,
    laws: Laws,
    positions: u64,
    compared: u64,
    solved: u64,
}

impl<G: Game> Battery<'_, G> {
    fn new_search(&self) -> Box<dyn Search<G>> {
        (self.build)().expect("the search was built before")
    }

    fn limits(&self) -> Limits {
        Limits {
            playouts: Some(self.effort.playouts),
            nodes: Some(self.effort.nodes),
            memory: Some(MEMORY),
            time: None,
        }
    }

    /// Limits that a search reaches only if it ignores the stop flag, the time limit or its
    /// observer.
    fn large_limits(&self) -> Limits {
        Limits { playouts: Some(self.effort.playouts * 50), nodes: Some(self.effort.nodes * 50), ..self.limits() }
    }

    /// Records a check of a law with its error, if any.
    fn note(&mut self, law: &'static str, history: &History<G>, error: Option<String>) {
        let located = |what| format!("{what}; {} on {} in {:?}", self.player, self.game, history.text());
        self.laws.check(law, error.map_or(Ok(()), |what| Err(located(what))));
    }

    fn all(&mut self) {
        self.with_little_memory();
        self.counting();
        for number in 0..self.effort.games {
            let mut rng = Rng::stream(self.effort.seed, u64::from(number));
            let history = random_game(self.rules, &mut rng, number % 2 == 1);
            let length = history.moves().len();
            let mut plies =
                vec![length * (1 + number as usize) / (self.effort.games as usize + 2), length.saturating_sub(3)];
            if number == 0 {
                plies.extend([0, length]);
            }
            plies.extend(special_positions(&history));
            plies.sort_unstable();
            plies.dedup();
            for ply in plies {
                let mut at = history.clone();
                while at.moves().len() > ply {
                    at.undo();
                }
                self.position(&at, u64::from(number));
            }
            self.reuse(&history, &mut rng);
        }
    }

    /// Checks every law at one position.
    fn position(&mut self, history: &History<G>, seed: u64) {
        self.positions += 1;
        let truth = self.truth(history);
        let (go, stop) = (AtomicBool::new(false), AtomicBool::new(true));
        let limits = self.limits();

        let mut search = self.new_search();
        let first = search.search(history, &Control::new(limits, seed, &go));
        self.finished(history, &first, &limits, &truth, LIMITS);
        let legal = legal_moves(history);
        if let [only] = legal[..] {
            let error = (first.best != Some(only)).then(|| "the only legal move is not the best".to_string());
            self.note(SINGLE, history, error);
        }
        if self.can.finds_solutions && history.facts().players == 1 && !history.is_over() {
            self.note(LINE, history, line_error(history, &first, self.can.proves));
        }
        search.forget();
        let after_forget = search.search(history, &Control::new(limits, seed, &go));
        self.same(history, &first, &after_forget, SAME, "a different report after forget");
        let other = self.new_search().search(history, &Control::new(limits, seed, &go));
        self.same(history, &first, &other, SAME, "a different report from a new search");

        // Only the stop flag ends the first search, and only the time limit the second.
        let large = self.large_limits();
        let stopped = self.new_search().search(history, &Control::new(large, seed, &stop));
        self.immediate(history, &stopped, &large, &truth, StopReason::Interrupted);
        let no_time = Limits { time: Some(Duration::ZERO), ..large };
        let late = self.new_search().search(history, &Control::new(no_time, seed, &go));
        self.immediate(history, &late, &no_time, &truth, StopReason::Time);

        // The node limit ends a search even if it cannot add any more nodes.
        let by_nodes = Limits { playouts: Some(limits.nodes.expect("limited") * 50), ..limits };
        let exhausted = self.new_search().search(history, &Control::new(by_nodes, seed, &go));
        let ran_on = exhausted.stopped == StopReason::Playouts;
        self.note(NODES, history, ran_on.then(|| format!("{:?}", exhausted.counters)));

        let few = Limits { nodes: Some(FEW_NODES), ..limits };
        let short = self.new_search().search(history, &Control::new(few, seed, &go));
        self.finished(history, &short, &few, &truth, LIMITS);

        self.watched(history, &first, &truth, seed);
        let two = self.new_search().search(history, &Control::new(limits, seed, &go).with_threads(2));
        self.finished(history, &two, &limits, &truth, THREADS);
    }

    /// Checks a search of the start position that runs out of memory.
    fn with_little_memory(&mut self) {
        let history = History::new(self.rules.clone());
        let truth = self.truth(&history);
        let go = AtomicBool::new(false);
        let playouts = self.effort.memory_playouts;
        let nodes = playouts.max(self.effort.nodes);
        let limits = Limits { memory: Some(LITTLE_MEMORY), playouts: Some(playouts), nodes: Some(nodes), time: None };
        let report = self.new_search().search(&history, &Control::new(limits, 1, &go));
        self.finished(&history, &report, &limits, &truth, LIMITS);
    }

    /// Checks a search of the start position that is asked to count owners.
    fn counting(&mut self) {
        let history = History::new(self.rules.clone());
        let (go, owners) = (AtomicBool::new(false), OwnerCounts::default());
        let silent = self.new_search().search(&history, &Control::new(self.limits(), 1, &go));
        let control = Control::new(self.limits(), 1, &go).counting(Some(&owners));
        let counting = self.new_search().search(&history, &control);
        self.same(&history, &silent, &counting, OWNERS, "a different report with counts");
        let (counted, made) = (owners.get().map_or(0, |counts| counts.playouts()), counting.counters.playouts);
        let is_declared = counted == 0 || self.can.owners;
        let error = (!is_declared || counted > made).then(|| format!("{counted} of {made} playouts are counted"));
        self.note(OWNERS, &history, error);
    }

    /// Checks searches with an observer.
    fn watched(
        &mut self,
        history: &History<G>,
        unwatched: &SearchReport<G::Move>,
        truth: &SearchReport<G::Move>,
        seed: u64,
    ) {
        type Seen<M> = (SearchReport<M>, Option<Vec<RootMove<M>>>);
        let limits = self.limits();
        let go = AtomicBool::new(false);
        let seen: Mutex<Vec<Seen<G::Move>>> = Mutex::new(Vec::new());
        let record = |inspector: &dyn Inspector<G::Move>| {
            let mut seen = seen.lock().expect("no observer panicked");
            if seen.len() < 20 {
                seen.push((inspector.report(), inspector.look(&[])));
            }
        };
        let control = Control::new(limits, seed, &go).watched(Duration::ZERO, Box::new(record));
        let report = self.new_search().search(history, &control);
        drop(control);
        self.same(history, unwatched, &report, WATCHED, "a different report with an observer");
        let seen = seen.into_inner().expect("no observer panicked");
        // A search that does any work calls its observer at its first tick.
        let work = report.counters.playouts + report.counters.nodes;
        let hidden = seen.is_empty() && work >= WATCHED_WORK;
        let error = hidden.then(|| format!("the observer was not called in {work} nodes and playouts"));
        self.note(WATCHED, history, error);
        for (shown, children) in seen {
            // A running search has no stop reason yet.
            let running = SearchReport { stopped: unwatched.stopped, ..shown };
            self.valid_report(history, &running, truth, WATCHED);
            if let Some(children) = children {
                let listed = children.iter().map(|entry| entry.mv).collect::<Vec<_>>();
                let same = is_permutation(&listed, &legal_moves(history));
                let error = (!same).then(|| "the observer does not see the legal moves".to_string());
                self.note(WATCHED, history, error);
            }
        }
        self.stopped_by_observer(history, truth, seed);
    }

    /// Checks that an observer can stop a search.
    fn stopped_by_observer(&mut self, history: &History<G>, truth: &SearchReport<G::Move>, seed: u64) {
        let stop = AtomicBool::new(false);
        let was_seen = AtomicBool::new(false);
        let end = |_: &dyn Inspector<G::Move>| {
            was_seen.store(true, Ordering::Relaxed);
            stop.store(true, Ordering::Relaxed);
        };
        let large = self.large_limits();
        let control = Control::new(large, seed, &stop).watched(Duration::ZERO, Box::new(end));
        let report = self.new_search().search(history, &control);
        drop(control);
        let done = matches!(
            report.stopped,
            StopReason::Interrupted | StopReason::Finished | StopReason::Solved | StopReason::Memory
        );
        let obeyed = !was_seen.load(Ordering::Relaxed) || done;
        let error = (!obeyed).then(|| format!("stopped by {:?} after the observer stopped it", report.stopped));
        self.note(WATCHED, history, error);
        self.valid_report(history, &report, truth, WATCHED);
    }

    /// Checks one search on successive positions of a game: after moves, undone moves and jumps.
    fn reuse(&mut self, history: &History<G>, rng: &mut Rng) {
        let go = AtomicBool::new(false);
        let limits = self.limits();
        let mut search = self.new_search();
        let mut game = history.clone();
        // Late enough for proofs, early enough for several moves.
        while game.moves().len() > history.moves().len() / 2 {
            game.undo();
        }
        let first_ply = game.moves().len();
        for _ in 0..4 {
            let truth = self.truth(&game);
            let report = search.search(&game, &Control::new(limits, rng.bits(), &go));
            self.finished(&game, &report, &limits, &truth, REUSE);
            let Some(best) = report.best.filter(|best| legal_moves(&game).contains(best)) else { break };
            game.play(best);
            let moves = legal_moves(&game);
            if !moves.is_empty() {
                game.play(moves[rng.below(moves.len())]);
            }
        }
        // Undoes half of the moves, then all of them, then jumps to the start.
        for plies in [(first_ply + game.moves().len()) / 2, first_ply, 0] {
            while game.moves().len() > plies {
                game.undo();
            }
            let truth = self.truth(&game);
            let report = search.search(&game, &Control::new(limits, rng.bits(), &go));
            self.finished(&game, &report, &limits, &truth, REUSE);
        }
    }

    fn same(
        &mut self,
        history: &History<G>,
        one: &SearchReport<G::Move>,
        other: &SearchReport<G::Move>,
        law: &'static str,
        what: &str,
    ) {
        let (one, other) = (format!("{one:?}"), format!("{other:?}"));
        let error = (one != other).then(|| {
            let at = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
            let part = |text: &str| text.chars().skip(at.saturating_sub(60)).take(120).collect::<String>();
            format!("{what} (...{}... for ...{}...)", part(&other), part(&one))
        });
        self.note(law, history, error);
    }

    /// Checks the report of a search that had to stop at once.
    fn immediate(
        &mut self,
        history: &History<G>,
        report: &SearchReport<G::Move>,
        limits: &Limits,
        truth: &SearchReport<G::Move>,
        reason: StopReason,
    ) {
        self.finished(history, report, limits, truth, STOP);
        let counters = &report.counters;
        // The work for a first report: one playout, and the children of one position.
        let slots = history.facts().move_indices as u64;
        let quick = counters.playouts <= 1 && counters.nodes <= 1 + slots;
        let honest = [reason, StopReason::Finished, StopReason::Solved].contains(&report.stopped);
        let error = (!quick || !honest).then(|| format!("{:?} with {counters:?}", report.stopped));
        self.note(STOP, history, error);
    }

    /// Checks the report of a finished search, its limits and its stop reason.
    fn finished(
        &mut self,
        history: &History<G>,
        report: &SearchReport<G::Move>,
        limits: &Limits,
        truth: &SearchReport<G::Move>,
        law: &'static str,
    ) {
        self.valid_report(history, report, truth, law);
        let counters = &report.counters;
        let (playouts, nodes) = (limits.playouts.expect("limited"), limits.nodes.expect("limited"));
        // Each worker adds a node together with all its children.
        let workers = if law == THREADS { 2 } else { 1 };
        let most_nodes = nodes + workers * (1 + history.facts().move_indices as u64);
        let within = counters.playouts <= playouts
            && counters.nodes <= most_nodes
            && counters.bytes <= limits.memory.expect("limited") as u64;
        let honest = match report.stopped {
            // Where several searches split the limits, one may end before it has used its part.
            StopReason::Playouts => counters.playouts == playouts || law == THREADS || self.can.splits_limits,
            StopReason::Nodes => counters.nodes >= nodes || law == THREADS || self.can.splits_limits,
            StopReason::Time => limits.time.is_some(),
            StopReason::Interrupted => law == STOP,
            StopReason::Finished | StopReason::Memory => true,
            // These searches have no stoppers.
            StopReason::Settled => false,
            StopReason::Solved => history.is_over() || report.bounds.is_informative(history.facts()),
        };
        let error = (!within || !honest).then(|| format!("{:?} with {counters:?} under {limits:?}", report.stopped));
        self.note(law, history, error);
    }

    /// Checks that a report is consistent and true.
    fn valid_report(
        &mut self,
        history: &History<G>,
        report: &SearchReport<G::Move>,
        truth: &SearchReport<G::Move>,
        law: &'static str,
    ) {
        if history.is_over() {
            let empty = report.best.is_none() && report.moves.is_empty() && report.variation.is_empty();
            self.note(TERMINAL, history, (!empty).then(|| "a move in a finished game".to_string()));
            return;
        }
        let errors = [
            (MOVES, moves_error(history, report)),
            (VARIATION, variation_error(history, report)),
            (VALUES, value_error(history, report)),
            (BOUNDS, bounds_error(history, report)),
            (CHOICE, choice_error(history, report, truth).filter(|_| self.can.plays_proven)),
            (TRUTH, truth_error(history, report, truth)),
        ];
        let invalid = errors.iter().any(|(_, error)| error.is_some());
        for (broken, error) in errors {
            let described = |what| format!("{what}: {}", report_text(history, report));
            self.note(broken, history, error.map(described));
        }
        // The kind of search has a law of its own.
        if law != LIMITS {
            self.note(law, history, invalid.then(|| "an invalid report".to_string()));
        }
        self.compared += u64::from(is_solved(history, &truth.bounds));
        self.solved += u64::from(is_solved(history, &report.bounds));
    }

    fn truth(&self, history: &History<G>) -> SearchReport<G::Move> {
        truth(history, self.effort.oracle_nodes)
    }
}
