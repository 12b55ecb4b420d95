//! The commands of the documentation: README, guide to studies and help show nothing that does not run.

use assert_cmd::Command;

use crate::sweep;

/// The same command with less to do; all of it in soak.
#[cfg(unix)]
fn shorter(line: &str) -> String {
    let less = [
        ("--starts 50", "--starts 2"),
        ("--transient 5 ", "--transient 1 "),
        ("--transient 10", "--transient 1"),
        ("--periods 20", "--periods 4"),
        ("--samples 200", "--samples 16"),
        ("--samples 64", "--samples 16"),
        ("--samples 32", "--samples 8"),
    ];
    let less = sweep::cases(&less[..], &[]);
    less.iter().fold(line.to_owned(), |line, (long, short)| line.replace(long, short))
}

/// Runs lines of a shell, one after the other, in a folder with the shipped models; each must succeed and say something.
#[cfg(unix)]
fn run_lines(lines: &[String]) {
    let binary = assert_cmd::cargo::cargo_bin("jointplay");
    let folder = tempfile::tempdir().expect("a folder");
    for shipped in ["models", "studies"] {
        let path = format!("{}/../../{shipped}", env!("CARGO_MANIFEST_DIR"));
        std::os::unix::fs::symlink(path, folder.path().join(shipped)).expect("linked");
    }
    let path = format!(
        "{}:{}",
        binary.parent().expect("a folder").display(),
        std::env::var("PATH").unwrap_or_default()
    );
    for line in lines {
        let output = std::process::Command::new("sh")
            .args(["-c", &shorter(line)])
            .env("PATH", &path)
            .current_dir(folder.path())
            .output()
            .expect("a shell");
        let message = String::from_utf8_lossy(&output.stderr);
        let said = !output.stdout.is_empty() || !output.stderr.is_empty();
        assert!(output.status.success() && said, "{line}: {message}");
    }
}

#[cfg(unix)]
#[test]
fn regress_every_command_of_the_readme_runs() {
    let readme = include_str!("../../../README.md");
    let lines = readme.lines().filter(|line| line.starts_with("jointplay "));
    // A test of its own runs it.
    let lines = lines.filter(|line| !line.starts_with("jointplay papers  "));
    let lines: Vec<String> = lines.map(str::to_owned).collect();
    assert!(lines.len() >= 8, "{lines:?}");
    run_lines(&lines);
}

#[cfg(unix)]
#[test]
fn regress_every_command_of_the_guide_to_studies_runs() {
    let guide = include_str!("../../../docs/studies.md").replace("\\\n", " ");
    let blocks = guide.split("```sh\n").skip(1).filter_map(|block| block.split("```").next());
    let lines: Vec<String> = blocks.flat_map(str::lines).map(str::to_owned).collect();
    assert!(lines.len() >= 5, "{lines:?}");
    // Shorter runs, as many.
    let ending = |line: &String| match line.contains("--until") {
        true => line.clone(),
        false if line.contains("bifurcation") => line.clone(),
        false => format!("{line} --until 50ms"),
    };
    run_lines(&lines.iter().map(ending).collect::<Vec<_>>());
}

/// The examples at the end of `--help`, but for those that open a browser or take minutes.
#[cfg(unix)]
#[test]
fn regress_every_example_of_the_help_runs() {
    let examples = |command: &&str| -> Vec<String> {
        let help =
            Command::cargo_bin("jointplay").expect("built").args([*command, "--help"]).output();
        let help = String::from_utf8(help.expect("it runs").stdout).expect("text");
        let (_, after) = help.split_once("\nExample").expect("it has examples");
        let lines = after.replace("\\\n", " ");
        let lines = lines.lines().map(str::trim).filter(|line| line.starts_with("jointplay "));
        lines.map(str::to_owned).collect()
    };
    let short = |name: &str| {
        format!(
            "jointplay run models/slider-crank/model.toml --until 0.1s --no-page --out out/{name}"
        )
    };
    let commands = [
        "run",
        "info",
        "plot",
        "check",
        "compare",
        "scatter",
        "new",
        "law",
        "impact",
        "fit",
        "domain",
        "sweep",
        "tolerance",
        "sensitivity",
        "bifurcation",
        "optimise",
        "identify",
    ];
    let lines: Vec<String> =
        ["a", "b"].map(short).into_iter().chain(commands.iter().flat_map(examples)).collect();
    assert!(lines.len() >= 18, "{lines:?}");
    run_lines(&lines);
}
