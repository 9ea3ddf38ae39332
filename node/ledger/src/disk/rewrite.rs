//! Pruning: a new generation is written beside the old one and becomes the truth by one rename.

use super::open::Place;
use super::{Core, Inner};
use crate::api::PruneReport;
use crate::crash::crash_point;
use crate::durable;
use crate::error::Result;
use crate::index::IndexFault;
use crate::journal::writer::Journal;
use crate::key::RoundKey;
use crate::marks;
use crate::mem::stays;
use crate::record;
use mechanism::ids::Hash32;
use std::collections::BTreeSet;

pub(super) fn prune(inner: &Inner, core: &mut Core, keep: usize) -> Result<PruneReport> {
    core.journal.check()?;
    let stay = core.catalog.newest(keep);
    let rounds = core
        .catalog
        .summaries()
        .into_iter()
        .map(|summary| summary.key);
    let dropped = rounds.filter(|key| !stay.contains(key)).collect();
    let old = core.journal.folder().to_owned();
    let generation = core.journal.generation() + 1;
    let folder = marks::generation_path(&inner.dir, generation);
    crash_point("prune.before_write");
    durable::remove_tree(&folder)?;
    let written = write(inner, core, &stay, generation);
    let (journal, named) = match written {
        Ok(written) => written,
        Err(error) => {
            // Nothing points to the new generation yet; a rest that cannot be removed is swept at the next opening.
            let _ = durable::remove_tree(&folder);
            return Err(error);
        }
    };
    crash_point("prune.written");
    let mark = journal.mark();
    let points = ("prune.before_switch", "prune.after_switch");
    if let Err(error) = marks::write_current(&inner.dir, &mark, points) {
        // Which generation counts is only known again after CURRENT was read again.
        core.journal.poison(&error);
        return Err(error);
    }
    core.journal = journal;
    core.acknowledged.write(&mark)?;
    core.index = Err(IndexFault("it is being made again".to_owned()));
    let place = Place {
        dir: &inner.dir,
        folder: &folder,
        generation,
        options: &inner.options,
    };
    let brought = place.rebuild(&[mark], "the ledger was pruned".to_owned(), false)?;
    core.catalog = brought.catalog;
    core.index = brought.index;
    crash_point("prune.indexed");
    durable::remove_tree(&old)?;
    crash_point("prune.before_blobs");
    let blobs = inner.blobs.keep_only(&named)?;
    crash_point("prune.after_blobs");
    Ok(PruneReport {
        dropped,
        kept: stay.len(),
        blobs,
    })
}

/// Writes what stays into the new generation, durably; says which hashes it names.
fn write(
    inner: &Inner,
    core: &Core,
    stay: &BTreeSet<RoundKey>,
    generation: u64,
) -> Result<(Journal, BTreeSet<Hash32>)> {
    let folder = marks::generation_path(&inner.dir, generation);
    let mut journal = Journal::create(&folder, generation, inner.options.segment_bytes, false)?;
    let last_state = core.catalog.state.as_ref().map(|(round, _)| *round);
    let mut named = BTreeSet::new();
    core.scan(&mut |_, _, mut records| {
        records.retain(|record| stays(record, stay, last_state));
        if !records.is_empty() {
            named.extend(records.iter().flat_map(record::Record::named_hashes));
            journal.append(&record::encode(&records)?)?;
        }
        Ok(())
    })?;
    journal.sync()?;
    journal.keep_synced();
    Ok((journal, named))
}
