//! Checks that the settings fit together, each part by the module that uses it.

use anyhow::Context;
use berth_domain::limits;
use secrecy::ExposeSecret;

use crate::billing::payments;
use crate::integrations::{files, mail, places, sms};
use crate::settings::Settings;

impl Settings {
    /// Checks the settings and fills in defaults that depend on other settings.
    ///
    /// # Errors
    /// A sentence that names the setting.
    pub fn checked(mut self) -> anyhow::Result<Self> {
        anyhow::ensure!(limits::IDLE_MINUTES.contains(&self.idle_minutes), "idle_minutes must be between 5 and 60");
        anyhow::ensure!(limits::SESSION_HOURS.contains(&self.session_hours), "session_hours must be between 1 and 24");
        anyhow::ensure!(self.hashing_permits >= 1, "hashing_permits must be at least 1");
        if self.origins.is_empty() {
            let port = self.listen.port();
            self.origins = vec![format!("http://localhost:{port}"), format!("http://127.0.0.1:{port}")];
        }
        check_origins("origins", &self.origins)?;
        check_origins("find_frame_ancestors", &self.find_frame_ancestors)?;
        if let Some(key) = &self.secret_key {
            anyhow::ensure!(key.expose_secret().len() >= 32, "secret_key must have at least 32 characters");
        }
        mail::check(&self)?;
        sms::check(&self)?;
        files::check(&self)?;
        places::check(&self)?;
        payments::check(&self)?;
        if self.demo {
            self.moved_address.get_or_insert_with(|| "https://admin.berth.example".to_owned());
            self.support_phone.get_or_insert_with(|| "+1 (714) 555-0100".to_owned());
            self.contact_email.get_or_insert_with(|| "support@berth.example".to_owned());
            self.foundation.get_or_insert_with(|| "the Hollis Family Foundation".to_owned());
        }
        Ok(self)
    }
}

/// Checks that a setting lists origins, without a path.
fn check_origins(setting: &str, origins: &[String]) -> anyhow::Result<()> {
    for origin in origins {
        let url = url::Url::parse(origin).with_context(|| format!("{setting}: {origin} is no address"))?;
        anyhow::ensure!(url.origin().ascii_serialization() == *origin, "{setting}: write {origin} without a path");
    }
    Ok(())
}
