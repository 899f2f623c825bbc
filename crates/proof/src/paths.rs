//! Proofs over lines of play, for results that depend on the history.
//!
//! Every line from the root is played to its end in its own [`History`], which applies the
//! repetition rules and the length cap. Lines share nothing, so no further argument is needed, at
//! the price of time.

use crate::source::{Problem, ProofTask, Source};
use crate::{Claim, ProofKind, Proved, Violation};
use tesuji_core::{Game, History};

/// A node of the tree, in the order of the walk.
struct Node {
    /// The index of the reply among the legal moves; unused where the opponents are to move.
    reply: u32,
    /// The first node after the subtree of this one.
    end: u32,
}

/// The tree of a proof without terminal nodes.
pub(crate) struct Paths {
    nodes: Vec<Node>,
    positions: u64,
    our_positions: u64,
    ends: u64,
    longest: u32,
}

/// Whether the nodes are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// They are only checked.
    Nothing,
    /// They are kept for walking through the proof.
    Nodes,
}

/// A position on the present line of the walk.
struct Frame {
    /// Its index, if nodes are kept.
    node: Option<usize>,
    begin: usize,
    next: usize,
}

impl Paths {
    /// Walks through the proof, over at most `limit` nodes. An error comes with the moves that lead
    /// to it.
    pub fn explore<G: Game>(
        root: &History<G>,
        source: &mut dyn Source<G>,
        task: &mut ProofTask<'_>,
        keep: Keep,
        limit: u64,
    ) -> Result<Paths, (Problem, Vec<G::Move>)> {
        let mut paths = Paths { nodes: Vec::new(), positions: 0, our_positions: 0, ends: 0, longest: 0 };
        let mut line = root.clone();
        let walked = paths.walk(&mut line, root.moves().len(), source, task, keep, limit);
        walked.map_err(|problem| (problem, line.moves()[root.moves().len()..].to_vec()))?;
        Ok(paths)
    }

    fn walk<G: Game>(
        &mut self,
        line: &mut History<G>,
        root_length: usize,
        source: &mut dyn Source<G>,
        task: &mut ProofTask<'_>,
        keep: Keep,
        limit: u64,
    ) -> Result<(), Problem> {
        if let Some(outcome) = line.outcome() {
            self.ends = 1;
            return Ok(task.claim.check(&outcome)?);
        }
        let (mut frames, mut moves) = (Vec::new(), Vec::new());
        self.enter(line, source, task, keep, limit, &mut frames, &mut moves)?;
        while let Some(frame) = frames.last_mut() {
            let Some(&mv) = moves.get(frame.next) else {
                moves.truncate(frame.begin);
                if let Some(node) = frame.node {
                    self.nodes[node].end = self.nodes.len() as u32;
                }
                frames.pop();
                if !frames.is_empty() {
                    line.undo();
                    source.undo();
                }
                continue;
            };
            frame.next += 1;
            line.play(mv);
            self.longest = self.longest.max((line.moves().len() - root_length) as u32);
            if let Some(outcome) = line.outcome() {
                self.ends += 1;
                task.claim.check(&outcome)?;
                line.undo();
            } else {
                source.play(mv);
                self.enter(line, source, task, keep, limit, &mut frames, &mut moves)?;
            }
        }
        Ok(())
    }

    /// Enters a new position.
    #[expect(clippy::too_many_arguments, reason = "the state of one walk")]
    fn enter<G: Game>(
        &mut self,
        line: &History<G>,
        source: &mut dyn Source<G>,
        task: &mut ProofTask<'_>,
        keep: Keep,
        limit: u64,
        frames: &mut Vec<Frame>,
        moves: &mut Vec<G::Move>,
    ) -> Result<(), Problem> {
        if self.positions >= limit || self.nodes.len() >= u32::MAX as usize {
            return Err(Violation::TooMany(self.positions).into());
        }
        let begin = moves.len();
        line.legal_moves(moves);
        if moves.len() == begin {
            return Err(Violation::Stuck.into());
        }
        let mut reply = 0;
        if task.claim.is_ours(line.position()) {
            let number = source.reply(line.position(), &moves[begin..])?;
            moves[begin] = moves[begin + number];
            moves.truncate(begin + 1);
            reply = number as u32;
            self.our_positions += 1;
        }
        let node = (keep == Keep::Nodes).then_some(self.nodes.len());
        if node.is_some() {
            self.nodes.push(Node { reply, end: 0 });
        }
        frames.push(Frame { node, begin, next: begin });
        self.positions += 1;
        Ok(task.tick(self.positions, || self.nodes.capacity() * size_of::<Node>())?)
    }

    /// Returns the claim with the counts of its proof.
    pub fn proved(&self, claim: Claim) -> Proved {
        let Paths { positions, our_positions: replies, ends, longest, .. } = *self;
        Proved { claim, kind: ProofKind::Paths, positions, replies, ends, longest: Some(longest) }
    }

    /// Returns the entry at the end of a line from the root; `None` if the line leaves the proof.
    pub fn look_up<G: Game>(&self, claim: &Claim, root: &History<G>, line: &[G::Move]) -> Option<Option<G::Move>> {
        let mut history = root.clone();
        let mut node = 0;
        let mut moves = Vec::new();
        for &mv in line {
            moves.clear();
            history.legal_moves(&mut moves);
            let is_ours = claim.is_ours(history.position());
            if is_ours && moves.get(self.nodes.get(node)?.reply as usize) != Some(&mv) {
                return None;
            }
            node += 1;
            if !is_ours {
                for &other in moves.iter().take_while(|other| **other != mv) {
                    history.play(other);
                    if !history.is_over() {
                        node = self.nodes.get(node)?.end as usize;
                    }
                    history.undo();
                }
                if !moves.contains(&mv) {
                    return None;
                }
            }
            history.play(mv);
        }
        if history.is_over() {
            return None;
        }
        moves.clear();
        history.legal_moves(&mut moves);
        let reply = self.nodes.get(node)?.reply as usize;
        Some(if claim.is_ours(history.position()) { Some(*moves.get(reply)?) } else { None })
    }
}
