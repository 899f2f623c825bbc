//! Informed playouts: which of the game's policies a playout follows.
//!
//! A game may have several informed policies ([`Knowledge::informed_policies`]); in SameGame each
//! has a tabu colour of its own (TabuColorRandomPolicy, Schadd et al. 2008). A playout follows one
//! of them from its start to its end. It is chosen by the game, drawn, or learned: Baier (2015,
//! section 3.3) treats the policies as the arms of a bandit, with the results of the playouts as
//! rewards. What is learned is shared by the playouts of a search and forgotten after it.

use tesuji_core::{Knowledge, Options, Rng, SpecError};

/// How the informed policy of a playout is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PolicyRule {
    /// The policy that the game chooses for the root, for the whole search.
    Chosen,
    /// The same with fewer forbidden moves, for long searches.
    Relaxed,
    /// A random one for every playout.
    Drawn,
    /// For every playout the one with the highest upper confidence bound, by UCB1-TUNED.
    Bandit,
}

impl PolicyRule {
    /// The values of the option `playout` that stand for informed playouts.
    pub const CHOICES: [(&'static str, PolicyRule); 4] = [
        ("chosen", PolicyRule::Chosen),
        ("relaxed", PolicyRule::Relaxed),
        ("drawn", PolicyRule::Drawn),
        ("bandit", PolicyRule::Bandit),
    ];

    /// Reads the option `playout` of a search without other policies; `None` for all moves.
    pub fn read(options: &mut Options<'_>) -> Result<Option<PolicyRule>, SpecError> {
        options.renamed_value("playout", "all", "uniform")?;
        let mut choices = vec![("uniform", None)];
        choices.extend(PolicyRule::CHOICES.map(|(name, rule)| (name, Some(rule))));
        options.choice("playout", &choices, "moves of playouts: all, or those of an informed policy of the game")
    }

    /// Refuses informed playouts of a game that has none.
    pub fn check<G: Knowledge>(self, search: &str, rules: &G::Rules) -> Result<(), SpecError> {
        let start = G::start(rules);
        if start.informed_policies() > 0 && (self != PolicyRule::Relaxed || start.relaxed_choice().is_some()) {
            return Ok(());
        }
        let name = PolicyRule::CHOICES.iter().find(|(_, rule)| *rule == self).map_or("", |(name, _)| name);
        Err(SpecError::BadValue {
            name: search.to_string(),
            key: "playout".to_string(),
            value: name.to_string(),
            accepted: format!("uniform in {}, which has no informed policies", G::INFO.name),
        })
    }
}

/// The exploration constant of the bandit. Baier does not state his. Raising it tries bad policies
/// more often.
const BANDIT_C: f64 = 1.0;

/// The playouts that followed one policy.
#[derive(Clone, Copy, Default, Debug)]
struct Arm {
    playouts: f64,
    sum: f64,
    squares: f64,
}

impl Arm {
    /// UCB1-TUNED on [0, 1] after `playouts` playouts of all arms.
    fn upper_bound(&self, c: f64, playouts: f64) -> f64 {
        if self.playouts == 0.0 {
            return f64::INFINITY;
        }
        let mean = self.sum / self.playouts;
        let variance = (self.squares / self.playouts - mean * mean).max(0.0);
        mean + c * tuned_bonus(variance, playouts.ln() / self.playouts)
    }

    /// The same arm if all its values v were `(v - shift) scale`.
    fn rescaled(&self, shift: f64, scale: f64) -> Arm {
        let Arm { playouts, sum, squares } = *self;
        Arm {
            playouts,
            sum: (sum - playouts * shift) * scale,
            squares: (squares - 2.0 * shift * sum + playouts * shift * shift) * scale * scale,
        }
    }
}

/// The exploration term of UCB1-TUNED, from the variance of rewards in [0, 1] and `ln N / n`.
pub fn tuned_bonus(variance: f64, log_over_visits: f64) -> f64 {
    (log_over_visits * (variance + (2.0 * log_over_visits).sqrt()).min(0.25)).sqrt()
}

/// Chooses the policies of the playouts of a search.
#[derive(Clone, Debug)]
pub struct PolicyChooser {
    rule: PolicyRule,
    /// The policy that the game chooses for the root, relaxed if so ruled.
    chosen: usize,
    arms: Vec<Arm>,
    /// The policy of the playout under way.
    current: Option<usize>,
    /// The lowest and the highest value so far. The score range of a game is far wider than the
    /// scores that occur; the bandit scales them to [0, 1].
    range: (f64, f64),
}

impl PolicyChooser {
    /// Creates a chooser for the playouts below a position.
    pub fn new<G: Knowledge>(rule: PolicyRule, root: &G) -> PolicyChooser {
        PolicyChooser {
            rule,
            chosen: match rule {
                PolicyRule::Relaxed => root.relaxed_choice().unwrap_or_else(|| root.informed_choice()),
                _ => root.informed_choice(),
            },
            arms: vec![Arm::default(); root.informed_policies()],
            current: None,
            range: (f64::INFINITY, f64::NEG_INFINITY),
        }
    }

    /// Chooses the policy of the next playout.
    pub fn begin(&mut self, rng: &mut Rng) -> usize {
        let policy = match self.rule {
            PolicyRule::Chosen | PolicyRule::Relaxed => self.chosen,
            PolicyRule::Drawn => rng.below(self.arms.len()),
            PolicyRule::Bandit => self.best_arm(rng),
        };
        self.current = Some(policy);
        policy
    }

    /// The policy of the playout under way, or between playouts the one that the game chooses.
    pub fn current(&self) -> usize {
        self.current.unwrap_or(self.chosen)
    }

    /// Ends the playout under way, if there is one, and learns from its value.
    pub fn end(&mut self, value: f64) {
        let Some(policy) = self.current.take() else { return };
        let Some(arm) = self.arms.get_mut(policy) else { return };
        arm.playouts += 1.0;
        arm.sum += value;
        arm.squares += value * value;
        self.range = (self.range.0.min(value), self.range.1.max(value));
    }

    /// The arm with the highest upper confidence bound; ties are broken at random.
    fn best_arm(&self, rng: &mut Rng) -> usize {
        let playouts: f64 = self.arms.iter().map(|arm| arm.playouts).sum();
        let (low, high) = self.range;
        let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
        let bound = |arm: &Arm| match playouts {
            0.0 => 0.0,
            _ => arm.rescaled(low, scale).upper_bound(BANDIT_C, playouts),
        };
        let (mut best, mut highest, mut ties) = (0, f64::NEG_INFINITY, 0);
        for (number, bound) in self.arms.iter().map(bound).enumerate() {
            if bound > highest {
                (best, highest, ties) = (number, bound, 1);
            } else if bound == highest {
                ties += 1;
                if rng.below(ties) == 0 {
                    best = number;
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_games::{SameGame, rules};

    fn chooser(rule: PolicyRule) -> PolicyChooser {
        let rules = rules::<SameGame>("samegame:8x8,colours=4").unwrap();
        PolicyChooser::new(rule, &<SameGame as tesuji_core::Game>::start(&rules))
    }

    /// 4 wins of 10 after 100 playouts: q = 0.4, the variance 0.24 plus sqrt(2 * 0.4605) is cut at
    /// 1/4, and the term is sqrt(0.4605 / 4) = 0.3393.
    #[test]
    fn an_arm_has_the_bound_of_ucb1_tuned() {
        let arm = Arm { playouts: 10.0, sum: 4.0, squares: 4.0 };
        assert!((arm.upper_bound(1.0, 100.0) - 0.7393).abs() < 1e-4);
        assert!((arm.upper_bound(0.5, 100.0) - (0.4 + 0.3393 / 2.0)).abs() < 1e-4);
        // The same wins and losses as scores of 30 and -20.
        let scores = Arm { playouts: 10.0, sum: 4.0 * 30.0 - 6.0 * 20.0, squares: 4.0 * 900.0 + 6.0 * 400.0 };
        assert!((scores.rescaled(-20.0, 1.0 / 50.0).upper_bound(1.0, 100.0) - 0.7393).abs() < 1e-4);
    }

    #[test]
    fn the_bandit_finds_the_best_policy_and_tries_the_others() {
        let (mut chooser, mut rng) = (chooser(PolicyRule::Bandit), Rng::new(1));
        let mut playouts = [0; 4];
        for at in 0..4000 {
            let policy = chooser.begin(&mut rng);
            playouts[policy] += 1;
            if at == 3 {
                assert_eq!(playouts, [1; 4]);
            }
            let mean = if policy == 2 { 1200.0 } else { 1000.0 };
            chooser.end(mean + 400.0 * rng.unit());
        }
        assert!(playouts[2] > 2000 && playouts.iter().all(|&count| count > 10), "{playouts:?}");
    }

    #[test]
    fn drawn_policies_are_uniform_and_the_chosen_one_stays() {
        let mut rng = Rng::new(2);
        let mut drawn = chooser(PolicyRule::Drawn);
        let mut playouts = [0; 4];
        (0..4000).for_each(|_| playouts[drawn.begin(&mut rng)] += 1);
        assert!(playouts.iter().all(|count| (850..1150).contains(count)), "{playouts:?}");
        let mut chosen = chooser(PolicyRule::Chosen);
        let first = chosen.begin(&mut rng);
        chosen.end(-5.0);
        assert!((0..100).all(|_| chosen.begin(&mut rng) == first));
    }

    #[test]
    fn a_playout_without_a_policy_teaches_nothing() {
        let (mut chooser, mut rng) = (chooser(PolicyRule::Bandit), Rng::new(3));
        chooser.end(100.0);
        assert!(chooser.arms.iter().all(|arm| arm.playouts == 0.0));
        let policy = chooser.begin(&mut rng);
        chooser.end(100.0);
        chooser.end(100.0);
        assert_eq!(chooser.arms[policy].playouts, 1.0);
    }
}
