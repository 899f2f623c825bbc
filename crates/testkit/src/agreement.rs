//! Many small positions, each solved by minimax first: what a search claims of them must be true, and a solver must decide
//! nearly all.

use crate::search_battery::{answer_text, is_decided, random_game, truth, truth_error};
use std::fmt;
use std::sync::atomic::AtomicBool;
use tesuji_core::{
    Bounds, Control, Counters, Game, History, Knowledge, Limits, Report, Rng, Search, Spec, SpecError, StopReason,
    Visitor,
};
use tesuji_games::{rules, unknown_game, visit};
use tesuji_search::minimax;

/// Which positions.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// How many.
    pub positions: u32,
    /// Minimax solves each of them with so many nodes.
    pub nodes: u64,
    /// Where the random games begin.
    pub seed: u64,
}

/// A search and how much it may do on a position.
#[derive(Clone, Debug)]
pub struct Contender {
    /// The search.
    pub player: String,
    /// What it may do.
    pub limits: Limits,
    /// How many threads it may use.
    pub threads: usize,
}

/// What became of a search on all positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// The search.
    pub player: String,
    /// Positions it searched: none if it does not play the game.
    pub positions: u32,
    /// Positions it decided.
    pub decided: u32,
    /// Positions of which it claims what minimax refutes.
    pub wrong: u32,
    /// The first claim that minimax refutes.
    pub error: Option<String>,
}

impl Tally {
    /// Adds what became of the same search on other positions.
    pub fn add(&mut self, other: Tally) {
        debug_assert_eq!(self.player, other.player);
        self.positions += other.positions;
        self.decided += other.decided;
        self.wrong += other.wrong;
        self.error = self.error.take().or(other.error);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} of {} decided", self.player, self.decided, self.positions)?;
        self.error.iter().try_for_each(|error| write!(f, "; {error}"))
    }
}

/// A position whose value is known, in texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The game.
    pub game: String,
    /// The position, and the moves that led there.
    pub position: String,
    /// What the player to move gets.
    pub truth: Bounds,
}

/// Every contender on the same random late positions of a game: as early ones as minimax still solves, and some in between. `also` is told
/// of every position.
pub fn on_late_positions(
    game: &str,
    sample: &Sample,
    contenders: &[Contender],
    also: &mut dyn FnMut(Place),
) -> Result<Vec<Tally>, SpecError> {
    struct Run<'a>(&'a str, &'a Sample, &'a [Contender], &'a mut dyn FnMut(Place));
    impl Visitor for Run<'_> {
        type Output = Result<Vec<Tally>, SpecError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let Run(game, sample, contenders, also) = self;
            let rules = rules::<G>(game)?;
            let mut tables =
                contenders.iter().map(|one| Table::<G>::new(one, game, &rules)).collect::<Result<Vec<_>, _>>()?;
            let mut left = sample.positions;
            for number in 0.. {
                let mut rng = Rng::stream(sample.seed, number);
                let solved = solved_positions::<G>(&rules, sample.nodes, &mut rng, number % 2 == 1);
                for (history, truth) in solved.into_iter().take(left as usize) {
                    for table in &mut tables {
                        table.position(&history, &truth, rng.bits());
                    }
                    also(Place { game: game.to_string(), position: history.text(), truth: truth.bounds });
                    left -= 1;
                }
                if left == 0 || number > 20 * u64::from(sample.positions) {
                    break;
                }
            }
            Ok(tables.into_iter().map(|table| table.tally).collect())
        }
    }
    let name = game.split(':').next().unwrap_or("");
    visit(name, Run(game, sample, contenders, also)).unwrap_or_else(|| Err(unknown_game(name)))
}

/// The report of somebody who knows the value of a position.
pub(crate) fn known<M>(bounds: Bounds) -> Report<M> {
    Report {
        best: None,
        value: 0.0,
        bounds,
        proof_numbers: None,
        variation: Vec::new(),
        moves: Vec::new(),
        counters: Counters::default(),
        stopped: StopReason::Decided,
    }
}

type Solved<G> = (History<G>, Report<<G as Game>::Move>);

/// The earliest position of a random game that minimax solves, and one between it and the end.
fn solved_positions<G: Game>(rules: &G::Rules, nodes: u64, rng: &mut Rng, prefers_repetition: bool) -> Vec<Solved<G>> {
    let mut at = random_game::<G>(rules, rng, prefers_repetition);
    let mut solved: Vec<Solved<G>> = Vec::new();
    while at.undo().is_some() {
        let truth = truth(&at, nodes);
        if !is_decided(&at, &truth.bounds) {
            break;
        }
        solved.push((at.clone(), truth));
    }
    let earliest = solved.pop();
    let between = (!solved.is_empty()).then(|| solved.swap_remove(rng.below(solved.len())));
    earliest.into_iter().chain(between).collect()
}

/// A search at work.
pub(crate) struct Table<'a, G: Game> {
    game: &'a str,
    /// `None` if it does not play the game.
    search: Option<Box<dyn Search<G>>>,
    limits: Limits,
    threads: usize,
    pub(crate) tally: Tally,
}

impl<'a, G: Knowledge> Table<'a, G> {
    pub(crate) fn new(contender: &Contender, game: &'a str, rules: &G::Rules) -> Result<Table<'a, G>, SpecError> {
        let spec: Spec = contender.player.parse()?;
        let search = match tesuji_catalog::search::<G>(&spec, rules) {
            Ok(search) => Some(search),
            Err(SpecError::BadValue { .. }) => None,
            Err(error) => return Err(error),
        };
        let tally = Tally { player: contender.player.clone(), positions: 0, decided: 0, wrong: 0, error: None };
        Ok(Table { game, search, limits: contender.limits, threads: contender.threads, tally })
    }

    /// Searches a position, and looks whether what it says is true; what it says, if it plays the game.
    pub(crate) fn position(&mut self, history: &History<G>, truth: &Report<G::Move>, seed: u64) -> Option<Bounds> {
        let search = self.search.as_mut()?;
        let go = AtomicBool::new(false);
        search.forget();
        let answer = search.search(history, &Control::new(self.limits, seed, &go).with_threads(self.threads));
        self.tally.positions += 1;
        self.tally.decided += u32::from(is_decided(history, &answer.bounds));
        let error = truth_error(history, &answer, truth).or_else(|| blunder(history, &answer));
        self.tally.wrong += u32::from(error.is_some());
        if let (None, Some(what)) = (&self.tally.error, error) {
            let said = answer_text(history, &answer);
            self.tally.error = Some(format!("{what}: {said}; on {} in {:?}", self.game, history.text()));
        }
        Some(answer.bounds)
    }
}

/// What minimax may spend on a position of a line; where that is too little, the line is not looked at any further. Raising it takes time.
const LINE_NODES: u64 = 20_000;

/// What is wrong with the line of a decided position: a move of the side that has its result for sure gives it away. Of an exact value the line bears
/// out one side at least, the one that was asked about last.
fn blunder<G: Game>(history: &History<G>, answer: &Report<G::Move>) -> Option<String> {
    let Bounds { player, at_least, at_most } = answer.bounds;
    let (lowest, highest) = history.facts().scores;
    let mut keeps = (at_least > lowest, at_most < highest);
    if !is_decided(history, &answer.bounds) || keeps == (false, false) {
        return None;
    }
    let mut at = history.clone();
    for &mv in &answer.variation {
        let text = at.position().move_text(mv);
        at.play(mv);
        let value = minimax::value(&mut at, player, LINE_NODES)?;
        keeps = (keeps.0 && value >= at_least, keeps.1 && value <= at_most);
        if keeps == (false, false) {
            return Some(format!("{text} in its line leads to {value}"));
        }
    }
    None
}

/// A random game on a small graph, as a spec: moves lead down, back and across, so that positions repeat and are reached on several
/// ways, and what a position is worth depends on the way to it (Palay 1983 calls it graph history interaction).
pub fn random_graph(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let repetition = 2 + rng.below(2);
    // A position that may come back more often makes the game much longer.
    let mut graph = Graph { left: if repetition == 2 { 5 } else { 3 }, names: Vec::new(), rng };
    let tree = graph.choice();
    format!("synthetic:tree='{tree}',repetition={repetition}")
}

struct Graph {
    /// Choices yet to be made.
    left: usize,
    names: Vec<char>,
    rng: Rng,
}

impl Graph {
    fn choice(&mut self) -> String {
        let name = char::from(b'p' + self.names.len() as u8);
        self.names.push(name);
        let mover = ["", "", "", "a: ", "b: "][self.rng.below(5)];
        let children: Vec<String> = (0..2 + self.rng.below(2)).map(|_| self.child()).collect();
        // Without any end there is no game, and with none but draws little to find out.
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
