//! Studies for a crew: the data that it needs, and the runs that it makes.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::folder::write;
use super::open::variants;
use super::{STUDY, Study, StudyError, Work};
use crate::case::Loaded;
use crate::measurement::DATA;
use crate::own::OwnMetrics;
use crate::sweep::Cancellation;
use crate::trials;

impl Study {
    /// The files by which anybody can make the runs of the study, by name: study, model, tables and data.
    ///
    /// # Errors
    /// [`StudyError`] if the study or its model cannot be written.
    pub fn files(&self) -> Result<BTreeMap<String, String>, StudyError> {
        let mut files = self.tables();
        files.insert(STUDY.to_owned(), self.text(None)?);
        files.insert("model.toml".to_owned(), self.case().written()?);
        if let Work::Identification(search) = &self.work {
            files.insert(DATA.to_owned(), search.data.text.to_string());
        }
        Ok(files)
    }

    /// Puts the files of a study into a folder and reads them there.
    ///
    /// # Errors
    /// [`StudyError`].
    pub fn of_files(
        files: &BTreeMap<String, String>,
        folder: &Path,
        own: Option<Arc<dyn OwnMetrics>>,
    ) -> Result<Self, StudyError> {
        for (name, text) in files {
            write(folder, name, text.as_bytes())?;
        }
        Study::open_measured_by(&folder.join(STUDY), own)
    }

    /// The tables that models of the study refer to.
    pub(super) fn tables(&self) -> BTreeMap<String, String> {
        let models: Vec<Loaded> = match &self.work {
            Work::Survey(survey) => {
                variants(survey.points.varies(), &self.first, |levels| survey.case_with(levels))
            }
            Work::Diagram(diagram) => {
                let varies = std::slice::from_ref(&diagram.vary);
                variants(varies, &self.first, |levels| diagram.case_with(levels))
            }
            Work::Identification(search) => {
                let laws = search.laws.iter().filter_map(|law| search.with_law(law).load().ok());
                laws.chain([self.first.clone()]).collect()
            }
            Work::Optimisation(_) => vec![self.first.clone()],
        };
        let tables = models.iter().flat_map(Loaded::tables);
        tables.map(|(name, text)| (name.to_owned(), text.to_owned())).collect()
    }

    /// Makes the runs of errands that share a context, as a [`Crew`](crate::crew::Crew) was given them; their rows, or `None` if it was interrupted.
    ///
    /// # Errors
    /// If the errands are not those of this study.
    pub fn answer(
        &self,
        context: &str,
        errands: &[String],
        stop: &Cancellation,
    ) -> Result<Option<Vec<Vec<String>>>, String> {
        match &self.work {
            Work::Survey(survey) => survey.answer(errands, stop),
            Work::Diagram(diagram) => diagram.answer(errands, stop),
            Work::Optimisation(search) => {
                trials::answer((&search.case, &search.bounds), context, errands, stop)
            }
            Work::Identification(search) => {
                trials::answer((&search.case, &search.bounds), context, errands, stop)
            }
        }
    }
}
