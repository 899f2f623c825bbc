//! A search with the limits of one run: `mcts:c=0@playouts=1000`.

use crate::quantity::parse_time;
use crate::quote::quoted;
use crate::spec::split_items;
use crate::{Limits, Spec, SpecError};
use std::fmt;
use std::str::FromStr;

/// Splits a text at the last `@` outside quotes and brackets, into a spec and its terms.
///
/// ```
/// use tesuji_core::split_terms;
///
/// assert_eq!(split_terms("mcts:c=0@playouts=9"), Some(("mcts:c=0", "playouts=9")));
/// assert_eq!(split_terms("nmcts:[mcts@playouts=9]"), None);
/// ```
pub fn split_terms(text: &str) -> Option<(&str, &str)> {
    let (mut at, mut quoted, mut depth) = (None, false, 0i32);
    for (place, letter) in text.char_indices() {
        match letter {
            '\'' => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth -= 1,
            '@' if !quoted && depth == 0 => at = Some(place),
            _ => {}
        }
    }
    at.map(|at| (&text[..at], &text[at + 1..]))
}

/// The spec of a search that runs inside another, with the limits of one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LimitedSpec {
    /// The spec of the search.
    pub spec: Spec,
    /// The limits on time, playouts and nodes.
    pub limits: Limits,
    /// The playouts for every legal move of the position that is searched.
    pub per_move: Option<u64>,
}

impl LimitedSpec {
    /// Returns whether a run has limits of its own.
    pub fn is_limited(&self) -> bool {
        self.limits != Limits::default() || self.per_move.is_some()
    }

    /// Returns the limits of a run in a position with a number of legal moves.
    pub fn limits_for(&self, moves: usize) -> Limits {
        let playouts = self.per_move.map(|per_move| per_move.saturating_mul(moves as u64)).or(self.limits.playouts);
        Limits { playouts, ..self.limits }
    }
}

impl FromStr for LimitedSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<LimitedSpec, SpecError> {
        let (spec, terms) = split_terms(text).map_or((text, None), |(spec, terms)| (spec, Some(terms)));
        let mut limited = LimitedSpec { spec: spec.parse()?, limits: Limits::default(), per_move: None };
        let Some(terms) = terms else { return Ok(limited) };
        let fail = |reason: String| SpecError::Syntax { spec: text.to_string(), reason };
        let accepted = "it takes playouts=N, per-move=N, nodes=N and time=2s";
        if terms.is_empty() {
            return Err(fail(format!("nothing follows the @; {accepted}")));
        }
        for part in split_items(terms).map_err(|reason| fail(reason.to_string()))? {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let number = || value.parse::<u64>().ok().filter(|&number| number > 0);
            let is_read = match key {
                "time" => {
                    limited.limits.time = parse_time(value).ok().filter(|time| !time.is_zero());
                    limited.limits.time.is_some()
                }
                "playouts" => {
                    limited.limits.playouts = number();
                    limited.limits.playouts.is_some()
                }
                "nodes" => {
                    limited.limits.nodes = number();
                    limited.limits.nodes.is_some()
                }
                "per-move" => {
                    limited.per_move = number();
                    limited.per_move.is_some()
                }
                _ => false,
            };
            if !is_read {
                return Err(fail(format!("{} after @ is not accepted; {accepted}", quoted(part))));
            }
        }
        if limited.per_move.is_some() && limited.limits.playouts.is_some() {
            return Err(fail("it takes playouts or per-move, not both".to_string()));
        }
        Ok(limited)
    }
}

impl fmt::Display for LimitedSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limits { time, playouts, nodes, .. } = self.limits;
        let terms = [
            time.map(|time| format!("time={}s", time.as_secs_f64())),
            playouts.map(|playouts| format!("playouts={playouts}")),
            self.per_move.map(|per_move| format!("per-move={per_move}")),
            nodes.map(|nodes| format!("nodes={nodes}")),
        ];
        let terms: Vec<String> = terms.into_iter().flatten().collect();
        write!(f, "{}", self.spec)?;
        if terms.is_empty() { Ok(()) } else { write!(f, "@{}", terms.join(",")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_follow_the_spec() {
        for text in ["mcts", "mcts:c=0@playouts=1000", "nmcts:[mcts@per-move=1]@time=0.5s,nodes=7", "nmcs@per-move=2"] {
            assert_eq!(text.parse::<LimitedSpec>().unwrap().to_string(), text);
        }
        let spec: LimitedSpec = "nmcs@per-move=2".parse().unwrap();
        assert_eq!(spec.limits_for(20).playouts, Some(40));
        assert!(spec.is_limited() && !"nmcs".parse::<LimitedSpec>().unwrap().is_limited());
    }

    #[test]
    fn wrong_terms_are_refused_with_what_is_accepted() {
        for text in
            ["mcts@", "mcts@playouts=0", "mcts@threads=2", "mcts@time=x", "mcts@time=0s", "mcts@playouts=1,per-move=1"]
        {
            let error = text.parse::<LimitedSpec>().unwrap_err().to_string();
            assert!(error.contains("it takes"), "{text}: {error}");
        }
    }
}
