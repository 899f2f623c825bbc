//! The options of the best-first searches.

use crate::proving::initial::Initial;
use tesuji_core::{Options, SpecError};

/// The options of a best-first search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The name of the search.
    pub name: &'static str,
    /// The initial numbers of nodes.
    pub initial: Initial,
    /// The limit of the second level, if there is one.
    pub cap: Option<SecondLevelCap>,
    /// The maximal difference in phi between the best child and one that another worker chooses, if
    /// there may be other workers.
    pub window: Option<u32>,
}

impl Settings {
    /// The maximal number of nodes of the first tree, which leaves enough memory for the second
    /// tree of every worker.
    pub(super) fn first_level_nodes(&self, all: usize, workers: usize) -> usize {
        let Some(cap) = self.cap else { return all };
        // A quarter more for the heads of blocks, and room for the last expansion.
        let needed = |nodes: usize| nodes as f64 + workers as f64 * 1.25 * cap.nodes(nodes as f64, workers).max(1024.0);
        let (mut fits, mut too_many) = (all / 16, all);
        while too_many - fits > 1 {
            let middle = fits.midpoint(too_many);
            if needed(middle) <= all as f64 { fits = middle } else { too_many = middle }
        }
        fits
    }

    /// The text of these options in the heading of a checkpoint, which is part of the file format.
    pub(super) fn checkpoint_text(&self) -> String {
        let Settings { name, initial, cap, window } = self;
        let initial = initial.checkpoint_text();
        format!("Settings {{ name: {name:?}, initial: {initial}, cap: {cap:?}, window: {window:?} }}")
    }
}

/// The maximal number of nodes of a second-level search, by the number x of nodes of the first
/// tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SecondLevelCap {
    /// x (Allis 1994).
    Full,
    /// x / (1 + e^((a - x) / b)), within the memory limit (Breuker 1998).
    Logistic {
        /// The size of the first tree at which the second may be half as large.
        a: f64,
        /// The width of the transition.
        b: f64,
    },
    /// x^e, divided by the number of workers (Saito 2010).
    Power {
        /// The exponent.
        e: f64,
    },
}

impl SecondLevelCap {
    /// Reads the options.
    pub fn read(options: &mut Options<'_>, kinds: &[(&'static str, u8)]) -> Result<SecondLevelCap, SpecError> {
        let kind = options.choice("cap", kinds, "nodes of a second-level search, by the size x of the first tree")?;
        let a = options.number("a", 1.8e6, 1.0..=1e12, "x at which cap=logistic is x/2")?;
        let b = options.number("b", 2.4e5, 1.0..=1e12, "width of the transition of cap=logistic")?;
        let e = options.number("e", 0.75, 0.1..=1.0, "exponent of cap=power")?;
        Ok(match kind {
            0 => SecondLevelCap::Full,
            1 => SecondLevelCap::Logistic { a, b },
            _ => SecondLevelCap::Power { e },
        })
    }

    /// The maximal number of nodes of a second-level search.
    pub fn nodes(&self, first_level: f64, workers: usize) -> f64 {
        match *self {
            SecondLevelCap::Full => first_level,
            SecondLevelCap::Logistic { a, b } => first_level / (1.0 + ((a - first_level) / b).exp()),
            SecondLevelCap::Power { e } => first_level.powf(e) / workers as f64,
        }
    }
}
