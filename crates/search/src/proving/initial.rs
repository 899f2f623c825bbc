//! The first numbers of a position: how much work a proof and a disproof of it may be, before any is done.
//!
//! - `unit`: 1 and 1 (Allis 1994).
//! - `mobility`: where the prover moves, 1 and the number of moves; where another moves, the number of moves and 1 (Allis 1994; Saito
//!   2010, section 2.4.1): what the numbers would be if all children were made.
//! - `game`: what the game says ([`Knowledge::initial_proof_numbers`]); where it says nothing, as `mobility`.
//! - `mc`: Monte-Carlo evaluation (MC-PNS; Saito, Chaslot, Uiterwijk and Van den Herik 2006). Of `playouts` random games of at most
//!   `lookahead` moves each, k reach the goal; dn = k / (n + 1), but eps if k is 0, and pn = 1 - dn. Positions less deep than
//!   `launch` get 1 and 1, or, with `above=mobility`, what `mobility` says.
//!
//! Where patterns of the game show the result ([`Knowledge::static_bounds`]), the numbers are those of the end, whatever the kind (as in Saffidine,
//! Jouandeau and Cazenave 2011): [`super::line`] looks for them.

use super::numbers::LARGEST;
use tesuji_core::{Knowledge, Options, PlayoutContext, ProofNumbers, Question, SpecError};

/// What is known of a position before any work is done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Initial {
    /// The first numbers.
    pub guess: Guess,
    /// Whether patterns of the game end a line.
    pub patterns: bool,
}

/// Where first numbers come from.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Guess {
    /// 1 and 1.
    Unit,
    /// The number of moves.
    #[default]
    Mobility,
    /// Knowledge of the game.
    Game,
    /// Playouts.
    MonteCarlo(MonteCarlo),
}

/// Monte-Carlo evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MonteCarlo {
    /// Playouts for a position. Raising it makes fewer nodes, and dearer ones.
    pub playouts: u32,
    /// The most moves of each; 0 for as many as it takes.
    pub lookahead: u32,
    /// Positions less deep than this get no playouts.
    pub launch: u32,
    /// What they get instead: the number of moves, or 1 and 1. Saito (2010) does not say. Larger numbers make the search prefer
    /// what lies deeper.
    pub above: Above,
    /// The disproof number where no playout reached the goal.
    pub eps: f64,
}

/// First numbers above the launching level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Above {
    /// 1 and 1.
    Unit,
    /// The number of moves.
    Mobility,
}

/// Numbers of Monte-Carlo evaluation are parts of one. Raising it makes them finer, and their sums reach the end of the
/// numbers sooner.
const PARTS: u32 = 1 << 10;

impl Initial {
    /// Reads the options.
    pub fn read(options: &mut Options<'_>) -> Result<Initial, SpecError> {
        let kinds = [("mobility", 0), ("unit", 1), ("game", 2), ("mc", 3)];
        let kind = options.choice("init", &kinds, "where the first numbers of a position come from")?;
        let playouts = options.integer("playouts", 3, 1..=1000, "playouts for a position, with init=mc")? as u32;
        let lookahead =
            options.integer("lookahead", 10, 0..=1000, "moves of a playout at most, with init=mc; 0 means all")? as u32;
        let launch = options.integer("launch", 0, 0..=1000, "the least depth of playouts, with init=mc")? as u32;
        let above = [("unit", Above::Unit), ("mobility", Above::Mobility)];
        let above = options.choice("above", &above, "the first numbers less deep than launch, with init=mc")?;
        let eps =
            options.number("eps", 0.05, 0.001..=0.999, "disproof number if no playout gets there, with init=mc")?;
        options.renamed("patterns", "static");
        let patterns =
            options.choice("static", &[("on", true), ("off", false)], "lines end where patterns show the result")?;
        let guess = match kind {
            0 => Guess::Mobility,
            1 => Guess::Unit,
            2 => Guess::Game,
            _ => Guess::MonteCarlo(MonteCarlo { playouts, lookahead, launch, above, eps }),
        };
        Ok(Initial { guess, patterns })
    }

    /// Whether numbers come from playouts.
    #[inline]
    pub fn makes_playouts(&self) -> bool {
        matches!(self.guess, Guess::MonteCarlo(_))
    }

    /// What counts as one leaf: numbers are multiples or parts of it.
    #[inline]
    pub fn one(&self) -> u32 {
        if self.makes_playouts() { PARTS } else { 1 }
    }

    /// The playouts that the numbers of a position take, so many plies below the root.
    #[inline]
    pub fn playouts_at(&self, depth: u32) -> u32 {
        match self.guess {
            Guess::MonteCarlo(settings) if depth >= settings.launch => settings.playouts,
            _ => 0,
        }
    }

    /// Numbers in units of one leaf, rounded up; the infinite one stays as it is.
    pub fn in_leaves(&self, numbers: ProofNumbers) -> ProofNumbers {
        let whole = |number: u32| if number > LARGEST { number } else { number.div_ceil(self.one()) };
        ProofNumbers { proof: whole(numbers.proof), disproof: whole(numbers.disproof) }
    }

    /// Numbers from units of one leaf.
    pub fn in_parts(&self, numbers: ProofNumbers) -> ProofNumbers {
        let parts =
            |number: u32| if number > LARGEST { number } else { number.saturating_mul(self.one()).min(LARGEST) };
        ProofNumbers { proof: parts(numbers.proof), disproof: parts(numbers.disproof) }
    }
}

/// The numbers of a position that was just made and is not over, so many plies below the root. Never 0 and never infinite.
#[inline]
pub fn first_numbers<G: Knowledge>(
    initial: &Initial,
    position: &G,
    question: &Question,
    depth: u32,
    context: &mut PlayoutContext<G::Move>,
) -> ProofNumbers {
    match &initial.guess {
        Guess::Unit => ProofNumbers { proof: 1, disproof: 1 },
        Guess::Mobility => by_mobility(position, question, context),
        Guess::Game => match position.initial_proof_numbers(question.prover()) {
            Some((proof, disproof)) => {
                ProofNumbers { proof: proof.clamp(1, LARGEST), disproof: disproof.clamp(1, LARGEST) }
            }
            None => by_mobility(position, question, context),
        },
        Guess::MonteCarlo(settings) if depth < settings.launch => initial.in_parts(match settings.above {
            Above::Unit => ProofNumbers { proof: 1, disproof: 1 },
            Above::Mobility => by_mobility(position, question, context),
        }),
        Guess::MonteCarlo(settings) => by_playouts(settings, position, question, context),
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
    let reached = (0..settings.playouts).filter(|_| reaches(position, question, settings.lookahead, context)).count();
    let disproof = match reached as u32 {
        0 => (f64::from(PARTS) * settings.eps) as u32,
        reached => PARTS * reached / (settings.playouts + 1),
    };
    let disproof = disproof.clamp(1, PARTS - 1);
    ProofNumbers { proof: PARTS - disproof, disproof }
}

/// Whether a random game reaches the goal; one that is cut off does not.
fn reaches<G: Knowledge>(
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

    fn guess<G: Knowledge>(spec: &str, start: &str, guess: Guess, player: u8, at_least: i32) -> (u32, u32) {
        let rules = rules::<G>(spec).unwrap();
        let position = if start == "start" { G::start(&rules) } else { G::parse(&rules, start).unwrap() };
        let mut context = PlayoutContext::new(Rng::new(1), rules.facts().length.plies());
        let numbers = first_numbers(
            &Initial { guess, patterns: false },
            &position,
            &question(Player(player), at_least),
            3,
            &mut context,
        );
        (numbers.proof, numbers.disproof)
    }

    #[test]
    fn mobility_counts_for_the_one_who_does_not_choose() {
        assert_eq!(guess::<TicTacToe>("tictactoe", "start", Guess::Mobility, 0, 1), (1, 9));
        assert_eq!(guess::<TicTacToe>("tictactoe", "start", Guess::Mobility, 1, 1), (9, 1));
        assert_eq!(guess::<TicTacToe>("tictactoe", "start", Guess::Unit, 1, 1), (1, 1));
        // The first of three players moves: to the third it is like any other.
        assert_eq!(guess::<Rolit>("rolit:4,players=3", "start", Guess::Mobility, 2, 1).1, 1);
    }

    #[test]
    fn the_number_of_moves_is_that_of_the_list() {
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
            Guess::MonteCarlo(MonteCarlo { playouts, lookahead, launch, above, eps: 0.125 })
        };
        let mc = |playouts, lookahead, launch| by(playouts, lookahead, launch, Above::Unit);
        let won = "synthetic:tree='((1 1) (1 1))'";
        let lost = "synthetic:tree='((-1 -1) (-1 -1))'";
        // All of 3: dn = 3 / 4. None: dn = eps.
        assert_eq!(guess::<Synthetic>(won, "start", mc(3, 10, 0), 0, 1), (PARTS / 4, PARTS * 3 / 4));
        assert_eq!(guess::<Synthetic>(won, "start", mc(3, 0, 0), 0, 1), (PARTS / 4, PARTS * 3 / 4));
        assert_eq!(guess::<Synthetic>(lost, "start", mc(3, 10, 0), 0, 1), (PARTS * 7 / 8, PARTS / 8));
        // A playout of one move sees no end, and none is made above the launching level.
        assert_eq!(guess::<Synthetic>(won, "start", mc(3, 1, 0), 0, 1), (PARTS * 7 / 8, PARTS / 8));
        assert_eq!(guess::<Synthetic>(won, "start", mc(3, 10, 4), 0, 1), (PARTS, PARTS));
        // There the moves may be counted instead.
        let mobility = by(3, 10, 4, Above::Mobility);
        assert_eq!(guess::<Synthetic>(won, "start", mobility, 0, 1), (PARTS, 2 * PARTS));
        assert_eq!(guess::<Synthetic>(won, "start", mobility, 1, 1), (2 * PARTS, PARTS));
    }

    #[test]
    fn a_game_that_has_no_numbers_of_its_own_counts_moves() {
        assert_eq!(guess::<TicTacToe>("tictactoe", "start", Guess::Game, 0, 1), (1, 9));
        assert_eq!(guess::<TicTacToe>("tictactoe", "start", Guess::Game, 1, 1), (9, 1));
        // Rolit counts corners, but not on the smallest board.
        assert_eq!(guess::<Rolit>("rolit:6", "start", Guess::Game, 0, 1), (17, 17));
        let small = |guessed| guess::<Rolit>("rolit:4", "start", guessed, 0, 1);
        assert_eq!(small(Guess::Game), small(Guess::Mobility));
    }

    #[test]
    fn parts_are_shown_as_leaves() {
        let guess =
            Guess::MonteCarlo(MonteCarlo { playouts: 3, lookahead: 10, launch: 0, above: Above::Unit, eps: 0.1 });
        let mc = Initial { guess, patterns: true };
        let shown = mc.in_leaves(ProofNumbers { proof: PARTS + 1, disproof: u32::MAX });
        assert_eq!(shown, ProofNumbers { proof: 2, disproof: u32::MAX });
    }
}
