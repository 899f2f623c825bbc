//! `auto`: the strongest known player or solver of a game, as the game itself declares it.

use tesuji_core::{Capabilities, Knowledge, Options, Search, Spec, SpecError};

/// The spec that stands for the strongest known player or solver.
pub const AUTO: &str = "auto";

/// What a spec means for a game: itself, unless it is `auto`.
fn resolve<G: Knowledge>(player: &Spec, rules: &G::Rules) -> Result<Spec, SpecError> {
    if player.name() != AUTO {
        return Ok(player.clone());
    }
    Options::new(player).finish()?;
    G::auto_player(rules).parse()
}

/// The search that a player's spec names, and the spec that `auto` meant.
pub fn build<G: Knowledge>(player: &Spec, rules: &G::Rules) -> Result<(Spec, Box<dyn Search<G>>), SpecError> {
    let meant = resolve::<G>(player, rules)?;
    let search = tesuji_pairs::search::<G>(&meant, rules).map_err(or_auto)?;
    Ok((meant, search))
}

/// Builds the search that a player's spec names.
pub fn search<G: Knowledge>(player: &Spec, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
    build::<G>(player, rules).map(|(_, search)| search)
}

/// What the search that a player's spec names can do.
pub fn capabilities<G: Knowledge>(player: &Spec, rules: &G::Rules) -> Result<Capabilities, SpecError> {
    tesuji_search::capabilities(&resolve::<G>(player, rules)?).map_err(or_auto)
}

/// An error about a name, with `auto` among the known ones.
pub fn or_auto(error: SpecError) -> SpecError {
    match error {
        SpecError::UnknownName { kind, name, known } => {
            SpecError::UnknownName { kind, name, known: format!("{known}, {AUTO}") }
        }
        other => other,
    }
}

/// The solver that `auto` stands for in a game, and the reason for the choice.
pub fn solver<G: Knowledge>(rules: &G::Rules, threads: usize) -> (&'static str, String) {
    let (spec, reason) = G::auto_solver(rules);
    let sharing = if threads > 1 { format!(", {threads} threads share it") } else { String::new() };
    (spec, format!("{reason}; its table fits any memory and replaces the cheapest entries first{sharing}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_games::rules;
    use tesuji_games::{Hex, Loa, Rolit, SameGame, TicTacToe};

    #[test]
    fn the_solver_depends_on_the_board_and_has_a_reason() {
        fn meant<G: Knowledge>(spec: &str, threads: usize) -> (&'static str, String) {
            solver::<G>(&rules::<G>(spec).unwrap(), threads)
        }
        assert_eq!(meant::<Hex>("hex:4", 1).0, "dfpn:init=game");
        for spec in ["rolit:6", "rolit:6,players=2", "rolit"] {
            assert_eq!(meant::<Rolit>(spec, 1).0, "dfpn:init=game", "{spec}");
        }
        for spec in ["rolit:4", "rolit:4,players=2"] {
            assert_eq!(meant::<Rolit>(spec, 1).0, "dfpn", "{spec}");
        }
        assert_eq!(meant::<TicTacToe>("tictactoe", 1).0, "dfpn");
        assert_eq!(meant::<Loa>("loa:5", 1).0, "dfpn");
        assert_eq!(meant::<SameGame>("samegame", 1).0, "dfpn");
        assert!(meant::<Rolit>("rolit:6", 2).1.starts_with("a lead in corners"));
        assert!(meant::<Loa>("loa", 2).1.ends_with("replaces the cheapest entries first, 2 threads share it"));
    }
}
