//! `GET /api/AccessUsers/all`: every access user of the platform, streamed, so that neither the answer nor its rows ever
//! stand in memory as a whole (security-and-proof 2.3, row 28).

use std::collections::HashSet;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use berth_domain::id::MembershipId;
use berth_domain::policy::Action;
use futures_util::stream;

use super::{AccessUserView, Row, select_access_users, site_counts};
use crate::auth::caller::Caller;
use crate::{App, Result};

/// Rows read at once.
const BATCH: usize = 1000;

/// Where the stream stands.
struct Walk {
    app: App,
    caller: Caller,
    sites: std::collections::HashMap<berth_domain::id::OrganizationId, i64>,
    after: MembershipId,
    is_first: bool,
    is_over: bool,
}

/// Every access user of the platform, in the order of invitation.
#[utoipa::path(get, path = "/api/AccessUsers/all", tag = "Access users",
    responses((status = 200, body = Vec<AccessUserView>)))]
pub async fn all(State(app): State<App>, caller: Caller) -> Result<Response> {
    caller.platform(Action::ViewAllAccessUsers)?;
    let mut tx = app.db.read().await?;
    let sites = site_counts(&mut tx, &caller).await?;
    drop(tx);
    let after = MembershipId(uuid::Uuid::nil());
    let mut walk = Walk { app, caller, sites, after, is_first: true, is_over: false };
    // The first batch before the head of the answer: a database that is away is still a 503.
    let first = next(&mut walk).await?;
    let rest = stream::try_unfold(walk, async |mut walk| {
        if walk.is_over {
            return Ok::<_, std::io::Error>(None);
        }
        let bytes = next(&mut walk).await.map_err(std::io::Error::other)?;
        Ok(Some((bytes, walk)))
    });
    let body = Body::from_stream(stream::StreamExt::chain(stream::iter([Ok(first)]), rest));
    let mut response = body.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// The next piece of the array.
async fn next(walk: &mut Walk) -> Result<Bytes> {
    const AFTER: &str = select_access_users!("m.id > $1 ORDER BY m.id LIMIT $2");
    let limit = i64::try_from(BATCH).unwrap_or(i64::MAX);
    let rows: Vec<Row> = walk.app.db.query(AFTER).bind(walk.after).bind(limit).all().await?;
    walk.is_over = rows.len() < BATCH;
    if let Some(last) = rows.last() {
        walk.after = last.id;
    }
    let mut bytes = Vec::with_capacity(rows.len() * 512 + 2);
    for row in rows {
        bytes.push(if walk.is_first { b'[' } else { b',' });
        walk.is_first = false;
        serde_json::to_writer(&mut bytes, &row.view(&walk.caller.actor, &walk.sites, &HashSet::new()))
            .map_err(|error| crate::Error::Internal(error.into()))?;
    }
    if walk.is_over {
        if walk.is_first {
            bytes.push(b'[');
        }
        bytes.push(b']');
    }
    Ok(bytes.into())
}
