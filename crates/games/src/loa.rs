//! Lines of Action (Claude Soucie, about 1960).
//!
//! Black starts on the top and bottom rows, White on the left and right columns, all without the
//! corners. A piece moves in any of the eight directions exactly as many cells as there are pieces
//! of both colours on the whole line it moves along. It may jump over own pieces but not over the
//! opponent's, never lands on an own piece, and captures by landing on an opponent's. A player
//! whose pieces all form one group wins, even if the opponent's move joined them. Diagonals
//! connect, and a single piece is a group. A move that joins both sides is a draw, or wins for the
//! mover (`both=mover`). A player without a move passes. If neither side can move, the game is a
//! draw, as it is when a position occurs for the third time. Moves are written `b1-b3`, `pass`; a1
//! is at the lower left.
//!
//! Variants: boards from 5x5 to 9x9; `both`.
//!
//! Solved: 6x6 (Winands 2008, "6x6 LOA is solved").
//!
//! A side is one bit set, row by row from the bottom: eight bits a row in a `u64` for boards up to
//! 8x8, nine bits a row in a `u128` for 9x9. Smaller boards lie in the lower left corner of 8x8,
//! where the empty rest changes no count. The pieces on a line are counted with masks, so the two
//! sets are all the state there is.

/// Calls a method with the narrowest bit set that holds the board.
macro_rules! on_board {
    ($position:expr, $function:ident ( $($argument:expr),* )) => {
        if $position.rules.size == 9 {
            $position.$function::<u128>($($argument),*)
        } else {
            $position.$function::<u64>($($argument),*)
        }
    };
}

mod board;
mod knowledge;
mod tables;
#[cfg(test)]
mod tests;

use crate::board::bits::Bits;
use crate::board::diagram::{Diagram, stones_text, stones_view};
use board::{Side, is_joined};
use tables::{BoardBits, REACH};
use tesuji_core::look::{BoardStyle, Tone};
use tesuji_core::view::{RowOne, Shape, cell_name};
use tesuji_core::{
    Facts, Game, Info, Length, Look, Options, Outcome, Player, PositionError, Repetition, Rules, SpecError, Symmetry,
    View, symmetry, zobrist,
};

/// The outcome of a move that joins both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BothJoined {
    /// A draw, the rule of the Computer Olympiads.
    Draw,
    /// The mover wins.
    MoverWins,
}

/// The size of the board and the outcome of a move that joins both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoaRules {
    size: u8,
    both: BothJoined,
}

impl Rules for LoaRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let size = options.square(&[8, 5, 6, 7, 9])?;
        let choices = [("draw", BothJoined::Draw), ("mover", BothJoined::MoverWins)];
        let both = options.choice("both", &choices, "simultaneous connection: draw, or the mover wins")?;
        Ok(LoaRules { size, both })
    }

    fn facts(&self) -> Facts {
        let cells = usize::from(self.size).pow(2);
        Facts {
            players: 2,
            repetition: Repetition::Ends(3),
            length: Length::Capped(1000),
            scores: (-1, 1),
            draws: true,
            move_indices: cells * cells + 1,
        }
    }

    fn cycle_outcome(&self) -> Option<Outcome> {
        Some(Outcome::draw(2))
    }
}

/// A move from one cell to another, both as bit numbers. A pass has two equal cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(align(2))]
pub struct LoaMove {
    from: u8,
    to: u8,
}

const PASS: LoaMove = LoaMove { from: 0, to: 0 };

/// The state of the game in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    Open,
    Won(Player),
    Drawn,
}

/// A position of Lines of Action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loa {
    /// The pieces of Black and of White.
    pieces: [u128; 2],
    key: u64,
    rules: LoaRules,
    to_move: Player,
    status: Status,
}

const LETTERS: &str = "BW";
static KEYS: [[u64; 81]; 2] = [zobrist::keys(0x50), zobrist::keys(0x51)];
const WHITE_TO_MOVE: u64 = zobrist::key(0x52, 0);

impl Loa {
    #[inline]
    fn size(&self) -> usize {
        usize::from(self.rules.size)
    }

    #[inline]
    fn stride(&self) -> usize {
        if self.rules.size == 9 { 9 } else { 8 }
    }

    /// The column and the row from the bottom of a bit number.
    #[inline]
    fn column_row(&self, cell: u8) -> (usize, usize) {
        (usize::from(cell) % self.stride(), usize::from(cell) / self.stride())
    }

    fn name(&self, cell: u8) -> String {
        let (column, row) = self.column_row(cell);
        cell_name(column, row + 1)
    }

    fn cell_at(&self, (column, row): (usize, usize)) -> usize {
        row * self.stride() + column
    }

    fn seat_at(&self, column: usize, row_from_top: usize) -> Option<usize> {
        let cell = self.cell_at((column, self.size() - 1 - row_from_top));
        self.pieces.iter().position(|pieces| pieces.contains(cell))
    }

    #[inline]
    fn side<B: BoardBits>(&self, player: Player) -> Side<B> {
        Side {
            own: B::narrowed(self.pieces[player.index()]),
            other: B::narrowed(self.pieces[player.opponent().index()]),
            reach: &REACH[self.size() - 5],
        }
    }

    /// Whether the pieces of the side to move are one group.
    fn is_connected<B: BoardBits>(&self) -> bool {
        is_joined(self.side::<B>(self.to_move).own)
    }

    /// The status of the position. `joined` tells which sides are joined, the side that just moved
    /// first.
    #[inline]
    fn status_of<B: BoardBits>(&self, joined: [bool; 2]) -> Status {
        let mover = self.to_move.opponent();
        match joined {
            [true, true] if self.rules.both == BothJoined::Draw => Status::Drawn,
            [true, _] => Status::Won(mover),
            [false, true] => Status::Won(self.to_move),
            [false, false] if self.side::<B>(self.to_move).can_move() || self.side::<B>(mover).can_move() => {
                Status::Open
            }
            [false, false] => Status::Drawn,
        }
    }

    /// The status of a position computed from the board alone.
    fn status_from_scratch<B: BoardBits>(&self) -> Status {
        let side = self.side::<B>(self.to_move.opponent());
        self.status_of::<B>([is_joined(side.own), is_joined(side.other)])
    }

    /// The status after a move. The opponent can only have been joined by a capture.
    #[inline]
    fn status_after_move<B: BoardBits>(&self, captured: bool) -> Status {
        let side = self.side::<B>(self.to_move.opponent());
        self.status_of::<B>([is_joined(side.own), captured && is_joined(side.other)])
    }

    fn key_from_scratch(&self) -> u64 {
        let keys = |seat: usize| self.pieces[seat].members().fold(0, |key, cell| key ^ KEYS[seat][cell]);
        keys(0) ^ keys(1) ^ if self.to_move == Player::SECOND { WHITE_TO_MOVE } else { 0 }
    }

    #[inline]
    fn mobility_on<B: BoardBits>(&self) -> usize {
        self.side::<B>(self.to_move).mobility(self.size())
    }

    #[inline]
    fn moves_on<B: BoardBits>(&self, moves: &mut Vec<LoaMove>) {
        let (side, begin) = (self.side::<B>(self.to_move), moves.len());
        for from in side.own.members() {
            for direction in 0..8 {
                if let Some(to) = side.target(from, direction) {
                    moves.push(LoaMove { from: from as u8, to: to as u8 });
                }
            }
        }
        if moves.len() == begin {
            moves.push(PASS);
        }
    }
}

/// The rules as people read them.
const RULES: &str = "\
    Black starts on the top and bottom rows, White on the left and right columns, all without the corners. Black \
    moves first. The board is 8x8 unless another size from 5x5 to 9x9 is chosen.\n\n\
    A piece moves in any of the eight directions, exactly as many cells as there are pieces of both colours on the \
    whole line along which it moves, itself included. It may jump over pieces of its own colour but not over those \
    of the opponent. It may not land on a piece of its own colour, and captures a piece of the opponent by landing \
    on it. A player without a move passes.\n\n\
    A player whose pieces form one group wins, even if a move of the opponent completed the group. Neighbours in \
    all eight directions are connected, and a single piece is a group. A move that connects the pieces of both \
    players is a draw; with the option both=mover the player who made it wins. The game is also a draw when \
    neither player can move, when a position occurs for the third time, or after 1000 plies.\n\n\
    A move is written as source and target, for example b1-b3, or as pass. Cell a1 is at the lower left. In text, \
    Black is B and White is W.";

impl Game for Loa {
    type Move = LoaMove;
    type Rules = LoaRules;
    const INFO: Info = Info {
        goal: "Connect all your pieces into one group. Choose a piece, then its target.",
        rules: RULES,
        solved: "6x6 is solved (Winands 2008)",
        look: Look { board: BoardStyle::Chequer, tones: &[Tone::Black, Tone::White], ..Look::DEFAULT },
        ..Info::new("loa", "Lines of Action", &["Black", "White"])
    };

    fn start(rules: &LoaRules) -> Loa {
        let mut position = Loa { pieces: [0; 2], key: 0, rules: *rules, to_move: Player::FIRST, status: Status::Open };
        let last = position.size() - 1;
        for along in 1..last {
            for across in [0, last] {
                position.pieces[0] |= u128::single(position.cell_at((along, across)));
                position.pieces[1] |= u128::single(position.cell_at((across, along)));
            }
        }
        position.key = position.key_from_scratch();
        position
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.status != Status::Open
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.status {
            Status::Open => None,
            Status::Won(winner) => Some(Outcome::win(winner)),
            Status::Drawn => Some(Outcome::draw(2)),
        }
    }

    fn ending_reason(&self) -> Option<&'static str> {
        match self.status {
            Status::Open => None,
            Status::Won(_) => Some("connected"),
            Status::Drawn if on_board!(self, is_connected()) => Some("both connected"),
            Status::Drawn => Some("neither side can move"),
        }
    }

    fn winning_cells(&self) -> Vec<String> {
        match self.status {
            Status::Won(winner) => self.pieces[winner.index()].members().map(|cell| self.name(cell as u8)).collect(),
            _ => Vec::new(),
        }
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<LoaMove>) {
        if !self.is_over() {
            on_board!(self, moves_on(moves));
        }
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<LoaMove>) -> usize {
        // Without a move, the only legal move is to pass.
        if self.is_over() { 0 } else { on_board!(self, mobility_on()).max(1) }
    }

    #[inline]
    fn play(&mut self, mv: LoaMove) {
        let mover = self.to_move;
        self.to_move = mover.opponent();
        self.key ^= WHITE_TO_MOVE;
        if mv == PASS {
            return;
        }
        let (from, to) = (usize::from(mv.from), usize::from(mv.to));
        self.pieces[mover.index()] ^= u128::single(from) | u128::single(to);
        self.key ^= KEYS[mover.index()][from] ^ KEYS[mover.index()][to];
        let other = self.to_move.index();
        let captured = self.pieces[other].contains(to);
        if captured {
            self.pieces[other] ^= u128::single(to);
            self.key ^= KEYS[other][to];
        }
        self.status = on_board!(self, status_after_move(captured));
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn text(&self) -> String {
        stones_text((self.size(), self.size()), LETTERS, self.to_move, |column, row| self.seat_at(column, row))
    }

    fn parse(rules: &LoaRules, text: &str) -> Result<Loa, PositionError> {
        let mut position = Loa { pieces: [0; 2], ..Loa::start(rules) };
        let size = position.size();
        let diagram = Diagram::parse(text, (size, size), "BW.", 1)?;
        position.to_move = Player(diagram.side(0, LETTERS)?);
        for letter in LETTERS.chars() {
            let (count, most) = (diagram.count(letter), 2 * (size - 2));
            if count == 0 || count > most {
                return Err(diagram.error(format!("{letter} has {count} pieces; each side has 1 to {most}")));
            }
        }
        for row in 0..size {
            for column in 0..size {
                if let Some(seat) = LETTERS.find(diagram.at(column, row)) {
                    position.pieces[seat] |= u128::single(position.cell_at((column, size - 1 - row)));
                }
            }
        }
        position.key = position.key_from_scratch();
        position.status = on_board!(position, status_from_scratch());
        Ok(position)
    }

    fn move_text(&self, mv: LoaMove) -> String {
        if mv == PASS {
            return "pass".to_string();
        }
        format!("{}-{}", self.name(mv.from), self.name(mv.to))
    }

    fn move_index(&self, mv: LoaMove) -> usize {
        let cells = self.size() * self.size();
        let number = |cell| {
            let (column, row) = self.column_row(cell);
            row * self.size() + column
        };
        if mv == PASS { cells * cells } else { number(mv.from) * cells + number(mv.to) }
    }

    fn view(&self) -> View {
        stones_view(Shape::Square, (self.size(), self.size()), RowOne::Bottom, LETTERS, |column, row| {
            self.seat_at(column, row)
        })
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        symmetry::SQUARE
    }

    fn transformed(&self, symmetry: Symmetry) -> Loa {
        let image = |cell: usize| self.cell_at(symmetry.apply(self.column_row(cell as u8), (self.size(), self.size())));
        let map = |pieces: u128| pieces.members().fold(0, |set, cell| set | u128::single(image(cell)));
        let mut position = Loa { pieces: self.pieces.map(map), ..*self };
        position.key = position.key_from_scratch();
        position
    }

    fn transformed_move(&self, mv: LoaMove, symmetry: Symmetry) -> LoaMove {
        if mv == PASS {
            return PASS;
        }
        let image = |cell| self.cell_at(symmetry.apply(self.column_row(cell), (self.size(), self.size()))) as u8;
        LoaMove { from: image(mv.from), to: image(mv.to) }
    }
}
