//! A contact law written in Rust: a stiffening elastic layer with losses, in a free impact.
//!
//! Code of a user has no name in the catalogue: a case with it has no digest, no result folder that can be run again and no
//! interactive page.

use std::error::Error;
use std::sync::Arc;

use jointplay_contact::NormalLaw;
use jointplay_contact::damping::{
    Approach, BeginError, DampingForce, DampingLaw, DampingModel, Touch,
};
use jointplay_contact::elastic::{Elastic, ElasticLaw, ElasticModel};
use jointplay_study::impact::{DEFAULT_TOLERANCE, Impact};

/// A rubber layer: F = k δ + s δ³.
#[derive(Debug)]
struct Layer {
    k: f64,
    s: f64,
}

impl ElasticModel for Layer {
    fn name(&self) -> &'static str {
        "rubber layer"
    }

    fn eval(&self, delta: f64) -> Elastic {
        if delta <= 0.0 {
            return Elastic::default();
        }
        let square = delta * delta;
        Elastic {
            force: delta * (self.k + self.s * square),
            slope: self.k + 3.0 * self.s * square,
            energy: square * (0.5 * self.k + 0.25 * self.s * square),
            continued: false,
        }
    }
}

/// Losses that saturate with the rate: F_d = c F_el u/√(1 + u²), u = δ̇/v₀.
#[derive(Debug)]
struct Saturating {
    c: f64,
}

impl DampingModel for Saturating {
    fn name(&self) -> &'static str {
        "saturating losses"
    }

    /// 1/v₀ of this contact.
    fn coefficient(&self, start: &Touch) -> Result<f64, BeginError> {
        Ok(1.0 / start.impact_speed)
    }

    fn force(&self, elastic_force: f64, at: Approach, touch: &Touch) -> DampingForce {
        let u = at.delta_dot * touch.coefficient;
        let root = (1.0 + u * u).sqrt();
        let share = self.c * u / root;
        DampingForce {
            force: share * elastic_force,
            by_elastic: share,
            by_delta: 0.0,
            by_rate: self.c * touch.coefficient / (root * root * root) * elastic_force,
        }
    }

    fn uses_effective_mass(&self) -> bool {
        false
    }

    /// The losses are smaller than the elastic force.
    fn can_pull(&self) -> bool {
        false
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let elastic = ElasticLaw::Custom(Arc::new(Layer { k: 2e5, s: 1e11 }));
    let damping = DampingLaw::Custom(Arc::new(Saturating { c: 0.5 }));
    let law = NormalLaw::new(elastic, damping);
    println!("speed (m/s)   restitution   deepest (mm)   largest force (N)");
    for speed in [0.1, 0.5, 1.0, 2.0] {
        let impact = Impact { law: &law, effective_mass: 0.5, speed, tolerance: DEFAULT_TOLERANCE };
        let result = impact.run()?;
        let (e, depth) = (result.restitution, 1e3 * result.max_indentation);
        println!("{speed:11.1}   {e:11.6}   {depth:12.4}   {:17.2}", result.max_force);
    }
    Ok(())
}
