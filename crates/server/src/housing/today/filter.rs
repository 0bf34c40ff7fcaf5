//! The filter of Today, and the sites that are its scope.

use berth_domain::catalog::{self, Payer, PaymentMethod, SitePaymentOption};
use berth_domain::id::SiteId;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{Error, Result};

/// The filter of Today. Guests are listed if they need the service and pay in this way, sites if they offer both.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct TodayFilter {
    /// Only this site.
    pub(super) site_id: Option<SiteId>,
    /// The id of a service of the catalog.
    pub(super) service: Option<String>,
    /// The way to pay.
    #[param(inline)]
    pub(super) payer: Option<Payer>,
}

impl TodayFilter {
    /// Checks that the catalog has the service. The text of the filter is a key of the cache, so it must not be free text.
    ///
    /// # Errors
    /// 422 at `/service`.
    pub(super) fn check(&self) -> Result<()> {
        match self.service.as_deref() {
            Some(id) if catalog::service(id).is_none() => {
                Err(Error::field("/service", "This value cannot be used here."))
            }
            _ => Ok(()),
        }
    }

    /// Describes the filter, for the cache and the audit log.
    pub(super) fn text(&self) -> String {
        let site = self.site_id.map(|id| format!(", site {id}")).unwrap_or_default();
        let service = self.service.as_ref().map(|id| format!(", service {id}")).unwrap_or_default();
        let payer = self.payer.map(|payer| format!(", payer {payer}")).unwrap_or_default();
        format!("today{site}{service}{payer}")
    }

    /// Returns the number of the payment method at commercial sites.
    pub(super) fn method(&self) -> Option<i64> {
        self.payer.and_then(Payer::method).map(PaymentMethod::id)
    }

    /// Returns a payment option of non-commercial sites. There are at most three for a way to pay.
    pub(super) fn option(&self, index: usize) -> Option<SitePaymentOption> {
        self.payer.and_then(|payer| payer.options().get(index).copied())
    }
}

/// SQL: the ids of the caller's sites as `y`; $1 is the user. The text for global admins lists all sites and ignores $1.
macro_rules! scope {
    (mine) => {
        concat!("(", $crate::housing::sites::ids_seen_by!("$1"), ") y")
    };
    (all) => {
        "(SELECT x.id FROM sites x WHERE $1 IS NOT NULL) y"
    };
}

/// SQL condition on `guests g`: the filter. $2 is the site, $3 the service, $4 whether a way to pay is chosen, $5 its method and $6 to $8 its
/// options.
macro_rules! is_wanted {
    () => {
        "($2 IS NULL OR g.site_id = $2) AND ($3 IS NULL OR EXISTS (SELECT 1 FROM guest_services v \
         WHERE v.guest_id = g.id AND v.service_id = $3)) \
         AND (NOT $4 OR g.payment_method = $5 OR g.medi_cal_choice = $6 OR g.medi_cal_choice = $7 \
         OR g.medi_cal_choice = $8)"
    };
}

/// Binds the parameters $1 to $8 of [`scope`] and [`is_wanted`].
macro_rules! bind_filter {
    ($query:expr, $caller:expr, $filter:expr) => {
        $query
            .bind($caller.actor.user_id)
            .bind($filter.site_id)
            .bind($filter.service.as_deref())
            .bind($filter.payer.is_some())
            .bind($filter.method())
            .bind($filter.option(0))
            .bind($filter.option(1))
            .bind($filter.option(2))
    };
}

pub(super) use {bind_filter, is_wanted, scope};
