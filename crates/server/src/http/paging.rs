//! Paged lists: `page`/`pageSize` and `PageNumber`/`PageSize` both; answers carry both forms of the spec (spec A 3).

use berth_domain::limits::{DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The last page that can be asked for: beyond any list, and far from what an offset can be.
const MOST_PAGES: i64 = 1_000_000_000;

/// Which page is asked for. Pages count from 1; 25 rows unless told, at most 300.
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
    /// The page, from 1; the other spelling.
    #[serde(default, rename = "PageNumber")]
    #[param(value_type = Option<i64>)]
    page_number: Option<String>,
    /// Rows on a page, 1 to 300; the other spelling.
    #[serde(default, rename = "PageSize")]
    #[param(value_type = Option<i64>)]
    page_size_other: Option<String>,
}

impl PageQuery {
    /// The page that is meant; what makes no sense is brought into range, since a list must not break a screen.
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
    /// A page, brought into range.
    #[must_use]
    pub fn new(number: i64, size: i64) -> Self {
        Self { number: number.clamp(1, MOST_PAGES), size: size.clamp(1, MAX_PAGE_SIZE) }
    }

    /// Everything on one page, for lists that are never cut.
    #[must_use]
    pub fn whole(rows: usize) -> Self {
        Self { number: 1, size: i64::try_from(rows).unwrap_or(i64::MAX).max(1) }
    }

    /// Rows before the page.
    #[must_use]
    pub const fn offset(self) -> i64 {
        (self.number - 1) * self.size
    }

    /// The answer with `items` of this page out of `total_count` rows.
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
    /// Whether a later page exists.
    pub has_next_page: bool,
    /// Whether an earlier page exists.
    pub has_previous_page: bool,
    /// The page, from 0.
    pub page_index: i64,
    /// Rows on all pages.
    pub total_count: i64,
    /// Number of pages.
    pub total_pages: i64,
    /// Rows before this page.
    pub offset: i64,
    /// Most rows a page can have; the same as `pageSize`.
    pub limit: i64,
    /// The page, from 1.
    pub page: i64,
    /// Most rows a page can have.
    pub page_size: i64,
}
