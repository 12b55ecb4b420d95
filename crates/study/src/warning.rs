//! Warnings about a whole run: what to know before trusting its numbers.

use std::fmt;

use jointplay_mbd::{Account, Ledger, Outrun, Overlaps, Solution};

/// A warning is given if a larger fraction of the energy in play than this is unexplained: the residual of the ledger, or the
/// work of drift control.
pub const UNEXPLAINED: f64 = 1e-4;

/// A warning about a whole run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RunWarning {
    /// The energy ledger does not close.
    Residual {
        /// Largest residual of the ledger as a fraction of the energy in play.
        share: f64,
        /// The same in J.
        joule: f64,
        /// The account with the largest amount, and that amount (J).
        largest: Option<(Account, f64)>,
    },
    /// Drift control (projection or Baumgarte's terms) removed energy, or added it.
    Drift {
        /// Largest amount as a fraction of the energy in play.
        share: f64,
        /// The same in J.
        joule: f64,
        /// Whether the constraints are kept by projection.
        projection: bool,
    },
    /// A fixed step is too long for a signal.
    Outrun(Outrun),
    /// Contacts had to start while indented.
    Late {
        /// Name of the contact that started deepest.
        contact: String,
        /// Their number, time and indentation of the deepest, and the energy of all of them.
        starts: Overlaps,
    },
    /// Pins emerged from a wall that they had entered where the model has no surface.
    Emerged {
        /// Name of the contact at which a pin was deepest.
        contact: String,
        /// Their number, and the time and indentation of the deepest.
        pins: Overlaps,
    },
    /// Contacts slid off the end of their surface while they were indented.
    Snapped {
        /// Name of the contact with the deepest indentation.
        contact: String,
        /// Their number, the time and indentation of the deepest, and the energy that all of them stored.
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
        // If only the sum is beyond the limit, the larger term is reported. Comparisons are negated so that NaN is reported.
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
                write!(f, "the energy ledger does not close: {joule:.3e} J, {share:.1e} of the ")?;
                write!(f, "energy in play, is unexplained (limit {UNEXPLAINED:.0e})")?;
                if let Some((account, amount)) = largest {
                    let Account { kind, part } = account;
                    write!(f, "; the largest account is the {kind} of '{part}', {amount:.3e} J")?;
                }
                write!(f, "; a tighter rtol, a shorter max_step or another method may help")
            }
            RunWarning::Drift { share, joule, projection } => {
                write!(f, "drift control added or removed {joule:.3e} J, {share:.1e} of the ")?;
                write!(f, "energy in play (limit {UNEXPLAINED:.0e}), which no part of the ")?;
                let cure = if *projection { "" } else { "projection instead of baumgarte, or " };
                write!(f, "mechanism supplied or absorbed; use {cure}a tighter rtol")
            }
            RunWarning::Outrun(Outrun { part, t, step, longest, .. }) => {
                write!(f, "{part}: the fixed step of {step:.3e} s is too long for its signal, ")?;
                write!(f, "which allows {longest:.3e} s at t = {t:.6e} s; ")?;
                write!(f, "use a shorter step, or a method with step-size control")
            }
            RunWarning::Late { contact, starts } => {
                let Overlaps { count, t, overlap, energy, .. } = starts;
                write!(f, "contact '{contact}' was found late: it started with an indentation ")?;
                write!(f, "of {overlap:.3e} m at t = {t:.6e} s; such starts ({count}) added ")?;
                write!(
                    f,
                    "{energy:.3e} J that no part of the mechanism supplied (channel energy.cut); "
                )?;
                write!(f, "a shorter max_step may help")
            }
            RunWarning::Emerged { contact, pins } => {
                let Overlaps { count, t, overlap, .. } = pins;
                write!(f, "contact '{contact}': at t = {t:.6e} s its pin emerged from the wall ")?;
                write!(
                    f,
                    "from an indentation of {overlap:.3e} m (such events: {count}): it had been "
                )?;
                write!(f, "behind the surface, where there is no contact; ")?;
                write!(f, "look at the motion before that time, or add the missing surface")
            }
            RunWarning::Snapped { contact, contacts } => {
                let Overlaps { count, t, overlap, energy, .. } = contacts;
                write!(f, "contact '{contact}': at t = {t:.6e} s it slid off the end of its ")?;
                write!(f, "surface while indented by {overlap:.3e} m; the {energy:.3e} J stored ")?;
                write!(f, "in such contacts ({count}) are counted as lost; ")?;
                write!(f, "make the surface longer, or add the one that follows it")
            }
        }
    }
}
