//! A game that is being played, spoken to in texts.

use crate::auto;
use crate::solve::{Solution, SolveError, Solving};
use crate::thought::{TextInspector, Thinking, Thought, in_texts};
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tesuji_core::perft::{Count, Leaves, perft};
use tesuji_core::{
    Control, Dialects, Facts, Game, History, Info, Knowledge, MoveError, Outcome, Player, Rng, RootMove, Rules, Search,
    Spec, SpecError, Verdict, View,
};

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Ending {
    /// The scores by seat.
    pub scores: Vec<i32>,
    /// Win, draw or loss by seat; empty for one player.
    pub verdicts: Vec<Verdict>,
    /// Whether repetition or length ended it, not the position.
    pub by_past: bool,
    /// In words.
    pub words: String,
}

/// A game from its start to now, in texts. Front ends of every kind are written against this.
pub trait Session: Send {
    /// The spec it was opened with.
    fn spec(&self) -> &Spec;
    /// Name, title and players.
    fn info(&self) -> Info;
    /// What the game is like under its rules.
    fn facts(&self) -> Facts;
    /// How protocols and file formats write the game under its rules.
    fn dialects(&self) -> Dialects;
    /// What a player is called.
    fn player_name(&self, player: Player) -> &'static str;
    /// Whose turn it is; `None` when the game is over.
    fn to_move(&self) -> Option<Player>;
    /// How it ended, if it did.
    fn ending(&self) -> Option<Ending>;
    /// The legal moves.
    fn legal_moves(&self) -> Vec<String>;
    /// What one clicks for each legal move, in the same order.
    fn clicks(&self) -> Vec<Vec<String>>;
    /// Where it began: `start`, or a position text.
    fn start(&self) -> String;
    /// The moves played since the start.
    fn moves(&self) -> Vec<String>;
    /// The whole game in one line, which [`open`](crate::open) reads.
    fn game_text(&self) -> String;
    /// Plays a move.
    fn play(&mut self, mv: &str) -> Result<(), MoveError>;
    /// Takes a move back; false if there is none.
    fn undo(&mut self) -> bool;
    /// A legal move drawn at random; `None` when the game is over.
    fn random_move(&self, rng: &mut Rng) -> Option<String>;
    /// The position in one line.
    fn text(&self) -> String;
    /// The key of the position.
    fn key(&self) -> u64;
    /// What there is to draw.
    fn view(&self) -> View;
    /// How good the position looks for a player, if the game has an evaluation.
    fn evaluation(&self, player: Player) -> Option<f32>;
    /// Counts the games of `depth` moves from here; `None` if stopped.
    fn perft(&self, depth: u32, stop: &AtomicBool) -> Option<Count>;
    /// Brings a player to the board: builds the search that its spec names, and tells the spec, which is another if `auto`
    /// was asked. A player that is there already stays as it is.
    fn invite(&mut self, player: &str) -> Result<Spec, SpecError>;
    /// Lets a player think about the position. It stays at the board with all it has learned; every spec is a player of
    /// its own.
    fn think(&mut self, player: &str, thinking: Thinking<'_>) -> Result<Thought, SpecError>;
    /// The moves at the end of a line from here, with what a player has kept of its last search; `None` where that did not reach, or a
    /// move is not legal. A running search is looked into through the observer of [`Thinking`].
    fn look(&self, player: &str, line: &[String]) -> Option<Vec<RootMove<String>>>;
    /// Solves the position, if the game is not over.
    fn solve(&self, solving: &Solving<'_>) -> Result<Option<Solution>, SolveError>;
}

/// A session of the game `G`.
pub struct SessionOf<G: Game> {
    spec: Spec,
    history: History<G>,
    players: Vec<Invited<G>>,
}

/// A player at the board.
struct Invited<G: Game> {
    /// As it was asked for.
    name: String,
    /// What that means.
    spec: Spec,
    search: Box<dyn Search<G>>,
}

impl<G: Knowledge> SessionOf<G> {
    pub fn new(spec: Spec, history: History<G>) -> Self {
        SessionOf { spec, history, players: Vec::new() }
    }

    /// The game so far.
    pub fn history(&self) -> &History<G> {
        &self.history
    }

    /// The place of a player at the board, who is called if absent.
    fn player(&mut self, name: &str) -> Result<usize, SpecError> {
        if let Some(at) = self.players.iter().position(|player| player.name == name) {
            return Ok(at);
        }
        let (spec, search) = auto::build::<G>(&name.parse()?, self.history.rules())?;
        self.players.push(Invited { name: name.to_string(), spec, search });
        Ok(self.players.len() - 1)
    }

    fn legal(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.history.legal_moves(&mut moves);
        moves
    }

    fn words(&self, outcome: &Outcome) -> String {
        let scores = outcome.scores();
        let wins_or_loses = self.history.facts().scores == (-1, 1);
        let best = scores.iter().max().copied().unwrap_or(0);
        let named =
            (0..scores.len()).filter(|&seat| scores[seat] == best).map(|seat| self.player_name(Player(seat as u8)));
        let winners: Vec<&str> = named.collect();
        let list = || scores.iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
        let how = if self.history.ended_by_history() { " (by repetition or length)" } else { "" };
        match (scores.len(), winners.as_slice()) {
            (1, _) => format!("{best} points{how}"),
            (_, [winner]) if wins_or_loses => format!("{winner} wins{how}"),
            (_, [winner]) => format!("{winner} wins, scores {}{how}", list()),
            _ if wins_or_loses => format!("a draw{how}"),
            _ => format!("no single winner, scores {}{how}", list()),
        }
    }
}

impl<G: Knowledge> Session for SessionOf<G> {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn info(&self) -> Info {
        G::INFO
    }

    fn facts(&self) -> Facts {
        *self.history.facts()
    }

    fn dialects(&self) -> Dialects {
        self.history.rules().dialects()
    }

    fn player_name(&self, player: Player) -> &'static str {
        self.history.position().player_name(player)
    }

    fn to_move(&self) -> Option<Player> {
        (!self.history.is_over()).then(|| self.history.position().to_move())
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.history.outcome()?;
        let seats = 0..outcome.scores().len() as u8;
        Some(Ending {
            scores: outcome.scores().to_vec(),
            verdicts: seats.filter_map(|seat| outcome.verdict(Player(seat))).collect(),
            by_past: self.history.ended_by_history(),
            words: self.words(&outcome),
        })
    }

    fn legal_moves(&self) -> Vec<String> {
        self.legal().into_iter().map(|mv| self.history.position().move_text(mv)).collect()
    }

    fn clicks(&self) -> Vec<Vec<String>> {
        self.legal().into_iter().map(|mv| self.history.position().clicks(mv)).collect()
    }

    fn moves(&self) -> Vec<String> {
        let played = self.history.moves().iter().zip(self.history.positions());
        played.map(|(&mv, position)| position.move_text(mv)).collect()
    }

    fn start(&self) -> String {
        self.history.start_text()
    }

    fn game_text(&self) -> String {
        self.history.text()
    }

    fn play(&mut self, mv: &str) -> Result<(), MoveError> {
        self.history.play_text(mv).map(|_| ())
    }

    fn undo(&mut self) -> bool {
        self.history.undo().is_some()
    }

    fn random_move(&self, rng: &mut Rng) -> Option<String> {
        let moves = self.legal();
        (!moves.is_empty()).then(|| self.history.position().move_text(moves[rng.below(moves.len())]))
    }

    fn text(&self) -> String {
        self.history.position().text()
    }

    fn key(&self) -> u64 {
        self.history.position().key()
    }

    fn view(&self) -> View {
        self.history.position().view()
    }

    fn evaluation(&self, player: Player) -> Option<f32> {
        self.history.position().evaluation(player)
    }

    fn perft(&self, depth: u32, stop: &AtomicBool) -> Option<Count> {
        perft(&self.history, depth, Leaves::Counted, stop)
    }

    fn invite(&mut self, player: &str) -> Result<Spec, SpecError> {
        let at = self.player(player)?;
        Ok(self.players[at].spec.clone())
    }

    fn think(&mut self, player: &str, thinking: Thinking<'_>) -> Result<Thought, SpecError> {
        let at = self.player(player)?;
        let history = &self.history;
        let Invited { spec, search, .. } = &mut self.players[at];
        let begin = Instant::now();
        let limits = thinking.limits.in_nodes_for(tesuji_search::capabilities(spec)?.playouts);
        let mut control = Control::new(limits, thinking.seed, thinking.stop).with_threads(thinking.threads);
        if let Some((interval, mut observer)) = thinking.observer {
            control =
                control.watched(interval, Box::new(move |inspector| observer(&TextInspector { inspector, history })));
        }
        let report = in_texts(search.search(history, &control), history);
        Ok(Thought::new(player, spec.to_string(), report, begin.elapsed()))
    }

    fn look(&self, player: &str, line: &[String]) -> Option<Vec<RootMove<String>>> {
        let Invited { search, .. } = self.players.iter().find(|invited| invited.name == player)?;
        let mut game = self.history.clone();
        for mv in line {
            game.play_text(mv).ok()?;
        }
        let entries = search.look(&game)?;
        Some(entries.into_iter().map(|entry| entry.map(|mv| game.position().move_text(mv))).collect())
    }

    fn solve(&self, solving: &Solving<'_>) -> Result<Option<Solution>, SolveError> {
        let is_over = self.history.is_over();
        (!is_over).then(|| solving.solve(&self.spec, &self.history)).transpose()
    }
}
