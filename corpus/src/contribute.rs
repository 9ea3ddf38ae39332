//! One task outside of any corpus: a template to fill in, a check by every rule that needs no other task, and the
//! commitment by which its label can be fixed before it is shown.

use crate::error::CorpusError;
use crate::lint::{Problem, lint_alone};
use crate::manifest::is_task_name;
use mechanism::ids::Hash32;
use mechanism::track::Track;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Length of a commitment's salt: without it a label could be found by trying likely ones.
pub const SALT_BYTES: usize = 32;
/// The guide in a template; it stays out of the corpus.
const GUIDE: &str = "README.md";

/// One task after its check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedTask {
    /// Folder name, which is the task's name.
    pub task: String,
    /// Track, from the label.
    pub track: Track,
    /// Every problem, sorted; none means fit.
    pub problems: Vec<Problem>,
    /// Hash of the artifact, `None` when a part of it could not be read.
    pub artifact: Option<Hash32>,
    /// BLAKE3 of the label file's bytes.
    pub label: Hash32,
}

/// A label that is fixed and not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commitment(pub Hash32);

impl Commitment {
    /// `BLAKE3(salt || label hash)`: who shows salt and label later shows that the label was this one all along.
    #[must_use]
    pub fn new(salt: &[u8; SALT_BYTES], label: &Hash32) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(salt);
        hasher.update(label.as_bytes());
        Commitment(hasher.finalize().into())
    }
}

/// Writes a template of a task to the folder `dir`, which must not exist or be empty.
///
/// # Errors
/// [`CorpusError::Refused`] for a folder that holds something or whose name can be no task's, [`CorpusError::Write`].
pub fn template(dir: &Path, track: Track) -> Result<(), CorpusError> {
    let name = task_name(dir)?;
    if fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(CorpusError::Refused {
            path: dir.to_owned(),
            reason: "the folder is not empty".to_owned(),
            remedy: "name a new folder; nothing is overwritten",
        });
    }
    let artifact = dir.join("artifact");
    fs::create_dir_all(&artifact).map_err(|e| CorpusError::write(&artifact, e))?;
    let mut label = serde_json::to_string_pretty(&skeleton(&name, track)).unwrap_or_default();
    label.push('\n');
    let guide = guide(&name, track);
    for (file, text) in [("label.json", label), (GUIDE, guide)] {
        let path = dir.join(file);
        fs::write(&path, text).map_err(|e| CorpusError::write(&path, e))?;
    }
    Ok(())
}

/// Checks the task at `dir` alone.
///
/// # Errors
/// [`CorpusError::Read`] and [`CorpusError::Label`] when the label names no track, [`CorpusError::Refused`] when the
/// folder's name can be no task's.
pub fn check_task(dir: &Path) -> Result<CheckedTask, CorpusError> {
    let task = task_name(dir)?;
    let path = dir.join("label.json");
    let bytes = fs::read(&path).map_err(|e| CorpusError::read(&path, e))?;
    let track = track_of(&bytes).map_err(|reason| CorpusError::Label {
        path: path.clone(),
        reason,
    })?;
    let (problems, artifact) = lint_alone(track, &task, dir, &[GUIDE]);
    Ok(CheckedTask {
        task,
        track,
        problems,
        artifact,
        label: blake3::hash(&bytes).into(),
    })
}

fn track_of(label: &[u8]) -> Result<Track, String> {
    let value: Value = serde_json::from_slice(label).map_err(|e| e.to_string())?;
    let track = value
        .get("track")
        .and_then(Value::as_str)
        .unwrap_or_default();
    track.parse().map_err(|e| format!("\"track\": {e}"))
}

fn task_name(dir: &Path) -> Result<String, CorpusError> {
    let full = std::path::absolute(dir).map_err(|e| CorpusError::read(dir, e))?;
    let name = full.file_name().and_then(|name| name.to_str());
    name.filter(|name| is_task_name(name))
        .map(str::to_owned)
        .ok_or_else(|| CorpusError::Refused {
            path: dir.to_owned(),
            reason: "the folder's name becomes the task's, and this is no name of a task"
                .to_owned(),
            remedy: "name the folder like t0123-plain-words",
        })
}

/// A label with everything still to be said left empty, so that the check names each gap.
fn skeleton(name: &str, track: Track) -> Value {
    let source = json!({"origin": "", "url": null, "licence": ""});
    if track.is_behavioural() {
        return json!({
            "task": name, "track": track, "label": "",
            "expected_findings": [
                {"category": "", "title": "", "file": "path/in/artifact", "line": 1,
                 "severity": "", "plane": "action"}
            ],
            "expected_capabilities": [],
            "source": source, "notes": "",
        });
    }
    json!({
        "task": name, "track": track,
        "vulnerabilities": [
            {"file": "path/in/artifact", "line": 1, "cwe": "", "title": "", "description": "", "severity": ""}
        ],
        "source": source, "notes": "",
    })
}

fn guide(name: &str, track: Track) -> String {
    let findings = if track.is_behavioural() {
        "* `label` is `malicious` or `safe`. A safe task has no `expected_findings`; a malicious one names each harm once:\n\
         \x20 category and title in plain words, the file relative to `artifact/`, the 1-based line.\n\
         * `expected_capabilities` lists canonical names of the capability vocabulary; it may stay empty.\n"
    } else {
        "* `vulnerabilities` names each planted weakness once: file relative to `artifact/`, 1-based line, CWE, title. A\n\
         \x20 repository without any is a clean task: leave the list empty. `supply_chain` ({type, name}) and `secrets`\n\
         \x20 ({file, line, type}) may stand beside it.\n"
    };
    format!(
        "# {name} ({track})\n\n\
         This guide stays out of the corpus: delete it when the folder moves to `<corpus>/{track}/{name}/`.\n\n\
         ## artifact/\n\n\
         What an agent sees, and nothing else: regular files with printable names, no links. No name and no text may hint at\n\
         the label. Payloads are inert and hosts end in `.example` or `.invalid`. Write it as its author would have: a task that\n\
         can be told by its size, a word or a missing file teaches agents to look for that.\n\n\
         ## label.json\n\n\
         Never leaves the validator.\n\n\
         {findings}\
         * `source` says who made it and under which licence (SPDX name).\n\n\
         ## Then\n\n\
         `assay corpus contribute --check DIR` checks the task alone and prints the hashes of artifact and label, and a salted\n\
         commitment to the label. Publish the commitment with the artifact; show label and salt when the label may be known.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commitment_is_the_hash_of_salt_and_label_hash() {
        let label: Hash32 = blake3::hash(b"label").into();
        let mut bytes = vec![7u8; SALT_BYTES];
        bytes.extend_from_slice(label.as_bytes());
        let commitment = Commitment::new(&[7; SALT_BYTES], &label);
        assert_eq!(commitment.0, blake3::hash(&bytes).into());
        assert_ne!(commitment, Commitment::new(&[8; SALT_BYTES], &label));
    }
}
