//! Time managers: a base that shares the clock, and rules on top of it.

use super::critical::{CriticalityNow, KappaFactor};
use super::{Clock, Condition, Extension, MovePlan, Stop, TimeTable};
use crate::{OwnerCounts, Stopper};
use std::sync::Arc;
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
    /// The mean length of simulated games from here in plies, if the manager
    /// [needs](TimeManager::needs_length) it.
    pub length: Option<f64>,
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

/// A rule on top of a base.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Rule {
    /// A factor (OPEN).
    Open { f: f64 },
    /// `1 + a exp(-(x - b)^2 / (2 c^2))` at move x of all players (MID).
    Mid { a: f64, b: f64, c: f64 },
    /// A factor by the mean criticality at this move of earlier games (KAPPA-EXP).
    KappaExpected(KappaFactor),
    /// A factor by the criticality that the search of the player's last move counted (KAPPA-LM).
    KappaLast(KappaFactor),
    /// A factor by the criticality that the search has counted so far (KAPPA-CM).
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
#[derive(Clone, Debug)]
pub struct TimeManager {
    pub(super) base: Base,
    pub(super) rules: Vec<Rule>,
    pub(super) table: TimeTable,
    /// What the search of the last turn has counted, with the ply of that turn.
    pub(super) last: Option<(usize, Arc<OwnerCounts>)>,
}

impl TimeManager {
    /// Returns whether the manager needs the mean length of simulated games.
    pub fn needs_length(&self) -> bool {
        self.base == Base::Lengths
    }

    /// Whether a rule is about the criticality that searches count.
    fn counts_owners(&self) -> bool {
        self.rules.iter().any(|rule| matches!(rule, Rule::KappaLast(_) | Rule::KappaNow(_)))
    }

    /// Makes the plan for a move.
    ///
    /// The base gives the share of the time left, the rules multiply it. Most of the increment and
    /// the byo-yomi, which are there for this move alone, are added. No plan exceeds
    /// [`Clock::most`].
    pub fn plan(&mut self, clock: &Clock, turn: &Turn) -> MovePlan {
        let share = self.share(clock, turn);
        let factor: f64 = self.rules.iter().map(|rule| self.factor(rule, turn)).product();
        let owners = self.counts_owners().then(Arc::<OwnerCounts>::default);
        self.last = owners.clone().map(|owners| (turn.ply, owners));
        let most = clock.most();
        let share = seconds(share * factor).min(most);
        let budget = (share + clock.increment.mul_f64(INCREMENT_SHARE) + clock.byoyomi).min(most);
        let stoppers = self.rules.iter().filter_map(|rule| rule.stopper(budget, share, owners.as_ref())).collect();
        MovePlan { budget, most, stoppers, owners }
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
                let last = self.last.as_ref().filter(|(ply, _)| *ply < turn.ply);
                last.and_then(|(_, owners)| owners.get()).map_or(1.0, |counts| kappa.of(counts.criticality()))
            }
            Rule::KappaNow(_) | Rule::Extend { .. } => 1.0,
        }
    }
}

impl Rule {
    /// The stopper of the rule in a search with a regular time, of which a share is the part that
    /// factors multiply.
    fn stopper(
        &self,
        regular: Duration,
        share: Duration,
        owners: Option<&Arc<OwnerCounts>>,
    ) -> Option<Box<dyn Stopper>> {
        match *self {
            Rule::KappaNow(kappa) => {
                let (owners, added) = (owners?.clone(), regular.saturating_sub(share));
                Some(Box::new(CriticalityNow { kappa, owners, share, added, is_done: false }))
            }
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
