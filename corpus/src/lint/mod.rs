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
use mechanism::ids::Hash32;
use mechanism::track::Track;
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
        tasks.push(check_task(track, name, &folder, &mut problems));
    }
    whole::check_tasks(&dir, &tasks, &mut problems);
    Ok(LintReport {
        tasks: tasks.len(),
        problems: problems.into_sorted(),
    })
}

/// Checks one task by every rule that needs no other task.
fn check_task(track: Track, name: &str, folder: &Path, problems: &mut Problems) -> TaskView {
    let task = TaskView::read(track, name, folder, Limits::default(), problems);
    artifact::check(&task, problems);
    label::check(&task, problems);
    planted::check(&task, problems);
    task
}

/// Checks the task at `folder` alone, as if it stood in the track's folder; also gives the artifact's hash, if all of it
/// could be read. Entries in `beside` may stand beside artifact and label.
pub(crate) fn lint_alone(
    track: Track,
    name: &str,
    folder: &Path,
    beside: &[&str],
) -> (Vec<Problem>, Option<Hash32>) {
    let mut problems = Problems::new(folder);
    whole::check_task_entries(folder, beside, &mut problems);
    let task = check_task(track, name, folder, &mut problems);
    (problems.into_sorted(), task.artifact)
}
