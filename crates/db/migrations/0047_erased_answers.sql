-- The person on a waitlist whom a stored answer shows. When the wait ends, the answer is erased with the form (docs/decisions/0066).
ALTER TABLE idempotency_keys ADD COLUMN waiting_guest_id UUID REFERENCES waiting_guests (id);
CREATE INDEX idempotency_keys_waiting_guest_id_index ON idempotency_keys (waiting_guest_id) WHERE waiting_guest_id IS NOT NULL;
