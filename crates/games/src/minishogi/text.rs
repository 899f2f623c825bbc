//! Position texts: SFEN without the move number.

use super::tables::{HAND_KEYS, PENDING_KEYS, PIECE_KEYS, SECOND_TO_MOVE};
use super::{BASE, FAR, KING, MiniShogi, MiniShogiRules, NAMES, NONE, PAWN, PROMOTED, SIDE_LETTERS, name};
use crate::board::bits::Bits;
use tesuji_core::{Player, PositionError};

impl MiniShogi {
    /// Writes the position as SFEN, with the cell of a pending promotion as a fourth field.
    pub(super) fn sfen(&self) -> String {
        let ranks: Vec<String> = (0..5).rev().map(|rank| self.rank_text(rank)).collect();
        let mut text = format!("{} {} {}", ranks.join("/"), SIDE_LETTERS[self.seat()], self.hands_text());
        if self.pending != NONE {
            text.push(' ');
            text += &name(self.pending);
        }
        text
    }

    fn rank_text(&self, rank: usize) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for cell in 5 * rank..5 * rank + 5 {
            let Some(seat) = self.seat_of(cell) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text += NAMES[seat][usize::from(self.cells[cell])];
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    }

    fn hands_text(&self) -> String {
        if self.hands == [[0; 5]; 2] {
            return "-".to_string();
        }
        let mut text = String::new();
        for (hand, names) in self.hands.iter().zip(NAMES) {
            for (count, name) in hand.iter().zip(&names[..5]).rev() {
                match count {
                    0 => {}
                    1 => text += name,
                    _ => text += &format!("{count}{name}"),
                }
            }
        }
        text
    }

    /// Reads what [`sfen`](MiniShogi::sfen) writes.
    pub(super) fn from_sfen(rules: &MiniShogiRules, text: &str) -> Result<MiniShogi, PositionError> {
        MiniShogi::read(rules, text).map_err(|reason| PositionError::new(text, reason))
    }

    fn read(rules: &MiniShogiRules, text: &str) -> Result<MiniShogi, &'static str> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let (board, side, hands, pending) = match *fields.as_slice() {
            [board, side, hands] => (board, side, hands, None),
            [board, side, hands, pending] if rules.ludii => (board, side, hands, Some(pending)),
            _ => return Err("expected board, side to move and hands, separated by spaces"),
        };
        let to_move = match side {
            "b" => Player::FIRST,
            "w" => Player::SECOND,
            _ => return Err("the side to move must be b or w"),
        };
        let mut position = MiniShogi {
            key: 0,
            sides: [0; 2],
            kinds: [0; 10],
            checkers: 0,
            cells: [NONE; 25],
            hands: [[0; 5]; 2],
            kings: [0; 2],
            to_move,
            pending: NONE,
            over: false,
            rules: *rules,
        };
        position.read_board(board)?;
        position.read_hands(hands)?;
        position.check_material()?;
        position.check_kings_and_pawns()?;
        position.read_check(pending)?;
        position.key = position.key_from_scratch();
        position.over = !position.can_move();
        Ok(position)
    }

    fn read_board(&mut self, board: &str) -> Result<(), &'static str> {
        let ranks: Vec<&str> = board.split('/').collect();
        if ranks.len() != 5 {
            return Err("the board must be five ranks joined by '/'");
        }
        for (rank, row) in ranks.iter().rev().enumerate() {
            let (mut file, mut plus) = (0, false);
            for letter in row.bytes() {
                match find_piece(letter) {
                    Some((seat, kind)) if file < 5 => {
                        let promoted = PROMOTED[kind];
                        if plus && promoted == kind {
                            return Err("gold and king do not promote");
                        }
                        let kind = if plus { promoted } else { kind };
                        let cell = 5 * rank + file;
                        self.sides[seat] |= 1 << cell;
                        self.kinds[kind] |= 1 << cell;
                        self.cells[cell] = kind as u8;
                        file += 1;
                        plus = false;
                    }
                    None if letter == b'+' && !plus => plus = true,
                    None if (b'1'..=b'5').contains(&letter) && !plus => file += usize::from(letter - b'0'),
                    _ => {
                        return Err(
                            "a rank is letters among KGSBRPkgsbrp, '+' before promoted ones, 1 to 5 for empty cells",
                        );
                    }
                }
            }
            if file != 5 || plus {
                return Err("a rank is five cells");
            }
        }
        Ok(())
    }

    fn read_hands(&mut self, hands: &str) -> Result<(), &'static str> {
        let mut count = None;
        for letter in hands.bytes().filter(|_| hands != "-") {
            match find_piece(letter) {
                Some((seat, kind)) if kind < KING && self.hands[seat][kind] == 0 => {
                    self.hands[seat][kind] = count.take().unwrap_or(1);
                }
                None if letter == b'2' && count.is_none() => count = Some(2),
                _ => return Err("hands are '-' or letters among RBGSPrbgsp, each once, with 2 before it for two"),
            }
        }
        if count.is_some() { Err("a letter must follow the number in the hands") } else { Ok(()) }
    }

    fn check_material(&self) -> Result<(), &'static str> {
        let mut counts = [0; 6];
        for (kind, cells) in self.kinds.iter().enumerate() {
            counts[BASE[kind]] += cells.count_ones();
        }
        for hand in self.hands {
            counts.iter_mut().zip(hand).for_each(|(count, held)| *count += u32::from(held));
        }
        if counts == [2; 6] { Ok(()) } else { Err("there must be two of every kind, hands included") }
    }

    /// Finds the kings and checks that the pawns stand where pawns can stand.
    fn check_kings_and_pawns(&mut self) -> Result<(), &'static str> {
        for (seat, far) in FAR.into_iter().enumerate() {
            let king = self.kinds[KING] & self.sides[seat];
            if !king.is_power_of_two() {
                return Err("each side has one king");
            }
            self.kings[seat] = king.trailing_zeros() as u8;
            let pawns = self.kinds[PAWN] & self.sides[seat];
            if pawns & far != 0 {
                return Err("a pawn on the far rank must have promoted");
            }
            if pawns & (pawns >> 5 | pawns >> 10 | pawns >> 15) != 0 {
                return Err("a side has at most one unpromoted pawn on a file");
            }
        }
        Ok(())
    }

    /// Sets the pending promotion or the pieces that give check.
    fn read_check(&mut self, pending: Option<&str>) -> Result<(), &'static str> {
        let (seat, other) = (self.seat(), 1 - self.seat());
        let checkers = |seat: usize| self.attackers(usize::from(self.kings[seat]), 1 - seat, self.occupied());
        if let Some(pending) = pending {
            let cell = (0..25u8).find(|&cell| name(cell) == pending && self.could_be_pending(usize::from(cell)));
            let cell =
                cell.ok_or("the fourth field must be the cell of a piece of the side to move that may promote now")?;
            if checkers(seat) != 0 {
                return Err("the side to move has left its king in check");
            }
            self.pending = cell;
        } else {
            if checkers(other) != 0 {
                return Err("the side to move could capture the king");
            }
            self.checkers = checkers(seat);
        }
        Ok(())
    }

    pub(super) fn key_from_scratch(&self) -> u64 {
        let mut key = if self.to_move == Player::SECOND { SECOND_TO_MOVE } else { 0 };
        for seat in 0..2 {
            for (kind, keys) in PIECE_KEYS[seat].iter().enumerate() {
                let cells = u64::from(self.kinds[kind] & self.sides[seat]);
                key = cells.members().fold(key, |key, cell| key ^ keys[cell]);
            }
            for (kind, keys) in HAND_KEYS[seat].iter().enumerate() {
                key = keys[..usize::from(self.hands[seat][kind])].iter().fold(key, |key, one| key ^ one);
            }
        }
        if self.pending != NONE {
            key ^= PENDING_KEYS[usize::from(self.pending)];
        }
        key
    }
}

/// The seat and unpromoted kind of a piece letter.
fn find_piece(letter: u8) -> Option<(usize, usize)> {
    let kind = |seat: usize| NAMES[seat][..6].iter().position(|name| name.as_bytes() == [letter]);
    kind(0).map(|kind| (0, kind)).or_else(|| kind(1).map(|kind| (1, kind)))
}
