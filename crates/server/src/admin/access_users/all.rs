//! `GET /api/AccessUsers/all`: all access users of the platform. Streamed, so that neither the answer nor its rows are held
//! in memory as a whole (security-and-proof 2.3, row 28).

use std::collections::{HashMap, HashSet};

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use berth_domain::id::{MembershipId, OrganizationId};
use berth_domain::policy::Action;
use futures_util::stream;

use super::{AccessUserView, Row, organizations_of, select_access_users, site_counts};
use crate::auth::caller::Caller;
use crate::{App, Result};

/// Rows of the first query. They are few, because nothing is sent before they are read.
const FIRST_BATCH_SIZE: usize = 100;
/// Rows of each other query.
const BATCH_SIZE: usize = 1000;

/// Position of the stream.
struct Cursor {
    app: App,
    caller: Caller,
    /// Number of sites by organization, for all batches but the first.
    sites: Option<HashMap<OrganizationId, i64>>,
    after: MembershipId,
    is_first: bool,
    is_over: bool,
}

/// Lists all access users of the platform, in the order of their invitations.
#[utoipa::path(get, path = "/api/AccessUsers/all", tag = "Access users",
    responses((status = 200, body = Vec<AccessUserView>)))]
pub async fn all(State(app): State<App>, caller: Caller) -> Result<Response> {
    caller.platform(Action::ViewAllAccessUsers)?;
    let after = MembershipId(uuid::Uuid::nil());
    let mut cursor = Cursor { app, caller, sites: None, after, is_first: true, is_over: false };
    // Read before the headers are sent, so that an unreachable database is answered by 503.
    let first = next(&mut cursor).await?;
    let rest = stream::try_unfold(cursor, async |mut cursor| {
        if cursor.is_over {
            return Ok::<_, std::io::Error>(None);
        }
        let bytes = next(&mut cursor).await.map_err(std::io::Error::other)?;
        Ok(Some((bytes, cursor)))
    });
    let body = Body::from_stream(stream::StreamExt::chain(stream::iter([Ok(first)]), rest));
    let mut response = body.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Returns the next part of the JSON array.
async fn next(cursor: &mut Cursor) -> Result<Bytes> {
    const AFTER: &str = select_access_users!("m.id > $1 ORDER BY m.id LIMIT $2");
    const ALL_SITES: &str =
        "SELECT organization_id, COUNT(*) FROM sites WHERE deleted_at IS NULL GROUP BY organization_id";
    let size = if cursor.is_first { FIRST_BATCH_SIZE } else { BATCH_SIZE };
    let limit = i64::try_from(size).unwrap_or(i64::MAX);
    let mut tx = cursor.app.db.read().await?;
    let rows: Vec<Row> = tx.query(AFTER).bind(cursor.after).bind(limit).all().await?;
    // The first rows do not wait for the count of all sites.
    let sites = if cursor.is_first {
        &site_counts(&mut tx, &cursor.caller, organizations_of(&rows)).await?
    } else if let Some(sites) = &cursor.sites {
        sites
    } else {
        cursor.sites.insert(tx.query(ALL_SITES).all().await?.into_iter().collect())
    };
    drop(tx);
    cursor.is_over = rows.len() < size;
    if let Some(last) = rows.last() {
        cursor.after = last.id;
    }
    let mut bytes = Vec::with_capacity(rows.len() * 512 + 2);
    for row in rows {
        bytes.push(if cursor.is_first { b'[' } else { b',' });
        cursor.is_first = false;
        serde_json::to_writer(&mut bytes, &row.view(&cursor.caller.actor, sites, &HashSet::new()))
            .map_err(|error| crate::Error::Internal(error.into()))?;
    }
    if cursor.is_over {
        if cursor.is_first {
            bytes.push(b'[');
        }
        bytes.push(b']');
    }
    Ok(bytes.into())
}
