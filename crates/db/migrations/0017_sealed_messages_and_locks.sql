-- Bodies of messages are sealed with a key of the installation, since they hold live links and codes. Rows from before this
-- version hold plain text until they are sent.
ALTER TABLE outbox ADD COLUMN sealed BOOLEAN NOT NULL DEFAULT FALSE;

-- A repeated request gets the entity tag of the first answer, too.
ALTER TABLE idempotency_keys ADD COLUMN etag TEXT;

-- Rows that are locked instead of rows that come and go. 'global-admins': whoever counts or changes global admins.
CREATE TABLE platform_locks (
    name TEXT NOT NULL PRIMARY KEY,
    taken BIGINT NOT NULL DEFAULT 0
);
INSERT INTO platform_locks (name) VALUES ('global-admins');
