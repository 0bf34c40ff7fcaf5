//! Keeps made-up and real data apart. The accounts of the demo have a published password, and its messages with sign-in
//! codes are open at `/dev/outbox`. So the demo never runs on real data, other servers never run on the demo's data, and
//! neither is reachable from other machines by mistake (docs/decisions/0037).

use std::net::SocketAddr;

use axum::http::HeaderMap;
use berth_db::{Db, Tx};
use berth_domain::time::Timestamp;

use super::local;
use crate::settings::Settings;

/// Kind of data in a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Data {
    /// No data yet.
    Empty,
    /// Real people.
    Real,
    /// The demo's world.
    Demo,
    /// The world of `berth seed`.
    Seed,
}

impl Data {
    /// Returns the kind of data in a migrated database.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn of(db: &Db) -> anyhow::Result<Self> {
        const KINDS: &str = "SELECT kind FROM made_up_data ORDER BY kind";
        const ROWS: &str = "SELECT (SELECT COUNT(*) FROM users) + (SELECT COUNT(*) FROM organizations) \
            + (SELECT COUNT(*) FROM insurance_companies) + (SELECT COUNT(*) FROM audit)";
        let kinds: Vec<(String,)> = db.query(KINDS).all().await?;
        Ok(match kinds.first().map(|(kind,)| kind.as_str()) {
            Some("demo") => Self::Demo,
            Some(_) => Self::Seed,
            None if db.query(ROWS).scalar::<i64>().await? == 0 => Self::Empty,
            None => Self::Real,
        })
    }
}

/// Marks the database as made up, in the transaction that fills it.
///
/// # Errors
/// [`berth_db::Error::Unique`] when it is marked already.
pub async fn mark(tx: &mut Tx, data: Data, now: Timestamp) -> berth_db::Result<()> {
    const MARK: &str = "INSERT INTO made_up_data (kind, created_at) VALUES ($1, $2)";
    let kind = if data == Data::Seed { "seed" } else { "demo" };
    tx.query(MARK).bind(kind).bind(now).execute().await?;
    Ok(())
}

/// Checks that a server with these settings may serve this data.
///
/// # Errors
/// A sentence that says what to do.
pub fn may_serve_data(settings: &Settings, data: Data) -> anyhow::Result<()> {
    match data {
        Data::Real => anyhow::ensure!(
            !settings.demo,
            "the database holds data that is not the demo's, and --demo would open its messages to everyone. Start \
             without --demo, or choose another folder with --data."
        ),
        Data::Demo => anyhow::ensure!(
            settings.demo,
            "the database holds the demo, whose accounts have a published password. Start it with --demo, or choose \
             another folder with --data for real data."
        ),
        Data::Seed => anyhow::ensure!(
            !local::is_public(settings) || settings.demo_allow_public,
            "the database was made by `berth seed`, and its accounts have a published password. Let it listen on \
             loopback, or set demo_allow_public = true."
        ),
        Data::Empty => {}
    }
    Ok(())
}

/// Checks that a server with these settings may start: other machines may reach a demo only if `demo_allow_public` is on.
///
/// # Errors
/// A sentence that says what to set.
pub fn may_serve(settings: &Settings) -> anyhow::Result<()> {
    anyhow::ensure!(
        !settings.demo || settings.demo_allow_public || !local::is_public(settings),
        "the demo's password is published and its messages are open to everyone who reaches it, so it listens on this \
         machine only. Remove listen and origins, or set demo_allow_public = true."
    );
    Ok(())
}

/// Returns true if a request may see the messages of the demo.
pub(super) fn may_see_messages(settings: &Settings, headers: &HeaderMap, peer: Option<SocketAddr>) -> bool {
    settings.demo && (settings.demo_allow_public || local::is_local_request(settings, headers, peer))
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use axum::http::HeaderMap;

    use super::{Data, may_see_messages, may_serve, may_serve_data};
    use crate::settings::Settings;

    fn settings(change: impl FnOnce(&mut Settings)) -> Settings {
        let mut settings = Settings { demo: true, ..Settings::default() };
        change(&mut settings);
        settings.checked().unwrap()
    }

    #[test]
    fn a_demo_is_reachable_from_elsewhere_only_on_request() {
        let public: [fn(&mut Settings); 2] = [
            |settings| settings.listen = SocketAddr::from(([0, 0, 0, 0], 8080)),
            |settings| settings.origins = vec!["https://berth.example.org".to_owned()],
        ];
        assert!(may_serve(&settings(|_| {})).is_ok());
        for change in public {
            let refused = may_serve(&settings(change)).unwrap_err().to_string();
            assert!(refused.contains("demo_allow_public"), "{refused}");
            let told_twice = settings(|settings| {
                change(settings);
                settings.demo_allow_public = true;
            });
            assert!(may_serve(&told_twice).is_ok());
            let real = settings(|settings| {
                change(settings);
                settings.demo = false;
            });
            assert!(may_serve(&real).is_ok());
        }
    }

    #[test]
    fn demo_data_needs_the_flag_and_the_flag_needs_demo_data() {
        let (demo, real) = (settings(|_| {}), settings(|settings| settings.demo = false));
        let may = |settings: &Settings, data| may_serve_data(settings, data).is_ok();
        let cases = [Data::Empty, Data::Real, Data::Demo, Data::Seed];
        assert_eq!(cases.map(|data| may(&demo, data)), [true, false, true, true]);
        assert_eq!(cases.map(|data| may(&real, data)), [true, true, false, true]);
        let public = settings(|settings| {
            settings.demo = false;
            settings.origins = vec!["https://berth.example.org".to_owned()];
        });
        assert!(!may(&public, Data::Seed) && may(&public, Data::Real));
    }

    #[test]
    fn messages_are_shown_only_to_this_machine_without_two_settings() {
        let may = |settings: &Settings, peer: &str, headers: &[(&'static str, &'static str)]| {
            let headers: HeaderMap =
                headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
            may_see_messages(settings, &headers, Some(peer.parse().unwrap()))
        };
        let demo = settings(|_| {});
        assert!(may(&demo, "127.0.0.1:4711", &[("host", "localhost:8080")]));
        assert!(!may(&demo, "10.0.0.7:4711", &[("host", "localhost:8080")]), "another machine");
        assert!(!may(&demo, "127.0.0.1:4711", &[("host", "rebound.example")]), "a foreign page");
        let public = settings(|settings| settings.origins = vec!["https://berth.example.org".to_owned()]);
        assert!(!may(&public, "127.0.0.1:4711", &[("host", "localhost")]), "a public origin is set");
        let told_twice = settings(|settings| {
            settings.origins = vec!["https://berth.example.org".to_owned()];
            settings.demo_allow_public = true;
        });
        assert!(may(&told_twice, "10.0.0.7:4711", &[("host", "berth.example.org")]));
        let real = settings(|settings| {
            settings.demo = false;
            settings.demo_allow_public = true;
        });
        assert!(!may(&real, "127.0.0.1:4711", &[("host", "localhost")]));
    }
}
