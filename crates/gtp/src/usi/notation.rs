//! Boards and moves as USI writes them.
//!
//! A cell is its file, a digit that counts from the right, and its rank, a letter that counts from the top: `5e` is the lower left corner of a
//! board of five by five. A move is two cells, with `+` behind it if the piece promotes; a drop is the letter of the piece, `*` and the cell. A
//! position (SFEN) is the ranks from the top, the side to move (`b`, who moves first and is written in upper case, or `w`), what is
//! in the hands, and the number of the next move.

use tesuji_catalog::{Session, open};
use tesuji_core::Repetition;
use thiserror::Error;

/// A game as USI writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// Minishogi, whose positions are SFEN already.
    MiniShogi,
    /// Catch the Lion. A Rooster is a promoted Chick, `+C`.
    Lion,
    /// Breakthrough, which is no shogi, but a game of Fairy-Stockfish; only on 8x8.
    Breakthrough,
}

/// Something that is not written as it must be.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{value:?} {reason}")]
pub struct NotationError {
    value: String,
    reason: String,
}

impl NotationError {
    pub(super) fn new(value: impl Into<String>, reason: impl Into<String>) -> NotationError {
        NotationError { value: value.into(), reason: reason.into() }
    }
}

/// Our letters for Catch the Lion, and those of USI.
const LION: [(char, &str); 10] = [
    ('C', "C"),
    ('G', "G"),
    ('E', "E"),
    ('R', "+C"),
    ('L', "L"),
    ('c', "c"),
    ('g', "g"),
    ('e', "e"),
    ('r', "+c"),
    ('l', "l"),
];
/// The same for Breakthrough.
const BREAKTHROUGH: [(char, &str); 2] = [('W', "P"), ('B', "p")];
/// So many moves are named to somebody who has tried another.
const SHOWN: usize = 8;
/// Nobody has more of a kind in hand.
const MOST_IN_HAND: usize = 2;

impl Notation {
    /// All that there are.
    pub const ALL: [Notation; 3] = [Notation::MiniShogi, Notation::Lion, Notation::Breakthrough];

    /// How a game is written.
    pub fn of(game: &dyn Session) -> Result<Notation, NotationError> {
        let spec = game.spec();
        match spec.name() {
            "minishogi" if game.facts().repetition == Repetition::Allowed => {
                Err(NotationError::new(spec.to_string(), "promotes in a move of its own, for which USI has no word"))
            }
            "minishogi" => Ok(Notation::MiniShogi),
            "lion" => Ok(Notation::Lion),
            "breakthrough" if game.view().cells.len() == 64 && game.text().find('/') == Some(8) => {
                Ok(Notation::Breakthrough)
            }
            _ => Err(NotationError::new(
                spec.to_string(),
                "is not a game that is played over USI; these are minishogi, lion and breakthrough:8",
            )),
        }
    }

    /// What Fairy-Stockfish calls the game.
    pub fn variant(self) -> &'static str {
        match self {
            Notation::MiniShogi => "minishogi",
            Notation::Lion => "dobutsu",
            Notation::Breakthrough => "breakthrough",
        }
    }

    /// The game of a variant, under the rules that are ours when nothing is said.
    pub(super) fn default_spec(self) -> &'static str {
        match self {
            Notation::MiniShogi => "minishogi",
            Notation::Lion => "lion",
            Notation::Breakthrough => "breakthrough:8",
        }
    }

    /// Files and ranks.
    fn size(self) -> (u8, u8) {
        match self {
            Notation::MiniShogi => (5, 5),
            Notation::Lion => (3, 4),
            Notation::Breakthrough => (8, 8),
        }
    }

    /// A rank that is `row` rows below the top in one notation and has this number in ours, or the other way round.
    fn number(self, row: u8) -> u8 {
        match self {
            // Our first rank is the top one.
            Notation::Lion => row + 1,
            Notation::MiniShogi | Notation::Breakthrough => self.size().1 - row,
        }
    }

    /// A move of ours in USI; `None` if it is no move of these games.
    pub fn write_move(self, mv: &str) -> Option<String> {
        if let Some((piece, cell)) = mv.split_once('*') {
            return Some(format!("{piece}*{}", self.write_cell(cell)?));
        }
        let (from, to) = mv.split_once('-')?;
        let (to, sign) = promoted(to);
        Some(format!("{}{}{sign}", self.write_cell(from)?, self.write_cell(to)?))
    }

    /// A move of USI in our words; `None` if it is not written as a move on this board. Whether it is legal is another matter.
    pub fn read_move(self, word: &str) -> Option<String> {
        if let Some((piece, cell)) = word.split_once('*') {
            return Some(format!("{piece}*{}", self.read_cell(cell)?));
        }
        let (cells, sign) = promoted(word);
        let (from, to) = cells.split_at_checked(2)?;
        Some(format!("{}-{}{sign}", self.read_cell(from)?, self.read_cell(to)?))
    }

    /// Moves of ours in USI, up to the first that is none.
    pub(super) fn write_moves<'a>(self, moves: impl IntoIterator<Item = &'a String>) -> Vec<String> {
        moves.into_iter().map_while(|mv| self.write_move(mv)).collect()
    }

    fn write_cell(self, cell: &str) -> Option<String> {
        let (files, ranks) = self.size();
        let &[letter, digit] = cell.as_bytes() else { return None };
        let file = letter.checked_sub(b'a').filter(|&file| file < files)?;
        let row = (0..ranks).find(|&row| b'0' + self.number(row) == digit)?;
        Some(format!("{}{}", files - file, char::from(b'a' + row)))
    }

    fn read_cell(self, cell: &str) -> Option<String> {
        let (files, ranks) = self.size();
        let &[digit, letter] = cell.as_bytes() else { return None };
        let file = digit.checked_sub(b'1').filter(|&file| file < files)?;
        let row = letter.checked_sub(b'a').filter(|&row| row < ranks)?;
        Some(format!("{}{}", char::from(b'a' + files - 1 - file), self.number(row)))
    }

    /// A position of ours as SFEN, with the number of the next move; `None` if it is no position of these games.
    pub fn write_position(self, text: &str, number: usize) -> Option<String> {
        let (board, side, hands) = match self {
            Notation::MiniShogi => return Some(format!("{text} {number}")),
            Notation::Lion => {
                let fields: Vec<&str> = text.split('/').collect();
                let [side, ranks @ .., hands] = fields.as_slice() else { return None };
                (packed(ranks, &LION)?, if *side == "S" { "b" } else { "w" }, written_hands(hands))
            }
            Notation::Breakthrough => {
                let (board, side) = text.split_once(' ')?;
                let ranks: Vec<&str> = board.split('/').collect();
                (packed(&ranks, &BREAKTHROUGH)?, if side == "W" { "b" } else { "w" }, "-".to_string())
            }
        };
        Some(format!("{board} {side} {hands} {number}"))
    }

    /// The words of an SFEN as a position of ours; the number of the move may be missing and does not matter.
    pub fn read_position(self, words: &[&str]) -> Result<String, NotationError> {
        let fail = |reason: &str| NotationError::new(words.join(" "), reason);
        let (board, side, hands) = match *words {
            [board, side, hands] => (board, side, hands),
            [board, side, hands, number] if number.bytes().all(|digit| digit.is_ascii_digit()) => (board, side, hands),
            _ => return Err(fail("must be board, side to move, hands, and the number of the move")),
        };
        if !matches!(side, "b" | "w") {
            return Err(fail("must have b or w as the side to move"));
        }
        let (files, ranks) = self.size();
        let unpacked = |letters: &[(char, &str)], empty: char| {
            let rows: Option<Vec<String>> = board.split('/').map(|rank| unpacked(rank, letters, empty)).collect();
            let rows = rows.filter(|rows| rows.len() == usize::from(ranks));
            let rows = rows.filter(|rows| rows.iter().all(|row| row.len() == usize::from(files)));
            rows.map(|rows| rows.join("/")).ok_or_else(|| {
                let pieces: Vec<&str> = letters.iter().map(|(_, piece)| *piece).collect();
                fail(&format!("must have {ranks} ranks of {files} cells, with {} and digits", pieces.join(" ")))
            })
        };
        match self {
            Notation::MiniShogi => Ok(format!("{board} {side} {hands}")),
            Notation::Lion => {
                let hands = read_hands(hands).ok_or_else(|| fail("must have - or letters among CGEcge in hand"))?;
                Ok(format!("{}/{}/{hands}", if side == "b" { "S" } else { "G" }, unpacked(&LION, '-')?))
            }
            Notation::Breakthrough if hands != "-" => Err(fail("can have nothing in hand")),
            Notation::Breakthrough => {
                Ok(format!("{} {}", unpacked(&BREAKTHROUGH, '.')?, if side == "b" { "W" } else { "B" }))
            }
        }
    }

    /// The game of the words behind `position`: `startpos` or `sfen` and an SFEN, then perhaps `moves` and moves.
    pub fn read_game(self, spec: &str, words: &[&str]) -> Result<Box<dyn Session>, NotationError> {
        let moves_at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (start, moves) = words.split_at(moves_at);
        let position = match start {
            ["startpos"] => "start".to_string(),
            ["sfen", sfen @ ..] => self.read_position(sfen)?,
            _ => return Err(NotationError::new(start.join(" "), "must be startpos, or sfen and a position")),
        };
        let refused =
            |error: tesuji_catalog::OpenError| NotationError::new(start.join(" "), format!("is refused: {error}"));
        let mut game = open(spec, &position).map_err(refused)?;
        for (number, word) in moves.iter().skip(1).enumerate() {
            let refused = |reason: String| NotationError::new(*word, format!("(move {}) {reason}", number + 1));
            let mv = self.read_move(word).ok_or_else(|| refused("is not written as a move".to_string()))?;
            if game.play(&mv).is_err() {
                return Err(refused(self.why_illegal(game.as_ref())));
            }
        }
        Ok(game)
    }

    fn why_illegal(self, game: &dyn Session) -> String {
        if let Some(ending) = game.ending() {
            return format!("comes after the end of the game: {}", ending.words);
        }
        let legal = self.write_moves(&game.legal_moves());
        let more = if legal.len() > SHOWN { ", ..." } else { "" };
        format!("is not a legal move here; legal are {}{more}", legal[..legal.len().min(SHOWN)].join(", "))
    }

    /// The words behind `position` for a game; `None` if it is none of these.
    pub fn write_game(self, game: &dyn Session) -> Option<String> {
        let start = match game.start().as_str() {
            "start" => "startpos".to_string(),
            text => format!("sfen {}", self.write_position(text, 1)?),
        };
        let played = game.moves();
        let moves = self.write_moves(&played);
        match (moves.len() == played.len(), moves.is_empty()) {
            (false, _) => None,
            (true, true) => Some(start),
            (true, false) => Some(format!("{start} moves {}", moves.join(" "))),
        }
    }
}

/// A word without the sign of promotion, and the sign.
fn promoted(word: &str) -> (&str, &'static str) {
    word.strip_suffix('+').map_or((word, ""), |word| (word, "+"))
}

/// Ranks of one letter a cell, as USI writes them.
fn packed(ranks: &[&str], letters: &[(char, &str)]) -> Option<String> {
    let pack = |rank: &&str| {
        let mut text = String::new();
        let mut empty = 0;
        for cell in rank.chars() {
            if matches!(cell, '-' | '.') {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text += letters.iter().find(|(letter, _)| *letter == cell)?.1;
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        Some(text)
    };
    Some(ranks.iter().map(pack).collect::<Option<Vec<_>>>()?.join("/"))
}

/// A rank of USI with one letter a cell.
fn unpacked(rank: &str, letters: &[(char, &str)], empty: char) -> Option<String> {
    let mut row = String::new();
    let mut rest = rank;
    while let Some(first) = rest.chars().next() {
        if let Some(count @ 1..) = first.to_digit(10) {
            row.extend(std::iter::repeat_n(empty, count as usize));
            rest = &rest[1..];
            continue;
        }
        let (letter, piece) = letters.iter().find(|(_, piece)| rest.starts_with(piece))?;
        row.push(*letter);
        rest = &rest[piece.len()..];
    }
    Some(row)
}

/// Hands of single letters (`CCe`) as USI writes them (`2Ce`).
fn written_hands(hands: &str) -> String {
    let mut text = String::new();
    let mut rest = hands;
    while let Some(letter) = rest.chars().next() {
        let others = rest.trim_start_matches(letter);
        let count = rest.len() - others.len();
        if count > 1 {
            text += &count.to_string();
        }
        text.push(letter);
        rest = others;
    }
    text
}

/// Hands of USI in single letters.
fn read_hands(hands: &str) -> Option<String> {
    if hands == "-" {
        return Some(hands.to_string());
    }
    let mut text = String::new();
    let mut count = None;
    for letter in hands.chars() {
        match letter {
            'C' | 'G' | 'E' | 'c' | 'g' | 'e' => {
                text.extend(std::iter::repeat_n(letter, count.take().unwrap_or(1)));
            }
            _ if count.is_none() => {
                count = Some(letter.to_digit(10)? as usize).filter(|count| (1..=MOST_IN_HAND).contains(count));
                count?;
            }
            _ => return None,
        }
    }
    (count.is_none() && !text.is_empty()).then_some(text)
}
