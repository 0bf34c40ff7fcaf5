-- What a disabled bed waits for: it is being cleaned, or it is out of service for another reason (docs/decisions/0065). Beds that
-- were disabled before are out of service.
ALTER TABLE bed_outages ADD COLUMN kind TEXT NOT NULL DEFAULT 'out-of-service'
    CONSTRAINT bed_outages_kind_check CHECK (kind IN ('cleaning', 'out-of-service'));
