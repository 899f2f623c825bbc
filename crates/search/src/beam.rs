//! Beam search of games for one player, valued by playouts.
//!
//! The beam holds the best positions after n moves. Every move of each of them makes a candidate,
//! and candidates that differ only in the points already won are one, the best of them. The value
//! of a candidate is the best score of `K` playouts from it (`value=playouts=K`), or of a line that
//! passed through it before: the rest of a line is inherited. The `width` best candidates are the
//! next beam, ties at random. A run ends when no game goes on; then the width is multiplied by
//! `grow` for the next run, until a limit is reached.

use crate::best_line::{LineMethod, LineSearch, LineSearcher};
use crate::informed::PolicyRule;
use rustc_hash::FxHashMap;
use tesuji_core::{Capabilities, Game, Knowledge, Options, Player, Search, SearchInfo, SearchKind, SpecError};

/// The `beam` search.
pub struct Beam;

/// The options.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Params {
    /// The positions that are kept after each move. Raising it takes proportionally longer.
    width: usize,
    /// The playouts that value a position. Raising it values fewer positions better.
    playouts: u32,
    /// The factor by which every run is wider than the last.
    grow: u32,
    /// Where playouts get their moves from.
    playout: Option<PolicyRule>,
}

/// What comes before the number in the option `value`.
const VALUE: &str = "playouts=";

impl SearchKind for Beam {
    const INFO: SearchInfo = SearchInfo { name: "beam", summary: "beam search for one player, valued by playouts" };
    const PLAYERS: (u8, u8) = (1, 1);
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let width = options.integer("width", 10, 1..=10_000_000, "positions kept after each move")? as usize;
        let accepted = "playouts=K, the best of K playouts";
        let value = options.text("value", accepted, "value of a position; playouts=10 if none is given")?;
        let value = value.unwrap_or_else(|| format!("{VALUE}10"));
        let playouts = value.strip_prefix(VALUE).and_then(|number| number.parse().ok()).filter(|&number| number > 0);
        let playouts = playouts.ok_or_else(|| options.refuse("value", accepted))?;
        let grow = options.integer("grow", 2, 1..=100, "factor on the width from one run to the next")? as u32;
        Ok(Params { width, playouts, grow, playout: PolicyRule::read(options)? })
    }

    fn capabilities(_: &Params) -> Capabilities {
        Capabilities::LINES
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        LineSearcher::build(Self::INFO.name, params, rules)
    }
}

impl<G: Knowledge> LineMethod<G> for Params {
    fn policies(&self) -> Option<PolicyRule> {
        self.playout
    }

    fn run(&mut self, search: &mut LineSearch<'_, '_, G>) {
        let line = search.moves_left(&[]) as usize * size_of::<G::Move>();
        let most = (search.control().memory() / CANDIDATES / (size_of::<Member<G>>() + line)).max(1);
        let mut width = self.width;
        while !search.is_over() {
            run(search, self, width.min(most));
            width = width.saturating_mul(self.grow as usize);
        }
    }
}

/// The candidates for which there is memory, for each position of the beam.
const CANDIDATES: usize = 64;

/// A position and the line to it.
struct Member<G: Game> {
    position: G,
    line: Vec<G::Move>,
    /// The points won so far.
    points: i32,
    /// The best known rest of the line, and the points it wins.
    rest: Option<(i32, Vec<G::Move>)>,
}

impl<G: Game> Member<G> {
    fn new(position: G, line: Vec<G::Move>, rest: Option<(i32, Vec<G::Move>)>) -> Member<G> {
        let points = position.outcome_at_cap().score(Player::FIRST);
        Member { position, line, points, rest }
    }

    /// Takes over the rest of another line, if it is better.
    fn inherit(&mut self, rest: Option<(i32, Vec<G::Move>)>) {
        let won = |rest: &Option<(i32, Vec<G::Move>)>| rest.as_ref().map(|(won, _)| *won);
        if won(&rest) > won(&self.rest) {
            self.rest = rest;
        }
    }

    /// The memory of the member.
    fn bytes(&self) -> u64 {
        let moves = self.line.capacity() + self.rest.as_ref().map_or(0, |(_, rest)| rest.capacity());
        (size_of::<Member<G>>() + moves * size_of::<G::Move>()) as u64
    }

    /// Reports the line with the inherited rest, which wins as many points after more.
    fn offer(&self, search: &mut LineSearch<'_, '_, G>)
    where
        G: Knowledge,
    {
        let Some((_, rest)) = &self.rest else { return };
        if search.best().is_none_or(|best| best.score < self.value()) {
            search.take(&[&self.line[..], rest].concat(), self.value());
        }
    }

    fn value(&self) -> i32 {
        self.rest.as_ref().map_or(self.points, |(won, _)| self.points + won)
    }
}

/// One run of a beam.
fn run<G: Knowledge>(search: &mut LineSearch<'_, '_, G>, params: &Params, width: usize) {
    let mut beam = vec![Member::new(search.root().position().clone(), Vec::new(), None)];
    while !beam.is_empty() {
        let mut candidates = candidates(&beam);
        search.count_bytes(beam.iter().chain(&candidates).map(Member::bytes).sum());
        for candidate in &candidates {
            candidate.offer(search);
        }
        for candidate in &mut candidates {
            if !evaluate(search, params, candidate) {
                return;
            }
        }
        candidates.retain(|candidate| search.final_score(&candidate.position, &candidate.line).is_none());
        beam = best(candidates, width, search);
    }
}

/// The positions after the moves of a beam, each once.
fn candidates<G: Knowledge>(beam: &[Member<G>]) -> Vec<Member<G>> {
    let (mut found, mut moves): (Vec<Member<G>>, Vec<G::Move>) = (Vec::new(), Vec::new());
    let mut places: FxHashMap<u64, usize> = FxHashMap::default();
    for member in beam {
        moves.clear();
        member.position.legal_moves(&mut moves);
        for &mv in &moves {
            let mut position = member.position.clone();
            position.play(mv);
            let mut line = member.line.clone();
            line.push(mv);
            let mut candidate = Member::new(position, line, None);
            let begins = |(_, rest): &&(i32, Vec<G::Move>)| rest.first() == Some(&mv);
            candidate.rest = member
                .rest
                .as_ref()
                .filter(begins)
                .map(|(won, rest)| (member.points + won - candidate.points, rest[1..].to_vec()));
            match places.entry(candidate.position.rest_key()) {
                std::collections::hash_map::Entry::Vacant(place) => {
                    place.insert(found.len());
                    found.push(candidate);
                }
                std::collections::hash_map::Entry::Occupied(place) => {
                    let other = &mut found[*place.get()];
                    if candidate.points > other.points {
                        std::mem::swap(other, &mut candidate);
                    }
                    other.inherit(candidate.rest);
                }
            }
        }
    }
    found
}

/// Values a candidate by playouts; false if the search must end instead.
fn evaluate<G: Knowledge>(search: &mut LineSearch<'_, '_, G>, params: &Params, candidate: &mut Member<G>) -> bool {
    let at = candidate.line.len();
    let is_over = candidate.position.is_over();
    for _ in 0..if is_over { 1 } else { params.playouts } {
        let mut line = candidate.line.clone();
        let Some(score) = search.play_out(candidate.position.clone(), &mut line) else { return false };
        if score > candidate.value() || candidate.rest.is_none() {
            candidate.rest = Some((score - candidate.points, line.split_off(at)));
        }
        if search.is_over() {
            return false;
        }
    }
    true
}

/// The best candidates by value, ties at random.
fn best<G: Knowledge>(candidates: Vec<Member<G>>, width: usize, search: &mut LineSearch<'_, '_, G>) -> Vec<Member<G>> {
    let rank = |(at, candidate): (usize, &Member<G>)| (-i64::from(candidate.value()), search.context.rng.bits(), at);
    let mut ranks: Vec<(i64, u64, usize)> = candidates.iter().enumerate().map(rank).collect();
    ranks.sort_unstable();
    ranks.truncate(width);
    let mut candidates: Vec<Option<Member<G>>> = candidates.into_iter().map(Some).collect();
    ranks.into_iter().filter_map(|(_, _, at)| candidates[at].take()).collect()
}

#[cfg(test)]
mod tests;
