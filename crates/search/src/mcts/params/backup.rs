//! Backup: what simulations are worth, and what they prove.

use crate::mcts::tree::Columns;
use tesuji_core::{Options, SpecError};

/// What a finished simulation is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reward {
    /// Win, draw or loss.
    Result,
    /// The score, scaled by the range of the game.
    Score,
}

/// The goal of the opponents in a game for more than two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MultiplayerRule {
    /// Each maximises its own value (max^n).
    Maxn,
    /// All minimise the value of the player to move at the root.
    Paranoid,
}

/// The options of backup.
#[derive(Clone, PartialEq, Debug)]
pub struct Backup {
    /// Whether proven bounds are stored and backed up (MCTS-Solver).
    pub solver: bool,
    /// Whether a new node is searched one ply deep for moves that end the game.
    pub lookahead: bool,
    /// What a simulation is worth.
    pub reward: Reward,
    /// The goal of the opponents.
    pub multiplayer: MultiplayerRule,
}

impl Backup {
    pub(super) fn read(options: &mut Options<'_>) -> Result<Backup, SpecError> {
        let solver = options.switch("solver", "back up proven bounds; stop when the root is solved")?;
        let lookahead =
            options.switch("lookahead", "solver: search each new node one ply deep for the end of the game")?;
        let reward = options.choice(
            "reward",
            &[("result", Reward::Result), ("score", Reward::Score)],
            "value of a finished game: its result or its score",
        )?;
        let multiplayer = options.choice(
            "backup",
            &[("maxn", MultiplayerRule::Maxn), ("paranoid", MultiplayerRule::Paranoid)],
            "goal of the opponents with more than two players",
        )?;
        Ok(Backup { solver, lookahead, reward, multiplayer })
    }

    pub(super) fn require(&self, columns: &mut Columns) {
        columns.bounds |= self.solver;
    }
}
