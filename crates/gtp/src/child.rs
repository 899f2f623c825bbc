//! A program that is spoken to by lines.

use crate::lines::{self, Heard};
use std::collections::{BTreeSet, VecDeque};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tesuji_catalog::Fault;

/// So many lines may wait to be heard; a program that says more waits until they are. With [`lines::LONGEST`] it bounds what a program can
/// make us keep.
const WAITING: usize = 256;
/// So many lines of what a program complained of are told when it ends.
const LAST_WORDS: usize = 5;
/// So much of each of them is kept.
const LONGEST_COMPLAINT: usize = 400;
/// A program whose input is closed has so long to end by itself. Raising it makes programs that do not listen end later.
const GOODBYE: Duration = Duration::from_secs(1);
/// How often it is looked whether a program has ended.
const LOOK: Duration = Duration::from_millis(5);

/// Where Debian puts programs that play; the path of root leaves it out.
const GAMES: &str = "/usr/games";

/// The process numbers of all programs that run.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all programs by force and at once: for somebody who is about to exit without dropping anything.
pub fn end_all() {
    running().iter().for_each(|&process| end_family(process));
}

/// Ends a program and those it has started, which are a group: a script that starts the program proper is often what is run.
fn end_family(process: u32) {
    // Without a group to name, or the command, there is only the program itself.
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

/// A program that runs beside us and is spoken to by lines. It ends when this is dropped.
pub struct Child {
    name: String,
    process: std::process::Child,
    input: Option<ChildStdin>,
    output: Option<Receiver<Heard>>,
    complaints: Arc<Mutex<VecDeque<String>>>,
    /// The thread that keeps the complaints.
    keeper: JoinHandle<()>,
}

impl Child {
    /// Starts a program from a command line: words as a shell splits them, but no shell.
    pub fn start(command_line: &str) -> Result<Child, Fault> {
        let words = shlex::split(command_line).ok_or_else(|| {
            Fault::Crashed(format!("the command line {command_line:?} has a quote that does not end"))
        })?;
        let (program, arguments) =
            words.split_first().ok_or_else(|| Fault::Crashed("the command line is empty".to_string()))?;
        let mut process = spawn(program, arguments)
            .or_else(|error| match error.kind() {
                ErrorKind::NotFound if !program.contains('/') => spawn(&format!("{GAMES}/{program}"), arguments),
                _ => Err(error),
            })
            .map_err(|error| Fault::Crashed(format!("{program:?} cannot be started: {error}")))?;
        running().insert(process.id());
        let (sender, output) = sync_channel(WAITING);
        let stdout = process.stdout.take();
        thread::spawn(move || stdout.map(|stdout| listen(stdout, &sender)));
        let complaints = Arc::new(Mutex::new(VecDeque::new()));
        let (stderr, kept) = (process.stderr.take(), Arc::clone(&complaints));
        let keeper = thread::spawn(move || stderr.map_or((), |stderr| keep_last(stderr, &kept)));
        let input = process.stdin.take();
        Ok(Child { name: program.clone(), process, input, output: Some(output), complaints, keeper })
    }

    /// Says a line.
    pub fn say(&mut self, line: &str) -> Result<(), Fault> {
        let said = match &mut self.input {
            Some(input) => writeln!(input, "{line}").and_then(|()| input.flush()),
            None => return Err(self.last_words()),
        };
        said.map_err(|_| self.last_words())
    }

    /// The next line, without its end: [`Fault::Silent`] if none comes within `patience`, [`Fault::Crashed`] with the exit status and the
    /// last complaints if the program has ended.
    pub fn hear(&mut self, patience: Duration) -> Result<String, Fault> {
        let Some(output) = &self.output else { return Err(self.last_words()) };
        match output.recv_timeout(patience) {
            Ok(Heard::Line(line)) => Ok(line),
            Ok(Heard::TooLong) => {
                Err(Fault::Protocol(format!("{} said a line of more than {} bytes", self.name, lines::LONGEST)))
            }
            Err(RecvTimeoutError::Timeout) => {
                Err(Fault::Silent(format!("{} said nothing for {:.1} s", self.name, patience.as_secs_f64())))
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.last_words()),
        }
    }

    /// Ends the program: closes its input, gives it a moment, and then ends it by force.
    pub fn end(&mut self) {
        self.input = None;
        self.output = None;
        if self.wait(GOODBYE).is_none() {
            end_family(self.process.id());
            // Both fail only if it has ended by now.
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
        running().remove(&self.process.id());
    }

    /// Waits for the program to end by itself.
    fn wait(&mut self, patience: Duration) -> Option<String> {
        let begin = Instant::now();
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if begin.elapsed() < patience => thread::sleep(LOOK),
                Ok(None) => return None,
                Err(error) => return Some(error.to_string()),
            }
        }
    }

    /// How a program ended that no longer listens or speaks.
    fn last_words(&mut self) -> Fault {
        let how = self.wait(GOODBYE).unwrap_or_else(|| "it closed its input or output and stays".to_string());
        self.end();
        let begin = Instant::now();
        // A child of its own may hold its output open; that is not waited for.
        while !self.keeper.is_finished() && begin.elapsed() < GOODBYE {
            thread::sleep(LOOK);
        }
        let complaints = self.complaints.lock().map(|lines| Vec::from(lines.clone()).join(" | ")).unwrap_or_default();
        let said = if complaints.is_empty() { String::new() } else { format!("; it said: {complaints}") };
        Fault::Crashed(format!("{} ended: {how}{said}", self.name))
    }
}

fn spawn(program: &str, arguments: &[String]) -> std::io::Result<std::process::Child> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Ctrl-C is for us: we end our programs ourselves, when the game has been put away.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

impl Drop for Child {
    fn drop(&mut self) {
        self.end();
    }
}

/// Sends the lines of an output until it ends, nobody hears them, or one is too long.
fn listen(output: impl Read, sender: &SyncSender<Heard>) {
    let mut output = BufReader::new(output);
    while let Some(heard) = lines::next_or_part(&mut output) {
        let ends = heard == Heard::TooLong;
        if sender.send(heard).is_err() || ends {
            return;
        }
    }
}

/// Keeps the last lines of an output.
fn keep_last(output: impl Read, kept: &Mutex<VecDeque<String>>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    // A longer line counts for several.
    while output.by_ref().take(LONGEST_COMPLAINT as u64).read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
        let text = String::from_utf8_lossy(&line).trim_end().to_string();
        line.clear();
        let Ok(mut kept) = kept.lock() else { return };
        if !text.is_empty() {
            kept.push_back(text);
        }
        if kept.len() > LAST_WORDS {
            kept.pop_front();
        }
    }
}
