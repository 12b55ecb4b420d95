use super::*;

/// Twice the area to the left of a closed chain, by many short pieces.
fn area(outline: &Outline) -> f64 {
    const PIECES: usize = 20_000;
    let pieces = |shape: Shape| {
        (0..PIECES).map(move |i| [i, i + 1].map(|i| shape.point(i as f64 / PIECES as f64)))
    };
    let points = outline.sections().iter().flat_map(|section| pieces(section.shape));
    points.map(|[a, b]| 0.5 * (a[0] * b[1] - a[1] * b[0])).sum()
}

#[test]
fn exact_area_of_a_slot() {
    // A rectangle and a circle.
    let straight = Outline::slot([1.0, 2.0], [4.0, 6.0], [0.5, 0.5]);
    assert!((area(&straight) - (5.0 + 0.25 * PI)).abs() < 1e-7);
    assert_eq!(straight.first_break(), None);
    assert_eq!(
        straight.neighbours(),
        [3, 0, 1, 2]
            .map(Some)
            .into_iter()
            .zip([1, 2, 3, 0].map(Some))
            .map(|(a, b)| [a, b])
            .collect::<Vec<_>>()
    );
    // Two circles that touch the same two lines, which meet at 30° on both sides of the middle.
    let tapered = Outline::slot([0.0, 0.0], [2.0, 0.0], [1.0, 2.0]);
    let lean: f64 = 30.0_f64.to_radians();
    let flats = 2.0 * 0.5 * (1.0 + 2.0) * 2.0 * lean.cos();
    let ends = 0.5 * (PI - 2.0 * lean) + 0.5 * 4.0 * (PI + 2.0 * lean);
    assert!((area(&tapered) - (flats + ends)).abs() < 1e-6);
    assert_eq!(tapered.first_break(), None);
    assert!(tapered.neighbours().iter().flatten().all(Option::is_some));
}

#[test]
fn exact_area_of_a_curved_slot() {
    let angles = [120.0_f64.to_radians(), 240.0_f64.to_radians()];
    let slot = Outline::curved_slot([0.3, -0.1], 0.06, angles, 0.008);
    // Pappus: the width times the way of its middle.
    let exact = 0.016 * 0.06 * (angles[1] - angles[0]) + PI * 0.008 * 0.008;
    assert!((area(&slot) - exact).abs() < 1e-9);
    assert_eq!(slot.first_break(), None);
    assert!(slot.neighbours().iter().flatten().all(Option::is_some));
    let radii: Vec<_> = slot.sections().iter().map(|s| s.shape.surface_radius()).collect();
    let round = |r: Option<f64>| (r.expect("an arc") * 1e6).round();
    assert_eq!(radii.into_iter().map(round).collect::<Vec<_>>(), [-68e3, -8e3, 52e3, -8e3]);
}

#[test]
fn exact_a_slot_without_length_is_a_circle() {
    let slot = Outline::slot([0.1, 0.2], [0.1, 0.2], [0.3, 0.3]);
    assert!((area(&slot) - 0.09 * PI).abs() < 1e-7);
    assert_eq!(slot.neighbours(), [[None, None]]);
    // So is one whose smaller circle lies in the greater.
    let slot = Outline::slot([0.1, 0.2], [0.15, 0.2], [0.3, 0.2]);
    assert!((area(&slot) - 0.09 * PI).abs() < 1e-7);
}

/// An S of two quarter circles and the straight pieces before, between and behind them: Pappus again.
#[test]
fn exact_area_of_a_channel() {
    let (r, w) = (1.0, 0.3);
    let middle = [
        Shape::Flat { from: [-2.0, 0.0], to: [0.0, 0.0] },
        Shape::Arc { centre: [0.0, r], radius: r, from_angle: -PI / 2.0, sweep: PI / 2.0 },
        Shape::Flat { from: [r, r], to: [r, 2.0 * r] },
        Shape::Arc { centre: [2.0 * r, 2.0 * r], radius: r, from_angle: PI, sweep: -PI / 2.0 },
    ];
    let closed = Outline::channel(&middle, w, [false, false]);
    let [slot] = &closed[..] else { panic!("one chain") };
    assert_eq!(slot.first_break(), None);
    assert!(slot.neighbours().iter().flatten().all(Option::is_some));
    let exact = 2.0 * w * (2.0 + PI * r + r) + PI * w * w;
    assert!((area(slot) - exact).abs() < 1e-7, "{} {exact}", area(slot));
    // Open, its walls are those without the arc, and a corner at each mouth.
    let open = Outline::channel(&middle, w, [false, true]);
    let [slot] = &open[..] else { panic!("one chain") };
    assert_eq!(slot.sections().len(), 4 + 1 + 4 + 2);
    assert_eq!(slot.first_break(), None);
    assert_eq!(Outline::channel(&middle, w, [true, true]).len(), 2);
}

/// A square hole has corners that point away, a square bolt corners that point into free space, each a quarter turn.
#[test]
fn exact_corners_of_a_square() {
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let flat = |from, to| Section { region: Region::Flat, shape: Shape::Flat { from, to } };
    let hole = Outline::new((0..4).map(|i| flat(corners[i], corners[(i + 1) % 4])), true);
    assert_eq!(hole.sections().len(), 4);
    assert!(hole.neighbours().iter().flatten().all(Option::is_none));
    let bolt = Outline::new((0..4).map(|i| flat(corners[(4 - i) % 4], corners[3 - i])), true);
    assert_eq!(bolt.sections().len(), 8);
    assert_eq!(bolt.first_break(), None);
    assert!(bolt.neighbours().iter().flatten().all(Option::is_some));
    let turns = bolt.sections().iter().filter_map(|section| match section.shape {
        Shape::Arc { sweep, .. } => Some(sweep),
        Shape::Flat { .. } => None,
    });
    assert!((turns.sum::<f64>() + TAU).abs() < 1e-12);
}

#[test]
fn exact_ends_of_an_open_flat() {
    let flat = Outline::flat([0.0, 0.0], [2.0, 0.0]);
    assert_eq!(flat.sections().len(), 3);
    assert_eq!(flat.first_break(), None);
    // Its ends face up, outward and down.
    let [head, _, tail] = flat.sections() else { panic!("three sections") };
    let facing = |s: &Section, part: f64| match s.shape {
        Shape::Arc { from_angle, sweep, .. } => (from_angle + part * sweep).sin_cos(),
        Shape::Flat { .. } => panic!("a corner"),
    };
    for (part, [x, y]) in [(0.0, [0.0, -1.0]), (0.5, [-1.0, 0.0]), (1.0, [0.0, 1.0])] {
        let (sin, cos) = facing(head, part);
        assert!((cos - x).abs() < 1e-12 && (sin - y).abs() < 1e-12, "{part}: {cos} {sin}");
        let (sin, cos) = facing(tail, part);
        assert!((cos + x).abs() < 1e-12 && (sin + y).abs() < 1e-12, "{part}: {cos} {sin}");
    }
}
