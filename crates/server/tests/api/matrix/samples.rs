//! The calls of the matrix: one sample for every operation.

use serde_json::{Value, json};
use uuid::Uuid;

use super::places::{Place, SECRETS, guest_id};
use crate::{card_steps, world};

/// A call that succeeds for a caller with permission, or the reason why an operation has none.
pub enum Sample {
    /// At a place.
    At(String, Value),
    /// A call that is the same for every place.
    Once(String, Value),
    /// A form.
    Form(&'static [(&'static str, &'static str)]),
    /// An upload of a picture for a prefix.
    Upload(&'static str),
    /// An upload of a side of the insurance card of [`CONFIRMED`].
    Cards,
    /// A lookup of the reservation [`RESERVED`].
    Lookup,
}

/// A public request that waits for its code, which is [`OTP`] …
pub(super) const ASKED: Uuid = guest_id(0x700);
pub(super) const OTP: &str = "246810";
/// … and a confirmed one: the pending guest of the first place.
pub(super) const CONFIRMED: Uuid = guest_id(0x701);
/// The code of a public reservation at the first place, and the last digits of its phone.
pub(super) const RESERVED: &str = "RSV7KQ";
pub(super) const LAST_FOUR: &str = "0177";

pub(super) fn new_guest(place: &Place) -> Value {
    let mut body = json!({"siteId": place.site, "gender": 1, "ageServiceId": "age-18-26", "firstName": "Alex",
        "lastName": "Q", "phone": "+17145550111", "email": "alex@test.example", "serviceIds": ["drug-treatment"]});
    if place.commercial {
        body["typeOfClientServiceId"] = json!("adults");
        body["paymentMethod"] = json!(1);
    }
    body
}

/// Logos that [`house`] creates, of an organization …
const LOGO: &str = "uploads/org_matrix.png";
/// … and of an insurer.
const INSURER_LOGO: &str = "uploads/ins_matrix.png";

fn new_organization() -> Value {
    let redirect = "http://localhost:8080/login/callback";
    json!({"name": "New Shore", "ownerEmail": "new@test.example", "logoPath": LOGO, "redirectUri": redirect})
}

/// An active staff user of a place who is not one of the actors.
pub(super) const fn member_of(place: &Place) -> Uuid {
    Uuid::from_u128(place.pending.as_u128() + 0x400)
}

/// A user who is invited to a place.
pub(super) const fn invited_to(place: &Place) -> Uuid {
    Uuid::from_u128(place.pending.as_u128() + 0x500)
}

/// A person on the waitlist of a place.
pub(super) const fn waiting_at(place: &Place) -> Uuid {
    Uuid::from_u128(place.pending.as_u128() + 0x800)
}

/// The guest who was merged into the placed guest of a place.
pub fn merged_of(place: &Place) -> Uuid {
    Uuid::from_u128(place.pending.as_u128() + 0x900)
}

/// A reason of the organization of a place.
pub(super) const fn reason_of(place: &Place) -> Uuid {
    Uuid::from_u128(place.pending.as_u128() + 0x600)
}

/// The form of an invitation.
fn new_user(role: &str) -> Value {
    json!({"redirectUri": "http://localhost:8080", "email": "new@test.example", "firstName": "New", "lastName": "Person",
        "role": role, "receiveReservationTexts": true})
}

/// A new site without an address, whose id only the server can sign, so callers with permission get 422.
fn new_site(place: &Place) -> Value {
    json!({"organizationId": place.organization, "redirectUri": "http://localhost:8080/login/callback"})
}

/// An edit that is valid for both of the actors' own sites.
fn site_edit(place: &Place) -> Value {
    let addresses = ["700 Main Street, Orange, CA 92868", "12 Pier Avenue, Long Beach, CA 90802"];
    json!({"name": "Renamed", "description": "A calm house near the water. ".repeat(4), "address": addresses[usize::from(place.commercial)],
        "contactPhone": "+17145550100", "contactEmail": "house@test.example", "screeningPeriod": "01:00:00:00",
        "intakePeriods": [{"timePeriod": "Weekends", "from": "09:00:00", "to": "17:00:00", "enabled": true}],
        "languageIds": ["en"], "serviceIds": ["drug-treatment"],
        "images": [{"imagePath": "uploads/site_matrix.png", "index": 0}]})
}

/// One sample for every operation. A new endpoint gets its row here.
pub fn sample(operation: &str, place: &Place) -> Option<Sample> {
    use Sample::{At, Cards, Form, Lookup, Once, Upload};
    let Place { organization, site, room, vacant, taken, pending, placed, .. } = place;
    let (member, invited) = (member_of(place), invited_to(place));
    let none = Value::Null;
    let at = |path: String| At(path, Value::Null);
    Some(match operation {
        "POST /connect/token" => Form(&[("grant_type", "password"), ("username", "x"), ("password", "y")]),
        "GET /connect/userinfo" => Once("/connect/userinfo".into(), none),
        "POST /connect/logout" => Once("/connect/logout".into(), json!({})),
        "POST /connect/extend" => Once("/connect/extend".into(), json!({})),
        "POST /api/Users/password" => Once("/api/Users/password".into(), json!({"password": "Calm-Harbor 7 lights"})),
        "POST /connect/prove" => Once("/connect/prove".into(), json!({"password": world::PASSWORD})),
        "PUT /api/Users/password" => {
            let body = json!({"oldPassword": world::PASSWORD, "newPassword": "Calm-Harbor 7 lights"});
            Once("/api/Users/password".into(), body)
        }
        "POST /api/Users/password/reset" => {
            let body = json!({"email": "nobody@test.example", "redirectUri": "http://localhost:8080"});
            Once("/api/Users/password/reset".into(), body)
        }
        "PUT /api/Users/phone" => Once("/api/Users/phone".into(), json!({"phone": "+17145550199", "token": "000000"})),
        "POST /api/Users/email/challenge" => {
            let body = json!({"email": "free@test.example", "redirectUri": "http://localhost:8080"});
            Once("/api/Users/email/challenge".into(), body)
        }
        "PUT /api/Users/email" => {
            Once("/api/Users/email".into(), json!({"token": "none", "userId": world::PEOPLE[5].2}))
        }
        "GET /api/Users/emailBusyness" => Once("/api/Users/emailBusyness?email=free@test.example".into(), none),
        "DELETE /api/Users" => Once("/api/Users".into(), none),
        "POST /api/Users/phone/challenge" => Once("/api/Users/phone/challenge".into(), json!({})),
        "GET /api/EventLogs/loginFailed" => Once("/api/EventLogs/loginFailed".into(), none),
        "GET /api/EventLogs/guestCreated" => Once("/api/EventLogs/guestCreated".into(), none),
        "GET /api/EventLogs/passwordChanged" => Once("/api/EventLogs/passwordChanged".into(), none),
        "GET /api/EventLogs/internal" => at(format!("/api/EventLogs/internal?organizationId={organization}")),
        "GET /api/EventLogs/internal.csv" => at(format!("/api/EventLogs/internal.csv?organizationId={organization}")),
        "GET /api/EventLogs/internal/{id}/guests" => {
            Once(format!("/api/EventLogs/internal/{}/guests", Uuid::from_u128(1)), none)
        }
        "POST /api/EventLogs/loginFailed" => Once("/api/EventLogs/loginFailed".into(), json!({})),
        "GET /api/live" => Once("/api/live".into(), none),
        "PUT /api/Users/language" => Once("/api/Users/language".into(), json!({"language": "es"})),
        "PUT /api/Users/name" => Once("/api/Users/name".into(), json!({"firstName": "Ana", "lastName": "Lane"})),
        "PUT /api/Users/views" => {
            Once("/api/Users/views".into(), json!({"name": "tableLook.guests", "text": "25 dense"}))
        }
        "GET /api/Users/sessions" => Once("/api/Users/sessions".into(), none),
        "DELETE /api/Users/sessions" => Once("/api/Users/sessions".into(), none),
        "DELETE /api/Users/sessions/{id}" => Once(format!("/api/Users/sessions/{}", guest_id(0x99)), none),
        "GET /api/Users/invitations" => Once("/api/Users/invitations".into(), none),
        "POST /api/Users/invitations/{id}/acceptance" => {
            At(format!("/api/Users/invitations/{invited}/acceptance"), json!({}))
        }
        "DELETE /api/Users/invitations/{id}" => at(format!("/api/Users/invitations/{invited}")),
        "POST /api/Users/totp" => Once("/api/Users/totp".into(), json!({})),
        "PUT /api/Users/totp" => Once("/api/Users/totp".into(), json!({"token": "000000"})),
        "DELETE /api/Users/totp" => Once("/api/Users/totp".into(), none),
        "POST /api/Users/totp/recoveryCodes" => Once("/api/Users/totp/recoveryCodes".into(), json!({})),
        "GET /api/AccessUsers" => at(format!("/api/AccessUsers?organizationId={organization}")),
        "GET /api/AccessUsers/all" => Once("/api/AccessUsers/all".into(), none),
        "GET /api/AccessUsers/organizationScopeUsers" => {
            at(format!("/api/AccessUsers/organizationScopeUsers?organizationId={organization}"))
        }
        "GET /api/AccessUsers/siteScopeUsers" => at(format!("/api/AccessUsers/siteScopeUsers?siteId={site}")),
        "POST /api/AccessUsers/organizationScopeUsers" => {
            let mut body = new_user("Owner");
            body["organizationId"] = json!(organization);
            At("/api/AccessUsers/organizationScopeUsers".into(), body)
        }
        "POST /api/AccessUsers/siteScopeUsers" => {
            let mut body = new_user("Staff");
            body["siteId"] = json!(site);
            At("/api/AccessUsers/siteScopeUsers".into(), body)
        }
        "POST /api/AccessUsers/globalAdmins" => {
            let body = json!({"redirectUri": "http://localhost:8080", "email": "new@test.example", "firstName": "New",
                "lastName": "Person"});
            Once("/api/AccessUsers/globalAdmins".into(), body)
        }
        "PATCH /api/AccessUsers/{id}" => At(format!("/api/AccessUsers/{member}"), json!({"isDisabled": true})),
        "DELETE /api/AccessUsers/{id}" => at(format!("/api/AccessUsers/{member}")),
        "POST /api/AccessUsers/{id}/invitation" => {
            At(format!("/api/AccessUsers/{invited}/invitation"), json!({"redirectUri": "http://localhost:8080"}))
        }
        "POST /api/public/invitation" => Once("/api/public/invitation".into(), json!({"token": "none"})),
        "POST /api/public/invitation/renewal" => {
            Once("/api/public/invitation/renewal".into(), json!({"token": "none"}))
        }
        "GET /api/public/settings" => Once("/api/public/settings".into(), none),
        "GET /api/public/sites" => Once("/api/public/sites".into(), none),
        "GET /api/public/sites/{id}" => at(format!("/api/public/sites/{site}")),
        "POST /api/public/reservations" => At("/api/public/reservations".into(), new_guest(place)),
        "POST /api/public/reservations/{id}/confirm" => {
            Once(format!("/api/public/reservations/{ASKED}/confirm"), json!({"otp": OTP}))
        }
        "POST /api/public/reservations/{id}/cards" => Cards,
        "GET /api/public/reservations/{code}" => Lookup,
        "POST /api/public/reservations/{code}/cancel" => {
            Once(format!("/api/public/reservations/{RESERVED}/cancel"), json!({"phoneLastFour": LAST_FOUR}))
        }
        "POST /api/Search" => Once("/api/Search".into(), json!({"query": "qui"})),
        "GET /api/Languages" => Once("/api/Languages".into(), none),
        "GET /api/SiteServices/commercial" => Once("/api/SiteServices/commercial".into(), none),
        "GET /api/SiteServices/nonCommercial" => Once("/api/SiteServices/nonCommercial".into(), none),
        "GET /api/Dashboard/users" => Once("/api/Dashboard/users".into(), none),
        "GET /api/Dashboard/users/{id}" => Once(format!("/api/Dashboard/users/{}", world::PEOPLE[0].2), none),
        "GET /api/Dashboard/users.csv" => Once("/api/Dashboard/users.csv".into(), none),
        "GET /api/Dashboard/organizations" => Once("/api/Dashboard/organizations".into(), none),
        "GET /api/Dashboard/organizations.csv" => Once("/api/Dashboard/organizations.csv".into(), none),
        "GET /api/Dashboard/organizations/{id}" => at(format!("/api/Dashboard/organizations/{organization}")),
        "GET /api/Dashboard/sites" => Once("/api/Dashboard/sites".into(), none),
        "GET /api/Dashboard/sites/{id}" => at(format!("/api/Dashboard/sites/{site}")),
        "GET /api/Dashboard/sites.csv" => Once("/api/Dashboard/sites.csv".into(), none),
        "POST /api/Dashboard/sites/totals" => Once("/api/Dashboard/sites/totals".into(), json!({"ids": [site]})),
        "GET /api/Dashboard/occupancy" => at(format!("/api/Dashboard/occupancy?siteId={site}")),
        "GET /api/Sites/{id}/occupancy" => at(format!("/api/Sites/{site}/occupancy?days=30")),
        "GET /api/Sites/{id}/numbers" => at(format!("/api/Sites/{site}/numbers?days=7")),
        "GET /api/Sites/{id}/numbers.csv" => at(format!("/api/Sites/{site}/numbers.csv")),
        "GET /api/Sites/{id}/numbers.xlsx" => at(format!("/api/Sites/{site}/numbers.xlsx?figure=reasons")),
        "GET /api/Organizations/{id}/numbers" => at(format!("/api/Organizations/{organization}/numbers")),
        "GET /api/Organizations/{id}/numbers.csv" => at(format!("/api/Organizations/{organization}/numbers.csv")),
        "GET /api/Organizations/{id}/numbers.xlsx" => at(format!("/api/Organizations/{organization}/numbers.xlsx")),
        "GET /api/Sites/screeningPeriods" => Once("/api/Sites/screeningPeriods".into(), none),
        "GET /api/Organizations" => Once("/api/Organizations".into(), none),
        "GET /api/Organizations/{id}" => at(format!("/api/Organizations/{organization}")),
        "POST /api/Organizations/commercial" => Once("/api/Organizations/commercial".into(), new_organization()),
        "POST /api/Organizations/nonCommercial" => Once("/api/Organizations/nonCommercial".into(), new_organization()),
        "PUT /api/Organizations/{id}" => {
            let body = json!({"name": "Renamed", "logoPath": LOGO, "reservationPaymentMethodIds": [1]});
            At(format!("/api/Organizations/{organization}"), body)
        }
        "DELETE /api/Organizations/{id}" => at(format!("/api/Organizations/{organization}")),
        "GET /api/InsuranceCompanies" => Once("/api/InsuranceCompanies".into(), none),
        "POST /api/InsuranceCompanies" => {
            Once("/api/InsuranceCompanies".into(), json!({"name": "New Anchor", "logoPath": INSURER_LOGO}))
        }
        "PUT /api/InsuranceCompanies/{id}" => {
            let body = json!({"name": "Renamed Anchor", "logoPath": INSURER_LOGO});
            Once(format!("/api/InsuranceCompanies/{}", world::INSURER), body)
        }
        "DELETE /api/InsuranceCompanies/{id}" => Once(format!("/api/InsuranceCompanies/{}", world::INSURER), none),
        "GET /api/Sites" => at(format!("/api/Sites?organizationId={organization}")),
        "GET /api/Sites/organization-sites" => {
            at(format!("/api/Sites/organization-sites?organizationId={organization}"))
        }
        "GET /api/Sites/{id}" => at(format!("/api/Sites/{site}")),
        "DELETE /api/Sites/{id}" => at(format!("/api/Sites/{site}")),
        "POST /api/Sites/commercial" => At("/api/Sites/commercial".into(), new_site(place)),
        "POST /api/Sites/nonCommercial" => At("/api/Sites/nonCommercial".into(), new_site(place)),
        "PUT /api/Sites/commercial/{id}" => At(format!("/api/Sites/commercial/{site}"), site_edit(place)),
        "PUT /api/Sites/nonCommercial/{id}" => At(format!("/api/Sites/nonCommercial/{site}"), site_edit(place)),
        "GET /api/Today" => at(format!("/api/Today?siteId={site}")),
        "GET /api/Organizations/{id}/reasons" => at(format!("/api/Organizations/{organization}/reasons")),
        "POST /api/Organizations/{id}/reasons" => {
            At(format!("/api/Organizations/{organization}/reasons"), json!({"kind": "Decline", "name": "No bed fits"}))
        }
        "PATCH /api/Organizations/{id}/reasons/{reasonId}" => At(
            format!("/api/Organizations/{organization}/reasons/{}", reason_of(place)),
            json!({"name": "House is full", "isDisabled": true}),
        ),
        "GET /api/Sites/{id}/reasons" => at(format!("/api/Sites/{site}/reasons")),
        "PUT /api/Sites/{id}/arrivals" => At(format!("/api/Sites/{site}/arrivals"), json!({"asksArrival": true})),
        "PUT /api/Sites/{id}/placement" => At(format!("/api/Sites/{site}/placement"), json!({"strictPlacement": true})),
        "GET /api/Sites/{id}/waitlist" => at(format!("/api/Sites/{site}/waitlist")),
        "POST /api/Sites/{id}/waitlist" => {
            At(format!("/api/Sites/{site}/waitlist"), json!({"guest": new_guest(place)}))
        }
        "PUT /api/Sites/{id}/offer-period" => {
            At(format!("/api/Sites/{site}/offer-period"), json!({"offerMinutes": 45}))
        }
        "GET /api/Waitlist/{id}" => at(format!("/api/Waitlist/{}", waiting_at(place))),
        "PUT /api/Waitlist/{id}" => {
            At(format!("/api/Waitlist/{}", waiting_at(place)), json!({"guest": new_guest(place), "version": 1}))
        }
        "PATCH /api/Waitlist/{id}" => {
            At(format!("/api/Waitlist/{}", waiting_at(place)), json!({"command": "LEAVE", "version": 1}))
        }
        "POST /api/Waitlist/{id}/take" => {
            At(format!("/api/Waitlist/{}/take", waiting_at(place)), json!({"version": 1}))
        }
        "GET /api/Beds" => at(format!("/api/Beds?siteId={site}")),
        "GET /api/Sites/{id}/beds.csv" => at(format!("/api/Sites/{site}/beds.csv")),
        "GET /api/Sites/{id}/beds.xlsx" => at(format!("/api/Sites/{site}/beds.xlsx")),
        "GET /api/Beds/{id}" => at(format!("/api/Beds/{taken}")),
        "GET /api/Beds/{id}/outages" => at(format!("/api/Beds/{taken}/outages")),
        "GET /api/Beds/{id}/stays" => at(format!("/api/Beds/{taken}/stays")),
        "POST /api/Rooms" => At("/api/Rooms".into(), json!({"siteId": site})),
        "PUT /api/Rooms/{id}" => At(format!("/api/Rooms/{room}"), json!({"name": "Pier House"})),
        "DELETE /api/Rooms/{id}" => at(format!("/api/Rooms/{room}")),
        "POST /api/Beds" => At("/api/Beds".into(), json!({"roomId": room, "type": "Detox", "count": 1})),
        "PUT /api/Beds/{id}" => {
            At(format!("/api/Beds/{vacant}"), json!({"name": "Window bed", "type": "Detox", "disabled": false}))
        }
        "DELETE /api/Beds/{id}" => at(format!("/api/Beds/{vacant}")),
        "GET /api/Guests" => at(format!("/api/Guests?siteId={site}")),
        "GET /api/Guests/{id}" => at(format!("/api/Guests/{placed}")),
        "GET /api/Guests/{id}/timeline" => at(format!("/api/Guests/{placed}/timeline")),
        "GET /api/Guests/{id}/earlier" => at(format!("/api/Guests/{pending}/earlier")),
        "POST /api/Guests/earlier" => At("/api/Guests/earlier".into(), json!({"siteId": site, "email": SECRETS[0][1]})),
        "PUT /api/Guests/{id}/departure" => {
            At(format!("/api/Guests/{placed}/departure"), json!({"expectedDeparture": "2999-12-31"}))
        }
        "POST /api/Guests/{id}/merge" => At(format!("/api/Guests/{placed}/merge"), json!({"duplicateId": pending})),
        "POST /api/Guests/{id}/unmerge" => {
            At(format!("/api/Guests/{}/unmerge", merged_of(place)), json!({"version": 1}))
        }
        "POST /api/Guests" => At("/api/Guests".into(), new_guest(place)),
        "PATCH /api/Guests/{id}" => At(format!("/api/Guests/{pending}"), json!({"status": "REJECTED"})),
        "GET /api/Subscriptions/savedPaymentMethods" => {
            at(format!("/api/Subscriptions/savedPaymentMethods?organizationId={organization}"))
        }
        "POST /api/Subscriptions/savedPaymentMethods" => {
            let body = json!({"externalSavedPaymentMethodId": "pm_card_visa", "organizationId": organization,
                "email": "receipts@test.example"});
            At("/api/Subscriptions/savedPaymentMethods".into(), body)
        }
        "PUT /api/Subscriptions/savedPaymentMethods/default" => {
            let body =
                json!({"organizationId": organization, "savedPaymentMethodId": card_steps::card_of(*organization, 1)});
            At("/api/Subscriptions/savedPaymentMethods/default".into(), body)
        }
        "DELETE /api/Subscriptions/savedPaymentMethods/{id}" => {
            at(format!("/api/Subscriptions/savedPaymentMethods/{}", card_steps::card_of(*organization, 1)))
        }
        "POST /api/Stripe/setup-intent" => {
            At("/api/Stripe/setup-intent".into(), json!({"organizationId": organization}))
        }
        "GET /api/Subscriptions/site-status" => at(format!("/api/Subscriptions/site-status?siteId={site}")),
        "GET /api/Subscriptions/sites" => at(format!("/api/Subscriptions/sites?organizationId={organization}")),
        "POST /api/Subscriptions/billing" => At("/api/Subscriptions/billing".into(), json!({"siteIds": [site]})),
        "POST /api/Subscriptions/site" => {
            let body = json!({"siteId": site, "stripePriceId": "price_none", "subscriptionDurationInMonths": 1});
            At("/api/Subscriptions/site".into(), body)
        }
        "POST /api/Subscriptions/hold" => At("/api/Subscriptions/hold".into(), json!({"siteId": site})),
        "POST /api/Subscriptions/restart" => At("/api/Subscriptions/restart".into(), json!({"siteId": site})),
        "POST /api/Subscriptions/cancel" => At("/api/Subscriptions/cancel".into(), json!({"siteId": site})),
        "GET /api/Subscriptions/owner-message" => at(format!("/api/Subscriptions/owner-message?guestId={pending}")),
        "POST /api/Subscriptions/owner-message" => {
            At("/api/Subscriptions/owner-message".into(), json!({"guestId": pending}))
        }
        "GET /api/Payments/site/{id}" => at(format!("/api/Payments/site/{site}")),
        "GET /api/Stripe/catalog" => Once("/api/Stripe/catalog".into(), Value::Null),
        "POST /api/Stripe/coupon" => {
            At("/api/Stripe/coupon".into(), json!({"couponCode": "", "organizationId": organization}))
        }
        "GET /api/Users/messages" => Once("/api/Users/messages".into(), none),
        "PUT /api/Users/messages" => Once(
            "/api/Users/messages".into(),
            json!({"receivesFor": [], "quietFrom": "22:00:00", "quietUntil": "07:00:00"}),
        ),
        "POST /api/sms/inbound" => Once("/api/sms/inbound".into(), json!({"from": "+17145550111", "body": "STOP"})),
        "POST /api/Stripe/webhook" => Once("/api/Stripe/webhook".into(), json!({"id": "evt_1"})),
        "GET /api/Stripe/customer-portal" => at(format!("/api/Stripe/customer-portal?organizationId={organization}")),
        "POST /api/Images" => Upload("room_"),
        "GET /files/uploads/{name}" => Once("/files/uploads/none.jpg".into(), none),
        "GET /api/places" => Once("/api/places?query=Anaheim&kind=city".into(), none),
        _ => return None,
    })
}
