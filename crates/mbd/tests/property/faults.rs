//! What cannot work says so, with the name of the part, and soon.

use jointplay_contact::damping::DampingLaw;
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::{Coulomb, FrictionLaw};
use jointplay_contact::{ContactLaw, NormalLaw, Restitution};
use jointplay_mbd::{
    Body, Builder, Bushing, Coordinate, DriftControl, Equations, Error, Force, Formulation, GROUND,
    JointFriction, JournalBearing, LoadFrame, Mechanism, Method, OnCrossing, Outcome, PartKind,
    PartRef, Sampling, Side, Signal, Simulation, Solution, Spring, TorsionSpring,
};
use jointplay_ode::Fault;

use super::mechanisms::{BOTH, law, tanh};

fn start(mechanism: &Mechanism, formulation: Formulation) -> Error {
    let equations = Equations::new(mechanism, formulation, DriftControl::default());
    equations.and_then(|equations| equations.start(0.0)).expect_err("it cannot start")
}

/// The run of a mechanism that fails before its end.
fn failed(
    mechanism: &Mechanism,
    formulation: Formulation,
) -> (Solution, f64, Option<PartRef>, Fault) {
    let clock = std::time::Instant::now();
    let run = Simulation::new(mechanism).formulation(formulation).run().expect("it starts");
    // Milliseconds on a machine that does nothing else.
    assert!(clock.elapsed().as_secs() < 10, "{:?}", clock.elapsed());
    let Outcome::Failed { t, part, fault } = run.outcome.clone() else { panic!("{}", run.outcome) };
    assert!(run.checkpoint.is_none());
    assert!(run.trajectory.len() > 1, "what was computed is kept");
    (run, t, part, fault)
}

/// A block on a rail with a force of this size.
fn pushed(formula: &str) -> Mechanism {
    let mut parts = Builder::new();
    let block = parts.body("block", Body::new(1.0, 0.1));
    parts.prismatic("rail", GROUND.origin(), block.origin());
    let size = Signal::expression(formula).expect("a formula of t");
    let (at, direction, fixed_in) = (block.origin(), [1.0, 0.0], LoadFrame::World);
    parts.force("push", Force::Load { at, direction, fixed_in, size });
    parts.build().expect("good parts")
}

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
fn property_a_force_that_ceases_to_exist_is_named() {
    let mechanism = pushed("sqrt(0.1 - t)");
    for formulation in BOTH {
        let (_, t, part, fault) = failed(&mechanism, formulation);
        assert!(matches!(fault, Fault::NonFinite { .. }), "{fault}");
        assert_eq!(part.as_ref().map(PartRef::label), Some("force 'push'"));
        // The last step ends where the root does, to the resolution of steps.
        assert!((t - 0.1).abs() < 1e-12, "{t}");
    }
}

#[test]
fn property_a_driver_that_ceases_to_exist_is_named() {
    let mut parts = Builder::new();
    let arm = parts.body("arm", Body::rod(1.0, 1.0).centre([0.5, 0.0]));
    let pin = parts.revolute("pin", GROUND.origin(), arm.origin());
    let signal = Signal::expression("(0.3 - t)^2.5").expect("a formula of t");
    parts.drive("motor", Coordinate::Joint(pin), signal);
    let mechanism = parts.build().expect("good parts");
    for formulation in BOTH {
        let (_, t, part, _) = failed(&mechanism, formulation);
        assert_eq!(part.as_ref().map(PartRef::label), Some("driver 'motor'"));
        assert!((t - 0.3).abs() < 1e-9, "{t}");
    }
}

#[test]
fn property_a_force_that_grows_without_bound_ends_the_run_before_its_pole() {
    let mechanism = pushed("1/(0.5 - t)^2");
    for formulation in BOTH {
        let (run, t, _, fault) = failed(&mechanism, formulation);
        let collapsed = matches!(fault, Fault::StepTooSmall { .. } | Fault::Stalled { .. });
        assert!(collapsed, "{fault}");
        assert!(t < 0.5 && t > 0.499, "{t}");
        assert!(run.stats.accepted < 20_000);
    }
}

/// Carts on rails side by side, each on its spring; the spring of one is so stiff that its oscillation is 10¹⁴ times as
/// fast as the others.
fn carts(stiff: usize, chained: bool) -> Mechanism {
    let mut parts = Builder::new();
    let mut before = GROUND;
    for (i, name) in ["red", "green", "blue", "white"].into_iter().enumerate() {
        let place = [i as f64, 2.0 * i as f64];
        let cart = parts.body(name, Body::new(1.0, 0.1).placed(place, 0.0));
        let reference = if chained { before } else { GROUND };
        let at = if chained && i > 0 { [1.0, 2.0] } else { place };
        parts.prismatic(format!("rail of {name}"), reference.at(at), cart.origin());
        let stiffness = if i == stiff { 1e28 } else { 1.0 };
        let anchor = GROUND.at([place[0] - 1.0, place[1]]);
        let spring = Spring::new(anchor, cart.origin(), stiffness, 0.9);
        parts.force(format!("spring of {name}"), Force::Spring(spring));
        before = cart;
    }
    parts.build().expect("good parts")
}

#[test]
fn property_the_part_that_keeps_the_steps_small_is_named() {
    for (stiff, name) in ["red", "green", "blue", "white"].into_iter().enumerate() {
        for (formulation, chained) in BOTH.into_iter().flat_map(|f| [(f, false), (f, true)]) {
            let mechanism = carts(stiff, chained);
            // Of this thread, not of the wall: other tests run beside it.
            let clock = cpu_time::ThreadTime::now();
            let (run, _, part, fault) = failed(&mechanism, formulation);
            assert!(clock.elapsed().as_secs_f64() < 1.0, "{:?}", clock.elapsed());
            let small = matches!(fault, Fault::StepTooSmall { .. } | Fault::Stalled { .. });
            assert!(small, "{fault}");
            let part = part.expect("a name");
            assert!(part.label().contains(&format!("of body '{name}'")), "{part} for {name}");
            let text = run.outcome.to_string();
            assert!(text.contains(part.label()) && !text.contains("component"), "{text}");
        }
    }
}

/// A block guided far from its centre of mass: friction turns it, and turning presses it into its guide.
#[test]
fn property_a_jamming_joint_is_named() {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let block = parts.body("block", Body::new(1.0, 0.1).centre([0.0, 0.5]));
    let rail = parts.prismatic("rail", GROUND.origin(), block.origin());
    // 2 μ h/b = 3: more than the friction that caused it.
    parts.friction(rail, JointFriction::block(tanh(0.3, 0.1), 0.1));
    let size = Signal::constant(5.0).expect("finite");
    let (at, direction, fixed_in) = (block.at([0.0, 0.5]), [1.0, 0.0], LoadFrame::World);
    parts.force("push", Force::Load { at, direction, fixed_in, size });
    let mechanism = parts.build().expect("good parts");
    let mut times = Vec::new();
    for formulation in BOTH {
        let (_, t, part, fault) = failed(&mechanism, formulation);
        assert!(matches!(fault, Fault::Rhs { .. }), "{fault}");
        assert_eq!(part.as_ref().map(PartRef::label), Some("joint 'rail'"));
        times.push(t);
    }
    assert!((times[0] - times[1]).abs() < 1e-6, "{times:?}");
    // Moving too fast to begin with, it cannot even start.
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let block = parts.body("block", Body::new(1.0, 0.1).centre([0.0, 0.5]));
    let rail = parts.prismatic("rail", GROUND.origin(), block.origin());
    parts.friction(rail, JointFriction::block(tanh(0.3, 0.1), 0.1));
    parts.start_with_rate(Coordinate::Joint(rail), 1.0);
    let mechanism = parts.build().expect("good parts");
    for formulation in BOTH {
        let error = start(&mechanism, formulation);
        assert!(
            matches!(&error, Error::Evaluation { part, .. } if part.label() == "joint 'rail'"),
            "{error}"
        );
    }
}

/// A wheel on a torsion spring that comes to rest in a bearing with set-valued friction.
#[test]
fn property_set_valued_friction_that_would_stick_is_named() {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let carrier = parts.body("carrier", Body::new(1.0, 0.1).placed([0.0, -1e-3], 0.0));
    let wheel = parts.body("wheel", Body::new(1.0, 0.05).placed([0.0, -1e-3], 0.1));
    parts.prismatic("guide", GROUND.origin().along([0.0, 1.0]), carrier.origin().along([0.0, 1.0]));
    parts.revolute("axle", carrier.origin(), wheel.origin());
    parts.force("spring", Force::TorsionSpring(TorsionSpring::new(GROUND, wheel, 4.0, 0.0)));
    let elastic = ElasticLaw::Power(Power { stiffness: 1e5, exponent: 1.5 });
    let normal = NormalLaw::new(elastic, DampingLaw::KelvinVoigt { damping: 100.0 });
    let friction = FrictionLaw::Coulomb(Coulomb::new(0.3).expect("a good number"));
    let bearing = JournalBearing {
        bearing: GROUND.origin(),
        journal: wheel.origin(),
        bearing_radius: 0.05,
        clearance: 1e-3,
        contact_point: 0.0,
    };
    parts.journal_bearing("bearing", bearing, ContactLaw { normal, friction });
    parts.start_with_rate(Coordinate::Angle(wheel), 0.2);
    let mechanism = parts.build().expect("good parts");
    for formulation in BOTH {
        let (run, _, part, fault) = failed(&mechanism, formulation);
        assert_eq!(part.as_ref().map(PartRef::label), Some("contact 'bearing'"), "{fault}");
        let named = matches!(
            fault,
            Fault::Transition { .. } | Fault::Chatter { .. } | Fault::ZenoEvents { .. }
        );
        assert!(named, "{fault}");
        assert!(run.stats.events < 5000, "{:?}", run.stats);
    }
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

/// An anvil that a driver presses into a floor from t = 0.1 s on, at 1 m/s.
fn pressed(damping: DampingLaw) -> Mechanism {
    let mut parts = Builder::new();
    let anvil = parts.body("anvil", Body::new(1.0, 0.1).placed([0.0, 0.1], 0.0));
    let guide = parts.prismatic(
        "guide",
        GROUND.origin().along([0.0, 1.0]),
        anvil.origin().along([0.0, 1.0]),
    );
    let signal = Signal::rate(0.1, -1.0).expect("finite");
    parts.drive("press", Coordinate::Joint(guide), signal);
    let normal = NormalLaw::new(ElasticLaw::Power(HERTZ), damping);
    let law = ContactLaw { normal, friction: FrictionLaw::NoFriction };
    parts.stop("floor", Coordinate::Y(anvil.origin()), 0.0, Side::Below, law);
    parts.build().expect("good parts")
}

const HERTZ: Power = Power { stiffness: 1e6, exponent: 1.5 };

/// A law without effective mass acts between driven bodies as between others: after 40 ms the overlap is 40 mm.
#[test]
fn exact_a_contact_between_driven_bodies_needs_no_mass() {
    for (damping, rate) in
        [(DampingLaw::None, 0.0), (DampingLaw::KelvinVoigt { damping: 300.0 }, 300.0)]
    {
        let mechanism = pressed(damping);
        let floor = mechanism.find_contact("floor").expect("it is there");
        let (press, ..) = mechanism.drivers().next().expect("it is there");
        for formulation in BOTH {
            let run = Simulation::new(&mechanism).formulation(formulation).until(0.14);
            let run = run.run().expect("it starts");
            assert!(run.outcome.reached_end(), "{}", run.outcome);
            let end = run.end().expect("regular");
            let force = end.contact(floor).normal;
            // 1e6 · 0.04^1.5 = 8000; the driver holds the anvil, which has no weight, against it.
            assert!((force / (8000.0 + rate) - 1.0).abs() < 1e-11, "{formulation:?} {force}");
            assert!((end.driver(press).effort / force + 1.0).abs() < 1e-11, "{formulation:?}");
            // Two fifths of force times way.
            let stored = end.contact(floor).energy;
            assert!((stored / 128.0 - 1.0).abs() < 1e-11, "{stored}");
            assert!(run.ledger.relative_residual() < 1e-8, "{}", run.ledger.relative_residual());
        }
    }
}

/// A contact whose gap is prescribed feels no mass; laws that need one cannot start.
#[test]
fn property_a_contact_between_driven_bodies_is_named() {
    let restitution = Restitution::Constant(0.7);
    let mechanism = pressed(DampingLaw::FractionOfCritical { restitution, power: HERTZ });
    for formulation in BOTH {
        let (_, t, part, fault) = failed(&mechanism, formulation);
        assert!(matches!(fault, Fault::Transition { .. }), "{fault}");
        assert_eq!(part.as_ref().map(PartRef::label), Some("contact 'floor'"));
        assert!((t - 0.1).abs() < 1e-12, "{t}");
        assert!(fault.to_string().contains("drivers prescribe its gap"), "{fault}");
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

/// Every instant that is kept has finite forces.
fn assert_finite(run: &Solution) {
    for snapshot in run.snapshots() {
        let snapshot = snapshot.expect("regular");
        let numbers = [snapshot.energy().total(), snapshot.energy_residual()];
        let all = numbers.iter().chain(snapshot.powers()).chain(snapshot.amounts());
        assert!(all.into_iter().all(|x| x.is_finite()), "t = {}", snapshot.t());
    }
}

/// A pole between the instants that are kept ends the run with part and time, whichever method meets it.
#[test]
fn property_a_pole_is_not_stepped_over() {
    for formula in ["1/(t - 0.5)", "1e-3/(t - 0.5)", "tan(pi*t)", "1/(t - 0.5)^2", "ln(0.5 - t)"] {
        let mechanism = pushed(formula);
        for method in [Method::Dop853, Method::Dopri5, Method::Rkf45, Method::Radau5] {
            for sampling in [Sampling::EveryStep, Sampling::Interval(0.3), Sampling::EventsOnly] {
                let simulation = Simulation::new(&mechanism).method(method).tolerance(1e-6);
                let run = simulation.sampled(sampling).run().expect("it starts");
                let Outcome::Failed { t, part, .. } = &run.outcome else {
                    panic!("{formula} {method:?}: {}", run.outcome)
                };
                assert!((t - 0.5).abs() < 1e-3, "{formula} {method:?}: {t}");
                let part = part.as_ref().map(PartRef::label).unwrap_or_default();
                assert!(part.contains("force 'push'"), "{formula} {method:?}: {}", run.outcome);
                assert_finite(&run);
            }
        }
    }
}

/// A force that has no value at one instant only, which is one of those to be kept.
#[test]
fn property_a_kept_instant_without_a_force_is_a_fault() {
    let mechanism = pushed("1 + 0/(t - 0.5)");
    for formulation in BOTH {
        let simulation = Simulation::new(&mechanism).formulation(formulation);
        let run = simulation.sampled(Sampling::Interval(0.125)).run().expect("it starts");
        let Outcome::Failed { t, part, .. } = &run.outcome else { panic!("{}", run.outcome) };
        assert_eq!((*t, part.as_ref().map(PartRef::label)), (0.5, Some("force 'push'")));
        assert!(run.checkpoint.is_none());
        assert_finite(&run);
        assert_eq!(run.trajectory.times(), [0.0, 0.125, 0.25, 0.375]);
    }
}

/// The jumps and their sizes are known: the angle comes round after 2π, the tangent after π.
#[test]
fn exact_a_driver_that_jumps_is_a_fault() {
    for (source, t, what) in [
        (
            "(-0.1)*atan2(sin(3*t),cos(3*t))",
            std::f64::consts::FRAC_PI_3,
            "motion jumps by 6.283e-1",
        ),
        ("0.1*atan(tan(3*t))", std::f64::consts::FRAC_PI_6, "motion jumps by -3.142e-1"),
        ("0.1*sqrt((t-1)^2)", 1.0, "speed jumps by 2.000e-1"),
    ] {
        for method in [Method::Dop853, Method::Dopri5, Method::Rkf45, Method::Radau5] {
            for formulation in BOTH {
                let mut parts = Builder::new();
                let table = parts.body("table", Body::new(1.0, 1.0));
                parts.body("free", Body::point(1.0).placed([1.0, 0.0], 0.0));
                let signal = Signal::expression(source).expect("a formula");
                parts.drive("shaker", Coordinate::Y(table.origin()), signal);
                parts.lock("x", Coordinate::X(table.origin()), 0.0);
                parts.lock("angle", Coordinate::Angle(table), 0.0);
                let mechanism = parts.build().expect("good parts");
                let run = Simulation::new(&mechanism).formulation(formulation).method(method);
                let run = run.until(2.0).run().expect("it starts");
                let message = run.outcome.to_string();
                let Outcome::Failed { part: Some(part), fault, .. } = &run.outcome else {
                    panic!("{source} {method:?}: {message}")
                };
                assert!(part.label().contains("shaker") && message.contains(what), "{message}");
                let Fault::Jump { t: found, .. } = fault else { panic!("{message}") };
                assert!((found - t).abs() < 1e-9, "{source} {method:?}: {found}");
            }
        }
    }
}
