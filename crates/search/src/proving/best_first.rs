//! Best-first proof-number search (Allis, Van der Meulen and Van den Herik 1994) and its variants.
//!
//! Each iteration descends from the root to the child with the smallest proof number where the
//! prover moves, and with the smallest disproof number where another player moves, until it reaches
//! a leaf, the *most-proving node*; expands it; and updates the numbers on the way back. During the
//! descent every node gets limits as in df-pn: while its numbers are below them, the path from the
//! root leads through it again. The next descent starts at the first node on the way back that is
//! within its limits; the numbers above it can wait, and the positions of the path are at hand. The
//! player to move is asked of every position, so that games for several players, and games without
//! alternating turns, need no special treatment: all players but the prover are one side (paranoid
//! proof-number search, Saito 2010, chapter 6).
//!
//! A child that solves its parent ends the expansion: its siblings would be removed at once. Only
//! the root keeps all its children, because they are reported.
//!
//! **Two levels** (PN²; Allis 1994, Breuker 1998). A leaf is expanded by a second search, whose
//! size is limited by that of the first tree; only the children of the leaf are kept, with their
//! numbers.
//!
//! **Several workers** (RP-PNS; Saito, Winands and Van den Herik 2010). Worker 0 descends to the
//! most-proving node. The others anticipate where it will go later. At each node they choose at
//! random among the children whose phi is at most `d` above the smallest. While such a worker is on
//! the principal variation, it chooses at each node, with probability 2 / (length of the last
//! variation) if that length exceeds 2, the second or third best child instead. A worker that
//! reaches a leaf which another is expanding descends again.
//!
//! The tree has no transpositions, so that a repeated position is evaluated on its own path, and
//! graph-history interaction does not occur.

mod report;
mod reuse;
mod save;
mod second_level;
mod settings;
#[cfg(test)]
mod tests;
mod worker;

pub use settings::{SecondLevelCap, Settings};

use super::checkpoint::{CheckpointReader, CheckpointWriter};
use super::numbers::of_answer;
use super::path::RepetitionModel;
use super::tree::{ROOT, Tree, bytes_per_node};
use crossbeam_utils::CachePadded;
use report::TreeReport;
use reuse::KeptTree;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use tesuji_core::{Control, Counters, History, Inspector, Knowledge, Prover, Question, Report, StopReason};
use worker::Worker;

/// A best-first solver.
pub struct BestFirst<G: Knowledge> {
    settings: Settings,
    rules: G::Rules,
    kept: Option<KeptTree<G>>,
}

impl<G: Knowledge> BestFirst<G> {
    /// Returns a solver without a tree.
    pub fn new(settings: Settings, rules: &G::Rules) -> BestFirst<G> {
        BestFirst { settings, rules: rules.clone(), kept: None }
    }

    /// The heading of a checkpoint. Only a solver with the same heading can restore it.
    fn heading(&self) -> String {
        let settings = self.settings.checkpoint_text();
        format!("{} {} {settings} {:?}", self.settings.name, G::INFO.name, self.rules)
    }
}

impl<G: Knowledge> Prover<G> for BestFirst<G> {
    fn ask(&mut self, root: &History<G>, question: Question, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        let Some(&filler) = moves.first().filter(|_| !root.is_over()) else {
            let holds = root.outcome().is_some_and(|outcome| question.holds(&outcome));
            let report = super::report::without_search(question.answered(holds), root.facts());
            return Report { proof_numbers: Some(of_answer(holds)), ..report };
        };
        let mut settings = self.settings;
        settings.initial = settings.initial.at_root(root.position());
        let workers = if settings.window.is_some() { control.threads() } else { 1 };
        let all_nodes = control.memory() / bytes_per_node::<G::Move>();
        let first_level = settings.first_level_nodes(all_nodes, workers);
        let kept = self.prepare(root, &question, (first_level, all_nodes), filler);
        let second_level = settings.cap.map(|_| all_nodes.saturating_sub(kept.capacity) / workers);
        let models = RepetitionModel::all(root, &question);
        let mut earlier = Counters::default();
        loop {
            let model = models[kept.model];
            kept.tree.share(workers);
            let run = Run {
                settings: &settings,
                tree: &kept.tree,
                root,
                question,
                model,
                control,
                workers,
                second_level,
                filler,
                earlier,
                variation_length: CachePadded::new(AtomicU32::new(0)),
                is_full: AtomicBool::new(false),
                published: (0..workers).map(|_| CachePadded::default()).collect(),
            };
            run.work();
            let counters = run.counters();
            let is_full = run.is_full.load(Relaxed);
            kept.tree.share(1);
            // Two workers that changed two children of the root at the end may have missed each
            // other's change.
            kept.tree.update(0, ROOT, root.position().to_move() == question.prover());
            let answer = kept.tree.answer();
            if answer.is_some_and(|holds| !model.is_valid(holds)) {
                kept.model += 1;
                kept.tree.clear();
                earlier = Counters { bytes: 0, ..counters };
                continue;
            }
            let stopped = match (answer, is_full) {
                (Some(_), _) => StopReason::Solved,
                (None, true) => StopReason::Memory,
                (None, false) => control.ended().unwrap_or(StopReason::Finished),
            };
            let tree = &kept.tree;
            return TreeReport { settings: &settings, tree, root, question, model, counters, stopped }.report();
        }
    }

    fn forget(&mut self) {
        self.kept = None;
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = CheckpointWriter::new(out, &self.heading())?;
        writer.number(u64::from(self.kept.is_some()))?;
        if let Some(kept) = &self.kept {
            kept.save(&mut writer)?;
        }
        writer.finish()
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let mut reader = CheckpointReader::new(input, &self.heading())?;
        let has_tree = reader.at_most(1)? == 1;
        let kept = if has_tree { Some(KeptTree::restore(&self.settings, &self.rules, &mut reader)?) } else { None };
        reader.verify()?;
        self.kept = kept;
        Ok(())
    }
}

/// The search for an answer under one repetition model, as all workers see it.
struct Run<'s, 'c, 'a, G: Knowledge> {
    settings: &'s Settings,
    tree: &'s Tree<G::Move>,
    root: &'s History<G>,
    question: Question,
    model: RepetitionModel,
    control: &'c Control<'a, G::Move>,
    workers: usize,
    /// The maximal number of nodes of a second-level tree, if there are two levels.
    second_level: Option<usize>,
    filler: G::Move,
    /// The counters of the search under earlier models.
    earlier: Counters,
    /// The length of the last principal variation.
    variation_length: CachePadded<AtomicU32>,
    /// Whether the memory is exhausted.
    is_full: AtomicBool,
    /// The counters that each worker published last.
    published: Vec<CachePadded<Mutex<Counters>>>,
}

impl<G: Knowledge> Run<'_, '_, '_, G> {
    fn work(&self) {
        std::thread::scope(|scope| {
            for number in 1..self.workers {
                scope.spawn(move || Worker::new(self, number).work());
            }
            Worker::new(self, 0).work();
        });
    }

    fn counters(&self) -> Counters {
        let mut counters = self.earlier;
        for published in &self.published {
            counters.merge(&published.lock().unwrap_or_else(PoisonError::into_inner));
        }
        counters.bytes += self.tree.bytes();
        counters
    }

    /// The state of the running search.
    fn report(&self) -> TreeReport<'_, G> {
        TreeReport {
            settings: self.settings,
            tree: self.tree,
            root: self.root,
            question: self.question,
            model: self.model,
            counters: self.counters(),
            stopped: StopReason::Finished,
        }
    }
}
