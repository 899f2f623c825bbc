//! Proofs over positions: ranked and closed.
//!
//! A depth-first walk from the root plays the reply where the proving side is to move and all legal
//! moves elsewhere, and enters every position once. Positions are found by key and compared in
//! full, so positions with equal keys stay distinct. The continuation of a position thus does not
//! depend on the path to it; only the history rules do. `check_history` shows afterwards that they
//! cannot hurt; docs/proof-format.md has the argument.

use crate::source::{Problem, ProofTask, Source};
use crate::{Claim, ProofKind, Proved, Violation};
use hashbrown::HashTable;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use tesuji_core::rng::mix;
use tesuji_core::{Facts, Game, History, Length, Outcome, Repetition, Rules};

/// The index of a position in the order of the walk; the root is 0.
type Node = u32;

/// The mark of a position that the walk has not left.
const OPEN: u32 = u32::MAX;
/// Set in the mark of a position that may repeat.
const CYCLIC: u32 = 1 << 31;
/// The mark for an unknown or unbounded length.
const UNBOUNDED: u32 = CYCLIC - 2;
/// The reply entry of a position with the opponents to move.
const THEIRS: u32 = u32::MAX;

/// The positions of a proof.
pub(crate) struct Graph<G> {
    claim: Claim,
    facts: Facts,
    /// The outcome of every repetition, if it is always the same.
    cycle_outcome: Option<Outcome>,
    positions: Vec<G>,
    /// By position: the index of the reply among the legal moves, or [`THEIRS`].
    replies: Vec<u32>,
    /// By position: the most plies to the end of the game, and [`CYCLIC`]; or [`OPEN`].
    marks: Vec<u32>,
    table: HashTable<Node>,
    /// The occurrences of each repetition key up to the root, if the rules need them.
    history: FxHashMap<u64, u32>,
    /// The largest of these counts.
    most_occurrences: u32,
    ends: u64,
    our_positions: u64,
}

/// A position on the present line of the walk.
struct Frame {
    node: Node,
    /// Where its moves start in the common list, and the next of them.
    begin: usize,
    next: usize,
    /// The low link of Tarjan (1972): the first open position that it can reach.
    low: Node,
    /// Whether it lies on a cycle.
    cyclic: bool,
    /// The most plies to the end, over all lines that leave its component.
    longest: u32,
}

impl<G: Game> Graph<G> {
    /// Walks through the proof. An error comes with the moves that lead to it.
    pub fn explore(
        root: &History<G>,
        source: &mut dyn Source<G>,
        task: &mut ProofTask<'_>,
    ) -> Result<Graph<G>, (Problem, Vec<G::Move>)> {
        let facts = *root.facts();
        let mut history = FxHashMap::default();
        if matches!(facts.repetition, Repetition::Ends(_) | Repetition::Forbidden) {
            for position in root.positions() {
                *history.entry(position.repetition_key()).or_insert(0) += 1;
            }
        }
        let mut graph = Graph {
            claim: task.claim,
            facts,
            cycle_outcome: root.rules().cycle_outcome(),
            positions: Vec::new(),
            replies: Vec::new(),
            marks: Vec::new(),
            table: HashTable::new(),
            most_occurrences: history.values().copied().max().unwrap_or(0),
            history,
            ends: 0,
            our_positions: 0,
        };
        let (mut frames, mut moves) = (Vec::new(), Vec::new());
        match graph.walk(root, source, task, &mut frames, &mut moves) {
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
        task: &mut ProofTask<'_>,
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
                self.claim.check(&next.outcome().ok_or(Violation::Stuck)?)?;
            } else if self.ends_at_next_occurrence(&next) {
                frame.longest = frame.longest.max(1);
                self.ends += 1;
                self.check_repetition(&next)?;
            } else if let Some(node) = self.find(&next) {
                match self.marks[node as usize] {
                    OPEN if task.kind == ProofKind::Ranked => return Err(Violation::Cycle.into()),
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
                task.tick(self.positions.len() as u64, || self.bytes())?;
            }
        }
        Ok(())
    }

    /// Enters a new position.
    fn enter(
        &mut self,
        position: G,
        source: &mut dyn Source<G>,
        frames: &mut Vec<Frame>,
        moves: &mut Vec<G::Move>,
    ) -> Result<(), Problem> {
        let node = self.positions.len() as Node;
        if node >= CYCLIC {
            return Err(Violation::TooMany(u64::from(CYCLIC)).into());
        }
        let begin = moves.len();
        position.legal_moves(moves);
        // Errors from here on are located at this position.
        frames.push(Frame { node, begin, next: begin, low: node, cyclic: false, longest: 0 });
        if moves.len() == begin {
            return Err(Violation::Stuck.into());
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

    /// Leaves the last position of the line. If it cannot reach an earlier one, it and the open
    /// positions after it form a strongly connected component: positions that can all repeat, or a
    /// single one that cannot.
    fn leave(&mut self, frames: &mut Vec<Frame>, moves: &mut Vec<G::Move>, open: &mut Vec<Node>) {
        let frame = frames.pop().expect("the line has a last position");
        moves.truncate(frame.begin);
        if frame.low < frame.node {
            let parent = frames.last_mut().expect("an earlier position can be reached");
            parent.low = parent.low.min(frame.low);
            parent.longest = parent.longest.max(frame.longest);
            parent.cyclic = true;
            return;
        }
        let first = open.iter().rposition(|&node| node == frame.node).expect("it is open");
        let mark = if frame.cyclic {
            // The n-th occurrence of a position ends the game.
            let rounds = match self.facts.repetition {
                Repetition::Ends(times) => u64::from(times),
                _ => u64::from(UNBOUNDED),
            };
            let round = ((open.len() - first) as u64).saturating_mul(rounds);
            round.saturating_add(u64::from(frame.longest)).min(UNBOUNDED.into()) as u32 | CYCLIC
        } else {
            frame.longest.min(UNBOUNDED)
        };
        for node in open.drain(first..) {
            self.marks[node as usize] = mark;
        }
        if let Some(parent) = frames.last_mut() {
            parent.longest = parent.longest.max((mark & !CYCLIC) + 1);
        }
    }

    /// Checks the outcome of a repetition at a position.
    fn check_repetition(&self, position: &G) -> Result<(), Violation> {
        let outcome = self.cycle_outcome.or_else(|| position.outcome_of_any_cycle()).ok_or(Violation::CycleUnknown)?;
        if self.claim.holds(&outcome) {
            Ok(())
        } else {
            Err(Violation::CycleWorth { score: outcome.score(self.claim.player) })
        }
    }

    /// Returns whether the next occurrence of a position ends the game, given its occurrences up to
    /// the root.
    fn ends_at_next_occurrence(&self, position: &G) -> bool {
        match self.facts.repetition {
            Repetition::Ends(times) if self.most_occurrences + 1 >= u32::from(times) => {
                self.occurrences(position.repetition_key()) + 1 >= u32::from(times)
            }
            _ => false,
        }
    }

    /// Returns the occurrences of a repetition key up to the root.
    fn occurrences(&self, repetition_key: u64) -> u32 {
        self.history.get(&repetition_key).copied().unwrap_or(0)
    }

    fn find(&self, position: &G) -> Option<Node> {
        self.table.find(mix(position.key()), |&node| self.positions[node as usize] == *position).copied()
    }

    /// Checks that neither the history of the root nor that of a line can violate the claim.
    /// Returns the violation and its position.
    pub fn check_history(&self, root: &History<G>) -> Result<(), (Violation, Node)> {
        match self.facts.repetition {
            Repetition::Allowed => {}
            Repetition::Impossible => self.check_no_cycle()?,
            Repetition::Ends(times) => self.check_repetitions(times.into())?,
            Repetition::Forbidden => {
                self.check_no_cycle()?;
                self.check_superko()?;
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
                return Err((Violation::Cap { cap, score: outcome.score(self.claim.player) }, node as Node));
            }
        }
        Ok(())
    }

    fn check_no_cycle(&self) -> Result<(), (Violation, Node)> {
        match self.marks.iter().position(|mark| mark & CYCLIC != 0) {
            None => Ok(()),
            Some(node) => Err((Violation::Cycle, node as Node)),
        }
    }

    /// Checks, where the `times`-th occurrence of a position ends the game, that every such end
    /// satisfies the claim.
    fn check_repetitions(&self, times: u32) -> Result<(), (Violation, Node)> {
        let classes = self.repetition_classes();
        for (node, position) in self.positions.iter().enumerate() {
            let key = position.repetition_key();
            // The history includes the root.
            let others = members(&classes, key).iter().filter(|&&(_, member)| member > 0).count() as u32;
            let may_end = self.marks[node] & CYCLIC != 0 || self.occurrences(key).saturating_add(others) >= times;
            if may_end {
                self.check_repetition(position).map_err(|violation| (violation, node as Node))?;
            }
        }
        Ok(())
    }

    /// Checks, where repetition is forbidden, that no reply can be forbidden: it leads neither to a
    /// position before the root nor to one that may precede it on a line. Preceding positions have
    /// a higher rank. Forbidden moves of the opponents only help the proving side.
    fn check_superko(&self) -> Result<(), (Violation, Node)> {
        let classes = self.repetition_classes();
        for (node, position) in self.positions.iter().enumerate() {
            let Some(reply) = self.reply(node as Node) else { continue };
            let Some(key) = position.repetition_key_after(reply) else { continue };
            let may_precede =
                |&(_, other): &(u64, Node)| other as usize == node || self.marks[other as usize] > self.marks[node];
            if self.occurrences(key) > 0 || members(&classes, key).iter().any(may_precede) {
                return Err((Violation::Superko, node as Node));
            }
        }
        Ok(())
    }

    /// Returns the positions sorted by repetition key.
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

    /// Returns the moves of a shortest path from the root to a position. Only errors need it, so
    /// paths are not stored.
    pub fn path_to(&self, target: Node) -> Vec<G::Move> {
        let mut parents: FxHashMap<Node, (Node, G::Move)> = FxHashMap::default();
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
                if let Some(child) = self.find(&next).filter(|child| *child > 0 && !parents.contains_key(child)) {
                    parents.insert(child, (node, mv));
                    queue.push_back(child);
                }
            }
        }
        let (mut path, mut node) = (Vec::new(), target);
        while let Some(&(parent, mv)) = parents.get(&node) {
            path.push(mv);
            node = parent;
        }
        path.reverse();
        path
    }

    /// Returns the entry of a position: the reply, if the proving side is to move, and the most
    /// plies to the end, if the position cannot repeat. `None` if it is not part of the proof.
    pub fn look_up(&self, position: &G) -> Option<(Option<G::Move>, Option<u32>)> {
        let node = self.find(position)?;
        let mark = self.marks[node as usize];
        Some((self.reply(node), (mark & CYCLIC == 0).then_some(mark)))
    }

    /// Returns the claim with the counts of its proof.
    pub fn proved(&self, kind: ProofKind) -> Proved {
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

/// Returns the positions with a repetition key.
fn members(classes: &[(u64, Node)], key: u64) -> &[(u64, Node)] {
    let begin = classes.partition_point(|&(other, _)| other < key);
    let length = classes[begin..].partition_point(|&(other, _)| other == key);
    &classes[begin..begin + length]
}
