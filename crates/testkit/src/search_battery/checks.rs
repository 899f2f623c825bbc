//! The checks of a report; each returns what is wrong, or `None`.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;
use tesuji_core::{Bounds, Control, Game, History, INFINITE, Limits, Player, ProofNumbers, Report, Search, Verdict};
use tesuji_search::minimax;

/// Returns minimax's report on a position: the value of every move if the node limit allows it,
/// else that of the position, else bounds.
pub fn truth<G: Game>(history: &History<G>, nodes: u64) -> Report<G::Move> {
    let go = AtomicBool::new(false);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let ask = |all| minimax::Params { result: false, all }.search(history, &Control::new(limits, 1, &go));
    let all_moves = ask(true);
    if is_solved(history, &all_moves.bounds) { all_moves } else { ask(false) }
}

/// Finds a claim of a report that minimax refutes.
pub fn truth_error<G: Game>(history: &History<G>, report: &Report<G::Move>, truth: &Report<G::Move>) -> Option<String> {
    let by_sign = history.facts().sign_is_result();
    let refuted = |claim: &Bounds, numbers: &Option<ProofNumbers>, truth: &Bounds| {
        let wrong = claim.at_least > truth.at_most || claim.at_most < truth.at_least;
        let numbers = numbers.filter(|_| by_sign);
        let wins = numbers.is_some_and(|numbers| numbers.proof == 0 && truth.at_most <= 0);
        let does_not_win = numbers.is_some_and(|numbers| numbers.disproof == 0 && truth.at_least > 0);
        wrong || wins || does_not_win
    };
    let words = |truth: &Bounds| format!("gets {}..{}", truth.at_least, truth.at_most);
    if refuted(&report.bounds, &report.proof_numbers, &truth.bounds) {
        return Some(format!("the player to move {}", words(&truth.bounds)));
    }
    truth.moves.iter().find_map(|true_entry| {
        let entry = report.moves.iter().find(|entry| entry.mv == true_entry.mv)?;
        let wrong = refuted(&entry.bounds, &entry.proof_numbers, &true_entry.bounds);
        wrong.then(|| format!("{} {}", history.position().move_text(entry.mv), words(&true_entry.bounds)))
    })
}

/// Returns whether bounds determine the result, or the score if its sign is not the result.
pub fn is_solved<G: Game>(history: &History<G>, bounds: &Bounds) -> bool {
    let by_sign = history.facts().sign_is_result() && bounds.verdict().is_some();
    by_sign || bounds.at_least == bounds.at_most
}

pub(super) fn legal_moves<G: Game>(history: &History<G>) -> Vec<G::Move> {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    moves
}

pub(super) fn is_permutation<M: PartialEq>(listed: &[M], legal: &[M]) -> bool {
    listed.len() == legal.len() && legal.iter().all(|mv| listed.contains(mv))
}

pub(super) fn moves_error<G: Game>(history: &History<G>, report: &Report<G::Move>) -> Option<String> {
    let legal = legal_moves(history);
    let listed = report.moves.iter().map(|entry| entry.mv).collect::<Vec<_>>();
    let what = match report.best {
        None => "no best move",
        Some(best) if !legal.contains(&best) => "an illegal best move",
        _ if !is_permutation(&listed, &legal) => "the moves listed are not the legal moves",
        best if listed.first() != best.as_ref() => "the first move is not the best",
        _ => return None,
    };
    Some(what.to_string())
}

pub(super) fn variation_error<G: Game>(history: &History<G>, report: &Report<G::Move>) -> Option<String> {
    if report.variation.first() != report.best.as_ref() {
        return Some("the variation does not start with the best move".to_string());
    }
    let mut at = history.clone();
    for (number, &mv) in report.variation.iter().enumerate() {
        if !legal_moves(&at).contains(&mv) {
            return Some(format!("move {} of the variation is illegal", number + 1));
        }
        at.play(mv);
    }
    None
}

/// What is wrong with the solution of a report. A search that proves results may know a higher
/// bound than that of its line, or none.
pub(super) fn line_error<G: Game>(history: &History<G>, report: &Report<G::Move>, proves: bool) -> Option<String> {
    let Some(solution) = &report.solution else {
        return (!proves).then(|| "no solution".to_string());
    };
    let mut at = history.clone();
    solution.moves.iter().for_each(|&mv| at.play(mv));
    let least = history.facts().points(report.bounds.at_least);
    match at.outcome().map(|outcome| history.facts().points(outcome.score(Player::FIRST))) {
        None => Some("the solution does not end the game".to_string()),
        Some(score) if score != solution.score => Some(format!("a line with score {score} as {}", solution.score)),
        Some(score) if score > least || (score < least && !proves) => {
            Some(format!("a line with score {score} and a bound of {least}"))
        }
        Some(score) if score == least && report.variation != solution.moves => {
            Some("the variation is another line".to_string())
        }
        Some(_) => None,
    }
}

pub(super) fn value_error<G: Game>(history: &History<G>, report: &Report<G::Move>) -> Option<String> {
    let inside = |value: f64| (-1.0..=1.0).contains(&value);
    if !inside(report.value) {
        return Some(format!("the value {}", report.value));
    }
    for entry in &report.moves {
        let spread_fits = entry.spread.is_none_or(|spread| spread >= 0.0 && spread.is_finite());
        if !entry.value.is_none_or(inside) || !spread_fits {
            return Some(format!("a move with value {:?} and spread {:?}", entry.value, entry.spread));
        }
    }
    // The value of a proven result is 1, 0 or -1, or a scaled score of that sign.
    let sign = |verdict: Verdict| verdict as i32 - Verdict::Draw as i32;
    let proven = if history.facts().sign_is_result() { report.bounds.verdict() } else { None };
    let wrong =
        proven.is_some_and(|verdict| sign(verdict) != (report.value > 0.0) as i32 - (report.value < 0.0) as i32);
    wrong.then(|| format!("the value {} where {proven:?} is proven", report.value))
}

pub(super) fn bounds_error<G: Game>(history: &History<G>, report: &Report<G::Move>) -> Option<String> {
    let (low, high) = history.facts().scores;
    let player = history.position().to_move();
    let fits = |bounds: &Bounds| {
        bounds.player == player && low <= bounds.at_least && bounds.at_least <= bounds.at_most && bounds.at_most <= high
    };
    if !fits(&report.bounds) || !report.moves.iter().all(|entry| fits(&entry.bounds)) {
        return Some(format!("bounds that are not for player {} or not within the scores {low} to {high}", player.0));
    }
    // The value of the position is that of the best move, so it lies between these maxima.
    let at_least = report.moves.iter().map(|entry| entry.bounds.at_least).max()?;
    let at_most = report.moves.iter().map(|entry| entry.bounds.at_most).max()?;
    let contradicts = report.bounds.at_most < at_least || report.bounds.at_least > at_most;
    contradicts.then(|| "the bounds of the moves contradict those of the position".to_string())
}

pub(super) fn choice_error<G: Game>(
    history: &History<G>,
    report: &Report<G::Move>,
    truth: &Report<G::Move>,
) -> Option<String> {
    let by_sign = history.facts().sign_is_result();
    // With several players the highest score need not be the best result.
    if !by_sign && history.facts().players > 1 {
        return None;
    }
    let counts = |score: i32| if by_sign { score.signum() } else { score };
    let best = report.moves.iter().find(|entry| Some(entry.mv) == report.best)?;
    let guaranteed = report.moves.iter().map(|entry| entry.bounds.at_least).max()?;
    if counts(best.bounds.at_most) < counts(guaranteed) {
        return Some(format!(
            "a move worth at most {} although another is worth at least {guaranteed}",
            best.bounds.at_most
        ));
    }
    // The best move of a solved position must keep the proven result.
    let true_most = truth.moves.iter().find(|entry| entry.mv == best.mv)?.bounds.at_most;
    let spoils = is_solved(history, &report.bounds) && counts(true_most) < counts(report.bounds.at_least);
    spoils.then(|| format!("a move that minimax refutes, worth at most {true_most}"))
}

/// Describes a report in an error message.
pub fn report_text<G: Game>(history: &History<G>, report: &Report<G::Move>) -> String {
    let position = history.position();
    // A move that is not legal may have no text.
    let legal = legal_moves(history);
    let word = |mv: G::Move| if legal.contains(&mv) { position.move_text(mv) } else { format!("{mv:?} (illegal)") };
    let bounds = |bounds: &Bounds| format!("{}..{}", bounds.at_least, bounds.at_most);
    let mut text = format!(
        "best move {} with value {} and bounds {} of player {}",
        report.best.map_or("none".to_string(), word),
        report.value,
        bounds(&report.bounds),
        report.bounds.player.0
    );
    let listed = report.moves.iter().filter(|entry| entry.bounds.is_informative(history.facts()));
    for entry in listed.take(12) {
        let _ = write!(text, ", {} {}", word(entry.mv), bounds(&entry.bounds));
    }
    if let Some(ProofNumbers { proof, disproof }) = report.proof_numbers {
        let number = |number: u32| if number == INFINITE { "inf".to_string() } else { number.to_string() };
        let _ = write!(text, ", proof numbers {} and {}", number(proof), number(disproof));
    }
    text
}
