//! Reports, lines of play, bounds and numbers as text.

use tesuji_core::{Bounds, Facts, Game, History, Inspector, Report, RootMove, Verdict};

/// Converts the moves of a report to text.
pub(crate) fn report_text<G: Game>(report: Report<G::Move>, history: &History<G>) -> Report<String> {
    let root = history.position();
    report.map(|mv| root.move_text(mv), |line| line_text(line, root), |bounds| bounds)
}

/// Converts a line of play from `root` to text.
pub(crate) fn line_text<G: Game>(line: Vec<G::Move>, root: &G) -> Vec<String> {
    let mut position = root.clone();
    let text = |mv| {
        let text = position.move_text(mv);
        position.play(mv);
        text
    };
    line.into_iter().map(text).collect()
}

/// Converts the moves of a position, with their statistics, to text.
pub(crate) fn root_moves_text<G: Game>(moves: Vec<RootMove<G::Move>>, position: &G) -> Vec<RootMove<String>> {
    moves.into_iter().map(|entry| entry.map(|mv| position.move_text(mv), |bounds| bounds)).collect()
}

/// Inspects a running search in terms of text moves.
pub(crate) struct TextInspector<'a, G: Game> {
    pub inspector: &'a dyn Inspector<G::Move>,
    pub history: &'a History<G>,
    /// The ownership as counted so far.
    pub ownership: &'a dyn Fn() -> Option<Vec<f64>>,
}

impl<G: Game> Inspector<String> for TextInspector<'_, G> {
    fn report(&self) -> Report<String> {
        report_text(self.inspector.report(), self.history)
    }

    fn look(&self, line: &[String]) -> Option<Vec<RootMove<String>>> {
        let mut history = self.history.clone();
        let moves: Option<Vec<G::Move>> = line.iter().map(|text| history.play_text(text).ok()).collect();
        Some(root_moves_text(self.inspector.look(&moves?)?, history.position()))
    }

    fn ownership(&self) -> Option<Vec<f64>> {
        (self.ownership)()
    }
}

/// Describes proven bounds; `None` if nothing is proven.
pub fn bounds_text(bounds: &Bounds, facts: &Facts) -> Option<String> {
    if !bounds.is_informative(facts) {
        return None;
    }
    let (low, high) = facts.scores;
    let Bounds { at_least, at_most, .. } = bounds.normalized(facts);
    let (least, most) = (facts.points(at_least), facts.points(at_most));
    let range = match (at_least, at_most) {
        _ if at_least == at_most => format!("score {least}"),
        _ if at_most == high => format!("score at least {least}"),
        _ if at_least == low => format!("score at most {most}"),
        _ => format!("score {least}..{most}"),
    };
    if !facts.sign_is_result() {
        return Some(range);
    }
    // The score is left out where it says no more than the result.
    Some(match bounds.normalized(facts).verdict() {
        Some(Verdict::Win) if at_least == 1 && at_most == high => "win".to_string(),
        Some(Verdict::Win) => format!("win, {range}"),
        Some(Verdict::Draw) => "draw".to_string(),
        Some(Verdict::Loss) if at_least == low && at_most == -1 => "loss".to_string(),
        Some(Verdict::Loss) => format!("loss, {range}"),
        None if at_least == 0 && at_most == high => "at least a draw".to_string(),
        None if at_least == low && at_most == 0 => "at most a draw".to_string(),
        None => range,
    })
}

/// Formats a number with thousands separators.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
