//! A program that is spoken to by lines.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tesuji_catalog::Fault;
use tesuji_gtp::{Child, Children};

const LONG: Duration = Duration::from_secs(60);

#[test]
fn a_program_hears_lines_and_answers_in_lines() {
    let mut cat = Child::start("cat", &Children::default()).unwrap();
    for line in ["one", "two  words", ""] {
        cat.send(line).unwrap();
        assert_eq!(cat.receive(LONG).unwrap(), line);
    }
}

#[test]
fn words_are_split_as_a_shell_does() {
    let mut printer = Child::start(r#"printf '%s\r\n' 'a b' "c""#, &Children::default()).unwrap();
    assert_eq!(printer.receive(LONG).unwrap(), "a b");
    assert_eq!(printer.receive(LONG).unwrap(), "c");
}

#[test]
fn what_cannot_be_started_is_named() {
    for (line, reason) in [("", "empty"), ("no-such-program-anywhere -x", "no-such-program-anywhere"), ("'a", "quote")]
    {
        match Child::start(line, &Children::default()).err() {
            Some(Fault::Crashed(text)) => assert!(text.contains(reason), "{text}"),
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn a_program_that_says_nothing_is_silent() {
    let mut sleeper = Child::start("sleep 1000", &Children::default()).unwrap();
    assert!(matches!(sleeper.receive(Duration::from_millis(20)), Err(Fault::Silent(_))));
}

#[test]
fn a_program_that_ends_leaves_its_status_and_last_words() {
    let mut failing = Child::start(
        "sh -c 'echo last; for i in 1 2 3 4 5 6 7; do echo no $i >&2; done; exit 3'",
        &Children::default(),
    )
    .unwrap();
    assert_eq!(failing.receive(LONG).unwrap(), "last");
    let Err(Fault::Crashed(text)) = failing.receive(LONG) else { panic!("it should have ended") };
    assert!(text.contains("exit status: 3") && text.contains("no 7") && !text.contains("no 2"), "{text}");
    assert!(matches!(failing.send("still there?"), Err(Fault::Crashed(_))));
}

#[test]
fn a_line_without_end_is_refused() {
    let mut babbler = Child::start("sh -c 'head -c 1000000 /dev/zero; cat'", &Children::default()).unwrap();
    assert!(matches!(babbler.receive(LONG), Err(Fault::Protocol(_))));
}

/// Waits until a process has ended; false if it does not.
fn ends(process: &str) -> bool {
    let begin = Instant::now();
    while begin.elapsed() < LONG {
        let status = Command::new("ps").args(["-o", "stat=", "-p", process]).stderr(Stdio::null()).output().unwrap();
        // What has ended may still be waiting to be looked after.
        if status.stdout.is_empty() || status.stdout.starts_with(b"Z") {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn what_a_program_has_started_ends_with_it() {
    let mut script = Child::start("sh -c 'sleep 1000 & echo $!; wait'", &Children::default()).unwrap();
    let sleeper = script.receive(LONG).unwrap();
    drop(script);
    assert!(ends(&sleeper), "{sleeper} still runs");
}
