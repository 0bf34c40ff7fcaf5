//! Makes two pairs of reservations of one person: one that is merged already, and one that can be merged.

use berth_domain::catalog::Gender;
use berth_domain::id::{GuestId, SiteId};
use berth_domain::role::Role;

use super::fill::{AuditLine, Placed, World};
use super::guests::OFFICE_ADDRESS;
use super::rules;
use berth_server::admin::audit_log::{AuditAction, ObjectKind};

/// The site where a guest who came back has one reservation merged into the other.
const MERGED_AT: &str = "Harbor Light Laguna Beach";
/// Hours since the merge.
const SINCE: i64 = 18;

macro_rules! party {
    ($condition:literal) => {
        concat!(
            "SELECT id, code, first_name, first_name_key, last_name, gender, age_service_id, phone, email, email_key \
             FROM guests WHERE site_id = $1 AND ",
            $condition,
            " LIMIT 1"
        )
    };
}

/// A guest, and what is the same in every reservation of one person.
#[derive(berth_db::FromRow)]
struct Party {
    id: GuestId,
    code: String,
    first_name: String,
    first_name_key: String,
    last_name: String,
    gender: Gender,
    age_service_id: String,
    phone: String,
    email: String,
    email_key: String,
}

/// Makes the pairs.
pub(super) async fn make(world: &mut World, sites: &[Placed]) -> berth_db::Result<()> {
    const LEFT: &str = party!("discharged_at IS NOT NULL ORDER BY discharged_at");
    const IN_BED: &str = party!("accepted_at IS NOT NULL AND discharged_at IS NULL ORDER BY accepted_at DESC");
    const BY_HAND: &str =
        party!("source = 'Admin' AND accepted_at IS NULL AND rejected_at IS NULL ORDER BY created_at");
    const WAITING: &str = party!(
        "source = 'Web' AND accepted_at IS NULL AND rejected_at IS NULL AND expired_at IS NULL ORDER BY created_at"
    );
    let site_called = |name: &str| sites.iter().find(|site| site.plan.name == name);
    if let Some(site) = site_called(rules::SITE) {
        // Reserved online, and then called as well.
        same_person(world, site.id, WAITING, BY_HAND).await?;
    }
    if let Some(site) = site_called(MERGED_AT)
        && let Some((kept, duplicate)) = same_person(world, site.id, IN_BED, LEFT).await?
    {
        merge(world, site, &kept, &duplicate).await?;
    }
    Ok(())
}

/// Turns the second guest into the same person as the first. Returns both.
async fn same_person(
    world: &mut World,
    site: SiteId,
    first: &'static str,
    second: &'static str,
) -> berth_db::Result<Option<(Party, Party)>> {
    const COPY: &str = "UPDATE guests SET first_name = $2, first_name_key = $3, last_name = $4, gender = $5, age_service_id = $6, \
        phone = $7, email = $8, email_key = $9 WHERE id = $1";
    let first: Option<Party> = world.tx.query(first).bind(site).optional().await?;
    let second: Option<Party> = world.tx.query(second).bind(site).optional().await?;
    let (Some(first), Some(second)) = (first, second) else { return Ok(None) };
    let copy = world.tx.query(COPY).bind(second.id).bind(first.first_name.as_str()).bind(first.first_name_key.as_str());
    let copy = copy.bind(first.last_name.as_str()).bind(first.gender).bind(first.age_service_id.as_str());
    copy.bind(first.phone.as_str()).bind(first.email.as_str()).bind(first.email_key.as_str()).execute().await?;
    Ok(Some((first, second)))
}

async fn merge(world: &mut World, site: &Placed, kept: &Party, duplicate: &Party) -> berth_db::Result<()> {
    const RECORD: &str =
        "INSERT INTO guest_merges (id, duplicate_id, kept_id, merged_at, merged_by) VALUES ($1, $2, $3, $4, $5)";
    const MARK: &str = "UPDATE guests SET merged_at = $2, version = version + 1 WHERE id = $1";
    let Some(actor) = site.actors.iter().find(|actor| actor.role == Role::Admin) else { return Ok(()) };
    let at = world.now.plus_hours(-SINCE);
    let record = world.tx.query(RECORD).bind(world.dice.id(at)).bind(duplicate.id).bind(kept.id);
    record.bind(at).bind(actor.id).execute().await?;
    world.tx.query(MARK).bind(duplicate.id).bind(at).execute().await?;
    let line = AuditLine {
        at,
        action: AuditAction::GuestMerged,
        actor: Some(actor),
        login: None,
        place: (Some(site.organization_id), Some(site.id)),
        object: Some((ObjectKind::Guest, duplicate.id.0)),
        summary: format!("{} into {}", duplicate.code, kept.code),
        address: OFFICE_ADDRESS,
    };
    world.record(line).await
}
