//! Mechanisms and results as values: owned, shared, found by name.

use jointplay_mbd::law::ContactLaw;
use jointplay_mbd::law::friction::FrictionLaw;
use jointplay_mbd::{
    Body, Builder, Bushing, Checkpoint, ContactKind, Coordinate, Driven, Equations, Equilibrium,
    Error, Force, Formulation, GROUND, JointFriction, Kinematics, LoadFrame, Mechanism, OnCrossing,
    Signal, Simulation, Solution, Spring, TorsionSpring,
};

use super::ledger::press;
use super::mechanisms::BOTH;

#[test]
fn property_handles_and_results_may_go_to_other_threads() {
    fn may_go<T: Clone + Send + Sync + 'static>() {}
    may_go::<Builder>();
    may_go::<Mechanism>();
    may_go::<Simulation>();
    may_go::<Solution>();
    may_go::<Checkpoint>();
    may_go::<Equations>();
    may_go::<Kinematics>();
    may_go::<Driven>();
    may_go::<Equilibrium>();
    may_go::<Error>();
}

/// A crank that turns at 3 rad/s.
fn crank() -> Mechanism {
    let mut parts = Builder::new();
    let crank = parts.body("crank", Body::new(1.0, 0.1));
    let axis = parts.revolute("axis", GROUND.origin(), crank.origin());
    let turn = Signal::rate(0.5, 3.0).expect("finite");
    parts.drive("motor", Coordinate::Joint(axis), turn);
    parts.build().expect("good parts")
}

/// The mechanism, the builder and the simulation are gone when the result is read; the crank is at 0.5 + 3 t.
#[test]
fn exact_results_outlive_what_they_were_made_from() {
    let times = [0.0, 0.25, 0.5];
    let run = || Simulation::new(&crank()).until(0.5).run().expect("it starts");
    let run = std::thread::spawn(run).join().expect("no panic");
    let kinematics = crank().kinematics(&times).expect("driven");
    let driven = crank().inverse_dynamics(Formulation::Joint, &times).expect("driven");
    let rest = crank().equilibrium(Formulation::Joint, 0.25).expect("it is held");
    let find = |mechanism: &Mechanism| mechanism.find_body("crank").expect("it has one");
    let body = find(run.mechanism());
    // A rounding for each of a few operations on numbers up to 2.
    let close = |a: f64, b: f64| assert!((a - b).abs() < 4e-15, "{a} {b}");
    close(run.end().expect("regular").angle(body).value, 2.0);
    close(rest.snapshot().expect("regular").angle(body).value, 1.25);
    assert_eq!((kinematics.len(), driven.len()), (3, 3));
    assert_eq!((find(kinematics.mechanism()), find(driven.mechanism())), (body, body));
    for (i, t) in times.into_iter().enumerate() {
        close(kinematics.snapshot(i).expect("regular").angle(body).value, 0.5 + 3.0 * t);
        close(driven.snapshot(i).expect("regular").angle(body).value, 0.5 + 3.0 * t);
    }
    let kinematic = kinematics.snapshots().map(|instant| instant.expect("regular").t());
    let dynamic = driven.snapshots().map(|instant| instant.expect("regular").t());
    assert!(kinematic.eq(times) && dynamic.eq(times));
}

#[test]
fn property_snapshots_are_the_kept_instants() {
    let mechanism = press();
    for formulation in BOTH {
        let run = Simulation::new(&mechanism).formulation(formulation).until(0.1).run();
        let run = run.expect("it starts");
        let energies = run.series(|snapshot| snapshot.energy().total()).expect("regular");
        assert_eq!(run.snapshots().len(), run.len());
        assert!(run.len() > 20);
        for (i, instant) in run.snapshots().enumerate() {
            let instant = instant.expect("regular");
            let alone = run.snapshot(i).expect("regular");
            assert_eq!((instant.t(), alone.t()), (run.trajectory.times()[i], instant.t()));
            assert_eq!(instant.energy(), alone.energy());
            assert_eq!(instant.energy().total().to_bits(), energies[i].to_bits());
        }
    }
}

/// The law of a contact of the press, without its friction.
fn frictionless() -> ContactLaw {
    let press = press();
    let (_, _, contact) = press.contacts().next().expect("it has one");
    ContactLaw { friction: FrictionLaw::NoFriction, ..contact.law.clone() }
}

/// Each part is where its id, its name and the iteration say.
#[test]
fn property_every_part_has_an_id_a_name_and_a_content() {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let block = parts.body("block", Body::new(2.0, 0.1));
    let rod = parts.body("rod", Body::rod(3.0, 1.0).centre([0.5, 0.0]));
    let rail = parts.prismatic("rail", GROUND.origin(), block.origin());
    let pin = parts.revolute("pin", block.origin(), rod.origin());
    let hold = parts.lock("hold", Coordinate::Joint(pin), -0.5);
    let spring = Spring::new(GROUND.at([-1.0, 0.0]), block.origin(), 100.0, 1.0);
    let spring = parts.force("spring", Force::Spring(spring));
    let law = frictionless();
    let side = jointplay_mbd::Side::Above;
    let stop = parts.stop("stop", Coordinate::Joint(rail), 0.2, side, law);
    parts.initial_impact_speed(stop, 0.25).locate_turns(stop);
    let level = Coordinate::X(block.origin());
    let line = parts.watch("line", level, 0.125, OnCrossing::Record);
    let mechanism = parts.build().expect("good parts");
    let other = mechanism.clone();

    let bodies: Vec<_> = mechanism.bodies().map(|(id, name, body)| (id, name, body.mass)).collect();
    assert_eq!(bodies, [(block, "block", 2.0), (rod, "rod", 3.0)]);
    assert_eq!(mechanism.find_body("rod"), Some(rod));
    assert_eq!(mechanism.find_body("ground"), Some(GROUND));
    assert_eq!(mechanism.body(GROUND), None);
    assert_eq!(mechanism.body(rod), other.bodies().nth(1).map(|(.., body)| body));
    assert_eq!((mechanism.body_name(GROUND), mechanism.body_name(rod)), ("ground", "rod"));
    assert_eq!(mechanism.gravity(), [0.0, -9.81]);

    let joints: Vec<_> = mechanism.joints().collect();
    assert_eq!(joints[1], (pin, "pin", mechanism.joint(pin)));
    assert_eq!(joints[0], (rail, "rail", mechanism.joint(rail)));
    assert_eq!(mechanism.find_joint("pin"), Some(pin));

    assert!(mechanism.drivers().eq([(hold, "hold", mechanism.driver(hold))]));
    assert_eq!(mechanism.find_driver("hold"), Some(hold));
    assert_eq!(mechanism.driver(hold).coordinate, Coordinate::Joint(pin));

    assert!(mechanism.forces().eq([(spring, "spring", mechanism.force(spring))]));
    assert_eq!(mechanism.find_force("spring"), Some(spring));
    assert_eq!(mechanism.force_name(spring), "spring");
    let Force::Spring(Spring { stiffness, .. }) = mechanism.force(spring) else {
        panic!("a spring")
    };
    assert_eq!(*stiffness, 100.0);

    let names: Vec<_> = mechanism.contacts().map(|(id, name, _)| (id, name)).collect();
    assert_eq!(names, [(stop, "stop")]);
    assert_eq!(mechanism.find_contact("stop"), Some(stop));
    assert_eq!(mechanism.contact_name(stop), "stop");
    let contact = mechanism.contact(stop);
    let kind = ContactKind::Stop { coordinate: Coordinate::Joint(rail), limit: 0.2, side };
    assert_eq!(contact.kind, kind);
    assert_eq!((contact.initial_impact_speed, contact.locates_turns), (Some(0.25), true));

    assert!(mechanism.watches().eq([(line, "line", mechanism.watch(line))]));
    assert_eq!(mechanism.find_watch("line"), Some(line));
    assert_eq!(mechanism.watch(line).level, 0.125);
    for absent in ["", "nobody"] {
        assert_eq!(mechanism.find_body(absent), None);
        assert_eq!(mechanism.find_joint(absent), None);
        assert_eq!(mechanism.find_driver(absent), None);
        assert_eq!(mechanism.find_force(absent), None);
        assert_eq!(mechanism.find_contact(absent), None);
        assert_eq!(mechanism.find_watch(absent), None);
    }
}

/// What is asked of the parts of another builder is a problem of this one.
#[test]
fn property_ids_of_another_mechanism_are_refused_by_the_builder() {
    let mut big = Builder::new();
    let body = big.body("body", Body::new(1.0, 0.1));
    big.revolute("first", GROUND.origin(), body.origin());
    let joint = big.prismatic("second", GROUND.origin(), body.origin());
    let law = frictionless();
    let above = jointplay_mbd::Side::Above;
    let contact = big.stop("stop", Coordinate::Angle(body), 1.0, above, law.clone());

    let mut small = Builder::new();
    small.body("body", Body::new(1.0, 0.1));
    small.friction(joint, JointFriction::viscous(1.0));
    small.initial_impact_speed(contact, 1.0).locate_turns(contact);
    small.drive("driver", Coordinate::Joint(joint), Signal::rate(0.0, 1.0).expect("finite"));
    small.stop("stop", Coordinate::Joint(joint), 1.0, above, law);
    small.watch("watch", Coordinate::Joint(joint), 1.0, OnCrossing::Stop);
    small.start_at(Coordinate::Joint(joint), 0.0);
    let Err(Error::Parts { problems }) = small.build() else { panic!("all wrong") };
    let foreign = problems.iter().filter(|problem| problem.message.contains("another mechanism"));
    let parts: Vec<&str> = foreign.map(|problem| problem.part.label()).collect();
    // The stop was added after its impact speed was stated, under another id.
    for part in ["friction", "driver", "stop", "watch", "start", "initial impact speed", "turns"] {
        assert!(parts.iter().any(|name| name.contains(&format!("'{part}'"))), "{part}: {parts:?}");
    }
}

/// Friction of the wrong kind of surface.
#[test]
fn property_a_pin_is_no_block() {
    let law = super::mechanisms::tanh(0.1, 0.01);
    for (pinned, friction) in
        [(true, JointFriction::block(law.clone(), 0.1)), (false, JointFriction::pin(law, 0.1))]
    {
        let mut parts = Builder::new();
        let body = parts.body("body", Body::new(1.0, 0.1));
        let joint = if pinned {
            parts.revolute("joint", GROUND.origin(), body.origin())
        } else {
            parts.prismatic("joint", GROUND.origin(), body.origin())
        };
        parts.friction(joint, friction);
        assert!(matches!(parts.build(), Err(Error::Parts { problems }) if problems.len() == 1));
    }
}

/// One element on one body that is free in the plane, at its centre of mass: what is reported is m a and J α.
#[test]
fn property_reported_forces_are_those_that_accelerate() {
    let size = || Signal::constant(2.5).expect("finite");
    let (place, mass, inertia) = ([0.3, -0.2], 1.5, 0.25);
    for kind in 0..6 {
        let mut parts = Builder::new();
        let body = Body::new(mass, inertia).placed(place, 0.4).moving([0.2, 0.7], -1.1);
        let body = parts.body("body", body);
        let (at, direction) = (body.origin(), [3.0, 4.0]);
        let force = match kind {
            0 => Force::Load { at, direction, fixed_in: LoadFrame::World, size: size() },
            1 => Force::Load { at, direction, fixed_in: LoadFrame::Body, size: size() },
            2 => Force::Torque { on: body, against: GROUND, size: size() },
            3 => Force::Spring(
                Spring::new(GROUND.at([1.0, 2.0]), at, 30.0, 0.5).damped(2.0).preloaded(1.0),
            ),
            4 => Force::TorsionSpring(TorsionSpring::new(GROUND, body, 7.0, -0.3).damped(0.5)),
            _ => Force::Bushing(Bushing {
                a: GROUND.at([0.1, 0.1]).at_angle(0.7),
                b: body.origin().at_angle(0.5),
                stiffness: [50.0, 20.0, 5.0],
                damping: [1.0, 2.0, 0.5],
            }),
        };
        let force = parts.force("force", force);
        let mechanism = parts.build().expect("good parts");
        let run = Simulation::new(&mechanism).until(0.05).run().expect("it starts");
        for instant in run.snapshots() {
            let instant = instant.expect("regular");
            let report = instant.force(force);
            let a = instant.position(body).acceleration;
            let alpha = instant.angle(body).acceleration;
            let [fx, fy] = report.force;
            // Rounding of sums of forces up to 50 N.
            let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{kind}: {a} {b}");
            close(fx, mass * a[0]);
            close(fy, mass * a[1]);
            close(report.moment, inertia * alpha);
            let magnitude = if matches!(kind, 2 | 4) { report.moment } else { fx.hypot(fy) };
            close(report.size.abs(), magnitude.abs());
        }
    }
}
