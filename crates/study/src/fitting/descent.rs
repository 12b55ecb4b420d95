//! Least squares between bounds after Levenberg and Marquardt, in steps of questions and answers, so that several searches run at once.
//!
//! A descent lives in the unit cube. It asks for residuals at points, and is told them; a point without residuals, because its run
//! failed, is a bad one. Slopes are differences, and each step is tried with three dampings at once.

use super::matrix::{Symmetric, dot};

/// A search for the least sum of squares.
#[derive(Clone, Debug)]
pub(crate) struct Descent {
    /// The best point so far.
    pub(crate) x: Vec<f64>,
    /// Its residuals.
    pub(crate) residuals: Vec<f64>,
    /// The sum of their squares; infinite before the first answer.
    pub(crate) cost: f64,
    /// The distance of points for slopes.
    reach: f64,
    damping: f64,
    slopes: Vec<Vec<f64>>,
    phase: Phase,
    failures: usize,
    left: usize,
}

#[derive(Clone, Debug, PartialEq)]
enum Phase {
    Start,
    Slopes(Vec<(usize, f64)>),
    Step(Vec<f64>),
    Done,
}

/// What a point gave: its residuals, or nothing.
pub(crate) type Answer = Option<Vec<f64>>;

impl Descent {
    /// From a point of the unit cube, with slopes over this distance and at most so many steps.
    pub(crate) fn new(start: Vec<f64>, reach: f64, steps: usize) -> Self {
        Descent {
            x: start,
            residuals: Vec::new(),
            cost: f64::INFINITY,
            reach,
            damping: 1e-2,
            slopes: Vec::new(),
            phase: Phase::Start,
            failures: 0,
            left: steps,
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.phase == Phase::Done
    }

    /// The points whose residuals it wants to know; none when it is done.
    pub(crate) fn ask(&mut self) -> Vec<Vec<f64>> {
        match &self.phase {
            Phase::Start => vec![self.x.clone()],
            Phase::Slopes(sides) => sides.iter().map(|&(i, step)| self.moved(i, step)).collect(),
            Phase::Step(_) => {
                let dampings = [0.1, 1.0, 10.0].map(|factor| factor * self.damping);
                dampings.iter().map(|damping| self.step(*damping)).collect()
            }
            Phase::Done => Vec::new(),
        }
    }

    fn moved(&self, i: usize, step: f64) -> Vec<f64> {
        let mut x = self.x.clone();
        x[i] += step;
        x
    }

    /// The answers to the points that were asked for, in their order.
    pub(crate) fn tell(&mut self, answers: Vec<Answer>) {
        match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Start => {
                if let Some(Some(residuals)) = answers.into_iter().next() {
                    self.cost = dot(&residuals, &residuals);
                    self.residuals = residuals;
                    self.phase = self.sides();
                }
            }
            Phase::Slopes(sides) => self.take_slopes(&sides, answers),
            Phase::Step(gradient) => self.take_step(&gradient, answers),
            Phase::Done => {}
        }
    }

    /// Where slopes are measured: upwards, or downwards at the upper bound.
    fn sides(&self) -> Phase {
        let free = 0..self.x.len();
        let side = |i: usize| {
            let step = if self.x[i] + self.reach > 1.0 { -self.reach } else { self.reach };
            (i, step)
        };
        Phase::Slopes(free.map(side).collect())
    }

    fn take_slopes(&mut self, sides: &[(usize, f64)], answers: Vec<Answer>) {
        let n = self.residuals.len();
        let mut slopes = vec![vec![0.0; n]; self.x.len()];
        for (&(i, step), answer) in sides.iter().zip(answers) {
            if let Some(there) = answer {
                slopes[i] =
                    there.iter().zip(&self.residuals).map(|(b, a)| (b - a) / step).collect();
            }
        }
        let gradient = slopes.iter().map(|slope| dot(slope, &self.residuals)).collect();
        self.slopes = slopes;
        self.phase = Phase::Step(gradient);
    }

    fn take_step(&mut self, gradient: &[f64], answers: Vec<Answer>) {
        let dampings = [0.1, 1.0, 10.0].map(|factor| factor * self.damping);
        let mut best: Option<(f64, usize, Vec<f64>)> = None;
        for (i, answer) in answers.into_iter().enumerate() {
            let Some(residuals) = answer else { continue };
            let cost = dot(&residuals, &residuals);
            if cost < self.cost && best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                best = Some((cost, i, residuals));
            }
        }
        self.left = self.left.saturating_sub(1);
        let Some((cost, i, residuals)) = best else {
            self.failures += 1;
            self.damping *= 1e3;
            // Neither a long step nor a short one helps.
            self.phase =
                if self.failures < 3 && self.left > 0 && self.promise(gradient) > self.enough() {
                    Phase::Step(gradient.to_vec())
                } else {
                    Phase::Done
                };
            return;
        };
        let x = self.step(dampings[i]);
        let moved = x.iter().zip(&self.x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let gained = self.cost - cost;
        self.failures = 0;
        self.damping = (dampings[i] * 0.3).max(1e-9);
        (self.x, self.residuals, self.cost) = (x, residuals, cost);
        let over = self.left == 0 || moved < 1e-8 || gained <= self.enough();
        self.phase = if over { Phase::Done } else { self.sides() };
    }

    /// A gain that is not worth a step: parameters move by a few hundredths of their naive standard error at most.
    fn enough(&self) -> f64 {
        1e-3 * self.cost / self.residuals.len().max(1) as f64
    }

    /// The gain of a full step, if all were linear.
    fn promise(&self, gradient: &[f64]) -> f64 {
        let free = self.free(gradient);
        let gram =
            Symmetric::gram(&free.iter().map(|&i| self.slopes[i].clone()).collect::<Vec<_>>());
        let (inverse, _) = gram.inverse();
        let right: Vec<f64> = free.iter().map(|&i| gradient[i]).collect();
        dot(&right, &inverse.times(&right))
    }

    /// Coordinates that may move: not those that a bound holds back.
    fn free(&self, gradient: &[f64]) -> Vec<usize> {
        let held = |i: usize| {
            (self.x[i] <= 0.0 && gradient[i] > 0.0) || (self.x[i] >= 1.0 && gradient[i] < 0.0)
        };
        let moves = |i: &usize| !held(*i) && self.slopes[*i].iter().any(|s| *s != 0.0);
        (0..self.x.len()).filter(moves).collect()
    }

    /// The point that a damping leads to, between the bounds.
    fn step(&self, damping: f64) -> Vec<f64> {
        let gradient: Vec<f64> =
            self.slopes.iter().map(|slope| dot(slope, &self.residuals)).collect();
        let mut free = self.free(&gradient);
        let mut x = self.x.clone();
        // Coordinates that run into a bound stay there, and the others go on without them.
        for _ in 0..=self.x.len() {
            let columns: Vec<Vec<f64>> = free.iter().map(|&i| self.slopes[i].clone()).collect();
            let mut gram = Symmetric::gram(&columns);
            for i in 0..free.len() {
                let own = gram.at(i, i);
                gram.set(i, i, own * (1.0 + damping) + 1e-300);
            }
            let right: Vec<f64> = free.iter().map(|&i| -gradient[i]).collect();
            let Some(step) = gram.solve(&right) else { break };
            let mut out = Vec::new();
            for (&i, step) in free.iter().zip(&step) {
                // No farther than half of the cube at once.
                x[i] = self.x[i] + step.clamp(-0.5, 0.5);
                if !(0.0..=1.0).contains(&x[i]) {
                    x[i] = x[i].clamp(0.0, 1.0);
                    out.push(i);
                }
            }
            if out.is_empty() {
                break;
            }
            free.retain(|i| !out.contains(i));
        }
        x
    }
}

/// Runs several descents together, with all requests of a round at once, until all are done or
/// `answer` gives up. Answers are those of each descent by its place.
pub(crate) fn descend<E>(
    descents: &mut [Descent],
    mut answer: impl FnMut(&[(usize, Vec<f64>)]) -> Result<Vec<Answer>, E>,
) -> Result<(), E> {
    loop {
        let mut questions = Vec::new();
        let mut counts = Vec::with_capacity(descents.len());
        for (i, descent) in descents.iter_mut().enumerate() {
            let asked = descent.ask();
            counts.push(asked.len());
            questions.extend(asked.into_iter().map(|x| (i, x)));
        }
        if questions.is_empty() {
            return Ok(());
        }
        let mut answers = answer(&questions)?.into_iter();
        for (descent, count) in descents.iter_mut().zip(counts) {
            if count > 0 {
                descent.tell(answers.by_ref().take(count).collect());
            } else if !descent.is_done() {
                // Nothing is left that could move.
                descent.tell(Vec::new());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(start: [f64; 2], residuals: impl Fn(&[f64]) -> Answer) -> Descent {
        let mut descents = [Descent::new(start.to_vec(), 1e-6, 100)];
        let answer = |questions: &[(usize, Vec<f64>)]| {
            Ok::<_, ()>(questions.iter().map(|(_, x)| residuals(x)).collect())
        };
        descend(&mut descents, answer).expect("it answers");
        let [descent] = descents;
        descent
    }

    /// Rosenbrock's valley, whose least point is (1, 1), here at (0.75, 0.75) of the cube from −2 to 2.
    #[test]
    fn exact_rosenbrock() {
        let valley = |x: &[f64]| {
            let [a, b] = [4.0 * x[0] - 2.0, 4.0 * x[1] - 2.0];
            Some(vec![10.0 * (b - a * a), 1.0 - a])
        };
        let found = fit([0.2, 0.75], valley);
        assert!(found.cost < 1e-12, "{found:?}");
        assert!((found.x[0] - 0.75).abs() < 1e-6 && (found.x[1] - 0.75).abs() < 1e-6);
    }

    /// min (x − 2)² + (x + y − 1)² in the unit cube: at x = 1, y = 0.
    #[test]
    fn exact_bounds_hold() {
        let found = fit([0.3, 0.4], |x| Some(vec![x[0] - 2.0, x[0] + x[1] - 1.0]));
        assert_eq!(found.x[0], 1.0);
        assert!(found.x[1].abs() < 1e-9, "{:?}", found.x);
    }

    #[test]
    fn property_failed_points_are_bad_points() {
        // Everything left of 0.4 fails; the least square lies there.
        let found = fit([0.9, 0.5], |x| (x[0] > 0.4).then(|| vec![x[0] - 0.1, x[1] - 0.5]));
        assert!((0.4..0.42).contains(&found.x[0]), "{:?}", found.x);
        assert!(fit([0.1, 0.1], |_| None).is_done());
    }
}
