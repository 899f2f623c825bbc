//! Nested Monte-Carlo search (Cazenave 2009) of games for one player.
//!
//! At level 1 every move of a position is followed by a playout, and the search plays the next move
//! of the best line found so far, to the end of the game. At level n every move is followed by a
//! search of level n - 1. The best line is remembered: a later step that finds nothing better goes
//! on along it. Baier (2015, section 4.1) uses it as the baseline of nested MCTS; a line replaces
//! the remembered one only if it is better, as there.
//!
//! A run of a high level may take long, and one of a low level ends soon, so runs are repeated
//! until a limit is reached, and the best line of all is returned.

use crate::best_line::{CompleteLine, LineMethod, LineSearch, LineSearcher};
use crate::informed::PolicyRule;
use tesuji_core::{Capabilities, Knowledge, Options, Search, SearchInfo, SearchKind, SpecError};

/// The `nmcs` search.
pub struct Nmcs;

/// The options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Params {
    /// The level. Raising it by one multiplies the playouts of a run by about half the moves of a
    /// game times the number of moves in a position.
    pub level: u32,
    /// Where playouts get their moves from.
    pub playout: Option<PolicyRule>,
}

impl SearchKind for Nmcs {
    const INFO: SearchInfo = SearchInfo { name: "nmcs", summary: "nested Monte-Carlo search for one player" };
    const PLAYERS: (u8, u8) = (1, 1);
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let level = options.integer("level", 2, 1..=10, "level of nesting; 1 plays out after every move")? as u32;
        Ok(Params { level, playout: PolicyRule::read(options)? })
    }

    fn capabilities(_: &Params) -> Capabilities {
        Capabilities::LINES
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        LineSearcher::build(Self::INFO.name, params, rules)
    }
}

impl<G: Knowledge> LineMethod<G> for Params {
    fn policies(&self) -> Option<PolicyRule> {
        self.playout
    }

    fn run(&mut self, search: &mut LineSearch<'_, '_, G>) {
        while !search.is_over() {
            nest(search, search.root().position().clone(), &mut Vec::new(), self.level);
        }
    }
}

/// Searches a position after a line, which is not changed, and returns the best line from the root;
/// `None` if the search must end before it is found.
pub(crate) fn nest<G: Knowledge>(
    search: &mut LineSearch<'_, '_, G>,
    mut position: G,
    line: &mut Vec<G::Move>,
    level: u32,
) -> Option<CompleteLine<G::Move>> {
    let begin = line.len();
    let mut best: Option<CompleteLine<G::Move>> = None;
    let score = loop {
        if let Some(score) = search.final_score(&position, line) {
            break score;
        }
        let (mut moves, at) = (Vec::new(), line.len());
        position.legal_moves(&mut moves);
        for mv in moves {
            let mut next = position.clone();
            next.play(mv);
            line.push(mv);
            let found = if level == 1 {
                let score = search.play_out(next, line);
                score.map(|score| CompleteLine { score, playouts: 0, moves: line.clone() })
            } else {
                nest(search, next, line, level - 1)
            };
            line.truncate(at);
            let Some(found) = found else {
                line.truncate(begin);
                return None;
            };
            if best.as_ref().is_none_or(|best| found.score > best.score) {
                best = Some(found);
            }
        }
        let mv = best.as_ref().expect("a position that is not over has a move").moves[at];
        line.push(mv);
        position.play(mv);
    };
    if best.is_none() && search.begin_playout() {
        // The position was over from the start: an empty playout.
        search.end_playout(line, score);
        best = Some(CompleteLine { score, playouts: 0, moves: line.clone() });
    }
    line.truncate(begin);
    best
}

#[cfg(test)]
mod tests;
