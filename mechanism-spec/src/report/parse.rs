//! The gates of a report in their order: missing, too large, malformed, verdict, evidence (SPEC.md P-1 to P-9).

use super::decode::{Faults, kinds, scalar};
use super::line::Scalar;
use super::reader::{Kind, Malformed, Reader, Step};
use super::types::{CapabilityManifest, Finding, RepoReport, Report};
use super::{audit, behavioural};
use crate::fault::Failure;
use crate::spec::Spec;
use crate::track::Track;
use crate::verdict::Verdict;
use serde_json::Value;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// A report that fails its repetition, and why in words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{failure}: {detail}")]
pub struct Rejected {
    /// The stable name.
    pub failure: Failure,
    /// What exactly, for the agent's author. Never part of a digest.
    pub detail: String,
}

/// Judges the bytes of a report; `None` when there was none.
///
/// # Errors
/// The failure that names the first gate that does not hold (`mechanism.md §4`, item 3).
pub fn parse(spec: &Spec, track: Track, bytes: Option<&[u8]>) -> Result<Report, Failure> {
    parse_explained(spec, track, bytes).map_err(|rejected| rejected.failure)
}

/// As [`parse`], with a sentence for the agent's author.
///
/// # Errors
/// The first gate that does not hold.
pub fn parse_explained(
    spec: &Spec,
    track: Track,
    bytes: Option<&[u8]>,
) -> Result<Report, Rejected> {
    let reject = |failure, detail: String| Rejected { failure, detail };
    let bytes = bytes.ok_or_else(|| {
        reject(
            Failure::ReportMissing,
            "the run handed over no report".into(),
        )
    })?;
    let limit = spec.limits.report_bytes;
    if bytes.len() as u64 > limit {
        let detail = format!("{} bytes, the limit is {limit}", bytes.len());
        return Err(reject(Failure::ReportTooLarge, detail));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let detail = format!("not UTF-8 at byte {}", error.valid_up_to());
        reject(Failure::ReportMalformed, detail)
    })?;
    let (bom, text) = match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let draft = Draft::read(spec, track, text).map_err(|error| malformed(&error))?;
    let verdict = draft.verdict.ok_or_else(|| {
        let detail = "verdict, or verdict.decision, must be exactly ALLOW, WARN or BLOCK";
        reject(Failure::VerdictInvalid, detail.into())
    })?;
    if let Some(what) = draft.faults.first() {
        return Err(reject(Failure::EvidenceInvalid, what.into()));
    }
    Ok(Report {
        verdict,
        risk_score: draft.risk_score,
        bom,
        // A raw carriage return cannot stand inside a string, so any pair here is a line end.
        crlf: text.contains("\r\n"),
        findings: draft.findings,
        capabilities: draft.capabilities,
        repo: (!track.is_behavioural()).then_some(draft.repo),
    })
}

fn malformed(error: &Malformed) -> Rejected {
    Rejected {
        failure: Failure::ReportMalformed,
        detail: format!("{} at byte {}", error.what, error.at),
    }
}

/// What one pass over the document has seen so far.
#[derive(Debug, Default)]
struct Draft {
    verdict: Option<Verdict>,
    risk_score: Option<f64>,
    faults: Faults,
    capabilities: CapabilityManifest,
    findings: Vec<Finding>,
    repo: RepoReport,
}

impl Draft {
    fn read(spec: &Spec, track: Track, text: &str) -> Step<Self> {
        let range_lines = spec.repositories.range_lines;
        let mut reader = Reader::new(text, spec.limits.report_levels);
        let mut draft = Self::default();
        let mut evidence = false;
        if reader.peek()? != Kind::Object {
            return reader.fail("the document is no object");
        }
        reader.object(|reader, key| {
            match key {
                "verdict" => draft.read_verdict(reader)?,
                "evidence" => {
                    evidence = true;
                    if track.is_behavioural() {
                        behavioural::evidence(reader, &mut draft.faults, &mut draft.capabilities)?;
                    } else {
                        draft.repo = audit::evidence(reader, &mut draft.faults, range_lines, true)?;
                    }
                }
                "findings" if track.is_behavioural() => {
                    draft.findings = behavioural::findings(reader, &mut draft.faults, range_lines)?;
                }
                "policy" => kinds(
                    reader,
                    &mut draft.faults,
                    &[Kind::Object],
                    "policy is no object",
                )?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        reader.end()?;
        draft.faults.require(evidence, "evidence is missing");
        Ok(draft)
    }

    fn read_verdict(&mut self, reader: &mut Reader<'_>) -> Step {
        match reader.peek()? {
            Kind::Text => {
                self.verdict = Verdict::from_word(&reader.text()?);
                Ok(())
            }
            Kind::Object => reader.object(|reader, key| {
                match key {
                    "decision" => self.verdict = scalar(reader, word)?,
                    "risk_score" => self.risk_score = scalar(reader, risk)?,
                    _ => reader.skip()?,
                }
                Ok(())
            }),
            _ => reader.skip(),
        }
    }
}

fn word(value: Scalar<'_>) -> Option<Verdict> {
    match value {
        Scalar::Text(word) => Verdict::from_word(word),
        _ => None,
    }
}

fn risk(value: Scalar<'_>) -> Option<f64> {
    let number = match value {
        #[expect(clippy::cast_precision_loss, reason = "kept only up to 100")]
        Scalar::Integer(n) => n as f64,
        Scalar::Float(n) => n,
        _ => return None,
    };
    (0.0..=100.0).contains(&number).then_some(number)
}

/// Decodes a bare audit `{vulnerabilities?, supply_chain?, secrets?}` by the same code, for conformance cases.
///
/// # Errors
/// The failure that a report with this evidence would have.
pub fn parse_audit(spec: &Spec, value: &Value) -> Result<RepoReport, Failure> {
    fragment(spec, value, |reader, faults| {
        audit::evidence(reader, faults, spec.repositories.range_lines, false)
    })
}

/// Decodes a bare list of findings by the same code, for conformance cases.
///
/// # Errors
/// The failure that a report with these findings would have.
pub fn parse_findings(spec: &Spec, value: &Value) -> Result<Vec<Finding>, Failure> {
    fragment(spec, value, |reader, faults| {
        behavioural::findings(reader, faults, spec.repositories.range_lines)
    })
}

fn fragment<T>(
    spec: &Spec,
    value: &Value,
    read: impl FnOnce(&mut Reader<'_>, &mut Faults) -> Step<T>,
) -> Result<T, Failure> {
    let text = value.to_string();
    let mut faults = Faults::default();
    let mut reader = Reader::new(&text, spec.limits.report_levels);
    let out = read(&mut reader, &mut faults).map_err(|_| Failure::ReportMalformed)?;
    faults.none().then_some(out).ok_or(Failure::EvidenceInvalid)
}
