//! The USI engine: transcripts, `stop` and pondering, and malformed input.

use crate::outside::LONG;
use proptest::prelude::*;
use std::io::{BufRead, BufReader, Cursor, PipeWriter, Write, pipe};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use tesuji_catalog::{AUTO, open};
use tesuji_core::{Limits, PointScore};
use tesuji_gtp::usi::{Notation, Settings, UsiEngine};

fn engine(spec: &str, player: &str, limits: Limits) -> UsiEngine {
    let settings = Settings { player: player.to_string(), limits, seed: 1, threads: 1 };
    UsiEngine::new(open(spec, "start").unwrap(), settings).unwrap()
}

/// A few playouts in little memory.
fn little() -> Limits {
    Limits { playouts: Some(200), nodes: Some(20_000), memory: Some(4 << 20), time: None }
}

/// A conversation with an engine in a thread.
struct Talk {
    input: Option<PipeWriter>,
    output: Receiver<String>,
    engine: JoinHandle<std::io::Result<()>>,
}

impl Talk {
    fn with(engine: UsiEngine) -> Talk {
        let (input, to_engine) = pipe().unwrap();
        let (from_engine, output) = pipe().unwrap();
        let engine = thread::spawn(move || engine.run(BufReader::new(input), output));
        let (sender, lines) = channel();
        thread::spawn(move || {
            BufReader::new(from_engine).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Talk { input: Some(to_engine), output: lines, engine }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn hear(&self) -> String {
        self.output.recv_timeout(LONG).expect("it answers")
    }

    /// The lines up to the first that starts with one of these.
    fn hear_until(&self, last: &[&str]) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.hear());
            if last.iter().any(|last| lines[lines.len() - 1].starts_with(last)) {
                return lines;
            }
        }
    }

    /// Ends the input and returns the remaining output.
    fn end(mut self) -> Vec<String> {
        self.input = None;
        let rest = self.output.iter().collect();
        self.engine.join().unwrap().unwrap();
        rest
    }
}

/// A line without the parts that depend on the clock, the version, or the counts of a search.
fn lasting(line: &str) -> String {
    if !line.starts_with("info ") || line.starts_with("info string") {
        return line.replace(env!("CARGO_PKG_VERSION"), "VERSION");
    }
    let mut words = line.split(' ');
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "time" | "nps" => {
                words.next();
            }
            "depth" | "nodes" => {
                kept.extend([word, "N"]);
                words.next();
            }
            _ => kept.push(word),
        }
    }
    kept.join(" ")
}

/// Sends the input of a transcript (lines with `>`) and returns the transcript with the output. The
/// first line names game and player.
fn transcript(text: &str) -> String {
    let mut lines = text.lines();
    let heading = lines.next().unwrap();
    let (spec, player) = heading.trim_start_matches("# ").split_once(' ').unwrap();
    let mut talk = Talk::with(engine(spec, player, little()));
    let mut actual = format!("{heading}\n");
    for sent in lines.filter_map(|line| line.strip_prefix("> ")) {
        actual += &format!("> {sent}\n");
        talk.say(sent);
        let mut answers = Vec::new();
        if sent.starts_with("go") {
            answers = talk.hear_until(&["bestmove", "checkmate"]);
        }
        // All earlier output precedes the reply to this.
        talk.say("isready");
        answers.extend(talk.hear_until(&["readyok"]));
        answers.pop();
        // The number of info lines depends on the clock, except for the last one.
        let is_search = |line: &String| line.starts_with("info depth") || line.starts_with("info nodes");
        for (at, answer) in answers.iter().enumerate() {
            if !(is_search(answer) && answers.get(at + 1).is_some_and(is_search)) {
                actual += &format!("{}\n", lasting(answer));
            }
        }
    }
    assert_eq!(talk.end(), Vec::<String>::new());
    actual
}

#[test]
fn transcripts_are_as_written() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/usi");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 4, "{files:?}");
    for file in files {
        let expected = std::fs::read_to_string(&file).unwrap();
        let actual = transcript(&expected);
        assert_eq!(actual, expected, "{}: it is now\n{actual}", file.display());
    }
}

#[test]
fn an_infinite_search_answers_only_after_stop() {
    // The search makes few playouts and finishes before `stop`.
    let mut talk = Talk::with(engine("minishogi", "mcts:solver", little()));
    for line in ["position sfen 4k/5/4P/5/K3R b GSBrgsbp 1", "go infinite"] {
        talk.say(line);
    }
    for _ in 0..50 {
        talk.say("isready");
        let lines = talk.hear_until(&["readyok"]);
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    }
    talk.say("stop");
    let lines = talk.hear_until(&["bestmove"]);
    assert_ne!(lines.last().unwrap(), "bestmove resign");
    // No search is left to stop.
    talk.say("stop");
    talk.say("ponderhit");
    assert_eq!(talk.end(), Vec::<String>::new());
}

#[test]
fn an_unlimited_search_is_stopped() {
    let endless = Limits { memory: Some(4 << 20), ..Limits::default() };
    for go in ["go infinite", "go", "go ponder btime 1000 wtime 1000", "go mate infinite"] {
        let mut talk = Talk::with(engine("minishogi", AUTO, endless));
        talk.say(go);
        talk.say("position startpos moves 5d5c");
        talk.say("isready");
        assert_eq!(talk.hear_until(&["readyok"]).pop().unwrap(), "readyok");
        talk.say("stop");
        let lines = talk.hear_until(&["bestmove", "checkmate timeout"]);
        assert_ne!(lines.last().unwrap(), "bestmove resign");
        assert_eq!(talk.end(), Vec::<String>::new(), "{go}");
    }
}

#[test]
fn stop_applies_to_the_last_search_and_all_before_it() {
    let endless = Limits { memory: Some(4 << 20), ..Limits::default() };
    let mut talk = Talk::with(engine("minishogi", AUTO, endless));
    for line in ["go infinite", "position startpos moves 5d5c", "go infinite", "stop"] {
        talk.say(line);
    }
    for _ in 0..2 {
        talk.hear_until(&["bestmove"]);
    }
    assert_eq!(talk.end(), Vec::<String>::new());
}

#[test]
fn the_end_of_the_input_stops_an_unlimited_search() {
    let endless = Limits { memory: Some(4 << 20), ..Limits::default() };
    for go in ["go infinite", "go", "go ponder", "go mate infinite"] {
        let mut talk = Talk::with(engine("minishogi", AUTO, endless));
        talk.say(go);
        let last = talk.end().pop().unwrap();
        assert!(last.starts_with("bestmove") || last == "checkmate timeout", "{go}: {last}");
    }
}

#[test]
fn quit_ends_a_search_without_a_move() {
    let endless = Limits { memory: Some(4 << 20), ..Limits::default() };
    let mut talk = Talk::with(engine("minishogi", AUTO, endless));
    talk.say("go infinite");
    talk.say("quit");
    assert!(!talk.end().iter().any(|line| line.starts_with("bestmove")));
}

#[test]
fn time_starts_at_ponderhit() {
    let endless = Limits { memory: Some(4 << 20), ..Limits::default() };
    let mut talk = Talk::with(engine("minishogi", AUTO, endless));
    talk.say("setoption name USI_Ponder value true");
    talk.say("position startpos moves 5d5c 1b1c");
    talk.say("go ponder btime 0 wtime 0 byoyomi 20");
    for _ in 0..20 {
        talk.say("isready");
        let lines = talk.hear_until(&["readyok"]);
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    }
    talk.say("ponderhit");
    talk.hear_until(&["bestmove"]);
    assert_eq!(talk.end(), Vec::<String>::new());
}

#[test]
fn a_search_stops_at_its_depth() {
    let endless = Limits { memory: Some(4 << 20), ..Limits::default() };
    let mut talk = Talk::with(engine("minishogi", "mcts", endless));
    talk.say("go depth 3");
    let lines = talk.hear_until(&["bestmove"]);
    let info = &lines[lines.len() - 2];
    let depth = info.split(' ').nth(2).unwrap().parse::<u32>().unwrap();
    assert!(depth >= 3, "{info}");
    assert_eq!(talk.end(), Vec::<String>::new());
}

#[test]
fn a_running_search_sends_info() {
    let endless = Limits { memory: Some(4 << 20), ..Limits::default() };
    let mut talk = Talk::with(engine("minishogi", "mcts", endless));
    talk.say("go infinite");
    let line = talk.hear();
    for word in ["info depth ", " nodes ", " nps ", " time ", " score cp ", " pv "] {
        assert!(line.contains(word), "{line}");
    }
    talk.say("gameover lose");
    talk.hear_until(&["bestmove"]);
}

#[test]
fn a_forced_win_is_reported_to_its_end() {
    for (spec, sfen) in [
        ("minishogi", "4k/5/4P/5/K3R b GSBrgsbp 1"),
        ("minishogi", "2r1k/2g1p/5/K4/5 w 2B2SRgp 1"),
        ("lion", "1l1/G1G/1L1/3 b C2ec 1"),
    ] {
        let mut talk = Talk::with(engine(spec, AUTO, Limits { memory: Some(16 << 20), ..Limits::default() }));
        talk.say(&format!("position sfen {sfen}"));
        talk.say("go mate infinite");
        let answer = talk.hear_until(&["checkmate"]).pop().unwrap();
        let moves = answer.strip_prefix("checkmate ").unwrap();
        let mut words = vec!["sfen"];
        words.extend(sfen.split(' ').chain(["moves"]).chain(moves.split(' ')));
        let notation = Notation::of(open(spec, "start").unwrap().as_ref()).unwrap();
        let end = notation.read_game(spec, &words).unwrap();
        let winner = usize::from(sfen.contains(" w "));
        assert_eq!(end.ending().map(|ending| ending.scores[winner]), Some(PointScore::new(1.0)), "{answer}");
    }
}

#[test]
fn unsupported_games_and_searches_are_refused() {
    let refusal = |spec: &str, player: &str| {
        let settings = Settings { player: player.to_string(), limits: little(), seed: 1, threads: 1 };
        UsiEngine::new(open(spec, "start").unwrap(), settings).err().unwrap().to_string()
    };
    assert!(refusal("go:9", AUTO).contains("go:9"));
    assert!(refusal("minishogi", "wizard").contains("wizard"));
}

/// Lines that are nearly valid, or not at all.
fn lines() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("usi"),
        Just("isready"),
        Just("setoption"),
        Just("name"),
        Just("value"),
        Just("USI_Hash"),
        Just("Threads"),
        Just("UCI_Variant"),
        Just("dobutsu"),
        Just("minishogi"),
        Just("position"),
        Just("startpos"),
        Just("sfen"),
        Just("moves"),
        Just("rbsgk/4p/5/P4/KGSBR"),
        Just("gle/1c1/1C1/ELG"),
        Just("4k/5/4P/5/K3R"),
        Just("b"),
        Just("w"),
        Just("-"),
        Just("GSBrgsbp"),
        Just("5d5c"),
        Just("2c2b"),
        Just("P*3c"),
        Just("go"),
        Just("ponder"),
        Just("mate"),
        Just("infinite"),
        Just("nodes"),
        Just("btime"),
        Just("byoyomi"),
        Just("depth"),
        Just("-1"),
        Just("0"),
        Just("3"),
        Just("18446744073709551616"),
        Just("9223372036854775807"),
        Just("stop"),
        Just("ponderhit"),
        Just("usinewgame"),
        Just("gameover"),
    ];
    let nearly = prop::collection::vec(word, 0..8).prop_map(|words| words.join(" "));
    let whole = prop_oneof![
        Just("position startpos moves 5d5c 1b1c"),
        Just("position sfen gle/1c1/1C1/ELG b - 1 moves 2c2b"),
        Just("setoption name UCI_Variant value dobutsu"),
        Just("setoption name UCI_Variant value minishogi"),
        Just("go nodes 20"),
        Just("go mate 5"),
        Just("go infinite"),
        Just("stop"),
    ];
    prop_oneof![3 => nearly, 3 => whole.prop_map(str::to_string), 1 => any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_line_upsets_the_engine(lines in prop::collection::vec(lines(), 1..12)) {
        let limits = Limits { playouts: Some(20), nodes: Some(200), memory: Some(1 << 20), time: None };
        let mut output = Vec::new();
        let input = format!("{}\nposition startpos\ngo nodes 5\n", lines.join("\n").replace("quit", ""));
        engine("minishogi", "mcts:solver", limits).run(Cursor::new(input.into_bytes()), &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        for line in output.lines() {
            let first = line.split(' ').next().unwrap();
            prop_assert!(["id", "option", "usiok", "readyok", "info", "bestmove", "checkmate"].contains(&first), "{line}");
        }
        prop_assert!(output.lines().last().unwrap().starts_with("bestmove"));
    }
}
