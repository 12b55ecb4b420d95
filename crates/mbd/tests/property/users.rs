//! Laws and force elements of users, states to start from, results by name.

use std::sync::Arc;

use jointplay_mbd::law::elastic::{ElasticLaw, Power};
use jointplay_mbd::law::friction::{FrictionLaw, LuGre, StribeckCurve};
use jointplay_mbd::law::{ContactLaw, NormalLaw, Restitution, damping};
use jointplay_mbd::{
    AccountKind, AccountSide, Body, BodyState, Builder, Bushing, Coordinate, CustomForce,
    DriftControl, Equations, Error, Force, ForceModel, GROUND, JointFriction, JournalBearing,
    LineForce, LineModel, Mechanism, Method, Outcome, PartRef, Phase, Sampling, Signal, Simulation,
    Solution, Spring, State, Tension, Wrench, WrenchSlopes,
};

#[path = "../../examples/oil_film.rs"]
#[expect(dead_code, reason = "the program of the example")]
mod oil_film;

use super::borrowed::{borrowed, borrowed_friction};
use super::jacobian::compare_at;
use super::mechanisms::{BOTH, law, tanh};

/// A spring-damper as a user would write it.
#[derive(Debug)]
struct Linear {
    stiffness: f64,
    free_length: f64,
    damping: f64,
}

impl LineModel for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn tension(&self, _t: f64, length: f64, rate: f64) -> Tension {
        Tension {
            held: (length - self.free_length) * self.stiffness,
            held_by_length: self.stiffness,
            other: rate * self.damping,
            other_by_length: 0.0,
            other_by_rate: self.damping,
        }
    }

    fn energy(&self, length: f64) -> f64 {
        let stretch = length - self.free_length;
        stretch * (0.5 * self.stiffness * stretch)
    }

    fn side(&self) -> Option<AccountSide> {
        Some(AccountSide::Loss)
    }
}

/// An elastic bearing on the ground, whose axes are those of the world.
#[derive(Debug)]
struct Bed {
    stiffness: [f64; 3],
    damping: [f64; 3],
    at: [f64; 2],
}

impl ForceModel for Bed {
    fn name(&self) -> &'static str {
        "bed"
    }

    fn wrench(&self, _t: f64, q: &[f64; 6], rates: &[f64; 6]) -> Wrench {
        let d = [q[3] - self.at[0], q[4] - self.at[1], q[5]];
        let mut wrench = Wrench::default();
        for i in 0..3 {
            wrench.held[3 + i] = -(d[i] * self.stiffness[i]);
            wrench.other[3 + i] = -(rates[3 + i] * self.damping[i]);
        }
        wrench
    }

    fn slopes(&self, _t: f64, _q: &[f64; 6], _rates: &[f64; 6]) -> WrenchSlopes {
        let mut slopes = WrenchSlopes::default();
        for i in 0..3 {
            slopes.held[3 + i][3 + i] = -self.stiffness[i];
            slopes.other_by_rates[3 + i][3 + i] = -self.damping[i];
        }
        slopes
    }

    fn energy(&self, q: &[f64; 6]) -> f64 {
        let d = [q[3] - self.at[0], q[4] - self.at[1], q[5]];
        d.iter().zip(&self.stiffness).map(|(d, k)| 0.5 * k * d * d).sum()
    }

    fn side(&self) -> Option<AccountSide> {
        Some(AccountSide::Loss)
    }
}

/// A crank drives a rod; its far end is a journal in the bearing of a block that rests on an elastic bed, and a spring pulls at
/// the rod. With `theirs` every law that can be is code of a user.
fn machine(theirs: bool) -> Mechanism {
    let mut parts = Builder::new();
    parts.gravity([0.3, -9.81]);
    let crank = parts.body("crank", Body::rod(0.5, 0.1).centre([0.05, 0.0]));
    let rod = parts.body("rod", Body::rod(0.4, 0.3).centre([0.15, 0.0]).placed([0.1, 0.0], 0.0));
    let block = parts.body("block", Body::new(0.6, 1e-3).placed([0.4, 0.0], 0.0));
    let shaft = parts.revolute("shaft", GROUND.origin(), crank.origin());
    let elbow = parts.revolute("elbow", crank.at([0.1, 0.0]), rod.origin());
    parts.drive("motor", Coordinate::Joint(shaft), Signal::rate(0.0, 12.0).expect("finite"));
    let sliding = tanh(0.2, 0.05);
    let of_elbow = if theirs { borrowed_friction(&sliding) } else { sliding };
    parts.friction(elbow, JointFriction::pin(of_elbow, 0.02));
    // Dampings are powers of two, so that the order of products does not matter; the free length, which is not known of a line,
    // is not what the mechanism is measured by.
    let (stiffness, free_length, damping) = (20.0, 0.1, 0.5);
    let (a, b) = (GROUND.at([0.25, 0.5]), rod.at([0.1, 0.02]));
    let spring = if theirs {
        let model = Arc::new(Linear { stiffness, free_length, damping });
        Force::Line(LineForce { a, b, model })
    } else {
        Force::Spring(Spring::new(a, b, stiffness, free_length).damped(damping))
    };
    parts.force("spring", spring);
    let (stiffness, damping, at) = ([8e4, 5e4, 10.0], [64.0, 32.0, 0.0625], [0.4, 0.0]);
    let bed = if theirs {
        let model = Arc::new(Bed { stiffness, damping, at });
        Force::Custom(CustomForce { a: GROUND.at(at), b: block.origin(), model })
    } else {
        let (a, b) = (GROUND.at(at).into(), block.origin().into());
        Force::Bushing(Bushing { a, b, stiffness, damping })
    };
    parts.force("bed", bed);
    let bearing = JournalBearing {
        bearing: block.origin(),
        journal: rod.at([0.3, 0.0]),
        bearing_radius: 0.01,
        clearance: 2e-3,
        contact_point: 0.5,
    };
    let ours = law(1e8, 0.9, tanh(0.1, 0.02));
    parts.journal_bearing("wrist", bearing, if theirs { borrowed(&ours) } else { ours });
    parts.build().expect("good parts")
}

fn end_of(run: &Solution) -> (f64, &[f64]) {
    let (t, y, _) = run.trajectory.get(run.len() - 1);
    (t, y)
}

#[test]
fn property_parts_of_users_move_a_machine_as_ours_do() {
    let [ours, theirs] = [false, true].map(machine);
    for formulation in BOTH {
        let run = |mechanism: &Mechanism, method| {
            let simulation = Simulation::new(mechanism).formulation(formulation).method(method);
            simulation.until(0.4).sampled(Sampling::EventsOnly).run().expect("it starts")
        };
        let (a, b) = (run(&ours, Method::Dop853), run(&theirs, Method::Dop853));
        assert!(a.outcome.reached_end() && a.stats.events >= 3, "{} {:?}", a.outcome, a.stats);
        assert_eq!(end_of(&a), end_of(&b));
        assert_eq!((a.stats, &a.ledger), (b.stats, &b.ledger));
        let report = |run: &Solution, name: &str| run.force(name).expect("it is there");
        assert_eq!(report(&a, "spring"), report(&b, "spring"));
        assert_eq!(report(&a, "bed"), report(&b, "bed"));
        // Slopes are other sums of the same terms: the implicit method takes other roundings, and the same steps.
        let (a, b) = (run(&ours, Method::Radau5), run(&theirs, Method::Radau5));
        assert!(b.outcome.reached_end(), "{}", b.outcome);
        assert_eq!(a.stats.accepted, b.stats.accepted);
        for (a, b) in end_of(&a).1.iter().zip(end_of(&b).1) {
            assert!((a - b).abs() <= 1e-9 * (1.0 + a.abs()), "{a} {b}");
        }
    }
}

#[test]
fn property_slopes_of_users_reach_the_jacobian() {
    let mechanism = machine(true);
    for formulation in BOTH {
        let equations = Equations::new(&mechanism, formulation, DriftControl::default());
        let equations = equations.expect("bodies with mass");
        let run = Simulation::new(&mechanism).formulation(formulation).until(0.2);
        let run = run.run().expect("it starts");
        let touching = (0..run.len()).filter(|&i| {
            let (_, _, mode) = run.trajectory.get(i);
            matches!(mode.contacts[0], Phase::Touching { .. })
        });
        let middle = touching.clone().nth(touching.count() / 2).expect("it touches");
        for i in [0, middle] {
            let (_, y, mode) = run.trajectory.get(i);
            compare_at(&format!("{formulation:?} at instant {i}"), &equations, &y.to_vec(), mode);
        }
    }
}

/// A force that a table of time switches on, along a line.
#[derive(Debug)]
struct Winch {
    force: f64,
    from: [f64; 1],
}

impl LineModel for Winch {
    fn name(&self) -> &'static str {
        "winch"
    }

    fn tension(&self, t: f64, _length: f64, _rate: f64) -> Tension {
        let other = if t >= self.from[0] { self.force } else { 0.0 };
        Tension { other, ..Tension::default() }
    }

    fn side(&self) -> Option<AccountSide> {
        Some(AccountSide::Work)
    }

    fn breaks(&self) -> &[f64] {
        &self.from
    }
}

#[test]
fn exact_a_winch_works_from_its_time_on() {
    let mut parts = Builder::new();
    let load = parts.body("load", Body::point(2.0).placed([1.0, 0.0], 0.0));
    let model = Arc::new(Winch { force: 6.0, from: [0.25] });
    let line = LineForce { a: GROUND.at([-1.0, 0.0]), b: load.origin(), model };
    parts.force("winch", Force::Line(line));
    let run = Simulation::new(&parts.build().expect("good parts")).until(0.75).run();
    let run = run.expect("it starts");
    // Half a second at −3 m/s²: 0.375 m, along which 6 N work.
    let (x, work) = (run.body("load").expect("it is there").x, 6.0 * 0.375);
    assert!((x[x.len() - 1] - (1.0 - 0.375)).abs() < 1e-12, "{x:?}");
    let booked = run.ledger.amount(AccountKind::Load, "winch").expect("it has an account");
    assert!((booked - work).abs() < 1e-12 && run.ledger.relative_residual() < 1e-12);
    let report = run.force("winch").expect("it is there")[run.len() - 1];
    assert!((report.power_in - 6.0 * 1.5).abs() < 1e-12 && report.power_lost == 0.0);
}

/// A force whose energy is wrong.
#[derive(Debug)]
struct Liar;

impl LineModel for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn tension(&self, _t: f64, _length: f64, _rate: f64) -> Tension {
        Tension { held: 1.0, ..Tension::default() }
    }
}

#[test]
fn property_the_books_find_a_force_without_its_energy() {
    let mut parts = Builder::new();
    let load = parts.body("load", Body::point(2.0).placed([1.0, 0.0], 0.0));
    let line = LineForce { a: GROUND.origin(), b: load.origin(), model: Arc::new(Liar) };
    parts.force("liar", Force::Line(line));
    let run = Simulation::new(&parts.build().expect("good parts")).run().expect("it starts");
    assert!(run.ledger.relative_residual() > 0.5);
}

#[test]
fn property_code_of_users_is_named_and_has_no_checkpoint() {
    let [ours, theirs] = [false, true].map(machine);
    let run = |mechanism: &Mechanism| Simulation::new(mechanism).until(0.01).run();
    assert!(ours.user_code().is_empty());
    assert!(run(&ours).expect("it starts").checkpoint.is_some());
    let named = theirs.user_code();
    let labels: Vec<&str> = named.iter().map(PartRef::label).collect();
    let expected = [
        "joint 'elbow' (friction law 'borrowed')",
        "force 'spring' (law 'linear')",
        "force 'bed' (law 'bed')",
        "contact 'wrist' (elastic law 'borrowed')",
        "contact 'wrist' (damping law 'borrowed')",
        "contact 'wrist' (friction law 'borrowed')",
    ];
    assert_eq!(labels, expected);
    assert!(run(&theirs).expect("it starts").checkpoint.is_none());
}

/// A force that has no value from some time on.
#[derive(Debug)]
struct Broken {
    from: f64,
    value: f64,
}

impl LineModel for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    fn tension(&self, t: f64, _length: f64, _rate: f64) -> Tension {
        Tension { other: if t < self.from { 1.0 } else { self.value }, ..Tension::default() }
    }
}

/// A user's force without a value ends the run before it, with what was found until then and no NaN in it.
#[test]
fn property_a_force_of_a_user_without_a_value_ends_the_run() {
    for (value, method) in [
        (f64::NAN, Method::Dop853),
        (f64::INFINITY, Method::Dop853),
        (f64::NAN, Method::Radau5),
        (f64::NAN, Method::Rk4 { step: 1e-3 }),
    ] {
        let mut parts = Builder::new();
        let load = parts.body("load", Body::point(2.0).placed([1.0, 0.0], 0.0));
        let model = Arc::new(Broken { from: 0.5, value });
        let line = LineForce { a: GROUND.origin(), b: load.origin(), model };
        parts.force("line", Force::Line(line));
        let mechanism = parts.build().expect("good parts");
        let run = Simulation::new(&mechanism).method(method).until(1.0).run().expect("it starts");
        let said = run.outcome.to_string();
        let Outcome::Failed { t, .. } = run.outcome else { panic!("{said}") };
        assert!((0.4..=0.5).contains(&t), "{said}");
        let expected = "rate of x of body 'load': it is no longer a finite number";
        assert!(said.ends_with(expected), "{said}");
        let x = run.body("load").expect("it is there").x;
        assert!(x.iter().all(|x| x.is_finite()), "{x:?}");
    }
}

#[test]
fn property_a_force_of_a_user_is_checked() {
    let mut parts = Builder::new();
    let load = parts.body("load", Body::point(2.0));
    let model = Arc::new(Winch { force: 6.0, from: [f64::NAN] });
    let line = LineForce { a: load.at([f64::NAN, 0.0]), b: load.origin(), model };
    parts.force("winch", Force::Line(line));
    let Err(Error::Parts { problems }) = parts.build() else { panic!("it cannot be built") };
    assert_eq!(problems.len(), 3, "{problems:?}");
}

/// A block with bristle friction in a bearing, to have everything that a contact remembers.
fn sticky() -> Mechanism {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let pin = parts.body("pin", Body::new(0.2, 4e-5).centre([1e-3, 0.0]).moving([0.4, 0.0], 3.0));
    let curve = StribeckCurve::new(0.3, 0.2, 0.01).expect("good numbers");
    let friction = FrictionLaw::LuGre(LuGre::new(curve, 1e4, 10.0, 0.0).expect("good numbers"));
    let elastic = ElasticLaw::Power(Power { stiffness: 1e6, exponent: 1.5 });
    let restitution = Restitution::Constant(0.6);
    let damping = damping::DampingLaw::TwoSlope { restitution, smoothing_speed: 0.0 };
    let law = ContactLaw { normal: NormalLaw::new(elastic, damping), friction };
    let bearing = JournalBearing {
        bearing: GROUND.origin(),
        journal: pin.origin(),
        bearing_radius: 0.02,
        clearance: 1e-3,
        contact_point: 0.5,
    };
    parts.journal_bearing("bearing", bearing, law);
    parts.build().expect("good parts")
}

#[test]
fn property_two_runs_in_a_row_are_one() {
    for (mechanism, until, touches) in [(sticky(), 0.02, true), (machine(true), 0.15, true)] {
        let simulation = |formulation| {
            let simulation = Simulation::new(&mechanism).formulation(formulation).until(until);
            simulation.tolerance(1e-11)
        };
        for (formulation, other) in [(BOTH[0], BOTH[1]), (BOTH[1], BOTH[0])] {
            let whole = simulation(formulation).run().expect("it starts");
            let name = mechanism.contact_name(mechanism.contacts().next().expect("one").0);
            // From an instant with and one without contact, in the same coordinates and in others.
            for touching in [touches, false] {
                let instants = (1..whole.len()).filter(|&i| {
                    let (_, _, mode) = whole.trajectory.get(i);
                    matches!(mode.contacts[0], Phase::Touching { .. }) == touching
                });
                let middle = instants.clone().nth(instants.count() / 2).expect("there is one");
                let state = whole.state(middle).expect("it is regular");
                let text = serde_json::to_string(&state).expect("plain data");
                let state: State = serde_json::from_str(&text).expect("its own text");
                assert!(state.contacts.contains_key(name));
                for formulation in [formulation, other] {
                    let rest = simulation(formulation).start_from(&state).run().expect("it starts");
                    assert!(rest.outcome.reached_end(), "{}", rest.outcome);
                    assert_eq!(rest.times()[0], state.t);
                    assert!(rest.start.moved < 1e-12 && rest.start.velocity_changed == 0.0);
                    let (a, b) = (whole.end().expect("regular"), rest.end().expect("regular"));
                    for (id, name, _) in mechanism.bodies() {
                        let (a, b) = (a.body(id), b.body(id));
                        // Some hundred times the tolerance after several impacts.
                        let near = |a: f64, b: f64| (a - b).abs() < 1e-7 * (1.0 + a.abs());
                        assert!(near(a.position[0], b.position[0]), "{name}: {a:?} {b:?}");
                        assert!(near(a.position[1], b.position[1]), "{name}: {a:?} {b:?}");
                        assert!(near(a.angle, b.angle), "{name}: {a:?} {b:?}");
                        assert!(near(a.velocity[0], b.velocity[0]), "{name}: {a:?} {b:?}");
                    }
                    assert!(rest.ledger.relative_residual() < 1e-8);
                }
            }
        }
    }
}

#[test]
fn property_a_state_that_does_not_fit_is_refused() {
    let mechanism = machine(false);
    let run = Simulation::new(&mechanism).until(0.01).run().expect("it starts");
    let mut state = run.state(0).expect("regular");
    let crank = state.bodies["crank"];
    state.bodies.insert("kranck".to_owned(), crank);
    state.bodies.insert("rod".to_owned(), BodyState { angle: f64::NAN, ..crank });
    let wrist = state.contacts["wrist"];
    state.contacts.insert("pin".to_owned(), wrist);
    let refused = Simulation::new(&mechanism).start_from(&state).run();
    let Err(Error::State { problems }) = refused else { panic!("it does not fit") };
    let names: Vec<&str> = problems.iter().map(|problem| problem.part.name.as_str()).collect();
    assert_eq!(names, ["kranck", "rod", "pin"]);
}

#[test]
fn property_results_are_found_by_name() {
    let mechanism = machine(false);
    let run = Simulation::new(&mechanism).until(0.05).run().expect("it starts");
    let rod = run.body("rod").expect("it is there");
    let (id, elbow) = (mechanism.find_body("rod"), mechanism.find_joint("elbow"));
    let (id, elbow) = (id.expect("there"), elbow.expect("there"));
    assert_eq!(rod.t, run.times());
    let reactions = run.joint("elbow").expect("it is there");
    for (i, instant) in run.snapshots().enumerate() {
        let instant = instant.expect("regular");
        assert_eq!([rod.x[i], rod.y[i]], instant.position(id).position);
        assert_eq!([rod.vx[i], rod.vy[i]], instant.position(id).velocity);
        assert_eq!(rod.angular_velocity[i], instant.angle(id).rate);
        assert_eq!(reactions[i], instant.reaction(elbow));
    }
    assert_eq!(run.driver("motor").expect("there").len(), run.len());
    assert_eq!(run.contact("wrist").expect("there").len(), run.len());
    let error = run.body("rdo").expect_err("there is none");
    assert_eq!(error.to_string(), "there is no body 'rdo'; there are: crank, rod, block");
    assert!(run.joint("rod").is_err() && run.force("wrist").is_err());
}

/// A rotor on an oil film, which no other element of this crate can be: m z̈ + c ż + (k − iκ) z = 0 with z = x + iy has the
/// solution A exp(s₁t) + B exp(s₂t), and the two roots are known.
#[test]
fn exact_a_rotor_on_an_oil_film_whirls() {
    let (mass, stiffness, damping, start) = (2.0, 8e5, 400.0, 1e-5);
    let limit = 400.0 * (8e5_f64 / 2.0).sqrt();
    for (cross_stiffness, method) in
        [(0.5, Method::Dop853), (1.0, Method::Radau5), (1.5, Method::Dop853)]
            .map(|(part, method)| (part * limit, method))
    {
        let mut parts = Builder::new();
        // Both ends move: the housing is heavy, and on nothing else than the film.
        let housing = parts.body("housing", Body::new(3.0 * mass, 1.0).placed([0.0, 0.0], 0.0));
        let rotor = parts.body("rotor", Body::new(mass, 1e-3).placed([start, 0.0], 0.0));
        let model = Arc::new(oil_film::OilFilm { stiffness, cross_stiffness, damping });
        let film = CustomForce { a: housing.origin(), b: rotor.origin(), model };
        parts.force("film", Force::Custom(film));
        let mechanism = parts.build().expect("it can be built");
        let simulation = Simulation::new(&mechanism).method(method).tolerance(1e-11).until(0.01);
        let run = simulation.run().expect("it runs");
        let [one, two] = ["housing", "rotor"].map(|name| run.body(name).expect("it is there"));
        // The relative motion is that of the reduced mass 3m/4.
        let reduced = 0.75 * mass;
        let half = 0.5 * damping / reduced;
        // √(half² − k/μ + iκ/μ)
        let (u, v) = (half * half - stiffness / reduced, cross_stiffness / reduced);
        let size = u.hypot(v);
        let root = [(0.5 * (size + u)).sqrt(), (0.5 * (size - u)).sqrt()];
        let times =
            |a: [f64; 2], b: [f64; 2]| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
        let exp = |s: [f64; 2], t: f64| {
            let (sin, cos) = (s[1] * t).sin_cos();
            [(s[0] * t).exp() * cos, (s[0] * t).exp() * sin]
        };
        let s = [[root[0] - half, root[1]], [-root[0] - half, -root[1]]];
        // A + B = start and A s₁ + B s₂ = 0: A = −start s₂/(s₁ − s₂).
        let square = 4.0 * (root[0] * root[0] + root[1] * root[1]);
        let inverse = [2.0 * root[0] / square, -2.0 * root[1] / square];
        let a = times([-start * s[1][0], -start * s[1][1]], inverse);
        let b = times([start * s[0][0], start * s[0][1]], inverse);
        for (i, &t) in one.t.iter().enumerate() {
            let (first, second) = (times(a, exp(s[0], t)), times(b, exp(s[1], t)));
            let ours = [two.x[i] - one.x[i], two.y[i] - one.y[i]];
            for k in 0..2 {
                // The tolerance allows 1e-11 of the size of the mechanism per step.
                let error = (ours[k] - first[k] - second[k]).abs();
                assert!(error < 1e-6 * start, "{method:?} t = {t}: {error}");
            }
        }
        assert!(run.ledger.relative_residual() < 1e-8, "{}", run.ledger.relative_residual());
        assert!(run.checkpoint.is_none(), "code of a user has no checkpoint");
        // It whirls outwards above the limit of the reduced mass only.
        let grows = cross_stiffness > damping * (stiffness / reduced).sqrt();
        assert_eq!(s[0][0] > 0.0, grows);
    }
}
