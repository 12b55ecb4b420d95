//! What is tried, how often, and what came out.

use crate::{fly_by, rounds, touching};

/// What the runs of a campaign came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Runs.
    pub(crate) runs: u64,
    /// Contacts that started.
    pub(crate) contacts: u64,
    /// Runs in which a contact was lost: apart in overlap at the end of a step, or not found where a closed form has one.
    pub(crate) lost: u64,
    /// Runs that did not reach their end.
    pub(crate) stopped: u64,
    /// The greatest residual of the books, and in which run.
    pub(crate) residual: f64,
    pub(crate) worst: u64,
    /// The first few runs that are not as they should be.
    pub(crate) bad: Vec<String>,
    /// The number of the run that took longest, and its time (s).
    pub(crate) slowest: (u64, f64),
}

impl Tally {
    /// Takes in another.
    pub(crate) fn add(&mut self, other: Tally) {
        self.runs += other.runs;
        self.contacts += other.contacts;
        self.lost += other.lost;
        self.stopped += other.stopped;
        if other.residual > self.residual {
            (self.residual, self.worst) = (other.residual, other.worst);
        }
        self.bad.extend(other.bad);
        self.bad.truncate(20);
        if other.slowest.1 > self.slowest.1 {
            self.slowest = other.slowest;
        }
    }
}

/// A list of numbered runs.
pub(crate) struct Campaign {
    pub(crate) name: &'static str,
    /// What is tried, and who judges.
    pub(crate) what: &'static str,
    pub(crate) runs: u64,
    pub(crate) run: fn(u64) -> Tally,
}

fn fly_bys(seed: u64) -> Tally {
    let passed = fly_by::fly_by(seed);
    let lost = passed.missed || passed.overlap > 10.0;
    let bad = lost || passed.stopped.is_some();
    Tally {
        runs: 1,
        contacts: u64::from(passed.touches),
        lost: u64::from(lost),
        stopped: u64::from(passed.stopped.is_some()),
        bad: bad.then(|| format!("fly-by {seed}: {passed:?}")).into_iter().collect(),
        ..Tally::default()
    }
}

fn touching_starts(number: u64) -> Tally {
    let (what, came) = touching::touch(number);
    let (starts, overlap, stopped) = match came {
        touching::Came::Ran { starts, overlap, stopped } => (starts, overlap, stopped),
        touching::Came::NoSuchLaw(why) => {
            if std::env::var_os("SOAK_SKIPPED").is_some() {
                println!("{what}: {why}");
            }
            return Tally::default();
        }
    };
    let lost = overlap > 1e-11;
    let bad = lost || stopped.is_some();
    Tally {
        runs: 1,
        contacts: starts as u64,
        lost: u64::from(lost),
        stopped: u64::from(stopped.is_some()),
        bad: bad.then(|| format!("{what}: lost {overlap:e} m, {stopped:?}")).into_iter().collect(),
        ..Tally::default()
    }
}

/// All of them.
pub(crate) const CAMPAIGNS: [Campaign; 6] = [
    Campaign {
        name: "fly-bys",
        what: "free flights past another body, judged by a closed form: circles, ends of walls, pins on turning arms",
        runs: 1_000_000,
        run: fly_bys,
    },
    Campaign {
        name: "touching starts",
        what: "every kind of contact that touches at the start and is pressed later, every law, method and formulation",
        runs: 71_550,
        run: touching_starts,
    },
    Campaign {
        name: "revolutions",
        what: "the slider-crank over ten revolutions, six laws, 50 to 400 rpm, starts 1 nm apart",
        runs: 10_000,
        run: rounds::revolutions,
    },
    Campaign {
        name: "minutes",
        what: "a minute of the slider-crank as it is shipped, starts 1 nm apart",
        runs: 20,
        run: rounds::minutes,
    },
    Campaign {
        name: "shipped models",
        what: "every shipped model with every law that it takes, starts 1 nm apart",
        runs: 8_000,
        run: rounds::shipped,
    },
    Campaign {
        name: "rattling",
        what: "pins, blocks and balls that rattle without loss or nearly so, random starts",
        runs: 25_000,
        run: rounds::rattling,
    },
];
