//! The engine that the page carries, run by an interpreter of WebAssembly, against the same code compiled natively.

#[path = "../../../testing/sweep.rs"]
mod sweep;

use std::io::Read as _;
use std::path::Path;

use flate2::read::ZlibDecoder;
use jointplay_view::engine;
use serde_json::{Value, json};
use wasmi::{Caller, Engine, Extern, Linker, Memory, Module, Store, TypedFunc};

/// The module of the page.
struct Page {
    store: Store<Vec<(f64, f64)>>,
    memory: Memory,
    input: TypedFunc<u32, u32>,
    output: TypedFunc<(), u32>,
    output_len: TypedFunc<(), u32>,
    instance: wasmi::Instance,
}

impl Page {
    fn new() -> Self {
        let mut module = Vec::new();
        ZlibDecoder::new(jointplay_page::ENGINE).read_to_end(&mut module).unwrap();
        let engine = Engine::default();
        let module = Module::new(&engine, &module[..]).unwrap();
        let mut store = Store::new(&engine, Vec::new());
        let mut linker = Linker::<Vec<(f64, f64)>>::new(&engine);
        let progress = |mut caller: Caller<'_, Vec<(f64, f64)>>, t: f64, until: f64| {
            caller.data_mut().push((t, until));
        };
        linker.func_wrap("env", "progress", progress).unwrap();
        let instance = linker.instantiate_and_start(&mut store, &module).unwrap();
        let memory = instance.get_export(&store, "memory").and_then(Extern::into_memory).unwrap();
        let input = instance.get_typed_func(&store, "input").unwrap();
        let output = instance.get_typed_func(&store, "output").unwrap();
        let output_len = instance.get_typed_func(&store, "output_len").unwrap();
        Page { store, memory, input, output, output_len, instance }
    }

    fn ask(&mut self, what: &str, request: &Value) -> Result<Vec<u8>, String> {
        self.ask_bytes(what, request.to_string().as_bytes())
    }

    fn ask_bytes(&mut self, what: &str, request: &[u8]) -> Result<Vec<u8>, String> {
        let length = u32::try_from(request.len()).unwrap();
        let place = self.input.call(&mut self.store, length).unwrap() as usize;
        self.memory.write(&mut self.store, place, request).unwrap();
        let call: TypedFunc<(), u32> = self.instance.get_typed_func(&self.store, what).unwrap();
        let status = call.call(&mut self.store, ()).unwrap();
        let place = self.output.call(&mut self.store, ()).unwrap() as usize;
        let length = self.output_len.call(&mut self.store, ()).unwrap() as usize;
        let mut answer = vec![0; length];
        self.memory.read(&self.store, place, &mut answer).unwrap();
        if status == 0 { Ok(answer) } else { Err(String::from_utf8(answer).unwrap()) }
    }
}

fn model(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    std::fs::read_to_string(root.join(name).join("model.toml")).unwrap()
}

fn request(name: &str, sets: &[[&str; 2]], law: Option<&str>) -> Value {
    json!({ "name": name, "text": model(name), "sets": sets, "law": law, "ideal": false })
}

/// Structure and numbers of a plain container.
fn opened(container: &[u8]) -> (Value, Vec<f64>) {
    let length = u32::from_le_bytes(container[4..8].try_into().unwrap()) as usize;
    let json = serde_json::from_slice(&container[8..8 + length]).unwrap();
    let words = container[(8 + length).next_multiple_of(8)..].chunks_exact(8);
    (json, words.map(|word| f64::from_le_bytes(word.try_into().unwrap())).collect())
}

fn native(request: &Value) -> Vec<u8> {
    engine::run(request.to_string().as_bytes(), |_, _| {}).expect("a run")
}

/// Both containers hold the same bits; the cost alone may differ.
fn same(name: &str, page: &[u8], native: &[u8]) {
    let ((mut ours, numbers), (mut theirs, expected)) = (opened(page), opened(native));
    for json in [&mut ours, &mut theirs] {
        json["summary"]["wall_seconds"] = Value::Null;
    }
    assert_eq!(ours, theirs, "{name}");
    assert_eq!(numbers.len(), expected.len(), "{name}");
    let differs = |(a, b): (&f64, &f64)| a.to_bits() != b.to_bits();
    assert_eq!(numbers.iter().zip(&expected).position(differs), None, "{name}");
}

/// One library of elementary functions serves both: the page gives the bits of the native run.
#[test]
fn property_shipped_models_run_in_the_page_to_the_bit() {
    let mut page = Page::new();
    // The long ones are cut: an interpreter is slow.
    let models = [
        ("slider-crank", "0.05 s"),
        ("pin-slot", "60 ms"),
        ("pin-slot-revolute", "20 ms"),
        ("scotch-yoke", "0.04 s"),
        ("slider-crank-prismatic", "0.02 s"),
        ("four-bar", "0.02 s"),
        ("geneva", "0.4 s"),
        ("chain-link", "0.01 s"),
        ("pin-in-bore", "0.01 s"),
        ("two-spheres", "10 ms"),
        ("chain", "6 ms"),
    ];
    for (name, until) in models.into_iter().step_by(sweep::cases(3, 1)) {
        let request = request(name, &[["run.until", until]], None);
        let answer = page.ask("run", &request).expect(name);
        same(name, &answer, &native(&request));
        let (json, _) = opened(&answer);
        assert!(!json["impacts"].as_array().unwrap().is_empty(), "{name}");
    }
}

/// The slider-crank of the papers over its whole run: 24 impacts.
#[test]
fn published_the_page_finds_the_impacts_of_the_slider_crank() {
    let mut page = Page::new();
    let (until, impacts) = sweep::cases((0.05, 8), (0.6, 24));
    let sets = [["run.until", &until.to_string()]];
    let answer = page.ask("run", &request("slider-crank", &sets, None)).expect("a run");
    let (json, _) = opened(&answer);
    assert_eq!(json["impacts"].as_array().unwrap().len(), impacts);
    let first = json["impacts"][0]["start"].as_f64().unwrap();
    assert!((first - 4.4229600349959e-3).abs() < 1e-9, "{first}");
    let told = page.store.data();
    assert!(told.len() > 20 && told.iter().all(|(t, end)| *t <= until && *end == until));
}

#[test]
fn property_every_law_runs_in_the_page_to_the_bit() {
    let mut page = Page::new();
    let sets = [["run.until", "0.0115 s"], ["joints.pin.length", "20 mm"]];
    let (mut ran, step) = (0, sweep::cases(4, 1));
    for sheet in jointplay_contact::catalog::sheets().step_by(step) {
        let request = request("slider-crank", &sets, Some(sheet.id));
        let own = engine::run(request.to_string().as_bytes(), |_, _| {});
        match (page.ask("run", &request), own) {
            (Ok(answer), Ok(expected)) => same(sheet.id, &answer, &expected),
            (Err(answer), Err(expected)) => {
                assert_eq!(answer.as_bytes(), expected, "{}", sheet.id);
                continue;
            }
            _ => panic!("{}: the page and the program disagree", sheet.id),
        }
        ran += 1;
    }
    assert!(ran * step > 25, "{ran} laws ran");
}

#[test]
fn property_figures_of_the_page_are_those_of_the_program() {
    let mut page = Page::new();
    let mut request = json!({
        "title": "F_n of the pin", "x": { "label": "t", "unit": "s" }, "y": { "label": "F", "unit": "N" },
        "series": [{ "label": "hertz", "x": [0.0, 1.0, 2.0], "y": [1.0, null, 3.0], "color": 1 }],
        "width": 240, "height": 150, "format": "svg",
    });
    for format in ["svg", "png"] {
        request["format"] = json!(format);
        let answer = page.ask("figure", &request).expect("a figure");
        let own = engine::figure(request.to_string().as_bytes()).expect("a figure");
        assert!(answer == own, "{format}");
    }
    request["width"] = json!(1e9);
    assert!(page.ask("figure", &request).unwrap_err().contains("problems"));
}

#[test]
fn property_a_wrong_model_is_answered_with_its_problems() {
    let mut page = Page::new();
    let text = model("slider-crank").replace("mass =", "mas =");
    let request = json!({ "name": "x", "text": text });
    let problems: Value = serde_json::from_str(&page.ask("run", &request).unwrap_err()).unwrap();
    let wrong = problems["problems"].as_array().unwrap();
    let unknown = wrong.iter().find(|p| p["message"] == "unknown key").expect("the typing error");
    assert_eq!(unknown["hint"], "did you mean `mass`?");
    assert!(unknown["line"].as_u64().unwrap() > 1);
    assert!(page.ask("run", &json!({ "nonsense": 1 })).is_err());
    // and it still works
    assert!(page.ask("run", &self::request("two-spheres", &[], None)).is_ok());
}

/// The file that the page saves runs natively to what the page showed.
#[test]
fn property_a_changed_file_runs_as_the_page_showed_it() {
    let mut page = Page::new();
    let sets = [["run.until", "0.012 s"], ["joints.pin.restitution", "0.7"]];
    let request = request("slider-crank", &sets, Some("hertz+flores"));
    let shown = page.ask("run", &request).expect("a run");
    let saved = String::from_utf8(page.ask("edit", &request).expect("a file")).unwrap();
    assert!(saved.contains("flores") && saved.contains("# driven: its inertia"), "{saved}");
    let again = native(&json!({ "name": "slider-crank", "text": saved }));
    let ((shown, numbers), (again, expected)) = (opened(&shown), opened(&again));
    assert_eq!(shown["impacts"], again["impacts"]);
    assert!(numbers.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()));
}

/// A plain container.
fn container(json: &Value, numbers: &[f64]) -> Vec<u8> {
    let text = json.to_string();
    let mut bytes = b"JPV1".to_vec();
    bytes.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes
}

/// Spectra and sections of the page are those of the program: the same bits for sections, 1e-12 of the greatest line for spectra,
/// whose transform takes sines of the platform.
#[test]
fn property_spectra_and_sections_of_the_page_are_those_of_the_program() {
    let mut page = Page::new();
    let times: Vec<f64> = (0..=3000).map(|i| f64::from(i) * 1e-3).collect();
    let x: Vec<f64> = times.iter().map(|t| 3.0 * (7.3 * t).sin() + (40.0 * t).cos()).collect();
    let y: Vec<f64> = times.iter().map(|t| 2.0 * (7.3 * t).cos()).collect();
    let [t, x_at, y_at] = [0, 3001, 6002].map(|at| json!({ "at": at, "n": 3001 }));
    let numbers = [times, x, y].concat();
    let requests = [
        json!({ "kind": "spectrum", "times": t, "values": x_at, "span": [0.0, 3.0], "interval": 1e-3 }),
        json!({ "kind": "stroboscope", "times": t, "x": x_at, "y": y_at, "span": [0.0, 3.0],
                "at": { "period": 0.3, "phase": 0.25 } }),
        json!({ "kind": "crossing", "times": t, "x": x_at, "y": y_at, "span": [0.5, 3.0], "through": y_at, "level": 0.5 }),
    ];
    for request in requests {
        let bytes = container(&request, &numbers);
        let (json, ours) = opened(&page.ask_bytes("analyse", &bytes).expect("an answer"));
        let (expected, theirs) = opened(&engine::analyse(&bytes).expect("an answer"));
        assert_eq!((json, ours.len()), (expected, theirs.len()));
        assert!(ours.len() > 3, "{request}");
        let spectrum = request["kind"] == "spectrum";
        let greatest = theirs[ours.len() / 2..].iter().copied().fold(0.0, f64::max);
        let tolerance = if spectrum { 1e-12 * greatest } else { 0.0 };
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert!((ours - theirs).abs() <= tolerance, "{ours} and {theirs}");
        }
    }
    let mut cut = container(
        &json!({ "kind": "spectrum", "times": t, "values": x_at, "span": [0.0, 3.0], "interval": 1e-3 }),
        &numbers[..10],
    );
    assert!(page.ask_bytes("analyse", &cut).unwrap_err().contains("a series lies outside"));
    cut.pop();
    assert!(page.ask_bytes("analyse", &cut).unwrap_err().contains("its numbers are truncated"));
}
