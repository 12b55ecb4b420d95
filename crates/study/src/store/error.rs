//! Why a result was not written or read.

use std::io;
use std::path::{Path, PathBuf};

use jointplay_files::ReadError;

use super::FORMAT;

/// Why a result was not written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Reading or writing failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The path ends in no valid folder name.
    #[error("'{}' is not a valid name for a result folder", path.display())]
    NoName {
        /// The path.
        path: PathBuf,
    },
    /// The target exists and is not a result.
    #[error("'{}' exists and is not a result written by jointplay", path.display())]
    NotAResult {
        /// The path.
        path: PathBuf,
    },
    /// The target is a file, or a broken link.
    #[error("'{}' is a file, or a broken link: give another name for the folder", path.display())]
    NotAFolder {
        /// The path.
        path: PathBuf,
    },
    /// Nothing can be written there.
    #[error(
        "the result cannot be written to '{}': nothing can be created in '{}' ({source})",
        path.display(), folder.display()
    )]
    NotWritable {
        /// The path.
        path: PathBuf,
        /// The folder that cannot be written to.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folder holds the result of another input.
    #[error(
        "'{}' contains the result of {holds}, but this run is {wanted}: give another folder, or allow it to be replaced",
        path.display()
    )]
    OtherInput {
        /// The path.
        path: PathBuf,
        /// What is there.
        holds: String,
        /// What was to be written.
        wanted: String,
    },
    /// A file of the user's has a name that the result needs.
    #[error(
        "'{}' contains '{found}', which is not part of a result but has a name that this one needs: move it, or give another folder",
        path.display()
    )]
    Foreign {
        /// The path.
        path: PathBuf,
        /// What was found.
        found: String,
    },
    /// The folder holds a result, and nothing may be replaced.
    #[error("'{}' exists", path.display())]
    Exists {
        /// The path.
        path: PathBuf,
    },
    /// The folder contains several runs together and is not the result of one.
    #[error("'{}' contains a comparison of several runs, not the result of one: open its report.html", path.display())]
    Collection {
        /// The path.
        path: PathBuf,
    },
    /// The format is newer than the program.
    #[error(
        "'{}' has format {format}, but this program only reads formats up to {FORMAT}: use a newer version",
        path.display()
    )]
    TooNew {
        /// The path.
        path: PathBuf,
        /// Its format.
        format: u32,
    },
    /// A file does not contain what it should.
    #[error("{}: {message}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The run keeps other instants than its model asks for, so that running the folder again would not repeat its tables.
    #[error(
        "this run keeps other instants than its model asks for and cannot be stored as a result: run the model with `output.interval` instead"
    )]
    OtherInstants,
    /// Two channels have the same name, or a channel does not have one value for each time.
    #[error("channel '{name}': {message}")]
    Channel {
        /// Its name.
        name: String,
        /// What is wrong.
        message: &'static str,
    },
    /// An extra file has a name that is not allowed.
    #[error("'{name}' is not a valid name for a file of a result: {message}")]
    FileName {
        /// The name.
        name: String,
        /// What is wrong.
        message: &'static str,
    },
}

impl StoreError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.to_owned();
        move |source| StoreError::Io { path, source }
    }

    pub(super) fn read(path: &Path) -> impl FnOnce(ReadError) -> StoreError {
        let path = path.to_owned();
        move |error| match error {
            ReadError::Io(source) => StoreError::Io { path, source },
            error => StoreError::Content { message: format!("it {error}"), path },
        }
    }

    pub(super) fn content(path: &Path, error: &impl ToString) -> StoreError {
        StoreError::Content { path: path.to_owned(), message: error.to_string() }
    }
}
