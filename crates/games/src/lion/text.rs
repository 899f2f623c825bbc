//! Position texts.

use super::tables::{HAND_KEYS, PIECE_KEYS, SECOND_TO_MOVE};
use super::{CHICK, ELEPHANT, FAR, GIRAFFE, LETTERS, LION, Lion, LionRules, SIDE_LETTERS, Try, in_hand};
use crate::board::bits::Bits;
use tesuji_core::Player;

impl Lion {
    /// Writes side to move, ranks from the top, and hands.
    pub(super) fn write(&self) -> String {
        let mut text = SIDE_LETTERS[self.seat()].to_string();
        for rank in 0..4 {
            text.push('/');
            text.extend((0..3).map(|file| match self.piece_at(4 * rank + file) {
                Some((seat, kind)) => char::from(LETTERS[seat][kind]),
                None => '-',
            }));
        }
        text.push('/');
        if self.hands == [0, 0] {
            text.push('-');
        }
        for (letters, hand) in LETTERS.iter().zip(self.hands) {
            for (kind, &letter) in letters[..3].iter().enumerate() {
                text.extend(std::iter::repeat_n(char::from(letter), in_hand(hand, kind)));
            }
        }
        text
    }

    /// Reads what [`write`](Lion::write) writes; the error is the reason of a refusal.
    pub(super) fn read(rules: &LionRules, text: &str) -> Result<Lion, &'static str> {
        let fields: Vec<&str> = text.trim().split('/').collect();
        let [side, ranks @ .., hands] = fields.as_slice() else {
            return Err("expected side to move, four ranks and hands, joined by '/'");
        };
        if ranks.len() != 4 || ranks.iter().any(|rank| rank.len() != 3) {
            return Err("between the side to move and the hands there must be four ranks of three characters");
        }
        let to_move = match *side {
            "S" => Player::FIRST,
            "G" => Player::SECOND,
            _ => return Err("the side to move must be S or G"),
        };
        let mut position =
            Lion { key: 0, sides: [0; 2], kinds: [0; 5], hands: [0; 2], to_move, winner: None, rules: *rules };
        for (index, letter) in ranks.iter().flat_map(|rank| rank.bytes()).enumerate() {
            let cell = index / 3 * 4 + index % 3;
            match find_piece(letter) {
                Some((seat, kind)) => {
                    position.sides[seat] |= 1 << cell;
                    position.kinds[kind] |= 1 << cell;
                }
                None if letter == b'-' => {}
                None => return Err("a cell is '-' or one of LGECR (Sente) and lgecr (Gote)"),
            }
        }
        position.read_hands(hands)?;
        let seat = position.seat();
        let lions = position.sides.map(|side| position.kinds[LION] & side);
        if lions[1 - seat].count_ones() != 1 || lions[seat].count_ones() > 1 {
            return Err("each side has one Lion; only that of the side to move may have been captured");
        }
        if rules.goal == Try::Any && lions[seat] & FAR[seat] != 0 {
            return Err("the Lion of the side to move has already won on the far rank");
        }
        position.key = position.key_from_scratch();
        position.winner = position.winner_from_scratch();
        Ok(position)
    }

    /// Reads the hands and checks the number of pieces of each kind.
    fn read_hands(&mut self, hands: &str) -> Result<(), &'static str> {
        let mut held = [[0u32; 3]; 2];
        for letter in hands.bytes().filter(|_| hands != "-") {
            match find_piece(letter) {
                Some((seat, kind)) if kind < 3 => held[seat][kind] += 1,
                _ => return Err("hands are '-' or letters among CGEcge"),
            }
        }
        if hands.is_empty() {
            return Err("empty hands are written '-'");
        }
        let [chicks, giraffes, elephants, roosters, _] = self.kinds;
        for (kind, cells) in [chicks | roosters, giraffes, elephants].into_iter().enumerate() {
            if cells.count_ones() + held[0][kind] + held[1][kind] != 2 {
                return Err("there must be two Giraffes, two Elephants, and two Chicks or Roosters, hands included");
            }
        }
        for (hand, held) in self.hands.iter_mut().zip(held) {
            *hand = (held[CHICK] | held[GIRAFFE] << 2 | held[ELEPHANT] << 4) as u8;
        }
        Ok(())
    }

    pub(super) fn key_from_scratch(&self) -> u64 {
        let mut key = if self.to_move == Player::SECOND { SECOND_TO_MOVE } else { 0 };
        for (seat, keys) in PIECE_KEYS.iter().enumerate() {
            for (kind, keys) in keys.iter().enumerate() {
                let cells = u64::from(self.kinds[kind] & self.sides[seat]);
                key = cells.members().fold(key, |key, cell| key ^ keys[cell]);
            }
            for (kind, keys) in HAND_KEYS[seat].iter().enumerate() {
                key = keys[..in_hand(self.hands[seat], kind)].iter().fold(key, |key, one| key ^ one);
            }
        }
        key
    }
}

/// The seat and kind of a piece letter.
fn find_piece(letter: u8) -> Option<(usize, usize)> {
    let find = |seat: usize| LETTERS[seat].iter().position(|&kind| kind == letter).map(|kind| (seat, kind));
    find(0).or_else(|| find(1))
}
