//! What random playouts say about a turn: the length of the game, and who owns which cell.

use tesuji_core::time::{Needs, Ownership, Turn};
use tesuji_core::{Game, History, Knowledge, Player, PlayoutContext, Rng};

/// The playouts from which the mean length of a game is estimated. Raising it makes the estimate
/// more exact and takes longer.
const LENGTH_PLAYOUTS: u32 = 32;
/// The playouts from which the criticality is estimated.
const CRITICALITY_PLAYOUTS: u32 = 400;

/// Returns the facts of a turn that a time manager needs.
pub fn turn<G: Knowledge>(game: &History<G>, needs: Needs) -> Turn {
    let position = game.position();
    let pieces = position.view().cells.into_iter().filter_map(|cell| cell.piece);
    let stones = pieces.filter(|piece| piece.owner.is_some()).count();
    // The same position gives the same estimates.
    let mut sampler = Sampler::new(game, Rng::new(position.key()));
    Turn {
        ply: game.moves().len(),
        players: usize::from(game.facts().players),
        stones,
        length: needs.length.then(|| sampler.mean_length()),
        criticality: needs.criticality.then(|| sampler.ownership()).flatten().map(|owners| owners.criticality()),
    }
}

/// Returns how much each cell belongs to the player to move at the end of playouts, from -1 to 1;
/// `None` if the game is not about owning cells.
pub fn ownership<G: Knowledge>(game: &History<G>) -> Option<Vec<f64>> {
    let position = game.position();
    let owners = Sampler::new(game, Rng::new(position.key())).ownership()?;
    Some(owners.shares(position.to_move()))
}

/// Makes random playouts of a position.
struct Sampler<'g, G: Game> {
    position: &'g G,
    context: PlayoutContext<G::Move>,
}

impl<'g, G: Knowledge> Sampler<'g, G> {
    fn new(game: &'g History<G>, rng: Rng) -> Sampler<'g, G> {
        let plies = game.facts().length.plies().saturating_sub(game.moves().len() as u32);
        Sampler { position: game.position(), context: PlayoutContext::new(rng, plies) }
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
        let mut ownership = Ownership::default();
        let (mut owners, mut moves) = (Vec::new(), Vec::new());
        for _ in 0..CRITICALITY_PLAYOUTS {
            moves.clear();
            owners.clear();
            let outcome = self.position.clone().playout(&mut self.context, &mut moves);
            // The playout may not leave the last position behind.
            let mut end = self.position.clone();
            moves.iter().for_each(|&mv| end.play(mv));
            if !end.owners(&mut owners) {
                return None;
            }
            let first = outcome.score(Player::FIRST);
            let winner = (first != 0).then_some(if first > 0 { Player::FIRST } else { Player::SECOND });
            ownership.add(winner, &owners);
        }
        Some(ownership)
    }
}
