//! The Debian source: the pinned packages, or, when the mirror has moved on, what it serves now.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::apt::Apt;
use crate::error::{RuntimeError, io_error};
use crate::interpreter::Interpreter;
use crate::layout::{create, remove, write};
use crate::lock::{Lock, Package};
use crate::process::{self, Bounds};

/// The packages of a tree, all present as files.
pub(crate) struct Debs {
    /// The set that was found: the pinned one, or the mirror's.
    pub(crate) lock: Lock,
    /// `name pinned-version -> version` of every package that differs from the pinned set.
    pub(crate) changed: Vec<String>,
    files: Vec<PathBuf>,
}

/// Brings the packages of `pinned` into `<cache>/debs`.
///
/// Nothing is fetched when all of them are there. When the mirror no longer serves one of them, the whole set is taken
/// at the mirror's newest versions, since packages of one source depend on each other by exact version.
///
/// # Errors
/// [`RuntimeError::DebianUnavailable`] when the packages cannot be had on this host.
pub(crate) fn fetch(
    pinned: &Lock,
    cache: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<Debs, RuntimeError> {
    need_tool("dpkg-deb")?;
    let store = cache.join("debs");
    create(&store)?;
    let missing = missing(pinned, &store)?;
    if missing.is_empty() {
        return Ok(Debs {
            lock: pinned.clone(),
            changed: Vec::new(),
            files: files(pinned, &store),
        });
    }
    check_host(pinned)?;
    need_tool("apt-get")?;
    let scratch = cache.join(".apt");
    remove(&scratch)?;
    let result = fetch_with_apt(pinned, &missing, &store, &scratch, progress);
    remove(&scratch)?;
    result.map_err(|error| match error {
        RuntimeError::Tool { .. }
        | RuntimeError::Timeout { .. }
        | RuntimeError::OutputTooLarge { .. } => unavailable(error.to_string()),
        other => other,
    })
}

/// Unpacks the packages into an empty folder and says where the interpreter will stand.
pub(crate) fn unpack(debs: &Debs, root: &Path) -> Result<Interpreter, RuntimeError> {
    create(root)?;
    for file in &debs.files {
        let mut command = Command::new("dpkg-deb");
        command.arg("-x").arg(file).arg(root);
        process::run_ok(&mut command, &Bounds::seconds(60))?;
    }
    Ok(debs.lock.interpreter())
}

fn fetch_with_apt(
    pinned: &Lock,
    missing: &[&Package],
    store: &Path,
    scratch: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<Debs, RuntimeError> {
    let apt = Apt::open(scratch)?;
    progress("runtime: fetching the package index");
    let detail = apt.update()?;
    let names: Vec<&str> = pinned
        .packages
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    let served = apt.versions(&names)?;
    let downloads = scratch.join("debs");
    create(&downloads)?;
    let is_served = |package: &&Package| {
        served
            .get(&package.name)
            .is_some_and(|versions| versions.contains(&package.version))
    };
    if missing.iter().all(is_served) {
        progress(&format!(
            "runtime: downloading {} pinned packages",
            missing.len()
        ));
        apt.download(
            &missing.iter().map(|p| specification(p)).collect::<Vec<_>>(),
            &downloads,
        )?;
        for package in missing {
            keep_checked(package, &pinned.architecture, &downloads, store)?;
        }
        return Ok(Debs {
            lock: pinned.clone(),
            changed: Vec::new(),
            files: files(pinned, store),
        });
    }
    let current = newest(pinned, &served)
        .map_err(|name| unavailable(format!("no source serves {name} ({detail})")))?;
    progress(&format!(
        "runtime: a pinned version is gone; downloading {} current packages",
        current.len()
    ));
    apt.download(
        &current.iter().map(specification).collect::<Vec<_>>(),
        &downloads,
    )?;
    keep_current(pinned, current, &downloads, store)
}

/// The newest served version of every package of the set, hashes still unknown; the name of one that nobody serves.
fn newest(pinned: &Lock, served: &BTreeMap<String, Vec<String>>) -> Result<Vec<Package>, String> {
    let pick = |package: &Package| {
        let version = served
            .get(&package.name)
            .and_then(|versions| versions.first());
        let version = version.ok_or_else(|| package.name.clone())?;
        Ok(Package {
            name: package.name.clone(),
            version: version.clone(),
            sha256: String::new(),
        })
    };
    pinned.packages.iter().map(pick).collect()
}

fn keep_checked(
    package: &Package,
    architecture: &str,
    from: &Path,
    store: &Path,
) -> Result<(), RuntimeError> {
    let name = package.file_name(architecture);
    let found = sha256(&from.join(&name))?;
    if found != package.sha256 {
        return Err(RuntimeError::PackageHash {
            package: name,
            found,
            pinned: package.sha256.clone(),
        });
    }
    keep(&name, from, store)
}

fn keep_current(
    pinned: &Lock,
    packages: Vec<Package>,
    from: &Path,
    store: &Path,
) -> Result<Debs, RuntimeError> {
    let mut lock = pinned.clone();
    lock.packages = packages;
    for package in &mut lock.packages {
        let name = package.file_name(&pinned.architecture);
        package.sha256 = sha256(&from.join(&name))?;
        keep(&name, from, store)?;
    }
    let pairs = pinned.packages.iter().zip(&lock.packages);
    let changed = pairs
        .filter(|(old, new)| old.version != new.version)
        .map(|(old, new)| format!("{} {} -> {}", old.name, old.version, new.version))
        .collect();
    let files = files(&lock, store);
    Ok(Debs {
        lock,
        changed,
        files,
    })
}

fn keep(name: &str, from: &Path, store: &Path) -> Result<(), RuntimeError> {
    let (source, target) = (from.join(name), store.join(name));
    fs::rename(&source, &target).map_err(io_error("move", &source))
}

/// The packages that are not in the store. One with another content than pinned is removed and counts as missing.
fn missing<'a>(lock: &'a Lock, store: &Path) -> Result<Vec<&'a Package>, RuntimeError> {
    let mut missing = Vec::new();
    for package in &lock.packages {
        let path = store.join(package.file_name(&lock.architecture));
        if path.is_file() && sha256(&path)? == package.sha256 {
            continue;
        }
        remove(&path)?;
        missing.push(package);
    }
    Ok(missing)
}

fn files(lock: &Lock, store: &Path) -> Vec<PathBuf> {
    lock.packages
        .iter()
        .map(|package| store.join(package.file_name(&lock.architecture)))
        .collect()
}

fn specification(package: &Package) -> String {
    format!("{}={}", package.name, package.version)
}

fn sha256(path: &Path) -> Result<String, RuntimeError> {
    let bytes = fs::read(path).map_err(io_error("read", path))?;
    Ok(hex::encode(Sha256::digest(bytes)))
}

/// Writes the set that was built as a lock file, for whoever moves the pin.
pub(crate) fn write_current(lock: &Lock, cache: &Path) -> Result<(), RuntimeError> {
    write(&cache.join("current.lock.toml"), lock.to_toml()?)
}

fn unavailable(reason: String) -> RuntimeError {
    RuntimeError::DebianUnavailable { reason }
}

fn need_tool(tool: &str) -> Result<(), RuntimeError> {
    let found = process::run(
        Command::new(tool).arg("--version"),
        &[],
        &Bounds::seconds(20),
    );
    found
        .map(drop)
        .map_err(|_| unavailable(format!("{tool} is not on this host")))
}

fn check_host(lock: &Lock) -> Result<(), RuntimeError> {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let (id, version) = os_release(&release);
    if (id, version) != (&lock.os_id, &lock.os_version) {
        let wanted = format!("{} {}", lock.os_id, lock.os_version);
        return Err(unavailable(format!(
            "this host is '{id} {version}', the pinned set is for {wanted}"
        )));
    }
    let machine = std::env::consts::ARCH;
    if !(machine == "x86_64" && lock.architecture == "amd64") {
        return Err(unavailable(format!(
            "this host is {machine}, the pinned set is for {}",
            lock.architecture
        )));
    }
    Ok(())
}

/// `ID` and `VERSION_ID` of an os-release file, empty when absent.
fn os_release(text: &str) -> (&str, &str) {
    let value = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        line.map_or("", |value| value.trim().trim_matches('"'))
    };
    (value("ID="), value("VERSION_ID="))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn os_release_is_read_with_and_without_quotes() {
        assert_eq!(
            os_release("NAME=x\nVERSION_ID=\"12\"\nID=debian\n"),
            ("debian", "12")
        );
        assert_eq!(os_release("ID_LIKE=debian\n"), ("", ""));
    }

    #[test]
    fn a_changed_package_in_the_store_counts_as_missing() {
        let store = tempfile::tempdir().unwrap();
        let mut lock = Lock::pinned().unwrap();
        lock.packages.truncate(2);
        for package in &mut lock.packages {
            write(&store.path().join(package.file_name("amd64")), "deb").unwrap();
            package.sha256 = hex::encode(Sha256::digest("deb"));
        }
        assert!(missing(&lock, store.path()).unwrap().is_empty());
        write(
            &store.path().join(lock.packages[1].file_name("amd64")),
            "changed",
        )
        .unwrap();
        assert_eq!(missing(&lock, store.path()).unwrap(), [&lock.packages[1]]);
    }

    #[test]
    fn a_set_that_moved_on_is_taken_whole_and_says_what_changed() {
        let dir = tempfile::tempdir().unwrap();
        let (from, store) = (dir.path().join("from"), dir.path().join("store"));
        create(&from).unwrap();
        create(&store).unwrap();
        let mut pinned = Lock::pinned().unwrap();
        pinned.packages.truncate(2);
        let served = pinned.packages.iter().enumerate().map(|(index, package)| {
            let newest = if index == 0 {
                "9.9-1".to_owned()
            } else {
                package.version.clone()
            };
            (package.name.clone(), vec![newest, "0.1-1".to_owned()])
        });
        let current = newest(&pinned, &served.collect()).unwrap();
        for package in &current {
            write(&from.join(package.file_name("amd64")), &package.name).unwrap();
        }
        let debs = keep_current(&pinned, current, &from, &store).unwrap();
        let old = &pinned.packages[0];
        assert_eq!(
            debs.changed,
            [format!("{} {} -> 9.9-1", old.name, old.version)]
        );
        assert!(debs.files.iter().all(|file| file.is_file()));
        assert_eq!(
            debs.lock.packages[0].sha256,
            hex::encode(Sha256::digest(&old.name))
        );
        assert_eq!(newest(&pinned, &BTreeMap::new()), Err(old.name.clone()));
    }

    #[test]
    fn a_version_that_no_mirror_serves_is_replaced_by_the_current_one() {
        let cache = tempfile::tempdir().unwrap();
        let mut pinned = Lock::pinned().unwrap();
        pinned.packages.retain(|package| package.name == "libffi8");
        pinned.packages[0].version = "0.1-1".to_owned();
        let mut steps = Vec::new();
        let debs = match fetch(&pinned, cache.path(), &mut |line| {
            steps.push(line.to_owned())
        }) {
            Err(RuntimeError::DebianUnavailable { reason }) => {
                return println!("skipped: {reason}");
            }
            other => other.unwrap(),
        };
        assert!(
            debs.changed[0].starts_with("libffi8 0.1-1 -> "),
            "{:?}",
            debs.changed
        );
        assert!(debs.files[0].is_file() && !cache.path().join(".apt").exists());
        assert!(
            steps
                .iter()
                .any(|step| step.contains("a pinned version is gone")),
            "{steps:?}"
        );
    }

    #[test]
    fn a_set_for_another_system_is_unavailable() {
        let cache = tempfile::tempdir().unwrap();
        let mut pinned = Lock::pinned().unwrap();
        pinned.os_version = "99".to_owned();
        let result = fetch(&pinned, cache.path(), &mut |_| ());
        assert!(matches!(
            result,
            Err(RuntimeError::DebianUnavailable { .. })
        ));
    }
}
