//! What the energy does is what the powers say, at every instant.

use jointplay_mbd::{DriftControl, Equations, Mechanism, Mode, Simulation, Snapshot};
use jointplay_ode::System;

use super::mechanisms::{BOTH, Recipe, mechanism};

/// Of the differences [s].
const STEP: f64 = 2e-5;

/// dE/dt along the motion, by differences of the energy at states on the tangent of the motion.
fn rate_of_energy(equations: &Equations, t: f64, y: &[f64], mode: &Mode) -> f64 {
    let y = y.to_vec();
    let mut rate = vec![0.0; y.len()];
    let mut scratch = equations.scratch();
    equations.rhs(t, &y, mode, &mut rate, &mut scratch).expect("regular");
    let energy = |h: f64| {
        let moved: Vec<f64> = y.iter().zip(&rate).map(|(y, rate)| y + h * rate).collect();
        equations.snapshot(t + h, &moved, mode).expect("regular").energy().total()
    };
    let h = STEP;
    (8.0 * (energy(h) - energy(-h)) - (energy(2.0 * h) - energy(-2.0 * h))) / (12.0 * h)
}

/// Σ of what comes in less what is lost, and Σ of the magnitudes.
fn power(mechanism: &Mechanism, snapshot: &Snapshot<'_>) -> (f64, f64) {
    let accounts = mechanism.accounts().iter().zip(snapshot.powers());
    let signed =
        accounts.map(|(account, power)| if account.kind.is_loss() { -power } else { *power });
    signed.fold((0.0, 0.0), |(sum, size), power| (sum + power, size + power.abs()))
}

fn follow(seeds: std::ops::Range<u64>, recipe: &Recipe) {
    let mut instants = 0;
    for seed in seeds {
        let mechanism = mechanism(seed, recipe);
        for formulation in BOTH {
            let simulation = Simulation::new(&mechanism).formulation(formulation).until(0.1);
            let Ok(run) = simulation.run() else { continue };
            for i in 0..run.trajectory.len() {
                let (t, y, mode) = run.trajectory.get(i);
                let snapshot = run.equations.snapshot(t, y, mode).expect("regular");
                let (sum, size) = power(&mechanism, &snapshot);
                // Near a singular position, where a driver may lead, forces change faster than differences see.
                // So does δ^2.5 where a contact has just begun or is about to end.
                let fleeting = mechanism
                    .contacts()
                    .map(|(contact, ..)| snapshot.contact(contact))
                    .any(|c| c.touching && c.delta < 20.0 * STEP * c.delta_dot.abs());
                if size > 1e4 || fleeting {
                    continue;
                }
                let rate = rate_of_energy(&run.equations, t, y, mode);
                // Energies of 10 J over steps of 2e-5 s round to 1e-10 W.
                let gap = (rate - sum).abs() / size.max(1.0);
                assert!(gap < 1e-8, "seed {seed} {formulation:?} t = {t}: {rate} {sum} {gap:e}");
                instants += 1;
            }
        }
    }
    assert!(instants > 300, "{instants}");
}

#[test]
fn property_the_rate_of_energy_is_the_power() {
    follow(0..40, &Recipe::FULL);
}

#[test]
fn property_the_rate_of_energy_is_the_power_in_contact() {
    follow(40..80, &Recipe { contacts: 2, ..Recipe::FULL });
}

/// Off the constraints, where only the multipliers and the account of drift control can balance the books.
#[test]
fn property_the_rate_of_energy_is_the_power_off_the_constraints() {
    let drift = DriftControl { alpha: 7.0, beta: 11.0, projection: false };
    for seed in 0..60 {
        let mechanism = mechanism(seed, &Recipe::FULL);
        for formulation in BOTH {
            let equations =
                Equations::new(&mechanism, formulation, drift).expect("bodies with mass");
            let Ok(mut start) = equations.start(0.0) else { continue };
            for (i, y) in start.y[..2 * equations.unknown_count()].iter_mut().enumerate() {
                *y += 1e-2 * (i as f64).sin();
            }
            let Ok(snapshot) = equations.snapshot(0.0, &start.y, &start.mode) else { continue };
            let (sum, size) = power(&mechanism, &snapshot);
            let rate = rate_of_energy(&equations, 0.0, &start.y, &start.mode);
            let gap = (rate - sum).abs() / size.max(1.0);
            assert!(gap < 1e-8, "seed {seed} {formulation:?}: {rate} {sum} {gap:e}");
        }
    }
}
