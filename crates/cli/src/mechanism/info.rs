//! `jointplay info`: the contents of a result folder.

use std::path::PathBuf;

use clap::Args;
use jointplay_model::Diagnostics;
use jointplay_study::case::Case;
use jointplay_study::store::departures;
use serde_json::json;

use super::{open_result, summary};
use crate::{Failure, print};

/// Arguments of `jointplay info`.
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
    let state = match Case::open(&args.folder).and_then(|case| case.load()) {
        Ok(case) => departures(&case).iter().map(ToString::to_string).collect(),
        Err(wrong) => vec![unreadable(&wrong)],
    };
    if args.json {
        print::json(&json!({ "manifest": manifest, "summary": result, "departures": state }));
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
    if let Some(digest) = &manifest.digest {
        print::line(&format!("digest   {digest}"));
    }
    let good = ["the folder still matches it: `jointplay run` repeats the result".to_owned()];
    for sentence in if state.is_empty() { &good[..] } else { &state } {
        print::line(&format!("         {sentence}"));
    }
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

/// The reason why the model in the folder cannot be compared with the digest.
fn unreadable(wrong: &Diagnostics) -> String {
    let first = wrong.problems.first().map_or_else(String::new, |problem| problem.message.clone());
    format!("the model in the folder cannot be run again: {first}")
}
