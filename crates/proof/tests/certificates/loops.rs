//! Random games on small graphs under every repetition rule, small enough to enumerate every line.
//! No strategy, good or bad, may get a certificate of a false claim past the verifier.

use crate::oracle::{can_force, exact_reply};
use std::collections::HashMap;
use std::sync::Arc;
use tesuji_core::rng::mix;
use tesuji_core::view::Shape;
use tesuji_core::{
    Facts, Game, History, Info, Length, Options, Outcome, Player, PositionError, Repetition, Rng, Rules, SpecError,
    View, zobrist,
};
use tesuji_proof::{Bound, Certificate, Claim, ProofError, ProofKind, Walk, WalkStep, Writer};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Past {
    /// Repetition ends the game; the position determines the outcome.
    Ends(u8),
    /// Repetition ends the game; the length of the cycle determines the outcome.
    Cycle,
    /// All cycles are draws.
    Draw,
    Forbidden,
    Allowed,
}

#[derive(Clone, PartialEq, Debug)]
struct LoopRules {
    past: Past,
    cap: u32,
    /// The repetition rule does not distinguish two neighbours.
    coarse: bool,
    players: u8,
    /// The first player wins by repetition everywhere, and loses at the cap.
    generous: bool,
    /// By node: the player to move and the successors.
    nodes: Arc<Vec<(Player, Vec<u8>)>>,
}

/// Nodes from here on are terminal.
const ENDS: u8 = 100;

impl Rules for LoopRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let words = [
            ("ends2", Past::Ends(2)),
            ("ends3", Past::Ends(3)),
            ("cycle", Past::Cycle),
            ("draw", Past::Draw),
            ("forbidden", Past::Forbidden),
            ("allowed", Past::Allowed),
        ];
        let past = options.choice("past", &words, "the result of a repetition")?;
        let cap = options.integer("cap", 9, 1..=1000, "the longest game")? as u32;
        let coarse = options.switch("coarse", "two neighbours repeat each other")?;
        let players = options.integer("players", 2, 2..=3, "players")? as u8;
        let seed = options.integer("seed", 1, 0..=u64::MAX, "which graph")?;
        let mut rng = Rng::new(seed);
        let count = 2 + rng.below(4);
        // A chain of forced moves follows the random graph.
        let forced = rng.below(5);
        let row = (0..forced).map(|at| {
            let next = if at + 1 < forced { (count + at + 1) as u8 } else { ENDS + (seed % 3) as u8 };
            let end = (past == Past::Forbidden).then_some(ENDS + (at % 3) as u8).filter(|end| *end != next);
            (Player((at % 2) as u8), [next].into_iter().chain(end).collect())
        });
        let mut node = |_| {
            let mover = Player(rng.below(players.into()) as u8);
            let mut children: Vec<u8> =
                (0..2 + rng.below(2))
                    .map(|_| {
                        if rng.below(3) > 0 {
                            rng.below(count + forced.min(1)) as u8
                        } else {
                            ENDS + rng.below(3) as u8
                        }
                    })
                    .collect();
            // Every player must have a move, and moves must differ.
            if past == Past::Forbidden {
                children.push(ENDS + rng.below(3) as u8);
            }
            children.sort_unstable();
            children.dedup();
            (mover, children)
        };
        let mut nodes: Vec<(Player, Vec<u8>)> = (0..count).map(&mut node).chain(row).collect();
        let written = options.text("graph", "a0.1/b2 and so on", "who moves where from each place")?;
        if let Some(text) = &written {
            let node = |text: &str| {
                let mover = Player(u8::from(text.starts_with('b')));
                (mover, text[1..].split('.').map(|place| place.parse().unwrap()).collect())
            };
            nodes = text.split('/').map(node).collect();
        }
        Ok(LoopRules { past, cap, coarse, players, generous: written.is_some(), nodes: Arc::new(nodes) })
    }

    fn facts(&self) -> Facts {
        let repetition = match self.past {
            Past::Ends(times) => Repetition::Ends(times),
            Past::Cycle | Past::Draw => Repetition::Ends(2),
            Past::Forbidden => Repetition::Forbidden,
            Past::Allowed => Repetition::Allowed,
        };
        let length = Length::Capped(self.cap);
        Facts {
            players: self.players,
            repetition,
            length,
            scores: (-1, 2),
            draws: true,
            units_per_point: 1,
            move_indices: 256,
        }
    }

    fn cycle_outcome(&self) -> Option<Outcome> {
        (self.past == Past::Draw).then(|| self.outcome(1))
    }
}

impl LoopRules {
    fn outcome(&self, number: u8) -> Outcome {
        match (self.players, number) {
            (2, number) => Outcome::zero_sum(i32::from(number) - 1),
            (_, 0) => Outcome::of(&[2, 0, 1]),
            (_, 1) => Outcome::of(&[1, 1, 1]),
            (_, _) => Outcome::of(&[0, 2, -1]),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
struct Loop {
    rules: LoopRules,
    place: u8,
}

impl Loop {
    fn class(&self) -> u8 {
        if self.rules.coarse && self.place < ENDS { self.place / 2 * 2 } else { self.place }
    }
}

impl Game for Loop {
    type Move = u8;
    type Rules = LoopRules;
    const INFO: Info = Info::new("loop", "Loop", &["A", "B", "C"]);

    fn start(rules: &LoopRules) -> Loop {
        Loop { rules: rules.clone(), place: 0 }
    }

    fn to_move(&self) -> Player {
        self.rules.nodes.get(usize::from(self.place)).map_or(Player::FIRST, |(mover, _)| *mover)
    }

    fn is_over(&self) -> bool {
        self.place >= ENDS
    }

    fn outcome(&self) -> Option<Outcome> {
        self.place.checked_sub(ENDS).map(|number| self.rules.outcome(number))
    }

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        if !self.is_over() {
            moves.extend(&self.rules.nodes[usize::from(self.place)].1);
        }
    }

    fn play(&mut self, mv: u8) {
        self.place = mv;
    }

    /// Many positions share a key: lookup by key alone would confuse them.
    fn key(&self) -> u64 {
        zobrist::key(0xF1, u64::from(self.place) % 2)
    }

    fn repetition_key(&self) -> u64 {
        zobrist::key(0xF2, self.class().into())
    }

    fn repetition_outcome(cycle: &[Loop]) -> Outcome {
        match cycle[0].rules.past {
            Past::Cycle => cycle[0].rules.outcome((cycle.len() % 3) as u8),
            _ => cycle[0].outcome_of_any_cycle().unwrap(),
        }
    }

    fn outcome_of_any_cycle(&self) -> Option<Outcome> {
        match self.rules.past {
            Past::Cycle => None,
            Past::Draw => self.rules.cycle_outcome(),
            _ if self.rules.generous => Some(self.rules.outcome(2)),
            _ => Some(self.rules.outcome((mix(u64::from(self.class()) + 50) % 3) as u8)),
        }
    }

    fn outcome_at_cap(&self) -> Outcome {
        match self.rules.past {
            Past::Draw => self.rules.outcome(1),
            _ if self.rules.generous => self.rules.outcome(0),
            _ => self.rules.outcome((mix(self.class().into()) % 3) as u8),
        }
    }

    fn text(&self) -> String {
        format!("p{}", self.place)
    }

    fn parse(rules: &LoopRules, text: &str) -> Result<Loop, PositionError> {
        let place = text.strip_prefix('p').and_then(|number| number.parse().ok());
        let known = place.filter(|&place| usize::from(place) < rules.nodes.len() || (ENDS..ENDS + 3).contains(&place));
        let place = known.ok_or_else(|| PositionError::new(text, "it must be p and a number"))?;
        Ok(Loop { rules: rules.clone(), place })
    }

    fn move_text(&self, mv: u8) -> String {
        format!("to{mv}")
    }

    fn move_index(&self, mv: u8) -> usize {
        mv.into()
    }

    fn view(&self) -> View {
        View { shape: Shape::List, column_labels: Vec::new(), cells: Vec::new(), lines: Vec::new(), hands: Vec::new() }
    }
}

fn rules_of(spec: &str) -> LoopRules {
    let spec = spec.parse().unwrap();
    LoopRules::read(&mut Options::new(&spec)).unwrap()
}

/// A game with a history of a few random moves.
fn random_root(spec: &str, rng: &mut Rng) -> History<Loop> {
    let mut history = History::new(rules_of(spec));
    for _ in 0..rng.below(5).min(history.facts().length.plies() as usize - 1) {
        let mut moves = Vec::new();
        history.legal_moves(&mut moves);
        let mv = moves[rng.below(moves.len())];
        history.play(mv);
        if history.is_over() {
            history.undo();
            break;
        }
    }
    history
}

fn claims(players: u8) -> Vec<Claim> {
    let scores = if players == 2 { -1..=1 } else { -1..=2 };
    let both = |(player, score)| [Claim::at_least(Player(player), score), Claim::at_most(Player(player), score)];
    (0..players).flat_map(|player| scores.clone().map(move |score| (player, score))).flat_map(both).collect()
}

/// Walks random lines of a certificate to their ends.
fn walks_hold(walk: &Walk<Loop>, claim: &Claim, rng: &mut Rng) {
    for _ in 0..5 {
        let mut game = walk.root().clone();
        loop {
            match walk.at(0, &game).expect("all that the others can do is in the proof") {
                WalkStep::Ours { reply, .. } => game.play(reply),
                WalkStep::Theirs { replies, .. } => game.play(replies[rng.below(replies.len())]),
                WalkStep::End(outcome) => break assert!(claim.holds(&outcome), "{claim}: {outcome:?}"),
            }
        }
    }
}

fn write(
    spec: &str,
    root: &History<Loop>,
    claim: Claim,
    strategy: impl FnMut(&History<Loop>) -> Option<u8>,
) -> Result<(Vec<u8>, ProofKind), ProofError> {
    let mut writer = Writer::new(Vec::new(), spec, root).unwrap();
    let proved = writer.prove(claim, strategy, |_| true)?;
    let (file, _) = writer.finish().unwrap();
    let verified = Certificate::open(&file[..]).unwrap().verify::<Loop>(|_| true).unwrap();
    assert_eq!(verified.claims, [proved]);
    Ok((file, proved.kind))
}

#[test]
fn certificates_are_sound_and_complete_under_every_repetition_rule() {
    let mut kinds: HashMap<(&str, ProofKind), u32> = HashMap::new();
    for past in ["ends2", "ends3", "cycle", "draw", "forbidden", "allowed"] {
        for seed in 0..400u64 {
            let mut rng = Rng::new(seed);
            let players = 2 + u64::from(seed % 4 == 3);
            let coarse = if seed % 5 == 4 { ",coarse" } else { "" };
            // Caps that apply early, and some that rarely do.
            let cap = 3 + mix(seed) % 10;
            let spec = format!("loop:past={past},players={players},cap={cap},seed={seed}{coarse}");
            let root = random_root(&spec, &mut rng);
            for claim in claims(players as u8) {
                let is_true = can_force(&mut root.clone(), &claim);
                let exact = write(&spec, &root, claim, |game: &History<Loop>| exact_reply(game, &claim));
                match exact {
                    Ok((file, kind)) => {
                        assert!(is_true, "{spec}: {claim} is false but proved ({kind:?})");
                        *kinds.entry((past, kind)).or_default() += 1;
                        let walk = Certificate::open(&file[..]).unwrap().walk::<Loop>(|_| true).unwrap();
                        walks_hold(&walk, &claim, &mut rng);
                    }
                    Err(error) => assert!(!is_true, "{spec} {:?}: {claim} is true: {error}", root.moves()),
                }
                // Strategies without knowledge that always answer a position alike.
                for number in 0..8u64 {
                    let blind = |game: &History<Loop>| {
                        let mut moves = Vec::new();
                        game.position().legal_moves(&mut moves);
                        let place = u64::from(game.position().place);
                        moves.get(mix(place * 64 + number) as usize % moves.len().max(1)).copied()
                    };
                    if let Ok((_, kind)) = write(&spec, &root, claim, blind) {
                        assert!(is_true, "{spec}: {claim} is false but proved ({kind:?})");
                        *kinds.entry((past, kind)).or_default() += 1;
                    }
                }
            }
        }
    }
    for past in ["ends2", "ends3", "draw", "allowed"] {
        assert!(kinds[&(past, ProofKind::Ranked)] > 100 && kinds[&(past, ProofKind::Closed)] > 50, "{past}: {kinds:?}");
    }
    assert!(
        kinds[&("forbidden", ProofKind::Ranked)] > 100 && kinds[&("forbidden", ProofKind::Paths)] > 20,
        "{kinds:?}"
    );
    assert!(kinds[&("cycle", ProofKind::Ranked)] > 100 && kinds[&("cycle", ProofKind::Paths)] > 20, "{kinds:?}");
    assert!(
        !kinds.contains_key(&("forbidden", ProofKind::Closed)) && !kinds.contains_key(&("cycle", ProofKind::Closed))
    );
}

#[test]
fn a_cap_is_checked_after_all_rounds_of_a_cycle() {
    // The opponent can force another round before five forced moves lead to the win.
    let claim = Claim::at_least(Player::FIRST, 1);
    for (past, occurrences) in [("ends2", 2), ("ends3", 3)] {
        let longest = 2 * (occurrences - 1) + 6;
        for cap in 1..20 {
            let spec = format!("loop:past={past},cap={cap},graph='a1/a2/b1.3/a4/b5/a6/b7/a102'");
            let root = History::new(rules_of(&spec));
            let is_true = can_force(&mut root.clone(), &claim);
            assert_eq!(is_true, cap >= longest, "{spec}");
            let proved = write(&spec, &root, claim, |game: &History<Loop>| exact_reply(game, &claim));
            assert_eq!(proved.is_ok(), is_true, "{spec}");
            // The verifier's bound is a few plies too high, which leaves the rest to paths.
            let kind = if cap >= longest + 3 { ProofKind::Closed } else { ProofKind::Paths };
            assert!(proved.is_err() || proved.unwrap().1 == kind, "{spec}");
        }
    }
}

#[test]
fn both_bounds_of_a_claim_come_from_an_answer() {
    use tesuji_core::{Bounds, Question};
    let question = Question { known: Bounds { player: Player(1), at_least: -1, at_most: 2 }, at_least: 1 };
    assert_eq!(Claim::answer(&question, true), Claim::at_least(Player(1), 1));
    let no = Claim::answer(&question, false);
    assert_eq!((no.bound, no.score), (Bound::AtMost, 0));
}
