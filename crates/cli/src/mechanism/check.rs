//! `jointplay check`: checks a model and describes it.

use std::path::PathBuf;

use clap::Args;
use jointplay_mbd::PartRef;
use jointplay_model::Channel;
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
    for joint in &model.joints {
        print::line(&format!("  joint {:<13} {}", joint.name, joint.handle.kind()));
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
    let names: Vec<&str> = model.available_channels().iter().map(Channel::name).collect();
    print::line(&format!("  channels            {}", names.join(" ")));
    Ok(())
}
