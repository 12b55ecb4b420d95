//! Records reach the disk within a second, however long the next run takes.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// After power loss at most this time is missing.
const SYNCED: Duration = Duration::from_secs(1);

/// A thread that asks the system to put written records on the disk: within a second, and when it is dropped.
#[derive(Debug)]
pub(super) struct Syncer {
    /// Told of each record; `None` once it ends.
    written: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
    wrong: Arc<Mutex<Option<io::Error>>>,
}

impl Syncer {
    pub(super) fn of(file: &File) -> io::Result<Self> {
        let file = file.try_clone()?;
        let (written, told) = channel();
        let wrong = Arc::new(Mutex::new(None));
        let failed = Arc::clone(&wrong);
        let work = move || {
            while told.recv().is_ok() {
                let goes_on = more_until(&told, Instant::now() + SYNCED);
                if let Err(error) = file.sync_data() {
                    *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
                if !goes_on {
                    break;
                }
            }
        };
        let thread = std::thread::Builder::new().name("journal".to_owned()).spawn(work)?;
        Ok(Syncer { written: Some(written), thread: Some(thread), wrong })
    }

    /// A record was written; an error is that of an earlier one.
    pub(super) fn written(&mut self) -> io::Result<()> {
        if let Some(written) = &self.written {
            // The thread ends only after this sender.
            let _ = written.send(());
        }
        let wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner).take();
        wrong.map_or(Ok(()), Err)
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        self.written = None;
        if let Some(thread) = self.thread.take() {
            // It has nothing to say.
            drop(thread.join());
        }
    }
}

/// Takes what comes up to an instant, so that many records share one request; whether more may come.
fn more_until(told: &Receiver<()>, end: Instant) -> bool {
    loop {
        match told.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}

/// Puts the entry of a new file in its folder on the disk, and that of the folder in its own. Where folders cannot be opened as files, the
/// system does it by itself.
pub(super) fn entry_of(path: &Path) {
    for folder in path.ancestors().skip(1).take(2) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if let Ok(folder) = File::open(folder) {
            drop(folder.sync_all());
        }
    }
}
