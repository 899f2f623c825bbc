//! What an experiment found, in words and tables.

use super::plan::{Cell, Group, Measure, Plan};
use super::speed::Look;
use crate::points::interval;
use crate::proportions::z_test;
use crate::referee::{End, Played};
use crate::standings::halves;
use serde::Serialize;
use tesuji_catalog::Attempt;
use tesuji_core::{Record, Verdict};

/// What an experiment found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    /// What it is called.
    pub title: String,
    /// Its cells, group by group and row by row.
    pub cells: Vec<CellResult>,
}

/// What a cell found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CellResult {
    /// The cell.
    #[serde(flatten)]
    pub cell: Cell,
    /// What was found, if something was.
    pub found: Option<Found>,
}

/// What was found: percent of the points, or a ratio of speeds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Found {
    /// Games or looks.
    pub samples: u64,
    /// The share of the points in percent, or the middle one of the ratios.
    pub value: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Games won, drawn and lost.
    pub record: Option<Record>,
    /// The middle one of the simulations of each player in a second.
    pub rates: Vec<f64>,
    /// Games that were lost by something else than play.
    pub faults: u64,
    /// Whether it was decided before all games were played.
    pub early: bool,
    /// What it means, in words.
    pub verdict: String,
}

/// Below this chance a difference is taken for one.
const SIGNIFICANT: f64 = 0.05;

/// What the games of a cell say.
pub(crate) fn of_match(cell: &Cell, games: &[Played]) -> Option<Found> {
    let mut record = Record::default();
    games.iter().filter_map(halves).for_each(|points| {
        record.count([Verdict::Loss, Verdict::Draw, Verdict::Win][points]);
    });
    if record.games() == 0 {
        return None;
    }
    let (low, high) = interval(&record);
    let share = record.share();
    let even = match () {
        () if low > 0.5 => "stronger",
        () if high < 0.5 => "weaker",
        () => "no difference shown",
    };
    let beside = beside_source(cell, &record);
    Some(Found {
        samples: record.games(),
        value: share * 100.0,
        low: low * 100.0,
        high: high * 100.0,
        record: Some(record),
        rates: Vec::new(),
        faults: games.iter().filter(|game| matches!(game.end, End::Fault { .. })).count() as u64,
        early: cell.early
            && cell.plan.games.is_some_and(|games| super::is_decided(&record, games) && record.games() < games),
        verdict: beside.map_or(even.to_string(), |beside| format!("{even}; {beside}")),
    })
}

/// What a share is, seen beside that of the source.
fn beside_source(cell: &Cell, record: &Record) -> Option<String> {
    let source = cell.source? / 100.0;
    let (low, high) = interval(record);
    let Some(games) = cell.source_games else {
        let agrees = (low..=high).contains(&source);
        let differs = if record.share() > source { "higher than the source" } else { "lower than the source" };
        return Some(if agrees { "agrees with the source" } else { differs }.to_string());
    };
    let test = z_test((record.share(), record.games()), (source, games));
    let said = match () {
        () if test.two_sided >= SIGNIFICANT => "agrees with the source",
        () if test.z > 0.0 => "higher than the source",
        () => "lower than the source",
    };
    Some(format!("{said} (p {})", probability(test.two_sided)))
}

/// A chance as it is printed.
fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_string() } else { format!("= {p:.3}") }
}

/// What the looks of a cell say.
pub(crate) fn of_speed(cell: &Cell, looks: &[Look]) -> Option<Found> {
    if looks.is_empty() {
        return None;
    }
    let rates = (0..2).map(|player| median(looks.iter().map(|look| look.rates[player]).collect()).0).collect();
    let (value, low, high) = median(looks.iter().map(|look| look.rates[0] / look.rates[1]).collect());
    let verdict = cell.source.map_or(String::new(), |source| match () {
        () if (low..=high).contains(&source) => "agrees with the source".to_string(),
        () if value > source => "costs less than in the source".to_string(),
        () => "costs more than in the source".to_string(),
    });
    let samples = looks.len() as u64;
    Some(Found { samples, value, low, high, record: None, rates, faults: 0, early: false, verdict })
}

/// The median of some numbers with its 95 % interval, from one of them to another: how many lie below the true median is a matter of tossing a coin for each. A look that something else disturbed does
/// no harm that way.
fn median(mut numbers: Vec<f64>) -> (f64, f64, f64) {
    numbers.sort_by(f64::total_cmp);
    let count = numbers.len();
    // The chance that so many are below it, added up; what is left out on each side has a chance of 2.5 % at most.
    let (mut chance, mut sum, mut outside) = (0.5f64.powi(count as i32), 0.0, 0);
    for below in 0..count / 2 {
        sum += chance;
        if sum > SIGNIFICANT / 2.0 {
            break;
        }
        outside = below;
        chance *= (count - below) as f64 / (below + 1) as f64;
    }
    (numbers[count / 2], numbers[outside], numbers[count - 1 - outside])
}

/// What the attempts of a cell say.
pub(crate) fn of_solving(cell: &Cell, attempts: &[Attempt]) -> Option<Found> {
    let wins = attempts.iter().filter(|attempt| attempt.solved).count() as u64;
    let record = Record { wins, draws: 0, losses: attempts.len() as u64 - wins };
    let (low, high) = interval(&record);
    (record.games() > 0).then(|| Found {
        samples: record.games(),
        value: record.share() * 100.0,
        low: low * 100.0,
        high: high * 100.0,
        record: Some(record),
        rates: Vec::new(),
        faults: 0,
        early: false,
        verdict: beside_source(cell, &record).unwrap_or_default(),
    })
}

/// The report as a page of text.
pub(crate) fn markdown(plan: &Plan, answer: &Answer) -> String {
    let name = plan.folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let source = plan.source.as_ref().map_or(String::new(), |source| format!("\nSource: {source}\n"));
    let mut text = format!(
        "# {}\n\n{}\n{source}\nMade by `tesuji experiment experiments/{name}` (Tesuji {}) from its logs; nothing here is typed in but the plan's own words and the source's numbers.\n",
        plan.title,
        plan.question,
        env!("CARGO_PKG_VERSION")
    );
    for group in &plan.group {
        let cells: Vec<&CellResult> = answer.cells.iter().filter(|result| result.cell.group == group.name).collect();
        let note = group.note.as_ref().map_or(String::new(), |note| format!("{}\n\n", note.trim()));
        text += &format!("\n## {}\n\n{note}{}", group.title, group_text(group, &cells));
    }
    text
}

fn group_text(group: &Group, cells: &[&CellResult]) -> String {
    let mut settings: Vec<String> = cells.iter().map(|result| setting(&result.cell)).collect();
    let same = settings.windows(2).all(|two| two[0] == two[1]);
    let mut text = String::new();
    if same && let Some(setting) = settings.first() {
        text += &format!("{setting}.\n\n");
        settings.iter_mut().for_each(String::clear);
    }
    let has_source = cells.iter().any(|result| result.cell.source.is_some());
    let columns: Vec<&str> = [group.rows.as_str(), group.columns.as_str()]
        .into_iter()
        .chain((!same).then_some("played"))
        .chain(match group.measure {
            Measure::Match => ["games", "points of the first player (95 %)"],
            Measure::Speed => ["simulations/s", "ratio (95 %)"],
            Measure::Solve => ["positions", "solved (95 %)"],
        })
        .chain(has_source.then_some("source"))
        .chain(["verdict"])
        .collect();
    text += &format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
    for (result, setting) in cells.iter().zip(settings) {
        let CellResult { cell, found } = result;
        let row = [cell.row.clone(), cell.column.clone()]
            .into_iter()
            .chain((!same).then_some(setting))
            .chain(measured(cell, found.as_ref()))
            .chain(has_source.then(|| cell.source.map_or(String::new(), |source| source_text(cell, source))))
            .chain([found.as_ref().map_or("not run".to_string(), |found| found.verdict.clone())]);
        text += &format!("| {} |\n", row.collect::<Vec<_>>().join(" | "));
    }
    if cells.iter().any(|result| result.found.as_ref().is_some_and(|found| found.early)) {
        text += "\nWhat was decided early was looked at until it was far enough from 50 %: who is stronger is sure, the number itself lies a little too far out, beside a source too.\n";
    }
    if group.figure {
        text += &format!("\n![{}](figures/{}.svg)\n", group.title, group.name);
    }
    text
}

fn source_text(cell: &Cell, source: f64) -> String {
    match (cell.measure, cell.source_games) {
        (Measure::Speed, _) => format!("{source}"),
        (Measure::Match | Measure::Solve, Some(games)) => format!("{source} % of {games}"),
        (Measure::Match | Measure::Solve, None) => format!("{source} %"),
    }
}

/// The two columns of what was measured.
fn measured(cell: &Cell, found: Option<&Found>) -> [String; 2] {
    let Some(found) = found else { return [String::new(), String::new()] };
    let Found { samples, value, low, high, .. } = found;
    match cell.measure {
        Measure::Match | Measure::Solve => {
            let planned = cell.plan.games.unwrap_or(0);
            let games = match (found.early, *samples < planned) {
                (true, _) => format!("{samples} of {planned}, decided early"),
                (false, true) => format!("{samples} of {planned}"),
                (false, false) => samples.to_string(),
            };
            let faults = if found.faults == 0 { String::new() } else { format!(", {} by faults", found.faults) };
            [games + &faults, format!("{value:.1} % ({low:.1}-{high:.1})")]
        }
        Measure::Speed => {
            let rates: Vec<String> = found.rates.iter().map(|rate| format!("{rate:.0}")).collect();
            [rates.join(" and "), format!("{value:.2} ({low:.2} .. {high:.2})")]
        }
    }
}

/// What a cell is played under.
fn setting(cell: &Cell) -> String {
    let plan = &cell.plan;
    let players: Vec<String> = plan.players.iter().map(|player| format!("`{player}`")).collect();
    let openings = || format!("openings {}", String::from(plan.openings.clone()));
    let seed = || format!("seed {}", plan.seed);
    let (joint, rest) = match cell.measure {
        Measure::Match => (" against ", vec![openings(), seed()]),
        Measure::Speed => (" and ", Vec::new()),
        Measure::Solve => ("", vec![seed()]),
    };
    let terms = Some(plan.terms.to_string()).filter(|terms| !terms.is_empty());
    let parts: Vec<String> =
        [format!("`{}`: {}", plan.game, players.join(joint))].into_iter().chain(terms).chain(rest).collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_has_its_interval_by_rank() {
        let up_to = |count: u32| median((1..=count).rev().map(f64::from).collect());
        // Ranks from the tables of the sign test (Dixon & Mood 1946): with 6 numbers the outermost, with 21 the 6th and the 16th.
        assert_eq!(up_to(6), (4.0, 1.0, 6.0));
        assert_eq!(up_to(21), (11.0, 6.0, 16.0));
        assert_eq!(up_to(1), (1.0, 1.0, 1.0));
        assert_eq!(
            median(vec![0.9, 100.0, 0.8, 0.9, 0.9, 0.8, 0.9, 1.0, 0.9]).2,
            1.0,
            "one look that was disturbed does no harm"
        );
    }
}
