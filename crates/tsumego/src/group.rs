//! Groups: blocks of one player that are likely to live or die together.

use crate::board::{Board, Point, Points};
use tesuji_core::Player;

/// Linked blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The blocks, the largest first.
    pub blocks: Vec<Points>,
}

impl Group {
    /// Returns all stones of the group.
    pub fn stones(&self) -> Points {
        self.blocks.iter().flatten().copied().collect()
    }

    /// Returns the largest block.
    pub fn largest(&self) -> &Points {
        &self.blocks[0]
    }
}

/// Returns the groups of a player, the largest first, without blocks that are unconditionally
/// alive.
///
/// Two blocks are linked if they share a liberty, or if they touch diagonally and the opponent has
/// at most one of the two points between them.
pub fn groups(board: &Board, player: Player) -> Vec<Group> {
    let alive = board.unconditionally_alive(player);
    let blocks: Vec<Points> = board.blocks(player).into_iter().filter(|block| block.is_disjoint(&alive)).collect();
    let mut groups: Vec<Vec<Points>> = Vec::new();
    for block in blocks {
        let (linked, mut rest): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| group.iter().any(|other| are_linked(board, &block, other)));
        let mut joined: Vec<Points> = linked.into_iter().flatten().collect();
        joined.push(block);
        rest.push(joined);
        groups = rest;
    }
    let mut groups: Vec<Group> = groups
        .into_iter()
        .map(|mut blocks| {
            blocks.sort_by_key(|block| (std::cmp::Reverse(block.len()), block.first().copied()));
            Group { blocks }
        })
        .collect();
    groups.sort_by_key(|group| (std::cmp::Reverse(group.stones().len()), group.stones().first().copied()));
    groups
}

/// Returns whether two blocks of one player are linked.
fn are_linked(board: &Board, one: &Points, other: &Points) -> bool {
    if !board.liberties(one).is_disjoint(&board.liberties(other)) {
        return true;
    }
    let owner = one.first().and_then(|&stone| board.at(stone));
    let is_cut = |point: Point| board.at(point).is_some_and(|at| Some(at) != owner);
    one.iter().any(|&stone| {
        board.diagonals(stone).filter(|diagonal| other.contains(diagonal)).any(|diagonal| {
            let between = board.neighbours(stone).filter(|point| board.neighbours(*point).any(|next| next == diagonal));
            between.filter(|&point| is_cut(point)).count() <= 1
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(rows: &str) -> Vec<Vec<usize>> {
        let board = Board::parse(&format!("{rows} X - 0")).unwrap();
        groups(&board, Player::FIRST)
            .iter()
            .map(|group| group.blocks.iter().map(|block| block.len()).collect())
            .collect()
    }

    #[test]
    fn blocks_with_a_common_liberty_are_linked() {
        assert_eq!(sizes("X.X../...../...../...../....."), [[1, 1]]);
        assert_eq!(sizes("X..X./...../...../...../....."), [[1], [1]]);
        // Through a third block.
        assert_eq!(sizes("X.X.X/....X/...../...../....."), [[2, 1, 1]]);
    }

    #[test]
    fn diagonal_blocks_are_linked_unless_both_points_between_them_are_taken() {
        assert_eq!(sizes("XO.../OX.../...../...../....."), [[1], [1]]);
        // A1 and B2 share no liberty, but one of the points between them is empty.
        assert_eq!(sizes("XO.../.X.../...../...../....."), [[1, 1]]);
    }

    #[test]
    fn the_largest_group_and_the_largest_block_are_first() {
        assert_eq!(sizes("X..../...../..XXX/...../X.X.."), [vec![3, 1, 1], vec![1]]);
    }

    #[test]
    fn living_blocks_belong_to_no_group() {
        assert_eq!(sizes(".X.X./XXXX./...../...../....X"), [[1]]);
    }
}
