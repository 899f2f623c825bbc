//! What is found from the stones of the problems of Gokyo Shumyo, in `tsumego/` of the folder that
//! `TESUJI_DATA` names, compared with the moves of the book.

use std::path::PathBuf;
use tesuji_core::Player;
use tesuji_sgf::{Record, read_file};
use tesuji_tsumego::{Board, Goal, Group, Marks, Point, Points, Stage, groups};

/// A problem of life and death with the moves of the book.
struct Example {
    board: Board,
    /// The player whose stones are in question.
    owner: Player,
    first: Point,
    all: Points,
}

fn examples() -> Option<Vec<Example>> {
    let Some(folder) = std::env::var_os("TESUJI_DATA") else {
        println!("SKIPPED: TESUJI_DATA is not set, no problems are read");
        return None;
    };
    let file = PathBuf::from(folder).join("tsumego/gokyo-shumyo.sgf");
    let found: Vec<Example> = read_file(&file).unwrap().iter().filter_map(example).collect();
    assert_eq!(found.len(), 150);
    Some(found)
}

fn example(record: &Record) -> Option<Example> {
    let board = Board::of(record.open(Some(0)).unwrap().as_ref()).unwrap();
    let owner = match Marks::of(record, &board).goal? {
        Goal::Live => board.to_move(),
        Goal::Kill => board.to_move().opponent(),
        _ => return None,
    };
    let tree = record.tree();
    let point = |node: usize| {
        let node = &tree.nodes()[node];
        let value = node.values("B").or(node.values("W"))?.first()?.as_bytes();
        let [column, row] = value else { return None };
        board.at_column_row(usize::from(column - b'a'), usize::from(row - b'a'))
    };
    let first = point(tree.root().children[0])?;
    Some(Example { owner, first, all: (1..tree.nodes().len()).filter_map(point).collect(), board })
}

/// The sum of the distances of moves to the stones of a group.
fn distance(board: &Board, group: &Group, moves: &Points) -> usize {
    let stones = group.stones();
    let one = |from: Point, to: Point| {
        let ((column, row), (other_column, other_row)) = (board.column_row(from), board.column_row(to));
        column.abs_diff(other_column) + row.abs_diff(other_row)
    };
    moves.iter().map(|&mv| stones.iter().map(|&stone| one(mv, stone)).min().unwrap_or(0)).sum()
}

#[test]
fn the_largest_group_is_nearly_always_in_question() {
    let Some(examples) = examples() else { return };
    let (mut single, mut nearest) = (0, 0);
    for Example { board, owner, all, .. } in &examples {
        let groups = groups(board, *owner);
        single += usize::from(groups.len() == 1);
        let distances: Vec<usize> = groups.iter().map(|group| distance(board, group, all)).collect();
        nearest += usize::from(distances.iter().min() == distances.first());
    }
    assert_eq!((single, nearest), (80, 132));
}

#[test]
fn regions_contain_the_moves_of_the_book() {
    let Some(examples) = examples() else { return };
    let mut found = Vec::new();
    for stage in Stage::FOUND {
        let (mut first_inside, mut all_inside, mut sizes) = (0, 0, Vec::new());
        for Example { board, owner, first, all } in &examples {
            let region = stage.points(board, &board.stones(*owner), *owner);
            first_inside += usize::from(region.contains(first));
            all_inside += usize::from(all.is_subset(&region));
            sizes.push(region.iter().filter(|&&point| board.at(point).is_none()).count());
        }
        sizes.sort_unstable();
        found.push((stage, first_inside, all_inside, sizes[75], sizes[135]));
    }
    // 98 and 73 %, 100 and 91 %, 100 and 100 % of 150.
    let expected = [(Stage::Near, 147, 110, 23, 52), (Stage::Wide, 150, 137, 33, 56), (Stage::Box, 150, 150, 50, 81)];
    assert_eq!(found, expected);
}
