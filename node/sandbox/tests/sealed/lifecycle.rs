//! Slots, launchers and what they leave behind: nothing.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use sandbox::{CgroupMode, Event, Limits, SandboxConfig, Slot};

use crate::common::{artifact, config, limits, report, slot, spec};

const HONEST: &str = "def agent_main(task):\n    return 1\n";

fn children_of(pid: u32) -> Vec<u32> {
    let path = format!("/proc/{pid}/task/{pid}/children");
    std::fs::read_to_string(path)
        .unwrap_or_default()
        .split_whitespace()
        .map(|pid| pid.parse().unwrap())
        .collect()
}

fn descendants_of(pid: u32) -> Vec<u32> {
    let direct = children_of(pid);
    direct
        .iter()
        .flat_map(|pid| descendants_of(*pid))
        .chain(direct.iter().copied())
        .collect()
}

fn exists(pid: u32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

fn eventually(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(10), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Groups of a launcher in any hierarchy.
fn groups_of(pid: u32) -> Vec<String> {
    let output = Command::new("find")
        .args(["/sys/fs/cgroup", "-name", &format!("assay-slot-{pid}-*")])
        .output()
        .unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

fn open_descriptors(pid: u32) -> usize {
    std::fs::read_dir(format!("/proc/{pid}/fd"))
        .unwrap()
        .count()
}

#[test]
fn a_killed_launcher_takes_its_run_along_and_the_slot_can_be_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let artifact = artifact(folder.path());
    let config = config();
    let mut slot = Slot::start(&config).unwrap();
    let launcher = slot.launcher_pid();
    let source = "import os, time\ndef agent_main(task):\n    for _ in range(3):\n        if os.fork() == 0:\n            os.setsid()\n            time.sleep(60)\n    time.sleep(60)\n";
    let spec_of_sleeper = spec(source, &artifact, limits());
    let tree = std::thread::scope(|scope| {
        let run = scope.spawn(|| slot.run(&spec_of_sleeper).unwrap_err());
        eventually("the run's processes start", || {
            descendants_of(launcher).len() == 5
        });
        let tree = descendants_of(launcher);
        rustix::process::kill_process(
            rustix::process::Pid::from_raw(launcher as i32).unwrap(),
            rustix::process::Signal::KILL,
        )
        .unwrap();
        let error = run.join().unwrap();
        assert_eq!(
            error.to_string().split(';').next(),
            Some(&*format!(
                "sandbox slot {}: protocol: the launcher ended (signal 9)",
                config.slot
            ))
        );
        assert!(!error.slot_survives());
        tree
    });
    eventually("the run's processes die", || {
        !tree.iter().copied().any(exists)
    });
    drop(slot);
    assert_eq!(groups_of(launcher), Vec::<String>::new());
    let mut slot = Slot::start(&config).unwrap();
    assert_eq!(
        report(&slot.run(&spec(HONEST, &artifact, limits())).unwrap()),
        "1"
    );
}

#[test]
fn daemons_die_with_the_run_and_do_not_hold_it_up() {
    let folder = tempfile::tempdir().unwrap();
    let artifact = artifact(folder.path());
    let mut slot = slot();
    let source = "import os, signal, time\ndef agent_main(task):\n    for _ in range(5):\n        if os.fork() == 0:\n            os.setsid()\n            if os.fork(): os._exit(0)\n            for s in range(1, 32):\n                try: signal.signal(s, signal.SIG_IGN)\n                except OSError: pass\n            time.sleep(60)\n    return 1\n";
    let outcome = slot.run(&spec(source, &artifact, limits())).unwrap();
    assert_eq!(
        (report(&outcome).as_str(), outcome.events.as_slice()),
        ("1", &[][..])
    );
    assert!(outcome.usage.wall_us < 5_000_000);
    assert_eq!(descendants_of(slot.launcher_pid()), []);
}

#[test]
fn a_host_that_dies_takes_launcher_and_run_along() {
    // The example program stands for the node: it starts a slot, prints the launcher's process id and runs a sleeping agent.
    let (config, folder) = (config(), tempfile::tempdir().unwrap());
    let artifact = artifact(folder.path());
    let mut node = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "lifecycle::stand_in_for_a_node",
            "--ignored",
            "--nocapture",
        ])
        .env("ASSAY_TEST_ARTIFACT", &artifact)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    drop(config);
    let launcher = || children_of_any_thread(node.id()).first().copied();
    eventually("the launcher starts", || {
        launcher().is_some_and(|launcher| descendants_of(launcher).len() == 2)
    });
    let launcher = launcher().unwrap();
    let tree = descendants_of(launcher);
    node.kill().unwrap();
    node.wait().unwrap();
    eventually("launcher and run die", || {
        !exists(launcher) && !tree.iter().copied().any(exists)
    });
    // The next launcher sweeps what the dead one left.
    drop(slot());
    assert_eq!(groups_of(launcher), Vec::<String>::new());
}

fn children_of_any_thread(pid: u32) -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else {
        return vec![];
    };
    threads
        .flatten()
        .flat_map(|thread| {
            let children =
                std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            children
                .split_whitespace()
                .map(|pid| pid.parse().unwrap())
                .collect::<Vec<u32>>()
        })
        .collect()
}

#[test]
#[ignore = "the other half of `a_host_that_dies_takes_launcher_and_run_along`, started by it"]
fn stand_in_for_a_node() {
    let Some(artifact) = std::env::var_os("ASSAY_TEST_ARTIFACT") else {
        return;
    };
    let sleeper = "import time\ndef agent_main(task):\n    time.sleep(60)\n";
    let _ = slot().run(&spec(sleeper, Path::new(&artifact), limits()));
}

#[test]
fn a_slot_started_by_a_thread_outlives_the_thread() {
    let folder = tempfile::tempdir().unwrap();
    let artifact = artifact(folder.path());
    let mut slot = std::thread::spawn(slot).join().unwrap();
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(
        report(&slot.run(&spec(HONEST, &artifact, limits())).unwrap()),
        "1"
    );
}

#[test]
fn two_slots_run_at_once_and_do_not_share_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let artifact = artifact(folder.path());
    let limits = Limits {
        processes: 8,
        memory_bytes: 128 << 20,
        ..limits()
    };
    let source = "import os, time\ndef agent_main(task):\n    x = b'x' * (80 << 20)\n    n = 0\n    try:\n        while True:\n            if os.fork() == 0: time.sleep(60)\n            n += 1\n    except OSError: pass\n    time.sleep(1)\n    return n\n";
    let spec = spec(source, &artifact, limits);
    let started = Instant::now();
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..2)
            .map(|_| scope.spawn(|| slot().run(&spec).unwrap()))
            .collect();
        for run in runs {
            assert_eq!(report(&run.join().unwrap()), "7");
        }
    });
    println!("{:?}", started.elapsed());
}

#[test]
fn two_hundred_runs_leave_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let artifact = artifact(folder.path());
    let mut slot = slot();
    let launcher = slot.launcher_pid();
    let mounts = |pid: u32| {
        std::fs::read_to_string(format!("/proc/{pid}/mountinfo"))
            .unwrap()
            .lines()
            .count()
    };
    let own = std::process::id();
    let mut once = |n: usize| {
        let source = if n.is_multiple_of(20) {
            "def agent_main(task):\n    while True: pass\n"
        } else {
            HONEST
        };
        let outcome = slot
            .run(&spec(
                source,
                &artifact,
                Limits {
                    cpu_us: 250_000,
                    ..limits()
                },
            ))
            .unwrap();
        let events: &[Event] = if n.is_multiple_of(20) {
            &[Event::CpuBudget]
        } else {
            &[]
        };
        assert_eq!(outcome.events, events, "{outcome:?}");
    };
    once(0);
    // As below: let the launcher close the first report.
    std::thread::sleep(Duration::from_millis(50));
    let before = (
        open_descriptors(launcher),
        open_descriptors(own),
        mounts(launcher),
        mounts(own),
        groups_of(launcher),
    );
    assert!(!before.4.is_empty());
    for n in 1..200 {
        once(n);
    }
    // The launcher closes the last run's report a moment after it has answered.
    eventually("the launcher closes what a run has opened", || {
        open_descriptors(launcher) == before.0
    });
    let after = (
        open_descriptors(launcher),
        open_descriptors(own),
        mounts(launcher),
        mounts(own),
        groups_of(launcher),
    );
    assert_eq!(before, after);
    for group in &after.4 {
        let inside = std::fs::read_dir(group)
            .unwrap()
            .flatten()
            .filter(|entry| entry.path().is_dir())
            .count();
        assert_eq!(inside, 0, "{group}");
    }
    drop(slot);
    assert_eq!(groups_of(launcher), Vec::<String>::new());
    assert!(!exists(launcher));
}

#[test]
fn a_slot_that_cannot_be_sealed_is_refused_with_a_remedy() {
    let unified = Path::new("/sys/fs/cgroup/cgroup.controllers").exists();
    let missing = if unified {
        CgroupMode::V1
    } else {
        CgroupMode::V2
    };
    let good = config();
    for (config, stage) in [
        (
            SandboxConfig {
                launcher: "/nowhere/launcher".into(),
                ..good.clone()
            },
            sandbox::Stage::Spawn,
        ),
        (
            SandboxConfig {
                runtime_root: "/nowhere/tree".into(),
                ..good.clone()
            },
            sandbox::Stage::Root,
        ),
        (
            SandboxConfig {
                python: "/usr/bin/nothing".into(),
                ..good.clone()
            },
            sandbox::Stage::Exec,
        ),
        (
            SandboxConfig {
                cpu: Some(4000),
                ..good.clone()
            },
            sandbox::Stage::Affinity,
        ),
        (
            SandboxConfig {
                cgroups: Some(missing),
                ..good.clone()
            },
            sandbox::Stage::CgroupDetect,
        ),
    ] {
        let error = Slot::start(&config).unwrap_err();
        assert_eq!(error.stage, stage, "{error}");
        let text = error.to_string();
        assert!(
            text.contains("; remedy: ") && !text.contains('\n'),
            "{text}"
        );
    }
    // A file that can be executed but is no interpreter: the slot is refused before any agent could be blamed.
    let library = std::fs::read_dir(good.runtime_root.join("usr/lib"))
        .unwrap()
        .flatten()
        .next()
        .unwrap();
    let python = format!("/usr/lib/{}/os.py", library.file_name().to_str().unwrap());
    std::fs::set_permissions(
        good.runtime_root.join(&python[1..]),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    let error = Slot::start(&SandboxConfig { python, ..good }).unwrap_err();
    assert_eq!(error.stage, sandbox::Stage::Exec, "{error}");
}

#[test]
fn every_interface_of_this_machine_accounts_and_kills() {
    let folder = tempfile::tempdir().unwrap();
    let artifact = artifact(folder.path());
    let mut tried = 0;
    for mode in [CgroupMode::V2, CgroupMode::Hybrid, CgroupMode::V1] {
        let mut slot = match Slot::start(&SandboxConfig {
            cgroups: Some(mode),
            ..config()
        }) {
            Err(error) if error.stage == sandbox::Stage::CgroupDetect => continue,
            other => other.unwrap(),
        };
        tried += 1;
        for (source, events) in [
            (HONEST, &[][..]),
            (
                "import os\ndef agent_main(task):\n    os.fork()\n    while True: pass\n",
                &[Event::CpuBudget],
            ),
            (
                "def agent_main(task):\n    x = b'x' * (1 << 30)\n",
                &[Event::Memory],
            ),
        ] {
            let limits = Limits {
                cpu_us: 800_000,
                memory_bytes: 64 << 20,
                ..limits()
            };
            let outcome = slot.run(&spec(source, &artifact, limits)).unwrap();
            assert_eq!(outcome.events, events, "{mode:?} {outcome:?}");
            assert!(
                outcome.usage.cpu_us > 1000 && outcome.usage.cpu_us < 1_000_000,
                "{mode:?} {outcome:?}"
            );
            assert_eq!(descendants_of(slot.launcher_pid()), []);
        }
    }
    assert!(tried > 0);
}

#[test]
fn the_preflight_passes_and_names_what_is_in_force() {
    let report = sandbox::check(&config()).unwrap();
    assert!(report.seccomp_instructions > 100, "{report:?}");
    println!("{report:?}");
}
