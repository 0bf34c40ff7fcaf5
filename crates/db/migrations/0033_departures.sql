-- The day on which a guest is expected to leave (YYYY-MM-DD in the site's time zone). It is information for the staff: nothing happens
-- on that day by itself (docs/decisions/0061).
ALTER TABLE guests ADD COLUMN expected_departure TEXT
    CONSTRAINT guests_expected_departure_check CHECK (expected_departure LIKE '____-__-__');
