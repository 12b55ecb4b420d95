//! Cases: what identifies them, what becomes of changes, what a run keeps.

use std::ops::ControlFlow;
use std::sync::Arc;

use jointplay_mbd::{
    Body, Builder, Error, Force, GROUND, LineForce, LineModel, PartKind, Snapshot, Tension,
};
use jointplay_model::Tables;
use jointplay_study::case::{Case, Digest};
use jointplay_study::run::{Keep, Observer};
use jointplay_study::summary::Ending;

/// A ball on a floor, pushed as a table says, beside another ball.
const MODEL: &str = include_str!("../../../../testing/models/push.toml");

const PUSH: &str = "0, 0\n0.05, 1\n0.1, 1\n0.2, 0\n";

fn case(text: &str) -> Case {
    Case::of_text(text).with_tables(Tables::none().with("push.csv", PUSH))
}

fn digest(case: &Case) -> Digest {
    case.load().unwrap_or_else(|wrong| panic!("{wrong}")).digest().clone()
}

#[test]
fn property_a_digest_is_of_what_is_said_not_of_how() {
    let plain = digest(&case(MODEL));
    assert_eq!(plain.as_str().len(), 64);
    let same = [
        MODEL.replace("[world]", "# the world\n\n[world]"),
        MODEL.replace("rtol = 1e-9", "rtol = 0.000_000_001"),
        MODEL.replace("until = \"0.1 s\"\nrtol = 1e-9", "rtol = 1e-9\nuntil = '0.1 s'"),
        MODEL.replace("[run]\n", "[run]\r\n"),
        MODEL.replace("\"0.1 s\"", "\"100ms\""),
        MODEL.replace("\"0.1 s\"", "0.1"),
        MODEL.replace("\"5 mm\"", "0.005"),
        MODEL.replace("\"5 mm\"", "\"5000 um\"").replace("\"1 kg\"", "1"),
    ];
    for text in &same {
        assert_eq!(digest(&case(text)), plain, "{text}");
    }
    // A change is the same wherever it is said.
    let until = MODEL.replace("0.1 s", "0.2 s").replace("rtol = 1e-9", "rtol = 1e-8");
    let set = case(MODEL).set("run.rtol", 1e-8).set("run.until", "0.2 s");
    assert_eq!(digest(&set), digest(&case(&until)));
    // And so is one that changes nothing.
    assert_eq!(digest(&case(MODEL).set("run.rtol", 1e-9)), plain);
}

#[test]
fn property_a_digest_tells_apart_what_may_differ() {
    let mut digests = vec![
        digest(&case(MODEL)),
        digest(&case(MODEL).set("run.rtol", 2e-9)),
        digest(&case(MODEL).set("forces.floor.law.damping", "hunt-crossley")),
        digest(&case(MODEL).set("output.channels", vec!["ball.y"])),
        digest(&case(MODEL).with_tables(Tables::none().with("push.csv", PUSH.replace('5', "6")))),
    ];
    // The order of the bodies is that of the equations, and decides their last bits.
    let (ball, other) = (MODEL.find("[bodies.ball]"), MODEL.find("[bodies.other]"));
    let end = MODEL.find("[forces.floor]").expect("it is there");
    let (ball, other) = (ball.expect("it is there"), other.expect("it is there"));
    let turned = [&MODEL[..ball], &MODEL[other..end], &MODEL[ball..other], &MODEL[end..]].concat();
    digests.push(digest(&case(&turned)));
    let count = digests.len();
    digests.sort();
    digests.dedup();
    assert_eq!(digests.len(), count);
}

/// Runs that belong together see one version of a table, and its file is read once.
#[test]
fn property_a_table_is_read_once_for_all_runs_of_a_case() {
    let place = tempfile::tempdir().expect("a place");
    let table = place.path().join("push.csv");
    std::fs::write(place.path().join("model.toml"), MODEL).expect("written");
    std::fs::write(&table, PUSH).expect("written");
    let opened = Case::open(place.path()).unwrap_or_else(|wrong| panic!("{wrong}"));
    let loaded = opened.load().unwrap_or_else(|wrong| panic!("{wrong}"));
    std::fs::remove_file(&table).expect("removed");
    for case in [&opened, &opened.clone().set("start.seed", 2), &loaded.case.clone()] {
        let again = case.load().unwrap_or_else(|wrong| panic!("{wrong}"));
        assert_eq!(again.model.tables["push.csv"], PUSH);
    }
    // A case that is opened again looks again.
    let fresh = Case::open(place.path()).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(fresh.load().is_err());
}

/// The table of a law that was replaced is not part of the run, wherever the other law is said.
#[test]
fn property_a_table_that_no_law_takes_any_more_is_forgotten() {
    let law = "law = { elastic = \"hertz\", stiffness = \"1e9 N/m^1.5\", damping = \"flores\" }";
    let text = MODEL.replace(law, "law = \"table:stiff.csv\"");
    assert_ne!(text, MODEL);
    let stiff = "0, 0\n1e-6, 1\n2e-6, 2\n3e-6, 3\n";
    let tables = Tables::none().with("push.csv", PUSH).with("stiff.csv", stiff);
    let with_tables = |text: &str| Case::of_text(text).with_tables(tables.clone());
    let changed = with_tables(&text).law("formula:1e5*delta").set("run.rtol", 1e-8);
    let loaded = changed.load().unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(loaded.tables().map(|(name, _)| name).collect::<Vec<_>>(), ["push.csv"]);
    let again = with_tables(loaded.as_run()).load().unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(again.digest(), loaded.digest());
}

/// The text of a case as it was run gives the same model without changes: same digest, same bits.
#[test]
fn property_a_case_as_it_was_run_is_the_same_case() {
    let changed = case(MODEL)
        .set("run.rtol", 1e-7)
        .set("bodies.ball.mass", "2 kg")
        .set("forces.floor.law", "hertz+tsuji")
        .set("forces.floor.law.stiffness", "2e9 N/m^1.5");
    let loaded = changed.load().unwrap_or_else(|wrong| panic!("{wrong}"));
    let again = case(loaded.as_run()).load().unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(again.digest(), loaded.digest());
    let [one, two] = [&loaded, &again].map(|case| case.run(&mut ()).expect("it runs"));
    assert_eq!(one.channels, two.channels);
    assert_eq!(one.contacts(), two.contacts());
    assert!(again.changes().is_empty() && loaded.changes().len() == 4);
}

#[test]
fn property_a_run_keeps_the_channels_that_are_wanted() {
    let case = case(MODEL).load().unwrap_or_else(|wrong| panic!("{wrong}"));
    let asked = case.run(&mut ()).expect("it runs");
    let names = |run: &jointplay_study::run::Run| -> Vec<String> {
        run.channels.channels.iter().map(|c| c.name.clone()).collect()
    };
    assert_eq!(names(&asked), ["ball.y", "ball.vy"]);
    let nothing = case.run_keeping(Keep::Nothing, &mut ()).expect("it runs");
    assert!(names(&nothing).is_empty());
    let all = case.run_keeping(Keep::AllUpTo(usize::MAX), &mut ()).expect("it runs");
    assert_eq!(names(&all).len(), case.model.available_channels().len());
    let little = case.run_keeping(Keep::AllUpTo(10), &mut ()).expect("it runs");
    assert_eq!(names(&little), names(&asked));
    assert_eq!(all.asked(), asked.channels);
    for run in [&asked, &nothing, &all] {
        assert_eq!(run.values("ball.y").expect("a channel"), asked.channels.channels[0].values);
    }
    assert!(asked.values("ball.z").expect_err("none").to_string().contains("did you mean"));
}

#[test]
fn property_an_observer_sees_every_kept_instant_and_may_end_the_run() {
    struct Until(f64, Vec<f64>);
    impl Observer for Until {
        fn advanced(&mut self, t: f64) -> ControlFlow<()> {
            if t > self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
        fn wants_instants(&self) -> bool {
            true
        }
        fn instant(&mut self, at: &Snapshot<'_>) {
            self.1.push(at.t());
        }
    }
    let case = case(MODEL).load().unwrap_or_else(|wrong| panic!("{wrong}"));
    let mut watch = Until(0.05, Vec::new());
    let run = case.run(&mut watch).expect("it runs");
    assert_eq!(run.summary().outcome, Ending::Interrupted);
    assert_eq!(watch.1, run.channels.times);
    assert!(watch.1.last().is_some_and(|t| (0.05..0.09).contains(t)));
}

#[test]
fn property_ideal_joints() {
    let crank = include_str!("../../../../models/slider-crank/model.toml");
    let case = Case::of_text(crank).law("flores").load().unwrap_or_else(|wrong| panic!("{wrong}"));
    let ideal = case.ideal().expect("it has clearance").load();
    let ideal = ideal.unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(!ideal.model.has_clearance() && ideal.ideal().is_none());
    let wrong = Case::of_text(MODEL.replace("{ table = \"push.csv\" }", "1")).ideal().load();
    assert!(wrong.expect_err("there is no joint").to_string().contains("no joint has clearance"));
}

/// A force that is no number from the start leaves nothing to tell; one that ceases to be a number leaves what was before.
#[test]
fn property_a_failed_run_has_no_row_without_numbers() {
    let at = |value: &str| {
        let text =
            MODEL.replace("value = { table = \"push.csv\" }", &format!("value = \"{value}\""));
        let text = text.replace("\"ball.vy\"]", "\"ball.vy\", \"other.ax\", \"push.force\"]");
        let case = Case::of_text(text).load().unwrap_or_else(|wrong| panic!("{wrong}"));
        let run = case.run(&mut ()).expect("it starts");
        assert_eq!(run.summary().outcome, Ending::Failed, "{value}");
        assert_eq!(run.channels.channels.len(), 4, "{value}");
        for channel in &run.channels.channels {
            let name = &channel.name;
            assert_eq!(channel.values.len(), run.channels.times.len(), "{value} {name}");
            assert!(channel.values.iter().all(|value| value.is_finite()), "{value} {name}");
        }
        assert_eq!(run.values("other.vx").expect("known").len(), run.channels.times.len());
        run.channels.times
    };
    assert_eq!(at("sqrt(t - 1)"), [0.0; 0]);
    assert_eq!(at("1/t"), [0.0; 0]);
    let times = at("sqrt(0.05 - t)");
    assert!(times.len() > 10 && times.iter().all(|t| *t <= 0.05), "{times:?}");
}

/// A force written by a user.
#[derive(Debug)]
struct Pull;

impl LineModel for Pull {
    fn name(&self) -> &'static str {
        "pull"
    }

    fn tension(&self, _t: f64, _length: f64, _rate: f64) -> Tension {
        Tension::default()
    }
}

/// A digest stands for a file. Code put into the model of a file is in no digest, so the case does not run.
#[test]
fn property_a_case_with_code_of_a_user_does_not_run() {
    let mut loaded = case(MODEL).load().unwrap_or_else(|wrong| panic!("{wrong}"));
    let mut parts = Builder::new();
    let ball = parts.body("ball", Body::point(1.0));
    let line = LineForce { a: GROUND.at([0.0, 1.0]), b: ball.origin(), model: Arc::new(Pull) };
    parts.force("string", Force::Line(line));
    Arc::make_mut(&mut loaded.model).mechanism = parts.build().expect("good parts");
    let error = loaded.run(&mut ()).expect_err("it has code");
    let message = "force 'string' (law 'pull') is user-written code, which a digest cannot identify, so a case cannot contain it: run the mechanism itself";
    assert_eq!(error.to_string(), message);
    let Error::UserCode { part } = error else { panic!("{error}") };
    assert_eq!(part.kind, PartKind::Force);
}
