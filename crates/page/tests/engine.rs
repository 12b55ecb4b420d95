//! The engine that the page carries, run by an interpreter of WebAssembly, against the same code compiled natively.

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
        let request = request.to_string();
        let length = u32::try_from(request.len()).unwrap();
        let place = self.input.call(&mut self.store, length).unwrap() as usize;
        self.memory.write(&mut self.store, place, request.as_bytes()).unwrap();
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
