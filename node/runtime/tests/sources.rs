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

/// The whole way of a runtime through a file, on the host's interpreter.
#[test]
fn an_exported_runtime_comes_back_with_its_hash() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let made = match build(here.path(), Source::Host) {
        Ok(made) => made,
        Err(RuntimeError::HostUnavailable { reason }) => return println!("skipped: {reason}"),
        Err(error) => panic!("{error}"),
    };
    let again = runtime::build(here.path(), Source::Host, &mut |_| {}).unwrap();
    assert_eq!(made.hash, again.hash);
    assert_eq!(runtime::installed(here.path()), std::slice::from_ref(&made));

    let (one, two) = (here.path().join("1"), here.path().join("2"));
    runtime::export(&made, &one).unwrap();
    runtime::export(&made, &two).unwrap();
    assert!(
        fs::read(&one).unwrap() == fs::read(&two).unwrap(),
        "two exports differ"
    );

    let import = |file: &Path, hash| runtime::import(there.path(), file, hash, &mut |_| {});
    let refused = |file: &Path, hash| {
        let error = import(file, hash).unwrap_err();
        assert_eq!(runtime::installed(there.path()), []);
        assert!(!there.path().join(".import").exists());
        error
    };
    // Nobody vouches for it; somebody vouches for another.
    assert!(matches!(
        refused(&one, None),
        RuntimeError::Untrusted { .. }
    ));
    assert!(matches!(
        refused(&one, Some([7; 32])),
        RuntimeError::Untrusted { .. }
    ));
    let mut cut = fs::read(&one).unwrap();
    cut.truncate(cut.len() / 2);
    fs::write(&two, &cut).unwrap();
    assert!(matches!(
        refused(&two, Some(made.hash)),
        RuntimeError::Archive { .. }
    ));
    fs::write(&two, "no archive").unwrap();
    assert!(matches!(
        refused(&two, Some(made.hash)),
        RuntimeError::Archive { .. }
    ));

    let came = import(&one, Some(made.hash)).unwrap();
    verify(&came).unwrap();
    assert_eq!((came.hash, &came.version), (made.hash, &made.version));
    assert!(!came.comparable && came.notice.is_some());
    assert_eq!(
        runtime::installed(there.path()),
        std::slice::from_ref(&came)
    );
    assert!(tokens(&came, b"x = 1\n").unwrap().is_some());

    // A tree that has changed is neither exported nor taken for the one that was built.
    fs::write(made.root.join("etc/hosts"), "changed\n").unwrap();
    assert!(matches!(
        runtime::export(&made, &two),
        Err(RuntimeError::TreeChanged { .. })
    ));
    let mended = runtime::build(here.path(), Source::Host, &mut |_| {}).unwrap();
    verify(&mended).unwrap();
    assert_eq!(mended.hash, made.hash);
}

/// Archives whose entries lead elsewhere, or through a link.
#[test]
fn an_import_writes_nothing_outside_of_its_folder() {
    use tar::{Builder, EntryType, Header};
    let dir = tempfile::tempdir().unwrap();
    let outside = dir.path().join("outside");
    fs::create_dir(&outside).unwrap();
    let about = r#"{"tree": "", "source": "debian_pinned", "interpreter": {"python": "/x", "loader": "/x", "library_dir": "/x",
        "stdlib": "/x"}, "version": "", "comparable": true, "notice": null}"#;
    let archive = |entries: &[(&str, EntryType, &str)]| {
        let mut tar = Builder::new(Vec::new());
        for (name, kind, content) in [("runtime.json", EntryType::Regular, about)]
            .iter()
            .chain(entries)
        {
            let mut header = Header::new_gnu();
            header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
            header.set_entry_type(*kind);
            header.set_mode(0o644);
            if *kind == EntryType::Regular {
                header.set_size(content.len() as u64);
            } else {
                header.set_size(0);
                header.set_link_name(content).unwrap();
            }
            header.set_cksum();
            let body = if *kind == EntryType::Regular {
                content.as_bytes()
            } else {
                &[]
            };
            tar.append(&header, body).unwrap();
        }
        let file = dir.path().join("archive");
        fs::write(
            &file,
            zstd::encode_all(&*tar.into_inner().unwrap(), 1).unwrap(),
        )
        .unwrap();
        file
    };
    let target = outside.to_str().unwrap();
    let file = EntryType::Regular;
    let cases: [&[(&str, EntryType, &str)]; 8] = [
        &[("tree/../../../outside/x", file, "x")],
        &[("../outside/x", file, "x")],
        &[("/outside/x", file, "x")],
        &[("elsewhere", file, "x")],
        &[
            ("tree/link", EntryType::Symlink, target),
            ("tree/link/x", file, "x"),
        ],
        &[
            ("tree/link", EntryType::Symlink, target),
            ("tree/link", file, "x"),
        ],
        &[("tree/hard", EntryType::Link, "/etc/passwd")],
        &[("tree/fifo", EntryType::Fifo, "-")],
    ];
    let cache = dir.path().join("cache");
    for entries in cases {
        let error = runtime::import(&cache, &archive(entries), None, &mut |_| {}).unwrap_err();
        assert!(
            !matches!(error, RuntimeError::Untrusted { .. }),
            "{entries:?}: {error}"
        );
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0, "{entries:?}");
        assert!(!cache.join(".import").exists(), "{entries:?}");
    }
}
