//! `berth stripe-live-check`: runs Berth's scenario against Stripe itself, with a test key, and prints which expectations hold.

use anyhow::{Context, ensure};
use berth_stripe::Client;
use berth_stripe::live_check::live_check;
use secrecy::ExposeSecret;

use super::say;
use crate::app::Clock;
use crate::billing::payments;
use crate::settings::Settings;

/// Runs the scenario. Fails if something did not hold or could not be removed.
pub(super) async fn run(settings: Settings) -> anyhow::Result<()> {
    payments::check_address(&settings.stripe_api_base)?;
    let key =
        settings.stripe_secret_key.clone().context("set stripe_secret_key to a test key (sk_test_ or rk_test_)")?;
    // Everything that the scenario pays would be real money otherwise.
    let is_test = ["sk_test_", "rk_test_"].iter().any(|kind| key.expose_secret().starts_with(kind));
    ensure!(is_test, "stripe_secret_key is not a test key: this command takes sk_test_ and rk_test_ only");
    let client = Client::open(&settings.stripe_api_base, key)?;
    let run = format!("{:x}", Clock::System.now().millis());
    say(&format!(
        "Trying what Berth expects of Stripe at {} (run {run}). This takes about a minute.",
        settings.stripe_api_base
    ));
    let report = live_check(&client, &run).await;
    for finding in &report.findings {
        match &finding.instead {
            None => say(&format!("  holds   {}", finding.expected)),
            Some(instead) => say(&format!("  BROKEN  {}\n          {instead}", finding.expected)),
        }
    }
    for left in &report.left_behind {
        say(&format!("  LEFT    {left}"));
    }
    let broken = report.findings.iter().filter(|finding| finding.instead.is_some()).count();
    say(&format!("{} of {} expectations hold.", report.findings.len() - broken, report.findings.len()));
    ensure!(broken == 0, "{broken} of these expectations are broken");
    ensure!(report.left_behind.is_empty(), "some objects were left behind; remove them in Stripe's dashboard");
    say("All is well, and everything that was created is removed or archived.");
    Ok(())
}
