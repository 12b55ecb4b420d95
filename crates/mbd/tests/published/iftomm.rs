//! The benchmark library of IFToMM: A01 simple pendulum, A02 N-four-bar mechanism.

use jointplay_mbd::{
    Body, Builder, Formulation, GROUND, Mechanism, Sampling, Simulation, Solution,
};

const BOTH: [Formulation; 2] = [Formulation::Joint, Formulation::Absolute];

fn run(mechanism: &Mechanism, formulation: Formulation, times: Vec<f64>) -> Solution<'_> {
    let until = times[times.len() - 1];
    let simulation = Simulation::new(mechanism).formulation(formulation).tolerance(1e-11);
    let run = simulation.until(until).sampled(Sampling::Times(times)).run().expect("it starts");
    assert!(run.outcome.reached_end(), "{}", run.outcome);
    run
}

/// A point mass on a massless rod, from the horizontal.
fn a01() -> Mechanism {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let bob = parts.body("bob", Body::point(1.0).placed([-1.0, 0.0], 0.0));
    parts.rod("rod", GROUND.origin(), bob.origin(), 1.0);
    parts.build().expect("good parts")
}

#[test]
fn published_a01_simple_pendulum() {
    let mechanism = a01();
    for formulation in BOTH {
        let run = run(&mechanism, formulation, vec![1.0, 10.0]);
        assert_eq!(run.start.freedom, 1);
        let bob = mechanism.find_body("bob").expect("it is there");
        let x = run.series(|s| s.position(bob).position[0]).expect("regular");
        let y = run.series(|s| s.position(bob).position[1]).expect("regular");
        let end = run.end().expect("regular").position(bob);
        let published = [
            (x[1], 0.986291751132),
            (y[1], -0.165010853126),
            (end.position[0], -0.275087462576),
            (end.position[1], -0.961419205099),
            (end.velocity[0], 4.175598100952),
            (end.velocity[1], -1.194749054560),
        ];
        for (ours, digits) in published {
            // The digits are printed to 12 places; dense output at 1 s and the tolerance leave 1e-9.
            assert!((ours - digits).abs() < 1e-9, "{formulation:?}: {ours} {digits}");
        }
        // The library accepts an energy error of 5e-5 J.
        assert!(run.ledger.worst < 1e-9, "{:e}", run.ledger.worst);
    }
}

/// N windows of rods, upright, the top moving to the right with 1 m/s.
fn a02(windows: usize) -> Mechanism {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let rod = || Body::rod(1.0, 1.0);
    let upright: Vec<_> = (0..=windows)
        .map(|k| {
            let place = rod().placed([k as f64, 0.5], std::f64::consts::FRAC_PI_2);
            parts.body(format!("upright {k}"), place.moving([0.5, 0.0], -1.0))
        })
        .collect();
    for (k, &rod) in upright.iter().enumerate() {
        parts.revolute(format!("A{k}"), GROUND.at([k as f64, 0.0]), rod.at([-0.5, 0.0]));
    }
    for k in 0..windows {
        let place = rod().placed([k as f64 + 0.5, 1.0], 0.0).moving([1.0, 0.0], 0.0);
        let top = parts.body(format!("top {k}"), place);
        parts.revolute(format!("B{k} right"), upright[k].at([0.5, 0.0]), top.at([-0.5, 0.0]));
        parts.revolute(
            format!("B{} left", k + 1),
            upright[k + 1].at([0.5, 0.0]),
            top.at([0.5, 0.0]),
        );
    }
    parts.build().expect("good parts")
}

#[test]
fn published_a02_two_windows() {
    let mechanism = a02(2);
    for formulation in BOTH {
        let run = run(&mechanism, formulation, vec![4.0, 10.0]);
        assert_eq!(run.start.freedom, 1);
        assert!(run.start.redundant.is_empty());
        let upright = mechanism.find_body("upright 0").expect("it is there").at([0.5, 0.0]);
        let x = run.series(|s| s.point(upright).position[0]).expect("regular");
        let y = run.series(|s| s.point(upright).position[1]).expect("regular");
        let end = run.end().expect("regular").point(upright);
        let published = [
            (x[1], 0.117616102377),
            (y[1], 0.993059138451),
            (end.position[0], 0.328458111540),
            (end.position[1], 0.944518538179),
            (end.velocity[0], 1.423051470206),
            (end.velocity[1], -0.494868845486),
        ];
        for (ours, digits) in published {
            // Ten singular positions, where constraints repeat each other, lie on the way.
            assert!((ours - digits).abs() < 1e-6, "{formulation:?}: {ours} {digits}");
        }
    }
}

/// Angle of the uprights after 10 s, from golden/mechanisms-a02.
fn reduced(windows: usize) -> f64 {
    match windows {
        2 => -3.0179800860191205e+1,
        10 => -3.0050933495986976e+1,
        40 => -3.0026637417190841e+1,
        _ => unreachable!("no reference"),
    }
}

#[test]
fn exact_a02_of_any_width_is_the_reduced_pendulum() {
    for (windows, formulation) in [
        (2, Formulation::Joint),
        (10, Formulation::Joint),
        (10, Formulation::Absolute),
        (40, Formulation::Joint),
        (40, Formulation::Absolute),
    ] {
        let mechanism = a02(windows);
        let simulation = Simulation::new(&mechanism).formulation(formulation).tolerance(1e-10);
        let run = simulation.until(10.0).sampled(Sampling::EventsOnly).run().expect("it starts");
        assert!(run.outcome.reached_end(), "{windows} {formulation:?}: {}", run.outcome);
        let upright = mechanism.find_body("upright 0").expect("it is there");
        let angle = run.end().expect("regular").angle(upright).value;
        let error = angle - reduced(windows);
        println!("{windows} {formulation:?} {error:e} {:?}", run.stats);
        assert!(error.abs() < 1e-6, "{windows} {formulation:?}: {error:e}");
    }
}
