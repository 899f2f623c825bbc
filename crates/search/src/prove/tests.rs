use super::*;
use crate::minimax;
use std::sync::atomic::AtomicBool;
use tesuji_core::{Rng, StopReason};
use tesuji_games::{Breakthrough, Connect4, Hex, Lion, Rolit, SameGame, Synthetic, TicTacToe, rules};

static GO: AtomicBool = AtomicBool::new(false);

fn game<G: Game>(spec: &str, text: &str) -> History<G> {
    History::parse(rules::<G>(spec).unwrap(), text).unwrap()
}

fn search<G: Knowledge>(spec: &str, root: &History<G>) -> Box<dyn Search<G>> {
    crate::build::<G>(&spec.parse().unwrap(), root.rules()).unwrap()
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), memory: Some(16 << 20), ..Limits::default() }
}

fn think<G: Knowledge>(player: &mut dyn Search<G>, root: &History<G>, limits: Limits) -> Report<G::Move> {
    player.search(root, &Control::new(limits, 1, &GO))
}

/// Plays a won position against a random opponent, with few nodes after the first move.
fn win_to_the_end<G: Knowledge>(spec: &str, root: &History<G>, first: u64, few: u64) {
    for seed in 0..5 {
        let mut rng = Rng::new(seed);
        let mut player = search::<G>(spec, root);
        let (mut game, winner, mut limit) = (root.clone(), root.position().to_move(), first);
        while !game.is_over() {
            if game.position().to_move() == winner {
                let report = think(player.as_mut(), &game, nodes(limit));
                assert_eq!(report.bounds.verdict(), Some(Verdict::Win), "{spec} in {:?}: {report:?}", game.text());
                assert_eq!((report.value, report.stopped), (1.0, StopReason::Solved));
                game.play(report.best.unwrap());
                limit = few;
            } else {
                let mut legal = Vec::new();
                game.legal_moves(&mut legal);
                game.play(legal[rng.below(legal.len())]);
            }
        }
        assert_eq!(game.outcome().unwrap().verdict(winner), Some(Verdict::Win));
    }
}

#[test]
fn a_proven_win_is_played_to_the_end_with_few_nodes() {
    win_to_the_end::<Hex>("prove:[random]", &game("hex:5", "start"), 20_000, 400);
    win_to_the_end::<Hex>("prove:[random],[pns]", &game("hex:4", "start"), 20_000, 2000);
    win_to_the_end::<Breakthrough>("prove:[random]", &won_by_second_player(), 1_000_000, 300);
}

/// On this board the second player wins.
fn won_by_second_player() -> History<Breakthrough> {
    game("breakthrough:5x4", "start moves a2-b3")
}

#[test]
fn a_proven_draw_is_kept() {
    let root = game::<TicTacToe>("tictactoe", "start");
    for seed in 0..10 {
        let mut rng = Rng::new(seed);
        let mut player = search::<TicTacToe>("prove:[random]", &root);
        let (mut game, me) = (root.clone(), Player(seed as u8 % 2));
        while !game.is_over() {
            let mut legal = Vec::new();
            game.legal_moves(&mut legal);
            if game.position().to_move() == me {
                let report = think(player.as_mut(), &game, nodes(1_000_000));
                assert!(report.bounds.at_least >= 0, "{report:?}");
                game.play(report.best.unwrap());
            } else {
                game.play(legal[rng.below(legal.len())]);
            }
        }
        assert!(game.outcome().unwrap().score(me) >= 0);
    }
}

#[test]
fn moves_that_are_proven_to_lose_are_not_played() {
    // Yellow has three in a row and the cell beside them: every other move loses at once.
    let root = game::<Connect4>("connect4", "start moves 1 4 1 5 7 6");
    let (mut avoided, mut refuted) = (0, 0);
    for seed in 0..20 {
        let mut player = search::<Connect4>("prove:[random],share=0.2", &root);
        let report = player.search(&root, &Control::new(nodes(500), seed, &GO));
        let mut random = search::<Connect4>("random", &root);
        let alone = random.search(&root, &Control::new(nodes(500), seed, &GO)).best;
        let lost =
            |mv| report.moves.iter().any(|entry| Some(entry.mv) == mv && entry.bounds.verdict() == Some(Verdict::Loss));
        refuted = report.moves.iter().filter(|entry| lost(Some(entry.mv))).count();
        assert!(!lost(report.best), "{report:?}");
        avoided += usize::from(lost(alone));
    }
    assert!(refuted >= 4 && avoided > 0, "{refuted} moves refuted, {avoided} avoided");
}

#[test]
fn the_table_is_kept_from_move_to_move() {
    let mut root = game::<Connect4>("connect4:4x4", "start");
    let mut player = search("prove:[random]", &root);
    root.play(think(player.as_mut(), &root, nodes(10_000_000)).best.unwrap());
    let mut replies = Vec::new();
    root.legal_moves(&mut replies);
    let (mut kept, mut new) = (0, 0);
    for reply in replies {
        root.play(reply);
        kept += think(player.as_mut(), &root, nodes(10_000_000)).counters.nodes;
        new += think(search("prove:[random]", &root).as_mut(), &root, nodes(10_000_000)).counters.nodes;
        root.undo();
    }
    assert!(2 * kept < new, "{kept} nodes with the table, {new} without");
}

#[test]
fn the_player_gets_what_the_attempt_leaves() {
    let root = game::<Connect4>("connect4", "start");
    for spec in ["prove:[alphabeta]", "prove:[mcts:solver]", "prove:[alphabeta],share=1", "prove:[mcts],share=0"] {
        let report = think(search::<Connect4>(spec, &root).as_mut(), &root, nodes(2000));
        assert!((1990..=2010).contains(&report.counters.nodes), "{spec}: {:?}", report.counters);
    }
    let playouts = Limits { playouts: Some(300), ..Limits::default() };
    let report = think(search::<Connect4>("prove:[mcts]", &root).as_mut(), &root, playouts);
    assert_eq!((report.counters.playouts, report.stopped), (300, StopReason::Playouts));
    assert!((301..=350).contains(&report.counters.nodes), "{:?}", report.counters);
}

#[test]
fn a_search_without_limits_is_left_to_the_player_after_a_while() {
    let root = game::<TicTacToe>("tictactoe", "start");
    let report = think(search::<TicTacToe>("prove:[mcts]", &root).as_mut(), &root, Limits::default());
    assert_eq!(report.bounds.verdict(), Some(Verdict::Draw));
    let control = Control::<u8>::new(Limits::default(), 1, &GO);
    let limits = attempt_limits(&control, 0.1, &Proven::nothing(&game::<Connect4>("connect4", "start")));
    assert_eq!(limits.nodes, Some(NODES_WITHOUT_LIMIT / 10));
}

#[test]
fn in_a_lost_position_the_player_chooses() {
    // Every move loses, the first one after two plies, the second one after four.
    let root = game::<Synthetic>("synthetic:tree='(a: (b: -1 1) (b: (a: (b: -1 1) (b: -1 1)) 1))'", "start");
    let report = think(search::<Synthetic>("prove:[alphabeta]", &root).as_mut(), &root, nodes(1000));
    assert_eq!((report.bounds.verdict(), report.value), (Some(Verdict::Loss), -1.0));
    let alone = think(search::<Synthetic>("alphabeta", &root).as_mut(), &root, nodes(1000));
    assert_eq!(report.best, alone.best);
}

#[test]
fn two_threads_prove_the_same() {
    let root = game::<Hex>("hex:5", "start");
    for spec in ["prove:[alphabeta]", "prove:[mcts:solver]", "prove:[root:[mcts],[mcts:solver]]"] {
        let control = Control::new(nodes(200_000), 1, &GO).with_threads(2);
        let report = search::<Hex>(spec, &root).search(&root, &control);
        assert_eq!(report.bounds.verdict(), Some(Verdict::Win), "{spec}");
    }
}

#[test]
fn bounds_hold_where_positions_repeat() {
    let start = game::<Lion>("lion", "start");
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let mut root = start.clone();
        let mut player = search::<Lion>("prove:[random],share=0.5", &root);
        while !root.is_over() {
            let report = think(player.as_mut(), &root, nodes(400));
            let mover = root.position().to_move();
            if let Some(value) = minimax::value(&mut root, mover, 2000) {
                assert!((report.bounds.at_least..=report.bounds.at_most).contains(&value), "{:?}", root.text());
            }
            let mut legal = Vec::new();
            root.legal_moves(&mut legal);
            root.play(legal[rng.below(legal.len())]);
        }
    }
}

#[test]
fn other_games_and_specs_are_refused_with_what_is_accepted() {
    fn refusal<G: Knowledge>(spec: &str, game: &str) -> String {
        let rules = rules::<G>(game).unwrap();
        crate::build::<G>(&spec.parse().unwrap(), &rules).err().expect("it is refused").to_string()
    }
    assert!(refusal::<SameGame>("prove", "samegame").contains("two-player games only"));
    assert!(refusal::<Rolit>("prove", "rolit:4,players=3").contains("two-player games only"));
    assert!(refusal::<Rolit>("prove", "rolit:4,players=2").contains("the sign of the score is the result"));
    let ttt = |spec| refusal::<TicTacToe>(spec, "tictactoe");
    assert!(ttt("prove:[mcts],[alphabeta]").contains("there is no solver \"alphabeta\""));
    assert!(ttt("prove:[mcts],[dfpn:init=mc]").contains("solvers that make no playouts"));
    assert!(ttt("prove:[mcts],[dfpn],[dfpn]").contains("one player, optionally followed by a solver"));
    assert!(ttt("prove:[prove]").contains("players other than prove"));
    assert!(ttt("prove:[mcts:c=x]").contains("mcts: c=x"));
}

/// An observer that stops the search sets the flag during the proof attempt.
#[test]
fn an_interrupted_attempt_leaves_a_searched_move() {
    let root = game::<Connect4>("connect4", "start moves 4 4 3");
    let stop = AtomicBool::new(false);
    let control = Control::new(nodes(100_000_000), 1, &stop);
    let end = |_: &dyn Inspector<_>| stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let control = control.watched(std::time::Duration::ZERO, Box::new(end));
    let report = search::<Connect4>("prove:[mcts],share=1", &root).search(&root, &control);
    assert_eq!((report.stopped, report.counters.playouts), (StopReason::Interrupted, EFFORT_AFTER_INTERRUPTION));
}

/// A front end that limits the depth counts that of the player.
#[test]
fn the_depth_is_that_of_the_player() {
    let root = game::<Connect4>("connect4", "start");
    let depths = std::sync::Mutex::new(Vec::new());
    let control = Control::new(nodes(20_000), 1, &GO);
    let watch = |running: &dyn Inspector<_>| depths.lock().unwrap().push(running.report().counters.depth);
    let control = control.watched(std::time::Duration::ZERO, Box::new(watch));
    let report = search::<Connect4>("prove:[random],share=1", &root).search(&root, &control);
    assert_eq!(report.counters.depth, 0);
    drop(control);
    let depths = depths.into_inner().unwrap();
    assert!(!depths.is_empty() && depths.iter().all(|&depth| depth == 0), "{depths:?}");
}
