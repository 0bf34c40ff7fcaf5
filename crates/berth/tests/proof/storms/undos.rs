//! Decisions are undone while others change what they led to.

use crate::client::Shot;
use crate::cluster::BEDS;
use crate::storms::{Checked, Storm, add, command, exactly, undo};
use crate::world;
impl Storm {
    /// The bed of a discharged guest is given to another guest while four admins undo the discharge.
    pub(super) async fn undo_against_accept(&mut self) -> Checked {
        let bed = self.cluster.beds[self.dice.index(BEDS)];
        let left = self.housed(0, &[bed]).await;
        self.cluster.one(command(&left[0], "DISCHARGED", None)).await.expect(200);
        let waits = self.guests(world::HARBOR_HOUSE, 1, 1).await;
        let undo = || Shot { token: Some(world::ADMIN), ..undo(&left[0], 3) };
        let shots = [undo(), command(&waits[0], "ACCEPTED", Some(bed)), undo(), undo(), undo()];
        let (won, answers) = self.storm(&shots).await?;
        let is_back = self.bed_of(&left[0]).await == Some(bed);
        let is_given = self.bed_of(&waits[0]).await == Some(bed);
        self.clear(&[left, waits].concat()).await;
        let fits = is_back != is_given && is_given == (answers[1].status == 200);
        if fits { exactly(won, 1) } else { Err(format!("back: {is_back}, given to another: {is_given}")) }
    }

    /// An accept is undone repeatedly while the guest is moved and discharged and another guest is accepted into the same bed.
    pub(super) async fn undo_of_an_accept_against_everything(&mut self) -> Checked {
        let (bed, other) = (self.cluster.beds[0], self.cluster.beds[1]);
        let guests = self.guests(world::HARBOR_HOUSE, 0, 2).await;
        self.cluster.one(command(&guests[0], "ACCEPTED", Some(bed))).await.expect(200);
        let undo = || undo(&guests[0], 2);
        let shots = [
            undo(),
            command(&guests[0], "REASSIGNED", Some(other)),
            undo(),
            command(&guests[1], "ACCEPTED", Some(bed)),
            command(&guests[0], "DISCHARGED", None),
            undo(),
        ];
        let (_, answers) = self.storm(&shots).await?;
        let undone = [0, 2, 5].into_iter().filter(|shot| answers[*shot].status == 200).count();
        let [moved, given, left] = [1, 3, 4].map(|shot| answers[shot].status == 200);
        let first = self.cluster.one(Shot::get(format!("/api/Guests/{}", guests[0]), world::ADMIN)).await.expect(200);
        let has_bed = self.bed_of(&guests[1]).await == Some(bed);
        self.clear(&guests).await;
        // A later change than the accept is not undone.
        let ends = match first["status"].as_str() {
            Some("pending") => undone == 1 && !moved && !left,
            Some("accepted" | "reassigned" | "discharged") => undone == 0,
            _ => false,
        };
        let fits = ends && has_bed == given && (!given || undone > 0 || moved || left);
        if fits { Ok(()) } else { Err(format!("{undone} undone, moved {moved}, given {given}, left {left}: {first}")) }
    }

    /// Declines are undone while others reserve the remaining beds.
    pub(super) async fn undo_of_declines_against_reservations(&mut self) -> Checked {
        let declined = self.guests(world::OPEN_DOOR, 0, 2).await;
        let decline: Vec<Shot> = declined.iter().map(|guest| command(guest, "REJECTED", None)).collect();
        self.cluster.fire(&decline).await;
        let undo = |guest: &String| Shot { token: Some(world::ADMIN), ..undo(guest, 2) };
        let mut shots: Vec<Shot> = declined.iter().chain(&declined).map(undo).collect();
        shots.extend((2..6).map(|number| add(world::OPEN_DOOR, number)));
        let (won, _) = self.storm(&shots).await?;
        let all = self.active_at(world::OPEN_DOOR).await;
        self.clear(&all).await;
        exactly(won, 2)
    }
}
