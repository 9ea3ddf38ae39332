//! apt with a state of its own: the host's sources and proxies, none of its lists, locks or hooks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::RuntimeError;
use crate::layout::{create, write};
use crate::process::{self, Bounds, Finished};

/// Seconds for a fresh package index, and for the download of the whole set.
const UPDATE_SECONDS: u64 = 90;
const DOWNLOAD_SECONDS: u64 = 240;

/// Settings of the host that are kept: how to reach its mirrors and which keys to trust.
const KEPT: [&str; 3] = ["Acquire::", "Dir::Etc::source", "Dir::Etc::trusted"];
/// Not among them: indexes beside the package lists.
const NOT_KEPT: [&str; 3] = [
    "Acquire::IndexTargets",
    "Acquire::Changelogs",
    "Acquire::Languages",
];

/// A private apt state in a folder that the caller removes.
pub(crate) struct Apt {
    config: PathBuf,
}

impl Apt {
    /// Prepares the state in `dir`.
    ///
    /// # Errors
    /// There is no apt on this host, or the folder cannot be written.
    pub(crate) fn open(dir: &Path) -> Result<Self, RuntimeError> {
        let (state, cache) = (dir.join("state"), dir.join("cache"));
        create(&state.join("lists/partial"))?;
        create(&cache.join("archives/partial"))?;
        // An empty status: what the host has installed must not decide which version is the candidate.
        write(&state.join("status"), "")?;
        let dump = process::run_ok(Command::new("apt-config").arg("dump"), &Bounds::seconds(20))?;
        let mut text = kept_settings(&String::from_utf8_lossy(&dump.stdout));
        let settings = [
            // Hooks of the host run as root after an update and write outside this state.
            ("Dir::Etc::Parts", Path::new("/dev/null")),
            ("Dir::Etc::Main", Path::new("/dev/null")),
            ("Dir::State", &state),
            ("Dir::State::status", &state.join("status")),
            ("Dir::Cache", &cache),
            ("Acquire::Languages", Path::new("none")),
            ("Acquire::http::Timeout", Path::new("15")),
            ("Acquire::https::Timeout", Path::new("15")),
            ("Acquire::Retries", Path::new("1")),
            ("Acquire::AllowInsecureRepositories", Path::new("false")),
        ];
        for (key, value) in settings {
            text.push_str(&format!("{key} \"{}\";\n", value.display()));
        }
        let config = dir.join("apt.conf");
        write(&config, text)?;
        Ok(Self { config })
    }

    /// Fetches the package lists. A source that has nothing to do with the set may fail, so the exit status is only
    /// reported, as the detail for the case that packages are missing afterwards.
    pub(crate) fn update(&self) -> Result<String, RuntimeError> {
        let finished = self.run("apt-get", &["-q", "update"], Path::new("/"), UPDATE_SECONDS)?;
        Ok(finished.detail())
    }

    /// The versions that the sources serve, newest first.
    pub(crate) fn versions(
        &self,
        names: &[&str],
    ) -> Result<BTreeMap<String, Vec<String>>, RuntimeError> {
        let arguments: Vec<&str> = [&["madison"], names].concat();
        let finished = self.run("apt-cache", &arguments, Path::new("/"), 60)?;
        let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for line in String::from_utf8_lossy(&finished.stdout).lines() {
            let mut columns = line.split('|').map(str::trim);
            if let (Some(name), Some(version)) = (columns.next(), columns.next()) {
                versions
                    .entry(name.to_owned())
                    .or_default()
                    .push(version.to_owned());
            }
        }
        Ok(versions)
    }

    /// Downloads packages, each as `name=version`, into `dir`; apt checks them against the signed lists.
    pub(crate) fn download(&self, packages: &[String], dir: &Path) -> Result<(), RuntimeError> {
        let arguments: Vec<&str> = ["-q", "download"]
            .into_iter()
            .chain(packages.iter().map(String::as_str))
            .collect();
        let finished = self.run("apt-get", &arguments, dir, DOWNLOAD_SECONDS)?;
        if finished.status.success() {
            return Ok(());
        }
        Err(RuntimeError::Tool {
            program: "apt-get download".to_owned(),
            detail: finished.detail(),
        })
    }

    fn run(
        &self,
        tool: &str,
        arguments: &[&str],
        dir: &Path,
        seconds: u64,
    ) -> Result<Finished, RuntimeError> {
        let mut command = Command::new(tool);
        command
            .args(arguments)
            .current_dir(dir)
            .env("APT_CONFIG", &self.config)
            .env("LC_ALL", "C");
        process::run(&mut command, &[], &Bounds::seconds(seconds))
    }
}

fn kept_settings(dump: &str) -> String {
    let kept = |line: &&str| {
        KEPT.iter().any(|prefix| line.starts_with(prefix))
            && !NOT_KEPT.iter().any(|prefix| line.starts_with(prefix))
    };
    dump.lines()
        .filter(kept)
        .map(|line| format!("{line}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrors_and_proxies_are_kept_hooks_are_not() {
        let dump = "APT::Update::Post-Invoke:: \"rm -f /x\";\nDPkg::Post-Invoke:: \"true\";\n\
                    Acquire::http::Proxy \"http://proxy.example:8080\";\nAcquire::IndexTargets::deb::DEP-11 \"\";\n\
                    Dir::Etc::sourcelist \"sources.list\";\nDir::State \"var/lib/apt\";\n";
        assert_eq!(
            kept_settings(dump),
            "Acquire::http::Proxy \"http://proxy.example:8080\";\nDir::Etc::sourcelist \"sources.list\";\n"
        );
    }
}
