//! Searches for games, made here for everybody.

use crate::auto;
use std::any::Any;
use tesuji_core::{Knowledge, Search, Spec, SpecError, Visitor};
use tesuji_games::{unknown_game, visit};

/// The search that a player's spec names (`auto` too), for a game of the list.
///
/// Whatever is generic is compiled again in every crate that uses it, and searches are large and games many; so this asks a function
/// that is not generic, and the types meet again on this side.
pub fn search<G: Knowledge>(player: &Spec, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
    let made = make(G::INFO.name, player, rules)?;
    Ok(*made.downcast().expect("names of games are unique"))
}

fn make(game: &str, player: &Spec, rules: &dyn Any) -> Result<Box<dyn Any>, SpecError> {
    struct Make<'a>(&'a Spec, &'a dyn Any);
    impl Visitor for Make<'_> {
        type Output = Result<Box<dyn Any>, SpecError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let rules = self.1.downcast_ref::<G::Rules>().expect("names of games are unique");
            let (_, search) = auto::build::<G>(self.0, rules)?;
            Ok(Box::new(search))
        }
    }
    visit(game, Make(player, rules)).unwrap_or_else(|| Err(unknown_game(game)))
}
