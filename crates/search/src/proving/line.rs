//! A line of play from the root, and what the past makes of the next move.
//!
//! A position that comes back is where proofs go wrong (the graph-history interaction; Kishimoto and Müller 2004). What is decided
//! below a position may rest on what lies above it: on a circle closed there, or on a move that the superko rule forbids because of it.
//! So every end says how far up it rests, as the ply of the highest position it needs; a result that rests on nothing above its
//! own position holds wherever that position is reached.
//!
//! Where all endless games have the same outcome, the first repetition on a line may end it with that outcome, whatever number the
//! rules ask for. If it is not good enough for the player who asks, then who can reach his goal can do so without coming back (each
//! position has a distance to the goal, and the distance falls); if it is good enough, the same holds for the others' goal. Where circles
//! have different outcomes, the question is asked with circles that fail, then with circles that succeed, and only what is left after that is
//! searched by the letter of the rules.

use rustc_hash::FxHashMap;
use tesuji_core::{Game, History, Knowledge, Length, Outcome, Question, Repetition, Rules};

/// Rests on nothing above.
pub const FREE: i32 = i32::MAX;
/// Rests on what was played before the root.
pub const PAST: i32 = -1;

/// What a position that comes back means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Circles {
    /// There are none.
    None,
    /// Every circle answers the question like this.
    Answer(bool),
    /// The move that would close it is illegal.
    Forbidden,
    /// The rules, to the letter.
    Exact,
}

/// A way to look at circles, and which answers to trust then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    /// The way.
    pub circles: Circles,
    /// The only answer that counts; both if `None`.
    pub trusts: Option<bool>,
}

impl Round {
    /// The rounds that answer a question, one after the other until one gives an answer that counts.
    pub fn all<G: Game>(root: &History<G>, question: &Question) -> Vec<Round> {
        let round = |circles, trusts| Round { circles, trusts };
        match (root.facts().repetition, root.rules().cycle_outcome()) {
            (Repetition::Impossible, _) => vec![round(Circles::None, None)],
            (Repetition::Forbidden, _) => vec![round(Circles::Forbidden, None)],
            (_, Some(outcome)) => vec![round(Circles::Answer(question.holds(&outcome)), None)],
            _ => vec![
                round(Circles::Answer(false), Some(true)),
                round(Circles::Answer(true), Some(false)),
                round(Circles::Exact, None),
            ],
        }
    }

    /// Whether an answer counts in this round.
    pub fn counts(&self, holds: bool) -> bool {
        self.trusts.is_none_or(|trusted| trusted == holds)
    }
}

/// A position that a move leads to.
pub struct Next<G> {
    /// The position.
    pub position: G,
    /// How the line ends there, if it does.
    pub end: Option<End>,
    /// How often the position was there before, where that counts.
    pub occurrences: u32,
}

/// The end of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    /// The answer to the question.
    pub holds: bool,
    /// The ply of the highest position that this rests on, [`FREE`] or [`PAST`].
    pub rests_on: i32,
}

/// A line of play from the root of a search.
pub struct Line<'r, G: Game> {
    root: &'r History<G>,
    question: Question,
    circles: Circles,
    /// Whether patterns of the game end it. Only where no line comes back: elsewhere the past has a say.
    patterns: bool,
    /// The ply at which the game is ended for its length.
    cap: u32,
    /// From the root to here.
    positions: Vec<G>,
    /// Their repetition keys, where circles are possible.
    keys: Vec<u64>,
    /// A number for the whole past of each of them; the same past gives the same number.
    paths: Vec<u64>,
    /// How often the positions before the root occurred.
    past: FxHashMap<u64, u32>,
}

impl<'r, G: Knowledge> Line<'r, G> {
    /// The line that has not left the root yet.
    pub fn new(root: &'r History<G>, question: Question, circles: Circles, patterns: bool) -> Line<'r, G> {
        let played = root.moves().len() as u32;
        let cap = match root.facts().length {
            Length::Capped(cap) => cap.saturating_sub(played),
            Length::Bounded(_) => u32::MAX,
        };
        let (mut past, mut path) = (FxHashMap::default(), 0);
        if circles != Circles::None {
            let before = &root.positions()[..root.positions().len() - 1];
            for position in before {
                let key = position.repetition_key();
                *past.entry(key).or_insert(0) += 1;
                path = follow(path, key);
            }
            // There circles are counted from this root: what rests on one says nothing to a search from another root of the same game.
            if matches!(circles, Circles::Answer(_)) {
                path = follow(path, before.len() as u64);
            }
        }
        let mut line = Line {
            root,
            question,
            circles,
            patterns,
            cap,
            positions: Vec::new(),
            keys: Vec::new(),
            paths: Vec::new(),
            past,
        };
        line.paths.push(path);
        line.enter(root.position().clone());
        line
    }

    /// The plies since the root.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.positions.len() as u32 - 1
    }

    /// The position here.
    #[inline]
    pub fn position(&self) -> &G {
        self.positions.last().expect("a line begins at the root")
    }

    /// The positions from the root to here.
    #[cfg(test)]
    pub fn positions(&self) -> &[G] {
        &self.positions
    }

    /// A number for the past and the position here, where results may rest on the past.
    #[inline]
    pub fn path(&self) -> u64 {
        *self.paths.last().expect("one at least")
    }

    /// The key of a position here, together with its past.
    pub fn own_path_key(&self, key: u64) -> u64 {
        key.rotate_left(17) ^ self.path()
    }

    /// The same for a position that a move leads to.
    pub fn path_key(&self, key: u64, next: &G) -> u64 {
        key.rotate_left(17) ^ follow(self.path(), next.repetition_key())
    }

    /// A number for the positions before the root that end the game when they come back.
    pub fn sore_past(&self) -> u64 {
        let limit = match self.root.facts().repetition {
            Repetition::Ends(limit) => u32::from(limit).saturating_sub(1),
            Repetition::Forbidden => 1,
            Repetition::Impossible | Repetition::Allowed => return 0,
        };
        let sore = self.past.iter().filter(|&(_, &count)| count >= limit);
        sore.fold(0, |all, (&key, _)| all ^ key.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// Whether the question's player is to move.
    #[inline]
    pub fn prover_moves(&self) -> bool {
        self.position().to_move() == self.question.prover()
    }

    /// The plies that may still be played before the game is ended for its length.
    #[inline]
    pub fn plies_left(&self) -> u32 {
        self.cap.saturating_sub(self.ply())
    }

    /// The position that a move leads to.
    #[inline]
    pub fn after(&self, mv: G::Move) -> G {
        let mut position = self.position().clone();
        position.play(mv);
        position
    }

    /// Looks at a move: the position it leads to, and whether that is the end.
    #[inline]
    pub fn look(&self, mv: G::Move) -> Next<G> {
        let position = self.after(mv);
        if self.circles == Circles::None {
            let end = if position.is_over() {
                self.finished(&position)
            } else if self.patterns && self.ply() > 0 {
                // At the root, a win at once is better than one that is foreseen.
                let bounds = position.static_bounds(self.question.prover());
                let answer = bounds.and_then(|bounds| self.question.answer(&bounds));
                answer.map(|holds| End { holds, rests_on: FREE })
            } else {
                None
            };
            return Next { position, end, occurrences: 0 };
        }
        self.look_back(mv, position)
    }

    fn finished(&self, position: &G) -> Option<End> {
        let outcome = position.outcome()?;
        Some(End { holds: self.question.holds(&outcome), rests_on: FREE })
    }

    fn look_back(&self, mv: G::Move, position: G) -> Next<G> {
        let next = |position, end, occurrences| Next { position, end, occurrences };
        if self.circles == Circles::Forbidden {
            let key = self.position().repetition_key_after(mv);
            if let Some(rests_on) = key.and_then(|key| self.highest(key)) {
                // A move that may not be played is as good as one that loses.
                let end = End { holds: !self.prover_moves(), rests_on };
                return next(position, Some(end), 0);
            }
        }
        if position.is_over() {
            let end = self.finished(&position);
            return next(position, end, 0);
        }
        let mut occurrences = 0;
        if self.circles != Circles::Forbidden {
            let key = position.repetition_key();
            let on_line = self.keys.iter().rposition(|&earlier| earlier == key);
            let before = self.past.get(&key).copied().unwrap_or(0);
            if let (Circles::Answer(holds), Some(ply)) = (self.circles, on_line) {
                return next(position, Some(End { holds, rests_on: ply as i32 }), 0);
            }
            if let Repetition::Ends(limit) = self.root.facts().repetition {
                occurrences = before + self.keys.iter().filter(|&&earlier| earlier == key).count() as u32;
                if occurrences + 1 >= u32::from(limit) {
                    let holds = self.question.holds(&self.circle(key, &position));
                    let rests_on = self.highest(key).expect("it occurred");
                    return next(position, Some(End { holds, rests_on }), occurrences);
                }
            } else if self.circles == Circles::Exact {
                occurrences = before + self.keys.iter().filter(|&&earlier| earlier == key).count() as u32;
            }
        }
        if self.ply() + 1 >= self.cap {
            let holds = self.question.holds(&position.outcome_at_cap());
            return next(position, Some(End { holds, rests_on: PAST }), occurrences);
        }
        next(position, None, occurrences)
    }

    /// The ply at which a position first occurred, [`PAST`] if before the root.
    fn highest(&self, key: u64) -> Option<i32> {
        if self.past.contains_key(&key) {
            return Some(PAST);
        }
        self.keys.iter().position(|&earlier| earlier == key).map(|ply| ply as i32)
    }

    /// The outcome of the circle that the next position closes.
    fn circle(&self, key: u64, closing: &G) -> Outcome {
        let all = &self.root.positions()[..self.root.positions().len() - 1];
        let mut game: Vec<G> = all.iter().chain(&self.positions).cloned().collect();
        game.push(closing.clone());
        let first = game.iter().position(|position| position.repetition_key() == key).expect("the last one at least");
        G::repetition_outcome(&game[first..])
    }

    /// Goes on to a position that [`look`](Line::look) gave.
    #[inline]
    pub fn enter(&mut self, position: G) {
        if self.circles != Circles::None {
            let key = position.repetition_key();
            self.keys.push(key);
            self.paths.push(follow(self.path(), key));
        }
        self.positions.push(position);
    }

    /// Goes back by one move.
    #[inline]
    pub fn leave(&mut self) {
        debug_assert!(self.positions.len() > 1);
        self.positions.pop();
        if self.circles != Circles::None {
            self.keys.pop();
            self.paths.pop();
        }
    }
}

/// The number of a path that goes on to a position. The order counts.
#[inline]
fn follow(path: u64, key: u64) -> u64 {
    (path.rotate_left(23) ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ path >> 29
}
