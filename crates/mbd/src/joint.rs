//! Ideal joints: constraints on the relative motion of two bodies.
//!
//! A joint connects a place of body a with a place of body b. It has a coordinate, the motion that it
//! leaves free and that a driver may prescribe, and a reaction, the force that a exerts on b:
//!
//! | joint | forbids | coordinate | reaction |
//! |---|---|---|---|
//! | [`Revolute`](JointKind::Revolute) | p_b ≠ p_a | φ_b − φ_a (rad) | `fx`, `fy` |
//! | [`Prismatic`](JointKind::Prismatic) | motion across the axis, turning | (p_b − p_a) along the axis of a (m) | `normal`, `moment` |
//! | [`Weld`](JointKind::Weld) | any | – | `fx`, `fy`, `moment` |
//! | [`PointOnLine`](JointKind::PointOnLine) | p_b off the axis of a | (p_b − p_a) along the axis of a (m) | `normal` |
//! | [`Distance`](JointKind::Distance) | ‖p_b − p_a‖ ≠ L | – | `tension` |
//!
//! `normal` is positive to the left of the axis, `tension` where the rod pulls b towards a; `moment` is that about
//! the place on b. A pin that runs on a circle of body a is a `Distance` from the centre of the circle.

use jointplay_contact::friction::FrictionLaw;

use crate::frame::Axis;

/// A joint of a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub(crate) usize);

jointplay_fingerprint::fingerprint!(struct JointId(index));

/// The kind of a joint, which defines the motion that it leaves free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// A pin in a bore without clearance: both points coincide.
    Revolute,
    /// A block in a guide: the axes of both bodies lie on one line and point the same way.
    Prismatic,
    /// Makes two bodies one: the points coincide, the axes are parallel.
    Weld,
    /// A pin of body b in a straight slot of body a, without clearance.
    PointOnLine,
    /// A massless rod between both points, or a pin of b in a circular slot about the point of a.
    Distance {
        /// Length of the rod, radius of the slot (m), above 0.
        length: f64,
    },
}

jointplay_fingerprint::fingerprint!(enum JointKind { Revolute, Prismatic, Weld, PointOnLine, Distance { length } });

/// A joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: JointKind,
    /// The place on body a.
    pub a: Axis,
    /// The place on body b.
    pub b: Axis,
    /// The friction against the motion that it leaves free.
    pub friction: JointFriction,
}

jointplay_fingerprint::fingerprint!(struct Joint { name, kind, a, b, friction });

/// Friction of an ideal joint: viscous, `c · rate` against the motion that the joint leaves free, plus dry.
///
/// ```
/// use jointplay_mbd::JointFriction;
/// use jointplay_mbd::law::friction::{CoulombTanh, FrictionLaw};
///
/// let law = FrictionLaw::CoulombTanh(CoulombTanh::new(0.1, 1e-3)?);
/// let on_a_pin = JointFriction::pin(law.clone(), 8e-3); // of 8 mm radius
/// let in_a_guide = JointFriction::block(law, 50e-3).and_viscous(2.0); // of 50 mm length
/// # assert_ne!(on_a_pin, in_a_guide);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointFriction {
    /// Viscous coefficient: N m s/rad for a revolute joint, N s/m for a prismatic one; 0 or more.
    pub viscous: f64,
    /// Dry friction.
    pub dry: DryFriction,
}

jointplay_fingerprint::fingerprint!(struct JointFriction { viscous, dry });

/// Dry friction of an ideal joint. Its normal force is the reaction of the joint itself, which in turn depends on the
/// friction; both are solved for together. The law must have no memory and a unique force at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum DryFriction {
    /// None.
    #[default]
    None,
    /// On the pin of a revolute joint with the reaction R: the moment M = r μ(r φ̇) ‖R‖.
    Pin {
        /// The friction law.
        law: FrictionLaw,
        /// r (m), above 0.
        radius: f64,
    },
    /// In the guide of a prismatic joint: the force F = μ(ṡ) (|N₁| + |N₂|), with the normal forces at both ends of a block
    /// of length b, centred at the place on body b: N₁,₂ = N/2 ± M/b, so that |N₁| + |N₂| = max(|N|, 2|M|/b).
    Block {
        /// The friction law.
        law: FrictionLaw,
        /// b (m), above 0.
        length: f64,
    },
}

jointplay_fingerprint::fingerprint!(enum DryFriction { None, Pin { law, radius }, Block { law, length } });

impl JointFriction {
    /// Viscous friction only (N m s/rad of a revolute joint, N s/m of a prismatic one).
    pub fn viscous(coefficient: f64) -> Self {
        JointFriction { viscous: coefficient, ..JointFriction::default() }
    }

    /// Dry friction of a revolute joint on a pin of this radius (m).
    pub fn pin(law: FrictionLaw, radius: f64) -> Self {
        JointFriction { viscous: 0.0, dry: DryFriction::Pin { law, radius } }
    }

    /// Dry friction of a prismatic joint on a block of this length (m).
    pub fn block(law: FrictionLaw, length: f64) -> Self {
        JointFriction { viscous: 0.0, dry: DryFriction::Block { law, length } }
    }

    /// Adds viscous friction.
    pub fn and_viscous(mut self, coefficient: f64) -> Self {
        self.viscous = coefficient;
        self
    }

    pub(crate) fn is_none(&self) -> bool {
        self.viscous == 0.0 && self.dry.is_none()
    }
}

impl DryFriction {
    /// The friction law.
    pub fn law(&self) -> &FrictionLaw {
        match self {
            DryFriction::None => &FrictionLaw::NoFriction,
            DryFriction::Pin { law, .. } | DryFriction::Block { law, .. } => law,
        }
    }

    pub(crate) fn is_none(&self) -> bool {
        *self.law() == FrictionLaw::NoFriction
    }
}

impl JointKind {
    /// The names of the constraints, in the order of the rows.
    pub(crate) fn row_names(&self) -> &'static [&'static str] {
        match self {
            JointKind::Revolute => &["x", "y"],
            JointKind::Prismatic => &["normal", "angle"],
            JointKind::Weld => &["x", "y", "angle"],
            JointKind::PointOnLine => &["normal"],
            JointKind::Distance { .. } => &["length"],
        }
    }

    /// The names of the components of the reaction.
    pub fn reaction_names(&self) -> &'static [&'static str] {
        match self {
            JointKind::Revolute => &["fx", "fy"],
            JointKind::Prismatic => &["normal", "moment"],
            JointKind::Weld => &["fx", "fy", "moment"],
            JointKind::PointOnLine => &["normal"],
            JointKind::Distance { .. } => &["tension"],
        }
    }

    /// The word for this kind.
    pub fn name(&self) -> &'static str {
        match self {
            JointKind::Revolute => "revolute",
            JointKind::Prismatic => "prismatic",
            JointKind::Weld => "weld",
            JointKind::PointOnLine => "point on line",
            JointKind::Distance { .. } => "distance",
        }
    }
}
