//! The host's part of every command that runs agents: state folder, runtime, corpus, sandbox slots.

use crate::cli::{HostArgs, RuntimeChoice};
use crate::engine::driver::Source;
use crate::engine::executor::{SlotExecutor, limits};
use crate::engine::materialise::{AgentPaths, Materials, materialise};
use crate::error::{CliError, CliResult};
use crate::output::progress::note;
use corpus::Corpus;
use mechanism::ids::TaskRef;
use mechanism::spec::Spec;
use mechanism::track::Track;
use round::fault::AbstainReason;
use round::ports::Executor;
use round::record::{AgentRecord, RuntimeNote};
use runtime::{Runtime, SourceUsed};
use sandbox::{Profile, SandboxConfig};
use std::path::{Path, PathBuf};

/// Everything that is ready before a round can be set up.
pub(crate) struct Host {
    pub(crate) state: PathBuf,
    pub(crate) corpus: Corpus,
    pub(crate) runtime: Runtime,
    pub(crate) jobs: usize,
}

impl Host {
    /// Loads the corpus, gets the runtime and checks that the sandbox can be set up.
    pub(crate) fn prepare(args: &HostArgs, spec: &Spec) -> CliResult<Self> {
        let state = state_dir(args.state.as_deref())?;
        let corpus = load_corpus(&args.corpus)?;
        let jobs = jobs(args.jobs)?;
        let runtime = ensure_runtime(&state, args.runtime)?;
        let host = Host {
            state,
            corpus,
            runtime,
            jobs,
        };
        sandbox::check(&host.slot_config(spec, 0)?).map_err(CliError::infrastructure)?;
        Ok(host)
    }

    /// The runtime as the record names it.
    pub(crate) fn runtime_note(&self) -> RuntimeNote {
        RuntimeNote {
            hash: hex::encode(self.runtime.hash),
            source: match self.runtime.source {
                SourceUsed::DebianPinned => "debian-pinned",
                SourceUsed::DebianCurrent { .. } => "debian-current",
                SourceUsed::Host { .. } => "host",
            }
            .to_owned(),
            version: self.runtime.version.clone(),
            comparable: self.runtime.comparable,
        }
    }

    /// The configuration of one slot.
    pub(crate) fn slot_config(&self, spec: &Spec, slot: u32) -> CliResult<SandboxConfig> {
        let launcher = std::env::current_exe().map_err(|error| {
            CliError::infrastructure(format!("cannot find this binary: {error}"))
        })?;
        Ok(SandboxConfig {
            runtime_root: self.runtime.root.clone(),
            python: self.runtime.python.clone(),
            launcher,
            launcher_args: vec!["__launcher".to_owned()],
            slot,
            cpu: Some(slot as usize % cpus()),
            profile: Profile::Sealed,
            max: limits(spec, Track::Repositories),
            cgroups: None,
        })
    }

    /// A source of materials under a work folder that is removed when the source is dropped.
    pub(crate) fn source<'a>(
        &'a self,
        spec: &'a Spec,
        agents: AgentPaths,
    ) -> CliResult<HostSource<'a>> {
        let work = self.state.join("work").join(std::process::id().to_string());
        let failed = |error: std::io::Error| {
            CliError::infrastructure(format!(
                "cannot write {}: {error}; choose another folder with --state",
                work.display()
            ))
        };
        if work.exists() {
            std::fs::remove_dir_all(&work).map_err(failed)?;
        }
        std::fs::create_dir_all(work.join("empty")).map_err(failed)?;
        Ok(HostSource {
            host: self,
            spec,
            agents,
            work,
        })
    }
}

/// Materials and executors from this host.
pub(crate) struct HostSource<'a> {
    host: &'a Host,
    spec: &'a Spec,
    agents: AgentPaths,
    work: PathBuf,
}

impl HostSource<'_> {
    /// An empty folder, for programs that look at no artifact.
    pub(crate) fn empty(&self) -> PathBuf {
        self.work.join("empty")
    }
}

impl Source for HostSource<'_> {
    fn materialise(
        &mut self,
        agents: &[AgentRecord],
        tasks: &[TaskRef],
    ) -> Result<Materials, (AbstainReason, String)> {
        materialise(
            self.spec,
            &self.host.corpus,
            &self.host.runtime,
            &self.agents,
            &self.work,
            agents,
            tasks,
        )
    }

    fn executors(
        &mut self,
        materials: &Materials,
    ) -> Result<Vec<Box<dyn Executor>>, (AbstainReason, String)> {
        let unavailable =
            |error: &dyn std::fmt::Display| (AbstainReason::SandboxUnavailable, error.to_string());
        (0..self.host.jobs)
            .map(|slot| {
                let slot = u32::try_from(slot).unwrap_or(u32::MAX);
                let config = self
                    .host
                    .slot_config(self.spec, slot)
                    .map_err(|error| unavailable(&error))?;
                let executor =
                    SlotExecutor::start(config, self.spec.clone(), materials.clone(), self.empty())
                        .map_err(|error| unavailable(&error))?;
                Ok(Box::new(executor) as Box<dyn Executor>)
            })
            .collect()
    }
}

impl Drop for HostSource<'_> {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.work);
    }
}

/// The state folder: the flag, else XDG's, else the home folder's.
pub(crate) fn state_dir(flag: Option<&Path>) -> CliResult<PathBuf> {
    if let Some(dir) = flag {
        return Ok(dir.to_owned());
    }
    let var = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    var("XDG_STATE_HOME")
        .map(PathBuf::from)
        .or_else(|| var("HOME").map(|home| PathBuf::from(home).join(".local/state")))
        .map(|base| base.join("assay"))
        .ok_or_else(|| CliError::usage("neither HOME nor XDG_STATE_HOME is set; give --state DIR"))
}

/// Loads a corpus by its folder or its parent.
pub(crate) fn load_corpus(dir: &Path) -> CliResult<Corpus> {
    Corpus::load(dir).map_err(CliError::corpus)
}

fn jobs(flag: Option<usize>) -> CliResult<usize> {
    match flag {
        Some(0) => Err(CliError::usage("--jobs 0: at least one job is needed")),
        Some(n) if n > 256 => Err(CliError::usage(format!(
            "--jobs {n}: at most 256 are possible"
        ))),
        Some(n) => Ok(n),
        None => Ok(cpus()),
    }
}

fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn ensure_runtime(state: &Path, choice: RuntimeChoice) -> CliResult<Runtime> {
    let source = match choice {
        RuntimeChoice::Auto => runtime::Source::Auto,
        RuntimeChoice::Debian => runtime::Source::Debian,
        RuntimeChoice::Host => runtime::Source::Host,
    };
    let runtime = runtime::ensure(&state.join("runtimes"), source, &mut |line: &str| {
        note(line)
    })
    .map_err(CliError::infrastructure)?;
    if let Some(notice) = &runtime.notice {
        note(notice);
    }
    Ok(runtime)
}
