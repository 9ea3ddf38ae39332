//! Quality of the findings beside a behavioural verdict (SPEC.md S-8, `mechanism.md §6`).

use crate::count::CountTooLarge;
use crate::explain::{Difference, Explanation, Lists};
use crate::fbeta::f_beta;
use crate::label::ExpectedFinding;
use crate::matching::{Pair, pair_up};
use crate::paths::{ArtifactFiles, Location};
use crate::rational::Rational;
use crate::report::Finding;
use crate::scored::{ScoredFinding, line_span};
use crate::spec::FindingRules;
use crate::words::{WordSet, jaccard_reaches, share_word, word_set, words};
use serde::{Deserialize, Serialize};

/// F1 weighs recall as much as precision: its beta is 1 by name.
const F1_BETA_SQUARED: u64 = 1;

/// How well a report's findings name what the label expects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingQuality {
    /// Size of the maximum matching.
    pub matched: usize,
    /// Expected findings.
    pub expected: usize,
    /// Reported findings, those beyond the cap included.
    pub reported: usize,
    /// F1 of the three counts, exactly.
    pub f1: Rational,
    /// One maximum matching.
    pub pairs: Vec<Pair>,
}

/// Scores the reported findings against the expected ones, whatever the verdict was.
///
/// # Errors
/// [`CountTooLarge`] when a list is not shorter than 2^30.
pub fn quality(
    rules: &FindingRules,
    files: &ArtifactFiles,
    expected: &[ExpectedFinding],
    reported: &[Finding],
) -> Result<FindingQuality, CountTooLarge> {
    let (wanted, given) = keys(rules, files, expected, reported);
    let pairs = pair_up(&wanted, &given, |x, f| x.matches(f, rules));
    Ok(FindingQuality {
        matched: pairs.len(),
        expected: expected.len(),
        reported: reported.len(),
        f1: f_beta(F1_BETA_SQUARED, pairs.len(), expected.len(), reported.len())?,
        pairs,
    })
}

/// Why each expected finding was matched or missed, and what each reported one came nearest to.
#[must_use]
pub fn explain(
    rules: &FindingRules,
    files: &ArtifactFiles,
    expected: &[ExpectedFinding],
    reported: &[Finding],
) -> Explanation {
    let (wanted, given) = keys(rules, files, expected, reported);
    let lists = Lists {
        labelled: &wanted,
        reported: &given,
        reported_count: reported.len(),
        pairs: &pair_up(&wanted, &given, |x, f| x.matches(f, rules)),
    };
    lists.explain(|x, f| x.differences(f, rules))
}

/// The keys of the expected findings and of the reported ones that can match.
fn keys(
    rules: &FindingRules,
    files: &ArtifactFiles,
    expected: &[ExpectedFinding],
    reported: &[Finding],
) -> (Vec<Key>, Vec<Key>) {
    let wanted = expected
        .iter()
        .map(|x| Key::new(rules, files, &x.category, x.place(), &x.title))
        .collect();
    let given = reported
        .iter()
        .take(rules.list_cap)
        .map(|f| Key::new(rules, files, &f.category, f.location.as_deref(), &f.title))
        .collect();
    (wanted, given)
}

/// The reported findings that can match, in the normal form that decides.
#[must_use]
pub fn scored_findings(
    rules: &FindingRules,
    files: &ArtifactFiles,
    reported: &[Finding],
) -> Vec<ScoredFinding> {
    reported
        .iter()
        .take(rules.list_cap)
        .map(|f| {
            let location = place(files, f.location.as_deref());
            ScoredFinding {
                class: class_text(rules, &f.category),
                location: location.path().unwrap_or_default().to_owned(),
                lines: line_span(f.line),
            }
        })
        .collect()
}

/// Everything of a finding that decides about a match; equal keys are equal reports.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    category: Category,
    location: Location,
    title: WordSet,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Category {
    /// The first words that count.
    Words(WordSet),
    /// The lower-cased text of a category without a word.
    Text(String),
}

impl Key {
    fn new(
        rules: &FindingRules,
        files: &ArtifactFiles,
        category: &str,
        location: Option<&str>,
        title: &str,
    ) -> Self {
        Key {
            category: Category::new(rules, category),
            location: place(files, location),
            title: word_set(title),
        }
    }

    /// Whether this expected finding and a reported one match.
    fn matches(&self, reported: &Key, rules: &FindingRules) -> bool {
        self.category.matches(&reported.category)
            && self.place_matches(reported)
            && self.title_matches(reported, rules)
    }

    /// The conditions of a match that fail: none exactly when it is one.
    fn differences(&self, reported: &Key, rules: &FindingRules) -> Vec<Difference> {
        let mut differences = Vec::new();
        if !self.place_matches(reported) {
            differences.push(Difference::Path {
                labelled: self.location.path().unwrap_or_default().to_owned(),
                reported: reported.location.path().unwrap_or_default().to_owned(),
            });
        }
        if !self.category.matches(&reported.category) {
            differences.push(Difference::Category {
                labelled: self.category.text(),
                reported: reported.category.text(),
            });
        }
        if !self.title_matches(reported, rules) {
            differences.push(Difference::Title {
                labelled: joined(&self.title),
                reported: joined(&reported.title),
            });
        }
        differences
    }

    /// No condition unless both name a place.
    fn place_matches(&self, reported: &Key) -> bool {
        !self.both_name_a_place(reported) || self.location.same_place(&reported.location)
    }

    /// Titles weigh less where the place agrees already.
    fn title_matches(&self, reported: &Key, rules: &FindingRules) -> bool {
        if self.both_name_a_place(reported) {
            return self.title.is_empty()
                || self.title == reported.title
                || share_word(&self.title, &reported.title, rules.title_word_chars);
        }
        jaccard_reaches(&self.title, &reported.title, &rules.title_jaccard)
    }

    fn both_name_a_place(&self, reported: &Key) -> bool {
        self.location.is_named() && reported.location.is_named()
    }
}

fn joined(words: &WordSet) -> String {
    words
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(" ")
}

impl Category {
    fn new(rules: &FindingRules, text: &str) -> Self {
        let first: WordSet = words(text).take(rules.category_words).collect();
        if first.is_empty() {
            Category::Text(text.to_ascii_lowercase())
        } else {
            Category::Words(first)
        }
    }

    /// What is compared, for people.
    fn text(&self) -> String {
        match self {
            Category::Words(words) => joined(words),
            Category::Text(text) => text.clone(),
        }
    }

    /// Equal texts with a word share that word, so texts are compared only where neither has one.
    fn matches(&self, other: &Category) -> bool {
        match (self, other) {
            (Category::Words(a), Category::Words(b)) => share_word(a, b, 1),
            (Category::Text(a), Category::Text(b)) => !a.is_empty() && a == b,
            (Category::Words(_), Category::Text(_)) | (Category::Text(_), Category::Words(_)) => {
                false
            }
        }
    }
}

fn place(files: &ArtifactFiles, location: Option<&str>) -> Location {
    match location {
        Some(path) if !path.is_empty() => files.locate(path),
        Some(_) | None => Location::Absent,
    }
}

fn class_text(rules: &FindingRules, category: &str) -> String {
    let first: Vec<String> = words(category).take(rules.category_words).collect();
    if first.is_empty() {
        category.to_ascii_lowercase()
    } else {
        first.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::{Labelled, Nearest, Reported};
    use crate::spec::Spec;
    use proptest::prelude::*;

    fn expect(category: &str, title: &str, file: &str) -> ExpectedFinding {
        ExpectedFinding {
            category: category.to_owned(),
            title: title.to_owned(),
            file: Some(file.to_owned()),
            ..ExpectedFinding::default()
        }
    }

    fn found(category: &str, title: &str, location: &str) -> Finding {
        Finding {
            category: category.to_owned(),
            title: title.to_owned(),
            location: (!location.is_empty()).then(|| location.to_owned()),
            ..Finding::default()
        }
    }

    fn matched(expected: &[ExpectedFinding], reported: &[Finding]) -> usize {
        let files = ArtifactFiles::new(["run.sh", "lib/a.py", "b/a.py"]);
        quality(&Spec::pinned().findings, &files, expected, reported)
            .unwrap()
            .matched
    }

    #[test]
    fn categories_without_words_match_as_text() {
        let wanted = [expect("\u{2603}", "", "run.sh")];
        assert_eq!(matched(&wanted, &[found("\u{2603}", "", "run.sh")]), 1);
        assert_eq!(matched(&wanted, &[found("\u{2604}", "", "run.sh")]), 0);
        assert_eq!(
            matched(&[expect("", "", "run.sh")], &[found("", "", "run.sh")]),
            0
        );
    }

    #[test]
    fn an_expected_title_without_a_word_sets_no_condition_only_where_both_name_a_place() {
        let wanted = [expect("theft", "", "run.sh")];
        assert_eq!(matched(&wanted, &[found("theft", "anything", "run.sh")]), 1);
        assert_eq!(matched(&wanted, &[found("theft", "anything", "")]), 0);
        let wanted = [expect("theft", "of keys", "run.sh")];
        assert_eq!(matched(&wanted, &[found("theft", "", "run.sh")]), 0);
        assert_eq!(matched(&wanted, &[found("theft", "KEYS of", "")]), 1);
    }

    #[test]
    fn a_place_that_climbs_out_matches_no_named_place() {
        let wanted = [expect("theft", "keys", "../run.sh")];
        assert_eq!(matched(&wanted, &[found("theft", "keys", "../run.sh")]), 0);
        let wanted = [expect("theft", "keys", "a.py")];
        assert_eq!(matched(&wanted, &[found("theft", "keys", "a.py")]), 1);
        assert_eq!(matched(&wanted, &[found("theft", "keys", "lib/a.py")]), 0);
    }

    #[test]
    fn findings_beyond_the_cap_count_but_cannot_match() {
        let wanted = [expect("theft", "keys", "run.sh")];
        let mut reported: Vec<Finding> = (0..200)
            .map(|n| found("noise", &n.to_string(), ""))
            .collect();
        reported.push(found("theft", "keys", "run.sh"));
        let files = ArtifactFiles::new(["run.sh"]);
        let rules = Spec::pinned().findings;
        let late = quality(&rules, &files, &wanted, &reported).unwrap();
        assert_eq!((late.matched, late.reported), (0, 201));
        reported.swap(0, 200);
        assert_eq!(
            quality(&rules, &files, &wanted, &reported).unwrap().matched,
            1
        );
        assert_eq!(scored_findings(&rules, &files, &reported).len(), 200);
    }

    fn explained(expected: &[ExpectedFinding], reported: &[Finding]) -> Explanation {
        let files = ArtifactFiles::new(["run.sh", "lib/a.py", "b/a.py"]);
        explain(&Spec::pinned().findings, &files, expected, reported)
    }

    fn reasons(explanation: &Explanation) -> Vec<String> {
        let Labelled::Missed {
            nearest: Some(nearest),
        } = &explanation.labelled[0]
        else {
            panic!("{explanation:?}");
        };
        nearest
            .differences
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn a_miss_names_each_condition_that_fails_for_the_nearest_report() {
        let wanted = [expect("data theft", "Uploads keys", "lib/a.py")];
        let found = [
            found("noise", "other", "run.sh"),
            found("persistence", "Uploads keys", "lib/a.py"),
            found("theft", "Uploads keys", "run.sh"),
        ];
        let explanation = explained(&wanted, &found);
        assert_eq!(
            reasons(&explanation),
            ["category differs: 'persistence' instead of 'data theft'"]
        );
        let only = explained(&wanted, &found[2..]);
        assert_eq!(
            reasons(&only),
            ["path differs: 'run.sh' instead of 'lib/a.py'"]
        );
        let title = explained(&wanted, &[self::found("theft", "odd", "lib/a.py")]);
        assert_eq!(
            reasons(&title),
            ["title does not overlap enough: 'odd' instead of 'keys uploads'"]
        );
        let none = explained(&wanted, &[]);
        assert_eq!(none.labelled, [Labelled::Missed { nearest: None }]);
    }

    #[test]
    fn reports_are_told_apart_by_why_they_matched_nothing() {
        let wanted = [expect("theft", "Uploads keys", "run.sh")];
        let mut reported = vec![found("theft", "Uploads keys", "run.sh"); 2];
        reported.push(found("theft", "Uploads the keys", "run.sh"));
        reported.extend(vec![found("x", "y", ""); 198]);
        let explanation = explained(&wanted, &reported);
        assert_eq!(explanation.labelled, [Labelled::Matched { reported: 0 }]);
        assert_eq!(explanation.reported[0], Reported::Matched { labelled: 0 });
        assert_eq!(explanation.reported[1], Reported::Repeats { earlier: 0 });
        // It agrees, but the only finding it agrees with is taken.
        let taken = Nearest {
            at: 0,
            differences: Vec::new(),
        };
        assert_eq!(
            explanation.reported[2],
            Reported::Unmatched {
                nearest: Some(taken)
            }
        );
        assert_eq!(explanation.reported[200], Reported::BeyondCap { cap: 200 });
    }

    proptest! {
        #[test]
        fn a_pair_without_a_difference_is_a_match_and_no_other_is(
            a in ("(theft|key theft|\u{2603}||a b c d e)", "(|keys|read keys|xy)", "(|run.sh|a.py|lib/a.py|../x)"),
            b in ("(theft|key theft|\u{2603}||a b c d e)", "(|keys|read keys|xy)", "(|run.sh|a.py|lib/a.py|../x)"),
        ) {
            let rules = Spec::pinned().findings;
            let files = ArtifactFiles::new(["run.sh", "lib/a.py", "b/a.py"]);
            let key = |(category, title, place): &(String, String, String)| {
                Key::new(&rules, &files, category, Some(place), title)
            };
            let (x, f) = (key(&a), key(&b));
            prop_assert_eq!(x.matches(&f, &rules), x.differences(&f, &rules).is_empty());
        }
    }
}
