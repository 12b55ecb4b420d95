//! Observers of an impact: the maximum indentation, the peak force, the loop.

use std::ops::ControlFlow;

use jointplay_ode::{Event, Recorder, Segment};

use super::motion::{ImpactMotion, Mode, Units};

/// State inside a step at which `value`, given at both ends, falls through zero: regula falsi
/// (Illinois) to the last digits that matter.
fn falling_zero<const G: usize>(
    segment: &Segment<'_, ImpactMotion<'_, G>>,
    ends: (f64, f64),
    value: impl Fn(&[f64; 2]) -> f64,
) -> [f64; 2] {
    let (mut low, mut high) = ((segment.t0, ends.0), (segment.t1, ends.1));
    let close = 1e-11 * ends.0.min(-ends.1);
    let mut y = *segment.y1;
    for _ in 0..40 {
        let t = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
        segment.eval(t, &mut y);
        let now = value(&y);
        if now.abs() <= close {
            break;
        }
        if now > 0.0 {
            (low, high.1) = ((t, now), 0.5 * high.1);
        } else {
            (high, low.1) = ((t, now), 0.5 * low.1);
        }
    }
    y
}

/// Samples beyond which the ends of steps are left out of a loop.
const MOST_STEPS: usize = 5000;

/// Finds the deepest point.
#[derive(Default)]
pub(super) struct Turn {
    /// Scaled.
    pub(super) deepest: f64,
}

impl<'b, const G: usize> Recorder<ImpactMotion<'b, G>> for Turn {
    #[inline]
    fn step(&mut self, segment: &Segment<'_, ImpactMotion<'b, G>>) -> ControlFlow<()> {
        let deepest = if segment.y0[1] > 0.0 && segment.y1[1] < 0.0 {
            falling_zero(segment, (segment.y0[1], segment.y1[1]), |y| y[1])[0]
        } else {
            segment.y1[0]
        };
        self.deepest = self.deepest.max(deepest);
        ControlFlow::Continue(())
    }
}

/// Finds the deepest point and the largest force, and keeps the loop if asked.
pub(super) struct LoopWatch<'a, 'b, const G: usize> {
    motion: &'a ImpactMotion<'b, G>,
    pub(super) turn: Turn,
    /// Force in N and scaled indentation of the largest force so far.
    pub(super) peak: (f64, f64),
    /// dF/dt at the end of the last step.
    rate: f64,
    /// Spacing of the samples of the loop in scaled time; 0 for none.
    spacing: f64,
    next: f64,
    /// Scaled time and state, and the force in N.
    pub(super) samples: Vec<(f64, [f64; 2], f64)>,
}

impl<'a, 'b, const G: usize> LoopWatch<'a, 'b, G> {
    pub(super) fn new(motion: &'a ImpactMotion<'b, G>, spacing: f64) -> Self {
        let turn = Turn::default();
        Self {
            motion,
            turn,
            peak: (0.0, 0.0),
            rate: 0.0,
            spacing,
            next: spacing,
            samples: Vec::new(),
        }
    }

    fn force(&self, y: &[f64; 2], mode: &Mode) -> f64 {
        if mode.touch.cut {
            0.0
        } else {
            self.motion.law.force(self.motion.units.approach(y), &mode.touch)
        }
    }

    /// dF/dt along the motion, in scaled time.
    fn force_rate(&self, y: &[f64; 2], mode: &Mode) -> f64 {
        let f = self.motion.law.eval(self.motion.units.approach(y), &mode.touch);
        let Units { delta, speed } = self.motion.units;
        f.slope * y[1] * delta - f.rate * self.motion.mobility * f.total * speed
    }

    fn consider(&mut self, y: &[f64; 2], mode: &Mode) {
        let force = self.force(y, mode);
        if force > self.peak.0 {
            self.peak = (force, y[0]);
        }
    }

    fn sample(&mut self, t: f64, y: &[f64; 2], mode: &Mode) {
        if self.spacing > 0.0 {
            self.samples.push((t, *y, self.force(y, mode)));
        }
    }
}

impl<'b, const G: usize> Recorder<ImpactMotion<'b, G>> for LoopWatch<'_, 'b, G> {
    fn start(&mut self, t: f64, y: &[f64; 2], mode: &Mode) {
        self.consider(y, mode);
        // touch: the force only starts to grow, or jumps up and is the peak itself
        self.rate = 1.0;
        self.sample(t, y, mode);
    }

    fn step(&mut self, segment: &Segment<'_, ImpactMotion<'b, G>>) -> ControlFlow<()> {
        let mode = segment.mode;
        let flow = self.turn.step(segment);
        self.consider(segment.y1, mode);
        let (before, after) =
            (self.rate, if mode.touch.cut { 0.0 } else { self.force_rate(segment.y1, mode) });
        self.rate = after;
        if before > 0.0 && after < 0.0 {
            let y = falling_zero(segment, (before, after), |y| self.force_rate(y, mode));
            self.consider(&y, mode);
        }
        while self.spacing > 0.0 && self.next < segment.t1 {
            let mut y = [0.0; 2];
            segment.eval(self.next, &mut y);
            self.sample(self.next, &y, mode);
            self.next += self.spacing;
        }
        // the steps are short where the force bends: their ends belong to the picture
        if self.samples.len() < MOST_STEPS {
            self.sample(segment.t1, segment.y1, mode);
        }
        flow
    }

    fn event(&mut self, event: &Event<'_, ImpactMotion<'b, G>>) -> ControlFlow<()> {
        self.rate = self.force_rate(event.y, event.mode);
        // both sides of a jump: the last sample before, this one after
        self.sample(event.t, event.y, event.mode);
        ControlFlow::Continue(())
    }
}
