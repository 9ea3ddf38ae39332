//! Why a labelled finding was matched or missed, told by the same keys and predicates that decide the match
//! (SPEC.md S-5 to S-12, `mechanism.md §6, §7`).
//!
//! A pair agrees exactly when it has no [`Difference`]; what is said here informs and decides nothing.

use crate::matching::Pair;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

/// One condition of a match that does not hold between a labelled and a reported finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "condition", rename_all = "snake_case")]
pub enum Difference {
    /// They name different files, or one of them climbs out of the artifact.
    Path {
        /// The label's, in normal form; empty when it is no place of the artifact.
        labelled: String,
        /// The report's, in normal form; empty when it is no place of the artifact.
        reported: String,
    },
    /// The lines are too far apart, or the report names none.
    Line {
        /// The label's line.
        labelled: i64,
        /// First and last reported line; `None` without one.
        reported: Option<(i64, i64)>,
        /// Lines between them; `None` without a reported line.
        away: Option<u64>,
        /// The largest distance that matches.
        window: u64,
    },
    /// The weaknesses differ and the titles do not overlap either.
    Weakness {
        /// The label's CWE numbers that count.
        labelled: Vec<u64>,
        /// The report's CWE number.
        reported: Option<u64>,
    },
    /// The categories share no word that counts.
    Category {
        /// The label's words, or its text where it has none.
        labelled: String,
        /// The report's words, or its text where it has none.
        reported: String,
    },
    /// The titles do not overlap enough.
    Title {
        /// The label's words.
        labelled: String,
        /// The report's words.
        reported: String,
    },
    /// The types differ.
    Type {
        /// The label's.
        labelled: String,
        /// The report's.
        reported: String,
    },
    /// The names differ.
    Name {
        /// The label's.
        labelled: String,
        /// The report's.
        reported: String,
    },
}

impl Difference {
    /// How much further from a match this makes a pair: another place before another kind before another line or wording.
    const fn weight(&self) -> u32 {
        match self {
            Difference::Path { .. } | Difference::Name { .. } => 8,
            Difference::Category { .. } | Difference::Weakness { .. } | Difference::Type { .. } => {
                4
            }
            Difference::Line { .. } => 2,
            Difference::Title { .. } => 1,
        }
    }

    fn away(&self) -> u64 {
        match self {
            Difference::Line { away, .. } => away.unwrap_or(u64::MAX),
            _ => 0,
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Path { labelled, reported } => {
                write!(
                    f,
                    "path differs: {} instead of {}",
                    quoted(reported),
                    quoted(labelled)
                )
            }
            Difference::Line {
                labelled,
                reported: Some((first, last)),
                away: Some(away),
                window,
            } => {
                let lines = if first == last {
                    format!("line {first}")
                } else {
                    format!("lines {first}-{last}")
                };
                let verb = if first == last { "is" } else { "are" };
                write!(
                    f,
                    "{lines} {verb} {away} away from line {labelled}, window {window}"
                )
            }
            Difference::Line { labelled, .. } => write!(f, "no line, line {labelled} is asked for"),
            Difference::Weakness { labelled, reported } => {
                let reported =
                    reported.map_or_else(|| "none".to_owned(), |cwe| format!("CWE-{cwe}"));
                let labelled: Vec<String> =
                    labelled.iter().map(|cwe| format!("CWE-{cwe}")).collect();
                let wanted = if labelled.is_empty() {
                    "none".to_owned()
                } else {
                    labelled.join(", ")
                };
                write!(
                    f,
                    "CWE differs ({reported} instead of {wanted}) and the titles do not overlap"
                )
            }
            Difference::Category { labelled, reported } => {
                write!(
                    f,
                    "category differs: {} instead of {}",
                    quoted(reported),
                    quoted(labelled)
                )
            }
            Difference::Title { labelled, reported } => write!(
                f,
                "title does not overlap enough: {} instead of {}",
                quoted(reported),
                quoted(labelled)
            ),
            Difference::Type { labelled, reported } => {
                write!(
                    f,
                    "type differs: {} instead of {}",
                    quoted(reported),
                    quoted(labelled)
                )
            }
            Difference::Name { labelled, reported } => {
                write!(
                    f,
                    "name differs: {} instead of {}",
                    quoted(reported),
                    quoted(labelled)
                )
            }
        }
    }
}

fn quoted(text: &str) -> String {
    if text.is_empty() {
        "nothing".to_owned()
    } else {
        format!("'{text}'")
    }
}

/// The counterpart that came nearest to a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nearest {
    /// Its position in its list, from 0.
    pub at: usize,
    /// Every condition that fails; none when the two agree and the counterpart is matched with another finding.
    pub differences: Vec<Difference>,
}

/// Why a labelled finding was matched or missed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Labelled {
    /// It was matched.
    Matched {
        /// Position of the reported finding.
        reported: usize,
    },
    /// It was missed.
    Missed {
        /// The reported finding that came nearest; `None` when nothing was reported that could match.
        nearest: Option<Nearest>,
    },
}

/// Why a reported finding matched or matched nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Reported {
    /// It matched.
    Matched {
        /// Position of the labelled finding.
        labelled: usize,
    },
    /// It equals an earlier one; of equal findings at most one can match.
    Repeats {
        /// Position of the earlier one.
        earlier: usize,
    },
    /// It stands behind the part of the list that can match.
    BeyondCap {
        /// How many can match.
        cap: usize,
    },
    /// It matched nothing.
    Unmatched {
        /// The labelled finding that it came nearest to; `None` when the label has none.
        nearest: Option<Nearest>,
    },
}

/// A list of labelled findings beside a list of reported ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// By position in the label's list.
    pub labelled: Vec<Labelled>,
    /// By position in the report's list, those beyond the cap included.
    pub reported: Vec<Reported>,
}

/// The lists as the matcher saw them.
pub(crate) struct Lists<'a, P, K> {
    /// Keys of the labelled findings.
    pub(crate) labelled: &'a [P],
    /// Keys of the reported findings that can match.
    pub(crate) reported: &'a [K],
    /// All that were reported.
    pub(crate) reported_count: usize,
    /// The matching.
    pub(crate) pairs: &'a [Pair],
}

impl<P, K: Ord> Lists<'_, P, K> {
    /// Explains the matching by the differences between two keys.
    pub(crate) fn explain(&self, differences: impl Fn(&P, &K) -> Vec<Difference>) -> Explanation {
        let of_label: BTreeMap<usize, usize> = self
            .pairs
            .iter()
            .map(|pair| (pair.planted, pair.reported))
            .collect();
        let of_report: BTreeMap<usize, usize> = self
            .pairs
            .iter()
            .map(|pair| (pair.reported, pair.planted))
            .collect();
        let mut first_of_equal: BTreeMap<&K, usize> = BTreeMap::new();
        for (at, key) in self.reported.iter().enumerate() {
            first_of_equal.entry(key).or_insert(at);
        }
        let labelled = self
            .labelled
            .iter()
            .enumerate()
            .map(|(at, key)| match of_label.get(&at) {
                Some(reported) => Labelled::Matched {
                    reported: *reported,
                },
                None => Labelled::Missed {
                    nearest: nearest(self.reported.iter().map(|other| differences(key, other))),
                },
            });
        let reported = (0..self.reported_count).map(|at| {
            let Some(key) = self.reported.get(at) else {
                return Reported::BeyondCap {
                    cap: self.reported.len(),
                };
            };
            if let Some(labelled) = of_report.get(&at) {
                return Reported::Matched {
                    labelled: *labelled,
                };
            }
            match first_of_equal.get(key) {
                Some(earlier) if *earlier < at => Reported::Repeats { earlier: *earlier },
                _ => Reported::Unmatched {
                    nearest: nearest(self.labelled.iter().map(|other| differences(other, key))),
                },
            }
        });
        Explanation {
            labelled: labelled.collect(),
            reported: reported.collect(),
        }
    }
}

/// The candidate with the smallest differences; the first of equals.
fn nearest(candidates: impl Iterator<Item = Vec<Difference>>) -> Option<Nearest> {
    let cost = |differences: &[Difference]| {
        let weight: u32 = differences.iter().map(Difference::weight).sum();
        let away = differences.iter().map(Difference::away).max().unwrap_or(0);
        (weight, away)
    };
    candidates
        .enumerate()
        .max_by_key(|(at, differences)| (Reverse(cost(differences)), Reverse(*at)))
        .map(|(at, differences)| Nearest { at, differences })
}
