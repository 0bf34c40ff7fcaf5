//! Shared by the three lists: query, sorting and paging.

use std::cmp::Ordering;
use std::sync::Arc;

use berth_domain::value::fold;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::http::paging::{Page, Paged};
use crate::{Error, Result};

/// Filter and order of a list. An unknown column or direction falls back to the default.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Text to search for, case-insensitive.
    pub search: Option<String>,
    /// Column to search, of users only: `firstName` (the default), `lastName`, `email` or `role`.
    pub field: Option<String>,
    /// Column to sort by, named as in the rows.
    pub sort: Option<String>,
    /// `asc` (the default) or `desc`.
    pub direction: Option<String>,
    /// `commercial` or `nonCommercial`, case-insensitive. All if absent.
    #[serde(rename = "SiteType")]
    pub site_type: Option<String>,
}

impl ListQuery {
    /// Returns the search text, or `None` for all rows.
    #[must_use]
    pub fn needle(&self) -> Option<String> {
        self.search.as_deref().map(fold).filter(|needle| !needle.is_empty())
    }

    /// Returns the column to sort by; empty if none was sent.
    #[must_use]
    pub fn column(&self) -> &str {
        self.sort.as_deref().unwrap_or_default()
    }

    /// Returns true for descending order.
    #[must_use]
    pub fn is_descending(&self) -> bool {
        self.direction.as_deref().is_some_and(|direction| direction.eq_ignore_ascii_case("desc"))
    }

    /// Returns the kind of organization.
    ///
    /// # Errors
    /// 422 for an unknown kind.
    pub fn is_commercial(&self) -> Result<Option<bool>> {
        match self.site_type.as_deref().map(|text| text.trim().to_ascii_lowercase()).as_deref() {
            None | Some("") => Ok(None),
            Some("commercial") => Ok(Some(true)),
            Some("noncommercial") => Ok(Some(false)),
            Some(_) => Err(Error::field("/SiteType", "Choose one of: commercial, nonCommercial.")),
        }
    }
}

/// Compares two rows by a column. Equal rows keep the order of their ids in both directions, so that pages never overlap.
pub fn ordered<T, I: Ord>(
    is_descending: bool,
    by_column: impl Fn(&T, &T) -> Ordering,
    id: impl Fn(&T) -> I,
) -> impl Fn(&Arc<T>, &Arc<T>) -> Ordering {
    move |a, b| {
        let order = by_column(a, b);
        if is_descending { order.reverse() } else { order }.then_with(|| id(a).cmp(&id(b)))
    }
}

/// Sorts the rows of one page only, so that a page of 10,000 rows is found in one or two passes.
#[must_use]
pub fn page_of<T, R>(
    mut rows: Vec<Arc<T>>,
    page: Page,
    order: impl Fn(&Arc<T>, &Arc<T>) -> Ordering,
    shown: impl Fn(&T) -> R,
) -> Paged<R> {
    let total = rows.len();
    let start = usize::try_from(page.offset()).unwrap_or(usize::MAX).min(total);
    let end = start.saturating_add(usize::try_from(page.size).unwrap_or(usize::MAX)).min(total);
    if end < total {
        rows.select_nth_unstable_by(end, &order);
        rows.truncate(end);
    }
    if start > 0 && start < end {
        rows.select_nth_unstable_by(start, &order);
    }
    rows.drain(..start);
    rows.sort_unstable_by(&order);
    page.of(rows.iter().map(|row| shown(row)).collect(), i64::try_from(total).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::page_of;
    use crate::http::paging::Page;

    #[test]
    fn a_page_is_cut_from_the_sorted_list() {
        let rows: Vec<Arc<i64>> = (0..103).map(|number| Arc::new((number * 37) % 103)).collect();
        for (number, size) in [(1, 5), (2, 5), (21, 5), (22, 5), (1, 103), (1, 250), (3, 40), (9, 100)] {
            let page = page_of(rows.clone(), Page { number, size }, Ord::cmp, |row| *row);
            let expected: Vec<i64> = ((number - 1) * size..(number * size).min(103)).collect();
            assert_eq!(page.items, expected, "page {number} of {size}");
            assert_eq!(page.total_count, 103);
        }
    }
}
