//! What the four lists share: who may read them, that it is on record, and how an answer looks.

use berth_db::Row;
use berth_domain::policy::Action;
use serde::Serialize;
use utoipa::ToSchema;

use crate::audit::lists::List;
use crate::caller::Caller;
use crate::paging::{Page, Paged};
use crate::{App, Result};

/// Which page of how many (spec B 3, "Paging metadata").
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PagingMetadata {
    /// Rows on all pages.
    total_count: i64,
    /// Rows before this page.
    offset: i64,
    /// Most rows a page can have; the same as `pageSize`.
    limit: i64,
    /// The page, from 1.
    page: i64,
    /// Most rows a page can have.
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

/// Reads a page of a list, newest first, for global admins, and notes that they did. `text` takes the rows after one mark
/// and up to another, how many and how many not: of the whole trail by ids as $1 to $4; of others by time and id as $1 to
/// $6, and their actions as $7.
///
/// # Errors
/// 403 for others; those of the database.
pub async fn read<R: Row>(
    app: &App,
    caller: &Caller,
    (list, page): (List, Page),
    text: &'static str,
) -> Result<Paged<R>> {
    caller.platform(Action::ViewAudit)?;
    let (total, cut) = list.find(&app.db, page, app.now()).await?;
    let rows = match cut {
        None => Vec::new(),
        Some(cut) if list == List::Whole => {
            let query = app.db.query(text).bind(cut.after.id).bind(cut.until.id).bind(cut.take).bind(cut.skip);
            query.all().await?
        }
        Some(cut) => {
            let query = app.db.query(text).bind(cut.after.at).bind(cut.after.id).bind(cut.until.at).bind(cut.until.id);
            query.bind(cut.take).bind(cut.skip).bind_list(list.action_words()).all().await?
        }
    };
    app.reads.note_trail(caller, list, app.now());
    Ok(page.of(rows, total))
}
