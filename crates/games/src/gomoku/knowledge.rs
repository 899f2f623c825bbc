//! Evaluation, static bounds and random playouts.

use super::{AXES, Cells, Gomoku, GomokuRules, LONGEST, PASSED};
use crate::board::bits::Bits;
use tesuji_core::{Bounds, Game, ImmediateWin, Knowledge, Outcome, Player, PlayoutContext, Trace};

impl Knowledge for Gomoku {
    fn null_move(&self) -> Option<Gomoku> {
        let passed = Gomoku { passed: !self.passed, key: self.key ^ PASSED, ..*self };
        (!self.is_over()).then_some(passed)
    }

    /// Lines of k cells that only one side can still fill, by the number of missing stones. The
    /// value grows fourfold with every stone, because one more stone may make a line that has to be
    /// answered. Lines with five or more missing stones are ignored. Overlines, which do not win
    /// without `free`, are not recognised.
    fn evaluation(&self, player: Player) -> Option<f32> {
        let value = |seat: usize| self.open_lines(&self.stones[seat], &self.stones[1 - seat]);
        let (own, other) = (value(player.index()), value(player.opponent().index()));
        // The side to move adds the next stone, worth half a step of the fourfold growth.
        let (own, other) = if self.to_move() == player { (2 * own, other) } else { (own, 2 * other) };
        // 200 points, about three lines with one stone missing, evaluate to 0.76 of a win.
        Some(((own - other) as f32 / 200.0).tanh() * 0.99)
    }

    /// A side to move that can complete a line wins. One that cannot loses if the opponent can
    /// complete a line in two cells. A side that has no line left to fill cannot win. Boards of
    /// more than 64 cells have no static bounds: they are too large to be solved.
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
            // Without `free` the line may be too long.
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

    fn immediate_win(&self) -> ImmediateWin<u16> {
        let stones = &self.stones[self.to_move().index()];
        if stones.count() + 1 < u32::from(self.rules.length) {
            return ImmediateWin::No;
        }
        let taken = self.stones[0] | self.stones[1];
        let mut empty = (0..self.rules.cells()).filter(|&cell| !taken.contains(cell));
        let found = empty.find(|&cell| self.wins_at(stones, cell as u16));
        found.map_or(ImmediateWin::No, |cell| ImmediateWin::Yes(cell as u16))
    }

    /// A threat of order l leaves the attacker at most l moves from a line, were the defender to
    /// pass.
    fn failing_order(&self, attacker: Player) -> usize {
        let (own, other) = (&self.stones[attacker.index()], &self.stones[attacker.opponent().index()]);
        let least = if self.to_move() == attacker { 2 } else { 1 };
        self.fewest_missing(own, other).saturating_sub(least)
    }

    /// The lines that the stone extends or blocks: long lines first, own lines before the
    /// opponent's; then the centre.
    fn move_order(&self, cell: u16) -> Option<i32> {
        let at = self.column_row(cell);
        let mover = self.to_move().index();
        let lengths = |seat: usize| {
            let lengths = AXES.into_iter().map(|axis| self.run(&self.stones[seat], at, axis).min(8));
            // Lines of one stone count as well, so that cells near other stones come first.
            lengths.map(|length| 1 << (2 * length)).sum::<i32>()
        };
        let (columns, rows) = (i32::from(self.rules.columns), i32::from(self.rules.rows));
        let from_centre = (2 * at.0 + 1 - columns).abs().max((2 * at.1 + 1 - rows).abs());
        Some(64 * (2 * lengths(mover) + lengths(1 - mover)) - from_centre)
    }

    /// Draws cells until one is empty; on a nearly full board, draws the index of an empty cell.
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
        let mut drawn = context.rng.below(cells - usize::from(self.plies)) as u32;
        for (index, word) in taken.0.into_iter().enumerate() {
            let free = !word;
            if drawn < free.count() {
                return (64 * index + free.nth(drawn as usize)) as u16;
            }
            drawn -= free.count();
        }
        unreachable!("a game that is not over has an empty cell")
    }

    /// Shuffles the empty cells as far as the game goes and fills them in that order.
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
            let carried = if bit + columns > 64 { taken.0[word + 1] << (64 - bit) } else { 0 };
            let taken = taken.0[word] >> bit | carried;
            for column in 0..columns {
                empty[left] = (row << 8 | column) as u16;
                left += (!taken >> column & 1) as usize;
            }
        }
        let mut lines = [LineBits([0; 128]), LineBits([0; 128])];
        for (lines, stones) in lines.iter_mut().zip(self.stones) {
            for (column, row) in stones.members().map(|cell| self.column_row(cell as u16)) {
                lines.add(LineBits::places(column as u8, row as u8));
            }
        }
        let steps = steps_to_run(u32::from(self.rules.length));
        let mut mover = self.to_move().index();
        let mut random = 0u64;
        for ply in 0..left.min(context.cap as usize) {
            // 32 random bits for a draw: the bias is below 361 / 2^32.
            random = if ply % 2 == 0 { context.rng.bits() } else { random >> 32 };
            let drawn = (((random & 0xffff_ffff) * (left - ply) as u64) >> 32) as usize;
            let [column, row] = empty[drawn].to_le_bytes();
            empty[drawn] = empty[left - ply - 1];
            trace.played(Player(mover as u8), u16::from(row) * columns as u16 + u16::from(column));
            let places = LineBits::places(column, row);
            let through = lines[mover].add(places);
            if has_run(through, steps) && LineBits::win(through, places, &self.rules) {
                return Outcome::win(Player(mover as u8));
            }
            mover = 1 - mover;
        }
        self.outcome_at_cap()
    }

    /// Alpha-beta won 70 to 100 of 100 games against the best tree searches tried, at 20 to 300 ms
    /// a move.
    fn auto_player(rules: &GomokuRules) -> &'static str {
        // Without static bounds the solver does not get far enough.
        if rules.cells() > 64 { "alphabeta" } else { "prove:[alphabeta]" }
    }
}

/// The value of a line that only one side can fill, by the number of missing stones.
pub const VALUES: [i32; 5] = [0, 64, 16, 4, 1];

/// The stones of a side as the bits of all lines: rows, columns, rising and falling diagonals. A
/// stone is bit `row` of its column and bit `column` of the other lines.
struct LineBits([u32; 128]);

impl LineBits {
    /// The four lines through a cell, and the bit of the cell in each.
    #[inline]
    fn places(column: u8, row: u8) -> [(usize, u32); 4] {
        let (x, y) = (usize::from(column), usize::from(row));
        let (column, row) = (u32::from(column), u32::from(row));
        [(y, column), (19 + x, row), (56 + x - y, column), (75 + x + y, column)]
    }

    /// Adds a stone and returns the lines through it.
    #[inline]
    fn add(&mut self, places: [(usize, u32); 4]) -> [u32; 4] {
        places.map(|(line, bit)| {
            self.0[line % 128] |= 1 << bit;
            self.0[line % 128]
        })
    }

    /// Whether one of the lines through a stone wins.
    fn win(through: [u32; 4], places: [(usize, u32); 4], rules: &GomokuRules) -> bool {
        through
            .into_iter()
            .zip(places)
            .any(|(line, (_, bit))| rules.wins((line >> bit).trailing_ones() + (line << (31 - bit)).leading_ones() - 1))
    }
}

/// The shifts that, each applied to a line and intersected with it, leave the runs of `length` or
/// more.
fn steps_to_run(length: u32) -> [u32; 5] {
    let mut run = 1;
    [(); 5].map(|()| {
        let step = run.min(length - run);
        run += step;
        step
    })
}

/// Whether any of the lines has a run of the length for which the steps were made.
#[inline]
fn has_run(lines: [u32; 4], steps: [u32; 5]) -> bool {
    let runs = steps.into_iter().fold(lines, |runs, step| runs.map(|run| run & run >> step));
    runs != [0; 4]
}

/// The lines of k cells along an axis that fit on a board. A line is named by its lowest cell.
struct Axis {
    /// The lowest cells of the lines in one row of the board; 0 if no line fits.
    row_of_lines: u64,
    /// The number of rows, from the bottom, in which lines begin.
    rows: usize,
    /// The distance in bits from one cell of a line to the next.
    step: u32,
}

impl Axis {
    fn all((columns, rows): (usize, usize), length: usize) -> [Axis; 4] {
        AXES.map(|(dx, dy)| {
            let (width, height) = (if dx == 0 { 1 } else { length }, if dy == 0 { 1 } else { length });
            let first_column = if dx < 0 { length - 1 } else { 0 };
            let row_of_lines = if width > columns { 0 } else { ((1u64 << (columns + 1 - width)) - 1) << first_column };
            Axis { row_of_lines, rows: (rows + 1).saturating_sub(height), step: (dy * columns as i32 + dx) as u32 }
        })
    }
}

/// The lines along an axis of a board of up to 64 cells.
struct SmallAxis {
    /// The lowest cell of each line.
    lines: u64,
    /// The distance in bits from one cell of a line to the next.
    step: u32,
}

impl SmallAxis {
    fn all((columns, rows): (usize, usize), length: usize) -> [SmallAxis; 4] {
        Axis::all((columns, rows), length).map(|axis| SmallAxis {
            lines: (0..axis.rows).fold(0, |all, row| all | axis.row_of_lines << (row * columns)),
            step: axis.step,
        })
    }

    /// Whether a line consists of these cells only.
    #[inline]
    fn can_be_filled(&self, length: u32, cells: u64) -> bool {
        self.lines != 0 && (0..length).fold(self.lines, |lines, cell| lines & cells >> (cell * self.step)) != 0
    }

    /// The free cells that are the only ones missing in a line.
    #[inline]
    fn completing(&self, length: u32, own: u64, free: u64) -> u64 {
        if self.lines == 0 {
            return 0;
        }
        // Lines all of whose cells so far are own, and those that lack one, by the index of that
        // cell.
        let (mut full, mut lacking) = (self.lines, [0u64; LONGEST]);
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
    /// The value of the lines that only `own` can fill, not counting those without a stone.
    pub fn open_lines(&self, own: &Cells, other: &Cells) -> i32 {
        let length = usize::from(self.rules.length);
        let value = |missing: [Cells; 5]| {
            let counts = missing.map(|lines| lines.count() as i32);
            (1..length.min(5)).map(|n| VALUES[n] * (counts[n] - counts[n - 1])).sum::<i32>()
        };
        self.lines_by_missing(own, other).map(value).sum()
    }

    /// The fewest stones that a line lacks which only `own` can fill; 5 if none lacks fewer.
    fn fewest_missing(&self, own: &Cells, other: &Cells) -> usize {
        let fewest = |missing: [Cells; 5]| missing.iter().position(|lines| !lines.is_empty()).unwrap_or(5);
        self.lines_by_missing(own, other).map(fewest).min().unwrap_or(5)
    }

    /// For every axis and n: the lines that lack at most n stones of `own` and hold none of
    /// `other`.
    fn lines_by_missing(&self, own: &Cells, other: &Cells) -> impl Iterator<Item = [Cells; 5]> {
        let length = usize::from(self.rules.length);
        let (columns, rows) = self.size();
        let (all_own, all_other) = (*own, *other);
        let axes = Axis::all((columns, rows), length).into_iter();
        axes.filter(|axis| axis.row_of_lines != 0 && axis.rows != 0).map(move |axis| {
            let mut lines = Cells::EMPTY;
            for row in 0..axis.rows {
                let (word, bit) = (row * columns / 64, row * columns % 64);
                lines.0[word] |= axis.row_of_lines << bit;
                if bit + columns > 64 {
                    lines.0[word + 1] |= axis.row_of_lines >> (64 - bit);
                }
            }
            // missing[n]: the lines in which at most n of the cells so far lack an own stone, and
            // none holds an opponent's.
            let mut missing = [lines; 5];
            let (mut own, mut other) = (all_own, all_other);
            for cell in 0..length {
                if cell > 0 {
                    (own, other) = (own >> axis.step, other >> axis.step);
                }
                for n in (1..5).rev() {
                    missing[n] = (missing[n] & own | missing[n - 1]) & !other;
                }
                missing[0] = missing[0] & own & !other;
            }
            missing
        })
    }
}
