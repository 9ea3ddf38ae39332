//! The typed checks of the reader and the published JSON Schemas accept exactly the same documents.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may fail the test"
)]

use jsonschema::Validator;
use mechanism::fault::Failure;
use mechanism::report::{parse, schema};
use mechanism::spec::Spec;
use mechanism::track::Track;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

static SPEC: LazyLock<Spec> = LazyLock::new(Spec::pinned);
static BEHAVIOURAL: LazyLock<Validator> = LazyLock::new(|| validator(Track::Skills));
static AUDIT: LazyLock<Validator> = LazyLock::new(|| validator(Track::Repositories));

fn validator(track: Track) -> Validator {
    let document = serde_json::from_str(schema(track.kind())).unwrap();
    jsonschema::draft202012::new(&document).unwrap()
}

/// What the reader says of a document's evidence, and what the schema says.
fn both(track: Track, document: &Value) -> (bool, bool) {
    let judge = if track.is_behavioural() {
        &BEHAVIOURAL
    } else {
        &AUDIT
    };
    let ours = match parse(&SPEC, track, Some(document.to_string().as_bytes())) {
        Ok(_) => true,
        Err(Failure::EvidenceInvalid) => false,
        Err(other) => panic!("{other} for {document}"),
    };
    (ours, judge.is_valid(document))
}

/// Any small JSON value, often of the wrong type for its place.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2i64..40).prop_map(Value::from),
        prop::sample::select(vec![0.5, 2.0, -1.0, 1e300]).prop_map(Value::from),
        prop::sample::select(vec!["", "x", "BLOCK", "12"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[a-c]", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Mostly `good`, sometimes anything.
fn mostly(good: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Value> {
    prop_oneof![12 => good, 1 => any_value()].boxed()
}

fn text() -> BoxedStrategy<Value> {
    mostly("[a-z]{0,3}".prop_map(Value::from))
}

/// An object whose members are mostly there.
fn object(members: Vec<(&'static str, BoxedStrategy<Value>)>) -> BoxedStrategy<Value> {
    let members: Vec<_> = members
        .into_iter()
        .map(|(key, value)| prop::option::weighted(0.9, value).prop_map(move |value| (key, value)))
        .collect();
    let extra = prop::option::weighted(0.1, any_value());
    let whole = (members, extra).prop_map(|(members, extra)| {
        let mut map = Map::new();
        for (key, value) in members {
            if let Some(value) = value {
                map.insert(key.to_owned(), value);
            }
        }
        if let Some(value) = extra {
            map.insert("unknown".to_owned(), value);
        }
        Value::Object(map)
    });
    mostly(whole)
}

fn list(item: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    mostly(prop::collection::vec(item, 0..3).prop_map(Value::from))
}

fn either(a: BoxedStrategy<Value>, b: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    prop_oneof![a, b].boxed()
}

fn anything() -> BoxedStrategy<Value> {
    any_value().boxed()
}

fn behavioural() -> impl Strategy<Value = Value> {
    let capability = either(
        text(),
        object(vec![("capability", text()), ("observation", anything())]),
    );
    let finding = object(vec![
        ("category", text()),
        ("title", text()),
        ("file", text()),
        ("path", text()),
        ("location", text()),
        ("evidence_ref", text()),
        ("plane", text()),
        ("severity", anything()),
        ("line", anything()),
        ("end_line", anything()),
        ("risk_score", anything()),
    ]);
    let shape = || either(object(vec![("tools", anything())]), list(anything()));
    let evidence = object(vec![
        (
            "action_plane",
            object(vec![("capabilities", list(capability))]),
        ),
        (
            "context_plane",
            object(vec![("injected_instructions", list(anything()))]),
        ),
        ("mcp_surface", shape()),
        ("lifecycle", shape()),
        ("supply_chain", shape()),
        ("proof_of_execution", either(text(), shape())),
    ]);
    let findings = either(Just(Value::Null).boxed(), list(finding));
    document(evidence, Some(findings))
}

fn audit() -> impl Strategy<Value = Value> {
    let vulnerability = object(vec![
        ("file", text()),
        ("title", text()),
        ("description", text()),
        ("line", anything()),
        ("end_line", anything()),
        ("cwe", anything()),
        ("severity", anything()),
    ]);
    let package = || {
        object(vec![
            ("name", text()),
            ("cve", either(text(), list(anything()))),
        ])
    };
    let packages = || either(package(), list(package()));
    let issue = object(vec![("type", text()), ("name", text())]);
    let shapes = object(vec![
        ("typosquat", packages()),
        ("dependency_confusion", packages()),
        ("install_scripts", packages()),
        ("dependencies", packages()),
    ]);
    let secret = object(vec![
        ("file", text()),
        ("type", text()),
        ("line", anything()),
        ("end_line", anything()),
    ]);
    let files = mostly((0i64..4).prop_map(Value::from));
    let evidence = object(vec![
        ("audit", object(vec![("files_analysed", files)])),
        ("vulnerabilities", list(vulnerability)),
        ("supply_chain", either(list(issue), shapes)),
        ("secrets", list(secret)),
    ]);
    document(evidence, None)
}

fn document(
    evidence: BoxedStrategy<Value>,
    findings: Option<BoxedStrategy<Value>>,
) -> impl Strategy<Value = Value> {
    let findings = prop::option::weighted(0.6, findings.unwrap_or_else(anything));
    let policy = prop::option::weighted(0.1, mostly(Just(json!({}))));
    (prop::option::weighted(0.97, evidence), findings, policy).prop_map(
        |(evidence, findings, policy)| {
            let mut map = Map::new();
            map.insert("verdict".to_owned(), json!("BLOCK"));
            for (key, value) in [
                ("evidence", evidence),
                ("findings", findings),
                ("policy", policy),
            ] {
                if let Some(value) = value {
                    map.insert(key.to_owned(), value);
                }
            }
            Value::Object(map)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn behavioural_reports(document in behavioural()) {
        let (ours, schema) = both(Track::Packages, &document);
        prop_assert_eq!(ours, schema, "{}", document);
    }

    #[test]
    fn audit_reports(document in audit()) {
        let (ours, schema) = both(Track::Repositories, &document);
        prop_assert_eq!(ours, schema, "{}", document);
    }
}

/// The agreement above would mean little if one side of it never came up.
#[test]
fn the_generators_reach_both_verdicts_often() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut share = |track: Track, strategy: BoxedStrategy<Value>| {
        let valid = (0..600)
            .filter(|_| both(track, &strategy.new_tree(&mut runner).unwrap().current()).0)
            .count();
        assert!(
            (60..540).contains(&valid),
            "{valid} of 600 were valid on {track}"
        );
    };
    share(Track::Packages, behavioural().boxed());
    share(Track::Repositories, audit().boxed());
}

#[test]
fn the_schemas_are_themselves_valid() {
    for track in [Track::Skills, Track::Repositories] {
        let document: Value = serde_json::from_str(schema(track.kind())).unwrap();
        assert!(jsonschema::meta::is_valid(&document));
        assert_eq!(
            document["$schema"],
            "https://json-schema.org/draft/2020-12/schema"
        );
    }
}
