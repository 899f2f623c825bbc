//! Nested Monte-Carlo tree search (Baier 2015, section 4.2) of games for one player.
//!
//! Level 1 is the nested search: MCTS, or any other search that reports complete lines. A search of
//! level n > 1 is MCTS whose playout is a whole search of level n - 1 from the new node; the line
//! it finds is the simulation, and its score is backed up. The tree of a level has one new node per
//! simulation; its memory is reused when the level begins again. The formula is
//! UCB1-TUNED over scores on [0, 1]:
//!
//! ```text
//! Q + C * sqrt(ln(N) / n * min(1/4, variance + sqrt(2 ln(N) / n)))
//! ```
//!
//! Moves that were never tried come first, in random order, and ties are broken at random. The
//! thesis has two levels and C = 0 at level 2.
//!
//! The limits of a level are in its spec, `nmcts:[mcts:c=0@playouts=1000]`. Searches of levels
//! between the lowest and the highest make `searches` simulations. Levels with other options are
//! nested: `nmcts:[nmcts:[mcts@playouts=100],c=0.1@playouts=5000]`.
//!
//! With `per-move=1`, move-by-move search at every level and one playout per move at the lowest,
//! this is nested Monte-Carlo search:
//! `stepwise:[nmcts:[stepwise:[mcts@per-move=1],moves=999],per-move=1],moves=999` is
//! `nmcs:level=2`.

use crate::best_line::{CompleteLine, InnerSearch, LineMethod, LineSearch, LineSearcher, run_ends};
use crate::restart::one_spec;
use tesuji_core::{Capabilities, History, Knowledge, LimitedSpec, Options, Search, SearchInfo, SearchKind, SpecError};
use tree::UpperTree;

mod tree;

/// The `nmcts` search.
pub struct Nmcts;

/// The options.
#[derive(Clone, PartialEq, Debug)]
pub struct Params {
    inner: LimitedSpec,
    /// The number of levels, including the nested search.
    level: u32,
    /// The simulations of a level between the lowest and the highest.
    searches: u64,
    /// The simulations of every level for each legal move of its root; 0 for `searches`, and no
    /// limit at the highest level.
    per_move: u64,
    /// The exploration constant of the upper levels. Raising it tries more moves near the root.
    c: f64,
}

impl SearchKind for Nmcts {
    const INFO: SearchInfo = SearchInfo { name: "nmcts", summary: "nested Monte-Carlo tree search for one player" };
    const PLAYERS: (u8, u8) = (1, 1);
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let meaning = "the search of level 1, with the limits of a search; default [mcts:c=0@playouts=1000]";
        let inner = one_spec(options, meaning, "mcts:c=0@playouts=1000")?;
        let level = options.integer("level", 2, 1..=10, "number of levels")? as u32;
        let searches =
            options.integer("searches", 50, 1..=1_000_000_000, "simulations of a level between lowest and highest")?;
        let per_move =
            options.integer("per-move", 0, 0..=1_000_000, "simulations of every upper level for each legal move")?;
        let c = options.number("c", 0.0, 0.0..=1000.0, "exploration constant of the upper levels")?;
        Ok(Params { inner, level, searches, per_move, c })
    }

    fn capabilities(params: &Params) -> Capabilities {
        let ends_by_itself = if params.level == 1 { run_ends(&params.inner) } else { params.per_move > 0 };
        Capabilities { ends_by_itself, ..Capabilities::LINES }
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        let inner = InnerSearch::build(Self::INFO.name, &params.inner, rules)?;
        let inner = if params.level > 1 { inner.limited() } else { inner };
        let trees = (1..params.level).map(|_| UpperTree::new(params.c, rules)).collect();
        LineSearcher::build(Self::INFO.name, Levels { params, inner, trees, tree_memory: 0 }, rules)
    }
}

/// The upper levels share this part of the memory; level 1 has the rest. Raising it makes the upper
/// trees smaller: they need little.
const UPPER_MEMORY: usize = 4;

struct Levels<G: Knowledge> {
    params: Params,
    inner: InnerSearch<G>,
    /// The trees of level 2 and above.
    trees: Vec<UpperTree<G>>,
    /// The memory of each of them.
    tree_memory: usize,
}

impl<G: Knowledge> LineMethod<G> for Levels<G> {
    fn run(&mut self, search: &mut LineSearch<'_, '_, G>) {
        let root = search.root();
        if self.params.level == 1 {
            search.run_inner(&mut self.inner, root, &[], 1);
        } else {
            let own = search.keep_memory(search.control().memory() / UPPER_MEMORY);
            self.tree_memory = own / self.trees.len();
            self.search_level(search, self.params.level, root, &[]);
        }
    }
}

impl<G: Knowledge> Levels<G> {
    /// The best line of a search of a level from the position after a line; `None` if the search
    /// must end before there is one.
    fn search_level(
        &mut self,
        search: &mut LineSearch<'_, '_, G>,
        level: u32,
        game: &History<G>,
        line: &[G::Move],
    ) -> Option<CompleteLine<G::Move>> {
        if level == 1 {
            return search.run_inner(&mut self.inner, game, line, 1)?.line;
        }
        let index = level as usize - 2;
        let memory = self.tree_memory;
        self.trees[index].begin(game, memory, search.rng());
        let limit = match self.params.per_move {
            0 if level == self.params.level => u64::MAX,
            0 => self.params.searches,
            per_move => per_move.saturating_mul(self.trees[index].root_moves() as u64),
        };
        let mut best: Option<CompleteLine<G::Move>> = None;
        for _ in 0..limit {
            let (leaf, moves) = self.trees[index].descend(game, search.rng());
            let line: Vec<G::Move> = line.iter().copied().chain(moves).collect();
            let found = match search.final_score(leaf.position(), &line) {
                Some(score) if search.begin_playout() => {
                    search.end_playout(&line, score);
                    Some(CompleteLine { score, playouts: 0, moves: line })
                }
                Some(_) => None,
                None => self.search_level(search, level - 1, &leaf, &line),
            };
            let Some(found) = found else { break };
            self.trees[index].back_up(found.score);
            if best.as_ref().is_none_or(|best| found.score > best.score) {
                best = Some(found);
            }
            if search.is_over() {
                break;
            }
        }
        search.count_bytes(self.trees.iter().map(UpperTree::bytes).sum());
        best
    }
}

#[cfg(test)]
mod tests;
