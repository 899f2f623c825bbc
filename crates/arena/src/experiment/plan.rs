//! What an experiment is: a file `plan.toml`.
//!
//! A plan has groups; a group is a grid of rows and columns, and each cell is a match, a measurement of speed, or a set
//! of positions to solve. A cell takes its settings from the
//! group, then from its row, its column, and at last from a `cell` of its own; `{row}` and `{column}` in players and games stand for the labels.

use crate::entrant::{Entrant, Terms};
use crate::matches::Match;
use crate::openings::Openings;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use tesuji_catalog::{open, parse_bytes, parse_time};
use thiserror::Error;

/// An experiment.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// What it is called.
    pub title: String,
    /// What it asks.
    pub question: String,
    /// Where the numbers come from that stand beside ours.
    pub source: Option<String>,
    /// The grids.
    pub group: Vec<Group>,
    /// Where it was found.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// A grid of cells.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// A short name, for files.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// What a reader has to know of it, such as how far the source's numbers can be compared with ours.
    pub note: Option<String>,
    /// What is done in a cell.
    #[serde(default)]
    pub measure: Measure,
    /// What the rows are.
    pub rows: String,
    /// What the columns are.
    pub columns: String,
    /// Whether a figure is drawn: a curve over the columns for every row.
    #[serde(default)]
    pub figure: bool,
    /// The settings of all cells.
    #[serde(default)]
    pub settings: Settings,
    /// The rows.
    pub row: Vec<Label>,
    /// The columns.
    pub column: Vec<Label>,
    /// What single cells have of their own.
    #[serde(default)]
    pub cell: Vec<Special>,
}

/// What is done in a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// The first player's share of the points against the second.
    #[default]
    Match,
    /// The simulations of the first player in a second over those of the second.
    Speed,
    /// The share of a set of positions that the first player solves.
    Solve,
}

/// A row or a column.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// What it is called.
    pub label: String,
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
    /// Whether the cell is left out.
    #[serde(default)]
    pub skip: bool,
    /// Its settings.
    #[serde(flatten)]
    pub settings: Settings,
}

/// What a cell is played under. What is not said here is said further out, or is as in `tesuji match`.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The game.
    pub game: Option<String>,
    /// The first player.
    pub first: Option<String>,
    /// The second; nobody where positions are solved.
    pub second: Option<String>,
    /// The positions to solve: a file, found from the folder of the plan.
    pub positions: Option<PathBuf>,
    /// The time for a move; in a measurement of speed, for each look.
    pub time: Option<String>,
    /// The playouts for a move.
    pub playouts: Option<u64>,
    /// The nodes for a move.
    pub nodes: Option<u64>,
    /// The memory of each search.
    pub memory: Option<String>,
    /// The threads of each search.
    pub threads: Option<usize>,
    /// The games of a match; how often the speed of each player is looked at; how many positions are drawn from their file.
    pub games: Option<u64>,
    /// How games begin.
    pub openings: Option<String>,
    /// The seed.
    pub seed: Option<u64>,
    /// Whether the match ends early when it is decided.
    pub early: Option<bool>,
    /// What the source has: percent of the points or positions, or the ratio of speeds.
    pub source: Option<f64>,
    /// The games or positions behind that, if the source says.
    pub source_games: Option<u64>,
}

impl Settings {
    /// These settings, and for what they leave open those further out.
    fn or(&self, outer: &Settings) -> Settings {
        let text = |own: &Option<String>, outer: &Option<String>| own.clone().or_else(|| outer.clone());
        Settings {
            game: text(&self.game, &outer.game),
            first: text(&self.first, &outer.first),
            second: text(&self.second, &outer.second),
            positions: self.positions.clone().or_else(|| outer.positions.clone()),
            time: text(&self.time, &outer.time),
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
    /// What is done.
    pub measure: Measure,
    /// The match, or, for a measurement of speed, what would be one.
    pub plan: Match,
    /// The positions to solve.
    pub positions: Option<PathBuf>,
    /// Whether the match ends early when it is decided.
    pub early: bool,
    /// What the source has.
    pub source: Option<f64>,
    /// The games behind that.
    pub source_games: Option<u64>,
}

/// What is wrong with a plan.
#[derive(Debug, Error)]
#[error("{}: {reason}", file.display())]
pub struct PlanError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong.
    pub reason: String,
}

/// The games of a cell when nothing is said.
const GAMES: u64 = 100;

impl Plan {
    /// Reads `plan.toml` of a folder.
    pub fn read(folder: &Path) -> Result<Plan, PlanError> {
        let file = folder.join("plan.toml");
        let fail = |reason: String| PlanError { file: file.clone(), reason };
        let text = std::fs::read_to_string(&file).map_err(|error| fail(error.to_string()))?;
        let mut plan: Plan = toml::from_str(&text).map_err(|error| fail(error.to_string()))?;
        plan.folder = folder.to_path_buf();
        plan.cells().map_err(fail)?;
        Ok(plan)
    }

    /// All cells, group by group and row by row.
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
                return Err(format!("{}: row {}, column {} is there twice", cell.group, cell.row, cell.column));
            }
        }
        Ok(cells)
    }
}

impl Group {
    /// A special cell for which there is no row or column is a slip of the pen.
    fn check(&self) -> Result<(), String> {
        let has = |labels: &[Label], label: &str| labels.iter().any(|known| known.label == label);
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
        let place = format!("{}: row {}, column {}", self.name, row.label, column.label);
        let told = |what: &str, text: &Option<String>| {
            let text = text.as_ref().ok_or_else(|| format!("{place} has no {what}"))?;
            Ok::<String, String>(text.replace("{row}", &row.label).replace("{column}", &column.label))
        };
        let wrong = |error: String| format!("{place}: {error}");
        let game = told("game", &settings.game)?;
        open(&game, "start").map_err(|error| wrong(error.to_string()))?;
        let player = |what: &str, text: &Option<String>| {
            told(what, text)?.parse::<Entrant>().map_err(|error| wrong(error.to_string()))
        };
        let mut players = vec![player("first", &settings.first)?];
        if self.measure != Measure::Solve {
            players.push(player("second", &settings.second)?);
        } else if settings.positions.is_none() {
            return Err(format!("{place} has no positions"));
        }
        let time = settings.time.as_deref().map(parse_time).transpose().map_err(|error| wrong(error.to_string()))?;
        let memory =
            settings.memory.as_deref().map(parse_bytes).transpose().map_err(|error| wrong(error.to_string()))?;
        let terms = Terms {
            time_seconds: time.map(|time| time.as_secs_f64()),
            playouts: settings.playouts,
            nodes: settings.nodes,
            memory_bytes: memory,
            threads: settings.threads,
        };
        let openings = settings.openings.unwrap_or_else(|| "random:2".to_string());
        Ok(Some(Cell {
            group: self.name.clone(),
            row: row.label.clone(),
            column: column.label.clone(),
            measure: self.measure,
            plan: Match {
                game,
                players,
                terms,
                clock: None,
                openings: Openings::from(openings),
                seed: settings.seed.unwrap_or(1),
                games: Some(settings.games.unwrap_or(GAMES)),
                sprt: None,
            },
            positions: settings.positions.map(|file| folder.join(file)),
            early: settings.early.unwrap_or(false),
            source: settings.source,
            source_games: settings.source_games,
        }))
    }
}

impl Cell {
    /// The name of its log.
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
    fn cells_take_their_settings_from_the_outside_in() {
        let cells = cells(PLAN).unwrap();
        let told: Vec<_> = cells
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
        assert_eq!(told, expected);
        assert_eq!((cells[2].source, cells[2].source_games), (Some(61.5), Some(250)));
    }

    #[test]
    fn slips_of_the_pen_are_named() {
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
            ("label = \"2\"", "label = \"0.5\"", "there is no row \"c4\" with a column \"2\""),
        ] {
            let error = cells(&PLAN.replace(from, to)).unwrap_err();
            assert!(error.contains(words), "{error} does not say {words}");
        }
    }
}
