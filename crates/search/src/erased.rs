//! Searches and solvers with their game's type erased, so that one crate can build them for
//! another.
//!
//! A generic function is compiled again in every crate that calls it. Searches are large and games
//! many, so the pairs are compiled in crates of their own behind a function that is not generic;
//! the caller restores the type.

use std::any::Any;
use tesuji_core::{Knowledge, Prover, Search, Spec, SpecError, Visitor};

/// A `Box<dyn Search<G>>` or a `Box<dyn Prover<G>>`.
pub type Boxed = Box<dyn Any>;

/// What to build for a game.
#[derive(Clone, Copy)]
pub struct Build<'a> {
    /// The search or solver.
    pub spec: &'a Spec,
    /// The rules: the `G::Rules` of the game.
    pub rules: &'a dyn Any,
    /// Whether a [`Prover`] is wanted instead of a [`Search`].
    pub prover: bool,
}

impl Visitor for Build<'_> {
    type Output = Result<Boxed, SpecError>;

    fn visit<G: Knowledge>(self) -> Self::Output {
        let rules = self.rules.downcast_ref::<G::Rules>().expect("names of games are unique");
        if self.prover {
            let prover: Box<dyn Prover<G>> = crate::prover::<G>(self.spec, rules)?;
            return Ok(Box::new(prover));
        }
        let search: Box<dyn Search<G>> = crate::build::<G>(self.spec, rules)?;
        Ok(Box::new(search))
    }
}
