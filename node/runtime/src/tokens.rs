//! The tokens of a Python file, for the normalised digest that finds copies (`mechanism.md` §8).

use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use crate::Runtime;
use crate::error::RuntimeError;
use crate::process::{self, Bounds};

/// Largest source that is tokenised, in bytes; a larger one counts by its bytes.
pub const MAX_SOURCE_BYTES: usize = 1 << 20;

/// Every byte a token of its own still fits.
const OUTPUT_BYTES: u64 = 32 << 20;
/// Well above the CPU limit that the script sets itself: hit only when this host is in trouble.
const WALL: Duration = Duration::from_secs(120);

const SCRIPT: &str = include_str!("tokens.py");
/// The script's exit status for a source that does not tokenise.
const NOT_PYTHON: i32 = 65;
const SIGXCPU: i32 = 24;

/// All tokens of `source` as (kind, text), lexed by the runtime's own `tokenize`; nothing when it does not tokenise (an
/// error token counts as such) or is too large. Which tokens count is the mechanism's rule (SPEC.md W-2).
///
/// The source is never compiled or run. The lexer runs outside the sandbox, on hostile input, so it is a process of its
/// own with bounded CPU, memory, files and output that reads the source from its standard input. A source that needs
/// more CPU or memory than that does not tokenise.
///
/// # Errors
/// The interpreter could not be started or was stopped from outside: a fault of this host.
pub fn tokens(
    runtime: &Runtime,
    source: &[u8],
) -> Result<Option<Vec<(String, String)>>, RuntimeError> {
    if source.len() > MAX_SOURCE_BYTES {
        return Ok(None);
    }
    let mut command = runtime.interpreter.command(&runtime.root);
    command.args(["-c", SCRIPT]);
    let finished = process::run(
        &mut command,
        source,
        &Bounds {
            wall: WALL,
            output_bytes: OUTPUT_BYTES,
        },
    )?;
    let fault = |detail: String| RuntimeError::Tool {
        program: "tokenize".to_owned(),
        detail,
    };
    match (finished.status.code(), finished.status.signal()) {
        (Some(0), _) => {
            let tokens = serde_json::from_slice(&finished.stdout);
            tokens
                .map(Some)
                .map_err(|error| fault(format!("unreadable answer: {error}")))
        }
        (Some(NOT_PYTHON), _) | (_, Some(SIGXCPU)) => Ok(None),
        _ => Err(fault(finished.detail())),
    }
}
