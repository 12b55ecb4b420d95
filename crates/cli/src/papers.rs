//! `jointplay papers`: the papers' figures and tables, regenerated and compared.

use std::path::PathBuf;

use clap::Args;
use jointplay_papers::{Chosen, Error, Exhibit, ExhibitKind, PAPERS, Paper, find, table, write};
use serde_json::json;

use crate::{Failure, print, progress};

/// Arguments of `jointplay papers`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  jointplay papers\n  jointplay papers skrinjar2018 --figure 3")]
pub(crate) struct PapersArgs {
    /// Paper, such as skrinjar2018; all by default
    #[arg(value_name = "PAPER")]
    paper: Option<String>,
    /// Only this figure of the paper
    #[arg(long, value_name = "NUMBER", requires = "paper")]
    figure: Option<String>,
    /// Only this table of the paper
    #[arg(long, value_name = "NUMBER", requires = "paper")]
    table: Option<String>,
    /// Folder for the pages
    #[arg(long, value_name = "FOLDER", default_value = "out/papers")]
    out: PathBuf,
    /// Only list papers, figures and tables
    #[arg(long)]
    list: bool,
    /// Print the verdicts, or the list, as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &PapersArgs) -> Result<(), Failure> {
    let chosen = chosen(args)?;
    if args.list && args.json {
        let papers = chosen.iter().map(|Chosen { paper, exhibits }| {
            let exhibits = exhibits.iter().map(|e| json!({ "name": e.name(), "title": e.title }));
            let exhibits: Vec<_> = exhibits.collect();
            json!({ "paper": paper.id, "citation": paper.citation, "exhibits": exhibits })
        });
        print::json(&papers.collect());
        return Ok(());
    }
    if args.list {
        for Chosen { paper, exhibits } in &chosen {
            print::line(&format!("{}  {}", paper.id, paper.citation));
            for exhibit in exhibits {
                print::line(&format!("  {:<12} {}", exhibit.name(), exhibit.title));
            }
        }
        return Ok(());
    }
    let cancellation = progress::stopped_by_user();
    let total: usize = chosen.iter().map(|chosen| chosen.exhibits.len()).sum();
    let bar = progress::bar(total, "figures and tables");
    let written = write(&chosen, &args.out, |_, _| {
        bar.inc(1);
        !cancellation.is_cancelled()
    });
    bar.finish_and_clear();
    let written = written.map_err(|error| match error {
        Error::Interrupted => Failure::Interrupted("interrupted; nothing was written".to_owned()),
        Error::File { file, source } => Failure::Run(format!("cannot write {file}: {source}")),
        other => Failure::Run(other.to_string()),
    })?;
    if args.json {
        let words = |counts: Vec<(String, usize)>| {
            counts.into_iter().map(|(key, n)| (key, json!(n))).collect::<serde_json::Map<_, _>>()
        };
        let statements = written.statements.iter().map(|(v, n)| (v.to_string(), *n)).collect();
        let cells = written.cells.iter().map(|(v, n)| (v.to_string(), *n)).collect();
        let numbers: Vec<_> = written
            .numbers
            .iter()
            .map(|(paper, exhibit, name, value)| {
                json!({ "paper": paper, "exhibit": exhibit, "name": name, "value": value })
            })
            .collect();
        print::json(&json!({
            "pages": written.pages.iter().map(|p| p.display().to_string()).collect::<Vec<_>>(),
            "statements": words(statements),
            "printed_numbers": words(cells),
            "numbers": numbers,
        }));
    } else {
        if !written.statements.is_empty() {
            print::line(&format!("statements       {}", table::in_words(&written.statements)));
        }
        if !written.cells.is_empty() {
            print::line(&format!("printed numbers  {}", table::in_words(&written.cells)));
        }
        for page in &written.pages {
            print::line(&format!("page             {}", page.display()));
        }
    }
    Ok(())
}

/// The papers and exhibits selected by the flags.
fn chosen(args: &PapersArgs) -> Result<Vec<Chosen>, Failure> {
    let Some(id) = &args.paper else {
        let all = |paper: &'static Paper| Chosen { paper, exhibits: (paper.exhibits)() };
        return Ok(PAPERS.iter().map(all).collect());
    };
    let Some(paper) = find(id) else {
        let names: Vec<&str> = PAPERS.iter().map(|paper| paper.id).collect();
        let problem = format!("there is no paper '{id}'; there are {}", names.join(", "));
        return Err(Failure::Request(vec![problem]));
    };
    let all = (paper.exhibits)();
    let asked = [(ExhibitKind::Figure, &args.figure), (ExhibitKind::Table, &args.table)];
    let wanted = |exhibit: &Exhibit| {
        asked.iter().all(|(_, number)| number.is_none())
            || asked.iter().any(|(kind, number)| {
                exhibit.kind == *kind && number.as_ref().is_some_and(|n| exhibit.has_number(n))
            })
    };
    let mut problems = Vec::new();
    for (kind, number) in asked {
        if let Some(number) = number
            && !all.iter().any(|exhibit| exhibit.kind == kind && exhibit.has_number(number))
        {
            let (what, mut known) = match kind {
                ExhibitKind::Figure => ("figure", Vec::new()),
                ExhibitKind::Table => ("table", Vec::new()),
            };
            known.extend(all.iter().filter(|e| e.kind == kind).map(|e| e.number));
            problems.push(format!(
                "{what} {number} of {id} is not reproduced; available: {}",
                if known.is_empty() { "none".to_owned() } else { known.join(", ") }
            ));
        }
    }
    if !problems.is_empty() {
        return Err(Failure::Request(problems));
    }
    Ok(vec![Chosen { paper, exhibits: all.into_iter().filter(wanted).collect() }])
}
