//! `jointplay view`: the interactive page of a model or a result, in the browser.

use std::path::{Path, PathBuf};

use clap::Args;
use jointplay_files::is_stdin;
use jointplay_study::store::{Store, StoreError};

use super::ModelArgs;
use super::run::{self, RunArgs};
use crate::{Failure, print};

/// Arguments of `jointplay view`.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  jointplay view models/slider-crank\n  jointplay view out/slider-crank\n  \
                  jointplay view press.toml --no-open"
)]
pub(crate) struct ViewArgs {
    /// Model file, which is run first, or a result folder of `run` or `compare`
    #[arg(value_name = "MODEL|RESULT")]
    what: PathBuf,
    /// Result folder of a model; out/NAME by default
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Only write the page and print its path
    #[arg(long)]
    no_open: bool,
}

const PAGE: &str = "report.html";

pub(crate) fn run(args: &ViewArgs) -> Result<(), Failure> {
    let page = page(args)?;
    if args.no_open {
        print::line(&format!("page    {}", page.display()));
    } else {
        open(&page);
    }
    Ok(())
}

/// The page, written if it does not exist.
fn page(args: &ViewArgs) -> Result<PathBuf, Failure> {
    let what = &args.what;
    if !what.exists() && !is_stdin(what) {
        let shown = what.display();
        let message = format!("{shown}: there is no such file or folder");
        return Err(Failure::Request(vec![message]));
    }
    let inner = what.join("model.toml");
    let (model, folder) = match Store::open(what) {
        Ok(_) | Err(StoreError::Collection { .. }) if args.out.is_some() => {
            let message =
                "this is already a result; --out applies only to models, which are run first";
            return Err(Failure::Request(vec![format!("{}: {message}", what.display())]));
        }
        Ok(_) | Err(StoreError::Collection { .. }) => {
            let page = what.join(PAGE);
            if page.exists() {
                return Ok(page);
            }
            if !inner.exists() {
                let message = "the result has neither a page nor its model: run the model again";
                return Err(Failure::Request(vec![format!("{}: {message}", what.display())]));
            }
            // The same model gives the same result; any other goes into a new folder, and the old
            // one is unchanged.
            let name = what.file_name().unwrap_or_default().to_string_lossy();
            (what.clone(), Some(what.with_file_name(format!("{name}-page"))))
        }
        // A path that is not a file either is refused when it is read.
        Err(_) if !what.is_dir() => (what.clone(), None),
        Err(_) if inner.exists() => (inner, None),
        Err(StoreError::NotAResult { .. }) => {
            let message = format!("{} contains neither a result nor a model.toml", what.display());
            return Err(Failure::Request(vec![message]));
        }
        Err(error) => return Err(Failure::Request(vec![error.to_string()])),
    };
    let run = RunArgs::new(ModelArgs::unchanged(model), args.out.clone().or(folder));
    Ok(run::run_to_folder(&run)?.join(PAGE))
}

/// Prints the path of a page and opens it in the browser.
pub(crate) fn open(page: &Path) {
    print::line(&format!("page    {}", page.display()));
    if let Err(error) = opener::open(page) {
        print::warning(&format!("no browser could be started ({error}); open the page yourself"));
    }
}
