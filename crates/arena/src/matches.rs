//! A match from its first game to its last: threads, log, and when it is over.

use crate::entrant::{ClockTerms, Entrant, EntrantError, Terms};
use crate::openings::{Book, Openings};
use crate::referee::{Conditions, End, Played, Seated};
use crate::schedule::{Fixture, Schedule};
use crate::sprt::{Sprt, Verdict};
use crate::standings::{Standings, decided};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_catalog::{Log, LogError, OpenError, open};
use thiserror::Error;

/// What is played: the first line of a log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Match {
    /// The game.
    pub game: String,
    /// The players.
    pub players: Vec<Entrant>,
    /// What each may use for each move, if it has no terms of its own.
    pub terms: Terms,
    /// The clock for a whole game, if there is one.
    pub clock: Option<ClockTerms>,
    /// How games begin.
    pub openings: Openings,
    /// The seed of openings and searches. Without limits of time, and with one thread for each search, the games depend on nothing else.
    pub seed: u64,
    /// The games of every pairing; for ever, or until the test decides, if nothing is said.
    pub games: Option<u64>,
    /// The test that ends it.
    pub sprt: Option<Sprt>,
}

/// Why a match could not be played.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The game.
    #[error(transparent)]
    Game(#[from] OpenError),
    /// A player or an opening.
    #[error(transparent)]
    Entrant(#[from] EntrantError),
    /// A player that cannot be brought to the game.
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
    /// What cannot be asked for.
    #[error("{0}")]
    Plan(String),
}

/// A line of a log: the match first, then its games in the order in which they ended. When more games or another test were asked for, the match stands there again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Line {
    Head {
        #[serde(rename = "match")]
        head: Match,
    },
    Game(Played),
}

/// Reads a log: the match as it was asked for last, and its games, in the order of their numbers.
pub fn read_log(path: &Path) -> Result<(Match, Vec<Played>), LogError> {
    let lines = Log::read(path, "line of a match")?;
    let (head, mut games) =
        split(path, lines)?.ok_or_else(|| LogError { file: path.to_path_buf(), reason: "it is empty".to_string() })?;
    games.retain(|game| head.holds(game, head.games));
    Ok((head, games))
}

/// The match and the games of a log; `None` if it has no lines. What cannot be told of a match is refused here, so that nobody has to ask again.
fn split(path: &Path, lines: Vec<Line>) -> Result<Option<(Match, Vec<Played>)>, LogError> {
    let fault = |reason: String| LogError { file: path.to_path_buf(), reason };
    let mut lines = lines.into_iter();
    let mut head = match lines.next() {
        None => return Ok(None),
        Some(Line::Game(_)) => return Err(fault("line 1 does not say what match this is".to_string())),
        Some(Line::Head { head }) => head,
    };
    let session = open(&head.game, "start").map_err(|error| fault(error.to_string()))?;
    let (spec, seats) = (session.spec().to_string(), usize::from(session.facts().players));
    head.check(seats).map_err(|error| fault(error.to_string()))?;
    let schedule = Schedule::new(head.players.len(), seats, None);
    let mut games: Vec<Played> = Vec::new();
    for (number, line) in (2..).zip(lines) {
        match line {
            Line::Game(game) if !head.has_seen(&game, &spec, &schedule) => {
                return Err(fault(format!("line {number} is no game of this match")));
            }
            Line::Game(game) => games.push(game),
            Line::Head { head: next } if next.is_more_of(&head) => head = next,
            Line::Head { .. } => return Err(fault(format!("it holds two matches, the second from line {number} on"))),
        }
    }
    games.sort_by_key(|game: &Played| game.number);
    match games.windows(2).find(|two| two[0].number == two[1].number) {
        Some(twice) => Err(fault(format!("it has game {} twice", twice[0].number))),
        None => Ok(Some((head, games))),
    }
}

/// Keeps a log for us alone as long as the file is open: two who write to the same one spoil it.
fn claim(path: &Path) -> Result<File, LogError> {
    let fault = |reason: String| LogError { file: path.to_path_buf(), reason };
    let file = OpenOptions::new().append(true).create(true).open(path).map_err(|error| fault(error.to_string()))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(fault("somebody else is writing to it".to_string())),
        // Where files cannot be kept for oneself it goes without.
        _ => Ok(file),
    }
}

impl Match {
    /// Plays the match, or goes on with it if its log has games of it. `progress` hears of the standings at the beginning and after every game, and
    /// says whether it goes on; if not, games under way are played to their end. If `stop` is raised, they do not count.
    pub fn play(
        &self,
        log: Option<&Path>,
        concurrency: usize,
        stop: &AtomicBool,
        progress: &(dyn Fn(&Standings) -> ControlFlow<()> + Sync),
    ) -> Result<Standings, MatchError> {
        let seats = self.seats()?;
        self.check(seats)?;
        let book = Book::new(&self.openings, &self.game, self.seed)?;
        let opening = book.opening(&self.game, 0)?;
        for player in &self.players {
            let invited = player.invite(opening.as_ref()).and_then(|mut invited| invited.begin(opening.as_ref()));
            invited.map_err(|fault| MatchError::Player { player: player.to_string(), fault })?;
        }
        let _claim = log.map(claim).transpose()?;
        let (log, played) = match log {
            Some(log) => self.open_log(log, seats, &book).map(|(log, played)| (Some(log), played))?,
            None => (None, Vec::new()),
        };
        let schedule = Schedule::new(self.players.len(), seats, self.games);
        let is_enough = progress(&Standings::of(self, seats, &played)).is_break();
        let hall = Mutex::new(Hall { plan: self, log, played, is_enough, error: None });
        let fixtures = Mutex::new(schedule.fixtures());
        std::thread::scope(|scope| {
            for _ in 0..concurrency.max(1) {
                scope.spawn(|| {
                    self.play_games(&fixtures, &book, &hall, stop, &|played| {
                        progress(&Standings::of(self, seats, played))
                    })
                });
            }
        });
        let Hall { mut played, error, .. } = hall.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        played.sort_by_key(|game| game.number);
        match error {
            Some(error) => Err(error),
            None => Ok(Standings::of(self, seats, &played)),
        }
    }

    /// What one thread does: a game after the other, until there is none left or the match is decided.
    fn play_games(
        &self,
        fixtures: &Mutex<impl Iterator<Item = Fixture>>,
        book: &Book,
        hall: &Mutex<Hall<'_>>,
        stop: &AtomicBool,
        progress: &dyn Fn(&[Played]) -> ControlFlow<()>,
    ) {
        let mut seated = Seated::new(self.players.len());
        let conditions =
            Conditions { players: &self.players, terms: self.terms, clock: self.clock, seed: self.seed, stop };
        while !stop.load(Relaxed) {
            if !lock(hall).goes_on() {
                return;
            }
            let Some(fixture) = lock(fixtures).next() else { return };
            if lock(hall).has(fixture.number) {
                continue;
            }
            let game = match book.opening(&self.game, fixture.opening) {
                Ok(game) => game,
                Err(error) => return lock(hall).fail(error.into()),
            };
            let Some(played) = seated.play(game, fixture.number, &fixture.seats, &conditions) else { return };
            let mut hall = lock(hall);
            hall.add(played);
            hall.is_enough |= progress(&hall.played).is_break();
        }
    }

    /// The seats of the game.
    pub fn seats(&self) -> Result<usize, OpenError> {
        Ok(usize::from(open(&self.game, "start")?.facts().players))
    }

    fn check(&self, seats: usize) -> Result<(), MatchError> {
        let wrong = |reason: String| Err(MatchError::Plan(reason));
        let (players, least) = (self.players.len(), if seats == 1 { 1 } else { 2 });
        if players < least {
            return wrong(format!("{} has {seats} seats and takes at least {least} players, not {players}", self.game));
        }
        let endless =
            self.players.iter().find(|player| !player.is_program() && !player.terms.or(self.terms).end_a_move());
        if let (Some(player), None) = (endless, self.clock) {
            return wrong(format!("nothing ends a move of {player}; give a time, playouts, nodes or a clock"));
        }
        if self.sprt.is_some() && (players, seats) != (2, 2) {
            return wrong("the sequential test is for two players of a game for two".to_string());
        }
        let is_test = |sprt: &Sprt| sprt.elo0.is_finite() && sprt.elo1.is_finite() && sprt.elo0 < sprt.elo1;
        if let Some(Sprt { elo0, elo1, .. }) = self.sprt.filter(|sprt| !is_test(sprt)) {
            return wrong(format!("the sequential test takes numbers, elo0 below elo1, not {elo0},{elo1}"));
        }
        Ok(())
    }

    /// The log and the games it has of this match.
    fn open_log(&self, path: &Path, seats: usize, book: &Book) -> Result<(Log, Vec<Played>), MatchError> {
        let fault = |reason: String| LogError { file: path.to_path_buf(), reason };
        let (mut log, lines) = Log::open(path, "line of a match")?;
        let Some((head, games)) = split(path, lines)? else {
            log.add(&Line::Head { head: self.clone() })?;
            return Ok((log, Vec::new()));
        };
        if !self.is_more_of(&head) {
            let words = (head.in_words(), self.in_words());
            return Err(fault(format!("it is the log of another match, {}; this one is {}", words.0, words.1)).into());
        }
        let schedule = Schedule::new(self.players.len(), seats, self.games);
        for game in &games {
            // The name of a file says nothing of what is in it.
            if book.opening(&self.game, schedule.fixture(game.number).opening)?.game_text() != game.opening {
                let reason = format!("game {} did not begin with the opening that it has now", game.number);
                return Err(fault(reason).into());
            }
        }
        if head != *self {
            log.add(&Line::Head { head: self.clone() })?;
        }
        Ok((log, games.into_iter().filter(|game| self.holds(game, self.games)).collect()))
    }

    /// Whether this is the same match, perhaps with more games or another test.
    pub(crate) fn is_more_of(&self, other: &Match) -> bool {
        Match { games: self.games, sprt: self.sprt, ..other.clone() } == *self
    }

    /// Whether a line of a log can be a game of this match: the right players in the right seats, and everything said of each of them.
    fn has_seen(&self, game: &Played, spec: &str, schedule: &Schedule) -> bool {
        let seats = schedule.fixture(game.number).seats;
        let players = seats.iter().map(|&player| &self.players[player]);
        let sizes = [game.names.len(), game.said.len(), game.spent.len(), game.timing.seconds.len()];
        let verdicts = if seats.len() == 1 { 0 } else { seats.len() };
        let loser = match game.end {
            End::Rules => None,
            End::Resigned { seat } | End::Fault { seat, .. } => Some(seat),
        };
        game.game == spec
            && game.seed == self.seed
            && players.eq(&game.players)
            && sizes.iter().all(|&size| size == seats.len())
            && game.verdicts.len() == verdicts
            && game.scores.as_ref().is_none_or(|scores| scores.len() == seats.len())
            && loser.is_none_or(|seat| seat < seats.len())
            && game.seats == seats
    }

    /// Whether a game of a log is among the first `games` of its pairing.
    pub(crate) fn holds(&self, game: &Played, games: Option<u64>) -> bool {
        Schedule::new(self.players.len(), game.seats.len(), games).holds(game.number)
    }

    fn in_words(&self) -> String {
        let players: Vec<String> = self.players.iter().map(Entrant::to_string).collect();
        let clock =
            self.clock.map_or(String::new(), |clock| format!(" clock {}s+{}s", clock.seconds, clock.increment_seconds));
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

/// What the threads of a match share.
struct Hall<'a> {
    plan: &'a Match,
    log: Option<Log>,
    played: Vec<Played>,
    /// Whether whoever looks on has seen enough.
    is_enough: bool,
    error: Option<MatchError>,
}

impl Hall<'_> {
    /// Whether another game is wanted.
    fn goes_on(&self) -> bool {
        let is_open = |test: &Sprt| decided(test, &self.played).1 == Verdict::Open;
        self.error.is_none() && !self.is_enough && self.plan.sprt.as_ref().is_none_or(is_open)
    }

    fn has(&self, number: u64) -> bool {
        self.played.iter().any(|game| game.number == number)
    }

    fn add(&mut self, game: Played) {
        let line = Line::Game(game);
        if let Some(Err(error)) = self.log.as_mut().map(|log| log.add(&line)) {
            return self.fail(error.into());
        }
        let Line::Game(game) = line else { unreachable!("it was made two lines above") };
        self.played.push(game);
    }

    fn fail(&mut self, error: MatchError) {
        self.error.get_or_insert(error);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
