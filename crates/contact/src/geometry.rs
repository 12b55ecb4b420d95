//! The two surfaces of a contact.

/// Two surfaces near the point where they touch. Radii are magnitudes in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Surfaces {
    /// Two convex surfaces.
    External {
        /// Radius of body i.
        radius_i: f64,
        /// Radius of body j.
        radius_j: f64,
    },
    /// A journal inside a bearing.
    Internal {
        /// Radius of the bearing (body i).
        bearing: f64,
        /// Radius of the journal (body j), smaller.
        journal: f64,
    },
    /// A convex surface on a plane.
    OnPlane {
        /// Radius of the convex body.
        radius: f64,
    },
}

/// The reason why two radii do not describe a contact.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// A radius is zero or not a number.
    #[error(
        "radius {radius} m: a radius must be a finite number other than 0 (negative for a concave surface)"
    )]
    Radius {
        /// The value.
        radius: f64,
    },
    /// Both surfaces are concave.
    #[error("both radii are negative: two concave surfaces cannot touch")]
    BothConcave,
    /// The journal does not fit.
    #[error(
        "the journal ({journal} m) does not fit into the bearing ({bearing} m): its radius must be smaller"
    )]
    DoesNotFit {
        /// Bearing radius.
        bearing: f64,
        /// Journal radius.
        journal: f64,
    },
}

impl Surfaces {
    /// From two radii with signs: a negative radius is concave.
    ///
    /// # Errors
    /// [`GeometryError`] if no pair of surfaces has these radii.
    pub fn from_radii(radius_i: f64, radius_j: f64) -> Result<Self, GeometryError> {
        for radius in [radius_i, radius_j] {
            if radius == 0.0 || !radius.is_finite() {
                return Err(GeometryError::Radius { radius });
            }
        }
        match (radius_i > 0.0, radius_j > 0.0) {
            (true, true) => Ok(Self::External { radius_i, radius_j }),
            (false, true) => Self::internal(-radius_i, radius_j),
            (true, false) => Self::internal(-radius_j, radius_i),
            (false, false) => Err(GeometryError::BothConcave),
        }
    }

    /// A journal in a bearing.
    ///
    /// # Errors
    /// [`GeometryError`] if a radius is not positive or the journal is not the smaller one.
    pub fn internal(bearing: f64, journal: f64) -> Result<Self, GeometryError> {
        for radius in [bearing, journal] {
            if !(radius > 0.0 && radius.is_finite()) {
                return Err(GeometryError::Radius { radius });
            }
        }
        if journal >= bearing {
            return Err(GeometryError::DoesNotFit { bearing, journal });
        }
        Ok(Self::Internal { bearing, journal })
    }

    /// A convex surface on a plane.
    ///
    /// # Errors
    /// [`GeometryError::Radius`] if the radius is not positive.
    pub fn on_plane(radius: f64) -> Result<Self, GeometryError> {
        if radius > 0.0 && radius.is_finite() {
            Ok(Self::OnPlane { radius })
        } else {
            Err(GeometryError::Radius { radius })
        }
    }

    /// The problem of surfaces that were built without a constructor, if there is one.
    pub(crate) fn problem(&self) -> Option<GeometryError> {
        let radii = match *self {
            Self::External { radius_i, radius_j } => [radius_i, radius_j],
            Self::Internal { bearing, journal } => return Self::internal(bearing, journal).err(),
            Self::OnPlane { radius } => [radius, radius],
        };
        let wrong = radii.into_iter().find(|r| !(*r > 0.0 && r.is_finite()));
        wrong.map(|radius| GeometryError::Radius { radius })
    }

    /// ΔR = R_i + R_j (external) or R_i − R_j (internal), m; `None` on a plane
    /// (Skrinjar2018 eq. (35)).
    pub fn delta_r(&self) -> Option<f64> {
        match *self {
            Self::External { radius_i, radius_j } => Some(radius_i + radius_j),
            Self::Internal { bearing, journal } => Some(bearing - journal),
            Self::OnPlane { .. } => None,
        }
    }

    /// Relative radius R = R_i R_j/ΔR, m; the radius itself on a plane.
    pub fn relative_radius(&self) -> f64 {
        match *self {
            Self::External { radius_i, radius_j } => radius_i * radius_j / (radius_i + radius_j),
            Self::Internal { bearing, journal } => bearing * journal / (bearing - journal),
            Self::OnPlane { radius } => radius,
        }
    }

    /// Whether one surface is concave.
    pub fn is_internal(&self) -> bool {
        matches!(self, Self::Internal { .. })
    }
}
