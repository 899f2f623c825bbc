//! The initial numbers of a new node: an estimate of the work that its proof and its disproof take.
//!
//! - `unit`: 1 and 1 (Allis 1994).
//! - `mobility`: where the prover moves, 1 and the number of moves; where another player moves, the
//!   number of moves and 1 (Allis 1994; Saito 2010, section 2.4.1): the numbers that the node would
//!   have after its expansion.
//! - `game`: the numbers that the game supplies ([`Knowledge::initial_proof_numbers`]); `mobility`
//!   if it supplies none.
//! - `mc`: Monte-Carlo evaluation (MC-PNS; Saito, Chaslot, Uiterwijk and Van den Herik 2006),
//!   described in [`monte_carlo`]; with `playout=pattern`, MC-PNS_p.
//! - `pattern`: PNS_p (Saito 2010, chapter 3). With v the value of the pattern around the last
//!   move ([`Knowledge::pattern_value`]), pn = 1 / (v + 1) and dn = v / 340, but at least eps. The
//!   source prints no others for moves of the opponents, to whom an urgent move promises a
//!   *disproof*: by default the two numbers are exchanged for those. `mobility` in a game without
//!   patterns.
//!
//! Where static bounds solve the question ([`Knowledge::static_bounds`]), the numbers are those of
//! a terminal node, as in Saffidine, Jouandeau and Cazenave (2011): [`super::path`] applies them.

mod monte_carlo;

use super::numbers::LARGEST;
use monte_carlo::{AboveLaunch, Launch, MonteCarlo, by_playouts};
use tesuji_core::{Game, Knowledge, MAX_PATTERN_VALUE, Options, PlayoutContext, ProofNumbers, Question, SpecError};

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
    /// The pattern around the last move.
    Pattern(PatternNumbers),
}

/// Numbers from the pattern around the last move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PatternNumbers {
    /// Whether the numbers are exchanged where an opponent of the prover moved last.
    pub for_mover: bool,
    /// The least number.
    pub eps: f64,
}

/// A node that gets initial numbers.
pub struct NewNode<'a, G: Game> {
    /// Its position.
    pub position: &'a G,
    /// The position before it and the move that led from there; `None` after a null move.
    pub reached: Option<(&'a G, G::Move)>,
    /// The number of plies from the root.
    pub depth: u32,
}

/// The fixed-point unit of pattern values. Raising it makes the numbers finer, and lets sums
/// saturate sooner.
const PATTERN_UNIT: u32 = 1 << 14;

impl Initial {
    /// Reads the options.
    pub fn read(options: &mut Options<'_>) -> Result<Initial, SpecError> {
        let kinds = [("mobility", 0), ("unit", 1), ("game", 2), ("mc", 3), ("pattern", 4)];
        let kind = options.choice("init", &kinds, "source of the initial numbers of a node")?;
        let monte_carlo = MonteCarlo::read(options)?;
        let forms = [("mover", true), ("printed", false)];
        let for_mover = options.choice(
            "pattern-form",
            &forms,
            "numbers of init=pattern: exchanged where an opponent moved last, or as printed by Saito (2010)",
        )?;
        options.renamed("patterns", "static");
        let static_bounds =
            options.choice("static", &[("on", true), ("off", false)], "static bounds of the game solve nodes")?;
        let source = match kind {
            0 => NumberSource::Mobility,
            1 => NumberSource::Unit,
            2 => NumberSource::Game,
            3 => NumberSource::MonteCarlo(monte_carlo),
            _ => NumberSource::Pattern(PatternNumbers { for_mover, eps: monte_carlo.eps }),
        };
        Ok(Initial { source, static_bounds })
    }

    /// The text of these options in the heading of a checkpoint, which is part of the file format.
    pub fn checkpoint_text(&self) -> String {
        let source = match &self.source {
            NumberSource::MonteCarlo(settings) => format!("MonteCarlo({})", settings.checkpoint_text()),
            source => format!("{source:?}"),
        };
        format!("Initial {{ guess: {source}, patterns: {} }}", self.static_bounds)
    }

    /// The same with a launching level for searches from a root, where it depends on the root.
    pub fn at_root<G: Knowledge>(mut self, root: &G) -> Initial {
        if let NumberSource::MonteCarlo(settings) = &mut self.source {
            settings.launch = Launch::Depth(settings.launch.depth(root));
        }
        self
    }

    /// Whether numbers come from playouts.
    #[inline]
    pub fn makes_playouts(&self) -> bool {
        matches!(self.source, NumberSource::MonteCarlo(_))
    }

    /// The number that stands for one leaf.
    #[inline]
    pub fn unit(&self) -> u32 {
        match self.source {
            NumberSource::MonteCarlo(_) => monte_carlo::UNIT,
            NumberSource::Pattern(_) => PATTERN_UNIT,
            _ => 1,
        }
    }

    /// The number of playouts that evaluate a node at a depth.
    #[inline]
    pub fn playouts_at(&self, depth: u32) -> u32 {
        match self.source {
            NumberSource::MonteCarlo(settings) if settings.is_launched(depth) => settings.playouts,
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

/// Returns the initial numbers of a non-terminal node. They are neither 0 nor infinite.
#[inline]
pub fn initial_numbers<G: Knowledge>(
    initial: &Initial,
    node: NewNode<'_, G>,
    question: &Question,
    context: &mut PlayoutContext<G::Move>,
) -> ProofNumbers {
    let position = node.position;
    match &initial.source {
        NumberSource::Unit => ProofNumbers { proof: 1, disproof: 1 },
        NumberSource::Mobility => by_mobility(position, question, context),
        NumberSource::Game => match position.initial_proof_numbers(question.prover()) {
            Some((proof, disproof)) => {
                ProofNumbers { proof: proof.clamp(1, LARGEST), disproof: disproof.clamp(1, LARGEST) }
            }
            None => by_mobility(position, question, context),
        },
        NumberSource::MonteCarlo(settings) if settings.is_launched(node.depth) => {
            by_playouts(settings, position, question, context)
        }
        NumberSource::MonteCarlo(settings) => initial.scale(match settings.above {
            AboveLaunch::Unit => ProofNumbers { proof: 1, disproof: 1 },
            AboveLaunch::Mobility => by_mobility(position, question, context),
        }),
        NumberSource::Pattern(settings) => match node.reached {
            None => initial.scale(ProofNumbers { proof: 1, disproof: 1 }),
            Some((before, mv)) => match before.pattern_value(mv) {
                Some(value) => by_pattern(settings, value, before.to_move() == question.prover()),
                None => initial.scale(by_mobility(position, question, context)),
            },
        },
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

/// The numbers after a move of the prover or of an opponent with a pattern of this value.
fn by_pattern(settings: &PatternNumbers, value: u16, prover_moved: bool) -> ProofNumbers {
    let units = |number: f64| (number * f64::from(PATTERN_UNIT)).round() as u32;
    let least = units(settings.eps).max(1);
    let value = f64::from(value);
    let urgent = units(1.0 / (value + 1.0)).max(least);
    let share = units(value / f64::from(MAX_PATTERN_VALUE)).max(least);
    match prover_moved || !settings.for_mover {
        true => ProofNumbers { proof: urgent, disproof: share },
        false => ProofNumbers { proof: share, disproof: urgent },
    }
}

#[cfg(test)]
mod tests {
    use super::monte_carlo::{PlayoutMoves, UNIT};
    use super::*;
    use tesuji_core::{Bounds, Player, Rng, Rules, find_move};
    use tesuji_games::{Breakthrough, GoProblem, Lion, Loa, MiniShogi, Othello, Rolit, Synthetic, TicTacToe, rules};

    fn question(player: Player, at_least: i32) -> Question {
        Question { known: Bounds { player, at_least: -100, at_most: 100 }, at_least }
    }

    fn numbers<G: Knowledge>(spec: &str, start: &str, source: NumberSource, player: u8, at_least: i32) -> (u32, u32) {
        let rules = rules::<G>(spec).unwrap();
        let position = if start == "start" { G::start(&rules) } else { G::parse(&rules, start).unwrap() };
        let mut context = PlayoutContext::new(Rng::new(1), rules.facts().length.plies());
        let found = initial_numbers(
            &Initial { source, static_bounds: false },
            NewNode { position: &position, reached: None, depth: 3 },
            &question(Player(player), at_least),
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
            let launch = Launch::Depth(launch);
            NumberSource::MonteCarlo(MonteCarlo {
                playouts,
                lookahead,
                launch,
                above,
                eps: 0.125,
                ..MonteCarlo::DEFAULT
            })
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
        let source = NumberSource::MonteCarlo(MonteCarlo::DEFAULT);
        let mc = Initial { source, static_bounds: true };
        let shown = mc.in_leaves(ProofNumbers { proof: UNIT + 1, disproof: u32::MAX });
        assert_eq!(shown, ProofNumbers { proof: 2, disproof: u32::MAX });
    }

    /// The numbers of Black's question after a move in a problem.
    fn after(source: NumberSource, position: &GoProblem, mv: &str) -> (u32, u32) {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mv = find_move(position, &moves, mv).unwrap();
        let mut next = *position;
        next.play(mv);
        let mut context = PlayoutContext::new(Rng::new(1), 1000);
        let node = NewNode { position: &next, reached: Some((position, mv)), depth: 1 };
        let initial = Initial { source, static_bounds: false };
        let found = initial_numbers(&initial, node, &question(Player(0), 1), &mut context);
        (found.proof, found.disproof)
    }

    #[test]
    fn numbers_by_pattern_are_as_printed_for_the_prover_and_exchanged_for_opponents() {
        let numbers = |value, prover_moved, for_mover, eps| {
            let found = by_pattern(&PatternNumbers { for_mover, eps }, value, prover_moved);
            (found.proof, found.disproof)
        };
        // v = 84: 16384 / 85 = 192.8 and 16384 * 84 / 340 = 4047.8.
        assert_eq!(numbers(84, true, true, 0.001), (193, 4048));
        assert_eq!(numbers(84, false, true, 0.001), (4048, 193));
        assert_eq!(numbers(84, false, false, 0.001), (193, 4048));
        // v = 0 promises nothing: dn is eps, not 0. v = 340: pn = 48.05, dn = 1.
        assert_eq!(numbers(0, true, true, 0.001), (PATTERN_UNIT, 16));
        assert_eq!(numbers(340, true, true, 0.001), (48, PATTERN_UNIT));
        // eps = 0.05 is 819.2.
        assert_eq!(numbers(340, true, true, 0.05), (819, PATTERN_UNIT));
    }

    #[test]
    fn the_pattern_is_that_before_the_last_move() {
        let rules = rules::<GoProblem>("life:5").unwrap();
        // D1 captures the white stone on C1, which is in the pattern of D1.
        let position = GoProblem::parse(&rules, "...../...../ww.../xxx../.xo.. X - 0 0,0").unwrap();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mv = find_move(&position, &moves, "D1").unwrap();
        let settings = PatternNumbers { for_mover: true, eps: 0.001 };
        let expected = by_pattern(&settings, position.pattern_value(mv).unwrap(), true);
        assert_eq!(after(NumberSource::Pattern(settings), &position, "D1"), (expected.proof, expected.disproof));
        // A pass has no pattern: for Black who moves it promises no proof.
        assert_eq!(after(NumberSource::Pattern(settings), &position, "pass"), (PATTERN_UNIT, 16));
    }

    #[test]
    fn without_patterns_moves_are_counted() {
        let rules = rules::<TicTacToe>("tictactoe").unwrap();
        let start = TicTacToe::start(&rules);
        let mut moves = Vec::new();
        start.legal_moves(&mut moves);
        let mut next = start;
        next.play(moves[0]);
        let mut context = PlayoutContext::new(Rng::new(1), 9);
        let source = NumberSource::Pattern(PatternNumbers { for_mover: true, eps: 0.05 });
        let node = NewNode { position: &next, reached: Some((&start, moves[0])), depth: 1 };
        let initial = Initial { source, static_bounds: false };
        let found = initial_numbers(&initial, node, &question(Player(0), 1), &mut context);
        assert_eq!((found.proof, found.disproof), (8 * PATTERN_UNIT, PATTERN_UNIT));
    }

    #[test]
    fn the_launching_level_follows_from_the_empty_points_of_the_root() {
        let rules = rules::<GoProblem>("life:5").unwrap();
        // 16 empty points of the region; the 2 outside cannot be played.
        let root = GoProblem::parse(&rules, ",,.../...../ww.../xxx../.xo.. X - 0 0,0").unwrap();
        let launch = |spec: &str| {
            let spec = spec.parse().unwrap();
            let mut options = Options::new(&spec);
            let initial = Initial::read(&mut options).unwrap().at_root(&root);
            let first = (0..30).find(|&depth| initial.playouts_at(depth) > 0).unwrap();
            assert!((first..30).all(|depth| initial.playouts_at(depth) == 3));
            first
        };
        assert_eq!(root.open_cells(), 16);
        assert_eq!(launch("pns:init=mc"), 0);
        assert_eq!(launch("pns:init=mc,launch=4"), 4);
        assert_eq!(launch("pns:init=mc,strategy=1"), 16);
        assert_eq!(launch("pns:init=mc,strategy=2"), 8);
        assert_eq!(launch("pns:init=mc,strategy=3"), 12);
        let up_to = |spec: &str| {
            let spec = spec.parse().unwrap();
            let initial = Initial::read(&mut Options::new(&spec)).unwrap().at_root(&root);
            (0..30).map(|depth| initial.playouts_at(depth)).collect::<Vec<_>>()
        };
        let expected: Vec<u32> = (0..30).map(|depth| if depth <= 12 { 3 } else { 0 }).collect();
        assert_eq!(up_to("pns:init=mc,strategy=3,launch-side=above"), expected);
        let spec = "pns:init=mc,launch=2,strategy=1".parse().unwrap();
        assert!(Initial::read(&mut Options::new(&spec)).is_err());
    }

    #[test]
    fn playouts_by_patterns_count_like_others() {
        let rules = rules::<GoProblem>("life:5").unwrap();
        // Black takes with A1, the only empty point of the region.
        let lost = GoProblem::parse(&rules, ",,,,,/,,,,,/XXXX,/wwwX,/.XXX, X - 0 0,0").unwrap();
        for moves in [PlayoutMoves::Uniform, PlayoutMoves::Pattern] {
            let settings = MonteCarlo { moves, ..MonteCarlo::DEFAULT };
            let mut context = PlayoutContext::new(Rng::new(1), 1000);
            let found = by_playouts(&settings, &lost, &question(Player(0), 1), &mut context);
            assert_eq!((found.proof, found.disproof), (UNIT / 4, UNIT * 3 / 4), "{moves:?}");
        }
    }
}
