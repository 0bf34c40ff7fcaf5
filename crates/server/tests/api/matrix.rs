//! The role × endpoint matrix (DESIGN 4; security-and-proof, attack 5): every operation of the OpenAPI document, as every
//! role, at a commercial and a non-commercial place of one's own, at a foreign place, and with an id that does not exist.
//! An operation without a sample fails, and the text says what to add.

use std::fmt::Write as _;

use axum::http::Method;
use berth_db::Engine;
use berth_db::testing::Template;
use berth_domain::id::{BedId, OrganizationId, RoomId, SiteId};
use berth_server::auth::tokens;
use berth_server::housing::sites;
use berth_server::{App, routes};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::harness::{Ask, House};
use crate::{card_steps, images, pictures, public_cards, steps, world};

/// The callers. `owner` owns both of the actors' own organizations, so that one column shows what an owner may do.
const ACTORS: [(&str, Option<&str>); 8] = [
    ("nobody", None),
    ("1st step", Some(world::FIRST_STEP)),
    ("staff", Some(world::STAFF)),
    ("intake", Some(world::INTAKE)),
    ("admin", Some(world::ADMIN)),
    ("owner", Some(world::OWNER)),
    ("stranger", Some(world::OWNER_FOREIGN)),
    ("global", Some(world::GLOBAL)),
];

/// Texts that an answer must not show to staff and strangers: phone, email, policy and group of the guests at each existing
/// place. Each place has its own, to check that an answer to a user who sees the secrets of one place shows none of another.
const SECRETS: [[&str; 4]; 3] = [
    ["+19995550199", "secret.guest@test.example", "POLICY-77", "GROUP-88"],
    ["+19995550198", "secret.friend@test.example", "POLICY-78", "GROUP-89"],
    ["+19995550197", "secret.stranger@test.example", "POLICY-79", "GROUP-90"],
];

/// The place that a call is about.
pub struct Place {
    name: &'static str,
    organization: OrganizationId,
    site: SiteId,
    commercial: bool,
    room: RoomId,
    vacant: BedId,
    taken: BedId,
    pending: Uuid,
    placed: Uuid,
}

pub const fn guest_id(number: u128) -> Uuid {
    Uuid::from_u128(0x0190_0000_0000_7000_9000_0000_0000_0000 + number)
}

/// The three places, and one that does not exist.
pub fn places() -> [Place; 4] {
    let nowhere = Uuid::from_u128(0x0190_0000_0000_7000_9999_0000_0000_0000);
    [
        Place {
            name: "own commercial",
            organization: world::HARBOR,
            site: world::HARBOR_HOUSE,
            commercial: true,
            room: world::ROOM_1,
            vacant: world::BED_A,
            taken: world::BED_B,
            pending: guest_id(1),
            placed: guest_id(2),
        },
        Place {
            name: "own non-commercial",
            organization: world::OPEN_HANDS,
            site: world::OPEN_DOOR,
            commercial: false,
            room: world::OPEN_ROOM,
            vacant: world::BED_F,
            taken: world::BED_G,
            pending: guest_id(3),
            placed: guest_id(4),
        },
        Place {
            name: "foreign",
            organization: world::FOREIGN,
            site: world::FAR_AWAY,
            commercial: true,
            room: world::FAR_ROOM,
            vacant: world::BED_H,
            taken: BedId(nowhere),
            pending: guest_id(5),
            placed: guest_id(6),
        },
        Place {
            name: "no such id",
            organization: OrganizationId(nowhere),
            site: SiteId(nowhere),
            commercial: true,
            room: RoomId(nowhere),
            vacant: BedId(nowhere),
            taken: BedId(nowhere),
            pending: nowhere,
            placed: nowhere,
        },
    ]
}

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
const ASKED: Uuid = guest_id(0x700);
const OTP: &str = "246810";
/// … and a confirmed one: the pending guest of the first place.
const CONFIRMED: Uuid = guest_id(0x701);
/// The code of a public reservation at the first place, and the last digits of its phone.
const RESERVED: &str = "RSV7KQ";
const LAST_FOUR: &str = "0177";

fn new_guest(place: &Place) -> Value {
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
const fn member_of(place: &Place) -> Uuid {
    Uuid::from_u128(place.pending.as_u128() + 0x400)
}

/// A user who is invited to a place.
const fn invited_to(place: &Place) -> Uuid {
    Uuid::from_u128(place.pending.as_u128() + 0x500)
}

/// A person on the waitlist of a place.
const fn waiting_at(place: &Place) -> Uuid {
    Uuid::from_u128(place.pending.as_u128() + 0x800)
}

/// The guest who was merged into the placed guest of a place.
pub fn merged_of(place: &Place) -> Uuid {
    Uuid::from_u128(place.pending.as_u128() + 0x900)
}

/// A reason of the organization of a place.
const fn reason_of(place: &Place) -> Uuid {
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

/// Adds the public requests at the first place.
async fn add_requests(app: &App) {
    const REQUEST: &str = "INSERT INTO reservation_requests (hash, site_id, form, code_hash, language, network, created_at, \
        expires_at, confirmed_at, guest_id) VALUES ($1, $2, $3, $4, 'en', 'local', $5, $6, $7, $8)";
    const WEB_GUEST: &str = "INSERT INTO guests (id, site_id, code, first_name, first_name_key, last_name, gender, \
        age_service_id, phone, email, email_key, source, created_at, expires_at) \
        VALUES ($1, $2, $3, 'Quillan', 'quillan', 'R', 'Other', 'age-over-27', $4, 'q@test.example', 'q@test.example', 'Web', \
        $5, $6)";
    let [place, ..] = places();
    let (now, form) = (app.now(), new_guest(&place));
    let code_hash = tokens::code_hash(&ASKED.to_string(), form["phone"].as_str().unwrap(), OTP);
    let mut tx = app.db.begin().await.unwrap();
    for (id, guest) in [(ASKED, None), (CONFIRMED, Some(place.pending))] {
        tx.query(REQUEST)
            .bind(tokens::hash(&id.to_string()))
            .bind(place.site)
            .bind(form.to_string())
            .bind(&code_hash)
            .bind(now)
            .bind(now.plus_hours(1))
            .bind(guest.map(|_| now))
            .bind(guest)
            .execute()
            .await
            .unwrap();
    }
    tx.query(WEB_GUEST)
        .bind(guest_id(0x702))
        .bind(place.site)
        .bind(RESERVED)
        .bind(format!("+1714555{LAST_FOUR}"))
        .bind(now)
        .bind(now.plus_hours(24))
        .execute()
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

/// Adds a pending, an assigned and a merged guest at each existing place, with values that staff must not see.
async fn add_guests(app: &App) {
    const GUEST: &str = "INSERT INTO guests (id, site_id, code, first_name, first_name_key, last_name, gender, \
        age_service_id, phone, email, email_key, source, policy_number, group_number, created_at, accepted_at) \
        VALUES ($1, $2, $3, 'Casey', 'casey', 'R', 'Other', 'age-over-27', $4, $5, $5, 'Admin', $6, $7, $8, $9)";
    const STAY: &str = "INSERT INTO stays (id, site_id, guest_id, bed_id, started_at) VALUES ($1, $2, $3, $4, $5)";
    const MERGED: &str = "UPDATE guests SET accepted_at = $2, discharged_at = $2, merged_at = $2 WHERE id = $1";
    const MERGE: &str =
        "INSERT INTO guest_merges (id, duplicate_id, kept_id, merged_at, merged_by) VALUES ($1, $1, $2, $3, $4)";
    let now = app.now();
    let mut tx = app.db.begin().await.unwrap();
    for (number, place) in places().iter().take(3).enumerate() {
        let guests = [(place.pending, None), (place.placed, Some(now)), (merged_of(place), None)];
        for (last, (id, accepted)) in guests.into_iter().enumerate() {
            tx.query(GUEST)
                .bind(id)
                .bind(place.site)
                .bind(format!("G{number}{last}"))
                .bind(SECRETS[number][0])
                .bind(SECRETS[number][1])
                .bind(SECRETS[number][2])
                .bind(SECRETS[number][3])
                .bind(now)
                .bind(accepted)
                .execute()
                .await
                .unwrap();
        }
        tx.query(MERGED).bind(merged_of(place)).bind(now).execute().await.unwrap();
        let merge = tx.query(MERGE).bind(merged_of(place)).bind(place.placed).bind(now);
        merge.bind(world::PEOPLE[1].2).execute().await.unwrap();
        tx.query(
            "INSERT INTO reasons (id, organization_id, kind, name, name_key, created_at) \
            VALUES ($1, $2, 'Decline', 'Full', 'full', $3)",
        )
        .bind(reason_of(place))
        .bind(place.organization)
        .bind(now)
        .execute()
        .await
        .unwrap();
        if place.taken.0 != Uuid::from_u128(0x0190_0000_0000_7000_9999_0000_0000_0000) {
            tx.query(STAY)
                .bind(Uuid::from_u128(place.placed.as_u128() + 0x100))
                .bind(place.site)
                .bind(place.placed)
                .bind(place.taken)
                .bind(now)
                .execute()
                .await
                .unwrap();
        }
    }
    // Two more beds per site, so that capacity is not the reason for a refusal.
    for (number, place) in places().iter().take(3).enumerate() {
        for extra in 0..2 {
            tx.query(
                "INSERT INTO beds (id, site_id, room_id, name, name_key, kind, position, created_at) \
                 VALUES ($1, $2, $3, $4, $4, 'Detox', 9, $5)",
            )
            .bind(guest_id(0x200 + 2 * u128::try_from(number).unwrap() + extra))
            .bind(place.site)
            .bind(place.room)
            .bind(format!("spare {extra}"))
            .bind(now)
            .execute()
            .await
            .unwrap();
        }
    }
    // One owner of both organizations, so that a column of the matrix means "an owner of it".
    tx.query("UPDATE memberships SET user_id = $1 WHERE user_id = $2")
        .bind(world::PEOPLE[1].2)
        .bind(world::PEOPLE[2].2)
        .execute()
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

/// Puts a person on the waitlist of each existing place, with an offer of a spare bed.
async fn add_waiting(app: &App) {
    const PERSON: &str = "INSERT INTO waiting_guests (id, site_id, code, form, person, priority_reason, waits_since, created_by) \
        VALUES ($1, $2, $3, $4, $3, $5, $6, $7)";
    const OFFER: &str = "INSERT INTO bed_offers (id, waiting_guest_id, site_id, bed_id, offered_at, expires_at) \
        VALUES ($1, $1, $2, $3, $4, $5)";
    let now = app.now();
    let mut tx = app.db.begin().await.unwrap();
    for (number, place) in places().iter().take(3).enumerate() {
        let mut form = new_guest(place);
        // Another person than the guests of the place, who have two reservations.
        form["email"] = json!(format!("waiting{number}@test.example"));
        form["phone"] = json!(format!("+1714555018{number}"));
        let (id, spare) = (waiting_at(place), guest_id(0x200 + 2 * u128::try_from(number).unwrap()));
        let person = tx.query(PERSON).bind(id).bind(place.site).bind(format!("W{number}")).bind(form.to_string());
        person.bind(SECRETS[number][3]).bind(now).bind(world::PEOPLE[4].2).execute().await.unwrap();
        let offer = tx.query(OFFER).bind(id).bind(place.site).bind(spare).bind(now).bind(now.plus_minutes(30));
        offer.execute().await.unwrap();
        sites::settle_offers(&mut tx, place.site).await.unwrap();
    }
    tx.commit().await.unwrap();
}

/// Adds a staff user and an invited user at each existing place.
async fn add_members(app: &App) {
    const USER: &str = "INSERT INTO users (id, email, email_key, first_name, last_name, created_at) \
        VALUES ($1, $2, $2, 'Robin', 'M', $3)";
    const MEMBERSHIP: &str = "INSERT INTO memberships (id, user_id, role, site_id, status, created_at) \
        VALUES ($1, $1, 'Staff', $2, $3, $4)";
    let now = app.now();
    let mut tx = app.db.begin().await.unwrap();
    for place in places().iter().take(3) {
        for (id, status) in [(member_of(place), "Active"), (invited_to(place), "PendingInvitation")] {
            tx.query(USER).bind(id).bind(format!("{id}@test.example")).bind(now).execute().await.unwrap();
            tx.query(MEMBERSHIP).bind(id).bind(place.site).bind(status).bind(now).execute().await.unwrap();
        }
    }
    tx.commit().await.unwrap();
}

pub async fn house(engine: Engine) -> House {
    static PLACES: Template = Template::new();
    let fill = async |app: &App| {
        world::fill(app).await;
        add_guests(app).await;
        add_requests(app).await;
        add_members(app).await;
        add_waiting(app).await;
        card_steps::add_rows(app).await;
        for prefix in ["site_", "org_", "ins_"] {
            world::picture(app, &format!("{prefix}matrix"), prefix).await;
        }
    };
    House::copy_of(&PLACES, engine, fill).await
}

pub fn ask(house: &House, operation: &str, sample: &Sample) -> Ask {
    let method: Method = operation.split(' ').next().unwrap_or("GET").parse().unwrap();
    match sample {
        Sample::At(path, Value::Null) | Sample::Once(path, Value::Null) => house.ask(method, path),
        Sample::At(path, body) | Sample::Once(path, body) => house.ask(method, path).json(body.clone()),
        Sample::Form(fields) => house.form("/connect/token", fields),
        Sample::Upload(prefix) => images::form(house, prefix, &[("a.png", pictures::png(2, 2))]),
        Sample::Lookup => {
            house.ask(method, &format!("/api/public/reservations/{RESERVED}")).header("phone-last-four", LAST_FOUR)
        }
        Sample::Cards => {
            let asked = steps::Asked { id: CONFIRMED.to_string(), otp: String::new() };
            public_cards::send(house, &asked, &[("front", pictures::png(2, 2))])
        }
    }
}

/// The operations of the document as "METHOD path", in the document's order.
pub fn operations() -> Vec<String> {
    let document = serde_json::to_value(routes::document()).unwrap();
    let mut all = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in ["get", "post", "put", "patch", "delete"] {
            if item.get(method).is_some() {
                all.push(format!("{} {path}", method.to_uppercase()));
            }
        }
    }
    all.sort_by_key(|operation| operation.split_once(' ').map(|(method, path)| (path.to_owned(), method.to_owned())));
    all
}

/// Returns true if the actor may see contacts and policies of guests at a place.
fn sees_secrets(actor: &str, place: &str) -> bool {
    match place {
        "foreign" => ["stranger", "global"].contains(&actor),
        "no such id" => false,
        _ => ["intake", "admin", "owner", "global"].contains(&actor),
    }
}

/// Checks an answer about `place`: it shows the secrets of a place only to actors who may see them there and at `place`.
#[track_caller]
fn shows_no_secret(answer: &str, actor: &str, place: &str, operation: &str) {
    for (other, secrets) in places().iter().zip(SECRETS) {
        if sees_secrets(actor, place) && sees_secrets(actor, other.name) {
            continue;
        }
        for secret in secrets {
            assert!(!answer.contains(secret), "{operation} shows {secret} ({}) to {actor}, {place}", other.name);
        }
    }
}

async fn matrix(engine: Engine) -> String {
    let mut table = String::from("operation, place");
    for (name, _) in ACTORS {
        write!(table, " | {name}").unwrap();
    }
    let missing: Vec<String> =
        operations().into_iter().filter(|operation| sample(operation, &places()[0]).is_none()).collect();
    assert!(missing.is_empty(), "add a row to `sample` in tests/api/matrix.rs for: {missing:?}");
    let mut shared = house(engine).await;
    for operation in operations() {
        let reads = operation.starts_with("GET");
        writeln!(table, "\n{operation}").unwrap();
        for place in places() {
            let Some(sample) = sample(&operation, &place) else { continue };
            let once = !matches!(sample, Sample::At(..));
            if once && place.name != "own commercial" {
                continue;
            }
            write!(table, "  {:<20}", if once { "" } else { place.name }).unwrap();
            for (actor, token) in ACTORS {
                let call = ask(&shared, &operation, &sample);
                let call = token
                    .map_or_else(|| call.header("x-none", ""), |token| ask(&shared, &operation, &sample).by(token));
                let status = if operation == "GET /api/live" {
                    call.status().await
                } else {
                    let answer = call.send().await;
                    shows_no_secret(&answer.text, actor, place.name, &operation);
                    answer.status
                };
                write!(table, " {status:<9}").unwrap();
                let limited = operation.contains("/api/public/") || operation.contains("/connect/token");
                if !reads && (limited || (200..300).contains(&status)) {
                    shared = house(engine).await;
                }
            }
            writeln!(table).unwrap();
        }
    }
    table
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_operation_answers_every_role_as_the_policy_says_on_sqlite() {
    insta::assert_snapshot!("matrix", matrix(Engine::Sqlite).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_operation_answers_every_role_as_the_policy_says_on_postgres() {
    insta::assert_snapshot!("matrix", matrix(Engine::Postgres).await);
}
