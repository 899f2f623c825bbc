//! Proofs over positions: the ranked kind and the closed kind.
//!
//! A walk goes depth-first from the root: through the reply where the proving side moves, through all legal moves elsewhere, and to
//! every position once. Positions are looked up by their key and compared in full, so two positions of the same key stay two.
//! What comes after a position is thus the same however it was reached, and only the past can make a difference. That it
//! makes none for the worse is shown afterwards, by `check_past`; docs/proof-format.md has the argument.

use crate::source::{Job, Problem, Source};
use crate::{Claim, Kind, Proved, Wrong};
use hashbrown::HashTable;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use tesuji_core::rng::mix;
use tesuji_core::{Facts, Game, History, Length, Outcome, Repetition, Rules};

/// The number of a position in the order in which the walk found them; the root is 0.
type Node = u32;

/// The mark of a position that the walk has not done with.
const OPEN: u32 = u32::MAX;
/// Set in the mark of a position that may come back.
const CYCLIC: u32 = 1 << 31;
/// As long as nobody can tell.
const ENDLESS: u32 = CYCLIC - 2;
/// No reply: the others move.
const THEIRS: u32 = u32::MAX;

/// The positions of a proof.
pub(crate) struct Graph<G> {
    claim: Claim,
    facts: Facts,
    /// What all repetitions are worth, if they are worth the same.
    endless: Option<Outcome>,
    positions: Vec<G>,
    /// By position: the number of the reply among the legal moves, or [`THEIRS`].
    replies: Vec<u32>,
    /// By position: the most plies to the end of the game, and [`CYCLIC`]; or [`OPEN`].
    marks: Vec<u32>,
    table: HashTable<Node>,
    /// How often each repetition key occurred up to the root, where the rules ask.
    past: FxHashMap<u64, u32>,
    /// The most of these numbers.
    most_in_past: u32,
    ends: u64,
    our_positions: u64,
}

/// A position on the line that the walk is following.
struct Frame {
    node: Node,
    /// Its moves in the common list, and the next of them.
    begin: usize,
    next: usize,
    /// The first position on the line (or beside it, still open) to which a way leads back: Tarjan 1972.
    low: Node,
    /// Some way leads back.
    cyclic: bool,
    /// The most plies to the end, over all ways that leave its cycles.
    longest: u32,
}

impl<G: Game> Graph<G> {
    /// Walks through the proof. The problem comes with the moves that lead to it.
    pub fn explore(
        root: &History<G>,
        source: &mut dyn Source<G>,
        job: &mut Job<'_>,
    ) -> Result<Graph<G>, (Problem, Vec<G::Move>)> {
        let facts = *root.facts();
        let mut past = FxHashMap::default();
        if matches!(facts.repetition, Repetition::Ends(_) | Repetition::Forbidden) {
            for position in root.positions() {
                *past.entry(position.repetition_key()).or_insert(0) += 1;
            }
        }
        let mut graph = Graph {
            claim: job.claim,
            facts,
            endless: root.rules().cycle_outcome(),
            positions: Vec::new(),
            replies: Vec::new(),
            marks: Vec::new(),
            table: HashTable::new(),
            most_in_past: past.values().copied().max().unwrap_or(0),
            past,
            ends: 0,
            our_positions: 0,
        };
        let (mut frames, mut moves) = (Vec::new(), Vec::new());
        match graph.walk(root, source, job, &mut frames, &mut moves) {
            Ok(()) => Ok(graph),
            Err(problem) => {
                let played = |frame: &Frame| (frame.next > frame.begin).then(|| moves[frame.next - 1]);
                Err((problem, frames.iter().map_while(played).collect()))
            }
        }
    }

    fn walk(
        &mut self,
        root: &History<G>,
        source: &mut dyn Source<G>,
        job: &mut Job<'_>,
        frames: &mut Vec<Frame>,
        moves: &mut Vec<G::Move>,
    ) -> Result<(), Problem> {
        if let Some(outcome) = root.outcome() {
            self.ends = 1;
            return Ok(self.claim.check(&outcome)?);
        }
        let mut open = Vec::new();
        self.enter(root.position().clone(), source, frames, moves)?;
        open.push(0);
        while let Some(frame) = frames.last_mut() {
            let Some(&mv) = moves.get(frame.next) else {
                self.leave(frames, moves, &mut open);
                if !frames.is_empty() {
                    source.undo();
                }
                continue;
            };
            frame.next += 1;
            let mut next = self.positions[frame.node as usize].clone();
            next.play(mv);
            if next.is_over() {
                frame.longest = frame.longest.max(1);
                self.ends += 1;
                self.claim.check(&next.outcome().ok_or(Wrong::Stuck)?)?;
            } else if self.is_ended_by_root(&next) {
                frame.longest = frame.longest.max(1);
                self.ends += 1;
                self.repeats(&next)?;
            } else if let Some(node) = self.find(&next) {
                match self.marks[node as usize] {
                    OPEN if job.kind == Kind::Ranked => return Err(Wrong::Cycle.into()),
                    OPEN => {
                        frame.low = frame.low.min(node);
                        frame.cyclic = true;
                    }
                    mark => frame.longest = frame.longest.max((mark & !CYCLIC) + 1),
                }
            } else {
                source.play(mv);
                open.push(self.positions.len() as Node);
                self.enter(next, source, frames, moves)?;
                job.tick(self.positions.len() as u64, || self.bytes())?;
            }
        }
        Ok(())
    }

    /// Comes to a new position.
    fn enter(
        &mut self,
        position: G,
        source: &mut dyn Source<G>,
        frames: &mut Vec<Frame>,
        moves: &mut Vec<G::Move>,
    ) -> Result<(), Problem> {
        let node = self.positions.len() as Node;
        if node >= CYCLIC {
            return Err(Wrong::TooMany(u64::from(CYCLIC)).into());
        }
        let begin = moves.len();
        position.legal_moves(moves);
        // What goes wrong from here on goes wrong at this position.
        frames.push(Frame { node, begin, next: begin, low: node, cyclic: false, longest: 0 });
        if moves.len() == begin {
            return Err(Wrong::Stuck.into());
        }
        let mut reply = THEIRS;
        if self.claim.is_ours(&position) {
            let number = source.reply(&position, &moves[begin..])?;
            moves[begin] = moves[begin + number];
            moves.truncate(begin + 1);
            reply = number as u32;
            self.our_positions += 1;
        }
        let Graph { positions, table, .. } = self;
        table.insert_unique(mix(position.key()), node, |&other| mix(positions[other as usize].key()));
        self.positions.push(position);
        self.replies.push(reply);
        self.marks.push(OPEN);
        Ok(())
    }

    /// Has done with the last position of the line. If no way led back beyond it, it and what is still open behind it are a
    /// strongly connected component: positions that can all come back, or a single one that cannot.
    fn leave(&mut self, frames: &mut Vec<Frame>, moves: &mut Vec<G::Move>, open: &mut Vec<Node>) {
        let frame = frames.pop().expect("the line has a last position");
        moves.truncate(frame.begin);
        if frame.low < frame.node {
            let parent = frames.last_mut().expect("a way leads back beyond this position");
            parent.low = parent.low.min(frame.low);
            parent.longest = parent.longest.max(frame.longest);
            parent.cyclic = true;
            return;
        }
        let first = open.iter().rposition(|&node| node == frame.node).expect("it is open");
        let mark = if frame.cyclic {
            // A position ends the game when it occurs for the n-th time.
            let rounds = match self.facts.repetition {
                Repetition::Ends(times) => u64::from(times),
                _ => u64::from(ENDLESS),
            };
            let round = ((open.len() - first) as u64).saturating_mul(rounds);
            round.saturating_add(u64::from(frame.longest)).min(ENDLESS.into()) as u32 | CYCLIC
        } else {
            frame.longest.min(ENDLESS)
        };
        for node in open.drain(first..) {
            self.marks[node as usize] = mark;
        }
        if let Some(parent) = frames.last_mut() {
            parent.longest = parent.longest.max((mark & !CYCLIC) + 1);
        }
    }

    /// The game may end by repetition here.
    fn repeats(&self, position: &G) -> Result<(), Wrong> {
        let outcome = self.endless.or_else(|| position.outcome_of_any_cycle()).ok_or(Wrong::CycleUnknown)?;
        if self.claim.holds(&outcome) {
            Ok(())
        } else {
            Err(Wrong::CycleWorth { score: outcome.score(self.claim.player) })
        }
    }

    /// Whether the position occurred so often up to the root that the game ends if it comes once more.
    fn is_ended_by_root(&self, position: &G) -> bool {
        match self.facts.repetition {
            Repetition::Ends(times) if self.most_in_past + 1 >= u32::from(times) => {
                self.occurrences(position.repetition_key()) + 1 >= u32::from(times)
            }
            _ => false,
        }
    }

    /// How often a repetition key occurred up to the root.
    fn occurrences(&self, repetition_key: u64) -> u32 {
        self.past.get(&repetition_key).copied().unwrap_or(0)
    }

    fn find(&self, position: &G) -> Option<Node> {
        self.table.find(mix(position.key()), |&node| self.positions[node as usize] == *position).copied()
    }

    /// Whether the past, that of the root and that of the line, can make a difference for the worse somewhere; if so, what and where.
    pub fn check_past(&self, root: &History<G>) -> Result<(), (Wrong, Node)> {
        match self.facts.repetition {
            Repetition::Allowed => {}
            Repetition::Impossible => self.check_no_cycle()?,
            Repetition::Ends(times) => self.check_repetitions(times.into())?,
            Repetition::Forbidden => {
                self.check_no_cycle()?;
                self.check_prohibitions()?;
            }
        }
        let Length::Capped(cap) = self.facts.length else { return Ok(()) };
        let longest = self.marks.first().map_or(0, |mark| mark & !CYCLIC);
        if root.moves().len() as u64 + u64::from(longest) <= u64::from(cap) {
            return Ok(());
        }
        for (node, position) in self.positions.iter().enumerate() {
            let outcome = position.outcome_at_cap();
            if !self.claim.holds(&outcome) {
                return Err((Wrong::Cap { cap, score: outcome.score(self.claim.player) }, node as Node));
            }
        }
        Ok(())
    }

    fn check_no_cycle(&self) -> Result<(), (Wrong, Node)> {
        match self.marks.iter().position(|mark| mark & CYCLIC != 0) {
            None => Ok(()),
            Some(node) => Err((Wrong::Cycle, node as Node)),
        }
    }

    /// Where a position that occurs `times` times ends the game: wherever that can happen, it must be worth enough.
    fn check_repetitions(&self, times: u32) -> Result<(), (Wrong, Node)> {
        let classes = self.repetition_classes();
        for (node, position) in self.positions.iter().enumerate() {
            let key = position.repetition_key();
            // The root has been counted among its own past.
            let others = members(&classes, key).iter().filter(|&&(_, member)| member > 0).count() as u32;
            let may_end = self.marks[node] & CYCLIC != 0 || self.occurrences(key).saturating_add(others) >= times;
            if may_end {
                self.repeats(position).map_err(|wrong| (wrong, node as Node))?;
            }
        }
        Ok(())
    }

    /// Where a move that brings a former position back is forbidden: no reply may lead to what the past of the root has seen, nor to what
    /// may have come before it on the line. What comes before has more plies before it than what comes after. That a move of the others may be
    /// forbidden takes nothing away.
    fn check_prohibitions(&self) -> Result<(), (Wrong, Node)> {
        let classes = self.repetition_classes();
        for (node, position) in self.positions.iter().enumerate() {
            let Some(reply) = self.reply(node as Node) else { continue };
            let Some(key) = position.repetition_key_after(reply) else { continue };
            let may_precede =
                |&(_, other): &(u64, Node)| other as usize == node || self.marks[other as usize] > self.marks[node];
            if self.occurrences(key) > 0 || members(&classes, key).iter().any(may_precede) {
                return Err((Wrong::Superko, node as Node));
            }
        }
        Ok(())
    }

    /// The positions by what the repetition rule compares.
    fn repetition_classes(&self) -> Vec<(u64, Node)> {
        let numbered = self.positions.iter().zip(0..);
        let mut classes: Vec<(u64, Node)> =
            numbered.map(|(position, node)| (position.repetition_key(), node)).collect();
        classes.sort_unstable();
        classes
    }

    fn reply(&self, node: Node) -> Option<G::Move> {
        let reply = self.replies[node as usize];
        if reply == THEIRS {
            return None;
        }
        let mut moves = Vec::new();
        self.positions[node as usize].legal_moves(&mut moves);
        Some(moves[reply as usize])
    }

    /// The moves of a short way from the root to a position. Only needed when something is wrong, so it is searched for.
    pub fn path_to(&self, target: Node) -> Vec<G::Move> {
        let mut came: FxHashMap<Node, (Node, G::Move)> = FxHashMap::default();
        let mut queue = VecDeque::from([0]);
        while let Some(node) = queue.pop_front()
            && node != target
        {
            let position = &self.positions[node as usize];
            let mut moves = Vec::new();
            match self.reply(node) {
                Some(reply) => moves.push(reply),
                None => position.legal_moves(&mut moves),
            }
            for mv in moves {
                let mut next = position.clone();
                next.play(mv);
                if let Some(child) = self.find(&next).filter(|child| *child > 0 && !came.contains_key(child)) {
                    came.insert(child, (node, mv));
                    queue.push_back(child);
                }
            }
        }
        let (mut path, mut node) = (Vec::new(), target);
        while let Some(&(parent, mv)) = came.get(&node) {
            path.push(mv);
            node = parent;
        }
        path.reverse();
        path
    }

    /// What the proof says of a position: the reply, if it is ours to move, and the most plies to the end, if it cannot come back.
    /// `None` if it is no part of the proof.
    pub fn look_up(&self, position: &G) -> Option<(Option<G::Move>, Option<u32>)> {
        let node = self.find(position)?;
        let mark = self.marks[node as usize];
        Some((self.reply(node), (mark & CYCLIC == 0).then_some(mark)))
    }

    /// The claim with what was counted.
    pub fn proved(&self, kind: Kind) -> Proved {
        Proved {
            claim: self.claim,
            kind,
            positions: self.positions.len() as u64,
            replies: self.our_positions,
            ends: self.ends,
            longest: (!self.has_cycles()).then(|| self.marks.first().copied().unwrap_or(0)),
        }
    }

    pub fn has_cycles(&self) -> bool {
        self.marks.iter().any(|mark| mark & CYCLIC != 0)
    }

    fn bytes(&self) -> usize {
        let position = size_of::<G>() + 2 * size_of::<u32>();
        self.positions.capacity() * position + self.table.capacity() * (size_of::<Node>() + 1)
    }
}

/// The positions of one repetition key.
fn members(classes: &[(u64, Node)], key: u64) -> &[(u64, Node)] {
    let begin = classes.partition_point(|&(other, _)| other < key);
    let length = classes[begin..].partition_point(|&(other, _)| other == key);
    &classes[begin..begin + length]
}
