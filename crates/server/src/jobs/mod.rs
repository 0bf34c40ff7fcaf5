//! Background jobs: expiring holds, offering beds to the waitlist, sending messages, deleting old data, recording reads, sealing the audit log, and
//! billing.
//!
//! Several nodes share the jobs: a due job is leased in the table `jobs`, so that one node runs it; each node takes
//! rows of the outbox for itself. If a lease expires while its job still runs, the job may run twice without harm,
//! because every statement checks the state that it changes.
//!
//! Each job is a function `run(app)` that returns how much it did. Tests call it with their own clock.

pub mod audit_marks;
pub mod channels;
pub mod cleanup;
pub mod guest_texts;
pub mod holds;
pub mod lease;
pub mod name_keys;
pub mod notices;
pub mod offers;
pub mod outbox;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;

use self::outbox::Sender;
use crate::admin::audit_log::seals;
use crate::billing::subscriptions;
use crate::integrations::outbox::Channel;
use crate::{App, Result};

/// A background job.
#[derive(Debug, Clone, Copy)]
enum Job {
    Holds,
    /// Offers of beds to the waitlist.
    Offers,
    /// Text messages to guests.
    GuestTexts,
    /// Notices to users about reservations.
    Notices,
    /// Messages of one channel, so that a slow mail server does not delay codes by SMS.
    Outbox(Channel),
    Cleanup,
    AuditMarks,
    AuditSeals,
    Billing,
}

impl Job {
    const ALL: [Self; 10] = [
        Self::Holds,
        Self::Offers,
        Self::GuestTexts,
        Self::Notices,
        Self::Outbox(Channel::Email),
        Self::Outbox(Channel::Sms),
        Self::Cleanup,
        Self::AuditMarks,
        Self::AuditSeals,
        Self::Billing,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Offers => "offers",
            Self::GuestTexts => "guest-texts",
            Self::Notices => "notices",
            Self::Outbox(Channel::Email) => "outbox-email",
            Self::Outbox(Channel::Sms) => "outbox-sms",
            Self::Cleanup => "cleanup",
            Self::AuditMarks => "audit-marks",
            Self::AuditSeals => "audit-seals",
            Self::Billing => "billing",
        }
    }

    /// Returns how often the job checks for work.
    const fn interval(self) -> Duration {
        match self {
            Self::Holds | Self::Offers | Self::GuestTexts | Self::Notices | Self::Outbox(_) => Duration::from_secs(1),
            Self::Billing => Duration::from_secs(2),
            Self::Cleanup => Duration::from_mins(1),
            Self::AuditMarks | Self::AuditSeals => Duration::from_secs(20),
        }
    }

    /// Returns the duration of a lease in seconds; `None` for the outbox, whose rows have leases of their own.
    const fn lease_seconds(self) -> Option<i64> {
        match self {
            Self::Holds | Self::Offers | Self::GuestTexts | Self::Notices => Some(30),
            Self::Outbox(_) => None,
            Self::Cleanup | Self::AuditMarks | Self::AuditSeals | Self::Billing => Some(300),
        }
    }

    /// Returns the milliseconds until the job may run again.
    const fn pause(self) -> i64 {
        match self {
            Self::Cleanup => 600_000,
            _ => 0,
        }
    }

    /// Returns true if there is work. Only reads, so that an idle server writes nothing.
    async fn is_due(self, app: &App) -> Result<bool> {
        match self {
            Self::Holds => holds::is_due(app).await,
            Self::Offers => offers::is_due(app).await,
            Self::GuestTexts => guest_texts::is_due(app).await,
            Self::Notices => notices::is_due(app).await,
            Self::Outbox(channel) => outbox::is_due(app, channel).await,
            Self::Cleanup => cleanup::is_due(app).await,
            Self::AuditMarks => audit_marks::is_due(app).await,
            Self::AuditSeals => {
                seals::follow(app).await?;
                seals::is_due(app).await
            }
            Self::Billing => subscriptions::is_due(app).await,
        }
    }

    async fn run(self, app: &App, sender: &dyn Sender) -> Result<u64> {
        match self {
            Self::Holds => holds::run(app).await,
            Self::Offers => offers::run(app).await,
            Self::GuestTexts => guest_texts::run(app).await,
            Self::Notices => notices::run(app).await,
            Self::Outbox(channel) => outbox::run_channel(app, sender, channel).await,
            Self::Cleanup => cleanup::run(app).await,
            Self::AuditMarks => audit_marks::run(app).await,
            Self::AuditSeals => seals::run(app).await,
            Self::Billing => subscriptions::run(app).await,
        }
    }

    /// Runs the job if it is due and no other node runs it.
    async fn run_if_due(self, app: &App, sender: &dyn Sender) -> Result<u64> {
        if !self.is_due(app).await? {
            return Ok(0);
        }
        let Some(seconds) = self.lease_seconds() else { return self.run(app, sender).await };
        let Some(lease) = lease::take(app, self.name(), seconds).await? else { return Ok(0) };
        let done = self.run(app, sender).await;
        lease.release(app, self.pause()).await?;
        done
    }
}

/// Interval at which recorded reads are written to the audit log.
const FLUSH_INTERVAL: Duration = Duration::from_millis(500);

/// Starts the jobs, which send messages by `sender`. After `stop` is cancelled, each job ends once its current run is
/// done.
#[must_use]
pub fn start(app: App, sender: Arc<dyn Sender>, stop: CancellationToken) -> JoinHandle<()> {
    let mut loops = JoinSet::new();
    for (job, sender) in Job::ALL.into_iter().zip(std::iter::repeat_n(sender, Job::ALL.len())) {
        loops.spawn(repeat(app.clone(), sender, stop.clone(), job));
    }
    loops.spawn(flush_reads(app, stop));
    tokio::spawn(async move { while loops.join_next().await.is_some() {} })
}

async fn repeat(app: App, sender: Arc<dyn Sender>, stop: CancellationToken, job: Job) {
    let mut failures = 0_u32;
    loop {
        // The pause grows after failures, up to half a minute, because holds must not expire more than a minute late.
        let pause = job.interval().max(Duration::from_secs((1_u64 << failures.min(5)).min(30)));
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        // A panic is a bug, but must not stop the job.
        match AssertUnwindSafe(job.run_if_due(&app, &*sender)).catch_unwind().await {
            Ok(Ok(_)) => failures = 0,
            Ok(Err(error)) => {
                failures = failures.saturating_add(1);
                tracing::warn!(job = job.name(), error = %error, "a job failed; trying again");
            }
            Err(_) => {
                failures = failures.saturating_add(1);
                tracing::error!(job = job.name(), "a job panicked; trying again");
            }
        }
    }
}

async fn flush_reads(app: App, stop: CancellationToken) {
    loop {
        let stopped = tokio::select! {
            () = stop.cancelled() => true,
            () = tokio::time::sleep(FLUSH_INTERVAL) => false,
            () = app.reads.is_full() => false,
        };
        if let Err(error) = app.reads.flush(&app).await {
            tracing::warn!(error = %error, "could not record reads; trying again");
        }
        if stopped {
            return;
        }
    }
}
