//! Lines and CWE numbers, which an agent may write as any JSON value (`mechanism.md §7`).

use serde_json::Value;

/// Where in a file a finding points, 1-based, counted by `\n` alone. Numbers beyond `i64` count as its largest.
///
/// Canonical: a range that counts as its first line is stored as [`Line::At`], so equality is equality of meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Line {
    /// No line: absent, below 1 or anything that is no line number.
    #[default]
    None,
    /// One line.
    At(i64),
    /// First and last line, `first < last`, short enough to count as a range.
    Range(i64, i64),
}

impl Line {
    /// The canonical form of `{line, end_line}`. A range with `last - first >= range_lines`, an inverted or an unreadable
    /// one counts as its first line.
    #[must_use]
    pub fn new(first: Option<i64>, last: Option<i64>, range_lines: u64) -> Self {
        match (first, last) {
            (None, _) => Line::None,
            (Some(first), Some(last)) if last > first && last.abs_diff(first) < range_lines => {
                Line::Range(first, last)
            }
            (Some(first), _) => Line::At(first),
        }
    }

    /// The first line, if there is one.
    #[must_use]
    pub const fn first(self) -> Option<i64> {
        match self {
            Line::None => None,
            Line::At(first) | Line::Range(first, _) => Some(first),
        }
    }

    /// How many lines `line` lies outside; 0 inside a range. `None` without a line.
    #[must_use]
    pub fn distance(self, line: i64) -> Option<u64> {
        match self {
            Line::None => None,
            Line::At(at) => Some(at.abs_diff(line)),
            Line::Range(first, _) if line < first => Some(first.abs_diff(line)),
            Line::Range(_, last) if line > last => Some(last.abs_diff(line)),
            Line::Range(..) => Some(0),
        }
    }
}

/// The line number of any JSON value: a JSON integer, an integral float or `-?[0-9]+`, at least 1.
#[must_use]
pub fn line_number(value: &Value) -> Option<i64> {
    Scalar::of(value).line_number()
}

/// The CWE number of any JSON value: the first run of ASCII digits of the text (of a list's first entry). Numbers beyond
/// `u64` count as its largest.
#[must_use]
pub fn cwe_number(value: &Value) -> Option<u64> {
    match value {
        Value::Array(entries) => entries
            .first()
            .and_then(|first| Scalar::of(first).cwe_number()),
        other => Scalar::of(other).cwe_number(),
    }
}

/// What lines and CWE numbers are read from, whichever reader met it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Scalar<'a> {
    Integer(i128),
    Float(f64),
    Text(&'a str),
    Other,
}

impl<'a> Scalar<'a> {
    pub(crate) fn of(value: &'a Value) -> Self {
        match value {
            Value::String(text) => Scalar::Text(text),
            Value::Number(number) => {
                if let Some(n) = number.as_i128() {
                    Scalar::Integer(n)
                } else {
                    number.as_f64().map_or(Scalar::Other, Scalar::Float)
                }
            }
            _ => Scalar::Other,
        }
    }

    /// A line number `>= 1`: an integer, an integral float, or text `-?[0-9]+`.
    pub(crate) fn line_number(self) -> Option<i64> {
        let number = match self {
            Scalar::Integer(n) => i64::try_from(n).unwrap_or(if n < 0 { 0 } else { i64::MAX }),
            Scalar::Float(n) if n.fract() == 0.0 => saturating_i64(n),
            Scalar::Text(text)
                if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                text.parse().unwrap_or(i64::MAX)
            }
            _ => return None,
        };
        (number >= 1).then_some(number)
    }

    /// The first run of ASCII digits of the value's text, as a number.
    pub(crate) fn cwe_number(self) -> Option<u64> {
        match self {
            Scalar::Integer(n) => Some(u64::try_from(n.unsigned_abs()).unwrap_or(u64::MAX)),
            // The digits before the point, whatever notation the number was written in.
            Scalar::Float(n) => u64::try_from(saturating_i64(n.abs())).ok(),
            Scalar::Text(text) => {
                let from = text.find(|c: char| c.is_ascii_digit())?;
                let run = &text[from..];
                let end = run.find(|c: char| !c.is_ascii_digit()).unwrap_or(run.len());
                Some(run[..end].parse().unwrap_or(u64::MAX))
            }
            Scalar::Other => None,
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a float cast saturates, which is the rule"
)]
fn saturating_i64(value: f64) -> i64 {
    value as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn line(value: &Value) -> Line {
        Line::new(line_number(value), None, 20)
    }

    #[test]
    fn a_line_is_an_integer_an_integral_float_or_digits() {
        for value in [json!(12), json!(12.0), json!("12"), json!("0012")] {
            assert_eq!(line(&value), Line::At(12), "{value}");
        }
        for value in [
            json!(0),
            json!(-1),
            json!("-12"),
            json!("12.0"),
            json!("+12"),
            json!(" 12"),
            json!(""),
            json!("-"),
            json!(12.5),
            json!(null),
            json!(true),
            json!([12]),
            json!({}),
        ] {
            assert_eq!(line(&value), Line::None, "{value}");
        }
        assert_eq!(line(&json!(1e300)), Line::At(i64::MAX));
        assert_eq!(line(&json!(u64::MAX)), Line::At(i64::MAX));
        assert_eq!(line(&json!("99999999999999999999999")), Line::At(i64::MAX));
    }

    #[test]
    fn a_range_of_twenty_or_an_inverted_or_unreadable_one_is_its_first_line() {
        let range = |a: Value, b: Value| Line::new(line_number(&a), line_number(&b), 20);
        assert_eq!(range(json!(32), json!(51)), Line::Range(32, 51));
        assert_eq!(range(json!(32), json!(52)), Line::At(32));
        assert_eq!(range(json!(32), json!(31)), Line::At(32));
        assert_eq!(range(json!(32), json!(32)), Line::At(32));
        assert_eq!(range(json!(32), json!("x")), Line::At(32));
        assert_eq!(range(json!("x"), json!(32)), Line::None);
    }

    #[test]
    fn distance_is_zero_inside_and_measured_from_the_nearer_end() {
        assert_eq!(Line::Range(30, 40).distance(35), Some(0));
        assert_eq!(Line::Range(30, 40).distance(20), Some(10));
        assert_eq!(Line::Range(30, 40).distance(51), Some(11));
        assert_eq!(Line::At(i64::MAX).distance(1), Some(i64::MAX.abs_diff(1)));
        assert_eq!(Line::None.distance(1), None);
    }

    #[test]
    fn every_spelling_of_a_weakness_gives_its_number() {
        for value in [
            json!("CWE-78"),
            json!("CWE-078"),
            json!("cwe-78: OS Command Injection"),
            json!(78),
            json!(78.0),
            json!(["CWE-78", "CWE-79"]),
        ] {
            assert_eq!(cwe_number(&value), Some(78), "{value}");
        }
        for value in [
            json!("none"),
            json!(null),
            json!([]),
            json!({"id": 78}),
            json!([[78]]),
        ] {
            assert_eq!(cwe_number(&value), None, "{value}");
        }
    }
}
