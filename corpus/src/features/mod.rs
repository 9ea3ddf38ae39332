//! `corpus lint --features`: how well can a label be guessed from a single feature of the artifact, without any look at
//! what the code does? Where it can, agents are paid for a tell of the corpus and not for judgement.

mod extract;
mod judge;
mod prose;
mod rule;
mod shuffle;

pub use judge::{AIM, FeatureScore, GATE_TASKS, SPLITS, TrackFeatures};

use crate::error::CorpusError;
use crate::limits::Limits;
use crate::lint::{Code, Problem};
use crate::locate::locate;
use crate::manifest::{split_ref, task_folders};
use crate::walk::{hash_file, walk};
use extract::{Reader, Seen};
use mechanism::label::{Class, Label};
use mechanism::track::Track;
use rule::Column;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The features of a corpus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeatureReport {
    /// By behavioural track; tracks without a task are left out.
    pub tracks: BTreeMap<Track, TrackFeatures>,
}

impl FeatureReport {
    /// The features that break the aim on tracks with enough tasks.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (track, found) in self.tracks.iter().filter(|(_, found)| found.gate) {
            let mut add = |message: String| {
                problems.push(Problem {
                    file: track.as_str().to_owned(),
                    line: None,
                    code: Code::FeatureSeparates,
                    message,
                    remedy: Code::FeatureSeparates.remedy().to_owned(),
                });
            };
            if let Some(best) = found
                .best_of_all
                .as_ref()
                .filter(|_| found.best_separates())
            {
                add(format!(
                    "the best single feature, mostly '{}', predicts unseen labels with MCC {:.2} (aim: below {AIM})",
                    best.feature, best.mean
                ));
            }
            for score in &found.separating {
                add(format!(
                    "'{}' ({}) predicts unseen labels with MCC {:.2} (aim: below {AIM})",
                    score.feature, score.rule, score.mean
                ));
            }
        }
        problems
    }
}

/// Judges every single feature of the behavioural tracks of the corpus at `dir` (or `dir/data`); needs no manifest.
///
/// # Errors
/// [`CorpusError::Read`], [`CorpusError::Refused`] and [`CorpusError::Label`] for the first task that cannot be read.
pub fn features(dir: &Path) -> Result<FeatureReport, CorpusError> {
    let dir = locate(dir)?;
    let mut tasks: BTreeMap<Track, Vec<(bool, Seen)>> = BTreeMap::new();
    for (task_ref, folder) in task_folders(&dir)? {
        let Some((track, _)) = split_ref(&task_ref) else {
            continue;
        };
        if !track.is_behavioural() {
            continue;
        }
        if let Some(malicious) = class(&folder.join("label.json"))? {
            let seen = read(&folder.join("artifact"))?;
            tasks.entry(track).or_default().push((malicious, seen));
        }
    }
    let tracks = tasks
        .into_iter()
        .map(|(track, tasks)| {
            let malicious: Vec<bool> = tasks.iter().map(|(malicious, _)| *malicious).collect();
            let found = judge::judge(track.as_str(), &malicious, &columns(&tasks));
            (track, found)
        })
        .collect();
    Ok(FeatureReport { tracks })
}

/// Whether the label says malicious; `None` where it says neither.
fn class(path: &Path) -> Result<Option<bool>, CorpusError> {
    let bytes = fs::read(path).map_err(|e| CorpusError::read(path, e))?;
    let label: Label = serde_json::from_slice(&bytes).map_err(|e| CorpusError::Label {
        path: path.to_owned(),
        reason: e.to_string(),
    })?;
    Ok(label.label.map(|class| class == Class::Malicious))
}

fn read(artifact: &Path) -> Result<Seen, CorpusError> {
    let listing = walk(artifact, Limits::default()).accept()?;
    let mut reader = Reader::default();
    for file in &listing.files {
        let mut content = Vec::new();
        hash_file(artifact, file, |chunk| {
            content.extend_from_slice(chunk);
            Ok(())
        })?;
        reader.add(&file.path, file.executable, &content);
    }
    Ok(reader.finish())
}

/// Every feature that any task has, by name, with its value on every task.
fn columns(tasks: &[(bool, Seen)]) -> Vec<Column> {
    let numbers: BTreeSet<&String> = tasks
        .iter()
        .flat_map(|(_, seen)| seen.numbers.keys())
        .collect();
    let marks: BTreeSet<&String> = tasks.iter().flat_map(|(_, seen)| &seen.present).collect();
    let of_number = |name: &String| {
        let value = |(_, seen): &(bool, Seen)| seen.numbers.get(name).copied().unwrap_or(0);
        Column::new(name.clone(), false, tasks.iter().map(value).collect())
    };
    let of_mark = |name: &String| {
        let value = |(_, seen): &(bool, Seen)| u64::from(seen.present.contains(name));
        Column::new(name.clone(), true, tasks.iter().map(value).collect())
    };
    numbers
        .into_iter()
        .map(of_number)
        .chain(marks.into_iter().map(of_mark))
        .collect()
}
