//! The shallow search against naive minimax.

use super::*;
use crate::minimax;
use tesuji_core::{History, Rules};
use tesuji_games::breakthrough::Breakthrough;
use tesuji_games::connect4::Connect4;
use tesuji_games::lion::Lion;
use tesuji_games::loa::Loa;
use tesuji_games::othello::Othello;
use tesuji_games::rules;
use tesuji_games::synthetic::Synthetic;
use tesuji_games::tictactoe::TicTacToe;

/// The lowest and the highest value of a position that any order of equally ranked moves gives, by
/// plain recursion.
fn naive<G: Knowledge>(settings: &Settings, position: &G, depth: u32) -> (i32, i32) {
    let exactly = |value| (value, value);
    if let Some(outcome) = position.outcome() {
        let score = outcome.score(settings.player);
        return exactly(if settings.terminal == Terminal::Result { score.signum() * WIN } else { score });
    }
    if depth == 0 {
        return exactly(match settings.horizon {
            Horizon::Fixed(value) => value,
            Horizon::Evaluation(number) => {
                (position.evaluation_by(number, settings.player).unwrap() * WIN as f32) as i32
            }
        });
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let order = |mv: G::Move| settings.order.map_or(0, |order| position.move_order_by(order, mv).unwrap());
    moves.sort_by_key(|&mv| std::cmp::Reverse(order(mv)));
    let sign = if position.to_move() == settings.player { 1 } else { -1 };
    let values: Vec<(i32, i32, i32)> = moves
        .iter()
        .map(|&mv| {
            let mut next = position.clone();
            next.play(mv);
            let (low, high) = naive(settings, &next, depth - 1);
            (order(mv), (sign * low).min(sign * high), (sign * low).max(sign * high))
        })
        .collect();
    let width = settings.width.min(values.len());
    let last = values[width - 1].0;
    let sure = values.iter().filter(|(order, ..)| *order > last);
    let ties: Vec<_> = values.iter().filter(|(order, ..)| *order == last).collect();
    let drawn = width - sure.clone().count();
    let mut lows: Vec<i32> = ties.iter().map(|(_, low, _)| *low).collect();
    lows.sort_unstable();
    let low = sure.clone().map(|(_, low, _)| *low).chain([lows[drawn - 1]]).max().unwrap();
    let high = sure.chain(ties).map(|(_, _, high)| *high).max().unwrap();
    ((sign * low).min(sign * high), (sign * low).max(sign * high))
}

/// Positions of random games, with the games that lead to them.
fn positions<G: Game>(game: &str, count: usize, rng: &mut Rng) -> Vec<History<G>> {
    let mut found = Vec::new();
    while found.len() < count {
        let mut history = History::<G>::new(rules::<G>(game).unwrap());
        let plies = rng.below(2 + history.facts().length.plies().min(60) as usize);
        for _ in 0..plies {
            let mut moves = Vec::new();
            history.legal_moves(&mut moves);
            if history.is_over() {
                break;
            }
            history.play(moves[rng.below(moves.len())]);
        }
        found.push(history);
    }
    found
}

fn agrees<G: Knowledge>(game: &str, settings: Settings, deepest: u32) {
    let (mut rng, mut buffers) = (Rng::new(7), Buffers::default());
    for history in positions::<G>(game, 60, &mut Rng::new(3)) {
        let position = history.position();
        for depth in 0..=deepest {
            for player in [Player::FIRST, Player::SECOND] {
                let settings = Settings { player, ..settings };
                let (low, high) = naive(&settings, position, depth);
                let mut search = Shallow::new(settings, &mut rng, &mut buffers);
                let found = search.value(&mut Bare(position.clone()), depth);
                assert!(
                    (low..=high).contains(&found),
                    "{game} {settings:?}: {found} at {depth} in {}",
                    position.text()
                );
                if low == high {
                    assert!(search.reaches(&mut Bare(position.clone()), depth, found));
                    assert!(!search.reaches(&mut Bare(position.clone()), depth, found + 1));
                }
            }
            root_agrees(&history, settings, depth, &mut rng, &mut buffers);
        }
    }
}

/// The best root move has the value of the position, and is worth it.
fn root_agrees<G: Knowledge>(
    history: &History<G>,
    settings: Settings,
    depth: u32,
    rng: &mut Rng,
    buffers: &mut Buffers<G::Move>,
) {
    let position = history.position();
    if position.is_over() || depth == 0 {
        return;
    }
    let settings = Settings { player: position.to_move(), ..settings };
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let (low, high) = naive(&settings, position, depth);
    let (best, value) =
        Shallow::new(settings, rng, buffers).best_move(&mut Bare(position.clone()), &moves, None, depth);
    assert!((low..=high).contains(&value), "{value} at {depth} in {}", position.text());
    let mut next = position.clone();
    next.play(best);
    let (low, high) = naive(&settings, &next, depth - 1);
    assert!((low..=high).contains(&value), "{} at {depth} in {}", position.move_text(best), position.text());
}

#[test]
fn results_equal_naive_minimax_at_every_depth() {
    let results = Settings::results(Player::FIRST);
    agrees::<TicTacToe>("tictactoe", results, 4);
    agrees::<Connect4>("connect4:5x4", results, 4);
    agrees::<Connect4>("connect4", results, 3);
    agrees::<Breakthrough>("breakthrough:4x5", results, 3);
    agrees::<Othello>("othello:4", results, 4);
    agrees::<Lion>("lion", results, 3);
    agrees::<Lion>("lion:try=any", results, 3);
    agrees::<Loa>("loa:5", results, 2);
    agrees::<Synthetic>("synthetic:depth=6,branching=3,turns=random", results, 6);
}

#[test]
fn evaluations_equal_naive_minimax_at_every_depth() {
    let evaluated = Settings { horizon: Horizon::Evaluation(0), ..Settings::results(Player::FIRST) };
    for order in [None, Some(0)] {
        let settings = Settings { order, ..evaluated };
        agrees::<Connect4>("connect4:5x4", settings, 3);
        agrees::<Breakthrough>("breakthrough:4x5", settings, 3);
        agrees::<Othello>("othello:6", settings, 3);
        agrees::<Lion>("lion", settings, 2);
    }
}

#[test]
fn scores_equal_naive_minimax() {
    let (low, high) = rules::<Othello>("othello:4").unwrap().facts().scores;
    for horizon in [low, high] {
        let horizon = Horizon::Fixed(horizon);
        let settings = Settings { terminal: Terminal::Score(low, high), horizon, ..Settings::results(Player::FIRST) };
        agrees::<Othello>("othello:4", settings, 4);
    }
}

#[test]
fn only_the_first_k_moves_of_the_ordering_are_searched() {
    for (width, number) in [(1, 0), (2, 1), (3, 0), (7, 1)] {
        let horizon = Horizon::Evaluation(number);
        let settings = Settings { horizon, width, order: Some(number), ..Settings::results(Player::FIRST) };
        agrees::<Breakthrough>("breakthrough:5x5", settings, 4);
        agrees::<Othello>("othello:6", settings, 4);
        agrees::<Lion>("lion", settings, 3);
    }
    let weaker = Settings { width: 2, order: Some(2), ..Settings::results(Player::FIRST) };
    agrees::<Breakthrough>("breakthrough:5x5", weaker, 4);
}

/// A depth beyond the end of the game gives the value of exact minimax.
#[test]
fn a_search_to_the_end_is_exact() {
    fn check<G: Knowledge>(game: &str, nodes: u64) {
        let (mut rng, mut buffers, mut solved) = (Rng::new(7), Buffers::default(), 0);
        for mut history in positions::<G>(game, 80, &mut Rng::new(5)) {
            let Some(exact) = minimax::result(&mut history, Player::FIRST, nodes) else { continue };
            let mut search = Shallow::new(Settings::results(Player::FIRST), &mut rng, &mut buffers);
            assert_eq!(search.value(&mut Bare(history.position().clone()), 40), exact * WIN, "{}", history.text());
            solved += 1;
        }
        assert!(solved > 20, "{game}: {solved}");
    }
    check::<TicTacToe>("tictactoe", 100_000);
    check::<Connect4>("connect4:4x4", 20_000);
    check::<Breakthrough>("breakthrough:3x5", 20_000);
    check::<Othello>("othello:4", 20_000);
    check::<Synthetic>("synthetic:depth=7,branching=3", 20_000);
}

#[test]
fn equal_root_moves_are_equally_likely() {
    let position = TicTacToe::start(&rules::<TicTacToe>("tictactoe").unwrap());
    let (mut rng, mut buffers) = (Rng::new(7), Buffers::default());
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut counts = [0; 9];
    for _ in 0..9_000 {
        let mut search = Shallow::new(Settings::results(Player::FIRST), &mut rng, &mut buffers);
        let (mv, value) = search.best_move(&mut Bare(position), &moves, None, 2);
        assert_eq!(value, 0);
        counts[position.move_index(mv)] += 1;
    }
    assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    let mut search = Shallow::new(Settings::results(Player::FIRST), &mut rng, &mut buffers);
    assert_eq!(search.best_move(&mut Bare(position), &moves, Some(moves[3]), 2), (moves[3], 0));
}

#[test]
fn lost_moves_are_avoided_and_wins_are_found() {
    let tree = rules::<Synthetic>("synthetic:tree='((1 -1) (1 (1 -1)) (-1 -1) (1 (0 1)))'").unwrap();
    let position = Synthetic::start(&tree);
    let (mut rng, mut buffers) = (Rng::new(7), Buffers::default());
    let mut search = |depth, seen: &mut [u32; 4]| {
        for _ in 0..400 {
            let mut search = Shallow::new(Settings::results(Player::FIRST), &mut rng, &mut buffers);
            let (mv, value) = search.best_move(&mut Bare(position.clone()), &[0, 1, 2, 3], None, depth);
            assert_eq!(value, if depth == 3 { WIN } else { 0 });
            seen[usize::from(mv)] += 1;
        }
    };
    let (mut two, mut three) = ([0; 4], [0; 4]);
    search(2, &mut two);
    search(3, &mut three);
    assert!(two[0] == 0 && two[2] == 0 && two[1] > 150 && two[3] > 150, "{two:?}");
    assert!(three[1] > 150 && three[3] > 150 && three[0] + three[2] == 0, "{three:?}");
}
