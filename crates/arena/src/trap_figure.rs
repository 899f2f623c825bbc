//! The figure of a search for traps: how many positions have one, by the number of the move.

use crate::experiment::COLOURS;
use plotters::prelude::*;
use tesuji_catalog::TrapsReport;

const SIZE: (u32, u32) = (860, 640);
/// The width of the legend.
const LEGEND: u32 = 110;
/// Turns that fewer than one game in this many reaches are left out: their means are noise.
const FEWEST_GAMES: u64 = 20;

/// Draws, by turn and level, the share of positions with a trap and the mean number of traps, as
/// SVG.
pub fn trap_figure(report: &TrapsReport) -> String {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        paint(report, &area).expect("drawing into a string cannot fail");
    }
    svg
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn paint(report: &TrapsReport, area: &Area<'_>) -> Result<(), Box<dyn std::error::Error>> {
    area.fill(&WHITE)?;
    let (area, margin) = area.split_horizontally(SIZE.0 - LEGEND);
    let (upper, lower) = area.split_vertically(SIZE.1 / 2);
    let title = format!("Traps in {} ({} games)", report.game, report.games);
    paint_panel(report, &upper, &title, "positions with a trap, %", |positions, level| {
        100.0 * level.0 as f64 / positions as f64
    })?;
    paint_panel(report, &lower, "", "traps in a position", |positions, level| level.1 as f64 / positions as f64)?;
    for (at, level) in report.levels.iter().enumerate() {
        let y = 60 + 22 * at as i32;
        margin.draw(&Circle::new((8, y), 4, COLOURS[at % COLOURS.len()].filled()))?;
        margin.draw(&Text::new(format!("level {}", level.level), (18, y - 6), ("sans-serif", 13)))?;
    }
    Ok(())
}

/// Draws a panel. `value` gets the number of positions at a turn, and of those the number of
/// positions with a trap and the number of traps.
fn paint_panel(
    report: &TrapsReport,
    area: &Area<'_>,
    title: &str,
    label: &str,
    value: impl Fn(u64, (u64, u64)) -> f64,
) -> Result<(), Box<dyn std::error::Error>> {
    let turns: Vec<_> = report
        .turns
        .iter()
        .filter(|turn| turn.positions > 0 && turn.positions * FEWEST_GAMES >= report.games)
        .collect();
    let curve = |at: usize| {
        let point = |turn: &&tesuji_catalog::TurnTraps| {
            let level = turn.levels[at];
            (f64::from(turn.turn), value(turn.positions, (level.positions, level.traps)))
        };
        turns.iter().map(point).collect::<Vec<(f64, f64)>>()
    };
    let curves: Vec<Vec<(f64, f64)>> = (0..report.levels.len()).map(curve).collect();
    let highest = curves.iter().flatten().map(|point| point.1).fold(0.0, f64::max);
    let last = turns.last().map_or(1.0, |turn| f64::from(turn.turn));
    let top = if highest > 0.0 { 1.1 * highest } else { 1.0 };
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 17))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..last + 1.0, 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(WHITE)
        .bold_line_style(BLACK.mix(0.12))
        .x_desc("move")
        .y_desc(label)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .label_style(("sans-serif", 13))
        .draw()?;
    for (at, curve) in curves.into_iter().enumerate() {
        let colour = COLOURS[at % COLOURS.len()];
        chart.draw_series(LineSeries::new(curve, colour.stroke_width(2)))?;
    }
    Ok(())
}
