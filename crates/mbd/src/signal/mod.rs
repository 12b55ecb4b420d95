//! Functions of time: the motion of a driver, the size of a load.
//!
//! A [`Signal`] is a scalar function of time that knows its first two derivatives exactly: a
//! driver needs the rate and the acceleration of the coordinate it prescribes, and difference
//! quotients would put their rounding errors into the forces. It also knows where it is not
//! smooth ([`Signal::breaks`]), so that an integrator can stop there instead of finding out.
//! What the number means (angle, displacement, force, torque) and its unit are the caller's; the
//! module knows no bodies and does no bookkeeping of work.
//!
//! | constructor | signal |
//! |---|---|
//! | [`Signal::constant`] | c |
//! | [`Signal::rate`] | c + r t |
//! | [`Signal::polynomial`] | Σ cₖ tᵏ |
//! | [`Signal::harmonic`] | c + A sin(ωt + φ) |
//! | [`Signal::smooth_step`] | from one value to another with no jump up to the acceleration |
//! | [`Signal::half_sine`] | one half wave, zero before and after |
//! | [`Signal::table`], [`Signal::table_from_csv`] | cubic spline through points |
//! | [`Signal::expression`] | a formula of `t` |
//! | [`Signal::sum`], [`Signal::scaled`] | Σ sₖ, k s |
//!
//! ```
//! use jointplay_mbd::signal::{HalfSine, Signal, SmoothStep};
//!
//! // a crank that reaches its position of 2 rad after half a second
//! let crank = Signal::smooth_step(SmoothStep { start: 0.0, end: 0.5, from: 0.0, to: 2.0 })?;
//! let middle = crank.at(0.25);
//! assert_eq!(middle.value, 1.0); // rad
//! assert_eq!(middle.first, 7.5); // rad/s
//! assert_eq!(middle.second, 0.0); // rad/s²
//!
//! // a torque of −3 N m with a shock of 10 ms
//! let shock = Signal::half_sine(HalfSine { amplitude: -40.0, start: 0.2, duration: 0.01 })?;
//! let load = Signal::sum([Signal::constant(-3.0)?, shock]);
//! assert_eq!(load.value(0.1), -3.0);
//! assert_eq!(load.breaks(), [0.2, 0.2 + 0.01]);
//! # Ok::<(), jointplay_mbd::signal::SignalError>(())
//! ```

mod csv;
mod error;
mod jump;
mod pace;
mod smooth;
mod table;
mod window;

use jointplay_expression::units::Dimension;
use jointplay_expression::{Expression, Interval, Jet, JetInterval, Scope, Side};
use jointplay_ode::Enclosure;

pub use error::{CsvProblem, SignalError};
pub use jointplay_expression::{Outside, Spline};
pub use smooth::Harmonic;
pub use window::{HalfSine, SmoothStep};

pub(crate) use jump::Jump;
use smooth::Polynomial;
use table::Table;

/// A scalar function of time s(t) with ṡ and s̈.
///
/// Evaluation is pure, does not allocate and cannot fail; t is in seconds and finite. Between
/// breaks every signal is twice continuously differentiable, except that nothing is promised for
/// an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal(Kind);

jointplay_fingerprint::fingerprint!(struct Signal(kind));

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Polynomial(Polynomial),
    Harmonic(Harmonic),
    SmoothStep(SmoothStep),
    HalfSine(HalfSine),
    Table(Table),
    Expression(Expression),
    Scaled { factor: f64, signal: Box<Signal> },
    Sum(Box<[Signal]>),
}

jointplay_fingerprint::fingerprint!(enum Kind {
    Polynomial(of), Harmonic(of), SmoothStep(of), HalfSine(of), Table(of), Expression(of),
    Scaled { factor, signal }, Sum(of),
});

impl Signal {
    /// s = `value` at all times.
    ///
    /// # Errors
    /// [`SignalError::NotFinite`].
    pub fn constant(value: f64) -> Result<Self, SignalError> {
        Ok(Self(Kind::Polynomial(Polynomial::new(&[finite("constant", value)?])?)))
    }

    /// s = `start` + `rate` t: a crank that turns at constant speed.
    ///
    /// # Errors
    /// [`SignalError::NotFinite`].
    pub fn rate(start: f64, rate: f64) -> Result<Self, SignalError> {
        let coefficients = [finite("value at t = 0", start)?, finite("rate", rate)?];
        Ok(Self(Kind::Polynomial(Polynomial::new(&coefficients)?)))
    }

    /// s = Σ cₖ tᵏ, the coefficient of the lowest power first.
    ///
    /// # Errors
    /// [`SignalError`] without a coefficient, or if one is not finite.
    pub fn polynomial(coefficients: &[f64]) -> Result<Self, SignalError> {
        Ok(Self(Kind::Polynomial(Polynomial::new(coefficients)?)))
    }

    /// A sine about an offset.
    ///
    /// # Errors
    /// [`SignalError`] if a number is not finite or the acceleration A ω² is too large.
    pub fn harmonic(harmonic: Harmonic) -> Result<Self, SignalError> {
        Ok(Self(Kind::Harmonic(harmonic.checked()?)))
    }

    /// A step of the fifth degree, constant before and after.
    ///
    /// # Errors
    /// [`SignalError`] if a number is not finite, the step does not end after its start, or its
    /// acceleration is too large.
    pub fn smooth_step(step: SmoothStep) -> Result<Self, SignalError> {
        Ok(Self(Kind::SmoothStep(step.checked()?)))
    }

    /// One half wave, zero before and after.
    ///
    /// # Errors
    /// [`SignalError`] if a number is not finite, the duration is not positive or too short to
    /// tell the end from the start, or the acceleration A (π/T)² is too large.
    pub fn half_sine(pulse: HalfSine) -> Result<Self, SignalError> {
        Ok(Self(Kind::HalfSine(pulse.checked()?)))
    }

    /// A cubic spline through (`times[k]`, `values[k]`).
    ///
    /// ```
    /// use jointplay_mbd::signal::{Outside, Signal, Spline};
    ///
    /// let times = [0.0, 0.1, 0.3, 0.4, 0.8];
    /// let values = times.map(|t: f64| t.powi(3));
    /// let held = Signal::table(&times, &values, Spline::default())?;
    /// assert!((held.value(0.2) - 0.2_f64.powi(3)).abs() < 1e-15);
    /// assert_eq!(held.at(2.0).first, 0.0);
    ///
    /// // a driver that moves when the table ends must not stop dead
    /// let spline = Spline::NotAKnot { outside: Outside::Extend };
    /// let driver = Signal::table(&times, &values, spline)?;
    /// assert!((driver.at(2.0).first - 3.0 * 0.8_f64.powi(2)).abs() < 1e-13);
    /// # Ok::<(), jointplay_mbd::signal::SignalError>(())
    /// ```
    ///
    /// # Errors
    /// [`SignalError`] if the slices differ in length, hold too few points or a number that is
    /// not finite, the times do not increase, or the spline overflows.
    pub fn table(times: &[f64], values: &[f64], spline: Spline) -> Result<Self, SignalError> {
        Ok(Self(Kind::Table(Table::new(times, values, spline)?)))
    }

    /// A cubic spline through the points of a text with two columns, time and value.
    ///
    /// The columns are separated by a comma, the decimal sign is a point. Blank lines are
    /// skipped, and so is everything from a `#` to the end of its line. A first line of two names is a
    /// header; its units, in brackets, are those of the columns. Without them the columns are in SI units. The value is a
    /// quantity of `dimension`, and a unit of another one is an error.
    ///
    /// ```
    /// use jointplay_expression::units::Dimension;
    /// use jointplay_mbd::signal::{Signal, Spline};
    ///
    /// let text = "# measured 2 July\ntime (ms),torque (N m)\n0,0\n100,2.5\n200,4\n300,2\n";
    /// let torque = Signal::table_from_csv(text, Dimension::Torque, Spline::default())?;
    /// assert_eq!(torque.value(0.1), 2.5);
    ///
    /// let text = "0,0\n0.1;2\n0.2,x\n";
    /// let error = Signal::table_from_csv(text, Dimension::Torque, Spline::default()).unwrap_err();
    /// assert_eq!(
    /// error.to_string(),
    /// "the table cannot be read:\n  \
    /// line 2: 1 column instead of 2; a comma separates time and value, not ';'\n  \
    /// line 3, column 2: `x` is not a number"
    /// );
    /// # Ok::<(), jointplay_mbd::signal::SignalError>(())
    /// ```
    ///
    /// # Errors
    /// [`SignalError::Csv`] with all problems of the text, otherwise as [`table`](Self::table).
    pub fn table_from_csv(
        text: &str,
        dimension: Dimension,
        spline: Spline,
    ) -> Result<Self, SignalError> {
        let (times, values) = csv::read(text, dimension)?;
        Self::table(&times, &values, spline)
    }

    /// A formula of `t`, in the language of [`jointplay_expression`].
    ///
    /// Jumps and kinks that the formula makes with `step`, `if`, `abs`, `min` and the like are
    /// not among the [`breaks`](Self::breaks), and both sides of one look the same: build such a
    /// signal as a [`sum`](Self::sum) of the others where an integrator must stop. A driver must be
    /// smooth, and does not admit these functions. Where the
    /// formula has no value (`sqrt(t - 1)` at t = 0) the signal is NaN.
    ///
    /// ```
    /// use jointplay_mbd::signal::Signal;
    ///
    /// let s = Signal::expression("2*t^2 - t")?;
    /// assert_eq!(s.at(3.0).first, 11.0);
    /// # Ok::<(), jointplay_mbd::signal::SignalError>(())
    /// ```
    ///
    /// # Errors
    /// [`SignalError::Expression`].
    pub fn expression(source: &str) -> Result<Self, SignalError> {
        Self::formula(Scope::new().variable("t", Dimension::Time).parse(source)?)
    }

    /// The same of an expression that has been read already, with parameters and tables for example. Its variable is the time.
    ///
    /// # Errors
    /// [`SignalError::Variables`].
    pub fn formula(expression: Expression) -> Result<Self, SignalError> {
        match expression.variables() {
            1 => Ok(Self(Kind::Expression(expression))),
            count => Err(SignalError::Variables { count }),
        }
    }

    /// The sum of `parts`; zero without any.
    pub fn sum(parts: impl IntoIterator<Item = Self>) -> Self {
        Self(Kind::Sum(parts.into_iter().collect()))
    }

    /// `factor` times this signal: a table in other units, a load in the other direction.
    ///
    /// # Errors
    /// [`SignalError::NotFinite`].
    pub fn scaled(self, factor: f64) -> Result<Self, SignalError> {
        let factor = finite("factor", factor)?;
        Ok(Self(Kind::Scaled { factor, signal: Box::new(self) }))
    }

    /// s, ṡ and s̈ at `t`; at a break the limits from later times.
    #[inline]
    pub fn at(&self, t: f64) -> Jet {
        // A constant or a constant rate, the commonest signals, stay in the caller's loop; the others are a call away.
        if let Kind::Polynomial(polynomial) = &self.0 {
            polynomial.jet(t)
        } else {
            self.jet(t, Side::After)
        }
    }

    /// s, ṡ and s̈ at `t`; at a break the limits from earlier times.
    ///
    /// Elsewhere the same as [`at`](Self::at), up to rounding at the inner points of a table. A
    /// driver whose value or rate differs between the two sides prescribes an impossible motion.
    pub fn before(&self, t: f64) -> Jet {
        self.jet(t, Side::Before)
    }

    /// s over a stretch of time that holds no [break](Self::breaks). Of tables, smooth steps and half sines the second
    /// derivative is taken to differ from that in the middle by no more than twice what it does at the ends: it is linear between
    /// two points of a table, and steps are short beside the others.
    pub(crate) fn enclose(&self, t: Enclosure) -> Enclosure {
        match &self.0 {
            Kind::Polynomial(polynomial) => polynomial.enclose(t),
            Kind::Harmonic(harmonic) => harmonic.enclose(t),
            Kind::Scaled { factor, signal } => signal.enclose(t) * *factor,
            Kind::Sum(parts) => {
                let parts = parts.iter().map(|part| part.enclose(t));
                parts.fold(Enclosure::constant(0.0), |sum, part| sum + part)
            }
            Kind::SmoothStep(_) | Kind::HalfSine(_) | Kind::Table(_) => {
                let [middle, half, _] = t.c;
                let here = self.at(middle);
                let ends = [self.at(middle - half), self.before(middle + half)];
                let bend = ends.map(|end| (end.second - here.second).abs());
                parabola(here, half, 2.0 * bend[0].max(bend[1]))
            }
            Kind::Expression(expression) => {
                let [middle, half, _] = t.c;
                let here = self.at(middle);
                let stretch = JetInterval::variable([middle - half, middle + half]);
                let Interval { low, high } = expression.eval_interval(&[stretch]).second;
                parabola(here, half, (high - here.second).max(here.second - low))
            }
        }
    }

    /// s at `t`, the same bits as the value of [`at`](Self::at).
    pub fn value(&self, t: f64) -> f64 {
        match &self.0 {
            Kind::Expression(expression) => expression.eval(&[t]),
            Kind::Scaled { factor, signal } => factor * signal.value(t),
            Kind::Sum(parts) => parts.iter().fold(0.0, |sum, part| sum + part.value(t)),
            Kind::Polynomial(_)
            | Kind::Harmonic(_)
            | Kind::SmoothStep(_)
            | Kind::HalfSine(_)
            | Kind::Table(_) => self.at(t).value,
        }
    }

    /// How long it takes to repeat itself (s). A constant rate repeats itself after a full `turn` if there is one (2π of a crank);
    /// `None` for what has no period, or none that is known.
    pub fn period(&self, turn: Option<f64>) -> Option<f64> {
        let period = match &self.0 {
            Kind::Polynomial(polynomial) => turn? / polynomial.constant_rate()?.abs(),
            Kind::Harmonic(harmonic) => std::f64::consts::TAU / harmonic.angular_frequency.abs(),
            Kind::Scaled { factor, signal } => {
                signal.period(turn.map(|turn| turn / factor.abs()))?
            }
            Kind::Table(_)
            | Kind::SmoothStep(_)
            | Kind::HalfSine(_)
            | Kind::Expression(_)
            | Kind::Sum(_) => return None,
        };
        Some(period).filter(|period| period.is_finite())
    }

    /// The times, increasing, where s or one of its first three derivatives jumps, except at
    /// the inner points of a table, where only the third does.
    ///
    /// Both ends of a smooth step (third derivative), of a half-sine pulse (first and third) and
    /// of a table that does not repeat. An expression has none.
    pub fn breaks(&self) -> Vec<f64> {
        let mut breaks = Vec::new();
        self.collect_breaks(&mut breaks);
        breaks.sort_by(f64::total_cmp);
        breaks.dedup();
        breaks
    }

    /// The longest step from `t` (s), at most `h`, in which an integrator sees what this signal does: a sixteenth of the
    /// period of a harmonic, a fraction of a smooth step or pulse while it lasts, up to the next point of a table. A
    /// formula is compared with the polynomial that value, rate and acceleration at both ends of the step give, and its second
    /// derivative bounded in between.
    ///
    /// ```
    /// use jointplay_mbd::signal::{Harmonic, Signal};
    ///
    /// let table = Signal::harmonic(Harmonic { amplitude: 0.1, angular_frequency: 62.83, ..Harmonic::default() })?;
    /// assert!(table.longest_step(0.0, 1.0) < 0.0063);
    /// let buzz = Signal::expression("sin(2*pi*1000*t)")?;
    /// assert!(buzz.longest_step(0.0, 1.0) < 2e-4);
    /// assert_eq!(Signal::rate(0.0, 5.0)?.longest_step(0.0, 1.0), 1.0);
    /// # Ok::<(), jointplay_mbd::signal::SignalError>(())
    /// ```
    pub fn longest_step(&self, t: f64, h: f64) -> f64 {
        self.limited(t, h, Table::longest_step)
    }

    /// The same for a step of fixed size, which cannot end at the points of a table: it may be as long as their distance.
    pub(crate) fn longest_fixed_step(&self, t: f64, h: f64) -> f64 {
        self.limited(t, h, Table::spacing)
    }

    fn limited(&self, t: f64, h: f64, of_table: fn(&Table, f64) -> f64) -> f64 {
        match &self.0 {
            Kind::Polynomial(polynomial) if polynomial.is_short() => h,
            Kind::Polynomial(_) => pace::polynomial(t, h, |t| self.at(t)),
            Kind::Expression(expression) => pace::formula(t, h, expression),
            Kind::Harmonic(wave) => h.min(pace::harmonic(wave)),
            Kind::SmoothStep(step) => h.min(pace::smooth_step(step, t)),
            Kind::HalfSine(pulse) => h.min(pace::half_sine(pulse, t)),
            Kind::Table(table) => h.min(of_table(table, t)),
            Kind::Scaled { signal, .. } => signal.limited(t, h, of_table),
            Kind::Sum(parts) => parts.iter().fold(h, |h, part| part.limited(t, h, of_table)),
        }
    }

    /// Whether [`longest_step`](Self::longest_step) can be shorter than what is asked for.
    pub(crate) fn limits_steps(&self) -> bool {
        match &self.0 {
            Kind::Polynomial(polynomial) => !polynomial.is_short(),
            Kind::Scaled { signal, .. } => signal.limits_steps(),
            Kind::Sum(parts) => parts.iter().any(Self::limits_steps),
            Kind::Harmonic(_)
            | Kind::SmoothStep(_)
            | Kind::HalfSine(_)
            | Kind::Table(_)
            | Kind::Expression(_) => true,
        }
    }

    /// Whether the signal changes faster at this time than any step can follow, as near a pole or a jump.
    pub(crate) fn runs_away(&self, t: f64) -> bool {
        let finest = pace::finest(t);
        self.longest_step(t, 1e5 * finest) <= finest
    }

    /// The first jump of a formula in this signal, in its value or its rate, that a stretch of time holds.
    pub(crate) fn jump(&self, from: f64, to: f64) -> Option<Jump> {
        match &self.0 {
            Kind::Expression(expression) if expression.may_break() => {
                jump::between(expression, from, to)
            }
            Kind::Scaled { factor, signal } => signal.jump(from, to).map(|jump| {
                let size = factor * jump.size;
                Jump { size, ..jump }
            }),
            Kind::Sum(parts) => parts.iter().find_map(|part| part.jump(from, to)),
            Kind::Polynomial(_)
            | Kind::Harmonic(_)
            | Kind::SmoothStep(_)
            | Kind::HalfSine(_)
            | Kind::Table(_)
            | Kind::Expression(_) => None,
        }
    }

    /// A function in the formula of this signal whose value or slope may jump at a time that is not known in advance.
    pub(crate) fn kink(&self) -> Option<&str> {
        match &self.0 {
            Kind::Expression(expression) => expression.first_kink(),
            Kind::Scaled { signal, .. } => signal.kink(),
            Kind::Sum(parts) => parts.iter().find_map(Self::kink),
            Kind::Polynomial(_)
            | Kind::Harmonic(_)
            | Kind::SmoothStep(_)
            | Kind::HalfSine(_)
            | Kind::Table(_) => None,
        }
    }

    fn collect_breaks(&self, breaks: &mut Vec<f64>) {
        match &self.0 {
            Kind::Polynomial(_) | Kind::Harmonic(_) | Kind::Expression(_) => {}
            Kind::SmoothStep(step) => breaks.extend([step.start, step.end]),
            Kind::HalfSine(pulse) => breaks.extend([pulse.start, pulse.end()]),
            Kind::Table(table) => breaks.extend(table.ends()),
            Kind::Scaled { signal, .. } => signal.collect_breaks(breaks),
            Kind::Sum(parts) => parts.iter().for_each(|part| part.collect_breaks(breaks)),
        }
    }

    fn jet(&self, t: f64, side: Side) -> Jet {
        match &self.0 {
            Kind::Polynomial(polynomial) => polynomial.jet(t),
            Kind::Harmonic(harmonic) => harmonic.jet(t),
            Kind::SmoothStep(step) => step.jet(t, side),
            Kind::HalfSine(pulse) => pulse.jet(t, side),
            Kind::Table(table) => table.jet(t, side),
            Kind::Expression(expression) => expression.eval_jet(&[Jet::variable(t)]),
            Kind::Scaled { factor, signal } => Jet::constant(*factor) * signal.jet(t, side),
            Kind::Sum(parts) => {
                parts.iter().fold(Jet::default(), |sum, part| sum + part.jet(t, side))
            }
        }
    }
}

/// A signal over a stretch of time about `here`, whose second derivative differs from that in the middle by up to `bend`.
fn parabola(here: Jet, half: f64, bend: f64) -> Enclosure {
    let square = 0.5 * half * half;
    let c = [here.value, here.first * half, here.second * square];
    let r = bend * square;
    // Of what is infinite somewhere nothing is known.
    let known = r.is_finite() && c.iter().all(|c| c.is_finite());
    if known { Enclosure { c, r } } else { Enclosure { c: [0.0; 3], r: f64::INFINITY } }
}

/// `value`, if it is finite.
fn finite(quantity: &'static str, value: f64) -> Result<f64, SignalError> {
    if value.is_finite() { Ok(value) } else { Err(SignalError::NotFinite { quantity, value }) }
}
