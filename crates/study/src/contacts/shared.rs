//! Warnings that many joints share, such as those of an array of parts.

use std::collections::HashMap;
use std::fmt;
use std::mem::discriminant;

use super::concern::Warning;

/// The most joints with the same concern that are each given a line.
const EACH_A_LINE: usize = 3;

/// A warning for one joint, or for many joints with the same concern about the same law.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedWarning<'w> {
    /// The warning of the joint of which the greatest part is affected.
    worst: &'w Warning,
    /// The number of joints with this concern.
    joints: usize,
}

impl<'w> SharedWarning<'w> {
    /// The warnings in their order; those that more than [`EACH_A_LINE`] joints share come once, in the place of the first.
    pub(crate) fn of(warnings: impl Iterator<Item = &'w Warning> + Clone) -> Vec<Self> {
        let kind = |w: &'w Warning| (discriminant(&w.concern), w.law, w.better.as_deref());
        let mut kinds = HashMap::new();
        for warning in warnings.clone() {
            let known = kinds.entry(kind(warning));
            let known = known.or_insert(SharedWarning { worst: warning, joints: 0 });
            known.joints += 1;
            if warning.share > known.worst.share {
                known.worst = warning;
            }
        }
        let told = warnings.filter_map(|warning| match kinds.get(&kind(warning)) {
            Some(shared) if shared.joints > EACH_A_LINE => kinds.remove(&kind(warning)),
            Some(_) => Some(SharedWarning { worst: warning, joints: 1 }),
            // It has been told.
            None => None,
        });
        told.collect()
    }
}

impl fmt::Display for SharedWarning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SharedWarning { worst, joints } = self;
        if *joints == 1 {
            return worst.fmt(f);
        }
        write!(f, "joint '{}', the worst of {joints} with this concern: ", worst.joint)?;
        worst.write_concern(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::{Concern, Whole};

    fn warning(joint: usize, concern: Concern, share: f64) -> Warning {
        let (joint, of) = (format!("pin{joint}"), Whole::ContactTime);
        Warning { joint, law: None, concern, share, of, better: None }
    }

    #[test]
    fn exact_one_line_for_what_many_joints_share() {
        let deep = |reached| Concern::Deep { solid: 0.01, reached, t: 1.0 };
        let load = Concern::Load { limit: 1e-6, reached: 2e-6 };
        let mut all = vec![warning(1, load, 0.5)];
        all.extend((1..=9).map(|i| warning(i, deep(0.002), if i == 7 { 0.4 } else { 0.1 })));
        all.push(warning(2, load, 0.25));
        let told: Vec<_> = SharedWarning::of(all.iter()).iter().map(ToString::to_string).collect();
        let starts = |line: usize, text: &str| assert!(told[line].starts_with(text), "{told:?}");
        assert_eq!(told.len(), 3);
        starts(0, "joint 'pin1': its elastic law");
        starts(1, "joint 'pin7', the worst of 9 with this concern: the indentation reaches");
        starts(2, "joint 'pin2': its elastic law");
    }
}
