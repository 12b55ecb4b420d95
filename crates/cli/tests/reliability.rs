//! Samples of the campaigns of `cargo xtask soak`, and the cases that made them necessary.

use crate::campaigns::{CAMPAIGNS, Tally};
use crate::sweep;

/// Some runs of a campaign, spread over all its numbers, more of them in soak: none may lose a contact or stop. Returns contacts
/// per run.
fn sample(name: &str, [representative, more]: [u64; 2]) -> f64 {
    let campaign = CAMPAIGNS.iter().find(|campaign| campaign.name == name).expect("a campaign");
    let runs = sweep::cases(representative, more);
    // A prime, so that it runs in step with none of the lists of which a campaign is made.
    let stride = 2_654_435_761;
    let mut all = Tally::default();
    std::thread::scope(|scope| {
        let half = |first: u64| {
            (first..runs).step_by(2).map(|i| (campaign.run)(i * stride % campaign.runs))
        };
        let other = scope.spawn(move || half(1).collect::<Vec<_>>());
        half(0).for_each(|tally| all.add(tally));
        other.join().expect("it does not panic").into_iter().for_each(|tally| all.add(tally));
    });
    assert_eq!((all.lost, all.stopped), (0, 0), "{name}, {}: {:#?}", campaign.what, all.bad);
    all.contacts as f64 / all.runs as f64
}

#[test]
fn exact_fly_bys_of_every_kind() {
    assert!(sample("fly-bys", [2_000, 2_000]) > 0.5);
}

#[test]
fn property_what_touches_at_the_start_holds() {
    assert!(sample("touching starts", [300, 5_000]) > 1.0);
}

#[test]
fn property_revolutions_reach_their_end() {
    assert!(sample("revolutions", [10, 200]) > 100.0);
}

#[test]
fn property_shipped_models_reach_their_end_with_every_law() {
    assert!(sample("shipped models", [40, 200]) > 5.0);
}

#[test]
fn property_rattling_parts_stay_where_they_are() {
    assert!(sample("rattling", [20, 200]) > 100.0);
}
