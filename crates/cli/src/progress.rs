//! How far a command is, and how it is stopped.

use indicatif::{ProgressBar, ProgressStyle};
use jointplay_study::sweep::Cancellation;

/// A bar for so many things, such as `laws`.
pub(crate) fn bar(count: usize, things: &str) -> ProgressBar {
    let bar = ProgressBar::new(count as u64);
    let style = format!("[{{bar:40}}] {{pos}} of {{len}} {things}  {{eta}} left");
    let style = ProgressStyle::with_template(&style);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
    bar
}

/// A request to stop that Ctrl-C makes.
pub(crate) fn stopped_by_user() -> Cancellation {
    let cancellation = Cancellation::new();
    let asked = cancellation.clone();
    // Without a handler Ctrl-C ends the program, as everywhere.
    let _ = ctrlc::set_handler(move || asked.cancel());
    cancellation
}
