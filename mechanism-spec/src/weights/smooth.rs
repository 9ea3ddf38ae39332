//! The moving average between rounds and the state it leaves (SPEC.md W-7, W-8; `mechanism.md §8`).

use super::{Units, WeightsInput};
use crate::ids::Hotkey;
use crate::rational::Rational;
use crate::spec::Spec;
use std::collections::{BTreeMap, BTreeSet};

/// A smoothing state that no round can have left.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the smoothing state gives {hotkey} {units} units, more than the whole vector has; restore the state from the chain"
)]
pub struct StateError {
    /// The hotkey.
    pub hotkey: Hotkey,
    /// Its units.
    pub units: u64,
}

/// The state after a round: the moving average without those that are gone or dust, renormalised. Empty when nothing is left.
///
/// `ema = 3·new + 7·previous` in tenths of a unit; without a previous state `10·new`, so that dust is the same amount.
pub(super) fn advance(spec: &Spec, new: &Units, input: &WeightsInput) -> Result<Units, StateError> {
    let rules = &spec.weights;
    let ema_new = u128::from(rules.ema_new);
    let ema_previous = u128::from(rules.ema_previous);
    let (previous, own) = match &input.previous {
        Some(previous) => (previous, ema_new),
        None => (&Units::new(), ema_new + ema_previous),
    };
    if let Some((hotkey, units)) = previous.iter().find(|(_, units)| **units > rules.unit) {
        let hotkey = hotkey.clone();
        let units = *units;
        return Err(StateError { hotkey, units });
    }
    let hotkeys: BTreeSet<&Hotkey> = new.keys().chain(previous.keys()).collect();
    let units_of =
        |units: &Units, hotkey: &Hotkey| u128::from(units.get(hotkey).copied().unwrap_or(0));
    let ema = hotkeys.into_iter().map(|hotkey| {
        let smoothed = own * units_of(new, hotkey) + ema_previous * units_of(previous, hotkey);
        (hotkey, smoothed)
    });
    let kept: Vec<(&Hotkey, u128)> = ema
        .filter(|(hotkey, _)| {
            input.registered.contains_key(*hotkey) && !input.reregistered.contains(*hotkey)
        })
        .filter(|(_, smoothed)| *smoothed > 0 && *smoothed >= u128::from(rules.dust))
        .collect();
    Ok(normalise(rules.unit, &kept))
}

/// The state of a validator that has none: its own weights on chain, over the hotkeys registered at that block. `None` when they are all
/// zero or there are none, which is no state.
#[must_use]
pub fn state_from_chain(spec: &Spec, weights: &BTreeMap<Hotkey, u16>) -> Option<Units> {
    let weights: Vec<(&Hotkey, u128)> = weights
        .iter()
        .filter(|(_, value)| **value > 0)
        .map(|(hotkey, value)| (hotkey, u128::from(*value)))
        .collect();
    let state = normalise(spec.weights.unit, &weights);
    (!state.is_empty()).then_some(state)
}

/// `round_half_up(w·unit / Σw)` of each weight.
fn normalise(unit: u64, weights: &[(&Hotkey, u128)]) -> Units {
    let total: u128 = weights.iter().map(|(_, weight)| weight).sum();
    weights
        .iter()
        .filter_map(|(hotkey, weight)| {
            let share = Rational::new(weight.checked_mul(u128::from(unit))?, total)?;
            let units = u64::try_from(share.round_half_up()).ok()?;
            Some(((*hotkey).clone(), units))
        })
        .collect()
}
