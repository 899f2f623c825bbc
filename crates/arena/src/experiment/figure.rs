//! Figures: a curve over the columns for every row, with intervals and the source's values.

use super::plan::{Group, Measure};
use super::report::{CellResult, ExperimentReport};
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter};
use plotters::prelude::*;
use std::ops::Range;

/// The colour-blind safe palette of Okabe and Ito (2008) without yellow, which is too faint on
/// white.
pub(crate) const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];
const SIZE: (u32, u32) = (860, 440);
/// The width of the legend.
const LEGEND: u32 = 170;
/// The horizontal offset between the curves, in column distances, so that error bars do not
/// overlap.
const OFFSET: f64 = 0.06;
/// Half the width of the caps of error bars, in column distances.
const CAP: f64 = 0.03;

/// Draws the figure of a group as SVG.
pub fn draw(group: &Group, report: &ExperimentReport) -> String {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        paint(group, report, &area).expect("drawing into a string cannot fail");
    }
    svg
}

/// The axis of the columns, evenly spaced whatever their labels are.
struct Columns(Vec<String>);

impl Ranged for Columns {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let Range { start, end } = self.range();
        limit.0 + ((value - start) / (end - start) * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        (0..self.0.len()).map(|column| column as f64).collect()
    }

    fn range(&self) -> Range<f64> {
        -0.5..self.0.len() as f64 - 0.5
    }
}

impl ValueFormatter<f64> for Columns {
    fn format(value: &f64) -> String {
        value.to_string()
    }

    fn format_ext(&self, value: &f64) -> String {
        self.0.get(value.round() as usize).cloned().unwrap_or_default()
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn paint(group: &Group, report: &ExperimentReport, area: &Area<'_>) -> Result<(), Box<dyn std::error::Error>> {
    area.fill(&WHITE)?;
    let (area, margin) = area.split_horizontally(SIZE.0 - LEGEND);
    let cells: Vec<&CellResult> = report.cells.iter().filter(|result| result.cell.group == group.name).collect();
    let columns = group.column.len();
    let labels: Vec<String> = group.column.iter().map(|column| column.label.clone()).collect();
    let range = range(group.measure, &cells);
    let mut chart = ChartBuilder::on(&area)
        .caption(&group.title, ("sans-serif", 17))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(Columns(labels.clone()), range)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(WHITE)
        .bold_line_style(BLACK.mix(0.12))
        .x_desc(&group.columns)
        .y_desc(vertical_title(group.measure))
        .y_label_formatter(&|y| match group.measure {
            Measure::Match | Measure::Solve | Measure::Boards => format!("{y:.0}"),
            Measure::Speed => format!("{y:.1}"),
        })
        .label_style(("sans-serif", 13))
        .draw()?;
    let even = equality(group.measure);
    let lines = even.map(|even| PathElement::new(vec![(-0.5, even), (columns as f64 - 0.5, even)], BLACK.mix(0.45)));
    chart.draw_series(lines)?;
    for (at, row) in group.row.iter().enumerate() {
        let colour = COLOURS[at % COLOURS.len()];
        let shift = (at as f64 - (group.row.len() as f64 - 1.0) / 2.0) * OFFSET;
        let of_row = |result: &&&CellResult| result.cell.row == row.label;
        let place = |result: &CellResult| {
            let column = labels.iter().position(|label| *label == result.cell.column).unwrap_or(0);
            column as f64 + shift
        };
        let found: Vec<(f64, [f64; 3])> = cells
            .iter()
            .filter(of_row)
            .filter_map(|result| {
                result.found.as_ref().map(|found| (place(result), [found.low, found.value, found.high]))
            })
            .collect();
        chart
            .draw_series(LineSeries::new(found.iter().map(|&(x, [_, value, _])| (x, value)), colour.stroke_width(2)))?;
        for &(x, [low, value, high]) in &found {
            let bar = [vec![(x, low), (x, high)], cap(x, low), cap(x, high)];
            chart.draw_series(bar.into_iter().map(|path| PathElement::new(path, colour.stroke_width(1))))?;
            chart.draw_series([Circle::new((x, value), 4, colour.filled())])?;
        }
        let sources = cells.iter().filter(of_row).filter_map(|result| Some((place(result), result.cell.source?)));
        chart.draw_series(sources.map(|point| TriangleMarker::new(point, 6, colour.stroke_width(1))))?;
    }
    draw_legend(group, cells.iter().any(|result| result.cell.source.is_some()), &margin)
}

fn vertical_title(measure: Measure) -> &'static str {
    match measure {
        Measure::Match => "points of the first player, %",
        Measure::Speed => "simulations, first over second",
        Measure::Solve => "positions solved, %",
        Measure::Boards => "mean score",
    }
}

/// The value at which the two players are equal.
fn equality(measure: Measure) -> Option<f64> {
    match measure {
        Measure::Match => Some(50.0),
        Measure::Speed => Some(1.0),
        Measure::Solve | Measure::Boards => None,
    }
}

/// The range of the vertical axis. Scores need not start at 0: their differences count.
fn range(measure: Measure, cells: &[&CellResult]) -> Range<f64> {
    let found = || cells.iter().filter_map(|result| result.found.as_ref());
    let sources = || cells.iter().filter_map(|result| result.cell.source);
    let highest = |least: f64| sources().chain(found().map(|found| found.high)).fold(least, f64::max);
    match measure {
        Measure::Match | Measure::Solve => 0.0..100.0,
        Measure::Speed => 0.0..highest(1.0) * 1.1,
        Measure::Boards => {
            let low = sources().chain(found().map(|found| found.low)).fold(f64::INFINITY, f64::min);
            let high = highest(f64::NEG_INFINITY);
            if low > high {
                // Nothing has been measured.
                return 0.0..1.0;
            }
            let margin = ((high - low) * 0.1).max(1.0);
            low - margin..high + margin
        }
    }
}

/// Draws the legend beside the chart, where it hides nothing.
fn draw_legend(group: &Group, has_source: bool, margin: &Area<'_>) -> Result<(), Box<dyn std::error::Error>> {
    let line = |at: usize| 60 + 22 * at as i32;
    for (at, row) in group.row.iter().enumerate() {
        margin.draw(&Circle::new((8, line(at)), 4, COLOURS[at % COLOURS.len()].filled()))?;
        margin.draw(&Text::new(row.label.clone(), (18, line(at) - 6), ("sans-serif", 13)))?;
    }
    if has_source {
        let at = group.row.len();
        margin.draw(&TriangleMarker::new((8, line(at)), 6, BLACK))?;
        margin.draw(&Text::new("source", (18, line(at) - 6), ("sans-serif", 13)))?;
    }
    Ok(())
}

fn cap(x: f64, y: f64) -> Vec<(f64, f64)> {
    vec![(x - CAP, y), (x + CAP, y)]
}
