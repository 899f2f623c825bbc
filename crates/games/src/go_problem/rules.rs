//! The four goals, their options and descriptions.

use tesuji_core::look::{BoardStyle, PieceStyle, Tone};
use tesuji_core::{Facts, Info, Length, Look, Options, Outcome, Player, Repetition, Rules, SpecError};

/// The goal of a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The attacker takes the marked stones, or they escape.
    Capture,
    /// The same, with all moves of the region and no limit of liberties.
    Life,
    /// Both sides have marked stones; the first to lose them all loses.
    Semeai,
    /// The owner of the marked blocks joins them, or the cutter keeps them apart.
    Connect,
}

/// Which moves are generated, in `capture`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generator {
    /// All legal moves.
    All,
    /// Moves near the target, and their neighbours.
    Weak,
    /// Moves near the target.
    Strong,
}

/// The goal, the size of the board, and the options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProblemRules {
    pub(super) goal: Goal,
    pub(super) size: u8,
    /// The number of liberties with which a target has escaped; 0 for none.
    pub(super) escape: u8,
    /// Whether taking one of the marked blocks is enough.
    pub(super) any: bool,
    /// The score of the owner of the marked stones (of Black in a semeai) when both sides pass.
    pub(super) passes: i8,
    /// The same for cycles.
    pub(super) cycle: i8,
    pub(super) generator: Generator,
    /// Whether the generator also restricts the defender.
    pub(super) prunes_defender: bool,
}

/// The number of plies after which a game ends like a cycle. Cycles end games earlier.
const CAP: u32 = 1000;

const GOALS: [Goal; 4] = [Goal::Capture, Goal::Life, Goal::Semeai, Goal::Connect];

impl Rules for ProblemRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let member = INFOS.iter().position(|info| info.name == options.name());
        let goal = GOALS[member.expect("rules are read for a game of the family")];
        let (columns, rows) = options.size((9, 9), 2..=19, 2..=19)?;
        if columns != rows {
            return Err(options.refuse("size", "a square board from 2 to 19"));
        }
        let takes = matches!(goal, Goal::Capture | Goal::Life);
        let mut rules = ProblemRules {
            goal,
            size: columns,
            escape: 0,
            any: false,
            passes: 0,
            cycle: 0,
            generator: Generator::All,
            prunes_defender: false,
        };
        if takes {
            rules.any = options.choice("need", &[("all", false), ("any", true)], "marked blocks that must be taken")?;
            let seki = [("alive", 1), ("dead", -1)];
            rules.passes = options.choice("seki", &seki, "what the target is when both sides pass")?;
        }
        let winners: &[(&str, i8)] = match goal {
            Goal::Capture | Goal::Life => &[("defender", 1), ("attacker", -1)],
            Goal::Semeai => &[("draw", 0), ("black", 1), ("white", -1)],
            Goal::Connect => &[("cutter", -1), ("connector", 1)],
        };
        rules.cycle = options.choice("cycle", winners, "result of a repeated position without unlimited threats")?;
        if goal == Goal::Connect {
            rules.passes = -1;
        }
        if goal == Goal::Capture {
            rules.escape =
                options.integer("escape", 0, 0..=9, "liberties with which the target escapes; 0: off")? as u8;
            let generators = [("all", Generator::All), ("weak", Generator::Weak), ("strong", Generator::Strong)];
            rules.generator = options.choice("moves", &generators, "generated moves of the attacker")?;
            rules.prunes_defender =
                options.choice("fp", &[("sound", false), ("unsound", true)], "unsound: moves= restricts both sides")?;
            options.only_if(rules.generator != Generator::All, &["fp"], "fp with moves=weak or moves=strong")?;
        }
        Ok(rules)
    }

    fn facts(&self) -> Facts {
        let points = usize::from(self.size) * usize::from(self.size);
        Facts {
            players: 2,
            repetition: Repetition::Ends(2),
            length: Length::Capped(CAP),
            scores: (-1, 1),
            draws: self.goal == Goal::Semeai,
            units_per_point: 1,
            move_indices: points + 1,
        }
    }
}

impl ProblemRules {
    /// The outcome with this score for the owner of the marked stones; a semeai counts for Black.
    pub(super) fn outcome(&self, score: i8, owner: usize) -> Outcome {
        match score {
            0 => Outcome::draw(2),
            1 => Outcome::win(Player(owner as u8)),
            _ => Outcome::win(Player(1 - owner as u8)),
        }
    }

    pub(super) fn info(&self) -> Info {
        INFOS[GOALS.iter().position(|goal| *goal == self.goal).expect("every goal is in the list")]
    }
}

const LOOK: Look =
    Look { board: BoardStyle::Points, piece: PieceStyle::Stone, tones: &[Tone::Black, Tone::White], ..Look::DEFAULT };

/// The descriptions of the four games.
pub(super) const INFOS: &[Info] = &[
    Info {
        goal: "Take the marked stones, or keep them on the board. Choose a point to place a stone, or pass.",
        rules: CAPTURE,
        look: LOOK,
        ..Info::new("capture", "Capture in Go", &["Black", "White"])
    },
    Info {
        goal: "Kill the marked stones, or make them live. Choose a point to place a stone, or pass.",
        rules: LIFE,
        look: LOOK,
        ..Info::new("life", "Life and Death in Go", &["Black", "White"])
    },
    Info {
        goal: "Take the marked stones of your opponent before yours are taken. Choose a point, or pass.",
        rules: SEMEAI,
        look: LOOK,
        ..Info::new("semeai", "Capturing Race in Go", &["Black", "White"])
    },
    Info {
        goal: "Join the marked blocks, or keep them apart. Choose a point to place a stone, or pass.",
        rules: CONNECT,
        look: LOOK,
        ..Info::new("connect", "Connection in Go", &["Black", "White"])
    },
];

/// The rules of one game: its own paragraphs and those of all.
macro_rules! rules {
    ($own:literal) => {
        concat!(
            $own,
            "\n\nStones are placed and captured as in Go; suicide is illegal. Only points of the marked region can be \
             played; empty points outside are liberties that cannot be filled. A player may also pass. The start is a \
             small problem; any other is given as a position.\n\n\
             A lone stone that captures one stone and has one liberty bans the captured point for one move. A player \
             with threats left may play there nevertheless: the player has made a threat elsewhere and the opponent \
             has answered it, which costs one threat, unless the player has an unlimited number. Passing lifts the \
             ban. Two consecutive passes end the game, but a pass under a ban does not count.\n\n\
             A repeated position ends the game. If a player with unlimited threats used one since the first \
             occurrence, that player loses; otherwise the option cycle decides. So do 1000 plies.\n\n\
             A move is written as its point, a letter for the column, without I, and a number for the row from the \
             bottom, for example D4, or as pass. In text, stones are X and O, and marked stones B and W; x, o, b and w \
             are such stones on points of the region, a full stop is an empty point of the region, and a comma is an \
             empty point outside it."
        )
    };
}

const CAPTURE: &str = rules!(
    "The attacker wants to take the marked stones, the defender owns them. The attacker wins when all marked stones \
     have been taken; with the option need=any, when one marked block has been taken.\n\n\
     The defender wins when a marked block (with need=any, every marked block) is safe: it is unconditionally alive \
     as Benson defined it, or it has two liberties outside the region, or, with the option escape=T, it has T \
     liberties and the attacker is to move. When both sides pass, the defender wins; with seki=dead, the attacker. \
     Repetition counts for the defender unless cycle=attacker.\n\n\
     With moves=weak or moves=strong, the attacker considers only moves near the target, and a defender in atari only \
     moves that can help; fp=unsound restricts the defender in the same way as the attacker."
);

const LIFE: &str = rules!(
    "The attacker wants to take the marked stones, the defender owns them. The attacker wins when all marked stones \
     have been taken; with the option need=any, when one marked block has been taken.\n\n\
     The defender wins when a marked block (with need=any, every marked block) is unconditionally alive as Benson \
     defined it, or has two liberties outside the region. When both sides pass, the defender wins, so seki lives; \
     with seki=dead, the attacker wins. Repetition counts for the defender unless cycle=attacker."
);

const SEMEAI: &str = rules!(
    "Both players have marked stones. A player whose marked stones have all been taken loses. The game is a draw when \
     both sides pass, which is seki, when both have a marked block that is unconditionally alive as Benson defined \
     it, and when a position repeats, unless the option cycle=black or cycle=white gives repetition to one side."
);

const CONNECT: &str = rules!(
    "The owner of the marked blocks, the connector, wins when they have become one block. The other player, the \
     cutter, wins when a marked block is taken, when blocks of the cutter that are unconditionally alive as Benson \
     defined it separate marked blocks, and when both sides pass. Repetition counts for the cutter unless \
     cycle=connector."
);
