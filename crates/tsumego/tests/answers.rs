//! Answers in the words of players, to problems of a few points whose verdicts are known from
//! exhaustive search.

use std::sync::atomic::AtomicBool;
use tesuji_core::{Limits, Player};
use tesuji_tsumego::{
    Answer, Board, Candidate, Details, Effect, Effort, Goal, InversionPlan, Level, Marks, MoveAnswer, Points, Problem,
    Question, Solver, Stage, Task, Wanted, answer, inversions, refute, words,
};

/// The limit of a problem. None of them takes a tenth of it.
const NODES: u64 = 3_000_000;

/// Reads rows, the last one at the bottom of the board: X, O stones, W marked ones of White, `.`
/// points of the region, `,` others. The board is as large as its longer side.
fn read(rows: &str, to_move: Player) -> (Board, Points, Marks) {
    let rows: Vec<&str> = rows.split('/').collect();
    let size = rows.len().max(rows[0].len());
    let outside = ",".repeat(size);
    let all: Vec<String> = std::iter::repeat_n(outside.clone(), size - rows.len())
        .chain(rows.iter().map(|row| format!("{row}{}", &outside[row.len()..])))
        .collect();
    let letters: Vec<char> = all.iter().flat_map(|row| row.chars()).collect();
    let plain: Vec<String> = all.iter().map(|row| row.replace(',', ".").replace('W', "O").replace('B', "X")).collect();
    let side = if to_move == Player::FIRST { "X" } else { "O" };
    let board = Board::parse(&format!("{} {side} - 0", plain.join("/"))).unwrap();
    let at = |wanted: &[char]| {
        letters.iter().enumerate().filter(|(_, letter)| wanted.contains(letter)).map(|(at, _)| at).collect()
    };
    (board, at(&['W', 'B']), Marks { empty: at(&['.']), ..Marks::default() })
}

fn solved(rows: &str, goal: Goal) -> Answer {
    let to_move = if goal.is_of_mover() && goal != Goal::Semeai { Player::SECOND } else { Player::FIRST };
    let (board, targets, marks) = read(rows, to_move);
    let candidate = Candidate { goal, seeds: targets.clone(), targets };
    let task = Task::new(&board, &[candidate], &marks, &Wanted::Auto).unwrap();
    let stop = AtomicBool::new(false);
    answer(&mut Solver::new(effort(&stop, NODES)), &task, Details { moves: true, kinds: true }).unwrap()
}

fn effort(stop: &AtomicBool, nodes: u64) -> Effort<'_> {
    let limits = Limits { nodes: Some(nodes), memory: Some(16 << 20), ..Limits::default() };
    Effort { by: "auto", limits, seed: 1, threads: 1, stop, observer: None }
}

#[test]
fn verdicts_are_said_as_players_say_them() {
    for (rows, goal, expected) in [
        (",,,,,,,/XXXXXXX/XWWWWWX/XW...WX", Goal::Kill, "Black to play kills with D1 (unconditionally)"),
        (",,,,,,,/XXXXXXX/XWWWWWX/XW...WX", Goal::Live, "White to play lives with D1 (unconditionally)"),
        (",,,,,,/XXXXX,/WWWWX,/...WX,/...WX,", Goal::Live, "White to play lives with B1 or B2 (unconditionally)"),
        ("XXXX,,/X..XX,/WWWWX,/...WX,/...WX,", Goal::Kill, "Black to play cannot kill"),
        ("XXXX,,/X..XX,/WWWWX,/...WX,/...WX,", Goal::Live, "no move needed: White lives even if Black plays first"),
        (
            ",XXX,,/XX.XX,/WWWWX,/...WX,/...WX,",
            Goal::Kill,
            "ko: Black to play kills with B1; White must find the first ko threat",
        ),
        (
            ",,,,,,,/XXXXXX,/XXXXXX,/WWWWXX,/XW.WXX,/.X.WXX,",
            Goal::Kill,
            "ko: Black to play kills with C1 or C2; Black must find the first ko threat",
        ),
        (",,,,,,,,,/XXXXXXXXX/XWWWWWWWX/XW.XXX.WX", Goal::Kill, "Black to play cannot kill: White lives in seki"),
    ] {
        let found = solved(rows, goal);
        assert!(found.is_decided(), "{rows}: {found:?}");
        let mut said = words::verdict(&found, false);
        // The order of moves in the text is that of the main line first.
        if said.contains(" or ") && said != expected {
            said = said.replace("B2 or B1", "B1 or B2").replace("C2 or C1", "C1 or C2");
        }
        assert_eq!(said, expected, "{rows}");
    }
}

#[test]
fn a_seki_needs_no_move() {
    let found = solved(",,,,,,,,,/XXXXXXXXX/XWWWWWWWX/XW.XXX.WX", Goal::Live);
    assert_eq!(words::verdict(&found, false), "no move needed: White lives in seki even if Black plays first");
}

/// A ladder on the whole board (D5, E4, F4 and so on). Within a few steps of the stone White gets
/// liberties that Black could fill.
#[test]
fn what_the_edge_of_a_region_does_decides_nothing() {
    let board =
        Board::parse("........./........./........./........./........./..XO...../...XX..../........./......... X - 0");
    let board = board.unwrap();
    let targets = Points::from([board.point("D4").unwrap()]);
    let candidate = Candidate { goal: Goal::Capture, seeds: targets.clone(), targets };
    let stop = AtomicBool::new(false);
    let solve = |wanted: Wanted| {
        let task = Task::new(&board, std::slice::from_ref(&candidate), &Marks::default(), &wanted).unwrap();
        answer(&mut Solver::new(effort(&stop, NODES)), &task, Details::default()).unwrap()
    };
    let near = solve(Wanted::Only(Stage::Near));
    assert_eq!((near.verdict.verdict(), near.is_decided()), (Some(Level::FAILS), false));
    assert_eq!(words::verdict(&near, false), "Black to play cannot capture D4 in the region near; open beyond it");
    let found = solve(Wanted::Auto);
    assert!(!found.is_decided() || found.verdict.verdict() == Some(Level::UNCONDITIONAL), "{found:?}");
}

#[test]
fn an_approach_move_ko_is_named() {
    let found = solved(",,,,,,,/XXXXXX,/XXXXXX,/WWWWXX,/XW.WXX,/...WXX,", Goal::Kill);
    assert_eq!(found.verdict.verdict().map(Level::name), Some("-2"));
    assert_eq!(
        words::verdict(&found, false),
        "approach-move ko: Black to play kills with B1; Black must win the ko twice"
    );
}

#[test]
fn a_bent_four_is_a_ko_that_its_owner_cannot_end() {
    let found = solved(",,,,,/XX,,,/WWX,,/.WXX,/XWWWX/XX.WX", Goal::Kill);
    assert_eq!((found.verdict.verdict(), found.bent_four), (Some(Level::EVEN), Some(true)));
    assert!(
        words::verdict(&found, true).starts_with("dead: White has a bent four"),
        "{}",
        words::verdict(&found, true)
    );
    assert!(words::notes(&found).iter().any(|note| note.contains("Japanese rules")));
    // White has nothing better than to wait, and is dead at the end.
    let found = solved(",,,,,/XX,,,/WWX,,/.WXX,/XWWWX/XX.WX", Goal::Live);
    assert_eq!((found.verdict.verdict(), found.bent_four), (Some(Level::WITH_ONE), Some(true)));
    let said = [false, true].map(|is_dead| words::verdict(&found, is_dead));
    assert_eq!(said[0], "ko: White may pass; White must find the first ko threat");
    assert!(said[1].starts_with("dead: White has a bent four"), "{}", said[1]);
    // In the corner four that White can end, the ko is an ordinary one.
    let found = solved(",,,,,/XX,,,/WXX,,/WWXX,/.WWWX/...WX", Goal::Kill);
    assert_eq!((found.verdict.verdict(), found.bent_four), (Some(Level::EVEN), Some(false)));
}

#[test]
fn races_are_won_or_drawn() {
    let won = solved(",,,,,,,,/OOOXXXX,/BBBWWWX,/......X,", Goal::Semeai);
    assert!(
        words::verdict(&won, false).starts_with("Black to play wins the race with"),
        "{}",
        words::verdict(&won, false)
    );
    assert_eq!(won.verdict.verdict(), Some(Level::UNCONDITIONAL));
    let seki = solved(",,,,,,,/OOOXXXX/OBBWWXX/OBB.WWX/OBB.WWX", Goal::Semeai);
    assert_eq!(seki.verdict.verdict(), Some(Level::FAILS));
    assert_eq!(words::verdict(&seki, false), "no move needed: Black gets seki even if White plays first");
}

#[test]
fn refutations_are_shown_and_little_effort_leaves_questions_open() {
    let (board, targets, marks) = read(",,,,,,,/XXXXXXX/XWWWWWX/XW...WX", Player::FIRST);
    let candidate = Candidate { goal: Goal::Kill, seeds: targets.clone(), targets };
    let task = Task::new(&board, &[candidate], &marks, &Wanted::Auto).unwrap();
    let stop = AtomicBool::new(false);
    let mut solver = Solver::new(effort(&stop, NODES));
    let found = answer(&mut solver, &task, Details::default()).unwrap();
    let refuted = refute(&mut solver, &found, "c1").unwrap();
    assert_eq!((refuted.mv.as_str(), refuted.succeeds, refuted.line[0].as_str()), ("C1", Some(false), "D1"));
    assert!(refute(&mut solver, &found, "G7").is_err());
    let open = answer(&mut Solver::new(effort(&stop, 3)), &task, Details { moves: true, kinds: true }).unwrap();
    assert!(!open.is_decided() && words::verdict(&open, false).contains("limits"), "{}", words::verdict(&open, false));
    let found = answer(&mut Solver::new(effort(&stop, 400)), &task, Details { moves: true, kinds: false }).unwrap();
    assert!(found.moves.iter().all(|MoveAnswer { mv, succeeds }| mv == "D1" || *succeeds != Some(true)));
}

#[test]
fn the_group_whose_status_changes_is_found_without_a_goal() {
    // Black lives, and White in the upper right corner; the group below can be killed.
    let text = ".XO.O.O/XXOOOOO/X.XXXXX/XXXXXXX/XXXXXXX/XOOOOOX/XO...OX X - 0";
    let board = Board::parse(text).unwrap();
    let candidates = tesuji_tsumego::candidates(&board, &Marks::default(), &Default::default()).unwrap();
    let task = Task::new(&board, &candidates, &Marks::default(), &Wanted::Auto).unwrap();
    let stop = AtomicBool::new(false);
    let found = answer(&mut Solver::new(effort(&stop, NODES)), &task, Details::default()).unwrap();
    assert_eq!((found.goal, found.targets.as_slice()), (Goal::Kill, ["F1".to_string()].as_slice()));
    assert!(found.is_decided());
}

/// The effect of a stone of the loser on every point of the board, asked about one by one.
fn effects(problem: &Problem, verdict: Level, solver: &mut Solver<'_>) -> Vec<(String, Effect)> {
    let mover_wins = verdict >= Level::EVEN;
    let loser = if mover_wins { problem.mover().opponent() } else { problem.mover() };
    let mut found = Vec::new();
    for point in problem.board.points() {
        let Some(board) = problem.board.with_extra_stone(point, loser) else { continue };
        let mut targets = problem.targets.clone();
        targets.retain(|&stone| board.at(stone).is_some());
        let changed = Problem { board, targets, ..problem.clone() };
        let scale = solver.verdict(Question::at(&changed, Level::EVEN), 1.0).unwrap();
        let after = scale.verdict().expect("the problem is small");
        let name = problem.board.name(point);
        if (after >= Level::EVEN) != mover_wins {
            found.push((name, Effect::Strong));
        } else if if mover_wins { after < verdict } else { after > verdict } {
            found.push((name, Effect::Lowers));
        }
    }
    found.sort();
    found
}

/// Points outside the zone are not tried, but no inversion is missed.
#[test]
fn inversions_are_those_of_all_points_of_the_board() {
    let stop = AtomicBool::new(false);
    let (mut zones, mut strong, mut lowers) = (0, 0, 0);
    for (rows, goal) in [
        (",,,,,,,/XXXXXXX/XWWWWWX/XW...WX", Goal::Kill),
        (",,,,,,,/XXXXXXX/XWWWWWX/XW...WX", Goal::Live),
        (",,,,,,/XXXXX,/WWWWX,/...WX,/...WX,", Goal::Live),
        (",XXX,,/XX.XX,/WWWWX,/...WX,/...WX,", Goal::Kill),
        (",XXX,,/XX.XX,/WWWWX,/...WX,/...WX,", Goal::Live),
        ("XXXX,,/X..XX,/WWWWX,/...WX,/...WX,", Goal::Kill),
        (",,,,,,,/XXXXXXX/XWWWWXX/XW.W.WX", Goal::Live),
        (",,,,,,,/XXXXXX,/XXXXXX,/WWWWXX,/XW.WXX,/.X.WXX,", Goal::Kill),
        ("XXXXX/XWWWX/XW.WX/X.XWX", Goal::Save),
    ] {
        let base = solved(rows, goal);
        for quick in [false, true] {
            let plan = InversionPlan { effort: effort(&stop, NODES), budget: NODES, quick };
            let found = inversions(&base, &plan, &|_, _| ()).unwrap();
            let listed: Vec<(String, Effect)> =
                found.points.iter().map(|inversion| (inversion.point.clone(), inversion.effect)).collect();
            let mut sorted = listed.clone();
            sorted.sort();
            let mut solver = Solver::new(effort(&stop, 100 * NODES));
            let expected = effects(base.problem(), found.verdict.verdict().unwrap(), &mut solver);
            if quick {
                assert!(sorted.iter().all(|entry| expected.contains(entry)), "{rows}: {sorted:?}, not {expected:?}");
            } else {
                assert_eq!(sorted, expected, "{rows} {goal}: {found:?}");
                zones += usize::from(found.zone.is_some());
                strong += listed.iter().filter(|entry| entry.1 == Effect::Strong).count();
                lowers += listed.iter().filter(|entry| entry.1 == Effect::Lowers).count();
            }
        }
    }
    assert!(zones >= 5 && strong >= 5 && lowers >= 1, "{zones} zones, {strong} strong, {lowers} lower");
}

#[test]
fn races_and_connections_have_no_inversions() {
    let base = solved("OOOXXXX,/BBBWWWX,/......X,", Goal::Semeai);
    let stop = AtomicBool::new(false);
    let plan = InversionPlan { effort: effort(&stop, NODES), budget: 1_000, quick: false };
    let error = inversions(&base, &plan, &|_, _| ()).unwrap_err().to_string();
    assert!(error.contains("semeai") && error.contains("kill"), "{error}");
}
