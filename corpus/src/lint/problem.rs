//! What lint reports: where, which rule, what is wrong, what to do.

use crate::walk::OddityKind;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident => $name:literal, $remedy:literal;)*) => {
        /// The rule that a problem breaks. The names are stable.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Code {
            $($(#[$doc])* $variant,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The stable name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            /// What to do about it.
            #[must_use]
            pub const fn remedy(self) -> &'static str {
                match self { $(Code::$variant => $remedy,)* }
            }
        }
    };
}

codes! {
    /// No folder `artifact`, or not a folder.
    ArtifactMissing => "artifact_missing", "put what the agent sees into the folder `artifact`";
    /// An artifact without files.
    ArtifactEmpty => "artifact_empty", "add the artifact's files or remove the task";
    /// An artifact above the limit on bytes, files or depth.
    ArtifactTooLarge => "artifact_too_large", "make the artifact smaller or split the task";
    /// A symbolic link.
    Symlink => "symlink", "replace the link by the file it names";
    /// A device, FIFO or socket.
    SpecialFile => "special_file", "remove it; an artifact holds regular files and folders only";
    /// A name outside printable UTF-8.
    FileName => "file_name", "rename it with printable UTF-8 characters, without backslash";
    /// A file or folder that cannot be read.
    Unreadable => "unreadable", "make it readable for this user";
    /// Two names that a file system without case or with normalisation would merge.
    NameCollision => "name_collision", "rename one of the two";
    /// A path that gives the label away.
    LabelInPath => "label_in_path", "rename it without a word that hints at the label";
    /// Something beside the layout's files.
    UnexpectedEntry => "unexpected_entry", "move it into an artifact or remove it";
    /// No `label.json`.
    LabelMissing => "label_missing", "write the task's label.json";
    /// A label that is not JSON.
    LabelNotJson => "label_not_json", "correct the JSON";
    /// A label whose keys have other types than the format says.
    LabelMalformed => "label_malformed", "give the key the type that the label format names";
    /// A class that is neither `malicious` nor `safe`.
    LabelWord => "label_word", "write \"label\": \"malicious\" or \"safe\"";
    /// A key that the label format does not have.
    UnknownKey => "unknown_key", "remove the key or correct its spelling";
    /// A key that this track's labels do not have.
    KeyNotForTrack => "key_not_for_track", "remove the key; it has no meaning on this track";
    /// `task` is not the folder's name.
    TaskMismatch => "task_mismatch", "set \"task\" to the name of the folder";
    /// `track` is not the folder's track.
    TrackMismatch => "track_mismatch", "set \"track\" to the name of the track folder";
    /// No licence.
    LicenceMissing => "licence_missing", "name the artifact's licence in source.licence";
    /// A capability outside the taxonomy.
    UnknownCapability => "unknown_capability", "use a canonical name of the capability taxonomy";
    /// Expected findings on a safe task.
    FindingsOnSafe => "findings_on_safe", "remove expected_findings or correct the label";
    /// A finding whose file is not in the artifact.
    FindingFile => "finding_file", "name a file of the artifact, relative to it";
    /// A finding whose line is not a line of its file.
    FindingLine => "finding_line", "give the 1-based line, counted by \\n alone";
    /// A finding that equals another one of the same label.
    DuplicateFinding => "duplicate_finding", "remove one of the two, or tell them apart";
    /// More than four CWEs on a finding.
    TooManyCwes => "too_many_cwes", "keep at most 4 CWEs in cwe and all_cwes together";
    /// A CWE without a number.
    CweUnknown => "cwe_unknown", "write it as CWE-<number>";
    /// One artifact under two tasks.
    DuplicateArtifact => "duplicate_artifact", "remove one of the two tasks";
    /// One artifact under two labels.
    ConflictingLabels => "conflicting_labels", "keep the task whose label is right";
    /// Two artifacts that differ in little more than layout.
    NearDuplicate => "near_duplicate", "rewrite one of the two artifacts, or remove its task";
    /// A single feature that tells the classes of a track apart.
    FeatureSeparates => "feature_separates", "give the other class artifacts with this feature, or take it out of both";
    /// A track whose classes are split beyond 70/30.
    ClassSplit => "class_split", "add tasks of the smaller class";
    /// A track whose pool a round would refuse.
    TooFewTasks => "too_few_tasks", "add tasks of the class that is short";
    /// A manifest that does not describe the files.
    ManifestStale => "manifest_stale", "run `assay corpus pin`";
}

impl Code {
    /// The code of an entry that no artifact may hold.
    pub(super) const fn of(kind: OddityKind) -> Self {
        match kind {
            OddityKind::Symlink => Code::Symlink,
            OddityKind::Special => Code::SpecialFile,
            OddityKind::Name => Code::FileName,
            OddityKind::Unreadable => Code::Unreadable,
            OddityKind::TooLarge => Code::ArtifactTooLarge,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One problem of a corpus. The order is that of the report: by file, line, code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Problem {
    /// Path relative to the corpus folder; lossy where the name is not UTF-8.
    pub file: String,
    /// 1-based line in that file, where one is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The broken rule.
    pub code: Code,
    /// What is wrong, with the value.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}: {}; {}", self.code, self.message, self.remedy)
    }
}

/// Collects problems under one corpus folder.
pub(super) struct Problems {
    root: PathBuf,
    found: Vec<Problem>,
}

impl Problems {
    pub(super) fn new(root: &Path) -> Self {
        Problems {
            root: root.to_owned(),
            found: Vec::new(),
        }
    }

    /// Adds a problem of the file or folder `path`.
    pub(super) fn add(&mut self, path: &Path, code: Code, message: impl Into<String>) {
        self.add_at(path, None, code, message);
    }

    /// Adds a problem of a line of the file `path`.
    pub(super) fn add_at(
        &mut self,
        path: &Path,
        line: Option<u64>,
        code: Code,
        message: impl Into<String>,
    ) {
        let relative = path.strip_prefix(&self.root).unwrap_or(path);
        self.found.push(Problem {
            file: relative.to_string_lossy().into_owned(),
            line,
            code,
            message: message.into(),
            remedy: code.remedy().to_owned(),
        });
    }

    pub(super) fn into_sorted(mut self) -> Vec<Problem> {
        self.found.sort();
        self.found.dedup();
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serialised_and_printed_names_are_the_same() {
        for code in Code::ALL {
            let json = serde_json::to_string(code).unwrap();
            assert_eq!(json, format!("\"{code}\""));
        }
    }

    #[test]
    fn a_problem_is_one_line_with_its_place_and_remedy() {
        let mut problems = Problems::new(Path::new("/c"));
        problems.add_at(
            Path::new("/c/skills/t1/label.json"),
            Some(3),
            Code::LabelNotJson,
            "no value",
        );
        let found = problems.into_sorted();
        assert_eq!(
            found[0].to_string(),
            "skills/t1/label.json:3: label_not_json: no value; correct the JSON"
        );
    }
}
