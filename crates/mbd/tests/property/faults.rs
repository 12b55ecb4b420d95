//! What cannot work says so, with the name of the part, and soon.

use jointplay_contact::damping::DampingLaw;
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::{Coulomb, FrictionLaw};
use jointplay_contact::{ContactLaw, NormalLaw, Restitution};
use jointplay_mbd::{
    Body, Builder, Coordinate, DriftControl, Equations, Error, Force, Formulation, GROUND,
    JointFriction, JournalBearing, LoadFrame, Mechanism, Method, Outcome, PartRef, Sampling, Side,
    Signal, Simulation, Solution, Spring, TorsionSpring,
};
use jointplay_ode::Fault;

use super::mechanisms::{BOTH, tanh};

pub(crate) fn start(mechanism: &Mechanism, formulation: Formulation) -> Error {
    let equations = Equations::new(mechanism, formulation, DriftControl::default());
    equations.and_then(|equations| equations.start(0.0)).expect_err("it cannot start")
}

/// The run of a mechanism that fails before its end.
pub(crate) fn failed(
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
pub(crate) fn pushed(formula: &str) -> Mechanism {
    let mut parts = Builder::new();
    let block = parts.body("block", Body::new(1.0, 0.1));
    parts.prismatic("rail", GROUND.origin(), block.origin());
    let size = Signal::expression(formula).expect("a formula of t");
    let (at, direction, fixed_in) = (block.origin(), [1.0, 0.0], LoadFrame::World);
    parts.force("push", Force::Load { at, direction, fixed_in, size });
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
