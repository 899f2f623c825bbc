//! The results of the cells of an experiment, with their verdicts.

use super::boards::ColumnComparison;
use super::effort::SolverComparison;
use super::gains::GainComparison;
use super::plan::Cell;
use super::speed::SpeedSample;
use crate::boards::BoardComparison;
use crate::points::interval;
use crate::proportions::z_test;
use crate::referee::{End, PlayedGame};
use crate::standings::half_points;
use crate::t_test::p_value;
use serde::Serialize;
use tesuji_catalog::{Attempt, ComparisonResult};
use tesuji_core::{Verdict, Wdl};

/// The results of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExperimentReport {
    /// The title.
    pub title: String,
    /// Its cells, group by group and row by row.
    pub cells: Vec<CellResult>,
    /// The solvers compared by nodes and time, for each column of a solving group.
    pub comparisons: Vec<SolverComparison>,
    /// The solvers compared over the positions of all solving groups, if there are several.
    pub overall: Option<ComparisonResult>,
    /// The solvers compared over repetitions, for each group of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gains: Vec<GainComparison>,
    /// The players compared on the same boards, for each column of a group on boards.
    pub boards: Vec<ColumnComparison>,
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

/// A measurement: a score in percent, a ratio of speeds, or a mean score in points.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Measurement {
    /// Games, speed samples, positions or boards.
    pub samples: u64,
    /// The score in percent, the median ratio, or the mean score.
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
    /// The time of the first player's moves as a share of what its time manager planned for them,
    /// on a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_used: Option<f64>,
    /// The comparison with the first row of the column, on boards.
    pub to_first: Option<BoardComparison>,
    /// The verdict, in words.
    pub verdict: String,
}

/// The significance level.
pub(super) const SIGNIFICANT: f64 = 0.05;

/// The verdict on a cell with fewer samples than planned. Someone stopped it, perhaps because of
/// the result so far, so its interval is not what it seems to be.
pub(super) const CUT_SHORT: &str = "cut short: no verdict";

/// Returns whether a cell has fewer samples than planned.
pub(super) fn is_cut_short(cell: &Cell, samples: u64) -> bool {
    cell.plan.games.is_some_and(|games| samples < games)
}

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
    let is_short = is_cut_short(cell, record.games());
    let early = is_short && cell.early && cell.plan.games.is_some_and(|games| super::is_decided(&record, games));
    let verdict = match comparison {
        _ if is_short && !early => CUT_SHORT.to_string(),
        Some(comparison) => format!("{even}; {comparison}"),
        None => even.to_string(),
    };
    Some(Measurement {
        samples: record.games(),
        value: share * 100.0,
        low: low * 100.0,
        high: high * 100.0,
        record: Some(record),
        rates: Vec::new(),
        faults: games.iter().filter(|game| matches!(game.end, End::Fault { .. })).count() as u64,
        early,
        time_used: time_used(games),
        to_first: None,
        verdict,
    })
}

/// Returns the time of the first player's moves as a share of what was planned for them.
fn time_used(games: &[PlayedGame]) -> Option<f64> {
    let seconds = |game: &PlayedGame| {
        let seat = game.seats.iter().position(|&player| player == 0)?;
        Some((game.timing.seconds[seat], *game.timing.planned_seconds.get(seat)?))
    };
    let (used, planned) = games.iter().filter_map(seconds).fold((0.0, 0.0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
    (planned > 0.0).then(|| used / planned)
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
    Some(format!("{verdict} (p {})", p_value(test.two_sided)))
}

/// Evaluates the speed samples of a cell.
pub(crate) fn of_speed(cell: &Cell, samples: &[SpeedSample]) -> Option<Measurement> {
    if samples.is_empty() {
        return None;
    }
    let rates = (0..2).map(|player| median(samples.iter().map(|sample| sample.rates[player]).collect()).0).collect();
    let (value, low, high) = median(samples.iter().map(|sample| sample.rates[0] / sample.rates[1]).collect());
    let verdict = match cell.source {
        _ if is_cut_short(cell, samples.len() as u64) => CUT_SHORT,
        None => "",
        Some(source) if (low..=high).contains(&source) => "agrees with the source",
        Some(source) if value > source => "costs less than in the source",
        Some(_) => "costs more than in the source",
    };
    let verdict = verdict.to_string();
    Some(Measurement {
        samples: samples.len() as u64,
        value,
        low,
        high,
        record: None,
        rates,
        faults: 0,
        early: false,
        time_used: None,
        to_first: None,
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
        time_used: None,
        to_first: None,
        verdict: match compare_with_source(cell, &record) {
            _ if is_cut_short(cell, record.games()) => CUT_SHORT.to_string(),
            comparison => comparison.unwrap_or_default(),
        },
    })
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
