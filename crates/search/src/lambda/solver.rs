//! The solver: lambda search, and df-pn for what it leaves open.

use super::Params;
use super::entry::WORDS;
use super::shared::{LambdaTable, Shared};
use super::walker::Walker;
use crate::dfpn;
use crate::proving::checkpoint::{CheckpointReader, CheckpointWriter};
use crate::proving::depth::{
    self, DepthFirst, EarlierQuestion, Pass, SavedState, Strategy, TallyRule, run_workers, worker_counters,
};
use crate::proving::path::{CycleRule, RepetitionModel};
use crate::proving::table::SavedTable;
use crossbeam_utils::CachePadded;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use tesuji_core::{Control, Counters, History, Knowledge, Prover, Question, Repetition, Report, Rules, StopReason};

/// The part of the memory for the table of lambda search if df-pn follows; df-pn has the rest.
const LAMBDA_SHARE: f64 = 0.5;

/// One of this many nodes of a limit is for lambda search if df-pn follows. Raising it leaves more
/// to df-pn, without which a question that has no answer by threats stays open.
const NODES_PART: u64 = 2;

/// df-pn on its part of the memory.
struct Fallback(dfpn::Params);

impl<G: Knowledge> Strategy<G> for Fallback {
    fn name(&self) -> &'static str {
        Strategy::<G>::name(&self.0)
    }

    fn settings(&self) -> &depth::Settings {
        Strategy::<G>::settings(&self.0)
    }

    fn is_parallel(&self) -> bool {
        Strategy::<G>::is_parallel(&self.0)
    }

    fn table_share(&self) -> f64 {
        1.0 - LAMBDA_SHARE
    }

    fn solve(&self, walker: &mut depth::Walker<'_, '_, '_, G>) {
        self.0.solve(walker);
    }
}

/// Lambda search as a solver.
pub struct LambdaSolver<G> {
    params: Params,
    table: Option<LambdaTable>,
    /// The length of the longest path since the table was created.
    deepest: AtomicU32,
    fallback: Option<DepthFirst<G>>,
}

/// The result of a search at the maximal order.
struct Attempt<M> {
    report: Report<M>,
    /// Whether the question is answered with yes, or a limit is reached.
    is_final: bool,
}

impl<G: Knowledge> LambdaSolver<G> {
    /// Returns a solver with empty tables.
    pub fn new(params: Params) -> LambdaSolver<G> {
        let fallback = params.finishes.then(|| DepthFirst::new(Fallback(dfpn::Params::default())));
        LambdaSolver { params, table: None, deepest: AtomicU32::new(0), fallback }
    }

    fn prepare_table(&mut self, bytes: usize, threads: usize) {
        if self.table.as_ref().is_some_and(|table| table.limit() <= bytes && table.limit() >= bytes / 2) {
            return;
        }
        let table = LambdaTable::new(bytes);
        if threads > 1 {
            table.prefault();
        }
        (self.table, self.deepest) = (Some(table), AtomicU32::new(0));
    }

    /// Searches at the maximal order.
    fn attempt(&self, root: &History<G>, question: Question, control: &Control<'_, G::Move>) -> Attempt<G::Move> {
        let table = self.table.as_ref().expect("the table is prepared");
        let threads = control.threads();
        let granted = control.limits().nodes.filter(|_| self.fallback.is_some()).map(|nodes| nodes / NODES_PART);
        let mut counters = Counters::default();
        let mut last = None;
        for rule in self.params.settings.rules() {
            let left = granted.map_or(u64::MAX, |granted| granted.saturating_sub(counters.nodes) / threads as u64);
            let shared = Shared { granted: left, ..self.shared(table, root, question, rule, threads) };
            let is_proven = AtomicBool::new(false);
            let is_settled = AtomicBool::new(false);
            counters.merge(&run_workers(threads, |worker| {
                let mut walker = Walker::new(&shared, rule, control, worker);
                if let Some(holds) = super::solve(&mut walker) {
                    is_settled.store(true, Relaxed);
                    is_proven.fetch_or(holds, Relaxed);
                }
                shared.done.store(true, Relaxed);
                walker.counters()
            }));
            counters.bytes = (table.load_factor() * table.bytes() as f64) as u64;
            counters.recycled = table.swept();
            let is_proven = is_proven.load(Relaxed);
            let reason = if is_proven { StopReason::Solved } else { StopReason::Finished };
            let report = shared.report(is_proven, counters, control.ended().unwrap_or(reason));
            last = Some(Attempt { report, is_final: is_proven || control.ended().is_some() });
            let is_used_up = granted.is_some_and(|granted| counters.nodes + threads as u64 > granted);
            if is_settled.load(Relaxed) || control.ended().is_some() || is_used_up {
                break;
            }
        }
        last.expect("there is a rule")
    }

    fn shared<'s>(
        &'s self,
        table: &'s LambdaTable,
        root: &'s History<G>,
        question: Question,
        rule: TallyRule,
        threads: usize,
    ) -> Shared<'s, G> {
        // A yes without the help of cycles holds whatever a cycle means.
        let cycles = match root.facts().repetition {
            Repetition::Impossible => CycleRule::Impossible,
            _ => CycleRule::Answer(false),
        };
        let model = RepetitionModel { cycles, valid_answer: Some(true) };
        let TallyRule { sums, ties, .. } = rule;
        let pass = Pass { model, cycles_are_open: false, sums, ties };
        Shared {
            table,
            settings: &self.params.settings,
            root,
            question,
            pass,
            salt: EarlierQuestion::new(root, &question, &pass).salt,
            deepest: &self.deepest,
            granted: u64::MAX,
            done: AtomicBool::new(false),
            nodes: CachePadded::new(AtomicU64::new(0)),
            workers_below: worker_counters(threads),
        }
    }

    /// The heading of a checkpoint. Only a solver with the same heading can restore it.
    fn heading(&self) -> String {
        let Params { settings, finishes, .. } = &self.params;
        format!("lambda {} {settings:?} {finishes}", G::INFO.name)
    }
}

impl<G: Knowledge> Prover<G> for LambdaSolver<G> {
    fn ask(&mut self, root: &History<G>, question: Question, control: &Control<'_, G::Move>) -> Report<G::Move> {
        if let Some(fallback) = &mut self.fallback
            && (suits::<G>(root.rules()).is_err() || fallback.knows(root, &question))
        {
            return fallback.ask(root, question, control);
        }
        let share = if self.fallback.is_some() { LAMBDA_SHARE } else { 1.0 };
        self.prepare_table((control.memory() as f64 * share) as usize, control.threads());
        let Attempt { report, is_final } = self.attempt(root, question, control);
        let Some(fallback) = self.fallback.as_mut().filter(|_| !is_final) else { return report };
        let mut finished = fallback.ask(root, question, control);
        finished.counters.merge(&report.counters);
        finished
    }

    fn forget(&mut self) {
        (self.table, self.deepest) = (None, AtomicU32::new(0));
        if let Some(fallback) = &mut self.fallback {
            fallback.forget();
        }
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = CheckpointWriter::new(out, &self.heading())?;
        writer.number(u64::from(self.deepest.load(Relaxed)))?;
        LambdaTable::save_if_any(self.table.as_ref(), &mut writer)?;
        if let Some(fallback) = &self.fallback {
            fallback.save_state(&mut writer)?;
        }
        writer.finish()
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let mut reader = CheckpointReader::new(input, &self.heading())?;
        let deepest = reader.at_most(u64::from(u32::MAX))? as u32;
        let table: SavedTable<WORDS> = LambdaTable::load_if_any(&mut reader)?;
        let state = self.fallback.is_some().then(|| SavedState::read(&mut reader)).transpose()?;
        reader.verify()?;
        (self.table, self.deepest) = (LambdaTable::adopted(table), AtomicU32::new(deepest));
        if let (Some(fallback), Some(state)) = (&mut self.fallback, state) {
            fallback.adopt(state);
        }
        Ok(())
    }
}

/// Returns why lambda search does not suit a game, if it does not.
pub fn suits<G: Knowledge>(rules: &G::Rules) -> Result<(), &'static str> {
    if rules.facts().repetition == Repetition::Forbidden {
        return Err("searched as dfpn: where repetition is forbidden, every result depends on the path");
    }
    if G::start(rules).null_move().is_none() {
        return Err("searched as dfpn: this game has no pass, by which lambda search recognises threats");
    }
    Ok(())
}
