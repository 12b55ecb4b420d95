//! The catalogue: names, data sheets, and what it says when a request is wrong.

mod names;
mod requests;
mod sheets;
mod users;
