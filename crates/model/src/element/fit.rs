//! The fit of the two sides of a joint: ideal, elastic, or with clearance.

use jointplay_contact::catalog::{FrictionKind, Inputs, unknown_numbers};
use jointplay_contact::friction::FrictionLaw;
use jointplay_mbd::{Axis, Bushing, DryFriction, GROUND, JointFriction};

use super::bushing;
use super::contact_spec::{friction_laws, numbers};
use crate::format::{NUMBER, f};
use crate::iso286::IsoFit;
use crate::law::split_hint;
use crate::lower::{Lower, View};
use crate::shape::{Field, Kind, Omitted};
use crate::units::Dimension;
use crate::word::{Word, words};

/// The key that switches a joint.
pub(super) const KIND: Field =
    f("kind", Kind::Choice(FitWord::WORDS), "how the joint is realised; ideal by default")
        .omitted(Omitted::Word("ideal"));

/// The `kind` of a joint. One that has no clearance admits fewer words.
#[derive(Clone, Copy)]
enum FitWord {
    Ideal,
    Bushing,
    Clearance,
}

words!(FitWord { Ideal = "ideal", Bushing = "bushing", Clearance = "clearance" });

/// Below this fraction of the radius (or this many metres) a clearance is lost in the rounding of positions.
const LEAST_CLEARANCE: f64 = 1e-11;

/// The fit of the two sides of a joint, with the data of each kind.
#[derive(Clone, Debug)]
pub(crate) enum Fit<I, C> {
    /// A constraint.
    Ideal(I),
    /// An elastic bearing.
    Bushing(Bushing),
    /// A gap that contacts close.
    Clearance(C),
}

impl Fit<(), ()> {
    /// Reads the word, and the numbers of a bushing.
    pub(super) fn read(lower: &mut Lower<'_, '_>, view: &View<'_>, ends: &Ends) -> Option<Self> {
        match view.word("kind").unwrap_or(FitWord::Ideal) {
            FitWord::Ideal => Some(Fit::Ideal(())),
            FitWord::Bushing => Some(Fit::Bushing(bushing::numbers(lower, view, ends)?)),
            FitWord::Clearance => Some(Fit::Clearance(())),
        }
    }

    /// The same with what goes with an ideal joint and with one with clearance, which is read only if the joint has it.
    pub(super) fn with<I, C>(
        self,
        ideal: I,
        clearance: impl FnOnce() -> Option<C>,
    ) -> Option<Fit<I, C>> {
        Some(match self {
            Fit::Ideal(()) => Fit::Ideal(ideal),
            Fit::Bushing(bushing) => Fit::Bushing(bushing),
            Fit::Clearance(()) => Fit::Clearance(clearance()?),
        })
    }
}

impl<I, C> Fit<I, C> {
    /// What goes with an ideal joint.
    pub(super) fn ideal(&self) -> Option<&I> {
        match self {
            Fit::Ideal(ideal) => Some(ideal),
            Fit::Bushing(_) | Fit::Clearance(_) => None,
        }
    }

    /// What goes with a joint with clearance.
    pub(super) fn clearance(&self) -> Option<&C> {
        match self {
            Fit::Clearance(clearance) => Some(clearance),
            Fit::Ideal(_) | Fit::Bushing(_) => None,
        }
    }

    /// The same, to be changed.
    pub(super) fn clearance_mut(&mut self) -> Option<&mut C> {
        match self {
            Fit::Clearance(clearance) => Some(clearance),
            Fit::Ideal(_) | Fit::Bushing(_) => None,
        }
    }
}

/// The places of an element on two bodies. A place that could not be read is replaced by one on the
/// ground, so that the rest can be checked.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    pub(super) a: Axis,
    pub(super) b: Axis,
    /// Whether both could be read.
    pub(super) known: bool,
}

impl Ends {
    /// Points with directions, by the keys `a` and `b`.
    pub(super) fn axes(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Self {
        Self::of(lower.axis_of(view, "a"), lower.axis_of(view, "b"))
    }

    /// Points, by the keys `a` and `b`.
    pub(super) fn points(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Self {
        let [a, b] = ["a", "b"].map(|key| lower.point_of(view, key).map(Axis::from));
        Self::of(a, b)
    }

    fn of(a: Option<Axis>, b: Option<Axis>) -> Self {
        let stand_in = || Axis::from(GROUND.origin());
        Ends {
            known: a.is_some() && b.is_some(),
            a: a.unwrap_or_else(stand_in),
            b: b.unwrap_or_else(stand_in),
        }
    }

    /// That both could be read and are on two bodies.
    pub(super) fn check(&self, lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<()> {
        if !self.known {
            return None;
        }
        lower.two_bodies(view, self.a.anchor.body, self.b.anchor.body)
    }
}

/// A size of a joint that sets its clearance, for a knob: the size is offset + factor · clearance.
pub(crate) struct ClearanceKey {
    /// The key of the size.
    pub(crate) size: &'static str,
    pub(crate) offset: f64,
    pub(crate) factor: f64,
    /// The clearance (m).
    pub(crate) value: f64,
    /// Its greatest value (m).
    pub(crate) most: f64,
    /// The keys of both sizes, where the clearance may be given instead of one of them.
    pub(crate) sizes: Option<[&'static str; 2]>,
}

/// The keys of a fit, in addition to those of the sizes.
pub(super) const FIT: &[Field] = &[
    f(
        "fit",
        Kind::Name,
        "both sizes by a fit of ISO 286, such as \"20 H7/g6\", nominal size in mm",
    ),
    f(
        "fit_hole",
        NUMBER,
        "place of the outer size in its zone: 0 the smallest, 1 the largest; 0.5 by default",
    )
    .omitted(Omitted::Number(0.5)),
    f("fit_shaft", NUMBER, "place of the inner size in its zone; 0.5 by default")
        .omitted(Omitted::Number(0.5)),
];

/// The key of the law of dry friction.
pub(super) const FRICTION_LAW: Field =
    f("law", Kind::Law(friction_laws), "friction law; coulomb-tanh by default");

/// Friction of an ideal joint; dry friction acts at this size of the pin or block.
pub(super) fn friction(
    lower: &mut Lower<'_, '_>,
    view: &View<'_>,
    size: &'static str,
    viscous: Dimension,
    dry: impl Fn(FrictionLaw, f64) -> DryFriction,
) -> Option<JointFriction> {
    let table = view.view("friction")?;
    let viscous = lower.not_negative(&table, "viscous_damping", viscous).unwrap_or(0.0);
    let numbers = numbers(&table);
    let mut friction = JointFriction::viscous(viscous);
    if table.has("law") || !numbers.is_empty() {
        let kind = match table.text("law") {
            None => FrictionKind::CoulombTanh,
            Some(name) => match name.parse() {
                Ok(kind) => kind,
                Err(problem) => {
                    let (message, hint) = split_hint(&problem);
                    lower.report(&table, "law", message, hint);
                    return None;
                }
            },
        };
        let inputs = Inputs { numbers, ..Inputs::default() };
        let unknown = unknown_numbers(&inputs, kind.id(), &[kind.sheet()]);
        let built = kind.build(&inputs).map_err(|problems| problems.0);
        for problem in unknown.iter().chain(built.as_ref().err().into_iter().flatten()) {
            let (message, hint) = split_hint(problem);
            lower.report_whole(&table, message, hint);
        }
        let radius = lower.positive(&table, size, Dimension::Length);
        if !table.has(size) {
            let hint = Some(format!("write {size} = \"10 mm\""));
            lower.report_whole(&table, format!("dry friction needs `{size}`"), hint);
        }
        if let Some((law, size)) = built.ok().zip(radius) {
            friction.dry = dry(law, size);
        }
    }
    Some(friction)
}

/// Outer size, inner size and gap by the fit of a joint. The gap is a given fraction of the difference of the sizes: all of it for
/// radii, half of it for heights, which are as large as a diameter.
fn fitted(
    lower: &mut Lower<'_, '_>,
    view: &View<'_>,
    sizes: [&'static str; 3],
    part: f64,
) -> Option<(f64, f64, f64)> {
    let before = lower.problems.count();
    for key in sizes.into_iter().filter(|key| view.has(key)) {
        let hint = Some(format!("give `fit`, or two of `{}`", sizes.join("`, `")));
        lower.report(view, key, "the fit has both sizes already", hint);
    }
    let fit = IsoFit::parse(view.text("fit")?)
        .map_err(|(message, hint)| lower.report(view, "fit", message, hint))
        .ok();
    let places = ["fit_hole", "fit_shaft"].map(|key| {
        let place = view.quantity(key, Dimension::Number).unwrap_or(0.5);
        if !(0.0..=1.0).contains(&place) {
            lower.report(view, key, format!("{place} is not in [0, 1]"), None);
        }
        place
    });
    let fit = fit.filter(|_| lower.problems.count() == before)?;
    let [hole, shaft] = fit.diameters(places[0], places[1]);
    if !(hole - shaft >= 2.0 * LEAST_CLEARANCE) {
        let [hole, shaft] = [hole, shaft].map(|d| format!("{:.4} mm", d * 1e3));
        let message = format!("no clearance: the hole has {hole}, the shaft {shaft}");
        let hint = Some("choose a looser fit, or kind = \"ideal\"".to_owned());
        lower.report(view, "fit", message, hint);
        return None;
    }
    let scale = 0.5 / part;
    Some((scale * hole, scale * shaft, 0.5 * (hole - shaft)))
}

/// Reads an outer size, an inner size and the gap between them, of which two are given, or a fit; the gap is a given fraction
/// of the difference of the sizes.
pub(super) fn play(
    lower: &mut Lower<'_, '_>,
    view: &View<'_>,
    outer: &'static str,
    inner: &'static str,
    part: f64,
) -> Option<(f64, f64, f64)> {
    if view.has("fit") {
        return fitted(lower, view, [outer, inner, "clearance"], part);
    }
    if let Some(key) = ["fit_hole", "fit_shaft"].into_iter().find(|key| view.has(key)) {
        lower.report(view, key, "there is no `fit`", None);
    }
    let before = lower.problems.count();
    let sizes = [outer, inner].map(|key| lower.positive(view, key, Dimension::Length));
    let gap = view.quantity("clearance", Dimension::Length);
    if let Some(gap) = gap.filter(|gap| !(*gap > 0.0)) {
        let hint = Some("use kind = \"ideal\" for a joint without clearance".to_owned());
        lower.report(view, "clearance", format!("{gap}: it must be above 0"), hint);
    }
    let given = [outer, inner, "clearance"].into_iter().filter(|key| view.has(key)).count();
    if given < 2 {
        let hint = Some(format!("give two of `{outer}`, `{inner}`, `clearance`, or a `fit`"));
        lower.report_whole(view, "a clearance joint needs its sizes", hint);
    }
    if lower.problems.count() > before {
        return None;
    }
    let (large, small, gap) = match (sizes, gap) {
        ([Some(large), Some(small)], None) => (large, small, part * (large - small)),
        ([Some(large), None], Some(gap)) => (large, large - gap / part, gap),
        ([None, Some(small)], Some(gap)) => (small + gap / part, small, gap),
        ([Some(large), Some(small)], Some(gap)) => {
            let of_sizes = part * (large - small);
            if (gap - of_sizes).abs() > 1e-9 * gap {
                let message =
                    format!("{gap} m differs from the clearance of the given sizes, {of_sizes} m");
                lower.report(view, "clearance", message, Some("give two of the three".into()));
                return None;
            }
            (large, small, gap)
        }
        ([_, None] | [None, _], None) | ([None, None], Some(_)) => return None,
    };
    if !(small > 0.0 && gap > 0.0) {
        let key = if view.has(inner) { inner } else { outer };
        let message = format!("{inner} ({small} m) must be above 0 and below {outer} ({large} m)");
        lower.report(view, key, message, Some("did you swap the two?".into()));
        return None;
    }
    if !(gap >= LEAST_CLEARANCE * large.max(1.0)) {
        let key = if view.has("clearance") { "clearance" } else { inner };
        let message =
            format!("a clearance of {gap:e} m is too small to be resolved in double precision");
        let hint = Some("use kind = \"ideal\" for a joint without clearance".to_owned());
        lower.report(view, key, message, hint);
        return None;
    }
    Some((large, small, gap))
}
