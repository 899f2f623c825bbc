//! A solver: one prover by spec, for one game.

use crate::auto;
use crate::session::{Session, history};
use crate::text::report_text;
use std::sync::atomic::AtomicBool;
use tesuji_core::{Control, Game, Knowledge, Limits, Prover, Question, Report, Spec, SpecError, Visitor};
use tesuji_games::{unknown_game, visit};

/// The resources of a [`Solver`] for a question.
pub struct SolverSettings<'a> {
    /// The limits.
    pub limits: Limits,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads, for solvers that can use them.
    pub threads: usize,
    /// Set to end the work early.
    pub stop: &'a AtomicBool,
}

/// A solver built from a spec for one game under fixed rules, with moves as text: the counterpart
/// of an [`Engine`](crate::Engine) for questions. It keeps what it learns for later questions.
pub struct Solver(Box<dyn TextProver>);

impl Solver {
    /// Builds the solver of a spec, which may be `auto`.
    pub fn new(spec: &str, game: &dyn Session) -> Result<Solver, SpecError> {
        struct Build<'a>(&'a Spec, &'a dyn Session);
        impl Visitor for Build<'_> {
            type Output = Result<Solver, SpecError>;

            fn visit<G: Knowledge>(self) -> Self::Output {
                let rules = history::<G>(self.1).expect("the names of games are unique").rules();
                let spec = auto::resolve_solver::<G>(self.0, rules)?;
                Ok(Solver(Box::new(ProverOf::<G>(tesuji_pairs::prover::<G>(&spec, rules).map_err(auto::or_auto)?))))
            }
        }
        let name = game.info().name;
        visit(name, Build(&spec.parse()?, game)).unwrap_or_else(|| Err(unknown_game(name)))
    }

    /// Asks a question about the current position of a game; see [`Prover::ask`].
    ///
    /// # Panics
    ///
    /// If the solver was built for another game.
    pub fn ask(&mut self, game: &dyn Session, question: Question, settings: &SolverSettings<'_>) -> Report<String> {
        self.0.ask(game, question, settings)
    }
}

/// A solver whose game type is erased.
trait TextProver: Send {
    fn ask(&mut self, game: &dyn Session, question: Question, settings: &SolverSettings<'_>) -> Report<String>;
}

struct ProverOf<G: Game>(Box<dyn Prover<G>>);

impl<G: Knowledge> TextProver for ProverOf<G> {
    fn ask(&mut self, game: &dyn Session, question: Question, settings: &SolverSettings<'_>) -> Report<String> {
        let SolverSettings { limits, seed, threads, stop } = *settings;
        let history = history::<G>(game).expect("the solver was built for this game");
        let control = Control::new(limits, seed, stop).with_threads(threads);
        report_text(self.0.ask(history, question, &control), history)
    }
}
