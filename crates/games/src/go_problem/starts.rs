//! A small problem for every goal and size, from which a game starts.

use super::{GoProblem, Goal, ProblemRules};

/// Problems by the smallest board that holds them, the largest first: rows for the lower left
/// corner, without the threats and with Black to move.
type Problems = &'static [(usize, &'static [&'static str])];

/// A straight three eye, a rectangular six in the corner, and tiny ones.
const CAPTURE: Problems = &[
    (7, &["XXXXXXX", "XwwwwwX", "Xw...wX"]),
    (5, &["XXXXX", "wwwwX", "...wX", "...wX"]),
    (4, &["XXX,", "wwX,", "...X"]),
    (3, &["XX,", "wX,", ".X,"]),
    (2, &["X,", "w."]),
];

/// Three liberties against three, with shared ones; two against two; tiny ones.
const SEMEAI: Problems = &[
    (8, &["OOOXXXX,", "bbbwwwX,", "......X,"]),
    (4, &["OOXX", "bbww", "...."]),
    (3, &["O,X", "b.w", "..."]),
    (2, &["b.", ".w"]),
];

/// Connections along the edge.
const CONNECT: Problems = &[
    (5, &[",,,,,", "OOOOO", "b...b", "....."]),
    (4, &["OOOO", "b..b", "...."]),
    (3, &["OOO", "b.b", "..."]),
    (2, &["b.", ".b"]),
];

/// Returns the start position.
pub fn start(rules: &ProblemRules) -> GoProblem {
    let size = usize::from(rules.size);
    let problems = match rules.goal {
        Goal::Capture | Goal::Life => CAPTURE,
        Goal::Semeai => SEMEAI,
        Goal::Connect => CONNECT,
    };
    let (width, rows) = problems.iter().find(|(smallest, _)| *smallest <= size).expect("one fits every board");
    let outside = ",".repeat(size);
    let filled = rows.iter().map(|row| format!("{row}{}", &outside[*width..]));
    let rows: Vec<String> = std::iter::repeat_n(outside.clone(), size - rows.len()).chain(filled).collect();
    GoProblem::read(rules, &format!("{} X - 0 0,0", rows.join("/"))).expect("the problems of this file are valid")
}
