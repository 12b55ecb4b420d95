//! Test problems, each with its exact solution or its reference, and two ways to run them.
#![allow(dead_code, reason = "every test program uses some of the problems, none uses all")]

use std::ops::ControlFlow;

use jointplay_ode::{
    Crossing, Effect, Fault, Method, Options, Recorder, Run, RunEnd, Segment, System, Tolerance,
    Trigger, drive,
};

/// Runs an expression with each method in turn; the one with fixed steps takes steps of this size.
macro_rules! each_method {
    ($method:ident, $step:expr => $body:expr) => {{
        {
            let $method = jointplay_ode::Dopri5;
            $body;
        }
        {
            let $method = jointplay_ode::Dop853;
            $body;
        }
        {
            let $method = jointplay_ode::Rkf45;
            $body;
        }
        {
            let $method = jointplay_ode::Rk4 { step: $step };
            $body;
        }
        {
            let $method = jointplay_ode::Radau5;
            $body;
        }
    }};
}

/// A problem without guards from a plain function.
pub(crate) struct Plain<const N: usize, F>(pub(crate) F);

impl<const N: usize, F: Fn(f64, &[f64; N]) -> [f64; N]> System for Plain<N, F> {
    type State = [f64; N];
    type Mode = ();
    type Guards = [f64; 0];
    type Scratch = ();

    fn scratch(&self) {}

    fn rhs(
        &self,
        t: f64,
        y: &[f64; N],
        _mode: &(),
        dy: &mut [f64; N],
        (): &mut (),
    ) -> Result<(), Fault> {
        *dy = (self.0)(t, y);
        Ok(())
    }
}

/// Options for steps of one size: the tolerance passes everything.
pub(crate) fn fixed_step(h: f64) -> Options {
    Options {
        first_step: Some(h),
        restart_step: Some(h),
        max_step: h,
        ..Options::new(Tolerance::new(0.0, 1e6))
    }
}

/// The same for Radau IIA, whose iteration ends where the tolerance is met: one that passes the error of a step, h⁴, and
/// leaves an iteration error of h⁶.
pub(crate) fn radau_step(h: f64) -> Options {
    let relative = (10.0 * h.powi(4)).powf(1.5).min(0.1);
    Options { tolerance: Tolerance::new(relative, 20.0 * relative), ..fixed_step(h) }
}

/// The slope of log error over log step by least squares: one pair of steps can be lucky.
pub(crate) fn measured_order(errors: &[(f64, f64)]) -> f64 {
    let n = errors.len() as f64;
    let points = errors.iter().map(|(h, e)| (h.ln(), e.ln()));
    let (sx, sy) = points.clone().fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
    let (mx, my) = (sx / n, sy / n);
    let sxy: f64 = points.clone().map(|(x, y)| (x - mx) * (y - my)).sum();
    let sxx: f64 = points.map(|(x, _)| (x - mx) * (x - mx)).sum();
    sxy / sxx
}

pub(crate) fn assert_order(measured: f64, expected: f64) {
    assert!((measured - expected).abs() < 0.2, "measured {measured}, expected {expected}");
}

/// Options at one tolerance, relative and absolute.
pub(crate) fn tolerance(level: f64) -> Options {
    Options::new(Tolerance::new(level, level))
}

/// A run that must reach the end of its span.
pub(crate) fn reach_end<S: System<Mode = ()>, M: Method>(
    system: &S,
    method: M,
    y0: S::State,
    t_end: f64,
    options: &Options,
) -> Run<S> {
    let run = drive(system, method, y0, (), 0.0..t_end, options, &mut ());
    assert_eq!(run.outcome, RunEnd::ReachedEnd);
    assert_eq!(run.t, t_end);
    run
}

/// A rotation and, driven by it and by time, a nonlinear decay: nonlinear and not autonomous.
pub(crate) fn rotation_and_decay(t: f64, y: &[f64; 3]) -> [f64; 3] {
    [y[1], -y[0], -t * y[2] * y[2] * (y[0] * y[0] + y[1] * y[1])]
}

/// The solution of [`rotation_and_decay`] from (0, 1, 1).
pub(crate) fn rotation_and_decay_exact(t: f64) -> [f64; 3] {
    [t.sin(), t.cos(), 1.0 / (1.0 + 0.5 * t * t)]
}

/// The greatest difference of two states.
pub(crate) fn distance<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    // Not `f64::max`, which drops NaN.
    differences.fold(0.0, |m, d| if d <= m { m } else { d })
}

/// Three bodies, restricted: a satellite that comes back after one period.
///
/// Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*, 2nd ed., Springer 1993, eq. (0.1) and
/// (0.2) of chapter II.
pub(crate) fn arenstorf(_t: f64, y: &[f64; 4]) -> [f64; 4] {
    let moon = 0.012277471;
    let earth = 1.0 - moon;
    let d1 = ((y[0] + moon).powi(2) + y[1].powi(2)).powf(1.5);
    let d2 = ((y[0] - earth).powi(2) + y[1].powi(2)).powf(1.5);
    [
        y[2],
        y[3],
        y[0] + 2.0 * y[3] - earth * (y[0] + moon) / d1 - moon * (y[0] - earth) / d2,
        y[1] - 2.0 * y[2] - earth * y[1] / d1 - moon * y[1] / d2,
    ]
}

/// Initial values of [`arenstorf`].
pub(crate) const ARENSTORF_START: [f64; 4] = [0.994, 0.0, 0.0, -2.0015851063790825];
/// Period of [`arenstorf`].
pub(crate) const ARENSTORF_PERIOD: f64 = 17.065216560157963;

/// A ball above a floor that gives back a part of its speed.
pub(crate) struct Ball {
    pub(crate) gravity: f64,
    pub(crate) restitution: f64,
    pub(crate) max_bounces: usize,
}

impl System for Ball {
    type State = [f64; 2];
    type Mode = usize;
    type Guards = [f64; 1];
    type Scratch = ();

    fn scratch(&self) {}

    fn rhs(
        &self,
        _t: f64,
        y: &[f64; 2],
        _mode: &usize,
        dy: &mut [f64; 2],
        (): &mut (),
    ) -> Result<(), Fault> {
        *dy = [y[1], -self.gravity];
        Ok(())
    }
    fn guard_count(&self) -> usize {
        1
    }
    fn guards(&self, _t: f64, y: &[f64; 2], _mode: &usize, g: &mut [f64; 1], (): &mut ()) {
        *g = [y[0]];
    }
    fn trigger(&self, _guard: usize, _mode: &usize) -> Trigger {
        Trigger::Falling
    }
    fn transition(
        &self,
        _: &[Crossing],
        _t: f64,
        y: &mut [f64; 2],
        mode: &mut usize,
        (): &mut (),
    ) -> Result<Effect, Fault> {
        *mode += 1;
        y[1] *= -self.restitution;
        Ok(if *mode == self.max_bounces { Effect::Stop } else { Effect::Continue })
    }
}

impl Ball {
    /// Times of the bounces of a ball dropped at rest from this height.
    pub(crate) fn bounces(&self, height: f64) -> impl Iterator<Item = f64> {
        let fall = (2.0 * height / self.gravity).sqrt();
        let restitution = self.restitution;
        let flight = move |n: i32| 2.0 * fall * restitution.powi(n);
        (0..).map(move |n| fall + (1..=n).map(flight).sum::<f64>())
    }
}

/// A clock, `y' = 1` from 0, with guards that are functions of `y`.
pub(crate) struct Clock<const N: usize, F> {
    pub(crate) guards: F,
    pub(crate) trigger: Trigger,
}

impl<const N: usize, F: Fn(f64) -> [f64; N]> System for Clock<N, F> {
    type State = [f64; 1];
    type Mode = ();
    type Guards = [f64; N];
    type Scratch = ();

    fn scratch(&self) {}

    fn rhs(
        &self,
        _t: f64,
        _y: &[f64; 1],
        _mode: &(),
        dy: &mut [f64; 1],
        (): &mut (),
    ) -> Result<(), Fault> {
        *dy = [1.0];
        Ok(())
    }
    fn guard_count(&self) -> usize {
        N
    }
    fn guards(&self, _t: f64, y: &[f64; 1], _mode: &(), g: &mut [f64; N], (): &mut ()) {
        *g = (self.guards)(y[0]);
    }
    fn trigger(&self, _guard: usize, _mode: &()) -> Trigger {
        self.trigger
    }
}

/// A problem with guards from plain functions; made by [`guarded`].
pub(crate) struct Guarded<const N: usize, const G: usize, D, F, Q, T> {
    rhs: F,
    guards: Q,
    trigger: fn(&D) -> Trigger,
    transition: T,
}

/// `rhs` of time, state and mode; `guards` of state and mode; `trigger` of the mode; `transition` of what fired.
pub(crate) fn guarded<const N: usize, const G: usize, D, F, Q, T>(
    rhs: F,
    guards: Q,
    trigger: fn(&D) -> Trigger,
    transition: T,
) -> Guarded<N, G, D, F, Q, T>
where
    F: Fn(f64, &[f64; N], &D) -> [f64; N],
    Q: Fn(&[f64; N], &D) -> [f64; G],
    T: Fn(&[Crossing], &mut D) -> Effect,
{
    Guarded { rhs, guards, trigger, transition }
}

impl<const N: usize, const G: usize, D, F, Q, T> System for Guarded<N, G, D, F, Q, T>
where
    D: Clone,
    F: Fn(f64, &[f64; N], &D) -> [f64; N],
    Q: Fn(&[f64; N], &D) -> [f64; G],
    T: Fn(&[Crossing], &mut D) -> Effect,
{
    type State = [f64; N];
    type Mode = D;
    type Guards = [f64; G];
    type Scratch = ();

    fn scratch(&self) {}

    fn rhs(
        &self,
        t: f64,
        y: &[f64; N],
        mode: &D,
        dy: &mut [f64; N],
        (): &mut (),
    ) -> Result<(), Fault> {
        *dy = (self.rhs)(t, y, mode);
        Ok(())
    }
    fn guard_count(&self) -> usize {
        G
    }
    fn guards(&self, _t: f64, y: &[f64; N], mode: &D, g: &mut [f64; G], (): &mut ()) {
        *g = (self.guards)(y, mode);
    }
    fn trigger(&self, _guard: usize, mode: &D) -> Trigger {
        (self.trigger)(mode)
    }
    fn transition(
        &self,
        fired: &[Crossing],
        _t: f64,
        _y: &mut [f64; N],
        mode: &mut D,
        (): &mut (),
    ) -> Result<Effect, Fault> {
        Ok((self.transition)(fired, mode))
    }
}

/// A body that flies off the ground, as a rod that loses contact for 59 µs: the mode is whether it touches, the overlap
/// `(t − leaves)(t − lands)`.
pub(crate) fn hop(leaves: f64, lands: f64) -> impl System<State = [f64; 2], Mode = bool> {
    guarded(
        move |t, _: &[f64; 2], _: &bool| [2.0 * t - leaves - lands, 1.0],
        |y, _| [y[0]],
        |touching| if *touching { Trigger::Falling } else { Trigger::Rising },
        |_, touching| {
            *touching = !*touching;
            Effect::Continue
        },
    )
}

/// A relay that holds `y` at zero within a band: the second of two guards fires.
pub(crate) fn relay(band: f64) -> impl System<State = [f64; 1], Mode = f64> {
    guarded(
        |_, _: &[f64; 1], push: &f64| [*push],
        move |y, push| [1.0, push * y[0] - band],
        |_| Trigger::Either,
        |_, push| {
            *push = -*push;
            Effect::Continue
        },
    )
}

/// Two coupled oscillators, one of them fast, with guards on levels of both and on their distance.
pub(crate) fn coupled(levels: [f64; 3]) -> impl System<State = [f64; 4], Mode = ()> {
    guarded(
        |t, &[x, y, u, v]: &[f64; 4], (): &()| {
            [u, v, -x - x.powi(3) + 0.3 * y, -50.0 * y + x + (3.0 * t).sin()]
        },
        move |y, ()| coupled_guards(y, levels),
        |()| Trigger::Either,
        |_, ()| Effect::Continue,
    )
}

/// The guards of [`coupled`].
pub(crate) fn coupled_guards(y: &[f64; 4], [a, b, c]: [f64; 3]) -> [f64; 3] {
    [y[0] - a, y[1] - b, (y[0] - y[1]).hypot(0.1) - c]
}

/// Keeps the greatest difference of the dense output to an exact solution, at nine places in each step.
pub(crate) struct DenseError<F> {
    pub(crate) exact: F,
    pub(crate) worst: f64,
}

impl<const N: usize, S, F> Recorder<S> for DenseError<F>
where
    S: System<State = [f64; N]>,
    F: Fn(f64) -> [f64; N],
{
    fn step(&mut self, segment: &Segment<'_, S>) -> ControlFlow<()> {
        for i in 1..10 {
            let t = segment.t0 + 0.1 * f64::from(i) * (segment.t1 - segment.t0);
            let mut y = [0.0; N];
            segment.eval(t, &mut y);
            self.worst = self.worst.max(distance(&y, &(self.exact)(t)));
        }
        ControlFlow::Continue(())
    }
}
