//! Process capability beside another program.

use jointplay_study::capability::Capability;
use jointplay_study::statistics::{Distributed, Limit};

use crate::golden::rows;

#[test]
fn peer_capability_and_its_intervals() {
    for row in rows("process-capability/reference.csv") {
        let [lower, upper] = [("lower", false), ("upper", true)].map(|(name, upper)| Limit {
            metric: "x".to_owned(),
            upper,
            value: row.number(name),
        });
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let count = row.number("n") as usize;
        let (mean, std) = (row.maybe("mean"), row.maybe("std"));
        let spread = Distributed { count, mean, std, ..Distributed::default() };
        let found = Capability::of(&spread, [&lower, &upper]).expect("two limits");
        for (name, found) in [
            ("cp", found.cp),
            ("cp_low", found.cp_low),
            ("cp_high", found.cp_high),
            ("cpk", Some(found.cpk)),
            ("cpk_low", Some(found.cpk_low)),
            ("cpk_high", Some(found.cpk_high)),
        ] {
            let (found, expected) = (found.expect("two limits"), row.number(name));
            let off = (found - expected).abs();
            assert!(off <= 1e-10 * expected.abs(), "{name}: {found} for {expected}");
        }
    }
}
