//! Compares the solvers of an experiment by nodes and time, on the positions they solved.
//!
//! The rows of a solving group are solvers, so each column of the group is a comparison, with the
//! first row as baseline. If several groups have the same solvers, usually one group per game, they
//! are also compared over the positions of all groups.

use super::plan::{Cell, Measure};
use serde::Serialize;
use std::collections::HashMap;
use tesuji_catalog::{Attempt, ComparisonResult};

/// The solvers of a column of a group, compared.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SolverComparison {
    /// The name of the group.
    pub group: String,
    /// The label of the column.
    pub column: String,
    /// The result; solvers have the labels of their rows.
    #[serde(flatten)]
    pub result: ComparisonResult,
}

/// The attempts of one column: a solver per row of the group, and the positions that all of them
/// tried.
struct Column<'a> {
    cells: Vec<&'a Cell>,
    /// For each position, the attempts in the order of `cells`.
    positions: Vec<Vec<&'a Attempt>>,
}

/// Compares the solvers of each column, and those that all columns have over all of them.
pub(crate) fn compare_solvers(attempts: &[(&Cell, Vec<Attempt>)]) -> (Vec<SolverComparison>, Option<ComparisonResult>) {
    let columns = columns(attempts);
    let comparisons = columns.iter().map(|column| SolverComparison {
        group: column.cells[0].group.clone(),
        column: column.cells[0].column.clone(),
        result: column.result(),
    });
    (comparisons.collect(), over_all(&columns))
}

/// Returns the columns whose cells all have attempts.
fn columns<'a>(attempts: &'a [(&'a Cell, Vec<Attempt>)]) -> Vec<Column<'a>> {
    let mut columns = Vec::new();
    let is_together = |one: &Cell, other: &Cell| (&one.group, &one.column) == (&other.group, &other.column);
    for (at, (first, tried)) in attempts.iter().enumerate() {
        if first.measure != Measure::Solve || attempts[..at].iter().any(|(cell, _)| is_together(cell, first)) {
            continue;
        }
        let column: Vec<_> = attempts.iter().filter(|(cell, _)| is_together(cell, first)).collect();
        if column.iter().any(|(_, attempts)| attempts.is_empty()) {
            continue;
        }
        let key = |attempt: &'a Attempt| (attempt.setting.game.as_str(), attempt.setting.position.as_str());
        let known: Vec<HashMap<_, &Attempt>> = column
            .iter()
            .map(|(_, attempts)| attempts.iter().map(|attempt| (key(attempt), attempt)).collect())
            .collect();
        let row = |attempt| known.iter().map(|known| known.get(&key(attempt)).copied()).collect();
        let positions = tried.iter().filter_map(row).collect();
        columns.push(Column { cells: column.iter().map(|(cell, _)| *cell).collect(), positions });
    }
    columns
}

impl Column<'_> {
    fn result(&self) -> ComparisonResult {
        let solvers: Vec<(&str, usize)> = self.cells.iter().map(|cell| solver(cell)).collect();
        ComparisonResult::of_attempts(&solvers, &self.positions)
    }
}

/// Returns the name of the solver of a cell and its number of threads.
fn solver(cell: &Cell) -> (&str, usize) {
    let terms = cell.plan.players[0].terms.or(cell.plan.terms);
    (&cell.row, terms.threads.unwrap_or(1))
}

/// Compares the solvers that all groups have over the positions of all groups; `None` if there is
/// only one group, a group has several columns, or the first rows differ.
fn over_all(columns: &[Column<'_>]) -> Option<ComparisonResult> {
    let (first, rest) = columns.split_first()?;
    let is_new = |at: usize| columns[..at].iter().all(|other| other.cells[0].group != columns[at].cells[0].group);
    let has_baseline = |column: &Column<'_>| column.cells[0].row == first.cells[0].row;
    if rest.is_empty() || !(0..columns.len()).all(is_new) || !rest.iter().all(has_baseline) {
        return None;
    }
    let place = |column: &Column<'_>, row: &str| column.cells.iter().position(|cell| cell.row == row);
    let is_shared = |cell: &&&Cell| rest.iter().all(|column| place(column, &cell.row).is_some());
    let shared: Vec<&Cell> = first.cells.iter().filter(is_shared).copied().collect();
    let mut positions = Vec::new();
    for column in columns {
        let places: Vec<usize> = shared.iter().filter_map(|cell| place(column, &cell.row)).collect();
        positions.extend(column.positions.iter().map(|row| places.iter().map(|&at| row[at]).collect::<Vec<_>>()));
    }
    let solvers: Vec<(&str, usize)> = shared.iter().map(|cell| solver(cell)).collect();
    Some(ComparisonResult::of_attempts(&solvers, &positions))
}
