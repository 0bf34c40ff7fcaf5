-- Messages that are of no use later: a code that has ended, a reminder whose moment has passed (docs/decisions/0052).
ALTER TABLE outbox ADD COLUMN send_until BIGINT;

-- One more reason why a text is not sent: the phone got many already. A check cannot be widened in SQLite, so the table is copied.
CREATE TABLE guest_texts_copy (
    guest_id UUID NOT NULL REFERENCES guests (id),
    version BIGINT NOT NULL,
    kind TEXT NOT NULL CONSTRAINT guest_texts_kind_check
        CHECK (kind IN ('received', 'accepted', 'declined', 'reopened', 'ending', 'expired', 'cancelled')),
    happened_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    settled_at BIGINT,
    outcome TEXT CONSTRAINT guest_texts_known_check
        CHECK (outcome IS NULL OR outcome IN ('sent', 'outdated', 'late', 'opted-out', 'no-person', 'too-many')),
    outbox_id UUID,
    PRIMARY KEY (guest_id, version, kind),
    CONSTRAINT guest_texts_settled_check CHECK ((settled_at IS NULL) = (outcome IS NULL)),
    CONSTRAINT guest_texts_sent_check CHECK ((outbox_id IS NULL) = (outcome IS NULL OR outcome <> 'sent'))
);
INSERT INTO guest_texts_copy (guest_id, version, kind, happened_at, due_at, settled_at, outcome, outbox_id)
    SELECT guest_id, version, kind, happened_at, due_at, settled_at, outcome, outbox_id FROM guest_texts;
DROP TABLE guest_texts;
ALTER TABLE guest_texts_copy RENAME TO guest_texts;
CREATE INDEX guest_texts_due_at_index ON guest_texts (due_at) WHERE settled_at IS NULL;
CREATE UNIQUE INDEX guest_texts_outbox_id_key ON guest_texts (outbox_id) WHERE outbox_id IS NOT NULL;
