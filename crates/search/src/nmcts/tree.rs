//! The tree of an upper level, whose playouts are whole searches.

use crate::informed::tuned_bonus;
use std::ops::Range;
use tesuji_core::{Game, History, Rng, Rules, TotalF64};

/// A tree with one new node per simulation. Statistics belong to moves, not to positions.
pub struct UpperTree<G: Game> {
    c: f64,
    nodes: Vec<Node>,
    /// The arms of all nodes, those of a node side by side.
    arms: Vec<Arm<G::Move>>,
    /// The node and the arm of every step of the last descent.
    path: Vec<(usize, usize)>,
    /// The most bytes of nodes and arms.
    memory: usize,
    scores: (i32, i32),
}

struct Node {
    first: usize,
    count: usize,
    visits: u64,
}

impl Node {
    fn arms(&self) -> Range<usize> {
        self.first..self.first + self.count
    }
}

/// A move, what was found after it, and the node it leads to.
struct Arm<M> {
    mv: M,
    node: Option<usize>,
    visits: u64,
    sum: f64,
    squares: f64,
}

impl<G: Game> UpperTree<G> {
    /// Creates an empty tree with an exploration constant.
    pub fn new(c: f64, rules: &G::Rules) -> UpperTree<G> {
        let scores = rules.facts().scores;
        UpperTree { c, nodes: Vec::new(), arms: Vec::new(), path: Vec::new(), memory: 0, scores }
    }

    /// The memory of the tree.
    pub fn bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Node>() + self.arms.capacity() * size_of::<Arm<G::Move>>()) as u64
    }

    /// The number of moves of the root.
    pub fn root_moves(&self) -> usize {
        self.nodes[0].count
    }

    /// Begins a search of a position.
    pub fn begin(&mut self, root: &History<G>, memory: usize, rng: &mut Rng) {
        self.nodes.clear();
        self.arms.clear();
        self.memory = memory;
        self.add(root, rng);
    }

    /// Whether there is room for another node. Vectors may double when they grow.
    fn has_room(&self) -> bool {
        let used = self.nodes.len() * size_of::<Node>() + self.arms.len() * size_of::<Arm<G::Move>>();
        2 * used < self.memory
    }

    /// Adds a node, its moves in random order.
    fn add(&mut self, game: &History<G>, rng: &mut Rng) -> usize {
        let mut moves = Vec::new();
        if !game.is_over() {
            game.legal_moves(&mut moves);
        }
        for at in (1..moves.len()).rev() {
            moves.swap(at, rng.below(at + 1));
        }
        self.nodes.push(Node { first: self.arms.len(), count: moves.len(), visits: 0 });
        self.arms.extend(moves.into_iter().map(|mv| Arm { mv, node: None, visits: 0, sum: 0.0, squares: 0.0 }));
        self.nodes.len() - 1
    }

    /// Follows the formula to a position without a node, adds one, and returns the game and the
    /// moves to it. A game that is over ends the descent, and a full tree gets no more nodes.
    pub fn descend(&mut self, root: &History<G>, rng: &mut Rng) -> (History<G>, Vec<G::Move>) {
        self.path.clear();
        let (mut game, mut moves, mut at) = (root.clone(), Vec::new(), 0);
        while self.nodes[at].count > 0 {
            let arm = self.choose(at, rng);
            let Arm { mv, node, .. } = self.arms[arm];
            self.path.push((at, arm));
            game.play(mv);
            moves.push(mv);
            match node {
                Some(node) => at = node,
                None => {
                    if self.has_room() {
                        let added = self.add(&game, rng);
                        self.arms[arm].node = Some(added);
                    }
                    break;
                }
            }
        }
        (game, moves)
    }

    /// The arm with the highest score; the first that was never tried, if there is one.
    fn choose(&self, at: usize, rng: &mut Rng) -> usize {
        let node = &self.nodes[at];
        if let Some(untried) = node.arms().find(|&arm| self.arms[arm].visits == 0) {
            return untried;
        }
        let log = (node.visits as f64).ln();
        let scores: Vec<f64> = self.arms[node.arms()].iter().map(|arm| arm.score(self.c, log)).collect();
        let highest = scores.iter().copied().map(TotalF64).max().expect("a node has arms").0;
        let tied: Vec<usize> = (0..scores.len()).filter(|&arm| scores[arm] == highest).collect();
        node.first + tied[rng.below(tied.len())]
    }

    /// Backs up a score along the last descent.
    pub fn back_up(&mut self, score: i32) {
        let (low, high) = self.scores;
        let value = f64::from(score - low) / f64::from(high - low);
        for &(at, arm) in &self.path {
            self.nodes[at].visits += 1;
            let arm = &mut self.arms[arm];
            arm.visits += 1;
            arm.sum += value;
            arm.squares += value * value;
        }
    }
}

impl<M> Arm<M> {
    /// UCB1-TUNED.
    fn score(&self, c: f64, log: f64) -> f64 {
        let visits = self.visits as f64;
        let mean = self.sum / visits;
        let variance = (self.squares / visits - mean * mean).max(0.0);
        mean + c * tuned_bonus(variance, log / visits)
    }
}
