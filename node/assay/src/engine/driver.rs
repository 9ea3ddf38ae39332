//! The loop between the round's state machine and the world.

use super::control::{Control, Request};
use super::materialise::Materials;
use super::pool::{Job, Pool};
use mechanism::ids::TaskRef;
use round::fault::AbstainReason;
use round::machine::{Effect, Input, Round};
use round::ports::{ChainPort, Executor, SignedWeights, SignerPort, Store};
use round::record::{AgentRecord, Entry};
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How soon a pause or drain is noticed while nothing else happens.
const CONTROL_EVERY: Duration = Duration::from_millis(200);

/// Fetches and verifies all bytes of a round before its first run, and builds the executors over them.
pub(crate) trait Source {
    /// Agents' and artifacts' bytes, verified.
    ///
    /// # Errors
    /// The reason and one line when corpus bytes or the host fail; an agent's own bytes never do.
    fn materialise(
        &mut self,
        agents: &[AgentRecord],
        tasks: &[TaskRef],
    ) -> Result<Materials, (AbstainReason, String)>;

    /// One executor per slot over the materials.
    ///
    /// # Errors
    /// The reason and one line when a slot cannot be set up.
    fn executors(
        &mut self,
        materials: &Materials,
    ) -> Result<Vec<Box<dyn Executor>>, (AbstainReason, String)>;
}

/// What a round is wired to.
pub(crate) struct Wiring<'a> {
    pub(crate) store: &'a mut dyn Store,
    pub(crate) source: &'a mut dyn Source,
    /// Chain and signer; `None` when the goal is scores only.
    pub(crate) chain: Option<(&'a mut dyn ChainPort, &'a mut dyn SignerPort)>,
    /// Told how many runs are durable, of how many.
    pub(crate) progress: &'a mut dyn FnMut(usize, usize),
    /// Pauses and drains the round from outside.
    pub(crate) control: &'a Control,
}

/// How the driver came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The round is over: submitted or abstained.
    Over,
    /// The round was drained: what ran is durable, the rest is left for a resume.
    Drained,
}

/// Drives a round, fresh or resumed, to its end or until it is drained.
pub(crate) fn drive(
    (round, effects): (Round, Vec<Effect>),
    mut wiring: Wiring<'_>,
) -> (Round, Ending) {
    let spec = round.spec().clone();
    let validator = round.opening().validator.clone();
    // The pool takes the only sender: when its last thread is gone, the driver notices.
    let (inputs, events) = channel();
    let mut inputs = Some(inputs);
    let mut driver = Driver {
        round,
        effects: effects.into(),
        unsaved: Vec::new(),
        retries: Vec::new(),
        events,
        in_flight: 0,
        held: 0,
        finished: false,
    };
    let mut pool: Option<Pool> = None;
    while !driver.finished {
        while let Some(effect) = driver.effects.pop_front() {
            match effect {
                Effect::Persist { seq, entry } => driver.unsaved.push((seq, *entry)),
                Effect::Materialise { agents, tasks } => {
                    match prepare(wiring.source, &agents, &tasks) {
                        Ok((materials, executors)) => {
                            driver.feed(Input::Materialised {
                                digests: materials.digests,
                                unavailable: materials.unavailable,
                            });
                            pool = inputs
                                .take()
                                .map(|sender| Pool::start(executors, &spec, &sender));
                        }
                        Err((reason, detail)) => driver.feed(Input::Failed { reason, detail }),
                    }
                }
                Effect::Execute { index, request } => {
                    if let Some(pool) = &pool {
                        driver.in_flight += 1;
                        pool.submit(Job { index, request });
                    }
                }
                Effect::RetryAfter { index, pause_ms } => driver
                    .retries
                    .push((Instant::now() + Duration::from_millis(pause_ms), index)),
                Effect::NoMoreRuns => {
                    if let Some(pool) = pool.as_mut() {
                        pool.close();
                    }
                }
                Effect::ReadChain => {
                    let input = match &wiring.chain {
                        Some((chain, _)) => chain.view().map(|view| Input::Chain(Box::new(view))),
                        None => Err("there is no chain".to_owned()),
                    };
                    driver.feed_or(input, AbstainReason::SubmissionRefused);
                }
                Effect::Sign(payload) => {
                    let input = match &mut wiring.chain {
                        Some((_, signer)) => signer.sign(&payload).map(|signature| {
                            Input::Signed(SignedWeights {
                                hotkey: signer.hotkey(),
                                payload,
                                signature: hex::encode(signature),
                            })
                        }),
                        None => Err("there is no signer".to_owned()),
                    };
                    driver.feed_or(input, AbstainReason::SignerUnavailable);
                }
                Effect::Submit(signed) => {
                    let outcome = match &mut wiring.chain {
                        Some((chain, _)) => chain.submit(&signed),
                        None => Err("there is no chain".to_owned()),
                    };
                    driver.feed(Input::Submitted(outcome));
                }
                Effect::ReadBack => {
                    let input = match &wiring.chain {
                        Some((chain, _)) => chain.read_back(&validator).map(Input::ReadBack),
                        None => Err("there is no chain".to_owned()),
                    };
                    driver.feed_or(input, AbstainReason::ReadBackDiffers);
                }
                Effect::Finished => driver.finished = true,
            }
        }
        driver.save(wiring.store);
        if driver.effects.is_empty() && !driver.finished {
            let (done, planned) = driver.round.progress();
            (wiring.progress)(done, planned);
            if wiring.control.request() == Request::Drain && driver.in_flight == 0 {
                drop(pool);
                return (driver.round, Ending::Drained);
            }
            driver.wait(wiring.control);
        }
    }
    let (done, planned) = driver.round.progress();
    (wiring.progress)(done, planned);
    drop(pool);
    (driver.round, Ending::Over)
}

/// What a round's runs need.
type Prepared = (Materials, Vec<Box<dyn Executor>>);

/// Materials and executors, or why there are none.
fn prepare(
    source: &mut dyn Source,
    agents: &[AgentRecord],
    tasks: &[TaskRef],
) -> Result<Prepared, (AbstainReason, String)> {
    let materials = source.materialise(agents, tasks)?;
    let executors = source.executors(&materials)?;
    Ok((materials, executors))
}

struct Driver {
    round: Round,
    effects: VecDeque<Effect>,
    unsaved: Vec<(u64, Entry)>,
    retries: Vec<(Instant, usize)>,
    events: Receiver<Input>,
    /// Runs that slots are busy with.
    in_flight: usize,
    /// Slots that wait while the round is paused or drained.
    held: usize,
    finished: bool,
}

impl Driver {
    /// Feeds what a slot said; a slot that waits is held back while no new runs are wanted.
    fn take(&mut self, input: Input, control: &Control) {
        match input {
            Input::SlotFree if control.request() != Request::Run => self.held += 1,
            Input::RunEnded { .. } => {
                self.in_flight = self.in_flight.saturating_sub(1);
                self.feed(input);
            }
            _ => self.feed(input),
        }
    }

    fn feed(&mut self, input: Input) {
        self.effects.extend(self.round.apply(input));
    }

    fn feed_or(&mut self, input: Result<Input, String>, reason: AbstainReason) {
        match input {
            Ok(input) => self.feed(input),
            Err(detail) => self.feed(Input::Failed { reason, detail }),
        }
    }

    /// Makes everything that waits durable in one go.
    fn save(&mut self, store: &mut dyn Store) {
        let Some(up_to) = self.unsaved.last().map(|(seq, _)| *seq) else {
            return;
        };
        let entries: Vec<Entry> = self.unsaved.drain(..).map(|(_, entry)| entry).collect();
        match store.append(&entries) {
            Ok(()) => self.feed(Input::Persisted { up_to }),
            Err(detail) => self.feed(Input::Failed {
                reason: AbstainReason::StoreUnavailable,
                detail,
            }),
        }
    }

    /// Waits for the next input and takes all that are there, so that their entries are saved together.
    fn wait(&mut self, control: &Control) {
        let now = Instant::now();
        let due = self.retries.iter().map(|(at, _)| *at).min();
        let longest = due.map_or(CONTROL_EVERY, |at| {
            at.saturating_duration_since(now).min(CONTROL_EVERY)
        });
        match self.events.recv_timeout(longest) {
            Ok(input) => self.take(input, control),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.feed(Input::Failed {
                reason: AbstainReason::SandboxUnavailable,
                detail: "every sandbox slot is gone".to_owned(),
            }),
        }
        while let Ok(input) = self.events.try_recv() {
            self.take(input, control);
        }
        if control.request() == Request::Run {
            for _ in 0..std::mem::take(&mut self.held) {
                self.feed(Input::SlotFree);
            }
        }
        let now = Instant::now();
        let (due, later): (Vec<_>, Vec<_>) = self.retries.drain(..).partition(|(at, _)| *at <= now);
        self.retries = later;
        for (_, index) in due {
            self.feed(Input::RetryDue { index });
        }
    }
}
