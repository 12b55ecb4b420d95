//! Files named by users: only regular files, of limited size, read once.
//!
//! A user may name an endless pipe, a device or a folder. All files named by users are opened here:
//! anything except a regular file is refused before it is opened, because opening a pipe waits for
//! its writer, and files are read only up to a limit. The exception is standard input, under the
//! names of [`is_stdin`].
//!
//! A file is [written](write()) completely or not at all.

mod write;

use std::fmt;
use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

pub use write::{can_write, unfinished_beside, unused_beside, write, write_with};

/// The reason why a file was not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The operating system reported an error.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It is not a regular file.
    #[error("is {0}, not a file")]
    NotAFile(Special),
    /// It is longer than the limit.
    #[error("is longer than {}", size(*.limit))]
    TooLong {
        /// The limit in bytes.
        limit: u64,
    },
    /// It is not text.
    #[error("is not UTF-8 text")]
    NotText,
}

/// What has a name as files do, and is not a regular file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// A folder.
    Folder,
    /// A pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A device, such as `/dev/zero`.
    Device,
    /// Something that this operating system has beside these.
    Other,
}

impl fmt::Display for Special {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Folder => "a folder",
            Self::Pipe => "a pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
            Self::Other => "something else",
        })
    }
}

/// Bytes in the largest unit that keeps the number whole.
fn size(bytes: u64) -> String {
    let units = [(30, "GB"), (20, "MB"), (10, "kB")];
    let whole =
        units.iter().find(|(power, _)| bytes >= 1 << power && bytes.is_multiple_of(1 << power));
    whole.map_or_else(
        || format!("{bytes} bytes"),
        |(power, unit)| format!("{} {unit}", bytes >> power),
    )
}

/// Opens a regular file, of which at most one byte more than the limit can be read.
///
/// # Errors
/// [`ReadError`], except for its length.
pub fn open(path: &Path, limit: u64) -> Result<io::Take<File>, ReadError> {
    let regular = |kind: FileType| match what(kind) {
        None => Ok(()),
        Some(what) => Err(ReadError::NotAFile(what)),
    };
    regular(fs::metadata(path)?.file_type())?;
    let file = File::open(path)?;
    // The path may name something else by now.
    regular(file.metadata()?.file_type())?;
    Ok(file.take(limit.saturating_add(1)))
}

/// The bytes of a regular file.
///
/// # Errors
/// [`ReadError`].
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    all(open(path, limit)?, limit)
}

/// The text of a regular file.
///
/// # Errors
/// [`ReadError`].
pub fn read_text(path: &Path, limit: u64) -> Result<String, ReadError> {
    text(read(path, limit)?)
}

/// The text of the standard input, which can be read once.
///
/// # Errors
/// [`ReadError`].
pub fn read_stdin(limit: u64) -> Result<String, ReadError> {
    text(all(io::stdin().lock().take(limit.saturating_add(1)), limit)?)
}

/// Whether a path means the standard input: `-`, `/dev/stdin` and its other names.
pub fn is_stdin(path: &Path) -> bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].iter().any(|name| path == Path::new(name))
}

fn all(mut from: impl Read, limit: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(ReadError::TooLong { limit }) } else { Ok(bytes) }
}

fn text(bytes: Vec<u8>) -> Result<String, ReadError> {
    String::from_utf8(bytes).map_err(|_| ReadError::NotText)
}

/// The kind of something that is not a regular file.
fn what(kind: FileType) -> Option<Special> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return Some(Special::Pipe);
        }
        if kind.is_socket() {
            return Some(Special::Socket);
        }
        if kind.is_char_device() || kind.is_block_device() {
            return Some(Special::Device);
        }
    }
    match (kind.is_file(), kind.is_dir()) {
        (true, _) => None,
        (_, true) => Some(Special::Folder),
        (false, false) => Some(Special::Other),
    }
}
