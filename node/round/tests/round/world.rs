//! The world around a round: fake agents, store, chain and signer.

use super::setup::{AGENTS, hotkey, spec};
use mechanism::fault::Fault;
use mechanism::ids::{Hotkey, TaskRef};
use mechanism::label::Class;
use mechanism::outcome::{ProbeState, RunnerFailure};
use round::fault::{AbstainReason, HostFault};
use round::judge::judge;
use round::machine::{Effect, Input, Round, Setup};
use round::ports::{
    ChainView, Exit, Observation, ReportBytes, RunRequest, SignedWeights, TaskTruth, Usage,
    WeightsPayload,
};
use round::record::{Entry, RunRecord};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A round of this size ends within so many steps, or it never does.
const MOST_STEPS: usize = 5_000;

/// Which attempts fail, and how.
pub(crate) type FaultRule = Box<dyn Fn(&RunRequest) -> Option<HostFault>>;

/// What the world does; the default does everything right.
pub(crate) struct Plan {
    pub(crate) slots: usize,
    /// A fault of this attempt at this run.
    pub(crate) fault: FaultRule,
    /// Wall time of a run in microseconds.
    pub(crate) wall_us: Box<dyn Fn(&RunRequest) -> u64>,
    /// Entries that never become durable.
    pub(crate) hold: Box<dyn Fn(&Entry) -> bool>,
    /// The store refuses from this entry on, counted from 0.
    pub(crate) store_full_at: Option<usize>,
    pub(crate) unavailable: BTreeSet<Hotkey>,
    pub(crate) refusal: Option<String>,
    /// What the chain shows instead of the submitted vector.
    pub(crate) shows: Option<Vec<(u16, u16)>>,
    pub(crate) signer_refuses: bool,
    /// Every answer is given twice.
    pub(crate) stutter: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            slots: 1,
            fault: Box::new(|_| None),
            wall_us: Box::new(|_| 20_000),
            hold: Box::new(|_| false),
            store_full_at: None,
            unavailable: BTreeSet::new(),
            refusal: None,
            shows: None,
            signer_refuses: false,
            stutter: false,
        }
    }
}

#[derive(Debug)]
enum Action {
    Persist,
    Materialise,
    SlotFree,
    Run(usize, Box<RunRequest>),
    Retry(usize),
    ReadChain,
    Sign(WeightsPayload),
    Submit(SignedWeights),
    ReadBack,
}

/// A round and everything around it.
pub(crate) struct World {
    pub(crate) round: Round,
    plan: Plan,
    truth: BTreeMap<TaskRef, TaskTruth>,
    /// What is durable.
    pub(crate) journal: Vec<Entry>,
    unsaved: VecDeque<(u64, Entry)>,
    pending: Vec<Action>,
    /// Names of the effects and entries in the order they were asked for.
    pub(crate) trace: Vec<String>,
    /// Everything that was handed out.
    pub(crate) requests: Vec<RunRequest>,
    pub(crate) pauses: Vec<u64>,
    on_chain: Vec<(u16, u16)>,
    finished: bool,
}

impl World {
    pub(crate) fn open(setup: Setup, plan: Plan) -> Self {
        let truth = setup.truth.clone();
        let (round, effects) = Round::open(setup);
        World::around(round, effects, truth, Vec::new(), plan)
    }

    pub(crate) fn resume(setup: Setup, journal: Vec<Entry>, plan: Plan) -> Self {
        let truth = setup.truth.clone();
        let (round, effects) = Round::resume(setup, journal.clone()).unwrap();
        World::around(round, effects, truth, journal, plan)
    }

    fn around(
        round: Round,
        effects: Vec<Effect>,
        truth: BTreeMap<TaskRef, TaskTruth>,
        journal: Vec<Entry>,
        plan: Plan,
    ) -> Self {
        let mut world = World {
            pending: (0..plan.slots).map(|_| Action::SlotFree).collect(),
            round,
            plan,
            truth,
            journal,
            unsaved: VecDeque::new(),
            trace: Vec::new(),
            requests: Vec::new(),
            pauses: Vec::new(),
            on_chain: Vec::new(),
            finished: false,
        };
        world.absorb(effects);
        world
    }

    /// Takes pending actions, the chosen one of so many first, until the round is over or nothing is pending.
    pub(crate) fn run(mut self, mut choose: impl FnMut(usize) -> usize) -> Self {
        for _ in 0..MOST_STEPS {
            if self.finished || self.pending.is_empty() {
                assert_eq!(self.finished, self.round.is_done());
                return self;
            }
            let chosen = choose(self.pending.len()) % self.pending.len();
            let action = self.pending.remove(chosen);
            self.act(action);
        }
        panic!("no end after {MOST_STEPS} steps");
    }

    /// First come, first served, to the end.
    pub(crate) fn in_order(self) -> Self {
        let world = self.run(|_| 0);
        assert!(world.finished, "stuck after {:?}", world.trace.last());
        world
    }

    pub(crate) fn count(&self, effect: &str) -> usize {
        self.trace.iter().filter(|name| *name == effect).count()
    }

    pub(crate) fn abstained(&self) -> Option<AbstainReason> {
        self.round
            .record()
            .abstained
            .map(|abstention| abstention.reason)
    }

    pub(crate) fn accepted(&self) -> bool {
        self.round
            .record()
            .submission
            .is_some_and(|submission| submission.accepted)
    }

    fn feed(&mut self, input: Input) {
        let effects = self.round.apply(input);
        self.absorb(effects);
    }

    /// Gives an answer, twice when the world stutters.
    fn answer(&mut self, input: impl Fn() -> Input) {
        self.feed(input());
        if self.plan.stutter {
            self.feed(input());
        }
    }

    fn absorb(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            assert!(!self.finished, "{effect:?} after the end");
            let (name, action) = match effect {
                Effect::Persist { seq, entry } => {
                    let name = entry_name(&entry).to_owned();
                    self.unsaved.push_back((seq, *entry));
                    (name, Some(Action::Persist))
                }
                Effect::Materialise { .. } => ("materialise".to_owned(), Some(Action::Materialise)),
                Effect::Execute { index, request } => {
                    self.requests.push((*request).clone());
                    ("execute".to_owned(), Some(Action::Run(index, request)))
                }
                Effect::RetryAfter { index, pause_ms } => {
                    self.pauses.push(pause_ms);
                    ("retry".to_owned(), Some(Action::Retry(index)))
                }
                Effect::NoMoreRuns => ("no more runs".to_owned(), None),
                Effect::ReadChain => ("read chain".to_owned(), Some(Action::ReadChain)),
                Effect::Sign(payload) => ("sign".to_owned(), Some(Action::Sign(payload))),
                Effect::Submit(signed) => ("submit".to_owned(), Some(Action::Submit(signed))),
                Effect::ReadBack => ("read back".to_owned(), Some(Action::ReadBack)),
                Effect::Finished => {
                    self.finished = true;
                    ("finished".to_owned(), None)
                }
            };
            self.trace.push(name);
            self.pending.extend(action);
        }
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Persist => self.persist(),
            Action::Materialise => {
                let unavailable = self.plan.unavailable.clone();
                self.answer(|| Input::Materialised {
                    digests: BTreeMap::new(),
                    unavailable: unavailable
                        .iter()
                        .map(|hotkey| (hotkey.clone(), "gone".to_owned()))
                        .collect(),
                });
            }
            Action::SlotFree => self.feed(Input::SlotFree),
            Action::Run(index, request) => {
                let result = match (self.plan.fault)(&request) {
                    Some(fault) => Err(fault),
                    None => Ok(self.execute(&request)),
                };
                self.answer(|| Input::RunEnded {
                    index,
                    result: result.clone().map(Box::new),
                });
                self.pending.push(Action::SlotFree);
            }
            Action::Retry(index) => self.answer(|| Input::RetryDue { index }),
            Action::ReadChain => self.answer(|| Input::Chain(Box::new(view()))),
            Action::Sign(_) if self.plan.signer_refuses => self.feed(Input::Failed {
                reason: AbstainReason::SignerUnavailable,
                detail: "locked".to_owned(),
            }),
            Action::Sign(payload) => {
                assert!(
                    self.journal.iter().any(|entry| *entry
                        == Entry::Intent {
                            payload: payload.clone()
                        }),
                    "signed before the intent was durable"
                );
                self.answer(|| {
                    Input::Signed(SignedWeights {
                        hotkey: hotkey("validator"),
                        payload: payload.clone(),
                        signature: "00".repeat(64),
                    })
                });
            }
            Action::Submit(signed) => {
                let payload = signed.payload;
                let outcome = match &self.plan.refusal {
                    Some(refusal) => Err(refusal.clone()),
                    None => Ok(()),
                };
                self.on_chain = payload.uids.into_iter().zip(payload.values).collect();
                self.answer(|| Input::Submitted(outcome.clone()));
            }
            Action::ReadBack => {
                let found = self
                    .plan
                    .shows
                    .clone()
                    .unwrap_or_else(|| self.on_chain.clone());
                self.answer(|| Input::ReadBack(found.clone()));
            }
        }
    }

    /// Makes the oldest entry durable, or says that the store cannot.
    fn persist(&mut self) {
        let Some((seq, entry)) = self.unsaved.front().cloned() else {
            return;
        };
        if (self.plan.hold)(&entry) {
            return;
        }
        if self
            .plan
            .store_full_at
            .is_some_and(|at| self.journal.len() >= at)
        {
            self.unsaved.clear();
            return self.feed(Input::Failed {
                reason: AbstainReason::StoreUnavailable,
                detail: "no space".to_owned(),
            });
        }
        self.unsaved.pop_front();
        self.journal.push(entry);
        assert_eq!(
            self.journal.len() as u64,
            seq,
            "entries are numbered without a gap"
        );
        self.answer(|| Input::Persisted { up_to: seq });
    }

    fn execute(&self, request: &RunRequest) -> RunRecord {
        let truth = &self.truth[&request.run.task_ref];
        let name = request.run.id.hotkey.as_str();
        let planted = !truth.label.vulnerabilities.is_empty();
        let report = match name {
            "auditor" => json!({
                "verdict": "WARN",
                "evidence": {
                    "audit": {"files_analysed": 2},
                    "vulnerabilities": if planted {
                        json!([{"file": "main.py", "line": 3, "cwe": "CWE-78", "title": "shell injection"}])
                    } else {
                        json!([])
                    },
                },
                "findings": [],
            }),
            _ => {
                let block = name == "oracle" && truth.label.label == Some(Class::Malicious);
                json!({
                    "verdict": {"decision": if block { "BLOCK" } else { "ALLOW" }, "risk_score": 1},
                    "evidence": {
                        "action_plane": {"capabilities": []},
                        "context_plane": {"injected_instructions": []},
                    },
                    "findings": [],
                })
            }
        };
        let raises = name == "raiser";
        let seen = Observation {
            events: BTreeSet::new(),
            runner: raises.then_some(RunnerFailure::EntrypointRaised),
            runner_message: if raises {
                "boom".to_owned()
            } else {
                String::new()
            },
            probe: ProbeState::Observed,
            report: if raises {
                ReportBytes::Missing
            } else {
                ReportBytes::Bytes(report.to_string().into_bytes())
            },
            exit: Exit::Code(0),
            usage: Usage {
                cpu_us: 10_000,
                wall_us: (self.plan.wall_us)(request),
                ..Usage::default()
            },
            stderr_tail: String::new(),
            detail: Vec::new(),
        };
        judge(&spec(), request, seen)
    }
}

/// Everybody is registered.
fn view() -> ChainView {
    ChainView {
        registered: (1u16..)
            .zip(AGENTS)
            .map(|(uid, (name, _))| (hotkey(name), uid))
            .collect(),
        reregistered: BTreeSet::new(),
        contributors: Vec::new(),
        min_allowed_weights: 1,
        max_weights_limit: u16::MAX,
        version_key: 0,
    }
}

pub(crate) fn entry_name(entry: &Entry) -> &'static str {
    match entry {
        Entry::Opened { .. } => "opened",
        Entry::Materialised { .. } => "materialised",
        Entry::Run(_) => "run",
        Entry::Scored { .. } => "scored",
        Entry::Intent { .. } => "intent",
        Entry::Signed { .. } => "signed",
        Entry::Closed { .. } => "closed",
        Entry::Abstained { .. } => "abstained",
    }
}

/// A fault of the host at a run.
pub(crate) fn host_fault(fault: Fault, reason: AbstainReason) -> HostFault {
    HostFault {
        fault,
        reason,
        detail: "it broke".to_owned(),
    }
}
