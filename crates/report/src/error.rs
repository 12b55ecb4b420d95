//! The one error type of this crate.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// The reason why a figure could not be drawn or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum FigureError {
    /// The file name ends in neither `.svg` nor `.png`.
    Extension {
        /// The requested file.
        path: PathBuf,
    },
    /// Invalid axis limits: not finite, not increasing, not positive on a logarithmic
    /// axis, or so close together that `f64` cannot tell positions between them apart.
    Limits {
        /// Label of the axis.
        axis: String,
        /// Lower limit requested.
        min: f64,
        /// Upper limit requested.
        max: f64,
        /// True on a logarithmic axis.
        logarithmic: bool,
    },
    /// A frame outside 60 to 4000 pixels per side.
    Size {
        /// Width requested, in pixels of 1/96 inch.
        width: f64,
        /// Height requested, in pixels of 1/96 inch.
        height: f64,
    },
    /// A page without panels.
    EmptyPage,
    /// A drawing that has too many pixels for a PNG (more than 150 million); save it as SVG.
    TooLarge {
        /// Width of the whole drawing, in pixels of 1/96 inch.
        width: f64,
        /// Height of the whole drawing, in pixels of 1/96 inch.
        height: f64,
    },
    /// The PNG encoder failed.
    Encode {
        /// Its reason.
        source: io::Error,
    },
    /// The file could not be written; an existing file at that path is unchanged.
    Write {
        /// The requested file.
        path: PathBuf,
        /// The reason given by the system.
        source: io::Error,
    },
}

impl fmt::Display for FigureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Extension { path } => {
                write!(
                    f,
                    "cannot tell the figure format of `{}`: the name must end in .svg or .png",
                    path.display()
                )
            }
            Self::Limits { axis, min, max, logarithmic } => {
                let rule = if *logarithmic {
                    "positive, finite and increasing"
                } else {
                    "finite and increasing"
                };
                write!(f, "limits {min} to {max} of axis `{axis}` must be {rule}")
            }
            Self::Size { width, height } => {
                write!(
                    f,
                    "figure frame of {width} x {height} pixels: each side must be within 60 to 4000"
                )
            }
            Self::EmptyPage => write!(f, "a page needs at least one panel"),
            Self::TooLarge { width, height } => {
                write!(
                    f,
                    "a PNG of {width:.0} x {height:.0} units has too many pixels: save as .svg, or on several pages"
                )
            }
            Self::Encode { .. } => write!(f, "cannot encode the figure as PNG"),
            Self::Write { path, .. } => write!(f, "cannot write figure `{}`", path.display()),
        }
    }
}

impl std::error::Error for FigureError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Encode { source } | Self::Write { source, .. } => Some(source),
            Self::Extension { .. }
            | Self::Limits { .. }
            | Self::Size { .. }
            | Self::EmptyPage
            | Self::TooLarge { .. } => None,
        }
    }
}
