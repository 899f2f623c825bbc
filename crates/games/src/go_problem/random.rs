//! Random enclosed problems, to compare solvers on.
//!
//! A rectangle of 4 to 7 columns and 3 to 5 rows in a corner or at the edge is the region. Black's
//! wall encloses it and cannot be taken, because it has liberties outside. On the points beside the
//! wall stands a white stone with probability 3/4; each of the others is empty with probability
//! 0.7, and otherwise as likely black as white. The largest white block is marked, and Black moves
//! first. As in Saito (2010), chapter 3, there are 8 to 20 empty points.

use super::{GoProblem, Goal, ProblemRules, on_stones};
use crate::board::bits::{Bits, Words};
use crate::go::stones::STRIDES;
use std::ops::RangeInclusive;
use tesuji_core::{Game, Rng};

/// The number of empty points.
const EMPTY: RangeInclusive<usize> = 8..=20;

/// The largest region, without its wall.
const COLUMNS: RangeInclusive<usize> = 4..=7;
const ROWS: RangeInclusive<usize> = 3..=5;

/// The fewest stones of the marked block. Raising it excludes problems about a few stones.
const LEAST_STONES: u32 = 4;

/// Returns a random problem; `None` if this game has none, or the board is too small.
pub fn random(rules: &ProblemRules, rng: &mut Rng) -> Option<GoProblem> {
    let size = usize::from(rules.size);
    let has_room = size > COLUMNS.end() + 1 && size > ROWS.end() + 1;
    if !has_room || !matches!(rules.goal, Goal::Capture | Goal::Life) {
        return None;
    }
    loop {
        let rows = random_rows(size, rng);
        let empty = rows.iter().flatten().filter(|cell| **cell == '.').count();
        if EMPTY.contains(&empty)
            && let Some(problem) = marked(rules, &rows).filter(|problem| !problem.is_over())
        {
            return Some(problem);
        }
    }
}

/// Returns random cells in rows from the top, without marks.
fn random_rows(size: usize, rng: &mut Rng) -> Vec<Vec<char>> {
    let mut within = |range: RangeInclusive<usize>| range.start() + rng.below(range.end() - range.start() + 1);
    let (columns, rows) = (within(COLUMNS), within(ROWS));
    // A region at the edge has a wall on both sides.
    let left = if within(0..=1) == 0 { 0 } else { within(1..=size - columns - 1) };
    let is_inside = |column: usize, up: usize| (left..left + columns).contains(&column) && up < rows;
    let touches = |column: usize, up: usize, inside: bool| {
        let near = |at: usize| at.saturating_sub(1)..=(at + 1).min(size - 1);
        near(column).any(|column| near(up).any(|up| is_inside(column, up) == inside))
    };
    let mut cell = |column: usize, up: usize| match (is_inside(column, up), touches(column, up, true)) {
        (false, true) => 'X',
        (false, false) => ',',
        (true, _) if touches(column, up, false) => {
            if rng.below(4) > 0 {
                'o'
            } else {
                '.'
            }
        }
        (true, _) => match rng.below(20) {
            0..14 => '.',
            14..17 => 'o',
            _ => 'x',
        },
    };
    (0..size).rev().map(|up| (0..size).map(|column| cell(column, up)).collect()).collect()
}

/// Returns the problem about the largest white block, if the stones are possible and it is large
/// enough.
fn marked(rules: &ProblemRules, rows: &[Vec<char>]) -> Option<GoProblem> {
    let text = |rows: &[Vec<char>]| {
        let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
        format!("{} X - 0 0,0", rows.join("/"))
    };
    // All white stones are marked first, which also checks that every block has a liberty.
    let all: Vec<Vec<char>> =
        rows.iter().map(|row| row.iter().map(|&cell| if cell == 'o' { 'w' } else { cell }).collect()).collect();
    let problem = GoProblem::read(rules, &text(&all)).ok()?;
    let largest = on_stones!(problem, stones, _narrow => {
        let block = stones.blocks(1, stones.of(1)).max_by_key(|block| block.count())?;
        if block.count() < LEAST_STONES {
            return None;
        }
        block.members().map(|stone| problem.column_row(stone as u16)).collect::<Vec<_>>()
    });
    let mut marked = rows.to_vec();
    for (column, up) in largest {
        marked[usize::from(rules.size) - 1 - up][column] = 'w';
    }
    GoProblem::read(rules, &text(&marked)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::{Knowledge, Player};

    #[test]
    fn random_problems_are_enclosed_and_have_8_to_20_empty_points() {
        let rules = crate::rules::<GoProblem>("life:9").unwrap();
        let mut rng = Rng::new(1);
        let mut texts = std::collections::HashSet::new();
        for _ in 0..200 {
            let problem = random(&rules, &mut rng).unwrap();
            assert!(EMPTY.contains(&problem.open_cells()) && !problem.is_over());
            assert_eq!((problem.to_move(), problem.owner()), (Player::FIRST, 1));
            // Every neighbour of the region is a black stone outside.
            on_stones!(problem, stones, narrow => {
                let region = narrow(&problem.region);
                let around = stones.surroundings(region) & stones.board() & !region;
                assert!((around & !stones.of(0)).is_empty(), "{}", problem.text());
                // The wall has liberties that cannot be filled.
                for block in stones.blocks(0, around) {
                    assert!((stones.liberties(block) & !region).count() >= 2, "{}", problem.text());
                }
            });
            assert_eq!(GoProblem::parse(&rules, &problem.text()).unwrap(), problem);
            texts.insert(problem.text());
        }
        assert!(texts.len() > 195);
    }

    #[test]
    fn other_games_and_small_boards_have_none() {
        for spec in ["semeai:9", "connect:9", "life:8"] {
            assert!(random(&crate::rules::<GoProblem>(spec).unwrap(), &mut Rng::new(1)).is_none(), "{spec}");
        }
    }
}
