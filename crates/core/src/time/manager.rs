//! Time managers: a base that shares the clock, and rules on top of it.

use super::{Clock, Condition, Extension, MovePlan, Stop, TimeTable};
use crate::Stopper;
use std::time::Duration;

/// The facts of a turn that managers use.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Turn {
    /// The moves played by all players.
    pub ply: usize,
    /// The number of players.
    pub players: usize,
    /// The pieces on the board.
    pub stones: usize,
    /// The mean length of simulated games from here in plies, if it was [needed](Needs).
    pub length: Option<f64>,
    /// The criticality of the most critical cell, if it was [needed](Needs).
    pub criticality: Option<f64>,
}

/// What a manager needs to know of a turn beyond what costs nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// The mean length of simulated games.
    pub length: bool,
    /// The criticality.
    pub criticality: bool,
}

/// How the base of a manager shares the clock.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Base {
    /// A fixed number of expected moves.
    Fixed(f64),
    /// The expected moves by the moves played (EXP-MOVES).
    Moves,
    /// The expected moves by the mean length of simulated games (EXP-SIM).
    Lengths,
    /// The expected moves by the pieces on the board (EXP-STONES).
    Stones,
    /// `C + max(MaxPly - MoveNumber, 0)` expected moves (Huang et al. 2010).
    Erica { c: f64, max_ply: f64 },
    /// The time of each own turn, in seconds.
    Profile(Vec<f64>),
}

/// A linear function of the criticality within bounds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct KappaFactor {
    pub slope: f64,
    pub offset: f64,
    pub least: f64,
    pub most: f64,
}

impl KappaFactor {
    fn of(&self, criticality: f64) -> f64 {
        (criticality * self.slope + self.offset).clamp(self.least, self.most)
    }
}

/// A rule on top of a base.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Rule {
    /// A factor (OPEN).
    Open { f: f64 },
    /// `1 + a exp(-(x - b)^2 / (2 c^2))` at move x of all players (MID).
    Mid { a: f64, b: f64, c: f64 },
    /// A factor by the mean criticality at this move of earlier games (KAPPA-EXP).
    KappaExpected(KappaFactor),
    /// A factor by the criticality at the player's last move (KAPPA-LM).
    KappaLast(KappaFactor),
    /// A factor by the criticality now (KAPPA-CM).
    KappaNow(KappaFactor),
    /// An extension (BEHIND, UNST, CLOSE).
    Extend { condition: Condition, f: f64, loops: u32 },
    /// A factor, and an early end (STOP).
    Stop { f: f64, p: f64 },
}

/// The expected moves of a game without tables. Raising it makes early moves faster and leaves time
/// unused in short games.
pub(super) const EXPECTED_MOVES: f64 = 25.0;
/// The share of the increment that a move may use at once.
const INCREMENT_SHARE: f64 = 0.8;

/// A time manager. It belongs to one player and follows one game.
#[derive(Clone, PartialEq, Debug)]
pub struct TimeManager {
    pub(super) base: Base,
    pub(super) rules: Vec<Rule>,
    pub(super) table: TimeTable,
    /// The criticality at the last turn, with its ply.
    pub(super) last: Option<(usize, f64)>,
}

impl TimeManager {
    /// Returns what the manager needs to know of a turn.
    pub fn needs(&self) -> Needs {
        let is_critical = |rule: &Rule| matches!(rule, Rule::KappaLast(_) | Rule::KappaNow(_));
        Needs { length: self.base == Base::Lengths, criticality: self.rules.iter().any(is_critical) }
    }

    /// Makes the plan for a move.
    ///
    /// The base gives the share of the time left, the rules multiply it. Most of the increment and
    /// the byo-yomi, which are there for this move alone, are added. No plan exceeds
    /// [`Clock::most`].
    pub fn plan(&mut self, clock: &Clock, turn: &Turn) -> MovePlan {
        let share = self.share(clock, turn);
        let factor: f64 = self.rules.iter().map(|rule| self.factor(rule, turn)).product();
        self.last = turn.criticality.map(|criticality| (turn.ply, criticality)).or(self.last);
        let most = clock.most();
        let share = seconds(share * factor).min(most);
        let budget = (share + clock.increment.mul_f64(INCREMENT_SHARE) + clock.byoyomi).min(most);
        let stoppers = self.rules.iter().filter_map(|rule| rule.stopper(budget)).collect();
        MovePlan { budget, most, stoppers }
    }

    /// The share of the time left in seconds.
    fn share(&self, clock: &Clock, turn: &Turn) -> f64 {
        let left = clock.left.as_secs_f64();
        if let Base::Profile(profile) = &self.base {
            let own_turn = turn.ply / turn.players.max(1);
            return TimeTable::entry(profile, own_turn).unwrap_or(0.0);
        }
        let expected = self.expected_moves(turn);
        left / clock.moves_to_go.map_or(expected, |moves| expected.min(f64::from(moves))).max(1.0)
    }

    /// The expected number of own moves to the end of the game. A game without the table has the
    /// next simpler one.
    fn expected_moves(&self, turn: &Turn) -> f64 {
        let by_moves = || TimeTable::entry(&self.table.moves, turn.ply).unwrap_or(EXPECTED_MOVES);
        match &self.base {
            Base::Fixed(moves) => *moves,
            Base::Moves | Base::Profile(_) => by_moves(),
            Base::Stones => TimeTable::entry(&self.table.stones, turn.stones).unwrap_or_else(by_moves),
            Base::Lengths => {
                let index = turn.length.map(|length| (length / super::LENGTH_WIDTH as f64) as usize);
                index.and_then(|index| TimeTable::entry(&self.table.lengths, index)).unwrap_or_else(by_moves)
            }
            Base::Erica { c, max_ply } => c + (max_ply - turn.ply as f64).max(0.0),
        }
    }

    /// The factor of a rule; 1 for rules that have none, and where nothing is known.
    fn factor(&self, rule: &Rule, turn: &Turn) -> f64 {
        match *rule {
            Rule::Open { f } | Rule::Stop { f, .. } => f,
            Rule::Mid { a, b, c } => {
                let distance = turn.ply as f64 - b;
                1.0 + a * (-distance * distance / (2.0 * c * c)).exp()
            }
            Rule::KappaExpected(kappa) => {
                TimeTable::entry(&self.table.criticality, turn.ply).map_or(1.0, |mean| kappa.of(mean))
            }
            Rule::KappaLast(kappa) => {
                let last = self.last.filter(|(ply, _)| *ply < turn.ply);
                last.map_or(1.0, |(_, criticality)| kappa.of(criticality))
            }
            Rule::KappaNow(kappa) => turn.criticality.map_or(1.0, |criticality| kappa.of(criticality)),
            Rule::Extend { .. } => 1.0,
        }
    }
}

impl Rule {
    /// The stopper of the rule in a search with a regular time.
    fn stopper(&self, regular: Duration) -> Option<Box<dyn Stopper>> {
        match *self {
            Rule::Stop { p, .. } => Some(Box::new(Stop { p })),
            Rule::Extend { condition, f, loops } => Some(Box::new(Extension { condition, factor: f, loops, regular })),
            _ => None,
        }
    }
}

/// A time in seconds, at most a year: a factor may be any number.
fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, 365.0 * 24.0 * 3600.0))
}
