//! The best rule over one feature, and how well it does on other tasks.

use mechanism::label::Class;
use mechanism::mcc::Confusion;
use std::fmt;

/// One feature of every task of a track, in the order of the tasks.
#[derive(Debug, Clone)]
pub(super) struct Column {
    /// Name for people.
    pub(super) name: String,
    /// Whether the value is 1 for what is there and 0 otherwise.
    pub(super) presence: bool,
    /// The values.
    values: Vec<u64>,
    /// The tasks by value.
    order: Vec<usize>,
}

/// A task is called malicious when its value is on one side of a threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rule {
    /// Whether the values above the threshold are the malicious ones.
    above: bool,
    /// Values above it are on the one side, all others on the other.
    threshold: u64,
}

impl Column {
    pub(super) fn new(name: String, presence: bool, values: Vec<u64>) -> Self {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by_key(|task| values[*task]);
        Column {
            name,
            presence,
            values,
            order,
        }
    }

    /// How many tasks have a value above 0.
    pub(super) fn support(&self) -> usize {
        self.values.iter().filter(|value| **value > 0).count()
    }

    /// The rule with the best coefficient on the chosen tasks, and that coefficient; `None` when the feature is the same
    /// on all of them. Of equal rules the one with the lower threshold is taken.
    pub(super) fn best(&self, malicious: &[bool], chosen: &[bool]) -> Option<(Rule, f64)> {
        let of = |task: &usize| (self.values[*task], malicious[*task]);
        let seen: Vec<(u64, bool)> = self
            .order
            .iter()
            .filter(|task| chosen[**task])
            .map(of)
            .collect();
        let totals = [true, false].map(|class| count(&seen, class));
        let mut below = [0u64; 2];
        let mut best: Option<(Rule, f64)> = None;
        for pair in seen.windows(2) {
            let [(value, class), (next, _)] = *pair else {
                continue;
            };
            below[usize::from(!class)] += 1;
            if value == next {
                continue;
            }
            let above = Confusion {
                tp: totals[0] - below[0],
                fn_: below[0],
                fp: totals[1] - below[1],
                tn: below[1],
            };
            let mcc = coefficient(&above);
            if best.is_none_or(|(_, so_far)| mcc.abs() > so_far) {
                // Half way, so that a value that was not seen goes to the nearer side.
                let threshold = value + (next - value) / 2;
                let rule = Rule {
                    above: mcc >= 0.0,
                    threshold,
                };
                best = Some((rule, mcc.abs()));
            }
        }
        best
    }

    /// The rule's coefficient on the tasks that are not chosen.
    pub(super) fn score(&self, rule: Rule, malicious: &[bool], chosen: &[bool]) -> f64 {
        let mut confusion = Confusion::default();
        for (task, value) in self
            .values
            .iter()
            .enumerate()
            .filter(|(task, _)| !chosen[*task])
        {
            let class = if malicious[task] {
                Class::Malicious
            } else {
                Class::Safe
            };
            confusion.record_flag(class, (*value > rule.threshold) == rule.above);
        }
        coefficient(&confusion)
    }

    /// The rule in words.
    pub(super) fn describe(&self, rule: Rule) -> String {
        RuleText {
            rule,
            presence: self.presence,
        }
        .to_string()
    }
}

struct RuleText {
    rule: Rule,
    presence: bool,
}

impl fmt::Display for RuleText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rule { above, threshold } = self.rule;
        match (self.presence, above) {
            (true, true) => f.write_str("malicious when present"),
            (true, false) => f.write_str("malicious when absent"),
            (false, true) => write!(f, "malicious when above {threshold}"),
            (false, false) => write!(f, "malicious when at most {threshold}"),
        }
    }
}

fn count(seen: &[(u64, bool)], class: bool) -> u64 {
    seen.iter()
        .filter(|(_, malicious)| *malicious == class)
        .count() as u64
}

/// The coefficient; a corpus never reaches the count from which it is refused.
fn coefficient(confusion: &Confusion) -> f64 {
    confusion.mcc().map_or(0.0, |mcc| mcc.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [bool; 6] = [true; 6];
    const MALICIOUS: [bool; 6] = [true, true, true, false, false, false];

    fn column(values: [u64; 6]) -> Column {
        Column::new("n".to_owned(), false, values.to_vec())
    }

    #[test]
    fn a_number_that_separates_is_found_with_its_direction() {
        let large = column([10, 20, 30, 1, 2, 4]);
        let (rule, mcc) = large.best(&MALICIOUS, &ALL).unwrap();
        assert_eq!(
            (large.describe(rule).as_str(), mcc),
            ("malicious when above 7", 1.0)
        );
        let small = column([1, 2, 4, 10, 20, 30]);
        let (rule, mcc) = small.best(&MALICIOUS, &ALL).unwrap();
        assert_eq!(
            (small.describe(rule).as_str(), mcc),
            ("malicious when at most 7", 1.0)
        );
    }

    #[test]
    fn the_best_of_several_thresholds_is_taken() {
        let column = column([3, 4, 0, 1, 2, 0]);
        let (rule, mcc) = column.best(&MALICIOUS, &ALL).unwrap();
        // Above 2: two of three malicious, none of the others: 6 / sqrt(2 * 3 * 4 * 3).
        assert_eq!(column.describe(rule), "malicious when above 2");
        assert!((mcc - 6.0 / 72f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn the_rule_is_chosen_on_one_half_and_scored_on_the_other() {
        // In the first half the value tells, in the second it tells the opposite.
        let values = column([1, 0, 0, 0, 1, 1]);
        let chosen = [true, false, false, true, false, false];
        let (rule, mcc) = values.best(&MALICIOUS, &chosen).unwrap();
        assert_eq!(mcc, 1.0);
        assert_eq!(values.score(rule, &MALICIOUS, &chosen), -1.0);
    }

    #[test]
    fn a_feature_that_never_changes_has_no_rule() {
        assert_eq!(column([7; 6]).best(&MALICIOUS, &ALL), None);
        let half = [true, true, false, true, false, false];
        assert_eq!(column([5, 5, 9, 5, 9, 9]).best(&MALICIOUS, &half), None);
    }

    #[test]
    fn presence_is_described_as_such() {
        let word = Column::new("w".to_owned(), true, vec![0, 0, 0, 1, 1, 1]);
        let (rule, mcc) = word.best(&MALICIOUS, &ALL).unwrap();
        assert_eq!(
            (word.describe(rule).as_str(), mcc),
            ("malicious when absent", 1.0)
        );
        assert_eq!(word.support(), 3);
    }
}
