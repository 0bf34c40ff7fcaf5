//! Names belong to the person, not to one membership: whoever may edit all of a person's memberships may change the name
//! (docs/decisions/0015).

use std::collections::HashSet;

use berth_db::Tx;
use berth_domain::id::UserId;
use berth_domain::value::Name;

use super::{Row, select_access_users};
use crate::auth::caller::Caller;
use crate::{Error, Result};

/// Returns true if the names differ from the stored ones.
pub(super) fn differ(row: &Row, first: &Name, last: &Name) -> bool {
    first.as_str() != row.first_name || last.as_str() != row.last_name
}

/// Checks that the caller may change the name of a person.
///
/// # Errors
/// 403 if the person also has access that the caller may not change.
pub(super) async fn check(tx: &mut Tx, caller: &Caller, row: &Row) -> Result<()> {
    if !fixed(tx, caller, [row.user_id].into()).await?.contains(&row.user_id) {
        return Ok(());
    }
    let sentence = "This person also has access elsewhere. Only someone who manages all of those places can \
        change the name.";
    Err(Error::Forbidden(sentence.to_owned()))
}

/// Updates the name of a person. Comes after the update of a membership (see `locks`).
///
/// # Errors
/// 412 if the name was changed since it was read.
pub(super) async fn update(tx: &mut Tx, row: &Row, first: &Name, last: &Name) -> Result<()> {
    const UPDATE: &str = "UPDATE users SET first_name = $2, last_name = $3 WHERE id = $1 AND deleted_at IS NULL \
        AND first_name = $4 AND last_name = $5";
    let update = tx.query(UPDATE).bind(row.user_id).bind(first.as_str().to_owned()).bind(last.as_str().to_owned());
    let update = update.bind(&row.first_name).bind(&row.last_name);
    if update.execute().await? == 1 { Ok(()) } else { Err(Error::Stale(None)) }
}

/// Returns those of `users` whose name the caller may not change because they have a membership that the caller may not edit.
/// Pending invitations do not count.
pub(super) async fn fixed(tx: &mut Tx, caller: &Caller, users: HashSet<UserId>) -> Result<HashSet<UserId>> {
    const HELD: &str = select_access_users!("m.status <> 'PendingInvitation' AND m.user_id IN ($1..) ORDER BY m.id");
    if caller.is_global() {
        return Ok(HashSet::new());
    }
    let rows: Vec<Row> = tx.query(HELD).bind_list(users).all().await?;
    let fixed = rows.into_iter().filter(|row| !row.held().may_rename(&caller.actor));
    Ok(fixed.map(|row| row.user_id).collect())
}
