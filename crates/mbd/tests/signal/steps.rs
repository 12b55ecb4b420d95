//! The longest steps over which a signal is seen.

use std::f64::consts::{PI, TAU};

use jointplay_mbd::signal::{Harmonic, Signal, Spline};

use super::{NATURAL, NOT_A_KNOT, TIMES, example, pulse, step};

/// Whatever step is asked for from wherever, a pole is not stepped over.
#[test]
fn property_no_step_goes_over_a_pole() {
    for (source, pole) in
        [("1/(t - 0.5)", 0.5), ("1/(t - 0.3)^2", 0.3), ("tan(t)", PI / 2.0), ("ln(2 - t)", 2.0)]
    {
        let signal = Signal::expression(source).unwrap();
        for k in 0..200 {
            let t = pole * f64::from(k) / 200.0;
            for h in [0.01, 0.1, 1.0, 10.0] {
                let step = signal.longest_step(t, h);
                assert!(step <= h && step > 0.0);
                assert!(t + step < pole, "{source}: {step} from {t}");
            }
        }
    }
}

/// Sines are seen in less than an eighth of their period; a formula, even at its crests, in more than a hundredth.
#[test]
fn property_steps_follow_the_period() {
    let harmonic = Harmonic { amplitude: 2.0, angular_frequency: TAU * 1e3, ..Harmonic::default() };
    let harmonic = Signal::harmonic(harmonic).unwrap();
    let formula = Signal::expression("5 + 2*sin(2*pi*1000*t)").unwrap();
    let sum = Signal::sum([Signal::rate(1.0, 3.0).unwrap(), harmonic.clone()]);
    for signal in [harmonic, formula, sum] {
        for k in 0..500 {
            for h in [1.0, 0.37, 3e-3] {
                let step = signal.longest_step(1.234e-5 * f64::from(k), h);
                assert!(step <= 1.3e-4 && step > 1e-5, "{signal:?}: {step}");
            }
        }
    }
    for source in ["3", "2*t^2 - t", "t^5 - 4*t^3"] {
        let signal = Signal::expression(source).unwrap();
        assert_eq!(signal.longest_step(0.2, 10.0), 10.0, "{source}");
    }
    assert_eq!(Signal::polynomial(&[1.0, 2.0, 3.0]).unwrap().longest_step(0.0, 1e3), 1e3);
}

/// However long a step is asked for, a short pulse is not stepped over: where one ends before the pulse, the next stretch is looked at.
#[test]
fn property_no_step_goes_over_a_pulse() {
    for source in [
        "exp(-((t - 0.5)/1e-4)^2)",
        "3*sin(2*t) + 1e-2*exp(-((t - 0.5)/1e-4)^2)",
        "1/(1 + ((t - 0.5)/1e-5)^2)",
        "tanh((t - 0.5)/1e-5)",
        "if(t < 0.5, 0, if(t < 0.50001, 1, 0))",
        "max(0, 1 - ((t - 0.5)/1e-4)^2)",
    ] {
        let signal = Signal::expression(source).unwrap();
        for k in 0..200 {
            let t = 0.49 * f64::from(k) / 200.0;
            for h in [0.012, 0.1, 0.7, 10.0] {
                let step = signal.longest_step(t, h);
                assert!(t + step < 0.5001, "{source}: {step} from {t}");
                assert!(step > 1e-5, "{source}: {step} from {t}");
            }
        }
    }
    // What is only rounding is not followed: the crests and the flat parts of a wave that is nearly a square.
    let square = Signal::expression("50*(1 + tanh(200*sin(2*pi*5*t)))").unwrap();
    for k in 0..1000 {
        assert!(square.longest_step(1e-3 * f64::from(k) + 3e-5, 1.0) > 1e-7, "{k}");
    }
    // What cancels in a formula costs looks, not the run.
    let flat = Signal::expression("sin(40*t)^2 + cos(40*t)^2").unwrap();
    assert!(flat.longest_step(0.3, 1.0) > 1e-4);
}

/// No point of a table lies inside a step, but one that is all but reached where it starts.
#[test]
fn property_steps_end_at_points_of_a_table() {
    for spline in [NOT_A_KNOT, NATURAL, Spline::Periodic] {
        let table = example(spline);
        for k in 0..400 {
            let t = 0.005 * f64::from(k);
            let step = table.longest_step(t, 1e3);
            let again = TIMES.iter().map(|knot| knot + 2.0);
            let inside = TIMES.iter().copied().chain(again.skip(1));
            let mut inside = inside.filter(|knot| *knot > t + 1e-6 && *knot < t + step - 1e-12);
            assert!(step > 1e-8 && inside.next().is_none(), "{spline:?}: {step} from {t}");
        }
    }
    // Outside there is nothing to see.
    assert_eq!(example(NOT_A_KNOT).longest_step(2.5, 7.0), 7.0);
    assert_eq!(pulse(1.0, 0.2, 0.1).longest_step(0.5, 7.0), 7.0);
    assert!(pulse(1.0, 0.2, 0.1).longest_step(0.25, 7.0) <= 0.0126);
    assert!(step(0.2, 0.4, 0.0, 1.0).longest_step(0.2, 7.0) < 0.06);
}
