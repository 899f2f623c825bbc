//! Reports as messages.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use tesuji_core::{
    Bounds, Counters, Facts, Player, PointScore, ProofNumbers, Report, RootMove, SolutionLine, StopReason,
};

/// The result of a search or a job. Moves are texts, scores are in the smallest unit of the game,
/// and the proof number 4294967295 is infinite.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReportMessage {
    /// The best move.
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<String>,
    /// The value in [-1, 1] for the player to move.
    value: f64,
    /// The seat of the player of all bounds.
    seat: u8,
    /// The proven bounds: at least, at most.
    bounds: (i32, i32),
    /// The proof number and the disproof number.
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers: Option<(u32, u32)>,
    /// The principal variation.
    variation: Vec<String>,
    /// The root moves.
    moves: Vec<MoveMessage>,
    /// The best complete line, in a game for one player.
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<SolutionMessage>,
    counters: CountersMessage,
    /// Why the search stopped.
    stopped: StopMessage,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct MoveMessage {
    #[serde(rename = "move")]
    mv: String,
    visits: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    #[serde(default, skip_serializing_if = "is_false")]
    at_most: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    spread: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers: Option<(u32, u32)>,
    /// Absent if nothing is proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<(i32, i32)>,
}

fn is_false(switch: &bool) -> bool {
    !switch
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct SolutionMessage {
    score: PointScore,
    found_at_playout: u64,
    moves: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct CountersMessage {
    playouts: u64,
    nodes: u64,
    expansions: u64,
    depth: u32,
    hits: u64,
    recycled: u64,
    bytes: u64,
}

/// [`StopReason`], which is for output only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum StopMessage {
    Finished,
    Solved,
    Time,
    Playouts,
    Nodes,
    Memory,
    Interrupted,
    Settled,
}

const STOPS: [(StopMessage, StopReason); 8] = [
    (StopMessage::Finished, StopReason::Finished),
    (StopMessage::Solved, StopReason::Solved),
    (StopMessage::Time, StopReason::Time),
    (StopMessage::Playouts, StopReason::Playouts),
    (StopMessage::Nodes, StopReason::Nodes),
    (StopMessage::Memory, StopReason::Memory),
    (StopMessage::Interrupted, StopReason::Interrupted),
    (StopMessage::Settled, StopReason::Settled),
];

/// The most nodes or playouts that are believed; sums of counters stay representable.
const MOST_WORK: u64 = 1 << 50;

fn numbers_message(numbers: ProofNumbers) -> (u32, u32) {
    (numbers.proof, numbers.disproof)
}

impl ReportMessage {
    /// Converts a report about a game with these facts.
    pub fn new(report: &Report<String>, facts: &Facts) -> ReportMessage {
        let moves = report.moves.iter().map(|entry| MoveMessage {
            mv: entry.mv.clone(),
            visits: entry.visits,
            depth: entry.depth,
            value: entry.value,
            at_most: entry.at_most,
            spread: entry.spread,
            numbers: entry.proof_numbers.map(numbers_message),
            bounds: entry.bounds.is_informative(facts).then_some((entry.bounds.at_least, entry.bounds.at_most)),
        });
        let Counters { playouts, nodes, expansions, depth, hits, recycled, bytes } = report.counters;
        let stopped = STOPS.iter().find(|(_, reason)| *reason == report.stopped).expect("all reasons are listed").0;
        ReportMessage {
            best: report.best.clone(),
            value: report.value,
            seat: report.bounds.player.0,
            bounds: (report.bounds.at_least, report.bounds.at_most),
            numbers: report.proof_numbers.map(numbers_message),
            variation: report.variation.clone(),
            moves: moves.collect(),
            solution: report.solution.as_ref().map(|line| SolutionMessage {
                score: line.score,
                found_at_playout: line.found_at_playout,
                moves: line.moves.clone(),
            }),
            counters: CountersMessage { playouts, nodes, expansions, depth, hits, recycled, bytes },
            stopped,
        }
    }

    /// Converts the message back. Returns what is wrong with it if it cannot be about a position
    /// with these legal moves and this player.
    pub fn read(self, legal: &FxHashSet<String>, player: Player, facts: &Facts) -> Result<Report<String>, String> {
        if self.seat != player.0 {
            return Err(format!("a report about seat {}, not {}", self.seat, player.0));
        }
        let bounds = |(at_least, at_most): (i32, i32)| {
            let (low, high) = facts.scores;
            if at_least < low || at_most > high || at_least > at_most {
                return Err(format!("the bounds {at_least} to {at_most}"));
            }
            Ok(Bounds { player, at_least, at_most })
        };
        let first = self.best.iter().chain(self.variation.first());
        let named = first.chain(self.moves.iter().map(|entry| &entry.mv));
        for mv in named {
            if !legal.contains(mv) {
                return Err(format!("the move {mv:?}, which is not legal"));
            }
        }
        let numbers = |(proof, disproof): (u32, u32)| ProofNumbers { proof, disproof };
        let unknown = Bounds::unknown(player, facts);
        let root_move = |entry: MoveMessage| {
            Ok(RootMove {
                visits: entry.visits.min(MOST_WORK),
                depth: entry.depth,
                value: entry.value.map(|value| value.clamp(-1.0, 1.0)),
                at_most: entry.at_most,
                spread: entry.spread,
                proof_numbers: entry.numbers.map(numbers),
                ..RootMove::new(entry.mv, entry.bounds.map_or(Ok(unknown), bounds)?)
            })
        };
        let CountersMessage { playouts, nodes, expansions, depth, hits, recycled, bytes } = self.counters;
        let [playouts, nodes, expansions, hits, recycled, bytes] =
            [playouts, nodes, expansions, hits, recycled, bytes].map(|count| count.min(MOST_WORK));
        Ok(Report {
            best: self.best,
            value: self.value.clamp(-1.0, 1.0),
            bounds: bounds(self.bounds)?,
            proof_numbers: self.numbers.map(numbers),
            variation: self.variation,
            moves: self.moves.into_iter().map(root_move).collect::<Result<_, String>>()?,
            solution: self.solution.map(|line| SolutionLine {
                score: line.score,
                found_at_playout: line.found_at_playout,
                moves: line.moves,
            }),
            counters: Counters { playouts, nodes, expansions, depth, hits, recycled, bytes },
            stopped: STOPS.iter().find(|(stop, _)| *stop == self.stopped).expect("all reasons are listed").1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use tesuji_catalog::{Engine, SearchSettings, open};
    use tesuji_core::Limits;

    /// A report about the start of tic-tac-toe.
    fn report() -> (Report<String>, FxHashSet<String>, Facts) {
        let game = open("tictactoe", "start").unwrap();
        let stop = AtomicBool::new(false);
        let limits = Limits { playouts: Some(200), ..Limits::default() };
        let settings =
            SearchSettings { limits, clock: None, seed: 1, threads: 1, stop: &stop, observer: None, owners: false };
        let report = Engine::new("mcts:solver", game.as_ref()).unwrap().think(game.as_ref(), settings).report;
        (report, game.legal_moves().into_iter().collect(), game.facts())
    }

    #[test]
    fn reports_are_sent_and_read() {
        let (report, legal, facts) = report();
        let text = crate::message::line(&ReportMessage::new(&report, &facts));
        let message: ReportMessage = serde_json::from_str(&text).unwrap();
        assert_eq!(message.read(&legal, report.bounds.player, &facts), Ok(report));
    }

    #[test]
    fn reports_that_cannot_be_right_are_refused() {
        let (report, legal, facts) = report();
        let player = report.bounds.player;
        let refused = |change: &dyn Fn(&mut ReportMessage)| {
            let mut message = ReportMessage::new(&report, &facts);
            change(&mut message);
            message.read(&legal, player, &facts).unwrap_err()
        };
        assert!(refused(&|message| message.best = Some("z9".to_string())).contains("z9"));
        assert!(refused(&|message| message.moves[3].mv = String::new()).contains("not legal"));
        assert!(refused(&|message| message.seat = 1).contains("seat 1"));
        assert!(refused(&|message| message.bounds = (1, 0)).contains("1 to 0"));
        assert!(refused(&|message| message.moves[0].bounds = Some((-1, 7))).contains("-1 to 7"));
    }
}
