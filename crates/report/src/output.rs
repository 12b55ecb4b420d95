//! Writing: the format follows from the file name, and the file is written completely or not at all.

use crate::error::FigureError;
use crate::figure::{Figure, Page};
use crate::scene::Scene;
use crate::{layout, raster, svg};
use std::path::Path;

impl Figure {
    /// The figure as a stand-alone SVG document.
    pub fn svg(&self) -> Result<String, FigureError> {
        Ok(svg::render(&layout::figure(self)?))
    }

    /// The figure as a PNG file of 288 dpi.
    pub fn png(&self) -> Result<Vec<u8>, FigureError> {
        raster::render(&layout::figure(self)?)
    }

    /// Writes the figure to a file whose name ends in `.svg` or `.png`, in any case. The file
    /// appears complete or not at all: it is written under another name in the same folder and
    /// then renamed. A missing folder is created.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FigureError> {
        save(path.as_ref(), || layout::figure(self))
    }
}

impl Page {
    /// The page as a stand-alone SVG document.
    pub fn svg(&self) -> Result<String, FigureError> {
        Ok(svg::render(&layout::page(self)?))
    }

    /// The page as a PNG file of 288 dpi.
    pub fn png(&self) -> Result<Vec<u8>, FigureError> {
        raster::render(&layout::page(self)?)
    }

    /// Writes the page to a file, as [`Figure::save`] does.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FigureError> {
        save(path.as_ref(), || layout::page(self))
    }
}

/// Whether a figure can be saved under this name: it ends in .svg or .png, and its folder, if it
/// exists, is writable. Call this before computing the figure.
///
/// # Errors
/// [`FigureError::Extension`] or [`FigureError::Write`].
pub fn check_file(path: impl AsRef<Path>) -> Result<(), FigureError> {
    let path = path.as_ref();
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    if !["svg", "png"].contains(&extension.as_str()) {
        return Err(FigureError::Extension { path: path.to_owned() });
    }
    jointplay_files::can_write(path)
        .map_err(|source| FigureError::Write { path: path.to_owned(), source })
}

fn save(
    path: &Path,
    scene: impl FnOnce() -> Result<Scene, FigureError>,
) -> Result<(), FigureError> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    let bytes = match extension.as_str() {
        "svg" => svg::render(&scene()?).into_bytes(),
        "png" => raster::render(&scene()?)?,
        _ => {
            return Err(FigureError::Extension { path: path.to_owned() });
        }
    };
    jointplay_files::write(path, &bytes)
        .map_err(|source| FigureError::Write { path: path.to_owned(), source })
}
