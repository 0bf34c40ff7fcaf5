-- Messages to users about reservations: gathered, never late, and not in quiet hours (docs/decisions/0052).

-- Quiet hours, `hh:mm:ss` by the calendar of the site that a message is about; both or none.
ALTER TABLE users ADD COLUMN quiet_from TEXT;
ALTER TABLE users ADD COLUMN quiet_until TEXT CONSTRAINT users_quiet_check
    CHECK ((quiet_from IS NULL) = (quiet_until IS NULL) AND (quiet_from IS NULL OR quiet_from <> quiet_until));

-- What users are to be told, one row for each of them, written with the change that it tells. A job settles each row once: it is part of
-- a message in the outbox, or `outcome` says why it is not.
CREATE TABLE user_notices (
    guest_id UUID NOT NULL,
    kind TEXT NOT NULL CONSTRAINT user_notices_kind_check CHECK (kind IN ('arrived', 'half-time', 'last-hour', 'expired')),
    user_id UUID NOT NULL REFERENCES users (id),
    site_id UUID NOT NULL,
    happened_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    settled_at BIGINT,
    outcome TEXT CONSTRAINT user_notices_known_check
        CHECK (outcome IS NULL OR outcome IN ('sent', 'outdated', 'late', 'opted-out')),
    PRIMARY KEY (guest_id, kind, user_id),
    FOREIGN KEY (guest_id, site_id) REFERENCES guests (id, site_id),
    CONSTRAINT user_notices_settled_check CHECK ((settled_at IS NULL) = (outcome IS NULL))
);
CREATE INDEX user_notices_due_at_index ON user_notices (due_at) WHERE settled_at IS NULL;
CREATE INDEX user_notices_user_id_index ON user_notices (user_id, site_id, settled_at);
