//! Observers see what happens and change nothing.

use std::ops::ControlFlow;

use jointplay_contact::damping::DampingLaw;
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::FrictionLaw;
use jointplay_contact::{ContactLaw, NormalLaw};
use jointplay_mbd::{
    AccountKind, Body, Builder, ContactId, Coordinate, EventRecord, GROUND, Instant, Mechanism,
    Method, Mode, Observer, Phase, Sampling, Side, Simulation, Solution, Step,
};

const STIFFNESS: f64 = 1e5;

/// Parts into which a step is cut.
const PARTS: u32 = 64;

/// A pendulum that hits a linear spring; with two bodies, so that constraints are left in absolute coordinates.
fn pendulum() -> (Mechanism, ContactId) {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let rod = parts.body("rod", Body::rod(1.0, 1.0).placed([0.5, 0.0], 0.0));
    let ball = parts.body("ball", Body::new(1.0, 1e-3).placed([1.0, 0.0], 0.0));
    parts.revolute("pivot", GROUND.origin(), rod.at([-0.5, 0.0]));
    parts.weld("end", rod.at([0.5, 0.0]), ball.origin());
    let elastic = ElasticLaw::Power(Power { stiffness: STIFFNESS, exponent: 1.0 });
    let normal = NormalLaw::new(elastic, DampingLaw::KelvinVoigt { damping: 50.0 });
    let law = ContactLaw { normal, friction: FrictionLaw::NoFriction };
    let floor = parts.stop("floor", Coordinate::Y(ball.origin()), -0.3, Side::Below, law);
    (parts.build().expect("good parts"), floor)
}

/// Looks at everything inside every step in contact.
struct Looker {
    floor: ContactId,
    times: Vec<f64>,
    events: Vec<EventRecord>,
    account: usize,
    loss: f64,
    /// What is lost at once where the force is cut off.
    jumps: f64,
    last: f64,
    /// Loss by Simpson's rule from the powers inside the steps.
    by_power: f64,
    looked: usize,
}

impl Observer for Looker {
    fn looks_inside(&self, mode: &Mode) -> bool {
        mode.contacts.iter().any(|phase| matches!(phase, Phase::Touching { .. }))
    }

    fn step(&mut self, step: &mut Step<'_>) -> ControlFlow<()> {
        let [t0, t1] = step.span();
        self.times.push(t1);
        if matches!(step.phase(self.floor), Phase::Touching { .. }) {
            let [before, after] = step.amounts();
            self.loss += after[self.account] - before[self.account];
            self.jumps += before[self.account] - self.last;
            self.last = after[self.account];
            let h = (t1 - t0) / f64::from(PARTS);
            for k in 0..=PARTS {
                let weight = match k {
                    0 | PARTS => 1.0,
                    k if k % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                let t = if k == PARTS { t1 } else { t0 + h * f64::from(k) };
                let report = step.contact(t, self.floor);
                assert!(report.touching);
                self.by_power += weight * h / 3.0 * report.normal_loss;
                self.looked += 1;
            }
        }
        ControlFlow::Continue(())
    }

    fn event(&mut self, event: &EventRecord) {
        self.events.push(*event);
    }
}

fn bits(run: &Solution) -> Vec<u64> {
    let states = (0..run.len()).flat_map(|i| {
        let (t, y, _) = run.trajectory.get(i);
        std::iter::once(t.to_bits()).chain(y.iter().map(|y| y.to_bits())).collect::<Vec<_>>()
    });
    states.collect()
}

#[test]
fn property_observers_see_everything_and_change_nothing() {
    let (mechanism, floor) = pendulum();
    let accounts = mechanism.accounts();
    let account = accounts.iter().position(|a| a.kind == AccountKind::ContactNormal);
    let account = account.expect("a contact has one");
    for method in [Method::Dop853, Method::Dopri5, Method::Radau5] {
        for formulation in [jointplay_mbd::Formulation::Joint, jointplay_mbd::Formulation::Absolute]
        {
            let simulation = Simulation::new(&mechanism).method(method).formulation(formulation);
            let simulation = simulation.tolerance(1e-9).until(1.0);
            let mut looker = Looker {
                floor,
                times: vec![],
                events: vec![],
                account,
                loss: 0.0,
                jumps: 0.0,
                last: 0.0,
                by_power: 0.0,
                looked: 0,
            };
            let seen = simulation.run_observed(&mut looker).expect("it starts");
            let alone = simulation.run().expect("it starts");
            assert_eq!(bits(&seen), bits(&alone), "{method:?}");
            assert_eq!(looker.events, alone.events);
            assert_eq!(looker.times.len(), alone.stats.accepted);
            assert!(looker.looked > 64 * 2);
            // The account of the ledger is the integral of the power between the ends of the steps, and what is stored when the
            // force is cut off.
            let booked = seen.ledger.amount(AccountKind::ContactNormal, "floor").expect("there");
            assert!(booked > 0.0 && ((looker.loss + looker.jumps) / booked - 1.0).abs() < 1e-12);
            assert!(looker.jumps > 0.0);
            let error = (looker.by_power / looker.loss - 1.0).abs();
            assert!(error < 1e-5, "{method:?} {formulation:?}: {error:e}");
        }
    }
}

/// Impacts that are much shorter than the interval are seen, and the regular samples with the same bits.
#[test]
fn property_samples_show_the_shape_of_impacts() {
    let (pendulum, floor) = pendulum();
    let kept = |sampling: Sampling| {
        let run = Simulation::new(&pendulum).until(1.5).sampled(sampling).run().expect("it starts");
        let force = run.series(|s| s.contact(floor).normal).expect("values");
        run.trajectory.times().iter().copied().zip(force).collect::<Vec<(f64, f64)>>()
    };
    let greatest = |rows: &[(f64, f64)]| rows.iter().map(|row| row.1).fold(0.0, f64::max);
    let (regular, impacts) = (kept(Sampling::Interval(0.05)), kept(Sampling::Impacts(0.05)));
    let every = greatest(&kept(Sampling::EveryStep));
    assert!(regular.iter().all(|row| impacts.contains(row)));
    assert!(impacts.is_sorted_by(|a, b| a.0 <= b.0));
    assert!(greatest(&regular) < 0.9 * every, "{} {every}", greatest(&regular));
    assert!(greatest(&impacts) > 0.97 * every, "{} {every}", greatest(&impacts));
    assert!(impacts.len() < 400, "{}", impacts.len());
}

/// Takes the states at given times out of the steps, and asks for shared masses.
struct Taker {
    at: Vec<f64>,
    taken: Vec<Instant>,
    contacts: [ContactId; 2],
    masses: Vec<[f64; 2]>,
}

impl Observer for Taker {
    fn looks_inside(&self, _: &Mode) -> bool {
        true
    }

    fn step(&mut self, step: &mut Step<'_>) -> ControlFlow<()> {
        let [t0, t1] = step.span();
        for t in self.at.iter().copied().filter(|t| t0 < *t && *t <= t1) {
            let mut instant = None;
            step.take(t, &mut instant);
            assert_eq!(instant.as_ref().map(Instant::t), Some(t));
            self.taken.extend(instant);
        }
        let [a, b] = self.contacts;
        self.masses.push([step.shared_mass(a, &[]), step.shared_mass(a, &[b])]);
        ControlFlow::Continue(())
    }

    fn kept(&mut self) -> Vec<Instant> {
        // In any order, and twice.
        let twice = self.taken.iter().rev().chain(&self.taken).cloned().collect();
        self.taken.clear();
        twice
    }
}

/// What an observer keeps is in the trajectory in the order of time, with the bits of a sample at that time.
#[test]
fn property_kept_instants_have_the_bits_of_samples() {
    let (mechanism, floor) = pendulum();
    for method in [Method::Dop853, Method::Dopri5, Method::Radau5] {
        for formulation in [jointplay_mbd::Formulation::Joint, jointplay_mbd::Formulation::Absolute]
        {
            let simulation = Simulation::new(&mechanism).method(method).formulation(formulation);
            let simulation = simulation.tolerance(1e-9).until(1.0);
            let at: Vec<f64> = (1..80).map(|k| f64::from(k) / 80.0).collect();
            let sampled = simulation.clone().sampled(Sampling::Times(at.clone()));
            let sampled = sampled.run().expect("it starts");
            let mut taker =
                Taker { at: at.clone(), taken: vec![], contacts: [floor; 2], masses: vec![] };
            let simulation = simulation.sampled(Sampling::Impacts(0.5));
            let run = simulation.run_observed(&mut taker).expect("it starts");
            assert!(run.trajectory.times().is_sorted());
            for t in at {
                let find = |run: &Solution| {
                    let i = run.trajectory.times().iter().position(|known| *known == t);
                    run.trajectory.get(i.expect("kept")).1.to_vec()
                };
                assert_eq!(find(&run), find(&sampled), "{method:?} {formulation:?} at {t}");
            }
            let count = |t: f64| run.trajectory.times().iter().filter(|known| **known == t).count();
            assert_eq!(count(0.25), 1, "what is kept twice is there once");
        }
    }
}

/// Two springs that stop one mass stop half of it each.
#[test]
fn exact_contacts_that_push_together_share_the_mass() {
    let mut parts = Builder::new();
    let block = parts.body("block", Body::new(3.0, 1e-2));
    let slide = parts.prismatic("line", GROUND.origin(), block.origin());
    let elastic = ElasticLaw::Power(Power { stiffness: STIFFNESS, exponent: 1.0 });
    let normal = NormalLaw::new(elastic, DampingLaw::None);
    let law = ContactLaw { normal, friction: FrictionLaw::NoFriction };
    let walls = ["upper", "lower"]
        .map(|name| parts.stop(name, Coordinate::X(block.origin()), 0.1, Side::Above, law.clone()));
    parts.start_with_rate(Coordinate::Joint(slide), 1.0);
    let mechanism = parts.build().expect("good parts");
    for formulation in [jointplay_mbd::Formulation::Joint, jointplay_mbd::Formulation::Absolute] {
        let simulation = Simulation::new(&mechanism).formulation(formulation).until(0.2);
        let mut taker = Taker { at: vec![], taken: vec![], contacts: walls, masses: vec![] };
        simulation.run_observed(&mut taker).expect("it starts");
        assert!(taker.masses.len() > 10);
        for [alone, shared] in taker.masses {
            assert!((alone / 3.0 - 1.0).abs() < 1e-12 && (shared / 1.5 - 1.0).abs() < 1e-12);
        }
    }
}
