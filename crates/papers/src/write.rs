//! Papers as folders: a page, figures, data.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use jointplay_report::Page;
use rayon::prelude::*;

use crate::table::Judgement;
use crate::{Error, Exhibit, Made, Paper, Verdict, page};

/// A paper and the exhibits to make.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The paper.
    pub paper: &'static Paper,
    /// Its exhibits.
    pub exhibits: Vec<Exhibit>,
}

/// The written pages, with the verdicts.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The page of each paper.
    pub pages: Vec<PathBuf>,
    /// Statements by verdict.
    pub statements: BTreeMap<Verdict, usize>,
    /// Cells of tables by judgement.
    pub cells: BTreeMap<Judgement, usize>,
    /// Numbers that must not drift: paper, exhibit, name, value.
    pub numbers: Vec<(String, String, String, f64)>,
}

/// Makes the chosen exhibits on all cores and writes them below `folder`. `progress` is called after each
/// exhibit with the number done and the total; it returns whether to continue.
///
/// # Errors
/// The first exhibit that cannot be made, or the file that cannot be written.
pub fn write(
    chosen: &[Chosen],
    folder: &Path,
    progress: impl Fn(usize, usize) -> bool + Sync,
) -> Result<Written, Error> {
    let jobs: Vec<(usize, Exhibit)> = chosen
        .iter()
        .enumerate()
        .flat_map(|(i, chosen)| chosen.exhibits.iter().map(move |exhibit| (i, *exhibit)))
        .collect();
    let (done, total) = (AtomicUsize::new(0), jobs.len());
    let make = |(paper, exhibit): &(usize, Exhibit)| {
        let made = (exhibit.make)()?;
        if progress(done.fetch_add(1, Ordering::Relaxed) + 1, total) {
            Ok((*paper, *exhibit, made))
        } else {
            Err(Error::Interrupted)
        }
    };
    let made: Result<Vec<_>, Error> = jobs.par_iter().with_max_len(1).map(make).collect();
    let made = made?;
    let mut written = Written::default();
    for (i, Chosen { paper, .. }) in chosen.iter().enumerate() {
        let of_paper: Vec<(Exhibit, Made)> = made
            .iter()
            .filter(|(paper, ..)| *paper == i)
            .map(|(_, exhibit, made)| (*exhibit, made.clone()))
            .collect();
        written.add(paper, &of_paper, folder)?;
    }
    if chosen.len() > 1 {
        let index = page::index(chosen.iter().map(|chosen| chosen.paper), &written);
        save(&folder.join("index.html"), index.as_bytes())?;
        written.pages.insert(0, folder.join("index.html"));
    }
    Ok(written)
}

impl Written {
    fn add(
        &mut self,
        paper: &Paper,
        exhibits: &[(Exhibit, Made)],
        folder: &Path,
    ) -> Result<(), Error> {
        let folder = folder.join(paper.id);
        let mut drawn = Vec::new();
        for (exhibit, made) in exhibits {
            let file = |ending: &str| folder.join(format!("{}.{ending}", exhibit.file_name()));
            let svg = made.figure.as_ref().map(Page::svg).transpose()?;
            if let (Some(figure), Some(svg)) = (&made.figure, &svg) {
                save(&file("svg"), svg.as_bytes())?;
                save(&file("csv"), series(figure).as_bytes())?;
            }
            if let Some(table) = &made.table {
                save(&file("csv"), cells(table).as_bytes())?;
            }
            for statement in &made.statements {
                *self.statements.entry(statement.verdict).or_insert(0) += 1;
            }
            for (judgement, count) in made.table.iter().flat_map(crate::table::Table::counts) {
                *self.cells.entry(judgement).or_insert(0) += count;
            }
            let named = |number: &crate::Number| {
                (paper.id.to_owned(), exhibit.file_name(), number.name.clone(), number.value)
            };
            self.numbers.extend(made.numbers.iter().map(named));
            drawn.push((*exhibit, made, svg));
        }
        // A page of some exhibits does not replace the page of the whole paper.
        let whole = exhibits.len() == (paper.exhibits)().len();
        let names: Vec<String> = exhibits.iter().map(|(exhibit, _)| exhibit.file_name()).collect();
        let name = if whole { "index".to_owned() } else { names.join("-") };
        let path = folder.join(name + ".html");
        save(&path, page::html(paper, &drawn).as_bytes())?;
        self.pages.push(path);
        Ok(())
    }
}

/// A field of a CSV file.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// The data of a figure: panel, series, x, y.
fn series(figure: &Page) -> String {
    let mut text = String::from("panel,series,x label,y label,x,y\n");
    for (i, panel) in figure.panels.iter().enumerate() {
        let label = |axis: &jointplay_report::Axis| {
            let unit =
                if axis.unit.is_empty() { String::new() } else { format!(" [{}]", axis.unit) };
            field(&format!("{}{unit}", axis.label))
        };
        let (x_label, y_label) = (label(&panel.x), label(&panel.y));
        let name = if panel.title.is_empty() { (i + 1).to_string() } else { panel.title.clone() };
        for series in &panel.series {
            for (x, y) in &series.points {
                let name = field(&name);
                let _ = writeln!(
                    text,
                    "{name},{},{x_label},{y_label},{x:?},{y:?}",
                    field(&series.label)
                );
            }
        }
    }
    text
}

/// The cells of a table, one in each line.
fn cells(table: &crate::table::Table) -> String {
    let mut text = String::from("row,column,printed,ours,rule,verdict\n");
    for (label, cells) in &table.rows {
        for (column, cell) in table.columns.iter().skip(1).zip(cells) {
            let number = |value: Option<f64>| value.map_or_else(String::new, |v| format!("{v:?}"));
            let _ = writeln!(
                text,
                "{},{},{},{},{},{}",
                field(label),
                field(column),
                field(&cell.printed),
                number(cell.ours),
                number(cell.rule.map(|rule| rule.value)),
                field(&cell.judgement.to_string())
            );
        }
    }
    text
}

fn save(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, bytes))
        .map_err(|source| Error::File { file: path.display().to_string(), source })
}
