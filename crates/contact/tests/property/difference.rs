//! Derivatives from values alone.

/// df/dx at `x` from central differences with the steps h, h/2, h/4, h/8 and Richardson's
/// extrapolation: the error is that of order h⁸, times a constant of the function.
pub(crate) fn derivative(x: f64, h: f64, f: impl Fn(f64) -> f64) -> f64 {
    let mut estimates = [1.0, 0.5, 0.25, 0.125].map(|part| {
        // the distance that was really used, after the rounding of x ± h
        let (left, right) = (x - part * h, x + part * h);
        (f(right) - f(left)) / (right - left)
    });
    for level in 1..4 {
        let gain = f64::from(4_u32.pow(level));
        for i in 0..4 - level as usize {
            estimates[i] = (gain * estimates[i + 1] - estimates[i]) / (gain - 1.0);
        }
    }
    estimates[0]
}

#[test]
fn exact_derivative_of_a_power() {
    // d(x^2.5)/dx at 4 is 2.5 · 4^1.5 = 20; (h/x)⁸ = 1e-8 times a tenth of the coefficients
    let got = derivative(4.0, 0.4, |x| x.powf(2.5));
    assert!((got - 20.0).abs() < 1e-11, "{got}");
}
