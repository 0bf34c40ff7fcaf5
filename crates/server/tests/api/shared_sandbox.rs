//! Without Stripe keys, the state of the payment sandbox is in the database, and all nodes share it.

use berth_server::billing::payments::Payments;
use berth_server::settings::Settings;
use berth_stripe::NewCustomer;
use futures_util::future::join_all;

use crate::both_engines;
use crate::harness::House;

/// The payments of a node. `data` is its data folder.
fn node(house: &House, data: &std::path::Path) -> Payments {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let settings = Settings { data: data.to_owned(), ..Settings::default() }.checked().unwrap();
    Payments::new(&settings, house.db(), &[])
}

async fn customer(node: &Payments, number: usize) -> String {
    let (name, key) = (format!("Customer {number}"), format!("customer-{number}"));
    let new = NewCustomer { email: "a@test.example", name: &name, organization_id: "o-1" };
    node.client().await.unwrap().create_customer(&new, &key).await.unwrap().id
}

both_engines! {
    async fn a_change_of_the_sandbox_is_seen_by_other_nodes(house: House) {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (node(&house, folder.path()), node(&house, folder.path()));
        let made = customer(&one, 1).await;
        assert_eq!(two.client().await.unwrap().customer(&made).await.unwrap().id, made);
        assert_eq!(customer(&two, 1).await, made, "a repeated call is the same call on another node");
        two.client().await.unwrap().delete_customer(&made).await.unwrap();
        assert!(one.client().await.unwrap().customer(&made).await.unwrap().deleted);
        assert_eq!(house.db().query("SELECT COUNT(*) FROM payment_sandbox").scalar::<i64>().await.unwrap(), 1);
    }

    /// Race: of two concurrent changes, the second starts from the result of the first, so that none is lost.
    async fn concurrent_changes_of_two_nodes_are_all_kept(house: House) {
        let folder = tempfile::tempdir().unwrap();
        let nodes = [node(&house, folder.path()), node(&house, folder.path())];
        let made = join_all((0..20).map(|number| customer(&nodes[number % 2], number))).await;
        let third = node(&house, folder.path());
        for id in &made {
            assert!(!third.client().await.unwrap().customer(id).await.unwrap().deleted);
        }
    }

    async fn a_sandbox_state_in_a_file_moves_into_the_database(house: House) {
        let folder = tempfile::tempdir().unwrap();
        let kept = customer(&node(&house, folder.path()), 1).await;
        let body: String = house.db().query("SELECT body FROM payment_sandbox").scalar().await.unwrap();
        let mut tx = house.db().begin().await.unwrap();
        tx.query("DELETE FROM payment_sandbox").execute().await.unwrap();
        tx.commit().await.unwrap();
        std::fs::write(folder.path().join("stripe-sandbox.json"), body).unwrap();
        let later = node(&house, folder.path());
        assert_eq!(later.client().await.unwrap().customer(&kept).await.unwrap().id, kept);
        customer(&later, 2).await;
        std::fs::remove_file(folder.path().join("stripe-sandbox.json")).unwrap();
        let last = node(&house, folder.path());
        assert_eq!(last.client().await.unwrap().customer(&kept).await.unwrap().id, kept);
    }
}
