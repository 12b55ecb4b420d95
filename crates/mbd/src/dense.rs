//! Small dense systems of equations, stored row by row: Gaussian elimination.

use crate::real::Real;

/// Solves in place with the largest pivot of each column; whether the matrix is regular.
pub(crate) fn eliminate<T: Real>(n: usize, matrix: &mut [T], x: &mut [T]) -> bool {
    for k in 0..n {
        let size = |row: &usize| matrix[row * n + k].value().abs();
        let pivot = (k..n).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(k);
        if !(size(&pivot) > 0.0) {
            return false;
        }
        if pivot != k {
            for column in 0..n {
                matrix.swap(k * n + column, pivot * n + column);
            }
            x.swap(k, pivot);
        }
        clear_below(k, n, matrix, x);
    }
    substitute(n, matrix, x);
    true
}

/// Solves in place without exchanges. With pivots above `least` all leading minors are positive; an error names the first
/// row at which one is not.
pub(crate) fn eliminate_in_order<T: Real>(
    n: usize,
    matrix: &mut [T],
    x: &mut [T],
    least: f64,
) -> Result<(), usize> {
    for k in 0..n {
        // A negated comparison, so that NaN is an error.
        if !(matrix[k * n + k].value() > least) {
            return Err(k);
        }
        clear_below(k, n, matrix, x);
    }
    substitute(n, matrix, x);
    Ok(())
}

/// Subtracts row k from those below so that column k ends at the diagonal.
#[inline]
fn clear_below<T: Real>(k: usize, n: usize, matrix: &mut [T], x: &mut [T]) {
    let inverse = T::constant(1.0) / matrix[k * n + k];
    for i in k + 1..n {
        let factor = matrix[i * n + k] * inverse;
        for j in k + 1..n {
            let change = factor * matrix[k * n + j];
            matrix[i * n + j] -= change;
        }
        let change = factor * x[k];
        x[i] -= change;
    }
}

/// Solves with the upper triangle.
#[inline]
fn substitute<T: Real>(n: usize, matrix: &[T], x: &mut [T]) {
    for k in (0..n).rev() {
        let mut sum = x[k];
        for j in k + 1..n {
            sum -= matrix[k * n + j] * x[j];
        }
        x[k] = sum / matrix[k * n + k];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hilbert's matrix times the vector of ones, in fractions; the condition number of order 4 is 1.6e4.
    #[test]
    fn exact_solutions_of_hilbert_systems() {
        let n = 4;
        let matrix: Vec<f64> = (0..n * n).map(|k| 1.0 / (k / n + k % n + 1) as f64).collect();
        let right = [25.0 / 12.0, 77.0 / 60.0, 57.0 / 60.0, 319.0 / 420.0];
        let (mut ordered, mut exchanged) = (right, right);
        assert_eq!(eliminate_in_order(n, &mut matrix.clone(), &mut ordered, 0.0), Ok(()));
        assert!(eliminate(n, &mut matrix.clone(), &mut exchanged));
        for x in ordered.into_iter().chain(exchanged) {
            assert!((x - 1.0).abs() < 1.6e4 * 4.0 * f64::EPSILON, "{x}");
        }
    }

    #[test]
    fn exact_answers_where_order_matters() {
        // y = 2, x = 3: without exchange the first pivot is zero.
        let (matrix, right) = ([0.0, 1.0, 1.0, 0.0], [2.0, 3.0]);
        let (mut x, mut y) = (right, right);
        assert!(eliminate(2, &mut matrix.clone(), &mut x));
        assert_eq!(x, [3.0, 2.0]);
        assert_eq!(eliminate_in_order(2, &mut matrix.clone(), &mut y, 0.0), Err(0));
        // det = 1 − 4 < 0: the second leading minor is negative.
        assert_eq!(eliminate_in_order(2, &mut [1.0, 2.0, 2.0, 1.0], &mut y, 0.0), Err(1));
        assert!(!eliminate(2, &mut [1.0, 2.0, 2.0, 4.0], &mut y), "rows that repeat each other");
        assert!(!eliminate(1, &mut [f64::NAN], &mut [1.0]));
    }
}
