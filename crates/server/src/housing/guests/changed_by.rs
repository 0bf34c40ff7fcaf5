//! Finds the person behind the change because of which a command was refused.

use berth_db::Tx;
use berth_domain::id::{BedId, GuestId, UserId};
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Result;

/// The person behind the change because of which a command was refused.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedBy {
    /// First and last name. Null for an account without a name.
    pub name: Option<String>,
    /// True if it was the caller: in another window, or by a request whose answer was lost.
    pub is_you: bool,
    /// When the change was made.
    pub at: Timestamp,
}

#[derive(berth_db::FromRow)]
struct Row {
    at: Timestamp,
    user_id: Option<UserId>,
    first_name: Option<String>,
    last_name: Option<String>,
}

impl Row {
    /// Returns `None` if no user did it: a hold ended, or it happened on the public side.
    fn person(self, caller: UserId) -> Option<ChangedBy> {
        let user_id = self.user_id?;
        let name = [self.first_name, self.last_name].into_iter().flatten().collect::<Vec<_>>().join(" ");
        let name = Some(name.trim().to_owned()).filter(|name| !name.is_empty());
        Some(ChangedBy { name, is_you: user_id == caller, at: self.at })
    }
}

/// Finds who last decided about a guest or, with `or_held`, extended the hold or set the day of departure.
pub(super) async fn last_of_guest(
    tx: &mut Tx,
    guest: GuestId,
    caller: UserId,
    or_held: bool,
) -> Result<Option<ChangedBy>> {
    const LAST: &str = "SELECT a.at, a.actor_id AS user_id, u.first_name, u.last_name FROM audit a \
        LEFT JOIN users u ON u.id = a.actor_id WHERE a.object_id = $1 AND a.object_type = 'guest' \
        AND (a.action IN ('guest.accepted', 'guest.cancelled', 'guest.reassigned', 'guest.swapped', 'guest.rejected', \
        'guest.discharged', 'guest.merged', 'guest.merge-undone', \
        'guest.expired', 'guest.arrived', 'guest.arrival-undone', 'guest.accept-undone', 'guest.decline-undone', 'guest.discharge-undone') \
        OR ($2 AND a.action IN ('guest.hold-extended', 'guest.departure-set'))) \
        ORDER BY a.at DESC, a.id DESC LIMIT 1";
    let row: Option<Row> = tx.query(LAST).bind(guest).bind(or_held).optional().await?;
    Ok(row.and_then(|row| row.person(caller)))
}

/// Finds who assigned a bed to the guest who has it now.
pub(super) async fn of_bed(tx: &mut Tx, bed: BedId, caller: UserId) -> Result<Option<ChangedBy>> {
    const HOLDER: &str = "SELECT s.started_at AS at, s.started_by AS user_id, u.first_name, u.last_name FROM stays s \
        LEFT JOIN users u ON u.id = s.started_by WHERE s.bed_id = $1 AND s.ended_at IS NULL";
    let row: Option<Row> = tx.query(HOLDER).bind(bed).optional().await?;
    Ok(row.and_then(|row| row.person(caller)))
}
