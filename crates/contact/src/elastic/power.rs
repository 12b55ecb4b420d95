//! Power laws F = K δⁿ.

use super::{Elastic, ElasticModel, finite};

/// F = K δⁿ with K > 0 and n ≥ 1.
///
/// Hertz's point contact (n = 3/2), linear springs, the Pereira and Lankarani–Nikravesh cylinder
/// laws and every fit of a cylinder law are of this form; only their K and n differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// Stiffness K, N/mⁿ.
    pub stiffness: f64,
    /// Exponent n.
    pub exponent: f64,
}

jointplay_fingerprint::fingerprint!(struct Power { stiffness, exponent });

impl Power {
    /// δᵖ with the two exponents of almost every law free of a call to `pow`.
    #[inline]
    pub(crate) fn pow(delta: f64, p: f64) -> f64 {
        if p == 1.5 {
            delta * delta.sqrt()
        } else if p == 1.0 {
            delta
        } else if p == 0.0 {
            1.0
        } else {
            libm::pow(delta, p)
        }
    }
}

impl ElasticModel for Power {
    #[inline]
    fn force(&self, delta: f64) -> f64 {
        if delta <= 0.0 { 0.0 } else { finite(self.stiffness * Self::pow(delta, self.exponent)) }
    }

    fn eval(&self, delta: f64) -> Elastic {
        if delta <= 0.0 {
            return Elastic::default();
        }
        let (k, n) = (self.stiffness, self.exponent);
        let force = finite(k * Self::pow(delta, n));
        Elastic {
            force,
            slope: finite(n * (force / delta)),
            energy: finite(force * (delta / (n + 1.0))),
            continued: force >= f64::MAX,
        }
    }

    fn indentation(&self, force: f64) -> Option<f64> {
        if force.is_nan() || force == f64::INFINITY {
            return None;
        }
        let delta = libm::pow(force.max(0.0) / self.stiffness, 1.0 / self.exponent);
        Some(delta).filter(|d| d.is_finite())
    }

    fn indentation_of_energy(&self, energy: f64) -> Option<f64> {
        if energy.is_nan() || energy == f64::INFINITY {
            return None;
        }
        let n = self.exponent;
        Some(libm::pow((n + 1.0) * energy.max(0.0) / self.stiffness, 1.0 / (n + 1.0)))
    }
}
