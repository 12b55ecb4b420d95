//! The catalogue: names, data sheets, and what it says when a request is wrong.

#[path = "../sample/mod.rs"]
mod sample;

mod names;
mod requests;
mod sheets;
mod users;
