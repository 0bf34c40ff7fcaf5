//! `PUT /api/Sites/commercial/{id}` and `…/nonCommercial/{id}`: edits a site and the names of its houses (spec A 2, 5,
//! 7). An edit of an old version is rejected; one that changes nothing writes nothing.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_db::Tx;
use berth_domain::id::SiteId;
use berth_domain::policy::Action;
use berth_domain::site_form::{NewRoom, RoomChange, SiteEdit, SiteEditForm, SiteValues};
use berth_domain::time::Timestamp;

use super::difference::{Houses, changed};
use super::{SiteDetails, address, check_kind, settle, show, view, write};
use crate::admin::audit_log::{self, AuditAction, Author, Entry, Look, ObjectKind, Shown};
use crate::auth::caller::{Caller, Site};
use crate::change::{self, Change, Finished};
use crate::housing::waitlist;
use crate::http::body::{Body, Path};
use crate::http::etag;
use crate::integrations::files;
use crate::integrations::places::Place;
use crate::{App, Error, Result};

/// Edits a site of a commercial organization.
#[utoipa::path(put, path = "/api/Sites/commercial/{id}", tag = "Sites", request_body = SiteEditForm,
    params(("id" = SiteId, Path, description = "the site")), responses((status = 200, body = SiteDetails)))]
pub async fn edit_commercial(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<SiteId>,
    headers: HeaderMap,
    Body(form): Body<SiteEditForm>,
) -> Result<Response> {
    edit(app, caller, headers, id, form, true).await
}

/// Edits a site of a non-commercial organization.
#[utoipa::path(put, path = "/api/Sites/nonCommercial/{id}", tag = "Sites", request_body = SiteEditForm,
    params(("id" = SiteId, Path, description = "the site")), responses((status = 200, body = SiteDetails)))]
pub async fn edit_non_commercial(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<SiteId>,
    headers: HeaderMap,
    Body(form): Body<SiteEditForm>,
) -> Result<Response> {
    edit(app, caller, headers, id, form, false).await
}

async fn edit(
    app: App,
    caller: Caller,
    headers: HeaderMap,
    id: SiteId,
    form: SiteEditForm,
    is_commercial: bool,
) -> Result<Response> {
    const ADDRESS: &str = "SELECT address FROM sites WHERE id = $1 AND deleted_at IS NULL";
    let site = caller.site(id, Action::EditSite).await?;
    check_kind(site.is_commercial, is_commercial)?;
    let current: String = app.db.query(ADDRESS).bind(id).scalar().await?;
    let is_kept = form.site.address_line() == current;
    let place = if is_kept { None } else { address::chosen(&app, &form.site).await? };
    let mut edit = form.parse(id, is_commercial, is_kept || place.is_some())?;
    if let Some(place) = &place {
        edit.site.address.clone_from(&place.label);
    }
    let command = &EditSite { caller: &caller, headers: &headers, site: &site, form: &form, edit, place };
    change::run(&app, Author::caller(&caller, Some(&site)), |change| command.run(change)).await
}

/// Edits a site and its houses.
struct EditSite<'a> {
    caller: &'a Caller,
    headers: &'a HeaderMap,
    site: &'a Site,
    form: &'a SiteEditForm,
    edit: SiteEdit,
    /// The newly chosen address. `None` if the address stays.
    place: Option<Place>,
}

impl EditSite<'_> {
    async fn run(&self, mut change: Change) -> Result<Finished<Response>> {
        let Self { caller, site, edit, .. } = self;
        let (now, view) = (change.now, view(caller, site));
        let version = change.touch(site).await?;
        let before = show::page(&mut change.tx, site, view, now).await?;
        let time_zone = self.time_zone(&before);
        let fields = changed(&before, &edit.site, &time_zone, self.form.is_disabled);
        let houses = Houses::of(&before, &edit.rooms);
        if houses.is_err() {
            // Report a stale version first: it may be the reason why a house is unknown.
            self.check_version(&before)?;
        }
        let houses = houses?;
        if fields.is_empty() && houses.are_unchanged() {
            let shown = Shown::of(&SiteDetails { version: before.version - 1, ..before })?;
            let app = change.app.clone();
            drop(change);
            let bytes = shown.noted(&app, Look::at(caller, site, AuditAction::BoardViewed)).await?;
            return change::unchanged(audit_log::json(StatusCode::OK, bytes));
        }
        self.check_version(&before)?;
        if !houses.are_unchanged() {
            caller.check(site, Action::EditHouses)?;
        }
        // The address was changed by someone else while this caller's form was open.
        if self.place.is_none() && edit.site.address != before.address {
            return Err(Error::Stale(None));
        }
        self.write(&mut change, &before, &time_zone, now).await?;
        let object = (ObjectKind::Site, site.id.0);
        if !fields.is_empty() {
            let summary = format!("changed: {}", fields.join(", "));
            change.record(Entry::at(site, AuditAction::SiteEdited, object, summary)).await?;
        }
        self.write_rooms(&mut change, houses).await?;
        waitlist::withdraw_unfit(&mut change, site).await?;
        settle(&mut change.tx, site.id).await?;
        let page = show::page(&mut change.tx, site, view, now).await?;
        let seen = Entry::at(site, AuditAction::BoardViewed.by(caller), object, format!("version {version}"));
        let bytes = change.show(&page, seen).await?;
        change.done(audit_log::json(StatusCode::OK, bytes))
    }

    fn check_version(&self, before: &SiteDetails) -> Result<()> {
        etag::guard(self.headers, self.form.edit_version, before.edit_version)
    }

    /// Writes the values of the site: its row, then its lists and photos.
    async fn write(&self, change: &mut Change, before: &SiteDetails, time_zone: &str, now: Timestamp) -> Result<()> {
        let shown: Vec<String> = before.images.iter().map(|image| image.image_path.clone()).collect();
        let rooms = self.edit.rooms.iter().enumerate();
        let added = rooms.filter_map(|(index, room)| Some((index, new_room(room)?)));
        write::claim_photos(&mut change.tx, &self.edit.site, &shown, added, now).await?;
        self.update(&mut change.tx, before, time_zone).await?;
        write::replace_lists(&mut change.tx, self.site.id, &self.edit.site).await?;
        let is_lost = |path: &&str| !self.edit.site.images.iter().any(|photo| photo.path == *path);
        let lost: Vec<&str> = shown.iter().map(String::as_str).filter(is_lost).collect();
        files::give_up(&mut change.tx, &lost, now).await
    }

    /// Returns the time zone of the form, else of the newly chosen place, else the current one.
    fn time_zone(&self, before: &SiteDetails) -> String {
        let of_place = self.place.as_ref().map(|place| &place.time_zone);
        self.edit.site.time_zone.as_ref().or(of_place).unwrap_or(&before.time_zone).clone()
    }

    async fn update(&self, tx: &mut Tx, before: &SiteDetails, time_zone: &str) -> Result<()> {
        const UPDATE: &str = "UPDATE sites SET name = $2, name_key = $3, alias = $4, description = $5, address = $6, \
            address_key = $7, time_zone = $8, contact_phone = $9, contact_email = $10, contact_web = $11, \
            hold_hours = $12, length_of_stay_days_min = $13, length_of_stay_days_max = $14, show_days_of_week = $15, \
            is_disabled = $16, edit_version = edit_version + 1 WHERE id = $1";
        const MOVE: &str = "UPDATE sites SET latitude = $2, longitude = $3 WHERE id = $1";
        let (id, values): (SiteId, &SiteValues) = (self.site.id, &self.edit.site);
        tx.query(UPDATE)
            .bind(id)
            .bind(&values.name)
            .bind(values.name.key())
            .bind(&values.alias)
            .bind(&values.description)
            .bind(&values.address)
            .bind(berth_domain::name_key(&values.address))
            .bind(time_zone)
            .bind(&values.contact_phone)
            .bind(&values.contact_email)
            .bind(&values.contact_web)
            .bind(values.hold.as_hours())
            .bind(values.length_of_stay_days_min.or(before.length_of_stay_days_min))
            .bind(values.length_of_stay_days_max.after(before.length_of_stay_days_max))
            .bind(values.show_days_of_week)
            .bind(self.form.is_disabled.unwrap_or(before.is_disabled))
            .execute()
            .await?;
        if let Some(place) = &self.place {
            let (latitude, longitude) = (address::degrees(place.latitude), address::degrees(place.longitude));
            tx.query(MOVE).bind(id).bind(latitude).bind(longitude).execute().await?;
        }
        Ok(())
    }

    /// Renames houses, then adds new ones. Two houses may swap their names, so first every renamed house gets a
    /// temporary unique key.
    async fn write_rooms(&self, change: &mut Change, houses: Houses<'_>) -> Result<()> {
        const FREE_NAME: &str = "UPDATE rooms SET name_key = $2 WHERE id = $1";
        const RENAME: &str = "UPDATE rooms SET name = $2, name_key = $3, version = version + 1 WHERE id = $1";
        for (id, ..) in &houses.renamed {
            change.tx.query(FREE_NAME).bind(*id).bind(format!("\u{1}{id}")).execute().await?;
        }
        for (id, old, name) in &houses.renamed {
            change.tx.query(RENAME).bind(*id).bind(*name).bind(name.key()).execute().await?;
            let summary = format!("house {old} is now {name}");
            change.record(Entry::at(self.site, AuditAction::RoomEdited, (ObjectKind::Room, id.0), summary)).await?;
        }
        let mut names = houses.names;
        for room in houses.added {
            write::add_room(change, self.site, room, &mut names).await?;
        }
        Ok(())
    }
}

const fn new_room(change: &RoomChange) -> Option<&NewRoom> {
    match change {
        RoomChange::Add(room) => Some(room),
        RoomChange::Rename(..) => None,
    }
}
