//! The report of an experiment as Markdown.

use super::gains::{Gain, GainComparison, SolverGain};
use super::plan::{Cell, Group, Measure, Plan};
use super::report::{CellResult, ExperimentReport, Measurement};
use tesuji_catalog::{ComparisonResult, Ratio, SolverSummary, grouped};

/// Writes the report as Markdown. It depends on the plan and the results only, so that it can be
/// drawn again.
pub(crate) fn markdown(plan: &Plan, report: &ExperimentReport) -> String {
    // The name does not depend on the way to the folder.
    let folder = plan.folder.canonicalize().unwrap_or_else(|_| plan.folder.clone());
    let name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let source = plan.source.as_ref().map_or(String::new(), |source| format!("\nSource: {source}\n"));
    let mut text = format!(
        "# {}\n\n{}\n{source}\nMade by `tesuji experiment experiments/{name}` from its logs. Only the questions, the notes and the source's numbers are written by hand.\n",
        plan.title, plan.question,
    );
    for group in &plan.group {
        let note = group.note.as_ref().map_or(String::new(), |note| format!("{}\n\n", note.trim()));
        let gains = report.gains.iter().find(|gains| gains.group == group.name);
        let table = gains.map_or_else(|| group_text(group, report), |gains| gains_text(group, gains, report));
        text += &format!("\n## {}\n\n{note}{table}", group.title);
    }
    if let Some(overall) = &report.overall {
        text += &overall_text(overall);
    }
    text
}

fn group_text(group: &Group, report: &ExperimentReport) -> String {
    let cells: Vec<&CellResult> = report.cells.iter().filter(|result| result.cell.group == group.name).collect();
    let mut settings: Vec<String> = cells.iter().map(|result| setting(&result.cell)).collect();
    let same = settings.windows(2).all(|two| two[0] == two[1]);
    let mut text = String::new();
    if same && let Some(setting) = settings.first() {
        text += &format!("{setting}.\n\n");
        settings.iter_mut().for_each(String::clear);
    }
    let has_source = cells.iter().any(|result| result.cell.source.is_some());
    let used = |result: &CellResult| result.found.as_ref().and_then(|found| found.time_used);
    let is_timed = cells.iter().any(|result| used(result).is_some());
    let is_compared = report.comparisons.iter().any(|comparison| comparison.group == group.name);
    let is_paired = cells.iter().any(|result| result.found.as_ref().is_some_and(|found| found.to_first.is_some()));
    let to_first = format!("difference to {} (95 %)", group.row.first().map_or("", |first| &first.label));
    let columns: Vec<&str> = [group.rows.as_str(), group.columns.as_str()]
        .into_iter()
        .chain((!same).then_some("played"))
        .chain(match group.measure {
            Measure::Match => ["games", "points of the first player (95 %)"],
            Measure::Speed => ["simulations/s", "ratio (95 %)"],
            Measure::Solve => ["positions", "solved (95 %)"],
            Measure::Boards => ["boards", "mean score (95 %)"],
        })
        .chain(is_timed.then_some("time used"))
        .chain(is_paired.then_some(to_first.as_str()))
        .chain(is_compared.then_some(EFFORT_COLUMNS).into_iter().flatten())
        .chain(has_source.then_some("source"))
        .chain(["verdict"])
        .collect();
    text += &heading(&columns);
    for (result, setting) in cells.iter().zip(settings) {
        let CellResult { cell, found } = result;
        let row = [cell.row.clone(), cell.column.clone()]
            .into_iter()
            .chain((!same).then_some(setting))
            .chain(measured(cell, found.as_ref()))
            .chain(is_timed.then(|| used(result).map_or(String::new(), |used| format!("{:.0} %", used * 100.0))))
            .chain(is_paired.then(|| difference(found.as_ref())))
            .chain(is_compared.then(|| effort_of_cell(cell, report)).into_iter().flatten())
            .chain(has_source.then(|| cell.source.map_or(String::new(), |source| source_text(cell, source))))
            .chain([found.as_ref().map_or("not run".to_string(), |found| found.verdict.clone())]);
        text += &format!("| {} |\n", row.collect::<Vec<_>>().join(" | "));
    }
    text += &notes(&cells);
    for comparison in report.comparisons.iter().filter(|comparison| comparison.group == group.name) {
        let column = if group.column.len() == 1 { String::new() } else { format!("{}: ", comparison.column) };
        text += &format!("\n{column}{}", explanation(&comparison.result));
    }
    if group.figure {
        text += &format!("\n![{}](figures/{}.svg)\n", group.title, group.name);
    }
    text
}

/// Explains the columns and marks that a table has.
fn notes(cells: &[&CellResult]) -> String {
    let is_any = |holds: &dyn Fn(&Measurement) -> bool| cells.iter().any(|cell| cell.found.as_ref().is_some_and(holds));
    let mut text = String::new();
    if is_any(&|found| found.time_used.is_some()) {
        text += "\nThe time used is that of the first player's moves, of the regular times that its time manager planned for them.\n";
    }
    if is_any(&|found| found.to_first.is_some()) {
        text += "\nDifferences are means over the boards that both have finished. Better, worse and their p follow from the two-tailed paired t-test, which is not corrected for the number of comparisons.\n";
    }
    if is_any(&|found| found.early) {
        text += "\nCells marked \"stopped early\" ended once the result was significantly different from 50 %: the direction is certain, the estimate is biased away from 50 %.\n";
    }
    text
}

fn heading(columns: &[&str]) -> String {
    format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len()))
}

/// The headings of [`effort`].
const EFFORT_COLUMNS: [&str; 4] = ["nodes", "time", "nodes per position (95 %)", "time per position (95 %)"];

/// Returns the columns of the nodes and the time of a solver: the sums with their ratios to the
/// first solver, and the mean ratios.
fn effort(solver: &SolverSummary, compared: &ComparisonResult) -> [String; 4] {
    let first = &compared.solvers[0];
    let of_first = |own: f64, first: f64| if first > 0.0 { format!(" ({:.2})", own / first) } else { String::new() };
    let mean = |ratio: &Option<Ratio>| {
        ratio.map_or(String::new(), |Ratio { mean, low, high, positions }| {
            format!("{mean:.2} ({low:.2}-{high:.2}) on {positions}")
        })
    };
    let (seconds, first_seconds) = (solver.timing.seconds, first.timing.seconds);
    [
        format!("{}{}", grouped(solver.nodes), of_first(solver.nodes as f64, first.nodes as f64)),
        format!("{seconds:.1} s{}", of_first(seconds, first_seconds)),
        mean(&solver.nodes_ratio),
        mean(&solver.timing.ratio),
    ]
}

/// Returns the columns of [`effort`] for a cell; empty if its column was not compared.
fn effort_of_cell(cell: &Cell, report: &ExperimentReport) -> [String; 4] {
    let is_of_cell = |group: &str, column: &str| (group, column) == (cell.group.as_str(), cell.column.as_str());
    let comparison = report.comparisons.iter().find(|of| is_of_cell(&of.group, &of.column));
    let found = comparison.and_then(|of| Some((of.result.solvers.iter().find(|solver| solver.by == cell.row)?, of)));
    found.map_or_else(Default::default, |(solver, of)| effort(solver, &of.result))
}

/// Says what the columns of [`effort`] refer to, and which solvers contradict each other.
fn explanation(compared: &ComparisonResult) -> String {
    let mut text = format!(
        "Nodes and time are sums over the {} of {} positions that all solvers solved, and their ratios to the first row. Nodes and time per position are geometric means of the ratios to the first row, over the positions that both solved.\n",
        compared.solved_by_all, compared.positions
    );
    text += &contradictions(compared);
    text
}

/// Says which solvers contradict each other.
fn contradictions(compared: &ComparisonResult) -> String {
    let mut text = String::new();
    for wrong in &compared.disagreements {
        let ((high, at_least), (low, at_most)) = (&wrong.at_least, &wrong.at_most);
        text += &format!(
            "\nCONTRADICTION: `{high}` proves a score of at least {at_least}, `{low}` of at most {at_most}: `{}`\n",
            wrong.position
        );
    }
    text
}

/// Writes the table of a group of repetitions.
fn gains_text(group: &Group, gains: &GainComparison, report: &ExperimentReport) -> String {
    let has_gains = group.row.iter().any(|row| row.source_gains.is_some());
    let has_ranks = group.row.iter().any(|row| row.source_ranks.is_some());
    let columns: Vec<&str> = [group.rows.as_str(), "player", "solved"]
        .into_iter()
        .chain(GAIN_COLUMNS)
        .chain(has_gains.then_some("source: gain in nodes, time"))
        .chain(has_ranks.then_some("source: rank by nodes, time"))
        .collect();
    let cells: Vec<&Cell> =
        report.cells.iter().map(|result| &result.cell).filter(|cell| cell.group == group.name).collect();
    let mut text = String::new();
    if let Some(cell) = cells.first() {
        let terms = Some(cell.plan.terms.to_string()).filter(|terms| !terms.is_empty());
        text += &format!("`{}`{}.\n\n", cell.plan.game, terms.map_or(String::new(), |terms| format!(", {terms}")));
    }
    text += &heading(&columns);
    for (row, solver) in group.row.iter().zip(&gains.solvers) {
        let SolverGain { solved, attempts, nodes, time, .. } = solver;
        let player = cells.iter().find(|cell| cell.row == row.label).map(|cell| &cell.plan.players[0]);
        let pair = |pair: Option<[f64; 2]>| pair.map_or(String::new(), |[nodes, time]| format!("{nodes}, {time}"));
        let line = [row.label.clone(), player.map_or(String::new(), |player| format!("`{player}`"))]
            .into_iter()
            .chain([format!("{solved} of {attempts}")])
            .chain(gain(nodes, |nodes| grouped(nodes.round() as u64)))
            .chain(gain(time, |seconds| format!("{seconds:.3} s")))
            .chain([format!("{:.1}, {:.1}", nodes.rank, time.rank), format!("{}, {}", nodes.best, time.best)])
            .chain(has_gains.then(|| pair(row.source_gains)))
            .chain(has_ranks.then(|| pair(row.source_ranks)));
        text += &format!("| {} |\n", line.collect::<Vec<_>>().join(" | "));
    }
    let GainComparison { positions, of, repetitions, .. } = gains;
    text += &format!(
        "\nEverything refers to the {positions} of {of} positions that all solved in every repetition ({repetitions}). Nodes and time are means over them. A gain is the mean over the positions of the effort of the first row, averaged over the repetitions, divided by that of the solver; the geometric mean of the same ratios follows. Ranks are means over the positions, and the last two numbers count the positions on which no solver needs less.\n",
    );
    let of_group = report.comparisons.iter().filter(|of| of.group == group.name);
    text + &of_group.map(|of| contradictions(&of.result)).collect::<String>()
}

/// The headings of two [`gain`]s, and of what follows them.
const GAIN_COLUMNS: [&str; 8] = [
    "nodes",
    "gain in nodes",
    "geometric (95 %)",
    "time",
    "gain in time",
    "geometric (95 %)",
    "rank by nodes, time",
    "best by nodes, time",
];

/// Returns the columns of a gain.
fn gain(gain: &Gain, print: impl Fn(f64) -> String) -> [String; 3] {
    let ratio = |Ratio { mean, low, high, .. }: Ratio| format!("{mean:.2} ({low:.2}-{high:.2})");
    [print(gain.mean), format!("{:.2}", gain.gain), gain.ratio.map_or(String::new(), ratio)]
}

/// Writes the table of the solvers over the positions of all groups.
fn overall_text(compared: &ComparisonResult) -> String {
    let mut text = format!(
        "\n## All groups\n\nThe solvers that all groups have, over the positions of all groups.\n\n{}",
        heading(&[&["solver", "positions", "solved"][..], &EFFORT_COLUMNS[..]].concat())
    );
    for solver in &compared.solvers {
        let share = 100.0 * solver.solved as f64 / compared.positions.max(1) as f64;
        let columns = [solver.by.clone(), compared.positions.to_string(), format!("{} ({share:.1} %)", solver.solved)];
        let row: Vec<String> = columns.into_iter().chain(effort(solver, compared)).collect();
        text += &format!("| {} |\n", row.join(" | "));
    }
    text + "\n" + &explanation(compared)
}

/// Returns the column of the difference to the first row.
fn difference(found: Option<&Measurement>) -> String {
    let Some(pair) = found.and_then(|found| found.to_first.as_ref()) else { return String::new() };
    let mean = pair.difference;
    let interval = pair.error.map(|error| format!(" ({:+.1} .. {:+.1})", mean - error, mean + error));
    let counts = format!("; {} better, {} equal, {} worse", pair.better, pair.equal, pair.worse);
    format!("{mean:+.1}{}{counts}", interval.unwrap_or_default())
}

fn source_text(cell: &Cell, source: f64) -> String {
    match (cell.measure, cell.source_games) {
        (Measure::Speed, _) | (Measure::Boards, None) => format!("{source}"),
        (Measure::Boards, Some(boards)) => format!("{source} on {boards}"),
        (Measure::Match | Measure::Solve, Some(games)) => format!("{source} % of {games}"),
        (Measure::Match | Measure::Solve, None) => format!("{source} %"),
    }
}

/// Returns the two columns of the measurement.
fn measured(cell: &Cell, found: Option<&Measurement>) -> [String; 2] {
    let Some(found) = found else { return [String::new(), String::new()] };
    let Measurement { samples, value, low, high, .. } = found;
    match cell.measure {
        Measure::Match | Measure::Solve | Measure::Boards => {
            let planned = cell.plan.games.unwrap_or(0);
            let games = match (found.early, *samples < planned) {
                (true, _) => format!("{samples} of {planned}, stopped early"),
                (false, true) => format!("{samples} of {planned}"),
                (false, false) => samples.to_string(),
            };
            let faults = if found.faults == 0 { String::new() } else { format!(", {} by faults", found.faults) };
            let value = match cell.measure {
                Measure::Boards => format!("{value:.1} ({low:.1} .. {high:.1})"),
                _ => format!("{value:.1} % ({low:.1}-{high:.1})"),
            };
            [games + &faults, value]
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
        Measure::Solve | Measure::Boards => ("", vec![seed()]),
    };
    let terms = Some(plan.terms.to_string()).filter(|terms| !terms.is_empty());
    let clock = plan.clock.map(|clock| format!("clock={clock}"));
    let head = format!("`{}`: {}", plan.game, players.join(separator));
    let parts: Vec<String> = [head].into_iter().chain(terms).chain(clock).chain(rest).collect();
    parts.join(", ")
}
