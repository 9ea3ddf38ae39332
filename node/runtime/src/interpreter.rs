//! The tree's own interpreter, started from outside the tree.
//!
//! It runs through the tree's own dynamic loader, so that neither root nor chroot is needed and the host's Python and
//! libraries play no part.

use std::path::Path;
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::error::RuntimeError;
use crate::layout::tree_path;
use crate::process::{self, Bounds};

/// Modules that a run needs whatever the source of the tree.
const REQUIRED: &str = "import json, re, ast, hashlib, tokenize, resource, zlib";

/// Modules whose libraries the pinned set brings.
const FULL: &str = "import sqlite3, ctypes, ssl, bz2, lzma, readline, curses, uuid, dbm.ndbm";

/// Where the interpreter stands in a tree; all paths are absolute inside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interpreter {
    /// The interpreter.
    pub python: String,
    /// The dynamic loader that starts it.
    pub loader: String,
    /// Folder of the shared libraries.
    pub library_dir: String,
    /// Folder of the standard library.
    pub stdlib: String,
}

impl Interpreter {
    /// A command that starts this interpreter of the tree at `root` with an empty environment and a fixed hash seed.
    pub(crate) fn command(&self, root: &Path) -> Command {
        let inside = |path: &str| root.join(tree_path(Path::new(path)));
        let mut command = Command::new(inside(&self.loader));
        if self.loader.contains("ld-linux") {
            // glibc only: the host's library cache must not fill a gap of the tree.
            command.arg("--inhibit-cache");
        }
        command
            .arg("--library-path")
            .arg(inside(&self.library_dir))
            .arg(inside(&self.python));
        // -I and -E would ignore PYTHONHASHSEED.
        command.args(["-s", "-S", "-P", "-B"]);
        command
            .env_clear()
            .envs([("PYTHONHASHSEED", "0"), ("LANG", "C.UTF-8"), ("TZ", "UTC")]);
        command.current_dir(root);
        command
    }

    /// Compiles the standard library to modules that are loaded without a look at the source's time or hash: on a
    /// read-only root with all times at zero any other kind would be compiled anew in every run.
    pub(crate) fn compile(&self, root: &Path) -> Result<(), RuntimeError> {
        let stdlib = root.join(tree_path(Path::new(&self.stdlib)));
        let mut command = self.command(root);
        command.args([
            "-m",
            "compileall",
            "-q",
            "-f",
            "--invalidation-mode",
            "unchecked-hash",
        ]);
        // The path that a traceback shows is the one inside the tree.
        command.arg("-s").arg(root).args(["-p", "/"]).arg(stdlib);
        process::run_ok(&mut command, &Bounds::seconds(300)).map(drop)
    }

    /// Imports what a run needs and returns the interpreter's version, `3.11.2`.
    pub(crate) fn version(&self, root: &Path, full: bool) -> Result<String, RuntimeError> {
        let imports = if full {
            [REQUIRED, FULL].join("\n")
        } else {
            REQUIRED.to_owned()
        };
        let script = format!("{imports}\nimport sys\nprint('%d.%d.%d' % sys.version_info[:3])");
        let mut command = self.command(root);
        command.arg("-c").arg(script);
        let finished = process::run_ok(&mut command, &Bounds::seconds(60))?;
        Ok(String::from_utf8_lossy(&finished.stdout).trim().to_owned())
    }
}
