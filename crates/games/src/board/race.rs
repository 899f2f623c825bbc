//! Races to the opponent's home row: Breakthrough and Knightthrough.
//!
//! Both sides fill the two rows next to them, White (W, first) the bottom ones, Black (B) the top
//! ones. Every move brings a piece closer to the far row, onto an empty cell or an opponent's
//! piece, which is captured. The first to reach the far row wins. A player to move who has no move,
//! or no piece left, loses. So there are no draws, positions cannot repeat, and the length of a
//! game is bounded.
//!
//! Moves are written `a2-a3`, captures too; a1 is at the lower left. Boards have 3 to 18 columns
//! and 4 to 8 rows.
//!
//! Cell 0 is a1, then b1 and so on, row by row without gaps, so that 8x8 fits into a `u64`. All
//! pieces of a side move at once by shifts; pieces that wrap around an edge are masked. Boards of
//! up to 64 cells are processed as `u64`, larger ones as three words.

#[cfg(test)]
mod tests;

use crate::board::bits::{Bits, Words};
use crate::board::diagram::{Diagram, stones_text, stones_view};
use std::fmt::Debug;
use std::marker::PhantomData;
use tesuji_core::time::TimeFacts;
use tesuji_core::view::{RowOne, Shape, cell_name};
use tesuji_core::{
    Bounds, Dialects, Facts, Game, ImmediateWin, Info, Knowledge, Length, Options, Outcome, Player, PlayoutContext,
    PositionError, Repetition, Rng, Rules, SpecError, Symmetry, Trace, View, symmetry,
};

/// The maximum number of columns.
pub const MAX_COLUMNS: usize = 18;
/// The maximum number of rows.
pub const MAX_ROWS: usize = 8;
const MIN_COLUMNS: usize = 3;
/// The minimum number of rows.
pub const MIN_ROWS: usize = 4;
/// The maximum number of cells.
pub const MAX_CELLS: usize = MAX_COLUMNS * MAX_ROWS;
/// The maximum number of directions of a piece.
const MAX_DIRECTIONS: usize = 4;
/// The maximum sideways distance of a move.
const MAX_ASIDE: usize = 2;

/// A set of cells of any board.
pub type Cells = Words<3>;

/// A direction in which a piece can move.
#[derive(Clone, Copy, Debug)]
pub struct Direction {
    /// Columns to the right (negative: left) as drawn, for both sides. All directions of a piece
    /// differ in this.
    pub aside: i8,
    /// Rows towards the far row.
    pub ahead: u8,
    /// Whether it can capture; if not, an opponent's piece blocks it.
    pub captures: bool,
}

/// The pieces of a race.
pub trait Steps: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// The description of the game.
    const INFO: Info;
    /// The default columns and rows.
    const SIZE: (u8, u8);
    /// The directions of a piece, at most four.
    const DIRECTIONS: &'static [Direction];
    /// On boards with more columns than this, a side with a piece left always has a move.
    const MAX_BLOCKED_COLUMNS: u8;

    /// The keys of the pieces, by side and cell, and the key of Black to move.
    fn keys() -> (&'static [[u64; MAX_CELLS]; 2], u64);

    /// See [`Rules::time_facts`]; `size` is columns and rows.
    fn time_facts(_size: (u8, u8)) -> TimeFacts {
        TimeFacts::default()
    }

    /// See [`Rules::dialects`]; `size` is columns and rows.
    fn dialects(_size: (u8, u8)) -> Dialects {
        Dialects::default()
    }

    /// See [`Knowledge::auto_player`]; `size` is columns and rows.
    fn auto_player(size: (u8, u8)) -> &'static str;

    /// See [`Knowledge::EVALUATIONS`].
    const EVALUATIONS: &'static [&'static str] = &[];
    /// See [`Knowledge::MOVE_ORDERS`].
    const MOVE_ORDERS: &'static [&'static str] = &[];

    /// See [`Knowledge::evaluation`].
    fn evaluation(position: &Race<Self>, player: Player) -> f32;

    /// See [`Knowledge::move_order`].
    fn move_order(position: &Race<Self>, step: Step) -> i32;

    /// See [`Knowledge::move_order_by`].
    #[inline]
    fn move_order_by(position: &Race<Self>, _number: usize, step: Step) -> i32 {
        Self::move_order(position, step)
    }

    /// The winner, if static bounds prove it; see [`Knowledge::static_bounds`].
    fn static_bounds(_position: &Race<Self>) -> Option<Player> {
        None
    }
}

/// A move from a cell to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(align(2))]
pub struct Step {
    /// The source.
    pub from: u8,
    /// The target.
    pub to: u8,
}

/// The size of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RaceRules<S> {
    columns: u8,
    rows: u8,
    steps: PhantomData<S>,
}

impl<S: Steps> RaceRules<S> {
    fn cells(&self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }
}

impl<S: Steps> Rules for RaceRules<S> {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let (columns, rows) = (MIN_COLUMNS as u8..=MAX_COLUMNS as u8, MIN_ROWS as u8..=MAX_ROWS as u8);
        let (columns, rows) = options.size(S::SIZE, columns, rows)?;
        Ok(RaceRules { columns, rows, steps: PhantomData })
    }

    /// Every move advances a piece by at least a row. Without winning, a piece of the back row can
    /// advance `rows - 2` rows and one of the front row `rows - 3`; one winning move may follow.
    fn facts(&self) -> Facts {
        let (columns, rows) = (u32::from(self.columns), u32::from(self.rows));
        Facts {
            players: 2,
            repetition: Repetition::Impossible,
            length: Length::Bounded(2 * columns * (2 * rows - 5) + 1),
            scores: (-1, 1),
            draws: false,
            units_per_point: 1,
            move_indices: self.cells() * S::DIRECTIONS.len(),
        }
    }

    fn dialects(&self) -> Dialects {
        S::dialects((self.columns, self.rows))
    }

    fn time_facts(&self) -> TimeFacts {
        S::time_facts((self.columns, self.rows))
    }
}

/// A position of a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race<S> {
    /// White's and Black's pieces.
    pieces: [Cells; 2],
    key: u64,
    rules: RaceRules<S>,
    to_move: Player,
    /// Whether the last move won.
    won: bool,
}

const LETTERS: &str = "WB";

/// For every board size, the cells on which a move by -2 to 2 columns can end.
static ENDS: [[[Cells; 2 * MAX_ASIDE + 1]; MAX_ROWS - MIN_ROWS + 1]; MAX_COLUMNS - MIN_COLUMNS + 1] = ends();

const fn ends() -> [[[Cells; 2 * MAX_ASIDE + 1]; MAX_ROWS - MIN_ROWS + 1]; MAX_COLUMNS - MIN_COLUMNS + 1] {
    let mut all = [[[Words([0; 3]); 2 * MAX_ASIDE + 1]; MAX_ROWS - MIN_ROWS + 1]; MAX_COLUMNS - MIN_COLUMNS + 1];
    let mut columns = MIN_COLUMNS;
    while columns <= MAX_COLUMNS {
        let mut rows = MIN_ROWS;
        while rows <= MAX_ROWS {
            let mut aside = 0;
            while aside <= 2 * MAX_ASIDE {
                let mut cell = 0;
                while cell < columns * rows {
                    let begin = cell % columns + MAX_ASIDE;
                    if aside <= begin && begin - aside < columns {
                        all[columns - MIN_COLUMNS][rows - MIN_ROWS][aside].0[cell / 64] |= 1 << (cell % 64);
                    }
                    cell += 1;
                }
                aside += 1;
            }
            rows += 1;
        }
        columns += 1;
    }
    all
}

/// For every board size, the far row of White and of Black.
static FAR_ROWS: [[[Cells; 2]; MAX_ROWS - MIN_ROWS + 1]; MAX_COLUMNS - MIN_COLUMNS + 1] = {
    let mut all = [[[Words([0; 3]); 2]; MAX_ROWS - MIN_ROWS + 1]; MAX_COLUMNS - MIN_COLUMNS + 1];
    let mut columns = MIN_COLUMNS;
    while columns <= MAX_COLUMNS {
        let mut rows = MIN_ROWS;
        while rows <= MAX_ROWS {
            let mut column = 0;
            while column < columns {
                let top = (rows - 1) * columns + column;
                all[columns - MIN_COLUMNS][rows - MIN_ROWS][0].0[top / 64] |= 1 << (top % 64);
                all[columns - MIN_COLUMNS][rows - MIN_ROWS][1].0[0] |= 1 << column;
                column += 1;
            }
            rows += 1;
        }
        columns += 1;
    }
    all
};

/// A bit set that holds a board.
trait Board: Bits {
    fn of(cells: Cells) -> Self;
}

impl Board for u64 {
    #[inline]
    fn of(cells: Cells) -> u64 {
        cells.0[0]
    }
}

impl Board for Cells {
    #[inline]
    fn of(cells: Cells) -> Cells {
        cells
    }
}

/// The moves of a side: for each direction, the target cells.
struct MoveSet<B> {
    ends: [B; MAX_DIRECTIONS],
    /// The distance from source to target in cells; backwards for Black.
    lengths: [u8; MAX_DIRECTIONS],
    black: bool,
}

impl<B: Board> MoveSet<B> {
    /// The number of moves.
    #[inline]
    fn count(&self) -> usize {
        self.ends.iter().map(|ends| ends.count() as usize).sum()
    }

    /// The move of the given length that ends on a cell.
    #[inline]
    fn step(&self, length: u8, to: usize) -> Step {
        let to = to as u8;
        Step { from: if self.black { to + length } else { to - length }, to }
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.ends.iter().fold(B::EMPTY, |all, &ends| all | ends).is_empty()
    }

    /// Draws a move uniformly; there must be one. Selects the direction with conditional moves, as
    /// a branch would often be mispredicted.
    #[inline]
    fn draw(&self, rng: &mut Rng) -> Step {
        let mut total = 0;
        let before = self.ends.map(|ends| {
            total += ends.count() as usize;
            total - ends.count() as usize
        });
        let drawn = rng.below(total);
        let (mut ends, mut length, mut skipped) = (B::EMPTY, 0, 0);
        for entry in self.ends.into_iter().zip(self.lengths).zip(before) {
            if drawn >= entry.1 {
                ((ends, length), skipped) = entry;
            }
        }
        self.step(length, ends.nth(drawn - skipped))
    }
}

impl<S: Steps> Race<S> {
    /// Returns columns and rows.
    #[inline]
    pub fn size(&self) -> (usize, usize) {
        (usize::from(self.rules.columns), usize::from(self.rules.rows))
    }

    /// Returns the number of pieces of a side on each row, its home row first.
    pub fn by_advance(&self, player: Player) -> [i32; MAX_ROWS] {
        let (columns, rows) = self.size();
        let mut counts = [0; MAX_ROWS];
        for (row, count) in counts.iter_mut().take(rows).enumerate() {
            let row = if player == Player::FIRST { row } else { rows - 1 - row };
            let (word, bit) = (row * columns / 64, row * columns % 64);
            let mut cells = self.pieces[player.index()].0[word] >> bit;
            if bit + columns > 64 {
                cells |= self.pieces[player.index()].0[word + 1] << (64 - bit);
            }
            *count = (cells & ((1 << columns) - 1)).count() as i32;
        }
        counts
    }

    /// Returns the distance in rows of a cell from a side's home row.
    #[inline]
    pub fn advance(&self, player: Player, cell: u8) -> u8 {
        let row = cell / self.rules.columns;
        if player == Player::FIRST { row } else { self.rules.rows - 1 - row }
    }

    /// Whether a cell is on the row that a side wants to reach, without a division for `play`.
    #[inline]
    fn is_on_far_row(&self, player: Player, cell: u8) -> bool {
        let (columns, rows) = (self.rules.columns, self.rules.rows);
        if player == Player::FIRST { cell >= (rows - 1) * columns } else { cell < columns }
    }

    /// Returns whether a move captures.
    #[inline]
    pub fn is_capture(&self, step: Step) -> bool {
        self.pieces[self.to_move.opponent().index()].contains(usize::from(step.to))
    }

    /// Returns the pieces of a side, on boards of up to 64 cells.
    #[inline]
    pub fn cells(&self, player: Player) -> Option<u64> {
        self.fits_u64().then(|| u64::of(self.pieces[player.index()]))
    }

    #[inline]
    fn fits_u64(&self) -> bool {
        self.rules.cells() <= 64
    }

    #[inline]
    fn seat_at(&self, column: usize, row_from_top: usize) -> Option<usize> {
        let (columns, rows) = self.size();
        self.pieces.iter().position(|pieces| pieces.contains((rows - 1 - row_from_top) * columns + column))
    }

    #[inline]
    fn name(&self, cell: u8) -> String {
        cell_name(usize::from(cell % self.rules.columns), usize::from(cell / self.rules.columns) + 1)
    }

    /// The piece of the side that moved last on its far row, which ends the game.
    fn arrived(&self) -> Option<u8> {
        let mut cells = self.pieces[self.to_move.opponent().index()].members().map(|cell| cell as u8);
        cells.find(|&cell| self.is_on_far_row(self.to_move.opponent(), cell))
    }

    // Always inlined: the caller needs only the counts or only the moves.
    #[inline(always)]
    fn moves_of<B: Board>(&self, [mine, theirs]: [B; 2], black: bool) -> MoveSet<B> {
        let (columns, rows) = self.size();
        let ends = &ENDS[columns - MIN_COLUMNS][rows - MIN_ROWS];
        let mut moves = MoveSet { ends: [B::EMPTY; MAX_DIRECTIONS], lengths: [0; MAX_DIRECTIONS], black };
        for (at, direction) in S::DIRECTIONS.iter().enumerate() {
            let (rows_on, aside) = (u32::from(direction.ahead) * columns as u32, i32::from(direction.aside));
            let length = rows_on.wrapping_add_signed(if black { -aside } else { aside });
            let moved = if black { mine >> length } else { mine << length };
            let blocked = if direction.captures { mine } else { mine | theirs };
            moves.ends[at] = moved & B::of(ends[(aside + MAX_ASIDE as i32) as usize]) & !blocked;
            moves.lengths[at] = length as u8;
        }
        moves
    }

    #[inline]
    fn moves_now<B: Board>(&self) -> MoveSet<B> {
        let [mine, theirs] = [self.to_move, self.to_move.opponent()].map(|side| B::of(self.pieces[side.index()]));
        self.moves_of([mine, theirs], self.to_move == Player::SECOND)
    }

    /// A move that reaches the far row or captures the last piece. On boards where a side with a
    /// piece left may have no move, there are other ways to win.
    #[inline]
    fn winning_step<B: Board>(&self) -> ImmediateWin<Step> {
        let moves = self.moves_now::<B>();
        let (columns, rows) = self.size();
        let theirs = B::of(self.pieces[self.to_move.opponent().index()]);
        let goal = FAR_ROWS[columns - MIN_COLUMNS][rows - MIN_ROWS][self.to_move.index()];
        let is_last = theirs.without_lowest().is_empty();
        let goal = if is_last { B::of(goal) | theirs } else { B::of(goal) };
        for (&ends, length) in moves.ends.iter().zip(moves.lengths) {
            let wins = ends & goal;
            if !wins.is_empty() {
                return ImmediateWin::Yes(moves.step(length, wins.lowest()));
            }
        }
        if self.rules.columns <= S::MAX_BLOCKED_COLUMNS { ImmediateWin::Unknown } else { ImmediateWin::No }
    }

    /// Whether the side to move has a legal move.
    #[inline]
    fn can_move(&self) -> bool {
        !self.pieces[self.to_move.index()].is_empty()
            && (self.rules.columns > S::MAX_BLOCKED_COLUMNS || self.can_move_on_narrow_board())
    }

    // Never inlined: `play` on wider boards needs the registers.
    #[inline(never)]
    fn can_move_on_narrow_board(&self) -> bool {
        !self.moves_now::<Cells>().is_empty()
    }

    fn key_of(&self) -> u64 {
        let (keys, black_to_move) = S::keys();
        let mut key = if self.to_move == Player::SECOND { black_to_move } else { 0 };
        for (pieces, keys) in self.pieces.iter().zip(keys) {
            key = pieces.members().fold(key, |key, cell| key ^ keys[cell]);
        }
        key
    }

    #[inline]
    fn legal_moves_on<B: Board>(&self, moves: &mut Vec<Step>) {
        let targets = self.moves_now::<B>();
        for at in 0..S::DIRECTIONS.len() {
            moves.extend(targets.ends[at].members().map(|to| targets.step(targets.lengths[at], to)));
        }
    }

    /// A playout on the narrowest set that holds the board, with two sets as its only state.
    #[inline]
    fn playout_on<B: Board, T: Trace<Step>>(&self, context: &mut PlayoutContext<Step>, trace: &mut T) -> Outcome {
        let [mut white, mut black] = self.pieces.map(B::of);
        let mut mover = self.to_move;
        for _ in 0..context.cap {
            let (won, step) = if mover == Player::FIRST {
                self.random_turn::<B, false>(&mut white, &mut black, &mut context.rng)
            } else {
                self.random_turn::<B, true>(&mut black, &mut white, &mut context.rng)
            };
            trace.played(mover, step);
            if won {
                return Outcome::win(mover);
            }
            mover = mover.opponent();
        }
        self.outcome_at_cap()
    }

    /// Plays a random move and returns whether it won. Compiled for each side, so that the shifts
    /// have a constant direction.
    #[inline]
    fn random_turn<B: Board, const BLACK: bool>(&self, mine: &mut B, theirs: &mut B, rng: &mut Rng) -> (bool, Step) {
        let step = self.moves_of([*mine, *theirs], BLACK).draw(rng);
        let end = B::single(usize::from(step.to));
        *mine = (*mine ^ B::single(usize::from(step.from))) | end;
        *theirs &= !end;
        let won = self.is_on_far_row(if BLACK { Player::SECOND } else { Player::FIRST }, step.to)
            || theirs.is_empty()
            || (self.rules.columns <= S::MAX_BLOCKED_COLUMNS && self.moves_of([*theirs, *mine], !BLACK).is_empty());
        (won, step)
    }

    fn transformed_cell(&self, cell: usize, symmetry: Symmetry) -> usize {
        let (columns, _) = self.size();
        let (column, row) = symmetry.apply((cell % columns, cell / columns), self.size());
        row * columns + column
    }
}

impl<S: Steps> Game for Race<S> {
    type Move = Step;
    type Rules = RaceRules<S>;
    const INFO: Info = S::INFO;

    fn start(rules: &RaceRules<S>) -> Race<S> {
        let mut start = Race { pieces: [Cells::EMPTY; 2], key: 0, rules: *rules, to_move: Player::FIRST, won: false };
        let army = 2 * usize::from(rules.columns);
        for cell in 0..army {
            start.pieces[0] |= Cells::single(cell);
            start.pieces[1] |= Cells::single(rules.cells() - 1 - cell);
        }
        start.key = start.key_of();
        start
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.won
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.won.then(|| Outcome::win(self.to_move.opponent()))
    }

    fn ending_reason(&self) -> Option<&'static str> {
        if !self.won {
            return None;
        }
        let is_bare = self.pieces[self.to_move.index()].is_empty();
        Some(match self.arrived() {
            Some(_) => "reached the far row",
            None if is_bare => "last piece captured",
            None => "no moves left",
        })
    }

    fn winning_cells(&self) -> Vec<String> {
        self.arrived().map(|cell| self.name(cell)).into_iter().collect()
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<Step>) {
        if self.won {
            return;
        }
        if self.fits_u64() { self.legal_moves_on::<u64>(moves) } else { self.legal_moves_on::<Cells>(moves) }
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<Step>) -> usize {
        if self.won {
            return 0;
        }
        if self.fits_u64() { self.moves_now::<u64>().count() } else { self.moves_now::<Cells>().count() }
    }

    #[inline]
    fn play(&mut self, step: Step) {
        let (from, to) = (usize::from(step.from), usize::from(step.to));
        let (keys, black_to_move) = S::keys();
        let (mover, other) = (self.to_move, self.to_move.opponent());
        self.pieces[mover.index()].0[from / 64] ^= 1 << (from % 64);
        self.pieces[mover.index()].0[to / 64] ^= 1 << (to % 64);
        self.key ^= keys[mover.index()][from] ^ keys[mover.index()][to] ^ black_to_move;
        if self.pieces[other.index()].contains(to) {
            self.pieces[other.index()].0[to / 64] ^= 1 << (to % 64);
            self.key ^= keys[other.index()][to];
        }
        self.to_move = other;
        self.won = self.is_on_far_row(mover, step.to) || !self.can_move();
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn text(&self) -> String {
        stones_text(self.size(), LETTERS, self.to_move, |column, row| self.seat_at(column, row))
    }

    fn parse(rules: &RaceRules<S>, text: &str) -> Result<Race<S>, PositionError> {
        let mut position = Race::start(rules);
        let (columns, rows) = position.size();
        let diagram = Diagram::parse(text, (columns, rows), "WB.", 1)?;
        position.to_move = Player(diagram.side(0, LETTERS)?);
        position.pieces = [Cells::EMPTY; 2];
        for row in 0..rows {
            for column in 0..columns {
                if let Some(seat) = LETTERS.find(diagram.at(column, rows - 1 - row)) {
                    position.pieces[seat] |= Cells::single(row * columns + column);
                }
            }
        }
        if position.pieces.iter().any(|pieces| pieces.count() as usize > 2 * columns) {
            return Err(diagram.error(format!("a side has at most {} pieces", 2 * columns)));
        }
        let (mover, last) = (position.to_move, position.to_move.opponent());
        if position.pieces[last.index()].is_empty() {
            return Err(diagram.error("the side that moved last has no piece"));
        }
        let arrived = |side| position.by_advance(side)[rows - 1];
        if arrived(mover) > 0 {
            return Err(diagram.error("the side to move is already on the far row"));
        }
        if arrived(last) > 1 {
            return Err(diagram.error("a side has at most one piece on the far row, as the first one ends the game"));
        }
        position.won = arrived(last) == 1 || !position.can_move();
        position.key = position.key_of();
        Ok(position)
    }

    fn move_text(&self, step: Step) -> String {
        format!("{}-{}", self.name(step.from), self.name(step.to))
    }

    /// The source and the direction of the move.
    #[inline]
    fn move_index(&self, step: Step) -> usize {
        let column = |cell: u8| (cell % self.rules.columns) as i8;
        let aside = column(step.to) - column(step.from);
        let direction =
            S::DIRECTIONS.iter().position(|direction| direction.aside == aside).expect("a move of these rules");
        usize::from(step.from) * S::DIRECTIONS.len() + direction
    }

    fn view(&self) -> View {
        stones_view(Shape::Square, self.size(), RowOne::Bottom, LETTERS, |column, row| self.seat_at(column, row))
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        symmetry::MIRROR
    }

    fn transformed(&self, symmetry: Symmetry) -> Race<S> {
        let map = |pieces: Cells| {
            pieces
                .members()
                .fold(Cells::EMPTY, |image, cell| image | Cells::single(self.transformed_cell(cell, symmetry)))
        };
        let mut image = Race { pieces: self.pieces.map(map), ..*self };
        image.key = image.key_of();
        image
    }

    fn transformed_move(&self, step: Step, symmetry: Symmetry) -> Step {
        let map = |cell: u8| self.transformed_cell(usize::from(cell), symmetry) as u8;
        Step { from: map(step.from), to: map(step.to) }
    }
}

impl<S: Steps> Knowledge for Race<S> {
    const EVALUATIONS: &'static [&'static str] = S::EVALUATIONS;
    const MOVE_ORDERS: &'static [&'static str] = S::MOVE_ORDERS;

    fn evaluation(&self, player: Player) -> Option<f32> {
        Some(S::evaluation(self, player))
    }

    #[inline]
    fn move_order(&self, step: Step) -> Option<i32> {
        Some(S::move_order(self, step))
    }

    #[inline]
    fn move_order_by(&self, number: usize, step: Step) -> Option<i32> {
        Some(S::move_order_by(self, number, step))
    }

    fn null_move(&self) -> Option<Race<S>> {
        let mut passed = Race { to_move: self.to_move.opponent(), key: self.key ^ S::keys().1, ..*self };
        passed.won = !passed.can_move();
        (!self.won).then_some(passed)
    }

    #[inline]
    fn immediate_win(&self) -> ImmediateWin<Step> {
        if self.fits_u64() { self.winning_step::<u64>() } else { self.winning_step::<Cells>() }
    }

    #[inline]
    fn static_bounds(&self, player: Player) -> Option<Bounds> {
        S::static_bounds(self).map(|winner| Bounds::won_by(winner, player))
    }

    #[inline]
    fn is_forcing(&self, step: Step) -> Option<bool> {
        Some(self.is_capture(step))
    }

    #[inline]
    fn playout_move(&self, context: &mut PlayoutContext<Step>) -> Step {
        if self.fits_u64() {
            self.moves_now::<u64>().draw(&mut context.rng)
        } else {
            self.moves_now::<Cells>().draw(&mut context.rng)
        }
    }

    #[inline]
    fn playout<T: Trace<Step>>(&mut self, context: &mut PlayoutContext<Step>, trace: &mut T) -> Outcome {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        if self.fits_u64() {
            self.playout_on::<u64, T>(context, trace)
        } else {
            self.playout_on::<Cells, T>(context, trace)
        }
    }

    fn auto_player(rules: &RaceRules<S>) -> &'static str {
        S::auto_player((rules.columns, rules.rows))
    }
}
