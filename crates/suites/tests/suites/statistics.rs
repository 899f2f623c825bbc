//! Rolit against the figures of Saito ("Solving Difficult Game Positions", 2010, chapter 6):
//! results of random play, branching factors, and the scores that paranoid players can force on
//! 4x4. No other program plays Rolit with two or three players from the same start, so these
//! figures check rules, seats and scores.

use libtest_mimic::Trial;
use tesuji_core::{Game, Knowledge, Player, Rng};
use tesuji_games::{Rolit, rules};

/// Random games per board and number of players. Raising it makes the test more precise: with
/// 100,000 games the standard error of a share of wins is about 0.15 %.
const GAMES: u32 = 100_000;

/// The tolerance in standard errors. There are 63 figures, so 4 fails by chance for one in 250
/// seeds.
const ERRORS: f64 = 4.0;

/// The mean of a sample and its standard error.
#[derive(Default)]
struct Mean {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    fn standard_error(&self) -> f64 {
        ((self.squares / self.count - self.mean().powi(2)) / self.count).sqrt()
    }

    /// Checks the mean against a published figure, rounded to a multiple of `unit`. The figure
    /// comes from random games too and is assumed to have the same standard error.
    fn check(&self, what: &str, figure: f64, unit: f64) {
        let tolerance = unit / 2.0 + ERRORS * std::f64::consts::SQRT_2 * self.standard_error();
        let off = (self.mean() - figure).abs();
        assert!(off <= tolerance, "{what}: {:.3}, but Saito has {figure}; more than {tolerance:.3} off", self.mean());
    }
}

/// Plays at random and checks the share of wins in percent (ties shared) and the mean score of each
/// seat, and the mean number of legal moves.
fn check_random_play(spec: &str, seats: &[(f64, f64)], branching: f64) {
    let start = Rolit::start(&rules::<Rolit>(spec).unwrap());
    let mut rng = Rng::new(2010);
    let mut wins: Vec<Mean> = seats.iter().map(|_| Mean::default()).collect();
    let mut scores: Vec<Mean> = seats.iter().map(|_| Mean::default()).collect();
    let mut moves_per_ply = Mean::default();
    let mut moves = Vec::new();
    for _ in 0..GAMES {
        let mut position = start;
        let (mut plies, mut choices) = (0, 0);
        while !position.is_over() {
            moves.clear();
            position.legal_moves(&mut moves);
            plies += 1;
            choices += moves.len();
            position.play(moves[rng.below(moves.len())]);
        }
        // All games are equally long, so the mean over games is the mean over plies.
        moves_per_ply.add(choices as f64 / f64::from(plies));
        let outcome = position.outcome().unwrap();
        for (seat, (wins, scores)) in wins.iter_mut().zip(&mut scores).enumerate() {
            wins.add(100.0 * outcome.win_share(Player(seat as u8)));
            scores.add(f64::from(outcome.score(Player(seat as u8))));
        }
    }
    moves_per_ply.check(&format!("{spec}: legal moves"), branching, 0.01);
    for (seat, &(win, score)) in seats.iter().enumerate() {
        wins[seat].check(&format!("{spec}: wins of seat {seat}"), win, 0.1);
        scores[seat].check(&format!("{spec}: score of seat {seat}"), score, 0.1);
    }
}

// Saito's table is by colour, these arguments by seat: Red, Green for two players; Red, Yellow,
// Green, Blue for more.

fn random_games_on_4x4_end_as_in_saitos_table() {
    check_random_play("rolit:4,players=2", &[(44.3, 7.5), (55.7, 8.5)], 2.79);
    check_random_play("rolit:4,players=3", &[(26.1, 5.0), (38.8, 5.6), (35.1, 5.5)], 2.92);
    check_random_play("rolit:4,players=4", &[(18.9, 3.8), (27.0, 4.1), (26.4, 4.0), (27.8, 4.1)], 3.15);
}

fn random_games_on_6x6_end_as_in_saitos_table() {
    check_random_play("rolit:6,players=2", &[(42.2, 16.9), (57.8, 19.1)], 5.27);
    check_random_play("rolit:6,players=3", &[(32.9, 12.0), (45.4, 13.5), (21.7, 10.5)], 5.25);
    check_random_play("rolit:6,players=4", &[(12.3, 7.4), (19.8, 8.5), (29.7, 9.6), (38.0, 10.5)], 5.17);
}

fn random_games_on_8x8_end_as_in_saitos_table() {
    check_random_play("rolit:8,players=2", &[(41.1, 30.2), (58.9, 33.8)], 8.50);
    check_random_play("rolit:8,players=3", &[(22.8, 19.1), (33.0, 21.4), (44.2, 23.5)], 8.65);
    check_random_play("rolit:8,players=4", &[(14.4, 13.8), (20.6, 15.3), (28.4, 16.8), (36.6, 18.2)], 8.25);
}

/// Returns the score that `player` can force when all others play against it, by alpha-beta.
fn paranoid_score<G: Knowledge>(position: &G, player: Player, mut low: i32, mut high: i32) -> i32 {
    if let Some(outcome) = position.outcome() {
        return outcome.score(player);
    }
    let maximises = position.to_move() == player;
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    for mv in moves {
        let mut next = position.clone();
        next.play(mv);
        let score = paranoid_score(&next, player, low, high);
        if maximises {
            low = low.max(score);
        } else {
            high = high.min(score);
        }
        if low >= high {
            break;
        }
    }
    if maximises { low } else { high }
}

fn paranoid_scores_on_4x4_are_those_that_saito_proved() {
    for (spec, scores) in [
        ("rolit:4,players=2", vec![7, 9]),
        ("rolit:4,players=3", vec![3, 3, 4]),
        ("rolit:4,players=4", vec![2, 2, 1, 1]),
    ] {
        let start = Rolit::start(&rules::<Rolit>(spec).unwrap());
        let found: Vec<i32> = (0..scores.len()).map(|seat| paranoid_score(&start, Player(seat as u8), 0, 16)).collect();
        assert_eq!(found, scores, "{spec}");
    }
}

/// Returns the tests of this suite.
pub fn trials() -> Vec<Trial> {
    let tests: [(&str, fn()); 4] = [
        ("random games on 4x4 end as in saitos table", random_games_on_4x4_end_as_in_saitos_table),
        ("random games on 6x6 end as in saitos table", random_games_on_6x6_end_as_in_saitos_table),
        ("random games on 8x8 end as in saitos table", random_games_on_8x8_end_as_in_saitos_table),
        ("paranoid scores on 4x4 are those that saito proved", paranoid_scores_on_4x4_are_those_that_saito_proved),
    ];
    crate::trials_of(tests)
}
