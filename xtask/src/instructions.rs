//! `cargo xtask instructions`: counts the instructions of the hot paths of games and searches.
//!
//! Unlike times, instruction counts do not depend on other load, so every test run notices a slower
//! path. The examples `instructions` of `tesuji-games` and `simulations` of `tesuji-search` execute
//! the paths, and callgrind counts each separately. Frameworks such as gungraun run every path in
//! its own process and need a runner that must be compiled first; this is one process of a few
//! seconds.

use crate::shell;
use anyhow::{Context, bail, ensure};
use comfy_table::Table;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

/// Arguments of `cargo xtask instructions`.
#[derive(clap::Args)]
pub struct Args {
    /// Record the measured counts
    #[arg(long)]
    pub bless: bool,
}

/// The recorded counts.
const RECORD: &str = "testdata/instructions.txt";
/// The packages and examples that execute the paths. In each, the function `counted` is measured.
const PROGRAMS: [(&str, &str); 2] = [("tesuji-games", "instructions"), ("tesuji-search", "simulations")];
/// A count more than this percentage above the record is a failure. Compilers and processors differ
/// by less, lost optimisations cost more.
const TOLERANCE: u64 = 5;

/// A game and one of its paths, such as `awari play` or `loa mcts`.
type Path = String;

pub fn run(args: &Args) -> anyhow::Result<()> {
    let counts = count()?;
    let made_with = made_with()?;
    if args.bless {
        std::fs::write(RECORD, written(&counts, &made_with))?;
        eprintln!("recorded {} counts in {RECORD}", counts.len());
        return Ok(());
    }
    let text = std::fs::read_to_string(RECORD).with_context(|| format!("cannot read {RECORD}"))?;
    compare(&counts, &read(&text)?)
        .with_context(|| format!("this is {made_with}; the first lines of {RECORD} name the versions of the record"))
}

/// Runs the examples under callgrind and returns the counts in their order.
fn count() -> anyhow::Result<Vec<(Path, u64)>> {
    let counts = PROGRAMS.iter().map(|(package, example)| count_in(package, example));
    Ok(counts.collect::<anyhow::Result<Vec<_>>>()?.concat())
}

fn count_in(package: &str, example: &str) -> anyhow::Result<Vec<(Path, u64)>> {
    let program = build(package, example)?;
    let dump = program.with_extension("callgrind");
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--tool=callgrind", "--combine-dumps=yes"]);
    valgrind.arg(format!("--callgrind-out-file={}", dump.display()));
    let counted = format!("{example}::counted");
    valgrind.args([format!("--toggle-collect={counted}"), format!("--dump-after={counted}")]);
    let paths = shell::output(valgrind.arg(&program))?;
    let paths: Vec<&str> = paths.lines().collect();
    let dump = std::fs::read_to_string(dump)?;
    let totals = dump.lines().filter_map(|line| line.strip_prefix("totals: "));
    let totals: Vec<u64> =
        totals.map(str::parse).collect::<Result<_, _>>().context("callgrind printed an invalid total")?;
    // Callgrind dumps once more, with nothing to report, at the end of the program.
    ensure!(totals.len() == paths.len() + 1, "{} paths, but {} totals from callgrind", paths.len(), totals.len());
    Ok(paths.into_iter().map(str::to_string).zip(totals).collect())
}

/// Builds the example and returns the path of the executable.
fn build(package: &str, example: &str) -> anyhow::Result<PathBuf> {
    let words = ["build", "--quiet", "--release", "--package", package, "--example", example];
    let messages = shell::output(shell::cargo(&words).arg("--message-format=json-render-diagnostics"))?;
    for line in messages.lines() {
        let message: serde_json::Value = serde_json::from_str(line)?;
        match message["executable"].as_str() {
            Some(program) if message["target"]["name"] == example => return Ok(program.into()),
            _ => {}
        }
    }
    bail!("cargo did not report the path of the executable");
}

fn made_with() -> anyhow::Result<String> {
    let rustc = shell::output(Command::new("rustc").arg("--version"))?;
    let valgrind = shell::output(Command::new("valgrind").arg("--version"))?;
    Ok(format!("{}, {}", rustc.trim(), valgrind.trim()))
}

fn written(counts: &[(Path, u64)], made_with: &str) -> String {
    let mut text = format!(
        "# Instruction counts of hot paths: game, path, count.\n\
         # Made by `cargo xtask instructions --bless` with {made_with}.\n"
    );
    for (path, count) in counts {
        let _ = writeln!(text, "{path} {count}");
    }
    text
}

fn read(text: &str) -> anyhow::Result<BTreeMap<Path, u64>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entries = lines.map(|line| {
        let entry = line.rsplit_once(' ').and_then(|(path, count)| Some((path.to_string(), count.parse().ok()?)));
        entry.with_context(|| format!("{RECORD}: expected game, path and count: {line:?}"))
    });
    entries.collect()
}

fn compare(counts: &[(Path, u64)], record: &BTreeMap<Path, u64>) -> anyhow::Result<()> {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING).set_header(["path", "recorded", "now", "change"]);
    let (mut worse, mut better) = (0, 0);
    for (path, now) in counts {
        let before = record.get(path).with_context(|| {
            format!("{path} takes {now} instructions and is not recorded: run cargo xtask instructions --bless")
        })?;
        let is_worse = now * 100 > before * (100 + TOLERANCE);
        let is_better = now * 100 < before * (100 - TOLERANCE);
        worse += u32::from(is_worse);
        better += u32::from(is_better);
        if is_worse || is_better {
            let change = 100.0 * (*now as f64 / *before as f64 - 1.0);
            table.add_row([path.clone(), before.to_string(), now.to_string(), format!("{change:+.1} %")]);
        }
    }
    if let Some(gone) = record.keys().find(|path| counts.iter().all(|(known, _)| known != *path)) {
        bail!("{gone} is recorded but no longer exists: run cargo xtask instructions --bless");
    }
    if worse + better > 0 {
        eprintln!("{table}");
    }
    ensure!(worse == 0, "{worse} of {} counts are more than {TOLERANCE} % above the record", counts.len());
    if better > 0 {
        eprintln!("{better} counts are more than {TOLERANCE} % below the record: run cargo xtask instructions --bless");
    }
    eprintln!("{} instruction counts are as on record, or better", counts.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_more_instructions_are_a_failure() {
        let counts = |play: u64| vec![("awari play".to_string(), play)];
        let record = read(&written(&counts(1000), "a compiler")).unwrap();
        assert!(compare(&counts(1050), &record).is_ok());
        assert!(compare(&counts(1051), &record).is_err());
        assert!(compare(&counts(500), &record).is_ok());
        assert!(compare(&[], &record).is_err());
        assert!(compare(&[counts(1000), vec![("awari playout".to_string(), 1)]].concat(), &record).is_err());
    }
}
