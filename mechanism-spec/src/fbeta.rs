//! F-measures over counts (SPEC.md S-7, `mechanism.md §6, §7`).

use crate::count::{CountTooLarge, check_count};
use crate::rational::Rational;

/// `F_β = (1 + β²)·matched / (β²·planted + reported)`, exactly; 0 when nothing is planted or reported.
///
/// That is `(1 + β²)PR / (β²P + R)` with `P = matched / reported` and `R = matched / planted`, without its two divisions by zero.
///
/// # Errors
/// [`CountTooLarge`] when a count is not below 2^30.
pub fn f_beta(
    beta_squared: u64,
    matched: usize,
    planted: usize,
    reported: usize,
) -> Result<Rational, CountTooLarge> {
    let beta_squared = u128::from(check_count("units of beta squared", beta_squared)?);
    let count = |what, count: usize| {
        check_count(what, u64::try_from(count).unwrap_or(u64::MAX)).map(u128::from)
    };
    let matched = count("matched findings", matched)?;
    let planted = count("planted findings", planted)?;
    let reported = count("reported findings", reported)?;
    let value = Rational::new(
        (1 + beta_squared) * matched,
        beta_squared * planted + reported,
    );
    Ok(value.unwrap_or_else(Rational::zero))
}

/// The same measure of a precision and a recall that are given as doubles; 0 when both are 0. Scores never use it: they are exact.
#[must_use]
pub fn f_beta_of(precision: f64, recall: f64, beta: f64) -> f64 {
    let beta_squared = beta * beta;
    let denominator = beta_squared * precision + recall;
    if denominator == 0.0 {
        return 0.0;
    }
    (1.0 + beta_squared) * precision * recall / denominator
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_example_is_15_of_21() {
        let f2 = f_beta(4, 3, 4, 5).unwrap();
        assert_eq!(f2, Rational::new(15, 21).unwrap());
        assert_eq!(format!("{:.3}", f2.to_f64()), "0.714");
    }

    #[test]
    fn nothing_matched_is_zero_and_all_matched_is_one() {
        assert!(f_beta(4, 0, 4, 0).unwrap().is_zero());
        assert!(f_beta(4, 0, 0, 0).unwrap().is_zero());
        assert_eq!(f_beta(1, 3, 3, 3).unwrap(), Rational::one());
    }

    #[test]
    fn counts_agree_with_precision_and_recall() {
        let from_counts = f_beta(1, 1, 4, 2).unwrap().to_f64();
        assert!((from_counts - f_beta_of(0.5, 0.25, 1.0)).abs() < 1e-15);
        assert!(f_beta(4, 1, 1 << 30, 1).is_err());
    }
}
