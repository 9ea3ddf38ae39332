//! Budgets are exact whatever shape the process tree has, and every limit ends a run under its own name.

use sandbox::{Event, Exit, Limits, RunOutcome};

use crate::common::{limits, report, run_with};

const BUDGET: u64 = 300_000;
/// Killing and reaping up to ten processes is charged to the run as well.
const SLACK: u64 = 150_000;

fn short() -> Limits {
    Limits {
        cpu_us: BUDGET,
        wall_us: 20_000_000,
        ..limits()
    }
}

fn shown(source: &str, outcome: &RunOutcome) -> String {
    format!(
        "{source}\n{outcome:?}\n{}",
        String::from_utf8_lossy(&outcome.stderr)
    )
}

#[test]
fn cpu_time_is_counted_over_the_whole_tree() {
    for (name, body) in [
        ("one process", "while True: pass"),
        (
            "sequential forks",
            "while True:\n        if os.fork() == 0: burn(0.02); os._exit(0)\n        os.wait()",
        ),
        (
            "children that are never reaped",
            "while True:\n        if os.fork() == 0: burn(0.02); os._exit(0)\n        burn(0.02)",
        ),
        (
            "parallel children",
            "[os.fork() for _ in range(3)]\n    while True: pass",
        ),
        (
            "orphans in sessions of their own",
            "if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n            while True: pass\n        os._exit(0)\n    time.sleep(60)",
        ),
        (
            "threads",
            "[threading.Thread(target=forever).start() for _ in range(4)]\n    time.sleep(60)",
        ),
        (
            "deaf to signals",
            "[signal.signal(s, signal.SIG_IGN) for s in (1, 2, 3, 13, 14, 15, 24)]\n    while True: pass",
        ),
        ("system time", "while True: os.stat('/')"),
    ] {
        let source = format!(
            "import os, signal, threading, time\n\
             def forever():\n    while True: pass\n\
             def burn(s):\n    e = time.process_time() + s\n    while time.process_time() < e: pass\n\
             def agent_main(task):\n    {body}\n"
        );
        let outcome = run_with(&source, short());
        let label = shown(name, &outcome);
        assert_eq!(outcome.events, [Event::CpuBudget], "{label}");
        assert!(
            (BUDGET + 1..BUDGET + SLACK).contains(&outcome.usage.cpu_us),
            "{label}"
        );
        assert_eq!(outcome.exit, Exit::Signal(9), "{label}");
        assert_eq!(
            outcome.measured,
            [format!(
                "cpu time {} us > {BUDGET} us",
                outcome.usage.cpu_us
            )],
            "{label}"
        );
    }
}

#[test]
fn a_run_within_its_budget_is_charged_what_it_used() {
    let source = "import time\ndef agent_main(task):\n    e = time.process_time() + 0.2\n    while time.process_time() < e: pass\n    return time.process_time()\n";
    let outcome = run_with(source, limits());
    let own = (report(&outcome).parse::<f64>().unwrap() * 1e6) as u64;
    let charged = outcome.usage.cpu_us;
    // The account starts a moment before the interpreter's own clock and ends with the last page given back.
    assert!(
        (own..own + 60_000).contains(&charged),
        "own {own}, charged {charged}"
    );
}

#[test]
fn sleeping_is_free_until_the_wall_backstop() {
    let awake = Limits {
        wall_us: 700_000,
        ..limits()
    };
    let outcome = run_with(
        "import time\ndef agent_main(task):\n    time.sleep(60)\n",
        awake,
    );
    let label = shown("sleep", &outcome);
    assert_eq!(outcome.events, [Event::WallBackstop], "{label}");
    assert!(
        (700_001..1_500_000).contains(&outcome.usage.wall_us),
        "{label}"
    );
    assert!(outcome.usage.cpu_us < 400_000, "{label}");
    let stopped =
        "import os, signal\ndef agent_main(task):\n    os.kill(os.getpid(), signal.SIGSTOP)\n";
    let outcome = run_with(
        stopped,
        Limits {
            wall_us: 700_000,
            ..limits()
        },
    );
    assert_eq!(
        outcome.events,
        [Event::WallBackstop],
        "{}",
        shown(stopped, &outcome)
    );
}

#[test]
fn memory_is_limited_for_the_tree() {
    let limits = Limits {
        memory_bytes: 128 << 20,
        ..limits()
    };
    for (name, body) in [
        ("one process", "x = b'x' * (1 << 30)"),
        (
            "eight children",
            "for _ in range(8):\n        if os.fork() == 0:\n            x = b'x' * (32 << 20)\n            time.sleep(60)\n    time.sleep(60)",
        ),
        (
            "a memory file",
            "f = os.memfd_create('x')\n    while True: os.write(f, b'x' * (1 << 20))",
        ),
        (
            "the workspace",
            "f = open('x', 'wb')\n    while True: f.write(b'x' * (1 << 20))",
        ),
        (
            "small objects",
            "x = []\n    while True: x.append([0] * 100)",
        ),
    ] {
        let source = format!("import os, time\ndef agent_main(task):\n    {body}\n");
        let outcome = run_with(&source, limits.clone());
        let label = shown(name, &outcome);
        assert_eq!(outcome.events, [Event::Memory], "{label}");
        assert_eq!(outcome.exit, Exit::Signal(9), "{label}");
        assert!(
            outcome
                .usage
                .memory_peak_bytes
                .is_some_and(|peak| (100 << 20..140 << 20).contains(&peak)),
            "{label}"
        );
        assert!(outcome.usage.wall_us < 10_000_000, "{label}");
    }
    let within = "def agent_main(task):\n    return len(b'x' * (96 << 20))\n";
    assert_eq!(report(&run_with(within, limits)), "100663296");
}

#[test]
fn forks_and_threads_stop_at_the_process_limit_and_fail_nothing_by_themselves() {
    let limits = Limits {
        processes: 16,
        ..limits()
    };
    for (body, expected) in [
        // The agent's own process is one of the sixteen.
        (
            "if os.fork() == 0: time.sleep(60)",
            "[15, \"BlockingIOError\"]",
        ),
        (
            "threading.Thread(target=time.sleep, args=(60,)).start()",
            "[15, \"RuntimeError\"]",
        ),
        (
            "if os.fork() == 0: os._exit(0)",
            "[15, \"BlockingIOError\"]",
        ),
    ] {
        let source = format!(
            "import os, threading, time\ndef agent_main(task):\n    n = 0\n    try:\n        while True:\n            {body}\n            n += 1\n    except Exception as e:\n        return [n, type(e).__name__]\n"
        );
        let outcome = run_with(&source, limits.clone());
        assert_eq!(report(&outcome), expected, "{}", shown(&source, &outcome));
        assert_eq!(outcome.events, []);
    }
    let bomb = "import os\ndef agent_main(task):\n    while True:\n        try: os.fork()\n        except OSError: pass\n";
    let outcome = run_with(
        bomb,
        Limits {
            cpu_us: 500_000,
            ..limits
        },
    );
    assert_eq!(
        outcome.events,
        [Event::CpuBudget],
        "{}",
        shown(bomb, &outcome)
    );
}

#[test]
fn a_flood_of_output_ends_the_run() {
    for stream in [1, 2] {
        let source = format!(
            "import os\ndef agent_main(task):\n    while True: os.write({stream}, b'x' * 65536)\n"
        );
        let outcome = run_with(&source, limits());
        let label = shown(&source, &outcome)
            .chars()
            .take(900)
            .collect::<String>();
        assert_eq!(outcome.events, [Event::OutputFlood], "{label}");
        let (counted, kept) = if stream == 1 {
            (outcome.usage.stdout_bytes, outcome.stdout.len())
        } else {
            (outcome.usage.stderr_bytes, outcome.stderr.len())
        };
        assert!((8 << 20..10 << 20).contains(&counted), "{label}");
        assert_eq!(kept, 65536, "{label}");
    }
    let exactly = "import os\ndef agent_main(task):\n    for _ in range(128): os.write(1, b'x' * 65536)\n    return 1\n";
    let outcome = run_with(exactly, limits());
    assert_eq!(
        (outcome.usage.stdout_bytes, outcome.events.as_slice()),
        (8 << 20, &[][..])
    );
}
