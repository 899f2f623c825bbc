//! Programs that are controlled by lines of text.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tesuji_catalog::Fault;
use tesuji_gtp::{Child, Children};

const LONG: Duration = Duration::from_secs(60);

#[test]
fn lines_are_sent_and_received() {
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
fn start_failures_are_reported() {
    for (line, reason) in [("", "empty"), ("no-such-program-anywhere -x", "no-such-program-anywhere"), ("'a", "quote")]
    {
        match Child::start(line, &Children::default()).err() {
            Some(Fault::Crashed(text)) => assert!(text.contains(reason), "{text}"),
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn a_program_without_output_is_silent() {
    let mut sleeper = Child::start("sleep 1000", &Children::default()).unwrap();
    assert!(matches!(sleeper.receive(Duration::from_millis(20)), Err(Fault::Silent(_))));
}

#[test]
fn the_exit_status_and_last_error_lines_are_reported() {
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
fn an_endless_line_is_a_protocol_fault() {
    let mut babbler = Child::start("sh -c 'head -c 1000000 /dev/zero; cat'", &Children::default()).unwrap();
    assert!(matches!(babbler.receive(LONG), Err(Fault::Protocol(_))));
}

/// Waits until a process has ended; false on a timeout.
fn ends(process: &str) -> bool {
    let begin = Instant::now();
    while begin.elapsed() < LONG {
        let status = Command::new("ps").args(["-o", "stat=", "-p", process]).stderr(Stdio::null()).output().unwrap();
        // An ended process may still be a zombie.
        if status.stdout.is_empty() || status.stdout.starts_with(b"Z") {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn descendants_of_a_program_end_with_it() {
    let mut script = Child::start("sh -c 'sleep 1000 & echo $!; wait'", &Children::default()).unwrap();
    let sleeper = script.receive(LONG).unwrap();
    drop(script);
    assert!(ends(&sleeper), "{sleeper} still runs");
}
