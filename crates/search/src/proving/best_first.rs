//! Proof-number search, best first (Allis, Van der Meulen and Van den Herik 1994), in all its forms.
//!
//! Again and again: from the root go to the child with the least proof number where the prover moves, with the least disproof number
//! where another does, until a leaf is reached, the *most-proving node*; make its children; work out the numbers of the nodes
//! on the way back. Going down, every node gets limits as in df-pn: with smaller numbers the way from the root would lead through it again. So on the way back
//! the first node that is below its limits is where the next descent begins, and the numbers above it can wait; the positions of the line are still
//! at hand. Whose turn it is is asked of every position, so several players, and players who move twice, need nothing special: all but the prover are one side
//! (paranoid proof-number search, Saito 2010, chapter 6).
//!
//! A child that decides its parent ends the expansion: the others would be thrown away at once. Only the root keeps all its
//! children, because they are reported.
//!
//! **Two levels** (PN²; Allis 1994, Breuker 1998). A leaf is expanded by a second search, whose size is limited by that of the
//! first tree; only the children of the leaf stay, with their numbers.
//!
//! **Several workers** (RP-PNS; Saito, Winands and Van den Herik 2010). Worker 0 goes to the most-proving node. The others anticipate
//! where it will go later. At each node they draw among the children whose own number is at most `d` above the least. While such
//! a worker has not left the principal variation, it takes at each node, with probability 2 / (length of the last variation) if that
//! is more than 2, the second or third best child instead. Who comes to a leaf that another is expanding draws another way.
//!
//! The tree has no transpositions, so a position that comes back is judged on its own line, and nothing has to be repaired.

use super::asking;
use super::initial::{Initial, first_numbers};
use super::line::{Circles, Line, Round};
use super::numbers::{LARGEST, absolute, answer, answered, own_and_other};
use super::saved::{Opener, Sealer, damaged};
use super::tree::{BUSY, Block, Brood, Choice, LEAF, ROOT, Tree, bytes_per_slot};
use crossbeam_utils::CachePadded;
use std::cmp::Reverse;
use std::convert::Infallible;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use tesuji_core::{
    Bounds, Control, Counters, Game, History, INFINITE, Inspector, Knowledge, Options, Player, PlayoutContext,
    ProofNumbers, Prover, Question, Report, Rng, RootMove, SpecError, StopReason, Ticker,
};

/// The parts of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The name of the search.
    pub name: &'static str,
    /// Where first numbers come from.
    pub initial: Initial,
    /// The limit of the second level, if there is one.
    pub cap: Option<Cap>,
    /// How far from the best child other workers draw, if there may be other workers.
    pub window: Option<u32>,
}

/// How many nodes a second search may make, when the first tree has x of them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cap {
    /// x (Allis 1994).
    Full,
    /// x / (1 + e^((a - x) / b)), and no more than there is memory (Breuker 1998).
    Logistic {
        /// Where the second tree may be half as large as the first.
        a: f64,
        /// How slowly that changes.
        b: f64,
    },
    /// x^e, divided among the workers (Saito 2010).
    Power {
        /// The exponent.
        e: f64,
    },
}

impl Cap {
    /// Reads the options.
    pub fn read(options: &mut Options<'_>, kinds: &[(&'static str, u8)]) -> Result<Cap, SpecError> {
        let kind = options.choice("cap", kinds, "how large a second search may be, by the size x of the first tree")?;
        let a = options.number("a", 1.8e6, 1.0..=1e12, "x at which cap=logistic is half of x")?;
        let b = options.number("b", 2.4e5, 1.0..=1e12, "how slowly cap=logistic rises")?;
        let e = options.number("e", 0.75, 0.1..=1.0, "exponent of cap=power")?;
        Ok(match kind {
            0 => Cap::Full,
            1 => Cap::Logistic { a, b },
            _ => Cap::Power { e },
        })
    }

    /// The nodes that a second search may make.
    pub fn nodes(&self, size: f64, workers: usize) -> f64 {
        match *self {
            Cap::Full => size,
            Cap::Logistic { a, b } => size / (1.0 + ((a - size) / b).exp()),
            Cap::Power { e } => size.powf(e) / workers as f64,
        }
    }
}

/// A best-first solver.
pub struct BestFirst<G: Knowledge> {
    settings: Settings,
    rules: G::Rules,
    kept: Option<Kept<G>>,
}

/// A tree that can be gone on with.
struct Kept<G: Knowledge> {
    root: History<G>,
    player: Player,
    at_least: i32,
    /// Which of the rounds of the question it belongs to.
    round: usize,
    slots: usize,
    tree: Tree<G::Move>,
}

impl<G: Knowledge> BestFirst<G> {
    /// A solver that knows nothing yet.
    pub fn new(settings: Settings, rules: &G::Rules) -> BestFirst<G> {
        BestFirst { settings, rules: rules.clone(), kept: None }
    }

    /// What saved trees must agree on.
    fn heading(&self) -> String {
        format!("{} {} {:?} {:?}", self.settings.name, G::INFO.name, self.settings, self.rules)
    }

    /// A tree for this question: the kept one, if it is about the same player and position or about a position above, or a new one; `slots` are
    /// those of the first tree, and of all together.
    fn prepare(
        &mut self,
        root: &History<G>,
        question: &Question,
        slots: (usize, usize),
        filler: G::Move,
    ) -> &mut Kept<G> {
        let widest = root.facts().move_slots;
        let kept = self.kept.take().and_then(|kept| {
            let same_player = kept.player == question.prover();
            let same_game = kept.root.positions()[0] == root.positions()[0] && kept.root.rules() == root.rules();
            let line = if same_game { root.moves().strip_prefix(kept.root.moves()) } else { None };
            let reused = line.filter(|_| same_player).and_then(|line| reused(kept, root, question, line, slots))?;
            let same_score = reused.at_least == question.at_least;
            if same_score { Some(reused) } else { asked_anew(reused, question, &self.settings.initial) }
        });
        let fresh = || Kept {
            root: root.clone(),
            player: question.prover(),
            at_least: question.at_least,
            round: 0,
            slots: slots.0,
            tree: Tree::new(slots.0, widest, filler),
        };
        self.kept.insert(kept.unwrap_or_else(fresh))
    }
}

/// A kept tree fit for a root that a line of moves leads to, if it can be.
fn reused<G: Knowledge>(
    mut kept: Kept<G>,
    root: &History<G>,
    question: &Question,
    line: &[G::Move],
    (slots, all_slots): (usize, usize),
) -> Option<Kept<G>> {
    if !line.is_empty() {
        // Where a circle is judged by the line from the root, what lies below another root was judged by another line.
        let rounds = Round::all(root, question);
        if rounds.len() > 1 || matches!(rounds[0].circles, Circles::Answer(_)) {
            return None;
        }
        let slot = find(&kept.tree, line)?;
        // What a solved node threw away is missed at the root.
        let solved = answer(kept.tree.at(slot).numbers()).is_some();
        if solved && kept.tree.children(slot).is_none_or(|block| !block.is_whole()) {
            return None;
        }
        // An inner node lists forbidden moves too, as bad ones; a root must not.
        let mut legal = Vec::new();
        root.legal_moves(&mut legal);
        if kept.tree.children(slot).is_some_and(|block| block.is_whole() && block.nodes.len() != legal.len()) {
            return None;
        }
        kept.tree.take_root(slot);
        kept.root = root.clone();
    }
    // With more workers the first tree is to be smaller; one that is larger already stays as it is, if there is room for it at all.
    if kept.slots != slots {
        if kept.tree.resize(slots) {
            kept.slots = slots;
        } else if kept.slots > all_slots {
            return None;
        }
    }
    Some(kept)
}

/// A kept tree fit for a question about another score of the same player, if it can be (reuse between questions; Saito 2010, chapter 6, names it after
/// Moldenhauer). An answer for one score is one for all lower scores, or for all higher ones, and stays. Where it says nothing of this score, the end of
/// a game is looked at again, a node that kept all its children is worked out anew, and any other is a leaf again.
fn asked_anew<G: Knowledge>(mut kept: Kept<G>, question: &Question, initial: &Initial) -> Option<Kept<G>> {
    let rounds = Round::all(&kept.root, question);
    // More rounds ask more than one thing. A tree that takes much of the room would leave little to go on with.
    if rounds.len() > 1 || kept.tree.used() as usize > kept.slots / 4 {
        return None;
    }
    let (before, now) = (kept.at_least, question.at_least);
    let stays = |holds: bool| if holds { now <= before } else { now >= before };
    let open = ProofNumbers { proof: initial.one(), disproof: initial.one() };
    let tree = &kept.tree;
    let mut line = Line::new(&kept.root, *question, rounds[0].circles, initial.patterns);
    let Ok(()) = go_through::<G, Infallible>(tree, &mut line, |slot, line| {
        let node = tree.at(slot);
        // Below what stays solved, too: not all of it is always what solved it.
        let is_open = answer(node.numbers()).is_none_or(|holds| !stays(holds));
        if is_open && answer(node.numbers()).is_some() {
            tree.set_numbers(slot, open);
        }
        let next = (slot != ROOT).then(|| line.look(node.mv()));
        if let Some(end) = next.as_ref().and_then(|next| next.end) {
            // Patterns that said nothing of the other score may answer for this one.
            tree.prune(slot);
            tree.set_numbers(slot, answered(end.holds));
            return Ok(false);
        }
        match tree.children(slot) {
            None => Ok(false),
            Some(block) if is_open && !block.is_whole() => {
                tree.prune(slot);
                Ok(false)
            }
            Some(_) => {
                next.into_iter().for_each(|next| line.enter(next.position));
                Ok(true)
            }
        }
    });
    kept.at_least = now;
    Some(kept)
}

/// Goes through a tree, parents before children, and works out the numbers of parents after those of their children. The visitor says whether to go on
/// below a node, and then has entered its position.
fn go_through<G: Knowledge, E>(
    tree: &Tree<G::Move>,
    line: &mut Line<'_, G>,
    mut visit: impl FnMut(u32, &mut Line<'_, G>) -> Result<bool, E>,
) -> Result<(), E> {
    // The nodes above, each with the child that is next.
    let mut above: Vec<(u32, usize)> = Vec::new();
    let mut slot = ROOT;
    loop {
        if visit(slot, line)? {
            above.push((slot, 0));
        }
        // On to the next child, or up until there is one.
        loop {
            let Some((parent, next)) = above.last_mut() else { return Ok(()) };
            let block = tree.children(*parent).expect("who is gone on below has children");
            if *next < block.nodes.len() {
                slot = block.first + *next as u32;
                *next += 1;
                break;
            }
            tree.settle(0, *parent, line.prover_moves());
            if *parent != ROOT {
                line.leave();
            }
            above.pop();
        }
    }
}

/// The node that a line of moves leads to.
fn find<M: Copy + PartialEq + Send + Sync>(tree: &Tree<M>, line: &[M]) -> Option<u32> {
    line.iter().try_fold(ROOT, |slot, &mv| {
        let block = tree.children(slot)?;
        let child = block.nodes.iter().position(|node| node.mv() == mv)?;
        Some(block.first + child as u32)
    })
}

impl<G: Knowledge> Prover<G> for BestFirst<G> {
    fn ask(&mut self, root: &History<G>, question: Question, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        let Some(&filler) = moves.first().filter(|_| !root.is_over()) else {
            let holds = root.outcome().is_some_and(|outcome| question.holds(&outcome));
            return ended(root, question.answered(holds), answered(holds));
        };
        let settings = self.settings;
        let workers = if self.settings.window.is_some() { control.threads() } else { 1 };
        let all_slots = control.memory() / bytes_per_slot::<G::Move>();
        let slots = first_slots(settings.cap, all_slots, workers);
        let kept = self.prepare(root, &question, (slots, all_slots), filler);
        let second_slots = settings.cap.map(|_| all_slots.saturating_sub(kept.slots) / workers);
        let rounds = Round::all(root, &question);
        let mut before = Counters::default();
        loop {
            let round = rounds[kept.round];
            kept.tree.share(workers);
            let run = Run {
                settings: &settings,
                tree: &kept.tree,
                root,
                question,
                round,
                control,
                workers,
                second_slots,
                filler,
                before,
                variation: CachePadded::new(AtomicU32::new(0)),
                full: AtomicBool::new(false),
                done: (0..workers).map(|_| CachePadded::default()).collect(),
            };
            run.work();
            let counters = run.counters();
            let full = run.full.load(Relaxed);
            kept.tree.share(1);
            // Of two who changed two of its children at the very end each may have missed the other's change.
            kept.tree.settle(0, ROOT, root.position().to_move() == question.prover());
            let found = kept.tree.answer();
            if found.is_some_and(|holds| !round.counts(holds)) {
                kept.round += 1;
                kept.tree.clear();
                before = Counters { bytes: 0, ..counters };
                continue;
            }
            let stopped = match (found, full) {
                (Some(_), _) => StopReason::Decided,
                (None, true) => StopReason::Memory,
                (None, false) => control.ended().unwrap_or(StopReason::Finished),
            };
            let view = View { settings: &settings, tree: &kept.tree, root, question, trusts: round, counters, stopped };
            return view.report();
        }
    }

    fn forget(&mut self) {
        self.kept = None;
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut sealer = Sealer::new(out, &self.heading())?;
        sealer.number(u64::from(self.kept.is_some()))?;
        if let Some(kept) = &self.kept {
            sealer.text(&text_of(&kept.root))?;
            sealer.number(u64::from(kept.player.0))?;
            sealer.signed(i64::from(kept.at_least))?;
            sealer.number(kept.round as u64)?;
            sealer.number(kept.slots as u64)?;
            save_tree(&kept.tree, &mut sealer)?;
        }
        sealer.seal()
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let mut opener = Opener::new(input, &self.heading())?;
        let kept = if opener.at_most(1)? == 1 { Some(self.restored(&mut opener)?) } else { None };
        opener.check()?;
        self.kept = kept;
        Ok(())
    }
}

/// A game as text, for [`History::parse`].
fn text_of<G: Game>(history: &History<G>) -> String {
    let mut text = history.positions()[0].text();
    text.push_str(" moves");
    for (position, &mv) in history.positions().iter().zip(history.moves()) {
        text.push(' ');
        text.push_str(&position.move_text(mv));
    }
    text
}

/// The forms of a saved node: solved leaves, other leaves, nodes with all children, nodes with the one that decides. Numbers of
/// nodes that have children follow from theirs.
const SAVED_PROVED: u64 = 0;
const SAVED_DISPROVED: u64 = 1;
const SAVED_LEAF: u64 = 2;
const SAVED_WHOLE: u64 = 3;
const SAVED_DECIDED: u64 = 4;

/// Writes a tree, parents before children. No move is written: children stand in the order in which the game lists its moves.
fn save_tree<M: Copy + Send + Sync>(tree: &Tree<M>, sealer: &mut Sealer<'_>) -> io::Result<()> {
    let mut stack = vec![ROOT];
    while let Some(slot) = stack.pop() {
        let numbers = tree.at(slot).numbers();
        match (tree.children(slot), answer(numbers)) {
            (Some(block), _) => {
                if block.is_whole() {
                    sealer.number(SAVED_WHOLE)?;
                } else {
                    sealer.number(SAVED_DECIDED)?;
                    sealer.number(u64::from(block.ordinal()))?;
                }
                stack.extend((block.first..block.first + block.nodes.len() as u32).rev());
            }
            (None, Some(holds)) => sealer.number(if holds { SAVED_PROVED } else { SAVED_DISPROVED })?,
            (None, None) => {
                sealer.number(SAVED_LEAF)?;
                sealer.number(u64::from(numbers.proof))?;
                sealer.number(u64::from(numbers.disproof))?;
            }
        }
    }
    Ok(())
}

impl<G: Knowledge> BestFirst<G> {
    fn restored(&self, opener: &mut Opener<'_>) -> io::Result<Kept<G>> {
        let root = History::<G>::parse(self.rules.clone(), &opener.text()?)
            .map_err(|error| damaged(&format!("its position cannot be read: {error}")))?;
        let player = Player(opener.at_most(u64::from(root.facts().players) - 1)? as u8);
        let at_least = i32::try_from(opener.signed()?).map_err(|_| damaged("its score is too large"))?;
        let question = Question { known: Bounds::unknown(player, root.facts()), at_least };
        let rounds = Round::all(&root, &question);
        let round = opener.at_most(rounds.len() as u64 - 1)? as usize;
        let slots = opener.at_most(u64::from(u32::MAX))? as usize;
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        let &filler = moves.first().ok_or_else(|| damaged("its game is over"))?;
        // Its blocks come in another order than they were made in, and fit less well: a tree that was full takes a little more room.
        let mut tree = Tree::new(slots, root.facts().move_slots, filler);
        tree.resize(slots + (slots / 16).max(tree.chunk_slots()));
        let mut line = Line::new(&root, question, rounds[round].circles, self.settings.initial.patterns);
        restore_tree(&tree, &mut line, moves, opener)?;
        drop(line);
        tree.resize(slots);
        Ok(Kept { root, player, at_least, round, slots, tree })
    }
}

/// Reads a tree; the moves come from the game.
fn restore_tree<G: Knowledge>(
    tree: &Tree<G::Move>,
    line: &mut Line<'_, G>,
    mut moves: Vec<G::Move>,
    opener: &mut Opener<'_>,
) -> io::Result<()> {
    let mut brood = Brood::new();
    go_through(tree, line, |slot, line| {
        let form = opener.at_most(SAVED_DECIDED)?;
        match form {
            SAVED_PROVED | SAVED_DISPROVED => tree.set_numbers(slot, answered(form == SAVED_PROVED)),
            SAVED_LEAF => {
                let mut number = || match opener.at_most(u64::from(LARGEST))? as u32 {
                    0 => Err(damaged("an open leaf is solved")),
                    number => Ok(number),
                };
                tree.set_numbers(slot, ProofNumbers { proof: number()?, disproof: number()? });
            }
            _ => {
                if slot != ROOT {
                    let position = line.look(tree.at(slot).mv()).position;
                    if position.is_over() {
                        return Err(damaged("it goes on behind the end of the game"));
                    }
                    line.enter(position);
                    moves.clear();
                    line.position().legal_moves(&mut moves);
                }
                brood.is_whole = form == SAVED_WHOLE;
                let last = (moves.len() as u64).checked_sub(1).ok_or_else(|| damaged("there is no move to choose"))?;
                brood.ordinal = if brood.is_whole { 0 } else { opener.at_most(last)? as u16 };
                let count = if brood.is_whole { moves.len() } else { 1 };
                let listed = &moves[usize::from(brood.ordinal)..][..count];
                brood.children.clear();
                brood.children.extend(listed.iter().map(|&mv| (mv, ProofNumbers { proof: 1, disproof: 1 })));
                if !tree.grow(0, slot, &brood, line.prover_moves()) {
                    return Err(damaged("it is larger than its memory"));
                }
                return Ok(true);
            }
        }
        Ok(false)
    })
}

/// The slots of the first tree: as many as leave room for the second one of every worker.
fn first_slots(cap: Option<Cap>, all: usize, workers: usize) -> usize {
    let Some(cap) = cap else { return all };
    // The heads of blocks, and room for the last expansion.
    let needs = |slots: usize| slots as f64 + workers as f64 * 1.25 * cap.nodes(slots as f64, workers).max(1024.0);
    let (mut fits, mut too_many) = (all / 16, all);
    while too_many - fits > 1 {
        let middle = fits.midpoint(too_many);
        if needs(middle) <= all as f64 { fits = middle } else { too_many = middle }
    }
    fits
}

/// The report on a game that is over.
fn ended<G: Game>(root: &History<G>, bounds: Bounds, numbers: ProofNumbers) -> Report<G::Move> {
    Report {
        best: None,
        value: asking::value(&bounds, root.facts()).unwrap_or(0.0),
        bounds,
        proof_numbers: Some(numbers),
        variation: Vec::new(),
        moves: Vec::new(),
        counters: Counters::default(),
        stopped: StopReason::Finished,
    }
}

/// A worker goes on where it is, in place of the root, for so many expansions at most, and until somebody has solved a node above. Raising it makes the
/// news of others come later; that a descent need not begin at the root makes two workers a fifth faster in Lines of Action.
const STAYS: u32 = 256;
/// The same where each expansion is a search of its own, beside which a descent costs nothing.
const SECOND_STAYS: u32 = 1;
/// Whether somebody has solved a node further up is looked at every so many expansions. Raising it makes expansions cheaper, and more of them vain.
const LOOK_UP: u32 = 8;
/// The workers of a search tell what they have done every so many expansions.
const TOLD_EVERY: u64 = 64;

/// One round of a question, as all workers see it.
struct Run<'s, 'c, 'a, G: Knowledge> {
    settings: &'s Settings,
    tree: &'s Tree<G::Move>,
    root: &'s History<G>,
    question: Question,
    round: Round,
    control: &'c Control<'a, G::Move>,
    workers: usize,
    second_slots: Option<usize>,
    filler: G::Move,
    before: Counters,
    /// The length of the last principal variation.
    variation: CachePadded<AtomicU32>,
    /// There is no more room.
    full: AtomicBool,
    /// What each worker has done, as of late.
    done: Vec<CachePadded<Mutex<Counters>>>,
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
        let mut counters = self.before;
        for done in &self.done {
            counters.merge(&done.lock().unwrap_or_else(PoisonError::into_inner));
        }
        counters.bytes += self.tree.bytes();
        counters
    }

    fn view(&self) -> View<'_, G> {
        View {
            settings: self.settings,
            tree: self.tree,
            root: self.root,
            question: self.question,
            trusts: self.round,
            counters: self.counters(),
            stopped: StopReason::Finished,
        }
    }
}

/// A node of the line that a worker has in mind.
#[derive(Clone, Copy)]
struct Step {
    slot: u32,
    prover_moves: bool,
    /// With numbers below these the way from the root leads through it.
    limits: ProofNumbers,
}

impl Step {
    /// The root stays on the way until it is solved.
    fn root(prover_moves: bool) -> Step {
        Step { slot: ROOT, prover_moves, limits: ProofNumbers { proof: INFINITE, disproof: INFINITE } }
    }

    #[inline]
    fn is_within(&self, numbers: ProofNumbers) -> bool {
        numbers.proof < self.limits.proof && numbers.disproof < self.limits.disproof
    }
}

/// Where a descent ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// At a leaf.
    Leaf,
    /// At a leaf that another is expanding.
    Busy,
    /// At a node whose children decide it, which nobody has noticed yet.
    Decided,
}

/// What came of an expansion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expanded {
    Yes,
    /// Another does it.
    Busy,
    /// There is no room.
    Full,
    /// The search is to stop.
    StopReason,
}

/// A second level.
struct Second<M> {
    tree: Tree<M>,
    path: Vec<Step>,
}

/// One worker.
struct Worker<'r, 's, 'c, 'a, G: Knowledge> {
    run: &'r Run<'s, 'c, 'a, G>,
    number: usize,
    line: Line<'r, G>,
    ticker: Ticker<'c, 'a, G::Move>,
    rng: Rng,
    context: PlayoutContext<G::Move>,
    moves: Vec<G::Move>,
    /// The own numbers of the children to draw from.
    owns: Vec<u32>,
    brood: Brood<G::Move>,
    second: Option<Second<G::Move>>,
    counters: Counters,
}

impl<'r, 's, 'c, 'a, G: Knowledge> Worker<'r, 's, 'c, 'a, G> {
    fn new(run: &'r Run<'s, 'c, 'a, G>, number: usize) -> Worker<'r, 's, 'c, 'a, G> {
        let facts = run.root.facts();
        let seed = run.control.seed();
        let second = run
            .second_slots
            .map(|slots| Second { tree: Tree::new(slots, facts.move_slots, run.filler), path: Vec::new() });
        Worker {
            run,
            number,
            line: Line::new(run.root, run.question, run.round.circles, run.settings.initial.patterns),
            ticker: run.control.ticker(number),
            // Playouts and ways draw from streams of their own, so that one does not change the other.
            rng: Rng::stream(!seed, number as u64),
            context: PlayoutContext::new(Rng::stream(seed, number as u64), facts.length.plies()),
            moves: Vec::new(),
            owns: Vec::new(),
            brood: Brood::new(),
            second,
            counters: Counters::default(),
        }
    }

    fn work(mut self) {
        let tree = self.run.tree;
        let mut path = vec![Step::root(self.line.prover_moves())];
        let stays = if self.second.is_some() { SECOND_STAYS } else { STAYS };
        let (mut from, mut stayed) = (0, 0);
        // There was no room last time.
        let mut is_tight = false;
        while tree.answer().is_none() && !self.run.full.load(Relaxed) {
            let is_solved = |step: &Step| answer(tree.at(step.slot).numbers()).is_some();
            stayed += 1;
            // The nodes further up are often in the other workers' caches, and dear to look at.
            let is_void = || is_solved(&path[from]) || stayed % LOOK_UP == 0 && path[..from].iter().any(is_solved);
            if from == 0 || tree.is_shared() && (stayed >= stays || is_void()) {
                settle_all(tree, self.number, &path[..from]);
                (from, stayed) = (0, 0);
                tree.begin(self.number);
            }
            let mut found = self.descend(tree, &mut path, 0, from, self.number > 0);
            let mut strays = false;
            if self.number == 0 {
                self.run.variation.store(path.len() as u32 - 1, Relaxed);
                strays = found == Found::Busy;
                if strays {
                    settle_all(tree, self.number, &path[..from]);
                    from = 0;
                    found = self.descend(tree, &mut path, 0, 0, true);
                }
            }
            let awaited = !is_tight || tree.awaits_room();
            let goes_on = match found {
                Found::Leaf => self.expand(tree, &path),
                Found::Busy => Expanded::Busy,
                Found::Decided => {
                    settle_all(tree, self.number, &path[path.len() - 1..]);
                    Expanded::Yes
                }
            };
            match goes_on {
                // The first worker drew its way only because another is at the end of its own.
                Expanded::Yes => {
                    from = update(tree, self.number, &path);
                    if strays {
                        settle_all(tree, self.number, &path[..from]);
                        from = 0;
                    }
                    is_tight = false;
                }
                // What was on its way may have come while this one looked elsewhere: only if none was on its way before, too, there is none.
                Expanded::Full if !(tree.awaits_room() || awaited && tree.is_shared()) => {
                    self.run.full.store(true, Relaxed);
                    break;
                }
                // Another is there; or all have to move on, this one too, before what was cut off can be used.
                Expanded::Busy | Expanded::Full => {
                    is_tight |= goes_on == Expanded::Full;
                    settle_all(tree, self.number, &path[..from]);
                    from = 0;
                    std::thread::yield_now();
                }
                Expanded::StopReason => break,
            }
            if tree.is_shared() {
                if !self.ticker.tick() {
                    break;
                }
                if self.counters.expansions.is_multiple_of(TOLD_EVERY) {
                    self.tell();
                }
            }
            if self.ticker.is_due() {
                settle_all(tree, self.number, &path[..from]);
                self.show();
            }
        }
        settle_all(tree, self.number, &path[..from]);
        tree.leave(self.number);
        self.tell();
    }

    fn tell(&self) {
        let mut counters = self.counters;
        counters.bytes = self.second.as_ref().map_or(0, |second| second.tree.bytes());
        *self.run.done[self.number].lock().unwrap_or_else(PoisonError::into_inner) = counters;
    }

    fn show(&mut self) {
        self.tell();
        self.run.control.show(&self.run.view());
    }

    /// Goes on from a node of the path to a leaf. The path and the line may reach further down than where it begins: they are
    /// followed as long as they are right. The root of the tree lies `base` plies down the line.
    fn descend(&mut self, tree: &Tree<G::Move>, path: &mut Vec<Step>, base: usize, from: usize, draws: bool) -> Found {
        let mut at = from;
        // Who goes on from below the root has left it.
        let mut on_variation = from == 0;
        loop {
            let Step { slot, prover_moves, limits } = path[at];
            let found = match tree.at(slot).children() {
                LEAF => Found::Leaf,
                BUSY => Found::Busy,
                number => {
                    let block = tree.block(number);
                    let choice = if draws {
                        self.draw(&block, prover_moves, &mut on_variation)
                    } else {
                        block.best(prover_moves)
                    };
                    let node = &block.nodes[choice.child];
                    if answer(node.numbers()).is_none() {
                        let slot = block.first + choice.child as u32;
                        let limits = limits_below(&choice, limits, prover_moves);
                        at += 1;
                        if path.get(at).is_none_or(|step| step.slot != slot) {
                            self.back_to(path, base, at - 1);
                            self.line.enter(self.line.after(node.mv()));
                            path.push(Step { slot, prover_moves: self.line.prover_moves(), limits });
                        }
                        path[at].limits = limits;
                        continue;
                    }
                    Found::Decided
                }
            };
            self.back_to(path, base, at);
            return found;
        }
    }

    fn back_to(&mut self, path: &mut Vec<Step>, base: usize, at: usize) {
        path.truncate(at + 1);
        while self.line.ply() as usize > base + at {
            self.line.leave();
        }
    }

    /// The choice of a worker that anticipates.
    fn draw(&mut self, block: &Block<'_, G::Move>, prover_moves: bool, on_variation: &mut bool) -> Choice {
        // Others may change the numbers: all that follows is about one look at them.
        self.owns.clear();
        let mut sum = 0;
        self.owns.extend(block.nodes.iter().map(|node| {
            let (own, other) = own_and_other(node.numbers(), prover_moves);
            sum += u64::from(other);
            own
        }));
        let choice = |child: usize, own_limit: u32| {
            let (_, other) = own_and_other(block.nodes[child].numbers(), prover_moves);
            Choice { child, own_limit, beside: sum.saturating_sub(u64::from(other)) }
        };
        let least = self.owns.iter().copied().min().unwrap_or(0);
        let length = self.run.variation.load(Relaxed);
        if *on_variation && length > 2 && self.rng.below(length as usize) < 2 {
            // The second and the third best that are not solved.
            let (mut best, mut next) = (None, [None; 2]);
            for (number, &own) in self.owns.iter().enumerate().filter(|&(_, &own)| own < INFINITE) {
                let better = |than: Option<usize>| than.is_none_or(|than| own < self.owns[than]);
                if better(best) {
                    (best, next) = (Some(number), [best, next[0]]);
                } else if better(next[0]) {
                    next = [Some(number), next[0]];
                } else if better(next[1]) {
                    next[1] = Some(number);
                }
            }
            if let Some(second) = next[0] {
                *on_variation = false;
                let child = next[1].filter(|_| self.rng.below(2) == 1).unwrap_or(second);
                return choice(child, self.owns[child].saturating_add(1));
            }
        }
        let window = self.run.settings.window.unwrap_or(0).saturating_mul(self.run.settings.initial.one());
        // A node that is decided, by one child or by all, has nothing to draw from.
        let most = if least == 0 { 0 } else { least.saturating_add(window).min(LARGEST) };
        let count = self.owns.iter().filter(|&&own| own <= most).count();
        let drawn = if count > 1 { self.rng.below(count) } else { 0 };
        let candidates = self.owns.iter().enumerate().filter(|&(_, &own)| own <= most);
        let (child, own) = candidates.map(|(number, &own)| (number, own)).nth(drawn).unwrap_or((0, least));
        *on_variation &= own == least && !self.owns[..child].contains(&least);
        choice(child, most.saturating_add(1))
    }

    /// Gives the leaf at the end of the path its children.
    fn expand(&mut self, tree: &Tree<G::Move>, path: &[Step]) -> Expanded {
        let Step { slot, prover_moves, .. } = path[path.len() - 1];
        if !tree.claim(slot) {
            return Expanded::Busy;
        }
        let keeps_all = tree.keeps_all(slot);
        let filled = match self.second.take() {
            None => self.fill(keeps_all, prover_moves),
            Some(mut second) => {
                let filled = self.search_second(&mut second, keeps_all, prover_moves, tree.used());
                self.second = Some(second);
                filled
            }
        };
        if filled && tree.grow(self.number, slot, &self.brood, prover_moves) {
            return Expanded::Yes;
        }
        tree.release(slot);
        if filled { Expanded::Full } else { Expanded::StopReason }
    }

    /// Makes the children of the position at the end of the line; false if the search is to stop.
    fn fill(&mut self, keeps_all: bool, prover_moves: bool) -> bool {
        let run = self.run;
        self.moves.clear();
        let depth = self.line.ply() + 1;
        if depth == 1 {
            run.root.legal_moves(&mut self.moves);
        } else {
            self.line.position().legal_moves(&mut self.moves);
        }
        self.brood.children.clear();
        (self.brood.ordinal, self.brood.is_whole) = (0, true);
        let initial = &run.settings.initial;
        for (ordinal, &mv) in self.moves.iter().enumerate() {
            if !self.ticker.node() {
                return false;
            }
            self.counters.nodes += 1;
            let next = self.line.look(mv);
            let numbers = match next.end {
                Some(end) => answered(end.holds),
                None => {
                    for _ in 0..initial.playouts_at(depth) {
                        if !self.ticker.playout() {
                            return false;
                        }
                        self.counters.playouts += 1;
                    }
                    first_numbers(initial, &next.position, &run.question, depth, &mut self.context)
                }
            };
            if own_and_other(numbers, prover_moves).0 == 0 && !keeps_all {
                self.brood.children.clear();
                (self.brood.ordinal, self.brood.is_whole) = (ordinal as u16, self.moves.len() == 1);
                self.brood.children.push((mv, numbers));
                break;
            }
            self.brood.children.push((mv, numbers));
        }
        self.counters.expansions += 1;
        self.counters.depth = self.counters.depth.max(depth);
        true
    }

    /// Searches the position at the end of the line on a tree of its own, and leaves its children in the brood; false if the search is to
    /// stop and there are none.
    fn search_second(
        &mut self,
        second: &mut Second<G::Move>,
        keeps_all: bool,
        prover_moves: bool,
        first_size: u32,
    ) -> bool {
        let cap = self.run.settings.cap.map_or(0.0, |cap| cap.nodes(f64::from(first_size), self.run.workers));
        let last = self.counters.nodes + cap as u64;
        let base = self.line.ply() as usize;
        let Second { tree, path } = second;
        tree.clear();
        tree.keep_root(keeps_all);
        path.clear();
        path.push(Step::root(prover_moves));
        let mut from = 0;
        loop {
            self.descend(tree, path, base, from, false);
            let Step { slot, prover_moves, .. } = path[path.len() - 1];
            if !self.fill(tree.keeps_all(slot), prover_moves) {
                break;
            }
            if !tree.grow(0, slot, &self.brood, prover_moves) {
                break;
            }
            from = update(tree, 0, path);
            if self.ticker.is_due() {
                self.show();
            }
            if tree.answer().is_some() || self.counters.nodes >= last {
                break;
            }
        }
        settle_all(tree, 0, &path[..from]);
        self.back_to(path, base, 0);
        let Some(block) = tree.children(ROOT) else { return false };
        block.copy_to(&mut self.brood);
        let decides = |&(_, numbers): &(G::Move, ProofNumbers)| own_and_other(numbers, prover_moves).0 == 0;
        // A tree without room for one node more has kept the others, too.
        if let Some(child) = self.brood.children.iter().position(decides).filter(|_| !keeps_all) {
            self.brood.keep_only(child);
        }
        true
    }
}

/// Works out the numbers along the path from its end upwards, as a worker, as far as they matter; the place where the next descent begins. Those of the end
/// are right already.
fn update<M: Copy + Send + Sync>(tree: &Tree<M>, worker: usize, path: &[Step]) -> usize {
    let mut at = path.len() - 1;
    while at > 0 && !path[at].is_within(tree.at(path[at].slot).numbers()) {
        at -= 1;
        settle_all(tree, worker, &path[at..=at]);
    }
    at
}

/// Works out the numbers of all nodes of a path, as a worker: those that were left waiting.
fn settle_all<M: Copy + Send + Sync>(tree: &Tree<M>, worker: usize, path: &[Step]) {
    for step in path.iter().rev() {
        tree.settle(worker, step.slot, step.prover_moves);
    }
}

/// The limits of a child that was chosen: it may grow until another would be chosen in its place, and until the sum reaches the limit of its parent.
#[inline]
fn limits_below(choice: &Choice, limits: ProofNumbers, prover_moves: bool) -> ProofNumbers {
    let (own_limit, other_limit) = own_and_other(limits, prover_moves);
    let own = own_limit.min(choice.own_limit);
    let other = u64::from(other_limit).saturating_sub(choice.beside) as u32;
    absolute(own, other, prover_moves)
}

/// A tree as it is reported.
struct View<'s, G: Knowledge> {
    settings: &'s Settings,
    tree: &'s Tree<G::Move>,
    root: &'s History<G>,
    question: Question,
    /// Which answers count.
    trusts: Round,
    counters: Counters,
    stopped: StopReason,
}

impl<G: Knowledge> View<'_, G> {
    fn bounds(&self, numbers: ProofNumbers) -> Bounds {
        match answer(numbers).filter(|&holds| self.trusts.counts(holds)) {
            Some(holds) => self.question.answered(holds),
            None => self.question.known,
        }
    }

    /// The children of a node, the best first.
    fn entries(&self, block: &Block<'_, G::Move>, prover_moves: bool) -> Vec<RootMove<G::Move>> {
        let mut children: Vec<(G::Move, ProofNumbers)> =
            block.nodes.iter().map(|node| (node.mv(), node.numbers())).collect();
        children.sort_by_cached_key(|&(_, numbers)| {
            let (own, other) = own_and_other(numbers, prover_moves);
            (own, Reverse(other))
        });
        // What is known of the root need not hold for a single move.
        let known = Bounds::unknown(self.question.prover(), self.root.facts());
        let question = Question { known, ..self.question };
        let entry = |(mv, numbers): (G::Move, ProofNumbers)| {
            // What circles answer may rest on the root, and then it does not hold for the move itself.
            let by_circle = |holds: bool| self.trusts.circles == Circles::Answer(holds);
            let answer = answer(numbers).filter(|&holds| self.trusts.counts(holds));
            let is_own = answer.is_none_or(|holds| !by_circle(holds));
            let bounds = answer.filter(|_| is_own).map_or(known, |holds| question.answered(holds));
            RootMove {
                mv,
                visits: 1,
                value: asking::value(&bounds, self.root.facts()),
                spread: None,
                proof_numbers: self.shown(numbers).filter(|_| is_own),
                bounds,
            }
        };
        children.into_iter().map(entry).collect()
    }

    /// The best line, as far as the tree knows it.
    fn variation(&self, best: G::Move) -> Vec<G::Move> {
        let mut line = vec![best];
        let mut position = self.root.position().clone();
        let mut slot = find(self.tree, &[best]);
        position.play(best);
        while let Some(block) = slot.and_then(|slot| self.tree.children(slot)) {
            let child = block.best(position.to_move() == self.question.prover()).child;
            let mv = block.nodes[child].mv();
            line.push(mv);
            position.play(mv);
            slot = Some(block.first + child as u32);
        }
        asking::playable(self.root, line)
    }

    /// Numbers as a report shows them. An answer that does not count in this round is none: the move that circles refute here may win by the
    /// rules.
    fn shown(&self, numbers: ProofNumbers) -> Option<ProofNumbers> {
        let counts = answer(numbers).is_none_or(|holds| self.trusts.counts(holds));
        asking::shown(self.settings.initial.in_leaves(numbers), &self.question, self.root.facts()).filter(|_| counts)
    }
}

impl<G: Knowledge> Inspector<G::Move> for View<'_, G> {
    fn report(&self) -> Report<G::Move> {
        let numbers = self.tree.at(ROOT).numbers();
        let prover_moves = self.root.position().to_move() == self.question.prover();
        let moves = match self.tree.children(ROOT) {
            Some(block) => self.entries(&block, prover_moves),
            None => {
                // StopReason before the first expansion: the moves at least are told.
                let mut moves = Vec::new();
                self.root.legal_moves(&mut moves);
                let bounds = Bounds::unknown(self.question.prover(), self.root.facts());
                let entry = |mv| RootMove { mv, visits: 0, value: None, spread: None, proof_numbers: None, bounds };
                moves.into_iter().map(entry).collect()
            }
        };
        let bounds = self.bounds(numbers);
        let best = moves.first().map(|entry| entry.mv);
        Report {
            best,
            value: asking::value(&bounds, self.root.facts()).unwrap_or(0.0),
            bounds,
            proof_numbers: self.shown(numbers),
            variation: best.map_or(Vec::new(), |best| self.variation(best)),
            moves,
            counters: self.counters,
            stopped: self.stopped,
        }
    }

    fn look(&self, line: &[G::Move]) -> Option<Vec<RootMove<G::Move>>> {
        let mut position = self.root.position().clone();
        let slot = find(self.tree, line)?;
        line.iter().for_each(|&mv| position.play(mv));
        let block = self.tree.children(slot)?;
        Some(self.entries(&block, position.to_move() == self.question.prover()))
    }
}

#[cfg(test)]
mod tests;
