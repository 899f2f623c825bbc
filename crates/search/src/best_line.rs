//! Games for one player: the best complete line that a search has found.
//!
//! A search of such a game looks for a complete line with a high score. The line proves that its
//! score can be reached, so the score bounds the value of the position from below. The line is kept
//! from move to move: a search that finds nothing better plays on along it.

mod inner;

pub use inner::{InnerSearch, run_ends};

use crate::informed::{PolicyChooser, PolicyRule};
use tesuji_core::{
    Bounds, Control, Counters, Facts, Game, History, Inspector, Knowledge, Outcome, Player, PlayoutContext, Report,
    Rng, RootMove, RootStats, Search, SolutionLine, SpecError, StopReason, Ticker, Trace,
};

/// A complete line and its score.
#[derive(Clone, PartialEq, Debug)]
pub struct CompleteLine<M> {
    /// The score.
    pub score: i32,
    /// The playouts made when it was found; 0 if it was kept from an earlier search.
    pub playouts: u64,
    /// The moves from the root of the search to the end of the game.
    pub moves: Vec<M>,
}

/// The best line of the last search, with the game before it.
pub struct KeptLine<G: Game> {
    game: History<G>,
    line: CompleteLine<G::Move>,
}

impl<G: Game> KeptLine<G> {
    /// Keeps a line from the current position of a game.
    pub fn new(game: &History<G>, line: CompleteLine<G::Move>) -> KeptLine<G> {
        KeptLine { game: game.clone(), line }
    }

    /// The rest of the line, if the game has followed it and is not over.
    pub fn rest(&self, game: &History<G>) -> Option<CompleteLine<G::Move>> {
        let since = game.moves_since(&self.game)?;
        let rest = self.line.moves.strip_prefix(since).filter(|rest| !rest.is_empty())?;
        Some(CompleteLine { score: self.line.score, playouts: 0, moves: rest.to_vec() })
    }
}

/// The complete line of a report.
pub fn of_report<M: Copy>(report: &Report<M>, facts: &Facts) -> Option<CompleteLine<M>> {
    let solution = report.solution.as_ref()?;
    let score = (solution.score.value() * f64::from(facts.units_per_point)).round() as i32;
    Some(CompleteLine { score, playouts: solution.found_at_playout, moves: solution.moves.clone() })
}

/// The line as part of a report.
fn solution<M: Copy>(line: &CompleteLine<M>, facts: &Facts) -> SolutionLine<M> {
    let score = facts.points(line.score);
    SolutionLine { score, found_at_playout: line.playouts, moves: line.moves.clone() }
}

/// Adds what a line proves to a report: its score can be reached, by its moves.
pub fn add_to_report<M: Copy + PartialEq>(report: &mut Report<M>, line: CompleteLine<M>, facts: &Facts) {
    report.solution = Some(solution(&line, facts));
    if line.score < report.bounds.at_least {
        return;
    }
    report.bounds.at_least = line.score;
    if let Some(at) = report.moves.iter().position(|entry| line.moves.first() == Some(&entry.mv)) {
        report.moves[at].bounds.at_least = report.moves[at].bounds.at_least.max(line.score);
        report.moves[..=at].rotate_right(1);
    }
    report.best = line.moves.first().copied();
    report.value = report.value.max(value_of(line.score, facts));
    report.variation = line.moves;
}

/// The value of a score.
fn value_of(score: i32, facts: &Facts) -> f64 {
    f64::from(Outcome::of(&[score]).value(Player::FIRST, facts))
}

/// A root move and the playouts that began with it.
struct Arm<M> {
    mv: M,
    visits: u64,
    best: Option<i32>,
}

/// A method that looks for complete lines.
pub trait LineMethod<G: Knowledge>: Send {
    /// How playouts choose among the informed policies of the game; `None` for uniform playouts.
    fn policies(&self) -> Option<PolicyRule> {
        None
    }

    /// Looks for lines until the search is over, or nothing is left to try.
    fn run(&mut self, search: &mut LineSearch<'_, '_, G>);
}

/// A search by a method, which keeps its best line for the next move.
pub struct LineSearcher<G: Game, M> {
    method: M,
    kept: Option<KeptLine<G>>,
}

impl<G: Knowledge, M: LineMethod<G> + 'static> LineSearcher<G, M> {
    /// Creates a search by its name, which has no line yet. Refuses informed playouts of a game
    /// that has none.
    pub fn build(name: &str, method: M, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        method.policies().map_or(Ok(()), |rule| rule.check::<G>(name, rules))?;
        Ok(Box::new(LineSearcher { method, kept: None }))
    }
}

impl<G: Knowledge, M: LineMethod<G>> Search<G> for LineSearcher<G, M> {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let mut search = LineSearch::new(root, control, self.kept.take(), self.method.policies());
        if !search.is_over() {
            self.method.run(&mut search);
        }
        let (report, kept) = search.finish();
        self.kept = kept;
        report
    }

    fn forget(&mut self) {
        self.kept = None;
    }
}

/// The state of a search for a complete line.
pub struct LineSearch<'c, 'a, G: Knowledge> {
    root: &'c History<G>,
    control: &'c Control<'a, G::Move>,
    ticker: Ticker<'c, 'a, G::Move>,
    /// The random numbers and buffers of playouts.
    pub context: PlayoutContext<G::Move>,
    /// Chooses the policies of informed playouts.
    policies: Option<PolicyChooser>,
    facts: Facts,
    /// The largest number of moves from the root to the end of the game.
    plies: u32,
    best: Option<CompleteLine<G::Move>>,
    arms: Vec<Arm<G::Move>>,
    counters: Counters,
    /// Playouts and nodes that searches inside this one may still make.
    reserved: (u64, u64),
    /// The number of searches inside this one, and how many of them run at the same time.
    runs: u64,
    workers: usize,
    /// The memory that is not for searches inside this one.
    own_memory: usize,
    /// The most bytes used by this search, and by the searches inside it.
    bytes: (u64, u64),
    is_over: bool,
}

/// The moves of a playout.
pub struct Played<'l, M>(&'l mut Vec<M>);

impl<M> Trace<M> for Played<'_, M> {
    const ENABLED: bool = true;

    #[inline]
    fn played(&mut self, _: Player, mv: M) {
        self.0.push(mv);
    }
}

impl<'c, 'a, G: Knowledge> LineSearch<'c, 'a, G> {
    /// Prepares a search, which begins with the rest of the line kept from the last one. `rule` is
    /// how informed playouts get their policy, if playouts are informed.
    pub fn new(
        root: &'c History<G>,
        control: &'c Control<'a, G::Move>,
        kept: Option<KeptLine<G>>,
        rule: Option<PolicyRule>,
    ) -> LineSearch<'c, 'a, G> {
        let facts = *root.facts();
        let plies = facts.length.plies().saturating_sub(root.moves().len() as u32);
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        let arms = moves.into_iter().map(|mv| Arm { mv, visits: 0, best: None }).collect();
        let mut search = LineSearch {
            root,
            control,
            ticker: control.ticker(0),
            context: PlayoutContext::new(Rng::new(control.seed()), plies),
            policies: rule.map(|rule| PolicyChooser::new(rule, root.position())),
            facts,
            plies,
            best: None,
            arms,
            counters: Counters::default(),
            reserved: (0, 0),
            runs: 0,
            workers: 1,
            own_memory: 0,
            bytes: (0, 0),
            is_over: root.is_over(),
        };
        if let Some(line) = kept.and_then(|kept| kept.rest(root)) {
            search.take(&line.moves, line.score);
        }
        search
    }

    /// The game up to the position that is searched.
    pub fn root(&self) -> &'c History<G> {
        self.root
    }

    /// The limits, the seed and the threads of the search.
    pub fn control(&self) -> &'c Control<'a, G::Move> {
        self.control
    }

    /// The random numbers of the search.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.context.rng
    }

    /// Keeps a share of the memory from the searches inside this one, and returns it.
    pub fn keep_memory(&mut self, share: usize) -> usize {
        self.own_memory = share;
        share
    }

    /// Counts the memory in use besides that of searches inside this one.
    pub fn count_bytes(&mut self, bytes: u64) {
        self.bytes.0 = self.bytes.0.max(bytes);
        self.counters.bytes = self.bytes.0 + self.bytes.1;
    }

    /// The best line so far.
    pub fn best(&self) -> Option<&CompleteLine<G::Move>> {
        self.best.as_ref()
    }

    /// Whether the search must end.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The number of moves that may still follow a line.
    pub fn moves_left(&self, line: &[G::Move]) -> u32 {
        self.plies.saturating_sub(line.len() as u32)
    }

    /// The score of a position after a line, if the game is over.
    pub fn final_score(&self, position: &G, line: &[G::Move]) -> Option<i32> {
        let outcome = if self.moves_left(line) == 0 { Some(position.outcome_at_cap()) } else { None };
        let outcome = if position.is_over() { position.outcome() } else { outcome };
        outcome.map(|outcome| outcome.score(Player::FIRST))
    }

    /// Counts a playout that is about to begin; false if the search must end instead.
    pub fn begin_playout(&mut self) -> bool {
        // The ticker does not know of the playouts of searches inside this one.
        if self.runs > 0 {
            self.check_limits((0, 0));
        }
        // Every playout counts as a node, so that a node limit ends the search, too.
        self.is_over = self.is_over || !(self.ticker.playout() && self.ticker.node());
        if !self.is_over {
            self.counters.playouts += 1;
            self.counters.nodes += 1;
        }
        !self.is_over
    }

    /// Chooses the informed policy of the playout that is about to begin, if playouts are informed.
    fn choose_policy(&mut self) -> Option<usize> {
        let LineSearch { policies, context, .. } = self;
        policies.as_mut().map(|policies| policies.begin(&mut context.rng))
    }

    /// Records the line of a playout.
    pub fn end_playout(&mut self, line: &[G::Move], score: i32) {
        if let Some(policies) = &mut self.policies {
            policies.end(f64::from(score));
        }
        self.counters.depth = self.counters.depth.max(line.len() as u32);
        let arm = line.first().and_then(|first| self.arms.iter_mut().find(|arm| arm.mv == *first));
        arm.into_iter().for_each(|arm| arm.visits += 1);
        self.take(line, score);
        self.show();
    }

    /// Shows the search to the observer and the stoppers, if they are due.
    fn show(&mut self) {
        if self.ticker.is_due() {
            self.control.show(self);
        }
        let (root, arms, best, facts) = (self.root, &self.arms, self.best.as_ref(), &self.facts);
        let counters = self.counters;
        if !self.ticker.report(|| RootStats::of_report(&report(root, arms, best, facts, counters, None))) {
            self.is_over = true;
        }
    }

    /// Plays out from a position after a line, appends the moves to the line, and returns its
    /// score; `None` if the search must end instead.
    pub fn play_out(&mut self, position: G, line: &mut Vec<G::Move>) -> Option<i32> {
        self.play_out_by(position, line, |position, policy, context, played| match policy {
            None => position.playout(context, played),
            Some(policy) => position.informed_playout(policy, context, played),
        })
    }

    /// The same with another kind of playout, which gets the informed policy if there is one.
    pub fn play_out_by(
        &mut self,
        mut position: G,
        line: &mut Vec<G::Move>,
        play: impl FnOnce(&mut G, Option<usize>, &mut PlayoutContext<G::Move>, &mut Played<'_, G::Move>) -> Outcome,
    ) -> Option<i32> {
        if !self.begin_playout() {
            return None;
        }
        self.context.cap = self.moves_left(line);
        let policy = self.choose_policy();
        let score = play(&mut position, policy, &mut self.context, &mut Played(line)).score(Player::FIRST);
        self.end_playout(line, score);
        Some(score)
    }

    /// Takes over a line that is better than all before, if it is.
    pub fn take(&mut self, line: &[G::Move], score: i32) {
        self.take_line(line, score, self.counters.playouts);
    }

    /// As [`take`](Self::take), with the playouts made when it was found.
    fn take_line(&mut self, line: &[G::Move], score: i32, playouts: u64) {
        if let Some(arm) = line.first().and_then(|first| self.arms.iter_mut().find(|arm| arm.mv == *first)) {
            arm.best = arm.best.max(Some(score));
        }
        if self.best.as_ref().is_none_or(|best| score > best.score) {
            self.control.improved(self.facts.points(score), playouts);
            self.best = Some(CompleteLine { score, playouts, moves: line.to_vec() });
        }
        if score >= self.facts.scores.1 {
            self.control.end(StopReason::Solved);
            self.is_over = true;
        }
    }

    /// Ends the search: its report, and the line to keep.
    pub fn finish(self) -> (Report<G::Move>, Option<KeptLine<G>>) {
        let report = report(
            self.root,
            &self.arms,
            self.best.as_ref(),
            &self.facts,
            self.counters,
            self.control.ended().filter(|_| !self.root.is_over()),
        );
        (report, self.best.map(|line| KeptLine::new(self.root, line)))
    }
}

impl<G: Knowledge> Inspector<G::Move> for LineSearch<'_, '_, G> {
    fn report(&self) -> Report<G::Move> {
        report(self.root, &self.arms, self.best.as_ref(), &self.facts, self.counters, None)
    }
}

fn report<G: Game>(
    root: &History<G>,
    arms: &[Arm<G::Move>],
    best: Option<&CompleteLine<G::Move>>,
    facts: &Facts,
    counters: Counters,
    stopped: Option<StopReason>,
) -> Report<G::Move> {
    let player = Player::FIRST;
    let unknown = Bounds::unknown(player, facts);
    let bounds = |score: Option<i32>| Bounds { at_least: score.unwrap_or(unknown.at_least), ..unknown };
    let value = |score: i32| value_of(score, facts);
    let root_move = |arm: &Arm<G::Move>| RootMove {
        visits: arm.visits,
        value: arm.best.map(value),
        ..RootMove::new(arm.mv, bounds(arm.best))
    };
    let mut moves: Vec<RootMove<G::Move>> = arms.iter().map(root_move).collect();
    let on_line = |mv: G::Move| best.is_some_and(|line| line.moves.first() == Some(&mv));
    moves.sort_by_key(|entry| std::cmp::Reverse((on_line(entry.mv), entry.bounds.at_least, entry.visits)));
    let terminal = root.outcome().map(|outcome| outcome.score(player));
    let variation = match best {
        Some(line) => line.moves.clone(),
        None => moves.first().map(|entry| entry.mv).into_iter().collect(),
    };
    Report {
        best: moves.first().map(|entry| entry.mv),
        value: terminal.or(best.map(|line| line.score)).map_or(0.0, value),
        bounds: terminal.map_or(bounds(best.map(|line| line.score)), |score| Bounds::exact(player, score)),
        proof_numbers: None,
        variation,
        moves,
        solution: best.map(|line| solution(line, facts)),
        counters,
        stopped: stopped.unwrap_or(StopReason::Finished),
    }
}
