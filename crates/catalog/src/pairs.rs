//! Searches and solvers for games, made here for everybody.

use crate::auto;
use std::any::Any;
use tesuji_core::{Knowledge, Prover, Search, Spec, SpecError, Visitor};
use tesuji_games::{unknown_game, visit};

/// The search that a player's spec names (`auto` too), for a game of the list.
///
/// Whatever is generic is compiled again in every crate that uses it, and searches are large and games many; so this asks a function
/// that is not generic, and the types meet again on this side.
pub fn search<G: Knowledge>(player: &Spec, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
    let made = make(G::INFO.name, player, rules, false)?;
    Ok(*made.downcast().expect("names of games are unique"))
}

/// The solver that a spec names, for a game of the list; made in the same way.
pub fn prover<G: Knowledge>(solver: &Spec, rules: &G::Rules) -> Result<Box<dyn Prover<G>>, SpecError> {
    let made = make(G::INFO.name, solver, rules, true)?;
    Ok(*made.downcast().expect("names of games are unique"))
}

fn make(game: &str, spec: &Spec, rules: &dyn Any, solves: bool) -> Result<Box<dyn Any>, SpecError> {
    struct Make<'a>(&'a Spec, &'a dyn Any, bool);
    impl Visitor for Make<'_> {
        type Output = Result<Box<dyn Any>, SpecError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let rules = self.1.downcast_ref::<G::Rules>().expect("names of games are unique");
            if self.2 {
                return Ok(Box::new(tesuji_search::prover::<G>(self.0, rules)?));
            }
            let (_, search) = auto::build::<G>(self.0, rules)?;
            Ok(Box::new(search))
        }
    }
    visit(game, Make(spec, rules, solves)).unwrap_or_else(|| Err(unknown_game(game)))
}
