//! The naive twin of Morpion Solitaire, on unlimited paper.

use super::*;
use std::collections::HashSet;

pub struct Morpion {
    length: i32,
    /// Whether parallel lines may share an end.
    touching: bool,
    /// Rows count from the bottom.
    points: HashSet<Cell>,
    /// The points of each line, from its first to its last.
    lines: Vec<Vec<Cell>>,
    moves: i32,
}

/// The directions in which lines are drawn: right, up, right and up, right and down.
const STEPS: [Cell; 4] = [(0, 1), (1, 0), (1, 1), (-1, 1)];

const FIVE: &str = "...oooo.../...o..o.../...o..o.../oooo..oooo/o........o/\
                    o........o/oooo..oooo/...o..o.../...o..o.../...oooo...";
const FOUR: &str = "..ooo../..o.o../ooo.ooo/o.....o/ooo.ooo/..o.o../..ooo..";

impl Morpion {
    pub fn new(options: &[(&str, &str)]) -> Self {
        let rules = option(options, "rules").unwrap_or("5d");
        // The cross has its lower left corner at i9, or at j10 if it is the small one.
        let (length, drawing, corner) = if rules.starts_with('5') { (5, FIVE, 8) } else { (4, FOUR, 9) };
        let board = read_board(drawing);
        let marked = cells(&board).into_iter().filter(|&cell| at(&board, cell) == 'o');
        let points = marked.map(|(row, column)| (corner + row, corner + column)).collect();
        Self { length, touching: rules.ends_with('t'), points, lines: Vec::new(), moves: 0 }
    }

    /// All lines that lack one point and may be drawn, each with that point.
    fn open(&self) -> Vec<(Cell, Vec<Cell>)> {
        let mut open = Vec::new();
        let rows: Vec<i32> = self.points.iter().map(|point| point.0).collect();
        let columns: Vec<i32> = self.points.iter().map(|point| point.1).collect();
        for row in rows.iter().min().unwrap() - 5..=rows.iter().max().unwrap() + 5 {
            for column in columns.iter().min().unwrap() - 5..=columns.iter().max().unwrap() + 5 {
                for direction in STEPS {
                    let line: Vec<Cell> = (0..self.length).map(|i| step((row, column), direction, i)).collect();
                    let missing: Vec<Cell> =
                        line.iter().filter(|&point| !self.points.contains(point)).copied().collect();
                    if missing.len() == 1 && self.lines.iter().all(|other| self.agree(&line, other)) {
                        open.push((missing[0], line));
                    }
                }
            }
        }
        open
    }

    /// Whether both lines may be on the paper.
    fn agree(&self, line: &[Cell], other: &[Cell]) -> bool {
        let direction = |line: &[Cell]| (line[1].0 - line[0].0, line[1].1 - line[0].1);
        let shared = line.iter().filter(|&point| other.contains(point)).count();
        direction(line) != direction(other) || shared == 0 || (self.touching && shared == 1)
    }

    fn line_text(line: &[Cell]) -> String {
        format!("{}-{}", name(line[0]), name(*line.last().unwrap()))
    }
}

/// Columns repeat after 32: a to z, then aa to af. Rows repeat as well.
fn name(point: Cell) -> String {
    let (row, column) = (point.0.rem_euclid(32), point.1.rem_euclid(32) as u8);
    let letters = if column < 26 { String::new() } else { "a".to_string() };
    format!("{letters}{}{}", (b'a' + column % 26) as char, row + 1)
}

impl Twin for Morpion {
    fn to_move(&self) -> usize {
        0
    }

    fn legal(&self) -> Vec<String> {
        self.open().iter().map(|(point, line)| format!("{}:{}", name(*point), Self::line_text(line))).collect()
    }

    fn play(&mut self, mv: &str) {
        let text = |open: &(Cell, Vec<Cell>)| format!("{}:{}", name(open.0), Self::line_text(&open.1));
        let (point, line) = self.open().into_iter().find(|open| text(open) == mv).expect("a legal move");
        self.points.insert(point);
        self.lines.push(line);
        self.moves += 1;
    }

    fn scores(&self) -> Option<Vec<i32>> {
        self.legal().is_empty().then(|| vec![self.moves])
    }

    /// Lines are sorted by direction; those of a direction by row, column or diagonal, and on it
    /// from the left or from below.
    fn text(&self) -> String {
        let key = |line: &&Vec<Cell>| {
            let (row, column) = line[0];
            let (up, right) = (line[1].0 - row, line[1].1 - column);
            let number = |number: i32| number.rem_euclid(32);
            match (up, right) {
                (0, 1) => (0, number(row), number(column)),
                (1, 0) => (1, number(column), number(row)),
                (1, 1) => (2, number(column - row), number(column)),
                _ => (3, number(column + row), number(column)),
            }
        };
        let mut lines: Vec<&Vec<Cell>> = self.lines.iter().collect();
        lines.sort_by_key(key);
        lines.into_iter().fold("cross".to_string(), |text, line| text + " " + &Self::line_text(line))
    }
}
