//! Data sheets: complete, cited, and in agreement with what builds the laws.

use std::collections::BTreeSet;

use jointplay_contact::catalog::{
    Bounds, DampingKind, ElasticKind, Family, FrictionKind, Inputs, Sheet, sheet_of, sheets,
    unknown_numbers,
};
use jointplay_contact::elastic::ElasticModel;
use jointplay_contact::{Material, STEEL};

use crate::sample::{geometries, inputs_for};

#[test]
fn property_every_law_has_a_sheet_of_its_family() {
    for kind in ElasticKind::ALL {
        let sheet = kind.sheet();
        assert!(
            matches!(sheet.family, Family::Point | Family::Cylinder),
            "{}: {}",
            sheet.id,
            sheet.family
        );
        // what is measured per length is a cylinder, or a foundation multiplied by a length
        let per_length = sheet.parameters.iter().any(|p| p.key == "length");
        assert!(
            !per_length || sheet.family == Family::Cylinder || sheet.id == "bai-zhao-length",
            "{}",
            sheet.id
        );
    }
    for kind in DampingKind::ALL {
        let plastic = kind.id().ends_with("-plastic");
        assert_eq!(kind.sheet().family == Family::Plastic, plastic, "{}", kind.id());
        assert_eq!(kind.sheet().family == Family::Damping, !plastic, "{}", kind.id());
    }
    for kind in FrictionKind::ALL {
        assert_eq!(kind.sheet().family, Family::Friction, "{}", kind.id());
    }
    let kinds = ElasticKind::ALL.len() + DampingKind::ALL.len() + FrictionKind::ALL.len();
    assert_eq!(sheets().count(), kinds);
}

#[test]
fn property_sheets_are_complete() {
    let bibliography = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/references.bib");
    let bibliography = std::fs::read_to_string(bibliography).expect("the bibliography");
    let errata = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errata.md");
    let errata = std::fs::read_to_string(errata).expect("the errata");
    for sheet in sheets() {
        let Sheet { id, summary, formula, source, .. } = *sheet;
        assert!(
            (8..=70).contains(&summary.chars().count()),
            "{id}: summary of {} characters",
            summary.chars().count()
        );
        assert!(
            !summary.ends_with('.') && !summary.contains('\n'),
            "{id}: a summary is one line without a stop"
        );
        assert!(formula.len() > 4 && !formula.contains('$'), "{id}: formula `{formula}`");
        let braces = |c| formula.matches(c).count();
        assert_eq!(braces('{'), braces('}'), "{id}: braces of the formula");
        assert_eq!(
            formula.matches(r"\left").count(),
            formula.matches(r"\right").count(),
            "{id}: brackets"
        );
        assert!(
            bibliography.contains(&format!("{{{source},")),
            "{id}: no {source} in the bibliography"
        );
        assert!(
            !sheet.name.is_empty() && !sheet.authors.is_empty() && !sheet.domain.is_empty(),
            "{id}"
        );
        assert!((1700..=2030).contains(&sheet.year), "{id}: {}", sheet.year);
        assert!(
            source.ends_with(&sheet.year.to_string()),
            "{id}: {source} is not of {}",
            sheet.year
        );
        for number in sheet.errata {
            assert!(
                errata.contains(&format!("\n## {number}. ")),
                "{id}: erratum {number} is not on the page"
            );
        }
        assert!(sheet.equations.iter().all(|c| !c.place.is_empty()), "{id}");
    }
}

#[test]
fn property_parameters_are_sound() {
    for sheet in sheets() {
        let keys: BTreeSet<_> = sheet.parameters.iter().map(|p| p.key).collect();
        assert_eq!(keys.len(), sheet.parameters.len(), "{}: a key stands twice", sheet.id);
        for p in sheet.parameters {
            let place = format!("{} of {}", p.key, sheet.id);
            let snake = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(p.key.chars().all(snake), "{place}");
            assert!(!p.symbol.is_empty() && !p.unit.is_empty() && !p.meaning.is_empty(), "{place}");
            assert!(p.interval.low < p.interval.high, "{place}: {}", p.interval);
            assert!(
                p.default.is_none_or(|d| p.interval.contains(d)),
                "{place}: default outside {}",
                p.interval
            );
        }
    }
}

#[test]
fn property_ids_are_unique_over_all_families() {
    let mut seen = BTreeSet::new();
    for sheet in sheets() {
        for name in std::iter::once(&sheet.id).chain(sheet.aliases) {
            assert!(seen.insert(*name), "`{name}` stands twice");
            let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(
                name.chars().all(kebab) && !name.starts_with('-') && !name.ends_with('-'),
                "`{name}`"
            );
        }
    }
    assert!(!seen.contains("hybrid"), "a short name must not hide a law");
}

/// Everything that is given, without one number.
fn without(inputs: &Inputs, key: &str) -> Inputs {
    let mut less = inputs.clone();
    less.numbers.remove(key);
    less
}

/// What each key of a sheet must be: read from the numbers if the structure has no field for it,
/// optional if it has a default, missed by name if it has none.
fn keys_are_read(sheet: &'static Sheet, build: &dyn Fn(&Inputs) -> Result<(), String>) {
    let inputs = inputs_for(sheet, geometries()[0].1);
    build(&inputs).unwrap_or_else(|e| panic!("{} with sample parameters: {e}", sheet.id));
    assert_eq!(unknown_numbers(&inputs, sheet.id, &[sheet]), [], "{}", sheet.id);
    for p in sheet.parameters.iter().filter(|p| inputs.numbers.contains_key(p.key)) {
        let place = format!("{} of {}", p.key, sheet.id);
        match (build(&without(&inputs, p.key)), p.default) {
            (Ok(()), Some(_)) => {}
            (Err(e), None) => assert!(e.contains(p.key), "{place} is missed without its name: {e}"),
            (Ok(()), None) => panic!("{place} has no default and is not missed"),
            (Err(e), Some(_)) => panic!("{place} has a default: {e}"),
        }
        // a value outside the interval is refused with the key, so the key is really read
        let outside = [p.interval.low - 1.0, p.interval.high + 1.0, f64::NAN];
        for value in outside.into_iter().filter(|v| !p.interval.contains(*v)) {
            let mut wrong = inputs.clone();
            wrong.numbers.insert(p.key.into(), value);
            let e = build(&wrong).expect_err(&place);
            assert!(
                e.contains(p.key) && e.contains(&p.interval.to_string()),
                "{place} = {value}: {e}"
            );
        }
    }
}

#[test]
fn property_every_key_of_a_sheet_is_read() {
    let text = |e: jointplay_contact::catalog::LawProblems| e.to_string();
    for kind in ElasticKind::ALL {
        keys_are_read(kind.sheet(), &|inputs| kind.build(inputs).map(drop).map_err(text));
    }
    let hertz = ElasticKind::Hertz
        .build(&inputs_for(ElasticKind::Hertz.sheet(), geometries()[0].1))
        .unwrap()
        .law;
    for kind in DampingKind::ALL {
        keys_are_read(kind.sheet(), &|inputs| {
            kind.build(inputs, "hertz", &hertz).map(drop).map_err(text)
        });
    }
    for kind in FrictionKind::ALL {
        keys_are_read(kind.sheet(), &|inputs| kind.build(inputs).map(drop).map_err(text));
    }
}

#[test]
fn property_a_stiffness_replaces_radii_and_materials() {
    for (kind, n) in [(ElasticKind::Hertz, 1.5), (ElasticKind::PlanePlane, 1.0)] {
        let numbers = [("stiffness".to_owned(), 4e9)].into();
        let law = kind
            .build(&Inputs { numbers, ..Inputs::default() })
            .unwrap_or_else(|e| panic!("{e}"))
            .law;
        let power = law.as_power().expect("a power law");
        assert_eq!((power.stiffness, power.exponent), (4e9, n), "{}", kind.id());
        assert!((law.force(1.0) - 4e9).abs() < 1e-3);
    }
}

#[test]
fn property_what_must_be_given_is_what_has_no_default() {
    assert_eq!(DampingKind::HuntCrossleyAlpha.must_be_given(), ["alpha"]);
    assert_eq!(DampingKind::Exact.must_be_given(), [""; 0]);
    assert_eq!(DampingKind::KelvinVoigt.must_be_given(), ["damping"]);
    for kind in DampingKind::ALL {
        assert_eq!(
            kind.takes_restitution(),
            kind.sheet().parameters.iter().any(|p| p.symbol == "c_r"),
            "{}",
            kind.id()
        );
    }
}

#[test]
fn property_bounds_are_those_of_the_laws() {
    for kind in ElasticKind::ALL {
        let sheet = kind.sheet();
        let (_, surfaces) = geometries()[0];
        let built = kind.build(&inputs_for(sheet, surfaces)).expect(sheet.id);
        let limits = built.law.limits();
        let ends = limits.continued_from.is_some() || limits.published_force.is_some();
        assert_eq!(sheet.bounds.load.is_some(), ends, "{}: {limits:?}", sheet.id);
        assert!(sheet.bounds.restitution.is_none() && sheet.bounds.speed.is_none());
    }
    for kind in DampingKind::ALL {
        let bounds = &kind.sheet().bounds;
        assert!(bounds.load.is_none() && bounds.conformity.is_none(), "{}", kind.id());
    }
    for sheet in sheets() {
        assert_eq!(sheet.bounds == Bounds::NONE, sheet.bounds.sentences().is_empty());
        let page = sheet.markdown();
        for sentence in sheet.bounds.sentences() {
            assert!(page.contains(&sentence), "{}: {sentence}", sheet.id);
        }
    }
}

/// 1e-5 of the speed of waves in a steel bar is about 0.05 m/s, as the review says.
#[test]
fn published_limit_of_speed() {
    let speed = sheet_of("lankarani-nikravesh").expect("a law").bounds.speed.expect("a bound");
    let steel = speed.speed(&[STEEL; 2]).expect("steel has a density");
    assert!((steel - 0.05).abs() < 0.005, "{steel}");
    assert!(speed.allows(0.05, steel) && !speed.allows(0.06, steel));
    // The slower waves decide, and without a density there is no number.
    let soft = Material { young: STEEL.young / 4.0, ..STEEL };
    assert_eq!(speed.speed(&[STEEL, soft]), Some(0.5 * steel));
    assert_eq!(speed.speed(&[STEEL, Material { density: None, ..STEEL }]), None);
    let plastic = sheet_of("lankarani-nikravesh-plastic").expect("a law").bounds.speed;
    assert!(plastic.expect("a bound").allows(0.06, steel));
}
