//! `corpus lint`: every reason why a corpus would mislead a score, give a label away or fault a round, all at once.

mod artifact;
mod label;
mod names;
mod planted;
mod problem;
mod task;
mod whole;

pub use problem::{Code, Problem};

use crate::error::CorpusError;
use crate::limits::Limits;
use crate::locate::locate;
use crate::manifest::{scan, split_ref};
use problem::Problems;
use serde::{Deserialize, Serialize};
use std::path::Path;
use task::TaskView;

/// What lint found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LintReport {
    /// Task folders that were looked at.
    pub tasks: usize,
    /// Every problem, sorted by file, line and code; none means fit.
    pub problems: Vec<Problem>,
}

/// Checks the corpus at `dir` (or `dir/data`) and collects every problem.
///
/// # Errors
/// [`CorpusError::NotACorpus`] and [`CorpusError::Read`] when the folder itself cannot be listed.
pub fn lint(dir: &Path) -> Result<LintReport, CorpusError> {
    let dir = locate(dir)?;
    let mut problems = Problems::new(&dir);
    whole::check_entries(&dir, &mut problems);
    let mut tasks = Vec::new();
    let (folders, oddities) = scan(&dir)?;
    for oddity in &oddities {
        problems.add(&oddity.path, Code::of(oddity.kind), oddity.reason.clone());
    }
    for (task_ref, folder) in folders {
        let Some((track, name)) = split_ref(&task_ref) else {
            continue;
        };
        let task = TaskView::read(track, name, &folder, Limits::default(), &mut problems);
        artifact::check(&task, &mut problems);
        label::check(&task, &mut problems);
        planted::check(&task, &mut problems);
        tasks.push(task);
    }
    whole::check_tasks(&dir, &tasks, &mut problems);
    Ok(LintReport {
        tasks: tasks.len(),
        problems: problems.into_sorted(),
    })
}
