//! Each law fails on a game that breaks it: tic-tac-toe with one faulty method.

use super::*;
use tesuji_core::{
    Bounds, Facts, Info, Length, Options, PositionError, Symmetry, Trace, View, plain_playout, symmetry::IDENTITY,
};
use tesuji_games::TicTacToe;
use tesuji_games::tictactoe::TicTacToeRules;

/// The faulty method of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    /// No fault.
    None,
    /// `count_moves` counts one move too many.
    CountMoves,
    /// `outcome` returns a draw before the game is over.
    EarlyOutcome,
    /// `outcome_at_cap` returns a score out of range.
    OutcomeAtCap,
    /// `parse` rejects every text.
    Parse,
    /// The key of a parsed position differs.
    ParsedKey,
    /// All positions have the same key.
    ConstantKey,
    /// All moves have the same text.
    MoveText,
    /// All moves have the same index.
    MoveIndex,
    /// `ending_reason` returns a reason before the game is over.
    EarlyReason,
    /// `winning_cells` returns a name that is not a cell.
    WinningCells,
    /// Moves have no clicks.
    Clicks,
    /// `transformed` is always the identity.
    Transformed,
    /// The facts claim a length of three plies.
    Length,
    /// The facts claim that there are no draws.
    Draws,
    /// `evaluation` returns a certain win.
    Evaluation,
    /// Static bounds claim a win of every player.
    StaticBounds,
    /// `immediate_win` claims that no move wins at once.
    NoImmediateWin,
    /// `immediate_win` claims that the first move wins at once.
    ImmediateWin,
    /// A null move changes nothing.
    NullMove,
    /// The rules promise a win at the length cap, which is a draw.
    CycleOutcome,
    /// `playout_move` returns the first move.
    PlayoutMove,
    /// An untraced playout is always won by the first player.
    UntracedPlayout,
    /// An informed playout begins with the first of its moves.
    InformedPlayout,
    /// The trace of a playout has its last two moves swapped.
    SwappedTrace,
}

#[derive(Clone, PartialEq, Debug)]
struct FaultyRules(Fault);

impl Rules for FaultyRules {
    fn read(_: &mut Options<'_>) -> Result<Self, SpecError> {
        Ok(FaultyRules(Fault::None))
    }

    fn facts(&self) -> Facts {
        let facts = TicTacToeRules.facts();
        match self.0 {
            Fault::Length => Facts { length: Length::Bounded(3), ..facts },
            Fault::CycleOutcome => Facts { length: Length::Capped(3), ..facts },
            Fault::Draws => Facts { draws: false, ..facts },
            _ => facts,
        }
    }

    fn cycle_outcome(&self) -> Option<Outcome> {
        (self.0 == Fault::CycleOutcome).then(|| Outcome::win(Player::FIRST))
    }
}

#[derive(Clone, Debug)]
struct Faulty {
    position: TicTacToe,
    fault: Fault,
    parsed: bool,
}

impl PartialEq for Faulty {
    fn eq(&self, other: &Faulty) -> bool {
        self.position == other.position
    }
}

impl Game for Faulty {
    type Move = u8;
    type Rules = FaultyRules;
    const INFO: Info = TicTacToe::INFO;

    fn start(rules: &FaultyRules) -> Faulty {
        Faulty { position: TicTacToe::start(&TicTacToeRules), fault: rules.0, parsed: false }
    }

    fn to_move(&self) -> Player {
        self.position.to_move()
    }

    fn is_over(&self) -> bool {
        self.position.is_over()
    }

    fn outcome(&self) -> Option<Outcome> {
        let early = (self.fault == Fault::EarlyOutcome).then(|| Outcome::draw(2));
        self.position.outcome().or(early)
    }

    fn ending_reason(&self) -> Option<&'static str> {
        let early = (self.fault == Fault::EarlyReason).then_some("early");
        self.position.ending_reason().or(early)
    }

    fn winning_cells(&self) -> Vec<String> {
        let mut cells = self.position.winning_cells();
        if self.fault == Fault::WinningCells && self.is_over() {
            cells.push("z9".to_string());
        }
        cells
    }

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        self.position.legal_moves(moves);
    }

    fn count_moves(&self, room: &mut Vec<u8>) -> usize {
        self.position.count_moves(room) + usize::from(self.fault == Fault::CountMoves)
    }

    fn play(&mut self, mv: u8) {
        self.position.play(mv);
    }

    fn key(&self) -> u64 {
        match self.fault {
            Fault::ParsedKey => self.position.key() ^ u64::from(self.parsed),
            Fault::ConstantKey => 0,
            _ => self.position.key(),
        }
    }

    fn text(&self) -> String {
        self.position.text()
    }

    fn parse(rules: &FaultyRules, text: &str) -> Result<Faulty, PositionError> {
        if rules.0 == Fault::Parse {
            return Err(PositionError::new(text, "rejected"));
        }
        Ok(Faulty { position: TicTacToe::parse(&TicTacToeRules, text)?, fault: rules.0, parsed: true })
    }

    fn move_text(&self, mv: u8) -> String {
        if self.fault == Fault::MoveText { "a1".to_string() } else { self.position.move_text(mv) }
    }

    fn move_index(&self, mv: u8) -> usize {
        if self.fault == Fault::MoveIndex { 0 } else { self.position.move_index(mv) }
    }

    fn view(&self) -> View {
        self.position.view()
    }

    fn clicks(&self, mv: u8) -> Vec<String> {
        if self.fault == Fault::Clicks { Vec::new() } else { self.position.clicks(mv) }
    }

    fn outcome_at_cap(&self) -> Outcome {
        if self.fault == Fault::OutcomeAtCap { Outcome::zero_sum(5) } else { self.position.outcome_at_cap() }
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        self.position.symmetries()
    }

    fn transformed(&self, symmetry: Symmetry) -> Faulty {
        let symmetry = if self.fault == Fault::Transformed { IDENTITY } else { symmetry };
        Faulty { position: self.position.transformed(symmetry), ..self.clone() }
    }

    fn transformed_move(&self, mv: u8, symmetry: Symmetry) -> u8 {
        self.position.transformed_move(mv, symmetry)
    }
}

impl Knowledge for Faulty {
    fn evaluation(&self, _: Player) -> Option<f32> {
        (self.fault == Fault::Evaluation).then_some(1.0)
    }

    fn static_bounds(&self, player: Player) -> Option<Bounds> {
        (self.fault == Fault::StaticBounds).then(|| Bounds::exact(player, 1))
    }

    fn immediate_win(&self) -> ImmediateWin<u8> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        match self.fault {
            Fault::NoImmediateWin => ImmediateWin::No,
            Fault::ImmediateWin => ImmediateWin::Yes(moves[0]),
            _ => ImmediateWin::Unknown,
        }
    }

    fn null_move(&self) -> Option<Faulty> {
        (self.fault == Fault::NullMove && !self.is_over()).then(|| self.clone())
    }

    fn playout_move(&self, context: &mut PlayoutContext<u8>) -> u8 {
        context.moves.clear();
        self.playout_moves(&mut context.moves);
        let at = if self.fault == Fault::PlayoutMove { 0 } else { context.rng.below(context.moves.len()) };
        context.moves[at]
    }

    fn playout<T: Trace<u8>>(&mut self, context: &mut PlayoutContext<u8>, trace: &mut T) -> Outcome {
        match self.fault {
            Fault::UntracedPlayout if !T::ENABLED => Outcome::win(Player::FIRST),
            Fault::SwappedTrace => {
                let mut moves = Vec::new();
                let outcome = plain_playout(self, context, &mut moves);
                // The first move must stay the one that was drawn.
                if let [_, _, .., last_but_one, last] = &mut moves[..] {
                    std::mem::swap(last_but_one, last);
                }
                moves.into_iter().for_each(|mv| trace.played(Player::FIRST, mv));
                outcome
            }
            _ => plain_playout(self, context, trace),
        }
    }

    fn informed_policies(&self) -> usize {
        1
    }

    fn informed_playout<T: Trace<u8>>(
        &mut self,
        policy: usize,
        context: &mut PlayoutContext<u8>,
        trace: &mut T,
    ) -> Outcome {
        if self.fault == Fault::InformedPlayout && !self.is_over() {
            context.moves.clear();
            self.informed_moves(policy, &mut context.moves);
            let first = context.moves[0];
            trace.played(self.to_move(), first);
            self.play(first);
        }
        plain_informed_playout(self, policy, context, trace)
    }
}

/// Returns the laws that tic-tac-toe with a fault breaks.
fn broken_laws(fault: Fault) -> Vec<&'static str> {
    let effort = Effort { games: 20, playouts: 500, seed: 1 };
    let report = run_game::<Faulty>("faulty", FaultyRules(fault), &effort);
    report.laws.iter().filter(|law| law.failure.is_some()).map(|law| law.law).collect()
}

#[test]
fn a_game_without_a_fault_breaks_no_law() {
    assert_eq!(broken_laws(Fault::None), [""; 0]);
}

#[test]
fn a_fault_breaks_its_law_and_no_other() {
    let faults = [
        (Fault::CountMoves, UNIQUE),
        (Fault::OutcomeAtCap, CAP),
        (Fault::MoveIndex, MOVE_INDEX),
        (Fault::EarlyReason, ENDING),
        (Fault::WinningCells, ENDING),
        (Fault::Clicks, CLICKS),
        (Fault::Transformed, SYMMETRY),
        (Fault::Draws, SCORES),
        (Fault::Evaluation, KNOWLEDGE),
        (Fault::StaticBounds, STATIC_BOUNDS),
        (Fault::NoImmediateWin, IMMEDIATE_WIN),
        (Fault::ImmediateWin, IMMEDIATE_WIN),
        (Fault::NullMove, NULL_MOVE),
        (Fault::CycleOutcome, CYCLES),
        (Fault::UntracedPlayout, PLAYOUT),
        (Fault::SwappedTrace, TRACE),
    ];
    for (fault, law) in faults {
        assert_eq!(broken_laws(fault), [law], "{fault:?}");
    }
}

#[test]
fn a_fault_with_several_effects_breaks_all_their_laws() {
    let faults: [(Fault, &[&str]); 8] = [
        (Fault::EarlyOutcome, &[ENDS]),
        (Fault::Parse, &[TEXT]),
        (Fault::ParsedKey, &[KEY]),
        (Fault::ConstantKey, &[KEY_COLLISION, REPEAT]),
        (Fault::MoveText, &[MOVE_TEXT, UNDO]),
        (Fault::Length, &[LENGTH]),
        (Fault::PlayoutMove, &[RANDOM_MOVE, PLAYOUT]),
        (Fault::InformedPlayout, &[RANDOM_MOVE, PLAYOUT]),
    ];
    for (fault, laws) in faults {
        let broken = broken_laws(fault);
        assert!(laws.iter().all(|law| broken.contains(law)), "{fault:?} breaks {broken:?}");
    }
}
