//! Plays a match: threads, log, and the end of the match.

use crate::clock_terms::{ClockTerms, SettingError};
use crate::openings::{Book, Openings};
use crate::referee::{Conditions, End, PlayedGame, SeatedPlayers};
use crate::schedule::{Fixture, Schedule};
use crate::sprt::{Sprt, Verdict};
use crate::standings::{Standings, run_test};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_catalog::{Log, LogError, OpenError, Session, open, open_if_readable, open_untrusted};
use tesuji_gtp::{Children, PlayerSpec, Terms};
use thiserror::Error;

/// A match: game, players and conditions. It is the first line of a log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Match {
    /// The game.
    pub game: String,
    /// The players.
    pub players: Vec<PlayerSpec>,
    /// The limits of each move, for players without terms of their own; in a game for one player,
    /// the limits of a whole board.
    pub terms: Terms,
    /// The clock of each player for a whole game, if there is one.
    pub clock: Option<ClockTerms>,
    /// The openings.
    pub openings: Openings,
    /// The seed of openings and searches. Without time limits and with one thread per search, it
    /// determines the games.
    pub seed: u64,
    /// The games of every pairing, or the number of boards; if `None`, the match runs until the
    /// test decides or it is stopped.
    pub games: Option<u64>,
    /// The sequential test that ends the match.
    pub sprt: Option<Sprt>,
}

/// Why a match could not be played.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The game.
    #[error(transparent)]
    Game(#[from] OpenError),
    /// The openings.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A player cannot be started.
    #[error("{player}: {fault}")]
    Player {
        /// The player.
        player: String,
        /// What is wrong.
        fault: tesuji_catalog::Fault,
    },
    /// The log.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The settings contradict each other.
    #[error("{0}")]
    Plan(String),
}

/// A line of a log: the match, then its games in the order in which they ended. When the match is
/// resumed with more games or another test, its new settings are written as another head.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum LogLine {
    Head {
        #[serde(rename = "match")]
        head: Match,
    },
    Game(PlayedGame),
}

/// Reads a log: the match with its latest settings, and its games ordered by number. The moves and
/// results of the games are not checked; see [`check_log`].
pub fn read_log(path: &Path) -> Result<(Match, Vec<PlayedGame>), LogError> {
    read(path, open_if_readable, |_| Ok(()))
}

/// Reads a log that comes from a client; otherwise as [`read_log`].
pub fn read_untrusted_log(path: &Path) -> Result<(Match, Vec<PlayedGame>), LogError> {
    read(path, |spec, position| open_untrusted(spec, position).map(Some), |_| Ok(()))
}

/// Reads a log and replays its games with the rules. The error names the first line with an illegal
/// move or a wrong result.
pub fn check_log(path: &Path) -> Result<(Match, Vec<PlayedGame>), LogError> {
    read(path, open_always, PlayedGame::check)
}

/// A way to open a game; `None` if a file that it names is not here.
type Open = fn(&str, &str) -> Result<Option<Box<dyn Session>>, OpenError>;

fn open_always(spec: &str, position: &str) -> Result<Option<Box<dyn Session>>, OpenError> {
    open(spec, position).map(Some)
}

/// A check of a game.
type Check = fn(&PlayedGame) -> Result<(), String>;

fn read(path: &Path, open: Open, check: Check) -> Result<(Match, Vec<PlayedGame>), LogError> {
    let lines = Log::read(path, "line of a match")?;
    let (head, mut games) = split(path, lines, open, check)?
        .ok_or_else(|| LogError { file: path.to_path_buf(), reason: "it is empty".to_string() })?;
    games.retain(|game| head.holds(game, head.games));
    Ok((head, games))
}

/// Splits the lines of a log into the match and its games; `None` if there are no lines. Games that
/// cannot belong to the match are refused, so that callers need not check them.
fn split(
    path: &Path,
    lines: Vec<LogLine>,
    open: Open,
    check: Check,
) -> Result<Option<(Match, Vec<PlayedGame>)>, LogError> {
    let error = |reason: String| LogError { file: path.to_path_buf(), reason };
    let mut lines = lines.into_iter();
    let mut head = match lines.next() {
        None => return Ok(None),
        Some(LogLine::Game(_)) => return Err(error("line 1 is not the head of a match".to_string())),
        Some(LogLine::Head { head }) => head,
    };
    let session = open(&head.game, "start").map_err(|reason| error(reason.to_string()))?;
    // Only boards come from files, in games for one player.
    let seats = session.as_ref().map_or(1, |session| usize::from(session.facts().players));
    head.check(seats).map_err(|reason| error(reason.to_string()))?;
    let schedule = Schedule::new(head.players.len(), seats, None);
    let mut games: Vec<PlayedGame> = Vec::new();
    for (number, line) in (2..).zip(lines) {
        match line {
            LogLine::Game(game) if !head.may_hold(&game, session.as_deref(), &schedule) => {
                return Err(error(format!("line {number} is not a game of this match")));
            }
            LogLine::Game(game) => {
                check(&game).map_err(|reason| error(format!("line {number}, game {}: {reason}", game.number)))?;
                games.push(game);
            }
            LogLine::Head { head: next } if next.continues(&head) => head = next,
            LogLine::Head { .. } => {
                return Err(error(format!("it holds two matches, the second from line {number} on")));
            }
        }
    }
    games.sort_by_key(|game: &PlayedGame| game.number);
    match games.windows(2).find(|two| two[0].number == two[1].number) {
        Some(twice) => Err(error(format!("it has game {} twice", twice[0].number))),
        None => Ok(Some((head, games))),
    }
}

/// Locks a file while the returned value is open: two writers would corrupt a log.
pub(crate) fn lock_file(path: &Path) -> Result<File, LogError> {
    let error = |reason: String| LogError { file: path.to_path_buf(), reason };
    let file = OpenOptions::new().append(true).create(true).open(path).map_err(|reason| error(reason.to_string()))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(error("another process is using it".to_string())),
        // File systems without locks are accepted.
        _ => Ok(file),
    }
}

impl Match {
    /// Plays the match, or resumes it if its log has games of it. Programs are registered in
    /// `children`. `progress` gets the standings at the start and after every game, and returns
    /// whether to continue; if not, running games are finished. If `stop` is set, they are
    /// discarded.
    pub fn play(
        &self,
        log: Option<&Path>,
        concurrency: usize,
        children: &Children,
        stop: &AtomicBool,
        progress: &(dyn Fn(&Standings) -> ControlFlow<()> + Sync),
    ) -> Result<Standings, MatchError> {
        let seats = self.seats()?;
        self.check(seats)?;
        let book = Book::new(self)?;
        let opening = book.opening(&self.game, 0)?;
        for player in &self.players {
            let started = player.start(opening.as_ref(), children);
            let ready = started.and_then(|mut started| started.begin(opening.as_ref()));
            ready.map_err(|fault| MatchError::Player { player: player.to_string(), fault })?;
        }
        let _lock = log.map(lock_file).transpose()?;
        let (log, played) = match log {
            Some(log) => self.open_log(log, seats, &book).map(|(log, played)| (Some(log), played))?,
            None => (None, Vec::new()),
        };
        let schedule = Schedule::new(self.players.len(), seats, self.games);
        let is_enough = progress(&Standings::of(self, seats, &played)).is_break();
        let state = Mutex::new(MatchState { plan: self, log, played, is_enough, error: None });
        let conditions = Conditions {
            players: &self.players,
            terms: self.terms,
            clock: self.clock,
            seed: self.seed,
            children,
            stop,
        };
        let fixtures = Mutex::new(schedule.fixtures());
        std::thread::scope(|scope| {
            for _ in 0..concurrency.max(1) {
                scope.spawn(|| {
                    self.play_games(&fixtures, &book, &state, &conditions, &|played| {
                        progress(&Standings::of(self, seats, played))
                    })
                });
            }
        });
        let MatchState { mut played, error, .. } =
            state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        played.sort_by_key(|game| game.number);
        match error {
            Some(error) => Err(error),
            None => Ok(Standings::of(self, seats, &played)),
        }
    }

    /// Plays games in one thread until none is left or the match ends.
    fn play_games(
        &self,
        fixtures: &Mutex<impl Iterator<Item = Fixture>>,
        book: &Book,
        state: &Mutex<MatchState<'_>>,
        conditions: &Conditions<'_>,
        progress: &dyn Fn(&[PlayedGame]) -> ControlFlow<()>,
    ) {
        let mut seated = SeatedPlayers::new(self.players.len());
        while !conditions.stop.load(Relaxed) {
            if !lock(state).needs_games() {
                return;
            }
            let Some(fixture) = lock(fixtures).next() else { return };
            if lock(state).has(fixture.number) {
                continue;
            }
            let game = match book.opening(&self.game, fixture.opening) {
                Ok(game) => game,
                Err(error) => return lock(state).fail(error.into()),
            };
            let Some(played) = seated.play(game, fixture.number, &fixture.seats, conditions) else { return };
            let mut state = lock(state);
            state.add(played);
            state.is_enough |= progress(&state.played).is_break();
        }
    }

    /// Returns a name for each player, all different: its spec, with `#2`, `#3` and so on if it
    /// occurs again.
    pub fn names(&self) -> Vec<String> {
        distinct_names(&self.players)
    }

    /// Returns the number of seats of the game.
    pub fn seats(&self) -> Result<usize, OpenError> {
        Ok(usize::from(open(&self.game, "start")?.facts().players))
    }

    fn check(&self, seats: usize) -> Result<(), MatchError> {
        let refuse = |reason: String| Err(MatchError::Plan(reason));
        let (players, least) = (self.players.len(), if seats == 1 { 1 } else { 2 });
        if players < least {
            return refuse(format!(
                "{} has {seats} seats and takes at least {least} players, not {players}",
                self.game
            ));
        }
        self.check_boards(seats)?;
        let unlimited =
            self.players.iter().find(|player| !player.is_program() && !player.terms.or(self.terms).end_a_move());
        if let (Some(player), None) = (unlimited, self.clock) {
            return refuse(format!("nothing ends a move of {player}; give a time, playouts, nodes or a clock"));
        }
        let managed = self.players.iter().find(|player| player.manager.is_some());
        if let (Some(player), None) = (managed, self.clock) {
            return refuse(format!("{player} has a time manager, which needs a clock; give one, for example 30s"));
        }
        if self.sprt.is_some() && (players, seats) != (2, 2) {
            return refuse("the sequential test needs two players and a two-player game".to_string());
        }
        let is_test = |sprt: &Sprt| sprt.elo0.is_finite() && sprt.elo1.is_finite() && sprt.elo0 < sprt.elo1;
        if let Some(Sprt { elo0, elo1, .. }) = self.sprt.filter(|sprt| !is_test(sprt)) {
            return refuse(format!("the sequential test needs numbers with elo0 below elo1, not {elo0},{elo1}"));
        }
        Ok(())
    }

    /// Checks that a game for one player, and no other, is played on boards.
    fn check_boards(&self, seats: usize) -> Result<(), MatchError> {
        let refuse = |reason: String| Err(MatchError::Plan(reason));
        let game = &self.game;
        match (seats, &self.openings) {
            (1, Openings::Boards) if self.clock.is_some() => {
                refuse("a board has a budget and no clock; give a time, playouts or nodes for the board".to_string())
            }
            (1, Openings::Boards) if self.games.is_none() => {
                refuse(format!("{game} is for one player; give a number of boards, for example --boards 100"))
            }
            (1, Openings::Boards) => Ok(()),
            (1, _) => refuse(format!(
                "{game} is for one player, so its players have no opponents; compare them on the same boards, for \
                 example with --boards 100"
            )),
            (_, Openings::Boards) => refuse(format!(
                "boards are for games for one player, and {game} has {seats} players; give a number of games, for \
                 example --games 100"
            )),
            _ => Ok(()),
        }
    }

    /// Opens the log and returns the games it has of this match, each replayed with the rules: a
    /// wrong line would spoil the match.
    fn open_log(&self, path: &Path, seats: usize, book: &Book) -> Result<(Log, Vec<PlayedGame>), MatchError> {
        let log_error = |reason: String| LogError { file: path.to_path_buf(), reason };
        let (mut log, lines) = Log::open(path, "line of a match")?;
        let Some((head, games)) = split(path, lines, open_always, PlayedGame::check)? else {
            log.add(&LogLine::Head { head: self.clone() })?;
            return Ok((log, Vec::new()));
        };
        if !self.continues(&head) {
            let (other, this) = (head.summary(), self.summary());
            return Err(log_error(format!("it is the log of another match, {other}; this one is {this}")).into());
        }
        let schedule = Schedule::new(self.players.len(), seats, self.games);
        for game in &games {
            // A file of openings may have changed under the same name. A board is in the spec of
            // its game, which has been replayed.
            let opening = book.opening(&self.game, schedule.fixture(game.number).opening)?;
            if opening.game_text() != game.opening {
                let reason = format!("game {} did not start from its present opening", game.number);
                return Err(log_error(reason).into());
            }
        }
        if head != *self {
            log.add(&LogLine::Head { head: self.clone() })?;
        }
        Ok((log, games.into_iter().filter(|game| self.holds(game, self.games)).collect()))
    }

    /// Returns whether this is the same match up to the number of games and the test.
    pub(crate) fn continues(&self, other: &Match) -> bool {
        Match { games: self.games, sprt: self.sprt, ..other.clone() } == *self
    }

    /// Returns whether a game of a log can belong to this match: the players are in their seats,
    /// and every list has an entry for each seat. Without `start` its board is not checked.
    fn may_hold(&self, game: &PlayedGame, start: Option<&dyn Session>, schedule: &Schedule) -> bool {
        let Fixture { opening, seats, .. } = schedule.fixture(game.number);
        let is_of_game = |start: &dyn Session| {
            let board = (self.openings == Openings::Boards).then(|| start.board(opening)).flatten();
            game.game == board.unwrap_or_else(|| start.spec().clone()).to_string()
        };
        let players = seats.iter().map(|&player| &self.players[player]);
        let sizes = [game.names.len(), game.said.len(), game.spent.len(), game.timing.seconds.len()];
        let verdicts = if seats.len() == 1 { 0 } else { seats.len() };
        let loser = match game.end {
            End::Rules => None,
            End::Resigned { seat } | End::Fault { seat, .. } => Some(seat),
        };
        start.is_none_or(is_of_game)
            && game.seed == self.seed
            && players.eq(&game.players)
            && sizes.iter().all(|&size| size == seats.len())
            && game.verdicts.len() == verdicts
            && game.scores.as_ref().is_none_or(|scores| scores.len() == seats.len())
            && [0, seats.len()].contains(&game.timing.planned_seconds.len())
            && loser.is_none_or(|seat| seat < seats.len())
            && game.seats == seats
    }

    /// Returns whether a game of a log is among the first `games` of its pairing.
    pub(crate) fn holds(&self, game: &PlayedGame, games: Option<u64>) -> bool {
        Schedule::new(self.players.len(), game.seats.len(), games).holds(game.number)
    }

    fn summary(&self) -> String {
        let players = self.names();
        let clock = self.clock.map_or(String::new(), |clock| format!(" clock {clock}"));
        let openings = String::from(self.openings.clone());
        format!(
            "{} {} [{}{clock}] from {openings}, seed {}",
            self.game,
            players.join(" against "),
            self.terms,
            self.seed
        )
    }
}

/// The state that the threads of a match share.
struct MatchState<'a> {
    plan: &'a Match,
    log: Option<Log>,
    played: Vec<PlayedGame>,
    /// Whether `progress` ended the match.
    is_enough: bool,
    error: Option<MatchError>,
}

impl MatchState<'_> {
    /// Returns whether another game is needed.
    fn needs_games(&self) -> bool {
        let is_open = |test: &Sprt| run_test(test, &self.played).1 == Verdict::Open;
        self.error.is_none() && !self.is_enough && self.plan.sprt.as_ref().is_none_or(is_open)
    }

    fn has(&self, number: u64) -> bool {
        self.played.iter().any(|game| game.number == number)
    }

    fn add(&mut self, game: PlayedGame) {
        let line = LogLine::Game(game);
        if let Some(Err(error)) = self.log.as_mut().map(|log| log.add(&line)) {
            return self.fail(error.into());
        }
        let LogLine::Game(game) = line else { unreachable!("the line is a game") };
        self.played.push(game);
    }

    fn fail(&mut self, error: MatchError) {
        self.error.get_or_insert(error);
    }
}

/// Returns the names of players; see [`Match::names`].
pub(crate) fn distinct_names(players: &[PlayerSpec]) -> Vec<String> {
    let name = |(index, player): (usize, &PlayerSpec)| match players[..index]
        .iter()
        .filter(|earlier| *earlier == player)
        .count()
    {
        0 => player.to_string(),
        earlier => format!("{player}#{}", earlier + 1),
    };
    players.iter().enumerate().map(name).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
