//! The house itself: crate edges, cited sources, committed pages.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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

/// The cells of the table of a page whose first column has this head.
fn table(page: &str, head: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(root().join(page)).expect("the page is there");
    let cells = |line: &str| -> Vec<String> {
        let line = line.trim().trim_matches('|');
        line.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut lines = text.lines().skip_while(|line| !line.starts_with(&format!("| {head} |")));
    lines.next().expect("the table is there");
    lines.skip(1).take_while(|line| line.starts_with('|')).map(cells).collect()
}

/// What stands between backquotes.
fn code(cell: &str) -> &str {
    cell.trim_matches('`')
}

/// The crates of `docs/architecture.md` are those of the workspace, with their edges.
#[test]
fn property_crates_depend_on_what_is_listed() {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo metadata runs");
    let ours: BTreeSet<&str> = metadata.packages.iter().map(|p| p.name.as_str()).collect();
    let short = |name: &str| match name {
        // The program has the name of the product.
        "jointplay" => "cli".to_owned(),
        name => name.trim_start_matches("jointplay-").to_owned(),
    };
    let mut found = BTreeSet::new();
    for package in &metadata.packages {
        let folder = package.manifest_path.parent().and_then(|folder| folder.file_name());
        let normal = package
            .dependencies
            .iter()
            .filter(|d| d.kind == cargo_metadata::DependencyKind::Normal);
        let edges: BTreeSet<String> =
            normal.filter(|d| ours.contains(d.name.as_str())).map(|d| short(&d.name)).collect();
        found.insert((folder.unwrap_or_default().to_owned(), edges));
    }
    let listed = table("docs/architecture.md", "crate").into_iter().map(|row| {
        let name = code(&row[0]).trim_start_matches("crates/").to_owned();
        let edges = row[2].split(", ").filter(|edge| *edge != "nothing of ours");
        (name, edges.map(str::to_owned).collect::<BTreeSet<_>>())
    });
    assert_eq!(listed.collect::<BTreeSet<_>>(), found);
}

/// The stations of `docs/architecture.md` are types, where it says that they are, and the diagram shows no other.
#[test]
fn property_the_road_is_as_it_is_drawn() {
    let stations = table("docs/architecture.md", "station");
    for row in &stations {
        let (name, file) = (code(&row[0]), code(&row[1]));
        let source = std::fs::read_to_string(root().join(file)).expect(file);
        let defined = source.lines().any(|line| {
            let words = line.strip_prefix("pub struct ").unwrap_or_default();
            words.split(|c: char| !c.is_alphanumeric()).next() == Some(name)
        });
        // The handles of a mechanism have a file of their own.
        assert!(defined || source.contains(&format!("impl {name} {{")), "{name} in {file}");
    }
    let page = std::fs::read_to_string(root().join("docs/architecture.md")).expect("the page");
    let diagram = page.split("```").nth(1).expect("a diagram");
    let is_type = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
    let drawn: BTreeSet<&str> = diagram
        .lines()
        .flat_map(|line| line.split_whitespace())
        .map(|word| word.split(['[', ':', '"']).next().unwrap_or_default())
        .filter(is_type)
        .filter(|word| *word != "LR")
        .collect();
    let listed: BTreeSet<&str> = stations.iter().map(|row| code(&row[0])).collect();
    assert!(drawn.len() > 5 && drawn.is_subset(&listed), "{drawn:?}");
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
    let xtask = std::fs::read_to_string(root().join("xtask/src/test.rs")).expect("xtask");
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
    files(&root().join("crates/papers/published"), "csv", &mut tables);
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

/// The folders of the crates that are published.
fn published() -> Vec<PathBuf> {
    let crates = std::fs::read_dir(root().join("crates")).expect("a folder").flatten();
    let mut folders: Vec<PathBuf> = crates.map(|entry| entry.path()).collect();
    folders.push(root().join("models"));
    folders.retain(|folder| folder.join("Cargo.toml").exists());
    assert!(folders.len() > 10);
    folders
}

/// What a crate shows in a registry, and what it needs to be built from its package.
#[test]
fn property_every_crate_can_be_published() {
    for folder in published() {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{}", path.display()))
        };
        let manifest = read("Cargo.toml");
        for key in ["description", "readme", "keywords", "categories", "license", "repository"] {
            let given = |line: &str| line.starts_with(key);
            assert!(manifest.lines().any(given), "{} has no {key}", folder.display());
        }
        assert!(read("README.md").len() > 100, "{}", folder.display());
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let text = std::fs::read_to_string(root().join(name)).expect("committed");
            assert_eq!(read(name), text, "{}", folder.display());
        }
        for path in manifest.lines().filter(|line| line.contains("path = \"../")) {
            assert!(path.contains("version"), "{}: {path}", folder.display());
        }
    }
}

/// Libraries and build scripts contain no file from outside their crate: it would not be in the package.
#[test]
fn property_sources_include_only_files_of_their_crate() {
    let mut included = 0;
    for folder in published() {
        let mut sources = vec![folder.join("build.rs")];
        files(&folder.join("src"), "rs", &mut sources);
        sources.retain(|source| source.exists());
        let home = folder.canonicalize().expect("it is there");
        for source in sources {
            let text = std::fs::read_to_string(&source).expect("a source file");
            let marks = ["include_str!(", "include_bytes!(", "include!(", "#[path = "];
            for rest in marks.iter().flat_map(|mark| text.split(mark).skip(1)) {
                let Some(name) = rest.trim_start().strip_prefix('"') else { continue };
                let name = name.split('"').next().unwrap_or_default();
                let file = source.parent().expect("a folder").join(name);
                let file =
                    file.canonicalize().unwrap_or_else(|e| panic!("{}: {e}", file.display()));
                assert!(file.starts_with(&home), "{} includes {name}", source.display());
                included += 1;
            }
        }
    }
    assert!(included > 10, "{included}");
}

/// The programs of the README are examples of `jointplay-study`, which compiles and runs them.
#[test]
fn regress_the_programs_of_the_readme_are_compiled() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect("committed");
    let (readme, tested) = (read("README.md"), read("crates/study/README.md"));
    let programs: Vec<&str> = readme.split("```").filter(|b| b.starts_with("rust")).collect();
    assert!(programs.len() > 1);
    for program in programs {
        assert!(tested.contains(program), "crates/study/README.md does not have:\n{program}");
    }
}

/// One program has all tests of a crate: a file that it does not name would never run.
#[test]
fn property_every_file_of_tests_is_run() {
    for folder in published() {
        let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
        let manifest = read(&folder.join("Cargo.toml"));
        if !manifest.contains("autotests = false") {
            continue;
        }
        let main = read(&folder.join("tests/main.rs"));
        for entry in std::fs::read_dir(folder.join("tests")).expect("tests").flatten() {
            let path = entry.path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let source =
                path.extension().is_some_and(|e| e == "rs") || path.join("mod.rs").exists();
            if !source || stem == "main" {
                continue;
            }
            let named = main.lines().any(|line| line == format!("mod {stem};"))
                || manifest.contains(&format!("path = \"tests/{stem}.rs\""));
            assert!(named, "{} is in no test program", path.display());
        }
    }
}
