//! Factorisation of dense square matrices, real and complex, in memory that is allocated once.

use super::scalar::Scalar;

/// `P A = L U` by Gaussian elimination with partial pivoting; matrices are stored by columns.
#[derive(Clone, Debug)]
pub(super) struct Lu<T> {
    dim: usize,
    /// `L` below the diagonal, without its ones, and `U` on and above it.
    factors: Box<[T]>,
    /// The row that was exchanged with row `k` in step `k`.
    pivots: Box<[usize]>,
}

impl<T: Scalar> Lu<T> {
    pub(super) fn new(dim: usize) -> Self {
        Lu { dim, factors: vec![T::default(); dim * dim].into(), pivots: vec![0; dim].into() }
    }

    /// The columns of the matrix, to be written before it is [factorised](Self::factorise).
    pub(super) fn columns_mut(&mut self) -> impl Iterator<Item = &mut [T]> {
        self.factors.chunks_exact_mut(self.dim.max(1))
    }

    /// Factorises the matrix; `false` if it is singular.
    pub(super) fn factorise(&mut self) -> bool {
        let n = self.dim;
        for k in 0..n {
            let (done, rest) = self.factors.split_at_mut((k + 1) * n);
            let column = &mut done[k * n..];
            // A size that is not a number must not win over one that is.
            let pivot = (k..n)
                .fold(k, |best, i| if column[i].size() > column[best].size() { i } else { best });
            self.pivots[k] = pivot;
            column.swap(k, pivot);
            let diagonal = column[k];
            if !(diagonal.size() > 0.0 && diagonal.size().is_finite()) {
                return false;
            }
            for entry in &mut column[k + 1..] {
                *entry = *entry / diagonal;
            }
            for other in rest.chunks_exact_mut(n) {
                other.swap(k, pivot);
                let factor = other[k];
                for (entry, below) in other[k + 1..].iter_mut().zip(&column[k + 1..]) {
                    *entry -= *below * factor;
                }
            }
        }
        true
    }

    /// Solves in place.
    pub(super) fn solve(&self, b: &mut [T]) {
        let n = self.dim;
        for k in 0..n {
            b.swap(k, self.pivots[k]);
            let (factor, column) = (b[k], &self.factors[k * n..(k + 1) * n]);
            for (entry, below) in b[k + 1..].iter_mut().zip(&column[k + 1..]) {
                *entry -= *below * factor;
            }
        }
        for k in (0..n).rev() {
            let column = &self.factors[k * n..(k + 1) * n];
            b[k] = b[k] / column[k];
            let factor = b[k];
            for (entry, above) in b[..k].iter_mut().zip(column) {
                *entry -= *above * factor;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Complex;

    /// A matrix that needs pivoting: its first diagonal entry is the shift.
    const JACOBIAN: [f64; 9] = [0.0, 1.0, -2.0, 4.0, 5.0, 1.0, 7.0, -8.0, 3.0];

    /// Factorises `shift · I − jacobian`.
    fn factorise<T: Scalar>(lu: &mut Lu<T>, jacobian: &[f64], shift: T) -> bool {
        let dim = jacobian.len().isqrt();
        for (j, (column, entries)) in lu.columns_mut().zip(jacobian.chunks(dim)).enumerate() {
            for (entry, slope) in column.iter_mut().zip(entries) {
                *entry = T::from(-slope);
            }
            column[j] += shift;
        }
        lu.factorise()
    }

    #[test]
    fn exact_solution_of_a_real_system() {
        let mut lu = Lu::new(3);
        assert!(factorise(&mut lu, &JACOBIAN, 1e-9));
        let x = [1.0, -2.0, 3.0];
        let mut b: [f64; 3] = std::array::from_fn(|i| {
            1e-9 * x[i] - (0..3).map(|j| JACOBIAN[3 * j + i] * x[j]).sum::<f64>()
        });
        lu.solve(&mut b);
        for i in 0..3 {
            assert!((b[i] - x[i]).abs() < 1e-14);
        }
    }

    #[test]
    fn exact_solution_of_a_complex_system() {
        let shift = Complex { re: 0.5, im: -2.0 };
        let mut lu = Lu::new(3);
        assert!(factorise(&mut lu, &JACOBIAN, shift));
        let x = [(1.0, 4.0), (-2.0, 0.5), (3.0, -1.0)].map(|(re, im)| Complex { re, im });
        let mut b: [Complex; 3] = std::array::from_fn(|i| {
            let mut sum = shift * x[i];
            for j in 0..3 {
                sum -= Complex { re: JACOBIAN[3 * j + i], im: 0.0 } * x[j];
            }
            sum
        });
        lu.solve(&mut b);
        for i in 0..3 {
            b[i] -= x[i];
            assert!(b[i].size() < 1e-14);
        }
    }

    #[test]
    fn property_a_singular_matrix_is_refused() {
        let mut lu = Lu::new(2);
        assert!(!factorise(&mut lu, &[1.0, 2.0, 2.0, 4.0], 0.0));
        assert!(!factorise(&mut lu, &[f64::NAN, 2.0, 2.0, 4.0], 0.0));
        assert!(factorise(&mut lu, &[1.0, 2.0, 2.0, 4.0], 1e-3));
    }
}
