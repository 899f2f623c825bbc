//! Results as variations of the file they came from.

use crate::board::Board;
use crate::solve::{Answer, PASS, Refutation};
use crate::words;
use tesuji_core::Player;
use tesuji_sgf::{Node, Record};

/// Writes a record with the answer to the problem at a node, 0 for the root: the verdict in the
/// comment of the node, and new variations for the main line, the other winning moves, and the
/// given refutations. Everything else stays.
pub fn annotated(record: &Record, node: usize, board: &Board, answer: &Answer, refutations: &[Refutation]) -> String {
    let mut tree = record.tree().clone();
    let verdict = words::verdict(answer, false);
    let comment = tree.nodes()[node].text("C").map_or(String::new(), |comment| format!("{comment}\n"));
    tree.node_mut(node).set("C", &format!("{comment}{verdict}"));
    let mut add = |line: &[String], comment: &str| {
        let mut parent = node;
        let mut player = board.to_move();
        for (at, mv) in line.iter().enumerate() {
            let mut node = Node::default();
            node.set(if player == Player::FIRST { "B" } else { "W" }, &sgf_move(board, mv));
            if at == 0 {
                node.set("C", comment);
            }
            parent = tree.add(parent, node);
            player = player.opponent();
        }
    };
    if !answer.line.is_empty() {
        add(&answer.line, &verdict);
    }
    for mv in answer.good_moves().into_iter().filter(|mv| answer.line.first().is_none_or(|first| first != mv)) {
        add(&[mv.to_string()], "this move has the same result");
    }
    for refuted in refutations {
        let line: Vec<String> = std::iter::once(&refuted.mv).chain(&refuted.line).cloned().collect();
        add(&line, &words::refutation(answer, refuted));
    }
    tree.to_string()
}

/// Writes a move as in SGF; a pass is empty.
fn sgf_move(board: &Board, mv: &str) -> String {
    if mv == PASS {
        return String::new();
    }
    let Some(point) = board.point(mv) else { return String::new() };
    let (column, row) = board.column_row(point);
    let letter = |index: usize| char::from(b'a' + index as u8);
    format!("{}{}", letter(column), letter(row))
}
