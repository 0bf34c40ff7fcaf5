-- Text messages to guests about their reservations (docs/decisions/0052).

-- The language in which a guest is written to, a locale of domain::locale.
ALTER TABLE guests ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
UPDATE guests SET language = 'es' WHERE id IN (
    SELECT r.guest_id FROM reservation_requests r WHERE r.language = 'es' AND r.guest_id IS NOT NULL);

-- What a guest is to be told, written with the change that it tells. `version` is the guest's after that change, so no change has
-- two rows. A job settles each row once: it is sent, and `outbox_id` names the message, or `outcome` says why it is not.
CREATE TABLE guest_texts (
    guest_id UUID NOT NULL REFERENCES guests (id),
    version BIGINT NOT NULL,
    kind TEXT NOT NULL CONSTRAINT guest_texts_kind_check
        CHECK (kind IN ('received', 'accepted', 'declined', 'reopened', 'ending', 'expired', 'cancelled')),
    happened_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    settled_at BIGINT,
    outcome TEXT CONSTRAINT guest_texts_known_check
        CHECK (outcome IS NULL OR outcome IN ('sent', 'outdated', 'late', 'opted-out', 'no-person')),
    outbox_id UUID,
    PRIMARY KEY (guest_id, version, kind),
    CONSTRAINT guest_texts_settled_check CHECK ((settled_at IS NULL) = (outcome IS NULL)),
    CONSTRAINT guest_texts_sent_check CHECK ((outbox_id IS NULL) = (outcome IS NULL OR outcome <> 'sent'))
);
CREATE INDEX guest_texts_due_at_index ON guest_texts (due_at) WHERE settled_at IS NULL;
CREATE UNIQUE INDEX guest_texts_outbox_id_key ON guest_texts (outbox_id) WHERE outbox_id IS NOT NULL;

-- Phones that have asked for no texts, as hashes under a key of the installation. Codes that somebody asks for are sent all the same.
CREATE TABLE sms_stops (
    person TEXT NOT NULL PRIMARY KEY,
    stopped_at BIGINT NOT NULL
);
