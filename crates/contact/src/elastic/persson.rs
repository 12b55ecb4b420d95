//! Persson's law of closely conforming cylinders.

use std::f64::consts::PI;

use super::{Elastic, ElasticModel, Limits, quadrature};

/// f = 2πE*ΔR·x(1+x)/(2 − ln(1+x) − 2x²), x = b² = tan²(ε/2) = δ/(2ΔR+δ).
///
/// ε = arccos(ΔR/(ΔR+δ)) is half the contact angle. The denominator vanishes at ε ≈ 84.8°, where
/// the load grows without bound; from 0.99 of that indentation on the tangent is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Persson {
    /// 2πE*ΔR·L, N.
    scale: f64,
    clearance: f64,
    limit: f64,
    last: f64,
    at_last: Elastic,
}

jointplay_fingerprint::fingerprint!(struct Persson { scale, clearance, limit, last, at_last });

/// Fraction of the limit indentation from which the tangent is used.
const CONTINUED_FROM: f64 = 0.99;

/// Denominator 2 − ln(1+x) − 2x².
fn denominator(x: f64) -> f64 {
    2.0 - libm::log1p(x) - 2.0 * x * x
}

/// The x at which the denominator vanishes.
fn limit_x() -> f64 {
    let mut x = 0.83;
    for _ in 0..8 {
        x -= denominator(x) / (-1.0 / (1.0 + x) - 4.0 * x);
    }
    x
}

impl Persson {
    /// The law for the equivalent modulus E* in Pa, ΔR and the length in m.
    pub fn new(modulus: f64, clearance: f64, length: f64) -> Self {
        let x = limit_x();
        let limit = 2.0 * clearance * x / (1.0 - x);
        let mut law = Self {
            scale: 2.0 * PI * modulus * clearance * length,
            clearance,
            limit,
            last: f64::INFINITY,
            at_last: Elastic::default(),
        };
        law.at_last = law.eval(CONTINUED_FROM * limit);
        law.last = CONTINUED_FROM * limit;
        law
    }

    /// Half the contact angle ε at the limit, rad.
    pub fn limit_angle(&self) -> f64 {
        libm::acos(self.clearance / (self.clearance + self.limit))
    }
}

impl ElasticModel for Persson {
    fn force(&self, delta: f64) -> f64 {
        if delta <= 0.0 {
            return 0.0;
        }
        if delta > self.last {
            return self.at_last.along_tangent(delta - self.last).force;
        }
        let x = delta / (2.0 * self.clearance + delta);
        self.scale * (x * (1.0 + x)) / denominator(x)
    }

    fn eval(&self, delta: f64) -> Elastic {
        if delta <= 0.0 {
            return Elastic::default();
        }
        if delta > self.last {
            return self.at_last.along_tangent(delta - self.last);
        }
        let reach = 2.0 * self.clearance + delta;
        let x = delta / reach;
        let (n, d) = (x * (1.0 + x), denominator(x));
        let (dn, dd) = (1.0 + 2.0 * x, -1.0 / (1.0 + x) - 4.0 * x);
        let dx = 2.0 * self.clearance / (reach * reach); // dx/dδ
        Elastic {
            force: self.scale * n / d,
            slope: self.scale * (dn * d - n * dd) / (d * d) * dx,
            energy: quadrature::energy(delta, |s| self.force(s)),
            continued: false,
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            delta: Some(self.limit),
            force: None,
            published_force: None,
            continued_from: Some(self.last),
        }
    }
}
