//! Who owns the cells at the end of playouts, and which cells decide games.

use crate::Player;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How often each player owned each cell at the end of playouts.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ownership {
    playouts: u64,
    wins: [u64; 2],
    cells: Vec<CellCounts>,
}

/// The counts of a cell.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct CellCounts {
    owned: [u64; 2],
    /// The playouts whose winner owned the cell.
    owned_by_winner: u64,
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
                cell.owned_by_winner += u64::from(winner == Some(*owner));
            }
        }
    }

    /// Returns the number of playouts.
    pub fn playouts(&self) -> u64 {
        self.playouts
    }

    /// Adds the counts of other playouts.
    pub fn merge(&mut self, other: &Ownership) {
        self.playouts += other.playouts;
        self.cells.resize(other.cells.len().max(self.cells.len()), CellCounts::default());
        for seat in 0..2 {
            self.wins[seat] += other.wins[seat];
        }
        for (cell, other) in self.cells.iter_mut().zip(&other.cells) {
            for seat in 0..2 {
                cell.owned[seat] += other.owned[seat];
            }
            cell.owned_by_winner += other.owned_by_winner;
        }
    }

    /// Returns how much each cell belongs to a player, from -1 to 1. There is at least one playout.
    pub fn shares(&self, player: Player) -> Vec<f64> {
        let (mine, theirs) = (player.index(), 1 - player.index());
        let lead = |cell: &CellCounts| cell.owned[mine] as f64 - cell.owned[theirs] as f64;
        self.cells.iter().map(|cell| lead(cell) / self.playouts as f64).collect()
    }

    /// Returns the criticality of the most critical cell (Baier 2015, 6.2.1 with the errata);
    /// 0 without playouts.
    ///
    /// That of a cell is the correlation of owning it and winning, as Cohen's kappa: by how much
    /// more often the winner owns the cell than chance `E` would have it, over the most it could.
    pub fn criticality(&self) -> f64 {
        let all = self.playouts as f64;
        let kappa = |cell: &CellCounts| {
            let by_chance: f64 =
                (0..2).map(|seat| cell.owned[seat] as f64 * self.wins[seat] as f64).sum::<f64>() / (all * all);
            let excess = cell.owned_by_winner as f64 / all - by_chance;
            if by_chance < 1.0 { excess / (1.0 - by_chance) } else { 0.0 }
        };
        self.cells.iter().map(kappa).fold(0.0, f64::max)
    }
}

/// The ownership that a running search counts. Its workers add to it through tallies.
#[derive(Debug, Default)]
pub struct OwnerCounts(Mutex<Ownership>);

impl OwnerCounts {
    /// Returns the counts so far; `None` before the first.
    pub fn get(&self) -> Option<Ownership> {
        Some(self.lock().clone()).filter(|counts| counts.playouts > 0)
    }

    fn lock(&self) -> MutexGuard<'_, Ownership> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The playouts that a worker counts before it adds them to those of the search. Raising it makes
/// counting cheaper and what others see older.
const TALLY_SIZE: u64 = 64;

/// What one worker counts. The rest is added to the counts of the search when it is dropped.
#[derive(Debug)]
pub struct OwnerTally<'c> {
    counts: &'c OwnerCounts,
    own: Ownership,
    owners: Vec<Option<Player>>,
}

impl<'c> OwnerTally<'c> {
    /// Creates an empty tally.
    pub fn new(counts: &'c OwnerCounts) -> OwnerTally<'c> {
        OwnerTally { counts, own: Ownership::default(), owners: Vec::new() }
    }

    /// Returns an empty list for the owners of the cells at the end of the next playout.
    pub fn owners(&mut self) -> &mut Vec<Option<Player>> {
        self.owners.clear();
        &mut self.owners
    }

    /// Counts a playout with the [owners](Self::owners) that were listed.
    pub fn count(&mut self, winner: Option<Player>) {
        self.own.add(winner, &self.owners);
        if self.own.playouts == TALLY_SIZE {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.counts.lock().merge(&self.own);
        self.own = Ownership::default();
    }
}

impl Drop for OwnerTally<'_> {
    fn drop(&mut self) {
        self.flush();
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
        assert_eq!(Ownership::default().criticality(), 0.0);
    }

    #[test]
    fn the_tallies_of_workers_add_up() {
        let (black, white) = (Some(Player::FIRST), Some(Player::SECOND));
        let playouts = [(black, [black, white]), (white, [black, None]), (None, [white, white])];
        let (mut expected, counts) = (Ownership::default(), OwnerCounts::default());
        assert_eq!(counts.get(), None);
        std::thread::scope(|scope| {
            for worker in 0..3 {
                let repeated = playouts.iter().cycle().take(100 + worker);
                repeated.clone().for_each(|(winner, owners)| expected.add(*winner, owners));
                let counts = &counts;
                scope.spawn(move || {
                    let mut tally = OwnerTally::new(counts);
                    for (winner, owners) in repeated {
                        tally.owners().extend(owners);
                        tally.count(*winner);
                    }
                });
            }
        });
        assert_eq!(expected.playouts(), 303);
        assert_eq!(counts.get(), Some(expected));
    }
}
