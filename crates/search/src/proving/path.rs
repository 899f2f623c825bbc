//! The path from the root of a search, and what the history makes of the next move.
//!
//! Repeated positions are where proofs go wrong (the graph-history interaction problem; Kishimoto
//! and Müller 2004). A result below a position may depend on what lies above it: on a cycle that is
//! closed there, or on a move that superko forbids because of it. Every end of a path therefore
//! states the highest position that it depends on ([`Dependency`]). A result that depends on
//! nothing above its own position holds wherever the position is reached.
//!
//! If all infinite games have the same outcome, the first repetition on a path may end it with that
//! outcome, whatever number of repetitions the rules ask for. If the outcome is not good enough for
//! the prover, a prover who can reach the goal can do so without a repetition (every position has a
//! distance to the goal, and the distance decreases); if it is good enough, the same holds for the
//! goal of the opponents. If cycles have different outcomes, the question is first asked with
//! cycles that fail, then with cycles that succeed, and only what is unsolved after that is
//! searched exactly by the rules ([`RepetitionModel`]).

use rustc_hash::FxHashMap;
use tesuji_core::{Game, History, Knowledge, Length, Outcome, Question, Repetition, Rules};

/// The ply of the highest position on the search path that a result depends on.
///
/// The smaller of two dependencies is the stronger one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Dependency(i32);

impl Dependency {
    /// The result holds on every path.
    pub const PATH_INDEPENDENT: Dependency = Dependency(i32::MAX);
    /// The result depends on the moves before the root.
    pub const BEFORE_ROOT: Dependency = Dependency(-1);

    /// A result that depends on the position at a ply of the path; -1 stands for a position before
    /// the root.
    #[inline]
    pub fn on_ply(ply: i32) -> Dependency {
        Dependency(ply)
    }

    /// The ply, or -1 for a position before the root; meaningless for a path-independent result.
    #[inline]
    pub fn ply(self) -> i32 {
        self.0
    }
}

/// What a repeated position means for a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CycleRule {
    /// Positions cannot repeat.
    Impossible,
    /// Every cycle answers the question like this.
    Answer(bool),
    /// A move that repeats a position is illegal.
    Forbidden,
    /// The exact rules of the game.
    Exact,
}

/// A treatment of cycles, and the answers that are valid under it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RepetitionModel {
    /// The treatment of cycles.
    pub cycles: CycleRule,
    /// The only valid answer; `None` if both are valid.
    pub valid_answer: Option<bool>,
}

impl RepetitionModel {
    /// Returns the models that answer a question, to be tried in order until one gives a valid
    /// answer.
    pub fn all<G: Game>(root: &History<G>, question: &Question) -> Vec<RepetitionModel> {
        let model = |cycles, valid_answer| RepetitionModel { cycles, valid_answer };
        let cycle_outcome = root.rules().cycle_outcome().or_else(|| root.positions()[0].outcome_of_cycles_below());
        match (root.facts().repetition, cycle_outcome) {
            (Repetition::Impossible, _) => vec![model(CycleRule::Impossible, None)],
            (Repetition::Forbidden, _) => vec![model(CycleRule::Forbidden, None)],
            (_, Some(outcome)) => vec![model(CycleRule::Answer(question.holds(&outcome)), None)],
            _ => vec![
                model(CycleRule::Answer(false), Some(true)),
                model(CycleRule::Answer(true), Some(false)),
                model(CycleRule::Exact, None),
            ],
        }
    }

    /// Whether an answer found under this model is valid.
    pub fn is_valid(&self, holds: bool) -> bool {
        self.valid_answer.is_none_or(|valid| valid == holds)
    }
}

/// Static bounds are not used this close to the cap on the length of a game, since it takes some
/// plies to play them out.
const STATIC_PLIES: u32 = 400;

/// The position after a move.
pub struct Successor<G> {
    /// The position.
    pub position: G,
    /// The answer, if the path ends here.
    pub end: Option<PathEnd>,
    /// How often the position has occurred before, under rules for which that matters.
    pub occurrences: u32,
}

/// The answer at the end of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathEnd {
    /// The answer to the question.
    pub holds: bool,
    /// The highest position that the answer depends on.
    pub depends_on: Dependency,
}

/// The sequence of positions from the root of a search to the current node.
pub struct SearchPath<'r, G: Game> {
    root: &'r History<G>,
    question: Question,
    cycles: CycleRule,
    /// Whether static bounds end the path. Where positions can repeat, the result may depend on the
    /// history, unless the game declares that it does not.
    static_bounds: bool,
    /// The ply at which the length cap ends the game.
    length_cap: u32,
    /// The positions from the root on.
    positions: Vec<G>,
    /// Their repetition keys, if positions can repeat.
    keys: Vec<u64>,
    /// A hash of the whole history of each of them.
    hashes: Vec<u64>,
    /// The number of occurrences of each position before the root.
    before_root: FxHashMap<u64, u32>,
}

impl<'r, G: Knowledge> SearchPath<'r, G> {
    /// Returns the path that consists of the root alone.
    pub fn new(root: &'r History<G>, question: Question, cycles: CycleRule, static_bounds: bool) -> SearchPath<'r, G> {
        let played = root.moves().len() as u32;
        let length_cap = match root.facts().length {
            Length::Capped(cap) => cap.saturating_sub(played),
            Length::Bounded(_) => u32::MAX,
        };
        let (mut before_root, mut hash) = (FxHashMap::default(), 0);
        if cycles != CycleRule::Impossible {
            let earlier = &root.positions()[..root.positions().len() - 1];
            for position in earlier {
                let key = position.repetition_key();
                *before_root.entry(key).or_insert(0) += 1;
                hash = extend_hash(hash, key);
            }
            // Here cycles are counted from this root: a result that depends on one does not hold
            // for a search from another root of the same game.
            if matches!(cycles, CycleRule::Answer(_)) {
                hash = extend_hash(hash, earlier.len() as u64);
            }
        }
        let mut path = SearchPath {
            root,
            question,
            cycles,
            static_bounds,
            length_cap,
            positions: Vec::new(),
            keys: Vec::new(),
            hashes: vec![hash],
            before_root,
        };
        path.push(root.position().clone());
        path
    }

    /// The number of plies from the root.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.positions.len() as u32 - 1
    }

    /// The current position.
    #[inline]
    pub fn position(&self) -> &G {
        self.positions.last().expect("a path contains the root")
    }

    /// The positions from the root to the current one.
    #[cfg(test)]
    pub fn positions(&self) -> &[G] {
        &self.positions
    }

    /// The hash of the current position and its history.
    #[inline]
    fn hash(&self) -> u64 {
        *self.hashes.last().expect("the root has a hash")
    }

    /// Combines the table key of the current position with its history.
    pub fn path_key(&self, key: u64) -> u64 {
        key.rotate_left(17) ^ self.hash()
    }

    /// Combines the table key of a successor with its history.
    pub fn successor_path_key(&self, key: u64, successor: &G) -> u64 {
        key.rotate_left(17) ^ extend_hash(self.hash(), successor.repetition_key())
    }

    /// A hash of the positions before the root whose next repetition ends the game.
    pub fn terminal_history_hash(&self) -> u64 {
        let limit = match self.root.facts().repetition {
            Repetition::Ends(limit) => u32::from(limit).saturating_sub(1),
            Repetition::Forbidden => 1,
            Repetition::Impossible | Repetition::Allowed => return 0,
        };
        let terminal = self.before_root.iter().filter(|&(_, &count)| count >= limit);
        terminal.fold(0, |hash, (&key, _)| hash ^ key.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// Whether the prover is to move.
    #[inline]
    pub fn prover_moves(&self) -> bool {
        self.position().to_move() == self.question.prover()
    }

    /// The number of plies until the length cap ends the game.
    #[inline]
    pub fn plies_left(&self) -> u32 {
        self.length_cap.saturating_sub(self.ply())
    }

    /// The position after a move.
    #[inline]
    pub fn position_after(&self, mv: G::Move) -> G {
        let mut position = self.position().clone();
        position.play(mv);
        position
    }

    /// The position after a move, and the answer if the path ends there.
    #[inline]
    pub fn successor(&self, mv: G::Move) -> Successor<G> {
        let position = self.position_after(mv);
        let (end, occurrences) = if self.cycles == CycleRule::Impossible {
            (self.end_without_history(&position), 0)
        } else {
            self.end_with_history(Some(mv), &position)
        };
        Successor { position, end, occurrences }
    }

    /// The answer at a successor where positions cannot repeat, if the path ends there.
    #[inline]
    fn end_without_history(&self, position: &G) -> Option<PathEnd> {
        if position.is_over() {
            return self.game_end(position);
        }
        self.static_end(position)
    }

    /// The answer that static bounds give, if they are used.
    #[inline]
    fn static_end(&self, position: &G) -> Option<PathEnd> {
        // At the root an immediate win is better than a statically proven one.
        if !self.static_bounds || self.ply() == 0 {
            return None;
        }
        let bounds = position.static_bounds(self.question.prover())?;
        let holds = self.question.answer(&bounds)?;
        Some(PathEnd { holds, depends_on: Dependency::PATH_INDEPENDENT })
    }

    /// The position after a null move, and the answer if the path ends there.
    pub fn after_null_move(&self, position: G) -> Successor<G> {
        let (end, occurrences) = if self.cycles == CycleRule::Impossible {
            (self.game_end(&position), 0)
        } else {
            self.end_with_history(None, &position)
        };
        Successor { position, end, occurrences }
    }

    fn game_end(&self, position: &G) -> Option<PathEnd> {
        let outcome = position.outcome()?;
        Some(PathEnd { holds: self.question.holds(&outcome), depends_on: Dependency::PATH_INDEPENDENT })
    }

    /// The answer at a successor where positions can repeat, if the path ends there, and how often
    /// the position has occurred before.
    fn end_with_history(&self, mv: Option<G::Move>, position: &G) -> (Option<PathEnd>, u32) {
        if self.cycles == CycleRule::Forbidden {
            let key = mv.and_then(|mv| self.position().repetition_key_after(mv));
            if let Some(depends_on) = key.and_then(|key| self.first_occurrence(key)) {
                // An illegal move counts as a losing one.
                return (Some(PathEnd { holds: !self.prover_moves(), depends_on }), 0);
            }
        }
        if position.is_over() {
            return (self.game_end(position), 0);
        }
        let mut occurrences = 0;
        if self.cycles != CycleRule::Forbidden {
            let key = position.repetition_key();
            let on_path = count_equal(&self.keys, key);
            if let (CycleRule::Answer(holds), 1..) = (self.cycles, on_path) {
                let ply = self.keys.iter().rposition(|&earlier| earlier == key).expect("the position is on the path");
                return (Some(PathEnd { holds, depends_on: Dependency::on_ply(ply as i32) }), 0);
            }
            let total = self.before_root.get(&key).copied().unwrap_or(0) + on_path;
            if let Repetition::Ends(limit) = self.root.facts().repetition {
                occurrences = total;
                if occurrences + 1 >= u32::from(limit) {
                    let holds = self.question.holds(&self.cycle_outcome(key, position));
                    let depends_on = self.first_occurrence(key).expect("the position occurred before");
                    return (Some(PathEnd { holds, depends_on }), occurrences);
                }
            } else if self.cycles == CycleRule::Exact {
                occurrences = total;
            }
        }
        if self.ply() + 1 >= self.length_cap {
            let holds = self.question.holds(&position.outcome_at_cap());
            return (Some(PathEnd { holds, depends_on: Dependency::BEFORE_ROOT }), occurrences);
        }
        // What is static may take some plies to be played out.
        let is_far_from_cap = self.ply() + STATIC_PLIES < self.length_cap;
        if G::STATIC_BOUNDS_IGNORE_HISTORY && is_far_from_cap && self.cycles != CycleRule::Forbidden {
            return (self.static_end(position), occurrences);
        }
        (None, occurrences)
    }

    /// What a result of the current position depends on, given what its children depend on. A
    /// result that depends only on the position itself and on positions below is path-independent.
    pub fn dependency_of_node(&self, of_children: Dependency) -> Dependency {
        match self.cycles {
            CycleRule::Impossible => Dependency::PATH_INDEPENDENT,
            // Under these rules a result may even depend on positions that did *not* occur before.
            CycleRule::Forbidden | CycleRule::Exact => Dependency::BEFORE_ROOT,
            CycleRule::Answer(_) if of_children.ply() >= self.ply() as i32 => Dependency::PATH_INDEPENDENT,
            CycleRule::Answer(_) => of_children,
        }
    }

    /// Where a position occurred first, if it did.
    fn first_occurrence(&self, key: u64) -> Option<Dependency> {
        if self.before_root.contains_key(&key) {
            return Some(Dependency::BEFORE_ROOT);
        }
        self.keys.iter().position(|&earlier| earlier == key).map(|ply| Dependency::on_ply(ply as i32))
    }

    /// The outcome of the cycle that the next position closes.
    fn cycle_outcome(&self, key: u64, closing: &G) -> Outcome {
        let earlier = &self.root.positions()[..self.root.positions().len() - 1];
        let mut game: Vec<G> = earlier.iter().chain(&self.positions).cloned().collect();
        game.push(closing.clone());
        let first =
            game.iter().position(|position| position.repetition_key() == key).expect("the last position has it");
        G::repetition_outcome(&game[first..])
    }

    /// Extends the path by a position that [`successor`](SearchPath::successor) returned.
    #[inline]
    pub fn push(&mut self, position: G) {
        if self.cycles != CycleRule::Impossible {
            let key = position.repetition_key();
            self.keys.push(key);
            self.hashes.push(extend_hash(self.hash(), key));
        }
        self.positions.push(position);
    }

    /// Shortens the path by one move.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.positions.len() > 1);
        self.positions.pop();
        if self.cycles != CycleRule::Impossible {
            self.keys.pop();
            self.hashes.pop();
        }
    }
}

/// The hash of a history extended by a position. It depends on the order of the positions.
#[inline]
fn extend_hash(hash: u64, key: u64) -> u64 {
    (hash.rotate_left(23) ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ hash >> 29
}

/// How often a key is among others. Without an early exit the comparison uses vector instructions,
/// and almost no position repeats.
#[inline]
fn count_equal(keys: &[u64], key: u64) -> u32 {
    keys.iter().map(|&other| u32::from(other == key)).sum()
}
