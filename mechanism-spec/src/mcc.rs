//! The confusion matrix of a behavioural track and its Matthews correlation coefficient (SPEC.md S-3, `mechanism.md §6`).

use crate::count::{CountTooLarge, check_count};
use crate::label::Class;
use crate::rational::Rational;
use crate::verdict::Verdict;
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

/// Counts of task verdicts against the labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Confusion {
    /// `BLOCK` or `WARN` on malicious.
    pub tp: u64,
    /// `ALLOW` on safe.
    pub tn: u64,
    /// `BLOCK` or `WARN` on safe, or no completed repetition.
    pub fp: u64,
    /// `ALLOW` on malicious, or no completed repetition.
    #[serde(rename = "fn")]
    pub fn_: u64,
}

/// The coefficient, exactly and as the published double.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mcc {
    /// `TP·TN − FP·FN`.
    pub numerator: i128,
    /// `(TP+FP)(TP+FN)(TN+FP)(TN+FN)`.
    pub product: u128,
    /// `numerator / sqrt(product)` in doubles; 0 when a margin is empty.
    pub value: f64,
}

impl Confusion {
    /// Counts one task. A task without a verdict (no completed repetition) is incorrect whatever its class.
    pub const fn record(&mut self, class: Class, verdict: Option<Verdict>) {
        let flagged = match (class, verdict) {
            (_, Some(verdict)) => verdict.flags(),
            (Class::Malicious, None) => false,
            (Class::Safe, None) => true,
        };
        self.record_flag(class, flagged);
    }

    /// Counts one task by whether it was flagged.
    pub const fn record_flag(&mut self, class: Class, flagged: bool) {
        match (class, flagged) {
            (Class::Malicious, true) => self.tp += 1,
            (Class::Malicious, false) => self.fn_ += 1,
            (Class::Safe, true) => self.fp += 1,
            (Class::Safe, false) => self.tn += 1,
        }
    }

    /// The coefficient.
    ///
    /// # Errors
    /// [`CountTooLarge`] when a cell is not below 2^30: only below that every product is exact.
    pub fn mcc(&self) -> Result<Mcc, CountTooLarge> {
        let tp = i128::from(check_count("true positives", self.tp)?);
        let tn = i128::from(check_count("true negatives", self.tn)?);
        let fp = i128::from(check_count("false positives", self.fp)?);
        let fn_ = i128::from(check_count("false negatives", self.fn_)?);
        let numerator = tp * tn - fp * fn_;
        let product =
            ((tp + fp) * (tp + fn_)).unsigned_abs() * ((tn + fp) * (tn + fn_)).unsigned_abs();
        #[expect(
            clippy::cast_precision_loss,
            reason = "both conversions round to the nearest double, which is the rule"
        )]
        let value = if product == 0 {
            0.0
        } else {
            numerator as f64 / (product as f64).sqrt()
        };
        Ok(Mcc {
            numerator,
            product,
            value,
        })
    }
}

impl Mcc {
    /// `max(0, MCC)`: the score of a track without labelled findings, and what eligibility is judged on.
    #[must_use]
    pub const fn clamped(&self) -> f64 {
        if self.numerator > 0 { self.value } else { 0.0 }
    }

    /// Whether a margin of the matrix is empty, so that the coefficient is 0 by definition.
    #[must_use]
    pub const fn empty_margin(&self) -> bool {
        self.product == 0
    }

    /// Whether the clamped coefficient reaches the threshold, decided on the exact value: for the threshold `a/b` this is
    /// `num > 0 && b²·num² ≥ a²·product`.
    #[must_use]
    pub fn meets_threshold(&self, threshold: &Rational) -> bool {
        if self.numerator <= 0 || self.product == 0 {
            return threshold.is_zero();
        }
        let scaled = BigUint::from(self.numerator.unsigned_abs()) * threshold.den();
        let bound = threshold.num() * threshold.num() * BigUint::from(self.product);
        &scaled * &scaled >= bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn confusion(tp: u64, tn: u64, fp: u64, fn_: u64) -> Confusion {
        Confusion { tp, tn, fp, fn_ }
    }

    #[test]
    fn the_worked_example_is_116_of_176() {
        let mcc = confusion(6, 20, 2, 2).mcc().unwrap();
        assert_eq!((mcc.numerator, mcc.product), (116, 176 * 176));
        assert_eq!(mcc.value, 116.0 / 176.0);
        assert_eq!(format!("{:.3}", mcc.value), "0.659");
    }

    #[test]
    fn an_empty_margin_is_zero_and_flagged() {
        let mcc = confusion(0, 22, 0, 8).mcc().unwrap();
        assert_eq!((mcc.value, mcc.empty_margin()), (0.0, true));
        let inverse = confusion(0, 0, 3, 3).mcc().unwrap();
        assert_eq!(
            (inverse.value, inverse.clamped(), inverse.empty_margin()),
            (-1.0, 0.0, false)
        );
    }

    #[test]
    fn the_threshold_is_decided_on_the_exact_value() {
        let fifth = Rational::new(1, 5).unwrap();
        assert!(
            confusion(18, 18, 12, 12)
                .mcc()
                .unwrap()
                .meets_threshold(&fifth)
        );
        assert!(
            !confusion(119, 120, 80, 81)
                .mcc()
                .unwrap()
                .meets_threshold(&fifth)
        );
        assert!(
            !confusion(12, 12, 18, 18)
                .mcc()
                .unwrap()
                .meets_threshold(&fifth)
        );
        assert!(!confusion(5, 0, 0, 0).mcc().unwrap().meets_threshold(&fifth));
    }

    #[test]
    fn counts_from_two_to_the_thirty_are_refused_and_the_largest_fit() {
        let top = (1 << 30) - 1;
        assert_eq!(confusion(top, top, 0, 0).mcc().unwrap().value, 1.0);
        assert_eq!(confusion(0, 0, top, top).mcc().unwrap().value, -1.0);
        assert!(confusion(1 << 30, 1, 1, 1).mcc().is_err());
        assert!(confusion(1, 1, 1, 1 << 30).mcc().is_err());
    }

    #[test]
    fn a_task_without_a_verdict_is_incorrect() {
        let mut seen = Confusion::default();
        seen.record(Class::Malicious, None);
        seen.record(Class::Safe, None);
        seen.record(Class::Malicious, Some(Verdict::Warn));
        seen.record(Class::Safe, Some(Verdict::Allow));
        assert_eq!(seen, confusion(1, 1, 1, 1));
    }
}
