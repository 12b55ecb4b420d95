//! Small dense symmetric matrices, row by row.

/// A symmetric matrix.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Symmetric {
    n: usize,
    entries: Vec<f64>,
}

impl Symmetric {
    pub(crate) fn zero(n: usize) -> Self {
        Symmetric { n, entries: vec![0.0; n * n] }
    }

    pub(crate) fn identity(n: usize) -> Self {
        let mut matrix = Self::zero(n);
        for i in 0..n {
            matrix.set(i, i, 1.0);
        }
        matrix
    }

    /// The products of these columns with each other.
    pub(crate) fn gram(columns: &[Vec<f64>]) -> Self {
        let mut matrix = Self::zero(columns.len());
        for i in 0..columns.len() {
            for j in 0..=i {
                matrix.set(i, j, dot(&columns[i], &columns[j]));
            }
        }
        matrix
    }

    pub(crate) fn size(&self) -> usize {
        self.n
    }

    pub(crate) fn at(&self, i: usize, j: usize) -> f64 {
        self.entries[i * self.n + j]
    }

    /// Sets an entry and its mirror image.
    pub(crate) fn set(&mut self, i: usize, j: usize, value: f64) {
        self.entries[i * self.n + j] = value;
        self.entries[j * self.n + i] = value;
    }

    pub(crate) fn add(&mut self, i: usize, j: usize, value: f64) {
        let sum = self.at(i, j) + value;
        self.set(i, j, sum);
    }

    pub(crate) fn times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.n).map(|i| dot(&self.entries[i * self.n..(i + 1) * self.n], x)).collect()
    }

    /// The lower factor of Cholesky and the logarithm of the determinant; `None` if the matrix is not positive.
    pub(crate) fn cholesky(&self) -> Option<(Vec<f64>, f64)> {
        let n = self.n;
        let mut l = vec![0.0; n * n];
        let mut determinant = 0.0;
        for i in 0..n {
            for j in 0..=i {
                let sum = self.at(i, j) - dot(&l[i * n..i * n + j], &l[j * n..j * n + j]);
                if i == j {
                    if !(sum > 0.0) {
                        return None;
                    }
                    l[i * n + i] = sum.sqrt();
                    determinant += libm::log(sum);
                } else {
                    l[i * n + j] = sum / l[j * n + j];
                }
            }
        }
        Some((l, determinant))
    }

    /// The solution of a system with it; `None` if it is not positive.
    pub(crate) fn solve(&self, b: &[f64]) -> Option<Vec<f64>> {
        let n = self.n;
        let (l, _) = self.cholesky()?;
        let mut x = b.to_vec();
        for i in 0..n {
            x[i] = (x[i] - dot(&l[i * n..i * n + i], &x[..i])) / l[i * n + i];
        }
        for i in (0..n).rev() {
            let sum: f64 = (i + 1..n).map(|j| l[j * n + i] * x[j]).sum();
            x[i] = (x[i] - sum) / l[i * n + i];
        }
        x.iter().all(|x| x.is_finite()).then_some(x)
    }

    /// Eigenvalues and eigenvectors, one after the other, by Jacobi's rotations.
    pub(crate) fn eigen(&self) -> (Vec<f64>, Vec<Vec<f64>>) {
        let n = self.n;
        let mut a = self.clone();
        let mut vectors: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        for _ in 0..60 {
            let off: f64 = (0..n)
                .flat_map(|i| (0..i).map(move |j| (i, j)))
                .map(|(i, j)| a.at(i, j).abs())
                .sum();
            if off == 0.0 {
                break;
            }
            for p in 0..n {
                for q in p + 1..n {
                    rotate(&mut a, &mut vectors, p, q);
                }
            }
        }
        ((0..n).map(|i| a.at(i, i)).collect(), vectors)
    }

    /// The inverse, scaled so that units do not matter. Directions that the matrix does not tell from nothing are left out, and the
    /// second result says which coordinates they touch.
    pub(crate) fn inverse(&self) -> (Self, Vec<bool>) {
        let n = self.n;
        let scale: Vec<f64> =
            (0..n).map(|i| if self.at(i, i) > 0.0 { self.at(i, i).sqrt() } else { 0.0 }).collect();
        let mut scaled = Self::zero(n);
        for i in 0..n {
            for j in 0..=i {
                let of = scale[i] * scale[j];
                scaled.set(i, j, if of > 0.0 { self.at(i, j) / of } else { 0.0 });
            }
        }
        let (values, vectors) = scaled.eigen();
        let mut inverse = Self::zero(n);
        let mut lost = vec![false; n];
        for (value, vector) in values.iter().zip(&vectors) {
            if *value > 1e-12 {
                for i in 0..n {
                    for j in 0..=i {
                        let of = scale[i] * scale[j];
                        if of > 0.0 {
                            inverse.add(i, j, vector[i] * vector[j] / (value * of));
                        }
                    }
                }
            } else {
                for i in 0..n {
                    lost[i] |= vector[i].abs() > 1e-3;
                }
            }
        }
        (inverse, lost)
    }
}

fn rotate(a: &mut Symmetric, vectors: &mut [Vec<f64>], p: usize, q: usize) {
    let apq = a.at(p, q);
    if apq == 0.0 {
        return;
    }
    let (app, aqq) = (a.at(p, p), a.at(q, q));
    let theta = (aqq - app) / (2.0 * apq);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let t = if theta == 0.0 { 1.0 } else { t };
    if t.abs() < f64::EPSILON * 1e-2 {
        a.set(p, q, 0.0);
        return;
    }
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    let n = a.size();
    for k in (0..n).filter(|k| *k != p && *k != q) {
        let (akp, akq) = (a.at(k, p), a.at(k, q));
        a.set(k, p, c * akp - s * akq);
        a.set(k, q, s * akp + c * akq);
    }
    a.set(p, p, app - t * apq);
    a.set(q, q, aqq + t * apq);
    a.set(p, q, 0.0);
    let (low, high) = vectors.split_at_mut(q);
    for (x, y) in low[p].iter_mut().zip(&mut high[0]) {
        let (xp, xq) = (*x, *y);
        *x = c * xp - s * xq;
        *y = s * xp + c * xq;
    }
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second difference of n points has the eigenvalues 2 − 2 cos(kπ/(n + 1)).
    #[test]
    fn exact_eigenvalues_of_a_chain() {
        let n = 6;
        let mut matrix = Symmetric::zero(n);
        for i in 0..n {
            matrix.set(i, i, 2.0);
            if i > 0 {
                matrix.set(i, i - 1, -1.0);
            }
        }
        let (mut values, vectors) = matrix.eigen();
        for (value, vector) in values.iter().zip(&vectors) {
            let image = matrix.times(vector);
            let off = image.iter().zip(vector).map(|(a, b)| (a - value * b).abs());
            assert!(off.fold(0.0, f64::max) < 1e-14);
        }
        values.sort_by(f64::total_cmp);
        for (k, value) in (1..).zip(values) {
            let exact = 2.0 - 2.0 * (f64::from(k) * std::f64::consts::PI / 7.0).cos();
            assert!((value - exact).abs() < 1e-14, "{k}");
        }
        let x = matrix.solve(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]).expect("positive");
        for (i, x) in x.iter().enumerate() {
            // Green's function of a string.
            assert!((x - (6 - i) as f64 / 7.0).abs() < 1e-14);
        }
        let (inverse, lost) = matrix.inverse();
        assert!((inverse.at(0, 0) - 6.0 / 7.0).abs() < 1e-14 && !lost.contains(&true));
    }

    #[test]
    fn exact_what_a_singular_matrix_does_not_know() {
        // The third coordinate is alone and 0, the first two are known by their sum only.
        let columns = [vec![1.0, 2.0], vec![1.0, 2.0], vec![0.0, 0.0], vec![2.0, -1.0]];
        let (inverse, lost) = Symmetric::gram(&columns).inverse();
        assert_eq!(lost, [true, true, true, false]);
        assert!((inverse.at(3, 3) - 0.2).abs() < 1e-14);
        assert_eq!(Symmetric::gram(&columns).cholesky(), None);
    }
}
