-- Each time a bed was disabled: why, the day on which it is expected back (YYYY-MM-DD in the site's time zone), and who disabled
-- and enabled it (docs/decisions/0048). A bed is disabled exactly while it has an open row.
CREATE TABLE bed_outages (
    id UUID NOT NULL PRIMARY KEY,
    bed_id UUID NOT NULL REFERENCES beds (id),
    reason TEXT CONSTRAINT bed_outages_reason_check CHECK (LENGTH(reason) BETWEEN 1 AND 200),
    expected_back TEXT CONSTRAINT bed_outages_expected_back_check CHECK (expected_back LIKE '____-__-__'),
    started_at BIGINT NOT NULL,
    started_by UUID REFERENCES users (id),
    ended_at BIGINT,
    ended_by UUID REFERENCES users (id),
    CONSTRAINT bed_outages_order_check CHECK (ended_at IS NULL OR ended_at >= started_at)
);
CREATE UNIQUE INDEX bed_outages_bed_id_key ON bed_outages (bed_id) WHERE ended_at IS NULL;
CREATE INDEX bed_outages_bed_id_index ON bed_outages (bed_id, started_at);

-- Beds that are disabled already: the trail tells since when and by whom, nobody was asked why.
INSERT INTO bed_outages (id, bed_id, started_at, started_by)
    SELECT b.id, b.id,
        COALESCE((SELECT a.at FROM audit a WHERE a.object_id = b.id AND a.action = 'bed.disabled' ORDER BY a.id DESC LIMIT 1), b.created_at),
        (SELECT u.id FROM users u WHERE u.id =
            (SELECT a.actor_id FROM audit a WHERE a.object_id = b.id AND a.action = 'bed.disabled' ORDER BY a.id DESC LIMIT 1))
    FROM beds b WHERE b.disabled;
