//! Cylinder laws with a logarithm, δ = (f/A)(ln(B/f) + C), inverted exactly.
//!
//! With y = ln(f/B) − C the law reads y eʸ = −(Aδ/B)e^{−C}, so f = −Aδ/W₋₁(−(Aδ/B)e^{−C}) on the
//! lower real branch of Lambert's function: no iteration to a tolerance, no fit. The branch point
//! is where the load stops growing with the indentation, δ_max = Be^{C−1}/A, f_lim = Be^{C−1}:
//! the law's own limit. From [`CONTINUED_FROM`]·f_lim on the force is continued with its tangent.

use super::{Elastic, ElasticModel, Limits, finite, lower_branch};

/// Fraction of the limit load from which the law is continued with its tangent.
pub const CONTINUED_FROM: f64 = 0.99;

/// Force per unit length of a line contact, N/m.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct LineLoad(pub f64);

impl LineLoad {
    /// Total force on a contact of this length, N.
    pub fn over(self, length: f64) -> f64 {
        self.0 * length
    }
}

/// A logarithmic cylinder law δ = (f/A)(ln(B/f) + C) over a length L.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Logarithmic {
    a: f64,
    b: f64,
    c: f64,
    length: f64,
    /// Load at which the source ends the domain, N/m.
    published: Option<f64>,
    /// 1/δ_max.
    inverse_limit: f64,
    /// Last indentation of the law itself, at 0.99 f_lim.
    last: f64,
    /// A·L.
    stiffness: f64,
    /// Slope at `last`, N/m.
    tangent: f64,
    at_last: Elastic,
}

jointplay_fingerprint::fingerprint!(struct Logarithmic {
    a, b, c, length, published, inverse_limit, last, stiffness, tangent, at_last,
});

impl Logarithmic {
    /// A law with the constants A, B in N/m², N/m and C, over `length` in m; all but C positive.
    /// `published` is the load limit that the source states, N/m, if it states one.
    pub fn new(a: f64, b: f64, c: f64, length: f64, published: Option<f64>) -> Self {
        // at f = 0.99 f_lim: w − 1 = −ln 0.99
        let excess = -libm::log(CONTINUED_FROM);
        let w = 1.0 + excess;
        let f = CONTINUED_FROM * b * libm::exp(c - 1.0);
        let tangent = finite(a * length / excess);
        let mut law = Self {
            a,
            b,
            c,
            length,
            published,
            inverse_limit: a / (b * libm::exp(c - 1.0)),
            last: f / a * w,
            stiffness: finite(a * length),
            tangent,
            at_last: Elastic {
                force: finite(f * length),
                slope: tangent,
                energy: finite(f * (0.5 * f / a) * (w - 0.5) * length),
                continued: false,
            },
        };
        // the kernel's own value, so that the tangent starts without a jump
        law.at_last.force = law.kernel(law.last);
        law
    }

    /// Contact length, m.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Load that gives this indentation, continued beyond the limit.
    pub fn line_load(&self, delta: f64) -> LineLoad {
        LineLoad(self.force(delta) / self.length)
    }

    /// Monotone limit f_lim = B e^{C−1}.
    pub fn limit_load(&self) -> LineLoad {
        LineLoad(self.b * libm::exp(self.c - 1.0))
    }

    /// Indentation at the monotone limit, δ_max = f_lim/A.
    pub fn limit_delta(&self) -> f64 {
        1.0 / self.inverse_limit
    }

    /// w = ln(B/f) + C at an indentation inside the domain; w/(w−1) is the condition number of
    /// the inverse.
    pub fn w(&self, delta: f64) -> f64 {
        let (p, q) = lower_branch::excess(self.relative(delta));
        1.0 + p / q
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "part of the vectorised kernel")]
    fn relative(&self, delta: f64) -> f64 {
        let r = delta * self.inverse_limit;
        // the logarithm needs a normal number; below it the force has no physical meaning
        if r > f64::MIN_POSITIVE { r } else { f64::MIN_POSITIVE }
    }

    /// Force without branches: the law up to `last`, its tangent beyond, zero for δ ≤ 0.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "part of the vectorised kernel")]
    fn kernel(&self, delta: f64) -> f64 {
        let inside = if delta < self.last { delta } else { self.last };
        let beyond = delta - inside;
        let (p, q) = lower_branch::excess(self.relative(inside));
        let force = self.stiffness * inside * q / (q + p) + self.tangent * beyond;
        let force = if force > f64::MAX { f64::MAX } else { force };
        if delta <= 0.0 { 0.0 } else { force }
    }

    /// Forces of many indentations, bit for bit those of [`ElasticModel::force`].
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn forces(&self, deltas: &[f64], forces: &mut [f64]) {
        assert_eq!(deltas.len(), forces.len(), "one force for each indentation");
        pulp::Arch::new().dispatch(Batch { law: self, deltas, forces });
    }
}

/// The loop of [`Logarithmic::forces`], compiled once per instruction set and chosen at run time.
/// No operation is fused or reordered, so every set gives the same bits.
struct Batch<'a> {
    law: &'a Logarithmic,
    deltas: &'a [f64],
    forces: &'a mut [f64],
}

impl pulp::WithSimd for Batch<'_> {
    type Output = ();

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "must be compiled inside the caller's instruction set"
    )]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let law = *self.law;
        for (force, &delta) in self.forces.iter_mut().zip(self.deltas) {
            *force = law.kernel(delta);
        }
    }
}

impl ElasticModel for Logarithmic {
    fn force(&self, delta: f64) -> f64 {
        self.kernel(delta)
    }

    fn eval(&self, delta: f64) -> Elastic {
        if delta <= 0.0 {
            return Elastic::default();
        }
        if delta.is_nan() {
            return Elastic::not_a_number();
        }
        if delta > self.last {
            return self.at_last.along_tangent(delta - self.last);
        }
        let (p, q) = lower_branch::excess(self.relative(delta));
        let force = finite(self.stiffness * delta * q / (q + p));
        Elastic {
            force,
            slope: finite(self.stiffness * (q / p)), // A/(w−1)
            energy: finite(force * (0.5 * force / self.stiffness) * (0.5 + p / q)),
            continued: force >= f64::MAX,
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            delta: Some(self.limit_delta()),
            force: Some(self.limit_load().over(self.length)),
            published_force: self.published.map(|f| f * self.length),
            continued_from: Some(self.last),
        }
    }

    /// Exact: the law itself up to 0.99 f_lim, its tangent beyond.
    fn indentation(&self, force: f64) -> Option<f64> {
        if force.is_nan() || force == f64::INFINITY {
            return None;
        }
        if force <= 0.0 {
            return Some(0.0);
        }
        if force > self.at_last.force {
            return Some(self.last + (force - self.at_last.force) / self.tangent);
        }
        let f = force / self.length;
        // two logarithms only if the quotient overflows
        let ratio = self.b / f;
        let log =
            if ratio.is_finite() { libm::log(ratio) } else { libm::log(self.b) - libm::log(f) };
        Some(f / self.a * (log + self.c))
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn exact_every_instruction_set_gives_the_same_bits() {
        let law = Logarithmic::new(3.6e11, 3.6e8, -1.0, 0.015, None);
        let deltas: Vec<f64> = (0..10_007).map(|i| 1e-15 * 1.0036_f64.powi(i)).collect();
        let one_by_one: Vec<u64> = deltas.iter().map(|&d| law.force(d).to_bits()).collect();
        let sets = [
            Some(pulp::x86::Arch::Scalar),
            pulp::x86::V3::try_new().map(pulp::x86::Arch::V3),
            pulp::x86::V4::try_new().map(pulp::x86::Arch::V4),
        ];
        for set in sets.into_iter().flatten() {
            let mut forces = vec![0.0; deltas.len()];
            set.dispatch(Batch { law: &law, deltas: &deltas, forces: &mut forces });
            let bits: Vec<u64> = forces.iter().map(|f| f.to_bits()).collect();
            assert!(bits == one_by_one, "{set:?}");
        }
    }
}
