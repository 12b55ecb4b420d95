//! `jointplay info`: what a result folder contains.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::{open_result, summary};
use crate::{Failure, print};

/// Which result.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  jointplay info out/slider-crank")]
pub(crate) struct InfoArgs {
    /// Result folder of `jointplay run`
    #[arg(value_name = "RESULT")]
    folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &InfoArgs) -> Result<(), Failure> {
    let wrong =
        |error: jointplay_study::store::StoreError| Failure::Request(vec![error.to_string()]);
    let store = open_result(&args.folder)?;
    let result = store.summary().map_err(wrong)?;
    let manifest = store.manifest();
    if args.json {
        print::json(&json!({ "manifest": manifest, "summary": result }));
        return Ok(());
    }
    let metrics: Vec<_> = result.measured().collect();
    print::line(&summary::text(&manifest.settings.model, &result, &metrics));
    let text = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Array(list) => {
            list.iter().filter_map(|v| v.as_str()).collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    };
    print::line(&format!("\nmade by  {} {}", manifest.program, manifest.version));
    if let Some(settings) = json!(manifest.settings).as_object() {
        for (key, value) in settings.iter().filter(|(_, value)| !text(value).is_empty()) {
            print::line(&format!("  {key:<12} {}", text(value)));
        }
    }
    print::line(&format!("samples  {}", manifest.samples));
    let channels = manifest.channels.iter().map(|c| format!("{} [{}]", c.name, c.unit));
    print::line(&format!("channels {}", channels.collect::<Vec<_>>().join(", ")));
    print::line(&format!("files    {}", manifest.files.join(", ")));
    Ok(())
}
