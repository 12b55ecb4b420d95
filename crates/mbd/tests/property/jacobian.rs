//! The exact Jacobian of the equations, against differences of their right-hand side.

use jointplay_mbd::{DriftControl, Equations, Formulation, Mode};
use jointplay_ode::{Complex, Matrix, Scalar, System};

use super::mechanisms::{BOTH, Recipe, mechanism};
use crate::sweep;

/// ∂f/∂y at t = 0 by differences of fourth order.
fn differences(equations: &Equations, y: &[f64], mode: &Mode, h: f64) -> Matrix {
    let size = y.len();
    let mut scratch = equations.scratch();
    let mut matrix = Matrix::zeros(size);
    for column in 0..size {
        let mut rate = |step: f64| {
            let mut moved = y.to_vec();
            moved[column] += step * h;
            let mut rate = vec![0.0; size];
            equations.rhs(0.0, &moved, mode, &mut rate, &mut scratch).expect("regular");
            rate
        };
        let [near, far] = [1.0, 2.0].map(|step| {
            let (ahead, behind) = (rate(step), rate(-step));
            ahead.iter().zip(&behind).map(|(a, b)| a - b).collect::<Vec<f64>>()
        });
        for row in 0..size {
            matrix[(row, column)] = (8.0 * near[row] - far[row]) / (12.0 * h);
        }
    }
    matrix
}

fn compare(seed: u64, recipe: &Recipe, formulation: Formulation, drift: DriftControl) {
    let mechanism = mechanism(seed, recipe);
    let equations = Equations::new(&mechanism, formulation, drift).expect("bodies with mass");
    // Mechanisms that jam have no motion to differentiate.
    let Ok(start) = equations.start(0.0) else { return };
    compare_at(&format!("seed {seed} {formulation:?}"), &equations, &start.y, &start.mode);
}

/// Holds the Jacobian at a state at t = 0 against differences.
pub(crate) fn compare_at(what: &str, equations: &Equations, y: &Vec<f64>, mode: &Mode) {
    let size = y.len();
    let mut exact = Matrix::zeros(size);
    let mut scratch = equations.scratch();
    equations.jacobian(0.0, y, mode, &mut exact, &mut scratch).expect("regular");
    // Narrow differences for a force δ^1.5 and for friction whose load is about to change its sign, wide ones where
    // constraints nearly repeat each other and magnify rounding.
    let quotients = [2e-6, 1e-5, 5e-5, 2e-4].map(|h| differences(equations, y, mode, h));
    let names = equations.state_names();
    let mut rate = vec![0.0; size];
    equations.rhs(0.0, y, mode, &mut rate, &mut scratch).expect("regular");
    for row in 0..size {
        let largest = (0..size).fold(1.0_f64, |size, column| size.max(exact[(row, column)].abs()));
        for column in 0..size {
            let exact = exact[(row, column)];
            let gaps = quotients.iter().map(|quotients| (exact - quotients[(row, column)]).abs());
            let gap = gaps.fold(f64::INFINITY, f64::min);
            // What the best of four widths can tell.
            assert!(
                gap <= 1e-6 * (largest + rate[row].abs()),
                "{what}: d({})'/d({}) = {exact}, off by {gap:e}",
                names[row],
                names[column],
            );
        }
    }
}

#[test]
fn property_the_jacobian_is_the_limit_of_differences() {
    for formulation in BOTH {
        for seed in 0..sweep::cases(40, 150) {
            compare(seed, &Recipe::FULL, formulation, DriftControl::default());
        }
    }
}

#[test]
fn property_the_jacobian_is_the_limit_of_differences_in_contact() {
    for formulation in BOTH {
        for seed in 200..sweep::cases(240, 400) {
            let recipe = Recipe { contacts: 3, ..Recipe::FULL };
            compare(seed, &recipe, formulation, DriftControl::default());
        }
    }
}

#[test]
fn property_the_jacobian_contains_the_stabilisation() {
    let drift = DriftControl { alpha: 30.0, beta: 40.0, projection: false };
    for formulation in BOTH {
        for seed in 400..sweep::cases(430, 500) {
            compare(seed, &Recipe::FULL, formulation, drift);
        }
    }
}

/// What is left of r − (s − ∂f/∂y) u in each row, and the size of its terms.
fn remainder(jacobian: &Matrix, s: Complex, u: &[Complex], r: &[Complex]) -> Vec<(Complex, f64)> {
    let row = |row: usize| {
        let own = s * u[row];
        let (mut rest, mut scale) = (r[row] - own, own.size() + r[row].size());
        for column in 0..u.len() {
            let term = u[column] * jacobian[(row, column)];
            rest += term;
            scale += term.size();
        }
        (rest, scale)
    };
    (0..u.len()).map(row).collect()
}

/// (s − ∂f/∂y) u = r, solved body by body and refined once, against the exact Jacobian. Accounts of reactions are left out there, so
/// that they are left out here.
fn solves_at(what: &str, equations: &Equations, y: &Vec<f64>, mode: &Mode) {
    let size = y.len();
    let mut exact = Matrix::zeros(size);
    let mut scratch = equations.scratch();
    equations.jacobian(0.0, y, mode, &mut exact, &mut scratch).expect("regular");
    equations.linearise(0.0, y, mode, &mut scratch).expect("regular");
    let followed = |row: usize| {
        let account = equations.mechanism().accounts().iter().rev().nth(size - 1 - row);
        account.is_none_or(|account| {
            use jointplay_mbd::AccountKind as Kind;
            !matches!(account.kind, Kind::Driver | Kind::DriftControl | Kind::JointFriction)
        })
    };
    for s in [30.0, 1e3, 1e5] {
        let complex = Complex { re: 0.7 * s, im: 0.8 * s };
        assert!(equations.factorise(s, complex, &mut scratch), "{what}: singular");
        let sine = |i: usize| (1.0 + i as f64).sin();
        for is_real in [true, false] {
            let shift = if is_real { Complex::from(s) } else { complex };
            let im = |re: f64| if is_real { 0.0 } else { 0.5 - re };
            let right: Vec<Complex> =
                (0..size).map(|i| Complex { re: sine(i), im: im(sine(i)) }).collect();
            let mut u = vec![Complex::default(); size];
            // A Newton iteration wants a contraction far below 1e-3; a second one shows what rounding leaves.
            for admitted in [1e-5, 1e-9] {
                let rest = remainder(&exact, shift, &u, &right);
                let rest =
                    (0..size).map(|i| if followed(i) { rest[i].0 } else { Complex::default() });
                let mut step: Vec<Complex> = rest.collect();
                if is_real {
                    let mut real: Vec<f64> = step.iter().map(|step| step.re).collect();
                    equations.solve_real(&mut real, &mut scratch);
                    step = real.into_iter().map(Complex::from).collect();
                } else {
                    equations.solve_complex(&mut step, &mut scratch);
                }
                u.iter_mut().zip(step).for_each(|(u, step)| *u += step);
                for (row, (rest, scale)) in remainder(&exact, shift, &u, &right).iter().enumerate()
                {
                    let gap = rest.size();
                    let good = gap <= admitted * scale || !followed(row);
                    assert!(good, "{what} at {s}: row {row} is off by {gap:e} of {scale:e}");
                }
            }
        }
    }
}

/// The judge is the Jacobian in dual numbers, which is itself held against differences above.
#[test]
fn property_equations_solved_body_by_body_fulfil_the_jacobian() {
    for seed in 0..sweep::cases(60, 400) {
        let recipe = match seed % 4 {
            0 => Recipe { forces: 2, contacts: 3, ..Recipe::TREE },
            1 => Recipe { drivers: 1, loops: 1, ..Recipe::TREE },
            2 => Recipe { friction: false, ..Recipe::FULL },
            _ => Recipe { friction: false, contacts: 3, ..Recipe::FULL },
        };
        let mechanism = mechanism(seed, &recipe);
        let drift = DriftControl { alpha: 5.0, beta: 7.0, projection: true };
        let equations =
            Equations::new(&mechanism, Formulation::Absolute, drift).expect("bodies with mass");
        let Ok(start) = equations.start(0.0) else { continue };
        solves_at(&format!("seed {seed}"), &equations, &start.y, &start.mode);
    }
}
