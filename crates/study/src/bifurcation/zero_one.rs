//! The 0–1 test for chaos: G. A. Gottwald, I. Melbourne, SIAM Journal on Applied Dynamical Systems 8 (2009) 129, with the correlation method and
//! the damping of the oscillating term.

use std::f64::consts::PI;

/// Fewer numbers say nothing.
const LEAST: usize = 100;

/// Frequencies that are tried; the median of their results counts.
const FREQUENCIES: usize = 100;

/// About 0 for a regular motion, about 1 for a chaotic one; `None` of too few numbers, or if nothing moves.
pub(super) fn zero_one(series: &[f64]) -> Option<f64> {
    let n = series.len();
    if n < LEAST {
        return None;
    }
    let mean = series.iter().sum::<f64>() / n as f64;
    let greatest = series.iter().map(|x| (x - mean).abs()).fold(0.0, f64::max);
    if greatest <= 1e-12 * mean.abs() || greatest == 0.0 {
        return None;
    }
    let series: Vec<f64> = series.iter().map(|x| x / greatest).collect();
    let mean = series.iter().sum::<f64>() / n as f64;
    let mut found: Vec<f64> = (0..FREQUENCIES)
        .filter_map(|i| {
            // Between π/5 and 4π/5, away from resonances of motions of few periods, by the golden ratio.
            let part = (0.5 + 0.618_033_988_749_894_9 * i as f64).fract();
            growth(&series, mean, PI / 5.0 + part * 3.0 * PI / 5.0)
        })
        .collect();
    found.sort_by(f64::total_cmp);
    crate::statistics::percentile(&found, 0.5)
}

/// The correlation of the mean square displacement with time, at one frequency.
fn growth(series: &[f64], mean: f64, c: f64) -> Option<f64> {
    let (mut p, mut q) = (vec![0.0], vec![0.0]);
    let (mut x, mut y) = (0.0, 0.0);
    for (j, value) in series.iter().enumerate() {
        let (sin, cos) = libm::sincos(c * (j + 1) as f64);
        x += value * cos;
        y += value * sin;
        p.push(x);
        q.push(y);
    }
    let most = series.len() / 10;
    let count = series.len() - most;
    let displacement = |n: usize| {
        let squares = (0..count).map(|j| (p[j + n] - p[j]).powi(2) + (q[j + n] - q[j]).powi(2));
        let oscillation = mean * mean * (1.0 - libm::cos(n as f64 * c)) / (1.0 - libm::cos(c));
        squares.sum::<f64>() / count as f64 - oscillation
    };
    let d: Vec<f64> = (1..=most).map(displacement).collect();
    let times: Vec<f64> = (1..=most).map(|n| n as f64).collect();
    correlation(&times, &d)
}

fn correlation(x: &[f64], y: &[f64]) -> Option<f64> {
    let n = x.len() as f64;
    let [mx, my] = [x, y].map(|of| of.iter().sum::<f64>() / n);
    let of = |a: &[f64], ma: f64, b: &[f64], mb: f64| {
        a.iter().zip(b).map(|(a, b)| (a - ma) * (b - mb)).sum::<f64>()
    };
    let (xy, xx, yy) = (of(x, mx, y, my), of(x, mx, x, mx), of(y, my, y, my));
    (xx > 0.0 && yy > 0.0).then(|| xy / (xx * yy).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_the_logistic_map() {
        // Gottwald and Melbourne 2009: K is near 0 at μ = 3.55 (period 8) and near 1 at μ = 3.97 (chaos).
        let series = |mu: f64| {
            let mut x = 0.3;
            for _ in 0..1000 {
                x = mu * x * (1.0 - x);
            }
            let step = |_| {
                x = mu * x * (1.0 - x);
                x
            };
            (0..1000).map(step).collect::<Vec<f64>>()
        };
        let regular = zero_one(&series(3.55)).expect("numbers");
        let chaotic = zero_one(&series(3.97)).expect("numbers");
        assert!(regular.abs() < 0.1, "{regular}");
        assert!(chaotic > 0.95, "{chaotic}");
        assert_eq!(zero_one(&[1.0; 200]), None);
        assert_eq!(zero_one(&series(3.97)[..50]), None);
    }

    #[test]
    fn published_a_turning_circle_is_regular() {
        let series: Vec<f64> = (0..1000).map(|k| (f64::from(k) * 2.0_f64.sqrt()).sin()).collect();
        let k = zero_one(&series).expect("numbers");
        assert!(k.abs() < 0.1, "{k}");
    }
}
