//! What random playouts say about a turn: the length of the game, and who owns which cell.

use tesuji_core::time::{Needs, Turn};
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
    let mover = position.to_move().index();
    let lead = |cell: &CellCounts| f64::from(cell.owned[mover]) - f64::from(cell.owned[1 - mover]);
    Some(owners.cells.iter().map(|cell| lead(cell) / f64::from(owners.playouts)).collect())
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

/// How often each player owned each cell at the end of playouts.
#[derive(Clone, PartialEq, Debug, Default)]
struct Ownership {
    playouts: u32,
    wins: [u32; 2],
    cells: Vec<CellCounts>,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct CellCounts {
    owned: [u32; 2],
    /// The playouts whose winner owned the cell.
    owned_by_winner: u32,
}

impl Ownership {
    fn add(&mut self, winner: Option<Player>, owners: &[Option<Player>]) {
        self.playouts += 1;
        self.cells.resize(owners.len(), CellCounts::default());
        if let Some(winner) = winner {
            self.wins[winner.index()] += 1;
        }
        for (cell, owner) in self.cells.iter_mut().zip(owners) {
            if let Some(owner) = owner {
                cell.owned[owner.index()] += 1;
                cell.owned_by_winner += u32::from(winner == Some(*owner));
            }
        }
    }

    /// Returns the criticality of the most critical cell (Baier 2015, 6.2.1 with the errata).
    ///
    /// That of a cell is the correlation of owning it and winning, as Cohen's kappa: by how much
    /// more often the winner owns the cell than chance `E` would have it, over the most it could.
    fn criticality(&self) -> f64 {
        let all = f64::from(self.playouts);
        let kappa = |cell: &CellCounts| {
            let by_chance: f64 =
                (0..2).map(|seat| f64::from(cell.owned[seat]) * f64::from(self.wins[seat])).sum::<f64>() / (all * all);
            let excess = f64::from(cell.owned_by_winner) / all - by_chance;
            if by_chance < 1.0 { excess / (1.0 - by_chance) } else { 0.0 }
        };
        self.cells.iter().map(kappa).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_games::{Connect4, Go, rules};

    #[test]
    fn criticality_is_the_corrected_kappa() {
        let (black, white) = (Some(Player::FIRST), Some(Player::SECOND));
        let mut ownership = Ownership::default();
        // The owner of the first cell wins always; Black owns the second in any case.
        ownership.add(black, &[black, black]);
        ownership.add(white, &[white, black]);
        ownership.add(black, &[black, black]);
        ownership.add(white, &[white, black]);
        // First cell: E = (2 * 2 + 2 * 2) / 16 = 0.5, kappa = (1 - 0.5) / 0.5 = 1.
        assert_eq!(ownership.criticality(), 1.0);
        // Second cell alone: E = 4 * 2 / 16 = 0.5, kappa = (0.5 - 0.5) / 0.5 = 0.
        ownership.cells.remove(0);
        assert_eq!(ownership.criticality(), 0.0);
        // The winner owns the cell in three of four playouts: E = 0.5, kappa = 0.25 / 0.5.
        let mut ownership = Ownership::default();
        for (winner, owner) in [(black, black), (black, white), (white, white), (white, white)] {
            ownership.add(winner, &[owner]);
        }
        // E = (1 * 2 + 3 * 2) / 16 = 0.5.
        assert_eq!(ownership.criticality(), 0.5);
    }

    #[test]
    fn turns_are_sampled_as_needed() {
        let game = History::<Go>::parse(rules::<Go>("go:5").unwrap(), "start moves C3 D3").unwrap();
        let needs = Needs { length: true, criticality: true };
        let all = turn(&game, needs);
        assert_eq!((all.ply, all.players, all.stones), (2, 2, 2));
        assert!(all.length.unwrap() > 10.0 && all.criticality.unwrap() > 0.0, "{all:?}");
        assert_eq!(turn(&game, needs), all, "the same position, the same estimates");
        assert_eq!(turn(&game, Needs::default()), Turn { length: None, criticality: None, ..all });
        let connect4 = History::<Connect4>::parse(rules::<Connect4>("connect4").unwrap(), "start").unwrap();
        assert_eq!(turn(&connect4, needs).criticality, None);
    }

    #[test]
    fn owners_are_in_the_order_of_the_view() {
        let game = History::<Go>::parse(rules::<Go>("go:5").unwrap(), "start moves A1 E5").unwrap();
        let mut owners = Vec::new();
        assert!(game.position().owners(&mut owners));
        for (cell, owner) in game.position().view().cells.iter().zip(&owners) {
            if let Some(piece) = &cell.piece {
                assert_eq!(piece.owner, *owner, "{}", cell.name);
            }
        }
        assert_eq!(owners.iter().flatten().count(), 2, "empty points reach both");
        // Black is to move, so that its corner is positive; the corner of White is its opposite.
        let shares = ownership(&game).unwrap();
        assert!(shares[20] > 0.0 && shares[4] < 0.0, "{shares:?}");
        assert!(shares.iter().all(|share| (-1.0..=1.0).contains(share)));
    }
}
