-- An edit of a house or a bed says which version it saw, so that an old form cannot undo what someone changed since.
ALTER TABLE rooms ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE beds ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
