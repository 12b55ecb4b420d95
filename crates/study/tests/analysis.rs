//! Spectra, sections and orbits against closed forms.

use std::f64::consts::{PI, TAU};

use jointplay_study::analysis::{
    AnalysisError, Crossing, Direction, Signal, Stroboscope, Window, cell_means, cells, crossings,
    of_samples, orbit, period, spectrum, stroboscope, track,
};
use jointplay_study::case::Case;

fn near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value}, not {expected} within {tolerance}");
}

/// Numbers in [0, 1) that are the same each time (Park and Miller 1988).
fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state * 48271 % 2147483647;
        state as f64 / 2147483647.0
    }
}

/// Samples of a sum of sines: amplitude, turns over the whole span, phase.
fn tones(count: u32, tones: &[(f64, f64, f64)]) -> Vec<f64> {
    let value = |n: u32| {
        let share = f64::from(n) / f64::from(count);
        tones.iter().map(|(a, turns, phase)| a * (TAU * turns * share + phase).sin()).sum::<f64>()
    };
    (0..count).map(value).collect()
}

#[test]
fn exact_a_sine_on_a_line_shows_its_amplitude_under_every_window() {
    // 1000 is no power of two, 1001 is odd.
    for count in [1000, 1001, 1024] {
        let samples: Vec<f64> =
            tones(count, &[(2.5, 37.0, 0.3)]).iter().map(|x| x + 40.0).collect();
        let interval = 2.0 / f64::from(count);
        let plain = of_samples(&samples, interval, Window::Rectangular).unwrap();
        let hann = of_samples(&samples, interval, Window::Hann).unwrap();
        assert_eq!(plain.frequency.len(), count as usize / 2 + 1);
        near(plain.mean, 40.0, 1e-12);
        near(plain.frequency[37], 18.5, 1e-12);
        for (k, (a, b)) in plain.amplitude.iter().zip(&hann.amplitude).enumerate() {
            near(*a, if k == 37 { 2.5 } else { 0.0 }, 1e-11);
            near(*b, [1.25, 2.5, 1.25].get(k.wrapping_sub(36)).copied().unwrap_or(0.0), 1e-11);
        }
    }
}

/// Half-way between two lines the peak is lower by 2/π without a window and by 8/(3π) under Hann's, on both of them.
#[test]
fn exact_a_sine_between_two_lines_has_the_known_scalloping_loss() {
    let samples = tones(4096, &[(1.0, 500.5, 0.0)]);
    for (window, loss) in [(Window::Rectangular, 2.0 / PI), (Window::Hann, 8.0 / (3.0 * PI))] {
        let lines = of_samples(&samples, 1e-3, window).unwrap();
        near(lines.amplitude[500], loss, 1e-3);
        near(lines.amplitude[501], loss, 1e-3);
    }
}

/// Far from a sine the lines of Hann's window fall with the third power of the distance, those of none with the first.
#[test]
fn order_leakage_falls_with_the_third_power_of_the_distance() {
    let samples = tones(1 << 14, &[(1.0, 4000.5, 1.0)]);
    let order = |window: Window| {
        let lines = of_samples(&samples, 1e-3, window).unwrap().amplitude;
        (lines[4020] / lines[4040]).log2()
    };
    near(order(Window::Rectangular), 1.0, 0.05);
    near(order(Window::Hann), 3.0, 0.1);
}

#[test]
fn exact_two_tones_stand_apart() {
    let samples = tones(2048, &[(3.0, 100.0, 0.1), (3e-6, 110.0, 2.0)]);
    let lines = of_samples(&samples, 1e-3, Window::Hann).unwrap().amplitude;
    near(lines[100], 3.0, 1e-11);
    near(lines[110], 3e-6, 1e-12);
}

/// Parseval: the density holds the mean square about the mean, for an even and an odd number of samples.
#[test]
fn exact_the_density_holds_the_mean_square() {
    let mut next = random(5);
    for count in [2_u32, 3, 64, 999, 1000] {
        let samples: Vec<f64> = (0..count).map(|_| 7.0 + next()).collect();
        let n = f64::from(count);
        let mean = samples.iter().sum::<f64>() / n;
        let square = samples.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
        let lines = of_samples(&samples, 0.01, Window::Rectangular).unwrap();
        near(lines.density.iter().sum::<f64>() / (n * 0.01), square, 1e-13);
    }
    // Under Hann's window, of tones that it does not mix: A²/2 of each.
    let samples = tones(1000, &[(3.0, 100.0, 0.1), (4.0, 250.0, 2.0)]);
    let lines = of_samples(&samples, 0.01, Window::Hann).unwrap();
    near(lines.density.iter().sum::<f64>() / 10.0, 0.5 * (9.0 + 16.0), 1e-11);
}

#[test]
fn property_cell_means_keep_the_integral() {
    // A triangle of height 6 and base 0.02 has the area 0.06, wherever the cells end.
    let (times, values) = ([0.0, 0.503, 0.513, 0.523, 1.0], [0.0, 0.0, 6.0, 0.0, 0.0]);
    let signal = Signal::new(&times, &values).unwrap();
    for count in [1_usize, 7, 64, 1000] {
        let means = cell_means(signal, [0.0, 1.0], count).unwrap();
        near(means.iter().sum::<f64>() / count as f64, 0.06, 1e-15);
    }
    // A ramp with a jump in one instant: means of its pieces.
    let signal = Signal::new(&[0.0, 1.0, 1.0, 2.0], &[0.0, 2.0, 10.0, 10.0]).unwrap();
    assert_eq!(cell_means(signal, [0.0, 2.0], 4).unwrap(), [0.5, 1.5, 10.0, 10.0]);
}

#[test]
fn exact_a_gap_makes_no_lines() {
    let times: Vec<f64> = (0..=100).map(|i| f64::from(i) / 100.0).collect();
    let values: Vec<f64> =
        times.iter().map(|t| if (0.3..0.5).contains(t) { f64::NAN } else { 40.0 }).collect();
    let lines =
        spectrum(Signal::new(&times, &values).unwrap(), [0.0, 1.0], 0.01, Window::Hann).unwrap();
    near(lines.mean, 40.0, 1e-12);
    assert!(lines.amplitude.iter().all(|a| *a < 1e-12), "{:?}", lines.amplitude);
}

#[test]
fn exact_spectrum_of_a_sine_with_offset_at_uneven_times() {
    let mut next = random(11);
    let mut times = vec![0.0_f64];
    while times[times.len() - 1] < 2.0 {
        times.push((times[times.len() - 1] + 2e-5 * (0.1 + next())).min(2.0));
    }
    let values: Vec<f64> =
        times.iter().map(|t| 40.0 + 3.0 * (TAU * 25.0 * t + 0.4).sin()).collect();
    let signal = Signal::new(&times, &values).unwrap();
    let lines = spectrum(signal, [0.0, 2.0], 1e-2, Window::Hann).unwrap();
    assert_eq!(lines.frequency.len(), 513);
    assert_eq!(lines.frequency[50], 25.0);
    near(lines.amplitude[50], 3.0, 1e-5);
    assert!(lines.amplitude[47] < 1e-4 && lines.amplitude[53] < 1e-4);
    near(lines.mean, 40.0, 1e-6);
}

/// The mean over a cell damps a sine; the spectrum makes it good nearly up to half the rate.
#[test]
fn exact_spectrum_near_half_the_rate() {
    let times: Vec<f64> = (0..=40_000).map(|i| f64::from(i) / 40_000.0).collect();
    let values: Vec<f64> = times.iter().map(|t| 2.0 * (TAU * 400.0 * t).cos()).collect();
    let lines =
        spectrum(Signal::new(&times, &values).unwrap(), [0.0, 1.0], 0.01, Window::Hann).unwrap();
    near(lines.amplitude[400], 2.0, 2e-3);
    let variance: f64 = lines.density.iter().sum();
    near(variance, 2.0, 4e-3);
}

#[test]
fn property_cells_are_powers_of_two() {
    for (duration, interval) in [(1.0, 1e-3), (0.6, 3e-4), (1.0, 0.0), (1.0, 1e-9), (1.0, f64::NAN)]
    {
        let count = cells(duration, interval);
        assert!(count.is_power_of_two() && (1024..=1 << 17).contains(&count), "{count}");
    }
}

/// x = 3 cos 2πt, y = 2 sin 2πt.
fn ellipse() -> [Vec<f64>; 3] {
    let times: Vec<f64> = (0..=20_000).map(|i| f64::from(i) / 4000.0).collect();
    let x = times.iter().map(|t| 3.0 * (TAU * t).cos()).collect();
    let y = times.iter().map(|t| 2.0 * (TAU * t).sin()).collect();
    [times, x, y]
}

#[test]
fn exact_section_of_an_ellipse_once_a_period() {
    let [times, x, y] = ellipse();
    let [x, y] = [&x, &y].map(|values| Signal::new(&times, values).unwrap());
    for (phase, place) in
        [(0.25, [0.0, 2.0]), (0.5, [-3.0, 0.0]), (1.0 / 3.0, [-1.5, 3_f64.sqrt()])]
    {
        let points = stroboscope(x, y, Stroboscope { period: 1.0, phase }, [0.0, 5.0]).unwrap();
        assert_eq!(points.t.len(), 5);
        for k in 0..5 {
            near(points.t[k], k as f64 + phase, 1e-12);
            near(points.x[k], place[0], 1e-5);
            near(points.y[k], place[1], 1e-5);
        }
    }
    // Both ends of the run belong to it, and a part of it has its own.
    let count =
        |span| stroboscope(x, y, Stroboscope { period: 1.0, phase: 0.0 }, span).unwrap().t.len();
    assert_eq!(count([0.0, 5.0]), 6);
    assert_eq!(count([0.5, 3.5]), 3);
    assert_eq!(count([7.0, 9.0]), 0);
    // A period whose multiples are rounded beyond the end: 3 times 0.1 is more than 0.3.
    let at = Stroboscope { period: 0.1, phase: 0.0 };
    assert_eq!(stroboscope(x, y, at, [0.0, 0.3]).unwrap().t, [0.0, 0.1, 0.2, 0.3]);
}

/// y passes 1 upwards where sin 2πt = 1/2 and cos 2πt > 0, downwards where cos 2πt < 0.
#[test]
fn exact_section_of_an_ellipse_through_a_level() {
    let [times, x, y] = ellipse();
    let signal = |values| Signal::new(&times, values).unwrap();
    for (direction, shift, sign) in
        [(Direction::Up, 1.0 / 12.0, 1.0), (Direction::Down, 5.0 / 12.0, -1.0)]
    {
        let crossing = Crossing { through: &y, level: 1.0, direction };
        let points = crossings(signal(&x), signal(&y), crossing, [0.0, 5.0]).unwrap();
        assert_eq!(points.t.len(), 5);
        for k in 0..5 {
            near(points.t[k], k as f64 + shift, 1e-7);
            near(points.x[k], sign * 1.5 * 3_f64.sqrt(), 1e-5);
            near(points.y[k], 1.0, 1e-12);
        }
    }
}

/// A crossing between the last sample inside a span and the first outside belongs to the span by its own time.
#[test]
fn exact_a_crossing_beside_the_end_of_a_span_counts_by_its_own_time() {
    let (times, values) = ([0.0, 1.0, 2.0], [-1.0, -0.5, 0.5]);
    let signal = Signal::new(&times, &values).unwrap();
    let at = |span| {
        let crossing = Crossing { through: &values, level: 0.0, direction: Direction::Up };
        crossings(signal, signal, crossing, span).unwrap().t
    };
    assert_eq!(at([0.0, 1.6]), [1.5]);
    assert_eq!(at([0.0, 1.4]), [0.0; 0]);
    assert_eq!(at([1.6, 2.0]), [0.0; 0]);
    assert_eq!(at([1.4, 2.0]), [1.5]);
}

#[test]
fn exact_the_value_after_an_event() {
    let signal = Signal::new(&[0.0, 1.0, 1.0, 2.0], &[0.0, 2.0, 5.0, 7.0]).unwrap();
    assert_eq!([signal.at(0.5), signal.at(1.0), signal.at(2.0)], [1.0, 5.0, 7.0]);
    assert!(signal.at(-0.1).is_nan() && signal.at(2.1).is_nan());
}

#[test]
fn exact_an_orbit_lies_on_its_ellipse() {
    let [times, x, y] = ellipse();
    let [x, y] = [&x, &y].map(|values| Signal::new(&times, values).unwrap());
    let points = orbit(x, y, [1.0, 2.0]).unwrap();
    assert_eq!((points.t.len(), points.t[0], points.t[4000]), (4001, 1.0, 2.0));
    for (x, y) in points.x.iter().zip(&points.y) {
        near(x * x / 9.0 + y * y / 4.0, 1.0, 1e-12);
    }
}

/// A polyline on a circle of radius 60: a point at radius 60 + e is e away from it, within its sagitta.
#[test]
fn exact_track_along_an_arc() {
    let at = |radius: f64, angle: f64| [radius * angle.cos(), radius * angle.sin()];
    let line: Vec<[f64; 2]> = (0..=200).map(|k| at(60.0, f64::from(k) / 200.0)).collect();
    let angles: Vec<f64> = (0..500).map(|i| 0.02 + 0.96 * f64::from(i) / 500.0).collect();
    let away = |angle: f64| 0.1 * (40.0 * angle).sin();
    let found = track(&line, angles.iter().map(|a| at(60.0 + away(*a), *a)));
    let sagitta = 60.0 * (1.0 - (0.5_f64 / 200.0).cos());
    for (i, angle) in angles.iter().enumerate() {
        // The left hand of a counter-clockwise arc is its inside.
        near(found.across[i], -away(*angle), sagitta + 1e-12);
        near(found.along[i], 60.0 * angle, 60.0 / 200.0);
    }
}

#[test]
fn exact_track_beyond_the_ends_of_a_guide() {
    let found = track(&[[0.0, 0.0], [2.0, 0.0]], [[-1.0, 0.5], [1.0, -0.25], [3.0, 0.0]]);
    assert_eq!(found.along, [-1.0, 1.0, 3.0]);
    assert_eq!(found.across, [0.5, -0.25, 0.0]);
    assert!(track(&[[0.0, 0.0]], [[1.0, 1.0]]).along[0].is_nan());
}

#[test]
fn property_what_cannot_be_analysed_is_refused() {
    let signal = Signal::new(&[0.0, 1.0], &[1.0, 2.0]).unwrap();
    let strobe =
        |period, phase, span| stroboscope(signal, signal, Stroboscope { period, phase }, span);
    assert_eq!(strobe(0.0, 0.0, [0.0, 1.0]), Err(AnalysisError::Period(0.0)));
    assert_eq!(strobe(1e-7, 0.0, [0.0, 1.0]), Err(AnalysisError::Many(1e7)));
    assert!(matches!(strobe(f64::NAN, 0.0, [0.0, 1.0]), Err(AnalysisError::Period(_))));
    assert!(matches!(strobe(1.0, f64::NAN, [0.0, 1.0]), Err(AnalysisError::Phase(_))));
    assert_eq!(strobe(1.0, 0.0, [1.0, 1.0]), Err(AnalysisError::Span { from: 1.0, to: 1.0 }));
    assert!(matches!(orbit(signal, signal, [f64::NAN, 1.0]), Err(AnalysisError::Span { .. })));
    for span in [[f64::NAN, 1.0], [0.0, f64::INFINITY], [2.0, 1.0]] {
        assert!(matches!(
            spectrum(signal, span, 0.1, Window::Hann),
            Err(AnalysisError::Span { .. })
        ));
    }
    assert_eq!(of_samples(&[1.0], 0.1, Window::Hann), Err(AnalysisError::Few(1)));
    assert_eq!(of_samples(&[1.0, 2.0], 0.0, Window::Hann), Err(AnalysisError::Interval(0.0)));
    assert!(matches!(
        Signal::new(&[0.0], &[]),
        Err(AnalysisError::Lengths { times: 1, values: 0 })
    ));
    assert!(matches!(
        Signal::new(&[0.0, 2.0, 1.0], &[0.0; 3]),
        Err(AnalysisError::Times { index: 2, .. })
    ));
    assert!(matches!(
        Signal::new(&[0.0, f64::NAN], &[0.0; 2]),
        Err(AnalysisError::Times { index: 1, .. })
    ));
    let short = Crossing { through: &[1.0], level: 0.0, direction: Direction::Up };
    assert!(matches!(
        crossings(signal, signal, short, [0.0, 1.0]),
        Err(AnalysisError::Lengths { .. })
    ));
}

/// A driven mechanism with ideal joints does the same in every turn: its section is one point.
#[test]
fn property_the_section_of_an_ideal_mechanism_is_one_point() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/slider-crank/model.toml");
    let loaded = Case::open(path).unwrap().ideal().set("run.until", "1.3 s").load().unwrap();
    let period = period(&loaded.model).expect("a driver with constant speed");
    let run = loaded.run(&mut ()).unwrap();
    let [x, v] = ["slider.x", "slider.vx"].map(|name| run.values(name).unwrap());
    let times = &run.channels.times;
    let [x, v] = [&x, &v].map(|values| Signal::new(times, values).unwrap());
    let span = [0.0, times[times.len() - 1]];
    let points = stroboscope(x, v, Stroboscope { period, phase: 0.3 }, span).unwrap();
    assert!(points.t.len() > 2, "{}", points.t.len());
    for k in 1..points.t.len() {
        near(points.x[k], points.x[0], 1e-4);
        near(points.y[k], points.y[0], 2e-2);
    }
}
