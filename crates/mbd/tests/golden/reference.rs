//! Reading of the reference data under `golden/mechanisms-*`.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[path = "../../../../testing/rows.rs"]
mod rows;

pub(crate) use rows::{Row, rows};

/// Inputs and reference values of one case.
pub(crate) struct Case {
    pub(crate) name: String,
    parameters: HashMap<String, f64>,
    /// Times and values of each quantity.
    data: BTreeMap<String, Vec<(f64, f64)>>,
    compared: RefCell<BTreeSet<String>>,
}

impl Case {
    /// A case of the folder `golden/mechanisms-{family}` with the parameters of the same name.
    pub(crate) fn read(family: &str, name: &str) -> Case {
        Case::with_parameters(family, name, name)
    }

    /// A case that shares its parameters with others.
    pub(crate) fn with_parameters(family: &str, name: &str, parameters: &str) -> Case {
        let mut case = Case::parameters_only(family, parameters);
        name.clone_into(&mut case.name);
        for row in rows(&format!("mechanisms-{family}/data.csv")) {
            if row.text("case") == name {
                let series = case.data.entry(row.text("quantity").to_owned()).or_default();
                series.push((row.number("t"), row.number("value")));
            }
        }
        assert!(!case.data.is_empty(), "no case `{name}` in {family}");
        case
    }

    /// A case without values: where they are no functions of time.
    pub(crate) fn parameters_only(family: &str, name: &str) -> Case {
        let parameters: HashMap<_, _> = rows(&format!("mechanisms-{family}/parameters.csv"))
            .iter()
            .filter(|row| row.text("case") == name)
            .map(|row| (row.text("parameter").to_owned(), row.number("value")))
            .collect();
        assert!(!parameters.is_empty(), "no case `{name}` in {family}");
        let (data, compared) = (BTreeMap::new(), RefCell::default());
        Case { name: name.to_owned(), parameters, data, compared }
    }

    /// A parameter.
    pub(crate) fn get(&self, parameter: &str) -> f64 {
        let found = self.parameters.get(parameter);
        *found.unwrap_or_else(|| panic!("`{}` has no parameter `{parameter}`", self.name))
    }

    /// Two parameters, such as the coordinates of a point.
    pub(crate) fn pair(&self, x: &str, y: &str) -> [f64; 2] {
        [self.get(x), self.get(y)]
    }

    /// Times and values of a quantity.
    pub(crate) fn series(&self, quantity: &str) -> &[(f64, f64)] {
        self.compared.borrow_mut().insert(quantity.to_owned());
        let found = self.data.get(quantity);
        found.unwrap_or_else(|| panic!("`{}` has no quantity `{quantity}`", self.name))
    }

    /// The one value of a quantity that is no function of time, with the time that belongs to it.
    pub(crate) fn single(&self, quantity: &str) -> (f64, f64) {
        let series = self.series(quantity);
        assert_eq!(series.len(), 1, "{quantity} is a series");
        series[0]
    }

    /// The times of all series, ascending.
    pub(crate) fn times(&self) -> Vec<f64> {
        let series = self.data.values().filter(|series| series.len() > 1);
        let mut times: Vec<f64> = series.flatten().map(|&(t, _)| t).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }

    /// Fails if a quantity of the folder was not compared with anything.
    pub(crate) fn assert_complete(&self) {
        let compared = self.compared.borrow();
        let left: Vec<_> = self.data.keys().filter(|key| !compared.contains(*key)).collect();
        assert!(left.is_empty(), "{}: nobody looked at {left:?}", self.name);
    }
}

/// The printed digits of a public benchmark: case, quantity, time, value, half a unit of the last digit.
pub(crate) fn published(family: &str) -> Vec<(String, String, f64, f64, f64)> {
    rows(&format!("mechanisms-{family}/published.csv"))
        .iter()
        .map(|row| {
            let printed = row.text("printed");
            let decimals = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
            let half = 0.5 * 0.1_f64.powi(i32::try_from(decimals).expect("a few digits"));
            let (case, quantity) = (row.text("case").to_owned(), row.text("quantity").to_owned());
            (case, quantity, row.number("t"), row.number("printed"), half)
        })
        .collect()
}
