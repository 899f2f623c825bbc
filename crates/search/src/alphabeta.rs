//! Alpha-beta with the enhancements that a player of two-player games is built with.
//!
//! The search is that of MIA in Saito (2010, section 4.5): iterative deepening; principal variation search (Marsland and Campbell
//! 1982; Reinefeld's NegaScout 1983); a transposition table with two entries to a bucket, one kept for its depth (TwoDeep, Breuker
//! 1998); enhanced transposition cutoffs (Schaeffer and Plaat 1996) more than two plies above the leaves; moves in the
//! order table move, two killers (Akl and Newborn 1977), knowledge of the game, relative history (Winands et al. 2004);
//! quiescence search over forcing moves; null move (Donninger 1993). The last two serve games whose [`Knowledge`] has forcing moves and
//! a null move; elsewhere the search stops at its horizon, and a game without an evaluation counts 0 there. `k=` searches only the
//! first k moves of every position (Baier 2015, section 8.5), `plain` nothing but alpha-beta in a fixed order.
//!
//! **What is proved.** Beside its heuristic value every position carries two bounds that rest on finished games alone: the mover
//! gets at least what its best move so far gets at least, and at most what its best move gets at most if all moves were
//! searched. Horizon, k-best, null move and quiescence leave the bounds open, so they can never be wrong for them; where
//! no such cut decides, they close, by the same argument by which alpha-beta is right. Closed bounds are proved.
//!
//! **Repetition and length.** Where positions can come back, a value found along one path need not hold along another (the
//! graph-history interaction). There the bounds speak of the game *without its past*: an end by repetition or length proves
//! nothing. Such a bound is a property of the position, so the table may keep it, together with its rank, the plies within which
//! it is forced. In the real game a side that always moves to a smaller rank meets no position twice; and a position that has
//! occurred so often before the root that once more ends the game was never looked into, so that no bound rests on it (the table
//! is that of one search). Hence the bounds of the root hold in the real game if their rank fits below the length cap.
//! Where it does not, where a draw rests on repetition, and where repetition is forbidden (superko changes what is legal), bounds are
//! those of the path: the table keeps none of them, and what it would cut is searched.

use std::cmp::{Ordering, Reverse};
use tesuji_core::{
    Bounds, Capabilities, Control, Counters, Facts, History, Inspector, Knowledge, Length, Options, Player, Repetition,
    Report, Rng, RootMove, Rules, Search, SearchInfo, SearchKind, SpecError, StopReason, Ticker,
};

/// The kind.
pub struct AlphaBeta;

/// The options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Params {
    /// Plies to the horizon; 0 for as deep as the limits allow.
    pub depth: u32,
    /// Moves searched in every position; 0 for all.
    pub k: usize,
    /// Whether scores count, not only who wins.
    pub score: bool,
    /// Nothing but alpha-beta, moves in a fixed order.
    pub plain: bool,
    /// The transposition table.
    pub table: bool,
    /// Enhanced transposition cutoffs.
    pub etc: bool,
    /// Killer moves.
    pub killers: bool,
    /// The relative history heuristic.
    pub history: bool,
    /// Quiescence search.
    pub quiescence: bool,
    /// Null moves.
    pub nullmove: bool,
}

impl SearchKind for AlphaBeta {
    const INFO: SearchInfo =
        SearchInfo { name: "alphabeta", summary: "iterative deepening alpha-beta with all the usual enhancements" };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let depth = options.integer("depth", 0, 0..=1000, "plies to the horizon; 0 means no horizon")? as u32;
        let k = options.integer("k", 0, 0..=1000, "moves searched in every position; 0 means all")? as usize;
        let rewards = [("result", false), ("score", true)];
        let score = options.choice("reward", &rewards, "what counts: who wins, or the score")?;
        let plain = options.switch("plain", "nothing but alpha-beta, moves in a fixed order")?;
        let mut with = |key, meaning| Ok(!options.switch(key, meaning)? && !plain);
        Ok(Params {
            depth,
            k,
            score,
            plain,
            table: with("no-table", "no transposition table")?,
            etc: with("no-etc", "no enhanced transposition cutoffs")?,
            killers: with("no-killers", "no killer moves")?,
            history: with("no-history", "no relative history heuristic")?,
            quiescence: with("no-quiescence", "no quiescence search, where the game knows forcing moves")?,
            nullmove: with("no-nullmove", "no null moves, where the game has them")?,
        })
    }

    fn capabilities(_: &Params) -> Capabilities {
        Capabilities { players: (2, 2), proves: true, ..Capabilities::PLAYER }
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        let players = rules.facts().players;
        if players != 2 {
            return Err(SpecError::BadValue {
                name: Self::INFO.name.to_string(),
                key: "players".to_string(),
                value: players.to_string(),
                accepted: "games for two players only".to_string(),
            });
        }
        Ok(Box::new(Searcher { params, table: None }))
    }
}

/// A null move is searched with so many plies less than a move; raising it makes it cheaper and more often wrong.
const NULL_REDUCTION: i32 = 2;
/// Enhanced transposition cutoffs are looked for with more plies than this to go: nearer the leaves they cost more than they save.
const ETC_ABOVE: i32 = 2;
/// Forcing moves are followed this far beyond the horizon; exchanges end long before.
const QUIESCENCE_PLIES: i32 = 32;
/// So many moves are picked one by one, for a cutoff to spare the sorting of the others.
const PICKED: usize = 4;

/// What is known of a position or a move, for one player: a heuristic value, and what the player gets at least and at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Answer {
    value: i32,
    at_least: i32,
    at_most: i32,
    /// Plies within which `at_least` is forced, whatever was played before.
    at_least_rank: u16,
    /// The same for `at_most`.
    at_most_rank: u16,
}

impl Answer {
    fn open(value: i32, (low, high): (i32, i32)) -> Answer {
        Answer { value, at_least: low, at_most: high, at_least_rank: 0, at_most_rank: 0 }
    }

    fn exact(value: i32) -> Answer {
        Answer::open(value, (value, value))
    }

    fn is_exact(&self) -> bool {
        self.at_least == self.at_most
    }

    /// The same for the other player.
    fn negated(self) -> Answer {
        Answer {
            value: -self.value,
            at_least: -self.at_most,
            at_most: -self.at_least,
            at_least_rank: self.at_most_rank,
            at_most_rank: self.at_least_rank,
        }
    }

    /// The same seen from one ply before.
    fn aged(self) -> Answer {
        Answer {
            at_least_rank: self.at_least_rank.saturating_add(1),
            at_most_rank: self.at_most_rank.saturating_add(1),
            ..self
        }
    }

    /// The same with bounds that are known as well; the value stays inside.
    fn within(self, known: &Answer) -> Answer {
        let mut both = self;
        if known.at_least > both.at_least {
            (both.at_least, both.at_least_rank) = (known.at_least, known.at_least_rank);
        }
        if known.at_most < both.at_most {
            (both.at_most, both.at_most_rank) = (known.at_most, known.at_most_rank);
        }
        both.value = both.value.clamp(both.at_least, both.at_most);
        both
    }

    /// What two moves are worth to a player who may choose between them.
    fn or(self, other: &Answer) -> Answer {
        let better = (other.at_least, Reverse(other.at_least_rank)) > (self.at_least, Reverse(self.at_least_rank));
        let (at_least, at_least_rank) =
            if better { (other.at_least, other.at_least_rank) } else { (self.at_least, self.at_least_rank) };
        Answer {
            value: self.value.max(other.value),
            at_least,
            at_least_rank,
            at_most: self.at_most.max(other.at_most),
            at_most_rank: self.at_most_rank.max(other.at_most_rank),
        }
    }
}

/// How scores and evaluations become the integers that are compared: points of `unit` steps each, from the view of the player at
/// the root (whose score all the search is about, so that nothing rests on the sum of the scores).
#[derive(Clone, Copy, Debug)]
struct Scale {
    player: Player,
    /// Only the sign of a score counts.
    result: bool,
    unit: i32,
    low: i32,
    high: i32,
}

impl Scale {
    fn new(player: Player, facts: &Facts, score: bool) -> Scale {
        let (low, high) = facts.scores;
        // Where each player has points of its own, as in Rolit, a score alone does not say who won, and always counts itself.
        let result = !score && low < 0;
        let (low, high) = if result { (low.signum(), high.signum()) } else { (low, high) };
        let largest = low.unsigned_abs().max(high.unsigned_abs()).max(1) as i32;
        // Fine enough for any evaluation, and far from overflowing.
        let unit = ((1 << 28) / largest).clamp(1, 1 << 20);
        Scale { player, result, unit, low: low * unit, high: high * unit }
    }

    fn range(&self, mover: Player) -> (i32, i32) {
        if mover == self.player { (self.low, self.high) } else { (-self.high, -self.low) }
    }

    /// A score of the player at the root, for the mover.
    fn score(&self, score: i32, mover: Player) -> i32 {
        let counted = if self.result { score.signum() } else { score } * self.unit;
        if mover == self.player { counted } else { -counted }
    }

    /// An evaluation in (-1, 1) for the mover; never as good as the best end or as bad as the worst.
    fn evaluation(&self, evaluation: f32, mover: Player) -> i32 {
        let (low, high) = self.range(mover);
        if high - low < 2 {
            return low;
        }
        let (middle, half) = (f64::from(low + high) / 2.0, f64::from(high - low) / 2.0);
        ((middle + f64::from(evaluation) * half) as i32).clamp(low + 1, high - 1)
    }

    /// Bounds on the score.
    fn bounds(&self, (at_least, at_most): (i32, i32), facts: &Facts) -> Bounds {
        let (at_least, at_most) = (at_least / self.unit, at_most / self.unit);
        if self.result {
            Bounds::of_results(self.player, at_least, at_most, facts)
        } else {
            Bounds { player: self.player, at_least, at_most }
        }
    }

    /// The value in [-1, 1]: the result once it is proved, and never as much as that before. Where scores count and do not tell
    /// the result, their place in the range of the game.
    fn shown(&self, value: i32, (at_least, at_most): (i32, i32)) -> f64 {
        if self.low < 0 && at_least.signum() == at_most.signum() {
            return f64::from(at_least.signum());
        }
        let (low, high) = (f64::from(self.low), f64::from(self.high));
        let scaled = if high > low { (2.0 * f64::from(value) - low - high) / (high - low) } else { 0.0 };
        if at_least == at_most { scaled } else { scaled.clamp(-0.999_999, 0.999_999) }
    }
}

/// What the value in an entry of the table is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Exact = 0,
    AtLeast = 1,
    AtMost = 2,
}

/// An entry of the table.
#[derive(Clone, Copy, Debug)]
struct Entry {
    answer: Answer,
    kind: Kind,
    depth: u8,
    /// No horizon was met below.
    complete: bool,
    /// The index of the best move, or [`NO_SLOT`].
    slot: u16,
}

const NO_SLOT: u16 = u16::MAX;

impl Entry {
    /// Whether the value decides a search with this window.
    fn cuts(&self, alpha: i32, beta: i32) -> bool {
        match self.kind {
            Kind::Exact => true,
            Kind::AtLeast => self.answer.value >= beta,
            Kind::AtMost => self.answer.value <= alpha,
        }
    }

    fn packed(&self, key: u64, generation: u32) -> [u64; 4] {
        let low = |number: i32| u64::from(number as u32);
        let Answer { value, at_least, at_most, at_least_rank, at_most_rank } = self.answer;
        let flags = self.kind as u64 | u64::from(self.complete) << 2;
        [
            key,
            low(value) | low(at_least) << 32,
            low(at_most) | u64::from(self.slot) << 32 | u64::from(self.depth) << 48 | flags << 56,
            u64::from(at_least_rank) | u64::from(at_most_rank) << 16 | u64::from(generation) << 32,
        ]
    }

    fn unpacked(words: [u64; 4]) -> Entry {
        let flags = words[2] >> 56;
        Entry {
            answer: Answer {
                value: words[1] as i32,
                at_least: (words[1] >> 32) as i32,
                at_most: words[2] as i32,
                at_least_rank: words[3] as u16,
                at_most_rank: (words[3] >> 16) as u16,
            },
            kind: match flags & 3 {
                0 => Kind::Exact,
                1 => Kind::AtLeast,
                _ => Kind::AtMost,
            },
            depth: (words[2] >> 48) as u8,
            complete: flags & 4 != 0,
            slot: (words[2] >> 32) as u16,
        }
    }
}

/// The transposition table: buckets of a cache line, with two entries of four words each. The first is kept for its depth, the
/// second takes what comes.
///
/// ```text
/// word 0  key
/// word 1  value (32 bits), at least (32)
/// word 2  at most (32), slot of the move (16), depth (8), kind (2) and complete (1)
/// word 3  ranks of the bounds (16 each), generation (32)
/// ```
struct Table {
    words: Vec<u64>,
    /// The first word that begins a cache line.
    begin: usize,
    buckets: usize,
    /// Entries of other generations count as empty: every search begins with an empty table.
    generation: u32,
}

const BUCKET_WORDS: usize = 8;

impl Table {
    /// The number of buckets for so much memory; a search of few nodes needs no large table.
    fn buckets_for(memory: usize, nodes: Option<u64>) -> usize {
        let room = (memory / (8 * BUCKET_WORDS)).saturating_sub(1);
        nodes.map_or(room, |nodes| room.min(nodes.clamp(1, 1 << 40).next_power_of_two() as usize))
    }

    fn new(buckets: usize) -> Table {
        // Words of zero come untouched from the system: memory that is not used costs nothing.
        let words = vec![0u64; (buckets + 1) * BUCKET_WORDS];
        let begin = words.as_ptr().align_offset(64).min(BUCKET_WORDS);
        Table { words, begin, buckets, generation: 1 }
    }

    fn bytes(&self) -> u64 {
        8 * self.words.len() as u64
    }

    #[inline]
    fn bucket(&mut self, key: u64) -> &mut [u64] {
        let number = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        let begin = self.begin + number * BUCKET_WORDS;
        &mut self.words[begin..begin + BUCKET_WORDS]
    }

    #[inline]
    fn find(&mut self, key: u64) -> Option<Entry> {
        let generation = self.generation;
        let bucket = self.bucket(key);
        let is_here = |words: &[u64]| words[0] == key && words[3] >> 32 == u64::from(generation);
        let words = [&bucket[..4], &bucket[4..]].into_iter().find(|words| is_here(words))?;
        Some(Entry::unpacked([words[0], words[1], words[2], words[3]]))
    }

    /// Keeps an entry; true if another one was lost for it.
    fn keep(&mut self, key: u64, mut entry: Entry) -> bool {
        let generation = self.generation;
        let bucket = self.bucket(key);
        let is_used = |words: &[u64]| words[3] >> 32 == u64::from(generation);
        let [same_first, same_second] = [0, 4].map(|at| is_used(&bucket[at..at + 4]) && bucket[at] == key);
        if same_first || same_second {
            // What was proved stays true.
            let at = if same_first { 0 } else { 4 };
            let old = Entry::unpacked([bucket[at], bucket[at + 1], bucket[at + 2], bucket[at + 3]]);
            entry.answer = Answer { value: entry.answer.value, ..entry.answer.within(&old.answer) };
            if entry.slot == NO_SLOT {
                entry.slot = old.slot;
            }
        }
        let first_depth = (bucket[2] >> 48) as u8;
        let goes_first = same_first || !is_used(&bucket[..4]) || entry.depth >= first_depth;
        let is_moved = goes_first && !same_first && is_used(&bucket[..4]);
        let is_lost = !same_first && !same_second && is_used(&bucket[4..]) && (is_moved || !goes_first);
        if is_moved {
            bucket.copy_within(..4, 4);
        }
        let at = if goes_first { 0 } else { 4 };
        bucket[at..at + 4].copy_from_slice(&entry.packed(key, generation));
        is_lost
    }
}

/// The search with its table.
struct Searcher {
    params: Params,
    table: Option<Table>,
}

impl<G: Knowledge> Search<G> for Searcher {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let buckets = Table::buckets_for(control.memory(), control.limits().nodes);
        match &mut self.table {
            table if !self.params.table || buckets == 0 => *table = None,
            Some(table) if table.buckets == buckets && table.generation < u32::MAX => table.generation += 1,
            table => {
                // The old one goes first: both at once might be too much.
                *table = None;
                *table = Some(Table::new(buckets));
            }
        }
        let mut run = Run::new(self.params, root, control, self.table.as_mut());
        run.deepen();
        run.root.counters = run.counters;
        run.root.report()
    }

    fn forget(&mut self) {
        self.table = None;
    }
}

/// A move in a list.
#[derive(Clone, Copy)]
struct Listed<M> {
    mv: M,
    slot: u32,
    /// Higher first.
    rank: i64,
}

/// One search.
struct Run<'s, 'c, 'a, G: Knowledge> {
    params: Params,
    scale: Scale,
    control: &'c Control<'a, G::Move>,
    ticker: Ticker<'c, 'a, G::Move>,
    history: History<G>,
    table: Option<&'s mut Table>,
    /// The rules have no past: bounds of positions hold in the real game.
    has_no_past: bool,
    /// Bounds speak of the path that led there; otherwise of the position whatever its past.
    by_path: bool,
    /// The last word, along every path: neither the table nor a null move cuts.
    verifies: bool,
    knows_forcing: bool,
    /// Moves that cut, by ply.
    killers: Vec<[Option<G::Move>; 2]>,
    /// How often a move was searched and how often it cut, by player and slot.
    tried: Vec<[u32; 2]>,
    /// The expected line from each ply on.
    lines: Vec<Vec<G::Move>>,
    /// Lists that are not in use.
    spare: Vec<Vec<Listed<G::Move>>>,
    generated: Vec<G::Move>,
    /// Values so far that rest on a horizon, directly or by the table.
    horizons: u64,
    counters: Counters,
    root: Root<G::Move>,
}

impl<'s, 'c, 'a, G: Knowledge> Run<'s, 'c, 'a, G> {
    fn new(
        params: Params,
        root: &History<G>,
        control: &'c Control<'a, G::Move>,
        table: Option<&'s mut Table>,
    ) -> Run<'s, 'c, 'a, G> {
        let facts = *root.facts();
        let player = root.position().to_move();
        let scale = Scale::new(player, &facts, params.score);
        let mut history = root.clone();
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        let knows_forcing = moves.first().is_some_and(|&mv| root.position().is_forcing(mv).is_some());
        if !params.plain {
            // Equal moves come in random order (Baier 2015), the same for the same seed.
            let mut rng = Rng::new(control.seed());
            for at in (1..moves.len()).rev() {
                moves.swap(at, rng.below(at + 1));
            }
            moves.sort_by_cached_key(|&mv| Reverse(root.position().move_order(mv)));
        }
        let has_no_past = facts.repetition == Repetition::Impossible && matches!(facts.length, Length::Bounded(_));
        let candidates = moves.into_iter().map(|mv| {
            history.play(mv);
            let end = history.outcome().map(|outcome| scale.score(outcome.score(player), player));
            history.undo();
            let bounds = end.map_or(scale.range(player), |value| (value, value));
            Candidate { mv, visits: 0, value: end, real: bounds, free: bounds, line: vec![mv] }
        });
        let root = Root {
            facts,
            scale,
            over: root.outcome().map(|outcome| scale.score(outcome.score(player), player)),
            moves: candidates.collect(),
            best: 0,
            counters: Counters::default(),
            stopped: StopReason::Finished,
        };
        Run {
            params,
            scale,
            control,
            ticker: control.ticker(0),
            has_no_past,
            by_path: !has_no_past && (facts.repetition == Repetition::Forbidden || table.is_none()),
            verifies: false,
            knows_forcing,
            killers: Vec::new(),
            tried: vec![[0; 2]; 2 * facts.move_slots],
            lines: Vec::new(),
            spare: Vec::new(),
            generated: Vec::new(),
            horizons: 0,
            counters: Counters { bytes: table.as_ref().map_or(0, |table| table.bytes()), ..Counters::default() },
            history,
            table,
            root,
        }
    }

    /// One depth after another.
    fn deepen(&mut self) {
        if self.root.moves.is_empty() {
            return;
        }
        let plies = self.root.facts.length.plies().saturating_sub(self.history.moves().len() as u32);
        let deepest = if self.params.depth == 0 { plies } else { self.params.depth.min(plies) }.max(1);
        let mut depth = if self.params.plain && self.params.depth > 0 { deepest } else { 1 };
        while depth <= deepest {
            if self.root.is_decided(|candidate| candidate.real) {
                break;
            }
            let horizons = self.horizons;
            if self.iterate(depth).is_none() {
                self.root.stopped = self.control.ended().unwrap_or(StopReason::Finished);
                return;
            }
            self.extend_line(depth as usize);
            self.root.counters = self.counters;
            self.control.show(&self.root);
            let sees_all = self.horizons == horizons;
            if sees_all && (self.has_no_past || self.by_path && !self.table_cuts()) {
                // Nothing is open any more, unless by k-best.
                break;
            }
            let is_decided_without_past = !self.by_path && self.root.is_decided(|candidate| candidate.free);
            if sees_all || is_decided_without_past {
                // What is left depends on the past: once more, along every path.
                (self.by_path, self.verifies) = (true, true);
            } else {
                depth += 1;
            }
        }
        if self.root.is_decided(|candidate| candidate.real) {
            self.root.stopped = StopReason::Decided;
        }
    }

    /// Searches the moves at the root to a depth; `None` if it was stopped.
    fn iterate(&mut self, depth: u32) -> Option<()> {
        let player = self.scale.player;
        let (low, high) = self.scale.range(player);
        let mut alpha = low;
        let mut best: Option<i32> = None;
        for number in 0..self.width(self.root.moves.len()) {
            let Candidate { mv, real, .. } = self.root.moves[number];
            let is_searched = real.0 < real.1;
            let answer = if is_searched {
                let answer = self.after(mv, player, depth as i32 - 1, 0, (alpha, high), best.is_some())?;
                self.learn(number, &answer);
                answer
            } else {
                Answer::exact(real.0)
            };
            let candidate = &mut self.root.moves[number];
            candidate.visits += 1;
            candidate.value = Some(answer.value);
            if is_searched {
                candidate.line.truncate(1);
                candidate.line.extend_from_slice(&self.lines[1]);
            }
            if best.is_none_or(|best| answer.value > best) {
                best = Some(answer.value);
                self.root.best = number;
                alpha = alpha.max(answer.value);
                if alpha >= high {
                    break;
                }
            }
        }
        if !self.params.plain {
            self.root.moves[..=self.root.best].rotate_right(1);
            self.root.best = 0;
        }
        Some(())
    }

    /// Whether values in the table may cut.
    fn table_cuts(&self) -> bool {
        self.table.is_some() && !self.verifies
    }

    fn width(&self, moves: usize) -> usize {
        if self.params.k == 0 { moves } else { moves.min(self.params.k) }
    }

    /// Takes over what was found of a move at the root, as far as it holds in the real game.
    fn learn(&mut self, number: usize, answer: &Answer) {
        let plies_left = match self.root.facts.length {
            Length::Bounded(_) => u32::MAX,
            Length::Capped(cap) => cap.saturating_sub(self.history.moves().len() as u32),
        };
        let holds = |rank: u16| self.by_path || self.has_no_past || rank < u16::MAX && u32::from(rank) <= plies_left;
        let candidate = &mut self.root.moves[number];
        if holds(answer.at_least_rank) {
            candidate.real.0 = candidate.real.0.max(answer.at_least);
        }
        if holds(answer.at_most_rank) {
            candidate.real.1 = candidate.real.1.min(answer.at_most);
        }
        if !self.by_path {
            candidate.free = (candidate.free.0.max(answer.at_least), candidate.free.1.min(answer.at_most));
        }
    }

    /// Continues the line of the best move by what the table remembers, where a cutoff by the table has broken it off. Where the result is proved, the line
    /// goes on only as long as every position in it proves the same.
    fn extend_line(&mut self, depth: usize) {
        let best = self.root.choice();
        let proved = self.root.moves[best].real;
        let (low, high) = self.scale.range(self.scale.player);
        // Which side the line is to bear out: of an exact value both will do.
        let mut sides = (proved.0 > low, proved.1 < high);
        let mut line = std::mem::take(&mut self.root.moves[best].line);
        for &mv in &line {
            self.history.play(mv);
        }
        while line.len() < depth && !self.history.is_over() {
            let Some(entry) = self.remembered() else { break };
            let list = self.listed();
            let found = list.iter().find(|listed| listed.slot == u32::from(entry.slot)).map(|listed| listed.mv);
            self.spare.push(list);
            let Some(mv) = found.filter(|_| entry.slot != NO_SLOT) else { break };
            self.history.play(mv);
            if proved.0 == proved.1 {
                let (at_least, at_most) = self.proved_here();
                sides = (sides.0 && at_least >= proved.0, sides.1 && at_most <= proved.1);
                if sides == (false, false) {
                    self.history.undo();
                    break;
                }
            }
            line.push(mv);
        }
        for _ in &line {
            self.history.undo();
        }
        self.root.moves[best].line = line;
    }

    fn remembered(&mut self) -> Option<Entry> {
        let key = self.history.position().key();
        self.table.as_mut().and_then(|table| table.find(key))
    }

    /// What the player at the root gets from the present position, as far as it is over or the table knows.
    fn proved_here(&mut self) -> (i32, i32) {
        let player = self.scale.player;
        if let Some(outcome) = self.history.outcome() {
            let value = self.scale.score(outcome.score(player), player);
            return (value, value);
        }
        let is_own = self.history.position().to_move() == player;
        match self.remembered().map(|entry| if is_own { entry.answer } else { entry.answer.negated() }) {
            Some(answer) => (answer.at_least, answer.at_most),
            None => self.scale.range(player),
        }
    }

    /// What a move is worth to the mover; `None` if the search was stopped. With `scout` a null window asks first whether it is
    /// better than alpha at all.
    fn after(
        &mut self,
        mv: G::Move,
        mover: Player,
        depth: i32,
        ply: usize,
        window: (i32, i32),
        scout: bool,
    ) -> Option<Answer> {
        if !self.ticker.node() {
            return None;
        }
        self.counters.nodes += 1;
        if self.ticker.is_due() {
            self.root.counters = self.counters;
            self.control.show(&self.root);
        }
        self.history.play(mv);
        let answer = self.judged(mover, depth, ply + 1, window, scout);
        self.history.undo();
        answer.map(Answer::aged)
    }

    /// The present position for the one who moved into it.
    fn judged(
        &mut self,
        mover: Player,
        depth: i32,
        ply: usize,
        (alpha, beta): (i32, i32),
        scout: bool,
    ) -> Option<Answer> {
        self.enter(ply);
        if let Some(outcome) = self.history.outcome() {
            let value = self.scale.score(outcome.score(self.scale.player), mover);
            let proves = self.by_path || !self.history.ended_by_history();
            return Some(if proves { Answer::exact(value) } else { Answer::open(value, self.scale.range(mover)) });
        }
        if !scout || self.params.plain || beta - alpha <= 1 {
            return self.below(mover, depth, ply, (alpha, beta));
        }
        let scouted = self.below(mover, depth, ply, (alpha, alpha + 1))?;
        if scouted.value <= alpha || scouted.value >= beta || scouted.is_exact() {
            return Some(scouted);
        }
        Some(self.below(mover, depth, ply, (alpha, beta))?.within(&scouted))
    }

    fn below(&mut self, mover: Player, depth: i32, ply: usize, (alpha, beta): (i32, i32)) -> Option<Answer> {
        let next = self.history.position().to_move();
        if next == mover {
            self.node(next, depth, ply, (alpha, beta), true)
        } else {
            self.node(next, depth, ply, (-beta, -alpha), true).map(Answer::negated)
        }
    }

    /// A position where the game goes on, for its mover.
    fn node(
        &mut self,
        mover: Player,
        depth: i32,
        ply: usize,
        (alpha, beta): (i32, i32),
        may_pass: bool,
    ) -> Option<Answer> {
        if depth <= 0 {
            return self.quiet(mover, depth, ply, (alpha, beta));
        }
        let range = self.scale.range(mover);
        let mut known = Answer::open(0, range);
        let key = self.history.position().key();
        let found = self.remembered();
        if let Some(entry) = &found {
            self.counters.hits += 1;
            if !self.by_path {
                known = entry.answer;
                if known.at_least >= beta || known.is_exact() {
                    return Some(Answer { value: known.at_least, ..known });
                }
                if known.at_most <= alpha {
                    return Some(Answer { value: known.at_most, ..known });
                }
            }
            if self.table_cuts() && i32::from(entry.depth) >= depth && entry.cuts(alpha, beta) {
                self.horizons += u64::from(!entry.complete);
                return Some(Answer { value: entry.answer.value, ..known }.within(&known));
            }
        }
        let horizons = self.horizons;
        if may_pass && let Some(value) = self.pass(mover, depth, ply, beta)? {
            return Some(Answer::open(value, range).within(&known));
        }
        let mut list = self.listed();
        let cutoff = if self.params.etc && self.table_cuts() && depth > ETC_ABOVE {
            self.transposition_cutoff(&list, mover, depth, beta)
        } else {
            None
        };
        let (answer, slot) = match cutoff {
            Some(found) => found,
            None => {
                let first = found.map_or(NO_SLOT, |entry| entry.slot);
                self.searched(&mut list, first, mover, depth, ply, (alpha, beta))?
            }
        };
        self.spare.push(list);
        let answer = answer.within(&known);
        if let Some(table) = &mut self.table {
            let entry = Entry {
                answer: if self.by_path { Answer::open(answer.value, range) } else { answer },
                kind: match answer.value {
                    value if value >= beta => Kind::AtLeast,
                    value if value <= alpha => Kind::AtMost,
                    _ => Kind::Exact,
                },
                depth: depth.min(255) as u8,
                complete: self.horizons == horizons,
                slot: u16::try_from(slot).unwrap_or(NO_SLOT),
            };
            self.counters.recycled += u64::from(table.keep(key, entry));
        }
        Some(answer)
    }

    /// The moves of a position, best first, until one is too good. The answer comes with the slot of the best.
    fn searched(
        &mut self,
        list: &mut [Listed<G::Move>],
        first: u16,
        mover: Player,
        depth: i32,
        ply: usize,
        (mut alpha, beta): (i32, i32),
    ) -> Option<(Answer, u32)> {
        // The move of the table is searched before the others are even ranked.
        let remembered = list.iter().position(|listed| first != NO_SLOT && listed.slot == u32::from(first));
        if let Some(at) = remembered {
            list[..=at].rotate_right(1);
        }
        let unranked = usize::from(remembered.is_some());
        let mut best: Option<(Answer, u32)> = None;
        let mut done = 0;
        for number in 0..self.width(list.len()) {
            if number >= unranked && !self.params.plain {
                self.pick(&mut list[number..], number - unranked, mover, ply);
            }
            let Listed { mv, slot, .. } = list[number];
            let answer = self.after(mv, mover, depth - 1, ply, (alpha, beta), number > 0)?;
            done += 1;
            best = match best {
                None => Some((answer, slot)),
                Some((other, best_slot)) => {
                    Some((other.or(&answer), if answer.value > other.value { slot } else { best_slot }))
                }
            };
            if self.params.history {
                self.tried[tally(mover, slot)][0] += 1;
            }
            if answer.value > alpha {
                alpha = answer.value;
                // Also where it cuts: what was best before is not what decides.
                let (before, after) = self.lines.split_at_mut(ply + 1);
                before[ply].clear();
                before[ply].push(mv);
                before[ply].extend_from_slice(&after[0]);
                if alpha >= beta {
                    self.note_cut(mv, slot, mover, ply);
                    break;
                }
            }
        }
        let (mut answer, slot) = best.expect("a game that is not over has a move");
        if done < list.len() {
            (answer.at_most, answer.at_most_rank) = (self.scale.range(mover).1, 0);
        }
        Some((answer, slot))
    }

    /// Looks whether a position one move away is in the table and good enough for a cutoff (Schaeffer and Plaat 1996).
    fn transposition_cutoff(
        &mut self,
        list: &[Listed<G::Move>],
        mover: Player,
        depth: i32,
        beta: i32,
    ) -> Option<(Answer, u32)> {
        let range = self.scale.range(mover);
        for listed in list {
            self.history.play(listed.mv);
            let next = self.history.position();
            let (key, same) = (next.key(), next.to_move() == mover);
            let is_over = self.history.is_over();
            self.history.undo();
            let found = if is_over { None } else { self.table.as_mut().and_then(|table| table.find(key)) };
            let Some(entry) = found else { continue };
            let child = if same { entry.answer } else { entry.answer.negated() }.aged();
            // The others' moves may be better still: what the mover gets at most stays open.
            let proved = !self.by_path && child.at_least >= beta;
            if proved {
                let value = child.at_least;
                return Some((Answer { value, at_most: range.1, at_most_rank: 0, ..child }, listed.slot));
            }
            let is_lower = entry.kind == Kind::Exact || entry.kind == if same { Kind::AtLeast } else { Kind::AtMost };
            if i32::from(entry.depth) + 1 >= depth && is_lower && child.value >= beta {
                self.horizons += u64::from(!entry.complete);
                return Some((Answer::open(child.value, range), listed.slot));
            }
        }
        None
    }

    /// Lets the other side move at once: a mover who is too well off even so need not be searched (Donninger 1993). Gives that value.
    fn pass(&mut self, mover: Player, depth: i32, ply: usize, beta: i32) -> Option<Option<i32>> {
        let (low, high) = self.scale.range(mover);
        if !self.params.nullmove || self.verifies || depth <= NULL_REDUCTION || beta <= low || beta >= high {
            return Some(None);
        }
        let passed = self.history.position().null_move();
        let passed = passed.filter(|passed| !passed.is_over() && passed.to_move() != mover);
        let Some(passed) = passed.filter(|_| self.evaluated(mover) >= beta) else { return Some(None) };
        if !self.ticker.node() {
            return None;
        }
        self.counters.nodes += 1;
        let horizons = self.horizons;
        // A position that no move leads to begins a past of its own; nothing but a value is taken from it, and where the past
        // counts, the table keeps no bounds that were found without the real one.
        let fresh = History::from_position(self.history.rules().clone(), passed);
        let before = std::mem::replace(&mut self.history, fresh);
        let by_path = self.by_path;
        self.by_path |= !self.has_no_past;
        self.enter(ply + 1);
        let answer = self.node(mover.opponent(), depth - 1 - NULL_REDUCTION, ply + 1, (-beta, 1 - beta), false);
        (self.history, self.by_path) = (before, by_path);
        let value = -answer?.value;
        self.horizons = horizons + u64::from(value >= beta);
        Some((value >= beta).then_some(value.min(high - 1)))
    }

    /// Beyond the horizon: the evaluation, or what forcing moves make of it.
    fn quiet(&mut self, mover: Player, depth: i32, ply: usize, (mut alpha, beta): (i32, i32)) -> Option<Answer> {
        self.horizons += 1;
        let range = self.scale.range(mover);
        let mut best = Answer::open(self.evaluated(mover), range);
        if !self.knows_forcing || !self.params.quiescence || depth <= -QUIESCENCE_PLIES || best.value >= beta {
            return Some(best);
        }
        alpha = alpha.max(best.value);
        let mut list = self.listed();
        let position = self.history.position();
        list.retain(|listed| position.is_forcing(listed.mv) == Some(true));
        for listed in &mut list {
            listed.rank = i64::from(position.move_order(listed.mv).unwrap_or(0));
        }
        list.sort_unstable_by_key(|listed| Reverse(listed.rank));
        for listed in &list {
            let answer = self.after(listed.mv, mover, depth - 1, ply, (alpha, beta), false)?;
            best = best.or(&answer);
            alpha = alpha.max(answer.value);
            if alpha >= beta {
                break;
            }
        }
        self.spare.push(list);
        // The quiet moves were left out.
        (best.at_most, best.at_most_rank) = (range.1, 0);
        Some(best)
    }

    fn evaluated(&self, mover: Player) -> i32 {
        let evaluation = self.history.position().evaluation(mover);
        self.scale.evaluation(evaluation.unwrap_or(0.0), mover)
    }

    /// Makes room for a ply, and forgets the line that was expected there.
    fn enter(&mut self, ply: usize) {
        self.counters.depth = self.counters.depth.max(ply as u32);
        while self.lines.len() < ply + 2 {
            self.lines.push(Vec::new());
            self.killers.push([None; 2]);
        }
        self.lines[ply].clear();
    }

    fn listed(&mut self) -> Vec<Listed<G::Move>> {
        let mut list = self.spare.pop().unwrap_or_default();
        list.clear();
        self.generated.clear();
        self.history.legal_moves(&mut self.generated);
        let position = self.history.position();
        list.extend(self.generated.iter().map(|&mv| Listed { mv, slot: position.move_index(mv) as u32, rank: 0 }));
        list
    }

    /// Brings the best of the moves left to the front; `taken` were taken before.
    fn pick(&self, rest: &mut [Listed<G::Move>], taken: usize, mover: Player, ply: usize) {
        if taken == 0 {
            self.rank(rest, mover, ply);
        }
        match taken.cmp(&PICKED) {
            Ordering::Less => {
                let best = (1..rest.len()).fold(0, |best, at| if rest[at].rank > rest[best].rank { at } else { best });
                rest.swap(0, best);
            }
            Ordering::Equal => rest.sort_unstable_by_key(|listed| Reverse(listed.rank)),
            Ordering::Greater => {}
        }
    }

    /// Killers first, then as the game says, then by relative history.
    fn rank(&self, list: &mut [Listed<G::Move>], mover: Player, ply: usize) {
        let position = self.history.position();
        let killers = self.killers[ply];
        for (number, listed) in list.iter_mut().enumerate() {
            let class = match killers.iter().position(|killer| *killer == Some(listed.mv)) {
                Some(place) => 2 - place as i64,
                None => 0,
            };
            let order = i64::from(position.move_order(listed.mv).unwrap_or(0).clamp(-(1 << 30), 1 << 30));
            let [tried, cut] = self.tried[tally(mover, listed.slot)];
            let relative = if tried == 0 { 0 } else { i64::from(cut) * 0xFFFF / i64::from(tried) };
            // The number makes all ranks different, so that no sort can change the order of equals.
            listed.rank = (((class << 32) + order) << 16 | relative) << 12 | (0xFFF - (number & 0xFFF)) as i64;
        }
    }

    fn note_cut(&mut self, mv: G::Move, slot: u32, mover: Player, ply: usize) {
        if self.params.history {
            self.tried[tally(mover, slot)][1] += 1;
        }
        let killers = &mut self.killers[ply];
        if self.params.killers && killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}

/// Where the tally of a move is kept.
fn tally(mover: Player, slot: u32) -> usize {
    2 * slot as usize + mover.index()
}

/// A move at the root.
#[derive(Clone)]
struct Candidate<M> {
    mv: M,
    visits: u64,
    /// The value at the last look: of the best move its own, of others perhaps only a limit it stays below.
    value: Option<i32>,
    /// What is proved, at least and at most.
    real: (i32, i32),
    /// The same for the game without its past.
    free: (i32, i32),
    /// The expected line, from the move on.
    line: Vec<M>,
}

/// What is known at the root.
struct Root<M> {
    facts: Facts,
    scale: Scale,
    /// The value of a game that is over.
    over: Option<i32>,
    /// In the order of the search.
    moves: Vec<Candidate<M>>,
    /// Which is best.
    best: usize,
    counters: Counters,
    stopped: StopReason,
}

impl<M> Root<M> {
    fn bounds(&self, of: impl Fn(&Candidate<M>) -> (i32, i32)) -> (i32, i32) {
        if let Some(value) = self.over {
            return (value, value);
        }
        let best = |(low, high): (i32, i32), (at_least, at_most): (i32, i32)| (low.max(at_least), high.max(at_most));
        self.moves.iter().map(of).reduce(best).unwrap_or((self.scale.low, self.scale.high))
    }

    /// The best move; but not one that is proved worse than another.
    fn choice(&self) -> usize {
        let (at_least, at_most) = self.bounds(|candidate| candidate.real);
        let proved = self.moves.iter().position(|candidate| candidate.real.0 == at_least);
        match self.moves.get(self.best) {
            Some(best) if best.real.1 < at_least || at_least == at_most && best.real.0 < at_least => {
                proved.unwrap_or(self.best)
            }
            _ => self.best,
        }
    }

    fn is_decided(&self, of: impl Fn(&Candidate<M>) -> (i32, i32)) -> bool {
        let (at_least, at_most) = self.bounds(of);
        at_least == at_most
    }
}

impl<M: Copy> Inspector<M> for Root<M> {
    fn report(&self) -> Report<M> {
        let bounds = self.bounds(|candidate| candidate.real);
        let choice = self.choice();
        let best = self.moves.get(choice);
        let mut order: Vec<usize> = (0..self.moves.len()).collect();
        order.sort_by_cached_key(|&number| {
            let candidate = &self.moves[number];
            Reverse((number == choice, candidate.real.0, candidate.value))
        });
        let entry = |number: usize| {
            let candidate = &self.moves[number];
            RootMove {
                mv: candidate.mv,
                visits: candidate.visits,
                value: candidate.value.map(|value| self.scale.shown(value, candidate.real)),
                spread: None,
                proof_numbers: None,
                bounds: self.scale.bounds(candidate.real, &self.facts),
            }
        };
        let value = best.and_then(|best| best.value).or(self.over).unwrap_or(0);
        Report {
            best: best.map(|best| best.mv),
            value: self.scale.shown(value, bounds),
            bounds: self.scale.bounds(bounds, &self.facts),
            proof_numbers: None,
            variation: best.map(|best| best.line.clone()).unwrap_or_default(),
            moves: order.into_iter().map(entry).collect(),
            counters: self.counters,
            stopped: self.stopped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimax;
    use std::sync::atomic::AtomicBool;
    use tesuji_core::{Game, Info, Limits, Outcome, PositionError, Verdict, View};
    use tesuji_games::{
        Awari, Breakthrough, Connect4, Go, Hex, Knightthrough, Lion, Loa, MiniShogi, Othello, Rolit, Synthetic,
        TicTacToe, rules, synthetic::SyntheticRules,
    };

    /// Every enhancement turned off alone, and all of them.
    const SPECS: [&str; 10] = [
        "alphabeta",
        "alphabeta:no-table",
        "alphabeta:no-etc",
        "alphabeta:no-killers",
        "alphabeta:no-history",
        "alphabeta:no-quiescence",
        "alphabeta:no-nullmove",
        "alphabeta:plain",
        "alphabeta:reward=score",
        "alphabeta:reward=score,plain",
    ];

    fn game<G: Game>(spec: &str, text: &str) -> History<G> {
        History::parse(rules::<G>(spec).unwrap(), text).unwrap()
    }

    fn tree(text: &str) -> History<Synthetic> {
        game(&format!("synthetic:tree='{text}'"), "start")
    }

    /// A search with little memory, so that the table replaces.
    fn search<G: Knowledge>(spec: &str, root: &History<G>, nodes: u64) -> Report<G::Move> {
        seeded_search(spec, root, nodes, 1)
    }

    fn seeded_search<G: Knowledge>(spec: &str, root: &History<G>, nodes: u64, seed: u64) -> Report<G::Move> {
        let mut search = crate::build::<G>(&spec.parse().unwrap(), root.rules()).unwrap();
        let stop = AtomicBool::new(false);
        let limits = Limits { nodes: Some(nodes), memory: Some(1 << 16), ..Limits::default() };
        search.search(root, &Control::new(limits, seed, &stop))
    }

    /// What minimax says of every move; `None` where it needs more nodes.
    fn values<G: Game>(root: &History<G>, max_nodes: u64) -> Vec<(G::Move, Option<i32>)> {
        let player = root.position().to_move();
        let mut history = root.clone();
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        let value = |mv| {
            history.play(mv);
            let value = minimax::value(&mut history, player, max_nodes);
            history.undo();
            (mv, value)
        };
        moves.into_iter().map(value).collect()
    }

    /// Asserts that a report claims nothing that is not so, and says whether it decides the position.
    fn assert_true<G: Game>(
        spec: &str,
        root: &History<G>,
        report: &Report<G::Move>,
        truth: &[(G::Move, Option<i32>)],
    ) -> bool {
        let place = || {
            let positions = root.positions().iter();
            let moves: Vec<String> = root.moves().iter().zip(positions).map(|(&mv, at)| at.move_text(mv)).collect();
            format!("{spec} at {} moves {}: {report:?}, but {truth:?}", root.positions()[0].text(), moves.join(" "))
        };
        let (low, high) = root.facts().scores;
        let at_least = truth.iter().map(|&(_, value)| value.unwrap_or(low)).max().unwrap();
        let at_most = truth.iter().map(|&(_, value)| value.unwrap_or(high)).max().unwrap();
        assert!(report.bounds.at_least <= at_most && at_least <= report.bounds.at_most, "{}", place());
        for entry in &report.moves {
            let value = truth.iter().find(|(mv, _)| *mv == entry.mv).unwrap().1;
            let holds = |value| entry.bounds.at_least <= value && value <= entry.bounds.at_most;
            assert!(value.is_none_or(holds), "{}", place());
        }
        let is_decided = report.stopped == StopReason::Decided;
        if let (true, Some((_, Some(value)))) = (is_decided, truth.iter().find(|(mv, _)| Some(*mv) == report.best)) {
            let is_result = !spec.contains("score") && low < 0;
            let is_best = if is_result { value.signum() >= at_least.signum() } else { *value >= at_least };
            assert!(is_best, "{}", place());
        }
        is_decided
    }

    /// Searches random positions in which minimax can settle a move with `small` nodes, with each of the specs in turn; gives
    /// how many positions it settles altogether, and how many of these were decided.
    fn compare<G: Knowledge>(game: &str, specs: &[&str], positions: u32, small: u64, nodes: u64) -> (u32, u32) {
        let rules = rules::<G>(game).unwrap();
        let (mut compared, mut settled, mut decided) = (0, 0, 0);
        let mut seed = 0;
        while compared < positions {
            seed += 1;
            let mut rng = Rng::new(seed);
            let mut history = History::<G>::new(rules.clone());
            while random_move(&mut history, &mut rng) {}
            // From the end backwards, as far as minimax can follow.
            while compared < positions && history.undo().is_some() {
                let truth = values(&history, small);
                if truth.iter().all(|(_, value)| value.is_none()) {
                    break;
                }
                let spec = specs[compared as usize % specs.len()];
                let report = search(spec, &history, nodes);
                let is_decided = assert_true(spec, &history, &report, &truth);
                compared += 1;
                if truth.iter().all(|(_, value)| value.is_some()) {
                    settled += 1;
                    decided += u32::from(is_decided);
                }
            }
        }
        (settled, decided)
    }

    /// Plays a random move; false if the game is over.
    fn random_move<G: Game>(history: &mut History<G>, rng: &mut Rng) -> bool {
        let mut moves = Vec::new();
        history.legal_moves(&mut moves);
        if !moves.is_empty() {
            history.play(moves[rng.below(moves.len())]);
        }
        !moves.is_empty()
    }

    /// A random graph as text: positions that lead to each other and to ends, moved in by anybody.
    fn random_graph(rng: &mut Rng) -> String {
        const NAMES: [&str; 7] = ["p", "q", "r", "s", "t", "u", "v"];
        fn choice(node: usize, parents: &[usize], rng: &mut Rng) -> String {
            let defined = (1..parents.len()).filter(|&child| parents[child] == node);
            let mut children: Vec<String> = defined.map(|child| choice(child, parents, rng)).collect();
            while children.len() < 2 || rng.below(3) == 0 {
                let end = (rng.below(5) as i32 - 2).to_string();
                let back = format!("@{}", NAMES[rng.below(parents.len())]);
                let at = rng.below(children.len() + 1);
                children.insert(at, if rng.below(2) == 0 { end } else { back });
            }
            format!("{}=({}: {})", NAMES[node], ["a", "b"][rng.below(2)], children.join(" "))
        }
        let nodes = 2 + rng.below(NAMES.len() - 1);
        let parents: Vec<usize> = (0..nodes).map(|node| rng.below(node.max(1))).collect();
        // At least one end, or there would be no scores.
        format!("(a: {} {})", choice(0, &parents, rng), rng.below(5) as i32 - 2)
    }

    #[test]
    fn small_trees_have_the_values_worked_out_by_hand() {
        for (text, best, value) in [
            ("(1 5 2)", 1, 5),
            ("((3 12 8) (2 4 6) (14 5 2))", 0, 3),
            ("((3 12 8) (2 4 6) (14 5 4))", 2, 4),
            // The same player moves twice.
            ("(a: (a: 1 4) (b: 7 9))", 1, 7),
            ("(b: (b: 1 -4) (a: -7 9))", 0, -4),
            // A transposition.
            ("((@x 5) (-1 6) (1 x=(a: 0 2)))", 0, 2),
        ] {
            let history = tree(text);
            let player = history.position().to_move();
            let value = if player == Player::FIRST { value } else { -value };
            for spec in SPECS {
                let report = search(spec, &history, 1000);
                let bounds = if spec.contains("score") {
                    Bounds::exact(player, value)
                } else {
                    Bounds::of_results(player, value.signum(), value.signum(), history.facts())
                };
                assert_eq!((report.bounds, report.stopped), (bounds, StopReason::Decided), "{spec} on {text}");
                assert_eq!(report.value, f64::from(value.signum()), "{spec} on {text}");
                if spec.contains("score") {
                    assert_eq!(report.best, Some(best), "{spec} on {text}");
                }
            }
        }
    }

    #[test]
    fn random_trees_have_the_value_they_were_made_with() {
        for seed in 0..200 {
            for options in ["scores=1", "scores=9,turns=random", "branching=2,depth=9", "scores=5,value=-4"] {
                let history = game::<Synthetic>(&format!("synthetic:{options},seed={seed}"), "start");
                let player = history.position().to_move();
                let known = history.position().known_value().unwrap();
                let value = if player == Player::FIRST { known } else { -known };
                let spec = SPECS[seed as usize % SPECS.len()];
                let report = search(spec, &history, 1_000_000);
                assert_eq!(report.stopped, StopReason::Decided);
                if spec.contains("score") {
                    assert_eq!(report.bounds, Bounds::exact(player, value), "{options} {seed}");
                } else {
                    assert_eq!(report.value, f64::from(value.signum()), "{options} {seed}");
                }
            }
        }
    }

    #[test]
    fn random_positions_of_games_that_cannot_repeat_are_decided_as_minimax_decides() {
        for (compared, decided) in [
            compare::<TicTacToe>("tictactoe", &SPECS, 600, 3_000, 1_000_000),
            compare::<Connect4>("connect4:4x4", &SPECS, 600, 2_000, 1_000_000),
            compare::<Breakthrough>("breakthrough:4x5", &SPECS, 300, 2_000, 1_000_000),
            compare::<Knightthrough>("knightthrough:4x5", &SPECS, 400, 2_000, 1_000_000),
            compare::<Othello>("othello:4", &SPECS, 600, 2_000, 1_000_000),
            compare::<Othello>("othello:6", &SPECS, 300, 2_000, 1_000_000),
            compare::<Hex>("hex:3", &SPECS, 400, 2_000, 1_000_000),
            compare::<Hex>("hex:3,swap", &SPECS, 200, 2_000, 1_000_000),
            compare::<Rolit>("rolit:4,players=2", &SPECS, 400, 2_000, 1_000_000),
        ] {
            assert_eq!(decided, compared);
        }
    }

    #[test]
    fn nothing_false_is_claimed_where_positions_come_back() {
        compare::<Lion>("lion", &SPECS, 400, 300, 3_000);
        compare::<Loa>("loa:5", &SPECS, 200, 300, 3_000);
        compare::<Awari>("awari", &SPECS, 300, 300, 3_000);
        compare::<Awari>("awari:rules=oware", &SPECS, 300, 300, 3_000);
        compare::<MiniShogi>("minishogi", &SPECS, 150, 300, 3_000);
        compare::<MiniShogi>("minishogi:rules=ludii", &SPECS, 150, 300, 3_000);
        compare::<Go>("go:2", &SPECS, 300, 300, 3_000);
    }

    #[test]
    fn random_graphs_full_of_cycles_are_decided_as_minimax_decides_from_any_past() {
        let mut settled = 0;
        for seed in 0..4000 {
            let mut rng = Rng::new(seed);
            let spec = format!("synthetic:tree='{}',repetition={}", random_graph(&mut rng), 2 + seed % 2);
            let mut history = game::<Synthetic>(&spec, "start");
            // A past that may hold repetitions.
            for _ in 0..rng.below(8) {
                random_move(&mut history, &mut rng);
            }
            let truth = values(&history, 2_000);
            if history.is_over() || truth.iter().any(|(_, value)| value.is_none()) {
                continue;
            }
            settled += 1;
            for spec in SPECS {
                let report = search(spec, &history, 20_000);
                assert!(assert_true(spec, &history, &report, &truth), "{spec} leaves {history:?} open");
            }
        }
        assert!(settled > 1000, "{settled}");
    }

    #[test]
    fn a_win_through_a_position_that_has_been_is_no_win() {
        // From r the first player wins by going back to s; but s has been, and its second occurrence is a draw.
        let rules = rules::<Synthetic>("synthetic:tree='s=(a: 1 r=(a: (b: @s) 0))',repetition=2").unwrap();
        let fresh = History::<Synthetic>::parse(rules.clone(), "n2").unwrap();
        let repeating = History::<Synthetic>::parse(rules, "start moves 2").unwrap();
        assert_eq!(fresh.position(), repeating.position());
        for spec in SPECS {
            assert_eq!(search(spec, &fresh, 1000).bounds.verdict(), Some(Verdict::Win), "{spec}");
            assert_eq!(search(spec, &repeating, 1000).bounds.verdict(), Some(Verdict::Draw), "{spec}");
        }
    }

    /// The winner can go round a loop of 150 plies, walk ten plies to p, or offer p to the other player, who will not go there.
    /// From p it is a walk of 92 plies to a win, on which both may blunder at every step.
    fn long_walks(winner: Player) -> SyntheticRules {
        let (chooser, other, won) = if winner == Player::FIRST { ("a", "b", 1) } else { ("b", "a", -1) };
        let walk = |plies: usize, end: &str| {
            (0..plies).fold(end.to_string(), |inner, ply| match ply % 2 {
                0 => format!("({chooser}: {inner} {})", -won),
                _ => format!("({other}: {inner} {won})"),
            })
        };
        let (round, far, near) = (walk(149, "@x"), walk(9, "@p"), walk(92, &won.to_string()));
        let tree = format!("x=({chooser}: ({other}: p={near} 0) {far} {round})");
        rules::<Synthetic>(&format!("synthetic:tree='{tree}',repetition=9")).unwrap()
    }

    #[test]
    fn a_win_that_comes_after_the_longest_game_is_no_win() {
        for winner in [Player::FIRST, Player::SECOND] {
            for (rounds, verdict) in [(5, Verdict::Win), (6, Verdict::Draw)] {
                let mut history = History::<Synthetic>::new(long_walks(winner));
                for _ in 0..rounds {
                    history.play(2);
                    (1..150).for_each(|_| history.play(0));
                }
                let truth = values(&history, 10_000);
                for (spec, seed) in SPECS.into_iter().zip(1..).chain((1..9).map(|seed| ("alphabeta", seed))) {
                    let report = seeded_search(spec, &history, 100_000, seed);
                    assert!(assert_true(spec, &history, &report, &truth), "{spec}");
                    assert_eq!(report.bounds.verdict(), Some(verdict), "{spec}");
                    // The same for the other player, one move later.
                    let mut later = history.clone();
                    later.play(1);
                    let report = search(spec, &later, 100_000);
                    assert_true(spec, &later, &report, &values(&later, 10_000));
                }
            }
        }
    }

    #[test]
    fn superko_is_that_of_the_path() {
        let (settled, decided) = compare::<Go>("go:2", &["alphabeta:reward=score"], 150, 20_000, 20_000);
        assert!(settled > 40 && decided > 40, "{settled} {decided}");
    }

    #[test]
    fn a_decided_line_is_played_to_its_end() {
        let mut history = game::<Connect4>("connect4:5x4", "start moves 2 2 3 3");
        let report = search("alphabeta", &history, 1_000_000);
        assert_eq!(report.bounds.verdict(), Some(Verdict::Win));
        for mv in report.variation {
            history.play(mv);
        }
        assert_eq!(history.outcome(), Some(Outcome::win(Player::FIRST)));
    }

    #[test]
    fn an_end_within_one_move_needs_no_search() {
        let report = search("alphabeta", &game::<Connect4>("connect4", "start moves 1 2 1 2 1 2"), 1);
        assert_eq!((report.best, report.stopped), (Some(0), StopReason::Decided));
        assert_eq!((report.value, report.bounds), (1.0, Bounds::exact(Player::FIRST, 1)));
    }

    #[test]
    fn a_horizon_proves_nothing_and_k_best_sees_only_its_moves() {
        let history = game::<TicTacToe>("tictactoe", "start");
        let short = search("alphabeta:depth=3", &history, 1_000_000);
        assert_eq!(
            (short.bounds, short.stopped),
            (Bounds::unknown(Player::FIRST, history.facts()), StopReason::Finished)
        );
        assert!(short.value.abs() < 1.0);
        // The second move wins, but only the first is looked at, and the first of its replies.
        let history = tree("((0 -1) ((1 1) (1 1)))");
        let narrow = search("alphabeta:k=1", &history, 1000);
        assert_eq!(narrow.stopped, StopReason::Finished);
        assert_eq!((narrow.bounds.at_least, narrow.bounds.at_most), (-1, 1));
        assert_eq!(search("alphabeta:k=2", &history, 1000).bounds.verdict(), Some(Verdict::Win));
    }

    #[test]
    fn a_stopped_search_keeps_its_last_depth() {
        let history = game::<Breakthrough>("breakthrough:6x6", "start");
        let whole = search("alphabeta:depth=4", &history, 1_000_000);
        let cut = search("alphabeta", &history, whole.counters.nodes + 3);
        assert_eq!((cut.best, cut.value, cut.stopped), (whole.best, whole.value, StopReason::Nodes));
        assert!(cut.variation.len() >= 4);
    }

    #[test]
    fn other_than_two_players_are_refused() {
        for players in [3, 4] {
            let rules = rules::<Rolit>(&format!("rolit:4,players={players}")).unwrap();
            let refused = crate::build::<Rolit>(&"alphabeta".parse().unwrap(), &rules).err().unwrap();
            let sentence = format!("alphabeta: players={players} is not accepted; it takes games for two players only");
            assert_eq!(refused.to_string(), sentence);
        }
    }

    #[test]
    fn entries_are_found_as_they_were_kept() {
        let entry = |value, depth| Entry {
            answer: Answer { value, at_least: -7, at_most: i32::MAX / 2, at_least_rank: 3, at_most_rank: 65_000 },
            kind: Kind::AtMost,
            depth,
            complete: true,
            slot: 40_000,
        };
        // One bucket: the first entry goes to the deepest, the second to the latest of the others.
        let mut table = Table::new(1);
        for (key, depth) in [(1, 5), (2, 3), (3, 7), (4, 1)] {
            let is_lost = table.keep(key, entry(key as i32 - 3, depth));
            assert_eq!(is_lost, key > 2);
            let found = table.find(key).unwrap();
            assert_eq!(format!("{found:?}"), format!("{:?}", entry(key as i32 - 3, depth)));
        }
        assert_eq!([1, 2, 3, 4].map(|key| table.find(key).is_some()), [false, false, true, true]);
        // What was proved stays when the value changes.
        let proved = Entry { answer: Answer::exact(9), ..entry(9, 2) };
        table.keep(4, proved);
        table.keep(4, entry(8, 1));
        let found = table.find(4).unwrap().answer;
        assert_eq!((found.value, found.at_least, found.at_most), (8, 9, 9));
        table.generation += 1;
        assert!(table.find(3).is_none());
    }

    /// Take one to three counters; who takes the last one wins. Being allowed to pass would turn every loss into a win, so a
    /// null move is as wrong as can be; `evaluation` invites it.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct Heap {
        left: u8,
        to_move: Player,
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct HeapRules;

    impl Rules for HeapRules {
        fn read(_: &mut Options<'_>) -> Result<HeapRules, SpecError> {
            Ok(HeapRules)
        }

        fn facts(&self) -> Facts {
            Facts {
                players: 2,
                repetition: Repetition::Impossible,
                length: Length::Bounded(100),
                scores: (-1, 1),
                draws: false,
                move_slots: 3,
            }
        }
    }

    impl Game for Heap {
        type Move = u8;
        type Rules = HeapRules;
        const INFO: Info = Info::new("heap", "Heap", &["A", "B"]);

        fn start(_: &HeapRules) -> Heap {
            Heap { left: 20, to_move: Player::FIRST }
        }

        fn to_move(&self) -> Player {
            self.to_move
        }

        fn is_over(&self) -> bool {
            self.left == 0
        }

        fn outcome(&self) -> Option<Outcome> {
            self.is_over().then(|| Outcome::win(self.to_move.opponent()))
        }

        fn legal_moves(&self, moves: &mut Vec<u8>) {
            moves.extend(1..=self.left.min(3));
        }

        fn play(&mut self, taken: u8) {
            *self = Heap { left: self.left - taken, to_move: self.to_move.opponent() };
        }

        fn key(&self) -> u64 {
            tesuji_core::zobrist::key(0xF0, 2 * u64::from(self.left) + u64::from(self.to_move.0))
        }

        fn text(&self) -> String {
            self.left.to_string()
        }

        fn parse(_: &HeapRules, text: &str) -> Result<Heap, PositionError> {
            let left = text.parse().map_err(|_| PositionError::new(text, "it must be a number"))?;
            Ok(Heap { left, to_move: Player::FIRST })
        }

        fn move_text(&self, taken: u8) -> String {
            taken.to_string()
        }

        fn move_index(&self, taken: u8) -> usize {
            usize::from(taken) - 1
        }

        fn view(&self) -> View {
            unreachable!("nobody looks")
        }
    }

    impl Knowledge for Heap {
        fn evaluation(&self, player: Player) -> Option<f32> {
            Some(if player == self.to_move { 0.5 } else { -0.5 })
        }

        fn null_move(&self) -> Option<Heap> {
            Some(Heap { to_move: self.to_move.opponent(), ..*self })
        }
    }

    #[test]
    fn a_null_move_misleads_but_proves_nothing() {
        let mut with = 0;
        let mut without = 0;
        for left in 1..=24 {
            let history = History::<Heap>::parse(HeapRules, &left.to_string()).unwrap();
            let verdict = if left % 4 == 0 { Verdict::Loss } else { Verdict::Win };
            for depth in 1..=24 {
                for (spec, nodes) in [("no-nullmove", &mut without), ("no-killers", &mut with)] {
                    let report = search(&format!("alphabeta:{spec},depth={depth}"), &history, 1_000_000);
                    let told = report.bounds.verdict();
                    assert!(told.is_none_or(|told| told == verdict), "{left} {depth}: {report:?}");
                    assert!(spec == "no-killers" || depth < left || told.is_some(), "{left} {depth}: {report:?}");
                    *nodes += report.counters.nodes;
                }
            }
        }
        assert_ne!(with, without);
    }
}
