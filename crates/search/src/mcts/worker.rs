//! A worker: runs simulations, each from the root to a leaf, through a playout, and back.

mod back_up;
mod choose;
mod descend;
mod expand;
mod job;
mod keep_line;
mod learn;
mod minimax;
mod prune;
mod rebuild;

use super::beam::Beam;
use super::context::{SearchContext, Values};
use super::descent_position::DescentPosition;
use super::leaf_parallel::PlayoutThreads;
use super::link::Link;
use super::params::{Amaf, Diversify, NewChildren, PlayoutPolicy};
use super::playout::{MoveTrace, PlayoutTools, play_out};
use super::proof_numbers::BonusBuffers;
use super::select::{self, AmafReference, Formula};
use super::tree::{self, Region};
use job::Job;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::{Counters, Knowledge, Outcome, Player, PlayoutContext, Rng};
use wide::f32x8;

/// A node on the path of a simulation.
#[derive(Clone, Copy)]
struct Step<'s> {
    node: &'s tree::Node,
    id: u32,
    /// The player who chose the node; meaningless at the root.
    chooser: Player,
    /// The player to move at the node.
    mover: Player,
    link: Link,
    /// Whether the simulation has narrowed the proven interval.
    narrowed: bool,
    /// Whether the simulation has changed the proof numbers.
    renumbered: bool,
}

/// The simulation in which a move was last made, and where in it.
#[derive(Clone, Copy, Default)]
struct Made {
    /// The number of the simulation and the player.
    mark: u32,
    /// The ply of the simulation.
    ply: u32,
}

/// How a simulation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SimulationEnd {
    /// Normally.
    Normal,
    /// Normally, but the tree had no room to expand a node.
    TreeFull,
}

/// Runs simulations on a tree.
pub struct Worker<'s, G: Knowledge> {
    search: &'s SearchContext<'s, G>,
    formula: Formula,
    position: DescentPosition<G>,
    playout: PlayoutContext<G::Move>,
    path: Vec<Step<'s>>,
    moves: Vec<G::Move>,
    trace: MoveTrace<G::Move>,
    /// All moves of a simulation with their indices, if an option learns from them.
    sequence: Vec<(Player, G::Move, u32)>,
    tools: PlayoutTools<'s, G::Move>,
    /// Where moves were last made, for AMAF statistics.
    made: Vec<Made>,
    /// The number of the simulation, for `made`.
    simulation: u32,
    /// The lowest and highest value of all simulations so far, in a game for one player: the score
    /// range of such games is far wider than the scores that occur.
    observed: Option<(i64, i64)>,
    reference: AmafReference,
    bonus_buffers: BonusBuffers,
    scores: Vec<f32x8>,
    /// Threads that play out from the same leaf.
    playout_threads: Option<&'s PlayoutThreads<G>>,
    /// The job of a worker that claims its nodes.
    job: Job,
    /// The nodes that other workers have claimed.
    excluded: Vec<u32>,
    /// Where new nodes are allocated.
    region: Region,
    /// Whether other workers use the same nodes.
    shared: bool,
    virtual_loss: u32,
    /// Whether equal positions share their children.
    transpositions: bool,
    /// The beam to which the tree is pruned.
    beam: Option<Box<Beam>>,
    /// Whether the best complete line is kept.
    keeps_line: bool,
    /// The value of the best line that the worker knows of.
    best_value: i64,
    /// The score of the best line, if this worker has just found it.
    improvement: Option<i32>,
    /// Whether unopened children are drawn one by one as they are opened, and not shuffled when
    /// they are created. AMAF values of unopened children may change at any time, so with AMAF
    /// these children must stay in place.
    draws_children: bool,
    /// Whether unvisited children may be proven by a shallow search, so that opening skips them.
    proves_unvisited: bool,
    /// Whether nodes get priors.
    evaluates: bool,
    /// Whether all children can be selected as soon as they are created.
    scores_unvisited: bool,
    /// Whether the search is plain UCT, possibly with the solver. Selection then uses
    /// [`select::best_plain`], and proven intervals are read only where a link is marked.
    plain: bool,
    /// Whether the next child of a node is chosen during backup. See [`Worker::back_up`].
    chooses_ahead: bool,
    /// The work done so far.
    pub counters: Counters,
}

impl<'s, G: Knowledge> Worker<'s, G> {
    /// Creates a worker with its own stream of random numbers.
    pub fn new(
        search: &'s SearchContext<'s, G>,
        rng: Rng,
        playout_threads: Option<&'s PlayoutThreads<G>>,
    ) -> Worker<'s, G> {
        let params = search.params;
        let (expansion, amaf) = (&params.expansion, params.selection.amaf);
        let shared = search.tree.is_shared();
        let indices = search.facts.move_indices;
        let players = usize::from(search.facts.players);
        let formula = Formula::new(params, &search.facts, shared, search.prunes());
        let plain = params.is_plain(&search.facts) && !formula.randomises();
        let has_virtual_loss = shared && params.parallel.diversify == Diversify::VirtualLoss;
        Worker {
            search,
            position: DescentPosition::new(search.root),
            playout: PlayoutContext::new(rng, search.facts.length.plies()),
            path: Vec::with_capacity(256),
            moves: Vec::with_capacity(512),
            trace: MoveTrace(Vec::new()),
            sequence: Vec::new(),
            tools: PlayoutTools::new(search),
            made: vec![Made::default(); if amaf == Amaf::Off { 0 } else { players * indices }],
            simulation: 0,
            observed: None,
            reference: AmafReference::default(),
            bonus_buffers: BonusBuffers::default(),
            scores: Vec::new(),
            playout_threads,
            job: Job::default(),
            excluded: Vec::new(),
            region: Region::default(),
            shared,
            virtual_loss: if has_virtual_loss { params.parallel.virtual_loss } else { 0 },
            transpositions: expansion.transpositions,
            beam: params.beam.map(|beam| Box::new(Beam::new(beam))),
            keeps_line: search.line.is_some() && params.playouts_end_games() && playout_threads.is_none(),
            best_value: search.best_line().map_or(i64::MIN, |line| search.values(&Outcome::of(&[line.score]))[0]),
            improvement: None,
            draws_children: expansion.new_children == NewChildren::One
                && !expansion.transpositions
                && expansion.widening.is_none()
                && amaf == Amaf::Off,
            proves_unvisited: params.hybrids.proves(),
            evaluates: params.hybrids.prior.is_some(),
            scores_unvisited: params.selection.scores_unvisited(),
            plain,
            chooses_ahead: plain && !shared && search.tree.keeps_choices(),
            formula,
            counters: Counters::default(),
        }
    }

    /// Takes new nodes from a region of the worker's own, which is one of several.
    pub fn allocate_in_region(&mut self) {
        self.region = Region::of_worker();
    }

    /// Runs one simulation.
    pub fn simulate(&mut self) -> SimulationEnd {
        if self.plain { self.simulate_as::<true>() } else { self.simulate_as::<false>() }
    }

    /// Runs one simulation. `PLAIN` may be set if the search is plain: it compiles the same code
    /// without the checks for options that are off.
    pub(super) fn simulate_as<const PLAIN: bool>(&mut self) -> SimulationEnd {
        self.position.reset();
        self.path.clear();
        self.counters.playouts += 1;
        if !PLAIN {
            self.trace.0.clear();
        }
        let (values, end) = self.descend::<PLAIN>();
        self.counters.depth = self.counters.depth.max(self.path.len() as u32 - 1);
        if !PLAIN && self.keeps_line {
            self.keep_line(values[0]);
        }
        self.back_up::<PLAIN>(values);
        if !PLAIN && self.beam.is_some() {
            self.prune_to_beam();
        }
        end
    }

    /// Plays the simulation to its end.
    fn play_out(&mut self) -> Values {
        let search = self.search;
        let last = self.last_two_moves();
        let (position, cap) = self.position.for_playout();
        self.playout.cap = cap;
        if let Some(threads) = self.playout_threads {
            return threads.play_out(search, position, &mut self.playout, &mut self.tools, last);
        }
        if search.params.traces_moves() || self.keeps_line {
            self.trace.0.clear();
            play_out(search, position, &mut self.playout, &mut self.tools, last, &mut self.trace)
        } else {
            play_out(search, position, &mut self.playout, &mut self.tools, last, &mut ())
        }
    }

    /// The values of a simulation that ends with the game in the tree.
    fn end_in_tree(&mut self, outcome: &Outcome) -> Values {
        let values = self.search.values(outcome);
        self.tools.count_owners(self.position.position(), &values);
        values
    }

    /// The indices of the last two moves of the path, for playouts that reply to them.
    #[inline]
    fn last_two_moves(&self) -> [u32; 2] {
        if self.search.params.simulation.policy != PlayoutPolicy::Lgrf {
            return [u32::MAX; 2];
        }
        let index = |back: usize| {
            let step = self.path.len().checked_sub(back).filter(|&at| at > 0).map(|at| self.path[at]);
            step.map_or(u32::MAX, |step| {
                let (chunk, at) = self.search.tree.at(step.id);
                chunk.indices[at].load(Relaxed)
            })
        };
        [index(1), index(2)]
    }
}

/// The best opened child of a node by plain UCT, without those that cannot improve its value, and
/// its score.
#[inline(always)]
fn best_plain_child<G: Knowledge>(
    search: &SearchContext<'_, G>,
    formula: &Formula,
    step: &Step<'_>,
    link: Link,
    visits: u32,
    rng: &mut Rng,
    scores: &mut Vec<f32x8>,
) -> Option<(usize, f32)> {
    let block = search.tree.block(link);
    if link.knows_proofs() && formula.prunes() {
        let proven = (search.maximises(step.mover), search.interval_of(step.id));
        return select::best_plain_unsolved(formula, block, visits, proven, rng, scores);
    }
    select::best_plain(formula, block, visits, rng, scores)
}
