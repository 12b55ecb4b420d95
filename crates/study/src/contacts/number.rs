//! The numbers of a joint with their names and units: every table of joints is made from this list.

use jointplay_model::JointStatistic;

use super::JointSummary;

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointTable {
    /// The summary of a run.
    Run,
    /// Laws side by side.
    Laws,
    /// The same as a file.
    LawsFile,
    /// Many runs of one model.
    Scatter,
}

/// A number of a [`JointSummary`], or one that follows from it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct JointNumber {
    /// Its name in files.
    pub key: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// How it is written.
    pub form: Form,
    /// The tables that show it.
    pub tables: &'static [JointTable],
    value: fn(&JointSummary) -> Option<f64>,
}

/// All numbers of a joint, in the order in which tables show them. One that no table shows is in `summary.json` only.
pub const JOINT_NUMBERS: &[JointNumber] = {
    use Form::{Count, Quantity, Ratio, Share};
    use JointStatistic as Of;
    use JointTable::{Laws, LawsFile, Run, Scatter};
    const fn number(
        key: &'static str,
        label: &'static str,
        form: Form,
        tables: &'static [JointTable],
        value: fn(&JointSummary) -> Option<f64>,
    ) -> JointNumber {
        JointNumber { key, label, form, tables, value }
    }
    /// A quantity that a metric may name, too.
    const fn quantity(
        of: JointStatistic,
        label: &'static str,
        tables: &'static [JointTable],
        value: fn(&JointSummary) -> Option<f64>,
    ) -> JointNumber {
        number(of.key(), label, Quantity(of.unit()), tables, value)
    }
    let (all, alone) = (&[Run, Laws, LawsFile, Scatter], &[Run]);
    let (one_run, in_file) = (&[Run, Laws, LawsFile], &[LawsFile]);
    &[
        number(Of::Impacts.key(), "impacts", Count, all, |j| Some(j.impacts as f64)),
        number("open", "open", Count, &[], |j| Some(j.open as f64)),
        quantity(Of::FirstImpactTime, "first at", one_run, |j| j.first_impact_time),
        quantity(Of::FirstImpactSpeed, "impact speed", one_run, |j| j.first_impact_speed),
        quantity(Of::MaxImpactSpeed, "fastest", alone, |j| j.max_impact_speed),
        quantity(Of::PeakForce, "peak force", all, |j| j.peak_force),
        quantity(Of::PeakForceTime, "peak at", &[], |j| j.peak_force_time),
        quantity(Of::MaxIndentation, "max indentation", all, |j| j.max_indentation),
        number("restitution_in", "e in", Ratio, &[Run, LawsFile], |j| j.restitution_in),
        number("restitution_free", "e free", Ratio, alone, |j| j.restitution_free),
        number(Of::RestitutionOut.key(), "e out", Ratio, all, |j| j.restitution_out),
        number(Of::ContactFraction.key(), "in contact", Share, all, |j| j.contact_fraction),
        number(Of::ImpactFraction.key(), "in impacts", Share, &[], |j| j.impact_fraction),
        number(Of::ContinuousFraction.key(), "in lasting contact", Share, &[], |j| {
            j.continuous_fraction
        }),
        quantity(Of::LossNormal, "lost along the normal", in_file, |j| j.loss_normal),
        quantity(Of::LossFriction, "lost in sliding", in_file, |j| j.loss_friction),
        quantity(Of::Loss, "energy lost", &[Run, Laws, Scatter], |j| {
            j.loss_normal.zip(j.loss_friction).map(|(normal, friction)| normal + friction)
        }),
        number("seam_energy", "added at seams", Quantity("J"), &[], |j| j.seam_energy),
        number("out_of_domain", "outside domain", Share, in_file, |j| j.out_of_domain),
    ]
};

impl JointNumber {
    /// Those that a table shows, in its order.
    pub fn shown_in(table: JointTable) -> impl Iterator<Item = &'static JointNumber> {
        JOINT_NUMBERS.iter().filter(move |number| number.tables.contains(&table))
    }

    /// Its value; `None` where it is not defined or not finite.
    pub fn of(&self, joint: &JointSummary) -> Option<f64> {
        (self.value)(joint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number of the summary of a joint is described, under its own name.
    #[test]
    fn property_every_number_of_a_joint_is_in_the_list() {
        let summary = serde_json::to_value(JointSummary::default()).expect("plain data");
        let fields = summary.as_object().expect("a struct").keys();
        let fields = fields.filter(|key| !["domain"].contains(&key.as_str()));
        let mut fields: Vec<&str> = fields.map(String::as_str).collect();
        let keys = JOINT_NUMBERS.iter().map(|number| number.key);
        // The loss is the sum of two of them.
        let mut keys: Vec<&str> = keys.filter(|key| *key != "loss").collect();
        fields.sort_unstable();
        keys.sort_unstable();
        assert_eq!(keys, fields);
        for key in keys {
            let number = JOINT_NUMBERS.iter().find(|n| n.key == key).expect("it is there");
            let mut summary = summary.clone();
            summary[key] = 7.into();
            let joint: JointSummary = serde_json::from_value(summary).expect("a summary");
            assert_eq!(number.of(&joint), Some(7.0), "{key}");
        }
    }

    /// What a metric may ask of a joint, tables show under the same name.
    #[test]
    fn property_every_statistic_of_metrics_is_in_the_list() {
        for statistic in JointStatistic::ALL {
            let found = JOINT_NUMBERS.iter().find(|number| number.key == statistic.key());
            let number = found.expect("a number of this name");
            let unit = if let Form::Quantity(unit) = number.form { unit } else { "-" };
            assert_eq!(unit, statistic.unit(), "{}", number.key);
        }
    }
}
