//! Every search and solver, compiled for part D of the games.
//!
//! A search is compiled for every game, which is most of the work of a build. The list of games is
//! dealt out to four such crates, so that cargo can compile them at the same time.

use tesuji_core::SpecError;
use tesuji_search::erased::{Boxed, Build};

/// Builds a search or solver for a game; `None` if the game belongs to another part.
pub fn build(game: &str, wanted: Build<'_>) -> Option<Result<Boxed, SpecError>> {
    tesuji_games::parts::d::visit(game, wanted)
}
