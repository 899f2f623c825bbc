//! Answers in the words of players.

use crate::problem::Goal;
use crate::scale::Level;
use crate::solve::{Answer, PASS, Refutation};

/// Returns what the mover does if it succeeds, and the infinitive.
fn verbs(answer: &Answer, draw: bool) -> (String, String) {
    let targets = answer.targets.join(" and ");
    let (does, to_do) = match answer.goal {
        _ if draw => ("gets seki", "get seki"),
        Goal::Live => ("lives", "live"),
        Goal::Kill => ("kills", "kill"),
        Goal::Save => return (format!("saves {targets}"), format!("save {targets}")),
        Goal::Capture => return (format!("captures {targets}"), format!("capture {targets}")),
        Goal::Semeai => ("wins the race", "win the race"),
        Goal::Connect | Goal::ConnectUnder => ("connects", "connect"),
        Goal::Cut => ("cuts", "cut"),
    };
    (does.to_string(), to_do.to_string())
}

/// Joins moves: `B2`, `B2 or C1`, `B2, C1 or D1`.
fn any_of(moves: &[&str]) -> String {
    match moves {
        [] => String::new(),
        [one] => one.to_string(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// Says what was asked.
pub fn question(answer: &Answer) -> String {
    format!("{} to play, goal {}, {} in question", answer.mover, answer.goal, answer.targets.join(" "))
}

/// Says the verdict in one sentence. `bent_four_is_dead` reports a bent four as under Japanese
/// rules.
pub fn verdict(answer: &Answer, bent_four_is_dead: bool) -> String {
    let (scale, draw) = answer.result();
    let mover = answer.mover;
    let opponent = if mover == "Black" { "White" } else { "Black" };
    let (does, to_do) = verbs(answer, draw);
    let found: Vec<&str> = answer.good_moves().into_iter().filter(|mv| *mv != PASS).collect();
    let moves = match (found.is_empty(), answer.line.first()) {
        (true, Some(first)) if first != PASS => format!(" with {first}"),
        (true, _) => String::new(),
        (false, _) => format!(" with {}", any_of(&found)),
    };
    if bent_four_is_dead && answer.bent_four == Some(true) {
        let owner = if answer.goal.is_of_mover() { mover } else { opponent };
        return format!("dead: {owner} has a bent four in the corner (a ko{moves} that {owner} cannot end)");
    }
    let acts = format!("{mover} to play {does}{moves}");
    let Some(level) = scale.verdict() else { return unfinished(answer, &acts, &to_do) };
    let edge =
        if answer.is_confirmed { String::new() } else { format!(" in the region {}; open beyond it", answer.region) };
    if level == Level::FAILS {
        let alive = if answer.seki == Some(true) { format!(": {opponent} lives in seki") } else { String::new() };
        return format!("{mover} to play cannot {to_do}{alive}{edge}");
    }
    if level == Level::UNCONDITIONAL {
        let seki = if answer.seki == Some(true) { " in seki" } else { "" };
        return if answer.needs_no_move() {
            format!("no move needed: {mover} {does}{seki} even if {opponent} plays first{edge}")
        } else {
            format!("{mover} to play {does}{seki}{moves} (unconditionally){edge}")
        };
    }
    let acts = if answer.needs_no_move() { format!("{mover} may pass") } else { acts };
    let kind = if answer.double_ko == Some(true) {
        "double ko"
    } else if level < Level::WITH_ONE {
        "approach-move ko"
    } else {
        "ko"
    };
    format!("{kind}: {acts}{}{edge}", threats(level, mover, opponent))
}

/// Says who must find threats; nothing if the result is unconditional.
fn threats(level: Level, mover: &str, opponent: &str) -> String {
    match level.number() {
        Some(0) => format!("; {opponent} must find the first ko threat"),
        Some(-1) => format!("; {mover} must find the first ko threat"),
        Some(k) if k > 0 => format!("; {opponent} must find the first ko threat, and win the ko {}", times(k + 1)),
        Some(k) => format!("; {mover} must win the ko {}", times(-k)),
        None if level == Level::WITH_ALL => format!("; {mover} must win the ko more than twice"),
        None => String::new(),
    }
}

fn times(number: i8) -> String {
    if number == 2 { "twice".to_string() } else { format!("{number} times") }
}

/// Says what is known about a verdict that is open.
fn unfinished(answer: &Answer, acts: &str, to_do: &str) -> String {
    let (scale, _) = answer.result();
    let open = "the limits did not suffice";
    match (scale.at_least, scale.at_most) {
        (Level::FAILS, Level::UNCONDITIONAL) => format!("open: {open}"),
        (Level::FAILS, most) if most < Level::EVEN => {
            format!("{} to play cannot {to_do} without ko threats; the rest is open ({open})", answer.mover)
        }
        (Level::FAILS, _) => {
            format!("{} to play cannot {to_do} unconditionally; the rest is open ({open})", answer.mover)
        }
        (least, Level::UNCONDITIONAL) if least >= Level::EVEN => {
            format!("{acts} without ko threats on either side; open whether unconditionally ({open})")
        }
        _ => format!("ko: {acts}; open who must find how many threats ({open})"),
    }
}

/// Says what else is known about the stones in question.
pub fn notes(answer: &Answer) -> Vec<String> {
    let mut notes = Vec::new();
    if answer.double_ko == Some(true) {
        notes.push(
            "double ko: the result depends on what a repeated position means (option cycle= of the game)".to_string(),
        );
    }
    if answer.bent_four == Some(true) {
        let dead = "dead at the end of the game under Japanese rules";
        notes.push(format!("bent four in the corner: a ko that its owner cannot end; {dead}"));
    }
    let open = answer.open_moves();
    if !open.is_empty() && answer.level() > Level::FAILS {
        notes.push(format!("open first moves: {}", open.join(" ")));
    }
    notes
}

/// Says what a first move does.
pub fn refutation(answer: &Answer, refuted: &Refutation) -> String {
    let (_, draw) = answer.result();
    let (does, _) = verbs(answer, draw);
    let line = if refuted.line.is_empty() { String::new() } else { format!(": {}", refuted.line.join(" ")) };
    match refuted.succeeds {
        None => format!("{} is open: the limits did not suffice", refuted.mv),
        Some(true) => format!("{} also {does}{line}", refuted.mv),
        Some(false) => format!("{} fails{line}", refuted.mv),
    }
}
