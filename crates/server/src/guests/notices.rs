//! What the users of a site are told about reservations from the public side, by SMS and e-mail: a code and a link,
//! never a name or a service (DESIGN 6, receiveReservationTexts; 42 CFR Part 2).

use berth_db::Tx;

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
    const fn subject(self) -> &'static str {
        match self {
            Self::Arrived => "A new reservation is waiting",
            Self::HalfTime => "A reservation is still waiting",
            Self::LastHour => "A reservation expires in one hour",
            Self::Expired => "A reservation has expired",
        }
    }

    const fn sentence(self) -> &'static str {
        match self {
            Self::Arrived => "has arrived and waits for a decision.",
            Self::HalfTime => "still waits for a decision. Half of its hold has passed.",
            Self::LastHour => "still waits for a decision. It expires in one hour.",
            Self::Expired => "has expired. Its bed is free again.",
        }
    }
}

#[derive(sqlx::FromRow)]
struct Reader {
    email: String,
    phone: Option<String>,
}

/// Writes the messages into the outbox, in the transaction of what they tell.
///
/// # Errors
/// Those of the database.
pub async fn tell(app: &App, tx: &mut Tx, site: &Site, code: &str, notice: Notice) -> Result<()> {
    // Users of the site and owners of its organization who want it, each once.
    const READERS: &str = "SELECT u.email, u.phone FROM users u WHERE u.deleted_at IS NULL AND EXISTS (\
        SELECT 1 FROM memberships m WHERE m.user_id = u.id AND m.deleted_at IS NULL AND m.status = 'Active' \
        AND m.receive_reservation_texts AND (m.site_id = $1 OR (m.role = 'Owner' AND m.organization_id = $2))) \
        ORDER BY u.id";
    let readers: Vec<Reader> = tx.query(READERS).bind(site.id).bind(site.organization_id).all().await?;
    let origin = app.settings.origins.first().map(String::as_str).unwrap_or_default();
    let link = format!("{origin}/reservations/{}", site.id);
    let sentence = notice.sentence();
    for reader in readers {
        if let Some(phone) = reader.phone {
            let body = format!("Berth: reservation {code} {sentence} {link}");
            outbox::put(app, tx, Message { channel: Channel::Sms, to: phone, subject: String::new(), body }).await?;
        }
        let subject = format!("{}: {code}", notice.subject());
        let body = format!(
            "Reservation {code} {sentence}\n\nOpen it here: {link}\n\n\
             This message names no guest and no service on purpose. You get it because your account in Berth is set to \
             receive messages about reservations; an admin of the site can change that.\n"
        );
        outbox::put(app, tx, Message { channel: Channel::Email, to: reader.email, subject, body }).await?;
    }
    Ok(())
}
