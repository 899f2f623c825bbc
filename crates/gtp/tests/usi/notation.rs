//! Positions and moves round-trip through USI and agree with Fairy-Stockfish.

use crate::outside::Oracle;
use tesuji_catalog::{Session, open};
use tesuji_core::Rng;
use tesuji_gtp::usi::Notation;

const GAMES: [&str; 3] = ["minishogi", "lion", "breakthrough:8"];

fn notation(spec: &str) -> Notation {
    Notation::of(open(spec, "start").unwrap().as_ref()).unwrap()
}

/// Calls `visit` with a number of non-terminal positions of random games.
fn visit_positions(spec: &str, seed: u64, positions: usize, mut visit: impl FnMut(&dyn Session)) {
    let mut rng = Rng::new(seed);
    let mut seen = 0;
    while seen < positions {
        let mut game = open(spec, "start").unwrap();
        while let Some(mv) = game.random_move(&mut rng).filter(|_| seen < positions) {
            visit(game.as_ref());
            game.play(&mv).unwrap();
            seen += 1;
        }
    }
}

/// The legal moves in USI, sorted.
fn usi_moves(notation: Notation, game: &dyn Session) -> Vec<String> {
    let mut moves: Vec<String> = game.legal_moves().iter().map(|mv| notation.write_move(mv).unwrap()).collect();
    moves.sort();
    moves
}

/// An SFEN without the move number and with sorted hands, whose order differs between programs.
fn normal(sfen: &str) -> String {
    let words: Vec<&str> = sfen.split(' ').collect();
    let mut hands = Vec::new();
    let mut count = String::new();
    for letter in words[2].chars() {
        count.push(letter);
        if !letter.is_ascii_digit() {
            hands.push(std::mem::take(&mut count));
        }
    }
    hands.sort();
    format!("{} {} {}", words[0], words[1], hands.concat())
}

#[test]
fn games_have_notations() {
    assert_eq!(Notation::all(), GAMES.map(notation));
    assert_eq!(GAMES.map(|spec| notation(spec).variant()), ["minishogi", "dobutsu", "breakthrough"]);
    assert!(Notation::of(open("minishogi:repetition=draw", "start").unwrap().as_ref()).is_ok());
    for spec in ["go:9", "breakthrough", "minishogi:rules=ludii"] {
        let error = Notation::of(open(spec, "start").unwrap().as_ref()).unwrap_err().to_string();
        assert!(error.contains(spec), "{error}");
    }
}

#[test]
fn moves_and_positions_round_trip() {
    for spec in GAMES {
        let notation = notation(spec);
        visit_positions(spec, 1, 2000, |game| {
            let text = game.text();
            let sfen = notation.write_position(&text, 1).unwrap();
            assert_eq!(notation.read_position(&sfen.split(' ').collect::<Vec<_>>()), Ok(text));
            for mv in game.legal_moves() {
                assert_eq!(notation.read_move(&notation.write_move(&mv).unwrap()), Some(mv));
            }
        });
    }
}

#[test]
fn games_round_trip() {
    for spec in GAMES {
        let notation = notation(spec);
        visit_positions(spec, 2, 100, |game| {
            let words = notation.write_game(game).unwrap();
            let again = notation.read_game(spec, &words.split(' ').collect::<Vec<_>>()).unwrap();
            assert_eq!(again.game_text(), game.game_text());
            // The same with the present position as the start.
            let here = open(spec, &game.text()).unwrap();
            let words = notation.write_game(here.as_ref()).unwrap();
            assert_eq!(words.starts_with("sfen "), !game.moves().is_empty(), "{words}");
            let again = notation.read_game(spec, &words.split(' ').collect::<Vec<_>>()).unwrap();
            assert_eq!(again.text(), game.text());
        });
    }
}

#[test]
fn cells_count_from_the_right_and_from_the_top() {
    let pairs = [
        ("minishogi", "a1-b2", "5e4d"),
        ("minishogi", "e4-e5+", "1b1a+"),
        ("minishogi", "P*c3", "P*3c"),
        ("lion", "b3-b2", "2c2b"),
        ("lion", "G*a4", "G*3d"),
        ("lion", "a2-a1+", "3b3a+"),
        ("breakthrough:8", "a2-b3", "8g7f"),
    ];
    for (spec, ours, usi) in pairs {
        let notation = notation(spec);
        assert_eq!(notation.write_move(ours).as_deref(), Some(usi));
        assert_eq!(notation.read_move(usi).as_deref(), Some(ours));
    }
}

#[test]
fn invalid_moves_and_positions_are_refused() {
    for word in
        ["", "5", "5e", "5e4", "5e4f", "6e5e", "0a1a", "5e4d++", "P*", "P*9a", "resign", "é5é5", "5e4d5", "ｅ5e4"]
    {
        assert_eq!(notation("minishogi").read_move(word), None, "{word}");
    }
    for (spec, words) in [
        ("minishogi", "startpos sfen"),
        ("minishogi", ""),
        ("minishogi", "sfen"),
        ("minishogi", "sfen rbsgk/4p/5/P4/KGSBR b"),
        ("minishogi", "sfen rbsgk/4p/5/P4/KGSBR x - 1"),
        ("minishogi", "sfen rbsgk/4p/5/P4/KGSBR b - one"),
        ("minishogi", "sfen rbsgk/4p/5/P4/KGSB b - 1"),
        ("minishogi", "sfen startpos moves b - 1"),
        ("lion", "sfen gle/1c1/1C1/EL b G 1"),
        ("lion", "sfen gle/1c1/1C1/ELG b 9999999999C 1"),
        ("lion", "sfen gle/1c1/1C1/ELG b 2 1"),
        ("lion", "sfen gle/1c1/1C1/EL+ b G 1"),
        ("lion", "sfen gle/0c1/1C1/ELG b - 1"),
        ("lion", "sfen gle/éc1/1C1/ELG b - 1"),
        ("breakthrough:8", "sfen pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP b P 1"),
        ("breakthrough:8", "sfen pppppppp/pppppppp/9/8/8/8/PPPPPPPP/PPPPPPPP b - 1"),
    ] {
        let error =
            notation(spec).read_game(spec, &words.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>());
        assert!(error.is_err(), "{words}");
    }
    let error = notation("minishogi").read_game("minishogi", &["startpos", "moves", "5d5c", "5d5c"]).err().unwrap();
    assert!(error.to_string().starts_with("\"5d5c\" (move 2) is not a legal move"), "{error}");
}

/// Fairy-Stockfish 11 allows pawn drops that mate; otherwise its minishogi rules are the same.
#[test]
fn fairy_stockfish_has_the_same_moves_in_minishogi_and_breakthrough() {
    for spec in ["minishogi", "breakthrough:8"] {
        let notation = notation(spec);
        let Some(mut oracle) = Oracle::new(notation.variant()) else { return };
        visit_positions(spec, 3, 500, |game| {
            let sfen = notation.write_position(&game.text(), 1 + game.moves().len()).unwrap();
            let (theirs, mut moves) = oracle.look(&format!("sfen {sfen}"));
            assert_eq!(normal(&theirs), normal(&sfen));
            let ours = usi_moves(notation, game);
            moves.retain(|mv| {
                let is_known = ours.contains(mv);
                let mut mates = || oracle.look(&format!("sfen {sfen} moves {mv}")).1.is_empty();
                assert!(is_known || mv.starts_with("P*") && mates(), "{sfen}: {mv}");
                is_known
            });
            assert_eq!(moves, ours, "{sfen}");
            // The same with the moves of the game.
            let (followed, _) = oracle.look(&notation.write_game(game).unwrap());
            assert_eq!(normal(&followed), normal(&sfen));
        });
    }
}

/// Fairy-Stockfish 11 plays Catch the Lion with check: the Lion must not be left attacked. It also
/// allows a Chick not to promote on the far rank.
#[test]
fn fairy_stockfish_has_our_moves_in_lion_but_for_check_and_promotion() {
    let notation = notation("lion");
    let Some(mut oracle) = Oracle::new(notation.variant()) else { return };
    let captures = |game: &dyn Session| {
        let mut next = game.copy();
        game.legal_moves().iter().any(|mv| {
            next.play(mv).unwrap();
            let lions = next.text().matches(['L', 'l']).count();
            next.undo();
            lions < 2
        })
    };
    let mut compared = 0;
    visit_positions("lion", 4, 1000, |game| {
        // Fairy-Stockfish considers positions with an attacked Lion illegal.
        if captures(game) {
            return;
        }
        let sfen = notation.write_position(&game.text(), 1).unwrap();
        let (theirs, moves) = oracle.look(&format!("sfen {sfen}"));
        assert_eq!(normal(&theirs), normal(&sfen));
        let mut next = game.copy();
        let mut safe: Vec<String> = Vec::new();
        for mv in game.legal_moves() {
            next.play(&mv).unwrap();
            if next.ending().is_some() || !captures(next.as_ref()) {
                safe.extend(notation.write_move(&mv));
            }
            next.undo();
        }
        safe.sort();
        let promoted: Vec<String> = moves.iter().filter(|mv| !moves.contains(&format!("{mv}+"))).cloned().collect();
        assert_eq!(promoted, safe, "{sfen}");
        compared += 1;
    });
    assert!(compared > 300, "only {compared} positions were compared");
}
