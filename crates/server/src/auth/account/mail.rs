//! Emails to users about their own account, in the user's language: each text in English and in Spanish, side by side.

use berth_domain::id::UserId;
use berth_domain::locale::Locale;

use crate::Result;
use crate::change::Change;
use crate::integrations::outbox::{self, Channel, Message};

/// An email about an account.
#[derive(Debug, Clone, Copy)]
pub enum Mail<'a> {
    /// A link to set a new password, valid for some minutes.
    Reset { link: &'a str, minutes: i64 },
    /// A link to confirm a new address, valid for some minutes.
    ConfirmEmail { link: &'a str, minutes: i64 },
    /// To the old address: the address was changed, and a link undoes that, valid for some hours.
    EmailChanged { link: &'a str, hours: i64 },
    /// To the address of a change that was undone.
    EmailChangeUndone,
    /// The password was changed.
    PasswordChanged,
    /// Codes go to another phone, which is shown masked.
    PhoneChanged { phone: &'a str },
    /// The profile was deleted.
    ProfileDeleted,
    /// An authenticator app was set up.
    AuthenticatorOn,
    /// The authenticator app was turned off.
    AuthenticatorOff,
    /// New recovery codes were created.
    RecoveryCodesReplaced,
    /// A recovery code was used; `left` are unused.
    RecoveryCodeUsed { left: i64 },
}

impl Mail<'_> {
    /// Returns the subject and the text.
    fn text(self, language: Locale) -> (&'static str, String) {
        let spanish = language == Locale::Spanish;
        let subject = match self {
            Self::Reset { .. } => language.pick("Restore access to Berth", "Recupere el acceso a Berth"),
            Self::ConfirmEmail { .. } => language.pick("Confirm your new email", "Confirme su nuevo correo"),
            Self::EmailChanged { .. } => {
                language.pick("Your Berth email was changed", "Su correo de Berth ha cambiado")
            }
            Self::EmailChangeUndone => {
                language.pick("An email change was undone", "Se ha deshecho un cambio de correo")
            }
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
            Self::RecoveryCodesReplaced => {
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
            Self::EmailChangeUndone => with_warning(
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
            Self::PhoneChanged { phone } => with_warning(
                language,
                &format!("Codes for your Berth account now go to {phone}."),
                &format!("Los códigos de su cuenta de Berth llegan ahora al {phone}."),
            ),
            Self::ProfileDeleted => with_warning(
                language,
                "Your Berth profile was deleted just now.",
                "Su perfil de Berth acaba de ser eliminado.",
            ),
            Self::AuthenticatorOn => with_warning(
                language,
                "You can now sign in to Berth with codes from an authenticator app. Codes by text message still work.",
                "Ahora puede iniciar sesión en Berth con códigos de una aplicación de autenticación. Los códigos por mensaje de \
                 texto siguen funcionando.",
            ),
            Self::AuthenticatorOff => with_warning(
                language,
                "You can no longer sign in to Berth with codes from an authenticator app. Your recovery codes no longer work.",
                "Ya no puede iniciar sesión en Berth con códigos de una aplicación de autenticación. Sus códigos de \
                 recuperación ya no sirven.",
            ),
            Self::RecoveryCodesReplaced => with_warning(
                language,
                "New recovery codes were created for your Berth account. The old ones no longer work.",
                "Se han creado nuevos códigos de recuperación para su cuenta de Berth. Los anteriores ya no sirven.",
            ),
            Self::RecoveryCodeUsed { left } => with_warning(
                language,
                &format!("Someone, probably you, signed in to Berth with a recovery code. Codes left: {left}."),
                &format!("Alguien, probablemente usted, ha iniciado sesión en Berth con un código de recuperación. \
                          Códigos que quedan: {left}."),
            ),
        };
        (subject, body)
    }
}

/// Returns a sentence and what to do if someone else did it.
fn with_warning(language: Locale, english: &str, spanish: &str) -> String {
    let warning =
        language.pick("If it was not you, contact support at once.", "Si no fue usted, avise a soporte enseguida.");
    format!("{} {warning}", language.pick(english, spanish))
}

/// Queues an email to a user, or to another address than the user's in `to`.
pub async fn send(change: &mut Change, user_id: UserId, to: Option<&str>, mail: Mail<'_>) -> Result<()> {
    const USER: &str = "SELECT email, language FROM users WHERE id = $1";
    let (email, language): (String, Locale) = change.tx.query(USER).bind(user_id).one().await?;
    let (subject, body) = mail.text(language);
    let to = to.map_or(email, str::to_owned);
    let message = Message { channel: Channel::Email, to, subject: subject.to_owned(), body };
    outbox::put_in(&change.app, &mut change.tx, language, message).await
}
