//! One test for each entry of `docs/errata.md`: the printed and the consistent number, computed
//! from the laws of the catalogue or by plain arithmetic.

use crate::golden::{Printed, impact, law, numbers, returning, rows};
use crate::readings::{EFFECTIVE_MASS, SPEED, STIFFNESS};
use jointplay_contact::elastic::{ElasticLaw, ElasticModel};

mod cylinders;
mod impacts;
mod joints;

/// Fails unless `value` rounds to the digits of `text`.
fn reads(text: &str, value: f64) {
    assert!(Printed::parse(text).within(value, 0.5), "{value} does not read {text}");
}

/// e_N of the two spheres of Skrinjar2018 with the law `elastic+damping`.
fn spheres(name: &str, c: f64) -> f64 {
    let law = law(name, &returning(c, &numbers(&[("stiffness", STIFFNESS)])));
    impact(&law, EFFECTIVE_MASS, SPEED).restitution
}

/// The row of Skrinjar2018 table 2 as printed, for c_r = 0.1 … 1.
fn printed_row(id: &str) -> Vec<(f64, f64)> {
    let rows = rows("../crates/papers/published/skrinjar2018-table2-restitution/data.csv");
    let row = rows.iter().find(|row| row.text("law") == id).unwrap();
    (1..=10)
        .map(|i| (f64::from(i) / 10.0, row.number(&format!("{:.2}", f64::from(i) / 10.0))))
        .collect()
}

/// Indentation in mm under a load in N/mm.
fn depth(law: &ElasticLaw, load: f64) -> f64 {
    1e3 * law.indentation(load).unwrap()
}

/// Root of a function that changes sign from − to + between `low` and `high`.
fn root(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    low
}

#[test]
fn property_every_entry_of_the_page_has_its_test() {
    let page = include_str!("../../../../docs/errata.md");
    let here =
        [include_str!("impacts.rs"), include_str!("cylinders.rs"), include_str!("joints.rs")]
            .concat();
    let named: Vec<&str> =
        page.lines().filter_map(|l| l.strip_prefix("Test: `")?.strip_suffix('`')).collect();
    let entries = page.lines().filter(|l| l.starts_with("## ")).count();
    assert_eq!((named.len(), entries), (29, 29));
    for (i, name) in named.iter().enumerate() {
        assert!(
            name.starts_with(&format!("erratum_{:02}_", i + 1)),
            "{name} is not that of entry {}",
            i + 1
        );
        assert!(here.contains(&format!("fn {name}() {{")), "no test {name}");
    }
    assert_eq!(here.matches("\nfn erratum_").count(), 29);
}
