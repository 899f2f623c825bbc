//! The answer to a problem: the stones in question, the verdict in the widest region that the
//! limits allow, all winning first moves, and what else players want to know.

use crate::TsumegoError;
use crate::ask::{Effort, Question, Solver};
use crate::board::{Board, Points};
use crate::detect::Marks;
use crate::problem::{Candidate, Goal, Problem};
use crate::region::{Stage, Wanted, all_named, between};
use crate::scale::{Level, Scale};
use serde::Serialize;
use tesuji_core::Player;

/// The pass, as a move.
pub const PASS: &str = "pass";

/// The share of the limits for each question that decides which stones are meant. Raising it finds
/// harder targets and leaves less for the verdict.
const PICK_SHARE: f64 = 0.3;

/// What is asked about a position: for every candidate the problems with wider and wider regions.
pub struct Task {
    problems: Vec<Vec<Problem>>,
}

impl Task {
    /// Makes the problems of some candidates.
    pub fn new(board: &Board, candidates: &[Candidate], marks: &Marks, wanted: &Wanted) -> Result<Task, TsumegoError> {
        let given = given_region(board, marks, wanted)?;
        let stages = |candidate: &Candidate| match (&given, wanted) {
            (Some(points), _) => vec![Problem::with_region(board, candidate, points)],
            (None, Wanted::Only(stage)) => vec![Problem::new(board, candidate, *stage)],
            _ => {
                let mut stages: Vec<Problem> = Vec::new();
                for stage in Stage::FOUND {
                    let problem = Problem::new(board, candidate, stage);
                    if stages.last().is_none_or(|last| last.region != problem.region) {
                        stages.push(problem);
                    }
                }
                stages
            }
        };
        Ok(Task { problems: candidates.iter().map(stages).collect() })
    }

    /// Makes a task of a problem as it is.
    pub fn of(problem: Problem) -> Task {
        Task { problems: vec![vec![problem]] }
    }

    /// Returns the problem that is tried first.
    pub fn first(&self) -> &Problem {
        &self.problems[0][0]
    }
}

/// Returns the empty points that a person or a file names as the region; `None` if it is found from
/// the stones.
pub fn given_region(board: &Board, marks: &Marks, wanted: &Wanted) -> Result<Option<Points>, TsumegoError> {
    let points = match wanted {
        Wanted::Corners(from, to) => between(board, from, to)?,
        Wanted::Points(names) => all_named(board, names)?,
        Wanted::Auto if !marks.empty.is_empty() => marks.empty.clone(),
        Wanted::Auto | Wanted::Only(_) => return Ok(None),
    };
    Ok(Some(empty(board, &points)))
}

fn empty(board: &Board, points: &Points) -> Points {
    points.iter().copied().filter(|&point| board.at(point).is_none()).collect()
}

/// What is found out besides the verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Details {
    /// All winning first moves, and whether a move is needed at all.
    pub moves: bool,
    /// Seki, double ko and bent four.
    pub kinds: bool,
}

/// The result of a first move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveAnswer {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Whether it keeps the verdict; `None` if the limits did not suffice.
    pub succeeds: Option<bool>,
}

/// The answer to a problem.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    /// The goal of the mover.
    pub goal: Goal,
    /// The player to move.
    pub mover: &'static str,
    /// A stone of every block in question.
    pub targets: Vec<String>,
    /// The widest region in which the verdict was found.
    pub region: Stage,
    /// Its empty points.
    pub empty_points: usize,
    /// The problem as a game and a position, at the level of the verdict.
    pub game: String,
    /// The position of that game.
    pub position: String,
    /// The verdict on the scale of ko threats.
    pub verdict: Scale,
    /// Whether the verdict is more than an effect of the edge of the region.
    pub is_confirmed: bool,
    /// In a race that is not won: the same for seki.
    pub seki_verdict: Option<Scale>,
    /// The first moves and their results; empty if they were not asked for.
    pub moves: Vec<MoveAnswer>,
    /// The main line.
    pub line: Vec<String>,
    /// Whether the stones in question live in seki only.
    pub seki: Option<bool>,
    /// Whether the verdict depends on what repetition means, so that there is a double ko.
    pub double_ko: Option<bool>,
    /// Whether the defender cannot end the ko, so that the stones are dead at the end of the game
    /// under Japanese rules (bent four in the corner).
    pub bent_four: Option<bool>,
    /// The solver.
    pub solver: String,
    /// The nodes of all questions.
    pub nodes: u64,
    #[serde(skip)]
    problem: Problem,
}

impl Answer {
    /// Returns whether the verdict is known, also beyond the region, and also that a race is not
    /// won but drawn.
    pub fn is_decided(&self) -> bool {
        let fails = self.verdict.verdict() == Some(Level::FAILS);
        let is_known = !fails || self.seki_verdict.is_none_or(|scale| scale.verdict().is_some());
        self.verdict.verdict().is_some() && is_known && self.is_confirmed
    }

    /// Returns the highest level at which the mover is known to reach its goal, or seki.
    pub fn level(&self) -> Level {
        self.result().0.at_least
    }

    /// Returns the scale that matters, and whether it is that of seki.
    pub fn result(&self) -> (Scale, bool) {
        match self.seki_verdict {
            Some(scale) if self.verdict.at_least == Level::FAILS => (scale, true),
            _ => (self.verdict, false),
        }
    }

    /// Returns the first moves that keep the verdict.
    pub fn good_moves(&self) -> Vec<&str> {
        self.moves.iter().filter(|entry| entry.succeeds == Some(true)).map(|entry| entry.mv.as_str()).collect()
    }

    /// Returns the first moves that are open.
    pub fn open_moves(&self) -> Vec<&str> {
        self.moves.iter().filter(|entry| entry.succeeds.is_none()).map(|entry| entry.mv.as_str()).collect()
    }

    /// Returns whether the mover may also pass.
    pub fn needs_no_move(&self) -> bool {
        self.good_moves().contains(&PASS)
    }

    /// Returns the problem that was decided.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Returns the question of the verdict.
    pub fn question(&self) -> Question<'_> {
        let (scale, draw) = self.result();
        let level = if scale.at_least == Level::FAILS { Level::WITH_ALL } else { scale.at_least };
        Question { draw, ..Question::at(&self.problem, level) }
    }
}

/// The refutation of a first move, or the line that shows that it works.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refutation {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Whether it keeps the verdict; `None` if the limits did not suffice.
    pub succeeds: Option<bool>,
    /// What follows.
    pub line: Vec<String>,
}

/// Solves a task.
pub fn solve(task: &Task, details: Details, effort: Effort<'_>) -> Result<Answer, TsumegoError> {
    answer(&mut Solver::new(effort), task, details)
}

/// The share of what is left for each question that confirms a verdict in a wider region. Raising
/// it confirms more, and leaves less for the first moves.
const CONFIRM_SHARE: f64 = 0.2;

/// Solves a task with a solver that can be asked further questions afterwards.
pub fn answer(solver: &mut Solver<'_>, task: &Task, details: Details) -> Result<Answer, TsumegoError> {
    let stages = pick(solver, task)?;
    let Decision { verdict, seki_verdict, problem, is_confirmed } = decide(solver, &stages)?;
    let mut answer = Answer {
        goal: problem.goal,
        mover: if problem.mover() == Player::FIRST { "Black" } else { "White" },
        targets: problem.target_names(),
        region: problem.stage,
        empty_points: empty(&problem.board, &problem.region).len(),
        game: problem.spec(""),
        position: String::new(),
        verdict,
        is_confirmed,
        seki_verdict,
        moves: Vec::new(),
        line: Vec::new(),
        seki: None,
        double_ko: None,
        bent_four: None,
        solver: String::new(),
        nodes: 0,
        problem: problem.clone(),
    };
    answer.position = problem.text(answer.question().level);
    answer.line = solver.ask(answer.question(), 1.0)?.line;
    if details.moves {
        answer.moves = first_moves(solver, &answer)?;
    }
    if details.kinds {
        find_kinds(solver, &mut answer)?;
    }
    (answer.solver, answer.nodes) = (solver.by().to_string(), solver.nodes());
    Ok(answer)
}

/// A verdict, and the region in which it was found.
#[derive(Clone, Copy)]
struct Decision<'p> {
    verdict: Scale,
    /// In a race that is not won: the same for seki.
    seki_verdict: Option<Scale>,
    problem: &'p Problem,
    /// Whether it is more than an effect of the edge of the region.
    is_confirmed: bool,
}

/// Finds the verdict in wider and wider regions while it is known, and returns that of the widest
/// region in which it is confirmed.
fn decide<'p>(solver: &mut Solver<'_>, stages: &'p [Problem]) -> Result<Decision<'p>, TsumegoError> {
    let mut found: Vec<Decision<'p>> = Vec::new();
    for problem in stages {
        let share = if found.is_empty() { 1.0 } else { CONFIRM_SHARE };
        let verdict = solver.verdict(Question::at(problem, Level::EVEN), share)?;
        let is_lost_race = problem.goal == Goal::Semeai && verdict.succeeds(Level::EVEN) == Some(false);
        let seki_verdict = if is_lost_race {
            Some(solver.verdict(Question { draw: true, ..Question::at(problem, Level::EVEN) }, share)?)
        } else {
            None
        };
        let is_known = verdict.verdict().is_some() && seki_verdict.is_none_or(|scale| scale.verdict().is_some());
        if found.is_empty() || is_known {
            found.push(Decision { verdict, seki_verdict, problem, is_confirmed: false });
        }
        if !is_known {
            break;
        }
    }
    for decision in found.iter().rev() {
        let is_confirmed = match decision.verdict.verdict() {
            Some(level) if decision.problem.may_be_due_to_edge(level) => holds_walled(solver, decision.problem, level)?,
            _ => true,
        };
        if is_confirmed {
            return Ok(Decision { is_confirmed, ..*decision });
        }
    }
    Ok(*found.last().expect("there is at least one region"))
}

/// Returns whether the side in question achieves as much with a wall around the region.
fn holds_walled(solver: &mut Solver<'_>, problem: &Problem, verdict: Level) -> Result<bool, TsumegoError> {
    let Some(walled) = problem.walled() else { return Ok(false) };
    let (level, succeeds) = if problem.goal.is_of_mover() { (verdict, true) } else { (verdict.next(), false) };
    let reply = solver.ask(Question::at(&walled, level), CONFIRM_SHARE)?;
    Ok(reply.answer == Some(succeeds))
}

/// Decides which stones are in question: those whose status changes with the player to move.
/// Returns their problems with wider and wider regions.
fn pick(solver: &mut Solver<'_>, task: &Task) -> Result<Vec<Problem>, TsumegoError> {
    let [only] = task.problems.as_slice() else {
        let mut open = None;
        for at in 0..task.problems.iter().map(Vec::len).max().unwrap_or(0) {
            for (number, stages) in task.problems.iter().enumerate() {
                let Some(problem) = stages.get(at) else { continue };
                // Outer stones that merely run away are not what a problem is about while a larger
                // group is open.
                let is_accepted = open.is_none() || !problem.may_be_due_to_edge(Level::UNCONDITIONAL);
                match changes(solver, problem)? {
                    Some(true) if is_accepted => {
                        return Ok(race(solver, task, number)?.unwrap_or_else(|| stages.clone()));
                    }
                    Some(_) => {}
                    None => open = open.or(Some(number)),
                }
            }
            // In a wider region nothing is easier.
            if open.is_some() {
                break;
            }
        }
        return Ok(task.problems[open.unwrap_or(0)].clone());
    };
    Ok(only.clone())
}

/// Returns whether the mover reaches the goal of a problem, but not after a pass; `None` if the
/// first is open.
fn changes(solver: &mut Solver<'_>, problem: &Problem) -> Result<Option<bool>, TsumegoError> {
    let question = Question::at(problem, Level::EVEN);
    Ok(match solver.ask(question, PICK_SHARE)?.answer {
        Some(true) => {
            let passed = solver.ask(Question { after: Some(PASS), ..question }, PICK_SHARE)?;
            Some(passed.answer != Some(true))
        }
        other => other,
    })
}

/// Two adjacent groups of both players whose status changes are a race, if no goal was given.
/// Returns the problems of the race of a candidate.
fn race(solver: &mut Solver<'_>, task: &Task, number: usize) -> Result<Option<Vec<Problem>>, TsumegoError> {
    let first = &task.problems[number][0];
    let opposite = match first.goal {
        Goal::Live => Goal::Kill,
        Goal::Kill => Goal::Live,
        _ => return Ok(None),
    };
    let board = &first.board;
    let touched = board.border(&first.targets);
    for stages in &task.problems[number + 1..] {
        let other = &stages[0];
        if other.goal != opposite || other.targets.is_disjoint(&touched) || changes(solver, other)? != Some(true) {
            continue;
        }
        let targets: Points = first.targets.union(&other.targets).copied().collect();
        let candidate = Candidate { goal: Goal::Semeai, seeds: targets.clone(), targets };
        return Ok(Some(Stage::FOUND.map(|stage| Problem::new(board, &candidate, stage)).to_vec()));
    }
    Ok(None)
}

/// Asks about every first move with an equal share of what is left, so that a hard one does not
/// stop the others.
fn first_moves(solver: &mut Solver<'_>, answer: &Answer) -> Result<Vec<MoveAnswer>, TsumegoError> {
    let question = answer.question();
    let mut moves = question.open()?.legal_moves();
    if answer.level() == Level::FAILS {
        return Ok(Vec::new());
    }
    // The move of the main line keeps the verdict, and what it needs is known.
    if let Some(best) = answer.line.first() {
        moves.sort_by_key(|mv| mv != best);
    }
    let number = moves.len();
    let mut answers = Vec::new();
    for (at, mv) in moves.into_iter().enumerate() {
        let share = 1.0 / (number - at) as f64;
        let succeeds = if answer.line.first() == Some(&mv) {
            Some(true)
        } else {
            solver.ask(Question { after: Some(&mv), ..question }, share)?.answer
        };
        answers.push(MoveAnswer { mv, succeeds });
    }
    Ok(answers)
}

/// Finds out about seki, double ko and bent four.
fn find_kinds(solver: &mut Solver<'_>, answer: &mut Answer) -> Result<(), TsumegoError> {
    let takes = matches!(answer.goal, Goal::Live | Goal::Save | Goal::Kill | Goal::Capture);
    let (Some(verdict), true) = (answer.verdict.verdict(), takes) else { return Ok(()) };
    let problem = answer.problem.clone();
    let of_defender = answer.goal.is_of_mover();
    let ask = |solver: &mut Solver<'_>, level: Level, options: &'static str| {
        solver.ask(Question { options, ..Question::at(&problem, level) }, 0.5).map(|reply| reply.answer)
    };
    if of_defender && verdict > Level::FAILS {
        answer.seki = ask(solver, verdict, ",seki=dead")?.map(|lives| !lives);
        answer.double_ko = ask(solver, verdict, ",cycle=attacker")?.map(|lives| !lives);
    }
    if !of_defender && verdict == Level::FAILS {
        answer.seki = ask(solver, Level::EVEN, ",seki=dead")?;
    }
    if !of_defender && verdict < Level::UNCONDITIONAL {
        answer.double_ko = ask(solver, verdict.next(), ",cycle=attacker")?;
    }
    if !of_defender && verdict == Level::EVEN || of_defender && verdict == Level::WITH_ONE {
        answer.bent_four = is_bent_four(solver, &problem, of_defender)?;
    }
    Ok(())
}

/// Returns whether the defender, moving first, can do nothing about a ko in the corner but pass.
fn is_bent_four(solver: &mut Solver<'_>, problem: &Problem, of_defender: bool) -> Result<Option<bool>, TsumegoError> {
    let defender = if of_defender { problem.mover() } else { problem.mover().opponent() };
    let board = problem.board.with_turn(defender);
    let last = board.size() - 1;
    let corners = [(0, 0), (0, last), (last, 0), (last, last)];
    let owner = board.to_move();
    let is_near = |&(column, row): &(usize, usize)| {
        let corner = board.at_column_row(column, row).expect("corners are on the board");
        problem.region.contains(&corner) && board.at(corner) != Some(owner)
    };
    if !corners.iter().any(is_near) {
        return Ok(Some(false));
    }
    let defence = Problem { goal: Goal::Live, board, ..problem.clone() };
    let question = Question::at(&defence, Level::WITH_ONE);
    if solver.ask(Question { after: Some(PASS), ..question }, 0.5)?.answer != Some(true) {
        return Ok(Some(false));
    }
    for mv in defence.open(Level::WITH_ONE, "")?.legal_moves().iter().filter(|mv| *mv != PASS) {
        match solver.ask(Question { after: Some(mv), ..question }, 0.5)?.answer {
            Some(false) => {}
            Some(true) => return Ok(Some(false)),
            None => return Ok(None),
        }
    }
    Ok(Some(true))
}

/// Finds out what a first move does.
pub fn refute(solver: &mut Solver<'_>, answer: &Answer, mv: &str) -> Result<Refutation, TsumegoError> {
    let question = answer.question();
    let mv = question.first_move(mv)?;
    let reply = solver.ask(Question { after: Some(&mv), ..question }, 1.0)?;
    Ok(Refutation { mv, succeeds: reply.answer, line: reply.line })
}
