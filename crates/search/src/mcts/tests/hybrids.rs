//! Tests of the hybrids with minimax.

use super::*;
use crate::mcts::playout::{PlayoutTools, play_out};
use crate::shallow::{Bare, Buffers, Settings, Shallow};
use tesuji_core::{Player, PlayoutContext};

/// The share of playouts from the start that the first player wins, draws counting half.
fn playout_score<G: Knowledge>(game: &str, player: &str, playouts: u32) -> f64 {
    let history = History::<G>::new(rules::<G>(game).unwrap());
    let params = params(player);
    let kept = empty_tree(&history, &params);
    let search = SearchContext::new(&params, &kept.tree, &history, None, None);
    let facts = history.facts();
    let mut context = PlayoutContext::new(Rng::new(5), facts.length.plies());
    let mut tools = PlayoutTools::new(&search);
    let mut sum = 0;
    for _ in 0..playouts {
        let mut position = history.position().clone();
        sum += play_out(&search, &mut position, &mut context, &mut tools, [u32::MAX; 2], &mut ())[0];
    }
    0.5 + sum as f64 / f64::from(UNIT) / f64::from(playouts) / 2.0
}

/// The tree of Baier (2015, section 7.4.2): one of four moves keeps the win, and each of the others
/// leaves the opponent one refutation among three replies.
#[test]
fn deeper_playouts_may_see_less_of_a_won_position() {
    let tree = "synthetic:tree='((1 1 1) (-1 1 1) (1 -1 1) (1 1 -1))'";
    let score = |player: &str| playout_score::<Synthetic>(tree, player, 40_000);
    assert!((score("mcts") - 0.75).abs() < 0.01, "{}", score("mcts"));
    assert!((score("mcts:mr=1") - 0.25).abs() < 0.01, "{}", score("mcts:mr=1"));
    assert_eq!(score("mcts:mr=2"), 1.0);
    assert_eq!(score("mcts:mr=3"), 1.0);
}

#[test]
fn playouts_with_minimax_are_uniform_among_moves_that_do_not_lose() {
    // The first move loses; the second draws or loses by chance, the third is a draw.
    let tree = "synthetic:tree='((1 -1) (a: 1 -1) 0)'";
    let score = playout_score::<Synthetic>(tree, "mcts:mr=2", 40_000);
    // Depth 2 sees that the second move wins, as its player moves twice.
    assert_eq!(score, 1.0);
    let tree = "synthetic:tree='((1 -1) ((0 0) (0 0)) 0)'";
    assert_eq!(playout_score::<Synthetic>(tree, "mcts:mr=2", 1000), 0.5);
    let tree = "synthetic:tree='((1 -1) ((1 -1) (1 -1)) 0)'";
    // Half the playouts draw; in the others the first player wins at its next move.
    let score = playout_score::<Synthetic>(tree, "mcts:mr=2", 40_000);
    assert!((score - 0.75).abs() < 0.01, "{score}");
}

/// Minimax of depth 1 gives the same playouts whether or not the game knows its immediate wins.
#[test]
fn immediate_wins_of_the_game_replace_a_search() {
    let fast = playout_score::<Connect4>("connect4", "mcts:mr=1", 40_000);
    // A cut-off that is never reached turns the fast form off.
    let slow = playout_score::<Connect4>("connect4", "mcts:mr=1,ic=0,ic-moves=1000", 40_000);
    assert!((fast - slow).abs() < 0.015, "{fast} {slow}");
}

#[test]
fn minimax_in_selection_marks_lost_moves_before_they_are_visited() {
    let tree = "synthetic:tree='((1 -1 1 1 1 1) (1 ((0 1) (1 0))) (1 1 -1))'";
    for visits in [0, 1] {
        let player = format!("mcts:solver,ms=2,ms-visits={visits}");
        let report = search::<Synthetic>(tree, "start", &player, visits + 1);
        let lost = |mv: u16| report.moves.iter().find(|entry| entry.mv == mv).unwrap().bounds.verdict();
        assert_eq!([0, 1, 2].map(lost), [Some(Verdict::Loss), None, Some(Verdict::Loss)], "{player}: {report:?}");
        let visited: u64 = [0, 2].iter().map(|mv| report.moves.iter().find(|e| e.mv == *mv).unwrap().visits).sum();
        assert!(visited <= visits, "{player}: {report:?}");
        assert!(report.best == Some(1));
    }
    // If all moves lose, so does the node.
    let tree = "synthetic:tree='((1 -1) (1 1 -1) (-1 1))'";
    let report = search::<Synthetic>(tree, "start", "mcts:solver,ms=2,ms-visits=0", 1000);
    assert_eq!((report.bounds.verdict(), report.counters.playouts), (Some(Verdict::Loss), 1));
}

/// The first move loses to the only reply, the others to one of many; the first playout through the
/// first move proves the root.
#[test]
fn a_loss_that_is_backed_up_makes_minimax_search_the_other_moves() {
    let wide = format!("({} -1)", "1 ".repeat(30));
    let lost = format!("synthetic:tree='((-1) {wide} {wide})'");
    let playouts = |player: &str, tree: &str| {
        let report = search::<Synthetic>(tree, "start", player, 10_000);
        (report.bounds.verdict(), report.counters.playouts)
    };
    let (verdict, with) = playouts("mcts:solver,mb=2", &lost);
    assert_eq!(verdict, Some(Verdict::Loss));
    assert!(with <= 8, "{with}");
    assert!(playouts("mcts:solver", &lost).1 > 25);
    // The last move wins in three plies.
    let won = format!("synthetic:tree='((-1) {wide} ((0 1) (1 0)))'");
    let (verdict, with) = playouts("mcts:solver,mb=3", &won);
    assert_eq!(verdict, Some(Verdict::Win));
    assert!(with <= 8, "{with}");
    // It wins by a move that was never visited.
    assert_eq!(search::<Synthetic>(&won, "start", "mcts:solver,mb=3", 10_000).best, Some(2));
}

/// In `w` the first player can win, or return to it by way of the second player's only move. On
/// bare positions the second player loses in two plies; with the history, `w` occurs again.
#[test]
fn a_win_that_repeats_a_position_is_not_proven() {
    for (repetition, value) in [(2, Verdict::Draw), (3, Verdict::Loss)] {
        let game = format!("synthetic:tree='w=(1 (@w))',repetition={repetition}");
        for player in ["mcts:solver,ms=2,ms-visits=0", "mcts:solver,ms=4,ms-visits=1", "mcts:solver,mb=4"] {
            let report = search::<Synthetic>(&game, "start moves 2", player, 1000);
            assert_eq!(report.bounds.verdict(), Some(value), "{player}, {repetition}: {report:?}");
        }
    }
}

#[test]
fn hybrids_find_the_values_of_random_trees() {
    for seed in 0..60 {
        let game = format!("synthetic:depth=7,branching=3,turns={},seed={seed}", ["alternate", "random"][seed % 2]);
        let value = Synthetic::start(&rules::<Synthetic>(&game).unwrap()).known_value().unwrap();
        for player in [
            "mcts:solver,mr=2",
            "mcts:solver,ms=2,ms-visits=0",
            "mcts:solver,ms=4,ms-visits=2",
            "mcts:solver,mb=1",
            "mcts:solver,mb=4",
            "mcts:solver,mr=1,ms=2,ms-visits=1,mb=3,lookahead",
            "mcts:solver,ms=2,mb=2,rave,expand=all",
            "mcts:solver,ms=2,mb=2,pn=1",
            "mcts:solver,ms=2,mb=2,reward=score,table",
        ] {
            let report = search::<Synthetic>(&game, "start", player, 20_000);
            let mover = Synthetic::start(&rules::<Synthetic>(&game).unwrap()).to_move();
            let value = if mover == Player::FIRST { value } else { -value };
            assert_eq!((report.bounds.at_least, report.bounds.at_most), (value, value), "{game} {player}");
        }
    }
}

/// Nodes with more visits than the option asks for have the value of a shallow search as their
/// prior, others have none.
#[test]
fn priors_are_computed_once_at_the_given_number_of_visits() {
    for (player, depth) in [
        ("mcts:solver,ip=0,ip-visits=0", 0),
        ("mcts:solver,ip=0,ip-visits=2", 0),
        ("mcts:solver,ip=2,ip-visits=1,ip-weight=50", 2),
        ("mcts:solver,ip=1,ip-visits=3,eval=baier,select=ucb1tuned", 1),
    ] {
        let history = History::<Othello>::new(rules::<Othello>("othello").unwrap());
        let params = params(player);
        let visits = params.hybrids.prior.unwrap().visits;
        let kept = empty_tree(&history, &params);
        let search = SearchContext::new(&params, &kept.tree, &history, None, None);
        let mut worker = Worker::new(&search, Rng::new(5), None);
        for _ in 0..300 {
            worker.simulate();
        }
        let (mut stack, mut evaluated, mut open) = (vec![(ROOT, *history.position())], 0, 0);
        let (mut rng, mut buffers) = (Rng::new(1), Buffers::default());
        while let Some((id, position)) = stack.pop() {
            let Some(block) = kept.tree.children(id) else { continue };
            for child in 0..block.opened {
                let mut next = position;
                next.play(block.mv(child));
                let prior = block.chunk.prior(block.begin + child);
                let settings = search.informed(params.hybrids.prior.unwrap().search, position.to_move());
                let value = Shallow::new(settings, &mut rng, &mut buffers).value(&mut Bare(next), depth);
                assert_eq!(prior.is_some(), block.visits(child) > visits, "{player}");
                assert!(prior.is_none_or(|prior| (prior - value as f32 / UNIT).abs() < 1e-5), "{player}");
                evaluated += u32::from(prior.is_some());
                open += u32::from(prior.is_none());
                stack.push((block.first + child as u32, next));
            }
        }
        assert!(evaluated > 20 && (visits == 0) == (open == 0), "{player}: {evaluated} {open}");
    }
}

#[test]
fn a_cut_off_without_moves_backs_up_the_evaluation_of_the_new_node() {
    for (player, depth) in [("mcts:ic=0", 0), ("mcts:ic=2", 2), ("mcts:ic=3,ic-k=1000,order=baier", 3)] {
        let report = search::<Othello>("othello", "start moves d3", player, 4);
        let position =
            *History::<Othello>::parse(rules::<Othello>("othello").unwrap(), "start moves d3").unwrap().position();
        for entry in report.moves.iter().filter(|entry| entry.visits == 1) {
            let mut next = position;
            next.play(entry.mv);
            let settings =
                Settings { horizon: crate::shallow::Horizon::Evaluation(0), ..Settings::results(position.to_move()) };
            let (mut rng, mut buffers) = (Rng::new(1), Buffers::default());
            let value = Shallow::new(settings, &mut rng, &mut buffers).value(&mut Bare(next), depth);
            let value = f64::from(value) / f64::from(UNIT);
            assert!((entry.value.unwrap() - value).abs() < 1e-5, "{player}: {entry:?} is not {value}");
        }
    }
}

/// With a width of 1, informed playouts follow the move ordering and need no evaluation.
#[test]
fn a_width_of_one_follows_the_move_ordering() {
    let history = History::<Othello>::new(rules::<Othello>("othello").unwrap());
    let params = params("mcts:ir=1,ir-epsilon=0,ir-k=1");
    let kept = empty_tree(&history, &params);
    let search = SearchContext::new(&params, &kept.tree, &history, None, None);
    let mut context = PlayoutContext::new(Rng::new(5), 200);
    let mut tools = PlayoutTools::new(&search);
    for _ in 0..20 {
        let mut trace: Vec<u8> = Vec::new();
        play_out(&search, &mut history.position().clone(), &mut context, &mut tools, [u32::MAX; 2], &mut trace);
        let mut position = *history.position();
        for mv in trace {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let best = moves.iter().map(|&mv| position.move_order(mv)).max().unwrap();
            assert_eq!(position.move_order(mv), best);
            position.play(mv);
        }
        assert!(position.is_over());
    }
}

#[test]
fn hybrids_are_refused_where_they_have_no_meaning() {
    fn refusal<G: Knowledge>(game: &str, player: &str) -> String {
        let rules = rules::<G>(game).unwrap();
        match crate::build::<G>(&player.parse().unwrap(), &rules) {
            Ok(_) => panic!("{player} is accepted in {game}"),
            Err(error) => error.to_string(),
        }
    }
    for (player, error) in [
        ("mcts:prior=10", "mcts: the option \"prior\" is now called \"ip=0 with ip-weight\""),
        ("mcts:cut=10", "mcts: the option \"cut\" is now called \"ic=0 with ic-moves\""),
        ("mcts:playout=greedy", "mcts: the option \"playout=greedy\" is now called \"ir=0\""),
        ("mcts:ms=2", "mcts: solver=(default) is not accepted; it takes on if ms or mb is set"),
        ("mcts:mr=1.5", "mcts: mr=1.5 is not accepted; it takes a whole number of plies"),
        ("mcts:ir,playout=mast", "mcts: playout=mast is not accepted; it takes uniform if ir is set"),
        ("mcts:ip,eval=best", "mcts: eval=best is not accepted; it takes baier in othello"),
        ("mcts:ip,order=best", "mcts: order=best is not accepted; it takes baier in othello"),
    ] {
        assert_eq!(refusal::<Othello>("othello", player), error);
    }
    let error = refusal::<Connect4>("connect4", "mcts:ip,eval=baier");
    assert!(error.contains("in connect4, which has only its own"), "{error}");
    for player in ["mcts:mr=1", "mcts:solver,ms=2", "mcts:solver,mb=1", "mcts:ip=1", "mcts:ic=1"] {
        let error = refusal::<Rolit>("rolit:players=3", player);
        assert!(error.contains("two players"), "{error}");
    }
    assert!(refusal::<tesuji_games::SameGame>("samegame", "mcts:mr=1").contains("two players"));
}

/// The start positions of the thesis have an even evaluation.
#[test]
fn the_evaluations_of_the_thesis_start_even() {
    fn start<G: Knowledge>(game: &str) -> Option<f32> {
        assert_eq!((G::EVALUATIONS[0], G::MOVE_ORDERS[0]), ("baier", "baier"));
        G::start(&rules::<G>(game).unwrap()).evaluation_by(1, Player::FIRST)
    }
    assert_eq!(start::<Othello>("othello"), Some(0.0));
    assert_eq!(start::<Lion>("lion"), Some(0.0));
    assert_eq!(start::<Breakthrough>("breakthrough:6"), Some(0.0));
}
