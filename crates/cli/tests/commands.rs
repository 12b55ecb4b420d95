//! The commands as a user runs them: what they print, and how they refuse.

use assert_cmd::Command;
use serde_json::Value;

/// Runs `jointplay` with words separated by spaces.
fn jointplay(line: &str) -> Command {
    let mut command = Command::cargo_bin("jointplay").expect("the binary is built");
    command.args(line.split_whitespace());
    command
}

fn json(line: &str) -> Value {
    let output = jointplay(line).arg("--json").assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).expect("standard output is JSON and nothing else")
}

fn text(line: &str) -> String {
    String::from_utf8(jointplay(line).assert().success().get_output().stdout.clone())
        .expect("UTF-8")
}

/// Standard error of a request that is refused with exit code 2 and an empty standard output.
fn refusal(line: &str) -> String {
    let assert = jointplay(line).assert().code(2);
    let output = assert.get_output();
    assert!(output.stdout.is_empty(), "nothing half-written");
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("`{key}` is a number in {value}"))
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a / b - 1.0).abs() <= tolerance
}

const JOURNAL: &str = "--bearing-radius 10mm --journal-radius 9.5mm --length 15mm --material steel";
const SPHERES: &str = "--elastic hertz --stiffness 5.2e9 --mass 9.2 --mass 9.2 --speed 0.3";

#[test]
fn property_every_law_is_listed_and_has_a_sheet() {
    let list = text("laws");
    let all = json("laws");
    let sheets = all.as_array().expect("a list");
    assert_eq!(sheets.len(), 59);
    for sheet in sheets {
        let id = sheet["id"].as_str().expect("an id");
        assert!(list.lines().any(|line| line.trim_start().starts_with(id)), "{id} is not listed");
        assert!(text(&format!("laws {id}")).contains("Domain"), "{id}");
    }
    assert!(text("laws johnson").contains("Skrinjar2018"));
}

/// √(E/ρ) = 5000 m/s, of which the sheets of these laws give the hundred-thousandth part: the one ends there, the other begins.
#[test]
fn published_speed_limits_come_from_the_data_sheets() {
    let bodies = "--elastic hertz --bearing-radius 10mm --journal-radius 9.5mm --young 200GPa --poisson 0.3 --density 8000";
    let speed_warnings = |law: &str, speed: &str| -> Vec<String> {
        let line =
            format!("impact {bodies} --mass 1 --speed {speed} --damping {law} --restitution 0.9");
        let value = json(&line);
        let all = value["warnings"].as_array().expect("a list").iter().filter_map(Value::as_str);
        all.filter(|warning| warning.contains("published limit")).map(str::to_owned).collect()
    };
    let [above] = &speed_warnings("lankarani-nikravesh", "0.051")[..] else { panic!("no warning") };
    assert!(above.contains("above the published limit 1e-5·√(E/ρ) = 0.05"), "{above}");
    assert_eq!(speed_warnings("lankarani-nikravesh", "0.049"), [""; 0]);
    assert_eq!(speed_warnings("flores", "0.051"), [""; 0]);
    let [below] = &speed_warnings("lankarani-nikravesh-plastic", "0.049")[..] else {
        panic!("no warning")
    };
    assert!(below.contains("below the published limit 1e-5·√(E/ρ) = 0.05"), "{below}");
    assert_eq!(speed_warnings("lankarani-nikravesh-plastic", "0.051"), [""; 0]);
}

#[test]
fn regress_the_reference_page_is_committed() {
    let page = include_str!("../../../docs/laws.md");
    assert!(text("laws --markdown").trim_end() == page.trim_end(), "run `cargo xtask docs`");
}

#[test]
fn published_johnson_force_and_inverse() {
    let law = json(&format!("law johnson {JOURNAL} --indentation 1um"));
    for key in [
        "indentation",
        "force",
        "stiffness",
        "energy",
        "line_load",
        "limit_force",
        "limit_indentation",
        "published_limit_force",
    ] {
        assert!(law[key].is_f64(), "{key}");
    }
    assert_eq!(law["in_domain"], true);
    assert_eq!(law["continued"], false);
    let force = number(&law, "force");
    assert!(close(force, number(&law, "line_load") * 15e-3, 1e-15));
    let back = json(&format!("law johnson {JOURNAL} --force {force}"));
    assert!(close(number(&back, "indentation"), 1e-6, 1e-13));
    // Pereira, Ramalho, Ambrósio 2011: 967 N/mm for steel at 5 µm
    let narrow = json("law johnson --clearance 5um --length 1mm --material steel --force 1000");
    assert!((number(&narrow, "limit_force") - 967.14).abs() < 0.01);
    assert_eq!(narrow["continued"], true);
    assert_eq!(narrow["in_domain"], false);
    let hertz = json(
        "law hertz --radius 20mm --radius 20mm --young 69GPa --poisson 0.35 --indentation 10um",
    );
    assert!(hertz["limit_force"].is_null() && hertz["line_load"].is_null());
}

#[test]
fn exact_two_materials_and_signed_radii() {
    let by_sign =
        json("law hertz --radius -10mm --radius 9.5mm --material steel --indentation 1um");
    let by_name = json(
        "law hertz --bearing-radius 10mm --journal-radius 9.5mm --material steel --indentation 1um",
    );
    assert_eq!(by_sign["force"], by_name["force"]);
    let mixed = json(
        "law hertz --radius 10mm --material steel --young-2 70GPa --poisson-2 0.35 --indentation 1um",
    );
    let named =
        json("law hertz --radius 10mm --material steel --material-2 aluminium --indentation 1um");
    assert_eq!(mixed["force"], named["force"]);
}

#[test]
fn exact_impact_agrees_with_the_closed_form() {
    let r = json(&format!("impact {SPHERES} --damping lankarani-nikravesh --restitution 0.7"));
    assert!((number(&r, "restitution") - 0.795972595365).abs() < 1e-9);
    assert!((number(&r, "restitution_closed_form") - 0.795972595365).abs() < 1e-12);
    assert!(close(number(&r, "duration"), 1.006594148e-3, 1e-9));
    for key in ["max_indentation", "max_force", "indentation_at_max_force", "energy_lost"] {
        assert!(number(&r, key) > 0.0, "{key}");
    }
    assert!(r["force_evaluations"].as_u64().is_some());
    assert!(r.get("curve").is_none());
}

#[test]
fn exact_a_restitution_without_a_damping_law_is_returned() {
    let r = json(&format!("impact {SPHERES} --restitution 0.37"));
    assert_eq!(r["law"], "hertz+exact");
    assert!((number(&r, "restitution") - 0.37).abs() < 1e-9);
}

#[test]
fn published_hybrid_law_of_the_slider_crank() {
    // Bai 2014 figure 2, c_r = 0.9: 5.53e-5 m and 2.406e4 N
    let journal = "--bearing-radius 10mm --journal-radius 9.5mm --material steel";
    let r = json(&format!("impact --law hybrid {journal} --mass 1 --speed 1 --restitution 0.9"));
    assert!(close(number(&r, "max_indentation"), 5.53e-5, 1e-3));
    assert!(close(number(&r, "max_force"), 2.406e4, 1e-3));
}

#[test]
fn property_the_loop_has_four_columns_of_one_length() {
    let r = json(&format!("impact {SPHERES} --damping exact --restitution 0.5 --curve"));
    let length = |key: &str| r["curve"][key].as_array().map(Vec::len);
    assert!(length("t").is_some_and(|n| n > 100));
    for key in ["indentation", "speed", "force"] {
        assert_eq!(length(key), length("t"), "{key}");
    }
}

#[test]
fn property_every_damping_law_runs_an_impact() {
    let laws = json("laws");
    let dampings =
        laws.as_array().expect("a list").iter().filter(|s| {
            matches!(s["family"].as_str(), Some("dissipation" | "permanent indentation"))
        });
    for sheet in dampings {
        let id = sheet["id"].as_str().expect("an id");
        let keys: Vec<&str> = sheet["parameters"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|p| p["key"].as_str())
            .collect();
        let mut line = format!("impact {SPHERES} --damping {id}");
        for (key, flag) in [
            ("restitution", "--restitution 0.6"),
            ("alpha", "--param alpha=0.5"),
            ("alpha1", "--param alpha1=0.5"),
            ("damping", "--param damping=1e5"),
            ("chi", "--param chi=1e7"),
            ("eta1", "--param eta1=4e6"),
            ("eta2", "--param eta2=6e6"),
            ("young", "--material aluminium"),
        ] {
            if keys.contains(&key) {
                line = format!("{line} {flag}");
            }
        }
        let e = number(&json(&line), "restitution");
        assert!(e > 0.0 && e <= 1.0 + 1e-9, "{id}: {e}");
    }
}

#[test]
fn published_table_of_output_restitutions() {
    let table = json(&format!("impact {SPHERES} --damping all --restitution 0:1:0.1"));
    let entries = table["entries"].as_array().expect("entries");
    let find = |damping: &str, c: f64| {
        let hit = entries.iter().find(|e| {
            e["damping"] == damping && (number(e, "input_restitution") - c).abs() < 1e-12
        });
        hit.unwrap_or_else(|| panic!("{damping} at {c}"))
    };
    // Skrinjar 2018 table 2, rows that are right as printed
    for (damping, row) in [
        ("hunt-crossley", [0.49, 0.52, 0.55, 0.58, 0.62, 0.66, 0.71, 0.77, 0.83, 0.91, 1.00]),
        ("lankarani-nikravesh", [0.66, 0.67, 0.67, 0.68, 0.70, 0.73, 0.76, 0.80, 0.85, 0.91, 1.00]),
    ] {
        for (i, printed) in row.into_iter().enumerate() {
            let e = number(find(damping, i as f64 / 10.0), "restitution");
            assert!((e - printed).abs() <= 0.0051, "{damping} {i}: {e}");
        }
    }
    assert!((number(find("exact", 0.3), "restitution") - 0.3).abs() < 1e-8);
    assert_eq!(find("flores", 0.0)["limit"], true);
    let tsuji = find("tsuji", 0.7);
    assert!((number(tsuji, "restitution") - 0.71820).abs() < 1e-5);
    assert!((number(tsuji, "restitution_adhesive") - 0.7).abs() < 1e-8);
    let people = text(&format!("impact {SPHERES} --damping all --restitution 0:1:0.1"));
    assert!(
        people.contains("0 lim")
            && people.contains("adhesive")
            && people.contains("hunt-crossley-alpha")
    );
}

#[test]
fn published_fit_of_johnsons_law() {
    let fit = json("fit johnson --clearance 0.5mm --material steel --max-load 1000N/mm");
    assert!((number(&fit, "exponent") - 1.1922).abs() < 1e-4);
    assert!((number(&fit, "stiffness_mm_per_length") - 1.422e5).abs() < 0.001e5);
    assert!(
        text("fit johnson --clearance 0.5mm --material steel").contains("largest relative error")
    );
}

#[test]
fn published_domain_of_johnson_and_radzimovsky() {
    let map = json("domain johnson,radzimovsky --material steel --from 5um --to 10mm --count 2");
    let rows = map.as_array().expect("rows");
    assert!((number(&rows[0], "limit_line_load") - 967.14e3).abs() < 10.0);
    assert!(number(&rows[2], "published_limit_line_load") > number(&rows[2], "limit_line_load"));
}

#[test]
fn property_user_laws_run() {
    let formula = json(
        "impact --elastic formula:5.2e9*delta^1.5*(1+delta_dot) --mass 9.2 --mass 9.2 --speed 0.3",
    );
    let factor = json(&format!(
        "impact {SPHERES} --damping hunt-crossley-alpha --param alpha=0.66666666666666667"
    ));
    assert!(close(number(&formula, "restitution"), number(&factor, "restitution"), 1e-9));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("law.csv");
    std::fs::write(&path, "delta,force\n1e-6,1\n2e-6,3\n4e-6,10\n").expect("written");
    let table = json(&format!("law table:{} --indentation 2um", path.display()));
    assert!(close(number(&table, "force"), 3.0, 1e-15));
    std::fs::write(&path, "1e-6,1\n2e-6,0.5\nx,y\n1e-6,4\n").expect("written");
    let wrong = refusal(&format!("law table:{} --indentation 2um", path.display()));
    assert!(wrong.contains(":2:") && wrong.contains(":3:") && wrong.contains(":4:"), "{wrong}");
}

#[test]
fn property_plots_are_written_where_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let commands = [
        format!("law johnson,liu,persson {JOURNAL} --indentation 20um --plot {}", file("law.svg")),
        format!(
            "impact {SPHERES} --damping exact,flores --restitution 0.5 --plot {}",
            file("loops.png")
        ),
        format!("impact {SPHERES} --damping all --restitution 0:1:0.5 --plot {}", file("e.svg")),
        format!("fit johnson --clearance 0.5mm --material steel --plot {}", file("fit.svg")),
        format!("domain johnson --material steel --plot {}", file("map.svg")),
    ];
    for command in commands {
        jointplay(&command).assert().success();
    }
    jointplay(&format!("domain johnson --material steel --plot {}", file("new/folder/map.png")))
        .assert()
        .success();
    for name in ["law.svg", "loops.png", "e.svg", "fit.svg", "map.svg", "new/folder/map.png"] {
        assert!(folder.path().join(name).metadata().is_ok_and(|m| m.len() > 1000), "{name}");
    }
    jointplay(&format!("domain johnson --material steel --plot {}", file("map.pdf")))
        .assert()
        .code(2);
}

#[test]
fn property_everything_wrong_is_said_at_once() {
    let wrong = refusal("impact --law johnson+flores --material steal --length 4N");
    for part in ["steel", "--length", "--mass", "--speed", "--restitution", "--bearing-radius"] {
        assert!(wrong.contains(part), "{part} in:\n{wrong}");
    }
    let unknown = refusal("law jonson --indentation 1um");
    assert!(unknown.contains("did you mean `johnson`"), "{unknown}");
    let family = refusal("law flores --indentation 1um");
    assert!(family.contains("dissipation"), "{family}");
    let pair = refusal(&format!(
        "impact --elastic johnson --damping tsuji --restitution 0.5 --mass 1 --speed 1 {JOURNAL}"
    ));
    assert!(pair.contains("power law") && pair.contains("exact"), "{pair}");
    let parameter =
        refusal(&format!("impact {SPHERES} --damping exact --restitution 0.5 --param chy=3"));
    assert!(parameter.contains("chy"), "{parameter}");
    let range = refusal(&format!("impact {SPHERES} --damping exact --restitution 1.5"));
    assert!(range.contains("[0, 1]"), "{range}");
    let idle = refusal(&format!("impact {SPHERES} --damping no-damping --restitution 0.5"));
    assert!(idle.contains("no effect"), "{idle}");
    let formula = refusal("law formula:2*delta+ --indentation 1um");
    assert!(formula.contains('^'), "{formula}");
}

#[test]
fn property_a_limit_is_refused_with_a_hint() {
    let assert =
        jointplay(&format!("impact {SPHERES} --damping flores --restitution 0")).assert().code(2);
    let message = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(message.contains("0.01"), "{message}");
}

#[test]
fn property_several_laws_without_numbers_are_compared_and_not_tabled() {
    let laws = "--damping exact,flores --restitution cube-root";
    let both = json(&format!("impact {SPHERES} {laws}"));
    assert_eq!(both.as_array().map(Vec::len), Some(2));
    assert!(both.as_array().is_some_and(|rows| rows.iter().all(|r| r["restitution"].is_f64())));
    let dashpots = json(&format!("impact {SPHERES} --damping ristow,schafer --param chi=1e7"));
    assert_eq!(dashpots.as_array().map(Vec::len), Some(2));
    let all = refusal(&format!("impact {SPHERES} --damping all --restitution cube-root"));
    assert!(all.contains("numbers"), "{all}");
}

#[test]
fn exact_the_floor_acts_in_tables_as_in_single_impacts() {
    let floor = "--impact-speed-floor 1m/s";
    let single = json(&format!("impact {SPHERES} --restitution 0.3 {floor}"));
    let table = json(&format!("impact {SPHERES} --restitution 0.3,0.5 {floor}"));
    let entry = &table["entries"][0];
    assert!(close(number(entry, "restitution"), number(&single, "restitution"), 1e-9));
    // the damping of 1 m/s at 0.3 m/s: less loss than asked for
    assert!(number(&single, "restitution") > 0.6);
    assert_eq!(single["impact_speed_floored"], true);
    assert!(table["warnings"][0].as_str().is_some_and(|w| w.contains("floor")));
    assert!(close(
        number(&single, "restitution"),
        number(&single, "restitution_closed_form"),
        1e-9
    ));
}

#[test]
fn property_nothing_is_accepted_and_ignored() {
    let wrong = [
        (format!("law johnson {JOURNAL} --param length=0.03 --indentation 1um"), "--length"),
        (format!("law johnson {JOURNAL} --clearance 0.1mm --indentation 1um"), "radii"),
        (format!("law goldsmith {JOURNAL} --clearance 0.1mm --indentation 1um"), "radii"),
        (format!("impact {SPHERES} --damping no-damping --restitution cube-root"), "no effect"),
        (format!("impact {SPHERES} --damping kelvin-voigt --param damping=1 --restitution 0:1:0.5"), "no effect"),
        (format!("impact {SPHERES} --damping exact --restitution 0:1:0.5 --adhesive"), "--adhesive"),
        (format!("impact {SPHERES} --restitution 0:1:1e-9"), "100000"),
        ("impact --elastic formula:1e9*delta^1.5*(1+delta_dot) --damping exact --restitution 0.9 --mass 1 --speed 1".into(), "own damping"),
        ("impact --elastic formula:1e9*delta^1.5*(1+0.01*delta_dot) --mass 1 --speed 30".into(), "--max-rate"),
        ("law hertz --stiffness 1e9 --density 7800 --indentation 1um".into(), "--density"),
    ];
    for (line, part) in wrong {
        let message = refusal(&line);
        assert!(message.contains(part), "{line}: {message}");
    }
    let plain = json(
        "impact --elastic formula:1e9*delta^1.5 --damping exact --restitution 0.9 --mass 1 --speed 1",
    );
    assert!((number(&plain, "restitution") - 0.9).abs() < 1e-8);
    let cut = json(&format!(
        "impact {SPHERES} --damping hunt-crossley --restitution linear --param alpha_0=0.5 --param alpha_1=10"
    ));
    assert_eq!(cut["restitution_cut"], true);
}

#[test]
fn property_every_damping_that_does_not_fit_is_named() {
    let line = format!(
        "impact --elastic johnson {JOURNAL} --damping tsuji,jankowski --restitution 0.5 --mass 1 --speed 1"
    );
    let message = refusal(&line);
    assert!(message.contains("tsuji") && message.contains("jankowski"), "{message}");
}

#[test]
fn property_numbers_that_leave_no_room_are_refused() {
    for (line, flag) in [
        ("domain johnson,radzimovsky --young=5e-324 --poisson 0.3", "--young 5e-324: too small"),
        ("domain johnson,radzimovsky --young=1e308 --poisson 0.3", "--young 1e308: too large"),
        (
            "impact --mass=1e308 --law hertz+exact --stiffness 1e10 --speed 0.1 --restitution 0.5",
            "--mass 1e308: too large",
        ),
    ] {
        assert!(refusal(line).contains(flag), "{line}: {}", refusal(line));
    }
}
