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

/// What runs agents, whatever they look at.
pub(crate) struct Bench {
    pub(crate) state: PathBuf,
    pub(crate) runtime: Runtime,
    pub(crate) jobs: usize,
}

/// Everything that is ready before a round can be set up.
pub(crate) struct Host {
    pub(crate) bench: Bench,
    pub(crate) corpus: Corpus,
}

impl Bench {
    /// Gets the runtime and checks that the sandbox can be set up.
    pub(crate) fn prepare(args: &HostArgs, spec: &Spec) -> CliResult<Self> {
        let state = state_dir(args.state.as_deref())?;
        let jobs = jobs(args.jobs)?;
        let runtime = ensure_runtime(&state, args.runtime)?;
        let bench = Bench {
            state,
            runtime,
            jobs,
        };
        sandbox::check(&bench.slot_config(spec, 0)?).map_err(CliError::infrastructure)?;
        Ok(bench)
    }

    /// The runtime as the record names it.
    pub(crate) fn runtime_note(&self) -> RuntimeNote {
        RuntimeNote {
            hash: hex::encode(self.runtime.hash),
            source: source_name(&self.runtime.source).to_owned(),
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

    /// A new work folder of this process.
    pub(crate) fn work_dir(&self) -> CliResult<WorkDir> {
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
        let made = WorkDir(work.clone());
        std::fs::create_dir_all(made.empty()).map_err(failed)?;
        Ok(made)
    }
}

/// A folder for the files of one round; it is removed when this is dropped.
pub(crate) struct WorkDir(PathBuf);

impl WorkDir {
    /// An empty folder, for programs that look at no artifact.
    pub(crate) fn empty(&self) -> PathBuf {
        self.0.join("empty")
    }

    /// Where one bundle can be unpacked; nothing is there yet.
    pub(crate) fn bundle(&self) -> PathBuf {
        self.0.join("bundle")
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Host {
    /// Loads the corpus, then prepares what runs agents.
    pub(crate) fn prepare(args: &HostArgs, spec: &Spec) -> CliResult<Self> {
        let corpus = load_corpus(&args.corpus)?;
        let bench = Bench::prepare(args, spec)?;
        Ok(Host { bench, corpus })
    }

    /// A source of materials in a work folder of its own.
    pub(crate) fn source<'a>(
        &'a self,
        spec: &'a Spec,
        agents: AgentPaths,
    ) -> CliResult<HostSource<'a>> {
        Ok(HostSource {
            host: self,
            spec,
            agents,
            work: self.bench.work_dir()?,
        })
    }
}

/// Materials and executors from this host.
pub(crate) struct HostSource<'a> {
    host: &'a Host,
    spec: &'a Spec,
    agents: AgentPaths,
    work: WorkDir,
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
            &self.host.bench.runtime,
            &self.agents,
            &self.work.0,
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
        (0..self.host.bench.jobs)
            .map(|slot| {
                let slot = u32::try_from(slot).unwrap_or(u32::MAX);
                let config = self
                    .host
                    .bench
                    .slot_config(self.spec, slot)
                    .map_err(|error| unavailable(&error))?;
                let executor = SlotExecutor::start(
                    config,
                    self.spec.clone(),
                    materials.clone(),
                    self.work.empty(),
                )
                .map_err(|error| unavailable(&error))?;
                Ok(Box::new(executor) as Box<dyn Executor>)
            })
            .collect()
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

/// The flag's value in the runtime's words.
pub(crate) fn runtime_source(choice: RuntimeChoice) -> runtime::Source {
    match choice {
        RuntimeChoice::Auto => runtime::Source::Auto,
        RuntimeChoice::Debian => runtime::Source::Debian,
        RuntimeChoice::Host => runtime::Source::Host,
    }
}

/// Where a runtime came from, as records and outputs name it.
pub(crate) fn source_name(source: &SourceUsed) -> &'static str {
    match source {
        SourceUsed::DebianPinned => "debian-pinned",
        SourceUsed::DebianCurrent { .. } => "debian-current",
        SourceUsed::Host { .. } => "host",
    }
}

fn ensure_runtime(state: &Path, choice: RuntimeChoice) -> CliResult<Runtime> {
    let runtime = runtime::ensure(
        &state.join("runtimes"),
        runtime_source(choice),
        &mut |line: &str| note(line),
    )
    .map_err(CliError::infrastructure)?;
    if let Some(notice) = &runtime.notice {
        note(notice);
    }
    Ok(runtime)
}
