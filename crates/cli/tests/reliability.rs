//! Samples of the campaigns of `cargo xtask soak`, and the cases that made them necessary.

use crate::campaigns::{CAMPAIGNS, Tally};

/// Some runs of a campaign, spread over all its numbers: none may lose a contact or stop.
fn sample(name: &str, runs: u64) -> Tally {
    let campaign = CAMPAIGNS.iter().find(|campaign| campaign.name == name).expect("a campaign");
    let stride = campaign.runs / runs;
    let mut all = Tally::default();
    std::thread::scope(|scope| {
        let half = |first: u64| (first..runs).step_by(2).map(|i| (campaign.run)(i * stride));
        let other = scope.spawn(move || half(1).collect::<Vec<_>>());
        half(0).for_each(|tally| all.add(tally));
        other.join().expect("it does not panic").into_iter().for_each(|tally| all.add(tally));
    });
    assert_eq!((all.lost, all.stopped), (0, 0), "{name}, {}: {:#?}", campaign.what, all.bad);
    all
}

#[test]
fn exact_fly_bys_of_every_kind() {
    assert!(sample("fly-bys", 2_000).contacts > 1_000);
}

#[test]
fn property_what_touches_at_the_start_holds() {
    assert!(sample("touching starts", 1_000).contacts > 1_000);
}

#[test]
fn property_revolutions_reach_their_end() {
    assert!(sample("revolutions", 200).contacts > 20_000);
}

#[test]
fn property_shipped_models_reach_their_end_with_every_law() {
    assert!(sample("shipped models", 200).contacts > 1_000);
}

#[test]
fn property_rattling_parts_stay_where_they_are() {
    assert!(sample("rattling", 200).contacts > 20_000);
}

/// The run in which the pin once left its bearing at 55.258 s.
#[test]
fn regress_a_minute_of_the_slider_crank() {
    assert!(sample("minutes", 1).contacts > 1_000);
}
