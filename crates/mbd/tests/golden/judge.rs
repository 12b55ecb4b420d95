//! Runs a mechanism in both formulations and holds every quantity against its reference.

use std::ops::Deref;

use jointplay_mbd::{
    Account, AccountKind, Body, Formulation, Mechanism, Sampling, Simulation, Snapshot, Solution,
};

use crate::reference::Case;

pub(crate) const BOTH: [Formulation; 2] = [Formulation::Joint, Formulation::Absolute];

/// Regular motions agree between the formulations to this part of the largest value of a quantity.
pub(crate) const AGREEMENT: f64 = 1e-9;

/// One kept instant of a run: everything a [`Snapshot`] knows, and the accounts.
pub(crate) struct Instant<'a, 'm> {
    snapshot: Snapshot<'a, 'm>,
    accounts: &'a [Account],
    amounts: &'a [f64],
}

impl<'a, 'm> Deref for Instant<'a, 'm> {
    type Target = Snapshot<'a, 'm>;

    fn deref(&self) -> &Snapshot<'a, 'm> {
        &self.snapshot
    }
}

impl Instant<'_, '_> {
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
    pub(crate) fn reaction_of(&self, joint: jointplay_mbd::JointId, component: &str) -> f64 {
        self.reaction(joint).get(component).expect("the joint has this component")
    }
}

/// The kept instants of a run at these times; at an event the first of the two.
pub(crate) fn instants<'a, 'm>(run: &'a Solution<'m>, times: &[f64]) -> Vec<Instant<'a, 'm>> {
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
pub(crate) fn run<'m>(
    mechanism: &'m Mechanism,
    formulation: Formulation,
    tolerance: f64,
    times: &[f64],
) -> Solution<'m> {
    let simulation = Simulation::new(mechanism).formulation(formulation).tolerance(tolerance);
    let until = times[times.len() - 1];
    let run = simulation.until(until).sampled(Sampling::Times(times.to_vec())).run();
    let run = run.expect("it starts");
    assert!(run.outcome.reached_end(), "{formulation:?}: {}", run.outcome);
    run
}

/// A quantity of the reference, and how the engine answers it.
pub(crate) type Channel<'c> = (&'c str, Box<dyn Fn(&Instant<'_, '_>) -> f64 + 'c>);

/// Pairs the name of a quantity with its answer.
pub(crate) fn channel<'c>(
    quantity: &'c str,
    answer: impl Fn(&Instant<'_, '_>) -> f64 + 'c,
) -> Channel<'c> {
    (quantity, Box::new(answer))
}

/// What is asked of a run.
#[derive(Clone, Copy)]
pub(crate) struct Demand {
    /// Relative tolerance of the run.
    pub(crate) tolerance: f64,
    /// Admitted error, relative to the largest value of each quantity.
    pub(crate) error: f64,
    /// Degrees of freedom.
    pub(crate) freedom: usize,
    /// Number of redundant constraints.
    pub(crate) redundant: usize,
}

/// Judges the channels in both formulations: against the reference, against each other, and the books.
pub(crate) fn judge(case: &Case, mechanism: &Mechanism, demand: Demand, channels: &[Channel<'_>]) {
    let times = case.times();
    let runs = BOTH.map(|formulation| run(mechanism, formulation, demand.tolerance, &times));
    let mut failures = Vec::new();
    let mut worst = [(0.0, ""); 3];
    let mut note = |judge: usize, quantity, error: f64, limit: f64| {
        // A negated comparison, so that NaN is a failure.
        if !(error <= limit) {
            let judge = ["Joint", "Absolute", "Joint against Absolute"][judge];
            failures.push(format!("{judge}: {quantity} is off by {error:.2e}, not {limit:.0e}"));
        }
        (error, quantity)
    };
    let kept = [instants(&runs[0], &times), instants(&runs[1], &times)];
    for (quantity, answer) in channels {
        let reference = case.series(quantity);
        assert_eq!(reference.len(), times.len(), "{quantity} is no series");
        let largest = reference.iter().fold(0.0_f64, |m, (_, value)| m.max(value.abs()));
        let scale = if largest > 0.0 { largest } else { 1.0 };
        let ours = [0, 1].map(|i| kept[i].iter().map(answer).collect::<Vec<f64>>());
        let distance = |a: &[f64], b: &[f64]| {
            let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs() / scale);
            differences.fold(0.0, |m, d| if d <= m { m } else { d })
        };
        let exact: Vec<f64> = reference.iter().map(|(_, value)| *value).collect();
        let errors = [
            note(0, *quantity, distance(&ours[0], &exact), demand.error),
            note(1, *quantity, distance(&ours[1], &exact), demand.error),
            note(2, *quantity, distance(&ours[0], &ours[1]), AGREEMENT),
        ];
        for (worst, error) in worst.iter_mut().zip(errors) {
            if error.0 > worst.0 {
                *worst = error;
            }
        }
    }
    let [joint, absolute, between] = worst;
    println!(
        "{:18} joint {:.1e} ({}), absolute {:.1e} ({}), between {:.1e}; books {:.1e}, {:.1e}",
        case.name,
        joint.0,
        joint.1,
        absolute.0,
        absolute.1,
        between.0,
        runs[0].ledger.relative_residual(),
        runs[1].ledger.relative_residual(),
    );
    assert!(failures.is_empty(), "{}:\n{}", case.name, failures.join("\n"));
    for run in &runs {
        assert_eq!(run.start.freedom, demand.freedom, "{}", case.name);
        assert_eq!(run.start.redundant.len(), demand.redundant, "{:?}", run.start.redundant);
        // What a run of this tolerance must close its books to, whatever moves.
        let residual = run.ledger.relative_residual();
        assert!(residual < 1e-9, "{}: books are off by {residual:e}", case.name);
    }
}

/// A body with the parameters `mass1`, `inertia1`, `com1_x`, `com1_y` for number 1.
pub(crate) fn numbered_body(case: &Case, number: usize) -> Body {
    let parameter = |name: &str| case.get(&name.replace('#', &number.to_string()));
    let centre = [parameter("com#_x"), parameter("com#_y")];
    Body::new(parameter("mass#"), parameter("inertia#")).centre(centre)
}
