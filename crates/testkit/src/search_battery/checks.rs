//! What may be wrong with a report, check by check.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;
use tesuji_core::{Bounds, Control, Game, History, INFINITE, Limits, ProofNumbers, Report, Search, Verdict};
use tesuji_search::minimax;

/// What minimax finds out about a position with at most so many nodes: the value of every move if it can, at least that of the
/// position if not, and bounds that hold in any case.
pub(crate) fn truth<G: Game>(history: &History<G>, nodes: u64) -> Report<G::Move> {
    let go = AtomicBool::new(false);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let ask = |all| minimax::Params { result: false, all }.search(history, &Control::new(limits, 1, &go));
    let thorough = ask(true);
    if is_decided(history, &thorough.bounds) { thorough } else { ask(false) }
}

/// What a report claims against what is known; `None` if nothing is wrong.
pub(crate) fn truth_error<G: Game>(
    history: &History<G>,
    answer: &Report<G::Move>,
    truth: &Report<G::Move>,
) -> Option<String> {
    let by_sign = history.facts().sign_is_result();
    let refuted = |claim: &Bounds, numbers: &Option<ProofNumbers>, truth: &Bounds| {
        let wrong = claim.at_least > truth.at_most || claim.at_most < truth.at_least;
        let numbers = numbers.filter(|_| by_sign);
        let wins = numbers.is_some_and(|numbers| numbers.proof == 0 && truth.at_most <= 0);
        let wins_not = numbers.is_some_and(|numbers| numbers.disproof == 0 && truth.at_least > 0);
        wrong || wins || wins_not
    };
    let words = |truth: &Bounds| format!("gets {}..{}", truth.at_least, truth.at_most);
    if refuted(&answer.bounds, &answer.proof_numbers, &truth.bounds) {
        return Some(format!("the player to move {}", words(&truth.bounds)));
    }
    truth.moves.iter().find_map(|true_entry| {
        let entry = answer.moves.iter().find(|entry| entry.mv == true_entry.mv)?;
        let wrong = refuted(&entry.bounds, &entry.proof_numbers, &true_entry.bounds);
        wrong.then(|| format!("{} {}", history.position().move_text(entry.mv), words(&true_entry.bounds)))
    })
}

/// Whether bounds leave nothing open: the result, or where scores do not tell it, the score.
pub(crate) fn is_decided<G: Game>(history: &History<G>, bounds: &Bounds) -> bool {
    let by_sign = history.facts().sign_is_result() && bounds.verdict().is_some();
    by_sign || bounds.at_least == bounds.at_most
}

pub(super) fn legal_moves<G: Game>(history: &History<G>) -> Vec<G::Move> {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    moves
}

pub(super) fn is_permutation<M: PartialEq>(told: &[M], legal: &[M]) -> bool {
    told.len() == legal.len() && legal.iter().all(|mv| told.contains(mv))
}

pub(super) fn moves_error<G: Game>(history: &History<G>, answer: &Report<G::Move>) -> Option<String> {
    let legal = legal_moves(history);
    let told = answer.moves.iter().map(|entry| entry.mv).collect::<Vec<_>>();
    let what = match answer.best {
        None => "no move",
        Some(best) if !legal.contains(&best) => "an illegal move",
        _ if !is_permutation(&told, &legal) => "other moves than the legal ones",
        best if told.first() != best.as_ref() => "another move first than the best",
        _ => return None,
    };
    Some(what.to_string())
}

pub(super) fn line_error<G: Game>(history: &History<G>, answer: &Report<G::Move>) -> Option<String> {
    if answer.variation.first() != answer.best.as_ref() {
        return Some("a variation that does not begin with the best move".to_string());
    }
    let mut at = history.clone();
    for (number, &mv) in answer.variation.iter().enumerate() {
        if !legal_moves(&at).contains(&mv) {
            return Some(format!("an illegal move number {} in the variation", number + 1));
        }
        at.play(mv);
    }
    None
}

pub(super) fn value_error<G: Game>(history: &History<G>, answer: &Report<G::Move>) -> Option<String> {
    let inside = |value: f64| (-1.0..=1.0).contains(&value);
    if !inside(answer.value) {
        return Some(format!("the value {}", answer.value));
    }
    for entry in &answer.moves {
        let spread_fits = entry.spread.is_none_or(|spread| spread >= 0.0 && spread.is_finite());
        if !entry.value.is_none_or(inside) || !spread_fits {
            return Some(format!("a move with value {:?} and spread {:?}", entry.value, entry.spread));
        }
    }
    // Whoever counts results says 1, 0 or -1 now; whoever counts scores, something of that sign.
    let sign = |verdict: Verdict| verdict as i32 - Verdict::Draw as i32;
    let decided = if history.facts().sign_is_result() { answer.bounds.verdict() } else { None };
    let wrong =
        decided.is_some_and(|verdict| sign(verdict) != (answer.value > 0.0) as i32 - (answer.value < 0.0) as i32);
    wrong.then(|| format!("the value {} where {decided:?} is proved", answer.value))
}

pub(super) fn bounds_error<G: Game>(history: &History<G>, answer: &Report<G::Move>) -> Option<String> {
    let (low, high) = history.facts().scores;
    let player = history.position().to_move();
    let fits = |bounds: &Bounds| {
        bounds.player == player && low <= bounds.at_least && bounds.at_least <= bounds.at_most && bounds.at_most <= high
    };
    if !fits(&answer.bounds) || !answer.moves.iter().all(|entry| fits(&entry.bounds)) {
        return Some(format!("bounds that do not fit player {} and the scores {low} to {high}", player.0));
    }
    // The player can choose the move that makes sure of most; no move gives more than it can at most.
    let at_least = answer.moves.iter().map(|entry| entry.bounds.at_least).max()?;
    let at_most = answer.moves.iter().map(|entry| entry.bounds.at_most).max()?;
    let at_odds = answer.bounds.at_most < at_least || answer.bounds.at_least > at_most;
    at_odds.then(|| "bounds of the moves at odds with those of the position".to_string())
}

pub(super) fn choice_error<G: Game>(
    history: &History<G>,
    answer: &Report<G::Move>,
    truth: &Report<G::Move>,
) -> Option<String> {
    let by_sign = history.facts().sign_is_result();
    // Among several players the highest score need not be the best rank.
    if !by_sign && history.facts().players > 1 {
        return None;
    }
    let counts = |score: i32| if by_sign { score.signum() } else { score };
    let best = answer.moves.iter().find(|entry| Some(entry.mv) == answer.best)?;
    let sure = answer.moves.iter().map(|entry| entry.bounds.at_least).max()?;
    if counts(best.bounds.at_most) < counts(sure) {
        return Some(format!("a move worth at most {} where another makes sure of {sure}", best.bounds.at_most));
    }
    // Whoever says that all is decided plays a move that bears it out.
    let true_most = truth.moves.iter().find(|entry| entry.mv == best.mv)?.bounds.at_most;
    let spoils = is_decided(history, &answer.bounds) && counts(true_most) < counts(answer.bounds.at_least);
    spoils.then(|| format!("a move that minimax refutes, worth at most {true_most}"))
}

/// What a report says, for the eye.
pub(crate) fn answer_text<G: Game>(history: &History<G>, answer: &Report<G::Move>) -> String {
    let position = history.position();
    // A move that is not legal may have no text.
    let legal = legal_moves(history);
    let word = |mv: G::Move| if legal.contains(&mv) { position.move_text(mv) } else { format!("{mv:?} (illegal)") };
    let bounds = |bounds: &Bounds| format!("{}..{}", bounds.at_least, bounds.at_most);
    let mut text = format!(
        "it says {} with value {} and bounds {} of player {}",
        answer.best.map_or("nothing".to_string(), word),
        answer.value,
        bounds(&answer.bounds),
        answer.bounds.player.0
    );
    let told = answer.moves.iter().filter(|entry| entry.bounds.is_informative(history.facts()));
    for entry in told.take(12) {
        let _ = write!(text, ", {} {}", word(entry.mv), bounds(&entry.bounds));
    }
    if let Some(ProofNumbers { proof, disproof }) = answer.proof_numbers {
        let number = |number: u32| if number == INFINITE { "inf".to_string() } else { number.to_string() };
        let _ = write!(text, ", proof numbers {} and {}", number(proof), number(disproof));
    }
    text
}
