-- A text that names what has been committed when it is read (docs/decisions/0071). On SQLite, each connection creates its own temporary
-- view.
-- only: postgres
CREATE VIEW database_state AS SELECT CAST(pg_current_snapshot() AS TEXT) AS name;
-- only: both
