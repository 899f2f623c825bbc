//! Players at the board of a session: who they are, what they think, and how it is told.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tesuji_catalog::{AUTO, Meaning, Thinking, Thought, bounds_in_words, meanings, open};
use tesuji_core::{Bounds, Inspector, Limits, Player, StopReason};

#[test]
fn auto_can_play_every_game() {
    for Meaning { game, search } in meanings() {
        let mut session = open(game, "start").unwrap();
        let meant = session.invite(AUTO).unwrap_or_else(|error| panic!("{game}: {error}"));
        assert_eq!(meant.to_string(), search);
    }
}

#[test]
fn auto_takes_no_options() {
    let mut session = open("connect4", "start").unwrap();
    let error = session.invite("auto:c=1").unwrap_err().to_string();
    assert_eq!(error, "auto has no option \"c\"; it takes no options");
}

#[test]
fn some_games_have_a_configuration_of_their_own() {
    let meanings = meanings();
    let meant = |name: &str| meanings.iter().find(|meaning| meaning.game == name).unwrap().search;
    for name in ["go", "hex"] {
        assert_ne!(meant(name), meant("connect4"), "{name}");
    }
}

fn thinking(playouts: u64, stop: &AtomicBool) -> Thinking<'_> {
    let limits = Limits { playouts: Some(playouts), ..Limits::default() };
    Thinking { limits, seed: 1, threads: 1, stop, observer: None }
}

#[test]
fn thoughts_are_told_in_the_words_of_the_game() {
    let mut session = open("minishogi", "start").unwrap();
    let thought = session.think("flat", thinking(200, &AtomicBool::new(false))).unwrap();
    let legal = session.legal_moves();
    assert_eq!(thought.report.moves.len(), legal.len());
    assert!(thought.report.moves.iter().all(|entry| legal.contains(&entry.mv)));
    assert!(legal.contains(thought.report.best.as_ref().unwrap()));
    assert_eq!(thought.report.counters.playouts, 200);
    assert_eq!((thought.player.as_str(), thought.search.as_str()), ("flat", "flat"));
}

#[test]
fn a_variation_is_told_move_by_move() {
    let mut session = open("tictactoe", "start moves a1 a3 c3").unwrap();
    let thought = session.think("minimax", thinking(1, &AtomicBool::new(false))).unwrap();
    for mv in &thought.report.variation {
        session.play(mv).unwrap();
    }
    assert_eq!(thought.report.variation.first(), thought.report.best.as_ref());
}

#[test]
fn a_player_that_is_stopped_answers_with_what_it_has() {
    let mut session = open("connect4", "start").unwrap();
    let thought = session.think("flat", thinking(u64::MAX, &AtomicBool::new(true))).unwrap();
    assert_eq!(thought.report.stopped, StopReason::Asked);
    assert!(thought.report.best.is_some());
}

#[test]
fn a_player_stays_at_the_board_with_what_it_has_learned() {
    let mut session = open("connect4", "start").unwrap();
    let stop = AtomicBool::new(false);
    let first = session.think("mcts:reuse", thinking(2000, &stop)).unwrap();
    for mv in &first.report.variation[..2] {
        session.play(mv).unwrap();
    }
    let visits = |thought: &Thought| thought.report.moves.iter().map(|entry| entry.visits).sum::<u64>();
    let second = session.think("mcts:reuse", thinking(100, &stop)).unwrap();
    assert!(visits(&second) > 200, "{}", visits(&second));
    let stranger = session.think("mcts", thinking(100, &stop)).unwrap();
    assert!(visits(&stranger) <= 100, "{}", visits(&stranger));
}

#[test]
fn an_observer_sees_the_search_in_texts() {
    let mut session = open("go:5", "start").unwrap();
    let legal = session.legal_moves();
    let stop = AtomicBool::new(false);
    let mut seen = Vec::new();
    let observer = Box::new(|inspector: &dyn Inspector<String>| {
        let report = inspector.report();
        assert!(inspector.look(&["z9".to_string()]).is_none());
        let answers = inspector.look(&[report.best.clone().unwrap()]);
        seen.push((report, answers));
        stop.store(true, Relaxed);
    });
    let observed = Thinking { observer: Some((Duration::ZERO, observer)), ..thinking(u64::MAX, &stop) };
    session.think("mcts", observed).unwrap();
    let (report, answers) = seen.into_iter().next().unwrap();
    let best = report.best.unwrap();
    assert!(legal.contains(&best));
    // The answers are those to the best move, in the words of the position after it.
    session.play(&best).unwrap();
    let legal = session.legal_moves();
    assert!(answers.into_iter().flatten().all(|entry| legal.contains(&entry.mv)));
}

fn words(game: &str, at_least: i32, at_most: i32) -> Option<String> {
    let facts = open(game, "start").unwrap().facts();
    bounds_in_words(&Bounds { player: Player::FIRST, at_least, at_most }, &facts)
}

#[test]
fn bounds_are_told_as_results_where_they_are_results() {
    let told = |at_least, at_most| words("tictactoe", at_least, at_most).unwrap();
    assert_eq!(words("tictactoe", -1, 1), None);
    assert_eq!(told(1, 1), "win");
    assert_eq!(told(0, 0), "draw");
    assert_eq!(told(-1, -1), "loss");
    assert_eq!(told(0, 1), "at least a draw");
    assert_eq!(told(-1, 0), "at most a draw");
    assert_eq!(words("hex", -1, 0).unwrap(), "loss");
    assert_eq!(words("hex", 0, 1).unwrap(), "win");
}

#[test]
fn bounds_are_told_as_scores_where_they_say_more() {
    let told = |at_least, at_most| words("othello", at_least, at_most).unwrap();
    assert_eq!(words("othello", -64, 64), None);
    assert_eq!(told(1, 64), "win");
    assert_eq!(told(12, 16), "win, score 12..16");
    assert_eq!(told(12, 64), "win, score at least 12");
    assert_eq!(told(-64, -1), "loss");
    assert_eq!(told(-6, -6), "loss, score -6");
    assert_eq!(told(-4, 20), "score -4..20");
    assert_eq!(told(0, 64), "at least a draw");
    assert_eq!(words("rolit:4", 3, 16).unwrap(), "score at least 3");
    assert_eq!(words("rolit:4", 3, 3).unwrap(), "score 3");
    // Two have balls of their own, too: 7 of 16 are no win.
    assert_eq!(words("rolit:4,players=2", 7, 7).unwrap(), "score 7");
    assert_eq!(words("rolit:4,players=2", 0, 0).unwrap(), "score 0");
}

#[test]
fn a_limit_on_playouts_ends_searches_that_make_none() {
    let mut session = open("othello", "start").unwrap();
    let stop = AtomicBool::new(false);
    for player in ["alphabeta", "dfpn", "pns", "root:[alphabeta]", "auto", "mcts"] {
        let counters = session.think(player, thinking(500, &stop)).unwrap().report.counters;
        assert!((1..=500).contains(&counters.playouts.max(counters.nodes)), "{player}: {counters:?}");
    }
}

#[test]
fn the_tree_of_the_last_search_can_be_looked_into_along_any_line() {
    let mut session = open("hex:4", "start moves b2").unwrap();
    assert_eq!(session.look("mcts", &[]), None, "nobody has searched yet");
    let report = session.think("mcts", thinking(5000, &AtomicBool::new(false))).unwrap().report;
    assert_eq!(session.look("mcts", &[]), Some(report.moves.clone()));
    let best = report.best.unwrap();
    let deeper = session.look("mcts", std::slice::from_ref(&best)).expect("the best move was tried often");
    assert_eq!(deeper.len(), 14);
    assert_eq!(session.look("mcts", &["b2".to_string()]), None, "there is a stone");
    assert_eq!(session.look("mcts:solver", &[]), None, "another player");
    session.play(&best).unwrap();
    assert_eq!(session.look("mcts", &[]), Some(deeper), "the game has gone on");
    session.undo();
    session.undo();
    assert_eq!(session.look("mcts", &[]), None, "the tree begins later");
}
