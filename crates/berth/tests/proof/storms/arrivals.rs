//! A guest arrives, or does not, in the records of several people at once.

use serde_json::json;

use crate::client::{Answer, Shot};
use crate::storms::{Checked, Storm, command, exactly, undo};
use crate::world;

impl Storm {
    /// Asks for arrivals, or no longer. It is off in the other rounds.
    async fn ask_for_arrivals(&mut self, asks: bool) {
        let path = format!("/api/Sites/{}/arrivals", world::OPEN_DOOR);
        let shot = Shot::new("PUT", path, world::GLOBAL, json!({"asksArrival": asks}));
        self.cluster.one(shot).await.expect(204);
    }

    /// A guest for whom a bed is reserved, and another who is pending.
    async fn arriving_and_pending(&mut self) -> Vec<String> {
        self.ask_for_arrivals(true).await;
        let guests = self.guests(world::OPEN_DOOR, 0, 2).await;
        self.cluster.one(command(&guests[0], "ACCEPTED", Some(world::BED_F))).await.expect(200);
        guests
    }

    /// The guest arrives and does not arrive, the arrival is undone, and the bed is given to another guest.
    pub(super) async fn arrivals_against_no_shows(&mut self) -> Checked {
        let guests = self.arriving_and_pending().await;
        let first = |status: &str| command(&guests[0], status, None);
        let give = command(&guests[1], "ACCEPTED", Some(world::BED_F));
        let shots =
            [first("ARRIVED"), first("NO_SHOW"), give, first("NOT_ARRIVED"), first("NO_SHOW"), first("ARRIVED")];
        let (_, answers) = self.storm(&shots).await?;
        let [arrived, absent, given, undone] = [&[0, 5][..], &[1, 4], &[2], &[3]].map(|shots| won(&answers, shots));
        let now = self.cluster.one(Shot::get(format!("/api/Guests/{}", guests[0]), world::ADMIN)).await.expect(200);
        let has_bed = self.bed_of(&guests[1]).await == Some(world::BED_F);
        self.clear(&guests).await;
        self.ask_for_arrivals(false).await;
        let is_absent = now["noShowAt"].is_string() && now["status"] == "discharged" && now["isArriving"] == false;
        let is_there = now["status"] == "accepted" && now["isArriving"] == (arrived == undone);
        // Whoever has arrived, and whose arrival was not undone, cannot be a no-show.
        let fits = match absent {
            0 => is_there && arrived >= 1 && arrived - undone <= 1 && given == 0,
            1 => is_absent && arrived == undone,
            _ => false,
        };
        let told = format!("arrived {arrived}, undone {undone}, absent {absent}, given {given}: {now}");
        if fits && has_bed == (given == 1) { Ok(()) } else { Err(told) }
    }

    /// The bed of a guest who did not come is given to another guest while that is undone and the guest arrives.
    pub(super) async fn undo_of_a_no_show_against_accept(&mut self) -> Checked {
        let guests = self.arriving_and_pending().await;
        self.cluster.one(command(&guests[0], "NO_SHOW", None)).await.expect(200);
        let undo = || Shot { token: Some(world::ADMIN), ..undo(&guests[0], 3) };
        let arrive = || command(&guests[0], "ARRIVED", None);
        let shots = [undo(), arrive(), command(&guests[1], "ACCEPTED", Some(world::BED_F)), undo(), arrive(), undo()];
        let (_, answers) = self.storm(&shots).await?;
        let [undone, arrived, given] = [&[0, 3, 5][..], &[1, 4], &[2]].map(|shots| won(&answers, shots));
        let is_back = self.bed_of(&guests[0]).await == Some(world::BED_F);
        let is_given = self.bed_of(&guests[1]).await == Some(world::BED_F);
        self.clear(&guests).await;
        self.ask_for_arrivals(false).await;
        let fits = is_back == (undone == 1) && is_given == (given == 1) && arrived <= undone;
        if fits {
            exactly(undone + given, 1)
        } else {
            Err(format!("back: {is_back}, given: {is_given}, {arrived} arrived"))
        }
    }
}

fn won(answers: &[Answer], shots: &[usize]) -> usize {
    shots.iter().filter(|shot| answers[**shot].status == 200).count()
}
