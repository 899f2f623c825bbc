//! What the depth-first searches share: a walker that goes down a line, remembers in the table, and says what it found.
//!
//! Numbers are absolute, proof and disproof number for "the question's player gets what he wants", and a node's kind is that of its
//! mover; nobody is assumed to move in turn. At a node, *own* is the number that its mover wants small (the proof number if the prover moves,
//! the disproof number otherwise) and is the smallest of the children's; *other* is the one that adds up.
//!
//! **Circles.** Results that rest on the path ([`super::line`]) are kept twice: under the position with the numbers as they were before, and
//! a note that it was solved somewhere; and as solved under position and path. Whoever comes along another path and finds the note plays the
//! old solution through once, with his own past (Kishimoto and Müller 2004); if it still works, it is his.

use super::asking::{self, Asking};
use super::best_first::{self, BestFirst};
use super::goal::Goal;
use super::initial::{Initial, first_numbers};
use super::line::{Circles, End, FREE, Line, Next, PAST, Round};
use super::numbers::{LARGEST, absolute, answer, answered, own_and_other};
use super::saved::{Opener, Sealer, damaged};
use super::table::{Entry, FARTHEST, MOST_WORK, NO_MOVE, Table};
use crossbeam_utils::CachePadded;
use std::cmp::Reverse;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use tesuji_core::{
    Bounds, Control, Counters, History, INFINITE, Inspector, Knowledge, Limits, Options, PlayoutContext, ProofNumbers,
    Prover, Question, Report, RootMove, Search, SpecError, StopReason, Ticker,
};

/// How the numbers of several children make the one of their parent that adds up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Sums {
    /// Their sum.
    Plain,
    /// Their sum without children that are nearer to the root by another way, which would be counted twice (df-pn(r), Kishimoto 2005);
    /// if there are only such, the largest.
    Old,
    /// The largest, and one for each of the others (weak proof numbers, Ueda and others 2008).
    Weak,
    /// The best child's, and one for each of the others (branch numbers, Okabe 2005).
    Branch,
}

/// Which children count at a node (dynamic widening, Yoshizoe 2008).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Widening {
    /// All.
    All,
    /// The best so many.
    Top(usize),
    /// The best one of so many.
    Rate(usize),
}

/// The order in which children are preferred when own numbers are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Ties {
    /// The other number large first: hard to refute.
    Greater,
    /// The other number small first.
    Less,
    /// As the game lists the moves.
    Listed,
}

/// What is done about results that rest on the path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ghi {
    /// They are kept by path, and played through along other paths (Kishimoto and Müller 2004).
    Replay,
    /// First a circle is worth almost as much as an answer, and a search that finds no more than that has found nothing (Nagai 2002); what it leaves
    /// open is asked again as above.
    Nagai,
}

/// The options that all depth-first searches have.
#[derive(Clone, Debug)]
pub struct Settings {
    /// First numbers.
    pub initial: Initial,
    /// Thresholds go so much beyond the second best child (Pawlewicz and Lew 2007). Raising it makes the search change its mind
    /// less often, and later.
    pub epsilon: f64,
    /// How numbers add up.
    pub sums: Sums,
    /// The threshold controlling algorithm (Kishimoto 2010), where positions can come back.
    pub controls_thresholds: bool,
    /// Which children count.
    pub widening: Widening,
    /// The order of equals.
    pub ties: Ties,
    /// What is done about circles.
    pub ghi: Ghi,
}

impl Settings {
    /// Reads them; `epsilon` is what stands when nothing is said.
    pub fn read(options: &mut Options<'_>, epsilon: f64) -> Result<Settings, SpecError> {
        let initial = Initial::read(options)?;
        let epsilon =
            options.number("epsilon", epsilon, 0.0..=16.0, "thresholds go so much beyond the second best child")?;
        let sums = [("plain", Sums::Plain), ("old", Sums::Old), ("weak", Sums::Weak), ("branch", Sums::Branch)];
        let sums = options.choice("sums", &sums, "how the numbers of several children add up")?;
        let tca = options.choice("tca", &[("on", true), ("off", false)], "raises thresholds where lines may circle")?;
        let top = options.integer("top", 0, 0..=1000, "only the best so many children count; 0: all")?;
        let rate = options.integer("rate", 0, 0..=1000, "only the best one of so many children count; 0: all")?;
        let widening = match (top, rate) {
            (0, 0) => Widening::All,
            (top, 0) => Widening::Top(top as usize),
            (0, rate) => Widening::Rate(rate as usize),
            _ => return Err(options.refuse("rate", "0 where top is given")),
        };
        if widening != Widening::All && sums != Sums::Plain {
            return Err(options.refuse("sums", "plain where top or rate is given"));
        }
        let ties = [("greater", Ties::Greater), ("less", Ties::Less), ("listed", Ties::Listed)];
        let ties = options.choice("ties", &ties, "whose other number makes a child first among equals")?;
        let ghi = [("replay", Ghi::Replay), ("nagai", Ghi::Nagai)];
        let ghi = options.choice("ghi", &ghi, "what is done about results that rest on the path")?;
        Ok(Settings { initial, epsilon, sums, controls_thresholds: tca, widening, ties, ghi })
    }

    /// The threshold that lets a child grow beyond a number: by epsilon, and by one at least.
    pub fn beyond(&self, number: u32) -> u32 {
        if number >= LARGEST {
            return number;
        }
        let grown = (f64::from(number) * (1.0 + self.epsilon)).ceil();
        (grown as u32).clamp(number + 1, LARGEST)
    }
}

/// How a walker looks for an answer: one file each.
pub trait Strategy<G: Knowledge>: Send + Sync {
    /// The name of the search.
    fn name(&self) -> &'static str;

    /// The common options.
    fn settings(&self) -> &Settings;

    /// Whether several workers may share a table.
    fn is_parallel(&self) -> bool {
        false
    }

    /// The part of the memory that the table may take.
    fn table_share(&self) -> f64 {
        1.0
    }

    /// Searches from the root until it is solved or the walker is stopped.
    fn solve(&self, walker: &mut Walker<'_, '_, '_, G>);
}

/// A depth-first solver.
pub struct DepthFirst<G> {
    /// Behind a pointer, so that what follows is compiled once for a game and not once for each strategy.
    strategy: Box<dyn Strategy<G>>,
    table: Option<Table>,
    /// Questions asked since the table was made.
    asked: Vec<Asked>,
    /// The deepest line since then: no proof in the table is longer.
    deepest: AtomicU32,
}

/// One way to look for the answer to a round of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pass {
    round: Round,
    /// Circles are worth almost as much as an answer, but none.
    almost: bool,
    /// How numbers add up.
    sums: Sums,
    /// The order of equals.
    ties: Ties,
}

impl Pass {
    /// The passes of a round, until one solves the root. Round a circle, sums can double again and again until they are beyond all numbers;
    /// weak ones grow by one at a time. And who prefers what is hard to refute may prefer the circle for ever; the least number moves on. So
    /// these two are the last resort.
    fn all(round: Round, settings: &Settings) -> Vec<Pass> {
        let pass = |almost| Pass { round, almost, sums: settings.sums, ties: settings.ties };
        let mut passes = vec![pass(false)];
        if settings.ghi == Ghi::Nagai && matches!(round.circles, Circles::Answer(_)) {
            passes.insert(0, pass(true));
        }
        if !passes.iter().any(Pass::is_last) {
            passes.push(Pass { sums: Sums::Weak, ties: Ties::Less, ..pass(false) });
        }
        passes
    }

    fn is_last(&self) -> bool {
        self.sums == Sums::Weak && self.ties == Ties::Less && !self.almost
    }
}

/// A question that was asked before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Asked {
    salt: u64,
    /// A number for what in the past of its root ends games.
    past: u64,
    /// Seat and score.
    player: u8,
    at_least: i32,
    /// The only answer that counts; both if `None`.
    trusts: Option<bool>,
}

impl<G: Knowledge> DepthFirst<G> {
    /// A solver that knows nothing yet.
    pub fn new(strategy: impl Strategy<G> + 'static) -> DepthFirst<G> {
        DepthFirst { strategy: Box::new(strategy), table: None, asked: Vec::new(), deepest: AtomicU32::new(0) }
    }

    /// The search that asks it until a goal is reached.
    pub fn asking(self, goal: Goal) -> Box<dyn Search<G>> {
        Box::new(Asking::new(Box::new(self), goal))
    }
}

impl<G: Knowledge> Prover<G> for DepthFirst<G> {
    fn ask(&mut self, root: &History<G>, question: Question, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let threads = if self.strategy.is_parallel() { control.threads() } else { 1 };
        let bytes = (control.memory() as f64 * self.strategy.table_share()) as usize;
        if self.table.as_ref().is_none_or(|table| table.limit() > bytes || table.limit() < bytes / 2) {
            self.forget_all();
            let table = Table::new(bytes);
            if threads > 1 {
                table.take();
            }
            self.table = Some(table);
        }
        let table = self.table.as_ref().expect("it was made");
        let mut counters = Counters::default();
        let mut report = None;
        let passes =
            Round::all(root, &question).into_iter().flat_map(|round| Pass::all(round, self.strategy.settings()));
        let mut answered_round = None;
        for pass in passes {
            if answered_round == Some(pass.round) {
                continue;
            }
            let asked = Asked::new(root, &question, &pass);
            let before: Vec<Asked> = self.asked.iter().filter(|other| other.helps(&asked)).copied().collect();
            if !self.asked.contains(&asked) {
                self.asked.push(asked);
            }
            let shared = Shared {
                table,
                settings: self.strategy.settings(),
                root,
                question,
                round: pass.round,
                pass,
                salt: asked.salt,
                before,
                deepest: &self.deepest,
                done: AtomicBool::new(false),
                nodes: CachePadded::new(AtomicU64::new(0)),
                busy: if threads > 1 { (0..BUSY).map(|_| AtomicU8::new(0)).collect() } else { Vec::new() },
            };
            let strategy = &self.strategy;
            let work = |worker: usize| {
                let mut walker = Walker::new(&shared, control, worker);
                strategy.solve(&mut walker);
                shared.done.store(true, Relaxed);
                walker.counters
            };
            if threads == 1 {
                counters.merge(&work(0));
            } else {
                let others = std::thread::scope(|scope| {
                    let workers: Vec<_> = (1..threads)
                        .map(|worker| {
                            let work = &work;
                            // Lines may be a thousand plies long.
                            let builder = std::thread::Builder::new().stack_size(STACK);
                            builder.spawn_scoped(scope, move || work(worker)).expect("a thread can be started")
                        })
                        .collect();
                    counters.merge(&work(0));
                    workers.into_iter().map(|worker| worker.join().expect("workers do not panic")).collect::<Vec<_>>()
                });
                others.iter().for_each(|other| counters.merge(other));
            }
            counters.bytes = (table.fill() * table.bytes() as f64) as u64;
            counters.recycled = table.swept();
            let found = shared.report(counters, control.ended().unwrap_or(StopReason::Decided));
            let is_over = question.answer(&found.bounds).is_some() || control.ended().is_some();
            // Numbers that a report does not show are those of an answer.
            if found.proof_numbers.is_none_or(|numbers| answer(numbers).is_some()) {
                answered_round = Some(pass.round);
            }
            report = Some(found);
            if is_over {
                break;
            }
        }
        report.expect("there is a round at least")
    }

    fn forget(&mut self) {
        self.forget_all();
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut sealer = Sealer::new(out, &heading(self.strategy.as_ref()))?;
        sealer.number(u64::from(self.deepest.load(Relaxed)))?;
        sealer.number(self.asked.len() as u64)?;
        for asked in &self.asked {
            sealer.number(asked.salt)?;
            sealer.number(asked.past)?;
            sealer.number(u64::from(asked.player))?;
            sealer.signed(i64::from(asked.at_least))?;
            sealer.number(asked.trusts.map_or(0, |trusted| 1 + u64::from(trusted)))?;
        }
        sealer.number(self.table.as_ref().map_or(0, |table| table.limit().max(1) as u64))?;
        if let Some(table) = &self.table {
            table.save(&mut sealer)?;
        }
        sealer.seal()
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let mut opener = Opener::new(input, &heading(self.strategy.as_ref()))?;
        let deepest = opener.at_most(u64::from(u32::MAX))? as u32;
        let mut asked = Vec::new();
        for _ in 0..opener.at_most(1 << 20)? {
            let (salt, past) = (opener.number()?, opener.number()?);
            let player = opener.at_most(255)? as u8;
            let at_least = i32::try_from(opener.signed()?).map_err(|_| damaged("a score is too large"))?;
            let trusts = [None, Some(false), Some(true)][opener.at_most(2)? as usize];
            asked.push(Asked { salt, past, player, at_least, trusts });
        }
        let bytes = opener.number()?;
        let saved = if bytes > 0 { Table::saved(&mut opener)? } else { Vec::new() };
        // The size is believed only now. It is what the limit was; the next question makes another table if the limit is another.
        opener.check()?;
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let table = (bytes > 0).then(|| Table::restored(bytes, saved));
        (self.table, self.asked, self.deepest) = (table, asked, AtomicU32::new(deepest));
        Ok(())
    }
}

/// What saved tables must agree on.
fn heading<G: Knowledge>(strategy: &dyn Strategy<G>) -> String {
    format!("{} {} {:?}", strategy.name(), G::INFO.name, strategy.settings())
}

impl<G> DepthFirst<G> {
    fn forget_all(&mut self) {
        self.table = None;
        self.asked.clear();
        self.deepest = AtomicU32::new(0);
    }
}

/// A worker below a child makes its own number larger by one and this part of it for the others (virtual proof numbers; Kaneko 2010 adds one). Raising it
/// sends several workers down the same line more often. In Lines of Action two workers make 11 % more nodes than one with it, with a part of 2 25 %, with
/// one alone 19 %.
const BUSY_SHARE: u32 = 16;
/// Counters of workers by position; more make fewer positions share one.
const BUSY: usize = 1 << 14;
/// Workers keep out of each other's way below a node on which so many nodes were spent. Raising it makes them do more of the same; below it, to say
/// who is where costs more than it saves.
const LARGE: u64 = 64;
/// The stack of a worker.
const STACK: usize = 64 << 20;
/// The bytes that a node of a second search may take.
const SECOND_BYTES: usize = 64;
/// An old solution is played through with so many positions at most. Raising it saves searches and makes failures dearer.
const REPLAY: u32 = 20_000;
/// So many positions may be tried anyhow. Raising it finds more old solutions again, and wastes more on those that do not hold.
const LEAST_REPLAY: u32 = 64;

impl Asked {
    fn new<G: Knowledge>(root: &History<G>, question: &Question, pass: &Pass) -> Asked {
        let circles = match pass.round.circles {
            Circles::None => 1,
            Circles::Answer(false) => 2,
            Circles::Answer(true) => 3,
            Circles::Forbidden => 4,
            Circles::Exact => 5,
        };
        let (player, at_least) = (question.prover().0, question.at_least);
        let way = circles | u64::from(pass.almost) << 8 | (pass.sums as u64) << 12 | (pass.ties as u64) << 16;
        let past = if circles == 1 { 0 } else { Line::new(root, *question, pass.round.circles, false).sore_past() };
        let salt = mix(mix(way << 40 | u64::from(player) << 32 | u64::from(at_least as u32)) ^ past);
        Asked { salt, past, player, at_least, trusts: pass.round.trusts }
    }

    /// Whether what it found may answer another question: another score of the same player.
    fn helps(&self, other: &Asked) -> bool {
        self.player == other.player && self.past == other.past && self.salt != other.salt
    }

    /// What an answer to this says about a question for another score.
    fn implies(&self, holds: bool, at_least: i32) -> Option<bool> {
        let counts = self.trusts.is_none_or(|trusted| trusted == holds);
        let reaches = if holds { self.at_least >= at_least } else { self.at_least <= at_least };
        (counts && reaches).then_some(holds)
    }
}

/// Spreads the bits of a number.
fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 31).wrapping_mul(0x7FB5_D329_728E_A185);
    (number ^ number >> 27).wrapping_mul(0x81DA_DEF4_BC2D_D44D) ^ number >> 33
}

/// What all workers on a question share.
struct Shared<'s, G: Knowledge> {
    table: &'s Table,
    settings: &'s Settings,
    root: &'s History<G>,
    question: Question,
    round: Round,
    pass: Pass,
    salt: u64,
    /// Questions asked before that may answer this one at some position.
    before: Vec<Asked>,
    deepest: &'s AtomicU32,
    /// Somebody has finished.
    done: AtomicBool,
    nodes: CachePadded<AtomicU64>,
    /// How many workers are at a position, by its key; empty for one worker.
    busy: Vec<AtomicU8>,
}

impl<G: Knowledge> Shared<'_, G> {
    fn key(&self, next: &Next<G>) -> u64 {
        let key = next.position.key() ^ self.salt;
        if next.occurrences == 0 { key } else { mix(key.wrapping_add(u64::from(next.occurrences))) }
    }

    fn root_key(&self) -> u64 {
        self.root.position().key() ^ self.salt
    }

    /// Whether the game may be ended for its length before a solution is through.
    fn is_near_cap(&self, plies_left: u32, solved: &Entry) -> bool {
        plies_left <= self.deepest.load(Relaxed).max(u32::from(solved.distance))
    }

    /// What the table says of the position after a move, along this line.
    fn known(&self, line: &Line<'_, G>, next: &Next<G>) -> (u64, Option<Entry>, i32) {
        let key = self.key(next);
        let (entry, rests_on) = self.known_of(line, key, || line.path_key(key, &next.position));
        (key, entry, rests_on)
    }

    /// The same by the position's key; the key of its path is seldom asked for.
    #[inline]
    fn known_of(&self, line: &Line<'_, G>, key: u64, path_key: impl FnOnce() -> u64) -> (Option<Entry>, i32) {
        let Some(mut entry) = self.table.get(key) else { return (None, FREE) };
        if entry.answer().is_some() && self.is_near_cap(line.plies_left(), &entry) {
            entry.numbers = ONE;
        }
        if (entry.proved_somewhere || entry.disproved_somewhere)
            && let Some(twin) = self.table.get(path_key())
            && twin.answer().is_some()
        {
            // What rests on the past has no rank: proofs by ranks are not made of it.
            return (Some(Entry { distance: 0, ..twin }), i32::from(twin.distance) - 1);
        }
        (Some(entry), FREE)
    }

    /// What another question says of the position after a move: the answer, and the entry it comes from.
    fn implied(&self, line: &Line<'_, G>, next: &Next<G>) -> Option<(bool, Entry)> {
        self.before.iter().find_map(|asked| {
            let entry = self.table.get(next.position.key() ^ asked.salt)?;
            let holds = asked.implies(entry.answer()?, self.question.at_least)?;
            (!self.is_near_cap(line.plies_left(), &entry)).then_some((holds, entry))
        })
    }

    /// The state of the root, from the table.
    fn report(&self, counters: Counters, stopped: StopReason) -> Report<G::Move> {
        let mut line = Line::new(self.root, self.question, self.round.circles, self.settings.initial.patterns);
        let listed = self.listed(&line);
        let prover_moves = line.prover_moves();
        let root = self.table.get(self.root_key());
        let path_key = line.own_path_key(self.root_key());
        let root = self.table.get(path_key).filter(|entry| entry.answer().is_some()).or(root);
        let numbers = root.map_or(ONE, |entry| entry.numbers);
        let answer = root.and_then(|entry| entry.answer()).filter(|&holds| self.round.counts(holds));
        let facts = self.root.facts();
        let bounds = answer.map_or(self.question.known, |holds| self.question.answered(holds));
        let best_of = |listed: &[(G::Move, Entry)]| {
            let rank = |(place, (_, entry)): (usize, &(G::Move, Entry))| {
                let (own, other) = own_and_other(entry.numbers, prover_moves);
                // The shortest win, the longest loss.
                let rank = match own {
                    0 => i32::from(entry.distance),
                    INFINITE => -i32::from(entry.distance),
                    _ => 0,
                };
                (own, rank, Reverse(other), Reverse(entry.work), place)
            };
            listed.iter().enumerate().min_by_key(|&(place, child)| rank((place, child))).map(|(_, child)| child.0)
        };
        // A solved root knows its move, even where the table does not know the position behind it: that was solved by an answer to another
        // question, or has been thrown away since.
        let solving = answer.filter(|&holds| holds == prover_moves).and(root).and_then(|entry| {
            let is_known = |(_, entry): &(G::Move, Entry)| own_and_other(entry.numbers, prover_moves).0 == 0;
            let mut legal = Vec::new();
            line.position().legal_moves(&mut legal);
            legal.get(usize::from(entry.best)).copied().filter(|_| !listed.iter().any(is_known))
        });
        let best = solving.or_else(|| best_of(&listed));
        let mut moves: Vec<RootMove<G::Move>> = listed
            .iter()
            .map(|(mv, entry)| {
                let is_own = self.is_own(&line, *mv);
                let answer = entry.answer().filter(|&holds| is_own && self.round.counts(holds));
                let unknown = Bounds::unknown(self.question.prover(), facts);
                let question = Question { known: unknown, ..self.question };
                RootMove {
                    mv: *mv,
                    visits: u64::from(entry.work),
                    value: None,
                    spread: None,
                    proof_numbers: self.shown(entry.numbers).filter(|_| is_own),
                    bounds: answer.map_or(unknown, |holds| question.answered(holds)),
                }
            })
            .collect();
        moves.sort_by_cached_key(|entry| {
            let numbers = entry.proof_numbers.unwrap_or(ONE);
            let (own, other) = own_and_other(numbers, prover_moves);
            (Some(entry.mv) != best, own, Reverse(other))
        });
        let mut variation: Vec<G::Move> = best.into_iter().collect();
        if let Some(first) = best {
            let mut next = line.look(first);
            while next.end.is_none() && variation.len() < LONGEST_VARIATION {
                // Another worker may have left its open numbers where one had solved the position: what it thought best proves nothing.
                let known = self.known(&line, &next).1.filter(|entry| answer.is_none() || entry.answer() == answer);
                let implied = || self.implied(&line, &next).filter(|&(holds, _)| answer == Some(holds));
                let found = known.or_else(|| implied().map(|(_, entry)| entry));
                let Some(place) = found.map(|entry| usize::from(entry.best)) else { break };
                line.enter(next.position);
                let mut legal = Vec::new();
                line.position().legal_moves(&mut legal);
                let Some(&mv) = legal.get(place) else { break };
                variation.push(mv);
                next = line.look(mv);
            }
        }
        let proof_numbers = self.shown(numbers);
        let variation = asking::playable(self.root, variation);
        let (proof, disproof) = (f64::from(numbers.proof), f64::from(numbers.disproof));
        let hope = (disproof - proof) / (disproof + proof).max(1.0);
        let for_mover = if self.question.prover() == self.root.position().to_move() { hope } else { -hope };
        let value = asking::value(&bounds, facts).unwrap_or(for_mover.clamp(-1.0, 1.0));
        Report { best, value, bounds, proof_numbers, variation, moves, counters, stopped }
    }

    /// Whether what is known of a move holds for the move itself. An answer that rests on the line says only that to go round in a circle is
    /// no way to get there.
    fn is_own(&self, line: &Line<'_, G>, mv: G::Move) -> bool {
        let next = line.look(mv);
        let rests_on = next.end.map_or_else(|| self.known(line, &next).2, |end| end.rests_on);
        rests_on == FREE || rests_on == PAST
    }

    /// Numbers as a report shows them. An answer that does not count in this round is none: the move that circles refute here may win by the
    /// rules.
    fn shown(&self, numbers: ProofNumbers) -> Option<ProofNumbers> {
        let counts = answer(numbers).is_none_or(|holds| self.round.counts(holds));
        asking::shown(self.settings.initial.in_leaves(numbers), &self.question, self.root.facts()).filter(|_| counts)
    }

    /// The moves at the end of a line with what the table says of them.
    fn listed(&self, line: &Line<'_, G>) -> Vec<(G::Move, Entry)> {
        let mut legal = Vec::new();
        line.position().legal_moves(&mut legal);
        let forbidden = |next: &Next<G>| self.round.circles == Circles::Forbidden && next.end.is_some_and(is_circle);
        let entry = |mv: G::Move| {
            let next = line.look(mv);
            if forbidden(&next) {
                return None;
            }
            let entry = match next.end {
                Some(end) => Entry { numbers: answered(end.holds), ..FRESH },
                None => self.known(line, &next).1.unwrap_or(FRESH),
            };
            Some((mv, entry))
        };
        legal.into_iter().filter_map(entry).collect()
    }
}

fn is_circle(end: End) -> bool {
    end.rests_on != FREE
}

/// The principal variation is followed no further.
const LONGEST_VARIATION: usize = 200;
/// The numbers of a position of which nothing is known.
const ONE: ProofNumbers = ProofNumbers { proof: 1, disproof: 1 };
/// The entry of a position of which nothing is known.
const FRESH: Entry =
    Entry { numbers: ONE, work: 0, best: NO_MOVE, distance: 0, proved_somewhere: false, disproved_somewhere: false };

/// A child as its parent's frame knows it.
#[derive(Clone, Copy, Debug)]
pub struct Child<M> {
    /// The move.
    pub mv: M,
    /// Its numbers.
    pub numbers: ProofNumbers,
    rests_on: i32,
    /// If it is solved: how long the game may last.
    rank: u16,
    key: u64,
    place: u16,
    /// Nearer to the root by another way.
    is_old: bool,
    /// Solved like this along another path, and not yet tried along this one.
    hint: Option<bool>,
}

/// What the children of a node come to.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    /// The node's numbers.
    pub numbers: ProofNumbers,
    /// The number that the mover wants small.
    pub own: u32,
    /// The number that adds up.
    pub other: u32,
    /// The best child, counted from the first.
    pub best: usize,
    /// The own number of the second best.
    pub second: u32,
    /// What the other number is without the best child.
    pub beside: u32,
}

impl Tally {
    /// Whether the node is solved.
    pub fn is_solved(&self) -> bool {
        self.own == 0 || self.other == 0
    }
}

/// How children make the numbers of a node.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Rule {
    sums: Sums,
    widening: Widening,
    ties: Ties,
}

/// A child's place in the order of preference, which begins with the least: its own number, what decides among equals, and its number
/// in the list.
type Rank = (u32, u32, u32);

impl Rule {
    /// What children come to, if so many workers are below the position of a key. `ranking` is only room to work in.
    #[inline]
    fn tally<M>(
        self,
        children: &[Child<M>],
        prover_moves: bool,
        busy: impl Fn(u64) -> u32,
        ranking: &mut Vec<Rank>,
    ) -> Tally {
        let (mut best, mut rank, mut second) = (0, (u32::MAX, u32::MAX), u32::MAX);
        let (mut sum, mut largest, mut unsolved) = (0u64, 0u32, 0u32);
        let (mut new_sum, mut any_new) = (0u64, false);
        let (mut best_other, mut best_is_old) = (0, false);
        let mut own_lowest = INFINITE;
        let counted = match self.widening {
            Widening::Top(count) if self.sums != Sums::Weak => count,
            Widening::Rate(part) if self.sums != Sums::Weak => children.len().div_ceil(part),
            _ => children.len(),
        };
        ranking.clear();
        for (number, child) in children.iter().enumerate() {
            let (own, other) = own_and_other(child.numbers, prover_moves);
            if other > 0 {
                unsolved += 1;
                sum += u64::from(other);
                largest = largest.max(other);
                if !child.is_old {
                    new_sum += u64::from(other);
                    any_new = true;
                }
            }
            own_lowest = own_lowest.min(own);
            let busy = busy(child.key);
            let seen = match busy {
                0 => own,
                // What is solved is solved, whoever else is below it.
                _ if own == 0 || own == INFINITE => own,
                _ => own.saturating_add(busy.saturating_mul(1 + own / BUSY_SHARE)).min(LARGEST),
            };
            let tie = match self.ties {
                Ties::Greater => u32::MAX - other,
                Ties::Less => other,
                Ties::Listed => 0,
            };
            if counted < children.len() {
                ranking.push((seen, tie, number as u32));
            }
            if number == 0 || (seen, tie) < rank {
                if number > 0 {
                    second = second.min(rank.0);
                }
                (best, rank) = (number, (seen, tie));
                (best_other, best_is_old) = (other, child.is_old);
            } else {
                second = second.min(seen);
            }
        }
        let own = own_lowest;
        let (other, beside) = if unsolved == 0 || own == 0 {
            (if own == 0 { u64::from(INFINITE) } else { 0 }, 0)
        } else {
            let clamp = |number: u64| number.min(u64::from(LARGEST));
            if counted < children.len() {
                // The same order as that of the best: it is one of those that count (Yoshizoe's "less greater" and "less less").
                ranking.select_nth_unstable(counted - 1);
                let other = |&(_, _, number): &Rank| own_and_other(children[number as usize].numbers, prover_moves).1;
                sum = ranking[..counted].iter().map(|rank| u64::from(other(rank))).sum();
            }
            match self.sums {
                Sums::Plain => (clamp(sum), clamp(sum) - u64::from(best_other)),
                Sums::Weak => (clamp(u64::from(largest) + u64::from(unsolved - 1)), u64::from(unsolved - 1)),
                Sums::Branch => (clamp(u64::from(best_other) + u64::from(unsolved - 1)), u64::from(unsolved - 1)),
                Sums::Old if any_new => {
                    (clamp(new_sum), clamp(new_sum) - if best_is_old { 0 } else { u64::from(best_other) })
                }
                Sums::Old => (u64::from(largest), 0),
            }
        };
        let (mut other, beside) = (other as u32, beside as u32);
        // Nobody goes down to a best child that is beyond all numbers, whether the sum counts it or not.
        if own > 0 && unsolved > 0 && best_other >= LARGEST {
            other = LARGEST;
        }
        Tally { numbers: absolute(own, other, prover_moves), own, other, best, second, beside }
    }
}

/// A node that is being searched: its children lie at the end of the walker's list.
pub struct Frame {
    begin: usize,
    key: u64,
    /// What the table said when it was entered.
    entry: Entry,
    nodes_before: u64,
    /// Whether the question's player moves.
    pub prover_moves: bool,
}

/// A worker: goes down one line at a time.
pub struct Walker<'w, 'c, 'a, G: Knowledge> {
    shared: &'w Shared<'w, G>,
    control: &'c Control<'a, G::Move>,
    ticker: Ticker<'c, 'a, G::Move>,
    line: Line<'w, G>,
    /// The keys of the line, for the table.
    keys: Vec<u64>,
    children: Vec<Child<G::Move>>,
    moves: Vec<G::Move>,
    nexts: Vec<Next<G>>,
    ranking: Vec<Rank>,
    context: PlayoutContext<G::Move>,
    counters: Counters,
    told: u64,
    stopped: bool,
    /// Whether the others see that this one is below each position of the line.
    marks: Vec<bool>,
    /// Numbers go up and up where there is nothing left to see.
    chases: bool,
    /// The line is to be left down to this ply, which another worker has solved.
    solved_above: Option<usize>,
}

impl<'w, 'c, 'a, G: Knowledge> Walker<'w, 'c, 'a, G> {
    fn new(shared: &'w Shared<'w, G>, control: &'c Control<'a, G::Move>, worker: usize) -> Walker<'w, 'c, 'a, G> {
        let rng = tesuji_core::Rng::new(control.seed().wrapping_add(worker as u64));
        Walker {
            shared,
            control,
            ticker: control.ticker(worker),
            line: Line::new(shared.root, shared.question, shared.round.circles, shared.settings.initial.patterns),
            keys: vec![shared.root_key()],
            children: Vec::new(),
            moves: Vec::new(),
            nexts: Vec::new(),
            ranking: Vec::new(),
            marks: Vec::new(),
            context: PlayoutContext::new(rng, shared.root.facts().length.plies()),
            counters: Counters::default(),
            told: 0,
            stopped: false,
            chases: false,
            solved_above: None,
        }
    }

    /// Whether it has to end: a limit, or another worker is done.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether numbers say that a node will not be solved this way: it would take more leaves than can be counted, or a circle.
    pub fn is_beyond(&self, numbers: ProofNumbers) -> bool {
        self.chases || numbers.proof >= LARGEST || numbers.disproof >= LARGEST
    }

    /// Whether this node is to be left: the search ends, or a node above is solved.
    pub fn leaves(&self) -> bool {
        self.stopped || self.chases || self.solved_above.is_some()
    }

    /// Whether the question's player would move after a move.
    pub fn prover_moves_after(&self, mv: G::Move) -> bool {
        self.line.look(mv).position.to_move() == self.shared.question.prover()
    }

    /// The position at the end of the line.
    #[cfg(test)]
    pub fn position(&self) -> &G {
        self.line.position()
    }

    /// A child of a frame.
    pub fn child(&self, frame: &Frame, number: usize) -> &Child<G::Move> {
        &self.children[frame.begin + number]
    }

    /// The children of a frame, while it is the last one.
    pub fn children(&self, frame: &Frame) -> &[Child<G::Move>] {
        &self.children[frame.begin..]
    }

    #[inline]
    fn node(&mut self) -> bool {
        if !self.ticker.node() || self.shared.done.load(Relaxed) {
            self.stopped = true;
            return false;
        }
        self.counters.nodes += 1;
        if self.ticker.is_due() {
            self.tell();
            let counters = Counters { nodes: self.shared.nodes.load(Relaxed), ..self.counters };
            self.control.show(&Running { shared: self.shared, counters });
        }
        true
    }

    /// Another playout is to be made; false if it may not.
    fn playout(&mut self) -> bool {
        if !self.ticker.playout() {
            self.stopped = true;
            return false;
        }
        self.counters.playouts += 1;
        true
    }

    #[cold]
    fn tell(&mut self) {
        self.shared.nodes.fetch_add(self.counters.nodes - self.told, Relaxed);
        self.told = self.counters.nodes;
    }

    /// Lists the children of the position at the end of the line.
    pub fn open(&mut self) -> Frame {
        let key = *self.keys.last().expect("the root's at least");
        let ply = self.line.ply();
        let entry = self.shared.table.get(key).unwrap_or(FRESH);
        let distance = if entry.work == 0 { ply as u16 } else { entry.distance.min(ply as u16) };
        let prover_moves = self.line.prover_moves();
        let frame = Frame {
            begin: self.children.len(),
            key,
            entry: Entry { distance, ..entry },
            nodes_before: self.counters.nodes,
            prover_moves,
        };
        self.counters.expansions += 1;
        self.counters.depth = self.counters.depth.max(ply + 1);
        if ply >= self.shared.deepest.load(Relaxed) {
            self.shared.deepest.fetch_max(ply + 1, Relaxed);
        }
        if self.counters.expansions.is_multiple_of(LOOK_ROUND) && !self.shared.pass.is_last() {
            let seen = self.shared.table.fill() * self.shared.table.room() as f64;
            self.chases = self.counters.expansions as f64 > (LOOK_ROUND as f64).max(CHASE * seen);
        }
        if !self.shared.busy.is_empty() && self.counters.expansions.is_multiple_of(LOOK_UP) {
            self.tell();
            self.look_up();
        }
        let mut moves = std::mem::take(&mut self.moves);
        let mut nexts = std::mem::take(&mut self.nexts);
        moves.clear();
        nexts.clear();
        self.line.position().legal_moves(&mut moves);
        for (place, &mv) in moves.iter().enumerate() {
            if !self.node() {
                break;
            }
            let next = self.line.look(mv);
            if let Some(end) = next.end
                && own_and_other(answered(end.holds), prover_moves).0 == 0
            {
                // The mover has what he wants; the others do not matter.
                nexts.clear();
                self.children.push(self.ended(mv, end, place));
                break;
            }
            // The table is far larger than any cache: what is asked for now arrives while the other moves are played.
            if next.end.is_none() {
                self.shared.table.fetch(self.shared.key(&next));
            }
            nexts.push(next);
        }
        let mut solving: Option<Child<G::Move>> = None;
        for (place, (&mv, next)) in moves.iter().zip(&nexts).enumerate() {
            if self.stopped {
                break;
            }
            let child = match next.end {
                Some(end) => self.ended(mv, end, place),
                None => self.met(mv, next, place, distance),
            };
            if own_and_other(child.numbers, prover_moves).0 > 0 {
                self.children.push(child);
                continue;
            }
            if solving.is_none_or(|other| child.rank < other.rank) {
                solving = Some(child);
            }
            // Any one is enough, but where positions come back, proofs are made by ranks, and the shortest leads nearer to the end.
            if self.shared.round.circles == Circles::None {
                break;
            }
        }
        if let Some(child) = solving {
            self.children.truncate(frame.begin);
            self.children.push(child);
        }
        (self.moves, self.nexts) = (moves, nexts);
        frame
    }

    fn ended(&self, mv: G::Move, end: End, place: usize) -> Child<G::Move> {
        let End { holds, rests_on } = end;
        let mut numbers = answered(holds);
        let mut rests_on = rests_on;
        if self.shared.pass.almost && rests_on != FREE {
            let almost = |number: u32| number.clamp(1, LARGEST);
            numbers = ProofNumbers { proof: almost(numbers.proof), disproof: almost(numbers.disproof) };
            rests_on = FREE;
        }
        Child { mv, numbers, rests_on, rank: 0, key: 0, place: place as u16, is_old: false, hint: None }
    }

    #[inline]
    fn met(&mut self, mv: G::Move, next: &Next<G>, place: usize, distance: u16) -> Child<G::Move> {
        let (key, entry, rests_on) = self.shared.known(&self.line, next);
        let place = place as u16;
        let mut child = Child { mv, numbers: ONE, rests_on, rank: 0, key, place, is_old: false, hint: None };
        match entry {
            Some(entry) => {
                self.counters.hits += 1;
                child.numbers = entry.numbers;
                child.rank = entry.distance;
                if entry.answer().is_none() {
                    child.is_old = self.shared.round.circles != Circles::None && entry.distance <= distance;
                    child.hint = hint(&entry);
                }
            }
            None => (child.numbers, child.rank) = self.first(next),
        }
        child
    }

    /// The numbers of a position that is not in the table, and its rank if another question has solved it.
    fn first(&mut self, next: &Next<G>) -> (ProofNumbers, u16) {
        if let Some((holds, entry)) = self.shared.implied(&self.line, next) {
            return (answered(holds), entry.distance);
        }
        let depth = self.line.ply() + 1;
        let initial = &self.shared.settings.initial;
        if !(0..initial.playouts_at(depth)).all(|_| self.playout()) {
            return (ONE, 0);
        }
        (first_numbers(initial, &next.position, &self.shared.question, depth, &mut self.context), 0)
    }

    /// What the children of the last frame come to.
    pub fn tally(&mut self, frame: &Frame) -> Tally {
        let Pass { sums, ties, .. } = self.shared.pass;
        let rule = Rule { sums, widening: self.shared.settings.widening, ties };
        let mut ranking = std::mem::take(&mut self.ranking);
        let is_large = self.is_large(frame);
        let busy = |key| if is_large { self.busy(key) } else { 0 };
        let tally = rule.tally(&self.children[frame.begin..], frame.prover_moves, busy, &mut ranking);
        self.ranking = ranking;
        tally
    }

    /// Whether there is so much below a node that workers keep out of each other's way there.
    #[inline]
    fn is_large(&self, frame: &Frame) -> bool {
        let spent = self.counters.nodes - frame.nodes_before;
        !self.shared.busy.is_empty() && u64::from(frame.entry.work) + spent >= LARGE
    }

    #[inline]
    fn busy(&self, key: u64) -> u32 {
        match self.shared.busy.get(key as usize % BUSY) {
            Some(count) if key != 0 => u32::from(count.load(Relaxed)),
            _ => 0,
        }
    }

    /// Whether the thresholds of a node are to be raised above its numbers (TCA): where a child is nearer to the root by another way, numbers may
    /// chase each other round the circle for ever, and no threshold is ever large enough for a visit.
    pub fn controls_thresholds(&self, frame: &Frame) -> bool {
        let is_open = |numbers: ProofNumbers| numbers.proof != 0 && numbers.disproof != 0;
        let mut children = self.children[frame.begin..].iter();
        self.shared.settings.controls_thresholds && children.any(|child| child.is_old && is_open(child.numbers))
    }

    /// Looks once more what the table says of a child; true if that is news.
    pub fn refresh(&mut self, frame: &Frame, number: usize) -> bool {
        let at = frame.begin + number;
        let Child { mv, numbers, key, hint: untried, .. } = self.children[at];
        let path_key = || self.line.path_key(key, &self.line.after(mv));
        let (entry, rests_on) = self.shared.known_of(&self.line, key, path_key);
        // Numbers that fell were found along another path, or forgotten since; to take them would be to search the same for ever.
        let is_news = |found: ProofNumbers| {
            found != numbers && found.proof >= numbers.proof && found.disproof >= numbers.disproof
                || found.proof == 0
                || found.disproof == 0
        };
        if let Some(entry) = entry
            && is_news(entry.numbers)
        {
            let child = &mut self.children[at];
            (child.numbers, child.rests_on, child.rank) = (entry.numbers, rests_on, entry.distance);
            if entry.answer().is_none() {
                child.hint = hint(&entry);
            }
            return true;
        }
        if let Some(holds) = untried {
            self.children[at].hint = None;
            // To play it through must not cost more than to find it again would.
            let mut budget = REPLAY.min(entry.map_or(0, |entry| entry.work).max(LEAST_REPLAY));
            self.go(self.line.after(mv), key);
            let found = self.replay(holds, &mut budget);
            self.back();
            if let Some((rests_on, rank)) = found {
                let child = &mut self.children[at];
                (child.numbers, child.rests_on, child.rank) = (answered(holds), rests_on, rank);
                return true;
            }
        }
        false
    }

    /// Plays an old solution of the position at the end of the line through, along this path. Gives what it rests on, and its
    /// rank, if it holds.
    fn replay(&mut self, holds: bool, budget: &mut u32) -> Option<(i32, u16)> {
        *budget = budget.checked_sub(1)?;
        let key = *self.keys.last().expect("the root's at least");
        let entry = self.shared.table.get(key)?;
        let mut moves = Vec::new();
        self.line.position().legal_moves(&mut moves);
        let (mut rests_on, mut rank, mut best) = (FREE, 0, NO_MOVE);
        if self.line.prover_moves() == holds {
            best = entry.best;
            (rests_on, rank) = self.replay_move(*moves.get(usize::from(best))?, holds, budget)?;
        } else {
            for mv in moves {
                let found = self.replay_move(mv, holds, budget)?;
                (rests_on, rank) = (rests_on.min(found.0), rank.max(found.1));
            }
        }
        let rests_on = self.settled(rests_on);
        let rank = (rank + 1).min(FARTHEST);
        self.remember(key, &entry, Found { numbers: answered(holds), rests_on, rank }, best, entry.work);
        Some((rests_on, rank))
    }

    fn replay_move(&mut self, mv: G::Move, holds: bool, budget: &mut u32) -> Option<(i32, u16)> {
        if !self.node() {
            return None;
        }
        let next = self.line.look(mv);
        if let Some(end) = next.end {
            return (end.holds == holds).then_some((end.rests_on, 0));
        }
        let (key, entry, rests_on) = self.shared.known(&self.line, &next);
        let entry = entry?;
        if let Some(answer) = entry.answer() {
            return (answer == holds).then_some((rests_on, entry.distance));
        }
        if !(if holds { entry.proved_somewhere } else { entry.disproved_somewhere }) {
            return None;
        }
        self.go(next.position, key);
        let found = self.replay(holds, budget);
        self.back();
        found
    }

    /// What a result at the end of the line rests on: nothing, if only on its own position and what comes after.
    fn settled(&self, rests_on: i32) -> i32 {
        match self.shared.round.circles {
            Circles::None => FREE,
            // There a result may even rest on positions that were *not* in the past.
            Circles::Forbidden | Circles::Exact => PAST,
            Circles::Answer(_) if rests_on >= self.line.ply() as i32 => FREE,
            Circles::Answer(_) => rests_on,
        }
    }

    /// Keeps a result of the position at the end of the line. Its rank is larger than the ranks of all results that it was made of.
    fn remember(&self, key: u64, before: &Entry, result: Found, best: u16, work: u32) {
        let holds = result.numbers.proof == 0;
        let found = Entry { numbers: result.numbers, work, best, ..*before };
        if result.rests_on == FREE {
            let free = Entry { distance: result.rank, proved_somewhere: false, disproved_somewhere: false, ..found };
            // Ranks never rise: others may be made of the lower one.
            let is_lower = |old: Entry| old.answer() == Some(holds) && old.distance <= result.rank;
            match self.shared.table.get(key).filter(|&old| is_lower(old)) {
                None => self.shared.table.put(key, free),
                // A second search leaves its results without a move.
                Some(old) if old.best == NO_MOVE => self.shared.table.put(key, Entry { best, ..old }),
                Some(_) => {}
            }
            return;
        }
        // Another worker may have found meanwhile what holds whatever the past.
        if self.shared.table.get(key).is_some_and(|now| now.answer() == Some(holds)) {
            return;
        }
        let open = if before.answer().is_some() { ONE } else { before.numbers };
        let note = Entry {
            numbers: open,
            proved_somewhere: before.proved_somewhere || holds,
            disproved_somewhere: before.disproved_somewhere || !holds,
            ..found
        };
        self.shared.table.put(key, note);
        let distance = (result.rests_on + 1) as u16;
        let twin = Entry { distance, proved_somewhere: false, disproved_somewhere: false, ..found };
        self.shared.table.put(self.line.own_path_key(key), twin);
    }

    /// Goes down to a child of the last frame.
    pub fn descend(&mut self, frame: &Frame, number: usize) {
        let Child { mv, key, .. } = self.children[frame.begin + number];
        debug_assert!(key != 0, "a game that has ended does not go on");
        self.go(self.line.after(mv), key);
        if !self.shared.busy.is_empty() {
            let is_marked = self.is_large(frame);
            self.marks.push(is_marked);
            if is_marked {
                self.shared.busy[key as usize % BUSY].fetch_add(1, Relaxed);
            }
        }
    }

    /// Comes back from a child with what was found there.
    pub fn ascend(&mut self, frame: &Frame, number: usize, found: Found) {
        let child = &mut self.children[frame.begin + number];
        (child.numbers, child.rests_on, child.rank) = (found.numbers, found.rests_on, found.rank);
        let key = child.key;
        if self.marks.pop() == Some(true) {
            self.shared.busy[key as usize % BUSY].fetch_sub(1, Relaxed);
        }
        self.back();
        if self.solved_above.is_some_and(|ply| ply >= self.line.ply() as usize) {
            self.solved_above = None;
        }
    }

    fn go(&mut self, position: G, key: u64) {
        self.keys.push(key);
        self.line.enter(position);
    }

    fn back(&mut self) {
        self.keys.pop();
        self.line.leave();
    }

    /// Whether another worker has solved a position on this line.
    fn look_up(&mut self) {
        let plies_left = self.line.plies_left() + self.line.ply();
        let solved = |(ply, key): (u32, &u64)| {
            let counts = |entry: Entry| entry.answer().is_some() && !self.shared.is_near_cap(plies_left - ply, &entry);
            self.shared.table.get(*key).is_some_and(counts)
        };
        let above = &self.keys[..self.keys.len() - 1];
        if let Some(ply) = (0..).zip(above).position(solved) {
            self.solved_above = Some(ply.saturating_sub(1));
        }
    }

    /// Ends the work at a node: keeps what was found and gives it.
    pub fn close(&mut self, frame: Frame, tally: Tally) -> Found {
        let spent = u32::try_from(self.counters.nodes - frame.nodes_before).unwrap_or(MOST_WORK);
        let work = frame.entry.work.saturating_add(spent).max(1);
        let children = &self.children[frame.begin..];
        let best = children[tally.best].place;
        debug_assert!(
            tally.own > 0 || own_and_other(children[tally.best].numbers, frame.prover_moves).0 == 0,
            "the child that decides is the best"
        );
        let found = if tally.is_solved() {
            // One child is enough for what the mover wants; against him all are needed.
            let needed = if tally.own == 0 { &children[tally.best..=tally.best] } else { children };
            let rests_on = self.settled(needed.iter().map(|child| child.rests_on).min().unwrap_or(FREE));
            let rank = needed.iter().map(|child| child.rank).max().map_or(1, |rank| (rank + 1).min(FARTHEST));
            let found = Found { numbers: tally.numbers, rests_on, rank };
            self.remember(frame.key, &frame.entry, found, best, work);
            found
        } else {
            let entry = Entry { numbers: tally.numbers, work, best, ..frame.entry };
            // Another worker may have solved it meanwhile.
            let answered = |entry: Entry| entry.answer().is_some();
            if self.shared.busy.is_empty() || !self.shared.table.get(frame.key).is_some_and(answered) {
                self.shared.table.put(frame.key, entry);
            }
            Found { numbers: tally.numbers, rests_on: FREE, rank: 0 }
        };
        self.children.truncate(frame.begin);
        found
    }

    /// Leaves a node whose children could not all be listed.
    pub fn abandon(&mut self, frame: Frame) -> Found {
        self.children.truncate(frame.begin);
        let numbers = if frame.entry.answer().is_some() { ONE } else { frame.entry.numbers };
        Found { numbers, rests_on: FREE, rank: 0 }
    }

    /// Searches the position at the end of the line best first with at most so many nodes, on a tree of its own, and leaves what
    /// that found in the table. Does nothing where results may rest on the past.
    pub fn search_second(&mut self, settings: best_first::Settings, most_nodes: u64) {
        let shared = self.shared;
        let one_answer =
            shared.round.trusts.is_none() && matches!(shared.round.circles, Circles::None | Circles::Answer(_));
        if !one_answer || self.line.sore_past() != 0 || self.line.plies_left() <= shared.deepest.load(Relaxed) {
            return;
        }
        let position = self.line.position().clone();
        let alone = History::from_position(shared.root.rules().clone(), position);
        let memory = self.control.memory() - shared.table.limit().min(self.control.memory());
        let playouts_left = self.ticker.playouts_left();
        let most_nodes = most_nodes.min(self.ticker.nodes_left()).min((memory / SECOND_BYTES) as u64);
        if most_nodes == 0 {
            return;
        }
        let playouts = self.control.limits().playouts.map(|_| playouts_left);
        let limits = Limits { nodes: Some(most_nodes), playouts, memory: Some(memory), ..self.control.limits() };
        let control = self.control.inner(self.control.seed()).limited(limits);
        let mut solver = BestFirst::new(settings, shared.root.rules());
        let known = Bounds::unknown(shared.question.prover(), shared.root.facts());
        let report = solver.ask(&alone, Question { known, ..shared.question }, &control);
        self.counters.nodes += report.counters.nodes;
        self.counters.expansions += report.counters.expansions;
        if !self.ticker.nodes(report.counters.nodes as usize) || !self.ticker.tick() {
            self.stopped = true;
        }
        self.counters.playouts += report.counters.playouts;
        if !(0..report.counters.playouts).all(|_| self.ticker.playout()) {
            self.stopped = true;
        }
        let length = self.line.ply() + report.counters.depth;
        self.shared.deepest.fetch_max(length, Relaxed);
        let share = (report.counters.nodes / report.moves.len().max(1) as u64).clamp(1, u64::from(MOST_WORK)) as u32;
        for root_move in &report.moves {
            let next = self.line.look(root_move.mv);
            let answered = shared.question.answer(&root_move.bounds).map(answered);
            if let (None, Some(numbers)) = (next.end, answered.or(root_move.proof_numbers)) {
                let numbers = shared.settings.initial.in_parts(numbers);
                let distance =
                    if answer(numbers).is_some() { report.counters.depth as u16 } else { self.line.ply() as u16 + 1 };
                self.shared.table.put(shared.key(&next), Entry { numbers, work: share, distance, ..FRESH });
            }
        }
    }

    /// Whether nothing was ever found out about the position at the end of the line.
    pub fn is_fresh(&self) -> bool {
        self.shared.table.get(*self.keys.last().expect("the root's at least")).is_none()
    }

    /// The entries in the table.
    pub fn table_size(&self) -> f64 {
        self.shared.table.fill() * self.shared.table.room() as f64
    }

    /// The threshold that lets a child grow beyond a number.
    pub fn beyond(&self, number: u32) -> u32 {
        self.shared.settings.beyond(number)
    }
}

/// Expansions between looks at how many positions there are.
const LOOK_ROUND: u64 = 1 << 16;
/// Who has listed the children of each position so many times on the average goes round in circles. Raising it makes the search notice later;
/// with a table that is far too small, expansions are many as well.
const CHASE: f64 = 256.0;
/// Expansions between looks at the line by one of several workers. Raising it makes them notice later what another has solved above them; looking
/// eight times as often gained nothing.
const LOOK_UP: u64 = 256;

/// What was found at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// Its numbers.
    pub numbers: ProofNumbers,
    rests_on: i32,
    rank: u16,
}

impl Found {
    /// Whether it is solved.
    pub fn is_solved(&self) -> bool {
        self.numbers.proof == 0 || self.numbers.disproof == 0
    }
}

fn hint(entry: &Entry) -> Option<bool> {
    match (entry.proved_somewhere, entry.disproved_somewhere) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// A running search as an observer sees it.
struct Running<'s, 'w, G: Knowledge> {
    shared: &'s Shared<'w, G>,
    counters: Counters,
}

impl<G: Knowledge> Inspector<G::Move> for Running<'_, '_, G> {
    fn report(&self) -> Report<G::Move> {
        let mut counters = self.counters;
        counters.bytes = (self.shared.table.fill() * self.shared.table.bytes() as f64) as u64;
        let mut report = self.shared.report(counters, StopReason::Asked);
        // The root itself is kept when it is left, and a running search has not left it.
        let prover_moves = self.shared.root.position().to_move() == self.shared.question.prover();
        let of_moves = report.moves.iter().filter_map(|entry| entry.proof_numbers);
        let of_moves = of_moves.map(|numbers| own_and_other(numbers, prover_moves));
        let (own, other) =
            of_moves.fold((INFINITE, 0), |(least, sum), (own, other)| (own.min(least), other.saturating_add(sum)));
        report.proof_numbers = self.shared.shown(absolute(own, other, prover_moves));
        report
    }

    fn look(&self, moves: &[G::Move]) -> Option<Vec<RootMove<G::Move>>> {
        let shared = self.shared;
        let patterns = shared.settings.initial.patterns;
        let mut line = Line::new(shared.root, shared.question, shared.round.circles, patterns);
        for &mv in moves {
            let mut legal = Vec::new();
            line.position().legal_moves(&mut legal);
            let next = legal.contains(&mv).then(|| line.look(mv)).filter(|next| next.end.is_none())?;
            line.enter(next.position);
        }
        let unknown = Bounds::unknown(self.shared.question.prover(), self.shared.root.facts());
        let question = Question { known: unknown, ..self.shared.question };
        let seen = |(mv, entry): (G::Move, Entry)| RootMove {
            mv,
            visits: u64::from(entry.work),
            value: None,
            spread: None,
            proof_numbers: self.shared.shown(entry.numbers).filter(|_| self.shared.is_own(&line, mv)),
            bounds: entry
                .answer()
                .filter(|_| self.shared.is_own(&line, mv))
                .map_or(unknown, |holds| question.answered(holds)),
        };
        Some(self.shared.listed(&line).into_iter().map(seen).collect())
    }
}

#[cfg(test)]
mod tests;
