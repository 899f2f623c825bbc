//! The options of lambda search.

use super::entry::MAX_ORDER;
use crate::proving::depth::{Sums, TallyRule, Ties, Widening};
use crate::proving::initial::{Initial, NumberSource};
use tesuji_core::{Options, SpecError};

/// How the pass enters the proof number of a defender's node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassStrategy {
    /// Not at all: the order of the node is the larger one (Yoshizoe 2009).
    MaximumOrder,
    /// As one more move (Soeda, Kaneko and Tanaka 2006).
    Summation,
}

/// The orders whose disproof numbers an attacker's node sums up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DisproofOrders {
    /// The order of the node alone: a disproof there is one at all lower orders.
    Top,
    /// All orders that are searched at the node.
    All,
}

/// The options of lambda search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The maximal order. Raising it finds longer threats, and makes failures far more expensive.
    pub order: usize,
    pub passes: PassStrategy,
    pub disproofs: DisproofOrders,
    /// Whether an order is searched only where all lower ones have failed (Thomsen 2000).
    pub classic: bool,
    /// The initial numbers of order 1; each further order doubles them.
    pub initial: Initial,
    /// Whether static bounds end a line.
    pub static_bounds: bool,
    /// See [`crate::proving::depth::Settings::epsilon`].
    pub epsilon: f64,
    pub controls_thresholds: bool,
    pub ties: Ties,
    /// The number of children that count; 0 for all.
    pub top: usize,
    /// Children of higher orders than this are subject to [`top`](Settings::top).
    pub top_order: usize,
    /// Whether a proof that a pass loses is tried against every other reply (Kawano 1996).
    pub simulates: bool,
    /// Whether the game's own search of order 1 is used.
    pub uses_game_search: bool,
    /// Whether orders are left out that the game knows to fail.
    pub uses_order_limits: bool,
}

impl Settings {
    /// Reads the options.
    pub fn read(options: &mut Options<'_>) -> Result<Settings, SpecError> {
        let order = options.integer("order", 3, 0..=MAX_ORDER as u64, "maximal order of threats")? as usize;
        let passes = [("max", PassStrategy::MaximumOrder), ("sum", PassStrategy::Summation)];
        let passes = options.choice("pass", &passes, "whether the pass counts in the proof number of a defender")?;
        let disproofs = [("top", DisproofOrders::Top), ("all", DisproofOrders::All)];
        let disproofs = options.choice("dn", &disproofs, "orders in the disproof number of an attacker")?;
        let classic = options.switch("classic", "search an order only where all lower orders have failed")?;
        let sources =
            [("order", NumberSource::Unit), ("mobility", NumberSource::Mobility), ("game", NumberSource::Game)];
        let source = options.choice("init", &sources, "initial numbers of order 1, which each order doubles")?;
        let static_bounds =
            options.choice("static", &[("off", false), ("on", true)], "static bounds of the game solve nodes")?;
        let epsilon =
            options.number("epsilon", 0.25, 0.0..=16.0, "relative excess of thresholds over the second best child")?;
        let tca = options.choice("tca", &[("on", true), ("off", false)], "threshold control where positions repeat")?;
        let ties = [("greater", Ties::Greater), ("less", Ties::Less), ("listed", Ties::Listed)];
        let ties = options.choice("ties", &ties, "order of children with equal numbers, by their other number")?;
        let top = options.integer("top", 0, 0..=1000, "number of best children that count; 0: all")? as usize;
        let top_order =
            options.integer("top-order", 0, 0..=MAX_ORDER as u64, "order up to which all children count, with top")?;
        let simulates = options.choice(
            "simulation",
            &[("on", true), ("off", false)],
            "try the refutation of a pass against every reply",
        )?;
        let uses_game_search =
            options.choice("order-one", &[("game", true), ("search", false)], "search for threats of order 1")?;
        let uses_order_limits = options.choice(
            "limits",
            &[("game", true), ("off", false)],
            "leave out orders that the game knows to fail",
        )?;
        Ok(Settings {
            order,
            passes,
            disproofs,
            classic,
            initial: Initial { source, static_bounds },
            static_bounds,
            epsilon,
            controls_thresholds: tca,
            ties,
            top,
            top_order: top_order as usize,
            simulates,
            uses_game_search,
            uses_order_limits,
        })
    }

    /// The rule by which children determine the numbers of a node: first as the options say, then,
    /// for a search around a cycle, one whose numbers grow slowly.
    pub fn rules(&self) -> [TallyRule; 2] {
        let widening = if self.top == 0 { Widening::All } else { Widening::Top(self.top) };
        [
            TallyRule { sums: Sums::Plain, widening, ties: self.ties },
            TallyRule { sums: Sums::Weak, widening: Widening::All, ties: Ties::Less },
        ]
    }
}
