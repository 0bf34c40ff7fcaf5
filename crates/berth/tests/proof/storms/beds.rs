//! Several guests and the same bed, or several beds and the same guest.

use crate::client::Shot;
use crate::cluster::BEDS;
use crate::storms::{Checked, Storm, command, exactly};
use crate::world;
impl Storm {
    pub(super) async fn many_guests_one_bed(&mut self) -> Checked {
        let count = [4, 8, 20, 50][self.dice.index(4)];
        let bed = self.cluster.beds[self.dice.index(BEDS)];
        let guests = self.guests(world::HARBOR_HOUSE, 0, count).await;
        let shots: Vec<Shot> = guests.iter().map(|guest| command(guest, "ACCEPTED", Some(bed))).collect();
        let (won, answers) = self.storm(&shots).await?;
        self.clear(&guests).await;
        for loser in answers.iter().filter(|answer| answer.status == 409).map(|answer| &answer.body) {
            if loser["code"] != "bed-taken" || loser["guest"]["status"] != "pending" || loser["nextFreeBed"].is_null() {
                return Err(format!("a loser is not told which bed is next: {loser}"));
            }
        }
        exactly(won, 1)
    }

    pub(super) async fn one_guest_many_beds(&mut self) -> Checked {
        let guest = self.guests(world::HARBOR_HOUSE, 0, 1).await;
        let shots: Vec<Shot> =
            (0..8).map(|number| command(&guest[0], "ACCEPTED", Some(self.cluster.beds[number % 4]))).collect();
        let (won, _) = self.storm(&shots).await?;
        self.clear(&guest).await;
        exactly(won, 1)
    }

    pub(super) async fn movers_to_one_bed(&mut self) -> Checked {
        let beds = self.cluster.beds[..4].to_vec();
        let guests = self.housed(0, &beds[..3]).await;
        let shots: Vec<Shot> = guests.iter().map(|guest| command(guest, "REASSIGNED", Some(beds[3]))).collect();
        let (won, _) = self.storm(&shots).await?;
        self.clear(&guests).await;
        exactly(won, 1)
    }

    /// A and B, B and C; or all three in a circle, each command from several clients.
    pub(super) async fn swaps(&mut self, circle: bool) -> Checked {
        let beds = self.cluster.beds[..3].to_vec();
        let guests = self.housed(0, &beds).await;
        let count = if circle { 9 } else { 2 };
        let shots: Vec<Shot> =
            (0..count).map(|number| command(&guests[number % 3], "SWAP", Some(beds[(number % 3 + 1) % 3]))).collect();
        let (won, _) = self.storm(&shots).await?;
        let mut after = Vec::new();
        for guest in &guests {
            after.extend(self.bed_of(guest).await);
        }
        self.clear(&guests).await;
        let mut kept = beds;
        kept.sort_unstable();
        after.sort_unstable();
        if after == kept && won >= 1 { Ok(()) } else { Err(format!("{won} swaps: {kept:?} became {after:?}")) }
    }

    pub(super) async fn discharge_against_swap(&mut self) -> Checked {
        let beds = self.cluster.beds[..2].to_vec();
        let guests = self.housed(0, &beds).await;
        let shots = [command(&guests[0], "DISCHARGED", None), command(&guests[1], "SWAP", Some(beds[0]))];
        let (_, answers) = self.storm(&shots).await?;
        let stays = self.bed_of(&guests[1]).await;
        self.clear(&guests).await;
        let wanted = Some(if answers[1].status == 200 { beds[0] } else { beds[1] });
        let left = answers[0].status == 200;
        if left && stays == wanted { Ok(()) } else { Err(format!("left: {left}, in {stays:?} and not {wanted:?}")) }
    }
}
