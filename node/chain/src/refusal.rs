//! Why the chain refuses a submission.

use mechanism::ids::Hotkey;

/// A submission that changed nothing on chain. The message is one line and names value and remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The two lists do not belong together.
    #[error("length_mismatch: {uids} uids and {values} values; give each uid one value")]
    LengthMismatch {
        /// Number of uids.
        uids: usize,
        /// Number of values.
        values: usize,
    },
    /// The hotkey has no slot.
    #[error("unknown_hotkey: {0} is not registered on the subnet; register it first")]
    UnknownHotkey(Hotkey),
    /// Not the hotkey's signature over this payload.
    #[error("bad_signature: not the signature of {0} over this payload; sign the canonical bytes")]
    BadSignature(Hotkey),
    /// Meant for another subnet.
    #[error("wrong_subnet: signed for netuid {submitted}, this is {expected}; set netuid")]
    WrongSubnet {
        /// The payload's.
        submitted: u16,
        /// The chain's.
        expected: u16,
    },
    /// The neuron may not set weights.
    #[error("no_permit: {0} has no validator permit; it needs more stake")]
    NoPermit(Hotkey),
    /// Computed by a version that the subnet no longer accepts.
    #[error("stale_version_key: {submitted} is below {required}; upgrade the node")]
    StaleVersionKey {
        /// The payload's.
        submitted: u64,
        /// The chain's.
        required: u64,
    },
    /// A round whose seed block does not exist yet.
    #[error("future_round: round {submitted} has not begun; wait for its seed block")]
    FutureRound {
        /// The payload's round.
        submitted: u64,
    },
    /// A round before the last accepted one.
    #[error("past_round: round {submitted} is before {accepted}, already accepted; drop it")]
    PastRound {
        /// The payload's round.
        submitted: u64,
        /// The last accepted round of this hotkey.
        accepted: u64,
    },
    /// Two different payloads for one round.
    #[error(
        "conflicting_payload: round {round} was accepted with another payload; keep the first one"
    )]
    ConflictingPayload {
        /// The round.
        round: u64,
    },
    /// Too soon after the last submission.
    #[error("rate_limit: submissions are {limit} blocks apart; try again at block {next_block}")]
    RateLimit {
        /// Blocks between two submissions.
        limit: u64,
        /// First block at which the hotkey may submit again.
        next_block: u64,
    },
    /// One slot with two weights.
    #[error("duplicate_uid: uid {0} is given twice; give each uid one value")]
    DuplicateUid(u16),
    /// The canonical order is ascending.
    #[error("uid_order: uid {0} stands after a larger one; sort the uids")]
    UidOrder(u16),
    /// A slot that nobody holds.
    #[error("unknown_uid: uid {0} is not registered; recompute on the current metagraph")]
    UnknownUid(u16),
    /// Fewer non-zero weights than the subnet asks for.
    #[error("too_few_weights: {found} non-zero weights, the subnet asks for {required}; abstain")]
    TooFewWeights {
        /// Non-zero values.
        found: usize,
        /// `MinAllowedWeights`, at least 1.
        required: usize,
    },
    /// One weight with too large a share.
    #[error(
        "max_weight_exceeded: uid {uid} has {value} of {sum}, above {limit}/65535; clip the vector"
    )]
    MaxWeightExceeded {
        /// The slot.
        uid: u16,
        /// Its value.
        value: u16,
        /// Sum of all values.
        sum: u64,
        /// `MaxWeightsLimit`.
        limit: u16,
    },
}

impl Refusal {
    /// The stable name, with which the message begins.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Refusal::LengthMismatch { .. } => "length_mismatch",
            Refusal::UnknownHotkey(_) => "unknown_hotkey",
            Refusal::BadSignature(_) => "bad_signature",
            Refusal::WrongSubnet { .. } => "wrong_subnet",
            Refusal::NoPermit(_) => "no_permit",
            Refusal::StaleVersionKey { .. } => "stale_version_key",
            Refusal::FutureRound { .. } => "future_round",
            Refusal::PastRound { .. } => "past_round",
            Refusal::ConflictingPayload { .. } => "conflicting_payload",
            Refusal::RateLimit { .. } => "rate_limit",
            Refusal::DuplicateUid(_) => "duplicate_uid",
            Refusal::UidOrder(_) => "uid_order",
            Refusal::UnknownUid(_) => "unknown_uid",
            Refusal::TooFewWeights { .. } => "too_few_weights",
            Refusal::MaxWeightExceeded { .. } => "max_weight_exceeded",
        }
    }
}
