//! `cargo xtask soak`: everything that takes longer than `cargo xtask test` may.

use crate::{cargo, engine, package, steps};

/// Tests with their whole sweeps, packages that are built, the engine of the page compiled again, and the campaigns; words choose
/// among them. A whole campaign writes its row of `docs/reliability.md`.
pub(crate) fn soak(words: &[&str]) -> Result<(), String> {
    let start = std::time::Instant::now();
    let is_kind = |word: &&&str| matches!(**word, "tests" | "packages" | "engine");
    let kinds: Vec<&str> = words.iter().filter(is_kind).copied().collect();
    let others: Vec<&str> = words.iter().filter(|word| !is_kind(word)).copied().collect();
    let done = chosen(words.is_empty(), &kinds, &others);
    println!("\n{}", steps::table(start));
    done
}

fn chosen(all: bool, kinds: &[&str], campaigns: &[&str]) -> Result<(), String> {
    if all || kinds.contains(&"tests") {
        cargo("whole sweeps", &["test", "--workspace", "--locked"], &[("JOINTPLAY_SOAK", "1")])?;
    }
    if all || kinds.contains(&"packages") {
        package::verify()?;
    }
    if all || kinds.contains(&"engine") {
        engine::check_bytes()?;
    }
    if all || !campaigns.is_empty() {
        let mut arguments =
            vec!["bench", "--package", "jointplay", "--bench", "soak", "--locked", "--"];
        arguments.extend(if campaigns.is_empty() { &["--write"] } else { campaigns });
        cargo("campaigns", &arguments, &[])?;
    }
    Ok(())
}
