//! Connections across the board that hold whatever the opponent plays, and the results they prove.
//!
//! Links are adjacent stones, bridges, edge bridges and ziggurats. The cells a link needs are its
//! carrier. A connection is a chain of links with disjoint carriers (a virtual connection;
//! Anshelevich 2002).

use super::grid::{DIRECTIONS, FROM_FIRST, FROM_LAST, Grid, beside, narrowed, opposite};
use super::{BLACK, Hex, WHITE};
use crate::board::bits::{Bits, Words};

/// The number of connections tried to find whether one stone can stop them all. Raising it proves
/// slightly more and takes longer.
const MAX_CONNECTIONS: u32 = 64;
/// The number of chains that a search for connections extends before it gives up. Raising it proves
/// slightly more on large boards and takes longer.
const MAX_CHAINS: u32 = 1000;

/// A connection across the board, perhaps incomplete.
#[derive(Clone, Copy)]
struct Connection<const N: usize> {
    /// The stones of the side, and the added one.
    own: Words<N>,
    /// The empty cells outside all carriers.
    free: Words<N>,
    /// The stones on the connection.
    visited: Words<N>,
    /// Whether a stone may still be added.
    may_add: bool,
}

/// Receives connections until it has enough.
struct Receiver<'f, const N: usize> {
    /// Returns whether a connection is enough.
    accept: &'f mut dyn FnMut(Connection<N>) -> bool,
    /// The number of chains that may still be extended.
    chains_left: u32,
}

impl<const N: usize> Grid<N> {
    /// The cells that bridge to a set: they share two empty neighbours with it, of which the
    /// opponent can take only one.
    #[inline]
    pub fn bridges(&self, set: Words<N>, empty: Words<N>) -> Words<N> {
        (0..DIRECTIONS).fold(Words::EMPTY, |all, one| {
            let other = (one + 1) % DIRECTIONS;
            all | self.step(self.step(set, one) & empty, other) & self.step(self.step(set, other) & empty, one)
        })
    }

    /// The cells that bridge to an edge: they touch two adjacent cells of it. The directions lead
    /// away from the edge.
    #[inline]
    fn bridges_from(&self, edge: Words<N>, (one, other): (usize, usize)) -> Words<N> {
        self.step(edge, one) & self.step(edge, other)
    }

    /// The cells of the third row that are connected to an edge by a ziggurat. Of three cells in
    /// the second row that bridge to the edge, two are touched and one, on the side of the first
    /// direction, is bridged to; no cell is needed by all three. `edge` is the free part of the
    /// edge, and the directions lead away from it.
    #[inline]
    fn ziggurats(&self, edge: Words<N>, free: Words<N>, (one, other): (usize, usize)) -> Words<N> {
        let second = self.bridges_from(edge, (one, other)) & free;
        let aside = beside(one, other);
        let bridged = self.step(self.step(second, one) & free, aside);
        self.step(second, one) & self.step(second, other) & bridged
    }

    /// The eight cells that the ziggurat of a stone needs.
    fn ziggurat_carrier(&self, stone: Words<N>, (one, other): (usize, usize)) -> Words<N> {
        let aside = self.step(stone, opposite(beside(one, other)));
        let second = self.bridge_carrier(stone, one, other) | self.step(aside, opposite(one));
        aside | second | self.bridge_carrier(second, one, other)
    }

    /// The number of stones a side still needs if every bridge holds, and with `ziggurats` every
    /// ziggurat: the shortest path over neighbours and bridges, where own stones are free. Links
    /// that share a cell all count as safe. `None` if the side is cut off.
    pub fn distance(&self, stones: [Words<N>; 2], seat: usize, ziggurats: bool) -> Option<i32> {
        let own = stones[seat];
        let empty = self.cells & !(stones[BLACK] | stones[WHITE]);
        let first = self.first_edge(seat);
        let last = self.last_edge(seat);
        let linked = |edge: Words<N>, away: (usize, usize)| {
            let edge = edge & empty;
            let bridges = self.bridges_from(edge, away);
            if ziggurats {
                bridges | self.ziggurats(edge, empty, away) | self.ziggurats(edge, empty, (away.1, away.0))
            } else {
                bridges
            }
        };
        let start = first | linked(first, FROM_FIRST[seat]);
        let goal = last | linked(last, FROM_LAST[seat]);
        let near = |set: Words<N>| self.neighbours(set) | self.bridges(set, empty);
        let mut reached = Words::EMPTY;
        let mut new = start & own;
        let mut cost = 0;
        loop {
            while !new.is_empty() {
                reached |= new;
                new = near(new) & own & !reached;
            }
            if !(reached & goal).is_empty() {
                return Some(cost);
            }
            new = (start | near(reached)) & empty & !reached;
            if new.is_empty() {
                return None;
            }
            cost += 1;
        }
    }

    /// Passes the connections across the board of a side to `accept` until it returns true, and
    /// returns whether it did. Gives up after [`MAX_CHAINS`].
    ///
    /// A connection runs over stones of the side, edge links and bridges, no two of which need the
    /// same cell, so that every intrusion can be answered locally. With `may_add` it may include
    /// one more stone. `joined` are the stones connected to the first edge.
    fn connections(
        &self,
        stones: [Words<N>; 2],
        joined: Words<N>,
        seat: usize,
        may_add: bool,
        accept: &mut dyn FnMut(Connection<N>) -> bool,
    ) -> bool {
        let free = self.cells & !(stones[BLACK] | stones[WHITE]);
        let start = Connection { own: stones[seat], free, visited: joined, may_add };
        let edge = self.first_edge(seat) & free;
        let (one, other) = FROM_FIRST[seat];
        let bridges = self.bridges_from(edge, (one, other));
        let mut receiver = Receiver { accept, chains_left: MAX_CHAINS };
        let to = &mut receiver;
        let is_over = self.extend_chain(seat, start, joined, to)
            || self.extend_onto(seat, start, edge, |_| Words::EMPTY, to)
            || self.extend_onto(seat, start, bridges, |cell| self.bridge_carrier(cell, one, other), to)
            || [(one, other), (other, one)].into_iter().any(|away| {
                let cells = self.ziggurats(edge, free, away);
                self.extend_onto(seat, start, cells, |cell| self.ziggurat_carrier(cell, away), to)
            });
        is_over && receiver.chains_left > 0
    }

    /// The two cells from which a step in either direction leads to a cell: the carrier of a
    /// bridge.
    #[inline]
    fn bridge_carrier(&self, cells: Words<N>, one: usize, other: usize) -> Words<N> {
        self.step(cells, opposite(one)) | self.step(cells, opposite(other))
    }

    /// Passes on the connections that continue from a chain, and returns whether to stop.
    fn extend_chain(
        &self,
        seat: usize,
        partial: Connection<N>,
        chain: Words<N>,
        receiver: &mut Receiver<'_, N>,
    ) -> bool {
        receiver.chains_left -= 1;
        if receiver.chains_left == 0 {
            return true;
        }
        let last = self.last_edge(seat);
        if !(chain & last).is_empty() {
            return (receiver.accept)(partial);
        }
        let edge = last & partial.free;
        let mut reaches_edge = |cells: Words<N>, carrier: &dyn Fn(Words<N>) -> Words<N>| {
            let mut linked = (chain & cells).members();
            linked.any(|cell| {
                (receiver.accept)(Connection { free: partial.free & !carrier(Words::single(cell)), ..partial })
            })
        };
        let (one, other) = FROM_LAST[seat];
        if reaches_edge(self.bridges_from(edge, (one, other)), &|cell| self.bridge_carrier(cell, one, other)) {
            return true;
        }
        for away in [(one, other), (other, one)] {
            if reaches_edge(self.ziggurats(edge, partial.free, away), &|cell| self.ziggurat_carrier(cell, away)) {
                return true;
            }
        }
        let beside = self.neighbours(chain) & partial.free;
        if partial.may_add && self.extend_onto(seat, partial, beside, |_| Words::EMPTY, receiver) {
            return true;
        }
        (0..DIRECTIONS).any(|one| {
            let other = (one + 1) % DIRECTIONS;
            let (left, right) = (self.step(chain, one) & partial.free, self.step(chain, other) & partial.free);
            let onto = self.step(left, other) & self.step(right, one);
            self.extend_onto(seat, partial, onto, |cell| self.bridge_carrier(cell, one, other), receiver)
        })
    }

    /// Passes on the connections that continue over one of the cells `onto`. `carrier` returns the
    /// cells that the link to a cell needs.
    fn extend_onto(
        &self,
        seat: usize,
        partial: Connection<N>,
        onto: Words<N>,
        carrier: impl Fn(Words<N>) -> Words<N>,
        receiver: &mut Receiver<'_, N>,
    ) -> bool {
        let cells = if partial.may_add { partial.own | partial.free } else { partial.own };
        (onto & cells & !partial.visited).members().any(|cell| {
            let stone = Words::single(cell);
            let own = partial.own | stone;
            let chain = self.flood(own, Words::EMPTY, stone);
            let next = Connection {
                own,
                free: partial.free & !(carrier(stone) | stone),
                visited: partial.visited | chain,
                may_add: partial.may_add && partial.own.contains(cell),
            };
            self.extend_chain(seat, next, chain, receiver)
        })
    }
}

impl Hex {
    /// Passes the connections of a side to `accept` if the side needs no more than the stone it may
    /// add; see [`Grid::connections`].
    fn connections_on<const N: usize>(
        &self,
        grid: Grid<N>,
        seat: usize,
        may_add: bool,
        accept: &mut dyn FnMut(Connection<N>) -> bool,
    ) -> bool {
        let stones = self.stones.map(|stones| narrowed(&stones));
        let is_near = grid.distance(stones, seat, true).is_some_and(|missing| missing <= i32::from(may_add));
        is_near && grid.connections(stones, narrowed(&self.joined[seat]), seat, may_add, accept)
    }

    /// The winner, if connections prove it.
    pub(super) fn static_winner_on<const N: usize>(&self, grid: Grid<N>) -> Option<usize> {
        let (mover, waiting) = (self.to_move.index(), 1 - self.to_move.index());
        if self.connections_on(grid, mover, true, &mut |_| true) {
            return Some(mover);
        }
        if self.connections_on(grid, waiting, false, &mut |_| true) {
            return Some(waiting);
        }
        // The cells that all connections lacking a stone need: the mover can stop them all only
        // there.
        let (mut needed, mut seen) = (narrowed(&self.empty()), 0);
        self.connections_on(grid, waiting, true, &mut |connection| {
            needed &= !connection.free;
            seen += 1;
            needed.is_empty() || seen == MAX_CONNECTIONS
        });
        needed.is_empty().then_some(waiting)
    }

    /// The stone that the side to move lacks, or one that completes a link, on the connection that
    /// needs the fewest cells.
    pub(super) fn static_move_on<const N: usize>(&self, grid: Grid<N>) -> Option<u16> {
        let (seat, empty) = (self.to_move.index(), narrowed(&self.empty()));
        let own: Words<N> = narrowed(&self.stones[seat]);
        let (mut best, mut fewest, mut seen) = (None, u32::MAX, 0);
        self.connections_on(grid, seat, true, &mut |connection| {
            let needed = empty & !connection.free;
            if needed.count() < fewest {
                fewest = needed.count();
                let touching = |&cell: &usize| (grid.neighbours(Words::single(cell)) & needed).count();
                let link = (needed & grid.neighbours(own)).members().max_by_key(touching);
                best = if connection.may_add { link } else { Some((connection.own & !own).lowest()) };
            }
            seen += 1;
            seen == MAX_CONNECTIONS
        });
        best.map(|cell| cell as u16)
    }

    /// Whether static bounds are computed: before White's first stone, a swap may change the sides.
    pub(super) fn has_static_bounds(&self) -> bool {
        !(self.rules.swap && self.stones[WHITE].is_empty())
    }
}
