//! A connection that ends when its client reads nothing for too long, to free its memory, file descriptor and stream.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// Wraps a connection. A write fails with `TimedOut` if no byte of it is taken within the limit.
pub(super) struct Stalled<T> {
    inner: T,
    limit: Duration,
    /// When the pending write fails.
    deadline: Pin<Box<Sleep>>,
    is_waiting: bool,
}

impl<T> Stalled<T> {
    pub(super) fn new(inner: T, limit: Duration) -> Self {
        Self { inner, limit, deadline: Box::pin(sleep(limit)), is_waiting: false }
    }

    /// Returns the result of a write, or the error once the limit has passed.
    fn watched<R>(&mut self, context: &mut Context<'_>, write: Poll<io::Result<R>>) -> Poll<io::Result<R>> {
        if write.is_ready() {
            self.is_waiting = false;
            return write;
        }
        if !std::mem::replace(&mut self.is_waiting, true) {
            self.deadline.as_mut().reset(Instant::now() + self.limit);
        }
        ready!(self.deadline.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client takes nothing of its answer")))
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Stalled<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Stalled<T> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.watched(context, write)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.inner).poll_write_vectored(context, bytes);
        self.watched(context, write)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flush = Pin::new(&mut self.inner).poll_flush(context);
        self.watched(context, flush)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use crate::http::connections::stalled::*;

    /// Writes as much as fits. Pending if nothing is accepted.
    async fn write(stalled: &mut Stalled<tokio::io::DuplexStream>) -> io::Result<usize> {
        poll_fn(|context| Pin::new(&mut *stalled).poll_write(context, b"12345678")).await
    }

    #[tokio::test]
    async fn a_write_that_the_client_does_not_read_fails_after_the_limit() {
        let (near, _far) = duplex(8);
        let mut stalled = Stalled::new(near, Duration::from_millis(1));
        stalled.write_all(b"12345678").await.unwrap();
        assert_eq!(write(&mut stalled).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn each_accepted_byte_restarts_the_limit() {
        let (near, mut far) = duplex(8);
        let mut stalled = Stalled::new(near, Duration::from_secs(3600));
        stalled.write_all(b"12345678").await.unwrap();
        let waits = |stalled: &mut Stalled<_>| {
            let mut context = Context::from_waker(std::task::Waker::noop());
            Pin::new(stalled).poll_write(&mut context, b"12345678").is_pending()
        };
        assert!(waits(&mut stalled));
        let first = stalled.deadline.deadline();
        far.read_exact(&mut [0; 4]).await.unwrap();
        assert_eq!(write(&mut stalled).await.unwrap(), 4);
        assert!(waits(&mut stalled));
        assert!(stalled.deadline.deadline() > first, "counted from the last accepted byte");
    }
}
