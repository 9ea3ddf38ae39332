//! What sealing costs, beside a bare start of the same interpreter. Ignored by default: it measures and asserts nothing but success.
//!
//! `cargo nextest run -p sandbox --cargo-profile ci --run-ignored only -E 'test(overhead)' --no-capture`

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::common::{artifact, config, limits, report, slot, spec};

const RUNS: usize = 300;

/// Median and 99th percentile of `RUNS` calls, in milliseconds.
fn measure(mut call: impl FnMut()) -> (f64, f64) {
    call();
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            call();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[RUNS / 2], times[RUNS * 99 / 100])
}

#[test]
#[ignore = "measures"]
fn overhead_of_a_sealed_run() {
    let config = config();
    let folder = tempfile::tempdir().unwrap();
    let artifact = artifact(folder.path());
    let interpreter = config.runtime_root.join(&config.python[1..]);
    let bare = measure(|| {
        let status = Command::new(&interpreter)
            .args(["-s", "-S", "-P", "-B", "-c", "pass"])
            .env_clear()
            .env("PYTHONHOME", config.runtime_root.join("usr"))
            .env("PYTHONHASHSEED", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success());
    });
    println!(
        "bare spawn of the interpreter   median {:.2} ms, p99 {:.2} ms",
        bare.0, bare.1
    );
    let (mut slot, honest) = (
        slot(),
        spec(
            "def agent_main(task):\n    return {}\n",
            &artifact,
            limits(),
        ),
    );
    let (mut cpu, mut setup, mut wall) = (Vec::new(), Vec::new(), Vec::new());
    let sealed = measure(|| {
        let outcome = slot.run(&honest).unwrap();
        assert_eq!(report(&outcome), "{}");
        cpu.push(outcome.usage.cpu_us);
        setup.push(outcome.usage.setup_us);
        wall.push(outcome.usage.wall_us);
    });
    cpu.sort_unstable();
    setup.sort_unstable();
    wall.sort_unstable();
    println!(
        "sealed run of a minimal agent   median {:.2} ms, p99 {:.2} ms",
        sealed.0, sealed.1
    );
    println!(
        "overhead                        median {:.2} ms",
        sealed.0 - bare.0
    );
    println!(
        "charged cpu                     median {:.2} ms",
        cpu[RUNS / 2] as f64 / 1e3
    );
    println!(
        "set-up before go                median {:.2} ms",
        setup[RUNS / 2] as f64 / 1e3
    );
    println!(
        "go to the agent's end           median {:.2} ms",
        wall[RUNS / 2] as f64 / 1e3
    );
    let starts = measure_starts(&config);
    println!("start and end of a slot         median {starts:.1} ms");
}

fn measure_starts(config: &sandbox::SandboxConfig) -> f64 {
    let mut times: Vec<f64> = (0..20)
        .map(|_| {
            let start = Instant::now();
            drop(sandbox::Slot::start(config).unwrap());
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[10]
}
