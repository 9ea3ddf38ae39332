//! Bytes that want something else than to be unpacked.

use crate::common::{Entry, LIMITS, bundle, tar};
use agents::{Bundle, BundleError, Limits, looks_like_bundle, pin, unpack};
use proptest::prelude::*;
use std::fs;

/// Must be refused with a line that holds `word`; nothing may be written.
#[track_caller]
fn refused(bytes: &[u8], word: &str) -> BundleError {
    let out = tempfile::tempdir().unwrap();
    let error = unpack(bytes, &out.path().join("b"), &LIMITS).unwrap_err();
    let text = error.to_string();
    assert!(text.contains(word), "'{word}' is not in: {text}");
    assert!(!text.contains(['\n', '\0', '\u{1b}']), "{text:?}");
    assert!(!error.is_io(), "{text}");
    let left: Vec<_> = fs::read_dir(out.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(pin(bytes, &LIMITS).is_err());
    error
}

#[test]
fn paths_that_lead_out_are_refused() {
    for (name, word) in [
        (&b"/etc/passwd"[..], "absolute"),
        (b"../x", "leads out"),
        (b"a/../../x", "leads out"),
        (b"C:\\x", "backslash"),
        (b"./main.py", "'.'"),
        (b"a//b", "empty component"),
        (b"\xff\xfe", "UTF-8"),
        (b"a\x1b[2Jb", "control"),
        (b"", "empty"),
    ] {
        refused(&bundle(vec![Entry::new(name, b"x")]), word);
    }
    // A name behind the NUL is not seen, and the form refuses it.
    let hidden = Entry::new(b"b", b"x").with(2, b"/../../etc/passwd");
    refused(&bundle(vec![hidden]), "canonical");
}

#[test]
fn everything_but_a_regular_file_is_refused() {
    for (kind, word) in [
        (b'1', "a hard link"),
        (b'2', "a symbolic link"),
        (b'3', "a device"),
        (b'4', "a device"),
        (b'5', "a folder entry"),
        (b'6', "a FIFO"),
        (b'7', "unknown kind"),
        (b'S', "a sparse file"),
        (b'K', "a symbolic link"),
        (b'x', "an extended header"),
        (b'g', "an extended header"),
        (b'V', "unknown kind"),
        (b'\n', "unknown kind"),
    ] {
        let entry = Entry::new(b"b", b"").kind(kind).with(157, b"/etc/passwd");
        refused(&bundle(vec![entry]), word);
    }
    // A link, then a file written through it.
    let link = Entry::new(b"d", b"").kind(b'2').with(157, b"/tmp");
    refused(
        &bundle(vec![link, Entry::new(b"d/x", b"x")]),
        "a symbolic link",
    );
    // An extended header that would rename or resize the next entry.
    for record in ["14 path=../x\n\n", "12 size=9999"] {
        let header = Entry::new(b"h", record.as_bytes()).kind(b'x');
        refused(
            &bundle(vec![header, Entry::new(b"i", b"x")]),
            "an extended header",
        );
    }
}

#[test]
fn names_that_collide_are_refused() {
    let two = |a: &str, b: &str| {
        bundle(vec![
            Entry::new(a.as_bytes(), b"x"),
            Entry::new(b.as_bytes(), b"y"),
        ])
    };
    refused(&two("b", "b"), "twice");
    refused(&two("B", "b"), "same name");
    refused(&two("cafe\u{301}", "caf\u{e9}"), "same name");
    refused(&two("P/a", "p/b"), "same name");
    refused(&two("b", "b/c"), "a file and a folder");
    refused(&two("AGENT.toml", "b"), "same name");
}

#[test]
fn long_names_are_bounded_and_belong_to_the_next_file() {
    let long = |length: usize| {
        let mut name = vec![b'n'; length];
        name.push(0);
        Entry::new(b"././@LongLink", &name).kind(b'L')
    };
    let file = |length: usize| Entry::new(&vec![b'n'; length], b"x");
    assert!(pin(&bundle(vec![long(255), file(255)]), &LIMITS).is_ok());
    refused(&bundle(vec![long(256), file(256)]), "255 bytes");
    refused(&bundle(vec![long(90), file(90)]), "canonical");
    refused(&bundle(vec![long(120)]), "canonical");
    refused(&bundle(vec![long(120), long(120), file(120)]), "canonical");
    refused(
        &bundle(vec![long(120), file(120).with(0, b"other")]),
        "canonical",
    );
    let escape = Entry::new(
        b"././@LongLink",
        &[b"../".repeat(40).as_slice(), b"x\0"].concat(),
    )
    .kind(b'L');
    refused(&bundle(vec![escape, file(100)]), "leads out");
}

#[test]
fn announced_sizes_are_checked_before_they_are_believed() {
    let announcing = |size: &[u8]| bundle(vec![Entry::new(b"b", b"x").with(124, size)]);
    assert!(matches!(
        refused(&announcing(b"77777777777\0"), "smaller"),
        BundleError::UnpackedTooLarge { .. }
    ));
    refused(&announcing(b"00000100000\0"), "more than there are");
    // Binary sizes: huge, and negative.
    refused(
        &announcing(b"\x80\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"),
        "",
    );
    refused(&announcing(&[0xff; 12]), "");
    refused(&announcing(b"no octal  \0\0"), "not a bundle");
    let large = vec![0_u8; (LIMITS.packed_bytes + 1) as usize];
    assert!(matches!(
        refused(&large, "1048577"),
        BundleError::PackedTooLarge { .. }
    ));
    let many = (0..=LIMITS.files)
        .map(|n| Entry::new(format!("n{n:03}").as_bytes(), b""))
        .collect();
    assert!(matches!(
        refused(&bundle(many), "more than 100 files"),
        BundleError::TooManyFiles { limit: 100 }
    ));
    let small = Limits {
        unpacked_bytes: 90,
        ..LIMITS
    };
    let bytes = bundle(vec![Entry::new(b"b", &[0; 600])]);
    assert!(pin(&bytes, &LIMITS).is_ok());
    assert!(matches!(
        pin(&bytes, &small),
        Err(BundleError::UnpackedTooLarge { .. })
    ));
}

#[test]
fn what_stands_behind_or_is_missing_at_the_end_is_refused() {
    let fine = bundle(vec![Entry::new(b"b", b"x")]);
    assert!(pin(&fine, &LIMITS).is_ok());
    refused(&[fine.as_slice(), b"x"].concat(), "1 bytes follow");
    refused(&[fine.as_slice(), fine.as_slice()].concat(), "follow");
    let hidden = [&fine[..fine.len() - 512], fine.as_slice()].concat();
    refused(&hidden, "");
    for length in 0..fine.len() {
        assert!(pin(&fine[..length], &LIMITS).is_err(), "{length}");
    }
    let mut padding = fine.clone();
    padding[512 + 511] = 1;
    refused(&padding, "canonical");
    refused(&tar(vec![]), "agent.toml");
    refused(b"", "not a bundle");
    refused(b"def agent_main(task):\n    return {}\n", "not a bundle");
}

#[test]
fn a_bundle_is_told_from_a_python_file_by_its_first_header() {
    assert!(looks_like_bundle(&bundle(vec![])));
    assert!(looks_like_bundle(&tar(vec![
        Entry::new(b"x", b"").with(257, b"ustar\x0000")
    ])));
    let source = format!("{}ustar  \n", "#".repeat(257));
    assert!(!looks_like_bundle(source.as_bytes()));
    assert!(!looks_like_bundle(b""));
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic_or_write(mut bytes in proptest::collection::vec(any::<u8>(), 0..3000), magic: bool) {
        if magic && bytes.len() > 512 {
            bytes[257..265].copy_from_slice(b"ustar  \0");
            let block: [u8; 512] = bytes[..512].try_into().unwrap();
            let rest = bytes.split_off(512);
            bytes = tar(vec![Entry { header: block, body: rest }]);
        }
        prop_assert!(Bundle::parse(&bytes, &LIMITS).is_err());
    }

    /// Headers from right and wrong fields: what is accepted unpacks to exactly the bytes that were given.
    #[test]
    fn what_is_accepted_packs_to_the_same_bytes(
        names in proptest::collection::vec("[bcB/.]{1,4}", 1..4),
        kinds in proptest::collection::vec(proptest::sample::select(b"0000005xL".to_vec()), 4),
        sizes in proptest::collection::vec(0_usize..600, 4),
    ) {
        let entries = names.iter().zip(kinds).zip(sizes)
            .map(|((name, kind), size)| Entry::new(name.as_bytes(), &vec![7; size]).kind(kind))
            .collect();
        let bytes = bundle(entries);
        let out = tempfile::tempdir().unwrap();
        let into = out.path().join("u");
        match unpack(&bytes, &into, &LIMITS) {
            Ok(_) => prop_assert_eq!(agents::pack(&into, &LIMITS).unwrap(), bytes),
            Err(_) => prop_assert!(!into.exists()),
        }
    }
}
