//! Connect-4.
//!
//! Players drop discs in turn into the columns of an upright board, 7 wide and 6 high. A disc falls
//! to the lowest free cell. The first to have four in a row, in a column, a row or a diagonal,
//! wins; a full board without a four is a draw. Red (X) moves first, then Yellow (O). Moves are
//! written as the number of the column, `1` to `7` from the left.
//!
//! Variants: any board from 1x1 to 10x9.
//!
//! Solved: 7x6 is won by the first player, starting in the centre column (Allen 1988; Allis 1988).
//! Tromp lists other sizes.
//!
//! A board is one bit set, column by column, each with an unused bit on top so that rows and
//! diagonals do not wrap around the edge (Tromp; Pons). Boards of up to 64 such bits are processed
//! as `u64`, larger ones as `u128`.

use crate::board::bits::Bits;
use crate::board::diagram::{Diagram, stones_text, stones_view};
use tesuji_core::look::{BoardStyle, ClickReach, Tone};
use tesuji_core::time::TimeFacts;
use tesuji_core::view::{RowOne, Shape, cell_name};
use tesuji_core::{
    Bounds, Facts, Game, ImmediateWin, Info, Knowledge, Length, Look, Options, Outcome, Player, PlayoutContext,
    PositionError, Repetition, Rules, SpecError, Symmetry, Trace, View, symmetry, zobrist,
};

/// The size of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Connect4Rules {
    columns: u8,
    rows: u8,
}

impl Rules for Connect4Rules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let (columns, rows) = options.size((7, 6), 1..=10, 1..=9)?;
        Ok(Connect4Rules { columns, rows })
    }

    fn facts(&self) -> Facts {
        Facts {
            players: 2,
            repetition: Repetition::Impossible,
            length: Length::Bounded(u32::from(self.columns) * u32::from(self.rows)),
            scores: (-1, 1),
            draws: true,
            units_per_point: 1,
            move_indices: usize::from(self.columns),
        }
    }

    fn time_facts(&self) -> TimeFacts {
        let is_standard = (self.columns, self.rows) == (7, 6);
        let table = if is_standard { include_str!("time_tables/connect4.txt") } else { "" };
        // The f = 5 of Baier (2015) scores 42 % of 200 games here, f = 2 scores 55 % of 100.
        TimeFacts { table, manager: "stop:f=2,p=0.9" }
    }
}

/// A position of Connect-4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Connect4 {
    /// The discs of the side to move.
    mine: u128,
    /// All discs.
    all: u128,
    key: u64,
    rules: Connect4Rules,
    plies: u8,
    /// Whether the last move made a four.
    won: bool,
}

const LETTERS: &str = "XO";
static KEYS: [[u64; 128]; 2] = [zobrist::keys(0x10), zobrist::keys(0x11)];

/// A hash of the discs. The side to move follows from their number.
fn key_of(by_seat: [u128; 2]) -> u64 {
    let keys = |seat: usize| by_seat[seat].members().fold(0, |key, cell| key ^ KEYS[seat][cell]);
    keys(0) ^ keys(1)
}

/// Whether a set of discs has four in a row. `stride` is the height of the board plus one. Tests
/// all four directions without a branch, which is cheaper than a misprediction.
#[inline(always)]
fn has_four<B: Bits>(discs: B, stride: u32) -> bool {
    let mut fours = B::EMPTY;
    for step in [1, stride - 1, stride, stride + 1] {
        // On a board one row high the falling diagonal would be a shift by 0, which finds fours
        // everywhere.
        let step = step.max(1);
        let pairs = discs & (discs >> step);
        fours |= pairs & (pairs >> (2 * step));
    }
    !fours.is_empty()
}

/// The discs that are part of four in a row.
fn fours(discs: u128, stride: u32) -> u128 {
    [1, stride - 1, stride, stride + 1].into_iter().fold(0, |cells, step| {
        let pairs = discs & (discs >> step);
        let first = pairs & (pairs >> (2 * step));
        cells | first | first << step | first << (2 * step) | first << (3 * step)
    })
}

/// The cells that complete four in a row for a set of discs. May include taken cells and cells off
/// the board.
#[inline(always)]
fn completing<B: Bits>(discs: B, stride: u32) -> B {
    // Three on top of each other.
    let mut cells = (discs << 1) & (discs << 2) & (discs << 3);
    for step in [stride - 1, stride, stride + 1] {
        let up = (discs << step) & (discs << (2 * step));
        let down = (discs >> step) & (discs >> (2 * step));
        cells |= up & ((discs << (3 * step)) | (discs >> step));
        cells |= down & ((discs >> (3 * step)) | (discs << step));
    }
    cells
}

/// The lowest cells of all columns, by number of columns and rows.
static BOTTOMS: [[u128; 10]; 11] = {
    let mut bottoms = [[0; 10]; 11];
    let mut columns = 1;
    while columns <= 10 {
        let mut rows = 1;
        while rows <= 9 {
            bottoms[columns][rows] = bottoms[columns - 1][rows] | 1 << ((columns - 1) * (rows + 1));
            rows += 1;
        }
        columns += 1;
    }
    bottoms
};

impl Connect4 {
    #[inline]
    fn stride(&self) -> u32 {
        u32::from(self.rules.rows) + 1
    }

    #[inline]
    fn fits_u64(&self) -> bool {
        u32::from(self.rules.columns) * self.stride() <= 64
    }

    #[inline]
    fn top(&self, column: u32) -> u32 {
        column * self.stride() + u32::from(self.rules.rows) - 1
    }

    #[inline(never)]
    fn play_on_any_board(&mut self, column: u8) {
        let bottom = u128::single((u32::from(column) * self.stride()) as usize);
        let disc = (self.all + bottom) & !self.all;
        let moved = self.mine | disc;
        self.won = if self.fits_u64() { has_four(moved as u64, self.stride()) } else { has_four(moved, self.stride()) };
        self.key ^= KEYS[self.to_move().index()][disc.lowest()];
        self.mine ^= self.all;
        self.all |= disc;
        self.plies += 1;
    }

    /// The discs of the side to move, all discs, the lowest cells of the columns, and all cells.
    #[inline]
    fn sets(&self) -> [u128; 4] {
        let (columns, rows) = self.size();
        let bottom = BOTTOMS[columns][rows];
        [self.mine, self.all, bottom, (bottom << rows) - bottom]
    }

    /// A playout, on the standard size with constants.
    #[inline(always)]
    fn random_playout<T: Trace<u8>, const WINS: bool>(
        &self,
        context: &mut PlayoutContext<u8>,
        trace: &mut T,
    ) -> Outcome {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        let size = (u32::from(self.rules.columns), u32::from(self.rules.rows));
        let sets = if WINS { self.sets() } else { [self.mine, self.all, 0, 0] };
        let narrow = sets.map(|set| set as u64);
        if size == (7, 6) {
            self.playout_on::<_, T, WINS>((7, 6), narrow, u64::wrapping_add, context, trace)
        } else if self.fits_u64() {
            self.playout_on::<_, T, WINS>(size, narrow, u64::wrapping_add, context, trace)
        } else {
            self.playout_on::<_, T, WINS>(size, sets, u128::wrapping_add, context, trace)
        }
    }

    fn is_full(&self) -> bool {
        u16::from(self.plies) == u16::from(self.rules.columns) * u16::from(self.rules.rows)
    }

    fn size(&self) -> (usize, usize) {
        (usize::from(self.rules.columns), usize::from(self.rules.rows))
    }

    /// The discs of the first and the second player.
    fn by_seat(&self) -> [u128; 2] {
        let other = self.all ^ self.mine;
        if self.to_move() == Player::FIRST { [self.mine, other] } else { [other, self.mine] }
    }

    fn seat_at(&self, column: usize, row_from_top: usize) -> Option<usize> {
        let cell = column * self.stride() as usize + self.size().1 - 1 - row_from_top;
        self.by_seat().iter().position(|discs| discs.contains(cell))
    }

    /// The bounds of the side to move. `bottom` holds the lowest cells of the columns, `board` all
    /// cells.
    #[inline(always)]
    fn static_bounds_on<B: Bits>(&self, [mine, all, bottom, board]: [B; 4], add: impl Fn(B, B) -> B) -> Bounds {
        let stride = self.stride();
        let (theirs, free) = (mine ^ all, board & !all);
        let exact = |score| Bounds::exact(self.to_move(), score);
        // The lowest free cell of each column.
        let playable = add(all, bottom) & board;
        if !(completing(mine, stride) & playable).is_empty() {
            return exact(1);
        }
        let threats = completing(theirs, stride) & free;
        let forced = threats & playable;
        // A disc below a cell where the opponent completes a four lets it do so.
        let replies = if forced.is_empty() { playable } else { forced } & !(threats >> 1);
        if replies.is_empty() || !forced.without_lowest().is_empty() {
            return exact(-1);
        }
        let can_win = |discs: B, cells: B| has_four(discs | cells, stride);
        let mut bounds = Bounds {
            player: self.to_move(),
            at_least: if can_win(theirs, free) { -1 } else { 0 },
            at_most: if can_win(mine, free) { 1 } else { 0 },
        };
        // Every second row from the top down: the cells that a follow-up player gets.
        let follow_up = (0..self.rules.rows)
            .rev()
            .step_by(2)
            .fold(B::EMPTY, |rows, row| rows | (if row == 0 { bottom } else { bottom << u32::from(row) }));
        let odd_columns = playable & follow_up;
        if odd_columns.is_empty() {
            if !can_win(mine, free & !follow_up) {
                bounds.at_most = if can_win(theirs, free & follow_up) { -1 } else { 0 };
            }
        } else if odd_columns.without_lowest().is_empty() && !can_win(theirs, free & !follow_up) {
            bounds.at_least = if can_win(mine, free & follow_up) { 1 } else { 0 };
        }
        bounds
    }

    /// A playout on the narrowest set that holds the board. Draws columns until one is not full,
    /// which is uniform over the legal moves. Always inlined, so that the standard size becomes
    /// constants.
    ///
    /// With `WINS`, a cell that completes a four is taken at once; the last two sets, the lowest
    /// cells and all cells, are read only then.
    #[inline(always)]
    fn playout_on<B: Bits, T: Trace<u8>, const WINS: bool>(
        &self,
        (columns, rows): (u32, u32),
        [mut mine, mut all, bottom, board]: [B; 4],
        add: impl Fn(B, B) -> B,
        context: &mut PlayoutContext<u8>,
        trace: &mut T,
    ) -> Outcome {
        let stride = rows + 1;
        let (mut random, mut draws_left) = (0u64, 0);
        // A local copy stays in registers.
        let mut rng = context.rng.clone();
        let mut outcome = Outcome::draw(2);
        for ply in u32::from(self.plies)..columns * rows {
            if WINS {
                let wins = completing(mine, stride) & add(all, bottom) & board;
                if !wins.is_empty() {
                    let player = Player((ply % 2) as u8);
                    trace.played(player, (wins.lowest() as u32 / stride) as u8);
                    outcome = Outcome::win(player);
                    break;
                }
            }
            let column = loop {
                if draws_left == 0 {
                    random = rng.bits();
                    draws_left = DRAWS;
                }
                // The random number is a fraction, whose digits in base `columns` are the draws.
                let digits = u128::from(random) * u128::from(columns);
                let column = (digits >> 64) as u32;
                random = digits as u64;
                draws_left -= 1;
                if !all.contains((column * stride + rows - 1) as usize) {
                    break column;
                }
            };
            trace.played(Player((ply % 2) as u8), column as u8);
            let disc = add(all, B::single((column * stride) as usize)) & !all;
            let moved = mine | disc;
            if has_four(moved, stride) {
                outcome = Outcome::win(Player((ply % 2) as u8));
                break;
            }
            mine ^= all;
            all |= disc;
        }
        context.rng = rng;
        outcome
    }
}

/// The columns that a playout draws from one random number. Eight digits in base 10 are 27 bits of
/// 64, so their bias is below 2^-37.
const DRAWS: u32 = 8;

/// The rules as people read them.
const RULES: &str = "\
    Red and Yellow take turns; Red moves first. A move drops a disc into a column of an upright board, 7 columns \
    wide and 6 rows high unless another size is chosen. The disc falls to the lowest free cell. A full column \
    cannot be played.\n\n\
    The first player with four discs in a row, a column or a diagonal wins; longer lines win too. A full board \
    without such a line is a draw.\n\n\
    A move is written as the number of its column from the left: on the standard board 4 is the middle column. In \
    text, Red is X and Yellow is O.";

impl Game for Connect4 {
    type Move = u8;
    type Rules = Connect4Rules;
    const INFO: Info = Info {
        goal: "Get four discs in a row, a column or a diagonal. Choose a column to drop a disc.",
        rules: RULES,
        solved: "7x6: first player wins (Allen 1988, Allis 1988)",
        look: Look {
            board: BoardStyle::Holes,
            tones: &[Tone::Red, Tone::Yellow],
            reach: ClickReach::Column,
            ..Look::DEFAULT
        },
        ..Info::new("connect4", "Connect-4", &["Red", "Yellow"])
    };

    fn start(rules: &Connect4Rules) -> Connect4 {
        Connect4 { mine: 0, all: 0, key: 0, rules: *rules, plies: 0, won: false }
    }

    #[inline]
    fn to_move(&self) -> Player {
        Player(self.plies & 1)
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.won || self.is_full()
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.won {
            Some(Outcome::win(self.to_move().opponent()))
        } else if self.is_full() {
            Some(Outcome::draw(2))
        } else {
            None
        }
    }

    fn ending_reason(&self) -> Option<&'static str> {
        if self.won { Some("four in a row") } else { self.is_over().then_some("board full") }
    }

    fn winning_cells(&self) -> Vec<String> {
        if !self.won {
            return Vec::new();
        }
        let stride = self.stride() as usize;
        let cells = fours(self.all ^ self.mine, self.stride());
        cells.members().map(|cell| cell_name(cell / stride, cell % stride + 1)).collect()
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<u8>) {
        if !self.won {
            let open = |&column: &u8| !self.all.contains(self.top(u32::from(column)) as usize);
            moves.extend((0..self.rules.columns).filter(open));
        }
    }

    #[inline]
    fn play(&mut self, column: u8) {
        if (self.rules.columns, self.rules.rows) != (7, 6) {
            return self.play_on_any_board(column);
        }
        // The standard size with constants, in half as many bits.
        let (mine, all) = (self.mine as u64, self.all as u64);
        let disc = (all + u64::single(usize::from(column) * 7)) & !all;
        self.won = has_four(mine | disc, 7);
        self.key ^= KEYS[self.to_move().index()][disc.lowest()];
        self.mine = u128::from(mine ^ all);
        self.all = u128::from(all | disc);
        self.plies += 1;
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn text(&self) -> String {
        stones_text(self.size(), LETTERS, self.to_move(), |column, row| self.seat_at(column, row))
    }

    fn parse(rules: &Connect4Rules, text: &str) -> Result<Connect4, PositionError> {
        let mut position = Connect4::start(rules);
        let (columns, rows) = position.size();
        let diagram = Diagram::parse(text, (columns, rows), "XO.", 1)?;
        let side = usize::from(diagram.side(0, LETTERS)?);
        let mut discs = [0u128; 2];
        for column in 0..columns {
            let mut floating = false;
            for row in (0..rows).rev() {
                match LETTERS.find(diagram.at(column, row)) {
                    None => floating = true,
                    Some(_) if floating => return Err(diagram.error("a disc has an empty cell below it")),
                    Some(seat) => discs[seat] |= u128::single(column * position.stride() as usize + rows - 1 - row),
                }
            }
        }
        let counts = discs.map(Bits::count);
        if counts[0] != counts[1] + side as u32 {
            return Err(diagram.error(format!(
                "X has {} discs and O {}: not {} to move",
                counts[0],
                counts[1],
                &LETTERS[side..=side]
            )));
        }
        let four = discs.map(|discs| has_four(discs, position.stride()));
        if four[side] {
            return Err(diagram.error("the side to move has a four already"));
        }
        position.key = key_of(discs);
        position.mine = discs[side];
        position.all = discs[0] | discs[1];
        position.plies = (counts[0] + counts[1]) as u8;
        position.won = four[1 - side];
        Ok(position)
    }

    fn move_text(&self, column: u8) -> String {
        (column + 1).to_string()
    }

    fn move_index(&self, column: u8) -> usize {
        usize::from(column)
    }

    fn view(&self) -> View {
        let mut view =
            stones_view(Shape::Square, self.size(), RowOne::Bottom, LETTERS, |column, row| self.seat_at(column, row));
        view.column_labels = (0..self.rules.columns).map(|column| self.move_text(column)).collect();
        view
    }

    /// The cell the disc falls to.
    fn clicks(&self, column: u8) -> Vec<String> {
        let discs = (self.all >> (u32::from(column) * self.stride())) & ((1 << self.rules.rows) - 1);
        vec![cell_name(usize::from(column), discs.count() as usize + 1)]
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        symmetry::MIRROR
    }

    fn transformed(&self, symmetry: Symmetry) -> Connect4 {
        let (columns, stride) = (self.size().0, self.stride());
        let map = |discs: u128| {
            (0..columns).fold(0, |image, column| {
                let tower = (discs >> (column as u32 * stride)) & ((1 << stride) - 1);
                let to = symmetry.apply((column, 0), (columns, 1)).0;
                image | tower << (to as u32 * stride)
            })
        };
        Connect4 { mine: map(self.mine), all: map(self.all), key: key_of(self.by_seat().map(map)), ..*self }
    }

    fn transformed_move(&self, column: u8, symmetry: Symmetry) -> u8 {
        symmetry.apply((usize::from(column), 0), (self.size().0, 1)).0 as u8
    }
}

impl Knowledge for Connect4 {
    /// Lines of four that only one side can still fill, by the number of discs it has there. The
    /// values grow with the discs because a line with three is one move from winning.
    fn evaluation(&self, player: Player) -> Option<f32> {
        const VALUES: [i32; 5] = [0, 1, 4, 16, 0];
        let (columns, rows) = (self.size().0 as i32, self.size().1 as i32);
        let discs = self.by_seat();
        let mut sum = 0;
        for column in 0..columns {
            for row in 0..rows {
                for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let (end_column, end_row) = (column + 3 * dx, row + 3 * dy);
                    if end_column >= columns || !(0..rows).contains(&end_row) {
                        continue;
                    }
                    let mut counts = [0usize; 2];
                    for step in 0..4 {
                        let cell = ((column + step * dx) * (rows + 1) + row + step * dy) as usize;
                        counts[0] += usize::from(discs[0].contains(cell));
                        counts[1] += usize::from(discs[1].contains(cell));
                    }
                    match counts {
                        [mine, 0] => sum += VALUES[mine],
                        [0, other] => sum -= VALUES[other],
                        _ => {}
                    }
                }
            }
        }
        let sign = if player == Player::FIRST { 1.0 } else { -1.0 };
        // 60 points, about four open threes, evaluate to 0.76 of a win.
        Some(sign * (sum as f32 / 60.0).tanh() * 0.99)
    }

    /// A side to move that can complete a four wins. One that cannot loses if the opponent
    /// threatens two fours, or one whose block enables another, or one above every playable cell. A
    /// side that has no line left to fill cannot win. Where all columns have an even number of free
    /// cells, the side that is not to move can answer above every disc (follow-up; the claimeven of
    /// Allis 1988). Then it is known which side gets which cell, and if the opponent's cells allow
    /// no four, the follower does not lose.
    #[inline]
    fn static_bounds(&self, player: Player) -> Option<Bounds> {
        let sets = self.sets();
        let bounds = if self.fits_u64() {
            self.static_bounds_on(sets.map(|set| set as u64), u64::wrapping_add)
        } else {
            self.static_bounds_on(sets, u128::wrapping_add)
        };
        Some(if player == self.to_move() { bounds } else { bounds.of_opponent() })
    }

    /// Columns near the centre are part of more fours.
    fn move_order(&self, column: u8) -> Option<i32> {
        Some(-(2 * i32::from(column) - i32::from(self.rules.columns) + 1).abs())
    }

    #[inline]
    fn playout<T: Trace<u8>>(&mut self, context: &mut PlayoutContext<u8>, trace: &mut T) -> Outcome {
        self.random_playout::<T, false>(context, trace)
    }

    #[inline]
    fn playout_with_wins<T: Trace<u8>>(&mut self, context: &mut PlayoutContext<u8>, trace: &mut T) -> Option<Outcome> {
        Some(self.random_playout::<T, true>(context, trace))
    }

    #[inline]
    fn immediate_win(&self) -> ImmediateWin<u8> {
        let stride = self.stride();
        let sets = self.sets();
        let cell = if self.fits_u64() {
            let [mine, all, bottom, board] = sets.map(|set| set as u64);
            let wins = completing(mine, stride) & all.wrapping_add(bottom) & board;
            (wins != 0).then(|| wins.lowest())
        } else {
            let [mine, all, bottom, board] = sets;
            let wins = completing(mine, stride) & all.wrapping_add(bottom) & board;
            (wins != 0).then(|| wins.lowest())
        };
        cell.map_or(ImmediateWin::No, |cell| ImmediateWin::Yes((cell as u32 / stride) as u8))
    }

    /// Playouts with minimax of two plies (Baier 2015, 7.3.1) beat uniform ones at equal time, in
    /// the thesis and in experiments/hybrids, group auto.
    fn auto_player(_: &Connect4Rules) -> &'static str {
        "prove:[mcts:solver,mr=2,select=ucb1tuned,c=1.3,reuse]"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::History;

    fn game(spec: &str, moves: &str) -> History<Connect4> {
        let mut history = History::new(crate::rules::<Connect4>(spec).unwrap());
        for mv in moves.split_whitespace() {
            history.play_text(mv).unwrap();
        }
        history
    }

    #[test]
    fn fours_in_all_directions_win() {
        for moves in ["1 1 2 2 3 3 4", "1 2 1 2 1 2 1", "1 2 2 3 3 4 3 4 4 6 4", "7 6 6 5 5 4 5 4 4 2 4"] {
            assert_eq!(game("connect4", moves).outcome().unwrap().scores(), [1, -1], "{moves}");
        }
    }

    #[test]
    fn lines_do_not_wrap_around_the_edge() {
        assert!(!game("connect4", "1 2 1 2 1 2 3 1 4 1 5 1").is_over());
        assert!(!game("connect4:4x1", "1 2 3 4").outcome().unwrap().scores().contains(&1));
        assert_eq!(game("connect4:1x4", "1 1 1 1").outcome().unwrap().scores(), [0, 0]);
    }

    #[test]
    fn the_end_has_a_reason_and_its_line() {
        let end = |spec: &str, moves: &str| {
            let history = game(spec, moves);
            (history.position().ending_reason(), history.position().winning_cells().join(" "))
        };
        assert_eq!(end("connect4", "1 1 2 2 3 3"), (None, String::new()));
        let four = |cells: &str| (Some("four in a row"), cells.to_string());
        assert_eq!(end("connect4", "1 1 2 2 3 3 4"), four("a1 b1 c1 d1"));
        assert_eq!(end("connect4", "1 2 1 2 1 2 1"), four("a1 a2 a3 a4"));
        assert_eq!(end("connect4:10x9", "1 2 2 3 3 4 3 4 4 6 4"), four("a1 b2 c3 d4"));
        assert_eq!(end("connect4", "7 6 6 5 5 4 5 4 4 2 4"), four("d4 e3 f2 g1"));
        assert_eq!(end("connect4:7x1", "1 5 2 6 3 7 4"), four("a1 b1 c1 d1"));
        assert_eq!(end("connect4:4x1", "1 2 3 4"), (Some("board full"), String::new()));
    }

    #[test]
    fn a_position_is_48_bytes() {
        assert_eq!(size_of::<Connect4>(), 48);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let rules = crate::rules::<Connect4>("connect4:4x4").unwrap();
        for text in [
            "",
            "..../..../..../.... Z",
            "..../X.../..../.... O",
            "..../..../..../X... X",
            "..../..../..../.... X X",
            "..../..../OOO./XXXX X",
        ] {
            assert!(Connect4::parse(&rules, text).is_err(), "{text}");
        }
    }
}
