//! `jointplay new`: a commented model to start from.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use jointplay_files::is_stdin;

use crate::{Failure, print};

const STARTER: &str = include_str!("starter.toml");

/// Arguments of `jointplay new`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  jointplay new press.toml && jointplay run press.toml")]
pub(crate) struct NewArgs {
    /// File to write; it must not exist
    #[arg(value_name = "FILE", default_value = "model.toml")]
    file: PathBuf,
}

pub(crate) fn run(args: &NewArgs) -> Result<(), Failure> {
    let shown = args.file.display();
    if is_stdin(&args.file) {
        let message = format!(
            "{shown} means standard input in other commands; give a name such as press.toml"
        );
        return Err(Failure::Request(vec![message]));
    }
    let fail = |cause: std::io::Error| Failure::Run(format!("cannot write {shown}: {cause}"));
    let mut file = match OpenOptions::new().write(true).create_new(true).open(&args.file) {
        Ok(file) => file,
        Err(cause) if cause.kind() == std::io::ErrorKind::AlreadyExists => {
            return Err(Failure::Request(vec![format!("{shown} exists; give another name")]));
        }
        Err(cause) => return Err(fail(cause)),
    };
    let written = file.write_all(STARTER.as_bytes()).and_then(|()| file.sync_all());
    if let Err(cause) = written {
        // An incomplete model is useless: remove it.
        drop(file);
        let _ = std::fs::remove_file(&args.file);
        return Err(fail(cause));
    }
    print::line(&format!("{shown} written. Next:"));
    print::line(&format!("  jointplay check {shown}"));
    print::line(&format!("  jointplay run {shown}"));
    Ok(())
}
