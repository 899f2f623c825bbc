//! The cells that a result depends on, from the replies of a solver.

use super::extract::{ProofExtractor, REPLY_SOLVER};
use serde::Serialize;
use tesuji_core::{Bounds, CellSet, History, Knowledge};
use tesuji_proof::Claim;
use tesuji_search::{ProofSource, ZoneWalk};

/// The zone of a result: changes of other cells do not change it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Zone {
    /// The names of the cells; `None` if nothing less than the whole board is known.
    pub cells: Option<Vec<String>>,
    /// The positions of the proof that were visited.
    pub positions: u64,
    /// The nodes that the replies took.
    pub nodes: u64,
}

impl<G: Knowledge> ProofExtractor<'_, G> {
    /// Finds the zone of a win or a loss, with `reply_nodes` nodes for all replies together;
    /// `None` if the game has no zones under its rules, or the bounds are neither.
    ///
    /// Replies are asked for without the history, so that the result holds for the position alone.
    pub fn zone(&mut self, root: &History<G>, bounds: &Bounds) -> Option<Zone> {
        let rules = G::zone_rules(root.rules())?;
        let (winner, claim) = match bounds {
            Bounds { player, at_least: 1.., .. } => (*player, Claim::at_least(*player, 1)),
            Bounds { player, at_most: ..=-1, .. } => (player.opponent(), Claim::at_most(*player, 0)),
            _ => return None,
        };
        if !self.keeps_proof {
            let by = REPLY_SOLVER.parse().expect("a name is a spec");
            let mut prover = tesuji_pairs::prover::<G>(&by, root.rules()).ok()?;
            return ProofExtractor { prover: prover.as_mut(), keeps_proof: true, ..*self }.zone(root, bounds);
        }
        let most = self.reply_nodes;
        let mut source = Replies { extractor: self, root, claim };
        let mut walk = ZoneWalk::new(rules, winner, &mut source, most);
        let zone = walk.zone(root.position());
        let positions = walk.positions();
        let names = |zone: CellSet| {
            let cells = root.position().view().cells;
            zone.iter().filter_map(|cell| cells.get(cell).map(|cell| cell.name.clone())).collect()
        };
        Some(Zone { cells: zone.map(names), positions, nodes: most - self.reply_nodes })
    }
}

/// The replies of a solver.
struct Replies<'e, 'a, G: Knowledge> {
    extractor: &'e mut ProofExtractor<'a, G>,
    root: &'e History<G>,
    claim: Claim,
}

impl<G: Knowledge> Replies<'_, '_, G> {
    /// Asks about a position, unless the limit on nodes is reached. Returns whether the claim holds
    /// there, and the best move.
    fn ask(&mut self, position: &G) -> Option<(bool, Option<G::Move>)> {
        let game = History::from_position(self.root.rules().clone(), position.clone());
        let (answer, nodes) = self.extractor.answer(&game, self.claim);
        self.extractor.reply_nodes = self.extractor.reply_nodes.checked_sub(nodes.max(1))?;
        Some(answer)
    }
}

impl<G: Knowledge> ProofSource<G> for Replies<'_, '_, G> {
    fn reply(&mut self, position: &G) -> Option<G::Move> {
        self.ask(position).filter(|(holds, _)| *holds).and_then(|(_, best)| best)
    }

    fn holds(&mut self, position: &G) -> bool {
        self.ask(position).is_some_and(|(holds, _)| holds)
    }
}
