//! Text messages about requested reservations: the code, or the reason why there is no reservation. They never name a
//! person, a site or a service: others may see the screen of the phone (42 CFR Part 2).

use berth_domain::locale::Locale;
use berth_domain::value::Phone;

use super::limits::{self, CODE_MINUTES};
use crate::Result;
use crate::change::Change;
use crate::integrations::outbox::{self, Channel, Message};
use crate::integrations::sms::stops;

/// Why a reservation was not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureReason {
    /// No bed is free any more.
    Full,
    /// Two reservations of this phone are active.
    TwoActive,
}

/// Puts the code of a request into the outbox.
pub(super) async fn send_code(change: &mut Change, language: Locale, phone: &Phone, code: &str) -> Result<()> {
    let body = match language {
        Locale::English => format!(
            "{code} is your Berth code for a reservation. It is valid for {CODE_MINUTES} minutes. If you did not ask for \
             it, ignore this text and do not share the code with anyone."
        ),
        Locale::Spanish => format!(
            "{code} es su código de Berth para una reserva. Sirve durante {CODE_MINUTES} minutos. Si no lo pidió, ignore \
             este mensaje y no diga el código a nadie."
        ),
    };
    let message = text(phone, body);
    let until = change.now.plus_minutes(CODE_MINUTES);
    outbox::put_until(&change.app, &mut change.tx, language, message, until).await
}

/// Puts the reason why a reservation was not made into the outbox: at most once an hour for each phone, and never if
/// the phone has opted out. `person` is the hash of the phone.
pub async fn send_failure(
    change: &mut Change,
    language: Locale,
    (phone, person): (&Phone, &str),
    reason: FailureReason,
) -> Result<()> {
    let Change { app, tx, now, .. } = change;
    if stops::has_stopped(tx, person).await? || !limits::may_send_failure(tx, person, *now).await? {
        return Ok(());
    }
    let body = match reason {
        FailureReason::Full => language.pick(
            "Berth: Your reservation was not made, because the site has no free beds left. Please choose another site.",
            "Berth: No se hizo su reserva porque ya no queda ninguna cama libre. Elija otro centro.",
        ),
        FailureReason::TwoActive => language.pick(
            "Berth: A reservation for this phone number was not made, because it already has two active reservations, \
             the most one person may have.",
            "Berth: No se hizo una reserva para este número porque ya tiene dos reservas activas, el máximo por persona.",
        ),
    };
    outbox::put_in(app, tx, language, text(phone, body.to_owned())).await
}

fn text(phone: &Phone, body: String) -> Message {
    Message { channel: Channel::Sms, to: phone.as_str().to_owned(), subject: String::new(), body }
}
