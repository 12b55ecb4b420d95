//! Dashpots: what their coefficients mean, by other formulas than their own.

use std::f64::consts::PI;

use jointplay_contact::damping::{Approach, DampingLaw};
use jointplay_contact::elastic::{ElasticLaw, ElasticModel};
use jointplay_contact::{NormalLaw, Restitution};

use crate::sample::damped;

fn find(name: &str) -> NormalLaw {
    damped().into_iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no sample `{name}`")).1
}

/// D = damping force per rate, N s/m.
fn dashpot(law: &NormalLaw, delta: f64, mass: f64) -> f64 {
    let touch = law.begin(0.3, mass).expect("sample parameters start");
    law.eval(Approach { delta, delta_dot: 1.0 }, &touch).damping
}

#[test]
fn exact_fraction_of_critical_returns_the_restitution_of_an_oscillator() {
    let mass = 0.8;
    for name in ["plane-plane+anagnostopoulos", "hertz+tsuji"] {
        for c in [0.4, 0.6, 0.95] {
            let law = find(&format!("{name} {c} []"));
            let power = law.elastic.as_power().expect("a power law");
            // D/(2√(mK)) of the spring; for Hertz the equivalent of D δ^{−1/4} is √(5/4) of that
            let delta: f64 = 1e-5;
            let d = dashpot(&law, delta, mass) / delta.powf(0.5 * (power.exponent - 1.0));
            let zeta =
                d / (2.0 * (mass * power.stiffness).sqrt()) / (0.5 * (power.exponent + 1.0)).sqrt();
            // an oscillator that is released at zero crosses zero again with e^{−πζ/√(1−ζ²)}
            let e = (-PI * zeta / (1.0 - zeta * zeta).sqrt()).exp();
            assert!((e - c).abs() < 1e-13, "{name}: {e} for {c}");
        }
    }
}

#[test]
fn exact_critical_damping_at_restitution_zero() {
    let law = find("plane-plane+anagnostopoulos 0.4 []");
    let power = law.elastic.as_power().expect("a power law");
    let damping = DampingLaw::FractionOfCritical { restitution: Restitution::Constant(0.0), power };
    let critical = NormalLaw { damping, ..law };
    let d = dashpot(&critical, 1e-5, 1.0);
    assert!((d * d / (4.0 * power.stiffness) - 1.0).abs() < 1e-14, "D² = 4 m K");
}

#[test]
fn property_jankowski_damps_the_approach_only() {
    let law = find("hertz+jankowski 0.6 []");
    let touch = law.begin(0.3, 0.8).expect("starts");
    for delta in [1e-8, 1e-6, 1e-4] {
        let damping = |delta_dot| law.eval(Approach { delta, delta_dot }, &touch).damping;
        assert!(damping(0.1) > 0.0 && damping(0.2) > damping(0.1));
        assert_eq!((damping(0.0), damping(-1e-9), damping(-0.1)), (0.0, 0.0, 0.0));
    }
}

#[test]
fn exact_powers_of_the_dashpots() {
    // doubling δ multiplies D by 2ᵖ, the mass enters as a power too
    for (name, power_of_delta, power_of_mass) in [
        ("hertz+ristow 0.6 []", 1.0, 0.0),
        ("hertz+schafer 0.6 []", 1.0, 0.0),
        ("hertz+lee-herrmann 0.6 []", 1.0, 1.0),
        ("hertz+bordbar-hyppanen 0.6 []", 0.65, 0.0),
        ("hertz+brilliantov 0.6 []", 0.5, 0.0),
        ("hertz+tsuji 0.6 []", 0.25, 0.5),
        ("hertz+jankowski 0.6 []", 0.25, 0.5),
        ("hertz+anagnostopoulos 0.6 []", 0.25, 0.5),
        ("linear+kelvin-voigt 0.6 []", 0.0, 0.0),
        ("linear+lee-wang-linear 0.6 []", 1.0, 0.0),
        ("hertz+lee-wang-linear 0.6 []", 1.5, 0.0),
    ] {
        let law = find(name);
        let by_delta = (dashpot(&law, 2e-6, 1.0) / dashpot(&law, 1e-6, 1.0)).log2();
        let by_mass = (dashpot(&law, 1e-6, 2.0) / dashpot(&law, 1e-6, 1.0)).log2();
        assert!((by_delta - power_of_delta).abs() < 1e-14, "{name}: δ^{by_delta}");
        assert!((by_mass - power_of_mass).abs() < 1e-14, "{name}: m^{by_mass}");
    }
    // χ itself: 1e7 N s/m² at 1 µm, and per mass
    assert!((dashpot(&find("hertz+ristow 0.6 []"), 1e-6, 3.0) - 10.0).abs() < 1e-14);
    assert!((dashpot(&find("hertz+lee-herrmann 0.6 []"), 1e-6, 3.0) - 30.0).abs() < 1e-13);
    assert_eq!(dashpot(&find("linear+kelvin-voigt 0.6 []"), 0.0, 3.0), 2e3);
    // (3/4) α₁ K δ with α₁ = 0.3 s/m, K = 3e9 N/m
    assert!((dashpot(&find("linear+lee-wang-linear 0.6 []"), 1e-6, 3.0) - 675.0).abs() < 1e-12);
}

#[test]
fn exact_brilliantov_is_a_relaxation_of_the_elastic_force() {
    let law = find("hertz+brilliantov 0.6 []");
    // (1/3)(3·2 − 1)²/(3·2 + 2)·0.91·0.4/0.09 · 1e6 Pa s/207 GPa for η₁ = 1, η₂ = 2 MPa s and steel
    let a = 25.0 / 24.0 * 0.91 * 0.4 / 0.09 * 1e6 / 207e9;
    for delta in [1e-9, 1e-6, 1e-4] {
        // F_el(δ + A δ̇) to first order
        let slope = law.elastic.eval(delta).slope;
        assert!((dashpot(&law, delta, 1.0) / (a * slope) - 1.0).abs() < 1e-14);
    }
}

#[test]
fn exact_transition_of_lee_and_wang() {
    let name = "power+lee-wang-transition 0.7 [(\"epsilon\", 2e-6), (\"q\", 2.5)]";
    let law = find(name);
    let DampingLaw::LeeWangTransition { restitution, power, .. } = law.damping else {
        panic!("{name}")
    };
    let full =
        NormalLaw { damping: DampingLaw::FractionOfCritical { restitution, power }, ..law.clone() };
    let share = |delta: f64| dashpot(&law, delta, 1.0) / dashpot(&full, delta, 1.0);
    // T₂ = e^{−2q} = e⁻⁵ at first touch, e^{−q} half way, 1 from ε on
    assert!((share(1e-30).ln() + 5.0).abs() < 1e-13);
    assert!((share(1e-6).ln() + 2.5).abs() < 1e-13);
    assert_eq!((share(2e-6), share(1e-3)), (1.0, 1.0));
    // without a zone it is the dashpot itself
    let damping = DampingLaw::LeeWangTransition { restitution, power, q: 3.0, epsilon: 0.0 };
    let plain = NormalLaw { damping, ..law.clone() };
    assert_eq!(dashpot(&plain, 1e-7, 1.0), dashpot(&full, 1e-7, 1.0));
    assert!(matches!(law.elastic, ElasticLaw::Power(_)));
}

#[test]
fn exact_hunt_crossley_with_a_power_of_the_rate() {
    let law = find("power+hunt-crossley-alpha 0.7 [(\"rate_exponent\", 1.5)]");
    let touch = law.begin(0.3, 1.0).expect("starts");
    // 1 + 1.5·0.4·δ̇^1.5, odd in the rate: 0.25^1.5 = 1/8
    for (rate, share) in [(0.25, 1.075), (-0.25, 0.925), (1.0, 1.6), (0.0, 1.0)] {
        let at = Approach { delta: 1e-5, delta_dot: rate };
        let ratio = law.unclipped(at, &touch) / law.elastic.force(1e-5);
        assert!((ratio - share).abs() < 4.0 * f64::EPSILON, "{rate}: {ratio}");
    }
}
