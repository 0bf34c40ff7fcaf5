//! Events: what happened in the account.

use super::{PAGE, part};
use crate::form::Form;
use crate::objects::{Event, List};
use crate::{Client, Result};

impl Client {
    /// Lists all events after the event `last`, **the oldest first**. Stripe keeps events for 30 days.
    ///
    /// # Errors
    /// See [`crate::Error`]. `resource_missing` at `ending_before` if Stripe no longer knows `last`.
    pub async fn events_after(&self, last: &str) -> Result<Vec<Event>> {
        let mut events: Vec<Event> = Vec::new();
        loop {
            // The page closest to `ending_before`. Within the page, the newest event is first.
            let cursor = events.last().map_or(last, |event| event.id.as_str());
            let query = Form::new().with("limit", PAGE).with("ending_before", cursor);
            let page: List<Event> = self.get("/v1/events", &query).await?;
            let is_last = !page.has_more || page.data.is_empty();
            events.extend(page.data.into_iter().rev());
            if is_last {
                return Ok(events);
            }
        }
    }

    /// Reads the latest event, from which [`Client::events_after`] can start. `None` if nothing happened in 30 days.
    pub async fn latest_event(&self) -> Result<Option<Event>> {
        let page: List<Event> = self.get("/v1/events", &Form::new().with("limit", "1")).await?;
        Ok(page.data.into_iter().next())
    }

    /// Reads an event.
    ///
    /// # Errors
    /// See [`crate::Error`]. `resource_missing` at `id` if there is no such event.
    pub async fn event(&self, id: &str) -> Result<Event> {
        self.get(&format!("/v1/events/{}", part(id, "id")?), &Form::new()).await
    }
}
