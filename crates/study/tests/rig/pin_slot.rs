//! The plate of Skrinjar's pin-slot joint: the study that is shipped, with other noise.

use super::*;
use crate::sweep::cases;

const PLATE: &str = include_str!("../../../../models/pin-slot/model.toml");
const E: &str = "joints.pin.restitution";

/// `golden/identification/pin_slot.csv` with white noise of 0.5 N, averaged over 301 samples.
fn seen(seed: u64) -> String {
    let mut chance = Chance::new(4000 + seed);
    let [x, y] = ["Fx [N]", "Fy [N]"].map(|column| {
        let clean = record("pin_slot.csv", "t [ms]", column);
        let noisy: Vec<f64> = clean.iter().map(|(_, f)| f + 0.5 * normal(&mut chance)).collect();
        (clean, averaged(&noisy, 301))
    });
    let mut text = "t [ms],Fx [N],Fy [N]\n".to_owned();
    for (((t, _), x), y) in x.0.iter().zip(&x.1).zip(&y.1) {
        let _ = writeln!(text, "{t},{x:.6},{y:.6}");
    }
    text
}

/// The law that made the record of another program comes first, with its restitution; a law that noise cannot tell from it is called so, and
/// the others are not.
#[test]
fn peer_the_law_of_the_plate_comes_first() {
    let (law, others) = ("hertz+lankarani-nikravesh", ["hertz", "hertz+tsuji", "hertz+flores"]);
    let all = [others[0], law, others[1], others[2]];
    // Outside soak its law alone, between bounds near the truth: the valley of the cost is narrower than a hundredth of the range.
    let (laws, bounds, budget) = cases((&[][..], "0.43:0.47", 100), (&all[..], "0.1:0.9", 16_000));
    let fits = [(E, bounds)];
    let (count, mut hits) = (cases(1, 4), 0);
    for seed in 0..count {
        let asked = Asked {
            map: "Fx=pin.fx Fy=pin.fy",
            fits: &fits,
            filter: &["moving-average:301"],
            laws,
            shift: Some("none"),
            budget: Some(budget),
            ..Asked::default()
        };
        let findings =
            identification(PLATE, &seen(seed), &asked).unwrap_or_else(|error| panic!("{error}"));
        let found = findings.identified.expect("something");
        let e = &found.parameters[E];
        hits += u64::from(e.low <= Some(0.45) && e.high >= Some(0.45));
        println!("{seed}: {} runs, {:?} {e:?}", findings.runs, found.law);
        for one in &found.ranking {
            println!("  {} {:?} {:?} {}", one.law, one.rmse, one.delta, one.indistinguishable);
        }
        assert!((e.value.expect("a value") - 0.45).abs() < 0.02 && e.identifiable, "{e:?}");
        if laws.is_empty() {
            continue;
        }
        assert_eq!(found.ranking[0].law, law, "{seed}");
        // Without loss the plate is hit far harder.
        let lossless = found.ranking.iter().find(|one| one.law == "hertz").expect("it");
        assert!(!lossless.indistinguishable && lossless.delta > Some(10.0), "{lossless:?}");
    }
    assert!(hits + 1 >= count, "{hits} of {count} intervals contain the truth");
}

/// The record of the shipped study: chance put the best value into a valley beside that of the truth, and the interval reaches over both.
#[test]
fn peer_an_interval_reaches_over_valleys() {
    const SHIPPED: &str = include_str!("../../../../studies/pin-slot-force.csv");
    let fits = [(E, "0.446:0.454")];
    let asked = Asked {
        map: "Fx=pin.fx Fy=pin.fy",
        fits: &fits,
        filter: &["moving-average:301"],
        laws: &["hertz+lankarani-nikravesh"],
        shift: Some("none"),
        budget: Some(120),
        ..Asked::default()
    };
    let found = identify(PLATE, SHIPPED, &asked);
    let e = &found.parameters[E];
    assert!(e.value < Some(0.449), "{e:?}");
    assert!(e.low < Some(0.4475) && e.high > Some(0.45) && e.high < Some(0.4539), "{e:?}");
    // As wide as it is, not as narrow as its valley.
    assert!(e.std > Some(1e-3) && e.identifiable, "{e:?}");
    let told = found.notes.iter().any(|note| note.contains("several valleys"));
    assert!(told, "{:?}", found.notes);
}
