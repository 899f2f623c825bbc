//! The parts of a report that all proof-number searches share.

use super::numbers::answer;
use crate::variation;
use std::cmp::Reverse;
use tesuji_core::{
    Bounds, Facts, History, Knowledge, Player, ProofNumbers, Question, Repetition, Report, RootMove, Verdict,
};

/// The report on a game that is over, or whose bounds reach the goal before any search.
pub fn without_search<M>(bounds: Bounds, facts: &Facts) -> Report<M> {
    Report::without_search(bounds, value(&bounds, facts).unwrap_or(0.0))
}

/// The numbers that a report may show. Numbers in reports are about a win; an answer to a question
/// for another score may say nothing about that, and is omitted.
pub fn shown(numbers: ProofNumbers, question: &Question, facts: &Facts) -> Option<ProofNumbers> {
    let says_nothing = match answer(numbers) {
        Some(true) => question.at_least < 1,
        Some(false) => question.at_least > 1,
        None => false,
    };
    (!says_nothing || !facts.sign_is_result()).then_some(numbers)
}

/// The legal part of a variation, extended to the end of the game where static bounds show the
/// result.
///
/// Table and tree contain moves that superko forbids, as losing moves.
pub fn playable<G: Knowledge>(root: &History<G>, mut variation: Vec<G::Move>) -> Vec<G::Move> {
    match root.facts().repetition {
        Repetition::Forbidden => {
            let mut moves = std::mem::take(&mut variation).into_iter();
            variation::extend(&mut root.clone(), &mut variation, usize::MAX, |history| {
                let mut legal = Vec::new();
                history.legal_moves(&mut legal);
                moves.next().filter(|mv| legal.contains(mv))
            });
        }
        Repetition::Impossible => {
            let mut history = root.clone();
            variation.iter().for_each(|&mv| history.play(mv));
            variation::extend(&mut history, &mut variation, usize::MAX, |history| static_reply(history.position()));
        }
        Repetition::Ends(_) | Repetition::Allowed => {}
    }
    variation
}

/// Returns a move that preserves the score that static bounds show. The winner ends the game as
/// soon as possible, the loser does not.
fn static_reply<G: Knowledge>(position: &G) -> Option<G::Move> {
    let score = |position: &G, player: Player| match position.outcome() {
        Some(outcome) => Some(outcome.score(player)),
        None => position
            .static_bounds(player)
            .filter(|bounds| bounds.at_least == bounds.at_most)
            .map(|bounds| bounds.at_least),
    };
    let mover = position.to_move();
    let promised = score(position, mover)?;
    if let Some(mv) = position.static_move() {
        return Some(mv);
    }
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let after = |mv: G::Move| {
        let mut next = position.clone();
        next.play(mv);
        (mv, next)
    };
    let preserves_score = |(_, next): &(G::Move, G)| score(next, mover) == Some(promised);
    let preserving = legal.into_iter().map(after).filter(preserves_score);
    preserving.min_by_key(|(_, next)| next.is_over() != (promised > 0)).map(|(mv, _)| mv)
}

/// The value in [-1, 1] that the bounds agree on: the result if the sign of the score is the
/// result, otherwise the exact score scaled by the range of scores.
pub fn value(bounds: &Bounds, facts: &Facts) -> Option<f64> {
    if facts.sign_is_result() {
        let (low, high) = (bounds.at_least.signum(), bounds.at_most.signum());
        return (low == high).then_some(f64::from(low));
    }
    let (low, high) = (f64::from(facts.scores.0), f64::from(facts.scores.1));
    (bounds.at_least == bounds.at_most && high > low)
        .then(|| 2.0 * (f64::from(bounds.at_least) - low) / (high - low) - 1.0)
}

/// Intersects bounds with bounds that another search has proven.
pub fn narrow(bounds: &mut Bounds, other: &Bounds) {
    bounds.at_least = bounds.at_least.max(other.at_least);
    bounds.at_most = bounds.at_most.min(other.at_most);
}

/// Puts root moves, sorted best first by what is believed of them, in the order that follows from
/// what is proven.
///
/// A move that achieves the proven value of the position comes first. A move that is proven to lose
/// comes last, as does a move that cannot exceed a guaranteed score and may fall short of it. A
/// guaranteed draw comes before moves that look lost.
pub fn proven_first<T, M>(
    moves: &mut [T],
    entry: impl Fn(&T) -> &RootMove<M>,
    bounds: &Bounds,
    is_solved: bool,
    facts: &Facts,
) {
    let Some(guaranteed) = moves.iter().map(|mv| entry(mv).bounds.at_least).max() else { return };
    let class = |mv: &T| {
        let known = entry(mv).bounds;
        let Bounds { at_least, at_most, .. } = known;
        let achieves_value = at_least >= guaranteed && (is_solved || at_least >= bounds.at_most);
        let is_lost = facts.sign_is_result() && known.verdict() == Some(Verdict::Loss);
        let is_dominated = at_most < guaranteed || (at_most == guaranteed && at_least < guaranteed);
        i32::from(achieves_value) - i32::from(is_lost || is_dominated)
    };
    moves.sort_by_cached_key(|mv| Reverse(class(mv)));
    let first = entry(&moves[0]);
    let looks_lost = first.bounds.at_least < 0 && first.value.is_some_and(|value| value < 0.0);
    if facts.sign_is_result() && guaranteed >= 0 && looks_lost {
        let has_it = |mv: &T| entry(mv).bounds.at_least >= guaranteed;
        let at = moves.iter().position(has_it).expect("the maximum belongs to a move");
        moves[..=at].rotate_right(1);
    }
}
