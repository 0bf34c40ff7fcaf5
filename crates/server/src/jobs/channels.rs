//! Chooses the sender of each channel: SMTP for email and a provider for SMS. Messages of a channel without settings
//! stay in the outbox.

use crate::integrations::mail::smtp::Smtp;
use crate::integrations::outbox::Channel;
use crate::integrations::sms;
use crate::jobs::outbox::{Kept, Outgoing, Sender, Sending};
use crate::settings::Settings;

/// A sender for each channel.
pub struct Channels {
    mail: Box<dyn Sender>,
    sms: Box<dyn Sender>,
}

impl Channels {
    /// Opens the senders of the settings. Does not connect yet. The demo sends nothing, whatever is configured, because
    /// its phone numbers may belong to real people. Must be called inside the Tokio runtime.
    ///
    /// # Errors
    /// A message that names the wrong setting.
    pub fn open(settings: &Settings) -> anyhow::Result<Self> {
        let (mut mail, mut sms): (Box<dyn Sender>, Box<dyn Sender>) = (Box::new(Kept), Box::new(Kept));
        if !settings.demo {
            if let Some(smtp) = Smtp::open(settings)? {
                mail = Box::new(smtp);
            }
            if let Some(provider) = sms::open(settings)? {
                sms = provider;
            }
        }
        Ok(Self { mail, sms })
    }

    fn of(&self, channel: &str) -> &dyn Sender {
        if channel == Channel::Email.as_str() { &*self.mail } else { &*self.sms }
    }
}

impl Sender for Channels {
    fn send<'a>(&'a self, message: &'a Outgoing) -> Sending<'a> {
        self.of(&message.channel).send(message)
    }

    fn keeps(&self, channel: &str) -> bool {
        self.of(channel).keeps(channel)
    }
}
