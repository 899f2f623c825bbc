//! What a player thinks of a position, in texts.

use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tesuji_core::{Bounds, Counters, Facts, Game, History, Inspector, Limits, Observer, Report, RootMove, Verdict};

/// What a player may use to think.
pub struct Thinking<'a> {
    /// The limits.
    pub limits: Limits,
    /// The seed of all random numbers.
    pub seed: u64,
    /// How many threads it may use.
    pub threads: usize,
    /// Raised to make it answer at once.
    pub stop: &'a AtomicBool,
    /// Called about every so often with the running search.
    pub observer: Option<(Duration, Observer<'a, String>)>,
}

/// What a player thinks of a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Thought {
    /// The player that was asked.
    pub player: String,
    /// The search that answered: the same, unless `auto` was asked.
    pub search: String,
    /// What it answered, values from the viewpoint of the player to move.
    #[serde(flatten)]
    pub report: Report<String>,
    /// What depends on the clock.
    pub timing: Timing,
}

/// How long it took.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Timing {
    /// All of it.
    pub seconds: f64,
    /// Playouts in a second.
    pub playouts_per_second: f64,
    /// Nodes in a second.
    pub nodes_per_second: f64,
}

impl Timing {
    /// How fast a search was that has done so much by now.
    pub fn new(counters: &Counters, spent: Duration) -> Timing {
        let seconds = spent.as_secs_f64();
        let rate = |count: u64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
        Timing { seconds, playouts_per_second: rate(counters.playouts), nodes_per_second: rate(counters.nodes) }
    }
}

impl Thought {
    pub(crate) fn new(player: &str, search: String, report: Report<String>, spent: Duration) -> Thought {
        let timing = Timing::new(&report.counters, spent);
        Thought { player: player.to_string(), search, report, timing }
    }
}

/// A report with its moves as texts.
pub(crate) fn in_texts<G: Game>(report: Report<G::Move>, history: &History<G>) -> Report<String> {
    let root = history.position();
    report.map(|mv| root.move_text(mv), |line| line_in_texts(line, root))
}

/// A line of play as texts.
pub(crate) fn line_in_texts<G: Game>(line: Vec<G::Move>, root: &G) -> Vec<String> {
    let mut position = root.clone();
    let text = |mv| {
        let text = position.move_text(mv);
        position.play(mv);
        text
    };
    line.into_iter().map(text).collect()
}

/// A running search, seen in texts.
pub(crate) struct TextInspector<'a, G: Game> {
    pub inspector: &'a dyn Inspector<G::Move>,
    pub history: &'a History<G>,
}

impl<G: Game> Inspector<String> for TextInspector<'_, G> {
    fn report(&self) -> Report<String> {
        in_texts(self.inspector.report(), self.history)
    }

    fn look(&self, line: &[String]) -> Option<Vec<RootMove<String>>> {
        let mut history = self.history.clone();
        let moves: Option<Vec<G::Move>> = line.iter().map(|text| history.play_text(text).ok()).collect();
        let entries = self.inspector.look(&moves?)?;
        Some(entries.into_iter().map(|entry| entry.map(|mv| history.position().move_text(mv))).collect())
    }
}

/// What is proved, in words; `None` if nothing is.
pub fn bounds_in_words(bounds: &Bounds, facts: &Facts) -> Option<String> {
    if !bounds.say_something(facts) {
        return None;
    }
    let (low, high) = facts.scores;
    let Bounds { at_least, at_most, .. } = *bounds;
    let range = match (at_least, at_most) {
        _ if at_least == at_most => format!("score {at_least}"),
        _ if at_most == high => format!("score at least {at_least}"),
        _ if at_least == low => format!("score at most {at_most}"),
        _ => format!("score {at_least}..{at_most}"),
    };
    if !facts.sign_is_result() {
        return Some(range);
    }
    // A proved result that says no more of the score is told by its name alone.
    Some(match bounds.verdict() {
        Some(Verdict::Win) if at_least == 1 && at_most == high => "win".to_string(),
        Some(Verdict::Win) => format!("win, {range}"),
        Some(Verdict::Draw) => "draw".to_string(),
        Some(Verdict::Loss) if at_least == low && at_most == -1 => "loss".to_string(),
        Some(Verdict::Loss) => format!("loss, {range}"),
        // Where nobody can draw, who gets at least a draw wins.
        None if at_least == 0 && at_most == high => if facts.draws { "at least a draw" } else { "win" }.to_string(),
        None if at_least == low && at_most == 0 => if facts.draws { "at most a draw" } else { "loss" }.to_string(),
        None => range,
    })
}
