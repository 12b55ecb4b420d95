//! The program `jointplay`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(jointplay_cli::main(std::env::args_os()))
}
