//! Builds or finds a runtime by hand: `cargo run -p runtime --example ensure -- CACHE auto|debian|host`.

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [cache, source] = arguments.as_slice() else {
        return Err("usage: ensure CACHE auto|debian|host".into());
    };
    let runtime = runtime::ensure(Path::new(cache), source.parse()?, &mut |line| {
        eprintln!("{line}")
    })?;
    runtime::verify(&runtime)?;
    println!(
        "{} {:?} python {}",
        hex::encode(runtime.hash),
        runtime.source,
        runtime.version
    );
    if let Some(notice) = runtime.notice {
        println!("{notice}");
    }
    Ok(())
}
