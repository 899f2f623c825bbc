//! The symmetries of a board.

/// A symmetry of a board: an optional transposition followed by optional mirrorings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry {
    transpose: bool,
    mirror_columns: bool,
    mirror_rows: bool,
}

const fn symmetry(transpose: bool, mirror_columns: bool, mirror_rows: bool) -> Symmetry {
    Symmetry { transpose, mirror_columns, mirror_rows }
}

/// The identity.
pub const IDENTITY: Symmetry = symmetry(false, false, false);
/// The symmetries of a board with left-right symmetry.
pub const MIRROR: &[Symmetry] = &[IDENTITY, symmetry(false, true, false)];
/// The symmetries of a board with a half turn (a rhombus of hexagons).
pub const HALF_TURN: &[Symmetry] = &[IDENTITY, symmetry(false, true, true)];
/// The four symmetries of a rectangle.
pub const RECTANGLE: &[Symmetry] =
    &[IDENTITY, symmetry(false, true, false), symmetry(false, false, true), symmetry(false, true, true)];
/// The eight symmetries of a square.
pub const SQUARE: &[Symmetry] = &[
    IDENTITY,
    symmetry(false, true, false),
    symmetry(false, false, true),
    symmetry(false, true, true),
    symmetry(true, false, false),
    symmetry(true, true, false),
    symmetry(true, false, true),
    symmetry(true, true, true),
];

impl Symmetry {
    /// Returns the image of the cell (column, row) on a board of `columns` x `rows`.
    #[inline]
    pub fn apply(self, (column, row): (usize, usize), (columns, rows): (usize, usize)) -> (usize, usize) {
        let (column, row) = if self.transpose { (row, column) } else { (column, row) };
        let column = if self.mirror_columns { columns - 1 - column } else { column };
        let row = if self.mirror_rows { rows - 1 - row } else { row };
        (column, row)
    }

    /// Returns all symmetries of a rectangular board: eight for a square, four otherwise.
    pub fn of_board(columns: usize, rows: usize) -> &'static [Symmetry] {
        if columns == rows { SQUARE } else { RECTANGLE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_square_has_eight_different_symmetries() {
        let images: HashSet<Vec<(usize, usize)>> =
            SQUARE.iter().map(|s| (0..9).map(|cell| s.apply((cell % 3, cell / 3), (3, 3))).collect()).collect();
        assert_eq!(images.len(), 8);
    }
}
