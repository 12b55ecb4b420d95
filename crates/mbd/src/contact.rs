//! Contacts: a gap between two bodies, the law that acts in it, and its memory.
//!
//! A contact is a force element and never a constraint. Its overlap δ and slip are functions of the motion of two
//! bodies; the [law](jointplay_contact) turns them into forces. What the law remembers (impact speed, stage, sliding direction)
//! is the [`Phase`], which belongs to the mode of the run and changes only at located events:
//!
//! | guard | value | event |
//! |---|---|---|
//! | gap | δ − δ_start while apart, δ − δ_end while touching | contact starts, ends |
//! | turn | δ̇, for laws with stages and on request | maximum compression |
//! | pull | force before the tension rule, for damped laws that must not pull | the force begins or ends to be cut to zero |
//! | bend | δ − δ_kink | a bend in the law, where a step must end |
//! | slip | sliding speed, for laws that are set-valued at rest and on request | friction reverses |

use jointplay_contact::damping::{Approach, DampingLaw, Stage, Touch};
use jointplay_contact::elastic::ElasticModel;
use jointplay_contact::friction::FrictionLaw;
use jointplay_contact::{ContactLaw, Tension};
use jointplay_ode::{Direction, Trigger};

use crate::frame::{Anchor, Motion, Spatial, accumulate, cross, dot, perp, scale, sub};
use crate::real::Real;
use crate::row::{NO_TARGET, Row, RowKind, Station};

/// A contact of a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactId(pub(crate) usize);

/// A journal in a bearing with clearance: contact where the centres are farther apart than the clearance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JournalBearing {
    /// Centre of the bearing.
    pub bearing: Anchor,
    /// Centre of the journal.
    pub journal: Anchor,
    /// Radius of the bearing (m), above 0.
    pub bearing_radius: f64,
    /// Bearing radius minus journal radius (m), above 0.
    pub clearance: f64,
    /// Where both forces act and slip is measured: at the bearing radius plus this part of the overlap. 0 is the
    /// bearing's surface, ½ the middle of the overlap, 1 the journal's surface.
    pub depth: f64,
}

/// On which side a stop lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The coordinate cannot go above the limit.
    Above,
    /// The coordinate cannot go below the limit.
    Below,
}

/// The gap of a contact on numbered frames.
#[derive(Clone, Debug)]
pub(crate) enum Gap {
    Journal {
        bearing: Station,
        journal: Station,
        radius: f64,
        clearance: f64,
        depth: f64,
    },
    /// δ = sign · (coordinate − limit).
    Stop {
        row: Row,
        limit: f64,
        sign: f64,
    },
}

/// A gap at one instant. δ̇ = on_a·V_a + on_b·V_b and v_t = slip_a·V_a + slip_b·V_b.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GapState<T> {
    pub(crate) delta: T,
    pub(crate) delta_dot: T,
    pub(crate) v_t: T,
    pub(crate) on_a: Spatial<T>,
    pub(crate) on_b: Spatial<T>,
    slip_a: Spatial<T>,
    slip_b: Spatial<T>,
}

impl Gap {
    /// The unit of the overlap.
    pub(crate) fn unit(&self) -> &'static str {
        match self {
            Gap::Stop { row, .. } if row.kind == RowKind::Angle => "rad",
            _ => "m",
        }
    }

    pub(crate) fn frames(&self) -> [usize; 2] {
        match self {
            Gap::Journal { bearing, journal, .. } => [bearing.frame, journal.frame],
            Gap::Stop { row, .. } => row.frames(),
        }
    }

    /// Overlap δ and its rate δ̇.
    #[inline]
    pub(crate) fn approach<T: Real>(&self, motion: &[Motion<T>]) -> [T; 2] {
        match self {
            Gap::Journal { bearing, journal, clearance, .. } => {
                let Eccentric { size, n, v, .. } = Eccentric::of(bearing, journal, motion);
                [size - *clearance, dot(n, v)]
            }
            Gap::Stop { row, limit, sign } => {
                let value = row.eval(motion, NO_TARGET);
                [(value.residual - *limit) * *sign, value.rate * *sign]
            }
        }
    }

    /// Overlap, its rate and slip.
    #[inline]
    pub(crate) fn measure<T: Real>(&self, motion: &[Motion<T>]) -> GapState<T> {
        match self {
            Gap::Journal { bearing, journal, radius, clearance, depth } => {
                let Eccentric { size, n, v, arms: [a, b] } =
                    Eccentric::of(bearing, journal, motion);
                let delta = size - *clearance;
                let t = perp(n); // Skrinjar2017 eq. (20)
                // The surface point lies so far along n from both centres; r × t = r·n.
                let from_a = delta * *depth + *radius;
                let from_b = from_a - size;
                let spin = [bearing, journal].map(|station| motion[station.frame].omega);
                GapState {
                    delta,
                    delta_dot: dot(n, v), // Skrinjar2017 eq. (8)
                    v_t: dot(t, v) - spin[0] * from_a + spin[1] * from_b,
                    on_a: [-n[0], -n[1], -cross(a, n)],
                    on_b: [n[0], n[1], cross(b, n)],
                    slip_a: [-t[0], -t[1], -dot(a, n) - from_a],
                    slip_b: [t[0], t[1], dot(b, n) + from_b],
                }
            }
            Gap::Stop { row, limit, sign } => {
                let value = row.eval(motion, NO_TARGET);
                let signed = |on: Spatial<T>| on.map(|x| x * *sign);
                GapState {
                    delta: (value.residual - *limit) * *sign,
                    delta_dot: value.rate * *sign,
                    v_t: T::ZERO,
                    on_a: signed(value.on_a),
                    on_b: signed(value.on_b),
                    slip_a: [T::ZERO; 3],
                    slip_b: [T::ZERO; 3],
                }
            }
        }
    }
}

/// A journal off the centre of its bearing.
struct Eccentric<T> {
    /// Distance of the centres (m).
    size: T,
    /// Direction from the bearing's centre to the journal's.
    n: [T; 2],
    /// Velocity of the journal's centre on the bearing's (m/s).
    v: [T; 2],
    /// The centres of bearing and journal from the centres of mass (m).
    arms: [[T; 2]; 2],
}

impl<T: Real> Eccentric<T> {
    #[inline]
    fn of(bearing: &Station, journal: &Station, motion: &[Motion<T>]) -> Self {
        let a = motion[bearing.frame].point(bearing.local);
        let b = motion[journal.frame].point(journal.local);
        let e = sub(b.x, a.x);
        let size = dot(e, e).sqrt(); // Skrinjar2017 eq. (17)
        // A centred journal has no direction; any will do, it is apart.
        let n = if size.value() > 0.0 {
            scale(e, T::constant(1.0) / size) // Skrinjar2017 eq. (18)
        } else {
            [T::constant(1.0), T::ZERO]
        };
        Eccentric { size, n, v: sub(b.v, a.v), arms: [a.arm, b.arm] }
    }
}

/// The memory of one contact.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Phase {
    /// The bodies do not touch.
    Apart {
        /// Overlap at which the next contact starts (m): 0, or the bottom of the dent that the last one left.
        start: f64,
        /// What the last contact left.
        last: Option<Touch>,
    },
    /// The bodies touch.
    Touching {
        /// What the law remembers.
        touch: Touch,
        /// Overlap at which the contact ends (m).
        end: f64,
        /// Sign of the sliding speed since its last reversal; 0 where the law does not need it.
        sliding: f64,
    },
}

/// A contact on numbered frames.
#[derive(Clone, Debug)]
pub(crate) struct ContactElement {
    pub(crate) gap: Gap,
    pub(crate) law: ContactLaw,
    /// Impact speed of a contact that touches at the start of the run (m/s).
    pub(crate) initial_impact_speed: Option<f64>,
    /// Account of the loss along the normal.
    pub(crate) normal_account: usize,
    /// Account of the loss in sliding.
    pub(crate) friction_account: Option<usize>,
    /// First of its guards.
    pub(crate) first_guard: usize,
    pub(crate) guards: Vec<Guard>,
}

/// What a guard of a contact watches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Guard {
    Gap,
    Turn,
    Pull,
    Bend(f64),
    Slip,
}

/// The guards that a law needs; with `turns` also those of every greatest and least compression and every reversal of
/// sliding.
pub(crate) fn guards_of(law: &ContactLaw, turns: bool) -> Vec<Guard> {
    let normal = &law.normal;
    let mut guards = vec![Guard::Gap];
    if turns || normal.damping.has_stages() {
        guards.push(Guard::Turn);
    }
    // In a mechanism other forces can part the bodies faster than they met, so that any damped law may pull.
    if normal.tension == Tension::Clip && !matches!(normal.damping, DampingLaw::None) {
        guards.push(Guard::Pull);
    }
    guards.extend(normal.elastic.limits().continued_from.map(Guard::Bend));
    guards.extend(normal.damping.kink().map(Guard::Bend));
    if law.friction.is_set_valued() || (turns && law.friction != FrictionLaw::NoFriction) {
        guards.push(Guard::Slip);
    }
    guards
}

/// The forces of a contact at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactReport {
    /// Whether the bodies touch.
    pub touching: bool,
    /// Overlap δ (m, for a stop on an angle rad); negative is a gap.
    pub overlap: f64,
    /// δ̇ (m/s), positive in compression.
    pub overlap_rate: f64,
    /// Normal force (N) (N m of a stop on an angle), positive where it pushes the bodies apart.
    pub normal: f64,
    /// Friction on body b along the tangent, which lies counter-clockwise of the normal from a to b (N).
    pub tangential: f64,
    /// Sliding speed of b on a (m/s).
    pub slip: f64,
    /// Unit vector from a to b; (0, 0) for a stop.
    pub direction: [f64; 2],
    /// Energy that the contact can give back (J).
    pub energy: f64,
    /// Power lost along the normal (W).
    pub normal_loss: f64,
    /// Power lost in sliding (W).
    pub friction_loss: f64,
    /// Whether the law is continued beyond its limit.
    pub continued: bool,
}

/// Normal and tangential force, and the powers lost.
struct Acting<T> {
    normal: T,
    tangential: T,
    normal_loss: T,
    friction_loss: T,
}

impl ContactElement {
    #[inline]
    fn act<T: Real>(&self, gap: &GapState<T>, phase: &Phase) -> Option<Acting<T>> {
        let Phase::Touching { touch, sliding, .. } = phase else { return None };
        let at = Approach { delta: gap.delta.value(), delta_dot: gap.delta_dot.value() };
        let law = &self.law.normal;
        let (normal, recoverable) = if T::DERIVATIVES {
            let parts = law.eval(at, touch);
            let raw = parts.elastic + parts.damping;
            // What can be recovered is linear in both forces, so that their slopes give its slope.
            let of = |elastic, raw| law.recoverable(at, touch, elastic, raw);
            let slope = of(law.elastic.eval(at.delta).slope, parts.slope);
            let recoverable = gap.delta.chain(of(parts.elastic, raw), slope);
            let chained = gap.delta.chain(raw, parts.slope) + gap.delta_dot.chain(0.0, parts.rate);
            (chained, recoverable)
        } else {
            let elastic = law.elastic.force(at.delta);
            let raw = elastic + law.damping.force(elastic, at, touch);
            (T::constant(raw), T::constant(law.recoverable(at, touch, elastic, raw)))
        };
        let cut = law.tension == Tension::Clip && normal.value() < 0.0;
        let normal = if cut { T::ZERO } else { normal };
        let mut acting = Acting {
            normal,
            tangential: T::ZERO,
            normal_loss: (normal - recoverable) * gap.delta_dot,
            friction_loss: T::ZERO,
        };
        if self.friction_account.is_some() {
            let load = normal.value();
            let friction = self.law.friction.force_sliding(load, gap.v_t.value(), 0.0, *sliding);
            let per_load = if load > 0.0 { friction.force / load } else { 0.0 };
            acting.tangential = if T::DERIVATIVES {
                normal.chain(friction.force, per_load) + gap.v_t.chain(0.0, friction.slope)
            } else {
                T::constant(friction.force)
            };
            acting.friction_loss = -acting.tangential * gap.v_t;
        }
        Some(acting)
    }

    /// Adds the forces, and the powers lost to the accounts.
    #[inline]
    pub(crate) fn apply<T: Real>(
        &self,
        phase: &Phase,
        motion: &[Motion<T>],
        force: &mut [Spatial<T>],
        power: &mut [T],
    ) {
        if matches!(phase, Phase::Apart { .. }) {
            return;
        }
        let gap = self.gap.measure(motion);
        let Some(acting) = self.act(&gap, phase) else { return };
        let [a, b] = self.gap.frames();
        accumulate(&mut force[a], -acting.normal, gap.on_a);
        accumulate(&mut force[b], -acting.normal, gap.on_b);
        power[self.normal_account] += acting.normal_loss;
        if let Some(account) = self.friction_account {
            accumulate(&mut force[a], acting.tangential, gap.slip_a);
            accumulate(&mut force[b], acting.tangential, gap.slip_b);
            power[account] += acting.friction_loss;
        }
    }

    /// Energy that the contact can give back (J).
    pub(crate) fn energy(&self, phase: &Phase, motion: &[Motion<f64>]) -> f64 {
        let Phase::Touching { touch, .. } = phase else { return 0.0 };
        let [delta, delta_dot] = self.gap.approach(motion);
        self.law.normal.eval(Approach { delta, delta_dot }, touch).energy
    }

    /// What it does at one instant.
    pub(crate) fn report(&self, phase: &Phase, motion: &[Motion<f64>]) -> ContactReport {
        let gap = self.gap.measure(motion);
        let direction = match self.gap {
            Gap::Journal { .. } => [gap.on_b[0], gap.on_b[1]],
            Gap::Stop { .. } => [0.0, 0.0],
        };
        let report = ContactReport {
            overlap: gap.delta,
            overlap_rate: gap.delta_dot,
            slip: gap.v_t,
            direction,
            ..ContactReport::default()
        };
        let Phase::Touching { touch, .. } = phase else { return report };
        let Some(acting) = self.act(&gap, phase) else { return report };
        let at = Approach { delta: gap.delta, delta_dot: gap.delta_dot };
        let parts = self.law.normal.eval(at, touch);
        ContactReport {
            touching: true,
            normal: acting.normal,
            tangential: acting.tangential,
            energy: parts.energy,
            normal_loss: acting.normal_loss,
            friction_loss: acting.friction_loss,
            continued: parts.continued,
            ..report
        }
    }

    /// Writes the guards of this contact.
    #[inline]
    pub(crate) fn guards(&self, phase: &Phase, motion: &[Motion<f64>], g: &mut [f64]) {
        let [delta, delta_dot] = self.gap.approach(motion);
        for (guard, g) in self.guards.iter().zip(&mut g[self.first_guard..]) {
            *g = match (guard, phase) {
                (Guard::Gap, Phase::Apart { start, .. }) => delta - start,
                (Guard::Gap, Phase::Touching { end, .. }) => delta - end,
                (_, Phase::Apart { .. }) => 1.0,
                (Guard::Turn, _) => delta_dot,
                (Guard::Pull, Phase::Touching { touch, .. }) => {
                    self.pull(Approach { delta, delta_dot }, touch)
                }
                (Guard::Bend(depth), _) => delta - depth,
                (Guard::Slip, _) => self.gap.measure(motion).v_t,
            };
        }
    }

    /// The force before the tension rule. A call, so that no part of it is evaluated ahead for a guard that does not
    /// need it.
    #[inline(never)]
    fn pull(&self, at: Approach, touch: &Touch) -> f64 {
        self.law.normal.unclipped(at, touch)
    }

    /// Which crossings of a guard are events.
    #[inline]
    pub(crate) fn trigger(&self, guard: usize, phase: &Phase) -> Trigger {
        match (self.guards[guard], phase) {
            (Guard::Gap, Phase::Apart { .. }) => Trigger::Rising,
            (Guard::Gap, Phase::Touching { .. }) => Trigger::Falling,
            _ => Trigger::Either,
        }
    }

    /// The sign of the sliding speed that a law needs to be told.
    pub(crate) fn sliding(&self, gap: &GapState<f64>) -> f64 {
        if self.law.friction.is_set_valued() { gap.v_t.signum() } else { 0.0 }
    }

    /// The phase of a contact that starts with this memory.
    pub(crate) fn touching(&self, touch: Touch, gap: &GapState<f64>) -> Phase {
        let end = self.law.normal.end_of_contact(&touch);
        Phase::Touching { touch, end, sliding: self.sliding(gap) }
    }

    /// The phase after an event of a guard other than the start of contact and the reversal of sliding.
    pub(crate) fn after(
        &self,
        guard: usize,
        direction: Direction,
        phase: Phase,
        gap: &GapState<f64>,
    ) -> Phase {
        let Phase::Touching { touch, sliding, .. } = phase else { return phase };
        match (self.guards[guard], direction, touch.stage) {
            (Guard::Gap, ..) => {
                let start = self.law.normal.start_of_next_contact(&touch);
                Phase::Apart { start, last: Some(touch) }
            }
            // Greatest compression ends the approach, least compression begins another.
            (Guard::Turn, Direction::Falling, Stage::Compression)
            | (Guard::Turn, Direction::Rising, Stage::Restitution) => {
                let touch = self.law.normal.turned(touch, gap.delta);
                let end = self.law.normal.end_of_contact(&touch);
                Phase::Touching { touch, end, sliding }
            }
            _ => phase,
        }
    }
}

#[cfg(test)]
mod tests {
    use jointplay_contact::damping::Factor;
    use jointplay_contact::elastic::{ElasticLaw, Power};
    use jointplay_contact::friction::{Coulomb, CoulombTanh, FrictionLaw};
    use jointplay_contact::{NormalLaw, Restitution};
    use proptest::prelude::*;

    use super::*;
    use crate::frame::dot3;
    use crate::real::{Dual, WIDTH};
    use crate::row::RowKind;
    use crate::row::tests::{Course, course, slope, stations};

    /// Differences of fourth order over 3e-4, of forces up to 1e3 and overlaps above 0.1.
    const CLOSE: f64 = 1e-6;

    const POWER: Power = Power { stiffness: 300.0, exponent: 1.5 };

    fn law(damping: DampingLaw, friction: FrictionLaw) -> ContactLaw {
        ContactLaw { normal: NormalLaw::new(ElasticLaw::Power(POWER), damping), friction }
    }

    fn contact(gap: Gap, law: ContactLaw) -> ContactElement {
        let slides = law.friction != FrictionLaw::NoFriction;
        ContactElement {
            gap,
            initial_impact_speed: None,
            normal_account: 0,
            friction_account: slides.then_some(1),
            first_guard: 0,
            guards: guards_of(&law, false),
            law,
        }
    }

    fn journal() -> impl Strategy<Value = Gap> {
        (stations(), 0.2..0.5, 0.05..0.15, 0.0..1.0).prop_map(
            |([bearing, journal], radius, clearance, depth)| Gap::Journal {
                bearing,
                journal,
                radius,
                clearance,
                depth,
            },
        )
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
            (journal(), damping(), friction()),
            (stop(), damping(), Just(FrictionLaw::NoFriction)),
        ]
        .prop_map(|(gap, damping, friction)| contact(gap, law(damping, friction)));
        let inside = |(contact, course): &(ContactElement, Course)| {
            let gap = contact.gap.measure(&course.motion(0.0));
            let long = match &contact.gap {
                Gap::Stop { row: Row { kind: RowKind::Distance, .. }, limit, sign } => {
                    gap.delta * sign + limit > 0.3
                }
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
        contact.apply(phase, motion, &mut force, &mut power);
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

        /// The slip of a journal, from where the material points of both bodies at the place of contact go.
        #[test]
        fn property_slip_is_the_motion_of_the_points_that_touch(
            gap in journal(),
            course in course(),
        ) {
            let Gap::Journal { bearing, journal, radius, clearance, depth } = &gap else {
                unreachable!("it is one")
            };
            let motion = course.motion(0.0);
            let centre = motion[0].point(bearing.local).x;
            let e = sub(motion[1].point(journal.local).x, centre);
            let size = e[0].hypot(e[1]);
            prop_assume!(size > 0.05);
            let n = [e[0] / size, e[1] / size];
            let reach = radius + depth * (size - clearance);
            let place = [centre[0] + reach * n[0], centre[1] + reach * n[1]];
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
            let report = contact.report(&phase, &motion);
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
            let size = force.iter().flatten().fold(1.0_f64, |size, f| size.max(f.abs()));
            let about_origin = |body: usize| {
                let [fx, fy, moment] = force[body];
                [fx, fy, moment + cross(motion[body].x, [fx, fy])]
            };
            let (a, b) = (about_origin(0), about_origin(1));
            for i in 0..3 {
                // Arms of a few metres.
                prop_assert!((a[i] + b[i]).abs() < 1e-13 * 10.0 * size, "{i}: {a:?} {b:?}");
            }
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
}
