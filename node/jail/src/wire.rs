//! Frames with descriptors over a Unix stream socket: a little-endian `u32` length, then the body. Descriptors ride on the length.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use serde::{Serialize, de::DeserializeOwned};

/// Descriptors of one frame at most.
const MAX_FDS: usize = 4;
/// A body longer than this is refused: the largest honest one holds two kept outputs.
const MAX_BODY: usize = 64 << 20;

/// Why a frame could not be sent or received.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// The other side is gone.
    #[error("the peer closed the socket")]
    Closed,
    /// The socket failed.
    #[error("socket: {0}")]
    Socket(#[from] Errno),
    /// The bytes are no message of this protocol.
    #[error("malformed frame: {0}")]
    Malformed(&'static str),
    /// A message could not be encoded or decoded.
    #[error("codec: {0}")]
    Codec(#[from] postcard::Error),
}

/// Sends one message with its descriptors.
///
/// # Errors
/// When the peer is gone, the socket fails, or the message is too long.
pub fn send<T: Serialize>(
    socket: impl AsFd,
    message: &T,
    fds: &[BorrowedFd<'_>],
) -> Result<(), WireError> {
    let body = postcard::to_stdvec(message)?;
    let length = u32::try_from(body.len())
        .ok()
        .filter(|length| *length as usize <= MAX_BODY);
    let length = length
        .ok_or(WireError::Malformed("body too long"))?
        .to_le_bytes();
    if fds.len() > MAX_FDS {
        return Err(WireError::Malformed("too many descriptors"));
    }
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FDS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !fds.is_empty() && !control.push(SendAncillaryMessage::ScmRights(fds)) {
        return Err(WireError::Malformed("descriptors do not fit"));
    }
    let sent = retry(|| {
        sendmsg(
            &socket,
            &[IoSlice::new(&length)],
            &mut control,
            SendFlags::NOSIGNAL,
        )
    })?;
    send_all(&socket, &length[sent..])?;
    send_all(&socket, &body)
}

fn send_all(socket: &impl AsFd, mut bytes: &[u8]) -> Result<(), WireError> {
    while !bytes.is_empty() {
        let sent = retry(|| rustix::net::send(socket, bytes, SendFlags::NOSIGNAL))?;
        bytes = &bytes[sent..];
    }
    Ok(())
}

/// Receives one message and its descriptors (all close-on-exec).
///
/// # Errors
/// [`WireError::Closed`] when the peer closed between two frames; others when the socket or the bytes are bad.
pub fn receive<T: DeserializeOwned>(socket: impl AsFd) -> Result<(T, Vec<OwnedFd>), WireError> {
    let mut length = [0_u8; 4];
    let mut fds = Vec::new();
    let mut have = 0;
    while have < length.len() {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FDS))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let got = retry(|| {
            recvmsg(
                &socket,
                &mut [IoSliceMut::new(&mut length[have..])],
                &mut control,
                RecvFlags::CMSG_CLOEXEC,
            )
            .map(|got| got.bytes)
        })?;
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(rights) = message {
                fds.extend(rights);
            }
        }
        if got == 0 {
            return Err(WireError::Closed);
        }
        have += got;
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_BODY {
        return Err(WireError::Malformed("body too long"));
    }
    let mut body = vec![0_u8; length];
    let mut have = 0;
    while have < length {
        let (got, _) = retry(|| rustix::net::recv(&socket, &mut body[have..], RecvFlags::empty()))?;
        if got == 0 {
            return Err(WireError::Closed);
        }
        have += got;
    }
    Ok((postcard::from_bytes(&body)?, fds))
}

fn retry<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> Result<T, WireError> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            Err(Errno::PIPE | Errno::CONNRESET) => return Err(WireError::Closed),
            other => return Ok(other?),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn a_frame_brings_its_bytes_and_descriptors() {
        let (left, right) = UnixStream::pair().unwrap();
        let file = rustix::fs::memfd_create("x", rustix::fs::MemfdFlags::CLOEXEC).unwrap();
        rustix::io::write(&file, b"hello").unwrap();
        let sender = std::thread::spawn(move || {
            send(&left, &vec![7_u8; 300_000], &[file.as_fd()]).unwrap();
            send(&left, &"second".to_owned(), &[]).unwrap();
        });
        let (body, fds) = receive::<Vec<u8>>(&right).unwrap();
        assert_eq!(body, vec![7_u8; 300_000]);
        let mut text = [0; 5];
        assert_eq!(rustix::io::pread(&fds[0], &mut text, 0), Ok(5));
        assert_eq!(&text, b"hello");
        let (body, fds) = receive::<String>(&right).unwrap();
        assert_eq!((body.as_str(), fds.len()), ("second", 0));
        sender.join().unwrap();
        assert!(matches!(receive::<String>(&right), Err(WireError::Closed)));
    }

    #[test]
    fn a_length_beyond_the_bound_is_refused_before_memory_is_taken() {
        let (left, right) = UnixStream::pair().unwrap();
        rustix::io::write(&left, &u32::MAX.to_le_bytes()).unwrap();
        assert!(matches!(
            receive::<String>(&right),
            Err(WireError::Malformed("body too long"))
        ));
    }
}
