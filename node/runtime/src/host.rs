//! The host source: a copy of this machine's own interpreter, in the same layout. Nobody else has the same one, so
//! results made with it are not comparable.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::error::{RuntimeError, io_error};
use crate::interpreter::Interpreter;
use crate::layout::{create, tree_path};
use crate::process::{self, Bounds};

/// The oldest interpreter that knows every flag of a run (`-P`).
const OLDEST: (u32, u32) = (3, 11);

/// A shim, a wrapper or a virtual environment answers with the interpreter behind it.
const PROBE: &str = "\
import json, os, sys, sysconfig
print(json.dumps({
    'executable': os.path.realpath(getattr(sys, '_base_executable', None) or sys.executable),
    'stdlib': os.path.dirname(os.path.realpath(os.__file__)),
    'dynload': os.path.join(sysconfig.get_path('platstdlib'), 'lib-dynload'),
    'libdir': sys.platlibdir,
    'implementation': sys.implementation.name,
    'major': sys.version_info[0],
    'minor': sys.version_info[1],
    'version': sys.version,
}))";

/// What `python3` on this host is.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct HostPython {
    pub(crate) executable: PathBuf,
    stdlib: PathBuf,
    dynload: PathBuf,
    libdir: String,
    implementation: String,
    major: u32,
    minor: u32,
    version: String,
}

impl HostPython {
    /// Asks the `python3` that PATH names.
    pub(crate) fn find() -> Result<Self, RuntimeError> {
        let mut command = Command::new("python3");
        command.args(["-I", "-S", "-c", PROBE]);
        let finished = process::run_ok(&mut command, &Bounds::seconds(60))
            .map_err(|error| unavailable(format!("{error}, or install python3 (3.11 or newer)")))?;
        let python: Self = serde_json::from_slice(&finished.stdout)
            .map_err(|error| unavailable(format!("python3 gave an unreadable answer ({error})")))?;
        if python.implementation != "cpython" || (python.major, python.minor) < OLDEST {
            let found = format!(
                "{} {}.{}",
                python.implementation, python.major, python.minor
            );
            return Err(unavailable(format!(
                "python3 is {found}; install cpython 3.11 or newer"
            )));
        }
        Ok(python)
    }

    /// Changes when the host's interpreter does; names the tree in the cache's index.
    pub(crate) fn fingerprint(&self) -> Result<String, RuntimeError> {
        let path = &self.executable;
        let metadata = fs::metadata(path).map_err(io_error("read", path))?;
        let (size, seconds, nanos) = (metadata.len(), metadata.mtime(), metadata.mtime_nsec());
        Ok(format!(
            "{} {size} {seconds}.{nanos} {}",
            path.display(),
            self.version
        ))
    }

    /// Copies interpreter, standard library, loader and shared libraries into an empty folder.
    pub(crate) fn copy_to(&self, root: &Path) -> Result<Interpreter, RuntimeError> {
        let name = self
            .stdlib
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_else(|| format!("python{}.{}", self.major, self.minor));
        let python = format!("/usr/bin/python{}.{}", self.major, self.minor);
        let stdlib = format!("/usr/{}/{name}", self.libdir);
        copy_file(&self.executable, &root.join(&python[1..]))?;
        copy_folder(&self.stdlib, &root.join(&stdlib[1..]))?;
        let dynload = root.join(&stdlib[1..]).join("lib-dynload");
        if !dynload.is_dir() && self.dynload.is_dir() {
            copy_folder(&self.dynload, &dynload)?;
        }
        let mut binaries = vec![self.executable.clone()];
        binaries.extend(extensions(&self.dynload)?);
        let shell = Path::new("/bin/sh");
        if let Ok(real) = fs::canonicalize(shell) {
            copy_file(&real, &root.join("usr/bin/sh"))?;
            binaries.push(real);
        }
        let (loader, library_dir) = copy_libraries(&binaries, root)?;
        Ok(Interpreter {
            python,
            loader,
            library_dir,
            stdlib,
        })
    }
}

/// Copies what `ldd` finds for the binaries. All libraries go to the folder of the C library, which the loader
/// searches by itself: the folders of the host, a private home among them, need not exist in the tree.
fn copy_libraries(binaries: &[PathBuf], root: &Path) -> Result<(String, String), RuntimeError> {
    let mut command = Command::new("ldd");
    command.args(binaries).env("LC_ALL", "C");
    // ldd's status is an error as soon as one extension lacks a library; such an extension just cannot be imported.
    let finished = process::run(&mut command, &[], &Bounds::seconds(120))
        .map_err(|error| unavailable(format!("{error}, or install ldd")))?;
    let found = Libraries::parse(&String::from_utf8_lossy(&finished.stdout));
    let loader = found
        .loader
        .ok_or_else(|| unavailable("it is linked statically; install a dynamic one".to_owned()))?;
    let c_library = found
        .by_name
        .iter()
        .find(|(name, _)| name.starts_with("libc."));
    let library_dir = c_library
        .and_then(|(_, path)| path.parent())
        .or_else(|| loader.parent());
    let library_dir = library_dir.unwrap_or(Path::new("/usr/lib")).to_owned();
    let target = root.join(tree_path(&library_dir));
    for (name, path) in &found.by_name {
        copy_file(path, &target.join(name))?;
    }
    // glibc opens it by name when a thread ends.
    let unwinder = library_dir.join("libgcc_s.so.1");
    if unwinder.is_file() {
        copy_file(&unwinder, &target.join("libgcc_s.so.1"))?;
    }
    copy_file(&loader, &root.join(tree_path(&loader)))?;
    Ok((
        loader.display().to_string(),
        library_dir.display().to_string(),
    ))
}

/// The answer of `ldd`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Libraries {
    loader: Option<PathBuf>,
    by_name: BTreeMap<String, PathBuf>,
}

impl Libraries {
    fn parse(text: &str) -> Self {
        let mut found = Self::default();
        for line in text
            .lines()
            .filter(|line| line.starts_with(char::is_whitespace))
        {
            let line = line.trim();
            let Some((before, _address)) = line.rsplit_once(" (0x") else {
                continue;
            };
            match before.split_once(" => ") {
                Some((name, path)) if path.starts_with('/') && !name.contains('/') => {
                    found
                        .by_name
                        .entry(name.to_owned())
                        .or_insert_with(|| PathBuf::from(path));
                }
                None if before.starts_with('/') => found.loader = Some(PathBuf::from(before)),
                _ => {}
            }
        }
        found
    }
}

fn extensions(folder: &Path) -> Result<Vec<PathBuf>, RuntimeError> {
    let mut paths = Vec::new();
    if folder.is_dir() {
        for item in fs::read_dir(folder).map_err(io_error("read", folder))? {
            paths.push(item.map_err(io_error("read", folder))?.path());
        }
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "so"));
    paths.sort();
    Ok(paths)
}

/// Folders of the standard library that are not worth copying first and slimming away later.
const SKIPPED: [&str; 4] = ["__pycache__", "site-packages", "dist-packages", "test"];

fn copy_folder(from: &Path, to: &Path) -> Result<(), RuntimeError> {
    create(to)?;
    for item in fs::read_dir(from).map_err(io_error("read", from))? {
        let item = item.map_err(io_error("read", from))?;
        let (source, target) = (item.path(), to.join(item.file_name()));
        // A link to a folder could form a loop; the standard library has none.
        if item
            .file_type()
            .map_err(io_error("read", &source))?
            .is_dir()
        {
            if !SKIPPED.iter().any(|name| item.file_name() == *name) {
                copy_folder(&source, &target)?;
            }
        } else if fs::metadata(&source).is_ok_and(|metadata| metadata.is_file()) {
            copy_file(&source, &target)?;
        }
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path) -> Result<(), RuntimeError> {
    if let Some(parent) = to.parent() {
        create(parent)?;
    }
    fs::copy(from, to).map(drop).map_err(io_error("copy", from))
}

/// The short names under which programs look for the interpreter.
pub(crate) fn short_names(root: &Path, python: &str) -> Result<(), RuntimeError> {
    let Some(name) = Path::new(python).file_name() else {
        return Ok(());
    };
    for short in ["python3", "python"] {
        let link = root.join("usr/bin").join(short);
        symlink(name, &link).map_err(io_error("link", &link))?;
    }
    Ok(())
}

fn unavailable(reason: String) -> RuntimeError {
    RuntimeError::HostUnavailable { reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_of_ldd_is_read() {
        let text = "/usr/bin/python3:\n\tlinux-vdso.so.1 (0x00007ffd)\n\tlibm.so.6 => /lib/x/libm.so.6 (0x00007f)\n\
                    \tlibgone.so.1 => not found\n\t/lib64/ld-linux-x86-64.so.2 (0x00007f)\n/a/b.so:\n\
                    \tlibm.so.6 => /other/libm.so.6 (0x00007f)\n\tstatically linked\n";
        let found = Libraries::parse(text);
        assert_eq!(
            found.loader.as_deref(),
            Some(Path::new("/lib64/ld-linux-x86-64.so.2"))
        );
        assert_eq!(
            found.by_name,
            BTreeMap::from([("libm.so.6".to_owned(), PathBuf::from("/lib/x/libm.so.6"))])
        );
    }
}
