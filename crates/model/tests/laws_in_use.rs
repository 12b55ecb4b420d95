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

/// A mass above a stop, and what else the text says.
fn stop(more: &str) -> String {
    format!(
        "format = 1\n[bodies.mass]\nmass = 1\ninertia = 1\nposition = [0, 1e-3]\n[forces.floor]\ntype = \"stop\"\ny = {{ body = \"mass\" }}\nbelow = 0\nrestitution = 0.5\nlaw = {{ elastic = \"hertz\", stiffness = 1e8, damping = \"hunt-crossley\" }}\n[run]\nuntil = 0.1\n{more}"
    )
}

/// A law that is given for the whole model is that of its stops where nothing else touches; beside a contact, or a joint that was made
/// ideal, they keep their own.
#[test]
fn property_stops_take_a_law_where_nothing_else_touches() {
    let flores = Overrides::new().law("hertz+flores");
    let of = |text: &str, changes: &Overrides| -> Vec<String> {
        let model = parse(text, changes);
        // What is written into the file says the same.
        let written = changes.apply_to(text, &jointplay_model::Tables::none()).expect("written");
        let again = parse(&written, &Overrides::new());
        assert_eq!(again.laws(), model.laws());
        model.laws().into_iter().map(|(part, _, law)| format!("{part}: {law}")).collect()
    };
    let alone = stop("");
    assert_eq!(of(&alone, &flores), ["floor: hertz+flores"]);
    assert_eq!(parse(&alone, &flores).takes_no_law(), None);
    // The law of the stop has a restitution and a stiffness that stay.
    let law = parse(&alone, &flores).laws().remove(0).2;
    assert_eq!(law.restitution, Some(Restitution::Constant(0.5)));
    assert_eq!(law.parameters, [("stiffness".to_owned(), 1e8)]);
    let wall = "[contacts.wall]\ntype = \"circle-line\"\ncircle = { body = \"mass\", radius = 1e-3 }\nline = { body = \"ground\", from = [1, -1], to = [1, 1] }\nrestitution = 0.5\nlaw = { elastic = \"hertz\", stiffness = 1e8, damping = \"exact\" }\n";
    let both = of(&stop(wall), &flores);
    assert_eq!(both, ["wall: hertz+flores", "floor: hertz+hunt-crossley"]);
    let crank = MODELS[10].1;
    let limit = "\n[forces.bumper]\ntype = \"stop\"\nx = { body = \"slider\" }\nabove = \"1 m\"\nlaw = { elastic = \"linear\", stiffness = 1e5 }\n";
    let ideal = parse(&format!("{crank}{limit}"), &flores.clone().ideal());
    assert_eq!(ideal.laws().remove(0).2.to_string(), "linear");
    assert!(ideal.takes_no_law().is_some_and(|why| why.contains("stops keep their own laws")));
    let none = parse(crank, &Overrides::new().set_toml("joints.pin.kind", "ideal"));
    assert!(none.takes_no_law().is_some_and(|why| why.contains("no stops")));
}
