//! The schedule of a match: players, openings and seats of every game.

/// A scheduled game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fixture {
    /// Its number in the match.
    pub number: u64,
    /// The number of its opening.
    pub opening: u64,
    /// The player in each seat.
    pub seats: Vec<usize>,
}

/// The games of a match. Every round has one opening, from which every group of players plays once
/// in every seating: two players swap colours, three take all six orders, and two players share
/// three seats in six ways. If there are more players than seats, every group of as many players as
/// seats is a pairing.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    groups: Vec<Vec<usize>>,
    /// The seatings: for every seat an index into the group.
    seatings: Vec<Vec<usize>>,
    /// The games of each group; unlimited if `None`.
    games: Option<u64>,
}

impl Schedule {
    pub fn new(players: usize, seats: usize, games: Option<u64>) -> Schedule {
        let size = players.min(seats);
        Schedule { groups: groups(players, size), seatings: seatings(seats, size), games }
    }

    /// Returns the number of games of a round.
    fn round(&self) -> u64 {
        (self.groups.len() * self.seatings.len()) as u64
    }

    /// Returns the number of games, unless it is unlimited.
    pub fn len(&self) -> Option<u64> {
        self.games.map(|games| games.saturating_mul(self.groups.len() as u64))
    }

    /// Returns the game with this number.
    pub fn fixture(&self, number: u64) -> Fixture {
        let (opening, at) = (number / self.round(), (number % self.round()) as usize);
        let (group, seating) = (&self.groups[at / self.seatings.len()], &self.seatings[at % self.seatings.len()]);
        Fixture { number, opening, seats: seating.iter().map(|&index| group[index]).collect() }
    }

    /// Returns whether the game with this number is part of the match.
    pub fn holds(&self, number: u64) -> bool {
        let seatings = self.seatings.len() as u64;
        let of_group = number / self.round() * seatings + number % seatings;
        self.games.is_none_or(|games| of_group < games)
    }

    /// Iterates over the games in order.
    pub fn fixtures(&self) -> impl Iterator<Item = Fixture> + '_ {
        let round = self.round();
        let rounds = self.games.map_or(u64::MAX, |games| games.div_ceil(self.seatings.len() as u64));
        let numbers = 0..rounds.saturating_mul(round);
        numbers.filter(|&number| self.holds(number)).map(|number| self.fixture(number))
    }
}

/// Returns all groups of `size` players out of `players`, each in order.
fn groups(players: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let with_last = |last: usize| {
        let smaller = groups(last, size - 1);
        smaller.into_iter().map(move |mut group| {
            group.push(last);
            group
        })
    };
    let mut all: Vec<Vec<usize>> = (size - 1..players).flat_map(with_last).collect();
    all.sort();
    all
}

/// Returns all seatings of `players` on `seats` in which every player has at least one seat.
fn seatings(seats: usize, players: usize) -> Vec<Vec<usize>> {
    let count = players.pow(seats as u32);
    let seating = |number: usize| -> Vec<usize> {
        (0..seats).map(|seat| number / players.pow((seats - 1 - seat) as u32) % players).collect()
    };
    (0..count).map(seating).filter(|seating| (0..players).all(|player| seating.contains(&player))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(schedule: &Schedule) -> Vec<Vec<usize>> {
        schedule.fixtures().map(|fixture| fixture.seats).collect()
    }

    #[test]
    fn two_players_swap_colours_on_the_same_opening() {
        let schedule = Schedule::new(2, 2, Some(3));
        let games: Vec<_> = schedule.fixtures().map(|game| (game.number, game.opening, game.seats)).collect();
        assert_eq!(games, [(0, 0, vec![0, 1]), (1, 0, vec![1, 0]), (2, 1, vec![0, 1])]);
        assert_eq!(schedule.len(), Some(3));
        let unlimited = Schedule::new(2, 2, None);
        assert_eq!(unlimited.fixtures().nth(1001).unwrap().opening, 500);
    }

    #[test]
    fn more_players_than_seats_meet_in_all_pairings() {
        let schedule = Schedule::new(3, 2, Some(2));
        assert_eq!(seats(&schedule), [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
        assert_eq!(schedule.len(), Some(6));
        // An odd number of games omits the second game of the last pair of every pairing; numbers
        // stay unique.
        let numbers: Vec<u64> = Schedule::new(3, 2, Some(3)).fixtures().map(|game| game.number).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 8, 10]);
    }

    #[test]
    fn several_seats_are_taken_in_every_order() {
        let all = seats(&Schedule::new(3, 3, Some(6)));
        assert_eq!(all.len(), 6);
        assert_eq!(all[0], [0, 1, 2]);
        let mut sorted = all.clone();
        sorted.dedup();
        assert_eq!(sorted.len(), 6);
        // Two players share three seats; neither takes all of them.
        assert_eq!(seats(&Schedule::new(2, 3, Some(6))).len(), 6);
        assert_eq!(seats(&Schedule::new(2, 1, Some(1))), [[0], [1]]);
    }
}
