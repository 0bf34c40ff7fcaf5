-- What is counted for the lists and totals of the platform, kept in the transaction that changes it (I15). In tables of
-- their own: the rows of sites are wide, and each change of a counter would copy one.

-- `part` spreads the sites over the rows of `directory_versions`. Vacant beds are beds - disabled - occupied: a disabled
-- bed has no guest (I4).
CREATE TABLE site_counts (
    site_id UUID NOT NULL PRIMARY KEY REFERENCES sites (id),
    part BIGINT NOT NULL,
    rooms BIGINT NOT NULL,
    beds BIGINT NOT NULL,
    disabled BIGINT NOT NULL,
    occupied BIGINT NOT NULL
);
CREATE INDEX site_counts_part_index ON site_counts (part);

INSERT INTO site_counts (site_id, part, rooms, beds, disabled, occupied)
SELECT s.id, (ROW_NUMBER() OVER (ORDER BY s.id)) % 64,
    (SELECT COUNT(*) FROM rooms r WHERE r.site_id = s.id AND r.deleted_at IS NULL),
    (SELECT COUNT(*) FROM beds b WHERE b.site_id = s.id AND b.deleted_at IS NULL),
    (SELECT COUNT(*) FROM beds b WHERE b.site_id = s.id AND b.deleted_at IS NULL AND b.disabled),
    (SELECT COUNT(*) FROM stays t WHERE t.site_id = s.id AND t.ended_at IS NULL)
FROM sites s;

-- Raised with each change of what the dashboard lists: parts 0 to 63 are sites, 64 people, 65 organizations. A process
-- that remembers a part at its version need not read it again. Rows appear with the first change.
CREATE TABLE directory_versions (
    part BIGINT NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL
);
