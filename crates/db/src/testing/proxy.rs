//! A TCP proxy for tests of network failures: it cuts, stalls and resumes.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What the proxy does with data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Pass it on.
    Open,
    /// Hold it back and keep the connections.
    Stalled,
    /// Close all connections, new ones too.
    Cut,
}

/// A proxy on a free port of this machine. It ends when dropped.
pub struct Proxy {
    address: SocketAddr,
    way: watch::Sender<Way>,
}

impl Proxy {
    /// Starts a proxy to the host and port of a `postgres://` address.
    ///
    /// # Panics
    /// If no port can be opened, or the address has no host and port.
    pub async fn before(url: &str) -> Self {
        let (_, target) = url.split_once('@').expect("the address names a user");
        let target = target.split('/').next().expect("the address names a host").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("the port has an address");
        let (way, ways) = watch::channel(Way::Open);
        tokio::spawn(async move {
            let mut ended = ways.clone();
            loop {
                tokio::select! {
                    accepted = listener.accept() => {
                        let Ok((client, _)) = accepted else { break };
                        tokio::spawn(pass(client, target.clone(), ways.clone()));
                    }
                    // An error means that the proxy was dropped.
                    changed = ended.changed() => if changed.is_err() { break },
                }
            }
        });
        Self { address, way }
    }

    /// Returns the given address with the host and port of this proxy.
    ///
    /// # Panics
    /// If the address names no user.
    #[must_use]
    pub fn url(&self, url: &str) -> String {
        let (before, rest) = url.split_once('@').expect("the address names a user");
        let (_, path) = rest.split_once('/').unwrap_or((rest, ""));
        format!("{before}@{}/{path}", self.address)
    }

    /// Closes all connections and every new one, until [`mend`](Self::mend).
    pub fn cut(&self) {
        self.way.send_replace(Way::Cut);
    }

    /// Holds everything back without closing anything, until [`mend`](Self::mend).
    pub fn stall(&self) {
        self.way.send_replace(Way::Stalled);
    }

    /// Lets everything through again.
    pub fn mend(&self) {
        self.way.send_replace(Way::Open);
    }
}

async fn pass(client: TcpStream, target: String, ways: watch::Receiver<Way>) {
    if *ways.borrow() == Way::Cut {
        return;
    }
    let Ok(server) = TcpStream::connect(target).await else { return };
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let mut cut = ways.clone();
    tokio::select! {
        () = hand_on(from_client, to_server, ways.clone()) => {}
        () = hand_on(from_server, to_client, ways) => {}
        _ = cut.wait_for(|way| *way == Way::Cut) => {}
    }
}

async fn hand_on(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut ways: watch::Receiver<Way>) {
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        if ways.wait_for(|way| *way == Way::Open).await.is_err() || to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
}
