//! What an episode says about the domain of its laws.

use jointplay_contact::catalog::{Bounds, DampingKind, ElasticKind, RETURNED, Sheet, SpeedBound};
use jointplay_contact::damping::Approach;
use jointplay_contact::elastic::ElasticModel;

use super::super::{Concern, Quantity};
use super::better::{clearance, conformity};
use super::{Evidence, LATE, OVERTAKEN, PRESSED};
use crate::closed_form;

/// The value of a bound in one episode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) law: Option<&'static str>,
    pub(super) quantity: Quantity,
    pub(super) limits: [Option<f64>; 2],
    pub(super) value: Result<f64, &'static str>,
    /// Time outside (s), if it is outside.
    pub(super) outside: Option<f64>,
    pub(super) returned: f64,
}

impl Held {
    /// Inside or outside as the limits say, for the whole episode.
    fn plain(
        law: Option<&'static str>,
        quantity: Quantity,
        limits: [Option<f64>; 2],
        value: f64,
        duration: f64,
    ) -> Self {
        let out =
            limits[0].is_some_and(|low| value < low) || limits[1].is_some_and(|high| value > high);
        let outside = out.then_some(duration);
        Held { law, quantity, limits, value: Ok(value), outside, returned: f64::NAN }
    }
}

impl Evidence<'_> {
    /// Every bound that applies, with the result of its check.
    pub(super) fn held(&self) -> Vec<Held> {
        let mut held = Vec::new();
        let elastic = self.origin.and_then(|origin| origin.name.elastic);
        let damping = self.origin.and_then(|origin| origin.name.damping);
        if let Some(limit) = self.delta_limit {
            let law = self.limited.1.and_then(|origin| origin.name.elastic).map(ElasticKind::id);
            let limits = [None, Some(limit)];
            let (quantity, value) = (Quantity::Indentation, self.max_indentation);
            let outside = (self.beyond > 0.0).then_some(self.beyond);
            let value = Ok(value);
            held.push(Held { law, quantity, limits, value, outside, returned: f64::NAN });
        }
        let sheets = [elastic.map(ElasticKind::sheet), damping.map(DampingKind::sheet)];
        for sheet in sheets.into_iter().flatten() {
            self.hold(sheet, &mut held);
        }
        let asked = self.law.damping.restitution().map(|_| self.touch.restitution);
        let returned = closed_form::restitution(self.law, self.touch, self.touch.impact_speed);
        if let (Some(asked), Some(returned)) = (asked, returned) {
            let bounds = damping.map_or(Bounds::NONE, |kind| kind.sheet().bounds);
            let limits = bounds.restitution.map(|range| [Some(range.low), Some(range.high)]);
            let out = (asked - returned).abs() > RETURNED;
            // Where pulling is kept the law returns more than its sheet promises.
            let inside = |[low, high]: [Option<f64>; 2]| {
                low.is_none_or(|low| asked >= low) && high.is_none_or(|high| asked <= high)
            };
            let limits = limits.filter(|limits| inside(*limits) != out).unwrap_or_default();
            held.push(Held {
                law: damping.map(DampingKind::id),
                quantity: Quantity::Restitution,
                limits,
                value: Ok(asked),
                outside: out.then_some(self.duration),
                returned,
            });
        }
        held
    }

    /// Whether the contact was pressed together later than it began and could not follow. With F = F_el(1 + a δ̇/δ̇₀) the
    /// indentation goes towards that of its load with the time constant (∂F/∂δ̇)/(∂F/∂δ).
    pub(super) fn creep(&self) -> Option<Concern> {
        let (law, touch) = (self.law, self.touch);
        if touch.resting || !law.damping.uses_impact_speed() {
            return None;
        }
        let force = law.eval(Approach { delta: self.max_indentation, delta_dot: 0.0 }, touch);
        let (speed, lag) = (touch.impact_speed, force.rate / force.slope);
        let brought = 0.5 * touch.effective_mass * speed * speed;
        let pressed = force.energy > PRESSED * brought;
        (pressed && lag > LATE * self.duration).then_some(Concern::Creep { speed, lag })
    }

    /// Whether the greatest force is that of a damping that was divided by an impact speed far below δ̇: it exceeds
    /// every elastic force of the contact.
    pub(super) fn overtaken(&self) -> Option<Concern> {
        let (law, touch, at) = (self.law, self.touch, self.overtaken?);
        if touch.resting || !law.damping.uses_impact_speed() {
            return None;
        }
        let at = Approach { delta: at.delta, delta_dot: at.delta_dot };
        let elastic = law.elastic.eval(self.max_indentation).force;
        let (speed, rate) = (touch.impact_speed, at.delta_dot);
        let (force, t) = (self.max_force, self.max_force_time);
        let dominates = law.eval(at, touch).damping > elastic;
        (rate > OVERTAKEN * speed && dominates).then_some(Concern::Overtaken {
            speed,
            rate,
            force,
            elastic,
            t,
        })
    }

    /// The bounds of one data sheet.
    fn hold(&self, sheet: &'static Sheet, held: &mut Vec<Held>) {
        let Some(origin) = self.origin else { return };
        let (law, bounds, duration) = (Some(sheet.id), &sheet.bounds, self.duration);
        if let Some(bound) = bounds.speed {
            let known = match &origin.inputs.materials {
                None => Err("the model gives no material"),
                Some(materials) => bound.speed(materials).ok_or("the material has no density"),
            };
            let limits = |limit| match bound {
                SpeedBound::UpTo(_) => [None, Some(limit)],
                SpeedBound::From(_) => [Some(limit), None],
            };
            held.push(match known {
                Ok(limit) => {
                    let (quantity, speed) = (Quantity::ImpactSpeed, self.impact_speed);
                    Held::plain(law, quantity, limits(limit), speed, duration)
                }
                Err(why) => Held {
                    law,
                    quantity: Quantity::ImpactSpeed,
                    limits: [None; 2],
                    value: Err(why),
                    outside: None,
                    returned: f64::NAN,
                },
            });
        }
        if let Some((least, ratio)) = bounds.conformity.zip(conformity(origin.inputs.surfaces)) {
            let limits = [Some(least), None];
            held.push(Held::plain(law, Quantity::Conformity, limits, ratio, duration));
        }
        if let Some((range, delta_r)) = bounds.clearance.zip(clearance(origin)) {
            let limits = [Some(range.low), Some(range.high)];
            held.push(Held::plain(law, Quantity::Clearance, limits, delta_r, duration));
        }
        if let Some((range, power)) = bounds.exponent.zip(self.law.elastic.as_power()) {
            let limits = [Some(range.low), Some(range.high)];
            held.push(Held::plain(law, Quantity::Exponent, limits, power.exponent, duration));
        }
    }
}

/// How far a value is outside its limits, negative inside.
pub(super) fn excess(value: f64, [low, high]: [Option<f64>; 2]) -> f64 {
    let below = low.map_or(f64::NEG_INFINITY, |low| low - value);
    below.max(high.map_or(f64::NEG_INFINITY, |high| value - high))
}
