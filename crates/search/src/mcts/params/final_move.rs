//! The final move: which root move is returned.

use tesuji_core::{Options, SpecError};

/// The rule by which the final move is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FinalRule {
    /// The most visited child (robust child).
    Visits,
    /// The child with the best mean (max child).
    Value,
    /// The child with both the most visits and the best mean. The search is extended until such a
    /// child exists or a limit is reached (Chaslot et al. 2008).
    RobustMax,
    /// The child with the best lower bound `v - A / sqrt n` (secure child; Chaslot et al. 2008).
    Secure,
}

/// The options of the final move.
#[derive(Clone, PartialEq, Debug)]
pub struct FinalMove {
    /// The rule.
    pub rule: FinalRule,
    /// Whether a child with proof number 0 is played if the root has proof number 0.
    pub pn_final: bool,
}

impl FinalMove {
    pub(super) fn read(options: &mut Options<'_>) -> Result<FinalMove, SpecError> {
        let rule = options.choice(
            "final",
            &[
                ("visits", FinalRule::Visits),
                ("value", FinalRule::Value),
                ("robust", FinalRule::RobustMax),
                ("secure", FinalRule::Secure),
            ],
            "rule for the final move",
        )?;
        let pn_final = options.switch("pn-final", "PN-MCTS: play a proven move if the root is proven")?;
        Ok(FinalMove { rule, pn_final })
    }
}
