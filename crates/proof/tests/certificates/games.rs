//! Certificates of real games, with replies from a naive solver.

use crate::oracle::{Replies, can_force, exact_reply, forced, soonest_reply};
use tesuji_core::{Game, History, Player, Repetition, Rng};
use tesuji_games::{
    Awari, Breakthrough, Connect4, Go, Hex, Lion, Loa, MiniShogi, Othello, Rolit, SameGame, Synthetic, TicTacToe, rules,
};
use tesuji_proof::{Certificate, Claim, ProofError, ProofKind, Proved, Verified, Violation, WalkStep, Writer};

fn game<G: Game>(spec: &str, text: &str) -> History<G> {
    History::parse(rules::<G>(spec).unwrap(), text).unwrap()
}

/// Proves a claim with replies from a full solution, verifies the file and walks random lines of
/// it.
fn prove<G: Game>(spec: &str, root: &History<G>, claim: Claim) -> Result<Proved, ProofError> {
    let replies = Replies::new(root, claim);
    let mut writer = Writer::new(Vec::new(), spec, root).unwrap();
    let proved = writer.prove(claim, |game| replies.reply(game), |_| true);
    assert_eq!(proved.is_ok(), replies.holds(root), "{spec}: {claim}");
    let proved = proved?;
    let (file, length) = writer.finish().unwrap();
    assert_eq!(length, file.len() as u64);
    assert!(length <= proved.positions + 200, "{spec}: {length} bytes for {} positions", proved.positions);
    let walk = Certificate::open(&file[..]).unwrap().walk::<G>(|_| true).unwrap();
    assert_eq!(walk.verified().claims, [proved]);
    let mut rng = Rng::new(1);
    for _ in 0..20 {
        let mut line = root.clone();
        let mut longest = None;
        loop {
            let (mv, now) = match walk.at(0, &line).expect("the proof has all lines") {
                WalkStep::Ours { reply, longest } => (reply, longest),
                WalkStep::Theirs { replies, longest } => (replies[rng.below(replies.len())], longest),
                WalkStep::End(outcome) => break assert!(claim.holds(&outcome)),
            };
            // The rank decreases along every line.
            assert!(longest.is_none() || now < longest, "{now:?} after {longest:?}");
            longest = now;
            line.play(mv);
        }
    }
    Ok(proved)
}

#[test]
fn two_claims_make_a_value() {
    let root = game::<TicTacToe>("tictactoe", "start");
    let claims = [Claim::at_least(Player::FIRST, 0), Claim::at_most(Player::FIRST, 0)];
    let mut writer = Writer::new(Vec::new(), "tictactoe", &root).unwrap();
    for claim in claims {
        let replies = Replies::new(&root, claim);
        writer.prove(claim, |game| replies.reply(game), |_| true).unwrap();
    }
    let (file, _) = writer.finish().unwrap();
    let certificate = Certificate::open(&file[..]).unwrap();
    assert_eq!((certificate.spec(), certificate.root()), ("tictactoe", "start"));
    let verified: Verified = certificate.verify::<TicTacToe>(|_| true).unwrap();
    let bounds = verified.bounds(Player::FIRST, root.facts());
    assert_eq!((bounds.at_least, bounds.at_most), (0, 0));
    assert!(verified.claims.iter().all(|proved| proved.kind == ProofKind::Ranked && proved.longest == Some(9)));
}

#[test]
fn what_is_false_is_not_certified() {
    let root = game::<TicTacToe>("tictactoe", "start");
    let error = prove("tictactoe", &root, Claim::at_least(Player::FIRST, 1)).unwrap_err();
    assert!(matches!(&error, ProofError::Invalid(located) if located.violation == Violation::NoReply), "{error}");
}

#[test]
fn small_boards_are_certified() {
    let (first, second) = (Player::FIRST, Player::SECOND);
    let hex = prove("hex:3", &game::<Hex>("hex:3", "start"), Claim::at_least(first, 1)).unwrap();
    assert!(hex.kind == ProofKind::Ranked && hex.positions < 200);
    let race = game::<Breakthrough>("breakthrough:3x4", "start");
    let winner = [first, second].map(|player| prove("breakthrough:3x4", &race, Claim::at_least(player, 1)));
    assert_eq!(winner.iter().filter(|proved| proved.is_ok()).count(), 1);
    let four = game::<Connect4>("connect4:4x4", "start");
    prove("connect4:4x4", &four, Claim::at_least(first, 0)).unwrap();
    prove("connect4:4x4", &four, Claim::at_most(first, 0)).unwrap();
    // 3 discs to 11; the two empty cells count for the winner.
    let othello = game::<Othello>("othello:4", "start");
    prove("othello:4", &othello, Claim::at_least(first, -10)).unwrap();
    prove("othello:4", &othello, Claim::at_most(first, -10)).unwrap();
    prove("othello:4", &othello, Claim::at_least(first, -9)).unwrap_err();
}

#[test]
fn several_players_unite_against_one() {
    let spec = "rolit:4,players=3";
    let root = game::<Rolit>(spec, "start");
    let mut line = root.clone();
    for _ in 0..4 {
        let mut moves = Vec::new();
        line.legal_moves(&mut moves);
        line.play(moves[0]);
    }
    for player in (0..3).map(Player) {
        let holds = |score| prove(spec, &line, Claim::at_least(player, score)).is_ok();
        let score = (0..=16).rev().find(|&score| holds(score)).unwrap();
        prove(spec, &line, Claim::at_most(player, score)).unwrap();
        prove(spec, &line, Claim::at_most(player, score - 1)).unwrap_err();
    }
}

#[test]
fn one_player_has_a_best_score() {
    let spec = "samegame:3x3,colours=2,seed=3";
    let root = game::<SameGame>(spec, "start");
    let score = (-20..2000).rev().find(|&score| prove(spec, &root, Claim::at_least(Player::FIRST, score)).is_ok());
    // A single player has no opponents, so all moves must be explored.
    let most = prove(spec, &root, Claim::at_most(Player::FIRST, score.unwrap())).unwrap();
    assert_eq!(most.replies, 0);
}

#[test]
fn wins_in_games_with_repetition_are_ranked() {
    let root = game::<Loa>("loa:5", "B...B/...../...../...../W.W.. B");
    let proved = prove("loa:5", &root, Claim::at_most(Player::FIRST, -1)).unwrap();
    assert_eq!((proved.kind, proved.longest), (ProofKind::Ranked, Some(4)));
    prove("loa:5", &root, Claim::at_least(Player::FIRST, 0)).unwrap_err();
}

#[test]
fn a_cycle_may_be_worth_what_its_position_says() {
    let spec = "awari:rules=oware";
    let mut kinds = Vec::new();
    for text in
        ["0,0,0,0,0,1/1,0,0,0,0,0 24 22 S", "1,0,0,1,0,0/0,0,1,0,0,0 22 23 S", "0,1,0,0,0,0/0,0,2,0,0,0 22 23 N"]
    {
        let root = game::<Awari>(spec, text);
        for score in -4..=4 {
            for claim in [Claim::at_least(Player::FIRST, score), Claim::at_most(Player::FIRST, score)] {
                let mut writer = Writer::new(Vec::new(), spec, &root).unwrap();
                let proved = writer.prove(claim, |game| exact_reply(game, &claim), |_| true);
                assert_eq!(proved.is_ok(), can_force(&mut root.clone(), &claim), "{text}: {claim}");
                let Ok(proved) = proved else { continue };
                let (file, _) = writer.finish().unwrap();
                let verified = Certificate::open(&file[..]).unwrap().verify::<Awari>(|_| true).unwrap();
                assert_eq!(verified.claims, [proved]);
                kinds.push(proved.kind);
            }
        }
    }
    assert!(kinds.contains(&ProofKind::Ranked) && kinds.contains(&ProofKind::Closed), "{kinds:?}");
}

#[test]
fn a_draw_by_repetition_is_a_closed_set() {
    // Leaving the cycle loses.
    for times in [2, 3, 9] {
        let spec = format!("synthetic:tree='x=((@x 1) -1)',repetition={times}");
        let root = game::<Synthetic>(&spec, "start");
        for claim in [Claim::at_least(Player::FIRST, 0), Claim::at_most(Player::FIRST, 0)] {
            let proved = prove(&spec, &root, claim).unwrap();
            // A repetition of the root ends the game at once if two occurrences end it.
            assert_eq!(proved.kind, if times == 2 { ProofKind::Ranked } else { ProofKind::Closed }, "{spec}");
            assert_eq!(proved.positions, 2);
        }
    }
}

#[test]
fn the_history_of_the_root_counts() {
    // The first player must cycle or lose; after two occurrences of x, cycling ends the game.
    let spec = "synthetic:tree='x=(a: y=(a: @x -1) -1)'";
    let claim = Claim::at_least(Player::FIRST, 0);
    for (text, positions) in [("start", 2), ("start moves 1 1", 2), ("start moves 1 1 1", 1)] {
        let root = game::<Synthetic>(spec, text);
        let mut writer = Writer::new(Vec::new(), spec, &root).unwrap();
        let proved = writer.prove(claim, |_| Some(0), |_| true).unwrap();
        assert_eq!(proved.positions, positions, "{text}");
        let (file, _) = writer.finish().unwrap();
        let certificate = Certificate::open(&file[..]).unwrap();
        assert_eq!(certificate.root(), text);
        certificate.verify::<Synthetic>(|_| true).unwrap();
    }
}

#[test]
fn a_winning_strategy_that_cycles_proves_only_a_draw() {
    // The first player could win at once by its second move, but cycles.
    let spec = "synthetic:tree='x=(a: y=(b: @x 1) 1)'";
    let root = game::<Synthetic>(spec, "start");
    let mut writer = Writer::new(Vec::new(), spec, &root).unwrap();
    let error = writer.prove(Claim::at_least(Player::FIRST, 1), |_| Some(0), |_| true).unwrap_err();
    assert!(
        matches!(&error, ProofError::Invalid(located) if located.violation == Violation::End { score: 0 }),
        "{error}"
    );
    let proved = writer.prove(Claim::at_least(Player::FIRST, 0), |_| Some(0), |_| true).unwrap();
    assert_eq!(proved.kind, ProofKind::Closed);
    let proved = writer.prove(Claim::at_least(Player::FIRST, 1), |_| Some(1), |_| true).unwrap();
    assert_eq!((proved.kind, proved.positions), (ProofKind::Ranked, 1));
    // The failed claim has left the file unchanged.
    let (file, _) = writer.finish().unwrap();
    let verified = Certificate::open(&file[..]).unwrap().verify::<Synthetic>(|_| true).unwrap();
    assert_eq!(verified.claims.iter().map(|proved| proved.claim.score).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn go_under_superko_is_certified_by_positions_or_paths() {
    let spec = "go:2,komi=0";
    let mut kinds = Vec::new();
    for (text, claim) in [
        ("start moves A1 A2 B2 pass", Claim::at_least(Player::FIRST, 8)),
        ("start moves A1 B2 A2", Claim::at_least(Player::FIRST, 2)),
    ] {
        let root = game::<Go>(spec, text);
        assert_eq!(root.facts().repetition, Repetition::Forbidden);
        let mut writer = Writer::new(Vec::new(), spec, &root).unwrap();
        let proved = writer.prove(claim, |game| exact_reply(game, &claim), |_| true);
        assert_eq!(proved.is_ok(), can_force(&mut root.clone(), &claim), "{text}: {claim}");
        let Ok(proved) = proved else { continue };
        let (file, _) = writer.finish().unwrap();
        let verified = Certificate::open(&file[..]).unwrap().verify::<Go>(|_| true).unwrap();
        assert_eq!(verified.claims, [proved]);
        kinds.push(proved.kind);
    }
    assert_eq!(kinds, [ProofKind::Ranked, ProofKind::Paths]);
}

/// Certifies wins within a few plies at positions of random games; returns their number.
fn prove_mates<G: Game>(spec: &str, plies: u32) -> u32 {
    let mut mates = 0;
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut line = game::<G>(spec, "start");
        while !line.is_over() && line.moves().len() < 60 {
            let claim = Claim::at_least(line.position().to_move(), 1);
            if forced(&mut line.clone(), &claim, plies) && !forced(&mut line.clone(), &claim, 1) {
                let mut writer = Writer::new(Vec::new(), spec, &line).unwrap();
                let proved = writer.prove(claim, |game| soonest_reply(game, &claim, plies), |_| true).unwrap();
                assert_eq!(proved.kind, ProofKind::Ranked);
                assert!(proved.longest.unwrap() <= plies);
                let (file, _) = writer.finish().unwrap();
                let verified = Certificate::open(&file[..]).unwrap().verify::<G>(|_| true).unwrap();
                assert_eq!(verified.claims, [proved]);
                mates += 1;
            }
            let mut moves = Vec::new();
            line.legal_moves(&mut moves);
            line.play(moves[rng.below(moves.len())]);
        }
    }
    mates
}

#[test]
fn wins_within_a_few_plies_are_certified_with_the_history_of_the_game() {
    assert!(prove_mates::<Lion>("lion", 3) > 5);
    assert!(prove_mates::<MiniShogi>("minishogi", 3) > 50);
    assert!(prove_mates::<Loa>("loa:5", 3) > 50);
}
