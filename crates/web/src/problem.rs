//! The Go problem of a connection: what the file of the game states, and the last answer.

use crate::files::LoadedFile;
use crate::message::{PosedProblem, SavedGame};
use tesuji_catalog::Session;
use tesuji_sgf::{Headers, Record};
use tesuji_tsumego::{
    Answer, Board, Goal, Marks, Refutation, Task, Wanted, Wishes, annotated, candidates, given_region,
};

/// The word of a request for what is found from the stones.
const AUTO: &str = "auto";

/// What a request asks for. What is missing is as the file states it.
#[derive(Default)]
pub struct ProblemWishes {
    /// Stones in question; none if they are to be found.
    pub targets: Option<Vec<String>>,
    /// A goal, or `auto`.
    pub goal: Option<String>,
    /// A region as on the command line, or `auto`.
    pub region: Option<String>,
}

/// The Go problem of a connection.
#[derive(Default)]
pub struct Problems {
    /// The game of the file that the current game is, and its marks.
    source: Option<(usize, Marks)>,
    answered: Option<Answered>,
}

/// The last answer.
struct Answered {
    answer: Answer,
    refutations: Vec<Refutation>,
    /// The game at the position of the problem.
    game: Box<dyn Session>,
    /// The number of the game in the file, if the problem is its start.
    number: Option<usize>,
}

impl Problems {
    /// Returns the problems of a game that is opened from a file.
    pub fn of_file(file: &mut LoadedFile, number: usize, start: &dyn Session) -> Result<Problems, String> {
        if !Board::describes(start) {
            return Ok(Problems::default());
        }
        let board = Board::of(start).map_err(text)?;
        let marks = |record: Record| {
            let root = record.open(Some(0)).map_err(text)?;
            // Stones that are set up after the first moves are a new start, to which the marks of
            // the root do not belong.
            Ok((Board::of(root.as_ref()).map_err(text)? == board).then(|| Marks::of(&record, &board)))
        };
        let marks = file.with_record(number, marks)?.flatten();
        Ok(Problems { source: marks.map(|marks| (number, marks)), answered: None })
    }

    /// Forgets the file, which another one replaces.
    pub fn forget_file(&mut self) {
        self.source = None;
        if let Some(answered) = &mut self.answered {
            answered.number = None;
        }
    }

    /// Poses the problem of the current position.
    pub fn pose(&self, game: &dyn Session, wishes: ProblemWishes) -> Result<Posed, String> {
        let board = Board::of(game).map_err(text)?;
        let is_start = game.moves().is_empty();
        let marks = self.source.as_ref().filter(|_| is_start).map(|(_, marks)| marks.clone());
        Posed::new(board, marks.unwrap_or_default(), wishes)
    }

    /// Keeps the answer to the problem of a position.
    pub fn keep_answer(&mut self, answer: Answer, game: &dyn Session) {
        let is_start = game.moves().is_empty();
        let number = self.source.as_ref().filter(|_| is_start).map(|(number, _)| *number);
        self.answered = Some(Answered { answer, refutations: Vec::new(), game: game.copy(), number });
    }

    /// Keeps what a first move of the answered problem does.
    pub fn keep_refutation(&mut self, refutation: Refutation) {
        if let Some(answered) = &mut self.answered {
            answered.refutations.retain(|other| other.mv != refutation.mv);
            answered.refutations.push(refutation);
        }
    }

    /// Returns the last answer.
    pub fn answer(&self) -> Result<&Answer, String> {
        Ok(&self.answered()?.answer)
    }

    fn answered(&self) -> Result<&Answered, String> {
        self.answered.as_ref().ok_or_else(|| "no problem is solved; send \"ask\" first".to_string())
    }

    /// Writes the problem with the answer as variations: into its file, or into the current game.
    pub fn annotate(&self, file: Option<&mut LoadedFile>) -> Result<SavedGame, String> {
        let Answered { answer, refutations, game, number } = self.answered()?;
        let board = Board::of(game.as_ref()).map_err(text)?;
        let write = |record: &Record, node: usize| annotated(record, node, &board, answer, refutations);
        let of_file = match (file, number) {
            (Some(file), Some(number)) => file.with_record(*number, |record| Ok(write(&record, 0)))?,
            _ => None,
        };
        let data = match of_file {
            Some(data) => data,
            None => {
                let played = tesuji_sgf::write(game.as_ref(), &Headers::default()).map_err(text)?;
                let record = tesuji_sgf::read(&played).map_err(text)?.pop().expect("one game was written");
                // A written game has no variations, so that its last node is the position.
                write(&record, record.tree().nodes().len() - 1)
            }
        };
        Ok(SavedGame { name: "problem.sgf".to_string(), data })
    }
}

/// A problem that is posed by a request and a file.
pub struct Posed {
    board: Board,
    marks: Marks,
    wishes: Wishes,
    wanted: Wanted,
}

impl Posed {
    fn new(board: Board, mut marks: Marks, wishes: ProblemWishes) -> Result<Posed, String> {
        let ProblemWishes { targets, goal, region } = wishes;
        if targets.is_some() {
            marks.stones.clear();
        }
        if goal.is_some() {
            marks.goal = None;
        }
        if region.is_some() {
            marks.empty.clear();
        }
        let goal = goal.filter(|goal| goal != AUTO).map(|goal| goal.parse::<Goal>().map_err(text)).transpose()?;
        let wanted = region.map_or(Ok(Wanted::Auto), |region| Wanted::parse(&region).map_err(text))?;
        Ok(Posed { board, marks, wishes: Wishes { targets: targets.unwrap_or_default(), goal }, wanted })
    }

    /// Returns the questions to ask.
    pub fn task(&self) -> Result<Task, String> {
        let found = candidates(&self.board, &self.marks, &self.wishes).map_err(text)?;
        Task::new(&self.board, &found, &self.marks, &self.wanted).map_err(text)
    }

    /// Describes the problem as far as it is known before it is solved.
    pub fn describe(&self) -> Result<PosedProblem, String> {
        let given = given_region(&self.board, &self.marks, &self.wanted).map_err(text)?;
        let given = given.map(|points| self.board.names(&points));
        if self.wishes.targets.is_empty() && self.marks.stones.is_empty() {
            let goal = self.wishes.goal.or(self.marks.goal);
            let region = given.clone().unwrap_or_default();
            return Ok(PosedProblem { goal, targets: Vec::new(), region, given });
        }
        let task = self.task()?;
        let first = task.first();
        let [targets, region] = [&first.targets, &first.region].map(|points| self.board.names(points));
        Ok(PosedProblem { goal: Some(first.goal), targets, region, given })
    }
}

fn text<E: std::error::Error>(error: E) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caps::Budget;
    use crate::game_line::GameLine;

    const CORNER: &str =
        "(;SZ[7]PL[B]AB[ad][bd][cd][dd][de][df][dg]AW[ae][be][ce][cf][cg]TR[ae]MA[af][bf]C[goal=kill])";

    fn loaded(sgf: &str) -> (LoadedFile, GameLine, Problems) {
        let mut file = LoadedFile::parse("", sgf, "go:9", Budget::new(64 << 20).empty_grant()).unwrap();
        let line = file.open(0).unwrap();
        let problems = Problems::of_file(&mut file, 0, line.game()).unwrap();
        (file, line, problems)
    }

    fn wishes(targets: Option<&[&str]>, goal: Option<&str>, region: Option<&str>) -> ProblemWishes {
        let targets = targets.map(|names| names.iter().map(|name| name.to_string()).collect());
        ProblemWishes { targets, goal: goal.map(str::to_string), region: region.map(str::to_string) }
    }

    #[test]
    fn what_is_not_asked_for_is_as_in_the_file() {
        let (_, line, problems) = loaded(CORNER);
        let pose = |wishes| problems.pose(line.game(), wishes).unwrap().describe().unwrap();
        let stated = pose(ProblemWishes::default());
        assert_eq!(
            (stated.goal, stated.targets.len(), stated.given),
            (Some(Goal::Kill), 5, Some(vec!["A2".into(), "B2".into()]))
        );
        let found = pose(wishes(Some(&[]), Some("auto"), Some("auto")));
        assert_eq!((found.goal, found.targets.len(), found.region.len(), found.given), (None, 0, 0, None));
        let named = pose(wishes(Some(&["c1"]), None, Some("near")));
        assert_eq!((named.targets.len(), named.region.contains(&"A1".to_string()), named.given), (5, true, None));
        let saved = pose(wishes(Some(&["D4"]), Some("save"), Some("A1,D4,E4")));
        assert_eq!((saved.goal, saved.given), (Some(Goal::Save), Some(vec!["E4".into(), "A1".into()])));
    }

    #[test]
    fn marks_belong_to_the_start_of_their_game() {
        let (_, mut line, problems) = loaded(CORNER);
        line.play("B2").unwrap();
        let posed = problems.pose(line.game(), ProblemWishes::default()).unwrap().describe().unwrap();
        assert_eq!((posed.goal, posed.targets.len(), posed.given), (None, 0, None));
        let other = GameLine::open("tictactoe", "start").unwrap();
        let error = problems.pose(other.game(), ProblemWishes::default()).err().unwrap();
        assert!(error.contains("tictactoe is not a position of Go"), "{error}");
    }

    #[test]
    fn wrong_wishes_are_refused_with_what_is_accepted() {
        let (_, line, problems) = loaded(CORNER);
        for (wishes, expected) in [
            (wishes(Some(&["Z9"]), None, None), "Z9 is not a point"),
            (wishes(Some(&["A1"]), None, None), "no stone on A1"),
            (wishes(None, Some("win"), None), "unknown goal"),
            (wishes(None, Some("live"), None), "of the player to move"),
            (wishes(None, Some("connect"), None), "connect"),
            (wishes(None, None, Some("small")), "invalid region"),
            (wishes(None, None, Some("A1:Z9")), "Z9 is not a point"),
        ] {
            let described = problems.pose(line.game(), wishes).and_then(|posed| posed.describe());
            let error = described.err().unwrap();
            assert!(error.contains(expected), "{error}");
        }
    }
}
