//! The catalog, promotion codes and coupons.

use super::part;
use crate::form::Form;
use crate::objects::{Coupon, List, Price, PromotionCode};
use crate::{Client, Result};

impl Client {
    /// Lists all active recurring prices with their products, the newest first. The products may be inactive or
    /// deleted.
    pub async fn prices(&self) -> Result<Vec<Price>> {
        let query = Form::new().with("active", "true").with("type", "recurring").with("expand[]", "data.product");
        self.all("/v1/prices", &query).await
    }

    /// Reads a price with its product.
    ///
    /// # Errors
    /// See [`crate::Error`]. `resource_missing` at `price` if there is no such price.
    pub async fn price(&self, id: &str) -> Result<Price> {
        self.get(&format!("/v1/prices/{}", part(id, "price")?), &Form::new().with("expand[]", "product")).await
    }

    /// Finds the active promotion code that customers type as `code`, with its coupon.
    pub async fn find_promotion_code(&self, code: &str) -> Result<Option<PromotionCode>> {
        let query = Form::new().with("code", code).with("active", "true").with("limit", "1");
        let query = query.with("expand[]", "data.promotion.coupon");
        let page: List<PromotionCode> = self.get("/v1/promotion_codes", &query).await?;
        Ok(page.data.into_iter().next())
    }

    /// Returns true if a coupon has promotion codes, active or not.
    pub async fn has_promotion_code(&self, coupon: &str) -> Result<bool> {
        let query = Form::new().with("coupon", coupon).with("limit", "1");
        let page: List<PromotionCode> = self.get("/v1/promotion_codes", &query).await?;
        Ok(!page.data.is_empty())
    }

    /// Reads the coupon with an id that somebody typed. `None` if there is no such coupon.
    pub async fn find_coupon(&self, id: &str) -> Result<Option<Coupon>> {
        // Operators choose the ids of coupons, so the ids may contain more characters than Stripe's own.
        let is_plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
        if !is_plain || id.is_empty() || id.len() > 255 || id.bytes().all(|byte| byte == b'.') {
            return Ok(None);
        }
        match self.get(&format!("/v1/coupons/{id}"), &Form::new()).await {
            Ok(coupon) => Ok(Some(coupon)),
            Err(error) if error.api_error().is_some_and(|api_error| api_error.status == 404) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
