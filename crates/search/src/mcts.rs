//! Monte-Carlo tree search, put together from parts.
//!
//! Plain `mcts` is the baseline of the papers: UCT with C = sqrt 2, one new node a simulation, every child once before the
//! formula applies, uniform playouts, the most visited move at the end. Every option adds one part and changes nothing else;
//! `docs/searches/mcts.md` derives each formula as it stands here, with its source.
//!
//! The files: `params` (the parts), `tree`, `link`, `interval` (nodes, and what workers may do to them at the same time), `worker` (a
//! simulation from the root and back), `select`, `playout`, `proof_numbers` (formulas), `line` (the game along a simulation),
//! `ground` (outcomes as values), `last` (the answer), `leaf` and [`crate::root`] (other ways to use threads).

mod ground;
mod interval;
mod last;
mod leaf;
mod line;
mod link;
mod params;
mod playout;
mod positions;
mod proof_numbers;
mod select;
#[cfg(test)]
mod tests;
mod transitions;
mod tree;
mod worker;

pub use params::Params;
pub use transitions::{Transitions, TransitionsError};

use crate::root::Voters;
use ground::Ground;
use last::View;
use leaf::{Crew, Leaf};
use params::{Amaf, Final, Parallel, Playout};
use positions::Positions;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use tesuji_core::{
    Bounds, Capabilities, Control, Counters, Facts, History, Inspector, Knowledge, Length, Options, Player, Repetition,
    Report, Rng, RootMove, Rules, Search, SearchInfo, SearchKind, SpecError, StopReason,
};
use tree::{Columns, ROOT, Tree};
use worker::{Simulated, Worker};

/// The kind.
pub struct Mcts;

impl SearchKind for Mcts {
    const INFO: SearchInfo =
        SearchInfo { name: "mcts", summary: "Monte-Carlo tree search: UCT, and every published part by its name" };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        Params::read(options)
    }

    /// Plain PN-MCTS plays the most visited move, whatever its proof numbers say (Doe et al. 2022).
    fn capabilities(params: &Params) -> Capabilities {
        let fewest = if params.pn.is_some() || params.implicit.is_some() { 2 } else { 1 };
        let most = if params.implicit.is_some() { 2 } else { Capabilities::PLAYER.players.1 };
        Capabilities {
            players: (fewest, most),
            parallel: true,
            playouts: true,
            proves: params.solver || params.pn.is_some(),
            plays_proven: params.pn.is_none() || params.pn_final || params.solver,
            splits_limits: params.parallel == Parallel::Root,
            ..Capabilities::PLAYER
        }
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        check::<G>(&params, rules)?;
        let transitions = match &params.transitions {
            Some(path) => Some(
                Transitions::load::<G>(path, rules)
                    .map_err(|error| refusal("transitions", &path.display().to_string(), error.to_string()))?,
            ),
            None => None,
        };
        if params.parallel == Parallel::Root {
            let vote = params.vote;
            let make =
                move |_| -> Box<dyn Search<G>> { Box::new(TreeSearch::new(params.clone(), transitions.clone())) };
            return Ok(Box::new(Voters::new(Box::new(make), vote)));
        }
        Ok(Box::new(TreeSearch::<G>::new(params, transitions)))
    }
}

fn refusal(key: &str, value: &str, accepted: String) -> SpecError {
    SpecError::BadValue { name: Mcts::INFO.name.to_string(), key: key.to_string(), value: value.to_string(), accepted }
}

/// Refuses parts that do not go with the game, or with each other.
fn check<G: Knowledge>(params: &Params, rules: &G::Rules) -> Result<(), SpecError> {
    let facts = rules.facts();
    let start = G::start(rules);
    let refuse = |key: &str, why: &str| Err(refusal(key, "on", why.to_string()));
    let evaluates = start.evaluation(Player::FIRST).is_some();
    let wants_evaluation = [
        ("prior", params.prior.is_some()),
        ("implicit", params.implicit.is_some()),
        ("cut", params.cut.is_some()),
        ("cut-margin", params.cut_margin.is_some()),
        ("playout", params.playout == Playout::Greedy),
    ];
    if let Some((key, _)) = wants_evaluation.into_iter().find(|&(_, wants)| wants && !evaluates) {
        return refuse(key, "games with an evaluation, and this one has none");
    }
    if params.implicit.is_some() && facts.players != 2 {
        return refuse("implicit", "games for two players");
    }
    if params.pn.is_some() && facts.players == 1 {
        return refuse("pn", "games for two or more players: one alone has nobody to prove a win against");
    }
    if params.table && params.pn.is_some() {
        return refuse("table", "searches without pn: the sums of proof numbers would count shared positions twice");
    }
    let path_matters = facts.repetition != Repetition::Impossible || matches!(facts.length, Length::Capped(_));
    if params.table && params.solver && path_matters {
        return refuse(
            "table",
            "searches without solver here: what a position is worth in this game depends on the way to it",
        );
    }
    let learns = params.amaf != Amaf::Off || matches!(params.playout, Playout::Lgrf | Playout::Mast);
    if params.parallel == Parallel::Leaf && learns {
        return refuse("parallel", "leaf only without rave, amaf, lgrf and mast: playouts of a crew tell no moves");
    }
    let mut moves = Vec::new();
    start.legal_moves(&mut moves);
    if params.widen.is_some() && moves.first().is_none_or(|&mv| start.move_order(mv).is_none()) {
        return refuse("widen", "games with a move order, and this one has none");
    }
    Ok(())
}

/// The columns that the parts ask for.
fn columns(params: &Params, facts: &Facts) -> Columns {
    let listens = params.amaf != Amaf::Off || matches!(params.playout, Playout::Lgrf | Playout::Mast);
    Columns {
        fractions: !ground::values_are_whole(params, facts),
        squares: params.select == params::Select::Ucb1Tuned,
        bounds: params.solver,
        proof: params.pn.is_some(),
        draw_proof: params.pn_draws,
        amaf: params.amaf != Amaf::Off,
        indices: listens,
        losses: params.bias.is_some() && params.bias_form != params::BiasForm::Visits,
        weights: params.bias.is_some(),
        priors: params.prior.is_some(),
        implicit: params.implicit.is_some(),
        shares_blocks: params.table,
    }
}

/// Where equal positions share their children, one part in so many of the memory is for finding them. Raising it leaves more
/// for nodes, and in the end positions that are not found.
const POSITIONS_SHARE: usize = 5;

/// What a search has kept.
struct Kept<G: Knowledge> {
    tree: Tree<G::Move>,
    positions: Option<Positions>,
    memory: usize,
    /// The game up to the root of the tree.
    root: History<G>,
}

/// A search with one tree.
pub struct TreeSearch<G: Knowledge> {
    params: Params,
    transitions: Option<Transitions>,
    kept: Option<Kept<G>>,
}

impl<G: Knowledge> TreeSearch<G> {
    fn new(params: Params, transitions: Option<Transitions>) -> TreeSearch<G> {
        TreeSearch { params, transitions, kept: None }
    }

    /// A tree for this root: the subtree that was kept, found by the moves since, or an empty one in the same memory.
    fn prepare(&mut self, root: &History<G>, memory: usize, filler: G::Move, stop: &dyn Fn() -> bool) {
        let reusable = self.kept.take().filter(|kept| kept.memory == memory);
        let Some(mut kept) = reusable else {
            let for_positions = if self.params.table { memory / POSITIONS_SHARE } else { 0 };
            let tree = Tree::new(columns(&self.params, root.facts()), memory - for_positions, filler);
            let positions = self.params.table.then(|| Positions::new(for_positions));
            self.kept = Some(Kept { tree, positions, memory, root: root.clone() });
            return self.reset_root(root);
        };
        let since = self.params.reuse.then(|| moves_since(&kept.root, root)).flatten();
        let slot = since.and_then(|moves| find(&kept.tree, moves));
        let same_prover = kept.root.position().to_move() == root.position().to_move();
        kept.root = root.clone();
        if let Some(slot) = slot {
            kept.tree.take_root(slot);
            if self.take_over(&kept.tree, root, same_prover, stop) {
                self.kept = Some(kept);
                return;
            }
        }
        kept.tree.clear();
        kept.positions.iter_mut().for_each(Positions::clear);
        self.kept = Some(kept);
        self.reset_root(root);
    }

    /// A new root knows nothing.
    fn reset_root(&mut self, root: &History<G>) {
        let kept = self.kept.as_ref().expect("it was just made");
        let ground = Ground::new(&self.params, &kept.tree, root, None, None);
        let (chunk, at) = kept.tree.at(ROOT);
        if let Some(cell) = chunk.bounds.get(at) {
            cell.store(ground.range);
        }
        for column in [&chunk.proof, &chunk.draw_proof] {
            if let Some(cell) = column.get(at) {
                cell.store(proof_numbers::pack(proof_numbers::UNKNOWN), Relaxed);
            }
        }
    }

    /// Makes a kept tree fit for its new root; false if it is of no use, or there is no time for it.
    fn take_over(&self, tree: &Tree<G::Move>, root: &History<G>, same_prover: bool, stop: &dyn Fn() -> bool) -> bool {
        let ground = Ground::new(&self.params, tree, root, self.transitions.as_ref(), None);
        let mut worker = Worker::new(&ground, Rng::new(0), None);
        if !same_prover && !ground.zero_sum {
            // What a paranoid search has learnt is about another player, and what is shared would be rebuilt once for every way to it.
            let about_another = self.params.backup == params::Backup::Paranoid;
            if about_another || (self.params.table && self.params.solver) {
                return false;
            }
        }
        let columns = tree.columns();
        let rebuilds = columns.proof || (columns.bounds && !ground.zero_sum);
        if !same_prover && rebuilds && !worker.rebuild(ROOT, &mut root.clone(), stop) {
            return false;
        }
        worker.look_at_root();
        true
    }
}

/// The moves by which a game has gone on since another; `None` if it is not the same game.
fn moves_since<'h, G: Knowledge>(before: &History<G>, now: &'h History<G>) -> Option<&'h [G::Move]> {
    let same_start = before.positions()[0] == now.positions()[0] && before.rules() == now.rules();
    if same_start { now.moves().strip_prefix(before.moves()) } else { None }
}

/// The node that a line of moves leads to.
fn find<M: Copy + PartialEq + Send + Sync>(tree: &Tree<M>, line: &[M]) -> Option<u32> {
    line.iter().try_fold(ROOT, |slot, mv| {
        let block = tree.children(slot)?;
        let child = (0..block.opened).find(|&child| block.mv(child) == *mv)?;
        Some(block.first + child as u32)
    })
}

impl<G: Knowledge> Search<G> for TreeSearch<G> {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        let Some(&filler) = moves.first().filter(|_| !root.is_over()) else {
            return over(root);
        };
        let mut ticker = control.ticker(1);
        let ticks = std::cell::RefCell::new(&mut ticker);
        self.prepare(root, control.memory(), filler, &|| !ticks.borrow_mut().tick());
        let kept = self.kept.as_mut().expect("it was just prepared");
        let threads = control.threads();
        let shared = threads > 1 && self.params.parallel == Parallel::Tree;
        kept.tree.share(shared);
        let mut counters = Counters::default();
        let mut has_room = true;
        // Streams of later rounds differ from those of the first, which are the seed's own.
        let mut round = 0;
        loop {
            let ground =
                Ground::new(&self.params, &kept.tree, root, self.transitions.as_ref(), kept.positions.as_ref());
            let workers = if shared { threads } else { 0 };
            let done = (0..workers).map(|_| Mutex::default()).collect();
            let run =
                Run { ground: &ground, control, full: AtomicBool::new(false), has_room, before: counters, done, round };
            let done = match self.params.parallel {
                Parallel::Tree if shared => run.tree_parallel(threads),
                Parallel::Leaf if threads > 1 => run.leaf_parallel(threads),
                _ => run.worker(0, None, 1),
            };
            counters.merge(&done);
            let goes_on = matches!(control.ended(), None | Some(StopReason::Playouts | StopReason::Nodes));
            if !run.full.load(Relaxed) || !goes_on {
                break;
            }
            let gained = kept.tree.recycle(kept.positions.as_mut(), &|| !ticks.borrow_mut().tick());
            counters.recycled += u64::from(gained);
            // If even the most visited nodes take all the room, the search goes on without making new ones.
            has_room = gained > kept.tree.len() / 16;
            round += 1;
        }
        kept.tree.share(false);
        let ground = Ground::new(&self.params, &kept.tree, root, self.transitions.as_ref(), kept.positions.as_ref());
        if kept.tree.children(ROOT).is_none() {
            // StopReason before the first simulation: the moves at least are told.
            Worker::new(&ground, Rng::new(control.seed()), None).simulate();
        }
        let stopped = control.ended().unwrap_or(StopReason::Finished);
        View { ground: &ground, counters, stopped }.report()
    }

    fn forget(&mut self) {
        self.kept = None;
    }

    fn look(&self, game: &History<G>) -> Option<Vec<RootMove<G::Move>>> {
        let kept = self.kept.as_ref()?;
        let line = moves_since(&kept.root, game)?;
        let (transitions, positions) = (self.transitions.as_ref(), kept.positions.as_ref());
        let ground = Ground::new(&self.params, &kept.tree, &kept.root, transitions, positions);
        View { ground: &ground, counters: Counters::default(), stopped: StopReason::Finished }.look(line)
    }
}

/// The report on a game that is over.
fn over<G: Knowledge>(root: &History<G>) -> Report<G::Move> {
    let player = root.position().to_move();
    let outcome = root.outcome();
    let bounds = match &outcome {
        Some(outcome) => Bounds::exact(player, outcome.score(player)),
        None => Bounds::unknown(player, root.facts()),
    };
    Report {
        best: None,
        value: outcome.map_or(0.0, |outcome| f64::from(outcome.value(player, root.facts()))),
        bounds,
        proof_numbers: None,
        variation: Vec::new(),
        moves: Vec::new(),
        counters: Counters::default(),
        stopped: StopReason::Finished,
    }
}

/// The workers of a shared tree tell what they have done every so many playouts.
const TOLD_EVERY: u64 = 64;

/// Simulations until the search is to end, or the tree is full.
struct Run<'s, 'c, 'a, G: Knowledge> {
    ground: &'s Ground<'s, G>,
    control: &'c Control<'a, G::Move>,
    full: AtomicBool,
    has_room: bool,
    before: Counters,
    /// What each worker of a shared tree has done in this round, as of late.
    done: Vec<Mutex<Counters>>,
    round: u64,
}

impl<G: Knowledge> Run<'_, '_, '_, G> {
    fn rng(&self, worker: usize) -> Rng {
        Rng::stream(self.control.seed(), worker as u64 | self.round << 32)
    }

    fn tree_parallel(&self, threads: usize) -> Counters {
        let counters = Mutex::new(Counters::default());
        std::thread::scope(|scope| {
            for number in 0..threads {
                let counters = &counters;
                scope.spawn(move || {
                    let done = self.worker(number, None, 1);
                    counters.lock().expect("no worker panics while it adds up").merge(&done);
                });
            }
        });
        counters.into_inner().expect("no worker panics while it adds up")
    }

    fn leaf_parallel(&self, threads: usize) -> Counters {
        std::thread::scope(|scope| {
            let (result_sender, results) = mpsc::channel();
            let mut hands = Vec::new();
            for hand in 1..threads {
                let (sender, receiver) = mpsc::channel();
                let leaf = Leaf::default();
                hands.push((leaf.clone(), sender));
                let (rng, result_sender) = (self.rng(hand), result_sender.clone());
                scope.spawn(move || leaf::work(self.ground, rng, &leaf, &receiver, &result_sender));
            }
            let crew = Crew::new(hands, results);
            let done = self.worker(0, Some(&crew), threads as u64);
            drop(crew);
            done
        })
    }

    /// The loop of one worker; every simulation takes `playouts` of them.
    fn worker(&self, number: usize, crew: Option<&Crew<G>>, playouts: u64) -> Counters {
        let ground = self.ground;
        let mut ticker = self.control.ticker(number);
        let mut worker = Worker::new(ground, self.rng(number), crew);
        let (root, at) = ground.tree.at(ROOT);
        while (0..playouts).all(|_| ticker.playout()) {
            let nodes_before = worker.counters.nodes;
            let simulated = worker.simulate();
            worker.counters.playouts += playouts - 1;
            if simulated == Simulated::WithoutRoom && self.has_room {
                self.full.store(true, Relaxed);
            }
            if ground.params.solver && root.bounds[at].load().is_decided() {
                self.control.end(StopReason::Decided);
                break;
            }
            if !ticker.nodes((worker.counters.nodes - nodes_before) as usize) {
                break;
            }
            if self.full.load(Relaxed) {
                break;
            }
            if !self.done.is_empty() && worker.counters.playouts.is_multiple_of(TOLD_EVERY) {
                *self.done[number].lock().expect("nobody panics while it is told") = worker.counters;
            }
            if ticker.is_due() {
                self.control.show(&self.view(&worker));
            }
            if ground.params.last == Final::RobustMax && number == 0 && self.is_robust(&worker) {
                self.control.end(StopReason::Finished);
                break;
            }
        }
        worker.counters
    }

    /// The search as worker 0 shows it.
    fn view(&self, worker: &Worker<'_, G>) -> View<'_, G> {
        let mut counters = self.before;
        counters.merge(&worker.counters);
        for other in self.done.iter().skip(1) {
            counters.merge(&other.lock().expect("nobody panics while it is told"));
        }
        View { ground: self.ground, counters, stopped: StopReason::Finished }
    }

    /// The robust-max child is waited for from four fifths of the playouts or of the time on; the rest is spent only if there is
    /// none yet.
    fn is_robust(&self, worker: &Worker<'_, G>) -> bool {
        let limits = self.control.limits();
        if !worker.counters.playouts.is_multiple_of(64) {
            return false;
        }
        let view = self.view(worker);
        let late = limits.playouts.is_some_and(|all| view.counters.playouts * 5 >= all * 4)
            || limits.time.is_some_and(|all| self.control.elapsed() * 5 >= all * 4);
        late && view.has_robust_max()
    }
}
