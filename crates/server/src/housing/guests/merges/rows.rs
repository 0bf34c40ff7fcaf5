//! The merges of a guest, in force and undone.

use berth_db::Tx;
use berth_domain::id::{GuestId, OrganizationId, SiteId, UserId};
use berth_domain::new_guest::display_name;
use berth_domain::policy::{Action, Target};
use berth_domain::time::Timestamp;

use crate::Result;
use crate::auth::caller::Caller;

/// A merge that a guest has a part in.
#[derive(Debug, berth_db::FromRow)]
pub struct MergeEvent {
    duplicate_id: GuestId,
    /// When it was merged.
    pub merged_at: Timestamp,
    /// Who merged it.
    pub merged_by: UserId,
    /// When the merge was undone.
    pub undone_at: Option<Timestamp>,
    /// Who undid it.
    pub undone_by: Option<UserId>,
    first_name: String,
    last_name: String,
    code: String,
    site_id: SiteId,
    organization_id: OrganizationId,
    is_commercial: bool,
}

impl MergeEvent {
    /// Returns true if `guest` is the duplicate, false if it was kept.
    pub fn is_duplicate(&self, guest: GuestId) -> bool {
        self.duplicate_id == guest
    }

    /// First name, last initial and code of the other reservation. `None` if it is at a site whose guests the caller may not see.
    pub fn other(&self, caller: &Caller) -> Option<String> {
        let Self { site_id: id, organization_id, is_commercial, .. } = *self;
        let is_seen = caller.may(Action::ViewGuests, &Target::Site { id, organization_id, is_commercial });
        is_seen.then(|| display_name(&self.first_name, &self.last_name, &self.code))
    }
}

/// Lists the merges of a guest, oldest first, each with the name of the other reservation.
pub async fn of_guest(tx: &mut Tx, id: GuestId) -> Result<Vec<MergeEvent>> {
    const MERGES: &str = "SELECT m.duplicate_id, m.merged_at, m.merged_by, m.undone_at, m.undone_by, \
        g.first_name, g.last_name, g.code, g.site_id, s.organization_id, o.is_commercial FROM ( \
            SELECT id, kept_id AS other_id FROM guest_merges WHERE duplicate_id = $1 \
            UNION ALL SELECT id, duplicate_id AS other_id FROM guest_merges WHERE kept_id = $1) x \
        JOIN guest_merges m ON m.id = x.id JOIN guests g ON g.id = x.other_id \
        JOIN sites s ON s.id = g.site_id JOIN organizations o ON o.id = s.organization_id ORDER BY m.merged_at, m.id";
    Ok(tx.query(MERGES).bind(id).all().await?)
}
