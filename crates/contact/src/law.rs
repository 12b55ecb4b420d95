//! A complete contact law: elastic × damping × friction, and the one place that decides signs.

use crate::damping::{Approach, BeginError, DampingLaw, Recoverable, Stage, Touch};
use crate::elastic::{ElasticLaw, ElasticModel};
use crate::friction::FrictionLaw;

/// What to do if a damped force would pull.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tension {
    /// Contact pushes only: a negative force becomes 0 and contact lasts until δ = 0.
    #[default]
    Clip,
    /// The force is kept as the formula gives it.
    Keep,
}

jointplay_fingerprint::fingerprint!(
    enum Tension {
        Clip,
        Keep,
    }
);

/// Impact speeds below this are raised to it, and the contact is flagged.
pub const IMPACT_SPEED_FLOOR: f64 = 1e-6;

/// A contact in a mechanism that begins slower than this, 10 µm/s, is not an impact: it starts [at
/// rest](NormalLaw::rest).
///
/// A steel body of 1 kg that arrives with this speed dents its partner by some 10 nm, less than the
/// roughness of any machined surface, with an energy of 50 pJ. No impact law was measured in this
/// range, and any load has more influence than the impact.
pub const REST_SPEED: f64 = 1e-5;

/// The normal part of a contact law.
#[derive(Clone, Debug, PartialEq)]
pub struct NormalLaw {
    /// F_el(δ).
    pub elastic: ElasticLaw,
    /// The dissipation added to it.
    pub damping: DampingLaw,
    /// What to do if the sum would pull.
    pub tension: Tension,
    /// Smallest impact speed used by the damping, m/s.
    pub impact_speed_floor: f64,
    /// A contact that begins slower than this may start [at rest](Self::rest), m/s; none does if
    /// this is 0, or not above the floor.
    pub rest_speed: f64,
}

jointplay_fingerprint::fingerprint!(struct NormalLaw { elastic, damping, tension, impact_speed_floor, rest_speed });

/// Everything about the normal force at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NormalForce {
    /// Elastic part, N.
    pub elastic: f64,
    /// Dissipative part as the formula gives it, N.
    pub damping: f64,
    /// Force on the bodies after the tension rule, N.
    pub total: f64,
    /// ∂total/∂δ, N/m.
    pub slope: f64,
    /// ∂total/∂δ̇, N s/m.
    pub rate: f64,
    /// Energy that the contact can give back, J.
    pub energy: f64,
    /// Whether the tension rule cut the force.
    pub clipped: bool,
    /// Whether the elastic law was continued beyond its limit.
    pub continued: bool,
}

impl NormalLaw {
    /// Elastic law and damping with the default rules: no tension, floor of 1e-6 m/s.
    pub fn new(elastic: ElasticLaw, damping: DampingLaw) -> Self {
        Self {
            elastic,
            damping,
            tension: Tension::Clip,
            impact_speed_floor: IMPACT_SPEED_FLOOR,
            rest_speed: REST_SPEED,
        }
    }

    /// Memory of a contact that starts now.
    ///
    /// # Errors
    /// [`BeginError`] if the damping law has no finite coefficient for these data.
    pub fn begin(&self, impact_speed: f64, effective_mass: f64) -> Result<Touch, BeginError> {
        if impact_speed < 0.0 {
            return Err(BeginError::NotPositive { what: "impact speed", value: impact_speed });
        }
        let slow = impact_speed < self.impact_speed_floor;
        let speed = if slow { self.impact_speed_floor } else { impact_speed };
        let floored = slow && self.damping.uses_impact_speed();
        Ok(Touch { floored, ..self.damping.begin(speed, effective_mass)? })
    }

    /// Memory of a contact in a mechanism that starts now. If it begins slower than
    /// [`rest_speed`](Self::rest_speed) and the damping of its law depends on the impact speed, it
    /// starts at rest: it is damped by the fraction of critical damping that corresponds to its
    /// restitution ([`DampingLaw::rest`]).
    ///
    /// # Errors
    /// As [`Self::begin`].
    pub fn rest(&self, impact_speed: f64, effective_mass: f64) -> Result<Touch, BeginError> {
        let slow = impact_speed < self.rest_speed && self.impact_speed_floor < self.rest_speed;
        if slow && impact_speed >= 0.0 {
            let raised = impact_speed.max(IMPACT_SPEED_FLOOR);
            if let Some(touch) = self.damping.rest(raised, effective_mass)? {
                return Ok(Touch { impact_speed, ..touch });
            }
        }
        self.begin(impact_speed, effective_mass)
    }

    /// The memory of a contact that starts in the dent that `previous` left: it continues from
    /// there.
    pub fn in_dent(&self, touch: Touch, previous: &Touch) -> Touch {
        Touch { max_delta: previous.max_delta, permanent: previous.permanent, ..touch }
    }

    /// Indentation at which the next contact starts after `previous` ended: the bottom of the dent that it left, 0 for
    /// laws without one. A law that does not remember forgets the dent once the surfaces have parted, δ ≤ 0.
    pub fn start_of_next_contact(&self, previous: &Touch) -> f64 {
        self.end_of_contact(previous)
    }

    /// Normal force alone, N: the fast path for right-hand sides.
    #[inline]
    pub fn force(&self, at: Approach, touch: &Touch) -> f64 {
        let raw = self.unclipped(at, touch);
        if self.tension == Tension::Clip && raw < 0.0 { 0.0 } else { raw }
    }

    /// The force before the tension rule; at its zero a pushing contact ends.
    #[inline]
    pub fn unclipped(&self, at: Approach, touch: &Touch) -> f64 {
        if touch.resting {
            let elastic = self.elastic.eval(at.delta);
            return elastic.force + self.damping.eval(elastic, at, touch).force;
        }
        let elastic = self.elastic.force(at.delta);
        elastic + self.damping.force(elastic, at, touch)
    }

    /// The part of the force that fills the recoverable energy, dU/dδ in N, given the elastic force and the
    /// force before the tension rule; what remains of the force is lost.
    #[inline]
    pub fn recoverable(&self, at: Approach, touch: &Touch, elastic: f64, unclipped: f64) -> f64 {
        match self.damping.recoverable(at, touch) {
            Recoverable::Elastic => elastic,
            Recoverable::Share(share) => share * elastic,
            Recoverable::Unloading { .. } => unclipped,
        }
    }

    /// Normal force with parts, derivatives and recoverable energy.
    pub fn eval(&self, at: Approach, touch: &Touch) -> NormalForce {
        let e = self.elastic.eval(at.delta);
        let d = self.damping.eval(e, at, touch);
        let raw = e.force + d.force;
        let clipped = self.tension == Tension::Clip && raw < 0.0;
        let keep = if clipped { 0.0 } else { 1.0 };
        let energy = match self.damping.recoverable(at, touch) {
            Recoverable::Elastic => e.energy,
            Recoverable::Share(share) => share * e.energy,
            Recoverable::Unloading { exponent } => {
                raw * (at.delta - touch.permanent).max(0.0) / (exponent + 1.0)
            }
        };
        NormalForce {
            elastic: e.force,
            damping: d.force,
            total: if clipped { 0.0 } else { raw },
            slope: (e.slope + d.slope) * keep,
            rate: d.rate * keep,
            energy,
            clipped,
            continued: e.continued,
        }
    }

    /// Memory after a located extremum of δ at `delta`: a maximum ends the approach, a minimum
    /// in contact starts another one.
    pub fn turned(&self, touch: Touch, delta: f64) -> Touch {
        match touch.stage {
            Stage::Compression => {
                // a compression that stays inside the old dent leaves it as it is
                let (max_delta, permanent) = if delta > touch.max_delta {
                    (delta, self.damping.permanent(touch.restitution, delta))
                } else {
                    (touch.max_delta, touch.permanent)
                };
                Touch { stage: Stage::Restitution, max_delta, permanent, ..touch }
            }
            Stage::Restitution => Touch { stage: Stage::Compression, ..touch },
        }
    }

    /// Indentation at which this contact ends.
    pub fn end_of_contact(&self, touch: &Touch) -> f64 {
        self.damping.end_of_contact(touch)
    }
}

/// A complete contact law. Equal laws have equal parts; a part written by a user in Rust is equal
/// only to itself.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactLaw {
    /// Normal part.
    pub normal: NormalLaw,
    /// Tangential part.
    pub friction: FrictionLaw,
}

jointplay_fingerprint::fingerprint!(struct ContactLaw { normal, friction });

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elastic::Power;
    use crate::restitution::Restitution;

    #[test]
    fn property_a_dent_does_not_change_with_the_next_impact_speed() {
        let power = Power { stiffness: 1e9, exponent: 1.5 };
        let restitution = Restitution::Linear { alpha_0: 0.9, alpha_1: 0.5 };
        let damping = DampingLaw::Plastic { restitution, power, memory: true };
        let law = NormalLaw::new(ElasticLaw::Power(power), damping);
        let first = law.turned(law.begin(1.0, 1.0).unwrap(), 1e-4);
        let start = law.start_of_next_contact(&first);
        let again = law.in_dent(law.begin(0.1, 1.0).unwrap(), &first);
        assert!(again.restitution > first.restitution);
        let at = |delta: f64| law.force(Approach { delta, delta_dot: 0.1 }, &again);
        assert!(at(start) == 0.0 && at(start + 1e-9) < 1e-3, "{}", at(start + 1e-9));
        // a shallow second impact leaves the dent as it was
        assert!(law.end_of_contact(&law.turned(again, 0.9e-4)) == start);
    }

    #[test]
    fn exact_a_contact_in_a_dent_starts_at_its_bottom() {
        let power = Power { stiffness: 1e9, exponent: 1.5 };
        for memory in [false, true] {
            let restitution = Restitution::Constant(0.6);
            let damping = DampingLaw::Plastic { restitution, power, memory };
            let law = NormalLaw::new(ElasticLaw::Power(power), damping);
            let first = law.turned(law.begin(0.5, 1.0).unwrap(), 1e-4);
            let start = law.start_of_next_contact(&first);
            let fresh = law.begin(0.5, 1.0).unwrap();
            let again = law.in_dent(fresh, &first);
            let at = |touch: &Touch, delta| law.force(Approach { delta, delta_dot: 0.1 }, touch);
            // δ_p = δ_max(1−e²) = 64 µm; the force grows from there and meets Kδⁿ at δ_max
            assert!((start / 6.4e-5 - 1.0).abs() < 1e-14);
            assert!(at(&again, start) == 0.0 && at(&again, 1.1 * start) > 0.0);
            assert!((at(&again, 0.999_999e-4) / 1e3 - 1.0).abs() < 1e-5);
            // once the dent is forgotten the law pushes from the surface on
            assert!(at(&fresh, 0.5e-4) > 300.0);
        }
    }

    #[test]
    fn property_a_contact_at_rest_is_no_stiffer_than_its_spring() {
        let power = Power { stiffness: 1e9, exponent: 1.5 };
        let damping = DampingLaw::Factor {
            factor: crate::damping::Factor::Exact,
            restitution: Restitution::Constant(0.5),
        };
        let law = NormalLaw::new(ElasticLaw::Power(power), damping);
        let mass = 0.3;
        for speed in [0.0, 1e-9, 0.99e-5] {
            let touch = law.rest(speed, mass).unwrap();
            assert!(touch.resting && touch.impact_speed == speed);
            for delta in [1e-12, 1e-9, 1e-6, 1e-3] {
                let at = law.eval(Approach { delta, delta_dot: 1e-4 }, &touch);
                let stiffness = law.elastic.eval(delta).slope;
                // below the damping of an aperiodic motion
                assert!(at.rate > 0.0 && at.rate < 2.0 * (mass * stiffness).sqrt());
                let force = law.force(Approach { delta, delta_dot: 1e-4 }, &touch);
                assert_eq!(force, at.total);
            }
        }
        // what is faster is an impact, and a floor that was asked for keeps its meaning
        assert!(!law.rest(1e-5, mass).unwrap().resting);
        let floored = NormalLaw { impact_speed_floor: 1e-3, ..law };
        let touch = floored.rest(0.0, mass).unwrap();
        assert!(!touch.resting && touch.impact_speed == 1e-3);
    }
}
