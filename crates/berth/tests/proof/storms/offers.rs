//! The waitlist: one bed is offered to one person at a time.

use berth_domain::id::BedId;
use serde_json::json;

use crate::client::Shot;
use crate::cluster::system;
use crate::storms::{Checked, Storm, command, id};
use crate::{steps, world};
impl Storm {
    /// An offered bed is taken and declined by several clients while another guest moves to it.
    pub(super) async fn answers_to_an_offer(&mut self) -> Checked {
        let beds = [world::BED_F, world::BED_G];
        let guests = self.guests(world::OPEN_DOOR, 0, 2).await;
        for (guest, bed) in guests.iter().zip(beds) {
            self.cluster.one(command(guest, "ACCEPTED", Some(bed))).await.expect(200);
        }
        let body = json!({"guest": steps::form(world::OPEN_DOOR, 2)});
        let wait = Shot::new("POST", format!("/api/Sites/{}/waitlist", world::OPEN_DOOR), world::ADMIN, body);
        let waiting = id(&self.cluster.one(wait).await.expect(201));
        self.cluster.one(command(&guests[0], "DISCHARGED", None)).await.expect(200);
        self.offer(&waiting, world::BED_F).await;
        let path = format!("/api/Waitlist/{waiting}");
        let take = || Shot::new("POST", format!("{path}/take"), world::ADMIN, json!({"version": 2}));
        let decline = || Shot::new("PATCH", path.clone(), world::ADMIN, json!({"command": "DECLINE", "version": 2}));
        let shots =
            [take(), decline(), command(&guests[1], "REASSIGNED", Some(world::BED_F)), take(), decline(), take()];
        let (_, answers) = self.storm(&shots).await?;
        let won = |numbers: &[usize]| numbers.iter().filter(|number| answers[**number].status < 300).count();
        let (taken, declined, moved) = (won(&[0, 3, 5]), won(&[1, 4]), won(&[2]));
        let leave = json!({"command": "LEAVE", "version": 3});
        self.cluster.fire(&[Shot::new("PATCH", path, world::ADMIN, leave)]).await;
        let all = self.active_at(world::OPEN_DOOR).await;
        self.clear(&all).await;
        let fits = taken + declined == 1 && moved <= declined && all.len() == 1 + taken;
        if fits { Ok(()) } else { Err(format!("{taken} taken, {declined} declined, {moved} moved; {all:?}")) }
    }

    /// Stores an open offer, as the job would once the bed has been free for ten seconds.
    async fn offer(&mut self, waiting: &str, bed: BedId) {
        const OFFER: &str = "INSERT INTO bed_offers (id, waiting_guest_id, site_id, bed_id, offered_at, expires_at) \
            SELECT w.id, w.id, w.site_id, $2, $3, $4 FROM waiting_guests w WHERE w.id = $1";
        const RAISE: &str = "UPDATE waiting_guests SET version = version + 1 WHERE id = $1";
        const COUNT: &str = "UPDATE site_counts SET offered = 1 WHERE site_id = $1";
        const TOUCH: &str = "UPDATE sites SET version = version WHERE id = $1";
        let (waiting, now): (uuid::Uuid, _) = (waiting.parse().unwrap(), system(&self.db).now());
        let mut tx = self.db.begin().await.unwrap();
        tx.query(TOUCH).bind(world::OPEN_DOOR).execute().await.unwrap();
        let offer = tx.query(OFFER).bind(waiting).bind(bed).bind(now).bind(now.plus_minutes(30));
        offer.execute().await.unwrap();
        tx.query(RAISE).bind(waiting).execute().await.unwrap();
        tx.query(COUNT).bind(world::OPEN_DOOR).execute().await.unwrap();
        tx.commit().await.unwrap();
    }
}
