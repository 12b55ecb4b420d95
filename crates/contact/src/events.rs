//! The course of a contact while the bodies touch: at which instants its memory changes, and how.
//!
//! The free impact and the multibody engine follow the same course. Each of them locates the
//! instants in its own variables; this module says what to watch ([`NormalLaw::events`],
//! [`NormalLaw::watched`]) and what the memory of the contact is afterwards ([`NormalLaw::after`]).

use crate::damping::{Approach, DampingLaw, Stage, Touch};
use crate::elastic::ElasticModel;
use crate::law::{NormalLaw, Tension};

/// An instant that an integration must locate while the bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactEvent {
    /// The bodies separate.
    End,
    /// Maximum compression, or a minimum in a contact that continues.
    Turn,
    /// The force begins to pull and is cut to zero, or pushes again.
    Pull,
    /// The law has a bend at this indentation (m), where a step must end.
    Bend(f64),
    /// A law with permanent indentation is loaded again and meets its virgin curve.
    Dent,
}

/// A quantity whose zero is an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Watched {
    /// δ less this indentation (m).
    DeltaBeyond(f64),
    /// δ̇.
    Rate,
    /// The force [before the tension rule](NormalLaw::unclipped).
    Force,
    /// Nothing: the event cannot happen now.
    Nothing,
}

/// Which forces act on the bodies of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surroundings {
    /// Nothing but the contact itself: the free impact.
    Free,
    /// Other forces as well. They can separate the bodies faster than they met, so that any damped
    /// law may pull.
    Mechanism,
}

impl NormalLaw {
    /// The events that this law can have, [`ContactEvent::End`] first.
    pub fn events(&self, surroundings: Surroundings) -> impl Iterator<Item = ContactEvent> + '_ {
        let damping = &self.damping;
        let pulls = match surroundings {
            Surroundings::Free => damping.can_pull(),
            Surroundings::Mechanism => !matches!(damping, DampingLaw::None),
        };
        let cuts = self.tension == Tension::Clip && pulls;
        let reloads = damping.leaves_dent() && surroundings != Surroundings::Free;
        [ContactEvent::End]
            .into_iter()
            .chain(damping.has_stages().then_some(ContactEvent::Turn))
            .chain(cuts.then_some(ContactEvent::Pull))
            .chain(self.elastic.limits().continued_from.map(ContactEvent::Bend))
            .chain(damping.kink().map(ContactEvent::Bend))
            .chain(reloads.then_some(ContactEvent::Dent))
    }

    /// The quantity whose zero is an event of a contact with this memory.
    #[inline]
    pub fn watched(&self, event: ContactEvent, touch: &Touch) -> Watched {
        match event {
            ContactEvent::End => Watched::DeltaBeyond(self.end_of_contact(touch)),
            // A held contact has no stages.
            ContactEvent::Turn if touch.resting && self.damping.has_stages() => Watched::Nothing,
            ContactEvent::Turn => Watched::Rate,
            ContactEvent::Pull => Watched::Force,
            ContactEvent::Bend(delta) => Watched::DeltaBeyond(delta),
            // Only reloading meets the old indentation; unloading starts from it.
            ContactEvent::Dent if touch.stage == Stage::Compression && touch.max_delta > 0.0 => {
                Watched::DeltaBeyond(touch.max_delta)
            }
            ContactEvent::Dent => Watched::Nothing,
        }
    }

    /// The memory after an event at the indentation `delta`, where the watched quantity rose or fell through zero; `None` if the
    /// bodies have parted.
    pub fn after(
        &self,
        event: ContactEvent,
        rising: bool,
        touch: Touch,
        delta: f64,
    ) -> Option<Touch> {
        match (event, touch.stage) {
            (ContactEvent::End, _) => None,
            // A maximum of the compression ends an approach, a minimum begins another.
            (ContactEvent::Turn, Stage::Compression) if !rising => Some(self.turned(touch, delta)),
            (ContactEvent::Turn, Stage::Restitution) if rising => Some(self.turned(touch, delta)),
            (ContactEvent::Pull, _) => Some(Touch { cut: !rising, ..touch }),
            (ContactEvent::Turn | ContactEvent::Bend(_) | ContactEvent::Dent, _) => Some(touch),
        }
    }

    /// Energy that a contact with this memory can give back, J. If the force is cut to zero, the
    /// stored energy is lost.
    pub fn stored(&self, at: Approach, touch: &Touch) -> f64 {
        if touch.cut { 0.0 } else { self.eval(at, touch).energy }
    }
}
