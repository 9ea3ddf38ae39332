//! Agents of several files, and agents that are programs of their own.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use sandbox::{
    Event, Exit, Limits, Probe, ProbeState, Program, ReportBytes, RunOutcome, RunSpec,
    RunnerFailureKind, Slot,
};

use crate::common::{artifact, config, limits, report, slot, spec};

/// A bundle's folder under construction.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        for (path, content) in files {
            let path = folder.0.path().join("bundle").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, content).unwrap();
            if content.starts_with("#!") {
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
        folder
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("bundle")
    }

    fn spec(&self, agent: Program, limits: Limits) -> RunSpec {
        RunSpec {
            agent,
            ..spec("", &artifact(self.0.path()), limits)
        }
    }

    fn module(&self, module: &str, function: &str) -> RunOutcome {
        let agent = Program::PythonModule {
            folder: self.path(),
            module: module.into(),
            function: function.into(),
        };
        slot().run(&self.spec(agent, limits())).unwrap()
    }

    fn file(&self, path: &str) -> RunOutcome {
        let (folder, path) = (self.path(), path.into());
        let agent = Program::PythonPath { folder, path };
        slot().run(&self.spec(agent, limits())).unwrap()
    }

    fn executable(&self, slot: &mut Slot, path: &str, limits: Limits) -> RunOutcome {
        let (folder, path) = (self.path(), path.into());
        let agent = Program::Executable { folder, path };
        slot.run(&self.spec(agent, limits)).unwrap()
    }
}

/// A program in the tree's Python.
fn script(body: &str) -> String {
    let python = config().python;
    format!("#!{python} -S\nimport json, os, sys\n{body}\n")
}

/// A program that leaves `text` as its report after `body`.
fn run_script(body: &str) -> RunOutcome {
    let source = script(body);
    Folder::new(&[("run", &source)]).executable(&mut slot(), "run", limits())
}

fn failure(outcome: &RunOutcome) -> (RunnerFailureKind, &str) {
    let failure = outcome
        .runner
        .as_ref()
        .unwrap_or_else(|| panic!("{outcome:#?}"));
    assert_eq!(outcome.report, ReportBytes::Missing);
    (failure.kind, failure.message.as_str())
}

const PACKAGE: [(&str, &str); 4] = [
    ("agent.toml", "x"),
    ("judge/__init__.py", "from judge.words import WORD\n"),
    ("judge/words.py", "WORD = 'ALLOW'\n"),
    (
        "judge/main.py",
        "import json, os, stat, sys\nfrom judge import WORD\nimport judge.words\n\n\
         def go(task):\n\
         \x20   files = sorted(os.path.join(d, f) for d, _, fs in os.walk('/task/agent') for f in fs)\n\
         \x20   status = os.stat('/task/agent/judge')\n\
         \x20   return [WORD, task['nonce'], __name__, __file__, sys.argv, sys.path[0], files,\n\
         \x20           oct(status.st_mode), int(status.st_mtime)]\n",
    ),
];

#[test]
fn a_module_of_a_bundle_imports_its_neighbours() {
    let outcome = Folder::new(&PACKAGE).module("judge.main", "go");
    assert_eq!(
        report(&outcome),
        r#"["ALLOW", "n\u00e9", "judge.main", "/task/agent/judge/main.py", ["judge.main"], "/task/agent", ["/task/agent/agent.toml", "/task/agent/judge/__init__.py", "/task/agent/judge/main.py", "/task/agent/judge/words.py"], "0o40755", 1577836800]"#
    );
    assert_eq!(
        (outcome.exit, &outcome.events[..]),
        (Exit::Code(0), &[][..])
    );
}

#[test]
fn a_file_of_a_bundle_is_loaded_like_a_single_file() {
    let folder = Folder::new(&[
        ("lib.py", "X = 7\n"),
        (
            "src/start.py",
            "import sys, lib\ndef agent_main(task):\n    return [lib.X, __name__, __file__, sys.modules['agent'].agent_main is agent_main]\n",
        ),
    ]);
    assert_eq!(
        report(&folder.file("src/start.py")),
        r#"[7, "agent", "/task/agent/src/start.py", true]"#
    );
}

#[test]
fn what_is_not_there_is_missing_and_what_breaks_has_raised() {
    use RunnerFailureKind::{Missing, Raised};
    let folder = Folder::new(&[
        ("a.py", "VALUE = 1\n"),
        ("pkg/__init__.py", ""),
        ("other.py", "import nothere\n"),
        ("broken.py", "def (\n"),
        ("gone.py", "import sys\ndel sys.modules['gone']\n"),
        (
            "exits.py",
            "import os\ndef agent_main(task):\n    os._exit(9)\n",
        ),
    ]);
    for (module, function, kind, word) in [
        ("a", "agent_main", Missing, "a defines no agent_main"),
        ("nothere", "agent_main", Missing, "no module nothere"),
        ("pkg.sub", "agent_main", Missing, "no module pkg.sub"),
        ("a.b", "agent_main", Missing, "no module a.b"),
        ("other", "agent_main", Raised, "ModuleNotFoundError"),
        ("broken", "agent_main", Raised, "SyntaxError"),
        ("gone", "agent_main", Raised, "KeyError"),
        ("a", "VALUE", Raised, "TypeError"),
    ] {
        let outcome = folder.module(module, function);
        let (found, message) = failure(&outcome);
        assert_eq!(found, kind, "{module}: {message}");
        assert!(message.contains(word), "{module}: {message}");
    }
    for path in ["none.py", "pkg"] {
        let outcome = folder.file(path);
        assert_eq!(failure(&outcome).0, Missing, "{path}");
    }
    assert_eq!(
        failure(&folder.file("a.py")),
        (Missing, "a.py defines no agent_main")
    );
    let exits = folder.module("exits", "agent_main");
    assert_eq!(
        (exits.runner, exits.report, exits.exit),
        (None, ReportBytes::Missing, Exit::Code(9))
    );
}

const TRIES: &str = "
import os, shutil, subprocess
def works(action):
    try:
        action()
        return True
    except OSError:
        return False
def copied(folder):
    def action():
        path = shutil.copy('/task/agent/tool', folder)
        os.chmod(path, 0o755)
        subprocess.run([path], check=True)
    return action
def tries():
    return [works(lambda: subprocess.run(['/task/agent/tool'], check=True)), works(copied('/tmp')),
            works(copied('/task/workspace')), works(lambda: open('/task/agent/tool', 'a')),
            works(lambda: open('/task/agent/new', 'w')), works(lambda: os.chmod('/task/agent/tool', 0o644))]
";

#[test]
fn only_an_executable_agent_may_execute_what_it_brings_and_writes() {
    let tool = script("");
    let python = format!("{TRIES}\ndef agent_main(task):\n    return tries()\n");
    let folder = Folder::new(&[("tool", &tool), ("main.py", &python)]);
    assert_eq!(
        report(&folder.file("main.py")),
        "[false, false, false, false, false, false]"
    );
    let program = script(&format!(
        "{TRIES}\njson.dump(tries(), open('report.json', 'w'))"
    ));
    let folder = Folder::new(&[("tool", &tool), ("run", &program)]);
    let outcome = folder.executable(&mut slot(), "run", limits());
    assert_eq!(report(&outcome), "[true, true, true, false, false, false]");
}

#[test]
fn an_executable_reads_its_task_and_leaves_its_report_and_probe() {
    let source = script(
        "task = json.load(open('/task/task.json'))\n\
         open('.probe', 'w').write('secret')\n\
         def is_open(n):\n    try:\n        os.fstat(n)\n        return True\n    except OSError:\n        return False\n\
         found = [n for n in range(64) if is_open(n)]\n\
         json.dump([task['nonce'], os.getcwd(), sys.argv, sorted(os.environ), found, sys.stdin.read(),\n\
         os.listdir('.'), sorted(os.listdir('/task/artifact'))], open('/task/workspace/report.json', 'w'))\n\
         print('done')\nsys.exit(3)",
    );
    let folder = Folder::new(&[("bin/run", &source)]);
    let agent = Program::Executable {
        folder: folder.path(),
        path: "bin/run".into(),
    };
    let mut spec = folder.spec(agent, limits());
    spec.probe = Some(Probe {
        file_name: ".probe".into(),
        content: b"secret".to_vec(),
    });
    let outcome = slot().run(&spec).unwrap();
    assert_eq!(
        report(&outcome),
        r#"["n\u00e9", "/task/workspace", ["/task/agent/bin/run"], ["HOME", "LANG", "PATH", "PYTHONHASHSEED", "TMPDIR", "TZ"], [0, 1, 2], "", [".probe"], ["SKILL.md", "pkg"]]"#
    );
    assert_eq!(outcome.probe, ProbeState::Observed);
    assert_eq!((outcome.exit, outcome.runner), (Exit::Code(3), None));
    assert_eq!(outcome.stdout, b"done\n");
}

#[test]
fn only_a_plain_file_of_at_most_the_limit_is_a_report() {
    for body in [
        "pass",
        "os.symlink('/etc/passwd', 'report.json')",
        "os.symlink('other', 'report.json'); open('other', 'w').write('{}')",
        "os.mkdir('report.json')",
        "open('report.json', 'w').write('{}'); os.link('report.json', 'second')",
        "open('/tmp/report.json', 'w').write('{}')",
        "open('report.json', 'w').write('{}'); os.unlink('report.json')",
    ] {
        let outcome = run_script(body);
        assert_eq!(outcome.report, ReportBytes::Missing, "{body}");
        assert_eq!(
            (outcome.runner, outcome.exit),
            (None, Exit::Code(0)),
            "{body}"
        );
    }
    let bytes = |outcome: RunOutcome| match outcome.report {
        ReportBytes::Bytes(bytes) => bytes,
        other => panic!("{other:?}"),
    };
    // What it says is judged elsewhere; also a first byte that means something to the runner.
    for text in ["", "M", "E no", "{\"a\": NaN", "\u{feff}{}"] {
        let body =
            format!("open('report.json', 'w').write({text:?})").replace("\\u{feff}", "\\ufeff");
        assert_eq!(bytes(run_script(&body)), text.as_bytes(), "{text:?}");
    }
    let hidden = run_script("open('report.json', 'w').write('{}'); os.chmod('report.json', 0)");
    assert_eq!(bytes(hidden), b"{}");
    let small = Limits {
        report_bytes: 1 << 20,
        ..limits()
    };
    for (size, read) in [(1 << 20, true), ((1 << 20) + 1, false), (200 << 20, false)] {
        let source = script(&format!(
            "f = open('report.json', 'w'); f.truncate({size}); f.seek({size} - 1); f.write('x')"
        ));
        let folder = Folder::new(&[("run", &source)]);
        let outcome = folder.executable(&mut slot(), "run", small.clone());
        match outcome.report {
            ReportBytes::Bytes(bytes) => assert_eq!((bytes.len() as u64, read), (size, true)),
            other => assert_eq!((other, read), (ReportBytes::TooLarge(size), false)),
        }
    }
}

#[test]
fn an_entrypoint_that_cannot_be_started_is_the_agents_failure() {
    use RunnerFailureKind::{Missing, Raised};
    let folder = Folder::new(&[
        ("plain", "print(1)\n"),
        ("folder/x", ""),
        ("text", "#!"),
        ("noformat", "#!x"),
        ("nointerpreter", "#!/usr/bin/nothing\n"),
        ("loop", "#!/task/agent/loop\n"),
        ("truncated", "#!"),
        ("empty", "#!"),
    ]);
    fs::write(folder.path().join("noformat"), "just words\n").unwrap();
    fs::write(folder.path().join("truncated"), b"\x7fELF\x02\x01\x01\0").unwrap();
    fs::write(folder.path().join("empty"), "").unwrap();
    // One slot for all: none of them may disturb it.
    let mut slot = slot();
    for (path, kind) in [
        ("none", Missing),
        ("none/none", Missing),
        ("plain", Missing),
        ("plain/none", Missing),
        ("folder", Missing),
        ("text", Raised),
        ("noformat", Raised),
        ("nointerpreter", Raised),
        ("loop", Raised),
        ("truncated", Raised),
        ("empty", Raised),
    ] {
        let outcome = folder.executable(&mut slot, path, limits());
        let (found, message) = failure(&outcome);
        assert_eq!(found, kind, "{path}: {message}");
        assert!(
            message.starts_with(path) && !message.contains('\n'),
            "{message}"
        );
        assert_eq!(outcome.events, [], "{path}");
    }
    let fine = script("open('report.json', 'w').write('1')");
    let fine = Folder::new(&[("run", &fine)]).executable(&mut slot, "run", limits());
    assert_eq!(report(&fine), "1");
}

#[test]
fn an_executables_whole_tree_is_billed_and_its_signals_seen() {
    let short = Limits {
        cpu_us: 1_000_000,
        wall_us: 20_000_000,
        ..limits()
    };
    let spin = script("os.fork()\nos.setsid()\nwhile True: pass");
    let folder = Folder::new(&[("run", &spin)]);
    let outcome = folder.executable(&mut slot(), "run", short);
    assert!(outcome.events.contains(&Event::CpuBudget), "{outcome:#?}");
    assert_eq!(
        (outcome.report, outcome.runner),
        (ReportBytes::Missing, None)
    );
    let killed =
        run_script("open('report.json', 'w').write('1')\nimport os\nos.kill(os.getpid(), 11)");
    assert_eq!(killed.events, [Event::Signal]);
    // A process that the agent leaves behind cannot touch the report any more.
    let late = run_script(
        "open('report.json', 'w').write('1')\nif os.fork() == 0:\n    import time\n    time.sleep(0.2)\n    open('report.json', 'w').write('late')",
    );
    assert_eq!(report(&late), "1");
}

#[test]
fn a_bundle_that_is_gone_is_a_fault_of_the_host() {
    let folder = tempfile::tempdir().unwrap();
    let agent = Program::Executable {
        folder: Path::new("/nonexistent").to_owned(),
        path: "run".into(),
    };
    let spec = RunSpec {
        agent,
        ..spec("", &artifact(folder.path()), limits())
    };
    let error = slot().run(&spec).unwrap_err();
    assert!(error.to_string().contains("/nonexistent"), "{error}");
}
