//! What a run starts: the interpreter with the runner, or the agent's own executable.

use std::ffi::{CStr, CString};

use rustix::io::Errno;

use crate::proto::Program;
use crate::stage::{Fault, Stage};

/// Where the agent's file or files stand.
const AGENT_FOLDER: &str = "/task/agent";
/// Flags of the interpreter: no user or site packages, nothing unsafe on the module path, no bytecode files. Not `-I`, which would
/// ignore PYTHONHASHSEED.
const FLAGS: [&CStr; 4] = [c"-s", c"-S", c"-P", c"-B"];

impl Program {
    /// Whether the agent is a program of its own: it gets no descriptor beyond the standard ones, may execute what it finds in its
    /// folder and in its scratch file systems, and leaves its report as a file.
    pub(crate) fn is_executable(&self) -> bool {
        matches!(self, Self::Executable { .. })
    }
}

/// The arguments of the run's process; the first is what is executed.
pub(crate) fn command(
    program: &Program,
    python: &CStr,
    runner: &CStr,
) -> Result<Vec<CString>, Fault> {
    let text = |text: String| {
        CString::new(text).map_err(|_| Fault::new(Stage::Exec, "entrypoint with a nul byte"))
    };
    let entry = match program {
        Program::Executable { path } => return Ok(vec![text(format!("{AGENT_FOLDER}/{path}"))?]),
        Program::PythonFile => vec![],
        Program::PythonPath { path } => {
            vec![
                text(format!("{AGENT_FOLDER}/{path}"))?,
                c"agent_main".to_owned(),
            ]
        }
        Program::PythonModule { module, function } => {
            vec![text(module.clone())?, text(function.clone())?]
        }
    };
    let interpreter = [python].into_iter().chain(FLAGS).chain([runner]);
    Ok(interpreter.map(CStr::to_owned).chain(entry).collect())
}

/// Whether a failed `execve` of an agent's executable says something about the host. Everything else is the file's own doing: no
/// interpreter, no format that the kernel knows, a truncated header.
pub(crate) fn is_host_errno(errno: i32) -> bool {
    [Errno::NOMEM, Errno::AGAIN, Errno::NFILE]
        .iter()
        .any(|host| host.raw_os_error() == errno)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(program: &Program) -> Vec<String> {
        let words = command(program, c"/usr/bin/python3", c"/task/runner.pyc").unwrap();
        words
            .iter()
            .map(|word| word.to_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn only_an_executable_is_started_without_the_runner() {
        let path = || "bin/judge".to_owned();
        assert_eq!(
            told(&Program::Executable { path: path() }),
            ["/task/agent/bin/judge"]
        );
        let head = [
            "/usr/bin/python3",
            "-s",
            "-S",
            "-P",
            "-B",
            "/task/runner.pyc",
        ];
        assert_eq!(told(&Program::PythonFile), head);
        let module = Program::PythonModule {
            module: "a.b".into(),
            function: "f".into(),
        };
        assert_eq!(told(&module), [&head[..], &["a.b", "f"]].concat());
        let file = Program::PythonPath { path: path() };
        assert_eq!(
            told(&file),
            [&head[..], &["/task/agent/bin/judge", "agent_main"]].concat()
        );
        let nul = Program::Executable {
            path: "a\0b".into(),
        };
        assert!(command(&nul, c"p", c"r").is_err());
    }
}
