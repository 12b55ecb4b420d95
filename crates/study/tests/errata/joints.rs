//! Errata of joints: geometry, signs, friction and the hybrid law.

use std::f64::consts::PI;

use crate::golden::{Printed, assert_close, impact, law, numbers, returning, steel_bearing};
use crate::readings::{
    EFFECTIVE_MASS, HIDDEN_FACTOR, PAPER_STEEL, cylinder, goldsmith, lankarani_stiffness,
    radzimovsky,
};
use jointplay_contact::Surfaces;
use jointplay_contact::catalog::{ElasticKind, FrictionKind};
use jointplay_contact::elastic::{ElasticLaw, ElasticModel};
use jointplay_study::fit::paper_fit;

use super::{reads, spheres};

#[test]
fn erratum_14_track_clearances_exchanged() {
    let inner = Surfaces::External { radius_i: 52e-3, radius_j: 7.9e-3 };
    let outer = Surfaces::internal(68e-3, 7.9e-3).unwrap();
    assert_close("inner", inner.delta_r().unwrap(), 59.9e-3, 1e-14); // printed 60.1 mm
    assert_close("outer", outer.delta_r().unwrap(), 60.1e-3, 1e-14); // printed 59.9 mm
    let k =
        |clearance| paper_fit(&cylinder(ElasticKind::Johnson, PAPER_STEEL, clearance)).unwrap().k;
    reads("4.9075e4", k(60.1e-3));
    reads("4.9098e4", k(59.9e-3));
    assert!(
        Printed::parse("4.907e4").is_cut_of(k(60.1e-3))
            && !Printed::parse("4.907e4").within(k(59.9e-3), 1.0)
    );
}

#[test]
fn erratum_15_signs_and_brackets() {
    // (9): a body that returns with (1 − αv) of its speed
    let x = 0.32_f64;
    reads("0.3200", 1.0 - (1.0 - x));
    reads("0.5376", 1.0 - (1.0 - x).powi(2));
    // (2), (4): the effective mass of two equal spheres is half of one, not 2/m
    let (m1, m2) = (9.2, 9.2);
    assert_close("m_eff", m1 * m2 / (m1 + m2), EFFECTIVE_MASS, 1e-15);
    // after (116): d = ac; the factor of Hunt and Crossley at 0.9, and the exact one
    let factor = |name: &str| {
        let law = law(name, &returning(0.9, &numbers(&[("stiffness", 1.0)])));
        law.damping.factor(&law.begin(1.0, 1.0).unwrap()).unwrap()
    };
    reads("0.0675", 0.75 * 0.9 * (1.0 - 0.9));
    reads("0.1350", factor("hertz+hunt-crossley") * 0.9);
    reads("0.1498", factor("hertz+exact") * 0.9);
    // (71) at maximum compression is ¾(1−e²), its (58) 1 − e²: Khulief–Shabana
    assert_close("khulief-shabana", factor("linear+khulief-shabana"), 0.75 * (1.0 - 0.81), 1e-14);
    // (93), (142): the energy of unloading over that of loading is e², so e comes back
    for name in ["hertz+lankarani-nikravesh-plastic", "hertz+gharib-hurmuzlu-plastic"] {
        assert_close(name, spheres(name, 0.6), 0.6, 1e-9);
    }
    // (107), (108): at rest the force is the elastic one; with the rate outside it would vanish
    let held = law("hertz+marhefka-orin", &returning(0.5, &numbers(&[("stiffness", 1.0)])));
    let touch = held.begin(1.0, 1.0).unwrap();
    let at_rest = jointplay_contact::damping::Approach { delta: 1.0, delta_dot: 0.0 };
    assert_eq!(held.force(at_rest, &touch), held.elastic.force(1.0));
}

#[test]
fn erratum_19_bearing_and_journal_exchanged() {
    let (bearing, journal) = (10e-3, 9.5e-3);
    assert!(Surfaces::internal(journal, bearing).is_err(), "as printed the clearance is −0.5 mm");
    assert_close(
        "as meant",
        Surfaces::internal(bearing, journal).unwrap().delta_r().unwrap(),
        0.5e-3,
        1e-13,
    );
}

#[test]
fn erratum_20_pin_slot_penetration_signs() {
    let (slot, pin, eccentricity) = (2.5, 2.45, 0.06); // mm
    let printed = (pin - slot) - eccentricity;
    assert_close("printed", printed, -0.11, 1e-12);
    let clearance = Surfaces::internal(slot * 1e-3, pin * 1e-3).unwrap().delta_r().unwrap() * 1e3;
    let right = eccentricity - clearance;
    assert_close("right", right, 0.01, 1e-11);
    assert_close("wrong by 2c", -printed - right, 2.0 * clearance, 1e-12);
}

#[test]
fn erratum_24_hybrid_law_hidden_unit() {
    let journal = steel_bearing(10e-3, 0.5e-3);
    let result = impact(&law("hybrid", &returning(0.9, &journal)), 1.0, 1.0);
    reads("5.535e-5", result.max_indentation);
    reads("2.406e4", result.max_force);
    reads("0.8959", result.restitution);
    // K_n is the slope of Liu's force per length: with a length and n = 1 the force is K_nδL
    let liu = cylinder(ElasticKind::Liu, PAPER_STEEL, 0.5e-3);
    let with_length = cylinder(ElasticKind::BaiZhaoLength, PAPER_STEEL, 0.5e-3);
    let delta = 3e-5;
    assert_close("K_n", with_length.force(delta), liu.eval(delta).slope * delta, 1e-12);
    reads("4.423e10", liu.eval(delta).slope / 1e-3);
    // the linear stiffness printed for the mechanism
    let linear = impact(&law("linear", &numbers(&[("stiffness", 1.0549e11)])), 1.0, 1.0);
    reads("3.2e5", linear.max_force);
}

#[test]
fn erratum_25_friction_middle_branch() {
    let (mu_s, mu_d, v_s, v_d) = (0.2, 0.1, 1e-3, 2e-3);
    let printed = |v: f64| {
        let s: f64 = (v - v_s) / (v_d - v_s);
        mu_d + (mu_s - mu_d) * s * s * (3.0 - 2.0 * s)
    };
    assert_close("printed at v_s", printed(v_s), mu_d, 1e-12);
    assert_close("printed at v_d", printed(v_d), mu_s, 1e-12);
    let pairs =
        [("mu_static", mu_s), ("mu_dynamic", mu_d), ("slip_speed", v_s), ("dynamic_speed", v_d)];
    let friction = FrictionKind::BaiZhao.build(&numbers(&pairs)).unwrap();
    let mu = |v: f64| -friction.force(1.0, v, 0.0).force;
    for (v, wanted) in [(v_s, mu_s), (v_d, mu_d)] {
        // from both sides
        assert_close("continuous", mu(v * (1.0 - 1e-9)), wanted, 1e-7);
        assert_close("continuous", mu(v * (1.0 + 1e-9)), wanted, 1e-7);
    }
}

#[test]
fn erratum_26_pin_slot_normal_and_width() {
    let t = [1.0, 0.0];
    let (printed, counter_clockwise) = ([t[1], -t[0]], [-t[1], t[0]]);
    // the third component of t × n is positive for a counter-clockwise turn
    let turn = |n: [f64; 2]| t[0] * n[1] - t[1] * n[0];
    assert_eq!((turn(printed), turn(counter_clockwise)), (-1.0, 1.0));
    let area = |width: f64| 32.54e-3 / (2700.0 * width) * 1e6;
    reads("150.6", area(0.08));
    reads("1506", area(0.008));
}

#[test]
fn erratum_27_table_11_pin_radius() {
    let inner = |pin: f64| Surfaces::External { radius_i: 52e-3, radius_j: pin };
    reads("1.2197e5", lankarani_stiffness(inner(7.5e-3)) * PI / 10.0); // printed 1.220e5
    reads("1.2476e5", lankarani_stiffness(inner(7.9e-3)) * PI / 10.0);
    reads("3.9714e5", lankarani_stiffness(inner(7.9e-3)));
    reads("6.5546", 1e3 * inner(7.5e-3).relative_radius());
    let clearance = inner(7.5e-3).delta_r().unwrap();
    let k = |law: &ElasticLaw| paper_fit(law).unwrap().k;
    reads("4.9145e4", k(&cylinder(ElasticKind::Johnson, PAPER_STEEL, clearance))); // printed 4.914e4
    reads("4.321e4", k(&radzimovsky(16.0, PAPER_STEEL, clearance))); // printed 4.321e4
    reads("1.7166e4", k(&goldsmith(HIDDEN_FACTOR, PAPER_STEEL, inner(7.5e-3).relative_radius()))); // printed 1.717e4
    reads("1.2554e4", k(&cylinder(ElasticKind::EsduPrinted, PAPER_STEEL, clearance))); // printed 1.300e4
}
