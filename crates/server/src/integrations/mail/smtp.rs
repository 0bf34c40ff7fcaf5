//! Sends email by SMTP, always over TLS: port 465 uses implicit TLS, any other port must offer STARTTLS. Neither the
//! password nor a message is ever sent unencrypted.

use std::time::Duration;

use anyhow::Context;
use lettre::message::Mailbox;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use secrecy::ExposeSecret;

use super::{compose, sender_address};
use crate::jobs::outbox::{Outgoing, SendError, Sender, Sending};
use crate::settings::Settings;

/// Timeout for sending one message, from the connection to the last answer. The lease of the outbox relies on it.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// When TLS begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// With the first byte (RFC 8314).
    Implicit,
    /// After `STARTTLS`. A server that does not offer it is not used.
    StartTls,
}

impl Security {
    /// Returns implicit TLS for port 465, STARTTLS for any other port.
    #[must_use]
    pub const fn of_port(port: u16) -> Self {
        if port == 465 { Self::Implicit } else { Self::StartTls }
    }
}

/// A mail server.
pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Smtp {
    /// Prepares the configured server; returns `None` if none is configured. Does not connect yet. Must be called
    /// inside the Tokio runtime.
    ///
    /// # Errors
    /// A message that names the wrong setting.
    pub fn open(settings: &Settings) -> anyhow::Result<Option<Self>> {
        let Some(host) = &settings.smtp_host else { return Ok(None) };
        Self::with_security(settings, host, Security::of_port(settings.smtp_port)).map(Some)
    }

    /// Like [`Smtp::open`], with the given kind of TLS.
    ///
    /// # Errors
    /// A message that names the wrong setting.
    pub fn with_security(settings: &Settings, host: &str, security: Security) -> anyhow::Result<Self> {
        let from = sender_address(settings)?;
        let mut parameters = TlsParameters::builder(host.to_owned());
        if let Some(file) = &settings.smtp_ca_file {
            let pem = std::fs::read(file).with_context(|| format!("smtp_ca_file: cannot read {}", file.display()))?;
            let root = Certificate::from_pem(&pem)
                .ok()
                .with_context(|| format!("smtp_ca_file: {} holds no certificate in PEM form", file.display()))?;
            parameters = parameters.add_root_certificate(root);
        }
        let parameters =
            parameters.build_rustls().ok().with_context(|| format!("smtp_host: TLS cannot be used with {host}"))?;
        let tls = match security {
            Security::Implicit => Tls::Wrapper(parameters),
            Security::StartTls => Tls::Required(parameters),
        };
        // The builder is called dangerous because it uses no TLS unless it is set, which is done here.
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host)
            .port(settings.smtp_port)
            .tls(tls)
            .timeout(Some(SEND_TIMEOUT));
        if let (Some(user), Some(password)) = (&settings.smtp_user, &settings.smtp_password) {
            builder = builder.credentials(Credentials::new(user.clone(), password.expose_secret().to_owned()));
        }
        Ok(Self { transport: builder.build(), from })
    }

    /// Checks that the server accepts a connection and the password.
    ///
    /// # Errors
    /// A message that says what is wrong.
    pub async fn answers(&self) -> anyhow::Result<()> {
        let outcome = tokio::time::timeout(SEND_TIMEOUT, self.transport.test_connection()).await;
        match outcome {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => anyhow::bail!("the mail server does not answer as it should"),
            Ok(Err(error)) => Err(anyhow::anyhow!(reason(&error))),
            Err(_) => Err(anyhow::anyhow!(TOO_SLOW)),
        }
    }
}

impl Sender for Smtp {
    fn send<'a>(&'a self, message: &'a Outgoing) -> Sending<'a> {
        Box::pin(async move {
            let mail = compose(&self.from, message)?;
            match tokio::time::timeout(SEND_TIMEOUT, self.transport.send(mail)).await {
                Ok(Ok(_)) => Ok(()),
                Ok(Err(error)) if error.is_permanent() => Err(SendError::Permanent(reason(&error))),
                Ok(Err(error)) => Err(SendError::Temporary(reason(&error))),
                Err(_) => Err(SendError::Temporary(TOO_SLOW.to_owned())),
            }
        })
    }
}

const TOO_SLOW: &str = "the mail server did not answer in time";

/// Returns what went wrong. The server's own text is left out, because it can contain the recipient's address.
fn reason(error: &Error) -> String {
    if let Some(code) = error.status() {
        let code = u16::from(code);
        return match code {
            530 | 534 | 535 | 538 => format!("the mail server refused smtp_user and smtp_password ({code})"),
            500.. => format!("the mail server refused the message ({code})"),
            _ => format!("the mail server cannot take the message now ({code})"),
        };
    }
    if error.is_timeout() {
        TOO_SLOW
    } else if error.is_tls() {
        "the mail server's certificate is not trusted"
    } else if error.is_client() {
        "the mail server does not offer what is needed: STARTTLS, a way to sign in, or letters beyond ASCII in addresses"
    } else if error.is_response() {
        "the mail server's answer is not understood"
    } else {
        "the mail server cannot be reached, its certificate is not trusted, or it hung up"
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::Security;

    #[test]
    fn port_465_uses_implicit_tls_and_any_other_starttls() {
        assert_eq!(Security::of_port(465), Security::Implicit);
        assert_eq!([25, 587, 2525].map(Security::of_port), [Security::StartTls; 3]);
    }
}
