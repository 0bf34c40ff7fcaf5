//! Writes the people who wait for a bed in the full house of the demo.

use berth_domain::bed::BedKind;
use berth_domain::catalog::Gender;
use berth_domain::id::WaitingGuestId;
use berth_domain::new_guest::{NewGuestForm, reservation_code};
use berth_domain::value::name_key;

use super::fill::{AuditLine, Placed, World};
use super::guests::OFFICE_ADDRESS;
use super::rules;
use crate::words::{INITIALS, first_name};
use berth_server::admin::audit_log::{AuditAction, ObjectKind};

/// Minutes of waiting, the type of bed that is needed, and why the person goes before others.
const PEOPLE: [(i64, Option<BedKind>, Option<&str>); 3] = [
    (1560, Some(BedKind::SoberLiving), None),
    (410, None, Some("Has to leave the shelter on Friday")),
    (95, None, None),
];

/// Puts three women on the waitlist of the site whose women's house is full.
pub(super) async fn make(world: &mut World, sites: &[Placed]) -> berth_db::Result<()> {
    const INSERT: &str = "INSERT INTO waiting_guests (id, site_id, code, form, person, bed_kind, priority_reason, waits_since, \
        created_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let Some(site) = sites.iter().find(|site| site.plan.name == rules::SITE) else { return Ok(()) };
    let Some(actor) = site.actors.first() else { return Ok(()) };
    for (minutes, kind, reason) in PEOPLE {
        let at = world.now.plus_minutes(-minutes);
        let id = WaitingGuestId(world.dice.id(at));
        let code = reservation_code(world.dice.number().to_le_bytes());
        let (number, phone) = world.next_phone();
        let first_name = first_name(Gender::Female, &mut world.dice);
        let initial = *world.dice.pick(&INITIALS);
        let form = NewGuestForm {
            gender: Some(Gender::Female),
            // Younger women may have a bed in the family house.
            age_service_id: Some("age-over-27".to_owned()),
            first_name: Some(first_name.to_owned()),
            last_name: Some(initial.to_owned()),
            phone: Some(phone.clone()),
            email: Some(format!("{first_name}.{initial}{}@mail.example", 10 + number).to_lowercase()),
            service_ids: Some(vec!["sober-living".to_owned(), "case-management".to_owned()]),
            site_id: Some(site.id),
            medi_cal_choice: site.plan.options.first().map(|option| (*option).to_owned()),
            ..NewGuestForm::default()
        };
        let person = format!("{phone} {initial} {}", name_key(first_name));
        let insert = world.tx.query(INSERT).bind(id).bind(site.id).bind(code.as_str());
        let insert = insert.bind(serde_json::json!(form).to_string()).bind(person).bind(kind).bind(reason);
        insert.bind(at).bind(actor.id).execute().await?;
        let of_type = kind.map(|kind| format!(" of type {kind}")).unwrap_or_default();
        let priority = if reason.is_some() { ", with priority; a reason was given" } else { "" };
        let line = AuditLine {
            at,
            action: AuditAction::WaitlistAdded,
            actor: Some(actor),
            login: None,
            place: (Some(site.organization_id), Some(site.id)),
            object: Some((ObjectKind::WaitingGuest, id.0)),
            summary: format!("{code} waits for a bed{of_type}{priority}"),
            address: OFFICE_ADDRESS,
        };
        world.record(line).await?;
    }
    Ok(())
}
