//! A text that is parsed once gives with every change what a text that is read anew gives: the same model, or the same problems.

use crate::shipped::{MODELS, behaviour};
use jointplay_model::{Model, ModelText, Overrides, Tables};

/// Changes of every kind, right and wrong: the knobs of the model, sizes and fits, laws, cases, keys that do not exist, values that
/// cannot be.
fn changes(text: &str) -> Vec<Overrides> {
    let new = Overrides::new;
    let wrong = [
        ("run.rtol", "fast"),
        ("run.until", "-1 s"),
        ("run.untill", "1 s"),
        ("bodies.nobody.mass", "1 kg"),
        ("joints.pin.clearance", "1 kg"),
        ("start.coordinates.99.rate", "1"),
        ("parameters.long", "= half"),
        ("parameters.long", "= 3 m + 1 m"),
        ("a..b", "1"),
    ];
    let mut all = vec![new(), new().ideal(), new().law("hertz+flores"), new().law("hertzz")];
    all.extend(["long", "lon"].map(|name| new().case(name)));
    all.push(new().case("long").law("johnson").set("run.rtol", 1e-7));
    all.extend(wrong.map(|(key, value)| new().set_toml(key, value)));
    let model = Model::parse(text, &new());
    for knob in model.iter().flat_map(Model::knobs) {
        let middle = 0.5 * (knob.range[0] + knob.range[1]);
        all.push(new().set(&knob.key, knob.written(middle)).set("run.rtol", 1e-6));
    }
    for joint in model.iter().flat_map(|model| &model.joints) {
        let key = |key: &str| format!("joints.{}.{key}", joint.name);
        all.push(new().set(key("fit"), "20 mm H7/g6"));
        all.push(new().set(key("law.damping"), "flores").set(key("law.restitution"), 0.7));
        all.push(new().set(key("clearance"), "0.1 mm").set(key("bearing_radius"), "10 mm"));
    }
    all
}

#[test]
fn property_a_text_that_is_parsed_once_gives_what_a_fresh_one_gives() {
    let everything = include_str!("everything.toml");
    let bad_case = format!("{everything}\n[cases.bad]\nrun.until = \"2 kg\"\nruns = 1\n");
    let own = [everything, &bad_case, "format = [", "format = 1\n[cases.long]\nlaw = 3\n"];
    let texts = MODELS.iter().map(|(_, text, _)| *text).chain(own);
    let (mut good, mut bad) = (0, 0);
    for text in texts {
        let shared = ModelText::new(text);
        let all = changes(text);
        // There and back again: nothing of a change stays.
        for (i, change) in all.iter().chain(all.iter().rev()).enumerate() {
            let fresh = Model::parse(text, change);
            match (shared.model(None, &Tables::none(), change), fresh) {
                (Ok(shared), Ok(fresh)) => {
                    good += 1;
                    assert_eq!(format!("{shared:?}"), format!("{fresh:?}"), "{change:?}");
                    if i < all.len() && i % 7 == 0 {
                        let until = fresh.run.until.min(1e-3);
                        assert_eq!(behaviour(&shared, until), behaviour(&fresh, until));
                    }
                }
                (Err(shared), Err(fresh)) => {
                    bad += 1;
                    assert_eq!(shared, fresh, "{change:?}");
                }
                (shared, fresh) => panic!("{change:?}: {:?} {:?}", shared.err(), fresh.err()),
            }
        }
    }
    // Both kinds are there, or the comparison says nothing.
    assert!(good > 100 && bad > 100, "{good} {bad}");
}
