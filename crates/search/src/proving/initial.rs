//! The initial numbers of a new node: an estimate of the work that its proof and its disproof take.
//!
//! - `unit`: 1 and 1 (Allis 1994).
//! - `mobility`: where the prover moves, 1 and the number of moves; where another player moves, the
//!   number of moves and 1 (Allis 1994; Saito 2010, section 2.4.1): the numbers that the node would
//!   have after its expansion.
//! - `game`: the numbers that the game supplies ([`Knowledge::initial_proof_numbers`]); `mobility`
//!   if it supplies none.
//! - `mc`: Monte-Carlo evaluation (MC-PNS; Saito, Chaslot, Uiterwijk and Van den Herik 2006). Of
//!   `playouts` random games of at most `lookahead` moves each, k reach the goal; dn = k / (n + 1),
//!   but eps if k is 0, and pn = 1 - dn. Nodes at a depth below `launch` get 1 and 1, or, with
//!   `above=mobility`, the numbers of `mobility`.
//!
//! Where static bounds solve the question ([`Knowledge::static_bounds`]), the numbers are those of
//! a terminal node, as in Saffidine, Jouandeau and Cazenave (2011): [`super::path`] applies them.

use super::numbers::LARGEST;
use tesuji_core::{Knowledge, Options, PlayoutContext, ProofNumbers, Question, SpecError};

/// How a new node is evaluated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Initial {
    /// The source of the initial numbers.
    pub source: NumberSource,
    /// Whether static bounds of the game end a path.
    pub static_bounds: bool,
}

/// The source of initial numbers.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum NumberSource {
    /// 1 and 1.
    Unit,
    /// The number of moves.
    #[default]
    Mobility,
    /// The knowledge of the game.
    Game,
    /// Playouts.
    MonteCarlo(MonteCarlo),
}

/// Monte-Carlo evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MonteCarlo {
    /// The number of playouts per node. Raising it results in fewer, more expensive nodes.
    pub playouts: u32,
    /// The maximal number of moves per playout; 0 plays to the end of the game.
    pub lookahead: u32,
    /// The launching level: nodes at a smaller depth get no playouts.
    pub launch: u32,
    /// The numbers of nodes above the launching level, which Saito (2010) does not specify. Larger
    /// numbers make the search prefer deeper nodes.
    pub above: AboveLaunch,
    /// The disproof number if no playout reaches the goal.
    pub eps: f64,
}

/// The initial numbers of nodes above the launching level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AboveLaunch {
    /// 1 and 1.
    Unit,
    /// The number of moves.
    Mobility,
}

/// The fixed-point unit of Monte-Carlo evaluation, whose numbers are fractions of 1. Raising it
/// makes the numbers finer, and lets sums saturate sooner.
const UNIT: u32 = 1 << 10;

impl Initial {
    /// Reads the options.
    pub fn read(options: &mut Options<'_>) -> Result<Initial, SpecError> {
        let kinds = [("mobility", 0), ("unit", 1), ("game", 2), ("mc", 3)];
        let kind = options.choice("init", &kinds, "source of the initial numbers of a node")?;
        let playouts = options.integer("playouts", 3, 1..=1000, "playouts per node, with init=mc")? as u32;
        let lookahead =
            options.integer("lookahead", 10, 0..=1000, "maximal moves per playout, with init=mc; 0: no limit")? as u32;
        let launch =
            options.integer("launch", 0, 0..=1000, "depth from which nodes get playouts, with init=mc")? as u32;
        let above = [("unit", AboveLaunch::Unit), ("mobility", AboveLaunch::Mobility)];
        let above = options.choice("above", &above, "initial numbers above the launch depth, with init=mc")?;
        let eps = options.number(
            "eps",
            0.05,
            0.001..=0.999,
            "disproof number if no playout reaches the goal, with init=mc",
        )?;
        options.renamed("patterns", "static");
        let static_bounds =
            options.choice("static", &[("on", true), ("off", false)], "static bounds of the game solve nodes")?;
        let source = match kind {
            0 => NumberSource::Mobility,
            1 => NumberSource::Unit,
            2 => NumberSource::Game,
            _ => NumberSource::MonteCarlo(MonteCarlo { playouts, lookahead, launch, above, eps }),
        };
        Ok(Initial { source, static_bounds })
    }

    /// The text of these options in the heading of a checkpoint, which is part of the file format.
    pub fn checkpoint_text(&self) -> String {
        format!("Initial {{ guess: {:?}, patterns: {} }}", self.source, self.static_bounds)
    }

    /// Whether numbers come from playouts.
    #[inline]
    pub fn makes_playouts(&self) -> bool {
        matches!(self.source, NumberSource::MonteCarlo(_))
    }

    /// The number that stands for one leaf.
    #[inline]
    pub fn unit(&self) -> u32 {
        if self.makes_playouts() { UNIT } else { 1 }
    }

    /// The number of playouts that evaluate a node at a depth.
    #[inline]
    pub fn playouts_at(&self, depth: u32) -> u32 {
        match self.source {
            NumberSource::MonteCarlo(settings) if depth >= settings.launch => settings.playouts,
            _ => 0,
        }
    }

    /// Converts numbers to leaves, rounded up; the infinite number is unchanged.
    pub fn in_leaves(&self, numbers: ProofNumbers) -> ProofNumbers {
        let leaves = |number: u32| if number > LARGEST { number } else { number.div_ceil(self.unit()) };
        ProofNumbers { proof: leaves(numbers.proof), disproof: leaves(numbers.disproof) }
    }

    /// Converts numbers from leaves; the infinite number is unchanged.
    pub fn scale(&self, numbers: ProofNumbers) -> ProofNumbers {
        let units =
            |number: u32| if number > LARGEST { number } else { number.saturating_mul(self.unit()).min(LARGEST) };
        ProofNumbers { proof: units(numbers.proof), disproof: units(numbers.disproof) }
    }
}

/// Returns the initial numbers of a non-terminal node at a depth. They are neither 0 nor infinite.
#[inline]
pub fn initial_numbers<G: Knowledge>(
    initial: &Initial,
    position: &G,
    question: &Question,
    depth: u32,
    context: &mut PlayoutContext<G::Move>,
) -> ProofNumbers {
    match &initial.source {
        NumberSource::Unit => ProofNumbers { proof: 1, disproof: 1 },
        NumberSource::Mobility => by_mobility(position, question, context),
        NumberSource::Game => match position.initial_proof_numbers(question.prover()) {
            Some((proof, disproof)) => {
                ProofNumbers { proof: proof.clamp(1, LARGEST), disproof: disproof.clamp(1, LARGEST) }
            }
            None => by_mobility(position, question, context),
        },
        NumberSource::MonteCarlo(settings) if depth < settings.launch => initial.scale(match settings.above {
            AboveLaunch::Unit => ProofNumbers { proof: 1, disproof: 1 },
            AboveLaunch::Mobility => by_mobility(position, question, context),
        }),
        NumberSource::MonteCarlo(settings) => by_playouts(settings, position, question, context),
    }
}

#[inline]
fn by_mobility<G: Knowledge>(position: &G, question: &Question, context: &mut PlayoutContext<G::Move>) -> ProofNumbers {
    let moves = position.count_moves(&mut context.moves) as u32;
    if position.to_move() == question.prover() {
        ProofNumbers { proof: 1, disproof: moves }
    } else {
        ProofNumbers { proof: moves, disproof: 1 }
    }
}

#[inline(never)]
fn by_playouts<G: Knowledge>(
    settings: &MonteCarlo,
    position: &G,
    question: &Question,
    context: &mut PlayoutContext<G::Move>,
) -> ProofNumbers {
    let reached = (0..settings.playouts)
        .filter(|_| playout_reaches_goal(position, question, settings.lookahead, context))
        .count();
    let disproof = match reached as u32 {
        0 => (f64::from(UNIT) * settings.eps) as u32,
        reached => UNIT * reached / (settings.playouts + 1),
    };
    let disproof = disproof.clamp(1, UNIT - 1);
    ProofNumbers { proof: UNIT - disproof, disproof }
}

/// Whether a playout reaches the goal. One that is cut off does not.
fn playout_reaches_goal<G: Knowledge>(
    position: &G,
    question: &Question,
    lookahead: u32,
    context: &mut PlayoutContext<G::Move>,
) -> bool {
    let mut now = position.clone();
    if lookahead == 0 {
        return question.holds(&now.playout(context, &mut ()));
    }
    for _ in 0..lookahead {
        let mv = now.playout_move(context);
        now.play(mv);
        if let Some(outcome) = now.outcome() {
            return question.holds(&outcome);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::{Bounds, Player, Rng, Rules};
    use tesuji_games::{Breakthrough, Lion, Loa, MiniShogi, Othello, Rolit, Synthetic, TicTacToe, rules};

    fn question(player: Player, at_least: i32) -> Question {
        Question { known: Bounds { player, at_least: -100, at_most: 100 }, at_least }
    }

    fn numbers<G: Knowledge>(spec: &str, start: &str, source: NumberSource, player: u8, at_least: i32) -> (u32, u32) {
        let rules = rules::<G>(spec).unwrap();
        let position = if start == "start" { G::start(&rules) } else { G::parse(&rules, start).unwrap() };
        let mut context = PlayoutContext::new(Rng::new(1), rules.facts().length.plies());
        let found = initial_numbers(
            &Initial { source, static_bounds: false },
            &position,
            &question(Player(player), at_least),
            3,
            &mut context,
        );
        (found.proof, found.disproof)
    }

    #[test]
    fn mobility_is_the_number_of_the_player_who_does_not_move() {
        assert_eq!(numbers::<TicTacToe>("tictactoe", "start", NumberSource::Mobility, 0, 1), (1, 9));
        assert_eq!(numbers::<TicTacToe>("tictactoe", "start", NumberSource::Mobility, 1, 1), (9, 1));
        assert_eq!(numbers::<TicTacToe>("tictactoe", "start", NumberSource::Unit, 1, 1), (1, 1));
        // The first of three players moves: for the third it is an opponent like any other.
        assert_eq!(numbers::<Rolit>("rolit:4,players=3", "start", NumberSource::Mobility, 2, 1).1, 1);
    }

    #[test]
    fn count_moves_counts_the_legal_moves() {
        fn compare<G: Knowledge>(spec: &str) {
            let rules = rules::<G>(spec).unwrap();
            let mut context = PlayoutContext::new(Rng::new(3), rules.facts().length.plies());
            for _ in 0..20 {
                let mut position = G::start(&rules);
                for _ in 0..300 {
                    let mut moves = Vec::new();
                    position.legal_moves(&mut moves);
                    assert_eq!(position.count_moves(&mut context.moves), moves.len(), "{spec}: {}", position.text());
                    if position.is_over() {
                        break;
                    }
                    position.play(moves[context.rng.below(moves.len())]);
                }
            }
        }
        for spec in ["loa:5", "loa:6", "loa:7", "loa:8", "loa:9"] {
            compare::<Loa>(spec);
        }
        compare::<Breakthrough>("breakthrough");
        compare::<Breakthrough>("breakthrough:10x8");
        compare::<Othello>("othello:6");
        compare::<MiniShogi>("minishogi");
        compare::<Lion>("lion");
        compare::<Rolit>("rolit:6,players=3");
    }

    #[test]
    fn playouts_that_reach_the_goal_make_the_proof_number_small() {
        let by = |playouts, lookahead, launch, above| {
            NumberSource::MonteCarlo(MonteCarlo { playouts, lookahead, launch, above, eps: 0.125 })
        };
        let mc = |playouts, lookahead, launch| by(playouts, lookahead, launch, AboveLaunch::Unit);
        let won = "synthetic:tree='((1 1) (1 1))'";
        let lost = "synthetic:tree='((-1 -1) (-1 -1))'";
        // All of 3: dn = 3 / 4. None: dn = eps.
        assert_eq!(numbers::<Synthetic>(won, "start", mc(3, 10, 0), 0, 1), (UNIT / 4, UNIT * 3 / 4));
        assert_eq!(numbers::<Synthetic>(won, "start", mc(3, 0, 0), 0, 1), (UNIT / 4, UNIT * 3 / 4));
        assert_eq!(numbers::<Synthetic>(lost, "start", mc(3, 10, 0), 0, 1), (UNIT * 7 / 8, UNIT / 8));
        // A playout of one move does not reach the end, and none is made above the launching level.
        assert_eq!(numbers::<Synthetic>(won, "start", mc(3, 1, 0), 0, 1), (UNIT * 7 / 8, UNIT / 8));
        assert_eq!(numbers::<Synthetic>(won, "start", mc(3, 10, 4), 0, 1), (UNIT, UNIT));
        // Above it the moves may be counted instead.
        let mobility = by(3, 10, 4, AboveLaunch::Mobility);
        assert_eq!(numbers::<Synthetic>(won, "start", mobility, 0, 1), (UNIT, 2 * UNIT));
        assert_eq!(numbers::<Synthetic>(won, "start", mobility, 1, 1), (2 * UNIT, UNIT));
    }

    #[test]
    fn a_game_without_initial_numbers_counts_moves() {
        assert_eq!(numbers::<TicTacToe>("tictactoe", "start", NumberSource::Game, 0, 1), (1, 9));
        assert_eq!(numbers::<TicTacToe>("tictactoe", "start", NumberSource::Game, 1, 1), (9, 1));
        // Rolit counts corners, except on the smallest board.
        assert_eq!(numbers::<Rolit>("rolit:6", "start", NumberSource::Game, 0, 1), (17, 17));
        let small = |source| numbers::<Rolit>("rolit:4", "start", source, 0, 1);
        assert_eq!(small(NumberSource::Game), small(NumberSource::Mobility));
    }

    #[test]
    fn numbers_are_shown_in_leaves() {
        let source = NumberSource::MonteCarlo(MonteCarlo {
            playouts: 3,
            lookahead: 10,
            launch: 0,
            above: AboveLaunch::Unit,
            eps: 0.1,
        });
        let mc = Initial { source, static_bounds: true };
        let shown = mc.in_leaves(ProofNumbers { proof: UNIT + 1, disproof: u32::MAX });
        assert_eq!(shown, ProofNumbers { proof: 2, disproof: u32::MAX });
    }
}
