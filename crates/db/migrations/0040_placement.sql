-- Placement rules (docs/decisions/0068): whom a house is for, whether a site is strict about it, and why a guest was placed against the
-- rules. Whom a site is for is part of its services.
-- Ids of genders, ages and types of client, separated by spaces. A category without an id has no limit.
ALTER TABLE rooms ADD COLUMN meant_for TEXT NOT NULL DEFAULT '';
ALTER TABLE sites ADD COLUMN strict_placement BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE stays ADD COLUMN placement_reason TEXT
    CONSTRAINT stays_placement_reason_check CHECK (LENGTH(placement_reason) BETWEEN 1 AND 200);
