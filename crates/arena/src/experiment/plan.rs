//! The plan of an experiment: a file `plan.toml`.
//!
//! A plan has groups; a group is a grid of rows and columns, and each cell is a match, a
//! measurement of speed, a set of positions to solve, or a player on boards of a game for one
//! player. Settings of a `cell` override those of its
//! column, then its row, then its group; `{row}` and `{column}` in players and games stand for the
//! labels.

use crate::clock_terms::ClockTerms;
use crate::matches::Match;
use crate::openings::Openings;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use tesuji_catalog::{open_if_readable, parse_bytes, parse_time};
use tesuji_gtp::{PlayerSpec, Terms};
use thiserror::Error;

/// The name of the file of a plan.
pub(super) const PLAN: &str = "plan.toml";

/// An experiment.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The title.
    pub title: String,
    /// The question it answers.
    pub question: String,
    /// The source of the reference numbers.
    pub source: Option<String>,
    /// The grids.
    pub group: Vec<Group>,
    /// The folder of the plan.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// A grid of cells.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// A short name, used in file names.
    pub name: String,
    /// The title.
    pub title: String,
    /// A note for the reader, such as how comparable the source's numbers are.
    pub note: Option<String>,
    /// What each cell measures.
    #[serde(default)]
    pub measure: Measure,
    /// Whether the columns repeat the same attempts with other seeds, in a group that solves
    /// positions. At each position all rows follow one another, so that the load of the machine is
    /// the same for all, and the report compares the rows over all columns.
    #[serde(default)]
    pub repeats: bool,
    /// The heading of the rows.
    pub rows: String,
    /// The heading of the columns.
    pub columns: String,
    /// Whether to draw a figure with a curve over the columns for every row.
    #[serde(default)]
    pub figure: bool,
    /// The settings of all cells.
    #[serde(default)]
    pub settings: Settings,
    /// The rows.
    pub row: Vec<Label>,
    /// The columns.
    pub column: Vec<Label>,
    /// Settings of single cells.
    #[serde(default)]
    pub cell: Vec<Special>,
}

/// What a cell measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// The first player's score against the second.
    #[default]
    Match,
    /// The ratio of simulations per second of the first player to the second.
    Speed,
    /// The share of a set of positions that the first player solves.
    Solve,
    /// The mean score of the first player on boards of a game for one player.
    Boards,
}

/// A row or a column.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// The label.
    pub label: String,
    /// The source's gains in nodes and in time, of a row in a group of repetitions.
    pub source_gains: Option<[f64; 2]>,
    /// The source's mean ranks by nodes and by time.
    pub source_ranks: Option<[f64; 2]>,
    /// Its settings.
    #[serde(flatten)]
    pub settings: Settings,
}

/// The settings of a single cell.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Special {
    /// The label of its row.
    pub row: String,
    /// The label of its column.
    pub column: String,
    /// Whether to omit the cell.
    #[serde(default)]
    pub skip: bool,
    /// Its settings.
    #[serde(flatten)]
    pub settings: Settings,
}

/// The settings of a cell. `None` inherits from the enclosing level; the outermost defaults are
/// those of `tesuji match`.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The game.
    pub game: Option<String>,
    /// The first player.
    pub first: Option<String>,
    /// The second player; unused for solving and on boards.
    pub second: Option<String>,
    /// The file of positions to solve, relative to the folder of the plan.
    pub positions: Option<PathBuf>,
    /// The time for a move, a board, or each speed sample.
    pub time: Option<String>,
    /// The clock of each player for a whole game.
    pub clock: Option<String>,
    /// The playouts for a move, or for a board.
    pub playouts: Option<u64>,
    /// The nodes for a move, or for a board.
    pub nodes: Option<u64>,
    /// The memory of each search.
    pub memory: Option<String>,
    /// The threads of each search.
    pub threads: Option<usize>,
    /// The number of games, speed samples, sampled positions or boards.
    pub games: Option<u64>,
    /// The openings.
    pub openings: Option<String>,
    /// The seed.
    pub seed: Option<u64>,
    /// Whether the match ends early when it is decided.
    pub early: Option<bool>,
    /// The source's value: score or positions in percent, the ratio of speeds, or the mean score.
    pub source: Option<f64>,
    /// The source's number of games, positions or boards, if stated.
    pub source_games: Option<u64>,
}

impl Settings {
    /// Returns these settings, with those of `outer` where these are `None`.
    fn or(&self, outer: &Settings) -> Settings {
        let text = |own: &Option<String>, outer: &Option<String>| own.clone().or_else(|| outer.clone());
        Settings {
            game: text(&self.game, &outer.game),
            first: text(&self.first, &outer.first),
            second: text(&self.second, &outer.second),
            positions: self.positions.clone().or_else(|| outer.positions.clone()),
            time: text(&self.time, &outer.time),
            clock: text(&self.clock, &outer.clock),
            playouts: self.playouts.or(outer.playouts),
            nodes: self.nodes.or(outer.nodes),
            memory: text(&self.memory, &outer.memory),
            threads: self.threads.or(outer.threads),
            games: self.games.or(outer.games),
            openings: text(&self.openings, &outer.openings),
            seed: self.seed.or(outer.seed),
            early: self.early.or(outer.early),
            source: self.source.or(outer.source),
            source_games: self.source_games.or(outer.source_games),
        }
    }
}

/// A cell with all its settings.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Cell {
    /// The name of its group.
    pub group: String,
    /// The label of its row.
    pub row: String,
    /// The label of its column.
    pub column: String,
    /// What is measured.
    pub measure: Measure,
    /// The match; other measurements use its players and limits.
    pub plan: Match,
    /// The positions to solve.
    pub positions: Option<PathBuf>,
    /// Whether the match ends early when it is decided.
    pub early: bool,
    /// The source's value.
    pub source: Option<f64>,
    /// The source's number of games.
    pub source_games: Option<u64>,
}

/// An invalid plan.
#[derive(Debug, Error)]
#[error("{}: {reason}", file.display())]
pub struct PlanError {
    /// The file.
    pub file: PathBuf,
    /// The reason.
    pub reason: String,
}

/// The default number of games of a cell.
const DEFAULT_GAMES: u64 = 100;

impl Plan {
    /// Reads `plan.toml` in a folder.
    pub fn read(folder: &Path) -> Result<Plan, PlanError> {
        let file = folder.join(PLAN);
        let fail = |reason: String| PlanError { file: file.clone(), reason };
        let text = std::fs::read_to_string(&file).map_err(|error| fail(error.to_string()))?;
        let mut plan: Plan = toml::from_str(&text).map_err(|error| fail(error.to_string()))?;
        plan.folder = folder.to_path_buf();
        plan.cells().map_err(fail)?;
        Ok(plan)
    }

    /// Returns all cells, group by group and row by row.
    pub fn cells(&self) -> Result<Vec<Cell>, String> {
        let mut cells: Vec<Cell> = Vec::new();
        for group in &self.group {
            group.check()?;
            for (row, column) in group.row.iter().flat_map(|row| group.column.iter().map(move |column| (row, column))) {
                cells.extend(group.cell_at(&self.folder, row, column)?);
            }
        }
        for (at, cell) in cells.iter().enumerate() {
            if cells[..at].iter().any(|other| other.file() == cell.file()) {
                return Err(format!("{}: row {}, column {} occurs twice", cell.group, cell.row, cell.column));
            }
        }
        Ok(cells)
    }
}

impl Group {
    /// Checks that every `cell` names an existing row and column, and that repetitions solve
    /// positions.
    fn check(&self) -> Result<(), String> {
        let has = |labels: &[Label], label: &str| labels.iter().any(|known| known.label == label);
        if self.repeats && self.measure != Measure::Solve {
            return Err(format!("{}: repeats is for groups with measure = \"solve\"", self.name));
        }
        match self.cell.iter().find(|cell| !has(&self.row, &cell.row) || !has(&self.column, &cell.column)) {
            Some(cell) => Err(format!("{}: there is no row {:?} with a column {:?}", self.name, cell.row, cell.column)),
            None => Ok(()),
        }
    }

    fn cell_at(&self, folder: &Path, row: &Label, column: &Label) -> Result<Option<Cell>, String> {
        let special = self.cell.iter().find(|cell| (&cell.row, &cell.column) == (&row.label, &column.label));
        if special.is_some_and(|special| special.skip) {
            return Ok(None);
        }
        let own = special.map_or_else(Settings::default, |special| special.settings.clone());
        let settings = own.or(&column.settings).or(&row.settings).or(&self.settings);
        let location = format!("{}: row {}, column {}", self.name, row.label, column.label);
        let required = |what: &str, text: &Option<String>| {
            let text = text.as_ref().ok_or_else(|| format!("{location} has no {what}"))?;
            Ok::<String, String>(text.replace("{row}", &row.label).replace("{column}", &column.label))
        };
        let invalid = |error: String| format!("{location}: {error}");
        let game = required("game", &settings.game)?;
        if let Some(session) = open_if_readable(&game, "start").map_err(|error| invalid(error.to_string()))? {
            let seats = session.facts().players;
            self.measure.check(&settings, seats).map_err(|reason| invalid(format!("{game} {reason}")))?;
        }
        let player = |what: &str, text: &Option<String>| {
            required(what, text)?.parse::<PlayerSpec>().map_err(|error| invalid(error.to_string()))
        };
        let mut players = vec![player("first", &settings.first)?];
        match self.measure {
            Measure::Match | Measure::Speed => players.push(player("second", &settings.second)?),
            Measure::Solve if settings.positions.is_none() => return Err(format!("{location} has no positions")),
            Measure::Solve | Measure::Boards => {}
        }
        let time = settings.time.as_deref().map(parse_time).transpose().map_err(|error| invalid(error.to_string()))?;
        let memory =
            settings.memory.as_deref().map(parse_bytes).transpose().map_err(|error| invalid(error.to_string()))?;
        let terms = Terms {
            time_seconds: time.map(|time| time.as_secs_f64()),
            playouts: settings.playouts,
            nodes: settings.nodes,
            memory_bytes: memory,
            threads: settings.threads,
        };
        let clock = clock_of(settings.clock.as_deref(), &players).map_err(invalid)?;
        let openings = self.measure.openings(settings.openings);
        Ok(Some(Cell {
            group: self.name.clone(),
            row: row.label.clone(),
            column: column.label.clone(),
            measure: self.measure,
            plan: Match {
                game,
                players,
                terms,
                clock,
                openings,
                seed: settings.seed.unwrap_or(1),
                games: Some(settings.games.unwrap_or(DEFAULT_GAMES)),
                sprt: None,
            },
            positions: settings.positions.map(|file| folder.join(file)),
            early: settings.early.unwrap_or(false),
            source: settings.source,
            source_games: settings.source_games,
        }))
    }
}

impl Measure {
    /// Returns the openings of a cell, given its setting.
    fn openings(self, given: Option<String>) -> Openings {
        match self {
            Measure::Boards => Openings::Boards,
            _ => Openings::from(given.unwrap_or_else(|| "random:2".to_string())),
        }
    }

    /// Checks that a game and settings can be measured; the error continues the name of the game.
    fn check(self, settings: &Settings, seats: u8) -> Result<(), String> {
        match (self, seats) {
            (Measure::Match, 1) => {
                Err("is for one player; measure = \"boards\" compares players on boards".to_string())
            }
            (Measure::Boards, 2..) => Err(format!("has {seats} players; measure = \"boards\" is for one player")),
            (Measure::Boards, _) => {
                let unused = [
                    ("openings", settings.openings.is_some()),
                    ("clock", settings.clock.is_some()),
                    ("early", settings.early.is_some()),
                ];
                let given = unused.iter().find(|(_, is_given)| *is_given);
                given.map_or(Ok(()), |(name, _)| Err(format!("is played on boards, which take no {name}")))
            }
            _ => Ok(()),
        }
    }
}

/// Reads the clock of a cell, which players with a time manager need.
fn clock_of(clock: Option<&str>, players: &[PlayerSpec]) -> Result<Option<ClockTerms>, String> {
    let clock = clock.map(str::parse::<ClockTerms>).transpose().map_err(|error| error.to_string())?;
    if let (None, Some(player)) = (clock, players.iter().find(|player| player.manager.is_some())) {
        return Err(format!("{player} has a time manager but no clock"));
    }
    Ok(clock)
}

impl Cell {
    /// Returns the file name of its log.
    pub fn file(&self) -> String {
        let plain = |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "-");
        format!("{}_{}_{}.jsonl", plain(&self.group), plain(&self.row), plain(&self.column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = r#"
        title = "T"
        question = "Q?"
        [[group]]
        name = "sweep"
        title = "A sweep"
        rows = "game"
        columns = "C"
        settings = { first = "mcts:c={column}", second = "mcts", playouts = 50, games = 8 }
        row = [{ label = "ttt", game = "tictactoe" }, { label = "c4", game = "connect4", games = 4 }]
        column = [{ label = "0.5" }, { label = "2", playouts = 70 }]
        cell = [{ row = "c4", column = "2", source = 61.5, source_games = 250 }, { row = "ttt", column = "2", skip = true }]
    "#;

    fn cells(text: &str) -> Result<Vec<Cell>, String> {
        toml::from_str::<Plan>(text).map_err(|error| error.to_string())?.cells()
    }

    #[test]
    fn inner_settings_override_outer_ones() {
        let cells = cells(PLAN).unwrap();
        let actual: Vec<_> = cells
            .iter()
            .map(|cell| (cell.file(), cell.plan.players[0].to_string(), cell.plan.terms.playouts, cell.plan.games))
            .collect();
        let expected = [
            ("sweep_ttt_0.5.jsonl", "mcts:c=0.5", 50, 8),
            ("sweep_c4_0.5.jsonl", "mcts:c=0.5", 50, 4),
            ("sweep_c4_2.jsonl", "mcts:c=2", 70, 4),
        ];
        let expected = expected
            .map(|(file, first, playouts, games)| (file.to_string(), first.to_string(), Some(playouts), Some(games)));
        assert_eq!(actual, expected);
        assert_eq!((cells[2].source, cells[2].source_games), (Some(61.5), Some(250)));
    }

    const BOARDS: &str = r#"
        title = "T"
        question = "Q?"
        [[group]]
        name = "tiles"
        title = "Tiles"
        measure = "boards"
        rows = "player"
        columns = "playouts"
        settings = { game = "samegame:5x5,colours=3", first = "{row}", games = 20, source = 812.5 }
        row = [{ label = "mcts" }, { label = "nmcs:level=1" }]
        column = [{ label = "100", playouts = 100 }, { label = "1000", playouts = 1000 }]
    "#;

    #[test]
    fn a_cell_on_boards_has_one_player_and_a_budget() {
        let cells = cells(BOARDS).unwrap();
        assert_eq!(cells.len(), 4);
        let Cell { plan, source, .. } = &cells[3];
        let players: Vec<String> = plan.players.iter().map(ToString::to_string).collect();
        assert_eq!((players, plan.terms.playouts), (vec!["nmcs:level=1".to_string()], Some(1000)));
        assert_eq!((plan.games, &plan.openings, *source), (Some(20), &Openings::Boards, Some(812.5)));
    }

    #[test]
    fn boards_of_a_missing_file_can_be_planned() {
        let from_file = |game: &str| BOARDS.replace("samegame:5x5,colours=3", game);
        let cells = cells(&from_file("samegame:board=missing.txt")).unwrap();
        assert_eq!(cells[0].plan.game, "samegame:board=missing.txt");
        let error = self::cells(&from_file("connect4:board=missing.txt")).unwrap_err();
        assert!(error.contains("connect4 has no option \"board\""), "{error}");
    }

    #[test]
    fn mistakes_in_a_group_on_boards_are_reported() {
        for (from, to, words) in [
            (
                "samegame:5x5,colours=3",
                "connect4",
                "row mcts, column 100: connect4 has 2 players; measure = \"boards\"",
            ),
            ("measure = \"boards\"", "", "samegame:5x5,colours=3 is for one player; measure = \"boards\""),
            ("games = 20", "games = 20, openings = \"random:2\"", "which take no openings"),
            ("games = 20", "games = 20, clock = \"1s\"", "which take no clock"),
            ("games = 20", "games = 20, early = true", "which take no early"),
            ("first = \"{row}\", ", "", "row mcts, column 100 has no first"),
        ] {
            let error = cells(&BOARDS.replace(from, to)).unwrap_err();
            assert!(error.contains(words), "{error} does not say {words}");
        }
    }

    #[test]
    fn mistakes_are_reported() {
        for (from, to, words) in [
            ("game = \"connect4\"", "game = \"chess\"", "sweep: row c4, column 0.5: there is no game \"chess\""),
            (
                "row = \"c4\", column = \"2\", source",
                "row = \"c4\", column = \"3\", source",
                "there is no row \"c4\" with a column \"3\"",
            ),
            ("second = \"mcts\", ", "", "sweep: row ttt, column 0.5 has no second"),
            ("question = \"Q?\"", "quest = \"Q?\"", "unknown field `quest`"),
            ("playouts = 70", "playout = 70", "unknown field `playout`"),
            ("games = 8", "game_count = 8", "unknown field `game_count`"),
            ("playouts = 50", "clock = \"soon\"", "\"soon\" is not a clock"),
            ("second = \"mcts\"", "second = \"mcts@time=stop:f=2\"", "has a time manager but no clock"),
            ("rows = \"game\"", "rows = \"game\"\nrepeats = true", "repeats is for groups with measure = \"solve\""),
            ("label = \"2\"", "label = \"0.5\"", "there is no row \"c4\" with a column \"2\""),
        ] {
            let error = cells(&PLAN.replace(from, to)).unwrap_err();
            assert!(error.contains(words), "{error} does not say {words}");
        }
    }
}
