//! What the agent finds (the agent contract), and every way in which the runner itself can end.

use sandbox::{Exit, Limits, ProbeState, ReportBytes, RunnerFailure, RunnerFailureKind};

use crate::common::{artifact, limits, report, run, run_with, slot, spec};

#[test]
fn an_honest_agent_gets_its_task_and_hands_over_its_report() {
    let outcome = run(
        "def agent_main(task):\n    return {'verdict': 'ALLOW', 'nonce': task['nonce'], 'n': [1, 1.5, None, True]}\n",
    );
    assert_eq!(
        report(&outcome),
        r#"{"verdict": "ALLOW", "nonce": "n\u00e9", "n": [1, 1.5, null, true]}"#
    );
    assert_eq!(outcome.events, []);
    assert_eq!(outcome.measured, Vec::<String>::new());
    assert_eq!(outcome.runner, None);
    assert_eq!(outcome.exit, Exit::Code(0));
    assert_eq!(outcome.probe, ProbeState::NotAsked);
    assert!(
        (1..5_000_000).contains(&outcome.usage.cpu_us),
        "{:?}",
        outcome.usage
    );
    assert!(
        outcome.usage.wall_us >= outcome.usage.cpu_us,
        "one CPU: {:?}",
        outcome.usage
    );
    assert!(
        outcome
            .usage
            .memory_peak_bytes
            .is_some_and(|peak| (1 << 20..64 << 20).contains(&peak)),
        "{:?}",
        outcome.usage
    );
}

#[test]
fn the_agent_finds_exactly_its_contract() {
    let checks = [
        (
            "dict(os.environ)",
            "{'HOME': '/task/workspace', 'LANG': 'C.UTF-8', 'PATH': '/usr/bin:/bin', 'PYTHONHASHSEED': '0', 'TMPDIR': '/tmp', 'TZ': 'UTC'}",
        ),
        ("os.getcwd()", "'/task/workspace'"),
        ("sys.stdin.read()", "''"),
        (
            "sorted(os.listdir('/task'))",
            "['agent', 'artifact', 'runner.pyc', 'task.json', 'workspace']",
        ),
        ("os.listdir('/task/agent')", "['agent.py']"),
        ("os.listdir('.')", "[]"),
        ("os.listdir('/tmp')", "[]"),
        (
            "open('/task/task.json').read() == json.dumps(task, ensure_ascii=True)",
            "True",
        ),
        (
            "sorted(p for _, ds, fs in os.walk('/task/artifact') for p in ds + fs)",
            "['SKILL.md', 'exec.sh', 'main.py', 'pkg']",
        ),
        (
            "open('/task/artifact/pkg/main.py').read()",
            "\"print('hello')\\n\"",
        ),
        (
            "sorted({int(os.stat(p).st_mtime) for p in walk()})",
            "[1577836800]",
        ),
        (
            "sorted({(os.stat(p).st_uid, os.stat(p).st_gid) for p in walk()})",
            "[(65534, 65534)]",
        ),
        (
            "[oct(os.stat(p).st_mode) for p in walk()]",
            "['0o40755', '0o100644', '0o100755', '0o40755', '0o100644']",
        ),
        (
            "sys.modules['agent'].agent_main is agent_main and __name__",
            "'agent'",
        ),
        ("__file__", "'/task/agent/agent.py'"),
        (
            "os.getuid(), os.getgid(), os.getgroups()",
            "(1000, 1000, [])",
        ),
        ("os.getpid(), os.getppid()", "(2, 1)"),
        ("os.sched_getaffinity(0)", "{0}"),
        ("pair()", "b'x'"),
        (
            "hash('a') == hash('a') and sys.flags.hash_randomization",
            "0",
        ),
        (
            "sys.flags.dont_write_bytecode, sys.flags.no_site, sys.flags.no_user_site, sys.flags.safe_path",
            "(1, 1, 1, True)",
        ),
        ("os.uname().nodename", "'sandbox'"),
        ("descriptors()", "[0, 1, 2, 3]"),
        (
            "sorted(os.listdir('/dev'))",
            "['full', 'null', 'random', 'shm', 'urandom', 'zero']",
        ),
        ("os.listdir('/proc')", "[]"),
        ("time.tzname", "('UTC', 'UTC')"),
    ];
    // Every expression prints one line.
    let lines: String = checks
        .iter()
        .map(|(expression, _)| format!("    show(({expression}))\n"))
        .collect();
    let source = format!("{CONTRACT_HELPERS}\ndef agent_main(task):\n{lines}    return 1\n");
    let folder = tempfile::tempdir().unwrap();
    let root = artifact(folder.path());
    std::fs::write(root.join("exec.sh"), "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(
        root.join("exec.sh"),
        std::os::unix::fs::PermissionsExt::from_mode(0o700),
    )
    .unwrap();
    let mut spec = spec(&source, &root, limits());
    spec.task_json = br#"{"artifact_dir": "/task/artifact", "nonce": "n"}"#.to_vec();
    let outcome = slot().run(&spec).unwrap();
    assert_eq!(report(&outcome), "1");
    let found = String::from_utf8(outcome.stdout).unwrap();
    assert_eq!(found.lines().count(), checks.len(), "{found}");
    for ((expression, expected), found) in checks.iter().zip(found.lines()) {
        assert_eq!(found, *expected, "{expression}");
    }
}

/// What the expressions of the contract test use.
const CONTRACT_HELPERS: &str = r"
import json, os, sys, time

def show(value):
    print(repr(dict(sorted(value.items())) if isinstance(value, dict) else value))

def walk():
    root = '/task/artifact'
    return [root] + [os.path.join(root, name) for name in ('SKILL.md', 'exec.sh', 'pkg', 'pkg/main.py')]

def pair():
    import socket
    a, b = socket.socketpair()
    a.send(b'x')
    return b.recv(1)

def descriptors():
    found = []
    for number in range(1024):
        try:
            os.fstat(number)
        except OSError:
            continue
        found.append(number)
    return found

def raises(action):
    try:
        action()
    except Exception as error:
        return type(error).__name__
    return 'nothing'
";

#[test]
fn each_way_of_failing_has_its_own_name() {
    enum Expect {
        Missing(&'static str),
        Raised(&'static str),
        NoReport(Exit),
        Report(&'static str),
    }
    use Expect::{Missing, NoReport, Raised, Report};
    let main = |body: &str| {
        format!("import os, sys, threading, time\ndef agent_main(task):\n    {body}\n")
    };
    for (source, expected) in [
        (String::new(), Missing("agent.py defines no agent_main")),
        (
            "agent_main = None".to_owned(),
            Missing("agent.py defines no agent_main"),
        ),
        (
            "def agent_main(:".to_owned(),
            Raised("SyntaxError: invalid syntax (agent.py, line 1)"),
        ),
        (
            "\0".to_owned(),
            Raised("SyntaxError: source code string cannot contain null bytes"),
        ),
        (
            "import nowhere".to_owned(),
            Raised("ModuleNotFoundError: No module named 'nowhere'"),
        ),
        (
            "import numpy".to_owned(),
            Raised("ModuleNotFoundError: No module named 'numpy'"),
        ),
        ("raise SystemExit(0)".to_owned(), Raised("SystemExit: 0")),
        (
            "agent_main = 3".to_owned(),
            Raised("TypeError: 'int' object is not callable"),
        ),
        (
            "def agent_main(): pass".to_owned(),
            Raised("TypeError: agent_main() takes 0 positional arguments but 1 was given"),
        ),
        (
            main("raise ValueError('a\\udc80b')"),
            Raised("ValueError: a\\udc80b"),
        ),
        (main("sys.exit(0)"), Raised("SystemExit: 0")),
        (
            main("raise KeyboardInterrupt"),
            Raised("KeyboardInterrupt: "),
        ),
        (main("raise MemoryError"), Raised("MemoryError: ")),
        (
            main("agent_main(task)"),
            Raised("RecursionError: maximum recursion depth exceeded"),
        ),
        (
            main("raise type('E', (Exception,), {'__str__': lambda s: 1 / 0})"),
            Raised("E"),
        ),
        (main("os._exit(7)"), NoReport(Exit::Code(7))),
        (main("os._exit(0)"), NoReport(Exit::Code(0))),
        (main("os.kill(os.getpid(), 9)"), NoReport(Exit::Signal(9))),
        (
            main("os.kill(os.getpid(), 15); time.sleep(9)"),
            NoReport(Exit::Signal(15)),
        ),
        (main("os.abort()"), NoReport(Exit::Signal(6))),
        (main("os.close(3); return {}"), NoReport(Exit::Code(1))),
        (
            main("return {1, 2}"),
            Report("the result is no JSON: TypeError: a set is not JSON"),
        ),
        (
            main("x = []; x.append(x); return x"),
            Report("the result is no JSON: ValueError: Circular reference detected"),
        ),
        (
            main("return {b'k': 1}"),
            Report(
                "the result is no JSON: TypeError: keys must be str, int, float, bool or None, not bytes",
            ),
        ),
        (main("return float('nan')"), Report("NaN")),
        (
            main("return [float('inf'), -float('inf')]"),
            Report("[Infinity, -Infinity]"),
        ),
        (main("return None"), Report("null")),
        (main("return 'ALLOW'"), Report("\"ALLOW\"")),
        (
            main("return {'a': '\\ud800'}"),
            Report(r#"{"a": "\ud800"}"#),
        ),
        (
            main("os.write(3, b'R{\"mine\": 1}'); os._exit(0)"),
            Report(r#"{"mine": 1}"#),
        ),
        // Neither threads nor exit handlers are waited for.
        (
            main(
                "import atexit; atexit.register(time.sleep, 9); threading.Thread(target=time.sleep, args=(9,)).start(); return 1",
            ),
            Report("1"),
        ),
    ] {
        let outcome = run(&source);
        let label = format!(
            "{source}\n{outcome:?}\n{}",
            String::from_utf8_lossy(&outcome.stderr)
        );
        assert!(outcome.usage.wall_us < 6_000_000, "{label}");
        match expected {
            Missing(text) | Raised(text) => {
                let kind = if matches!(expected, Missing(_)) {
                    RunnerFailureKind::Missing
                } else {
                    RunnerFailureKind::Raised
                };
                let message = if text == "E" {
                    "type: E".to_owned()
                } else {
                    text.to_owned()
                };
                let found = outcome.runner.clone().unwrap_or_else(|| panic!("{label}"));
                if text == "E" || text.starts_with("Recursion") {
                    assert!(found.message.contains(text), "{label}");
                    assert_eq!(found.kind, kind, "{label}");
                } else {
                    assert_eq!(found, RunnerFailure { kind, message }, "{label}");
                }
                assert_eq!(
                    (outcome.exit, &outcome.report),
                    (Exit::Code(1), &ReportBytes::Missing),
                    "{label}"
                );
                assert_eq!(outcome.events, [], "{label}");
            }
            NoReport(exit) => {
                assert_eq!(
                    (outcome.exit, &outcome.report),
                    (exit, &ReportBytes::Missing),
                    "{label}"
                );
                let events: &[_] = if matches!(exit, Exit::Signal(_)) {
                    &[sandbox::Event::Signal]
                } else {
                    &[]
                };
                assert_eq!(
                    (outcome.events.as_slice(), &outcome.runner),
                    (events, &None),
                    "{label}"
                );
            }
            Report(text) => {
                assert_eq!(outcome.report, ReportBytes::Bytes(text.into()), "{label}");
                assert_eq!(
                    (outcome.events.as_slice(), &outcome.runner),
                    (&[][..], &None),
                    "{label}"
                );
            }
        }
    }
}

#[test]
fn a_report_beyond_the_limit_is_not_read() {
    let limits = Limits {
        report_bytes: 1000,
        ..limits()
    };
    let outcome = run_with(
        "def agent_main(task):\n    return 'x' * 998\n",
        limits.clone(),
    );
    assert_eq!(report(&outcome).len(), 1000);
    let outcome = run_with("def agent_main(task):\n    return 'x' * 999\n", limits);
    assert_eq!(outcome.report, ReportBytes::TooLarge(1001));
}

#[test]
fn output_is_kept_at_its_start_and_counted_whole() {
    let source = "import sys\ndef agent_main(task):\n    print('o' * 100000)\n    sys.stderr.write('e' * 70000)\n    return 1\n";
    let outcome = run(source);
    assert_eq!((outcome.stdout.len(), outcome.stderr.len()), (65536, 65536));
    assert_eq!(
        (outcome.usage.stdout_bytes, outcome.usage.stderr_bytes),
        (100_001, 70_000)
    );
    assert_eq!(outcome.events, []);
}

#[test]
fn a_traceback_goes_to_stderr() {
    let outcome = run("def agent_main(task):\n    return task['nothing']\n");
    let text = String::from_utf8(outcome.stderr).unwrap();
    assert!(
        text.contains("File \"/task/agent/agent.py\", line 2, in agent_main"),
        "{text}"
    );
    assert!(text.ends_with("KeyError: 'nothing'\n"), "{text}");
}
