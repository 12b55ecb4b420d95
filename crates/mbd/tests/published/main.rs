//! Public benchmark problems, whose digits nobody here computed.

mod andrews;
mod iftomm;
