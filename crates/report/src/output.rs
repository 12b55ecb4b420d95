//! Writing: the format by file name, the file whole or not at all.

use crate::error::FigureError;
use crate::figure::{Figure, Page};
use crate::scene::Scene;
use crate::{layout, raster, svg};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

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
    /// then renamed. A folder that does not exist is made.
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

/// Whether a figure can be saved under this name: it ends in .svg or .png, and its folder, if it exists, takes files. Meant to
/// be asked before the work.
///
/// # Errors
/// [`FigureError::Extension`] or [`FigureError::Write`].
pub fn check_file(path: impl AsRef<Path>) -> Result<(), FigureError> {
    let path = path.as_ref();
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    if !["svg", "png"].contains(&extension.as_str()) {
        return Err(FigureError::Extension { path: path.to_owned() });
    }
    let wrong = |source| FigureError::Write { path: path.to_owned(), source };
    if path.is_dir() {
        return Err(wrong(io::Error::from(io::ErrorKind::IsADirectory)));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_none_or(Path::exists) {
        let (temporary, _) = create_beside(path).map_err(wrong)?;
        fs::remove_file(temporary).map_err(wrong)?;
    }
    Ok(())
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
    write_whole(path, &bytes).map_err(|source| FigureError::Write { path: path.to_owned(), source })
}

fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let (temporary, mut file) = create_beside(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    let done = written.and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// A new file in the folder of `path` under a name nobody else uses.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut name = std::ffi::OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}-{number}.tmp", process::id()));
        let temporary = path.with_file_name(name);
        match File::create_new(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}
