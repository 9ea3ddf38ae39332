//! One round after the other.

use super::opening::Standing;
use super::subnet::{Subnet, now_ms};
use super::watch::{Metered, Status, Watch, disk_free};
use crate::cli::RunArgs;
use crate::commands::{demo, hash_or_random, password, spec};
use crate::config::Config;
use crate::engine::control::Control;
use crate::engine::driver::{Ending, Wiring, drive};
use crate::engine::session::Finished;
use crate::engine::signing::LocalSigner;
use crate::error::{CliError, CliResult};
use crate::host::Host;
use crate::output::progress::Progress;
use crate::registry::Registry;
use crate::validator::subnet::write_atomically;
use ledger::{Ledger, Options, RoundKey, RoundLedger, Status as RoundStatus};
use mechanism::spec::Spec;
use round::fault::AbstainReason;
use round::machine::{Effect, Round};
use round::record::{Entry, RoundRecord};
use signer::Keypair;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use web::{BuildInfo, Health, Metrics, NotReady, Shared};

/// How often a wait looks up.
const TICK: Duration = Duration::from_millis(200);
/// A projection is made only once this share of the runs is done.
const PROJECT_FROM: f64 = 0.05;

/// The command.
pub(crate) fn run(args: &RunArgs) -> CliResult {
    // ASSAY_LOG is a filter such as `info` or `assay=debug`; logs go to stderr.
    let filter = tracing_subscriber::EnvFilter::try_from_env("ASSAY_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    let config = Config::read(&args.config)?;
    let (spec, _) = spec::load(&config.spec)?;
    let password = password(args.password_file.as_deref())?;
    let key =
        signer::keystore::load(&config.keystore, password.as_bytes()).map_err(CliError::usage)?;
    let registry = Registry::read(&config.registry)?;
    let host = Host::prepare(&config.host_args(), &spec)?;
    let state = host.bench.state.clone();
    let (ledger, report) = Ledger::open(&state.join("ledger"), Options::default())
        .map_err(CliError::infrastructure)?;
    for line in report.lines() {
        tracing::warn!("{line}");
    }
    let validator = key.hotkey();
    let subnet = Subnet::open(&state, &registry, &validator, || {
        hash_or_random(None, "seed")
    })?;
    let watch = Watch {
        shared: Arc::new(Shared {
            metrics: Metrics::new(&BuildInfo {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                spec_id: spec.id().to_hex(),
                corpus_root: host.corpus.root().to_hex(),
                runtime: host.bench.runtime_note().hash,
            })
            .map_err(CliError::infrastructure)?,
            health: Health::starting(),
        }),
        control: Arc::new(Control::default()),
        status: Arc::new(Mutex::new(Status::default())),
    };
    let mut node = Node {
        host: &host,
        spec: &spec,
        key: &key,
        registry: &registry,
        ledger,
        subnet,
        watch,
        config: &config,
        json: args.json,
    };
    if args.once {
        node.once()
    } else {
        node.forever()
    }
}

struct Node<'a> {
    host: &'a Host,
    spec: &'a Spec,
    key: &'a Keypair,
    registry: &'a Registry,
    ledger: Ledger,
    subnet: Subnet,
    watch: Watch,
    config: &'a Config,
    json: bool,
}

/// A round to be driven, under its key in the ledger.
type Start = (RoundKey, (Round, Vec<Effect>));

/// What a round came to.
enum Came {
    Over(Box<Finished>),
    Drained,
}

impl Node<'_> {
    /// Finishes the round that was left, else runs the next one, and stops.
    fn once(&mut self) -> CliResult {
        self.listen(None)?;
        let (key, start) = match self.unfinished(None)? {
            Some(found) => found,
            None => {
                let epoch = self.subnet.next_epoch();
                self.subnet.save().map_err(CliError::infrastructure)?;
                self.fresh(epoch)?
            }
        };
        match self.round(key, start, None)? {
            Came::Over(finished) => demo::report(&finished, self.json),
            Came::Drained => Err(CliError::infrastructure(
                "drained before the round was over; the next assay run goes on with it",
            )),
        }
    }

    /// Rounds until stopped. Epochs that passed while the node was down are left out: a round is never scored once its
    /// window is over.
    fn forever(&mut self) -> CliResult {
        self.subnet.start_clock(self.config.block_ms)?;
        self.listen(self.config.listen)?;
        let mut last_done = self.last_round();
        while !self.watch.stopping() {
            let current = self.subnet.current_epoch();
            let id = current.map(|epoch| epoch.id);
            let start = match (self.unfinished(id)?, current) {
                (Some(found), _) => Some(found),
                (None, Some(epoch)) if last_done.is_none_or(|done| epoch.id > done) => {
                    self.subnet.save().map_err(CliError::infrastructure)?;
                    Some(self.fresh(epoch)?)
                }
                (None, _) => None,
            };
            let Some((key, start)) = start else {
                self.idle(id);
                continue;
            };
            let deadline = self
                .subnet
                .until_after(id)
                .map(|left| Instant::now() + left);
            match self.round(key, start, deadline)? {
                Came::Over(finished) => {
                    last_done = Some(finished.record.opening.round);
                    self.tell(&finished.record);
                    self.tidy()?;
                }
                Came::Drained => break,
            }
        }
        tracing::info!("stopped");
        Ok(())
    }

    fn listen(&mut self, address: Option<std::net::SocketAddr>) -> CliResult {
        let socket = self.host.bench.state.join("control.sock");
        if let Some(bound) = self.watch.start(address, socket)? {
            tracing::info!("metrics and health on http://{bound}");
        }
        self.watch.shared.health.clear(NotReady::Starting);
        let _ = sd_notify::notify(&[sd_notify::NotifyState::Ready]);
        self.measure_store();
        Ok(())
    }

    /// Waits a moment for the next epoch.
    fn idle(&self, epoch: Option<u64>) {
        self.watch.shared.metrics.waiting();
        self.watch.update(|status| status.phase = "waiting");
        let left = self.subnet.until_after(epoch).unwrap_or(TICK);
        let until = Instant::now() + left.min(Duration::from_secs(1));
        while Instant::now() < until && !self.watch.stopping() {
            std::thread::sleep(TICK.min(until.saturating_duration_since(Instant::now())));
        }
        let _ = sd_notify::notify(&[sd_notify::NotifyState::Watchdog]);
    }

    fn standing(&self) -> Standing<'_> {
        Standing {
            host: self.host,
            spec: self.spec,
            validator: self.key.hotkey(),
            names: self.registry.names(),
        }
    }

    fn fresh(&self, epoch: chain::Epoch) -> CliResult<Start> {
        let secret = hash_or_random(None, "secret")?;
        let previous = self.ledger.state().map(|(_, units)| units);
        let key = self.key_of(epoch.id)?;
        Ok((
            key,
            self.standing()
                .begin(self.subnet.chain(), epoch, secret, previous),
        ))
    }

    fn key_of(&self, round: u64) -> CliResult<RoundKey> {
        let netuid = self.subnet.chain().parameters().netuid;
        format!("net{netuid}:round-{round}")
            .parse()
            .map_err(CliError::infrastructure)
    }

    /// The round that the ledger holds open, taken up; one whose window is over, or that cannot be taken up, is abstained.
    fn unfinished(&self, current: Option<u64>) -> CliResult<Option<Start>> {
        for summary in self.ledger.rounds() {
            if summary.status != RoundStatus::Open {
                continue;
            }
            let abandon = |reason: AbstainReason, detail: String| {
                tracing::warn!("round {} abstained ({reason}): {detail}", summary.round);
                let entry = Entry::Abstained { reason, detail };
                self.ledger
                    .append(&summary.key, &[entry])
                    .map_err(CliError::infrastructure)
            };
            if current.is_some_and(|current| summary.round < current) {
                let detail = "its window was over before the node was back".to_owned();
                abandon(AbstainReason::WindowOver, detail)?;
                continue;
            }
            let entries = self
                .ledger
                .entries(&summary.key)
                .map_err(CliError::infrastructure)?;
            let previous = self.ledger.state().map(|(_, units)| units);
            match self
                .standing()
                .resume(self.subnet.chain(), previous, entries)
            {
                Ok(start) => {
                    tracing::info!(
                        "resuming round {} with {} durable runs",
                        summary.round,
                        summary.runs
                    );
                    return Ok(Some((summary.key, start)));
                }
                Err(error) => abandon(AbstainReason::NotResumable, error.to_string())?,
            }
        }
        Ok(None)
    }

    fn last_round(&self) -> Option<u64> {
        self.ledger
            .rounds()
            .iter()
            .filter(|summary| summary.status != RoundStatus::Open)
            .map(|summary| summary.round)
            .max()
    }

    fn round(
        &mut self,
        key: RoundKey,
        start: (Round, Vec<Effect>),
        deadline: Option<Instant>,
    ) -> CliResult<Came> {
        let id = start.0.opening().round;
        let shared = self.watch.shared.clone();
        let unix_deadline = deadline.map(|at| {
            let left = at.saturating_duration_since(Instant::now());
            now_ms() as f64 / 1e3 + left.as_secs_f64()
        });
        shared.metrics.round_begins(id, unix_deadline);
        shared.health.clear(NotReady::Late);
        self.watch.update(|status| {
            status.phase = "running";
            status.round = Some(id);
            (status.done, status.planned) = start.0.progress();
        });
        let mut store = Metered {
            inner: self.ledger.round(key.clone()),
            shared: &shared,
        };
        let mut source = self.host.source(self.spec, self.registry.paths())?;
        let mut signer = LocalSigner(Keypair::from_seed(&self.key.seed()));
        let mut bar = Progress::new("runs");
        let mut pace = Pace::new(deadline);
        let watch = &self.watch;
        let (round, ending) = drive(
            start,
            Wiring {
                store: &mut store,
                source: &mut source,
                chain: Some((&mut self.subnet, &mut signer)),
                progress: &mut |done, planned| {
                    bar.update(done, planned);
                    shared.metrics.progress(done, planned);
                    watch.update(|status| (status.done, status.planned) = (done, planned));
                    match pace.late(done, planned) {
                        Some(detail) => shared.health.set(NotReady::Late, detail),
                        None => shared.health.clear(NotReady::Late),
                    }
                    let _ = sd_notify::notify(&[sd_notify::NotifyState::Watchdog]);
                },
                control: &watch.control,
            },
        );
        if ending == Ending::Drained {
            return Ok(Came::Drained);
        }
        let record = round.record();
        if let Some(state) = advanced_state(&record) {
            self.ledger
                .set_state(id, state)
                .map_err(CliError::infrastructure)?;
        }
        let path = self.write_record(&key, &record)?;
        shared.metrics.round_ended(&record, now_ms() as f64 / 1e3);
        match &record.abstained {
            Some(abstention) => shared.health.set(
                NotReady::Abstained,
                format!("round {id}: {}: {}", abstention.reason, abstention.detail),
            ),
            None => shared.health.clear(NotReady::Abstained),
        }
        self.measure_store();
        Ok(Came::Over(Box::new(Finished { record, path })))
    }

    fn write_record(&self, key: &RoundKey, record: &RoundRecord) -> CliResult<PathBuf> {
        // A key holds a colon, which some tools take for a host name; the folder has a dash.
        let folder = key.as_str().replace(':', "-");
        let path = self
            .host
            .bench
            .state
            .join("rounds")
            .join(folder)
            .join("record.json");
        let text = serde_json::to_string_pretty(record)
            .map_err(|error| CliError::infrastructure(error.to_string()))?;
        write_atomically(&path, &text).map_err(CliError::infrastructure)?;
        Ok(path)
    }

    fn tell(&self, record: &RoundRecord) {
        let id = record.opening.round;
        let line = match (&record.abstained, record.round_digest) {
            (Some(abstention), _) => {
                format!("abstained ({}): {}", abstention.reason, abstention.detail)
            }
            (None, Some(digest)) => format!("submitted, digest {digest}"),
            (None, None) => "over".to_owned(),
        };
        tracing::info!("round {id} {line}");
        self.watch
            .update(|status| status.last = Some(format!("round {id} {line}")));
    }

    /// Keeps the newest rounds only.
    fn tidy(&self) -> CliResult {
        let Some(keep) = self.config.keep_rounds else {
            return Ok(());
        };
        if self.ledger.rounds().len() <= keep {
            return Ok(());
        }
        let report = self.ledger.prune(keep).map_err(CliError::infrastructure)?;
        for key in &report.dropped {
            let folder = key.as_str().replace(':', "-");
            let _ = std::fs::remove_dir_all(self.host.bench.state.join("rounds").join(folder));
        }
        self.measure_store();
        Ok(())
    }

    fn measure_store(&self) {
        let Ok(sizes) = self.ledger.sizes() else {
            return;
        };
        let kinds = [
            (web::StoreKind::Journal, sizes.journal),
            (web::StoreKind::Index, sizes.index),
            (web::StoreKind::Blobs, sizes.blobs),
        ];
        let free = disk_free(&self.host.bench.state);
        self.watch.shared.metrics.store(&kinds, free);
    }
}

/// The smoothing state of a round whose vector the chain shows.
fn advanced_state(record: &RoundRecord) -> Option<&mechanism::weights::Units> {
    let shown = record.submission.as_ref().is_some_and(|s| s.accepted);
    let outcome = record.weights.as_ref()?;
    (shown && record.abstained.is_none()).then_some(outcome.state.as_ref()?)
}

/// Whether the work left fits the round's window at the pace so far.
struct Pace {
    began: Instant,
    /// Durable runs when this process took the round up.
    at_start: Option<usize>,
    deadline: Option<Instant>,
}

impl Pace {
    fn new(deadline: Option<Instant>) -> Self {
        Pace {
            began: Instant::now(),
            at_start: None,
            deadline,
        }
    }

    fn late(&mut self, done: usize, planned: usize) -> Option<String> {
        let first = *self.at_start.get_or_insert(done);
        let deadline = self.deadline?;
        let (ran, left) = (done - first.min(done), planned - done.min(planned));
        if ran == 0 || (ran as f64) < PROJECT_FROM * planned as f64 {
            return None;
        }
        let needed = self.began.elapsed().mul_f64(left as f64 / ran as f64);
        let there = deadline.saturating_duration_since(Instant::now());
        (needed > there).then(|| {
            format!(
                "{left} runs need about {} s, the window ends in {} s",
                needed.as_secs(),
                there.as_secs()
            )
        })
    }
}
