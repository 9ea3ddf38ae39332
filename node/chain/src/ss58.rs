//! SS58: the text form of a public key. One prefix byte, 32 key bytes, two checksum bytes, in base 58.

use blake2::{Blake2b512, Digest};
use ed25519_dalek::VerifyingKey;
use mechanism::ids::Hotkey;

/// The generic substrate prefix, the only one a hotkey may have.
const PREFIX: u8 = 42;
const KEY: std::ops::Range<usize> = 1..33;
const LENGTH: usize = 35;

/// The text is not the SS58 form of an ed25519 key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("hotkey '{hotkey}' is not an SS58 key with prefix 42 ({reason}); see `assay keys show`")]
pub struct Ss58Error {
    /// The text.
    pub hotkey: String,
    /// What does not fit.
    pub reason: &'static str,
}

/// The public key that a hotkey's text stands for.
///
/// # Errors
/// [`Ss58Error`] when the base, length, prefix or checksum is wrong, or the bytes are no point of the curve.
pub fn decode_hotkey(hotkey: &Hotkey) -> Result<VerifyingKey, Ss58Error> {
    let refuse = |reason| Ss58Error {
        hotkey: hotkey.to_string(),
        reason,
    };
    let bytes = bs58::decode(hotkey.as_str())
        .into_vec()
        .map_err(|_| refuse("not base 58"))?;
    if bytes.len() != LENGTH {
        return Err(refuse("not 35 bytes"));
    }
    if bytes.first() != Some(&PREFIX) {
        return Err(refuse("another prefix"));
    }
    let (payload, sum) = bytes.split_at(KEY.end);
    if checksum(payload) != sum {
        return Err(refuse("the checksum differs"));
    }
    let key: [u8; 32] = payload
        .get(KEY)
        .and_then(|key| key.try_into().ok())
        .ok_or_else(|| refuse("not 32 key bytes"))?;
    VerifyingKey::from_bytes(&key).map_err(|_| refuse("no ed25519 point"))
}

fn checksum(payload: &[u8]) -> [u8; 2] {
    let hash = Blake2b512::new()
        .chain_update(b"SS58PRE")
        .chain_update(payload)
        .finalize();
    [hash[0], hash[1]]
}

/// The text form of a key, for tests.
#[cfg(test)]
pub(crate) fn encode(key: &VerifyingKey, prefix: u8) -> Hotkey {
    let mut bytes = vec![prefix];
    bytes.extend(key.as_bytes());
    bytes.extend(checksum(&bytes));
    Hotkey::new(bs58::encode(bytes).into_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ed25519_dalek::SigningKey;

    /// The well-known development account's ed25519 text, published with substrate.
    const ALICE: &str = "5FA9nQDVg267DEd8m1ZypXLBnvN7SFxYwV7ndqSYGiN9TTpu";
    const ALICE_KEY: &str = "88dc3417d5058ec4b4503e0c12ea1a0a89be200fe98922423d4334014fa6b0ee";

    #[test]
    fn a_published_address_decodes() {
        let key = decode_hotkey(&Hotkey::new(ALICE)).unwrap();
        assert_eq!(hex::encode(key.as_bytes()), ALICE_KEY);
        assert_eq!(encode(&key, PREFIX).as_str(), ALICE);
    }

    #[test]
    fn every_way_to_be_wrong_is_told_apart() {
        let key = SigningKey::from_bytes(&[7; 32]).verifying_key();
        let good = encode(&key, PREFIX).to_string();
        let reason = |text: &str| decode_hotkey(&Hotkey::new(text)).unwrap_err().reason;
        assert_eq!(reason("0OIl"), "not base 58");
        assert_eq!(reason(""), "not 35 bytes");
        assert_eq!(reason(&good[4..]), "not 35 bytes");
        assert_eq!(reason(encode(&key, 0).as_str()), "another prefix");
        let last = if good.ends_with('a') { "b" } else { "a" };
        let changed = format!("{}{last}", &good[..good.len() - 1]);
        assert_eq!(reason(&changed), "the checksum differs");
    }
}
