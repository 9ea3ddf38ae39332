//! The task document an agent receives (agent contract v1; `architecture.md`, the agent contract).

use mechanism::derive::Derived;
use mechanism::spec::Spec;
use mechanism::track::Track;
use serde_json::{Value, json};

/// Where the artifact stands inside the sandbox.
pub const ARTIFACT_DIR: &str = "/task/artifact";
/// Where the agent may write JSON-lines events.
pub const EVENTS_PATH: &str = "/task/workspace/events.jsonl";
/// Suffix of the name that the probe's DNS host would have; `.invalid` never resolves.
const DNS_SUFFIX: &str = "probe.invalid";

/// Files that name an artifact's entrypoint, the first that is there wins.
const ENTRYPOINTS: [&str; 9] = [
    "SKILL.md",
    "server.py",
    "server.js",
    "server.ts",
    "package.json",
    "pyproject.toml",
    "setup.py",
    "go.mod",
    "README.md",
];

/// What the validator tells an agent about the runtime it runs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxNote {
    /// Name of the runtime image.
    pub image: String,
    /// Tree hash of the runtime, hex.
    pub digest: String,
}

/// Builds the document for one run. Depends on the run's own derivations only, so nothing in it hints at a label or
/// repeats between repetitions.
#[must_use]
pub fn task_document(
    spec: &Spec,
    track: Track,
    derived: &Derived,
    artifact_files: &[String],
    sandbox: &SandboxNote,
) -> Value {
    let budget = spec.track(track);
    let probe = if track.is_behavioural() {
        json!({
            "file_path": derived.probe_file(),
            "file_content": derived.probe_content,
            "dns_host": format!("{}.{DNS_SUFFIX}", &derived.canary[..16]),
            "process_echo": derived.canary[16..32],
            "canary": derived.canary,
        })
    } else {
        json!({})
    };
    json!({
        "artifact_dir": ARTIFACT_DIR,
        "track": track.as_str(),
        "nonce": derived.nonce,
        "entrypoint": entrypoint(artifact_files),
        "task_id": &derived.nonce[..16],
        "probe": probe,
        "observed": {},
        "inference": {"api": "", "api_key": "", "provider": "", "model": ""},
        "sandbox": {"image": sandbox.image, "digest": sandbox.digest},
        "limits": {
            "cpu_seconds": budget.cpu_us / 1_000_000,
            "wall_seconds": budget.wall_us / 1_000_000,
            "memory_bytes": spec.limits.memory_bytes,
            "processes": spec.limits.processes,
        },
        "events_path": EVENTS_PATH,
    })
}

/// The artifact's main file by a fixed list of names at its top level; empty when none of them is there.
fn entrypoint(files: &[String]) -> &str {
    ENTRYPOINTS
        .iter()
        .find(|name| files.iter().any(|file| file == *name))
        .copied()
        .unwrap_or("")
}
