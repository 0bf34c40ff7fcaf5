-- Reservations from the public side before and shortly after the phone has proved them. `hash` is the SHA-256 of the id that
-- the requester was given; the id itself is not stored, and the code is hashed under it, so that a copy of the database is
-- enough for neither. Until it is confirmed a row is only a form (JSON): no guest, no capacity. `code_hash` is empty where no
-- code was sent. Once confirmed the form is erased, and the row is the way to send pictures of the insurance card.
CREATE TABLE reservation_requests (
    hash TEXT NOT NULL PRIMARY KEY,
    site_id UUID NOT NULL REFERENCES sites (id),
    form TEXT NOT NULL,
    code_hash TEXT NOT NULL,
    language TEXT NOT NULL,
    network TEXT NOT NULL,
    tries BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    refused_at BIGINT,
    confirmed_at BIGINT,
    guest_id UUID REFERENCES guests (id)
);
CREATE INDEX reservation_requests_expires_at_index ON reservation_requests (expires_at);
-- For the foreign keys: without them SQLite reads the whole table for each new guest and site.
CREATE INDEX reservation_requests_guest_id_index ON reservation_requests (guest_id);
CREATE INDEX reservation_requests_site_id_index ON reservation_requests (site_id);

-- These were hashed without a key. Locks matter only while a transaction holds them; new ones are keyed.
DELETE FROM person_locks;
