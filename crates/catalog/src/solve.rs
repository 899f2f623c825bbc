//! Solving a position: the plan, the run and its result.

mod plan;
mod result;
mod run;

pub use plan::{CheckpointSettings, Sides, SolveError, SolveObserver, SolvePlan, SolveStage};
pub use result::{Side, Solution, SolveTiming, SolvedMove};

use crate::session::{Session, history};
use tesuji_core::{Knowledge, Visitor};
use tesuji_games::{unknown_game, visit};

/// Solves the current position of a game; `None` if the game is over.
pub fn solve(game: &dyn Session, plan: &SolvePlan<'_>) -> Result<Option<Solution>, SolveError> {
    struct Solve<'a>(&'a dyn Session, &'a SolvePlan<'a>);
    impl Visitor for Solve<'_> {
        type Output = Result<Solution, SolveError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let Solve(game, plan) = self;
            plan.run(game.spec(), history::<G>(game).expect("the names of games are unique"))
        }
    }
    if game.to_move().is_none() {
        return Ok(None);
    }
    let name = game.info().name;
    visit(name, Solve(game, plan)).unwrap_or_else(|| Err(unknown_game(name).into())).map(Some)
}
