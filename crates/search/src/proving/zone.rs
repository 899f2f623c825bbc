//! The zone of a proof: the cells it depends on, found after the fact.
//!
//! A win is proven by one reply of the winner at every position that the opponent can force. This
//! walk asks for these replies and builds the zone from the ends of the proof upwards with the
//! [`ZoneRules`] of the game. Where a reply of the opponent turns out to be a null move, that is,
//! where the zone after it has no cell that it changed, all replies that change no cell of that
//! zone are left out (the relevance zones of Thomsen 2000; must-play regions of virtual connections
//! in Hex). Replies that change nothing, such as a pass, are asked about first.
//!
//! Positions are visited once. Where the winner passes, moves that win as well are tried in its
//! place, since a pass leaves no zone. A position that repeats on the path, a reply that is not at
//! hand and a spent budget leave no zone but all cells.

use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use tesuji_core::{CellSet, Knowledge, Player, ZoneRules};

/// What a walk asks about the proof.
pub trait ProofSource<G: Knowledge> {
    /// Returns the winner's move in a position, if it is at hand.
    fn reply(&mut self, position: &G) -> Option<G::Move>;

    /// Returns whether the winner is known to win a position with the opponent to move.
    fn holds(&mut self, position: &G) -> bool;
}

/// A walk through the proof of a win in a game for two.
pub struct ZoneWalk<'a, G: Knowledge> {
    rules: &'a dyn ZoneRules<G>,
    winner: Player,
    source: &'a mut dyn ProofSource<G>,
    /// How many more positions may be visited.
    budget: u64,
    /// The zones of visited positions by key; `None` while the position is on the path.
    zones: FxHashMap<u64, Option<CellSet>>,
}

impl<'a, G: Knowledge> ZoneWalk<'a, G> {
    /// Returns a walk through the proof that `winner` wins, over at most `budget` positions.
    pub fn new(
        rules: &'a dyn ZoneRules<G>,
        winner: Player,
        source: &'a mut dyn ProofSource<G>,
        budget: u64,
    ) -> ZoneWalk<'a, G> {
        ZoneWalk { rules, winner, source, budget, zones: FxHashMap::default() }
    }

    /// Returns the number of positions visited.
    pub fn positions(&self) -> u64 {
        self.zones.len() as u64
    }

    /// Returns the zone of a position that the winner wins; `None` if it is all cells.
    pub fn zone(&mut self, position: &G) -> Option<CellSet> {
        if let Some(outcome) = position.outcome() {
            let is_won = outcome.score(self.winner) > outcome.score(self.winner.opponent());
            return self.rules.at_end(position, self.winner).filter(|_| is_won);
        }
        let key = position.key();
        if let Some(&known) = self.zones.get(&key) {
            return known;
        }
        self.budget = self.budget.checked_sub(1)?;
        self.zones.insert(key, None);
        let zone = if position.to_move() == self.winner {
            self.zone_before_move(position)
        } else {
            self.zone_before_replies(position)
        };
        self.zones.insert(key, zone);
        zone
    }

    /// The zone of a position with the winner to move. A pass has none, but a winner who may pass
    /// can often play as well.
    fn zone_before_move(&mut self, position: &G) -> Option<CellSet> {
        let reply = self.source.reply(position)?;
        if !self.rules.changed(position, reply).is_empty() {
            return self.zone_by(position, reply);
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.retain(|&mv| mv != reply);
        moves.sort_by_key(|&mv| Reverse(position.move_order(mv)));
        moves.into_iter().find_map(|mv| {
            let next = after(position, mv);
            let is_won = next.is_over() || self.source.holds(&next);
            if is_won { self.zone_by(position, mv) } else { None }
        })
    }

    fn zone_by(&mut self, position: &G, mv: G::Move) -> Option<CellSet> {
        let zone = self.zone(&after(position, mv))?;
        self.rules.before_move(position, mv, &zone)
    }

    /// The zone of a position with the opponent to move.
    fn zone_before_replies(&mut self, position: &G) -> Option<CellSet> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut replies: Vec<(G::Move, CellSet)> =
            moves.into_iter().map(|mv| (mv, self.rules.changed(position, mv))).collect();
        replies.sort_by_key(|(_, changed)| !changed.is_empty());
        let mut nulls: Vec<CellSet> = Vec::new();
        let mut union = CellSet::EMPTY;
        for (mv, changed) in replies {
            if nulls.iter().any(|null| null.is_disjoint(&changed)) {
                continue;
            }
            let zone = self.zone(&after(position, mv))?;
            union |= zone;
            if zone.is_disjoint(&changed) {
                nulls.push(zone);
            }
        }
        let within = nulls.into_iter().reduce(|all, null| all & null);
        let within = within.unwrap_or_else(|| (0..CellSet::CAPACITY).collect());
        self.rules.before_replies(position, &within, &union)
    }
}

fn after<G: Knowledge>(position: &G, mv: G::Move) -> G {
    let mut next = position.clone();
    next.play(mv);
    next
}
