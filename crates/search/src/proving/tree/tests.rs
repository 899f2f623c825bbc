//! Tests of the tree.

use super::allocation::MIN_CHUNK_BITS;
use super::*;
use tesuji_core::INFINITE;

fn new_children(count: usize) -> NewChildren<u8> {
    NewChildren { children: vec![(0, ProofNumbers { proof: 1, disproof: 1 }); count], ..NewChildren::new() }
}

fn reachable(tree: &Tree<u8>, index: u32) -> u32 {
    tree.children(index).map_or(0, |block| {
        let children = block.first..block.first + block.nodes.len() as u32;
        1 + children.len() as u32 + children.map(|child| reachable(tree, child)).sum::<u32>()
    })
}

fn first_child(tree: &Tree<u8>, index: u32) -> u32 {
    tree.children(index).unwrap().first
}

fn prove_first_child(tree: &Tree<u8>, index: u32) {
    tree.set_numbers(first_child(tree, index), ProofNumbers { proof: 0, disproof: INFINITE });
}

#[test]
fn children_of_a_solved_node_are_never_replaced() {
    let mut tree = Tree::<u8>::new(1 << MIN_CHUNK_BITS, 500, 0);
    tree.share(2);
    (0..2).for_each(|worker| tree.start_descent(worker));
    let expand = |index, count| assert!(tree.expand(0, index, &new_children(count), true));
    expand(ROOT, 2);
    let parent = first_child(&tree, ROOT);
    expand(parent, 2);
    let node = first_child(&tree, parent);
    expand(node, 2);
    expand(node + 1, 20);
    let unused = tree.arenas[0].free().unused.len();
    expand(parent + 1, unused - 1);
    // The first worker finds the node solved, and no memory to keep only the solving child. The
    // second worker has seen the same block.
    prove_first_child(&tree, node);
    let block = tree.at(node).children();
    tree.update(0, node, true);
    assert_eq!(answer(tree.at(node).numbers()), Some(true));
    // Memory becomes free, and the parent takes the children over.
    tree.prune(node + 1);
    tree.update(0, parent, true);
    assert_eq!(tree.children(parent).unwrap().nodes.len(), 1);
    // Only now the second worker continues.
    tree.keep_only(1, tree.at(node), block, 0);
    assert_eq!(tree.children(first_child(&tree, parent)).unwrap().nodes.len(), 2);
    (0..6).for_each(|turn| tree.start_descent(turn % 2));
    assert!(!tree.has_detached());
    assert_eq!(2 + reachable(&tree, ROOT), tree.used());
}
