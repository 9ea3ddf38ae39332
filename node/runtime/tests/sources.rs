//! Both sources for real: the Debian one is skipped, with a line that says so, where its packages are out of reach.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail the test"
)]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use runtime::{Runtime, RuntimeError, Source, SourceUsed, ensure, tokens, verify};

const FLAGS: [&str; 5] = ["-s", "-S", "-P", "-B", "-c"];

fn build(cache: &Path, source: Source) -> Result<Runtime, RuntimeError> {
    ensure(cache, source, &mut |line| println!("{line}"))
}

/// Runs a script inside the tree, where only the tree's own libraries exist; nothing without root.
fn in_chroot(runtime: &Runtime, script: &str) -> Option<String> {
    let is_root =
        fs::metadata("/proc/self").is_ok_and(|m| std::os::unix::fs::MetadataExt::uid(&m) == 0);
    if !is_root {
        println!("skipped: chroot needs root");
        return None;
    }
    let mut command = Command::new("chroot");
    command
        .arg(&runtime.root)
        .arg(&runtime.python)
        .args(FLAGS)
        .arg(script);
    let output = command
        .env_clear()
        .env("PATH", "/usr/sbin:/usr/bin")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{script}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(String::from_utf8(output.stdout).unwrap())
}

/// What holds for a tree of any source.
fn check_tree(cache: &Path, source: Source, runtime: &Runtime) {
    verify(runtime).unwrap();
    for folder in ["dev", "proc", "task", "tmp"] {
        assert_eq!(
            fs::read_dir(runtime.root.join(folder)).unwrap().count(),
            0,
            "{folder}"
        );
    }
    let start = Instant::now();
    assert_eq!(
        &ensure(cache, source, &mut |line| panic!("built again: {line}")).unwrap(),
        runtime
    );
    assert!(start.elapsed() < Duration::from_secs(2));

    // Every module comes from its compiled form, and tracebacks show the path inside the tree.
    let script = "import json, sys; print(json.__cached__); print(json.dumps.__code__.co_filename); print(sys.prefix)";
    if let Some(text) = in_chroot(runtime, script) {
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            runtime
                .root
                .join(lines[0].trim_start_matches('/'))
                .is_file(),
            "{text}"
        );
        assert!(
            lines[1].starts_with("/usr/lib") && lines[1].ends_with("/json/__init__.py"),
            "{text}"
        );
        assert_eq!(lines[2], "/usr");
    }
    check_tokens(runtime);
}

fn check_tokens(runtime: &Runtime) {
    let lexed = |source: &str| tokens(runtime, source.as_bytes()).unwrap();
    let source = "#!/usr/bin/python3\n'''Module.'''\ndef f():\n  return f'{x}'  # note\n";
    let kinds: Vec<String> = lexed(source)
        .unwrap()
        .into_iter()
        .map(|(kind, _)| kind)
        .collect();
    assert_eq!(
        kinds.join(" "),
        "ENCODING COMMENT NL STRING NEWLINE NAME NAME OP OP OP NEWLINE INDENT NAME STRING COMMENT NEWLINE DEDENT ENDMARKER"
    );
    assert_eq!(
        lexed("x = 1").unwrap()[1],
        ("NAME".to_owned(), "x".to_owned())
    );
    // Not Python, each in its own way.
    for source in [
        "'''open",
        "x = (",
        "a\n  b\n c\n",
        "# coding: nothing\n",
        "a = $\n",
        "# coding: utf-7\n+2AA-\n",
    ] {
        assert_eq!(lexed(source), None, "{source}");
    }
    assert_eq!(tokens(runtime, b"\xff\xfe").unwrap(), None);
    assert_eq!(
        tokens(runtime, &vec![b'#'; runtime::MAX_SOURCE_BYTES + 1]).unwrap(),
        None
    );
    assert_eq!(lexed(&"(".repeat(1 << 18)), None);
    assert_eq!(lexed("").unwrap().len(), 2);
}

#[test]
fn debian_packages_give_the_pinned_tree_every_time() {
    let dir = tempfile::tempdir().unwrap();
    let (first, second) = (dir.path().join("a"), dir.path().join("a-longer-name/b"));
    let start = Instant::now();
    let runtime = match build(&first, Source::Debian) {
        Err(RuntimeError::DebianUnavailable { reason }) => {
            println!("skipped: {reason}");
            return;
        }
        other => other.unwrap(),
    };
    println!(
        "{} {:?} in {:?}",
        hex::encode(runtime.hash),
        runtime.source,
        start.elapsed()
    );
    match &runtime.source {
        SourceUsed::DebianPinned => assert!(runtime.comparable, "{:?}", runtime.notice),
        SourceUsed::DebianCurrent { changed } => {
            assert!(!runtime.comparable && !changed.is_empty());
            assert!(first.join("current.lock.toml").is_file());
        }
        SourceUsed::Host { .. } => panic!("asked for debian"),
    }
    check_tree(&first, Source::Debian, &runtime);
    assert_eq!(build(&first, Source::Auto).unwrap(), runtime);
    let modules = "import json,re,ast,hashlib,sqlite3,ctypes,ssl,zlib,bz2,lzma,tokenize,readline,curses,uuid,dbm.ndbm\n\
                   import decimal,multiprocessing,asyncio,zoneinfo,xml.parsers.expat,pwd,os,subprocess\n\
                   print(pwd.getpwuid(1000).pw_name, os.system('exit 3') >> 8)";
    if let Some(text) = in_chroot(&runtime, modules) {
        assert_eq!(text, "agent 3\n");
    }

    // The same packages in another cache: no network, another path, the same tree.
    fs::create_dir_all(&second).unwrap();
    assert!(
        Command::new("cp")
            .arg("-r")
            .arg(first.join("debs"))
            .arg(&second)
            .status()
            .unwrap()
            .success()
    );
    if runtime.comparable {
        let again = build(&second, Source::Debian).unwrap();
        assert_eq!(again.hash, runtime.hash);
    }

    fs::write(
        runtime.root.join("usr/lib/python3.11/json/__init__.py"),
        "changed",
    )
    .unwrap();
    assert!(matches!(
        verify(&runtime),
        Err(RuntimeError::TreeChanged { .. })
    ));
}

#[test]
fn the_hosts_interpreter_is_copied_and_says_that_it_is_not_comparable() {
    let dir = tempfile::tempdir().unwrap();
    let (first, second) = (dir.path().join("a"), dir.path().join("a-longer-name/b"));
    let runtime = match build(&first, Source::Host) {
        Err(RuntimeError::HostUnavailable { reason }) => {
            println!("skipped: {reason}");
            return;
        }
        other => other.unwrap(),
    };
    assert!(
        !runtime.comparable
            && runtime
                .notice
                .as_ref()
                .is_some_and(|text| text.contains("not comparable"))
    );
    assert!(matches!(runtime.source, SourceUsed::Host { .. }));
    check_tree(&first, Source::Host, &runtime);
    if let Some(text) = in_chroot(
        &runtime,
        "import json,re,ast,hashlib,tokenize,zlib,decimal; print('ok')",
    ) {
        assert_eq!(text, "ok\n");
    }
    assert_eq!(build(&second, Source::Host).unwrap().hash, runtime.hash);
}
