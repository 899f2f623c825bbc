//! Engines: specs, results as text, tree reuse, inspection.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tesuji_catalog::{
    AUTO, AutoEntry, Engine, SearchResult, SearchSettings, SelfPlay, Session, analysis_spec, auto_searches,
    bounds_text, learn_time_tables, open,
};
use tesuji_core::time::{Clock, TimeTable};
use tesuji_core::{Bounds, Inspector, Limits, Observer, Player, StopReason};

#[test]
fn auto_plays_every_game() {
    for AutoEntry { game, search, .. } in auto_searches() {
        let session = open(game, "start").unwrap();
        let engine = Engine::new(AUTO, session.as_ref()).unwrap_or_else(|error| panic!("{game}: {error}"));
        assert_eq!(engine.spec().to_string(), search);
    }
}

#[test]
fn auto_takes_no_options() {
    let session = open("connect4", "start").unwrap();
    let error = Engine::new("auto:c=1", session.as_ref()).err().unwrap().to_string();
    assert_eq!(error, "auto has no option \"c\"; it takes no options");
}

#[test]
fn some_games_declare_a_search_of_their_own() {
    let entries = auto_searches();
    let search = |name: &str| entries.iter().find(|entry| entry.game == name).unwrap().search;
    for name in ["go", "hex"] {
        assert_ne!(search(name), search("connect4"), "{name}");
    }
}

#[test]
fn an_analysis_gives_nested_searches_exact_moves() {
    let session = open("lion", "start").unwrap();
    let analysis = |spec: &str| analysis_spec(spec, session.as_ref()).unwrap();
    assert_eq!(analysis("alphabeta"), "alphabeta:multipv=3");
    assert_eq!(analysis("prove:[alphabeta],[dfpn]"), "prove:[alphabeta:multipv=3],[dfpn]");
    assert_eq!(analysis("prove:[alphabeta:multipv=2]"), "prove:[alphabeta:multipv=2]");
    assert_eq!(analysis("prove:[mcts]"), "prove:[mcts]");
}

#[test]
fn auto_reports_a_proof() {
    let game = open("hex:5", "start").unwrap();
    let result = think(AUTO, game.as_ref(), settings(2000, &AtomicBool::new(false)));
    assert_eq!((result.report.stopped, result.report.value), (StopReason::Solved, 1.0));
    assert_eq!(bounds_text(&result.report.bounds, &game.facts()).unwrap(), "win");
    assert_eq!(bounds_text(&result.report.moves[0].bounds, &game.facts()).unwrap(), "win");
    assert!(result.report.variation.len() > 1 && result.report.counters.nodes < 200);
}

fn engine(spec: &str, game: &dyn Session) -> Engine {
    Engine::new(spec, game).unwrap()
}

fn settings(playouts: u64, stop: &AtomicBool) -> SearchSettings<'_> {
    let limits = Limits { playouts: Some(playouts), ..Limits::default() };
    SearchSettings { limits, clock: None, seed: 1, threads: 1, stop, observer: None, owners: false }
}

/// Searches a position once, with a new engine.
fn think(spec: &str, game: &dyn Session, settings: SearchSettings<'_>) -> SearchResult {
    engine(spec, game).think(game, settings)
}

#[test]
fn results_use_the_move_notation_of_the_game() {
    let game = open("minishogi", "start").unwrap();
    let result = think("flat", game.as_ref(), settings(200, &AtomicBool::new(false)));
    let legal = game.legal_moves();
    assert_eq!(result.report.moves.len(), legal.len());
    assert!(result.report.moves.iter().all(|entry| legal.contains(&entry.mv)));
    assert!(legal.contains(result.report.best.as_ref().unwrap()));
    assert_eq!(result.report.counters.playouts, 200);
    assert_eq!((result.player.as_str(), result.search.as_str()), ("flat", "flat"));
}

#[test]
fn a_variation_can_be_played_move_by_move() {
    let mut game = open("tictactoe", "start moves a1 a3 c3").unwrap();
    let result = think("minimax", game.as_ref(), settings(1, &AtomicBool::new(false)));
    for mv in &result.report.variation {
        game.play(mv).unwrap();
    }
    assert_eq!(result.report.variation.first(), result.report.best.as_ref());
}

#[test]
fn a_stopped_engine_returns_its_best_move_so_far() {
    let game = open("connect4", "start").unwrap();
    let result = think("flat", game.as_ref(), settings(u64::MAX, &AtomicBool::new(true)));
    assert_eq!(result.report.stopped, StopReason::Interrupted);
    assert!(result.report.best.is_some());
}

#[test]
fn an_engine_reuses_its_tree_between_moves() {
    let mut game = open("connect4", "start").unwrap();
    let stop = AtomicBool::new(false);
    let mut reusing = engine("mcts:reuse", game.as_ref());
    let first = reusing.think(game.as_ref(), settings(2000, &stop));
    for mv in &first.report.variation[..2] {
        game.play(mv).unwrap();
    }
    let visits = |result: &SearchResult| result.report.moves.iter().map(|entry| entry.visits).sum::<u64>();
    let second = reusing.think(game.as_ref(), settings(100, &stop));
    assert!(visits(&second) > 200, "{}", visits(&second));
    let new = think("mcts:reuse", game.as_ref(), settings(100, &stop));
    assert!(visits(&new) <= 100, "{}", visits(&new));
}

#[test]
fn an_engine_is_for_one_game_and_its_rules() {
    let game = open("connect4", "start").unwrap();
    let engine = engine("mcts", game.as_ref());
    assert!(engine.is_for(open("connect4", "start moves 4 4").unwrap().as_ref()));
    assert!(!engine.is_for(open("connect4:6x5", "start").unwrap().as_ref()));
    assert!(!engine.is_for(open("tictactoe", "start").unwrap().as_ref()));
}

#[test]
fn an_observer_sees_the_search_in_text_moves() {
    let mut game = open("go:5", "start").unwrap();
    let legal = game.legal_moves();
    let stop = AtomicBool::new(false);
    let mut seen = Vec::new();
    let observer = Box::new(|inspector: &dyn Inspector<String>| {
        let report = inspector.report();
        assert!(inspector.look(&["z9".to_string()]).is_none());
        let replies = inspector.look(&[report.best.clone().unwrap()]);
        seen.push((report, replies));
        stop.store(true, Relaxed);
    });
    let observed = SearchSettings { observer: Some((Duration::ZERO, observer)), ..settings(u64::MAX, &stop) };
    think("mcts", game.as_ref(), observed);
    let (report, replies) = seen.into_iter().next().unwrap();
    let best = report.best.unwrap();
    assert!(legal.contains(&best));
    // The replies to the best move are legal in the position after it.
    game.play(&best).unwrap();
    let legal = game.legal_moves();
    assert!(replies.into_iter().flatten().all(|entry| legal.contains(&entry.mv)));
}

fn words(game: &str, at_least: i32, at_most: i32) -> Option<String> {
    let facts = open(game, "start").unwrap().facts();
    bounds_text(&Bounds { player: Player::FIRST, at_least, at_most }, &facts)
}

#[test]
fn bounds_are_described_as_results_where_the_sign_is_the_result() {
    let text = |at_least, at_most| words("tictactoe", at_least, at_most).unwrap();
    assert_eq!(words("tictactoe", -1, 1), None);
    assert_eq!(text(1, 1), "win");
    assert_eq!(text(0, 0), "draw");
    assert_eq!(text(-1, -1), "loss");
    assert_eq!(text(0, 1), "at least a draw");
    assert_eq!(text(-1, 0), "at most a draw");
    assert_eq!(words("hex", -1, 0).unwrap(), "loss");
    assert_eq!(words("hex", 0, 1).unwrap(), "win");
}

#[test]
fn bounds_are_described_as_scores_where_that_says_more() {
    let text = |at_least, at_most| words("othello", at_least, at_most).unwrap();
    assert_eq!(words("othello", -64, 64), None);
    assert_eq!(text(1, 64), "win");
    assert_eq!(text(12, 16), "win, score 12..16");
    assert_eq!(text(12, 64), "win, score at least 12");
    assert_eq!(text(-64, -1), "loss");
    assert_eq!(text(-6, -6), "loss, score -6");
    assert_eq!(text(-4, 20), "score -4..20");
    assert_eq!(text(0, 64), "at least a draw");
    assert_eq!(words("rolit:4", 3, 16).unwrap(), "score at least 3");
    assert_eq!(words("rolit:4", 3, 3).unwrap(), "score 3");
    // With two players the scores are balls too: 7 of 16 is not a win.
    assert_eq!(words("rolit:4,players=2", 7, 7).unwrap(), "score 7");
    assert_eq!(words("rolit:4,players=2", 0, 0).unwrap(), "score 0");
}

#[test]
fn a_limit_on_playouts_ends_searches_without_playouts() {
    let game = open("othello", "start").unwrap();
    let stop = AtomicBool::new(false);
    for spec in ["alphabeta", "dfpn", "pns", "root:[alphabeta]", "auto", "mcts"] {
        let counters = think(spec, game.as_ref(), settings(500, &stop)).report.counters;
        assert!((1..=500).contains(&counters.playouts.max(counters.nodes)), "{spec}: {counters:?}");
    }
}

#[test]
fn the_tree_of_the_last_search_can_be_inspected_along_any_line() {
    let mut game = open("hex:4", "start moves b2").unwrap();
    let mut engine = engine("mcts", game.as_ref());
    assert_eq!(engine.look(game.as_ref(), &[]), None, "no search has run yet");
    let report = engine.think(game.as_ref(), settings(5000, &AtomicBool::new(false))).report;
    assert_eq!(engine.look(game.as_ref(), &[]), Some(report.moves.clone()));
    let best = report.best.unwrap();
    let deeper = engine.look(game.as_ref(), std::slice::from_ref(&best)).expect("the best move has many visits");
    assert_eq!(deeper.len(), 14);
    assert_eq!(engine.look(game.as_ref(), &["b2".to_string()]), None, "the cell is occupied");
    let other = open("hex:5", "start moves b2").unwrap();
    assert_eq!(engine.look(other.as_ref(), &[]), None, "another board");
    game.play(&best).unwrap();
    assert_eq!(engine.look(game.as_ref(), &[]), Some(deeper), "after the best move");
    game.undo();
    game.undo();
    assert_eq!(engine.look(game.as_ref(), &[]), None, "before the root of the tree");
}

#[test]
fn an_engine_shares_a_clock_by_its_time_manager() {
    let session = open("connect4", "start").unwrap();
    let clock = Clock::sudden_death(Duration::from_secs(20));
    let plan = |spec: &str| Engine::new(spec, session.as_ref()).unwrap().plan(session.as_ref(), &clock);
    assert_eq!(plan("mcts").budget, Duration::from_millis(800), "fixed: a twenty-fifth");
    let base = plan("mcts@time=exp-moves").budget;
    assert!(base > Duration::from_millis(800), "the tables of Connect-4 expect fewer moves");
    let stop = plan("mcts@time=[stop:f=5,p=0.9]");
    assert!(stop.budget.abs_diff(base * 5) < Duration::from_millis(1));
    // `auto` has the manager of the game.
    assert_eq!(plan("auto").budget, plan("mcts@time=[stop:f=2,p=0.9]").budget);
    assert_eq!(plan("auto@time=fixed").budget, Duration::from_millis(800));
    for (spec, words) in [
        ("mcts@time=soon", "there is no time manager \"soon\"; known are fixed, "),
        ("mcts@time=stop:q=1", "stop has no option \"q\""),
        ("mcts@time=stop:f=5,threads=2", "stop has no option \"threads\""),
    ] {
        let error = Engine::new(spec, session.as_ref()).err().unwrap().to_string();
        assert!(error.contains(words), "{spec}: {error}");
    }
}

#[test]
fn a_search_on_a_clock_stops_at_once_if_there_is_one_move() {
    let session = open("tictactoe", "start moves a1 b1 c1 a2 c2 b2 a3 c3").unwrap();
    let stop = AtomicBool::new(false);
    let clock = Some(Clock::sudden_death(Duration::from_secs(3600)));
    let result =
        engine("mcts", session.as_ref()).think(session.as_ref(), SearchSettings { clock, ..settings(u64::MAX, &stop) });
    assert_eq!(result.report.stopped, StopReason::Settled);
    assert_eq!(result.report.best.as_deref(), Some("b3"));
}

#[test]
fn owners_are_estimated_where_the_game_has_them() {
    let game = open("go:5", "start moves B1 D1 B2 D2 B3 D3 B4 D4 B5 D5").unwrap();
    let shares = game.ownership().unwrap();
    let cells = game.view().cells;
    assert_eq!(shares.len(), cells.len());
    let share = |name: &str| shares[cells.iter().position(|cell| cell.name == name).unwrap()];
    // Black is to move. Each side is likely to keep the side of the board behind its wall.
    assert!(share("A3") > 0.0 && share("E3") < 0.0, "{shares:?}");
    let connect4 = open("connect4", "start").unwrap();
    assert_eq!(connect4.ownership(), None);
    assert!(game.has_owners() && !connect4.has_owners());
}

#[test]
fn a_search_counts_the_owners_if_asked() {
    let game = open("go:5", "start moves B1 D1 B2 D2 B3 D3 B4 D4 B5 D5").unwrap();
    let stop = AtomicBool::new(false);
    let at_a3 = game.view().cells.iter().position(|cell| cell.name == "A3").unwrap();
    let think = |player: &str, owners: bool| {
        let seen = Mutex::new(None);
        let observer: Observer<'_, String> = Box::new(|inspector| *seen.lock().unwrap() = inspector.ownership());
        let observer = owners.then_some((Duration::ZERO, observer));
        let result = engine(player, game.as_ref())
            .think(game.as_ref(), SearchSettings { owners, observer, ..settings(64, &stop) });
        (result, seen.into_inner().unwrap())
    };
    for player in ["mcts", "mcts:rave", "prove:[mcts]", "root:[mcts],[alphabeta]", "alphabeta"] {
        let (silent, _) = think(player, false);
        assert_eq!(silent.ownership, None);
        let (counting, seen) = think(player, true);
        let shares = counting.ownership.clone().unwrap();
        assert!(shares.len() == 25 && shares[at_a3] > 0.0, "{player}: {shares:?}");
        assert_eq!(seen.map(|seen| seen.len()), Some(25), "{player}");
        assert_eq!(counting.report, silent.report, "{player}");
        // Shares are counted in 32 or 64 playouts, or in the 400 of the estimate.
        let is_counted = shares.iter().all(|share| (share * 64.0).fract() == 0.0);
        assert_eq!(is_counted, player != "alphabeta", "{player}: {shares:?}");
    }
    let connect4 = open("connect4", "start").unwrap();
    let settings = SearchSettings { owners: true, ..settings(64, &stop) };
    assert_eq!(engine("mcts", connect4.as_ref()).think(connect4.as_ref(), settings).ownership, None);
}

#[test]
fn time_tables_are_learned_from_games() {
    let plan = |game: &str, player: &str| SelfPlay {
        game: game.to_string(),
        player: player.to_string(),
        limits: Limits { playouts: Some(20), ..Limits::default() },
        opening: 0,
        seed: 1,
    };
    let stop = AtomicBool::new(false);
    let learn = |game: &str, player: &str| {
        let text = learn_time_tables(&plan(game, player), 3, &stop, &|_| ()).unwrap();
        TimeTable::parse(&text).unwrap()
    };
    // Every game lasts nine plies at most: five moves of the first player.
    let tictactoe = learn("tictactoe", "random");
    assert!(tictactoe.moves[0] > 2.0 && tictactoe.moves[0] <= 5.0, "{tictactoe:?}");
    assert!(tictactoe.criticality.is_empty() && !tictactoe.lengths.is_empty());
    assert_eq!(tictactoe.moves.len(), tictactoe.stones.len(), "each move adds a piece");
    let go = learn("go:3", "mcts");
    assert_eq!(go.criticality.len(), go.moves.len(), "{go:?}");
    assert!(go.criticality.iter().all(|kappa| (0.0..=1.0).contains(kappa)), "{go:?}");
    assert!(learn("go:3", "random").criticality.is_empty(), "it makes no playouts");
}
