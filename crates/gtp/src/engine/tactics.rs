//! Questions about blocks and groups, with the names and answer codes of GNU Go.
//!
//! A code is 0 (fails), 1 (unconditional), 2 (a ko in which the opponent must find the first
//! threat) or 3 (a ko in which the mover must); the move follows, or `PASS` if none is needed.
//! `attack` and `defend` are about the block of a stone, `owl_` commands and `dragon_status` about
//! the blocks linked to it. What the limits do not settle counts as failure, or as `unknown`.

use super::{Engine, one};
use crate::command::{Refusal, Response};
use std::time::Duration;
use tesuji_catalog::{AUTO, parse_time};
use tesuji_core::{Limits, Player, quoted};
use tesuji_tsumego::{
    Answer, Board, Candidate, Details, Effort, Goal, Level, Marks, PASS, Points, Problem, Question, Solver, Stage,
    Task, TsumegoError, Wanted, answer, groups,
};

/// The default time of a command.
const TIME: Duration = Duration::from_secs(1);
/// The memory of a command. Raising it makes short searches begin later.
const MEMORY: usize = 128 << 20;
/// The pass as GNU Go writes it.
const NO_MOVE: &str = "PASS";

/// The limits of a command, as set by `param`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TacticsLimits {
    time: Option<Duration>,
    nodes: Option<u64>,
}

/// A code and its move.
struct Code {
    level: Level,
    mv: String,
    is_known: bool,
}

impl Code {
    fn text(&self) -> String {
        match self.level.code() {
            0 => "0".to_string(),
            code => format!("{code} {}", self.mv),
        }
    }
}

fn refused(error: TsumegoError) -> Refusal {
    Refusal::new(error)
}

impl Engine {
    pub(super) fn attack(&mut self, arguments: &[String]) -> Response {
        self.about_block(one(arguments)?, Goal::Capture)
    }

    pub(super) fn defend(&mut self, arguments: &[String]) -> Response {
        self.about_block(one(arguments)?, Goal::Save)
    }

    pub(super) fn owl_attack(&mut self, arguments: &[String]) -> Response {
        self.about_group(one(arguments)?, Goal::Kill)
    }

    pub(super) fn owl_defend(&mut self, arguments: &[String]) -> Response {
        self.about_group(one(arguments)?, Goal::Live)
    }

    pub(super) fn owl_does_attack(&mut self, arguments: &[String]) -> Response {
        self.about_move(arguments, Goal::Kill)
    }

    pub(super) fn owl_does_defend(&mut self, arguments: &[String]) -> Response {
        self.about_move(arguments, Goal::Live)
    }

    /// A ladder: the block must not get three liberties.
    pub(super) fn ladder_attack(&mut self, arguments: &[String]) -> Response {
        let board = self.go_board()?;
        let stone = stone(&board, one(arguments)?)?;
        let block = board.block(stone);
        if board.liberties(&block).len() != 2 {
            return Err(Refusal::new("string must have exactly 2 liberties"));
        }
        let attacker = board.at(stone).map_or(Player::FIRST, Player::opponent);
        let problem = Problem {
            region: board.points().collect(),
            board: board.with_turn(attacker),
            goal: Goal::Capture,
            targets: block,
            stage: Stage::Given,
        };
        let mut solver = self.solver();
        let question = Question { options: ",escape=3,moves=strong", ..Question::at(&problem, Level::UNCONDITIONAL) };
        let scale = solver.verdict(question, 1.0).map_err(refused)?;
        let reply = solver.ask(Question { level: scale.at_least, ..question }, 1.0).map_err(refused)?;
        let mv = reply.line.first().cloned().unwrap_or_else(|| NO_MOVE.to_string());
        Ok(Code { level: scale.at_least, mv, is_known: true }.text())
    }

    /// The status of a group, or of all groups.
    pub(super) fn dragon_status(&mut self, arguments: &[String]) -> Response {
        let board = self.go_board()?;
        if arguments.is_empty() {
            let mut lines = Vec::new();
            for player in [Player::FIRST, Player::SECOND] {
                for group in groups(&board, player) {
                    let stones = group.stones();
                    let first = stones.first().map(|&stone| board.name(stone)).unwrap_or_default();
                    lines.push((stones.first().copied(), format!("{first}: {}", self.status(&board, &stones)?)));
                }
            }
            lines.sort();
            return Ok(lines.into_iter().map(|(_, line)| line).collect::<Vec<_>>().join("\n"));
        }
        let stone = stone(&board, one(arguments)?)?;
        if board.at(stone).is_some_and(|owner| board.unconditionally_alive(owner).contains(&stone)) {
            return Ok("alive".to_string());
        }
        self.status(&board, &linked(&board, stone))
    }

    fn status(&self, board: &Board, stones: &Points) -> Response {
        let attack = self.code(board, stones, Goal::Kill)?;
        if attack.level == Level::FAILS {
            return Ok(if attack.is_known { "alive" } else { "unknown" }.to_string());
        }
        let defence = self.code(board, stones, Goal::Live)?;
        Ok(match (defence.level, defence.is_known) {
            (Level::FAILS, true) => "dead".to_string(),
            (Level::FAILS, false) => "unknown".to_string(),
            _ => format!("critical {} {}", attack.mv, defence.mv),
        })
    }

    /// A race: whether the first block survives if its side moves first, whether the other one is
    /// captured, and the move.
    pub(super) fn analyze_semeai(&mut self, arguments: &[String]) -> Response {
        let [own, other] = arguments else {
            return Err(Refusal::new("invalid coordinate: it takes a stone of each side"));
        };
        let board = self.go_board()?;
        let (own, other) = (stone(&board, own)?, stone(&board, other)?);
        if board.at(own) == board.at(other) {
            return Err(Refusal::new("the stones must have different colours"));
        }
        let board = board.with_turn(board.at(own).expect("there is a stone"));
        let targets: Points = board.block(own).union(&board.block(other)).copied().collect();
        let candidate = Candidate { goal: Goal::Semeai, seeds: targets.clone(), targets };
        let mut solver = self.solver();
        let found = solved(&mut solver, &board, candidate)?;
        let mv = best_move(&mut solver, &found)?;
        let killed = found.verdict.at_least.code();
        let survives = if killed > 0 { killed } else { found.seki_verdict.map_or(0, |scale| scale.at_least.code()) };
        Ok(format!("{survives} {killed} {}", if survives == 0 { NO_MOVE } else { &mv }))
    }

    /// Sets or lists the limits of these commands.
    pub(super) fn param(&mut self, arguments: &[String]) -> Response {
        let limits = &mut self.tactics;
        match arguments {
            [] => {
                let time = limits.time.unwrap_or(TIME).as_secs_f64();
                Ok(format!("[string] time {time}\n[string] nodes {}", limits.nodes.unwrap_or(0)))
            }
            [name, value] if name == "time" => {
                let time = parse_time(value).or_else(|_| parse_time(&format!("{value}s")));
                limits.time = Some(time.map_err(|_| Refusal::new("time takes seconds, such as 0.5 or 2m"))?);
                Ok(String::new())
            }
            [name, value] if name == "nodes" => {
                let nodes: u64 = value.parse().map_err(|_| Refusal::new("nodes takes a number; 0: no limit"))?;
                limits.nodes = (nodes > 0).then_some(nodes);
                Ok(String::new())
            }
            _ => Err(Refusal::new("it takes time or nodes, and a value")),
        }
    }

    fn go_board(&self) -> Result<Board, Refusal> {
        Board::of(self.session.as_ref()).map_err(refused)
    }

    /// With a limit of nodes alone, answers do not depend on the clock.
    fn solver(&self) -> Solver<'_> {
        let TacticsLimits { time, nodes } = self.tactics;
        let time = if nodes.is_some() { time } else { time.or(Some(TIME)) };
        Solver::new(Effort {
            by: AUTO,
            limits: Limits { time, nodes, playouts: None, memory: Some(MEMORY) },
            seed: self.settings.seed,
            threads: self.settings.threads,
            stop: self.inbox.stop_on_interrupt(),
            observer: None,
        })
    }

    fn about_block(&self, vertex: &str, goal: Goal) -> Response {
        let board = self.go_board()?;
        let block = board.block(stone(&board, vertex)?);
        Ok(self.code(&board, &block, goal)?.text())
    }

    fn about_group(&self, vertex: &str, goal: Goal) -> Response {
        let board = self.go_board()?;
        let stones = linked(&board, stone(&board, vertex)?);
        Ok(self.code(&board, &stones, goal)?.text())
    }

    /// Finds the code of a goal for some stones; the larger block of a group stands for it.
    fn code(&self, board: &Board, stones: &Points, goal: Goal) -> Result<Code, Refusal> {
        let (board, candidate) = candidate(board, stones, goal);
        let mut solver = self.solver();
        let found = solved(&mut solver, &board, candidate)?;
        let mv = best_move(&mut solver, &found)?;
        Ok(Code { level: found.level(), mv, is_known: found.is_decided() })
    }

    /// The code of a given first move.
    fn about_move(&self, arguments: &[String], goal: Goal) -> Response {
        let [mv, vertex] = arguments else {
            return Err(Refusal::new("invalid coordinate: it takes a move and a stone"));
        };
        let board = self.go_board()?;
        let stones = linked(&board, stone(&board, vertex)?);
        let point = board.point(mv).ok_or_else(|| not_a_point(mv))?;
        let (board, candidate) = candidate(&board, &stones, goal);
        let mut solver = self.solver();
        // The region is that of the answer without a given move.
        let mut problem = solved(&mut solver, &board, candidate)?.problem().clone();
        problem.region.insert(point);
        let name = board.name(point);
        let question = Question { after: Some(&name), ..Question::at(&problem, Level::EVEN) };
        match solver.verdict(question, 1.0) {
            Ok(scale) => Ok(scale.at_least.code().to_string()),
            Err(TsumegoError::Move(mv)) => Err(Refusal(format!("illegal move: {mv}"))),
            Err(error) => Err(refused(error)),
        }
    }
}

/// Solves a candidate in the regions found from its stones.
fn solved(solver: &mut Solver<'_>, board: &Board, candidate: Candidate) -> Result<Answer, Refusal> {
    let task = Task::new(board, &[candidate], &Marks::default(), &Wanted::Auto).map_err(refused)?;
    answer(solver, &task, Details::default()).map_err(refused)
}

/// Returns the move of an answer; `PASS` if the mover may pass.
fn best_move(solver: &mut Solver<'_>, found: &Answer) -> Result<String, Refusal> {
    if found.level() == Level::FAILS {
        return Ok(NO_MOVE.to_string());
    }
    let passed = solver.ask(Question { after: Some(PASS), ..found.question() }, 0.5).map_err(refused)?;
    let first = found.line.first().filter(|mv| *mv != PASS && passed.answer != Some(true));
    Ok(first.cloned().unwrap_or_else(|| NO_MOVE.to_string()))
}

/// Returns the board with the player to move of a goal, and the candidate for some stones.
fn candidate(board: &Board, stones: &Points, goal: Goal) -> (Board, Candidate) {
    let owner = stones.first().and_then(|&stone| board.at(stone)).expect("there are stones");
    let mover = if goal.is_of_mover() { owner } else { owner.opponent() };
    let largest = board.blocks_of(stones).into_iter().max_by_key(|block| (block.len(), block.first().copied()));
    let targets = largest.expect("there are stones");
    (board.with_turn(mover), Candidate { goal, targets, seeds: stones.clone() })
}

/// Returns the stones linked to a stone.
fn linked(board: &Board, stone: usize) -> Points {
    let owner = board.at(stone).expect("there is a stone");
    let found = groups(board, owner).into_iter().map(|group| group.stones()).find(|stones| stones.contains(&stone));
    found.unwrap_or_else(|| board.block(stone))
}

fn not_a_point(vertex: &str) -> Refusal {
    Refusal(format!("invalid coordinate: {} is not a point of the board", quoted(vertex)))
}

/// Parses a vertex with a stone.
fn stone(board: &Board, vertex: &str) -> Result<usize, Refusal> {
    let point = board.point(vertex).ok_or_else(|| not_a_point(vertex))?;
    board.at(point).map(|_| point).ok_or_else(|| Refusal::new("vertex must not be empty"))
}
