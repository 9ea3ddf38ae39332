//! What an operator asks of a running round.

use std::sync::atomic::{AtomicU8, Ordering};

/// The request that stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Request {
    /// Hand runs out.
    Run,
    /// Hand no runs out for now; those that run may end.
    Pause,
    /// Hand no more runs out and come back once those that run have ended.
    Drain,
}

/// Shared between the driver and whoever may interrupt it: signal handler, control socket.
#[derive(Debug, Default)]
pub(crate) struct Control(AtomicU8);

impl Control {
    /// The request that stands.
    pub(crate) fn request(&self) -> Request {
        match self.0.load(Ordering::Relaxed) {
            0 => Request::Run,
            1 => Request::Pause,
            _ => Request::Drain,
        }
    }

    /// Places a request. A drain is final.
    pub(crate) fn ask(&self, request: Request) {
        let value = request as u8;
        let _ = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |now| {
                (now != Request::Drain as u8).then_some(value)
            });
    }
}

#[cfg(test)]
mod tests {
    use super::{Control, Request};

    #[test]
    fn a_pause_can_be_lifted_and_a_drain_cannot() {
        let control = Control::default();
        assert_eq!(control.request(), Request::Run);
        control.ask(Request::Pause);
        assert_eq!(control.request(), Request::Pause);
        control.ask(Request::Run);
        assert_eq!(control.request(), Request::Run);
        control.ask(Request::Drain);
        control.ask(Request::Run);
        assert_eq!(control.request(), Request::Drain);
    }
}
