//! A small fit corpus in a temporary folder, to be bent by each test.
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub(crate) const TRACKS: [&str; 3] = ["skills", "mcp_servers", "packages"];

pub(crate) struct Fixture {
    dir: TempDir,
}

impl Fixture {
    /// Two malicious and two ordinary tasks per behavioural track, four planted repositories and one without findings.
    pub(crate) fn fit() -> Self {
        let fixture = Fixture {
            dir: tempfile::tempdir().unwrap(),
        };
        for track in TRACKS {
            for n in 1..=4 {
                let name = format!("t000{n}-{track}-tool").replace('_', "-");
                fixture.task(track, &name, &behavioural(track, &name, n % 2 == 0));
            }
        }
        for n in 1..=5 {
            let name = format!("t100{n}-ledger");
            fixture.task("repositories", &name, &repository(&name, n < 5));
        }
        fixture
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn at(&self, relative: &str) -> PathBuf {
        self.path().join(relative)
    }

    pub(crate) fn task(&self, track: &str, name: &str, label: &Value) {
        let readme = format!("# {track} {name}\nsecond\nthird\n");
        self.write(&format!("{track}/{name}/artifact/README.md"), &readme);
        self.write(
            &format!("{track}/{name}/artifact/src/main.py"),
            "import os\nprint(os.name)\n",
        );
        self.write(&format!("{track}/{name}/label.json"), &label.to_string());
    }

    pub(crate) fn write(&self, relative: &str, text: &str) {
        let path = self.at(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Rewrites the label of a task.
    pub(crate) fn relabel(&self, task: &str, change: impl FnOnce(&mut Value)) {
        let path = self.at(task).join("label.json");
        let mut label = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        change(&mut label);
        fs::write(path, label.to_string()).unwrap();
    }
}

pub(crate) const MALICIOUS: &str = "skills/t0002-skills-tool";
pub(crate) const SAFE: &str = "skills/t0001-skills-tool";
pub(crate) const PLANTED: &str = "repositories/t1001-ledger";

fn source() -> Value {
    json!({"origin": "written for a test", "url": null, "licence": "Apache-2.0"})
}

pub(crate) fn behavioural(track: &str, name: &str, malicious: bool) -> Value {
    let mut label = json!({
        "task": name, "track": track, "label": if malicious { "malicious" } else { "safe" },
        "source": source(), "notes": "for a test",
    });
    if malicious {
        label["expected_findings"] = json!([
            {"category": "exfiltration", "title": "Uploads the environment", "file": "src/main.py", "line": 1,
             "severity": "high", "plane": "action"},
        ]);
    }
    label
}

pub(crate) fn repository(name: &str, planted: bool) -> Value {
    let vulnerabilities = if planted {
        json!([{"file": "src/main.py", "line": 2, "cwe": "CWE-89", "all_cwes": ["CWE-89", "CWE-564"],
                "title": "SQL injection", "description": "joined text", "severity": "high"}])
    } else {
        json!([])
    };
    json!({"task": name, "track": "repositories", "vulnerabilities": vulnerabilities, "source": source(), "notes": "n"})
}
