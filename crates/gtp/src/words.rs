//! The words in which GTP speaks of colours and moves.
//!
//! Go is the protocol's own game, and our moves are written as in it. Hex follows MoHex (benzene's `HexHtpEngine`), Othello `gtp-rhino`, which puts row 1
//! on top as we do. In every other game a move is written as the game writes it, and black is who moves first, unless the game
//! itself calls somebody Black.

use tesuji_catalog::Session;
use tesuji_core::Player;

/// How a game is spoken of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Words {
    /// Moves `D4` and `pass`.
    Go,
    /// Moves `d4` and `swap-pieces`.
    Hex,
    /// Moves `D4` and `pass`; who cannot move may pass without a word.
    Othello,
    /// The game's own.
    Own,
}

/// What somebody does, in the words of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Deed {
    /// A move; whether it is legal is another question.
    Move(String),
    /// Giving up.
    Resign,
}

/// The word for passing, in the protocol and in all our games.
pub const PASS: &str = "pass";
const RESIGN: &str = "resign";
/// The swap of Hex as we write it, and as MoHex does.
pub const SWAP: &str = "swap";
const SWAP_PIECES: &str = "swap-pieces";

impl Words {
    /// How a game is spoken of; `None` if it is not for two.
    pub fn of(game: &dyn Session) -> Option<Words> {
        (game.facts().players == 2).then(|| match game.info().name {
            "go" => Words::Go,
            "hex" => Words::Hex,
            "othello" => Words::Othello,
            _ => Words::Own,
        })
    }

    /// Who is meant by a colour, or by the name that a player has in the game.
    pub fn player(self, text: &str, game: &dyn Session) -> Option<Player> {
        let seats = [Player::FIRST, Player::SECOND];
        let named = seats.into_iter().find(|&seat| game.player_name(seat).eq_ignore_ascii_case(text));
        named.or_else(|| match text.to_ascii_lowercase().as_str() {
            "b" | "black" => Some(black(game)),
            "w" | "white" => Some(black(game).opponent()),
            _ => None,
        })
    }

    /// The colour of a player: `b` or `w`.
    pub fn colour(self, player: Player, game: &dyn Session) -> &'static str {
        if player == black(game) { "b" } else { "w" }
    }

    /// What a word means; `None` if it is neither a move of this game nor a resignation.
    pub fn deed(self, text: &str, game: &dyn Session) -> Option<Deed> {
        if text.eq_ignore_ascii_case(RESIGN) {
            return Some(Deed::Resign);
        }
        let small = text.to_ascii_lowercase();
        let mv = match self {
            Words::Go if small == PASS => small,
            Words::Go => text.to_ascii_uppercase(),
            Words::Hex if [SWAP, SWAP_PIECES].contains(&small.as_str()) => return Some(Deed::Move(SWAP.to_string())),
            Words::Hex | Words::Othello => small,
            Words::Own => {
                let moves = game.legal_moves();
                if moves.iter().any(|mv| mv == text) {
                    return Some(Deed::Move(text.to_string()));
                }
                // Upper and lower case may tell pieces apart, so the spelling counts where it does.
                let mut alike = moves.into_iter().filter(|mv| mv.eq_ignore_ascii_case(text));
                return Some(Deed::Move(alike.next().filter(|_| alike.next().is_none()).unwrap_or(text.to_string())));
            }
        };
        let known = mv == PASS && self != Words::Hex || game.view().cells.iter().any(|cell| cell.name == mv);
        known.then_some(Deed::Move(mv))
    }

    /// A move of ours as the protocol writes it.
    pub fn written(self, mv: &str) -> String {
        match self {
            Words::Othello if mv != PASS => mv.to_ascii_uppercase(),
            Words::Hex if mv == SWAP => SWAP_PIECES.to_string(),
            _ => mv.to_string(),
        }
    }

    /// What is played or done, as the protocol writes it.
    pub fn spoken(self, deed: &Deed) -> String {
        match deed {
            Deed::Move(mv) => self.written(mv),
            Deed::Resign => RESIGN.to_string(),
        }
    }
}

/// Who is called black.
fn black(game: &dyn Session) -> Player {
    let is_white = |player| game.player_name(player) == "White";
    if is_white(Player::FIRST) { Player::SECOND } else { Player::FIRST }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_catalog::open;

    fn told(spec: &str, text: &str) -> Option<String> {
        let game = open(spec, "start").unwrap();
        let words = Words::of(game.as_ref()).unwrap();
        words.deed(text, game.as_ref()).map(|deed| words.spoken(&deed))
    }

    #[test]
    fn moves_are_understood_in_any_case_and_written_in_one() {
        for (spec, text, expected) in [
            ("go:9", "j9", Some("J9")),
            ("go:9", "PASS", Some("pass")),
            ("go:9", "i9", None),
            ("go:9", "K10", None),
            ("go:9", "Resign", Some("resign")),
            ("go:9", "swap-pieces", None),
            ("hex:5", "E5", Some("e5")),
            ("hex:5", "swap-pieces", Some("swap-pieces")),
            ("hex:5", "SWAP", Some("swap-pieces")),
            ("hex:5", "pass", None),
            ("othello", "c4", Some("C4")),
            ("othello", "i9", None),
            ("breakthrough", "A2-A3", Some("a2-a3")),
        ] {
            assert_eq!(told(spec, text).as_deref(), expected, "{spec}: {text}");
        }
    }

    #[test]
    fn colours_are_the_names_of_the_game_where_it_has_them() {
        for (spec, first) in [("go:9", "b"), ("hex:5", "b"), ("othello", "b"), ("breakthrough", "w"), ("connect4", "b")]
        {
            let game = open(spec, "start").unwrap();
            let words = Words::of(game.as_ref()).unwrap();
            assert_eq!(words.colour(Player::FIRST, game.as_ref()), first, "{spec}");
            assert_eq!(words.player(first, game.as_ref()), Some(Player::FIRST), "{spec}");
        }
        let othello = open("othello", "start").unwrap();
        assert_eq!(Words::Othello.player("O", othello.as_ref()), Some(Player::SECOND));
        assert_eq!(Words::Othello.player("WHITE", othello.as_ref()), Some(Player::SECOND));
        assert_eq!(Words::Othello.player("red", othello.as_ref()), None);
        assert_eq!(Words::of(open("samegame", "start").unwrap().as_ref()), None);
    }
}
