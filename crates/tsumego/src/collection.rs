//! All problems of a collection, compared with the book.

use crate::TsumegoError;
use crate::ask::{Effort, Question, Solver};
use crate::board::Board;
use crate::book::Book;
use crate::detect::{Marks, Wishes, candidates};
use crate::problem::Goal;
use crate::region::{Stage, Wanted};
use crate::scale::{Level, Scale};
use crate::solve::{Answer, Details, PASS, Task, answer};
use crate::words;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_catalog::Log;
use tesuji_sgf::Record;

/// How the answer to a problem compares with the book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The verdict is known, and the first move of the book keeps it.
    Agrees,
    /// The verdict is known, and the first move of the book does not keep it, or is not needed.
    Differs,
    /// The limits did not suffice.
    Open,
}

/// The result of a problem: a line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The number of the problem in the file, from 1.
    pub number: usize,
    /// The name in the file.
    pub name: String,
    /// The limits and options, which are the same in all lines of a log.
    pub settings: String,
    /// The position of Go.
    pub board: String,
    /// The word for the goal in the file.
    pub stated: Option<String>,
    /// The goal that was solved.
    pub goal: Option<Goal>,
    /// A stone of every block in question.
    pub targets: Vec<String>,
    /// The region.
    pub region: Option<Stage>,
    /// Its empty points.
    pub empty_points: usize,
    /// The verdict.
    pub verdict: Scale,
    /// The main line.
    pub line: Vec<String>,
    /// The first moves of the book.
    pub book: Vec<String>,
    /// The comparison.
    pub outcome: Outcome,
    /// The answer in words.
    pub words: String,
    /// The nodes.
    pub nodes: u64,
    /// The time in seconds.
    pub seconds: f64,
}

/// A run over a collection.
pub struct CollectionPlan<'a> {
    /// The problems.
    pub records: &'a [Record],
    /// What a person asks for.
    pub wishes: Wishes,
    /// The region.
    pub region: Wanted,
    /// The limits and options as text.
    pub settings: String,
    /// The resources for each problem.
    pub effort: Effort<'a>,
    /// The log.
    pub log: Option<PathBuf>,
}

/// The progress of a run.
pub struct CollectionProgress<'a> {
    /// The problems that are finished.
    pub done: usize,
    /// All problems.
    pub all: usize,
    /// The results so far.
    pub rows: &'a [Row],
}

/// Solves all problems of a collection that its log does not contain, and returns the results in
/// the order of the file.
pub fn collection(
    plan: &CollectionPlan<'_>,
    progress: &dyn Fn(CollectionProgress<'_>),
) -> Result<Vec<Row>, TsumegoError> {
    let (mut log, mut rows) = match &plan.log {
        None => (None, Vec::new()),
        Some(file) => {
            let (log, rows) = Log::open::<Row>(file, "result of a problem")?;
            if let Some(other) = rows.iter().find(|row| row.settings != plan.settings) {
                let reason = format!("it was written with \"{}\", not \"{}\"", other.settings, plan.settings);
                return Err(tesuji_catalog::LogError { file: file.clone(), reason }.into());
            }
            (Some(log), rows)
        }
    };
    let all = plan.records.len();
    let books = first_moves_by_position(plan.records);
    for (index, record) in plan.records.iter().enumerate() {
        progress(CollectionProgress { done: rows.len(), all, rows: &rows });
        if rows.iter().any(|row| row.number == index + 1) {
            continue;
        }
        if plan.effort.stop.load(Relaxed) {
            break;
        }
        let row = row(plan, index, record, &books)?;
        // An interrupted problem is solved again.
        if plan.effort.stop.load(Relaxed) {
            break;
        }
        if let Some(log) = &mut log {
            log.add(&row)?;
        }
        rows.push(row);
    }
    rows.sort_by_key(|row| row.number);
    progress(CollectionProgress { done: rows.len(), all, rows: &rows });
    Ok(rows)
}

/// Collections show one position under several numbers, with different lines; every first move for
/// the same stones and player is right.
fn first_moves_by_position(records: &[Record]) -> HashMap<String, Vec<String>> {
    let mut books: HashMap<String, Vec<String>> = HashMap::new();
    for record in records {
        let Ok(session) = record.open(Some(0)) else { continue };
        let Ok(board) = Board::of(session.as_ref()) else { continue };
        if let Some(book) = Book::of(record, &board) {
            let moves = books.entry(session.text()).or_default();
            if !moves.contains(&book.first) {
                moves.push(book.first);
            }
        }
    }
    books
}

fn row(
    plan: &CollectionPlan<'_>,
    index: usize,
    record: &Record,
    books: &HashMap<String, Vec<String>>,
) -> Result<Row, TsumegoError> {
    let session = record.open(Some(0))?;
    let board = Board::of(session.as_ref())?;
    let marks = Marks::of(record, &board);
    let book = books.get(&session.text()).cloned().unwrap_or_default();
    let mut row = Row {
        number: index + 1,
        name: record.header("GN").unwrap_or_default(),
        settings: plan.settings.clone(),
        board: session.text(),
        stated: marks.goal_word.clone(),
        goal: None,
        targets: Vec::new(),
        region: None,
        empty_points: 0,
        verdict: Scale::UNKNOWN,
        line: Vec::new(),
        book,
        outcome: Outcome::Open,
        words: String::new(),
        nodes: 0,
        seconds: 0.0,
    };
    let found = match candidates(&board, &marks, &plan.wishes) {
        Ok(found) => found,
        Err(error) => return Ok(Row { words: error.to_string(), ..row }),
    };
    let task = Task::new(&board, &found, &marks, &plan.region)?;
    let mut solver = Solver::new(plan.effort);
    let answer = answer(&mut solver, &task, Details::default())?;
    (row.outcome, row.words) = compare(&mut solver, &answer, &row.book)?;
    row.goal = Some(answer.goal);
    row.targets = answer.targets.clone();
    row.region = Some(answer.region);
    row.empty_points = answer.empty_points;
    row.verdict = answer.verdict;
    row.line = answer.line.clone();
    (row.nodes, row.seconds) = (solver.nodes(), solver.elapsed().as_secs_f64());
    Ok(row)
}

/// Compares an answer with the first moves of the book.
fn compare(solver: &mut Solver<'_>, answer: &Answer, book: &[String]) -> Result<(Outcome, String), TsumegoError> {
    let said = words::verdict(answer, false);
    if !answer.is_decided() {
        return Ok((Outcome::Open, said));
    }
    if answer.level() == Level::FAILS {
        return Ok((Outcome::Differs, said));
    }
    let question = answer.question();
    if solver.ask(Question { after: Some(PASS), ..question }, 0.5)?.answer == Some(true) {
        return Ok((Outcome::Differs, format!("{said}; no move is needed")));
    }
    if book.iter().any(|mv| answer.line.first() == Some(mv)) {
        return Ok((Outcome::Agrees, said));
    }
    let mut is_open = book.is_empty();
    for mv in book {
        match solver.ask(Question { after: Some(mv), ..question }, 1.0) {
            Ok(reply) if reply.answer == Some(true) => return Ok((Outcome::Agrees, said)),
            Ok(reply) => is_open |= reply.answer.is_none(),
            // Outside the region.
            Err(TsumegoError::Move(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok((if is_open { Outcome::Open } else { Outcome::Differs }, said))
}

/// Counts of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// All problems.
    pub problems: usize,
    /// Those with a verdict and a comparison with the book.
    pub decided: usize,
    /// Those that agree with the book.
    pub agrees: usize,
    /// Those that differ.
    pub differs: usize,
    /// The others.
    pub open: usize,
}

impl Tally {
    fn add(&mut self, row: &Row) {
        self.problems += 1;
        match row.outcome {
            Outcome::Agrees => self.agrees += 1,
            Outcome::Differs => self.differs += 1,
            Outcome::Open => self.open += 1,
        }
        self.decided = self.agrees + self.differs;
    }
}

/// Counts results by the goal that the file states, and altogether.
pub fn tally(rows: &[Row]) -> (BTreeMap<String, Tally>, Tally) {
    let mut by_goal: BTreeMap<String, Tally> = BTreeMap::new();
    let mut all = Tally::default();
    for row in rows {
        by_goal.entry(row.stated.clone().unwrap_or_else(|| "not stated".to_string())).or_default().add(row);
        all.add(row);
    }
    (by_goal, all)
}
