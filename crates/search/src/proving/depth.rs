//! The common part of the depth-first searches: workers that walk down one path at a time and store
//! their results in a transposition table.
//!
//! Numbers are absolute, as everywhere in [`super::numbers`]. The kind of a node follows from the
//! player to move in its position; turns need not alternate.
//!
//! **Cycles.** A result that depends on the path ([`super::path`]) is stored twice: under the key
//! of the position, with the previous numbers and a flag that the position was solved on some path;
//! and as solved under the key of position and path. A worker that reaches the position by another
//! path and finds the flag replays the stored solution once along its own path (Kishimoto and
//! Müller 2004). If the solution still works, it is stored for this path, too.

mod passes;
mod replay;
mod report;
mod second_level;
mod settings;
mod shared;
mod tally;
#[cfg(test)]
mod tests;
mod walker;

pub use passes::{EarlierQuestion, Pass};
pub use settings::{Settings, Sums, Ties, Widening, threshold_above};
pub use shared::{UNKNOWN_NUMBERS, worker_counter, worker_counters};
pub use tally::{Child, Numbered, Preference, Tally, TallyRule};
pub use walker::{ANCESTOR_CHECK, CYCLING_CHECK, CYCLING_EXPANSIONS, MIN_SHARED_WORK, NodeResult, Walker};

use super::asking::GoalSearch;
use super::checkpoint::{CheckpointReader, CheckpointWriter};
use super::goal::Goal;
use super::numbers::answer;
use super::path::RepetitionModel;
use super::table::{SavedTable, TranspositionTable};
use crossbeam_utils::CachePadded;
use shared::SharedState;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use tesuji_core::{
    Control, Counters, History, Knowledge, Prover, Question, Report, Rules, Search, SpecError, StopReason,
};

/// The way in which a walker searches for an answer: one file per algorithm.
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
    /// Boxed, so that the code below is compiled once per game and not once per strategy.
    strategy: Box<dyn Strategy<G>>,
    table: Option<TranspositionTable>,
    /// The questions asked since the table was created.
    asked: Vec<EarlierQuestion>,
    /// The length of the longest path since then, which bounds the length of every proof in the
    /// table.
    deepest: AtomicU32,
}

impl<G: Knowledge> DepthFirst<G> {
    /// Returns a solver with an empty table.
    pub fn new(strategy: impl Strategy<G> + 'static) -> DepthFirst<G> {
        DepthFirst { strategy: Box::new(strategy), table: None, asked: Vec::new(), deepest: AtomicU32::new(0) }
    }

    /// Builds the search that asks a solver until a goal is reached, which must suit the rules.
    pub fn search(
        strategy: impl Strategy<G> + 'static,
        goal: Goal,
        rules: &G::Rules,
    ) -> Result<Box<dyn Search<G>>, SpecError> {
        goal.check(strategy.name(), &rules.facts())?;
        Ok(Box::new(GoalSearch::new(Box::new(DepthFirst::new(strategy)), goal)))
    }

    /// Creates the table if there is none, or none of a suitable size.
    fn prepare_table(&mut self, bytes: usize, threads: usize) {
        if self.table.as_ref().is_some_and(|table| table.limit() <= bytes && table.limit() >= bytes / 2) {
            return;
        }
        self.clear();
        let table = TranspositionTable::new(bytes);
        if threads > 1 {
            table.prefault();
        }
        self.table = Some(table);
    }

    /// Searches with one thread or more, and returns the counters of all workers.
    fn run_workers(&self, shared: &SharedState<'_, G>, control: &Control<'_, G::Move>, threads: usize) -> Counters {
        run_workers(threads, |worker| {
            let mut walker = Walker::new(shared, control, worker);
            self.strategy.solve(&mut walker);
            shared.done.store(true, Relaxed);
            walker.counters()
        })
    }

    /// Whether the table has the answer to a question about the current position of a game.
    pub fn knows(&self, root: &History<G>, question: &Question) -> bool {
        let Some(table) = &self.table else { return false };
        let models = RepetitionModel::all(root, question).into_iter();
        let mut passes = models.flat_map(|model| Pass::all(model, self.strategy.settings()));
        passes.any(|pass| {
            let key = root.position().key() ^ EarlierQuestion::new(root, question, &pass).salt;
            let answer = table.get(key).and_then(|entry| entry.answer());
            answer.is_some_and(|holds| pass.model.is_valid(holds))
        })
    }

    /// Writes everything that the solver has learned.
    pub fn save_state(&self, writer: &mut CheckpointWriter<'_>) -> io::Result<()> {
        writer.number(u64::from(self.deepest.load(Relaxed)))?;
        writer.number(self.asked.len() as u64)?;
        for asked in &self.asked {
            asked.save(writer)?;
        }
        TranspositionTable::save_if_any(self.table.as_ref(), writer)
    }

    /// Replaces everything that the solver has learned.
    pub fn adopt(&mut self, saved: SavedState) {
        let SavedState { deepest, asked, table } = saved;
        (self.table, self.asked, self.deepest) = (TranspositionTable::adopted(table), asked, AtomicU32::new(deepest));
    }

    fn clear(&mut self) {
        self.table = None;
        self.asked.clear();
        self.deepest = AtomicU32::new(0);
    }

    /// The heading of a checkpoint. Only a solver with the same heading can restore it.
    fn heading(&self) -> String {
        format!("{} {} {}", self.strategy.name(), G::INFO.name, self.strategy.settings().checkpoint_text())
    }
}

/// The stack size of a worker thread in bytes. Paths may be a thousand plies long.
const STACK: usize = 64 << 20;

/// Runs workers with the numbers from 0, the first one on this thread, and adds up their counters.
pub fn run_workers(threads: usize, work: impl Fn(usize) -> Counters + Sync) -> Counters {
    if threads == 1 {
        return work(0);
    }
    std::thread::scope(|scope| {
        let workers: Vec<_> = (1..threads)
            .map(|worker| {
                let work = &work;
                let builder = std::thread::Builder::new().stack_size(STACK);
                builder.spawn_scoped(scope, move || work(worker)).expect("a thread can be started")
            })
            .collect();
        let mut counters = work(0);
        for worker in workers {
            counters.merge(&worker.join().expect("workers do not panic"));
        }
        counters
    })
}

impl<G: Knowledge> Prover<G> for DepthFirst<G> {
    fn ask(&mut self, root: &History<G>, question: Question, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let threads = if self.strategy.is_parallel() { control.threads() } else { 1 };
        self.prepare_table((control.memory() as f64 * self.strategy.table_share()) as usize, threads);
        let mut counters = Counters::default();
        let mut last = None;
        let passes = RepetitionModel::all(root, &question)
            .into_iter()
            .flat_map(|model| Pass::all(model, self.strategy.settings()))
            .collect::<Vec<_>>();
        let mut solved_model = None;
        for pass in passes {
            if solved_model == Some(pass.model) {
                continue;
            }
            let asked = EarlierQuestion::new(root, &question, &pass);
            let earlier = self.asked.iter().filter(|other| other.is_about_same_history(&asked)).copied().collect();
            if !self.asked.contains(&asked) {
                self.asked.push(asked);
            }
            let table = self.table.as_ref().expect("the table is prepared");
            let shared = SharedState {
                table,
                settings: self.strategy.settings(),
                root,
                question,
                pass,
                salt: asked.salt,
                earlier,
                deepest: &self.deepest,
                done: AtomicBool::new(false),
                nodes: CachePadded::new(AtomicU64::new(0)),
                workers_below: worker_counters(threads),
            };
            counters.merge(&self.run_workers(&shared, control, threads));
            counters.bytes = (table.load_factor() * table.bytes() as f64) as u64;
            counters.recycled = table.swept();
            let report = shared.report(counters, control.ended().unwrap_or(StopReason::Solved));
            let is_over = question.answer(&report.bounds).is_some() || control.ended().is_some();
            // A report omits the numbers of an answer that is not valid under the model.
            if report.proof_numbers.is_none_or(|numbers| answer(numbers).is_some()) {
                solved_model = Some(pass.model);
            }
            last = Some(report);
            if is_over {
                break;
            }
        }
        last.expect("every question has a pass")
    }

    fn forget(&mut self) {
        self.clear();
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = CheckpointWriter::new(out, &self.heading())?;
        self.save_state(&mut writer)?;
        writer.finish()
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let mut reader = CheckpointReader::new(input, &self.heading())?;
        let saved = SavedState::read(&mut reader)?;
        reader.verify()?;
        self.adopt(saved);
        Ok(())
    }
}

/// What a checkpoint holds, to be used once the whole checkpoint is verified.
pub struct SavedState {
    deepest: u32,
    asked: Vec<EarlierQuestion>,
    table: SavedTable<2>,
}

impl SavedState {
    /// Reads what [`save_state`](DepthFirst::save_state) wrote.
    pub fn read(reader: &mut CheckpointReader<'_>) -> io::Result<SavedState> {
        let deepest = reader.at_most(u64::from(u32::MAX))? as u32;
        let mut asked = Vec::new();
        for _ in 0..reader.at_most(1 << 20)? {
            asked.push(EarlierQuestion::restore(reader)?);
        }
        Ok(SavedState { deepest, asked, table: TranspositionTable::load_if_any(reader)? })
    }
}
