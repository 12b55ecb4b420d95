//! The input of the back ends: a flat list of shapes and lines of text in pixels of 1/96 inch, y
//! downward. All decisions about the layout are made before.

use crate::font::Line;

pub(crate) type Point = (f64, f64);

/// Red, green, blue.
pub(crate) type Color = [u8; 3];

pub(crate) const INK: Color = [0x22, 0x22, 0x22];
pub(crate) const GREY: Color = [0x77, 0x77, 0x77];
pub(crate) const WHITE: Color = [0xff, 0xff, 0xff];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stroke {
    pub(crate) color: Color,
    pub(crate) width: f64,
    /// Lengths of dash and gap in pixels; empty for a solid line.
    pub(crate) dash: &'static [f64],
    pub(crate) opacity: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    /// From the anchor to the start of a line of this width.
    pub(crate) fn offset(self, width: f64) -> f64 {
        match self {
            Self::Start => 0.0,
            Self::Middle => -width / 2.0,
            Self::End => -width,
        }
    }
}

/// The place of a line of text: its anchor on the baseline, and the clockwise angle around it in
/// degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    pub(crate) at: Point,
    pub(crate) anchor: Anchor,
    pub(crate) angle: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Glyph {
    Circle,
    Square,
    Triangle,
    Diamond,
}

impl Glyph {
    /// Corners around the origin at radius 1, of about equal area; a circle has none.
    pub(crate) fn corners(self) -> &'static [Point] {
        match self {
            Self::Circle => &[],
            Self::Square => &[(-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)],
            Self::Triangle => &[(0.0, -1.3), (1.15, 0.7), (-1.15, 0.7)],
            Self::Diamond => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    /// Open polylines.
    Lines { lines: Vec<Vec<Point>>, stroke: Stroke },
    /// Filled polygons.
    Fill { polygons: Vec<Vec<Point>>, color: Color, opacity: f64 },
    /// Filled markers.
    Markers { shape: Glyph, at: Vec<Point>, radius: f64, color: Color, opacity: f64 },
    /// One line of text, on a white halo if it may cross a line.
    Text { line: Line, spot: Spot, size: f64, halo: bool },
}

/// A drawing of known size on white.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Scene {
    /// The description for readers who cannot see the drawing.
    pub(crate) name: String,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) items: Vec<Item>,
}

impl Item {
    /// Moves the item.
    pub(crate) fn shift(&mut self, dx: f64, dy: f64) {
        let by = |p: &mut Point| *p = (p.0 + dx, p.1 + dy);
        match self {
            Self::Lines { lines: paths, .. } | Self::Fill { polygons: paths, .. } => {
                paths.iter_mut().flatten().for_each(by);
            }
            Self::Markers { at, .. } => at.iter_mut().for_each(by),
            Self::Text { spot, .. } => by(&mut spot.at),
        }
    }
}
