//! Points and lines of a torus of 32x32 points.
//!
//! In each of four directions the torus has 32 tracks: the rows, the columns, and the diagonals,
//! which go around it once. A line is a stretch of a track.

/// The rows and columns, and the tracks of a direction.
pub const SIZE: usize = 32;
/// Rows, columns, rising and falling diagonals.
pub const DIRECTIONS: usize = 4;
/// The number of lines of a given length.
pub const LINES: usize = DIRECTIONS * SIZE * SIZE;

/// A column from the left and a row from the bottom.
pub type Point = (usize, usize);

/// A line: a direction, a track and its first point, the leftmost or, in a column, the lowest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Line(u16);

impl Line {
    /// Creates the line of a direction and a track that begins at a place of the track.
    #[inline]
    pub fn new(direction: usize, track: usize, first: usize) -> Line {
        Line((direction * SIZE * SIZE + track * SIZE + first) as u16)
    }

    /// Creates the line of a direction that begins at a point.
    #[inline]
    pub fn from(direction: usize, (column, row): Point) -> Line {
        let (track, first) = match direction {
            0 => (row, column),
            1 => (column, row),
            2 => ((column + SIZE - row) % SIZE, column),
            _ => ((column + row) % SIZE, column),
        };
        Line::new(direction, track, first)
    }

    /// The direction: 0 for a row, 1 for a column, 2 for a diagonal that rises to the right, 3 for
    /// one that falls.
    #[inline]
    pub fn direction(self) -> usize {
        self.index() / (SIZE * SIZE) % DIRECTIONS
    }

    /// The track.
    #[inline]
    pub fn track(self) -> usize {
        self.index() / SIZE % SIZE
    }

    /// The place of the first point on the track.
    #[inline]
    pub fn first(self) -> usize {
        self.index() % SIZE
    }

    /// The number of the line.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// A point of the line, by its number from the first.
    #[inline]
    pub fn point(self, number: usize) -> Point {
        let (track, at) = (self.track(), (self.first() + number) % SIZE);
        match self.direction() {
            0 => (at, track),
            1 => (track, at),
            2 => (at, (at + SIZE - track) % SIZE),
            _ => (at, (track + SIZE - at) % SIZE),
        }
    }
}

/// The letters of the alphabet; the columns behind them have two letters, `aa` to `af`.
const LETTERS: usize = 26;

/// The name of a point.
pub fn point_name((column, row): Point) -> String {
    let letter = |number: usize| char::from(b'a' + number as u8);
    match column {
        0..LETTERS => format!("{}{}", letter(column), row + 1),
        _ => format!("a{}{}", letter(column - LETTERS), row + 1),
    }
}

/// The point with a name.
pub fn read_point(name: &str) -> Option<Point> {
    let digits = name.find(|letter: char| letter.is_ascii_digit())?;
    let column = match name.as_bytes()[..digits] {
        [letter @ b'a'..=b'z'] => usize::from(letter - b'a'),
        [b'a', letter @ b'a'..=b'f'] => LETTERS + usize::from(letter - b'a'),
        _ => return None,
    };
    let row: usize = name[digits..].parse().ok()?;
    (1..=SIZE).contains(&row).then(|| (column, row - 1))
}
