use std::io::{Error, Read, Result};

use crate::auth::{Token, TOKEN_LEN};

const RECORD: usize = 12;

pub struct Record {
    pub tenant: u32,
    pub units: u64,
}

fn word<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes[..N]);
    out
}

/// One batch of a client that knows the token.
pub fn read_batch(peer: &mut impl Read, token: &Token) -> Result<Vec<Record>> {
    let mut head = [0u8; 4 + TOKEN_LEN + 4];
    peer.read_exact(&mut head)?;
    let count = u32::from_be_bytes(word(&head[4 + TOKEN_LEN..]));
    let mut body = vec![0u8; count as usize * RECORD];
    if &head[..4] != b"MTR1" {
        return Err(Error::other("not a meter client"));
    }
    if !token.admits(&head[4..4 + TOKEN_LEN]) {
        return Err(Error::other("wrong token"));
    }
    peer.read_exact(&mut body)?;
    let record = |r: &[u8]| Record {
        tenant: u32::from_be_bytes(word(r)),
        units: u64::from_be_bytes(word(&r[4..])),
    };
    Ok(body.chunks_exact(RECORD).map(record).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_big_endian() {
        assert_eq!(u32::from_be_bytes(word(&[0, 0, 1, 2, 9])), 258);
    }
}
