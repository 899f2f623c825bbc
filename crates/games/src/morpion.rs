//! Morpion Solitaire (Join Five), a pencil-and-paper game for one player.
//!
//! The paper is a grid with 36 points in the shape of a Greek cross. A move adds a point and draws
//! a line of five consecutive points through it, in a row, a column or a diagonal; the other four
//! points exist already. Two lines of the same direction share no point (5D, disjoint), or at most
//! an end (5T, touching). The score is the number of moves. A move is written as the new point and
//! the ends of its line, `k9:k9-o9`; the cross spans i9 to r18. A position is written as `cross`
//! and its lines, which determine it: the order of the moves does not matter.
//!
//! Variants: `rules=5t`; `4d` and `4t` have lines of four points and a cross of 24.
//!
//! Records: 82 moves in 5D and 178 in 5T (Rosin 2011). Upper bounds: 84 in 5D (Michalewski, Nagorko
//! and Pawlewicz 2016), 485 in 5T (the same 2015). The longest games of 4D and 4T have 35 and 62
//! moves (Quist 2008, by enumeration of all grids).
//!
//! The paper is unlimited. The board is a torus of 32x32 points, which has no edge: a position that
//! is at most 30 points wide and high has exactly the moves it has on unlimited paper, because a
//! line across the gap of two columns or rows lacks two points. The records of 5D and 5T are 15x15
//! and 21x17. In 5D all positions fit into 291 boxes, and the boxes listed by Michalewski et al.
//! (2016) exceed the cross by at most 6 points on a side. In 5T no such proof is known: by the
//! argument of Demaine et al. (2006) the rows, columns and diagonals with points are at most 144,
//! which is not enough to exclude a width of 31. No game that comes near is known.
//!
//! The points of a line are neighbouring bits of one word, because the points are stored for each
//! of the four directions: a word holds a row, a column or a diagonal of the torus. A move changes
//! the legal moves of four words.

mod geometry;
#[cfg(test)]
mod tests;

use crate::board::bits::Bits;
use geometry::{DIRECTIONS, LINES, Line, Point, SIZE, point_name};
use tesuji_core::look::{BoardStyle, PieceNames, PieceStyle, Tone};
use tesuji_core::view::{Cell, Hand, Piece, Shape};
use tesuji_core::{
    Facts, Game, Info, Knowledge, Length, Look, Options, Outcome, Player, PlayoutContext, PositionError, Repetition,
    Rules, SpecError, Symmetry, View, quoted, symmetry, zobrist,
};

/// The length of lines, and whether lines of the same direction may touch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MorpionRules {
    length: u8,
    touching: bool,
}

impl Rules for MorpionRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let rules = |length: u8, touching: bool| MorpionRules { length, touching };
        options.choice(
            "rules",
            &[("5d", rules(5, false)), ("5t", rules(5, true)), ("4d", rules(4, false)), ("4t", rules(4, true))],
            "points of a line; parallel lines are disjoint (d) or may touch (t)",
        )
    }

    fn facts(&self) -> Facts {
        let longest = self.longest();
        Facts {
            players: 1,
            repetition: Repetition::Impossible,
            length: Length::Bounded(longest),
            scores: (0, longest as i32),
            draws: false,
            units_per_point: 1,
            move_indices: LINES,
        }
    }
}

impl MorpionRules {
    /// A proven upper bound of the number of moves: Michalewski et al. 2016 and 2015 for lines of
    /// five points, Demaine et al. 2006 for lines of four.
    fn longest(self) -> u32 {
        match (self.length, self.touching) {
            (5, false) => 84,
            (5, true) => 485,
            (_, false) => 48,
            (_, true) => 192,
        }
    }

    /// The number of bits of [`Morpion::used`] that a line occupies: its points if lines are
    /// disjoint, its segments if they may touch.
    #[inline]
    fn span(self) -> usize {
        usize::from(self.length) - usize::from(self.touching)
    }

    /// The number of rows and columns of the cross.
    fn cross_size(self) -> usize {
        3 * usize::from(self.length) - 5
    }

    /// The column of the leftmost points of the cross, and the row of the lowest. The columns of
    /// one letter, or all but the last, are symmetric to it.
    fn origin(self) -> usize {
        13 - usize::from(self.length)
    }

    /// Whether a point belongs to the cross.
    fn is_cross(self, (column, row): Point) -> bool {
        let relative = |place: usize| place.wrapping_sub(self.origin()) as isize;
        let (size, arm) = (self.cross_size() as isize, isize::from(self.length as i8) - 2);
        let is_inside = |x: isize, y: isize| {
            let in_arm = |place: isize| (arm..=2 * arm).contains(&place);
            (0..size).contains(&x) && (0..size).contains(&y) && (in_arm(x) || in_arm(y))
        };
        let (x, y) = (relative(column), relative(row));
        let is_surrounded = (-1..=1).all(|dx| (-1..=1).all(|dy| is_inside(x + dx, y + dy)));
        is_inside(x, y) && !is_surrounded
    }
}

/// A position of Morpion Solitaire. Words are indexed by direction and track; see `Line`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Morpion {
    /// The points, once for every direction.
    points: [[u32; SIZE]; DIRECTIONS],
    /// The points of the lines drawn in each direction; if lines may touch, their segments, each at
    /// its first point.
    used: [[u32; SIZE]; DIRECTIONS],
    /// The first points of the lines that can be drawn.
    open: [[u32; SIZE]; DIRECTIONS],
    /// The tracks of each direction with a line that can be drawn.
    open_tracks: [u32; DIRECTIONS],
    key: u64,
    /// The number of lines that can be drawn.
    moves: u16,
    plies: u16,
    rules: MorpionRules,
}

static KEYS: [u64; LINES] = zobrist::keys(0x88);

/// What a window of nine bits of a track says about the lines that begin at its first bits.
struct Windows {
    /// By the points: the lines that lack exactly one point.
    lacking_one: [u8; 512],
    /// By the used bits: the lines that no line drawn before forbids.
    free: [u8; 512],
}

const fn windows(length: u32, span: u32) -> Windows {
    let (mut lacking_one, mut free) = ([0; 512], [0; 512]);
    let mut window = 0;
    while window < 512u32 {
        let mut first = 0;
        while first < length {
            let lacking = (!(window >> first) & ((1 << length) - 1)).count_ones();
            lacking_one[window as usize] |= ((lacking == 1) as u8) << first;
            free[window as usize] |= (((window >> first) & ((1 << span) - 1) == 0) as u8) << first;
            first += 1;
        }
        window += 1;
    }
    Windows { lacking_one, free }
}

/// By length minus four, and whether lines may touch.
static WINDOWS: [[Windows; 2]; 2] = [[windows(4, 4), windows(4, 3)], [windows(5, 5), windows(5, 4)]];

/// A word with its lowest `count` bits set.
#[inline]
fn ones(count: usize) -> u32 {
    (1 << count) - 1
}

impl Morpion {
    fn has_point(&self, (column, row): Point) -> bool {
        self.points[0][row] >> column & 1 == 1
    }

    /// The points of the torus that are on the paper.
    fn marked(&self) -> impl Iterator<Item = Point> + '_ {
        (0..SIZE).flat_map(|row| u64::from(self.points[0][row]).members().map(move |column| (column, row)))
    }

    /// The lines that can be drawn.
    fn open_lines(&self) -> impl Iterator<Item = Line> + '_ {
        (0..DIRECTIONS).flat_map(move |direction| {
            u64::from(self.open_tracks[direction]).members().flat_map(move |track| {
                let firsts = u64::from(self.open[direction][track]).members();
                firsts.map(move |first| Line::new(direction, track, first))
            })
        })
    }

    /// The lines drawn so far, in the order of their indices. Lines that follow each other without
    /// a gap begin one span apart. A track that is used all around would have no first line; that
    /// takes 32 points in a row.
    fn drawn_lines(&self) -> Vec<Line> {
        let span = self.rules.span();
        let mut lines = Vec::with_capacity(usize::from(self.plies));
        for (direction, tracks) in self.used.iter().enumerate() {
            for (track, &used) in tracks.iter().enumerate() {
                for begin in u64::from(used & !used.rotate_left(1)).members() {
                    let run = used.rotate_right(begin as u32).trailing_ones() as usize;
                    let firsts = (0..run / span).map(|number| (begin + number * span) % SIZE);
                    lines.extend(firsts.map(|first| Line::new(direction, track, first)));
                }
            }
        }
        lines.sort_unstable_by_key(|line| line.index());
        lines
    }

    /// The point that a line lacks.
    #[inline]
    fn new_point(&self, line: Line) -> Point {
        let points = self.points[line.direction()][line.track()].rotate_right(line.first() as u32);
        line.point(points.trailing_ones() as usize)
    }

    /// The last point of a line.
    fn end(&self, line: Line) -> Point {
        line.point(usize::from(self.rules.length) - 1)
    }

    /// The line from one point to another; `None` if it is not as long as a line.
    fn line_between(&self, from: Point, to: Point) -> Option<Line> {
        (0..DIRECTIONS).map(|direction| Line::from(direction, from)).find(|&line| self.end(line) == to)
    }

    fn line_text(&self, line: Line) -> String {
        format!("{}-{}", point_name(line.point(0)), point_name(self.end(line)))
    }

    /// Replaces some of the lines of a track that can be drawn.
    #[inline]
    fn set_open(&mut self, direction: usize, track: usize, mask: u32, open: u32) {
        let before = self.open[direction][track];
        let after = before & !mask | open;
        self.open[direction][track] = after;
        self.moves = self.moves + after.count_ones() as u16 - before.count_ones() as u16;
        self.open_tracks[direction] = self.open_tracks[direction] & !(1 << track) | u32::from(after != 0) << track;
    }

    /// Adds a point and finds the lines through it that can be drawn.
    #[inline]
    fn add_point(&mut self, point: Point) {
        let length = usize::from(self.rules.length);
        let windows = &WINDOWS[length - 4][usize::from(self.rules.touching)];
        for (direction, (track, at)) in geometry::tracks(point).into_iter().enumerate() {
            self.points[direction][track] |= 1 << at;
            // The first point of the first line through the new one.
            let begin = (at + SIZE + 1 - length) as u32 % SIZE as u32;
            let points = self.points[direction][track].rotate_right(begin) as usize % 512;
            let used = self.used[direction][track].rotate_right(begin) as usize % 512;
            let open = u32::from(windows.lacking_one[points] & windows.free[used]);
            self.set_open(direction, track, ones(length).rotate_left(begin), open.rotate_left(begin));
        }
    }

    /// Marks a line as drawn. Lines of its direction that overlap it can no longer be drawn.
    #[inline]
    fn draw(&mut self, line: Line) {
        let (direction, track, first) = (line.direction(), line.track(), line.first() as u32);
        let span = self.rules.span();
        self.used[direction][track] |= ones(span).rotate_left(first);
        let overlapping = ones(2 * span - 1).rotate_left(first).rotate_right(span as u32 - 1);
        self.set_open(direction, track, overlapping, 0);
    }

    /// The position with the given lines; `None` if no order of the moves leads to it.
    ///
    /// Any order in which each line lacks one point when it is drawn will do: a line that could be
    /// drawn before and now lacks no point would leave the position one point short at the end.
    fn with_lines(rules: &MorpionRules, lines: &[Line]) -> Option<Morpion> {
        let mut position = Morpion::start(rules);
        let mut left = lines.to_vec();
        while !left.is_empty() {
            let before = left.len();
            left.retain(|&line| {
                let is_open = position.open[line.direction()][line.track()] >> line.first() & 1 == 1;
                if is_open {
                    position.play(line);
                }
                !is_open
            });
            if left.len() == before {
                return None;
            }
        }
        Some(position)
    }

    /// The number of rows and columns of the view on each side of the cross: one more than points
    /// were added there, so that all new points are in it. A small view grows with the position.
    fn view_margin(&self) -> usize {
        const SMALLEST: usize = 3;
        let (origin, size) = (self.rules.origin(), self.rules.cross_size());
        let outside = |place: usize| {
            let from_origin = (place + SIZE - origin) % SIZE;
            if from_origin < size { 0 } else { (from_origin + 1 - size).min(SIZE - from_origin) }
        };
        let largest = self.marked().map(|(column, row)| outside(column).max(outside(row))).max().unwrap_or(0);
        (largest + 1).clamp(SMALLEST, (SIZE - size) / 2)
    }
}

/// The rules as people read them.
const RULES: &str = "\
    A pencil-and-paper game for one player, also called Join Five. Points on a grid form a cross of 36 points. A move \
    adds a point and draws a line through it: a row, a column or a diagonal of exactly five neighbouring points, of \
    which four exist already. The score is the number of moves. The game ends when no line can be drawn.\n\n\
    Lines may cross. Two lines of the same direction are disjoint: they share no point. With the option rules=5t they \
    may touch, so that one line begins where another ends, but no piece of a line is drawn twice. With rules=4d and \
    rules=4t, lines have four points and the cross has 24.\n\n\
    A move is written as the new point, a colon and the two ends of its line: k9:k9-o9 adds k9 and draws a line from \
    k9 to o9. A point has a letter for the column and a number for the row from the bottom. The cross spans i9 to r18. \
    In text, o is a point of the cross and x an added point.";

impl Game for Morpion {
    type Move = Line;
    type Rules = MorpionRules;
    const INFO: Info = Info {
        goal: "Make as many moves as you can. Choose an empty point that completes a line of five; where several lines \
               are possible, then choose an end of the line.",
        rules: RULES,
        solved: "rules=4d: 35 moves, rules=4t: 62 moves (Quist 2008)",
        look: Look {
            board: BoardStyle::Points,
            piece: PieceStyle::Point,
            tones: &[Tone::Blue],
            names: PieceNames(&[("O", "point of the cross"), ("X", "added point")]),
            ..Look::DEFAULT
        },
        ..Info::new("morpion", "Morpion Solitaire", &["Player"])
    };

    fn start(rules: &MorpionRules) -> Morpion {
        let empty = [[0; SIZE]; DIRECTIONS];
        let mut position = Morpion {
            points: empty,
            used: empty,
            open: empty,
            open_tracks: [0; DIRECTIONS],
            key: 0,
            moves: 0,
            plies: 0,
            rules: *rules,
        };
        let all = (0..SIZE).flat_map(|row| (0..SIZE).map(move |column| (column, row)));
        all.filter(|&point| rules.is_cross(point)).for_each(|point| position.add_point(point));
        position
    }

    #[inline]
    fn to_move(&self) -> Player {
        Player::FIRST
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.moves == 0
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| self.outcome_at_cap())
    }

    fn ending_reason(&self) -> Option<&'static str> {
        self.is_over().then_some("no lines left")
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<Line>) {
        moves.reserve(usize::from(self.moves));
        for direction in 0..DIRECTIONS {
            for track in u64::from(self.open_tracks[direction]).members() {
                let firsts = u64::from(self.open[direction][track]).members();
                moves.extend(firsts.map(|first| Line::new(direction, track, first)));
            }
        }
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<Line>) -> usize {
        usize::from(self.moves)
    }

    #[inline]
    fn play(&mut self, line: Line) {
        let point = self.new_point(line);
        self.draw(line);
        self.add_point(point);
        self.key ^= KEYS[line.index()];
        self.plies += 1;
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn text(&self) -> String {
        self.drawn_lines().into_iter().fold("cross".to_string(), |text, line| text + " " + &self.line_text(line))
    }

    fn parse(rules: &MorpionRules, text: &str) -> Result<Morpion, PositionError> {
        let fail = |reason: String| PositionError::new(text, reason);
        let start = Morpion::start(rules);
        let mut words = text.split_ascii_whitespace();
        if words.next() != Some("cross") {
            return Err(fail("it must be the word cross, followed by lines such as k9-o9".to_string()));
        }
        let read = |word: &str| {
            let (from, to) = word.split_once('-')?;
            start.line_between(geometry::read_point(from)?, geometry::read_point(to)?)
        };
        let mut lines = Vec::new();
        for word in words {
            let length = rules.length;
            let line = read(word).ok_or_else(|| {
                fail(format!("{} is not a line of {length} points from left to right, or upwards", quoted(word)))
            })?;
            lines.push(line);
        }
        let longest = rules.longest() as usize;
        if lines.len() > longest {
            return Err(fail(format!("it has {} lines; no game has more than {longest}", lines.len())));
        }
        Morpion::with_lines(rules, &lines)
            .ok_or_else(|| fail("no order of moves draws these lines; each must add one point".to_string()))
    }

    fn move_text(&self, line: Line) -> String {
        format!("{}:{}", point_name(self.new_point(line)), self.line_text(line))
    }

    #[inline]
    fn move_index(&self, line: Line) -> usize {
        line.index()
    }

    fn view(&self) -> View {
        let (origin, margin) = (self.rules.origin(), self.view_margin());
        let size = self.rules.cross_size() + 2 * margin;
        let place = |number: usize| (origin + SIZE + number - margin) % SIZE;
        let mut cells = Vec::with_capacity(size * size);
        for row in 0..size {
            for column in 0..size {
                let point = (place(column), place(size - 1 - row));
                let piece = self.has_point(point).then(|| match self.rules.is_cross(point) {
                    true => Piece { symbol: "o".to_string(), owner: None },
                    false => Piece { symbol: "x".to_string(), owner: Some(Player::FIRST) },
                });
                cells.push(Cell { name: point_name(point), column: column as u8, row: row as u8, piece });
            }
        }
        let hands = vec![Hand { title: "moves", owner: None, pieces: vec![(String::new(), i32::from(self.plies))] }];
        let ends = |line: Line| [point_name(line.point(0)), point_name(self.end(line))];
        let lines = self.drawn_lines().into_iter().map(ends).collect();
        View { shape: Shape::Square, column_labels: Vec::new(), cells, lines, hands }
    }

    /// The new point; if several lines could add it, also the end of the line that is not the new
    /// point, the last one if both are not.
    fn clicks(&self, line: Line) -> Vec<String> {
        let point = self.new_point(line);
        let mut clicks = vec![point_name(point)];
        if self.open_lines().filter(|&other| self.new_point(other) == point).count() > 1 {
            let end = self.end(line);
            clicks.push(point_name(if end == point { line.point(0) } else { end }));
        }
        clicks
    }

    /// The moves so far.
    #[inline]
    fn outcome_at_cap(&self) -> Outcome {
        Outcome::of(&[i32::from(self.plies)])
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        symmetry::SQUARE
    }

    fn transformed(&self, symmetry: Symmetry) -> Morpion {
        let lines: Vec<Line> =
            self.drawn_lines().into_iter().map(|line| self.transformed_move(line, symmetry)).collect();
        Morpion::with_lines(&self.rules, &lines).expect("the image of a position is a position")
    }

    fn transformed_move(&self, line: Line, symmetry: Symmetry) -> Line {
        // The centre of the cross stays where it is. The size of a board keeps numbers positive.
        let mirror = 2 * self.rules.origin() + self.rules.cross_size() + SIZE;
        let image = |point: Point| {
            let (column, row) = symmetry.apply(point, (mirror, mirror));
            (column % SIZE, row % SIZE)
        };
        let (one, other) = (image(line.point(0)), image(self.end(line)));
        self.line_between(one, other).or_else(|| self.line_between(other, one)).expect("the image of a line is a line")
    }
}

impl Knowledge for Morpion {
    fn auto_player(_: &MorpionRules) -> &'static str {
        "nrpa:level=4"
    }

    #[inline]
    fn playout_move(&self, context: &mut PlayoutContext<Line>) -> Line {
        let mut number = context.rng.below(usize::from(self.moves)) as u32;
        for direction in 0..DIRECTIONS {
            for track in u64::from(self.open_tracks[direction]).members() {
                let open = self.open[direction][track];
                if number < open.count_ones() {
                    return Line::new(direction, track, u64::from(open).nth(number as usize));
                }
                number -= open.count_ones();
            }
        }
        unreachable!("the game is not over, and the number is below the number of moves")
    }
}
