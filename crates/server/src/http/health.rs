//! Checks for load balancers and process managers: `/healthz` (the process runs) and `/readyz` (it can answer requests).

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::{App, Error, Result};

/// Answers if the process runs. Does not use the database, so that the process is not killed while the database is slow.
pub async fn healthz() -> Response {
    fresh(Json(json!({ "status": "alive" })).into_response())
}

/// Answers if the database answers and has its tables; otherwise 503 with Retry-After.
///
/// # Errors
/// [`Error::Busy`].
pub async fn readyz(State(app): State<App>) -> Result<Response> {
    const MIGRATED: &str = "SELECT COUNT(*) FROM _sqlx_migrations WHERE success";
    match app.db.query(MIGRATED).scalar::<i64>().await {
        Ok(count) if count > 0 => Ok(fresh(Json(json!({ "status": "ready" })).into_response())),
        Ok(_) => Err(Error::Busy),
        Err(error) => {
            tracing::warn!(error = %error, "not ready");
            Err(Error::Busy)
        }
    }
}

fn fresh(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
