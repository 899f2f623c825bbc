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
    pub fn from(direction: usize, point: Point) -> Line {
        let (track, first) = tracks(point)[direction];
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
        let (track, place) = (self.track(), self.first() + number);
        let [column, row] = COORDINATES[self.direction()];
        let at = |[by_track, by_place]: [usize; 2]| (by_track * track + by_place * place) % SIZE;
        (at(column), at(row))
    }
}

/// Minus one on the torus.
const MINUS: usize = SIZE - 1;
/// For each direction, the column and the row of a point by its track and its place on the track.
/// Factors instead of cases: the direction of a random line cannot be predicted.
const COORDINATES: [[[usize; 2]; 2]; DIRECTIONS] =
    [[[0, 1], [1, 0]], [[1, 0], [0, 1]], [[0, 1], [MINUS, 1]], [[0, 1], [1, MINUS]]];

/// The track of a point and its place on the track, in each direction.
#[inline]
pub fn tracks((column, row): Point) -> [(usize, usize); DIRECTIONS] {
    [(row, column), (column, row), ((column + SIZE - row) % SIZE, column), ((column + row) % SIZE, column)]
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
