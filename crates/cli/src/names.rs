//! Lists of names as one argument.

/// Names separated by commas; commas inside the brackets of a formula belong to the formula.
#[derive(Clone, Debug)]
pub(crate) struct Names(pub(crate) Vec<String>);

impl std::str::FromStr for Names {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut depth = 0_i32;
        let parts = text.split(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            c == ',' && depth <= 0
        });
        let names: Vec<String> = parts.map(|name| name.trim().to_owned()).collect();
        let mut numbered = names.iter().enumerate();
        match numbered.find(|(k, name)| names[..*k].contains(name)) {
            Some((_, name)) => Err(format!("'{name}' is given twice")),
            None => Ok(Names(names)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_commas_of_formulas_do_not_separate() {
        let Names(names) =
            "hertz, formula:max(delta,0)*1e9,formula:min(1,max(0,delta))".parse().expect("names");
        assert_eq!(names, ["hertz", "formula:max(delta,0)*1e9", "formula:min(1,max(0,delta))"]);
        assert!("hertz,flores,hertz".parse::<Names>().is_err());
    }
}
