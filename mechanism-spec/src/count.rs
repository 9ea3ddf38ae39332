//! The bound on counts that keeps every product exact (SPEC.md S-1, `mechanism.md` *Numbers*).

/// Counts (tasks, findings, cells of a confusion matrix) stay below this power of two.
pub const COUNT_BITS: u32 = 30;

/// A count is too large for the exact arithmetic of the mechanism.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{count} {what} are too many: counts are below 2^30; pass fewer")]
pub struct CountTooLarge {
    /// What was counted, in plural.
    pub what: &'static str,
    /// The refused count.
    pub count: u64,
}

/// Refuses counts from 2^30.
///
/// # Errors
/// [`CountTooLarge`] from 2^30.
pub const fn check_count(what: &'static str, count: u64) -> Result<u64, CountTooLarge> {
    if count >> COUNT_BITS == 0 {
        Ok(count)
    } else {
        Err(CountTooLarge { what, count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_two_to_the_thirty() {
        assert_eq!(check_count("runs", (1 << 30) - 1), Ok((1 << 30) - 1));
        let refused = check_count("runs", 1 << 30).unwrap_err();
        assert_eq!(refused.count, 1 << 30);
    }
}
