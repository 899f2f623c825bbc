//! The report of an experiment.

use super::plan::{Cell, Group, Measure, Plan};
use super::speed::SpeedSample;
use crate::points::interval;
use crate::proportions::z_test;
use crate::referee::{End, PlayedGame};
use crate::standings::half_points;
use serde::Serialize;
use tesuji_catalog::Attempt;
use tesuji_core::{Verdict, Wdl};

/// The results of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExperimentReport {
    /// The title.
    pub title: String,
    /// Its cells, group by group and row by row.
    pub cells: Vec<CellResult>,
}

/// The result of a cell.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CellResult {
    /// The cell.
    #[serde(flatten)]
    pub cell: Cell,
    /// The measurement, if the cell was run.
    pub found: Option<Measurement>,
}

/// A measurement: a score in percent or a ratio of speeds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Measurement {
    /// Games, speed samples or positions.
    pub samples: u64,
    /// The score in percent, or the median ratio.
    pub value: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Games won, drawn and lost.
    pub record: Option<Wdl>,
    /// The median simulations per second of each player.
    pub rates: Vec<f64>,
    /// Games lost by faults.
    pub faults: u64,
    /// Whether the match ended early.
    pub early: bool,
    /// The verdict, in words.
    pub verdict: String,
}

/// The significance level.
const SIGNIFICANT: f64 = 0.05;

/// Evaluates the games of a cell.
pub(crate) fn of_match(cell: &Cell, games: &[PlayedGame]) -> Option<Measurement> {
    let mut record = Wdl::default();
    games.iter().filter_map(half_points).for_each(|points| {
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
    let comparison = compare_with_source(cell, &record);
    Some(Measurement {
        samples: record.games(),
        value: share * 100.0,
        low: low * 100.0,
        high: high * 100.0,
        record: Some(record),
        rates: Vec::new(),
        faults: games.iter().filter(|game| matches!(game.end, End::Fault { .. })).count() as u64,
        early: cell.early
            && cell.plan.games.is_some_and(|games| super::is_decided(&record, games) && record.games() < games),
        verdict: comparison.map_or(even.to_string(), |comparison| format!("{even}; {comparison}")),
    })
}

/// Compares a score with that of the source.
fn compare_with_source(cell: &Cell, record: &Wdl) -> Option<String> {
    let source = cell.source? / 100.0;
    let (low, high) = interval(record);
    let Some(games) = cell.source_games else {
        let agrees = (low..=high).contains(&source);
        let differs = if record.share() > source { "higher than the source" } else { "lower than the source" };
        return Some(if agrees { "agrees with the source" } else { differs }.to_string());
    };
    let test = z_test((record.share(), record.games()), (source, games));
    let verdict = match () {
        () if test.two_sided >= SIGNIFICANT => "agrees with the source",
        () if test.z > 0.0 => "higher than the source",
        () => "lower than the source",
    };
    Some(format!("{verdict} (p {})", probability(test.two_sided)))
}

/// Formats a p-value.
fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_string() } else { format!("= {p:.3}") }
}

/// Evaluates the speed samples of a cell.
pub(crate) fn of_speed(cell: &Cell, samples: &[SpeedSample]) -> Option<Measurement> {
    if samples.is_empty() {
        return None;
    }
    let rates = (0..2).map(|player| median(samples.iter().map(|sample| sample.rates[player]).collect()).0).collect();
    let (value, low, high) = median(samples.iter().map(|sample| sample.rates[0] / sample.rates[1]).collect());
    let verdict = cell.source.map_or(String::new(), |source| match () {
        () if (low..=high).contains(&source) => "agrees with the source".to_string(),
        () if value > source => "costs less than in the source".to_string(),
        () => "costs more than in the source".to_string(),
    });
    Some(Measurement {
        samples: samples.len() as u64,
        value,
        low,
        high,
        record: None,
        rates,
        faults: 0,
        early: false,
        verdict,
    })
}

/// Returns the median and its 95 % interval between two of the numbers: the count of numbers below
/// the true median is binomial. Disturbed samples do not affect it.
fn median(mut numbers: Vec<f64>) -> (f64, f64, f64) {
    numbers.sort_by(f64::total_cmp);
    let count = numbers.len();
    // Sums the binomial probabilities of the tail; each tail has at most 2.5 %.
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

/// Evaluates the solving attempts of a cell.
pub(crate) fn of_solving(cell: &Cell, attempts: &[Attempt]) -> Option<Measurement> {
    let wins = attempts.iter().filter(|attempt| attempt.solved).count() as u64;
    let record = Wdl { wins, draws: 0, losses: attempts.len() as u64 - wins };
    let (low, high) = interval(&record);
    (record.games() > 0).then(|| Measurement {
        samples: record.games(),
        value: record.share() * 100.0,
        low: low * 100.0,
        high: high * 100.0,
        record: Some(record),
        rates: Vec::new(),
        faults: 0,
        early: false,
        verdict: compare_with_source(cell, &record).unwrap_or_default(),
    })
}

/// Writes the report as Markdown.
pub(crate) fn markdown(plan: &Plan, report: &ExperimentReport) -> String {
    let name = plan.folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let source = plan.source.as_ref().map_or(String::new(), |source| format!("\nSource: {source}\n"));
    let mut text = format!(
        "# {}\n\n{}\n{source}\nMade by `tesuji experiment experiments/{name}` (Tesuji {}) from its logs. Only the questions, the notes and the source's numbers are written by hand.\n",
        plan.title,
        plan.question,
        env!("CARGO_PKG_VERSION")
    );
    for group in &plan.group {
        let cells: Vec<&CellResult> = report.cells.iter().filter(|result| result.cell.group == group.name).collect();
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
        text += "\nCells marked \"stopped early\" ended once the result was significantly different from 50 %: the direction is certain, the estimate is biased away from 50 %.\n";
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

/// Returns the two columns of the measurement.
fn measured(cell: &Cell, found: Option<&Measurement>) -> [String; 2] {
    let Some(found) = found else { return [String::new(), String::new()] };
    let Measurement { samples, value, low, high, .. } = found;
    match cell.measure {
        Measure::Match | Measure::Solve => {
            let planned = cell.plan.games.unwrap_or(0);
            let games = match (found.early, *samples < planned) {
                (true, _) => format!("{samples} of {planned}, stopped early"),
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

/// Describes the settings of a cell.
fn setting(cell: &Cell) -> String {
    let plan = &cell.plan;
    let players: Vec<String> = plan.players.iter().map(|player| format!("`{player}`")).collect();
    let openings = || format!("openings {}", String::from(plan.openings.clone()));
    let seed = || format!("seed {}", plan.seed);
    let (separator, rest) = match cell.measure {
        Measure::Match => (" against ", vec![openings(), seed()]),
        Measure::Speed => (" and ", Vec::new()),
        Measure::Solve => ("", vec![seed()]),
    };
    let terms = Some(plan.terms.to_string()).filter(|terms| !terms.is_empty());
    let parts: Vec<String> =
        [format!("`{}`: {}", plan.game, players.join(separator))].into_iter().chain(terms).chain(rest).collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_the_median_follows_the_sign_test() {
        let up_to = |count: u32| median((1..=count).rev().map(f64::from).collect());
        // From the tables of the sign test (Dixon & Mood 1946): of 6 numbers the outermost, of 21
        // the 6th and the 16th.
        assert_eq!(up_to(6), (4.0, 1.0, 6.0));
        assert_eq!(up_to(21), (11.0, 6.0, 16.0));
        assert_eq!(up_to(1), (1.0, 1.0, 1.0));
        assert_eq!(
            median(vec![0.9, 100.0, 0.8, 0.9, 0.9, 0.8, 0.9, 1.0, 0.9]).2,
            1.0,
            "a disturbed sample does not affect the interval"
        );
    }
}
