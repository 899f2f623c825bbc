//! The printed answer of a problem in a collection.

use crate::board::Board;
use crate::detect::sgf_point;
use crate::solve::PASS;
use tesuji_core::Player;
use tesuji_sgf::{Record, Tree};

/// The first moves of the book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    /// The first move of the main line: the first variation, unless another one is marked correct
    /// or it is itself marked wrong.
    pub first: String,
    /// The first moves of further variations that are not marked wrong: alternatives or
    /// refutations.
    pub others: Vec<String>,
}

/// The comments that judge a line.
const CORRECT: &str = "correct";
/// See [`CORRECT`].
const WRONG: &str = "wrong";

impl Book {
    /// Reads the answer from the variations of a record; `None` if there is none.
    pub fn of(record: &Record, board: &Board) -> Option<Book> {
        let tree = record.tree();
        let mut variations: Vec<(usize, String)> = Vec::new();
        for &child in &tree.root().children {
            if let Some(mv) = first_move(tree, child, board) {
                variations.push((child, mv));
            }
        }
        let is_wrong = |child: usize| main_line(tree, child).any(|node| has_comment(tree, node, WRONG));
        let is_correct = |child: usize| below(tree, child).any(|node| has_comment(tree, node, CORRECT));
        let main = variations.iter().find(|(child, _)| is_correct(*child));
        let main = main.or_else(|| variations.iter().find(|(child, _)| !is_wrong(*child)))?;
        let mut others: Vec<String> = Vec::new();
        for (child, mv) in &variations {
            if !is_wrong(*child) && *mv != main.1 && !others.contains(mv) {
                others.push(mv.clone());
            }
        }
        Some(Book { first: main.1.clone(), others })
    }
}

/// Returns the move of a node, if the player to move plays it.
fn first_move(tree: &Tree, node: usize, board: &Board) -> Option<String> {
    let identifier = if board.to_move() == Player::FIRST { "B" } else { "W" };
    let value = tree.nodes()[node].values(identifier)?.first()?;
    if value.trim().is_empty() {
        return Some(PASS.to_string());
    }
    let (column, row) = sgf_point(value)?;
    Some(board.name(board.at_column_row(column, row)?))
}

fn has_comment(tree: &Tree, node: usize, word: &str) -> bool {
    tree.nodes()[node].text("C").is_some_and(|comment| comment.split_whitespace().any(|found| found == word))
}

/// Iterates over a node, its first child, and so on.
fn main_line(tree: &Tree, node: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(node), |&node| tree.nodes()[node].children.first().copied())
}

/// Iterates over a node and everything below it.
fn below(tree: &Tree, node: usize) -> impl Iterator<Item = usize> + '_ {
    let mut open = vec![node];
    std::iter::from_fn(move || {
        let node = open.pop()?;
        open.extend(&tree.nodes()[node].children);
        Some(node)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(variations: &str) -> Option<(String, Vec<String>)> {
        let record = tesuji_sgf::read(&format!("(;SZ[9]PL[B]{variations})")).unwrap().remove(0);
        let board = Board::of(record.open(Some(0)).unwrap().as_ref()).unwrap();
        Book::of(&record, &board).map(|book| (book.first, book.others))
    }

    fn found(first: &str, others: &[&str]) -> Option<(String, Vec<String>)> {
        Some((first.to_string(), others.iter().map(|mv| mv.to_string()).collect()))
    }

    #[test]
    fn the_first_variation_is_the_main_line() {
        assert_eq!(book(";B[aa];W[ba]"), found("A9", &[]));
        assert_eq!(book("(;B[aa];W[ba])(;B[ca])(;B[aa];W[cc])"), found("A9", &["C9"]));
        assert_eq!(book(""), None);
    }

    #[test]
    fn marks_of_the_editor_hold_over_the_order() {
        assert_eq!(book("(;B[aa];W[ba])(;B[ca];W[da](;B[ea])(;B[fa]C[correct]))"), found("C9", &["A9"]));
        assert_eq!(book("(;B[aa];W[ba]C[wrong])(;B[ca])"), found("C9", &[]));
        // A mistake later in a side line says nothing about the first move.
        assert_eq!(book("(;B[aa];W[ba](;B[ca])(;B[da]C[wrong]))"), found("A9", &[]));
    }
}
