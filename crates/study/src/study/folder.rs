//! The folder of a study.

use std::path::Path;

use super::{StudyError, StudyResult};
use crate::frame::Frame;
use crate::journal::{Journal, cannot_write};
use crate::survey::JOURNAL;

/// The name of the study file in a study folder.
pub const STUDY: &str = "study.toml";
/// The name of the findings in a study folder.
pub const FINDINGS: &str = "study.json";
/// The name of the table in a study folder.
pub const TABLE: &str = "table.csv";
/// The name of the points of a bifurcation diagram.
pub const POINTS: &str = "points.csv";
/// The name of its section.
pub const SECTION: &str = "section.csv";
/// The name of its spectra.
pub const SPECTRA: &str = "spectra.csv";
/// The name of measured data and model side by side.
pub const OVERLAY: &str = "fit.csv";

/// Refuses a folder that has something else in it than a study.
///
/// # Errors
/// [`StudyError::Folder`].
pub fn check_folder(folder: &Path) -> Result<(), StudyError> {
    let shown = folder.display();
    let refuse = |why: &str| {
        let message = format!("'{shown}' {why}: choose another folder with --out FOLDER");
        Err(StudyError::Folder(message))
    };
    if folder.symlink_metadata().is_ok() && !folder.exists() {
        return refuse("is a link to nowhere");
    }
    if folder.exists() && !folder.is_dir() {
        return refuse("is not a folder");
    }
    let Ok(mut entries) = std::fs::read_dir(folder) else { return Ok(()) };
    if !is_study(folder) && entries.next().is_some() {
        return refuse("exists and is not the folder of a study");
    }
    Ok(())
}

/// Whether a folder is one that a study was made in.
pub fn is_study(folder: &Path) -> bool {
    Journal::is_one(&folder.join(JOURNAL))
}

/// A folder that cannot be made.
pub(super) fn cannot(path: &Path, cause: &std::io::Error) -> StudyError {
    let path = path.display();
    StudyError::Folder(format!(
        "'{path}' cannot be created: {cause}; choose another folder with --out FOLDER"
    ))
}

fn unwritten(path: &Path, cause: &std::io::Error) -> StudyError {
    StudyError::Write(cannot_write(path, cause))
}

pub(super) fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), StudyError> {
    let path = folder.join(name);
    jointplay_files::write(&path, bytes).map_err(|cause| unwritten(&path, &cause))
}

/// Removes tables that an earlier study in this folder had and this one does not have.
pub(super) fn remove_stale(folder: &Path, outcome: &StudyResult) {
    let StudyResult { section, spectra, points, .. } = outcome;
    let diagram = section.is_some();
    let stale = [(POINTS, !diagram && points.is_none()), (SPECTRA, diagram && spectra.is_none())];
    for (name, _) in stale.into_iter().filter(|(_, stale)| *stale) {
        for name in [name.to_owned(), name.replace(".csv", ".parquet")] {
            // What is not there need not be removed.
            drop(std::fs::remove_file(folder.join(name)));
        }
    }
}

/// Writes a table as CSV.
pub(super) fn write_csv(folder: &Path, name: &str, table: &Frame) -> Result<(), StudyError> {
    let path = folder.join(name);
    let written = jointplay_files::write_with(&path, |file| table.write_csv(file));
    written.map_err(|cause| unwritten(&path, &cause))
}

/// Writes a table as CSV and as Parquet.
pub(super) fn write_table(folder: &Path, name: &str, table: &Frame) -> Result<(), StudyError> {
    write_csv(folder, name, table)?;
    write_parquet(folder, name, table)
}

#[cfg(feature = "parquet")]
fn write_parquet(folder: &Path, name: &str, table: &Frame) -> Result<(), StudyError> {
    let path = folder.join(name.replace(".csv", ".parquet"));
    let written = jointplay_files::write_with(&path, |file| table.write_parquet(file));
    written.map_err(|cause| unwritten(&path, &cause))
}

#[cfg(not(feature = "parquet"))]
fn write_parquet(_: &Path, _: &str, _: &Frame) -> Result<(), StudyError> {
    Ok(())
}
