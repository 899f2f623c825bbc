//! A program that is controlled by lines of text.

use crate::lines::{self, InputLine};
use std::collections::{BTreeSet, VecDeque};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tesuji_catalog::Fault;
use tesuji_core::quoted;

/// The number of unread output lines after which a program blocks. With the longest line it bounds
/// the memory that a program can make Tesuji use.
const MOST_UNREAD: usize = 256;
/// The number of lines of a program's standard error that are reported when it ends.
const ERROR_LINES: usize = 5;
/// The number of bytes of each of them that is kept.
const LONGEST_ERROR_LINE: usize = 400;
/// How long a program may take to exit after its input is closed. Raising it delays the end of
/// unresponsive programs.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);
/// How often an exiting program is polled.
const POLL: Duration = Duration::from_millis(5);

/// Where Debian installs games; the path of root leaves it out.
const GAMES: &str = "/usr/games";

/// The programs that were started through it and still run. Clones share the same programs.
#[derive(Clone, Debug, Default)]
pub struct Children {
    /// Process ids.
    running: Arc<Mutex<BTreeSet<u32>>>,
}

impl Children {
    fn running(&self) -> MutexGuard<'_, BTreeSet<u32>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Kills all programs at once, for callers that are about to exit without dropping anything.
    pub fn kill_all(&self) {
        self.running().iter().for_each(|&process| kill_group(process));
    }
}

/// Kills a program and its descendants, which form a process group: command lines often name a
/// wrapper script.
fn kill_group(process: u32) {
    // Without process groups, or without the command, the caller kills the program itself.
    #[cfg(unix)]
    let _ = Command::new("kill")
        .args(["-KILL", "--", &format!("-{process}")])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    #[cfg(not(unix))]
    let _ = process;
}

/// A running program that is controlled by lines of text. Dropping it ends the program.
pub struct Child {
    name: String,
    process: std::process::Child,
    input: Option<ChildStdin>,
    output: Option<Receiver<InputLine>>,
    /// The most bytes of an output line.
    longest_line: usize,
    /// The last lines of its standard error.
    errors: Arc<Mutex<VecDeque<String>>>,
    /// The thread that reads them.
    error_reader: JoinHandle<()>,
    siblings: Children,
}

impl Child {
    /// Starts a program and registers it in `children`. The command line is split as a shell does,
    /// but not run by one.
    pub fn start(command_line: &str, children: &Children) -> Result<Child, Fault> {
        Child::start_with(command_line, children, lines::LONGEST)
    }

    /// As [`start`](Child::start), for a program whose lines have at most `longest_line` bytes.
    pub fn start_with(command_line: &str, children: &Children, longest_line: usize) -> Result<Child, Fault> {
        let words = shlex::split(command_line)
            .ok_or_else(|| Fault::Crashed(format!("the command line {command_line:?} has an unterminated quote")))?;
        let (program, arguments) =
            words.split_first().ok_or_else(|| Fault::Crashed("the command line is empty".to_string()))?;
        let mut process = spawn(program, arguments)
            .or_else(|error| match error.kind() {
                ErrorKind::NotFound if !program.contains('/') => spawn(&format!("{GAMES}/{program}"), arguments),
                _ => Err(error),
            })
            .map_err(|error| {
                Fault::Crashed(format!("{program} cannot be started: {error}", program = quoted(program)))
            })?;
        children.running().insert(process.id());
        let (sender, output) = sync_channel(MOST_UNREAD);
        let stdout = process.stdout.take();
        thread::spawn(move || stdout.map(|stdout| forward_lines(stdout, &sender, longest_line)));
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        let (stderr, last) = (process.stderr.take(), Arc::clone(&errors));
        let error_reader = thread::spawn(move || stderr.map_or((), |stderr| keep_last_lines(stderr, &last)));
        let (input, output) = (process.stdin.take(), Some(output));
        let (name, siblings) = (program.clone(), children.clone());
        Ok(Child { name, process, input, output, longest_line, errors, error_reader, siblings })
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Result<(), Fault> {
        let sent = match &mut self.input {
            Some(input) => writeln!(input, "{line}").and_then(|()| input.flush()),
            None => return Err(self.exit_fault()),
        };
        sent.map_err(|_| self.exit_fault())
    }

    /// Returns the next line without its line end: [`Fault::Silent`] if none comes within
    /// `timeout`, [`Fault::Crashed`] with the exit status and the last error lines if the program
    /// has ended.
    pub fn receive(&mut self, timeout: Duration) -> Result<String, Fault> {
        let Some(output) = &self.output else { return Err(self.exit_fault()) };
        match output.recv_timeout(timeout) {
            Ok(InputLine::Text(line)) => Ok(line),
            Ok(InputLine::TooLong) => {
                Err(Fault::Protocol(format!("{} sent a line of more than {} bytes", self.name, self.longest_line)))
            }
            Err(RecvTimeoutError::Timeout) => {
                Err(Fault::Silent(format!("{} sent nothing for {:.1} s", self.name, timeout.as_secs_f64())))
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.exit_fault()),
        }
    }

    /// Ends the program: closes its input, and kills it if it does not exit in time.
    pub fn end(&mut self) {
        self.input = None;
        self.output = None;
        if self.wait(EXIT_TIMEOUT).is_none() {
            kill_group(self.process.id());
            // Both fail only if it has exited by now.
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
        self.siblings.running().remove(&self.process.id());
    }

    /// Waits for the program to exit and returns its status; `None` if it does not exit in time.
    fn wait(&mut self, timeout: Duration) -> Option<String> {
        let begin = Instant::now();
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if begin.elapsed() < timeout => thread::sleep(POLL),
                Ok(None) => return None,
                Err(error) => return Some(error.to_string()),
            }
        }
    }

    /// Ends a program that has closed its input or output, and reports how it exited.
    fn exit_fault(&mut self) -> Fault {
        let how =
            self.wait(EXIT_TIMEOUT).unwrap_or_else(|| "it closed its input or output and kept running".to_string());
        self.end();
        let begin = Instant::now();
        // A child of the program may hold standard error open, so the wait is bounded.
        while !self.error_reader.is_finished() && begin.elapsed() < EXIT_TIMEOUT {
            thread::sleep(POLL);
        }
        let errors = self.errors.lock().map(|lines| Vec::from(lines.clone()).join(" | ")).unwrap_or_default();
        let errors = if errors.is_empty() { String::new() } else { format!("; it said: {errors}") };
        Fault::Crashed(format!("{} ended: {how}{errors}", self.name))
    }
}

fn spawn(program: &str, arguments: &[String]) -> std::io::Result<std::process::Child> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Ctrl-C in the terminal reaches only Tesuji, which saves the game before it ends its programs.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

impl Drop for Child {
    fn drop(&mut self) {
        self.end();
    }
}

/// Forwards the lines of an output until it ends, the receiver is gone, or a line is too long.
fn forward_lines(output: impl Read, sender: &SyncSender<InputLine>, longest_line: usize) {
    let mut output = BufReader::new(output);
    while let Some(line) = lines::next_or_part(&mut output, longest_line) {
        let ends = line == InputLine::TooLong;
        if sender.send(line).is_err() || ends {
            return;
        }
    }
}

/// Keeps the last lines of an output.
fn keep_last_lines(output: impl Read, last: &Mutex<VecDeque<String>>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    // A longer line counts as several.
    while output.by_ref().take(LONGEST_ERROR_LINE as u64).read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
        let text = String::from_utf8_lossy(&line).trim_end().to_string();
        line.clear();
        let Ok(mut last) = last.lock() else { return };
        if !text.is_empty() {
            last.push_back(text);
        }
        if last.len() > ERROR_LINES {
            last.pop_front();
        }
    }
}
