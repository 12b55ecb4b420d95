//! All tests of this crate in one program, which is linked once.

mod shipped;

mod arrays;
mod defaults;
mod drawing;
mod edit;
mod fits;
mod format;
mod knobs;
mod laws_in_use;
mod models;
mod nothing_ignored;
mod parameters;
mod parsed_once;
mod parts;
mod problems;
mod user_laws;
mod variants;
