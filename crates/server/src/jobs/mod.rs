//! Recurring work: holds run out, messages are sent, old secrets go, reads are put on record, the trail gets its marks and
//! seals.
//!
//! Several nodes share it: a due job is taken under a lease in the table `jobs`, so that one node does it; of the outbox
//! every node takes rows of its own. Should a lease end while its work still runs, the work runs twice without harm:
//! every statement names the state it starts from.
//! Each job is a function `run(app)` that returns how much it did; tests call it with their own clock.

pub mod audit_marks;
pub mod channels;
pub mod cleanup;
pub mod guest_texts;
pub mod holds;
pub mod lease;
pub mod name_keys;
pub mod notices;
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

/// A job that nodes share.
#[derive(Debug, Clone, Copy)]
enum Job {
    Holds,
    /// What guests are told by SMS.
    GuestTexts,
    /// What users are told about reservations.
    Notices,
    /// Messages of one channel, so that a mail server that stalls holds up no code by SMS.
    Outbox(Channel),
    Cleanup,
    AuditMarks,
    AuditSeals,
    Billing,
}

impl Job {
    const ALL: [Self; 9] = [
        Self::Holds,
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

    /// How often it looks for work.
    const fn every(self) -> Duration {
        match self {
            Self::Holds | Self::GuestTexts | Self::Notices | Self::Outbox(_) => Duration::from_secs(1),
            Self::Billing => Duration::from_secs(2),
            Self::Cleanup => Duration::from_mins(1),
            Self::AuditMarks | Self::AuditSeals => Duration::from_secs(20),
        }
    }

    /// For how many seconds a node takes it; none for the outbox, whose rows carry leases themselves.
    const fn lease_seconds(self) -> Option<i64> {
        match self {
            Self::Holds | Self::GuestTexts | Self::Notices => Some(30),
            Self::Outbox(_) => None,
            Self::Cleanup | Self::AuditMarks | Self::AuditSeals | Self::Billing => Some(300),
        }
    }

    /// Milliseconds until some node may do it again.
    const fn pause(self) -> i64 {
        match self {
            Self::Cleanup => 600_000,
            _ => 0,
        }
    }

    /// Returns true if there is work, by a read alone: an idle server writes nothing.
    async fn is_due(self, app: &App) -> Result<bool> {
        match self {
            Self::Holds => holds::is_due(app).await,
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
            Self::GuestTexts => guest_texts::run(app).await,
            Self::Notices => notices::run(app).await,
            Self::Outbox(channel) => outbox::run_channel(app, sender, channel).await,
            Self::Cleanup => cleanup::run(app).await,
            Self::AuditMarks => audit_marks::run(app).await,
            Self::AuditSeals => seals::run(app).await,
            Self::Billing => subscriptions::run(app).await,
        }
    }

    /// Does what is due, if no other node is at it.
    async fn turn(self, app: &App, sender: &dyn Sender) -> Result<u64> {
        if !self.is_due(app).await? {
            return Ok(0);
        }
        let Some(seconds) = self.lease_seconds() else { return self.run(app, sender).await };
        let Some(lease) = lease::take(app, self.name(), seconds).await? else { return Ok(0) };
        let done = self.run(app, sender).await;
        lease.give_back(app, self.pause()).await?;
        done
    }
}

/// How long a read waits for others before they are put on record together.
const READS_EVERY: Duration = Duration::from_millis(500);

/// Starts the loops, which send messages by `sender`; they end after the token is cancelled, each with its work in hand done.
#[must_use]
pub fn start(app: App, sender: Arc<dyn Sender>, stop: CancellationToken) -> JoinHandle<()> {
    let mut loops = JoinSet::new();
    for (job, sender) in Job::ALL.into_iter().zip(std::iter::repeat_n(sender, Job::ALL.len())) {
        loops.spawn(repeat(app.clone(), sender, stop.clone(), job));
    }
    loops.spawn(reads(app, stop));
    tokio::spawn(async move { while loops.join_next().await.is_some() {} })
}

async fn repeat(app: App, sender: Arc<dyn Sender>, stop: CancellationToken, job: Job) {
    let mut failures = 0_u32;
    loop {
        // After failures the pauses grow, up to half a minute: holds must not be more than a minute late.
        let pause = job.every().max(Duration::from_secs((1_u64 << failures.min(5)).min(30)));
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        // A panic is a mistake of ours, and no reason for the outbox or the holds to stand still.
        match AssertUnwindSafe(job.turn(&app, &*sender)).catch_unwind().await {
            Ok(Ok(_)) => failures = 0,
            Ok(Err(error)) => {
                failures = failures.saturating_add(1);
                tracing::warn!(job = job.name(), error = %error, "a job failed; it will be tried again");
            }
            Err(_) => {
                failures = failures.saturating_add(1);
                tracing::error!(job = job.name(), "a job panicked; it will be tried again");
            }
        }
    }
}

async fn reads(app: App, stop: CancellationToken) {
    loop {
        let stopped = tokio::select! {
            () = stop.cancelled() => true,
            () = tokio::time::sleep(READS_EVERY) => false,
            () = app.reads.is_full() => false,
        };
        if let Err(error) = app.reads.flush(&app).await {
            tracing::warn!(error = %error, "reads could not be put on record; they wait on");
        }
        if stopped {
            return;
        }
    }
}
