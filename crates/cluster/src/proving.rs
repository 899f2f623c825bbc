//! Solving together, at the level of jobs: the master keeps a tree whose leaves workers search.
//!
//! A job is a leaf with a budget of nodes. A worker keeps its table from job to job and reports the
//! numbers of the leaf and of its moves. A leaf that stays open after some reports gets its moves
//! as children. Results that depend on the path are used for that path only: where positions can
//! repeat, a node of the tree is a whole path.
//!
//! A question is first put to the workers in one piece. Most questions for a proof are about
//! positions that one of them has solved, and its table has the answer.

mod saved;
mod work;

use crate::job::Inquiry;
use crate::team::Team;
use crate::tree::{NodeId, ROOT, Tree};
use rustc_hash::FxHashMap;
use tesuji_catalog::{CrewPlan, CrewTask, Session};
use tesuji_core::{Bounds, Counters, Question, Report, RootMove, StopReason};
use work::{End, Work};

/// The number of trees that are kept. Every question of a solution has one.
const MOST_TREES: usize = 64;

/// Called every few milliseconds with a report; false ends the work.
type Watch<'a> = &'a mut dyn FnMut(&Report<String>) -> bool;

/// The solver of a cluster.
pub struct Proving {
    plan: CrewPlan,
    trees: Vec<Asked>,
    /// The worker that answered the last question in one piece.
    last_answered: Option<usize>,
    /// Replies of workers that were not asked for yet.
    replies: Replies,
}

/// Moves that keep the answer to a question, by position, where positions cannot repeat.
#[derive(Default)]
struct Replies {
    /// The question: the game, the seat, the score and the answer.
    about: Option<(String, u8, i32, bool)>,
    moves: FxHashMap<String, String>,
}

/// A question that was asked, with its tree.
struct Asked {
    /// The spec of the game.
    game: String,
    /// The position and its history.
    position: String,
    seat: u8,
    at_least: i32,
    tree: Tree,
}

impl Asked {
    fn is_about(&self, inquiry: &Inquiry) -> bool {
        self.game == inquiry.spec && self.seat == inquiry.player().0 && self.at_least == inquiry.question.at_least
    }
}

impl Proving {
    /// Returns the solver of a plan.
    pub fn new(plan: CrewPlan) -> Proving {
        Proving { plan, trees: Vec::new(), last_answered: None, replies: Replies::default() }
    }

    /// Clears all trees.
    pub fn forget(&mut self) {
        self.trees.clear();
        self.replies = Replies::default();
    }

    /// See [`Crew::ask`](tesuji_catalog::Crew::ask).
    pub fn ask(
        &mut self,
        team: &mut Team,
        game: &dyn Session,
        question: Question,
        task: &CrewTask,
        watch: Watch<'_>,
    ) -> Option<Report<String>> {
        let inquiry = Inquiry::new(game, question);
        let known = self.known(&inquiry, game).or_else(|| {
            let holds = self.kept_answer(&inquiry, game)?;
            self.replies.take(&inquiry, game, holds)
        });
        let report = known.or_else(|| self.work(team, &inquiry, game, task, watch))?;
        Some(narrowed(report, question))
    }

    /// Works on a question that no tree has the answer for; `None` if no worker is left.
    fn work(
        &mut self,
        team: &mut Team,
        inquiry: &Inquiry,
        game: &dyn Session,
        task: &CrewTask,
        watch: Watch<'_>,
    ) -> Option<Report<String>> {
        let position = game.game_text();
        let at = self.trees.iter().position(|asked| asked.is_about(inquiry) && asked.position == position);
        let hint = self.hint(inquiry, game);
        let plan = self.plan.clone();
        let kept = self.kept_answer(inquiry, game);
        let mut work = Work::new(team, inquiry, game, &plan, task, watch);
        if let (Some(number), Some(holds)) = (hint, kept)
            && let Ok(found) = work.replies(number, holds)
        {
            self.replies.moves.extend(found);
            if let Some(report) = self.replies.take(inquiry, game, holds) {
                return Some(report);
            }
        }
        let at = match at {
            Some(at) => at,
            None => match work.probe(hint) {
                Ok(Some((worker, report))) => {
                    self.last_answered = Some(worker);
                    return Some(report);
                }
                Ok(None) => self.plant(inquiry, game),
                Err(End::NoWorker) => return None,
                Err(End::Stopped(reason)) => {
                    let unknown = inquiry.question.known;
                    let report = Report::without_search(unknown, 0.0);
                    return Some(Report { counters: work.counters, stopped: reason, ..report });
                }
            },
        };
        let tree = &mut self.trees[at].tree;
        let stopped = match work.solve(tree) {
            Ok(()) => StopReason::Solved,
            Err(End::Stopped(reason)) => reason,
            Err(End::NoWorker) => return None,
        };
        Some(report(inquiry, tree, ROOT, work.counters, stopped))
    }

    /// Adds a tree for a question, and returns its index.
    fn plant(&mut self, inquiry: &Inquiry, game: &dyn Session) -> usize {
        if self.trees.len() == MOST_TREES {
            // The first ones are those of the solution itself.
            self.trees.pop();
        }
        self.trees.push(Asked {
            game: inquiry.spec.clone(),
            position: game.game_text(),
            seat: inquiry.player().0,
            at_least: inquiry.question.at_least,
            tree: Tree::new(inquiry.node(game, None)),
        });
        self.trees.len() - 1
    }

    /// Returns the report on a position that a tree has the answer for.
    fn known(&self, inquiry: &Inquiry, game: &dyn Session) -> Option<Report<String>> {
        let identity = inquiry.identity(game);
        self.trees.iter().filter(|asked| asked.is_about(inquiry)).find_map(|asked| {
            let node = asked.tree.find(&identity)?;
            let holds = asked.tree.answer(node)?;
            let decides = (game.to_move() == Some(inquiry.player())) == holds;
            let report = report(inquiry, &asked.tree, node, Counters::default(), StopReason::Solved);
            (report.best.is_some() || !decides).then_some(report)
        })
    }

    /// Returns the answer that the player to move keeps, if it is known from a tree and positions
    /// cannot repeat. Every reply of a proof keeps the answer at the root.
    fn kept_answer(&mut self, inquiry: &Inquiry, game: &dyn Session) -> Option<bool> {
        let holds = game.to_move()? == inquiry.player();
        let is_known = |asked: &Asked| asked.is_about(inquiry) && asked.tree.answer(ROOT) == Some(holds);
        if !inquiry.is_path_independent() || !self.trees.iter().any(is_known) {
            return None;
        }
        let about = Some((inquiry.spec.clone(), inquiry.player().0, inquiry.question.at_least, holds));
        if self.replies.about != about {
            self.replies = Replies { about, moves: FxHashMap::default() };
        }
        Some(holds)
    }

    /// Returns the worker whose table may have the answer: the one that searched the last position
    /// of the game that is in a tree.
    fn hint(&self, inquiry: &Inquiry, game: &dyn Session) -> Option<usize> {
        let trees: Vec<&Tree> =
            self.trees.iter().filter(|asked| asked.is_about(inquiry)).map(|asked| &asked.tree).collect();
        if trees.is_empty() {
            return self.last_answered;
        }
        let mut game = game.copy();
        loop {
            let identity = inquiry.identity(game.as_ref());
            if let Some(worker) = trees.iter().find_map(|tree| tree.worker(tree.find(&identity)?)) {
                return Some(worker);
            }
            if !game.undo() {
                return self.last_answered;
            }
        }
    }
}

impl Replies {
    /// Returns the report on a position that a reply is known for. A proof asks for it once.
    fn take(&mut self, inquiry: &Inquiry, game: &dyn Session, holds: bool) -> Option<Report<String>> {
        let mv = self.moves.remove(&game.text())?;
        let bounds = inquiry.question.answered(holds);
        let report = Report::without_search(bounds, 0.0);
        Some(Report { best: Some(mv), stopped: StopReason::Solved, ..report })
    }
}

/// Returns what a tree knows of a node.
fn report(inquiry: &Inquiry, tree: &Tree, node: NodeId, counters: Counters, stopped: StopReason) -> Report<String> {
    let unknown = inquiry.question.known;
    let bounds_of = |id: NodeId| tree.answer(id).map_or(unknown, |holds| inquiry.question.answered(holds));
    let moves = tree.children(node).iter().map(|(mv, child)| RootMove {
        proof_numbers: Some(tree.numbers(*child)),
        ..RootMove::new(mv.clone(), bounds_of(*child))
    });
    Report {
        best: tree.best(node).map(str::to_string),
        value: 0.0,
        bounds: bounds_of(node),
        proof_numbers: Some(tree.numbers(node)),
        variation: tree.line(node),
        moves: moves.collect(),
        solution: None,
        counters,
        stopped,
    }
}

/// Adds the bounds that were known before a question to the report of its answer.
fn narrowed(report: Report<String>, question: Question) -> Report<String> {
    let Bounds { player, at_least, at_most } = question.known;
    let bounds =
        Bounds { player, at_least: report.bounds.at_least.max(at_least), at_most: report.bounds.at_most.min(at_most) };
    Report { bounds, ..report }
}
