//! What a position asks: marks, the goal of the file, or the stones alone.

use crate::TsumegoError;
use crate::board::{Board, Point, Points};
use crate::group::{Group, groups};
use crate::problem::{Candidate, Goal};
use std::cmp::Reverse;
use tesuji_core::Player;
use tesuji_sgf::{Node, Record};

/// The marks of SGF that name stones in question, or points of the region.
const MARKS: [&str; 4] = ["MA", "TR", "SQ", "CR"];

/// At most this number of candidates is tried; the stones in question are seldom further down.
const TRIED: usize = 4;

/// Two blocks more than this number of points apart are not expected to be connected.
const REACH: usize = 5;

/// The marks and the goal that a file states.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// Marked stones.
    pub stones: Points,
    /// Marked empty points.
    pub empty: Points,
    /// The goal, if a known one is named in the comment: `goal=kill`.
    pub goal: Option<Goal>,
    /// The comment's word for the goal, known or not.
    pub goal_word: Option<String>,
}

impl Marks {
    /// Reads the marks of the root of a record.
    pub fn of(record: &Record, board: &Board) -> Marks {
        let root = record.tree().root();
        let comment = record.comment().unwrap_or_default();
        let word = comment.split_whitespace().find_map(|word| word.strip_prefix("goal="));
        let marked = MARKS.iter().flat_map(|mark| marked_points(root, mark, board));
        let (stones, empty) = marked.partition(|&point| board.at(point).is_some());
        Marks { stones, empty, goal: word.and_then(|word| word.parse().ok()), goal_word: word.map(str::to_string) }
    }
}

/// Returns the points of a property of marks; invalid values mark nothing.
fn marked_points(node: &Node, identifier: &str, board: &Board) -> Vec<Point> {
    let values = node.values(identifier).unwrap_or_default();
    let mut points = Vec::new();
    for value in values {
        let (from, to) = value.split_once(':').unwrap_or((value, value));
        if let (Some((left, top)), Some((right, bottom))) = (sgf_point(from), sgf_point(to)) {
            let all = (top..=bottom).flat_map(|row| (left..=right).map(move |column| (column, row)));
            points.extend(all.filter_map(|(column, row)| board.at_column_row(column, row)));
        }
    }
    points
}

/// Returns column and row of a point as SGF writes it.
pub(crate) fn sgf_point(text: &str) -> Option<(usize, usize)> {
    let index = |letter: u8| letter.is_ascii_lowercase().then(|| usize::from(letter - b'a'));
    match text.trim().as_bytes() {
        [column, row] => Some((index(*column)?, index(*row)?)),
        _ => None,
    }
}

/// What a person asks for, in place of what the file states.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wishes {
    /// Stones of the blocks in question.
    pub targets: Vec<String>,
    /// The goal.
    pub goal: Option<Goal>,
}

/// Returns what may be asked about a position, the likeliest first. There is one candidate if the
/// stones in question are named or marked.
pub fn candidates(board: &Board, marks: &Marks, wishes: &Wishes) -> Result<Vec<Candidate>, TsumegoError> {
    let goal = wishes.goal.or(marks.goal);
    let mut named = Points::new();
    for name in &wishes.targets {
        let point = board.point(name).ok_or_else(|| TsumegoError::Point(name.clone()))?;
        if board.at(point).is_none() {
            return Err(TsumegoError::Empty(name.clone()));
        }
        named.insert(point);
    }
    let marked = if named.is_empty() { &marks.stones } else { &named };
    if !marked.is_empty() {
        return of_marks(board, marked, goal).map(|candidate| vec![candidate]);
    }
    let mut found = match goal {
        Some(Goal::Semeai) => races(board),
        Some(goal @ (Goal::Connect | Goal::ConnectUnder | Goal::Cut)) => connections(board, goal),
        Some(goal) => {
            let owner = if goal.is_of_mover() { board.to_move() } else { board.to_move().opponent() };
            groups(board, owner).iter().map(|group| of_group(board, group, owner, goal)).collect()
        }
        None => of_any_group(board),
    };
    found.truncate(TRIED);
    match found.is_empty() {
        true => Err(TsumegoError::NoTarget(nothing_found(goal))),
        false => Ok(found),
    }
}

fn nothing_found(goal: Option<Goal>) -> String {
    let goal = goal.map_or(String::new(), |goal| format!(" for the goal {goal}"));
    format!("no group can be in question{goal}: all stones live, or there are none; mark or name a stone")
}

/// Returns the candidate of the blocks of some stones.
fn of_marks(board: &Board, marked: &Points, goal: Option<Goal>) -> Result<Candidate, TsumegoError> {
    let targets: Points = board.blocks_of(marked).into_iter().flatten().collect();
    let mover = board.to_move();
    let of = |player| targets.iter().any(|&stone| board.at(stone) == Some(player));
    let goal = match (of(mover), of(mover.opponent()), goal) {
        (true, true, None | Some(Goal::Semeai)) => Goal::Semeai,
        (true, false, None) => Goal::Live,
        (false, true, None) => Goal::Kill,
        (own, others, Some(goal)) if own != others && goal != Goal::Semeai && goal.is_of_mover() == own => goal,
        (_, _, goal) => {
            let goal = goal.unwrap_or(Goal::Semeai);
            let whose = match (goal, goal.is_of_mover()) {
                (Goal::Semeai, _) => "of both players",
                (_, true) => "of the player to move only",
                (_, false) => "of the opponent of the player to move only",
            };
            return Err(TsumegoError::NoTarget(format!(
                "the goal {goal} is about stones {whose}; mark or name such stones"
            )));
        }
    };
    if matches!(goal, Goal::Connect | Goal::ConnectUnder | Goal::Cut) && board.blocks_of(&targets).len() < 2 {
        return Err(TsumegoError::NoTarget(format!("the goal {goal} is about at least two blocks; mark or name both")));
    }
    let seeds = seeds(board, &targets, goal);
    Ok(Candidate { goal, targets, seeds })
}

/// The region grows from all stones of the players in question: their other stones matter too.
fn seeds(board: &Board, targets: &Points, goal: Goal) -> Points {
    match goal {
        Goal::Semeai => targets.clone(),
        _ => targets.first().and_then(|&stone| board.at(stone)).map(|owner| board.stones(owner)).unwrap_or_default(),
    }
}

/// The largest block of a group stands for it.
fn of_group(board: &Board, group: &Group, owner: Player, goal: Goal) -> Candidate {
    Candidate { goal, targets: group.largest().clone(), seeds: board.stones(owner) }
}

/// The groups of both players, the largest first.
fn of_any_group(board: &Board) -> Vec<Candidate> {
    let mover = board.to_move();
    let sides = [(mover, Goal::Live), (mover.opponent(), Goal::Kill)];
    let mut found: Vec<(usize, Candidate)> = Vec::new();
    for (owner, goal) in sides {
        let candidate = |group: &Group| (group.stones().len(), of_group(board, group, owner, goal));
        found.extend(groups(board, owner).iter().map(candidate));
    }
    found.sort_by_key(|(stones, _)| Reverse(*stones));
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Pairs of adjacent blocks, those with the fewest liberties first.
fn races(board: &Board) -> Vec<Candidate> {
    let mover = board.to_move();
    let alive: Points =
        [mover, mover.opponent()].iter().flat_map(|&player| board.unconditionally_alive(player)).collect();
    let mut pairs = Vec::new();
    for own in board.blocks(mover).into_iter().filter(|block| block.is_disjoint(&alive)) {
        for other in board.attackers(&own).into_iter().filter(|block| block.is_disjoint(&alive)) {
            let [mine, theirs] = [&own, &other].map(|block| board.liberties(block).len());
            let targets: Points = own.union(&other).copied().collect();
            pairs.push(((mine.max(theirs), Reverse(targets.len())), targets));
        }
    }
    pairs.sort();
    let candidate = |targets: Points| Candidate { goal: Goal::Semeai, seeds: targets.clone(), targets };
    pairs.into_iter().map(|(_, targets)| candidate(targets)).collect()
}

/// Pairs of groups of the connector that are close to each other, the largest first.
fn connections(board: &Board, goal: Goal) -> Vec<Candidate> {
    let connector = if goal.is_of_mover() { board.to_move() } else { board.to_move().opponent() };
    let groups = groups(board, connector);
    let mut pairs = Vec::new();
    for (at, one) in groups.iter().enumerate() {
        for other in &groups[at + 1..] {
            let (one, other) = (one.stones(), other.stones());
            let near = one.iter().flat_map(|&from| other.iter().map(move |&to| (from, to)));
            let Some((distance, from, to)) = near.map(|(from, to)| (distance(board, from, to), from, to)).min() else {
                continue;
            };
            if distance <= REACH {
                let targets: Points = board.block(from).union(&board.block(to)).copied().collect();
                pairs.push((Reverse(one.len().min(other.len())), distance, targets));
            }
        }
    }
    pairs.sort();
    let seeds = board.stones(connector);
    pairs.into_iter().map(|(_, _, targets)| Candidate { goal, targets, seeds: seeds.clone() }).collect()
}

fn distance(board: &Board, from: Point, to: Point) -> usize {
    let ((column, row), (other_column, other_row)) = (board.column_row(from), board.column_row(to));
    column.abs_diff(other_column) + row.abs_diff(other_row)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNER: &str = "....../.....O/....../XXXX../OOOX../..OX.. X - 0";

    fn found(text: &str, properties: &str, wishes: &Wishes) -> Result<Vec<Candidate>, TsumegoError> {
        let board = Board::parse(text).unwrap();
        let record = tesuji_sgf::read(&format!("(;SZ[{}]{properties})", board.size())).unwrap().remove(0);
        candidates(&board, &Marks::of(&record, &board), wishes)
    }

    fn names(text: &str, candidate: &Candidate) -> Vec<String> {
        let board = Board::parse(text).unwrap();
        candidate.targets.iter().map(|&point| board.name(point)).collect()
    }

    #[test]
    fn a_goal_says_whose_largest_group_is_in_question() {
        let kill = found(CORNER, "C[goal=kill]", &Wishes::default()).unwrap();
        assert_eq!(names(CORNER, &kill[0]), ["A2", "B2", "C2", "C1"]);
        assert_eq!((kill.len(), kill[0].goal), (2, Goal::Kill));
        let live = found(CORNER, "C[goal=live motif=nakade]", &Wishes::default()).unwrap();
        assert_eq!(names(CORNER, &live[0]).len(), 6);
    }

    #[test]
    fn without_a_goal_all_groups_are_candidates() {
        let both = found(CORNER, "", &Wishes::default()).unwrap();
        assert_eq!(both.iter().map(|found| found.goal).collect::<Vec<_>>(), [Goal::Live, Goal::Kill, Goal::Kill]);
        let marks = "C[goal=ko]";
        assert_eq!(found(CORNER, marks, &Wishes::default()).unwrap(), both);
    }

    #[test]
    fn marks_on_stones_are_targets_and_marks_on_empty_points_the_region() {
        let marked = found(CORNER, "TR[ae]MA[af][bf]", &Wishes::default()).unwrap();
        assert_eq!((marked.len(), marked[0].goal), (1, Goal::Kill));
        let board = Board::parse(CORNER).unwrap();
        let record = tesuji_sgf::read("(;SZ[6]TR[ae]MA[af:bf])").unwrap().remove(0);
        let marks = Marks::of(&record, &board);
        assert_eq!(marks.empty.iter().map(|&point| board.name(point)).collect::<Vec<_>>(), ["A1", "B1"]);
        let race = found(CORNER, "TR[ae]MA[ad]", &Wishes::default()).unwrap();
        assert_eq!(race[0].goal, Goal::Semeai);
    }

    #[test]
    fn a_named_target_replaces_the_marks() {
        let wishes = Wishes { targets: vec!["f5".to_string()], goal: Some(Goal::Capture) };
        let named = found(CORNER, "TR[ae]", &wishes).unwrap();
        assert_eq!((names(CORNER, &named[0]), named[0].goal), (vec!["F5".to_string()], Goal::Capture));
        for (target, part) in [("Z9", "Z9 is not a point"), ("A6", "no stone on A6"), ("A3", "of the opponent")] {
            let wishes = Wishes { targets: vec![target.to_string()], goal: Some(Goal::Capture) };
            let error = found(CORNER, "", &wishes).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_race_is_between_the_adjacent_blocks_with_the_fewest_liberties() {
        let text = ".O...../.O...../OOOXXXX/XXXOOOX/......X/......./....... X - 0";
        let race = found(text, "C[goal=semeai]", &Wishes::default()).unwrap();
        assert_eq!(names(text, &race[0]), ["A4", "B4", "C4", "D4", "E4", "F4"]);
    }

    #[test]
    fn groups_that_are_close_may_be_connected() {
        let text = "......./......./......./OOOOOOO/X.....X/......./....... X - 0";
        let pair = found(text, "C[goal=connect-under]", &Wishes::default());
        assert!(pair.is_err(), "six points are too far");
        let text = "......./......./......./OOOOOO./X....X./......./....... X - 0";
        let pair = found(text, "C[goal=connect-under]", &Wishes::default()).unwrap();
        assert_eq!(names(text, &pair[0]), ["A3", "F3"]);
    }
}
