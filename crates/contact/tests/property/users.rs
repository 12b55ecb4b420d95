//! Laws of users: those of the catalogue, handed over as code, are the same laws.

use std::sync::Arc;

use jointplay_contact::catalog::FrictionKind;
use jointplay_contact::damping::{
    Approach, BeginError, DampingForce, DampingLaw, DampingModel, Touch,
};
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::FrictionLaw;
use jointplay_contact::{NormalLaw, Surroundings};

use super::borrowed::{borrowed_friction, borrowed_normal};
use crate::sample::{damped, friction_inputs};

const DELTAS: [f64; 6] = [0.0, 1e-9, 3e-7, 5e-6, 2.1e-5, 9e-4];
const RATES: [f64; 7] = [-1.1, -0.02, -1e-4, 0.0, 1e-4, 0.3, 50.0];

/// Every law of the catalogue without permanent indentation.
fn laws() -> impl Iterator<Item = (String, NormalLaw)> {
    let lasting = |law: &NormalLaw| matches!(law.damping, DampingLaw::Plastic { .. });
    damped().into_iter().filter(move |(_, law)| !lasting(law))
}

#[test]
fn property_a_borrowed_law_has_the_bits_of_its_lender() {
    for (name, ours) in laws() {
        let theirs = borrowed_normal(&ours);
        for surroundings in [Surroundings::Free, Surroundings::Mechanism] {
            let events = |law: &NormalLaw| law.events(surroundings).collect::<Vec<_>>();
            assert_eq!(events(&ours), events(&theirs), "{name}");
        }
        for start in [NormalLaw::begin, NormalLaw::rest] {
            for speed in [0.3, 3e-6] {
                let touch = start(&ours, speed, 0.8).expect("sample parameters start");
                assert_eq!(start(&theirs, speed, 0.8), Ok(touch), "{name}");
                let out = ours.turned(touch, 2e-5);
                assert_eq!(theirs.turned(touch, 2e-5), out, "{name}");
                for (touch, delta) in [touch, out].into_iter().flat_map(|t| DELTAS.map(|d| (t, d)))
                {
                    for delta_dot in RATES {
                        same_answers(
                            &name,
                            [&ours, &theirs],
                            Approach { delta, delta_dot },
                            &touch,
                        );
                    }
                }
            }
        }
    }
}

fn same_answers(name: &str, [ours, theirs]: [&NormalLaw; 2], at: Approach, touch: &Touch) {
    let place = format!("{name} at {at:?}, {touch:?}");
    assert_eq!(ours.force(at, touch).to_bits(), theirs.force(at, touch).to_bits(), "{place}");
    let (a, b) = (ours.eval(at, touch), theirs.eval(at, touch));
    // Slopes are sums of two terms here and of one there, which may cancel in part.
    let size = a.slope.abs().max(a.elastic * (1.0 + at.delta_dot.abs()) / at.delta.max(1e-9));
    assert!((a.slope - b.slope).abs() <= 1e-13 * size, "{place}: {} {}", a.slope, b.slope);
    let rest = |f: jointplay_contact::NormalForce| (f.total, f.rate, f.energy, f.clipped);
    assert_eq!(rest(a), rest(b), "{place}");
    let of = |law: &NormalLaw| law.recoverable(at, touch, a.elastic, a.elastic + a.damping);
    assert_eq!(of(ours), of(theirs), "{place}");
}

#[test]
fn property_borrowed_friction_is_that_of_its_lender() {
    for &kind in FrictionKind::ALL {
        let ours = kind.build(&friction_inputs(kind)).expect("sample parameters");
        let theirs = borrowed_friction(&ours);
        assert_eq!(ours.state_count(), theirs.state_count());
        assert_eq!(ours.is_set_valued(), theirs.is_set_valued());
        for v_t in [-3.0, -1e-3, 0.0, 1e-6, 0.02, 1.0] {
            for z in [0.0, -1e-7, 2e-6] {
                for direction in [-1.0, 0.0, 1.0] {
                    let of = |law: &FrictionLaw| law.force_sliding(200.0, v_t, z, direction);
                    assert_eq!(of(&ours), of(&theirs), "{ours:?} at {v_t}, {z}");
                }
                assert_eq!(ours.force(200.0, v_t, z), theirs.force(200.0, v_t, z));
                assert_eq!(ours.bristle(v_t, z), theirs.bristle(v_t, z));
            }
        }
    }
}

#[test]
fn property_code_is_equal_to_itself_only() {
    let (_, law) = laws().last().expect("there are laws");
    assert_eq!(law, law.clone());
    let theirs = borrowed_normal(&law);
    assert_eq!(theirs, theirs.clone());
    assert_ne!(theirs, borrowed_normal(&law));
    assert_ne!(theirs, law);
}

/// A law whose coefficient is not a number.
#[derive(Debug)]
struct Undefined;

impl DampingModel for Undefined {
    fn name(&self) -> &'static str {
        "undefined"
    }

    fn force(&self, _: f64, _: Approach, _: &Touch) -> DampingForce {
        DampingForce::default()
    }

    fn coefficient(&self, start: &Touch) -> Result<f64, BeginError> {
        Ok((start.impact_speed - 2.0).sqrt())
    }
}

#[test]
fn property_a_coefficient_must_be_a_number() {
    let elastic = ElasticLaw::Power(Power { stiffness: 1e6, exponent: 1.0 });
    let law = NormalLaw::new(elastic, DampingLaw::Custom(Arc::new(Undefined)));
    assert_eq!(law.begin(6.0, 1.0).map(|touch| touch.coefficient), Ok(2.0));
    assert!(
        matches!(law.begin(1.0, 1.0), Err(BeginError::Coefficient { value }) if value.is_nan())
    );
}
