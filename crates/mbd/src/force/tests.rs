use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::frame::dot3;
use crate::ledger::AccountSide;
use crate::real::{Dual, WIDTH};
use crate::row::tests::{Course, assert_balanced, course, slope, stations};
use crate::signal::Harmonic;

/// Differences of fourth order over 3e-4, of forces up to 1e2 and lengths above 0.3.
const CLOSE: f64 = 1e-6;

fn linear() -> impl Strategy<Value = Linear> {
    (0.0..50.0, -1.0..1.0, -5.0..5.0, 0.0..5.0).prop_map(|(stiffness, free, preload, damping)| {
        Linear { stiffness, free, preload, damping }
    })
}

fn signal() -> impl Strategy<Value = Signal> {
    (-5.0..5.0, -5.0..5.0).prop_map(|(offset, amplitude)| {
        let wave = Harmonic { offset, amplitude, angular_frequency: 3.0, phase: 0.5 };
        Signal::harmonic(wave).expect("finite")
    })
}

/// An element between the two bodies that holds energy, with one account.
fn elastic() -> impl Strategy<Value = Element> {
    let spring = (stations(), linear()).prop_map(|([a, b], law)| {
        let law = Linear { free: law.free.abs(), ..law };
        Element::Spring { a, b, law, account: Some(0) }
    });
    let torsion =
        linear().prop_map(|law| Element::TorsionSpring { a: 0, b: 1, law, account: Some(0) });
    let three = |most: f64| prop::array::uniform3(0.0..most);
    let bushing = (stations(), -3.0..3.0_f64, -1.0..1.0, three(50.0), three(5.0)).prop_map(
        |([a, b], axis, angle, stiffness, damping)| {
            let (sin, cos) = axis.sin_cos();
            Element::Bushing(Box::new(BushingElement {
                a,
                b,
                axes: [[cos, sin], [-sin, cos]],
                angle,
                stiffness,
                damping,
                account: Some(0),
            }))
        },
    );
    prop_oneof![spring, torsion, bushing, users()]
}

/// Elements of users, with an account of their losses.
fn users() -> impl Strategy<Value = Element> {
    let account = Some(OtherAccount { number: 0, side: AccountSide::Loss });
    let numbers = || prop::array::uniform4(0.5..5.0);
    let line = (stations(), numbers()).prop_map(move |([a, b], numbers)| {
        Element::Line(Box::new(LineElement { a, b, model: Arc::new(Gas(numbers)), account }))
    });
    let pair = (stations(), numbers()).prop_map(move |([a, b], numbers)| {
        Element::Custom(Box::new(CustomElement { a, b, model: Arc::new(Pair(numbers)), account }))
    });
    prop_oneof![line, pair]
}

/// A line with U = k l³, and damping c l² l̇ + d l̇³.
#[derive(Debug)]
struct Gas([f64; 4]);

impl LineModel for Gas {
    fn name(&self) -> &'static str {
        "gas"
    }

    fn tension(&self, _t: f64, l: f64, rate: f64) -> Tension {
        let [k, c, d, _] = self.0;
        Tension {
            held: 3.0 * k * l * l,
            held_by_length: 6.0 * k * l,
            other: c * l * l * rate + d * rate * rate * rate,
            other_by_length: 2.0 * c * l * rate,
            other_by_rate: c * l * l + 3.0 * d * rate * rate,
        }
    }

    fn energy(&self, l: f64) -> f64 {
        self.0[0] * l * l * l
    }

    fn side(&self) -> Option<AccountSide> {
        Some(AccountSide::Loss)
    }
}

/// With d from a to b and ψ = φ_b − φ_a: U = k (d·d)²/4 + m (1 − cos ψ), damping along d by c d·ḋ, and in turning.
#[derive(Debug)]
struct Pair([f64; 4]);

impl Pair {
    /// d, ḋ, ψ and ψ̇.
    fn between(q: &[f64; 6], rates: &[f64; 6]) -> ([f64; 2], [f64; 2], f64, f64) {
        let from_a = |x: &[f64; 6]| [x[3] - x[0], x[4] - x[1]];
        (from_a(q), from_a(rates), q[5] - q[2], rates[5] - rates[2])
    }

    /// What acts on b acts back on a.
    fn both([x, y, m]: [f64; 3]) -> [f64; 6] {
        [-x, -y, -m, x, y, m]
    }

    /// The slopes of that by the place of a and of b.
    fn both_slopes(on_b: [[f64; 3]; 3]) -> [[f64; 6]; 6] {
        std::array::from_fn(|row| {
            let sign = if row < 3 { -1.0 } else { 1.0 };
            Self::both(on_b[row % 3].map(|slope| sign * slope))
        })
    }
}

impl ForceModel for Pair {
    fn name(&self) -> &'static str {
        "pair"
    }

    fn wrench(&self, _t: f64, q: &[f64; 6], rates: &[f64; 6]) -> Wrench {
        let [k, m, c, turning] = self.0;
        let (d, d_dot, psi, psi_dot) = Self::between(q, rates);
        let (square, along) = (dot(d, d), dot(d, d_dot));
        Wrench {
            held: Self::both([-k * square * d[0], -k * square * d[1], -m * psi.sin()]),
            other: Self::both([-c * along * d[0], -c * along * d[1], -turning * psi_dot]),
        }
    }

    fn slopes(&self, _t: f64, q: &[f64; 6], rates: &[f64; 6]) -> WrenchSlopes {
        let [k, m, c, turning] = self.0;
        let (d, v, psi, _) = Self::between(q, rates);
        let (square, along) = (dot(d, d), dot(d, v));
        let plane = |entry: &dyn Fn(usize, usize) -> f64, last: f64| {
            [[entry(0, 0), entry(0, 1), 0.0], [entry(1, 0), entry(1, 1), 0.0], [0.0, 0.0, last]]
        };
        let unit = |i, j| if i == j { 1.0 } else { 0.0 };
        let held = |i, j| -k * (square * unit(i, j) + 2.0 * d[i] * d[j]);
        let other = |i, j| -c * (d[i] * v[j] + along * unit(i, j));
        let by_rates = |i, j| -c * d[i] * d[j];
        WrenchSlopes {
            held: Self::both_slopes(plane(&held, -m * psi.cos())),
            other: Self::both_slopes(plane(&other, 0.0)),
            other_by_rates: Self::both_slopes(plane(&by_rates, -turning)),
        }
    }

    fn energy(&self, q: &[f64; 6]) -> f64 {
        let [k, m, ..] = self.0;
        let (d, _, psi, _) = Self::between(q, &[0.0; 6]);
        0.25 * k * dot(d, d) * dot(d, d) + m * (1.0 - psi.cos())
    }

    fn side(&self) -> Option<AccountSide> {
        Some(AccountSide::Loss)
    }
}

/// An element of a user without its losses.
#[derive(Debug)]
struct Undamped<M: ?Sized>(Arc<M>);

impl LineModel for Undamped<dyn LineModel> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn tension(&self, t: f64, length: f64, rate: f64) -> Tension {
        let Tension { held, held_by_length, .. } = self.0.tension(t, length, rate);
        Tension { held, held_by_length, ..Tension::default() }
    }
}

impl ForceModel for Undamped<dyn ForceModel> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn wrench(&self, t: f64, q: &[f64; 6], rates: &[f64; 6]) -> Wrench {
        Wrench { other: [0.0; 6], ..self.0.wrench(t, q, rates) }
    }

    fn slopes(&self, t: f64, q: &[f64; 6], rates: &[f64; 6]) -> WrenchSlopes {
        WrenchSlopes { held: self.0.slopes(t, q, rates).held, ..WrenchSlopes::default() }
    }
}

/// An element between the two bodies.
fn internal() -> impl Strategy<Value = Element> {
    let torque = signal().prop_map(|size| Element::Torque { on: 0, against: 1, size, account: 0 });
    prop_oneof![3 => elastic(), 1 => torque]
}

fn load() -> impl Strategy<Value = Element> {
    let fixed_in = prop_oneof![Just(LoadFrame::World), Just(LoadFrame::Body)];
    (stations(), -3.0..3.0_f64, fixed_in, signal()).prop_map(|([_, at], angle, fixed_in, size)| {
        Element::Load { at, direction: [angle.cos(), angle.sin()], fixed_in, size, account: 0 }
    })
}

/// The element without its damping.
fn undamped(element: &Element) -> Element {
    let mut element = element.clone();
    match &mut element {
        Element::Spring { law, .. } | Element::TorsionSpring { law, .. } => law.damping = 0.0,
        Element::Bushing(bushing) => bushing.damping = [0.0; 3],
        Element::Load { .. } | Element::Torque { .. } => {}
        Element::Line(line) => line.model = Arc::new(Undamped(line.model.clone())),
        Element::Custom(pair) => pair.model = Arc::new(Undamped(pair.model.clone())),
    }
    element
}

/// Forces on both bodies, and the power of the account.
fn applied<T: Real>(element: &Element, motion: &[Motion<T>; 2]) -> ([Spatial<T>; 2], T) {
    let (mut force, mut power) = ([[T::ZERO; 3]; 2], [T::ZERO]);
    element.apply(0.7, motion, &mut force, &mut power);
    (force, power[0])
}

/// Springs of no length have no direction.
fn is_long(element: &Element, course: &Course) -> bool {
    let (a, b) = match element {
        Element::Spring { a, b, .. } => (a, b),
        Element::Line(line) => (&line.a, &line.b),
        _ => return true,
    };
    let motion = course.motion(0.0);
    stretch(&motion, a, b).is_some_and(|stretch| stretch.length > 0.3)
}

fn assert_slopes(element: &Element, course: &Course) {
    let answers = |motion: &[Motion<f64>; 2]| {
        let ([a, b], power) = applied(element, motion);
        [a[0], a[1], a[2], b[0], b[1], b[2], power]
    };
    let value = answers(&course.motion(0.0));
    for i in 0..12 {
        let ([a, b], power) = applied::<Dual>(element, &course.dual(i - i % WIDTH));
        for (k, dual) in a.into_iter().chain(b).chain([power]).enumerate() {
            assert_eq!(dual.value(), value[k]);
            let (exact, slope) =
                (dual.slope(i % WIDTH), slope(|h| answers(&course.varied(i, h))[k]));
            let size = 1.0 + exact.abs();
            assert!((slope - exact).abs() < CLOSE * size, "{i} {k}: {slope} {exact}");
        }
    }
}

proptest! {
    /// Body a turns as well: what it carries of a bushing's displacement must come back as a moment.
    #[test]
    fn property_an_elastic_force_is_the_slope_of_its_energy(
        element in elastic(),
        course in course(),
    ) {
        prop_assume!(is_long(&element, &course));
        let (force, _) = applied(&undamped(&element), &course.motion(0.0));
        for i in 0..6 {
            let slope = slope(|h| element.energy(&course.moved(i, h)));
            let size = 1.0 + slope.abs();
            prop_assert!((force[i / 3][i % 3] + slope).abs() < CLOSE * size, "{i} {force:?} {slope}");
        }
    }

    #[test]
    fn property_power_is_stored_lost_or_brought_in(
        element in prop_oneof![internal(), load()],
        course in course(),
    ) {
        prop_assume!(is_long(&element, &course));
        let motion = course.motion(0.0);
        let (force, account) = applied(&element, &motion);
        let power = dot3(force[0], course.v[0]) + dot3(force[1], course.v[1]);
        let stored = slope(|t| element.energy(&course.motion(t)));
        let report = element.report(0.7, &motion);
        let brings = matches!(element, Element::Load { .. } | Element::Torque { .. });
        let (lost, brought) = if brings { (0.0, account) } else { (account, 0.0) };
        prop_assert!(lost >= 0.0);
        prop_assert!((power - (brought - lost - stored)).abs() < CLOSE * (1.0 + power.abs()));
        // The report and the account are two sums of the same few terms below 1e4.
        prop_assert!((report.power_lost - lost).abs() < 1e-12 * (1.0 + lost));
        prop_assert!((report.power_in - brought).abs() < 1e-12 * (1.0 + brought.abs()));
        prop_assert_eq!(report.energy, element.energy(&motion));
    }

    #[test]
    fn property_what_acts_on_one_body_acts_back_on_the_other(
        element in internal(),
        course in course(),
    ) {
        let motion = course.motion(0.0);
        let (force, _) = applied(&element, &motion);
        assert_balanced(&force, &motion);
    }

    #[test]
    fn property_dual_numbers_give_every_slope_of_a_force(
        element in prop_oneof![internal(), load()],
        course in course(),
    ) {
        prop_assume!(is_long(&element, &course));
        assert_slopes(&element, &course);
    }
}

/// A spring whose ends meet pulls nowhere and holds the energy of length 0.
#[test]
fn property_a_spring_without_length_is_finite() {
    let end = |frame| Station { frame, local: [0.0, 0.0] };
    let law = Linear { stiffness: 3.0, free: 2.0, preload: 0.5, damping: 1.0 };
    let spring = Element::Spring { a: end(0), b: end(1), law, account: Some(0) };
    let rest = [Motion::rest(), Motion::rest()];
    assert_eq!(applied(&spring, &rest), ([[0.0; 3]; 2], 0.0));
    let near = [Motion::rest(), Motion::at([1e-9, 0.0, 0.0], [0.0; 3])];
    // The energy is continuous there: 1e-9 m against a tension of 6 N.
    assert!((spring.energy(&rest) - spring.energy(&near)).abs() < 1e-8);
}
