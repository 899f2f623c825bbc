//! Gomoku: five in a row.
//!
//! Players put stones in turn on the empty cells of a board. Who makes a line of exactly five own stones, in a row, a
//! column or a diagonal, wins; longer lines do not count. A full board is a draw. X moves first. Moves are cells,
//! `h8`; a1 is the lower left.
//!
//! Variants: boards from 3x3 to 19x19, also rectangles; `free`: longer lines win too; `k`: another number than five.
//!
//! Solved: 15x15 is won by the first player, with and without lines longer than five (Allis, van den Herik and
//! Huntjens 1993).
//!
//! A side is one set of bits, row after row from the bottom without gaps. A stone is tested along the four lines
//! through it only. Playouts keep all four kinds of lines as words of bits, and test the four words of a stone at
//! once for runs.

use crate::board::bits::{Bits, Words};
use crate::board::diagram::{Diagram, stones_text, stones_view};
use tesuji_core::look::{BoardStyle, PieceStyle, Tone};
use tesuji_core::view::{RowOne, Shape, cell_name};
use tesuji_core::{
    Bounds, PlayoutContext, Facts, Game, Info, Look, Knowledge, Length, Options, Outcome, Player, PositionError, Repetition, Rules,
    SpecError, Symmetry, Trace, View, zobrist,
};

/// The size of the board and what wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GomokuRules {
    columns: u8,
    rows: u8,
    /// How many in a row win.
    length: u8,
    /// Whether more win too.
    free: bool,
}

impl GomokuRules {
    fn cells(&self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    /// Whether a line of so many stones wins.
    #[inline]
    fn wins(&self, run: u32) -> bool {
        // A line too short wraps round to far above any line there is.
        let longer = run.wrapping_sub(u32::from(self.length));
        longer <= if self.free { 19 } else { 0 }
    }
}

impl Rules for GomokuRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let (columns, rows) = options.size((15, 15), 3..=LONGEST as u8, 3..=LONGEST as u8)?;
        let free = options.switch("free", "longer lines win too")?;
        let length = options.integer("k", 5, 3..=LONGEST as u64, "how many in a row win")? as u8;
        Ok(GomokuRules { columns, rows, length, free })
    }

    fn facts(&self) -> Facts {
        Facts {
            players: 2,
            repetition: Repetition::Impossible,
            length: Length::Bounded(self.cells() as u32),
            scores: (-1, 1),
            draws: true,
            move_slots: self.cells(),
        }
    }
}

/// A set of cells of a board of up to 19x19.
type Cells = Words<6>;

/// A position of Gomoku.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gomoku {
    /// The stones of X and of O.
    stones: [Cells; 2],
    key: u64,
    rules: GomokuRules,
    plies: u16,
    /// Whether the last stone made a winning line.
    won: bool,
}

/// The longest side of a board, and the longest line.
const LONGEST: usize = 19;
const LETTERS: &str = "XO";
static KEYS: [[u64; 361]; 2] = [zobrist::keys(0x58), zobrist::keys(0x59)];

/// The four kinds of lines, as a step in columns and rows.
const AXES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// The stones alone: whose turn it is follows from their number.
fn key_of(stones: [Cells; 2]) -> u64 {
    let keys = |seat: usize| stones[seat].members().fold(0, |key, cell| key ^ KEYS[seat][cell]);
    keys(0) ^ keys(1)
}

impl Gomoku {
    fn size(&self) -> (usize, usize) {
        (usize::from(self.rules.columns), usize::from(self.rules.rows))
    }

    fn is_full(&self) -> bool {
        usize::from(self.plies) == self.rules.cells()
    }

    /// A cell as column and row from the bottom.
    #[inline]
    fn place(&self, cell: u16) -> (i32, i32) {
        let columns = u16::from(self.rules.columns);
        (i32::from(cell % columns), i32::from(cell / columns))
    }

    fn seat_at(&self, column: usize, row_from_top: usize) -> Option<usize> {
        let (columns, rows) = self.size();
        let cell = (rows - 1 - row_from_top) * columns + column;
        self.stones.iter().position(|stones| stones.contains(cell))
    }

    /// How many of `stones` follow each other from beside a place, in a direction.
    #[inline]
    fn reach(&self, stones: &Cells, (column, row): (i32, i32), (dx, dy): (i32, i32)) -> u32 {
        let (columns, rows) = (i32::from(self.rules.columns), i32::from(self.rules.rows));
        let (mut x, mut y, mut count) = (column + dx, row + dy, 0);
        while (0..columns).contains(&x) && (0..rows).contains(&y) && stones.contains((y * columns + x) as usize) {
            (x, y, count) = (x + dx, y + dy, count + 1);
        }
        count
    }

    /// The length of the line of `stones` through a place along an axis, if there were one of them there.
    #[inline]
    fn run(&self, stones: &Cells, place: (i32, i32), (dx, dy): (i32, i32)) -> u32 {
        1 + self.reach(stones, place, (dx, dy)) + self.reach(stones, place, (-dx, -dy))
    }

    /// Whether one of `stones` on a cell makes a winning line.
    #[inline]
    fn wins_at(&self, stones: &Cells, cell: u16) -> bool {
        let place = self.place(cell);
        AXES.into_iter().any(|axis| self.rules.wins(self.run(stones, place, axis)))
    }

    /// Whether there is a winning line anywhere.
    fn has_won(&self, stones: &Cells) -> bool {
        stones.members().any(|cell| self.wins_at(stones, cell as u16))
    }
}

impl Game for Gomoku {
    /// The cell, counted row by row from a1.
    type Move = u16;
    type Rules = GomokuRules;
    const INFO: Info = Info {
        solved: "15x15, five in a row, also free: first player wins (Allis, van den Herik and Huntjens 1993)",
        look: Look { board: BoardStyle::Points, piece: PieceStyle::Stone, tones: &[Tone::Black, Tone::White], ..Look::DEFAULT },
        ..Info::new("gomoku", "Gomoku", &["X", "O"])
    };

    fn start(rules: &GomokuRules) -> Gomoku {
        Gomoku { stones: [Cells::EMPTY; 2], key: 0, rules: *rules, plies: 0, won: false }
    }

    #[inline]
    fn to_move(&self) -> Player {
        Player((self.plies & 1) as u8)
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.won || self.is_full()
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.won { Some(Outcome::win(self.to_move().opponent())) } else { self.is_full().then(|| Outcome::draw(2)) }
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<u16>) {
        if self.won {
            return;
        }
        let cells = self.rules.cells();
        for (index, (first, second)) in self.stones[0].0.into_iter().zip(self.stones[1].0).enumerate() {
            let begin = 64 * index;
            if begin >= cells {
                break;
            }
            let on_board = if cells - begin >= 64 { u64::MAX } else { (1 << (cells - begin)) - 1 };
            moves.extend((!(first | second) & on_board).members().map(|bit| (begin + bit) as u16));
        }
    }

    #[inline]
    fn play(&mut self, cell: u16) {
        let mover = self.to_move().index();
        self.won = self.wins_at(&self.stones[mover], cell);
        self.stones[mover].0[usize::from(cell) / 64] |= 1 << (cell % 64);
        self.key ^= KEYS[mover][usize::from(cell)];
        self.plies += 1;
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn text(&self) -> String {
        stones_text(self.size(), LETTERS, self.to_move(), |column, row| self.seat_at(column, row))
    }

    fn parse(rules: &GomokuRules, text: &str) -> Result<Gomoku, PositionError> {
        let mut position = Gomoku::start(rules);
        let (columns, rows) = position.size();
        let diagram = Diagram::parse(text, (columns, rows), "XO.", 1)?;
        let side = usize::from(diagram.side(0, LETTERS)?);
        for cell in 0..rules.cells() {
            if let Some(seat) = LETTERS.find(diagram.at(cell % columns, rows - 1 - cell / columns)) {
                position.stones[seat] |= Cells::single(cell);
            }
        }
        let counts = position.stones.map(Bits::count);
        if counts[0] != counts[1] + side as u32 {
            let reason =
                format!("X has {} stones and O {}: not {} to move", counts[0], counts[1], &LETTERS[side..=side]);
            return Err(diagram.error(reason));
        }
        if position.has_won(&position.stones[side]) {
            return Err(diagram.error("the side to move has a winning line already"));
        }
        let others = position.stones[1 - side];
        position.won = position.has_won(&others);
        if position.won && !others.members().any(|last| !position.has_won(&(others ^ Cells::single(last)))) {
            return Err(diagram.error("no one move made all the winning lines"));
        }
        position.key = key_of(position.stones);
        position.plies = (counts[0] + counts[1]) as u16;
        Ok(position)
    }

    fn move_text(&self, cell: u16) -> String {
        let (column, row) = self.place(cell);
        cell_name(column as usize, row as usize + 1)
    }

    fn move_index(&self, cell: u16) -> usize {
        usize::from(cell)
    }

    fn view(&self) -> View {
        stones_view(Shape::Square, self.size(), RowOne::Bottom, LETTERS, |column, row| self.seat_at(column, row))
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        let (columns, rows) = self.size();
        Symmetry::of_board(columns, rows)
    }

    fn transformed(&self, symmetry: Symmetry) -> Gomoku {
        let map = |stones: Cells| {
            let image = |cell| usize::from(self.transformed_move(cell as u16, symmetry));
            stones.members().fold(Cells::EMPTY, |set, cell| set | Cells::single(image(cell)))
        };
        let stones = self.stones.map(map);
        Gomoku { stones, key: key_of(stones), ..*self }
    }

    fn transformed_move(&self, cell: u16, symmetry: Symmetry) -> u16 {
        let (column, row) = self.place(cell);
        let (column, row) = symmetry.apply((column as usize, row as usize), self.size());
        (row * self.size().0 + column) as u16
    }
}

impl Knowledge for Gomoku {
    /// Lines of k cells that only one side can still fill, by how many stones are missing there. The worth grows
    /// fourfold with every stone, because a stone more makes a line that must be answered of one that need not; lines
    /// with five or more missing stones are left out (in lines of five the first stone counts 1). That a line may
    /// turn out too long where exactly k are asked for is not seen.
    fn evaluation(&self, player: Player) -> Option<f32> {
        let worth = |seat: usize| self.open_lines(&self.stones[seat], &self.stones[1 - seat]);
        let (own, other) = (worth(player.index()), worth(player.opponent().index()));
        // The side to move adds the next stone: half a step of the growth.
        let (own, other) = if self.to_move() == player { (2 * own, other) } else { (own, 2 * other) };
        // 200 points, some three lines with one stone missing, count as nearly won.
        Some(((own - other) as f32 / 200.0).tanh() * 0.99)
    }

    /// A side to move that can make a line wins; one that cannot has lost if the other can make two. A side that has no line left to fill cannot
    /// win. Boards of more than 64 cells are beyond any proof from afar.
    fn static_bounds(&self, player: Player) -> Option<Bounds> {
        if self.rules.cells() > 64 {
            return None;
        }
        let length = u32::from(self.rules.length);
        let axes = SmallAxis::all(self.size(), usize::from(self.rules.length));
        let taken = self.stones[0].0[0] | self.stones[1].0[0];
        let free = !taken & u64::MAX >> (64 - self.rules.cells());
        let (mover, waiting) = (self.to_move(), self.to_move().opponent());
        let winning = |player: Player| {
            let stones = &self.stones[player.index()];
            let cells = axes.iter().fold(0, |cells, axis| cells | axis.completing(length, stones.0[0], free));
            // Where exactly k are asked for, the line may be too long.
            cells.members().filter(|&cell| self.wins_at(stones, cell as u16)).take(2).count()
        };
        if winning(mover) > 0 {
            return Some(Bounds::won_by(mover, player));
        }
        if winning(waiting) > 1 {
            return Some(Bounds::won_by(waiting, player));
        }
        let can_win = |player: Player| {
            let stones = self.stones[player.index()].0[0];
            i32::from(axes.iter().any(|axis| axis.can_be_filled(length, stones | free)))
        };
        Some(Bounds { player, at_least: -can_win(player.opponent()), at_most: can_win(player) })
    }

    /// What the stone makes or stops: long lines first, own lines before those of the other side; then the centre.
    fn move_order(&self, cell: u16) -> Option<i32> {
        let place = self.place(cell);
        let mover = self.to_move().index();
        let lengths = |seat: usize| {
            let lengths = AXES.into_iter().map(|axis| self.run(&self.stones[seat], place, axis).min(8));
            // Lines of one stone count as well: it is the neighbours that tell near from far.
            lengths.map(|length| 1 << (2 * length)).sum::<i32>()
        };
        let (columns, rows) = (i32::from(self.rules.columns), i32::from(self.rules.rows));
        let from_centre = (2 * place.0 + 1 - columns).abs().max((2 * place.1 + 1 - rows).abs());
        Some(64 * (2 * lengths(mover) + lengths(1 - mover)) - from_centre)
    }

    /// Cells are drawn until one is empty, or, when few are, counted off.
    #[inline]
    fn playout_move(&self, context: &mut PlayoutContext<u16>) -> u16 {
        let cells = self.rules.cells();
        let taken = self.stones[0] | self.stones[1];
        if 4 * usize::from(self.plies) < 3 * cells {
            loop {
                let cell = context.rng.below(cells);
                if !taken.contains(cell) {
                    return cell as u16;
                }
            }
        }
        let mut rank = context.rng.below(cells - usize::from(self.plies)) as u32;
        for (index, word) in taken.0.into_iter().enumerate() {
            let free = !word;
            if rank < free.count() {
                return (64 * index + free.nth(rank as usize)) as u16;
            }
            rank -= free.count();
        }
        unreachable!("a game that is not over has an empty cell")
    }

    /// The empty cells are shuffled as far as the game goes, and filled in that order.
    #[inline]
    fn playout<T: Trace<u16>>(&mut self, context: &mut PlayoutContext<u16>, trace: &mut T) -> Outcome {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        let (columns, rows) = self.size();
        let taken = self.stones[0] | self.stones[1];
        let (mut empty, mut left) = ([0u16; 361], 0);
        for row in 0..rows {
            let (word, bit) = (row * columns / 64, row * columns % 64);
            let beyond = if bit + columns > 64 { taken.0[word + 1] << (64 - bit) } else { 0 };
            let taken = taken.0[word] >> bit | beyond;
            for column in 0..columns {
                empty[left] = (row << 8 | column) as u16;
                left += (!taken >> column & 1) as usize;
            }
        }
        let mut lines = [Lines([0; 128]), Lines([0; 128])];
        for (lines, stones) in lines.iter_mut().zip(self.stones) {
            for (column, row) in stones.members().map(|cell| self.place(cell as u16)) {
                lines.add(Lines::places(column as u8, row as u8));
            }
        }
        let steps = steps_to_run(u32::from(self.rules.length));
        let mut mover = self.to_move().index();
        let mut random = 0u64;
        for ply in 0..left.min(context.cap as usize) {
            // Half of a random number for a draw: the bias is below 361 / 2^32.
            random = if ply % 2 == 0 { context.rng.bits() } else { random >> 32 };
            let drawn = (((random & 0xffff_ffff) * (left - ply) as u64) >> 32) as usize;
            let [column, row] = empty[drawn].to_le_bytes();
            empty[drawn] = empty[left - ply - 1];
            trace.played(Player(mover as u8), u16::from(row) * columns as u16 + u16::from(column));
            let places = Lines::places(column, row);
            let through = lines[mover].add(places);
            if has_run(through, steps) && Lines::win(through, places, &self.rules) {
                return Outcome::win(Player(mover as u8));
            }
            mover = 1 - mover;
        }
        self.outcome_at_cap()
    }

    /// The evaluation tells much: alpha-beta won 70 to 100 of 100 games against the best tree searches tried, at 20 to
    /// 300 ms a move.
    fn auto_player(_: &GomokuRules) -> &'static str {
        "alphabeta"
    }
}

/// What a line that only one side can fill is worth to it, by the number of stones missing.
const WORTH: [i32; 5] = [0, 64, 16, 4, 1];

/// The stones of a side as bits of all lines there are: rows, columns, rising and falling diagonals. A stone is bit
/// `row` of its column, and bit `column` of the other lines.
struct Lines([u32; 128]);

impl Lines {
    /// The four lines through a cell, and which bit of them the cell is.
    #[inline]
    fn places(column: u8, row: u8) -> [(usize, u32); 4] {
        let (x, y) = (usize::from(column), usize::from(row));
        let (column, row) = (u32::from(column), u32::from(row));
        [(y, column), (19 + x, row), (56 + x - y, column), (75 + x + y, column)]
    }

    /// Adds a stone; gives the lines through it.
    #[inline]
    fn add(&mut self, places: [(usize, u32); 4]) -> [u32; 4] {
        places.map(|(line, bit)| {
            self.0[line % 128] |= 1 << bit;
            self.0[line % 128]
        })
    }

    /// Whether one of the lines through a stone is a winning one there.
    fn win(through: [u32; 4], places: [(usize, u32); 4], rules: &GomokuRules) -> bool {
        through
            .into_iter()
            .zip(places)
            .any(|(line, (_, bit))| rules.wins((line >> bit).trailing_ones() + (line << (31 - bit)).leading_ones() - 1))
    }
}

/// By how much to shift a line over itself, again and again, until the bits left are the runs of `length` or more.
fn steps_to_run(length: u32) -> [u32; 5] {
    let mut run = 1;
    [(); 5].map(|()| {
        let step = run.min(length - run);
        run += step;
        step
    })
}

/// Whether any of the lines has a run of the length that the steps are for, anywhere.
#[inline]
fn has_run(lines: [u32; 4], steps: [u32; 5]) -> bool {
    let runs = steps.into_iter().fold(lines, |runs, step| runs.map(|run| run & run >> step));
    runs != [0; 4]
}

/// Lines of k cells along an axis on a board of up to 64 cells.
struct SmallAxis {
    /// The lowest cell of each line.
    begins: u64,
    /// From one cell of a line to the next.
    step: u32,
}

impl SmallAxis {
    fn all((columns, rows): (usize, usize), length: usize) -> [SmallAxis; 4] {
        AXES.map(|(dx, dy)| {
            let (wide, high) = (if dx == 0 { 1 } else { length }, if dy == 0 { 1 } else { length });
            let first_column = if dx < 0 { length - 1 } else { 0 };
            let row_of_begins = if wide > columns { 0 } else { ((1u64 << (columns + 1 - wide)) - 1) << first_column };
            let begins =
                (0..(rows + 1).saturating_sub(high)).fold(0, |all, row| all | row_of_begins << (row * columns));
            SmallAxis { begins, step: (dy * columns as i32 + dx) as u32 }
        })
    }

    /// Whether a side could still fill a line, if all these cells became its own.
    #[inline]
    fn can_be_filled(&self, length: u32, cells: u64) -> bool {
        self.begins != 0 && (0..length).fold(self.begins, |lines, cell| lines & cells >> (cell * self.step)) != 0
    }

    /// The free cells that are all that is missing in a line.
    #[inline]
    fn completing(&self, length: u32, own: u64, free: u64) -> u64 {
        if self.begins == 0 {
            return 0;
        }
        // Lines all of whose cells so far are own, and those that lack one, by where it is.
        let (mut full, mut lacking) = (self.begins, [0u64; LONGEST]);
        for cell in 0..length {
            let by = cell * self.step;
            let own = own >> by;
            lacking[..cell as usize].iter_mut().for_each(|lines| *lines &= own);
            lacking[cell as usize] = full & free >> by;
            full &= own;
        }
        (0..length).fold(0, |cells, cell| cells | lacking[cell as usize] << (cell * self.step))
    }
}

impl Gomoku {
    /// The worth of the lines that only `own` can fill, leaving out those without any stone.
    fn open_lines(&self, own: &Cells, other: &Cells) -> i32 {
        let length = usize::from(self.rules.length);
        let (columns, rows) = self.size();
        let mut sum = 0;
        for (dx, dy) in AXES {
            // A line is named by its lowest cell, from where the others follow in steps of so many bits.
            let step = (dy * columns as i32 + dx) as u32;
            let (wide, high) = (if dx == 0 { 1 } else { length }, if dy == 0 { 1 } else { length });
            if wide > columns || high > rows {
                continue;
            }
            let first_column = if dx < 0 { length - 1 } else { 0 };
            let row_of_begins = ((1u64 << (columns + 1 - wide)) - 1) << first_column;
            let mut begins = Cells::EMPTY;
            for row in 0..=rows - high {
                let (word, bit) = (row * columns / 64, row * columns % 64);
                begins.0[word] |= row_of_begins << bit;
                if bit + columns > 64 {
                    begins.0[word + 1] |= row_of_begins >> (64 - bit);
                }
            }
            // missing[n]: the lines in which at most n of the cells looked at so far lack an own stone, and none has
            // another.
            let mut missing = [begins; 5];
            let (mut own, mut other) = (*own, *other);
            for cell in 0..length {
                if cell > 0 {
                    (own, other) = (own >> step, other >> step);
                }
                for n in (1..5).rev() {
                    missing[n] = (missing[n] & own | missing[n - 1]) & !other;
                }
                missing[0] = missing[0] & own & !other;
            }
            let counts = missing.map(|lines| lines.count() as i32);
            sum += (1..length.min(5)).map(|n| WORTH[n] * (counts[n] - counts[n - 1])).sum::<i32>();
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::History;

    fn after(spec: &str, moves: &str) -> History<Gomoku> {
        let mut history = History::new(crate::rules::<Gomoku>(spec).unwrap());
        for mv in moves.split_whitespace() {
            history.play_text(mv).unwrap();
        }
        history
    }

    #[test]
    fn fives_in_all_directions_win() {
        for moves in [
            "a1 a9 b1 b9 c1 c9 d1 d9 e1",
            "o11 a9 o12 b9 o13 c9 o14 d9 o15",
            "a1 a9 b2 b9 d4 c9 e5 d9 c3",
            "o1 a9 n2 b9 m3 c9 l4 d9 k5",
        ] {
            assert_eq!(after("gomoku", moves).outcome().unwrap().scores(), [1, -1], "{moves}");
        }
    }

    #[test]
    fn six_win_only_where_lines_are_free() {
        let moves = "a1 a9 b1 c9 c1 e9 e1 g9 f1 i9 d1";
        assert!(!after("gomoku", moves).is_over());
        assert_eq!(after("gomoku:15,free", moves).outcome().unwrap().scores(), [1, -1]);
    }

    #[test]
    fn a_stone_may_make_a_six_and_a_five() {
        let moves = "a1 a9 b1 c9 c1 e9 e1 g9 f1 i9 d2 a8 d3 c8 d4 e8 d5 g8 d1";
        assert_eq!(after("gomoku", moves).outcome().unwrap().scores(), [1, -1]);
    }

    #[test]
    fn a_line_does_not_run_over_the_edge() {
        assert!(!after("gomoku:5,k=3", "d1 d4 e1 e4 a2 a5").is_over());
        assert_eq!(after("gomoku:3x4", "a1 a2 a3 a4 b1 b2 b3 b4 c1 c2 c3 c4").outcome().unwrap().scores(), [0, 0]);
    }

    #[test]
    fn the_evaluation_counts_what_a_plain_count_counts() {
        for spec in ["gomoku", "gomoku:19", "gomoku:7x5,k=3", "gomoku:5x9,k=6", "gomoku:12x19,k=12", "gomoku:3,k=5"] {
            let rules = crate::rules::<Gomoku>(spec).unwrap();
            let (mut position, mut context) = (Gomoku::start(&rules), PlayoutContext::new(tesuji_core::Rng::new(1), 400));
            let (columns, rows, length) = (i32::from(rules.columns), i32::from(rules.rows), i32::from(rules.length));
            while !position.is_over() {
                let mut sum = 0;
                for (cell, (dx, dy)) in (0..columns * rows).flat_map(|cell| AXES.map(|axis| (cell, axis))) {
                    let line: Vec<(i32, i32)> =
                        (0..length).map(|n| (cell % columns + n * dx, cell / columns + n * dy)).collect();
                    if line.iter().all(|(x, y)| (0..columns).contains(x) && (0..rows).contains(y)) {
                        let count = |stones: &Cells| {
                            line.iter().filter(|(x, y)| stones.contains((y * columns + x) as usize)).count() as i32
                        };
                        let own = count(&position.stones[0]);
                        if count(&position.stones[1]) == 0 && own > 0 {
                            sum += WORTH.get((length - own) as usize).unwrap_or(&0);
                        }
                    }
                }
                assert_eq!(position.open_lines(&position.stones[0], &position.stones[1]), sum, "{}", position.text());
                position.play(position.playout_move(&mut context));
            }
        }
    }

    #[test]
    fn impossible_positions_are_refused() {
        let rules = crate::rules::<Gomoku>("gomoku:5,k=3").unwrap();
        for text in [
            "",
            "...../...../...../...../.....",
            "...../...../...../...../..... Z",
            "...../...../...../...../X.... X",
            "...../...../...../...../....x O",
            "...../...../...../OO.../XXX.. X",
            "OOO../...../OOO../...../XX.XX O",
            "X.X../OOO../XX.../...../OOO.. X",
        ] {
            assert!(Gomoku::parse(&rules, text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_position_is_112_bytes() {
        assert_eq!(size_of::<Gomoku>(), 112);
    }
}
