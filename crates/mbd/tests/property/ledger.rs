//! The books close, and every entry in them is needed.

use jointplay_mbd::signal::{Harmonic, SmoothStep};
use jointplay_mbd::{
    Account, AccountKind, Body, Builder, Bushing, Coordinate, DriftControl, Energy, Equations,
    Force, Formulation, GROUND, JointFriction, JournalBearing, Ledger, LoadFrame, Mechanism,
    Method, Mode, Sampling, Signal, Simulation, Spring, TorsionSpring,
};
use jointplay_ode::{Dop853, Options, System, Tolerance, drive};

use super::mechanisms::{BOTH, law, tanh};

/// A slider-crank whose wrist pin has clearance; the slider works a lever through a link, which closes a loop, and
/// carries a bob on a bushing. There is an account of every kind, most of them more than once.
pub(crate) fn press() -> Mechanism {
    let mut parts = Builder::new();
    parts.gravity([0.3, -9.81]);
    let crank = parts.body("crank", Body::rod(0.5, 0.1).centre([0.05, 0.0]));
    let rod = parts.body("rod", Body::rod(0.4, 0.3).centre([0.15, 0.0]).placed([0.1, 0.0], 0.0));
    let slider = parts.body("slider", Body::new(0.6, 1e-3).placed([0.4, 0.0], 0.0));
    let link = parts.body("link", Body::rod(0.2, 0.25).placed([0.4, 0.125], 1.6));
    let lever = parts.body("lever", Body::rod(0.7, 0.3).placed([0.25, 0.25], 0.0));
    let bob = parts.body("bob", Body::new(0.1, 1e-3).placed([0.45, 0.0], 0.1));
    let shaft = parts.revolute("shaft", GROUND.origin(), crank.origin());
    let guide = parts.prismatic("guide", GROUND.origin(), slider.origin());
    let elbow = parts.revolute("elbow", crank.at([0.1, 0.0]), rod.origin());
    parts.revolute("knee", slider.origin(), link.at([-0.125, 0.0]));
    parts.revolute("hinge", link.at([0.125, 0.0]), lever.at([0.15, 0.0]));
    let pivot = parts.revolute("pivot", GROUND.at([0.1, 0.25]), lever.at([-0.15, 0.0]));
    parts.friction(guide, JointFriction::block(tanh(0.15, 0.05), 0.3).and_viscous(0.8));
    parts.friction(pivot, JointFriction::pin(tanh(0.2, 0.05), 0.02));
    parts.friction(elbow, JointFriction::viscous(0.01));
    let start_up = SmoothStep { start: 0.0, end: 0.1, from: 0.0, to: 1.5 };
    let signal = Signal::sum([
        Signal::rate(0.3, 12.0).expect("finite"),
        Signal::smooth_step(start_up).expect("finite"),
    ]);
    parts.drive("motor", Coordinate::Joint(shaft), signal);
    let wave = |offset, amplitude, angular_frequency| {
        let wave = Harmonic { offset, amplitude, angular_frequency, phase: 0.4 };
        Signal::harmonic(wave).expect("finite")
    };
    parts.force(
        "load",
        Force::Load {
            at: lever.at([0.1, 0.02]),
            direction: [0.3, 1.0],
            fixed_in: LoadFrame::Body,
            size: wave(3.0, 5.0, 20.0),
        },
    );
    parts.force("torque", Force::Torque { on: lever, against: link, size: wave(0.1, 0.3, 15.0) });
    let spring = Spring::new(GROUND.at([0.25, 0.5]), lever.origin(), 150.0, 0.2);
    parts.force("spring", Force::Spring(spring.damped(3.0).preloaded(2.0)));
    let torsion = TorsionSpring::new(link, lever, 0.5, -1.5).damped(0.02);
    parts.force("torsion", Force::TorsionSpring(torsion));
    parts.force(
        "bushing",
        Force::Bushing(Bushing {
            a: slider.at([0.05, 0.0]).at_angle(0.3),
            b: bob.origin().at_angle(0.3),
            stiffness: [800.0, 500.0, 1.0],
            damping: [2.0, 3.0, 0.01],
        }),
    );
    let wrist = JournalBearing {
        bearing: slider.origin(),
        journal: rod.at([0.3, 0.0]),
        bearing_radius: 0.01,
        clearance: 2e-3,
        contact_point: 0.5,
    };
    parts.journal_bearing("wrist", wrist, law(5e4, 0.7, tanh(0.1, 0.02)));
    parts.start_at(Coordinate::Y(rod.at([0.3, 0.0])), 0.0);
    parts.start_at(Coordinate::X(slider.origin()), 0.394);
    parts.build().expect("good parts")
}

/// The residual with one entry left out: one of the four energies, or an account.
fn residual_without(ledger: &Ledger, left_out: usize) -> f64 {
    let parts = |energy: &Energy| [energy.kinetic, energy.gravity, energy.elastic, energy.contact];
    let changes = parts(&ledger.end).into_iter().zip(parts(&ledger.start));
    let energies = changes.map(|(end, start)| end - start);
    let sign = |account: &Account| if account.kind.is_loss() { 1.0 } else { -1.0 };
    let accounts = ledger.accounts.iter().map(|(account, amount)| sign(account) * amount);
    let entries = energies.chain(accounts).enumerate();
    entries.filter(|(i, _)| *i != left_out).map(|(_, entry)| entry).sum()
}

const NO_PROJECTION: DriftControl = DriftControl { alpha: 50.0, beta: 50.0, projection: false };

#[test]
fn property_the_books_close_and_need_every_entry() {
    let mechanism = press();
    for (formulation, drift) in BOTH.into_iter().flat_map(|formulation| {
        [DriftControl::default(), NO_PROJECTION].map(|drift| (formulation, drift))
    }) {
        let simulation = Simulation::new(&mechanism).formulation(formulation).drift_control(drift);
        let simulation = simulation.tolerance(1e-10).sampled(Sampling::EventsOnly);
        // The wrist touches at this time.
        let run = simulation.until(0.48).run().expect("it starts");
        assert!(run.outcome.reached_end(), "{}", run.outcome);
        assert!(run.stats.events >= 6, "impacts are part of it: {:?}", run.stats);
        let ledger = &run.ledger;
        // Ten times the tolerance.
        let residual = ledger.relative_residual();
        assert!(residual <= 1e-9, "{formulation:?} {drift:?}: {residual:e}");
        assert!(ledger.residual().abs() <= ledger.worst);
        let count = 4 + ledger.accounts.len();
        let whole = residual_without(ledger, count);
        // The same entries in another order.
        assert!((whole - ledger.residual()).abs() < 1e-14 * ledger.exchanged);
        let kinds = |kind: AccountKind| ledger.accounts.iter().any(|(a, _)| a.kind == kind);
        let all = [
            AccountKind::Driver,
            AccountKind::Load,
            AccountKind::Damping,
            AccountKind::JointFriction,
            AccountKind::JointViscous,
            AccountKind::ContactNormal,
            AccountKind::ContactFriction,
            AccountKind::DriftControl,
        ];
        assert!(all.into_iter().all(kinds));
        for entry in 0..count {
            // Nothing starts in overlap here.
            let none = [AccountKind::DriftControl, AccountKind::LateStart];
            let of_drift = entry >= 4 && none.contains(&ledger.accounts[entry - 4].0.kind);
            let without = residual_without(ledger, entry).abs();
            // Drift is no more than rounding at this tolerance; the next tests see to its account.
            assert!(
                of_drift || without >= 1e-6 * ledger.exchanged,
                "{entry}: {without:e} {ledger:#?}"
            );
        }
    }
}

#[test]
fn property_the_residual_falls_with_the_tolerance() {
    let mechanism = press();
    for formulation in BOTH {
        for method in [Method::Dopri5, Method::Dop853] {
            let residual = |tolerance| {
                let simulation = Simulation::new(&mechanism).formulation(formulation);
                let simulation = simulation.method(method).tolerance(tolerance).until(0.3);
                let run = simulation.sampled(Sampling::EventsOnly).run().expect("it starts");
                run.ledger.relative_residual()
            };
            let tolerances = [1e-5, 1e-7, 1e-9, 1e-11];
            let residuals = tolerances.map(residual);
            for (residual, tolerance) in residuals.iter().zip(tolerances) {
                // The errors of some hundred steps.
                assert!(*residual < 10.0 * tolerance, "{formulation:?} {method:?}: {residuals:?}");
            }
            // Six orders of magnitude of the tolerance are three of the residual at least.
            assert!(
                residuals[3] < 1e-3 * residuals[0],
                "{formulation:?} {method:?}: {residuals:?}"
            );
        }
    }
}

/// A run that begins off its constraints: what Baumgarte's stabilisation does is work, and it is booked.
#[test]
fn property_the_work_of_the_stabilisation_is_booked() {
    let mechanism = press();
    for formulation in BOTH {
        let equations = Equations::new(&mechanism, formulation, NO_PROJECTION).expect("masses");
        let start = equations.start(0.0).expect("it is assembled");
        let n = equations.unknown_count();
        let mut y = start.y.clone();
        for (i, y) in y[..2 * n].iter_mut().enumerate() {
            *y += 1e-4 * (i as f64 + 1.0).cos() * if i < n { 1.0 } else { 1e2 };
        }
        let energy = |t: f64, y: &[f64], mode: &Mode| {
            equations.snapshot(t, y, mode).expect("regular").energy().total()
        };
        let before = energy(0.0, &y, &start.mode);
        let options = Options::new(Tolerance::new(1e-12, 1e-14));
        let run = drive(&equations, Dop853, y, start.mode, 0.0..0.1, &options, &mut ());
        assert_eq!(run.outcome, jointplay_ode::RunEnd::ReachedEnd);
        let mut brought = 0.0;
        let (mut drift, mut size) = (0.0, 0.0);
        for (account, amount) in mechanism.accounts().iter().zip(&run.y[2 * n..]) {
            brought += if account.kind.is_loss() { -amount } else { *amount };
            size += amount.abs();
            if account.kind == AccountKind::DriftControl {
                drift = *amount;
            }
        }
        let residual = energy(run.t, &run.y, &run.mode) - before - brought;
        assert!(drift.abs() > 1e-5 * size, "{drift:e} of {size:e}");
        assert!(residual.abs() < 1e-9 * size, "{formulation:?}: {residual:e}, drift {drift:e}");
    }
}

/// A projection brings the state back to the constraints, and the energy it brings into the books.
#[test]
fn property_the_work_of_a_projection_is_booked() {
    let mechanism = press();
    for formulation in BOTH {
        let equations = Equations::new(&mechanism, formulation, DriftControl::default());
        let equations = equations.expect("bodies with mass");
        let start = equations.start(0.0).expect("it is assembled");
        let n = equations.unknown_count();
        let mut y = start.y.clone();
        for (i, y) in y[..2 * n].iter_mut().enumerate() {
            *y += 1e-4 * (i as f64 + 1.0).cos() * if i < n { 1.0 } else { 1e2 };
        }
        let account = mechanism.accounts().iter();
        let account = account.take_while(|account| account.kind != AccountKind::DriftControl);
        let drift = 2 * n + account.count();
        let energy =
            |y: &[f64]| equations.snapshot(0.0, y, &start.mode).expect("regular").energy().total();
        let (before, booked) = (energy(&y), y[drift]);
        equations.project(0.0, &mut y, &start.mode, &mut equations.scratch()).expect("it closes");
        let (position, rate) =
            equations.snapshot(0.0, &y, &start.mode).expect("regular").violation();
        // To 1e-12 of the size of the mechanism; the bodies move with some m/s.
        assert!(position < 1e-12 && rate < 1e-10, "{position:e} {rate:e}");
        let change = energy(&y) - before;
        // Energies of a few J round to 1e-15 of themselves.
        assert!(change.abs() > 1e-5, "{change:e}");
        assert!((change - (y[drift] - booked)).abs() < 1e-14);
        let again = y.clone();
        equations.project(0.0, &mut y, &start.mode, &mut equations.scratch()).expect("it closes");
        // A state on the constraints stays where it is, but for rounding.
        assert!(y.iter().zip(&again).all(|(y, again)| (y - again).abs() < 1e-12 * (1.0 + y.abs())));
    }
}

/// A ball that falls freely beside a table that a driver moves.
fn ball_and_table(signal: Signal) -> Mechanism {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    parts.body("ball", Body::new(1.0, 1e-3).placed([1.0, 2.0], 0.0));
    let table = parts.body("table", Body::new(3.0, 0.1));
    let up = parts.prismatic(
        "guide",
        GROUND.origin().along([0.0, 1.0]),
        table.origin().along([0.0, 1.0]),
    );
    parts.drive("shaker", Coordinate::Joint(up), signal);
    parts.build().expect("good parts")
}

/// 0.1 m at 10 Hz, in three forms.
fn shakes() -> [Signal; 3] {
    let omega = 20.0 * std::f64::consts::PI;
    let times: Vec<f64> = (0..=40).map(|k| 0.0025 * f64::from(k)).collect();
    let values: Vec<f64> =
        times.iter().map(|t| if *t < 0.0999 { 0.1 * (omega * t).sin() } else { 0.0 }).collect();
    [
        Signal::harmonic(Harmonic {
            amplitude: 0.1,
            angular_frequency: omega,
            ..Harmonic::default()
        }),
        Signal::expression("0.1*sin(2*pi*10*t)"),
        Signal::table(&times, &values, jointplay_mbd::signal::Spline::Periodic),
    ]
    .map(|signal| signal.expect("a signal"))
}

/// The ball is the only unknown, and a method would take steps of a second: the work of the shaker would be anything.
#[test]
fn property_a_driver_limits_the_steps() {
    for (form, signal) in shakes().into_iter().enumerate() {
        let mechanism = ball_and_table(signal);
        for formulation in BOTH {
            for (method, limit) in [
                (Method::Dop853, 1e-8),
                (Method::Dopri5, 1e-4),
                (Method::Rkf45, 1e-4),
                (Method::Radau5, 1e-4),
            ] {
                // Its iteration ends when the motion is solved for and leaves the accounts of reactions behind, by percents
                // where drivers are constraints; a summary warns of it.
                if (method, formulation) == (Method::Radau5, Formulation::Absolute) {
                    continue;
                }
                let simulation = Simulation::new(&mechanism).formulation(formulation);
                let simulation = simulation.tolerance(1e-10);
                let run = simulation.method(method).until(1.0).run().expect("it starts");
                assert!(run.outcome.reached_end() && run.outrun.is_none(), "{}", run.outcome);
                let residual = run.ledger.relative_residual();
                let (books, drift) = (run.ledger.books_share(), run.ledger.drift_share());
                println!("{form} {method:?}: {books:.1e} {drift:.1e}, {:?}", run.stats);
                assert!(residual < limit, "{form} {formulation:?} {method:?}: {residual:e}");
                assert!(run.stats.accepted < 1000);
            }
        }
    }
}

/// A body at rest is struck by a force that lasts a ten-thousandth of the run: m v = ∫ F dt = a w √π.
#[test]
fn exact_a_short_pulse_is_not_stepped_over() {
    let mut parts = Builder::new();
    let ball = parts.body("ball", Body::new(2.0, 1e-3));
    let size = Signal::expression("300*exp(-((t - 3.217)/1e-4)^2)").expect("a formula");
    let fixed_in = LoadFrame::World;
    let load = Force::Load { at: ball.origin(), direction: [1.0, 0.0], fixed_in, size };
    parts.force("strike", load);
    let mechanism = parts.build().expect("good parts");
    let speed = 300.0 * 1e-4 * std::f64::consts::PI.sqrt() / 2.0;
    for formulation in BOTH {
        for method in [Method::Dop853, Method::Dopri5, Method::Rkf45, Method::Radau5] {
            let simulation = Simulation::new(&mechanism).formulation(formulation);
            let run = simulation.method(method).until(10.0).run().expect("it starts");
            assert!(run.outcome.reached_end(), "{}", run.outcome);
            let [v, _] = run.end().expect("regular").position(ball).velocity;
            assert!((v / speed - 1.0).abs() < 1e-6, "{method:?}: {v}, {speed}");
            assert!(run.stats.accepted < 10_000, "{method:?}: {:?}", run.stats);
        }
    }
}

/// Pulses in whose formula something overflows long before and after; closed forms of ∫ F dt, x = (t − 0.2)/w.
#[test]
fn exact_pulses_whose_parts_overflow_are_not_stepped_over() {
    let pi = std::f64::consts::PI;
    // ∫ 1/(1 + xⁿ) dx = (2π/n)/sin(π/n)
    let hat = |n: f64| 2.0 * pi / n / (pi / n).sin();
    for (source, impulse, until) in [
        ("1e5/cosh((t-0.2)*1e5)", pi, 1.0),
        ("1e5/cosh((t-0.2)*1e5)^2", 2.0, 1.0),
        ("1e5/(1+exp((t-0.2)*1e5))/(1+exp(-(t-0.2)*1e5))", 1.0, 1.0),
        ("1e5/(exp((t-0.2)*1e5)+exp(-(t-0.2)*1e5))", pi / 2.0, 1.0),
        ("1e5/exp(((t-0.2)*1e5)^2)", pi.sqrt(), 1.0),
        ("1e5/(2+exp(abs(t-0.2)*1e5))", 3_f64.ln(), 1.0),
        ("1e5/max(1,exp(abs(t-0.2)*1e5))", 2.0, 1.0),
        ("1e3/(1+((t-0.2)*1e3)^200)", hat(200.0), 1.0),
        ("1e5/(1+((t-0.2)*1e5)^100)", hat(100.0), 1.0),
        ("1e4/(1+((t-50)*1e4)^80)", hat(80.0), 100.0),
        ("1e5*max(0,1-((t-0.2)*1e5)^200)", 2.0 * 200.0 / 201.0, 1.0),
        ("20/cosh(20*(t-50))", pi, 100.0),
        ("100/cosh(100*(t-10))^2", 2.0, 20.0),
        ("1e5*exp(-1e5*t)", 1.0, 1.0),
    ] {
        let mut parts = Builder::new();
        let ball = parts.body("ball", Body::new(1.0, 1e-3));
        let size = Signal::expression(source).expect("a formula");
        let fixed_in = LoadFrame::World;
        let load = Force::Load { at: ball.origin(), direction: [1.0, 0.0], fixed_in, size };
        parts.force("strike", load);
        let mechanism = parts.build().expect("good parts");
        for method in [Method::Dop853, Method::Radau5] {
            let run = Simulation::new(&mechanism).method(method).until(until).run();
            let run = run.expect("it starts");
            assert!(run.outcome.reached_end(), "{source}: {}", run.outcome);
            let [v, _] = run.end().expect("regular").position(ball).velocity;
            assert!((v / impulse - 1.0).abs() < 1e-6, "{source} {method:?}: {v}, {impulse}");
            assert!(run.stats.accepted < 20_000, "{source} {method:?}: {:?}", run.stats);
        }
    }
}

/// A step of fixed size cannot be limited; the run says so.
#[test]
fn property_a_fixed_step_that_outruns_a_driver_is_named() {
    for signal in shakes() {
        let mechanism = ball_and_table(signal);
        let run = |step| {
            let simulation = Simulation::new(&mechanism).method(Method::Rk4 { step }).until(0.5);
            simulation.run().expect("it starts")
        };
        let outrun = run(0.05).outrun.expect("half a period");
        assert_eq!(outrun.part.label(), "driver 'shaker'");
        assert!(outrun.t < 0.1 && outrun.step > outrun.longest && outrun.longest > 1e-3);
        assert_eq!(run(1e-3).outrun, None);
    }
}

/// Nothing moves: what rounding leaves in the energies is no part of anything.
#[test]
fn property_a_mechanism_at_rest_has_no_residual() {
    for far in [0.0, 1e3] {
        let mut parts = Builder::new();
        parts.gravity([0.0, -9.81]);
        let down = -std::f64::consts::FRAC_PI_2;
        let rods = ["upper", "lower"].map(|name| {
            let depth = if name == "upper" { 0.5 } else { 1.5 };
            parts.body(name, Body::rod(2.0, 1.0).placed([far, -depth], down))
        });
        parts.revolute("top", GROUND.at([far, 0.0]), rods[0].at([-0.5, 0.0]));
        parts.revolute("middle", rods[0].at([0.5, 0.0]), rods[1].at([-0.5, 0.0]));
        let mechanism = parts.build().expect("good parts");
        for formulation in BOTH {
            let run = Simulation::new(&mechanism).formulation(formulation).until(2.0).run();
            let ledger = run.expect("it starts").ledger;
            assert!(ledger.exchanged < 1e-9, "{ledger:?}");
            assert_eq!(ledger.relative_residual(), 0.0, "{ledger:?}");
        }
    }
}

/// An arm that turns on a pivot at constant speed; nothing else is there.
fn free_arm(reach: f64, rate: f64) -> Mechanism {
    let mut parts = Builder::new();
    let body = Body::new(1.0, 0.1).centre([reach, 0.0]).moving([0.0, 0.0], rate);
    let arm = parts.body("arm", body);
    parts.revolute("pivot", GROUND.origin(), arm.origin());
    parts.build().expect("good parts")
}

/// Nothing is exchanged, but the kinetic energy (0.1 + reach²) rate²/2 is in play: what the tolerance leaves over up to 32 turns stays
/// below the 1e-4 of it from which on a run warns.
#[test]
fn exact_an_arm_that_turns_freely_keeps_its_energy() {
    for (reach, rate) in [(0.2, -1.0), (1.7, 0.3), (0.2, 100.0), (1.7, 100.0)] {
        let mechanism = free_arm(reach, rate);
        let kinetic = (0.1 + reach * reach) * rate * rate / 2.0;
        for formulation in BOTH {
            for method in [Method::Dop853, Method::Dopri5, Method::Rkf45, Method::Radau5] {
                let simulation = Simulation::new(&mechanism).formulation(formulation);
                let simulation = simulation.tolerance(1e-10);
                let run = simulation.method(method).until(2.0).run().expect("it starts");
                let Ledger { exchanged, unexplained, shown, .. } = run.ledger;
                println!("{formulation:?} {method:?} {rate}: {unexplained:e} of {exchanged:e} J");
                assert!((run.ledger.in_play() - kinetic).abs() < 1e-4 * kinetic);
                assert!(run.ledger.relative_residual() < 1e-4, "{:?}", run.ledger);
                assert!(run.ledger.shown_shares()[2] < 1e-4, "{shown:?}");
            }
        }
    }
}

/// Steps of a sixth of a turn lose what is no rounding: the ledger says how much of the kinetic energy it is.
#[test]
fn exact_what_coarse_steps_take_from_a_free_arm_is_told() {
    let mechanism = free_arm(1.7, 10.0);
    let simulation = Simulation::new(&mechanism).formulation(Formulation::Absolute);
    let run = simulation.method(Method::Rk4 { step: 0.1 }).until(2.0).run().expect("it starts");
    let Energy { kinetic: start, .. } = run.ledger.start;
    let gone = (run.ledger.end.kinetic - start).abs() / start;
    println!("{gone:e} {:?}", run.ledger);
    assert!(gone > 1e-3 && run.ledger.relative_residual() > 0.5 * gone, "{:?}", run.ledger);
}

/// A body is lifted by 2 µm, 10³ km away from the origin: every step rounds its height by up to 1e-10 m, which is no residual.
/// At the origin the same motion closes to its own accuracy.
#[test]
fn property_rounding_of_many_steps_far_away_is_no_residual() {
    for (far, limit) in [(0.0, 1e-8), (1e3, 1e-4), (1e6, 1e-4)] {
        let mut parts = Builder::new();
        parts.gravity([0.0, -9.81]);
        let cart = parts.body("cart", Body::new(1.0, 0.1).placed([far, far], 0.0));
        let rail = GROUND.at([far, far]).at_angle(1.2);
        let guide = parts.prismatic("rail", rail, cart.origin().at_angle(1.2));
        let lift = Signal::rate(0.0, 1e-6).expect("finite");
        parts.drive("lift", Coordinate::Joint(guide), lift);
        let mechanism = parts.build().expect("good parts");
        let simulation = Simulation::new(&mechanism).formulation(Formulation::Absolute);
        let run = simulation.max_step(1e-4).until(2.0).run().expect("it starts");
        let shares = run.ledger.shown_shares();
        println!("{far}: {shares:?} {:?}", run.ledger);
        assert!(shares.iter().all(|share| *share <= limit), "{shares:?}");
    }
}
