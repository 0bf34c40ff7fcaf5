//! Shared by the four lists: authorization, the audit row, and the form of the answer.

use axum::http::StatusCode;
use axum::response::Response;
use berth_db::FromRow;
use berth_domain::id::GuestId;
use berth_domain::policy::Action;
use serde::Serialize;
use utoipa::ToSchema;

use super::filter::TrailQuery;
use crate::admin::audit_log::lists::List;
use crate::admin::audit_log::{self, AuditAction, Look, Repeats, Shown};
use crate::auth::caller::Caller;
use crate::http::paging::{Page, Paged};
use crate::{App, Result};

/// Paging metadata (spec B 3, "Paging metadata").
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PagingMetadata {
    /// Number of rows on all pages.
    total_count: i64,
    /// Number of rows before this page.
    offset: i64,
    /// Maximum number of rows on a page; the same as `pageSize`.
    limit: i64,
    /// Page number, from 1.
    page: i64,
    /// Maximum number of rows on a page.
    page_size: i64,
    /// Number of pages.
    total_pages: i64,
}

impl<T> From<&Paged<T>> for PagingMetadata {
    fn from(page: &Paged<T>) -> Self {
        Self {
            total_count: page.total_count,
            offset: page.offset,
            limit: page.limit,
            page: page.page,
            page_size: page.page_size,
            total_pages: page.total_pages,
        }
    }
}

/// Returns a page of a list, and queues the audit row with the guests that it shows.
///
/// # Errors
/// 503 if the row cannot be queued.
pub async fn answer(
    app: &App,
    caller: &Caller,
    (list, page): (List, Page),
    filter: Option<&TrailQuery>,
    body: &impl Serialize,
    guests: Vec<GuestId>,
) -> Result<Response> {
    let filters = filter.map(TrailQuery::to_text).unwrap_or_default();
    let look = Look {
        caller,
        site: None,
        organization_id: filter.and_then(TrailQuery::organization),
        action: AuditAction::AuditViewed,
        query: Some(format!("{}{filters}, page {} of {} rows each", list.name(), page.number, page.size)),
        repeats: Repeats::ByGuests,
    };
    let bytes = Shown::with(body, guests)?.noted(app, look).await?;
    Ok(audit_log::json(StatusCode::OK, bytes))
}

/// Reads a page of a list of some actions, newest first. `text` is a `page_by_time!`.
///
/// # Errors
/// 403 unless the caller is a global admin.
pub async fn read<R: FromRow>(
    app: &App,
    caller: &Caller,
    (list, page): (List, Page),
    text: &'static str,
) -> Result<Paged<R>> {
    caller.platform(Action::ViewAudit)?;
    let (total, cut) = list.find(app, page).await?;
    let rows = match cut {
        None => Vec::new(),
        Some(cut) => list.rows(&app.db, text, cut).await?,
    };
    Ok(page.of(rows, total))
}
