//! Moves and positions in USI notation.
//!
//! A cell is a digit for the file, counted from the right, and a letter for the rank, counted from
//! the top: `5e` is the lower left corner of a 5x5 board. A move is two cells, with `+` appended
//! for a promotion; a drop is the piece letter, `*` and the cell. A position (SFEN) is the ranks
//! from the top, the side to move (`b` moves first and has upper-case pieces, or `w`), the pieces
//! in hand, and the number of the next move.

use tesuji_catalog::{GameEntry, Session, games, open};
use tesuji_core::view::RowOne;
use tesuji_core::{PositionLayout, UsiDialect, UsiSupport, quoted};
use thiserror::Error;

/// The USI notation of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Notation(UsiDialect);

/// A text that is not valid in USI notation, or a game without one.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{value} {reason}", value = quoted(value))]
pub struct NotationError {
    value: String,
    reason: String,
}

impl NotationError {
    pub(super) fn new(value: impl Into<String>, reason: impl Into<String>) -> NotationError {
        NotationError { value: value.into(), reason: reason.into() }
    }
}

/// The number of legal moves listed in the error for an illegal one.
const SHOWN: usize = 8;
/// The most pieces of a kind in one hand.
const MOST_IN_HAND: usize = 2;

impl Notation {
    /// The notations of all games that support USI, each with its default rules. The shogi variants
    /// come first.
    pub fn all() -> Vec<Notation> {
        let supported = |entry: GameEntry| match entry.dialects.usi {
            UsiSupport::Supported(dialect) => Some(Notation(dialect)),
            UsiSupport::OtherRules { spec, .. } => open(spec, "start").ok().and_then(|game| Notation::of(&*game).ok()),
            UsiSupport::Unsupported => None,
        };
        games().into_iter().rev().filter_map(supported).collect()
    }

    /// Returns the notation of a game.
    pub fn of(game: &dyn Session) -> Result<Notation, NotationError> {
        let reason = match game.dialects().usi {
            UsiSupport::Supported(dialect) => return Ok(Notation(dialect)),
            UsiSupport::OtherRules { reason, .. } => reason.to_string(),
            UsiSupport::Unsupported => {
                let specs: Vec<&str> = Notation::all().iter().map(|notation| notation.0.spec).collect();
                format!("is not played over USI; {} are", specs.join(", "))
            }
        };
        Err(NotationError::new(game.spec().to_string(), reason))
    }

    /// The name of the game in Fairy-Stockfish.
    pub fn variant(self) -> &'static str {
        self.0.variant
    }

    /// The spec of the game with the variant's default rules.
    pub(super) fn default_spec(self) -> &'static str {
        self.0.spec
    }

    /// The letters of a piece that programs never leave attacked, if the game has one.
    pub(super) fn royal(self) -> Option<[char; 2]> {
        self.0.royal
    }

    /// Converts between a row counted from 0 at the top and its number in the game's own notation.
    fn number(self, row: u8) -> u8 {
        match self.0.row_one {
            RowOne::Top => row + 1,
            RowOne::Bottom => self.0.size.1 - row,
        }
    }

    /// Writes a move in USI; `None` if it is not a move of this game.
    pub fn write_move(self, mv: &str) -> Option<String> {
        if let Some((piece, cell)) = mv.split_once('*') {
            return Some(format!("{piece}*{}", self.write_cell(cell)?));
        }
        let (from, to) = mv.split_once('-')?;
        let (to, sign) = promoted(to);
        Some(format!("{}{}{sign}", self.write_cell(from)?, self.write_cell(to)?))
    }

    /// Parses a USI move into the game's own notation; `None` if it is malformed. The move may be
    /// illegal.
    pub fn read_move(self, word: &str) -> Option<String> {
        if let Some((piece, cell)) = word.split_once('*') {
            return Some(format!("{piece}*{}", self.read_cell(cell)?));
        }
        let (cells, sign) = promoted(word);
        let (from, to) = cells.split_at_checked(2)?;
        Some(format!("{}-{}{sign}", self.read_cell(from)?, self.read_cell(to)?))
    }

    /// Writes moves in USI, up to the first that cannot be written.
    pub(super) fn write_moves<'a>(self, moves: impl IntoIterator<Item = &'a String>) -> Vec<String> {
        moves.into_iter().map_while(|mv| self.write_move(mv)).collect()
    }

    fn write_cell(self, cell: &str) -> Option<String> {
        let (files, ranks) = self.0.size;
        let &[letter, digit] = cell.as_bytes() else { return None };
        let file = letter.checked_sub(b'a').filter(|&file| file < files)?;
        let row = (0..ranks).find(|&row| b'0' + self.number(row) == digit)?;
        Some(format!("{}{}", files - file, char::from(b'a' + row)))
    }

    fn read_cell(self, cell: &str) -> Option<String> {
        let (files, ranks) = self.0.size;
        let &[digit, letter] = cell.as_bytes() else { return None };
        let file = digit.checked_sub(b'1').filter(|&file| file < files)?;
        let row = letter.checked_sub(b'a').filter(|&row| row < ranks)?;
        Some(format!("{}{}", char::from(b'a' + files - 1 - file), self.number(row)))
    }

    /// Writes a position as SFEN with the number of the next move; `None` if it is not a position
    /// of this game.
    pub fn write_position(self, text: &str, number: usize) -> Option<String> {
        let usi_side = |side: &str, sides: [&str; 2]| if side == sides[0] { "b" } else { "w" };
        let (board, side, hands) = match self.0.layout {
            PositionLayout::Sfen => return Some(format!("{text} {number}")),
            PositionLayout::SideBoardHands { sides, pieces, .. } => {
                let fields: Vec<&str> = text.split('/').collect();
                let [side, ranks @ .., hands] = fields.as_slice() else { return None };
                (write_board(ranks, pieces)?, usi_side(side, sides), write_hands(hands))
            }
            PositionLayout::BoardSide { sides, pieces } => {
                let (board, side) = text.split_once(' ')?;
                let ranks: Vec<&str> = board.split('/').collect();
                (write_board(&ranks, pieces)?, usi_side(side, sides), "-".to_string())
            }
        };
        Some(format!("{board} {side} {hands} {number}"))
    }

    /// Parses the fields of an SFEN into a position text. The move number is optional and ignored.
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
        let own_side = |sides: [&'static str; 2]| sides[usize::from(side == "w")];
        match self.0.layout {
            PositionLayout::Sfen => Ok(format!("{board} {side} {hands}")),
            PositionLayout::SideBoardHands { sides, pieces, in_hand } => {
                let wrong_hands = || fail(&format!("must have - or letters among {in_hand} in hand"));
                let hands = read_hands(hands, in_hand).ok_or_else(wrong_hands)?;
                let board = self.read_board(board, pieces, '-').map_err(|reason| fail(&reason))?;
                Ok(format!("{}/{board}/{hands}", own_side(sides)))
            }
            PositionLayout::BoardSide { .. } if hands != "-" => Err(fail("can have nothing in hand")),
            PositionLayout::BoardSide { sides, pieces } => {
                let board = self.read_board(board, pieces, '.').map_err(|reason| fail(&reason))?;
                Ok(format!("{board} {}", own_side(sides)))
            }
        }
    }

    /// Parses the board of an SFEN into ranks with one letter per cell.
    fn read_board(self, board: &str, pieces: &[(char, &str)], empty: char) -> Result<String, String> {
        let (files, ranks) = self.0.size;
        let rows: Option<Vec<String>> = board.split('/').map(|rank| read_rank(rank, pieces, empty)).collect();
        let rows = rows.filter(|rows| rows.len() == usize::from(ranks));
        let rows = rows.filter(|rows| rows.iter().all(|row| row.len() == usize::from(files)));
        rows.map(|rows| rows.join("/")).ok_or_else(|| {
            let pieces: Vec<&str> = pieces.iter().map(|(_, piece)| *piece).collect();
            format!("must have {ranks} ranks of {files} cells, with {} and digits", pieces.join(" "))
        })
    }

    /// Opens the game that the arguments of `position` describe: `startpos` or `sfen SFEN`,
    /// optionally followed by `moves` and the moves.
    pub fn read_game(self, spec: &str, words: &[&str]) -> Result<Box<dyn Session>, NotationError> {
        let moves_at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (start, moves) = words.split_at(moves_at);
        let position = match start {
            ["startpos"] => "start".to_string(),
            ["sfen", sfen @ ..] => self.read_position(sfen)?,
            _ => return Err(NotationError::new(start.join(" "), "must be startpos, or sfen and a position")),
        };
        let refused =
            |error: tesuji_catalog::OpenError| NotationError::new(start.join(" "), format!("is not accepted: {error}"));
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

    /// Writes the arguments of `position` for a game; `None` if it cannot be written in this
    /// notation.
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

/// Splits off the promotion sign.
fn promoted(word: &str) -> (&str, &'static str) {
    word.strip_suffix('+').map_or((word, ""), |word| (word, "+"))
}

/// Writes ranks with one letter per cell in SFEN.
fn write_board(ranks: &[&str], pieces: &[(char, &str)]) -> Option<String> {
    let write_rank = |rank: &&str| {
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
            text += pieces.iter().find(|(letter, _)| *letter == cell)?.1;
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        Some(text)
    };
    Some(ranks.iter().map(write_rank).collect::<Option<Vec<_>>>()?.join("/"))
}

/// Parses a rank of an SFEN into one letter per cell.
fn read_rank(rank: &str, pieces: &[(char, &str)], empty: char) -> Option<String> {
    let mut row = String::new();
    let mut rest = rank;
    while let Some(first) = rest.chars().next() {
        if let Some(count @ 1..) = first.to_digit(10) {
            row.extend(std::iter::repeat_n(empty, count as usize));
            rest = &rest[1..];
            continue;
        }
        let (letter, piece) = pieces.iter().find(|(_, piece)| rest.starts_with(piece))?;
        row.push(*letter);
        rest = &rest[piece.len()..];
    }
    Some(row)
}

/// Writes hands of single letters (`CCe`) in SFEN (`2Ce`).
fn write_hands(hands: &str) -> String {
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

/// Parses the hands of an SFEN into single letters; `allowed` are the pieces that can be in hand.
fn read_hands(hands: &str, allowed: &str) -> Option<String> {
    if hands == "-" {
        return Some(hands.to_string());
    }
    let mut text = String::new();
    let mut count = None;
    for letter in hands.chars() {
        match letter {
            _ if allowed.contains(letter) => {
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
