-- A site may ask whether accepted guests have arrived (off by default; docs/decisions/0062). Until then the bed is reserved for an
-- arriving guest. A guest who does not come is a no-show: discharged at the same time.
ALTER TABLE sites ADD COLUMN asks_arrival BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE guests ADD COLUMN arrived_at BIGINT
    CONSTRAINT guests_arrived_check CHECK (arrived_at IS NULL OR accepted_at IS NOT NULL);
ALTER TABLE guests ADD COLUMN no_show_at BIGINT
    CONSTRAINT guests_no_show_check CHECK (no_show_at IS NULL
        OR (discharged_at IS NOT NULL AND no_show_at = discharged_at AND arrived_at IS NULL));
