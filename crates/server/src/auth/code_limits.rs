//! Limits on codes sent by SMS (security-and-proof 2.2). A code that is followed by a sign-in does not count. A known device
//! and an unconfirmed phone have limits of their own, so neither someone who knows the password nor someone who enters
//! another person's number can lock that person out of a known device.

use berth_db::Tx;
use berth_domain::id::UserId;
use berth_domain::time::Timestamp;
use berth_domain::value::Phone;

use crate::Result;
use crate::auth::throttle::{self, CODE_NEW_PHONE, CODE_REQUESTER, CODE_USER, Limit};
use crate::auth::tokens;
use crate::http::requester::Requester;

/// The limits that one code counts toward.
pub(crate) struct CodeLimits(Vec<(String, Limit)>);

impl CodeLimits {
    /// Limits of a code to the confirmed phone of a user who signs in. `device` is set for a known device.
    pub(crate) fn own_phone(user_id: UserId, device: Option<&str>, requester: &Requester) -> Self {
        Self(match device {
            Some(device) => vec![(format!("code:device:{device}"), CODE_USER)],
            None => vec![(format!("code:user:{user_id}"), CODE_USER), Self::for_requester(requester)],
        })
    }

    /// Limits of a code to a phone that the user wants to confirm: at the first sign-in, with its requester, or in an open
    /// session, without.
    pub(crate) fn new_phone(user_id: UserId, phone: &Phone, requester: Option<&Requester>) -> Self {
        let mut limits = vec![
            (format!("code:new:{user_id}"), CODE_USER),
            (format!("code:phone:{}", tokens::hash(phone.as_str())), CODE_NEW_PHONE),
        ];
        limits.extend(requester.map(Self::for_requester));
        Self(limits)
    }

    fn for_requester(requester: &Requester) -> (String, Limit) {
        (format!("code:requester:{}", requester.network()), CODE_REQUESTER)
    }

    /// Counts one code.
    ///
    /// # Errors
    /// [`crate::Error::TooMany`]. Roll the transaction back then, so that nothing is counted.
    pub(crate) async fn count(&self, tx: &mut Tx, now: Timestamp) -> Result<()> {
        for (key, limit) in &self.0 {
            throttle::attempt_within(tx, key, *limit, now).await?;
        }
        Ok(())
    }

    /// Returns codes that led to a sign-in or to a confirmed phone, so that they no longer count.
    pub(crate) async fn give_back(&self, tx: &mut Tx, codes: i64) -> Result<()> {
        for (key, _) in &self.0 {
            throttle::give_back(tx, key, codes).await?;
        }
        Ok(())
    }
}
