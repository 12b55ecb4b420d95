//! Watches that no contact is apart while its surfaces overlap.

use std::ops::ControlFlow;

use jointplay_mbd::{ContactId, EventKind, EventRecord, Facing, Mechanism, Observer, Phase, Step};

/// An observer that measures how deep a contact ever was that faces its surface and does not touch, beyond where its next
/// contact starts. Such a contact has been lost, and its bodies pass through each other.
pub(crate) struct Overlap {
    contacts: Vec<ContactId>,
    /// The greatest depth of a lost contact at the end of a step (m; rad of a stop on an angle), and when it was (s).
    pub(crate) worst: (f64, f64),
    /// Contacts that started.
    pub(crate) starts: usize,
    /// When the first did (s).
    pub(crate) first: Option<f64>,
}

impl Overlap {
    /// Watches all contacts of a mechanism.
    pub(crate) fn of(mechanism: &Mechanism) -> Self {
        let contacts = mechanism.contacts().map(|(id, ..)| id).collect();
        Overlap { contacts, worst: (0.0, 0.0), starts: 0, first: None }
    }
}

impl Observer for Overlap {
    fn step(&mut self, step: &mut Step<'_>) -> ControlFlow<()> {
        let [_, t] = step.span();
        for &id in &self.contacts {
            if let Phase::Apart { start, facing: Facing::Before, .. } = *step.phase(id) {
                let depth = step.indentation(t, id).delta - start;
                if depth > self.worst.0 {
                    self.worst = (depth, t);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn event(&mut self, event: &EventRecord) {
        if let EventKind::ContactStart { .. } = event.kind {
            self.starts += 1;
            self.first.get_or_insert(event.t);
        }
    }
}
