//! Compares solvers whose attempts are repeated with other seeds: the gains over the first row, and
//! the mean ranks (Saito 2010, chapter 3).
//!
//! The columns of such a group are the repetitions. On each position the nodes and the time of a
//! solver are averaged over them. Its gain is the mean over the positions of the average of the
//! first row, divided by its own; its rank is the mean of its ranks, where equal averages share
//! theirs.

use super::plan::{Cell, Group, Plan};
use serde::Serialize;
use std::collections::HashMap;
use tesuji_catalog::{Attempt, Ratio};

/// The solvers of a group, compared over all repetitions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GainComparison {
    /// The name of the group.
    pub group: String,
    /// The number of positions that all solvers solved in all repetitions, which are compared.
    pub positions: usize,
    /// The number of positions that all solvers tried in all repetitions.
    pub of: usize,
    /// The number of repetitions.
    pub repetitions: usize,
    /// The solvers, in the order of the rows.
    pub solvers: Vec<SolverGain>,
}

/// One solver, compared with the first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SolverGain {
    /// The label of its row.
    pub row: String,
    /// The attempts that succeeded.
    pub solved: usize,
    /// All attempts.
    pub attempts: usize,
    /// Its nodes, compared.
    pub nodes: Gain,
    /// Its time in seconds, compared.
    pub time: Gain,
}

/// An effort, compared with that of the first solver.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Gain {
    /// The mean effort for a position.
    pub mean: f64,
    /// The mean of the ratios of the first solver's effort to this one's.
    pub gain: f64,
    /// The geometric mean of the same ratios, with its interval.
    pub ratio: Option<Ratio>,
    /// The mean rank.
    pub rank: f64,
    /// The number of positions on which no solver needs less.
    pub best: usize,
}

/// Compares the solvers of each group of repetitions, if no cell lacks attempts.
pub(crate) fn compare_gains(plan: &Plan, attempts: &[(&Cell, Vec<Attempt>)]) -> Vec<GainComparison> {
    let of_group = |group: &&Group| {
        let cells: Vec<_> = attempts.iter().filter(|(cell, _)| cell.group == group.name).collect();
        let is_complete = !cells.is_empty() && cells.iter().all(|(_, attempts)| !attempts.is_empty());
        (group.repeats && is_complete).then(|| comparison(group, &cells))
    };
    plan.group.iter().filter_map(|group| of_group(&group)).collect()
}

fn comparison(group: &Group, cells: &[&(&Cell, Vec<Attempt>)]) -> GainComparison {
    let rows: Vec<&str> = group.row.iter().map(|row| row.label.as_str()).collect();
    let known: Vec<(&str, HashMap<&str, &Attempt>)> = cells
        .iter()
        .map(|(cell, attempts)| {
            let by_position = attempts.iter().map(|attempt| (attempt.setting.position.as_str(), attempt));
            (cell.row.as_str(), by_position.collect())
        })
        .collect();
    let mut positions: Vec<&str> = known[0].1.keys().copied().collect();
    positions.retain(|position| known.iter().all(|(_, attempts)| attempts.contains_key(position)));
    positions.sort_unstable();
    let of = positions.len();
    positions.retain(|position| known.iter().all(|(_, attempts)| attempts[position].solved));
    let averages = |effort: &dyn Fn(&Attempt) -> f64| -> Vec<Vec<f64>> {
        let average = |row: &&str, position: &&str| {
            let own = known.iter().filter(|(label, _)| label == row);
            let efforts: Vec<f64> = own.map(|(_, attempts)| effort(attempts[position])).collect();
            efforts.iter().sum::<f64>() / efforts.len() as f64
        };
        positions.iter().map(|position| rows.iter().map(|row| average(row, position)).collect()).collect()
    };
    let nodes = gains(rows.len(), &averages(&|attempt| attempt.nodes.max(1) as f64));
    let times = gains(rows.len(), &averages(&|attempt| attempt.seconds.max(1e-9)));
    let solver = |(row, (nodes, time)): (&&str, (Gain, Gain))| {
        let own = || cells.iter().filter(|(cell, _)| cell.row == **row).flat_map(|(_, attempts)| attempts);
        let solved = own().filter(|attempt| attempt.solved).count();
        SolverGain { row: row.to_string(), solved, attempts: own().count(), nodes, time }
    };
    GainComparison {
        group: group.name.clone(),
        positions: positions.len(),
        of,
        repetitions: group.column.len(),
        solvers: rows.iter().zip(nodes.into_iter().zip(times)).map(solver).collect(),
    }
}

/// Compares efforts, given as one list per position with the effort of each solver.
fn gains(solvers: usize, efforts: &[Vec<f64>]) -> Vec<Gain> {
    let count = efforts.len().max(1) as f64;
    let mean = |of: &dyn Fn(&Vec<f64>) -> f64| efforts.iter().map(of).sum::<f64>() / count;
    (0..solvers)
        .map(|at| {
            let ratios: Vec<f64> = efforts.iter().map(|efforts| efforts[0] / efforts[at]).collect();
            Gain {
                mean: mean(&|efforts| efforts[at]),
                gain: mean(&|efforts| efforts[0] / efforts[at]),
                ratio: Ratio::of(&ratios),
                rank: mean(&|efforts| rank(efforts, at)),
                best: efforts.iter().filter(|efforts| efforts.iter().all(|other| *other >= efforts[at])).count(),
            }
        })
        .collect()
}

/// The rank of an effort, from 1; equal ones share the mean of theirs.
fn rank(efforts: &[f64], at: usize) -> f64 {
    let less = efforts.iter().filter(|other| **other < efforts[at]).count();
    let equal = efforts.iter().filter(|other| **other == efforts[at]).count();
    less as f64 + (equal + 1) as f64 / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_means_of_ratios_and_equal_efforts_share_ranks() {
        // The second solver needs half and a tenth, the third as much as the first, and double.
        let gains = gains(3, &[vec![100.0, 50.0, 100.0], vec![1000.0, 100.0, 2000.0]]);
        let found: Vec<_> = gains.iter().map(|gain| (gain.mean, gain.gain, gain.rank, gain.best)).collect();
        assert_eq!(found, [(550.0, 1.0, 2.25, 0), (75.0, 6.0, 1.0, 2), (1050.0, 0.75, 2.75, 0)]);
        let geometric = gains[1].ratio.unwrap().mean;
        assert!((geometric - 20f64.sqrt()).abs() < 1e-9, "{geometric}");
    }
}
