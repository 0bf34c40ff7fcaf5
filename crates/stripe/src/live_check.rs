//! The scenario of `berth stripe-live-check`: what Berth expects of Stripe, tried with a test key. Everything that it
//! creates is named after the run and removed again.

use serde::Deserialize;

use crate::form::Form;
use crate::objects::List;
use crate::{
    Client, Discount, Error, Event, FirstPayment, Invoice, NewCustomer, NewSubscription, Result, SetupIntent,
    Subscription, SubscriptionStatus,
};

/// Seconds of 40 days: later than the next month, earlier than the next year.
const FORTY_DAYS: i64 = 40 * 24 * 60 * 60;
/// How often the list of events is read until it has what just happened, and the pause in between.
const EVENT_TRIES: u32 = 10;
const EVENT_PAUSE: std::time::Duration = std::time::Duration::from_secs(1);

/// One expectation, and whether it held.
#[derive(Debug)]
pub struct Finding {
    /// What is expected.
    pub expected: &'static str,
    /// What happened instead. `None` if it held.
    pub instead: Option<String>,
}

/// What a run found.
#[derive(Debug)]
pub struct Report {
    /// The expectations in the order of the scenario.
    pub findings: Vec<Finding>,
    /// What could not be removed, with the reason.
    pub left_behind: Vec<String>,
}

impl Report {
    /// Returns true if everything held and nothing was left behind.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.left_behind.is_empty() && self.findings.iter().all(|finding| finding.instead.is_none())
    }
}

/// An object of which only the id counts.
#[derive(Debug, Deserialize)]
struct Made {
    id: String,
    livemode: bool,
}

/// A deleted object.
#[derive(Debug, Deserialize)]
struct Deleted {
    deleted: bool,
}

/// Runs the scenario. `run` names what is created: letters and digits, different in each run.
pub async fn live_check(client: &Client, run: &str) -> Report {
    let mut check = Check { client, run, findings: Vec::new(), customers: Vec::new(), sold: Sold::default() };
    // A step that cannot go on ends the scenario; what was created is removed in any case.
    if let Err(error) = check.scenario().await {
        check.note("the scenario runs to its end", Err(error.to_string()));
    }
    let left_behind = check.clean_up().await;
    Report { findings: check.findings, left_behind }
}

/// What was put on sale.
#[derive(Debug, Default)]
struct Sold {
    product: String,
    monthly: String,
    yearly: String,
    coupon: String,
    code: String,
}

struct Check<'a> {
    client: &'a Client,
    run: &'a str,
    findings: Vec<Finding>,
    customers: Vec<String>,
    sold: Sold,
}

impl Check<'_> {
    fn note(&mut self, expected: &'static str, outcome: std::result::Result<(), String>) {
        self.findings.push(Finding { expected, instead: outcome.err() });
    }

    /// Notes whether `holds`; otherwise, `seen` is what happened.
    fn expect(&mut self, expected: &'static str, holds: bool, seen: impl std::fmt::Debug) {
        self.note(expected, if holds { Ok(()) } else { Err(format!("{seen:?}")) });
    }

    /// Notes whether a call was rejected for the right reason.
    fn expect_error<T>(&mut self, expected: &'static str, answer: Result<T>, is_right: impl FnOnce(&Error) -> bool) {
        self.note(
            expected,
            match answer {
                Err(error) if is_right(&error) => Ok(()),
                Err(error) => Err(error.to_string()),
                Ok(_) => Err("it was accepted".to_owned()),
            },
        );
    }

    fn key(&self, step: &str) -> String {
        format!("berth-check-{}-{step}", self.run)
    }

    async fn scenario(&mut self) -> Result<()> {
        let before = self.client.latest_event().await?;
        let customer = self.customer("payer").await?;
        self.sell().await?;
        let card = self.cards(&customer).await?;
        let first = self.subscribe(&customer).await?;
        self.bills(&customer, &first).await?;
        self.start_again(&customer, &first).await?;
        self.declined(&customer, &card).await?;
        self.authentication(&customer, &card).await?;
        self.rejected(&customer).await?;
        self.portal(&customer).await;
        self.events(before.map(|event| event.id), &first).await?;
        self.deleted_customer(&customer).await
    }

    /// Creates a customer, the same one for a repeated call.
    async fn customer(&mut self, name: &str) -> Result<String> {
        let (email, key) = (format!("berth-check-{name}@example.com"), self.key(name));
        let full_name = format!("Berth check {} ({name})", self.run);
        let new = NewCustomer { email: &email, name: &full_name, organization_id: "berth-check" };
        let customer = self.client.create_customer(&new, &key).await?;
        self.customers.push(customer.id.clone());
        let again = self.client.create_customer(&new, &key).await;
        let is_same = again.as_ref().is_ok_and(|again| again.id == customer.id);
        self.expect("a call that is repeated with its key takes effect once", is_same, &again);
        Ok(customer.id)
    }

    /// Puts a product on sale by month and by year, with a promotion code.
    async fn sell(&mut self) -> Result<()> {
        let name = format!("Berth check {}", self.run);
        let product: Made = self.client.post("/v1/products", &Form::new().with("name", &name), None).await?;
        self.sold.product = product.id;
        self.expect("the account is in test mode", !product.livemode, "live mode");
        self.sold.monthly = self.price("month", 100_000).await?;
        self.sold.yearly = self.price("year", 1_000_000).await?;
        let form = Form::new().with("percent_off", "20").with("duration", "once").with("name", "Berth check");
        let coupon: Made = self.client.post("/v1/coupons", &form, None).await?;
        self.sold.coupon = coupon.id;
        let code = format!("BERTHCHECK{}", self.run.to_uppercase());
        let form = Form::new().with("promotion[type]", "coupon").with("promotion[coupon]", &self.sold.coupon);
        let made: Made = self.client.post("/v1/promotion_codes", &form.with("code", &code), None).await?;
        self.sold.code = made.id;

        let prices = self.client.prices().await?;
        let price = prices.iter().find(|price| price.id == self.sold.monthly);
        let is_offered = price.is_some_and(|price| {
            price.unit_amount == Some(100_000)
                && price.months() == Some(1)
                && price.product.object().is_some_and(|product| product.active && product.name == name)
        });
        self.expect("the catalog has active prices with their products", is_offered, price);
        let found = self.client.find_promotion_code(&code.to_lowercase()).await?;
        let is_found = found.as_ref().is_some_and(|found| found.id == self.sold.code);
        self.expect("a promotion code is found however it is typed", is_found, &found);
        let none = self.client.find_promotion_code(&format!("{code}X")).await?;
        self.expect("an unknown promotion code is not found", none.is_none(), &none);
        Ok(())
    }

    async fn price(&self, interval: &str, cents: i64) -> Result<String> {
        let form = Form::new().with("product", &self.sold.product).with("currency", "usd");
        let form = form.with("unit_amount", cents.to_string()).with("recurring[interval]", interval);
        let price: Made = self.client.post("/v1/prices", &form, None).await?;
        Ok(price.id)
    }

    /// Saves a card as a browser does, and makes it the default. Returns the card.
    async fn cards(&mut self, customer: &str) -> Result<String> {
        let intent = self.client.create_setup_intent(customer).await?;
        let has_secret = intent.client_secret.is_some() && intent.status == "requires_payment_method";
        self.expect("a browser gets a secret to save a card", has_secret, &intent.status);
        let path = format!("/v1/setup_intents/{}/confirm", intent.id);
        let form = Form::new().with("payment_method", "pm_card_visa");
        let confirmed: SetupIntent = self.client.post(&path, &form, None).await?;
        let saved = self.client.cards(customer).await?;
        let is_saved = confirmed.status == "succeeded"
            && saved.len() == 1
            && saved[0].card.as_ref().is_some_and(|card| card.last4 == "4242")
            && confirmed.payment_method.as_deref() == Some(&saved[0].id);
        self.expect("a card is saved for later payments", is_saved, &saved);
        let card = confirmed.payment_method.unwrap_or_default();
        self.make_default(customer, &card).await?;
        Ok(card)
    }

    async fn make_default(&self, customer: &str, card: &str) -> Result<()> {
        self.client.set_default_payment_method(customer, card).await.map(|_| ())
    }

    fn order<'n>(&self, customer: &'n str, price: &'n str) -> NewSubscription<'n> {
        NewSubscription {
            customer,
            price,
            discount: None,
            first_payment: FirstPayment::Now,
            description: None,
            site_id: "berth-check",
            organization_id: "berth-check",
        }
    }

    /// Starts a monthly subscription with a promotion code, twice with one key.
    async fn subscribe(&mut self, customer: &str) -> Result<Subscription> {
        let discount = Some(Discount::PromotionCode(&self.sold.code));
        let new = NewSubscription { discount, ..self.order(customer, &self.sold.monthly) };
        let key = self.key("subscribe");
        let made = self.client.create_subscription(&new, &key).await?;
        let again = self.client.create_subscription(&new, &key).await;
        let is_paid = made.status == SubscriptionStatus::Active
            && made.expanded_invoice().is_some_and(|invoice| invoice.is_paid() && invoice.total == 80_000);
        self.expect("a subscription is paid at once, less its discount", is_paid, &made);
        let is_same = again.as_ref().is_ok_and(|again| again.id == made.id);
        self.expect("a subscription whose answer was lost is not made twice", is_same, &again);
        let has_item = made.item().is_some_and(|item| {
            item.price.id == self.sold.monthly && item.current_period_end - item.current_period_start < FORTY_DAYS
        });
        self.expect("its period is in its item", has_item, &made.items);
        let listed = self.client.subscriptions(customer).await?;
        let is_known = listed.len() == 1 && listed[0].metadata.get("site_id").is_some_and(|id| id == "berth-check");
        self.expect("subscriptions are found by their customer, with the site", is_known, &listed);
        Ok(made)
    }

    /// Invoices, receipts and the next invoice.
    async fn bills(&mut self, customer: &str, first: &Subscription) -> Result<()> {
        let invoices = self.client.invoices(&first.id).await?;
        let invoice = invoices.first();
        let is_shown = invoice.is_some_and(|invoice| {
            invoice.hosted_invoice_url.is_some()
                && invoice.number.is_some()
                && invoice.subscription_id() == Some(&first.id)
        });
        self.expect("an invoice has a number and a page", is_shown, invoice);
        let charges = self.client.charges(customer).await?;
        let intents = invoice.map(Invoice::payment_intents).unwrap_or_default();
        let has_receipt = charges.len() == 1
            && charges[0].receipt_url.is_some()
            && charges[0].payment_intent.as_deref().is_some_and(|intent| intents.contains(&intent));
        self.expect("its charge has a receipt, and both name the same payment", has_receipt, &charges);
        let next = self.client.preview_invoice(&first.id).await?;
        self.expect("the next invoice has the full price", next.total == 100_000, next.total);
        Ok(())
    }

    /// Cancels, and starts again inside the paid period without a charge.
    async fn start_again(&mut self, customer: &str, first: &Subscription) -> Result<()> {
        let canceled = self.client.cancel_subscription(&first.id).await?;
        self.expect(
            "a subscription ends when it is canceled",
            canceled.status == SubscriptionStatus::Canceled,
            &canceled,
        );
        let twice = self.client.cancel_subscription(&first.id).await;
        self.expect_error("one that has ended is not found by a cancellation", twice, |error| error.is_missing("id"));
        let end = first.current_period_end().unwrap_or_default();
        let anchor =
            NewSubscription { first_payment: FirstPayment::Anchor(end), ..self.order(customer, &self.sold.monthly) };
        let again = self.client.create_subscription(&anchor, &self.key("anchor")).await?;
        let is_free = again.status == SubscriptionStatus::Active
            && again.expanded_invoice().is_none_or(|invoice| invoice.is_paid() && invoice.total == 0)
            && again.billing_cycle_anchor == end;
        self.expect("a start inside a paid period charges nothing before its end", is_free, &again);
        self.client.cancel_subscription(&again.id).await?;
        let far = first.created + FORTY_DAYS;
        let anchor =
            NewSubscription { first_payment: FirstPayment::Anchor(far), ..self.order(customer, &self.sold.monthly) };
        let refused = self.client.create_subscription(&anchor, &self.key("far-anchor")).await;
        self.expect_error("an anchor more than one period ahead is rejected", refused, |error| {
            error.api_error().is_some_and(|api_error| api_error.param.as_deref() == Some("billing_cycle_anchor"))
        });
        let trial =
            NewSubscription { first_payment: FirstPayment::TrialEnd(far), ..self.order(customer, &self.sold.monthly) };
        let trialing = self.client.create_subscription(&trial, &self.key("trial")).await?;
        let is_free = trialing.status == SubscriptionStatus::Trialing
            && trialing.trial_end == Some(far)
            && trialing.expanded_invoice().is_none_or(|invoice| invoice.total == 0);
        self.expect("a trial until then charges nothing", is_free, &trialing);
        self.client.cancel_subscription(&trialing.id).await?;
        let charges = self.client.charges(customer).await?;
        self.expect("so there is one charge", charges.len() == 1, &charges);
        Ok(())
    }

    /// Checks a card that is declined, and another one that pays.
    async fn declined(&mut self, customer: &str, card: &str) -> Result<()> {
        let failing = self.client.attach("pm_card_chargeCustomerFail", customer, &self.key("failing")).await?;
        self.make_default(customer, &failing.id).await?;
        let made =
            self.client.create_subscription(&self.order(customer, &self.sold.yearly), &self.key("declined")).await?;
        self.expect("a declined card leaves it incomplete", made.status == SubscriptionStatus::Incomplete, &made);
        let invoice = made.latest_invoice_id().unwrap_or_default().to_owned();
        let declined = self.client.pay_invoice(&invoice, &self.key("pay-1")).await;
        self.expect_error("the bank's reason is told", declined, |error| error.card_sentence().is_some());
        self.make_default(customer, card).await?;
        let paid = self.client.pay_invoice(&invoice, &self.key("pay-2")).await?;
        let after = self.client.subscription(&made.id).await?;
        let is_active = paid.is_paid() && after.status == SubscriptionStatus::Active;
        self.expect("another card pays it, and it is active", is_active, &after);
        let twice = self.client.pay_invoice(&invoice, &self.key("pay-3")).await;
        self.expect_error("a paid invoice is not paid again", twice, Error::is_already_paid);
        Ok(())
    }

    /// Checks a bank that asks the cardholder.
    async fn authentication(&mut self, customer: &str, card: &str) -> Result<()> {
        let asking = self.client.attach("pm_card_authenticationRequiredOnSetup", customer, &self.key("asking")).await?;
        self.make_default(customer, &asking.id).await?;
        let made =
            self.client.create_subscription(&self.order(customer, &self.sold.monthly), &self.key("asks")).await?;
        let has_secret = made.expanded_invoice().is_some_and(|invoice| invoice.confirmation_secret.is_some());
        let waits = made.status == SubscriptionStatus::Incomplete && has_secret;
        self.expect("a bank that asks leaves it incomplete, with a secret for the browser", waits, made.status);
        let invoice = made.latest_invoice_id().unwrap_or_default().to_owned();
        let asked = self.client.pay_invoice(&invoice, &self.key("asks-pay")).await;
        self.expect_error("a payment says that the card holder must confirm", asked, Error::needs_authentication);
        self.client.cancel_subscription(&made.id).await?;
        self.make_default(customer, card).await
    }

    /// Subscriptions that Stripe must reject, each for its reason.
    async fn rejected(&mut self, customer: &str) -> Result<()> {
        let bad = NewSubscription {
            discount: Some(Discount::Coupon("berth-check-none")),
            ..self.order(customer, &self.sold.monthly)
        };
        let answer = self.client.create_subscription(&bad, &self.key("bad-coupon")).await;
        self.expect_error("an invalid discount is told apart", answer, Error::is_bad_discount);
        let empty = self.customer("cardless").await?;
        let answer =
            self.client.create_subscription(&self.order(&empty, &self.sold.monthly), &self.key("no-card")).await;
        self.expect_error("a customer without a card is told apart", answer, Error::has_no_payment_method);
        let archive = Form::new().with("active", "false");
        let _: Made = self.client.post(&format!("/v1/prices/{}", self.sold.yearly), &archive, None).await?;
        let answer =
            self.client.create_subscription(&self.order(customer, &self.sold.yearly), &self.key("archived")).await;
        self.expect_error("an archived price is rejected at its field", answer, |error| {
            error
                .api_error()
                .and_then(|api_error| api_error.param.as_deref())
                .is_some_and(|param| param.contains("price"))
        });
        let offered = self.client.prices().await?;
        let is_gone = offered.iter().all(|price| price.id != self.sold.yearly);
        self.expect("an archived price leaves the catalog", is_gone, "it is still there");
        Ok(())
    }

    async fn portal(&mut self, customer: &str) {
        let session = self.client.open_portal(customer, "https://berth.example.com/cards").await;
        let is_open = session.as_ref().is_ok_and(|session| session.url.starts_with("http"));
        let seen = session.err().map(|error| error.to_string());
        self.expect("the customer portal opens (it must be set up in the dashboard)", is_open, seen);
    }

    /// What happened is in the list of events. Stripe adds it a moment later.
    async fn events(&mut self, last: Option<String>, first: &Subscription) -> Result<()> {
        const EXPECTED: &str = "events tell of the start and the end of a subscription";
        let mut kinds = Vec::new();
        for attempt in 0..EVENT_TRIES {
            if attempt > 0 {
                tokio::time::sleep(EVENT_PAUSE).await;
            }
            let events = match &last {
                Some(last) => self.client.events_after(last).await?,
                // An account without any event before: all of them are ours.
                None => self.client.get::<List<Event>>("/v1/events", &Form::new().with("limit", "100")).await?.data,
            };
            let ours = events.into_iter().filter(|event| event.data.object.id.as_deref() == Some(&first.id));
            kinds = ours.map(|event| event.kind).collect();
            let has = |kind: &str| kinds.iter().any(|known| known == kind);
            if has("customer.subscription.created") && has("customer.subscription.deleted") {
                self.note(EXPECTED, Ok(()));
                return Ok(());
            }
        }
        self.note(EXPECTED, Err(format!("{kinds:?}")));
        Ok(())
    }

    /// Deletes the customer, which ends the subscription that is still live.
    async fn deleted_customer(&mut self, customer: &str) -> Result<()> {
        let deleted = self.client.delete_customer(customer).await?;
        let read = self.client.customer(customer).await?;
        self.expect("a deleted customer is shown as deleted", deleted.deleted && read.deleted, &read);
        let answer =
            self.client.create_subscription(&self.order(customer, &self.sold.monthly), &self.key("deleted")).await;
        self.expect_error("a deleted customer is told apart", answer, |error| error.is_missing("customer"));
        Ok(())
    }

    /// Removes what was created; prices and products can only be archived. Returns what is left.
    async fn clean_up(&mut self) -> Vec<String> {
        let mut left = Vec::new();
        for customer in std::mem::take(&mut self.customers) {
            // A deleted customer is not found.
            match self.client.delete_customer(&customer).await {
                Err(error) if !error.is_missing("id") && !error.is_missing("customer") => {
                    left.push(format!("{customer}: {error}"));
                }
                _ => {}
            }
        }
        let archive = Form::new().with("active", "false");
        let Sold { product, monthly, yearly, coupon, code } = std::mem::take(&mut self.sold);
        for (kind, id) in [("promotion_codes", code), ("prices", monthly), ("prices", yearly), ("products", product)] {
            if id.is_empty() {
                continue;
            }
            if let Err(error) = self.client.post::<Made>(&format!("/v1/{kind}/{id}"), &archive, None).await {
                left.push(format!("{id}: {error}"));
            }
        }
        if !coupon.is_empty() {
            match self.client.delete::<Deleted>(&format!("/v1/coupons/{coupon}"), &Form::new()).await {
                Ok(Deleted { deleted: true }) => {}
                Ok(_) => left.push(coupon),
                Err(error) => left.push(format!("{coupon}: {error}")),
            }
        }
        left
    }
}
