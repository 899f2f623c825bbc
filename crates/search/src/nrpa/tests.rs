use super::*;
use std::sync::atomic::AtomicBool;
use tesuji_core::{Control, History, Limits, Report};
use tesuji_games::{SameGame, rules};

const A: u64 = 1;
const B: u64 = 2;

/// A line that plays the first of two moves in each of some positions.
fn line(positions: usize) -> Sequence<u16> {
    let choices = [MoveCode { code: A, bias: 0.0 }, MoveCode { code: B, bias: 0.0 }].repeat(positions);
    let steps = (1..=positions).map(|position| (2 * position, 0)).collect();
    Sequence { score: 0, moves: vec![0; positions], choices, steps }
}

fn probability(policy: &Policy) -> f64 {
    let (a, b) = (policy[&A].exp(), policy[&B].exp());
    a / (a + b)
}

#[test]
fn an_adaptation_makes_the_line_more_likely() {
    let mut policy = Policy::default();
    adapt(&mut policy, &line(1), 1.0);
    assert_eq!((policy[&A], policy[&B]), (0.5, -0.5));
    assert!((probability(&policy) - 0.731).abs() < 5e-4);
    adapt(&mut policy, &line(1), 1.0);
    assert!((policy[&A] - 0.769).abs() < 5e-4);
    assert!((probability(&policy) - 0.823).abs() < 5e-4);
    // The probabilities are those before the adaptation in both positions of a line.
    let mut policy = Policy::default();
    adapt(&mut policy, &line(2), 1.0);
    assert_eq!((policy[&A], policy[&B]), (1.0, -1.0));
}

#[test]
fn a_bias_counts_as_weight() {
    let mut biased = line(1);
    biased.choices[0].bias = 3f64.ln();
    let mut policy = Policy::default();
    adapt(&mut policy, &biased, 1.0);
    // The probabilities are 3/4 and 1/4.
    assert!((policy[&A] - 0.25).abs() < 1e-12 && (policy[&B] + 0.25).abs() < 1e-12);
}

#[test]
fn large_weights_do_not_overflow() {
    let mut policy = Policy::default();
    for _ in 0..10 {
        adapt(&mut policy, &line(50), 100.0);
    }
    assert!(policy[&A] > 1000.0 && policy[&A].is_finite() && policy[&B].is_finite(), "{policy:?}");
    let mut weights = Vec::new();
    exponentials(&policy, &line(1).choices, &mut weights);
    assert_eq!(weights, [1.0, 0.0]);
}

#[test]
fn moves_are_drawn_in_proportion_to_their_weights() {
    let weights = [1.0, 2.0, 5.0];
    let drawn: Vec<usize> = (0..8).map(|eighth| draw(&weights, (f64::from(eighth) + 0.5) / 8.0)).collect();
    assert_eq!(drawn, [0, 1, 1, 2, 2, 2, 2, 2]);
    assert_eq!(draw(&weights, 1.0), 2);
}

fn search(spec: &str, playouts: u64) -> Report<u16> {
    let rules = rules::<SameGame>("samegame:8x8,colours=4").unwrap();
    let mut search = crate::build::<SameGame>(&spec.parse().unwrap(), &rules).unwrap();
    let stop = AtomicBool::new(false);
    let limits = Limits { playouts: Some(playouts), ..Limits::default() };
    search.search(&History::new(rules), &Control::new(limits, 5, &stop))
}

/// A stabilised level 1 of one playout is a level 0.
#[test]
fn one_playout_is_not_stabilised() {
    assert_eq!(search("nrpa:level=3,n=10,stabilise=1", 5000), search("nrpa:level=2,n=10", 5000));
}

/// With a step of 0 the policy stays uniform.
#[test]
fn adaptation_finds_better_lines_than_uniform_playouts() {
    let score = |spec: &str| search(spec, 20_000).bounds.at_least;
    assert!(score("nrpa:level=2") > score("nrpa:level=2,alpha=0"));
    assert!(score("nrpa:level=2,repetitions=1") > score("nrpa:level=2,alpha=0"));
    assert!(score("nrpa:level=3,stabilise=10") > score("nrpa:level=2,alpha=0"));
}
