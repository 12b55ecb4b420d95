//! The numbers of a clearance joint: their names, meanings and units, and the tables that show them.
//!
//! This list is the only one. Metrics of model files, tables, `summary.json`, `laws.csv` and the page are made from it.

use serde::Serialize;

/// The form of a number.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// A count.
    Count,
    /// A quantity with its unit.
    Quantity(&'static str),
    /// A number without a unit.
    Ratio,
    /// A fraction, for people as a percentage.
    Share,
}

/// A table of joints.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum JointTable {
    /// The summary of a run.
    Run,
    /// Laws side by side.
    Laws,
    /// The same as a file.
    LawsFile,
    /// Many runs of one model.
    Scatter,
    /// The card of a joint at the head of the page.
    Card,
    /// Runs side by side in the page.
    Runs,
    /// A what-if run next to the recorded one in the page.
    WhatIf,
}

/// The names of a statistic, and the tables that show it.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(rename = "JointNumber"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Description {
    /// Its name in files and, after that of the joint, in metrics.
    #[cfg_attr(feature = "types", ts(type = "Exclude<keyof JointSummary, \"domain\">"))]
    pub key: &'static str,
    /// Its name in the head of a table.
    pub label: &'static str,
    /// Its long name.
    pub title: &'static str,
    /// What it is, in a sentence.
    pub meaning: &'static str,
    /// Its form.
    pub form: Form,
    /// The tables that show it.
    pub tables: &'static [JointTable],
}

/// The enum and the descriptions of its variants, from one line for each.
macro_rules! joint_statistics {
    ($(
        #[doc = $meaning:literal]
        $variant:ident: $key:literal, $label:literal, $title:literal, $form:expr, $tables:expr;
    )+) => {
        /// A statistic of a clearance joint, contact or stop.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum JointStatistic {
            $(#[doc = $meaning] $variant,)+
        }

        impl JointStatistic {
            /// Every statistic, in the order in which tables show them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its names, its form and the tables that show it.
            pub const fn description(self) -> Description {
                match self {
                    $(Self::$variant => Description {
                        key: $key,
                        label: $label,
                        title: $title,
                        meaning: $meaning.trim_ascii_start(),
                        form: $form,
                        tables: $tables,
                    },)+
                }
            }
        }
    };
}

use Form::{Count, Quantity, Ratio, Share};
use JointTable::{Card, Laws, LawsFile, Run, Runs, Scatter, WhatIf};

const EVERYWHERE: &[JointTable] = &[Run, Laws, LawsFile, Scatter, Card, Runs, WhatIf];

joint_statistics! {
    /// Number of contacts, those included that were not over when the run ended.
    Impacts: "impacts", "impacts", "Impacts", Count, EVERYWHERE;
    /// Number of contacts that were not over when the run ended.
    Open: "open", "open", "Open contacts", Count, &[];
    /// Time at which the first contact began.
    FirstImpactTime: "first_impact_time", "first at", "First impact", Quantity("s"), &[Run, Laws, LawsFile];
    /// Impact speed of the first contact.
    FirstImpactSpeed: "first_impact_speed", "impact speed", "First impact speed", Quantity("m/s"), &[Run, Laws, LawsFile];
    /// Greatest impact speed.
    MaxImpactSpeed: "max_impact_speed", "fastest", "Fastest impact", Quantity("m/s"), &[Run, Card];
    /// Greatest normal force of one contact.
    PeakForce: "peak_force", "peak force", "Peak force", Quantity("N"), EVERYWHERE;
    /// Time at which the normal force was greatest.
    PeakForceTime: "peak_force_time", "peak at", "Time of the peak force", Quantity("s"), &[];
    /// Greatest indentation.
    MaxIndentation: "max_indentation", "max indentation", "Max indentation", Quantity("m"), EVERYWHERE;
    /// Duration of the longest impact that was over when the run ended; continuous contact does not count.
    MaxImpactDuration: "max_impact_duration", "longest", "Longest impact", Quantity("s"), &[Runs];
    /// Mean duration of the impacts that were over when the run ended; continuous contact does not count.
    MeanImpactDuration: "mean_impact_duration", "mean duration", "Mean duration", Quantity("s"), &[Runs];
    /// Specified restitution, mean of the finished impacts.
    RestitutionIn: "restitution_in", "e in", "Specified restitution", Ratio, &[Run, LawsFile];
    /// Restitution of free impacts at the same speeds under the same law, mean of the finished impacts.
    RestitutionFree: "restitution_free", "e free", "Restitution of free impacts", Ratio, &[Run];
    /// Separation speed divided by approach speed, mean of the finished impacts.
    RestitutionOut: "restitution_out", "e out", "Restitution", Ratio, EVERYWHERE;
    /// Fraction of the time with any contact.
    ContactFraction: "contact_fraction", "in contact", "In contact", Share, &[Run, Laws, LawsFile, Scatter, Runs, WhatIf];
    /// Fraction of the time in impacts.
    ImpactFraction: "impact_fraction", "in impacts", "In impacts", Share, &[];
    /// Fraction of the time in continuous contact.
    ContinuousFraction: "continuous_fraction", "in continuous contact", "In continuous contact", Share, &[];
    /// Energy lost along the normal.
    LossNormal: "loss_normal", "lost along the normal", "Lost along the normal", Quantity("J"), &[LawsFile];
    /// Energy lost in sliding.
    LossFriction: "loss_friction", "lost in sliding", "Lost in sliding", Quantity("J"), &[LawsFile];
    /// Energy lost along the normal and in sliding.
    Loss: "loss", "energy lost", "Energy lost", Quantity("J"), &[Run, Laws, Scatter, Card, Runs, WhatIf];
    /// Energy added at seams between sections with different laws; the channel `energy.seam` has the opposite sign.
    SeamEnergy: "seam_energy", "added at seams", "Added at seams", Quantity("J"), &[];
    /// Fraction of the contact time outside the domain of the law.
    OutOfDomain: "out_of_domain", "outside domain", "Outside the law's domain", Share, &[LawsFile, Runs];
}

impl JointStatistic {
    /// Its name in files and behind that of the joint.
    pub const fn key(self) -> &'static str {
        self.description().key
    }

    /// Its unit; `-` for a pure number.
    pub const fn unit(self) -> &'static str {
        match self.description().form {
            Quantity(unit) => unit,
            Count | Ratio | Share => "-",
        }
    }
}
