//! Colours and moves in GTP.
//!
//! In Go, the protocol's own game, moves are written as in GTP already. Hex follows MoHex
//! (benzene's `HexHtpEngine`), Othello follows `gtp-rhino`, which has row 1 at the top as Tesuji
//! does. Every other game keeps its own notation. Black is the first player unless the game calls
//! the first player White.

use tesuji_catalog::{Action, Session};
use tesuji_core::{GtpDialect, Player};

/// A pass, in GTP and in every game that has passes.
pub const PASS: &str = "pass";
const RESIGN: &str = "resign";
/// The swap of Hex in Tesuji's notation.
pub const SWAP: &str = "swap";
/// The swap of Hex in MoHex's notation.
const SWAP_PIECES: &str = "swap-pieces";

/// Returns the GTP dialect of a game; `None` unless the game has two players.
pub fn dialect(game: &dyn Session) -> Option<GtpDialect> {
    (game.facts().players == 2).then(|| game.dialects().gtp)
}

/// Parses a colour, or the name that a player has in the game.
pub fn parse_player(text: &str, game: &dyn Session) -> Option<Player> {
    let seats = [Player::FIRST, Player::SECOND];
    let named = seats.into_iter().find(|&seat| game.player_name(seat).eq_ignore_ascii_case(text));
    named.or_else(|| match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(black(game)),
        "w" | "white" => Some(black(game).opponent()),
        _ => None,
    })
}

/// Returns the colour of a player: `b` or `w`.
pub fn colour(player: Player, game: &dyn Session) -> &'static str {
    if player == black(game) { "b" } else { "w" }
}

/// Parses a vertex or a resignation; `None` if the text is neither. The move may be illegal.
pub fn parse_action(dialect: GtpDialect, text: &str, game: &dyn Session) -> Option<Action> {
    if text.eq_ignore_ascii_case(RESIGN) {
        return Some(Action::Resign);
    }
    let lower = text.to_ascii_lowercase();
    let mv = match dialect {
        GtpDialect::Go if lower == PASS => lower,
        GtpDialect::Go => text.to_ascii_uppercase(),
        GtpDialect::Hex if [SWAP, SWAP_PIECES].contains(&lower.as_str()) => {
            return Some(Action::Move(SWAP.to_string()));
        }
        GtpDialect::Hex | GtpDialect::Othello => lower,
        GtpDialect::Plain => return Some(Action::Move(match_case(text, game.legal_moves()))),
    };
    let known = mv == PASS && dialect != GtpDialect::Hex || game.view().cells.iter().any(|cell| cell.name == mv);
    known.then_some(Action::Move(mv))
}

/// Returns the legal move that a text spells, ignoring case if that is unambiguous, or else the
/// text itself. Some games tell pieces apart by case.
fn match_case(text: &str, legal: Vec<String>) -> String {
    if legal.iter().any(|mv| mv == text) {
        return text.to_string();
    }
    let mut similar = legal.into_iter().filter(|mv| mv.eq_ignore_ascii_case(text));
    similar.next().filter(|_| similar.next().is_none()).unwrap_or(text.to_string())
}

/// Writes a move in GTP.
pub fn write_move(dialect: GtpDialect, mv: &str) -> String {
    match dialect {
        GtpDialect::Othello if mv != PASS => mv.to_ascii_uppercase(),
        GtpDialect::Hex if mv == SWAP => SWAP_PIECES.to_string(),
        _ => mv.to_string(),
    }
}

/// Writes a move or a resignation in GTP.
pub fn write_action(dialect: GtpDialect, action: &Action) -> String {
    match action {
        Action::Move(mv) => write_move(dialect, mv),
        Action::Resign => RESIGN.to_string(),
    }
}

/// Returns the player that GTP calls Black.
fn black(game: &dyn Session) -> Player {
    if game.player_name(Player::FIRST) == "White" { Player::SECOND } else { Player::FIRST }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_catalog::open;

    fn normalized(spec: &str, text: &str) -> Option<String> {
        let game = open(spec, "start").unwrap();
        let dialect = dialect(game.as_ref()).unwrap();
        parse_action(dialect, text, game.as_ref()).map(|action| write_action(dialect, &action))
    }

    #[test]
    fn moves_are_parsed_in_any_case_and_written_in_one() {
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
            assert_eq!(normalized(spec, text).as_deref(), expected, "{spec}: {text}");
        }
    }

    #[test]
    fn colours_follow_the_names_of_the_game() {
        for (spec, first) in [("go:9", "b"), ("hex:5", "b"), ("othello", "b"), ("breakthrough", "w"), ("connect4", "b")]
        {
            let game = open(spec, "start").unwrap();
            assert_eq!(colour(Player::FIRST, game.as_ref()), first, "{spec}");
            assert_eq!(parse_player(first, game.as_ref()), Some(Player::FIRST), "{spec}");
        }
        let othello = open("othello", "start").unwrap();
        assert_eq!(parse_player("WHITE", othello.as_ref()), Some(Player::SECOND));
        assert_eq!(parse_player("red", othello.as_ref()), None);
        assert_eq!(parse_player("red", open("connect4", "start").unwrap().as_ref()), Some(Player::FIRST));
        assert_eq!(parse_player("o", open("tictactoe", "start").unwrap().as_ref()), Some(Player::SECOND));
        assert_eq!(dialect(open("samegame", "start").unwrap().as_ref()), None);
    }
}
