//! `label.json`: what the corpus knows about a task. It never enters a sandbox.
//!
//! Keys that the mechanism does not name are kept in `extra`, so that the corpus lint can refuse them by name.

use crate::report::{cwe_number, line_number};
use crate::track::Track;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The keys that no field of a label type names.
pub type Extra = BTreeMap<String, Value>;

/// The class of a behavioural task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The artifact does harm.
    Malicious,
    /// The artifact is harmless.
    Safe,
}

/// One `label.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Label {
    /// The task's folder name.
    pub task: String,
    /// The task's track.
    pub track: Track,
    /// The class; `None` on `repositories`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Class>,
    /// Findings that a malicious artifact carries (`mechanism.md §6`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expected_findings: Vec<ExpectedFinding>,
    /// Canonical capabilities that the artifact shows; published, not scored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expected_capabilities: Vec<String>,
    /// Planted vulnerabilities of a repository.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vulnerabilities: Vec<PlantedVulnerability>,
    /// Planted supply-chain issues of a repository.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supply_chain: Vec<PlantedSupplyChainIssue>,
    /// Planted secrets of a repository.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<PlantedSecret>,
    /// Own objectives of the execution metrics (`mechanism.md §9`), kept as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objectives: Option<Value>,
    /// Where the artifact comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// Remarks for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Label {
    /// Whether the task counts as positive in a draw: malicious, or with planted findings (`mechanism.md §2`).
    #[must_use]
    pub fn is_positive(&self) -> bool {
        if self.track.is_behavioural() {
            self.label == Some(Class::Malicious)
        } else {
            self.planted() > 0
        }
    }

    /// How many findings are planted in all dimensions together.
    #[must_use]
    pub fn planted(&self) -> usize {
        self.vulnerabilities.len() + self.supply_chain.len() + self.secrets.len()
    }
}

/// A finding that a malicious artifact carries.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ExpectedFinding {
    /// Category, in the corpus' words.
    pub category: String,
    /// Title, in the corpus' words.
    pub title: String,
    /// Path in the artifact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Path in the artifact, alternative key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Path in the artifact, alternative key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Path in the artifact, alternative key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence_ref: Option<String>,
    /// Line, for people and for lint; no condition of a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Value>,
    /// Severity word, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<String>,
    /// `action` or `context`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plane: Option<String>,
    /// Weight as an objective (`mechanism.md §9`); 1 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u32>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl ExpectedFinding {
    /// The first non-empty of `file`, `path`, `location`, `evidence_ref`.
    #[must_use]
    pub fn place(&self) -> Option<&str> {
        [&self.file, &self.path, &self.location, &self.evidence_ref]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .find(|text| !text.is_empty())
    }
}

/// A vulnerability planted in a repository.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PlantedVulnerability {
    /// Path in the artifact.
    pub file: String,
    /// Line; without one the finding is file-level and sets no line condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Value>,
    /// Last line, for people; ignored by the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<Value>,
    /// Weakness, in any spelling of the number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwe: Option<Value>,
    /// Further weaknesses that match as well; at most four numbers in all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub all_cwes: Vec<Value>,
    /// Title.
    pub title: String,
    /// Description.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Severity word, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<String>,
    /// Weight as an objective (`mechanism.md §9`); 1 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u32>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl PlantedVulnerability {
    /// The line; a label's `end_line` is ignored (`mechanism.md §7`).
    #[must_use]
    pub fn line(&self) -> Option<i64> {
        self.line.as_ref().and_then(line_number)
    }

    /// The numbers of `cwe` and `all_cwes`, without those that name none, in order, each once.
    #[must_use]
    pub fn cwe_numbers(&self) -> Vec<u64> {
        let mut numbers = Vec::new();
        for value in self.cwe.iter().chain(&self.all_cwes) {
            if let Some(number) = cwe_number(value)
                && !numbers.contains(&number)
            {
                numbers.push(number);
            }
        }
        numbers
    }
}

/// A supply-chain issue planted in a repository.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PlantedSupplyChainIssue {
    /// Type, compared without case.
    #[serde(rename = "type")]
    pub kind: String,
    /// Name; an empty one is matched by any.
    pub name: String,
    /// Weight as an objective (`mechanism.md §9`); 1 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u32>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A secret planted in a repository.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PlantedSecret {
    /// Path in the artifact.
    pub file: String,
    /// Line; without one the secret is file-level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Value>,
    /// Type, compared without case when both sides give one.
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Weight as an objective (`mechanism.md §9`); 1 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u32>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl PlantedSecret {
    /// The line, if there is one.
    #[must_use]
    pub fn line(&self) -> Option<i64> {
        self.line.as_ref().and_then(line_number)
    }
}

/// Where an artifact comes from.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Source {
    /// Who made it.
    pub origin: String,
    /// Where it can be read.
    #[serde(default)]
    pub url: Option<String>,
    /// Its licence, by SPDX name; lint refuses a missing one.
    #[serde(default)]
    pub licence: Option<String>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unknown_keys_are_kept_for_lint() {
        let label: Label = serde_json::from_value(json!({
            "task": "t1", "track": "repositories", "surprise": 1,
            "vulnerabilities": [{"file": "a.py", "line": "7", "cwe": ["CWE-089"], "all_cwes": [89, "564"], "titel": "x"}],
        }))
        .unwrap();
        assert_eq!(label.extra.keys().collect::<Vec<_>>(), ["surprise"]);
        let planted = &label.vulnerabilities[0];
        assert_eq!(planted.extra.keys().collect::<Vec<_>>(), ["titel"]);
        assert_eq!(
            (planted.line(), planted.cwe_numbers()),
            (Some(7), vec![89, 564])
        );
        assert!(label.is_positive());
    }

    #[test]
    fn a_safe_task_is_negative_and_a_clean_repository_too() {
        let of = |value: Value| {
            serde_json::from_value::<Label>(value)
                .unwrap()
                .is_positive()
        };
        assert!(!of(
            json!({"task": "t", "track": "skills", "label": "safe"})
        ));
        assert!(of(
            json!({"task": "t", "track": "skills", "label": "malicious"})
        ));
        assert!(!of(
            json!({"task": "t", "track": "repositories", "vulnerabilities": []})
        ));
    }

    #[test]
    fn the_place_is_the_first_non_empty_key() {
        let finding: ExpectedFinding =
            serde_json::from_value(json!({"file": "", "location": "b", "evidence_ref": "c"}))
                .unwrap();
        assert_eq!(finding.place(), Some("b"));
    }
}
