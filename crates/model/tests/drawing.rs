//! What there is to draw of a model: gaps with the sizes of the file, every force, blocks.

use std::collections::BTreeSet;

use jointplay_mbd::GROUND;
use jointplay_model::{
    ForceDrawing, ForceForm as F, GapDrawing, GapForm, JointForm, Model, Overrides,
};

const BODIES: &str =
    "format = 1\n[bodies.m]\nmass = 2\ninertia = 0.5\nposition = [0.1, 0]\n[run]\nuntil = 1\n";

const LAW: &str = "law = { elastic = \"linear\", stiffness = 1e6 }\n";

fn model(tables: &str) -> Model {
    let text = format!("{BODIES}{tables}");
    Model::parse(&text, &Overrides::new()).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// The only gap of a model.
fn gap(tables: &str) -> GapDrawing {
    let model = model(tables);
    let [(name, gap)] = model.gaps() else { panic!("{:?}", model.gaps()) };
    let touching: Vec<&str> = model.touching().map(|(name, _)| name).collect();
    assert_eq!(touching, [name.as_str()]);
    gap.clone()
}

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-15, "{found:e} instead of {expected:e}");
}

#[test]
fn exact_gaps_have_the_sizes_of_the_file() {
    let journal = gap(&format!(
        "[joints.pin]\ntype = \"revolute\"\nkind = \"clearance\"\na = {{ body = \"ground\", at = [0.1, 0] }}\nb = {{ body = \"m\" }}\n\
         bearing_radius = \"10 mm\"\nclearance = \"0.5 mm\"\n{LAW}"
    ));
    assert_eq!((journal.form, journal.wall_body), (GapForm::Journal, GROUND));
    close(journal.pin_radius, 9.5e-3);
    close(journal.clearance, 0.5e-3);
    assert_eq!((journal.middle, journal.walls.len()), (vec![[0.1, 0.0]], 1));
    assert_eq!(journal.contacts.len(), 1);

    let slot = gap(&format!(
        "[joints.pin]\ntype = \"slot\"\nkind = \"clearance\"\na = {{ body = \"ground\" }}\nb = {{ body = \"m\" }}\n\
         path = {{ from = [0, 0], to = [0.2, 0], width = \"20 mm\" }}\npin_radius = \"9 mm\"\n{LAW}"
    ));
    assert_eq!((slot.form, slot.wall_body), (GapForm::Slot, GROUND));
    close(slot.clearance, 1e-3);
    assert_eq!(slot.middle, [[0.0, 0.0], [0.2, 0.0]]);
    // Two flats and two end arcs.
    assert_eq!((slot.walls.len(), slot.contacts.len()), (4, 4));

    let guide = "[joints.pin]\ntype = \"prismatic\"\nkind = \"clearance\"\na = { body = \"ground\", direction = \"90 deg\" }\n\
                 b = { body = \"m\", direction = \"90 deg\" }\nblock_length = \"40 mm\"\nblock_height = \"20 mm\"\nclearance = \"1 mm\"\n";
    let guide = format!("{}{guide}{LAW}", "[start]\nclearances = \"centred\"\n");
    let block = gap(&guide);
    assert_eq!((block.form, block.contacts.len()), (GapForm::Block, 4));
    let size = block.block.expect("a block");
    close(size.length, 40e-3);
    close(size.height, 20e-3);
    assert!(block.contacts.iter().all(|contact| !contact.turned));
    // At the ends of the walls the block is the wall.
    let ended = gap(&format!("{guide}guide_length = \"100 mm\"\n"));
    assert_eq!(ended.contacts.iter().filter(|contact| contact.turned).count(), 4);

    let line = gap(&format!(
        "[contacts.floor]\ntype = \"circle-line\"\nline = {{ body = \"ground\", from = [0, -1], to = [1, -1] }}\n\
         circle = {{ body = \"m\", radius = \"50 mm\" }}\n{LAW}"
    ));
    assert_eq!((line.form, line.wall_body, line.clearance), (GapForm::External, GROUND, 0.0));
    close(line.pin_radius, 50e-3);

    let stop =
        gap(&format!("[forces.stop]\ntype = \"stop\"\nx = {{ body = \"m\" }}\nbelow = -1\n{LAW}"));
    assert_eq!((stop.form, stop.walls.len()), (GapForm::Stop, 0));
    assert!(stop.contacts.iter().all(|contact| contact.pin.is_none()));
}

#[test]
fn exact_every_force_is_drawn_where_it_acts() {
    let model = model(
        "[forces.s]\ntype = \"spring\"\na = { body = \"ground\" }\nb = { body = \"m\", at = [0, 0.2] }\n\
         [forces.turn]\ntype = \"torsion-spring\"\na = \"ground\"\nb = \"m\"\n\
         [forces.f]\ntype = \"force\"\non = { body = \"m\", at = [0.3, 0] }\ndirection = 0\nvalue = 1\n\
         [forces.m1]\ntype = \"torque\"\non = \"m\"\nvalue = 1\n\
         [forces.b]\ntype = \"bushing\"\na = { body = \"ground\" }\nb = { body = \"m\" }\nstiffness = 1000\n",
    );
    let m = model.mechanism.find_body("m").expect("the body");
    let drawn: Vec<ForceDrawing> =
        model.mechanism.forces().map(|(_, _, force)| ForceDrawing::of(force)).collect();
    let forms: Vec<_> = drawn.iter().map(|force| force.form).collect();
    assert_eq!(forms, [F::Spring, F::TorsionSpring, F::Load, F::Torque, F::Bushing]);
    let turning: Vec<bool> = drawn.iter().map(|force| force.turns).collect();
    assert_eq!(turning, [false, true, false, true, false]);
    let anchors: Vec<Vec<_>> = drawn.iter().map(|force| force.anchors().collect()).collect();
    assert_eq!(anchors[0], [GROUND.origin(), m.at([0.0, 0.2])]);
    assert_eq!(anchors[2], [m.at([0.3, 0.0])]);
    assert_eq!(anchors[4], [GROUND.origin(), m.origin()]);
    assert!(anchors[1].is_empty() && anchors[3].is_empty());
}

#[test]
fn exact_a_block_is_drawn_whatever_its_guide_is() {
    for (kind, size) in [("ideal", false), ("bushing", false), ("clearance", true)] {
        let model = model(&format!(
            "[joints.guide]\ntype = \"prismatic\"\nkind = \"{kind}\"\na = {{ body = \"ground\" }}\nb = {{ body = \"m\" }}\nblock_length = 0.04\n\
             block_height = 0.02\nguide_height = 0.022\nstiffness = 1000\n{LAW}"
        ));
        let joint = &model.joints[0];
        assert_eq!((joint.form, joint.handle.kind().name()), (JointForm::Prismatic, kind));
        assert_eq!(joint.block.expect("a block").size.is_some(), size, "{kind}");
    }
}

#[test]
fn property_a_joint_has_the_type_that_its_file_names() {
    let small = ["weld", "rod"].map(|word| {
        let places = "a = { body = \"ground\" }\nb = { body = \"m\" }\n";
        format!("{BODIES}[joints.j]\ntype = \"{word}\"\n{places}")
    });
    let shipped = jointplay_models::MODELS.iter().map(|(_, text)| (*text).to_owned());
    let mut seen = BTreeSet::new();
    for text in shipped.chain(small) {
        let file: toml::Table = toml::from_str(&text).expect("TOML");
        let model =
            Model::parse(&text, &Overrides::new()).unwrap_or_else(|wrong| panic!("{wrong}"));
        for joint in &model.joints {
            // The parts of an array are named after it.
            let Some(part) = file["joints"].get(&joint.name) else { continue };
            let form = serde_json::to_value(joint.form).expect("JSON");
            assert_eq!(form.as_str(), part["type"].as_str(), "{}", joint.name);
            seen.insert(form.to_string());
        }
    }
    assert_eq!(seen.len(), 5, "{seen:?}");
}
