//! What random playouts say about a turn: the length of the game, and who owns which cell.

use tesuji_core::time::Turn;
use tesuji_core::{Game, History, Knowledge, Ownership, Player, PlayoutContext, Rng};

/// The playouts from which the mean length of a game is estimated. Raising it makes the estimate
/// more exact and takes longer.
const LENGTH_PLAYOUTS: u32 = 32;
/// The playouts from which ownership is estimated.
const OWNERSHIP_PLAYOUTS: u32 = 400;

/// Returns the facts of a turn for a time manager, with the length of simulated games if it needs
/// it.
pub fn turn<G: Knowledge>(game: &History<G>, needs_length: bool) -> Turn {
    let position = game.position();
    let pieces = position.view().cells.into_iter().filter_map(|cell| cell.piece);
    let stones = pieces.filter(|piece| piece.owner.is_some()).count();
    Turn {
        ply: game.moves().len(),
        players: usize::from(game.facts().players),
        stones,
        length: needs_length.then(|| Sampler::new(game).mean_length()),
    }
}

/// Returns how much each cell belongs to the player to move at the end of playouts, from -1 to 1;
/// `None` if the game is not about owning cells. A search that counts knows better.
pub fn ownership<G: Knowledge>(game: &History<G>) -> Option<Vec<f64>> {
    Some(Sampler::new(game).ownership()?.shares(game.position().to_move()))
}

/// Makes random playouts of a position.
struct Sampler<'g, G: Game> {
    position: &'g G,
    context: PlayoutContext<G::Move>,
}

impl<'g, G: Knowledge> Sampler<'g, G> {
    fn new(game: &'g History<G>) -> Sampler<'g, G> {
        let plies = game.facts().length.plies().saturating_sub(game.moves().len() as u32);
        let position = game.position();
        // The same position gives the same estimates.
        Sampler { position, context: PlayoutContext::new(Rng::new(position.key()), plies) }
    }

    /// The mean number of plies to the end of the game.
    fn mean_length(&mut self) -> f64 {
        let mut moves = Vec::new();
        for _ in 0..LENGTH_PLAYOUTS {
            self.position.clone().playout(&mut self.context, &mut moves);
        }
        moves.len() as f64 / f64::from(LENGTH_PLAYOUTS)
    }

    /// Counts the owners of the cells; `None` if the game is not about owning cells.
    fn ownership(&mut self) -> Option<Ownership> {
        let mut owners = Vec::new();
        if !self.position.owners(&mut owners) {
            return None;
        }
        let mut ownership = Ownership::default();
        for _ in 0..OWNERSHIP_PLAYOUTS {
            owners.clear();
            let outcome = self.position.clone().playout_with_owners(&mut self.context, &mut (), &mut owners);
            let first = outcome.score(Player::FIRST);
            let winner = (first != 0).then_some(if first > 0 { Player::FIRST } else { Player::SECOND });
            ownership.add(winner, &owners);
        }
        Some(ownership)
    }
}
