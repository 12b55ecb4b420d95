//! Pages: one for each paper, and an index of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use jointplay_report::escaped;
use pulldown_cmark::{Options, Parser, html as markdown};

use crate::table::{Cell, Judgement, Table, in_words};
use crate::{Exhibit, Made, Paper, Verdict, Written};

const STYLE: &str = include_str!("page.css");

/// The errata of all papers, which this page quotes.
const ERRATA: &str = include_str!("../errata.md");

/// Text with the marks of the figures: `_` after a single letter lowers what follows, `^` raises it.
fn marked(text: &str) -> String {
    let text = escaped(text);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(place) = rest.find(['_', '^']) {
        let (before, mark) = rest.split_at(place);
        out.push_str(before);
        let after = mark.get(1..).unwrap_or_default();
        let tag = if mark.starts_with('_') { "sub" } else { "sup" };
        let mut back = out.chars().rev();
        let single = back.next().is_some_and(char::is_alphabetic)
            && !back.next().is_some_and(|c| c != 'Δ' && (c.is_alphabetic() || c == '_'));
        let braced = after.strip_prefix('{').and_then(|group| group.split_once('}'));
        let bare = || {
            let run = |c: char| {
                c.is_alphabetic() || c.is_ascii_digit() || (tag == "sup" && matches!(c, '.' | '−'))
            };
            let end = after.find(|c| !run(c)).unwrap_or(after.len());
            let group = after.get(..end).unwrap_or_default().trim_end_matches('.');
            (group, group.len())
        };
        let inside = braced.map_or_else(bare, |(group, _)| (group, group.len() + 2));
        if inside.0.is_empty() || (tag == "sub" && !single) {
            out.push_str(mark.get(..1).unwrap_or_default());
            rest = after;
        } else {
            let _ = write!(out, "<{tag}>{}</{tag}>", inside.0);
            rest = after.get(inside.1..).unwrap_or_default();
        }
    }
    out.push_str(rest);
    out
}

/// The same with a true minus before numbers.
fn with_minus(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        let sign = letter == '-'
            && matches!(before, ' ' | '(')
            && letters.peek().is_some_and(char::is_ascii_digit);
        out.push(if sign { '−' } else { letter });
        before = letter;
    }
    out
}

/// Pages of papers have no script, and load nothing from elsewhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action 'none'; base-uri 'none'";

fn head(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><style>{STYLE}</style></head><body><main>\n",
        title = escaped(title)
    )
}

/// The page of a paper.
pub(crate) fn html(paper: &Paper, exhibits: &[(Exhibit, &Made, Option<String>)]) -> String {
    let mut page = head(paper.citation);
    let mut statements: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut cells: BTreeMap<Judgement, usize> = BTreeMap::new();
    for (_, made, _) in exhibits {
        for statement in &made.statements {
            *statements.entry(statement.verdict).or_insert(0) += 1;
        }
        for (judgement, count) in made.table.iter().flat_map(Table::counts) {
            *cells.entry(judgement).or_insert(0) += count;
        }
    }
    let _ = write!(
        page,
        "<h1>{}</h1>\n<p>{}</p>\n{}<nav>",
        escaped(paper.citation),
        escaped(paper.about),
        counts(&statements, &cells)
    );
    for (exhibit, ..) in exhibits {
        let (link, name) = (exhibit.file_name(), exhibit.name());
        let _ = write!(page, "<a href=\"#{link}\">{name}</a> ");
    }
    page.push_str("<a href=\"#errata\">errata</a></nav>\n");
    for (exhibit, made, svg) in exhibits {
        section(&mut page, exhibit, made, svg.as_deref());
    }
    page.push_str("<section id=\"errata\"><h2>Errata of this paper</h2>\n");
    let statements = exhibits.iter().flat_map(|(_, made, _)| &made.statements);
    let stated = statements.filter_map(|statement| match statement.verdict {
        Verdict::Erratum(number) => Some(number),
        Verdict::Confirmed | Verdict::NotReproducible | Verdict::Unexplained => None,
    });
    let cells = exhibits.iter().flat_map(|(_, made, _)| made.table.iter().flat_map(Table::cells));
    let judged = cells.flat_map(|cell| match cell.judgement {
        Judgement::Erratum(numbers) => numbers,
        Judgement::Reproduced | Judgement::Cut | Judgement::Unexplained | Judgement::Given => &[],
    });
    let cited: BTreeSet<u8> = stated.chain(judged.copied()).collect();
    page.push_str(&errata(paper.letter, &cited));
    page.push_str("</section></main></body></html>\n");
    page
}

/// The number of each verdict.
fn counts(statements: &BTreeMap<Verdict, usize>, cells: &BTreeMap<Judgement, usize>) -> String {
    let mut text = String::new();
    if !statements.is_empty() {
        let _ = writeln!(text, "<p><b>Statements</b> {}</p>", in_words(statements));
    }
    if !cells.is_empty() {
        let _ = writeln!(text, "<p><b>Printed numbers</b> {}</p>", in_words(cells));
    }
    text
}

fn section(page: &mut String, exhibit: &Exhibit, made: &Made, svg: Option<&str>) {
    let (link, name) = (exhibit.file_name(), exhibit.name());
    let mut letters = name.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase()).into_iter();
    let name: String = first.chain(letters).collect();
    let _ = writeln!(page, "<section id=\"{link}\"><h2>{name}. {}</h2>", escaped(exhibit.title));
    for remark in &made.remarks {
        let _ = writeln!(page, "<p>{}</p>", marked(remark));
    }
    if let Some(svg) = svg {
        let title = escaped(exhibit.title);
        let _ = writeln!(
            page,
            "<figure role=\"img\" aria-label=\"{title}\">{svg}<figcaption><a href=\"{link}.svg\">SVG</a> \
             <a href=\"{link}.csv\">data (CSV)</a></figcaption></figure>"
        );
    }
    if let Some(table) = &made.table {
        grid(page, table);
        let _ = writeln!(page, "<p><a href=\"{link}.csv\">data (CSV)</a></p>");
    }
    if !made.statements.is_empty() {
        page.push_str("<table class=\"statements\"><tr><th>The paper says</th><th>verdict</th><th>we find</th></tr>\n");
        for statement in &made.statements {
            let class = match statement.verdict {
                Verdict::Confirmed => "good",
                Verdict::Erratum(_) => "erratum",
                Verdict::NotReproducible | Verdict::Unexplained => "bad",
            };
            let verdict = match statement.verdict {
                Verdict::Erratum(n) => format!("<a href=\"#erratum-{n}\">erratum {n}</a>"),
                other => other.to_string(),
            };
            let _ = writeln!(
                page,
                "<tr><td>{}</td><td class=\"{class}\">{verdict}</td><td>{}</td></tr>",
                marked(statement.said),
                marked(&with_minus(&statement.evidence))
            );
        }
        page.push_str("</table>\n");
    }
    page.push_str("</section>\n");
}

/// A published table with ours in each cell.
fn grid(page: &mut String, table: &Table) {
    page.push_str("<div class=\"wide\"><table class=\"grid\"><tr>");
    for column in &table.columns {
        let _ = write!(page, "<th>{}</th>", marked(column));
    }
    page.push_str("</tr>\n");
    for (label, cells) in &table.rows {
        let _ = write!(page, "<tr><th>{}</th>", marked(label));
        for cell in cells {
            page.push_str(&table_cell(cell));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></div>\n");
    if table.cells().any(|cell| cell.judgement != Judgement::Given) {
        page.push_str(
            "<p class=\"legend\"><span class=\"good\">printed number reproduced</span> \
             <span class=\"erratum\">erratum predicts the printed value</span> <span class=\"bad\">unexplained</span>; \
             first line: printed value; then our value, the difference, and → the value that the erratum predicts</p>\n",
        );
    }
}

fn table_cell(cell: &Cell) -> String {
    let class = match cell.judgement {
        Judgement::Reproduced | Judgement::Cut => "good",
        Judgement::Erratum(_) => "erratum",
        Judgement::Unexplained => "bad",
        Judgement::Given => "given",
    };
    let mut title = cell.judgement.to_string();
    if let Some(rule) = cell.rule {
        let _ = write!(title, "; the erratum predicts {}", cell.shown(rule.value));
    }
    // The printed value, ours with the difference, and, if the two differ, the value that an
    // erratum predicts.
    let mut lines = Vec::new();
    if !cell.printed.is_empty() {
        lines.push(marked(&cell.printed));
    }
    if let Some(ours) = cell.ours {
        let difference = cell.difference().filter(|d| d.abs() >= 5e-5);
        lines.push(format!("<small>{}</small>", cell.shown(ours)));
        if let Some(d) = difference {
            lines.push(format!("<small>{}</small>", with_minus(&format!("{:+.2} %", 100.0 * d))));
        }
    }
    let own = matches!(cell.judgement, Judgement::Reproduced | Judgement::Cut);
    if let Some(rule) = cell.rule.filter(|_| !own) {
        lines.push(format!("<small>→ {}</small>", cell.shown(rule.value)));
    }
    if lines.is_empty() {
        lines.push("–".to_owned());
    }
    format!("<td class=\"{class}\" title=\"{}\">{}</td>", escaped(&title), lines.join("<br>"))
}

/// The errata of the paper with this letter, and those that its page cites.
fn errata(letter: char, cited: &BTreeSet<u8>) -> String {
    let mut out = String::new();
    for entry in ERRATA.split("\n## ").skip(1) {
        let words: Vec<&str> = entry.split(|c: char| !c.is_alphanumeric()).collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        // The letter of the paper before a place in it, such as S table 2.
        let place = ["eq", "table", "tables", "figure", "figures", "section", "after"];
        let speaks =
            words.windows(2).any(|pair| pair[0].chars().eq([letter]) && place.contains(&pair[1]));
        let number = entry.split('.').next().unwrap_or_default();
        if !speaks && !number.parse().is_ok_and(|number| cited.contains(&number)) {
            continue;
        }
        let text = entry.split("\nTest:").next().unwrap_or_default();
        let _ = write!(out, "<article id=\"erratum-{number}\">");
        let text = format!("### {text}");
        markdown::push_html(&mut out, Parser::new_ext(&text, Options::ENABLE_TABLES));
        out.push_str("</article>\n");
    }
    out
}

/// The index of all pages.
pub(crate) fn index<'p>(papers: impl Iterator<Item = &'p Paper>, written: &Written) -> String {
    let mut page = head("The papers, reproduced and assessed");
    page.push_str("<h1>The papers, reproduced and assessed</h1>\n");
    page.push_str(&counts(&written.statements, &written.cells));
    page.push_str("<ul>\n");
    for paper in papers {
        let _ = writeln!(
            page,
            "<li><a href=\"{}/index.html\">{}</a><br>{}</li>",
            paper.id,
            escaped(paper.citation),
            escaped(paper.about)
        );
    }
    page.push_str("</ul></main></body></html>\n");
    page
}

#[cfg(test)]
mod tests {
    use super::marked;

    #[test]
    fn exact_marks_lower_and_raise_only_after_symbols() {
        for (text, html) in [
            ("c_r = 0.5", "c<sub>r</sub> = 0.5"),
            ("1 − c_r², ½m_eff", "1 − c<sub>r</sub>², ½m<sub>eff</sub>"),
            ("√(K m_eff)", "√(K m<sub>eff</sub>)"),
            ("ΔR_ext", "ΔR<sub>ext</sub>"),
            ("Kδ^1.5 + x", "Kδ<sup>1.5</sup> + x"),
            ("N/m^1.5.", "N/m<sup>1.5</sup>."),
            ("δ^{1/4}δ̇", "δ<sup>1/4</sup>δ̇"),
            ("rod_slider a < b", "rod_slider a &lt; b"),
            ("e^(−C) ^", "e^(−C) ^"),
        ] {
            assert_eq!(marked(text), html);
        }
    }
}
