//! What a model says about its laws.

use crate::shipped::{MODELS, behaviour};
use jointplay_contact::Restitution;
use jointplay_model::{Model, Overrides};

fn parse(text: &str, overrides: &Overrides) -> Model {
    Model::parse(text, overrides).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// Naming the law that is in use changes nothing, to the bit.
#[test]
fn property_the_label_of_a_law_names_it() {
    for (name, text, until) in MODELS {
        let model = parse(text, &Overrides::new());
        let laws = model.laws();
        let label = laws[0].2.to_string();
        assert!(laws.iter().all(|(_, _, law)| law.to_string() == label), "{name}: {laws:?}");
        let (bits, impacts) = behaviour(&model, until);
        assert!(impacts > 0, "{name} has no impact until {until} s");
        let named = parse(text, &Overrides::new().law(label));
        assert_eq!(behaviour(&named, until).0, bits, "{name}");
        assert_eq!(named.laws(), laws);
    }
}

/// One entry where one law is that of all regions, one for each region where they differ; every contact that can touch has one.
#[test]
fn property_laws_cover_all_that_touches() {
    for (_, text, _) in MODELS {
        let model = parse(text, &Overrides::new());
        let mut named: Vec<String> = model.laws().into_iter().map(|(part, _, _)| part).collect();
        named.dedup();
        let touching: Vec<&str> = model.touching().map(|(name, _)| name).collect();
        assert_eq!(named, touching);
    }
    let yoke = parse(MODELS[8].1, &Overrides::new());
    let regions: Vec<String> = yoke.laws().into_iter().map(|(_, region, _)| region).collect();
    assert_eq!(regions, ["inner", "outer", "end"]);
    let (_, _, inner) = &yoke.laws()[0];
    // 1.22e5 N/mm^1.5, as 10^4.5 = 31622.776601683792 of them are in N/m^1.5.
    let expected = [("alpha", 0.32), ("exponent", 1.5), ("stiffness", 1.22e5 * 31622.776601683792)];
    for ((key, value), (known, digits)) in inner.parameters.iter().zip(expected) {
        assert!(key == known && (value / digits - 1.0).abs() < 1e-15, "{key} = {value}");
    }
    assert_eq!(inner.restitution, None);
}

#[test]
fn property_laws_follow_overrides() {
    let crank = MODELS[10].1;
    let law = |changes: &Overrides| parse(crank, changes).laws().remove(0).2;
    let own = law(&Overrides::new());
    assert_eq!(own.to_string(), "hertz+lankarani-nikravesh");
    assert_eq!(own.restitution, Some(Restitution::Constant(0.46)));
    assert_eq!(own.parameters, []);
    let ids: Vec<&str> = own.sheets().map(|sheet| sheet.id).collect();
    assert_eq!(ids, ["hertz", "lankarani-nikravesh"]);
    assert_eq!(law(&Overrides::new().law("hertz")).to_string(), "hertz");
    let formula = law(&Overrides::new().law("formula:1e9*delta^1.5+flores"));
    assert_eq!(formula.to_string(), "formula:1e9*delta^1.5+flores");
    assert_eq!(formula.name.elastic, None);
    assert_eq!(formula.sheets().count(), 1);
    let rough = Overrides::new()
        .set_toml("joints.pin.law.mu", "0.1")
        .set_toml("joints.pin.law.slip_speed", "2 mm/s")
        .law("flores+coulomb-tanh");
    let rough = law(&rough);
    assert_eq!(rough.to_string(), "hertz+flores+coulomb-tanh");
    assert_eq!(rough.parameters, [("mu".to_owned(), 0.1), ("slip_speed".to_owned(), 2e-3)]);
    assert_eq!(parse(crank, &Overrides::new().set_toml("joints.pin.kind", "ideal")).laws(), []);
}
