//! A static page for a run: its summary, its impacts and its figures in one file.

use std::fmt::Write as _;

use jointplay_study::run::{Run, Summary};

use super::summary;
use crate::print::digits;

/// Rows of the impact table that the page shows.
const ROWS: usize = 200;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:2rem auto;padding:0 1rem;\
color:#1b1f24}h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}p.fact{margin:.2rem 0}\
p.fact b{display:inline-block;min-width:9rem;font-weight:600}p.warning{background:#fff4d6;border-left:4px solid #d9a400;padding:.5rem .8rem}\
table{margin:1rem 0;border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:.15rem .7rem;\
text-align:right;border-bottom:1px solid #e3e6ea}td:first-child,th:first-child\
{text-align:left}td,th{white-space:nowrap}figure{margin:1rem 0}svg{max-width:100%;height:auto}div.wide{overflow-x:auto}";

/// Text as it may stand between tags.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The page.
pub(crate) fn html(
    name: &str,
    description: Option<&str>,
    summary: &Summary,
    run: &Run,
    figures: &[(String, Vec<u8>)],
) -> String {
    let title = escape(name);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    if let Some(description) = description {
        let _ = writeln!(page, "<p>{}</p>", escape(description));
    }
    overview(&mut page, summary);
    for (file, svg) in figures {
        let svg = String::from_utf8_lossy(svg);
        let _ = writeln!(page, "<figure id=\"{}\">{svg}</figure>", escape(file));
    }
    if !run.contacts.episodes.is_empty() {
        page.push_str(&impacts(run));
    }
    page.push_str("</body></html>\n");
    page
}

/// Facts, joints and warnings.
fn overview(page: &mut String, summary: &Summary) {
    for (key, value) in summary::facts(summary) {
        let _ = writeln!(page, "<p class=\"fact\"><b>{key}</b> {}</p>", escape(&value));
    }
    for warning in &summary.warnings {
        let _ = writeln!(page, "<p class=\"warning\">{}</p>", escape(warning));
    }
    if !summary.contacts.is_empty() {
        let (head, rows) = summary::joints(summary);
        let cells = |tag: &str, row: &[String]| {
            let cells = row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)));
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        };
        page.push_str("<div class=\"wide\"><table>");
        page.push_str(&cells("th", &head.map(str::to_owned)));
        for row in &rows {
            page.push_str(&cells("td", row));
        }
        page.push_str("</table></div>\n");
    }
}

fn impacts(run: &Run) -> String {
    let episodes = &run.contacts.episodes;
    let mut table = String::from("<h2>Contacts</h2>\n");
    if episodes.len() > ROWS {
        let _ = writeln!(
            table,
            "<p>The first {ROWS} of {}; all are in impacts.csv.</p>",
            episodes.len()
        );
    }
    table.push_str(
        "<div class=\"wide\"><table><tr><th>joint</th><th>region</th><th>start (s)</th><th>impact speed (m/s)</th>\
         <th>force (N)</th><th>indentation (m)</th><th>duration (s)</th><th>e</th><th>lost (J)</th></tr>\n",
    );
    for episode in episodes.iter().take(ROWS) {
        let joint = &run.contacts.joints[episode.joint].name;
        let restitution = episode.restitution.map_or_else(|| "-".to_owned(), |e| digits(e, 4));
        let _ = writeln!(
            table,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{restitution}</td><td>{}</td></tr>",
            escape(joint),
            escape(&episode.region()),
            digits(episode.start, 8),
            digits(episode.impact_speed, 5),
            digits(episode.max_force, 5),
            digits(episode.max_indentation, 4),
            digits(episode.duration(), 4),
            digits(episode.loss_normal + episode.loss_friction, 4),
        );
    }
    table.push_str("</table></div>\n");
    table
}
