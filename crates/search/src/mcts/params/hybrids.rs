//! Hybrids with minimax: shallow searches inside simulations (Baier 2015, chapters 7 and 8).

use super::{GameTraits, refuse};
use crate::functions::Functions;
use crate::mcts::tree::Columns;
use tesuji_core::{Options, Repetition, SpecError};

/// Minimax in selection (MCTS-MS-d-Visit-v).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelectionMinimax {
    /// The depth d in plies, the move itself included. Odd depths find what the even ones below
    /// them find, because only losses are looked for.
    pub depth: u32,
    /// The visits v of a node at which its moves are searched. Raising it searches fewer nodes.
    pub visits: u32,
}

/// A search over the evaluation function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Informed {
    /// The depth in plies; 0 is the evaluation itself.
    pub depth: u32,
    /// The number of moves searched in every position, the first ones of the ordering; 0 for all
    /// moves in random order.
    pub width: usize,
}

/// Informed playouts (MCTS-IR).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InformedPlayout {
    /// How moves are chosen.
    pub search: Informed,
    /// The share of random moves. Raising it makes playouts more diverse and less informed.
    pub epsilon: f32,
}

/// Informed cut-offs (MCTS-IC).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InformedCutoff {
    /// How the last position is evaluated.
    pub search: Informed,
    /// The number of moves after which a playout ends.
    pub moves: u32,
}

/// Informed priors (MCTS-IP).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InformedPrior {
    /// How a node is evaluated.
    pub search: Informed,
    /// The visits of a node at which it is evaluated; 0 is when it is new.
    pub visits: u32,
    /// The number of visits that the evaluation counts as. Raising it trusts the evaluation longer.
    pub weight: f32,
}

/// The options of hybrids.
#[derive(Clone, PartialEq, Debug)]
pub struct Hybrids {
    /// The depth of minimax in playouts (MCTS-MR-d).
    pub playout_minimax: Option<u32>,
    /// Minimax in selection.
    pub selection_minimax: Option<SelectionMinimax>,
    /// The depth of minimax in backup (MCTS-MB-d).
    pub backup_minimax: Option<u32>,
    /// Informed playouts.
    pub playout: Option<InformedPlayout>,
    /// Informed cut-offs.
    pub cutoff: Option<InformedCutoff>,
    /// Informed priors.
    pub prior: Option<InformedPrior>,
    /// The evaluation function and the move ordering.
    pub functions: Functions,
}

/// The deepest search that an option accepts.
const DEEPEST: f64 = 1000.0;

/// Reads an optional depth.
fn read_depth(
    options: &mut Options<'_>,
    key: &'static str,
    (bare, least): (f64, f64),
    meaning: &'static str,
) -> Result<Option<u32>, SpecError> {
    let depth = options.dial(key, bare, least..=DEEPEST, meaning)?;
    if depth.is_some_and(|depth| depth.fract() != 0.0) {
        return Err(options.refuse(key, "a whole number of plies"));
    }
    Ok(depth.map(|depth| depth as u32))
}

fn read_informed(
    options: &mut Options<'_>,
    (key, meaning): (&'static str, &'static str),
    (width_key, width_meaning): (&'static str, &'static str),
) -> Result<Option<Informed>, SpecError> {
    let depth = read_depth(options, key, (0.0, 0.0), meaning)?;
    let width = options.integer(width_key, 0, 0..=100_000, width_meaning)? as usize;
    Ok(depth.map(|depth| Informed { depth, width }))
}

impl Hybrids {
    pub(super) fn read(options: &mut Options<'_>) -> Result<Hybrids, SpecError> {
        options.renamed("prior", "ip=0 with ip-weight");
        options.renamed("cut", "ic=0 with ic-moves");
        let playout_minimax =
            read_depth(options, "mr", (1.0, 1.0), "MCTS-MR: depth of minimax at every move of a playout")?;
        let depth = read_depth(options, "ms", (2.0, 2.0), "MCTS-MS, with solver: depth of minimax in selection")?;
        let visits =
            options.integer("ms-visits", 2, 0..=1_000_000, "MCTS-MS: visits at which a node is searched")? as u32;
        let backup_minimax =
            read_depth(options, "mb", (2.0, 1.0), "MCTS-MB, with solver: depth of minimax where a loss is backed up")?;
        let ir = read_informed(
            options,
            ("ir", "informed playouts: depth of the search for a move; 0 is the evaluation"),
            ("ir-k", "informed playouts: moves searched in a position, by move order; 0 means all"),
        )?;
        let epsilon = options.number("ir-epsilon", 0.05, 0.0..=1.0, "informed playouts: share of random moves")? as f32;
        let ic = read_informed(
            options,
            ("ic", "informed cut-offs: depth of the search at the end of a playout; 0 is the evaluation"),
            ("ic-k", "informed cut-offs: moves searched in a position, by move order; 0 means all"),
        )?;
        let moves =
            options.integer("ic-moves", 0, 0..=1_000_000, "informed cut-offs: moves after which playouts end")? as u32;
        let ip = read_informed(
            options,
            ("ip", "informed priors: depth of the search of a node; 0 is the evaluation"),
            ("ip-k", "informed priors: moves searched in a position, by move order; 0 means all"),
        )?;
        let prior_visits =
            options.integer("ip-visits", 0, 0..=1_000_000, "informed priors: visits at which a node is evaluated")?;
        let weight =
            options.number("ip-weight", 100.0, 0.0..=1e6, "informed priors: visits that an evaluation counts as")?;
        options.only_if(depth.is_some(), &["ms-visits"], "only with ms")?;
        options.only_if(ir.is_some(), &["ir-k", "ir-epsilon"], "only with ir")?;
        options.only_if(ic.is_some(), &["ic-k", "ic-moves"], "only with ic")?;
        options.only_if(ip.is_some(), &["ip-k", "ip-visits", "ip-weight"], "only with ip")?;
        let functions = Functions::read(options)?;
        Ok(Hybrids {
            playout_minimax,
            selection_minimax: depth.map(|depth| SelectionMinimax { depth, visits }),
            backup_minimax,
            playout: ir.map(|search| InformedPlayout { search, epsilon }),
            cutoff: ic.map(|search| InformedCutoff { search, moves }),
            prior: ip.map(|search| InformedPrior { search, visits: prior_visits as u32, weight: weight as f32 }),
            functions,
        })
    }

    pub(super) fn check(&self, game: &GameTraits) -> Result<(), SpecError> {
        let zero_sum = game.facts.sign_is_result();
        let proves = self.selection_minimax.is_some() || self.backup_minimax.is_some();
        for (key, used) in [
            ("mr", self.playout_minimax.is_some()),
            ("ms", self.selection_minimax.is_some()),
            ("mb", self.backup_minimax.is_some()),
        ] {
            if used && !zero_sum {
                return refuse(key, "games for two players that are won, drawn or lost");
            }
        }
        if proves && game.facts.repetition == Repetition::Forbidden {
            let key = if self.selection_minimax.is_some() { "ms" } else { "mb" };
            return refuse(key, "games in which no move is forbidden because it repeats a position");
        }
        if self.playout.is_some() && game.facts.players < 2 {
            return refuse("ir", "games for two or more players");
        }
        let searches = [
            ("ir", "ir-k", self.playout.map(|playout| playout.search)),
            ("ic", "ic-k", self.cutoff.map(|cutoff| cutoff.search)),
            ("ip", "ip-k", self.prior.map(|prior| prior.search)),
        ];
        for (key, width_key, search) in searches {
            let Some(search) = search else { continue };
            game.require_evaluation(key, true)?;
            if key != "ir" && search.depth > 0 && !zero_sum {
                return refuse(key, "0 in games that are not for two players who win, draw or lose");
            }
            if search.width > 0 && !game.orders_moves {
                return refuse(width_key, "games with a move order");
            }
        }
        Ok(())
    }

    pub(super) fn require(&self, columns: &mut Columns) {
        columns.priors |= self.prior.is_some();
        columns.searched |= self.proves();
    }

    /// Whether shallow searches prove moves.
    #[inline]
    pub fn proves(&self) -> bool {
        self.selection_minimax.is_some() || self.backup_minimax.is_some()
    }

    /// Whether simulations in the tree are those of plain search.
    pub(super) fn is_plain(&self) -> bool {
        !self.proves() && self.prior.is_none()
    }
}
