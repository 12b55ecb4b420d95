//! `jointplay playground`: a page with the shipped mechanisms and the engine, to try out laws or send to a colleague.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;
use jointplay_files::ReadError;
use jointplay_page::{ModelFile, Page, PageKind};
use jointplay_study::case::Case;

use super::{refused, view};
use crate::{Failure, print};

/// Arguments of `jointplay playground`.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  jointplay playground --open\n  jointplay playground rattle.html press.toml"
)]
pub(crate) struct PlaygroundArgs {
    /// File to write; an existing page is replaced
    #[arg(value_name = "PAGE", default_value = "out/playground.html")]
    page: PathBuf,
    /// Your own models, listed before the shipped ones
    #[arg(value_name = "MODEL")]
    models: Vec<PathBuf>,
    /// Open it in the browser
    #[arg(long)]
    open: bool,
}

pub(crate) fn run(args: &PlaygroundArgs) -> Result<(), Failure> {
    let mut models = Vec::new();
    for file in &args.models {
        models.push(Case::open(file).and_then(|case| case.load()).map_err(refused)?);
    }
    for (name, text) in jointplay_models::MODELS {
        models.push(Case::of_text(text).named(name).load().map_err(refused)?);
    }
    let models = models.iter().map(|case| ModelFile {
        name: &case.name,
        title: case.model.description.as_deref().unwrap_or_default(),
        text: case.as_run(),
        tables: &case.model.tables,
    });
    let page = Page {
        kind: PageKind::Playground,
        title: "Jointplay playground",
        models: models.collect(),
        runs: Vec::new(),
        study: None,
        measured: "",
    };
    write(&args.page, &page.html())?;
    print::line(&format!("{} written", args.page.display()));
    if args.open {
        view::open(&args.page);
    }
    Ok(())
}

/// Writes a page completely or not at all. Replaces an existing page, but no other file.
fn write(path: &Path, html: &str) -> Result<(), Failure> {
    const BEGIN: &[u8] = b"<!DOCTYPE html>";
    let mut begin = Vec::new();
    let old = jointplay_files::open(path, BEGIN.len() as u64 - 1);
    match old.and_then(|mut old| Ok(old.read_to_end(&mut begin)?)) {
        Ok(0) => {}
        Ok(_) if begin == BEGIN => {}
        Ok(_) | Err(ReadError::NotAFile(_)) => {
            let shown = path.display();
            return Err(Failure::Request(vec![format!(
                "{shown} exists and is not a page; give another name"
            )]));
        }
        Err(ReadError::Io(cause)) if cause.kind() == std::io::ErrorKind::NotFound => {}
        Err(cause) => return Err(Failure::Run(format!("{} {cause}", path.display()))),
    }
    jointplay_files::write(path, html.as_bytes())
        .map_err(|error| Failure::Run(format!("cannot write {}: {error}", path.display())))
}
