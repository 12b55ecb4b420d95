//! Static figures for contact-law studies: curves, shaded regions and reference lines on linear
//! or logarithmic axes, as SVG or PNG.
//!
//! A [`Figure`] is a plain description: titles, axes with units, [`Series`], [`Shading`]s and
//! [`Reference`] lines. [`Figure::save`] draws it; a [`Page`] arranges several figures. Nothing has
//! to be positioned manually: margins are computed from the measured text, the legend is placed in
//! a free corner or to the right of the frame, and labels never overlap.
//!
//! ```
//! use jointplay_report::{Axis, Figure, Reference, Series};
//!
//! let loop_of = |chi: f64| {
//!     (0..=200).map(move |k| {
//!         let phase = std::f64::consts::PI * f64::from(k) / 200.0;
//!         let (rate, delta) = (phase.cos(), phase.sin());
//!         (100.0 * delta, 12.0 * delta.powf(1.5) * (1.0 + chi * rate))
//!     })
//! };
//! let figure = Figure::new("Impact at c_r = 0.7", Axis::linear("δ", "µm"), Axis::linear("F", "kN"))
//!     .with_series(Series::line("Hunt–Crossley", loop_of(0.45)))
//!     .with_series(Series::line("Flores et al.", loop_of(0.69)).dashed())
//!     .with_reference(Reference::horizontal(14.0, "yield"));
//!
//! let svg = figure.svg()?;
//! assert!(svg.starts_with("<svg") && svg.contains("Hunt–Crossley"));
//! assert_eq!(svg, figure.svg()?); // the same figure gives the same bytes
//! assert!(figure.save("loops.pdf").unwrap_err().to_string().contains(".svg or .png"));
//! # Ok::<(), jointplay_report::FigureError>(())
//! ```
//!
//! # Text
//!
//! Every label may hold Unicode (`δ̇`, `µm`, `cᵣ`) and two marks: `_` after a single letter makes a
//! subscript (`c_r`, `e_out`, `δ_{max}`) and `^` a superscript (`m^1.5`, `10^{-3}`). A `_` inside a
//! longer word (`rod_slider`) is an ordinary character. PNG text is drawn with a bundled subset of
//! Arimo (Latin, Greek, Cyrillic, mathematical signs; SIL Open Font License); SVG text stays text,
//! in Arimo or any font of the same widths (Liberation Sans, Arial, Helvetica).
//!
//! # Data that cannot be drawn
//!
//! No input panics. A series breaks where a coordinate is not finite, or not positive on a
//! logarithmic axis; an isolated point is drawn as a dot. Magnitudes above 1e300 count as
//! infinite; on a logarithmic axis, values below 1e-300 count as zero.
//! A series of more than 4000 points is thinned to the first, lowest, highest and last point of
//! each half-pixel column, a cloud of as many markers to one per half-pixel cell; neither makes a
//! visible difference.
//!
//! # Not supported
//!
//! Second y axes, category or time axes, interaction.

mod axis;
mod error;
mod figure;
mod font;
mod geometry;
mod heat;
mod layout;
mod legend;
mod output;
pub use output::check_file;
mod plot;
mod raster;
mod scene;
mod svg;

pub use error::FigureError;
pub use figure::{
    Area, Axis, Emphasis, Figure, Legend, Page, Reference, ReferenceLine, Scale, Series, Shading,
    Style,
};
pub use heat::Heat;
pub use svg::escaped;
