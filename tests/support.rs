//! A temporary desk with a small corpus, agents and a state folder, and what must hold of every refusal.

use assert_cmd::Command;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The binary under test.
pub(crate) const ASSAY: &str = env!("CARGO_BIN_EXE_assay");
/// Tasks per class of the small corpus; a repository draw needs four planted tasks and at most one clean one.
const PER_CLASS: [(&str, [usize; 2]); 4] = [
    ("skills", [4, 4]),
    ("mcp_servers", [4, 4]),
    ("packages", [4, 4]),
    ("repositories", [4, 1]),
];
/// Rounds on a host that is busy with something else rightly abstain; they are run again this often.
const TRIES: u32 = 3;

/// The repository.
pub(crate) fn repository() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.join("../..").canonicalize().unwrap()
}

/// One test's files: `corpus/`, `agents/`, `state/`.
pub(crate) struct Desk {
    dir: TempDir,
}

impl Desk {
    /// A desk with a pinned small corpus and the reference agents.
    pub(crate) fn new() -> Self {
        let desk = Desk::bare();
        for (track, wanted) in PER_CLASS {
            copy_tasks(track, wanted, &desk.corpus().join(track));
        }
        desk.assay()
            .args(["corpus", "pin", "corpus"])
            .assert()
            .success();
        desk
    }

    /// A desk without a corpus.
    pub(crate) fn bare() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("state");
        fs::create_dir_all(&state).unwrap();
        // One runtime for all tests: it is built once, under the cache's own lock.
        let runtimes = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runtimes");
        fs::create_dir_all(&runtimes).unwrap();
        symlink(runtimes, state.join("runtimes")).unwrap();
        copy_dir(
            &repository().join("corpus/agents"),
            &dir.path().join("agents"),
        );
        Desk { dir }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn corpus(&self) -> PathBuf {
        self.path().join("corpus")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.path().join("state")
    }

    /// Writes a file of the desk and returns its path.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// `assay` with this desk's state, in its folder, on the host's own Python, without the caller's settings.
    pub(crate) fn assay(&self) -> Command {
        self.program(ASSAY)
    }

    /// Another program with the same settings.
    pub(crate) fn program(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("ASSAY_")) {
            command.env_remove(name);
        }
        command
            .current_dir(self.path())
            .env("ASSAY_STATE", self.state())
            .env("ASSAY_RUNTIME", "host");
        command
    }

    /// Writes `registry.json` of (name, agent file under `agents/`, track); the pins are those of the files.
    pub(crate) fn registry(&self, agents: &[(&str, &str, &str)]) -> PathBuf {
        let entries: Vec<Value> = (1u64..)
            .zip(agents)
            .map(|(block, (name, file, track))| {
                let file = self.path().join("agents").join(file);
                json!({
                    "name": name, "file": file, "track": track, "pin": pin(&file), "commit_block": block,
                })
            })
            .collect();
        let text = json!({"version": 1, "agents": entries}).to_string();
        self.write("registry.json", text)
    }

    /// Runs a command that prints one JSON object, again when the host was too busy for it.
    pub(crate) fn json(&self, prepare: &dyn Fn(&mut Command)) -> Value {
        for _ in 0..TRIES {
            let mut command = self.assay();
            prepare(&mut command);
            let output = command.output().unwrap();
            let object = one_object(&output.stdout);
            if object["abstained"]["reason"] != "host_disrupted" {
                let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(output.status.success(), "{:?}: {stderr}", output.status);
                return object;
            }
        }
        panic!("the host was too busy {TRIES} times");
    }

    /// Nothing of a round may be left in the work folder.
    pub(crate) fn assert_no_leftovers(&self) {
        let left: Vec<_> = fs::read_dir(self.state().join("work"))
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path())
            .collect();
        assert!(left.is_empty(), "left behind: {left:?}");
    }

    /// The command must end with `status` and one line that holds all `words`; what comes before it on stderr may only
    /// be progress. Returns the line.
    #[track_caller]
    pub(crate) fn refused(&self, command: &mut Command, status: i32, words: &[&str]) -> String {
        let output = command.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{stderr}");
        let lines: Vec<&str> = stderr.lines().collect();
        let line = *lines.last().unwrap_or(&"");
        assert!(line.starts_with("assay: error: "), "{stderr}");
        for other in &lines[..lines.len() - 1] {
            assert!(
                other.starts_with("assay: ") && !other.contains("error"),
                "more than one error line: {stderr}"
            );
        }
        for word in words {
            assert!(line.contains(word), "'{word}' is not in: {line}");
        }
        self.assert_no_leftovers();
        line.to_owned()
    }
}

/// Stdout must be one JSON object and nothing else.
#[track_caller]
pub(crate) fn one_object(stdout: &[u8]) -> Value {
    let mut objects = serde_json::Deserializer::from_slice(stdout).into_iter::<Value>();
    let text = String::from_utf8_lossy(stdout);
    let first = objects
        .next()
        .unwrap_or_else(|| panic!("no JSON on stdout"));
    let object = first.unwrap_or_else(|error| panic!("{error}: {text}"));
    assert!(object.is_object(), "{text}");
    assert!(objects.next().is_none(), "more than one value: {text}");
    object
}

/// The keys of an object.
#[track_caller]
pub(crate) fn keys(object: &Value) -> Vec<&str> {
    object
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

/// Every name must be a key of the object.
#[track_caller]
pub(crate) fn has_keys(object: &Value, names: &[&str]) {
    let keys = keys(object);
    for name in names {
        assert!(keys.contains(name), "no key {name} in {keys:?}");
    }
}

/// The pin of a file.
pub(crate) fn pin(file: &Path) -> String {
    format!("blake3:{}", blake3::hash(&fs::read(file).unwrap()).to_hex())
}

/// 64 hex digits of one byte.
pub(crate) fn hex32(byte: u8) -> String {
    hex::encode([byte; 32])
}

/// Copies the first tasks by name of each class: malicious and safe, or planted and clean.
fn copy_tasks(track: &str, mut wanted: [usize; 2], into: &Path) {
    let from = repository().join("corpus/data").join(track);
    let mut tasks: Vec<PathBuf> = fs::read_dir(from)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    tasks.sort();
    for task in tasks {
        let Ok(text) = fs::read(task.join("label.json")) else {
            continue;
        };
        let label: Value = serde_json::from_slice(&text).unwrap();
        let planted = ["vulnerabilities", "supply_chain", "secrets"]
            .iter()
            .any(|key| label[*key].as_array().is_some_and(|list| !list.is_empty()));
        let positive = label["label"] == "malicious" || (track == "repositories" && planted);
        let left = &mut wanted[usize::from(!positive)];
        if *left > 0 {
            *left -= 1;
            copy_dir(&task, &into.join(task.file_name().unwrap()));
        }
    }
    assert_eq!(
        wanted,
        [0, 0],
        "{track}: the repository's corpus has too few tasks"
    );
}

/// Copies a folder.
fn copy_dir(from: &Path, into: &Path) {
    fs::create_dir_all(into).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = into.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_dir(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
