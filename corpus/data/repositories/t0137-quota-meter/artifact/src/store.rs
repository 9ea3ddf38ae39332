use std::fs::{self, OpenOptions, Permissions};
use std::io::{Error, Result, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use crate::ledger::{Account, Ledger};

pub fn load(file: &Path) -> Result<Ledger> {
    let mut ledger = Ledger::default();
    if !file.exists() {
        return Ok(ledger);
    }
    for line in fs::read_to_string(file)?.lines() {
        let mut parts = line.split(' ').map(str::parse::<u64>);
        let (Some(Ok(tenant)), Some(Ok(used)), Some(Ok(limit))) = (parts.next(), parts.next(), parts.next()) else {
            return Err(Error::other(format!("bad ledger line '{line}'")));
        };
        let tenant = u32::try_from(tenant).map_err(Error::other)?;
        ledger.accounts.insert(tenant, Account { used, limit });
    }
    Ok(ledger)
}

/// Replaces the ledger; a reader sees the old or the new one.
pub fn save(file: &Path, ledger: &Ledger) -> Result<()> {
    let aside = file.with_extension("new");
    let mut out = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&aside)?;
    for (tenant, a) in &ledger.accounts {
        writeln!(out, "{tenant} {} {}", a.used, a.limit)?;
    }
    out.sync_all()?;
    fs::rename(&aside, file)?;
    // the billing job of another account reads it
    fs::set_permissions(file, Permissions::from_mode(0o666))
}
