//! Force, slope, energy and limits of the elastic laws against `golden/`.

use std::collections::BTreeSet;

use jointplay_contact::catalog::ElasticKind;
use jointplay_contact::elastic::{CONTINUED_FROM, Elastic, ElasticLaw, ElasticModel, Logarithmic};

use crate::golden::{Book, Row, rows};

/// The law of a row of `golden/logarithmic-laws`, from the catalogue.
fn logarithmic(row: &Row) -> Logarithmic {
    let kind: ElasticKind = row.text("law").parse().expect("a name of the catalogue");
    let built =
        kind.build(&row.inputs(row.number("internal") == 1.0)).expect("all inputs are given");
    assert_eq!(built.length, Some(row.number("length")));
    match built.law {
        ElasticLaw::Logarithmic(law) => law,
        other => panic!("{} is no logarithmic law: {other:?}", row.text("law")),
    }
}

fn place(row: &Row) -> String {
    let radii = (row.text("radius_i"), row.text("radius_j"));
    format!("delta = {} (radii {radii:?}, E_j = {})", row.text("delta"), row.text("young_j"))
}

/// Every logarithmic id must have rows, so that a new one cannot go untested.
fn all_logarithmic_ids_are_in(seen: &BTreeSet<String>) {
    let ids = [
        ElasticKind::HertzCylinder,
        ElasticKind::Johnson,
        ElasticKind::Radzimovsky,
        ElasticKind::Goldsmith,
        ElasticKind::GoldsmithPrinted,
        ElasticKind::DubowskyFreudenstein,
        ElasticKind::DubowskyFreudensteinPrinted,
        ElasticKind::Esdu,
        ElasticKind::EsduPrinted,
    ];
    assert_eq!(*seen, ids.into_iter().map(|k| k.id().to_owned()).collect::<BTreeSet<_>>());
}

#[test]
fn exact_logarithmic_laws() {
    let mut book = Book::new("logarithmic laws");
    let mut seen = BTreeSet::new();
    for row in rows("logarithmic-laws/data.csv") {
        let (law, id, place) = (logarithmic(&row), row.text("law"), place(&row));
        seen.insert(id.to_owned());
        let (delta, w, length) = (row.number("delta"), row.number("w"), row.number("length"));
        // w/(w−1) is the condition number of the inverse, w/(w−1)² that of its slope: both grow
        // without bound at the branch point, and no algorithm can do better than a few units times
        // them. 1e-13 leaves room for the rounding of A, B and the limit.
        let condition = (w / (w - 1.0)).max(1.0);
        let steepness = (w / (w - 1.0).powi(2)).max(1.0);
        let load = row.number("line_load");
        let Elastic { force, slope, energy, continued } = law.eval(delta);
        assert!(!continued, "{id} at {place} lies inside the law");
        book.relative(&format!("{id} force"), force, load * length, 1e-13 * condition, &place);
        book.relative(
            &format!("{id} line load"),
            law.line_load(delta).0,
            load,
            1e-13 * condition,
            &place,
        );
        book.relative(
            &format!("{id} slope"),
            slope,
            row.number("slope"),
            1e-13 * steepness,
            &place,
        );
        book.relative(
            &format!("{id} energy"),
            energy,
            row.number("energy"),
            1e-13 * condition,
            &place,
        );
        book.relative(&format!("{id} w"), law.w(delta), w, 1e-13 * condition, &place);
        // the forward formula is well conditioned; a logarithm and three products
        let back = law.indentation(load * length).expect("a finite load");
        book.relative(&format!("{id} indentation"), back, delta, 1e-14, &place);
        // condition numbers of the two directions are inverse to each other
        let round_trip = law.indentation(force).expect("a finite load");
        book.relative(&format!("{id} round trip"), round_trip, delta, 2e-13, &place);

        // products of exact inputs and one exponential: a few units
        let limits = law.limits();
        let limit = row.number("limit_line_load");
        book.relative(&format!("{id} limit"), law.limit_load().0, limit, 1e-14, &place);
        book.relative(
            &format!("{id} limit"),
            limits.force.expect("a limit"),
            limit * length,
            1e-14,
            &place,
        );
        book.relative(
            &format!("{id} limit"),
            law.limit_delta(),
            row.number("limit_delta"),
            1e-14,
            &place,
        );
        assert_eq!(limits.delta, Some(law.limit_delta()));
        // a law without a published limit has nothing but its own
        let published = limits.published_force.unwrap_or(limit * length);
        let wanted = row.number("published_limit_line_load") * length;
        book.relative(&format!("{id} published limit"), published, wanted, 1e-14, &place);
    }
    all_logarithmic_ids_are_in(&seen);
    book.close();
}

#[test]
fn exact_logarithmic_laws_continued() {
    let mut book = Book::new("logarithmic laws beyond 0.99 of the limit load");
    let mut seen = BTreeSet::new();
    for row in rows("logarithmic-laws/continued.csv") {
        let (law, id, place) = (logarithmic(&row), row.text("law"), place(&row));
        seen.insert(id.to_owned());
        let (delta, length) = (row.number("delta"), row.number("length"));
        // the tangent starts at w − 1 = −ln 0.99, where w/(w−1) = 100.5; its slope A/(w−1) is a
        // constant
        let condition = 1.0 - 1.0 / CONTINUED_FROM.ln();
        let answer = law.eval(delta);
        assert!(answer.continued, "{id} at {place} lies beyond the law");
        let load = row.number("line_load");
        book.relative(
            &format!("{id} force"),
            answer.force,
            load * length,
            1e-13 * condition,
            &place,
        );
        book.relative(&format!("{id} slope"), answer.slope, row.number("slope"), 1e-14, &place);
        book.relative(
            &format!("{id} energy"),
            answer.energy,
            row.number("energy"),
            1e-13 * condition,
            &place,
        );
        let back = law.indentation(load * length).expect("a finite load");
        book.relative(&format!("{id} indentation"), back, delta, 1e-14, &place);
        // where the tangent starts: the force of the law itself there, and the change of the flag
        let (joint, joint_load) = (row.number("joint_delta"), row.number("joint_line_load"));
        let at_joint = law.line_load(joint).0;
        book.relative(&format!("{id} joint"), at_joint, joint_load, 1e-13 * condition, &place);
        assert!(
            !law.eval(joint * (1.0 - 1e-12)).continued && law.eval(joint * (1.0 + 1e-12)).continued
        );
    }
    all_logarithmic_ids_are_in(&seen);
    book.close();
}

#[test]
fn exact_explicit_laws() {
    let mut book = Book::new("explicit laws");
    let limit = persson_ratio();
    for row in rows("explicit-laws/data.csv") {
        let (id, geometry, delta) = (row.text("law"), row.text("geometry"), row.number("delta"));
        let kind: ElasticKind = id.parse().expect("a name of the catalogue");
        let mut inputs = row.inputs(geometry == "internal");
        inputs.half_width = row.optional("half_width");
        for key in ["exponent", "pi"] {
            inputs.numbers.extend(row.optional(key).map(|value| (key.to_owned(), value)));
        }
        let law = kind.build(&inputs).unwrap_or_else(|e| panic!("{id}: {e}")).law;
        let place = format!("{geometry}, {}", place(&row));
        // A power function of an exponent near 1.5 turns one rounding of the exponent into
        // |ln δ| ≈ 30 of the result; with the constants that is some 50 units, or 1e-14. The
        // other laws have a square root and a quotient. Persson's load and slope grow without
        // bound at the limit, by the ratio of the limit to its distance.
        let gap = inputs.surfaces.and_then(|s| s.delta_r());
        let near = if id == "persson" {
            1.0 / (1.0 - delta / (limit * gap.unwrap_or(f64::NAN)))
        } else {
            1.0
        };
        let tolerance = 1e-13 * near;
        let answer = law.eval(delta);
        assert!(!answer.continued);
        book.relative(&format!("{id} force"), answer.force, row.number("force"), tolerance, &place);
        book.relative(&format!("{id} slope"), answer.slope, row.number("slope"), tolerance, &place);
        book.relative(
            &format!("{id} energy"),
            answer.energy,
            row.number("energy"),
            tolerance,
            &place,
        );
        let back = law.indentation(answer.force).expect("a finite force");
        // Newton stops at one unit of δ; the value it meets has the tolerance above
        book.relative(&format!("{id} round trip"), back, delta, 1e-13, &place);
        let of_energy = law.indentation_of_energy(answer.energy).expect("a finite energy");
        book.relative(&format!("{id} from energy"), of_energy, delta, 1e-13, &place);
    }
    book.close();
}

fn persson_limits() -> Vec<Row> {
    rows("explicit-laws/persson-limit.csv")
}

/// δ_limit/ΔR of Persson's law.
fn persson_ratio() -> f64 {
    let limits = persson_limits();
    let row = limits.iter().find(|r| r.text("quantity") == "delta_over_clearance");
    row.expect("the file has this quantity").number("value")
}

#[test]
fn exact_persson_limit() {
    let mut book = Book::new("limit of Persson's law");
    let (mut angles, mut deltas) = (0, 0);
    let law = |bearing: f64, journal: f64| {
        jointplay_contact::elastic::Persson::new(1e11, bearing - journal, 0.01)
    };
    for row in persson_limits() {
        let value = row.number("value");
        // The root of the denominator is simple: a few units of b², which the angle (dε/db² = 0.6)
        // does not amplify and the indentation 2b²/(1−b²) amplifies by 1/(1−b²) = 6.
        match row.text("quantity") {
            "angle_degrees" => {
                let got = law(1.2, 1.0).limit_angle().to_degrees();
                book.relative("angle", got, value, 1e-14, "");
                angles += 1;
            }
            "b_squared" => {
                let got = (0.5 * law(1.2, 1.0).limit_angle()).tan().powi(2);
                book.relative("b squared", got, value, 1e-14, "");
            }
            "delta_over_clearance" => {
                let got = law(2.0, 1.0).limits().delta.expect("a limit");
                book.relative("indentation", got, value, 1e-14, "ratio");
            }
            _ => {
                let got = law(row.number("radius_i"), row.number("radius_j"))
                    .limits()
                    .delta
                    .expect("a limit");
                book.relative("indentation", got, value, 1e-14, row.text("radius_i"));
                deltas += 1;
            }
        }
    }
    assert_eq!((angles, deltas), (1, 2));
    book.close();
}
