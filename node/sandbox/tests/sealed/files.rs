//! Scratch space is exact, inputs cannot be written, and only a plain file is a probe.

use sandbox::{Limits, Probe, ProbeState, ReportBytes};

use crate::common::{artifact, limits, report, run, run_with, slot, spec};

#[test]
fn scratch_space_and_inodes_are_exact() {
    let limits = Limits {
        tmp_bytes: 1 << 20,
        workspace_bytes: 2 << 20,
        inodes: 64,
        file_bytes: 3 << 20,
        ..limits()
    };
    for (body, expected) in [
        // The folder itself is one of the inodes.
        (
            "for n in range(1000): open('/tmp/%d' % n, 'x').close()",
            "[63, 28]",
        ),
        (
            "for n in range(1000): os.mkdir('/task/workspace/%d' % n)",
            "[63, 28]",
        ),
        (
            "f = os.open('/tmp/f', 65)\n    for n in range(9999): os.write(f, b'x' * 4096)",
            "[256, 28]",
        ),
        (
            "f = os.open('f', 65)\n    for n in range(9999): os.write(f, b'x' * 4096)",
            "[512, 28]",
        ),
        (
            "f = os.open('/dev/shm/f', 65)\n    for n in range(9999): os.write(f, b'x' * 4096)",
            "[256, 28]",
        ),
        (
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n    n = 0\n    os.truncate(os.open('f', 66), (3 << 20) + 1)",
            "[0, 27]",
        ),
        (
            "fds = []\n    for n in range(9999): fds.append(os.dup(0))",
            "[1020, 24]",
        ),
    ] {
        let indented = body.replace("\n    ", "\n        ");
        let source = format!(
            "import os, signal\ndef agent_main(task):\n    n = 0\n    try:\n        {indented}\n    except OSError as e:\n        return [n, e.errno]\n"
        );
        assert_eq!(
            report(&run_with(&source, limits.clone())),
            expected,
            "{body}"
        );
    }
}

#[test]
fn a_full_tmp_and_workspace_do_not_keep_a_report_back() {
    let source = "import os\ndef fill(path):\n    f = os.open(path, 65)\n    try:\n        while True: os.write(f, b'x' * 65536)\n    except OSError: pass\n\
                  def agent_main(task):\n    fill('/tmp/f'); fill('/task/workspace/f')\n    return 'x' * 100000\n";
    let outcome = run(source);
    assert_eq!(report(&outcome).len(), 100_002);
    assert_eq!(outcome.events, []);
}

#[test]
fn nothing_of_the_inputs_or_the_runtime_can_be_changed() {
    let source = r#"
import os, sys
def attempt(action):
    try: action()
    except OSError as e: return e.errno
    return 'changed'
def agent_main(task):
    lib = os.__file__
    paths = ['/task/agent/agent.py', '/task/task.json', '/task/runner.pyc', '/task/artifact/SKILL.md', lib, sys.executable, '/etc', '/dev/null']
    found = set()
    for p in paths:
        found.add(attempt(lambda: os.chmod(p, 0o777)))
        found.add(attempt(lambda: os.rename(p, p + 'x')))
        found.add(attempt(lambda: os.unlink(p)))
        found.add(attempt(lambda: os.utime(p)))
        found.add(attempt(lambda: os.link(p, '/tmp/link')))
        if p != '/dev/null':
            found.add(attempt(lambda: os.open(p, os.O_WRONLY)))
            found.add(attempt(lambda: os.open(p, os.O_RDWR)))
            found.add(attempt(lambda: os.truncate(p, 0)))
    for d in ['/', '/task', '/task/agent', '/task/artifact', '/usr', '/etc', '/dev', '/proc', os.path.dirname(lib)]:
        found.add(attempt(lambda: os.mkdir(d + '/new')))
        found.add(attempt(lambda: os.open(d + '/new', os.O_CREAT | os.O_WRONLY)))
        found.add(attempt(lambda: os.symlink('x', d + '/new')))
    return sorted(map(str, found))
"#;
    let found = report(&run(source));
    // EPERM, EACCES, EXDEV, EISDIR, EROFS and so on, but never success.
    assert!(
        !found.contains("changed") && found.contains("30"),
        "{found}"
    );
}

#[test]
fn nothing_is_executed_from_scratch_space() {
    let source = "import os, sys\ndef agent_main(task):\n    found = []\n    for d in ('/tmp', '/task/workspace'):\n        p = d + '/x'\n        open(p, 'wb').write(open(sys.executable, 'rb').read())\n        os.chmod(p, 0o755)\n        try: os.execv(p, [p])\n        except OSError as e: found.append(e.errno)\n    return found\n";
    assert_eq!(report(&run(source)), "[13, 13]");
}

#[test]
fn nothing_is_left_for_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let artifact = artifact(folder.path());
    let mut slot = slot();
    let source = "import fcntl, os\ndef agent_main(task):\n    seen = os.listdir('/tmp') + os.listdir('.')\n    open('/tmp/a', 'w').close(); open('b', 'w').close()\n\
                  \x20   f = open(os.__file__); fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)\n    if os.fork() == 0:\n        os.setsid(); import time; time.sleep(60)\n    return seen\n";
    for _ in 0..3 {
        let outcome = slot.run(&spec(source, &artifact, limits())).unwrap();
        assert_eq!(report(&outcome), "[]");
    }
}

#[test]
fn locks_are_no_channel_between_two_slots() {
    let folder = tempfile::tempdir().unwrap();
    let artifact = artifact(folder.path());
    let (mut first, mut second) = (slot(), slot());
    let holder = "import fcntl, os, time\ndef agent_main(task):\n    held = [open(os.__file__), open('/dev/null'), open('/task/artifact/SKILL.md')]\n    for f in held: fcntl.flock(f, fcntl.LOCK_EX)\n    time.sleep(3)\n    return 'held'\n";
    let taker = "import fcntl, os, time\ndef agent_main(task):\n    time.sleep(1)\n    for f in [open(os.__file__), open('/dev/null'), open('/task/artifact/SKILL.md')]:\n        fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)\n    return 'free'\n";
    let (holder, taker) = (
        spec(holder, &artifact, limits()),
        spec(taker, &artifact, limits()),
    );
    std::thread::scope(|scope| {
        let holding = scope.spawn(|| first.run(&holder).unwrap());
        assert_eq!(report(&second.run(&taker).unwrap()), "\"free\"");
        assert_eq!(report(&holding.join().unwrap()), "\"held\"");
    });
}

#[test]
fn only_a_plain_file_with_the_content_is_the_probe() {
    let folder = tempfile::tempdir().unwrap();
    let artifact = artifact(folder.path());
    let mut slot = slot();
    for (body, expected) in [
        ("open(p, 'w').write('secret')", ProbeState::Observed),
        (
            "open(p, 'w').write('secret'); os.chmod(p, 0)",
            ProbeState::Observed,
        ),
        (
            "open('o', 'w').write('secret'); os.rename('o', p)",
            ProbeState::Observed,
        ),
        ("pass", ProbeState::Absent),
        (
            "open('/tmp/.probe_1', 'w').write('secret')",
            ProbeState::Absent,
        ),
        ("open(p, 'w').write('secret\\n')", ProbeState::Differs),
        ("open(p, 'w').write('secre')", ProbeState::Differs),
        ("open(p, 'w').write('Secret')", ProbeState::Differs),
        ("open(p, 'w')", ProbeState::Differs),
        (
            "os.truncate(os.open(p, 66), 200 << 20)",
            ProbeState::Differs,
        ),
        (
            "open('o', 'w').write('secret'); os.symlink('o', p)",
            ProbeState::NotRegular,
        ),
        ("os.symlink('/etc/passwd', p)", ProbeState::NotRegular),
        ("os.symlink(p, p)", ProbeState::NotRegular),
        (
            "open('o', 'w').write('secret'); os.link('o', p)",
            ProbeState::NotRegular,
        ),
        ("os.mkdir(p)", ProbeState::NotRegular),
        ("os.mkfifo(p)", ProbeState::Absent),
        ("os.mknod(p, 0o20600, 0x103)", ProbeState::Absent),
        ("os.rmdir('/task/workspace')", ProbeState::Absent),
    ] {
        let source = format!(
            "import os\ndef agent_main(task):\n    p = '/task/workspace/.probe_1'\n    {body}\n    return 1\n"
        );
        let mut spec = spec(&source, &artifact, limits());
        spec.probe = Some(Probe {
            file_name: ".probe_1".into(),
            content: b"secret".to_vec(),
        });
        let outcome = slot.run(&spec).unwrap();
        assert_eq!(outcome.probe, expected, "{body}");
        assert_eq!(outcome.events, [], "{body}");
    }
}

#[test]
fn an_artifact_that_is_no_plain_tree_is_the_hosts_fault() {
    let folder = tempfile::tempdir().unwrap();
    let artifact = artifact(folder.path());
    std::os::unix::fs::symlink("/etc/passwd", artifact.join("link")).unwrap();
    let mut slot = slot();
    let honest = "def agent_main(task):\n    return 1\n";
    let error = slot.run(&spec(honest, &artifact, limits())).unwrap_err();
    assert_eq!(error.stage, sandbox::Stage::Artifact);
    assert!(error.slot_survives());
    let error = slot
        .run(&spec(honest, &folder.path().join("nothing"), limits()))
        .unwrap_err();
    assert_eq!(error.stage, sandbox::Stage::Artifact);
    std::fs::remove_file(artifact.join("link")).unwrap();
    assert_eq!(
        slot.run(&spec(honest, &artifact, limits())).unwrap().report,
        ReportBytes::Bytes(b"1".to_vec())
    );
    let too_much = Limits {
        memory_bytes: u64::MAX,
        ..limits()
    };
    assert_eq!(
        slot.run(&spec(honest, &artifact, too_much))
            .unwrap_err()
            .stage,
        sandbox::Stage::Protocol
    );
}
