//! What cannot be built or started is refused, with the name of the part.

use super::faults::{failed, pushed, start};
use super::mechanisms::{BOTH, law, tanh};
use jointplay_contact::damping::DampingLaw;
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::FrictionLaw;
use jointplay_contact::{ContactLaw, NormalLaw, Restitution};
use jointplay_mbd::{
    Body, Builder, Bushing, Coordinate, DriftControl, Equations, Error, Force, Formulation, GROUND,
    JointFriction, JournalBearing, Mechanism, OnCrossing, PartKind, PartRef, Side, Signal,
    Simulation, Spring, TorsionSpring,
};
use jointplay_ode::Fault;

/// Two rods of 1 m from pivots that are 3 m apart.
fn short_arms() -> Mechanism {
    let mut parts = Builder::new();
    let left = parts.body("left", Body::rod(1.0, 1.0).centre([0.5, 0.0]));
    let right = Body::rod(1.0, 1.0).centre([-0.5, 0.0]).placed([3.0, 0.0], 0.1);
    let right = parts.body("right", right);
    parts.revolute("A", GROUND.origin(), left.origin());
    parts.revolute("B", GROUND.at([3.0, 0.0]), right.origin());
    parts.revolute("C", left.at([1.0, 0.0]), right.at([-1.0, 0.0]));
    parts.build().expect("good parts")
}

#[test]
fn property_a_body_that_moves_no_mass_is_named() {
    let mut parts = Builder::new();
    let arm = parts.body("arm", Body::rod(1.0, 1.0).centre([0.5, 0.0]));
    let ghost = parts.body("ghost", Body::new(0.0, 0.0).placed([1.0, 0.0], 0.0));
    parts.revolute("pin", GROUND.origin(), arm.origin());
    parts.revolute("end", arm.at([1.0, 0.0]), ghost.origin());
    let mechanism = parts.build().expect("good parts");
    let error = start(&mechanism, Formulation::Joint);
    assert!(
        matches!(&error, Error::Massless { part } if part.label() == "body 'ghost'"),
        "{error}"
    );
    let error = start(&mechanism, Formulation::Absolute);
    assert!(error.to_string().contains("body 'ghost'"), "{error}");
    // Welded to the arm it moves the arm's mass; the joint formulation can do with that.
    let mut parts = Builder::new();
    let arm = parts.body("arm", Body::rod(1.0, 1.0).centre([0.5, 0.0]));
    let ghost = parts.body("ghost", Body::new(0.0, 0.0).placed([1.0, 0.0], 0.0));
    parts.revolute("pin", GROUND.origin(), arm.origin());
    parts.weld("end", arm.at([1.0, 0.0]), ghost.origin());
    let mechanism = parts.build().expect("good parts");
    let run = Simulation::new(&mechanism).until(0.1).run().expect("it starts");
    assert!(run.outcome.reached_end(), "{}", run.outcome);
}

/// A point mass that is asked to turn, by whatever it is.
#[test]
fn property_a_point_mass_that_must_turn_is_named() {
    type Part = fn(&mut Builder, jointplay_mbd::BodyId);
    let asks: [Part; 5] = [
        |parts, body| {
            parts.revolute("off centre", GROUND.origin(), body.at([0.1, 0.0]));
        },
        |parts, body| {
            let size = Signal::constant(1.0).expect("finite");
            parts.force("torque", Force::Torque { on: body, against: GROUND, size });
        },
        |parts, body| {
            let spring = Spring::new(GROUND.at([1.0, 0.0]), body.at([0.0, 0.1]), 1.0, 0.5);
            parts.force("spring", Force::Spring(spring));
        },
        |parts, body| {
            let coordinate = Coordinate::Y(body.at([0.1, 0.0]));
            parts.stop(
                "stop",
                coordinate,
                -1.0,
                Side::Below,
                law(1e5, 0.5, FrictionLaw::NoFriction),
            );
        },
        |parts, body| {
            parts.drive("turn", Coordinate::Angle(body), Signal::rate(0.0, 1.0).expect("finite"));
        },
    ];
    for (i, ask) in asks.iter().enumerate() {
        let mut parts = Builder::new();
        let body = parts.body("bead", Body::point(1.0));
        ask(&mut parts, body);
        let mechanism = parts.build().expect("good parts");
        let error = start(&mechanism, Formulation::Absolute);
        assert!(
            matches!(&error, Error::NoInertia { part, .. } if part.label() == "body 'bead'"),
            "{i}: {error}"
        );
    }
}

#[test]
fn property_what_cannot_be_assembled_is_named_with_its_gap() {
    let mechanism = short_arms();
    for formulation in BOTH {
        let error = start(&mechanism, formulation);
        let Error::Positions { open } = &error else { panic!("{error}") };
        // The worst comes first; together the joints miss the metre that is missing between the arms.
        assert_eq!(open[0].part.label(), "joint 'C' (x)");
        let gap: f64 =
            open.iter().filter(|o| o.part.label().contains("(x)")).map(|o| o.amount.abs()).sum();
        assert!((gap - 1.0).abs() < 0.02, "{gap} {open:?}");
        assert!(error.to_string().contains("joint 'C' (x) is off by"), "{error}");
    }
}

#[test]
fn property_contradictory_drivers_are_named() {
    let signal = |text| Signal::expression(text).expect("a formula of t");
    let pair = |one, two| {
        let mut parts = Builder::new();
        let arm = parts.body("arm", Body::rod(1.0, 1.0).centre([0.5, 0.0]));
        let pin = parts.revolute("pin", GROUND.origin(), arm.origin());
        parts.drive("first", Coordinate::Joint(pin), signal(one));
        parts.drive("second", Coordinate::Angle(arm), signal(two));
        parts.build().expect("good parts")
    };
    for formulation in BOTH {
        let error = start(&pair("0.2", "0.3"), formulation);
        let Error::Positions { open } = &error else { panic!("{error}") };
        assert!(open.iter().any(|open| open.part.kind == PartKind::Driver), "{error}");
        let error = start(&pair("0.2 + t", "0.2 - t"), formulation);
        let Error::Speeds { open } = &error else { panic!("{error}") };
        assert!(open[0].part.kind == PartKind::Driver && open[0].unit == "rad/s", "{error}");
        assert!((open[0].amount.abs() - 2.0).abs() < 1e-12, "{error}");
        // They agree at the start and part later.
        let parting = pair("0.2 + t^2", "0.2 + 2*t^2");
        let (run, t, part, fault) = failed(&parting, formulation);
        assert!(matches!(fault, Fault::Projection { .. }), "{fault}");
        assert_eq!(part.as_ref().map(PartRef::label), Some("driver 'second'"));
        let redundant: Vec<&str> = run.start.redundant.iter().map(PartRef::label).collect();
        assert_eq!(redundant, ["driver 'second'"]);
        assert!(t < 1e-3, "{t}");
        // Two drivers that say the same do no harm.
        let simulation = |mechanism| Simulation::new(mechanism).formulation(formulation).until(0.3);
        let same = pair("0.2 + t^2", "t^2 + 0.2");
        let run = simulation(&same).run().expect("it starts");
        assert!(run.outcome.reached_end(), "{}", run.outcome);
    }
}

#[test]
fn property_an_overlap_at_the_start_is_named() {
    let ball = |speed: Option<f64>| {
        let mut parts = Builder::new();
        let ball = parts.body("ball", Body::new(1.0, 0.1).placed([0.0, -0.01], 0.0));
        let floor = parts.stop(
            "floor",
            Coordinate::Y(ball.origin()),
            0.0,
            Side::Below,
            law(1e6, 0.7, FrictionLaw::NoFriction),
        );
        if let Some(speed) = speed {
            parts.initial_impact_speed(floor, speed);
        }
        parts.build().expect("good parts")
    };
    for formulation in BOTH {
        let error = start(&ball(None), formulation);
        let Error::Overlap { part, overlap, .. } = &error else { panic!("{error}") };
        assert_eq!(part.label(), "contact 'floor'");
        assert!((overlap - 0.01).abs() < 1e-15);
        let told = ball(Some(1.0));
        let run = Simulation::new(&told).formulation(formulation).until(0.1).run();
        assert!(run.expect("its speed is known").outcome.reached_end());
    }
}

/// A driver that jumps or stops dead asks for infinite forces, and a formula does not say when.
#[test]
fn property_a_driver_that_may_jump_is_refused() {
    let drive = |formula: &str| {
        let mut parts = Builder::new();
        let arm = parts.body("arm", Body::rod(1.0, 1.0).centre([0.5, 0.0]));
        let pin = parts.revolute("pin", GROUND.origin(), arm.origin());
        let signal = Signal::expression(formula).expect("a formula of t");
        parts.drive("motor", Coordinate::Joint(pin), Signal::sum([signal]));
        parts.build()
    };
    for (formula, function) in [
        ("abs(sin(t))", "abs"),
        ("2*t + sign(t - 1)", "sign"),
        ("step(t - 1)", "step"),
        ("min(t, 1)", "min"),
        ("max(t, 1)", "max"),
        ("clamp(t, 0, 1)", "clamp"),
        ("if(t < 1, t, 1)", "if"),
    ] {
        let error = drive(formula).expect_err("it may jump").to_string();
        assert!(error.contains("driver 'motor'"), "{error}");
        assert!(error.contains(&format!("'{function}'")), "{error}");
    }
    // Of constants they are constants.
    assert!(drive("t*max(2, 3) + abs(-1)").is_ok());
}

/// A rod whose given spin its pin and its driver do not allow.
#[test]
fn exact_a_changed_spin_is_reported() {
    let mut parts = Builder::new();
    let body = Body::rod(1.0, 1.0).moving([0.0, 0.0], 5.0);
    let rod = parts.body("rod", body);
    let pin = parts.revolute("pin", GROUND.origin(), rod.origin());
    parts.drive("motor", Coordinate::Joint(pin), Signal::rate(0.0, 2.0).expect("finite"));
    let mechanism = parts.build().expect("good parts");
    for formulation in BOTH {
        let equations = Equations::new(&mechanism, formulation, DriftControl::default());
        let report = equations.and_then(|e| e.start(0.0)).expect("it starts").report;
        assert!((report.spin_changed - 3.0).abs() < 1e-12, "{report:?}");
        assert!(report.velocity_changed < 1e-12, "{report:?}");
    }
}

/// Every problem of every part, in one answer.
#[test]
fn property_all_bad_parts_are_named_at_once() {
    let mut foreign = Builder::new();
    for i in 0..9 {
        foreign.body(format!("{i}"), Body::point(1.0));
    }
    let stranger = foreign.body("stranger", Body::point(1.0));
    let mut parts = Builder::new();
    parts.gravity([f64::NAN, 0.0]);
    let good = parts.body("good", Body::new(1.0, 0.1));
    parts.body("good", Body::new(1.0, 0.1));
    parts.body("", Body::new(1.0, 0.1));
    parts.body("ground", Body::new(1.0, 0.1));
    parts.body("light", Body::new(-1.0, f64::INFINITY));
    parts.body("odd", Body::new(0.0, 1.0));
    parts.revolute("self", good.origin(), good.origin());
    parts.revolute("stranger", GROUND.origin(), stranger.origin());
    parts.prismatic("blunt", GROUND.origin().along([0.0, 0.0]), good.origin());
    parts.rod("short", GROUND.origin(), good.origin(), 0.0);
    let weld = parts.weld("weld", GROUND.origin(), good.origin());
    parts.friction(weld, JointFriction::viscous(-1.0));
    parts.drive("of weld", Coordinate::Joint(weld), Signal::rate(0.0, 1.0).expect("finite"));
    parts.lock("nowhere", Coordinate::Angle(good), f64::NAN);
    let jump = jointplay_mbd::signal::HalfSine { amplitude: 1.0, start: 0.1, duration: 0.2 };
    let jump = Signal::half_sine(jump).expect("finite");
    parts.drive("jump", Coordinate::Angle(good), jump);
    let spring = Spring::new(GROUND.origin(), good.origin(), -1.0, -2.0).damped(f64::NAN);
    parts.force("spring", Force::Spring(spring.preloaded(f64::INFINITY)));
    let torsion = TorsionSpring::new(good, good, 1.0, 0.0);
    parts.force("torsion", Force::TorsionSpring(torsion));
    parts.force(
        "bushing",
        Force::Bushing(Bushing {
            a: GROUND.origin().along([f64::NAN, 1.0]),
            b: good.origin().into(),
            stiffness: [-1.0, 0.0, 0.0],
            damping: [0.0, -1.0, 0.0],
        }),
    );
    let bearing = JournalBearing {
        bearing: GROUND.origin(),
        journal: good.origin(),
        bearing_radius: 0.01,
        clearance: 0.02,
        contact_point: f64::NAN,
    };
    let normal = NormalLaw::new(
        ElasticLaw::Power(Power { stiffness: 1e6, exponent: 1.5 }),
        DampingLaw::TwoSlope { restitution: Restitution::Constant(0.5), smoothing_speed: 0.0 },
    );
    let sliding = tanh(0.1, 0.1);
    parts.journal_bearing(
        "bearing",
        bearing,
        ContactLaw { normal: normal.clone(), friction: sliding.clone() },
    );
    let x = Coordinate::X(good.origin());
    let stop =
        parts.stop("stop", x, f64::NAN, Side::Above, ContactLaw { normal, friction: sliding });
    parts.initial_impact_speed(stop, -1.0);
    parts.watch("level", Coordinate::X(good.at([f64::NAN, 0.0])), f64::INFINITY, OnCrossing::Stop);
    parts.start_at(Coordinate::Distance(good.origin(), good.at([1.0, 0.0])), 1.0);
    parts.start_with_rate(x, f64::NAN);
    let Err(Error::Parts { problems }) = parts.build() else { panic!("nothing found") };
    let about = |part: &str| problems.iter().filter(|problem| problem.part.label() == part).count();
    let expected = [
        ("mechanism 'gravity'", 1),
        ("body 'good'", 1),
        ("body ''", 1),
        ("body 'ground'", 1),
        ("body 'light'", 2),
        ("body 'odd'", 1),
        ("joint 'self'", 1),
        ("joint 'stranger'", 1),
        ("joint 'blunt'", 1),
        ("joint 'short'", 1),
        ("joint 'weld'", 2),
        ("driver 'of weld'", 1),
        ("driver 'nowhere'", 1),
        ("driver 'jump'", 1),
        ("force 'spring'", 4),
        ("force 'torsion'", 1),
        ("force 'bushing'", 3),
        ("contact 'bearing'", 2),
        ("contact 'stop'", 3),
        ("watch 'level'", 2),
        ("mechanism 'start'", 2),
    ];
    for (part, least) in expected {
        assert!(about(part) >= least, "{part}: {} of {least} in {problems:#?}", about(part));
    }
    let text = Error::Parts { problems: problems.clone() }.to_string();
    assert_eq!(text.lines().count(), problems.len() + 1, "one line each: {text}");
}

/// Settings of a run are checked too.
#[test]
fn property_bad_settings_are_named() {
    let mechanism = pushed("1");
    let simulation = || Simulation::new(&mechanism);
    let bad = [
        (simulation().tolerance(0.0), "relative tolerance"),
        (simulation().tolerance(f64::NAN), "relative tolerance"),
        (simulation().max_step(-1.0), "max_step"),
        (simulation().first_step(0.0), "first_step"),
        (simulation().restart_step(f64::NAN), "restart_step"),
        (simulation().until(-1.0), "end of the run"),
        (simulation().until(f64::INFINITY), "end of the run"),
        (
            simulation().drift_control(DriftControl { alpha: -1.0, beta: 0.0, projection: true }),
            "alpha",
        ),
    ];
    for (simulation, setting) in bad {
        let error = simulation.run().expect_err(setting);
        assert!(matches!(error, Error::Setting { name, .. } if name == setting), "{error}");
    }
}
