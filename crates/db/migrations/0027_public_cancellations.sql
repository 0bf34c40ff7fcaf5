-- Reservations that the guest cancelled on the public side (docs/decisions/0049). Such a guest is declined, too, at the same
-- moment, so that every count and list knows it. A cancellation cannot be undone and never follows a bed.
ALTER TABLE guests ADD COLUMN cancelled_at BIGINT CONSTRAINT guests_cancelled_check
    CHECK (cancelled_at IS NULL OR (rejected_at IS NOT NULL AND rejected_at = cancelled_at AND accepted_at IS NULL));

-- Networks from which a reservation was confirmed, or looked up with the right digits of its phone. Wrong tries from elsewhere
-- do not count against them, so that a stranger cannot keep the guest out.
CREATE TABLE reservation_networks (
    guest_id UUID NOT NULL REFERENCES guests (id),
    network TEXT NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (guest_id, network)
);
CREATE INDEX reservation_networks_seen_at_index ON reservation_networks (seen_at);
