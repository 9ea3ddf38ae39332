//! Kind `report_parse`: hostile bytes, given as parts so that long ones stay short in the file.

use super::diff::{judge, read};
use crate::report::parse;
use crate::spec::Spec;
use crate::track::Track;
use serde::Deserialize;
use serde_json::{Value, json};

/// A case beyond this many bytes is a mistake of the case's author.
const LARGEST_CASE: usize = 1 << 28;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    track: Track,
    #[serde(deserialize_with = "Option::deserialize")]
    parts: Option<Vec<Part>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    text: Option<String>,
    hex: Option<String>,
    #[serde(default = "once")]
    times: usize,
}

const fn once() -> usize {
    1
}

impl Part {
    fn append(&self, out: &mut Vec<u8>) -> Result<(), String> {
        let bytes = match (&self.text, &self.hex) {
            (Some(text), None) => text.clone().into_bytes(),
            (None, Some(digits)) => {
                hex::decode(digits).map_err(|error| format!("hex of a part: {error}"))?
            }
            _ => return Err("a part has either text or hex".into()),
        };
        let length = bytes
            .len()
            .checked_mul(self.times)
            .and_then(|n| n.checked_add(out.len()));
        if length.is_none_or(|length| length > LARGEST_CASE) {
            return Err(format!("the parts are longer than {LARGEST_CASE} bytes"));
        }
        for _ in 0..self.times {
            out.extend_from_slice(&bytes);
        }
        Ok(())
    }
}

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    judge(outcome(input), expected)
}

fn outcome(input: &Value) -> Result<Value, String> {
    let case: Input = read(input)?;
    let bytes = match case.parts {
        None => None,
        Some(parts) => {
            let mut bytes = Vec::new();
            for part in parts {
                part.append(&mut bytes)?;
            }
            Some(bytes)
        }
    };
    Ok(match parse(&Spec::pinned(), case.track, bytes.as_deref()) {
        Ok(report) => json!({
            "result": "ok",
            "verdict": report.verdict,
            "bom": report.bom,
            "crlf": report.crlf,
        }),
        Err(failure) => json!({ "result": failure }),
    })
}
