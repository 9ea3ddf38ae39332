use std::collections::BTreeMap;

pub const DEFAULT_LIMIT: u64 = 1_000_000;

#[derive(Clone, Copy)]
pub struct Account {
    pub used: u64,
    pub limit: u64,
}

#[derive(Default)]
pub struct Ledger {
    pub accounts: BTreeMap<u32, Account>,
}

impl Ledger {
    /// Books `units` unless they exceed what is left of the quota.
    pub fn charge(&mut self, tenant: u32, units: u64) -> bool {
        let account = self.accounts.entry(tenant).or_insert(Account { used: 0, limit: DEFAULT_LIMIT });
        if account.used + units > account.limit {
            return false;
        }
        account.used += units;
        true
    }

    /// Units of all tenants; None when they do not fit.
    pub fn total(&self) -> Option<u64> {
        self.accounts.values().try_fold(0u64, |sum, a| sum.checked_add(a.used))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_holds() {
        let mut ledger = Ledger::default();
        assert!(ledger.charge(7, DEFAULT_LIMIT));
        assert!(!ledger.charge(7, 1));
        assert_eq!(ledger.total(), Some(DEFAULT_LIMIT));
    }
}
