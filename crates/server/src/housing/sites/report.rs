//! `GET /api/Sites/{id}/beds.csv` and `…/beds.xlsx`: the beds of the Houses tab as a file, filtered like the tab.

use axum::extract::State;
use axum::response::Response;
use berth_domain::bed::{BedFilter, BedKind};
use berth_domain::id::SiteId;
use berth_domain::locale::Locale;
use berth_domain::outage::OutageKind;
use berth_domain::policy::Action;
use berth_domain::time::{clock_at, date_at};
use serde::Deserialize;
use utoipa::IntoParams;

use super::SiteCounts;
use super::board::houses;
use super::facts::{self, counts};
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind, Shown};
use crate::auth::caller::{Caller, Site};
use crate::housing::beds::BedView;
use crate::housing::guests;
use crate::housing::rooms::RoomView;
use crate::http::body::{Path, Query};
use crate::http::export::{self, Cell, Column, Format, MAX_ROWS, Table};
use crate::{App, Error, Result};

/// Which beds a report lists, and its language.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReportQuery {
    /// `all` (the default), `vacant` or `occupied`.
    beds: Option<String>,
    /// `en` (the default) or `es`.
    language: Option<String>,
}

impl ReportQuery {
    fn parse(&self) -> Result<(BedFilter, Locale)> {
        let beds = match self.beds.as_deref() {
            None => BedFilter::All,
            Some(text) => BedFilter::from_text(text)
                .ok_or_else(|| Error::field("/beds", "Choose one of: all, vacant, occupied."))?,
        };
        let language = match self.language.as_deref() {
            None => Locale::English,
            Some(text) => Locale::from_text(text).ok_or_else(|| Error::field("/language", "Choose one of: en, es."))?,
        };
        Ok((beds, language))
    }
}

/// Downloads the bed report of a site as comma-separated values. The totals are always those of the whole site. The
/// guests in the file are recorded in the audit log before it is sent. At most 10,000 beds.
#[utoipa::path(get, path = "/api/Sites/{id}/beds.csv", tag = "Sites",
    params(("id" = SiteId, Path, description = "the site"), ReportQuery),
    responses((status = 200, description = "a file of comma-separated values", body = String, content_type = "text/csv")))]
pub async fn beds_csv(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<SiteId>,
    Query(query): Query<ReportQuery>,
) -> Result<Response> {
    report(&app, &caller, id, &query, Format::Csv).await
}

/// Downloads the bed report of a site as an Excel workbook.
#[utoipa::path(get, path = "/api/Sites/{id}/beds.xlsx", tag = "Sites",
    params(("id" = SiteId, Path, description = "the site"), ReportQuery),
    responses((status = 200, description = "an Excel workbook", body = Vec<u8>,
        content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")))]
pub async fn beds_xlsx(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<SiteId>,
    Query(query): Query<ReportQuery>,
) -> Result<Response> {
    report(&app, &caller, id, &query, Format::Xlsx).await
}

async fn report(app: &App, caller: &Caller, id: SiteId, query: &ReportQuery, format: Format) -> Result<Response> {
    let site = caller.site(id, Action::ViewSite).await?;
    let (filter, language) = query.parse()?;
    let now = app.now();
    let mut tx = app.db.read().await?;
    let facts = facts::site(&mut tx, id).await?;
    let site = Site { time_zone: facts.time_zone.clone(), ..site };
    let rooms = houses(&mut tx, &site, None, now).await?;
    let user_id = caller.actor.user_id;
    let name = guests::names(&mut tx, vec![user_id]).await?.remove(&user_id);
    drop(tx);

    let listed = |bed: &&BedView| filter.includes(bed.disabled, bed.is_occupied);
    let beds: Vec<(&RoomView, &BedView)> =
        rooms.iter().flat_map(|room| room.beds.iter().filter(listed).map(move |bed| (room, bed))).collect();
    if beds.len() > MAX_ROWS {
        return Err(Error::field("/beds", "A file takes at most 10,000 beds."));
    }
    let words = Words(language);
    let made = (clock_at(now, &site.time_zone), name.unwrap_or_else(|| caller.email.clone()));
    let table = Table {
        name: language.pick("Beds", "Camas"),
        facts: words.facts((&site.name, &facts.organization_name), &counts(&rooms, 0), filter, made),
        columns: words.columns(),
        rows: beds.iter().map(|(room, bed)| words.row(room, bed)).collect(),
    };
    let shown: Vec<_> = beds.iter().filter_map(|(_, bed)| bed.guest.as_ref()).map(|guest| guest.id).collect();
    let summary = format!("{} beds as a {} file", beds.len(), format.extension());
    let entry = Entry::at(&site, AuditAction::BoardExported, (ObjectKind::Site, id.0), summary);
    let entry = entry.asking(Some(format!("beds {filter}")));
    // Recorded before the first byte is sent.
    Shown::with(&(), shown)?.recorded(app, &Author::caller(caller, Some(&site)), entry).await?;
    let file = format!("berth {} {}", site.name, date_at(now, &site.time_zone));
    export::answer(&file, format, table, now).await
}

/// The texts of a report in its language, the same as on the screen.
#[derive(Clone, Copy)]
struct Words(Locale);

impl Words {
    fn facts(
        self,
        (site, organization): (&str, &str),
        counts: &SiteCounts,
        filter: BedFilter,
        (time, by): (String, String),
    ) -> Vec<String> {
        let SiteCounts { available, vacant, pending, occupied, disabled, .. } = counts;
        let beds = match filter {
            BedFilter::All => self.0.pick("All Beds", "Todas las camas"),
            BedFilter::Vacant => self.0.pick("Vacant", "Libres"),
            BedFilter::Occupied => self.0.pick("Occupied", "Ocupadas"),
        };
        let lines = match self.0 {
            Locale::English => [
                format!("Bed report: {site}"),
                organization.to_owned(),
                format!(
                    "Whole site: {available} available, {vacant} vacant, {pending} held, {occupied} occupied, {disabled} disabled"
                ),
                format!("Listed below: {beds}"),
                format!("As of {time}, saved by {by}"),
                "Confidential. 42 CFR part 2 prohibits unauthorized use or disclosure of these records.".to_owned(),
            ],
            Locale::Spanish => [
                format!("Informe de camas: {site}"),
                organization.to_owned(),
                format!(
                    "Todo el centro: disponibles {available}, libres {vacant}, reservadas {pending}, ocupadas {occupied}, desactivadas {disabled}"
                ),
                format!("Camas de esta lista: {beds}"),
                format!("Situación del {time}, guardado por {by}"),
                "Confidencial. 42 CFR parte 2 prohíbe el uso o la divulgación no autorizados de estos registros."
                    .to_owned(),
            ],
        };
        lines.into()
    }

    fn columns(self) -> Vec<Column> {
        let columns = [
            ("House", "Casa", 20),
            ("Bed", "Cama", 24),
            ("Type", "Tipo", 16),
            ("State", "Estado", 12),
            ("Guest", "Huésped", 20),
            ("Code", "Código", 12),
            ("Days stayed", "Días de estancia", 16),
            ("Disabled", "Desactivada", 18),
            ("Reason", "Motivo", 32),
            ("Expected back", "Disponible de nuevo", 20),
        ];
        columns
            .into_iter()
            .map(|(english, spanish, width)| Column { head: self.0.pick(english, spanish), width })
            .collect()
    }

    fn row(self, room: &RoomView, bed: &BedView) -> Vec<Cell> {
        let guest = bed.guest.as_ref();
        let is_arriving = guest.is_some_and(|guest| guest.is_arriving);
        let state = match (bed.is_occupied, bed.disabled) {
            (true, _) if is_arriving => self.0.pick("Arriving", "Por llegar"),
            (true, _) => self.0.pick("Occupied", "Ocupada"),
            (false, true) => self.0.pick("Disabled", "Desactivada"),
            (false, false) => self.0.pick("Vacant", "Libre"),
        };
        let kind = match bed.kind {
            BedKind::Detox => self.0.pick("Detox", "Desintoxicación"),
            BedKind::Treatment => self.0.pick("Treatment", "Tratamiento"),
            BedKind::SoberLiving => self.0.pick("Sober Living", "Vivienda sobria"),
        };
        let outage = bed.disabled_kind.map(|kind| match kind {
            OutageKind::Cleaning => self.0.pick("Being cleaned", "En limpieza"),
            OutageKind::OutOfService => self.0.pick("Out of service", "Fuera de servicio"),
        });
        // Nobody who is still to come has stayed a day.
        let days = guest.filter(|_| !is_arriving).and_then(|guest| u32::try_from(guest.days_stayed).ok());
        vec![
            Cell::Text(room.name.clone()),
            Cell::Text(bed.name.clone()),
            Cell::Text(kind.to_owned()),
            Cell::Text(state.to_owned()),
            guest.map(|guest| guest.display_name.trim_end_matches(&guest.code).trim_end().to_owned()).into(),
            guest.map(|guest| guest.code.clone()).into(),
            days.map_or(Cell::Empty, Cell::Number),
            outage.map(str::to_owned).into(),
            bed.disabled_reason.clone().into(),
            bed.expected_back.clone().map_or(Cell::Empty, Cell::Day),
        ]
    }
}
