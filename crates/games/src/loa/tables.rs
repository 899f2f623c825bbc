//! Rays, lines and masks of the boards.

use crate::board::bits::Bits;

/// The directions, counter-clockwise from the right; the opposite of direction d is `d ^ 4`.
pub const DIRECTIONS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The number of cells to the edge, by size minus 5, cell and direction.
pub static REACH: [[[u8; 8]; 81]; 5] = {
    let mut reach = [[[0; 8]; 81]; 5];
    let mut size = 5;
    while size <= 9 {
        let stride = if size == 9 { 9 } else { 8 };
        let mut cell = 0;
        while cell < size * size {
            let (column, row) = (cell % size, cell / size);
            let mut direction = 0;
            while direction < 8 {
                let (dx, dy) = DIRECTIONS[direction];
                let (mut x, mut y, mut steps) = (column + dx, row + dy, 0);
                while x >= 0 && x < size && y >= 0 && y < size {
                    (x, y, steps) = (x + dx, y + dy, steps + 1);
                }
                reach[(size - 5) as usize][(row * stride + column) as usize][direction] = steps;
                direction += 1;
            }
            cell += 1;
        }
        size += 1;
    }
    reach
};

/// The cells from a cell to the edge in a direction, on a board of `stride` x `stride`.
pub const fn ray(stride: i32, cell: usize, direction: usize) -> u128 {
    let (dx, dy) = DIRECTIONS[direction];
    let (mut x, mut y) = (cell as i32 % stride + dx, cell as i32 / stride + dy);
    let mut cells = 0;
    while x >= 0 && x < stride && y >= 0 && y < stride {
        cells |= 1 << (y * stride + x);
        (x, y) = (x + dx, y + dy);
    }
    cells
}

/// The cells of a board of `stride` x `stride` whose column (or row) has the given bit set.
pub const fn cells_with_digit(stride: usize, of_column: bool, digit: usize) -> u128 {
    let (mut cells, mut cell) = (0, 0);
    while cell < stride * stride {
        let number = if of_column { cell % stride } else { cell / stride };
        if number >> digit & 1 == 1 {
            cells |= 1 << cell;
        }
        cell += 1;
    }
    cells
}

/// The cells of a board of `size` x `size` that lies in one of `stride` x `stride`.
pub const fn board_cells(stride: usize, size: usize) -> u128 {
    let (mut cells, mut cell) = (0, 0);
    while cell < stride * stride {
        if cell % stride < size && cell / stride < size {
            cells |= 1 << cell;
        }
        cell += 1;
    }
    cells
}

/// A line in one of the first four directions: a row, a rising diagonal, a column, or a falling
/// diagonal.
pub const fn line(stride: usize, axis: usize, number: usize) -> u128 {
    let (mut cells, mut cell) = (0, 0);
    while cell < stride * stride {
        let (column, row) = (cell % stride, cell / stride);
        let numbers = [row, stride - 1 + row - column, column, row + column];
        if numbers[axis] == number {
            cells |= 1 << cell;
        }
        cell += 1;
    }
    cells
}

/// A bit set that holds a board.
pub trait BoardBits: Bits {
    const STRIDE: u32;
    const FIRST_COLUMN: Self;
    const LAST_COLUMN: Self;
    /// The cells whose column has a given bit set.
    const COLUMN_DIGITS: [Self; 4];
    /// The cells whose row has a given bit set.
    const ROW_DIGITS: [Self; 4];

    /// The cells from a cell to the edge in each direction.
    fn rays(cell: usize) -> &'static [Self; 8];

    /// The number of lines in each of the first four directions.
    const LINES: [usize; 4] =
        [Self::STRIDE as usize, 2 * Self::STRIDE as usize - 1, Self::STRIDE as usize, 2 * Self::STRIDE as usize - 1];

    /// The lines in the first four directions.
    fn lines() -> &'static [[Self; 17]; 4];

    /// The cells of a board of the given size.
    fn board(size: usize) -> Self;

    fn narrowed(wide: u128) -> Self;
}

macro_rules! board_bits {
    ($integer:ty, $stride:expr, $rays:ident, $lines:ident) => {
        static $rays: [[$integer; 8]; $stride * $stride] = {
            let mut rays = [[0; 8]; $stride * $stride];
            let mut index = 0;
            while index < 8 * $stride * $stride {
                rays[index / 8][index % 8] = ray($stride, index / 8, index % 8) as $integer;
                index += 1;
            }
            rays
        };

        static $lines: [[$integer; 17]; 4] = {
            let mut lines = [[0; 17]; 4];
            let mut index = 0;
            while index < 4 * 17 {
                lines[index / 17][index % 17] = line($stride, index / 17, index % 17) as $integer;
                index += 1;
            }
            lines
        };

        impl BoardBits for $integer {
            const STRIDE: u32 = $stride;
            const FIRST_COLUMN: Self = (ray($stride, 0, 2) | 1) as $integer;
            const LAST_COLUMN: Self = (ray($stride, $stride - 1, 2) | 1 << ($stride - 1)) as $integer;
            const COLUMN_DIGITS: [Self; 4] = [
                cells_with_digit($stride, true, 0) as $integer,
                cells_with_digit($stride, true, 1) as $integer,
                cells_with_digit($stride, true, 2) as $integer,
                cells_with_digit($stride, true, 3) as $integer,
            ];
            const ROW_DIGITS: [Self; 4] = [
                cells_with_digit($stride, false, 0) as $integer,
                cells_with_digit($stride, false, 1) as $integer,
                cells_with_digit($stride, false, 2) as $integer,
                cells_with_digit($stride, false, 3) as $integer,
            ];

            #[inline]
            fn rays(cell: usize) -> &'static [Self; 8] {
                &$rays[cell]
            }

            #[inline]
            fn lines() -> &'static [[Self; 17]; 4] {
                &$lines
            }

            #[inline]
            fn board(size: usize) -> Self {
                const BOARDS: [$integer; 10] = {
                    let mut boards = [0; 10];
                    let mut size = 0;
                    while size <= $stride {
                        boards[size] = board_cells($stride, size) as $integer;
                        size += 1;
                    }
                    boards
                };
                BOARDS[size]
            }

            #[inline]
            fn narrowed(wide: u128) -> Self {
                wide as $integer
            }
        }
    };
}

board_bits!(u64, 8, RAYS_8, LINES_8);
board_bits!(u128, 9, RAYS_9, LINES_9);
