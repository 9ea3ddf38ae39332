//! The round cap of an agent's wall time (`mechanism.md §1`).

use crate::plan::{Plan, RunId};
use crate::record::RunRecord;
use mechanism::fault::Failure;
use mechanism::ids::Hotkey;
use mechanism::outcome::{self, WallCapError, WallRun};
use mechanism::spec::Spec;
use mechanism::track::Track;
use std::collections::{BTreeMap, BTreeSet};

/// Wall times of one agent's recorded runs by (rep, rank).
pub type Walls = BTreeMap<(u32, u32), u64>;

/// Whether the wall times recorded so far already decide that this run fails by its agent's round cap: walls only add up
/// (`mechanism.md §1`).
#[must_use]
pub fn wall_cap_used_up(spec: &Spec, id: &RunId, walls: &Walls) -> bool {
    let before = walls
        .range(..(id.rep, id.rank))
        .map(|(_, wall)| *wall)
        .fold(0, u64::saturating_add);
    before >= spec.track(id.track).round_wall_us
}

/// Names `agent_wall_cap` on every run that the cap decides, unless an earlier limit of the list names it already.
///
/// # Errors
/// [`WallCapError`] when a record fits no planned run.
pub fn apply_wall_cap(
    spec: &Spec,
    plan: &Plan,
    runs: &mut [RunRecord],
) -> Result<(), WallCapError> {
    let mut walls: BTreeMap<(Track, Hotkey), Vec<WallRun>> = BTreeMap::new();
    for run in runs.iter() {
        walls
            .entry((run.id.track, run.id.hotkey.clone()))
            .or_default()
            .push(WallRun {
                task_ref: run.task_ref.clone(),
                rep: run.id.rep,
                wall_us: run.usage.wall_us,
            });
    }
    let mut capped = BTreeSet::new();
    for ((track, hotkey), walls) in walls {
        let tasks = plan
            .track(track)
            .map_or(&[][..], |plan| plan.tasks.as_slice());
        let cap = outcome::wall_cap(spec, track, tasks, &walls)?;
        for (rep, task_ref) in cap.failed {
            capped.insert((track, hotkey.clone(), rep, task_ref));
        }
    }
    for run in runs {
        let id = &run.id;
        let key = (id.track, id.hotkey.clone(), id.rep, run.task_ref.clone());
        if capped.contains(&key) {
            let named = run.failure.unwrap_or(Failure::AgentWallCap);
            run.failure = Some(named.min(Failure::AgentWallCap));
            run.verdict = None;
            run.report = None;
        }
    }
    Ok(())
}
