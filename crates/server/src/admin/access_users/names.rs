//! Names belong to the person, not to one place: they may be changed by whoever may change each of the person's access
//! (docs/decisions/0015).

use std::collections::HashSet;

use berth_db::Tx;
use berth_domain::id::UserId;
use berth_domain::value::Name;

use super::{Row, select_access_users};
use crate::auth::caller::Caller;
use crate::{Error, Result};

/// Stores names; true if they differ from those before.
///
/// # Errors
/// 403 when the person also has access that the caller may not change.
pub(super) async fn store(tx: &mut Tx, caller: &Caller, row: &Row, first: &Name, last: &Name) -> Result<bool> {
    const SET: &str = "UPDATE users SET first_name = $2, last_name = $3 WHERE id = $1 AND deleted_at IS NULL";
    if first.as_str() == row.first_name && last.as_str() == row.last_name {
        return Ok(false);
    }
    if !is_wholly_in_reach(tx, caller, row.user_id).await? {
        let sentence = "This person also has access elsewhere. Only someone who manages all of those places can \
            change the name.";
        return Err(Error::Forbidden(sentence.to_owned()));
    }
    tx.query(SET).bind(row.user_id).bind(first.as_str().to_owned()).bind(last.as_str().to_owned()).execute().await?;
    Ok(true)
}

async fn is_wholly_in_reach(tx: &mut Tx, caller: &Caller, user_id: UserId) -> Result<bool> {
    Ok(!fixed(tx, caller, [user_id].into()).await?.contains(&user_id))
}

/// Those of `users` whose name the caller may not change, since they also have access that the caller may not change. An
/// invitation that was not accepted is no access yet.
pub(super) async fn fixed(tx: &mut Tx, caller: &Caller, users: HashSet<UserId>) -> Result<HashSet<UserId>> {
    const HELD: &str = select_access_users!("m.status <> 'PendingInvitation' AND m.user_id IN ($1..) ORDER BY m.id");
    if caller.is_global() {
        return Ok(HashSet::new());
    }
    let rows: Vec<Row> = tx.query(HELD).bind_list(users).all().await?;
    let fixed = rows.into_iter().filter(|row| !row.held().may_rename(&caller.actor));
    Ok(fixed.map(|row| row.user_id).collect())
}
