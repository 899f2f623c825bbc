use super::*;
use std::sync::atomic::AtomicBool;
use tesuji_core::{Control, History, Limits};
use tesuji_games::{SameGame, rules};

fn with_search<T>(root: &History<SameGame>, test: impl FnOnce(&mut LineSearch<'_, '_, SameGame>) -> T) -> T {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits::default(), 1, &stop);
    test(&mut LineSearch::new(root, &control, None, None))
}

#[test]
fn positions_reached_in_different_orders_are_one_candidate() {
    let root = History::<SameGame>::new(rules::<SameGame>("samegame:6x6,colours=3").unwrap());
    let first = vec![Member::new(*root.position(), Vec::new(), None)];
    let one = candidates(&first);
    let two = candidates(&one);
    let mut pairs = 0;
    for member in &one {
        let mut moves = Vec::new();
        member.position.legal_moves(&mut moves);
        pairs += moves.len();
    }
    assert!(two.len() < pairs, "{} of {pairs}", two.len());
    // Each is reached by its line, and no two have the same tiles.
    let mut tiles: Vec<String> = Vec::new();
    for member in &two {
        let mut game = root.clone();
        member.line.iter().for_each(|&mv| game.play(mv));
        assert_eq!(*game.position(), member.position);
        tiles.push(member.position.text().split(' ').next().unwrap().to_string());
    }
    tiles.sort_unstable();
    tiles.dedup();
    assert_eq!(tiles.len(), two.len());
}

#[test]
fn a_candidate_inherits_the_rest_of_a_line() {
    let root = History::<SameGame>::new(rules::<SameGame>("samegame:6x6,colours=3").unwrap());
    with_search(&root, |search| {
        let mut line = Vec::new();
        let score = search.play_out(*root.position(), &mut line).unwrap();
        let member = Member::new(*root.position(), Vec::new(), Some((score, line.clone())));
        let heirs: Vec<Member<SameGame>> =
            candidates(&[member]).into_iter().filter(|candidate| candidate.rest.is_some()).collect();
        assert_eq!(heirs.len(), 1);
        assert_eq!((heirs[0].value(), &heirs[0].line[..]), (score, &line[..1]));
        assert_eq!(heirs[0].rest.as_ref().unwrap().1, line[1..]);
    });
}

#[test]
fn the_beam_keeps_the_best_values() {
    let root = History::<SameGame>::new(rules::<SameGame>("samegame:6x6,colours=3").unwrap());
    let member = |won| Member::new(*root.position(), Vec::new(), Some((won, Vec::new())));
    let kept = with_search(&root, |search| best([5, 9, 7, 9].map(member).into(), 3, search));
    assert_eq!(kept.iter().map(Member::value).collect::<Vec<i32>>(), [9, 9, 7]);
}

/// The line to a candidate and a rest that it inherits make a line that no playout has made.
#[test]
fn a_spliced_line_is_reported_at_once() {
    let root = History::<SameGame>::new(rules::<SameGame>("samegame:6x6,colours=3").unwrap());
    with_search(&root, |search| {
        let mut line = Vec::new();
        let score = search.play_out(*root.position(), &mut line).unwrap();
        let mut start = *root.position();
        start.play(line[0]);
        let mut member = Member::new(start, vec![line[0]], None);
        member.inherit(Some((score + 7 - member.points, line[1..].to_vec())));
        member.offer(search);
        assert_eq!(search.best().map(|best| (best.score, &best.moves)), Some((score + 7, &line)));
    });
}
