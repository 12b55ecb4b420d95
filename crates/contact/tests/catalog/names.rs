//! Names: reading, combining, and the nearest ones for a name that there is not.

use std::fmt::Debug;
use std::str::FromStr;

use jointplay_contact::catalog::{
    DampingKind, ElasticKind, Family, FrictionKind, LawName, LawProblem, material, sheet_of, sheets,
};
use jointplay_contact::{ALUMINIUM, STEEL};

fn nearest_of<T: FromStr<Err = LawProblem> + Debug>(name: &str) -> Vec<&'static str> {
    match name.parse::<T>().unwrap_err() {
        LawProblem::UnknownName { name: given, nearest, .. } => {
            assert_eq!(given, name);
            nearest
        }
        other => panic!("{name}: {other}"),
    }
}

#[test]
fn property_every_name_reads_back() {
    for kind in ElasticKind::ALL {
        assert_eq!(kind.id().parse::<ElasticKind>(), Ok(*kind));
        assert_eq!(
            LawName::parse(kind.id()).unwrap(),
            LawName { elastic: Some(*kind), ..LawName::default() }
        );
    }
    for kind in DampingKind::ALL {
        assert_eq!(kind.id().parse::<DampingKind>(), Ok(*kind));
        assert_eq!(
            LawName::parse(kind.id()).unwrap(),
            LawName { damping: Some(*kind), ..LawName::default() }
        );
    }
    for kind in FrictionKind::ALL {
        assert_eq!(kind.id().parse::<FrictionKind>(), Ok(*kind));
        assert_eq!(
            LawName::parse(kind.id()).unwrap(),
            LawName { friction: Some(*kind), ..LawName::default() }
        );
    }
    for sheet in sheets() {
        for alias in sheet.aliases {
            assert_eq!(sheet_of(alias).unwrap().id, sheet.id);
            assert_eq!(LawName::parse(alias).unwrap(), LawName::parse(sheet.id).unwrap());
        }
    }
    assert_eq!("zhang-sharf".parse(), Ok(DampingKind::GonthierApprox));
    assert_eq!("schwager-poschel".parse(), Ok(DampingKind::BordbarHyppanen));
}

#[test]
fn property_unknown_names_come_with_the_nearest() {
    assert_eq!(nearest_of::<ElasticKind>("jonson")[0], "johnson");
    assert_eq!(nearest_of::<ElasticKind>("herz")[0], "hertz");
    assert!(nearest_of::<DampingKind>("lankarani").contains(&"lankarani-nikravesh"));
    assert_eq!(nearest_of::<DampingKind>("Flores")[0], "flores");
    assert_eq!(nearest_of::<DampingKind>("hunt_crossley")[0], "hunt-crossley");
    assert!(nearest_of::<FrictionKind>("columb").contains(&"coulomb"));
    assert_eq!(nearest_of::<ElasticKind>("xyzzy"), [""; 0]);
    // over all families: what the user meant may be of any
    let LawProblem::UnknownName { kind, nearest, .. } = sheet_of("lankarani").unwrap_err() else {
        panic!()
    };
    assert_eq!(kind, "contact law");
    assert!(nearest.contains(&"lankarani-nikravesh"), "{nearest:?}");
    // an alias is a name too
    let LawProblem::UnknownName { nearest, .. } = sheet_of("zhang-scharf").unwrap_err() else {
        panic!()
    };
    assert_eq!(nearest[0], "zhang-sharf");
    let message = sheet_of("jonson").unwrap_err().to_string();
    assert!(
        message.starts_with("there is no contact law called `jonson`; did you mean `johnson`"),
        "{message}"
    );
    assert!(!sheet_of("xyzzy").unwrap_err().to_string().contains("did you mean"));
}

#[test]
fn property_a_law_of_another_family_is_told_as_such() {
    let wrong = "coulomb".parse::<ElasticKind>().unwrap_err();
    assert_eq!(
        wrong,
        LawProblem::WrongFamily {
            name: "coulomb",
            wanted: "an elastic law",
            found: Family::Friction
        }
    );
    assert_eq!(wrong.to_string(), "`coulomb` is not an elastic law but friction");
    assert!(matches!(
        "hertz".parse::<DampingKind>(),
        Err(LawProblem::WrongFamily { found: Family::Point, .. })
    ));
    assert!(matches!(
        "johnson".parse::<FrictionKind>(),
        Err(LawProblem::WrongFamily { found: Family::Cylinder, .. })
    ));
    assert!(matches!(
        "gharib-hurmuzlu-plastic".parse::<ElasticKind>(),
        Err(LawProblem::WrongFamily { found: Family::Plastic, .. })
    ));
    // by an alias, with the id of the law
    assert!(matches!(
        "zhang-sharf".parse::<ElasticKind>(),
        Err(LawProblem::WrongFamily { name: "gonthier-approx", .. })
    ));
}

#[test]
fn property_combinations_in_any_order() {
    let wanted = LawName {
        elastic: Some(ElasticKind::Johnson),
        damping: Some(DampingKind::Flores),
        friction: Some(FrictionKind::BaiZhao),
    };
    for text in [
        "johnson+flores+bai-zhao-friction",
        "bai-zhao-friction + johnson + flores",
        "flores+johnson+bai-zhao-friction",
    ] {
        assert_eq!(LawName::parse(text).unwrap(), wanted, "{text}");
    }
}

#[test]
fn property_short_names_of_published_models() {
    let hybrid = LawName::parse("hybrid").unwrap();
    assert_eq!(
        (hybrid.elastic, hybrid.damping),
        (Some(ElasticKind::BaiZhao), Some(DampingKind::ZhiyingQishao))
    );
    assert_eq!(hybrid.friction, None);
    let rubbing = LawName::parse("hybrid+bai-zhao-friction").unwrap();
    assert_eq!(rubbing, LawName { friction: Some(FrictionKind::BaiZhao), ..hybrid });
    assert_eq!(LawName::parse("bai-zhao+zhiying-qishao").unwrap(), hybrid);
    let voigt = LawName::parse("kelvin-voigt").unwrap();
    assert_eq!((voigt.elastic, voigt.damping), (None, Some(DampingKind::KelvinVoigt)));
    assert_eq!(voigt.elastic_or_default(), ElasticKind::Linear);
    assert_eq!(
        LawName::parse("hertz+kelvin-voigt").unwrap().elastic_or_default(),
        ElasticKind::Hertz
    );
    assert_eq!(LawName::parse("flores").unwrap().elastic_or_default(), ElasticKind::Hertz);
    assert_eq!(LawName::default().elastic_or_default(), ElasticKind::Hertz);
    // the paper's law carries no dissipation unless named
    assert_eq!(LawName::parse("pereira").unwrap().damping, None);
}

#[test]
fn property_all_wrong_names_at_once() {
    let problems =
        LawName::parse("herz+flores+lankarani-nikravesh+jonson+coulomb+lugre").unwrap_err().0;
    let twice: Vec<_> = problems.iter().filter(|p| matches!(p, LawProblem::Twice { .. })).collect();
    let unknown: Vec<_> =
        problems.iter().filter(|p| matches!(p, LawProblem::UnknownName { .. })).collect();
    assert_eq!((twice.len(), unknown.len(), problems.len()), (2, 2, 4), "{problems:?}");
    let text = LawName::parse("hertz+johnson").unwrap_err().to_string();
    assert_eq!(text, "`hertz` and `johnson` are both elastic laws; a law has one of each kind");
    assert!(matches!(
        LawName::parse("hybrid+hertz").unwrap_err().0[..],
        [LawProblem::Twice { .. }]
    ));
    assert!(
        LawName::parse("").is_err()
            && LawName::parse("hertz+").is_err()
            && LawName::parse("+").is_err()
    );
}

#[test]
fn property_materials_by_name() {
    assert_eq!(material("steel").unwrap(), STEEL);
    assert_eq!(material("aluminium").unwrap(), ALUMINIUM);
    let LawProblem::UnknownName { kind, nearest, .. } = material("aluminum").unwrap_err() else {
        panic!()
    };
    assert_eq!((kind, nearest[0]), ("material", "aluminium"));
    // nothing is near: all of them
    assert!(material("xyzzy").unwrap_err().to_string().contains("`steel` or `aluminium`"));
}

#[test]
fn property_a_combination_prints_as_it_reads() {
    for text in [
        "hertz",
        "flores",
        "lugre",
        "johnson+flores",
        "hertz+coulomb",
        "johnson+exact+bai-zhao-friction",
    ] {
        assert_eq!(LawName::parse(text).unwrap().to_string(), text);
        assert_eq!(text.parse::<LawName>().unwrap(), LawName::parse(text).unwrap());
    }
    assert_eq!(LawName::parse("hybrid").unwrap().to_string(), "bai-zhao+zhiying-qishao");
}
