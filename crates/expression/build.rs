//! Tells the crate the hash of its sources.

fn main() {
    jointplay_fingerprint::emit();
}
