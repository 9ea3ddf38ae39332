use std::io::{Error, Result};

pub const TOKEN_LEN: usize = 32;

/// The shared secret of the clients.
pub struct Token([u8; TOKEN_LEN]);

impl Token {
    pub fn from_environment() -> Result<Self> {
        let text = std::env::var("METER_TOKEN").map_err(|_| Error::other("METER_TOKEN is not set"))?;
        let bytes: [u8; TOKEN_LEN] = text
            .into_bytes()
            .try_into()
            .map_err(|_| Error::other("METER_TOKEN has to be 32 bytes"))?;
        Ok(Token(bytes))
    }

    pub fn admits(&self, given: &[u8]) -> bool {
        given == self.0.as_slice()
    }
}
