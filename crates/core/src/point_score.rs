//! Scores as people and other programs read them.

use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A score in points, a multiple of one half. It prints without a fraction if it has none.
#[derive(Clone, Copy, PartialEq, PartialOrd, Deserialize)]
#[serde(transparent)]
pub struct PointScore(f64);

impl PointScore {
    /// Wraps a number of points.
    pub fn new(points: f64) -> PointScore {
        PointScore(points)
    }

    /// Returns the number of points.
    pub fn value(self) -> f64 {
        self.0
    }
}

impl fmt::Display for PointScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An f64 without a fraction prints as an integer.
        self.0.fmt(f)
    }
}

/// As the number alone, which reads better in messages.
impl fmt::Debug for PointScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for PointScore {
    type Err = String;

    fn from_str(text: &str) -> Result<PointScore, String> {
        let points = text.parse::<f64>().ok().filter(|points| (points * 2.0).fract() == 0.0);
        points.map(PointScore).ok_or_else(|| format!("invalid score {text:?}; expected a multiple of 0.5"))
    }
}

impl Serialize for PointScore {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 { serializer.serialize_i64(self.0 as i64) } else { serializer.serialize_f64(self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_print_and_parse_without_needless_fractions() {
        for (points, text) in [(9.0, "9"), (-6.5, "-6.5"), (0.0, "0")] {
            assert_eq!(PointScore(points).to_string(), text);
            assert_eq!(serde_json::to_string(&PointScore(points)).unwrap(), text);
            assert_eq!(text.parse::<PointScore>().unwrap(), PointScore(points));
            assert_eq!(serde_json::from_str::<PointScore>(text).unwrap(), PointScore(points));
        }
        for text in ["1.25", "inf", "nan", "", "x"] {
            assert!(text.parse::<PointScore>().is_err(), "{text}");
        }
    }
}
