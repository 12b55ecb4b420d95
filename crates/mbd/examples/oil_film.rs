//! A rotor on an oil film, with a force element written in Rust that no line between two points could describe: the film pushes
//! the rotor across its displacement as well as against it. Above a limit the rotor whirls, and its orbit grows.
//!
//! In the complex plane, z = x + iy, the rotor moves by m z̈ + c ż + (k − iκ) z = 0. An orbit grows if κ > c √(k/m).

use std::sync::Arc;

use jointplay_mbd::{
    AccountSide, Body, Builder, CustomForce, Error, Force, ForceModel, GROUND, Sampling,
    Simulation, Wrench, WrenchSlopes,
};

/// The film between a rotor (b) and its housing (a), for small displacements of the rotor from the centre.
#[derive(Debug)]
pub(crate) struct OilFilm {
    /// k, against the displacement (N/m).
    pub(crate) stiffness: f64,
    /// κ, across the displacement, in the sense of the rotation (N/m).
    pub(crate) cross_stiffness: f64,
    /// c (N s/m).
    pub(crate) damping: f64,
}

impl OilFilm {
    /// Displacement or velocity of the rotor in its housing.
    fn between(at: &[f64; 6]) -> [f64; 2] {
        [at[3] - at[0], at[4] - at[1]]
    }
}

impl ForceModel for OilFilm {
    fn name(&self) -> &'static str {
        "oil film"
    }

    fn wrench(&self, _t: f64, q: &[f64; 6], rates: &[f64; 6]) -> Wrench {
        let (k, cross, c) = (self.stiffness, self.cross_stiffness, self.damping);
        let [x, y] = Self::between(q);
        let [vx, vy] = Self::between(rates);
        let held = [-k * x, -k * y];
        let other = [-cross * y - c * vx, cross * x - c * vy];
        // The housing gets the reaction; there are no moments about the centre.
        let both = |f: [f64; 2]| [-f[0], -f[1], 0.0, f[0], f[1], 0.0];
        Wrench { held: both(held), other: both(other) }
    }

    fn slopes(&self, _t: f64, _q: &[f64; 6], _rates: &[f64; 6]) -> WrenchSlopes {
        let (k, cross, c) = (self.stiffness, self.cross_stiffness, self.damping);
        let mut slopes = WrenchSlopes::default();
        for (row, row_sign) in [(0, -1.0), (3, 1.0)] {
            for (column, sign) in [(0, -row_sign), (3, row_sign)] {
                for i in 0..2 {
                    slopes.held[row + i][column + i] = -k * sign;
                    slopes.other_by_rates[row + i][column + i] = -c * sign;
                }
                slopes.other[row][column + 1] = -cross * sign;
                slopes.other[row + 1][column] = cross * sign;
            }
        }
        slopes
    }

    fn energy(&self, q: &[f64; 6]) -> f64 {
        let [x, y] = Self::between(q);
        0.5 * self.stiffness * (x * x + y * y)
    }

    /// The part across brings in what the shaft drives, the damping takes some of it.
    fn side(&self) -> Option<AccountSide> {
        Some(AccountSide::Work)
    }
}

fn main() -> Result<(), Error> {
    let (mass, stiffness, damping, start) = (2.0_f64, 8e5_f64, 400.0_f64, 1e-5);
    let limit = damping * (stiffness / mass).sqrt();
    println!("the rotor whirls above κ = {limit:.0} N/m");
    for cross_stiffness in [0.5 * limit, limit, 1.5 * limit] {
        let mut parts = Builder::new();
        let rotor = parts.body("rotor", Body::new(mass, 1e-3).placed([start, 0.0], 0.0));
        let model = Arc::new(OilFilm { stiffness, cross_stiffness, damping });
        let film = CustomForce { a: GROUND.origin(), b: rotor.origin(), model };
        parts.force("film", Force::Custom(film));
        let mechanism = parts.build()?;

        let simulation = Simulation::new(&mechanism).tolerance(1e-10).until(0.02);
        let run = simulation.sampled(Sampling::Interval(0.005)).run()?;
        let path = run.body("rotor")?;
        let radii = path.x.iter().zip(&path.y).map(|(x, y)| 1e6 * x.hypot(*y));
        let radii: Vec<String> = radii.map(|radius| format!("{radius:6.2}")).collect();
        println!("κ = {cross_stiffness:7.0} N/m: orbit {} µm", radii.join(" "));
        println!("  energy: {:.1e} not accounted for", run.ledger.relative_residual());
    }
    Ok(())
}
