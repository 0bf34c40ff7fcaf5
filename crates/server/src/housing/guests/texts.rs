//! Text messages to guests about their own reservations, in the language of the reservation: received, accepted,
//! declined, about to expire, expired, cancelled (docs/decisions/0052). A text holds the reservation's code, and the
//! site's address once the guest has a bed; never a name and never a service: the phone may lie on a table (42 CFR Part
//! 2).
//!
//! A change inserts a row into `guest_texts` in its own transaction. A job settles the row once: it puts the message
//! into the outbox, or records why it is not sent. The outbox calls [`withdraw`] before each attempt to send it.

use berth_db::Tx;
use berth_domain::id::{GuestId, OutboxId, SiteId};
use berth_domain::locale::Locale;
use berth_domain::message::{GuestText, NotSent, judge_guest_text};
use berth_domain::time::{IntakePeriod, TimePeriod, Timestamp, moment_text};
use berth_domain::value::Phone;

use super::board::facts;
use super::person::PersonKey;
use crate::admin::audit_log::Author;
use crate::auth::throttle::{self, GUEST_TEXTS};
use crate::change::{self, Change};
use crate::housing::sites;
use crate::integrations::outbox::{self, Channel, Message};
use crate::integrations::sms::stops;
use crate::settings::Settings;
use crate::{App, Result};

/// Queues a text to a guest about something that happened at `at`. Must be called after the guest's row was changed.
pub(crate) async fn queue(tx: &mut Tx, guest: GuestId, text: GuestText, at: Timestamp) -> Result<(), berth_db::Error> {
    const QUEUE: &str = "INSERT INTO guest_texts (guest_id, version, kind, happened_at, due_at) \
        SELECT id, version, $2, $3, $4 FROM guests WHERE id = $1 ON CONFLICT (guest_id, version, kind) DO NOTHING";
    let due_at = at.plus_millis(text.delay_millis());
    tx.query(QUEUE).bind(guest).bind(text).bind(at).bind(due_at).execute().await?;
    Ok(())
}

/// A text that is not settled yet.
#[derive(berth_db::FromRow)]
struct Waiting {
    version: i64,
    kind: GuestText,
    happened_at: Timestamp,
}

/// What the texts to a guest are made of.
#[derive(berth_db::FromRow)]
struct Facts {
    phone: Phone,
    language: Locale,
    site_id: SiteId,
    address: String,
    contact_phone: String,
    time_zone: String,
}

/// Settles the due texts of one guest and returns how many there were. Not to be called inside a transaction.
pub async fn settle(app: &App, guest_id: GuestId) -> Result<u64> {
    let persons = app.persons.key(app).await?;
    change::run(app, Author::job(), |mut change| async move {
        match settle_all(&mut change, persons, guest_id).await? {
            Some(settled) => change.done(settled),
            None => change::unchanged(0),
        }
    })
    .await
}

/// Settles the due texts in order. `None` if another node was first: its message stays, and this change must be
/// dropped.
async fn settle_all(change: &mut Change, persons: PersonKey, guest_id: GuestId) -> Result<Option<u64>> {
    const WAITING: &str = "SELECT version, kind, happened_at FROM guest_texts WHERE guest_id = $1 AND settled_at IS NULL \
        AND due_at <= $2 ORDER BY version, happened_at, kind";
    const LAST: &str = "SELECT kind FROM guest_texts WHERE guest_id = $1 AND outcome = 'sent' \
        ORDER BY version DESC, happened_at DESC, kind LIMIT 1";
    const FACTS: &str = "SELECT g.phone, g.language, s.id AS site_id, s.address, s.contact_phone, s.time_zone \
        FROM guests g JOIN sites s ON s.id = g.site_id WHERE g.id = $1";
    const SETTLE: &str = "UPDATE guest_texts SET settled_at = $4, outcome = $5, outbox_id = $6 \
        WHERE guest_id = $1 AND version = $2 AND kind = $3 AND settled_at IS NULL";
    let now = change.now;
    let waiting: Vec<Waiting> = change.tx.query(WAITING).bind(guest_id).bind(now).all().await?;
    let last: Option<(GuestText,)> = change.tx.query(LAST).bind(guest_id).optional().await?;
    let mut last = last.map(|(text,)| text);
    let (code, guest) = facts(&mut change.tx, guest_id).await?;
    let about: Facts = change.tx.query(FACTS).bind(guest_id).one().await?;
    let mut settled = 0;
    for row in waiting {
        let judged = match judge_guest_text((row.kind, row.happened_at), &guest, last, now) {
            Ok(()) => judge_phone(change, persons, &about.phone).await?,
            not_sent => not_sent,
        };
        let outbox_id = match judged {
            Ok(()) => {
                let mut body = body(change, row.kind, (&code, guest.expires_at), &about).await?;
                if last.is_none() {
                    body.push_str(opt_out_hint(about.language));
                }
                last = Some(row.kind);
                Some(put_in_outbox(change, &about, body).await?)
            }
            Err(_) => None,
        };
        let outcome = judged.map_or_else(NotSent::as_str, |()| "sent");
        let settle = change.tx.query(SETTLE).bind(guest_id).bind(row.version).bind(row.kind).bind(now).bind(outcome);
        if settle.bind(outbox_id).execute().await? == 0 {
            return Ok(None);
        }
        settled += 1;
    }
    Ok(Some(settled))
}

/// Decides whether a text may go to a phone, and counts it if so.
pub(crate) async fn judge_phone(change: &mut Change, persons: PersonKey, phone: &Phone) -> Result<Result<(), NotSent>> {
    if !phone.is_personal() {
        return Ok(Err(NotSent::NoPerson));
    }
    let person = persons.phone(phone.as_str());
    if stops::has_stopped(&mut change.tx, &person).await? {
        return Ok(Err(NotSent::OptedOut));
    }
    let key = format!("guest-texts:{person}");
    let is_within = throttle::is_within(&mut change.tx, &key, GUEST_TEXTS, change.now).await?;
    Ok(if is_within { Ok(()) } else { Err(NotSent::TooMany) })
}

async fn put_in_outbox(change: &mut Change, about: &Facts, body: String) -> Result<OutboxId> {
    let to = about.phone.as_str().to_owned();
    let message = Message { channel: Channel::Sms, to, subject: String::new(), body };
    outbox::put_with_id(&change.app, &mut change.tx, about.language, message).await
}

pub(crate) const fn opt_out_hint(language: Locale) -> &'static str {
    language.pick(" Reply STOP to end these texts.", " Responda ALTO para no recibir más mensajes.")
}

/// A text in the outbox that has not been sent.
#[derive(berth_db::FromRow)]
struct Queued {
    guest_id: GuestId,
    version: i64,
    kind: GuestText,
    happened_at: Timestamp,
}

/// Removes a text from the outbox if it must no longer be sent: it is not true any more, a newer one follows it, it is
/// too late, or the phone has opted out. Returns true if it was removed. Messages that are not texts to guests stay.
pub async fn withdraw(app: &App, message: OutboxId) -> Result<bool> {
    const NOT_SENT: &str = "UPDATE guest_texts SET outcome = $2, outbox_id = NULL WHERE outbox_id = $1";
    const REMOVE: &str = "DELETE FROM outbox WHERE id = $1 AND sent_at IS NULL";
    let persons = app.persons.key(app).await?;
    let Err(reason) = berth_db::retry(|| judge_queued(app, persons, message)).await? else { return Ok(false) };
    change::run(app, Author::job(), |mut change| async move {
        change.tx.query(NOT_SENT).bind(message).bind(reason.as_str()).execute().await?;
        change.tx.query(REMOVE).bind(message).execute().await?;
        change.done(true)
    })
    .await
}

/// Decides whether a message of the outbox may still be sent.
async fn judge_queued(app: &App, persons: PersonKey, message: OutboxId) -> Result<Result<(), NotSent>> {
    const QUEUED: &str = "SELECT guest_id, version, kind, happened_at FROM guest_texts WHERE outbox_id = $1";
    // Two texts about the same version of a guest are ordered by their time: a reminder follows the arrival.
    const BEFORE: &str = "SELECT kind FROM guest_texts WHERE guest_id = $1 AND outcome = 'sent' \
        AND (version < $2 OR (version = $2 AND happened_at < $3)) ORDER BY version DESC, happened_at DESC, kind LIMIT 1";
    const AFTER: &str = "SELECT kind FROM guest_texts WHERE guest_id = $1 AND outcome = 'sent' \
        AND (version > $2 OR (version = $2 AND happened_at > $3)) LIMIT 1";
    const PHONE: &str = "SELECT phone FROM guests WHERE id = $1";
    let queued: Option<Queued> = app.db.query(QUEUED).bind(message).optional().await?;
    let Some(Queued { guest_id, version, kind, happened_at }) = queued else { return Ok(Ok(())) };
    let now = app.now();
    let mut tx = app.db.read().await?;
    let before: Option<(GuestText,)> =
        tx.query(BEFORE).bind(guest_id).bind(version).bind(happened_at).optional().await?;
    let after: Option<(GuestText,)> = tx.query(AFTER).bind(guest_id).bind(version).bind(happened_at).optional().await?;
    let (_, guest) = facts(&mut tx, guest_id).await?;
    let phone: Phone = tx.query(PHONE).bind(guest_id).scalar().await?;
    Ok(if after.is_some() {
        Err(NotSent::Outdated)
    } else if stops::has_stopped(&mut tx, &persons.phone(phone.as_str())).await? {
        Err(NotSent::OptedOut)
    } else {
        judge_guest_text((kind, happened_at), &guest, before.map(|(text,)| text), now)
    })
}

/// Returns the body of a text, without the hint how to opt out.
async fn body(
    change: &mut Change,
    text: GuestText,
    (code, expires_at): (&str, Option<Timestamp>),
    about: &Facts,
) -> Result<String> {
    let Facts { language, address, contact_phone, time_zone, .. } = about;
    let language = *language;
    let until = expires_at.map(|end| moment_text(end, time_zone, language));
    let call = spoken_phone(contact_phone);
    let other = other_site(&change.app.settings, language);
    Ok(match (text, language) {
        (GuestText::Received, Locale::English) => match until {
            Some(until) => format!("Berth: We have your reservation {code}. The site will answer by {until}."),
            None => format!("Berth: We have your reservation {code}. The site will answer soon."),
        },
        (GuestText::Received, Locale::Spanish) => match until {
            Some(until) => format!("Berth: Tenemos su reserva {code}. El centro responderá antes de las {until}."),
            None => format!("Berth: Tenemos su reserva {code}. El centro responderá pronto."),
        },
        (GuestText::Accepted, _) => {
            let address = outbox::quoted(address);
            let hours = intake_hours(&sites::intake_periods(&mut change.tx, about.site_id).await?, language);
            match language {
                Locale::English => {
                    format!(
                        "Berth: Your reservation {code} was accepted. Address: {address}.{hours} Questions: call {call}."
                    )
                }
                Locale::Spanish => {
                    format!(
                        "Berth: Su reserva {code} fue aceptada. Dirección: {address}.{hours} Preguntas: llame al {call}."
                    )
                }
            }
        }
        (GuestText::Declined, Locale::English) => {
            format!("Berth: The site could not accept your reservation {code}. {other}")
        }
        (GuestText::Declined, Locale::Spanish) => {
            format!("Berth: El centro no pudo aceptar su reserva {code}. {other}")
        }
        (GuestText::Reopened, Locale::English) => {
            let until = until.map(|until| format!(" It will answer by {until}.")).unwrap_or_default();
            format!("Berth: The site is considering your reservation {code} after all.{until}")
        }
        (GuestText::Reopened, Locale::Spanish) => {
            let until = until.map(|until| format!(" Responderá antes de las {until}.")).unwrap_or_default();
            format!("Berth: El centro vuelve a considerar su reserva {code}.{until}")
        }
        (GuestText::Ending, Locale::English) => {
            let until = until.map(|until| format!(" It expires at {until}.")).unwrap_or_default();
            format!(
                "Berth: The site has not answered your reservation {code} yet.{until} You can call the site: {call}."
            )
        }
        (GuestText::Ending, Locale::Spanish) => {
            let until = until.map(|until| format!(" Vence a las {until}.")).unwrap_or_default();
            format!("Berth: El centro aún no responde a su reserva {code}.{until} Puede llamar al centro: {call}.")
        }
        (GuestText::Expired, Locale::English) => {
            format!("Berth: Your reservation {code} has expired, because the site did not answer in time. {other}")
        }
        (GuestText::Expired, Locale::Spanish) => {
            format!("Berth: Su reserva {code} venció porque el centro no respondió a tiempo. {other}")
        }
        (GuestText::Cancelled, Locale::English) => format!(
            "Berth: Your reservation {code} was cancelled. If it was not you who cancelled it, please make a new one."
        ),
        (GuestText::Cancelled, Locale::Spanish) => {
            format!("Berth: Su reserva {code} fue cancelada. Si no la canceló usted, haga una nueva.")
        }
    })
}

/// The next step of somebody without a bed, with the public page where there is one.
fn other_site(settings: &Settings, language: Locale) -> String {
    let sentence = language.pick("Please choose another site", "Elija otro centro");
    match settings.origins.first().filter(|_| settings.serves_find_page()) {
        Some(origin) => format!("{sentence}: {origin}/find"),
        None => format!("{sentence}."),
    }
}

/// A stored phone as people write it: "(714) 555-0100". Another text stays as it is.
fn spoken_phone(phone: &str) -> String {
    match phone.strip_prefix("+1").filter(|digits| digits.len() == 10 && digits.is_ascii()) {
        Some(digits) => format!("({}) {}-{}", &digits[..3], &digits[3..6], &digits[6..]),
        None => phone.to_owned(),
    }
}

/// The intake hours as a sentence with a space before it; empty without any.
fn intake_hours(periods: &[IntakePeriod], language: Locale) -> String {
    let hours: Vec<String> =
        periods.iter().filter(|period| period.enabled).map(|period| hours_of(period, language)).collect();
    if hours.is_empty() {
        return String::new();
    }
    format!(" {}: {}.", language.pick("Intake hours", "Horario de ingreso"), hours.join("; "))
}

fn hours_of(period: &IntakePeriod, language: Locale) -> String {
    let days = match period.time_period {
        TimePeriod::MondayToFriday => language.pick("Monday to Friday", "lunes a viernes"),
        TimePeriod::Weekends => language.pick("weekends", "fines de semana"),
        TimePeriod::Holidays => language.pick("holidays", "días festivos"),
    };
    let hours = match (period.from, period.to, language) {
        (Some(from), ..) if from.is_all_day() => language.pick("all day", "todo el día").to_owned(),
        (.., Locale::English) => period.text(),
        // "09:00:00" without the seconds.
        (Some(from), Some(to), Locale::Spanish) => format!("{:.5} a {:.5}", from.to_string(), to.to_string()),
        (.., Locale::Spanish) => String::new(),
    };
    format!("{days} {hours}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use berth_domain::locale::Locale;
    use berth_domain::time::{IntakePeriod, TimeOfDay, TimePeriod};

    use super::{intake_hours, spoken_phone};

    #[test]
    fn intake_hours_are_a_sentence_in_both_languages() {
        let period = |time_period, from: &str, to: &str, enabled| IntakePeriod {
            time_period,
            from: TimeOfDay::parse(from).ok(),
            to: TimeOfDay::parse(to).ok(),
            enabled,
        };
        let periods = [
            period(TimePeriod::MondayToFriday, "09:00:00", "17:30:00", true),
            period(TimePeriod::Weekends, "00:01:00", "00:01:00", true),
            period(TimePeriod::Holidays, "09:00:00", "12:00:00", false),
        ];
        let english = " Intake hours: Monday to Friday 9:00 AM - 5:30 PM; weekends all day.";
        assert_eq!(intake_hours(&periods, Locale::English), english);
        let spanish = " Horario de ingreso: lunes a viernes 09:00 a 17:30; fines de semana todo el día.";
        assert_eq!(intake_hours(&periods, Locale::Spanish), spanish);
        assert_eq!(intake_hours(&periods[2..], Locale::English), "");
    }

    #[test]
    fn a_phone_is_formatted_for_people() {
        assert_eq!(spoken_phone("+17145550100"), "(714) 555-0100");
        assert_eq!(spoken_phone("none"), "none");
    }
}
