//! Free bodies between which nothing but contacts acts: only the few that touch are placed in an evaluation.
//!
//! In a chain with a clearance in every joint (bench B7) one pin in a hundred touches at a time. Placing all bodies, with the sine
//! and cosine of each, was a third of the work.

use super::{Equations, Evaluation, Mode, Purpose};
use crate::body::Body;
use crate::contact::Phase;
use crate::formulation::{Work, move_some};
use crate::frame::Spatial;
use crate::ledger::Energy;
use crate::real::Real;

/// Where one body in this number touches or more, all bodies are placed together.
const MANY: usize = 3;

impl Equations {
    /// The inverse masses of the bodies, if they are free and only gravity and contacts act on them.
    #[inline]
    pub(crate) fn in_flight(&self) -> Option<&[Spatial<f64>]> {
        let mechanism = &self.mechanism;
        let alone = self.purpose == Purpose::Dynamics
            && self.layout.structure.rows.is_empty()
            && mechanism.drivers.is_empty()
            && mechanism.elements.is_empty()
            && mechanism.frictions.is_empty();
        self.layout.structure.free_bodies().filter(|_| alone)
    }

    /// The numbers of the contacts that touch; `false` if they are so many that it does not pay to treat them apart.
    pub(super) fn few_touch(&self, mode: &Mode, touching: &mut Vec<usize>) -> bool {
        touching.clear();
        let phases = mode.contacts.iter().enumerate();
        let touches = |phase: &Phase| matches!(phase, Phase::Touching { .. });
        touching.extend(phases.filter(|(_, phase)| touches(phase)).map(|(contact, _)| contact));
        MANY * touching.len() <= self.mechanism.bodies.len()
    }

    /// Places the free bodies of these contacts.
    #[inline]
    pub(super) fn place_some<T: Real>(&self, y: &[T], contacts: &[usize], work: &mut Work<T>) {
        let n = self.layout.structure.unknowns;
        for &contact in contacts {
            let frames = self.mechanism.contacts[contact].gap.frames();
            move_some(frames, &y[..n], &y[n..2 * n], &mut work.motion);
        }
    }

    /// Writes ẏ of bodies [in flight](Self::in_flight), with the same numbers as an [evaluation](Self::evaluate); motion and
    /// accelerations in the working memory are those of the bodies that touch alone.
    pub(super) fn fly<T: Real>(
        &self,
        inverse: &[Spatial<f64>],
        y: &[T],
        mode: &Mode,
        dy: &mut [T],
        Evaluation { work, bristles, touching, .. }: &mut Evaluation<T>,
    ) {
        let n = self.layout.structure.unknowns;
        let (rates, rest) = dy.split_at_mut(n);
        let (accelerations, rest) = rest.split_at_mut(n);
        let (bristle_rates, powers) = rest.split_at_mut(bristles.len());
        rates.copy_from_slice(&y[n..2 * n]);
        let weight = &self.layout.weight;
        let falling = weight[1..].iter().zip(&inverse[1..]);
        for (a, (weight, inverse)) in accelerations.as_chunks_mut::<3>().0.iter_mut().zip(falling) {
            *a = std::array::from_fn(|i| T::constant(weight[i]) * inverse[i]);
        }
        powers.fill(T::ZERO);
        self.bend(y, bristles);
        self.place_some(y, touching, work);
        let contacts = &self.mechanism.contacts;
        for &i in &*touching {
            for frame in contacts[i].gap.frames() {
                work.force[frame] = weight[frame].map(T::constant);
            }
        }
        for &i in &*touching {
            let force = &mut work.force;
            contacts[i].apply(&mode.contacts[i], &work.motion, bristles, force, powers);
        }
        for &i in &*touching {
            for frame in contacts[i].gap.frames().into_iter().filter(|frame| *frame > 0) {
                let own = &mut accelerations[3 * frame - 3..3 * frame];
                let forces = work.force[frame].into_iter().zip(inverse[frame]);
                for (a, (force, inverse)) in own.iter_mut().zip(forces) {
                    *a = force * inverse;
                }
            }
        }
        for (rate, bristles) in bristle_rates.iter_mut().zip(&*bristles) {
            *rate = bristles.rate;
        }
    }

    /// The energy at a state of the mechanism. `true` if all bodies are now placed there.
    pub(crate) fn energy_at(
        &self,
        t: f64,
        y: &[f64],
        mode: &Mode,
        Evaluation { work, touching, .. }: &mut Evaluation<f64>,
    ) -> (Energy, bool) {
        if self.in_flight().is_none() || !self.few_touch(mode, touching) {
            self.locate(t, y, work);
            return (self.energy(work, mode), true);
        }
        let n = self.layout.structure.unknowns;
        let coordinates = y[..n].chunks_exact(3).zip(y[n..2 * n].chunks_exact(3));
        let mut energy = Energy::default();
        for ((_, body), (q, v)) in self.mechanism.bodies.iter().zip(coordinates) {
            self.add_body(body, [q[0], q[1]], ([v[0], v[1]], v[2]), &mut energy);
        }
        energy.elastic = std::iter::empty::<f64>().sum();
        self.place_some(y, touching, work);
        energy.contact = self.contact_energy(work, mode);
        (energy, false)
    }

    /// Adds the energies of a body.
    #[inline]
    pub(super) fn add_body(
        &self,
        body: &Body,
        [x, y]: [f64; 2],
        ([vx, vy], omega): ([f64; 2], f64),
        energy: &mut Energy,
    ) {
        let [gx, gy] = self.mechanism.gravity;
        let square = body.mass * (vx * vx + vy * vy) + body.inertia * omega * omega;
        energy.kinetic += 0.5 * square;
        energy.gravity -= body.mass * (gx * x + gy * y);
    }
}

#[cfg(test)]
mod tests {
    use jointplay_contact::damping::{DampingLaw, Factor};
    use jointplay_contact::elastic::{ElasticLaw, Power};
    use jointplay_contact::friction::FrictionLaw;
    use jointplay_contact::{ContactLaw, NormalLaw, Restitution};

    use super::*;
    use crate::{Builder, DriftControl, Error, Formulation, GROUND, JournalBearing};

    /// Free bodies in a row, each hung up by a pin in a bore with 0.1 of clearance.
    fn row(count: usize) -> Result<Equations, Error> {
        let elastic = ElasticLaw::Power(Power { stiffness: 1e4, exponent: 1.5 });
        let factor = Factor::HuntCrossley;
        let damping = DampingLaw::Factor { factor, restitution: Restitution::Constant(0.6) };
        let normal = NormalLaw::new(elastic, damping);
        let mut parts = Builder::new();
        parts.gravity([0.3, -9.81]);
        let mut last = GROUND.origin();
        for i in 0..count {
            let body = Body::new(1.0 + 0.1 * i as f64, 0.1).placed([i as f64 + 0.5, 0.0], 0.0);
            let link = parts.body(format!("link {i}"), body);
            let pin = JournalBearing {
                bearing: last,
                journal: link.at([-0.5, 0.0]),
                bearing_radius: 0.3,
                clearance: 0.1,
                contact_point: 0.0,
            };
            let friction = FrictionLaw::NoFriction;
            parts.journal_bearing(
                format!("pin {i}"),
                pin,
                ContactLaw { normal: normal.clone(), friction },
            );
            last = link.at([0.5, 0.0]);
        }
        let mechanism = parts.build()?;
        Equations::new(&mechanism, Formulation::Absolute, DriftControl::default())
    }

    /// The general evaluation places every body and visits every contact; rates, powers and energies must have its bits.
    #[test]
    fn property_bodies_in_flight_have_the_bits_of_an_evaluation() {
        let equations = row(20).expect("a mechanism");
        let n = equations.unknown_count();
        let mut mode = equations.all_apart();
        for touching in [&[][..], &[4], &[0, 19], &[7, 8, 9]] {
            for &contact in touching {
                let law = &equations.mechanism.contacts[contact].law.normal;
                let touch = law.begin(0.5, 0.7).expect("it begins");
                mode.contacts[contact] = Phase::Touching { touch, sliding: 0.0 };
            }
            let mut y = vec![0.0; equations.state_count()];
            for (i, y) in y.iter_mut().enumerate() {
                let along = if i < n && i % 3 == 0 { 0.5 + (i / 3) as f64 } else { 0.0 };
                *y = along + 0.1 * (1.7 * i as f64).sin();
            }
            let (mut flying, mut general) = (equations.evaluation(), equations.evaluation());
            let mut dy = vec![f64::NAN; y.len()];
            let few = equations.rates(0.2, &y, &mode, &mut dy, &mut flying);
            assert_eq!(few.ok(), Some(false), "not all bodies are placed");
            equations.evaluate(0.2, &y, &mode, &mut general).expect("it has accelerations");
            let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&dy[..n]), bits(&y[n..2 * n]));
            assert_eq!(bits(&dy[n..2 * n]), bits(&general.work.unknowns));
            assert_eq!(bits(&dy[2 * n..]), bits(&general.power));
            let (energy, placed) = equations.energy_at(0.2, &y, &mode, &mut flying);
            assert!(!placed);
            assert_eq!(energy, equations.energy(&general.work, &mode));
            mode = equations.all_apart();
        }
    }

    #[test]
    fn property_many_that_touch_are_placed_with_all_others() {
        let equations = row(5).expect("a mechanism");
        let mut mode = equations.all_apart();
        let touch = equations.mechanism.contacts[0].law.normal.begin(0.5, 0.7).expect("it begins");
        let mut touching = Vec::new();
        for (contact, few) in [(0, true), (1, false), (2, false)] {
            mode.contacts[contact] = Phase::Touching { touch, sliding: 0.0 };
            assert_eq!(equations.few_touch(&mode, &mut touching), few);
        }
    }
}
