//! Nothing is ignored: a request that would have no effect, or that cannot come to a good end, is refused before the run.

use crate::nothing_lost::{SHORT, crank, good, place, refused, write};
use crate::program::{jointplay, shown};
use serde_json::Value;
use std::time::{Duration, Instant};
use tempfile::TempDir;

#[test]
fn property_parameters_that_nobody_takes_are_named() {
    let place = place();
    let mu = ["--set", "joints.pin.law.mu=0.1"];
    let run = |more: &[&str], words: &[&str]| {
        refused(&place, &[&["run", "model.toml"], more].concat(), words);
    };
    run(&mu, &["--set joints.pin.law.mu=0.1", "has no parameter `mu`"]);
    run(&[&mu[..], &["--law", "hertz"]].concat(), &["`hertz` has no parameter `mu`"]);
    run(&["--set", "joints.pin.law.restitution=0.5"], &["`joints.pin.restitution`"]);
    run(&["--set", "joints.pinn.kind=ideal"], &["no `joints.pinn`", "`pin`"]);
    run(
        &["--set", "run.until=1", "--until", "2"],
        &["--set run.until=1 and --until 2 set the same key"],
    );
    refused(&place, &[&["check", "model.toml"], &mu[..]].concat(), &["no parameter `mu`"]);
    refused(&place, &[&["scatter", "model.toml"], &mu[..]].concat(), &["no parameter `mu`"]);
    let scatter = ["scatter", "model.toml", "--set", "start.disturbance=1 um"];
    refused(&place, &scatter, &["--disturbance"]);
    let compare = ["compare", "model.toml", "--until", "2 ms", "--laws"];
    let friction = [&mu[..], &["--set", "joints.pin.law.slip_speed=1 mm/s"]].concat();
    let none = [&compare[..], &["hertz,flores"], &mu[..]].concat();
    refused(&place, &none, &["none of the laws takes `mu`"]);
    good(&place, &[&compare[..], &["hertz,flores+coulomb-tanh"], &friction].concat());
    assert!(!place.path().join("out/slider-crank").exists());
    let twice =
        ["impact", "--stiffness", "1e9", "--param", "stiffness=1e8", "--mass", "1", "--speed", "1"];
    refused(&place, &twice, &["`stiffness` is given twice"]);
}

/// A key beside the table or list that holds it: one of the two would be dropped.
#[test]
fn regress_keys_and_the_tables_around_them_are_not_set_together() {
    let place = place();
    let run = |more: &[&str], words: &[&str]| {
        refused(&place, &[&["run", "model.toml"], more].concat(), words);
    };
    let table = "run={until=0.2}";
    for pair in [["run.until=0.1", table], [table, "run.until=0.1"]] {
        let words = ["--set run.until=0.1", "--set run={until=0.2}", "`run.until`", "`run`"];
        run(&["--set", pair[0], "--set", pair[1]], &words);
    }
    run(
        &["--until", "0.3", "--set", "run={until=0.01}"],
        &["--set run={until=0.01} and --until 0.3", "`run.until` is inside `run`"],
    );
    let list = r#"output.channels=["slider.x"]"#;
    run(&["--set", "output.channels.0=rod.x", "--set", list], &["`output.channels.0` is inside"]);
    run(&["--channels", "rod.x", "--set", list], &["--channels", list]);
    run(
        &["--set", "joints.pin.restitution=0.3", "--set", "joints.pin={kind=\"ideal\"}"],
        &["`joints.pin.restitution` is inside `joints.pin`"],
    );
    run(&["--set", "run.\"until\"=1", "--until", "2"], &["set the same key"]);
    let start = ["scatter", "model.toml", "--set", "start={disturbance=\"1 um\"}"];
    refused(&place, &start, &["scatter sets start.disturbance itself", "--disturbance"]);
    // A law and then its parameters go together, and neighbours do too.
    let law = ["--set", "joints.pin.law=hertz", "--set", "joints.pin.law.damping=flores"];
    good(&place, &[&["run", "model.toml"], &SHORT[..], &law].concat());
    let two = ["--set", "run.rtol=1e-6", "--set", "output.interval=1 ms"];
    good(&place, &[&["run", "model.toml"], &SHORT[..], &two].concat());
}

/// What is wrong is told by the name under which it was said.
#[test]
fn regress_messages_name_what_was_said() {
    let place = place();
    write(&place, "mine/notes.txt", "mine");
    good(&place, &[&["run", "model.toml", "--out", "r"], &SHORT[..]].concat());
    let says = |args: &[&str], words: &[&str], not: &str| {
        refused(&place, args, words);
        let text = shown(&jointplay(&place, args));
        assert!(!text.contains(not), "{args:?}: `{not}` is in\n{text}");
    };
    says(&["run", "model.toml", "--rtol", "0"], &["--rtol 0: "], "--set");
    says(&["run", "model.toml", "--until", "x"], &["--until x: "], "--set");
    says(&["scatter", "model.toml", "--disturbance", "x"], &["--disturbance x: "], "--set");
    says(&["compare", "model.toml", "--laws", "foo"], &["--laws foo: "], "--law foo");
    says(&["compare", "model.toml", "--laws", "hertz,"], &["no law is named"], "``");
    says(&["compare", "model.toml", "--laws", "hertz, hertz"], &["'hertz' is given twice"], "``");
    says(&["laws", ""], &["no law is named"], "``");
    says(&["run", "model.toml", "--law", ""], &["no law is named", "jointplay laws"], "``");
    says(&["run", "model.toml", "--law", "hertz+"], &["a + without a law"], "``");
    says(&["impact", "--law", ""], &["names no law"], "``");
    says(&["fit", ""], &["no law is named"], "``");
    says(&["plot", "r", "--to", "x.pdf"], &["--to: "], "--plot");
    for command in ["info", "plot"] {
        says(&[command, "mine"], &["is not a result", "jointplay run"], "written into it");
        says(&[command, "model.toml"], &["is a file, not a result folder"], "os error");
        says(&[command, "nowhere"], &["there is no such folder"], "os error");
        says(&[command, "/dev/null"], &["is not a result folder"], "os error");
    }
    says(&["view", "/dev/null", "--no-open"], &["a device"], "os error");
}

#[test]
fn regress_plots_of_no_time_are_refused() {
    let place = place();
    good(&place, &[&["run", "model.toml", "--out", "r"], &SHORT[..]].concat());
    let plot = |more: &[&str], words: &[&str]| {
        refused(&place, &[&["plot", "r", "--to", "p.svg"], more].concat(), words);
    };
    plot(&["--from", "5", "--until", "1"], &["--from 5 --until 1", "start before it ends"]);
    plot(&["--from", "nan"], &["--from", "not a finite number"]);
    plot(&["--until", "inf"], &["--until", "not a finite number"]);
    plot(&["--from", "1 mm"], &["--from", "1 mm"]);
    plot(&["--from", "5"], &["r has no sample between", "from 0 s to 0.002 s"]);
    assert!(!place.path().join("p.svg").exists());
    good(&place, &["plot", "r", "--to", "p.svg", "--from", "0.001", "--until", "0.002"]);
}

/// What cannot come to a good end is refused before the run, which would take minutes.
#[test]
fn property_wrong_targets_and_channels_are_refused_before_the_run() {
    let place = place();
    write(&place, "file", "data");
    let start = Instant::now();
    let long = ["run", "model.toml", "--until", "10000 s"];
    let run = |more: &[&str], words: &[&str]| refused(&place, &[&long[..], more].concat(), words);
    run(&["--out", "file"], &["is a file"]);
    run(&["--out", "file/deep"], &["cannot be written"]);
    run(&["--channels", "pin.force,pin.fx,pin.force"], &["`pin.force` is listed 2 times"]);
    run(&["--channels", "pin.forse"], &["did you mean `pin.force`"]);
    let compare = ["compare", "model.toml", "--until", "10000 s", "--laws", "hertz,flores"];
    refused(&place, &[&compare[..], &["--plot", "laws.gif"]].concat(), &[".svg or .png"]);
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn property_absurd_sizes_are_answered_at_once() {
    let place = TempDir::new().expect("a folder");
    let with = |from: &str, to: &str| write(&place, "model.toml", &crank().replace(from, to));
    let answered = |words: &[&str]| {
        let start = Instant::now();
        refused(&place, &["check", "model.toml"], words);
        assert!(start.elapsed() < Duration::from_secs(10), "{words:?}: {:?}", start.elapsed());
    };
    let law = "law = \"hertz+lankarani-nikravesh\"\nrestitution = 0.46";
    with(law, &format!("law = \"formula:{}0\"", "delta+".repeat(330_000)));
    answered(&["1980001 bytes; at most 65536"]);
    with("speed = \"200 rpm\"", &format!("value = \"{}0\"", "t+".repeat(1_000_000)));
    answered(&["2000001 bytes; at most 65536"]);
    for (name, words) in [("pin.fx", "listed 400001 times"), ("pn.fx", "no channel `pn.fx`")] {
        let names = format!("channels = [{}\"{name}\", ", format!("\"{name}\",").repeat(400_000));
        with("channels = [", &names);
        answered(&[words]);
    }
    let start = Instant::now();
    for (force, words) in [
        ("5e-324", "too small to compute with"),
        ("1e308", "too large to compute with"),
        ("1e-30", "must lie between"),
    ] {
        let flag = format!("--max-force={force}");
        refused(&place, &["fit", "formula:1e9*delta^1.5", &flag], &[words]);
    }
    assert!(start.elapsed() < Duration::from_secs(10));
}

/// No more threads than runs are made, and absurd numbers of them are refused.
#[test]
fn regress_the_number_of_threads_is_limited() {
    let place = place();
    for threads in ["99999999", "1025", "-1"] {
        let flag = format!("--threads={threads}");
        refused(&place, &["scatter", "model.toml", &flag], &["--threads", "1024"]);
        refused(&place, &["compare", "model.toml", "--laws", "hertz", &flag], &["--threads"]);
    }
    let scatter = ["scatter", "model.toml", "--until", "1 ms", "--starts", "2"];
    good(&place, &[&scatter[..], &["--threads", "1024"]].concat());
}

/// What would have no effect is refused.
#[test]
fn property_requests_without_effect_are_refused() {
    let place = place();
    let ideal = ["--set", "joints.pin.kind=ideal"];
    let run = [&["run", "model.toml", "--law", "hertz+flores"], &ideal[..], &SHORT].concat();
    refused(&place, &run, &["--law hertz+flores", "uses a contact law"]);
    let compare = [&["compare", "model.toml", "--laws", "hertz,johnson"], &ideal[..]].concat();
    refused(&place, &compare, &["--laws hertz,johnson", "uses a contact law"]);
    good(&place, &[&["run", "model.toml", "--out", "r"], &SHORT[..]].concat());
    // Other channels are another result.
    let channels = ["run", "model.toml", "--channels", "pin.force", "--out", "r"];
    refused(&place, &[&channels[..], &SHORT].concat(), &["--channels pin.force", "--force"]);
    good(&place, &[&channels[..4], &SHORT].concat());
    refused(&place, &["view", "r", "--out", "s"], &["already a result"]);
    refused(&place, &["plot", "r", "--channels", "pin.force,pin.force"], &["given twice"]);
    good(&place, &["plot", "r", "--channels", "pin.force", "--from", "1ms", "--to", "f.svg"]);
    refused(&place, &["domain", "johnson,johnson"], &["'johnson' is given twice"]);
    refused(&place, &["new", "-"], &["standard input"]);
    for entry in ["00", "+1"] {
        let set = format!("output.channels.{entry}=slider.x");
        refused(&place, &["run", "model.toml", "--set", &set], &["output.channels"]);
    }
    refused(&place, &["run", "model.toml", "--until", "-1"], &["--until -1", "above 0"]);
    let list = jointplay(&place, &["papers", "--list", "--json"]);
    let list: Value = serde_json::from_slice(&list.stdout).expect("JSON");
    assert!(list.as_array().is_some_and(|papers| papers.len() == 5));
}
