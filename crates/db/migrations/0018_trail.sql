-- The audit trail says in columns what its English sentences said, names the guests that an answer showed, and refuses
-- changes (I11; docs/decisions/0038).

-- The beds of an accepted, moved or discharged guest.
ALTER TABLE audit ADD COLUMN from_bed_id UUID;
ALTER TABLE audit ADD COLUMN to_bed_id UUID;
-- What was asked for: of a list, its filters; of a denied call, the call.
ALTER TABLE audit ADD COLUMN query TEXT;
-- The guests that were shown, if they are not the one that the row is about.
ALTER TABLE audit ADD COLUMN guest_set_id UUID;

-- Sets of guests, each stored once however often it is shown. The id is made from the ids of the guests.
CREATE TABLE guest_sets (
    id UUID NOT NULL,
    guest_id UUID NOT NULL,
    PRIMARY KEY (id, guest_id)
);
CREATE INDEX guest_sets_guest_id_index ON guest_sets (guest_id, id);

-- A repeated answer shows its guests again: their ids, with commas between.
ALTER TABLE idempotency_keys ADD COLUMN guests TEXT;

-- Rows of before: the organization of a site, and the beds that stand in the sentences.
UPDATE audit SET organization_id = (SELECT s.organization_id FROM sites s WHERE s.id = audit.site_id)
WHERE organization_id IS NULL AND site_id IS NOT NULL;
-- only: sqlite
UPDATE audit SET to_bed_id = unhex(substr(summary, -36), '-') WHERE object_type = 'guest'
AND summary LIKE '% to bed ________-____-____-____-____________';
UPDATE audit SET from_bed_id = unhex(substr(summary, instr(summary, ' from bed ') + 10, 36), '-')
WHERE object_type = 'guest' AND summary LIKE '% from bed ________-____-____-____-____________ to bed %';
UPDATE audit SET from_bed_id = unhex(substr(summary, -36), '-') WHERE object_type = 'guest'
AND summary LIKE '% out of bed ________-____-____-____-____________';
-- only: postgres
UPDATE audit SET to_bed_id = CAST(right(summary, 36) AS UUID) WHERE object_type = 'guest'
AND summary LIKE '% to bed ________-____-____-____-____________';
UPDATE audit SET from_bed_id = CAST(substr(summary, position(' from bed ' IN summary) + 10, 36) AS UUID)
WHERE object_type = 'guest' AND summary LIKE '% from bed ________-____-____-____-____________ to bed %';
UPDATE audit SET from_bed_id = CAST(right(summary, 36) AS UUID) WHERE object_type = 'guest'
AND summary LIKE '% out of bed ________-____-____-____-____________';
-- only: both

-- Lists of the trail by organization, site, person and guest, each in the order of the ids.
DROP INDEX audit_site_id_index;
DROP INDEX audit_object_id_index;
CREATE INDEX audit_organization_id_index ON audit (organization_id, id);
CREATE INDEX audit_site_id_index ON audit (site_id, id);
CREATE INDEX audit_actor_id_index ON audit (actor_id, id);
CREATE INDEX audit_object_id_index ON audit (object_id, id);
CREATE INDEX audit_guest_set_id_index ON audit (guest_set_id, id) WHERE guest_set_id IS NOT NULL;

-- only: sqlite
CREATE TRIGGER audit_update BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'a row of the audit trail never changes'); END;
CREATE TRIGGER audit_delete BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'a row of the audit trail is never removed'); END;
CREATE TRIGGER guest_sets_update BEFORE UPDATE ON guest_sets
BEGIN SELECT RAISE(ABORT, 'a row of the audit trail never changes'); END;
CREATE TRIGGER guest_sets_delete BEFORE DELETE ON guest_sets
BEGIN SELECT RAISE(ABORT, 'a row of the audit trail is never removed'); END;
-- only: postgres
CREATE FUNCTION audit_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a row of the audit trail never changes and is never removed';
END;
$$;
CREATE TRIGGER audit_change BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_stays();
CREATE TRIGGER audit_truncate BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_stays();
CREATE TRIGGER guest_sets_change BEFORE UPDATE OR DELETE ON guest_sets FOR EACH ROW EXECUTE FUNCTION audit_stays();
CREATE TRIGGER guest_sets_truncate BEFORE TRUNCATE ON guest_sets FOR EACH STATEMENT EXECUTE FUNCTION audit_stays();
