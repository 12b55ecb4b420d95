//! The elements of a mechanism other than bodies, one page (source file) for each.
//!
//! A page contains everything that the model knows about its element: the [record](Record) that describes it in a file, how it
//! is read and checked, how it is built into a mechanism, its channels, its knobs, and its drawing. If the engine has
//! a type for the element, the page reads directly into it. [`Joint`], [`Contact`] and [`Force`] are closed enums: what every
//! element must provide is a method without a default, so an incomplete element does not compile.

pub(crate) mod bushing;
mod circle_line;
mod circles;
mod contact;
pub(crate) mod contact_spec;
pub(crate) mod coordinate;
pub(crate) mod driver;
mod fit;
mod force;
mod joint;
mod load;
mod prismatic;
mod revolute;
mod rod;
pub(crate) mod signal;
mod slot;
mod slot_path;
mod spring;
mod stop;
mod torque;
mod torsion_spring;
mod weld;

use crate::lower::{Lower, View};
use crate::shape::Record;

pub(crate) use contact::Contact;
pub(crate) use contact_spec::{ContactSpec, LawSpec};
pub(crate) use coordinate::Coordinate;
pub(crate) use driver::Driver;
pub(crate) use fit::ClearanceKey;
pub(crate) use force::{Force, channels as force_channels};
pub(crate) use joint::Joint;
pub(crate) use stop::Stop;

pub use force::{ForceDrawing, ForceForm};
pub use joint::JointForm;

/// The `type` of an element in a file, the record of its keys, and how it is read.
pub(crate) struct Element<T> {
    pub(crate) word: &'static str,
    record: &'static Record,
    /// `None` if it could not be read, which has been reported.
    read: fn(&mut Lower<'_, '_>, &View<'_>) -> Option<T>,
}

/// The joints that a file may have.
const JOINTS: [Element<Joint>; 5] =
    [revolute::ELEMENT, slot::ELEMENT, prismatic::ELEMENT, weld::ELEMENT, rod::ELEMENT];

/// The contacts outside joints that a file may have.
const CONTACTS: [Element<Contact>; 2] = [circles::ELEMENT, circle_line::ELEMENT];

/// The forces that a file may have.
const FORCES: [Element<Force>; 6] = [
    spring::ELEMENT,
    torsion_spring::ELEMENT,
    load::ELEMENT,
    torque::ELEMENT,
    bushing::ELEMENT,
    stop::ELEMENT,
];

/// The records of the joints by their `type`.
pub(crate) const JOINT_RECORDS: &[(&str, &Record)] = &records(&JOINTS);

/// The records of the contacts by their `type`.
pub(crate) const CONTACT_RECORDS: &[(&str, &Record)] = &records(&CONTACTS);

/// The records of the forces by their `type`.
pub(crate) const FORCE_RECORDS: &[(&str, &Record)] = &records(&FORCES);

const fn records<T, const N: usize>(
    elements: &[Element<T>; N],
) -> [(&'static str, &'static Record); N] {
    let mut records = [(elements[0].word, elements[0].record); N];
    let mut i = 1;
    while i < N {
        records[i] = (elements[i].word, elements[i].record);
        i += 1;
    }
    records
}

impl Joint {
    /// Reads a joint; `None` if it could not be read, which has been reported.
    pub(crate) fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Self> {
        read(&JOINTS, lower, view)
    }
}

impl Contact {
    /// Reads a contact; `None` if it could not be read, which has been reported.
    pub(crate) fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Self> {
        read(&CONTACTS, lower, view)
    }
}

impl Force {
    /// Reads a force; `None` if it could not be read, which has been reported.
    pub(crate) fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Self> {
        read(&FORCES, lower, view)
    }
}

fn read<T>(elements: &[Element<T>], lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<T> {
    let word = view.text("type")?;
    let element = elements.iter().find(|element| element.word == word)?;
    (element.read)(lower, view)
}
