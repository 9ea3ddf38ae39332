//! From a request to a tree: the index, else a build under the cache's lock, else the host's interpreter.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::debian;
use crate::error::{RuntimeError, io_error};
use crate::host::{self, HostPython};
use crate::index::{Index, Record};
use crate::interpreter::Interpreter;
use crate::layout::{self, create, remove, tree_path};
use crate::lock::Lock;
use crate::{Runtime, Source, SourceUsed, tree};

/// Finds or builds the runtime of `source` in the folder `cache`, which is created.
///
/// `progress` gets one line per step of a build and none when the runtime is there already. Several processes may ask
/// at the same time: one builds, the others wait and take its result. The second call costs one look at the index; it
/// does not hash the tree again ([`crate::verify`] does).
///
/// [`Source::Auto`] remembers that it fell back to the host's interpreter; [`Source::Debian`] tries again.
///
/// # Errors
/// The source cannot be had on this host, a package has another hash than pinned, or the cache cannot be written.
pub fn ensure(
    cache: &Path,
    source: Source,
    progress: &mut dyn FnMut(&str),
) -> Result<Runtime, RuntimeError> {
    Builder::in_cache(cache, false, progress, |builder| builder.make(source))
}

/// As [`ensure`], but builds the tree in any case. A tree of the same hash that is there already stays, one that has changed
/// is replaced.
///
/// # Errors
/// As [`ensure`].
pub fn build(
    cache: &Path,
    source: Source,
    progress: &mut dyn FnMut(&str),
) -> Result<Runtime, RuntimeError> {
    Builder::in_cache(cache, true, progress, |builder| builder.make(source))
}

/// Every runtime of a cache, each once, in the order of their hashes. Trees that are gone are left out.
#[must_use]
pub fn installed(cache: &Path) -> Vec<Runtime> {
    let cache = fs::canonicalize(cache).unwrap_or_else(|_| cache.to_owned());
    Index::load(&cache).all(&cache)
}

pub(crate) struct Builder<'a> {
    pub(crate) cache: PathBuf,
    index: Index,
    force: bool,
    pub(crate) progress: &'a mut dyn FnMut(&str),
}

impl<'a> Builder<'a> {
    /// Works in a cache, which is created, under its lock.
    pub(crate) fn in_cache(
        cache: &Path,
        force: bool,
        progress: &'a mut dyn FnMut(&str),
        work: impl FnOnce(&mut Self) -> Result<Runtime, RuntimeError>,
    ) -> Result<Runtime, RuntimeError> {
        create(cache)?;
        let cache = fs::canonicalize(cache).map_err(io_error("resolve", cache))?;
        let _guard = exclusive(&cache)?;
        work(&mut Builder {
            index: Index::load(&cache),
            cache,
            force,
            progress,
        })
    }

    fn make(&mut self, source: Source) -> Result<Runtime, RuntimeError> {
        match source {
            Source::Debian => self.debian(),
            Source::Host => self.host(None),
            Source::Auto => self.auto(),
        }
    }

    /// What the index has for a request, unless a build is forced.
    fn find(&self, request: &str) -> Option<Runtime> {
        let found = self.index.find(&self.cache, request);
        found.filter(|_| !self.force)
    }
}

impl Builder<'_> {
    fn auto(&mut self) -> Result<Runtime, RuntimeError> {
        let fallen_back = fallen_back_request();
        if let Some(runtime) = self.find(&debian_request()) {
            return Ok(runtime);
        }
        if let Some(runtime) = self.find(&fallen_back) {
            return Ok(runtime);
        }
        match self.debian() {
            Err(error @ RuntimeError::DebianUnavailable { .. }) => {
                (self.progress)(&error.to_string());
                self.host(Some(&fallen_back))
            }
            other => other,
        }
    }

    fn debian(&mut self) -> Result<Runtime, RuntimeError> {
        let request = debian_request();
        if let Some(runtime) = self.find(&request) {
            return Ok(runtime);
        }
        let pinned = Lock::pinned()?;
        let mut debs = debian::fetch(&pinned, &self.cache, self.progress)?;
        (self.progress)(&format!(
            "runtime: unpacking {} packages",
            debs.lock.packages.len()
        ));
        let root = self.empty_root()?;
        let interpreter = debian::unpack(&debs, &root)?;
        let version = self.finish(&root, &interpreter, true)?;
        let tree = self.publish(&root)?;
        let (source, notice) = if !debs.changed.is_empty() {
            debs.lock.tree.clone_from(&tree);
            debian::write_current(&debs.lock, &self.cache)?;
            let notice = format!(
                "runtime {} differs from the pinned {}: the mirror replaced {}; results are not comparable with \
                 validators that have the pinned one",
                short(&tree),
                short(&pinned.tree),
                debs.changed.join(", "),
            );
            (
                SourceUsed::DebianCurrent {
                    changed: debs.changed,
                },
                Some(notice),
            )
        } else if tree != pinned.tree {
            let notice = format!(
                "runtime {} differs from the pinned {} although all packages are equal; results are not comparable, \
                 report it with the version of dpkg",
                short(&tree),
                short(&pinned.tree),
            );
            (SourceUsed::DebianPinned, Some(notice))
        } else {
            (SourceUsed::DebianPinned, None)
        };
        let comparable = notice.is_none();
        let record = Record {
            tree,
            source,
            interpreter,
            version,
            comparable,
            notice,
        };
        self.record(&[&request], record)
    }

    /// `also` is a second request that this answers.
    fn host(&mut self, also: Option<&str>) -> Result<Runtime, RuntimeError> {
        let python = HostPython::find()?;
        let request = format!("host {} {}", Lock::pinned_id(), python.fingerprint()?);
        if also.is_none()
            && let Some(runtime) = self.find(&request)
        {
            return Ok(runtime);
        }
        (self.progress)(&format!(
            "runtime: copying {} and its libraries",
            python.executable.display()
        ));
        let root = self.empty_root()?;
        let interpreter = python.copy_to(&root)?;
        let version = self.finish(&root, &interpreter, false)?;
        let tree = self.publish(&root)?;
        let path = python.executable.display().to_string();
        let mut notice = format!(
            "host interpreter {path} ({version}), runtime {}: not comparable",
            short(&tree)
        );
        if also.is_some() {
            notice
                .push_str("; choose the runtime source 'debian' to try the pinned packages again");
        }
        let source = SourceUsed::Host { interpreter: path };
        let record = Record {
            tree,
            source,
            interpreter,
            version,
            comparable: false,
            notice: Some(notice),
        };
        let requests: Vec<&str> = [request.as_str()].into_iter().chain(also).collect();
        self.record(&requests, record)
    }

    /// A fixed name: what a killed build left is removed by the next.
    fn empty_root(&self) -> Result<PathBuf, RuntimeError> {
        let root = self.cache.join(".build");
        remove(&root)?;
        create(&root)?;
        Ok(root)
    }

    /// Layout, compiled modules, modes and times; returns the interpreter's version.
    fn finish(
        &mut self,
        root: &Path,
        interpreter: &Interpreter,
        full: bool,
    ) -> Result<String, RuntimeError> {
        layout::arrange(root, &tree_path(Path::new(&interpreter.stdlib)))?;
        host::short_names(root, &interpreter.python)?;
        (self.progress)("runtime: compiling the standard library");
        interpreter.compile(root)?;
        let version = interpreter.version(root, full)?;
        layout::seal(root)?;
        Ok(version)
    }

    /// Hashes the tree and moves it to its name; a folder that is already there stays when it is the same tree.
    pub(crate) fn publish(&mut self, root: &Path) -> Result<String, RuntimeError> {
        let tree = hex::encode(tree::hash(root)?);
        let target = self.cache.join(&tree);
        if target.is_dir() && tree::hash(&target).is_ok_and(|found| hex::encode(found) == tree) {
            remove(root)?;
        } else {
            remove(&target)?;
            fs::rename(root, &target).map_err(io_error("move", root))?;
        }
        let mebibytes = tree::size(&target)? >> 20;
        (self.progress)(&format!(
            "runtime: {} is ready ({mebibytes} MiB)",
            short(&tree)
        ));
        Ok(tree)
    }

    pub(crate) fn record(
        &mut self,
        requests: &[&str],
        record: Record,
    ) -> Result<Runtime, RuntimeError> {
        for request in requests {
            self.index.insert(&self.cache, request, record.clone())?;
        }
        record.runtime(&self.cache).ok_or(RuntimeError::Lock {
            reason: "a tree hash is not hex".to_owned(),
        })
    }
}

pub(crate) fn debian_request() -> String {
    format!("debian {}", Lock::pinned_id())
}

/// The request of [`Source::Auto`] where the packages cannot be had.
pub(crate) fn fallen_back_request() -> String {
    format!("auto {}", Lock::pinned_id())
}

pub(crate) fn short(tree: &str) -> &str {
    tree.get(..8).unwrap_or(tree)
}

/// Held until dropped: one build at a time in a cache.
fn exclusive(cache: &Path) -> Result<File, RuntimeError> {
    let path = cache.join(".lock");
    let file = File::create(&path).map_err(io_error("create", &path))?;
    file.lock().map_err(io_error("lock", &path))?;
    Ok(file)
}
