//! Errors of the mechanism, reported at the parts of the file that they name.

use jointplay_mbd::{Error, PartRef};

use crate::document::{At, Document, Named};
use crate::problem::Problems;

/// Reports the problems of the mechanism at the parts that they name.
pub(super) fn explain(document: &Document, error: &Error, context: &str, problems: &mut Problems) {
    // What is wrong with a part is so in either variant.
    let context = if matches!(error, Error::Parts { .. }) { "" } else { context };
    let mut report = |part: Option<&PartRef>, message: String, hint: Option<&str>| {
        let at = part.and_then(|part| document.find(&part.name));
        let At { path, place } = at.cloned().unwrap_or_default();
        problems.report(&place, &path, format!("{context}{message}"), hint.map(str::to_owned));
    };
    match error {
        Error::Parts { problems } => {
            for problem in problems {
                report(Some(&problem.part), problem.to_string(), None);
            }
        }
        Error::Positions { open } => {
            for open in open.iter().take(10) {
                let message = format!("the mechanism cannot be assembled: {open}");
                let hint =
                    "place the bodies closer to where they belong, or check lengths and drivers";
                report(Some(&open.part), message, Some(hint));
            }
        }
        Error::Speeds { open } => {
            for open in open.iter().take(10) {
                let message = format!(
                    "no velocities satisfy joints, drivers and start conditions together: {open}"
                );
                report(Some(&open.part), message, None);
            }
        }
        Error::Overlap { part, .. } => {
            let hint = "start.clearances = \"centred\" puts it in the middle; \
                        initial_impact_speed lets it start in contact";
            report(Some(part), error.to_string(), Some(hint));
        }
        other => report(other.part(), other.to_string(), None),
    }
}

impl Document {
    /// The place at which the part with this name was defined; names are unique over all kinds of
    /// parts.
    fn find(&self, name: &str) -> Option<&At> {
        fn of<'a, T>(parts: &'a [Named<T>], name: &str) -> Option<&'a At> {
            parts.iter().find(|part| part.name == name).map(|part| &part.at)
        }
        of(&self.bodies, name)
            .or_else(|| of(&self.joints, name))
            .or_else(|| of(&self.contacts, name))
            .or_else(|| of(&self.drivers, name))
            .or_else(|| of(&self.forces, name))
    }
}
