//! The speed of the ladder search of `capture`: positions read per second on random 13x13 boards.
//!
//! `cargo run --release -p tesuji-games --example ladders`

use std::time::Instant;
use tesuji_core::{Game, Knowledge, Player, Rng};
use tesuji_games::{GoProblem, rules};

const SIZE: usize = 13;
const POSITIONS: usize = 5_000;
/// How often all of them are read.
const ROUNDS: usize = 40;

/// A sparse random board with a marked block of two liberties, and Black to attack.
fn random_problem(rng: &mut Rng) -> Option<GoProblem> {
    let density = 4 + rng.below(12);
    let mut board: Vec<Vec<char>> = (0..SIZE)
        .map(|_| (0..SIZE).map(|_| if rng.below(100) < density { ['x', 'o'][rng.below(2)] } else { '.' }).collect())
        .collect();
    let (row, column) = (1 + rng.below(SIZE - 2), 1 + rng.below(SIZE - 2));
    board[row][column] = 'w';
    for (y, x) in [(row - 1, column), (row, column - 1), (row + 1, column - 1)] {
        board[y][x] = 'x';
    }
    for (y, x) in [(row + 1, column), (row, column + 1)] {
        board[y][x] = '.';
    }
    let rows: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
    GoProblem::parse(&rules::<GoProblem>("capture:13").ok()?, &format!("{} X - 0 0,0", rows.join("/"))).ok()
}

/// A ladder that runs across the board.
const OPEN: &str = "............./............./............./............./............./............./.............\
                    /............./............./..xw........./...xx......../............./............. X - 0 0,0";

fn measure(name: &str, problems: &[GoProblem], rounds: usize) {
    let (mut nodes, mut taken) = (0, 0);
    let begin = Instant::now();
    for problem in std::iter::repeat_n(problems, rounds).flatten() {
        taken += usize::from(problem.order_one(Player::FIRST, &mut nodes) == Some(true));
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{name}: {} ladders, {taken} taken: {nodes} nodes in {seconds:.3} s, {:.1} M nodes/s",
        rounds * problems.len(),
        nodes as f64 / seconds / 1e6
    );
}

fn main() {
    let mut rng = Rng::new(1);
    let random: Vec<GoProblem> = std::iter::repeat_with(|| random_problem(&mut rng))
        .flatten()
        .filter(|problem| !problem.is_over())
        .take(POSITIONS)
        .collect();
    measure("random boards", &random, ROUNDS);
    let open = GoProblem::parse(&rules::<GoProblem>("capture:13").expect("a spec"), OPEN).expect("a position");
    measure("across the board", &[open], ROUNDS * POSITIONS / 10);
}
