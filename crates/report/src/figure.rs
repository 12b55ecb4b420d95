//! The plain description of a figure. It contains no pixels except the size of the frame.

use crate::heat::Heat;

/// One panel: a frame with two axes and everything drawn in it.
///
/// The fields are public; the `with_` methods only save typing. See the [crate page](crate) for a
/// complete example.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Heading above the frame; may be empty.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// A map, drawn below everything else.
    pub heat: Option<Heat>,
    /// Curves and point clouds, drawn in this order.
    pub series: Vec<Series>,
    /// Shaded regions, drawn below everything else.
    pub regions: Vec<Shading>,
    /// Reference lines, drawn below the series.
    pub references: Vec<Reference>,
    /// The place of the legend.
    pub legend: Legend,
    /// Width and height of the frame in pixels of 1/96 inch, each within 60 to 4000. The drawing is larger by
    /// the measured margins and legend; a PNG has three dots per pixel (288 dpi).
    pub size: (f64, f64),
}

impl Figure {
    /// An empty figure with a frame of 460 by 330 pixels and the legend placed by
    /// [`Legend::Auto`].
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self {
            title: title.into(),
            x,
            y,
            heat: None,
            series: Vec::new(),
            regions: Vec::new(),
            references: Vec::new(),
            legend: Legend::Auto,
            size: (460.0, 330.0),
        }
    }

    /// Adds a curve or point cloud.
    pub fn with_series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// Draws a map below everything else.
    pub fn with_heat(mut self, heat: Heat) -> Self {
        self.heat = Some(heat);
        self
    }

    /// Adds a shaded region.
    pub fn with_region(mut self, region: Shading) -> Self {
        self.regions.push(region);
        self
    }

    /// Adds a reference line.
    pub fn with_reference(mut self, reference: Reference) -> Self {
        self.references.push(reference);
        self
    }

    /// Sets the place of the legend.
    pub fn with_legend(mut self, legend: Legend) -> Self {
        self.legend = legend;
        self
    }

    /// Sets the size of the frame, see [`Figure::size`].
    pub fn with_size(mut self, width: f64, height: f64) -> Self {
        self.size = (width, height);
        self
    }
}

/// Several figures in rows, frames aligned, lettered (a), (b), and so on when there is more than
/// one.
///
/// ```
/// use jointplay_report::{Axis, Figure, Page, Series};
///
/// let panel = |name: &str| {
///     Figure::new(name, Axis::linear("t", "s"), Axis::linear("F", "N"))
///         .with_series(Series::line("", [(0.0, 0.0), (1.0, 2.0)]))
/// };
/// let page = Page { panels: vec![panel("slow"), panel("fast")], columns: 2 };
/// let svg = page.svg()?;
/// assert!(svg.contains("(a) slow") && svg.contains("(b) fast"));
/// # Ok::<(), jointplay_report::FigureError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The panels, row by row.
    pub panels: Vec<Figure>,
    /// Number of panels in a row; 0 counts as 1 (stacked).
    pub columns: usize,
}

/// One axis: its quantity, unit and scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Name or symbol of the quantity.
    pub label: String,
    /// Unit, printed in parentheses; empty for a pure number.
    pub unit: String,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// Lower and upper end; `None` takes round numbers around the data.
    pub limits: Option<(f64, f64)>,
}

impl Axis {
    /// A linear axis with automatic limits.
    pub fn linear(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { label: label.into(), unit: unit.into(), scale: Scale::Linear, limits: None }
    }

    /// A logarithmic axis with automatic limits.
    pub fn log(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { scale: Scale::Log, ..Self::linear(label, unit) }
    }

    /// Fixes both ends of the axis. They must be finite, increasing, and positive on a
    /// logarithmic axis, otherwise drawing returns [`FigureError::Limits`](crate::FigureError::Limits).
    pub fn within(mut self, min: f64, max: f64) -> Self {
        self.limits = Some((min, max));
        self
    }
}

/// The scale of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps for equal differences.
    #[default]
    Linear,
    /// Equal steps for equal ratios; values that are not positive cannot be shown.
    Log,
}

/// A curve or a cloud of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name in the legend; an empty label has no entry there.
    pub label: String,
    /// Coordinates in the units of the axes, in drawing order.
    pub points: Vec<(f64, f64)>,
    /// Line or markers.
    pub style: Style,
    /// Place in the palette; `None` takes the next one. Give two series the same number to show
    /// that they belong together, such as a measurement and its model.
    pub color: Option<usize>,
    /// Weight among the other series.
    pub emphasis: Emphasis,
}

impl Series {
    /// A line through `points`, with [`Style::Auto`].
    pub fn line(label: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self {
            label: label.into(),
            points: points.into_iter().collect(),
            style: Style::Auto,
            color: None,
            emphasis: Emphasis::Normal,
        }
    }

    /// Separate markers at `points`.
    pub fn markers(label: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { style: Style::Markers, ..Self::line(label, points) }
    }

    /// Draws the line solid, independently of its place in the palette.
    pub fn solid(mut self) -> Self {
        self.style = Style::Solid;
        self
    }

    /// Draws the line dashed.
    pub fn dashed(mut self) -> Self {
        self.style = Style::Dashed;
        self
    }

    /// Draws the line dotted.
    pub fn dotted(mut self) -> Self {
        self.style = Style::Dotted;
        self
    }

    /// Takes a fixed place in the palette, see [`Series::color`].
    pub fn with_color(mut self, color: usize) -> Self {
        self.color = Some(color);
        self
    }

    /// Draws the series wider and above the others.
    pub fn strong(mut self) -> Self {
        self.emphasis = Emphasis::Strong;
        self
    }

    /// Draws the series thinner, paler and below the others.
    pub fn faint(mut self) -> Self {
        self.emphasis = Emphasis::Faint;
        self
    }
}

/// The style of a series.
///
/// The palette is that of Okabe and Ito without its yellow, which is too pale for a thin line on
/// white: seven colours that stay distinct under the common colour-vision deficiencies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Solid in the first seven colours, then dashed, dotted and dash-dotted: 28 distinct lines.
    #[default]
    Auto,
    /// Solid line.
    Solid,
    /// Dashed line.
    Dashed,
    /// Dotted line.
    Dotted,
    /// Separate markers: circles, squares, triangles, diamonds, one shape per marker series.
    Markers,
}

/// Weight of a series among the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Emphasis {
    /// The same as all others.
    #[default]
    Normal,
    /// Wider, above the others.
    Strong,
    /// Thinner and paler, below the others.
    Faint,
}

/// A shaded region with an entry in the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Shading {
    /// Name in the legend; an empty label has no entry there.
    pub label: String,
    /// What is shaded.
    pub area: Area,
    /// Place in the palette of the series, whose colour is used as a tint; `None` takes the next
    /// tint that differs from the first series.
    pub color: Option<usize>,
}

impl Shading {
    /// The inside of a closed polygon.
    pub fn polygon(
        label: impl Into<String>,
        corners: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        Self {
            label: label.into(),
            area: Area::Polygon(corners.into_iter().collect()),
            color: None,
        }
    }

    /// The band between two curves, given as (x, lower, upper).
    pub fn between(
        label: impl Into<String>,
        curves: impl IntoIterator<Item = (f64, f64, f64)>,
    ) -> Self {
        Self { label: label.into(), area: Area::Band(curves.into_iter().collect()), color: None }
    }
}

/// The outline of a [`Shading`].
///
/// An infinite coordinate means the edge of the frame, and so does a coordinate that is not
/// positive on a logarithmic axis: "everything above this curve" is a band with an infinite upper
/// curve.
#[derive(Clone, Debug, PartialEq)]
pub enum Area {
    /// Corners of a closed polygon; a corner that is not a number is left out.
    Polygon(Vec<(f64, f64)>),
    /// Band of (x, lower, upper) in drawing order; it is interrupted where one of them is not a
    /// number.
    Band(Vec<(f64, f64, f64)>),
}

/// A thin grey line to compare the series with.
///
/// Its label is placed next to the line where it covers no data; if there is no such place, it
/// moves to the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Text next to the line; may be empty.
    pub label: String,
    /// The position of the line.
    pub place: ReferenceLine,
}

impl Reference {
    /// The vertical line at `x`.
    pub fn vertical(x: f64, label: impl Into<String>) -> Self {
        Self { label: label.into(), place: ReferenceLine::Vertical(x) }
    }

    /// The horizontal line at `y`.
    pub fn horizontal(y: f64, label: impl Into<String>) -> Self {
        Self { label: label.into(), place: ReferenceLine::Horizontal(y) }
    }

    /// The line through two points, across the whole frame.
    pub fn through(a: (f64, f64), b: (f64, f64), label: impl Into<String>) -> Self {
        Self { label: label.into(), place: ReferenceLine::Through(a, b) }
    }
}

/// The position of a [`Reference`] line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReferenceLine {
    /// At this x.
    Vertical(f64),
    /// At this y.
    Horizontal(f64),
    /// Straight on paper through two points and on to the edges of the frame; with two
    /// logarithmic axes this is a power law.
    Through((f64, f64), (f64, f64)),
}

/// The place of the legend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Legend {
    /// Inside the frame if it is short and covers nothing there, otherwise on the right.
    #[default]
    Auto,
    /// Outside, to the right of the frame, in as many columns as it needs.
    Right,
    /// Inside the frame, at the place where it covers least.
    Inside,
    /// No legend.
    None,
}
