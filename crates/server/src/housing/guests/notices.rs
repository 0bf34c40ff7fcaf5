//! Messages to the users of a site about reservations from the public side, by SMS and email: a code and a link, or how
//! many wait and a link; never a name or a service (DESIGN 6, receiveReservationTexts; 42 CFR Part 2).
//!
//! A change inserts a row into `user_notices` for each user in its own transaction. A job settles the rows of one user
//! at one site together: it sends them as one message, or records why they are not sent (docs/decisions/0052).

use berth_db::Tx;
use berth_domain::guest::GuestFacts;
use berth_domain::id::{GuestId, SiteId, UserId};
use berth_domain::locale::Locale;
use berth_domain::message::{MAX_LATE_MINUTES, NotSent, Notice, QuietHours, judge_notice, tell_at};
use berth_domain::time::{TimeOfDay, Timestamp};

use super::person::PersonKey;
use super::state::{facts_columns, is_pending};
use super::view::FactsRow;
use crate::admin::audit_log::Author;
use crate::auth::caller::Site;
use crate::change::{self, Change};
use crate::integrations::outbox::{self, Channel, Message};
use crate::integrations::sms::stops;
use crate::{App, Result};

/// Users of a site (`$1` of [`queue`]) and owners of its organization who want messages, each once.
macro_rules! readers {
    ($site:literal, $organization:literal) => {
        concat!(
            "SELECT m.user_id FROM memberships m WHERE m.site_id = ",
            $site,
            " AND m.deleted_at IS NULL AND m.status = 'Active' AND m.receive_reservation_texts \
             UNION SELECT m.user_id FROM memberships m WHERE m.organization_id = ",
            $organization,
            " AND m.role = 'Owner' AND m.deleted_at IS NULL AND m.status = 'Active' AND m.receive_reservation_texts"
        )
    };
}

/// Queues a notice to the users of a site about something that happened to a guest at `at`.
pub(crate) async fn queue(tx: &mut Tx, site: &Site, guest: GuestId, notice: Notice, at: Timestamp) -> Result<()> {
    const QUEUE: &str = concat!(
        "INSERT INTO user_notices (guest_id, kind, user_id, site_id, happened_at, due_at) \
         SELECT $3, $4, u.id, $1, $5, $5 FROM users u WHERE u.deleted_at IS NULL AND u.id IN (",
        readers!("$1", "$2"),
        ") ON CONFLICT (guest_id, kind, user_id) DO NOTHING"
    );
    let queue = tx.query(QUEUE).bind(site.id).bind(site.organization_id).bind(guest).bind(notice).bind(at);
    queue.execute().await?;
    Ok(())
}

/// The user who gets the message, and the site's time zone.
#[derive(berth_db::FromRow)]
struct Reader {
    email: String,
    phone: Option<String>,
    language: Locale,
    quiet_from: Option<String>,
    quiet_until: Option<String>,
    time_zone: String,
    wants_messages: bool,
}

impl Reader {
    fn quiet_hours(&self) -> Option<QuietHours> {
        let time = |text: &Option<String>| TimeOfDay::parse(text.as_deref()?).ok();
        QuietHours::new(time(&self.quiet_from)?, time(&self.quiet_until)?).ok()
    }
}

/// A notice that is not settled yet, and its guest.
#[derive(berth_db::FromRow)]
struct Waiting {
    kind: Notice,
    happened_at: Timestamp,
    code: String,
    #[row(flatten)]
    facts: FactsRow,
}

/// A notice that goes into a message.
struct Item {
    notice: Notice,
    code: String,
}

/// Settles the notices of a user at a site and returns how many of them were sent. Not to be called inside a
/// transaction.
pub async fn settle(app: &App, user: UserId, site: SiteId) -> Result<u64> {
    let persons = app.persons.key(app).await?;
    change::run(app, Author::job(), |mut change| async move {
        match settle_all(&mut change, persons, user, site).await? {
            Some(sent) => change.done(sent),
            None => change::unchanged(0),
        }
    })
    .await
}

/// Settles the notices together. `None` if another node was first: its message stays, and this change must be dropped.
async fn settle_all(change: &mut Change, persons: PersonKey, user: UserId, site: SiteId) -> Result<Option<u64>> {
    const READER: &str = concat!(
        "SELECT u.email, u.phone, u.language, u.quiet_from, u.quiet_until, s.time_zone, \
         (u.deleted_at IS NULL AND u.id IN (",
        readers!("s.id", "s.organization_id"),
        ")) AS wants_messages FROM users u, sites s WHERE u.id = $1 AND s.id = $2"
    );
    const WAITING: &str = concat!(
        "SELECT n.kind, n.happened_at, g.code, ",
        facts_columns!("g."),
        " FROM user_notices n JOIN guests g ON g.id = n.guest_id \
         WHERE n.user_id = $1 AND n.site_id = $2 AND n.settled_at IS NULL ORDER BY n.happened_at, n.guest_id, n.kind"
    );
    const LAST: &str =
        "SELECT MAX(settled_at) FROM user_notices WHERE user_id = $1 AND site_id = $2 AND outcome = 'sent'";
    const LATER: &str =
        "UPDATE user_notices SET due_at = $3 WHERE user_id = $1 AND site_id = $2 AND settled_at IS NULL";
    let (now, tx) = (change.now, &mut change.tx);
    let reader: Reader = tx.query(READER).bind(user).bind(site).one().await?;
    let quiet_until = reader.quiet_hours().and_then(|quiet| quiet.end_after(now, &reader.time_zone));
    let waiting: Vec<Waiting> = tx.query(WAITING).bind(user).bind(site).all().await?;
    let last: Option<Timestamp> = tx.query(LAST).bind(user).bind(site).scalar().await?;
    let mut rows = Vec::new();
    for Waiting { kind, happened_at, code, facts } in waiting {
        let guest = GuestFacts::from(facts);
        let judged =
            if reader.wants_messages { judge_notice((kind, happened_at), &guest, now) } else { Err(NotSent::OptedOut) };
        rows.push((guest.id, Item { notice: kind, code }, judged));
    }
    let to_send = rows.iter().filter(|(_, _, judged)| judged.is_ok());
    let later = tell_at(to_send.map(|(_, item, _)| item.notice), last, quiet_until, now);
    let mut items = Vec::new();
    for (guest, item, judged) in rows {
        if judged.is_ok() && later.is_some() {
            continue;
        }
        let outcome = judged.map_or_else(NotSent::as_str, |()| "sent");
        if !mark(tx, (guest, item.notice, user), outcome, now).await? {
            return Ok(None);
        }
        if judged.is_ok() {
            items.push(item);
        }
    }
    if let Some(at) = later {
        tx.query(LATER).bind(user).bind(site).bind(at).execute().await?;
    }
    if !items.is_empty() {
        send(change, persons, (&reader, site), &items).await?;
    }
    Ok(Some(u64::try_from(items.len()).unwrap_or_default()))
}

/// Settles one row. Returns false if it was settled before.
async fn mark(
    tx: &mut Tx,
    (guest, notice, user): (GuestId, Notice, UserId),
    outcome: &'static str,
    now: Timestamp,
) -> Result<bool> {
    const MARK: &str = "UPDATE user_notices SET settled_at = $4, outcome = $5 \
        WHERE guest_id = $1 AND kind = $2 AND user_id = $3 AND settled_at IS NULL";
    let mark = tx.query(MARK).bind(guest).bind(notice).bind(user).bind(now).bind(outcome);
    Ok(mark.execute().await? == 1)
}

/// Minutes after which a message without a reminder is no longer sent: by then a later message or the screens show what
/// is pending.
const MAX_NEWS_LATE_MINUTES: i64 = 12 * 60;

/// Puts a text message, unless the phone has opted out, and an email into the outbox.
async fn send(
    change: &mut Change,
    persons: PersonKey,
    (reader, site): (&Reader, SiteId),
    items: &[Item],
) -> Result<()> {
    const PENDING: &str = concat!("SELECT COUNT(*) FROM guests WHERE site_id = $1 AND ", is_pending!("", "$2"));
    let language = reader.language;
    let Change { app, tx, now, .. } = change;
    let is_reminder = items.iter().any(|item| item.notice.is_reminder());
    let until = now.plus_minutes(if is_reminder { MAX_LATE_MINUTES } else { MAX_NEWS_LATE_MINUTES });
    let (subject, sms, mail) = match items {
        [Item { notice, code }] => {
            let sentence = sentence(*notice, language);
            let reservation = language.pick("reservation", "la reserva");
            let mail = match language {
                Locale::English => format!("Reservation {code} {sentence}"),
                Locale::Spanish => format!("La reserva {code} {sentence}"),
            };
            (format!("{}: {code}", subject(*notice, language)), format!("{reservation} {code} {sentence}"), mail)
        }
        several => {
            let pending: i64 = tx.query(PENDING).bind(site).bind(*now).scalar().await?;
            let digest = digest(several, pending, language);
            let subject = language.pick("Reservations at a glance", "Resumen de reservas").to_owned();
            (subject, digest.clone(), digest)
        }
    };
    let origin = app.settings.origins.first().map(String::as_str).unwrap_or_default();
    let link = format!("{origin}/reservations/{site}");
    if let Some(phone) = &reader.phone
        && !stops::has_stopped(tx, &persons.phone(phone)).await?
    {
        let body = format!("Berth: {sms} {link}");
        let message = Message { channel: Channel::Sms, to: phone.clone(), subject: String::new(), body };
        outbox::put_until(app, tx, language, message, until).await?;
    }
    let body = match language {
        Locale::English => format!(
            "{mail}\n\nOpen the reservations:\n{link}\n\n\
             For privacy, this message names no guest and no service. You get it because your account in Berth is set \
             to receive messages about reservations. You can turn them off, or set quiet hours, in your profile:\n{origin}/user-settings\n"
        ),
        Locale::Spanish => format!(
            "{mail}\n\nAbrir las reservas:\n{link}\n\n\
             Por privacidad, este mensaje no nombra a ningún huésped ni servicio. Lo recibe porque su cuenta de Berth \
             está configurada para recibir mensajes sobre reservas. Puede desactivarlos, o elegir un horario de silencio, en su \
             perfil:\n{origin}/user-settings\n"
        ),
    };
    let message = Message { channel: Channel::Email, to: reader.email.clone(), subject, body };
    outbox::put_until(app, tx, language, message, until).await
}

const fn subject(notice: Notice, language: Locale) -> &'static str {
    match notice {
        Notice::Arrived => language.pick("A new reservation is waiting", "Hay una nueva reserva en espera"),
        Notice::HalfTime => language.pick("A reservation is still waiting", "Una reserva sigue en espera"),
        Notice::LastHour => language.pick("A reservation expires in one hour", "Una reserva vence en una hora"),
        Notice::Expired => language.pick("A reservation has expired", "Una reserva ha vencido"),
    }
}

const fn sentence(notice: Notice, language: Locale) -> &'static str {
    match notice {
        Notice::Arrived => {
            language.pick("has arrived and is waiting for a decision.", "ha llegado y espera una decisión.")
        }
        Notice::HalfTime => language.pick(
            "is still waiting for a decision. Half of its hold has passed.",
            "sigue esperando una decisión. Ha pasado la mitad de su plazo.",
        ),
        Notice::LastHour => language.pick(
            "is still waiting for a decision. It expires in one hour.",
            "sigue esperando una decisión. Vence en una hora.",
        ),
        Notice::Expired => {
            language.pick("has expired. Its bed is available again.", "ha vencido. Su cama vuelve a estar disponible.")
        }
    }
}

/// Returns one message for several notices: what is new, what is urgent, and how many are pending.
fn digest(items: &[Item], pending: i64, language: Locale) -> String {
    let count = |notice: Notice| items.iter().filter(|item| item.notice == notice).count();
    let count = |notice: Notice| i64::try_from(count(notice)).unwrap_or(i64::MAX);
    let [arrived, last_hour, expired] = [Notice::Arrived, Notice::LastHour, Notice::Expired].map(count);
    let mut sentences = Vec::new();
    let mut say = |number: i64, english: [&str; 2], spanish: [&str; 2]| {
        let [one, many] = match language {
            Locale::English => english,
            Locale::Spanish => spanish,
        };
        sentences.push(format!("{number} {}", if number == 1 { one } else { many }));
    };
    if arrived > 0 {
        say(arrived, ["new reservation.", "new reservations."], ["reserva nueva.", "reservas nuevas."]);
    }
    if last_hour > 0 {
        say(last_hour, ["expires in one hour.", "expire in one hour."], ["vence en una hora.", "vencen en una hora."]);
    }
    if expired > 0 {
        say(expired, ["has expired.", "have expired."], ["ha vencido.", "han vencido."]);
    }
    say(
        pending,
        ["reservation is waiting for a decision.", "reservations are waiting for a decision."],
        ["reserva espera una decisión.", "reservas esperan una decisión."],
    );
    sentences.join(" ")
}

#[cfg(test)]
mod tests {
    use berth_domain::locale::Locale;
    use berth_domain::message::Notice;

    use super::{Item, digest};

    #[test]
    fn a_digest_counts_in_both_languages() {
        let items = |notices: &[Notice]| -> Vec<Item> {
            notices.iter().map(|notice| Item { notice: *notice, code: String::new() }).collect()
        };
        let many = items(&[Notice::Arrived, Notice::Arrived, Notice::LastHour, Notice::Expired, Notice::HalfTime]);
        assert_eq!(
            digest(&many, 4, Locale::English),
            "2 new reservations. 1 expires in one hour. 1 has expired. 4 reservations are waiting for a decision."
        );
        let few = items(&[Notice::Arrived, Notice::Expired, Notice::Expired]);
        assert_eq!(digest(&few, 1, Locale::Spanish), "1 reserva nueva. 2 han vencido. 1 reserva espera una decisión.");
    }
}
