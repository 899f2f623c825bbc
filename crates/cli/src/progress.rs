//! Progress lines on standard error, hidden if it is not a terminal. The message comes last in each
//! line and is cut to the width of the terminal, so that a line never wraps.

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use std::time::Duration;

/// The interval between updates of a progress line.
pub const LIVE: Duration = Duration::from_millis(100);

/// Returns a progress line with a spinner.
pub fn live_line(begin: String) -> anyhow::Result<ProgressBar> {
    let bar = ProgressBar::new_spinner();
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
    let bar = ProgressBar::new(all.unwrap_or(0));
    bar.set_style(ProgressStyle::with_template(&template)?.with_key("left", left));
    bar.enable_steady_tick(Duration::from_millis(200));
    Ok(bar)
}
