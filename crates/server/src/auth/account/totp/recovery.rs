//! Recovery codes: ten a user, each good for one second factor, for whoever lost telephone and authenticator app.

use berth_db::Tx;
use berth_domain::id::UserId;
use uuid::Uuid;

use crate::auth::seal::Keys;
use crate::{App, Result};

/// Codes a user gets.
const COUNT: usize = 10;
/// Letters and digits that are not mistaken for one another.
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
/// Characters of a code, without the hyphens between its groups of four: 60 bits.
const LENGTH: usize = 12;

/// A new code, as "xxxx-xxxx-xxxx".
fn make(app: &App) -> String {
    let bytes = app.random::<LENGTH>();
    let letters: Vec<char> = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect();
    letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// A code as typed, without what people put between its groups; none if it is no recovery code.
pub(super) fn plain(typed: &str) -> Option<String> {
    let code: String = typed.chars().filter(|c| !c.is_whitespace() && *c != '-').collect::<String>().to_lowercase();
    let is_code = code.len() == LENGTH && code.bytes().all(|byte| ALPHABET.contains(&byte));
    is_code.then_some(code)
}

/// Makes ten new codes; the old ones are void.
pub(super) async fn renew(app: &App, tx: &mut Tx, keys: &Keys, user_id: UserId) -> Result<Vec<String>> {
    const INSERT: &str = "INSERT INTO recovery_codes (id, user_id, hash, created_at) VALUES ($1, $2, $3, $4)";
    remove(tx, user_id).await?;
    let mut codes = Vec::with_capacity(COUNT);
    while codes.len() < COUNT {
        let code = make(app);
        if codes.contains(&code) {
            continue;
        }
        let hash = keys.hash(user_id.0, &code.replace('-', ""));
        tx.query(INSERT).bind(app.id()).bind(user_id).bind(hash).bind(app.now()).execute().await?;
        codes.push(code);
    }
    Ok(codes)
}

/// Removes all codes of a user.
pub(super) async fn remove(tx: &mut Tx, user_id: UserId) -> Result<()> {
    const REMOVE: &str = "DELETE FROM recovery_codes WHERE user_id = $1";
    tx.query(REMOVE).bind(user_id).execute().await?;
    Ok(())
}

/// Uses a code up; false if it is none of the user's, or was used before.
pub(super) async fn spend(app: &App, tx: &mut Tx, keys: &Keys, user_id: UserId, code: &str) -> Result<bool> {
    const SPEND: &str = "UPDATE recovery_codes SET used_at = $2 WHERE user_id = $1 AND used_at IS NULL \
        AND hash IN ($3..) RETURNING id";
    let hashes = keys.hashes(user_id.0, code);
    let spent: Option<(Uuid,)> = tx.query(SPEND).bind(user_id).bind(app.now()).bind_list(hashes).optional().await?;
    Ok(spent.is_some())
}

/// How many codes are left.
pub(super) async fn left(tx: &mut Tx, user_id: UserId) -> Result<i64> {
    const LEFT: &str = "SELECT COUNT(*) FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL";
    Ok(tx.query(LEFT).bind(user_id).scalar().await?)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_code_is_taken_as_people_type_it() {
        assert_eq!(plain(" ABCD-efgh 2345 ").as_deref(), Some("abcdefgh2345"));
        for wrong in ["123456", "abcd-efgh", "abcd-efgh-23451", "abcd-efgh-234ö", ""] {
            assert_eq!(plain(wrong), None, "{wrong}");
        }
    }
}
