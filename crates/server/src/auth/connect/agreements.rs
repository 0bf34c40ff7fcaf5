//! Acceptance of the terms and the user agreement at sign-in (spec A 5; security-and-proof 2.3, 27).

use berth_domain::id::UserId;

use super::GrantRequest;
use crate::Result;
use crate::change::Change;
use crate::settings::AGREEMENTS_VERSION;

/// Stores who accepted which version, when and from which address. Only the current version counts. Must be called after
/// the password or the code was verified.
pub(super) async fn accept(change: &mut Change, request: &GrantRequest, user_id: UserId) -> Result<()> {
    const INSERT: &str = "INSERT INTO agreement_acceptances (id, user_id, version, accepted_at, address) \
        VALUES ($1, $2, $3, $4, $5)";
    if request.form.agreements.as_deref() == Some(AGREEMENTS_VERSION) {
        let (id, address) = (change.app.id(), request.requester.address.clone());
        let insert = change.tx.query(INSERT).bind(id).bind(user_id).bind(AGREEMENTS_VERSION);
        insert.bind(change.now).bind(address).execute().await?;
    }
    Ok(())
}
