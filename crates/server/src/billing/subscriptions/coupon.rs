//! Checks promo codes. A code is the code of a promotion code at Stripe, or the id of a coupon without promotion codes.

use axum::Json;
use axum::extract::State;
use berth_domain::id::OrganizationId;
use berth_domain::plan::PromoCode;
use berth_domain::policy::Action;
use berth_stripe::{Coupon, Expandable};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::operations::StoredDiscount;
use super::{catalog, dollars, moment};
use crate::auth::caller::Caller;
use crate::auth::throttle;
use crate::billing::{cards, payments};
use crate::http::body::Body;
use crate::{App, Error, Result};

/// Maximum length of a code, in bytes.
const MAX_CODE_BYTES: usize = 100;

/// A promo code to be checked.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CouponQuestion {
    /// The code as the user typed it.
    coupon_code: String,
    /// The organization that wants to use it. Some codes are for one customer only.
    #[serde(default)]
    organization_id: Option<OrganizationId>,
}

/// The result of checking a promo code.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponAnswer {
    /// True if it can be used now.
    valid: bool,
    /// The id of its coupon; null if the code cannot be used.
    id: Option<String>,
    /// The name of the coupon.
    name: Option<String>,
    /// Percent off.
    percent_off: Option<f64>,
    /// Dollars off.
    amount_off_in_dollars: Option<f64>,
    /// `once`, `repeating` or `forever`.
    #[schema(example = "once")]
    duration: Option<String>,
    /// The number of months that a repeating coupon lasts.
    duration_in_months: Option<i64>,
}

/// Checks a promo code. If it cannot be used, the response is `valid: false`.
#[utoipa::path(post, path = "/api/Stripe/coupon", tag = "Subscriptions", request_body = CouponQuestion,
    responses((status = 200, body = CouponAnswer)))]
pub async fn check_coupon(
    State(app): State<App>,
    caller: Caller,
    Body(input): Body<CouponQuestion>,
) -> Result<Json<CouponAnswer>> {
    let organization = match input.organization_id {
        Some(id) => Some(caller.organization(id, Action::ManageBilling).await?.id),
        None => {
            catalog::may_bill(&caller).await?;
            None
        }
    };
    let key = format!("coupon:{}", caller.actor.user_id);
    throttle::attempt(&app, &key, throttle::COUPON_USER, app.now()).await?;
    let found = find(&app, organization, &input.coupon_code).await?;
    Ok(Json(found.map_or_else(CouponAnswer::default, |(_, coupon)| CouponAnswer {
        valid: true,
        id: Some(coupon.id),
        name: coupon.name,
        percent_off: coupon.percent_off,
        amount_off_in_dollars: coupon.amount_off.map(dollars),
        duration: Some(coupon.duration),
        duration_in_months: coupon.duration_in_months,
    })))
}

/// Returns true if a customer has a successful payment.
async fn has_paid(app: &App, customer: &str) -> Result<bool> {
    match app.payments.client().await?.charges(customer).await {
        Ok(charges) => Ok(charges.iter().any(|charge| charge.status == "succeeded")),
        Err(error) if error.is_missing("customer") => Ok(false),
        Err(error) => Err(payments::failed(error)),
    }
}

/// Finds the discount that a code gives an organization now. Stripe compares the codes, so its rules for case apply.
pub(super) async fn find(
    app: &App,
    organization: Option<OrganizationId>,
    code: &str,
) -> Result<Option<(StoredDiscount, Coupon)>> {
    let code = code.trim();
    if code.is_empty() || code.len() > MAX_CODE_BYTES {
        return Ok(None);
    }
    let customer = match organization {
        Some(organization) => cards::customer(app, organization).await?,
        None => None,
    };
    let client = app.payments.client().await?;
    let now = app.now();
    if let Some(promotion) = client.find_promotion_code(code).await.map_err(payments::failed)? {
        let Some(coupon) = promotion.promotion.coupon.as_ref().and_then(Expandable::object) else {
            return Err(Error::internal("a promotion code came without its coupon"));
        };
        let has_paid = match customer.as_deref().filter(|_| promotion.restrictions.first_time_transaction) {
            Some(customer) => has_paid(app, customer).await?,
            None => false,
        };
        let facts = PromoCode {
            is_for_new_customers: promotion.restrictions.first_time_transaction,
            has_paid,
            is_active: promotion.active,
            is_coupon_valid: coupon.valid,
            expires_at: promotion.expires_at.map(moment),
            customer: promotion.customer.as_deref(),
        };
        let is_usable = facts.is_usable(customer.as_deref(), now);
        return Ok(is_usable.then(|| (StoredDiscount::PromotionCode(promotion.id.clone()), coupon.clone())));
    }
    let coupon = client.find_coupon(code).await.map_err(payments::failed)?.filter(|coupon| coupon.valid);
    let Some(coupon) = coupon else { return Ok(None) };
    // A coupon with promotion codes can only be used by them, because they have the restrictions.
    if client.has_promotion_code(&coupon.id).await.map_err(payments::failed)? {
        return Ok(None);
    }
    Ok(Some((StoredDiscount::Coupon(coupon.id.clone()), coupon)))
}
