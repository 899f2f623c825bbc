//! Go problems from outside: answers, proofs, results as SGF, collections, and what is refused.

use crate::program::{json, tesuji};
use predicates::prelude::*;
use predicates::str::contains;

/// An eye of three points: who plays on its middle point first decides.
const THREE: &str = "SZ[7]AB[ae:ge][af:ag][gf:gg]AW[bf:ff][bg][fg]";

struct Folder(tempfile::TempDir);

impl Folder {
    fn with(name: &str, text: &str) -> (Folder, String) {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        let file = folder.file(name);
        std::fs::write(&file, text).expect("a file");
        (folder, file)
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a name").to_string()
    }
}

#[test]
fn a_problem_is_answered_in_the_words_of_players() {
    let (folder, file) = Folder::with("p.sgf", &format!("(;{THREE}PL[B]C[goal=kill])"));
    let proof = folder.file("proof");
    let arguments = ["tsumego", &file, "--nodes", "300000", "--move", "c1", "--proof", &proof];
    tesuji(&arguments).assert().success().stdout(
        contains("Black to play kills with D1 (unconditionally)")
            .and(contains("C1 fails: D1"))
            .and(contains("verified")),
    );
    tesuji(&["verify", &proof]).assert().success();
    // The other side to move, without a goal: the same group is found.
    let (_folder, file) = Folder::with("p.sgf", &format!("(;{THREE}PL[W])"));
    tesuji(&["tsumego", &file, "--nodes", "300000", "--region", "near"])
        .assert()
        .success()
        .stdout(contains("White to play lives with D1 (unconditionally)"));
}

#[test]
fn the_same_nodes_give_the_same_answer() {
    let (_folder, file) = Folder::with("p.sgf", &format!("(;{THREE}PL[B]C[goal=kill])"));
    let arguments = ["tsumego", &file, "--nodes", "5000"];
    let [mut one, mut other] = [0, 1].map(|_| json(&arguments, 0));
    one["timing"] = other["timing"].take();
    one["timing"].take();
    assert_eq!(one, other);
    assert_eq!((&one["verdict"]["at_least"], &one["targets"][0]), (&"+inf".into(), &"F1".into()));
}

#[test]
fn results_are_written_as_variations() {
    let (folder, file) = Folder::with("p.sgf", &format!("(;{THREE}PL[B]C[goal=kill]XX[kept];B[df])"));
    let out = folder.file("out.sgf");
    tesuji(&["tsumego", &file, "--nodes", "300000", "--move", "C1", "--write", &out]).assert().success();
    let text = std::fs::read_to_string(&out).expect("a file");
    for part in ["XX[kept]", "kills with D1 (unconditionally)", "C1 fails", ";B[dg]", ";B[cg]", ";B[df]"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let record = tesuji_sgf::read(&text).expect("valid SGF");
    assert_eq!(record[0].tree().root().children.len(), 3);
}

#[test]
fn a_collection_is_compared_with_its_book_and_resumed() {
    let problems = [("PL[B]C[goal=kill];B[dg]", ""), ("PL[B]C[goal=kill];B[cg]", ""), ("PL[W]C[goal=live];W[dg]", "")];
    let text: String = problems.iter().map(|(rest, _)| format!("(;{THREE}{rest})\n")).collect();
    let (folder, file) = Folder::with("book.sgf", &text);
    let log = folder.file("log");
    let arguments = ["tsumego", &file, "--all", "--nodes", "300000", "--region", "near", "--log", &log];
    let report = json(&arguments, 0);
    // The first two show one position, for which either first move of the book is right.
    assert_eq!((&report["all"]["agrees"], &report["all"]["problems"]), (&3.into(), &3.into()));
    assert_eq!(report["goals"]["kill"]["decided"], 2);
    // A shorter log is completed; one with other settings is refused.
    let lines = std::fs::read_to_string(&log).expect("a log");
    assert_eq!(lines.lines().count(), 3);
    std::fs::write(&log, lines.lines().next().expect("a line").to_string() + "\n").expect("a file");
    tesuji(&arguments).assert().success().stdout(contains("all").and(contains("3")));
    assert_eq!(std::fs::read_to_string(&log).expect("a log").lines().count(), 3);
    let other = ["tsumego", &file, "--all", "--nodes", "7", "--region", "near", "--log", &log];
    tesuji(&other).assert().code(2).stderr(contains("it was written with").and(contains("nodes 300000")));
}

#[test]
fn a_book_that_errs_is_reported() {
    let (_folder, file) = Folder::with("book.sgf", &format!("(;{THREE}PL[B]C[goal=kill]GN[seven];B[cg])"));
    tesuji(&["tsumego", &file, "--all", "--nodes", "300000", "--region", "near"])
        .assert()
        .success()
        .stdout(contains("1 (seven): book C1; Black to play kills with D1 (unconditionally)"));
}

#[test]
fn wrong_arguments_are_refused_with_what_is_accepted() {
    let (_folder, file) = Folder::with("p.sgf", &format!("(;{THREE}PL[B])(;{THREE}PL[W])"));
    for (arguments, part) in [
        (vec![], "has 2 problems; choose one with --number"),
        (vec!["--number", "3"], "expected a number from 1 to 2"),
        (vec!["--number", "1", "--goal", "win"], "expected live, save"),
        (vec!["--number", "1", "--region", "small"], "expected near, wide"),
        (vec!["--number", "1", "--region", "A1:Z9"], "Z9 is not a point"),
        (vec!["--number", "1", "--target", "D4"], "no stone on D4"),
        (vec!["--number", "1", "--target", "B2", "--goal", "live"], "of the player to move only"),
        (vec!["--number", "1", "--by", "random"], "random"),
        (vec!["--number", "1", "--nodes", "1000", "--move", "A1"], "not a legal move"),
    ] {
        let all: Vec<&str> = ["tsumego", &file].into_iter().chain(arguments).collect();
        tesuji(&all).assert().code(2).stderr(contains(part));
    }
}

/// Black on D1 kills the group that White saves there.
#[test]
fn inversions_are_drawn_and_listed() {
    let (_folder, file) = Folder::with("p.sgf", &format!("(;{THREE}PL[W]C[goal=live])"));
    tesuji(&["inversions", &file]).assert().success().stdout(
        contains("White to play lives with D1 (unconditionally)")
            .and(contains("strong"))
            .and(contains("! D1 (+inf becomes none)"))
            .and(contains("+ ! +")),
    );
    let report = json(&["inversions", &file], 0);
    let found = &report["inversions"];
    assert_eq!((&found["winner"], &found["points"][0]["effect"]), (&"White".into(), &"strong".into()));
    let zone: Vec<&str> = found["zone"].as_array().expect("a zone").iter().filter_map(|name| name.as_str()).collect();
    assert!(zone.contains(&"D1") && !zone.contains(&"A7"), "{zone:?}");
    // The same as a position, and with the intersection of zones.
    let position = report["answer"]["position"].as_str().expect("a position");
    let other = json(&["inversions", "life:7", "--position", position, "--quick"], 0);
    assert_eq!((&other["inversions"]["points"], &other["quick"]), (&found["points"], &true.into()));
}

#[test]
fn problems_without_inversions_are_refused() {
    let (_folder, file) = Folder::with("p.sgf", &format!("(;{THREE}PL[B])(;{THREE}PL[W])"));
    for (arguments, part) in [
        (vec![file.as_str()], "has 2 problems; choose one with --number"),
        (vec![file.as_str(), "--number", "1", "--target", "D4"], "no stone on D4"),
        (vec![file.as_str(), "--number", "1", "--goal", "semeai", "--target", "B2", "--target", "A3"], "expected live"),
        (vec!["go:9", "--position", "start"], "not a position of capture or life"),
        (vec!["life:7,seki=dead", "--position", "start"], "without options but the size"),
        (vec!["life:7", "--position", "start", "--number", "1"], "cannot be used with"),
    ] {
        let all: Vec<&str> = ["inversions"].into_iter().chain(arguments).collect();
        tesuji(&all).assert().code(2).stderr(contains(part));
    }
    let position = [",,,,,,,/,,,,,,,/,,,,,,,/,,,,,,,/XXXXXXX/XwwwwwX/Xw...wX", " X - 0 0,0"].concat();
    tesuji(&["solve", "life:7", "--goal", "win", "--zone", "--position", &position])
        .assert()
        .success()
        .stdout(contains("zone").and(contains("C1 D1 E1")));
}
