//! Building and running the peer programs beside a benchmark; included by path.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the peer programs.
pub(crate) fn peers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/peers")
}

/// A folder for what the benchmark builds.
pub(crate) fn scratch() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

/// Standard output of a program, or why there is none.
pub(crate) fn output(program: &Path, arguments: &[&str]) -> Result<String, String> {
    let name = program.display();
    let done = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|error| format!("{name} is not available ({error})"))?;
    if !done.status.success() {
        return Err(format!("{name} failed: {}", String::from_utf8_lossy(&done.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

/// Compiles a peer.
pub(crate) fn compile(
    compiler: &str,
    source: &str,
    before: &[&str],
    after: &[&str],
) -> Result<PathBuf, String> {
    let binary =
        scratch()?.join(format!("{source}{}", before.concat().replace(['=', '/', ' '], "_")));
    let source = peers().join(source);
    let (binary_text, source_text) = (binary.to_string_lossy(), source.to_string_lossy());
    let mut flags: Vec<&str> = before.to_vec();
    flags.extend(["-o", binary_text.as_ref(), source_text.as_ref()]);
    flags.extend(after);
    output(Path::new(compiler), &flags)?;
    Ok(binary)
}
