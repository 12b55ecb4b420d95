//! The keys of a study file.

use jointplay_expression::units::Dimension;
use jointplay_model::shape::{Field, Kind, Record};

use super::StudyKind;
use crate::design::Filling;
use crate::identify::Loss;
use crate::sensitivity::Measure;

/// What a study file may say.
pub(super) static STUDY: Record = Record {
    doc: "Many runs of a model, and their findings",
    fields: &[&[
        Field::required("format", Kind::Count, "version of the format, 1"),
        Field::required("kind", Kind::Choice(StudyKind::NAMES), "kind of study"),
        Field::required("model", Kind::Name, "the model file, relative to the study file"),
        Field::new("case", Kind::Name, "a case of the model, whose changes come first"),
        Field::new("law", Kind::Name, "law of every clearance joint and contact"),
        Field::new(
            "metrics",
            Kind::List(&Kind::Name),
            "numbers to record of each run; by default the metrics of the model",
        ),
        Field::new(
            "limits",
            Kind::List(&Kind::Name),
            "limits of metrics, such as \"pin.peak_force < 2 kN\" (tolerance, optimise)",
        ),
        Field::new("samples", Kind::Count, "number of samples; a sweep without it is a grid"),
        Field::new("design", Kind::Choice(Filling::NAMES), "how to choose samples"),
        Field::new("measure", Kind::Choice(Measure::NAMES), "how to measure sensitivity"),
        Field::new("seed", Kind::Whole, "chooses the random numbers; 0 by default"),
        Field::new("repeats", Kind::Count, "runs of each point, from starts that are 1 nm apart"),
        Field::new(
            "warm_start",
            Kind::Flag,
            "whether values of the last key start where the previous one ended (sweep)",
        ),
        Field::new("observe", Kind::List(&Kind::Name), "channels of a bifurcation diagram"),
        Field::new(
            "period",
            Kind::Name,
            "driver or load that sets the period, or a time (bifurcation)",
        ),
        Field::new(
            "transient",
            Kind::Whole,
            "periods that a bifurcation diagram leaves out at each value",
        ),
        Field::new("periods", Kind::Count, "periods that it shows at each value"),
        Field::new(
            "both_ways",
            Kind::Flag,
            "whether to go through the values in reverse order, too",
        ),
        Field::new(
            "restart",
            Kind::Flag,
            "whether every value of a bifurcation diagram starts as the model says",
        ),
        Field::new(
            "section",
            Kind::Name,
            "events at which the section of a bifurcation diagram is taken, instead of once in each period: impact:JOINT, up:CHANNEL=LEVEL, down:CHANNEL=LEVEL or both:CHANNEL=LEVEL",
        ),
        Field::new(
            "orders",
            Kind::Count,
            "spectra up to this multiple of the frequency of the drive (bifurcation)",
        ),
        Field::new("minimise", Kind::Name, "the metric to minimise (optimise)"),
        Field::new("maximise", Kind::Name, "the metric to maximise (optimise)"),
        Field::new(
            "budget",
            Kind::Count,
            "maximum number of runs of a search (optimise, identify)",
        ),
        Field::new(
            "data",
            Kind::Name,
            "table of measured data, relative to the study file (identify)",
        ),
        Field::new("time", Kind::Name, "column of the times of the data (identify)"),
        Field::new(
            "map",
            Kind::List(&Kind::Name),
            "columns of the data with the channels that they measure: COLUMN=CHANNEL, COLUMN without its unit (identify)",
        ),
        Field::new(
            "filter",
            Kind::List(&Kind::Name),
            "filters that the instrument applied to the signals: moving-average:COUNT, low-pass:HZ or decimate:COUNT (identify)",
        ),
        Field::new(
            "filter_data",
            Kind::Flag,
            "whether to filter the data too, because they are raw (identify)",
        ),
        Field::new(
            "laws",
            Kind::List(&Kind::Name),
            "laws that are ranked by how well they explain the data (identify)",
        ),
        Field::new(
            "loss",
            Kind::Choice(Loss::NAMES),
            "weight of residuals; squares by default (identify)",
        ),
        Field::new(
            "shift",
            Kind::Name,
            "time shift of the data relative to the model: auto, none, free or LOW:HIGH (identify)",
        ),
        Field::new(
            "shard",
            Kind::Name,
            "the part of the study to run, such as 3/16; `jointplay study merge` merges the parts",
        ),
        Field::new(
            "vary",
            Kind::List(&Kind::Record(&VARY)),
            "the varied keys, the first one slowest; for optimise and identify with their bounds, LOW:HIGH",
        ),
        Field::new("set", Kind::Changes, "changes of the model that all runs share"),
    ]],
    parameters: false,
};

/// A plain number.
const PLAIN: Kind = Kind::Quantity(&[Dimension::Number]);

static VARY: Record = Record {
    doc: "A key of the model with its values",
    fields: &[&[
        Field::required(
            "key",
            Kind::Name,
            "the key, such as joints.pin.clearance; `law` or `case` for these",
        ),
        Field::required(
            "values",
            Kind::AnyOf(&[Kind::Name, PLAIN, Kind::List(&Kind::AnyOf(&[Kind::Name, PLAIN]))]),
            "FROM:TO:COUNT, FROM:TO:COUNT:log, LOW:HIGH, a list such as a,b,c or [a, b, c], a distribution such as normal(MEAN, STD), or a fit",
        ),
    ]],
    parameters: false,
};
