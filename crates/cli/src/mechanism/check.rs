//! `jointplay check`: checks a model and describes it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use clap::Args;
use jointplay_mbd::PartRef;
use jointplay_model::{Channel, Model, PartArray};
use serde_json::json;

use super::{ModelArgs, figures};
use crate::{Failure, print};

/// Arguments of `jointplay check`.
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  jointplay check models/slider-crank/model.toml --svg slider.svg"
)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Draw the assembled mechanism into FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let case = args.model.overrides().and_then(|changes| args.model.load(changes, None));
    let case = case.map_err(|failure| failure.with_json(args.json))?;
    let model = &case.model;
    let start = &model.start;
    let redundant: Vec<&str> = start.redundant.iter().map(PartRef::label).collect();
    if let Some(file) = &args.svg {
        let figure = figures::assembly(&case.name, model)?;
        figure.save(file).map_err(|error| Failure::of_figure("--svg", &error))?;
    }
    if args.json {
        let joints = model.joints.iter().map(|joint| (joint.name.clone(), joint.handle.kind()));
        let joints: serde_json::Map<_, _> = joints.map(|(n, k)| (n, json!(k))).collect();
        let warnings: Vec<String> = model.warnings.iter().map(|w| w.message.clone()).collect();
        let channels = model.available_channels().iter();
        print::json(&json!({
            "model": case.name,
            "degrees_of_freedom": start.freedom,
            "redundant_constraints": redundant,
            "bodies": model.mechanism.bodies().map(|(_, name, _)| name).collect::<Vec<_>>(),
            "joints": joints,
            "channels": channels.map(Channel::name).collect::<Vec<_>>(),
            "warnings": warnings,
        }));
        return Ok(());
    }
    for warning in &model.warnings {
        print::block(&warning.styled_warning(&args.model.file.display().to_string()));
    }
    print::line(&format!("{}: no problems", args.model.file.display()));
    let bodies = model.mechanism.bodies().count();
    print::line(&format!("  bodies              {bodies}"));
    for (name, kind) in joints(model) {
        print::line(&format!("  joint {name:<13} {kind}"));
    }
    print::line(&format!("  degrees of freedom  {}", start.freedom));
    match &redundant[..] {
        [] => {}
        redundant => print::line(&format!("  redundant           {}", redundant.join(", "))),
    }
    if start.moved > 0.0 || start.turned > 0.0 {
        let moved = print::si(start.moved, "m");
        let turned = print::digits(start.turned.to_degrees(), 4);
        print::line(&format!("  moved by assembly   at most {moved} and {turned}°"));
    }
    print::line(&format!("  channels            {}", channels(model).join(" ")));
    Ok(())
}

/// The joints with their kinds; those of an array that are of one kind are one line.
fn joints(model: &Model) -> Vec<(String, &'static str)> {
    let mut found: Vec<(String, &str)> = Vec::new();
    let mut before: Option<(&PartArray, &str, [usize; 2])> = None;
    for joint in &model.joints {
        let kind = joint.handle.kind().name();
        let of = model.arrays().iter().filter(|array| array.section == "joints");
        let mut of = of.filter_map(|array| Some((array, array.number_of(&joint.name)?)));
        let Some((array, number)) = of.next_back() else {
            found.push((joint.name.clone(), kind));
            before = None;
            continue;
        };
        let first = match before {
            Some((same, kind_before, [first, _])) if same == array && kind_before == kind => {
                found.pop();
                first
            }
            _ => number,
        };
        before = Some((array, kind, [first, number]));
        let name = &array.name;
        let shown = if first == number {
            format!("{name}[{number}]")
        } else {
            format!("{name}[{first}..{number}]")
        };
        found.push((shown, kind));
    }
    found
}

/// The channels; those of an array are shown once, as those of `NAME[i]`.
fn channels(model: &Model) -> Vec<String> {
    let arrays: BTreeMap<&str, &PartArray> =
        model.arrays().iter().map(|array| (array.name.as_str(), array)).collect();
    let mut known = BTreeSet::new();
    let shown = model.available_channels().iter().filter_map(|channel| {
        let (part, key) = match channel.name().split_once('.') {
            Some((part, key)) => (part, Some(key)),
            None => (channel.name(), None),
        };
        let base = part.rsplit_once('-').map_or(part, |(base, _)| base);
        let array = arrays.get(base).filter(|array| array.number_of(part).is_some());
        let part = array.map_or(part.to_owned(), |array| format!("{}[i]", array.name));
        let name = key.map_or(part.clone(), |key| format!("{part}.{key}"));
        known.insert(name.clone()).then_some(name)
    });
    shown.collect()
}
