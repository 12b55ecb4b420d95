//! The plan of the run.

use jointplay_mbd::{Accuracy, DriftControl, Method};

use super::{Lower, View};
use crate::document::RunPlan;
use crate::units::Dimension;

impl Lower<'_, '_> {
    pub(super) fn run(&mut self, view: &View<'_>) -> RunPlan {
        let mut plan = RunPlan::default();
        if let Some(until) = self.positive(view, "until", Dimension::Time) {
            plan.until = until;
        }
        if let Some(rtol) = view.quantity("rtol", Dimension::Number) {
            if (1e-14..=1e-1).contains(&rtol) {
                plan.accuracy = Accuracy::relative(rtol);
            } else {
                let message = format!("{rtol} is not in [1e-14, 0.1]");
                self.report(view, "rtol", message, None);
            }
        }
        plan.accuracy.length = self.positive(view, "length_tolerance", Dimension::Length);
        let step = self.positive(view, "step", Dimension::Time);
        let named = |name: &str| Method::ALL.into_iter().find(|method| method.name() == name);
        // Other words have been reported.
        let method = view.text("method").and_then(named).unwrap_or_default();
        plan.method = match method {
            Method::Rkf45 | Method::Dopri5 | Method::Dop853 | Method::Auto | Method::Radau5 => {
                method
            }
            Method::Rk4 { step: usual } => {
                if step.is_none() && view.node("step").is_none() {
                    let hint = Some("write step = \"1 us\"".to_owned());
                    self.report(view, "method", "rk4 needs a `step`", hint);
                }
                Method::Rk4 { step: step.unwrap_or(usual) }
            }
        };
        if step.is_some() && plan.method.fixed_step().is_none() {
            let hint = Some("use max_step, or method = \"rk4\"".to_owned());
            self.report(view, "step", "only rk4 has steps of fixed size", hint);
        }
        if let Some(step) = plan.method.fixed_step()
            && !(plan.until / step <= 1e9)
        {
            self.report(view, "step", "the run would take more than 1e9 steps", None);
        }
        plan.formulation = view.word("formulation").unwrap_or_default();
        if let Some([alpha, beta]) = view.vector("baumgarte", Dimension::Frequency) {
            if alpha < 0.0 || beta < 0.0 {
                self.report(view, "baumgarte", "alpha and beta must not be negative", None);
            }
            plan.drift = DriftControl::baumgarte(alpha, beta);
        }
        plan.max_step = self.positive(view, "max_step", Dimension::Time);
        plan.min_step = self.positive(view, "min_step", Dimension::Time);
        plan.first_step = self.positive(view, "first_step", Dimension::Time);
        plan.restart_step = self.positive(view, "restart_step", Dimension::Time);
        let steps = view.quantity("max_steps", Dimension::Number);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
        let count = steps.filter(|n| (1.0..=1e15).contains(n)).map(|n| n as usize);
        plan.max_steps = count;
        if plan.method.fixed_step().is_some() {
            for key in ["first_step", "restart_step"].into_iter().filter(|key| view.has(key)) {
                let hint = Some("leave it out, or choose another method".to_owned());
                self.report(view, key, "rk4 has steps of one size, its `step`", hint);
            }
        }
        self.steps_in_order(view, &plan);
        plan
    }

    /// Lengths of steps that contradict each other: one of the two would have no effect.
    fn steps_in_order(&mut self, view: &View<'_>, plan: &RunPlan) {
        let RunPlan { max_step, min_step, first_step, restart_step, .. } = *plan;
        let fixed = plan.method.fixed_step();
        for ((shorter, short), (longer, long)) in [
            (("min_step", min_step), ("max_step", max_step)),
            (("min_step", min_step), ("step", fixed)),
            (("min_step", min_step), ("first_step", first_step)),
            (("min_step", min_step), ("restart_step", restart_step)),
            (("step", fixed), ("max_step", max_step)),
            (("first_step", first_step), ("max_step", max_step)),
            (("restart_step", restart_step), ("max_step", max_step)),
        ] {
            if let (Some(short), Some(long)) = (short, long)
                && short > long
            {
                let message = format!("`{shorter}` is {short} s, longer than `{longer}`, {long} s");
                let hint = format!("make `{shorter}` shorter, or leave out one of the two");
                self.report(view, shorter, message, Some(hint));
            }
        }
    }
}
