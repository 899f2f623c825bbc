//! A problem: stones in question, a goal and a region, written as a position of a problem game.

use crate::TsumegoError;
use crate::board::{Board, Points};
use crate::region::Stage;
use crate::scale::Level;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tesuji_catalog::{Session, open};
use tesuji_core::{Player, quoted};

/// What the player to move wants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// To make an own group live.
    Live,
    /// To save an own block.
    Save,
    /// To kill a group.
    Kill,
    /// To capture a block.
    Capture,
    /// To win a capturing race.
    Semeai,
    /// To connect two own blocks.
    Connect,
    /// To connect two own blocks along the edge.
    ConnectUnder,
    /// To separate two blocks of the opponent.
    Cut,
}

impl Goal {
    /// All goals.
    pub const ALL: [Goal; 8] =
        [Goal::Live, Goal::Save, Goal::Kill, Goal::Capture, Goal::Semeai, Goal::Connect, Goal::ConnectUnder, Goal::Cut];
    /// What is accepted.
    pub const ACCEPTED: &'static str = "live, save, kill, capture, semeai, connect, connect-under or cut";

    /// Returns the name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Goal::Live => "live",
            Goal::Save => "save",
            Goal::Kill => "kill",
            Goal::Capture => "capture",
            Goal::Semeai => "semeai",
            Goal::Connect => "connect",
            Goal::ConnectUnder => "connect-under",
            Goal::Cut => "cut",
        }
    }

    /// Returns the problem game of the goal.
    pub fn game(self) -> &'static str {
        match self {
            Goal::Live | Goal::Kill => "life",
            Goal::Save | Goal::Capture => "capture",
            Goal::Semeai => "semeai",
            Goal::Connect | Goal::ConnectUnder | Goal::Cut => "connect",
        }
    }

    /// Returns whether the mover owns the stones in question; in a race both players own some.
    pub fn is_of_mover(self) -> bool {
        !matches!(self, Goal::Kill | Goal::Capture | Goal::Cut)
    }

    /// Returns whether two blocks are in question.
    pub fn is_of_two(self) -> bool {
        !matches!(self.game(), "life" | "capture")
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Goal {
    type Err = TsumegoError;

    fn from_str(text: &str) -> Result<Goal, TsumegoError> {
        Goal::ALL
            .into_iter()
            .find(|goal| goal.name() == text)
            .ok_or_else(|| TsumegoError::Goal(quoted(text).to_string()))
    }
}

/// What may be asked about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The goal of the player to move.
    pub goal: Goal,
    /// The stones in question.
    pub targets: Points,
    /// The stones from which the region is found.
    pub seeds: Points,
}

/// A candidate with a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The board.
    pub board: Board,
    /// The goal of the player to move.
    pub goal: Goal,
    /// The stones in question.
    pub targets: Points,
    /// The points that may be played.
    pub region: Points,
    /// How the region was found.
    pub stage: Stage,
}

impl Problem {
    /// Makes the problem of a candidate with the region of a stage.
    pub fn new(board: &Board, candidate: &Candidate, stage: Stage) -> Problem {
        let mut region = Points::new();
        for player in [Player::FIRST, Player::SECOND] {
            let seeds: Points =
                candidate.seeds.iter().copied().filter(|&stone| board.at(stone) == Some(player)).collect();
            if !seeds.is_empty() {
                region.extend(stage.points(board, &seeds, player));
            }
        }
        Problem { board: board.clone(), goal: candidate.goal, targets: candidate.targets.clone(), region, stage }
    }

    /// Makes the problem of a candidate with a region chosen by a person: the given empty points,
    /// the stones in question, and the blocks that can be captured by playing on these points.
    pub fn with_region(board: &Board, candidate: &Candidate, empty: &Points) -> Problem {
        let mut region: Points = empty.union(&candidate.targets).copied().collect();
        for block in board.blocks_of(&board.points().collect()) {
            if board.liberties(&block).is_subset(empty) {
                region.extend(block);
            }
        }
        let (goal, targets) = (candidate.goal, candidate.targets.clone());
        Problem { board: board.clone(), goal, targets, region, stage: Stage::Given }
    }

    /// Returns the owner of the stones in question; in a race the mover.
    pub fn owner(&self) -> Player {
        if self.goal.is_of_mover() { self.mover() } else { self.mover().opponent() }
    }

    /// Returns whether stones of the region may reach liberties that no player can fill.
    fn has_exits(&self) -> bool {
        let border = self.board.border(&self.region);
        border.into_iter().any(|point| self.board.at(point).is_none_or(|player| player == self.owner()))
    }

    /// Returns whether a result at a level may be due to the edge of the region alone: stones with
    /// liberties outside are safe, although the opponent could fill these liberties.
    ///
    /// That concerns what the side in question achieves, not what the other side achieves in spite
    /// of it. A region given by a person is taken as it is, and the widest one for two blocks,
    /// which have no wall.
    pub fn may_be_due_to_edge(&self, verdict: Level) -> bool {
        let helps = match self.goal {
            Goal::Live | Goal::Save => verdict > Level::FAILS,
            Goal::Kill | Goal::Capture | Goal::Semeai => verdict < Level::UNCONDITIONAL,
            Goal::Connect | Goal::ConnectUnder => verdict < Level::UNCONDITIONAL,
            Goal::Cut => verdict > Level::FAILS,
        };
        let is_taken_as_it_is = match self.stage {
            Stage::Given => true,
            Stage::Box => self.goal.is_of_two(),
            Stage::Near | Stage::Wide => false,
        };
        helps && !is_taken_as_it_is && self.has_exits()
    }

    /// Returns the problem with a wall of the other side around the region, in which nothing is due
    /// to its edge: what the side in question achieves in spite of the wall it achieves without it.
    /// `None` where stones of the wall would have no liberty, where own stones are in its way, or
    /// where two blocks are in question.
    pub fn walled(&self) -> Option<Problem> {
        let border = self.board.border(&self.region);
        let attacker = self.owner().opponent();
        let exits: Points = border.iter().copied().filter(|&point| self.board.at(point).is_none()).collect();
        let board = self.board.with_stones(&exits, attacker);
        let has_liberty = |&stone: &usize| {
            let liberties = board.liberties(&board.block(stone));
            liberties.iter().any(|liberty| !self.region.contains(liberty))
        };
        let is_closed = border.iter().all(|&point| board.at(point) == Some(attacker));
        let is_legal = is_closed && !self.goal.is_of_two() && exits.iter().all(has_liberty);
        is_legal.then(|| Problem { board, ..self.clone() })
    }

    /// Returns the problem of the current position of `capture` or `life`, whatever its threats; an
    /// error for other games, for options other than the size, and after a pass.
    pub fn of(session: &dyn Session) -> Result<Problem, TsumegoError> {
        let spec = session.spec().to_string();
        let refused = || TsumegoError::NotAProblem(spec.clone());
        let text = session.text();
        let letters = text.split(' ').next().unwrap_or_default();
        let plain = |letter: char| match letter {
            'x' | 'b' | 'B' => 'X',
            'o' | 'w' | 'W' => 'O',
            ',' => '.',
            other => other,
        };
        let rest: Vec<&str> = text.split(' ').skip(1).collect();
        let [side, ban, "0", _] = rest.as_slice() else { return Err(refused()) };
        let plain: String = letters.chars().map(plain).collect();
        let board = Board::parse(&format!("{plain} {side} {ban} 0")).ok_or_else(refused)?;
        let cells: Vec<char> = letters.chars().filter(|&letter| letter != '/').collect();
        let points = |among: &str| board.points().filter(|&point| among.contains(cells[point])).collect::<Points>();
        let (targets, region) = (points("bwBW"), points(".xobw"));
        let owner = targets.first().and_then(|&stone| board.at(stone)).ok_or_else(refused)?;
        let goal = match (session.info().name, owner == board.to_move()) {
            ("capture", false) => Goal::Capture,
            ("capture", true) => Goal::Save,
            ("life", false) => Goal::Kill,
            ("life", true) => Goal::Live,
            _ => return Err(refused()),
        };
        let problem = Problem { board, goal, targets, region, stage: Stage::Given };
        let has_options = spec.contains(',') && problem.spec("") != spec;
        if has_options { Err(refused()) } else { Ok(problem) }
    }

    /// Returns the player to move.
    pub fn mover(&self) -> Player {
        self.board.to_move()
    }

    /// Returns the spec of the problem game, with further options.
    pub fn spec(&self, options: &str) -> String {
        format!("{}:{}{options}", self.goal.game(), self.board.size())
    }

    /// Returns the position as a text of the problem game, with the threats of a level.
    pub fn text(&self, level: Level) -> String {
        let cell = |point: usize| {
            let inside = self.region.contains(&point);
            let letter = match (self.board.at(point), self.targets.contains(&point)) {
                (None, _) => return if inside { '.' } else { ',' },
                (Some(Player::FIRST), false) => 'X',
                (Some(Player::FIRST), true) => 'B',
                (Some(_), false) => 'O',
                (Some(_), true) => 'W',
            };
            if inside { letter.to_ascii_lowercase() } else { letter }
        };
        let size = self.board.size();
        let rows: Vec<String> = (0..size).map(|row| (row * size..(row + 1) * size).map(cell).collect()).collect();
        let side = if self.mover() == Player::FIRST { 'X' } else { 'O' };
        let ko = self.board.ko().map_or("-".to_string(), |point| self.board.name(point));
        let [mover, opponent] = level.threats();
        let (black, white) = if self.mover() == Player::FIRST { (mover, opponent) } else { (opponent, mover) };
        format!("{} {side} {ko} 0 {black},{white}", rows.join("/"))
    }

    /// Opens the position as a game.
    pub fn open(&self, level: Level, options: &str) -> Result<Box<dyn Session>, TsumegoError> {
        let (spec, text) = (self.spec(options), self.text(level));
        open(&spec, &text).map_err(|error| TsumegoError::Open { position: format!("{spec} {text}"), error })
    }

    /// Returns the names of the stones in question, one of every block.
    pub fn target_names(&self) -> Vec<String> {
        let first = |block: Points| block.last().map(|&stone| self.board.name(stone)).unwrap_or_default();
        self.board.blocks_of(&self.targets).into_iter().map(first).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_a_position_of_its_game() {
        let board = Board::parse("....../....../....../XXXX../OOOX../..OX.. X - 0").unwrap();
        let targets = board.stones(Player::SECOND);
        let candidate = Candidate { goal: Goal::Kill, seeds: targets.clone(), targets };
        let problem = Problem::new(&board, &candidate, Stage::Near);
        assert_eq!(problem.spec(",seki=dead"), "life:6,seki=dead");
        assert_eq!(problem.text(Level::EVEN), ",,,,,,/,,,,,,/,,,,,,/XXXX,,/wwwX,,/..wX,, X - 0 0,0");
        assert_eq!(problem.text(Level::UNCONDITIONAL).rsplit(' ').next(), Some("0,inf"));
        // White has the threats of the mover when White is to move.
        let problem = Problem { board: board.with_turn(Player::SECOND), goal: Goal::Live, ..problem };
        assert!(problem.text(Level::WITH_ONE).ends_with(" O - 0 0,1"));
        assert_eq!(problem.target_names(), ["C1"]);
    }

    #[test]
    fn a_given_region_contains_what_can_be_captured_in_it() {
        let board = Board::parse("....../....../....../XXXX../OOOX../X.OX.. X - 0").unwrap();
        let targets = board.block(board.point("A2").unwrap());
        let candidate = Candidate { goal: Goal::Kill, seeds: targets.clone(), targets };
        let problem = Problem::with_region(&board, &candidate, &Points::from([board.point("B1").unwrap()]));
        assert!(problem.text(Level::EVEN).starts_with(",,,,,,/,,,,,,/,,,,,,/XXXX,,/wwwX,,/x.wX,, X"));
    }

    #[test]
    fn a_wall_closes_a_region() {
        let board = Board::parse("....../....../....../XXXX../OOOX../..OX.. X - 0").unwrap();
        let targets = board.stones(Player::SECOND);
        let candidate = Candidate { goal: Goal::Kill, seeds: targets.clone(), targets };
        let problem = Problem::new(&board, &candidate, Stage::Near);
        assert!(!problem.may_be_due_to_edge(Level::FAILS), "closed: {}", problem.text(Level::EVEN));
        let open = Board::parse("....../....../....../XX..../OO..../..O... X - 0").unwrap();
        let targets = open.stones(Player::SECOND);
        let candidate = Candidate { goal: Goal::Kill, seeds: targets.clone(), targets };
        let problem = Problem::new(&open, &candidate, Stage::Near);
        assert!(problem.may_be_due_to_edge(Level::FAILS) && !problem.may_be_due_to_edge(Level::UNCONDITIONAL));
        let walled = problem.walled().unwrap();
        assert!(!walled.may_be_due_to_edge(Level::FAILS), "{}", walled.text(Level::EVEN));
        assert_eq!((walled.region, walled.targets), (problem.region.clone(), problem.targets.clone()));
        assert!(!Problem { goal: Goal::Live, ..problem }.may_be_due_to_edge(Level::FAILS));
    }

    #[test]
    fn goals_are_read_and_written() {
        for goal in Goal::ALL {
            assert_eq!(goal.name().parse::<Goal>().unwrap(), goal);
            assert!(Goal::ACCEPTED.contains(goal.name()));
        }
        let error = "win".parse::<Goal>().unwrap_err().to_string();
        assert!(error.contains("win") && error.contains("connect-under"), "{error}");
    }
}
