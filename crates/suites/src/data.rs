//! Readers of the test data in `testdata/`: perft counts, random games and lists.

use std::path::{Path, PathBuf};

/// Returns the folder of the test data.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// Returns the files in a subfolder of the test data with their texts, sorted by name.
pub fn files(name: &str) -> Vec<(PathBuf, String)> {
    let entries = std::fs::read_dir(folder().join(name)).unwrap_or_else(|error| panic!("testdata/{name}: {error}"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    let text = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path, text)
    };
    paths.into_iter().map(text).collect()
}

/// Returns the path of a file of external data, in the folder that `TESUJI_DATA` names; prints a
/// line and returns `None` if the variable is not set.
pub fn outside(file: &str) -> Option<PathBuf> {
    match std::env::var_os("TESUJI_DATA") {
        Some(folder) => Some(Path::new(&folder).join(file)),
        None => {
            println!("TESUJI_DATA is not set: {file} is skipped");
            None
        }
    }
}

/// Returns the text of a file of external data.
pub fn outside_text(file: &str) -> Option<String> {
    let path = outside(file)?;
    Some(std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Perft counts of one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PerftBlock {
    /// The game.
    pub spec: String,
    /// `start` or a position text.
    pub position: String,
    /// The source of the counts.
    pub source: String,
    /// Pairs of depth and number of leaves.
    pub counts: Vec<(u32, u64)>,
}

/// Reads a file of perft blocks.
///
/// ```
/// let text = "spec tictactoe\nposition start\nsource by hand\nperft 1 9\nperft 2 72\n";
/// let blocks = tesuji_suites::data::perft_blocks(text).unwrap();
/// assert_eq!(blocks[0].counts, [(1, 9), (2, 72)]);
/// ```
pub fn perft_blocks(text: &str) -> Result<Vec<PerftBlock>, String> {
    let mut blocks: Vec<PerftBlock> = Vec::new();
    for (number, line) in lines(text) {
        let fail = |what: &str| format!("line {number}: {what}: {line:?}");
        let (word, rest) = line.split_once(' ').ok_or_else(|| fail("expected a keyword and a value"))?;
        if word == "spec" {
            let block =
                PerftBlock { spec: rest.into(), position: "start".into(), source: String::new(), counts: Vec::new() };
            blocks.push(block);
            continue;
        }
        let block = blocks.last_mut().ok_or_else(|| fail("a block starts with spec"))?;
        match word {
            "position" => block.position = rest.to_string(),
            "source" => block.source = rest.to_string(),
            "perft" => {
                let (depth, leaves) = rest.split_once(' ').ok_or_else(|| fail("expected depth and count"))?;
                let depth = depth.parse().map_err(|_| fail("the depth is not a number"))?;
                block.counts.push((depth, leaves.trim().parse().map_err(|_| fail("the count is not a number"))?));
            }
            _ => return Err(fail("expected spec, position, source or perft")),
        }
    }
    match blocks.iter().find(|block| block.source.is_empty() || block.counts.is_empty()) {
        Some(block) => Err(format!("the block of {} {} has no source or no counts", block.spec, block.position)),
        None => Ok(blocks),
    }
}

/// Random games of one spec, played by another program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamesBlock {
    /// The game.
    pub spec: String,
    /// The program that played them.
    pub source: String,
    /// The games.
    pub games: Vec<PeerGame>,
}

/// A random game: the seed determines the moves, and the hash covers all lists of legal moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PeerGame {
    /// The seed.
    pub seed: u64,
    /// The number of moves played.
    pub plies: u32,
    /// FNV-1a over the sorted legal moves of every position.
    pub fold: u64,
    /// The final scores; `None` if the game was cut off where the rules of the programs differ.
    pub scores: Option<Vec<i32>>,
}

/// Reads a file of random games.
///
/// ```
/// let text = "spec tictactoe\nsource by hand\n1 7 00000000000000ff 1,-1\n2 3 0f -\n";
/// let blocks = tesuji_suites::data::games_blocks(text).unwrap();
/// assert_eq!(blocks[0].games[0].scores, Some(vec![1, -1]));
/// assert_eq!(blocks[0].games[1].fold, 15);
/// ```
pub fn games_blocks(text: &str) -> Result<Vec<GamesBlock>, String> {
    let mut blocks: Vec<GamesBlock> = Vec::new();
    for (number, line) in lines(text) {
        let fail = |what: &str| format!("line {number}: {what}: {line:?}");
        if let Some(spec) = line.strip_prefix("spec ") {
            blocks.push(GamesBlock { spec: spec.into(), source: String::new(), games: Vec::new() });
            continue;
        }
        let block = blocks.last_mut().ok_or_else(|| fail("a block starts with spec"))?;
        if let Some(source) = line.strip_prefix("source ") {
            block.source = source.to_string();
            continue;
        }
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [seed, plies, fold, scores] = fields[..] else {
            return Err(fail("expected seed, plies, hash and scores"));
        };
        let scores = match scores {
            "-" => None,
            list => Some(list.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|_| fail("bad scores"))?),
        };
        block.games.push(PeerGame {
            seed: seed.parse().map_err(|_| fail("bad seed"))?,
            plies: plies.parse().map_err(|_| fail("bad number of plies"))?,
            fold: u64::from_str_radix(fold, 16).map_err(|_| fail("bad hash"))?,
            scores,
        });
    }
    Ok(blocks)
}

/// Returns the problems of `testdata/go-problems.txt`: their specs and the rows of their boards.
pub fn go_problems() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(folder().join("go-problems.txt")).expect("testdata/go-problems.txt");
    let values = |word: &'static str| {
        let found = lines(&text).filter_map(|(_, line)| line.strip_prefix(word)).map(|value| value.trim().to_string());
        found.collect::<Vec<String>>()
    };
    let board = |(spec, rows): (String, String)| {
        let size: usize = spec.split(':').nth(1).and_then(|size| size.parse().ok()).expect("a size");
        let rows: Vec<String> = rows.split('/').map(|row| format!("{row:,<size$}")).collect();
        let above = vec![",".repeat(size); size - rows.len()];
        (spec, [above, rows].concat().join("/"))
    };
    values("spec ").into_iter().zip(values("rows ")).map(board).collect()
}

/// Returns the specs on which every suite runs: each game with its defaults, then the variants of
/// `testdata/variants.txt`.
pub fn specs() -> Vec<String> {
    let defaults = tesuji_games::INFOS.iter().map(|info| info.name.to_string());
    defaults.chain(list("variants.txt")).collect()
}

/// Returns the searches that every suite runs: each with its defaults, then the specs of
/// `testdata/searches.txt`.
pub fn searches() -> Vec<String> {
    let defaults = tesuji_search::INFOS.iter().map(|info| info.name.to_string());
    defaults.chain(list("searches.txt")).collect()
}

/// The searches of [`searches`] that answer yes/no questions and find exact values in
/// every game.
pub fn solvers() -> Vec<String> {
    let solves = |player: &String| {
        let spec = player.parse().unwrap_or_else(|error| panic!("{player}: {error}"));
        // `auto` depends on the game and is not a solver by itself.
        tesuji_search::capabilities(&spec).is_ok_and(|can| can.solves && can.proves && can.cycle_safe)
    };
    searches().into_iter().filter(solves).collect()
}

/// Returns the games on which the search battery runs: `testdata/small-games.txt`, and the defaults
/// of games that are not in it.
pub fn small_games() -> Vec<String> {
    let mut games = list("small-games.txt");
    let missing = tesuji_games::INFOS.iter().filter(|info| !has_game(&games, info.name));
    let missing: Vec<String> = missing.map(|info| info.name.to_string()).collect();
    games.extend(missing);
    games
}

/// Returns whether one of the specs is of the given game.
pub fn has_game(specs: &[String], name: &str) -> bool {
    specs.iter().any(|spec| spec.split(':').next() == Some(name))
}

/// Returns the games whose late positions minimax solves: `testdata/late-games.txt`.
pub fn late_games() -> Vec<String> {
    list("late-games.txt")
}

/// Returns the entries of a list in the test data.
fn list(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder().join(file)).unwrap_or_else(|error| panic!("testdata/{file}: {error}"));
    lines(&text).map(|(_, line)| line.to_string()).collect()
}

/// Returns the lines that are neither empty nor comments, with their numbers.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}
