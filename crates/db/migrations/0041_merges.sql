-- Merged duplicates (docs/decisions/0070). A merged reservation keeps its row and all that it says; it has no bed. If it was pending, it
-- ended with the merge: rejected_at is the same time then.
ALTER TABLE guests ADD COLUMN merged_at BIGINT
    CONSTRAINT guests_merged_check CHECK (merged_at IS NULL OR accepted_at IS NULL OR discharged_at IS NOT NULL);

-- Why a guest was placed against the rules, where the accept was undone.
ALTER TABLE undone_accepts ADD COLUMN placement_reason TEXT;

-- Each merge, also those that were undone.
CREATE TABLE guest_merges (
    id UUID NOT NULL PRIMARY KEY,
    duplicate_id UUID NOT NULL REFERENCES guests (id),
    kept_id UUID NOT NULL REFERENCES guests (id),
    merged_at BIGINT NOT NULL,
    merged_by UUID NOT NULL REFERENCES users (id),
    undone_at BIGINT,
    undone_by UUID REFERENCES users (id),
    CONSTRAINT guest_merges_other_check CHECK (duplicate_id <> kept_id),
    CONSTRAINT guest_merges_undone_check CHECK ((undone_at IS NULL) = (undone_by IS NULL))
);
CREATE UNIQUE INDEX guest_merges_duplicate_id_key ON guest_merges (duplicate_id) WHERE undone_at IS NULL;
CREATE INDEX guest_merges_duplicate_id_index ON guest_merges (duplicate_id, merged_at);
CREATE INDEX guest_merges_kept_id_index ON guest_merges (kept_id, merged_at);
