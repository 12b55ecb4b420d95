//! The generated pages: the reference of all laws for the repository and for rustdoc.

use std::fs;

use base64::Engine as _;
use jointplay_contact::catalog::{reference_page, reference_page_with};

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
        None => Ok(vec![
            ("docs/laws.md", reference_page()),
            ("crates/contact/src/catalog/reference.md", rustdoc + &font()),
        ]),
    }
}

/// A style sheet that brings its own mathematical font, after the text of the page.
fn font() -> String {
    let data = base64::engine::general_purpose::STANDARD
        .encode(include_bytes!("../assets/stix-two-math-subset.woff2"));
    format!(
        "\n<style>@font-face{{font-family:JointplayMath;src:url(data:font/woff2;base64,{data})}}\
         math{{font-family:JointplayMath,math;font-size:115%}}</style>\n"
    )
}

/// A formula as MathML, with padding that keeps tall fractions inside the block, which rustdoc would give a scroll bar.
fn mathml(latex: &str) -> Result<String, String> {
    let set = jointplay_view::mathml(latex)?;
    Ok(format!("<div style=\"padding:0.5em 0;overflow-y:hidden\">{set}</div>"))
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
        let found =
            fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
        if found != text {
            return Err(format!("{path} is not what the catalogue gives; run `cargo xtask docs`"));
        }
    }
    println!("== generated pages are up to date");
    Ok(())
}
