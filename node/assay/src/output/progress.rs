//! Progress of long work on stderr: a bar on a terminal, plain lines elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Plain lines come at most this often.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Says what is going on. Everything goes to stderr, so that stdout stays for results.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    unit: &'static str,
    started: Instant,
    last_line: Option<Instant>,
    last_done: usize,
    announced: bool,
}

impl Progress {
    /// A progress display of `unit`s (`"runs"`).
    pub(crate) fn new(unit: &'static str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            let template = "  {wide_bar} {pos}/{len} {msg} [{elapsed_precise}, {eta_precise} left]";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.set_message(unit);
            bar
        });
        Progress {
            bar,
            unit,
            started: Instant::now(),
            last_line: None,
            last_done: 0,
            announced: false,
        }
    }

    /// Reports `done` of `planned`.
    pub(crate) fn update(&mut self, done: usize, planned: usize) {
        if planned == 0 {
            return;
        }
        if let Some(bar) = &self.bar {
            bar.set_length(planned as u64);
            bar.set_position(done as u64);
            if done == planned {
                bar.finish_and_clear();
            }
            return;
        }
        let now = Instant::now();
        let due = self.last_line.is_none_or(|last| now - last >= LINE_EVERY);
        let ended = done == planned && !self.announced;
        if (due && done != self.last_done) || ended {
            self.announced = done == planned;
            self.last_line = Some(now);
            self.last_done = done;
            let seconds = self.started.elapsed().as_secs();
            note(&format!("{done}/{planned} {} after {seconds} s", self.unit));
        }
    }
}

/// A plain line on stderr.
pub(crate) fn note(text: &str) {
    eprintln!("assay: {text}");
}
