//! Free impacts of two balls, whose table is known in closed form.

use jointplay_contact::damping::{DampingLaw, Factor};
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::FrictionLaw;
use jointplay_contact::{ContactLaw, NormalLaw, Restitution};
use jointplay_mbd::{BlockInGuide, Body, Builder, Coordinate, GROUND, Mechanism, Side, Simulation};
use jointplay_study::contacts::{
    Concern, ContactRecord, ContactRecorder, Episode, JointContacts, JointMode,
};
use jointplay_study::impact::{DEFAULT_TOLERANCE, Impact};

const MASSES: [f64; 2] = [0.2, 0.5];
const STIFFNESS: f64 = 1e9;

fn normal(elastic: ElasticLaw, damping: DampingLaw) -> ContactLaw {
    ContactLaw { normal: NormalLaw::new(elastic, damping), friction: FrictionLaw::NoFriction }
}

/// Two balls on a line, 1 mm apart; the first comes with this speed.
fn balls(law: ContactLaw, speed: f64) -> (Mechanism, JointContacts) {
    let mut parts = Builder::new();
    let place = |x: f64| [x, 0.0];
    let [a, b] = [0, 1].map(|i| {
        let body = Body::new(MASSES[i], 1e-4).placed(place(0.021 * i as f64), 0.0);
        parts.body(["a", "b"][i], body)
    });
    let slide = parts.prismatic("line of a", GROUND.origin(), a.origin());
    parts.prismatic("line of b", GROUND.origin(), b.origin());
    let contact = parts.circles("balls", [a.origin(), b.origin()], [0.01; 2], law);
    parts.start_with_rate(Coordinate::Joint(slide), speed);
    (parts.build().expect("good parts"), JointContacts::single("balls", contact))
}

fn record(
    mechanism: &Mechanism,
    joint: JointContacts,
    tolerance: f64,
    until: f64,
) -> ContactRecord {
    let mut recorder = ContactRecorder::new(mechanism, vec![joint]);
    let simulation = Simulation::new(mechanism).tolerance(tolerance).until(until);
    let run = simulation.run_observed(&mut recorder).expect("it starts");
    assert!(run.outcome.reached_end(), "{}", run.outcome);
    recorder.finish(&run)
}

fn single(law: ContactLaw, speed: f64, tolerance: f64) -> Episode {
    let (mechanism, joint) = balls(law, speed);
    let record = record(&mechanism, joint, tolerance, 0.01);
    let [episode] = &record.episodes[..] else { panic!("{:?}", record.episodes) };
    episode.clone()
}

fn near(what: &str, ours: f64, theirs: f64, digits: f64) {
    let error = (ours / theirs - 1.0).abs();
    println!("{what}: {ours}, off by {error:.1e}");
    assert!(error < digits, "{what}: {ours}, not {theirs}");
}

#[test]
fn exact_table_of_a_free_impact() {
    let mass = MASSES[0] * MASSES[1] / (MASSES[0] + MASSES[1]);
    let restitution = Restitution::Constant(0.6);
    let dampings = [
        DampingLaw::Factor { factor: Factor::Exact, restitution },
        DampingLaw::Factor { factor: Factor::Flores, restitution },
        DampingLaw::TwoSlope { restitution, smoothing_speed: 0.0 },
        DampingLaw::KelvinVoigt { damping: 300.0 },
    ];
    for (damping, exponent) in dampings.into_iter().zip([1.5, 1.1, 1.5, 1.0]) {
        let elastic = ElasticLaw::Power(Power { stiffness: STIFFNESS, exponent });
        let law = normal(elastic, damping);
        let speed = 0.5;
        // The bench of free impacts knows no bodies and no ledger.
        let bench =
            Impact { law: &law.normal, effective_mass: mass, speed, tolerance: DEFAULT_TOLERANCE };
        let free = bench.run().expect("they part");
        let closed = free.restitution_closed_form.expect("it has one");
        for (tolerance, limit) in [(1e-8, 1e-6), (1e-12, 1e-9)] {
            println!("{:?} at {tolerance:e}", law.normal.damping);
            let ours = single(law.clone(), speed, tolerance);
            let e = ours.restitution.expect("finished");
            near("start", ours.start, 1e-3 / speed, limit);
            near("impact speed", ours.impact_speed, speed, limit);
            near("restitution", e, closed, limit);
            near("depth", ours.max_indentation, free.max_indentation, limit);
            near("force", ours.max_force, free.max_force, limit);
            near("duration", ours.duration(), free.duration, limit);
            // Momentum and energy of the impact.
            near("impulse", ours.impulse, mass * speed * (1.0 + closed), limit);
            let lost = 0.5 * mass * speed * speed * (1.0 - closed * closed);
            near("loss", ours.loss_normal, lost, limit);
            assert_eq!((ours.compressions, ours.out_of_domain), (1, 0.0));
        }
    }
}

#[test]
fn exact_share_of_time_beyond_a_table() {
    // A linear spring tabulated up to half the depth of the impact, and continued with the same slope: sin ωt > ½ for 2/3 of
    // the contact.
    let mass = MASSES[0] * MASSES[1] / (MASSES[0] + MASSES[1]);
    let speed = 0.5;
    let half = 0.5 * speed * (mass / STIFFNESS).sqrt();
    let points: Vec<(f64, f64)> =
        (0..=8).map(|k| f64::from(k) / 8.0 * half).map(|d| (d, STIFFNESS * d)).collect();
    let table = jointplay_contact::elastic::Table::new(&points).expect("it grows");
    let law = normal(ElasticLaw::Table(table.into()), DampingLaw::None);
    for (tolerance, limit) in [(1e-8, 1e-6), (1e-12, 1e-9)] {
        let (mechanism, joint) = balls(law.clone(), speed);
        let record = record(&mechanism, joint, tolerance, 0.01);
        near("share", record.episodes[0].out_of_domain, 2.0 / 3.0, limit);
        near(
            "share of the joint",
            record.joints[0].summary.out_of_domain.expect("a number"),
            2.0 / 3.0,
            limit,
        );
        let [warning] = &record.joints[0].warnings[..] else { panic!("one") };
        near("share of the warning", warning.share, 2.0 / 3.0, limit);
        println!("{warning}");
        assert!(warning.better.is_some());
    }
}

#[test]
fn exact_episode_that_lasts_when_the_run_ends() {
    // Half of a loss-free impact on a linear spring: all momentum of the relative motion, all of the depth.
    let mass = MASSES[0] * MASSES[1] / (MASSES[0] + MASSES[1]);
    let law =
        normal(ElasticLaw::Power(Power { stiffness: STIFFNESS, exponent: 1.0 }), DampingLaw::None);
    let (mechanism, joint) = balls(law, 0.5);
    let half = 0.5 * std::f64::consts::PI * (mass / STIFFNESS).sqrt();
    let record = record(&mechanism, joint, 1e-12, 2e-3 + half);
    let [ours] = &record.episodes[..] else { panic!("one") };
    assert!(ours.open && ours.restitution.is_none());
    near("end", ours.end, 2e-3 + half, 1e-15);
    near("impulse", ours.impulse, 0.5 * mass, 1e-9);
    near("depth", ours.max_indentation, 0.5 * (mass / STIFFNESS).sqrt(), 1e-9);
    near(
        "fraction",
        record.joints[0].summary.contact_fraction.expect("a number"),
        half / (2e-3 + half),
        1e-9,
    );
}

/// A block that strikes a wall flat, so that two of its corners touch at once: half of its mass on each spring.
#[test]
fn exact_two_corners_that_strike_together_are_impacts() {
    const MASS: f64 = 2.0;
    const SPEED: f64 = 0.3;
    // It turns so easily that one corner alone would stop 1/126 of its mass.
    let mut parts = Builder::new();
    let body = Body::new(MASS, 4e-5).placed([0.0, 0.0], 0.0).moving([0.0, SPEED], 0.0);
    let block = parts.body("block", body);
    let place = BlockInGuide {
        guide: GROUND.origin().into(),
        block: block.origin().into(),
        length: 0.1,
        height: 0.05,
        clearance: 1e-3,
        extent: None,
        contact_point: 1.0,
    };
    let restitution = Restitution::Constant(0.4);
    for (damping, e) in
        [(DampingLaw::None, 1.0), (DampingLaw::Factor { factor: Factor::Exact, restitution }, 0.4)]
    {
        let elastic = ElasticLaw::Power(Power { stiffness: 1e7, exponent: 1.0 });
        let mut parts = parts.clone();
        let corners = parts.block_in_guide("guide", place, &normal(elastic, damping));
        let mechanism = parts.build().expect("good parts");
        let contacts: Vec<_> = corners.into_iter().map(|id| (id, "corner".to_owned())).collect();
        let joint = JointContacts { name: "guide".into(), contacts, laws: Vec::new() };
        let record = record(&mechanism, joint, 1e-12, 6e-3);
        let [a, b] = &record.episodes[..] else { panic!("{:?}", record.episodes) };
        for corner in [a, b] {
            assert_eq!(corner.mode, JointMode::Impact, "{corner:?}");
            near("restitution", corner.restitution.expect("an impact"), e, 1e-8);
            near("free restitution", corner.free_restitution.expect("it has one"), e, 1e-8);
            near("impulse", corner.impulse, 0.5 * MASS * SPEED * (1.0 + e), 1e-8);
            if e == 1.0 {
                let half_period = std::f64::consts::PI * (MASS / 2e7).sqrt();
                near("duration", corner.duration(), half_period, 1e-8);
            }
        }
    }
}

/// A ball that is laid on a spring oscillates there and comes to rest; one that was let fall from higher bounces first.
#[test]
fn exact_lasting_contact_has_no_restitution() {
    for (height, impacts) in [(1e-9, 0), (0.01, 1)] {
        let mut parts = Builder::new();
        parts.gravity([0.0, -9.81]);
        let ball = parts.body("ball", Body::new(1.0, 1e-3).placed([0.0, height], 0.0));
        let law = normal(
            ElasticLaw::Power(Power { stiffness: 1e6, exponent: 1.0 }),
            DampingLaw::KelvinVoigt { damping: 1500.0 },
        );
        let floor = parts.stop("floor", Coordinate::Y(ball.origin()), 0.0, Side::Below, law);
        let mechanism = parts.build().expect("good parts");
        let record = record(&mechanism, JointContacts::single("floor", floor), 1e-10, 0.3);
        let returned = record.episodes.iter().filter(|e| e.restitution.is_some()).count();
        assert!(returned >= impacts && (impacts > 0 || returned == 0), "{:?}", record.episodes);
        let last = record.episodes.last().expect("it lies");
        assert_eq!((last.mode, last.restitution), (JointMode::ContinuousContact, None));
    }
}

#[test]
fn exact_contacts_at_two_walls_are_two_episodes() {
    // A block of 1 kg between linear springs that it touches on both sides at once, each compressed in turn.
    let mut parts = Builder::new();
    let block = parts.body("block", Body::new(1.0, 1e-3).placed([0.0, 0.0], 0.0));
    let slide = parts.prismatic("line", GROUND.origin(), block.origin());
    let law = normal(ElasticLaw::Power(Power { stiffness: 1e4, exponent: 1.0 }), DampingLaw::None);
    // Each wall reaches 1 mm beyond the middle, so that both touch there.
    let x = Coordinate::X(block.origin());
    let left = parts.stop("left", x, 1e-3, Side::Below, law.clone());
    let right = parts.stop("right", x, -1e-3, Side::Above, law);
    for wall in [left, right] {
        parts.initial_impact_speed(wall, 1.0);
    }
    parts.start_with_rate(Coordinate::Joint(slide), 0.05);
    let mechanism = parts.build().expect("good parts");
    let contacts = vec![(left, "left".to_owned()), (right, "right".to_owned())];
    let joint = JointContacts { name: "block".into(), contacts, laws: Vec::new() };
    // With both springs ω² = 2e4: the block never leaves the range in which both touch.
    let period = 2.0 * std::f64::consts::PI / 2e4_f64.sqrt();
    let record = record(&mechanism, joint, 1e-12, period);
    let [a, b] = &record.episodes[..] else { panic!("{:?}", record.episodes) };
    assert!(a.carried && b.carried && a.open && b.open);
    assert_eq!((a.region().as_str(), b.region().as_str()), ("left", "right"));
    assert_eq!(record.joints[0].summary.contact_fraction, Some(1.0));
    let amplitude = 0.05 / 2e4_f64.sqrt();
    for e in [a, b] {
        near("depth", e.max_indentation, 1e-3 + amplitude, 1e-9);
        near("force", e.max_force, 1e4 * (1e-3 + amplitude), 1e-9);
        // Over a whole period the oscillation leaves no impulse.
        near("impulse", e.impulse, 1e4 * 1e-3 * period, 1e-9);
    }
}

/// Balls of 10 mm that meet faster than any contact: they go through each other, and the run says so.
#[test]
fn property_a_contact_deeper_than_a_tenth_of_its_part_is_told() {
    let law = |stiffness| {
        let elastic = ElasticLaw::Power(Power { stiffness, exponent: 1.5 });
        normal(elastic, DampingLaw::None)
    };
    let warnings = |speed: f64| {
        let (mechanism, joint) = balls(law(STIFFNESS), speed);
        let record = record(&mechanism, joint, 1e-9, 0.005 / speed);
        record.joints[0].warnings.clone()
    };
    assert_eq!(warnings(1.0), []);
    let [warning] = &warnings(1000.0)[..] else { panic!("one concern") };
    let Concern::Deep { solid, reached, t } = warning.concern else { panic!("{warning}") };
    // From the start of contact at 1 µs on.
    assert!(solid == 0.01 && reached > 1e-3 && t > 1e-6 && t <= 5.1e-6, "{warning}");
    let text = warning.to_string();
    assert!(
        text.starts_with("joint 'balls': the indentation reaches ") && text.contains(" mm at t = "),
        "{text}"
    );
}

/// Below 10 µm/s contacts rest instead of striking. The balls part nevertheless: they are counted, with the speed that is theirs.
/// Faster ones, and a law that knows no impact speed, have nothing to tell.
#[test]
fn exact_impacts_that_are_damped_as_at_rest_are_counted() {
    let restitution = Restitution::Constant(0.6);
    let exact = DampingLaw::Factor { factor: Factor::Exact, restitution };
    let viscous = DampingLaw::KelvinVoigt { damping: 300.0 };
    for (damping, exponent, speed, told) in
        [(exact.clone(), 1.5, 5e-6, true), (exact, 1.5, 2e-5, false), (viscous, 1.0, 5e-6, false)]
    {
        let elastic = ElasticLaw::Power(Power { stiffness: STIFFNESS, exponent });
        let (mechanism, joint) = balls(normal(elastic, damping), speed);
        let record = record(&mechanism, joint, 1e-12, 1.5e-3 / speed);
        let [episode] = &record.episodes[..] else { panic!("{:?}", record.episodes) };
        assert!(!episode.open && episode.mode == JointMode::Impact, "{episode:?}");
        let rested = |concern: &Concern| matches!(concern, Concern::Rested { .. });
        let notes = &record.joints[0].warnings;
        let note = notes.iter().find(|note| rested(&note.concern));
        assert_eq!(note.is_some(), told, "{notes:?}");
        let Some(note) = note else { continue };
        let Concern::Rested { count: 1, speeds: [low, high], limit } = note.concern else {
            panic!("{note:?}")
        };
        assert!(note.is_note() && low == high && limit == 1e-5);
        near("impact speed", low, speed, 1e-9);
        let text = note.to_string();
        for words in ["joint 'balls': 1 impact of 5.0e-6 m/s parted", "slower than 1e-5 m/s"] {
            assert!(text.contains(words), "{text}");
        }
    }
}

/// A ball that touches at rest and is pressed on by its weight has not met its floor with any speed, whatever floor its law has.
#[test]
fn exact_a_contact_that_touches_at_rest_has_no_impact_speed() {
    let restitution = Restitution::Constant(0.5);
    let power = Power { stiffness: STIFFNESS, exponent: 1.5 };
    for damping in [
        DampingLaw::Factor { factor: Factor::Exact, restitution },
        DampingLaw::TwoSlope { restitution, smoothing_speed: 0.0 },
        DampingLaw::FractionOfCritical { restitution, power },
        DampingLaw::Jankowski { restitution, power },
        DampingLaw::Plastic { restitution, power, memory: false },
    ] {
        let mut parts = Builder::new();
        parts.gravity([0.0, -9.81]);
        let ball = parts.body("ball", Body::point(1.0).placed([0.0, 0.0], 0.0));
        let law = normal(ElasticLaw::Power(power), damping);
        let floor = parts.stop("floor", Coordinate::Y(ball.origin()), 0.0, Side::Below, law);
        let mechanism = parts.build().expect("good parts");
        let record = record(&mechanism, JointContacts::single("floor", floor), 1e-9, 0.01);
        let first = &record.episodes[0];
        assert!(first.start == 0.0 && first.impact_speed == 0.0, "{first:?}");
    }
}
