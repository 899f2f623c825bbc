//! `auto`: the strongest configuration known for each game, as a player and as a solver.

use tesuji_core::{Capabilities, Facts, Knowledge, Options, Rules, Search, Spec, SpecError};

/// The name that stands for the strongest configuration known.
pub const AUTO: &str = "auto";

/// Games for which another configuration is stronger than the one for their number of players, as matches of 20 to 300 ms a move
/// showed. Where an evaluation tells much, alpha-beta wins from 70 to 100 of 100 games against the best tree searches tried; in Go it
/// wins none, in Connect-4 less than half, and in Awari they are equal.
const BY_GAME: &[(&str, &str)] = &[
    ("awari", "mcts:solver,prior=50,implicit=0.4,reuse"),
    ("breakthrough", "alphabeta"),
    ("go", "mcts:rave,grave,reuse,c=0"),
    ("gomoku", "alphabeta"),
    ("hex", "alphabeta"),
    ("knightthrough", "alphabeta"),
    ("lion", "alphabeta"),
    ("loa", "alphabeta"),
    ("minishogi", "alphabeta"),
    ("othello", "alphabeta"),
];

/// The configuration `auto` means for a game.
pub fn auto(game: &str, facts: &Facts) -> &'static str {
    let by_players = match facts.players {
        2 => "mcts:solver,reuse",
        _ => "mcts:reuse",
    };
    BY_GAME.iter().find(|(name, _)| *name == game).map_or(by_players, |(_, spec)| spec)
}

/// What a spec means for a game: itself, unless it is `auto`.
fn resolve<G: Knowledge>(player: &Spec, rules: &G::Rules) -> Result<Spec, SpecError> {
    if player.name() != AUTO {
        return Ok(player.clone());
    }
    Options::new(player).finish()?;
    auto(G::INFO.name, &rules.facts()).parse()
}

/// The search that a player's spec names, and the spec that `auto` meant.
pub fn build<G: Knowledge>(player: &Spec, rules: &G::Rules) -> Result<(Spec, Box<dyn Search<G>>), SpecError> {
    let meant = resolve::<G>(player, rules)?;
    let search = tesuji_search::build::<G>(&meant, rules).map_err(or_auto)?;
    Ok((meant, search))
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

/// The solver `auto` means for a game, and why. It is df-pn whatever the memory: its table is made as large as that allows and throws away what was
/// least work, where the tree of a best-first solver would be full.
pub fn solver(game: &str, facts: &Facts, threads: usize) -> (&'static str, String) {
    let (spec, why) = match game {
        "hex" => ("dfpn:init=game", "the way across that needs the fewest stones tells where a proof is"),
        // On 4x4, where the highest score is 16, the game has no such numbers.
        "rolit" if facts.scores.1 > 16 => ("dfpn:init=game", "who holds more corners is nearer to a proof"),
        _ if facts.players == 1 => ("dfpn", "one player finds every line that reaches a score"),
        _ => ("dfpn", "orders of moves lead to the same positions, which its table knows again"),
    };
    let sharing = if threads > 1 { format!(", {threads} threads share it") } else { String::new() };
    (spec, format!("{why}; its table fits any memory, what was least work goes first{sharing}"))
}
