//! `corpus stats`: what the corpus holds, per track.

use crate::error::CorpusError;
use crate::language::language;
use crate::limits::Limits;
use crate::locate::locate;
use crate::manifest::{split_ref, task_folders};
use crate::walk::walk;
use mechanism::label::Label;
use mechanism::track::Track;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

/// Counts of a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// By track; tracks without a task are left out.
    pub tracks: BTreeMap<Track, TrackStats>,
}

/// Counts of one track.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackStats {
    /// Tasks.
    pub tasks: u64,
    /// Tasks by class: `malicious` and `safe`, on repositories `planted` and `clean`.
    pub classes: BTreeMap<String, u64>,
    /// Files of all artifacts.
    pub files: u64,
    /// Their sizes together, in bytes.
    pub bytes: u64,
    /// Files by language, told by the name's ending.
    pub languages: BTreeMap<String, u64>,
    /// Expected and planted findings.
    pub findings: u64,
    /// Planted vulnerabilities by weakness number, every CWE of a finding counted.
    pub cwes: BTreeMap<u64, u64>,
}

impl fmt::Display for Stats {
    /// A few lines per track; no line break at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (track, counts)) in self.tracks.iter().enumerate() {
            if n > 0 {
                writeln!(f)?;
            }
            writeln!(
                f,
                "{track}: {} tasks ({})",
                counts.tasks,
                listed(&counts.classes)
            )?;
            writeln!(
                f,
                "  {} files, {} bytes: {}",
                counts.files,
                counts.bytes,
                listed(&counts.languages)
            )?;
            write!(f, "  {} findings", counts.findings)?;
            if !counts.cwes.is_empty() {
                write!(f, ": {}", listed_cwes(&counts.cwes))?;
            }
        }
        Ok(())
    }
}

fn listed(counts: &BTreeMap<String, u64>) -> String {
    let parts: Vec<String> = counts
        .iter()
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    parts.join(", ")
}

fn listed_cwes(counts: &BTreeMap<u64, u64>) -> String {
    let parts: Vec<String> = counts
        .iter()
        .map(|(cwe, count)| format!("{count} CWE-{cwe}"))
        .collect();
    parts.join(", ")
}

/// Counts the corpus at `dir` (or `dir/data`); needs no manifest and verifies no hash.
///
/// # Errors
/// [`CorpusError::Read`], [`CorpusError::Refused`] and [`CorpusError::Label`] for the first task that cannot be counted.
pub fn stats(dir: &Path) -> Result<Stats, CorpusError> {
    let dir = locate(dir)?;
    let mut stats = Stats::default();
    for (task_ref, folder) in task_folders(&dir)? {
        let Some((track, _)) = split_ref(&task_ref) else {
            continue;
        };
        let path = folder.join("label.json");
        let bytes = fs::read(&path).map_err(|e| CorpusError::read(&path, e))?;
        let label: Label = serde_json::from_slice(&bytes).map_err(|e| CorpusError::Label {
            path,
            reason: e.to_string(),
        })?;
        let listing = walk(&folder.join("artifact"), Limits::default()).accept()?;
        let counts = stats.tracks.entry(track).or_default();
        counts.tasks += 1;
        *counts
            .classes
            .entry(class(track, &label).to_owned())
            .or_default() += 1;
        counts.files += listing.files.len() as u64;
        counts.bytes += listing.bytes();
        for file in &listing.files {
            *counts
                .languages
                .entry(language(&file.path).to_owned())
                .or_default() += 1;
        }
        counts.findings += (label.expected_findings.len() + label.planted()) as u64;
        for number in label.vulnerabilities.iter().flat_map(|v| v.cwe_numbers()) {
            *counts.cwes.entry(number).or_default() += 1;
        }
    }
    Ok(stats)
}

fn class(track: Track, label: &Label) -> &'static str {
    match (track.is_behavioural(), label.is_positive()) {
        (true, true) => "malicious",
        (true, false) => "safe",
        (false, true) => "planted",
        (false, false) => "clean",
    }
}
