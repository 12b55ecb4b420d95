//! The domain of a law as data: bounds with which a run can be compared.
//!
//! The text of a sheet says where a law is valid; these are the bounds that have numbers. `None`
//! means that the source states no such bound, not that the law is valid without limit.

use std::fmt;

use super::sheet::Interval;
use crate::material::Material;

/// How far the restitution of a free impact may be from the specified one.
pub const RETURNED: f64 = 0.05;

/// Impact speeds for which a law is published, as a fraction of the speed √(E/ρ) of waves in a bar of the material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpeedBound {
    /// Up to this fraction.
    UpTo(f64),
    /// From this fraction on.
    From(f64),
}

impl SpeedBound {
    /// The bound (m/s) for two bodies, that of the slower waves; `None` if a density is not known.
    pub fn speed(self, materials: &[Material; 2]) -> Option<f64> {
        let (Self::UpTo(share) | Self::From(share)) = self;
        let [a, b] = materials.each_ref().map(Material::bar_wave_speed);
        Some(share * a?.min(b?))
    }

    /// Whether an impact speed is inside, given the bound (m/s).
    pub fn allows(self, speed: f64, bound: f64) -> bool {
        match self {
            Self::UpTo(_) => speed <= bound,
            Self::From(_) => speed >= bound,
        }
    }
}

/// Bounds of a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Impact speeds.
    pub speed: Option<SpeedBound>,
    /// Restitutions c_r that a free impact returns to within [`RETURNED`], where pulling is cut off.
    pub restitution: Option<Interval>,
    /// Smallest ΔR/R_i of a journal in a bearing. Below it the surfaces conform, and a law for
    /// bodies that touch in a small spot is not valid. The sources say "small clearance"; the
    /// number is ours.
    pub conformity: Option<f64>,
    /// The load limit of the law, as a formula for f = F/L; its value is that of the law
    /// ([`Limits`](crate::elastic::Limits)).
    pub load: Option<&'static str>,
    /// Clearances ΔR, m.
    pub clearance: Option<Interval>,
    /// Exponents n of the elastic law F = Kδⁿ.
    pub exponent: Option<Interval>,
}

impl Bounds {
    /// No bounds: the source states none.
    pub const NONE: Self = Self {
        speed: None,
        restitution: None,
        conformity: None,
        load: None,
        clearance: None,
        exponent: None,
    };

    /// The bounds of a law that returns these restitutions.
    pub const fn returning(low: f64, high: f64) -> Self {
        Self { restitution: Some(Interval::closed(low, high)), ..Self::NONE }
    }

    /// The bounds of a law that ends at a load.
    pub const fn up_to_load(formula: &'static str) -> Self {
        Self { load: Some(formula), ..Self::NONE }
    }

    /// The bounds of a law for this exponent alone.
    pub const fn for_exponent(n: f64) -> Self {
        Self { exponent: Some(Interval::closed(n, n)), ..Self::NONE }
    }

    /// The bounds in words, one for each.
    pub fn sentences(&self) -> Vec<String> {
        let speed = self.speed.map(|bound| match bound {
            SpeedBound::UpTo(share) => format!("impact speed up to {share:e} √(E/ρ)"),
            SpeedBound::From(share) => format!("impact speed above {share:e} √(E/ρ)"),
        });
        let restitution = self.restitution.map(|c| {
            format!(
                "c_r from {} to {}; a free impact returns it to within {RETURNED}",
                c.low, c.high
            )
        });
        let conformity = self.conformity.map(|least| {
            format!("for a journal in a bearing, ΔR at least {least} of the bearing radius")
        });
        let load = self.load.map(|formula| format!("load up to f = {formula}"));
        let clearance = self
            .clearance
            .map(|c| format!("ΔR from {} to {} mm", round(1e3 * c.low), round(1e3 * c.high)));
        let exponent = self.exponent.map(|n| {
            if n.low == n.high {
                format!("exponent n = {}", n.low)
            } else {
                format!("exponent n from {} to {}", n.low, n.high)
            }
        });
        [speed, restitution, conformity, load, clearance, exponent].into_iter().flatten().collect()
    }
}

/// Without the rounding of a change of units.
fn round(x: f64) -> f64 {
    (x * 1e9).round() / 1e9
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentences().join("; "))
    }
}
