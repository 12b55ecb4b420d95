//! The files that a model refers to: tables of laws and of functions of time.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use jointplay_files::{ReadError, is_stdin};

use crate::parameters::Parameters;
use crate::user::Complaint;

/// The longest table that is read (bytes).
const MAX_TABLE: u64 = 16 << 20;

/// The tables of a model: those given by name, otherwise those in a folder.
///
/// ```
/// use jointplay_model::{Model, Overrides, Tables};
///
/// let text = r#"
/// format = 1
/// [bodies.a]
/// mass = 1
/// inertia = 1
/// [forces.push]
/// type = "force"
/// on = { body = "a" }
/// direction = [1, 0]
/// value = { table = "push.csv" }
/// [run]
/// until = "1 s"
/// "#;
/// let push = "0, 0\n1, 5\n2, 7\n3, 0\n";
/// let tables = Tables::none().with("push.csv", push);
/// let model = Model::with_tables(text, None, &tables, &Overrides::new())?;
/// assert_eq!(model.tables["push.csv"], push);
/// # Ok::<(), jointplay_model::Diagnostics>(())
/// ```
///
/// A file is read once, when a model first takes it. Later models that are built with the same `Tables` or with a clone of it
/// get the same text, so that runs that belong together cannot see two versions of a file.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    given: BTreeMap<String, String>,
    folder: Option<PathBuf>,
    /// The files of the folder that were read, shared with every clone.
    known: Arc<Mutex<BTreeMap<String, Arc<str>>>>,
}

/// The one spelling of the name of a table: `./a.csv` is `a.csv`, and `b//./a.csv` is `b/a.csv`. A name that leaves the folder of
/// its model has no other spelling.
fn plain_name(name: &str) -> String {
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    let path = Path::new(name);
    if !path.components().all(is_plain) {
        return name.to_owned();
    }
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(part) => part.to_str(),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("/")
}

impl Tables {
    /// No tables.
    pub fn none() -> Self {
        Tables::default()
    }

    /// The tables in or below a folder.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Tables { folder: Some(folder.into()), ..Tables::default() }
    }

    /// The tables in or below the folder of a model file; for standard input that is the working directory.
    pub fn beside(file: &Path) -> Self {
        let folder = if is_stdin(file) { Some(Path::new(".")) } else { file.parent() };
        Tables { folder: folder.map(Path::to_owned), ..Tables::default() }
    }

    /// Adds a table whose text is already known.
    pub fn with(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.given.insert(plain_name(&name.into()), text.into());
        self
    }

    /// The text of a table, by the one spelling of its name.
    fn read(&self, name: &str) -> Result<Arc<str>, Complaint> {
        if let Some(text) = self.given.get(name) {
            return Ok(text.as_str().into());
        }
        let path = Path::new(name);
        let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        let plain = !name.contains(['\\', ':', '\0']);
        if name.is_empty() || !plain || !path.components().all(inside) {
            let hint = "write its path relative to the model, with / and without ..";
            let message = "a file must lie in or below the folder of the model";
            return Err((message.into(), Some(hint.into())));
        }
        match &self.folder {
            Some(folder) => {
                // Locked while it reads, so that models built at the same time read a file once.
                let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(text) = known.get(name) {
                    return Ok(text.clone());
                }
                let text = read_inside(folder, path)
                    .map_err(|why| (format!("`{name}` cannot be read: {why}"), None))?;
                let text: Arc<str> = text.into();
                known.insert(name.to_owned(), text.clone());
                Ok(text)
            }
            None if self.given.is_empty() => {
                let hint = "supply its tables by name, together with the text";
                Err(("a model without a folder cannot refer to files".into(), Some(hint.into())))
            }
            None => {
                let names: Vec<&str> = self.given.keys().map(String::as_str).collect();
                let hint = format!("available tables: {}", names.join(", "));
                Err((format!("there is no table `{name}`"), Some(hint)))
            }
        }
    }
}

impl<N: Into<String>, T: Into<String>> FromIterator<(N, T)> for Tables {
    fn from_iter<I: IntoIterator<Item = (N, T)>>(tables: I) -> Self {
        tables.into_iter().fold(Tables::none(), |all, (name, text)| all.with(name, text))
    }
}

/// What the texts of one model may refer to: its tables, each of which is read once, and its parameters.
pub(crate) struct TableReader<'t> {
    pub(crate) parameters: Parameters,
    source: &'t Tables,
    read: BTreeMap<String, Arc<str>>,
}

impl<'t> TableReader<'t> {
    pub(crate) fn new(source: &'t Tables) -> Self {
        TableReader { parameters: Parameters::default(), source, read: BTreeMap::new() }
    }

    /// The text of a table.
    pub(crate) fn text(&mut self, name: &str) -> Result<&str, Complaint> {
        Ok(match self.read.entry(plain_name(name)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let text = self.source.read(new.key())?;
                new.insert(text)
            }
        })
    }

    /// The tables that were read, by the one spelling of their names.
    pub(crate) fn finish(self) -> BTreeMap<String, String> {
        self.read.into_iter().map(|(name, text)| (name, String::from(&*text))).collect()
    }
}

/// Reads a file of limited size that really lies below the folder, links included.
fn read_inside(folder: &Path, path: &Path) -> Result<String, String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let home = folder.canonicalize().map_err(|error| error.to_string())?;
    let full = home.join(path).canonicalize().map_err(|error| error.to_string())?;
    if !full.starts_with(&home) {
        return Err("it is outside the folder of the model".into());
    }
    jointplay_files::read_text(&full, MAX_TABLE).map_err(|error| match error {
        ReadError::Io(cause) => cause.to_string(),
        error => format!("it {error}"),
    })
}
