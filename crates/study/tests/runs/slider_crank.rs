//! The slider-crank of Bai2014 with clearance between rod and slider, M3 of the mechanisms, against an independent
//! event-located DOP853 in minimal coordinates.

use jointplay_contact::catalog::{Inputs, LawOrigin};
use jointplay_contact::damping::{DampingLaw, Factor};
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::{CoulombRamp, FrictionLaw};
use jointplay_contact::{ContactLaw, NormalLaw, Restitution, STEEL};
use jointplay_mbd::{
    AccountKind, ContactId, Formulation, Mechanism, Sampling, Simulation, Solution,
};
use jointplay_study::contacts::{
    Concern, ContactRecord, ContactRecorder, JointContacts, JointMode, Whole,
};

use crate::machines::{SliderCrank, slider_crank};

pub(crate) fn machine(friction: FrictionLaw) -> (Mechanism, ContactId) {
    let elastic = ElasticLaw::Power(Power { stiffness: 9.7102323600630e10, exponent: 1.5 });
    let damping = DampingLaw::Factor {
        factor: Factor::LankaraniNikravesh,
        restitution: Restitution::Constant(0.46),
    };
    let law = ContactLaw { normal: NormalLaw::new(elastic, damping), friction };
    let SliderCrank { mechanism, bearing, .. } = slider_crank(0.0, 10.25e-3, 0.0, law);
    (mechanism, bearing)
}

fn recorded(
    friction: FrictionLaw,
    change: impl FnOnce(Simulation) -> Simulation,
) -> (Solution, ContactRecord) {
    let (mechanism, pin) = machine(friction);
    let mut joint = JointContacts::single("pin", pin);
    let inputs = Inputs { materials: Some([STEEL; 2]), ..Inputs::default() };
    let name = "power+lankarani-nikravesh".parse().expect("laws of the catalogue");
    joint.laws = vec![LawOrigin { name, inputs }];
    let mut recorder = ContactRecorder::new(&mechanism, vec![joint]);
    let simulation = change(Simulation::new(&mechanism));
    let run = simulation.run_observed(&mut recorder).expect("it starts");
    assert!(run.outcome.reached_end(), "{}", run.outcome);
    let record = recorder.finish(&run);
    (run, record)
}

fn near(what: &str, ours: f64, theirs: f64, digits: f64) {
    let error = (ours / theirs - 1.0).abs();
    println!("{what}: {ours}, off by {error:.1e}");
    assert!(error < digits, "{what}: {ours}, not {theirs}");
}

#[test]
fn peer_m3_first_impacts() {
    // Limits: what is printed at a tight tolerance, 1e-6 at the default one.
    for (tolerance, limits) in [(1e-12, [1e-9; 3]), (1e-8, [1e-6; 3])] {
        for formulation in [Formulation::Joint, Formulation::Absolute] {
            let (_, record) = recorded(FrictionLaw::NoFriction, |simulation| {
                let simulation = simulation.formulation(formulation).tolerance(tolerance);
                simulation.until(0.011).sampled(Sampling::EventsOnly)
            });
            let [first, second] = &record.episodes[..] else { panic!("two episodes") };
            near("first impact", first.start, 4.4229600349959e-3, limits[0]);
            near("its speed", first.impact_speed, 0.1129189557129877, limits[0]);
            near("first separation", first.end, 0.004635461462, limits[0]);
            let restitution = first.restitution.expect("finished");
            near("restitution", restitution, 0.079617463612 / 0.1129189557129877, limits[1]);
            near("first peak", first.max_force, 1920.199748, limits[2]);
            near("second impact", second.start, 0.010900857532, limits[0]);
            near("its speed", second.impact_speed, 0.078062444374, limits[0]);
            assert!(!first.open && second.open && second.restitution.is_none());
            assert_eq!((first.compressions, first.mode), (1, JointMode::Impact));
        }
    }
}

#[test]
fn peer_m3_statistics_over_two_revolutions() {
    let (run, record) = recorded(FrictionLaw::NoFriction, |simulation| {
        simulation.tolerance(1e-10).until(0.6).sampled(Sampling::EventsOnly)
    });
    let pin = record.joint("pin").expect("it was watched");
    let numbers = &pin.summary;
    assert_eq!(numbers.impacts, 24);
    assert_eq!(numbers.impacts, record.episodes.len());
    // 86.475 % is printed.
    let touching = numbers.contact_fraction.expect("a number");
    assert!((touching - 0.86475).abs() < 0.5e-5, "{touching}");
    near("first impact", numbers.first_impact_time.expect("one"), 4.4229600349959e-3, 1e-9);
    near("its speed", numbers.first_impact_speed.expect("one"), 0.1129189557129877, 1e-9);
    // Losses of all episodes are those of the ledger, to rounding.
    let lost = run.ledger.amount(AccountKind::ContactNormal, "pin").expect("an account");
    near("losses", numbers.loss_normal.expect("a number"), lost, 1e-12);
    assert_eq!(numbers.loss_friction, Some(0.0));
    // The timeline covers the run without gaps, and its episodes are the flights between them.
    assert_eq!((pin.timeline[0].start, pin.timeline[0].mode), (0.0, JointMode::FreeFlight));
    assert_eq!(pin.timeline.last().expect("some").end, 0.6);
    assert!(pin.timeline.windows(2).all(|w| w[0].end == w[1].start && w[0].mode != w[1].mode));
    let long = pin.timeline.iter().filter(|s| s.mode == JointMode::ContinuousContact).count();
    println!("{long} stretches of continuous contact of {}", pin.timeline.len());
    assert!(long >= 1 && long < numbers.impacts);
    for warning in &pin.warnings {
        println!("{warning}");
    }
    let [speed, restitution, note] = &pin.warnings[..] else { panic!("{:?}", pin.warnings) };
    // √(E/ρ) of steel is 5135 m/s; of the impacts 0.113 m/s is the fastest.
    let Concern::Speed { limit, reached } = speed.concern else { panic!("{speed}") };
    near("limit of speed", limit, 0.051_351_4, 1e-5);
    near("fastest impact", reached, 0.1129189557129877, 1e-9);
    let fast = record.episodes.iter().filter(|e| e.impact_speed > 0.051_351_4).count();
    assert_eq!((speed.share, speed.of), (fast as f64 / 24.0, Whole::Impacts));
    assert!(matches!(restitution.concern, Concern::Restitution { .. }));
    assert!((restitution.share - 1.0).abs() < 1e-12);
    // The damping law alone returns 0.715, and the load of the mechanism takes some of it.
    assert!(matches!(note.concern, Concern::Burdened { .. }) && note.is_note());
    near("free impacts", numbers.restitution_free.expect("some"), 0.715_0, 1e-3);
    for episode in &record.episodes {
        let impact = episode.mode == JointMode::Impact && !episode.open;
        assert!(impact || episode.restitution.is_none(), "{episode:?}");
        assert_eq!(episode.restitution.is_some(), episode.free_restitution.is_some());
    }
}

#[test]
fn property_every_impact_is_in_the_series_to_the_bit() {
    // An interval of a tenth of a second is a thousand times as long as an impact.
    for sampling in [Sampling::Impacts(0.1), Sampling::Impacts(1e-3)] {
        let (mechanism, pin) = machine(FrictionLaw::NoFriction);
        let mut recorder =
            ContactRecorder::new(&mechanism, vec![JointContacts::single("pin", pin)]);
        let simulation = Simulation::new(&mechanism).until(0.6).sampled(sampling);
        let run = simulation.run_observed(&mut recorder).expect("it starts");
        let record = recorder.finish(&run);
        let times = run.trajectory.times();
        assert!(times.is_sorted());
        let force = run.series(|s| s.contact(pin).normal).expect("values");
        let at = |t: f64| times.partition_point(|known| *known < t);
        for e in &record.episodes {
            let (start, peak, end) = (at(e.start), at(e.max_force_time), at(e.end));
            let found = [times[start], times[peak], times[end]];
            assert_eq!(found, [e.start, e.max_force_time, e.end]);
            assert_eq!(force[peak].to_bits(), e.max_force.to_bits(), "at {} s", times[peak]);
            let greatest = force[start..=end].iter().copied().fold(0.0, f64::max);
            assert_eq!(greatest.to_bits(), e.max_force.to_bits());
        }
        // The ledger of a kept instant is that of the run: what a contact has lost never falls.
        let accounts = mechanism.accounts();
        let account = accounts.iter().position(|a| a.kind == AccountKind::ContactNormal);
        let account = account.expect("a contact has one");
        let lost = run.series(|s| s.amounts()[account]).expect("values");
        let all = lost.last().copied().expect("some");
        assert!(lost.is_sorted_by(|a, b| *b >= a - 1e-7 * all), "losses of the kept instants");
    }
}

#[test]
fn property_the_table_does_not_depend_on_what_is_sampled() {
    let friction = || FrictionLaw::CoulombRamp(CoulombRamp::new(0.05, 1e-3).expect("good"));
    let table = |sampling| {
        let (run, record) = recorded(friction(), |s| s.until(0.1).sampled(sampling));
        let lost = run.ledger.amount(AccountKind::ContactFriction, "pin").expect("an account");
        near(
            "sliding losses",
            record.joints[0].summary.loss_friction.expect("a number"),
            lost,
            1e-12,
        );
        assert!(lost > 0.0);
        record
    };
    let every = table(Sampling::EveryStep);
    assert_eq!(every, table(Sampling::EventsOnly));
    assert_eq!(every, table(Sampling::Interval(1e-4)));
}

#[test]
fn order_peaks_and_impulses_converge_with_the_tolerance() {
    let at = |tolerance| {
        let (_, record) = recorded(FrictionLaw::NoFriction, |simulation| {
            simulation.tolerance(tolerance).until(0.02).sampled(Sampling::EventsOnly)
        });
        record.episodes
    };
    let truth = at(1e-13);
    for (tolerance, limit) in [(1e-8, 1e-6), (1e-10, 1e-8), (1e-12, 1e-9)] {
        let ours = at(tolerance);
        assert_eq!(ours.len(), truth.len());
        // Impacts amplify the errors of those before them; two are compared.
        for (a, b) in ours.iter().zip(&truth).take(2) {
            near("depth", a.max_indentation, b.max_indentation, limit);
            near("force", a.max_force, b.max_force, limit);
            near("impulse", a.impulse, b.impulse, limit);
            near("loss", a.loss_normal, b.loss_normal, limit);
        }
    }
}
