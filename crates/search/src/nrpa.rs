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

use crate::best_line::{LineMethod, LineSearch, LineSearcher};
use crate::informed::PolicyRule;
use policy::{Choices, Policy};
use tesuji_core::{Capabilities, Knowledge, Options, Search, SearchInfo, SearchKind, SpecError};

mod policy;

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
    pub playout: Option<PolicyRule>,
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
            playout: PolicyRule::read(options)?,
        })
    }

    fn capabilities(_: &Params) -> Capabilities {
        Capabilities::LINES
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        LineSearcher::build(Self::INFO.name, params, rules)
    }
}

impl<G: Knowledge> LineMethod<G> for Params {
    fn policies(&self) -> Option<PolicyRule> {
        self.playout
    }

    fn run(&mut self, search: &mut LineSearch<'_, '_, G>) {
        let mut run = Run { params: *self, search };
        while !run.search.is_over() {
            run.search_level(self.level, &Policy::new(self.bias));
        }
    }
}

/// A line, and what an adaptation to it needs, once there was one.
struct Sequence<M> {
    score: i32,
    moves: Vec<M>,
    /// The informed policy of its playout.
    informed: Option<usize>,
    choices: Option<Choices>,
}

struct Run<'l, 'c, 'a, G: Knowledge> {
    params: Params,
    search: &'l mut LineSearch<'c, 'a, G>,
}

impl<G: Knowledge> Run<'_, '_, '_, G> {
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
            let best = best.as_mut().expect("a search has been made");
            let root = self.search.root().position();
            let choices = best.choices.get_or_insert_with(|| Choices::of(root, &best.moves, best.informed));
            policy.adapt(choices, self.params.alpha);
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
        let (mut moves, mut informed) = (Vec::new(), None);
        let root = self.search.root().position().clone();
        let score = self.search.play_out_by(root, &mut moves, |position, chosen, context, played| {
            informed = chosen;
            position.weighted_playout(chosen, &mut |code| policy.factor(code), context, played)
        })?;
        Some(Sequence { score, moves, informed, choices: None })
    }
}

#[cfg(test)]
mod tests;
