//! The loop between the round's state machine and the world.

use super::materialise::Materials;
use super::pool::{Job, Pool};
use mechanism::ids::TaskRef;
use round::fault::AbstainReason;
use round::machine::{Effect, Input, Round, Setup};
use round::ports::{ChainPort, Executor, SignedWeights, SignerPort, Store};
use round::record::{AgentRecord, Entry};
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

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
}

/// Drives a round to its end.
pub(crate) fn drive(setup: Setup, mut wiring: Wiring<'_>) -> Round {
    let spec = setup.spec.clone();
    let validator = setup.validator.clone();
    let (round, effects) = Round::open(setup);
    // The pool takes the only sender: when its last thread is gone, the driver notices.
    let (inputs, events) = channel();
    let mut inputs = Some(inputs);
    let mut driver = Driver {
        round,
        effects: effects.into(),
        unsaved: Vec::new(),
        retries: Vec::new(),
        events,
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
            driver.wait();
        }
    }
    let (done, planned) = driver.round.progress();
    (wiring.progress)(done, planned);
    drop(pool);
    driver.round
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
    finished: bool,
}

impl Driver {
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
    fn wait(&mut self) {
        let now = Instant::now();
        let due = self.retries.iter().map(|(at, _)| *at).min();
        let first = match due {
            Some(at) => self.events.recv_timeout(at.saturating_duration_since(now)),
            None => self
                .events
                .recv()
                .map_err(|_| RecvTimeoutError::Disconnected),
        };
        match first {
            Ok(input) => self.feed(input),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.feed(Input::Failed {
                reason: AbstainReason::SandboxUnavailable,
                detail: "every sandbox slot is gone".to_owned(),
            }),
        }
        while let Ok(input) = self.events.try_recv() {
            self.feed(input);
        }
        let now = Instant::now();
        let (due, later): (Vec<_>, Vec<_>) = self.retries.drain(..).partition(|(at, _)| *at <= now);
        self.retries = later;
        for (_, index) in due {
            self.feed(Input::RetryDue { index });
        }
    }
}
