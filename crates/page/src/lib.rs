//! The interactive page: one self-contained HTML file for runs, comparisons and the playground.
//!
//! The page carries its data, its style, its script and the engine, [`jointplay_view::engine`] compiled to WebAssembly, and
//! needs no network. Script and style are bundled from `web/`, the engine from the crates themselves; all three are committed
//! in `assets/`, and tests see to it that they are made from the sources beside them (`docs/adr/0014`).

use std::collections::BTreeMap;
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use jointplay_contact::catalog::{self, Family};
use jointplay_view::Recording;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

const SKELETON: &str = include_str!("../web/index.html");
const SCRIPT: &str = include_str!("../assets/page.js");
const STYLE: &str = include_str!("../assets/page.css");

/// The engine as it is put into pages: a WebAssembly module, deflated (zlib).
pub const ENGINE: &[u8] = include_bytes!("../assets/engine.wasm.zlib");

/// A model file that a page can run.
#[derive(Clone, Copy, Debug)]
pub struct ModelFile<'a> {
    /// Its name, such as `slider-crank`.
    pub name: &'a str,
    /// What it is, for a list.
    pub title: &'a str,
    /// The text of the file.
    pub text: &'a str,
    /// The tables that it refers to, by name.
    pub tables: &'a BTreeMap<String, String>,
}

/// A run in a page.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// What it is called: its law.
    pub label: &'a str,
    /// Whether it is the mechanism with ideal joints, shown for comparison.
    pub ideal: bool,
    /// What it is.
    pub recording: &'a Recording,
}

/// What a page is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One run.
    Run,
    /// One model with several laws.
    Compare,
    /// Models to choose from; the page runs them itself.
    Playground,
}

/// A page.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    /// What it is for.
    pub kind: Kind,
    /// Its heading.
    pub title: &'a str,
    /// The model of its runs, or the models to choose from.
    pub models: Vec<ModelFile<'a>>,
    /// The recorded runs.
    pub runs: Vec<Shown<'a>>,
}

impl Page<'_> {
    /// The page as one HTML file.
    pub fn html(&self) -> String {
        let boot = guarded(&self.boot().to_string());
        let mut data = format!("<script type=\"application/json\" id=\"boot\">{boot}</script>\n");
        data.push_str(&block("engine", ENGINE));
        for (i, run) in self.runs.iter().enumerate() {
            data.push_str(&block(&format!("run-{i}"), &deflated(&run.recording.packed())));
        }
        let script = SCRIPT.replace("</script", "<\\/script");
        let parts = [
            ("<!--title-->", escaped(self.title).as_str()),
            ("/*css*/", STYLE),
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
            // A test sees to it that every mark is there, in this order.
            let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
            page.push_str(before);
            page.push_str(&text);
            rest = after;
        }
        page + rest
    }

    fn boot(&self) -> Value {
        let kind = match self.kind {
            Kind::Run => "run",
            Kind::Compare => "compare",
            Kind::Playground => "playground",
        };
        let models = self.models.iter();
        let models = models.map(
            |m| json!({ "name": m.name, "title": m.title, "text": m.text, "tables": m.tables }),
        );
        let runs = self.runs.iter().map(|run| {
            let role = if run.ideal { "ideal" } else { "recorded" };
            json!({ "label": run.label, "role": role })
        });
        json!({
            "kind": kind,
            "title": self.title,
            "program": { "version": env!("CARGO_PKG_VERSION") },
            "models": models.collect::<Vec<_>>(),
            "runs": runs.collect::<Vec<_>>(),
            "catalogue": catalogue(),
        })
    }
}

/// After this line of the head comes the policy.
const CHARSET: &str = "<meta charset=\"utf-8\">";

/// What a browser lets the page do: run its own script and the engine, in a worker too, and nothing from anywhere else. A name
/// in a model that were to become markup could neither run nor call home.
fn policy(script: &str) -> String {
    let hash = STANDARD.encode(Sha256::digest(script.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{hash}' 'wasm-unsafe-eval'; worker-src blob:; \
         style-src 'unsafe-inline'; img-src data: blob:; form-action 'none'; base-uri 'none'"
    )
}

/// The laws to choose from.
fn catalogue() -> Vec<Value> {
    let law = |sheet: &catalog::Sheet| {
        let family = match sheet.family {
            Family::Point => "point",
            Family::Cylinder => "cylinder",
            Family::Damping => "damping",
            Family::Plastic => "plastic",
            Family::Friction => "friction",
        };
        json!({
            "id": sheet.id,
            "title": sheet.name,
            "family": family,
            "summary": sheet.summary,
        })
    };
    catalog::sheets().map(law).collect()
}

/// Bytes in a tag that browsers leave alone.
fn block(id: &str, bytes: &[u8]) -> String {
    format!("<script type=\"text/plain\" id=\"{id}\">{}</script>\n", STANDARD.encode(bytes))
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Memory takes everything.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// JSON that ends no script: `<` only stands in texts.
fn guarded(json: &str) -> String {
    json.replace('<', "\\u003c")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
