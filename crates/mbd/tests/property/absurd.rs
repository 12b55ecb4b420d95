//! Mechanisms that make no sense end with a sentence, not with a panic. The fuzz target of the same name goes on where
//! this test stops.

#[path = "../../../../testing/absurd.rs"]
mod parts;

use proptest::prelude::*;

use super::bounds::overlap;
use crate::sweep;

proptest! {
    #![proptest_config(ProptestConfig { cases: sweep::cases(1000, 5000), max_shrink_iters: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn property_absurd_mechanisms_end_with_a_sentence(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        parts::build_and_run(&bytes);
    }

    /// Without absurd numbers more mechanisms get as far as a run.
    #[test]
    fn property_random_mechanisms_stay_finite(bytes in prop::collection::vec(24..240_u8, 0..300)) {
        parts::build_and_run(&bytes);
    }
}
