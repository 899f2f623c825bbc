//! Progress lines on standard error, hidden if it is not a terminal. The message comes last in each
//! line and is cut to the width of the terminal, so that a line never wraps.

use console::Term;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike};
use std::io;
use std::time::Duration;

/// The interval between updates of a progress line.
pub const LIVE: Duration = Duration::from_millis(100);

/// The columns left free at the end of a line. The terminal echoes `^C` there; in a full line it
/// would wrap, and the line could not be cleared.
const MARGIN: u16 = 3;

/// Standard error, as a terminal that is narrower by the margin.
#[derive(Debug)]
struct NarrowTerminal(Term);

impl TermLike for NarrowTerminal {
    fn width(&self) -> u16 {
        self.0.size().1.saturating_sub(MARGIN)
    }

    fn height(&self) -> u16 {
        self.0.size().0
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_up(lines)
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_down(lines)
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_right(columns)
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_left(columns)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.0.write_line(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns where progress is drawn.
fn target() -> ProgressDrawTarget {
    /// The most updates per second.
    const RATE: u8 = 20;
    let terminal = Term::buffered_stderr();
    if terminal.is_term() {
        ProgressDrawTarget::term_like_with_hz(Box::new(NarrowTerminal(terminal)), RATE)
    } else {
        ProgressDrawTarget::hidden()
    }
}

/// Returns a progress line with a spinner.
pub fn live_line(begin: String) -> anyhow::Result<ProgressBar> {
    let bar = ProgressBar::with_draw_target(None, target());
    bar.set_style(ProgressStyle::with_template("{spinner} {elapsed:>3}  {wide_msg}")?);
    bar.set_message(begin);
    bar.enable_steady_tick(LIVE);
    Ok(bar)
}

/// Returns a progress bar that counts `what`, with the estimated time left; a spinner if the total
/// is unknown.
pub fn counting_bar(all: Option<u64>, what: &str) -> anyhow::Result<ProgressBar> {
    // There is no estimate before the first step.
    let left = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        let eta = state.eta();
        let shown = if eta.is_zero() { "? left".to_string() } else { format!("{:#} left", HumanDuration(eta)) };
        let _ = text.write_str(&shown);
    };
    let template = match all {
        Some(_) => format!("{{bar:20}} {{pos}} of {{len}} {what}, {{left}}  {{wide_msg}}"),
        None => format!("{{spinner}} {{pos}} {what}, {{elapsed}}  {{wide_msg}}"),
    };
    let bar = ProgressBar::with_draw_target(Some(all.unwrap_or(0)), target());
    bar.set_style(ProgressStyle::with_template(&template)?.with_key("left", left));
    bar.enable_steady_tick(Duration::from_millis(200));
    Ok(bar)
}
