//! Tic-tac-toe: three in a row on 3x3. The smallest game, and a template for new ones.
//!
//! X moves first. Three in a row, column or diagonal win; a full board is a draw. Moves are cells,
//! `a1` at the lower left.
//!
//! Solved: a draw.

use crate::board::bits::Bits;
use crate::board::diagram::{Diagram, stones_text, stones_view};
use tesuji_core::look::{PieceStyle, Tone};
use tesuji_core::view::{RowOne, Shape, cell_name};
use tesuji_core::{
    Facts, Game, Info, Knowledge, Length, Look, Options, Outcome, Player, PlayoutContext, PositionError, Repetition,
    Rules, SpecError, Symmetry, View, symmetry, zobrist,
};

/// The rules; there are no options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TicTacToeRules;

impl Rules for TicTacToeRules {
    fn read(_: &mut Options<'_>) -> Result<Self, SpecError> {
        Ok(TicTacToeRules)
    }

    fn facts(&self) -> Facts {
        Facts {
            players: 2,
            repetition: Repetition::Impossible,
            length: Length::Bounded(9),
            scores: (-1, 1),
            draws: true,
            move_indices: 9,
        }
    }
}

/// A position of tic-tac-toe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TicTacToe {
    /// The cells of X and of O; cell 0 is a1, cell 3 is a2.
    cells: [u64; 2],
    key: u64,
    to_move: Player,
    won: bool,
}

const LETTERS: &str = "XO";
const FULL: u64 = 0b111_111_111;
const LINES: [u64; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421];
static KEYS: [[u64; 9]; 2] = [zobrist::keys(0x01), zobrist::keys(0x02)];
const SECOND_TO_MOVE: u64 = zobrist::key(0x03, 0);
const SIZE: (usize, usize) = (3, 3);
/// For every set of cells, a bit that tells whether it contains a line.
const THREES: [u64; 8] = {
    let mut threes = [0; 8];
    let mut cells = 0;
    while cells <= FULL {
        let mut line = 0;
        while line < LINES.len() {
            if LINES[line] & !cells == 0 {
                threes[cells as usize / 64] |= 1 << (cells % 64);
            }
            line += 1;
        }
        cells += 1;
    }
    threes
};

#[inline]
fn has_three(cells: u64) -> bool {
    THREES[cells as usize / 64] >> (cells % 64) & 1 != 0
}

fn key_of(cells: [u64; 2], to_move: Player) -> u64 {
    let keys = |seat: usize| cells[seat].members().fold(0, |key, cell| key ^ KEYS[seat][cell]);
    keys(0) ^ keys(1) ^ if to_move == Player::SECOND { SECOND_TO_MOVE } else { 0 }
}

impl TicTacToe {
    #[inline]
    fn empty(&self) -> u64 {
        FULL & !(self.cells[0] | self.cells[1])
    }

    fn seat_at(&self, column: usize, row_from_top: usize) -> Option<usize> {
        self.cells.iter().position(|cells| cells.contains(3 * (2 - row_from_top) + column))
    }
}

/// The rules as people read them.
const RULES: &str = "\
    X and O take turns on a board of three by three cells; X moves first. A move puts the player's mark on an \
    empty cell.\n\n\
    The first player with three marks in a row, a column or a diagonal wins. A full board without such a line is a \
    draw.\n\n\
    A move is written as its cell: a letter for the column and a number for the row from the bottom. The centre is \
    b2, the lower left corner a1.";

impl Game for TicTacToe {
    type Move = u8;
    type Rules = TicTacToeRules;
    const INFO: Info = Info {
        goal: "Get three marks in a row, a column or a diagonal. Choose an empty cell to place your mark.",
        rules: RULES,
        solved: "a draw",
        look: Look { piece: PieceStyle::Mark, tones: &[Tone::Blue, Tone::Red], ..Look::DEFAULT },
        ..Info::new("tictactoe", "Tic-tac-toe", &["X", "O"])
    };

    fn start(_: &TicTacToeRules) -> TicTacToe {
        TicTacToe { cells: [0, 0], key: 0, to_move: Player::FIRST, won: false }
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.won || self.empty() == 0
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.won {
            Some(Outcome::win(self.to_move.opponent()))
        } else {
            (self.empty() == 0).then(|| Outcome::draw(2))
        }
    }

    fn ending_reason(&self) -> Option<&'static str> {
        if self.won { Some("three in a row") } else { self.is_over().then_some("board full") }
    }

    fn winning_cells(&self) -> Vec<String> {
        let cells = self.cells[self.to_move.opponent().index()];
        let lines = LINES.iter().filter(|&line| self.won && line & !cells == 0).fold(0, |all, line| all | line);
        lines.members().map(|cell| self.move_text(cell as u8)).collect()
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<u8>) {
        if !self.won {
            moves.extend(self.empty().members().map(|cell| cell as u8));
        }
    }

    #[inline]
    fn play(&mut self, cell: u8) {
        let mover = self.to_move.index();
        self.cells[mover] |= 1 << cell;
        self.key ^= KEYS[mover][usize::from(cell)] ^ SECOND_TO_MOVE;
        self.won = has_three(self.cells[mover]);
        self.to_move = self.to_move.opponent();
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn text(&self) -> String {
        stones_text(SIZE, LETTERS, self.to_move, |column, row| self.seat_at(column, row))
    }

    fn parse(rules: &TicTacToeRules, text: &str) -> Result<TicTacToe, PositionError> {
        let diagram = Diagram::parse(text, SIZE, "XO.", 1)?;
        let mut position = TicTacToe::start(rules);
        position.to_move = Player(diagram.side(0, LETTERS)?);
        for cell in 0..9 {
            if let Some(seat) = LETTERS.find(diagram.at(cell % 3, 2 - cell / 3)) {
                position.cells[seat] |= 1 << cell;
            }
        }
        if diagram.count('X') != diagram.count('O') + position.to_move.index() {
            return Err(diagram.error("X moves first, so X has as many cells as O, or one more if O is to move"));
        }
        if has_three(position.cells[position.to_move.index()]) {
            return Err(diagram.error("the side to move has three in a row already"));
        }
        position.won = has_three(position.cells[position.to_move.opponent().index()]);
        position.key = key_of(position.cells, position.to_move);
        Ok(position)
    }

    fn move_text(&self, cell: u8) -> String {
        cell_name(usize::from(cell % 3), usize::from(cell / 3) + 1)
    }

    fn move_index(&self, cell: u8) -> usize {
        usize::from(cell)
    }

    fn view(&self) -> View {
        stones_view(Shape::Square, SIZE, RowOne::Bottom, LETTERS, |column, row| self.seat_at(column, row))
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        symmetry::SQUARE
    }

    fn transformed(&self, symmetry: Symmetry) -> TicTacToe {
        let image = |cells: u64| {
            cells.members().fold(0, |image, cell| image | 1 << self.transformed_move(cell as u8, symmetry))
        };
        let cells = self.cells.map(image);
        TicTacToe { cells, key: key_of(cells, self.to_move), ..*self }
    }

    fn transformed_move(&self, cell: u8, symmetry: Symmetry) -> u8 {
        let (column, row) = symmetry.apply((usize::from(cell % 3), usize::from(cell / 3)), SIZE);
        (3 * row + column) as u8
    }
}

impl Knowledge for TicTacToe {
    /// Cells by the number of lines through them: the centre four, corners three, edges two.
    fn evaluation(&self, player: Player) -> Option<f32> {
        let value = |cells: u64| LINES.iter().map(|line| (cells & line).count() as i32).sum::<i32>();
        let lead = value(self.cells[player.index()]) - value(self.cells[player.opponent().index()]);
        Some(lead as f32 / 24.0)
    }

    /// Draws the index of an empty cell instead of listing the cells.
    #[inline]
    fn playout_move(&self, context: &mut PlayoutContext<u8>) -> u8 {
        let empty = self.empty();
        empty.nth(context.rng.below(empty.count() as usize)) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_cell_can_still_win() {
        let position = TicTacToe::parse(&TicTacToeRules, "XOX/OXO/OX. X").unwrap();
        let mut won = position;
        won.play(position.parse_move("C1").unwrap());
        assert_eq!(won.outcome().unwrap().scores(), [1, -1]);
    }

    #[test]
    fn the_end_has_a_reason_and_its_lines() {
        let end = |text: &str| {
            let position = TicTacToe::parse(&TicTacToeRules, text).unwrap();
            (position.ending_reason(), position.winning_cells().join(" "))
        };
        assert_eq!(end("X.X/.O./O.. X"), (None, String::new()));
        assert_eq!(end("OO./.../XXX O"), (Some("three in a row"), "a1 b1 c1".to_string()));
        assert_eq!(end("XOO/OXO/XXX O"), (Some("three in a row"), "a1 b1 c1 b2 a3".to_string()));
        assert_eq!(end("XOX/XOO/OXX O"), (Some("board full"), String::new()));
    }
}
