//! Progress bars, and stopping a command by signals.

use std::sync::atomic::{AtomicU8, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use jointplay_study::sweep::Cancellation;

/// A progress bar for a number of things, such as `laws`.
pub(crate) fn bar(count: usize, things: &str) -> ProgressBar {
    let bar = ProgressBar::new(count as u64);
    let style =
        format!("[{{bar:40}}] {{pos}} of {{len}} {things}, {{per_sec}}  {{eta}} left {{msg}}");
    let style = ProgressStyle::with_template(&style);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
    bar
}

/// The signal that requested the stop, 0 for none.
static STOPPED_BY: AtomicU8 = AtomicU8::new(0);

/// The exit code of a command stopped by a signal: 128 plus the number of the signal, as in shells; 130 for Ctrl-C.
pub(crate) fn exit_code() -> u8 {
    const INTERRUPT: u8 = 2;
    let signal = STOPPED_BY.load(Ordering::Relaxed);
    128 + if signal == 0 { INTERRUPT } else { signal }
}

/// A request to stop that is triggered by Ctrl-C and, where they exist, by the signals that end a session or a service. A
/// signal that was ignored at the start stays ignored: a run under `nohup` continues when its terminal closes.
pub(crate) fn stopped_by_user() -> Cancellation {
    let cancellation = Cancellation::new();
    let asked = cancellation.clone();
    // Without a handler a signal ends the program, as usual.
    let _ = on_request(move || asked.cancel());
    cancellation
}

/// Makes exceeding the user's file size limit a write error instead of the end of the program.
pub(crate) fn outlive_file_limits() {
    #[cfg(unix)]
    {
        let heard = std::sync::Arc::default();
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, heard);
    }
}

#[cfg(unix)]
fn on_request(stop: impl Fn() + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let ignored = ignored();
    let heard = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|s| ignored >> (s - 1) & 1 == 0);
    let mut signals = signal_hook::iterator::Signals::new(heard)?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            STOPPED_BY.store(u8::try_from(signal).unwrap_or_default(), Ordering::Relaxed);
            stop();
        }
    })?;
    Ok(())
}

/// The signals that were ignored when the program started, as bits; none if the system does not say.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(not(unix))]
fn on_request(stop: impl Fn() + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(stop)
}
