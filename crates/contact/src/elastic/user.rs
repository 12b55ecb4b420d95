//! A law given as a formula of δ and δ̇.

use jointplay_expression::units::Dimension;
use jointplay_expression::{Expression, ExpressionError, Jet, Scope};

use super::{Elastic, ElasticModel, Limits, quadrature};
use crate::damping::{Approach, Damping};

/// A force F(δ, δ̇) written as a formula, checked over a stated range.
///
/// Its value at rest, F(δ, 0), is the elastic law, and the rest is the damping. Beyond the range
/// the elastic part follows its tangent, and the damping keeps its value at the end of the range.
#[derive(Clone, Debug, PartialEq)]
pub struct UserForce {
    expression: Expression,
    /// Largest indentation of the checked range, m.
    reach: f64,
    /// Largest rate of the checked range, m/s.
    speed: f64,
    at_reach: Elastic,
    /// Energy at the indentations [`knot`](Self::knot), from which the energy at other indentations
    /// is integrated.
    energies: [f64; KNOTS + 1],
}

jointplay_fingerprint::fingerprint!(struct UserForce { expression, reach, speed, at_reach, energies });

/// The reason why a formula is not a contact law.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FormulaProblem {
    /// The text is not a formula.
    #[error("{0}")]
    Syntax(ExpressionError),
    /// The range to check over is invalid.
    #[error("the largest {what} of the law must be a positive finite number, not {value}")]
    Range {
        /// Indentation or rate.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// F(0, 0) ≠ 0.
    #[error("the force at zero indentation and rate is {force} N, must be 0")]
    NotZeroAtRest {
        /// F(0, 0).
        force: f64,
    },
    /// NaN or infinite inside the range.
    #[error("the force is not a finite number at delta = {delta} m, delta_dot = {delta_dot} m/s")]
    NotFinite {
        /// δ.
        delta: f64,
        /// δ̇.
        delta_dot: f64,
    },
    /// F(δ, 0) falls.
    #[error("the force at rest decreases near delta = {delta} m; a law must be monotone")]
    NotMonotone {
        /// δ.
        delta: f64,
    },
    /// F(δ, 0) jumps.
    #[error("the force at rest jumps near delta = {delta} m")]
    Jump {
        /// δ.
        delta: f64,
    },
    /// F(δ, δ̇) jumps at δ̇ = 0.
    #[error(
        "the force jumps by {jump} N at delta = {delta} m where delta_dot changes its sign, so bodies that come to rest there would change direction infinitely often; use the damping `kelvin-voigt-restitution`, or join both branches smoothly, as by tanh(delta_dot/v)"
    )]
    JumpWithRate {
        /// δ.
        delta: f64,
        /// How far the force jumps, N.
        jump: f64,
    },
    /// The damping part adds energy.
    #[error(
        "the rate adds energy at delta = {delta} m, delta_dot = {delta_dot} m/s; (F(delta, delta_dot) - F(delta, 0)) * delta_dot must not be negative"
    )]
    AddsEnergy {
        /// δ.
        delta: f64,
        /// δ̇.
        delta_dot: f64,
    },
}

/// Points at which a formula is checked, per axis.
const SAMPLES: i32 = 400;

/// Jumps of the force below this fraction of it are rounding.
const JUMP: f64 = 1e-9;

/// Intervals of the range at whose ends the energy is computed in advance.
const KNOTS: usize = 32;

impl UserForce {
    /// Parses and checks `source` for 0 ≤ δ ≤ `reach` and |δ̇| ≤ `speed`.
    ///
    /// # Errors
    /// Every property that fails, each with the first place where it does.
    pub fn new(source: &str, reach: f64, speed: f64) -> Result<Self, Vec<FormulaProblem>> {
        Self::with_names(source, Scope::new(), reach, speed)
    }

    /// As [`new`](Self::new), for a formula in which the parameters and tables of a scope may occur too.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_names(
        source: &str,
        names: Scope,
        reach: f64,
        speed: f64,
    ) -> Result<Self, Vec<FormulaProblem>> {
        let mut problems: Vec<_> = [("indentation", reach), ("rate", speed)]
            .into_iter()
            .filter(|&(_, value)| !(value > 0.0 && value.is_finite()))
            .map(|(what, value)| FormulaProblem::Range { what, value })
            .collect();
        let scope =
            names.variable("delta", Dimension::Length).variable("delta_dot", Dimension::Speed);
        let expression = match scope.parse_as(source, Dimension::Force) {
            Ok(expression) if problems.is_empty() => expression,
            Ok(_) => return Err(problems),
            Err(e) => {
                problems.push(FormulaProblem::Syntax(e));
                return Err(problems);
            }
        };
        let mut law = Self {
            expression,
            reach,
            speed,
            at_reach: Elastic::default(),
            energies: [0.0; KNOTS + 1],
        };
        let problems = law.problems();
        if !problems.is_empty() {
            return Err(problems);
        }
        for i in 0..KNOTS {
            law.energies[i + 1] = law.energy_from(i, law.knot(i + 1));
        }
        law.at_reach = law.inside(reach);
        Ok(law)
    }

    /// The text of the formula.
    pub fn source(&self) -> &str {
        self.expression.source()
    }

    /// Whether the force depends on the rate, judged at a few places of the range.
    pub fn depends_on_rate(&self) -> bool {
        [1e-3, 0.03, 0.3, 1.0].into_iter().any(|share| {
            let delta = share * self.reach;
            let rest = self.expression.eval(&[delta, 0.0]);
            [1e-3, -1e-3, 0.5, -0.5]
                .into_iter()
                .any(|s| self.expression.eval(&[delta, s * self.speed]) != rest)
        })
    }

    fn problems(&self) -> Vec<FormulaProblem> {
        let rest = |delta| self.expression.eval(&[delta, 0.0]);
        let mut problems = Vec::new();
        let scale = rest(self.reach).abs().max(f64::MIN_POSITIVE);
        let zero = rest(0.0);
        if zero.is_nan() || zero.abs() > 1e-12 * scale {
            problems.push(FormulaProblem::NotZeroAtRest { force: zero });
        }
        // squared spacing: more points at small indentations, where most contacts are
        let deltas =
            || (1..=SAMPLES).map(|i| self.reach * (f64::from(i) / f64::from(SAMPLES)).powi(2));
        if let Some(delta) = deltas().find(|&d| !rest(d).is_finite()) {
            problems.push(FormulaProblem::NotFinite { delta, delta_dot: 0.0 });
            return problems;
        }
        let mut before = (0.0, zero);
        let (mut falls, mut jump) = (None, None);
        for delta in deltas() {
            let force = rest(delta);
            if force < before.1 - 1e-12 * scale {
                falls = falls.or(Some(delta));
            }
            if (force - before.1).abs() > 1e-3 * scale {
                jump = jump.or_else(|| self.jump_between(before, (delta, force)));
            }
            before = (delta, force);
        }
        problems.extend(falls.map(|delta| FormulaProblem::NotMonotone { delta }));
        problems.extend(jump.map(|delta| FormulaProblem::Jump { delta }));
        problems.extend(self.damping_problem(deltas().step_by(10)));
        problems.extend(deltas().step_by(10).find_map(|delta| self.jump_with_rate(delta)));
        problems
    }

    /// The place of a jump: the rise between two samples that remains in a vanishing interval.
    fn jump_between(&self, mut low: (f64, f64), mut high: (f64, f64)) -> Option<f64> {
        let rise = (high.1 - low.1).abs();
        for _ in 0..40 {
            let delta = 0.5 * (low.0 + high.0);
            let middle = (delta, self.expression.eval(&[delta, 0.0]));
            if (middle.1 - low.1).abs() > (high.1 - middle.1).abs() {
                high = middle;
            } else {
                low = middle;
            }
        }
        ((high.1 - low.1).abs() > 0.3 * rise).then_some(high.0)
    }

    /// Whether the force at the smallest rates differs from that at rest. Only a jump leaves a
    /// difference at such rates; any smooth function has come close to its value at rest.
    fn jump_with_rate(&self, delta: f64) -> Option<FormulaProblem> {
        let from_rest = |share: f64| {
            let force = |s: f64| self.expression.eval(&[delta, s * self.speed]);
            let rest = force(0.0);
            let [slow, back] = [force(share), force(-share)];
            let noise = JUMP * slow.abs().max(back.abs()).max(rest.abs());
            let off = (slow - rest).abs().max((back - rest).abs());
            (off > noise).then_some((off, (slow - back).abs().max(off)))
        };
        // At 1e-40 of the greatest rate a power |δ̇|^0.1 has fallen to 1e-4 of its value.
        let (first, _) = from_rest(1e-10)?;
        let (last, jump) = from_rest(1e-40)?;
        (last > 0.3 * first).then_some(FormulaProblem::JumpWithRate { delta, jump })
    }

    fn damping_problem(&self, deltas: impl Iterator<Item = f64>) -> Option<FormulaProblem> {
        let speeds = [1e-6, 1e-4, 1e-2, 0.1, 0.5, 1.0].map(|s| s * self.speed);
        for delta in deltas {
            let rest = self.expression.eval(&[delta, 0.0]);
            for delta_dot in speeds.into_iter().flat_map(|s| [s, -s]) {
                let force = self.expression.eval(&[delta, delta_dot]);
                if !force.is_finite() {
                    return Some(FormulaProblem::NotFinite { delta, delta_dot });
                }
                if (force - rest) * delta_dot
                    < -1e-12 * (force.abs() + rest.abs()) * delta_dot.abs()
                {
                    return Some(FormulaProblem::AddsEnergy { delta, delta_dot });
                }
            }
        }
        None
    }

    fn inside(&self, delta: f64) -> Elastic {
        let jet = self.expression.eval_jet(&[Jet::variable(delta), Jet::constant(0.0)]);
        Elastic { force: jet.value, slope: jet.first, energy: self.energy(delta), continued: false }
    }

    /// Squared spacing, like that of the samples.
    fn knot(&self, i: usize) -> f64 {
        self.reach * (i as f64 / KNOTS as f64).powi(2)
    }

    fn energy_from(&self, i: usize, delta: f64) -> f64 {
        let force = |s| self.expression.eval(&[s, 0.0]);
        self.energies[i] + quadrature::piece(self.knot(i), delta, self.energies[i], &force)
    }

    fn energy(&self, delta: f64) -> f64 {
        let i = (1..KNOTS).rev().find(|&i| self.knot(i) <= delta).unwrap_or(0);
        self.energy_from(i, delta)
    }

    /// F(δ, δ̇) − F(δ, 0) with its derivatives.
    pub(crate) fn damping(&self, at: Approach) -> Damping {
        // a formula need not have a value at δ < 0; its value at 0 is used until contact ends
        let delta = at.delta.clamp(0.0, self.reach);
        let rate = at.delta_dot.clamp(-self.speed, self.speed);
        let mut by = [0.0; 2];
        let force = self.expression.eval_gradient(&[delta, rate], &mut by);
        let rest = self.expression.eval_jet(&[Jet::variable(delta), Jet::constant(0.0)]);
        let [by_delta, by_rate] = by;
        let held = at.delta < 0.0 || at.delta >= self.reach;
        let held_rate = at.delta_dot.abs() >= self.speed;
        Damping {
            force: force - rest.value,
            slope: if held { 0.0 } else { by_delta - rest.first },
            rate: if held_rate { 0.0 } else { by_rate },
        }
    }
}

impl ElasticModel for UserForce {
    fn force(&self, delta: f64) -> f64 {
        if delta <= 0.0 {
            0.0
        } else if delta.is_nan() {
            delta // a formula may pass over it, as `max` does
        } else if delta > self.reach {
            self.at_reach.along_tangent(delta - self.reach).force
        } else {
            self.expression.eval(&[delta, 0.0])
        }
    }

    fn eval(&self, delta: f64) -> Elastic {
        if delta <= 0.0 {
            return Elastic::default();
        }
        if delta.is_nan() {
            return Elastic::not_a_number();
        }
        if delta > self.reach {
            return self.at_reach.along_tangent(delta - self.reach);
        }
        self.inside(delta)
    }

    fn limits(&self) -> Limits {
        Limits {
            delta: Some(self.reach),
            force: Some(self.at_reach.force),
            published_force: None,
            continued_from: Some(self.reach),
        }
    }
}
