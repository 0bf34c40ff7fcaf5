//! Cancels a reservation for its guest, on the public side (docs/decisions/0049).

use std::collections::HashMap;

use berth_domain::id::GuestId;
use berth_domain::stay::{self, GuestFacts};

use super::apply::Writer;
use super::board::facts;
use super::failure::Failure;
use crate::auth::caller::Site;
use crate::change::Change;

/// Cancels a reservation in a change that has touched its site, and returns the guest afterwards.
///
/// # Errors
/// [`Failure::Refused`] unless the reservation is pending.
pub async fn cancel(change: &mut Change, site: &Site, id: GuestId) -> Result<GuestFacts, Failure> {
    let at = change.now;
    let (code, guest) = facts(&mut change.tx, id).await?;
    let decided = stay::cancel(&guest, at)?;
    let codes = HashMap::from([(id, code)]);
    let writer = Writer { app: &change.app, site, by: &change.by, user_id: None, at, codes: &codes };
    writer.write(&mut change.tx, &decided).await?;
    Ok(facts(&mut change.tx, id).await?.1)
}
