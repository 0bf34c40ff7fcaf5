//! `PUT /api/Beds/{id}`: edits, disables or enables a bed. Occupied beds cannot be edited or disabled (spec B 4), and
//! beds that pending reservations need cannot be disabled (I10).

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_domain::bed::BedKind;
use berth_domain::check::Check;
use berth_domain::id::BedId;
use berth_domain::outage::{self, Outage, OutageKind};
use berth_domain::policy::Action;
use berth_domain::stay::{BedChange, may_change_bed};
use berth_domain::time::{date_at, parse_optional_day};
use berth_domain::value::{Name, clean_text};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{BedView, load, outages};
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind, Shown};
use crate::auth::caller::Caller;
use crate::housing::capacity::keep_capacity;
use crate::housing::{sites, waitlist};
use crate::http::body::{Body, Path, present};
use crate::http::etag;
use crate::integrations::files::{self, Prefix};
use crate::{App, Error, Result, change};

/// Maximum length of a bed's description, in characters.
const MAX_DESCRIPTION_CHARS: usize = berth_domain::limits::MAX_NOTE_CHARS;

/// The new state of a bed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BedEdit {
    /// Its name.
    name: String,
    /// A description. Null removes it; if absent, it does not change.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, required = false)]
    description: Option<Option<String>>,
    /// What the bed is for.
    #[serde(rename = "type")]
    #[schema(value_type = BedKind)]
    kind: Option<Value>,
    /// The photo. Null removes it; if absent, it does not change.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, required = false)]
    image_path: Option<Option<String>>,
    /// True if the bed is out of use.
    disabled: bool,
    /// What it waits for while it is disabled. Null is out of service; if absent, it does not change. A bed that is
    /// disabled without it is out of service.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<OutageKind>, required = false)]
    disabled_kind: Option<Option<OutageKind>>,
    /// Why it is disabled, at most 200 characters. Null removes it; if absent, it does not change. A bed in use has
    /// none.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, required = false)]
    disabled_reason: Option<Option<String>>,
    /// The day on which it is expected back, in the site's time zone, such as 2026-12-01. Null removes it; if absent,
    /// it does not change. A new day must not have passed, and is within a year from today. A bed in use has none.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, required = false)]
    expected_back: Option<Option<String>>,
    /// The version that the caller saw; `If-Match` has the same meaning. Another version is answered with 412.
    #[serde(default)]
    version: Option<i64>,
}

/// Parses a bed type: a name or a number. Empty, 0 or absent means Sober Living (DESIGN 6).
pub fn kind(check: &mut Check, sent: Option<Value>) -> Option<BedKind> {
    let kind = serde_json::from_value(sent.unwrap_or_default());
    check.field_as("/type", kind, "The bed type must be Detox, Treatment or Sober Living.")
}

/// Parses a description and removes its markup. Empty means none.
pub fn description(check: &mut Check, sent: Option<&str>) -> Option<String> {
    let text = clean_text(sent.unwrap_or_default());
    let fits = text.chars().count() <= MAX_DESCRIPTION_CHARS;
    check.require(fits, "/description", "Maximum length of the description is 2000 symbols.");
    Some(text).filter(|text| !text.is_empty())
}

/// The parsed request. An outer `None` keeps the current value.
#[derive(Clone)]
struct Input {
    name: Name,
    description: Option<Option<String>>,
    kind: BedKind,
    image_path: Option<Option<String>>,
    disabled: bool,
    disabled_kind: Option<OutageKind>,
    disabled_reason: Option<Option<String>>,
    expected_back: Option<Option<String>>,
}

impl Input {
    fn parse(sent: BedEdit) -> Result<Self> {
        let mut check = Check::new();
        let name = check.field("/name", Name::parse(&sent.name));
        let kind = kind(&mut check, sent.kind);
        let description = sent.description.map(|text| description(&mut check, text.as_deref()));
        let image_path = sent.image_path.map(|path| sites::photo(&mut check, path.as_deref()));
        let disabled = sent.disabled;
        let disabled_kind = sent.disabled_kind.map(Option::unwrap_or_default);
        let disabled_reason = sent
            .disabled_reason
            .map(|text| check.field("/disabledReason", outage::reason(&text.unwrap_or_default())).flatten());
        let expected_back = sent
            .expected_back
            .map(|day| check.field("/expectedBack", parse_optional_day(&day.unwrap_or_default())).flatten());
        Ok(check.build(|| {
            let (name, kind) = (name?, kind?);
            Some(Self { name, description, kind, image_path, disabled, disabled_kind, disabled_reason, expected_back })
        })?)
    }

    /// Returns the values after the edit of a bed with the values `old`.
    fn apply(self, old: &Fields) -> Fields {
        let outage = self.disabled.then(|| {
            let before = old.outage.clone().unwrap_or_default();
            Outage {
                kind: self.disabled_kind.unwrap_or(before.kind),
                reason: self.disabled_reason.unwrap_or(before.reason),
                expected_back: self.expected_back.unwrap_or(before.expected_back),
            }
        });
        Fields {
            name: self.name.into(),
            description: self.description.unwrap_or_else(|| old.description.clone()),
            kind: self.kind,
            image_path: self.image_path.unwrap_or_else(|| old.image_path.clone()),
            outage,
        }
    }
}

/// The values of a bed that an edit sets.
#[derive(PartialEq, Eq)]
struct Fields {
    name: String,
    description: Option<String>,
    kind: BedKind,
    image_path: Option<String>,
    /// `None` while the bed is enabled.
    outage: Option<Outage>,
}

impl Fields {
    fn of(bed: &BedView) -> Self {
        Self {
            name: bed.name.clone(),
            description: bed.description.clone(),
            kind: bed.kind,
            image_path: bed.image_path.clone(),
            outage: bed.disabled.then(|| Outage {
                kind: bed.disabled_kind.unwrap_or_default(),
                reason: bed.disabled_reason.clone(),
                expected_back: bed.expected_back.clone(),
            }),
        }
    }

    const fn is_disabled(&self) -> bool {
        self.outage.is_some()
    }

    /// Returns the action and the summary of the audit row. The reason may name a guest, so the summary does not repeat it.
    fn audit_summary(&self, old: &Self) -> (AuditAction, String) {
        let (now, before) = (self.outage.clone().unwrap_or_default(), old.outage.clone().unwrap_or_default());
        let action = match (old.is_disabled(), self.is_disabled()) {
            (false, true) => AuditAction::BedDisabled,
            (true, false) => AuditAction::BedEnabled,
            (false, false) | (true, true) => AuditAction::BedEdited,
        };
        let (is_switched, is_other_day) =
            (old.is_disabled() != self.is_disabled(), before.expected_back != now.expected_back);
        let is_other_kind = !is_switched && before.kind != now.kind;
        let changes = [
            ("name", old.name != self.name),
            ("description", old.description != self.description),
            ("type", old.kind != self.kind),
            ("photo", old.image_path != self.image_path),
            ("disabled", is_switched),
            ("kind", is_other_kind),
            ("reason", before.reason != now.reason),
            ("expected back", is_other_day),
        ];
        let changed: Vec<&str> = changes.into_iter().filter(|(_, changed)| *changed).map(|(field, _)| field).collect();
        let mut summary = format!("bed {}: {} changed", old.name, changed.join(", "));
        if self.is_disabled() && (is_switched || is_other_kind || is_other_day) {
            let day = now.expected_back.map(|day| format!(", expected back {day}")).unwrap_or_default();
            summary.push_str(&format!(" ({}{day})", now.kind.words()));
        }
        (action, summary)
    }
}

/// Turns a name that another bed of the house has into a field error. Other errors stay as they are.
fn taken(error: berth_db::Error) -> Error {
    match error.unique() {
        Some("beds_room_id_name_key_key") => {
            Error::field("/name", "A bed with this name already exists in this house.")
        }
        _ => error.into(),
    }
}

/// Edits, disables or enables a vacant bed.
#[utoipa::path(put, path = "/api/Beds/{id}", tag = "Beds", request_body = BedEdit,
    params(("id" = BedId, Path, description = "the bed")), responses((status = 200, body = BedView)))]
pub async fn edit(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<BedId>,
    headers: HeaderMap,
    Body(sent): Body<BedEdit>,
) -> Result<Response> {
    const UPDATE: &str = "UPDATE beds SET name = $2, name_key = $3, kind = $4, description = $5, image_path = $6, \
        disabled = $7, version = version + 1 WHERE id = $1";
    let site = caller.bed(id, Action::EditHouses).await?;
    let version = sent.version;
    let input = Input::parse(sent)?;

    let (caller, headers, site, input) = (&caller, &headers, &site, &input);
    change::run(&app, Author::caller(caller, Some(site)), |mut change| async move {
        let now = change.now;
        change.touch(site).await?;
        let bed = load(&mut change.tx, site, id, now).await?;
        let old = Fields::of(&bed);
        let new = input.clone().apply(&old);
        if new != old {
            etag::guard(headers, version, bed.version)?;
        }
        let kind = if new.is_disabled() { BedChange::Disable } else { BedChange::Edit };
        may_change_bed(kind, bed.is_occupied).map_err(sites::refused)?;
        if new == old {
            // No guest is shown: the rules allow no edit of an occupied bed.
            return change::unchanged(audit_log::json(StatusCode::OK, Shown::of(&bed)?.named(&[])?));
        }
        let (outage, before) = (new.outage.clone().unwrap_or_default(), old.outage.clone().unwrap_or_default());
        let today = date_at(now, &site.time_zone);
        outage.check_day(&before, &today).map_err(|message| Error::field("/expectedBack", message))?;
        let taken_away = i64::from(new.is_disabled() && !old.is_disabled());
        if taken_away > 0 {
            waitlist::withdraw_offers(&mut change, site, &[id]).await?;
        }
        keep_capacity(&change.app, &mut change.tx, site, taken_away, now).await?;

        let (path, before) = (new.image_path.as_deref(), old.image_path.as_deref());
        files::claim(&mut change.tx, Prefix::Bed, "/imagePath", path, before, now).await?;
        let key = berth_domain::name_key(&new.name);
        let update = change.tx.query(UPDATE).bind(id).bind(&new.name).bind(key).bind(new.kind).bind(&new.description);
        update.bind(&new.image_path).bind(new.is_disabled()).execute().await.map_err(taken)?;
        files::give_up(&mut change.tx, before.filter(|before| path != Some(*before)).as_slice(), now).await?;
        outages::record(&change.app, &mut change.tx, caller, id, new.outage.as_ref(), now).await?;
        sites::settle(&mut change.tx, site.id).await?;
        let (action, summary) = new.audit_summary(&old);
        change.record(Entry::at(site, action, (ObjectKind::Bed, id.0), summary)).await?;
        let bytes = Shown::of(&load(&mut change.tx, site, id, now).await?)?.named(&[])?;
        change.done(audit_log::json(StatusCode::OK, bytes))
    })
    .await
}
