//! The laws of a battery and their results.

use serde::Serialize;
use std::fmt;

/// A law and the result of its checks.
#[derive(Clone, Debug, Serialize)]
pub struct Law {
    /// The law, as a sentence.
    pub law: &'static str,
    /// The number of checks.
    pub checks: u64,
    /// The first failure.
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

    /// Returns whether no law failed.
    pub fn hold(&self) -> bool {
        self.0.iter().all(|law| law.failure.is_none())
    }

    /// Returns the laws in order.
    pub fn iter(&self) -> impl Iterator<Item = &Law> {
        self.0.iter()
    }

    pub(crate) fn check(&mut self, law: &'static str, result: Result<(), String>) {
        let entry = self.0.iter_mut().find(|entry| entry.law == law).expect("a law of the list");
        entry.checks += 1;
        if let (None, Err(failure)) = (&entry.failure, result) {
            entry.failure = Some(failure);
        }
    }

    pub(crate) fn demand(&mut self, law: &'static str, holds: bool, failure: impl FnOnce() -> String) {
        self.check(law, if holds { Ok(()) } else { Err(failure()) });
    }
}

impl fmt::Display for Laws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for law in &self.0 {
            match &law.failure {
                None if law.checks == 0 => writeln!(f, "  -      {} (not checked)", law.law)?,
                None => writeln!(f, "  holds  {} ({} checks)", law.law, law.checks)?,
                Some(failure) => writeln!(f, "  FAILS  {}: {failure}", law.law)?,
            }
        }
        Ok(())
    }
}
