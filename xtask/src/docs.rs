//! The generated pages: the reference of all laws for the repository and for rustdoc.

use std::fs;

use jointplay_contact::catalog::{reference_page, reference_page_with};
use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, push_mathml};

use crate::root;

/// Pages and their contents.
fn pages() -> Result<Vec<(&'static str, String)>, String> {
    let mut problem = None;
    let rustdoc = {
        let failed = std::cell::RefCell::new(&mut problem);
        reference_page_with(&|latex| {
            mathml(latex).unwrap_or_else(|error| {
                **failed.borrow_mut() = Some(error);
                String::new()
            })
        })
    };
    match problem {
        Some(error) => Err(error),
        None => Ok(vec![("docs/laws.md", reference_page()), ("crates/contact/src/catalog/reference.md", rustdoc)]),
    }
}

/// A formula as MathML on one line, which browsers draw without scripts or a network.
fn mathml(latex: &str) -> Result<String, String> {
    let storage = Storage::new();
    let parser = Parser::new(latex, &storage);
    let config = RenderConfig { display_mode: DisplayMode::Block, ..RenderConfig::default() };
    let mut out = String::new();
    push_mathml(&mut out, parser, config).map_err(|error| format!("{latex}: {error}"))?;
    if out.contains("merror") {
        return Err(format!("{latex}: cannot be set as MathML"));
    }
    Ok(out.replace('\n', ""))
}

/// Writes the pages.
pub(crate) fn write() -> Result<(), String> {
    for (path, text) in pages()? {
        fs::write(root().join(path), text).map_err(|error| format!("{path}: {error}"))?;
        println!("wrote {path}");
    }
    Ok(())
}

/// Compares the pages with the files.
pub(crate) fn check() -> Result<(), String> {
    for (path, text) in pages()? {
        let found = fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
        if found != text {
            return Err(format!("{path} is not what the catalogue gives; run `cargo xtask docs`"));
        }
    }
    println!("== generated pages are up to date");
    Ok(())
}
