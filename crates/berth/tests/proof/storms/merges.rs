//! Two reservations of one person are merged, or a merge is undone.

use serde_json::json;

use crate::client::Shot;
use crate::storms::{Checked, Storm, add, command, exactly, merge};
use crate::world;
impl Storm {
    /// Two reservations are merged into each other, both ways, while both are accepted.
    pub(super) async fn merges_against_accepts(&mut self) -> Checked {
        let guests = self.guests(world::HARBOR_HOUSE, 0, 2).await;
        let [one, other] = [&guests[0], &guests[1]];
        let accept = |number: usize| command(&guests[number], "ACCEPTED", Some(self.cluster.beds[number]));
        let shots = [merge(one, other), accept(0), merge(other, one), merge(one, other), accept(1), merge(other, one)];
        let (_, answers) = self.storm(&shots).await?;
        let won = |number: usize| answers[number].status == 200;
        let merged = [0, 2, 3, 5].into_iter().filter(|number| won(*number)).count();
        let accepted = [1, 4].into_iter().filter(|number| won(*number)).count();
        let mut in_bed = 0;
        let mut closed = 0;
        for guest in &guests {
            let now = self.cluster.one(Shot::get(format!("/api/Guests/{guest}"), world::ADMIN)).await.expect(200);
            closed += usize::from(now["mergedAt"].is_string() && now["status"] == "rejected");
            in_bed += usize::from(now["status"] == "accepted" && now["mergedAt"].is_null());
        }
        self.clear(&guests).await;
        let fits = (in_bed, closed) == (accepted, merged) && merged <= 1 && merged + accepted == 2;
        if fits {
            Ok(())
        } else {
            Err(format!("{merged} merged, {accepted} accepted; {closed} closed, {in_bed} in bed"))
        }
    }

    /// A merge is undone repeatedly while others reserve the only bed that is left.
    pub(super) async fn undo_of_a_merge_against_reservations(&mut self) -> Checked {
        let guests = self.guests(world::OPEN_DOOR, 0, 2).await;
        self.cluster.one(merge(&guests[0], &guests[1])).await.expect(200);
        let path = format!("/api/Guests/{}/unmerge", guests[1]);
        let undo = || Shot::new("POST", path.clone(), world::ADMIN, json!({"version": 2}));
        let mut shots = vec![undo(), undo(), undo()];
        shots.extend((2..6).map(|number| add(world::OPEN_DOOR, number)));
        let (won, _) = self.storm(&shots).await?;
        let all = self.active_at(world::OPEN_DOOR).await;
        self.clear(&all).await;
        exactly(won, 1)
    }
}
