//! A lid on a gas spring, with a force element and a friction law written in Rust; then the second half of the run from the
//! state in the middle.
//!
//! Code of a user cannot be identified: such a mechanism has no checkpoints, and a case with it no digest, no result folder
//! that can be run again and no interactive page.

use std::sync::Arc;

use jointplay_mbd::law::friction::{Coefficient, FrictionLaw, FrictionModel};
use jointplay_mbd::{
    AccountSide, Body, Builder, Error, Force, GROUND, JointFriction, LineForce, LineModel, Method,
    Sampling, Simulation, Tension,
};

/// Gas of pressure p over the area A of a piston, in a chamber whose length grows with that of the spring: p V = constant,
/// and a throttle, quadratic in the rate.
#[derive(Debug)]
struct GasSpring {
    /// p A at the length `at` (N).
    force: f64,
    /// Where it has that force (m).
    at: f64,
    /// Length at which the chamber would vanish (m).
    end: f64,
    /// c of the loss c |l̇| l̇ (N s²/m²).
    throttle: f64,
}

impl LineModel for GasSpring {
    fn name(&self) -> &'static str {
        "gas spring"
    }

    fn tension(&self, _t: f64, length: f64, rate: f64) -> Tension {
        let push = self.force * (self.at - self.end) / (length - self.end);
        Tension {
            held: -push,
            held_by_length: push / (length - self.end),
            other: self.throttle * rate.abs() * rate,
            other_by_length: 0.0,
            other_by_rate: 2.0 * self.throttle * rate.abs(),
        }
    }

    fn energy(&self, length: f64) -> f64 {
        let chamber = self.at - self.end;
        -self.force * chamber * ((length - self.end) / chamber).ln()
    }

    fn side(&self) -> Option<AccountSide> {
        Some(AccountSide::Loss)
    }
}

/// Friction with a smooth sign: μ v/√(v² + w²).
#[derive(Debug)]
struct Root {
    mu: f64,
    w: f64,
}

impl FrictionModel for Root {
    fn name(&self) -> &'static str {
        "root"
    }

    fn coefficient(&self, v_t: f64, _z: f64) -> Coefficient {
        let root = (v_t * v_t + self.w * self.w).sqrt();
        let slope = self.mu * self.w * self.w / (root * root * root);
        Coefficient { value: self.mu * v_t / root, slope }
    }
}

fn main() -> Result<(), Error> {
    // A lid of 8 kg and 0.6 m, hinged at its left end and nearly closed; the spring pushes it open.
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let lid = parts.body("lid", Body::rod(8.0, 0.6).centre([0.3, 0.0]).placed([0.0, 0.0], 0.1));
    let hinge = parts.revolute("hinge", GROUND.origin(), lid.origin());
    let friction = FrictionLaw::Custom(Arc::new(Root { mu: 0.2, w: 1e-3 }));
    parts.friction(hinge, JointFriction::pin(friction, 0.01));
    let model = Arc::new(GasSpring { force: 350.0, at: 0.3, end: 0.05, throttle: 2000.0 });
    let (a, b) = (GROUND.at([0.05, -0.25]), lid.at([0.2, 0.0]));
    parts.force("gas spring", Force::Line(LineForce { a, b, model }));
    let mechanism = parts.build()?;

    let simulation = Simulation::new(&mechanism).method(Method::Radau5).tolerance(1e-9);
    let run = simulation.clone().until(1.0).sampled(Sampling::Interval(0.1)).run()?;
    let (lid, spring) = (run.body("lid")?, run.force("gas spring")?);
    println!("t (s)   angle (°)   force of the spring (N)   energy in it (J)");
    for ((t, angle), spring) in lid.t.iter().zip(&lid.angle).zip(spring) {
        let (force, energy) = (-spring.size, spring.energy);
        println!("{t:5.2}   {:9.4}   {force:23.3}   {energy:16.4}", angle.to_degrees());
    }
    println!("energy: {:.1e} not accounted for", run.ledger.relative_residual());
    for part in mechanism.user_code() {
        println!("user-written code: {part}");
    }

    // The same motion from the state in the middle.
    let middle = run.state(run.len() / 2)?;
    let rest = simulation.start_from(&middle).until(1.0).run()?;
    let again = rest.body("lid")?.angle;
    let change = again[again.len() - 1] - lid.angle[lid.angle.len() - 1];
    println!("started again from t = {:.2} s: the lid ends {change:.1e} rad away", middle.t);
    Ok(())
}
