//! The exports of the WebAssembly module: memory in, answer out.
//!
//! The page writes a request to [`input`], calls one of [`run`], [`edit`], [`figure`] and [`analyse`], which return 0 for an answer and 1 for
//! problems, and reads [`output`].

use std::cell::RefCell;

use crate::engine;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

#[expect(unsafe_code, reason = "a function of the page; it only takes numbers")]
mod page {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        /// Tells the page the time that a run reached, and its end.
        pub(super) safe fn progress(t: f64, until: f64);
    }
}

fn answer(work: impl FnOnce(&[u8]) -> Result<Vec<u8>, Vec<u8>>) -> u32 {
    let (bytes, status) = INPUT.with_borrow(|request| match work(request) {
        Ok(bytes) => (bytes, 0),
        Err(bytes) => (bytes, 1),
    });
    OUTPUT.set(bytes);
    INPUT.set(Vec::new());
    status
}

/// Room for a request of this many bytes.
#[expect(unsafe_code, reason = "an export has its plain name")]
#[unsafe(no_mangle)]
extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Runs a model.
#[expect(unsafe_code, reason = "an export has its plain name")]
#[unsafe(no_mangle)]
extern "C" fn run() -> u32 {
    answer(|request| engine::run(request, |t, until| page::progress(t, until)))
}

/// Changes a model file.
#[expect(unsafe_code, reason = "an export has its plain name")]
#[unsafe(no_mangle)]
extern "C" fn edit() -> u32 {
    answer(engine::edit)
}

/// Draws a figure.
#[expect(unsafe_code, reason = "an export has its plain name")]
#[unsafe(no_mangle)]
extern "C" fn figure() -> u32 {
    answer(engine::figure)
}

/// Analyses series.
#[expect(unsafe_code, reason = "an export has its plain name")]
#[unsafe(no_mangle)]
extern "C" fn analyse() -> u32 {
    answer(engine::analyse)
}

/// The answer.
#[expect(unsafe_code, reason = "an export has its plain name")]
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(Vec::as_ptr)
}

/// Its length.
#[expect(unsafe_code, reason = "an export has its plain name")]
#[unsafe(no_mangle)]
extern "C" fn output_len() -> usize {
    OUTPUT.with_borrow(Vec::len)
}
