//! Move-by-move search for one player: the limits are split over the first moves.
//!
//! After each share of the limits one move is committed to, and the next share searches from there;
//! after `moves` moves the best line of all is played to its end (Baier 2015, section 4.2). The
//! next move of the best line found so far is committed to, or with `commit=visits` the most
//! visited one. Every share searches from scratch. If the game ends early, the rest of the shares
//! is not used.

use crate::best_line::{CompleteLine, InnerSearch, LineMethod, LineSearch, LineSearcher, run_ends};
use crate::restart::one_spec;
use tesuji_core::{Capabilities, Knowledge, LimitedSpec, Options, Report, Search, SearchInfo, SearchKind, SpecError};

/// The `stepwise` search.
pub struct Stepwise;

/// Which move is committed to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Commit {
    /// The next move of the best line found so far.
    Best,
    /// The most visited move.
    Visits,
}

/// The options.
#[derive(Clone, PartialEq, Debug)]
pub struct Params {
    inner: LimitedSpec,
    /// The number of moves among which the limits are split. Raising it searches later moves from
    /// nearer by, and earlier ones less.
    moves: u64,
    commit: Commit,
}

impl SearchKind for Stepwise {
    const INFO: SearchInfo = SearchInfo { name: "stepwise", summary: "move-by-move search for one player" };
    const PLAYERS: (u8, u8) = (1, 1);
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let meaning = "the search, with limits for a move; default [mcts], and equal shares of the limits";
        let inner = one_spec(options, meaning, "mcts")?;
        let moves = options.integer("moves", 30, 1..=1_000_000, "moves that are searched one by one")?;
        let choices = [("best", Commit::Best), ("visits", Commit::Visits)];
        let commit = options.choice("commit", &choices, "move that is played: next of the best line, most visits")?;
        Ok(Params { inner, moves, commit })
    }

    fn capabilities(params: &Params) -> Capabilities {
        Capabilities { ends_by_itself: run_ends(&params.inner), ..Capabilities::LINES }
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        let inner = InnerSearch::build(Self::INFO.name, &params.inner, rules)?;
        LineSearcher::build(Self::INFO.name, Steps { params, inner }, rules)
    }
}

struct Steps<G: Knowledge> {
    params: Params,
    inner: InnerSearch<G>,
}

impl<G: Knowledge> LineMethod<G> for Steps<G> {
    fn run(&mut self, search: &mut LineSearch<'_, '_, G>) {
        let (mut game, mut line) = (search.root().clone(), Vec::new());
        // The line kept from the last move is played on unless a better one turns up.
        let mut best: Option<CompleteLine<G::Move>> = search.best().cloned();
        let shares = if self.params.inner.is_limited() { 0 } else { self.params.moves };
        for step in 0..self.params.moves {
            if game.is_over() {
                break;
            }
            let shares = shares.saturating_sub(step).max(1);
            let Some(run) = search.run_inner(&mut self.inner, &game, &line, shares) else { break };
            let (report, found) = (run.report, run.line);
            if let Some(found) = found.filter(|found| best.as_ref().is_none_or(|best| found.score > best.score)) {
                best = Some(found);
            }
            let followed = best.as_ref().map(|best| best.moves[line.len()]);
            let mv = match self.params.commit {
                Commit::Best => followed,
                Commit::Visits => most_visited(&report).or(followed),
            };
            let Some(mv) = mv else { break };
            game.play(mv);
            line.push(mv);
            // A line that does not begin with the moves played is out of reach.
            best = best.filter(|best| best.moves.starts_with(&line));
        }
    }
}

/// The most visited move of a report.
fn most_visited<M: Copy>(report: &Report<M>) -> Option<M> {
    let entries = report.moves.iter().rev().filter(|entry| entry.visits > 0);
    entries.max_by_key(|entry| entry.visits).map(|entry| entry.mv)
}
