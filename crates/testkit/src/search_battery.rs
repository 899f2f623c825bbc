//! The battery for searches: a search on positions of random games, everything it says checked against the laws of the search
//! interface, and its proofs against [`minimax`](tesuji_search::minimax).

mod checks;
mod sample;
#[cfg(test)]
mod tests;

pub(crate) use checks::{answer_text, is_decided, truth, truth_error};
pub(crate) use sample::random_game;

use crate::law::Laws;
use checks::{bounds_error, choice_error, is_permutation, legal_moves, line_error, moves_error, value_error};
use sample::odd_positions;
use serde::Serialize;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tesuji_core::{
    Capabilities, Control, Game, History, Inspector, Knowledge, Limits, Report as Answer, Rng, RootMove, Search, Spec,
    SpecError, StopReason, Visitor,
};
use tesuji_games::{rules, unknown_game, visit};

/// How much to try.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Random games from which positions are taken.
    pub games: u32,
    /// Playouts of each search.
    pub playouts: u64,
    /// Playouts of a search in little memory: enough to fill it, if the game is large enough.
    pub memory_playouts: u64,
    /// Nodes of each search: what ends a search that makes no playouts.
    pub nodes: u64,
    /// Nodes for minimax to find out what is true of a position; what it does not find out is not compared.
    pub oracle_nodes: u64,
    /// Where the random games begin.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { games: 4, playouts: 500, memory_playouts: 50_000, nodes: 5_000, oracle_nodes: 20_000, seed: 1 }
    }
}

/// What the battery found.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The search.
    pub player: String,
    /// The game.
    pub game: String,
    /// The sentence with which the search refuses the game, if it does.
    pub refused: Option<String>,
    /// The laws.
    pub laws: Laws,
    /// Positions searched.
    pub positions: u64,
    /// Reports on positions that minimax solved.
    pub compared: u64,
    /// Reports that decide the position.
    pub decided: u64,
}

impl Report {
    /// Whether every law held.
    pub fn passed(&self) -> bool {
        self.laws.hold()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { player, game, positions, compared, decided, .. } = self;
        match &self.refused {
            Some(sentence) => writeln!(f, "{player} does not play {game}: {sentence}")?,
            None => writeln!(
                f,
                "{player} on {game}: {positions} positions, {compared} reports compared with minimax, {decided} decided"
            )?,
        }
        self.laws.fmt(f)
    }
}

/// Runs the battery with a search on a game, both named by specs. An error is a spec that cannot be read; a search that does
/// not play the game says so in the report.
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
    readable(&spec)?;
    let name = game.split(':').next().unwrap_or("");
    visit(name, Run(&spec, game, effort)).unwrap_or_else(|| Err(unknown_game(name)))
}

/// Whether a spec names a search with options it knows, whatever the game: tic-tac-toe is served by all searches, or
/// refused for what it is.
fn readable(spec: &Spec) -> Result<(), SpecError> {
    use tesuji_games::TicTacToe;
    let rules = rules::<TicTacToe>("tictactoe")?;
    match tesuji_catalog::search::<TicTacToe>(spec, &rules) {
        Err(error @ (SpecError::UnknownName { .. } | SpecError::UnknownOption { .. } | SpecError::Syntax { .. })) => {
            Err(error)
        }
        _ => Ok(()),
    }
}

/// Makes a search, or says why not.
pub type Build<'a, G> = &'a dyn Fn() -> Result<Box<dyn Search<G>>, SpecError>;

/// Runs the battery with any search on any game; for those outside the lists, too.
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
        decided: 0,
    };
    let refused = match build() {
        Ok(_) => {
            battery.all();
            None
        }
        Err(error) => {
            let sentence = error.to_string();
            // A sentence names something and says something about it.
            let says = sentence.split_whitespace().count() >= 4;
            battery.laws.demand(REFUSES, says, || format!("it says {sentence:?}"));
            Some(sentence)
        }
    };
    Report {
        player: player.to_string(),
        game: game.to_string(),
        refused,
        laws: battery.laws,
        positions: battery.positions,
        compared: battery.compared,
        decided: battery.decided,
    }
}

const REFUSES: &str = "a game that is not served is refused with a sentence";
const MOVES: &str = "the moves of a report are the legal moves, each once, and the best stands first";
const VARIATION: &str = "the variation begins with the best move and can be played";
const OVER: &str = "a game that is over has no best move";
const VALUES: &str = "values lie in [-1, 1], and a decided position has its exact value";
const BOUNDS: &str =
    "bounds are in order, in the range of the game, of the player to move, and not at odds with each other";
const CHOICE: &str = "no move is chosen that is proved worse than another, or does not bear out what is proved";
const TRUTH: &str = "nothing is claimed that minimax refutes";
const LIMITS: &str = "limits of playouts, nodes and memory are kept, and the reason of the end is true";
const STOP: &str = "a search that is stopped before it begins, or has no time, answers at once";
const SAME: &str = "the same seed gives the same report, from another search and after forgetting";
const WATCHED: &str = "an observer sees sound reports, changes nothing by looking, and can end the search";
const AGAIN: &str = "a search that kept what it learnt answers soundly after moves, undone moves and jumps";
const THREADS: &str = "two threads obey the same laws";
const NODES: &str = "a limit on nodes alone ends the search, even if the tree has stopped growing";
const SINGLE: &str = "a single legal move is chosen";

const LAWS: [&str; 16] = [
    REFUSES, MOVES, VARIATION, OVER, VALUES, BOUNDS, CHOICE, TRUTH, LIMITS, STOP, SAME, WATCHED, AGAIN, THREADS, NODES,
    SINGLE,
];

/// Trees and tables of the searches that are not about memory: far from [`tesuji_core::DEFAULT_MEMORY`], which takes long to clear.
const MEMORY: usize = 16 << 20;
/// As little memory as a search has to make do with: some fifty thousand nodes of a tree.
const LITTLE_MEMORY: usize = 2 << 20;
/// So few nodes that all searches but the shortest are cut off.
const FEW_NODES: u64 = 60;

/// Nodes and playouts after which a search must have shown itself to its observer.
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
    decided: u64,
}

impl<G: Game> Battery<'_, G> {
    fn fresh(&self) -> Box<dyn Search<G>> {
        (self.build)().expect("it was built before")
    }

    fn limits(&self) -> Limits {
        Limits {
            playouts: Some(self.effort.playouts),
            nodes: Some(self.effort.nodes),
            memory: Some(MEMORY),
            time: None,
        }
    }

    /// Limits that a search reaches only if it does not heed the stop flag, or shows itself to nobody.
    fn hardly_limited(&self) -> Limits {
        Limits { playouts: Some(self.effort.playouts * 50), nodes: Some(self.effort.nodes * 50), ..self.limits() }
    }

    /// A law was looked at; `error` says what was wrong.
    fn note(&mut self, law: &'static str, history: &History<G>, error: Option<String>) {
        let place = |what| format!("{what}; {} on {} in {:?}", self.player, self.game, history.text());
        self.laws.check(law, error.map_or(Ok(()), |what| Err(place(what))));
    }

    fn all(&mut self) {
        self.in_little_memory();
        for number in 0..self.effort.games {
            let mut rng = Rng::stream(self.effort.seed, u64::from(number));
            let history = random_game(self.rules, &mut rng, number % 2 == 1);
            let ends = history.moves().len();
            let mut plies =
                vec![ends * (1 + number as usize) / (self.effort.games as usize + 2), ends.saturating_sub(3)];
            if number == 0 {
                plies.extend([0, ends]);
            }
            plies.extend(odd_positions(&history));
            plies.sort_unstable();
            plies.dedup();
            for ply in plies {
                let mut at = history.clone();
                while at.moves().len() > ply {
                    at.undo();
                }
                self.position(&at, u64::from(number));
            }
            self.again(&history, &mut rng);
        }
    }

    /// Every law at one position.
    fn position(&mut self, history: &History<G>, seed: u64) {
        self.positions += 1;
        let truth = self.truth(history);
        let (go, stop) = (AtomicBool::new(false), AtomicBool::new(true));
        let limits = self.limits();

        let mut search = self.fresh();
        let first = search.search(history, &Control::new(limits, seed, &go));
        self.sound(history, &first, &limits, &truth, LIMITS);
        let legal = legal_moves(history);
        if let [only] = legal[..] {
            let error = (first.best != Some(only)).then(|| "another move than the only one".to_string());
            self.note(SINGLE, history, error);
        }
        search.forget();
        let forgot = search.search(history, &Control::new(limits, seed, &go));
        self.same(history, &first, &forgot, SAME, "another report after forgetting");
        let other = self.fresh().search(history, &Control::new(limits, seed, &go));
        self.same(history, &first, &other, SAME, "another report from another search");

        // Nothing but the flag, and nothing but the clock, ends these; a search that heeds neither runs on for a while.
        let endless = self.hardly_limited();
        let stopped = self.fresh().search(history, &Control::new(endless, seed, &stop));
        self.at_once(history, &stopped, &endless, &truth, StopReason::Asked);
        let no_time = Limits { time: Some(Duration::ZERO), ..endless };
        let late = self.fresh().search(history, &Control::new(no_time, seed, &go));
        self.at_once(history, &late, &no_time, &truth, StopReason::Time);

        // A limit on nodes ends a search even where it can make no more of them.
        let by_nodes = Limits { playouts: Some(limits.nodes.expect("limited") * 50), ..limits };
        let exhausted = self.fresh().search(history, &Control::new(by_nodes, seed, &go));
        let ran_on = exhausted.stopped == StopReason::Playouts;
        self.note(NODES, history, ran_on.then(|| format!("{:?}", exhausted.counters)));

        let few = Limits { nodes: Some(FEW_NODES), ..limits };
        let short = self.fresh().search(history, &Control::new(few, seed, &go));
        self.sound(history, &short, &few, &truth, LIMITS);

        self.watched(history, &first, &truth, seed);
        let two = self.fresh().search(history, &Control::new(limits, seed, &go).with_threads(2));
        self.sound(history, &two, &limits, &truth, THREADS);
    }

    /// A search of the start position that runs out of memory.
    fn in_little_memory(&mut self) {
        let history = History::new(self.rules.clone());
        let truth = self.truth(&history);
        let go = AtomicBool::new(false);
        let playouts = self.effort.memory_playouts;
        let nodes = playouts.max(self.effort.nodes);
        let limits = Limits { memory: Some(LITTLE_MEMORY), playouts: Some(playouts), nodes: Some(nodes), time: None };
        let answer = self.fresh().search(&history, &Control::new(limits, 1, &go));
        self.sound(&history, &answer, &limits, &truth, LIMITS);
    }

    /// A search in front of an observer.
    fn watched(&mut self, history: &History<G>, unwatched: &Answer<G::Move>, truth: &Answer<G::Move>, seed: u64) {
        type Seen<M> = (Answer<M>, Option<Vec<RootMove<M>>>);
        let limits = self.limits();
        let go = AtomicBool::new(false);
        let seen: Mutex<Vec<Seen<G::Move>>> = Mutex::new(Vec::new());
        let look = |inspector: &dyn Inspector<G::Move>| {
            let mut seen = seen.lock().expect("no observer panicked");
            if seen.len() < 20 {
                seen.push((inspector.report(), inspector.look(&[])));
            }
        };
        let control = Control::new(limits, seed, &go).watched(Duration::ZERO, Box::new(look));
        let answer = self.fresh().search(history, &control);
        drop(control);
        self.same(history, unwatched, &answer, WATCHED, "another report when watched");
        let seen = seen.into_inner().expect("no observer panicked");
        // A search that does something shows itself at its first tick.
        let work = answer.counters.playouts + answer.counters.nodes;
        let hidden = seen.is_empty() && work >= WATCHED_WORK;
        self.note(WATCHED, history, hidden.then(|| format!("no report to the observer in {work} steps")));
        for (report, children) in seen {
            // A running search has not ended for any reason yet.
            let running = Answer { stopped: unwatched.stopped, ..report };
            self.sound_report(history, &running, truth, WATCHED);
            if let Some(children) = children {
                let told = children.iter().map(|entry| entry.mv).collect::<Vec<_>>();
                let same = is_permutation(&told, &legal_moves(history));
                let error = (!same).then(|| "other moves than the legal ones, shown".to_string());
                self.note(WATCHED, history, error);
            }
        }
        let stop = AtomicBool::new(false);
        let was_seen = AtomicBool::new(false);
        let end = |_: &dyn Inspector<G::Move>| {
            was_seen.store(true, Ordering::Relaxed);
            stop.store(true, Ordering::Relaxed);
        };
        let endless = self.hardly_limited();
        let control = Control::new(endless, seed, &stop).watched(Duration::ZERO, Box::new(end));
        let answer = self.fresh().search(history, &control);
        drop(control);
        let done = matches!(
            answer.stopped,
            StopReason::Asked | StopReason::Finished | StopReason::Decided | StopReason::Memory
        );
        let heeded = !was_seen.load(Ordering::Relaxed) || done;
        self.note(WATCHED, history, (!heeded).then(|| format!("{:?} when asked to end", answer.stopped)));
        self.sound_report(history, &answer, truth, WATCHED);
    }

    /// A game with one search all the way: moves are played and taken back under it, and the position jumps.
    fn again(&mut self, history: &History<G>, rng: &mut Rng) {
        let go = AtomicBool::new(false);
        let limits = self.limits();
        let mut search = self.fresh();
        let mut game = history.clone();
        // Late enough for proofs, early enough for some moves.
        while game.moves().len() > history.moves().len() / 2 {
            game.undo();
        }
        let begin = game.moves().len();
        for _ in 0..4 {
            let truth = self.truth(&game);
            let answer = search.search(&game, &Control::new(limits, rng.bits(), &go));
            self.sound(&game, &answer, &limits, &truth, AGAIN);
            let Some(best) = answer.best.filter(|best| legal_moves(&game).contains(best)) else { break };
            game.play(best);
            let moves = legal_moves(&game);
            if !moves.is_empty() {
                game.play(moves[rng.below(moves.len())]);
            }
        }
        // Back to where the game was two moves before, and then to the beginning.
        for plies in [(begin + game.moves().len()) / 2, begin, 0] {
            while game.moves().len() > plies {
                game.undo();
            }
            let truth = self.truth(&game);
            let answer = search.search(&game, &Control::new(limits, rng.bits(), &go));
            self.sound(&game, &answer, &limits, &truth, AGAIN);
        }
    }

    fn same(
        &mut self,
        history: &History<G>,
        one: &Answer<G::Move>,
        other: &Answer<G::Move>,
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

    /// A search that could not even begin.
    fn at_once(
        &mut self,
        history: &History<G>,
        answer: &Answer<G::Move>,
        limits: &Limits,
        truth: &Answer<G::Move>,
        reason: StopReason,
    ) {
        self.sound(history, answer, limits, truth, STOP);
        let counters = &answer.counters;
        // What a search does to have a first answer: one playout, and the children of one position.
        let slots = history.facts().move_slots as u64;
        let quick = counters.playouts <= 1 && counters.nodes <= 1 + slots;
        let honest = [reason, StopReason::Finished, StopReason::Decided].contains(&answer.stopped);
        let error = (!quick || !honest).then(|| format!("{:?} with {counters:?}", answer.stopped));
        self.note(STOP, history, error);
    }

    /// A finished search: its report is sound, and it kept its limits.
    fn sound(
        &mut self,
        history: &History<G>,
        answer: &Answer<G::Move>,
        limits: &Limits,
        truth: &Answer<G::Move>,
        law: &'static str,
    ) {
        self.sound_report(history, answer, truth, law);
        let counters = &answer.counters;
        let (playouts, nodes) = (limits.playouts.expect("limited"), limits.nodes.expect("limited"));
        // A position and its children may be made at a stroke.
        let most_nodes = nodes + 1 + history.facts().move_slots as u64;
        let kept = counters.playouts <= playouts
            && counters.nodes <= most_nodes
            && counters.bytes <= limits.memory.expect("limited") as u64;
        let honest = match answer.stopped {
            // Where limits are shared out, some may end before they have used up their share.
            StopReason::Playouts => counters.playouts == playouts || law == THREADS || self.can.splits_limits,
            StopReason::Nodes => counters.nodes >= nodes || law == THREADS || self.can.splits_limits,
            StopReason::Time => limits.time.is_some(),
            StopReason::Asked => law == STOP,
            StopReason::Finished | StopReason::Memory => true,
            StopReason::Decided => history.is_over() || answer.bounds.is_informative(history.facts()),
        };
        let error = (!kept || !honest).then(|| format!("{:?} with {counters:?} under {limits:?}", answer.stopped));
        self.note(law, history, error);
    }

    /// What a report says fits together and is true.
    fn sound_report(
        &mut self,
        history: &History<G>,
        answer: &Answer<G::Move>,
        truth: &Answer<G::Move>,
        law: &'static str,
    ) {
        if history.is_over() {
            let silent = answer.best.is_none() && answer.moves.is_empty() && answer.variation.is_empty();
            self.note(OVER, history, (!silent).then(|| "a move in a finished game".to_string()));
            return;
        }
        let errors = [
            (MOVES, moves_error(history, answer)),
            (VARIATION, line_error(history, answer)),
            (VALUES, value_error(history, answer)),
            (BOUNDS, bounds_error(history, answer)),
            (CHOICE, choice_error(history, answer, truth).filter(|_| self.can.plays_proven)),
            (TRUTH, truth_error(history, answer, truth)),
        ];
        let unsound = errors.iter().any(|(_, error)| error.is_some());
        for (broken, error) in errors {
            let told = |what| format!("{what}: {}", answer_text(history, answer));
            self.note(broken, history, error.map(told));
        }
        // The occasion has a law of its own.
        if law != LIMITS {
            self.note(law, history, unsound.then(|| "an unsound report".to_string()));
        }
        self.compared += u64::from(is_decided(history, &truth.bounds));
        self.decided += u64::from(is_decided(history, &answer.bounds));
    }

    fn truth(&self, history: &History<G>) -> Answer<G::Move> {
        truth(history, self.effort.oracle_nodes)
    }
}
