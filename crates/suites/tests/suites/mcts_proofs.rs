//! The bounds of Monte-Carlo tree search are correct, and its moves keep what it has proven.

use libtest_mimic::Trial;
use std::sync::atomic::AtomicBool;
use tesuji_core::{Bounds, Control, Game, History, Knowledge, Limits, Report, Rng, Search, StopReason, Verdict};
use tesuji_games::{Hex, Rolit, SameGame, Synthetic, TicTacToe, rules};
use tesuji_search::minimax;

fn game<G: Knowledge>(spec: &str, text: &str) -> History<G> {
    History::parse(rules::<G>(spec).unwrap(), text).unwrap()
}

fn tree(text: &str) -> History<Synthetic> {
    game(&format!("synthetic:tree='{text}'"), "start")
}

fn player<G: Knowledge>(spec: &str, root: &History<G>) -> Box<dyn Search<G>> {
    tesuji_catalog::search::<G>(&spec.parse().unwrap(), root.rules()).unwrap()
}

fn think<G: Knowledge>(search: &mut dyn Search<G>, root: &History<G>, playouts: u64, seed: u64) -> Report<G::Move> {
    let stop = AtomicBool::new(false);
    let limits = Limits { playouts: Some(playouts), memory: Some(4 << 20), ..Limits::default() };
    search.search(root, &Control::new(limits, seed, &stop))
}

fn search<G: Knowledge>(spec: &str, root: &History<G>, playouts: u64, seed: u64) -> Report<G::Move> {
    think(&mut *player(spec, root), root, playouts, seed)
}

/// Checks every bound of a report against minimax.
fn assert_true<G: Knowledge>(root: &History<G>, report: &Report<G::Move>, note: &str) {
    let mover = root.position().to_move();
    let mut at = root.clone();
    let best = minimax::value(&mut at, mover, 1_000_000).expect("a small game");
    let holds = |at_least, at_most, value| at_least <= value && value <= at_most;
    assert!(holds(report.bounds.at_least, report.bounds.at_most, best), "{note}: {best}, not {:?}", report.bounds);
    for entry in &report.moves {
        at.play(entry.mv);
        let value = minimax::value(&mut at, mover, 1_000_000).expect("a small game");
        at.undo();
        assert!(holds(entry.bounds.at_least, entry.bounds.at_most, value), "{note}: {value}, not {entry:?}");
    }
}

/// Checks that the best move is not proven worse than another, nor unable to be better and possibly
/// worse.
fn assert_undominated<G: Knowledge>(report: &Report<G::Move>, note: &str) {
    let best = &report.moves[0];
    let sure = report.moves.iter().map(|entry| entry.bounds.at_least).max().unwrap();
    assert!(best.bounds.at_most >= sure, "{note}: {report:?}");
    assert!(best.bounds.at_least >= sure || best.bounds.at_most > sure, "{note}: {report:?}");
}

/// Checks that the main line of a solved position keeps the proven value at every move.
fn assert_line_keeps<G: Knowledge>(root: &History<G>, report: &Report<G::Move>, note: &str) {
    let Bounds { player, at_least, at_most } = report.bounds;
    let mut at = root.clone();
    for &mv in &report.variation {
        let text = at.position().move_text(mv);
        at.play(mv);
        let value = minimax::value(&mut at, player, 1_000_000).expect("a small game");
        assert!(at_least <= value && value <= at_most, "{note}: {text} leads to {value}: {:?}", report.bounds);
    }
}

fn bounds_of_random_trees_are_correct() {
    for seed in 0..40 {
        for options in ["scores=1,turns=random", "scores=9,turns=random,branching=2,depth=7", "scores=4"] {
            let root = game::<Synthetic>(&format!("synthetic:{options},seed={seed}"), "start");
            for spec in [
                "mcts:solver",
                "mcts:solver,reward=score,lookahead",
                "mcts:pn=1",
                "mcts:pn=1,pn-draws,pn-skip,solver",
                "mcts:table,solver,threshold=5",
            ] {
                for playouts in [40, 2_000] {
                    let report = search(spec, &root, playouts, seed);
                    let note = format!("{spec} on {options} {seed}");
                    assert_true(&root, &report, &note);
                    assert_undominated::<Synthetic>(&report, &note);
                }
            }
        }
    }
}

fn small_trees_are_solved() {
    for seed in 0..30 {
        let root =
            game::<Synthetic>(&format!("synthetic:depth=5,branching=3,scores=3,turns=random,seed={seed}"), "start");
        for spec in
            ["mcts:solver,reward=score", "mcts:solver,reward=score,table", "mcts:solver,reward=score,threshold=9"]
        {
            let report = search(spec, &root, 100_000, seed);
            assert_eq!(report.stopped, StopReason::Solved, "{spec} {seed}");
            assert_eq!(report.bounds.at_least, report.bounds.at_most, "{spec} {seed}");
        }
    }
}

fn transpositions_are_solved() {
    // The position x is reached on two paths, and solved on one of them.
    let root = tree("((x=((1 -1) (-1 -1) (1 1)) 1) (@x (1 (0 1))))");
    let report = search("mcts:solver,table", &root, 20_000, 3);
    assert_eq!(report.stopped, StopReason::Solved);
    assert_true(&root, &report, "shared children");
}

fn two_players_with_separate_scores_play_for_the_win() {
    // After the first move the opponent scores more; after the second it scores less.
    let root = tree("(a: (b: 5,6 7,8) (b: 2,1 3,2))");
    for spec in ["mcts", "mcts:pn=1", "mcts:solver"] {
        let report = search(spec, &root, 200, 1);
        if spec != "mcts:solver" {
            assert_eq!(report.best, Some(1), "{spec}");
            assert!(report.moves[1].value.unwrap() < 0.0, "{spec}: {report:?}");
        }
        assert_true(&root, &report, spec);
    }
    let mut rng = Rng::new(5);
    for seed in 0..6 {
        let mut root = game::<Rolit>("rolit:4,players=2", "start");
        let mut moves = Vec::new();
        while root.moves().len() < 7 {
            moves.clear();
            root.legal_moves(&mut moves);
            root.play(moves[rng.below(moves.len())]);
        }
        for spec in ["mcts:solver", "mcts:pn=1", "mcts:solver,reward=score"] {
            assert_true(&root, &search(spec, &root, 3_000, seed), spec);
        }
    }
}

fn several_players_avoid_moves_proven_worse() {
    for (seed, text) in [
        "(a: (b: (c: 1,0,0 2,0,0) (c: 1,3,3 0,0,9)) (b: 5,0,0 (c: 4,9,9 4,1,0)) 3,3,3)",
        "(a: 9,10,0 (b: 8,0,0 (c: 9,0,0 9,1,0)) (b: 9,20,20 9,30,30))",
        "(b: (c: 1,1,1 (a: 0,2,0 9,2,9)) 5,1,9 (a: 9,0,9 0,1,0))",
    ]
    .into_iter()
    .enumerate()
    {
        let root = tree(text);
        for spec in ["mcts:solver", "mcts:solver,backup=paranoid", "mcts:solver,lookahead,reward=score"] {
            for playouts in [1, 5, 20, 5_000] {
                let report = search(spec, &root, playouts, seed as u64);
                assert_true(&root, &report, spec);
                assert_undominated::<Synthetic>(&report, spec);
            }
        }
    }
}

fn a_proven_draw_is_kept_if_no_move_can_be_better() {
    // The second move looks good in playouts, but the reply 0 limits it to a draw. In fact it
    // loses.
    let root = tree("(0 (0 (((-1 1 1 1 1 1) (-1 1 1 1 1 1)) 1 1)))");
    let mut decided = 0;
    for seed in 0..60 {
        let report = search("mcts:solver", &root, 30, seed);
        if report.bounds.verdict() == Some(Verdict::Draw) {
            decided += 1;
            assert_undominated::<Synthetic>(&report, "proven draw");
        }
    }
    assert!(decided > 0);
}

fn a_kept_tree_that_proves_a_win_has_a_proven_move() {
    let mut wins = 0;
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let mut root = game::<TicTacToe>("tictactoe", "start");
        let mut search = player("mcts:solver,lookahead,reuse", &root);
        while !root.is_over() {
            let report = think(&mut *search, &root, 1 + rng.below(40) as u64, seed);
            assert_true(&root, &report, "kept tree");
            if report.bounds.verdict() == Some(Verdict::Win) {
                wins += 1;
                assert_eq!(
                    report.moves[0].bounds.verdict(),
                    Some(Verdict::Win),
                    "{} {report:?}",
                    root.position().text()
                );
            }
            root.play(report.best.unwrap());
            let mut moves = Vec::new();
            root.legal_moves(&mut moves);
            if !moves.is_empty() {
                root.play(moves[rng.below(moves.len())]);
            }
        }
    }
    assert!(wins > 20, "{wins}");
}

fn proofs_remain_correct_when_the_player_to_move_changes() {
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        for (spec, game) in [
            ("mcts:pn=1,reuse", "synthetic:depth=7,branching=3,turns=random"),
            ("mcts:pn=1,expand=one,reuse,solver", "synthetic:depth=7,branching=3"),
            (
                "mcts:solver,reuse",
                "synthetic:tree='(a: (b: (c: 1,0,0 2,0,0) (c: 1,3,3 0,0,9)) (b: 5,0,0 (c: 4,9,9 4,1,0)))'",
            ),
            ("mcts:solver,reuse,table", "synthetic:tree='(a: (b: x=(c: 1,0,0 2,0,0) (c: 1,3,3 0,0,9)) (b: 5,0,0 @x))'"),
        ] {
            let spec_of_game = if game.contains("tree") { game.to_string() } else { format!("{game},seed={seed}") };
            let mut root = self::game::<Synthetic>(&spec_of_game, "start");
            let mut search = player(spec, &root);
            while !root.is_over() {
                let report = think(&mut *search, &root, 1 + rng.below(100) as u64, seed);
                assert_true(&root, &report, spec);
                let mut moves = Vec::new();
                root.legal_moves(&mut moves);
                root.play(moves[rng.below(moves.len())]);
            }
        }
    }
}

fn one_player_games_are_solved() {
    for seed in 0..5 {
        let root = game::<SameGame>(&format!("samegame:4x3,colours=2,seed={seed}"), "start");
        for spec in ["mcts:solver", "mcts:solver,lookahead,table", "mcts:solver,reward=score,expand=all"] {
            for playouts in [10, 50_000] {
                let report = search(spec, &root, playouts, seed);
                assert_true(&root, &report, spec);
                assert_undominated::<SameGame>(&report, spec);
                assert!(playouts == 10 || report.stopped == StopReason::Solved, "{spec} {seed}: {report:?}");
            }
        }
    }
}

fn main_lines_of_solved_positions_keep_the_proven_value() {
    fn lines_keep<G: Knowledge>(root: &History<G>, spec: &str) {
        let mut longest = 0;
        for seed in 0..40 {
            let report = search(spec, root, 2_000, seed);
            let by_sign = root.facts().sign_is_result() && report.bounds.verdict().is_some();
            if by_sign || report.bounds.at_least == report.bounds.at_most {
                assert_line_keeps(root, &report, &format!("{spec} {seed}"));
                longest = longest.max(report.variation.len());
            }
        }
        assert!(longest > 2, "{spec}: {longest}");
    }
    let hex = game::<Hex>("hex:4", "..../..../..../.... B moves d4 a2 a3 d3 b4 c1");
    lines_keep(&hex, "mcts:pn=1,pn-skip,pn-final,pn-draws,pn-form=dense,reuse");
    let rolit = |moves| game::<Rolit>("rolit:4,players=2", &format!("..../.RY./.BG./.... R moves {moves}"));
    lines_keep(&rolit("b4 c1 d2 a3 b1"), "mcts:backup=paranoid,solver,reward=score,final=value");
    lines_keep(&rolit("b4 a1 d3 d2 c1"), "mcts:solver,reuse");
    lines_keep(&rolit("b4 a1 d3 d2 c1"), "mcts:parallel=root,vote=majority,solver");
}

/// Returns the tests of this suite.
pub fn trials() -> Vec<Trial> {
    let tests: [(&str, fn()); 10] = [
        ("bounds of random trees are correct", bounds_of_random_trees_are_correct),
        ("small trees are solved", small_trees_are_solved),
        ("transpositions are solved", transpositions_are_solved),
        ("two players with separate scores play for the win", two_players_with_separate_scores_play_for_the_win),
        ("several players avoid moves proven worse", several_players_avoid_moves_proven_worse),
        ("a proven draw is kept if no move can be better", a_proven_draw_is_kept_if_no_move_can_be_better),
        ("a kept tree that proves a win has a proven move", a_kept_tree_that_proves_a_win_has_a_proven_move),
        (
            "proofs remain correct when the player to move changes",
            proofs_remain_correct_when_the_player_to_move_changes,
        ),
        ("one player games are solved", one_player_games_are_solved),
        ("main lines of solved positions keep the proven value", main_lines_of_solved_positions_keep_the_proven_value),
    ];
    crate::trials_of(tests)
}
