//! Games against GNU Go, and against gtp-rhino in Othello.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use tesuji_catalog::{Action, Agent, SearchPlayer, Session, Turn, open};
use tesuji_core::Limits;
use tesuji_gtp::{Children, GtpPlayer};

/// A program on the path or in Debian's games folder. Without it the test is skipped, unless all
/// programs are required.
fn found(name: &str) -> Option<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).chain([Path::new("/usr/games").to_path_buf()]);
    let program = folders.find_map(|folder| Some(folder.join(name)).filter(|program| program.is_file()));
    if program.is_none() {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{name} is not installed");
        eprintln!("SKIPPED: {name} is not installed, so no games are played against it");
    }
    program.map(|program| program.display().to_string())
}

/// Plays a game to its end.
fn play(spec: &str, players: [&mut dyn Agent; 2]) -> Box<dyn Session> {
    let mut game = open(spec, "start").unwrap();
    let stop = AtomicBool::new(false);
    let limits = Limits { playouts: Some(50), memory: Some(1 << 26), ..Limits::default() };
    let [first, second] = players;
    first.begin(game.as_ref()).unwrap();
    second.begin(game.as_ref()).unwrap();
    while let Some(seat) = game.to_move() {
        let seed = game.moves().len() as u64;
        let turn = Turn { limits, clock: None, seed, threads: 1, stop: &stop };
        let player: &mut dyn Agent = if seat.0 == 0 { first } else { second };
        match player.choose(game.as_ref(), &turn).unwrap().action {
            Action::Move(mv) => game.play(&mv).unwrap(),
            Action::Resign => panic!("no player resigns here"),
        }
    }
    game
}

/// Plays two games, one with each colour, and passes each game with the program's score to `look`.
fn both_colours(spec: &str, own: &str, command_line: &str, look: impl Fn(&dyn Session, &str)) {
    let game = open(spec, "start").unwrap();
    let mut ours = SearchPlayer::new(own, game.as_ref()).unwrap();
    let mut theirs = GtpPlayer::start(command_line, game.as_ref(), &Children::default()).unwrap();
    for first in [true, false] {
        let players: [&mut dyn Agent; 2] = if first { [&mut ours, &mut theirs] } else { [&mut theirs, &mut ours] };
        let played = play(spec, players);
        let score = theirs.result(played.as_ref()).unwrap().expect("it counts the score");
        look(played.as_ref(), &score);
    }
}

#[test]
fn games_with_gnu_go_have_the_score_of_both_programs() {
    let Some(gnugo) = found("gnugo") else { return };
    let command_line = format!("{gnugo} --mode gtp --level 1 --seed 1 --chinese-rules --capture-all-dead");
    both_colours("go:9,komi=6.5", "mcts:rave", &command_line, |game, score| {
        let lead = game.ending().unwrap().scores[0].value();
        let ours = format!("{}+{:.1}", if lead > 0.0 { "B" } else { "W" }, lead.abs());
        assert_eq!(score, ours, "{}", game.game_text());
    });
}

#[test]
fn games_with_gtp_rhino_have_the_score_of_both_programs() {
    let Some(rhino) = found("gtp-rhino") else { return };
    both_colours("othello", "mcts", &rhino, |game, score| {
        let lead = game.ending().unwrap().scores[0].value();
        let winner = match lead {
            0.0 => "0".to_string(),
            lead => format!("{}+", if lead > 0.0 { "B" } else { "W" }),
        };
        assert!(score.starts_with(&winner), "{score}: {}", game.game_text());
        // Tesuji counts empty cells for the winner; on a full board the counts agree.
        if !game.text().contains('.') && lead != 0.0 {
            assert_eq!(score, format!("{winner}{}", lead.abs()), "{}", game.game_text());
        }
    });
}
