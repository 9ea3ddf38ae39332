//! SS58, the text form of a hotkey: base58 of network prefix, public key and two bytes of checksum.

use blake2::{Blake2b512, Digest};
use mechanism::ids::Hotkey;

use crate::error::SignerError;

/// The network prefix of "any Substrate chain", which the subnet's hotkeys carry.
pub const PREFIX: u8 = 42;

const KEY_BYTES: usize = 32;
const CHECKSUM_BYTES: usize = 2;
const TOTAL_BYTES: usize = 1 + KEY_BYTES + CHECKSUM_BYTES;
/// Base58 of 35 bytes has at most 48 characters; the decoder's time grows with the square of the length.
const LONGEST_TEXT: usize = 48;

/// The hotkey of a public key.
#[must_use]
pub fn encode(public: &[u8; KEY_BYTES]) -> Hotkey {
    let mut bytes = Vec::with_capacity(TOTAL_BYTES);
    bytes.push(PREFIX);
    bytes.extend_from_slice(public);
    let checksum = checksum(&bytes);
    bytes.extend_from_slice(&checksum);
    Hotkey::new(bs58::encode(bytes).into_string())
}

/// The public key of a hotkey. It need not be a point of the curve: [`crate::verify`] checks that.
///
/// # Errors
/// The text is no base58, has another length or network prefix, or its checksum does not fit.
pub fn decode(hotkey: &Hotkey) -> Result<[u8; KEY_BYTES], SignerError> {
    let text = hotkey.as_str();
    let refuse = |reason| {
        let text = text.chars().take(LONGEST_TEXT + 1).collect();
        SignerError::Address { text, reason }
    };
    if text.len() > LONGEST_TEXT {
        return Err(refuse("it is longer than 48 characters; copy it again"));
    }
    let bytes = bs58::decode(text)
        .into_vec()
        .map_err(|_| refuse("it is not base58; copy it again"))?;
    let Some((&prefix, _)) = bytes.split_first() else {
        return Err(refuse("it is empty; give a hotkey"));
    };
    if prefix != PREFIX {
        return Err(refuse(
            "its network prefix is not 42; give the key in the generic Substrate form",
        ));
    }
    let body: Option<&[u8; 1 + KEY_BYTES]> = bytes.first_chunk();
    let (Some(body), TOTAL_BYTES) = (body, bytes.len()) else {
        return Err(refuse("it does not hold 32 bytes of key; copy it again"));
    };
    if bytes.last_chunk() != Some(&checksum(body)) {
        return Err(refuse("its checksum does not fit; look for a typing error"));
    }
    let mut public = [0; KEY_BYTES];
    public.copy_from_slice(&body[1..]);
    Ok(public)
}

fn checksum(prefixed_key: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let mut hasher = Blake2b512::new();
    hasher.update(b"SS58PRE");
    hasher.update(prefixed_key);
    let digest = hasher.finalize();
    [digest[0], digest[1]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The public development accounts of Substrate.
    const KNOWN: [(&str, &str); 2] = [
        (
            "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d",
            "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY",
        ),
        (
            "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48",
            "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty",
        ),
    ];

    #[test]
    fn known_accounts_have_their_known_addresses() {
        for (public, text) in KNOWN {
            let mut bytes = [0; 32];
            hex::decode_to_slice(public, &mut bytes).unwrap();
            assert_eq!(encode(&bytes).as_str(), text);
            assert_eq!(decode(&Hotkey::new(text)).unwrap(), bytes);
        }
    }

    #[test]
    fn what_is_no_hotkey_is_refused_with_the_reason() {
        let short = bs58::encode([PREFIX, 1, 2, 3]).into_string();
        let cases = [
            ("", "empty"),
            ("5Grwva0", "base58"),
            (
                "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQZ",
                "checksum",
            ),
            (&short, "32 bytes"),
            // The first known account with prefix 0 (Polkadot).
            ("15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5", "prefix"),
            (&"5".repeat(1 << 16), "longer"),
        ];
        for (text, reason) in cases {
            let error = decode(&Hotkey::new(text)).unwrap_err().to_string();
            assert!(error.contains(reason) && error.len() < 200, "{error}");
        }
    }

    proptest! {
        #[test]
        fn every_key_survives_the_round_trip(public: [u8; 32]) {
            prop_assert_eq!(decode(&encode(&public)).unwrap(), public);
        }

        #[test]
        fn any_text_gets_an_answer(text in ".{0,60}") {
            let _ = decode(&Hotkey::new(text));
        }
    }
}
