//! Duels: seats, openings and threads.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_arena::interval;
use tesuji_catalog::{Duel, Score, duel};
use tesuji_core::Limits;

fn plan(game: &str, games: u64) -> Duel {
    let players = ["random".to_string(), "random".to_string()];
    Duel { game: game.to_string(), players, limits: Limits::default(), games, opening: 2, seed: 1, threads: 1 }
}

fn without_time(mut score: Score) -> Score {
    score.spent.iter_mut().for_each(|spent| spent.seconds = 0.0);
    score
}

#[test]
fn equal_players_change_seats_and_share_the_points() {
    let score = duel(&plan("connect4", 400), &AtomicBool::new(false), &|_| {}).unwrap();
    assert_eq!(score.by_seat[0].games(), 200);
    assert_eq!(score.by_seat[1].games(), 200);
    let (low, high) = interval(&score.total);
    assert!(low < 0.5 && high > 0.5, "{score:?}");
    // The first seat wins more than half of the random games: the seats are told apart.
    assert!(score.by_seat[0].share() > score.by_seat[1].share(), "{score:?}");
}

#[test]
fn the_score_does_not_depend_on_the_threads() {
    let one = plan("tictactoe", 101);
    let three = Duel { threads: 3, ..one.clone() };
    let score = |plan| without_time(duel(plan, &AtomicBool::new(false), &|_| {}).unwrap());
    assert_eq!(score(&one), score(&three));
    assert_eq!(score(&one).total.games(), 101);
}

#[test]
fn a_stopped_duel_counts_finished_games_only() {
    let stop = AtomicBool::new(false);
    let score = duel(&plan("connect4", 1000), &stop, &|score| {
        stop.store(score.total.games() == 5, Relaxed);
    });
    assert_eq!(score.unwrap().total.games(), 5);
}

#[test]
fn what_cannot_be_played_is_refused_with_a_reason() {
    let error = |plan: &Duel| duel(plan, &AtomicBool::new(false), &|_| {}).unwrap_err().to_string();
    assert_eq!(error(&plan("rolit", 2)), "rolit is for 4 players; a duel takes a game for two");
    assert!(error(&plan("chess", 2)).starts_with("there is no game \"chess\""));
    let mut wrong = plan("connect4", 2);
    wrong.players[1] = "guess".to_string();
    assert!(error(&wrong).starts_with("there is no search \"guess\"; known are mcts"));
    assert!(error(&wrong).ends_with(", auto"));
    let long = Duel { opening: 9, ..plan("tictactoe", 2) };
    assert!(error(&long).contains("over after 9 random moves"), "{}", error(&long));
}

#[test]
fn pairs_of_games_begin_alike() {
    // A player that meets itself and throws no dice plays the same game again from the same opening.
    let players = ["minimax".to_string(), "minimax".to_string()];
    let score = duel(&Duel { players, opening: 3, ..plan("tictactoe", 40) }, &AtomicBool::new(false), &|_| {}).unwrap();
    let [first, second] = score.by_seat;
    assert_eq!((first.wins, first.draws, first.losses), (second.losses, second.draws, second.wins));
    assert!(first.wins > 0 && first.draws > 0, "openings differ from pair to pair: {score:?}");
}
