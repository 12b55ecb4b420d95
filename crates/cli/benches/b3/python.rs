//! Peers in Python: an environment of their own under the target folder, and a process that runs B3 on request.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::{field, numbers, peer};

/// A process of `b3_serve.py`, or why there is none.
pub(crate) struct Python(Result<Server, String>);

struct Server {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// What a run of a peer gave.
pub(crate) struct Answer {
    pub(crate) seconds: f64,
    pub(crate) evaluations: f64,
    pub(crate) steps: f64,
    /// t, φ, x.
    pub(crate) rows: Vec<[f64; 3]>,
}

/// The interpreter with these packages: `JOINTPLAY_PYTHON` if that is set, otherwise one made here by `python3`.
fn interpreter(packages: &[&str]) -> Result<PathBuf, String> {
    if let Some(python) = std::env::var_os("JOINTPLAY_PYTHON") {
        return Ok(python.into());
    }
    let folder = peer::scratch()?.join("python");
    let python = folder.join("bin/python");
    if !python.exists() {
        eprintln!("making a Python environment in {}", folder.display());
        peer::output(Path::new("python3"), &["-m", "venv", &folder.to_string_lossy()])?;
    }
    for package in packages {
        if peer::output(&python, &["-c", &format!("import {package}")]).is_err() {
            eprintln!("installing {package}");
            let wanted =
                ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package];
            peer::output(&python, &wanted)
                .map_err(|why| format!("{package} cannot be installed: {}", last(&why)))?;
        }
    }
    Ok(python)
}

/// The last line of a message.
fn last(text: &str) -> &str {
    text.trim().lines().last().unwrap_or_default()
}

impl Python {
    /// Starts `scipy` or `exudyn`.
    pub(crate) fn start(program: &str) -> Self {
        let packages: &[&str] = match program {
            "scipy" => &["numpy", "scipy", "numba"],
            _ => &["numpy", "scipy", "exudyn"],
        };
        Python(interpreter(packages).and_then(|python| Server::start(&python, program)))
    }

    /// Runs one case: method, tolerance, end, samples, clearance, restitution.
    pub(crate) fn run(&mut self, case: &str) -> Result<Answer, String> {
        self.0.as_mut().map_err(|why| why.clone())?.run(case)
    }
}

impl Server {
    fn start(python: &Path, program: &str) -> Result<Self, String> {
        let mut child = Command::new(python)
            .arg("-W")
            .arg("ignore")
            .arg(peer::peers().join("b3_serve.py"))
            .arg(program)
            .env("OPENBLAS_NUM_THREADS", "1")
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .current_dir(peer::scratch()?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{} is not available ({error})", python.display()))?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipe to Python".into());
        };
        let mut server = Server { child, requests, answers: BufReader::new(answers) };
        server.find("ready").map_err(|_| {
            format!(
                "{program} does not start; `{} -c 'import {program}'` tells why",
                python.display()
            )
        })?;
        Ok(server)
    }

    fn line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        match self.answers.read_line(&mut line) {
            Ok(0) => Err("Python ended".into()),
            Ok(_) => Ok(line.trim().to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// The next line that begins with this word; others are chatter of a package.
    fn find(&mut self, word: &str) -> Result<String, String> {
        loop {
            let line = self.line()?;
            if line.starts_with(word) || line.starts_with("failed") {
                return Ok(line);
            }
        }
    }

    fn run(&mut self, case: &str) -> Result<Answer, String> {
        writeln!(self.requests, "{case}").map_err(|error| error.to_string())?;
        let head = self.find("run ")?;
        let number = |key: &str| field(&head, key).ok_or_else(|| head.clone());
        let (milliseconds, evaluations, steps) =
            (number("cpu_ms")?, number("nrhs")?, number("steps")?);
        let mut rows = Vec::new();
        while let Some(row) = numbers(&self.line()?) {
            rows.push(row);
        }
        Ok(Answer { seconds: 1e-3 * milliseconds, evaluations, steps, rows })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
