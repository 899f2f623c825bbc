//! The reuse of a tree for later positions and other questions.

use super::BestFirst;
use crate::proving::initial::Initial;
use crate::proving::numbers::{answer, of_answer};
use crate::proving::path::{CycleRule, RepetitionModel, SearchPath};
use crate::proving::tree::{ROOT, Tree};
use std::convert::Infallible;
use tesuji_core::{History, Knowledge, Player, ProofNumbers, Question};

/// The tree of the last question.
pub(super) struct KeptTree<G: Knowledge> {
    pub root: History<G>,
    pub player: Player,
    pub at_least: i32,
    /// The index of the repetition model among those of the question.
    pub model: usize,
    /// The maximal number of nodes.
    pub capacity: usize,
    pub tree: Tree<G::Move>,
}

impl<G: Knowledge> BestFirst<G> {
    /// Returns a tree for a question: the kept one, if it is about the same player and the same or
    /// an earlier position, or a new one. `nodes` are the maximal nodes of the first tree, and of
    /// all trees together.
    pub(super) fn prepare(
        &mut self,
        root: &History<G>,
        question: &Question,
        nodes: (usize, usize),
        filler: G::Move,
    ) -> &mut KeptTree<G> {
        let max_children = root.facts().move_indices;
        let kept = self.kept.take().and_then(|kept| {
            let same_player = kept.player == question.prover();
            let same_game = kept.root.positions()[0] == root.positions()[0] && kept.root.rules() == root.rules();
            let moves = if same_game { root.moves().strip_prefix(kept.root.moves()) } else { None };
            let kept = moves.filter(|_| same_player).and_then(|moves| kept.moved_to(root, question, moves, nodes))?;
            let same_score = kept.at_least == question.at_least;
            if same_score { Some(kept) } else { kept.for_other_score(question, &self.settings.initial) }
        });
        let new = || KeptTree {
            root: root.clone(),
            player: question.prover(),
            at_least: question.at_least,
            model: 0,
            capacity: nodes.0,
            tree: Tree::new(nodes.0, max_children, filler),
        };
        self.kept.insert(kept.unwrap_or_else(new))
    }
}

impl<G: Knowledge> KeptTree<G> {
    /// Moves the root to the position after a sequence of moves, if the tree serves there.
    fn moved_to(
        mut self,
        root: &History<G>,
        question: &Question,
        moves: &[G::Move],
        (capacity, all_nodes): (usize, usize),
    ) -> Option<KeptTree<G>> {
        if !moves.is_empty() {
            // Where a cycle is evaluated by the path from the root, the results below another root
            // come from another path.
            let models = RepetitionModel::all(root, question);
            if models.len() > 1 || matches!(models[0].cycles, CycleRule::Answer(_)) {
                return None;
            }
            let index = find(&self.tree, moves)?;
            // A root needs the children that a solved node has removed.
            let is_solved = answer(self.tree.at(index).numbers()).is_some();
            if is_solved && self.tree.children(index).is_none_or(|block| !block.is_complete()) {
                return None;
            }
            // An inner node has forbidden moves too, as losing ones; a root must not.
            let mut legal = Vec::new();
            root.legal_moves(&mut legal);
            let differs = |count: usize| count != legal.len();
            if self.tree.children(index).is_some_and(|block| block.is_complete() && differs(block.nodes.len())) {
                return None;
            }
            self.tree.make_root(index);
            self.root = root.clone();
        }
        // With more workers the first tree should be smaller; a larger one stays as it is, if there
        // is memory for it at all.
        if self.capacity != capacity {
            if self.tree.resize(capacity) {
                self.capacity = capacity;
            } else if self.capacity > all_nodes {
                return None;
            }
        }
        Some(self)
    }

    /// Adapts the tree to a question about another score of the same player, if possible (reuse
    /// between questions; Saito 2010, chapter 6, attributes it to Moldenhauer).
    ///
    /// An answer for one score holds for all lower scores, or for all higher ones, and stays. Other
    /// terminal nodes are evaluated again, a solved node that kept all its children is recomputed,
    /// and any other becomes a leaf.
    fn for_other_score(mut self, question: &Question, initial: &Initial) -> Option<KeptTree<G>> {
        let models = RepetitionModel::all(&self.root, question);
        // With several models the tree belongs to one of several questions. A tree that occupies
        // much of the memory would leave little to continue with.
        if models.len() > 1 || self.tree.used() as usize > self.capacity / 4 {
            return None;
        }
        let (before, now) = (self.at_least, question.at_least);
        let stays = |holds: bool| if holds { now <= before } else { now >= before };
        let open = ProofNumbers { proof: initial.unit(), disproof: initial.unit() };
        let tree = &self.tree;
        let mut path = SearchPath::new(&self.root, *question, models[0].cycles, initial.static_bounds);
        let Ok(()) = traverse::<G, Infallible>(tree, &mut path, |index, path| {
            let node = tree.at(index);
            // Also below a node that stays solved, because not all of its subtree is its proof.
            let is_open = answer(node.numbers()).is_none_or(|holds| !stays(holds));
            if is_open && answer(node.numbers()).is_some() {
                tree.set_numbers(index, open);
            }
            let successor = (index != ROOT).then(|| path.successor(node.mv()));
            if let Some(end) = successor.as_ref().and_then(|successor| successor.end) {
                // Static bounds that do not answer for the other score may answer for this one.
                tree.prune(index);
                tree.set_numbers(index, of_answer(end.holds));
                return Ok(false);
            }
            match tree.children(index) {
                None => Ok(false),
                Some(block) if is_open && !block.is_complete() => {
                    tree.prune(index);
                    Ok(false)
                }
                Some(_) => {
                    successor.into_iter().for_each(|successor| path.push(successor.position));
                    Ok(true)
                }
            }
        });
        self.at_least = now;
        Some(self)
    }
}

/// Visits the nodes of a tree, parents before children, and recomputes the numbers of parents after
/// their children. The visitor returns whether to visit the children of a node; if so, it has
/// pushed the position of the node to the path.
pub(super) fn traverse<G: Knowledge, E>(
    tree: &Tree<G::Move>,
    path: &mut SearchPath<'_, G>,
    mut visit: impl FnMut(u32, &mut SearchPath<'_, G>) -> Result<bool, E>,
) -> Result<(), E> {
    // The ancestors, each with the number of its next child.
    let mut ancestors: Vec<(u32, usize)> = Vec::new();
    let mut index = ROOT;
    loop {
        if visit(index, path)? {
            ancestors.push((index, 0));
        }
        // To the next child, or upwards until there is one.
        loop {
            let Some((parent, next)) = ancestors.last_mut() else { return Ok(()) };
            let block = tree.children(*parent).expect("a visited parent has children");
            if *next < block.nodes.len() {
                index = block.first + *next as u32;
                *next += 1;
                break;
            }
            tree.update(0, *parent, path.prover_moves());
            if *parent != ROOT {
                path.pop();
            }
            ancestors.pop();
        }
    }
}

/// The node that a sequence of moves leads to.
pub(super) fn find<M: Copy + PartialEq + Send + Sync>(tree: &Tree<M>, moves: &[M]) -> Option<u32> {
    moves.iter().try_fold(ROOT, |index, &mv| {
        let block = tree.children(index)?;
        let child = block.nodes.iter().position(|node| node.mv() == mv)?;
        Some(block.first + child as u32)
    })
}
