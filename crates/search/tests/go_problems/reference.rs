//! An exhaustive solver: every position that can be reached, and fixed points over the graph.
//!
//! It shares nothing with the searches but the rules. Infinite play is decided as the rules decide
//! cycles: the player who retakes with unlimited threats infinitely often loses, otherwise it has
//! the outcome of the length cap.

use rustc_hash::FxHashMap;
use tesuji_core::{Game, Player};
use tesuji_games::GoProblem;
use tesuji_games::go_problem::UNLIMITED;

/// A reachable position.
struct State {
    mover: Player,
    /// The scores of Black, if it is terminal.
    score: Option<i32>,
    /// The positions after each move, and whether the move retakes with unlimited threats.
    next: Vec<(u32, bool)>,
}

/// All positions that can be reached from a root, which has number 0.
pub struct Reference {
    states: Vec<State>,
    positions: Vec<GoProblem>,
    /// The positions before each one, once for every move.
    before: Vec<Vec<u32>>,
    root: GoProblem,
    cycle: i32,
}

impl Reference {
    /// Lists the positions; `None` if there are more than `most`.
    pub fn new(root: &GoProblem, most: usize) -> Option<Reference> {
        let mut numbers = FxHashMap::default();
        numbers.insert(root.key(), 0u32);
        let (mut states, mut open, mut done) = (Vec::new(), vec![*root], 0);
        let mut moves = Vec::new();
        while done < open.len() {
            let position = open[done];
            done += 1;
            moves.clear();
            position.legal_moves(&mut moves);
            let retake = free_retake(&position);
            let mut next = Vec::with_capacity(moves.len());
            for &mv in &moves {
                let mut after = position;
                after.play(mv);
                let new = open.len() as u32;
                let number = *numbers.entry(after.key()).or_insert(new);
                if number == new {
                    open.push(after);
                }
                next.push((number, retake.as_ref().is_some_and(|ban| *ban == position.move_text(mv))));
            }
            let score = position.outcome().map(|outcome| outcome.score(Player::FIRST));
            states.push(State { mover: position.to_move(), score, next });
            if open.len() > most {
                return None;
            }
        }
        let mut before = vec![Vec::new(); states.len()];
        for (number, state) in states.iter().enumerate() {
            for &(next, _) in &state.next {
                before[next as usize].push(number as u32);
            }
        }
        let cycle = root.outcome_at_cap().score(Player::FIRST);
        Some(Reference { states, positions: open, before, root: *root, cycle })
    }

    /// All positions, in the order of the answers.
    pub fn positions(&self) -> &[GoProblem] {
        &self.positions
    }

    /// Whether a player can get a score from each position.
    pub fn holds(&self, player: Player, at_least: i32) -> Vec<bool> {
        self.holds_under(player, at_least, true)
    }

    /// The same, with or without the rule that a cycle with unlimited threats is lost by their
    /// owner.
    pub fn holds_under(&self, player: Player, at_least: i32, retakes_count: bool) -> Vec<bool> {
        let sign = if player == Player::FIRST { 1 } else { -1 };
        let good = |score: i32| sign * score >= at_least;
        let others_retake = self.root.threats(player.opponent()) == UNLIMITED;
        let (on_cycle, on_retakes) = (good(self.cycle), others_retake);
        let has_retakes = retakes_count && self.states.iter().any(|state| state.next.iter().any(|next| next.1));
        match (on_cycle, has_retakes.then_some(on_retakes)) {
            (false, None | Some(false)) => self.reaches(player, &good, &vec![false; self.states.len()]),
            (false, Some(true)) => self.recurs(player, &good),
            (true, retakes) => {
                // What the opponent can force, with the roles of all ends exchanged.
                let bad = |score: i32| !good(score);
                let against = match retakes {
                    None | Some(true) => self.reaches(player.opponent(), &bad, &vec![false; self.states.len()]),
                    Some(false) => self.recurs(player.opponent(), &bad),
                };
                against.into_iter().map(|lost| !lost).collect()
            }
        }
    }

    /// The positions from which a player forces a good end or infinitely many retakes: the largest
    /// set from which a good end or a retake into the set can be forced.
    fn recurs(&self, player: Player, good: &impl Fn(i32) -> bool) -> Vec<bool> {
        let mut set = vec![true; self.states.len()];
        loop {
            let inner = self.reaches(player, good, &set);
            if inner == set {
                return set;
            }
            set = inner;
        }
    }

    /// The positions from which a player forces a good end, or a retake into a set.
    fn reaches(&self, player: Player, good: &impl Fn(i32) -> bool, set: &[bool]) -> Vec<bool> {
        let mut found = vec![false; self.states.len()];
        let mut open: Vec<u32> = (0..self.states.len() as u32).collect();
        while let Some(number) = open.pop() {
            let state = &self.states[number as usize];
            if found[number as usize] {
                continue;
            }
            let step = |&(next, retakes): &(u32, bool)| found[next as usize] || (retakes && set[next as usize]);
            let holds = match state.score {
                Some(score) => good(score),
                None if state.mover == player => state.next.iter().any(step),
                None => state.next.iter().all(step),
            };
            if holds {
                found[number as usize] = true;
                open.extend(&self.before[number as usize]);
            }
        }
        found
    }

    /// The moves of the root after which the player still gets the score.
    pub fn good_moves(&self, holds: &[bool]) -> Vec<String> {
        let mut moves = Vec::new();
        self.root.legal_moves(&mut moves);
        let next = moves.iter().zip(&self.states[0].next);
        next.filter(|(_, (number, _))| holds[*number as usize]).map(|(&mv, _)| self.root.move_text(mv)).collect()
    }
}

/// The banned point, if the player to move may play there for ever.
fn free_retake(position: &GoProblem) -> Option<String> {
    let ban = || position.text().split(' ').nth(2).expect("a ban").to_string();
    (position.threats(position.to_move()) == UNLIMITED).then(ban)
}
