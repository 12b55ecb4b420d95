//! The energy ledger during a run: energies against accounts.

use serde::{Deserialize, Serialize};

use crate::assembly::Start;
use crate::equations::{Equations, Evaluation, Mode};
use crate::ledger::{Account, AccountKind, AccountSide, Energy, Ledger};
use crate::mechanism::Mechanism;

/// The energy ledger during a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Books {
    start: Energy,
    now: Energy,
    amounts: Vec<f64>,
    /// Energy added by contacts that started in overlap.
    late: f64,
    moved: f64,
    /// The largest sum of the magnitudes of the energies.
    held: f64,
    /// How many states were entered into the ledger: at the end of each step and at each event.
    steps: usize,
    worst: f64,
    worst_drift: f64,
    unexplained: f64,
    /// Residual, work of drift control and sum of both, also at kept instants.
    shown: [f64; 3],
}

/// The fraction of the energies that is rounding: a few units in the last place.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The greater of two amounts. Not `max`, which would lose NaN.
fn worse(known: f64, now: f64) -> f64 {
    if now <= known || known.is_nan() { known } else { now }
}

impl Books {
    pub(crate) fn new(equations: &Equations, start: &Start) -> Self {
        let mut evaluation = equations.evaluation();
        equations.locate(start.t, &start.y, &mut evaluation.work);
        let energy = equations.energy(&evaluation.work, &start.mode);
        let amounts = vec![0.0; equations.mechanism.accounts.len()];
        let held = energy.magnitude() + equations.mechanism.greatest_lift();
        let none = 0.0;
        Books {
            start: energy,
            now: energy,
            amounts,
            late: start.mode.late_energy(),
            moved: none,
            held,
            steps: 0,
            worst: none,
            worst_drift: none,
            unexplained: none,
            shown: [none; 3],
        }
    }

    /// The energy at the start of the run.
    pub(crate) fn start(&self) -> &Energy {
        &self.start
    }

    /// Enters the energies of a state. `true` if the bodies are now all placed there.
    pub(crate) fn book(
        &mut self,
        equations: &Equations,
        t: f64,
        y: &[f64],
        mode: &Mode,
        evaluation: &mut Evaluation<f64>,
    ) -> bool {
        let (now, placed, [residual, drift, both]) =
            self.compare(equations, t, y, mode, evaluation);
        self.now = now;
        self.worst = worse(self.worst, residual);
        self.worst_drift = worse(self.worst_drift, drift);
        self.unexplained = worse(self.unexplained, both);
        self.moved = worse(self.moved, now.moved_from(&self.start));
        self.held = worse(self.held, now.magnitude());
        self.steps += 1;
        let first = y.len() - self.amounts.len();
        self.amounts.copy_from_slice(&y[first..]);
        self.late = mode.late_energy();
        placed
    }

    /// Compares the energies at one instant with the accounts: the energies, and what is residual, work of drift control, and
    /// both; and whether the bodies are all placed there.
    pub(crate) fn compare(
        &mut self,
        equations: &Equations,
        t: f64,
        y: &[f64],
        mode: &Mode,
        evaluation: &mut Evaluation<f64>,
    ) -> (Energy, bool, [f64; 3]) {
        let (now, placed) = equations.energy_at(t, y, mode, evaluation);
        let amounts = &y[y.len() - self.amounts.len()..];
        let accounts = equations.mechanism.accounts.iter().zip(amounts);
        let signed = |(account, amount): (&Account, &f64)| match account.kind.side() {
            AccountSide::Loss => -amount,
            AccountSide::Work | AccountSide::Brought => *amount,
        };
        let brought = accounts.map(signed).sum::<f64>() + mode.late_energy();
        let residual = (now.total() - self.start.total() - brought).abs();
        let drift = amounts[equations.mechanism.drift_account].abs();
        let found = [residual, drift, residual + drift];
        self.shown = std::array::from_fn(|i| worse(self.shown[i], found[i]));
        (now, placed, found)
    }

    pub(crate) fn close(&self, mechanism: &Mechanism) -> Ledger {
        let amounts = self.amounts.iter().copied();
        let mut accounts: Vec<_> = mechanism.accounts.iter().cloned().zip(amounts).collect();
        if !mechanism.contacts.is_empty() {
            let late = Account { kind: AccountKind::LateStart, part: "contacts".to_owned() };
            accounts.push((late, self.late));
        }
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let steps = self.steps as f64;
        let exchanged = self.moved + accounts.iter().map(|(_, amount)| amount.abs()).sum::<f64>();
        Ledger {
            start: self.start,
            end: self.now,
            accounts,
            exchanged,
            worst: self.worst,
            worst_drift: self.worst_drift,
            unexplained: self.unexplained,
            shown: self.shown,
            rounding: ROUNDING * self.held,
            step_rounding: f64::EPSILON * steps * self.held,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::worse;

    #[test]
    fn property_an_amount_that_is_no_number_is_seen_in_the_books() {
        let worst = |amounts: &[f64]| amounts.iter().fold(0.0, |known, now| worse(known, *now));
        assert_eq!(worst(&[1.0, 3.0, 2.0]), 3.0);
        assert!(worst(&[1.0, f64::NAN, 2.0]).is_nan());
        assert!(worst(&[f64::NAN]).is_nan() && worst(&[2.0, f64::NAN]).is_nan());
    }
}
