//! A plain HTTP/1.1 client over a real socket. It keeps its connection, chooses its own address, and measures how long an
//! answer took. A broken connection is an error and not retried, because the outcome of that request is unknown.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinHandle;

/// A request.
#[derive(Debug, Clone)]
pub struct Shot {
    pub method: &'static str,
    pub path: String,
    pub token: Option<&'static str>,
    pub key: Option<String>,
    pub body: Option<Value>,
}

impl Shot {
    /// A change by the user with this token.
    pub fn new(method: &'static str, path: impl Into<String>, token: &'static str, body: Value) -> Self {
        Self { method, path: path.into(), token: Some(token), key: None, body: Some(body) }
    }

    /// A read by the user with this token.
    pub fn get(path: impl Into<String>, token: &'static str) -> Self {
        Self { method: "GET", path: path.into(), token: Some(token), key: None, body: None }
    }
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub body: Value,
    pub took: Duration,
}

impl Answer {
    /// The body, after checking the status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        self.body
    }
}

/// How long a connection is kept for the next request. The server closes one that is idle for thirty seconds, as browsers expect.
const REUSE_FOR: Duration = Duration::from_secs(10);

/// One client of one server.
pub struct Client {
    server: SocketAddr,
    from: Ipv4Addr,
    stream: Option<BufReader<TcpStream>>,
    /// When the last request was answered.
    used: Instant,
}

impl Client {
    /// A client with an address of this machine.
    pub fn new(server: SocketAddr, from: Ipv4Addr) -> Self {
        Self { server, from, stream: None, used: Instant::now() }
    }

    /// Makes a request and reads the complete answer.
    pub async fn send(&mut self, shot: &Shot) -> io::Result<Answer> {
        let start = Instant::now();
        if self.used.elapsed() > REUSE_FOR {
            self.stream = None;
        }
        let exchanged = tokio::time::timeout(Duration::from_secs(60), self.exchange(shot)).await;
        match exchanged.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
            Ok((status, bytes)) => {
                self.used = Instant::now();
                let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
                Ok(Answer { status, body, took: start.elapsed() })
            }
            Err(error) => {
                self.stream = None;
                Err(error)
            }
        }
    }

    async fn exchange(&mut self, shot: &Shot) -> io::Result<(u16, Vec<u8>)> {
        let stream = self.stream().await?;
        stream.get_mut().write_all(&request(shot)).await?;
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if stream.read_line(&mut head).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let head = head.to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
        if let Some(length) = length {
            let mut body = vec![0; length];
            stream.read_exact(&mut body).await?;
            return Ok((status, body));
        }
        let mut body = Vec::new();
        while head.contains("transfer-encoding: chunked") {
            let mut size = String::new();
            stream.read_line(&mut size).await?;
            let size =
                usize::from_str_radix(size.trim(), 16).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
            let mut chunk = vec![0; size + 2];
            stream.read_exact(&mut chunk).await?;
            body.extend_from_slice(&chunk[..size]);
            if size == 0 {
                break;
            }
        }
        Ok((status, body))
    }

    async fn stream(&mut self) -> io::Result<&mut BufReader<TcpStream>> {
        if self.stream.is_none() {
            self.stream = Some(BufReader::new(connect(self.server, self.from).await?));
        }
        self.stream.as_mut().ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

/// Connects from an address of this machine.
pub async fn connect(server: SocketAddr, from: Ipv4Addr) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((from, 0)))?;
    let stream = socket.connect(server).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

fn request(shot: &Shot) -> Vec<u8> {
    let body = shot.body.as_ref().map(Value::to_string).unwrap_or_default();
    let mut text = format!("{} {} HTTP/1.1\r\nhost: localhost\r\n", shot.method, shot.path);
    if let Some(token) = shot.token {
        text.push_str(&format!("authorization: Bearer {token}\r\n"));
    }
    if let Some(key) = &shot.key {
        text.push_str(&format!("idempotency-key: {key}\r\n"));
    }
    if shot.body.is_some() {
        text.push_str("content-type: application/json\r\n");
    }
    text.push_str(&format!("content-length: {}\r\n\r\n{body}", body.len()));
    text.into_bytes()
}

/// Watches live events and keeps every version it got, by site, in order.
pub struct Watcher {
    heard: Arc<Mutex<Vec<(String, i64)>>>,
    lost: Arc<Mutex<u64>>,
    task: JoinHandle<()>,
}

impl Watcher {
    /// Opens a stream and returns once the server says that it is ready.
    pub async fn new(server: SocketAddr, token: &'static str) -> io::Result<Self> {
        let mut stream = BufReader::new(connect(server, Ipv4Addr::LOCALHOST).await?);
        stream.get_mut().write_all(&request(&Shot::get("/api/live", token))).await?;
        let mut line = String::new();
        while !line.contains("event: ready") {
            line.clear();
            if stream.read_line(&mut line).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let heard = Arc::new(Mutex::new(Vec::new()));
        let lost = Arc::new(Mutex::new(0));
        let task = tokio::spawn(listen(stream, Arc::clone(&heard), Arc::clone(&lost)));
        Ok(Self { heard, lost, task })
    }

    /// The versions of a site received so far.
    pub fn versions(&self, site: &str) -> Vec<i64> {
        self.heard.lock().unwrap().iter().filter(|(told, _)| told == site).map(|(_, version)| *version).collect()
    }

    /// The number of times the server said that events may be missing.
    pub fn resyncs(&self) -> u64 {
        *self.lost.lock().unwrap()
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn listen(mut stream: BufReader<TcpStream>, heard: Arc<Mutex<Vec<(String, i64)>>>, lost: Arc<Mutex<u64>>) {
    let mut line = String::new();
    while let Ok(1..) = stream.read_line(&mut line).await {
        if line.contains("event: resync") {
            *lost.lock().unwrap() += 1;
        }
        let event = line.trim().strip_prefix("data: ").and_then(|data| serde_json::from_str::<Value>(data).ok());
        if let Some(event) = event
            && let (Some(site), Some(version)) = (event["siteId"].as_str(), event["version"].as_i64())
        {
            heard.lock().unwrap().push((site.to_owned(), version));
        }
        line.clear();
    }
}
