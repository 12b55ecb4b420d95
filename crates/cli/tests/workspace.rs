//! The house itself: crate edges, cited sources, committed pages.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Who may depend on whom; the table of CONTRIBUTING.md.
const EDGES: &[(&str, &[&str])] = &[
    ("jointplay-fingerprint", &[]),
    ("jointplay-files", &[]),
    ("jointplay-contact", &[]),
    ("jointplay-ode", &[]),
    ("jointplay-mbd", &["jointplay-contact", "jointplay-ode"]),
    (
        "jointplay-study",
        &[
            "jointplay-files",
            "jointplay-contact",
            "jointplay-ode",
            "jointplay-mbd",
            "jointplay-model",
        ],
    ),
    ("jointplay-model", &["jointplay-files", "jointplay-contact", "jointplay-mbd"]),
    ("jointplay-report", &["jointplay-files"]),
    (
        "jointplay-view",
        &[
            "jointplay-contact",
            "jointplay-mbd",
            "jointplay-model",
            "jointplay-report",
            "jointplay-study",
        ],
    ),
    ("jointplay-page", &["jointplay-contact", "jointplay-view"]),
    (
        "jointplay-papers",
        &[
            "jointplay-contact",
            "jointplay-mbd",
            "jointplay-model",
            "jointplay-report",
            "jointplay-study",
        ],
    ),
    (
        "jointplay",
        &[
            "jointplay-files",
            "jointplay-contact",
            "jointplay-ode",
            "jointplay-mbd",
            "jointplay-model",
            "jointplay-study",
            "jointplay-report",
            "jointplay-view",
            "jointplay-page",
            "jointplay-papers",
        ],
    ),
    ("xtask", &["jointplay-contact", "jointplay-view"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
}

fn rust_files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(&root().join("crates"), "rs", &mut found);
    files(&root().join("xtask"), "rs", &mut found);
    found
}

#[test]
fn property_crates_depend_only_on_what_is_listed() {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo metadata runs");
    let ours: BTreeSet<&str> = metadata.packages.iter().map(|p| p.name.as_str()).collect();
    for package in &metadata.packages {
        let allowed = EDGES.iter().find(|(name, _)| *name == package.name.as_str());
        let (_, allowed) =
            allowed.unwrap_or_else(|| panic!("{} is not in the table", package.name));
        let normal = package
            .dependencies
            .iter()
            .filter(|d| d.kind == cargo_metadata::DependencyKind::Normal);
        for dependency in normal.filter(|d| ours.contains(d.name.as_str())) {
            assert!(
                allowed.contains(&dependency.name.as_str()),
                "{} -> {}",
                package.name,
                dependency.name
            );
        }
    }
}

/// Words such as `Skrinjar2018` in comments and data sheets.
fn cited_keys(text: &str) -> BTreeSet<String> {
    let is_key = |word: &&str| {
        let (name, year) = word.split_at(word.len().saturating_sub(4));
        name.len() >= 3
            && name.chars().next().is_some_and(char::is_uppercase)
            && name.chars().all(char::is_alphabetic)
            && (year.starts_with("19")
                || year.starts_with("20")
                || year.starts_with("18")
                || year.starts_with("17"))
            && year.chars().all(|c| c.is_ascii_digit())
    };
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|w| w.is_ascii() && w.len() > 6).filter(is_key).map(str::to_owned).collect()
}

#[test]
fn property_cited_sources_are_in_the_bibliography() {
    let bibliography =
        std::fs::read_to_string(root().join("docs/references.bib")).expect("the bibliography");
    let known: BTreeSet<String> = bibliography
        .lines()
        .filter_map(|line| {
            Some(line.strip_prefix('@')?.split_once('{')?.1.trim_end_matches(',').to_owned())
        })
        .collect();
    for path in rust_files() {
        let text = std::fs::read_to_string(&path).expect("a source file");
        for key in cited_keys(&text) {
            assert!(
                known.contains(&key),
                "{key} in {} is not in docs/references.bib",
                path.display()
            );
        }
    }
}

#[test]
fn regress_the_main_job_of_the_readme_is_the_one_that_is_tested() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let xtask = std::fs::read_to_string(root().join("xtask/src/main.rs")).expect("xtask");
    let command = readme.lines().find(|line| line.starts_with("cargo run ")).expect("the main job");
    let job = xtask
        .split_once("const MAIN_JOB: &[&str] =")
        .and_then(|(_, rest)| rest.split_once("];"))
        .expect("the list")
        .0;
    let words: Vec<&str> = job.split('"').skip(1).step_by(2).collect();
    assert_eq!(command.split_whitespace().skip(1).collect::<Vec<_>>(), words);
}

#[test]
fn property_every_golden_case_states_its_provenance() {
    let mut tables = Vec::new();
    files(&root().join("golden"), "csv", &mut tables);
    assert!(tables.len() > 10);
    for table in tables {
        let provenance = table.parent().map(|folder| folder.join("provenance.toml"));
        assert!(
            provenance.is_some_and(|p| p.exists()),
            "{} has no provenance.toml",
            table.display()
        );
    }
}

#[test]
fn property_links_of_the_pages_lead_somewhere() {
    let mut pages = vec![];
    files(&root().join("docs"), "md", &mut pages);
    pages.extend(
        ["README.md", "CONTRIBUTING.md", "NOTATION.md", "CHANGELOG.md"].map(|p| root().join(p)),
    );
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page");
        for target in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split_once(')'))
            .map(|(target, _)| target)
        {
            let path = target.split('#').next().unwrap_or_default();
            if path.is_empty() || path.starts_with("http") {
                continue;
            }
            let folder = page.parent().unwrap_or(Path::new("."));
            assert!(folder.join(path).exists(), "{} links to {target}", page.display());
        }
    }
}

/// The lists of reference data name what is there.
#[test]
fn property_every_folder_of_golden_data_is_listed() {
    let golden = root().join("golden");
    let read = |path: &str| std::fs::read_to_string(golden.join(path)).expect("committed");
    let (all, mechanisms) = (read("README.md"), read("mechanisms-tools/README.md"));
    let mut count = 0;
    for entry in std::fs::read_dir(&golden).expect("committed").flatten() {
        let name = entry.file_name().into_string().expect("an ASCII name");
        if !entry.path().is_dir() {
            continue;
        }
        count += 1;
        let listed = match name.strip_prefix("mechanisms-") {
            Some(case) if case != "tools" => mechanisms.contains(&format!("`{case}`")),
            _ => all.contains(&format!("`{name}`")),
        };
        assert!(listed, "golden/{name} is in no list");
    }
    assert!(count > 20, "{count}");
}
