//! The local worker pool: one thread and one sandbox slot per job.

use mechanism::spec::Spec;
use round::fault::HostFault;
use round::judge::judge;
use round::machine::Input;
use round::ports::{Executor, RunRequest};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// A run on its way to a slot.
pub(crate) struct Job {
    /// Its number in the plan.
    pub(crate) index: usize,
    /// The request.
    pub(crate) request: Box<RunRequest>,
}

/// Threads that wait for jobs, each with an executor of its own.
pub(crate) struct Pool {
    jobs: Option<Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Starts one thread per executor. Each says [`Input::SlotFree`] whenever it waits.
    pub(crate) fn start(
        executors: Vec<Box<dyn Executor>>,
        spec: &Spec,
        inputs: &Sender<Input>,
    ) -> Self {
        let (jobs, queue) = channel();
        let queue = Arc::new(Mutex::new(queue));
        let spec = Arc::new(spec.clone());
        let threads = executors
            .into_iter()
            .map(|executor| {
                let (queue, spec, inputs) = (queue.clone(), spec.clone(), inputs.clone());
                std::thread::spawn(move || work(executor, &queue, &spec, &inputs))
            })
            .collect();
        Pool {
            jobs: Some(jobs),
            threads,
        }
    }

    /// Hands a job to whichever slot waits.
    pub(crate) fn submit(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // A send fails only when every thread is gone; the round then sees no slot and the driver ends it.
            let _ = jobs.send(job);
        }
    }

    /// Lets the slots go; each ends with the run it has.
    pub(crate) fn close(&mut self) {
        self.jobs = None;
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn work(
    mut executor: Box<dyn Executor>,
    queue: &Mutex<Receiver<Job>>,
    spec: &Spec,
    inputs: &Sender<Input>,
) {
    loop {
        if inputs.send(Input::SlotFree).is_err() {
            return;
        }
        let Some(Job { index, request }) = next(queue) else {
            return;
        };
        let result: Result<_, HostFault> = executor
            .execute(&request)
            .map(|seen| Box::new(judge(spec, &request, seen)));
        if inputs.send(Input::RunEnded { index, result }).is_err() {
            return;
        }
    }
}

fn next(queue: &Mutex<Receiver<Job>>) -> Option<Job> {
    // A poisoned lock means that another slot's thread panicked while it waited: nothing of the queue is half done.
    let guard = queue
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    guard.recv().ok()
}
