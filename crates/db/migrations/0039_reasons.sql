-- Reasons for declines and discharges that an organization offers to choose from (docs/decisions/0067). A reason is retired, never
-- deleted, since ended stays refer to it. The feedback stays free text beside it.
CREATE TABLE reasons (
    id UUID NOT NULL PRIMARY KEY,
    organization_id UUID NOT NULL REFERENCES organizations (id),
    kind TEXT NOT NULL CONSTRAINT reasons_kind_check CHECK (kind IN ('Decline', 'Discharge')),
    name TEXT NOT NULL CONSTRAINT reasons_name_check CHECK (LENGTH(name) BETWEEN 1 AND 100),
    name_key TEXT NOT NULL,
    is_disabled BOOLEAN NOT NULL DEFAULT FALSE,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX reasons_organization_id_kind_name_key_key ON reasons (organization_id, kind, name_key);

ALTER TABLE guests ADD COLUMN reason_id UUID REFERENCES reasons (id)
    CONSTRAINT guests_reason_check CHECK (reason_id IS NULL
        OR (cancelled_at IS NULL AND no_show_at IS NULL AND (rejected_at IS NOT NULL OR discharged_at IS NOT NULL)));
-- The chosen reason of a decision that was undone.
ALTER TABLE guest_undos ADD COLUMN reason_id UUID REFERENCES reasons (id);
