//! The part to which a component of the state, a frame, a constraint or a problem belongs.

use super::{Equations, Trouble};
use crate::error::{Error, PartKind, PartRef};
use crate::formulation::Core;
use crate::formulation::span::RowOwner;
use crate::mechanism::Mechanism;
use crate::row::RowKind;

/// The coordinate of a body that a row constrains.
pub(crate) fn measured(mechanism: &Mechanism, row: &crate::row::Row) -> PartRef {
    let body = |frame: usize| mechanism.body_name(crate::BodyId(frame));
    let what = match row.kind {
        RowKind::X => "x",
        RowKind::Y => "y",
        RowKind::Angle => "angle",
        RowKind::Along(_) => "displacement",
        RowKind::Distance => "distance",
    };
    PartRef::new(PartKind::Body, body(row.b.frame)).labelled(|part| {
        if row.a.frame == 0 {
            format!("{what} of {part}")
        } else {
            format!("{what} of {part} on '{}'", body(row.a.frame))
        }
    })
}

/// The part that a constraint belongs to.
pub(crate) fn owner_of(mechanism: &Mechanism, owner: RowOwner) -> PartRef {
    match owner {
        RowOwner::Joint { joint, row } => {
            let joint = &mechanism.joints[joint];
            let direction = joint.kind.row_names()[row];
            let part = PartRef::new(PartKind::Joint, &joint.name);
            part.labelled(|part| format!("{part} ({direction})"))
        }
        RowOwner::Driver(driver) => PartRef::new(PartKind::Driver, &mechanism.drivers[driver].name),
    }
}

impl Equations {
    /// The name of each component of the state.
    pub fn state_names(&self) -> Vec<String> {
        self.state_parts().map(|part| part.label().to_owned()).collect()
    }

    /// The part of each component of the state, with a label for the component.
    pub(crate) fn state_parts(&self) -> impl Iterator<Item = PartRef> + '_ {
        let mechanism = &self.mechanism;
        let unknowns = || self.layout.unknowns.iter().map(|row| measured(mechanism, row));
        let rates = unknowns().map(|part| part.labelled(|name| format!("rate of {name}")));
        let accounts = mechanism.accounts.iter().map(|account| {
            let part = PartRef::new(account.kind.part_kind(), &account.part);
            part.labelled(|_| format!("{} of '{}'", account.kind, account.part))
        });
        let bent = mechanism.contacts.iter().zip(&mechanism.contact_names);
        let bent = bent.filter(|(contact, _)| contact.bristle.is_some());
        let bristles = bent.map(|(_, name)| {
            let part = PartRef::new(PartKind::Contact, name);
            part.labelled(|part| format!("bristles of {part}"))
        });
        unknowns().chain(rates).chain(bristles).chain(accounts)
    }

    /// The part that a frame belongs to.
    pub(crate) fn part_of_frame(&self, frame: usize) -> PartRef {
        // Frames beyond those of the bodies belong to the free body attached to them.
        let mut frame = frame;
        if let Core::Tree(tree) = &self.layout.structure.core {
            while frame > self.mechanism.bodies.len() {
                let child = tree.links.iter().find(|link| link.parent == frame);
                frame = child.map_or(0, |link| link.frame);
            }
        }
        PartRef::new(PartKind::Body, self.mechanism.body_name(crate::BodyId(frame)))
    }

    /// The part that a constraint belongs to, and its unit.
    pub(crate) fn part_of_row(&self, row: usize) -> (PartRef, &'static str) {
        let unit = if self.layout.structure.rows[row].kind == RowKind::Angle { "rad" } else { "m" };
        (owner_of(&self.mechanism, self.layout.owners[row]), unit)
    }

    /// A trouble at the start as an error.
    pub(crate) fn evaluation_error(&self, trouble: Trouble) -> Error {
        match trouble {
            Trouble::Massless { frame } => Error::Massless { part: self.part_of_frame(frame) },
            Trouble::Friction { joint } => {
                let part = PartRef::new(PartKind::Joint, &self.mechanism.joints[joint].name);
                Error::Evaluation { part, reason: trouble.reason() }
            }
        }
    }
}
