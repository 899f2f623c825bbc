//! Solutions as they are told: lines of play, proofs that cannot be had, and checkpoints that say what is not so.

use std::sync::atomic::AtomicBool;
use tesuji_catalog::{Goal, Sides, Solution, Solving, open};
use tesuji_core::Limits;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn plan(goal: Goal, by: &str) -> Solving<'static> {
    Solving {
        goal,
        by: by.to_string(),
        sides: Sides::Usual,
        all_moves: false,
        limits: Limits { memory: Some(1 << 24), ..Limits::default() },
        seed: 1,
        threads: 1,
        stop: &GO_ON,
        checkpoint: None,
        proof: None,
        watch: None,
    }
}

fn solved(game: &str, position: &str, plan: &Solving<'_>) -> Solution {
    open(game, position).unwrap().solve(plan).unwrap().expect("the game is not over")
}

/// Whether every line keeps to the bounds it is told with; `to_the_end` if it must not stop before.
fn lines_keep_the_bounds(game: &str, position: &str, plan: &Solving<'_>, to_the_end: bool) {
    let solution = solved(game, position, plan);
    assert!(solution.solved, "{game}");
    for side in &solution.sides {
        let line = &side.variation;
        let mut session = open(game, position).unwrap();
        line.iter().for_each(|mv| session.play(mv).unwrap());
        assert_eq!(line.first(), side.best.as_ref(), "{game}, {}: {line:?}", side.name);
        let ending = session.ending();
        assert!(ending.is_some() || !to_the_end, "{game}, {}: {line:?}", side.name);
        if let Some(ending) = ending {
            let (score, bounds) = (ending.scores[side.bounds.player.index()], side.bounds);
            let is_kept = (bounds.at_least..=bounds.at_most).contains(&score);
            assert!(is_kept, "{game}, {}: {line:?} ends with {score}, not as {bounds:?}", side.name);
        }
    }
}

#[test]
fn the_line_of_a_solution_ends_with_its_value() {
    for (game, goal) in [
        ("tictactoe", Goal::Value),
        ("connect4:4x4", Goal::Value),
        ("othello:4", Goal::Score),
        ("rolit:4,players=2", Goal::Score),
        ("rolit:4,players=3", Goal::Score),
        ("hex:3", Goal::Value),
        ("samegame:4x4,colours=3", Goal::Score),
    ] {
        lines_keep_the_bounds(game, "start", &plan(goal, "auto"), true);
    }
    // Not for the player to move: the others choose what holds the player to its score.
    for (seat, position) in [("1", "start moves b2"), ("2", "start"), ("2", "start moves b2 a1")] {
        let plan = Solving { sides: Sides::One(seat.to_string()), ..plan(Goal::Value, "auto") };
        lines_keep_the_bounds("tictactoe", position, &plan, true);
    }
    // These have left most of what they have done when they follow a line, and may stop on it.
    for by in ["pns", "pn2", "rppns", "pds", "pdspn", "pnstar"] {
        lines_keep_the_bounds("connect4:4x4", "start", &plan(Goal::Value, by), false);
    }
}
