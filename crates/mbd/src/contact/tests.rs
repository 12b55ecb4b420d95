//! Gaps and contact forces against differences of what they derive from.

use jointplay_contact::damping::{DampingLaw, Factor};
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::{Coulomb, CoulombTanh, FrictionLaw};
use jointplay_contact::{NormalLaw, Restitution};
use jointplay_ode::Bow;
use proptest::prelude::*;

use super::*;
use crate::frame::{dot3, sub};
use crate::real::{Dual, WIDTH};
use crate::row::tests::{Course, assert_balanced, course, slope, stations};
use crate::row::{Row, RowKind};

/// Differences of fourth order over 3e-4, of forces up to 1e3 and overlaps above 0.1.
const CLOSE: f64 = 1e-6;

const POWER: Power = Power { stiffness: 300.0, exponent: 1.5 };

fn law(damping: DampingLaw, friction: FrictionLaw) -> ContactLaw {
    ContactLaw { normal: NormalLaw::new(ElasticLaw::Power(POWER), damping), friction }
}

fn contact(gap: Gap, law: ContactLaw) -> ContactElement {
    let slides = law.friction != FrictionLaw::NoFriction;
    let bends = law.friction.state_count() > 0;
    ContactElement {
        initial_impact_speed: None,
        normal_account: 0,
        friction_account: slides.then_some(1),
        first_guard: 0,
        guards: guards_of(&law, &gap, false, false),
        front: None,
        beyond: [None; 2],
        play: None,
        seam_account: None,
        bristle: bends.then_some(0),
        law,
        gap,
    }
}

fn journal() -> impl Strategy<Value = Gap> {
    (stations(), 0.2..0.5, 0.05..0.15, 0.0..1.0).prop_map(
        |([bearing, journal], radius, clearance, contact_point)| Gap::Journal {
            bearing,
            journal,
            radius,
            clearance,
            contact_point,
        },
    )
}

/// Pins in bearings, on bulges and on flats.
fn pin() -> impl Strategy<Value = Gap> {
    let bulge = (stations(), 0.2..1.5, 0.2..1.5, 0.0..1.0).prop_map(
        |([centre, pin], radius, pin_radius, contact_point)| Gap::Bulge {
            centre,
            pin,
            radius,
            pin_radius,
            contact_point,
        },
    );
    let flat = (stations(), -3.0..3.0_f64, 0.0..1.5, 0.0..1.0).prop_map(
        |([middle, pin], angle, pin_radius, contact_point)| Gap::Flat {
            middle,
            pin,
            normal: [angle.cos(), angle.sin()],
            pin_radius,
            contact_point,
        },
    );
    prop_oneof![journal(), bulge, flat]
}

fn stop() -> impl Strategy<Value = Gap> {
    let kind = prop_oneof![
        Just(RowKind::X),
        Just(RowKind::Y),
        Just(RowKind::Distance),
        Just(RowKind::Angle),
        (-3.0..3.0_f64).prop_map(|angle| RowKind::Along([angle.cos(), angle.sin()])),
    ];
    (kind, stations(), -1.0..1.0, prop_oneof![Just(1.0), Just(-1.0)]).prop_map(
        |(kind, [a, b], limit, sign)| {
            let row = Row { kind, a, b, offset: 0.0, driver: None };
            Gap::Stop { row, limit, sign }
        },
    )
}

/// Every way in which a law loses energy, in compression and in restitution.
fn damping() -> impl Strategy<Value = DampingLaw> {
    let restitution = Restitution::Constant(0.6);
    prop_oneof![
        Just(DampingLaw::None),
        Just(DampingLaw::Factor { factor: Factor::Flores, restitution }),
        Just(DampingLaw::KelvinVoigt { damping: 20.0 }),
        Just(DampingLaw::HuntCrossleyAlpha { alpha: 0.3, rate_exponent: 1.0 }),
        Just(DampingLaw::TwoSlope { restitution, smoothing_speed: 0.0 }),
        Just(DampingLaw::TwoSlope { restitution, smoothing_speed: 0.5 }),
        Just(DampingLaw::Jankowski { restitution, power: POWER }),
        Just(DampingLaw::FractionOfCritical { restitution, power: POWER }),
        Just(DampingLaw::PowerDashpot { chi: 30.0, exponent: 0.25, per_mass: true }),
        Just(DampingLaw::Brilliantov { relaxation: 0.05, power: POWER }),
        Just(DampingLaw::Plastic { restitution, power: POWER, memory: true }),
    ]
}

fn friction() -> impl Strategy<Value = FrictionLaw> {
    let smooth = CoulombTanh::new(0.3, 0.5).expect("good numbers");
    let dry = Coulomb::new(0.3).expect("good numbers");
    prop_oneof![
        Just(FrictionLaw::NoFriction),
        Just(FrictionLaw::CoulombTanh(smooth)),
        Just(FrictionLaw::Coulomb(dry)),
    ]
}

fn touching() -> impl Strategy<Value = (ContactElement, Phase, Course)> {
    let contact = prop_oneof![
        (pin(), damping(), friction()),
        (stop(), damping(), Just(FrictionLaw::NoFriction)),
    ]
    .prop_map(|(gap, damping, friction)| contact(gap, law(damping, friction)));
    let inside = |(contact, course): &(ContactElement, Course)| {
        let gap = contact.gap.measure(&course.motion(0.0));
        let long = match &contact.gap {
            Gap::Stop { row: Row { kind: RowKind::Distance, .. }, limit, sign } => {
                gap.delta * sign + limit > 0.3
            }
            Gap::Bulge { radius, pin_radius, .. } => radius + pin_radius - gap.delta > 0.3,
            _ => true,
        };
        // Away from where laws bend: the surface, and the ends of compression and sliding.
        gap.delta > 0.1 && gap.delta_dot.abs() > 0.05 && gap.v_t != 0.05 && long
    };
    (contact, course()).prop_filter("they touch", inside).prop_map(|(contact, course)| {
        let gap = contact.gap.measure(&course.motion(0.0));
        let normal = &contact.law.normal;
        let mut touch = normal.begin(1.3, 2.0).expect("good numbers");
        if gap.delta_dot < 0.0 {
            touch = normal.turned(touch, gap.delta + 0.02);
        }
        let phase = contact.touching(touch, &gap);
        (contact, phase, course)
    })
}

/// Forces on both bodies and both powers.
fn applied<T: Real>(
    contact: &ContactElement,
    phase: &Phase,
    motion: &[Motion<T>; 2],
) -> ([Spatial<T>; 2], [T; 2]) {
    let (mut force, mut power) = ([[T::ZERO; 3]; 2], [T::ZERO; 2]);
    let mut bristles = [Bristles { z: T::constant(1e-3), rate: T::ZERO }];
    contact.apply(phase, motion, &mut bristles, &mut force, &mut power);
    (force, power)
}

fn values<T: Real>(([a, b], power): ([Spatial<T>; 2], [T; 2])) -> [T; 8] {
    [a[0], a[1], a[2], b[0], b[1], b[2], power[0], power[1]]
}

proptest! {
    #[test]
    fn property_a_gap_is_measured_with_its_slopes((contact, _, course) in touching()) {
        let gap = contact.gap.measure(&course.motion(0.0));
        let on = [gap.on_a, gap.on_b];
        for i in 0..6 {
            let slope = slope(|h| contact.gap.measure(&course.moved(i, h)).delta);
            prop_assert!((slope - on[i / 3][i % 3]).abs() < CLOSE, "{i}: {slope} {on:?}");
        }
        let rate = slope(|t| contact.gap.measure(&course.motion(t)).delta);
        prop_assert!((rate - gap.delta_dot).abs() < CLOSE);
        prop_assert_eq!(contact.gap.approach(&course.motion(0.0)), [gap.delta, gap.delta_dot]);
    }

    /// The slip of a pin, from where the material points of both bodies at the place of contact go.
    #[test]
    fn property_slip_is_the_motion_of_the_points_that_touch(
        gap in pin(),
        course in course(),
    ) {
        let motion = course.motion(0.0);
        let [wall, pin] = gap.stations().expect("a pin");
        let centre = motion[0].point(wall.local).x;
        let pin = motion[1].point(pin.local).x;
        let e = sub(pin, centre);
        let size = e[0].hypot(e[1]);
        prop_assume!(size > 0.05);
        // From the surface of the wall at its foot into the wall, by a part of the overlap.
        let (into, pin_radius, contact_point) = match gap {
            Gap::Journal { radius, clearance, contact_point, .. } => {
                ([e[0] / size, e[1] / size], radius - clearance, contact_point)
            }
            Gap::Bulge { pin_radius, contact_point, .. } => ([-e[0] / size, -e[1] / size], pin_radius, contact_point),
            Gap::Flat { normal, pin_radius, contact_point, .. } => {
                let [x, y] = motion[0].turn(normal);
                ([-x, -y], pin_radius, contact_point)
            }
            Gap::Stop { .. } => unreachable!("a pin"),
        };
        let n = into;
        let overlap = gap.measure(&motion).delta;
        let reach = pin_radius - overlap + contact_point * overlap;
        let place = [pin[0] + reach * n[0], pin[1] + reach * n[1]];
        // The same place in the frame of each body, carried along.
        let carried = |body: usize, t: f64| {
            let Motion { x, cos, sin, .. } = motion[body];
            let [dx, dy] = [place[0] - x[0], place[1] - x[1]];
            course.motion(t)[body].point([cos * dx + sin * dy, cos * dy - sin * dx]).x
        };
        let along_t = |t: f64| {
            let ([xa, ya], [xb, yb]) = (carried(0, t), carried(1, t));
            (yb - ya) * n[0] - (xb - xa) * n[1]
        };
        let v_t = gap.measure(&motion).v_t;
        prop_assert!((slope(along_t) - v_t).abs() < CLOSE, "{} {v_t}", slope(along_t));
    }

    #[test]
    fn property_an_elastic_contact_force_is_the_slope_of_its_energy(
        (contact, _, course) in touching(),
    ) {
        let elastic = ContactElement {
            law: law(DampingLaw::None, FrictionLaw::NoFriction),
            friction_account: None,
            ..contact
        };
        let gap = elastic.gap.measure(&course.motion(0.0));
        let touch = elastic.law.normal.begin(1.0, 1.0).expect("good numbers");
        let phase = elastic.touching(touch, &gap);
        let (force, power) = applied(&elastic, &phase, &course.motion(0.0));
        for i in 0..6 {
            let slope = slope(|h| elastic.energy(&phase, &course.moved(i, h)));
            let size = 1.0 + slope.abs();
            prop_assert!((force[i / 3][i % 3] + slope).abs() < CLOSE * size);
        }
        prop_assert_eq!(power, [0.0; 2]);
    }

    #[test]
    fn property_the_power_of_a_contact_is_stored_or_lost((contact, phase, course) in touching()) {
        let motion = course.motion(0.0);
        let (force, [normal, friction]) = applied(&contact, &phase, &motion);
        let power = dot3(force[0], course.v[0]) + dot3(force[1], course.v[1]);
        let stored = slope(|t| contact.energy(&phase, &course.motion(t)));
        let size = 1.0 + stored.abs() + normal.abs() + friction;
        prop_assert!((power + stored + normal + friction).abs() < CLOSE * size);
        // Two branches of a smoothed law can give back what another point of the motion lost.
        let smoothed =
            matches!(contact.law.normal.damping, DampingLaw::TwoSlope { smoothing_speed, .. } if smoothing_speed > 0.0);
        prop_assert!(normal >= -1e-12 * size || smoothed, "{normal}");
        prop_assert!(friction >= 0.0);
        let report = contact.report(&phase, &motion, &[]);
        prop_assert_eq!([report.normal_loss, report.friction_loss], [normal, friction]);
        prop_assert_eq!(report.energy, contact.energy(&phase, &motion));
    }

    /// X and Y belong to the ground, which takes any moment; every other gap is between two bodies.
    #[test]
    fn property_a_contact_acts_on_both_bodies_alike((contact, phase, course) in touching()) {
        let of_ground = matches!(
            contact.gap,
            Gap::Stop { row: Row { kind: RowKind::X | RowKind::Y, .. }, .. }
        );
        if of_ground {
            return Ok(());
        }
        let motion = course.motion(0.0);
        let (force, _) = applied(&contact, &phase, &motion);
        assert_balanced(&force, &motion);
    }

    #[test]
    fn property_dual_numbers_give_every_slope_of_a_contact(
        (contact, phase, course) in touching(),
    ) {
        let at = |motion: &[Motion<f64>; 2]| values(applied(&contact, &phase, motion));
        let value = at(&course.motion(0.0));
        // Cut or not, but not on the edge.
        let Phase::Touching { touch, .. } = &phase else { unreachable!("it touches") };
        let [delta, delta_dot] = contact.gap.approach(&course.motion(0.0));
        let raw = contact.law.normal.unclipped(Approach { delta, delta_dot }, touch);
        prop_assume!(raw.abs() > 1.0);
        for i in 0..12 {
            let dual = values(applied::<Dual>(&contact, &phase, &course.dual(i - i % WIDTH)));
            for (k, dual) in dual.iter().enumerate() {
                let (exact, slope) =
                    (dual.slope(i % WIDTH), slope(|h| at(&course.varied(i, h))[k]));
                let size = 1.0 + exact.abs() + value[k].abs();
                prop_assert!((dual.value() - value[k]).abs() <= 1e-14 * size);
                prop_assert!((slope - exact).abs() < CLOSE * size, "{i} {k}: {slope} {exact}");
            }
        }
    }
}

proptest! {
    /// A step in which both bodies follow polynomials: the gap never exceeds its greater end by more than the bound.
    #[test]
    fn property_a_gap_stays_below_its_ends_and_its_bow(
        gap in journal(),
        ends in prop::array::uniform6(prop::array::uniform2(-0.3..0.3_f64)),
        bows in prop::array::uniform6(-0.05..0.05_f64),
    ) {
        let Gap::Journal { mut bearing, mut journal, radius, clearance, contact_point } = gap else {
            return Ok(());
        };
        // Both bodies move.
        (bearing.frame, journal.frame) = (1, 2);
        let gap = Gap::Journal { bearing, journal, radius, clearance, contact_point };
        // θ(1−θ) is at most a quarter.
        let at = |theta: f64| {
            let mut motion = [Motion::<f64>::rest(); 3];
            for k in 0..2 {
                let [x, y, angle] = std::array::from_fn(|i| {
                    let [from, to] = ends[3 * k + i];
                    from + theta * (to - from) + 4.0 * theta * (1.0 - theta) * bows[3 * k + i]
                });
                let (sin, cos) = angle.sin_cos();
                motion[k + 1] = Motion { x: [x, y], angle, cos, sin, ..Motion::rest() };
            }
            gap.approach(&motion)[0]
        };
        let bow = gap.bow(|frame| std::array::from_fn(|i| {
            let k = 3 * (frame - 1) + i;
            Bow { change: ends[k][1] - ends[k][0], height: bows[k].abs() }
        }));
        let greatest = at(0.0).max(at(1.0)) + bow.expect("a bearing");
        for i in 0..=20 {
            let delta = at(0.05 * f64::from(i));
            prop_assert!(delta <= greatest + 1e-12, "{delta} above {greatest}");
        }
    }
}
