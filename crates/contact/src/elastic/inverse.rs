//! Indentation from force or energy, for laws without an explicit inverse.

/// The δ > 0 with value(δ) = `target`; `f` gives a growing value from 0 and its derivative.
///
/// Newton in ln δ against ln value, where power laws are straight lines, inside a bracket that
/// only shrinks.
pub(super) fn root(target: f64, f: impl Fn(f64) -> (f64, f64)) -> Option<f64> {
    if target.is_nan() || target == f64::INFINITY {
        return None;
    }
    if target <= 0.0 {
        return Some(0.0);
    }
    let (mut low, mut high) = (1e-9, 1e-9);
    while f(high).0 < target {
        low = high;
        high *= 16.0;
        if high > 1e150 {
            return None;
        }
    }
    while f(low).0 > target {
        high = low;
        low /= 16.0;
        if low < 1e-250 {
            return Some(low);
        }
    }
    let mut delta = (low * high).sqrt();
    for _ in 0..200 {
        let (value, derivative) = f(delta);
        if value == target {
            return Some(delta);
        }
        if value < target { low = delta } else { high = delta }
        let exponent = derivative * delta / value;
        let newton = delta * ((target / value).ln() / exponent).exp();
        let next = if newton > low && newton < high { newton } else { (low * high).sqrt() };
        if (next - delta).abs() <= f64::EPSILON * delta {
            return Some(next);
        }
        delta = next;
    }
    Some(delta)
}
