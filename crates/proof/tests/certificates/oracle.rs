//! Reference solutions for the tests: enumeration of every line, or retrograde analysis of every
//! position.

use std::collections::HashMap;
use tesuji_core::{Game, History, Rules};
use tesuji_proof::Claim;

/// Returns whether the claim is true, by enumerating every line with its history.
pub fn can_force<G: Game>(game: &mut History<G>, claim: &Claim) -> bool {
    if let Some(outcome) = game.outcome() {
        return claim.holds(&outcome);
    }
    let ours = claim.is_ours(game.position());
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    for mv in moves {
        game.play(mv);
        let holds = can_force(game, claim);
        game.undo();
        if holds == ours {
            return ours;
        }
    }
    !ours
}

/// Returns a reply that keeps the claim true, by enumerating every line.
pub fn exact_reply<G: Game>(game: &History<G>, claim: &Claim) -> Option<G::Move> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves.into_iter().find(|&mv| {
        let mut next = game.clone();
        next.play(mv);
        can_force(&mut next, claim)
    })
}

/// Returns whether the claim can be forced within `plies`.
pub fn forced<G: Game>(game: &mut History<G>, claim: &Claim, plies: u32) -> bool {
    if let Some(outcome) = game.outcome() {
        return claim.holds(&outcome);
    }
    let ours = claim.is_ours(game.position());
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    for mv in moves.into_iter().take(if plies == 0 { 0 } else { usize::MAX }) {
        game.play(mv);
        let holds = forced(game, claim, plies - 1);
        game.undo();
        if holds == ours {
            return ours;
        }
    }
    !ours && plies > 0
}

/// Returns the reply that forces the claim soonest, within `plies`.
pub fn soonest_reply<G: Game>(game: &History<G>, claim: &Claim, plies: u32) -> Option<G::Move> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    (0..plies).find_map(|left| {
        moves.iter().copied().find(|&mv| {
            let mut next = game.clone();
            next.play(mv);
            forced(&mut next, claim, left)
        })
    })
}

/// Replies by position, for games whose cycles all have the same outcome or do not exist.
/// Retrograde analysis of all reachable positions, so only for small games.
pub struct Replies<G: Game> {
    claim: Claim,
    numbers: HashMap<u64, usize>,
    known: Vec<Known<G::Move>>,
}

struct Known<M> {
    ours: bool,
    /// Plies to an end that satisfies the claim, if it can be forced.
    distance: Option<u32>,
    /// Whether the opponents can force an end that violates the claim.
    refuted: bool,
    moves: Vec<(M, To)>,
}

#[derive(Clone, Copy)]
enum To {
    /// Whether a terminal position satisfies the claim.
    End(bool),
    Position(usize),
}

impl<G: Game> Replies<G> {
    pub fn new(root: &History<G>, claim: Claim) -> Replies<G> {
        let mut positions = vec![root.position().clone()];
        let mut numbers = HashMap::from([(root.position().key(), 0)]);
        let mut known = Vec::new();
        while known.len() < positions.len() {
            let position = positions[known.len()].clone();
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let mut look = |mv: G::Move| {
                let mut next = position.clone();
                next.play(mv);
                let to = match next.outcome() {
                    Some(outcome) => To::End(claim.holds(&outcome)),
                    None => To::Position(*numbers.entry(next.key()).or_insert_with(|| {
                        positions.push(next);
                        positions.len() - 1
                    })),
                };
                (mv, to)
            };
            let moves = moves.into_iter().map(&mut look).collect();
            known.push(Known { ours: claim.is_ours(&position), distance: None, refuted: false, moves });
        }
        let mut replies = Replies { claim, numbers, known };
        replies.work_back(true);
        replies.work_back(false);
        replies
    }

    /// The positions where the proving side (or the opponents) can force the end it wants.
    fn work_back(&mut self, proving: bool) {
        let mut parents = vec![Vec::new(); self.known.len()];
        let mut open: Vec<usize> = self.known.iter().map(|known| known.moves.len()).collect();
        let (mut now, mut next) = (Vec::new(), Vec::new());
        for (number, known) in self.known.iter().enumerate() {
            for (_, to) in &known.moves {
                match to {
                    To::Position(child) => parents[*child].push(number),
                    To::End(holds) if *holds == proving => now.push(number),
                    To::End(_) => {}
                }
            }
        }
        for round in 1.. {
            if now.is_empty() {
                break;
            }
            for number in now.drain(..) {
                let known = &mut self.known[number];
                let done = if proving { known.distance.is_some() } else { known.refuted };
                open[number] -= 1;
                // One move suffices for the side that wants it; the other needs all.
                if done || known.ours != proving && open[number] > 0 {
                    continue;
                }
                if proving {
                    known.distance = Some(round);
                } else {
                    known.refuted = true;
                }
                next.extend(&parents[number]);
            }
            std::mem::swap(&mut now, &mut next);
        }
    }

    /// Returns whether the claim is true of a position.
    pub fn holds(&self, root: &History<G>) -> bool {
        let known = &self.known[self.numbers[&root.position().key()]];
        let going_round = root.rules().cycle_outcome().is_some_and(|outcome| self.claim.holds(&outcome));
        known.distance.is_some() || !known.refuted && going_round
    }

    /// Returns a reply that makes progress if possible, and does not lose otherwise.
    pub fn reply(&self, game: &History<G>) -> Option<G::Move> {
        let known = &self.known[*self.numbers.get(&game.position().key())?];
        let cost = |to: To| match to {
            To::End(true) => Some((false, 0)),
            To::End(false) => None,
            To::Position(number) => match self.known[number].distance {
                Some(distance) => Some((false, distance)),
                None => (!self.known[number].refuted).then_some((true, 0)),
            },
        };
        let worth = known.moves.iter().filter_map(|&(mv, to)| Some((cost(to)?, mv)));
        worth.min_by_key(|&(cost, _)| cost).map(|(_, mv)| mv)
    }
}
