//! The interactive page: one self-contained HTML file for runs, comparisons, studies and the playground.
//!
//! The page contains its data, its style, its script and the engine, [`jointplay_view::engine`] compiled to WebAssembly, and
//! needs no network. Script and style are bundled from `web/`, the engine is built from the crates; all three are committed
//! in `assets/`, and tests check that they match their sources (`docs/adr/0014`).

mod study;

use std::collections::BTreeMap;
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use jointplay_contact::catalog::{self, Family};
use jointplay_report::escaped;
use jointplay_study::study::StudyResult;
use jointplay_view::Recording;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

pub use study::study_page;

const SKELETON: &str = include_str!("../web/index.html");
const SCRIPT: &str = include_str!("../assets/page.js");
const STYLE: &str = include_str!("../assets/page.css");

/// The engine in the form in which pages contain it: a WebAssembly module, deflated (zlib).
pub const ENGINE: &[u8] = include_bytes!("../assets/engine.wasm.zlib");

/// The element that contains it.
const ENGINE_BLOCK: &str = "engine";

/// A model file that a page can run.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ModelFile<'a> {
    /// Its name, such as `slider-crank`.
    pub name: &'a str,
    /// A short description, for lists.
    pub title: &'a str,
    /// The text of the file.
    pub text: &'a str,
    /// The tables that it refers to, by name.
    pub tables: &'a BTreeMap<String, String>,
}

/// A run in a page.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// Its label: the law.
    pub label: &'a str,
    /// Whether it is the mechanism with ideal joints, shown for comparison.
    pub ideal: bool,
    /// The recorded run.
    pub recording: &'a Recording,
}

/// The kind of a page.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PageKind {
    /// One run.
    Run,
    /// One model with several laws.
    Compare,
    /// Models to choose from, which the page runs itself.
    Playground,
    /// Many runs of a model, each of which the page can run again.
    Study,
}

/// A page.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    /// Its kind.
    pub kind: PageKind,
    /// Its heading.
    pub title: &'a str,
    /// The model of its runs, or the models to choose from.
    pub models: Vec<ModelFile<'a>>,
    /// The recorded runs.
    pub runs: Vec<Shown<'a>>,
    /// The results of a study.
    pub study: Option<&'a StudyResult>,
    /// Measurement and model in one figure, as markup above the plots; empty without measured data.
    pub measured: &'a str,
}

impl Page<'_> {
    /// The page as one HTML file.
    pub fn html(&self) -> String {
        // Structs of texts always have a JSON form.
        let boot = guarded(&serde_json::to_string(&self.boot()).unwrap_or_default());
        let mut data = format!("<script type=\"application/json\" id=\"boot\">{boot}</script>\n");
        data.push_str(&block(ENGINE_BLOCK, ENGINE));
        for (i, run) in self.runs.iter().enumerate() {
            data.push_str(&block(&format!("run-{i}"), &deflated(&run.recording.packed())));
        }
        if let Some(outcome) = self.study {
            data.push_str(&block(study::BLOCK, &deflated(&study::container(outcome).packed())));
        }
        let script = SCRIPT.replace("</script", "<\\/script");
        let measured = match self.measured {
            "" => String::new(),
            markup => format!(
                "<section id=\"measured\" aria-label=\"Measured and model\">{markup}</section>"
            ),
        };
        let parts = [
            ("<!--title-->", escaped(self.title).as_str()),
            ("/*css*/", STYLE),
            ("<!--measured-->", &measured),
            ("<!--data-->", &data),
            ("/*js*/", &script),
        ]
        .map(|(mark, text)| (mark, text.to_owned()));
        let policy = format!(
            "{CHARSET}\n<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">",
            policy(&script)
        );
        let skeleton = SKELETON.replacen(CHARSET, &policy, 1);
        let mut page = String::new();
        let mut rest = skeleton.as_str();
        for (mark, text) in parts {
            // A test checks that every mark exists, in this order.
            let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
            page.push_str(before);
            page.push_str(&text);
            rest = after;
        }
        page + rest
    }

    fn boot(&self) -> Boot<'_> {
        let role = |run: &Shown<'_>| if run.ideal { Role::Ideal } else { Role::Recorded };
        let shown = self.runs.iter().map(|run| RunName { label: run.label, role: role(run) });
        Boot {
            kind: self.kind,
            title: self.title,
            program: Program { version: env!("CARGO_PKG_VERSION") },
            models: &self.models,
            runs: shown.collect(),
            catalogue: catalog::sheets().map(CatalogueEntry::of).collect(),
        }
    }
}

/// The same page without its engine, which is most of its size. It shows its runs but cannot make
/// new ones.
pub fn without_engine(html: &str) -> String {
    html.replacen(&block(ENGINE_BLOCK, ENGINE), "", 1)
}

/// The data that the script of the page reads first.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Serialize)]
struct Boot<'a> {
    kind: PageKind,
    title: &'a str,
    program: Program,
    models: &'a [ModelFile<'a>],
    /// The recorded runs; their data follow in blocks of their own.
    runs: Vec<RunName<'a>>,
    /// The laws to choose from.
    catalogue: Vec<CatalogueEntry>,
}

#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "PageProgram"))]
#[derive(Serialize)]
struct Program {
    version: &'static str,
}

#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Serialize)]
struct RunName<'a> {
    label: &'a str,
    role: Role,
}

#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "RecordedRole"))]
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    Recorded,
    /// The mechanism with ideal joints, for comparison.
    Ideal,
}

#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Serialize)]
struct CatalogueEntry {
    id: &'static str,
    title: &'static str,
    family: Family,
    summary: &'static str,
}

impl CatalogueEntry {
    fn of(sheet: &'static catalog::Sheet) -> Self {
        let catalog::Sheet { id, name, family, summary, .. } = *sheet;
        CatalogueEntry { id, title: name, family, summary }
    }
}

/// The line of the head after which the policy is inserted.
const CHARSET: &str = "<meta charset=\"utf-8\">";

/// The Content-Security-Policy: the page may run its own script and the engine, also in a worker,
/// and load nothing from elsewhere. Even if a name in a model became markup, it could neither run
/// code nor contact a server.
fn policy(script: &str) -> String {
    let hash = STANDARD.encode(Sha256::digest(script.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{hash}' 'wasm-unsafe-eval'; worker-src blob:; \
         style-src 'unsafe-inline'; img-src data: blob:; form-action 'none'; base-uri 'none'"
    )
}

/// Bytes inside an element that browsers do not interpret.
fn block(id: &str, bytes: &[u8]) -> String {
    format!("<script type=\"text/plain\" id=\"{id}\">{}</script>\n", STANDARD.encode(bytes))
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// JSON that cannot end a script element: `<` occurs only in texts.
fn guarded(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use jointplay_model::{Description, JointStatistic};
    use jointplay_study::capability::Capability;
    use jointplay_study::identify::Identified;
    use jointplay_study::optimum::Optimum;
    use jointplay_study::statistics::{Exceeded, Limit};
    use jointplay_view::types::Declarations;

    use super::Boot;
    use crate::study::StudyView;

    /// The TypeScript types of the page are those of the Rust types; `JOINTPLAY_BLESS=1` regenerates them.
    #[test]
    fn regress_types_of_the_page_are_in_step() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/web/src/generated.ts");
        let mut declarations = Declarations::of_the_engine();
        declarations.add::<Boot<'static>>();
        declarations.add::<StudyView<'static>>();
        declarations.add::<Limit>();
        declarations.add::<Exceeded>();
        declarations.add::<Capability>();
        declarations.add::<Optimum>();
        declarations.add::<Identified>();
        let numbers: Vec<Description> =
            JointStatistic::ALL.iter().map(|statistic| statistic.description()).collect();
        declarations.list("JOINT_NUMBERS", &numbers).unwrap();
        let text = declarations.module().unwrap();
        if std::env::var_os("JOINTPLAY_BLESS").is_some() {
            std::fs::write(path, &text).unwrap();
        }
        let committed = std::fs::read_to_string(path).unwrap_or_default().replace('\r', "");
        assert!(
            committed == text,
            "web/src/generated.ts is stale: JOINTPLAY_BLESS=1 writes it anew"
        );
    }
}
