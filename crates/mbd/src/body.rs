//! Bodies with mass, and their start positions.

/// A rigid body. Positions of its points are given in its frame, which may lie anywhere on it.
///
/// ```
/// use jointplay_mbd::Body;
///
/// // A slender rod of 2 kg and 0.5 m along its x axis, held at its left end.
/// let rod = Body::rod(2.0, 0.5).centre([0.25, 0.0]).placed([1.0, 0.0], 0.3);
/// assert!((rod.inertia - 2.0 * 0.25 / 12.0).abs() < 1e-15);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Mass (kg), 0 or more.
    pub mass: f64,
    /// Moment of inertia about the centre of mass (kg m²), 0 or more.
    pub inertia: f64,
    /// Centre of mass in the frame of the body (m).
    pub centre_of_mass: [f64; 2],
    /// Approximate position of the origin of the frame at the start (m).
    pub position: [f64; 2],
    /// Approximate angle of the frame at the start (rad).
    pub angle: f64,
    /// Velocity of the origin of the frame (m/s) and angular velocity (rad/s) at the start; kept if the joints allow it.
    /// With `None` they are computed from the other parts.
    pub velocity: Option<([f64; 2], f64)>,
}

jointplay_fingerprint::fingerprint!(struct Body { mass, inertia, centre_of_mass, position, angle, velocity });

impl Body {
    /// A body with this mass (kg) and this moment of inertia about its centre of mass (kg m²), its centre of mass
    /// in the origin of its frame, at rest in the origin of the world.
    pub fn new(mass: f64, inertia: f64) -> Self {
        Body {
            mass,
            inertia,
            centre_of_mass: [0.0, 0.0],
            position: [0.0, 0.0],
            angle: 0.0,
            velocity: None,
        }
    }

    /// A point mass (kg): it has no moment of inertia, and does not turn by itself.
    pub fn point(mass: f64) -> Self {
        Body::new(mass, 0.0)
    }

    /// A slender rod of this mass (kg) and length (m): J = m L²/12.
    pub fn rod(mass: f64, length: f64) -> Self {
        Body::new(mass, mass * length * length / 12.0)
    }

    /// The centre of mass in the frame of the body (m).
    pub fn centre(mut self, local: [f64; 2]) -> Self {
        self.centre_of_mass = local;
        self
    }

    /// The position (m) and angle (rad) of the frame at the start: an initial guess from which the
    /// mechanism is assembled.
    pub fn placed(mut self, position: [f64; 2], angle: f64) -> Self {
        self.position = position;
        self.angle = angle;
        self
    }

    /// The velocity of the origin of the frame (m/s) and the angular velocity (rad/s) at the start.
    pub fn moving(mut self, velocity: [f64; 2], angular_velocity: f64) -> Self {
        self.velocity = Some((velocity, angular_velocity));
        self
    }
}
