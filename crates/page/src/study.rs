//! The page of a study: its findings and tables, and the model with which the page runs any of its points.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use jointplay_model::Tables;
use jointplay_study::case::Case;
use jointplay_study::frame::{Column, Frame};
use jointplay_study::study::{Findings, StudyResult};
use jointplay_view::{Numbers, Recording, Ref};
use serde::Serialize;

use crate::{ModelFile, Page, PageKind};

/// The id of the element that contains the study.
pub(crate) const BLOCK: &str = "study-data";

/// The contents of a study page.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Serialize)]
pub(crate) struct StudyView<'a> {
    findings: &'a Findings,
    /// The runs, or the points of a bifurcation diagram.
    table: TableView<'a>,
    /// The section of a bifurcation diagram.
    section: Option<TableView<'a>>,
    /// Its spectra.
    spectra: Option<TableView<'a>>,
    /// Means and scatter of a sweep with repeats.
    points: Option<TableView<'a>>,
    /// Measured data and model.
    overlay: Option<TableView<'a>>,
    /// Whether each run starts where the previous one ended.
    continued: bool,
    /// If so, the state in which each row of the table started, as a file of the model; empty if
    /// there are too many.
    starts: Vec<Option<String>>,
}

#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Serialize)]
struct TableView<'a> {
    rows: usize,
    columns: Vec<ColumnView<'a>>,
}

#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Serialize)]
struct ColumnView<'a> {
    name: &'a str,
    /// The different texts of a column of texts, whose values are their places in this list.
    words: Option<Vec<&'a str>>,
    /// NaN for an empty cell.
    values: Ref,
}

impl<'a> TableView<'a> {
    fn of(frame: &'a Frame, numbers: &mut Numbers) -> Self {
        let column = |(name, column): (&'a str, &'a Column)| match column {
            Column::Numbers(values) => {
                ColumnView { name, words: None, values: numbers.add(values) }
            }
            Column::Texts(texts) => {
                let (words, places) = coded(texts);
                ColumnView { name, words: Some(words), values: numbers.add(&places) }
            }
        };
        TableView { rows: frame.len(), columns: frame.columns().map(column).collect() }
    }
}

/// The different texts in the order in which they first occur, and the place of each text among them.
fn coded(texts: &[Arc<str>]) -> (Vec<&str>, Vec<f64>) {
    let (mut words, mut known) = (Vec::new(), HashMap::new());
    let mut places = Vec::with_capacity(texts.len());
    for text in texts {
        let next = known.len();
        let place = *known.entry(text.as_ref()).or_insert_with(|| {
            words.push(text.as_ref());
            next
        });
        places.push(place as f64);
    }
    (words, places)
}

/// Findings and tables in one container.
pub(crate) fn container(outcome: &StudyResult) -> Recording {
    let mut numbers = Numbers::default();
    let table = TableView::of(&outcome.table, &mut numbers);
    let section = outcome.section.as_ref().map(|frame| TableView::of(frame, &mut numbers));
    let spectra = outcome.spectra.as_ref().map(|frame| TableView::of(frame, &mut numbers));
    let points = outcome.points.as_ref().map(|frame| TableView::of(frame, &mut numbers));
    let overlay = outcome.overlay.as_ref().map(|frame| TableView::of(frame, &mut numbers));
    let StudyResult { findings, continued, .. } = outcome;
    let starts = outcome
        .starts
        .iter()
        .map(|start| Some(serde_json::to_string(start.as_ref()?).unwrap_or_default()));
    let starts = starts.collect();
    let continued = *continued;
    let view = StudyView { findings, table, section, spectra, points, overlay, continued, starts };
    // Texts, numbers and lists of them always have a JSON form.
    Recording::new(serde_json::to_string(&view).unwrap_or_default(), numbers)
}

/// The page of a study as one HTML file.
pub fn study_page(outcome: &StudyResult) -> String {
    let StudyResult { findings, model, tables, .. } = outcome;
    let file = |title: &str, text: &str| (title.to_owned(), text.to_owned());
    let mut models = vec![file(&findings.model, model)];
    models.extend(cases(outcome));
    let title = format!("{}: {}", findings.model, findings.kind.name());
    let page = Page {
        kind: PageKind::Study,
        title: &title,
        models: models
            .iter()
            .map(|(title, text)| ModelFile { name: &findings.model, title, text, tables })
            .collect(),
        runs: Vec::new(),
        study: Some(outcome),
        measured: "",
    };
    page.html()
}

/// The model with the changes of each varied case of the file, by the name of the case.
fn cases(outcome: &StudyResult) -> Vec<(String, String)> {
    let names = outcome.table.columns().find_map(|(name, column)| match column {
        Column::Texts(texts) if name == "case" => Some(coded(texts).0),
        _ => None,
    });
    let tables: &BTreeMap<String, String> = &outcome.tables;
    let written = |name: &str| {
        let tables: Tables = tables.clone().into_iter().collect();
        Case::of_text(outcome.model.as_str()).with_tables(tables).case(name).written().ok()
    };
    let of = |name: &str| Some((name.to_owned(), written(name)?));
    names.into_iter().flatten().filter_map(of).collect()
}
