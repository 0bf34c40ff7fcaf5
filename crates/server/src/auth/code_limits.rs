//! How many codes by SMS are sent (security-and-proof 2.2). A code that a sign-in followed does not count. A device that
//! is known has a limit of its own, and so has a telephone that nobody has confirmed: neither somebody who knows the
//! password nor somebody who enters another person's number keeps that person out of a known device.

use berth_db::Tx;
use berth_domain::id::UserId;
use berth_domain::time::Timestamp;
use berth_domain::value::Phone;

use crate::Result;
use crate::auth::throttle::{self, CODE_NEW_PHONE, CODE_REQUESTER, CODE_USER, Limit};
use crate::auth::tokens;
use crate::http::requester::Requester;

/// The limits that one code counts against.
pub(crate) struct CodeLimits(Vec<(String, Limit)>);

impl CodeLimits {
    /// Of a code to the confirmed telephone of a user who signs in. `device` is the known device, if it is one.
    pub(crate) fn own_phone(user_id: UserId, device: Option<&str>, requester: &Requester) -> Self {
        Self(match device {
            Some(device) => vec![(format!("code:device:{device}"), CODE_USER)],
            None => vec![(format!("code:user:{user_id}"), CODE_USER), Self::of_requester(requester)],
        })
    }

    /// Of a code to a telephone that is to become the user's: at the first sign-in, with its requester, or in an open
    /// session.
    pub(crate) fn new_phone(user_id: UserId, phone: &Phone, requester: Option<&Requester>) -> Self {
        let mut limits = vec![
            (format!("code:new:{user_id}"), CODE_USER),
            (format!("code:phone:{}", tokens::hash(phone.as_str())), CODE_NEW_PHONE),
        ];
        limits.extend(requester.map(Self::of_requester));
        Self(limits)
    }

    fn of_requester(requester: &Requester) -> (String, Limit) {
        (format!("code:requester:{}", requester.network()), CODE_REQUESTER)
    }

    /// Counts one code.
    ///
    /// # Errors
    /// [`crate::Error::TooMany`]; the transaction is dropped then, and nothing was counted.
    pub(crate) async fn count(&self, tx: &mut Tx, now: Timestamp) -> Result<()> {
        for (key, limit) in &self.0 {
            throttle::attempt_within(tx, key, *limit, now).await?;
        }
        Ok(())
    }

    /// Gives the codes back that led to a sign-in, or to a confirmed telephone.
    pub(crate) async fn give_back(&self, tx: &mut Tx, codes: i64) -> Result<()> {
        for (key, _) in &self.0 {
            throttle::give_back(tx, key, codes).await?;
        }
        Ok(())
    }
}
