//! The options of the search, grouped by the phase of a simulation that they change.
//!
//! Each group is a struct that reads its options, checks them against the game, and says which
//! optional statistics (columns of the tree) it needs.

mod backup;
mod beam;
mod expansion;
mod final_move;
mod hybrids;
mod parallel;
mod selection;
mod simulation;

pub use backup::{Backup, MultiplayerRule, Reward};
pub use beam::{BeamCounters, BeamEnd, BeamParams};
pub use expansion::{Expansion, NewChildren};
pub use final_move::{FinalMove, FinalRule};
pub use hybrids::{Hybrids, Informed, InformedPlayout};
pub use parallel::{Diversify, Parallel, ParallelMode};
pub use selection::{Amaf, AmafCredit, BiasForm, BonusForm, Exploration, PnBonus, PnGoal, ScoreScale, Selection};
pub use simulation::{PlayoutPolicy, Simulation};

use super::tree::Columns;
use std::path::PathBuf;
use tesuji_core::{Facts, Knowledge, Length, Options, Player, Repetition, Rules, SearchKind, SpecError};

/// The options of `mcts`.
#[derive(Clone, PartialEq, Debug)]
pub struct Params {
    /// How a child is selected.
    pub selection: Selection,
    /// When and how nodes get children.
    pub expansion: Expansion,
    /// How a simulation continues below the tree.
    pub simulation: Simulation,
    /// Shallow searches inside simulations.
    pub hybrids: Hybrids,
    /// What is backed up.
    pub backup: Backup,
    /// How the tree is pruned to a beam.
    pub beam: Option<BeamParams>,
    /// Which root move is returned.
    pub final_move: FinalMove,
    /// How threads work together.
    pub parallel: Parallel,
    /// The file of transition probabilities, for progressive bias and category playouts.
    pub transitions: Option<PathBuf>,
}

/// The properties of a game that decide which options it supports.
pub struct GameTraits {
    /// The facts of the rules.
    pub facts: Facts,
    /// Whether the game has an evaluation function.
    pub evaluates: bool,
    /// Whether the game orders moves.
    pub orders_moves: bool,
    /// Whether the value of a position depends on the path to it.
    pub path_dependent: bool,
}

impl GameTraits {
    /// Reads the properties off the start position.
    fn of<G: Knowledge>(rules: &G::Rules) -> GameTraits {
        let facts = rules.facts();
        let start = G::start(rules);
        let mut moves = Vec::new();
        start.legal_moves(&mut moves);
        GameTraits {
            facts,
            evaluates: start.evaluation(Player::FIRST).is_some(),
            orders_moves: moves.first().is_some_and(|&mv| start.move_order(mv).is_some()),
            path_dependent: facts.repetition != Repetition::Impossible || matches!(facts.length, Length::Capped(_)),
        }
    }

    /// Refuses an option for one player in other games.
    fn require_one_player(&self, key: &str, value: &str, used: bool) -> Result<(), SpecError> {
        let refused = used && self.facts.players != 1;
        if refused { Err(refusal(key, value, "games for one player".to_string())) } else { Ok(()) }
    }

    /// Refuses an option that needs an evaluation function if the game has none.
    fn require_evaluation(&self, key: &str, used: bool) -> Result<(), SpecError> {
        if used && !self.evaluates { refuse(key, "games with an evaluation function") } else { Ok(()) }
    }
}

/// Refuses an option that the game or another option rules out.
fn refuse<T>(key: &str, accepted: &str) -> Result<T, SpecError> {
    Err(refusal(key, "on", accepted.to_string()))
}

/// The error for a value that is not accepted.
pub fn refusal(key: &str, value: &str, accepted: String) -> SpecError {
    let name = super::Mcts::INFO.name.to_string();
    SpecError::BadValue { name, key: key.to_string(), value: value.to_string(), accepted }
}

impl Params {
    /// Reads the options of a spec.
    pub fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let selection = Selection::read(options)?;
        let expansion = Expansion::read(options, selection.pn.is_some())?;
        let simulation = Simulation::read(options)?;
        let hybrids = Hybrids::read(options)?;
        let backup = Backup::read(options)?;
        let beam = BeamParams::read(options)?;
        let final_move = FinalMove::read(options)?;
        let parallel = Parallel::read(options)?;
        let transitions =
            options.file("transitions", "a file name", "file of transition probabilities, made by `tesuji learn`")?;
        options.only_if(selection.pn.is_some(), &["pn-final"], "only with pn")?;
        if (backup.lookahead || selection.threshold > 0) && !backup.solver {
            return Err(options.refuse("solver", "on if lookahead or threshold is set"));
        }
        if hybrids.proves() && !backup.solver {
            return Err(options.refuse("solver", "on if ms or mb is set"));
        }
        if hybrids.playout.is_some() && simulation.policy != PlayoutPolicy::Uniform {
            return Err(options.refuse("playout", "uniform if ir is set"));
        }
        let needs_transitions = selection.bias.is_some() || simulation.policy == PlayoutPolicy::Category;
        if needs_transitions && transitions.is_none() {
            return Err(options.refuse("transitions", "a file made by `tesuji learn`, for bias and playout=category"));
        }
        let params =
            Params { selection, expansion, simulation, hybrids, backup, beam, final_move, parallel, transitions };
        // Subtrees of different workers have no node in common.
        options.only_if(params.shares_nodes(), &["diversify", "virtual-loss"], "only with parallel=tree or table")?;
        Ok(params)
    }

    /// Finds the functions of the game that options name; refuses options that the game does not
    /// support, or that exclude each other.
    pub fn check<G: Knowledge>(&mut self, rules: &G::Rules) -> Result<(), SpecError> {
        let game = GameTraits::of::<G>(rules);
        self.hybrids.functions.resolve::<G>(super::Mcts::INFO.name)?;
        self.hybrids.check(&game)?;
        self.selection.check(&game)?;
        self.simulation.check(&game)?;
        if let PlayoutPolicy::Informed(rule) = self.simulation.policy {
            rule.check::<G>(super::Mcts::INFO.name, rules)?;
        }
        self.expansion.check(&game)?;
        self.check_beam(&game)?;
        if self.expansion.transpositions && self.selection.pn.is_some() {
            return refuse("table", "searches without pn: sums of proof numbers would count shared positions twice");
        }
        if self.expansion.transpositions && self.backup.solver && game.path_dependent {
            return refuse(
                "table",
                "searches without solver in this game: the value of a position depends on the path to it",
            );
        }
        if self.parallel.mode == ParallelMode::Leaf && self.traces_moves() {
            return refuse("parallel", "leaf only without rave, amaf, lgrf and mast: its playouts are untraced");
        }
        Ok(())
    }

    /// Refuses a beam where the tree must be complete, or has several workers.
    fn check_beam(&self, game: &GameTraits) -> Result<(), SpecError> {
        let Some(beam) = self.beam else { return Ok(()) };
        game.require_one_player("beam", &beam.width.to_string(), true)?;
        if self.backup.solver {
            return refuse("beam", "searches without solver: moves outside the beam are not refuted");
        }
        if self.expansion.transpositions || self.expansion.reuse {
            return refuse("beam", "searches without table and reuse: the beam is that of one root");
        }
        if matches!(self.parallel.mode, ParallelMode::Tree | ParallelMode::Leaf) {
            return refuse("beam", "one thread per tree, which is the default, or parallel=root");
        }
        Ok(())
    }

    /// The number of threads that search one tree, of those that may be used. Pruning to a beam
    /// changes nodes that other workers might be reading.
    pub fn threads(&self, available: usize) -> usize {
        if self.beam.is_some() { 1 } else { available }
    }

    /// Whether an option makes sense for one player alone.
    pub fn is_for_one_player(&self) -> bool {
        self.beam.is_some() || self.selection.is_for_one_player()
    }

    /// The columns that the options need.
    pub fn columns(&self, facts: &Facts) -> Columns {
        let mut columns =
            Columns { fractions: !self.values_are_integers(facts), indices: self.traces_moves(), ..Columns::default() };
        // The values of one player have no known distribution; their standard error is measured.
        columns.squares |= facts.players == 1;
        self.selection.require(&mut columns, facts);
        self.expansion.require(&mut columns);
        self.hybrids.require(&mut columns);
        self.backup.require(&mut columns);
        columns
    }

    /// Whether the threads of one tree update the same nodes. Equal positions that share their
    /// children are in several subtrees.
    pub fn shares_nodes(&self) -> bool {
        match self.parallel.mode {
            ParallelMode::Subtrees => self.expansion.transpositions,
            ParallelMode::Tree => true,
            ParallelMode::Root | ParallelMode::Leaf => false,
        }
    }

    /// Whether playouts go on to the end of the game.
    pub fn playouts_end_games(&self) -> bool {
        self.hybrids.cutoff.is_none() && self.simulation.cut_margin.is_none()
    }

    /// Whether an option learns from the moves of simulations.
    #[inline]
    pub fn traces_moves(&self) -> bool {
        self.selection.amaf != Amaf::Off || self.simulation.policy.learns()
    }

    /// Whether proofs are about win, draw and loss, not about scores.
    #[inline]
    pub fn counts_results(&self, facts: &Facts) -> bool {
        facts.sign_is_result() && self.backup.reward == Reward::Result
    }

    /// Whether the values of all simulations are integers: wins, draws and losses of games for two
    /// players, none of them estimated or averaged.
    pub fn values_are_integers(&self, facts: &Facts) -> bool {
        self.counts_results(facts) && self.hybrids.cutoff.is_none() && self.parallel.mode != ParallelMode::Leaf
    }

    /// Whether the search is plain UCT, possibly with the solver: one new child per simulation,
    /// every child visited before the formula applies, blocks that belong to one node, integer
    /// values, and a score of mean and exploration alone.
    pub fn is_plain(&self, facts: &Facts) -> bool {
        self.selection.is_plain()
            && self.expansion.is_plain()
            && self.hybrids.is_plain()
            && !self.simulation.policy.learns()
            && self.values_are_integers(facts)
    }
}
