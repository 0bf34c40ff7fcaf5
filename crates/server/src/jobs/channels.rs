//! Which way messages leave: mail by SMTP, SMS by a provider; a channel without settings is kept in the outbox.

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
    /// The senders of the settings. In the demo nothing leaves the machine, whatever is set: its people do not exist,
    /// but the numbers may. To be called inside the runtime; connects to nothing yet.
    ///
    /// # Errors
    /// A sentence that names the setting.
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
