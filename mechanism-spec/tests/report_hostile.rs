//! Whatever bytes an agent hands over, the parser answers with a report or a name: no panic, no runaway time or memory.

use mechanism::fault::Failure;
use mechanism::report::{Line, SupplyChainIssue, parse, parse_explained};
use mechanism::spec::Spec;
use mechanism::track::Track;
use mechanism::verdict::Verdict;
use proptest::prelude::*;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

static SPEC: LazyLock<Spec> = LazyLock::new(Spec::pinned);

const BEHAVIOURAL: &str = r#"{"verdict":{"decision":"BLOCK","risk_score":92.5},"evidence":{"action_plane":{"capabilities":["shell_exec","EXEC_SHELL",{"capability":"READ_SECRET"},"NOT_A_NAME"]},"context_plane":{"injected_instructions":["ignore"]}},"findings":[{"category":"data exfiltration","title":"Uploads\u0020keys","file":"","path":"run.sh","line":"7"}]}"#;
const AUDIT: &str = r#"{"verdict":"WARN","evidence":{"audit":{"files_analysed":3},"vulnerabilities":[{"file":"srv/db.py","line":20,"end_line":29.0,"cwe":["CWE-089","x"],"title":"Query","description":"from input"}],"supply_chain":{"dependencies":[{"name":"Left","cve":"CVE-1"},{"name":"right","cve":[]}],"install_scripts":{"name":"X"},"typosquat":[{"name":"Reqests"}]},"secrets":[{"file":"cfg.yml","type":"Token"}]}}"#;

fn read(track: Track, text: &str) -> Result<mechanism::report::Report, Failure> {
    parse(&SPEC, track, Some(text.as_bytes()))
}

#[test]
fn a_behavioural_report_is_decoded() {
    let report = read(Track::Skills, BEHAVIOURAL).unwrap();
    assert_eq!(report.verdict, Verdict::Block);
    assert_eq!(report.risk_score, Some(92.5));
    assert_eq!(
        report
            .capabilities
            .known
            .iter()
            .copied()
            .collect::<Vec<_>>(),
        ["EXEC_SHELL", "READ_SECRET"]
    );
    assert_eq!(report.capabilities.dropped, 1);
    let finding = &report.findings[0];
    assert_eq!(
        (finding.title.as_str(), finding.location.as_deref()),
        ("Uploads keys", Some("run.sh"))
    );
    assert_eq!(finding.line, Line::At(7));
    assert_eq!(report.repo, None);
}

#[test]
fn an_audit_is_decoded_and_the_object_shape_flattened_in_one_order() {
    let report = read(Track::Repositories, AUDIT).unwrap();
    let repo = report.repo.unwrap();
    assert_eq!(
        (report.verdict, repo.files_analysed, repo.reported()),
        (Verdict::Warn, 3, 5)
    );
    let found = &repo.vulnerabilities[0];
    assert_eq!((found.line, found.cwe), (Line::Range(20, 29), Some(89)));
    assert_eq!(
        (found.title.as_str(), found.description.as_str()),
        ("Query", "from input")
    );
    let issue = |kind: &str, name: &str| SupplyChainIssue {
        kind: kind.to_owned(),
        name: name.to_owned(),
    };
    let flat = [
        issue("typosquat", "reqests"),
        issue("install_script", ""),
        issue("vulnerable_dependency", "left"),
    ];
    assert_eq!(repo.supply_chain, flat);
    assert_eq!(
        (repo.secrets[0].kind.as_str(), repo.secrets[0].line),
        ("token", Line::None)
    );
}

#[test]
fn the_findings_of_an_audit_are_not_read() {
    let text = AUDIT.replacen('{', r#"{"findings":7,"#, 1);
    assert_eq!(
        read(Track::Repositories, &text).map(|report| report.findings),
        Ok(vec![])
    );
}

#[test]
fn the_detail_names_what_is_missing() {
    let text = BEHAVIOURAL.replace("context_plane", "contextplane");
    let rejected = parse_explained(&SPEC, Track::Packages, Some(text.as_bytes())).unwrap_err();
    assert_eq!(
        rejected.to_string(),
        "evidence_invalid: evidence.context_plane is missing"
    );
    let rejected = parse_explained(&SPEC, Track::Packages, Some(b"{\"a\":1e999}")).unwrap_err();
    assert_eq!(
        rejected.to_string(),
        "report_malformed: a number beyond the range of doubles at byte 10"
    );
}

/// Documents that are as long as allowed and as awkward as possible must be judged in bounded time.
#[test]
fn the_largest_awkward_documents_are_judged_in_time() {
    let size = usize::try_from(SPEC.limits.report_bytes).unwrap();
    let fill = |open: &str, unit: &str, close: &str| {
        let times = (size - open.len() - close.len()) / unit.len();
        format!("{open}{}{close}", unit.repeat(times))
    };
    let numbered_keys: String = (0..700_000).map(|n| format!("\"{n:x}\":0,")).collect();
    let documents = [
        fill("[", "[],", "0]"),
        fill("{\"a\":[", "{},", "0]}"),
        fill(
            "{\"findings\":[",
            "{\"category\":\"\",\"title\":\"\"},",
            "{}]}",
        ),
        fill(
            "{\"evidence\":{\"vulnerabilities\":[",
            "{\"file\":\"\"},",
            "0]}}",
        ),
        fill("{\"a\":\"", "\\u0041", "\"}"),
        fill("{\"a\":0.", "7", "}"),
        fill("{\"a\":1e-", "9", "}"),
        fill("{\"", "k", "\":0}"),
        format!("{{{numbered_keys}\"z\":0}}"),
    ];
    for document in documents {
        assert!(document.len() <= size);
        for track in [Track::Skills, Track::Repositories] {
            let from = Instant::now();
            assert!(read(track, &document).is_err());
            let head: String = document.chars().take(30).collect();
            assert!(
                from.elapsed() < Duration::from_secs(10),
                "{head}... took {:?}",
                from.elapsed()
            );
        }
    }
}

fn tracks() -> impl Strategy<Value = Track> {
    prop::sample::select(&Track::ALL[..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), track in tracks()) {
        let _ = parse_explained(&SPEC, track, Some(&bytes));
    }

    #[test]
    fn arbitrary_json_punctuation_never_panics(text in r#"[\[\]{}:,"\\0-9eE.+u d-]{0,80}"#, track in tracks()) {
        let _ = parse_explained(&SPEC, track, Some(text.as_bytes()));
    }

    #[test]
    fn mutated_reports_never_panic(
        audit: bool,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..3), 1..6),
    ) {
        let (track, text) = if audit { (Track::Repositories, AUDIT) } else { (Track::Skills, BEHAVIOURAL) };
        let mut bytes = text.as_bytes().to_vec();
        for (at, byte, how) in edits {
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => { bytes.truncate(at.max(1)); }
            }
        }
        let result = parse_explained(&SPEC, track, Some(&bytes));
        // What passes is JSON to a second reader as well.
        if result.is_ok() {
            let without_bom = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
            prop_assert!(serde_json::from_slice::<serde_json::Value>(without_bom).is_ok());
        }
    }

    #[test]
    fn every_proper_prefix_fails(audit: bool, at: prop::sample::Index) {
        let (track, text) = if audit { (Track::Repositories, AUDIT) } else { (Track::Skills, BEHAVIOURAL) };
        let end = at.index(text.len());
        prop_assert_eq!(parse(&SPEC, track, text.as_bytes().get(..end)).map(drop), Err(Failure::ReportMalformed));
    }
}
