//! Proofs over lines of play: the kind for what rests on the past.
//!
//! Every line from the root is followed to its end with its own [`History`], which knows what the past forbids and ends. Nothing
//! is shared between lines, so nothing can go wrong, and everything takes its time.

use crate::source::{Job, Problem, Source};
use crate::{Claim, Kind, Proved, Wrong};
use tesuji_core::{Game, History};

/// A node of the tree, in the order in which the walk comes to them.
struct Node {
    /// The number of the reply among the legal moves; unused where the others move.
    reply: u32,
    /// The first node that is not below this one.
    end: u32,
}

/// The tree of a proof, without its ends.
pub(crate) struct Paths {
    nodes: Vec<Node>,
    positions: u64,
    our_positions: u64,
    ends: u64,
    longest: u32,
}

/// What becomes of the nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// They are checked and forgotten.
    Nothing,
    /// They are kept, to be walked through.
    Nodes,
}

/// A position on the line that the walk is following.
struct Frame {
    /// Its number, if nodes are kept.
    node: Option<usize>,
    begin: usize,
    next: usize,
}

impl Paths {
    /// Walks through the proof, over at most `limit` nodes. The problem comes with the moves that lead to it.
    pub fn explore<G: Game>(
        root: &History<G>,
        source: &mut dyn Source<G>,
        job: &mut Job<'_>,
        keep: Keep,
        limit: u64,
    ) -> Result<Paths, (Problem, Vec<G::Move>)> {
        let mut paths = Paths { nodes: Vec::new(), positions: 0, our_positions: 0, ends: 0, longest: 0 };
        let mut line = root.clone();
        let walked = paths.walk(&mut line, root.moves().len(), source, job, keep, limit);
        walked.map_err(|problem| (problem, line.moves()[root.moves().len()..].to_vec()))?;
        Ok(paths)
    }

    fn walk<G: Game>(
        &mut self,
        line: &mut History<G>,
        root_length: usize,
        source: &mut dyn Source<G>,
        job: &mut Job<'_>,
        keep: Keep,
        limit: u64,
    ) -> Result<(), Problem> {
        if let Some(outcome) = line.outcome() {
            self.ends = 1;
            return Ok(job.claim.check(&outcome)?);
        }
        let (mut frames, mut moves) = (Vec::new(), Vec::new());
        self.enter(line, source, job, keep, limit, &mut frames, &mut moves)?;
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
                job.claim.check(&outcome)?;
                line.undo();
            } else {
                source.play(mv);
                self.enter(line, source, job, keep, limit, &mut frames, &mut moves)?;
            }
        }
        Ok(())
    }

    /// Comes to a new position.
    #[expect(clippy::too_many_arguments, reason = "the parts of one walk")]
    fn enter<G: Game>(
        &mut self,
        line: &History<G>,
        source: &mut dyn Source<G>,
        job: &mut Job<'_>,
        keep: Keep,
        limit: u64,
        frames: &mut Vec<Frame>,
        moves: &mut Vec<G::Move>,
    ) -> Result<(), Problem> {
        if self.positions >= limit || self.nodes.len() >= u32::MAX as usize {
            return Err(Wrong::TooMany(self.positions).into());
        }
        let begin = moves.len();
        line.legal_moves(moves);
        if moves.len() == begin {
            return Err(Wrong::Stuck.into());
        }
        let mut reply = 0;
        if job.claim.is_ours(line.position()) {
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
        Ok(job.tick(self.positions, || self.nodes.capacity() * size_of::<Node>())?)
    }

    /// The claim with what was counted.
    pub fn proved(&self, claim: Claim) -> Proved {
        let Paths { positions, our_positions: replies, ends, longest, .. } = *self;
        Proved { claim, kind: Kind::Paths, positions, replies, ends, longest: Some(longest) }
    }

    /// What the proof says at the end of a line from the root; `None` if the line leaves the proof.
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
