//! `auto`: the strongest known player or solver of a game, as the game itself declares it.

use tesuji_core::{Capabilities, Knowledge, Options, Search, Spec, SpecError};

/// The spec that stands for the strongest known player or solver.
pub const AUTO: &str = "auto";

/// Resolves `auto` to the player that a game declares; other specs stand for themselves.
fn resolve<G: Knowledge>(player: &Spec, rules: &G::Rules) -> Result<Spec, SpecError> {
    if player.name() != AUTO {
        return Ok(player.clone());
    }
    Options::new(player).finish()?;
    G::auto_player(rules).parse()
}

/// Builds the search of a spec, and returns it with the spec that `auto` stands for.
pub fn build<G: Knowledge>(player: &Spec, rules: &G::Rules) -> Result<(Spec, Box<dyn Search<G>>), SpecError> {
    let resolved = resolve::<G>(player, rules)?;
    let search = tesuji_pairs::search::<G>(&resolved, rules).map_err(or_auto)?;
    Ok((resolved, search))
}

/// Builds the search of a spec, which may be `auto`.
pub fn search<G: Knowledge>(player: &Spec, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
    build::<G>(player, rules).map(|(_, search)| search)
}

/// Resolves `auto` to the solver that a game declares; other specs stand for themselves.
pub fn resolve_solver<G: Knowledge>(by: &Spec, rules: &G::Rules) -> Result<Spec, SpecError> {
    if by.name() != AUTO {
        return Ok(by.clone());
    }
    Options::new(by).finish()?;
    G::auto_solver(rules).0.parse()
}

/// Returns the capabilities of the search of a spec, which may be `auto`.
pub fn capabilities<G: Knowledge>(player: &Spec, rules: &G::Rules) -> Result<Capabilities, SpecError> {
    tesuji_search::capabilities(&resolve::<G>(player, rules)?).map_err(or_auto)
}

/// Adds `auto` to the known names of an error.
pub fn or_auto(error: SpecError) -> SpecError {
    match error {
        SpecError::UnknownName { kind, name, known } => {
            SpecError::UnknownName { kind, name, known: format!("{known}, {AUTO}") }
        }
        other => other,
    }
}

/// Returns the solver that `auto` stands for in a game, and the reason for the choice.
pub fn solver<G: Knowledge>(rules: &G::Rules, threads: usize) -> (&'static str, String) {
    let (spec, reason) = G::auto_solver(rules);
    let sharing = if threads > 1 { format!(", {threads} threads share it") } else { String::new() };
    (spec, format!("{reason}; its table fits any memory and replaces the cheapest entries first{sharing}"))
}
