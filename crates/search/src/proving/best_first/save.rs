//! Trees in checkpoints.

use super::reuse::{KeptTree, traverse};
use super::settings::Settings;
use crate::proving::checkpoint::{CheckpointReader, CheckpointWriter, damaged};
use crate::proving::numbers::{LARGEST, answer, of_answer};
use crate::proving::path::{RepetitionModel, SearchPath};
use crate::proving::tree::{NewChildren, ROOT, Tree};
use std::io;
use tesuji_core::{Bounds, Game, History, Knowledge, Player, ProofNumbers, Question};

// The tags of saved nodes. The numbers of a node with children follow from the children.
const PROVEN_LEAF: u64 = 0;
const DISPROVEN_LEAF: u64 = 1;
const OPEN_LEAF: u64 = 2;
/// A node with all its children.
const COMPLETE: u64 = 3;
/// A node with only the child that solves it.
const SOLVED_BY_ONE: u64 = 4;

/// A game as text, for [`History::parse`].
pub(super) fn text_of<G: Game>(history: &History<G>) -> String {
    let mut text = history.positions()[0].text();
    text.push_str(" moves");
    for (position, &mv) in history.positions().iter().zip(history.moves()) {
        text.push(' ');
        text.push_str(&position.move_text(mv));
    }
    text
}

impl<G: Knowledge> KeptTree<G> {
    /// Writes the tree and its question.
    pub(super) fn save(&self, writer: &mut CheckpointWriter<'_>) -> io::Result<()> {
        writer.text(&text_of(&self.root))?;
        writer.number(u64::from(self.player.0))?;
        writer.signed(i64::from(self.at_least))?;
        writer.number(self.model as u64)?;
        writer.number(self.capacity as u64)?;
        save_nodes(&self.tree, writer)
    }

    /// Reads what [`save`](KeptTree::save) wrote.
    pub(super) fn restore(
        settings: &Settings,
        rules: &G::Rules,
        reader: &mut CheckpointReader<'_>,
    ) -> io::Result<KeptTree<G>> {
        let root = History::<G>::parse(rules.clone(), &reader.text()?)
            .map_err(|error| damaged(&format!("its position cannot be read: {error}")))?;
        let player = Player(reader.at_most(u64::from(root.facts().players) - 1)? as u8);
        let at_least = i32::try_from(reader.signed()?).map_err(|_| damaged("its score is too large"))?;
        let question = Question { known: Bounds::unknown(player, root.facts()), at_least };
        let models = RepetitionModel::all(&root, &question);
        let model = reader.at_most(models.len() as u64 - 1)? as usize;
        let capacity = reader.at_most(u64::from(u32::MAX))? as usize;
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        let &filler = moves.first().ok_or_else(|| damaged("its game is over"))?;
        // Blocks are allocated in another order than during the search, and pack less tightly: a
        // full tree takes a little more memory.
        let mut tree = Tree::new(capacity, root.facts().move_indices, filler);
        tree.resize(capacity + (capacity / 16).max(tree.chunk_nodes()));
        let mut path = SearchPath::new(&root, question, models[model].cycles, settings.initial.static_bounds);
        restore_nodes(&tree, &mut path, moves, reader)?;
        drop(path);
        tree.resize(capacity);
        Ok(KeptTree { root, player, at_least, model, capacity, tree })
    }
}

/// Writes the nodes of a tree, parents before children. Moves are not written: children are in the
/// order of the game's move list.
fn save_nodes<M: Copy + Send + Sync>(tree: &Tree<M>, writer: &mut CheckpointWriter<'_>) -> io::Result<()> {
    let mut stack = vec![ROOT];
    while let Some(index) = stack.pop() {
        let numbers = tree.at(index).numbers();
        match (tree.children(index), answer(numbers)) {
            (Some(block), _) => {
                if block.is_complete() {
                    writer.number(COMPLETE)?;
                } else {
                    writer.number(SOLVED_BY_ONE)?;
                    writer.number(u64::from(block.move_index()))?;
                }
                stack.extend((block.first..block.first + block.nodes.len() as u32).rev());
            }
            (None, Some(holds)) => writer.number(if holds { PROVEN_LEAF } else { DISPROVEN_LEAF })?,
            (None, None) => {
                writer.number(OPEN_LEAF)?;
                writer.number(u64::from(numbers.proof))?;
                writer.number(u64::from(numbers.disproof))?;
            }
        }
    }
    Ok(())
}

/// Reads the nodes of a tree. The moves come from the game; `moves` are those of the root.
fn restore_nodes<G: Knowledge>(
    tree: &Tree<G::Move>,
    path: &mut SearchPath<'_, G>,
    mut moves: Vec<G::Move>,
    reader: &mut CheckpointReader<'_>,
) -> io::Result<()> {
    let mut new = NewChildren::new();
    traverse(tree, path, |index, path| {
        let tag = reader.at_most(SOLVED_BY_ONE)?;
        match tag {
            PROVEN_LEAF | DISPROVEN_LEAF => tree.set_numbers(index, of_answer(tag == PROVEN_LEAF)),
            OPEN_LEAF => {
                let mut number = || match reader.at_most(u64::from(LARGEST))? as u32 {
                    0 => Err(damaged("an open leaf is solved")),
                    number => Ok(number),
                };
                tree.set_numbers(index, ProofNumbers { proof: number()?, disproof: number()? });
            }
            _ => {
                if index != ROOT {
                    let position = path.successor(tree.at(index).mv()).position;
                    if position.is_over() {
                        return Err(damaged("it continues after the end of the game"));
                    }
                    path.push(position);
                    moves.clear();
                    path.position().legal_moves(&mut moves);
                }
                new.is_complete = tag == COMPLETE;
                let last = (moves.len() as u64).checked_sub(1).ok_or_else(|| damaged("a node has no moves"))?;
                new.move_index = if new.is_complete { 0 } else { reader.at_most(last)? as u16 };
                let count = if new.is_complete { moves.len() } else { 1 };
                let listed = &moves[usize::from(new.move_index)..][..count];
                new.children.clear();
                new.children.extend(listed.iter().map(|&mv| (mv, ProofNumbers { proof: 1, disproof: 1 })));
                if !tree.expand(0, index, &new, path.prover_moves()) {
                    return Err(damaged("it is larger than its memory"));
                }
                return Ok(true);
            }
        }
        Ok(false)
    })
}
