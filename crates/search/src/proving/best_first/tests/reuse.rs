//! Tests of the reuse of trees.

use super::*;

#[test]
fn a_tree_moved_to_a_later_root_has_no_forbidden_moves_there() {
    let mut game = History::<Go>::new(rules::<Go>("go:2,komi=0.5").unwrap());
    let mut rng = Rng::new(3);
    let mut checked = 0;
    for _ in 0..200 {
        let mut solver = solver("pns", &game);
        while !game.is_over() {
            let question = question(&game, Player::FIRST, 1);
            let report = solver.ask(&game, question, &Control::new(limited(300, ROOM), 1, &AtomicBool::new(false)));
            let mut legal = Vec::new();
            game.legal_moves(&mut legal);
            assert!(report.moves.iter().all(|entry| legal.contains(&entry.mv)), "{}", game.text());
            checked += 1;
            game.play(legal[rng.below(legal.len())]);
        }
        game = History::new(*game.rules());
    }
    assert!(checked > 1000);
}

#[test]
fn a_tree_serves_the_same_player_and_positions_below_its_root() {
    let root = game::<Connect4>("connect4:5x4", "start moves 1 2");
    let question = question(&root, Player::FIRST, 1);
    let mut solver = solver("pns", &root);
    let before = ask(&mut solver, &root, question, limited(20_000, ROOM), 1);
    // The same position and question: the tree is unchanged.
    let same = ask(&mut solver, &root, question, limited(0, ROOM), 1);
    assert_eq!(same.moves, before.moves);
    // Two moves later: the numbers of the subtree.
    let line = [before.variation[0], before.variation[1]];
    let index = find(&solver.kept.as_ref().unwrap().tree, &line).unwrap();
    let expected = solver.kept.as_ref().unwrap().tree.at(index).numbers();
    let mut later = root.clone();
    line.iter().for_each(|&mv| later.play(mv));
    let report = ask(&mut solver, &later, question, limited(0, ROOM), 1);
    assert_eq!(report.proof_numbers, Some(expected));
    // A question about a draw keeps the leaves. An earlier position or another player needs a new
    // tree.
    let other = Question { at_least: 0, ..question };
    let draw = numbers(&ask(&mut solver, &later, other, limited(0, ROOM), 1));
    assert!(draw != (1, 1) && draw.0 <= expected.proof && draw.1 >= expected.disproof, "{draw:?} {expected:?}");
    assert_eq!(numbers(&ask(&mut solver, &root, other, limited(0, ROOM), 1)), (1, 1));
    ask(&mut solver, &root, question, limited(1000, ROOM), 1);
    let second = Question { known: Bounds::unknown(Player::SECOND, root.facts()), at_least: 1 };
    assert_eq!(numbers(&ask(&mut solver, &root, second, limited(0, ROOM), 1)), (1, 1));
    // A limit below the size of the tree needs a new tree, too.
    ask(&mut solver, &root, other, limited(100_000, ROOM), 1);
    assert_eq!(numbers(&ask(&mut solver, &root, other, limited(0, 1 << 14), 1)), (1, 1));
}

#[test]
fn a_tree_answers_for_one_score_after_another_in_any_order() {
    fn in_any_order<G: Knowledge>(spec: &str, count: usize, nodes: u64) {
        let mut rng = Rng::new(5);
        for root in late_positions::<G>(spec, count, nodes) {
            let (low, high) = root.facts().scores;
            for player in (0..root.facts().players).map(Player) {
                let Some(value) = minimax::value(&mut root.clone(), player, 50 * nodes) else { continue };
                for (spec, threads) in [("pns", 1), ("pn2:cap=power", 1), ("pns:init=mc", 1), ("rppns", 2)] {
                    let mut solver = solver(spec, &root);
                    for step in 0..12 {
                        let score = (value - 3 + rng.below(8) as i32).clamp(low + 1, high);
                        let question = question(&root, player, score);
                        // Every other question is interrupted.
                        let nodes = if step % 2 == 0 { 3_000_000 } else { 1 + rng.below(300) as u64 };
                        let report = ask(&mut solver, &root, question, limited(nodes, ROOM), threads);
                        let holds = value >= question.at_least;
                        let answer = question.answer(&report.bounds);
                        assert!(answer == Some(holds) || answer.is_none() && step % 2 == 1, "{spec} {root:?}");
                    }
                }
            }
        }
    }
    in_any_order::<Rolit>("rolit:4,players=3", 4, 10_000);
    in_any_order::<Othello>("othello:4", 4, 10_000);
    in_any_order::<Connect4>("connect4:5x4", 4, 20_000);
    in_any_order::<Loa>("loa:5", 4, 20_000);
    in_any_order::<Go>("go:3", 2, 20_000);
    in_any_order::<Lion>("lion", 2, 20_000);
}

#[test]
fn a_question_for_another_score_takes_fewer_nodes_than_with_a_new_tree() {
    let root = game::<Rolit>("rolit:4,players=3", "start");
    let (mut together, mut apart) = (0, 0);
    let mut kept = solver("pns", &root);
    for at_least in [8, 4, 2, 3] {
        let question = question(&root, Player::FIRST, at_least);
        together += ask(&mut kept, &root, question, limited(3_000_000, ROOM), 1).counters.nodes;
        apart += ask(&mut solver("pns", &root), &root, question, limited(3_000_000, ROOM), 1).counters.nodes;
    }
    assert!(together < apart, "{together} {apart}");
}
