//! Indentation from force or energy, for laws without an explicit inverse.

/// The δ > 0 with value(δ) = `target`; `f` gives a growing value from 0 and its derivative.
///
/// Newton's iteration for ln value as a function of ln δ, in which power laws are straight lines,
/// inside a bracket that only shrinks. If two steps together do not halve the one before them, as
/// on the two sides of a sharp bend, the bracket is halved instead.
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
    let mut delta = low.sqrt() * high.sqrt(); // the product of the two may underflow
    let mut steps = [libm::log(high / low); 2]; // sizes of the last two steps in ln δ
    for _ in 0..200 {
        let (value, derivative) = f(delta);
        if value == target {
            return Some(delta);
        }
        if value < target {
            low = delta;
        } else {
            high = delta;
        }
        let exponent = derivative * delta / value;
        let step = libm::log(target / value) / exponent;
        let newton = delta * libm::exp(step);
        let falls = step.abs() < 0.5 * steps[0];
        // at the rounding of the value itself the steps no longer decrease
        if step.abs() <= f64::EPSILON || (step.abs() < 1e-12 && !falls) {
            return Some(newton.clamp(low, high));
        }
        let half = 0.5 * libm::log(high / low);
        if half <= f64::EPSILON {
            return Some(delta);
        }
        let (next, size) = if falls && newton > low && newton < high {
            (newton, step.abs())
        } else {
            (low * libm::exp(half), half)
        };
        steps = [steps[1], size];
        delta = next;
    }
    Some(delta)
}
