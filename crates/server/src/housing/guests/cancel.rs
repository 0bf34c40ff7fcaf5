//! The guest cancels the reservation on the public side (docs/decisions/0049).

use std::collections::HashMap;

use berth_db::Tx;
use berth_domain::id::GuestId;
use berth_domain::stay::{self, GuestFacts};

use super::apply::Writer;
use super::board::facts;
use super::failure::Failure;
use crate::App;
use crate::admin::audit_log::Author;
use crate::auth::caller::Site;

/// Cancels a reservation in a transaction that has touched its site, and returns the guest as it then is.
///
/// # Errors
/// A refusal unless the reservation waits.
pub async fn cancel(app: &App, tx: &mut Tx, (site, by): (&Site, &Author), id: GuestId) -> Result<GuestFacts, Failure> {
    let at = app.now();
    let (code, guest) = facts(tx, id).await?;
    let change = stay::cancel(&guest, at)?;
    let codes = HashMap::from([(id, code)]);
    Writer { app, site, by, user_id: None, at, codes: &codes }.write(tx, &change).await?;
    Ok(facts(tx, id).await?.1)
}
