//! `POST /api/Sites/commercial` and `…/nonCommercial`: adds a site with its houses and beds, and invites its first
//! admin (spec A 2, 5, 7).

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_domain::id::SiteId;
use berth_domain::policy::Action;
use berth_domain::role::Role;
use berth_domain::site_form::{NewSite, NewSiteForm};

use super::{SiteDetails, address, check_kind, show, view, write};
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::admin::invitations::{self, Callback, Invite, Scope};
use crate::admin::organizations;
use crate::auth::caller::{Caller, Organization, Site};
use crate::change::{self, Answer, Change};
use crate::housing::sites;
use crate::http::body::Body;
use crate::integrations::places::Place;
use crate::{App, Error, Result};

/// Adds a site to a commercial organization. A photo is required; houses can be added later. The admin is invited by
/// email.
#[utoipa::path(post, path = "/api/Sites/commercial", tag = "Sites", request_body = NewSiteForm,
    responses((status = 201, body = SiteDetails)))]
pub async fn create_commercial(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(form): Body<NewSiteForm>,
) -> Result<Response> {
    create(app, caller, headers, form, true).await
}

/// Adds a site to a non-commercial organization, with its houses and beds. The admin is invited by email.
#[utoipa::path(post, path = "/api/Sites/nonCommercial", tag = "Sites", request_body = NewSiteForm,
    responses((status = 201, body = SiteDetails)))]
pub async fn create_non_commercial(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(form): Body<NewSiteForm>,
) -> Result<Response> {
    create(app, caller, headers, form, false).await
}

async fn create(
    app: App,
    caller: Caller,
    headers: HeaderMap,
    form: NewSiteForm,
    is_commercial: bool,
) -> Result<Response> {
    let organization_id = form.organization_id.ok_or_else(|| Error::field("/organizationId", "Required field."))?;
    let organization = caller.organization(organization_id, Action::CreateSite).await?;
    check_kind(organization.is_commercial, is_commercial)?;
    let callback = Callback::parse(&app, form.redirect_uri.as_deref().unwrap_or_default())?;
    let place = address::chosen(&app, &form.site).await?;
    let mut site = form.parse(is_commercial, place.is_some())?;
    let place = place.ok_or_else(|| Error::internal("a site without a place"))?;
    // Use the label of the place, so that address, position and time zone always agree.
    site.site.address.clone_from(&place.label);
    let command = &CreateSite { caller: &caller, organization: &organization, site, place, callback };
    let fingerprint = ("POST site", organization.is_commercial, &form);
    change::once(&app, Author::caller(&caller, None), &headers, &fingerprint, |mut change| async move {
        let page = command.run(&mut change).await?;
        change.done(Answer::new(StatusCode::CREATED, &page)?)
    })
    .await
}

/// Adds a site with its houses and beds, and invites its first admin.
struct CreateSite<'a> {
    caller: &'a Caller,
    organization: &'a Organization,
    site: NewSite,
    place: Place,
    callback: Callback,
}

impl CreateSite<'_> {
    async fn run(&self, change: &mut Change) -> Result<SiteDetails> {
        let Self { caller, site: new, .. } = self;
        let now = change.now;
        organizations::lock(&mut change.tx, self.organization.id).await?;
        write::claim_photos(&mut change.tx, &new.site, &[], new.rooms.iter().enumerate(), now).await?;
        let site = self.insert(change).await?;
        change.publish(site.organization_id, site.id, site.version);
        write::replace_lists(&mut change.tx, site.id, &new.site).await?;
        // Before the audit rows, which lock the dashboard's parts (see `locks`).
        let invited = invitations::create(&change.app, &mut change.tx, caller, self.invitation(&site)).await?;
        // The role of the caller at the site is known only now.
        change.by = Author::caller(caller, Some(&site));
        let object = (ObjectKind::Site, site.id.0);
        let summary = format!("site {} added", site.name);
        change.record(Entry::at(&site, AuditAction::SiteCreated, object, summary)).await?;
        let mut names = Vec::new();
        for room in &new.rooms {
            write::add_room(change, &site, room, &mut names).await?;
        }
        sites::settle(&mut change.tx, site.id).await?;
        let inviter = Author::caller(caller, None);
        audit_log::write(&change.app, &mut change.tx, &inviter, &invited.entry).await?;
        show::page(&mut change.tx, &site, view(caller, &site), now).await
    }

    async fn insert(&self, change: &mut Change) -> Result<Site> {
        const INSERT: &str = "INSERT INTO sites (id, organization_id, name, name_key, alias, description, address, \
            address_key, time_zone, latitude, longitude, contact_phone, contact_email, contact_web, hold_hours, \
            length_of_stay_days_min, length_of_stay_days_max, show_days_of_week, admin_email, admin_first_name, \
            admin_last_name, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, \
            $16, $17, $18, $19, $20, $21, $22) RETURNING version";
        let Self { organization, site: NewSite { site, admin, .. }, place, .. } = self;
        let (id, now) = (SiteId(change.app.id()), change.now);
        let time_zone = site.time_zone.clone().unwrap_or_else(|| place.time_zone.clone());
        let version: i64 = change
            .tx
            .query(INSERT)
            .bind(id)
            .bind(organization.id)
            .bind(&site.name)
            .bind(site.name.key())
            .bind(&site.alias)
            .bind(&site.description)
            .bind(&site.address)
            .bind(berth_domain::name_key(&site.address))
            .bind(&time_zone)
            .bind(address::degrees(place.latitude))
            .bind(address::degrees(place.longitude))
            .bind(&site.contact_phone)
            .bind(&site.contact_email)
            .bind(&site.contact_web)
            .bind(site.hold.as_hours())
            .bind(site.length_of_stay_days_min)
            .bind(site.length_of_stay_days_max.after(None))
            .bind(site.show_days_of_week)
            .bind(&admin.email)
            .bind(&admin.first_name)
            .bind(&admin.last_name)
            .bind(now)
            .scalar()
            .await?;
        Ok(Site {
            id,
            organization_id: organization.id,
            name: site.name.as_str().to_owned(),
            is_commercial: organization.is_commercial,
            time_zone,
            hold_hours: site.hold.as_hours(),
            asks_arrival: false,
            strict_placement: false,
            version,
        })
    }

    fn invitation(&self, site: &Site) -> Invite {
        let admin = &self.site.admin;
        Invite {
            email: admin.email.clone(),
            email_pointer: "/adminEmail",
            first_name: Some(admin.first_name.clone()),
            last_name: Some(admin.last_name.clone()),
            role: Role::Admin,
            scope: Scope::Site(site.id, site.organization_id),
            receive_reservation_texts: true,
            callback: self.callback.clone(),
            language: None,
        }
    }
}
