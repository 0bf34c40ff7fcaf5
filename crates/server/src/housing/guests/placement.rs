//! Checks a decided placement against the rules of the site and the house, and stores why somebody was placed against them
//! (docs/decisions/0068).

use std::collections::HashMap;

use berth_db::Tx;
use berth_domain::catalog::{Gender, Service};
use berth_domain::id::{BedId, GuestId, SiteId};
use berth_domain::outage;
use berth_domain::placement::{MeantFor, may_place, misfits, names, traits};
use berth_domain::policy::Action;
use berth_domain::stay::{Change, Command};

use super::failure::Failure;
use crate::admin::audit_log::{AuditAction, Entry, ObjectKind};
use crate::auth::caller::{Caller, Site};
use crate::{Error, Result, change};

/// Parses the reason for a placement against the rules. Empty is `None`.
///
/// # Errors
/// 422 at `/placementReason`.
pub(super) fn reason(text: Option<&str>) -> Result<Option<String>> {
    outage::reason(text.unwrap_or_default()).map_err(|message| Error::field("/placementReason", message))
}

/// A command with what was decided on it.
pub(super) struct Ordered<'a> {
    pub command: &'a Command,
    pub change: &'a Change,
    /// Why the rules are overridden.
    pub reason: Option<&'a str>,
}

/// A guest who is placed against the rules.
pub(super) struct Overridden {
    guest: GuestId,
    bed: BedId,
    misfits: Vec<&'static Service>,
    reason: String,
}

/// Checks whether the guests who get a bed may get it. Without a query where the site is not strict and no reason was sent, and for
/// an undo, which restores what was there.
///
/// # Errors
/// The refusal of [`may_place`].
pub(super) async fn check(
    tx: &mut Tx,
    (caller, site): (&Caller, &Site),
    ordered: &Ordered<'_>,
) -> Result<Vec<Overridden>, Failure> {
    let mut overridden = Vec::new();
    if *ordered.command == Command::Undo || !(site.strict_placement || ordered.reason.is_some()) {
        return Ok(overridden);
    }
    let may_override = caller.check(site, Action::OverridePlacement).is_ok();
    for stay in &ordered.change.opened {
        let found = Facts::load(tx, stay.guest, stay.bed).await?.misfits(tx, site.id).await?;
        may_place(site.strict_placement, &found, ordered.reason.is_some(), may_override)?;
        if let (false, Some(reason)) = (found.is_empty(), ordered.reason) {
            let reason = reason.to_owned();
            overridden.push(Overridden { guest: stay.guest, bed: stay.bed, misfits: found, reason });
        }
    }
    Ok(overridden)
}

/// What decides whether a bed is for a guest.
#[derive(berth_db::FromRow)]
struct Facts {
    gender: Gender,
    age_service_id: String,
    client_service_id: Option<String>,
    meant_for: String,
}

impl Facts {
    async fn load(tx: &mut Tx, guest: GuestId, bed: BedId) -> Result<Self> {
        const FACTS: &str = "SELECT g.gender, g.age_service_id, g.client_service_id, r.meant_for FROM guests g \
            CROSS JOIN beds b JOIN rooms r ON r.id = b.room_id WHERE g.id = $1 AND b.id = $2";
        Ok(tx.query(FACTS).bind(guest).bind(bed).one().await?)
    }

    async fn misfits(&self, tx: &mut Tx, site: SiteId) -> Result<Vec<&'static Service>> {
        let traits = traits(self.gender, Some(&self.age_service_id), self.client_service_id.as_deref());
        let of_site = of_site(tx, site).await?;
        Ok(misfits(&traits, &[&of_site, &MeantFor::from_text(&self.meant_for)]))
    }
}

/// Returns whom a site is for.
pub async fn of_site(tx: &mut Tx, site: SiteId) -> Result<MeantFor> {
    const SERVICES: &str = "SELECT service_id FROM site_services WHERE site_id = $1";
    let rows: Vec<(String,)> = tx.query(SERVICES).bind(site).all().await?;
    Ok(MeantFor::of_services(rows.iter().map(|(id,)| id.as_str())))
}

/// Stores the reasons of the stays that have begun, each with an audit row, which does not contain the reason.
pub(super) async fn record(
    change: &mut change::Change,
    site: &Site,
    overridden: &[Overridden],
    codes: &HashMap<GuestId, String>,
) -> Result<(), Failure> {
    const STORE: &str =
        "UPDATE stays SET placement_reason = $3 WHERE guest_id = $1 AND bed_id = $2 AND ended_at IS NULL";
    for Overridden { guest, bed, misfits, reason } in overridden {
        change.tx.query(STORE).bind(guest).bind(bed).bind(reason.as_str()).execute().await?;
        let code = codes.get(guest).map_or("", String::as_str);
        let summary = format!("{code}: {}; a reason was given", names(misfits));
        change.record(Entry::at(site, AuditAction::PlacementOverridden, (ObjectKind::Bed, bed.0), summary)).await?;
    }
    Ok(())
}
