//! Adding a site: what the wizard has collected becomes a site with its houses and beds, and its first admin is invited
//! (spec A 2, 5, 7).

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_db::Tx;
use berth_domain::id::SiteId;
use berth_domain::policy::Action;
use berth_domain::role::Role;
use berth_domain::site_form::{NewSite, NewSiteForm};

use super::{SiteDetails, address, check_kind, show, view, write};
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::admin::invitations::{self, Callback, Invite, Scope};
use crate::admin::organizations;
use crate::auth::caller::{Caller, Organization, Site};
use crate::housing::sites;
use crate::http::body::Body;
use crate::http::idempotency::{self, Claim, Claimed};
use crate::integrations::places::Place;
use crate::{App, Error, Result};

/// Adds a site to a commercial organization; it needs a photo, and houses may come later. The admin is invited by mail.
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

/// Adds a site to a non-commercial organization, with its houses and beds. The admin is invited by mail.
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
    // The address reads as the place does, so that text, position and time zone never tell of different ones.
    site.site.address.clone_from(&place.label);
    let work = Work { app, caller, headers, organization, form, site, place, callback };
    berth_db::retry(|| work.attempt()).await
}

/// What one call asks for; kept, since a busy attempt is made again.
struct Work {
    app: App,
    caller: Caller,
    headers: HeaderMap,
    organization: Organization,
    form: NewSiteForm,
    site: NewSite,
    place: Place,
    callback: Callback,
}

impl Work {
    async fn attempt(&self) -> Result<Response> {
        let Self { app, caller, organization, site: new, .. } = self;
        let now = app.now();
        let mut tx = app.db.begin().await?;
        let owner = caller.actor.user_id.to_string();
        let asked = ("POST site", organization.is_commercial, &self.form);
        let claim = match idempotency::claim_for(app, &mut tx, &self.headers, owner, &asked).await? {
            Claimed::Go(claim) => claim,
            Claimed::Replay(replay) => return replay.of_nobody(),
        };
        organizations::lock(&mut tx, organization.id).await?;
        write::claim_photos(&mut tx, &new.site, &[], new.rooms.iter().enumerate(), now).await?;
        let site = self.insert(&mut tx).await?;
        write::lists(&mut tx, site.id, &new.site).await?;
        // Before the audit rows, which lock the dashboard's parts (see `locks`).
        let invited = invitations::create(app, &mut tx, caller, self.invite(&site)).await?;
        let by = Author::caller(caller, Some(&site));
        let entry = Entry::at(
            &site,
            AuditAction::SiteCreated,
            (ObjectKind::Site, site.id.0),
            format!("site {} added", site.name),
        );
        audit_log::write(app, &mut tx, &by, &entry).await?;
        let mut names = Vec::new();
        for room in &new.rooms {
            write::add_room(app, &mut tx, &by, &site, room, &mut names).await?;
        }
        sites::settle(&mut tx, site.id).await?;
        audit_log::write(app, &mut tx, &Author::caller(caller, None), &invited.entry).await?;
        let page = show::page(&mut tx, &site, view(caller, &site), now).await?;
        let response = Claim::answer_body(claim, &mut tx, StatusCode::CREATED, &page).await?;
        app.live.commit(tx, &site, site.version).await?;
        Ok(response)
    }

    async fn insert(&self, tx: &mut Tx) -> Result<Site> {
        const INSERT: &str = "INSERT INTO sites (id, organization_id, name, name_key, alias, description, address, \
            address_key, time_zone, latitude, longitude, contact_phone, contact_email, contact_web, hold_hours, \
            length_of_stay_days_min, length_of_stay_days_max, show_days_of_week, admin_email, admin_first_name, \
            admin_last_name, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, \
            $16, $17, $18, $19, $20, $21, $22) RETURNING version";
        let Self { app, organization, site: NewSite { site, admin, .. }, place, .. } = self;
        let id = SiteId(app.id());
        let time_zone = site.time_zone.clone().unwrap_or_else(|| place.time_zone.clone());
        let version: i64 = tx
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
            .bind(app.now())
            .scalar()
            .await?;
        Ok(Site {
            id,
            organization_id: organization.id,
            name: site.name.as_str().to_owned(),
            is_commercial: organization.is_commercial,
            time_zone,
            hold_hours: site.hold.as_hours(),
            version,
        })
    }

    fn invite(&self, site: &Site) -> Invite {
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
