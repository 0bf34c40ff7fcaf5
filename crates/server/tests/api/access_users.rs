//! Access users (spec A 2, 6, 7; security-and-proof 2.3, rows 15 and 28, attacks 5 to 7): who may see, invite, change,
//! disable and remove whom.

use berth_domain::id::MembershipId;
use berth_server::admin::access_users::check_last_holder;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::harness::{Answer, House, MINUTE};
use crate::{both_engines, sign_in, steps, world};

const SITE: &str = "http://localhost:8080";

/// Memberships of the test world, in its order.
pub const fn held(number: u128) -> MembershipId {
    MembershipId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0080 + number))
}
const GLOBAL: MembershipId = held(0);
const OWNER: MembershipId = held(1);
const OWNER_FOREIGN: MembershipId = held(3);
const ADMIN: MembershipId = held(4);
/// The intake user at Harbor House.
pub const INTAKE: MembershipId = held(6);
/// The staff user at Harbor House.
pub const STAFF: MembershipId = held(8);

fn invitation(email: &str, role: &str) -> Value {
    json!({"redirectUri": SITE, "email": email, "firstName": "Nadia", "lastName": "Flores", "siteId": world::HARBOR_HOUSE,
        "role": role, "receiveReservationTexts": true})
}

async fn invite(house: &House, email: &str, role: &str, by: &str) -> Answer {
    house.post("/api/AccessUsers/siteScopeUsers", invitation(email, role)).by(by).send().await
}

async fn change(house: &House, id: MembershipId, body: Value, by: &str) -> Answer {
    house.patch(&format!("/api/AccessUsers/{id}"), body).by(by).send().await
}

/// The complete edit form of a user of Harbor House, without changes.
fn edit(id: MembershipId, role: &str) -> Value {
    json!({"accessUserId": id, "firstName": "Test", "lastName": "Person", "isNamesEditAllowed": true, "role": role,
        "isDisabled": false, "organizationId": world::HARBOR, "receiveReservationTexts": false,
        "siteId": world::HARBOR_HOUSE})
}

/// Every stored membership, to check that nothing was changed.
async fn stored(house: &House) -> Vec<(String, String, bool, String)> {
    const ALL: &str = "SELECT m.role, m.status, m.receive_reservation_texts, u.first_name || ' ' || u.email AS person \
        FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.deleted_at IS NULL ORDER BY m.id";
    house.db().query(ALL).all().await.unwrap()
}

/// Changes one row by its id.
pub async fn run(house: &House, text: &'static str, id: MembershipId) {
    let mut tx = house.db().begin().await.unwrap();
    tx.query(text).bind(id).execute().await.unwrap();
    tx.commit().await.unwrap();
}

fn id_of(user: &Value) -> MembershipId {
    user["id"].as_str().unwrap().parse().unwrap()
}

both_engines! {
    /// The escalation table over HTTP: every actor, every target and every role, at the actor's own place and at another
    /// one. A refused call changes nothing.
    async fn a_caller_changes_only_roles_it_may_grant_into_roles_it_may_grant(house: House) {
        let targets = [
            (GLOBAL, "GlobalAdmin", json!({})), (OWNER, "Owner", json!({"organizationId": world::HARBOR})),
            (OWNER_FOREIGN, "Owner", json!({"organizationId": world::FOREIGN})),
            (ADMIN, "Admin", json!({"siteId": world::HARBOR_HOUSE})), (INTAKE, "Intake", json!({"siteId": world::HARBOR_HOUSE})),
            (STAFF, "Staff", json!({"siteId": world::HARBOR_HOUSE})),
        ];
        let actors = [("global", world::GLOBAL), ("owner", world::OWNER), ("owner_foreign", world::OWNER_FOREIGN),
            ("admin", world::ADMIN), ("intake", world::INTAKE), ("staff", world::STAFF)];
        let is_of_site = |role: &str| ["Admin", "Intake", "Staff"].contains(&role);
        for (name, actor) in actors {
            for (id, old, place) in &targets {
                for new in ["GlobalAdmin", "Owner", "Admin", "Intake", "Staff"] {
                    let before = stored(&house).await;
                    let mut body = place.clone();
                    body["role"] = json!(new);
                    let answer = change(&house, *id, body, actor).await;
                    let oneself = match name { "global" => *id == GLOBAL, "owner" => *id == OWNER,
                        "owner_foreign" => *id == OWNER_FOREIGN, _ => old.to_lowercase() == name };
                    let seen = match name { "global" => true, "owner" => !matches!(*id, GLOBAL | OWNER_FOREIGN),
                        "owner_foreign" => *id == OWNER_FOREIGN, _ => !matches!(*id, GLOBAL | OWNER_FOREIGN) };
                    let manages = matches!(name, "global" | "owner" | "owner_foreign") || (name == "admin" && is_of_site(old));
                    let fits = *old == new || (is_of_site(old) && is_of_site(new));
                    let expected = if !seen { 404 } else if oneself || !manages { 403 } else if fits { 200 } else { 422 };
                    assert_eq!(answer.status, expected, "{name} makes {old} {new}: {}", answer.text);
                    if expected == 200 {
                        let mut body = place.clone();
                        body["role"] = json!(old);
                        change(&house, *id, body, actor).await.expect(200);
                    }
                    assert_eq!(stored(&house).await, before, "{name} makes {old} {new}");
                }
            }
        }
    }

    async fn users_cannot_disable_remove_or_promote_themselves(house: House) {
        for (id, token) in [(GLOBAL, world::GLOBAL), (OWNER, world::OWNER), (ADMIN, world::ADMIN)] {
            let refused = change(&house, id, json!({"isDisabled": true}), token).await;
            assert_eq!(refused.refusal(403), "You cannot change your own access.");
            assert_eq!(house.delete(&format!("/api/AccessUsers/{id}")).by(token).send().await.status, 403);
        }
    }

    async fn an_edit_changes_names_role_messages_and_state_and_is_audited_once(house: House) {
        let mut body = edit(STAFF, "Intake");
        body["receiveReservationTexts"] = json!(true);
        body["isDisabled"] = json!(true);
        let user = change(&house, STAFF, body, world::OWNER).await.expect(200);
        assert_eq!((&user["role"], &user["membershipStatus"], &user["receiveReservationTexts"]),
            (&json!("Intake"), &json!("Disabled"), &json!(true)));
        assert_eq!(house.trail().await, ["membership.disabled"]);
        let summary: (String,) = house.db().query("SELECT summary FROM audit").one().await.unwrap();
        assert_eq!(summary.0, "Staff to Intake, disabled, reservation texts on");
        change(&house, STAFF, json!({"isDisabled": true}), world::OWNER).await.expect(200);
        assert_eq!(house.trail().await.len(), 1, "an edit that changes nothing is not recorded");
        change(&house, STAFF, json!({"isDisabled": false}), world::OWNER).await.expect(200);
        assert_eq!(house.trail().await.last().unwrap(), "membership.enabled");
    }

    async fn names_are_changed_only_by_callers_who_may_change_all_access_of_the_person(house: House) {
        let named = |allowed: bool| {
            let mut body = edit(STAFF, "Staff");
            body["firstName"] = json!("  Stella <b>M.</b> ");
            body["isNamesEditAllowed"] = json!(allowed);
            body
        };
        // Staff also works at Open Door, which belongs to another organization.
        let refused = change(&house, STAFF, named(true), world::OWNER).await;
        assert_eq!(refused.refusal(403),
            "This person also has access elsewhere. Only someone who manages all of those places can change the name.");
        let same = change(&house, STAFF, named(false), world::OWNER).await.expect(200);
        assert_eq!(same["firstName"], "Test", "not allowed, so not changed");
        assert_eq!(change(&house, STAFF, named(true), world::ADMIN).await.expect(200)["firstName"], "Stella M.");
        let mut empty = named(true);
        empty["firstName"] = json!(" ");
        empty["lastName"] = json!("");
        assert_eq!(change(&house, STAFF, empty, world::ADMIN).await.field_errors(),
            ["/firstName: First name is required", "/lastName: Last name is required"]);
    }

    async fn edit_forms_are_strict_and_cannot_change_the_place(house: House) {
        let before = stored(&house).await;
        let wrong = async |body: Value| change(&house, STAFF, body, world::OWNER).await.field_errors();
        assert_eq!(wrong(json!({"isDisabled": false, "email": "thief@test.example"})).await, ["/email: This field cannot be changed here."]);
        assert_eq!(wrong(json!({"role": "Staff", "siteId": world::HARBOR_HOUSE, "isDisabled": true})).await,
            ["/isDisabled: This field cannot be changed here."]);
        for (field, value) in [("siteId", json!(world::OPEN_DOOR)), ("organizationId", json!(world::FOREIGN))] {
            let mut body = edit(STAFF, "Staff");
            body[field] = value;
            assert_eq!(wrong(body).await, [format!("/{field}: This user's access is to another place.")]);
        }
        assert_eq!(wrong(json!({"role": "Admin"})).await, ["/siteId: This user's access is to another place."]);
        let mut other = edit(STAFF, "Staff");
        other["accessUserId"] = json!(INTAKE);
        assert_eq!(wrong(other).await, ["/accessUserId: This is the access of another user."]);
        for body in [json!({}), json!({"isDisabled": "yes"}), json!({"role": "King", "siteId": world::HARBOR_HOUSE}), json!([])] {
            assert_eq!(change(&house, STAFF, body, world::OWNER).await.status, 422);
        }
        assert_eq!(stored(&house).await, before);
    }

    async fn twenty_extra_fields_are_stored_nowhere(house: House) {
        let before = stored(&house).await;
        let extra: serde_json::Map<String, Value> = ["id", "userId", "user", "status", "membershipStatus", "createdAt",
            "createdBy", "deletedAt", "passwordHash", "phone", "email", "emailKey", "isGlobal", "roleGlobal", "permissions",
            "can", "organization", "siteName", "invitedBy", "__proto__"].iter().map(|name| ((*name).to_owned(), json!("x"))).collect();
        let mut bodies = vec![json!({"isDisabled": false}), json!({"role": "Staff", "siteId": world::HARBOR_HOUSE}), edit(STAFF, "Staff")];
        for body in &mut bodies {
            body.as_object_mut().unwrap().extend(extra.clone());
            let refused = change(&house, STAFF, body.clone(), world::OWNER).await;
            assert!(refused.field_errors().len() >= 20, "{}", refused.text);
        }
        let mut body = invitation("new@test.example", "Staff");
        body.as_object_mut().unwrap().insert("status".to_owned(), json!("Active"));
        let refused = house.post("/api/AccessUsers/siteScopeUsers", body).by(world::OWNER).send().await;
        assert_eq!(refused.field_errors(), ["/status: This field does not exist here."]);
        assert_eq!(stored(&house).await, before);
    }

    async fn a_pending_user_cannot_be_edited_but_removed_or_invited_again(house: House) {
        let user = invite(&house, "new@test.example", "Staff", world::ADMIN).await.expect(201);
        let id = id_of(&user);
        assert_eq!(user["can"], json!({"edit": false, "rename": false, "remove": true, "disable": false, "resend": true, "roles": []}));
        for body in [json!({"isDisabled": true}), json!({"role": "Intake", "siteId": world::HARBOR_HOUSE}), edit(id, "Staff")] {
            assert_eq!(change(&house, id, body, world::ADMIN).await.refusal(409),
                "You cannot edit a user who hasn't accepted the invitation.");
        }
        house.delete(&format!("/api/AccessUsers/{id}")).by(world::ADMIN).send().await.expect(204);
        house.delete(&format!("/api/AccessUsers/{id}")).by(world::ADMIN).send().await.expect(404);
        let again = invite(&house, "new@test.example", "Admin", world::ADMIN).await.expect(201);
        assert_ne!(again["id"], user["id"], "a removed user may be invited again");
    }

    async fn disabling_ends_access_on_the_next_call_and_the_session_with_the_last_access(house: House) {
        let (access, refresh) = sign_in::sign_in(&house, "staff@test.example").await;
        let first = house.get(&format!("/api/Sites/{}", world::HARBOR_HOUSE)).by(&access).send().await;
        first.expect(200);
        change(&house, STAFF, json!({"isDisabled": true}), world::ADMIN).await.expect(200);
        assert_eq!(house.get(&format!("/api/Sites/{}", world::HARBOR_HOUSE)).by(&access).send().await.status, 404);
        house.get(&format!("/api/Sites/{}", world::OPEN_DOOR)).by(&access).send().await.expect(200);
        change(&house, held(9), json!({"isDisabled": true}), world::ADMIN).await.expect(200);
        house.get("/api/Sites").by(&access).send().await.expect(401);
        house.form("/connect/token", &[("grant_type", "refresh_token"), ("refresh_token", &refresh)]).send().await.expect(400);
        let ended: (i64,) = house.db().query("SELECT COUNT(*) FROM sessions WHERE ended_at IS NOT NULL").one().await.unwrap();
        assert_eq!(ended.0, 2, "the session of the sign-in and the one of the test world");
        change(&house, STAFF, json!({"isDisabled": false}), world::ADMIN).await.expect(200);
        house.get("/api/Sites").by(&access).send().await.expect(401);
        house.advance(MINUTE);
        sign_in::sign_in(&house, "staff@test.example").await;
    }

    async fn removing_ends_access_on_the_next_call_and_keeps_the_row(house: House) {
        let (access, _) = sign_in::sign_in(&house, "staff@test.example").await;
        for id in [STAFF, held(9)] {
            house.delete(&format!("/api/AccessUsers/{id}")).by(world::ADMIN).send().await.expect(204);
        }
        house.get("/api/Sites").by(&access).send().await.expect(401);
        let rows: (i64,) = house.db().query("SELECT COUNT(*) FROM memberships WHERE deleted_at IS NOT NULL").one().await.unwrap();
        assert_eq!(rows.0, 2);
        assert_eq!(house.trail().await.iter().filter(|action| *action == "membership.removed").count(), 2);
    }

    async fn the_last_owner_cannot_be_removed_and_of_two_removed_at_once_one_stays(house: House) {
        let path = format!("/api/AccessUsers/{OWNER}");
        let refused = house.delete(&path).by(world::GLOBAL).send().await;
        assert_eq!(refused.refusal(409), "The last owner of an organization cannot be removed or disabled.");
        assert_eq!(change(&house, OWNER, json!({"isDisabled": true}), world::GLOBAL).await.status, 409);
        // A pending owner does not count.
        let body = json!({"redirectUri": SITE, "email": "second@test.example", "firstName": "S", "lastName": "O",
            "organizationId": world::HARBOR, "role": "Owner", "receiveReservationTexts": false});
        let second = house.post("/api/AccessUsers/organizationScopeUsers", body).by(world::OWNER).send().await.expect(201);
        assert_eq!(house.delete(&path).by(world::GLOBAL).send().await.status, 409);
        run(&house, "UPDATE memberships SET status = 'Active' WHERE id = $1", id_of(&second)).await;
        let both = [OWNER, id_of(&second)].map(|id| house.delete(&format!("/api/AccessUsers/{id}")).by(world::GLOBAL));
        let statuses = steps::statuses(&steps::all_at_once(both.into()).await);
        assert_eq!(statuses.into_iter().collect::<Vec<_>>(), [(204, 1), (409, 1)]);
    }

    async fn the_last_global_admin_cannot_be_removed_and_a_second_one_can_be_invited(house: House) {
        let body = json!({"redirectUri": SITE, "email": "second@test.example", "firstName": "Second", "lastName": "Admin"});
        for by in [world::OWNER, world::ADMIN] {
            assert_eq!(house.post("/api/AccessUsers/globalAdmins", body.clone()).by(by).send().await.status, 403);
        }
        let second = house.post("/api/AccessUsers/globalAdmins", body).by(world::GLOBAL).send().await.expect(201);
        assert_eq!((&second["role"], &second["organization"], &second["siteId"]), (&json!("GlobalAdmin"), &Value::Null, &Value::Null));
        // The second one, signed in, may remove the first one's access, but nobody may remove theirs.
        let id = id_of(&second);
        run(&house, "UPDATE memberships SET status = 'Active' WHERE id = $1", id).await;
        run(&house, "UPDATE memberships SET role = 'GlobalAdmin', site_id = NULL, status = 'Active' WHERE id = $1", held(8)).await;
        assert_eq!(change(&house, GLOBAL, json!({"isDisabled": true}), world::STAFF).await.refusal(409),
            "A global admin cannot be disabled. Remove the access instead.");
        house.delete(&format!("/api/AccessUsers/{GLOBAL}")).by(world::STAFF).send().await.expect(204);
        house.get("/api/AccessUsers/all").by(world::GLOBAL).send().await.expect(401);
        house.delete(&format!("/api/AccessUsers/{id}")).by(world::STAFF).send().await.expect(204);
        assert_eq!(house.delete(&format!("/api/AccessUsers/{}", held(8))).by(world::STAFF).send().await.status, 403);
        assert_eq!(house.delete(&format!("/api/AccessUsers/{OWNER}")).by(world::STAFF).send().await.status, 409);
        house.delete(&format!("/api/AccessUsers/{GLOBAL}")).by(world::OWNER).send().await.expect(404);
    }

    async fn a_user_invited_to_a_site_without_a_role_becomes_its_admin(house: House) {
        let mut body = invitation("norole@test.example", "Admin");
        body.as_object_mut().unwrap().remove("role");
        let user = house.post("/api/AccessUsers/siteScopeUsers", body).by(world::ADMIN).send().await.expect(201);
        assert_eq!((&user["role"], &user["membershipStatus"]), (&json!("Admin"), &json!("PendingInvitation")));
    }

    async fn inviting_a_global_admin_needs_a_fresh_proof(house: House) {
        let body = json!({"redirectUri": SITE, "email": "second@test.example", "firstName": "Second", "lastName": "Admin"});
        let invite = async || house.post("/api/AccessUsers/globalAdmins", body.clone()).by(world::GLOBAL).send().await;
        house.advance(6 * MINUTE);
        assert_eq!(invite().await.expect(403)["code"], "fresh-proof");
        assert_eq!(house.outbox().await.len(), 0);
        house.post("/connect/prove", json!({"password": world::PASSWORD})).by(world::GLOBAL).send().await.expect(204);
        invite().await.expect(201);
    }

    async fn the_check_box_decides_who_is_notified_of_a_reservation(house: House) {
        let mut body = edit(STAFF, "Staff");
        body["receiveReservationTexts"] = json!(true);
        change(&house, STAFF, body, world::ADMIN).await.expect(200);
        let mut body = edit(INTAKE, "Intake");
        body["isNamesEditAllowed"] = json!(false);
        change(&house, INTAKE, body, world::ADMIN).await.expect(200);
        steps::reserve(&house, world::HARBOR_HOUSE, 1).await;
        let told = async || {
            let told = house.outbox().await.into_iter().filter(|(_, _, body)| body.contains("/reservations/"));
            let mut told: Vec<String> = told.map(|(_, to, _)| to).collect();
            told.sort();
            told
        };
        assert_eq!(told().await, ["+17145550166", "staff@test.example"]);
        change(&house, STAFF, json!({"isDisabled": true}), world::ADMIN).await.expect(200);
        steps::reserve(&house, world::HARBOR_HOUSE, 2).await;
        assert_eq!(told().await.len(), 2, "a disabled user gets no message");
    }
}

/// Removes three at once: the second waits for the first, and the third starts when the first is gone. When the lock was on
/// the row of the lowest admin, the third locked another row than the second, and both were removed. On SQLite,
/// transactions wait for each other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_three_global_admins_removed_at_once_one_stays() {
    const WAITING: &str =
        "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%UPDATE%'";
    const LEFT: &str =
        "SELECT COUNT(*) FROM memberships WHERE role = 'GlobalAdmin' AND status = 'Active' AND deleted_at IS NULL";
    const GO: &str = "UPDATE memberships SET deleted_at = 1 WHERE user_id = $1 AND role = 'GlobalAdmin'";
    let house = House::new(berth_db::Engine::Postgres).await;
    for id in [held(6), held(8)] {
        run(&house, "UPDATE memberships SET role = 'GlobalAdmin', site_id = NULL WHERE id = $1", id).await;
    }
    let [one, two, three] = [world::PEOPLE[0].2, world::PEOPLE[5].2, world::PEOPLE[6].2];
    let db = house.db().clone();
    let mut first = db.begin().await.unwrap();
    check_last_holder(&mut first, one).await.unwrap();
    first.query(GO).bind(one).execute().await.unwrap();

    let others = db.clone();
    let second = tokio::spawn(async move {
        let mut tx = others.begin().await.unwrap();
        check_last_holder(&mut tx, two).await.unwrap();
        tx
    });
    while db.query(WAITING).scalar::<i64>().await.unwrap() == 0 {
        tokio::task::yield_now().await;
    }
    first.commit().await.unwrap();
    let mut second = second.await.unwrap();

    let third = tokio::spawn(async move {
        let mut tx = db.begin().await.unwrap();
        if check_last_holder(&mut tx, three).await.is_ok() {
            tx.query(GO).bind(three).execute().await.unwrap();
            tx.commit().await.unwrap();
        }
    });
    // It has reached or passed its check before the second one is removed.
    let begun = async || house.db().query(WAITING).scalar::<i64>().await.unwrap() > 0 || third.is_finished();
    while !begun().await {
        tokio::task::yield_now().await;
    }
    second.query(GO).bind(two).execute().await.unwrap();
    second.commit().await.unwrap();
    third.await.unwrap();
    assert_eq!(house.db().query(LEFT).scalar::<i64>().await.unwrap(), 1, "one global admin is left");
}
