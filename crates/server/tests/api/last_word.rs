//! What the database itself refuses if a command ever gets past the touch and the rules: the unique indexes on open
//! stays are the last line of defense (I1, I2).

use berth_db::Error;
use berth_domain::id::BedId;
use uuid::Uuid;

use crate::harness::House;
use crate::steps::{add, command, id, place};
use crate::{both_engines, world};

/// Opens a stay directly in the database and rolls it back. Returns the name of the index that refused it, if any.
async fn refused_by(house: &House, guest: &str, bed: BedId) -> Option<String> {
    const STAY: &str = "INSERT INTO stays (id, site_id, guest_id, bed_id, started_at) VALUES ($1, $2, $3, $4, $5)";
    let mut tx = house.db().begin().await.unwrap();
    let guest: Uuid = guest.parse().unwrap();
    let stay = tx.query(STAY).bind(Uuid::from_u128(1)).bind(world::HARBOR_HOUSE).bind(guest).bind(bed);
    let outcome = stay.bind(house.app.now()).execute().await;
    tx.rollback().await.unwrap();
    match outcome {
        Ok(_) => None,
        Err(Error::Unique { constraint }) => Some(constraint),
        Err(error) => panic!("{error}"),
    }
}

both_engines! {
    async fn the_database_allows_one_guest_per_bed_and_one_bed_per_guest(house: House) {
        let one = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let two = id(&add(&house, world::HARBOR_HOUSE, 2).await);
        assert_eq!(refused_by(&house, &two, world::BED_A).await.as_deref(), Some("stays_bed_id_key"));
        assert_eq!(refused_by(&house, &one, world::BED_B).await.as_deref(), Some("stays_guest_id_key"));
        assert_eq!(refused_by(&house, &two, world::BED_B).await, None, "a free bed is free");
        command(&house, &one, "DISCHARGED", None).send().await.expect(200);
        assert_eq!(refused_by(&house, &two, world::BED_A).await, None, "an ended stay holds no bed");
    }
}
