//! Runs a mechanism in both formulations and holds every quantity against its reference.

use std::ops::Deref;

use jointplay_mbd::{
    Account, AccountKind, Body, Formulation, JointId, KinematicState, Mechanism, PartKind,
    Sampling, Simulation, Snapshot, Solution,
};

use super::reference::Case;

pub(crate) const BOTH: [Formulation; 2] = [Formulation::Joint, Formulation::Absolute];

/// One kept instant of a run: everything a [`Snapshot`] knows, and the accounts.
pub(crate) struct Instant<'a> {
    snapshot: Snapshot<'a>,
    accounts: &'a [Account],
    amounts: &'a [f64],
}

impl<'a> Deref for Instant<'a> {
    type Target = Snapshot<'a>;

    fn deref(&self) -> &Snapshot<'a> {
        &self.snapshot
    }
}

impl Instant<'_> {
    fn place(&self, kind: AccountKind, part: &str) -> usize {
        let wanted = |account: &Account| account.kind == kind && account.part == part;
        self.accounts.iter().position(wanted).unwrap_or_else(|| panic!("no {kind:?} of {part}"))
    }

    /// What an account holds [J].
    pub(crate) fn amount(&self, kind: AccountKind, part: &str) -> f64 {
        self.amounts[self.place(kind, part)]
    }

    /// The power of an account [W].
    pub(crate) fn power(&self, kind: AccountKind, part: &str) -> f64 {
        self.powers()[self.place(kind, part)]
    }

    /// A component of a reaction.
    pub(crate) fn reaction_of(&self, joint: JointId, component: &str) -> f64 {
        self.reaction(joint).get(component).expect("the joint has this component")
    }
}

/// The kept instants of a run at these times; at an event the first of the two.
pub(crate) fn instants<'a>(run: &'a Solution, times: &[f64]) -> Vec<Instant<'a>> {
    let equations = &run.equations;
    let first_account = 2 * equations.unknown_count();
    let at = |&t: &f64| {
        let i = run.trajectory.times().iter().position(|&kept| kept == t);
        let (t, y, mode) = run.trajectory.get(i.unwrap_or_else(|| panic!("t = {t} was not kept")));
        Instant {
            snapshot: equations.snapshot(t, y, mode).expect("regular"),
            accounts: equations.mechanism().accounts(),
            amounts: &y[first_account..],
        }
    };
    times.iter().map(at).collect()
}

/// Runs to the last of the times and keeps all of them.
pub(crate) fn run(
    mechanism: &Mechanism,
    formulation: Formulation,
    tolerance: f64,
    times: &[f64],
) -> Solution {
    let simulation = Simulation::new(mechanism).formulation(formulation).tolerance(tolerance);
    let until = times[times.len() - 1];
    let run = simulation.until(until).sampled(Sampling::Times(times.to_vec())).run();
    let run = run.expect("it starts");
    assert!(run.outcome.reached_end(), "{formulation:?}: {}", run.outcome);
    run
}

/// A quantity of the reference, and how the engine answers it.
pub(crate) type Channel<'c> = (String, Box<dyn Fn(&Instant<'_>) -> f64 + 'c>);

/// Pairs the name of a quantity with its answer.
pub(crate) fn channel<'c>(
    quantity: impl Into<String>,
    answer: impl Fn(&Instant<'_>) -> f64 + 'c,
) -> Channel<'c> {
    (quantity.into(), Box::new(answer))
}

/// What is asked of a run.
#[derive(Clone, Copy)]
pub(crate) struct Demand {
    /// Relative tolerance of the run.
    pub(crate) tolerance: f64,
    /// Admitted error, relative to the largest value of each quantity.
    pub(crate) error: f64,
    /// Admitted difference between the formulations, likewise.
    pub(crate) agreement: f64,
    /// Degrees of freedom.
    pub(crate) freedom: usize,
    /// Number of redundant constraints.
    pub(crate) redundant: usize,
}

/// A regular motion with one degree of freedom. Both formulations must agree to 1e-9; a run at 1e-12 leaves a few dozen
/// steps' worth of its tolerance, amplified by the motion and, in accelerations and forces, by its frequencies.
pub(crate) const REGULAR: Demand =
    Demand { tolerance: 1e-12, error: 5e-11, agreement: 1e-9, freedom: 1, redundant: 0 };

/// The comparisons of a case.
struct Book<'c> {
    case: &'c Case,
    worst: [(f64, String); 3],
    failures: Vec<String>,
}

impl<'c> Book<'c> {
    fn new(case: &'c Case) -> Self {
        Book { case, worst: Default::default(), failures: Vec::new() }
    }

    /// Enters what both formulations say about a quantity.
    fn enter(&mut self, quantity: &str, ours: &[Vec<f64>; 2], error: f64, agreement: f64) {
        let reference = self.case.series(quantity);
        assert_eq!(reference.len(), ours[0].len(), "{quantity} is not given at all times");
        let largest = reference.iter().fold(0.0_f64, |m, (_, value)| m.max(value.abs()));
        // A reference that vanishes, or is but the foot of a wave to come, is held to 1 in its own unit.
        let scale = if largest > 1e-6 { largest } else { 1.0 };
        let distance = |a: &[f64], b: &[f64]| {
            let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs() / scale);
            // Not `max`, which would lose NaN.
            differences.fold(0.0, |m, d| if d <= m { m } else { d })
        };
        let exact: Vec<f64> = reference.iter().map(|(_, value)| *value).collect();
        let judges = [
            ("joint", distance(&ours[0], &exact), error),
            ("absolute", distance(&ours[1], &exact), error),
            ("joint against absolute", distance(&ours[0], &ours[1]), agreement),
        ];
        for (worst, (judge, error, limit)) in self.worst.iter_mut().zip(judges) {
            if !(error <= limit) {
                self.failures.push(format!("{judge}: {quantity} is off by {error:.2e}"));
            }
            if !(error <= worst.0) {
                *worst = (error, quantity.to_owned());
            }
        }
    }

    /// Prints the worst (seen with `--nocapture`) and fails if anything is over its limit.
    fn close(self, note: &str) {
        let [joint, absolute, between] = self.worst;
        println!(
            "{:18} joint {:.1e} ({}), absolute {:.1e} ({}), between {:.1e}; {note}",
            self.case.name, joint.0, joint.1, absolute.0, absolute.1, between.0,
        );
        assert!(self.failures.is_empty(), "{}:\n{}", self.case.name, self.failures.join("\n"));
    }
}

/// Runs in both formulations and judges the channels: against the reference, against each other, and the books.
pub(crate) fn judge(case: &Case, mechanism: &Mechanism, demand: Demand, channels: &[Channel<'_>]) {
    let times = case.times();
    let runs = BOTH.map(|formulation| run(mechanism, formulation, demand.tolerance, &times));
    let kept = [instants(&runs[0], &times), instants(&runs[1], &times)];
    let mut book = Book::new(case);
    for (quantity, answer) in channels {
        let ours = [0, 1].map(|i: usize| kept[i].iter().map(answer).collect());
        book.enter(quantity, &ours, demand.error, demand.agreement);
    }
    let residuals = [&runs[0], &runs[1]].map(|run| run.ledger.relative_residual());
    book.close(&format!("books {:.1e}, {:.1e}", residuals[0], residuals[1]));
    for ((run, kept), residual) in runs.iter().zip(&kept).zip(residuals) {
        let end = kept.last().expect("a time");
        for ((account, amount), kept) in run.ledger.accounts.iter().zip(end.amounts) {
            let off = (amount - kept).abs();
            assert!(off <= 1e-11 * run.ledger.exchanged, "{account:?}: {amount}, not {kept}");
        }
        assert_eq!(run.start.freedom, demand.freedom, "{}", case.name);
        assert_eq!(run.start.redundant.len(), demand.redundant, "{:?}", run.start.redundant);
        assert!(run.start.redundant.iter().all(|part| part.kind == PartKind::Joint));
        // What is booked is integrated with the motion, so it closes as well as the motion is known.
        let name = &case.name;
        assert!(residual < 100.0 * demand.tolerance, "{name}: books are off by {residual:e}");
    }
}

/// Judges the channels by inverse dynamics, without integration. The references are closed forms: what remains is rounding.
pub(crate) fn judge_inverse(case: &Case, mechanism: &Mechanism, channels: &[Channel<'_>]) {
    let times = case.times();
    let driven = BOTH.map(|formulation| mechanism.inverse_dynamics(formulation, &times));
    let driven = driven.map(|driven| driven.expect("it is driven"));
    let mut book = Book::new(case);
    for (quantity, answer) in channels {
        let series = |i: usize| {
            driven[i].series(|snapshot| {
                let accounts = mechanism.accounts();
                answer(&Instant { snapshot: snapshot.clone(), accounts, amounts: &[] })
            })
        };
        let ours = [0, 1].map(|i| series(i).expect("regular"));
        book.enter(quantity, &ours, 1e-11, 1e-11);
    }
    book.close("inverse dynamics");
}

/// Judges a quantity by kinematics alone.
pub(crate) fn judge_kinematics(
    case: &Case,
    mechanism: &Mechanism,
    quantity: &str,
    answer: impl Fn(&KinematicState<'_>) -> f64,
) {
    let kinematics = mechanism.kinematics(&case.times()).expect("it is driven");
    let ours = kinematics.series(answer).expect("regular");
    let mut book = Book::new(case);
    book.enter(quantity, &[ours.clone(), ours], 1e-12, 0.0);
    book.close("kinematics");
}

/// A body with the parameters `mass1`, `inertia1`, `com1_x`, `com1_y` for number 1.
pub(crate) fn numbered_body(case: &Case, number: usize) -> Body {
    let parameter = |name: &str| case.get(&name.replace('#', &number.to_string()));
    let centre = [parameter("com#_x"), parameter("com#_y")];
    Body::new(parameter("mass#"), parameter("inertia#")).centre(centre)
}
