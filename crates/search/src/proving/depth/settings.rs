//! The options that all depth-first searches have.

use crate::proving::goal::Goal;
use crate::proving::initial::Initial;
use crate::proving::numbers::LARGEST;
use tesuji_core::{Capabilities, Options, SpecError};

/// How the delta numbers of the children add up to the delta number of their parent.
///
/// The formulas are those of the functions in [`super::tally`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Sums {
    /// The plain sum.
    Plain,
    /// The sum without the children of non-increasing distance (df-pn(r), Kishimoto 2005).
    DfpnR,
    /// Weak proof numbers (Ueda and others 2008).
    Weak,
    /// Branch numbers (Okabe 2005).
    Branch,
}

/// Which children of a node count (dynamic widening, Yoshizoe 2008).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Widening {
    /// All children.
    All,
    /// The best children, up to this number.
    Top(usize),
    /// The best of the children, one out of this number.
    Rate(usize),
}

/// The order of children with equal phi.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Ties {
    /// The largest delta first: hard to refute.
    Greater,
    /// The smallest delta first.
    Less,
    /// The order of the game's move list.
    Listed,
}

/// The treatment of results that depend on the path (graph-history interaction).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ghi {
    /// Results are stored by path, and replayed along other paths (Kishimoto and Müller 2004).
    Replay,
    /// A first pass gives a cycle the largest finite number instead of an answer, so that every
    /// result is path-independent (Nagai 2002). What the pass leaves unsolved is searched as with
    /// [`Replay`](Ghi::Replay).
    Nagai,
}

/// The options that all depth-first searches have.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The initial numbers of nodes.
    pub initial: Initial,
    /// The factor by which a threshold exceeds the number of the second best child, less one
    /// (the 1+ε trick, Pawlewicz and Lew 2007). Raising it makes the search switch between children
    /// less often, and later.
    pub epsilon: f64,
    /// How numbers add up.
    pub sums: Sums,
    /// Whether the threshold controlling algorithm is used (TCA, Kishimoto 2010). It has an effect
    /// only if positions can repeat.
    pub controls_thresholds: bool,
    /// Which children count.
    pub widening: Widening,
    /// The order of children with equal numbers.
    pub ties: Ties,
    /// The treatment of path-dependent results.
    pub ghi: Ghi,
}

impl Settings {
    /// Reads the options; `epsilon` is the default of that option.
    pub fn read(options: &mut Options<'_>, epsilon: f64) -> Result<Settings, SpecError> {
        let initial = Initial::read(options)?;
        let epsilon = options.number(
            "epsilon",
            epsilon,
            0.0..=16.0,
            "relative excess of thresholds over the second best child",
        )?;
        options.renamed_value("sums", "old", "dfpn-r")?;
        let sums = [("plain", Sums::Plain), ("dfpn-r", Sums::DfpnR), ("weak", Sums::Weak), ("branch", Sums::Branch)];
        let sums = options.choice("sums", &sums, "how the numbers of the children add up")?;
        let tca = options.choice("tca", &[("on", true), ("off", false)], "threshold control where positions repeat")?;
        let top = options.integer("top", 0, 0..=1000, "number of best children that count; 0: all")?;
        let rate = options.integer("rate", 0, 0..=1000, "one of this many children counts, the best; 0: all")?;
        let widening = match (top, rate) {
            (0, 0) => Widening::All,
            (top, 0) => Widening::Top(top as usize),
            (0, rate) => Widening::Rate(rate as usize),
            _ => return Err(options.refuse("rate", "0 where top is given")),
        };
        if widening != Widening::All && sums != Sums::Plain {
            return Err(options.refuse("sums", "plain where top or rate is given"));
        }
        let ties = [("greater", Ties::Greater), ("less", Ties::Less), ("listed", Ties::Listed)];
        let ties = options.choice("ties", &ties, "order of children with equal numbers, by their other number")?;
        let ghi = [("replay", Ghi::Replay), ("nagai", Ghi::Nagai)];
        let ghi = options.choice("ghi", &ghi, "treatment of results that depend on the path")?;
        Ok(Settings { initial, epsilon, sums, controls_thresholds: tca, widening, ties, ghi })
    }

    /// What a depth-first solver with these settings can do. Without threshold control df-pn may
    /// search a cycle forever (Kishimoto 2005).
    pub fn capabilities(&self, goal: Goal) -> Capabilities {
        Capabilities {
            playouts: self.initial.makes_playouts(),
            proves: goal.is_exact(),
            cycle_safe: self.controls_thresholds,
            ..Capabilities::SOLVER
        }
    }

    /// The smallest threshold that lets a child grow beyond a number: by epsilon, and by at least
    /// 1.
    pub fn threshold_above(&self, number: u32) -> u32 {
        threshold_above(number, self.epsilon)
    }

    /// The text of these options in the heading of a checkpoint, which is part of the file format.
    pub fn checkpoint_text(&self) -> String {
        let Settings { initial, epsilon, sums, controls_thresholds, widening, ties, ghi } = self;
        let initial = initial.checkpoint_text();
        let sums = match sums {
            Sums::Plain => "Plain",
            Sums::DfpnR => "Old",
            Sums::Weak => "Weak",
            Sums::Branch => "Branch",
        };
        format!(
            "Settings {{ initial: {initial}, epsilon: {epsilon:?}, sums: {sums}, \
             controls_thresholds: {controls_thresholds}, widening: {widening:?}, ties: {ties:?}, ghi: {ghi:?} }}"
        )
    }
}

/// The smallest threshold that lets a child grow beyond a number: by the share `epsilon`, and by at
/// least 1.
#[inline]
pub fn threshold_above(number: u32, epsilon: f64) -> u32 {
    if number >= LARGEST {
        return number;
    }
    let grown = (f64::from(number) * (1.0 + epsilon)).ceil();
    (grown as u32).clamp(number + 1, LARGEST)
}
