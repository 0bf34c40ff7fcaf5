//! Paged lists. The parameters are `page` and `pageSize`, or `PageNumber` and `PageSize`; answers hold both forms of the spec (spec A 3).

use berth_domain::limits::{DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Maximum page number, beyond any list, so that the offset does not overflow.
const MAX_PAGE_NUMBER: i64 = 1_000_000_000;

/// The requested page. Pages count from 1 and have 25 rows by default, at most 300.
#[derive(Debug, Default, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// The page, from 1.
    #[serde(default)]
    #[param(value_type = Option<i64>)]
    page: Option<String>,
    /// Rows on a page, 1 to 300.
    #[serde(default, rename = "pageSize")]
    #[param(value_type = Option<i64>)]
    page_size: Option<String>,
    /// The page, from 1. Another name of `page`.
    #[serde(default, rename = "PageNumber")]
    #[param(value_type = Option<i64>)]
    page_number: Option<String>,
    /// Rows on a page, 1 to 300. Another name of `pageSize`.
    #[serde(default, rename = "PageSize")]
    #[param(value_type = Option<i64>)]
    page_size_other: Option<String>,
}

impl PageQuery {
    /// Returns the page. Invalid values are replaced by the nearest valid ones, so that a list never fails because of them.
    #[must_use]
    pub fn page(&self) -> Page {
        let number = |text: &Option<String>| text.as_deref().and_then(|text| text.trim().parse::<i64>().ok());
        let size = number(&self.page_size).or_else(|| number(&self.page_size_other)).unwrap_or(DEFAULT_PAGE_SIZE);
        let page = number(&self.page).or_else(|| number(&self.page_number)).unwrap_or(1);
        Page::new(page, size)
    }
}

/// A page by number (from 1) and size.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// From 1.
    pub number: i64,
    /// 1 to 300.
    pub size: i64,
}

impl Page {
    /// Returns the page with its values clamped to their ranges.
    #[must_use]
    pub fn new(number: i64, size: i64) -> Self {
        Self { number: number.clamp(1, MAX_PAGE_NUMBER), size: size.clamp(1, MAX_PAGE_SIZE) }
    }

    /// One page with all rows, for lists without paging.
    #[must_use]
    pub fn whole(rows: usize) -> Self {
        Self { number: 1, size: i64::try_from(rows).unwrap_or(i64::MAX).max(1) }
    }

    /// Rows before the page.
    #[must_use]
    pub const fn offset(self) -> i64 {
        (self.number - 1) * self.size
    }

    /// Returns the answer with the `items` of this page and the total number of rows.
    #[must_use]
    pub fn of<T>(self, items: Vec<T>, total_count: i64) -> Paged<T> {
        let total_pages = (total_count + self.size - 1) / self.size;
        Paged {
            items,
            has_next_page: self.number < total_pages,
            has_previous_page: self.number > 1,
            page_index: self.number - 1,
            total_count,
            total_pages,
            offset: self.offset(),
            limit: self.size,
            page: self.number,
            page_size: self.size,
        }
    }
}

/// A page of a list, in both forms of the spec.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Paged<T> {
    /// The rows of this page.
    pub items: Vec<T>,
    /// True if there is a next page.
    pub has_next_page: bool,
    /// True if there is a previous page.
    pub has_previous_page: bool,
    /// The page, from 0.
    pub page_index: i64,
    /// Rows on all pages.
    pub total_count: i64,
    /// Number of pages.
    pub total_pages: i64,
    /// Rows before this page.
    pub offset: i64,
    /// Maximum number of rows on a page, as `pageSize`.
    pub limit: i64,
    /// The page, from 1.
    pub page: i64,
    /// Maximum number of rows on a page.
    pub page_size: i64,
}
