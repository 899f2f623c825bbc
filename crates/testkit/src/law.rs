//! Laws, and how often they were looked at.

use serde::Serialize;
use std::fmt;

/// What became of one law.
#[derive(Clone, Debug, Serialize)]
pub struct Law {
    /// The law, as a sentence.
    pub law: &'static str,
    /// How many times it was checked.
    pub checks: u64,
    /// The first time it did not hold.
    pub failure: Option<String>,
}

/// The laws of a battery.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Laws(Vec<Law>);

impl Laws {
    pub(crate) fn new(laws: &[&'static str]) -> Laws {
        Laws(laws.iter().map(|&law| Law { law, checks: 0, failure: None }).collect())
    }

    /// Whether every law held.
    pub fn hold(&self) -> bool {
        self.0.iter().all(|law| law.failure.is_none())
    }

    /// The laws one by one.
    pub fn iter(&self) -> impl Iterator<Item = &Law> {
        self.0.iter()
    }

    pub(crate) fn check(&mut self, law: &'static str, verdict: Result<(), String>) {
        let entry = self.0.iter_mut().find(|entry| entry.law == law).expect("a law of the list");
        entry.checks += 1;
        if let (None, Err(failure)) = (&entry.failure, verdict) {
            entry.failure = Some(failure);
        }
    }

    pub(crate) fn demand(&mut self, law: &'static str, holds: bool, complaint: impl FnOnce() -> String) {
        self.check(law, if holds { Ok(()) } else { Err(complaint()) });
    }
}

impl fmt::Display for Laws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for law in &self.0 {
            match &law.failure {
                None if law.checks == 0 => writeln!(f, "  -      {} (it never came up)", law.law)?,
                None => writeln!(f, "  holds  {} ({} checks)", law.law, law.checks)?,
                Some(failure) => writeln!(f, "  FAILS  {}: {failure}", law.law)?,
            }
        }
        Ok(())
    }
}
