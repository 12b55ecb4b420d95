//! The coupling of bodies, and the places of their blocks.

use crate::blocks::Block;
use crate::formulation::Structure;
use crate::mechanism::Mechanism;
use crate::sparse::Symbolic;

/// The structure of the linear equations: one node for each body, then one for each group of up to three constraints between the
/// same two bodies.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) symbolic: Symbolic,
    /// The place of each node in the order of elimination.
    pub(super) place: Vec<usize>,
    pub(super) contacts: Vec<Tie>,
    pub(super) elements: Vec<Tie>,
    pub(super) frictions: Vec<Tie>,
    pub(super) groups: Vec<Group>,
    /// Entries that are not fill.
    pub(super) coupled: Vec<Coupled>,
}

/// The bodies of one part, without the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tie {
    /// Their frames.
    pub(super) bodies: [Option<usize>; 2],
    /// The entry of the two in [`Symbolic`].
    entry: Option<usize>,
}

/// Constraints between the same two bodies.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Their numbers.
    pub(super) rows: Vec<usize>,
    pub(super) tie: Tie,
    pub(super) node: usize,
    /// The entries of each body with the group.
    entries: [Option<usize>; 2],
}

/// Two coupled nodes, the one that is eliminated first in front, and their entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coupled {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) entry: usize,
}

/// Coefficients of 1, s and s² of a block.
pub(super) type Quadratic = [Block<f64>; 3];

/// The coefficients of all blocks.
#[derive(Clone, Debug)]
pub(super) struct Coefficients {
    /// In the order of elimination.
    pub(super) diagonal: Vec<Quadratic>,
    /// Of each entry, above and below the diagonal.
    pub(super) upper: Vec<Quadratic>,
    pub(super) lower: Vec<Quadratic>,
}

/// The place of a block in the order of elimination.
#[derive(Clone, Copy, Debug)]
pub(super) enum BlockPlace {
    Diagonal(usize),
    Upper(usize),
    Lower(usize),
}

impl Coefficients {
    /// The block of a tie in the rows of its body `row` and the columns of its body `column`, if both are there.
    pub(super) fn of_tie(
        &mut self,
        plan: &Plan,
        tie: &Tie,
        place: [usize; 2],
    ) -> Option<&mut Quadratic> {
        Some(match plan.find(tie, place)? {
            BlockPlace::Diagonal(k) => &mut self.diagonal[k],
            BlockPlace::Upper(entry) => &mut self.upper[entry],
            BlockPlace::Lower(entry) => &mut self.lower[entry],
        })
    }

    /// The blocks of a body of a group: that in the rows of the body, and that in the rows of the group.
    pub(super) fn of_group(
        &mut self,
        plan: &Plan,
        group: &Group,
        body: usize,
    ) -> Option<[&mut Quadratic; 2]> {
        let (node, entry) = (group.tie.bodies[body]? - 1, group.entries[body]?);
        let (upper, lower) = (&mut self.upper[entry], &mut self.lower[entry]);
        // The body's rows stand above the diagonal where the body is eliminated first.
        let first = plan.place[node] < plan.place[group.node];
        Some(if first { [upper, lower] } else { [lower, upper] })
    }
}

impl Plan {
    pub(super) fn new(mechanism: &Mechanism, structure: &Structure) -> Self {
        let bodies = structure.frames - 1;
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let mut known = std::collections::BTreeMap::new();
        let mut pair = |i: usize, j: usize| {
            let key = (i.min(j), i.max(j));
            *known.entry(key).or_insert_with(|| {
                pairs.push(key);
                pairs.len() - 1
            })
        };
        let mut tie = |[a, b]: [usize; 2]| {
            let body = |frame: usize| (frame != 0).then_some(frame);
            let bodies = [body(a), body(b).filter(|_| b != a)];
            let entry = match bodies {
                [Some(a), Some(b)] => Some(pair(a - 1, b - 1)),
                _ => None,
            };
            Tie { bodies, entry }
        };
        let mut contacts: Vec<Tie> =
            mechanism.contacts.iter().map(|contact| tie(contact.gap.frames())).collect();
        let mut elements: Vec<Tie> =
            mechanism.elements.iter().map(|element| tie(element.frames())).collect();
        let mut frictions: Vec<Tie> =
            mechanism.frictions.iter().map(|friction| tie(friction.row.frames())).collect();
        let mut groups: Vec<Group> = Vec::new();
        let mut open: std::collections::BTreeMap<[usize; 2], usize> =
            std::collections::BTreeMap::new();
        for (r, row) in structure.rows.iter().enumerate() {
            let [a, b] = row.frames();
            let frames = [a.min(b), a.max(b)];
            match open.get(&frames) {
                Some(&group) if groups[group].rows.len() < 3 => groups[group].rows.push(r),
                _ => {
                    open.insert(frames, groups.len());
                    let node = bodies + groups.len();
                    // The curvature of the constraints couples their bodies, too.
                    let tie = tie([a, b]);
                    groups.push(Group { rows: vec![r], tie, node, entries: [None; 2] });
                }
            }
        }
        for group in &mut groups {
            group.entries =
                group.tie.bodies.map(|body| body.map(|body| pair(body - 1, group.node)));
        }
        let size = bodies + groups.len();
        let symbolic = Symbolic::with_waiting(size, &pairs, |node| node >= bodies);
        let mut place = vec![0; size];
        symbolic.order.iter().enumerate().for_each(|(k, &node)| place[node] = k);
        // From now on entries are those of the factors.
        let entry = |pair: &mut Option<usize>| *pair = pair.map(|pair| symbolic.target[pair]);
        let ties = contacts.iter_mut().chain(&mut elements).chain(&mut frictions);
        ties.for_each(|tie| entry(&mut tie.entry));
        for group in &mut groups {
            entry(&mut group.tie.entry);
            group.entries.iter_mut().for_each(entry);
        }
        let coupled = pairs.iter().zip(&symbolic.target).map(|(&(i, j), &entry)| {
            let (first, second) = if place[i] < place[j] { (i, j) } else { (j, i) };
            Coupled { first, second, entry }
        });
        let coupled = coupled.collect();
        Plan { symbolic, place, contacts, elements, frictions, groups, coupled }
    }

    /// Where the block of a tie in the rows of its body `row` and the columns of its body `column` stands.
    pub(super) fn find(&self, tie: &Tie, [row, column]: [usize; 2]) -> Option<BlockPlace> {
        let (r, c) = (self.place[tie.bodies[row]? - 1], self.place[tie.bodies[column]? - 1]);
        Some(if row == column {
            BlockPlace::Diagonal(r)
        } else if r < c {
            BlockPlace::Upper(tie.entry?)
        } else {
            BlockPlace::Lower(tie.entry?)
        })
    }

    pub(super) fn coefficients(&self) -> Coefficients {
        let zero = [[[0.0; 3]; 3]; 3];
        let entries = self.symbolic.row.len();
        Coefficients {
            diagonal: vec![zero; self.symbolic.order.len()],
            upper: vec![zero; entries],
            lower: vec![zero; entries],
        }
    }
}
