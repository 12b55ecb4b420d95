//! The TypeScript types of the data that the page reads and requests, generated from the Rust
//! types.

use std::collections::BTreeMap;

use serde::Serialize;
use ts_rs::{Config, TS, TypeVisitor};

/// TypeScript declarations by name.
#[derive(Default)]
pub struct Declarations {
    config: Config,
    found: BTreeMap<String, String>,
    constants: Vec<String>,
    /// Names that belong to two different types.
    twice: Vec<String>,
}

impl Declarations {
    /// The types of recorded runs, and of the engine's requests and answers.
    pub fn of_the_engine() -> Self {
        let mut found = Declarations::default();
        crate::record::types(&mut found);
        crate::engine::types(&mut found);
        found
    }

    /// Adds a type and all types that it contains.
    pub fn add<T: TS + 'static>(&mut self) {
        self.visit::<T>();
    }

    /// Adds a list of values with their type, one per line.
    ///
    /// # Errors
    /// Values that JSON cannot express.
    pub fn list<T: TS + Serialize + 'static>(
        &mut self,
        name: &str,
        values: &[T],
    ) -> Result<(), serde_json::Error> {
        self.add::<T>();
        let mut text = format!("export const {name}: readonly {}[] = [\n", T::ident(&self.config));
        for value in values {
            text.extend(["  ", &serde_json::to_string(value)?, ",\n"]);
        }
        self.constants.push(text + "];\n");
        Ok(())
    }

    /// The declarations as a module.
    ///
    /// # Errors
    /// The names that belong to two different types.
    pub fn module(&self) -> Result<String, String> {
        if !self.twice.is_empty() {
            return Err(format!("several types have the name of {}", self.twice.join(", ")));
        }
        let mut text = String::from(
            "// The data that the program writes into the page, and the requests of the page to its engine, generated from the Rust types by\n\
             // `JOINTPLAY_BLESS=1 cargo test -p jointplay-page types`; do not edit.\n",
        );
        for declaration in self.found.values().chain(&self.constants) {
            text.push('\n');
            for line in declaration.lines() {
                text.push_str(line.trim_end());
                text.push('\n');
            }
        }
        Ok(text)
    }
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Numbers, texts and lists are TypeScript's own.
        if T::output_path().is_none() {
            return;
        }
        let name = T::ident(&self.config);
        let docs = T::docs().unwrap_or_default();
        let declaration = format!("{docs}export {}\n", T::decl(&self.config));
        match self.found.insert(name.clone(), declaration.clone()) {
            None => T::visit_dependencies(self),
            Some(before) if before == declaration => {}
            Some(_) => self.twice.push(name),
        }
    }
}
