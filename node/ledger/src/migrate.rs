//! From the schema of an older node to this one's, with a copy of everything before the first step.

use crate::durable;
use crate::error::{LedgerError, Result, io};
use crate::marks::{self, SCHEMA};
use std::fs;
use std::path::Path;

/// One step: brings the folder from this schema to the next one. It must be able to run again after a crash in it.
type Step = (u32, fn(&Path) -> Result<()>);

/// The steps, ascending. The first schema has none before it.
const STEPS: &[Step] = &[];

/// Names that are not copied into a backup: they can be made again, or are backups themselves.
const LEFT_OUT: [&str; 3] = ["LOCK", "index", "damaged"];
const BACKUP: &str = "backup-schema-";

/// Stamps a new folder, or migrates an old one; says from which schema.
pub(crate) fn to_current(dir: &Path) -> Result<Option<u32>> {
    migrate(dir, SCHEMA, STEPS)
}

fn migrate(dir: &Path, target: u32, steps: &[Step]) -> Result<Option<u32>> {
    let Some(found) = marks::read_version(dir)? else {
        // The version is the first file of a ledger, so a folder without it is new, or has lost it.
        if marks::current_path(dir).exists() || !marks::generations(dir)?.is_empty() {
            return Err(LedgerError::damage(
                &marks::version_path(dir),
                0,
                "the file is missing, but there is a journal",
            ));
        }
        marks::write_version(dir, target)?;
        return Ok(None);
    };
    if found == target {
        return Ok(None);
    }
    let unknown = || LedgerError::Schema {
        path: marks::version_path(dir),
        found,
        known: target,
    };
    let first = steps
        .iter()
        .position(|(from, _)| *from == found)
        .ok_or_else(unknown)?;
    if found > target {
        return Err(unknown());
    }
    backup(dir, found)?;
    for (from, step) in steps
        .iter()
        .skip(first)
        .take_while(|(from, _)| *from < target)
    {
        step(dir)?;
        marks::write_version(dir, from + 1)?;
    }
    Ok(Some(found))
}

/// Copies the ledger beside itself; a backup that is there is from the same migration, interrupted, and stays.
fn backup(dir: &Path, schema: u32) -> Result<()> {
    let place = dir.join(format!("{BACKUP}{schema}"));
    if place.exists() {
        return Ok(());
    }
    let unfinished = dir.join(format!("{BACKUP}{schema}.unfinished"));
    durable::remove_tree(&unfinished)?;
    durable::make_dir(&unfinished)?;
    for (name, path) in durable::list(dir)? {
        if !LEFT_OUT.contains(&name.as_str()) && !name.starts_with(BACKUP) {
            copy(&path, &unfinished.join(name))?;
        }
    }
    durable::sync_dir(&unfinished)?;
    fs::rename(&unfinished, &place).map_err(io("rename into place", &place))?;
    durable::sync_dir(dir)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    if from.is_dir() {
        durable::make_dir(to)?;
        for (name, path) in durable::list(from)? {
            copy(&path, &to.join(name))?;
        }
        return durable::sync_dir(to);
    }
    fs::copy(from, to).map_err(io("copy for the backup", to))?;
    fs::File::open(to)
        .and_then(|file| file.sync_all())
        .map_err(io("sync", to))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rename_step(dir: &Path) -> Result<()> {
        let (old, new) = (dir.join("old"), dir.join("new"));
        fs::rename(&old, &new).map_err(io("rename", &new))
    }

    #[test]
    fn an_old_schema_is_backed_up_then_migrated() {
        let dir = tempfile::tempdir().unwrap();
        marks::write_version(dir.path(), 1).unwrap();
        fs::write(dir.path().join("old"), "content").unwrap();
        let steps: &[Step] = &[(1, rename_step)];
        assert_eq!(migrate(dir.path(), 2, steps).unwrap(), Some(1));
        assert_eq!(marks::read_version(dir.path()).unwrap(), Some(2));
        assert_eq!(fs::read(dir.path().join("new")).unwrap(), b"content");
        let backup = dir.path().join("backup-schema-1");
        assert_eq!(fs::read(backup.join("old")).unwrap(), b"content");
        assert_eq!(marks::read_version(&backup).unwrap(), Some(1));
        assert_eq!(migrate(dir.path(), 2, steps).unwrap(), None);
    }

    #[test]
    fn a_newer_schema_is_refused_by_its_number() {
        let dir = tempfile::tempdir().unwrap();
        marks::write_version(dir.path(), 9).unwrap();
        let refusal = migrate(dir.path(), 2, &[]).unwrap_err();
        assert!(matches!(
            refusal,
            LedgerError::Schema {
                found: 9,
                known: 2,
                ..
            }
        ));
    }
}
