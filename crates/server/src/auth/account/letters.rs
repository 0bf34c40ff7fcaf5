//! What a user is told by mail about the own account, in the user's language. Each text stands once in English and once
//! in Spanish, side by side.

use berth_db::Tx;
use berth_domain::id::UserId;
use berth_domain::locale::Locale;

use crate::integrations::outbox::{self, Channel, Message};
use crate::{App, Result};

/// What there is to tell.
#[derive(Debug, Clone, Copy)]
pub enum Letter<'a> {
    /// A link that sets a new password, good for some minutes.
    Reset { link: &'a str, minutes: i64 },
    /// A link that confirms a new address, good for some minutes.
    ConfirmEmail { link: &'a str, minutes: i64 },
    /// To the old address: there is a new one; a link takes the change back, for some hours.
    EmailChanged { link: &'a str, hours: i64 },
    /// To the address that is no longer the account's, since the change to it was taken back.
    EmailTakenBack,
    /// The password is another one.
    PasswordChanged,
    /// Codes go to another telephone, shown masked.
    PhoneChanged { phone: &'a str },
    /// The profile is gone.
    ProfileDeleted,
    /// An authenticator app was set up.
    AuthenticatorOn,
    /// The authenticator app was turned off.
    AuthenticatorOff,
    /// There are new recovery codes.
    RecoveryCodesRenewed,
    /// A recovery code was used; so many are left.
    RecoveryCodeUsed { left: i64 },
}

impl Letter<'_> {
    /// Subject and text.
    fn words(self, language: Locale) -> (&'static str, String) {
        let spanish = language == Locale::Spanish;
        let subject = match self {
            Self::Reset { .. } => language.pick("Restore access to Berth", "Recupere el acceso a Berth"),
            Self::ConfirmEmail { .. } => language.pick("Confirm your new email", "Confirme su nuevo correo"),
            Self::EmailChanged { .. } => {
                language.pick("Your Berth email was changed", "Su correo de Berth ha cambiado")
            }
            Self::EmailTakenBack => language.pick("An email change was undone", "Se ha deshecho un cambio de correo"),
            Self::PasswordChanged => {
                language.pick("Your Berth password was changed", "Su contraseña de Berth ha cambiado")
            }
            Self::PhoneChanged { .. } => {
                language.pick("Your Berth phone was changed", "Su teléfono de Berth ha cambiado")
            }
            Self::ProfileDeleted => {
                language.pick("Your Berth profile was deleted", "Su perfil de Berth ha sido eliminado")
            }
            Self::AuthenticatorOn => {
                language.pick("An authenticator app was set up", "Se ha configurado una aplicación de autenticación")
            }
            Self::AuthenticatorOff => language
                .pick("Your authenticator app was turned off", "Se ha desactivado su aplicación de autenticación"),
            Self::RecoveryCodesRenewed => {
                language.pick("You have new recovery codes", "Tiene nuevos códigos de recuperación")
            }
            Self::RecoveryCodeUsed { .. } => {
                language.pick("A recovery code was used", "Se ha usado un código de recuperación")
            }
        };
        let body = match self {
            Self::Reset { link, minutes } if spanish => format!(
                "Alguien, probablemente usted, ha pedido una nueva contraseña para esta dirección.\n\n\
                 Elegir una nueva contraseña:\n{link}\n\nEl enlace sirve una sola vez, durante {minutes} minutos. Si no \
                 fue usted, no haga nada: su contraseña no cambia."
            ),
            Self::Reset { link, minutes } => format!(
                "Someone, probably you, asked for a new password for this address.\n\nSet a new password:\n{link}\n\n\
                 The link works once, for {minutes} minutes. If it was not you, do nothing: your password stays as it is."
            ),
            Self::ConfirmEmail { link, minutes } if spanish => format!(
                "Alguien, probablemente usted, quiere usar esta dirección para una cuenta de Berth.\n\nConfirmar la dirección:\n{link}\n\nEl enlace sirve \
                 una sola vez, durante {minutes} minutos. Si no fue usted, no haga nada."
            ),
            Self::ConfirmEmail { link, minutes } => format!(
                "Someone, probably you, wants to use this address for a Berth account.\n\nConfirm the address:\n{link}\n\nThe link works \
                 once, for {minutes} minutes. If it was not you, do nothing."
            ),
            Self::EmailChanged { link, hours } if spanish => format!(
                "Su cuenta de Berth tiene ahora otro correo. Ya no puede iniciar sesión con esta dirección.\n\nSi no fue usted, \
                 recupere esta dirección:\n{link}\n\nEl enlace sirve una sola vez, durante {hours} horas, y cierra todas \
                 las sesiones de la cuenta."
            ),
            Self::EmailChanged { link, hours } => format!(
                "Your Berth account now has another email. You can no longer sign in with this address.\n\nIf it was not you, take \
                 this address back:\n{link}\n\nThe link works once, for {hours} hours, and signs the account out \
                 everywhere."
            ),
            Self::EmailTakenBack => told(
                language,
                "The change of a Berth account to this email was undone from its earlier address. You can no longer sign in \
                 with this address.",
                "Se ha deshecho, desde la dirección anterior, el cambio de una cuenta de Berth a este correo. Ya no puede \
                 iniciar sesión con esta dirección.",
            ),
            Self::PasswordChanged => language
                .pick(
                    "The password of your Berth account was changed just now. If it was not you, restore access from \
                     the sign-in page at once and contact support.",
                    "La contraseña de su cuenta de Berth acaba de cambiar. Si no fue usted, recupere el acceso desde la \
                     página de inicio de sesión y avise a soporte.",
                )
                .to_owned(),
            Self::PhoneChanged { phone } => told(
                language,
                &format!("Codes for your Berth account now go to {phone}."),
                &format!("Los códigos de su cuenta de Berth llegan ahora al {phone}."),
            ),
            Self::ProfileDeleted => told(
                language,
                "Your Berth profile was deleted just now.",
                "Su perfil de Berth acaba de ser eliminado.",
            ),
            Self::AuthenticatorOn => told(
                language,
                "You can now sign in to Berth with codes from an authenticator app. Codes by text message still work.",
                "Ahora puede iniciar sesión en Berth con códigos de una aplicación de autenticación. Los códigos por mensaje de \
                 texto siguen funcionando.",
            ),
            Self::AuthenticatorOff => told(
                language,
                "You can no longer sign in to Berth with codes from an authenticator app. Your recovery codes no longer work.",
                "Ya no puede iniciar sesión en Berth con códigos de una aplicación de autenticación. Sus códigos de \
                 recuperación ya no sirven.",
            ),
            Self::RecoveryCodesRenewed => told(
                language,
                "New recovery codes were created for your Berth account. The old ones no longer work.",
                "Se han creado nuevos códigos de recuperación para su cuenta de Berth. Los anteriores ya no sirven.",
            ),
            Self::RecoveryCodeUsed { left } => told(
                language,
                &format!("Someone, probably you, signed in to Berth with a recovery code. Codes left: {left}."),
                &format!("Alguien, probablemente usted, ha iniciado sesión en Berth con un código de recuperación. \
                          Códigos que quedan: {left}."),
            ),
        };
        (subject, body)
    }
}

/// A sentence and what to do if it was somebody else.
fn told(language: Locale, english: &str, spanish: &str) -> String {
    let otherwise =
        language.pick("If it was not you, contact support at once.", "Si no fue usted, avise a soporte enseguida.");
    format!("{} {otherwise}", language.pick(english, spanish))
}

/// Writes a letter to a user into the outbox; to another address than the user's if `to` says so.
pub async fn send(app: &App, tx: &mut Tx, user_id: UserId, to: Option<&str>, letter: Letter<'_>) -> Result<()> {
    const WHO: &str = "SELECT email, language FROM users WHERE id = $1";
    let (email, language): (String, Locale) = tx.query(WHO).bind(user_id).one().await?;
    let (subject, body) = letter.words(language);
    let to = to.map_or(email, str::to_owned);
    outbox::put_in(app, tx, language, Message { channel: Channel::Email, to, subject: subject.to_owned(), body }).await
}
