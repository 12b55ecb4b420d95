//! A contact episode that is not over yet.

use jointplay_mbd::{ContactId, Indentation, Instant, Step};

use super::super::inside::{NODES, integral, maximum, zero};
use super::super::validity::OVERTAKEN;
use super::{Greatest, Open, Samples, Watched};

impl Open {
    /// What the contact does at the start of a step; where it ended the last one in the same phase, it is known.
    pub(super) fn at_start(&self, step: &mut Step<'_>, id: ContactId) -> Indentation {
        let [t0, _] = step.span();
        match &self.last {
            Some((t, contact, phase, then))
                if *t == t0 && *contact == id && phase == step.phase(id) =>
            {
                *then
            }
            _ => step.indentation(t0, id),
        }
    }

    /// The states at its greatest values, to be kept by the trajectory.
    pub(super) fn peaks(&mut self) -> impl Iterator<Item = Instant> + use<> {
        [&mut self.max_force, &mut self.deepest].map(|it| it.instant.take()).into_iter().flatten()
    }

    /// Records the losses in the present section.
    pub(super) fn settle(&mut self) {
        if let Some([first, last]) = self.amounts.take() {
            self.losses = std::array::from_fn(|i| self.losses[i] + (last[i] - first[i]));
        }
    }

    /// Takes in one step.
    pub(super) fn grow(
        &mut self,
        step: &mut Step<'_>,
        watched: &Watched,
        t: &[f64; NODES],
        s: &Samples,
    ) {
        let (span, id) = (step.span(), watched.id);
        // What the law was told may have been raised to its floor. A contact that touches from the start of the run may have
        // begun earlier, faster than it is now.
        if t[0] == self.start && !self.carried {
            self.impact_speed = s.rate[0];
        } else if t[0] == self.start && self.impact_speed <= watched.speed_floor {
            self.impact_speed = s.rate[0].clamp(0.0, self.impact_speed);
        }
        self.impulse += integral(span, &s.force);
        self.max_force.grow(step, id, t, &s.force, f64::INFINITY, |now| now.force);
        let limit = watched.delta_limit.unwrap_or(f64::INFINITY);
        let deepest = self.deepest.grow(step, id, t, &s.delta, limit, |now| now.delta);
        // Both instants show both quantities, and neither may show more than the greatest.
        for t in [self.max_force.t, self.deepest.t] {
            if step.kept().is_some() && (span[0]..=span[1]).contains(&t) {
                let now = step.indentation(t, id);
                self.max_force.raise(step, t, now.force);
                self.deepest.raise(step, t, now.delta);
            }
        }
        if (span[0]..=span[1]).contains(&self.max_force.t) {
            let speed = self.touch.map_or(f64::INFINITY, |touch| touch.impact_speed);
            let fast = s.rate.iter().any(|rate| *rate > OVERTAKEN * speed);
            self.overtaken = fast.then(|| step.indentation(self.max_force.t, id));
        }
        let mut rising = if self.compressions == 0 { true } else { self.rate > 0.0 };
        for rate in s.rate {
            if rising && rate <= 0.0 {
                self.compressions += 1;
            }
            rising = rate > 0.0;
        }
        let [.., delta] = s.delta;
        let [.., rate] = s.rate;
        let [.., force] = s.force;
        self.rate = rate;
        self.last =
            Some((span[1], id, *step.phase(id), Indentation { delta, delta_dot: rate, force }));
        if let Some(limit) = watched.delta_limit {
            let time = time_above(limit, t, s, deepest, |t| step.indentation(t, id).delta);
            self.beyond += time;
            if time > 0.0 {
                self.left = Some(self.contact);
            }
        }
        let [before, after] = step.amounts();
        let of = |amounts: &[f64]| watched.accounts.map(|a| a.map_or(0.0, |a| amounts[a]));
        let first = self.amounts.map_or_else(|| of(before), |[first, _]| first);
        self.amounts = Some([first, of(after)]);
    }
}

impl Greatest {
    /// Takes in the values at the nodes of a step. Where the step may hold a greater value than known, or one above
    /// `limit`, it is searched; returns when and how great its greatest value is, or its first node.
    pub(super) fn grow(
        &mut self,
        step: &mut Step<'_>,
        id: ContactId,
        t: &[f64; NODES],
        values: &[f64; NODES],
        limit: f64,
        of: impl Fn(Indentation) -> f64,
    ) -> (f64, f64) {
        // Only a step whose samples come near what is known can hold a greater value.
        let near = 0.9 * self.value.min(limit);
        if !values.iter().any(|value| *value > near) {
            return (t[0], values[0]);
        }
        let found = maximum(t, values, |t| of(step.indentation(t, id)));
        self.raise(step, found.0, found.1);
        // What the trajectory shows of the contact anyway is not greater, to the last bit.
        for &t in step.kept().into_iter().flatten() {
            let value = of(step.indentation(t, id));
            self.raise(step, t, value);
        }
        found
    }

    /// Takes in a value at a time of the step.
    fn raise(&mut self, step: &mut Step<'_>, t: f64, value: f64) {
        if value > self.value {
            (self.t, self.value) = (t, value);
            if step.kept().is_some() {
                step.take(t, &mut self.instant);
            }
        }
    }
}

/// Time of a step for which the indentation is above a limit.
fn time_above(
    limit: f64,
    t: &[f64; NODES],
    s: &Samples,
    deepest: (f64, f64),
    mut delta: impl FnMut(f64) -> f64,
) -> f64 {
    if !(deepest.1 > limit) && !s.delta.iter().any(|d| *d > limit) {
        return 0.0;
    }
    // The nodes and the deepest point between them.
    let mut points = [(0.0, 0.0); NODES + 1];
    let next = t.partition_point(|t| *t <= deepest.0);
    for (k, point) in points.iter_mut().enumerate() {
        let (t, delta) = match k.cmp(&next) {
            std::cmp::Ordering::Less => (t[k], s.delta[k]),
            std::cmp::Ordering::Equal => deepest,
            std::cmp::Ordering::Greater => (t[k - 1], s.delta[k - 1]),
        };
        *point = (t, delta - limit);
    }
    let mut time = 0.0;
    for pair in points.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        time += match (a.1 > 0.0, b.1 > 0.0) {
            (true, true) => b.0 - a.0,
            (false, false) => 0.0,
            (rising, _) => {
                let at = zero(a, b, |t| delta(t) - limit);
                if rising { at - a.0 } else { b.0 - at }
            }
        };
    }
    time
}
