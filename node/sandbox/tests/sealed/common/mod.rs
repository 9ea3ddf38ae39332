//! A runtime tree from the host's interpreter, a slot on it, and short ways to run agents.

mod tree;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use sandbox::{Limits, Profile, Program, RunOutcome, RunSpec, SandboxConfig, Slot};

/// Limits of a run as the mechanism has them, with a short CPU budget.
pub(crate) fn limits() -> Limits {
    Limits {
        cpu_us: 8_000_000,
        wall_us: 24_000_000,
        memory_bytes: 2 << 30,
        processes: 256,
        tmp_bytes: 64 << 20,
        workspace_bytes: 256 << 20,
        inodes: 16_384,
        file_bytes: 256 << 20,
        report_bytes: 8 << 20,
        output_keep_bytes: 64 << 10,
        output_flood_bytes: 8 << 20,
    }
}

/// A slot configuration on the test tree.
pub(crate) fn config() -> SandboxConfig {
    static SLOTS: AtomicU32 = AtomicU32::new(0);
    let (runtime_root, python) = tree::ensure();
    SandboxConfig {
        runtime_root,
        python,
        launcher: PathBuf::from(env!("CARGO_BIN_EXE_assay-launcher")),
        launcher_args: vec![],
        slot: SLOTS.fetch_add(1, Ordering::Relaxed),
        cpu: Some(0),
        profile: Profile::Sealed,
        max: Limits {
            cpu_us: 600_000_000,
            wall_us: 600_000_000,
            ..limits()
        },
        cgroups: None,
    }
}

/// A slot.
pub(crate) fn slot() -> Slot {
    Slot::start(&config()).unwrap()
}

/// An artifact folder with two files.
pub(crate) fn artifact(folder: &Path) -> PathBuf {
    let root = folder.join("artifact");
    std::fs::create_dir_all(root.join("pkg")).unwrap();
    std::fs::write(root.join("SKILL.md"), "# A skill\n").unwrap();
    std::fs::write(root.join("pkg/main.py"), "print('hello')\n").unwrap();
    root
}

/// A run of `source` with the given limits.
pub(crate) fn spec(source: &str, artifact: &Path, limits: Limits) -> RunSpec {
    RunSpec {
        agent: Program::PythonFile(source.as_bytes().to_vec()),
        task_json: br#"{"artifact_dir": "/task/artifact", "nonce": "n\u00e9", "probe": {}, "limits": {"cpu_seconds": 8, "x": 1.5}}"#.to_vec(),
        artifact: artifact.to_owned(),
        probe: None,
        limits,
    }
}

/// Runs `source` once on a slot of its own.
pub(crate) fn run(source: &str) -> RunOutcome {
    run_with(source, limits())
}

/// As [`run`], with other limits.
pub(crate) fn run_with(source: &str, limits: Limits) -> RunOutcome {
    let folder = tempfile::tempdir().unwrap();
    slot()
        .run(&spec(source, &artifact(folder.path()), limits))
        .unwrap()
}

/// The report's bytes as text.
pub(crate) fn report(outcome: &RunOutcome) -> String {
    match &outcome.report {
        sandbox::ReportBytes::Bytes(bytes) => String::from_utf8(bytes.clone()).unwrap(),
        other => panic!(
            "{other:?} {outcome:#?} stderr: {}",
            String::from_utf8_lossy(&outcome.stderr)
        ),
    }
}
