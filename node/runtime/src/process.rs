//! Helper programs under a deadline: a dead mirror or a wedged tool must not hang the node.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::error::RuntimeError;

/// How often a running helper is looked at.
const POLL: Duration = Duration::from_millis(5);

/// What a helper may use.
pub(crate) struct Bounds {
    /// Wall time until it is killed with everything it started.
    pub(crate) wall: Duration,
    /// Bytes kept of each output stream; one more ends the helper.
    pub(crate) output_bytes: u64,
}

impl Bounds {
    /// Bounds for a tool whose output is a few lines.
    pub(crate) const fn seconds(seconds: u64) -> Self {
        Self {
            wall: Duration::from_secs(seconds),
            output_bytes: 4 << 20,
        }
    }
}

/// What a helper left behind.
pub(crate) struct Finished {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

impl Finished {
    /// Exit status and last line of the error output, for a message.
    pub(crate) fn detail(&self) -> String {
        let text = String::from_utf8_lossy(&self.stderr);
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        let last: String = last
            .unwrap_or("no error output")
            .trim()
            .chars()
            .take(300)
            .collect();
        format!("{}: {last}", self.status)
    }
}

/// Runs a helper with `stdin` as its whole input.
///
/// # Errors
/// It cannot be started, takes too long or prints too much. An exit status other than zero is not an error here.
pub(crate) fn run(
    command: &mut Command,
    stdin: &[u8],
    bounds: &Bounds,
) -> Result<Finished, RuntimeError> {
    let program = command.get_program().to_string_lossy().into_owned();
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    let mut child = command.spawn().map_err(|error| RuntimeError::Tool {
        program: program.clone(),
        detail: format!("cannot start: {error}"),
    })?;
    let (input, out, err) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let limit = bounds.output_bytes;
    thread::scope(|scope| {
        if let Some(mut pipe) = input {
            // A helper that does not read its input closes the pipe: its exit status tells the story.
            scope.spawn(move || pipe.write_all(stdin).is_ok());
        }
        let out = scope.spawn(move || keep(out, limit));
        let err = scope.spawn(move || keep(err, limit));
        let waited = wait(&mut child, bounds.wall, || {
            out.is_finished() && err.is_finished()
        });
        if waited.is_none() {
            stop(&mut child);
        }
        let (stdout, stderr) = (
            out.join().unwrap_or_default(),
            err.join().unwrap_or_default(),
        );
        if stdout.len() as u64 > limit || stderr.len() as u64 > limit {
            return Err(RuntimeError::OutputTooLarge {
                program,
                limit_bytes: limit,
            });
        }
        match waited {
            Some(status) => Ok(Finished {
                status,
                stdout,
                stderr,
            }),
            None => Err(RuntimeError::Timeout {
                program,
                seconds: bounds.wall.as_secs(),
            }),
        }
    })
}

/// Like [`run`], and any exit status but zero is an error too.
pub(crate) fn run_ok(command: &mut Command, bounds: &Bounds) -> Result<Finished, RuntimeError> {
    let finished = run(command, &[], bounds)?;
    if finished.status.success() {
        return Ok(finished);
    }
    let program = command.get_program().to_string_lossy().into_owned();
    Err(RuntimeError::Tool {
        program,
        detail: finished.detail(),
    })
}

/// Reads up to one byte more than the limit, then drops the pipe, so that a flood ends with a broken pipe.
fn keep(pipe: Option<impl Read>, limit: u64) -> Vec<u8> {
    let mut kept = Vec::new();
    if let Some(pipe) = pipe {
        // A read error ends the stream like an end of file: the exit status decides.
        let _ = pipe.take(limit + 1).read_to_end(&mut kept);
    }
    kept
}

/// The exit status, or nothing when the helper (or something that holds its pipes) outlives the time.
fn wait(child: &mut Child, wall: Duration, closed: impl Fn() -> bool) -> Option<ExitStatus> {
    let deadline = Instant::now() + wall;
    let mut status = None;
    while Instant::now() < deadline {
        if status.is_none() {
            status = child.try_wait().ok().flatten();
        }
        if status.is_some() && closed() {
            return status;
        }
        thread::sleep(POLL);
    }
    None
}

fn stop(child: &mut Child) {
    // The helper leads its own group, so that its download methods go with it. Either call may find it gone.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn input_output_and_status_come_back() {
        let done = run(
            &mut shell("cat; echo oops >&2; exit 3"),
            b"in",
            &Bounds::seconds(20),
        )
        .unwrap();
        assert_eq!(
            (done.stdout.as_slice(), done.status.code()),
            (b"in".as_slice(), Some(3))
        );
        assert!(done.detail().ends_with("oops"), "{}", done.detail());
    }

    #[test]
    fn a_helper_that_hangs_is_stopped_with_its_children() {
        let start = Instant::now();
        let result = run(&mut shell("sleep 60 & sleep 60"), b"", &Bounds::seconds(1));
        assert!(matches!(result, Err(RuntimeError::Timeout { .. })));
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_flood_is_refused() {
        let bounds = Bounds {
            wall: Duration::from_secs(20),
            output_bytes: 1000,
        };
        let result = run(&mut shell("yes"), b"", &bounds);
        assert!(matches!(
            result,
            Err(RuntimeError::OutputTooLarge {
                limit_bytes: 1000,
                ..
            })
        ));
    }
}
