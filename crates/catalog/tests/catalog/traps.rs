//! Shallow traps in the positions of self-play games.

use std::sync::atomic::AtomicBool;
use tesuji_catalog::{SelfPlay, TrapsPlan, TrapsReport, traps};
use tesuji_core::Limits;

fn plan(game: &str, player: &str, count: u64) -> TrapsPlan {
    let limits = Limits { playouts: Some(100), ..Limits::default() };
    let games = SelfPlay { game: game.to_string(), player: player.to_string(), limits, opening: 0, seed: 1 };
    TrapsPlan { games, count, levels: 1..=3, rollouts: 200 }
}

fn found(game: &str, player: &str, count: u64) -> TrapsReport {
    traps(&plan(game, player, count), &AtomicBool::new(false), &|_| {}).unwrap()
}

/// At the start of a random tree, four of five moves are a trap with probability 1/4. A playout
/// refutes one of three plies with two choices of the opponent if it finds both: 1/25 of the time.
#[test]
fn planted_traps_are_counted() {
    let mut sum = (0, 0, 0.0);
    for seed in 0..40 {
        let game = format!("synthetic:depth=14,branching=5,traps=25,trap-plies=3,seed={seed}");
        let report = found(&game, "random", 5);
        let start = &report.turns[0];
        assert_eq!((start.turn, start.positions), (1, 5));
        assert_eq!(start.levels[0].traps + start.levels[1].traps, 0);
        sum.0 += start.levels[2].traps;
        sum.1 += start.levels[2].positions;
        sum.2 += start.levels[2].difficulty().map_or(0.0, |difficulty| difficulty * start.levels[2].traps as f64);
        assert!(report.levels.is_sorted_by_key(|level| level.traps));
    }
    // All five games of a tree start alike: on average one trap each.
    assert!((120..280).contains(&sum.0) && sum.1 < sum.0, "{sum:?}");
    let difficulty = sum.2 / sum.0 as f64;
    assert!((0.3..0.95).contains(&difficulty), "{difficulty}");
}

/// The second player of tic-tac-toe falls into no trap of level 1 before the first has two in a
/// row.
#[test]
fn no_trap_is_shorter_than_the_rules_allow() {
    let report = found("tictactoe", "random", 30);
    assert_eq!((report.games, report.turns[0].levels[2].traps), (30, 0));
    assert_eq!(report.turns[1].levels[0].traps, 0);
    assert!(report.turns[3].levels[0].traps > 0);
    assert_eq!(report.positions, report.turns.iter().map(|turn| turn.positions).sum::<u64>());
    assert_eq!(report, found("tictactoe", "random", 30));
}

#[test]
fn a_stopped_search_reports_the_finished_games() {
    let stop = AtomicBool::new(true);
    let report = traps(&plan("connect4", "random", 5), &stop, &|_| {}).unwrap();
    assert_eq!((report.games, report.positions, report.levels[0].difficulty), (0, 0, None));
}

#[test]
fn games_for_one_or_several_players_are_refused() {
    for game in ["samegame", "rolit:players=3"] {
        let error = traps(&plan(game, "random", 1), &AtomicBool::new(false), &|_| {}).unwrap_err();
        assert!(error.to_string().contains("two players"), "{error}");
    }
    assert!(traps(&plan("chess", "random", 1), &AtomicBool::new(false), &|_| {}).is_err());
}
