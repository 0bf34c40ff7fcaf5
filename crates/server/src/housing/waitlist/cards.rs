//! The insurance card of a person on the waitlist. Its pictures are claimed when the form is stored, as those of a guest are, and then
//! belong to the person until the guest has them or nobody needs them.

use berth_db::Tx;
use berth_domain::id::{UserId, WaitingGuestId};
use berth_domain::new_guest::{NewGuest, NewGuestForm};
use berth_domain::time::Timestamp;

use crate::Result;
use crate::integrations::files;

/// The paths of the two sides of an insurance card.
#[derive(Debug, Clone, Default, PartialEq, Eq, berth_db::FromRow)]
pub(super) struct Cards {
    pub insurance_card_front: Option<String>,
    pub insurance_card_back: Option<String>,
}

impl Cards {
    /// Returns the card that was sent with a form.
    pub fn of(guest: &NewGuest) -> Self {
        Self {
            insurance_card_front: guest.insurance_card_front.clone(),
            insurance_card_back: guest.insurance_card_back.clone(),
        }
    }

    /// Returns the form with this card. A stored form has none.
    pub fn added_to(&self, form: NewGuestForm) -> NewGuestForm {
        let Self { insurance_card_front, insurance_card_back } = self.clone();
        NewGuestForm { insurance_card_front, insurance_card_back, ..form }
    }

    /// Claims the pictures for the person. Those that the person has already stay, whoever uploaded them.
    ///
    /// # Errors
    /// 422 at the side's field of the body.
    pub async fn claim(&self, tx: &mut Tx, owner: UserId, before: &Self, now: Timestamp) -> Result<()> {
        let sides = [
            ("/guest/insuranceCardFront", &self.insurance_card_front),
            ("/guest/insuranceCardBack", &self.insurance_card_back),
        ];
        for (pointer, path) in sides {
            let is_known = before.insurance_card_front == *path || before.insurance_card_back == *path;
            let new = path.as_deref().filter(|_| !is_known);
            files::claim_card(tx, owner, pointer, new, now).await?;
        }
        Ok(())
    }

    /// Loads the card of a person.
    pub async fn load(tx: &mut Tx, person: WaitingGuestId) -> Result<Self> {
        const CARDS: &str = "SELECT insurance_card_front, insurance_card_back FROM waiting_guests WHERE id = $1";
        Ok(tx.query(CARDS).bind(person).one().await?)
    }

    /// Gives up the pictures that are not in `after`, the card that the person has now.
    pub async fn give_up(&self, tx: &mut Tx, after: &Self, now: Timestamp) -> Result<()> {
        let lost: Vec<&str> = self.sides().filter(|path| after.sides().all(|kept| kept != *path)).collect();
        files::give_up(tx, &lost, now).await
    }

    fn sides(&self) -> impl Iterator<Item = &str> {
        [&self.insurance_card_front, &self.insurance_card_back].into_iter().filter_map(Option::as_deref)
    }
}
