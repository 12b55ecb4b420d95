//! Coefficients of restitution: what the user specifies, and what a factor law returns.

use crate::catalog::sheet::Interval;

/// The input restitution c_r, constant or depending on the impact speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Restitution {
    /// The same c_r ∈ [0, 1] at every speed.
    Constant(f64),
    /// c_r = 1 − 0.026 v^{1/3}, v in mm/s (Herbert and McWhannell; the review's eq. (26)).
    CubeRoot,
    /// c_r = α₀ − α₁v, v in m/s (the review's eq. (29)).
    Linear {
        /// α₀, restitution at vanishing speed, in [0, 1].
        alpha_0: f64,
        /// α₁ ≥ 0, s/m.
        alpha_1: f64,
    },
}

jointplay_fingerprint::fingerprint!(enum Restitution { Constant(of), CubeRoot, Linear { alpha_0, alpha_1 } });

impl Restitution {
    /// The admissible values of c_r.
    pub const RANGE: Interval = Interval::closed(0.0, 1.0);

    /// c_r at an impact speed, and whether the formula left [0, 1] and was clamped.
    pub fn at(&self, impact_speed: f64) -> (f64, bool) {
        let raw = match *self {
            Self::Constant(c) => c,
            Self::CubeRoot => 1.0 - 0.026 * libm::cbrt(1e3 * impact_speed),
            Self::Linear { alpha_0, alpha_1 } => alpha_0 - alpha_1 * impact_speed,
        };
        let cut = raw.clamp(0.0, 1.0);
        (cut, cut != raw)
    }
}

/// (x − ln(1+x))/x² − ½ for x > −1, without cancellation near 0.
///
/// With s = x/(2+x): ln(1+x) = 2 atanh s, so x − ln(1+x) = x s − 2s³(1/3 + s²/5 + …).
fn curvature(x: f64) -> f64 {
    if x > -0.5 && x < 1.0 {
        let reach = 2.0 + x;
        let s = x / reach;
        let z = s * s;
        // s² ≤ 1/9: the 17th term is below round-off
        let series = (0..17).rev().fold(0.0, |sum, k| sum * z + 1.0 / f64::from(2 * k + 3));
        -0.5 * s - 2.0 * s / (reach * reach) * series
    } else {
        ((x - libm::log1p(x)) / x) / x - 0.5
    }
}

/// ε of 1 − ae = ε for a large factor: the small root of ln ε − ε = ln(1+a) − a − 1.
fn deficit(a: f64) -> f64 {
    let target = libm::log1p(a) - a - 1.0;
    let mut log = target; // ln ε
    for _ in 0..60 {
        let epsilon = libm::exp(log);
        let step = (log - epsilon - target) / (1.0 - epsilon);
        log -= step;
        if step.abs() <= 4.0 * f64::EPSILON * log.abs() {
            break;
        }
    }
    libm::exp(log)
}

/// Output restitution e_N of F = F_el(1 + a δ̇/δ̇₀), a ≥ 0: the root of
/// a(1+e) = ln((1+a)/(1−ae)), the same for every elastic law, mass and speed.
pub fn restitution_of_factor(a: f64) -> f64 {
    if a == 0.0 {
        return 1.0;
    }
    if a == f64::INFINITY {
        return 0.0;
    }
    if a >= 3.0 {
        return (1.0 - deficit(a)) / a;
    }
    // ½(1−e²) + κ(a) − e²κ(−ae) = 0, κ = curvature; falls with e on (0, min(1, 1/a))
    let kappa_a = curvature(a);
    let (mut low, mut high) = (0.0, (1.0 / a).min(1.0));
    let mut e = 1.0 / (1.0 + 2.0 * a / 3.0);
    for _ in 0..100 {
        let x = -a * e;
        let value = 0.5 * (1.0 - e) * (1.0 + e) + kappa_a - e * e * curvature(x);
        if value > 0.0 {
            low = e;
        } else {
            high = e;
        }
        // d/de of −e²(½ + κ(−ae)) = −(x − ln(1+x))/a²; derivative −e/(1−ae)
        let newton = e + value * (1.0 + x) / e;
        // Four evaluations instead of fifty (bench B1): at the root rounding puts this step on or outside the bracket,
        // and bisection would halve the whole bracket again.
        if (newton - e).abs() <= f64::EPSILON * e {
            return newton;
        }
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - e).abs() <= f64::EPSILON * e {
            return next;
        }
        e = next;
    }
    e
}

/// The factor a that returns e_N = `restitution` ∈ (0, 1] exactly: Gonthier's equation
/// (1+d/c)/(1−d) = e^{d(1+1/c)}, d = ac, solved to round-off. Infinite at 0.
pub fn factor_of_restitution(restitution: f64) -> f64 {
    let e = restitution;
    if e <= 0.0 {
        return f64::INFINITY;
    }
    if e >= 1.0 {
        return 0.0;
    }
    if e < 0.3 {
        // a = (1−ε)/e with ε = (1+a)e^{−a(1+e)}, tiny: a few substitutions contract to round-off
        let mut a = 1.0 / e;
        if a == f64::INFINITY {
            return a;
        }
        for _ in 0..60 {
            let epsilon = libm::exp(libm::log1p(a) - a * (1.0 + e));
            let next = (1.0 - epsilon) / e;
            if (next - a).abs() <= f64::EPSILON * a {
                return next;
            }
            a = next;
        }
        return a;
    }
    // g(a) = ½(1−e²) + κ(a) − e²κ(−ae) = 0 falls from ½(1−e²) > 0 at a = 0
    let half = 0.5 * (1.0 - e) * (1.0 + e);
    let (mut low, mut high) = (0.0, 1.0 / e);
    let mut a = 3.0 * half / (1.0 + e * e * e);
    for _ in 0..100 {
        let value = half + curvature(a) - e * e * curvature(-a * e);
        if value > 0.0 {
            low = a;
        } else {
            high = a;
        }
        // a² g = h(a) − h(−ae), h' = x/(1+x): the derivative of g at its root
        let slope = (1.0 / (1.0 + a) - e * e / (1.0 - a * e)) / a;
        let newton = a - value / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - a).abs() <= f64::EPSILON * a {
            return next;
        }
        a = next;
    }
    a
}
