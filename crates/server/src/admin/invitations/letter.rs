//! The email of an invitation: with a one-time link for a person without a password, otherwise with a link to the page where
//! it is accepted or declined.

use berth_db::Tx;
use berth_domain::id::MembershipId;
use berth_domain::locale::Locale;
use berth_domain::role::Role;

use super::{LINK_DAYS, Person};
use crate::auth::links::Target;
use crate::auth::sessions;
use crate::auth::tokens::{self, Kind};
use crate::integrations::outbox::{self, Channel, Message};
use crate::{App, Result};

/// Role and place of a membership.
#[derive(berth_db::FromRow)]
struct Place {
    role: Role,
    organization_name: Option<String>,
    site_name: Option<String>,
}

/// Queues the email. Earlier links of the same membership expire.
pub(super) async fn send(
    app: &App,
    tx: &mut Tx,
    person: &Person,
    membership_id: MembershipId,
    callback: &Target,
) -> Result<()> {
    const PLACE: &str = "SELECT m.role, o.name AS organization_name, s.name AS site_name FROM memberships m \
        LEFT JOIN sites s ON s.id = m.site_id \
        LEFT JOIN organizations o ON o.id = COALESCE(m.organization_id, s.organization_id) WHERE m.id = $1";
    const RETIRE: &str = "UPDATE secrets SET expires_at = $3 WHERE user_id = $1 AND kind = 'invitation' \
        AND used_at IS NULL AND expires_at > $3 AND detail LIKE $2";
    const DETAIL: &str = "UPDATE secrets SET detail = $2 WHERE hash = $1";
    let place: Place = tx.query(PLACE).bind(membership_id).one().await?;
    let now = app.now();
    let link = if person.has_password {
        callback.page("/invitations")
    } else {
        tx.query(RETIRE).bind(person.id).bind(format!("{membership_id} %")).bind(now).execute().await?;
        let ends = now.plus_days(LINK_DAYS);
        let secret = sessions::issue(app, tx, Kind::Invitation, person.id, None, ends).await?;
        let detail = format!("{membership_id} {}", callback.origin());
        tx.query(DETAIL).bind(tokens::hash(&secret)).bind(detail).execute().await?;
        callback.with_hash(&secret)
    };
    let (subject, body) = render(person, &place, &link);
    let message = Message { channel: Channel::Email, to: person.email.clone(), subject, body };
    outbox::put_in(app, tx, person.language, message).await
}

/// Returns the subject and the text.
fn render(person: &Person, place: &Place, link: &str) -> (String, String) {
    let language = person.language;
    let role = role_name(place.role, language);
    let at = match (&place.site_name, &place.organization_name) {
        (Some(site), Some(organization)) => format!("{site} ({organization})"),
        (None, Some(name)) | (Some(name), None) => name.clone(),
        (None, None) => "Berth".to_owned(),
    };
    // Names stored before they were validated may contain line breaks.
    let at = outbox::quoted(&at);
    let subject = match language {
        Locale::English => format!("You are invited to {at}"),
        Locale::Spanish => format!("Tiene una invitación de {at}"),
    };
    let body = match (language, person.has_password) {
        (Locale::English, false) => format!(
            "You have been invited to {at} as {role}. Berth is where its beds and reservations are managed.\n\n\
             Accept the invitation:\n{link}\n\n\
             The link works for {LINK_DAYS} days, until you have chosen a password. Then you confirm your phone.\n\n\
             If you do not know why you got this, do nothing."
        ),
        (Locale::English, true) => format!(
            "You have been invited to {at} as {role}. You already have a Berth account: sign in with it to accept or \
             decline.\n\nAnswer the invitation:\n{link}\n\nIf you do not know why you got this, do nothing or decline."
        ),
        (Locale::Spanish, false) => format!(
            "Le han invitado a {at} como {role}. En Berth se gestionan sus camas y reservas.\n\n\
             Aceptar la invitación:\n{link}\n\n\
             El enlace sirve durante {LINK_DAYS} días, hasta que haya elegido una contraseña. Después confirmará su teléfono.\n\n\
             Si no sabe por qué recibe este mensaje, no haga nada."
        ),
        (Locale::Spanish, true) => format!(
            "Le han invitado a {at} como {role}. Ya tiene una cuenta en Berth: inicie sesión con ella para aceptar o \
             rechazar.\n\nResponder a la invitación:\n{link}\n\nSi no sabe por qué recibe este mensaje, no haga nada o \
             rechácela."
        ),
    };
    (subject, body)
}

/// Returns the name of a role in a language.
fn role_name(role: Role, language: Locale) -> &'static str {
    match role {
        Role::GlobalAdmin => language.pick("global admin", "administrador global"),
        Role::Owner => language.pick("owner", "propietario"),
        Role::Admin => language.pick("admin", "administrador"),
        Role::Intake => language.pick("intake", "admisión"),
        Role::Staff => language.pick("staff", "personal"),
    }
}
