//! The tree of an upper level, whose playouts are whole searches.

use tesuji_core::{Game, History, Rng, Rules, TotalF64};

/// A tree with one new node per simulation. Statistics belong to moves, not to positions.
pub struct UpperTree<G: Game> {
    c: f64,
    nodes: Vec<Node<G::Move>>,
    /// The node and the arm of every step of the last descent.
    path: Vec<(usize, usize)>,
    /// The largest number of nodes.
    capacity: usize,
    scores: (i32, i32),
}

struct Node<M> {
    arms: Vec<Arm<M>>,
    visits: u64,
}

/// A move, what was found after it, and the node it leads to.
struct Arm<M> {
    mv: M,
    node: Option<usize>,
    visits: u64,
    sum: f64,
    squares: f64,
}

/// The bytes of a node: the node itself, and about as many arms as a position has moves.
const NODE_BYTES: usize = 48;

impl<G: Game> UpperTree<G> {
    /// Creates an empty tree with an exploration constant.
    pub fn new(c: f64, rules: &G::Rules) -> UpperTree<G> {
        UpperTree { c, scores: rules.facts().scores, ..UpperTree::empty() }
    }

    /// A tree that takes the place of one in use.
    pub fn empty() -> UpperTree<G> {
        UpperTree { c: 0.0, nodes: Vec::new(), path: Vec::new(), capacity: 0, scores: (0, 1) }
    }

    /// The memory of the tree.
    pub fn bytes(&self) -> u64 {
        let arms: usize = self.nodes.iter().map(|node| node.arms.capacity()).sum();
        (self.nodes.capacity() * size_of::<Node<G::Move>>() + arms * size_of::<Arm<G::Move>>()) as u64
    }

    /// The number of moves of the root.
    pub fn root_moves(&self) -> usize {
        self.nodes[0].arms.len()
    }

    /// Begins a search of a position.
    pub fn begin(&mut self, root: &History<G>, memory: usize, rng: &mut Rng) {
        self.nodes.clear();
        self.add(root, rng);
        let arms = self.nodes[0].arms.len().max(1);
        self.capacity = (memory / (NODE_BYTES + arms * size_of::<Arm<G::Move>>())).max(1);
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
        let arms = moves.into_iter().map(|mv| Arm { mv, node: None, visits: 0, sum: 0.0, squares: 0.0 }).collect();
        self.nodes.push(Node { arms, visits: 0 });
        self.nodes.len() - 1
    }

    /// Follows the formula to a position without a node, adds one, and returns the game and the
    /// moves to it. A game that is over ends the descent, and a full tree gets no more nodes.
    pub fn descend(&mut self, root: &History<G>, rng: &mut Rng) -> (History<G>, Vec<G::Move>) {
        self.path.clear();
        let (mut game, mut moves, mut at) = (root.clone(), Vec::new(), 0);
        while !self.nodes[at].arms.is_empty() {
            let arm = self.choose(at, rng);
            let Arm { mv, node, .. } = self.nodes[at].arms[arm];
            self.path.push((at, arm));
            game.play(mv);
            moves.push(mv);
            match node {
                Some(node) => at = node,
                None => {
                    if self.nodes.len() < self.capacity {
                        let added = self.add(&game, rng);
                        self.nodes[at].arms[arm].node = Some(added);
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
        if let Some(untried) = node.arms.iter().position(|arm| arm.visits == 0) {
            return untried;
        }
        let log = (node.visits as f64).ln();
        let scores: Vec<f64> = node.arms.iter().map(|arm| arm.score(self.c, log)).collect();
        let highest = scores.iter().copied().map(TotalF64).max().expect("a node has arms").0;
        let tied: Vec<usize> = (0..scores.len()).filter(|&arm| scores[arm] == highest).collect();
        tied[rng.below(tied.len())]
    }

    /// Backs up a score along the last descent.
    pub fn back_up(&mut self, score: i32) {
        let (low, high) = self.scores;
        let value = f64::from(score - low) / f64::from(high - low);
        for &(at, arm) in &self.path {
            let node = &mut self.nodes[at];
            node.visits += 1;
            let arm = &mut node.arms[arm];
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
        let variance = (self.squares / visits - mean * mean).max(0.0) + (2.0 * log / visits).sqrt();
        mean + c * (log / visits * variance.min(0.25)).sqrt()
    }
}
