//! A worker: one simulation after the other, from the root to a leaf, to a result and back.

use super::ground::{Ground, Values, in_units};
use super::interval::Interval;
use super::leaf::Crew;
use super::line::Line;
use super::link::Link;
use super::params::{Amaf, Apart, Expand, Playout};
use super::playout::{Learned, Moves, play_out};
use super::proof_numbers::{self, DISPROVED, PROVED, UNKNOWN};
use super::select::{self, Formula, Node, Reference};
use super::tree::{self, Block, MOST_CHILDREN, ROOT, Tally, UNIT};
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::{Counters, History, Knowledge, Outcome, Player, PlayoutContext, ProofNumbers, Rng, Verdict};
use wide::f32x8;

/// A node on the way of a simulation.
#[derive(Clone, Copy)]
struct Step<'s> {
    node: &'s tree::Node,
    slot: u32,
    /// Who chose it; at the root nobody, and it does not matter.
    chooser: Player,
    /// Who moves there.
    mover: Player,
    link: Link,
    /// Whether the simulation told something new about its proved interval.
    narrowed: bool,
    /// Whether it changed its proof numbers.
    renumbered: bool,
}

/// How a simulation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Simulated {
    /// As it should.
    Well,
    /// As it should, but there was no room to expand a node.
    WithoutRoom,
}

/// What became of an expansion.
enum Expansion {
    Done(Link),
    /// Another worker is at it.
    Busy,
    Full,
}

/// A worker.
pub struct Worker<'s, G: Knowledge> {
    ground: &'s Ground<'s, G>,
    formula: Formula,
    line: Line<G>,
    context: PlayoutContext<G::Move>,
    path: Vec<Step<'s>>,
    moves: Vec<G::Move>,
    trace: Moves<G::Move>,
    /// All moves of a simulation with their numbers, where a part learns from them.
    sequence: Vec<(Player, G::Move, u32)>,
    learned: Learned<G::Move>,
    /// Marks of the simulation in which a player made a move, by player and number of the move.
    marks: Vec<u32>,
    mark: u32,
    reference: Reference,
    keys: Vec<u64>,
    scores: Vec<f32x8>,
    /// Threads that play out from the same leaf.
    crew: Option<&'s Crew<G>>,
    /// Whether other workers use the tree too.
    shared: bool,
    virtual_loss: u32,
    /// Whether no part is on but plain UCT and the solver: then [`Worker::descend_plainly`] does.
    plain: bool,
    /// Whether children are chosen on the way back, for the next simulation.
    chooses_ahead: bool,
    /// What the worker has done.
    pub counters: Counters,
}

impl<'s, G: Knowledge> Worker<'s, G> {
    /// A worker with a stream of random numbers.
    pub fn new(ground: &'s Ground<'s, G>, rng: Rng, crew: Option<&'s Crew<G>>) -> Worker<'s, G> {
        let params = ground.params;
        let shared = ground.tree.is_shared();
        let slots = ground.facts.move_slots;
        let players = usize::from(ground.facts.players);
        let formula = Formula::new(params, shared).pruning(ground.prunes());
        Worker {
            ground,
            line: Line::new(ground.root),
            context: PlayoutContext::new(rng, ground.facts.length.plies()),
            path: Vec::with_capacity(256),
            moves: Vec::with_capacity(512),
            trace: Moves(Vec::new()),
            sequence: Vec::new(),
            learned: Learned::new(params, ground.facts.players, slots),
            marks: vec![0; if params.amaf == Amaf::Off { 0 } else { players * slots }],
            mark: 0,
            reference: Reference::default(),
            keys: Vec::new(),
            scores: Vec::new(),
            crew,
            shared,
            virtual_loss: if shared && params.apart == Apart::VirtualLoss { params.virtual_loss } else { 0 },
            plain: formula.is_plain() && ground.is_plain(),
            chooses_ahead: !shared && ground.tree.keeps_choices(),
            formula,
            counters: Counters::default(),
        }
    }

    /// One simulation.
    pub fn simulate(&mut self) -> Simulated {
        self.line.reset();
        self.path.clear();
        self.counters.playouts += 1;
        let (values, simulated) = if self.plain { self.descend_plainly() } else { self.descend() };
        self.counters.depth = self.counters.depth.max(self.path.len() as u32 - 1);
        if self.plain {
            self.back_up_plainly(values)
        } else {
            self.back_up(values)
        }
        simulated
    }

    /// The way from the root to a leaf, and what came of it.
    fn descend(&mut self) -> (Values, Simulated) {
        let mover = self.line.position().to_move();
        self.enter(ROOT, mover, mover);
        let mut simulated = Simulated::Well;
        let values = loop {
            let step = *self.path.last().expect("the root at least");
            if step.slot != ROOT
                && let Some(values) = self.settled(step)
            {
                break values;
            }
            let mut link = self.ground.tree.link(step.slot).load();
            if !link.is_expanded() {
                if step.slot != ROOT
                    && self.ground.tree.visits(step.slot) < self.ground.params.after + self.virtual_loss
                {
                    break self.play_out();
                }
                match self.expand(step) {
                    Expansion::Done(made) => link = made,
                    Expansion::Busy => break self.play_out(),
                    Expansion::Full => {
                        simulated = Simulated::WithoutRoom;
                        break self.play_out();
                    }
                }
                if let Some(values) = self.decided(step) {
                    break values;
                }
            }
            self.path.last_mut().expect("the root at least").link = link;
            let Some((child, is_new)) = self.choose(step, link) else { break self.play_out() };
            let block = self.ground.tree.block(link);
            let mv = block.mv(child);
            if self.ground.params.table && self.line.forbids(mv) {
                break self.play_out();
            }
            let mover = self.line.play(mv);
            self.enter(block.first + child as u32, step.mover, mover);
            if is_new {
                break self.open();
            }
        };
        (values, simulated)
    }

    /// The same where no part is on but plain UCT and the solver, nothing being asked on the way that is known beforehand. A node
    /// with children does not end the game, and a child that selection did not leave out is not decided: only leaves are tested.
    fn descend_plainly(&mut self) -> (Values, Simulated) {
        let tree = self.ground.tree;
        let mover = self.line.position().to_move();
        let mut step = self.arrive(tree.node(ROOT), ROOT, mover, mover);
        loop {
            step.link = step.node.link.load();
            self.path.push(step);
            let (slot, is_new) = match step.link.choice().filter(|_| self.chooses_ahead) {
                Some(child) => (step.link.first() + child as u32, false),
                None => match self.choose_plainly(step) {
                    Ok(chosen) => chosen,
                    Err(end) => return end,
                },
            };
            let (chunk, at) = tree.at(slot);
            let mover = self.line.play(chunk.moves[at].load());
            step = self.arrive(&chunk.nodes[at], slot, step.mover, mover);
            if is_new {
                self.path.push(step);
                let values = if self.ground.params.lookahead || self.line.is_over() {
                    self.open()
                } else {
                    self.counters.nodes += 1;
                    self.play_out()
                };
                return (values, Simulated::Well);
            }
        }
    }

    /// The child to go to from a node for which none was chosen ahead, and whether it is new; or what the simulation comes to here.
    fn choose_plainly(&mut self, mut step: Step<'s>) -> Result<(u32, bool), (Values, Simulated)> {
        if !step.link.is_expanded() {
            step.link = self.settle_leaf(step)?;
        }
        let block = self.ground.tree.block(step.link);
        let opened = if block.opened < block.count { self.open_next(step, block) } else { None };
        let chosen = opened.or_else(|| {
            let Worker { ground, formula, context, scores, .. } = self;
            let best = best_plainly(ground, formula, &step, step.link, step.node.visits(), &mut context.rng, scores);
            best.map(|child| (child, false))
        });
        match chosen {
            Some((child, is_new)) => Ok((block.first + child as u32, is_new)),
            None => Err((self.play_out(), Simulated::Well)),
        }
    }

    /// What a simulation of [`Worker::descend_plainly`] comes to at a node without children, or the children that it gets now.
    fn settle_leaf(&mut self, step: Step<'s>) -> Result<Link, (Values, Simulated)> {
        if step.slot != ROOT {
            if let Some(values) = self.settled(step) {
                return Err((values, Simulated::Well));
            }
            if step.node.visits() < self.ground.params.after + self.virtual_loss {
                return Err((self.play_out(), Simulated::Well));
            }
        }
        match self.expand(step) {
            Expansion::Done(made) => {
                self.path.last_mut().expect("the root at least").link = made;
                Ok(made)
            }
            Expansion::Busy => Err((self.play_out(), Simulated::Well)),
            Expansion::Full => Err((self.play_out(), Simulated::WithoutRoom)),
        }
    }

    /// A step to a node, with the loss that keeps other workers away from it.
    #[inline]
    fn arrive(&self, node: &'s tree::Node, slot: u32, chooser: Player, mover: Player) -> Step<'s> {
        if self.virtual_loss > 0 {
            let lost = i64::from(self.virtual_loss);
            node.add(Tally::new(lost, -lost), true);
        }
        Step { node, slot, chooser, mover, link: Link::LEAF, narrowed: false, renumbered: false }
    }

    fn enter(&mut self, slot: u32, chooser: Player, mover: Player) {
        let step = self.arrive(self.ground.tree.node(slot), slot, chooser, mover);
        self.path.push(step);
    }

    /// The values of a node that needs no further search: the game is over, or it is decided.
    #[inline]
    fn settled(&mut self, step: Step<'s>) -> Option<Values> {
        if let Some(outcome) = self.line.outcome() {
            return Some(self.ground.values(&outcome));
        }
        self.decided(step)
    }

    #[inline]
    fn decided(&self, step: Step<'s>) -> Option<Values> {
        if !self.ground.params.solver {
            return None;
        }
        let interval = self.ground.interval_of(step.slot);
        if interval.is_decided() { self.ground.decided_values(interval) } else { None }
    }

    /// A new node: tested for the end of the game, and looked at as the parts wish; then played out.
    fn open(&mut self) -> Values {
        let ground = self.ground;
        let params = ground.params;
        let at_leaf = self.path.len() - 1;
        let step = self.path[at_leaf];
        if params.expand == Expand::One {
            self.counters.nodes += 1;
        }
        let outcome = self.line.outcome();
        let (chunk, at) = ground.tree.at(step.slot);
        if let Some(outcome) = &outcome {
            if params.solver {
                self.path[at_leaf].narrowed = chunk.bounds[at].narrow(ground.interval(outcome));
            }
            if params.pn.is_some() {
                self.path[at_leaf].renumbered = self.number_end(step.slot, outcome);
            }
        }
        if params.prior.is_some() || params.implicit.is_some() {
            let value = match &outcome {
                Some(outcome) => ground.values(outcome)[step.chooser.index()] as f32 / UNIT,
                None => ground.evaluation(self.line.position(), step.chooser),
            };
            if params.prior.is_some() {
                chunk.priors[at].store(value.to_bits(), Relaxed);
            }
            if params.implicit.is_some() {
                chunk.implicit[at].store(value.to_bits(), Relaxed);
            }
        }
        if let Some(outcome) = outcome {
            return ground.values(&outcome);
        }
        if params.lookahead
            && let Some(interval) = self.look_ahead(step.mover)
        {
            let (chunk, at) = ground.tree.at(step.slot);
            self.path[at_leaf].narrowed = chunk.bounds[at].narrow(interval);
            if let Some(values) = self.decided(step) {
                return values;
            }
        }
        self.play_out()
    }

    /// What the ends of the game one move further prove: a move that wins, or that all moves lose.
    fn look_ahead(&mut self, mover: Player) -> Option<Interval> {
        let ground = self.ground;
        let maximises = ground.maximises(mover);
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.line.legal_moves(&mut moves);
        let mut sum = if maximises { Interval::exactly(i32::MIN) } else { Interval::exactly(i32::MAX) };
        for &mv in &moves {
            self.counters.nodes += 1;
            let end = self.line.outcome_after(mv).map_or(ground.range, |outcome| ground.interval(&outcome));
            sum = Interval::chosen(maximises, [sum, end].into_iter());
            // The best there is cannot be bettered.
            if (maximises && sum.low >= ground.range.high) || (!maximises && sum.high <= ground.range.low) {
                break;
            }
        }
        self.moves = moves;
        (sum != ground.range).then_some(sum)
    }

    fn play_out(&mut self) -> Values {
        let ground = self.ground;
        let last = self.last_two();
        let (position, cap) = self.line.playground();
        self.context.cap = cap;
        if let Some(crew) = self.crew {
            return crew.play_out(ground, position, &mut self.context, &self.learned, last);
        }
        if ground.params.amaf != Amaf::Off || Learned::<G::Move>::listens(ground.params) {
            self.trace.0.clear();
            play_out(ground, position, &mut self.context, &self.learned, last, &mut self.trace)
        } else {
            play_out(ground, position, &mut self.context, &self.learned, last, &mut ())
        }
    }

    /// The numbers of the last two moves of the line, for playouts that reply to them.
    fn last_two(&self) -> [u32; 2] {
        if self.ground.params.playout != Playout::Lgrf {
            return [u32::MAX; 2];
        }
        let number = |back: usize| {
            let step = self.path.len().checked_sub(back).filter(|&at| at > 0).map(|at| self.path[at]);
            step.map_or(u32::MAX, |step| self.index_of(step))
        };
        [number(1), number(2)]
    }

    fn index_of(&self, step: Step<'s>) -> u32 {
        let (chunk, at) = self.ground.tree.at(step.slot);
        chunk.indices[at].load(Relaxed)
    }

    /// Makes the children of a node.
    fn expand(&mut self, step: Step<'s>) -> Expansion {
        let ground = self.ground;
        let params = ground.params;
        let link = &step.node.link;
        if !link.begin_expansion(self.shared) {
            return Expansion::Busy;
        }
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.line.legal_moves(&mut moves);
        assert!(
            (1..=MOST_CHILDREN).contains(&moves.len()),
            "a position that does not end the game has 1 to {MOST_CHILDREN} moves, not {}",
            moves.len()
        );
        let made = self.make_children(&mut moves);
        self.moves = moves;
        let Some(made) = made else {
            link.store(Link::LEAF);
            return Expansion::Full;
        };
        link.store(made);
        // A node that lost its children for want of room has not lost what was proved of it.
        if params.solver && self.ground.interval_of(step.slot) != ground.range {
            link.note_proofs(self.shared);
        }
        self.counters.expansions += 1;
        let depth = self.path.len() - 1;
        // New children are tested only where all are; shared ones may have been proved by another way.
        if params.solver && (params.expand == Expand::All || params.table) {
            self.path[depth].narrowed |= self.ground.narrow(step.slot, step.mover, made);
        }
        if params.pn.is_some() {
            self.path[depth].renumbered |= self.renumber(step.slot, step.mover, made);
        }
        Expansion::Done(made)
    }

    fn make_children(&mut self, moves: &mut [G::Move]) -> Option<Link> {
        let ground = self.ground;
        let params = ground.params;
        let columns = ground.tree.columns();
        if let Some(positions) = ground.positions {
            let key = self.line.position().key();
            if let Some((first, count)) = positions.find(key) {
                let block = ground.tree.block(Link::new(first, count, count));
                // The key could mislead, and the past may forbid other moves here: the moves must be the same.
                if count == moves.len() && (0..count).all(|child| moves.contains(&block.mv(child))) {
                    self.counters.hits += 1;
                    return Some(Link::new(first, count, 0));
                }
            }
        }
        if params.widen.is_some() {
            self.shuffle(moves);
            let position = self.line.position();
            moves.sort_by_cached_key(|&mv| std::cmp::Reverse(position.move_order(mv).unwrap_or(0)));
        } else if !self.draws_when_opening() {
            self.shuffle(moves);
        }
        let first = ground.tree.take(moves.len())?;
        let (chunk, begin) = ground.tree.at(first);
        let position = self.line.position();
        let end = begin + moves.len();
        for (cell, &mv) in chunk.moves[begin..end].iter().zip(moves.iter()) {
            cell.store(mv);
        }
        if columns.indices {
            for (index, &mv) in chunk.indices[begin..end].iter().zip(moves.iter()) {
                index.store(position.move_index(mv) as u32, Relaxed);
            }
        }
        if let Some(transitions) = ground.transitions.filter(|_| columns.weights) {
            for (weight, &mv) in chunk.weights[begin..end].iter().zip(moves.iter()) {
                let probability = transitions.probability(position, mv, ground.facts.move_slots);
                weight.store(probability.to_bits(), Relaxed);
            }
        }
        if columns.bounds {
            chunk.bounds[begin..end].iter().for_each(|cell| cell.store(ground.range));
        }
        for column in [&chunk.proof, &chunk.draw_proof] {
            if !column.is_empty() {
                column[begin..end].iter().for_each(|cell| cell.store(proof_numbers::pack(UNKNOWN), Relaxed));
            }
        }
        if params.expand == Expand::All {
            self.counters.nodes += moves.len() as u64;
            if columns.bounds || columns.proof {
                for (slot, &mv) in (first..).zip(moves.iter()) {
                    let Some(outcome) = self.line.outcome_after(mv) else { continue };
                    if columns.bounds {
                        let (chunk, at) = ground.tree.at(slot);
                        chunk.bounds[at].store(ground.interval(&outcome));
                    }
                    if columns.proof {
                        self.number_end(slot, &outcome);
                    }
                }
            }
        }
        if let Some(positions) = ground.positions {
            positions.insert(self.line.position().key(), first, moves.len());
        }
        Some(Link::new(first, moves.len(), 0))
    }

    /// Whether the order of unopened children is drawn one by one as they are opened, not beforehand. All-moves-as-first values
    /// of unopened children change at any time, so these children stay where they are.
    fn draws_when_opening(&self) -> bool {
        let params = self.ground.params;
        params.expand == Expand::One && !params.table && params.widen.is_none() && params.amaf == Amaf::Off
    }

    fn shuffle(&mut self, moves: &mut [G::Move]) {
        for at in (1..moves.len()).rev() {
            moves.swap(at, self.context.rng.below(at + 1));
        }
    }

    /// The child to go to, and whether it is new; `None` if there is nowhere to go at present.
    fn choose(&mut self, step: Step<'s>, link: Link) -> Option<(usize, bool)> {
        let ground = self.ground;
        let params = ground.params;
        let mut block = ground.tree.block(link);
        if params.table {
            // Another way here may have opened children that this one does not know of.
            while block.opened < block.count && block.visits(block.opened) > 0 {
                block.opened += 1;
            }
        }
        let mut visits = ground.tree.visits(step.slot).max(1);
        if params.table {
            visits = (0..block.opened).map(|child| block.visits(child)).sum::<u32>().max(1);
        }
        if visits < params.threshold && step.slot != ROOT {
            let drawn = self.context.rng.below(block.count);
            return if drawn < block.opened { Some((drawn, false)) } else { self.open_next(step, block) };
        }
        let may_open = block.opened < block.count && self.widens(visits, block.opened);
        if may_open
            && (block.opened == 0 || params.first_play_urgency == f32::INFINITY)
            && let Some(opened) = self.open_next(step, block)
        {
            return Some(opened);
        }
        let proved = if params.solver {
            (ground.maximises(step.mover), self.ground.interval_of(step.slot))
        } else {
            (true, ground.range)
        };
        let unproved = params.pn_skip.is_some() && {
            let (chunk, at) = ground.tree.at(step.slot);
            !proof_numbers::is_solved(chunk.proof[at].load(Relaxed))
        };
        let has_reference = params.grave > 0 && self.find_reference(step, visits);
        let node = Node { visits, proved, unproved, reference: has_reference.then_some(&self.reference) };
        match select::best(&self.formula, &block, &node, &mut self.context.rng, &mut self.scores) {
            Some((child, score)) if !may_open || score > params.first_play_urgency => Some((child, false)),
            best => {
                let opened = if block.opened < block.count { self.open_next(step, block) } else { None };
                opened.or(best.map(|(child, _)| (child, false)))
            }
        }
    }

    /// Progressive unpruning (Chaslot et al. 2008): the first children are open at once, and each further one after the visits
    /// have grown by a factor. With k open children from the start and the factor f the next ones come at k f, k f^2, ... visits.
    fn widens(&self, visits: u32, opened: usize) -> bool {
        let Some(from_the_start) = self.ground.params.widen else { return true };
        let from_the_start = from_the_start as usize;
        opened < from_the_start
            || visits as f32
                >= from_the_start as f32 * self.ground.params.widen_growth.powi((opened - from_the_start) as i32 + 1)
    }

    /// Opens the next child of a node; `None` if another worker is doing so.
    fn open_next(&mut self, step: Step<'s>, block: Block<'_, G::Move>) -> Option<(usize, bool)> {
        let cell = &step.node.link;
        let link = cell.begin_opening(self.shared)?;
        let mut next = link.opened();
        if self.ground.params.table {
            next = block.opened.max(next).min(link.count() - 1);
        }
        if self.draws_when_opening() {
            let drawn = next + self.context.rng.below(block.count - next);
            if drawn != next {
                let (a, b) = (block.begin + next, block.begin + drawn);
                let mv = block.chunk.moves[a].load();
                block.chunk.moves[a].store(block.chunk.moves[b].load());
                block.chunk.moves[b].store(mv);
                if !block.chunk.indices.is_empty() {
                    let index = block.chunk.indices[a].load(Relaxed);
                    block.chunk.indices[a].store(block.chunk.indices[b].load(Relaxed), Relaxed);
                    block.chunk.indices[b].store(index, Relaxed);
                }
                if !block.chunk.weights.is_empty() {
                    let weight = block.chunk.weights[a].load(Relaxed);
                    block.chunk.weights[a].store(block.chunk.weights[b].load(Relaxed), Relaxed);
                    block.chunk.weights[b].store(weight, Relaxed);
                }
            }
        }
        cell.end_opening(link, next + 1, self.shared);
        Some((next, true))
    }

    /// GRAVE (Cazenave 2015): the AMAF values of the nearest ancestor, of the same player, that has enough visits. False if the node
    /// itself has enough, or no ancestor.
    fn find_reference(&mut self, step: Step<'s>, visits: u32) -> bool {
        let ground = self.ground;
        if visits >= ground.params.grave {
            return false;
        }
        let found = self.path.iter().rev().skip(1).find(|above| {
            above.mover == step.mover
                && above.link.is_expanded()
                && ground.tree.visits(above.slot) >= ground.params.grave
        });
        let Some(above) = found else { return false };
        let block = ground.tree.block(above.link);
        self.reference.entries.clear();
        self.reference.entries.resize(ground.facts.move_slots, (0, 0));
        for child in 0..block.count {
            let at = block.begin + child;
            let index = block.chunk.indices[at].load(Relaxed) as usize;
            self.reference.entries[index] =
                (block.chunk.amaf_visits[at].load(Relaxed), block.chunk.amaf_sums[at].load(Relaxed));
        }
        true
    }

    /// The way back to the root: counts, sums, proofs.
    fn back_up(&mut self, values: Values) {
        let ground = self.ground;
        let params = ground.params;
        let tree = ground.tree;
        let mut values = values;
        if params.amaf != Amaf::Off || Learned::<G::Move>::listens(params) {
            self.learn(&values);
        }
        for depth in (0..self.path.len()).rev() {
            let step = self.path[depth];
            let (chunk, at) = tree.at(step.slot);
            if params.solver {
                // Shared children may have been proved by another way than this one.
                let child_narrowed = self.path.get(depth + 1).is_some_and(|child| child.narrowed);
                if child_narrowed || (params.table && step.link.is_expanded()) {
                    self.path[depth].narrowed |= self.ground.narrow(step.slot, step.mover, step.link);
                }
                // From here upwards the simulation is worth no more and no less than what is proved.
                values = ground.within(values, chunk.bounds[at].load());
            }
            let value = values[step.chooser.index()];
            let lost = i64::from(self.virtual_loss);
            chunk.add(at, 1 - lost, value + lost * UNIT as i64, self.shared);
            if !chunk.squares.is_empty() {
                let value = value as f32 / UNIT;
                tree.add_sum(&chunk.squares[at], in_units(value * value));
            }
            if !chunk.losses.is_empty() && value < 0 {
                tree.add(&chunk.losses[at], 1);
            }
            if depth + 1 < self.path.len() {
                if params.pn.is_some() && self.path[depth + 1].renumbered {
                    self.path[depth].renumbered |= self.renumber(step.slot, step.mover, step.link);
                }
                if params.implicit.is_some() {
                    self.minimax_evaluation(step);
                }
            }
        }
    }

    /// The same after [`Worker::descend_plainly`]: intervals are looked at only where something is proved.
    ///
    /// Who works alone changes nothing about a node but here, so the child to be visited next is chosen here and not on the next way
    /// down. There each choice would have to wait for the one above it; here they do not depend on each other, and the
    /// processor works on several at a time.
    fn back_up_plainly(&mut self, mut values: Values) {
        let Worker { ground, formula, path, context, scores, shared, virtual_loss, chooses_ahead, .. } = self;
        let (ground, shared) = (*ground, *shared);
        let lost = i64::from(*virtual_loss);
        let gains_of = |values: Values| values.map(|value| Tally::new(1 - lost, value / UNIT as i64 + lost));
        let mut gains = gains_of(values);
        let has_proofs = ground.params.solver;
        let mut child_narrowed = false;
        for step in path.iter().rev() {
            if has_proofs {
                let narrowed = step.narrowed || (child_narrowed && ground.narrow(step.slot, step.mover, step.link));
                if child_narrowed {
                    step.node.link.note_proofs(shared);
                }
                if child_narrowed || narrowed || step.link.knows_proofs() {
                    values = ground.within(values, ground.interval_of(step.slot));
                    gains = gains_of(values);
                }
                child_narrowed = narrowed;
            }
            let tally = step.node.add(gains[step.chooser.index()], shared);
            if !*chooses_ahead {
                continue;
            }
            let link = step.node.link.load();
            if link.is_expanded() && link.is_open() {
                let choice = best_plainly(ground, formula, step, link, tally.visits(), &mut context.rng, scores);
                step.node.link.store(link.with_choice(choice));
            }
        }
    }

    /// Sets the proof numbers of a node that ends the game; says whether they changed.
    fn number_end(&self, slot: u32, outcome: &Outcome) -> bool {
        let (chunk, at) = self.ground.tree.at(slot);
        let verdict = outcome.verdict(self.ground.prover);
        let number = |reached: bool| if reached { PROVED } else { DISPROVED };
        let mut changed = put(&chunk.proof[at], number(verdict == Some(Verdict::Win)));
        if !chunk.draw_proof.is_empty() {
            changed |= put(&chunk.draw_proof[at], number(verdict >= Some(Verdict::Draw)));
        }
        changed
    }

    /// Works a node's proof numbers out from its children's, and the ranks of these; says whether its numbers changed.
    fn renumber(&mut self, slot: u32, mover: Player, link: Link) -> bool {
        let ground = self.ground;
        let block = ground.tree.block(link);
        let (chunk, at) = ground.tree.at(slot);
        let prover_moves = mover == ground.prover;
        let numbers = |column| proof_numbers::of_children(prover_moves, block.of(column, block.count));
        let mut changed = put(&chunk.proof[at], numbers(&block.chunk.proof));
        if !chunk.draw_proof.is_empty() {
            changed |= put(&chunk.draw_proof[at], numbers(&block.chunk.draw_proof));
        }
        proof_numbers::rank_children(ground.params.rank, prover_moves, &block, &mut self.keys);
        changed
    }

    /// The evaluation of a node from those of its open children (implicit minimax backups), for the player who chose it.
    fn minimax_evaluation(&self, step: Step<'s>) {
        let block = self.ground.tree.block(self.ground.tree.link(step.slot).load());
        let opened = block.of(&block.chunk.implicit, block.opened);
        let best = opened.iter().map(|cell| f32::from_bits(cell.load(Relaxed))).fold(f32::NEG_INFINITY, f32::max);
        if best > f32::NEG_INFINITY {
            let value = if step.chooser == step.mover { best } else { -best };
            let (chunk, at) = self.ground.tree.at(step.slot);
            chunk.implicit[at].store(value.to_bits(), Relaxed);
        }
    }

    /// Leaves of what is proved of the root what its children show: a kept tree may know that the root is won and no longer, or
    /// not yet, by which move.
    pub fn look_at_root(&mut self) {
        let (chunk, at) = self.ground.tree.at(ROOT);
        if let Some(cell) = chunk.bounds.get(at) {
            cell.store(self.ground.range);
            let link = self.ground.tree.link(ROOT).load();
            if link.is_expanded() {
                self.ground.narrow(ROOT, self.ground.prover, link);
                // What was chosen ahead rested on more.
                if link.is_open() {
                    self.ground.tree.link(ROOT).store(link.with_choice(None));
                }
            }
        }
    }

    /// Works out anew what is about the player who searches, after it has changed: proof numbers, and where players have points of
    /// their own the proved intervals. `line` is at the node. False if it was stopped: then nothing of this may be believed.
    pub fn rebuild(&mut self, slot: u32, line: &mut History<G>, stop: &dyn Fn() -> bool) -> bool {
        self.counters.nodes += 1;
        if self.counters.nodes.is_multiple_of(1024) && stop() {
            return false;
        }
        let ground = self.ground;
        let (chunk, at) = ground.tree.at(slot);
        let columns = ground.tree.columns();
        if columns.bounds && !ground.zero_sum {
            chunk.bounds[at].store(ground.range);
        }
        if columns.proof {
            put(&chunk.proof[at], UNKNOWN);
        }
        if columns.draw_proof {
            put(&chunk.draw_proof[at], UNKNOWN);
        }
        if let Some(outcome) = line.outcome() {
            if columns.bounds {
                chunk.bounds[at].narrow(ground.interval(&outcome));
            }
            if columns.proof {
                self.number_end(slot, &outcome);
            }
            return true;
        }
        let link = ground.tree.link(slot).load();
        if !link.is_expanded() {
            return true;
        }
        let block = ground.tree.block(link);
        // Children that are not open have not been tested, unless all are.
        let tested = if ground.params.expand == Expand::All { block.count } else { block.opened };
        for child in 0..tested {
            line.play(block.mv(child));
            let done = self.rebuild(block.first + child as u32, line, stop);
            line.undo();
            if !done {
                return false;
            }
        }
        for child in tested..block.count {
            if columns.bounds && !ground.zero_sum {
                block.chunk.bounds[block.begin + child].store(ground.range);
            }
            if columns.proof {
                put(&block.chunk.proof[block.begin + child], UNKNOWN);
            }
        }
        let mover = line.position().to_move();
        if columns.bounds {
            self.ground.narrow(slot, mover, link);
        }
        if columns.proof {
            self.renumber(slot, mover, link);
        }
        true
    }

    /// Lets AMAF values and playout policies learn from the simulation.
    fn learn(&mut self, values: &Values) {
        let ground = self.ground;
        let start = ground.root.position();
        self.sequence.clear();
        for at in 1..self.path.len() {
            let (chunk, place) = ground.tree.at(self.path[at].slot);
            let index = chunk.indices[place].load(Relaxed);
            self.sequence.push((self.path[at].chooser, chunk.moves[place].load(), index));
        }
        let in_tree = self.sequence.len();
        let trace = std::mem::take(&mut self.trace.0);
        self.sequence.extend(trace.iter().map(|&(player, mv)| (player, mv, start.move_index(mv) as u32)));
        self.trace.0 = trace;
        self.trace.0.clear();
        if Learned::<G::Move>::listens(ground.params) {
            let value = |player: Player| values[player.index()] as f32 / UNIT;
            self.learned.learn(ground.params, &self.sequence, value);
        }
        if ground.params.amaf == Amaf::Off {
            return;
        }
        self.mark = self.mark.wrapping_add(1);
        let slots = ground.facts.move_slots;
        for at in (0..self.sequence.len()).rev() {
            let (player, _, index) = self.sequence[at];
            self.marks[player.index() * slots + index as usize] = self.mark;
            if at > in_tree || !self.path.get(at).is_some_and(|step| step.link.is_expanded()) {
                continue;
            }
            // All moves from this node on are marked now.
            let step = self.path[at];
            let block = ground.tree.block(step.link);
            let marks = &self.marks[step.mover.index() * slots..][..slots];
            let value = values[step.mover.index()];
            let indices = block.of(&block.chunk.indices, block.count);
            for (child, index) in indices.iter().enumerate() {
                if marks[index.load(Relaxed) as usize] == self.mark {
                    // A simulation writes to hundreds of these. Where two workers meet, one of two hints is lost, which costs less than locked
                    // additions would (Enzenberger and Müller 2010).
                    let (visits, sum) =
                        (&block.chunk.amaf_visits[block.begin + child], &block.chunk.amaf_sums[block.begin + child]);
                    visits.store(visits.load(Relaxed).wrapping_add(1), Relaxed);
                    sum.store(sum.load(Relaxed) + value, Relaxed);
                }
            }
        }
    }
}

/// The best of the open children of a node by plain UCT, without those that cannot matter by what is proved of them.
#[inline(always)]
fn best_plainly<G: Knowledge>(
    ground: &Ground<'_, G>,
    formula: &Formula,
    step: &Step<'_>,
    link: Link,
    visits: u32,
    rng: &mut Rng,
    scores: &mut Vec<f32x8>,
) -> Option<usize> {
    let block = ground.tree.block(link);
    if link.knows_proofs() && formula.prunes() {
        let proved = (ground.maximises(step.mover), ground.interval_of(step.slot));
        return select::best_unproved(formula, block, visits, proved, rng, scores);
    }
    select::best_plainly(formula, block, visits, rng, scores)
}

/// Stores proof numbers; says whether they are others than before.
fn put(cell: &std::sync::atomic::AtomicU64, numbers: ProofNumbers) -> bool {
    let packed = proof_numbers::pack(numbers);
    if cell.load(Relaxed) == packed {
        return false;
    }
    cell.store(packed, Relaxed);
    true
}
