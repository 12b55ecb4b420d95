//! Materials and their equivalent modulus.

/// A linear elastic, isotropic material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Young's modulus E, Pa, positive.
    pub young: f64,
    /// Poisson's ratio ν, in (−1, 0.5].
    pub poisson: f64,
    /// Density ρ, kg/m³, if known.
    pub density: Option<f64>,
}

/// Predefined steel: 207 GPa, 0.3, 7850 kg/m³.
pub const STEEL: Material = Material { young: 207e9, poisson: 0.3, density: Some(7850.0) };

/// Predefined aluminium: 70 GPa, 0.35, 2700 kg/m³.
pub const ALUMINIUM: Material = Material { young: 70e9, poisson: 0.35, density: Some(2700.0) };

/// Names under which materials are found.
pub const MATERIALS: &[(&str, Material)] = &[("steel", STEEL), ("aluminium", ALUMINIUM)];

impl Material {
    /// Compliance h = (1−ν²)/E, 1/Pa (Skrinjar2018 eq. (3)).
    pub fn compliance(&self) -> f64 {
        (1.0 - self.poisson * self.poisson) / self.young
    }

    /// Same elastic constants.
    pub fn same_elasticity(&self, other: &Self) -> bool {
        self.young == other.young && self.poisson == other.poisson
    }

    /// Speed √(E/ρ) of waves in a thin bar, m/s, if the density is known.
    pub fn bar_wave_speed(&self) -> Option<f64> {
        self.density.map(|rho| (self.young / rho).sqrt())
    }
}

/// Equivalent modulus E* = 1/(h_i + h_j), Pa (Skrinjar2018 eq. (34)).
pub fn equivalent_modulus(i: &Material, j: &Material) -> f64 {
    1.0 / (i.compliance() + j.compliance())
}
