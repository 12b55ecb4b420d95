//! The text of a model file, parsed once: models with different changes are made of the same tree.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::model::Model;
use crate::overrides::{Overrides, check_cases};
use crate::problem::{Diagnostics, Problems};
use crate::source::{self, Node};
use crate::tables::Tables;

/// The text of a model file. It is parsed the first time that a [model](Self::model) is made of it, and every further model, whatever its
/// changes, begins with a copy of that tree.
///
/// ```
/// use jointplay_model::{ModelText, Overrides, Tables};
///
/// let text = ModelText::new("format = 1\n[bodies.a]\nmass = 1\ninertia = 1\n[run]\nuntil = 1\n");
/// for mass in [1.0, 2.0] {
/// let changes = Overrides::new().set("bodies.a.mass", mass);
/// let model = text.model(None, &Tables::none(), &changes)?;
/// assert_eq!(model.mechanism.bodies().next().map(|(_, _, body)| body.mass), Some(mass));
/// }
/// # Ok::<(), jointplay_model::Diagnostics>(())
/// ```
#[derive(Debug)]
pub struct ModelText {
    text: Arc<str>,
    parsed: OnceLock<Parsed>,
}

/// The content of a text before any change.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// The tree; `None` if the text is not TOML.
    pub(crate) root: Option<Node>,
    /// What is wrong with it as TOML, or with its cases, of which any may be chosen.
    pub(crate) problems: Problems,
}

impl ModelText {
    /// Any text: whether it is a valid model is checked when a model is made of it.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        ModelText { text: text.into(), parsed: OnceLock::new() }
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text itself, shared.
    pub fn shared(&self) -> Arc<str> {
        self.text.clone()
    }

    /// The model of this text with these tables and changes; diagnostics name it by the path.
    ///
    /// # Errors
    /// [`Diagnostics`] with everything that is wrong with it.
    pub fn model(
        &self,
        path: Option<&Path>,
        tables: &Tables,
        overrides: &Overrides,
    ) -> Result<Model, Diagnostics> {
        Model::of_parsed(self, path, tables, overrides)
    }

    pub(crate) fn parsed(&self) -> &Parsed {
        self.parsed.get_or_init(|| {
            let mut problems = Problems::default();
            let root = source::root(&self.text, &mut problems);
            if let Some(root) = &root {
                check_cases(root, &mut problems);
            }
            Parsed { root, problems }
        })
    }
}
