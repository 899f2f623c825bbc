//! Regions: the points that a problem is about, from narrow to wide.

use crate::TsumegoError;
use crate::board::{Board, Point, Points};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fmt;
use tesuji_core::{Player, quoted};

/// The steps of a narrow region. One more adds about ten points to a problem on the side.
const NEAR: usize = 3;
/// The steps of a wide region: enough to reach every point of a corner.
const WIDE: usize = 9;
/// Opposing blocks with at most this number of liberties belong to the region, since their capture
/// is a way to live.
const WEAK: usize = 3;
/// A side of the box around the stones that is at most this number of lines away from the edge is
/// moved to the edge.
const NEAR_EDGE: usize = 4;

/// A rule that finds a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// The points of the file or the command line.
    Given,
    /// Three steps from the stones of the side in question.
    Near,
    /// Nine steps, within the box around all stones.
    Wide,
    /// The box around all stones, and one line more.
    Box,
}

impl Stage {
    /// The regions that are found from the stones, in the order in which they are tried.
    pub const FOUND: [Stage; 3] = [Stage::Near, Stage::Wide, Stage::Box];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Given => "given",
            Stage::Near => "near",
            Stage::Wide => "wide",
            Stage::Box => "box",
        }
    }

    /// Returns the points of this region around the stones of a player: empty ones, and those of
    /// stones that may be captured and played again.
    pub fn points(self, board: &Board, seeds: &Points, player: Player) -> Points {
        match self {
            Stage::Given => Points::new(),
            Stage::Near => with_weak_blocks(board, reached(board, seeds, player, NEAR), player),
            Stage::Wide => {
                let reached = with_weak_blocks(board, reached(board, seeds, player, WIDE), player);
                reached.intersection(&around(board, 0)).copied().collect()
            }
            Stage::Box => around(board, 1),
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the points at most `steps` steps from a set of stones, through empty points and stones
/// of the player.
fn reached(board: &Board, seeds: &Points, player: Player, steps: usize) -> Points {
    let mut reached = seeds.clone();
    let mut open: VecDeque<(usize, usize)> = seeds.iter().map(|&point| (point, 0)).collect();
    while let Some((point, distance)) = open.pop_front() {
        if distance == steps {
            continue;
        }
        for next in board.neighbours(point) {
            if board.at(next).is_none_or(|owner| owner == player) && reached.insert(next) {
                open.push_back((next, distance + 1));
            }
        }
    }
    reached
}

/// Adds the opposing blocks with few liberties next to a region, and their liberties. Those that
/// are unconditionally alive cannot be captured.
fn with_weak_blocks(board: &Board, region: Points, player: Player) -> Points {
    let mut all = region.clone();
    let alive = board.unconditionally_alive(player.opponent());
    for block in board.blocks(player.opponent()) {
        let liberties = board.liberties(&block);
        let is_weak = liberties.len() <= WEAK && block.is_disjoint(&alive);
        if is_weak && !board.border(&block).is_disjoint(&region) {
            all.extend(block);
            all.extend(liberties);
        }
    }
    all
}

/// Returns the points of the box around all stones, widened by a margin. Sides near the edge extend
/// to it.
fn around(board: &Board, margin: usize) -> Points {
    let stones = || board.points().filter(|&point| board.at(point).is_some()).map(|point| board.column_row(point));
    let last = board.size() - 1;
    let side = |coordinates: &dyn Fn((usize, usize)) -> usize| {
        let low = stones().map(coordinates).min().unwrap_or(0);
        let high = stones().map(coordinates).max().unwrap_or(last);
        let from = if low <= NEAR_EDGE { 0 } else { low - margin };
        let to = if high + NEAR_EDGE >= last { last } else { high + margin };
        from..=to
    };
    let (columns, rows) = (side(&|(column, _)| column), side(&|(_, row)| row));
    let is_inside = |&point: &usize| {
        let (column, row) = board.column_row(point);
        columns.contains(&column) && rows.contains(&row)
    };
    board.points().filter(is_inside).collect()
}

/// A region as a person asks for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// All regions found from the stones, one after the other.
    Auto,
    /// Only this one of them.
    Only(Stage),
    /// The box with these corners.
    Corners(String, String),
    /// These points.
    Points(Vec<String>),
}

impl Wanted {
    /// What is accepted.
    pub const ACCEPTED: &'static str = "near, wide, box, auto, two corners such as A1:F5, or points such as A1,B1,B2";

    /// Reads a region.
    pub fn parse(text: &str) -> Result<Wanted, TsumegoError> {
        if text == "auto" {
            return Ok(Wanted::Auto);
        }
        if let Some(stage) = Stage::FOUND.into_iter().find(|stage| stage.name() == text) {
            return Ok(Wanted::Only(stage));
        }
        match text.split_once(':') {
            Some((from, to)) if !from.is_empty() && !to.is_empty() => {
                Ok(Wanted::Corners(from.to_string(), to.to_string()))
            }
            _ if text.split(',').all(is_name) => Ok(Wanted::Points(text.split(',').map(str::to_string).collect())),
            _ => Err(TsumegoError::Region(quoted(text).to_string())),
        }
    }
}

/// Returns whether a text looks like the name of a point: a letter and a number.
fn is_name(text: &str) -> bool {
    let digits = text.strip_prefix(|first: char| first.is_ascii_alphabetic());
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()))
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wanted::Auto => f.write_str("auto"),
            Wanted::Only(stage) => f.write_str(stage.name()),
            Wanted::Corners(from, to) => write!(f, "{from}:{to}"),
            Wanted::Points(names) => f.write_str(&names.join(",")),
        }
    }
}

/// Returns the point with a name.
fn named(board: &Board, name: &str) -> Result<Point, TsumegoError> {
    board.point(name).ok_or_else(|| TsumegoError::Point(name.to_string()))
}

/// Returns the points with these names.
pub fn all_named(board: &Board, names: &[String]) -> Result<Points, TsumegoError> {
    names.iter().map(|name| named(board, name)).collect()
}

/// Returns the points of the box between two named corners.
pub fn between(board: &Board, from: &str, to: &str) -> Result<Points, TsumegoError> {
    let corner = |name: &str| named(board, name).map(|point| board.column_row(point));
    let ((left, top), (right, bottom)) = (corner(from)?, corner(to)?);
    let columns = left.min(right)..=left.max(right);
    let rows = top.min(bottom)..=top.max(bottom);
    let is_inside = |&point: &usize| {
        let (column, row) = board.column_row(point);
        columns.contains(&column) && rows.contains(&row)
    };
    Ok(board.points().filter(is_inside).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: &str) -> Board {
        Board::parse(&format!("{rows} X - 0")).unwrap()
    }

    fn drawn(board: &Board, region: &Points) -> String {
        let row = |row: usize| -> String {
            let inside = |column| region.contains(&board.at_column_row(column, row).unwrap());
            (0..board.size()).map(|column| if inside(column) { '+' } else { '-' }).collect()
        };
        (0..board.size()).map(row).collect::<Vec<_>>().join("/")
    }

    const CORNER: &str = "......./......./......./......./XXXX.../OOOX.../..OX...";

    #[test]
    fn a_near_region_goes_three_steps_through_empty_points_and_own_stones() {
        let corner = board(CORNER);
        let white = corner.stones(Player::SECOND);
        assert_eq!(
            drawn(&corner, &Stage::Near.points(&corner, &white, Player::SECOND)),
            "-------/-------/-------/-------/-------/+++----/+++----"
        );
        let open = "......./......./......./......./XXX..../OO...../.O.....";
        let open = board(open);
        let region = Stage::Near.points(&open, &open.stones(Player::SECOND), Player::SECOND);
        // The black block has four liberties, and is no part of it.
        assert_eq!(drawn(&open, &region), "-------/-------/-------/-------/---+---/+++++--/+++++--");
    }

    #[test]
    fn weak_attackers_belong_to_the_region_with_their_liberties() {
        let board = board("......./......./......./OOO..../XXXO.../OOXO.../.O.X...");
        let region = Stage::Near.points(&board, &board.block(board.point("A2").unwrap()), Player::SECOND);
        assert!(region.contains(&board.point("A3").unwrap()));
        assert!(region.contains(&board.point("C1").unwrap()));
    }

    #[test]
    fn boxes_extend_to_near_edges() {
        let rows =
            [".........../".repeat(6).as_str(), "......X..../........O../", &".........../".repeat(2), "..........."]
                .concat();
        let board = board(&rows);
        let region = Stage::Box.points(&board, &Points::new(), Player::FIRST);
        // From F to L and from row 6 to row 1: one line more on the far sides.
        let corners = ["F6", "L1"].map(|name| region.contains(&board.point(name).unwrap()));
        assert_eq!((corners, region.len()), ([true, true], 36));
    }

    #[test]
    fn regions_are_read() {
        assert_eq!(Wanted::parse("near").unwrap(), Wanted::Only(Stage::Near));
        assert_eq!(Wanted::parse("auto").unwrap(), Wanted::Auto);
        let board = board(CORNER);
        let Wanted::Corners(from, to) = Wanted::parse("C2:A1").unwrap() else { panic!("two corners") };
        assert_eq!(between(&board, &from, &to).unwrap().len(), 6);
        for wrong in ["small", "", "A1,", "A1,,B1", "1A,B1", "A1 B1", ":", "A1:"] {
            let error = Wanted::parse(wrong).unwrap_err().to_string();
            assert!(error.contains("expected near"), "{wrong}: {error}");
        }
        let wanted = Wanted::parse("A1,b1").unwrap();
        assert_eq!(wanted.to_string(), "A1,b1");
        let Wanted::Points(names) = wanted else { panic!("points") };
        assert_eq!(board.names(&all_named(&board, &names).unwrap()), ["A1", "B1"]);
        assert!(all_named(&board, &["Z9".to_string()]).is_err());
        assert!(between(&board, "A1", "Z9").is_err());
    }
}
