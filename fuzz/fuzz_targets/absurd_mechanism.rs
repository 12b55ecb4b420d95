//! Small mechanisms of every kind of part, with good and absurd numbers.
#![no_main]

#[path = "../../testing/absurd.rs"]
mod absurd;
#[path = "../../testing/overlap.rs"]
mod overlap;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| absurd::build_and_run(bytes));
