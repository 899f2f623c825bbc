//! `info` lines: written by the engine, read from other programs.

use super::Notation;
use std::time::Duration;
use tesuji_core::{Counters, ProofNumbers, Report, Verdict};

/// A value v means a win probability of (1 + v) / 2, a score of s centipawns one of 1 / (1 + exp(-s
/// / SCALE)). Shogi programs settled on 600. Raising it spreads scores out.
const SCALE: f64 = 600.0;
/// The largest score that is not proved.
const MOST_CENTIPAWNS: f64 = 9999.0;

/// Converts a value in [-1, 1] to centipawns.
pub fn centipawns(value: f64) -> i32 {
    (2.0 * SCALE * value.clamp(-1.0, 1.0).atanh()).clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS).round() as i32
}

/// Converts centipawns to a value in [-1, 1].
pub fn value(centipawns: f64) -> f64 {
    (centipawns / (2.0 * SCALE)).tanh()
}

/// Writes a line about a running search. `mate +` and `mate -` leave the distance of a proved
/// result open.
pub fn line(report: &Report<String>, spent: Duration, notation: Notation) -> String {
    let Counters { playouts, nodes, depth, .. } = report.counters;
    let milliseconds = spent.as_millis();
    // USI has no playouts; most searches create one node in each.
    let nodes = nodes.max(playouts);
    let mut text = format!("info depth {depth} nodes {nodes} time {milliseconds}");
    if let Some(rate) = (u128::from(nodes) * 1000).checked_div(milliseconds) {
        text += &format!(" nps {rate}");
    }
    // In every game with a USI dialect the sign of the score is the result.
    text += &match report.bounds.verdict() {
        Some(Verdict::Win) => " score mate +".to_string(),
        Some(Verdict::Loss) => " score mate -".to_string(),
        Some(Verdict::Draw) => " score cp 0".to_string(),
        None => format!(" score cp {}", centipawns(report.value)),
    };
    let variation = notation.write_moves(&report.variation);
    if !variation.is_empty() {
        text += &format!(" pv {}", variation.join(" "));
    }
    text
}

/// Writes a line about a running proof search.
pub fn proof_line(report: &Report<String>, nodes: u64, spent: Duration) -> String {
    let mut text = format!("info depth {} nodes {nodes} time {}", report.counters.depth, spent.as_millis());
    if let Some(ProofNumbers { proof, disproof }) = report.proof_numbers {
        text += &format!(" string proof number {proof}, disproof number {disproof}");
    }
    text
}

/// What a program has reported about its search.
#[derive(Default)]
pub struct ReportedInfo {
    pub value: Option<f64>,
    pub counters: Counters,
}

impl ReportedInfo {
    /// Adds the arguments of an `info` line. Unknown ones are ignored, as the protocol demands.
    pub fn add(&mut self, words: &[&str]) {
        // Free text and variations come last.
        let end = words.iter().position(|word| matches!(*word, "pv" | "string")).unwrap_or(words.len());
        let words = &words[..end];
        let after = |key: &str| words.iter().position(|&word| word == key).and_then(|at| words.get(at + 1..));
        let number = |key: &str| after(key).and_then(|rest| rest.first()?.parse::<u64>().ok());
        if number("multipv").is_some_and(|order| order > 1) {
            return;
        }
        if let Some(nodes) = number("nodes") {
            self.counters.nodes = nodes;
        }
        if let Some(depth) = number("depth").and_then(|depth| u32::try_from(depth).ok()) {
            self.counters.depth = depth;
        }
        match after("score") {
            Some(["cp", score, ..]) => {
                if let Ok(score) = score.parse::<i32>() {
                    self.value = Some(value(f64::from(score)));
                }
            }
            // `+`, `-` or a number of plies; `0` or `-0` means mated now.
            Some(["mate", plies, ..]) => {
                self.value = Some(if plies.starts_with('-') || *plies == "0" { -1.0 } else { 1.0 });
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_values_round_trip() {
        for hundredths in -99..=99 {
            let given = f64::from(hundredths) / 100.0;
            assert!((value(f64::from(centipawns(given))) - given).abs() < 0.001, "{given}");
        }
        assert_eq!((centipawns(0.0), centipawns(1.0), centipawns(-1.0)), (0, 9999, -9999));
        // A win probability of 75 %.
        assert_eq!(centipawns(0.5), 659);
    }

    #[test]
    fn known_fields_are_read_and_unknown_ones_ignored() {
        let read = |lines: &[&str]| {
            let mut info = ReportedInfo::default();
            lines.iter().for_each(|line| info.add(&line.split_ascii_whitespace().collect::<Vec<_>>()));
            info
        };
        let info = read(&[
            "depth 3 seldepth 5 multipv 1 score cp 1200 nodes 77 nps 9 pv 2e3d nodes",
            "multipv 2 score cp -700 nodes 99",
            "string score cp 3",
            "currmove 2e3d currmovenumber",
            "score cp x nodes y depth -4 score",
        ]);
        assert_eq!((info.counters.nodes, info.counters.depth), (77, 3));
        assert!((info.value.unwrap() - 0.7616).abs() < 0.001);
        let values = ["3", "+", "-", "-7", "0"].map(|plies| read(&[&format!("score mate {plies}")]).value.unwrap());
        assert_eq!(values, [1.0, 1.0, -1.0, -1.0, -1.0]);
    }
}
