//! Nested rollout policy adaptation (Rosin 2011) of games for one player.
//!
//! A playout of level 0 draws each move m with probability proportional to `exp(w(m))`, where `w`
//! is the weight of the move's code ([`Knowledge::move_code`]). A search of level n makes N
//! searches of level n - 1 with a policy of its own, a copy of the one it was given. After each of
//! them it adapts the policy to the best line so far: in every position of the line, with the
//! probabilities p of the policy before,
//!
//! ```text
//! w(move of the line) += alpha,   w(m) -= alpha * p(m) for every move m
//! ```
//!
//! which is a step of gradient ascent on the logarithm of the line's probability. A line replaces
//! the best one if it is at least as good.
//!
//! Variants: `playout=chosen` draws from the moves of an informed policy (selective NRPA, Cazenave
//! 2016); `stabilise=P` makes level 1 the best of P playouts without adaptation (Cazenave, Sevestre
//! and Toulemont 2020); `repetitions=R` ends a level when its best score has been found again R
//! times instead of after N searches (limited repetitions, Cazenave 2024); `bias=B` adds B times
//! the game's bias of a move to its weight (generalised NRPA, Cazenave 2020).
//!
//! Runs are repeated until a limit is reached, and the best line of all is returned.

use crate::best_line::{KeptLine, LineSearch, PlayoutMoves, append_moves};
use rustc_hash::FxHashMap;
use tesuji_core::{
    Capabilities, Control, History, Knowledge, Options, Report, Search, SearchInfo, SearchKind, SpecError,
};

/// The `nrpa` search.
pub struct Nrpa;

/// The options.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Params {
    /// The level of nesting. Raising it by one multiplies the playouts of a run by `searches`.
    pub level: u32,
    /// The number N of searches of a level.
    pub searches: u32,
    /// The step of an adaptation. Raising it follows the best line sooner, and gets stuck sooner.
    pub alpha: f64,
    /// The playouts of a stabilised level 1; 0 for a level 1 that adapts.
    pub stabilise: u32,
    /// How often the best score of a level is found again before the level ends; 0 for N searches.
    pub repetitions: u32,
    /// The weight of the game's bias.
    pub bias: f64,
    /// Where playouts get their moves from.
    pub playout: PlayoutMoves,
}

impl SearchKind for Nrpa {
    const INFO: SearchInfo = SearchInfo { name: "nrpa", summary: "nested rollout policy adaptation for one player" };
    const PLAYERS: (u8, u8) = (1, 1);
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        Ok(Params {
            level: options.integer("level", 3, 1..=10, "level of nesting")? as u32,
            searches: options.integer("n", 100, 1..=100_000, "searches of a level")? as u32,
            alpha: options.number("alpha", 1.0, 0.0..=100.0, "step of an adaptation")?,
            stabilise: options.integer("stabilise", 0, 0..=10_000, "playouts of a level 1 that does not adapt")? as u32,
            repetitions: options.integer(
                "repetitions",
                0,
                0..=1000,
                "a level ends when its best score is found again",
            )? as u32,
            bias: options.number("bias", 0.0, 0.0..=100.0, "weight of the game's bias for a move")?,
            playout: PlayoutMoves::read(options)?,
        })
    }

    fn capabilities(_: &Params) -> Capabilities {
        Capabilities { players: Self::PLAYERS, playouts: true, complete_lines: true, ..Capabilities::PLAYER }
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        params.playout.check::<G>(Self::INFO.name, rules)?;
        Ok(Box::new(AdaptingSearch::<G> { params, kept: None }))
    }
}

struct AdaptingSearch<G: Knowledge> {
    params: Params,
    kept: Option<KeptLine<G>>,
}

impl<G: Knowledge> Search<G> for AdaptingSearch<G> {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let search = LineSearch::new(root, control, self.kept.take());
        let mut run = Run { params: self.params, root, search, moves: Vec::new(), weights: Vec::new() };
        while !run.search.is_over() {
            run.search_level(self.params.level, &Policy::default());
        }
        let (report, kept) = run.search.finish();
        self.kept = kept;
        report
    }

    fn forget(&mut self) {
        self.kept = None;
    }
}

/// The weights of move codes; 0 for a code that is missing.
type Policy = FxHashMap<u64, f64>;

/// A move that could be played in a position of a line: its code and its bias.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Choice {
    code: u64,
    bias: f64,
}

/// A line with what an adaptation needs.
#[derive(Clone, PartialEq, Debug, Default)]
struct Sequence<M> {
    score: i32,
    moves: Vec<M>,
    /// The moves that could be played, position after position.
    choices: Vec<Choice>,
    /// For each position, where its choices end and which of them was played.
    steps: Vec<(usize, usize)>,
}

struct Run<'c, 'a, G: Knowledge> {
    params: Params,
    root: &'c History<G>,
    search: LineSearch<'c, 'a, G>,
    /// Buffers of playouts.
    moves: Vec<G::Move>,
    weights: Vec<f64>,
}

impl<G: Knowledge> Run<'_, '_, G> {
    /// The best line of a search of a level; `None` if the search must end before there is one.
    fn search_level(&mut self, level: u32, policy: &Policy) -> Option<Sequence<G::Move>> {
        if level == 0 {
            return self.play_out(policy);
        }
        if level == 1 && self.params.stabilise > 0 {
            return self.best_of(policy);
        }
        let mut policy = policy.clone();
        let mut best: Option<Sequence<G::Move>> = None;
        let (mut searches, mut repetitions) = (0, 0);
        loop {
            let found = self.search_level(level - 1, &policy)?;
            searches += 1;
            let is_repeated = best.as_ref().is_some_and(|best| best.score == found.score);
            repetitions = match &best {
                Some(best) if found.score < best.score => repetitions,
                _ => {
                    if is_repeated {
                        repetitions + 1
                    } else {
                        0
                    }
                }
            };
            if best.as_ref().is_none_or(|best| found.score >= best.score) {
                best = Some(found);
            }
            let is_last = match self.params.repetitions {
                0 => searches == self.params.searches,
                limit => repetitions == limit,
            };
            if is_last {
                return best;
            }
            let best = best.as_ref().expect("a search has been made");
            adapt(&mut policy, best, self.params.alpha);
        }
    }

    /// The best of several playouts with the same policy.
    fn best_of(&mut self, policy: &Policy) -> Option<Sequence<G::Move>> {
        let mut best = self.play_out(policy)?;
        for _ in 1..self.params.stabilise {
            let found = self.play_out(policy)?;
            if found.score >= best.score {
                best = found;
            }
        }
        Some(best)
    }

    /// A playout with a policy; `None` if the search must end instead.
    fn play_out(&mut self, policy: &Policy) -> Option<Sequence<G::Move>> {
        if !self.search.begin_playout() {
            return None;
        }
        let root = self.root.position();
        let informed = self.params.playout.policy(root, &mut self.search.context.rng);
        let mut position = root.clone();
        let mut sequence = Sequence { score: 0, moves: Vec::new(), choices: Vec::new(), steps: Vec::new() };
        sequence.score = loop {
            if let Some(score) = self.search.final_score(&position, &sequence.moves) {
                break score;
            }
            self.moves.clear();
            append_moves(&position, informed, &mut self.moves);
            let begin = sequence.choices.len();
            sequence.choices.extend(self.moves.iter().map(|&mv| {
                let bias = if self.params.bias > 0.0 { self.params.bias * position.move_bias(mv) } else { 0.0 };
                Choice { code: position.move_code(mv), bias }
            }));
            exponentials(policy, &sequence.choices[begin..], &mut self.weights);
            let played = draw(&self.weights, self.search.context.rng.unit());
            sequence.steps.push((sequence.choices.len(), played));
            sequence.moves.push(self.moves[played]);
            position.play(self.moves[played]);
        };
        self.search.end_playout(&sequence.moves, sequence.score);
        Some(sequence)
    }
}

/// The exponentials of the weights of moves, up to a common factor: the largest is 1, so that large
/// weights do not overflow.
fn exponentials(policy: &Policy, choices: &[Choice], weights: &mut Vec<f64>) {
    weights.clear();
    let weight = |choice: &Choice| policy.get(&choice.code).copied().unwrap_or(0.0) + choice.bias;
    weights.extend(choices.iter().map(weight));
    let largest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    weights.iter_mut().for_each(|weight| *weight = (*weight - largest).exp());
}

/// Draws an index with probabilities proportional to weights. `unit` is uniform in [0, 1).
fn draw(weights: &[f64], unit: f64) -> usize {
    let mut left = unit * weights.iter().sum::<f64>();
    let drawn = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    // Rounding may leave a little.
    drawn.unwrap_or(weights.len() - 1)
}

/// Adapts a policy to a line.
fn adapt<M>(policy: &mut Policy, line: &Sequence<M>, alpha: f64) {
    let mut changes: Vec<(u64, f64)> = Vec::with_capacity(line.choices.len() + line.steps.len());
    let (mut begin, mut weights) = (0, Vec::new());
    for &(end, played) in &line.steps {
        let choices = &line.choices[begin..end];
        begin = end;
        changes.push((choices[played].code, alpha));
        exponentials(policy, choices, &mut weights);
        let total: f64 = weights.iter().sum();
        let change = |(choice, weight): (&Choice, &f64)| (choice.code, -alpha * weight / total);
        changes.extend(choices.iter().zip(&weights).map(change));
    }
    for (code, change) in changes {
        *policy.entry(code).or_default() += change;
    }
}

#[cfg(test)]
mod tests;
