-- Seals of the audit trail: each covers a range of its rows and the seal before it, so that a row that is changed, removed,
-- added or moved later breaks the chain (attack 20; docs/decisions/0038). A job writes them; those who write the trail never
-- touch them.
CREATE TABLE audit_seals (
    ordinal BIGINT NOT NULL PRIMARY KEY,
    -- The rows behind this id …
    after_id UUID NOT NULL,
    -- … up to this one.
    last_id UUID NOT NULL,
    row_count BIGINT NOT NULL,
    sealed_at BIGINT NOT NULL,
    -- SHA-256 over the seal before, the values above and all values of the rows, in hex.
    hash TEXT NOT NULL,
    -- HMAC-SHA-256 of the hash under the setting secret_key, in hex; none without that setting.
    mac TEXT
);
-- No two seals begin or end at the same row, so that ranges do not overlap.
CREATE UNIQUE INDEX audit_seals_after_id_key ON audit_seals (after_id);
CREATE UNIQUE INDEX audit_seals_last_id_key ON audit_seals (last_id);

-- only: sqlite
CREATE TRIGGER audit_seals_update BEFORE UPDATE ON audit_seals
BEGIN SELECT RAISE(ABORT, 'a seal of the audit trail never changes'); END;
CREATE TRIGGER audit_seals_delete BEFORE DELETE ON audit_seals
BEGIN SELECT RAISE(ABORT, 'a seal of the audit trail is never removed'); END;
-- only: postgres
CREATE TRIGGER audit_seals_change BEFORE UPDATE OR DELETE ON audit_seals FOR EACH ROW EXECUTE FUNCTION audit_stays();
CREATE TRIGGER audit_seals_truncate BEFORE TRUNCATE ON audit_seals FOR EACH STATEMENT EXECUTE FUNCTION audit_stays();
