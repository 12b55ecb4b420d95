//! Fits of ISO 286, judged by the printed limits of the standard.

use jointplay_model::IsoFit;

fn micrometres(text: &str) -> [f64; 4] {
    let fit = IsoFit::parse(text).unwrap_or_else(|(message, _)| panic!("{message}"));
    let [a, b] = fit.hole.map(|d| ((d - fit.nominal) * 1e6 * 1e3).round() / 1e3);
    let [c, d] = fit.shaft.map(|d| ((d - fit.nominal) * 1e6 * 1e3).round() / 1e3);
    [a, b, c, d]
}

#[test]
fn published_limits() {
    // ISO 286-2:2010, tables of limit deviations.
    assert_eq!(micrometres("20 H7/g6"), [0.0, 21.0, -20.0, -7.0]);
    assert_eq!(micrometres("Ø20 mm H7/k6"), [0.0, 21.0, 2.0, 15.0]);
    assert_eq!(micrometres("20H7/p6"), [0.0, 21.0, 22.0, 35.0]);
    assert_eq!(micrometres("20 H8/f7"), [0.0, 33.0, -41.0, -20.0]);
    assert_eq!(micrometres("50 F8/h6"), [25.0, 64.0, -16.0, 0.0]);
    assert_eq!(micrometres("30 H7/js6"), [0.0, 21.0, -6.5, 6.5]);
    assert_eq!(micrometres("30 H9/k8"), [0.0, 52.0, 0.0, 33.0]);
    // Ranges are over the first and up to and including the second limit.
    assert_eq!(micrometres("18 H7/g6"), [0.0, 18.0, -17.0, -6.0]);
    assert_eq!(micrometres("18.01 H7/g6"), [0.0, 21.0, -20.0, -7.0]);
    assert_eq!(micrometres("3 H7/g6"), [0.0, 10.0, -8.0, -2.0]);
}

#[test]
fn exact_the_probability_of_no_clearance() {
    let of = |text: &str| IsoFit::parse(text).expect("a fit").without_clearance();
    assert_eq!(of("20 H7/g6"), 0.0);
    assert_eq!(of("20 H7/p6"), 1.0);
    // H7 [0, 21], k6 [2, 15]: a hole of size x has no clearance for shafts above it; ∫ over both, by hand
    // (2 · 13 + 13²/2)/(21 · 13).
    let by_hand = (2.0 * 13.0 + 0.5 * 13.0 * 13.0) / (21.0 * 13.0);
    assert!((of("20 H7/k6") - by_hand).abs() < 1e-9, "{} {by_hand}", of("20 H7/k6"));
    // Equal zones about one size: one half.
    assert!((of("20 JS7/js7") - 0.5).abs() < 1e-9);
}

#[test]
fn exact_what_is_wrong_is_said() {
    let wrong = |text: &str| IsoFit::parse(text).expect_err("it is wrong").0;
    assert!(wrong("20").contains("not a fit"));
    assert!(wrong("20 H7").contains("not a fit"));
    assert!(wrong("20 g6/H7").contains("hole and a shaft"));
    assert!(wrong("200 H7/g6").contains("120 mm"));
    assert!(wrong("0 H7/g6").contains("120 mm"));
    assert!(wrong("20 H12/g6").contains("grade 12"));
    assert!(wrong("20 K7/g6").contains("zone `K`"));
    assert!(wrong("20 H7/s6").contains("zone `s`"));
}
