//! Whatever bytes come: nothing is written unless they are a bundle, and then what is written packs to the same bytes.
#![no_main]

use agents::Limits;
use libfuzzer_sys::fuzz_target;

const LIMITS: Limits = Limits {
    packed_bytes: 1 << 20,
    unpacked_bytes: 1 << 20,
    files: 100,
};

fuzz_target!(|bytes: &[u8]| {
    let Ok(out) = tempfile::tempdir() else {
        return;
    };
    let into = out.path().join("bundle");
    match agents::unpack(bytes, &into, &LIMITS) {
        Ok(_) => assert_eq!(agents::pack(&into, &LIMITS).ok().as_deref(), Some(bytes)),
        Err(_) => assert!(!into.exists()),
    }
});
