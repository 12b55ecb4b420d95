//! Many runs on all cores. Results come in the order of the inputs and do not depend on the number of threads.
//!
//! ```
//! use jointplay_study::sweep::{Sweep, Cancellation};
//!
//! let squares = Sweep::new().run(&[1.0, 2.0, 3.0], |x, _| x * x);
//! assert_eq!(squares, [Some(1.0), Some(4.0), Some(9.0)]);
//! ```

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use jointplay_mbd::{Error, Simulation};
use rayon::prelude::*;

use crate::contacts::JointContacts;
use crate::record::{Record, record};

/// A request to stop a sweep. Clones share one request; any thread or signal handler may make it.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// A request that has not been made yet.
    pub fn new() -> Self {
        Cancellation::default()
    }

    /// A request that has been made.
    pub(crate) fn made() -> Self {
        Cancellation(Arc::new(AtomicBool::new(true)))
    }

    /// Requests a stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether a stop was requested.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The value for the watcher of a run to return.
    pub fn flow(&self) -> ControlFlow<()> {
        if self.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Progress of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The input whose job has just finished.
    pub input: usize,
    /// Finished jobs.
    pub done: usize,
    /// All jobs.
    pub total: usize,
    /// Finished jobs of a study whose runs have no result.
    pub failed: usize,
}

/// Settings of a sweep: number of threads, progress callback, cancellation.
pub struct Sweep<'p> {
    threads: usize,
    cancellation: Cancellation,
    progress: Box<dyn Fn(Progress) + Sync + 'p>,
    #[cfg(feature = "folders")]
    crew: Option<&'p dyn crate::crew::Crew>,
}

impl Default for Sweep<'_> {
    fn default() -> Self {
        Sweep {
            threads: 0,
            cancellation: Cancellation::new(),
            progress: Box::new(|_| {}),
            #[cfg(feature = "folders")]
            crew: None,
        }
    }
}

impl<'p> Sweep<'p> {
    /// A sweep on all cores, without progress reports.
    pub fn new() -> Self {
        Sweep::default()
    }

    /// Uses this number of threads, but no more than there are jobs; 0 means one per core.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Lets this request stop the sweep.
    pub fn cancelled_by(mut self, cancellation: &Cancellation) -> Self {
        self.cancellation = cancellation.clone();
        self
    }

    /// Called after each job, from the thread that did it.
    pub fn progress(mut self, progress: impl Fn(Progress) + Sync + 'p) -> Self {
        self.progress = Box::new(progress);
        self
    }

    /// Lets a crew make the runs of a study; the threads of the sweep only look up known rows.
    #[cfg(feature = "folders")]
    pub fn by(mut self, crew: &'p dyn crate::crew::Crew) -> Self {
        self.crew = Some(crew);
        self
    }

    /// Who makes the runs of a study, if the threads of the sweep do not.
    #[cfg(feature = "folders")]
    pub(crate) fn crew(&self) -> Option<&'p dyn crate::crew::Crew> {
        self.crew
    }

    pub(crate) fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    /// Does a job for each input. What was not begun when the sweep was cancelled is `None`; a job under way is given the
    /// request and may heed it.
    pub fn run<I: Sync, O: Send>(
        &self,
        inputs: &[I],
        job: impl Fn(&I, &Cancellation) -> O + Sync,
    ) -> Vec<Option<O>> {
        let outputs: Vec<Option<O>> = std::iter::repeat_with(|| None).take(inputs.len()).collect();
        let outputs = Mutex::new(outputs);
        self.run_parts(inputs.len(), inputs.len(), |input, cancellation, tell| {
            let output = job(&inputs[input], cancellation);
            tell(false);
            outputs.lock().unwrap_or_else(PoisonError::into_inner)[input] = Some(output);
        });
        outputs.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does this many jobs, which together have this many parts. A job reports each finished part,
    /// and whether it failed. Jobs that had not begun when the sweep was cancelled are skipped.
    pub(crate) fn run_parts(
        &self,
        jobs: usize,
        total: usize,
        job: impl Fn(usize, &Cancellation, &dyn Fn(bool)) + Sync,
    ) {
        let (done, failures) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let one = |input: usize| {
            let tell = |failed: bool| {
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                let more = usize::from(failed);
                let failed = failures.fetch_add(more, Ordering::Relaxed) + more;
                (self.progress)(Progress { input, done, total, failed });
            };
            job(input, &self.cancellation, &tell);
        };
        // Runs differ in length: each thread takes the next one when it is ready.
        let next = AtomicUsize::new(0);
        let some = |_| {
            while !self.cancellation.is_cancelled() {
                match next.fetch_add(1, Ordering::Relaxed) {
                    input if input < jobs => one(input),
                    _ => break,
                }
            }
        };
        let all = || {
            let threads = rayon::current_num_threads();
            (0..threads).into_par_iter().with_max_len(1).for_each(some);
        };
        let threads = self.threads.min(jobs.max(1));
        match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => pool.install(all),
            Err(_) => all(), // no threads to be had: the common pool
        }
    }

    /// Does one job that reports its own progress, on the threads of the sweep.
    pub(crate) fn run_alone<O: Send>(&self, job: impl FnOnce(&Cancellation) -> O + Send) -> O {
        match rayon::ThreadPoolBuilder::new().num_threads(self.threads).build() {
            Ok(pool) => pool.install(|| job(&self.cancellation)),
            Err(_) => job(&self.cancellation),
        }
    }

    /// Reports that a part of a job, counted from 0, has finished.
    pub(crate) fn tell(&self, input: usize, total: usize, failed: usize) {
        (self.progress)(Progress { input, done: input + 1, total, failed });
    }

    /// Runs simulations. A run in progress when the sweep is cancelled ends as interrupted, with
    /// its results so far.
    pub fn simulate(
        &self,
        cases: &[(Simulation, Vec<JointContacts>)],
    ) -> Vec<Option<Result<Record, Error>>> {
        self.run(cases, |(simulation, joints), cancellation| {
            record(simulation, joints.clone(), |_| cancellation.flow())
        })
    }
}
