//! Matches of a game for one player: every player on the same boards.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_arena::{Match, Openings, PlayedGame, Sprt, Standings, check_log, read_log};
use tesuji_gtp::{Children, Terms};

const GAME: &str = "samegame:6x6,colours=3";
const PLAYOUTS: u64 = 60;

fn on_boards(game: &str, players: &[&str], boards: u64) -> Match {
    Match {
        game: game.to_string(),
        players: players.iter().map(|player| player.parse().unwrap()).collect(),
        terms: Terms { playouts: Some(PLAYOUTS), ..Terms::default() },
        clock: None,
        openings: Openings::Boards,
        seed: 1,
        games: Some(boards),
        sprt: None,
    }
}

fn play_logged(plan: &Match, log: Option<&Path>, concurrency: usize) -> Result<Standings, String> {
    let stop = AtomicBool::new(false);
    let result = plan.play(log, concurrency, &Children::default(), &stop, &|_| ControlFlow::Continue(()));
    result.map_err(|error| error.to_string())
}

fn play(plan: &Match) -> Standings {
    play_logged(plan, None, 1).unwrap()
}

/// The games of a log without timing, ordered by number.
fn timeless(path: &Path) -> Vec<PlayedGame> {
    let (_, mut games) = read_log(path).unwrap();
    games.iter_mut().for_each(|game| game.timing = Default::default());
    games
}

#[test]
fn every_player_searches_every_board_once() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let standings = play_logged(&on_boards(GAME, &["mcts", "nmcs:level=1"], 5), Some(&log), 1).unwrap();
    let boards: Vec<&str> = standings.boards.iter().map(|board| board.board.as_str()).collect();
    let expected = (1..=5).map(|seed| format!("{GAME},seed={seed}")).collect::<Vec<_>>();
    assert_eq!(boards, expected);
    assert_eq!((standings.games, standings.planned), (10, Some(10)));
    for player in &standings.players {
        assert_eq!((player.spent.moves, player.spent.playouts), (5, 5 * PLAYOUTS), "one search for each board");
        assert!(player.score_error.unwrap() > 0.0 && player.record.games() == 0, "{player:?}");
    }
    // The games are complete, and their scores are those of the moves.
    let (_, games) = check_log(&log).unwrap();
    for game in &games {
        let board = &standings.boards[(game.number / 2) as usize];
        assert_eq!(board.scores[game.seats[0]], game.scores.as_ref().map(|scores| scores[0].value()));
        assert!(game.moves.len() > 1 && game.opening == "start", "{game:?}");
    }
    let pair = &standings.comparisons[0];
    assert_eq!((pair.boards, pair.better + pair.equal + pair.worse), (5, 5));
    let means = [0, 1].map(|player| standings.players[player].score.unwrap());
    assert!((means[0] - means[1] - pair.difference).abs() < 1e-9, "{pair:?}");
    assert_eq!(pair.test.unwrap().degrees, 4);
}

#[test]
fn more_playouts_and_any_search_are_better_than_chance() {
    let players = ["mcts@playouts=400", "mcts@playouts=20", "random"];
    let standings = play(&on_boards("samegame:8x8,colours=4", &players, 20));
    let means: Vec<f64> = standings.players.iter().map(|player| player.score.unwrap()).collect();
    assert!(means[0] > means[1] && means[1] > means[2], "{means:?}");
    assert_eq!(standings.comparisons.len(), 3);
    let against_chance = &standings.comparisons[1];
    assert_eq!((against_chance.first.as_str(), against_chance.second.as_str()), ("mcts@playouts=400", "random"));
    assert!(against_chance.test.unwrap().p < 0.001, "{against_chance:?}");
    assert!(standings.players[0].best.unwrap() > standings.players[2].best.unwrap());
}

#[test]
fn the_log_of_boards_from_a_file_is_read_without_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let [log, boards] = ["log", "boards.txt"].map(|name| folder.path().join(name));
    std::fs::write(&boards, "0 1\n1 0\n\n0 0\n1 1\n").unwrap();
    let game = format!("samegame:board={}", boards.display());
    play_logged(&on_boards(&game, &["mcts"], 2), Some(&log), 1).unwrap();
    let with_file = read_log(&log).unwrap();
    assert_eq!(with_file.1.len(), 2);
    let edited = std::fs::read_to_string(&log).unwrap().replace(",number=2", ",number=3");
    let other = folder.path().join("other");
    std::fs::write(&other, edited).unwrap();
    assert!(read_log(&other).unwrap_err().to_string().contains("line 3 is not a game of this match"));
    std::fs::remove_file(&boards).unwrap();
    let without = read_log(&log).unwrap();
    assert_eq!((without.0, without.1), with_file);
    // Without the file games are neither replayed nor continued.
    assert!(check_log(&log).unwrap_err().to_string().contains("boards.txt is not accepted"));
}

#[test]
fn a_search_without_complete_lines_shares_the_budget_among_its_moves() {
    let standings = play(&on_boards(GAME, &["flat", "random", "mcts:parallel=leaf"], 4));
    for player in &standings.players {
        assert!(player.spent.moves > 4 * 3, "one search for each move: {player:?}");
        assert!(player.spent.playouts <= 4 * PLAYOUTS, "never more than the budget: {player:?}");
        assert_eq!(player.faults, 0);
    }
    let [flat, random, _] = &standings.players[..] else { panic!("three players") };
    // At most 18 moves are left at the start, and fewer later.
    assert!(flat.spent.playouts > 4 * PLAYOUTS / 4, "{flat:?}");
    assert_eq!(random.spent.playouts, 0);
}

#[test]
fn boards_do_not_depend_on_concurrency_or_on_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let plan = on_boards(GAME, &["mcts", "nmcs:level=1"], 6);
    let [one, three, parts] = ["one", "three", "parts"].map(|name| folder.path().join(name));
    let whole = play_logged(&plan, Some(&one), 1).unwrap();
    play_logged(&plan, Some(&three), 3).unwrap();
    assert_eq!(timeless(&one), timeless(&three));
    let stop = AtomicBool::new(false);
    let stopped = plan
        .play(Some(&parts), 1, &Children::default(), &stop, &|standings| {
            stop.store(standings.games >= 5, Relaxed);
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!((stopped.games, stopped.boards.len(), stopped.comparisons[0].boards), (5, 3, 2));
    let resumed = play_logged(&plan, Some(&parts), 1).unwrap();
    assert_eq!(timeless(&one), timeless(&parts));
    assert_eq!((&resumed.boards, &resumed.comparisons), (&whole.boards, &whole.comparisons));
    // More boards continue the same match.
    let more = play_logged(&Match { games: Some(8), ..plan.clone() }, Some(&parts), 1).unwrap();
    assert_eq!((more.games, &more.boards[..6]), (16, &whole.boards[..]));
    let other = play_logged(&Match { game: format!("{GAME},seed=2"), ..plan }, Some(&parts), 1).unwrap_err();
    assert!(other.contains("the log of another match"), "{other}");
}

#[test]
fn a_forged_board_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (log, edited) = (folder.path().join("log"), folder.path().join("edited"));
    let plan = on_boards(GAME, &["mcts"], 3);
    play_logged(&plan, Some(&log), 1).unwrap();
    let text = std::fs::read_to_string(&log).unwrap();
    let score = timeless(&log)[1].scores.as_ref().unwrap()[0];
    for (from, to, words) in [
        (",seed=2\"".to_string(), ",seed=9\"".to_string(), "line 3 is not a game of this match"),
        (format!("\"scores\":[{score}]"), format!("\"scores\":[{}]", score.value() + 5.0), "its moves lead to"),
    ] {
        assert!(text.contains(&from), "{from} is not in {text}");
        std::fs::write(&edited, text.replacen(&from, &to, 1)).unwrap();
        let error = check_log(&edited).unwrap_err().to_string();
        assert!(error.contains(words), "{error} does not say {words}");
    }
}

#[test]
fn boards_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("boards.txt");
    // The second board has no group.
    std::fs::write(&path, "001\n011\n\n01\n10\n\n0011\n0101\n").unwrap();
    let game = format!("samegame:board='{}'", path.display());
    let standings = play(&on_boards(&game, &["mcts", "random"], 3));
    let boards: Vec<String> = standings.boards.iter().map(|board| board.board.clone()).collect();
    assert_eq!(boards, [1, 2, 3].map(|number| format!("{game},number={number}")));
    assert_eq!(standings.boards[1].scores, [Some(0.0), Some(0.0)], "two tiles of each colour cost nothing");
    assert_eq!(standings.faults, []);
    let error = play_logged(&on_boards(&game, &["mcts"], 4), None, 1).unwrap_err();
    assert!(error.contains("a file with a board 4; this one has 3"), "{error}");
    let later = play(&on_boards(&format!("{game},number=3"), &["mcts"], 1));
    assert_eq!(later.boards[0].board, boards[2]);
}

#[test]
fn what_cannot_be_compared_is_refused_with_a_reason() {
    let error = |plan: &Match| play_logged(plan, None, 1).unwrap_err();
    let plan = on_boards("samegame", &["mcts", "nmcs"], 2);
    let without = error(&Match { openings: Openings::Random(2), ..plan.clone() });
    assert!(without.starts_with("samegame is for one player") && without.contains("--boards 100"), "{without}");
    let two = error(&on_boards("connect4", &["mcts", "mcts"], 2));
    assert!(two.contains("connect4 has 2 players") && two.contains("--games 100"), "{two}");
    let three = error(&on_boards("rolit:4,players=3", &["mcts", "mcts"], 2));
    assert!(three.contains("rolit:4,players=3 has 3 players"), "{three}");
    let clock = error(&Match { clock: Some("10s".parse().unwrap()), ..plan.clone() });
    assert!(clock.contains("a board has a budget and no clock"), "{clock}");
    let endless = error(&Match { games: None, ..plan.clone() });
    assert!(endless.contains("give a number of boards"), "{endless}");
    let test = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
    let tested = error(&Match { sprt: Some(test), ..plan.clone() });
    assert!(tested.contains("the sequential test needs two players"), "{tested}");
    let unlimited = error(&Match { terms: Terms::default(), ..plan.clone() });
    assert!(unlimited.contains("nothing ends a move of mcts"), "{unlimited}");
    let empty = error(&Match { players: Vec::new(), ..plan.clone() });
    assert!(empty.contains("takes at least 1 players, not 0"), "{empty}");
    let unable = error(&on_boards("samegame", &["prove"], 2));
    assert!(unable.starts_with("prove: cannot play this"), "{unable}");
}
