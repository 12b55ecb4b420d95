//! Events are located where closed forms say.

use jointplay_contact::damping::{DampingLaw, Factor};
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::{Coulomb, FrictionLaw};
use jointplay_contact::{ContactLaw, NormalLaw, Restitution};
use jointplay_mbd::signal::HalfSine;
use jointplay_mbd::{
    AccountKind, Accuracy, Body, Builder, Coordinate, EventKind, EventRecord, Force, Formulation,
    GROUND, JournalBearing, LoadFrame, Mechanism, Method, OnCrossing, Outcome, PartKind, PartRef,
    Phase, Side, Signal, Simulation, Solution, TorsionSpring,
};

use super::mechanisms::BOTH;

const METHODS: [Method; 2] = [Method::Dopri5, Method::Dop853];

const MASS: f64 = 0.7;
const HERTZ: Power = Power { stiffness: 2e6, exponent: 1.5 };

/// Duration of an elastic impact with F = K δ^1.5 over δ_max/v: 2 ∫ dx/√(1 − x^2.5) = (4/5) √π Γ(2/5)/Γ(9/10).
const HERTZ_DURATION: f64 = 2.943275184324705;

fn law(damping: DampingLaw) -> ContactLaw {
    let normal = NormalLaw::new(ElasticLaw::Power(HERTZ), damping);
    ContactLaw { normal, friction: FrictionLaw::NoFriction }
}

/// The indentation of an elastic impact: ½ m v² = K δ^2.5/2.5.
fn delta(speed: f64) -> f64 {
    (1.25 * MASS * speed * speed / HERTZ.stiffness).powf(0.4)
}

/// A ball that falls from 0.3 m with this speed onto a floor, without gravity.
fn thrown(speed: f64, law: ContactLaw) -> Mechanism {
    let mut parts = Builder::new();
    let ball = Body::point(MASS).placed([0.1, 0.3], 0.0).moving([0.5, -speed], 0.0);
    let ball = parts.body("ball", ball);
    parts.stop("floor", Coordinate::Y(ball.origin()), 0.0, Side::Below, law);
    parts.build().expect("good parts")
}

fn run(mechanism: &Mechanism, formulation: Formulation, method: Method, until: f64) -> Solution {
    let simulation = Simulation::new(mechanism).formulation(formulation).method(method);
    let run = simulation.tolerance(1e-13).until(until).run().expect("it starts");
    assert!(run.outcome.reached_end(), "{}", run.outcome);
    run
}

#[test]
fn exact_an_elastic_impact_starts_and_ends_on_time() {
    let speed = 1.3;
    let mechanism = thrown(speed, law(DampingLaw::None));
    for formulation in BOTH {
        for method in METHODS {
            let run = run(&mechanism, formulation, method, 0.5);
            let [start, end] = run.events[..] else { panic!("{:?}", run.events) };
            let touch = 0.3 / speed;
            assert!(matches!(start.kind, EventKind::ContactStart { impact_speed, .. }
                if (impact_speed - speed).abs() < 1e-13));
            // A free flight is exact but for rounding; the impact has the tolerance.
            assert!((start.t - touch).abs() < 1e-14, "{:e}", start.t - touch);
            let duration = HERTZ_DURATION * delta(speed) / speed;
            let error = (end.t - touch - duration) / end.t;
            assert!(
                matches!(end.kind, EventKind::ContactEnd(_)) && error.abs() < 1e-12,
                "{method:?} {error:e}"
            );
            let ball = mechanism.find_body("ball").expect("it is there");
            let [vx, vy] = run.end().expect("regular").position(ball).velocity;
            assert_eq!(vx, 0.5);
            assert!((vy / speed - 1.0).abs() < 1e-11, "{method:?} {:e}", vy / speed - 1.0);
        }
    }
}

/// F = F_el (1 + a δ̇/δ̇₀) gives a restitution e with a (1 + e) = ln((1 + a)/(1 − a e)), whatever K, n, mass and speed.
#[test]
fn exact_restitution_of_a_damped_impact() {
    let speed = 0.8;
    let restitution = Restitution::Constant(0.7);
    let damping = DampingLaw::Factor { factor: Factor::Flores, restitution };
    let mechanism = thrown(speed, law(damping));
    for formulation in BOTH {
        let run = run(&mechanism, formulation, Method::Dop853, 0.6);
        let ball = mechanism.find_body("ball").expect("it is there");
        let e = run.end().expect("regular").position(ball).velocity[1] / speed;
        let a = 8.0 * (1.0 - 0.7) / (5.0 * 0.7); // Flores2011 eq. (20)
        let identity = a * (1.0 + e) - ((1.0 + a) / (1.0 - a * e)).ln();
        // The tolerance, with the two thousand times slower end of a damped contact.
        assert!(identity.abs() < 1e-11, "{e} {identity:e}");
        let lost = run.ledger.amount(AccountKind::ContactNormal, "floor").expect("an account");
        let kinetic = 0.5 * MASS * speed * speed;
        assert!((lost / kinetic - (1.0 - e * e)).abs() < 1e-11, "{lost}");
        assert!(run.ledger.relative_residual() < 1e-11);
    }
}

#[test]
fn exact_a_two_slope_law_turns_at_greatest_compression() {
    let speed = 1.1;
    let restitution = Restitution::Constant(0.49);
    let damping = DampingLaw::TwoSlope { restitution, smoothing_speed: 0.0 };
    let mechanism = thrown(speed, law(damping));
    for formulation in BOTH {
        for method in METHODS {
            let run = run(&mechanism, formulation, method, 0.6);
            let [start, turn, end] = run.events[..] else { panic!("{:?}", run.events) };
            let half = 0.5 * HERTZ_DURATION * delta(speed) / speed;
            assert!(matches!(turn.kind, EventKind::Turn(_)));
            // Back along c_r F_el: everything √(1/c_r) times slower.
            let (up, down) = (start.t + half, start.t + half + half / 0.7);
            assert!((turn.t - up).abs() < 1e-12 * up, "{method:?} {:e}", turn.t - up);
            assert!((end.t - down).abs() < 1e-12 * down, "{method:?} {:e}", end.t - down);
            let ball = mechanism.find_body("ball").expect("it is there");
            let e = run.end().expect("regular").position(ball).velocity[1] / speed;
            assert!((e - 0.7).abs() < 1e-11, "{method:?} {e}");
        }
    }
}

/// Plastic dents end where the unloading ends, and the next contact starts at their bottom.
#[test]
fn exact_a_dent_is_left_and_found_again() {
    let speed = 1.0;
    let damping =
        DampingLaw::Plastic { restitution: Restitution::Constant(0.6), power: HERTZ, memory: true };
    // Between two walls: it hits the same floor again.
    let mut parts = Builder::new();
    let ball =
        parts.body("ball", Body::point(MASS).placed([0.0, 0.1], 0.0).moving([0.0, -speed], 0.0));
    let height = Coordinate::Y(ball.origin());
    parts.stop("floor", height, 0.0, Side::Below, law(damping));
    parts.stop("ceiling", height, 0.1, Side::Above, law(DampingLaw::None));
    let mechanism = parts.build().expect("good parts");
    let run = run(&mechanism, Formulation::Joint, Method::Dop853, 0.6);
    let at = |event: &EventRecord| {
        let times = run.trajectory.times();
        let i = times.iter().position(|&t| t == event.t).expect("events are kept");
        let (t, y, mode) = run.trajectory.get(i);
        run.equations.snapshot(t, y, mode).expect("regular").position(ball)
    };
    let kinds: Vec<&EventRecord> = run.events.iter().collect();
    let [first, turn, end, above, back, again, ..] = kinds[..] else { panic!("{:?}", run.events) };
    assert!(matches!(first.kind, EventKind::ContactStart { .. }));
    assert!(
        matches!(turn.kind, EventKind::Turn(_)) && matches!(end.kind, EventKind::ContactEnd(_))
    );
    let deepest = -at(turn).position[1];
    // Compression along K δ^1.5 is elastic.
    assert!((deepest / delta(speed) - 1.0).abs() < 1e-11);
    let dent = deepest * (1.0 - 0.36);
    assert!((at(end).position[1] + dent).abs() < 1e-12, "{:e}", at(end).position[1] + dent);
    // The energy under K_r (δ − δ_p)^1.5 is e² of what went in.
    assert!((at(end).velocity[1] - 0.6 * speed).abs() < 1e-11);
    assert!(matches!(above.kind, EventKind::ContactStart { .. }));
    assert!(matches!(back.kind, EventKind::ContactEnd(_)));
    assert!(
        matches!(again.kind, EventKind::ContactStart { impact_speed, .. } if (impact_speed - 0.6).abs() < 1e-11)
    );
    assert!((at(again).position[1] + dent).abs() < 1e-12);
}

#[test]
fn exact_two_stops_at_the_same_instant() {
    let mut parts = Builder::new();
    for (name, x) in [("left", -1.0), ("right", 1.0)] {
        let ball = Body::new(MASS, 0.1).placed([x, 0.3], 0.0).moving([0.0, -1.3], 0.0);
        let ball = parts.body(name, ball);
        parts.stop(name, Coordinate::Y(ball.origin()), 0.0, Side::Below, law(DampingLaw::None));
    }
    let mechanism = parts.build().expect("good parts");
    for formulation in BOTH {
        let run = run(&mechanism, formulation, Method::Dop853, 0.5);
        let [a, b, c, d] = run.events[..] else { panic!("{:?}", run.events) };
        assert_eq!((a.t, c.t), (b.t, d.t));
        assert_eq!(run.stats.events, 2);
        let [left, right] = ["left", "right"].map(|name| {
            let body = mechanism.find_body(name).expect("it is there");
            run.end().expect("regular").position(body)
        });
        assert_eq!(left.velocity, right.velocity);
        assert_eq!(left.position[1], right.position[1]);
    }
}

/// A ball thrown up under a ceiling: it falls short, or touches, or is stopped, by as little as it takes.
#[test]
fn exact_a_grazing_stop() {
    let (g, speed) = (10.0, 2.0);
    let apex = speed * speed / (2.0 * g);
    for (above, touches) in [(1e-9, false), (1e-13, false), (-1e-8, true), (-1e-11, true)] {
        let mut parts = Builder::new();
        parts.gravity([0.0, -g]);
        let ball = parts.body("ball", Body::point(MASS).moving([0.3, speed], 0.0));
        let soft = Power { stiffness: 1.0, exponent: 1.5 };
        let normal = NormalLaw::new(ElasticLaw::Power(soft), DampingLaw::None);
        let soft = ContactLaw { normal, friction: FrictionLaw::NoFriction };
        let ceiling = apex + above;
        parts.stop("ceiling", Coordinate::Y(ball.origin()), ceiling, Side::Above, soft);
        let mechanism = parts.build().expect("good parts");
        let run = run(&mechanism, Formulation::Joint, Method::Dop853, 0.35);
        if touches {
            let [start, end] = run.events[..] else { panic!("{above:e}: {:?}", run.events) };
            // The ceiling is too soft to matter: a parabola of height d lasts 2 √(2d/g).
            let half = (2.0 * -above / g).sqrt();
            let middle = 0.5 * (start.t + end.t);
            // Heights round to 3e-17, which moves the crossing by 3e-17/√(2 g d).
            let sharp = 3e-16 / (2.0 * g * -above).sqrt();
            assert!((middle - speed / g).abs() < sharp, "{above:e}: {:e}", middle - speed / g);
            assert!((0.5 * (end.t - start.t) - half).abs() < sharp + 1e-5 * half, "{above:e}");
        } else {
            assert!(run.events.is_empty(), "{above:e}: {:?}", run.events);
        }
    }
}

/// A watched coordinate is crossed up and down, a watched rate at the apex.
#[test]
fn exact_watches_of_a_projectile() {
    let (g, speed, level) = (9.81, 5.0, 0.9);
    let mut parts = Builder::new();
    parts.gravity([0.0, -g]);
    let ball = parts.body("ball", Body::new(1.0, 0.1).moving([1.0, speed], 3.0));
    let height = Coordinate::Y(ball.origin());
    let passes = parts.watch("passes", height, level, OnCrossing::Record);
    let apex = parts.watch_rate("apex", height, 0.0, OnCrossing::Record);
    let turned = parts.watch("turned", Coordinate::Angle(ball), 2.0, OnCrossing::Record);
    parts.watch("lands", height, 0.0, OnCrossing::Stop);
    let mechanism = parts.build().expect("good parts");
    for formulation in BOTH {
        for method in METHODS {
            let simulation = Simulation::new(&mechanism).formulation(formulation).method(method);
            let run = simulation.until(10.0).run().expect("it starts");
            let root = (speed * speed - 2.0 * g * level).sqrt();
            let lands = 2.0 * speed / g;
            let expected = [
                ((speed - root) / g, Some(passes)),
                (speed / g, Some(apex)),
                (2.0 / 3.0, Some(turned)),
                ((speed + root) / g, Some(passes)),
                (lands, None),
            ];
            assert_eq!(run.events.len(), expected.len(), "{:?}", run.events);
            for (event, (t, watch)) in run.events.iter().zip(expected) {
                assert!((event.t - t).abs() < 1e-12 * t, "{:e}", event.t - t);
                let EventKind::Watch(id) = event.kind else { panic!("{event:?}") };
                assert!(watch.is_none_or(|watch| watch == id));
            }
            let Outcome::Stopped { t, by } = &run.outcome else { panic!("{}", run.outcome) };
            assert_eq!(by, &[PartRef::new(PartKind::Watch, "lands")]);
            assert!((t - lands).abs() < 1e-12 * lands);
            // The start, every step and both sides of each event.
            assert_eq!(run.trajectory.times().last(), Some(t));
        }
    }
}

/// A watch that is at its level when the run starts fires when it comes back, not when it leaves.
#[test]
fn exact_a_watch_that_starts_on_its_level() {
    let mut parts = Builder::new();
    parts.gravity([0.0, -10.0]);
    let ball = parts.body("ball", Body::point(1.0).moving([0.0, 5.0], 0.0));
    parts.watch("back", Coordinate::Y(ball.origin()), 0.0, OnCrossing::Stop);
    let mechanism = parts.build().expect("good parts");
    let run = Simulation::new(&mechanism).until(3.0).run().expect("it starts");
    let Outcome::Stopped { t, .. } = run.outcome else { panic!("{}", run.outcome) };
    assert!((t - 1.0).abs() < 1e-12, "{t}");
}

/// A pin dropped straight down into its bearing does not slide: set-valued friction must not set it turning.
#[test]
fn property_friction_at_rest_creates_no_energy() {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let pin = parts.body("pin", Body::new(1.0, 1e-4));
    let place = JournalBearing {
        bearing: GROUND.origin(),
        journal: pin.origin(),
        bearing_radius: 10.1e-3,
        clearance: 1e-3,
        contact_point: 0.0,
    };
    let friction = FrictionLaw::Coulomb(Coulomb::new(0.3).expect("positive"));
    let law = ContactLaw { friction, ..law(DampingLaw::None) };
    parts.journal_bearing("bearing", place, law);
    let mechanism = parts.build().expect("good parts");
    let run = Simulation::new(&mechanism).until(0.2).run().expect("it starts");
    let Outcome::Failed { part, .. } = &run.outcome else { panic!("{}", run.outcome) };
    assert_eq!(part.as_ref().map(PartRef::label), Some("contact 'bearing'"));
    assert!(run.outcome.to_string().contains("it sticks"), "{}", run.outcome);
    assert_eq!(run.ledger.amount(AccountKind::ContactFriction, "bearing"), Some(0.0));
}

/// One impact has one start and one end, whatever the law does near zero overlap.
#[test]
fn property_an_impact_is_one_contact() {
    let (power, restitution) = (HERTZ, Restitution::Constant(0.7));
    let dampings = [
        DampingLaw::FractionOfCritical { restitution, power },
        DampingLaw::Jankowski { restitution, power },
        DampingLaw::PowerDashpot { chi: 300.0, exponent: 0.5, per_mass: false },
        DampingLaw::KelvinVoigt { damping: 100.0 },
    ];
    for damping in dampings {
        for method in [Method::Dop853, Method::Dopri5, Method::Radau5] {
            for i in 0..60 {
                let speed = 0.1 + 0.05 * f64::from(i);
                let mechanism = thrown(speed, law(damping.clone()));
                let simulation = Simulation::new(&mechanism).method(method).tolerance(1e-11);
                let run = simulation.until(0.5 / speed).run().expect("it starts");
                assert!(run.outcome.reached_end(), "{damping:?} {speed}: {}", run.outcome);
                let count = |of: fn(&EventKind) -> bool| {
                    run.events.iter().filter(|event| of(&event.kind)).count()
                };
                assert_eq!(count(|kind| matches!(kind, EventKind::ContactStart { .. })), 1);
                assert_eq!(count(|kind| matches!(kind, EventKind::ContactEnd(_))), 1);
                let residual = run.ledger.relative_residual();
                // Methods of order 5 take some hundred steps, and each adds up to its tolerance.
                let close = residual < 1e-9 || method != Method::Dop853;
                assert!(close, "{damping:?} {method:?} {speed}: {residual:e}");
            }
        }
    }
}

/// A throw that grazes a stop by less than the guards resolve leaves it; the next impact is one of its own.
#[test]
fn property_a_graze_does_not_stay_in_contact() {
    for delta in [1e-9, 1e-12, 2e-13, 1e-13, 5e-14, 1e-15] {
        let mut parts = Builder::new();
        parts.gravity([0.0, -9.81]);
        let body = Body::new(1.0, 1.0).moving([0.0, (2.0_f64 * 9.81).sqrt()], 0.0);
        let body = parts.body("body", body);
        parts.prismatic("rail", GROUND.origin().along([0.0, 1.0]), body.origin().along([0.0, 1.0]));
        let stop = parts.stop(
            "stop",
            Coordinate::Y(body.origin()),
            1.0 - delta,
            Side::Above,
            law(DampingLaw::None),
        );
        let mechanism = parts.build().expect("good parts");
        let run =
            Simulation::new(&mechanism).until(0.75).tolerance(1e-10).run().expect("it starts");
        assert!(run.outcome.reached_end(), "{delta:e}: {}", run.outcome);
        assert!(matches!(run.phase(stop), Phase::Apart { .. }), "{delta:e}");
    }
}

/// A wheel on a torsion spring that rubs in a bearing under a constant load, with Coulomb friction.
///
/// Each half swing takes π √(J/k) and ends 2 M/k nearer, with the moment of friction M.
#[test]
fn exact_reversals_of_set_valued_friction() {
    let (mass, inertia, spring, g) = (2.0, 0.05, 4.0, 9.81);
    let (radius, clearance, mu) = (0.05, 1e-3, 0.2);
    let mut parts = Builder::new();
    parts.gravity([0.0, -g]);
    // At rest under its weight: K δ^1.5 = m g.
    let overlap = (mass * g / HERTZ.stiffness).powf(2.0 / 3.0);
    let low = -(clearance + overlap);
    let carrier = parts.body("carrier", Body::new(0.25 * mass, 0.1).placed([0.0, low], 0.0));
    let wheel = parts.body("wheel", Body::new(0.75 * mass, inertia).placed([0.0, low], 1.0));
    parts.prismatic("guide", GROUND.origin().along([0.0, 1.0]), carrier.origin().along([0.0, 1.0]));
    parts.revolute("axle", carrier.origin(), wheel.origin());
    parts.force("spring", Force::TorsionSpring(TorsionSpring::new(GROUND, wheel, spring, 0.0)));
    let normal = NormalLaw::new(ElasticLaw::Power(HERTZ), DampingLaw::None);
    let friction = FrictionLaw::Coulomb(Coulomb::new(mu).expect("a good number"));
    let bearing = JournalBearing {
        bearing: GROUND.origin(),
        journal: wheel.origin(),
        bearing_radius: radius,
        clearance,
        contact_point: 1.0,
    };
    let contact = parts.journal_bearing("bearing", bearing, ContactLaw { normal, friction });
    parts.initial_impact_speed(contact, 0.0);
    parts.start_at(Coordinate::Y(carrier.origin()), low);
    parts.start_at(Coordinate::Angle(wheel), 1.0);
    // It must slide to have a direction.
    parts.start_with_rate(Coordinate::Angle(wheel), -1e-3);
    let mechanism = parts.build().expect("good parts");
    // With `contact_point` 1 the point of contact is the journal's surface.
    let moment = mu * mass * g * (radius - clearance);
    let (shift, omega) = (moment / spring, (spring / inertia).sqrt());
    for formulation in BOTH {
        let run = run(&mechanism, formulation, Method::Dop853, 0.9);
        let reversals: Vec<f64> = run.events.iter().map(|event| event.t).collect();
        assert!(run.events.iter().all(|event| matches!(event.kind, EventKind::Reversal(_))));
        assert!(reversals.len() >= 2, "{reversals:?}");
        // φ = M/k + A cos(ω t + ψ) on the way down, with φ(0) = 1 and φ̇(0) = −1e-3.
        let lead = (1e-3 / (omega * (1.0 - shift))).atan();
        let amplitude = (1.0 - shift).hypot(1e-3 / omega);
        for (i, t) in reversals.iter().enumerate() {
            let expected = ((i + 1) as f64 * std::f64::consts::PI - lead) / omega;
            // The load is that of the weight to the rounding of the overlap.
            assert!((t - expected).abs() < 1e-10, "{i}: {:e}", t - expected);
            let at = run.trajectory.times().iter().position(|other| other == t).expect("kept");
            let (t, y, mode) = run.trajectory.get(at);
            let angle = run.equations.snapshot(t, y, mode).expect("regular").angle(wheel).value;
            let left = amplitude - shift - 2.0 * shift * i as f64;
            let expected = if i % 2 == 0 { -left } else { left };
            assert!((angle - expected).abs() < 1e-9, "{i}: {angle} {expected}");
        }
        assert!(run.ledger.relative_residual() < 1e-11, "{:e}", run.ledger.relative_residual());
    }
}

/// A ball that is thrown back into its own dent, faster than before, meets the virgin curve where the dent was deepest.
#[test]
fn exact_a_deeper_impact_passes_the_bottom_of_the_dent() {
    let restitution = Restitution::Constant(0.6);
    let (first, second, duration) = (0.5, 1.0, 5e-3);
    let damping = DampingLaw::Plastic { restitution, power: HERTZ, memory: true };
    let mut parts = Builder::new();
    let body = Body::point(MASS).placed([0.0, 1e-3], 0.0).moving([0.0, -first], 0.0);
    let ball = parts.body("ball", body);
    // A push in flight, of impulse 2 A T/π: it leaves at 0.6 of 0.5 m/s and comes back at 1 m/s.
    let impulse = MASS * (0.6 * first + second);
    let amplitude = impulse * std::f64::consts::PI / (2.0 * duration);
    let push = Signal::half_sine(HalfSine { amplitude, start: 0.02, duration }).expect("finite");
    let (at, direction, fixed_in) = (ball.origin(), [0.0, -1.0], LoadFrame::World);
    parts.force("push", Force::Load { at, direction, fixed_in, size: push });
    let floor = parts.stop("floor", Coordinate::Y(ball.origin()), 0.0, Side::Below, law(damping));
    let mechanism = parts.build().expect("good parts");
    // ½ m v² = e² K δ₁^2.5/2.5 along the dent's curve, then K (δ₂^2.5 − δ₁^2.5)/2.5.
    let deep = delta(first);
    let deeper = (delta(second).powf(2.5) + (1.0 - 0.36) * deep.powf(2.5)).powf(0.4);
    for (tolerance, method) in
        [(1e-6, Method::Dopri5), (1e-9, Method::Dopri5), (1e-9, Method::Dop853)]
    {
        for formulation in BOTH {
            let run = Simulation::new(&mechanism).formulation(formulation).method(method);
            // The size of what happens is a dent, not the metre of a mechanism without arms.
            let length = Some(tolerance * deep);
            let energy = Some(tolerance * 0.5 * MASS * first * first);
            let rest = Accuracy::relative(tolerance);
            let accuracy = Accuracy { length, energy, time: Some(1e-3), ..rest };
            let run = run.accuracy(accuracy).until(0.05).run().expect("it starts");
            assert!(run.outcome.reached_end(), "{}", run.outcome);
            let delta_at = |t: f64| {
                let i = run.trajectory.times().iter().position(|&time| time == t);
                let (t, y, mode) = run.trajectory.get(i.expect("events are kept"));
                -run.equations.snapshot(t, y, mode).expect("regular").position(ball).position[1]
            };
            let times = |kind: EventKind| {
                run.events.iter().filter(move |event| event.kind == kind).map(|event| event.t)
            };
            let bends: Vec<f64> = times(EventKind::Bend(floor)).collect();
            let turns: Vec<f64> = times(EventKind::Turn(floor)).collect();
            let ([bend], [turn, again]) = (&bends[..], &turns[..]) else {
                panic!("{bends:?} {turns:?}")
            };
            let close = |delta: f64, exact: f64| (delta / exact - 1.0).abs() < 100.0 * tolerance;
            assert!(close(delta_at(*turn), deep) && close(delta_at(*again), deeper));
            // It is located where the law remembers, whatever the tolerance.
            assert!((delta_at(*bend) - delta_at(*turn)).abs() < 1e-13);
            let residual = run.ledger.relative_residual();
            println!("{tolerance:e} {method:?} {formulation:?}: {residual:e}");
            // Some hundred steps, each to the tolerance.
            assert!(residual < 100.0 * tolerance, "{tolerance:e} {method:?}: {residual:e}");
        }
    }
}
