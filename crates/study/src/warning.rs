//! What to know about a whole run before trusting its numbers.

use std::fmt;

use jointplay_mbd::{Account, Ledger, Outrun, Overlaps, Solution};

/// The part of the energy exchanged that may stay unexplained, as residual of the books or as work of drift control, before
/// it is told.
pub const UNEXPLAINED: f64 = 1e-4;

/// A warning about a whole run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RunWarning {
    /// The books do not close.
    Residual {
        /// The greatest residual of the books over the energy exchanged.
        share: f64,
        /// The same (J).
        joule: f64,
        /// The account with the greatest amount, and the amount (J).
        largest: Option<(Account, f64)>,
    },
    /// What keeps the constraints took energy, or brought it.
    Drift {
        /// The greatest amount over the energy exchanged.
        share: f64,
        /// The same (J).
        joule: f64,
        /// Whether projection keeps the constraints.
        projection: bool,
    },
    /// A fixed step is too long for a signal.
    Outrun(Outrun),
    /// Contacts had to start inside an overlap.
    Late {
        /// The name of the one that started deepest.
        contact: String,
        /// How many, when the deepest started, how deep it was, and the energy of all.
        starts: Overlaps,
    },
    /// Pins came out of a wall, which they entered where the model has no surface.
    Emerged {
        /// The name of the contact of the deepest.
        contact: String,
        /// How many, when the deepest came out, and how deep it was.
        pins: Overlaps,
    },
    /// Contacts came off the end of their surface while they were pressed together.
    Snapped {
        /// The name of the one that was pressed deepest.
        contact: String,
        /// How many, when the deepest came off, how deep it was, and the energy that all of them stored.
        contacts: Overlaps,
    },
}

impl RunWarning {
    /// The warnings of a run.
    pub fn of(solution: &Solution) -> Vec<Self> {
        let ledger: &Ledger = &solution.ledger;
        let mut warnings = Vec::new();
        let ([books, drift, both], [books_joule, drift_joule, _]) =
            (ledger.shown_shares(), ledger.shown);
        // Of a sum beyond the limit the greater part is told. Negated comparisons, so that NaN is told.
        let beyond = !(both <= UNEXPLAINED);
        if !(drift <= UNEXPLAINED) || (beyond && drift > books) {
            let projection = solution.drift_control().projection;
            warnings.push(RunWarning::Drift { share: drift, joule: drift_joule, projection });
        }
        if !(books <= UNEXPLAINED) || (beyond && !(drift > books)) {
            let largest = ledger.largest().cloned();
            warnings.push(RunWarning::Residual { share: books, joule: books_joule, largest });
        }
        warnings.extend(solution.outrun.clone().map(RunWarning::Outrun));
        warnings.extend(solution.late.map(|starts| RunWarning::Late {
            contact: solution.mechanism().contact_name(starts.contact).to_owned(),
            starts,
        }));
        warnings.extend(solution.emerged.map(|pins| RunWarning::Emerged {
            contact: solution.mechanism().contact_name(pins.contact).to_owned(),
            pins,
        }));
        warnings.extend(solution.snapped.map(|contacts| RunWarning::Snapped {
            contact: solution.mechanism().contact_name(contacts.contact).to_owned(),
            contacts,
        }));
        warnings
    }
}

impl fmt::Display for RunWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunWarning::Residual { share, joule, largest } => {
                write!(f, "the energy books do not close: {joule:.3e} J, {share:.1e} of the ")?;
                write!(f, "energy exchanged, is unexplained (limit {UNEXPLAINED:.0e})")?;
                if let Some((account, amount)) = largest {
                    let Account { kind, part } = account;
                    write!(f, "; the largest account is the {kind} of '{part}', {amount:.3e} J")?;
                }
                write!(f, "; a tighter rtol, a shorter max_step or another method may mend it")
            }
            RunWarning::Drift { share, joule, projection } => {
                write!(f, "drift control moved {joule:.3e} J, {share:.1e} of the energy ")?;
                write!(f, "exchanged (limit {UNEXPLAINED:.0e}): no part of the mechanism did ")?;
                let cure = if *projection { "" } else { "projection instead of baumgarte, or " };
                write!(f, "that; use {cure}a tighter rtol")
            }
            RunWarning::Outrun(Outrun { part, t, step, longest, .. }) => {
                write!(f, "{part}: the fixed step of {step:.3e} s is too long for its signal, ")?;
                write!(f, "which allows {longest:.3e} s at t = {t:.6e} s; ")?;
                write!(f, "use a shorter step, or a method that chooses its steps")
            }
            RunWarning::Late { contact, starts } => {
                let Overlaps { count, t, overlap, energy, .. } = starts;
                write!(f, "contact '{contact}' was found late: it started {overlap:.3e} m deep ")?;
                write!(f, "at t = {t:.6e} s; {count} such starts brought {energy:.3e} J that ")?;
                write!(f, "nothing did the work for (channel energy.cut); ")?;
                write!(f, "a shorter max_step may mend it")
            }
            RunWarning::Emerged { contact, pins } => {
                let Overlaps { count, t, overlap, .. } = pins;
                write!(f, "contact '{contact}': at t = {t:.6e} s its pin came out of the wall, ")?;
                write!(f, "{overlap:.3e} m deep ({count} such passages): it was behind the ")?;
                write!(f, "surface, where nothing holds it; ")?;
                write!(f, "look at the motion before that time, or add the missing surface")
            }
            RunWarning::Snapped { contact, contacts } => {
                let Overlaps { count, t, overlap, energy, .. } = contacts;
                write!(f, "contact '{contact}': at t = {t:.6e} s it came off the end of its ")?;
                write!(f, "surface while pressed {overlap:.3e} m deep, and nothing holds it ")?;
                write!(f, "there; {energy:.3e} J stored in {count} such contacts count as ")?;
                write!(f, "loss; make the surface longer, or add the one that follows it")
            }
        }
    }
}
