//! All tests of the program in one program, which is linked once; those of the workspace are in `workspace.rs`.

#[path = "../benches/soak/campaigns.rs"]
mod campaigns;
#[path = "../../../testing/chance.rs"]
mod chance;
#[path = "../../../testing/fly_by.rs"]
mod fly_by;
#[path = "../../../testing/overlap.rs"]
mod overlap;
#[path = "../benches/soak/rounds.rs"]
mod rounds;
#[path = "../../../testing/sweep.rs"]
mod sweep;
#[path = "../benches/soak/touching.rs"]
mod touching;

mod bifurcations;
mod commands;
mod compared;
mod documented;
mod generated;
mod laws_in_mechanisms;
mod mechanism;
mod nothing_ignored;
mod nothing_lost;
mod pages;
mod papers;
mod program;
mod reliability;
mod repeated;
mod rig;
mod studies;
mod study_checks;
mod study_files;
mod study_numbers;
mod study_pages;
mod study_warnings;
mod surfaces;
mod vibrating_table;
mod warnings;
