//! Tests of every friction law through the public enum.

use proptest::prelude::*;

use super::*;

const NORMAL: f64 = 100.0;

fn curve() -> StribeckCurve {
    StribeckCurve::new(0.3, 0.2, 0.05).unwrap()
}

fn tanh() -> FrictionLaw {
    FrictionLaw::CoulombTanh(CoulombTanh::new(0.1, 0.01).unwrap())
}

fn ramp() -> FrictionLaw {
    FrictionLaw::CoulombRamp(CoulombRamp::new(0.1, 0.01).unwrap())
}

fn cubic() -> FrictionLaw {
    FrictionLaw::CoulombCubic(CoulombCubic::new(0.1, 0.01).unwrap())
}

fn ambrosio() -> FrictionLaw {
    FrictionLaw::Ambrosio(Ambrosio::new(0.1, 0.01, 0.03).unwrap())
}

fn bai_zhao() -> FrictionLaw {
    FrictionLaw::BaiZhao(BaiZhao::new(0.015, 0.01, 1e-3, 1e-2).unwrap())
}

fn stribeck() -> FrictionLaw {
    FrictionLaw::Stribeck(Stribeck::new(curve(), 1e-3, 0.4).unwrap())
}

fn lugre() -> FrictionLaw {
    FrictionLaw::LuGre(LuGre::new(curve(), 1e5, 300.0, 0.4).unwrap())
}

/// The laws that are continuous functions of the sliding speed.
fn continuous() -> [FrictionLaw; 7] {
    [FrictionLaw::NoFriction, tanh(), ramp(), cubic(), ambrosio(), bai_zhao(), stribeck()]
}

fn force(law: &FrictionLaw, v_t: f64) -> f64 {
    law.force(NORMAL, v_t, 0.0).force
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + b.abs())
}

#[test]
fn exact_coulomb() {
    let law = FrictionLaw::Coulomb(Coulomb::new(0.25).unwrap());
    let sliding = law.force(NORMAL, -2.0, 0.0);
    assert_eq!(sliding, Friction { force: 25.0, slope: 0.0, power_lost: 50.0 });
    assert_eq!(law.force(NORMAL, 0.0, 0.0), Friction::default());
    // The frozen direction decides, not the sign of the speed.
    assert_eq!(law.force_sliding(NORMAL, -1e-9, 0.0, 1.0).force, -25.0);
    assert_eq!(law.force_sliding(NORMAL, 0.0, 0.0, -1.0).force, 25.0);
    assert_eq!(law.force_sliding(NORMAL, 3.0, 0.0, 1.0), law.force(NORMAL, 3.0, 0.0));
}

#[test]
fn exact_only_coulomb_is_set_valued_and_only_lugre_has_a_state() {
    let coulomb = FrictionLaw::Coulomb(Coulomb::new(0.25).unwrap());
    assert!(coulomb.is_set_valued() && coulomb.state_count() == 0);
    assert!(!lugre().is_set_valued() && lugre().state_count() == 1);
    for law in continuous() {
        assert!(!law.is_set_valued() && law.state_count() == 0);
        assert_eq!(law.z_dot(1.0, 1.0), 0.0);
        assert_eq!(law.force_sliding(NORMAL, 0.004, 0.0, -1.0), law.force(NORMAL, 0.004, 0.0));
    }
}

#[test]
fn exact_values_at_branch_points() {
    // tanh(1) = 0.7615941559557649
    assert!(close(force(&tanh(), 0.01), -7.615941559557649, 1e-15));
    assert!(close(force(&ramp(), 0.005), -5.0, 1e-15));
    assert!(close(force(&ramp(), 0.01), -10.0, 1e-15));
    assert!(close(force(&ramp(), 7.0), -10.0, 1e-15));
    // 1.5/2 − 0.5/8 = 0.6875
    assert!(close(force(&cubic(), 0.005), -6.875, 1e-15));
    assert!(close(force(&cubic(), 0.01), -10.0, 1e-15));
    assert_eq!(cubic().force(NORMAL, 0.01, 0.0).slope, 0.0);
    assert!(close(cubic().force(NORMAL, 0.0, 0.0).slope, -1500.0, 1e-15));
    assert_eq!(force(&ambrosio(), 0.01), 0.0);
    assert!(close(force(&ambrosio(), 0.02), -5.0, 1e-15));
    assert!(close(force(&ambrosio(), 0.03), -10.0, 1e-14));
    assert!(close(force(&bai_zhao(), 5e-4), -1.03125, 1e-15));
    assert!(close(force(&bai_zhao(), 1e-3), -1.5, 1e-15));
    // Half way between the speeds the coefficient is half way between μ_s and μ_d.
    assert!(close(force(&bai_zhao(), 5.5e-3), -1.25, 1e-15));
    assert!(close(force(&bai_zhao(), 1e-2), -1.0, 1e-15));
    assert!(close(force(&bai_zhao(), 1.0), -1.0, 1e-15));
    // At the Stribeck speed, with a saturated tanh: 0.2 + 0.1/e, and 0.4 · 0.05 for the oil.
    assert!(close(force(&stribeck(), 0.05), -(20.0 + 10.0 / std::f64::consts::E + 2.0), 1e-14));
}

#[test]
fn exact_pulling_contact_has_no_friction() {
    for law in continuous().into_iter().chain([lugre()]) {
        assert_eq!(law.force(-5.0, 0.3, 1e-6), Friction::default());
        assert!(!law.force(-5.0, 0.3, 1e-6).force.is_sign_negative());
    }
    assert!(tanh().force(f64::NAN, 0.3, 0.0).force.is_nan());
}

#[test]
fn exact_errors_name_key_value_and_interval() {
    let message = |result: Result<(), FrictionError>| result.unwrap_err().to_string();
    assert_eq!(message(Coulomb::new(-0.1).map(drop)), "`mu` = -0.1 is not in [0, ∞)");
    assert_eq!(message(Coulomb::new(f64::NAN).map(drop)), "`mu` = NaN is not in [0, ∞)");
    assert_eq!(
        CoulombTanh::new(0.1, 0.0).unwrap_err(),
        FrictionError { key: "slip_speed", value: 0.0, allowed: "(0, ∞)" }
    );
    assert_eq!(CoulombRamp::new(f64::INFINITY, 0.1).unwrap_err().key, "mu");
    assert_eq!(CoulombCubic::new(0.1, f64::NAN).unwrap_err().key, "slip_speed");
    assert_eq!(
        Ambrosio::new(0.1, 0.2, 0.2).unwrap_err(),
        FrictionError { key: "speed_1", value: 0.2, allowed: "(speed_0, ∞)" }
    );
    assert_eq!(Ambrosio::new(0.1, -0.2, 0.2).unwrap_err().key, "speed_0");
    assert_eq!(
        BaiZhao::new(0.1, 0.2, 0.3, 0.2).unwrap_err(),
        FrictionError { key: "dynamic_speed", value: 0.2, allowed: "(slip_speed, ∞)" }
    );
    assert_eq!(BaiZhao::new(0.1, 0.0, 0.1, 0.2).unwrap_err().key, "mu_dynamic");
    assert_eq!(StribeckCurve::new(0.0, 0.1, 0.1).unwrap_err().key, "mu_static");
    assert_eq!(StribeckCurve::new(0.1, 0.1, -1.0).unwrap_err().key, "stribeck_speed");
    assert_eq!(Stribeck::new(curve(), 0.1, -1.0).unwrap_err().key, "viscous");
    assert_eq!(LuGre::new(curve(), 0.0, 1.0, 1.0).unwrap_err().key, "sigma_0");
    assert_eq!(LuGre::new(curve(), 1.0, -1.0, 1.0).unwrap_err().key, "sigma_1");
    assert_eq!(LuGre::new(curve(), 1.0, 1.0, f64::NAN).unwrap_err().key, "sigma_2");
}

#[test]
fn property_continuous_and_odd() {
    for law in continuous() {
        let mut before = force(&law, 0.0);
        assert_eq!(before, 0.0);
        for k in 1..=200_000 {
            let v = f64::from(k) * 1e-6;
            let now = force(&law, v);
            // The steepest law falls by 30 N over 1e-3 m/s, 0.03 N per step.
            assert!((now - before).abs() < 0.04, "{law:?} jumps at {v}");
            assert_eq!(force(&law, -v), -now, "{law:?} at {v}");
            before = now;
        }
    }
}

#[test]
fn property_slope_is_the_derivative_of_force() {
    let kinks = [0.0, 0.01, 0.03];
    let state = 2e-6;
    for law in continuous().into_iter().chain([lugre()]) {
        for k in -400_i32..=400 {
            let v = f64::from(k) * 1.23e-4 + 3.1e-6;
            let h = 1e-7;
            if kinks.iter().any(|kink| (v.abs() - kink).abs() < 3.0 * h) {
                continue;
            }
            let at = |step: f64| law.force(NORMAL, v + step * h, state).force;
            // Fourth order; the laws change over 1e-3 m/s, so its error is below rounding.
            let slope = (8.0 * (at(1.0) - at(-1.0)) - at(2.0) + at(-2.0)) / (12.0 * h);
            let given = law.force(NORMAL, v, state).slope;
            assert!(
                (given - slope).abs() < 1e-3 + 1e-6 * slope.abs(),
                "{law:?} at {v}: {given} {slope}"
            );
        }
    }
}

/// z after `time` at the speed `v_t(t)`, from rest, by the classical Runge-Kutta method.
fn bristle(law: &FrictionLaw, v_t: impl Fn(f64) -> f64, time: f64, steps: u32) -> Vec<f64> {
    let h = time / f64::from(steps);
    let mut z = 0.0;
    (0..steps)
        .map(|step| {
            let t = f64::from(step) * h;
            let k1 = law.z_dot(v_t(t), z);
            let k2 = law.z_dot(v_t(t + 0.5 * h), z + 0.5 * h * k1);
            let k3 = law.z_dot(v_t(t + 0.5 * h), z + 0.5 * h * k2);
            let k4 = law.z_dot(v_t(t + h), z + h * k3);
            z += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
            z
        })
        .collect()
}

#[test]
fn exact_lugre_settles_on_the_stribeck_curve() {
    // At the Stribeck speed the curve is 0.2 + 0.1/e; the oil adds 0.4 · 0.05.
    let g = 0.2 + 0.1 / std::f64::consts::E;
    for direction in [-1.0, 1.0] {
        let v = 0.05 * direction;
        let path = bristle(&lugre(), |_| v, 2e-3, 2000);
        // At constant speed z = (g/σ₀) sign(v) (1 − exp(−σ₀|v|t/g)).
        let expected = direction * g / 1e5 * (1.0 - f64::exp(-1e5 * 0.05 * 1e-4 / g));
        assert!((path[99] - expected).abs() < 1e-9 * expected.abs());
        let settled = lugre().force(NORMAL, v, path[1999]);
        assert!(close(settled.force, -direction * NORMAL * (g + 0.02), 1e-9), "{settled:?}");
        assert!(lugre().z_dot(v, path[1999]).abs() < 1e-12);
    }
}

#[test]
fn exact_lugre_is_a_spring_and_damper_in_presliding() {
    // z = 1e-8 m is 0.3 % of the break-away deflection; at rest only σ₀z remains.
    let at_rest = lugre().force(NORMAL, 0.0, 1e-8);
    assert!(close(at_rest.force, -0.1, 1e-15));
    assert!(close(at_rest.slope, -NORMAL * 300.4, 1e-15));
    // Undeflected: ż = v, so F = −F_n (σ₁ + σ₂) v.
    assert!(close(lugre().force(NORMAL, 1e-4, 0.0).force, -NORMAL * 300.4 * 1e-4, 1e-15));
}

#[test]
fn property_lugre_bristles_stay_within_the_largest_static_deflection() {
    let largest = 0.3 / 1e5;
    let path = bristle(&lugre(), |t| 0.02 * (60.0 * t).sin(), 0.5, 50_000);
    let reached = path.iter().fold(0.0_f64, |reached, z| reached.max(z.abs()));
    assert!(reached <= largest * (1.0 + 1e-12) && reached > 0.9 * largest, "{reached}");
}

/// Every finite number, the extremes included.
fn finite() -> impl Strategy<Value = f64> {
    prop_oneof![
        prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO,
        -1.0..1.0,
        prop::sample::select(vec![f64::MAX, -f64::MAX, f64::MIN_POSITIVE, 5e-324, 0.0, 1.0]),
    ]
}

/// Any law whose parameters its constructor accepts.
fn law() -> impl Strategy<Value = FrictionLaw> {
    let parameters = prop::array::uniform6(finite().prop_map(f64::abs));
    (0..9, parameters).prop_filter_map("parameters", |(which, [a, b, c, d, e, f])| {
        let curve = StribeckCurve::new(a, b, c);
        let law = match which {
            0 => FrictionLaw::NoFriction,
            1 => FrictionLaw::Coulomb(Coulomb::new(a).ok()?),
            2 => FrictionLaw::CoulombTanh(CoulombTanh::new(a, b).ok()?),
            3 => FrictionLaw::CoulombRamp(CoulombRamp::new(a, b).ok()?),
            4 => FrictionLaw::CoulombCubic(CoulombCubic::new(a, b).ok()?),
            5 => FrictionLaw::Ambrosio(Ambrosio::new(a, b.min(c), b.max(c)).ok()?),
            6 => FrictionLaw::BaiZhao(BaiZhao::new(a, b, c.min(d), c.max(d)).ok()?),
            7 => FrictionLaw::Stribeck(Stribeck::new(curve.ok()?, d, e).ok()?),
            _ => FrictionLaw::LuGre(LuGre::new(curve.ok()?, d, e, f).ok()?),
        };
        Some(law)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]

    #[test]
    fn property_finite_arguments_give_finite_results(
        law in law(), normal in finite(), v_t in finite(), z in finite(), direction in -1_i8..=1,
    ) {
        let friction = law.force(normal, v_t, z);
        let sliding = law.force_sliding(normal, v_t, z, f64::from(direction));
        for friction in [friction, sliding] {
            let Friction { force, slope, power_lost } = friction;
            prop_assert!(
                force.is_finite() && slope.is_finite() && power_lost.is_finite(), "{friction:?}"
            );
        }
        prop_assert!(law.z_dot(v_t, z).is_finite());
        if law.state_count() == 0 {
            prop_assert!(friction.power_lost >= 0.0 && friction.force * v_t <= 0.0);
            prop_assert_eq!(law.force(normal, -v_t, z).force, -friction.force);
        }
    }

    /// On the boundary of the largest deflection the state never moves outwards.
    #[test]
    fn property_lugre_boundary_is_not_crossed(
        mu_static in 0.01..2.0, mu_dynamic in 0.01..2.0, sigma_0 in 1.0..1e7, v_t in -10.0..10.0,
    ) {
        let curve = StribeckCurve::new(mu_static, mu_dynamic, 0.05).unwrap();
        let law = FrictionLaw::LuGre(LuGre::new(curve, sigma_0, 1.0, 0.0).unwrap());
        let z = f64::max(mu_static, mu_dynamic) / sigma_0;
        prop_assert!(law.z_dot(v_t, z) <= 1e-12 * f64::abs(v_t));
        prop_assert!(law.z_dot(v_t, -z) >= -1e-12 * f64::abs(v_t));
    }
}
