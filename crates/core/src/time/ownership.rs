//! Who owns the cells at the end of playouts, and which cells decide games.

use crate::Player;

/// How often each player owned each cell at the end of playouts.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ownership {
    playouts: u32,
    wins: [u32; 2],
    cells: Vec<CellCounts>,
}

/// The counts of a cell.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct CellCounts {
    owned: [u32; 2],
    /// The playouts whose winner owned the cell.
    owned_by_winner: u32,
}

impl Ownership {
    /// Adds a playout: its winner, and the owner of each cell at its end.
    pub fn add(&mut self, winner: Option<Player>, owners: &[Option<Player>]) {
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

    /// Returns how much each cell belongs to a player, from -1 to 1.
    pub fn shares(&self, player: Player) -> Vec<f64> {
        let (mine, theirs) = (player.index(), 1 - player.index());
        let lead = |cell: &CellCounts| f64::from(cell.owned[mine]) - f64::from(cell.owned[theirs]);
        self.cells.iter().map(|cell| lead(cell) / f64::from(self.playouts)).collect()
    }

    /// Returns the criticality of the most critical cell (Baier 2015, 6.2.1 with the errata).
    ///
    /// That of a cell is the correlation of owning it and winning, as Cohen's kappa: by how much
    /// more often the winner owns the cell than chance `E` would have it, over the most it could.
    pub fn criticality(&self) -> f64 {
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

    #[test]
    fn criticality_is_the_corrected_kappa() {
        let (black, white) = (Some(Player::FIRST), Some(Player::SECOND));
        let mut ownership = Ownership::default();
        // The owner of the first cell wins always; Black owns the second in any case.
        ownership.add(black, &[black, black]);
        ownership.add(white, &[white, black]);
        ownership.add(black, &[black, black]);
        ownership.add(white, &[white, black]);
        assert_eq!(ownership.shares(Player::SECOND), [0.0, -1.0]);
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
}
