//! Comparing what a rule gave with what a conformance case expects.

use serde_json::Value;

/// Doubles agree within this, relative or absolute; everything else must be equal.
const TOLERANCE: f64 = 1e-9;

/// Judges the outcome of one case: an expected `error` must be an error, anything else must agree.
///
/// The outcome may say more than the case asks for at its top level, and nothing more below.
///
/// # Errors
/// One line that says where they differ.
pub(super) fn judge(outcome: Result<Value, String>, expected: &Value) -> Result<(), String> {
    let wants_error = expected
        .get("error")
        .is_some_and(|error| !matches!(error, Value::Null | Value::Bool(false)));
    match outcome {
        Err(_) if wants_error => Ok(()),
        Err(error) => Err(format!("unexpected error: {error}")),
        Ok(value) if wants_error => Err(format!("expected an error, got {value}")),
        Ok(value) => top_level(&value, expected),
    }
}

fn top_level(actual: &Value, expected: &Value) -> Result<(), String> {
    let (Value::Object(actual), Value::Object(expected)) = (actual, expected) else {
        return same("", actual, expected);
    };
    expected
        .iter()
        .filter(|(key, _)| *key != "error")
        .try_for_each(|(key, wanted)| match actual.get(key) {
            Some(value) => same(key, value, wanted),
            None => Err(format!(
                "{key}: expected {wanted}, but the rule gives no such value"
            )),
        })
}

fn same(place: &str, actual: &Value, expected: &Value) -> Result<(), String> {
    let differ = || Err(format!("{place}: expected {expected}, got {actual}"));
    match (actual, expected) {
        (Value::Object(a), Value::Object(e)) => {
            if !a.keys().eq(e.keys()) {
                return differ();
            }
            a.iter()
                .try_for_each(|(key, value)| same(&format!("{place}.{key}"), value, &e[key]))
        }
        (Value::Array(a), Value::Array(e)) => {
            if a.len() != e.len() {
                return differ();
            }
            a.iter()
                .zip(e)
                .enumerate()
                .try_for_each(|(at, (a, e))| same(&format!("{place}[{at}]"), a, e))
        }
        (Value::Number(a), Value::Number(e)) if a.is_f64() || e.is_f64() => {
            match (a.as_f64(), e.as_f64()) {
                (Some(a), Some(e)) if close(a, e) => Ok(()),
                _ => differ(),
            }
        }
        _ if actual == expected => Ok(()),
        _ => differ(),
    }
}

fn close(a: f64, b: f64) -> bool {
    let difference = (a - b).abs();
    difference <= TOLERANCE || difference <= TOLERANCE * a.abs().max(b.abs())
}

/// Reads a part of a case's input as a type.
pub(super) fn read<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T, String> {
    serde_json::from_value(value.clone()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn differences_are_found_and_placed() {
        let actual = json!({"a": [1, {"b": 0.5}], "extra": 1});
        assert!(
            judge(
                Ok(actual.clone()),
                &json!({"a": [1, {"b": 0.500_000_000_01}]})
            )
            .is_ok()
        );
        for wrong in [
            json!({"a": [1, {"b": 0.500_001}]}),
            json!({"a": [1]}),
            json!({"a": [2, {"b": 0.5}]}),
            json!({"a": [1, {"b": 0.5, "c": null}]}),
            json!({"a": [1, {"b": 0.5}], "d": 1}),
            json!({"error": true}),
        ] {
            assert!(judge(Ok(actual.clone()), &wrong).is_err(), "{wrong}");
        }
        let message = judge(Ok(actual), &json!({"a": [1, {"b": 2}]})).unwrap_err();
        assert_eq!(message, "a[1].b: expected 2, got 0.5");
    }

    #[test]
    fn whole_numbers_are_compared_exactly() {
        let big = json!({"n": 1_000_000_000_000_000u64});
        assert!(judge(Ok(big), &json!({"n": 1_000_000_000_000_001u64})).is_err());
    }

    #[test]
    fn an_error_is_only_fine_where_it_is_expected() {
        assert!(judge(Err("x".into()), &json!({"error": true})).is_ok());
        assert!(judge(Err("x".into()), &json!({"error": false})).is_err());
        assert!(judge(Err("x".into()), &Value::Null).is_err());
    }
}
