//! Recovery codes: ten for each user, each usable once as a second factor, for users who lost phone and authenticator app.

use berth_db::Tx;
use berth_domain::id::UserId;
use uuid::Uuid;

use crate::auth::seal::Keys;
use crate::change::Change;
use crate::{App, Result};

/// Number of codes for each user.
const COUNT: usize = 10;
/// Letters and digits without those that look alike.
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
/// Characters of a code without its hyphens: 60 bits.
const LENGTH: usize = 12;

/// Generates a code such as "xxxx-xxxx-xxxx".
fn generate(app: &App) -> String {
    let bytes = app.random::<LENGTH>();
    let letters: Vec<char> = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect();
    letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// Parses a typed code, with or without hyphens and spaces. Returns `None` if it is not a recovery code.
pub(super) fn parse(typed: &str) -> Option<String> {
    let code: String = typed.chars().filter(|c| !c.is_whitespace() && *c != '-').collect::<String>().to_lowercase();
    let is_code = code.len() == LENGTH && code.bytes().all(|byte| ALPHABET.contains(&byte));
    is_code.then_some(code)
}

/// Creates ten codes, which replace the old ones.
pub(super) async fn replace(change: &mut Change, keys: &Keys, user_id: UserId) -> Result<Vec<String>> {
    const INSERT: &str = "INSERT INTO recovery_codes (id, user_id, hash, created_at) VALUES ($1, $2, $3, $4)";
    let (app, tx) = (&change.app, &mut change.tx);
    remove_all(tx, user_id).await?;
    let mut codes = Vec::with_capacity(COUNT);
    while codes.len() < COUNT {
        let code = generate(app);
        if codes.contains(&code) {
            continue;
        }
        let hash = keys.hash(user_id.0, &code.replace('-', ""));
        tx.query(INSERT).bind(app.id()).bind(user_id).bind(hash).bind(change.now).execute().await?;
        codes.push(code);
    }
    Ok(codes)
}

/// Removes all codes of a user.
pub(super) async fn remove_all(tx: &mut Tx, user_id: UserId) -> Result<()> {
    const REMOVE: &str = "DELETE FROM recovery_codes WHERE user_id = $1";
    tx.query(REMOVE).bind(user_id).execute().await?;
    Ok(())
}

/// Uses a code up. Returns false if the user has no such code, or it was used before.
pub(super) async fn use_up(change: &mut Change, keys: &Keys, user_id: UserId, code: &str) -> Result<bool> {
    const USE: &str = "UPDATE recovery_codes SET used_at = $2 WHERE user_id = $1 AND used_at IS NULL \
        AND hash IN ($3..) RETURNING id";
    let hashes = keys.hashes(user_id.0, code);
    let used = change.tx.query(USE).bind(user_id).bind(change.now).bind_list(hashes);
    Ok(used.optional::<(Uuid,)>().await?.is_some())
}

/// Returns the number of unused codes.
pub(super) async fn count_unused(tx: &mut Tx, user_id: UserId) -> Result<i64> {
    const COUNT_UNUSED: &str = "SELECT COUNT(*) FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL";
    Ok(tx.query(COUNT_UNUSED).bind(user_id).scalar().await?)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_code_is_parsed_as_people_type_it() {
        assert_eq!(parse(" ABCD-efgh 2345 ").as_deref(), Some("abcdefgh2345"));
        for wrong in ["123456", "abcd-efgh", "abcd-efgh-23451", "abcd-efgh-234ö", ""] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
