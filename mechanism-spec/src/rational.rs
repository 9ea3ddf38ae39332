//! Exact non-negative fractions (`mechanism.md`, *Numbers*).
//!
//! F1, F2, the clean rule, means, shares and thresholds are fractions of arbitrary precision: no sum of them can
//! overflow, whatever an agent reports. Only what is published becomes a double, and that is the nearest one.

use num_bigint::BigUint;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul};
use std::str::FromStr;

/// An exact fraction `>= 0`. Compared by value: `1/2` and `2/4` are equal.
#[derive(Debug, Clone)]
pub struct Rational {
    num: BigUint,
    den: BigUint,
}

impl Rational {
    /// `num / den`; `None` when `den` is zero.
    #[must_use]
    pub fn new(num: u128, den: u128) -> Option<Self> {
        Self::from_big(BigUint::from(num), BigUint::from(den))
    }

    /// `num / den` of any size; `None` when `den` is zero.
    #[must_use]
    pub fn from_big(num: BigUint, den: BigUint) -> Option<Self> {
        if den == BigUint::ZERO {
            return None;
        }
        Some(Self { num, den }.reduced())
    }

    /// The whole number `n`.
    #[must_use]
    pub fn integer(n: u128) -> Self {
        Self {
            num: BigUint::from(n),
            den: BigUint::from(1u8),
        }
    }

    /// 0.
    #[must_use]
    pub fn zero() -> Self {
        Self::integer(0)
    }

    /// 1.
    #[must_use]
    pub fn one() -> Self {
        Self::integer(1)
    }

    /// Whether the value is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.num == BigUint::ZERO
    }

    /// The reduced numerator.
    #[must_use]
    pub fn num(&self) -> &BigUint {
        &self.num
    }

    /// The reduced denominator, never zero.
    #[must_use]
    pub fn den(&self) -> &BigUint {
        &self.den
    }

    /// `self - other`, or 0 when that would be negative.
    #[must_use]
    pub fn saturating_sub(&self, other: &Self) -> Self {
        let left = &self.num * &other.den;
        let right = &other.num * &self.den;
        if left <= right {
            return Self::zero();
        }
        Self {
            num: left - right,
            den: &self.den * &other.den,
        }
        .reduced()
    }

    /// `self / other`; `None` when `other` is 0.
    #[must_use]
    pub fn checked_div(&self, other: &Self) -> Option<Self> {
        Self::from_big(&self.num * &other.den, &self.den * &other.num)
    }

    /// The arithmetic mean; `None` of nothing.
    #[must_use]
    pub fn mean<'a>(values: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        let mut sum = Self::zero();
        let mut count = 0u128;
        for value in values {
            sum = &sum + value;
            count += 1;
        }
        sum.checked_div(&Self::integer(count))
    }

    /// The largest whole number not above the value.
    #[must_use]
    pub fn floor(&self) -> BigUint {
        &self.num / &self.den
    }

    /// The nearest whole number, halves up.
    #[must_use]
    pub fn round_half_up(&self) -> BigUint {
        (&self.num * 2u8 + &self.den) / (&self.den * 2u8)
    }

    /// The nearest whole number, halves to the even one.
    #[must_use]
    pub fn round_half_even(&self) -> BigUint {
        let floor = self.floor();
        let twice_rest = (&self.num - &floor * &self.den) * 2u8;
        let up = match twice_rest.cmp(&self.den) {
            Ordering::Less => false,
            Ordering::Greater => true,
            Ordering::Equal => floor.bit(0),
        };
        if up { floor + 1u8 } else { floor }
    }

    /// The nearest double, halves to even. Values above the largest double give infinity, below the smallest 0; the
    /// mechanism's own values are far from both.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        // Scale the quotient to 64 or 65 significant bits, mark the lost rest in the lowest one, and let the single
        // rounding of the integer conversion do the rest. Exact while the result is a normal double.
        let scale = 65 + exponent(&self.den) - exponent(&self.num);
        let (num, den) = if scale >= 0 {
            (&self.num << scale.unsigned_abs(), self.den.clone())
        } else {
            (self.num.clone(), &self.den << scale.unsigned_abs())
        };
        let quotient = &num / &den;
        let sticky = &quotient * &den != num;
        let Ok(mantissa) = u128::try_from(quotient) else {
            return f64::INFINITY;
        };
        #[expect(
            clippy::cast_precision_loss,
            reason = "this conversion is the one rounding to nearest even"
        )]
        let rounded = (mantissa << 1 | u128::from(sticky)) as f64;
        ldexp(rounded, -(scale + 1))
    }

    fn reduced(self) -> Self {
        let divisor = gcd(self.num.clone(), self.den.clone());
        Self {
            num: self.num / &divisor,
            den: self.den / divisor,
        }
    }
}

fn exponent(value: &BigUint) -> i64 {
    i64::try_from(value.bits()).unwrap_or(i64::MAX / 4)
}

/// `value * 2^power`, in steps that are exact while the result is a normal double.
fn ldexp(value: f64, power: i64) -> f64 {
    let mut out = value;
    let mut left = power;
    while left != 0 && out != 0.0 && out.is_finite() {
        let step = left.clamp(-1000, 1000);
        let biased = u64::try_from(step + 1023).unwrap_or(1023);
        out *= f64::from_bits(biased << 52);
        left -= step;
    }
    out
}

fn gcd(mut a: BigUint, mut b: BigUint) -> BigUint {
    while b != BigUint::ZERO {
        let rest = &a % &b;
        a = b;
        b = rest;
    }
    a
}

impl Add for &Rational {
    type Output = Rational;

    fn add(self, other: Self) -> Rational {
        Rational {
            num: &self.num * &other.den + &other.num * &self.den,
            den: &self.den * &other.den,
        }
        .reduced()
    }
}

impl Mul for &Rational {
    type Output = Rational;

    fn mul(self, other: Self) -> Rational {
        Rational {
            num: &self.num * &other.num,
            den: &self.den * &other.den,
        }
        .reduced()
    }
}

impl PartialEq for Rational {
    fn eq(&self, other: &Self) -> bool {
        self.num == other.num && self.den == other.den
    }
}

impl Eq for Rational {}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.num * &other.den).cmp(&(&other.num * &self.den))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den == BigUint::from(1u8) {
            write!(f, "{}", self.num)
        } else {
            write!(f, "{}/{}", self.num, self.den)
        }
    }
}

/// The text is no exact fraction.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no exact fraction; write a decimal such as 0.225 or a fraction such as 17/50")]
pub struct NotRational(pub String);

impl FromStr for Rational {
    type Err = NotRational;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refused = || NotRational(text.to_owned());
        if let Some((num, den)) = text.split_once('/') {
            let num = digits(num).ok_or_else(refused)?;
            let den = digits(den).ok_or_else(refused)?;
            return Self::new(num, den).ok_or_else(refused);
        }
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let places = u32::try_from(part.len()).map_err(|_| refused())?;
        let scale = 10u128.checked_pow(places).ok_or_else(refused)?;
        let whole = digits(whole).ok_or_else(refused)?;
        let part = digits(part).ok_or_else(refused)?;
        let num = whole
            .checked_mul(scale)
            .and_then(|scaled| scaled.checked_add(part))
            .ok_or_else(refused)?;
        Self::new(num, scale).ok_or_else(refused)
    }
}

/// Only ASCII digits, at least one: `parse` alone would also take a sign.
fn digits(text: &str) -> Option<u128> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

impl Serialize for Rational {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rational {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn r(text: &str) -> Rational {
        text.parse().unwrap()
    }

    #[test]
    fn decimals_and_fractions_are_read_exactly() {
        assert_eq!(r("0.225"), Rational::new(9, 40).unwrap());
        assert_eq!(r("17/50").to_string(), "17/50");
        assert_eq!(r("3"), Rational::integer(3));
        for bad in [
            "", ".5", "1.", "-1", "+1", "1e3", "1/0", "1/", "0.1.2", " 1",
        ] {
            assert!(bad.parse::<Rational>().is_err(), "{bad:?} must be refused");
        }
    }

    #[test]
    fn halves_round_as_named() {
        assert_eq!(r("5/2").round_half_up(), BigUint::from(3u8));
        assert_eq!(r("5/2").round_half_even(), BigUint::from(2u8));
        assert_eq!(r("7/2").round_half_even(), BigUint::from(4u8));
        assert_eq!(r("7/2").floor(), BigUint::from(3u8));
        assert_eq!(r("1/3").round_half_up(), BigUint::ZERO);
    }

    #[test]
    fn subtraction_stops_at_zero_and_division_by_zero_is_none() {
        assert_eq!(r("1").saturating_sub(&r("2/5")), r("3/5"));
        assert!(r("1").saturating_sub(&r("6/5")).is_zero());
        assert!(r("1").checked_div(&Rational::zero()).is_none());
        assert!(Rational::mean([]).is_none());
        assert_eq!(Rational::mean([&r("1/3"), &r("1/6")]).unwrap(), r("1/4"));
    }

    #[test]
    fn a_long_mean_of_unlike_fractions_stays_exact() {
        let values: Vec<_> = (1u128..=50)
            .map(|n| Rational::new(1, (1 << 29) + n).unwrap())
            .collect();
        let mean = Rational::mean(&values).unwrap();
        let back = values
            .iter()
            .fold(&mean * &Rational::integer(50), |sum, v| {
                sum.saturating_sub(v)
            });
        assert!(back.is_zero());
    }

    proptest! {
        #[test]
        fn to_f64_is_the_correctly_rounded_quotient(n in 0u64..1 << 53, d in 1u64..1 << 53) {
            // Both operands are exact doubles, so IEEE division rounds the exact quotient once.
            #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
            let expected = n as f64 / d as f64;
            let value = Rational::new(n.into(), d.into()).unwrap();
            prop_assert_eq!(value.to_f64().to_bits(), expected.to_bits());
        }

        #[test]
        fn order_is_that_of_the_cross_products(a in 0u32.., b in 1u32.., c in 0u32.., d in 1u32..) {
            let (left, right) = (Rational::new(a.into(), b.into()).unwrap(), Rational::new(c.into(), d.into()).unwrap());
            prop_assert_eq!(left.cmp(&right), (u64::from(a) * u64::from(d)).cmp(&(u64::from(c) * u64::from(b))));
        }
    }
}
