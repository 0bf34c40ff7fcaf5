-- Declines and discharges that were taken back (docs/decisions/0047). A decision is its row in the audit trail, and is undone
-- once. What the guest's row no longer tells stands here: when it was decided, by whom, and the feedback.
CREATE TABLE guest_undos (
    id UUID NOT NULL PRIMARY KEY,
    guest_id UUID NOT NULL REFERENCES guests (id),
    decision_id UUID NOT NULL REFERENCES audit (id),
    kind TEXT NOT NULL CONSTRAINT guest_undos_kind_check CHECK (kind IN ('declined', 'discharged')),
    decided_at BIGINT NOT NULL,
    decided_by UUID REFERENCES users (id),
    feedback TEXT,
    undone_at BIGINT NOT NULL,
    undone_by UUID NOT NULL REFERENCES users (id),
    CONSTRAINT guest_undos_order_check CHECK (undone_at >= decided_at)
);
CREATE UNIQUE INDEX guest_undos_decision_id_key ON guest_undos (decision_id);
CREATE INDEX guest_undos_guest_id_index ON guest_undos (guest_id, undone_at);
