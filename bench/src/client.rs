//! A minimal HTTP/1.1 client that keeps its connection: on two cores, every cycle of the load generator is one that the
//! server does not get.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

/// One connection, which is opened again after the server has closed it.
pub struct Client {
    address: SocketAddr,
    stream: Option<TcpStream>,
    buffer: Vec<u8>,
}

/// An answer; the body stays in the client's buffer until the next request.
pub struct Answer<'a> {
    /// The HTTP status.
    pub status: u16,
    /// The status line and headers.
    pub head: &'a str,
    /// The whole body.
    pub body: &'a [u8],
    /// Time from sending the request to the first part of the body.
    pub first: Duration,
}

impl Client {
    /// Creates a client of the server at `address` without opening a connection.
    #[must_use]
    pub fn new(address: SocketAddr) -> Self {
        Self { address, stream: None, buffer: Vec::with_capacity(64 * 1024) }
    }

    /// Sends a complete request and waits for the whole answer.
    ///
    /// # Errors
    /// If the server cannot be reached, closes the connection early, or sends invalid HTTP.
    pub fn send(&mut self, request: &[u8]) -> anyhow::Result<Answer<'_>> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => self.open()?,
        };
        let begun = Instant::now();
        stream.write_all(request)?;
        self.buffer.clear();
        let head_end = loop {
            read_more(&mut stream, &mut self.buffer)?;
            if let Some(end) = find(&self.buffer, b"\r\n\r\n", 0) {
                break end + 4;
            }
        };
        // A chunked body may begin right after its headers.
        if self.buffer.len() == head_end && header_of(&self.buffer, "transfer-encoding")?.is_some() {
            read_more(&mut stream, &mut self.buffer)?;
        }
        let first = begun.elapsed();
        let head = std::str::from_utf8(&self.buffer[..head_end]).context("a head that is no text")?;
        let status: u16 = head.get(9..12).and_then(|text| text.parse().ok()).context("an answer without a status")?;
        let close = header(head, "connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
        let body_end = if matches!(status, 204 | 304) {
            head_end
        } else if let Some(length) = header(head, "content-length") {
            let end = head_end + length.parse::<usize>().context("a length that is no number")?;
            while self.buffer.len() < end {
                read_more(&mut stream, &mut self.buffer)?;
            }
            end
        } else if header(head, "transfer-encoding").is_some() {
            self.chunks(&mut stream, head_end)?
        } else {
            bail!("an answer of unknown length")
        };
        if !close {
            self.stream = Some(stream);
        }
        let head = std::str::from_utf8(&self.buffer[..head_end]).context("a head that is no text")?;
        Ok(Answer { status, head, body: &self.buffer[head_end..body_end], first })
    }

    fn open(&self) -> anyhow::Result<TcpStream> {
        let stream = TcpStream::connect(self.address).with_context(|| format!("no server at {}", self.address))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        Ok(stream)
    }

    /// Joins the chunks of a body and returns its end.
    fn chunks(&mut self, stream: &mut TcpStream, start: usize) -> anyhow::Result<usize> {
        let (mut read, mut written) = (start, start);
        loop {
            let line_end = loop {
                if let Some(end) = find(&self.buffer, b"\r\n", read) {
                    break end;
                }
                read_more(stream, &mut self.buffer)?;
            };
            let size = std::str::from_utf8(&self.buffer[read..line_end])?;
            let size = usize::from_str_radix(size.split(';').next().unwrap_or_default().trim(), 16)?;
            let next = line_end + 2 + size + 2;
            while self.buffer.len() < next {
                read_more(stream, &mut self.buffer)?;
            }
            if size == 0 {
                return Ok(written);
            }
            self.buffer.copy_within(line_end + 2..line_end + 2 + size, written);
            written += size;
            read = next;
        }
    }
}

fn header_of<'a>(head: &'a [u8], name: &str) -> anyhow::Result<Option<&'a str>> {
    Ok(header(std::str::from_utf8(head).context("a head that is no text")?, name))
}

/// The value of a header; its name is matched case-insensitively.
#[must_use]
pub fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().skip(1).find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

/// A complete request. `headers` are lines without line endings.
#[must_use]
pub fn request(method: &str, path: &str, headers: &[&str], body: Option<&str>) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n");
    for line in headers {
        text.push_str(line);
        text.push_str("\r\n");
    }
    if let Some(body) = body {
        if !headers.iter().any(|line| line.to_ascii_lowercase().starts_with("content-type")) {
            text.push_str("Content-Type: application/json\r\n");
        }
        text.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
    } else {
        text.push_str("\r\n");
    }
    text.into_bytes()
}

fn find(bytes: &[u8], what: &[u8], from: usize) -> Option<usize> {
    bytes.get(from..)?.windows(what.len()).position(|window| window == what).map(|at| at + from)
}

fn read_more(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> anyhow::Result<()> {
    let before = buffer.len();
    buffer.resize(before + 32 * 1024, 0);
    let count = loop {
        match stream.read(&mut buffer[before..]) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            other => break other?,
        }
    };
    buffer.truncate(before + count);
    if count == 0 {
        bail!("the server hung up in the middle of an answer");
    }
    Ok(())
}
