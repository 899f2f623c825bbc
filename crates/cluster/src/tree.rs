//! The master's tree of a question: proof numbers over positions whose leaves are jobs.
//!
//! A leaf is *locked* while a worker has it; a node is locked if all its unsolved children are. The
//! numbers of a node are those of proof-number search, except that only unlocked children count for
//! the minimum, so that the next job is the best leaf that no worker has. A locked node takes the
//! maximum instead (PNS-PDFPN, arXiv 2511.10339).
//!
//! Nodes with the same identity are one node. Where positions can repeat, the identity of a node is
//! its whole path, because a result may depend on it.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tesuji_core::{INFINITE, ProofNumbers};

/// The number of a node.
pub type NodeId = u32;

/// The root.
pub const ROOT: NodeId = 0;

/// The largest number of an unsolved node.
const LARGEST: u32 = INFINITE - 1;

/// A position to be added to a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewNode {
    /// What two equal nodes share.
    pub identity: String,
    /// Whether the player of the question is to move.
    pub prover_moves: bool,
    /// The first numbers, or those of a position that is solved.
    pub numbers: ProofNumbers,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Node {
    prover_moves: bool,
    /// The proof and the disproof number.
    numbers: (u32, u32),
    /// Moves and the nodes they lead to; none for a leaf.
    children: Vec<(String, NodeId)>,
    parents: Vec<NodeId>,
    /// Whether a worker has the leaf, or all unsolved children are locked.
    #[serde(skip)]
    locked: bool,
    /// How often a worker has reported on the leaf.
    reports: u32,
    /// The move of the worker that solved the leaf.
    best: Option<String>,
    /// The worker that searched the leaf last.
    worker: Option<usize>,
}

/// A tree of proof numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tree {
    nodes: Vec<Node>,
    by_identity: FxHashMap<String, NodeId>,
}

/// The answer that numbers give.
pub fn answer(numbers: ProofNumbers) -> Option<bool> {
    match (numbers.proof, numbers.disproof) {
        (0, _) => Some(true),
        (_, 0) => Some(false),
        _ => None,
    }
}

/// The numbers of an answer.
pub fn of_answer(holds: bool) -> ProofNumbers {
    let (proof, disproof) = if holds { (0, INFINITE) } else { (INFINITE, 0) };
    ProofNumbers { proof, disproof }
}

/// The number that the player to move wants to be small, and the other one.
fn phi_delta((proof, disproof): (u32, u32), prover_moves: bool) -> (u32, u32) {
    if prover_moves { (proof, disproof) } else { (disproof, proof) }
}

impl Tree {
    /// Returns a tree of one leaf.
    pub fn new(root: NewNode) -> Tree {
        let mut tree = Tree { nodes: Vec::new(), by_identity: FxHashMap::default() };
        tree.add(root, None);
        tree
    }

    /// Adds a node, or a parent of the node with the same identity.
    fn add(&mut self, new: NewNode, parent: Option<NodeId>) -> NodeId {
        if let Some(&known) = self.by_identity.get(&new.identity) {
            self.nodes[known as usize].parents.extend(parent);
            return known;
        }
        let id = self.nodes.len() as NodeId;
        self.by_identity.insert(new.identity, id);
        self.nodes.push(Node {
            prover_moves: new.prover_moves,
            numbers: (new.numbers.proof, new.numbers.disproof),
            children: Vec::new(),
            parents: parent.into_iter().collect(),
            locked: false,
            reports: 0,
            best: None,
            worker: None,
        });
        id
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the numbers of a node.
    pub fn numbers(&self, id: NodeId) -> ProofNumbers {
        let (proof, disproof) = self.node(id).numbers;
        ProofNumbers { proof, disproof }
    }

    /// Returns the answer at a node, if it is solved.
    pub fn answer(&self, id: NodeId) -> Option<bool> {
        answer(self.numbers(id))
    }

    /// Returns the node with an identity.
    pub fn find(&self, identity: &str) -> Option<NodeId> {
        self.by_identity.get(identity).copied()
    }

    /// Returns the moves of a node and the nodes they lead to.
    pub fn children(&self, id: NodeId) -> &[(String, NodeId)] {
        &self.node(id).children
    }

    /// Returns the worker that searched a leaf last.
    pub fn worker(&self, id: NodeId) -> Option<usize> {
        self.node(id).worker
    }

    /// Returns the best move of a node: the one that solves it, or the next to search.
    pub fn best(&self, id: NodeId) -> Option<&str> {
        let node = self.node(id);
        let phi = |&&(_, child): &&(String, NodeId)| phi_delta(self.node(child).numbers, node.prover_moves).0;
        let child = node.children.iter().min_by_key(phi).map(|(mv, _)| mv.as_str());
        child.or(node.best.as_deref())
    }

    /// Returns the best moves from a node on, as far as the tree goes.
    pub fn line(&self, mut id: NodeId) -> Vec<String> {
        let mut line = Vec::new();
        while let Some(mv) = self.best(id) {
            line.push(mv.to_string());
            match self.node(id).children.iter().find(|(text, _)| text == mv) {
                Some((_, child)) => id = *child,
                None => break,
            }
        }
        line
    }

    /// Whether the answer at the root can still depend on a node.
    pub fn matters(&self, id: NodeId) -> bool {
        let mut seen = vec![id];
        let mut at = 0;
        while let Some(&id) = seen.get(at) {
            at += 1;
            if self.answer(id).is_some() {
                continue;
            }
            if id == ROOT {
                return true;
            }
            for parent in &self.node(id).parents {
                if !seen.contains(parent) {
                    seen.push(*parent);
                }
            }
        }
        false
    }

    /// Returns the leaf to search next, with the moves that lead to it; `None` if all are locked or
    /// the root is solved.
    pub fn select(&self) -> Option<(NodeId, Vec<String>)> {
        let (mut id, mut line) = (ROOT, Vec::new());
        if self.node(ROOT).locked || self.answer(ROOT).is_some() {
            return None;
        }
        while !self.node(id).children.is_empty() {
            let node = self.node(id);
            let open = node.children.iter().filter(|(_, child)| self.is_open(*child));
            let (mv, child) = open.min_by_key(|(_, child)| {
                let child = self.node(*child);
                (phi_delta(child.numbers, node.prover_moves).0, child.reports)
            })?;
            line.push(mv.clone());
            id = *child;
        }
        Some((id, line))
    }

    /// Whether a node is neither solved nor locked.
    fn is_open(&self, id: NodeId) -> bool {
        !self.node(id).locked && self.answer(id).is_none()
    }

    /// Locks a leaf for a worker.
    pub fn lock(&mut self, leaf: NodeId, worker: usize) {
        let node = &mut self.nodes[leaf as usize];
        (node.locked, node.worker) = (true, Some(worker));
        self.update_above(leaf);
    }

    /// Unlocks a leaf.
    pub fn unlock(&mut self, leaf: NodeId) {
        self.nodes[leaf as usize].locked = false;
        self.update_above(leaf);
    }

    /// Sets the numbers that a worker reported of a leaf, and returns how often one has. `best` is
    /// its move if it solved the leaf.
    pub fn report(&mut self, leaf: NodeId, numbers: ProofNumbers, best: Option<String>) -> u32 {
        let node = &mut self.nodes[leaf as usize];
        node.numbers = (numbers.proof, numbers.disproof);
        node.reports += 1;
        if answer(numbers).is_some() {
            node.best = best;
        }
        let reports = node.reports;
        self.update_above(leaf);
        reports
    }

    /// Gives a leaf its children, and unlocks it.
    pub fn expand(&mut self, leaf: NodeId, children: Vec<(String, NewNode)>) {
        let children = children.into_iter().map(|(mv, new)| (mv, self.add(new, Some(leaf)))).collect();
        let node = &mut self.nodes[leaf as usize];
        node.children = children;
        node.locked = false;
        self.update(leaf);
        self.update_above(leaf);
    }

    /// Updates everything above a node.
    fn update_above(&mut self, id: NodeId) {
        let mut changed = self.node(id).parents.clone();
        while let Some(id) = changed.pop() {
            if self.update(id) {
                changed.extend_from_slice(&self.node(id).parents);
            }
        }
    }

    /// Whether all links lead to nodes, and the root is one.
    pub fn is_consistent(&self) -> bool {
        let exists = |id: &NodeId| (*id as usize) < self.nodes.len();
        let links =
            |node: &Node| node.parents.iter().all(exists) && node.children.iter().all(|(_, child)| exists(child));
        !self.nodes.is_empty() && self.nodes.iter().all(links) && self.by_identity.values().all(exists)
    }

    /// Computes the numbers and the lock of an inner node; false if nothing changed.
    fn update(&mut self, id: NodeId) -> bool {
        let node = self.node(id);
        let mut least = INFINITE;
        let (mut least_unlocked, mut most_locked, mut sum) = (None::<u32>, 0, 0u64);
        for &(_, child) in &node.children {
            let child = self.node(child);
            let (phi, delta) = phi_delta(child.numbers, node.prover_moves);
            least = least.min(phi);
            sum += u64::from(delta);
            let is_solved = child.numbers.0 == 0 || child.numbers.1 == 0;
            match child.locked {
                _ if is_solved => {}
                true => most_locked = most_locked.max(phi),
                false => least_unlocked = Some(least_unlocked.map_or(phi, |least| least.min(phi))),
            }
        }
        let (phi, delta) = match least {
            0 => (0, INFINITE),
            INFINITE => (INFINITE, 0),
            _ => (least_unlocked.unwrap_or(most_locked), sum.min(u64::from(LARGEST)) as u32),
        };
        let is_solved = phi == 0 || delta == 0;
        let locked = !is_solved && least_unlocked.is_none();
        let numbers = phi_delta((phi, delta), node.prover_moves);
        let node = &mut self.nodes[id as usize];
        let before = (node.numbers, node.locked);
        (node.numbers, node.locked) = (numbers, locked);
        before != (numbers, locked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(identity: &str, prover_moves: bool, proof: u32, disproof: u32) -> NewNode {
        NewNode { identity: identity.to_string(), prover_moves, numbers: ProofNumbers { proof, disproof } }
    }

    /// A root where the prover moves, with two leaves. The numbers of the leaves are negamax
    /// numbers of the source: its pn of a child is our disproof number, and its dn our proof
    /// number.
    fn two_leaves() -> Tree {
        let mut tree = Tree::new(node("root", true, 1, 1));
        let children = [("a", node("a", false, 2, 3)), ("b", node("b", false, 4, 1))];
        tree.expand(ROOT, children.map(|(mv, child)| (mv.to_string(), child)).to_vec());
        tree
    }

    fn numbers(tree: &Tree) -> (u32, u32) {
        let ProofNumbers { proof, disproof } = tree.numbers(ROOT);
        (proof, disproof)
    }

    #[test]
    fn locks_move_the_selection_to_the_next_leaf() {
        let mut tree = two_leaves();
        assert_eq!(numbers(&tree), (2, 4));
        let (a, line) = tree.select().unwrap();
        assert_eq!(line, ["a"]);
        tree.lock(a, 0);
        assert_eq!(numbers(&tree), (4, 4));
        let (b, line) = tree.select().unwrap();
        assert_eq!(line, ["b"]);
        tree.lock(b, 1);
        assert_eq!((numbers(&tree), tree.select()), ((4, 4), None));
        tree.report(a, ProofNumbers { proof: 1, disproof: 5 }, None);
        assert_eq!(numbers(&tree), (4, 6));
        tree.report(a, of_answer(true), Some("x".to_string()));
        assert_eq!((tree.answer(ROOT), tree.best(ROOT), tree.best(a)), (Some(true), Some("a"), Some("x")));
        assert_eq!(tree.select(), None);
    }

    #[test]
    fn a_lost_worker_leaves_no_lock() {
        let mut tree = two_leaves();
        let before = numbers(&tree);
        let (a, _) = tree.select().unwrap();
        tree.lock(a, 0);
        tree.unlock(a);
        assert_eq!((numbers(&tree), tree.select().map(|(leaf, _)| leaf)), (before, Some(a)));
    }

    #[test]
    fn solved_children_do_not_lock_a_node() {
        let mut tree = two_leaves();
        let (a, _) = tree.select().unwrap();
        tree.lock(a, 0);
        tree.report(2, of_answer(false), None);
        assert_eq!((tree.select(), tree.answer(ROOT)), (None, None));
        tree.unlock(a);
        tree.report(a, of_answer(false), None);
        assert_eq!(tree.answer(ROOT), Some(false));
    }

    #[test]
    fn transpositions_are_one_node() {
        let mut tree = two_leaves();
        for leaf in [1, 2] {
            tree.expand(leaf, vec![("c".to_string(), node("shared", true, 1, 7))]);
        }
        assert_eq!((tree.len(), numbers(&tree)), (4, (1, 14)));
        tree.report(3, of_answer(true), None);
        assert_eq!(tree.answer(ROOT), Some(true));
    }

    /// Whatever is locked and reported in which order, the numbers of the root are those of a
    /// computation from nothing, and the answer is that of minimax.
    #[test]
    fn the_numbers_are_those_of_a_fresh_computation() {
        for seed in 0..100 {
            let mut rng = tesuji_core::Rng::stream(seed, 0);
            let mut tree = Tree::new(node("", true, 1, 1));
            let mut locked: Vec<NodeId> = Vec::new();
            for step in 0..200 {
                let Some((leaf, line)) = tree.select() else {
                    let Some(leaf) = locked.pop() else { break };
                    tree.unlock(leaf);
                    continue;
                };
                match rng.below(4) {
                    0 => {
                        tree.lock(leaf, 0);
                        locked.push(leaf);
                    }
                    1 if line.len() > 2 => {
                        tree.report(leaf, of_answer(rng.below(2) == 0), None);
                    }
                    _ => {
                        let to_move = line.len() % 2 == 1;
                        let child = |mv: usize| (mv.to_string(), node(&format!("{step} {mv}"), to_move, 1, 1));
                        tree.expand(leaf, (0..1 + rng.below(3)).map(child).collect());
                    }
                }
                let mut fresh = tree.clone();
                // Children have larger numbers than their parents here.
                for id in (0..fresh.len() as NodeId).rev() {
                    if !fresh.children(id).is_empty() {
                        assert!(!fresh.update(id), "seed {seed}, step {step}, node {id}");
                    }
                }
            }
        }
    }
}
