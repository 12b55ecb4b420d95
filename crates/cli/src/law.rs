//! `jointplay law`: one evaluation of elastic laws.

use std::path::PathBuf;

use clap::Args;
use jointplay_contact::elastic::ElasticModel;
use jointplay_report::{Axis, Figure, Series};
use serde_json::json;

use crate::args::{ContactArgs, Elastic, ElasticChoice};
use crate::complaints::{Complaints, complain_of_unknown};
use crate::{Failure, print};
use jointplay_model::units::Dimension;

/// Arguments of `jointplay law`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  jointplay law johnson --bearing-radius 10mm --journal-radius 9.5mm --length 15mm \\\n    --material steel --indentation 1um"
)]
pub(crate) struct LawArgs {
    /// Elastic laws, separated by commas: an id of `jointplay laws`, table:FILE.csv or formula:TEXT
    #[arg(value_name = "LAW")]
    law: String,
    /// Indentation, such as 1um
    #[arg(long, value_name = "LENGTH", conflicts_with = "force", allow_hyphen_values = true)]
    indentation: Option<String>,
    /// Force, such as 100N, for which the indentation is computed
    #[arg(long, value_name = "FORCE", allow_hyphen_values = true)]
    force: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Draw force against indentation up to the given point into FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    contact: ContactArgs,
}

/// Where the law is evaluated.
#[derive(Clone, Copy)]
enum At {
    Indentation(f64),
    Force(f64),
}

/// One law at one point.
struct Answer {
    elastic: Elastic,
    delta: f64,
    response: jointplay_contact::elastic::Elastic,
}

impl Answer {
    fn in_domain(&self) -> bool {
        self.delta > 0.0 && !self.response.continued && self.elastic.warnings.is_empty()
    }

    fn json(&self) -> serde_json::Value {
        let limits = self.elastic.law.limits();
        let line_load =
            self.elastic.length.map(|length| (self.response.force / length).min(f64::MAX));
        json!({
            "law": self.elastic.name,
            "indentation": self.delta,
            "force": self.response.force,
            "stiffness": self.response.slope,
            "energy": self.response.energy,
            "line_load": line_load,
            "length": self.elastic.length,
            "limit_force": limits.force,
            "limit_indentation": limits.delta,
            "published_limit_force": limits.published_force,
            "in_domain": self.in_domain(),
            "continued": self.response.continued,
            "warnings": self.elastic.warnings,
            "notes": self.elastic.notes,
        })
    }

    fn text(&self) -> String {
        let limits = self.elastic.law.limits();
        let or_none = |value: Option<f64>, unit: &str| {
            value.map_or_else(|| "none".to_owned(), |v| print::si(v, unit))
        };
        let mut rows = vec![
            ("indentation", print::si(self.delta, "m")),
            ("force", print::si(self.response.force, "N")),
            ("stiffness dF/dδ", print::si(self.response.slope, "N/m")),
            ("stored energy", print::si(self.response.energy, "J")),
        ];
        if let Some(length) = self.elastic.length {
            rows.push((
                "load per length",
                format!("{} N/mm", print::digits(1e-3 * self.response.force / length, 6)),
            ));
        }
        rows.push((
            "limit (monotone)",
            match (limits.force, limits.delta) {
                (Some(f), Some(d)) => format!("{} at {}", print::si(f, "N"), print::si(d, "m")),
                (None, Some(d)) => format!("force becomes infinite at {}", print::si(d, "m")),
                _ => "none".to_owned(),
            },
        ));
        rows.push(("limit (published)", or_none(limits.published_force, "N")));
        let domain = if self.delta <= 0.0 {
            "no contact: the indentation is not positive"
        } else if self.response.force >= f64::MAX {
            "no: the force exceeds the largest representable number and was limited to it"
        } else if self.response.continued {
            "no: beyond the law's limit, continued along its tangent"
        } else if self.in_domain() {
            "yes"
        } else {
            "no (see the warnings)"
        };
        rows.push(("in domain", domain.to_owned()));
        format!("{}\n{}", self.elastic.name, print::pairs(&rows))
    }
}

pub(crate) fn run(args: &LawArgs) -> Result<(), Failure> {
    let mut complaints = Complaints::default();
    let inputs = args.contact.inputs(&mut complaints);
    let choices: Vec<ElasticChoice> = split_names(&args.law)
        .filter_map(|name| ElasticChoice::read(name, &mut complaints))
        .collect();
    let elastics: Vec<Elastic> =
        choices.iter().filter_map(|c| args.contact.elastic(c, &inputs, &mut complaints)).collect();
    for choice in &choices {
        complain_of_unknown(&inputs, choice.sheet(), &[], &mut complaints);
    }
    let at = match (&args.indentation, &args.force) {
        (Some(text), _) => {
            Some(At::Indentation(complaints.quantity("indentation", text, Dimension::Length)))
        }
        (None, Some(text)) => {
            let force = complaints.quantity("force", text, Dimension::Force);
            if force < 0.0 {
                complaints.add(format!("--force {force}: a contact force cannot be negative"));
            }
            Some(At::Force(force))
        }
        (None, None) => {
            complaints.add("nothing to evaluate: give --indentation 1um or --force 100N");
            None
        }
    };
    complaints.finish()?;
    let Some(at) = at else { return Ok(()) };
    let mut answers = Vec::new();
    for elastic in elastics {
        let delta = match at {
            At::Indentation(delta) => delta,
            At::Force(force) => elastic.law.indentation(force).ok_or_else(|| {
                Failure::Run(format!(
                    "{}: the law does not reach {force} N at any finite indentation",
                    elastic.name
                ))
            })?,
        };
        let response = elastic.law.eval(delta);
        answers.push(Answer { elastic, delta, response });
    }
    if let Some(path) = &args.plot {
        plot(&answers).save(path)?;
        print::note(&format!("wrote {}", path.display()));
    }
    show(args, &answers);
    Ok(())
}

fn show(args: &LawArgs, answers: &[Answer]) {
    if args.json {
        let values: Vec<_> = answers.iter().map(Answer::json).collect();
        match values.as_slice() {
            [one] => print::json(one),
            many => print::json(&json!(many)),
        }
        return;
    }
    for answer in answers {
        for warning in &answer.elastic.warnings {
            print::warning(&format!("{}: {warning}", answer.elastic.name));
        }
        for note in &answer.elastic.notes {
            print::note(&format!("note: {}: {note}", answer.elastic.name));
        }
        print::line(&answer.text());
    }
}

/// Names separated by commas; a formula may contain commas itself and must be given alone.
pub(crate) fn split_names(text: &str) -> impl Iterator<Item = &str> {
    let single = text.starts_with("formula:");
    let parts: Vec<&str> = if single { vec![text] } else { text.split(',').collect() };
    parts.into_iter().map(str::trim)
}

fn plot(answers: &[Answer]) -> Figure {
    let reach = answers.iter().map(|a| a.delta).fold(0.0, f64::max);
    let mut figure = Figure::new(
        "Elastic force against indentation",
        Axis::linear("δ", "µm"),
        Axis::linear("F", "N"),
    );
    for answer in answers {
        let point = |i: i32| {
            let delta = reach * f64::from(i) / 400.0;
            (1e6 * delta, answer.elastic.law.force(delta))
        };
        figure = figure.with_series(Series::line(&answer.elastic.name, (0..=400).map(point)));
    }
    figure
}
