//! Comparison of searches with minimax on many small positions: claims must be true, and a solver
//! must solve nearly all positions.

use std::fmt;
use std::sync::atomic::AtomicBool;
use tesuji_core::{
    Bounds, Control, Game, History, Knowledge, Limits, Report, Rng, Search, Spec, SpecError, StopReason, Visitor,
};
use tesuji_games::{rules, unknown_game, visit};
use tesuji_search::minimax;
use tesuji_testkit::search_battery::{is_solved, random_game, report_text, truth, truth_error};

/// A sample of positions.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The number of positions.
    pub positions: u32,
    /// The number of nodes with which minimax solves each position.
    pub nodes: u64,
    /// The seed of the random games.
    pub seed: u64,
}

/// A search and its limits on a position.
#[derive(Clone, Debug)]
pub struct Contender {
    /// The spec of the search.
    pub player: String,
    /// The limits.
    pub limits: Limits,
    /// The number of threads.
    pub threads: usize,
}

/// The results of a search on a sample of positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// The spec of the search.
    pub player: String,
    /// The number of positions searched; 0 if the search does not support the game.
    pub positions: u32,
    /// The number of positions solved.
    pub solved: u32,
    /// The number of positions with a claim that minimax refutes.
    pub wrong: u32,
    /// The first claim that minimax refutes.
    pub error: Option<String>,
}

impl Tally {
    /// Adds the results of the same search on other positions.
    pub fn add(&mut self, other: Tally) {
        debug_assert_eq!(self.player, other.player);
        self.positions += other.positions;
        self.solved += other.solved;
        self.wrong += other.wrong;
        self.error = self.error.take().or(other.error);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} of {} solved", self.player, self.solved, self.positions)?;
        self.error.iter().try_for_each(|error| write!(f, "; {error}"))
    }
}

/// A position whose value is known, as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownPosition {
    /// The game.
    pub game: String,
    /// The position text with the moves that lead to it.
    pub position: String,
    /// The value for the player to move.
    pub truth: Bounds,
}

/// Runs every contender on the same late positions of random games. From each game come the
/// earliest position that minimax solves and a random later one. Calls `observe` for each.
pub fn on_late_positions(
    game: &str,
    sample: &Sample,
    contenders: &[Contender],
    observe: &mut dyn FnMut(KnownPosition),
) -> Result<Vec<Tally>, SpecError> {
    struct Run<'a>(&'a str, &'a Sample, &'a [Contender], &'a mut dyn FnMut(KnownPosition));
    impl Visitor for Run<'_> {
        type Output = Result<Vec<Tally>, SpecError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let Run(game, sample, contenders, observe) = self;
            let rules = rules::<G>(game)?;
            let mut runs = contenders
                .iter()
                .map(|one| ContenderRun::<G>::new(one, game, &rules))
                .collect::<Result<Vec<_>, _>>()?;
            let mut remaining = sample.positions;
            for number in 0.. {
                let mut rng = Rng::stream(sample.seed, number);
                let solved = solved_positions::<G>(&rules, sample.nodes, &mut rng, number % 2 == 1);
                for (history, truth) in solved.into_iter().take(remaining as usize) {
                    for run in &mut runs {
                        run.search(&history, &truth, rng.bits());
                    }
                    observe(KnownPosition { game: game.to_string(), position: history.text(), truth: truth.bounds });
                    remaining -= 1;
                }
                if remaining == 0 || number > 20 * u64::from(sample.positions) {
                    break;
                }
            }
            Ok(runs.into_iter().map(|run| run.tally).collect())
        }
    }
    let name = game.split(':').next().unwrap_or("");
    visit(name, Run(game, sample, contenders, observe)).unwrap_or_else(|| Err(unknown_game(name)))
}

/// Returns a report with the given bounds and nothing else.
pub(crate) fn report_of<M>(bounds: Bounds) -> Report<M> {
    Report { stopped: StopReason::Solved, ..Report::without_search(bounds, 0.0) }
}

type SolvedPosition<G> = (History<G>, Report<<G as Game>::Move>);

/// Returns the earliest position of a random game that minimax solves, and a random later one.
fn solved_positions<G: Game>(
    rules: &G::Rules,
    nodes: u64,
    rng: &mut Rng,
    prefers_repetition: bool,
) -> Vec<SolvedPosition<G>> {
    let mut at = random_game::<G>(rules, rng, prefers_repetition);
    let mut solved: Vec<SolvedPosition<G>> = Vec::new();
    while at.undo().is_some() {
        let truth = truth(&at, nodes);
        if !is_solved(&at, &truth.bounds) {
            break;
        }
        solved.push((at.clone(), truth));
    }
    let earliest = solved.pop();
    let later = (!solved.is_empty()).then(|| solved.swap_remove(rng.below(solved.len())));
    earliest.into_iter().chain(later).collect()
}

/// A contender's search on a game, and its results so far.
pub(crate) struct ContenderRun<'a, G: Game> {
    game: &'a str,
    /// `None` if the search does not support the game.
    search: Option<Box<dyn Search<G>>>,
    limits: Limits,
    threads: usize,
    /// Whether the search plays what it has proven, as the variation then shows.
    plays_proven: bool,
    pub(crate) tally: Tally,
}

impl<'a, G: Knowledge> ContenderRun<'a, G> {
    pub(crate) fn new(
        contender: &Contender,
        game: &'a str,
        rules: &G::Rules,
    ) -> Result<ContenderRun<'a, G>, SpecError> {
        let spec: Spec = contender.player.parse()?;
        let search = match tesuji_catalog::search::<G>(&spec, rules) {
            Ok(search) => Some(search),
            Err(SpecError::BadValue { .. }) => None,
            Err(error) => return Err(error),
        };
        let tally = Tally { player: contender.player.clone(), positions: 0, solved: 0, wrong: 0, error: None };
        let plays_proven = tesuji_catalog::capabilities::<G>(&spec, rules)?.plays_proven;
        let Contender { limits, threads, .. } = *contender;
        Ok(ContenderRun { game, search, limits, threads, plays_proven, tally })
    }

    /// Searches a position and checks the claims. Returns the bounds, or `None` if the search does
    /// not support the game.
    pub(crate) fn search(&mut self, history: &History<G>, truth: &Report<G::Move>, seed: u64) -> Option<Bounds> {
        let search = self.search.as_mut()?;
        let go = AtomicBool::new(false);
        search.forget();
        let report = search.search(history, &Control::new(self.limits, seed, &go).with_threads(self.threads));
        self.tally.positions += 1;
        self.tally.solved += u32::from(is_solved(history, &report.bounds));
        let error = truth_error(history, &report, truth);
        // A search that may play an unproven move may give away the result with that move only.
        let begins_unproven = report.moves.first().is_some_and(|best| best.bounds.at_least < report.bounds.at_least);
        let is_judged = self.plays_proven || !begins_unproven;
        let error = error.or_else(|| blunder(history, &report).filter(|_| is_judged));
        self.tally.wrong += u32::from(error.is_some());
        if let (None, Some(what)) = (&self.tally.error, error) {
            let claims = report_text(history, &report);
            self.tally.error = Some(format!("{what}: {claims}; on {} in {:?}", self.game, history.text()));
        }
        Some(report.bounds)
    }
}

/// The number of nodes of minimax on a position of a variation. Where that is not enough, the rest
/// of the variation is not checked. Raising it checks more and takes longer.
const VARIATION_NODES: u64 = 20_000;

/// Returns the first move of the variation of a solved position that gives away the proven result.
/// The variation of an exact value must preserve at least one of the two bounds, the one proven
/// last.
fn blunder<G: Game>(history: &History<G>, report: &Report<G::Move>) -> Option<String> {
    let Bounds { player, at_least, at_most } = report.bounds;
    let (lowest, highest) = history.facts().scores;
    let mut keeps = (at_least > lowest, at_most < highest);
    if !is_solved(history, &report.bounds) || keeps == (false, false) {
        return None;
    }
    let mut at = history.clone();
    for &mv in &report.variation {
        let text = at.position().move_text(mv);
        at.play(mv);
        let value = minimax::value(&mut at, player, VARIATION_NODES)?;
        keeps = (keeps.0 && value >= at_least, keeps.1 && value <= at_most);
        if keeps == (false, false) {
            return Some(format!("{text} in its variation leads to {value}"));
        }
    }
    None
}

/// Returns the spec of a random game on a small graph with transpositions and cycles, so that the
/// value of a position depends on the path to it: the graph history interaction problem (Palay
/// 1983).
pub fn random_graph(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let repetition = 2 + rng.below(2);
    // A later repetition makes the game much longer.
    let mut graph = GraphWriter { left: if repetition == 2 { 5 } else { 3 }, names: Vec::new(), rng };
    let tree = graph.choice();
    format!("synthetic:tree='{tree}',repetition={repetition}")
}

/// Writes a random graph as the text of a synthetic game.
struct GraphWriter {
    /// The number of inner nodes that may still be added.
    left: usize,
    names: Vec<char>,
    rng: Rng,
}

impl GraphWriter {
    fn choice(&mut self) -> String {
        let name = char::from(b'p' + self.names.len() as u8);
        self.names.push(name);
        let mover = ["", "", "", "a: ", "b: "][self.rng.below(5)];
        let children: Vec<String> = (0..2 + self.rng.below(2)).map(|_| self.child()).collect();
        // The root has a decisive move, so that the game has an end other than draws.
        let end = if self.names[0] == name { ["1", "-1"][self.rng.below(2)] } else { "" };
        format!("{name}=({mover}{} {end})", children.join(" "))
    }

    fn child(&mut self) -> String {
        match self.rng.below(5) {
            0..=2 if self.left > 0 => {
                self.left -= 1;
                self.choice()
            }
            0 | 3 => self.end().to_string(),
            _ => format!("@{}", self.names[self.rng.below(self.names.len())]),
        }
    }

    fn end(&mut self) -> &'static str {
        ["1", "-1", "0"][self.rng.below(3)]
    }
}
