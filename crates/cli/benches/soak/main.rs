//! Many runs that must not lose a contact, not stop, and keep their books: `cargo xtask soak`.
//!
//! Each campaign is a list of numbered runs, the same on every machine and for every number of threads. The table that
//! they make is `docs/reliability.md`; `-- --write` writes it, `-- --part 0.01` runs a part of each campaign, `-- --run 17`
//! only one number of each, and words choose campaigns by their names.

#[path = "../../../../testing/chance.rs"]
mod chance;
#[path = "../../../../testing/fly_by.rs"]
mod fly_by;
#[path = "../../../../testing/overlap.rs"]
mod overlap;

mod campaigns;
mod rounds;
mod touching;

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use campaigns::{CAMPAIGNS, Campaign, Tally};

/// Runs a campaign on all cores.
fn run(campaign: &Campaign, numbers: Range<u64>) -> Tally {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let runs = numbers.end;
    let next = AtomicU64::new(numbers.start);
    let mut tallies: Vec<(u64, Tally)> = std::thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= runs {
                    return done;
                }
                let start = Instant::now();
                let mut tally = (campaign.run)(number);
                tally.worst = number;
                tally.slowest = (number, start.elapsed().as_secs_f64());
                if tally.slowest.1 > 10.0 {
                    println!("  run {number} took {:.0} s", tally.slowest.1);
                }
                if (number + 1).is_multiple_of(runs.div_ceil(20)) {
                    eprintln!("  {} of {runs}", number + 1);
                }
                done.push((number, tally));
            }
        };
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("it does not panic")).collect()
    });
    tallies.sort_by_key(|(number, _)| *number);
    let mut all = Tally::default();
    for (_, tally) in tallies {
        all.add(tally);
    }
    all
}

/// Puts rows into the table of `docs/reliability.md`; those of other campaigns stay.
fn write_table(rows: &[(&str, String)]) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reliability.md");
    let text = std::fs::read_to_string(path).expect("docs/reliability.md");
    let (head, rest) = text.split_once("<!-- table -->\n").expect("a place for the table");
    let (table, tail) = rest.split_once("<!-- end -->").expect("its end");
    let mut lines = String::from(
        "| campaign | what is tried | runs | contacts | lost | stopped |\n|---|---|---|---|---|---|\n",
    );
    for Campaign { name, .. } in &CAMPAIGNS {
        let start = format!("| {name} |");
        let old = table.lines().find(|line| line.starts_with(&start));
        let new = rows.iter().find(|(row, _)| row == name).map(|(_, line)| line.as_str());
        if let Some(line) = new.or(old) {
            let _ = writeln!(lines, "{line}");
        }
    }
    let text = format!("{head}<!-- table -->\n{lines}<!-- end -->{tail}");
    std::fs::write(path, text).expect("docs/reliability.md can be written");
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let write = words.iter().any(|word| word == "--write");
    let after = |flag: &str| words.iter().position(|w| w == flag).and_then(|i| words.get(i + 1));
    let part: f64 = after("--part").map_or(1.0, |part| part.parse().expect("a number"));
    let only: Option<u64> = after("--run").map(|number| number.parse().expect("a number"));
    let chosen: Vec<&String> = words.iter().filter(|word| word.parse::<f64>().is_err()).collect();
    let names: Vec<&&String> = chosen.iter().filter(|word| !word.starts_with("--")).collect();
    let mut rows = Vec::new();
    let mut failed = false;
    for campaign in &CAMPAIGNS {
        if !names.is_empty() && !names.iter().any(|name| campaign.name.contains(name.as_str())) {
            continue;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let runs = ((campaign.runs as f64 * part).ceil()) as u64;
        let start = Instant::now();
        let tally = run(campaign, only.map_or(0..runs, |number| number..number + 1));
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{}: {} runs, {} contacts, {} lost, {} stopped, residual {:.1e} in run {}, {seconds:.0} s, of which run {} took {:.1} s",
            campaign.name,
            tally.runs,
            tally.contacts,
            tally.lost,
            tally.stopped,
            tally.residual,
            tally.worst,
            tally.slowest.0,
            tally.slowest.1
        );
        for bad in &tally.bad {
            println!("  {bad}");
        }
        failed |= tally.lost + tally.stopped > 0;
        let Campaign { name, what, .. } = campaign;
        let Tally { runs, contacts, lost, stopped, .. } = tally;
        let row = format!("| {name} | {what} | {runs} | {contacts} | {lost} | {stopped} |");
        rows.push((*name, row));
    }
    if write && only.is_none() && part >= 1.0 {
        write_table(&rows);
    }
    std::process::exit(i32::from(failed));
}
