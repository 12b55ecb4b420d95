//! How much of a sweep runs: a representative in `cargo xtask test`, all of it in `cargo xtask soak`.

/// The number of cases: the first, or the second where `JOINTPLAY_SOAK` is set.
pub(crate) fn cases<T>(representative: T, all: T) -> T {
    if std::env::var_os("JOINTPLAY_SOAK").is_some() { all } else { representative }
}
