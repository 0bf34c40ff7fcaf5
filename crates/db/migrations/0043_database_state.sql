-- A text that names what has been committed when it is read (docs/decisions/0071). SQLite's is a view of each connection.
-- only: postgres
CREATE VIEW database_state AS SELECT CAST(pg_current_snapshot() AS TEXT) AS name;
-- only: both
