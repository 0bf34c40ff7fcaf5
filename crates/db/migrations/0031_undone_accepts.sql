-- Accepts that were taken back within seconds (docs/decisions/0047). The stay that an accept opened is removed from `stays`, so that it
-- counts nowhere; this row keeps it. An accept is its row in the audit trail, and is undone once.
CREATE TABLE undone_accepts (
    id UUID NOT NULL PRIMARY KEY,
    guest_id UUID NOT NULL REFERENCES guests (id),
    bed_id UUID NOT NULL REFERENCES beds (id),
    decision_id UUID NOT NULL REFERENCES audit (id),
    accepted_at BIGINT NOT NULL,
    accepted_by UUID REFERENCES users (id),
    undone_at BIGINT NOT NULL,
    undone_by UUID NOT NULL REFERENCES users (id),
    CONSTRAINT undone_accepts_order_check CHECK (undone_at >= accepted_at)
);
CREATE UNIQUE INDEX undone_accepts_decision_id_key ON undone_accepts (decision_id);
CREATE INDEX undone_accepts_guest_id_index ON undone_accepts (guest_id, undone_at);
CREATE INDEX undone_accepts_bed_id_index ON undone_accepts (bed_id);
