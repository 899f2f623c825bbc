use super::*;

fn expand(tree: &Tree<u16>, id: u32, count: usize) -> u32 {
    let first = tree.allocate(count).unwrap();
    tree.link(id).store(Link::new(first, count, count));
    first
}

fn visit(tree: &Tree<u16>, id: u32, visits: u32) {
    let (chunk, at) = tree.at(id);
    chunk.add(at, i64::from(visits), 0, false);
    chunk.moves[at].store(visits as u16);
}

#[test]
fn a_child_of_plain_uct_costs_at_most_24_bytes() {
    assert_eq!(bytes_per_node::<u8>(Columns::default()), 17);
    assert_eq!(bytes_per_node::<u32>(Columns::default()), 20);
}

#[test]
fn visits_and_sums_do_not_touch_each_other() {
    let tree: Tree<u16> = Tree::new(Columns { fractions: true, ..Columns::default() }, 1 << 20, 0);
    let (chunk, at) = tree.at(ROOT);
    let unit = UNIT as i64;
    let (mut visits, mut sum) = (0, 0);
    // Losses below zero, thirds that carry, a virtual loss and its return.
    let gains =
        [(1, -unit), (1, unit / 3), (1, -unit / 3), (3, -3 * unit), (1 - 3, 3 * unit + 5), (1, unit - 1), (1, -1)];
    for round in 0..1000 {
        for (more, value) in gains {
            chunk.add(at, more, value, round % 2 == 0);
            visits += more;
            sum += value;
            assert_eq!((i64::from(chunk.nodes[at].visits()), chunk.sum(at)), (visits, sum));
        }
    }
}

#[test]
fn the_subtree_of_a_move_becomes_the_tree() {
    let mut tree: Tree<u16> = Tree::new(Columns::default(), 1 << 20, 0);
    let first = expand(&tree, ROOT, 5);
    expand(&tree, first, 7);
    let kept = expand(&tree, first + 3, 4);
    let below = expand(&tree, kept + 1, 2);
    visit(&tree, first + 3, 30);
    visit(&tree, kept + 2, 12);
    visit(&tree, below + 1, 6);
    tree.set_root(first + 3);
    tree.recycle(0, None, &|| false);
    assert_eq!(tree.visits(ROOT), 30);
    let children = tree.children(ROOT).unwrap();
    assert_eq!((children.count, children.first), (4, 1));
    assert_eq!((children.visits(2), children.mv(2)), (12, 12));
    let below = tree.children(children.first + 1).unwrap();
    assert_eq!((below.count, below.visits(1)), (2, 6));
    assert_eq!(tree.len(), 7);
}

#[test]
fn recycling_cuts_the_least_visited_and_keeps_the_rest() {
    let node_bytes = bytes_per_node::<u16>(Columns::default()) + RECYCLE_BYTES;
    let mut tree: Tree<u16> = Tree::new(Columns::default(), CHUNK * node_bytes, 0);
    visit(&tree, ROOT, 10_000);
    let first = expand(&tree, ROOT, 100);
    let mut at = 0;
    while let Some(block) = tree.allocate(100) {
        if at == 100 {
            break;
        }
        tree.link(first + at).store(Link::new(block, 100, 100));
        visit(&tree, first + at, 1000 + at);
        visit(&tree, block + 7, at);
        at += 1;
    }
    tree.next.store(tree.capacity, Relaxed);
    let gained = tree.recycle(0, None, &|| false);
    assert!(gained >= tree.capacity / 3, "{gained} of {}", tree.capacity);
    let children = tree.children(ROOT).unwrap();
    let kept: Vec<u32> = (0..100).filter(|&child| tree.children(children.first + child).is_some()).collect();
    assert!(!kept.is_empty() && kept.len() < 100);
    for &child in &kept {
        assert_eq!(children.visits(child as usize), 1000 + child);
        assert_eq!(tree.children(children.first + child).unwrap().visits(7), child);
    }
    let fresh = tree.allocate(50).unwrap();
    assert!((fresh..fresh + 50).all(|id| tree.visits(id) == 0));
}

#[test]
fn stopping_while_recycling_leaves_a_sound_tree() {
    for patience in 1..6 {
        let mut tree: Tree<u16> = Tree::new(Columns::default(), CHUNK * 26 * 4, 0);
        let mut open = vec![ROOT];
        visit(&tree, ROOT, 1 << 20);
        'grow: while let Some(id) = open.pop() {
            let visits = tree.visits(id);
            let Some(first) = tree.allocate(3) else { break 'grow };
            tree.link(id).store(Link::new(first, 3, 3));
            for child in 0..3 {
                visit(&tree, first + child, visits / 3 + child);
                open.insert(0, first + child);
            }
        }
        let left = std::cell::Cell::new(patience);
        tree.recycle(0, None, &|| {
            left.set(left.get() - 1);
            left.get() == 0
        });
        let mut stack = vec![ROOT];
        while let Some(id) = stack.pop() {
            let Some(children) = tree.children(id) else { continue };
            for child in 0..3u32 {
                assert_eq!(children.visits(child as usize), tree.visits(id) / 3 + child);
                stack.push(children.first + child);
            }
        }
    }
}
