//! Messages to the users of a site about reservations from the public side, by SMS and email: a code and a link, never
//! a name or a service (DESIGN 6, receiveReservationTexts; 42 CFR Part 2).

use berth_db::Tx;
use berth_domain::locale::Locale;

use crate::caller::Site;
use crate::outbox::{self, Channel, Message};
use crate::{App, Result};

/// What happened to a reservation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// It arrived.
    Arrived,
    /// Half of its hold has passed.
    HalfTime,
    /// One hour of its hold is left.
    LastHour,
    /// Its hold ran out.
    Expired,
}

impl Notice {
    const fn subject(self, language: Locale) -> &'static str {
        match self {
            Self::Arrived => language.pick("A new reservation is waiting", "Hay una nueva reserva en espera"),
            Self::HalfTime => language.pick("A reservation is still waiting", "Una reserva sigue en espera"),
            Self::LastHour => language.pick("A reservation expires in one hour", "Una reserva vence en una hora"),
            Self::Expired => language.pick("A reservation has expired", "Una reserva ha vencido"),
        }
    }

    const fn sentence(self, language: Locale) -> &'static str {
        match self {
            Self::Arrived => {
                language.pick("has arrived and waits for a decision.", "ha llegado y espera una decisión.")
            }
            Self::HalfTime => language.pick(
                "still waits for a decision. Half of its hold has passed.",
                "sigue esperando una decisión. Ha pasado la mitad de su plazo.",
            ),
            Self::LastHour => language.pick(
                "still waits for a decision. It expires in one hour.",
                "sigue esperando una decisión. Vence en una hora.",
            ),
            Self::Expired => {
                language.pick("has expired. Its bed is free again.", "ha vencido. Su cama vuelve a estar libre.")
            }
        }
    }
}

#[derive(sqlx::FromRow)]
struct Reader {
    email: String,
    phone: Option<String>,
    language: Locale,
}

/// Writes the messages into the outbox, in the transaction of what they tell.
///
/// # Errors
/// Those of the database.
pub async fn tell(app: &App, tx: &mut Tx, site: &Site, code: &str, notice: Notice) -> Result<()> {
    // Users of the site and owners of its organization who want it, each once.
    const READERS: &str = "SELECT u.email, u.phone, u.language FROM users u WHERE u.deleted_at IS NULL AND u.id IN (\
        SELECT m.user_id FROM memberships m WHERE m.site_id = $1 AND m.deleted_at IS NULL AND m.status = 'Active' \
        AND m.receive_reservation_texts UNION ALL \
        SELECT m.user_id FROM memberships m WHERE m.organization_id = $2 AND m.role = 'Owner' AND m.deleted_at IS NULL \
        AND m.status = 'Active' AND m.receive_reservation_texts) ORDER BY u.id";
    let readers: Vec<Reader> = tx.query(READERS).bind(site.id).bind(site.organization_id).all().await?;
    let origin = app.settings.origins.first().map(String::as_str).unwrap_or_default();
    let link = format!("{origin}/reservations/{}", site.id);
    for reader in readers {
        let language = reader.language;
        let (reservation, sentence) = (language.pick("reservation", "la reserva"), notice.sentence(language));
        if let Some(phone) = reader.phone {
            let body = format!("Berth: {reservation} {code} {sentence} {link}");
            let message = Message { channel: Channel::Sms, to: phone, subject: String::new(), body };
            outbox::put_in(app, tx, language, message).await?;
        }
        let subject = format!("{}: {code}", notice.subject(language));
        let body = match language {
            Locale::English => format!(
                "Reservation {code} {sentence}\n\nOpen the reservations:\n{link}\n\n\
                 This message names no guest and no service on purpose. You get it because your account in Berth is set \
                 to receive messages about reservations; an admin of the site can change that.\n"
            ),
            Locale::Spanish => format!(
                "La reserva {code} {sentence}\n\nAbrir las reservas:\n{link}\n\n\
                 Este mensaje no nombra a ningún huésped ni servicio, a propósito. Lo recibe porque su cuenta de Berth \
                 está configurada para recibir mensajes sobre reservas; un administrador del centro puede cambiarlo.\n"
            ),
        };
        let message = Message { channel: Channel::Email, to: reader.email, subject, body };
        outbox::put_in(app, tx, language, message).await?;
    }
    Ok(())
}
