//! The node's metrics. Base units, bounded labels, every series present from the start; no hotkey, agent, task or run is
//! ever a label.

use mechanism::fault::Failure;
use mechanism::track::Track;
use prometheus::{
    Encoder, Gauge, GaugeVec, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec,
    IntGauge, IntGaugeVec, Opts, Registry, TextEncoder,
};
use round::fault::AbstainReason;
use round::record::{RoundRecord, RunRecord};
use std::time::Duration;

/// Outcome of a run that completed.
const COMPLETED: &str = "completed";
/// Routes that are counted; any other path counts as `other`.
pub(crate) const ROUTES: [&str; 4] = ["/metrics", "/healthz", "/readyz", "other"];
/// Status codes that the server gives.
const CODES: [&str; 4] = ["200", "404", "405", "503"];
/// Stages of a round, in order.
const STAGES: [&str; 4] = ["waiting", "preparing", "running", "settling"];

/// How a round ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundResult {
    /// The chain shows its vector.
    Submitted,
    /// Nothing was submitted.
    Abstained,
}

impl RoundResult {
    const ALL: [RoundResult; 2] = [RoundResult::Submitted, RoundResult::Abstained];

    const fn as_str(self) -> &'static str {
        match self {
            RoundResult::Submitted => "submitted",
            RoundResult::Abstained => "abstained",
        }
    }
}

/// Parts of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreKind {
    /// The journal's segments.
    Journal,
    /// The index.
    Index,
    /// Content-addressed blobs.
    Blobs,
}

impl StoreKind {
    const ALL: [StoreKind; 3] = [StoreKind::Journal, StoreKind::Index, StoreKind::Blobs];

    const fn as_str(self) -> &'static str {
        match self {
            StoreKind::Journal => "journal",
            StoreKind::Index => "index",
            StoreKind::Blobs => "blobs",
        }
    }
}

/// What stands in the info metrics.
#[derive(Debug, Clone, Default)]
pub struct BuildInfo {
    /// Node version.
    pub version: String,
    /// Spec id, hex.
    pub spec_id: String,
    /// Corpus root, hex.
    pub corpus_root: String,
    /// Runtime hash, hex.
    pub runtime: String,
}

/// Every metric of the node, in a registry of its own.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    stage: IntGaugeVec,
    round_number: IntGauge,
    round_deadline: Gauge,
    rounds: IntCounterVec,
    abstentions: IntCounterVec,
    runs: IntCounterVec,
    run_faults: IntCounter,
    runs_planned: IntGauge,
    runs_durable: IntGauge,
    run_cpu: HistogramVec,
    run_wall: HistogramVec,
    run_overhead: Histogram,
    run_memory: HistogramVec,
    agents: IntGaugeVec,
    best_score: GaugeVec,
    submissions: IntCounterVec,
    last_submission: Gauge,
    store_bytes: IntGaugeVec,
    store_flush: Histogram,
    store_verify_failures: IntCounter,
    disk_free: IntGauge,
    http_requests: IntCounterVec,
}

impl Metrics {
    /// Registers everything and creates every series.
    ///
    /// # Errors
    /// Only when two metrics have one name, which a test rules out.
    pub fn new(build: &BuildInfo) -> Result<Self, prometheus::Error> {
        let registry = Registry::new_custom(Some("assay".to_owned()), None)?;
        let counters = |name: &str, help: &str, labels: &[&str]| {
            register(
                &registry,
                IntCounterVec::new(Opts::new(name, help), labels)?,
            )
        };
        let gauges = |name: &str, help: &str, labels: &[&str]| {
            register(&registry, IntGaugeVec::new(Opts::new(name, help), labels)?)
        };
        let gauge = |name: &str, help: &str| register(&registry, IntGauge::new(name, help)?);
        let float = |name: &str, help: &str| register(&registry, Gauge::new(name, help)?);
        let histograms = |name: &str, help: &str, labels: &[&str], buckets: Vec<f64>| {
            let opts = HistogramOpts::new(name, help).buckets(buckets);
            register(&registry, HistogramVec::new(opts, labels)?)
        };
        let histogram = |name: &str, help: &str, buckets: Vec<f64>| {
            let opts = HistogramOpts::new(name, help).buckets(buckets);
            register(&registry, Histogram::with_opts(opts)?)
        };
        let seconds = || vec![0.01, 0.03, 0.1, 0.3, 1.0, 2.0, 8.0, 15.0, 30.0, 90.0, 270.0];
        let short = || vec![0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.25, 1.0];
        let bytes = || {
            [16u64, 64, 256, 1024, 2048]
                .map(|m| (m << 20) as f64)
                .to_vec()
        };
        let metrics = Metrics {
            stage: gauges(
                "round_stage",
                "1 for the stage that the round is in.",
                &["stage"],
            )?,
            round_number: gauge("round_number", "Id of the round that runs or ran last.")?,
            round_deadline: float(
                "round_deadline_timestamp_seconds",
                "When the round's window ends; 0 when there is none.",
            )?,
            rounds: counters("rounds_total", "Rounds by how they ended.", &["result"])?,
            abstentions: counters(
                "abstentions_total",
                "Abstained rounds by reason.",
                &["reason"],
            )?,
            runs: counters(
                "runs_total",
                "Runs by track and outcome.",
                &["track", "outcome"],
            )?,
            run_faults: register(
                &registry,
                IntCounter::new(
                    "run_faults_total",
                    "Attempts lost to infrastructure faults.",
                )?,
            )?,
            runs_planned: gauge("runs_planned", "Runs of the round.")?,
            runs_durable: gauge("runs_durable", "Runs of the round that are durable.")?,
            run_cpu: histograms(
                "run_cpu_seconds",
                "CPU time of a run's tree.",
                &["track"],
                seconds(),
            )?,
            run_wall: histograms(
                "run_wall_seconds",
                "Wall time of a run.",
                &["track"],
                seconds(),
            )?,
            run_overhead: histogram(
                "run_overhead_seconds",
                "Set-up and tear-down of the sandbox around a run.",
                short(),
            )?,
            run_memory: histograms(
                "run_memory_bytes",
                "Peak memory of a run's tree.",
                &["track"],
                bytes(),
            )?,
            agents: gauges(
                "agents",
                "Agents of the last scored round by track and state.",
                &["track", "state"],
            )?,
            best_score: register(
                &registry,
                GaugeVec::new(
                    Opts::new(
                        "track_best_score_ratio",
                        "Best score of the last scored round.",
                    ),
                    &["track"],
                )?,
            )?,
            submissions: counters(
                "submission_attempts_total",
                "Vectors handed to the chain by its answer.",
                &["result"],
            )?,
            last_submission: float(
                "last_submission_timestamp_seconds",
                "When the chain last took a vector; 0 for never.",
            )?,
            store_bytes: gauges("store_bytes", "Size of the ledger's parts.", &["kind"])?,
            store_flush: histogram(
                "store_flush_seconds",
                "Time to make a batch durable.",
                short(),
            )?,
            store_verify_failures: register(
                &registry,
                IntCounter::new(
                    "store_verify_failures_total",
                    "Failed checks of the ledger.",
                )?,
            )?,
            disk_free: gauge("disk_free_bytes", "Free space where the ledger lies.")?,
            http_requests: counters(
                "http_requests_total",
                "Requests served.",
                &["route", "code"],
            )?,
            registry,
        };
        metrics.info(build)?;
        metrics.create_series();
        Ok(metrics)
    }

    fn info(&self, build: &BuildInfo) -> Result<(), prometheus::Error> {
        let labels = ["version", "spec_id", "corpus_root", "runtime"];
        let opts = Opts::new(
            "build_info",
            "Version of the node and of what its scores depend on.",
        );
        let info = register(&self.registry, IntGaugeVec::new(opts, &labels)?)?;
        let values = [
            &build.version,
            &build.spec_id,
            &build.corpus_root,
            &build.runtime,
        ];
        info.get_metric_with_label_values(&values.map(String::as_str))?
            .set(1);
        Ok(())
    }

    fn create_series(&self) {
        for stage in STAGES {
            self.stage.with_label_values(&[stage]).set(0);
        }
        for result in RoundResult::ALL {
            self.rounds.with_label_values(&[result.as_str()]);
        }
        for reason in AbstainReason::ALL {
            self.abstentions.with_label_values(&[reason.as_str()]);
        }
        for track in Track::ALL.map(Track::as_str) {
            self.runs.with_label_values(&[track, COMPLETED]);
            for failure in Failure::ALL {
                self.runs.with_label_values(&[track, failure.as_str()]);
            }
            self.run_cpu.with_label_values(&[track]);
            self.run_wall.with_label_values(&[track]);
            self.run_memory.with_label_values(&[track]);
            self.best_score.with_label_values(&[track]);
            for state in ["eligible", "below_threshold", "copy", "unavailable"] {
                self.agents.with_label_values(&[track, state]);
            }
        }
        for result in ["accepted", "refused"] {
            self.submissions.with_label_values(&[result]);
        }
        for kind in StoreKind::ALL {
            self.store_bytes.with_label_values(&[kind.as_str()]);
        }
        for route in ROUTES {
            for code in CODES {
                self.http_requests.with_label_values(&[route, code]);
            }
        }
    }

    /// A round begins: its id and the end of its window as Unix time.
    pub fn round_begins(&self, round: u64, deadline: Option<f64>) {
        self.round_number
            .set(i64::try_from(round).unwrap_or(i64::MAX));
        self.round_deadline.set(deadline.unwrap_or(0.0));
        self.set_stage("preparing");
    }

    /// The node waits for the next round.
    pub fn waiting(&self) {
        self.set_stage("waiting");
    }

    /// Runs are durable, of those planned.
    pub fn progress(&self, durable: usize, planned: usize) {
        let gauge = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        self.runs_durable.set(gauge(durable));
        self.runs_planned.set(gauge(planned));
        let stage = if planned > 0 && durable == planned {
            "settling"
        } else {
            "running"
        };
        self.set_stage(stage);
    }

    /// One run became durable.
    pub fn run_ended(&self, run: &RunRecord) {
        let track = run.id.track.as_str();
        let outcome = run.failure.map_or(COMPLETED, Failure::as_str);
        self.runs.with_label_values(&[track, outcome]).inc();
        self.run_faults.inc_by(run.faults.len() as u64);
        if run.attempt == 0 {
            return;
        }
        let seconds = |us: u64| us as f64 / 1e6;
        self.run_cpu
            .with_label_values(&[track])
            .observe(seconds(run.usage.cpu_us));
        self.run_wall
            .with_label_values(&[track])
            .observe(seconds(run.usage.wall_us));
        self.run_overhead.observe(seconds(run.usage.overhead_us));
        if let Some(peak) = run.usage.memory_peak_bytes {
            self.run_memory
                .with_label_values(&[track])
                .observe(peak as f64);
        }
    }

    /// A round is over; `now` is Unix time.
    pub fn round_ended(&self, record: &RoundRecord, now: f64) {
        let result = if record.abstained.is_some() {
            RoundResult::Abstained
        } else {
            RoundResult::Submitted
        };
        self.rounds.with_label_values(&[result.as_str()]).inc();
        if let Some(abstention) = &record.abstained {
            self.abstentions
                .with_label_values(&[abstention.reason.as_str()])
                .inc();
        }
        if let Some(submission) = &record.submission {
            let answer = if submission.accepted {
                "accepted"
            } else {
                "refused"
            };
            self.submissions.with_label_values(&[answer]).inc();
            if submission.accepted {
                self.last_submission.set(now);
            }
        }
        for (track, standing) in &record.tracks {
            let track = track.as_str();
            let count = |wanted: &str| {
                let of = standing.agents.iter().filter(|agent| {
                    let state = match agent {
                        agent if agent.detail.is_none() => "unavailable",
                        agent if agent.copy_of.is_some() => "copy",
                        agent if agent.eligible => "eligible",
                        _ => "below_threshold",
                    };
                    state == wanted
                });
                i64::try_from(of.count()).unwrap_or(i64::MAX)
            };
            for state in ["eligible", "below_threshold", "copy", "unavailable"] {
                self.agents
                    .with_label_values(&[track, state])
                    .set(count(state));
            }
            let best = standing
                .agents
                .iter()
                .map(|agent| agent.score)
                .fold(0.0, f64::max);
            self.best_score.with_label_values(&[track]).set(best);
        }
    }

    /// Sizes of the store and free space beside it.
    pub fn store(&self, sizes: &[(StoreKind, u64)], disk_free: u64) {
        let gauge = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        for (kind, bytes) in sizes {
            self.store_bytes
                .with_label_values(&[kind.as_str()])
                .set(gauge(*bytes));
        }
        self.disk_free.set(gauge(disk_free));
    }

    /// A batch was made durable.
    pub fn flushed(&self, took: Duration) {
        self.store_flush.observe(took.as_secs_f64());
    }

    /// A check of the ledger failed.
    pub fn verify_failed(&self) {
        self.store_verify_failures.inc();
    }

    pub(crate) fn request(&self, route: &str, code: u16) {
        let route = ROUTES
            .iter()
            .find(|known| **known == route)
            .unwrap_or(&"other");
        self.http_requests
            .with_label_values(&[*route, code.to_string().as_str()])
            .inc();
    }

    /// The page in Prometheus' text format, process metrics included.
    ///
    /// # Errors
    /// When a metric cannot be encoded.
    pub fn page(&self) -> Result<String, prometheus::Error> {
        let mut page = Vec::new();
        let encoder = TextEncoder::new();
        encoder.encode(&self.registry.gather(), &mut page)?;
        // `process_*` of this process: the default registry holds nothing else.
        encoder.encode(&prometheus::gather(), &mut page)?;
        Ok(String::from_utf8_lossy(&page).into_owned())
    }

    fn set_stage(&self, current: &str) {
        for stage in STAGES {
            self.stage
                .with_label_values(&[stage])
                .set(i64::from(stage == current));
        }
    }
}

fn register<C: prometheus::core::Collector + Clone + 'static>(
    registry: &Registry,
    collector: C,
) -> Result<C, prometheus::Error> {
    registry.register(Box::new(collector.clone()))?;
    Ok(collector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_series_is_there_from_the_start() {
        let page = Metrics::new(&BuildInfo::default()).unwrap().page().unwrap();
        for line in [
            "assay_runs_total{outcome=\"cpu_budget_exceeded\",track=\"skills\"} 0",
            "assay_abstentions_total{reason=\"sandbox_unavailable\"} 0",
            "assay_rounds_total{result=\"submitted\"} 0",
            "assay_round_stage{stage=\"waiting\"} 0",
            "assay_store_bytes{kind=\"journal\"} 0",
            "assay_run_cpu_seconds_count{track=\"repositories\"} 0",
        ] {
            assert!(page.contains(line), "{line} is missing of\n{page}");
        }
        assert!(page.contains("process_cpu_seconds_total"));
    }

    #[test]
    fn an_unknown_route_never_becomes_a_label() {
        let metrics = Metrics::new(&BuildInfo::default()).unwrap();
        metrics.request("/secret/5Grw", 404);
        let page = metrics.page().unwrap();
        assert!(page.contains("assay_http_requests_total{code=\"404\",route=\"other\"} 1"));
        assert!(!page.contains("5Grw"));
    }

    #[test]
    fn one_stage_at_a_time() {
        let metrics = Metrics::new(&BuildInfo::default()).unwrap();
        metrics.round_begins(7, None);
        metrics.progress(1, 2);
        let page = metrics.page().unwrap();
        assert!(page.contains("assay_round_stage{stage=\"running\"} 1"));
        assert!(page.contains("assay_round_stage{stage=\"preparing\"} 0"));
        metrics.progress(2, 2);
        assert!(
            metrics
                .page()
                .unwrap()
                .contains("assay_round_stage{stage=\"settling\"} 1")
        );
    }
}
