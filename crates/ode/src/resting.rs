//! An explicit method that hands a system at rest over to an implicit one.
//!
//! Even when nothing moves, an explicit method needs a step for each period of the fastest
//! oscillation that the system *could* perform, because longer steps would amplify rounding. A body
//! at rest on a stiff surface therefore costs thousands of steps per second. [`Radau5`] is stable
//! there at any step size.
//!
//! The same holds for a system that moves while a fast process in it has long died away, such as the damping in a contact that lasts:
//! an explicit method of step h is unstable where that process decays at a rate λ with h λ above
//! some 6. The system reports the rate of its fastest decay ([`System::stiffness`]), and [`Auto`]
//! hands over if h λ stays above 3.3.
//!
//! The system itself reports whether it [rests](System::rests). The method is switched only after
//! many steps of rest in a row, more than a resolved oscillation takes, so that the turning point
//! of a motion is not mistaken for rest. It is switched back when the system moves again, at every
//! restart, and if the implicit method turns out not to be faster.

use std::ops::Range;

use crate::implicit::{Radau5, Radau5Stepper};
use crate::stepper::{Admitted, Dense, Frozen, HandOver, Method, Stepper, Watched};
use crate::{Bow, Control, Enclosure, Fault, System, Vector};

/// An explicit method that hands over to [`Radau5`] while the system [rests](System::rests).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Resting<M>(pub M);

impl<M: Method> Method for Resting<M> {
    type Stepper<V: Vector> = RestingStepper<M::Stepper<V>, V>;

    fn stepper<V: Vector>(self, y: V) -> Self::Stepper<V> {
        RestingStepper {
            explicit: self.0.stepper(y),
            implicit: None,
            rest: Rest::NONE,
            auto: false,
        }
    }
}

/// An explicit method that hands over to [`Radau5`] while the system [rests](System::rests) or is [stiff](System::stiffness).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Auto<M>(pub M);

impl<M: Method> Method for Auto<M> {
    type Stepper<V: Vector> = RestingStepper<M::Stepper<V>, V>;

    fn stepper<V: Vector>(self, y: V) -> Self::Stepper<V> {
        RestingStepper { auto: true, ..Resting(self.0).stepper(y) }
    }
}

/// Number of steps of rest in a row before the method is switched.
const PATIENCE: f64 = 64.0;
/// After this many steps it is checked whether the steps of the implicit method are longer by the
/// factor `WORTHWHILE`. If they are not, first its accuracy is reduced, then the method is switched
/// back, and the next wait is longer by the factor `DOUBT`.
const TRIAL: f64 = 16.0;
const WORTHWHILE: f64 = 4.0;
const DOUBT: f64 = 8.0;

/// A decay at the rate λ limits a step h of an explicit method if h λ is above `STIFF`, and no
/// longer limits it below `LOOSE`.
const STIFF: f64 = 3.3;
const LOOSE: f64 = 2.0;
/// Number of such steps in a row before the method is switched.
const STIFF_PATIENCE: f64 = 6.0;
const LOOSE_PATIENCE: f64 = 6.0;
/// In a stiff system the steps of the implicit method must be longer by this factor, because they
/// cost that much more. If they are not, the next wait is twice as long, up to `MAX_PATIENCE`.
const STIFF_WORTHWHILE: f64 = 2.0;
const MAX_PATIENCE: f64 = 96.0;
/// In a stiff system the estimate of the implicit method may exceed the admitted error by this factor, [`Radau5Stepper::excess`]:
/// the fast components decide when contacts end.
const STIFF_EXCESS: f64 = 10.0;

/// The state of the switch. Counts are `f64`, like everything else in the memory of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rest {
    /// Steps of rest in a row, by the present method.
    steps: f64,
    patience: f64,
    /// The size of the explicit steps at the last hand-over; 0 while the explicit method works.
    explicit_step: f64,
    /// How far the implicit method has come in a stiff system.
    gone: f64,
    /// Whether the estimate of the implicit method itself must pass while the system rests, [`Radau5Stepper::excess`].
    strict: bool,
    /// Whether the implicit method works because the system is stiff, not because it rests.
    for_stiffness: bool,
    /// Steps in a row in which the stiffness favours the other method.
    against: f64,
    stiff_patience: f64,
}

impl Rest {
    const NONE: Rest = Rest {
        steps: 0.0,
        patience: PATIENCE,
        explicit_step: 0.0,
        gone: 0.0,
        strict: true,
        for_stiffness: false,
        against: 0.0,
        stiff_patience: STIFF_PATIENCE,
    };

    fn is_handed_over(&self) -> bool {
        self.explicit_step > 0.0
    }

    fn excess(&self) -> f64 {
        match (self.for_stiffness, self.strict) {
            (true, _) => STIFF_EXCESS,
            (false, true) => 1.0,
            (false, false) => f64::INFINITY,
        }
    }

    /// Records a step of the implicit method in a stiff system.
    fn watch_stiff(&mut self, Watched { stiffness, h, cost, .. }: Watched) -> Turn {
        self.steps += 1.0;
        self.gone += h;
        self.against = match stiffness {
            0.0 => LOOSE_PATIENCE,
            LOOSE.. => 0.0,
            _ => self.against + 1.0,
        };
        let worthwhile = STIFF_WORTHWHILE * cost * self.explicit_step;
        let in_vain = self.steps % TRIAL == 0.0 && h < worthwhile;
        if !in_vain && self.against < LOOSE_PATIENCE {
            return Turn::None;
        }
        // Steps that were shorter on average were in vain, too, whatever ended them.
        let stiff_patience = if in_vain || self.gone < worthwhile * self.steps {
            (2.0 * self.stiff_patience).min(MAX_PATIENCE)
        } else {
            STIFF_PATIENCE
        };
        let patience = self.patience;
        *self = Rest { patience, stiff_patience, ..Rest::NONE };
        Turn::Explicit
    }

    /// Records the end of a step.
    fn watch(&mut self, watched: Watched) -> Turn {
        if self.for_stiffness {
            return self.watch_stiff(watched);
        }
        let Watched { rests, stiffness, h, cost } = watched;
        let handed_over = self.is_handed_over();
        let stiff = !handed_over && stiffness > STIFF;
        let against = if stiff { self.against + 1.0 } else { 0.0 };
        if against >= cost * self.stiff_patience {
            (self.steps, self.against, self.explicit_step, self.gone) = (0.0, 0.0, h, 0.0);
            self.for_stiffness = true;
            return Turn::Implicit;
        }
        self.against = against;
        if !rests {
            let (patience, stiff_patience) = (self.patience, self.stiff_patience);
            *self = Rest { patience, against, stiff_patience, ..Rest::NONE };
            return if handed_over { Turn::Explicit } else { Turn::None };
        }
        self.steps += 1.0;
        let in_vain = self.steps % TRIAL == 0.0 && h < WORTHWHILE * cost * self.explicit_step;
        if handed_over && in_vain && self.strict {
            self.strict = false;
            Turn::Implicit
        } else if handed_over && in_vain {
            let (patience, stiff_patience) = (DOUBT * self.patience, self.stiff_patience);
            *self = Rest { patience, strict: false, stiff_patience, ..Rest::NONE };
            Turn::Explicit
        } else if !handed_over && self.steps >= self.patience {
            (self.steps, self.explicit_step) = (0.0, h);
            Turn::Implicit
        } else {
            Turn::None
        }
    }
}

/// The method of the next step.
enum Turn {
    /// The same method as before.
    None,
    /// The implicit one, with the accuracy of [`Rest::excess`].
    Implicit,
    Explicit,
}

/// Working memory of [`Resting`].
#[derive(Clone, Debug)]
pub struct RestingStepper<T, V> {
    explicit: T,
    /// Made when it is first needed.
    implicit: Option<Box<Radau5Stepper<V>>>,
    rest: Rest,
    /// Whether stiffness also switches the method.
    auto: bool,
}

/// Evaluates an expression with the stepper that works.
macro_rules! working {
    ($self:ident, $stepper:ident => $body:expr) => {
        match &$self.implicit {
            Some($stepper) if $self.rest.is_handed_over() => $body,
            _ => {
                let $stepper = &$self.explicit;
                $body
            }
        }
    };
    (mut $self:ident, $stepper:ident => $body:expr) => {
        match &mut $self.implicit {
            Some($stepper) if $self.rest.is_handed_over() => $body,
            _ => {
                let $stepper = &mut $self.explicit;
                $body
            }
        }
    };
}

impl<T: Stepper<V>, V: Vector> RestingStepper<T, V> {
    /// Gives the implicit stepper the current point.
    fn hand_over(&mut self) -> &mut Radau5Stepper<V> {
        let y = self.explicit.start();
        let implicit = self.implicit.get_or_insert_with(|| Box::new(Radau5.stepper(y.clone())));
        copy(y, implicit.start_mut());
        implicit.excess = self.rest.excess();
        implicit
    }

    /// Gives the explicit stepper the current point.
    fn take_back(&mut self) {
        if let Some(implicit) = &self.implicit {
            copy(implicit.start(), self.explicit.start_mut());
        }
    }
}

fn copy<V: Vector>(from: &V, to: &mut V) {
    to.as_mut_slice().copy_from_slice(from.as_slice());
}

impl<T: Stepper<V>, V: Vector> Dense for RestingStepper<T, V> {
    #[inline]
    fn interpolate(&self, theta: f64, first: usize, y: &mut [f64]) {
        working!(self, stepper => stepper.interpolate(theta, first, y));
    }
}

impl<T: Stepper<V>, V: Vector> Stepper<V> for RestingStepper<T, V> {
    const CONTROL: Control = T::CONTROL;
    const NODE_STRIDE: usize = T::NODE_STRIDE;
    const WATCHES_REST: bool = true;

    fn watches_stiffness(&self) -> bool {
        self.auto
    }

    fn watch_rest(&mut self, watched: Watched) -> bool {
        let handed_over = self.rest.is_handed_over();
        let turn = self.rest.watch(watched);
        let changes = !matches!(turn, Turn::None);
        if changes && handed_over {
            self.take_back();
        }
        if let Turn::Implicit = turn {
            self.hand_over();
        }
        changes
    }

    #[inline]
    fn handed_over(&self) -> Option<HandOver> {
        let why = if self.rest.for_stiffness { HandOver::Stiffness } else { HandOver::Rest };
        self.rest.is_handed_over().then_some(why)
    }

    #[inline]
    fn grown(&mut self, h: f64, ln_error: f64, ln_error_before: f64) -> f64 {
        working!(mut self, stepper => stepper.grown(h, ln_error, ln_error_before))
    }

    #[inline]
    fn shrunk(&mut self, h: f64, ln_error: f64) -> f64 {
        working!(mut self, stepper => stepper.shrunk(h, ln_error))
    }

    #[inline]
    fn retreated(&mut self, h: f64) -> f64 {
        working!(mut self, stepper => stepper.retreated(h))
    }

    #[inline]
    fn fixed_step(&self) -> Option<f64> {
        self.explicit.fixed_step()
    }

    fn memory(&self) -> Vec<f64> {
        let Rest { steps, patience, explicit_step, gone, against, stiff_patience, .. } = self.rest;
        let flags = [self.rest.strict, self.rest.for_stiffness];
        let [strict, stiff] = flags.map(|flag| f64::from(u8::from(flag)));
        let mut memory =
            vec![steps, patience, explicit_step, gone, strict, stiff, against, stiff_patience];
        memory.extend(working!(self, stepper => stepper.memory()));
        memory
    }

    fn recall(&mut self, memory: &[f64]) -> bool {
        let Some((
            &[steps, patience, explicit_step, gone, strict, stiff, against, stiff_patience],
            memory,
        )) = memory.split_first_chunk()
        else {
            return false;
        };
        let [strict, for_stiffness] = [strict, stiff].map(|flag| flag != 0.0);
        self.rest = Rest {
            steps,
            patience,
            explicit_step,
            gone,
            strict,
            for_stiffness,
            against,
            stiff_patience,
        };
        if !self.rest.is_handed_over() {
            return self.explicit.recall(memory);
        }
        let slope = self.explicit.start_slope().clone();
        let implicit = self.hand_over();
        implicit.set_slope(&slope);
        implicit.recall(memory)
    }

    fn restart<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
    ) -> Result<(), Fault> {
        working!(mut self, stepper => stepper.restart(problem, t))
    }

    #[inline]
    fn advance<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        admitted: &Admitted<V>,
    ) -> Result<(), Fault> {
        working!(mut self, stepper => stepper.advance(problem, t, h, admitted))
    }

    #[inline]
    fn error<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        admitted: &Admitted<V>,
    ) -> Result<f64, Fault> {
        working!(mut self, stepper => stepper.error(problem, t, h, admitted))
    }

    #[inline]
    fn end_slope<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
    ) -> Result<(), Fault> {
        working!(mut self, stepper => stepper.end_slope(problem, t, h))
    }

    #[inline]
    fn end_slope_and_guards<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        g: &mut S::Guards,
    ) -> Result<(), Fault> {
        working!(mut self, stepper => stepper.end_slope_and_guards(problem, t, h, g))
    }

    #[inline]
    fn prepare_dense<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        parts: &[Range<usize>],
    ) -> Result<(), Fault> {
        working!(mut self, stepper => stepper.prepare_dense(problem, t, h, parts))
    }

    #[inline]
    fn dense_is_doubtful(&self) -> bool {
        working!(self, stepper => stepper.dense_is_doubtful())
    }

    #[inline]
    fn sketches(&self) -> bool {
        working!(self, stepper => stepper.sketches())
    }

    #[inline]
    fn sketch(&mut self, h: f64, part: Range<usize>) {
        working!(mut self, stepper => stepper.sketch(h, part));
    }

    #[inline]
    fn sketched(&self, theta: f64, sign: f64, first: usize, y: &mut [f64]) {
        working!(self, stepper => stepper.sketched(theta, sign, first, y));
    }

    #[inline]
    fn bow(&self, component: usize) -> Bow {
        working!(self, stepper => stepper.bow(component))
    }

    fn enclose(&self, theta: [f64; 2], sketch: bool, first: usize, y: &mut [Enclosure]) {
        working!(self, stepper => stepper.enclose(theta, sketch, first, y));
    }

    #[inline]
    fn accept(&mut self) {
        working!(mut self, stepper => stepper.accept());
    }

    #[inline]
    fn start(&self) -> &V {
        working!(self, stepper => stepper.start())
    }

    /// For a transition, after which nothing rests; a system that was stiff mostly still is.
    fn start_mut(&mut self) -> &mut V {
        if self.rest.for_stiffness {
            (self.rest.steps, self.rest.against) = (0.0, 0.0);
        } else {
            if self.rest.is_handed_over() {
                self.take_back();
            }
            self.rest = Rest { stiff_patience: self.rest.stiff_patience, ..Rest::NONE };
        }
        working!(mut self, stepper => stepper.start_mut())
    }

    #[inline]
    fn end(&self) -> &V {
        working!(self, stepper => stepper.end())
    }

    #[inline]
    fn end_mut(&mut self) -> &mut V {
        working!(mut self, stepper => stepper.end_mut())
    }

    #[inline]
    fn start_slope(&self) -> &V {
        working!(self, stepper => stepper.start_slope())
    }

    #[inline]
    fn scratch(&mut self) -> (&V, &V, &mut V, &mut V) {
        working!(mut self, stepper => stepper.scratch())
    }

    #[inline]
    fn end_is_finite(&self) -> bool {
        working!(self, stepper => stepper.end_is_finite())
    }

    fn non_finite(&self) -> Option<usize> {
        working!(self, stepper => stepper.non_finite())
    }

    fn worst(&self, admitted: &Admitted<V>) -> usize {
        working!(self, stepper => stepper.worst(admitted))
    }

    fn into_start(self) -> V {
        match self.implicit {
            Some(implicit) if self.rest.is_handed_over() => implicit.into_start(),
            _ => self.explicit.into_start(),
        }
    }
}
