//! The checked mechanism: parts on numbered frames, with their rows, guards and accounts.

use std::f64::consts::TAU;
use std::sync::Arc;

use jointplay_fingerprint::Fingerprint;

use super::{Builder, Contact, Coordinate, Driver, Mechanism, Start, Watch};
use crate::body::Body;
use crate::contact::{ContactElement, Gap};
use crate::force::{BushingElement, Element, Force, Linear, OtherAccount, UserElement, UserForce};
use crate::frame::{Anchor, Axis, BodyId, GROUND, unit};
use crate::joint::{DryFriction, Joint, JointFriction, JointId, JointKind};
use crate::ledger::{Account, AccountKind};
use crate::row::{Row, RowKind, Station};

/// The parts behind every handle of one mechanism.
#[derive(Debug)]
pub struct Numbered {
    pub(crate) gravity: [f64; 2],
    pub(crate) bodies: Vec<(String, Body)>,
    pub(crate) joints: Vec<Joint>,
    /// The constraints of each joint.
    pub(crate) joint_rows: Vec<Vec<Row>>,
    pub(crate) drivers: Vec<Driver>,
    /// The constraint of each driver.
    pub(crate) driver_rows: Vec<Row>,
    pub(crate) forces: Vec<(String, Force)>,
    pub(crate) elements: Vec<Element>,
    pub(crate) contact_names: Vec<String>,
    /// The contacts as given.
    pub(crate) contact_parts: Vec<Contact>,
    pub(crate) contacts: Vec<ContactElement>,
    /// The contact of each guard before the first watch.
    pub(crate) contact_of_guard: Vec<usize>,
    pub(crate) watches: Vec<(Watch, Row)>,
    /// Guard of the first watch.
    pub(crate) first_watch: usize,
    pub(crate) start_positions: Vec<(Start, Row)>,
    pub(crate) start_speeds: Vec<(Start, Row)>,
    pub(crate) frictions: Vec<FrictionElement>,
    pub(crate) accounts: Vec<Account>,
    /// Account of the work of each driver.
    pub(crate) driver_accounts: Vec<usize>,
    /// Account of the work of drift control.
    pub(crate) drift_account: usize,
    /// The size of the mechanism, m.
    pub(crate) length: f64,
    /// Identifies this mechanism.
    pub(crate) fingerprint: u64,
    /// The number of contacts with bristles.
    pub(crate) bristles: usize,
    /// Rounding of coordinates, m: ε times its size, or its distance from the origin at the start.
    pub(crate) rounding: f64,
}

/// Friction of an ideal joint, on its coordinate.
#[derive(Clone, Debug)]
pub(crate) struct FrictionElement {
    pub(crate) joint: usize,
    /// The coordinate that it resists.
    pub(crate) row: Row,
    /// Viscous coefficient (N m s/rad or N s/m).
    pub(crate) viscous: f64,
    pub(crate) dry: DryFriction,
    pub(crate) viscous_account: Option<usize>,
    pub(crate) dry_account: Option<usize>,
}

impl Numbered {
    pub(super) fn new(builder: Builder) -> Self {
        let fingerprint = builder.fingerprint();
        let Builder { gravity, bodies, joints, drivers, forces, contacts, .. } = builder;
        let mut accounts = Vec::new();
        let mut open = |kind: AccountKind, part: &str| {
            accounts.push(Account { kind, part: part.to_owned() });
            accounts.len() - 1
        };
        let stations = Stations { bodies: &bodies };
        let joint_rows = joints.iter().map(|joint| stations.joint_rows(joint)).collect();
        let row = |coordinate| stations.coordinate_row(&joints, coordinate);
        let driver_row =
            |(i, driver): (usize, &Driver)| Row { driver: Some(i), ..row(driver.coordinate) };
        let driver_rows = drivers.iter().enumerate().map(driver_row).collect();
        let driver_accounts =
            drivers.iter().map(|driver| open(AccountKind::Driver, &driver.name)).collect();
        let elements: Vec<Element> = forces
            .iter()
            .map(|(name, force)| stations.element(force, |kind| open(kind, name)))
            .collect();
        let (contact_elements, guards, bristles) =
            stations.contact_elements(&joints, &contacts, &mut open);
        let mut frictions = Vec::new();
        for (i, joint) in joints.iter().enumerate().filter(|(_, joint)| !joint.friction.is_none()) {
            let JointFriction { viscous, dry } = joint.friction.clone();
            frictions.push(FrictionElement {
                joint: i,
                row: row(Coordinate::Joint(JointId(i))),
                viscous,
                viscous_account: (viscous > 0.0)
                    .then(|| open(AccountKind::JointViscous, &joint.name)),
                dry_account: (!dry.is_none())
                    .then(|| open(AccountKind::JointFriction, &joint.name)),
                dry,
            });
        }
        let drift_account = open(AccountKind::DriftControl, "constraints");
        let length = stations.size(&joints, &elements, &contact_elements);
        let distances =
            bodies.iter().map(|(_, body)| libm::hypot(body.position[0], body.position[1]));
        let rounding = f64::EPSILON * distances.fold(length, f64::max);
        let with_row = |start: Start| (start, row(start.coordinate));
        let (contact_names, contact_parts) = contacts.into_iter().unzip();
        Numbered {
            gravity,
            joint_rows,
            driver_rows,
            driver_accounts,
            elements,
            watches: builder.watches.into_iter().map(|w| (w.clone(), row(w.coordinate))).collect(),
            first_watch: guards,
            start_positions: builder.start_positions.into_iter().map(with_row).collect(),
            start_speeds: builder.start_speeds.into_iter().map(with_row).collect(),
            frictions,
            drift_account,
            length,
            fingerprint,
            forces,
            contact_names,
            contact_parts,
            bristles,
            rounding,
            contact_of_guard: (contact_elements.iter().enumerate())
                .flat_map(|(i, contact)| std::iter::repeat_n(i, contact.guards.len()))
                .collect(),
            contacts: contact_elements,
            accounts,
            bodies,
            joints,
            drivers,
        }
    }

    /// The smallest clearance of a contact (m).
    pub(crate) fn smallest_clearance(&self) -> Option<f64> {
        self.contacts.iter().filter_map(|contact| contact.play).reduce(f64::min)
    }

    /// The greatest energy of gravity that the coordinates can hold (J), regardless of the signs of
    /// its parts, because the ledger has their rounding error.
    pub(crate) fn greatest_lift(&self) -> f64 {
        let mass: f64 = self.bodies.iter().map(|(_, body)| body.mass).sum();
        let [gx, gy] = self.gravity;
        mass * libm::hypot(gx, gy) * self.rounding / f64::EPSILON
    }

    pub(crate) fn stations(&self) -> Stations<'_> {
        Stations { bodies: &self.bodies }
    }
}

/// The row that measures a coordinate.
pub(crate) fn coordinate_row(mechanism: &Mechanism, coordinate: Coordinate) -> Row {
    mechanism.stations().coordinate_row(&mechanism.joints, coordinate)
}

/// The places of parts on the frames at the centres of mass.
pub(crate) struct Stations<'a> {
    bodies: &'a [(String, Body)],
}

impl Stations<'_> {
    pub(crate) fn station(&self, anchor: Anchor) -> Station {
        let BodyId(frame) = anchor.body;
        let [x, y] = anchor.local;
        let [cx, cy] = if frame == 0 { [0.0; 2] } else { self.bodies[frame - 1].1.centre_of_mass };
        Station { frame, local: [x - cx, y - cy] }
    }

    /// The place of a body's frame.
    fn origin(&self, body: BodyId) -> Station {
        self.station(body.origin())
    }

    fn angle(&self, body: BodyId) -> f64 {
        if body == GROUND { 0.0 } else { self.bodies[body.0 - 1].1.angle }
    }

    /// φ_b − φ_a where the axes are parallel, with the turns nearest to the given start.
    pub(crate) fn relative_angle(&self, a: &Axis, b: &Axis) -> f64 {
        let of = |axis: &Axis| libm::atan2(axis.direction[1], axis.direction[0]);
        let angle = of(a) - of(b);
        let start = self.angle(b.anchor.body) - self.angle(a.anchor.body);
        angle + TAU * ((start - angle) / TAU).round()
    }

    fn joint_rows(&self, joint: &Joint) -> Vec<Row> {
        let (a, b) = (self.station(joint.a.anchor), self.station(joint.b.anchor));
        let row = |kind| Row { kind, a, b, offset: 0.0, driver: None };
        let angle =
            || Row { offset: self.relative_angle(&joint.a, &joint.b), ..row(RowKind::Angle) };
        let [dx, dy] = unit(joint.a.direction);
        let normal = row(RowKind::Along([-dy, dx]));
        match joint.kind {
            JointKind::Revolute => vec![row(RowKind::X), row(RowKind::Y)],
            JointKind::Prismatic => vec![normal, angle()],
            JointKind::Weld => vec![row(RowKind::X), row(RowKind::Y), angle()],
            JointKind::PointOnLine => vec![normal],
            JointKind::Distance { length } => {
                vec![Row { offset: length, ..row(RowKind::Distance) }]
            }
        }
    }

    pub(super) fn coordinate_row(&self, joints: &[Joint], coordinate: Coordinate) -> Row {
        let (kind, a, b) = match coordinate {
            Coordinate::X(point) => (RowKind::X, self.origin(GROUND), self.station(point)),
            Coordinate::Y(point) => (RowKind::Y, self.origin(GROUND), self.station(point)),
            Coordinate::Angle(b) => (RowKind::Angle, self.origin(GROUND), self.origin(b)),
            Coordinate::AngleBetween(a, b) => (RowKind::Angle, self.origin(a), self.origin(b)),
            Coordinate::Joint(JointId(joint)) => {
                let joint = &joints[joint];
                let kind = match joint.kind {
                    JointKind::Revolute => RowKind::Angle,
                    JointKind::Prismatic
                    | JointKind::Weld
                    | JointKind::PointOnLine
                    | JointKind::Distance { .. } => RowKind::Along(unit(joint.a.direction)),
                };
                (kind, self.station(joint.a.anchor), self.station(joint.b.anchor))
            }
            Coordinate::Distance(a, b) => (RowKind::Distance, self.station(a), self.station(b)),
        };
        Row { kind, a, b, offset: 0.0, driver: None }
    }

    fn element(&self, force: &Force, mut open: impl FnMut(AccountKind) -> usize) -> Element {
        let mut loss = |damping: f64| (damping > 0.0).then(|| open(AccountKind::Damping));
        match force {
            Force::Spring(spring) => Element::Spring {
                a: self.station(spring.a),
                b: self.station(spring.b),
                law: Linear {
                    stiffness: spring.stiffness,
                    free: spring.free_length,
                    preload: spring.preload,
                    damping: spring.damping,
                },
                account: loss(spring.damping),
            },
            Force::TorsionSpring(spring) => Element::TorsionSpring {
                a: spring.a.0,
                b: spring.b.0,
                law: Linear {
                    stiffness: spring.stiffness,
                    free: spring.free_angle,
                    preload: spring.preload,
                    damping: spring.damping,
                },
                account: loss(spring.damping),
            },
            Force::Bushing(bushing) => {
                let [dx, dy] = unit(bushing.a.direction);
                Element::Bushing(Box::new(BushingElement {
                    a: self.station(bushing.a.anchor),
                    b: self.station(bushing.b.anchor),
                    axes: [[dx, dy], [-dy, dx]],
                    angle: self.relative_angle(&bushing.a, &bushing.b),
                    stiffness: bushing.stiffness,
                    damping: bushing.damping,
                    account: loss(bushing.damping.iter().sum()),
                }))
            }
            Force::Load { at, direction, fixed_in, size } => Element::Load {
                at: self.station(*at),
                direction: unit(*direction),
                fixed_in: *fixed_in,
                size: size.clone(),
                account: open(AccountKind::Load),
            },
            Force::Torque { on, against, size } => Element::Torque {
                on: on.0,
                against: against.0,
                size: size.clone(),
                account: open(AccountKind::Load),
            },
            Force::Line(line) => {
                let account = OtherAccount::open(line.model.side(), open);
                Element::Line(Box::new(self.user_element(line, account)))
            }
            Force::Custom(custom) => {
                let account = OtherAccount::open(custom.model.side(), open);
                Element::Custom(Box::new(self.user_element(custom, account)))
            }
        }
    }

    fn user_element<M: ?Sized>(
        &self,
        force: &UserForce<M>,
        account: Option<OtherAccount>,
    ) -> UserElement<M> {
        let UserForce { a, b, model } = force;
        UserElement { a: self.station(*a), b: self.station(*b), model: Arc::clone(model), account }
    }

    /// The size of the mechanism: the greatest arm of a part on a body, length of a rod or spring, radius of a bearing; if there
    /// is none of these, the greatest distance between two bodies; if that is 0, 1 m.
    fn size(&self, joints: &[Joint], elements: &[Element], contacts: &[ContactElement]) -> f64 {
        let mut longest = 0.0_f64;
        let mut arm = |station: Station| {
            if station.frame != 0 {
                longest = longest.max(libm::hypot(station.local[0], station.local[1]));
            }
        };
        for joint in joints {
            arm(self.station(joint.a.anchor));
            arm(self.station(joint.b.anchor));
        }
        for element in elements {
            match element {
                Element::Load { at, .. } => arm(*at),
                Element::Spring { a, b, .. } => {
                    arm(*a);
                    arm(*b);
                }
                Element::Bushing(bushing) => {
                    arm(bushing.a);
                    arm(bushing.b);
                }
                Element::Line(line) => {
                    arm(line.a);
                    arm(line.b);
                }
                Element::Custom(custom) => {
                    arm(custom.a);
                    arm(custom.b);
                }
                Element::Torque { .. } | Element::TorsionSpring { .. } => {}
            }
        }
        for contact in contacts {
            contact.gap.stations().into_iter().flatten().for_each(&mut arm);
        }
        let rods = joints.iter().filter_map(|joint| match joint.kind {
            JointKind::Distance { length } => Some(length),
            JointKind::Revolute
            | JointKind::Prismatic
            | JointKind::Weld
            | JointKind::PointOnLine => None,
        });
        let springs = elements.iter().filter_map(|element| match element {
            Element::Spring { law, .. } => Some(law.free),
            Element::Load { .. }
            | Element::Torque { .. }
            | Element::TorsionSpring { .. }
            | Element::Bushing(_)
            | Element::Line(_)
            | Element::Custom(_) => None,
        });
        let bearings = contacts.iter().filter_map(|contact| match contact.gap {
            Gap::Journal { radius, .. } | Gap::Bulge { radius, .. } => Some(radius),
            Gap::Flat { .. } | Gap::Stop { .. } => None,
        });
        let longest = rods.chain(springs).chain(bearings).fold(longest, f64::max);
        if longest > 0.0 {
            return longest;
        }
        let first = self.bodies[0].1.position;
        let distance = |(_, body): &(String, Body)| {
            libm::hypot(body.position[0] - first[0], body.position[1] - first[1])
        };
        let spread = self.bodies.iter().map(distance).fold(0.0, f64::max);
        if spread > 0.0 { spread } else { 1.0 }
    }
}
