//! The linear equations `(s I − J) u = b` with a dense `J`, reduced to the components that cannot be eliminated beforehand.
//!
//! A coordinate q whose derivative is the component v has the row `s u_q − u_v = b_q`, so that `u_q = (b_q + u_v)/s`. What is left of a
//! mechanism has one unknown for each coordinate. Quadratures follow from the rest.

use super::lu::Lu;
use super::scalar::Scalar;
use crate::stepper::Frozen;
use crate::{Matrix, System, Vector};

/// Which components are eliminated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reduction {
    /// Of the whole state.
    pub(super) len: usize,
    /// Without the quadratures at its end.
    pub(super) coupled: usize,
    /// How many components at its beginning have the same number of next ones as their derivatives.
    pub(super) coordinates: usize,
}

impl<S: System> Frozen<'_, S> {
    pub(super) fn reduction(&self, y: &S::State) -> Reduction {
        let (len, coupled) = (y.as_slice().len(), self.coupled(y));
        Reduction { len, coupled, coordinates: self.system.second_order().min(coupled / 2) }
    }
}

/// The reduced equations for one shift.
#[derive(Clone, Debug)]
pub(super) struct Dense<T> {
    reduction: Reduction,
    shift: T,
    lu: Lu<T>,
}

impl<T: Scalar> Dense<T> {
    pub(super) fn new(reduction: Reduction) -> Self {
        Dense {
            reduction,
            shift: T::default(),
            lu: Lu::new(reduction.coupled - reduction.coordinates),
        }
    }

    pub(super) fn has(&self, reduction: Reduction) -> bool {
        self.reduction == reduction
    }

    /// `false` if the matrix is singular.
    pub(super) fn factorise(&mut self, jacobian: &Matrix, shift: T) -> bool {
        let Reduction { coupled, coordinates, .. } = self.reduction;
        let inverse = T::from(1.0) / shift;
        self.shift = shift;
        for (j, column) in self.lu.columns_mut().enumerate() {
            let slopes = &jacobian.column(coordinates + j)[coordinates..coupled];
            if j < coordinates {
                let by_place = &jacobian.column(j)[coordinates..coupled];
                for ((entry, slope), by_place) in column.iter_mut().zip(slopes).zip(by_place) {
                    *entry = T::from(-slope) - inverse * *by_place;
                }
            } else {
                for (entry, slope) in column.iter_mut().zip(slopes) {
                    *entry = T::from(-slope);
                }
            }
            column[j] += shift;
        }
        self.lu.factorise()
    }

    /// Solves in place.
    pub(super) fn solve(&self, jacobian: &Matrix, b: &mut [T]) {
        let Reduction { coupled, coordinates, .. } = self.reduction;
        let (b, quadratures) = b.split_at_mut(coupled);
        let (places, rest) = b.split_at_mut(coordinates);
        for (j, place) in places.iter().enumerate() {
            let place = *place / self.shift;
            let slopes = &jacobian.column(j)[coordinates..coupled];
            for (b, slope) in rest.iter_mut().zip(slopes) {
                *b += place * *slope;
            }
        }
        self.lu.solve(rest);
        for (place, rate) in places.iter_mut().zip(&*rest) {
            *place += *rate;
            *place = *place / self.shift;
        }
        if quadratures.is_empty() {
            return;
        }
        for (j, u) in b.iter().enumerate() {
            for (b, slope) in quadratures.iter_mut().zip(&jacobian.column(j)[coupled..]) {
                *b += *u * *slope;
            }
        }
        for b in quadratures {
            *b = *b / self.shift;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Complex;

    /// Two coordinates, their rates, another state and two quadratures.
    #[test]
    fn exact_solutions_of_the_reduced_equations_are_those_of_the_whole() {
        let reduction = Reduction { len: 7, coupled: 5, coordinates: 2 };
        let mut jacobian = Matrix::zeros(7);
        for i in 0..7_usize {
            for j in 0..5_usize {
                jacobian[(i, j)] = match i {
                    0 | 1 => f64::from(u8::from(j == i + 2)),
                    _ => libm::sin((7 * i + 3 * j) as f64),
                };
            }
        }
        let shift = Complex { re: 1.5, im: -0.7 };
        let wanted: [Complex; 7] =
            std::array::from_fn(|i| Complex { re: i as f64 - 2.0, im: 0.3 * i as f64 });
        let mut b: [Complex; 7] = std::array::from_fn(|i| {
            let mut sum = shift * wanted[i];
            for (j, u) in wanted.iter().enumerate() {
                sum -= *u * jacobian[(i, j)];
            }
            sum
        });
        let mut dense = Dense::new(reduction);
        assert!(dense.factorise(&jacobian, shift));
        dense.solve(&jacobian, &mut b);
        for (b, wanted) in b.iter_mut().zip(wanted) {
            *b -= wanted;
            assert!(b.size() < 1e-13, "{b:?}");
        }
    }
}
