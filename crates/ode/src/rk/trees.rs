//! The order conditions of a Runge–Kutta method, one for each rooted tree (Hairer, Nørsett, Wanner, *Solving
//! Ordinary Differential Equations I*, 2nd ed., Springer 1993, section II.2). For tests.

/// A rooted tree by its sub-trees, given as places in the list of all trees.
struct Tree {
    order: usize,
    density: f64,
    children: Vec<usize>,
}

/// All rooted trees of at most this order; one of order `n` comes after all of smaller order.
fn trees(max_order: usize) -> Vec<Tree> {
    let mut list: Vec<Tree> = Vec::new();
    for order in 1..=max_order {
        let mut forests = Vec::new();
        collect_forests(&list, order - 1, list.len(), &mut Vec::new(), &mut forests);
        for children in forests {
            let of_children: f64 = children.iter().map(|&c: &usize| list[c].density).product();
            let density = order as f64 * of_children;
            list.push(Tree { order, density, children });
        }
    }
    list
}

/// All multisets of trees, each before `end` in the list, whose orders add up to `order`.
fn collect_forests(
    list: &[Tree],
    order: usize,
    end: usize,
    chosen: &mut Vec<usize>,
    out: &mut Vec<Vec<usize>>,
) {
    if order == 0 {
        out.push(chosen.clone());
    }
    for tree in (0..end).filter(|&tree| list[tree].order <= order) {
        chosen.push(tree);
        collect_forests(list, order - list[tree].order, tree + 1, chosen, out);
        chosen.pop();
    }
}

/// The greatest difference between the sum of a row and its node.
pub(super) fn worst_row_sum(rows: &[&[f64]], nodes: &[f64]) -> f64 {
    assert_eq!(rows.len(), nodes.len());
    let off = |(row, c): (&&[f64], &f64)| (row.iter().sum::<f64>() - c).abs();
    rows.iter().zip(nodes).map(off).fold(0.0, f64::max)
}

/// The number of conditions up to `order`, and the greatest residual of any for the weights `b` of a method
/// whose stage `i` has the coefficients `a[i]`.
pub(super) fn worst_residual(a: &[&[f64]], b: &[f64], order: usize) -> (usize, f64) {
    worst_residual_at(1.0, a, b, order)
}

/// The same for the weights `b` of the solution at the fraction `theta` of the step.
pub(super) fn worst_residual_at(theta: f64, a: &[&[f64]], b: &[f64], order: usize) -> (usize, f64) {
    let list = trees(order);
    let mut weights: Vec<Vec<f64>> = Vec::new();
    let mut worst = 0.0_f64;
    for tree in &list {
        let stage = |row: &&[f64]| {
            let of_child = |&child: &usize| {
                let terms = row.iter().zip(&weights[child]);
                terms.map(|(a, weight)| a * weight).sum::<f64>()
            };
            tree.children.iter().map(of_child).product::<f64>()
        };
        let weight: Vec<f64> = a.iter().map(stage).collect();
        let sum: f64 = b.iter().zip(&weight).map(|(b, weight)| b * weight).sum();
        let exact = (0..tree.order).fold(1.0, |power, _| power * theta) / tree.density;
        worst = worst.max((sum - exact).abs());
        weights.push(weight);
    }
    (list.len(), worst)
}
