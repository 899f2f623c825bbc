use super::*;
use std::sync::atomic::AtomicBool;
use tesuji_core::{Control, History, Limits, MoveCode, Report};
use tesuji_games::{SameGame, rules};

const A: u64 = 1;
const B: u64 = 2;

/// A line that plays the first of two moves in each of some positions.
fn line(positions: usize) -> Choices {
    Choices::repeated(&[MoveCode { code: A, bias: 0.0 }, MoveCode { code: B, bias: 0.0 }], positions)
}

fn probability(policy: &Policy) -> f64 {
    let (a, b) = (policy.weight(A).exp(), policy.weight(B).exp());
    a / (a + b)
}

#[test]
fn an_adaptation_makes_the_line_more_likely() {
    let mut policy = Policy::new(0.0);
    policy.adapt(&line(1), 1.0);
    assert_eq!((policy.weight(A), policy.weight(B)), (0.5, -0.5));
    assert!((probability(&policy) - 0.731).abs() < 5e-4);
    policy.adapt(&line(1), 1.0);
    assert!((policy.weight(A) - 0.769).abs() < 5e-4);
    assert!((probability(&policy) - 0.823).abs() < 5e-4);
    // The probabilities are those before the adaptation in both positions of a line.
    let mut policy = Policy::new(0.0);
    policy.adapt(&line(2), 1.0);
    assert_eq!((policy.weight(A), policy.weight(B)), (1.0, -1.0));
}

#[test]
fn a_bias_counts_as_weight() {
    let codes = [MoveCode { code: A, bias: 2.0 * 3f64.ln() }, MoveCode { code: B, bias: 0.0 }];
    let mut policy = Policy::new(0.5);
    policy.adapt(&Choices::repeated(&codes, 1), 1.0);
    // The probabilities are 3/4 and 1/4.
    assert!((policy.weight(A) - 0.25).abs() < 1e-12 && (policy.weight(B) + 0.25).abs() < 1e-12);
}

#[test]
fn large_weights_do_not_overflow() {
    let mut policy = Policy::new(0.0);
    for _ in 0..10 {
        policy.adapt(&line(50), 100.0);
    }
    assert!(policy.weight(A) > 1000.0 && policy.weight(B) < -1000.0, "{policy:?}");
    let [a, b] = [A, B].map(|code| policy.factor(&MoveCode { code, bias: 0.0 }));
    assert!(a.is_finite() && b > 0.0 && a / (a + b) == 1.0);
}

/// The choices of a line are those of its playout.
#[test]
fn a_line_is_replayed_with_the_policy_that_found_it() {
    let rules = rules::<SameGame>("samegame:8x8,colours=4").unwrap();
    let root = <SameGame as tesuji_core::Game>::start(&rules);
    for informed in [None, Some(0), Some(3)] {
        let mut context = tesuji_core::PlayoutContext::new(tesuji_core::Rng::new(1), 32);
        let (mut line, mut weighed) = (Vec::new(), 0);
        let mut weight = |_: &MoveCode| {
            weighed += 1;
            1.0
        };
        tesuji_core::plain_weighted_playout(&mut root.clone(), informed, &mut weight, &mut context, &mut line);
        let choices = Choices::of(&root, &line, informed);
        assert_eq!(choices.counts(), (line.len(), weighed));
    }
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
