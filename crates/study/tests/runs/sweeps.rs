//! Sweeps: the same results on any number of threads, progress, cancellation.

use std::sync::Mutex;

use jointplay_contact::friction::FrictionLaw;
use jointplay_mbd::{Sampling, Simulation};
use jointplay_study::contacts::JointContacts;
use jointplay_study::summary::{Ending, Summary};
use jointplay_study::sweep::{Cancellation, Progress, Sweep};

use super::slider_crank::machine;

fn cases(count: u32) -> Vec<(Simulation, Vec<JointContacts>)> {
    let (mechanism, pin) = machine(FrictionLaw::NoFriction);
    let case = |k: u32| {
        // The last are the shortest, so that they end first.
        let simulation = Simulation::new(&mechanism).until(0.02 * f64::from(count - k));
        let joints = vec![JointContacts::single("pin", pin)];
        (simulation.sampled(Sampling::EventsOnly), joints)
    };
    (0..count).map(case).collect()
}

#[test]
fn property_results_do_not_depend_on_the_number_of_threads() {
    let cases = cases(6);
    let records = |threads| {
        let runs = Sweep::new().threads(threads).simulate(&cases);
        let of = |run: Option<Result<_, _>>| run.expect("not cancelled").expect("it starts");
        runs.into_iter().map(of).map(|run: jointplay_study::record::Record| run.contacts).collect()
    };
    let one: Vec<_> = records(1);
    assert_eq!(one.len(), 6);
    for (k, record) in one.iter().enumerate() {
        assert_eq!(record.span[1], 0.02 * (6 - k) as f64);
    }
    for threads in [0, 2, 5] {
        let many: Vec<_> = records(threads);
        assert_eq!(many, one, "{threads} threads");
    }
}

#[test]
fn property_every_job_is_told_of_once() {
    let told = Mutex::new(Vec::new());
    let sweep = Sweep::new().progress(|progress| told.lock().expect("sound").push(progress));
    let inputs: Vec<u32> = (0..100).collect();
    let outputs = sweep.run(&inputs, |x, _| x + 1);
    assert!(outputs.iter().zip(1..).all(|(output, k)| *output == Some(k)));
    drop(sweep);
    let mut told = told.into_inner().expect("sound");
    assert!(told.iter().all(|Progress { total, .. }| *total == 100));
    for key in [|p: &Progress| p.input, |p: &Progress| p.done - 1] {
        told.sort_by_key(key);
        assert!(told.iter().map(key).eq(0..100));
    }
}

#[test]
fn property_a_cancelled_sweep_keeps_what_it_has() {
    let cancellation = Cancellation::new();
    let after_two = cancellation.clone();
    let sweep = Sweep::new().threads(1).cancelled_by(&cancellation).progress(move |progress| {
        if progress.done == 2 {
            after_two.cancel();
        }
    });
    let outputs = sweep.run(&[(); 10], |(), _| ());
    assert_eq!(outputs.iter().flatten().count(), 2);

    // A run under way is interrupted at its next step.
    let cancellation = Cancellation::new();
    let (cases, sweep) = (cases(1), Sweep::new().cancelled_by(&cancellation));
    let runs = sweep.run(&cases, |(simulation, joints), request| {
        jointplay_study::record::record(simulation, joints.clone(), |t| {
            if t > 0.01 {
                cancellation.cancel();
            }
            request.flow()
        })
    });
    let run = runs[0].as_ref().expect("it was begun").as_ref().expect("it starts");
    assert_eq!(Summary::of(run).outcome, Ending::Interrupted);
}
