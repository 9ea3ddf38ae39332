//! Whatever an agent reports, on any track: a report or a refusal, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mechanism::report;
use mechanism::spec::Spec;
use mechanism::track::Track;
use std::sync::OnceLock;

fuzz_target!(|bytes: &[u8]| {
    static SPEC: OnceLock<Spec> = OnceLock::new();
    let spec = SPEC.get_or_init(Spec::pinned);
    for track in Track::ALL {
        let _ = report::parse(spec, track, Some(bytes));
    }
});
