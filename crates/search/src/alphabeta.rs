//! Alpha-beta search for two-player games, with the standard enhancements.
//!
//! The value of a node is the maximum over its moves of the negated value of the child, searched
//! with the window (-beta, -alpha); a move that reaches beta cuts off the rest. The enhancements
//! are those of MIA, as described by Saito (2010, section 4.5):
//!
//! - iterative deepening (`root`);
//! - principal variation search (Marsland and Campbell 1982; NegaScout, Reinefeld 1983) (`node`);
//! - a transposition table with two entries per bucket (TwoDeep, Breuker 1998) (`table`);
//! - enhanced transposition cutoffs (Schaeffer and Plaat 1996), more than two plies above the
//!   leaves;
//! - move ordering: the table move, two killers (Akl and Newborn 1977), the game's own order,
//!   relative history (Winands et al. 2004) (`order`);
//! - quiescence search over forcing moves (`quiescence`);
//! - null moves (Donninger 1993).
//!
//! Quiescence search applies to games whose [`Knowledge`] defines forcing moves, and null moves to
//! games that ask for them ([`Knowledge::NULL_MOVE_PRUNING`]). A game without an evaluation counts
//! as 0 at the horizon. `k=` searches only the first k moves of every position (Baier 2015, section
//! 8.5). `eval=` and `order=` choose a published evaluation function or move ordering of the game.
//! `plain` is alpha-beta in a fixed move order.
//!
//! # Proven bounds
//!
//! Besides its heuristic value every node has two bounds that depend on terminal positions only
//! (`bounds`). The lower bound is the best lower bound of the moves searched so far. The upper
//! bound is the best upper bound of the moves, if all were searched. Horizon, k-best, null moves
//! and quiescence search leave bounds open, so they cannot make one wrong. Where no such cut
//! decides, the bounds close by the argument that makes alpha-beta correct, and the position is
//! solved.
//!
//! # Repetition and length caps
//!
//! If positions can repeat, a value found along one path need not hold along another (the
//! graph-history interaction problem). Bounds are then proven *for any history*: an end by
//! repetition or by the length cap proves nothing. Such a bound is a property of the position, so
//! the table stores it, together with the number of plies within which it is forced. In the actual
//! game a side that always reduces this number never repeats a position. A position that would end
//! the game by one more repetition is never searched, so no bound depends on it (the table belongs
//! to one search). Hence the bounds of the root hold in the actual game if their plies fit below
//! the length cap.
//!
//! Three cases remain: the plies do not fit, a draw depends on repetition, or repetition is
//! forbidden (superko changes which moves are legal). There the bounds hold for the path only: the
//! table does not store them and does not cut off the search. See `HistoryMode`.

mod bounds;
mod node;
mod order;
mod quiescence;
mod root;
mod table;
#[cfg(test)]
mod tests;

use crate::functions::Functions;
use bounds::Scale;
use order::{MoveOrdering, OrderedMove};
use root::RootState;
use table::TranspositionTable;
use tesuji_core::{
    Capabilities, Control, Counters, Facts, History, Inspector, Knowledge, Length, MULTIPV, Options, Repetition,
    Report, Search, SearchInfo, SearchKind, SpecError, Ticker,
};

/// The `alphabeta` search.
pub struct AlphaBeta;

/// The options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Params {
    /// The search depth in plies; 0 for no depth limit.
    pub depth: u32,
    /// The number of moves searched in every position; 0 for all.
    pub k: usize,
    /// The evaluation function and the move ordering.
    pub functions: Functions,
    /// The number of root moves with exact values. Raising it slows down the search of the best.
    pub multipv: usize,
    /// Whether the score counts, not only the result.
    pub score: bool,
    /// Alpha-beta in a fixed move order, without enhancements.
    pub plain: bool,
    /// The transposition table.
    pub table: bool,
    /// Enhanced transposition cutoffs.
    pub etc: bool,
    /// Killer moves.
    pub killers: bool,
    /// The relative history heuristic.
    pub relative_history: bool,
    /// Quiescence search.
    pub quiescence: bool,
    /// Null moves.
    pub nullmove: bool,
}

impl SearchKind for AlphaBeta {
    const INFO: SearchInfo =
        SearchInfo { name: "alphabeta", summary: "iterative-deepening alpha-beta with the standard enhancements" };
    const PLAYERS: (u8, u8) = (2, 2);
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let depth = options.integer("depth", 0, 0..=1000, "search depth in plies; 0 means no limit")? as u32;
        let k = options.integer("k", 0, 0..=1000, "moves searched in every position; 0 means all")? as usize;
        let functions = Functions::read(options)?;
        let multipv =
            options.integer(MULTIPV, 1, 1..=1000, "root moves with exact values; others have bounds")? as usize;
        let rewards = [("result", false), ("score", true)];
        let score = options.choice("reward", &rewards, "what to maximise: the result or the score")?;
        let plain = options.switch("plain", "alpha-beta in a fixed move order, without enhancements")?;
        let mut unless = |key, meaning| Ok(!options.switch(key, meaning)? && !plain);
        Ok(Params {
            depth,
            k,
            functions,
            multipv,
            score,
            plain,
            table: unless("no-table", "no transposition table")?,
            etc: unless("no-etc", "no enhanced transposition cutoffs")?,
            killers: unless("no-killers", "no killer moves")?,
            relative_history: unless("no-history", "no relative history heuristic")?,
            quiescence: unless("no-quiescence", "no quiescence search")?,
            nullmove: unless("no-nullmove", "no null moves")?,
        })
    }

    fn capabilities(params: &Params) -> Capabilities {
        Capabilities { players: Self::PLAYERS, proves: params.depth == 0 && params.k == 0, ..Capabilities::PLAYER }
    }

    fn build<G: Knowledge>(mut params: Params, _: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        params.functions.resolve::<G>(Self::INFO.name)?;
        Ok(Box::new(AlphaBetaSearch { params, table: None }))
    }
}

/// The search and its table, which is allocated once and emptied for every call.
struct AlphaBetaSearch {
    params: Params,
    table: Option<TranspositionTable>,
}

impl<G: Knowledge> Search<G> for AlphaBetaSearch {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let buckets = TranspositionTable::buckets_for(control.memory(), control.limits().nodes);
        if !self.params.table || buckets == 0 {
            self.table = None;
        } else if !self.table.as_mut().is_some_and(|table| table.reuse(buckets)) {
            // Free the old table first: both together may exceed the memory limit.
            self.table = None;
            self.table = Some(TranspositionTable::new(buckets));
        }
        let mut run = Run::new(&self.params, root, control, self.table.as_mut());
        run.deepen();
        run.root.counters = run.counters;
        run.root.report()
    }

    fn forget(&mut self) {
        self.table = None;
    }
}

/// How bounds treat the history of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HistoryMode {
    /// The game has neither repetition nor a length cap. Every bound holds on every path.
    Irrelevant,
    /// Bounds are proven for any history. An end by repetition or by the length cap proves nothing.
    Ignored,
    /// Bounds are proven for the path to the node. The table stores values only.
    Path,
    /// As `Path`, and neither stored values nor null moves cut off the search.
    Verify,
}

impl HistoryMode {
    fn new(facts: &Facts, has_table: bool) -> HistoryMode {
        match (facts.repetition, facts.length) {
            (Repetition::Impossible, Length::Bounded(_)) => HistoryMode::Irrelevant,
            (Repetition::Forbidden, _) => HistoryMode::Path,
            _ if has_table => HistoryMode::Ignored,
            _ => HistoryMode::Path,
        }
    }

    /// Whether bounds are those of the path, so that the table must not store them.
    #[inline]
    fn is_by_path(self) -> bool {
        matches!(self, HistoryMode::Path | HistoryMode::Verify)
    }

    /// The mode below a null move, which has no actual history.
    #[inline]
    fn below_null_move(self) -> HistoryMode {
        if self == HistoryMode::Ignored { HistoryMode::Path } else { self }
    }
}

/// The search window of a node and its place in the tree.
#[derive(Clone, Copy, Debug)]
struct Window {
    alpha: i32,
    beta: i32,
    /// The plies left to the horizon; negative in quiescence search.
    depth: i32,
    /// The plies from the root.
    ply: usize,
}

impl Window {
    /// The same window one ply deeper, for the same player.
    #[inline]
    fn child(self) -> Window {
        Window { depth: self.depth - 1, ply: self.ply + 1, ..self }
    }

    /// The same window for the other player.
    #[inline]
    fn negated(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha, ..self }
    }
}

/// The state of one call of the search.
struct Run<'s, 'c, 'a, G: Knowledge> {
    params: &'s Params,
    scale: Scale,
    control: &'c Control<'a, G::Move>,
    ticker: Ticker<'c, 'a, G::Move>,
    history: History<G>,
    table: Option<&'s mut TranspositionTable>,
    mode: HistoryMode,
    /// Whether the game defines forcing moves.
    has_forcing_moves: bool,
    ordering: MoveOrdering<G::Move>,
    /// The principal variation from each ply on.
    variations: Vec<Vec<G::Move>>,
    /// Unused move lists, kept to avoid an allocation per node.
    spare_lists: Vec<Vec<OrderedMove<G::Move>>>,
    /// The legal moves of a node, before they are copied to its list.
    generated: Vec<G::Move>,
    /// The number of values so far that depend on a horizon, directly or through the table.
    horizons: u64,
    counters: Counters,
    root: RootState<G::Move>,
}

impl<'s, 'c, 'a, G: Knowledge> Run<'s, 'c, 'a, G> {
    fn new(
        params: &'s Params,
        root: &History<G>,
        control: &'c Control<'a, G::Move>,
        table: Option<&'s mut TranspositionTable>,
    ) -> Run<'s, 'c, 'a, G> {
        let facts = root.facts();
        let scale = Scale::new(root.position().to_move(), facts, params.score);
        let mut legal = Vec::new();
        root.legal_moves(&mut legal);
        Run {
            params,
            scale,
            control,
            ticker: control.ticker(0),
            history: root.clone(),
            mode: HistoryMode::new(facts, table.is_some()),
            has_forcing_moves: legal.first().is_some_and(|&mv| root.position().is_forcing(mv).is_some()),
            ordering: MoveOrdering::new(params, facts.move_indices),
            variations: Vec::new(),
            spare_lists: Vec::new(),
            generated: Vec::new(),
            horizons: 0,
            counters: Counters { bytes: table.as_ref().map_or(0, |table| table.bytes()), ..Counters::default() },
            table,
            root: RootState::new(root, legal, params, scale, control),
        }
    }
}
