//! The signals of drivers and loads, which limit the steps.

use jointplay_expression::Jet;

use super::Equations;
use crate::error::{PartKind, PartRef};
use crate::force::Element;
use crate::mechanism::Mechanism;

/// The signals of drivers and loads, with kind and name of these parts.
pub(super) fn signals(
    mechanism: &Mechanism,
) -> impl Iterator<Item = ((PartKind, &String), &crate::Signal)> {
    let drivers = mechanism.drivers.iter();
    let drivers = drivers.map(|driver| ((PartKind::Driver, &driver.name), &driver.signal));
    let loads = mechanism.elements.iter().zip(&mechanism.forces);
    let loads = loads.filter_map(|(element, (name, _))| match element {
        Element::Load { size, .. } | Element::Torque { size, .. } => {
            Some(((PartKind::Force, name), size))
        }
        Element::Spring { .. }
        | Element::TorsionSpring { .. }
        | Element::Bushing(_)
        | Element::Line(_)
        | Element::Custom(_) => None,
    });
    drivers.chain(loads)
}

impl Equations {
    /// Times at which a signal of a driver or load, or a user-written force, is not smooth.
    pub(crate) fn breaks(&self) -> Vec<f64> {
        let mut breaks: Vec<f64> =
            signals(&self.mechanism).flat_map(|(_, signal)| signal.breaks()).collect();
        breaks.extend(self.mechanism.elements.iter().flat_map(Element::user_breaks));
        breaks.sort_by(f64::total_cmp);
        breaks.dedup();
        breaks
    }

    /// The longest step (s) from `t`, at most `h`, that resolves every signal.
    pub(crate) fn longest_step(&self, t: f64, h: f64) -> f64 {
        if !self.timed {
            return h;
        }
        signals(&self.mechanism).fold(h, |h, (_, signal)| signal.longest_step(t, h))
    }

    /// The driver or load that needs steps of fixed size from `t` to be shorter than `h`, and how short (s).
    pub(crate) fn outrun_signal(&self, t: f64, h: f64) -> Option<(PartRef, f64)> {
        if !self.timed {
            return None;
        }
        let steps = signals(&self.mechanism).map(|(part, s)| (part, s.longest_fixed_step(t, h)));
        let ((kind, name), longest) = steps.min_by(|a, b| a.1.total_cmp(&b.1))?;
        (longest < h).then(|| (PartRef::new(kind, name), longest))
    }

    /// The driver or load whose signal has no finite value at or soon after this time.
    pub(crate) fn undefined_signal(&self, t: f64) -> Option<PartRef> {
        let undefined = |signal: &crate::Signal| {
            let ahead = (-16..=-3).map(|k| t + t.abs().max(1.0) * 10.0_f64.powi(k));
            let jets = std::iter::once(t).chain(ahead).map(|t| signal.at(t));
            jets.into_iter().any(|jet| !(jet.value + jet.first + jet.second).is_finite())
        };
        let ((kind, name), _) = signals(&self.mechanism).find(|(_, s)| undefined(s))?;
        Some(PartRef::new(kind, name))
    }

    /// The driver or load whose signal changes faster at this time than any step can follow.
    pub(crate) fn runaway_signal(&self, t: f64) -> Option<PartRef> {
        let (kind, name) = signals(&self.mechanism).find(|(_, signal)| signal.runs_away(t))?.0;
        let part = PartRef::new(kind, name);
        Some(part.labelled(|part| format!("signal of {part}, which has a pole or a jump there")))
    }

    /// The signals of all drivers.
    pub(crate) fn jets(&self, t: f64) -> Vec<Jet> {
        self.mechanism.drivers.iter().map(|driver| driver.signal.at(t)).collect()
    }
}
