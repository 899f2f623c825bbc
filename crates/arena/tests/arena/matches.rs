//! Whole matches: seats, openings, threads, logs.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_arena::{Match, Openings, PlayedGame, Sprt, Standings, Verdict, check_log, interval, read_log};
use tesuji_core::PointScore;
use tesuji_gtp::{Children, Terms};

fn between(game: &str, players: &[&str], games: u64) -> Match {
    Match {
        game: game.to_string(),
        players: players.iter().map(|player| player.parse().unwrap()).collect(),
        terms: Terms { playouts: Some(20), ..Terms::default() },
        clock: None,
        openings: Openings::Random(2),
        seed: 1,
        games: Some(games),
        sprt: None,
    }
}

fn keep_going(_: &Standings) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn play(plan: &Match) -> Standings {
    plan.play(None, 1, &Children::default(), &AtomicBool::new(false), &keep_going).unwrap()
}

fn error(plan: &Match) -> String {
    plan.play(None, 1, &Children::default(), &AtomicBool::new(false), &keep_going).unwrap_err().to_string()
}

/// The games of a log without timing, ordered by number.
fn timeless(path: &Path) -> Vec<PlayedGame> {
    let (_, mut games) = read_log(path).unwrap();
    games.iter_mut().for_each(|game| game.timing = Default::default());
    games
}

#[test]
fn equal_players_swap_seats_and_share_the_points() {
    let standings = play(&between("connect4", &["random", "random"], 400));
    let first = &standings.players[0];
    assert_eq!((first.seats[0].games(), first.seats[1].games()), (200, 200));
    let (low, high) = interval(&first.record);
    assert!(low < 0.5 && high > 0.5, "{standings:?}");
    // The first seat wins more than half of the random games, so the seats are distinguished.
    assert!(standings.seats[0].share() > 0.5, "{standings:?}");
    assert_eq!(standings.pairs.unwrap().count(), 200);
    assert_eq!((standings.games, standings.planned), (400, Some(400)));
}

#[test]
fn game_pairs_share_their_opening() {
    // A deterministic player repeats its game from the same opening.
    let plan = Match { openings: Openings::Random(3), ..between("tictactoe", &["minimax", "minimax"], 40) };
    let plan = Match { terms: Terms { nodes: Some(100_000), ..Terms::default() }, ..plan };
    let standings = play(&plan);
    let [first, second] = standings.players[0].seats[..] else { panic!("two seats") };
    assert_eq!((first.wins, first.draws, first.losses), (second.losses, second.draws, second.wins));
    assert!(first.wins > 0 && first.draws > 0, "openings differ from pair to pair: {standings:?}");
    assert_eq!(standings.pairs.unwrap().0, [0, 0, 20, 0, 0]);
}

#[test]
fn games_do_not_depend_on_concurrency() {
    let folder = tempfile::tempdir().unwrap();
    let plan = between("tictactoe", &["mcts", "random"], 31);
    let [one, three] = [1, 3].map(|concurrency| {
        let log = folder.path().join(concurrency.to_string());
        plan.play(Some(&log), concurrency, &Children::default(), &AtomicBool::new(false), &keep_going).unwrap();
        timeless(&log)
    });
    assert_eq!(one, three);
    assert_eq!(one.len(), 31);
}

#[test]
fn a_stopped_match_resumes_and_ends_with_the_same_log() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    let plan = between("connect4", &["mcts", "random"], 12);
    plan.play(Some(&whole), 1, &Children::default(), &AtomicBool::new(false), &keep_going).unwrap();
    let stop = AtomicBool::new(false);
    let standings = plan
        .play(Some(&parts), 2, &Children::default(), &stop, &|standings| {
            stop.store(standings.games >= 5, Relaxed);
            ControlFlow::Continue(())
        })
        .unwrap();
    assert!((5..12).contains(&standings.games), "{}", standings.games);
    // A killed process may leave a partial last line.
    let text = std::fs::read_to_string(&parts).unwrap();
    std::fs::write(&parts, &text[..text.len() - 20]).unwrap();
    let seen = std::sync::Mutex::new(Vec::new());
    let standings = plan
        .play(Some(&parts), 1, &Children::default(), &AtomicBool::new(false), &|standings| {
            seen.lock().unwrap().push(standings.games);
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(standings.games, 12);
    assert!(seen.into_inner().unwrap()[0] >= 4, "what is in the log is not played again");
    assert_eq!(timeless(&whole), timeless(&parts));
    // The progress callback may end the match.
    let enough =
        plan.play(None, 1, &Children::default(), &AtomicBool::new(false), &|standings| match standings.games {
            3 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        });
    assert_eq!(enough.unwrap().games, 3);
    // More games continue the same match, fewer are a part of it.
    let more = Match { games: Some(14), ..plan.clone() };
    assert_eq!(
        more.play(Some(&parts), 1, &Children::default(), &AtomicBool::new(false), &keep_going).unwrap().games,
        14
    );
    assert_eq!(
        plan.play(Some(&parts), 1, &Children::default(), &AtomicBool::new(false), &keep_going).unwrap().games,
        12
    );
    let other = Match { seed: 2, ..plan };
    let error = other
        .play(Some(&parts), 1, &Children::default(), &AtomicBool::new(false), &keep_going)
        .unwrap_err()
        .to_string();
    assert!(error.contains("the log of another match") && error.contains("seed 2"), "{error}");
}

#[test]
fn the_latest_settings_are_read_from_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let plan = between("connect4", &["mcts", "random"], 4);
    let play =
        |plan: &Match| plan.play(Some(&log), 1, &Children::default(), &AtomicBool::new(false), &keep_going).unwrap();
    play(&plan);
    let test = Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 };
    for next in [
        Match { games: Some(6), ..plan.clone() },
        Match { games: Some(6), sprt: Some(test), ..plan.clone() },
        Match { games: Some(3), ..plan.clone() },
        Match { games: Some(6), ..plan.clone() },
    ] {
        let standings = play(&next);
        let (head, games) = read_log(&log).unwrap();
        assert_eq!((&head, &Standings::of(&head, 2, &games)), (&next, &standings));
    }
    let lines = |path: &Path| std::fs::read_to_string(path).unwrap().lines().count();
    assert_eq!(lines(&log), 5 + 6, "the match is written again when it changes, a game never");
    play(&Match { games: Some(6), ..plan });
    assert_eq!(lines(&log), 5 + 6);
}

#[test]
fn a_log_of_several_matches_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (log, other, edited) = (folder.path().join("log"), folder.path().join("other"), folder.path().join("edited"));
    let plan = between("connect4", &["mcts", "random"], 4);
    plan.play(Some(&log), 1, &Children::default(), &AtomicBool::new(false), &keep_going).unwrap();
    let three = between("rolit:4,players=3", &["random", "random", "random"], 4);
    three.play(Some(&other), 1, &Children::default(), &AtomicBool::new(false), &keep_going).unwrap();
    let [text, other] = [&log, &other].map(|path| std::fs::read_to_string(path).unwrap());
    let line = |text: &str, number: usize| format!("{}\n", text.lines().nth(number).unwrap());
    for (text, words) in [
        (text.clone() + &line(&text, 2), "it has game 1 twice"),
        (text.clone() + &line(&other, 1), "line 6 is not a game of this match"),
        (text.clone() + &other, "it holds two matches, the second from line 6 on"),
        (line(&text, 1), "line 1 is not the head of a match"),
        (text.replace(r#""seats":[0,1]"#, r#""seats":[0,7]"#), "line 2 is not a game"),
        (text.replace(r#""seats":[0,1]"#, r#""seats":[1,0]"#), "line 2 is not a game"),
        (text.replace(r#""said":[null,null]"#, r#""said":[]"#), "line 2 is not a game"),
        (text.replace(r#""verdicts":["#, r#""verdicts":["win","#), "line 2 is not a game"),
        (text.replace(r#""number":3"#, r#""number":2"#), "line 5 is not a game"),
        (text.replace(r#""end":{"by":"rules"}"#, r#""end":{"by":"resigned","seat":2}"#), "line 2 is not a game"),
        (text.replace(r#""match":{"game":"connect4""#, r#""match":{"game":"tictactoe""#), "line 2 is not a game"),
        (text.replace(r#""match":{"game":"connect4""#, r#""match":{"game":"chess""#), "there is no game"),
    ] {
        std::fs::write(&edited, &text).unwrap();
        let error = read_log(&edited).unwrap_err().to_string();
        assert!(error.contains(words), "{error} does not say {words}");
        let played = plan.play(Some(&edited), 1, &Children::default(), &AtomicBool::new(false), &keep_going);
        assert!(played.unwrap_err().to_string().contains(words), "{words}");
        assert_eq!(std::fs::read_to_string(&edited).unwrap(), text, "nothing of it is lost");
    }
}

#[test]
fn forged_games_are_found_by_replaying_them() {
    let folder = tempfile::tempdir().unwrap();
    let (log, edited) = (folder.path().join("log"), folder.path().join("edited"));
    let plan = between("tictactoe", &["mcts", "random"], 6);
    let play = |log: &Path| plan.play(Some(log), 1, &Children::default(), &AtomicBool::new(false), &keep_going);
    play(&log).unwrap();
    let (_, games) = check_log(&log).unwrap();
    let won = games
        .iter()
        .find(|game| game.scores == Some(vec![PointScore::new(1.0), PointScore::new(-1.0)]))
        .expect("mcts wins one with X");
    let text = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let line = 1 + lines.iter().position(|line| line.contains(&format!(r#""number":{},"#, won.number))).unwrap();
    // Replaces a part of the line of that game.
    let forged = |from: &str, to: &str| {
        assert!(lines[line - 1].contains(from), "{from} is not in {}", lines[line - 1]);
        let mut lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        lines[line - 1] = lines[line - 1].replacen(from, to, 1);
        lines.join("\n") + "\n"
    };
    let (first, last) = (&won.moves[0], won.moves.last().unwrap());
    let moves = format!(r#""moves":["{}"]"#, won.moves.join(r#"",""#));
    let replaced = |moves: &[&str]| format!(r#""moves":["{}"]"#, moves.join(r#"",""#));
    let all: Vec<&str> = won.moves.iter().map(String::as_str).collect();
    let resigned = |seat: usize| format!(r#""end":{{"by":"resigned","seat":{seat}}}"#);
    for (text, words) in [
        (forged(r#""verdicts":["win","loss"]"#, r#""verdicts":["loss","win"]"#), "its verdicts are [Loss, Win]"),
        (forged(r#""scores":[1,-1]"#, r#""scores":[2,-2]"#), "its scores are [2, -2]; its moves lead to [1, -1]"),
        (forged(r#""scores":[1,-1]"#, r#""scores":null"#), "its scores are none; its moves lead to [1, -1]"),
        (forged(&moves, &replaced(&[&["z9"], &all[1..]].concat())), "move 1 after the opening: \"z9\" is not a legal"),
        (forged(&moves, &replaced(&[&all[..], &[first]].concat())), "the game is over"),
        (forged(&moves, &replaced(&all[..all.len() - 1])), "its moves do not end it"),
        (forged(&format!("\"{last}\"]"), &format!("\"{first}\"]")), "is not a legal move"),
        (forged(r#""end":{"by":"rules"}"#, &resigned(1)), "seat 2 is said to resign; the game was over"),
        (forged(r#""opening":"start moves "#, r#""opening":"start moves z9 "#), "its opening: move 1: \"z9\""),
        (forged(r#""seconds":["#, r#""seconds":[-1"#), "seconds; expected 0 or more"),
        (forged(lines[line - 1], ""), &format!("line {line} is empty")),
        (forged(lines[line - 1], "{}"), &format!("line {line} is not a valid line of a match")),
    ] {
        std::fs::write(&edited, &text).unwrap();
        let error = check_log(&edited).unwrap_err().to_string();
        assert!(error.contains(words) && error.contains(&format!("line {line}")), "{error} does not say {words}");
        assert!(play(&edited).unwrap_err().to_string().contains(words), "a match is not resumed from it: {words}");
        assert_eq!(std::fs::read_to_string(&edited).unwrap(), text, "nothing of it is lost");
    }
    let wrong_turn = forged(r#""end":{"by":"rules"}"#, &resigned(0)).replace(&moves, &replaced(&all[..all.len() - 2]));
    std::fs::write(&edited, wrong_turn).unwrap();
    let error = check_log(&edited).unwrap_err().to_string();
    assert!(error.contains("seat 1 is said to resign"), "{error}");
}

#[test]
fn equal_players_have_different_names() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let plan = between("hex:3", &["random", "random", "mcts@playouts=2", "mcts@playouts=3"], 2);
    let names = ["random", "random#2", "mcts@playouts=2", "mcts@playouts=3"];
    assert_eq!(plan.names(), names);
    let standings = plan.play(Some(&log), 1, &Children::default(), &AtomicBool::new(false), &keep_going).unwrap();
    for (standing, name) in standings.players.iter().zip(names) {
        assert_eq!((standing.player.as_str(), standing.name.as_str()), (name, name));
    }
    let (_, games) = check_log(&log).unwrap();
    for game in games {
        let sgf = game.sgf().unwrap();
        let [black, white] = [game.seats[0], game.seats[1]].map(|player| names[player]);
        assert!(sgf.contains(&format!("PB[{black}]")) && sgf.contains(&format!("PW[{white}]")), "{sgf}");
    }
}

#[test]
fn a_log_is_written_by_one_match_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let plan = between("tictactoe", &["random", "random"], 2);
    let play = || plan.play(Some(&log), 1, &Children::default(), &AtomicBool::new(false), &keep_going);
    let second = std::sync::Mutex::new(String::new());
    let first = plan.play(Some(&log), 1, &Children::default(), &AtomicBool::new(false), &|standings| {
        if standings.games == 1 {
            *second.lock().unwrap() = play().unwrap_err().to_string();
        }
        ControlFlow::Continue(())
    });
    assert_eq!(first.unwrap().games, 2);
    assert!(second.into_inner().unwrap().ends_with("another process is using it"));
    assert_eq!(play().unwrap().games, 2);
}

#[test]
fn more_players_than_seats_make_a_round_robin() {
    let standings = play(&between("tictactoe", &["random", "mcts", "minimax"], 10));
    assert_eq!(standings.games, 30);
    for (row, player) in standings.players.iter().enumerate() {
        assert_eq!(player.record.games(), 20);
        let against: Vec<u64> = standings.table[row].iter().map(tesuji_core::Wdl::games).collect();
        assert_eq!(against, (0..3).map(|column| if column == row { 0 } else { 10 }).collect::<Vec<_>>());
        assert_eq!(standings.table[row].iter().copied().sum::<tesuji_core::Wdl>(), player.record);
    }
    assert!(standings.players[2].rate > standings.players[0].rate, "{standings:?}");
}

#[test]
fn multiplayer_seats_are_taken_in_every_order() {
    let plan =
        Match { openings: Openings::Random(1), ..between("rolit:4,players=3", &["random", "mcts", "random"], 6) };
    let standings = play(&plan);
    for player in &standings.players {
        let seats: Vec<u64> = player.seats.iter().map(tesuji_core::Wdl::games).collect();
        assert_eq!(seats, [2, 2, 2]);
    }
    assert!(standings.table.is_empty() && standings.pairs.is_none());
    // An equal player scores a third, which Elo would misinterpret.
    assert!(standings.players.iter().all(|player| player.elo.is_none() && player.superiority.is_none()));
    assert!(standings.players[1].score.unwrap() > standings.players[0].score.unwrap(), "{standings:?}");
}

#[test]
fn terms_of_a_player_override_those_of_the_match() {
    let standings = play(&between("connect4", &["mcts@playouts=5", "mcts"], 2));
    let per_move = |player: usize| {
        let spent = standings.players[player].spent;
        spent.playouts as f64 / spent.moves as f64
    };
    assert_eq!((per_move(0), per_move(1)), (5.0, 20.0));
}

#[test]
fn the_sequential_test_ends_a_match() {
    let test = Sprt { elo0: 0.0, elo1: 200.0, alpha: 0.05, beta: 0.05 };
    let plan = |players: &[&str]| Match { games: None, sprt: Some(test), ..between("connect4", players, 0) };
    let better = play(&plan(&["mcts", "random"]));
    assert_eq!(better.sprt.unwrap().decision, Verdict::One, "{better:?}");
    assert_eq!(better.planned, None);
    let worse = play(&plan(&["random", "mcts"]));
    assert_eq!(worse.sprt.unwrap().decision, Verdict::Zero, "{worse:?}");
}

#[test]
fn a_clock_for_the_whole_game_is_shared() {
    let clock = "10s+1s".parse().unwrap();
    let plan = Match { clock: Some(clock), ..between("tictactoe", &["mcts", "random"], 2) };
    let standings = play(&plan);
    assert_eq!(standings.faults, []);
    // Without a clock nothing is planned.
    assert!(standings.players.iter().all(|player| player.timing.used.is_some()), "{standings:?}");
    let unclocked = play(&Match { clock: None, ..plan });
    assert!(unclocked.players.iter().all(|player| player.timing.used.is_none()), "{unclocked:?}");
}

#[test]
fn openings_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openings");
    std::fs::write(&path, "# two\nstart moves 1 1\n\nstart moves 7\n").unwrap();
    let log = folder.path().join("log");
    let plan = Match { openings: Openings::File(path.clone()), ..between("connect4", &["random", "random"], 5) };
    plan.play(Some(&log), 1, &Children::default(), &AtomicBool::new(false), &keep_going).unwrap();
    let openings: Vec<String> = timeless(&log).into_iter().map(|game| game.opening).collect();
    assert_eq!(openings[..2], ["start moves 1 1", "start moves 1 1"]);
    assert_eq!(openings[2..], ["start moves 7", "start moves 7", "start moves 1 1"]);
    std::fs::write(&path, "start moves 1 1\nstart moves 6\n").unwrap();
    let changed =
        plan.play(Some(&log), 1, &Children::default(), &AtomicBool::new(false), &keep_going).unwrap_err().to_string();
    assert!(changed.ends_with("game 2 did not start from its present opening"), "{changed}");
    std::fs::write(&path, "start moves 9\n").unwrap();
    assert!(error(&plan).starts_with("opening 1: "), "{}", error(&plan));
}

#[test]
fn invalid_matches_are_refused_with_a_reason() {
    let plan = |game, players: &[&str]| between(game, players, 2);
    assert!(error(&plan("chess", &["random", "random"])).starts_with("there is no game \"chess\""));
    assert!(error(&plan("connect4", &["random"])).contains("takes at least 2 players, not 1"));
    let unknown = error(&plan("connect4", &["random", "guess"]));
    assert!(unknown.starts_with("guess: cannot play this: there is no search \"guess\""), "{unknown}");
    let long = Match { openings: Openings::Random(9), ..plan("tictactoe", &["random", "random"]) };
    assert!(error(&long).contains("every random opening of 9 moves ends tictactoe"), "{}", error(&long));
    let endless = Match { terms: Terms::default(), ..plan("tictactoe", &["mcts", "mcts"]) };
    assert!(error(&endless).contains("nothing ends a move of mcts"), "{}", error(&endless));
    let three = Match {
        sprt: Some(Sprt { elo0: 5.0, elo1: 0.0, alpha: 0.05, beta: 0.05 }),
        ..plan("tictactoe", &["mcts", "mcts"])
    };
    assert!(error(&three).contains("elo0 below elo1, not 5,0"), "{}", error(&three));
    let vague = Match { sprt: Some(Sprt { elo0: f64::NAN, elo1: 0.0, alpha: 0.05, beta: 0.05 }), ..three };
    assert!(error(&vague).contains("not NaN,0"), "{}", error(&vague));
}
