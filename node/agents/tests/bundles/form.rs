//! One content, one string of bytes.

use crate::common::{Entry, LIMITS, MANIFEST, bundle, put};
use agents::{AgentRuntime, Bundle, BundleError, pack, pin, unpack};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, SystemTime};

fn sample() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "main.py", b"print(1)\n", 0o600);
    put(dir.path(), "agent.toml", MANIFEST.as_bytes(), 0o664);
    put(dir.path(), "bin/tool", b"#!/bin/sh\n", 0o711);
    put(dir.path(), "pkg/__pycache__/x.pyc", b"left out", 0o644);
    put(dir.path(), ".git/config", b"left out", 0o644);
    fs::create_dir(dir.path().join("empty")).unwrap();
    dir
}

#[test]
fn modes_times_and_order_of_a_folder_leave_no_trace() {
    let (one, two) = (sample(), sample());
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1);
    let file = fs::File::open(two.path().join("main.py")).unwrap();
    file.set_modified(old).unwrap();
    file.set_permissions(fs::Permissions::from_mode(0o444))
        .unwrap();
    let packed = pack(one.path(), &LIMITS).unwrap();
    assert_eq!(packed, pack(two.path(), &LIMITS).unwrap());
    let parsed = Bundle::parse(&packed, &LIMITS).unwrap();
    let files: Vec<_> = parsed.files().map(|f| (f.path, f.executable)).collect();
    assert_eq!(
        files,
        [
            ("agent.toml", false),
            ("bin/tool", true),
            ("main.py", false)
        ]
    );
    assert_eq!(parsed.manifest().runtime, AgentRuntime::Python);
}

/// The form is documented and must not drift: these bytes were laid out by hand.
#[test]
fn the_form_is_the_documented_one() {
    let dir = tempfile::tempdir().unwrap();
    let long = format!("{}/file", "d".repeat(120));
    put(dir.path(), "agent.toml", MANIFEST.as_bytes(), 0o644);
    put(dir.path(), "b", b"x", 0o755);
    put(dir.path(), &long, b"y", 0o644);
    let mut name = long.clone().into_bytes();
    name.push(0);
    let by_hand = bundle(vec![
        Entry::new(b"b", b"x").with(100, b"0000755\0"),
        Entry::new(b"././@LongLink", &name).kind(b'L'),
        Entry::new(long.as_bytes(), b"y"),
    ]);
    let packed = pack(dir.path(), &LIMITS).unwrap();
    assert_eq!(packed, by_hand);
    assert_eq!(
        pin(&packed, &LIMITS).unwrap(),
        mechanism::ids::Pin::blake3_of(&packed)
    );
}

#[test]
fn another_tar_of_the_same_content_is_refused() {
    let file = || Entry::new(b"b", b"x");
    let shuffled = {
        let manifest = Entry::new(b"agent.toml", MANIFEST.as_bytes());
        crate::common::tar(vec![file(), manifest])
    };
    let named = |entry: Entry| bundle(vec![entry]);
    for (bytes, why) in [
        (shuffled, "order"),
        (named(file().with(136, b"00000000001\0")), "time"),
        (named(file().with(108, b"0001750\0")), "user"),
        (named(file().with(265, b"root")), "user name"),
        (named(file().with(100, b"0000600\0")), "mode"),
        (named(file().with(100, b"0004755\0")), "set-user-id"),
        (named(file().with(345, b"prefix")), "prefix"),
        (named(file().with(257, b"ustar\x0000")), "posix magic"),
        (named(file().kind(0)), "old type"),
    ] {
        let error = pin(&bytes, &LIMITS).unwrap_err();
        assert!(
            matches!(error, BundleError::NotCanonical { .. }),
            "{why}: {error}"
        );
    }
    let padded = [named(file()), vec![0; 512]].concat();
    assert!(matches!(
        pin(&padded, &LIMITS),
        Err(BundleError::TrailingBytes { extra: 512 })
    ));
}

#[test]
fn unpacking_gives_the_files_and_fixed_modes() {
    let packed = pack(sample().path(), &LIMITS).unwrap();
    let out = tempfile::tempdir().unwrap();
    let into = out.path().join("agent");
    let manifest = unpack(&packed, &into, &LIMITS).unwrap();
    assert_eq!(manifest.entrypoint, "main.py");
    let mode = |path: &str| fs::metadata(into.join(path)).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode("bin/tool"), mode("main.py")), (0o755, 0o644));
    assert_eq!(fs::read(into.join("main.py")).unwrap(), b"print(1)\n");
    assert_eq!(pack(&into, &LIMITS).unwrap(), packed);
    let again = unpack(&packed, &into, &LIMITS).unwrap_err();
    assert!(again.is_io(), "{again}");
    assert!(into.join("main.py").exists(), "what was there before stays");
}

#[test]
fn a_folder_that_is_no_bundle_is_not_packed() {
    let refused = |prepare: &dyn Fn(&std::path::Path)| {
        let dir = sample();
        prepare(dir.path());
        pack(dir.path(), &LIMITS).unwrap_err().to_string()
    };
    let link = refused(&|dir| std::os::unix::fs::symlink("/etc/passwd", dir.join("x")).unwrap());
    assert!(link.contains("symbolic link"), "{link}");
    let socket = refused(&|dir| {
        drop(std::os::unix::net::UnixListener::bind(dir.join("s")).unwrap());
    });
    assert!(socket.contains("a socket"), "{socket}");
    let missing = refused(&|dir| fs::remove_file(dir.join("agent.toml")).unwrap());
    assert!(missing.contains("agent.toml"), "{missing}");
    let large = refused(&|dir| put(dir, "l", &vec![0; 2 << 20], 0o644));
    assert!(large.contains("1048576"), "{large}");
    let many = refused(&|dir| (0..101).for_each(|n| put(dir, &format!("n{n}"), b"", 0o644)));
    assert!(many.contains("more than 100 files"), "{many}");
    let odd = refused(&|dir| put(dir, "a\\b", b"", 0o644));
    assert!(odd.contains("backslash"), "{odd}");
}

fn contents() -> impl Strategy<Value = BTreeMap<String, (Vec<u8>, bool)>> {
    // One letter of folder and one of file: no file is a folder's name, none differ in case only.
    let path =
        ("[a-c]{1,60}", "[x-z0-9]{1,80}").prop_map(|(folder, file)| format!("{folder}/{file}"));
    let content = (
        proptest::collection::vec(any::<u8>(), 0..1300),
        any::<bool>(),
    );
    proptest::collection::btree_map(path, content, 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn packing_and_unpacking_are_inverse(files in contents()) {
        let dir = tempfile::tempdir().unwrap();
        put(dir.path(), "agent.toml", MANIFEST.as_bytes(), 0o644);
        for (path, (content, executable)) in &files {
            put(dir.path(), path, content, if *executable { 0o755 } else { 0o644 });
        }
        let packed = pack(dir.path(), &LIMITS).unwrap();
        let out = tempfile::tempdir().unwrap();
        let into = out.path().join("u");
        unpack(&packed, &into, &LIMITS).unwrap();
        prop_assert_eq!(pack(&into, &LIMITS).unwrap(), packed);
    }

    /// Whatever is read is canonical, so two different strings of bytes are never the same agent.
    #[test]
    fn a_changed_byte_is_refused_or_another_content(at in 0_usize..3584, byte: u8) {
        let packed = pack(sample().path(), &LIMITS).unwrap();
        let mut changed = packed.clone();
        let at = at % changed.len();
        prop_assume!(changed[at] != byte);
        changed[at] = byte;
        let tell = |bytes: &[u8]| Bundle::parse(bytes, &LIMITS).map(|bundle| {
            bundle.files().map(|f| (f.path.to_owned(), f.executable, f.bytes.to_vec())).collect::<Vec<_>>()
        });
        if let Ok(files) = tell(&changed) {
            prop_assert_ne!(files, tell(&packed).unwrap());
        }
    }
}
