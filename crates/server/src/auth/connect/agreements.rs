//! The terms and the user agreement, accepted at sign-in: who accepted which version when and from where (spec A 5;
//! security-and-proof 2.3, 27).

use berth_db::Tx;
use berth_domain::id::UserId;

use super::Ask;
use crate::Result;
use crate::settings::AGREEMENTS_VERSION;

/// Stores the acceptance, once the password or the code has shown who accepts. An older version, or none, is no acceptance.
pub(super) async fn accept(ask: &Ask, tx: &mut Tx, user_id: UserId) -> Result<()> {
    const ACCEPT: &str = "INSERT INTO agreement_acceptances (id, user_id, version, accepted_at, address) \
        VALUES ($1, $2, $3, $4, $5)";
    if ask.form.agreements.as_deref() == Some(AGREEMENTS_VERSION) {
        let insert = tx.query(ACCEPT).bind(ask.app.id()).bind(user_id).bind(AGREEMENTS_VERSION).bind(ask.app.now());
        insert.bind(ask.requester.address.clone()).execute().await?;
    }
    Ok(())
}
