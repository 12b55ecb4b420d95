//! A simplex that folds towards better points (J. A. Nelder, R. Mead, Computer Journal 7, 1965, 308), in questions and answers.

/// What to do next.
enum Phase {
    Start,
    Reflect,
    Expand(Vec<f64>),
    Contract { outside: bool, reflected: Vec<f64> },
    Shrink,
}

/// A simplex in the unit cube.
pub(super) struct Simplex<S> {
    corners: Vec<(Vec<f64>, Option<S>)>,
    phase: Phase,
    reflected: Option<S>,
}

impl<S: Clone> Simplex<S> {
    /// Around a point, of this size.
    pub(super) fn new(start: &[f64], score: S, size: f64) -> Self {
        let mut corners = vec![(start.to_vec(), Some(score))];
        for i in 0..start.len() {
            let mut corner = start.to_vec();
            corner[i] += if corner[i] + size <= 1.0 { size } else { -size };
            corner[i] = corner[i].clamp(0.0, 1.0);
            corners.push((corner, None));
        }
        Simplex { corners, phase: Phase::Start, reflected: None }
    }

    /// The largest extent along a coordinate.
    pub(super) fn size(&self) -> f64 {
        let first = &self.corners[0].0;
        let far = |corner: &Vec<f64>| {
            corner.iter().zip(first).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        self.corners.iter().map(|(corner, _)| far(corner)).fold(0.0, f64::max)
    }

    fn centre(&self) -> Vec<f64> {
        let n = self.corners.len() - 1;
        let mut centre = vec![0.0; n];
        for (corner, _) in &self.corners[..n] {
            for (sum, x) in centre.iter_mut().zip(corner) {
                *sum += x / n as f64;
            }
        }
        centre
    }

    /// From the worst corner through the centre of the others, this many times as far.
    fn through(&self, factor: f64) -> Vec<f64> {
        let worst = &self.corners[self.corners.len() - 1].0;
        let centre = self.centre();
        centre.iter().zip(worst).map(|(c, w)| (c + factor * (c - w)).clamp(0.0, 1.0)).collect()
    }

    /// The points whose scores it wants to know.
    pub(super) fn ask(&self) -> Vec<Vec<f64>> {
        match &self.phase {
            Phase::Start | Phase::Shrink => self
                .corners
                .iter()
                .filter(|(_, score)| score.is_none())
                .map(|(corner, _)| corner.clone())
                .collect(),
            Phase::Reflect => vec![self.through(1.0)],
            Phase::Expand(_) => vec![self.through(2.0)],
            Phase::Contract { outside, .. } => {
                vec![self.through(if *outside { 0.5 } else { -0.5 })]
            }
        }
    }

    /// The scores of these points, in their order, and which of two is better.
    pub(super) fn tell(&mut self, scores: Vec<S>, better: impl Fn(&S, &S) -> bool) {
        match std::mem::replace(&mut self.phase, Phase::Reflect) {
            Phase::Start | Phase::Shrink => {
                let mut scores = scores.into_iter();
                for (_, score) in self.corners.iter_mut().filter(|(_, score)| score.is_none()) {
                    *score = scores.next();
                }
            }
            Phase::Reflect => {
                let (point, Some(score)) = (self.through(1.0), scores.into_iter().next()) else {
                    return;
                };
                let n = self.corners.len() - 1;
                let is_better = |than: usize| {
                    self.corners[than].1.as_ref().is_some_and(|other| better(&score, other))
                };
                if is_better(0) {
                    self.phase = Phase::Expand(point);
                    self.reflected = Some(score);
                    return;
                }
                if n > 1 && is_better(n - 1) {
                    self.corners[n] = (point, Some(score));
                } else {
                    let outside = is_better(n);
                    self.phase = Phase::Contract { outside, reflected: point };
                    self.reflected = Some(score);
                    return;
                }
            }
            Phase::Expand(reflected) => {
                let (point, Some(score), Some(old)) =
                    (self.through(2.0), scores.into_iter().next(), self.reflected.take())
                else {
                    return;
                };
                let n = self.corners.len() - 1;
                self.corners[n] = if better(&score, &old) {
                    (point, Some(score))
                } else {
                    (reflected, Some(old))
                };
            }
            Phase::Contract { outside, reflected } => {
                let point = self.through(if outside { 0.5 } else { -0.5 });
                let (Some(score), Some(old)) = (scores.into_iter().next(), self.reflected.take())
                else {
                    return;
                };
                let n = self.corners.len() - 1;
                let limit = if outside { Some(old.clone()) } else { self.corners[n].1.clone() };
                if limit.is_some_and(|limit| better(&score, &limit)) {
                    self.corners[n] = (point, Some(score));
                } else {
                    if outside {
                        self.corners[n] = (reflected, Some(old));
                    }
                    let first = self.corners[0].0.clone();
                    for (corner, score) in &mut self.corners[1..] {
                        for (x, to) in corner.iter_mut().zip(&first) {
                            *x = 0.5 * (*x + to);
                        }
                        *score = None;
                    }
                    self.phase = Phase::Shrink;
                    return;
                }
            }
        }
        let order = |a: &(Vec<f64>, Option<S>), b: &(Vec<f64>, Option<S>)| match (&a.1, &b.1) {
            (Some(a), Some(b)) if better(a, b) => std::cmp::Ordering::Less,
            (Some(a), Some(b)) if better(b, a) => std::cmp::Ordering::Greater,
            _ => std::cmp::Ordering::Equal,
        };
        // Few corners, and an order that need not be transitive where scores scatter.
        for i in 1..self.corners.len() {
            let mut j = i;
            while j > 0 && order(&self.corners[j], &self.corners[j - 1]).is_lt() {
                self.corners.swap(j, j - 1);
                j -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_rosenbrock_and_a_bound() {
        let least = |start: Vec<f64>, f: &dyn Fn(&[f64]) -> f64| {
            let mut simplex = Simplex::new(&start, f(&start), 0.05);
            let mut best = (start, f64::INFINITY);
            for _ in 0..2000 {
                let points = simplex.ask();
                let scores: Vec<f64> = points.iter().map(|x| f(x)).collect();
                for (point, score) in points.iter().zip(&scores) {
                    if *score < best.1 {
                        best = (point.clone(), *score);
                    }
                }
                simplex.tell(scores, |a, b| a < b);
                if simplex.size() < 1e-10 {
                    break;
                }
            }
            best.0
        };
        let valley = |x: &[f64]| {
            let [a, b] = [4.0 * x[0] - 2.0, 4.0 * x[1] - 2.0];
            100.0 * (b - a * a).powi(2) + (1.0 - a).powi(2)
        };
        let found = least(vec![0.2, 0.75], &valley);
        assert!(found.iter().all(|x| (x - 0.75).abs() < 1e-6), "{found:?}");
        let found = least(vec![0.5, 0.4], &|x| 2.0 * x[0] + (x[1] - 0.7).powi(2));
        assert!(found[0] == 0.0 && (found[1] - 0.7).abs() < 1e-5, "{found:?}");
        let found = least(vec![0.5], &|x| (x[0] - 0.123).abs());
        assert!((found[0] - 0.123).abs() < 1e-8, "{found:?}");
    }
}
