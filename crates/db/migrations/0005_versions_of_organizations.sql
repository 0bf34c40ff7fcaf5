-- Raised by every edit of the organization itself, so that an edit made on an old view is refused (412).
ALTER TABLE organizations ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
