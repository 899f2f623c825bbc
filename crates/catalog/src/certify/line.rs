//! Lines of play that keep to proven bounds.

use super::claims::claims;
use super::extract::ProofExtractor;
use tesuji_core::{Bounds, History, Knowledge};

/// The node limit of all replies of a line together. Raising it makes lines longer where the table
/// has lost much, and takes longer to return them.
pub(crate) const LINE_NODES: u64 = 1_000_000;

/// The maximum length of a line: where positions can repeat, replies need not make progress.
const MAX_LINE: usize = 200;

impl<G: Knowledge> ProofExtractor<'_, G> {
    /// Returns the line in which the player keeps the lower bound and all others the upper one, so
    /// a line that reaches the end of the game ends with a score between the bounds.
    ///
    /// It ends early where no reply is at hand; all replies together may take `reply_nodes`.
    /// Returns `None` if there are no two bounds to keep.
    pub fn line(&mut self, root: &History<G>, bounds: &Bounds) -> Option<Vec<G::Move>> {
        let [low, high] = claims(bounds, root.facts())[..] else { return None };
        let mut game = root.clone();
        let mut line = Vec::new();
        while !game.is_over() && line.len() < MAX_LINE && self.reply_nodes > 0 {
            let claim = if game.position().to_move() == bounds.player { low } else { high };
            let (reply, nodes) = self.ask(&game, claim);
            let Some(mv) = reply else { break };
            self.reply_nodes = self.reply_nodes.saturating_sub(nodes);
            game.play(mv);
            line.push(mv);
        }
        Some(line)
    }
}
