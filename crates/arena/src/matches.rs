//! A match from its first game to its last: threads, log, and when it is over.

use crate::entrant::{ClockTerms, Entrant, EntrantError, Terms};
use crate::openings::{Book, Openings};
use crate::referee::{Conditions, Played, Seated};
use crate::schedule::{Fixture, Schedule};
use crate::sprt::{Sprt, Verdict};
use crate::standings::{Standings, decided};
use serde::{Deserialize, Serialize};
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

/// A line of a log: the match first, then its games in the order in which they ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Line {
    Head {
        #[serde(rename = "match")]
        head: Match,
    },
    Game(Played),
}

/// Reads a log: the match and its games, in the order of their numbers.
pub fn read_log(path: &Path) -> Result<(Match, Vec<Played>), LogError> {
    let lines = Log::read(path, "line of a match")?;
    split(path, lines)?.ok_or_else(|| LogError { file: path.to_path_buf(), reason: "it is empty".to_string() })
}

/// The match and the games of a log; `None` if it has no lines.
fn split(path: &Path, lines: Vec<Line>) -> Result<Option<(Match, Vec<Played>)>, LogError> {
    let fault = |reason: &str| LogError { file: path.to_path_buf(), reason: reason.to_string() };
    let mut lines = lines.into_iter();
    let head = match lines.next() {
        None => return Ok(None),
        Some(Line::Game(_)) => return Err(fault("line 1 does not say what match this is")),
        Some(Line::Head { head }) => head,
    };
    let mut games = Vec::new();
    for line in lines {
        match line {
            Line::Game(game) => games.push(game),
            Line::Head { .. } => return Err(fault("it holds two matches")),
        }
    }
    games.sort_by_key(|game: &Played| game.number);
    Ok(Some((head, games)))
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
        let (log, played) = self.open_log(log)?;
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
        if let Some(Sprt { elo0, elo1, .. }) = self.sprt.filter(|sprt| sprt.elo0 >= sprt.elo1) {
            return wrong(format!("the sequential test takes elo0 below elo1, not {elo0},{elo1}"));
        }
        Ok(())
    }

    /// The log and the games it has of this match.
    fn open_log(&self, path: Option<&Path>) -> Result<(Option<Log>, Vec<Played>), MatchError> {
        let Some(path) = path else { return Ok((None, Vec::new())) };
        let (mut log, lines) = Log::open(path, "line of a match")?;
        let Some((head, games)) = split(path, lines)? else {
            log.add(&Line::Head { head: self.clone() })?;
            return Ok((Some(log), Vec::new()));
        };
        // More games may be asked for, or another test; all else makes it another match.
        let asked = Match { games: head.games, sprt: head.sprt, ..self.clone() };
        if head != asked {
            let reason =
                format!("it is the log of another match, {}; this one is {}", head.in_words(), self.in_words());
            return Err(LogError { file: path.to_path_buf(), reason }.into());
        }
        let wanted: Vec<Played> = games.into_iter().filter(|game| self.holds(game, self.games)).collect();
        Ok((Some(log), wanted))
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
