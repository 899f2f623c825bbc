//! Searches and solvers by spec, for every game of the list.
//!
//! A generic function is compiled again in every crate that calls it, and compiling every search
//! for every game is most of the work of a build. So this crate calls functions that are not
//! generic, and restores the type afterwards. The pairs themselves are compiled in four crates,
//! each for a quarter of the games, so that cargo compiles them side by side.

use tesuji_core::{Knowledge, Prover, Search, Spec, SpecError};
use tesuji_games::unknown_game;
use tesuji_search::erased::{Boxed, Build};

/// Builds the search that a spec names.
pub fn search<G: Knowledge>(spec: &Spec, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
    let built = build(G::INFO.name, Build { spec, rules, prover: false })?;
    Ok(*built.downcast().expect("names of games are unique"))
}

/// Builds the solver that a spec names.
pub fn prover<G: Knowledge>(spec: &Spec, rules: &G::Rules) -> Result<Box<dyn Prover<G>>, SpecError> {
    let built = build(G::INFO.name, Build { spec, rules, prover: true })?;
    Ok(*built.downcast().expect("names of games are unique"))
}

/// Asks each part in turn; one of them has the game.
fn build(game: &str, wanted: Build<'_>) -> Result<Boxed, SpecError> {
    tesuji_pairs_a::build(game, wanted)
        .or_else(|| tesuji_pairs_b::build(game, wanted))
        .or_else(|| tesuji_pairs_c::build(game, wanted))
        .or_else(|| tesuji_pairs_d::build(game, wanted))
        .unwrap_or_else(|| Err(unknown_game(game)))
}
