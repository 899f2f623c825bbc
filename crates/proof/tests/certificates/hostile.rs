//! Damaged and forged certificates.

use crate::oracle::{Replies, can_force};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::cell::RefCell;
use tesuji_core::{Game, History, Player, Rng};
use tesuji_games::{Hex, SameGame, Synthetic, TicTacToe, rules};
use tesuji_proof::raw::{Section, file, framed, payload};
use tesuji_proof::{Bound, Certificate, Claim, ProofError, ProofKind, Proved, Verified, Violation, Writer};

fn game<G: Game>(spec: &str, text: &str) -> History<G> {
    History::parse(rules::<G>(spec).unwrap(), text).unwrap()
}

fn verify<G: Game>(file: &[u8]) -> Result<Verified, ProofError> {
    Certificate::open(file)?.verify::<G>(|progress| progress.positions < 1_000_000)
}

/// The violation that the verifier finds.
fn fault<G: Game>(file: &[u8]) -> (Violation, Vec<String>) {
    match verify::<G>(file) {
        Err(ProofError::Invalid(located)) => (located.violation, located.moves),
        other => panic!("there should be a fault, but {other:?}"),
    }
}

/// A valid proof in parts.
fn section<G: Game>(spec: &str, root: &History<G>, claim: Claim) -> Section {
    let replies = Replies::new(root, claim);
    let written = RefCell::new(Vec::new());
    let strategy = |game: &History<G>| {
        let reply = replies.reply(game)?;
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        written.borrow_mut().push((moves.iter().position(|&mv| mv == reply)?, moves.len()));
        Some(reply)
    };
    let mut writer = Writer::new(Vec::new(), spec, root).unwrap();
    let proved = writer.prove(claim, strategy, |_| true).unwrap();
    let (whole, _) = writer.finish().unwrap();
    let section = Section { proved, replies: written.into_inner() };
    let root_text = Certificate::open(&whole[..]).unwrap().root().to_string();
    assert_eq!(file(spec, &root_text, std::slice::from_ref(&section)).unwrap(), whole);
    section
}

/// X wins by c3 or by a double threat.
const WON: &str = "start moves b2 b1 a1";

fn won() -> Section {
    section("tictactoe", &game::<TicTacToe>("tictactoe", WON), Claim::at_least(Player::FIRST, 1))
}

fn won_file(section: &Section) -> Vec<u8> {
    file("tictactoe", WON, std::slice::from_ref(section)).unwrap()
}

#[test]
fn every_changed_byte_is_detected() {
    let whole = won_file(&won());
    assert_eq!(verify::<TicTacToe>(&whole).unwrap().claims, [won().proved]);
    for at in 0..whole.len() {
        for change in 1..=255u8 {
            let mut damaged = whole.clone();
            damaged[at] ^= change;
            assert!(verify::<TicTacToe>(&damaged).is_err(), "byte {at} changed by {change:#x}");
        }
    }
}

#[test]
fn truncation_and_trailing_bytes_are_detected() {
    let whole = won_file(&won());
    for length in 0..whole.len() {
        assert!(verify::<TicTacToe>(&whole[..length]).is_err(), "{length} bytes of {}", whole.len());
    }
    for more in [&[0][..], &[0, 0, 0, 0, 0, 0], b"TESUJIPF\x01", &whole] {
        let error = verify::<TicTacToe>(&[&whole[..], more].concat()).unwrap_err().to_string();
        assert!(error.contains("data follows the end"), "{error}");
    }
}

#[test]
fn damage_is_distinguished_from_invalid_proofs() {
    let whole = won_file(&won());
    let kind = |file: &[u8]| verify::<TicTacToe>(file).unwrap_err();
    assert!(matches!(kind(b"GIF89a"), ProofError::NotACertificate));
    assert!(matches!(kind(&[]), ProofError::NotACertificate));
    let mut newer = whole.clone();
    newer[8] = 2;
    assert!(matches!(kind(&newer), ProofError::Version(2)));
    let mut damaged = whole.clone();
    damaged[20] ^= 1;
    assert!(matches!(kind(&damaged), ProofError::Damaged { offset: 9 }));
    assert!(matches!(kind(&whole[..30]), ProofError::Truncated { offset: 30 }));
}

#[test]
fn a_wrong_reply_is_located() {
    let right = won();
    for at in 0..right.replies.len() {
        for number in 0..right.replies[at].1 {
            let mut wrong = right.clone();
            wrong.replies[at].0 = number;
            match verify::<TicTacToe>(&won_file(&wrong)) {
                // Another winning move with the same number of positions.
                Ok(verified) => assert_eq!(verified.claims, [right.proved]),
                Err(ProofError::Invalid(located)) => {
                    let line = format!("{WON} {}", located.moves.join(" "));
                    assert_eq!(game::<TicTacToe>("tictactoe", &line).position().text(), located.position);
                }
                Err(ProofError::Format(_)) => {}
                Err(other) => panic!("{other}"),
            }
        }
    }
    // The first reply that does not win.
    let mut wrong = right.clone();
    wrong.replies[0] = (0, 6);
    let (what, moves) = fault::<TicTacToe>(&won_file(&wrong));
    assert!(matches!(what, Violation::End { score: 0 | -1 } | Violation::NoSuchMove { .. }), "{what:?}");
    assert!(!moves.is_empty());
}

#[test]
fn a_move_number_beyond_the_moves_is_refused() {
    let mut wrong = won();
    let (at, choices) = wrong.replies.iter().map(|reply| reply.1).enumerate().find(|reply| reply.1 % 2 == 1).unwrap();
    wrong.replies[at].0 = choices;
    let (what, _) = fault::<TicTacToe>(&won_file(&wrong));
    assert_eq!(what, Violation::NoSuchMove { number: choices + 1, legal: choices });
}

#[test]
fn missing_and_extra_replies_are_detected() {
    let right = won();
    for at in 0..right.replies.len() {
        let mut missing = right.clone();
        let lost = missing.replies.remove(at);
        assert!(lost.1 == 1 || verify::<TicTacToe>(&won_file(&missing)).is_err(), "without reply {at}");
    }
    // The last replies are missing.
    let mut bytes = payload(&won_file(&right)).unwrap();
    bytes.truncate(bytes.len() - 6);
    assert_eq!(fault::<TicTacToe>(&framed(&bytes).unwrap()).0, Violation::NoReply);
    let mut longer = right.clone();
    longer.replies.push((255, 256));
    assert!(verify::<TicTacToe>(&won_file(&longer)).is_err());
}

#[test]
fn counts_must_match() {
    for change in [
        |proved: &mut Proved| proved.positions += 1,
        |proved: &mut Proved| proved.replies -= 1,
        |proved: &mut Proved| proved.ends = u64::MAX,
    ] {
        let mut wrong = won();
        change(&mut wrong.proved);
        let error = verify::<TicTacToe>(&won_file(&wrong)).unwrap_err().to_string();
        assert!(error.contains("there are"), "{error}");
    }
}

#[test]
fn another_claim_root_or_spec_is_not_proved_by_the_same_replies() {
    let right = won();
    let mut higher = right.clone();
    higher.proved.claim.score = 2;
    assert_eq!(fault::<TicTacToe>(&won_file(&higher)).0, Violation::End { score: 1 });
    for claim in [Claim::at_least(Player::SECOND, 1), Claim::at_most(Player::FIRST, 0), Claim::at_least(Player(7), 1)] {
        let mut wrong = right.clone();
        wrong.proved.claim = claim;
        assert!(verify::<TicTacToe>(&won_file(&wrong)).is_err(), "{claim}");
    }
    for root in
        ["start", "start moves b2 b1 c1", "start moves b2 b1 a1 c3", "start moves b2 b1", "start moves b2 b2", ""]
    {
        let moved = file("tictactoe", root, std::slice::from_ref(&right)).unwrap();
        assert!(verify::<TicTacToe>(&moved).is_err(), "{root}");
    }
    for spec in ["hex:3", "tictactoe:3", "", "tictactoe:size=4", "no such game"] {
        let other = file(spec, WON, std::slice::from_ref(&right)).unwrap();
        assert!(verify::<TicTacToe>(&other).is_err(), "{spec}");
    }
    let error = verify::<Hex>(&won_file(&right)).unwrap_err();
    assert!(matches!(error, ProofError::OtherGame { .. }), "{error}");
}

#[test]
fn a_file_that_claims_nothing_proves_nothing() {
    let empty = file("tictactoe", WON, &[]).unwrap();
    assert!(verify::<TicTacToe>(&empty).unwrap_err().to_string().contains("it has no claims"));
}

#[test]
fn stated_lengths_are_not_trusted() {
    for length in
        [&[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F][..], &[0xFF, 0xFF, 0x3F], &[0xFF, 0xFF, 0xFF]]
    {
        let error = Certificate::open(&framed(length).unwrap()[..]).err().expect("there is no such text");
        assert!(matches!(error, ProofError::Format(_)), "{error}");
    }
}

fn loop_section(kind: ProofKind, claim: Claim, replies: Vec<(usize, usize)>, counts: [u64; 3]) -> Section {
    let [positions, ours, ends] = counts;
    Section { proved: Proved { claim, kind, positions, replies: ours, ends, longest: None }, replies }
}

#[test]
fn a_rank_that_does_not_decrease_is_refused() {
    let spec = "synthetic:tree='x=(a: y=(b: @x 1) -1)'";
    let claim = Claim::at_least(Player::FIRST, 0);
    let made = |kind| file(spec, "start", &[loop_section(kind, claim, vec![(0, 2)], [2, 1, 1])]).unwrap();
    verify::<Synthetic>(&made(ProofKind::Closed)).unwrap();
    let (wrong, moves) = fault::<Synthetic>(&made(ProofKind::Ranked));
    assert_eq!((wrong, moves), (Violation::Cycle, vec!["1".to_string(), "1".to_string()]));
}

#[test]
fn a_cycle_worth_less_is_refused() {
    let spec = "synthetic:tree='(a: x=(a: y=(b: @x 1) -1) -1)'";
    let claim = Claim::at_least(Player::FIRST, 1);
    let replies = vec![(0, 2), (0, 2)];
    let closed = file(spec, "start", &[loop_section(ProofKind::Closed, claim, replies, [3, 2, 1])]).unwrap();
    let (wrong, moves) = fault::<Synthetic>(&closed);
    assert_eq!((wrong, moves), (Violation::CycleWorth { score: 0 }, vec!["1".to_string()]));
}

#[test]
fn the_caller_can_stop_the_walk_of_a_short_file() {
    // A single player has no opponents: all moves must be explored, without a byte in the file.
    let spec = "samegame:8x8,colours=3";
    let claim = Claim::at_most(Player::FIRST, 1_000_000);
    let short = file(spec, "start", &[loop_section(ProofKind::Ranked, claim, Vec::new(), [0, 0, 0])]).unwrap();
    assert!(short.len() < 100);
    let error = Certificate::open(&short[..]).unwrap().verify::<SameGame>(|progress| progress.positions < 10_000);
    assert!(matches!(error, Err(ProofError::StopReason(12288))), "{error:?}");
    let root = game::<Hex>("hex:4", "start");
    let mut writer = Writer::new(Vec::new(), "hex:4", &root).unwrap();
    let first = |game: &History<Hex>| {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        moves.first().copied()
    };
    let stopped = writer.prove(Claim::at_least(Player::FIRST, -1), first, |progress| progress.positions < 100);
    assert!(matches!(stopped, Err(ProofError::StopReason(4096))), "{stopped:?}");
}

#[test]
fn a_tree_of_paths_too_large_is_declared_not_certifiable() {
    let spec = "go:2,komi=0";
    let root = game::<tesuji_games::Go>(spec, "start moves A1 B2 A2");
    let claim = Claim::at_least(Player::FIRST, 2);
    let mut writer = Writer::new(Vec::new(), spec, &root).unwrap().most_paths(10);
    let error = writer.prove(claim, |game| crate::oracle::exact_reply(game, &claim), |_| true).unwrap_err();
    assert!(matches!(error, ProofError::NotCertifiable { limit: 10, .. }), "{error}");
    assert!(error.to_string().starts_with("not certifiable"), "{error}");
}

proptest! {
    // Deterministic inputs: the same in every run.
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_trees_round_trip(seed in any::<u64>(), options in prop::sample::select(vec![
        "scores=1", "scores=9,turns=random", "branching=2,depth=9", "scores=5,value=-4", "depth=0", "branching=1",
    ])) {
        let spec = format!("synthetic:{options},seed={seed}");
        let root = game::<Synthetic>(&spec, "start");
        let value = root.position().known_value().unwrap();
        let mut writer = Writer::new(Vec::new(), &spec, &root).unwrap();
        let mut proved = Vec::new();
        for player in [Player::FIRST, Player::SECOND] {
            let value = if player == Player::FIRST { value } else { -value };
            for claim in [Claim::at_least(player, value), Claim::at_most(player, value)] {
                let replies = Replies::new(&root, claim);
                proved.push(writer.prove(claim, |game| replies.reply(game), |_| true).unwrap());
            }
            let false_claim = Claim::at_least(player, value + 1);
            let replies = Replies::new(&root, false_claim);
            prop_assert!(writer.prove(false_claim, |game| replies.reply(game), |_| true).is_err());
        }
        let (written, length) = writer.finish().unwrap();
        prop_assert_eq!(length, written.len() as u64);
        let verified = verify::<Synthetic>(&written).unwrap();
        prop_assert_eq!(verified.claims, proved);
        prop_assert_eq!(framed(&payload(&written).unwrap()).unwrap(), written);
    }

    #[test]
    fn what_a_forger_makes_of_a_certificate_is_refused_or_true(
        seed in any::<u64>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let spec = format!("synthetic:tree='{}',repetition=2", random_graph(&mut Rng::new(seed)));
        let root = game::<Synthetic>(&spec, "start");
        let claim = [Claim::at_least(Player::FIRST, 0), Claim::at_most(Player::FIRST, 0)][seed as usize % 2];
        let replies = Replies::new(&root, claim);
        prop_assume!(replies.holds(&root));
        let mut writer = Writer::new(Vec::new(), &spec, &root).unwrap();
        writer.prove(claim, |game| replies.reply(game), |_| true).unwrap();
        let mut bytes = payload(&writer.finish().unwrap().0).unwrap();
        // The part after the spec.
        let from = spec.len();
        for (at, change) in changes {
            let at = from + at.index(bytes.len() - from);
            bytes[at] = change;
        }
        if let Ok(verified) = verify::<Synthetic>(&framed(&bytes).unwrap()) {
            let mut root = game::<Synthetic>(&verified.spec, &verified.root);
            for proved in verified.claims {
                prop_assert!(can_force(&mut root, &proved.claim), "{} of {}", proved.claim, spec);
            }
        }
    }
}

/// A random graph as text, with edges back and across.
fn random_graph(rng: &mut Rng) -> String {
    fn choice(rng: &mut Rng, names: &mut u8, left: &mut u32) -> String {
        let name = char::from(b'p' + *names);
        *names += 1;
        let children: Vec<String> = (0..2 + rng.below(2))
            .map(|_| match rng.below(5) {
                0..=2 if *left > 0 => {
                    *left -= 1;
                    choice(rng, names, left)
                }
                0 | 3 => ["1", "-1", "0"][rng.below(3)].to_string(),
                _ => format!("@{}", char::from(b'p' + rng.below(usize::from(*names)) as u8)),
            })
            .collect();
        format!(
            "{name}=({}{} {})",
            ["", "", "a: ", "b: "][rng.below(4)],
            children.join(" "),
            ["1", "-1", "0"][rng.below(3)]
        )
    }
    choice(rng, &mut 0, &mut 4)
}

#[test]
fn claims_are_described_in_words() {
    assert_eq!(Claim::at_least(Player::FIRST, 3).to_string(), "player 1 can force at least 3");
    assert_eq!(Claim::at_most(Player::SECOND, -3).to_string(), "player 2 can be held to at most -3");
    assert_eq!(Claim::at_most(Player::SECOND, -3).bound, Bound::AtMost);
}
