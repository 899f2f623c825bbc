//! Simulation: how a game continues below the tree.

use super::GameTraits;
use crate::informed::PolicyRule;
use tesuji_core::{Options, SpecError};

/// The policy that chooses the moves of a playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayoutPolicy {
    /// The game's own random playout.
    Uniform,
    /// An informed policy of the game.
    Informed(PolicyRule),
    /// Moves drawn in proportion to their transition probabilities.
    Category,
    /// The last good reply, with forgetting, to the last two moves (Baier & Drake 2010).
    Lgrf,
    /// The move with the best average over all simulations (Bjornsson & Finnsson 2009).
    Mast,
}

impl PlayoutPolicy {
    /// Whether the policy learns from the moves of whole simulations.
    #[inline]
    pub fn learns(self) -> bool {
        matches!(self, PlayoutPolicy::Lgrf | PlayoutPolicy::Mast)
    }
}

/// The options of playouts.
#[derive(Clone, PartialEq, Debug)]
pub struct Simulation {
    /// The policy.
    pub policy: PlayoutPolicy,
    /// The share of random moves in MAST playouts.
    pub epsilon: f32,
    /// The evaluation at which a playout counts as won.
    pub cut_margin: Option<f32>,
}

impl Simulation {
    pub(super) fn read(options: &mut Options<'_>) -> Result<Simulation, SpecError> {
        options.renamed_to_option("playout=greedy", "ir=0")?;
        let mut policies = vec![("uniform", PlayoutPolicy::Uniform)];
        policies.extend(PolicyRule::CHOICES.map(|(name, rule)| (name, PlayoutPolicy::Informed(rule))));
        policies.extend([
            ("category", PlayoutPolicy::Category),
            ("lgrf", PlayoutPolicy::Lgrf),
            ("mast", PlayoutPolicy::Mast),
        ]);
        let policy = options.choice("playout", &policies, "playout policy")?;
        let epsilon = options.number("epsilon", 0.1, 0.0..=1.0, "share of random moves in mast playouts")? as f32;
        let cut_margin = options.dial(
            "cut-margin",
            0.7,
            0.0..=1.0,
            "end playouts at this evaluation, tested at plies 2, 5, 8, ...",
        )?;
        Ok(Simulation { policy, epsilon, cut_margin: cut_margin.map(|margin| margin as f32) })
    }

    pub(super) fn check(&self, game: &GameTraits) -> Result<(), SpecError> {
        game.require_evaluation("cut-margin", self.cut_margin.is_some())
    }
}
